"""The command that locates outcomes without hashes on a chain."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from provably_fair import locating
from provably_fair.verification import Log

from .log_command import READING, given_options, log_of, takes_options
from .shared import (
    JsonOption,
    ProgressOption,
    ThreadsOption,
    check_outputs,
    chosen_game,
    games_like,
    hand_over,
    wants_progress,
)


@takes_options("log", *READING)
def locate(
    given: dict[str, Any],
    anchor: Annotated[
        str | None,
        typer.Option(metavar="HASH", help="The hash of a later game, or of the last: --anchor HASH"),
    ] = None,
    game: Annotated[
        list[str] | None,
        typer.Option(
            "--game",
            "-g",
            metavar="GAME",
            autocompletion=games_like,
            help="The game, or several: --game roobet.crash (default: all known games on a chain)",
        ),
    ] = None,
    anchor_number: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="The anchor's game number: --anchor-number 815327")
    ] = None,
    limit: Annotated[
        int, typer.Option(help="The most games before the anchor to search: --limit 1000000")
    ] = 10_000_000,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the report as one page: --html where.html")
    ] = None,
    threads: ThreadsOption = None,
    progress: ProgressOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find where outcomes without hashes lie on a hash chain.

    The log has one outcome per row, in the order of play or newest first, in a column `outcome` (or
    --column outcome=NAME). The exit code is 0 if every row is placed and agrees, and 1 if not.

    Examples: provably-fair locate busts.csv --game roobet.crash --anchor HASH; with all of that in a file
    provably-fair locate --config series.toml
    """
    log = log_of(given)
    games = [chosen_game(text, None, None) for text in game] if game else None
    check_outputs([log, given["config"]], html=html)
    location = locating.locate(
        Log(log, **given_options(given)),
        games,
        anchor=anchor,
        anchor_number=anchor_number,
        limit=limit,
        threads=threads,
        progress=wants_progress(progress),
    )
    hand_over(location, html, None, as_json, failed="")
