"""Seeds chosen jointly by all players of a round."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import Literal

import numpy as np

from provably_fair._core.arguments import (
    BadType,
    BadValue,
    check_code_points,
    check_type,
    choice,
    encode_text,
    rectangular,
)

_ORDERS = ("sorted", "weight", "given")
_PLACES = re.compile(r"(\{(?:seed|weight)\})")


def joined_seeds(
    rounds: object,
    seeds: object,
    *,
    weights: object = None,
    order: Literal["sorted", "weight", "given"] = "sorted",
    separator: str = "",
    written: str = "{seed}",
) -> np.ndarray:
    """Return, for each row of a log, the seeds of all players of its round, joined as they are hashed.

    In some games of many players, the message that is hashed has every player's seed in it. A log has a row
    for each player. This function brings the rows of a round together by its number, wherever they are, and
    makes the column that the scheme asks for.

    Parameters
    ----------
    rounds : array-like of N int or str
        The round of each row.
    seeds : array-like of N str
        The seed of each row's player. An empty seed is left out; a player with several rows is written
        several times.
    weights : array-like of N int or str, optional
        Further value written for each player, such as a stake or a number of tickets. Numbers with
        decimals must be text, as they are hashed.
    order : {"sorted", "weight", "given"}
        The order of a round's seeds: by their UTF-8 bytes; by weight, the largest first and equal ones by
        their bytes; or as the rows come.
    separator : str
        Text between two players.
    written : str
        Template for a player, with the placeholders ``{seed}`` and ``{weight}``.

    Returns
    -------
    numpy.ndarray of object
        N texts of type str, the same for all rows of a round.

    Raises
    ------
    TypeError, ValueError
        When an argument is invalid. The message names it and, in arrays, the row.

    Examples
    --------
    >>> log = {"round": [7, 8, 7], "seed": ["zoe", "ann", "bob"], "tickets": [2, 1, 5]}
    >>> pf.seeds.joined_seeds(log["round"], log["seed"], separator=",").tolist()
    ['bob,zoe', 'ann', 'bob,zoe']
    >>> pf.seeds.joined_seeds(log["round"], log["seed"], weights=log["tickets"], order="weight",
    ...                       separator=",", written="{seed}:{weight}").tolist()
    ['bob:5,zoe:2', 'ann:1', 'bob:5,zoe:2']
    """
    choice("order", order, _ORDERS)
    for name, text in (("separator", separator), ("written", written)):
        check_type(name, text, str)
    weighted = "{weight}" in written or order == "weight"
    if weighted != (weights is not None):
        problem = "must be given with" if weighted else "isn't supported without"
        raise BadType("weights", f'{problem} "{{weight}}" in written or order="weight"')
    if "{seed}" not in written:
        raise BadValue("written", f'must have "{{seed}}" in it, got {written!r}')
    numbers, texts = _column("rounds", rounds), _column("seeds", seeds)
    heavy = [0] * len(texts) if weights is None else _column("weights", weights)
    for name, column in (("rounds", numbers), ("weights", heavy)):
        if len(column) != len(texts):
            raise BadValue(name, f"must have a value for each of {len(texts)} seeds, got {len(column)}")
    parts = _PLACES.split(written)
    players: dict[object, list[tuple[bytes, Decimal, str]]] = {}
    for row, (number, seed, weight) in enumerate(zip(numbers, texts, heavy, strict=True)):
        if not isinstance(seed, str):
            raise BadType("seeds", f"must be str, got {type(seed).__name__}", index=row)
        if number is None or repr(number) in ("nan", "<NA>", "NaT"):
            raise BadValue("rounds", f"must have a value, got {number!r}", index=row)
        if isinstance(weight, bool) or not isinstance(weight, (int, str)):
            raise BadType("weights", f"must be int or str, got {type(weight).__name__}", index=row)
        those = players.setdefault(number, [])
        if seed:
            # Replace placeholders of the template only, never text that a player wrote.
            values = {"{seed}": seed, "{weight}": str(weight)}
            text = "".join(values.get(part, part) for part in parts)
            size = _size(weight, row) if order == "weight" else Decimal(0)
            those.append((encode_text("seeds", seed), size, text))
    joined = {}
    for number, those in players.items():
        if order != "given":
            those.sort(key=lambda player: player[0])
            those.sort(key=lambda player: player[1], reverse=True)
        joined[number] = separator.join(text for *_, text in those)
    by_row = np.empty(len(texts), object)
    by_row[:] = [joined[number] for number in numbers]
    return by_row


def _column(name: str, values: object) -> list[object]:
    if isinstance(values, (list, tuple)) and {*map(type, values)} == {str}:
        return [*values]  # numpy would take NULs away from the end of texts
    column = rectangular(name, values)
    check_code_points(name, column)
    if column.ndim != 1:
        raise BadValue(name, f"must be of one axis, got the shape {column.shape}")
    listed: list[object] = column.tolist()
    return listed


def _size(weight: int | str, row: int) -> Decimal:
    try:
        size = Decimal(weight)
    except InvalidOperation:
        size = Decimal("nan")
    if not size.is_finite():
        raise BadValue("weights", f"must be numbers where they order players, got {weight!r} in row {row}")
    return size
