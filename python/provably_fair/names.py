"""Names of games, as typed on a command line."""

from __future__ import annotations

import inspect
import sys
from ast import literal_eval
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from difflib import get_close_matches
from functools import cache
from pkgutil import resolve_name
from types import ModuleType
from typing import Any

from provably_fair import cards, operators
from provably_fair._core.arguments import BadValue, check_type
from provably_fair._core.errors import argument_of, placed
from provably_fair._core.lazy import Lister, lister_of
from provably_fair._core.numbers import whole_number
from provably_fair._core.table import displayed
from provably_fair.games import Deal, Game
from provably_fair.games.game import refuse_unmade
from provably_fair.games.kind import questions_of
from provably_fair.games.naming import operator_of, typed_name
from provably_fair.games.parameters import changed, choices_of, parameters_of
from provably_fair.operators.registry import LISTED, NAMED, TYPED, all_games
from provably_fair.operators.salted import GAMES

__all__ = [
    "GameEntry",
    "entry_of",
    "games_in",
    "import_object",
    "known_names",
    "list_games",
    "named_games",
    "parse_game",
    "parse_subject",
    "place_of",
]
__dir__: Lister = lister_of(__all__)

_OPERATORS = ", or an operator's, such as stake.dice"
_OWN = ", or one of your own, package.module:Class"
# Subjects of logs that aren't games, with their classes in `operators.fpclub`
_DICE = {"hashed-dice": "HashedDice", "combined-dice": "Combined"}


@displayed
@dataclass(frozen=True)
class GameEntry:
    """A game's entry in the list of games. Made by `list_games` and `entry_of`."""

    name: str  # as it is typed: "stake.plinko"
    operator: str  # a module of `provably_fair.operators`; "" for a game of your own
    about: str  # the first line of its documentation
    fields: tuple[str, ...]  # those of its scheme, in order
    optional: tuple[str, ...]  # those that have a default
    parameters: Mapping[str, str]  # of each its default and what it may be: "16, from 8 to 16"
    questions: Mapping[str, str]  # keyword arguments of `distribution` and `bet`, each with its meaning
    bet: str  # required argument of `bet`: "cash_out", "payout"; "" if none, "table" if the table's rules
    paytable: bool  # whether payouts are known: by the rule, the operator's tables, or the table's rules
    published: int  # number of published rounds in the package


def list_games(operator: str | None = None) -> list[GameEntry]:
    """Return the entries of one operator's games, or of all."""
    if operator is not None and operator not in LISTED:
        raise BadValue("operator", f"must be one of {', '.join(LISTED)}, got {operator!r}")
    return [
        entry_of(game)
        for listed in (LISTED if operator is None else [operator])
        for game in named_games(listed).values()
    ]


def entry_of(game: Game) -> GameEntry:
    """Return the entry of a game."""
    needs = "" if callable(getattr(game, "pays", None)) else game.kind.needs
    if isinstance(game, Deal):
        needs = "" if game.table is not None else "table"
    return GameEntry(
        name=typed_name(game),
        operator=operator_of(type(game)),
        about=(type(game).__doc__ or "").strip().partition("\n")[0],
        fields=tuple(game.scheme.fields),
        optional=tuple(name for name in game.scheme.fields if name in game.scheme.defaults),
        parameters=_parameters(game),
        questions=_documented(type(game)),
        bet=needs,
        paytable=needs not in ("payout", "table"),
        published=_published()[type(game)],
    )


def _documented(cls: type[Game]) -> dict[str, str]:
    """Return the questions that may be asked of games of a class, as `distribution` documents them."""
    _, _, text = (inspect.getdoc(cls.distribution) or "").partition("Parameters\n----------\n")
    found: dict[str, str] = {}
    name = ""
    for line in text.partition("\n\n")[0].splitlines():
        if line.startswith(" "):
            found[name] += f"{' ' if '. ' in found[name] else '. '}{line.strip()}"
        else:
            name, _, found[name] = line.partition(" : ")
    return {name: found[name] for name in questions_of(cls)}


def _parameters(game: Game) -> dict[str, str]:
    """Return a text for each parameter of a game: its value, and its range."""
    numbers, texts = parameters_of(game), choices_of(game)
    described = {one.name: str(getattr(game, one.name)) for one in fields(game) if one.repr}
    for name in described:
        if name in numbers:
            described[name] += f", from {numbers[name].least} to {numbers[name].most}"
        elif name in texts:
            described[name] += f", of {', '.join(texts[name])}"
    return described


@cache
def _published() -> Counter[type]:
    """Return the number of published rounds of each class of games."""
    from provably_fair.operators.published import rounds

    return Counter(type(one.game) for one in rounds())


def import_object(text: str) -> Any:
    """Import an object by name: ``package.module:Name``.

    The module is executed, so the name must come from the user, never from a log or a request.
    """
    module_name, _, name = text.partition(":")
    if not all(map(str.isidentifier, module_name.split("."))):
        raise BadValue("game", sentence=f"{text} must be package.module:Name, as Python imports it, no path")
    try:
        return resolve_name(text)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
            raise  # another module, imported by this one, is missing
        cure = f": did you mean {module_name[:-3]}:{name}?" if module_name.endswith(".py") else f": {error}"
        sentence = f"the module {module_name} of {text} isn't found{cure}"
        raise BadValue("game", sentence=sentence) from None
    except AttributeError:
        module = sys.modules.get(module_name)
        if module is None or hasattr(module, name.partition(".")[0]):
            raise
        games = [known for known, value in vars(module).items() if _is_own(value) and value is not Game]
        listed = f": it has the games {', '.join(games)}" if games else ""
        raise BadValue("game", sentence=f"the module {module_name} has no {name}{listed}") from None


def games_in(text: str) -> list[Game]:
    """Return the games of a module, which is executed, or the one named ``module:Class``."""
    imported = import_object(text)
    values = vars(imported).values() if isinstance(imported, ModuleType) else [imported]
    kinds = dict.fromkeys(value for value in values if _is_own(value) and value is not Game)
    if not kinds:
        raise BadValue("game", sentence=f"{text} must have a game or a class derived from Game, and has none")
    return [value if isinstance(value, Game) else value() for value in kinds]


def _is_own(value: object) -> bool:
    return isinstance(value, Game) or (isinstance(value, type) and issubclass(value, Game))


def _class_named(name: str) -> type[Game] | None:
    """Return the class of a game by its name."""
    name = name.strip().lower()
    operator, dot, game = name.partition(".")
    if not dot or operator not in TYPED:
        return GAMES.get(name)
    module = getattr(operators, operator)
    offered = [getattr(module, offered) for offered in module.__all__ if offered.lower() == game]
    return next((value for value in offered if _is_own(value)), None)


def named_games(operator: str | None = None) -> dict[str, Any]:
    """Return an operator's games by name, or those of the package itself."""
    if operator is None:
        games = {name: game() for name, game in GAMES.items()}
        dice = {name: getattr(operators.fpclub, kind) for name, kind in _DICE.items()}
        return games | _deals() | dice
    offered = getattr(operators, operator)
    kinds = {name: getattr(offered, name) for name in offered.__all__}
    return {name.lower(): kind() for name, kind in kinds.items() if isinstance(kind, type) and _is_own(kind)}


@cache
def _deals() -> dict[str, Any]:
    """Return the deals that are typed without their operator, by name."""
    return {game.name: game for game in reversed(named_games("crypto_games").values())}


def known_names() -> list[str]:
    """Return the names of all games, operators with most games first."""
    games = {operator: named_games(operator) for operator in NAMED}
    by_size = sorted(games, key=lambda operator: -len(games[operator]))
    theirs = (f"{operator}.{name}" for operator in by_size for name in games[operator])
    return [*GAMES, *_deals(), *_DICE, *theirs]


def _unknown(name: str, known: Iterable[str], modules: bool) -> ValueError:
    """Return the error for an unknown name, with suggestions."""
    operator = name.strip().lower()
    if operator in TYPED:
        named = [game.name for game in named_games(operator).values()]
        some = f"such as {', '.join(named[:3])}" if len(named) > 3 else ", ".join(named)
        return BadValue("game", f"must be one game of an operator, and {operator} has {len(named)}: {some}")
    known = [*known]
    names = [one for one in known_names() if "." in one or one in known]
    last = {one.rpartition(".")[2]: one for one in reversed(names)}
    close = get_close_matches(name, names, 1, 0.7) or get_close_matches(name, last, 1, 0.8)
    meant = f": did you mean {last.get(close[0], close[0])!r}?" if close else ""
    own = _OPERATORS + (_OWN if modules else "")
    return BadValue("game", f"must be one of {', '.join(known)}{own}, got {name!r:.80}{meant}")


def parse_game(text: str, parameters: Sequence[str] = (), *, modules: bool = False) -> Game:
    """Return the game that a text names."""
    name, _, rest = text.partition(":")
    named: Any = _class_named(name)
    if named is None and name.strip().lower().replace("_", "-") in _deals():
        deal: Game = parse_subject(text, parameters)
        return deal
    if named is None and modules and _is_in_module(rest):
        within, _, rest = rest.partition(":")
        name = f"{name}:{within}"
        named = import_object(name)
        if not _is_own(named):
            sentence = f"{name} must be a class derived from Game, or a game, got {named!r:.80}"
            raise BadValue("game", sentence=sentence)
    if named is None:
        raise _unknown(name, [*GAMES, *_deals()], modules)
    known = {field.name: field.default for field in fields(named)}
    texts: dict[str, str] = {}
    for part in [*filter(None, rest.split(",")), *parameters]:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or key not in known:
            allowed = ", ".join(f"{key}=..." for key in known) or "no parameters"
            raise BadValue("game", sentence=f"the game {named.name} takes {allowed}, got {part!r:.80}")
        if key in texts:
            raise _given_twice(named.name, key, texts[key], value)
        texts[key] = value
    values = {key: _value(key, text, known[key]) for key, text in texts.items()}
    if isinstance(named, Game):
        return changed(named, **values) if values else named
    game: Game = named(**values)
    return game


def _given_twice(game: str, key: str, first: str, second: str) -> ValueError:
    """Return the error for a parameter with two values, of which none is meant more than the other."""
    sentence = f"the game {game} takes {key}=... once, got {first!r:.40} and {second!r:.40}"
    return BadValue("game", sentence=sentence)


def given_game(argument: str, value: Any) -> Game:
    """Return a game given itself or by its name, as `verify` takes it."""
    if isinstance(value, str):
        try:
            return parse_game(value)
        except (TypeError, ValueError) as error:
            place = "" if argument_of(error) == argument else f"{argument}: "
            raise placed(error, place, argument) from None
    refuse_unmade(argument, value)
    check_type(argument, value, Game, "a game such as Mines(), or the name of one")
    game: Game = value
    return game


def _value(name: str, text: str, default: object) -> object:
    """Return a parameter's value: a string if its default is one, else a Python literal."""
    if isinstance(default, str):
        return text
    try:
        return whole_number(text)
    except ValueError:
        if type(default) is int:
            raise BadValue(name, f"must be a whole number, got {text!r:.80}", place="the game's ") from None
    try:
        return literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):  # the last two of a deeply nested text
        return text


def _is_in_module(rest: str) -> bool:
    """Return whether the text after a colon is a name rather than parameters."""
    return all(part.isidentifier() for part in rest.partition(":")[0].split("."))


def parse_subject(text: str, parameters: Sequence[str] = (), *, modules: bool = False) -> Any:
    """Return the subject of a log that a text names: a game, or another system."""
    name, _, rest = text.partition(":")
    name = name.strip().lower().replace("_", "-")
    values = [part.removeprefix("paytable=") for part in [*filter(None, rest.split(",")), *parameters]]
    if name == "video-poker" and values:
        if len(values) > 1:
            raise _given_twice(name, "paytable", *values[:2])
        return _deals()[name].with_table(cards.VideoPoker(*values))
    if _class_named(name) is None:
        others = [*_deals(), *_DICE]
        if name in others and values:
            raise BadValue("game", f"{name} takes no parameters, got {', '.join(values)!r:.80}", place="the ")
        if name in others:
            return _deals().get(name) or getattr(operators.fpclub, _DICE[name])
        if not (modules and _is_in_module(rest)):
            raise _unknown(name, [*GAMES, *others], modules)
    return parse_game(text, parameters, modules=modules)


def place_of(name: str) -> str:
    """Return the end of the error for a name that the top level lacks: where an operator has it."""
    if name in dir(operators):
        return f": it is pf.operators.{name}"
    # Of classes alone: inspection probes modules for names like `__wrapped__`.
    games = all_games().values() if name[:1].isupper() else ()
    places = [f"pf.operators.{operator_of(game)}.{name}" for game in games if game.__name__ == name]
    return f": it is {' or '.join(places)}" if places else ""
