"""Free spins that win further spins: moments by dynamic programming, checked by enumerating sequences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from provably_fair.bets import FreeSpins

scarab = pf.operators.stake.ScarabSpins()


def sequences(bet: FreeSpins) -> Iterator[tuple[Fraction, int, Fraction]]:
    """All sequences of spins, with probability, length and payout."""
    total = sum(bet.spin.values())

    def further(done: int, given: int, chance: Fraction, paid: Fraction) -> Iterator[Any]:
        if done == min(given, bet.most):
            yield chance, done, paid
            return
        for (pay, wins), weight in bet.spin.items():
            factor = Fraction(bet.times) if done else 1
            more = given + bet.won * wins
            yield from further(
                done + 1, more, chance * Fraction(weight, total), paid + Fraction(pay) * factor
            )

    return further(0, 1, Fraction(1), Fraction(0))


@pytest.mark.parametrize(
    ("spin", "won", "most", "times"),
    [
        ({(2, False): 1, (0, True): 1}, 1, 3, 1),
        ({(1, False): 5, (3, False): 1, (0, True): 2, (7, True): 1}, 2, 6, 3),
        ({(1, True): 1, (0, False): 3}, 4, 9, 2),
        ({(Fraction(1, 3), False): 2, (0, True): 1}, 3, 5, 1),
        ({(5, False): 1}, 15, 180, 1),
        ({(1, True): 1}, 2, 7, 1),
        ({(1, True): 1, (2, False): 2}, 0, 7, 1),
    ],
)
def test_moments_are_those_of_every_sequence(
    spin: Mapping[tuple[Any, bool], int], won: int, most: int, times: int
) -> None:
    bet = FreeSpins(spin, won, most, times)
    found = list(sequences(bet))
    mean = sum(chance * paid for chance, _, paid in found)
    assert bet.mean(exact=True) == mean
    assert bet.var(exact=True) == sum(chance * paid**2 for chance, _, paid in found) - mean**2
    assert bet.std() == pytest.approx(float(bet.var()) ** 0.5)
    for spins in range(1, most + 1):
        expected = sum(chance for chance, count, _ in found if count == spins)
        assert Fraction(bet.spins.weights[spins - 1], bet.spins.total) == expected


def test_scatters_of_scarab_spins() -> None:
    """Each reel has one scatter, visible at three of 30 or 41 stops; three or more win spins."""
    chances = [Fraction(3, 30)] * 4 + [Fraction(3, 41)]
    by_count = [Fraction(1)]
    for chance in chances:
        by_count = [
            (by_count[n] if n < len(by_count) else 0) * (1 - chance) + (by_count[n - 1] if n else 0) * chance
            for n in range(len(by_count) + 1)
        ]
    wins = sum(by_count[3:])
    spins = scarab.free_spins().spins
    weights = dict(zip(spins.outcomes.tolist(), spins.weights, strict=True))
    assert Fraction(weights[1], spins.total) == 1 - wins
    assert Fraction(weights[16], spins.total) == wins * (1 - wins) ** 15
    assert Fraction(weights[31], spins.total) == wins * 15 * wins * (1 - wins) ** 29
    assert {count for count, weight in weights.items() if weight} == {*range(1, 180, 15), 180}
    drawn = scarab.free_spins(law="as_drawn").spins
    assert drawn.mean() == pytest.approx(spins.mean(), rel=1e-7)


def test_whole_rounds_of_scarab_spins() -> None:
    seeds = "a1c0b94f9a5e5ab9c0f08f2982537bd8", "d99174a86f29ac19c0b512e04b99461b"
    assert scarab.all_spins(*seeds, 0).tolist() == [[11, 23, 24, 9, 15]]
    whole = scarab.all_spins(*seeds, nonce=22)
    assert whole.shape == (31, 5)  # the calculator shows free spins, which win further ones
    assert whole[:2].ravel().tolist() == [14, 20, 0, 24, 13, 10, 12, 21, 13, 34]
    scatters = (scarab.window(whole) == "*").sum(axis=(1, 2))
    assert scatters[0] == 3
    assert (scatters >= 3).sum() == 2
    longer = type(scarab)(spins=31)
    assert longer.play(*seeds, 22).tolist() == whole.ravel().tolist()


def test_simulations_of_free_spins_follow_their_law() -> None:
    """A visible scatter pays 1, or 3 in free spins, so windows differ by their scatters only."""

    def pay(windows: np.ndarray) -> np.ndarray:
        return (windows == "*").sum(axis=(-2, -1))

    bet = scarab.free_spins()
    one = Fraction(4 * 3, 30) + Fraction(3, 41)
    exact = one + 3 * one * (Fraction(bet.spins.mean(exact=True)) - 1)
    fields = pf.games.rounds.simulated_rounds(scarab, 60_000, "free").values()
    paid = np.zeros(60_000)
    for rows, stops in scarab._whole_rounds(fields, 60_000):
        seen = pay(scarab.window(stops))
        paid[rows] = seen[:, 0] + 3 * seen[:, 1:].sum(axis=1)
    assert abs(paid.mean() - exact) < 4 * paid.std() / 60_000**0.5
    assert bet.simulate(100).tolist() == [0.0] * 100


def test_wrong_stops_and_bets_are_refused() -> None:
    for wrong, kind in (([1, 2], ValueError), ([0, 0, 0, 0, 41], ValueError), ([0.5] * 5, TypeError)):
        with pytest.raises(kind, match=r"^stops must (be|have the shape)"):
            scarab.window(wrong)
    with pytest.raises(ValueError, match="play must be given"):
        FreeSpins({(1, False): 1}, 1, 1).simulate(1)
    with pytest.raises(ValueError, match="most must be"):
        FreeSpins({(1, False): 1}, 1, 0)
    for weight, kind in ((-1, ValueError), (0.5, TypeError), (0, ValueError)):
        with pytest.raises(kind, match=r"^spin must"):
            FreeSpins({(1, False): weight}, 1, 1)


def test_weights_may_be_short_integers() -> None:
    spin = {(2, False): np.int8(100), (0, True): np.int8(100)}
    assert FreeSpins(spin, won=1, most=3) == FreeSpins({(2, False): 100, (0, True): 100}, won=1, most=3)
    assert FreeSpins(spin, won=1, most=3).mean() == 1.75
