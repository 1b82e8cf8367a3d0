"""Questions of each kind, which are the same for the ten games and for operators' games."""

from __future__ import annotations

import inspect
import json
import pickle
import re
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from provably_fair.games.fairness import example_of, looks_of
from provably_fair.games.kind import options_of_bet
from provably_fair.games.parameters import parameters_of, widest
from provably_fair.games.rounds import check_outcomes, rounds_of

stake, duel, bustabit = pf.operators.stake, pf.operators.duel, pf.operators.bustabit
liqd, primedice = pf.operators.liqd, pf.operators.primedice

FACE = {
    *("play", "simulate", "tally", "explain", "distribution", "observe", "ordered", "bet", "plot"),
    *("with_scheme", "with_parameters", "name", "parameters", "scheme", "shape", "dtype", "outcome"),
    *("decimals", "vectorized", "monotone", "multiplayer", "kind"),
}
OWN = {
    "Mines": {"mines", "survival", "fair_multiplier"},
    "Tower": {"mines"},
    "Slot": {"spins", "reels", "symbols", "window"},
    "Plinko": {"pins", "balls"},
    "Jackpot": {"tickets", "probability_between"},
    "Crash": {"cash_outs"},
    "Overgo": {"cash_outs"},
}


def public(value: object) -> set[str]:
    return {name for name in dir(value) if not name.startswith("_")}


# ---- a small interface ----


@pytest.mark.parametrize("make", pf.operators.salted.GAMES.values(), ids=lambda make: make.__name__)
def test_a_game_shows_few_names(make):
    assert public(make()) == FACE | OWN.get(make.__name__, set())
    assert len(public(make())) <= 27


class Busy(pf.Game):
    """Parameters named like attributes that only the package uses."""

    looks: int = 3
    example: int = 1
    bounds: tuple[int, int] = (2, 7)
    engine: str = "v8"
    run: int = 2
    changed: bool = False
    widest: int = 5
    combinations: int = 6

    def outcome(self, draws):
        return draws.below(self.looks) * self.bounds[1] + self.example


def test_parameters_may_have_the_names_of_what_is_within():
    game = Busy(looks=4, engine="v9")
    assert game.play("s", "c", ["a", "b"]).tolist() == [int(game.play("s", "c", salt)) for salt in "ab"]
    assert set(game.simulate(200).tolist()) == {1, 8, 15, 22}
    assert game.distribution().weights == (1, 1, 1, 1)
    assert game.distribution("as_drawn").total == 2**64
    assert pickle.loads(pickle.dumps(game)) == game != Busy()
    assert eval(repr(game), {"Busy": Busy}) == game
    assert game.bet({1: 3}, law="ideal").exact_rtp == Fraction(3, 4)
    assert game.tally(400).counts.sum() == 400
    assert str(game.explain("s", "c", "a"))
    pytest.importorskip("scipy")
    assert pf.fairness_report(game.simulate(2000), game).ok
    log = {"server_seed": "s", "client_seed": "c", "salt": ["a"], "outcome": game.play("s", "c", ["a"])}
    assert pf.verify(log, game).ok
    assert pf.audit(log, game).verification.ok


def test_what_the_room_says_of_games():
    assert rounds_of(pf.Dice()).constant is None
    assert rounds_of(pf.Crash()).constant is not None
    assert [look.title for look in looks_of(pf.Slot())] == [f"reel {reel}" for reel in range(5)]
    assert example_of(pf.Mines).title == "Mines: in the top row"
    assert widest(pf.Jackpot(), tickets=[10, 2000, 30]) == pf.Jackpot(2000)
    assert rounds_of(pf.Dice()).engine.bounds == (0, 10_000)
    assert list(parameters_of(stake.Wheel)) == ["segments"]
    with pytest.raises(ValueError, match=r"outcomes\[1\] must be an outcome of X50\(\)"):
        check_outcomes(pf.X50(), [3, 54])


def test_a_class_that_names_a_scheme_plays_under_it():
    class Elsewhere(pf.Mines):
        scheme = stake.SCHEME

    assert np.array_equal(Elsewhere().play("a", "b", [1, 2]), stake.Mines().play("a", "b", [1, 2]))


def test_a_class_with_a_rule_of_its_own_has_its_law():
    class Coin(pf.operators.betkyo.Roulette):
        def outcome(self, draws):
            return draws.below(2)

    class Short(stake.Chicken):
        def outcome(self, draws):
            return np.where(draws.below(2) == 1, 1.03, 1.0)

    for law in ("ideal", "as_drawn"):
        assert dict(Coin().distribution(law)) == {0: 0.5, 1: 0.5}
    assert Short().distribution().weights == (1, 1)
    assert Coin().bet(2, sectors=1).law_error == 0


def test_a_rule_that_the_engine_would_not_play_is_refused():
    with pytest.raises(TypeError, match="can't be another rule: the engine plays that of Dice"):

        class Other(pf.Dice):
            def outcome(self, draws):
                return draws.below(101)


# ---- one kind, one set of questions ----

LAWS: dict[str, list[Any]] = {
    "boards": [pf.Mines(3), stake.Mines(3), duel.Mines(3), pf.Mines(3).with_scheme(stake.SCHEME)],
    "more mines": [pf.Mines(24), stake.Mines(24), duel.Mines(24)],
    "pegs": [pf.Plinko(pins=8), stake.Plinko(8), duel.Plinko(8)],
    "tall pegs": [pf.Plinko(pins=16), stake.Plinko(16), duel.Plinko(16)],
    "dice": [pf.Dice(), stake.Dice(), primedice.Dice()],
    "wheels": [pf.Double(), stake.Wheel(15)],
}
QUESTIONS: dict[str, list[dict[str, Any]]] = {
    "boards": [{"reveals": 5}, {"cells": [0, 7, 24]}, {"reveals": 25}, {"reveals": 0}],
    "more mines": [{"reveals": 1}, {"cells": {3, 4}}],
    "pegs": [{"bucket": True}, {"payout": [10, 3, 1, 0.5, 0.4, 0.5, 1, 3, 10]}, {"payout": {8: 9}}],
    "tall pegs": [{"bucket": True}],
    "dice": [{}, {"under": 50}, {"over": 50.5}, {"under": 0}, {"over": 100}],
    "wheels": [{}, {"sectors": [0, 14]}, {"sectors": 3}],
}
ASKED = [(kind, question) for kind, questions in QUESTIONS.items() for question in questions]


@pytest.mark.parametrize(("kind", "question"), ASKED, ids=str)
def test_games_of_a_kind_are_asked_alike(kind, question):
    first, *others = (dict(game.distribution(**question)) for game in LAWS[kind])
    for other in others:
        assert other == first
    for game in LAWS[kind]:
        drawn = game.distribution("as_drawn", **question)
        assert drawn.total_variation(game.distribution(**question)) < 1e-6
        seen = game.observe(game.simulate(200), **question)
        assert set(seen.tolist()) <= first.keys()


def test_boards_have_survival_and_a_fair_multiplier():
    for mines in (1, 3, 5, 24):
        games = [pf.Mines(mines), stake.Mines(mines), duel.Mines(mines)]
        for reveals in range(26 - mines):
            survival = Fraction(comb(25 - mines, reveals), comb(25, reveals))
            for game in games:
                assert game.survival(reveals, exact=True) == survival
                assert game.fair_multiplier(reveals, exact=True) == 1 / survival
    assert stake.Mines(3).survival([1, 2]).tolist() == pf.Mines(3).survival([1, 2]).tolist()
    assert stake.Mines(3).bet(2, reveals=5, law="ideal").exact_rtp == pf.Mines(3).survival(5, exact=True) * 2


def test_boards_as_drawn_are_the_engines():
    """A sample by removal of 25 is counted, however many are drawn; by swaps it is tried."""
    for mines in (1, 2, 12, 24):
        own = stake.Mines(mines).distribution("as_drawn", cells=[0, 13, 24])
        engine = pf.Mines(mines).with_scheme(stake.SCHEME).distribution("as_drawn", cells=[0, 13, 24])
        assert dict(own) == dict(engine)
    tried = stake.Mines(2).distribution("as_drawn", of=lambda cells: (cells == 24).sum(axis=1))
    assert dict(stake.Mines(2).distribution("as_drawn", cells=[24])) == dict(tried)

    class Swapped(pf.Game):
        scheme = stake.SCHEME

        def outcome(self, draws):
            return draws.swaps(25)[:, :4]

    with pytest.raises(ValueError, match="Swapped has no law that can be listed"):
        Swapped().distribution("as_drawn", of=pf.hits({1}))
    for game, cure in ((stake.Keno(), "hits=..."), (stake.Mines(10), "cells=... or reveals=...")):
        with pytest.raises(ValueError, match=rf"something about it: {re.escape(cure)}$"):
            game.distribution()


@pytest.mark.parametrize("below", ["digest", "double"])
def test_boards_drawn_from_whole_digests_are_tried(below):
    scheme = pf.Scheme(stake.SCHEME.hash, bits=32, below=below, words=1)
    board = stake.Mines(2).with_scheme(scheme)
    assert board.bet(2, reveals=3).law_kind == "as_drawn"
    tried = board.distribution("as_drawn", of=lambda cells: (cells < 3).sum(axis=1))
    assert dict(board.distribution("as_drawn", reveals=3)) == dict(tried)
    assert stake.Mines(9).with_scheme(scheme).bet(2, reveals=3).law_kind == "ideal"  # too many to try


def test_pays_of_pegs_are_by_bucket():
    pays = [1000, 130, 26, 9, 4, 2, 0.2, 0.2, 0.2, 0.2, 0.2, 2, 4, 9, 26, 130, 1000]
    expected = sum(Fraction(str(pay)) * comb(16, bucket) for bucket, pay in enumerate(pays)) / 2**16
    for game in (pf.Plinko(), stake.Plinko(16), duel.Plinko(16)):
        assert game.bet(pays, law="ideal").exact_rtp == expected
        assert game.bet(payout=pays, bucket=True, law="ideal").exact_rtp == expected
    outcomes = stake.Plinko(16).simulate(100)
    paid = np.array(pays)[outcomes.sum(axis=1)]
    assert stake.Plinko(16).bet(pays).simulate(100).tolist() == paid.tolist()
    balls = pf.Plinko(pins=8, balls=3)
    assert balls.observe([[1, 2, 3], [4, 5, 6]], bucket=True).tolist() == [1, 2, 3, 4, 5, 6]
    with pytest.raises(TypeError, match="bucket must be True or False"):
        stake.Plinko().distribution(bucket=1)


CASHED = [(pf.Crash(), 2), (pf.Overgo(), 1.5), (stake.Limbo(), 2), (stake.Crash(), 3.3), (stake.Slide(), 2)]


@pytest.mark.parametrize(("game", "target"), [*CASHED, (duel.Crash(), 2), (bustabit.V2(), 10)], ids=repr)
def test_multipliers_are_cashed_out(game, target):
    law = game.distribution("ideal", cash_out=target)
    assert law.outcomes.tolist() == [0, target]
    share = float(law.pmf(target))
    assert 0.94 / target < share < 1 / target
    outcomes = game.simulate(300)
    assert (
        game.observe(outcomes, cash_out=target).tolist() == np.where(outcomes >= target, target, 0).tolist()
    )
    assert game.bet(cash_out=target, law="ideal").exact_rtp == law.mean(exact=True)
    assert game.bet(3, cash_out=2).exact_rtp * 2 == game.bet(cash_out=2).exact_rtp * 3
    with pytest.raises(TypeError, match="has no option 'target'"):
        game.distribution("ideal", target=target)
    with pytest.raises(ValueError, match=r"cash_out must be at least 1\.01 with two decimals, got 1"):
        game.bet(cash_out=1)


def test_towers_are_climbed():
    """Laws of rows climbed, compared with every choice of mines or eggs in a row."""
    for game, rows, safe in [
        (pf.Tower(2), 10, Fraction(3, 5)),
        (stake.DragonTower(), 9, Fraction(3, 4)),
        (stake.DragonTower(4, 1), 9, Fraction(1, 4)),
        (stake.Moles(2), 9, Fraction(5, 7)),
    ]:
        law = game.distribution(rows=3, positions=1)
        assert dict(law) == {0: 1 - safe, 1: safe * (1 - safe), 2: safe**2 * (1 - safe), 3: safe**3}
        assert game.bet(7, rows=rows, law="ideal").exact_rtp == 7 * safe**rows
        chosen = [row % 2 for row in range(rows)]
        outcomes = game.simulate(100)
        climbed = []
        for outcome in outcomes.tolist():
            met = [(position in row) for position, row in zip(chosen, outcome, strict=True)]
            good = met if isinstance(game, stake.DragonTower) else [not one for one in met]
            climbed.append([*good, False].index(False))
        assert game.observe(outcomes, positions=chosen, rows=rows).tolist() == climbed


class Forked(pf.games.kinds.PegsGame):
    """A ball that never falls into the bucket in the middle."""

    rows, path = 2, False

    def outcome(self, draws):
        return 2 * draws.coin()


def test_payouts_of_buckets_may_be_of_some_that_are_never_reached():
    half = Fraction(1, 2)
    for payout in ([10, 20, 30], {0: 10, 1: 20, 2: 30}, lambda bucket: 10 * (bucket + 1)):
        assert dict(Forked().distribution(payout=payout)) == {10: half, 30: half}


class Leaning(pf.games.kinds.TowerGame):
    """Three rows, all of which one draw decides."""

    rows, positions, count = 3, 3, 1

    def outcome(self, draws):
        place = draws.below(3)
        return np.stack([place, place, (place + 1) % 3], axis=1)[:, :, np.newaxis]


class LeaningOneByOne(Leaning):
    vectorized = False

    def outcome(self, draws):
        place = draws.below(3)
        return [[place], [place], [(place + 1) % 3]]


@pytest.mark.parametrize("game", [Leaning(), LeaningOneByOne()])
def test_rows_of_a_tower_may_share_a_draw(game):
    third = Fraction(1, 3)
    assert dict(game.distribution(positions=0)) == {0: third, 2: third, 3: third}
    assert game.bet(2, rows=2, law="ideal").exact_rtp == 4 * third


def test_dice_of_operators_are_bet_strictly():
    for dice, most, half in (
        (liqd.Dice(), 9_999, 50),
        (primedice.OldDice(), 9_999, 50),
        (duel.Dice(), 10_000, 5000),
    ):
        assert dice.distribution(under=half).mean(exact=True) == Fraction(5000, most + 1)
        assert dice.distribution(over=half).mean(exact=True) == Fraction(most - 5000, most + 1)


def test_wheels_are_bet_on_sectors():
    assert stake.Roulette().bet(36, sectors=[7], law="ideal").exact_rtp == Fraction(36, 37)
    with pytest.raises(ValueError, match="sectors"):
        stake.Roulette().bet(36, sectors=[37])


# ---- hits ----


def test_bets_on_hits_have_a_law_a_test_and_an_audit(tmp_path):
    keno, pays = stake.Keno(), [0, 1, 5, 25]
    bet = keno.bet(payout=pays, hits={1, 2, 3})
    expected = sum(Fraction(comb(3, k) * comb(37, 10 - k), comb(40, 10)) * pay for k, pay in enumerate(pays))
    assert bet.exact_rtp == expected
    assert keno.bet(payout=pays, of=pf.hits({1, 2, 3})).law == bet.law
    fields = pf.games.rounds.simulated_rounds(keno, 2000).values()
    outcomes = keno.play(**fields)
    paid = np.array(pays)[np.isin(outcomes, [1, 2, 3]).sum(axis=1)]
    assert bet.simulate(2000).tolist() == paid.tolist()
    assert bet.test(paid) > 0.001
    log = {**fields, "outcome": outcomes, "stake": np.ones(2000), "payout": paid.astype(float)}
    assert pf.audit(log, keno, bet=bet).ok
    log["payout"][7] += 1
    (finding,) = pf.audit(log, keno, bet=bet).findings
    assert (finding.kind, finding.rows) == ("payout_mismatch", (7,))


@pytest.mark.parametrize(
    ("game", "holds", "doesnt"),
    [
        (pf.operators.stake.Mines(3), np.uint8, np.float16),
        (pf.operators.stake.Roulette(), np.int8, np.float16),
        (pf.operators.stake.Plinko(8), np.uint8, bool),
        (pf.operators.stake.DragonTower(), np.uint8, np.complex128),
        (pf.operators.stake.Keno(), np.uint8, np.float16),
        (pf.operators.stake.Flip(), np.uint8, bool),
        (pf.operators.stake.Dice(), np.float32, np.int64),
        (pf.operators.liqd.Mines(3), np.uint8, np.float16),
        (pf.operators.duel.Dice(), np.uint16, np.uint8),
        (pf.operators.duel.Beef(5), np.uint8, np.float16),
        (pf.operators.fpclub.Dice(), np.uint8, np.float16),
    ],
)
def test_small_types_hold_outcomes_whose_bounds_are_known(game, holds, doesnt):
    rounds = game.simulate(500, seed="small")
    small = game.simulate(500, seed="small", dtype=holds)
    assert small.dtype == holds
    assert np.array_equal(small.astype(rounds.dtype).round(2), rounds)
    out = np.empty(rounds.shape, dtype=holds)
    assert game.simulate(500, seed="small", out=out) is out
    assert np.array_equal(out, small)
    with pytest.raises(ValueError, match=r"^dtype must hold every outcome of .*, got"):
        game.simulate(500, dtype=doesnt)


def test_outcomes_beyond_the_bounds_of_a_kind_never_wrap():
    class Counted(pf.games.kinds.WheelGame):  # from 1, where the kind counts from 0
        sectors, vectorized = 256, False

        def outcome(self, draws):
            return draws.below(256) + 1

    assert Counted().simulate(5_000).max() == 256
    for wanted in {"dtype": np.uint8}, {"out": np.empty(5_000, np.uint8)}:
        with pytest.raises(ValueError, match=r"must return numbers 0 to 255, as the kind states, got 256$"):
            Counted().simulate(5_000, **wanted)


def test_outcomes_beyond_the_bounds_of_a_kind_are_never_rounded():
    class Far(pf.games.kinds.WheelGame):
        sectors, vectorized = 37, False

        def outcome(self, draws):
            return draws.below(1) + 2**24 + 1

    for wanted in {"dtype": np.float32}, {"out": np.empty(3, np.float32)}:
        with pytest.raises(
            ValueError, match=r"must return numbers 0 to 36, as the kind states, got 16777217$"
        ):
            Far().simulate(3, **wanted)
    with pytest.raises(ValueError, match="as the kind states, got 16777217"):
        Far().play("s", "c", "x", dtype=np.float32)
    assert Far().simulate(3, dtype=np.float64).tolist() == [2**24 + 1] * 3


def test_hits_need_nearly_uniform_draws():
    coarse = pf.Scheme(stake.SCHEME.hash, bits=16)
    with pytest.raises(ValueError, match='law="ideal" counts'):
        stake.Keno().with_scheme(coarse).bet(payout=[0, 2], hits=[1])
    assert stake.Keno().with_scheme(coarse).bet(payout=[0, 2], hits=[1], law="ideal").exact_rtp == Fraction(
        1, 2
    )


def test_the_command_reads_what_a_game_may_be_asked(tmp_path, capsys):
    typer = pytest.importorskip("typer.testing")
    from provably_fair.cli.commands import app

    keno = stake.Keno()
    fields = pf.games.rounds.simulated_rounds(keno, 50).values()
    outcomes = keno.play(**fields)
    hit = np.isin(outcomes, [1, 2, 3]).sum(axis=1)
    rows = [
        ",".join(["s" if name == "x" else str(fields[name]) for name in ("server_seed", "client_seed")])
        + f',{nonce},"{json.dumps(outcome)}",1,{[0, 1, 5, 25][hits]}'
        for nonce, outcome, hits in zip(
            fields["nonce"].tolist(), outcomes.tolist(), hit.tolist(), strict=True
        )
    ]
    path = tmp_path / "keno.csv"
    path.write_text(
        "\n".join(["server_seed,client_seed,nonce,outcome,stake,payout", *rows]), encoding="utf-8"
    )
    run = typer.CliRunner().invoke
    audit = ["audit", str(path), "--game", "stake.keno", "--bet"]
    assert run(app, [*audit, "payout=0,1,5,25,hits=1,2,3"]).exit_code == 0
    assert run(app, [*audit, "payout=0,1,5,26,hits=1,2,3"]).exit_code == (1 if (hit == 3).any() else 0)
    wrong = run(app, [*audit, "payut=2"])
    assert wrong.exit_code
    assert "did you mean payout? Its options are risk, hits, of" in str(wrong.exception or wrong.output)
    told = run(app, ["distribution", "stake.plinko:rows=4", "--of", "bucket=true", "--json"])
    assert json.loads(told.output)["outcomes"] == [0, 1, 2, 3, 4]


# ---- first guesses ----


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: pf.Mines(3).bet(2, cells=5),
            r"cells must be a collection, got 5: reveals=5, or cells=",
        ),
        (lambda: pf.Mines(3).distribution(cells=5), r"reveals=5, or cells=\[5\]\?"),
        (lambda: stake.Mines(3).observe([[1, 2, 3]], cells=np.int64(5)), "or cells="),
        (lambda: stake.Keno().bet([1, 2], hits=5), r"hits=\[5\]\?"),
        (
            lambda: pf.Dice().bet(undr=50),
            r"Dice has no option 'undr': did you mean under\? Its options are un",
        ),
        (lambda: pf.Dice().observe([1.0], ovr=50), r"did you mean over\?"),
        (lambda: stake.Mines().bet(reveal=5), r"did you mean reveals\?"),
        (lambda: stake.Keno().bet(picks=5), r"Keno has no option 'picks'\. Its options are risk, hits, of"),
        (lambda: pf.Dice().bet(payut=2), r"did you mean payout\?"),
        (lambda: pf.Slot().distribution(rel=2), r"did you mean reel\?"),
        (lambda: pf.Mines().bet(2, cells=[1], reveals=2), "cells isn't supported with reveals"),
        (
            lambda: pf.Crash().bet(),
            "payout must be given unless cash_out is: the return of a bet of 1, the stake included",
        ),
        (
            lambda: stake.Mines().bet(reveals=5),
            r"payout must be given: .*or one number, such as payout=1\.98",
        ),
        (lambda: pf.verify({}, stake.Mines), r"must be a game such as Mines\(\), got the class Mines$"),
        (
            lambda: pf.difference(pf.Dice, pf.Dice()),
            r"^a must be a game such as Dice\(\), got the class Dice$",
        ),
        (lambda: pf.fairness_report([1.0] * 20, pf.Dice), r"game such as Dice\(\), got the class Dice$"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_wrong_guess_is_told_what_may_be_asked(call, message):
    with pytest.raises(TypeError, match=message):
        call()


class Paying(pf.Game):
    def outcome(self, draws):
        return draws.below(6) + 1

    def pays(self, faces, *, least):
        return np.where(faces >= least, 2, 0)


def test_signatures_and_help_say_what_may_be_asked():
    assert list(inspect.signature(pf.Mines().bet).parameters) == ["payout", "law", "cells", "reveals", "of"]
    assert list(inspect.signature(stake.Mines().observe).parameters) == ["outcomes", "cells", "reveals", "of"]
    assert [*options_of_bet(Paying)] == ["of", "least"]
    assert "How many cells, instead of which" in (inspect.getdoc(pf.Mines().distribution) or "")
    with pytest.raises(TypeError, match=r"did you mean least\?"):
        Paying().bet(leest=3)
    assert Paying().bet(least=4, law="ideal").exact_rtp == 1


def test_a_payout_function_gets_many_values():
    seen = []

    def pays(sectors):
        seen.append(np.shape(sectors))
        return np.where(sectors == 0, 14, 0)

    assert pf.Double().bet(pays, law="ideal").exact_rtp == Fraction(14, 15)
    assert seen == [(15,), (1,), (1,), (15,)]  # then the first and the last one alone, and all as floats
    one = pf.Double().bet(lambda sector: 14 if sector == 0 else 0, law="ideal")
    assert one.exact_rtp == Fraction(14, 15)
    assert pf.Double().bet(lambda sectors: 1, law="ideal").exact_rtp == 1
    sums = stake.Flip(3).bet(lambda flips: flips.sum(axis=1), law="ideal")
    assert sums.exact_rtp == Fraction(3, 2)


def test_what_is_paid_itself_needs_no_payout():
    bet = stake.Flip(3).bet(of=lambda flips: flips.sum(axis=1) * 0.5, law="ideal")
    assert bet.exact_rtp == Fraction(3, 4)
    assert bet.simulate(50).tolist() == (stake.Flip(3).simulate(50).sum(axis=1) * 0.5).tolist()
    with pytest.raises(TypeError, match="payout must be given"):
        stake.Keno().bet(of=pf.hits({1}))
    with pytest.raises(TypeError, match="payout must be given"):
        pf.Dice().bet(of=lambda numbers: numbers < 50)
    assert pf.Dice().bet(2, of=lambda numbers: numbers < 50, law="ideal").exact_rtp == Fraction(
        10_000, 10_001
    )


@pytest.mark.parametrize(
    "game", [pf.Dice(), pf.Plinko(balls=2), stake.Keno(), pf.Mines().with_scheme(stake.SCHEME)], ids=repr
)
def test_a_tally_of_a_function(game):
    def first(outcomes):
        return outcomes.reshape(len(outcomes), -1)[:, 0]

    tally = game.tally(500, of=first, seed="t", start=3)
    values, counts = np.unique(first(game.simulate(500, seed="t", start=3)), return_counts=True)
    assert tally.outcomes.tolist() == values.tolist()
    assert tally.counts.tolist() == counts.tolist()
    with pytest.raises(ValueError, match="of must return a value for each of"):
        game.tally(10, of=lambda outcomes: outcomes[:5])


def test_tallies_of_a_function_take_parameters_by_round():
    pins = [8, 16] * 50
    tally = pf.Plinko().tally(100, of=lambda buckets: buckets[:, 0], pins=pins)
    assert tally.counts.sum() == 100
    values = pf.Plinko().simulate(100, pins=pins)[:, 0]
    assert tally.outcomes.tolist() == sorted(set(values.tolist()))


def test_chisquare_takes_outcomes():
    pytest.importorskip("scipy")
    law, outcomes = pf.Double().distribution(), pf.Double().simulate(5000)
    counted = law.chisquare(pf.Double().tally(5000))
    assert law.chisquare(outcomes) == counted
    with pytest.raises(ValueError, match="must be outcomes or integers of shape"):
        law.chisquare(outcomes.tolist())
    numbers = pf.Dice().simulate(10_001)  # as many as the law's outcomes, but decimals can't be counts
    assert pf.Dice().distribution().chisquare(numbers) == pf.Dice().distribution().chisquare(
        pf.Dice().tally(10_001)
    )
    paths = stake.Plinko(3).simulate(500)
    values, counts = np.unique(paths, axis=0, return_counts=True)
    by_path = dict(zip(map(tuple, values.tolist()), counts.tolist(), strict=True))
    law = stake.Plinko(3).distribution(bucket=False)
    assert law.chisquare(paths) == law.chisquare(by_path)
    few = pf.Distribution([0, 1, 2], [1, 1, 1])
    with pytest.raises(ValueError, match=r"counts can't be told from outcomes.*counts=\.\.\."):
        few.chisquare([2, 1, 2])
    assert few.chisquare(counts=[2, 1, 2]).statistic == few.chisquare({0: 2, 1: 1, 2: 2}).statistic
    with pytest.raises(ValueError, match="must be outcomes or integers of shape"):
        few.chisquare(np.array([0, 1, 2, 3]))
    with pytest.raises(TypeError, match="observed or counts must be given"):
        few.chisquare()


# ---- proportional stakes ----


def test_proportional_stakes_follow_the_bankroll():
    bet = pf.Dice().bet(under=50, payout=2.1)
    system = pf.bets.Proportional(0.07)
    paths = bet.paths(40, paths=5, bankroll=20, stake=system, seed="p")
    back = bet.simulate(200, seed="p").reshape(5, 40)
    for path, returned in zip(paths.values, back, strict=True):
        have = Fraction(20)
        for i, each in enumerate(returned.tolist()):
            placed = max(have * Fraction(7, 100) // Fraction(1, 100), 1) * Fraction(1, 100)
            if placed <= have:
                have += placed * (Fraction(str(each)) - 1)
            assert path[i + 1] == float(have)


def test_ruin_of_proportional_stakes_is_exact():
    coin, system = pf.Distribution([0, 2], [2, 1]), pf.bets.Proportional(1, unit=1)
    bet = pf.Double().bet({0: 3, 1: 3, 2: 3, 3: 3, 4: 3}, law="ideal")
    assert bet.ruin(5, rounds=3, system=system) == pytest.approx(1 - (1 / 3) ** 3)
    assert coin.mean(exact=True) == Fraction(2, 3)
    assert system.bet(Fraction(1, 2)) == 1
