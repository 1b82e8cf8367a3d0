"""What a system is: the fields of its logs, and how the engine verifies rows of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from types import MappingProxyType
from typing import Any

import numpy as np

from provably_fair._core.errors import BadValue
from provably_fair._core.progress import Report
from provably_fair._core.types import JsonDict
from provably_fair._engine import Verdicts
from provably_fair.games import Game
from provably_fair.operators import spellings
from provably_fair.seeds import Hash, Scheme

from ..foreign import Kind, take
from .chains import CHAIN_STEPS, Chains, OnChains
from .notations import Notations

FIELD = "outcome"
"""The field of the logged outcome, in every system."""


_WORDS_SHOWN = 40


@dataclass(frozen=True)
class Field:
    """A field of a system's logs."""

    name: str
    needed: bool = True
    """Whether a log must have it."""
    called: str | None = None
    """Another name, under which its column is looked for first."""
    default: Any = None
    """What stands for it where a log has no such column."""
    text: bool = False
    """Whether it is text, and nothing else can be."""
    aliases: tuple[str, ...] = ()
    """What else its column may be called, such as by an operator, where no column has its name."""
    number: bool = False
    """Whether its cells are single numbers, or may be."""
    words: Mapping[str, Any] | None = None
    """Of a field of words: what its cells may be, in small letters, and what each of them means."""
    meanings: Collection[Any] = ()
    """What these may mean."""

    def with_words(self, words: Mapping[Any, object]) -> Field:
        """Return the field with words of one's own beside those that it has."""
        for word, meaning in words.items():
            if not isinstance(word, str) or type(meaning) is bool or meaning not in self.meanings:
                allowed, got = ", ".join(map(repr, sorted(self.meanings))), f"{word!r:.40}: {meaning!r:.40}"
                raise BadValue("constants", f"must map words to one of {allowed}, got {got}", index=self.name)
        own = {word.strip().casefold(): meaning for word, meaning in words.items()}
        return replace(self, words={**(self.words or {}), **own})

    def spelled(self, *words: str) -> Field:
        """Return the field, found by other spellings of its name as well, and by other words."""
        names = (name for one in (self.name.replace("_", " "), *words) for name in spellings(one))
        return replace(self, aliases=tuple(name for name in dict.fromkeys(names) if name not in self.names))

    def unknown_word(self, text: str) -> str:
        """Return what is wrong with a cell that is none of the field's words."""
        known = list(self.words or {})
        words = ", ".join(map(repr, known[:_WORDS_SHOWN]))
        more = f" and {len(known) - _WORDS_SHOWN} others" if len(known) > _WORDS_SHOWN else ""
        meanings = ", ".join(map(repr, self.meanings))
        return (
            f"has the {self.name} {text!r:.40}; the known words are {words}{more}; "
            f"constants={{{self.name!r}: {{{text!r:.40}: ...}}}} says what it means, one of {meanings}"
        )

    @property
    def names(self) -> list[str]:
        """What its column may be called, the usual name first."""
        return [self.name] if self.called is None else [self.called, self.name]


@dataclass(frozen=True)
class Found:
    """What was found in some rows, by row."""

    rows: np.ndarray
    """The row of each finding."""
    kinds: np.ndarray
    """The kind of each finding, a number of `KINDS`."""
    numbers: np.ndarray
    """The number of each finding's field."""
    fields: Sequence[str]
    """The fields by their numbers."""
    expected: Callable[[int], Any]
    """Returns what the cell of a finding should have been."""
    committed: Sequence[int] = ()
    """Of each field how many commitments were compared."""
    assumed: int = 0
    """In how many rows the best choice was taken for the player's, which isn't logged."""
    unchecked: Mapping[str, np.ndarray] = field(default_factory=dict)
    """Rows that couldn't be checked, by the reason."""
    games: Mapping[str, np.ndarray] = field(default_factory=dict)
    """Which rows are of which game, where there are several."""
    notations: Counter[str] = field(default_factory=Counter)
    """How many rows are written in another way than the game's own, by the way."""
    outcomes: Any = None
    """The column of outcomes as it was read, where it is written in another way."""
    drawn: tuple[np.ndarray, np.ndarray] | None = None
    """Rows whose outcomes aren't logged in the order drawn, and these outcomes."""
    chained: OnChains | None = None
    """Where the rows' games are on their chains; None where games aren't on any."""
    verdicts: Sequence[Verdicts] = ()
    """The engine's own, which have the rounds that are looked through for repeats."""

    @classmethod
    def of(cls, verdicts: Verdicts, **more: Any) -> Found:
        """Return what the engine found, and what else is known."""
        return cls(
            verdicts.rows,
            verdicts.kinds,
            verdicts.numbers,
            verdicts.fields,
            verdicts.expected,
            verdicts.committed,
            verdicts.assumed,
            verdicts=(verdicts,),
            **more,
        )


SECRETS = ("server_seed", "game_hash")
"""Fields that are revealed after the rounds."""

UNREVEALED, OTHER_GAME = "unrevealed", "other game"
"""Why a row isn't checkable: its seed isn't revealed yet, or its game is one that is passed over."""

KINDS = ("right", "mismatch", "commitment", "missing", "malformed")
"""Kinds of findings by their numbers; a commitment's is called by its field."""


@dataclass(frozen=True)
class Rows:
    """Rows of a log as the engine takes them."""

    columns: dict[str, Any]
    """The columns by field."""
    count: int
    places: int | np.ndarray
    """The position of the first of them in the log, or of each."""
    of_salts: bool = False
    """Whether `commitment` is of the salts, as logs of sessions had it once."""
    notations: Notations = field(default_factory=Notations)
    """How the outcomes of the file are written, as far as it is known."""
    every: bool = False
    """Whether to report rows that are right as well."""
    threads: int | None = None
    chain_steps: int = CHAIN_STEPS
    """How many steps are taken at most from the hash of a game whose number isn't logged."""
    ordered: bool = False
    """Whether the order of an outcome's values counts, also of games whose outcome is a set."""
    progress: Report | None = None
    """Called now and then while verifying takes long."""

    def place(self, row: int) -> int:
        """Return the position of a row in the log."""
        return self.places + row if isinstance(self.places, int) else int(self.places[row])

    def some(self, which: np.ndarray) -> Rows:
        """Return some of the rows, by their numbers."""
        places = self.places + which if isinstance(self.places, int) else self.places[which]
        columns = {
            name: column if isinstance(column, (str, bytes)) else take(column, which)
            for name, column in self.columns.items()
        }
        return replace(self, columns=columns, count=len(which), places=places)

    def of(self, columns: dict[str, Any]) -> Rows:
        """Return the same rows with other columns."""
        return replace(self, columns=columns)


Part = tuple[np.ndarray, Found]


class Beacon:
    """The public randomness that a scheme's seeds come of."""

    fields: tuple[Field, ...] = ()
    """What a log may have of it, beside the fields of the scheme."""
    names: Sequence[str] = ()
    """All that it takes to show it."""
    proof = ""
    """The field without which nothing is shown."""
    needed = ""
    """The field that has to come with it."""
    lacking = ""
    """What is said where there is none."""

    def check(self, rows: Rows, found: Found) -> list[Part]:
        """Return which rows aren't shown to have it, beside what was found of them, and count the others."""
        raise NotImplementedError

    def known(self, columns: Mapping[str, Any], rows: int) -> tuple[np.ndarray, np.ndarray]:
        """Return when each row's became known, in microseconds since 1970, and where that is so."""
        raise NotImplementedError


class System:
    """How logs of one system are verified."""

    name: str
    """What the log is of, as it can be typed."""
    title = ""
    """The same in words, where there are any."""
    fields: tuple[Field, ...]
    kind: Kind = Kind("any")
    """What its outcomes are."""
    game: Game | None = None
    """The game of all rows, where they are of one."""
    scheme: Scheme | None = None
    """The scheme of its rounds, where they have one."""
    numbers: Mapping[str, int] = MappingProxyType({})
    """The game's parameters that may differ by row: whole numbers, which hold where no column says others."""
    shared: bool = False
    """Whether all players have the same rounds."""
    commitments: Mapping[str, Hash] = MappingProxyType({})
    """What was published before the rounds, by field, and which hash it is of what was revealed."""
    beacon: Beacon | None = None
    """The public randomness that seeds come of."""
    chains: Chains | None = None
    """The chains that the games are on."""

    def parameters(self) -> JsonDict:
        """Return what the verdict depends on besides the log."""
        raise NotImplementedError

    def verify(self, rows: Rows) -> Found:
        """Verify rows. `TypeError` and `ValueError` refuse a column, whose field they name first."""
        raise NotImplementedError

    def concerns(self, columns: Mapping[str, Any], rows: int) -> np.ndarray:
        """Return which rows are of a game that has a seed to be revealed."""
        return np.ones(rows, bool)

    def constant(self, field: str, value: object) -> Any:
        """Return what stands for a field in all rows, checked; by default it is checked with the rows."""
        return value

    def explain(self, row: Mapping[str, object]) -> Any:
        """Return the walk-through of a row."""
        raise NotImplementedError

    def notes(self, checked: int, assumed: int, committed: Mapping[str, int]) -> list[str]:
        """Return what else a report should say, by how many rows there are and what was committed to."""
        return []


def json_list(name: str, value: str | bytes) -> Any:
    """Read a list written as JSON."""
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        raise BadValue(name, f"must be a JSON list, got {value!r:.80}") from None


_LARGE = 100
"""Digits of a whole number, at most: an exponent may stand for more than there is room for."""


def whole(value: Any) -> Any:
    """Return the whole number in a cell, of whatever type."""
    if isinstance(value, bytes):
        value = value.decode()
    if isinstance(value, (bool, int)):
        return value
    with suppress(InvalidOperation):
        number = Decimal(str(value))
        if number.is_finite() and number.adjusted() < _LARGE and number == (found := int(number)):
            return found
    raise BadValue("value", sentence=f"{value!r:.80} isn't a whole number")
