"""Random logs of every system and storage against the oracles; `make random-logs` runs 20,000."""

from __future__ import annotations

import json
import random

import pytest

for module in ("pandas", "polars", "pyarrow"):
    pytest.importorskip(module)

from tools import random_logs  # noqa: E402


@pytest.mark.parametrize("name", ["dice", "mines", "slot", "plinko", "jackpot", "video poker", "own game"])
def test_every_storage_gives_the_same_verdict(name, tmp_path):
    """A wrong outcome, another salt or seed, an empty cell, and a round twice."""
    rng = random.Random(name)
    system = random_logs.SYSTEMS[name](rng)
    log = [system.row() for _ in range(20)]
    for defect, row in (("outcome", 3), ("seed", 17), ("empty", 5), ("repeat", 6)):
        while not random_logs.DEFECTS[defect](rng, system, log[row], "outcome", log):
            pass
    for storage in random_logs.STORAGES:
        folder = tmp_path / storage
        folder.mkdir()
        expected, repeated, _ = random_logs.compared(system, log, storage, folder, storage)
        assert len(expected) >= 3, storage
        assert repeated, storage


@pytest.mark.parametrize("seed", range(1, 3))
def test_no_defect_is_missed_and_none_is_made_up(seed):
    results = random_logs.run(100, seed)
    assert results["logs"] == 100
    assert results["wrong_rows"] > 50


def test_the_kept_run_is_of_every_system_storage_and_defect():
    kept = json.loads(random_logs.RESULTS.read_text(encoding="utf-8"))
    assert kept["logs"] == 20_000
    assert kept["systems"].keys() == random_logs.SYSTEMS.keys()
    assert kept["storages"].keys() == {*random_logs.STORAGES, "refused"}
    assert kept["defects"].keys() == random_logs.DEFECTS.keys()
    assert min(min(kept[name].values()) for name in ("systems", "storages", "defects")) > 100
