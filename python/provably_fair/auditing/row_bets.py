"""Bets that a log states row by row, in columns for the questions that may be asked of its game.

Rows with the same cells have the same bet, which is made once. So each different bet costs as much as
`Game.bet`, and each row a look-up.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from provably_fair._core.errors import BadValue
from provably_fair._core.printable import decoded
from provably_fair._engine import joined_fingerprints
from provably_fair.bets.returns import ObservedReturns
from provably_fair.games import Deal, Game, Kind
from provably_fair.games.kind import options_of_bet
from provably_fair.games.parameters import changed
from provably_fair.sources import LogError
from provably_fair.sources.foreign import as_written, is_empty
from provably_fair.verification.systems import Field

from .records import Records, whole

if TYPE_CHECKING:
    from provably_fair.bets import Bet

COLUMNS = "columns"
"""The bet that stands for those of the log's columns."""

ODDS = "odds"
"""The field of what a bet pays where it wins, for games whose rules don't say so."""

ROUNDED = 10**6
"""The number of parts in 1 where returns have no small common denominator, as those of rows."""

MOST_PARTS = 10**18
"""The most parts that a bet may return for a stake of 1, so that they fit into 64 bits."""

_UNASKED = ("payout", "of", "bucket")
_NUMBERS = ("float", "int", "Payout")  # what pays by outcome is a list, any other `Payout` a number
_SPELLED = {"cash_out": ("cashout", "auto cash out", "auto cashout"), ODDS: ("payout multiplier",)}


def questions_of(game: Game | None) -> dict[str, Field]:
    """Return the fields of a log for the questions that a bet on a game answers."""
    if not isinstance(game, Game) or isinstance(game, Deal):
        return {}
    cls, kind = type(game), game.kind
    asked = {name: one.type for name, one in options_of_bet(cls).items() if name not in _UNASKED}
    by_rule = type(kind).bet_on is not Kind.bet_on or callable(getattr(cls, "pays", None))
    if kind.needs == "payout" and not by_rule:
        asked[ODDS] = "Payout"
    return {
        name: Field(name, False, number=type.startswith(_NUMBERS)).spelled(*_SPELLED.get(name, ()))
        for name, type in asked.items()
    }


class StatedBets(NamedTuple):
    """The different bets of some rows: None if one can't be made, whether any cell states it, and their rows.

    `which` has the index of each row's bet.
    """

    bets: list[Bet | None]
    stated: list[bool]
    which: np.ndarray


@dataclass(eq=False)
class RowBets:
    """The different bets of a log's rows, by what its columns say."""

    game: Game
    numbers: Mapping[str, int]  # the parameters of the game that may have columns
    alone: bool = False  # whether nothing else is claimed, so that the columns must be those of bets
    first: bool = False  # whether a number of choices is of the first ones, as in the claimed bet

    def __post_init__(self) -> None:
        self.questions: dict[str, Field] = questions_of(self.game)
        self._made: dict[tuple[tuple[str, str], ...], Bet | None] = {}

    def are_stated(self, fields: Collection[str]) -> bool:
        """Whether some fields state bets, or no field is needed for one."""
        return any(name in fields for name in self.questions if name != ODDS) or self._bet({}) is not None

    def of(self, records: Records) -> StatedBets:
        """Return the different bets of some rows."""
        names = [name for name in (*self.questions, *self.numbers) if records.has(name)]
        if not names or not records.count:
            return StatedBets([self._bet({})], [not self.questions], np.zeros(records.count, np.int64))
        prints = joined_fingerprints([_prints(records, name) for name in names], records.count)
        _, first, which = np.unique(whole(prints), return_index=True, return_inverse=True)
        rows = [{name: records.value(name, row) for name in names} for row in first.tolist()]
        bets = [self._bet(cells) for cells in rows]
        if self.alone and None in bets:
            self._refuse_unread(records, first, rows)
        stated = [
            bet is not None and any(not is_empty(cells[name]) for name in names if name in self.questions)
            for bet, cells in zip(bets, rows, strict=True)
        ]
        return StatedBets(bets, stated, which.reshape(-1))

    def unread(self, records: Records, row: int) -> tuple[int, str]:
        """Return the position of a row whose cells make no bet, and a text of these cells and why."""
        said = _said({name: records.value(name, row) for name in self.questions if records.has(name)})
        cells = ", ".join(f"{name} {as_written(cell)!r:.40}" for name, cell in said.items()) or "none"
        try:
            self._made_of(said)
        except (TypeError, ValueError, ArithmeticError) as error:
            cells += f" ({error!s:.200})"
        return int(records.places[row]), cells

    def _bet(self, cells: Mapping[str, Any]) -> Bet | None:
        said = _said(cells)
        key = tuple((name, str(cell)) for name, cell in said.items())
        if key not in self._made:
            try:
                self._made[key] = self._made_of(said)
            except LogError:
                raise
            except (TypeError, ValueError, ArithmeticError):
                self._made[key] = None
        return self._made[key]

    def _answer(self, name: str, cell: Any) -> Any:
        return _answer(cell, self.questions[name].number and not (name == ODDS and _is_list(cell)))

    def _refuse_unread(self, records: Records, first: np.ndarray, rows: list[dict[str, Any]]) -> None:
        """Raise `LogError` for the first of some rows with digits for a number that can't be read."""
        for row, name in ((row, name) for row in np.argsort(first).tolist() for name in self.questions):
            cell = decoded(rows[row].get(name))
            try:
                if not is_empty(cell):
                    self._answer(name, cell)
            except (TypeError, ValueError):
                if self.questions[name].number and any(map(str.isdigit, as_written(cell))):
                    at = int(records.places[first[row]])
                    said = f"row {at} has the {name} {as_written(cell)!r:.40}, which isn't read as a number"
                    raise LogError(f"{said}: give plain ones", row=at) from None

    def _made_of(self, said: Mapping[str, Any]) -> Bet:
        asked = {name: self._answer(name, cell) for name, cell in said.items() if name in self.questions}
        numbers = {name: int(_number(cell)) for name, cell in said.items() if name not in self.questions}
        for name, answer in asked.items():
            if isinstance(answer, list) and not answer:  # as of lost bets, which nothing was chosen for
                raise BadValue(name, "must have a number or a word, got none")
        for count, chosen in self.game.kind.counts.items():
            if chosen not in asked:
                if not self.first:  # the bet would be on the first ones, where players chose others
                    raise BadValue(chosen, f"must be stated: {count} doesn't say which were chosen")
            elif count in self.game.kind.asked_alone and asked.get(count) == len(asked[chosen]):
                del asked[count]  # it says no more than they do
        game = changed(self.game, **numbers) if numbers else self.game
        if game.shape != self.game.shape:
            raise LogError(
                f'bet="columns" needs outcomes of one shape, that of {self.game!r}; rows have {game!r}: '
                "audit each by itself"
            )
        payout = asked.pop(ODDS, 1 if ODDS in self.questions else None)
        if payout == 0:
            raise BadValue(ODDS, "must be above 0: what a bet pays where it wins")
        bet: Bet = game.bet(**asked) if payout is None else game.bet(payout, **asked)
        paid = bet.sampler.table if isinstance(bet.sampler, ObservedReturns) else ()
        if max(paid, default=0) * ROUNDED > MOST_PARTS * bet.unit:
            raise BadValue("bet", f"must return at most {MOST_PARTS // ROUNDED:,} times its stake")
        return bet


def _said(cells: Mapping[str, Any]) -> dict[str, Any]:
    """Return the cells that aren't empty."""
    return {name: decoded(cell) for name, cell in cells.items() if not is_empty(cell)}


def _prints(records: Records, name: str) -> np.ndarray:
    """Return fingerprints of a column's cells: those of their text for lists and sets, which have none."""
    prints = records.fingerprints(name)
    unknown = np.flatnonzero(~prints.any(axis=1))
    if any(texts := records.texts(name, unknown)):
        codes = np.unique(texts, return_inverse=True)[1].reshape(-1, 1)
        prints = prints.copy()
        prints[unknown] = codes.astype(np.uint64) + np.uint64(1)
    return prints


def _is_list(cell: Any) -> bool:
    """Whether a cell has several values, as a paytable does."""
    return "," in cell if isinstance(cell, str) else isinstance(cell, (list, tuple, np.ndarray))


def _answer(cell: Any, number: bool) -> Any:
    """Return a cell as the answer to a question: a number, a list of numbers, or a word."""
    if number:
        return _number(cell)
    if not isinstance(cell, str):
        return [_number(cell)] if isinstance(cell, (int, float, np.number)) else list(cell)
    text = cell.strip()
    if text.startswith("["):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            raise BadValue("bet", f"must be a JSON list, got {text!r:.80}") from None
    parts = re.split(r"[\s,;]+", text.strip("(){} "))
    try:
        return [_number(part) for part in parts]
    except ValueError:
        return text.casefold()


def _number(cell: Any) -> Any:
    """Return the number in a cell; of a single-precision one the shortest decimal that it stands for."""
    found = float(cell)
    with np.errstate(over="ignore"):
        single = np.float32(found)
        if found == float(single):
            found = float(str(single))
    return int(found) if found.is_integer() else found
