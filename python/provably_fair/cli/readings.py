"""Readings: whose method a log is of, and rounds that tell readings of a game apart."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from provably_fair._core.errors import BadType, BadValue
from provably_fair.names import games_in
from provably_fair.readings import check_rounds, known_games, separating_rounds
from provably_fair.verification import identify as identify_log

from .shared import (
    MISMATCH,
    VERIFIED,
    JsonOption,
    ParameterOption,
    SchemeOption,
    chosen_game,
    print_json,
    show,
)


def identify(
    log: Annotated[
        list[str], typer.Argument(metavar="LOG...", help="A file or a folder of rounds, or several")
    ],
    games: Annotated[
        str | None,
        typer.Option(
            metavar="MODULE",
            help="Also try the games of this module: --games mygames (nothing else is imported)",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Find out the game of a log, and what its columns are.

    The exit code is 0 if a game is found, and 1 if none is, or if the match could be chance.

    Examples: provably-fair identify bets.csv; provably-fair identify bets.csv --games mygames --json
    """
    if games is not None and "" not in sys.path:
        sys.path.insert(0, "")
    tried = None if games is None else (*known_games(), *games_in(games))
    found = identify_log(log, tried)
    if as_json:
        print_json(found.to_dict())
    else:
        show(str(found).replace(" LOG ", f" {shlex.join(log)} ", 1))
    raise typer.Exit(MISMATCH if found.best is None else VERIFIED)


def vectors(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="A game, with its parameters: stake.mines:mines=5")
    ] = None,
    param: ParameterOption = None,
    scheme: SchemeOption = None,
    limit: Annotated[int, typer.Option(help="The most rounds: --limit 20")] = 20,
    check: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Play the rounds of a file again: vectors --check dice.json"),
    ] = None,
) -> None:
    """Print rounds as JSON that test a port of a game.

    Other readings of the game's rule get these rounds wrong. A file is checked against its game, or against
    GAME: nothing is imported because a file says so, so a game of your own must be given.

    Examples: provably-fair vectors stake.dice > dice.json; provably-fair vectors --check dice.json
    """
    if game is None and check is None:
        raise BadType("game", "must be given, or --check with a file")
    chosen: Any = None if game is None else chosen_game(game, param, scheme)
    if check is None:
        print(separating_rounds(chosen, limit=limit).to_json())
        return
    try:
        data = json.loads(check.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BadValue("check", f"must be a JSON file, and {check} isn't: {error}") from None
    wrong = check_rounds(data, chosen)
    count = len(data["rounds"])
    show(f"{count - len(wrong)} of {count} rounds are right" + (f", wrong: {wrong}" if wrong else ""))
    raise typer.Exit(MISMATCH if wrong else VERIFIED)
