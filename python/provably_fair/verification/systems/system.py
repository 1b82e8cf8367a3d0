"""The interface of systems: the fields of their logs, and how their rows are verified."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from types import MappingProxyType
from typing import Any

import numpy as np

from provably_fair._core.counts import widened
from provably_fair._core.errors import BadValue
from provably_fair._core.progress import Report
from provably_fair._core.types import JsonDict
from provably_fair._engine import Verdicts
from provably_fair.games import Game
from provably_fair.operators.registry import spellings
from provably_fair.seeds import Hash, Scheme
from provably_fair.sources.foreign import DType, take

from .chains import CHAIN_STEPS, Chains, OnChains
from .notations import Notations

FIELD = "outcome"
"""The field of the logged outcome, in every system."""


_WORDS_SHOWN = 40


@dataclass(frozen=True)
class Field:
    """A field of a system's logs."""

    name: str
    needed: bool = True  # whether a log must have it
    called: str | None = None  # a preferred name of its column, tried before `name`
    default: Any = None  # the value of all rows if a log has no such column
    text: bool = False  # whether its cells can only be text
    # Alternative column names, such as an operator's, tried if no column has one of `names`
    aliases: tuple[str, ...] = ()
    number: bool = False  # whether its cells are, or may be, single numbers
    # The words that a cell may be, in lower case, with their meanings; None if it isn't a field of words
    words: Mapping[str, Any] | None = None
    meanings: Collection[Any] = ()  # the possible meanings of words
    beside: str | None = None  # a field beside whose column a log must have this one as well

    def with_words(self, words: Mapping[Any, object]) -> Field:
        """Return the field with the given words in addition to its own."""
        for word, meaning in words.items():
            if not isinstance(word, str) or type(meaning) is bool or meaning not in self.meanings:
                allowed, got = ", ".join(map(repr, sorted(self.meanings))), f"{word!r:.40}: {meaning!r:.40}"
                raise BadValue("constants", f"must map words to one of {allowed}, got {got}", index=self.name)
        own = {word.strip().casefold(): meaning for word, meaning in words.items()}
        return replace(self, words={**(self.words or {}), **own})

    def spelled(self, *words: str) -> Field:
        """Return the field with spellings of its name and of other words as aliases."""
        names = (name for one in (self.name.replace("_", " "), *words) for name in spellings(one))
        own = self.names
        return replace(self, aliases=tuple(name for name in dict.fromkeys(names) if name not in own))

    def unknown_word(self, text: str) -> str:
        """Return the error text for a cell that is none of the field's words."""
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
        """The names of its column, the preferred one first."""
        return [self.name] if self.called is None else [self.called, self.name]


@dataclass(frozen=True)
class Hands:
    """Hands of cards in some rows: what the seeds deal, whatever the rows log, and what came of it."""

    dealt: Sequence[tuple[np.ndarray, np.ndarray]]  # rows, and their first cards, (k, cards) or more
    rows: np.ndarray  # the rows whose play is known, in the log or by an outcome that agrees with it
    returned: np.ndarray  # their returns of a first bet of 1, in units of the table
    staked: np.ndarray  # all of their bets, with those that were doubled, split or insured, in units
    # What the rows show of the dealer, (hands, 3): whether the outcome is that of the whole hand, whether he
    # stood (1) or drew (2) on a soft 17, and the total below 17 on which he stood; 0 where none is seen
    shown: np.ndarray

    def among(self, rows: np.ndarray) -> Hands:
        """Return the hands renumbered, as those of some rows of a batch."""
        dealt = [(rows[which], cards) for which, cards in self.dealt]
        return replace(self, dealt=dealt, rows=rows[self.rows])


@dataclass(frozen=True)
class Found:
    """The findings in some rows, and facts about these rows."""

    rows: np.ndarray  # the row of each finding
    kinds: np.ndarray  # the kind of each finding, as an index into `KINDS`
    numbers: np.ndarray  # the field of each finding, as an index into `fields`
    fields: Sequence[str]  # the fields that findings may concern
    expected: Callable[[int], Any]  # returns the right value of a finding's cell, by the finding's index
    committed: Sequence[int] = ()  # the number of commitments compared, for each field
    assumed: int = 0  # the number of rows without the player's choice, for which the best one was assumed
    # Rows that couldn't be checked, by reason
    unchecked: Mapping[str, np.ndarray] = field(default_factory=dict)
    # The rows of each game, if there are several games
    games: Mapping[str, np.ndarray] = field(default_factory=dict)
    # The number of rows in each notation other than the game's own
    notations: Counter[str] = field(default_factory=Counter)
    # Returns the outcomes that the cells stand for; None if the cells are the outcomes themselves
    outcomes: Callable[[], Any] | None = None
    # The rows whose outcomes aren't logged in the order drawn, and these outcomes in that order
    drawn: tuple[np.ndarray, np.ndarray] | None = None
    hands: Hands | None = None  # the hands of a card game at a table
    # The positions of the rows' games on their chains; None if games aren't on chains
    chained: OnChains | None = None
    # The engine's verdicts, which keep the rounds for the search for repeated ones
    verdicts: Sequence[Verdicts] = ()

    @classmethod
    def of(cls, verdicts: Verdicts, **more: Any) -> Found:
        """Return the engine's findings together with other fields."""
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
"""Reasons why a row isn't checkable: its seed isn't revealed yet, or its game is skipped."""

KINDS = ("right", "mismatch", "commitment", "missing", "malformed")
"""The kinds of findings, indexed by the engine's numbers; "commitment" is reported under its field's name."""


@dataclass(frozen=True)
class Rows:
    """Rows of a log, and the options for verifying them."""

    columns: dict[str, Any]  # the columns by field
    count: int
    places: int | np.ndarray  # the position in the log of the first row, or of each row
    # Whether `commitment` is a hash of the salts, as in logs of former versions' sessions
    of_salts: bool = False
    # The notations of the log's outcomes, as far as they are known
    notations: Notations = field(default_factory=Notations)
    every: bool = False  # whether to report right rows as well
    threads: int | None = None
    # The maximum number of chain steps from the hash of a game whose number isn't logged
    chain_steps: int = CHAIN_STEPS
    # Whether the order of an outcome's values counts even if the game's outcome is a set
    ordered: bool = False
    progress: Report | None = None  # called from time to time with the progress
    # The outcomes as written, among which numbers aren't read yet; None for those in `columns`
    written: Any = None
    decimal: str | None = None  # the decimal mark of all numbers, if it was given

    def place(self, row: int) -> int:
        """Return the position of a row in the log."""
        return self.places + row if isinstance(self.places, int) else int(self.places[row])

    def some(self, which: np.ndarray) -> Rows:
        """Return the rows with these indices."""
        places = self.places + widened(which) if isinstance(self.places, int) else self.places[which]
        columns = {
            name: column if isinstance(column, (str, bytes)) else take(column, which)
            for name, column in self.columns.items()
        }
        written = None if self.written is None else take(self.written, which)
        return replace(self, columns=columns, count=len(which), places=places, written=written)

    def of(self, columns: dict[str, Any]) -> Rows:
        """Return the same rows with other columns."""
        return replace(self, columns=columns)


Part = tuple[np.ndarray, Found]


class Beacon:
    """The public randomness that a scheme derives seeds from."""

    # Optional fields of a log that concern the beacon, in addition to the scheme's
    fields: tuple[Field, ...] = ()
    names: Sequence[str] = ()  # the fields needed to prove the randomness
    proof = ""  # the field without which nothing can be proved
    needed = ""  # the field that `proof` requires
    lacking = ""  # the note for a log without proofs

    def check(self, rows: Rows, found: Found) -> list[Part]:
        """Return findings in rows whose randomness isn't proved, and the number of proved rows."""
        raise NotImplementedError

    def known(self, columns: Mapping[str, Any], rows: int) -> tuple[np.ndarray, np.ndarray]:
        """Return when each row's randomness became known, in microseconds since 1970, and a mask."""
        raise NotImplementedError


class System:
    """A system of games, and how its logs are verified."""

    name: str  # the system's name, as users type it
    title = ""  # a readable title; "" if there is none
    fields: tuple[Field, ...]
    kind: DType = DType("any")  # the kind of its outcomes
    game: Game | None = None  # the game of all rows; None if there are several
    scheme: Scheme | None = None  # the scheme of all rounds; None if there isn't one
    # The game's integer parameters, which may vary by row, and their values if they don't
    numbers: Mapping[str, int] = MappingProxyType({})
    shared: bool = False  # whether players share rounds
    table: Any = None  # the table where its hands are played, of a card game
    # The hash of the revealed fields that each field published before the rounds must equal
    commitments: Mapping[str, Hash] = MappingProxyType({})
    beacon: Beacon | None = None  # the public randomness that seeds are derived from
    chains: Chains | None = None  # the hash chains that the games are on
    # The systems by the game's name, if there are several games; those that are skipped have none
    games: Mapping[str, System] = MappingProxyType({})

    def parameters(self) -> JsonDict:
        """Return the parameters that the verdict depends on besides the log."""
        raise NotImplementedError

    def verify(self, rows: Rows) -> Found:
        """Return the findings in rows; a `TypeError` or `ValueError` begins with the field it refuses."""
        raise NotImplementedError

    def concerns(self, columns: Mapping[str, Any], rows: int) -> np.ndarray:
        """Return a mask of the rows whose game has a seed to reveal."""
        return np.ones(rows, bool)

    def constant(self, field: str, value: object) -> Any:
        """Return a constant field's value, checked; by default the rows' check covers it."""
        return value

    def explain(self, row: Mapping[str, object]) -> Any:
        """Return the walk-through of a row's round."""
        raise NotImplementedError

    def notes(
        self, checked: int, assumed: int, committed: Mapping[str, int], unread: Collection[str]
    ) -> list[str]:
        """Return notes for the report, by counts of rows, assumptions and commitments, and unread columns."""
        return []


_LARGE = 100
"""The maximum number of digits of an integer: a large exponent would exhaust the memory."""


def whole(value: Any) -> Any:
    """Return the integer in a cell of any type."""
    if isinstance(value, bytes):
        value = value.decode()
    if isinstance(value, (bool, int)):
        return value
    text = str(value).strip()
    with suppress(InvalidOperation):
        # Decimal knows more digits than the engine, and underscores between them.
        number = Decimal(text if text.isascii() and "_" not in text else "NaN")
        if number.is_finite() and number.adjusted() < _LARGE and number == (found := int(number)):
            return found
    raise BadValue("value", sentence=f"{value!r:.80} isn't a whole number")
