"""Systems of logs: for each, its fields and the verification of rows."""

from collections.abc import Mapping
from functools import singledispatch

from provably_fair._core.errors import BadType, BadValue
from provably_fair.games import Game
from provably_fair.games.game import refuse_unmade
from provably_fair.names import named_games, parse_subject
from provably_fair.operators.registry import NAMED, operator_named
from provably_fair.seeds.schemes import COMMITMENT as COMMITMENT, SALT_COMMITMENT as SALT_COMMITMENT

from .findings import among as among
from .mixed import GAME as GAME, MixedGames, named_column as named_column, rows_of_games as rows_of_games
from .notations import Notations as Notations, compared_by as compared_by, read_as as read_as
from .rounds import GameRounds
from .statuses import STATUS as STATUS
from .system import (
    FIELD as FIELD,
    KINDS as KINDS,
    OTHER_GAME as OTHER_GAME,
    SECRETS as SECRETS,
    UNREVEALED as UNREVEALED,
    Field as Field,
    Found as Found,
    Rows as Rows,
    System as System,
)


def names_games(games: object) -> bool:
    """Return whether this is a mapping of a column's values to games, rather than a game."""
    return games is None or isinstance(games, Mapping) or (isinstance(games, str) and games in NAMED)


def system_by_column(games: object) -> System:
    """Return the system of logs whose games are in a column."""
    if games is None or (isinstance(games, str) and games in NAMED):
        games = named_games(games)
    if not isinstance(games, Mapping) or not games:
        raise BadType("game", f"must be a mapping of games, an operator or None, got {type(games).__name__}")
    return MixedGames({str(name): None if game is None else system_of(game) for name, game in games.items()})


@singledispatch
def system_of(value: object) -> System:
    """Return the system of a game or of its name."""
    from .dice import system_of_dice

    found = system_of_dice(value)
    if found is not None:
        return found
    refuse_unmade("game", value)
    kinds = 'a game, such as pf.Dice() or "dice", or fpclub.HashedDice or Combined'
    raise BadType("game", f"must be {kinds}, got {type(value).__name__}")


@system_of.register
def _(value: str) -> System:
    if operator_named(value).eras:
        from .eras import EraRounds

        return EraRounds(value)
    try:
        named = parse_subject(value)
    except ValueError as error:
        if value in NAMED:
            more = ", or the log's column of games must be named: game_column="
            raise BadValue("game", sentence=f"{error}{more}") from None
        raise BadValue("game", f"must name the game of the log: {error}") from None
    return system_of(named)


system_of.register(Game, GameRounds)
