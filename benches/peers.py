"""Programs to compare with, times, and work in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).parent.parent


class Peer:
    """A program that runs on command, and reports when it is done."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
        )

    def run(self, *work: object) -> float:
        """Return the CPU seconds of some work."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        begin = self._cpu()
        self._process.stdin.write(" ".join(map(str, work)) + "\n")
        self._process.stdin.flush()
        assert self._process.stdout.readline().startswith("done")
        return self._cpu() - begin

    def _cpu(self) -> float:
        try:
            return int(Path(f"/proc/{self._process.pid}/schedstat").read_text().split()[0]) / 1e9
        except OSError:
            return time.perf_counter()


def rust_peer(bench: str) -> Peer:
    """Build and start a Rust program, one of the benches in Cargo.toml."""
    built = subprocess.run(
        ["cargo", "bench", "--bench", bench, "--no-run", "--message-format=json"],
        cwd=ROOT,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    lines = map(json.loads, built.stdout.splitlines())
    return Peer([next(x["executable"] for x in lines if x.get("target", {}).get("name") == bench)])


def timed(work: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    """Return the seconds of a function, by default of the CPU, in all threads."""
    begin = clock()
    work()
    return clock() - begin


def own_time(work: Callable[[], object]) -> float:
    """Return the CPU seconds of a function, in this thread."""
    return timed(work, time.thread_time)


def in_turns(measured: Mapping[str, Callable[[], float]], repetitions: int) -> dict[str, list[float]]:
    """Return what each measures, one after another in every repetition."""
    times: dict[str, list[float]] = {name: [] for name in measured}
    for repetition in range(repetitions):
        print(f"repetition {repetition + 1} of {repetitions}", file=sys.stderr)
        for name, measure in measured.items():
            times[name].append(measure())
    return times


# Not ru_maxrss: that starts from the size of the process that forked this one.
PEAK = """
import json, pathlib
status = pathlib.Path("/proc/self/status").read_text()
print(json.dumps([*found, int(status.split("VmHWM:")[1].split()[0]) / 1024]))
"""


def alone(code: str, *arguments: object) -> list[float]:
    """Return the numbers `found` by code in a process of its own, and its peak memory in MB."""
    command = [sys.executable, "-c", code + PEAK, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr[-2000:])
    measured: list[float] = json.loads(done.stdout)
    return measured
