"""Completion of a class of games: its annotated attributes become fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any

from provably_fair._core.arguments import BadType, check_type, did_you_mean
from provably_fair._core.signatures import annotations_of, signature_of
from provably_fair.seeds.schemes import Scheme

from .asking import naming_options
from .naming import operator_of
from .parameters import keep_limits

# Class attributes that are no parameters; and the name of `Game` that a parameter may have all the same.
_OPTIONS = ("scheme", "vectorized", "monotone", "ordered", "name", "kind")
_FREE = ("decimals",)


def complete(cls: Any, game: Any) -> None:
    """Make a class a frozen dataclass with everything that a game has; `game` is `Game`."""
    place = f"{cls.__name__}."
    kinds = annotations_of(cls)
    annotated = [name for name, kind in kinds.items() if "ClassVar" not in str(kind)]
    for name in _OPTIONS:
        if name in annotated:
            problem = f"must have no annotation, which would make it a parameter: write `{name} = ...`"
            raise BadType(name, problem, place=place)
    for name in annotated:
        if hasattr(game, name) and name not in _FREE:
            raise BadType(name, f"must have another name: every game has a {name!r} of its own", place=place)
    for name in cls._names:  # a plain attribute would leave the parameter its old default
        if name in vars(cls) and name not in kinds:
            kind: Any = cls.__dataclass_fields__[name].type
            write = f"write `{name}: {getattr(kind, '__name__', kind)} = ...`"
            raise BadType(name, f"must have an annotation, as it has in a base: {write}", place=place)
    _state_form(cls)
    keep_limits(cls, annotated)
    documented = cls.__doc__
    try:
        dataclass(frozen=True, eq=False, repr=False)(cls)
        cls.__doc__ = documented  # in place of the signature that dataclass writes
    except (TypeError, ValueError) as error:
        raise type(error)(
            f"{cls.__name__} can't be made of its parameters: {error}. Parameters without a default come "
            "first, and a default is a value that doesn't change, such as a tuple"
        ) from None
    cls._names = tuple(one.name for one in fields(cls))
    if "name" not in cls.__dict__:
        owner = operator_of(cls) or cls.__module__.rpartition(".")[2]
        cls.name = f"{owner}.{cls.__name__.lower()}"
    _check(cls)
    naming_options(cls)


def _state_form(cls: Any) -> None:
    """Keep the shape and the dtype that a class states apart from the properties of these names."""
    stated = {name: vars(cls)[name] for name in ("shape", "dtype") if name in vars(cls)}
    for name in stated:
        delattr(cls, name)
    if "shape" in stated:
        stated = {"dtype": int} | stated
    cls._stated = {**cls._stated, **stated}


def check_complete(cls: Any) -> None:
    """Refuse an incomplete class, on first use: cloudpickle creates classes empty and fills them later."""
    if "_is_complete" in vars(cls):
        return
    if missing := sorted(_missing(cls)):
        raise BadType(cls.__name__, f"must define {', '.join(missing)}, which every game has")
    _check(cls)


def _missing(cls: Any) -> set[str]:
    """Return the names of abstract methods that a class doesn't define."""
    abstract = {
        name
        for base in cls.__mro__
        for name, value in vars(base).items()
        if getattr(value, "__isabstractmethod__", False)
    }
    return {name for name in abstract if getattr(getattr(cls, name), "__isabstractmethod__", False)}


def _check(cls: Any) -> None:
    """Refuse a class with invalid attributes; remember a complete one."""
    place = f"{cls.__name__}."
    check_type("name", cls.name, str, place=place)
    try:
        signature_of(cls.outcome).bind(None, None)
    except (TypeError, ValueError):
        problem = "must be a method of draws: def outcome(self, draws)"
        raise BadType("outcome", problem, place=place) from None
    check_type("scheme", cls.scheme, Scheme, "a Scheme", place=place)
    for name in ("vectorized", "monotone", "ordered"):
        if not isinstance(getattr(cls, name), bool):
            raise BadType(name, f"must be True or False, got {getattr(cls, name)!r}", place=place)
    if not _missing(cls):
        cls._is_complete = True


def check_values(cls: Any, values: tuple[Any, ...], named: Mapping[str, Any]) -> None:
    """Refuse arguments that don't match the parameters of a class."""
    if not named and len(values) == len(cls._names):
        return
    known = {one.name: one for one in fields(cls)}
    listed = f"the parameters {', '.join(known)}" if known else "no parameters"
    if len(values) > len(known):
        raise BadType("", sentence=f"{cls.__name__} has {listed}, got {len(values)} values for them")
    for name in named:
        if name not in known:
            cure = did_you_mean(name, known)
            if name in vars(cls):
                made = type(vars(cls)[name]).__name__
                cure = f"; a parameter has an annotation, `{name}: {made} = ...`"
            raise BadType(name, sentence=f"{cls.__name__} has {listed}, got {name!r}{cure}")
    for name in [*known][len(values) :]:
        default = known[name].default, known[name].default_factory
        if name not in named and default == (MISSING, MISSING):
            raise BadType(name, f"must be given: {cls.__name__} has {listed}")
