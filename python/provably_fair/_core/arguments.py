"""Checks of arguments, and the types that functions take."""

from __future__ import annotations

import hashlib
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

Text = str | bytes
"""One seed."""

Texts = Text | Sequence[Text] | np.ndarray | Any
"""One seed, or one for each round: a list, an array, a pandas or Polars series, Arrow data."""


def unboxed(text: Any) -> Any:
    """Return what a 0-d array holds, which is one seed as well; anything else as it is."""
    return text.item() if isinstance(text, np.ndarray) and text.ndim == 0 else text


def integer(name: str, value: object, least: int | None = None, most: int | None = None) -> int:
    """Return a whole number; numpy's count, booleans don't."""
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be an integer, got {value!r}")
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name} must be an integer, got {type(value).__name__}") from None
    if (least is not None and number < least) or (most is not None and number > most):
        if most is None:
            raise ValueError(f"{name} must be at least {least}, got {number}")
        raise ValueError(f"{name} must be from {least} to {most}, got {number}")
    return number


def integers(name: str, value: object) -> np.ndarray:
    """Return a one-dimensional int64 array of whole numbers."""
    try:
        array = np.asarray(value)
    except ValueError:
        raise ValueError(f"{name} must be one-dimensional, got rows of different lengths") from None
    except TypeError:
        raise TypeError(f"{name} must be integers, got {type(value).__name__}") from None
    if array.ndim != 1:
        raise ValueError(
            f"{name} must be an integer or a one-dimensional array of them, got {array.ndim} dimensions"
        )
    limits = np.iinfo(np.int64)
    if array.dtype.kind == "O" or (array.dtype.kind == "u" and array.dtype.itemsize == 8):
        checked = [
            integer(f"{name}[{row}]", item, int(limits.min), int(limits.max))
            for row, item in enumerate(array.tolist())
        ]
        return np.array(checked, dtype=np.int64)
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"{name} must be integers, got an array of {array.dtype}")
    # Aligned too: arrays that come from files or other processes may not be.
    return np.require(array, np.int64, ["C", "A"])


def threads_of(value: object) -> int | None:
    """Return the number of threads, None for as many as the machine has."""
    return None if value is None else integer("threads", value, 1, 1024)


def seed_text(seed: object) -> str:
    """Return the text that names a series of seeds: an integer's digits, or the text itself."""
    if isinstance(seed, str):
        try:
            seed.encode()
        except UnicodeEncodeError:
            raise ValueError(
                "seed must be text that UTF-8 can encode, got text with a lone surrogate"
            ) from None
        return str(seed)
    try:
        if isinstance(seed, (bool, np.bool_)):
            raise TypeError
        return str(operator.index(seed))  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"seed must be an integer or str, got {type(seed).__name__}") from None


def series(rounds: object, seed: object, start: object, count: str = "rounds") -> tuple[int, str, int]:
    """Return the number of rounds, the name of their series, and the number of the first."""
    rounds = integer(count, rounds, 0, 2**63 - 1)
    start = integer("start", start, 0, 2**64 - 1)
    if start + rounds > 2**64:
        raise ValueError(f"start must be at most 2**64 - {count}, got {start}")
    return rounds, seed_text(seed), start


def simulated_seeds(name: str, server_seed: Any, client_seed: Any) -> tuple[Any, Any]:
    """Return both seeds of a simulation; those that aren't given are made of the name of the series."""
    if server_seed is None:
        server_seed = hashlib.sha256(f"{name}:server".encode()).hexdigest()
    if client_seed is None:
        client_seed = hashlib.sha256(f"{name}:client".encode()).hexdigest()
    return server_seed, client_seed


def probability(name: str, value: Any) -> float:
    """Return a probability above 0 and below 1."""
    try:
        inside = bool(0 < value < 1)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number above 0 and below 1, got {type(value).__name__}") from None
    if not inside:
        raise ValueError(f"{name} must be above 0 and below 1, got {value}")
    return float(value)


def reals(name: str, value: object) -> np.ndarray:
    """Return numbers as float64, in the shape that they come in."""
    try:
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be numbers, got {value!r:.50}") from None
