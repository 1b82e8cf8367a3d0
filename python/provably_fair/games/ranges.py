"""The ranges of a round's draws, as its program tells them."""

from __future__ import annotations

import itertools

from ._probes import Again, Range
from .operations import DRAWS
from .program import Program

__all__ = ["numbers_of", "ranges_of"]


def ranges_of(program: Program) -> list[Range | Again] | None:
    """Return the ranges of a round's draws, in order; None if they depend on answers."""
    found: list[Range | Again] = []
    for operation in program.operations:
        options = operation.told
        n, k = options.get("n"), options.get("k")
        if operation.name == "below" and n is None:
            return None
        if operation.name == "weighted":
            found.append(tuple(itertools.accumulate(options["weights"])))
        elif operation.name == "distinct":
            found += [Again(n, n - taken) for taken in range(k)]
        else:
            found += Program((operation,), 0).draws or ()
    return found


def numbers_of(program: Program) -> int:
    """Return how many numbers a round uses, as far as it is known."""
    if program.numbers is not None:
        return program.numbers
    return sum(one.told.get("k", 1) for one in program.operations if one.name in DRAWS)
