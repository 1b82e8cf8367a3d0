"""Batteries of tests on the generator's output: Dieharder, PractRand, TestU01 and NIST SP 800-22.

`battery` runs one that is installed on an endless stream; `parse_report` reads their tables. The stream by
itself is `seeds.random_stream`, for `dieharder -g 200` and PractRand to read from a pipe, or as the file that
`dieharder -g 202` reads. From a shell::

    provably-fair stream | dieharder -g 200 -a
    provably-fair stream | RNG_test stdin32
    provably-fair stream --ascii --numbers 1000000 > numbers.txt
    provably-fair battery
    provably-fair battery --suite testu01

Dieharder's ``-a`` reads some 10^11 words. A file is rewound whenever it ends, so with ``-g 202`` and a file
of a billion numbers most tests reuse numbers; a pipe is never rewound.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import queue
import subprocess
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from importlib.resources import files
from typing import IO, TYPE_CHECKING, Any

from provably_fair._core.arguments import BadType, BadValue, check_type, choice, integer, threads_of
from provably_fair._core.lazy import Lister, lister_of
from provably_fair._core.table import Framed, displayed
from provably_fair._core.types import Columns, JsonDict
from provably_fair.seeds import SALTED, Scheme
from provably_fair.seeds.series import seed_text
from provably_fair.seeds.stream import random_stream, write_all

from .suites import SUITES, BatteryResult

if TYPE_CHECKING:
    import pandas

__all__ = ["BatteryReport", "BatteryResult", "battery", "parse_report", "recorded_run"]
__dir__: Lister = lister_of(__all__)


@displayed
@dataclass(frozen=True)
class BatteryReport(Framed):
    """A battery's results.

    A WEAK result is repeated once on new numbers, and the repetition counts. FAILED is final. Dieharder and
    PractRand say themselves what is WEAK or FAILED. Of TestU01 and NIST SP 800-22 p-values are judged as
    Dieharder judges its own: WEAK below 0.005 or above 0.995 (1 % of fair results), FAILED below 10^-6 or
    above 1 - 10^-6. NIST's are judged at the lower end alone: those of uniformity, and the exact binomial
    tail of the sequences that didn't pass.

    Attributes
    ----------
    results : tuple of BatteryResult
        A result for each line of the table.
    version : str
        The program's version, as it names it; "" for NIST's, which doesn't.
    command : str
        The command that was run; "" for a report from a file.
    suite : str
        "dieharder", "practrand", "testu01" or "nist".
    raw : str
        The program's raw output, with repetitions after the first run.
    """

    results: tuple[BatteryResult, ...]
    version: str = ""
    command: str = ""
    raw: str = field(default="", repr=False)
    suite: str = "dieharder"

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
        """Return the report as plain values, without the raw text.

        Examples
        --------
        >>> from provably_fair.statistics.dieharder import parse_report
        >>> report = parse_report("   diehard_birthdays|   0|       100|     100|0.81364424|  PASSED  ")
        >>> report.to_dict()["counts"]
        {'PASSED': 1, 'WEAK': 0, 'FAILED': 0}
        """
        return {
            "suite": self.suite,
            "version": self.version,
            "command": self.command,
            "assessment": self.assessment,
            "counts": self.counts,
            "results": [asdict(result) for result in self.results],
        }

    def to_json(self) -> str:
        """Return `to_dict` as JSON.

        Examples
        --------
        >>> import json
        >>> from provably_fair.statistics.dieharder import parse_report
        >>> report = parse_report("   diehard_birthdays|   0|       100|     100|0.81364424|  PASSED  ")
        >>> json.loads(report.to_json())["results"][0]["pvalue"]
        0.81364424
        """
        return json.dumps(self.to_dict(), indent=1)

    def to_pandas(self) -> pandas.DataFrame:
        """Return the table as a pandas.DataFrame, a row for each result.

        Examples
        --------
        >>> from provably_fair.statistics.dieharder import parse_report
        >>> report = parse_report("   diehard_birthdays|   0|       100|     100|0.81364424|  PASSED  ")
        >>> report.to_pandas()[["test", "pvalue", "repeated"]]
                        test    pvalue  repeated
        0  diehard_birthdays  0.813644     False
        """
        return super().to_pandas()

    def _columns(self) -> Columns:
        names = ("test", "ntup", "tsamples", "psamples", "pvalue", "assessment")
        columns: dict[str, Any] = {name: [getattr(result, name) for result in self.results] for name in names}
        return {**columns, "repeated": [result.first is not None for result in self.results]}

    def __str__(self) -> str:
        places = {"ntup": 5, "tsamples": 11, "psamples": 9}
        shown = {
            name: place
            for name, place in places.items()
            if any(getattr(result, name) is not None for result in self.results)
        }
        width = max(22, *(len(result.test) + 1 for result in self.results))
        heads = "".join(f"{name:>{place}}" for name, place in shown.items())
        lines = [f"{'test':<{width}}{heads}{'p-value':>12}  assessment"]
        for r in self.results:
            again = f" (repeated; first {_shown(r.first.pvalue)})" if r.first else ""
            cells = "".join(f"{getattr(r, name):>{place}}" for name, place in shown.items())
            lines.append(f"{r.test:<{width}}{cells}{_shown(r.pvalue):>12}  {r.assessment}{again}")
        lines.append(", ".join(f"{count} {name}" for name, count in self.counts.items()))
        return "\n".join(lines)


def _shown(pvalue: float | None) -> str:
    return "-" if pvalue is None else f"{pvalue:.8f}" if pvalue >= 1e-6 or not pvalue else f"{pvalue:.3g}"


def parse_report(text: str, runs: int | None = None, *, suite: str = "dieharder") -> BatteryReport:
    """Read the tables that a battery prints.

    Parameters
    ----------
    text : str
        The output of Dieharder, of PractRand's ``RNG_test -a`` (its last table), NIST's
        ``finalAnalysisReport.txt``, or the raw text of `battery`. Lines without results are skipped.
    runs : int, optional
        The number of tables that are first runs. The tables after them are repetitions, as in the raw text of
        `battery` (1 for its "all"): for Dieharder one for each WEAK result in order, for the others one for
        all. By default all are first runs.
    suite : str
        "dieharder", "practrand", "testu01" or "nist".

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
    >>> line = "  BCFN(2+0,13-5,T)                  R= +27.9  p =  2.1e-13    FAIL           "
    >>> parse_report(line, suite="practrand").assessment
    'FAILED'
    """
    check_type("text", text, str)
    choice("suite", suite, SUITES)
    of = SUITES[suite]
    headers = [match.start() for match in of.header.finditer(text)]
    firsts = len(headers) if runs is None else integer("runs", runs, 1)
    # Text before the first header belongs to the first run.
    tables = [text[begin:end] for begin, end in itertools.pairwise([0, *headers[1:], len(text)])]
    results = [result for table in tables[: max(firsts, 1)] for result in of.read(table)]
    if not results:
        raise BadValue("text", f"must hold a table of {suite}, got no line of results")
    again = tables[max(firsts, 1) :]
    weak = [index for index, result in enumerate(results) if result.assessment == "WEAK"]
    most = len(weak) if of.again else min(len(weak), 1)
    if len(again) > most:
        raise BadValue("text", f"must hold at most {most} repetitions, got {len(again)}")
    if again and not of.again:
        again *= len(weak)
    first = tuple(results)
    for index, table in zip(weak, again, strict=False):
        results[index] = _repetition(first, index, of.read(table))
    version = of.version.search(text)
    return BatteryReport(tuple(results), version[1] if version else "", "", text, suite)


def _repetition(first: Sequence[BatteryResult], index: int, table: Iterable[BatteryResult]) -> BatteryResult:
    """Return the result in a repetition's table that repeats the result `first[index]`."""

    def same(results: Iterable[BatteryResult]) -> list[BatteryResult]:
        return [r for r in results if (r.test, r.ntup) == (first[index].test, first[index].ntup)]

    again = same(table)
    # Some tests print two lines of the same name; the repetition is in the same position.
    place = len(same(first[:index]))
    if place >= len(again):
        raise BadValue("text", f"must hold a repetition of {first[index].test}, got {table!r:.500}")
    return replace(again[place], first=first[index])


def battery(
    tests: str | Iterable[int | str] = "all",
    *,
    suite: str = "dieharder",
    seed: int | str = 0,
    options: Sequence[str] = (),
    program: str | None = None,
    source: Callable[[str], Iterable[bytes]] | None = None,
    scheme: Scheme = SALTED,
    progress: bool | Callable[[str], object] = False,
    threads: int | None = None,
    **fields: Any,
) -> BatteryReport:
    """Run an installed battery of tests on the endless stream, and repeat WEAK results once.

    Parameters
    ----------
    tests : str or iterable of int or str
        For Dieharder: "all" for its ``-a``, which takes hours; or test numbers from ``dieharder -l``; "smoke"
        for a few tests of 40 runs, which read about 64 MB. For PractRand: "smoke" reads 64 MB, "all" 1 TB
        (days). For TestU01: "SmallCrush" (also "smoke"; 10 s), "Crush" (half an hour) or "BigCrush" (also
        "all"; hours). For NIST SP 800-22: sequences of a million bits, 55 ("smoke"; minutes) or 1,000 ("all";
        an hour).
    suite : str
        "dieharder", "practrand", "testu01" or "nist".
    seed : int or str
        The seed of the series of rounds; see `random_stream`. Test i of a choice reads series
        ``f"{seed}:{i}"``, and repetitions read series ``f"{seed}:again:{i}"``.
    options : sequence of str
        More arguments for Dieharder or PractRand, such as ``["-p", "20"]``.
    program : str, optional
        The program's name or path: dieharder, RNG_test or assess by default; for TestU01 the library's.
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

    Notes
    -----
    Of Dieharder each WEAK result is repeated by itself. Of the others the whole run is repeated once, and
    only what was WEAK counts.

    Examples
    --------
    >>> from provably_fair.statistics.dieharder import battery
    >>> report = battery([0, 8], options=["-p", "20"])  # doctest: +SKIP
    >>> report = battery("SmallCrush", suite="testu01")  # doctest: +SKIP
    >>> battery("smoke", program="a program that isn't there")
    Traceback (most recent call last):
        ...
    FileNotFoundError: dieharder is not installed: ...
    """
    choice("suite", suite, SUITES)
    of = SUITES[suite]
    program = of.program if program is None else program
    path = of.find(program)
    if path is None:
        raise FileNotFoundError(of.install)
    if source is not None and not callable(source):
        raise BadType("source", f"must be a function that returns bytes, got {type(source).__name__}")
    if source is not None and (fields or scheme is not SALTED):
        raise BadType("scheme", "isn't supported with source, which makes the bytes")
    name = seed_text(seed)
    threads = threads_of(threads)
    if source is None:
        # fails early, before the program is started
        random_stream(io.BytesIO(), 0, seed=name, scheme=scheme, **fields)
    show = progress if callable(progress) else (lambda line: print(line, flush=True)) if progress else None
    options = [*options]
    runs = of.runs(tests, options)

    def run(arguments: Sequence[str], series: str) -> str:
        def feed(out: IO[bytes]) -> None:
            if source is None:
                random_stream(out, seed=series, scheme=scheme, threads=threads, **fields)
                return
            with contextlib.suppress(BrokenPipeError):
                for part in source(series):
                    write_all(out.write, part)

        return _run(of.command(path, arguments), feed, show, suite)

    texts = [run(arguments, f"{name}:{index}") for index, arguments in enumerate(runs)]
    results = [result for text in texts for result in parse_report(text, suite=suite).results]
    if not results:
        raise BadValue("tests", "must not be empty")
    first = tuple(results)
    for index, result in enumerate(first):
        if result.assessment == "WEAK":
            if of.again or len(texts) == len(runs):
                arguments = of.again(result, options) if of.again else runs[0]
                texts.append(run(arguments, f"{name}:again:{index}"))
            results[index] = _repetition(first, index, of.read(texts[-1]))
    raw = "".join(texts)
    version = of.version.search(raw)
    shown = runs[0] if len(runs) == 1 or not of.again else ["-d", "...", *runs[0][2:]]
    line = of.command(program, shown)
    command = " ".join(line[line.index(program) :])
    return BatteryReport(tuple(results), version[1] if version else "", command, raw, suite)


def _run(
    command: Sequence[str],
    write: Callable[[IO[bytes]], object],
    show: Callable[[str], object] | None,
    suite: str,
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
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as process:
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
        raise RuntimeError(f"{suite} ended with code {process.returncode}: {''.join(lines)[-500:]}")
    return "".join(lines)


def _next_line(printed: queue.SimpleQueue[bytes | None]) -> bytes | None:
    """Wait for the next line; return None on a timeout.

    Waking up regularly lets Python see a Ctrl-C that arrives just before the wait.
    """
    while True:
        with contextlib.suppress(queue.Empty):
            return printed.get(timeout=0.1)


def recorded_run() -> str:
    """Return the output of a complete run of Dieharder, which took one to two hours.

    ``provably-fair battery --raw FILE`` made it.

    Returns
    -------
    str
        The run and its repetitions, for `parse_report`.

    Examples
    --------
    >>> from provably_fair.statistics.dieharder import parse_report, recorded_run
    >>> parse_report(recorded_run(), runs=1).counts
    {'PASSED': 114, 'WEAK': 0, 'FAILED': 0}
    """
    return files("provably_fair.statistics").joinpath("recorded", "dieharder.txt").read_text("ascii")
