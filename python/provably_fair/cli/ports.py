"""The commands that write a game in JavaScript, and the page on which players verify rounds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from provably_fair import ports
from provably_fair._core.errors import BadValue

from .shared import GameArgument, ParameterOption, SchemeOption, chosen_game, games_like, show


def port(game: GameArgument, param: ParameterOption = None, scheme: SchemeOption = None) -> None:
    """Write a game as a module of JavaScript.

    It verifies rounds by outcome(fields), steps(fields) and commitments(fields), and imports npm's
    @noble/hashes alone.

    Examples: provably-fair port stake.mines:mines=5 > mines.mjs; provably-fair port mygames:Keno > keno.mjs
    """
    print(ports.javascript(chosen_game(game, param, scheme)), end="")


def page(
    games: Annotated[
        list[str],
        typer.Argument(
            metavar="GAME...",
            autocompletion=games_like,
            help="The games, with their parameters: stake.dice, mines:mines=5, or your own, module:Keno; "
            "all for the games of all operators",
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The file to write: --output verify.html")],
    title: Annotated[
        str | None, typer.Option(help='The title of the page: --title "Verify your round"')
    ] = None,
    param: ParameterOption = None,
    scheme: SchemeOption = None,
) -> None:
    """Write the page on which players verify rounds.

    It is one HTML file, which opens from disk or from any server, and sends nothing.

    Examples: provably-fair page stake.dice stake.mines --output verify.html;
    provably-fair page mygames:Keno --scheme scheme.toml --output verify.html
    """
    every = games == ["all"] and not param and scheme is None
    if "all" in games and not every:
        raise BadValue("games", "must be all alone, without parameters or a scheme, or the names of games")
    chosen = "all" if every else [chosen_game(game, param, scheme) for game in games]
    show(f"wrote {ports.page(chosen, output, title=title)}")
