"""Logs of games on chains: each hash leads to the one before, and the first to the one that was announced."""

from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from folders import VECTORS
from provably_fair.seeds.chains import GameNumbers

bustabit, stake, skinclub = pf.operators.bustabit, pf.operators.stake, pf.operators.skinclub
DATA = json.loads((VECTORS / "operators.json").read_text(encoding="utf-8"))
CHAIN = pf.HashChain()
HASHES = CHAIN.generate("operator", 3000)
END = CHAIN.terminating(HASHES)
LOST = "ab" * 32


@pytest.fixture(autouse=True)
def _short_chains(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashes that lead nowhere are given up sooner."""
    monkeypatch.setattr("provably_fair.seeds.chains._LONGEST_CHAIN", 20_000)


V2 = bustabit.V2()


def log_of(rows: Any = slice(None), game: pf.Game = V2) -> dict[str, Any]:
    return {"game_hash": HASHES[rows], "outcome": game.play(HASHES[rows])}


@pytest.mark.parametrize("game", [V2, stake.Crash(), stake.Slide()], ids=repr)
@pytest.mark.parametrize("form", ["S", "U", "list", "column"])
def test_a_log_that_leads_to_the_announced_hash(game: pf.Game, form: str) -> None:
    log = log_of(slice(10, 200), game)
    if form != "S":
        log["game_hash"] = log["game_hash"].astype("U64")
    if form == "list":
        spelled = str.upper if game == V2 else str  # others hash the text as it is
        log["game_hash"] = [spelled(text) for text in log["game_hash"].tolist()]
    constants: dict[str, Any] = {"terminating": END}
    if form == "column":
        log["terminating"], constants = [END] * 190, {}
    report = pf.verify(log, game, constants=constants)
    assert report.ok
    assert report.notes == [f"190 rows are of games 11 to 200 of the chain to {END[:16]}..."]


def test_a_log_without_rows() -> None:
    report = pf.verify({"game_hash": [], "outcome": []}, V2, constants={"terminating": END})
    assert report.checked == 0


def test_games_of_another_chain_fail() -> None:
    other = CHAIN.generate("another", 3000)
    game = V2
    for rows in (slice(0, 50), slice(49, None, -1), np.random.default_rng(2).permutation(50)):
        hashes = HASHES[100:150][rows].copy()
        hashes[[7, 30]] = other[5], END
        log = {"game_hash": hashes, "outcome": game.play(hashes)}
        report = pf.verify(log, game, constants={"terminating": END})
        assert [failure.row for failure in report.failures] == [7, 30]
        assert {failure.kind for failure in report.failures} == {"terminating"}
        assert report.counts == {"terminating": 2}
        assert pf.verify(log, game).ok
        assert "no terminating hash was given" in pf.verify(log, game).notes[0]
    everything = pf.verify(log_of(), game, constants={"terminating": LOST})
    assert everything.failed == 3000


def test_the_end_may_be_that_of_each_row() -> None:
    other = CHAIN.generate("another", 500)
    hashes = np.concatenate([HASHES[:20], other[:20]])
    log = {"game_hash": hashes, "outcome": V2.play(hashes)}
    ends = [END] * 20 + [CHAIN.terminating(other)] * 20
    assert pf.verify({**log, "terminating": ends}, V2).ok
    ends[3] = ends[-1]
    ends[4] = "no hash"
    report = pf.verify({**log, "terminating": ends}, V2)
    assert [failure.row for failure in report.failures] == [3, 4]


def test_published_logs_of_chains(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    rows = DATA["bustabit_v2"]["rows"]
    log = {"game_hash": [row[1] for row in rows], "outcome": [row[2] for row in rows]}
    report = pf.verify(log, V2, constants={"terminating": bustabit.TERMINATING})
    assert report.ok
    assert "53 rows are of games 2,537,203 to 2,552,845" in report.notes[0]
    crash = DATA["stake_crash_chain"]
    log = {"game_hash": [crash["hash"]], "outcome": [crash["result"]]}
    report = pf.verify(log, stake.Crash(), constants={"terminating": stake.CRASH_TERMINATING})
    assert report.ok
    assert "1 rows are of games 1,126,614 to 1,126,614" in report.notes[0]


def test_files_in_batches(tmp_path: Any) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    log = log_of(slice(None, None, -1))
    frame = pandas.DataFrame({"game_hash": log["game_hash"].astype("U64"), "outcome": log["outcome"]})
    frame.iloc[:1700].to_csv(tmp_path / "1.csv", index=False)
    frame.iloc[1700:].to_parquet(tmp_path / "2.parquet")
    report = pf.verify(tmp_path, V2, constants={"terminating": END})
    assert report.ok
    assert report.notes == [f"3,000 rows are of games 1 to 3,000 of the chain to {END[:16]}..."]
    frame.loc[1800, "game_hash"] = LOST
    frame.to_parquet(tmp_path / "2.parquet")
    report = pf.verify(tmp_path / "2.parquet", V2, constants={"terminating": END})
    assert {(failure.row, failure.kind) for failure in report.failures} == {
        (1800, "mismatch"),
        (1800, "terminating"),
    }
    assert pickle.loads(pickle.dumps(report)).failed == 1


def test_numbers_of_games(monkeypatch: pytest.MonkeyPatch) -> None:
    from provably_fair.seeds import chains

    monkeypatch.setattr(chains, "_WALK", 64)
    monkeypatch.setattr(chains, "_LONGEST_CHAIN", 5000)
    monkeypatch.setattr(chains, "_KEPT_BELOW", int.from_bytes(b"1\0\0\0\0\0\0\0"))  # one in 16
    rng = np.random.default_rng(3)
    orders = [np.arange(3000), np.arange(3000)[::-1], rng.permutation(3000), rng.integers(0, 3000, 500)]
    for order in orders:
        numbers = GameNumbers(CHAIN, END)
        found = [numbers.of(HASHES[part]) for part in np.array_split(order, 7)]
        assert (np.concatenate(found) == order + 1).all()
        assert not numbers.given_up
    numbers = GameNumbers(CHAIN, END)
    bogus = CHAIN.generate("bogus", 10_000)[::-500]
    mixed = np.concatenate([HASHES[[5, 2999]], bogus[:10], HASHES[[17]], np.array([END], "S64")])
    assert numbers.of(mixed).tolist() == [6, 3000, *[0] * 10, 18, 0]
    assert not numbers.given_up
    lost = np.concatenate([CHAIN.generate(seed, 1) for seed in range(8)])
    assert numbers.of(np.concatenate([lost, HASHES[[2000]]])).tolist() == [0] * 8 + [2001]
    assert numbers.given_up
    assert numbers.of(HASHES[:0]).shape == (0,)
    assert numbers.of(np.array([LOST], "S64")).tolist() == [0]


def test_a_commitment_may_be_of_another_field_too() -> None:
    skin = DATA["skin_club"]
    log = {
        "server_seed": [skin["server_seed"]],
        "client_seed": [skin["client_seed"]],
        "nonce": [skin["nonce"]],
        "salt": [skin["commitment_salt"]],
        "commitment": [skin["commitment"]],
        "outcome": [skin["ticket"]],
    }
    game = skinclub.Ticket()
    report = pf.verify(log, game)
    assert report.ok
    assert report.committed["commitment"] == 1
    assert [failure.kind for failure in pf.verify(log | {"salt": ["x"]}, game).failures] == ["commitment"]
    without = {name: column for name, column in log.items() if name != "salt"}
    with pytest.raises(pf.LogError, match="commitment must come with a column 'salt'"):
        pf.verify(without, game)
    del without["commitment"]
    assert pf.verify(without, game).ok
