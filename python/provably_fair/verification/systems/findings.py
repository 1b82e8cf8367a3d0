"""Joining the findings in rows that were verified separately."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from provably_fair.sources.foreign import cells_of

from .chains import OnChains
from .system import KINDS, Found

__all__: list[str] = []


def joined(
    parts: Sequence[tuple[np.ndarray, Found]],
    unchecked: Mapping[str, np.ndarray] | None = None,
    games: Mapping[str, np.ndarray] | None = None,
) -> Found:
    """Join the findings in parts of a batch."""
    fields = list(dict.fromkeys(name for _, found in parts for name in found.fields))
    none = [np.zeros(0, np.int64)]
    rows = np.concatenate([*none, *(places[found.rows] for places, found in parts)])
    order = np.argsort(rows, kind="stable")
    numbers = [
        np.array([fields.index(name) for name in found.fields], np.int64)[found.numbers] for _, found in parts
    ]
    of = [(found, i) for _, found in parts for i in range(len(found.rows))]
    by_row = [of[place] for place in order.tolist()]

    def expected(index: int) -> Any:
        found, i = by_row[index]
        return found.expected(i)

    committed: Counter[str] = Counter()
    chained: OnChains | None = None
    all_unchecked, all_games, notations = dict(unchecked or {}), dict(games or {}), Counter[str]()
    for places, found in parts:
        committed.update(dict(zip(found.fields, found.committed, strict=False)))
        all_unchecked |= {reason: places[which] for reason, which in found.unchecked.items()}
        all_games |= {game: places[which] for game, which in found.games.items()}
        notations += found.notations
        if found.chained is not None:
            chained = found.chained if chained is None else chained.beside(found.chained)
    return Found(
        rows[order],
        np.concatenate([*none, *(found.kinds for _, found in parts)])[order],
        np.concatenate([*none, *numbers])[order],
        fields,
        expected,
        [committed[name] for name in fields],
        sum(found.assumed for _, found in parts),
        all_unchecked,
        all_games,
        notations,
        chained=chained,
        verdicts=[one for _, found in parts for one in found.verdicts],
    )


def among(count: int, rows: np.ndarray, found: Found, hidden: Mapping[str, np.ndarray]) -> Found:
    """Return the findings in some rows, renumbered for a whole batch whose other rows couldn't be checked."""
    whole = joined([(rows, found)], hidden)

    def outcomes() -> list[Any]:
        assert found.outcomes is not None
        spread: list[Any] = [None] * count
        for row, outcome in zip(rows.tolist(), cells_of(found.outcomes(), len(rows)), strict=True):
            spread[row] = outcome
        return spread

    drawn = None if found.drawn is None else (rows[found.drawn[0]], found.drawn[1])
    hands = None if found.hands is None else found.hands.among(rows)
    return replace(whole, outcomes=outcomes if found.outcomes else None, drawn=drawn, hands=hands)


def all_faulty(faults: Iterable[tuple[str, str, np.ndarray]]) -> list[tuple[np.ndarray, Found]]:
    """Return findings for faulty cells, given as triples of a field, a kind of finding and a mask of rows."""
    return [faulty(field, kind, np.flatnonzero(wrong)) for field, kind, wrong in faults if wrong.any()]


def faulty(
    field: str, kind: str, rows: np.ndarray, expected: Sequence[Any] = (), right: int = 0
) -> tuple[np.ndarray, Found]:
    """Return rows with one faulty cell each, and their findings, which the engine doesn't report itself."""
    count = len(rows)
    kinds = np.full(count, KINDS.index(kind), np.int64)
    places, numbers = np.arange(count, dtype=np.int64), np.zeros(count, np.int64)

    def of(index: int) -> Any:
        return expected[index] if expected else None

    return rows, Found(places, kinds, numbers, [field], of, [right])
