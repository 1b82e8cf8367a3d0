"""Games named by text, as on a command line."""

from __future__ import annotations

import sys
from ast import literal_eval
from collections.abc import Iterable, Sequence
from dataclasses import fields
from difflib import get_close_matches
from pkgutil import resolve_name
from types import ModuleType
from typing import Any

from provably_fair import cards, operators
from provably_fair._core.errors import BadValue
from provably_fair._core.lazy import lister_of
from provably_fair.games import Game
from provably_fair.games.parameters import changed
from provably_fair.operators.salted import GAMES

__all__ = ["games_in", "import_object", "known_names", "named_games", "parse_game", "parse_subject"]
__dir__ = lister_of(__all__)

_OPERATORS = ", or an operator's, such as stake.dice"
_OWN = ", or one of your own, package.module:Class"
# FPClub's dice can be typed too, but they are no operator's rounds: logs aren't tried for them.
_TYPED = (*operators.NAMED, "fpclub")
_OTHERS = ("video-poker", "blackjack", "hashed-dice", "combined-dice")


def import_object(text: str) -> Any:
    """Return what a text names in a module: ``package.module:Name``.

    The module is run, so the text must be the user's own, never that of a log or a request.
    """
    module_name, _, name = text.partition(":")
    try:
        return resolve_name(text)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
            raise  # a module of another name, which this one imports
        sentence = f"the module {module_name} of {text} isn't found: {error}"
        raise BadValue("game", sentence=sentence) from None
    except AttributeError:
        module = sys.modules.get(module_name)
        if module is None or hasattr(module, name.partition(".")[0]):
            raise
        games = [known for known, value in vars(module).items() if _is_own(value) and value is not Game]
        listed = f": it has the games {', '.join(games)}" if games else ""
        raise BadValue("game", sentence=f"the module {module_name} has no {name}{listed}") from None


def games_in(text: str) -> list[Game]:
    """Return the games of a module, which is run, or the one that a text names in it: ``module:Class``."""
    found = import_object(text)
    values = vars(found).values() if isinstance(found, ModuleType) else [found]
    kinds = dict.fromkeys(value for value in values if _is_own(value) and value is not Game)
    if not kinds:
        raise BadValue("game", sentence=f"{text} must have a game or a class derived from Game, and has none")
    return [value if isinstance(value, Game) else value() for value in kinds]


def _is_own(value: object) -> bool:
    return isinstance(value, Game) or (isinstance(value, type) and issubclass(value, Game))


def _class_named(name: str) -> type[Game] | None:
    """Return the class of one of the ten games, or of an operator's."""
    name = name.strip().lower()
    operator, dot, game = name.partition(".")
    if not dot or operator not in _TYPED:
        return GAMES.get(name)
    module = getattr(operators, operator)
    offered = [getattr(module, offered) for offered in module.__all__ if offered.lower() == game]
    return next((value for value in offered if _is_own(value)), None)


def named_games(operator: str | None = None) -> dict[str, Any]:
    """Return the games of an operator by their names, or those of the package itself."""
    if operator is None:
        games = {name: game() for name, game in GAMES.items()}
        return games | {name: parse_subject(name) for name in _OTHERS}
    offered = getattr(operators, operator)
    kinds = {name: getattr(offered, name) for name in offered.__all__}
    return {name.lower(): kind() for name, kind in kinds.items() if isinstance(kind, type) and _is_own(kind)}


def known_names() -> list[str]:
    """Return the names of all games; of operators those with the most games first."""
    games = {operator: named_games(operator) for operator in operators.NAMED}
    by_size = sorted(games, key=lambda operator: -len(games[operator]))
    return [*GAMES, *_OTHERS, *(f"{operator}.{name}" for operator in by_size for name in games[operator])]


def _unknown(name: str, known: Iterable[str], modules: bool) -> ValueError:
    """Return the error of a name that no game has, which says what is likely meant."""
    names = known_names()
    last = {known.rpartition(".")[2]: known for known in reversed(names)}
    close = get_close_matches(name, names, 1, 0.7) or get_close_matches(name, last, 1, 0.8)
    meant = f": did you mean {last.get(close[0], close[0])!r}?" if close else ""
    own = _OPERATORS + (_OWN if modules else "")
    return BadValue("game", f"must be one of {', '.join(known)}{own}, got {name!r}{meant}")


def parse_game(text: str, parameters: Sequence[str] = (), *, modules: bool = False) -> Game:
    """Return the game that a text names."""
    name, _, rest = text.partition(":")
    found: Any = _class_named(name)
    if found is None and modules and _is_in_module(rest):
        within, _, rest = rest.partition(":")
        name = f"{name}:{within}"
        found = import_object(name)
        if not _is_own(found):
            sentence = f"{name} must be a class derived from Game, or a game, got {found!r:.80}"
            raise BadValue("game", sentence=sentence)
    if found is None:
        raise _unknown(name, GAMES, modules)
    known = {field.name: field.default for field in fields(found)}
    values: dict[str, Any] = {}
    for part in [*filter(None, rest.split(",")), *parameters]:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or key not in known:
            allowed = ", ".join(f"{key}=..." for key in known) or "no parameters"
            raise BadValue("game", sentence=f"the game {found.name} takes {allowed}, got {part!r}")
        values[key] = _value(key, value, known[key])
    if isinstance(found, Game):
        return changed(found, **values) if values else found
    game: Game = found(**values)
    return game


def _value(name: str, text: str, default: object) -> object:
    """Return a parameter's value: text where that is its default's type, else what Python reads in it."""
    if isinstance(default, str):
        return text
    try:
        return int(text)
    except ValueError:
        if type(default) is int:
            raise BadValue(name, f"must be a whole number, got {text!r}", place="the game's ") from None
    try:
        return literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def _is_in_module(rest: str) -> bool:
    """Whether what follows a colon is a name, not parameters."""
    return all(part.isidentifier() for part in rest.partition(":")[0].split("."))


def parse_subject(text: str, parameters: Sequence[str] = (), *, modules: bool = False) -> Any:
    """Return what a text names that a log can be of: a game, or one of the other systems."""
    name, _, rest = text.partition(":")
    name = name.strip().lower().replace("_", "-")
    values = [part.removeprefix("paytable=") for part in [*filter(None, rest.split(",")), *parameters]]
    if name == "video-poker" and len(values) <= 1:
        game = operators.crypto_games.VideoPoker()
        return game.with_table(cards.VideoPoker(*values)) if values else game
    if name in _OTHERS:
        if values:
            raise BadValue("game", f"{name} takes no parameters, got {', '.join(values)!r}", place="the ")
        if name == "blackjack":
            return operators.crypto_games.Blackjack()
        return operators.fpclub.HashedDice if name == "hashed-dice" else operators.fpclub.Combined
    if _class_named(name) is None and not (modules and _is_in_module(rest)):
        raise _unknown(name, [*GAMES, *_OTHERS], modules)
    return parse_game(text, parameters, modules=modules)
