"""Slot's reels: symbols, windows, and what is refused."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import provably_fair as pf
import pytest
from comparing import same

REELS = [[f"{reel}-{stop}" for stop in range(41 if reel == 4 else 30)] for reel in range(5)]


def test_reels_do_not_change_the_stops():
    machine = pf.Slot(spins=3, reels=REELS)
    same(machine.simulate(100), pf.Slot(spins=3).simulate(100))
    assert machine != pf.Slot(spins=3)
    assert machine == pf.Slot(spins=3, reels=tuple(map(tuple, REELS)))
    assert hash(machine) == hash(pf.Slot(spins=3, reels=REELS))
    assert pickle.loads(pickle.dumps(machine)) == machine
    assert copy.deepcopy(machine) == machine
    assert eval(repr(machine), {"Slot": pf.Slot}) == machine


def test_symbols_are_those_of_the_center_row():
    machine = pf.Slot(spins=3, reels=REELS)
    stops = machine.simulate(20)
    symbols = machine.symbols(stops)
    assert symbols.shape == stops.shape == (20, 3, 5)
    for place in np.ndindex(stops.shape):
        assert symbols[place] == f"{place[-1]}-{stops[place]}"
    assert machine.symbols([14, 10, 21, 20, 39]).tolist() == ["0-14", "1-10", "2-21", "3-20", "4-39"]


def test_window_wraps_around():
    machine = pf.Slot(reels=REELS)
    assert machine.window([0, 29, 1, 28, 40]).tolist() == [
        ["0-29", "1-28", "2-0", "3-27", "4-39"],
        ["0-0", "1-29", "2-1", "3-28", "4-40"],
        ["0-1", "1-0", "2-2", "3-29", "4-0"],
    ]
    bare = pf.Slot().window([0, 29, 1, 28, 40])
    assert bare.tolist() == [[29, 28, 0, 27, 39], [0, 29, 1, 28, 40], [1, 0, 2, 29, 0]]
    stops = pf.Slot(spins=4).simulate(25)
    window = machine.window(stops)
    assert window.shape == (25, 4, 3, 5)
    same(window[..., 1, :], machine.symbols(stops))
    same(pf.Slot().window(stops)[..., 1, :], stops)
    lengths = np.array([30, 30, 30, 30, 41])
    same(pf.Slot().window(stops)[..., 0, :], (stops - 1) % lengths)
    same(pf.Slot().window(stops)[..., 2, :], (stops + 1) % lengths)


@pytest.mark.parametrize(
    "bad",
    [REELS[:4], [*REELS, REELS[0]], REELS[::-1], [], [REELS[0][:-1], *REELS[1:]], [[[]] * 30, *REELS[1:]]],
    ids=["four", "six", "reversed", "none", "one short", "unhashable"],
)
def test_bad_reels(bad):
    with pytest.raises((TypeError, ValueError), match=r"\breels\b"):
        pf.Slot(reels=bad)


def test_symbols_need_reels():
    with pytest.raises(ValueError, match=r"\breels\b"):
        pf.Slot().symbols([0, 0, 0, 0, 0])
