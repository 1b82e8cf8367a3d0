"""P-values of audits are never too small, shown by enumerating all outcomes."""

from __future__ import annotations

import itertools
import math
import pickle
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest
from provably_fair._core.numbers import exact_sums
from provably_fair.auditing.evidence import Against, StakeClasses, drawn_pvalue, fit, groups_of, sum_pvalue
from provably_fair.auditing.rounding import PlayersRounding, Ways
from provably_fair.auditing.sums import Groups, How, RowNumbers, exact_sum


def holds(pvalues: list[tuple[float, Fraction]]) -> None:
    """Whether P(p-value <= level) <= level at every level."""
    assert sum(weight for _, weight in pvalues) == 1
    ordered = sorted(pvalues)
    reached = Fraction(0)
    for (pvalue, weight), (following, _) in zip(ordered, [*ordered[1:], (2.0, 0)], strict=True):
        reached += weight
        if following > pvalue:
            assert reached <= Fraction(pvalue) * Fraction(1 + 1e-9) or pvalue >= 1


@pytest.mark.parametrize("weights", [[1, 1], [1, 2, 1], [3, 1, 1, 3], [1, 9, 0, 2]])
@pytest.mark.parametrize("rounds", [1, 4, 9])
def test_fit_holds(weights: list[int], rounds: int) -> None:
    total, found = sum(weights), []
    for counts in itertools.product(range(rounds + 1), repeat=len(weights)):
        if sum(counts) == rounds:
            ways = math.factorial(rounds)
            weight = Fraction(1)
            for count, one in zip(counts, weights, strict=True):
                ways //= math.factorial(count)
                weight *= Fraction(one, total) ** count
            found.append((fit(np.array(counts), weights), ways * weight))
    holds(found)


def test_fit_finds_what_differs() -> None:
    law = pf.Plinko(pins=8).distribution()
    fair = np.array(law.weights) * 1000
    assert fit(fair, list(law.weights)) == 1
    for moved in range(8):
        # A shift of eight standard deviations from one bucket to the next.
        other, many = fair.copy(), round(8 * math.sqrt(max(fair[moved], fair[moved + 1])))
        other[moved], other[moved + 1] = other[moved] + many, other[moved + 1] - many
        assert fit(other, list(law.weights)) < 1e-8


def test_groups_have_about_the_same_weight() -> None:
    law = pf.Crash().distribution()
    begins = groups_of(law)
    shares = np.add.reduceat(law.probabilities, begins)
    # Outcomes more likely than their group are the only ones to weigh more.
    assert len(begins) <= 64
    assert np.median(shares) < 2 / 64
    assert abs(shares.sum() - 1) < 1e-12


@pytest.mark.parametrize(
    "law", [pf.Distribution([0, 2], [1, 1]), pf.Distribution([0, 1, 5], [6, 3, 1])], ids=["coin", "three"]
)
def test_evidence_holds_whenever_a_player_stops(law: pf.Distribution) -> None:
    """Every history of ten bets, stopped where its p-value is smallest."""
    against = Against(law)
    amounts = law.outcomes.tolist()
    depth = 10 if len(amounts) == 2 else 7
    table = [
        [
            [float(one[0]) for one in against.pvalues(np.array([bets]), np.array([back]))]
            for back in range(max(amounts) * bets + 1)
        ]
        for bets in range(depth + 1)
    ]
    for side in 0, 1:
        found = []
        for history in itertools.product(range(len(amounts)), repeat=depth):
            sums = np.cumsum([amounts[place] for place in history]).tolist()
            least = min(table[bets + 1][back][side] for bets, back in enumerate(sums))
            weight = math.prod(Fraction(law.weights[place], law.total) for place in history)
            found.append((least, weight))
        holds(found)


@pytest.mark.parametrize("factor", [2.0, 1e7])
def test_evidence_holds_for_players_who_double_after_losses(factor: float) -> None:
    law = pf.Distribution([0, 2], [1, 1])
    against = Against(law)
    found: dict[float, Fraction] = {}
    for history in itertools.product([0, 2], repeat=9):
        stakes = [1.0]
        for back in history[:-1]:
            stakes.append(1.0 if back else factor * stakes[-1])
        classes = np.unique(np.frexp(stakes)[1])
        rows = [[stake for stake in stakes if np.frexp(stake)[1] == one] for one in classes]
        off = math.fsum(stake * (back - 1) for stake, back in zip(stakes, history, strict=True))
        columns = [np.array([f(row) for row in rows], float) for f in (len, min, max, sum)]
        doubled = int(math.log2(max(stakes)))
        low, _ = against.staked_pvalues(StakeClasses(*columns), off, 2.0**doubled, doubled)
        found[low] = found.get(low, Fraction(0)) + Fraction(1, 2**9)
    holds(list(found.items()))


def test_stakes_of_a_class_cost_at_least_what_each_would() -> None:
    law = pf.Plinko(pins=8).distribution(payout=[5.6, 2.1, 1.1, 1, 0.5, 1, 1.1, 2.1, 5.6])
    against = Against(law)
    stakes = np.random.default_rng(1).integers(64, 128, 500) / 100
    one = [np.array([value]) for value in (500.0, stakes.min(), stakes.max(), stakes.sum())]
    each = [np.ones(500), stakes, stakes, stakes]
    for off in (-80.0, 80.0):
        together = against.staked_pvalues(StakeClasses(*one), off, 1.0)
        apart = against.staked_pvalues(StakeClasses(*each), off, 1.0)
        assert all(a >= b for a, b in zip(together, apart, strict=True))
        assert min(together) < 5 * min(apart) < 0.05  # and hardly larger


@pytest.mark.parametrize(("drawn", "marked", "total"), [(5, 6, 12), (12, 12, 25), (1, 3, 4), (9, 2, 10)])
def test_rows_that_are_drawn_hold(drawn: int, marked: int, total: int) -> None:
    hits = range(max(0, drawn + marked - total), min(drawn, marked) + 1)
    ways = [math.comb(marked, hit) * math.comb(total - marked, drawn - hit) for hit in hits]
    found = [drawn_pvalue(hit, drawn, marked, total) for hit in hits]
    holds([(p, Fraction(way, math.comb(total, drawn))) for p, way in zip(found, ways, strict=True)])


def rarely(pvalues: list[float], level: float = 0.05) -> None:
    """Whether p-values reach a level no more often than they may, within three standard errors."""
    spread = math.sqrt(level * (1 - level) / len(pvalues))
    assert np.mean(np.array(pvalues) <= level) <= level + 3 * spread


def test_players_whose_payouts_are_rounded_by_chance_are_alike() -> None:
    """A coin decides which payouts are rounded up, whatever the player's only stake is."""
    rng, found = np.random.default_rng(13), []
    digits = 2
    for _ in range(1000):
        count = int(rng.integers(30, 300))
        who = rng.integers(0, rng.integers(2, 8), count)
        players = np.stack([who + 1, who], axis=1).astype(np.uint64)
        above, up = who % 2 == 0, rng.random(count) < rng.choice([0.5, 0.1])
        ways = Ways(np.full(count, digits), np.where(above == up, digits, digits - 1), up)
        rounding = PlayersRounding()
        rounding.add(players, ways, np.full(count, 0.01), np.arange(count))
        unlike = rounding.test(digits)
        found.append(1.0 if unlike is None else unlike.pvalue)
    rarely(found)
    rarely(found, 0.01)
    assert np.mean(np.array(found) < 0.5) > 0.05  # the test has power


def test_sum_is_the_exact_tail() -> None:
    law = pf.Distribution([0, 1, 5], [6, 3, 1])
    exact = law.sum(30)
    for returned in 0, 10, 24, 60:
        low = sum_pvalue(law, 30, Fraction(returned), "less")
        assert low == pytest.approx(float(exact.cdf(returned)), rel=1e-9)
        high = sum_pvalue(law, 30, Fraction(returned), "greater")
        assert high == pytest.approx(float(exact.sf(returned - 1)), rel=1e-9)


def test_sums_are_exact() -> None:
    rng = np.random.default_rng(0)
    keys, values = rng.integers(0, 40, 5000), rng.integers(-(2**61), 2**61, 5000)
    expected = [sum(values[keys == key].tolist()) for key in range(40)]
    assert exact_sums(keys, values, 40) == expected
    assert exact_sum(values) == sum(expected)


@pytest.mark.parametrize("most", [None, 30, 1])
@pytest.mark.parametrize("size", [1, 7, 100, 1000])
def test_groups_are_those_of_a_table(most: int | None, size: int) -> None:
    """Rows wait for others; those of keys that are dropped meanwhile must not change what is kept."""
    rng = np.random.default_rng(size)
    keys, values = rng.integers(0, 400, 1000), rng.integers(-9, 9, 1000)
    table: dict[int, list[tuple[int, int]]] = {}
    for row, (key, value) in enumerate(zip(keys.tolist(), values.tolist(), strict=True)):
        table.setdefault(key, []).append((row, value))
    kept = sorted(table)[:most]
    expected = {
        "sum": [sum(value for _, value in table[key]) for key in kept],
        "least": [min(value for _, value in table[key]) for key in kept],
        "same": [-5] * len(kept),
        "ones": [len(table[key]) for key in kept],
        "other": [max(row // size % 2 for row, _ in table[key]) for key in kept],
        "last": [table[key][-1][0] for key in kept],
    }
    how: dict[str, How] = {"sum": "sum", "least": "min", "same": "max", "ones": "sum", "other": "max"}
    whole, merged = Groups(how | {"last": "last"}, most), Groups(how | {"last": "last"}, most)
    for start in range(0, 1000, size):
        part = slice(start, start + size)
        rows = np.arange(1000)[part]
        same, one, other = (
            np.broadcast_to(np.int64(value), len(rows)) for value in (-5, 1, start // size % 2)
        )
        columns = {"sum": values[part], "least": values[part], "same": same, "ones": one, "other": other}
        whole.add(keys[part], **columns, last=rows)
        later = Groups(how | {"last": "last"}, most)
        later.add(keys[part], **columns, last=rows - start)
        merged.merge(pickle.loads(pickle.dumps(later)), start)
    for found in whole, merged, pickle.loads(pickle.dumps(whole)):
        assert found.left_out == (len(kept) < len(table))
        assert found.keys.tolist() == kept
        assert {name: column.tolist() for name, column in found.columns.items()} == expected


def test_numbers_of_rows_dont_depend_on_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RowNumbers, "MOST", 700)
    rng = np.random.default_rng(1)
    places, numbers = np.flatnonzero(rng.random(1000) < 0.8), rng.integers(0, 200, (1000, 3)).astype(np.uint8)
    expected = np.full((int(places[places < 700][-1]) + 1, 3), RowNumbers.NONE)
    expected[places[places < 700]] = numbers[places[places < 700]]
    for size in 1, 7, 333, 1000:
        whole, merged = RowNumbers(), RowNumbers()
        for start in range(0, 1000, size):
            some = places[(places >= start) & (places < start + size)]
            whole.put(some, numbers[some])
            part = RowNumbers()
            part.put(some - start, numbers[some])
            merged.merge(pickle.loads(pickle.dumps(part)), start)
        assert (whole.values == expected).all()
        assert (merged.values[: len(expected)] == expected).all()
        assert (merged.values[len(expected) :] == RowNumbers.NONE).all()
