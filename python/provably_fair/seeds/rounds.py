"""Simulated rounds: values for fields that aren't given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from provably_fair._core.arguments import BadType, BadValue, is_single
from provably_fair._core.table import text_of
from provably_fair._engine import Fields

from .chains import HashChain
from .generator import salts
from .schemes import Hash, Scheme, engine_fields, kind_of, with_hint
from .series import SERIES_OPTIONS, series, simulated_seed

_SIGNATURE = Hash("sha384", "{name}:beacon:{round}")


def secret_of(scheme: Scheme) -> str:
    """Return the field of a scheme that the operator keeps secret until the round is over."""
    for field in ("game_hash", "salt", "server_seed", "game_seed"):
        if field in scheme.fields:
            return field
    problem = f"must have a server_seed, a salt or a game_hash, got {', '.join(scheme.fields)}"
    raise BadValue("scheme", problem, place="the game's ")


def commitment_of(scheme: Scheme) -> Hash | None:
    """Return the hash of a scheme's secret that is published before the round; None if there is none."""
    secret = secret_of(scheme)
    hash = HashChain().hash if secret == "game_hash" else scheme.commitment
    # A commitment that includes other fields can't be published before these are known.
    return hash if hash is not None and hash.fields == (secret,) else None


def one_round(fields: Mapping[str, Any], row: int) -> dict[str, Any]:
    """Return the fields of one of many rounds, in plain types."""
    row_fields = {name: value if is_single(value) else value[row] for name, value in fields.items()}
    return {
        name: text_of(value.item() if isinstance(value, np.generic) else value)
        for name, value in row_fields.items()
    }


class SimulatedRounds:
    """Rounds whose fields anyone can reproduce from a name.

    A nonce counts up from `start`, salts are those of `salts`, game hashes come from one chain for each
    `start`, seeds are derived from the series' name, and hashes stand in for a beacon's signatures. Fields
    in `named` or with a default keep that value; other fields are required.
    """

    def __init__(
        self, scheme: Scheme, rounds: object, seed: object, start: object, named: Mapping[str, object]
    ) -> None:
        self._scheme = scheme
        self.rounds: int
        self.rounds, self._name, self._start = series(rounds, seed, start)
        for field in named:
            if field not in scheme.fields:
                error = BadType("fields", f"must be among {', '.join(scheme.fields)}, got {field!r}")
                raise with_hint(error, scheme.fields, named={field: None}, also=SERIES_OPTIONS)
        of_seeds = (field for field in scheme.fields if field.endswith("_seed"))
        seeds = {field: simulated_seed(self._name, field) for field in of_seeds}
        self._chain = HashChain()  # it caches hashes, which makes the next rounds cheap
        self._given: dict[str, Any] = {}
        self._generated: list[str] = []
        for field in scheme.fields:
            value = named.get(field)
            if value is None and field != "nonce":  # a nonce counts even if it has a default
                value = scheme.defaults.get(field, seeds.get(field))
            if value is not None:
                self._given[field] = value
            elif field in ("nonce", "salt", "game_hash", "beacon_signature"):
                self._generated.append(field)
            else:
                raise BadType(field, "must be given: a simulation makes seeds, salts, nonces and game hashes")

    def values(self, first: int = 0, count: int | None = None) -> dict[str, Any]:
        """Return the fields of rounds as ``play`` takes them: arrays for fields that vary."""
        count = self.rounds - first if count is None else count
        values: dict[str, Any] = {}
        for field, (kind, value) in self._parts(first, count).items():
            if kind == "counter":
                try:
                    value = np.arange(value, value + count, dtype=np.uint64)
                except (MemoryError, ValueError):
                    raise MemoryError(f"the nonces of {count} rounds don't fit into memory") from None
            values[field] = salts(count, *value) if kind == "salts" else value
        return {field: values[field] for field in self._scheme.fields}

    def to_chain(self) -> dict[str, Any]:
        """Return fixed values for fields that depend on the whole series: those of a chain."""
        return {
            field: self._texts(field, 0, self.rounds) for field in self._generated if field == "game_hash"
        }

    def fields(self, first: int = 0, count: int | None = None) -> Fields:
        """Return the fields of rounds in the engine's form."""
        count = self.rounds - first if count is None else count
        return engine_fields(self._scheme, self._parts(first, count), count)

    def _parts(self, first: int, count: int) -> dict[str, tuple[str, Any]]:
        """Return how the engine reads each field of these rounds, and its values: one for all, or a slice."""
        number, parts = self._start + first, dict[str, tuple[str, Any]]()
        for field, value in self._given.items():
            if count < self.rounds and not is_single(value):
                value = getattr(value, "iloc", value)[first : first + count]
            parts[field] = kind_of(self._scheme, field), value
        for field in self._generated:
            if field == "nonce":  # the engine generates nonces and salts itself
                parts[field] = "counter", number
            elif field == "salt":
                parts[field] = "salts", (self._name, number)
            else:
                parts[field] = "text", self._texts(field, first, count)
        return parts

    def _texts(self, field: str, first: int, count: int) -> object:
        """Return hashes of games of the chain, which ends with the last round, or a beacon's signatures."""
        if not count:
            return []
        if field == "beacon_signature":
            number = self._start + first
            return _SIGNATURE.hexdigest(self._name, np.arange(number, number + count, dtype=np.uint64))
        # A chain is made from its end: in pieces of a series the same hashes would come again and again.
        name = f"{self._name}:{self._start}" if self._start else self._name
        return self._chain.generate(name, self.rounds, first + 1, count)
