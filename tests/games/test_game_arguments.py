"""Arguments of games: hundredths, counts and cells, arrays, parameters by round, and Jackpots of any size."""

from __future__ import annotations

import math
import random
from decimal import Decimal
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest
from oracles.salted import below, counts, number
from provably_fair._core.numbers import hundredth, hundredths
from provably_fair.games import drawn_moments as _drawn_moments, engine_laws as _engine_laws

# ---- a hundredth is a hundredth ----


@pytest.mark.parametrize(
    ("value", "cents"),
    [
        (0.1 + 0.2, 30),
        (1.1 * 3, 330),
        (np.float32(0.1), 10),
        (np.float16(1.5), 150),
        (np.float64(2.0), 200),
        (np.int8(2), 200),
        (np.array(2.3), 230),
        (Decimal("1.01"), 101),
        (Fraction(101, 100), 101),
        (1.01 + 9e-10, 101),
        (1e6 * 1.1, 110_000_000),
        (950_000.0000009, 95_000_000),
        (10**30, 10**32),
    ],
)
def test_what_is_a_hundredth(value, cents):
    assert hundredth("stake", value) == cents
    if cents < 2**62 and not isinstance(value, np.ndarray):
        found = hundredths("stake", [value, 7])
        assert found.tolist() == [cents, 700]
        assert found.dtype == np.int64


@pytest.mark.parametrize(
    ("value", "error"),
    [
        (1.005, ValueError),
        (1.01 + 2e-9, ValueError),
        (Fraction(1, 3), ValueError),
        (np.float32(0.125), ValueError),
        (math.nan, ValueError),
        (math.inf, ValueError),
        (True, TypeError),
        ("1.00", TypeError),
        (None, TypeError),
        (1j, TypeError),
    ],
)
def test_what_is_no_hundredth(value, error):
    with pytest.raises(error, match=r"^stake must be "):
        hundredth("stake", value)
    with pytest.raises(error, match=r"^stake\[1\] must be "):
        hundredths("stake", [Fraction(1), value])


def test_amounts_of_games_are_hundredths():
    dice = pf.Dice()
    assert dice.distribution(under=0.1 + 0.2) == dice.distribution(under=0.3)
    assert dice.distribution(under=0.3).mean(exact=True) == Fraction(30, 10_001)
    assert dice.observe([0.29, 0.3], under=0.1 + 0.2).tolist() == [1, 0]
    assert dice.observe([0.3, 0.31], over=0.1 + 0.2).tolist() == [0, 1]
    for bad in (49.505, -0.01, 100.01, [1, 2]):
        with pytest.raises((ValueError, TypeError), match=r"^under must be"):
            dice.distribution(under=bad)
        with pytest.raises((ValueError, TypeError), match=r"^over must be"):
            dice.observe([1.0], over=bad)
    for game in pf.Crash(), pf.Overgo():
        assert game.distribution(cash_out=1.1 * 3) == game.distribution(cash_out=3.3)
        assert game.observe([3.29, 3.3], cash_out=1.1 * 3).tolist() == [0, 3.3]
        outs = game.cash_outs()
        assert outs.survival(1.1 * 3) == outs.survival(3.3)
        assert outs.rtps(1.1, 1.1 * 3)[0][[0, -1]].tolist() == [1.1, 3.3]
        with pytest.raises(ValueError, match=r"^cash_out must be at least 1.01 with two decimals, got 1.005"):
            outs.survival(1.005)


def test_cash_outs_take_arrays():
    outs = pf.Crash().cash_outs()
    steps = np.arange(1.1, 2, 0.1)
    for call in outs.survival, outs.rtp:
        found, exact = call(steps), call(steps, exact=True)
        assert found.shape == exact.shape == (9,)
        assert found.dtype == np.float64
        for i, cents in enumerate(range(110, 200, 10)):
            assert exact[i] == call(Fraction(cents, 100), exact=True)
            assert found[i] == float(exact[i]) == call(cents / 100)
        assert call([[2, 3], [4, 5]]).shape == (2, 2)
        assert call([]).shape == (0,)
        assert isinstance(call(2), float)
        with pytest.raises(ValueError, match=r"^cash_out\[2\] must be at least 1.01"):
            call([2.0, 3.0, 1.0])
    assert outs.survival([2.0, 1e9]).tolist() == [outs.survival(2), 0]
    assert outs.survival(10**30) == 0
    assert isinstance(outs.atom, float)
    assert outs.atom == float(outs.exact_atom)
    assert outs.exact_atom == 1 - outs.survival(1.01, exact=True)


def test_cash_outs_are_of_rounds_as_drawn():
    for game in pf.Crash(), pf.Overgo():
        outs = game.cash_outs()
        assert outs.law == pf.games.CashOuts(game).law == "as_drawn"
        assert outs == game.cash_outs("as_drawn") != game.cash_outs("ideal")
        assert outs.distribution == game.distribution("as_drawn")
        assert outs.survival(2, exact=True).denominator.bit_count() == 1  # of 2**64 words
        lowest, highest = outs.extremes()
        assert isinstance(lowest[1], float)
        assert (lowest[1], highest[1]) == tuple(float(rtp) for _, rtp in outs.extremes(exact=True))


def test_laws_are_worked_out_once(monkeypatch):
    worked_out = []
    once = _engine_laws.compute_law

    def noted(game, drawn, **subject):
        worked_out.append(game)
        return once(game, drawn, **subject)

    monkeypatch.setattr(_engine_laws, "engine_law", _engine_laws.lru_cache(maxsize=128)(noted))
    for cash_out in (1.5, 2, 3):
        pf.Crash().distribution("as_drawn", cash_out=cash_out)
    pf.Crash().cash_outs()
    assert worked_out == [pf.Crash()]


# ---- Mines: how many, and which ----


def test_counts_and_cells_have_two_names():
    game = pf.Mines(mines=3)
    for law in "ideal", "as_drawn":
        by_count = game.survival(range(26), law, exact=True)
        assert by_count.shape == (26,)
        for count in range(26):
            cells = list(range(count))
            assert by_count[count] == game.survival(count, law, exact=True)
            assert by_count[count] == game.survival(cells=cells, law=law, exact=True)
            assert game.distribution(law, reveals=count) == game.distribution(law, cells=cells)
    exact = game.survival(reveals=range(26), exact=True)
    np.testing.assert_array_equal(game.survival(range(26)), [float(chance) for chance in exact])
    assert game.survival([[1, 2], [3, 4]]).shape == (2, 2)
    assert game.survival([2, 2]).tolist() == [0.77, 0.77]
    assert game.survival([]).shape == (0,)
    # With given cells the law as drawn depends on which cells they are, and the result is a single number.
    assert game.survival(cells=[24, 23], law="as_drawn", exact=True) != game.survival(
        2, "as_drawn", exact=True
    )
    assert game.survival(cells=[24], exact=True) == Fraction(22, 25)
    rounds = game.simulate(1000)
    assert game.observe(rounds, reveals=5).tolist() == game.observe(rounds, cells=range(5)).tolist()
    assert game.observe(rounds, reveals=5).tolist() == (rounds < 5).sum(axis=1).tolist()


def test_multipliers_of_counts_and_cells():
    game = pf.Mines(mines=3)
    fair = game.fair_multiplier([1, 5], exact=True)
    assert fair.tolist() == [Fraction(25, 22), Fraction(115, 57)]
    assert game.fair_multiplier([1, 5]).tolist() == [25 / 22, 115 / 57]
    assert game.fair_multiplier(5) == 115 / 57
    assert game.fair_multiplier(cells=[7, 8, 9, 3, 2], exact=True) == Fraction(115, 57)
    for arguments, name in (({"reveals": [1, 23]}, "reveals"), ({"cells": range(23)}, "cells")):
        with pytest.raises(ValueError, match=rf"^{name} must leave a chance to survive"):
            game.fair_multiplier(**arguments)


@pytest.mark.parametrize("method", ["distribution", "survival", "fair_multiplier"])
def test_counts_or_cells(method):
    call = getattr(pf.Mines(), method)
    for wrong in ({}, {"cells": [1], "reveals": 1}):
        with pytest.raises(TypeError, match=r"^cells .*(given|reveals)"):
            call(**wrong)
    for wrong in ({"reveals": 26}, {"reveals": -1}, {"cells": [25]}, {"cells": [1, 1]}):
        (name,) = wrong
        with pytest.raises(ValueError, match=rf"^{name} must be"):
            call(**wrong)
    with pytest.raises(TypeError, match=r"^reveals must be"):
        call(reveals=2.5)


@pytest.mark.parametrize("game", [pf.Mines(), pf.Tower(), pf.operators.stake.Keno()], ids=repr)
def test_errors_name_the_question_that_was_asked(game):
    for ask in (lambda: game.distribution(of="first"), lambda: game.bet(2, of="first")):
        with pytest.raises(TypeError, match=r"^of must be a function of outcomes, got str"):
            ask()
    for wrong in ([1, 1], [-1], [40]):  # numbers are 0 to 39
        with pytest.raises(ValueError, match=r"^hits must be"):
            pf.operators.stake.Keno().bet([0, 2], hits=wrong)


# ---- Jackpots of any size ----


@pytest.mark.parametrize("tickets", [1, 2, 3, 7, 54, 1000])
def test_moments_of_tickets_against_the_oracle(tickets):
    weights = counts(tickets)
    mean = Fraction(sum(t * w for t, w in enumerate(weights, 1)), 2**64)
    square = Fraction(sum(t * t * w for t, w in enumerate(weights, 1)), 2**64)
    law = pf.Jackpot(tickets=tickets).distribution("as_drawn")
    assert law.mean(exact=True) == mean
    assert law.var(exact=True) == square - mean**2


@pytest.mark.parametrize("tickets", [4097, 65_536, 100_003, 2**18 + 1])
def test_moments_of_tickets_against_the_list(tickets):
    law = pf.Jackpot(tickets=tickets).distribution("as_drawn")
    mean = Fraction(sum(t * w for t, w in enumerate(law.weights, 1)), 2**64)
    square = Fraction(sum(t * t * w for t, w in enumerate(law.weights, 1)), 2**64)
    assert (law.mean(exact=True), law.var(exact=True)) == (mean, square - mean**2)


@pytest.mark.parametrize("tickets", [2**40 + 1, 10**15 + 37, 2**52, 2**52 + 1, 2**53 - 1, 2**53])
def test_the_runs_behind_the_moments(tickets):
    """Every k is in one run, and the bounds of the runs are the first words that give k."""
    rng = random.Random(tickets)
    known = []
    for run in _drawn_moments._runs(tickets):
        last = run.first + run.step * (run.count - 1)
        known.append((run.first, last, run.step, run.count))
        for i in {0, run.count - 1, *(rng.randrange(run.count) for _ in range(5))}:
            m = -(-(run.slope * i + run.offset) // run.divisor)
            bound = run.unit * m - run.half + run.odd * (m % 2)
            k = run.first + run.step * i
            assert below(number(bound - 1), tickets) == k - 1
            assert below(number(bound), tickets) == k
    assert sum(count for *_, count in known) == tickets - 1
    assert min(first for first, *_ in known) == 1
    assert max(last for _, last, *_ in known) == tickets - 1
    # Runs overlap only where one has the odd numbers and the other the even ones.
    for one, other in zip(sorted(known), sorted(known)[1:], strict=False):
        assert one[1] < other[0] or (one[2] == other[2] == 2 and (one[0] - other[0]) % 2)


def test_sums_of_floors():
    rng = random.Random(5)
    for _ in range(500):
        n, a, b, c = rng.randrange(30), rng.randrange(50), rng.randrange(50), rng.randrange(1, 40)
        floors = [(a * i + b) // c for i in range(n)]
        expected = sum(floors), sum(i * floor for i, floor in enumerate(floors))
        assert _drawn_moments._floor_sums(n, a, b, c) == expected


# ---- tickets by round ----


def test_tallies_of_tickets_by_round():
    rng = np.random.default_rng(3)
    tickets = rng.integers(1, 50, 4000)
    game = pf.Jackpot()
    tally = game.tally(4000, seed="raffle", start=7, tickets=tickets)
    outcomes = game.simulate(4000, seed="raffle", start=7, tickets=tickets)
    assert tally.outcomes.tolist() == list(range(1, int(tickets.max()) + 1))
    assert tally.counts.tolist() == np.bincount(outcomes, minlength=tickets.max() + 1)[1:].tolist()
    assert (tally.rounds, tally.binned) == (4000, False)
    binned = game.tally(4000, seed="raffle", start=7, tickets=tickets.tolist(), bins=[1, 10, 30])
    assert binned.counts.tolist() == np.histogram(outcomes, [1, 10, 30])[0].tolist()
    assert binned.binned
    pins = rng.integers(8, 17, 500)
    balls = pf.Plinko(balls=3).tally(500, pins=pins)
    buckets = pf.Plinko(balls=3).simulate(500, pins=pins)
    assert balls.counts.tolist() == np.bincount(buckets.ravel(), minlength=17).tolist()
    assert int(balls.counts.sum()) == 1500


def test_mistakes_in_tickets_by_round():
    game = pf.Jackpot()
    with pytest.raises(ValueError, match="tickets"):
        game.tally(3, tickets=[1, 2])
    with pytest.raises(ValueError, match=r"tickets\[1\]|tickets"):
        game.tally(3, tickets=[1, 0, 5])
    with pytest.raises(ValueError, match="bins"):
        game.tally(2, tickets=[2**53, 5])
    assert game.tally(0, tickets=[]).rounds == 0
    assert game.tally(3, tickets=[5, 5, 5]) == game.tally(3, tickets=5)
    done = []
    game.tally(1000, tickets=[9] * 1000, progress=lambda now, all_: done.append((now, all_)))
    assert done[-1] == (1000, 1000)


def test_generators_of_other_libraries_are_told_the_way():
    rng = np.random.default_rng(1)
    for call in (pf.Dice().simulate, pf.Dice().tally):
        for name in ("rng", "random_state"):
            with pytest.raises(TypeError, match=rf"no parameter '{name}'.*another seed= gives"):
                call(5, **{name: rng})
    with pytest.raises(TypeError, match=r"no parameter 'pin'.*: did you mean 'pins'\?$"):
        pf.Plinko().simulate(5, pin=8)
    with pytest.raises(TypeError, match=r"no parameter 'width'.*: pins may$"):
        pf.Plinko().simulate(5, width=8)


MASK = [False, True, False, True]


@pytest.mark.parametrize(
    ("nonce", "refused"),
    [
        (np.ma.array([0, 1, 2, 3], mask=MASK), r"nonce\[1\] must have a value"),
        (np.ma.array([0, 1, 2, 3], mask=MASK, dtype="u1"), r"nonce\[1\] must have a value"),
        (np.ma.array([0, 1, 2, 3], mask=MASK, dtype=object), r"nonce\[1\] must have a value"),
        (np.ma.array([0.0, 1, 2, 3], mask=MASK), r"nonce\[1\] must have a value"),
        (np.ma.array([[0, 1], [2, 3]], mask=[MASK[:2], MASK[2:]]), r"nonce\[0\] must have a value"),
        (np.ma.array(1, mask=True), "nonce must have a value"),
        (np.ma.masked, "nonce must have a value"),
        ([0, np.ma.masked], r"nonce\[1\] must be a whole number"),
    ],
)
def test_masked_nonces_are_refused_as_such(nonce, refused):
    with pytest.raises((TypeError, ValueError), match=f"^{refused}, got a masked element$") as error:
        pf.operators.stake.Dice().play("server", "client", nonce)
    assert error.value.argument == "nonce"


def test_masked_texts_of_a_grid_are_refused():
    seeds = np.ma.array([["a", "b"], ["c", "d"]], mask=[MASK[:2], MASK[2:]])
    with pytest.raises(ValueError, match=r"^client_seed\[0\] must have a value, got a masked element$"):
        pf.operators.stake.Dice().play("server", seeds, 0)


def test_arrays_without_masked_elements_are_taken():
    game = pf.operators.stake.Dice()
    plain = np.arange(4).reshape(2, 2)
    for nonce in plain, plain[0], plain[0, 0], plain[0].astype(object), plain[0].astype(">u2"):
        for masked in np.ma.array(nonce), np.ma.array(nonce, mask=np.zeros(np.shape(nonce), bool)):
            np.testing.assert_array_equal(game.play("s", "c", masked), game.play("s", "c", nonce))
