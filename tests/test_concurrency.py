"""Threads, processes, interrupts, exceptions in callbacks: equal values, and a usable process."""

from __future__ import annotations

import gc
import io
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import provably_fair as pf
import pytest
from provably_fair.auditing.grinding import estimate_grinding
from provably_fair.operators import crypto_games, fpclub
from provably_fair.seeds import random_stream
from provably_fair.statistics.dieharder import battery

POKER, BLACKJACK = crypto_games.VideoPoker(), crypto_games.Blackjack()
MACHINE, TABLE = POKER.table, BLACKJACK.table
DAMAGED = fpclub.HashedDice("563543244323").record().text.replace("5635", "535")


def work(task: int) -> object:
    """One of several calls, as comparable values."""
    kind, seed = task % 8, task // 8
    if kind < 4:
        game = (pf.Mines(), pf.Slot(spins=2), pf.Crash(), pf.Plinko())[kind]
        return game.simulate(3000, seed=seed, threads=1 + seed % 3).tolist()
    if kind == 4:
        return pf.Dice().tally(5000, seed=seed).counts.tolist()
    if kind == 5:
        return POKER.tally(500, seed=seed, strategy="optimal").counts.tolist()
    if kind == 6:
        return BLACKJACK.tally(500, seed=seed, strategy="basic").counts.tolist()
    return str(fpclub.parse_log(DAMAGED)[0].check()), pf.Dice().distribution("as_drawn").weights[seed]


TASKS = range(24)
EXPECTED = list(map(work, TASKS))


def test_calls_from_many_threads_at_once():
    together = threading.Barrier(8)

    def run(worker: int) -> list[object]:
        together.wait()
        # Each worker has its own order, so that different calls overlap.
        found = {task: work(task) for task in np.roll(TASKS, 3 * worker).tolist()}
        return [found[task] for task in TASKS]

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(run, range(8))) == [EXPECTED] * 8


def test_values_shared_by_threads():
    """Values that an object computes lazily are equal in all threads."""
    law = pf.Crash().distribution("as_drawn")
    expected = (
        pf.Crash().distribution("as_drawn").cdf(2.0),
        pf.Crash().distribution("as_drawn").var(exact=True),
    )
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: (law.cdf(2.0), law.var(exact=True)), range(8)))
    assert found == [expected] * 8


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork on this system")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_forked_processes():
    """Forks after the engine has used threads in the parent."""
    pf.Dice().simulate(100_000, threads=4)
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("fork")) as pool:
        assert list(pool.map(work, TASKS)) == EXPECTED


def test_spawned_processes():
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        game = pf.Mines(mines=5)
        assert pool.submit(game.simulate, 1000, seed=3, threads=2).result().tolist() == (
            game.simulate(1000, seed=3).tolist()
        )
        assert pool.submit(POKER.play, "s", "c").result().tolist() == POKER.play("s", "c").tolist()


def test_joblib():
    joblib = pytest.importorskip("joblib")
    jobs = (joblib.delayed(work)(task) for task in TASKS)
    assert joblib.Parallel(n_jobs=2, prefer="threads")(jobs) == EXPECTED


LONG_CALLS = {
    "tally": lambda: pf.Crash().tally(10**11),
    "video poker": lambda: POKER.tally(10**11, strategy="optimal"),
    "video poker, always the same hold": lambda: POKER.tally(10**11, hold=[1]),
    "blackjack, hashed": lambda: BLACKJACK.tally(10**11, strategy="basic"),
    "blackjack, random": lambda: BLACKJACK.tally(10**11, strategy="basic", shoes="random"),
    "blackjack, given seeds": lambda: BLACKJACK.replay("s", "c", np.arange(10**7), strategy="basic"),
    "estimate": lambda: pf.Double().bet({0: 14}).estimate(10**11),
}


@pytest.fixture
def interrupted():
    """Call a function, interrupt it with SIGALRM, and check that it stops within seconds.

    The signal is repeated after ten seconds: in finalizers and callbacks of the garbage collector, Python
    only prints the exception and continues.
    """
    if not hasattr(signal, "setitimer"):
        pytest.skip("no timers on this system")

    def interrupted(call, seconds):
        def timed():
            signal.setitimer(signal.ITIMER_REAL, seconds, 10)
            call()

        with pytest.raises(KeyboardInterrupt):
            timed()
        signal.setitimer(signal.ITIMER_REAL, 0)

    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    gc.disable()  # hypothesis registers a callback there
    yield interrupted
    gc.enable()
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("name", LONG_CALLS)
def test_control_c_leaves_the_process_usable(name, interrupted):
    interrupted(LONG_CALLS[name], 0.05)
    assert [work(task) for task in range(8)] == EXPECTED[:8]


class Endless(io.RawIOBase):
    """An infinite sink."""

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        return len(memoryview(data))  # type: ignore[arg-type]


SALTS = pf.salts(20_000)
ROUNDS = {"server_seed": ["s"] * 20_000, "client_seed": ["c"] * 20_000, "salt": SALTS}
LOG = {**ROUNDS, "outcome": pf.Dice().play("s", "c", SALTS)}
HANDS = POKER.play("s", "c", nonce=[str(i) for i in range(20_000)])[:, :5]
# No single edit repairs it, so all are tried.
UNREPAIRABLE = fpclub.HashedDice("563543244323" * 100)

# Calls that end by themselves, repeated so that the interrupt hits one of them.
REPEATED_CALLS = {
    "play": lambda: pf.Slot(spins=5).play("s", "c", SALTS),
    "play, one thread": lambda: pf.Mines(mines=24).play("s", "c", SALTS, threads=1),
    "simulate": lambda: pf.Tower(mines=4).simulate(50_000),
    "simulate, one thread": lambda: pf.Plinko(balls=5).simulate(50_000, threads=1),
    "explain": lambda: pf.Tower(mines=2).explain("s", "c", "salt"),
    "random_bytes": lambda: pf.seeds.random_bytes("s", "c", SALTS),
    "random_numbers": lambda: pf.seeds.random_numbers("s", "c", SALTS, count=20),
    "salts": lambda: pf.salts(100_000),
    "law": lambda: pf.Mines(mines=5).distribution("as_drawn", cells=[0, 7, 13]),
    "video poker, deal": lambda: POKER.play("s", "c", nonce=[str(i) for i in range(20_000)]),
    "video poker, simulate": lambda: POKER.simulate(20_000, strategy="optimal"),
    "video poker, best hold": lambda: MACHINE.best_hold(HANDS),
    "video poker, hold values": lambda: MACHINE.hold_values(HANDS),
    "video poker, analysis": lambda: MACHINE.analyze(),
    "blackjack, shoe": lambda: BLACKJACK.play("s", "c", nonce=[str(i) for i in range(20_000)]),
    "blackjack, replay": lambda: BLACKJACK.replay("s", "c", range(20_000), strategy="basic"),
    "blackjack, optimal": lambda: crypto_games.Blackjack().table.analyze("optimal"),
    "blackjack, basic": lambda: crypto_games.Blackjack().table.analyze("basic"),
    "fpclub, search": lambda: UNREPAIRABLE.check("0" * 32),
    "verify": lambda: pf.verify(LOG, pf.Dice()),
    "estimate_grinding": lambda: estimate_grinding(pf.Dice(), lambda dice: dice < 49.5, 4, 20_000),
    "stream": lambda: random_stream(Endless()),
    "stream, text": lambda: random_stream(Endless(), 10**9, ascii=True),
}


@pytest.mark.parametrize("name", REPEATED_CALLS)
def test_control_c_in_the_middle_of_any_call(name, interrupted):
    def for_ever():
        while True:
            REPEATED_CALLS[name]()

    interrupted(for_ever, 0.02)
    assert [work(task) for task in range(8)] == EXPECTED[:8]


@pytest.fixture
def reader(tmp_path):
    """A program in Dieharder's place that prints a line and then reads forever."""
    path = tmp_path / "reader"
    path.write_text("#!/bin/sh\necho reading\nexec cat >/dev/null\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.usefixtures("interrupted")
def test_control_c_ends_a_battery(reader):
    """The battery ends even if the main thread's waits go on, as when another thread gets the signal.

    The battery has to be running: Python doesn't guarantee that threads can be started during an interrupt.
    """
    began = threading.Event()

    def receive():
        began.wait()
        time.sleep(0.05)
        signal.pthread_kill(threading.get_ident(), signal.SIGALRM)

    threading.Thread(target=receive, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        battery(program=reader, progress=lambda line: began.set())
    assert work(0) == EXPECTED[0]


@pytest.mark.skipif(os.name != "posix", reason="a shell script")
def test_exceptions_of_a_batterys_progress_function_come_through(reader):
    with pytest.raises(OwnError):
        battery(program=reader, progress=fail)
    assert work(0) == EXPECTED[0]


class OwnError(Exception):
    """An exception of user code."""


def fail(*arguments: object) -> None:
    raise OwnError(arguments)


RAISING = {
    "simulate": lambda: pf.Dice().simulate(300_000, progress=fail),
    "simulate, one thread": lambda: pf.Dice().simulate(300_000, threads=1, progress=fail),
    "tally": lambda: pf.Dice().tally(10**10, progress=fail),
    "video poker simulate": lambda: POKER.simulate(100_000, strategy="optimal", progress=fail),
    "video poker": lambda: POKER.tally(10**10, strategy="optimal", progress=fail),
    "blackjack": lambda: BLACKJACK.tally(10**10, strategy="basic", progress=fail),
    "blackjack replay": lambda: BLACKJACK.replay("s", "c", range(100_000), strategy="basic", progress=fail),
    "video poker replay": lambda: POKER.replay("s", "c", range(100_000), progress=fail),
    "verify": lambda: pf.verify(
        {"server_seed": ["s"] * 9, "client_seed": ["c"] * 9, "salt": list("123456789"), "outcome": [0.0] * 9},
        pf.Dice(),
        progress=fail,
    ),
    "strategy of a replay": lambda: BLACKJACK.replay("s", "c", actions=fail),
    "strategy of a hand": lambda: TABLE.settle([9, 10, 8, 7, 6, 5], fail),
    "strategy of an analysis": lambda: MACHINE.analyze(fail),
    "payout of a law": lambda: pf.Double().distribution().expect(fail),
    "payout of a bet": lambda: pf.Double().bet(fail).estimate(10),
    "stakes of an estimate": lambda: pf.Double().bet({0: 14}).estimate(10, stake=fail),
    "stakes of paths": lambda: pf.Double().bet({0: 14}).paths(10, stake=fail),
}
"""Calls of a user's function that raises; where nothing else is said, it is told of the progress."""


@pytest.mark.parametrize("name", RAISING)
def test_exceptions_of_user_code_come_through(name):
    with pytest.raises(OwnError):
        RAISING[name]()
    assert work(0) == EXPECTED[0]


@pytest.mark.parametrize("answer", [None, 5, "fly", "\ud800"])
def test_a_strategy_must_answer_with_an_action(answer):
    with pytest.raises((TypeError, ValueError)):
        BLACKJACK.replay("s", "c", actions=lambda decision: answer)


def test_a_progress_function_may_call_the_package():
    seen = []
    pf.Dice().simulate(
        300_000, progress=lambda done, total: seen.append(pf.Double().play("s", "c", str(done)))
    )
    assert seen


SUBINTERPRETER = """
import provably_fair._engine  # first where it may be
try:
    import _interpreters
except ImportError:  # before Python 3.13
    import _xxsubinterpreters as interpreters
    made = interpreters.create(isolated=False)
    try:
        interpreters.run_string(made, "import provably_fair._engine")
    except interpreters.RunFailedError as error:
        print(error)
else:
    print(_interpreters.exec(_interpreters.create("legacy"), "import provably_fair._engine").formatted)
"""


def test_subinterpreters_are_refused_in_words():
    done = subprocess.run(
        [sys.executable, "-c", SUBINTERPRETER], capture_output=True, text=True, timeout=60, check=True
    )
    assert "ImportError" in done.stdout
    assert "provably_fair can't be used in a subinterpreter: use threads" in done.stdout
