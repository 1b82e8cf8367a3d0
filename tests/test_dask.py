"""Dask's results are those of one machine, on a cluster of two worker processes."""

from __future__ import annotations

import json

import numpy as np
import provably_fair as pf
import pytest

pytest.importorskip("dask.dataframe")
distributed = pytest.importorskip("distributed")
pa = pytest.importorskip("pyarrow")
import dask.dataframe as dd  # noqa: E402
import pandas as pd  # noqa: E402


@pytest.fixture(scope="module")
def cluster():
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, memory_limit=0
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def log_of(rows):
    salts = pf.salts(rows)
    salts[rows - 1] = salts[0]
    outcomes = pf.Dice().play("a", "b", salts)
    outcomes[[3, rows // 2, rows - 2]] += 1
    text = [salt.decode() for salt in salts]
    return {"server_seed": ["a"] * rows, "client_seed": ["b"] * rows, "salt": text, "outcome": outcomes}


def test_simulations_are_those_of_one_machine(cluster):
    for game in (pf.Dice(), pf.Mines(4), pf.Tower(2)):
        rounds = pf.dask.simulate(game, 1000, seed="s", start=5, chunk=333)
        assert rounds.npartitions == 4
        assert np.array_equal(rounds.compute(), game.simulate(1000, seed="s", start=5))
    small = pf.dask.simulate(pf.Double(), 100, chunk=30, dtype="uint8")
    assert small.dtype == np.uint8
    assert np.array_equal(small.compute(), pf.Double().simulate(100))
    assert pf.dask.simulate(pf.Double(), 0).compute().shape == (0,)


def test_tallies_are_those_of_one_machine(cluster):
    assert pf.dask.tally(pf.Slot(2), 5000, chunk=499) == pf.Slot(2).tally(5000)
    options = {"seed": "x", "start": 7, "bins": 10}
    assert pf.dask.tally(pf.Jackpot(), 999, chunk=100, **options) == pf.Jackpot().tally(999, **options)


def same(report, whole):
    """Whether two reports say the same, but for the files."""
    one, other = report.to_dict(), whole.to_dict()
    for data in (one, other):
        del data["files"]
        for failure in data["failures"]:
            del failure["file"], failure["file_row"]
    return one == other


def test_logs_are_verified_in_parts(cluster, tmp_path):
    log = log_of(300)
    whole = pf.verify(log, pf.Dice())
    assert whole.counts == {"mismatch": 3}
    assert whole.repeats == [(0, 299)]
    frame = dd.from_pandas(pd.DataFrame(log), npartitions=4)
    assert same(pf.dask.verify(frame, pf.Dice()), whole)
    frame.to_parquet(tmp_path / "parts", write_index=False)
    report = pf.dask.verify(tmp_path / "parts", pf.Dice())
    assert same(report, whole)
    assert report.files == pf.verify(tmp_path / "parts", pf.Dice()).files
    assert same(pf.dask.verify(dd.read_parquet(tmp_path / "parts"), pf.Dice()), whole)


def test_lists_in_frames(cluster):
    salts = [salt.decode() for salt in pf.salts(20)]
    outcomes = [json.dumps(outcome) for outcome in pf.Mines().play("a", "b", salts).tolist()]
    frame = pd.DataFrame({"s": salts, "outcome": outcomes})
    report = pf.dask.verify(
        dd.from_pandas(frame, npartitions=2),
        pf.Mines(),
        {"salt": "s"},
        constants={"server_seed": "a", "client_seed": "b"},
    )
    assert report.ok
    assert report.checked == 20


def test_unreadable_parts_are_named(cluster, tmp_path):
    (tmp_path / "a.parquet").write_bytes(b"nothing of the kind")
    with pytest.raises(pf.LogError, match=r"a\.parquet"):
        pf.dask.verify(tmp_path, pf.Dice())
    with pytest.raises(TypeError, match="log must be"):
        pf.dask.verify(3, pf.Dice())
