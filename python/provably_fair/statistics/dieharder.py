"""Dieharder, a battery of tests, on the generator's output.

`battery` runs it on an endless stream; `parse_report` reads its table. The stream by itself is
`seeds.random_stream`, for any program that reads a pipe, or as the file that `dieharder -g 202` reads. From a
shell::

    provably-fair stream | dieharder -g 200 -a
    provably-fair stream --ascii --numbers 1000000 > numbers.txt
    provably-fair battery

Dieharder's ``-a`` reads some 10^11 words. A file is rewound whenever it ends, so with ``-g 202`` and a file
of a billion numbers most tests reuse numbers; a pipe is never rewound.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import queue
import re
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from importlib.resources import files
from typing import IO, Any

from provably_fair._core.arguments import BadType, BadValue, check_type, integer, threads_of
from provably_fair._core.lazy import Lister, lister_of
from provably_fair._core.table import Framed, displayed
from provably_fair._core.types import Columns, JsonDict
from provably_fair.seeds import SALTED, Scheme
from provably_fair.seeds.series import seed_text
from provably_fair.seeds.stream import random_stream, write_all

__all__ = ["BatteryReport", "BatteryResult", "battery", "parse_report", "recorded_run"]
__dir__: Lister = lister_of(__all__)

_PROGRAM = "dieharder"
_MISSING = "dieharder is not installed: apt-get install dieharder (Debian, Ubuntu), brew install dieharder"

SMOKE = ("0", "8", "15", "100", "101")
"""Test numbers of a short run, which reads about 64 MB."""

# Repetitions per test in a short run; Dieharder's default is 100.
_SMOKE_OPTIONS = ("-p", "40")

_HEADER = re.compile(r"dieharder version (\S+)")
# Match spaces and tabs only: a result never spans lines, so the search stays linear.
_LINE = re.compile(
    r"^[ \t]*([A-Za-z]\w*)[ \t]*\|[ \t]*(\d{1,9})[ \t]*\|[ \t]*(\d{1,18})[ \t]*\|[ \t]*(\d{1,18})[ \t]*"
    r"\|[ \t]*(\d+\.\d*(?:[eE][+-]?\d+)?|-?nan)[ \t]*\|[ \t]*(PASSED|WEAK|FAILED)",
    re.MULTILINE | re.ASCII,
)


@displayed
@dataclass(frozen=True)
class BatteryResult:
    """A line of Dieharder's table.

    Attributes
    ----------
    test : str
        The test's name.
    ntup : int
        Its parameter: bits, dimensions or lag.
    tsamples, psamples : int
        Samples of a run, and the number of runs, each with one p-value.
    pvalue : float
        The p-value of all runs together.
    assessment : str
        "PASSED", "WEAK" or "FAILED".
    first : BatteryResult or None
        The first, weak result, if this result is the repetition of a test.
    """

    test: str
    ntup: int
    tsamples: int
    psamples: int
    pvalue: float
    assessment: str
    first: BatteryResult | None = None


def _results(text: str) -> list[BatteryResult]:
    return [
        BatteryResult(test, int(ntup), int(tsamples), int(psamples), float(pvalue), assessment)
        for test, ntup, tsamples, psamples, pvalue, assessment in _LINE.findall(text)
    ]


def _runs(tests: str | Iterable[int | str], options: Sequence[str]) -> list[list[str]]:
    """Return the arguments of each run of the program."""
    if tests == "all":
        return [["-a", *options]]
    if tests == "smoke":
        tests, options = SMOKE, [*_SMOKE_OPTIONS, *options]
    if isinstance(tests, str):
        raise BadValue("tests", f'must be "all", "smoke" or numbers of tests, got {tests!r}')
    return [["-d", str(test), *options] for test in tests]


@displayed
@dataclass(frozen=True)
class BatteryReport(Framed):
    """Dieharder's results.

    A WEAK result is repeated once on new numbers, and the repetition counts. FAILED is final. Dieharder says
    itself what is WEAK (1 % of fair results) or FAILED.

    Attributes
    ----------
    results : tuple of BatteryResult
        A result for each line of the table.
    version : str
        The program's version, as it names it.
    command : str
        The command that was run; "" for a report from a file.
    raw : str
        The program's raw output, with repetitions after the first run.
    """

    results: tuple[BatteryResult, ...]
    version: str = ""
    command: str = ""
    raw: str = field(default="", repr=False)

    @property
    def counts(self) -> dict[str, int]:
        """The number of PASSED, WEAK and FAILED results."""
        return {
            name: sum(result.assessment == name for result in self.results)
            for name in ("PASSED", "WEAK", "FAILED")
        }

    @property
    def assessment(self) -> str:
        """The worst of all results: "FAILED", "WEAK" or "PASSED"."""
        counts = self.counts
        return next((name for name in ("FAILED", "WEAK") if counts[name]), "PASSED")

    def to_dict(self) -> JsonDict:
        """Return the report as plain values, without the raw text."""
        return {
            "version": self.version,
            "command": self.command,
            "assessment": self.assessment,
            "counts": self.counts,
            "results": [asdict(result) for result in self.results],
        }

    def to_json(self) -> str:
        """Return `to_dict` as JSON."""
        return json.dumps(self.to_dict(), indent=1)

    def _columns(self) -> Columns:
        names = ("test", "ntup", "tsamples", "psamples", "pvalue", "assessment")
        columns: dict[str, Any] = {name: [getattr(result, name) for result in self.results] for name in names}
        return {**columns, "repeated": [result.first is not None for result in self.results]}

    def __str__(self) -> str:
        lines = [f"{'test':<22}{'ntup':>5}{'tsamples':>11}{'psamples':>9}{'p-value':>12}  assessment"]
        for r in self.results:
            again = f" (repeated; first {_shown(r.first.pvalue)})" if r.first else ""
            counts = f"{r.ntup:>5}{r.tsamples:>11}{r.psamples:>9}"
            lines.append(f"{r.test:<22}{counts}{_shown(r.pvalue):>12}  {r.assessment}{again}")
        lines.append(", ".join(f"{count} {name}" for name, count in self.counts.items()))
        return "\n".join(lines)


def _shown(pvalue: float) -> str:
    return f"{pvalue:.8f}" if pvalue >= 1e-6 or not pvalue else f"{pvalue:.3g}"


def parse_report(text: str, runs: int | None = None) -> BatteryReport:
    """Read the tables that Dieharder prints.

    Parameters
    ----------
    text : str
        The output of Dieharder, or the raw text of `battery`. Lines without results are skipped.
    runs : int, optional
        The number of tables that are first runs. The tables after them are repetitions, one for each WEAK
        result in order, as in the raw text of `battery` (1 for its "all"). By default all are first runs.

    Returns
    -------
    BatteryReport
        The results in their order.

    Raises
    ------
    ValueError
        When the text has no result, or a table isn't the expected repetition.

    Examples
    --------
    >>> from provably_fair.statistics.dieharder import parse_report
    >>> report = parse_report("   diehard_birthdays|   0|       100|     100|0.81364424|  PASSED  ")
    >>> report.assessment, report.results[0].pvalue
    ('PASSED', 0.81364424)
    """
    check_type("text", text, str)
    headers = [match.start() for match in _HEADER.finditer(text)]
    firsts = len(headers) if runs is None else integer("runs", runs, 1)
    # Text before the first header belongs to the first run.
    tables = [text[begin:end] for begin, end in itertools.pairwise([0, *headers[1:], len(text)])]
    results = [result for table in tables[: max(firsts, 1)] for result in _results(table)]
    if not results:
        raise BadValue("text", "must hold a table of dieharder, got no line of results")
    again, first = tables[max(firsts, 1) :], [*results]
    weak = [index for index, result in enumerate(results) if result.assessment == "WEAK"]
    if len(again) > len(weak):
        raise BadValue("text", f"must hold at most {len(weak)} repetitions, got {len(again)}")
    for index, table in zip(weak, again, strict=False):
        results[index] = _repetition(first, index, _results(table))
    return _report(results, "", text)


def _repetition(first: Sequence[BatteryResult], index: int, table: Iterable[BatteryResult]) -> BatteryResult:
    """Return the result in a repetition's table that repeats the result `first[index]`."""

    def same(results: Iterable[BatteryResult]) -> list[BatteryResult]:
        return [r for r in results if (r.test, r.ntup) == (first[index].test, first[index].ntup)]

    again = same(table)
    # Some tests print two lines of the same name: each is repeated by the one in its position.
    place = len(same(first[:index]))
    if place >= len(again):
        raise BadValue("text", f"must hold a repetition of {first[index].test}, got {table!r:.500}")
    return replace(again[place], first=first[index])


def battery(
    tests: str | Iterable[int | str] = "all",
    *,
    seed: int | str = 0,
    options: Sequence[str] = (),
    program: str = _PROGRAM,
    source: Callable[[str], Iterable[bytes]] | None = None,
    scheme: Scheme = SALTED,
    progress: bool | Callable[[str], object] = False,
    threads: int | None = None,
    **fields: Any,
) -> BatteryReport:
    """Run Dieharder on the endless stream, and repeat WEAK results once.

    Parameters
    ----------
    tests : str or iterable of int or str
        "all" for its ``-a``, which takes hours; or test numbers from ``dieharder -l``; "smoke" for a few
        tests of 40 runs, which read about 64 MB.
    seed : int or str
        The seed of the series of rounds; see `random_stream`. Test i of a choice reads series
        ``f"{seed}:{i}"``, and repetitions read series ``f"{seed}:again:{i}"``.
    options : sequence of str
        More arguments, such as ``["-p", "20"]``.
    program : str
        The program's name or path.
    source : callable, optional
        Another generator to test: ``source(series)`` returns its bytes in parts, without end, from the start
        that the text `series` names.
    scheme : Scheme
        The scheme whose digests are tested, such as a game's ``scheme``; not with `source`.
    progress : bool or callable
        Whether to print each line of the program as it comes, or a function to call with each line.
    threads : int, optional
        The most threads of the generator.
    **fields : str, bytes or int
        Fields of the scheme that are the same in all rounds; see `random_stream`.

    Returns
    -------
    BatteryReport
        PASSED, WEAK or FAILED, with the table and the raw output.

    Raises
    ------
    FileNotFoundError
        When the program isn't installed; the message says how to install it.

    Examples
    --------
    >>> report = pf.statistics.dieharder.battery([0, 8], options=["-p", "20"])  # doctest: +SKIP
    >>> pf.statistics.dieharder.battery("smoke", program="a program that isn't there")
    Traceback (most recent call last):
        ...
    FileNotFoundError: dieharder is not installed: ...
    """
    path = shutil.which(program)
    if path is None:
        raise FileNotFoundError(_MISSING)
    if source is not None and not callable(source):
        raise BadType("source", f"must be a function that returns bytes, got {type(source).__name__}")
    if source is not None and (fields or scheme is not SALTED):
        raise BadType("scheme", "isn't supported with source, which makes the bytes")
    name, threads, options = seed_text(seed), threads_of(threads), [*options]
    if source is None:
        # fails early, before the program is started
        random_stream(io.BytesIO(), 0, seed=name, scheme=scheme, **fields)
    show = progress if callable(progress) else (lambda line: print(line, flush=True)) if progress else None
    runs = _runs(tests, options)

    def run(arguments: Sequence[str], series: str) -> str:
        def feed(out: IO[bytes]) -> None:
            if source is None:
                random_stream(out, seed=series, scheme=scheme, threads=threads, **fields)
                return
            with contextlib.suppress(BrokenPipeError):
                for part in source(series):
                    write_all(out.write, part)

        return _run([path, "-g", "200", *arguments], feed, show)

    texts = [run(arguments, f"{name}:{index}") for index, arguments in enumerate(runs)]
    first = [result for text in texts for result in parse_report(text).results]
    if not first:
        raise BadValue("tests", "must not be empty")
    results = [*first]
    for index, result in enumerate(first):
        if result.assessment == "WEAK":
            texts.append(run(["-d", result.test, "-n", str(result.ntup), *options], f"{name}:again:{index}"))
            results[index] = _repetition(first, index, _results(texts[-1]))
    shown = runs[0] if len(runs) == 1 else ["-d", "...", *runs[0][2:]]
    return _report(results, " ".join([program, "-g", "200", *shown]), "".join(texts))


def _report(results: Iterable[BatteryResult], command: str, raw: str) -> BatteryReport:
    """Return the report on a raw output, which names the program's version."""
    version = _HEADER.search(raw)
    return BatteryReport(tuple(results), version[1] if version else "", command, raw)


def _run(
    command: Sequence[str],
    write: Callable[[IO[bytes]], object],
    show: Callable[[str], object] | None,
) -> str:
    """Run a program on the bytes that `write` writes, and return its output."""
    printed: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    errors: list[BaseException] = []

    def feed() -> None:
        assert process.stdin is not None
        try:
            write(process.stdin)
        except BaseException as error:
            errors.append(error)
        # Discard buffered output.
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()

    def read() -> None:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                printed.put(line)
            process.wait()
        finally:
            printed.put(None)

    workers = [threading.Thread(target=target, daemon=True) for target in (feed, read)]
    lines = []
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT) as process:
        try:
            for worker in workers:
                worker.start()
            while (line := _next_line(printed)) is not None:
                text = line.decode("ascii", "replace")
                lines.append(text)
                if show is not None:
                    show(text.rstrip("\n"))
        finally:
            # Some wrappers must first end a child of their own.
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(5)
            process.kill()
            for worker in workers:
                # A thread whose start was interrupted can't be joined.
                if worker.is_alive():
                    worker.join()
    if errors:
        raise errors[0]
    if process.returncode != 0:
        raise RuntimeError(f"dieharder ended with code {process.returncode}: {''.join(lines)[-500:]}")
    return "".join(lines)


def _next_line(printed: queue.SimpleQueue[bytes | None]) -> bytes | None:
    """Wait for the next line; return None on a timeout.

    Waking up regularly lets Python see a Ctrl-C that arrives just before the wait.
    """
    while True:
        with contextlib.suppress(queue.Empty):
            return printed.get(timeout=0.1)


def recorded_run() -> str:
    """Return the output of a complete run of Dieharder, which took one to two hours, for `parse_report`.

    ``provably-fair battery --raw FILE`` made it: 114 results, of which none is weak.
    """
    return files("provably_fair.statistics").joinpath("recorded", "dieharder.txt").read_text("ascii")
