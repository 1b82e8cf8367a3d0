"""The series of the corpus: what their files hold, and the rounds that they are.

A folder `corpus/OPERATOR/SERIES` has `series.toml`, a config as `verify` and `locate` take it, and the
file of rounds that it names. This module reads both; `recompute.py` beside it recomputes them.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import provably_fair as pf
from provably_fair.names import parse_game
from provably_fair.operators.published import PublishedRound

FOLDER = Path(__file__).resolve().parent
REQUIRED = (
    *("operator", "game", "era", "rule", "source", "found_by", "played", "captured"),
    *("license", "odd", "columns"),
)
"""Required keys of the table `about` of a series.toml."""
OPTIONAL = ("known", "outcome", "anchor_source", "chain_end", "other_hashes", "sample", "wrong")


@dataclass(frozen=True)
class Series:
    """A series: its name `operator/series`, and the folder that it is in."""

    name: str
    folder: Path

    @cached_property
    def config(self) -> dict[str, Any]:
        """Content of series.toml."""
        return tomllib.loads((self.folder / "series.toml").read_text("utf-8"))

    @property
    def about(self) -> dict[str, Any]:
        """Description of the series."""
        return self.config["about"]

    @property
    def played(self) -> tuple[float, float] | None:
        """When the rounds were played, as years with their fractions; None if that isn't known."""
        return _span(self.about["played"])

    @property
    def constants(self) -> dict[str, Any]:
        """Fields that all rounds share."""
        return self.config.get("constants", {})

    @cached_property
    def columns(self) -> dict[str, list[str]]:
        """The cells of each column, as they stand in the file."""
        raw = (self.folder / self.config["logs"]).read_bytes()
        text = (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode()
        header, *rows = csv.reader(text.splitlines())
        return dict(zip(header, map(list, zip(*rows, strict=True)), strict=True))

    def field(self, name: str) -> list[str] | None:
        """Return the cells of a field's column; None where there is none."""
        return self.columns.get(self.config.get("columns", {}).get(name, name))

    def values(self, name: str) -> list[Any]:
        """Return the cells of a field of numbers or lists of them."""
        cells = self.field(name)
        assert cells is not None, name
        return [json.loads(cell) for cell in cells]

    @property
    def has_fields(self) -> bool:
        """Whether each round has all that its outcome follows from."""
        game = next(iter(self.games.values()))
        needed = [name for name in game.scheme.fields if name not in game.scheme.defaults]
        return all(name in self.constants or self.field(name) is not None for name in needed)

    @cached_property
    def games(self) -> dict[str, pf.Game]:
        """The games by the cells that name them; one series of one game has it under ''."""
        named = self.config.get("games") or {"": self.config["game"]}
        return {cell: parse_game(text) for cell, text in named.items()}

    def rounds(self) -> Iterator[PublishedRound]:
        """Give the rounds with all their fields; of a long series those that its sample lists or places."""
        outcomes = self.values("outcome")
        if self.has_fields:
            listed = self.about.get("sample", range(len(outcomes)))
            yield from (self._round(row, outcomes[row]) for row in listed)
            return
        numbers = self.field("game_number")
        rows = {int(number): row for row, number in enumerate(numbers)} if numbers else None
        for place, game_hash in self.about.get("sample", ()):
            row = rows[place] if rows else place
            yield self._round(row, outcomes[row], game_hash=game_hash)

    def _round(self, row: int, outcome: Any, **given: Any) -> PublishedRound:
        """Return the round of a row."""
        name = self.config.get("game_column")
        game = self.games[self.columns[name][row] if name else ""]
        parameters = {
            one.name: int(cells[row])
            for one in fields(game)
            if (cells := self.columns.get(one.name)) and one.name != name
        }
        if parameters:
            game = type(game)(**{one.name: getattr(game, one.name) for one in fields(game)} | parameters)
        for field in game.scheme.fields:
            cells = self.field(field)
            if cells is not None:
                given[field] = cells[row]
            elif field in self.constants:
                given[field] = self.constants[field]
        # Commitments are what fields are called after, and no fields: so are salts of commitments.
        given = {
            field: int(value) if field in ("nonce", "round") else value for field, value in given.items()
        }
        about = self.about
        known = about.get("known", "all")
        return PublishedRound(game, given, outcome, known, about["played"], about["source"])


_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)
_PARTS = {"spring": (2, 5), "late": (9, 12)}
"""Parts of a year that sources name, as months from 0, the end excluded."""


def _span(text: str) -> tuple[float, float] | None:
    """Return the years that a text such as `spring 2020` or `January to June 2026` names, to the month."""
    spans: list[tuple[float, float]] = []
    months: list[tuple[int, int]] = []
    for word in re.findall(r"[A-Za-z]+|\b20\d\d\b", text):
        if word in _MONTHS:
            months.append((_MONTHS.index(word), _MONTHS.index(word) + 1))
        elif word in _PARTS:
            months.append(_PARTS[word])
        elif word.isdigit():  # the year of the months before it
            spans += [(int(word) + first / 12, int(word) + last / 12) for first, last in months or [(0, 12)]]
            months = []
    return (min(spans)[0], max(last for _, last in spans)) if spans else None


def every(folder: Path = FOLDER) -> list[Series]:
    """Return all series of a corpus, in the order of their names."""
    found = (path.parent for path in folder.glob("*/*/series.toml"))
    return sorted(
        (Series(path.relative_to(folder).as_posix(), path) for path in found), key=lambda one: one.name
    )
