"""Games named by text, as on a command line."""

from __future__ import annotations

import sys
from ast import literal_eval
from collections.abc import Sequence
from dataclasses import fields
from pkgutil import resolve_name
from typing import Any

from provably_fair import operators
from provably_fair.crypto_games import Blackjack, VideoPoker
from provably_fair.fpclub import Combined, HashedDice
from provably_fair.games import GAMES, Game, changed

__all__ = ["import_object", "named_games", "parse_game", "parse_subject"]

_OPERATORS = ", or an operator's, such as stake.dice"
_OWN = ", or one of your own, package.module:Class"
_OTHERS = ("video-poker", "blackjack", "hashed-dice", "combined-dice")


def import_object(text: str) -> Any:
    """Return what a text names in a module: ``package.module:Name``.

    The module is run, so the text must be the user's own, never that of a log or a request.

    Parameters
    ----------
    text : str
        A module, a colon, and a name in it.

    Examples
    --------
    >>> from provably_fair.names import import_object
    >>> import_object("provably_fair.games:Mines")
    <class 'provably_fair.games.mines.Mines'>
    """
    module_name, _, name = text.partition(":")
    try:
        return resolve_name(text)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
            raise  # a module of another name, which this one imports
        raise ValueError(f"the module {module_name} of {text} isn't found: {error}") from None
    except AttributeError:
        module = sys.modules.get(module_name)
        if module is None or hasattr(module, name.partition(".")[0]):
            raise
        games = [known for known, value in vars(module).items() if _is_own(value) and value is not Game]
        listed = f": it has the games {', '.join(games)}" if games else ""
        raise ValueError(f"the module {module_name} has no {name}{listed}") from None


def _is_own(value: object) -> bool:
    return isinstance(value, Game) or (isinstance(value, type) and issubclass(value, Game))


def _class_named(name: str) -> type[Game] | None:
    """Return the class of one of the ten games, or of an operator's."""
    name = name.strip().lower()
    operator, dot, game = name.partition(".")
    if not dot or operator not in operators.__all__:
        return GAMES.get(name)
    module = vars(operators)[operator]
    offered = [vars(module)[offered] for offered in module.__all__ if offered.lower() == game]
    return next((value for value in offered if _is_own(value)), None)


def named_games(operator: str | None = None) -> dict[str, Any]:
    """Return the games of an operator by their names, or those of the package itself.

    Parameters
    ----------
    operator : str, optional
        One of `operators`.

    Examples
    --------
    >>> from provably_fair.names import named_games
    >>> named_games("duel")["plinko"]
    Plinko(rows=16)
    >>> "mines" in named_games(), "video-poker" in named_games()
    (True, True)
    """
    if operator is None:
        games = {name: game() for name, game in GAMES.items()}
        return games | {name: parse_subject(name) for name in _OTHERS}
    offered = vars(operators)[operator]
    kinds = {name: vars(offered)[name] for name in offered.__all__}
    return {name.lower(): kind() for name, kind in kinds.items() if isinstance(kind, type) and _is_own(kind)}


def parse_game(text: str, parameters: Sequence[str] = (), *, modules: bool = False) -> Game:
    """Return the game that a text names.

    Parameters
    ----------
    text : str
        A name and parameters: ``dice``, ``mines:mines=5``, ``plinko:pins=8,balls=3``; of an operator's game
        the operator before it, ``stake.plinko:rows=8``.
    parameters : sequence of str
        Further parameters, each ``name=value``.
    modules : bool
        Whether the name may also be that of a class, or of a game, in a module, which is imported then:
        ``package.module:Keno``, ``package.module:Keno:picks=5``.

    Examples
    --------
    >>> from provably_fair.names import parse_game
    >>> parse_game("plinko:pins=8,balls=3")
    Plinko(pins=8, balls=3)
    >>> parse_game("stake.plinko:rows=8").name
    'stake.plinko'
    >>> parse_game("provably_fair.games:Mines", ["mines=5"], modules=True)
    Mines(mines=5)
    """
    name, _, rest = text.partition(":")
    found: Any = _class_named(name)
    if found is None and modules and _is_in_module(rest):
        within, _, rest = rest.partition(":")
        name = f"{name}:{within}"
        found = import_object(name)
        if not _is_own(found):
            raise ValueError(f"{name} must be a class derived from Game, or a game, got {found!r:.80}")
    if found is None:
        own = _OPERATORS + (_OWN if modules else "")
        raise ValueError(f"the game must be one of {', '.join(GAMES)}{own}, got {name!r}")
    known = {field.name: field.default for field in fields(found)}
    values: dict[str, Any] = {}
    for part in [*filter(None, rest.split(",")), *parameters]:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or key not in known:
            allowed = ", ".join(f"{key}=..." for key in known) or "no parameters"
            raise ValueError(f"the game {found.name} takes {allowed}, got {part!r}")
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
            raise ValueError(f"the game's {name} must be a whole number, got {text!r}") from None
    try:
        return literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def _is_in_module(rest: str) -> bool:
    """Whether what follows a colon is a name, not parameters."""
    return all(part.isidentifier() for part in rest.partition(":")[0].split("."))


def parse_subject(text: str, parameters: Sequence[str] = (), *, modules: bool = False) -> Any:
    """Return what a text names that a log can be of: a game, or one of the other systems.

    Parameters
    ----------
    text : str
        See `parse_game`; or ``video-poker``, ``video-poker:bonus_poker``,
        ``blackjack`` (by the document's rules), ``hashed-dice``, ``combined-dice``.
    parameters : sequence of str
        See `parse_game`; for ``video-poker`` one paytable.
    modules : bool
        See `parse_game`.

    Examples
    --------
    >>> from provably_fair.names import parse_subject
    >>> parse_subject("dice"), parse_subject("hashed-dice")
    (Dice(), <class 'provably_fair.fpclub.hashed.HashedDice'>)
    """
    name, _, rest = text.partition(":")
    name = name.strip().lower().replace("_", "-")
    values = [part.removeprefix("paytable=") for part in [*filter(None, rest.split(",")), *parameters]]
    if name == "video-poker" and len(values) <= 1:
        return VideoPoker(*values)
    if name in _OTHERS:
        if values:
            raise ValueError(f"the game {name} takes no such parameters, got {', '.join(values)!r}")
        if name == "blackjack":
            return Blackjack()
        return HashedDice if name == "hashed-dice" else Combined
    if _class_named(name) is None and not (modules and _is_in_module(rest)):
        own = _OPERATORS + (_OWN if modules else "")
        raise ValueError(f"the game must be one of {', '.join([*GAMES, *_OTHERS])}{own}, got {name!r}")
    return parse_game(text, parameters, modules=modules)
