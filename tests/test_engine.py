"""The engine's Python interface: names, constants, and rules that are stated once."""

import ast
import re
from dataclasses import fields
from fractions import Fraction
from pathlib import Path

import provably_fair as pf
import provably_fair._engine as engine
import pytest
from provably_fair.cards.blackjack.rules import engine_of
from provably_fair.seeds.schemes import engine_scheme
from provably_fair.verification.systems import Rows

STUB = ast.parse((Path(engine.__file__).with_name("_engine.pyi")).read_text(encoding="utf-8"))
CLASSES = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}

CATALOG = {entry.name: entry for entry in engine.catalog()}
GAMES = [pf.Mines, pf.Tower, pf.Slot, pf.Plinko, pf.Dice, pf.Double, pf.Jackpot, pf.Crash, pf.Overgo, pf.X50]


def objects():
    """One object of each class that Python can't create."""
    entry = CATALOG["plinko"]
    game = engine.Blackjack()
    decisions = []
    settled = game.play("cards", list(range(20)), lambda seen: decisions.append(seen) or "stand")
    analysis = game.analyze("basic")
    scheme = engine_scheme(pf.SALTED)
    streams = engine.Streams(scheme, scheme.bind(("", "", ""), {}))
    streams.words()
    return [
        streams.digest(0, 0, 0),
        streams.drawn(0),
        entry,
        entry.parameters[0],
        decisions[0],
        settled,
        settled.hands[0],
        settled.dealer,
        analysis,
        analysis.hands(0)[0],
        engine.verify_dice("rolls", "5635", Rows({"outcome": ["56"]}, 1, 0)),
        engine.read_csv(b"5,6\n", ord(","), 2, [0]),
    ]


OBJECTS = {type(value).__name__: value for value in objects()}


def test_the_stub_names_what_there_is():
    (names,) = [
        ast.literal_eval(node.value)
        for node in STUB.body
        if isinstance(node, ast.Assign) and node.targets[0].id == "__all__"
    ]
    there = {name for name in dir(engine) if not name.startswith("__")} - {"_engine"}
    assert there == set(names) - {"__version__"}
    made_in_python = {"Game", "Blackjack", "PokerPaytable", "Hash", "Scheme", "Fields", "Streams", "Program"}
    made_in_python |= {"Listings", "Replays", "Runs", "Pairs", "Sample", "GameNumbers", "BlsKey"}
    made_in_python |= {"_LogRows", "_Recipe"}
    assert set(CLASSES) - made_in_python == set(OBJECTS)


@pytest.mark.parametrize("name", OBJECTS)
def test_values_have_the_stubs_names_and_stay_as_they_are(name):
    value = OBJECTS[name]
    methods = {node.name for node in CLASSES[name].body if isinstance(node, ast.FunctionDef)}
    values = {node.target.id for node in CLASSES[name].body if isinstance(node, ast.AnnAssign)}
    assert {known for known in dir(value) if not known.startswith("_")} == methods | values
    with pytest.raises(TypeError):
        type(value)()  # only the engine creates them
    for known in values:
        with pytest.raises(AttributeError):
            setattr(value, known, None)


@pytest.mark.parametrize("game", GAMES)
def test_defaults_are_those_of_the_catalog(game):
    own = {field.name: field.default for field in fields(game) if field.name != "reels"}
    assert own == {known.name: known.default for known in CATALOG[game().name].parameters}
    assert len(GAMES) == len(CATALOG)


def test_default_rules_of_blackjack_are_the_engines():
    assert engine_of(pf.cards.Rules(decks=4)) == engine.Blackjack()
    assert engine_of(pf.cards.Rules(decks=4, soft_17="stand")) != engine.Blackjack()


PAYS = "blackjack_pays must be a positive fraction whose numerator and denominator are at most 1000"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"decks": 17}, "decks must be from 1 to 16, got 17"),
        ({"decks": 10**30}, f"decks must be from 1 to 16, got {10**30}"),
        ({"charlie": 2}, "charlie must be from 3 to 10, got 2"),
        ({"split_hands": 5}, "split_hands must be from 1 to 4, got 5"),
        ({"blackjack_pays": Fraction(2, 1001)}, f"{PAYS}, got 2/1001"),
        ({"blackjack_pays": 1001}, f"{PAYS}, got 1001/1"),
        ({"blackjack_pays": Fraction(-6, 10**20)}, f"{PAYS}, got -3/50000000000000000000"),
        ({"soft_17": "fold"}, 'soft_17 must be one of "hit", "stand", got "fold"'),
        ({"surrender": ""}, 'surrender must be one of "none", "late", "early", got ""'),
    ],
)
def test_rules_are_refused_by_the_engine_in_its_words(changes, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        pf.cards.Rules(**changes)
