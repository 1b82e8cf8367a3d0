"""The generator's output for external test batteries, and runs of Dieharder on it.

`stream` writes the generator's output, for `dieharder -g 200` and PractRand to read from a pipe, or
as the file that `dieharder -g 202` reads. `battery` runs an installed Dieharder on an endless stream;
`parse_report` reads its table. From a shell::

    python -m provably_fair.battery stream | dieharder -g 200 -a
    python -m provably_fair.battery stream | RNG_test stdin32
    python -m provably_fair.battery stream --ascii --numbers 1000000 > numbers.txt
    python -m provably_fair.battery run

Dieharder's ``-a`` reads some 10^11 words. A file is rewound whenever it ends, so with ``-g 202`` and a file
of a billion numbers most tests reuse numbers; a pipe is never rewound.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import queue
import re
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.resources import files
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from provably_fair._core.arguments import integer, threads_of
from provably_fair._core.table import Framed, short_repr
from provably_fair._core.types import Columns, JsonDict, Text
from provably_fair.seeds.generator import random_bytes, salts
from provably_fair.seeds.series import seed_text, simulation_seeds

if TYPE_CHECKING:
    import pandas

__all__ = ["BatteryReport", "BatteryResult", "battery", "parse_report", "random_stream", "recorded_run"]

INSTALL = "dieharder is not installed: apt-get install dieharder (Debian, Ubuntu), brew install dieharder"
"""What to do where there is no Dieharder."""

SMOKE = ("0", "8", "15", "100", "101")
"""Numbers of the tests of a short run, which reads about 64 MB."""

# Runs of each test in a short run; Dieharder's default is 100.
_SMOKE_OPTIONS = ("-p", "40")

# Rounds that are made at a time: 4 MiB of bytes.
_CHUNK = 1 << 16


def random_stream(
    out: IO[Any],
    numbers: int | None = None,
    *,
    ascii: bool = False,
    width: int = 32,
    order: str = "bytes",
    seed: int | str = 0,
    start: int = 0,
    server_seed: Text | None = None,
    client_seed: Text | None = None,
    threads: int | None = None,
) -> int:
    """Write the generator's output as words for a test battery, in constant memory.

    Round ``i`` gives the 64 bytes of ``random_bytes(server_seed, client_seed, salt, cursor=0)``, with
    salt ``start + i`` of `salts`; rounds follow each other without a gap.

    Parameters
    ----------
    out : file object
        Where to write: a binary file, or with `ascii` a binary or a text file.
    numbers : int, optional
        The number of words to write; by default endless, until the reader closes the pipe.
    ascii : bool
        Whether to write the text that ``dieharder -g 202`` reads: a header with the count, so `numbers` is
        required, then one number per line.
    width : int
        Bits per word, 32 or 64. Dieharder reads 32, PractRand's ``stdin64`` reads 64.
    order : str
        "bytes": the 64 bytes as they are; a word's first byte is its least significant one where a
        little-endian machine reads it, and in the text. "numbers": the first byte of a word is its most
        significant one, as in the numbers of `random_numbers`, of which each word of 64 bits is one;
        raw words are written for little-endian machines, so the bytes of each are reversed.
    seed : int or str
        The seed of the series of salts.
    start : int
        The number of the first salt.
    server_seed, client_seed : str or bytes, optional
        The SHA-256 of ``f"{seed}:server"`` and of ``f"{seed}:client"`` in hexadecimal by default.
    threads : int, optional
        The most threads to use; as many as the machine has by default.

    Returns
    -------
    int
        The number of words written, not counting a last chunk that the reader didn't take in full.

    Raises
    ------
    TypeError, ValueError
        When an argument has the wrong type or value.

    Examples
    --------
    >>> import io
    >>> import provably_fair as pf
    >>> out = io.BytesIO()
    >>> pf.random_stream(out, 16)
    16
    >>> out.getvalue()[:4].hex(" ")
    '4e 77 cb 23'
    >>> pf.random_stream(out, 1, ascii=True)
    1
    >>> int(out.getvalue().split()[-1]) == int.from_bytes(out.getvalue()[:4], "little")
    True
    """
    if not callable(getattr(out, "write", None)):
        raise TypeError(f"out must be a file object, got {type(out).__name__}")
    left = None if numbers is None else integer("numbers", numbers, 0, 2**63 - 1)
    if width not in (32, 64):
        raise ValueError(f"width must be 32 or 64, got {width!r}")
    if order not in ("bytes", "numbers"):
        raise ValueError(f'order must be "bytes" or "numbers", got {order!r}')
    if ascii and left is None:
        raise ValueError("numbers must be given with ascii: the header of -g 202 states the count")
    name = seed_text(seed)
    salt = integer("start", start, 0, 2**64 - 1)
    threads = threads_of(threads)
    server_seed, client_seed = simulation_seeds(name, server_seed, client_seed)
    per_round = 512 // width
    written = 0
    write_text = _text_writer(out)
    try:
        if ascii:
            write_text(_header(left, width, name))
        while left is None or left > 0:
            rounds = _CHUNK if left is None else min(_CHUNK, -(-left // per_round))
            series = salts(rounds, name, salt)
            made = np.asarray(random_bytes(server_seed, client_seed, series, threads=threads))
            words = made.reshape(-1).view(f"{'<' if order == 'bytes' else '>'}u{width // 8}")
            if left is not None:
                words = words[:left]
                left -= len(words)
            if ascii:
                write_text("\n".join(map(str, words.tolist())) + "\n")
            else:
                _write_all(out.write, words.astype(f"<u{width // 8}", copy=False).tobytes())
            written += len(words)
            salt += rounds
        out.flush()
    except BrokenPipeError:
        pass  # the reader has enough
    return written


def _write_all(write: Callable[[Any], Any], data: bytes) -> None:
    """Write everything: raw pipes may take a part at a time."""
    left = memoryview(data)
    while left:
        taken = write(left)
        left = left[len(left) if taken is None else taken :]


def _text_writer(out: IO[Any]) -> Callable[[str], Any]:
    if hasattr(out, "encoding"):
        return out.write
    return lambda text: _write_all(out.write, text.encode("ascii"))


def _header(numbers: int | None, width: int, seed: str) -> str:
    rule = "#" + "=" * 66
    shown = seed.encode("unicode_escape").decode("ascii")
    return (
        f"{rule}\n# generator provably_fair  seed = {shown}\n{rule}\n"
        f"type: d\ncount: {numbers}\nnumbit: {width}\n"
    )


@dataclass(frozen=True, repr=False)
class BatteryResult:
    """One line of Dieharder's table.

    Attributes
    ----------
    test : str
        The test's name.
    ntup : int
        Its parameter: bits, dimensions or lag.
    tsamples, psamples : int
        The samples of a run, and the number of runs, each with one p-value.
    pvalue : float
        The p-value of the Kolmogorov-Smirnov test of the p-values of all runs.
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

    __repr__ = short_repr


@dataclass(frozen=True, repr=False)
class BatteryReport(Framed):
    """Dieharder's results.

    A WEAK result (a p-value below 0.005 or above 0.995, as in 1 % of fair results) is repeated once on new
    numbers, and the repetition counts. FAILED is final.

    Attributes
    ----------
    results : tuple of BatteryResult
        A result for each line of the table.
    version : str
        Dieharder's version, as its header names it.
    command : str
        The command that was run; "" for a report from a file.
    raw : str
        Dieharder's raw output, with repetitions after the first run.
    """

    results: tuple[BatteryResult, ...]
    version: str = ""
    command: str = ""
    raw: str = ""

    __repr__ = short_repr

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
        >>> from provably_fair.dieharder import parse_report
        >>> report = parse_report("   diehard_birthdays|   0|       100|     100|0.81364424|  PASSED  ")
        >>> report.to_dict()["counts"]
        {'PASSED': 1, 'WEAK': 0, 'FAILED': 0}
        """
        return {
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
        >>> from provably_fair.dieharder import parse_report
        >>> report = parse_report("   diehard_birthdays|   0|       100|     100|0.81364424|  PASSED  ")
        >>> json.loads(report.to_json())["results"][0]["pvalue"]
        0.81364424
        """
        return json.dumps(self.to_dict(), indent=1)

    def to_pandas(self) -> pandas.DataFrame:
        """Return the table as a pandas.DataFrame, a row for each result.

        Examples
        --------
        >>> from provably_fair.dieharder import parse_report
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
        lines = [f"{'test':<22}{'ntup':>5}{'tsamples':>11}{'psamples':>9}{'p-value':>12}  assessment"]
        for r in self.results:
            again = f" (repeated; first {r.first.pvalue:.8f})" if r.first else ""
            lines.append(
                f"{r.test:<22}{r.ntup:>5}{r.tsamples:>11}{r.psamples:>9}{r.pvalue:>12.8f}  "
                f"{r.assessment}{again}"
            )
        lines.append(", ".join(f"{count} {name}" for name, count in self.counts.items()))
        return "\n".join(lines)


# Spaces and tabs, not white space: nothing of a result goes on over lines, so the search is linear.
_LINE = re.compile(
    r"^[ \t]*([A-Za-z]\w*)[ \t]*\|[ \t]*(\d{1,9})[ \t]*\|[ \t]*(\d{1,18})[ \t]*\|[ \t]*(\d{1,18})[ \t]*"
    r"\|[ \t]*(\d+\.\d*(?:[eE][+-]?\d+)?|nan)[ \t]*\|[ \t]*(PASSED|WEAK|FAILED)",
    re.MULTILINE | re.ASCII,
)
_VERSION = re.compile(r"dieharder version (\S+)")


def parse_report(text: str, runs: int | None = None) -> BatteryReport:
    """Read the tables that Dieharder prints.

    Parameters
    ----------
    text : str
        Dieharder's output. Lines without results are skipped.
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
    >>> from provably_fair.dieharder import parse_report
    >>> report = parse_report("   diehard_birthdays|   0|       100|     100|0.81364424|  PASSED  ")
    >>> report.assessment, report.results[0].pvalue
    ('PASSED', 0.81364424)
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be str, got {type(text).__name__}")
    cuts = [0, len(text)]
    if runs is not None:
        headers = [match.start() for match in _VERSION.finditer(text)]
        cuts[1:1] = headers[integer("runs", runs, 1) :]
    tables = [text[begin:end] for begin, end in itertools.pairwise(cuts)]
    results = [_result(match) for match in _LINE.finditer(tables[0])]
    if not results:
        raise ValueError("text must hold a table of dieharder, got no line of results")
    weak = [index for index, result in enumerate(results) if result.assessment == "WEAK"]
    if len(tables) - 1 > len(weak):
        raise ValueError(f"text must hold at most {len(weak)} repetitions, got {len(tables) - 1}")
    first = tuple(results)
    for index, table in zip(weak, tables[1:], strict=False):
        results[index] = _repetition(first, index, table)
    version = _VERSION.search(text)
    return BatteryReport(tuple(results), version[1] if version else "", "", text)


def _repetition(first: Sequence[BatteryResult], index: int, table: str) -> BatteryResult:
    """Return the line of a repetition's table that repeats the result `first[index]`."""

    def same(results: Iterable[BatteryResult]) -> list[BatteryResult]:
        return [r for r in results if (r.test, r.ntup) == (first[index].test, first[index].ntup)]

    again = same(_result(match) for match in _LINE.finditer(table))
    # Some tests print two lines of one name: the repetition is the line in the same place.
    place = len(same(first[:index]))
    if place >= len(again):
        raise ValueError(f"text must hold a repetition of {first[index].test}, got {table[:500]!r}")
    return replace(again[place], first=first[index])


def _result(match: re.Match[str]) -> BatteryResult:
    test, ntup, tsamples, psamples, pvalue, assessment = match.groups()
    return BatteryResult(test, int(ntup), int(tsamples), int(psamples), float(pvalue), assessment)


def battery(
    tests: str | Iterable[int | str] = "all",
    *,
    seed: int | str = 0,
    options: Sequence[str] = (),
    program: str = "dieharder",
    progress: bool | Callable[[str], object] = False,
    threads: int | None = None,
) -> BatteryReport:
    """Run an installed Dieharder on the endless `stream`, and repeat WEAK results once.

    Parameters
    ----------
    tests : str or iterable of int or str
        "all" for Dieharder's ``-a``, which takes hours; or test numbers from ``dieharder -l``. "smoke" for a
        few tests of 40 runs, which read about 64 MB.
    seed : int or str
        The seed of the series of salts; see `stream`. Test i of a choice reads series
        ``f"{seed}:{i}"``, and repetitions read series ``f"{seed}:again:{i}"``.
    options : sequence of str
        More arguments for Dieharder, such as ``["-p", "20"]``.
    program : str
        Dieharder's name or path.
    progress : bool or callable
        Whether to print each line of Dieharder as it comes, or a function to call with each line.
    threads : int, optional
        The most threads of the generator.

    Returns
    -------
    BatteryReport
        PASSED, WEAK or FAILED, with the table and the raw output.

    Raises
    ------
    FileNotFoundError
        When Dieharder isn't installed; the message says how to install it.

    Examples
    --------
    >>> from provably_fair.dieharder import battery
    >>> report = battery([0, 8], options=["-p", "20"])  # doctest: +SKIP
    >>> battery("smoke", program="a program that isn't there")
    Traceback (most recent call last):
        ...
    FileNotFoundError: dieharder is not installed: ...
    """
    path = shutil.which(program)
    if path is None:
        raise FileNotFoundError(INSTALL)
    name = seed_text(seed)
    show = progress if callable(progress) else (lambda line: print(line, flush=True)) if progress else None
    if tests == "all":
        runs: list[list[str]] = [["-a"]]
    elif isinstance(tests, str) and tests != "smoke":
        raise ValueError(f'tests must be "all", "smoke" or numbers of tests, got {tests!r}')
    else:
        numbers = SMOKE if tests == "smoke" else tests
        options = [*(_SMOKE_OPTIONS if tests == "smoke" else ()), *options]
        runs = [["-d", str(test)] for test in numbers]
    raw = ""
    results: list[BatteryResult] = []
    for index, arguments in enumerate(runs):
        text = _run(path, [*arguments, *options], f"{name}:{index}", show, threads)
        raw += text
        results += parse_report(text).results
    if not results:
        raise ValueError("tests must name at least one test, got none")
    first = tuple(results)
    for index, result in enumerate(first):
        if result.assessment == "WEAK":
            arguments = ["-d", result.test, "-n", str(result.ntup), *options]
            text = _run(path, arguments, f"{name}:again:{index}", show, threads)
            raw += text
            results[index] = _repetition(first, index, text)
    version = _VERSION.search(raw)
    command = f"{program} -g 200 {' '.join([*(runs[0] if tests == 'all' else ['-d', '...']), *options])}"
    return BatteryReport(tuple(results), version[1] if version else "", command, raw)


def _run(
    path: str,
    arguments: Sequence[str],
    series: str,
    show: Callable[[str], object] | None,
    threads: int | None,
) -> str:
    """Run Dieharder on a stream, and return what it printed."""
    printed: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    errors: list[BaseException] = []

    def feed() -> None:
        assert process.stdin is not None
        try:
            random_stream(process.stdin, seed=series, threads=threads)
        except BaseException as error:
            errors.append(error)
        # What was still buffered isn't wanted.
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
        [path, "-g", "200", *arguments],
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
            process.kill()
            for worker in workers:
                # One whose start was interrupted can't be joined.
                if worker.is_alive():
                    worker.join()
    if errors:
        raise errors[0]
    if process.returncode != 0:
        raise RuntimeError(f"dieharder ended with code {process.returncode}: {''.join(lines)[-500:]}")
    return "".join(lines)


def _next_line(printed: queue.SimpleQueue[bytes | None]) -> bytes | None:
    """Wait for the next line, or None.

    It wakes now and then: a Ctrl-C between Python's last look for signals and a wait doesn't end that wait.
    """
    while True:
        with contextlib.suppress(queue.Empty):
            return printed.get(timeout=0.1)


def recorded_run() -> str:
    """Return what a complete run of Dieharder wrote, which comes with the package: it takes one to two hours.

    ``python -m provably_fair.battery run --raw FILE`` made it.

    Returns
    -------
    str
        The run and its repetitions, for `parse_report`.

    Examples
    --------
    >>> from provably_fair.dieharder import parse_report, recorded_run
    >>> parse_report(recorded_run(), runs=1).counts
    {'PASSED': 114, 'WEAK': 0, 'FAILED': 0}
    """
    return files("provably_fair.statistics").joinpath("recorded", "dieharder.txt").read_text("ascii")
