"""The command that writes a game in JavaScript."""

from __future__ import annotations

from provably_fair.ports import javascript

from .shared import GameArgument, ParameterOption, SchemeOption, chosen_game


def port(game: GameArgument, param: ParameterOption = None, scheme: SchemeOption = None) -> None:
    """Write a game as a module of JavaScript, which verifies its rounds.

    It exports outcome(fields), steps(fields) and commitments(fields), and imports npm's @noble/hashes alone.

    Examples: provably-fair port stake.mines:mines=5 > mines.mjs; provably-fair port mygames:Keno > keno.mjs
    """
    print(javascript(chosen_game(game, param, scheme)), end="")
