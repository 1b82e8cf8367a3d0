"""Names of games: as a Python call, as typed for a command, in words."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any

from provably_fair._core.printable import plain
from provably_fair._core.table import Sheet, short
from provably_fair.seeds.schemes import SALTED

from .kind import AnyGame
from .parameters import parameters_of

_PACKAGE = __name__.partition(".")[0]
_OPERATORS = f"{_PACKAGE}.operators."


def operator_of(cls: type) -> str:
    """Return the operator that a class belongs to, such as stake; empty for other classes."""
    module = cls.__module__
    return module.removeprefix(_OPERATORS).partition(".")[0] if module.startswith(_OPERATORS) else ""


def call_of(game: AnyGame) -> str:
    """Return the call that makes a game, without its scheme: stake.Mines(mines=3)."""
    shown = (f"{one.name}={_text_of(game, one)}" for one in fields(game) if one.repr)
    # Several operators have a Crash, so the operator is named, except for games at the package's top.
    operator = operator_of(type(game))
    whose = f"{operator}." if operator not in ("", "salted") else ""
    return f"{whose}{type(game).__name__}({', '.join(shown)})"


def _text_of(game: AnyGame, field: Any) -> str:
    """Return a field's value as text: by the field's own function, if any, and shortened if it is long."""
    value = getattr(game, field.name)
    if "text" in field.metadata:
        text: str = field.metadata["text"](value)
        return text
    return repr(value) if len(repr(value)) <= 48 else short(value)


def typed_name(game: AnyGame) -> str:
    """Return a game as a command takes it: stake.dice, mines:mines=5, package.module:Keno:picks=5.

    A scheme that isn't its class's own stands behind it: that is typed by itself.
    """
    cls = type(game)
    ours = cls.__module__.partition(".")[0] == _PACKAGE
    name = game.name if ours else f"{cls.__module__}:{cls.__qualname__}"
    shown = {one.name: getattr(game, one.name) for one in fields(game)}
    usual = {one.name: one.default for one in fields(game)}
    values = ",".join(f"{name}={value}" for name, value in shown.items() if value != usual[name])
    under = "" if has_own_scheme(game) else f" under {game.scheme!r}"
    return f"{name}{':' if values else ''}{values}{under}"


def has_own_scheme(game: AnyGame) -> bool:
    """Return whether a game has the scheme of its class, or the one that its parameters choose."""
    cls = type(game)
    return bool(game.scheme in (cls.scheme, cls(*game._field_values()).scheme))


def title_of(game: AnyGame) -> str:
    """Return a game's name in words, such as Stake's dice, from its class's docstring; empty without one."""
    title, colon, _ = (type(game).__doc__ or "").partition("\n")[0].partition(":")
    return title if colon else ""


def sheet_of(game: AnyGame) -> Sheet:
    """Return a table that describes a game: outcomes, parameters, and scheme."""
    rounds = game._rounds
    count, number = math.prod(game.shape), "whole number" if game.dtype.kind in "iu" else "number"
    between = "" if rounds.engine is None else f" from {rounds.bounds[0]} to {rounds.bounds[1]}"
    rows = [("outcome", f"{count} {number}{'s' * (count > 1)}{between}")]
    if len(game.shape) > 1:
        rows.append(("shape", " x ".join(map(str, game.shape))))
    rows += [
        (p.name, f"{getattr(game, p.name)}, from {p.least} to {p.most}") for p in parameters_of(game).values()
    ]
    if game.scheme != SALTED:
        rows += [("scheme", plain(repr(game.scheme))), ("fields", ", ".join(game.scheme.fields))]
    elif rounds.constant is not None:
        rows += [("seeds", "constant, with a salt for each round")]
    summary = (type(game).__doc__ or "").strip().splitlines()
    title = f"{call_of(game)}: {summary[0]}" if summary else call_of(game)

    def strip() -> str:
        from provably_fair.distribution.sheets import law_strip

        return law_strip(game.distribution())

    return Sheet(title, ("", ""), rows, "l", strip if game.kind.shows_law else None)
