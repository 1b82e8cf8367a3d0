"""The commands for raw bytes of a generator, and for test batteries."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from provably_fair._core.errors import BadValue
from provably_fair._core.printable import plain
from provably_fair.games import rounds_of
from provably_fair.seeds import SALTED, Scheme, random_stream
from provably_fair.seeds.schemes import digest_size
from provably_fair.statistics.dieharder import battery as run_battery

from .frame import MISMATCH, drop
from .shared import (
    FieldOption,
    JsonOption,
    SchemeOption,
    chosen_game,
    fields_of,
    games_like,
    print_json,
)

GameOption = Annotated[
    str | None,
    typer.Option(
        "--game",
        "-g",
        metavar="GAME",
        autocompletion=games_like,
        help="The game whose scheme makes the bytes, by default the salted rounds: --game stake.dice",
    ),
]


def stream(
    game: GameOption = None,
    scheme: SchemeOption = None,
    server_seed: Annotated[
        str | None,
        typer.Option("--server-seed", "-s", help='The server seed; by default SHA-256 of "SEED:server".'),
    ] = None,
    client_seed: Annotated[
        str | None,
        typer.Option("--client-seed", "-c", help='The client seed; by default SHA-256 of "SEED:client".'),
    ] = None,
    field: FieldOption = None,
    seed: Annotated[str, typer.Option(help="SEED, the seed of the series of rounds.")] = "0",
    start: Annotated[int, typer.Option(help="The number of the first salt or nonce.", min=0)] = 0,
    rounds: Annotated[
        int | None, typer.Option(help="The number of rounds, each a digest; endless by default.", min=0)
    ] = None,
    numbers: Annotated[
        int | None, typer.Option(help="The number of words, instead of rounds.", min=0)
    ] = None,
    ascii: Annotated[bool, typer.Option("--ascii", help="The text file of dieharder -g 202.")] = False,
    width: Annotated[int, typer.Option(help="Bits of a word: 32 or 64.", min=1)] = 32,
    order: Annotated[str, typer.Option(help='"bytes", or "numbers" for little-endian words.')] = "bytes",
) -> None:
    """Write a generator's raw bytes, for test batteries.

    Each round gives its first digest, whole: 64 bytes of the salted rounds, 32 of a game under HMAC-SHA256.

    Examples: provably-fair stream | dieharder -a -g 200;
    provably-fair stream --game stake.dice | RNG_test stdin32
    """
    if rounds is not None and numbers is not None:
        raise BadValue("rounds", "and numbers must not be given together")
    if sys.stdout.isatty() and not ascii:
        raise BadValue("stdout", "is a terminal: send the bytes to a file or a program")
    chosen, fields = _generator(game, scheme, {"server_seed": server_seed, "client_seed": client_seed}, field)
    if rounds is not None:
        numbers = rounds * digest_size(chosen) * 8 // width
    random_stream(
        sys.stdout.buffer,
        numbers,
        ascii=ascii,
        width=width,
        order=order,
        seed=seed,
        start=start,
        scheme=chosen,
        **fields,
    )
    # The reader is gone: discard the rest of the buffer silently.
    drop(sys.stdout)


def _generator(
    game: str | None, scheme: Path | None, seeds: dict[str, str | None], more: list[str] | None
) -> tuple[Scheme, dict[str, Any]]:
    """Return the scheme that the options name, and the fields that stay constant."""
    if game is None:
        chosen = SALTED if scheme is None else Scheme.load(scheme)
    else:
        played = chosen_game(game, None, scheme)
        chosen = played.scheme
        if own := rounds_of(played).constants:  # games whose players all share constant seeds
            seeds = {**own, **{name: value for name, value in seeds.items() if value is not None}}
    return chosen, fields_of(chosen, seeds, more)


def battery(
    tests: Annotated[
        list[str] | None,
        typer.Argument(
            help='"smoke" (a minute, the default), "all" (hours), or numbers of tests.',
            show_default=False,
        ),
    ] = None,
    game: GameOption = None,
    scheme: SchemeOption = None,
    field: FieldOption = None,
    program: Annotated[str, typer.Option(help="The program's name or path.")] = "dieharder",
    seed: Annotated[str, typer.Option(help="The seed of the series of rounds.")] = "0",
    raw: Annotated[Path | None, typer.Option(help="A file for the program's own output.")] = None,
    report_file: Annotated[
        Path | None, typer.Option("--report", help="A file for the report, as JSON.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Run Dieharder's tests on a generator's bytes.

    The exit code is 1 if a test fails. Other batteries read the bytes of `provably-fair stream`.

    Examples: provably-fair battery; provably-fair battery --game stake.dice 0 8 15
    """
    chosen, fields = _generator(game, scheme, {}, field)
    tests = tests or ["smoke"]
    report = run_battery(
        tests[0] if tests in (["all"], ["smoke"]) else tests,
        program=program,
        seed=seed,
        scheme=chosen,
        progress=lambda line: print(plain(line), file=sys.stderr),
        **fields,
    )
    if raw is not None:
        raw.write_text(report.raw, encoding="utf-8")
    if report_file is not None:
        report_file.write_text(report.to_json(), encoding="utf-8")
    if as_json:
        print_json(report.to_dict())
    else:
        print(report)
    if report.assessment == "FAILED":
        raise typer.Exit(MISMATCH)
