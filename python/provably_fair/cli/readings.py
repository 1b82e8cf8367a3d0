"""The commands that identify a log's game, and that print rounds for testing ports."""

from __future__ import annotations

import json
import re
import shlex
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer

from provably_fair._core.errors import BadType, BadValue
from provably_fair._core.printable import plain
from provably_fair.games.naming import typed_name
from provably_fair.identification import identify as identify_log
from provably_fair.names import games_in
from provably_fair.readings import check_rounds, mistake_of, separating_rounds
from provably_fair.readings.known import searched_games
from provably_fair.verification.options import OPTIONS

from .frame import MISMATCH, VERIFIED
from .log_command import READING, given_options, log_of, takes_options
from .shared import (
    JsonOption,
    ParameterOption,
    ProgressOption,
    SchemeOption,
    answer,
    chosen_game,
    import_from_here,
    show,
    wants_progress,
)


@takes_options("log", *READING)
def identify(
    given: dict[str, Any],
    games: Annotated[
        str | None,
        typer.Option(
            metavar="MODULE",
            help="Also try the games of this module: --games mygames (nothing else is imported)",
        ),
    ] = None,
    anchor: Annotated[
        str | None,
        typer.Option(
            metavar="HASH", help="The hash of a later game, for outcomes without hashes: --anchor HASH"
        ),
    ] = None,
    anchor_limit: Annotated[
        int | None,
        typer.Option(
            help="The most games before the anchor to search, by default what takes about a minute: "
            "--anchor-limit 1000000"
        ),
    ] = None,
    limit: Annotated[
        int, typer.Option(help="The most games to try, counting each assignment of columns: --limit 100000")
    ] = 20_000,
    progress: ProgressOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find out the game of a log, and what its columns are.

    The log is read as by verify, but twice, so it can't come from stdin. The exit code is 0 if a game is
    found, and 1 if none is, or if the match could be chance.

    Examples: provably-fair identify bets.csv; provably-fair identify bets.csv --games mygames --json
    """
    if games is not None:
        import_from_here()
    tried = None if games is None else (*searched_games(), *games_in(games))
    # A config's own log is found from the config
    log = log_of(given) if given["log"] or given["config"] is None else None
    identified = identify_log(
        log,
        tried,
        anchor=anchor,
        anchor_limit=anchor_limit,
        limit=limit,
        progress=wants_progress(progress),
        **given_options(given),
    )
    typed = shlex.join(_typed_again(given))
    text = re.sub("(?m)^(  provably-fair [a-z]+) LOG ", lambda found: f"{found[1]} {typed} ", str(identified))
    if given["config"] is not None:
        with_lines = ", with these lines instead of its own:"
        text = text.replace(" --config log.toml, a file with these lines:", with_lines)
    answer(identified.to_dict(), text, as_json)
    raise typer.Exit(VERIFIED if identified.found else MISMATCH)


def _typed_again(given: dict[str, Any]) -> list[str]:
    """Return the log and its options as typed, without columns, constants and games, printed in full."""
    flags = {name: one.flag for name, one in OPTIONS.items() if one.flag}
    flags |= {"database": "--db", "form": "--format"}
    typed = list(given["log"] or [])
    for name, value in given.items():
        flag, _, opposite = flags.get(name, f"--{name}").partition("/")
        if name in ("log", "columns", "constants", "game_column") or value in (None, []):
            continue
        if isinstance(value, bool):
            typed.append(flag if value else opposite)
            continue
        for one in value if isinstance(value, list) else [value]:
            typed += [flag, str(one.value if isinstance(one, Enum) else one)]
    return typed


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
    pytest: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a pytest file for a port instead: --pytest test_dice.py"),
    ] = None,
) -> None:
    """Print rounds as JSON that test a port of a game.

    Other readings of the game's rule get these rounds wrong. A file is checked against its game, or against
    GAME: nothing is imported because a file says so, so a game of your own must be given. If it gets rounds
    wrong, the readings that give all of its outcomes are named.

    Examples: provably-fair vectors stake.dice > dice.json; provably-fair vectors --check dice.json;
    provably-fair vectors stake.dice --pytest test_dice.py
    """
    if game is None and check is None:
        raise BadType("game", "must be given, or --check with a file")
    chosen: Any = None if game is None else chosen_game(game, param, scheme)
    if pytest is not None:
        if check is not None:
            raise BadValue("pytest", "isn't supported with --check")
        if pytest.exists():
            raise BadValue("pytest", f"must be a new file, got {pytest}, which is there")
        show(f"wrote {separating_rounds(chosen, limit=limit).to_pytest(pytest)}")
        return
    if check is None:
        print(separating_rounds(chosen, limit=limit).to_json())
        return
    try:
        data = json.loads(check.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise BadValue("check", f"must be a JSON file, and {check} isn't: {error}") from None
    wrong = check_rounds(data, chosen)
    count = len(data["rounds"])
    if not count:
        raise BadValue("check", sentence=f"{plain(str(check))}: no rounds, so nothing was checked")
    of = plain(str(data["game"]) if chosen is None else typed_name(chosen))
    said = f"{of}: {count - len(wrong)} of {count} rounds are right"
    show(said + (f", wrong: {wrong}" if wrong else ""))
    if wrong and chosen is not None and (mistake := mistake_of(data, chosen)):
        show(mistake)
    raise typer.Exit(MISMATCH if wrong else VERIFIED)
