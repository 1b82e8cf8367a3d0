"""The claims of notebook 01 on one round of Mines, checked with the walk-through and with hashlib alone."""

from __future__ import annotations

import provably_fair as pf


def test_the_blocks_are_those_of_the_walk_through(ran):
    blocks = [block["hex"] for block in ran["walk"].to_dict()["blocks"]]
    assert ran["by_hand"] == blocks
    assert ran["by_hand"] == [pf.seeds.random_bytes("", "", "", cursor).hex() for cursor in range(3)]


def test_the_mines_are_where_it_says(ran, notebook):
    assert ran["walk"].outcome.tolist() == [11, 8, 18]
    assert "The mines are in cells 11, 8 and 18" in notebook.text
    assert len(ran["draws"]) == 24


def test_the_cell_to_copy_plays_every_round(copied, notebook):
    by_hand = copied["mines_by_hand"]
    assert "provably_fair" not in notebook.to_copy
    assert by_hand("", "", "", 3) == [11, 8, 18]
    for number in range(1000):
        seeds = "server", "client", str(number)
        assert by_hand(*seeds, 5) == pf.Mines(mines=5).play(*seeds).tolist()


def test_one_printed_term_is_a_tie(notebook):
    assert f"{160 / 256**3:.18f}" == "0.000009536743164062"
    assert "160 / 256^3 = 0.0000095367431640625" in notebook.text
