"""Programs to compare with, and CPU times."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable
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


def own_time(work: Callable[[], object]) -> float:
    """Return the CPU seconds of a function."""
    begin = time.thread_time()
    work()
    return time.thread_time() - begin
