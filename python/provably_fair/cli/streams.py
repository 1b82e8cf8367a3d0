"""The generator's raw bytes, and test batteries on them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from provably_fair._core.printable import plain
from provably_fair.statistics.dieharder import battery as run_battery
from provably_fair.statistics.dieharder import stream as write_stream

from . import battery as battery_command
from .shared import JsonOption, drop, print_json


def stream(
    server_seed: Annotated[
        str | None,
        typer.Option("--server-seed", "-s", help='The server seed; by default SHA-256 of "SEED:server".'),
    ] = None,
    client_seed: Annotated[
        str | None,
        typer.Option("--client-seed", "-c", help='The client seed; by default SHA-256 of "SEED:client".'),
    ] = None,
    seed: Annotated[str, typer.Option(help="SEED, the name of the series of salts.")] = "0",
    start: Annotated[int, typer.Option(help="The number of the first salt.", min=0)] = 0,
    rounds: Annotated[
        int | None, typer.Option(help="How many rounds of 64 bytes; endless without.", min=0)
    ] = None,
) -> None:
    """Write the generator's raw bytes to stdout, 64 for each round, for test batteries.

    Example: provably-fair stream | dieharder -a -g 200
    """
    if sys.stdout.isatty():
        raise ValueError("stdout is a terminal: send the bytes to a file or a program")
    words = None if rounds is None else 16 * rounds
    write_stream(
        sys.stdout.buffer, words, seed=seed, start=start, server_seed=server_seed, client_seed=client_seed
    )
    # What a reader left in the buffer can't be written any more: no complaint at exit.
    drop(sys.stdout)


def battery(
    tests: Annotated[
        list[str] | None, typer.Argument(help=f"{battery_command.TESTS}.", show_default=False)
    ] = None,
    seed: Annotated[str, typer.Option(help="The name of the series of salts.")] = "0",
    raw: Annotated[Path | None, typer.Option(help="A file for Dieharder's own output.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Run an installed Dieharder on the generator's bytes; a test that fails twice is exit code 1."""
    report = run_battery(
        battery_command.chosen(tests),
        seed=seed,
        progress=lambda line: print(plain(line), file=sys.stderr),
    )
    if raw is not None:
        raw.write_text(report.raw, encoding="utf-8")
    if as_json:
        print_json(json.loads(report.to_json()))
    else:
        print(report)
    if report.assessment == "FAILED":
        raise typer.Exit(1)
