"""Rounds of simulations: the fields that nobody gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from provably_fair._engine import Fields

from .chains import HashChain
from .generator import salts
from .schemes import Scheme, engine_fields, kind_of
from .series import series, simulated_seeds


def simulated(
    scheme: Scheme, rounds: object, seed: object, start: object, named: Mapping[str, Any]
) -> Fields:
    """Return the engine's fields of simulated rounds.

    A nonce counts up from `start`, salts are those of `salts`, hashes of games are those of a chain, and the
    seeds are made of the name of the series. What is given in `named`, or has a default, stays as it is;
    other fields must be given.
    """
    rounds, name, start = series(rounds, seed, start)
    return engine_fields(scheme, _made(scheme, rounds, name, start, named), rounds)


def simulated_values(
    scheme: Scheme, rounds: object, seed: object, start: object, named: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the same fields as values that ``play`` takes: arrays for what differs by round."""
    rounds, name, start = series(rounds, seed, start)
    values = {}
    for field, (kind, value) in _made(scheme, rounds, name, start, named).items():
        if kind == "counter":
            value = np.arange(start, start + rounds, dtype=np.uint64)
        elif kind == "salts":
            value = salts(rounds, name, start)
        values[field] = value
    return values


def _made(
    scheme: Scheme, rounds: int, name: str, start: int, named: Mapping[str, Any]
) -> dict[str, tuple[str, Any]]:
    """Return kind and value of each field; nonces and salts by what the engine makes them of."""
    for field in named:
        if field not in scheme.fields:
            raise TypeError(f"fields must be among {', '.join(scheme.fields)}, got {field!r}")
    seeds = dict(zip(("server_seed", "client_seed"), simulated_seeds(name, None, None), strict=True))
    values: dict[str, tuple[str, Any]] = {}
    for field in scheme.fields:
        value = named.get(field)
        if value is None:
            value = scheme.defaults.get(field, seeds.get(field))
        if value is not None:
            values[field] = kind_of(field), value
        elif field == "nonce":
            values[field] = "counter", start
        elif field == "salt":
            values[field] = "salts", (name, start)
        elif field == "game_hash":
            hashes: Any = HashChain().generate(name, start + rounds, start + 1) if rounds else []
            values[field] = "text", hashes
        else:
            raise TypeError(f"{field} must be given: a simulation makes seeds, salts, nonces and game hashes")
    return values
