"""Salt grinding, and the commitments that show it."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest
from oracles import salted as reference
from provably_fair.auditing.grinding import estimate_grinding, grinding_chance

NONCES = pf.Scheme(
    pf.Hash("sha256", "{client_seed}:{nonce}:{cursor}", key="{server_seed}"),
    bits=32,
    commitment=pf.Hash("sha256", "{server_seed}"),
)
CHAIN = pf.Scheme(pf.Hash("sha256", "{salt}", key="{game_hash}"), bits=52, defaults={"salt": "public"})


class Keno(pf.Game):
    picks: int = 3

    def outcome(self, draws):
        return draws.sample(40, self.picks)


def by_oracle(game, log, row, **parameters):
    seeds = (log[name][row] for name in ("server_seed", "client_seed", "salt"))
    outcome = np.asarray(log["outcome"])[row].tolist()
    return reference.GAMES[game.name](*seeds, **parameters) == outcome


def test_exact_chances():
    assert grinding_chance("0.495", 1, exact=True) == Fraction(99, 200)
    assert grinding_chance(Fraction(99, 200), 2, exact=True) == Fraction(9801, 40000)
    assert [round(float(grinding_chance("0.495", k)) * 100, 1) for k in (1, 2, 4)] == [49.5, 24.5, 6.0]
    assert grinding_chance(0.5, 3, exact=True) == Fraction(1, 8)
    assert (grinding_chance(0, 5, exact=True), grinding_chance(1, 5, exact=True)) == (0, 1)
    # A float stands for its shortest decimal, as in all exact results.
    for chance in (0.495, np.float64(0.495), Decimal("0.495"), "99/200"):
        assert grinding_chance(chance, 2, exact=True) == Fraction(9801, 40000)
    for chance in ("a lot", 2, -0.1, float("nan"), None):
        with pytest.raises(ValueError, match=r"^chance must be"):
            grinding_chance(chance, 2)
    with pytest.raises(ValueError, match=r"^salts must be at least 1"):
        grinding_chance("0.5", 0)


def under(outcomes):
    """A bet on numbers below 49.50: 4950 of 10001 outcomes."""
    return outcomes < 49.5


@pytest.mark.parametrize("salts", [1, 2, 4])
def test_ground_rounds_all_verify_and_pay_less(salts):
    rounds = 40_000
    ground = estimate_grinding(pf.Dice(), under, salts, rounds, seed=5)
    chance = float(grinding_chance(Fraction(4950, 10001), salts))
    # Six standard errors; the seed is fixed.
    assert abs(ground.returned - chance) < 6 * (chance * (1 - chance) / rounds) ** 0.5
    log = ground.log
    np.testing.assert_array_equal(
        pf.Dice().play(log["server_seed"], log["client_seed"], log["salt"]), log["outcome"]
    )
    assert all(by_oracle(pf.Dice(), log, row) for row in range(500))
    np.testing.assert_array_equal(under(log["outcome"]), ground.payouts)


def test_commitments_catch_exactly_the_swapped_salts():
    ground = estimate_grinding(pf.Dice(), under, 2, 2000)
    caught = [
        not pf.check_commitment(salt, published)
        for salt, published in zip(ground.log["salt"], ground.commitments, strict=True)
    ]
    assert caught == ground.swapped.tolist()
    # A salt is swapped if the first one wins and the second one loses.
    assert abs(np.mean(caught) - 0.495 * 0.505) < 6 * (0.25 * 0.75 / 2000) ** 0.5
    honest = estimate_grinding(pf.Dice(), under, 1, 2000)
    assert not honest.swapped.any()
    assert honest.returned > 0.45


def test_server_seeds_are_ground_too():
    game = Keno().with_scheme(NONCES)
    ground = estimate_grinding(game, lambda outcomes: (outcomes == 7).any(axis=1) * 13.0, 3, 400)
    log = ground.log
    assert list(log) == ["server_seed", "client_seed", "nonce", "outcome"]
    assert log["nonce"].tolist() == list(range(400))
    assert pf.verify(log, game).ok
    candidates = pf.salts(1200).reshape(400, 3)
    for row in range(0, 400, 40):
        tried = [game.play(seed, log["client_seed"][row], row) for seed in candidates[row]]
        wins = [7 in outcome for outcome in tried]
        assert log["outcome"][row].tolist() == tried[wins.index(min(wins))].tolist()
    report = pf.verify({**log, "commitment": ground.commitments}, game)
    assert report.failed == ground.swapped.sum() > 0
    chained = estimate_grinding(pf.Crash().with_scheme(CHAIN), lambda crash: (crash >= 2) * 2.0, 2, 200)
    assert pf.verify(chained.log, pf.Crash().with_scheme(CHAIN)).ok


def test_grinding_works_for_every_form_of_outcome():
    ground = estimate_grinding(pf.Mines(mines=3), lambda mines: (mines != 12).all(axis=1) * 1.1, 3, 500)
    assert ground.log["outcome"].shape == (500, 3)
    shared = estimate_grinding(pf.Crash(), lambda multiplier: (multiplier >= 2) * 2.0, 2, 500)
    assert shared.log["server_seed"][0] == reference.BLOCK_HASHES[540000]
    with pytest.raises(ValueError, match=r"^payout must give 20 numbers"):
        estimate_grinding(pf.Dice(), lambda outcomes: outcomes[:3], 2, 10)
    for bad in (np.nan, np.inf, -np.inf):
        with pytest.raises(ValueError, match=r"^payout must be finite, got"):
            estimate_grinding(pf.Dice(), lambda outcomes, bad=bad: np.where(outcomes < 50, bad, 1.0), 2, 5)
    with pytest.raises(TypeError, match=r"^game must be a game"):
        estimate_grinding(pf.Dice, under, 2, 10)
