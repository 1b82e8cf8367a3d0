"""Mines: the documents' walk-through."""

from __future__ import annotations

import provably_fair as pf


def test_mines_of_the_walkthrough():
    assert pf.Mines(mines=3).play("", "", "").tolist() == [11, 8, 18]
