"""Jackpot: dtypes that hold every ticket, and tallies in bins."""

from __future__ import annotations

import numpy as np
import provably_fair as pf
import pytest
from comparing import same


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.int32, np.uint32])
def test_dtype_must_hold_every_ticket(dtype):
    most = int(np.iinfo(dtype).max)
    game = pf.Jackpot(tickets=most)
    same(game.simulate(20, dtype=dtype), game.simulate(20).astype(dtype))
    with pytest.raises(ValueError, match=r"\bdtype\b"):
        pf.Jackpot(tickets=most + 1).simulate(20, dtype=dtype)


def test_per_round_tickets_and_dtype():
    with pytest.raises(ValueError, match=r"\bdtype\b"):
        pf.Jackpot(tickets=10).play(salt=["x", "y"], tickets=[100, 200], dtype=np.int8)
    found = pf.Jackpot(tickets=1000).play(salt=["x", "y"], tickets=[100, 127], dtype=np.int8)
    same(found, pf.Jackpot().play(salt=["x", "y"], tickets=[100, 127]).astype(np.int8))


@pytest.mark.parametrize("order", ["=", ">"])
def test_out_beside_what_varies(order):
    both = np.full(300, 10)
    out = both[50:250].view(np.dtype("i8").newbyteorder(order))
    with pytest.raises(ValueError, match="out must not share memory with tickets"):
        pf.Jackpot().play(salt=pf.salts(200), tickets=both[:200], out=out)
    assert (both == 10).all()
    # Neighbors in one table share no element.
    table = np.full((200, 2), 10)
    pf.Jackpot().play(salt=pf.salts(200), tickets=table[:, 0], out=table[:, 1])
    assert (table[:, 1] == pf.Jackpot(tickets=10).play(salt=pf.salts(200))).all()


@pytest.mark.parametrize("tickets", [7, 1000, 2**40, 2**53])
@pytest.mark.parametrize("bins", [1, 2, 7])
def test_tally_of_jackpot_in_equal_bins(tickets, bins):
    """Equal widths over 1..tickets; whole tickets, so a bin starts at the first ticket inside it."""
    game = pf.Jackpot(tickets=tickets)
    tally = game.tally(2000, bins=bins)
    firsts = [1 + -(-i * tickets // bins) for i in range(bins)]
    assert tally.outcomes.tolist() == firsts
    places = np.searchsorted(firsts, game.simulate(2000), side="right") - 1
    same(tally.counts, np.bincount(places, minlength=bins))


@pytest.mark.parametrize("bins", [1, 3, 10, 37])
def test_equal_bins_are_numpy_histograms(bins):
    game = pf.Jackpot(tickets=1000)
    counts, _ = np.histogram(game.simulate(5000), bins=bins, range=(1, 1001))
    same(game.tally(5000, bins=bins).counts, counts)


def test_tally_of_jackpot_between_edges():
    game = pf.Jackpot(tickets=1000)
    tickets = game.simulate(5000)
    cases = [1, 2, 500, 1001], (1, 1001), np.array([1, 400, 401, 1000]), [100, 200, 300], [-5, 0, 7, 2000]
    for edges in cases:
        tally = game.tally(5000, bins=edges)
        assert tally.outcomes.tolist() == list(edges)[:-1]
        same(tally.counts, np.histogram(tickets, edges)[0])
        assert tally.rounds == 5000


def test_tally_of_more_tickets_than_fit():
    with pytest.raises(ValueError, match=r"(?s)bins.*|tickets.*bins"):
        pf.Jackpot(tickets=2**24 + 1).tally(10)
    assert len(pf.Jackpot(tickets=2**20).tally(10).outcomes) == 2**20


def test_what_fairness_is_tested_on_where_tickets_are_too_many_to_list():
    game = pf.Jackpot(tickets=1_000_003)
    won = game.simulate(2000, seed="ranges")
    material = pf.games.fairness.fairness_material(game, won)
    assert material.duplicates is not None
    values, chance = material.duplicates
    assert (values.tolist(), chance) == (won.tolist(), 1 / 1_000_003)
    (look,) = pf.games.fairness.looks_of(game)
    law, firsts = pf.games.fairness.look_law(game, look, won)
    # A range extends to the first ticket of the next; all tickets are equally likely.
    ends = [*law.outcomes.tolist()[1:], 1_000_004]
    sizes = [end - first for first, end in zip(law.outcomes.tolist(), ends, strict=True)]
    assert law.pmf(law.outcomes).tolist() == [size / 1_000_003 for size in sizes]
    assert ((firsts <= won) & (won < np.array(ends)[np.searchsorted(law.outcomes, firsts)])).all()


def test_rounds_with_balls_of_their_own_have_places():
    pins = np.tile([8, 12, 16], 50)
    several = pf.Plinko(balls=3)
    material = pf.games.fairness.fairness_material(several, several.simulate(150, pins=pins), pins=pins)
    assert [column.name for column in material.columns] == ["place 1", "place 2", "place 3"]
    alone = pf.Plinko()
    assert pf.games.fairness.fairness_material(alone, alone.simulate(150, pins=pins), pins=pins).columns == []
