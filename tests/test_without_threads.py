"""Where the system starts no thread, or only some, the caller does the work: the same values and reports."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import numpy as np
import provably_fair as pf
import pytest
from own_games import game_of
from provably_fair._core.threads import Workers

pd = pytest.importorskip("pandas")
pytest.importorskip("polars")
pytest.importorskip("pyarrow")
from tools.random_logs import STORAGES  # noqa: E402

ROWS = 3000
BAD = ROWS // 2


@pytest.fixture(params=[0, 1, 2])
def few_threads(request, monkeypatch):
    """Let this many threads start, and no more."""
    start, left = threading.Thread.start, [None] * request.param

    def start_some(thread):
        if not left:
            raise RuntimeError("can't start new thread")
        left.pop()
        start(thread)

    return lambda: monkeypatch.setattr(threading.Thread, "start", start_some)


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Read in many blocks and batches; columnar files are hashed while they are read."""
    for name, size in {"SMALL_FILE": 0, "BLOCK": 4096, "BATCH": 500, "CSV_BLOCK": 20_000}.items():
        monkeypatch.setattr(f"provably_fair.sources.limits.{name}", size)


def log_of(rows=ROWS):
    log = {
        "server_seed": ["server"] * rows,
        "client_seed": ["client"] * rows,
        "salt": [f"salt {row}" for row in range(rows)],
    }
    log["outcome"] = pf.Dice().play(**log).tolist()
    log["stake"], log["payout"] = [1.0] * rows, [1.98 * (number < 50) for number in log["outcome"]]
    log["outcome"][BAD] += 0.01
    return log


def write(folder, kind):
    frame = pd.DataFrame(log_of())
    if kind == "xlsx":
        frame.to_excel(folder / "log.xlsx", index=False)
        return folder / "log.xlsx"
    return STORAGES[kind](frame.to_dict("records"), folder)


def said(report):
    """The whole report as text, apart from when it was made."""
    found = report.to_dict()
    for one in (found, found.get("verification", {})):
        one.pop("run", None)
    return json.dumps(found, default=str)


@pytest.mark.parametrize("kind", ["csv", "csv.gz", "jsonl", "parquet", "feather", "xlsx", "zip", "folder"])
def test_logs_are_read_and_checked_in_the_caller(tmp_path, kind, few_threads):
    path, bet = write(tmp_path, kind), pf.Dice().bet(1.98, under=50)
    expected = [
        said(pf.verify(path, "dice")),
        said(pf.audit(path, "dice", bet=bet)),
    ]
    few_threads()
    report = pf.verify(path, "dice")
    assert (report.checked, len(report.failures)) == (ROWS, 1)
    assert [said(report), said(pf.audit(path, "dice", bet=bet))] == expected


@pytest.mark.parametrize("text", ["", "salt,outcome\n", "nothing\n1\n", "salt,outcome\na,b,c,d\n\x00"])
def test_files_that_cannot_be_read_are_refused_alike(tmp_path, text, few_threads):
    path = tmp_path / "log.csv"
    path.write_text(text)

    def result():
        try:
            return said(pf.verify(path, "dice"))
        except pf.LogError as error:
            return str(error)

    expected = result()
    few_threads()
    assert result() == expected


def test_a_file_that_is_left_early_is_closed(tmp_path, few_threads):
    from provably_fair.sources import Wanted, open_log

    path = write(tmp_path, "csv")
    few_threads()
    pieces = open_log(path, Wanted({"salt"})).pieces()
    assert next(next(pieces).batches()).rows
    pieces.close()


def test_games_in_python_are_played_in_the_caller(few_threads):
    game = game_of(lambda draws: draws.below(100))
    expected = game.simulate(300_000, threads=1)
    few_threads()
    assert np.array_equal(game.simulate(300_000, threads=4), expected)


def test_audits_in_pieces(few_threads):
    log = log_of()
    few_threads()
    auditor = pf.Auditor("dice", threads=4)
    for first in range(0, ROWS, 1000):
        auditor.update({name: cells[first : first + 1000] for name, cells in log.items()})
    assert auditor.report(last=True).verification.failures[0].row == BAD


def test_errors_of_the_work_come_through(few_threads):
    few_threads()
    with Workers(3) as workers:
        done = [workers.submit(divmod, 7, divisor) for divisor in (2, 0, 3)]
        assert done[0].result() == (3, 1)
        assert done[2].result() == (2, 1)
        with pytest.raises(ZeroDivisionError):
            done[1].result()


def test_what_was_worked_on_is_not_kept(monkeypatch):
    """Each refused thread leaves an entry in the executor's queue, which must hold no data."""
    import gc
    import weakref

    def refuse(_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    with Workers(1) as workers:
        data = np.zeros(10)
        found = weakref.ref(data)
        assert workers.submit(np.sum, data).result() == 0
        del data
        gc.collect(1)  # of what is young
        assert found() is None


LIMITED = """
import json, os, resource, sys, threading
import numpy as np
import provably_fair as pf

game, salts = pf.Dice(), pf.salts(300_000)
seeds = {"server_seed": "server", "client_seed": "client", "salt": salts}
outcomes = game.play(**seeds, threads=1)
counts = pf.Mines().tally(1_000_000, threads=1).counts
log = seeds | {"outcome": outcomes}
assert pf.verify(log, game, threads=1).ok
os.chdir(sys.argv[1])
expected = [pf.audit(name, game).ok for name in ("log.csv", "log.parquet")]
if os.getuid() == 0:  # whom the limit doesn't bind
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
try:
    threading.Thread(target=int).start()
except RuntimeError:
    pass
else:
    sys.exit("threads start all the same")
assert np.array_equal(game.play(**seeds, threads=4), outcomes)
assert np.array_equal(pf.Mines().tally(1_000_000, threads=4).counts, counts)
assert pf.verify(log, game, threads=4).ok
assert [pf.audit(name, game, threads=4).ok for name in ("log.csv", "log.parquet")] == expected
print("played")
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a limit of Linux")
def test_the_engine_works_under_a_limit_of_processes():
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # another user reads there
        for kind in ("csv", "parquet"):
            write(Path(folder), kind)
        run = subprocess.run(
            [sys.executable, "-c", LIMITED, folder], capture_output=True, text=True, timeout=300, check=False
        )
    if "threads start all the same" in run.stderr:
        pytest.skip("this system doesn't count threads as processes")
    assert (run.returncode, run.stdout, run.stderr) == (0, "played\n", "")
