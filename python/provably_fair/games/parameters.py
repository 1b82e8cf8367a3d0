"""Parameters of games: limits and default, stated once."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import Field, field, fields, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from provably_fair._core.arguments import BadType, did_you_mean, integers, is_single, unbox
from provably_fair.seeds.series import SERIES_OPTIONS

G = TypeVar("G")

# Names of a random state in other libraries.
_OF_OTHERS = ("rng", "random_state", "generator", "key")


class Parameter(NamedTuple):
    """A whole-number parameter with its default and limits."""

    name: str
    default: int
    least: int
    most: int
    per_round: bool
    """Whether it may differ from round to round: it doesn't change the outcome's shape."""


def Range(least: int, most: int, *, default: int, per_round: bool = False) -> Any:  # noqa: N802
    """Declare a whole-number parameter of a game.

    Parameters
    ----------
    least, most : int
        The least and the largest value.
    default : int
        The value of a game that is made without it.
    per_round : bool
        Whether it may differ from round to round.

    Returns
    -------
    dataclasses.Field
        The value to assign to the annotated parameter.

    Examples
    --------
    >>> class Die(pf.Game):
    ...     sides: int = pf.games.Range(2, 100, default=6)
    ...     def outcome(self, draws):
    ...         return draws.below(self.sides) + 1
    >>> Die().parameters, Die(sides=20)
    ({'sides': 6}, Die(sides=20))
    """
    return field(default=default, metadata={"limits": (least, most, per_round)})


def Choice(known: Collection[str], *, default: str) -> Any:  # noqa: N802
    """Declare a parameter of a game that is one of several strings.

    Parameters
    ----------
    known : collection of str
        The allowed strings.
    default : str
        The value of a game that is made without it.

    Returns
    -------
    dataclasses.Field
        The value to assign to the annotated parameter.

    Examples
    --------
    >>> class Coin(pf.Game):
    ...     side: str = pf.games.Choice(("heads", "tails"), default="heads")
    ...     def outcome(self, draws):
    ...         return draws.below(2) == (self.side == "tails")
    >>> Coin(side="edge")
    Traceback (most recent call last):
        ...
    provably_fair.errors.BadValue: side must be one of 'heads', 'tails', got 'edge'
    """
    return field(default=default, metadata={"known": known})


def keep_limits(cls: Any, annotated: list[str]) -> None:
    """Keep the limits of parameters that a class only gives another default."""
    known = getattr(cls, "__dataclass_fields__", {})  # at this point those of the base classes
    for name in annotated:
        if name in known and name in vars(cls) and not isinstance(vars(cls)[name], Field):
            setattr(cls, name, field(default=vars(cls)[name], metadata=known[name].metadata))


@lru_cache(maxsize=1024)
def _of_class(cls: Any) -> tuple[Mapping[str, Parameter], Mapping[str, Collection[str]]]:
    numbers, texts = {}, {}
    for one in fields(cls):
        if "limits" in one.metadata:
            default: Any = one.default
            numbers[one.name] = Parameter(one.name, default, *one.metadata["limits"])
        elif "known" in one.metadata:
            texts[one.name] = one.metadata["known"]
    return MappingProxyType(numbers), MappingProxyType(texts)


def parameters_of(game: Any) -> Mapping[str, Parameter]:
    """Return the whole-number parameters of a game or a class, by name."""
    return _of_class(game if isinstance(game, type) else type(game))[0]


def choices_of(game: Any) -> Mapping[str, Collection[str]]:
    """Return the allowed values of each string parameter of a game or a class, by name."""
    return _of_class(game if isinstance(game, type) else type(game))[1]


def changed(game: G, **values: object) -> G:
    """Return the game with other values for some parameters, and the same scheme and table."""
    found: Any = game
    other: G = replace(found, **values)._with_beside(found._own_beside())
    return other


def per_round(game: Any, name: str) -> Parameter:
    """Return a parameter, which must be allowed to differ from round to round."""
    parameter = parameters_of(game).get(name)
    if parameter is None:
        cure = did_you_mean(name, [*parameters_of(game), *game.scheme.fields, *SERIES_OPTIONS], 0.7)
        if name in _OF_OTHERS:
            cure = ": rounds are made of seeds and salts, and another seed= gives another series of them"
        elif not cure and (varying := [known for known, p in parameters_of(game).items() if p.per_round]):
            cure = f": {', '.join(varying)} may"
        sentence = f"{type(game).__name__} has no parameter {name!r} that may vary by round{cure}"
        raise BadType(name, sentence=sentence)
    if not parameter.per_round:
        own = f"{type(game).__name__}({name}=...)"
        raise BadType(name, f"sets the outcome's shape, which all rounds share: give it to the game, {own}")
    return parameter


def widest(game: G, **parameters: object) -> G:
    """Return the game with the largest parameters of a call, whose dtype and bounds hold for all rounds."""
    for name, value in parameters.items():
        parameter = per_round(game, name)
        if value is None:
            continue
        largest = unbox(value)
        if not is_single(value):
            values = integers(name, value)
            if not values.size or not parameter.least <= values.max() <= parameter.most:
                continue  # refused later, with its row
            largest = int(values.max())
        game = changed(game, **{name: largest})
    return game
