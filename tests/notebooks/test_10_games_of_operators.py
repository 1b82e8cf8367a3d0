"""The claims of notebook 10 on published rounds, failing logs, and a log that wrongly passes."""

from __future__ import annotations

import math

import numpy as np
import provably_fair as pf
import pytest

pytest.importorskip("pandas")


def test_every_published_round_comes_out(ran, notebook):
    table = ran["table"]
    assert table["agrees"].all()
    assert f"all {len(table)} rounds of {table['operator'].nunique()} operators" in notebook.text
    assert f"**All {len(table)} published rounds**" in notebook.text


def test_each_method_is_identified(ran):
    assert [row["identified as"] for row in ran["told"].values()] == [
        *("stake.keno", "stake.mines:mines=24", "stake.slots or stake.scarabspins"),
        *("bustabit.v1", "bustabit.v2", "bustabit.v3", "duel.crash"),
    ]


def test_the_log_fails_for_two_columns(ran):
    report = ran["report"]
    assert report.failed == len(ran["dice"]) == 16
    (suggestion, *_) = report.suggestions
    assert "swapped" in suggestion.text
    assert pf.verify(ran["log_of_2019"], "stake.dice", **suggestion.options).ok


def test_ordinary_rounds_leave_more_open(ran, notebook):
    before, after = ran["before"], ran["after"]
    assert all(np.array(after) < before)
    said = f"leave {min(before)} to {max(before)} readings open, separating ones {min(after)} to {max(after)}"
    assert said in notebook.text


def test_one_round_of_limbo_tells_the_formulas_apart(ran):
    tail, readings = ran["tail"], ran["readings"]
    assert ran["both"] == len(ran["limbo"]) - 1 == 21
    assert [tail.agrees(game) for game in readings] == [True, False]


def test_the_chain_followed_its_law(ran):
    hashes, busts, live = ran["hashes"], ran["busts"], ran["live"]
    place = {game_hash: number for number, game_hash in enumerate(np.char.decode(hashes))}
    for one in live[:-1]:
        assert busts[place[one.fields["game_hash"]]] == one.outcome
    reached, law, error = ran["reached"], ran["law"], ran["error"]
    assert np.abs((reached / law - 1) / error).max() < 4
    assert ran["numbers"] == [2_537_203, 2_552_845]


def test_an_unfair_table_passes_row_by_row(ran):
    assert ran["passed"].ok
    binomial = np.array([math.comb(8, bucket) for bucket in range(9)])
    assert [round(256 * float(ran["pins"].pmf(bucket))) for bucket in range(9)] == binomial.tolist()
    assert ran["test"].pvalue < 1e-4
    expected = ran["seen"].sum() * binomial / 256
    off = (ran["seen"] - expected) / np.sqrt(expected)
    assert (off.argmax(), off.argmin()) == (4, 5)
    assert min(ran["pays"]) == ran["pays"][4]


def test_the_cell_to_copy_knows_limbo(copied):
    assert copied["whose"].best.game == "stake.limbo"
