"""The claims of notebook 03 on three games and their paytables, counted by hand."""

from __future__ import annotations

import math


def test_rounds_are_those_worked_out_by_hand(ran):
    rows = "2143 4230 2104 1320 4210 3104 0342 2341 2310 1043"
    drawn = ran["drawn"]
    assert " ".join("".join(map(str, row)) for row in drawn[4]) == rows
    assert all((tower == drawn[4][:, :mines]).all() for mines, tower in drawn.items())
    assert ran["stops"].tolist() == [14, 10, 21, 20, 39]
    assert [ran[name].outcome.tolist() for name in ("small", "large")] == [[5], [8]]


def test_tower_returns_99_percent_in_every_row(ran, notebook):
    table = ran["tower_pays"]
    for row, reached in enumerate(ran["reached"], 1):
        assert math.isclose(reached, 0.8**row, rel_tol=1e-12)
    assert table["return"].between(0.985, 0.995).all()
    assert (table["pays"][0], table["pays"][9]) == (1.24, 9.22)
    assert "**Answer: 1.24 for one row up to 9.22 for all ten" in notebook.text


def test_slot_returns_what_its_symbols_pay(ran):
    bet, pays = ran["slot_bet"], ran["pays"]
    assert math.isclose(bet.rtp, sum(pays.values()) * (5 / 30) ** 3)
    assert abs(ran["paid"].mean() - bet.rtp) < 3 * ran["error"]
    assert 0.45 < pays["777"] / sum(pays.values()) < 0.5
    assert math.isclose(bet.hit_frequency, 6 / 216)


def test_plinko_returns_the_shares_of_its_buckets(ran):
    share = ran["share"]["return"]
    by_hand = sum(math.comb(16, bucket) * pays for bucket, pays in ran["table"].items()) / 2**16
    assert math.isclose(ran["plinko_return"], by_hand)
    assert math.isclose(share.sum(), by_hand)
    assert round(share[0] + share[16], 4) == 0.0034
    assert sorted(share.nlargest(2).index) == [6, 10]


def test_the_edges_of_plinko_carry_the_variance(ran, notebook):
    table, mean = ran["table"], ran["plinko_return"]
    part = {bucket: math.comb(16, bucket) * (pays - mean) ** 2 for bucket, pays in table.items()}
    edges = sum(part[bucket] for bucket in (0, 1, 15, 16))
    assert [table[bucket] for bucket in (0, 1, 15, 16)] == [110, 41, 41, 110]
    assert f"{100 * edges / sum(part.values()):.0f} % of it" in notebook.text
    assert f"one ball in {2**16 / (2 * (1 + 16)):,.0f}" in notebook.text


def test_they_vary_by_half_a_bet_to_eight(ran, notebook):
    bets = ran["bets"].values()
    assert [round(bet.std, 1) for bet in bets] == [0.5, 2.9, 8.0, 1.5]
    assert "by half a bet, 1.5, 2.9 and 8 bets" in notebook.text
    assert max(bet.rtp for bet in bets) - min(bet.rtp for bet in bets) < 0.0034
    assert [round(1 / bet.hit_frequency, 2) for bet in bets] == [1.25, 9.31, 36.0, 1.0]


def test_the_cell_to_copy_has_the_same_plinko(copied, ran):
    assert math.isclose(copied["bet"].rtp, ran["plinko_return"])
