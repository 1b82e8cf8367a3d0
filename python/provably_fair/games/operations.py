"""The operations of a program: typed, with constants, and how numpy performs each of them.

An operation is performed on arrays of many rounds, whose first axis is that of the rounds: by the function of
numpy's that has its name, with the axes that the rule names. What only moves values about is one operation,
"move", whatever function it was. An operation's `shape` is that of one round.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from provably_fair._core.counts import widened

from ._probes import Again, EndDraws, Range


@dataclass(frozen=True)
class Constant:
    """A number, text or array as it is written in a rule; it can be hashed, and -0.0 isn't 0.0."""

    value: Any = field(compare=False)
    written: tuple[Any, ...] = field(repr=False)  # the type, and what else tells it from other constants

    @classmethod
    def of(cls, value: Any) -> Constant:
        """Return a value of Python's or numpy's as a constant; raise TypeError for others."""
        kind = type(value).__name__
        if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
            kept = value.copy()
            kept.flags.writeable = False
            return cls(kept, (kind, kept.dtype.name, kept.shape, kept.tobytes()))
        if isinstance(value, (bool, int, float, str, np.number, np.bool_)):
            return cls(value, (kind, repr(value)))
        raise TypeError(f"an array of {value.dtype}" if isinstance(value, np.ndarray) else kind)

    def __repr__(self) -> str:
        if np.ndim(self.value):
            return np.array2string(self.value, separator=", ", threshold=16, max_line_width=10_000)
        return repr(self.value.item() if isinstance(self.value, np.generic) else self.value)


class Operation(NamedTuple):
    """One operation of a program.

    Attributes
    ----------
    name : str
        A method of `Draws`, a function of numpy's, or "move", "constant", "astype" or "input".
    inputs : tuple of int or Constant
        The places of earlier operations in the program, and constants.
    options : tuple of (str, value)
        Named arguments, such as an axis: texts, integers, and tuples of them.
    shape, dtype : tuple of int, and str
        Those of its value in one round: "int64", "float64" or "bool"; "" if it has no value.
    """

    name: str
    inputs: tuple[Any, ...]
    options: tuple[tuple[str, Any], ...]
    shape: tuple[int, ...]
    dtype: str

    @property
    def told(self) -> dict[str, Any]:
        """The options by name."""
        return dict(self.options)


DRAWS = ("below", "coin", "weighted", "number", "sample", "shuffle", "swaps", "distinct")
"""Operations that draw."""

EFFECTS = (*DRAWS, "skip", "label", "note", "part")
"""Operations that are performed in order, even if no other one uses them."""

ALONG = (
    *("sum", "prod", "min", "max", "mean", "any", "all", "argmin", "argmax", "count_nonzero"),
    *("cumsum", "cumprod", "sort", "argsort", "minimum.accumulate", "maximum.accumulate"),
)
"""Operations along axes, all of which have the option `axis`, an integer or several."""

TABLES = ("take_along_axis", "searchsorted", "isin")
"""Operations on each element with a constant that isn't joined with it."""


def performed(operation: Operation, values: Sequence[Any], draws: Any, rounds: int) -> Any:
    """Perform an operation on the values of its inputs, for many rounds."""
    name, told = operation.name, operation.told
    if name == "move":
        joined = [value.reshape(rounds, math.prod(value.shape[1:])) for value in values]
        moved = joined[0] if len(joined) == 1 else np.concatenate(joined, axis=1)
        if told["places"] is not None:
            moved = moved.take(told["places"], axis=1)
        return moved.reshape(rounds, *operation.shape)
    if name == "constant":
        return np.broadcast_to(values[0], (rounds, *operation.shape))
    if name == "astype":
        return values[0].astype(operation.dtype)
    if name == "exchange":
        return draws.exchange(by=values, **told)
    if name in EFFECTS:
        told.pop("rounded", None)
        asked = draws.each(*told.pop("each")) if "each" in told else draws
        return getattr(asked, name)(*values, **told)
    return widened(operator.attrgetter(name)(np)(*values, **told))


def drawn_by(operation: Operation) -> tuple[list[Range | Again], int]:
    """Return the ranges of an operation's draws in order, and how many numbers they use, by a trial."""
    if operation.name not in (*DRAWS, "skip"):
        return [], 0
    told = operation.told
    times = math.prod(operation.shape) if told.pop("each", None) else 1
    draws = EndDraws(1)
    # Of a range that depends on answers, only the number is known.
    performed(operation._replace(options=tuple(told.items())), [1 for _ in operation.inputs], draws, 1)
    return draws.ranges * times, draws.numbers * times
