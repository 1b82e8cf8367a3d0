"""What a log can be checked against: for each system, the columns it needs and how it recomputes rows."""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import numpy as np

from provably_fair import cards
from provably_fair._engine import catalog as engine_catalog
from provably_fair.crypto_games import Blackjack, VideoPoker
from provably_fair.crypto_games.video_poker.game import _mask
from provably_fair.fpclub import Combined, HashedDice
from provably_fair.fpclub.dice import digits
from provably_fair.games.games import Game

from ..columns import (
    MALFORMED,
    MISSING,
    Constant,
    Text,
    blank,
    cells,
    flat,
    is_arrow,
    is_missing,
    number_array,
    pyarrow,
    scalar,
    text,
)

FIELD = "outcome"
"""The field of the logged outcome, in every system."""

COMMITMENTS = {"commitment": "server_seed", "salt_commitment": "salt"}
"""Optional fields with the SHA-256 of a seed that was published before the round, and whose."""

Wrong = tuple[str, str, Any]
"""A cell that can't be read: its field, the kind of failure, what was found."""


class BadCellsError(ValueError):
    """Cells because of which a row can't be recomputed; `found` has what they hold, by field."""

    def __init__(self, reason: str, **found: Any) -> None:
        super().__init__(reason)
        self.found = found


@dataclass
class Part:
    """Rows of a batch that were recomputed together."""

    rows: np.ndarray
    expected: Any
    """An array (rows, *shape), or a list."""


class Subject:
    """How logs of one system are checked."""

    name: str
    texts: Mapping[str, bool]
    """Fields of text, and whether a log must have them."""
    numbers: Mapping[str, tuple[int, int]]
    """Optional fields of whole numbers that vary from row to row, and their limits."""
    others: tuple[str, ...] = ()
    """Optional fields of any other kind."""
    unique: tuple[str, ...] = ()
    """Fields that should not be the same, together, in two rows."""
    called: Mapping[str, str] = MappingProxyType({})
    """Second names of fields, under which their columns are looked for first."""

    def read_text(self, name: str, column: Any) -> Text:
        """Read a column of text. `TypeError` and `ValueError` refuse the whole of it."""
        return text(column)

    def parameters(self) -> dict[str, Any]:
        """Return what the verdict depends on besides the log."""
        raise NotImplementedError

    def recompute(
        self,
        texts: dict[str, Text],
        numbers: dict[str, np.ndarray],
        others: dict[str, list[Any]],
        rows: np.ndarray,
        threads: int | None,
    ) -> Iterator[Part]:
        """Recompute clean rows; `rows` are their positions in the log."""
        raise NotImplementedError

    def compare(self, expected: Any, column: Any, count: int) -> tuple[np.ndarray, dict[int, list[Wrong]]]:
        """Return which rows differ, and the cells that can't be read at all, by row."""
        raise NotImplementedError

    def check_column(self, column: Any) -> None:
        """Refuse a column of outcomes whose type can't tell outcomes apart."""

    def expected_at(self, expected: Any, row: int, found: Any) -> Any:
        """Return what a cell should have been, in the form in which it was logged."""
        return expected[row].tolist()

    def explain(self, row: Mapping[str, Any]) -> Any:
        """Return the walk-through of a row."""
        raise NotImplementedError


class SaltedGame(Subject):
    """A game of the salted-round scheme."""

    unique = ("salt",)

    def __init__(self, game: Game) -> None:
        self.game = game
        self.name = repr(game)
        self.texts = {
            "server_seed": not game.multiplayer,
            "client_seed": not game.multiplayer,
            "salt": True,
        }
        catalog = {name: parameters for name, parameters, _ in engine_catalog()}[game.name]
        self.numbers = {name: (least, most) for name, _, least, most, _ in catalog}
        # Whether a parameter may differ within one call of `play`; the others change the shape.
        self._varying = {name for name, *_, per_round in catalog if per_round}

    def parameters(self) -> dict[str, Any]:
        kept = (field.name for field in fields(self.game) if field.name != "reels")
        return {"game": self.game.name, **{name: getattr(self.game, name) for name in kept}}

    def recompute(
        self,
        texts: dict[str, Text],
        numbers: dict[str, np.ndarray],
        others: dict[str, list[Any]],
        rows: np.ndarray,
        threads: int | None,
    ) -> Iterator[Part]:
        count = len(rows)
        shaping = [name for name in numbers if name not in self._varying]
        if not shaping:
            yield Part(np.arange(count), self._play(self.game, texts, numbers, count, threads))
            return
        table = np.stack([numbers[name] for name in shaping], axis=1)
        kinds, which = np.unique(table, axis=0, return_inverse=True)
        for kind, values in enumerate(kinds.tolist()):
            game = replace(self.game, **dict(zip(shaping, values, strict=True)))
            if len(kinds) == 1:
                yield Part(np.arange(count), self._play(game, texts, numbers, count, threads))
                return
            chosen = np.flatnonzero(which.reshape(-1) == kind)
            some = {name: column.take(chosen) for name, column in texts.items()}
            varying = {name: column[chosen] for name, column in numbers.items()}
            yield Part(chosen, self._play(game, some, varying, len(chosen), threads))

    def _play(
        self,
        game: Game,
        texts: dict[str, Text],
        numbers: dict[str, np.ndarray],
        count: int,
        threads: int | None,
    ) -> np.ndarray:
        arguments: dict[str, Any] = {name: column.argument() for name, column in texts.items()}
        arguments |= {name: values for name, values in numbers.items() if name in self._varying}
        outcomes = np.asarray(game.play(**arguments, threads=threads))
        if outcomes.ndim == len(game.shape):  # every argument was the same for all rows
            outcomes = np.broadcast_to(outcomes, (count, *game.shape))
        return outcomes

    def check_column(self, column: Any) -> None:
        if isinstance(column, np.ndarray) and column.dtype.kind == "f" and column.dtype.itemsize < 8:
            self.game._check_dtype(FIELD, column.dtype)

    def compare(
        self, expected: np.ndarray, column: Any, count: int
    ) -> tuple[np.ndarray, dict[int, list[Wrong]]]:
        shape = expected.shape[1:]
        found = number_array(column, shape, count)
        table = expected.reshape(count, -1)
        if found is not None:
            if found.dtype.kind == "f" and found.dtype != np.float64:
                table = table.astype(found.dtype)
            differs = table[:, 0] != found[:, 0] if table.shape[1] == 1 else (table != found).any(axis=1)
            return differs, {}
        differs = np.zeros(count, dtype=bool)
        unreadable: dict[int, list[Wrong]] = {}
        for row, (right, cell) in enumerate(zip(table.tolist(), cells(column, count), strict=True)):
            numbers = flat(cell) if shape else None
            # A list of one outcome may be written as that outcome.
            if len(right) == 1 and numbers is None and (number := scalar(cell)) is not None:
                numbers = [number]
            if numbers is None:
                unreadable[row] = [(FIELD, MISSING if blank(cell) else MALFORMED, cell)]
            else:
                differs[row] = numbers != right
        return differs, unreadable

    def explain(self, row: Mapping[str, Any]) -> Any:
        game = replace(self.game, **{name: row[name] for name in self.numbers if name in row})
        return game.explain(**{name: row[name] for name in self.texts if name in row})


class RowByRow(Subject):
    """A system whose rows are recomputed one at a time."""

    numbers: Mapping[str, tuple[int, int]] = MappingProxyType({})

    def right(self, row: dict[str, Any]) -> Any:
        """Return what is right for a row.

        `BadCellsError` says which cells are to blame if there is no such thing, any other `ValueError`
        that it is nothing but the outcome, where there should be none.
        """
        raise NotImplementedError

    def agrees(self, right: Any, found: Any) -> bool:
        """Tell whether a cell is right. `ValueError` and `TypeError` mean that it can't be read.

        As in `right`, `BadCellsError` blames other cells.
        """
        raise NotImplementedError

    def recompute(
        self,
        texts: dict[str, Text],
        numbers: dict[str, np.ndarray],
        others: dict[str, list[Any]],
        rows: np.ndarray,
        threads: int | None,
    ) -> Iterator[Part]:
        right = []
        for i, place in enumerate(rows.tolist()):
            row: dict[str, Any] = {name: column.bytes_at(i) for name, column in texts.items()}
            row |= {name: column[i] for name, column in others.items()}
            try:
                right.append(self.right(row | {"row": place}))
            except ValueError as error:
                right.append(error)
        yield Part(np.arange(len(rows)), right)

    def compare(self, expected: Any, column: Any, count: int) -> tuple[np.ndarray, dict[int, list[Wrong]]]:
        differs = np.zeros(count, dtype=bool)
        unreadable = {}
        for i, (right, found) in enumerate(zip(expected, cells(column, count), strict=True)):
            try:
                if isinstance(right, ValueError):
                    raise right
                if is_missing(found):
                    raise ValueError
                differs[i] = not self.agrees(right, found)
            except BadCellsError as error:
                unreadable[i] = [_wrong(name, cell) for name, cell in error.found.items()]
            except (ValueError, TypeError, RecursionError):
                unreadable[i] = [_wrong(FIELD, found)]
        return differs, unreadable

    def expected_at(self, expected: Any, row: int, found: Any) -> Any:
        right = expected[row]
        return None if isinstance(right, ValueError) else self.in_form(right, found)

    def in_form(self, right: Any, found: Any) -> Any:
        """Return what is right in the form of a logged cell, or in the usual one if that can't be read."""
        return right


def _wrong(name: str, cell: Any) -> Wrong:
    return name, MISSING if blank(cell) or flat(cell) == [] else MALFORMED, cell


class CardRounds(RowByRow):
    """A card game of Crypto.Games: rounds of two seeds and a nonce."""

    texts: Mapping[str, bool] = MappingProxyType({"server_seed": True, "client_seed": True, "nonce": False})
    unique = ("server_seed", "client_seed", "nonce")

    def __init__(self, game: VideoPoker | Blackjack) -> None:
        self.name = repr(game)

    def seeds(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the hash of a row is made of."""
        return {name: row[name] for name in self.texts if name in row}


class VideoPokerHands(CardRounds):
    """Video poker: the outcome is the ten cards, the final hand of five, or what it pays."""

    others = ("hold",)

    def __init__(self, game: VideoPoker) -> None:
        super().__init__(game)
        self.game = game

    def parameters(self) -> dict[str, Any]:
        return {"game": "video poker", "paytable": repr(self.game.paytable)}

    def right(self, row: dict[str, Any]) -> Any:
        return self.game.deal(**self.seeds(row)), _hold(row.get("hold"))

    def _of(self, right: Any, read: Any) -> Any:
        """Return the ten cards, the final five or the pay, whichever was logged."""
        dealt, hold = right
        if isinstance(read, list) and len(read) == 10:
            return dealt.tolist()
        if isinstance(read, list) and len(read) != 5:
            raise ValueError("ten cards, or the final five")
        played = self.game._finish(dealt[np.newaxis], hold, None)[0]
        if isinstance(read, list):
            return list(played.final)
        return Fraction(played.pay) if isinstance(read, Fraction) else float(played.pay)

    def agrees(self, right: Any, found: Any) -> bool:
        read = _cards_or_pay(found)
        return self._of(right, read) == read

    def in_form(self, right: Any, found: Any) -> Any:
        try:
            return _plain(self._of(right, _cards_or_pay(found)))
        except (ValueError, TypeError, RecursionError):
            return right[0].tolist()

    def explain(self, row: Mapping[str, Any]) -> Any:
        return self.game.explain(**self.seeds(row), hold=_hold(row.get("hold")))


def _hold(value: Any) -> Any:
    """Read a hold: five booleans or positions, as a list or as JSON; None for the best one."""
    if blank(value):
        return None
    try:
        hold = _json("hold", value) if isinstance(value, (str, bytes)) else value
        _mask(hold)
    except (ValueError, TypeError) as error:
        raise BadCellsError(str(error), hold=value) from None
    return hold


def _json(name: str, value: str | bytes) -> Any:
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        raise ValueError(f"{name} must be a JSON list, got {value!r:.80}") from None


_FRACTION = re.compile(r"\s*[+-]?\d{1,50}/\d{1,50}\s*", re.ASCII)


def _plain(right: Any) -> Any:
    """Return cards or a pay as a report has them: exact pay as text."""
    return str(right) if isinstance(right, Fraction) else right


def _cards_or_pay(value: Any) -> Any:
    """Read a logged outcome of cards: a list of card numbers, or one number, exact if it is a fraction."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (str, bytes)):
        value = value.decode() if isinstance(value, bytes) else value
        number = scalar(value)
        if number is not None:
            return number
        if _FRACTION.fullmatch(value):
            above, below = value.split("/")
            if not int(below):
                raise ValueError("a fraction of nothing")
            return Fraction(int(above), int(below))
        value = json.loads(value) if value.lstrip().startswith("[") else value.split()
    if isinstance(value, (list, tuple)):
        return [cards.parse(card) if isinstance(card, str) else operator.index(card) for card in value]
    if isinstance(value, Fraction):
        return value
    number = scalar(value)
    if number is None:
        raise ValueError("cards or a pay")
    return number


class BlackjackRounds(CardRounds):
    """Blackjack: the outcome is the first cards of the shoe, or with the actions the net win in bets."""

    others = ("actions",)

    def __init__(self, game: Blackjack) -> None:
        super().__init__(game)
        game._core.check_hashed()
        self.game = game

    def parameters(self) -> dict[str, Any]:
        return {"game": "blackjack", "rules": repr(self.game.rules)}

    def right(self, row: dict[str, Any]) -> Any:
        return row

    def _of(self, row: dict[str, Any], read: Any, named: bool) -> Any:
        """Return the cards of the shoe or what was won, whichever was logged."""
        if not isinstance(read, list):
            net = self._net(row)
            return net if isinstance(read, Fraction) else float(net)
        dealt = self.game.shoe(**self.seeds(row), cards=len(read)).tolist()
        return [card % 52 if card >= 0 else card for card in dealt] if named else dealt

    def _net(self, row: dict[str, Any]) -> Fraction:
        actions = row.get("actions")
        try:
            return self.game.replay(**self.seeds(row), actions=_actions(actions)).net_exact
        except (ValueError, TypeError) as error:
            raise BadCellsError(str(error), actions=actions) from None

    def agrees(self, right: Any, found: Any) -> bool:
        read = _cards_or_pay(found)
        return self._of(right, read, _named(found)) == read

    def in_form(self, right: Any, found: Any) -> Any:
        try:
            return _plain(self._of(right, _cards_or_pay(found), _named(found)))
        except BadCellsError:
            return None
        except (ValueError, TypeError, RecursionError):
            pass
        try:
            if "actions" in right:
                return float(self._net(right))
            return self.game.shoe(**self.seeds(right)).tolist()
        except BadCellsError:
            return None

    def explain(self, row: Mapping[str, Any]) -> Any:
        actions = row.get("actions")
        given = None if is_missing(actions) else _actions(actions)
        return self.game.explain(**self.seeds(row), actions=given)


def _actions(value: Any) -> list[str]:
    """Read what a player did: a list, a JSON list, or words with commas or spaces between them."""
    if is_missing(value):
        return []
    if isinstance(value, bytes):
        value = value.decode()
    if isinstance(value, str):
        listed = value.lstrip().startswith("[")
        return _json("actions", value) if listed else value.replace(",", " ").split()
    return list(value)


def _named(value: Any) -> bool:
    """Whether logged cards are names, which don't tell the decks of a shoe apart."""
    if isinstance(value, (str, bytes)):
        return value.lstrip()[:1] not in ("[", b"[") or '"' in str(value)
    return isinstance(value, (list, tuple)) and any(isinstance(card, str) for card in value)


class DiceRecords(RowByRow):
    """A system of dice, which may be logged as `digits` of text, as whole numbers or as lists of faces."""

    def read_text(self, name: str, column: Any) -> Text:
        if isinstance(column, Constant):
            value = column.value
            return text(column if isinstance(value, (str, bytes)) else Constant(_faces(name, value)))
        if _lists_or_whole(column):
            column = [_written(cell) for cell in cells(column, len(column))]
        return text(column)


def _lists_or_whole(column: Any) -> bool:
    """Whether a column may hold lists or whole numbers."""
    if is_arrow(column):
        types = pyarrow().types
        return types.is_integer(column.type) or types.is_nested(column.type)
    return isinstance(column, list) or column.dtype.kind in "iu"


def _written(cell: Any) -> Any:
    """Return dice as text; a cell that holds none as it is."""
    if isinstance(cell, (str, bytes)):
        return cell
    try:
        return "" if flat(cell) == [] else _faces(FIELD, cell)
    except (ValueError, TypeError):
        return cell


class HashedRecords(DiceRecords):
    """FPClub's hashed dice: in every row a sequence and the hash that was shown before the game."""

    name = "HashedDice"
    texts: Mapping[str, bool] = MappingProxyType({"digits": True})
    unique = ("digits",)
    called: Mapping[str, str] = MappingProxyType({FIELD: "hash"})

    def parameters(self) -> dict[str, Any]:
        return {"game": "hashed dice"}

    def right(self, row: dict[str, Any]) -> Any:
        try:
            return HashedDice(_faces("digits", row["digits"]))
        except ValueError as error:
            raise BadCellsError(str(error), digits=row["digits"]) from None

    def agrees(self, right: Any, found: Any) -> bool:
        # The search for a repair belongs to `explain`.
        return right.check(_text(found).strip(), longest_searched=0).ok

    def in_form(self, right: Any, found: Any) -> Any:
        try:
            return right.check(_text(found).strip(), longest_searched=0).computed
        except (ValueError, TypeError):
            return right.hash

    def explain(self, row: Mapping[str, Any]) -> Any:
        return self.right(dict(row)).check(_text(row[FIELD]).strip())


class CombinedThrows(DiceRecords):
    """FPClub's combined dice: in every row the faces of both players, and the throws they make."""

    name = "Combined"
    texts: Mapping[str, bool] = MappingProxyType({"first": True, "second": True})

    def parameters(self) -> dict[str, Any]:
        return {"game": "combined dice"}

    def right(self, row: dict[str, Any]) -> Any:
        return self.explain(row).digits

    def agrees(self, right: Any, found: Any) -> bool:
        return right == _faces(FIELD, found)

    def explain(self, row: Mapping[str, Any]) -> Any:
        players, reasons = {}, {}
        for name in self.texts:
            try:
                players[name] = _faces(name, row[name])
            except (ValueError, TypeError) as error:
                reasons[name] = str(error)
        if reasons:
            raise BadCellsError("; ".join(reasons.values()), **{name: row[name] for name in reasons})
        try:
            return Combined(**players)
        except ValueError as error:  # not as many dice
            raise BadCellsError(str(error), second=row["second"]) from None


class Rolls(RowByRow):
    """The rolls of one sequence of dice: row i of the log is roll i."""

    texts: Mapping[str, bool] = MappingProxyType({})

    def __init__(self, dice: HashedDice | Combined) -> None:
        self.dice = dice
        self.name = f"the {len(dice.rolls)} rolls of {type(dice).__name__}"

    def parameters(self) -> dict[str, Any]:
        return {"game": f"rolls of {type(self.dice).__name__}", "digits": self.dice.digits}

    def right(self, row: dict[str, Any]) -> Any:
        rolls = self.dice.rolls
        if row["row"] >= len(rolls):
            raise ValueError(f"no roll: there are {len(rolls)}")
        return "".join(map(str, rolls[row["row"]].tolist()))

    def agrees(self, right: Any, found: Any) -> bool:
        return right == _faces(FIELD, found)

    def explain(self, row: Mapping[str, Any]) -> Any:
        return self.dice


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode()
    if not isinstance(value, str):
        raise TypeError(f"the hash must be text, got {type(value).__name__}")
    return value


def _faces(name: str, value: Any) -> str:
    """Read faces, from digits, from a number whose digits they are, or from a list, as digits."""
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, (str, bytes)) or value.lstrip()[:1] in ("[", b"["):
        value = flat(value)
        if value is None:
            raise ValueError(f"{name} must be dice: digits 1 to 6, or a list of faces")
    read = digits(name, value)
    if not read:
        raise ValueError(f"{name} must hold at least one die, got none")
    return read


def subject_of(value: Any) -> Subject:
    """Return how logs of a game, or of another system, are checked."""
    if isinstance(value, Game):
        return SaltedGame(value)
    if isinstance(value, VideoPoker):
        return VideoPokerHands(value)
    if isinstance(value, Blackjack):
        return BlackjackRounds(value)
    if value is HashedDice:
        return HashedRecords()
    if value is Combined:
        return CombinedThrows()
    if isinstance(value, (HashedDice, Combined)):
        return Rolls(value)
    raise TypeError(
        "subject must be a game, such as pf.Dice(), a VideoPoker or Blackjack, or of fpclub HashedDice or "
        f"Combined, got {type(value).__name__}"
    )
