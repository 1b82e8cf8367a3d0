"""The generator's raw bytes, and test batteries on them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from provably_fair._core.errors import BadValue
from provably_fair._core.printable import plain
from provably_fair.seeds import random_stream
from provably_fair.statistics import calibration
from provably_fair.statistics.dieharder import battery as run_battery
from provably_fair.statistics.suites import SUITES

from .frame import drop
from .shared import JsonOption, print_json


def stream(
    server_seed: Annotated[
        str | None,
        typer.Option("--server-seed", "-s", help='The server seed; by default SHA-256 of "SEED:server".'),
    ] = None,
    client_seed: Annotated[
        str | None,
        typer.Option("--client-seed", "-c", help='The client seed; by default SHA-256 of "SEED:client".'),
    ] = None,
    seed: Annotated[str, typer.Option(help="SEED, the seed of the series of salts.")] = "0",
    start: Annotated[int, typer.Option(help="The number of the first salt.", min=0)] = 0,
    rounds: Annotated[
        int | None, typer.Option(help="The number of rounds of 64 bytes; endless by default.", min=0)
    ] = None,
    numbers: Annotated[
        int | None, typer.Option(help="The number of words, instead of rounds.", min=0)
    ] = None,
    ascii: Annotated[bool, typer.Option("--ascii", help="The text file of dieharder -g 202.")] = False,
    width: Annotated[int, typer.Option(help="Bits of a word: 32 or 64.")] = 32,
    order: Annotated[str, typer.Option(help='"bytes", or "numbers" for little-endian words.')] = "bytes",
) -> None:
    """Write the generator's raw bytes, for test batteries.

    Each round gives 64 bytes.

    Example: provably-fair stream | dieharder -a -g 200
    """
    if rounds is not None and numbers is not None:
        raise BadValue("rounds", "and numbers must not be given together")
    if sys.stdout.isatty() and not ascii:
        raise BadValue("stdout", "is a terminal: send the bytes to a file or a program")
    random_stream(
        sys.stdout.buffer,
        numbers if rounds is None else rounds * (8 if width == 64 else 16),
        ascii=ascii,
        width=width,
        order=order,
        seed=seed,
        start=start,
        server_seed=server_seed,
        client_seed=client_seed,
    )
    # What a reader left in the buffer can no longer be written: no complaint at exit.
    drop(sys.stdout)


def battery(
    tests: Annotated[
        list[str] | None,
        typer.Argument(
            help='"smoke" (a minute, the default), "all" (hours), numbers of Dieharder\'s tests, or '
            '"SmallCrush", "Crush" or "BigCrush" of TestU01.',
            show_default=False,
        ),
    ] = None,
    suite: Annotated[str, typer.Option(help=f"The battery: {', '.join(SUITES)}.")] = "dieharder",
    program: Annotated[
        str | None, typer.Option(help="The battery's program, or TestU01's library.", show_default=False)
    ] = None,
    seed: Annotated[str, typer.Option(help="The seed of the series of salts.")] = "0",
    raw: Annotated[Path | None, typer.Option(help="A file for the program's own output.")] = None,
    report_file: Annotated[
        Path | None, typer.Option("--report", help="A file for the report, as JSON.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Run an installed battery of tests on the generator's bytes.

    Dieharder, PractRand, TestU01 or NIST SP 800-22. The exit code is 1 if a test fails.
    """
    tests = tests or ["smoke"]
    report = run_battery(
        tests[0] if tests in (["all"], ["smoke"]) or (suite != "dieharder" and len(tests) == 1) else tests,
        suite=suite,
        program=program,
        seed=seed,
        progress=lambda line: print(plain(line), file=sys.stderr),
    )
    if raw is not None:
        raw.write_text(report.raw, encoding="utf-8")
    if report_file is not None:
        report_file.write_text(report.to_json(), encoding="utf-8")
    if as_json:
        print_json(json.loads(report.to_json()))
    else:
        print(report)
    if report.assessment == "FAILED":
        raise typer.Exit(1)


def calibrate(
    sets: Annotated[int, typer.Option(help="Fair data sets of each size.", min=1)] = 1000,
    level_sets: Annotated[int, typer.Option(help="Fair data sets of each kind and size.", min=1)] = 1000,
    power_sets: Annotated[int, typer.Option(help="Data sets of each defect and size.", min=1)] = 100,
    out: Annotated[Path | None, typer.Option(help="A JSON file; stdout by default.")] = None,
) -> None:
    """Measure the level and the power of the tests of fairness."""
    content = calibration.measure(
        sets, level_sets, power_sets, progress=lambda done: print(done, file=sys.stderr, flush=True)
    )
    text = json.dumps(content, indent=1) + "\n"
    if out is None:
        sys.stdout.write(text)
    else:
        out.write_text(text, encoding="utf-8")
