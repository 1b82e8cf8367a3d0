"""Games in Python, and games under schemes of one's own: recomputed by `Game.play`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from provably_fair.games import Game
from provably_fair.seeds.commitments import check_commitment
from provably_fair.seeds.schemes import kind_of

from ..columns import cell
from .system import COMMITMENT, FIELD, KINDS, Field, Rows, System, is_empty

_MISMATCH, _COMMITMENT, _MISSING, _MALFORMED = (
    KINDS.index(kind) for kind in ("mismatch", "commitment", "missing", "malformed")
)


@dataclass(frozen=True)
class _Findings:
    """What was found; see `Found`."""

    rows: np.ndarray
    kinds: np.ndarray
    numbers: np.ndarray
    fields: tuple[str, ...]
    committed: list[int]
    values: list[Any]
    assumed: int = 0

    def expected(self, index: int, /) -> Any:
        """Return what the cell of a finding should have been."""
        return self.values[index]


class OwnGame(System):
    """A game whose rounds its own `play` recomputes."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.name = repr(game)
        constant = dict(zip(("server_seed", "client_seed"), game.constant_seeds or (), strict=False))
        defaults = {**constant, **game.scheme.defaults}
        self.fields = (
            *(
                Field(name, name not in defaults, default=defaults.get(name), text=kind_of(name) == "text")
                for name in game.scheme.fields
            ),
            Field(FIELD),
            Field(COMMITMENT, False),
        )

    def parameters(self) -> dict[str, Any]:
        return {"game": self.game.name, "parameters": repr(self.game), "scheme": self.game.scheme.to_dict()}

    def verify(self, rows: Rows) -> Any:
        names = tuple(field.name for field in self.fields)
        found: list[tuple[int, int, int, Any]] = []
        committed = [0] * len(names)
        for row in range(rows.count):
            cells = {name: _cell(column, row) for name, column in rows.columns.items()}
            finding = self._finding(cells, names)
            if finding is not None:
                found.append((row, *finding))
            published = cells.get(COMMITMENT)
            if not is_empty(published) and not is_empty(cells.get("server_seed")):
                place = names.index(COMMITMENT)
                committed[place] += 1
                if not check_commitment(cells["server_seed"], str(published)):
                    found.append((row, _COMMITMENT, place, None))
        order = sorted(range(len(found)), key=lambda i: found[i][0])
        listed = [found[i] for i in order]
        return _Findings(
            np.array([row for row, *_ in listed], dtype=np.int64),
            np.array([kind for _, kind, *_ in listed], dtype=np.int64),
            np.array([number for _, _, number, _ in listed], dtype=np.int64),
            names,
            committed,
            [value for *_, value in listed],
        )

    def _finding(self, cells: Mapping[str, Any], names: tuple[str, ...]) -> tuple[int, int, Any] | None:
        """Return what is wrong with a row: kind, field, and what is right."""
        for name in (*self.game.scheme.fields, FIELD):
            if name not in self.game.scheme.defaults and name in cells and _none(cells[name]):
                return _MISSING, names.index(name), None
        try:
            right = self._play(cells)
        except (TypeError, ValueError) as error:
            named = next((name for name in names if str(error).startswith(name)), names[0])
            return _MALFORMED, names.index(named), None
        try:
            same = _numbers(cells[FIELD]) == _numbers(right.tolist())
        except (TypeError, ValueError):
            return _MALFORMED, names.index(FIELD), right.tolist()
        return None if same else (_MISMATCH, names.index(FIELD), right.tolist())

    def _play(self, cells: Mapping[str, Any]) -> np.ndarray:
        fields: Any = {}
        for name in self.game.scheme.fields:
            if name in cells and not _none(cells[name]):
                value = cells[name]
                fields[name] = int(_number(value)) if kind_of(name) == "number" else value
        return np.asarray(self.game.play(**fields))

    def explain(self, row: Mapping[str, Any]) -> Any:
        known = {name: row[name] for name in self.game.scheme.fields if name in row}
        return self.game.explain(
            **{
                name: int(_number(value)) if kind_of(name) == "number" else value
                for name, value in known.items()
            }
        )


def _cell(column: Any, row: int) -> Any:
    # What stands for all rows may be the value itself.
    return column if isinstance(column, (str, bytes, int, float)) else cell(column, row)


def _none(value: Any) -> bool:
    # An empty text is a seed as well.
    return value is None or (not isinstance(value, (str, bytes)) and np.ndim(value) == 0 and is_empty(value))


def _number(value: Any) -> Fraction:
    if isinstance(value, bytes):
        value = value.decode()
    if isinstance(value, bool):
        raise TypeError("a number")
    return (
        Fraction(value.strip())
        if isinstance(value, str)
        else Fraction(value.item() if hasattr(value, "item") else value)
    )


def _numbers(value: Any) -> list[Fraction]:
    """Read an outcome: a number, or numbers in lists, as lists or as JSON; floats are what they are."""
    if isinstance(value, bytes):
        value = value.decode()
    if isinstance(value, str) and value.lstrip().startswith("["):
        value = json.loads(value)
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, str):
        return [Fraction(float(value))]
    if isinstance(value, (list, tuple)):
        return [number for item in value for number in _numbers(item)]
    return [_number(value)]
