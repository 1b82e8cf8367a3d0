"""Dask's results equal those of one machine, on a cluster of two worker processes."""

from __future__ import annotations

import json
import sqlite3

import numpy as np
import provably_fair as pf
import pytest

pytest.importorskip("dask.dataframe")
distributed = pytest.importorskip("distributed")
pa = pytest.importorskip("pyarrow")
import dask  # noqa: E402
import dask.dataframe as dd  # noqa: E402
import pandas as pd  # noqa: E402


@pytest.fixture(scope="module")
def cluster():
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", memory_limit=0
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


def test_each_chunk_has_its_part_of_what_differs_by_round(cluster):
    seeds = [f"seed {i}" for i in range(100)]
    servers = [seeds, tuple(seeds), np.array(seeds), np.array(seeds, "S"), pd.Series(seeds), pa.array(seeds)]
    game, clients = pf.Dice(), seeds[::-1]
    rounds = game.simulate(100, start=3, server_seed=seeds, client_seed=clients)
    tally = game.tally(100, start=3, server_seed=seeds, client_seed=clients)
    for server in servers:
        given = {"start": 3, "server_seed": server, "client_seed": clients, "chunk": 33}
        assert np.array_equal(pf.dask.simulate(game, 100, **given).compute(), rounds)
        assert pf.dask.tally(game, 100, **given) == tally
    assert pf.dask.tally(game, 9, chunk=2, server_seed=["a"]) == game.tally(9, server_seed="a")
    assert pf.dask.tally(game, 9, chunk=2, server_seed=b"123456789") == game.tally(9, server_seed="123456789")
    tickets = np.arange(100) + 1
    options = {"tickets": tickets, "dtype": "uint8"}
    rounds = pf.dask.simulate(pf.Jackpot(), 100, chunk=7, **options)
    assert rounds.dtype == np.uint8
    assert np.array_equal(rounds.compute(), pf.Jackpot().simulate(100, **options))
    one = pf.dask.simulate(pf.Jackpot(), 10, tickets=5, chunk=3).compute()
    assert np.array_equal(one, pf.Jackpot().simulate(10, tickets=5))


def test_parameters_from_other_processes_may_be_misaligned():
    tickets = np.frombuffer(b"-" + np.arange(1, 101).tobytes(), np.int64, offset=1)
    assert not tickets.flags.aligned
    rounds = pf.Jackpot().simulate(100, tickets=tickets)
    assert np.array_equal(rounds, pf.Jackpot().simulate(100, tickets=np.arange(1, 101)))


@pytest.mark.parametrize(
    ("function", "game", "options"),
    [
        ("tally", pf.Dice(), {"server_seed": ["a"] * 5}),
        ("tally", pf.Dice(), {"client_seed": ["a"] * 11}),
        ("tally", pf.Dice(), {"threads": 0}),
        ("simulate", pf.Dice(), {"server_seed": np.array(["a"] * 5)}),
        ("simulate", pf.Dice(), {"server_seed": []}),
        ("simulate", pf.Dice(), {"threads": "two"}),
        ("simulate", pf.Dice(), {"tickets": 5}),
        ("simulate", pf.Jackpot(), {"tickets": [5, 6, 7]}),
        ("simulate", pf.Jackpot(), {"tickets": [[5] * 10]}),
        ("simulate", pf.Jackpot(), {"tickets": 0}),
        ("simulate", pf.Jackpot(), {"dtype": "uint8"}),
    ],
)
def test_what_a_game_refuses_is_refused_alike(function, game, options):
    with pytest.raises((TypeError, ValueError)) as alone:
        getattr(game, function)(10, **options)
    with pytest.raises(alone.type) as cut:
        getattr(pf.dask, function)(game, 10, chunk=5, **options)
    assert str(cut.value) == str(alone.value)


def test_threads_of_tasks_and_unknown_options():
    for threads in (2, None):
        assert pf.dask.tally(pf.Dice(), 10, threads=threads) == pf.Dice().tally(10)
        rounds = pf.dask.simulate(pf.Dice(), 10, threads=threads).compute(scheduler="threads")
        assert np.array_equal(rounds, pf.Dice().simulate(10))
    for function in (pf.dask.simulate, pf.dask.tally):
        with pytest.raises(TypeError, match="progress"):
            function(pf.Dice(), 10, progress=True)


def test_an_error_in_a_chunk_says_which_one():
    tickets = [1] * 7 + [0]
    with pytest.raises(ValueError, match=r"tickets\[1\]") as caught:
        pf.dask.simulate(pf.Jackpot(), 8, start=20, tickets=tickets, chunk=3).compute(scheduler="threads")
    assert caught.value.__notes__ == ["rows count from the salt 26 on: the chunk of 2 rounds begins there"]


def same(report, whole):
    """Whether two reports agree in everything but the files."""
    one, other = report.to_dict(), whole.to_dict()
    for told in (one, other):
        del told["files"], told["run"]
    return one == other


def test_logs_are_verified_in_parts(cluster, tmp_path):
    log = log_of(300)
    whole = pf.verify(log, pf.Dice())
    assert whole.counts == {"mismatch": 3}
    assert whole.repeats.rows == [(0, 299)]
    frame = dd.from_pandas(pd.DataFrame(log), npartitions=4)
    assert same(pf.dask.verify(frame, pf.Dice()), whole)
    frame.to_parquet(tmp_path / "parts", write_index=False)
    report = pf.dask.verify(tmp_path / "parts", pf.Dice())
    assert report == pf.verify(tmp_path / "parts", pf.Dice())
    assert [failure.row for failure in report.failures] == [failure.row for failure in whole.failures]
    assert same(pf.dask.verify(dd.read_parquet(tmp_path / "parts"), pf.Dice()), whole)


def test_lists_in_frames(cluster):
    salts = [salt.decode() for salt in pf.salts(20)]
    outcomes = [json.dumps(outcome) for outcome in pf.Mines().play("a", "b", salts).tolist()]
    frame = pd.DataFrame({"s": salts, "outcome": outcomes})
    report = pf.dask.verify(
        dd.from_pandas(frame, npartitions=2),
        pf.Mines(),
        columns={"salt": "s"},
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


# ---- custom games: workers import their class from this module ----

NONCES = pf.Scheme(pf.Hash("sha256", "{client_seed}:{nonce}:{cursor}", key="{server_seed}"), bits=32)


class Keno(pf.Game):
    picks: int = 10

    def outcome(self, draws):
        return draws.sample(40, self.picks)


class Wheel(pf.Game):
    vectorized = False
    scheme = pf.Scheme(pf.Hash("sha256", "{salt}", key="{game_hash}"), bits=52, defaults={"salt": "public"})

    def outcome(self, draws):
        return [0.0, 1.5, 3.0][draws.below(3)] if draws.coin() else 7.5


@pytest.mark.thorough
def test_own_games_go_through_processes():
    games = [Keno(5), Keno().with_scheme(NONCES), Wheel(), pf.Mines(3).with_scheme(NONCES)]
    rounds = [pf.dask.simulate(game, 200, seed="s", start=5, chunk=33) for game in games]
    for game, found in zip(games, dask.compute(*rounds, scheduler="processes", num_workers=2), strict=True):
        assert np.array_equal(found, game.simulate(200, seed="s", start=5))
        assert pf.dask.tally(game, 200, seed="s", chunk=33) == game.tally(200, seed="s")


def test_own_games_on_a_cluster(cluster):
    game = Keno(3).with_scheme(NONCES)
    given = {"server_seed": [f"seed {i // 50}" for i in range(100)], "nonce": np.arange(100)}
    rounds = pf.dask.simulate(game, 100, chunk=30, **given).compute()
    assert np.array_equal(rounds, game.simulate(100, **given))
    assert pf.dask.tally(game, 100, chunk=30, **given) == game.tally(100, **given)
    fields = pf.games.rounds.simulated_rounds(Wheel(), 90).values()
    log = pd.DataFrame({**fields, "game_hash": fields["game_hash"].astype("U")})
    log["outcome"] = Wheel().play(**fields)
    log.loc[70, "outcome"] = 9.0
    report = pf.dask.verify(dd.from_pandas(log, npartitions=4), Wheel())
    assert [failure.row for failure in report.failures] == [70]


@pytest.mark.thorough
def test_own_games_with_joblib():
    joblib = pytest.importorskip("joblib")
    game = Keno(4).with_scheme(NONCES)
    with joblib.parallel_config(backend="loky", n_jobs=2):
        parts = joblib.Parallel()(joblib.delayed(game.simulate)(50, start=start) for start in (0, 50))
    assert np.array_equal(np.concatenate(parts), game.simulate(100))


def test_a_watch_is_that_of_one_machine(cluster, tmp_path):
    bet, rng = pf.Dice().bet(1.98, under=50), np.random.default_rng(4)
    paths = []
    for number in range(3):
        rows = {"game": ["dice", "other"] * 150, "time": rng.integers(3, size=300) * 86_400 + number * 86_400}
        won = bet.law.rvs(300, rng)
        paths.append(str(tmp_path / f"{number}.csv"))
        pd.DataFrame(rows | {"won": won, "channel": rng.choice(["web", "app"], 300)}).to_csv(
            paths[-1], index=False
        )
    states = []
    for name in ("one", "many"):
        watch = pf.monitoring.Watch(
            {"dice": bet, "other": bet},
            by=["channel"],
            windows=["all", "2d", "100r"],
            state=tmp_path / f"{name}.db",
        )
        log = pf.Log(paths, columns={"payout": "won"})
        if name == "many":
            assert pf.dask.watch(watch, log) is watch
        else:
            for path in paths:
                watch.update(pf.Log(path, columns={"payout": "won"}))
        watch.close()
        with sqlite3.connect(tmp_path / f"{name}.db") as base:
            states.append(list(base.iterdump()))
    assert states[0] == states[1]
    frame = dd.from_pandas(pd.DataFrame({"payout": bet.simulate(500), "more": 1}), npartitions=4)
    watch = pf.monitoring.Watch(bet, windows=["50r"])
    with pytest.raises(ValueError, match=r"^name must be given"):
        pf.dask.watch(watch, frame)
    assert pf.dask.watch(watch, frame, name="2026-01-02").report().batches == 4
    with pytest.raises(pf.monitoring.DuplicateBatch, match=r"'2026-01-02/0' came before, as batch 1$"):
        pf.dask.watch(watch, frame, name="2026-01-02")
    whole = frame.compute()
    with pytest.raises(pf.monitoring.DuplicateBatch, match=r"'2026-01-02/1' came before, as batch 2$"):
        watch.update(whole[125:250], name="2026-01-02/1")


def test_a_watch_knows_batches_that_workers_counted(cluster, tmp_path):
    bet = pf.Dice().bet(1.98, under=50)
    rows = pd.DataFrame({"bet_id": range(400), "payout": bet.simulate(400), "more": "x"})
    frame = dd.from_pandas(rows, npartitions=2)
    rows[200:].to_csv(tmp_path / "second.csv", index=False)
    watch = pf.dask.watch(pf.monitoring.Watch(bet, windows=["all"]), frame)
    for log in (frame, [str(tmp_path / "second.csv")]):
        with pytest.raises(pf.monitoring.DuplicateBatch):
            pf.dask.watch(watch, log)
    with pytest.raises(pf.monitoring.DuplicateBatch, match=r"as batch 2$"):
        watch.update(tmp_path / "second.csv")
    rows["more"] = "y"  # a column that no field uses
    assert pf.dask.watch(watch, dd.from_pandas(rows, npartitions=2)).report().batches == 4
