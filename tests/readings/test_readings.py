"""Readings: explanations of failing logs, identification of methods, and rounds that separate readings."""

from __future__ import annotations

import contextlib
import csv
import hashlib
import json
import pickle
import shlex
import shutil
import subprocess
import sys
import warnings
from dataclasses import replace

import mistakes
import numpy as np
import provably_fair as pf
import published_rounds
import pytest
import rule_mutants
from folders import ROOT
from provably_fair.cli.commands import run
from provably_fair.games.kinds import WheelGame
from provably_fair.names import parse_game
from provably_fair.readings import JSON_SCHEMA, check_rounds
from provably_fair.readings.known import known_games
from tools import make_rounds

stake, duel, bustabit = pf.operators.stake, pf.operators.duel, pf.operators.bustabit
SERVER, CLIENT = hashlib.sha256(b"server").hexdigest(), "A player"
NONCES = list(range(20))


def log_of(game, *fields, **logged):
    made = {"server_seed": SERVER, "client_seed": CLIENT, "nonce": NONCES} | logged
    return {**made, "outcome": game.play(*fields).tolist()}


def swapped():
    return log_of(stake.Dice(), CLIENT, SERVER, NONCES)


# ---- readings ----


def test_readings_are_other_games_with_a_sentence():
    found = pf.readings(stake.Mines(3))
    assert len({reading.text for reading in found}) > 0.9 * len(found) > 80
    assert all(isinstance(reading.game, pf.Game) and reading.game != stake.Mines(3) for reading in found)
    by_text = {reading.text: reading for reading in found}
    assert by_text["as duel.mines"].options == {"game": "duel.mines"}
    less = by_text["nonce - 1 (one less than the log has)"].game
    assert less.play("a", "b", 5).tolist() == stake.Mines(3).play("a", "b", 4).tolist()


def test_an_author_adds_readings():
    class Halved(pf.Game):
        def outcome(self, draws):
            return draws.below(100) // 2

    class Mine(pf.Game):
        readings = (("the number halved", Halved()),)

        def outcome(self, draws):
            return draws.below(100)

    assert pf.readings(Mine())[0].text == "the number halved"
    made = {"server_seed": "s", "client_seed": "c", "salt": pf.salts(20).astype(str)}
    report = pf.verify({**made, "outcome": Halved().play("s", "c", made["salt"])}, Mine())
    assert "the number halved" in report.suggestions[0].text


def test_an_author_adds_readings_under_another_scheme():
    other = pf.Scheme(pf.Hash("sha512", "{client_seed}:{nonce}", key="{server_seed}"), bits=32)

    class Mine(pf.Game):
        scheme = stake.SCHEME

        @property
        def readings(self):
            return (("with SHA-512", self.with_scheme(other)), duel.Dice())

        def outcome(self, draws):
            return draws.below(777)

    first, second, *_ = pf.readings(Mine())
    assert (first.text, second.text) == ("with SHA-512", "as duel.dice")
    assert first.options["scheme"] == other.to_dict()
    assert " under " not in first.options["game"]
    (found, *_) = pf.verify(log_of(Mine().with_scheme(other), SERVER, CLIENT, NONCES), Mine()).suggestions
    assert "with SHA-512" in found.text
    assert found.options == first.options


@pytest.mark.parametrize("game", known_games(), ids=repr)
def test_every_known_game_has_readings(game):
    """Games with several schemes, or with words from a function, have readings as well."""
    found = pf.readings(game)
    assert len(found) > 15
    assert all(isinstance(reading.options, dict) for reading in found)


def test_a_log_of_a_game_whose_words_a_function_makes_is_explained():
    hashes = pf.HashChain().generate("signed", 12).astype(str)
    log = {"game_hash": hashes, "outcome": bustabit.V3().play(hashes)}
    (found,) = pf.verify(log, "bustabit.signed").suggestions
    assert found.options == {"game": "bustabit.v3"}


@pytest.mark.parametrize(("edge", "said"), [(0.03, "3 %"), (0.05, "5 %"), (0.07, None)])
@pytest.mark.parametrize("name", ["bustabit.v2", "duel.crash"])
def test_another_house_edge_is_named(name, edge, said):
    """The edge may be a rational or an integer parameter; an edge that nobody uses isn't guessed."""
    known = parse_game(name)

    class Other(pf.Game):
        scheme = known.scheme

        def outcome(self, draws):
            if name == "bustabit.v2":
                return np.maximum(1, np.floor((100 - 100 * edge) / (1 - draws.number())) / 100)
            return np.floor(2**32 / (draws.below(2**32) + 1) * (1 - edge) * 100) / 100

    hashes = pf.HashChain().generate("edge", 30).astype(str)
    fields = {field: hashes for field in known.scheme.fields if field not in known.scheme.defaults}
    suggested = pf.verify({**fields, "outcome": Other().play(**fields)}, known).suggestions
    assert [f"house edge of {said}, not" in found.text for found in suggested] == ([True] if said else [])


# ---- explanations of failures ----


@pytest.mark.thorough
def test_mistakes_are_named():
    cases = list(mistakes.logs(1))
    assert len({case.name for case in cases}) >= 12
    cases = cases[::2]
    missed = []
    for case in cases:
        report = pf.verify(case.log, case.game)
        assert not report.ok
        if not report.suggestions or case.undone not in report.suggestions[0].text:
            missed.append((case.name, case.game, [found.text for found in report.suggestions]))
    assert len(missed) <= 0.05 * len(cases), missed


def test_a_client_seed_in_the_place_of_hexadecimal_digits_is_named():
    dice, seeds = pf.operators.duel.Dice(), hashlib.sha256(b"server").hexdigest()
    log = {"server_seed": "a player", "client_seed": seeds, "nonce": list(range(20))}
    log["outcome"] = dice.play(seeds, "a player", log["nonce"])
    report = pf.verify(log, dice)
    assert report.counts == {"malformed": 20}
    (found,) = report.suggestions
    assert pf.verify(log, dice, **found.options).ok


@pytest.mark.one_case_in(5)
@pytest.mark.parametrize("seed", range(20))
def test_nothing_is_suggested_for_random_outcomes(seed):
    game, log = mistakes.random_log(seed)
    assert pf.verify(log, game).suggestions == ()


class Color(WheelGame):
    scheme = pf.Scheme(
        pf.Hash("sha256", "", key="{server_seed}-{client_seed}-{nonce}"), bits=32, words=1, below="modulo"
    )
    sectors, words = 3, {"green": 0, "red": 1, "black": 2}

    def outcome(self, draws):
        return (draws.below(15) + 6) // 7


def colors(of):
    return np.array(["Green", "Red", "Black"])[of].tolist()


def test_of_outcomes_that_tell_little_more_rows_are_tried():
    """Colors that were computed with a blank before the client seed, and written as words."""
    nonces = list(range(400))
    log = {"server_seed": SERVER, "client_seed": CLIENT, "nonce": nonces}
    log["outcome"] = colors(Color().play(SERVER, f" {CLIENT}", nonces))
    report = pf.verify(log, Color())
    assert 200 < report.failed < 250
    first = report.suggestions[0]
    assert (first.matched, first.tried) == (100, 100)
    assert "a blank before client_seed" in first.text
    assert pf.verify(log | {"client_seed": f" {CLIENT}"}, Color()).ok
    few = pf.verify(log | {"nonce": nonces[:25], "outcome": log["outcome"][:25]}, Color())
    assert few.suggestions == ()
    assert "too few to tell" in str(few)


@pytest.mark.one_case_in(5)
@pytest.mark.parametrize("seed", range(20))
def test_no_reading_explains_what_fails_by_turning_it_around(seed):
    """Of wrong outcomes with two sides, the other side is right in every row that fails."""
    random = np.random.default_rng([8, seed])
    rolls = random.choice(3, 400, p=[1 / 15, 7 / 15, 7 / 15])
    for game, outcomes in (
        (Color(), colors(rolls)),
        (pf.operators.bcgame.CoinFlip(), random.integers(0, 2, 400)),
    ):
        log = {"server_seed": SERVER, "client_seed": CLIENT, "nonce": range(400), "outcome": outcomes}
        assert pf.verify({**log, "nonce": [*log["nonce"]], "round": [1] * 400}, game).suggestions == ()


def test_suggestions_change_nothing_else():
    report = pf.verify(swapped(), "stake.dice")
    before = report.ok, report.failed, dict(report.counts), report.verdict
    (found, *_) = report.suggestions
    assert (found.matched, found.tried) == (20, 20)
    assert found.options == {"columns": {"server_seed": "client_seed", "client_seed": "server_seed"}}
    assert (report.ok, report.failed, dict(report.counts), report.verdict) == before
    assert pf.verify(swapped(), "stake.dice", **found.options).ok
    for text in (str(report), report.to_html()):
        assert "swapped" in text
        assert "not that the bets were fair" in text
    assert json.loads(report.to_json())["suggestions"][0]["matched"] == 20
    assert pickle.loads(pickle.dumps(report)).suggestions == report.suggestions


@pytest.mark.parametrize(("added", "right"), [("n - 6", "n - 7"), ("n - 8", "n - 7"), ("n + 1", "n")])
def test_a_number_is_added_to_a_column_that_has_one_added(added, right):
    shift = 7 if right == "n - 7" else 0
    log = {"server_seed": SERVER, "client_seed": CLIENT, "n": [nonce + shift for nonce in NONCES]}
    log["outcome"] = pf.operators.stake.Dice().play(SERVER, CLIENT, NONCES)
    (found,) = pf.verify(log, "stake.dice", columns={"nonce": added}).suggestions
    assert found.options == {"columns": {"nonce": right}}
    assert pf.verify(log, "stake.dice", **found.options).ok


def test_a_log_that_passes_has_no_suggestions():
    report = pf.verify(log_of(stake.Dice(), SERVER, CLIENT, NONCES), "stake.dice")
    assert report.ok
    assert report.suggestions == ()
    assert "suggestion" not in str(report)


def test_the_walk_through_shows_the_likeliest_reading_beside():
    report = pf.verify(swapped(), "stake.dice")
    walk = report.explain(3)
    assert walk.beside.outcome == swapped()["outcome"][3]
    assert "As it was probably meant" in walk.text()
    assert "As it was probably meant" in walk._repr_html_()
    assert pf.verify(log_of(stake.Dice(), SERVER, CLIENT, NONCES), "stake.dice").explain(3).beside is None


def test_a_commitment_for_the_seed_is_recognized():
    commitment = hashlib.sha256(SERVER.encode()).hexdigest()
    log = log_of(stake.Dice(), SERVER, CLIENT, NONCES, server_seed=commitment, commitment=commitment)
    (found,) = pf.verify(log, "stake.dice").suggestions
    assert "can't be recovered" in found.text
    exchanged = log | {"commitment": SERVER}
    assert "server_seed and commitment swapped" in pf.verify(exchanged, "stake.dice").suggestions[0].text


@pytest.mark.parametrize("form", ["memory", "file"])
def test_a_commitment_for_the_seed_is_undone_where_the_seed_is_elsewhere(form, tmp_path):
    """The log has both: the seed is in a column that isn't read."""
    seeds = [hashlib.sha256(b"%d" % (row // 7)).hexdigest() for row in NONCES]
    commitments = [hashlib.sha256(seed.encode()).hexdigest() for seed in seeds]

    def log(**others):
        made = log_of(stake.Dice(), seeds, CLIENT, NONCES, server_seed=commitments) | others
        if form == "memory":
            return made
        path = tmp_path / "log.csv"
        with path.open("w", newline="") as file:
            rows = csv.writer(file, delimiter=";")
            rows.writerow(made)
            rows.writerows(zip(*(made | {"client_seed": [CLIENT] * 20}).values(), strict=True))
        return path

    (found,) = pf.verify(log(note=["x"] * 20, revealed_seed=seeds), "stake.dice").suggestions
    assert (found.matched, found.tried) == (20, 20)
    assert found.options == {"columns": {"server_seed": "revealed_seed", "commitment": "server_seed"}}
    assert "--column server_seed=revealed_seed" in found.text
    report = pf.verify(log(revealed_seed=seeds), "stake.dice", **found.options)
    assert report.ok
    assert report.committed["commitment"] == 20
    # Also with commitments in their own column, and with some seeds unrevealed.
    (found,) = pf.verify(log(seed=["", *seeds[1:]], commitment=commitments), "stake.dice").suggestions
    assert (found.options, found.tried) == ({"columns": {"server_seed": "seed"}}, 19)
    # Other texts aren't seeds, and seeds of other outcomes don't explain anything.
    assert pf.verify(log(revealed_seed=commitments[::-1]), "stake.dice").suggestions == ()
    others = stake.Dice().play(CLIENT, SERVER, NONCES).tolist()
    assert pf.verify(log(revealed_seed=seeds, outcome=others), "stake.dice").suggestions == ()


def test_a_log_that_passes_is_not_read_again(monkeypatch):
    log = log_of(stake.Dice(), SERVER, CLIENT, NONCES, note=[SERVER] * 20)
    report = pf.verify(log, "stake.dice")
    monkeypatch.setattr(report.again, "others", None)
    assert report.suggestions == ()


def test_a_rare_reading_is_found_in_the_rows_that_fail():
    nonces = list(range(6000))
    log = {"server_seed": SERVER, "client_seed": CLIENT, "nonce": nonces}
    log["outcome"] = stake.Limbo(reading="2026").play(SERVER, CLIENT, nonces)
    report = pf.verify(log, stake.Limbo())
    assert 3 <= report.failed < 60
    assert report.suggestions[0].options == {"game": "stake.limbo:reading=2026"}


def test_rows_that_are_right_speak_against_a_reading():
    """If only a few rows match another nonce, the log wasn't written that way."""
    nonces = list(range(400))
    log = {"server_seed": SERVER, "client_seed": CLIENT, "nonce": nonces}
    log["outcome"] = stake.Dice().play(SERVER, CLIENT, nonces)
    log["outcome"][:10] = stake.Dice().play(SERVER, CLIENT, list(range(1, 11)))
    report = pf.verify(log, "stake.dice")
    assert report.failed >= 9
    assert report.suggestions == ()


def test_right_rows_speak_against_a_reading_wherever_they_are():
    """Here the first 700 rows are off by one, which are all of the rows that are tried."""
    nonces = np.arange(3000)
    log = {"server_seed": SERVER, "client_seed": CLIENT, "nonce": nonces - (nonces < 700)}
    log["outcome"] = stake.Dice().play(SERVER, CLIENT, nonces)
    report = pf.verify(log, "stake.dice")
    assert report.failed == 700
    assert report.suggestions == ()
    assert report.blocks[0].cure == {"nonce": "nonce + 1"}


def test_right_rows_of_other_parameters_are_not_left_out():
    """A reading of the rows with 5 mines would have all of those with 3 fail."""
    log = {"server_seed": SERVER, "client_seed": CLIENT, "nonce": [*range(80)], "mines": [3, 5] * 40}
    fields = zip(log["mines"], log["nonce"], strict=True)
    log["outcome"] = [stake.Mines(n).play(SERVER, CLIENT, nonce).tolist() for n, nonce in fields]
    log["nonce"] = [nonce + nonce % 2 for nonce in log["nonce"]]
    report = pf.verify(log, "stake.mines")
    assert (report.failed, report.suggestions) == (40, ())


def test_a_second_throw_where_the_player_wins_is_no_reading():
    """Most rows fail, and the others, where the player lost, don't fit the reading that these fit."""
    nonces = np.arange(300)
    log = {"server_seed": SERVER, "client_seed": CLIENT, "nonce": nonces}
    first, second = (stake.Dice().play(SERVER, CLIENT, nonces + by) for by in (0, 1))
    log["outcome"] = np.where(first > 45, second, first)
    report = pf.verify(log, "stake.dice")
    assert 2 * report.failed > 300
    assert report.suggestions[0].text.endswith("but 20 of 20 that verify as logged wouldn't")


def test_a_seed_in_its_commitments_column_is_compared_with_right_rows():
    dice, few = stake.Dice(), np.arange(100) < 40
    hashed = hashlib.sha256(SERVER.encode()).hexdigest()
    log = {"server_seed": np.where(few, hashed, SERVER), "server_seed_hash": np.where(few, SERVER, hashed)}
    log |= {"client_seed": CLIENT, "nonce": np.arange(100)}
    log["outcome"] = dice.play(SERVER, CLIENT, log["nonce"])
    assert pf.verify(log, dice).suggestions == ()


def test_outcomes_with_a_decimal_comma_have_readings():
    log = log_of(stake.Dice(), SERVER, CLIENT, [nonce + 1 for nonce in NONCES])
    log["outcome"] = [f"{outcome:.2f}".replace(".", ",") for outcome in log["outcome"]]
    (suggestion,) = pf.verify(log, "stake.dice").suggestions
    assert suggestion.options == {"columns": {"nonce": "nonce + 1"}}


@pytest.mark.parametrize("game", [stake.Mines(), stake.Keno()], ids=repr)
def test_numbers_in_any_order_have_readings(game):
    log = log_of(game, SERVER, CLIENT, [nonce + 1 for nonce in NONCES])
    log["outcome"] = np.sort(log["outcome"]).tolist()
    (suggestion,) = pf.verify(log, game).suggestions
    assert suggestion.options == {"columns": {"nonce": "nonce + 1"}}


def test_too_few_rows_tell_nothing():
    coin = pf.operators.bcgame.CoinFlip()
    nonces = list(range(12))
    outcomes = coin.play(SERVER, CLIENT, [nonce + 1 for nonce in nonces])
    log = {"server_seed": SERVER, "client_seed": CLIENT, "nonce": nonces, "outcome": outcomes}
    report = pf.verify(log, coin)
    assert report.suggestions == ()
    two = {name: value if isinstance(value, str) else value[:2] for name, value in swapped().items()}
    assert pf.verify(two, "stake.dice").suggestions == ()


def test_only_outcomes_that_differ_are_explained():
    """Wrong commitments with right outcomes have nothing to do with readings."""
    log = log_of(stake.Dice(), SERVER, CLIENT, NONCES, commitment="0" * 64)
    report = pf.verify(log, "stake.dice")
    assert report.failed == 20
    assert report.suggestions == ()


# ---- identification ----


def test_published_rounds_are_known_without_names():
    """A sample; measurements/measure_readings.py covers all."""
    cases = list(published_rounds.by_twenties())[4::2]
    found = [(game, known_as(published_rounds.anonymous(rounds))) for game, rounds in cases]
    assert len(cases) >= 4
    assert not [(game, kinds) for game, kinds in found if kinds and type(game) not in kinds]
    known = [
        type(game) in kinds
        for (game, kinds), (_, rounds) in zip(found, cases, strict=True)
        if len(rounds) > 9
    ]
    assert len(known) >= 3
    assert all(known)  # fewer rounds may not be enough


def known_as(log):
    """The classes of the games identified for a log."""
    best = pf.identify(log).best
    return [] if best is None else [type(parse_game(name)) for name in (best.game, *best.alike)]


def test_an_operator_that_is_left_out_is_none():
    log = swapped()
    others = [
        game
        for game in published_rounds.GAMES
        if "stake" not in game.__module__ and "primedice" not in game.__module__
    ]
    found = pf.identify(log, [kind() for kind in others])
    assert found.best is None
    assert "none" in str(found)


def test_columns_are_found_by_what_they_hold():
    log = swapped()
    renamed = dict(
        zip("wxyz", (log["outcome"], log["nonce"], log["client_seed"], log["server_seed"]), strict=True)
    )
    best = pf.identify(renamed).best
    assert best.game == "stake.dice"
    assert best.columns == {"server_seed": "y", "client_seed": "z", "nonce": "x", "outcome": "w"}
    assert pf.verify(renamed, best.game, columns=best.columns).ok
    assert "--column nonce=x" in best.options


def test_the_answer_can_be_typed(tmp_path, capsys):
    """The suggested command works for any column and file names."""
    names = ["my seed", "player's seed", "bet no. $1", 'it "rolled"']
    log = log_of(stake.Dice(), SERVER, CLIENT, NONCES)
    path = tmp_path / "a log.csv"
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(names)
        rows.writerows([SERVER, CLIENT, *row] for row in zip(NONCES, log["outcome"], strict=True))
    assert run(["identify", str(path)]) == 0
    (typed,) = [line for line in capsys.readouterr().out.splitlines() if "provably-fair verify" in line]
    assert run(shlex.split(typed)[1:]) == 0


def test_the_era_is_named():
    hashes = pf.HashChain().generate("identify", 20).astype(str)
    best = pf.identify({"a": hashes, "b": bustabit.V3().play(hashes)}).best
    assert (best.game, best.era, best.alike) == ("bustabit.v3", "V3", ())


def test_nothing_is_imported_from_the_folder(tmp_path):
    (tmp_path / "mygames.py").write_text("raise SystemExit('imported')\n")
    lines = "\n".join(
        f"{SERVER},{CLIENT},{nonce},{outcome}"
        for nonce, outcome in zip(NONCES, swapped()["outcome"], strict=True)
    )
    (tmp_path / "log.csv").write_text("server_seed,client_seed,nonce,outcome\n" + lines + "\n")
    code = "import sys; from provably_fair.cli.commands import run; sys.exit(run(['identify', 'log.csv']))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "imported" not in done.stdout + done.stderr


# ---- separating rounds ----


def kept(name):
    """The kept rounds of a game, written by `tests/tools/make_rounds.py`."""
    return json.loads(make_rounds.path_of(name).read_text(encoding="utf-8"))


@pytest.mark.one_case_in(3)
@pytest.mark.parametrize("name", rule_mutants.RULES)
def test_mutants_of_a_rule_are_excluded(name):
    """`measurements/measure_readings.py` does the same with more random rounds."""
    rule, rounds = rule_mutants.RULES[name], kept(name)["rounds"]
    mutants = rule_mutants.mutants(name)
    assert len(rounds) <= 20
    assert len(mutants) >= 200
    assert not any(rule_mutants.wrong(rule, one) for one in rounds)
    left = rule_mutants.survivors(mutants, rounds)
    assert len(left) <= 0.01 * len(mutants), [mutant.name for mutant in left]
    ordinary = rule_mutants.random_rounds(name, 20, 1)
    assert not any(rule_mutants.wrong(rule, one) for one in ordinary)
    assert len(rule_mutants.survivors(mutants, ordinary)) > 0.05 * len(mutants)


@pytest.mark.parametrize("name", rule_mutants.RULES)
def test_mutants_are_of_the_rule(name):
    game = parse_game(name)
    for one in [*rule_mutants.random_rounds(name, 5, 3), *rule_mutants.forms(name)]:
        assert game.play(**one["fields"]).tolist() == one["outcome"]


def test_each_kind_of_rounds_is_needed():
    """Without rounds that start at digests, or have unusual texts, some mutants survive."""
    name = "stake.wheel"
    mutants, rounds = rule_mutants.mutants(name), kept(name)["rounds"]
    hashed = [one for one in rounds if "fields" in one]
    begun = [one for one in rounds if "fields" not in one]
    for some in hashed, [*rule_mutants.random_rounds(name, 10, 1), *begun]:
        assert len(rule_mutants.survivors(mutants, some)) > 0.05 * len(mutants)


# ---- the kept rounds of all games ----


def test_rounds_of_all_games_are_kept():
    """Written by `make rounds`."""
    files = {make_rounds.path_of(name) for name in make_rounds.names()}
    assert files == set(make_rounds.FOLDER.glob("*.json"))
    families = {pf.operators.crash.Divisible, pf.operators.crash.Raw}  # a clone's numbers aren't known
    assert {type(parse_game(name)) for name in make_rounds.names()} >= {*published_rounds.GAMES} - families


@pytest.mark.one_case_in(3)
@pytest.mark.parametrize("name", make_rounds.names())
def test_kept_rounds_are_right(name):
    """The kept rounds verify, have the published format, and cover the current readings."""
    data, game = kept(name), parse_game(name)
    assert check_rounds(data) == []
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.validate(data, JSON_SCHEMA, cls=jsonschema.Draft202012Validator)
    assert data["readings"] == [reading.text for reading in pf.readings(game)]
    assert parse_game(data["game"]) == game


CARDS = [
    pf.operators.crypto_games.Blackjack(),
    pf.operators.crypto_games.VideoPoker(),
    stake.VideoPoker().with_table(pf.cards.VideoPoker("deuces_wild")),
]


@pytest.mark.parametrize("game", CARDS)
def test_rounds_of_cards_at_a_table(game):
    template = "".join(f"{{{name}}}" for name in reversed([*game.scheme.fields]))
    other = game.with_scheme(replace(game.scheme, hash=pf.Hash("sha512", template)))
    found = pf.separating_rounds(game, readings=[other], limit=8)
    assert len(found.excluded) == 1
    data = json.loads(found.to_json())
    assert check_rounds(data, game) == []
    assert check_rounds(data, other)
    for one in data["rounds"]:
        if "fields" in one:
            assert one["outcome"] == game.play(**one["fields"]).tolist()


@pytest.mark.one_case_in(3)
@pytest.mark.parametrize("name", ["jackpot:tickets=3", "liqd.dice", "bustabit.v2"])
def test_kept_rounds_are_up_to_date(name):
    assert make_rounds.path_of(name).read_text(encoding="utf-8") == make_rounds.text_of(name)


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_a_port_in_javascript_is_tested(tmp_path):
    """The port passes on the kept rounds, and fails after any single change."""
    text = (ROOT / "examples" / "check_rounds.mjs").read_text(encoding="utf-8")

    def checked(port, name):
        (tmp_path / "port.mjs").write_text(port, encoding="utf-8")
        command = ["node", str(tmp_path / "port.mjs"), str(make_rounds.path_of(name))]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)

    for name in ("stake.dice", "stake.wheel", "stake.mines"):
        done = checked(text, name)
        assert done.returncode == 0, done.stdout
        assert f"{name}: 20 of 20 rounds are right" in done.stdout
    for name, old, new in (
        ("stake.wheel", "/ 2 ** 32", "/ (2 ** 32 - 1)"),
        ("stake.wheel", "${cursor}`)", '${cursor}`, "latin1")'),
        ("stake.dice", "10001", "10000"),
        ("stake.dice", "readUInt32BE", "readUInt32LE"),
        ("stake.mines", "left.length), 1)", "left.length - 1), 1)"),
    ):
        assert text.count(old) == 1
        done = checked(text.replace(old, new), name)
        assert done.returncode == 1, (old, new, done.stderr)
        assert "expected" in done.stdout


def test_rounds_begin_at_digests_where_no_seeds_are_found():
    """The last word for 99.99 and the first for 100.00: a random digest hits either once in 2**32."""
    rounds = [one for one in kept("stake.dice")["rounds"] if "fields" not in one]
    found = {int(one["digests"][0][:8], 16): one["outcome"] for one in rounds}
    edge = 10_000 * 2**32 // 10_001
    assert (found[edge], found[edge + 1]) == (99.99, 100.0)
    assert (found[0], found[2**32 - 1]) == (0.0, 100.0)


def test_separating_rounds_say_what_they_exclude():
    game = duel.Dice()
    found = pf.separating_rounds(game, limit=8)
    assert len(found.rounds) == 8
    assert set(found.excluded) | set(found.open) == set(found.readings)
    tried = pf.readings(game)
    for one in found.rounds:
        if "fields" not in one:
            continue
        assert game.play(**one["fields"]) == one["outcome"]
        for number in one["excludes"][:20]:
            with contextlib.suppress(ValueError):  # parameters that it can't play
                assert tried[number].game.play(**one["fields"]) != one["outcome"]
    same = pf.separating_rounds(stake.Dice(), [pf.operators.primedice.Dice()])
    assert same.open == ("as primedice.dice",)


@pytest.mark.parametrize("name", ["bcgame.hilo", "bcgame.coinflip"])
def test_fields_that_have_a_default_vary(name):
    """BC.Game counts rounds from 0 or 1, so a port that counts otherwise is found."""
    data = kept(name)
    assert len({one["fields"]["round"] for one in data["rounds"] if "fields" in one}) > 2
    assert not any(text.startswith("round ") for text in data["open"])


def test_a_salt_that_is_the_operators_constant_stays():
    assert all("salt" not in one.get("fields", {}) for one in kept("bustabit.v2")["rounds"])


@pytest.mark.parametrize("alone", [pf.operators.bustabit.V2(), pf.readings(stake.Dice())[0]])
def test_a_game_alone_is_no_list_of_readings(alone):
    said = f"iterable of readings or games, or None, got {type(alone).__name__} alone: put it in a list"
    with pytest.raises(TypeError, match=said):
        pf.separating_rounds(pf.operators.bustabit.V1(), alone)


def test_readings_of_a_rule_do_not_warn():
    """Taking x as 1 - x may give 1, which bustabit's own rule never gets."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        for reading in pf.readings(pf.operators.bustabit.V2()):
            if reading.text == "each number x taken as 1 - x":
                reading.game.simulate(1000)
    assert not seen


def test_vectors_are_checked_by_the_command(tmp_path, capsys):
    assert run(["vectors", "stake.mines:mines=5", "--limit", "4"]) == 0
    text = capsys.readouterr().out
    data = json.loads(text)
    assert set(JSON_SCHEMA["required"]) == set(data)
    (tmp_path / "mines.json").write_text(text)
    assert run(["vectors", "--check", str(tmp_path / "mines.json")]) == 0
    data["rounds"][2]["outcome"][0] += 1
    (tmp_path / "mines.json").write_text(json.dumps(data))
    assert run(["vectors", "--check", str(tmp_path / "mines.json")]) == 1
    assert "wrong: [2]" in capsys.readouterr().out
    assert run(["vectors"]) == 2
    (tmp_path / "own.json").write_text(json.dumps(data | {"game": "mygames:Keno"}))
    capsys.readouterr()
    assert run(["vectors", "--check", str(tmp_path / "own.json")]) == 2
    assert "GAME must be given: these rounds are of 'mygames:Keno'" in capsys.readouterr().err
    (tmp_path / "none.json").write_text(json.dumps(data | {"rounds": []}))
    assert run(["vectors", "--check", str(tmp_path / "none.json")]) == 2
    assert "none.json: no rounds, so nothing was checked" in capsys.readouterr().err
    (tmp_path / "nested.json").write_text("[" * 100_000)
    assert run(["vectors", "--check", str(tmp_path / "nested.json")]) == 2
    capsys.readouterr()
    assert run(["vectors", "duel.mines:mines=5", "--check", str(tmp_path / "mines.json")]) == 1
    said = (
        "duel.mines:mines=5: 0 of 4 rounds are right, wrong: [0, 1, 2, 3]\nmistake: as duel.mines:mines=5\n"
    )
    said += "this reading gives all"
    assert capsys.readouterr().out.startswith(said)


def test_rounds_that_are_none_are_wrong():
    data = kept("stake.dice")
    hashed, begun = data["rounds"][0], data["rounds"][-1]
    spoiled = [
        5,
        {"fields": hashed["fields"]},
        hashed | {"fields": [1]},
        hashed | {"fields": hashed["fields"] | {"nonce": 10**30}},
        hashed | {"fields": hashed["fields"] | {"more": 1}},
        hashed | {"draws": begun["draws"]},
        *(begun | {"digests": digests} for digests in (None, [], [5], ["zz"])),
    ]
    assert check_rounds(data | {"rounds": [hashed, *spoiled, begun]}) == list(range(1, len(spoiled) + 1))
    for name, value, said in (
        ("rounds", 5, "list"),
        ("schema", "x", "schema"),
        ("game", "os:system", "game"),
    ):
        with pytest.raises(ValueError, match=said):
            check_rounds(data | {name: value})


def test_a_file_imports_nothing(tmp_path, monkeypatch, capsys):
    """The rounds of custom games are checked where the game is defined."""
    (tmp_path / "vectors_of_mine.py").write_text(
        "import provably_fair as pf\n\n\nclass Mine(pf.Game):\n"
        "    def outcome(self, draws):\n        return draws.below(777)\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert run(["vectors", "vectors_of_mine:Mine", "--limit", "3"]) == 0
    (tmp_path / "mine.json").write_text(capsys.readouterr().out)
    assert run(["vectors", "--check", "mine.json"]) == 2
    assert "GAME must be given: these rounds are of 'vectors_of_mine:Mine'" in capsys.readouterr().err
    assert run(["vectors", "vectors_of_mine:Mine", "--check", "mine.json"]) == 0
