"""Notations of outcomes: cards by name, a path in letters, a bucket, 42.10%, 1.98x, heads, 3-9-21.

Unambiguous notations are read and counted. A column that mixes notations is refused, as is an ambiguous cell.
Cells in no known notation are left to the engine.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from decimal import Decimal
from typing import Any

import numpy as np

from provably_fair._core.printable import counted, decoded, repr_of
from provably_fair.games import Game
from provably_fair.games.rounds import rounds_of
from provably_fair.sources import LogError
from provably_fair.sources.foreign import Constant, cell, cells_of, is_empty, is_numeric, joined_texts

BUCKET, SINGLE = "bucket", "single"
HELD = {
    "dealt": "all cards",
    "part": "the first cards",
    "final": "the final hand",
    "net": "what was won or paid",
}
"""What the outcome of a round at a table may hold, in the engine's order, for reports; see `cards.held`."""
SAYS = {
    "cards": "cards are read by their names",
    "words": "outcomes are read by their words",
    "truths": "true and false are read as 1 and 0",
    "path": "paths are read by their letters, L left and R right",
    BUCKET: "compared by bucket: the path was not in the log",
    "percent": "numbers are read without their percent sign",
    "times": "multipliers are read without their x",
    "list": "lists are read by their numbers",
    "set": "compared in any order: the outcome is a set",
    "part": "only the first cards are logged, fewer than the hand has, and no others were compared",
    "unplayed": "the actions can't be played with the cards, which alone were compared",
    SINGLE: "compared as 32-bit floats, to which several outcomes may round",
}
"""The sentence of reports about each notation."""

_PLAIN = re.compile(rb"[\s\[\]\d.,+\-eE]*")
_PLAIN_TEXT = re.compile(r"[\s\[\]\d.,+\-eE]*")
_VARIANT = "\ufe0f"
"""The character after a suit that makes it a picture."""
_CARD = re.compile(rf"(10|[2-9TJQKA])\s*([♦♥♠♣dhsc]){_VARIANT}?", re.IGNORECASE)
_NAME = re.compile(rf"{_CARD.pattern}|--|joker", re.IGNORECASE)
_SUITS = dict(zip("dhsc", "♦♥♠♣", strict=True))
_BETWEEN = re.compile(r"\s*,\s*|\s+")
_WHOLE = re.compile(r"\s*(0|[1-9]\d?\d?)(?:\.0+)?\s*")
_NUMBER = re.compile(r"-?[0-9]{1,18}(?:\.[0-9]*)?(?:[eE][-+]?[0-9]{1,3})?")
# Before a number, a dash is its sign; it separates numbers without one.
_LIST = re.compile(
    rf"\s*(?:{_NUMBER.pattern}(?:(?:\s+{_NUMBER.pattern})+|(?:\s*([,;|/])\s*{_NUMBER.pattern})"
    rf"(?:\s*\1\s*{_NUMBER.pattern})*)"
    r"|[0-9]{1,18}(?P<dash>-| - )[0-9]{1,18}(?:(?P=dash)[0-9]{1,18})*)\s*"
)
_BRACKETS = ("[]", "()", "{}")
_QUOTED = re.compile(r"""(["'])([^"',]*)\1""")
_APART = re.compile(rb"[\d.]\s+[-\d]")
"""Numbers with blanks between them alone, which JSON doesn't know."""
_TRUTHS = {"true": 1, "false": 0}
_PERCENT = re.compile(r"\s*([\d.,]+)\s*%\s*")


def read_as(notations: Mapping[str, int]) -> list[str]:
    """Return a report's notes on notations, by the number of rows in each."""
    return [f"{count:,} rows: {SAYS[way]}" for way, count in sorted(notations.items()) if way in SAYS]


def compared_by(notations: Mapping[str, int]) -> str:
    """Return in words how many rows at a table were compared by what; "" without any."""
    counts = {text: notations.get(held, 0) for held, text in HELD.items()}
    return ", ".join(f"{counted(count, 'row')} by {text}" for text, count in counts.items() if count)


Reader = Callable[[Any], Any]


class Notations:
    """The notations of a file's outcomes, as far as its rows show them."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[str, object]] = {}  # the notation of each game, and a cell that shows it

    def read(
        self, game: Game, name: str, column: Any, rows: int, *, varies: bool = False
    ) -> tuple[Any, str | None, int]:
        """Return a column for the engine, its notation (None for the game's own), and its rows' number.

        `varies` says that the game's parameters do, and perhaps the lengths of outcomes.
        """
        ways, words = game.kind.notations, _words_of(game)
        if not ways and not words and not _is_list(game):
            return column, None, 0
        single = isinstance(column, (str, bytes))
        if not single and is_numeric(column):
            if BUCKET not in ways or np.ndim(column) != 1:
                return column, None, 0
            self._note(name, BUCKET, next((one for one in cells_of(column, rows) if not is_empty(one)), 0))
            return column, BUCKET, rows
        text = joined_texts(Constant(column) if single else column)
        if text is None and _is_of_numbers(column):
            return column, None, 0
        bare = (
            _is_list(game)
            and (text is None or not _is_json(text, column, rows, game.shape[0]))
            and self._has_lists(game, name, column, rows, varies)
        )
        if text is not None and _PLAIN.fullmatch(text) and not bare and (BUCKET not in ways or b"[" in text):
            return column, None, 0
        return self._read(name, column, rows, _readers(game, words, bare))

    def _has_lists(self, game: Game, name: str, column: Any, rows: int, varies: bool) -> bool:
        """Return whether cells are lists, since one of them has an outcome's length."""
        if self._seen.get(name, ("",))[0] == "list":
            return True
        cells = [column] if isinstance(column, (str, bytes)) else cells_of(column, rows)
        read = _list_of(game)
        lengths = (len(read(decoded(one)) or ()) for one in cells)
        return any(length > 1 if varies else length == game.shape[0] for length in lengths)

    def _read(
        self, game: str, column: Any, rows: int, readers: Mapping[str, Reader]
    ) -> tuple[Any, str | None, int]:
        single = isinstance(column, (str, bytes))
        known: dict[str, tuple[str | None, Any]] = {}
        made: list[Any] = []
        count, found = 0, None
        for one in [column] if single else cells_of(column, rows):
            if is_empty(one):
                made.append(one)
                continue
            key = one if isinstance(one, str) else repr_of(one)
            if key not in known:
                known[key] = way, _ = _read_cell(one, readers)
                if way is not None:
                    self._note(game, way, one)
            way, value = known[key]
            made.append(value)
            if way not in (None, "plain"):
                found, count = way, count + 1
        if found is None:
            return column, None, 0
        return made * (rows if single else 1), found, rows if single else count

    def _note(self, game: str, way: str, cell: object) -> None:
        # What the engine reads, or finds malformed, may be among lists and truths.
        way = "list" if way in ("plain", "truths") else way
        seen, example = self._seen.setdefault(game, (way, cell))
        if seen != way:
            raise LogError(
                f"column 'outcome' mixes notations, as in {repr_of(example):.40} and {repr_of(cell):.40}: "
                "a log must use one"
            )


def names_apart(column: Any, rows: int) -> Any:
    """Return cards by name with blanks between them, as the engine reads them beside results at a table."""
    single = isinstance(column, (str, bytes))
    text = joined_texts(Constant(column) if single else column)
    if text is None:  # texts may be among lists
        apart = not isinstance(column, list) and getattr(column, "dtype", None) != np.dtype(object)
    else:
        apart = not any(sign in text for sign in (b",", b"'", _VARIANT.encode()))
    if apart:
        return column
    read = [_apart(decoded(one)) for one in ([column] if single else cells_of(column, rows))]
    return read[0] if single else read


def _apart(cell: Any) -> Any:
    if not isinstance(cell, str) or (cell.startswith('["') and _VARIANT not in cell):
        return cell  # the engine reads JSON
    words = _BETWEEN.split(_unbracketed(cell))
    return " ".join(words).replace(_VARIANT, "") if all(map(_NAME.fullmatch, words)) else cell


def _readers(game: Game, words: Mapping[str, int | None], bare: bool) -> dict[str, Reader]:
    """Return the readers of possible notations; each returns None for other text."""
    ways = game.kind.notations
    shaped = bool(game.shape)
    readers: dict[str, Reader] = {}
    if words:
        for way in ("cards", "truths", "words"):
            of_way = {word: value for word, value in words.items() if _way_of(word) == way}
            if of_way:
                readers[way] = _by_words(of_way, shaped)
    if bare:
        readers["list"] = _list_of(game)
    if "path" in ways:
        readers["path"] = _path
    for way, pattern in {BUCKET: _WHOLE, "percent": _PERCENT}.items():
        if way in ways:
            readers[way] = _by_pattern(pattern)
    return readers


def _way_of(word: str) -> str:
    return "cards" if _CARD.fullmatch(word) else "truths" if word in ("true", "false") else "words"


def _by_words(words: dict[str, int | None], shaped: bool) -> Reader:
    def one(word: object) -> int | None:
        text = ("true" if word else "false") if isinstance(word, (bool, np.bool_)) else word
        if not isinstance(text, str):
            return None
        text = text.strip()
        card = _CARD.fullmatch(text) if text not in words else None
        if card is not None:
            rank, suit = card[1].upper(), card[2].lower()
            text = ("10" if rank == "T" else rank) + _SUITS.get(suit, suit)
        elif text not in words:
            text = text.casefold()
        if text in words and words[text] is None:
            raise LogError(f"column 'outcome' has {text!r}, which may mean either side: write 0 or 1")
        return words.get(text)

    def read(cell: Any) -> Any:
        if isinstance(cell, str) and cell.lstrip().startswith("["):
            with suppress(ValueError, RecursionError):  # Python has its own quotes and truths
                cell = json.loads(cell)
        if isinstance(cell, str) and shaped:
            cell = _BETWEEN.split(_unbracketed(cell))
        if not shaped:
            return one(cell)
        if not isinstance(cell, Iterable) or isinstance(cell, (str, bytes)):
            return None
        values = [one(word) for word in cell]
        return values if values and None not in values else None

    return read


def _words_of(game: Game) -> Mapping[str, int | None]:
    """Return a game's words, in small letters too; those of truths if its rule gives 0 and 1 alone."""
    words = game.kind.words
    if not words and game.dtype.kind == "i":
        with suppress(TypeError, ValueError):  # of a rule that contradicts its class, which fails in each row
            program = getattr(rounds_of(game), "program", None)
            words = _TRUTHS if program is not None and program.bounds == (0, 1) else {}
    return {word.casefold(): value for word, value in words.items()} | dict(words)


def _is_list(game: Game) -> bool:
    """Return whether outcomes are lists of numbers, which may be written otherwise than in JSON."""
    return len(game.shape) == 1 and game.shape[0] > 1


def _is_json(text: bytes, column: Any, rows: int, length: int) -> bool:
    """Return whether all cells are lists in JSON, as far as counts of brackets and commas tell."""
    count = text.count(b"[")
    if not count or b"'" in text or b'"' in text:
        return False
    if not isinstance(column, (str, bytes)) and count != rows:
        rows = sum(not is_empty(one) for one in cells_of(column, rows))
    whole = isinstance(column, (str, bytes)) or count == rows
    return whole and (text.count(b",") == count * (length - 1) or _APART.search(text) is None)


def _list_of(game: Game) -> Reader:
    """Return the reader of lists of numbers, and of Python's sets if outcomes are sets."""
    kinds = (list, tuple) if game.ordered else (list, tuple, set, frozenset)

    def read(cell: Any) -> list[int | Decimal] | None:
        return _list(cell) if isinstance(cell, str) else _numbers(cell) if isinstance(cell, kinds) else None

    return read


def _list(cell: str) -> list[int | Decimal] | None:
    """Read numbers with one kind of separator, in brackets or not; return None for other text."""
    text = _unbracketed(cell)
    found = _LIST.fullmatch(text)
    return found and _numbers(re.findall("[0-9]+", text) if found["dash"] else _NUMBER.findall(text))


def _unbracketed(cell: str) -> str:
    """Return a list's text without its brackets, and without quotes in them."""
    text = cell.strip()
    return _QUOTED.sub(r"\2", text[1:-1]).strip() if text[:1] + text[-1:] in _BRACKETS else text


def _numbers(items: Iterable[Any]) -> list[int | Decimal] | None:
    """Read numbers that may be text; return None if some are none."""
    texts = [decoded(item) if isinstance(item, bytes) else str(item) for item in items]
    if not all(map(_NUMBER.fullmatch, texts)):
        return None
    return [int(text) if text.lstrip("-").isdecimal() else Decimal(text) for text in texts]


def _path(cell: Any) -> list[int] | None:
    letters = cell.strip().upper() if isinstance(cell, str) else ""
    return ["LR".index(letter) for letter in letters] if letters and set(letters) <= {"L", "R"} else None


def _by_pattern(pattern: re.Pattern[str]) -> Reader:
    def read(cell: Any) -> Any:
        found = pattern.fullmatch(cell) if isinstance(cell, str) else None
        return None if found is None else found[1].replace(",", ".")

    return read


def _read_cell(cell: Any, readers: Mapping[str, Reader]) -> tuple[str | None, Any]:
    """Return the notation of a cell, and its value; None and the cell for unknown notations."""
    cell = decoded(cell)
    for way, read in readers.items():
        value = read(cell)
        if value is not None:
            return way, value
    plain = not isinstance(cell, str) or _PLAIN_TEXT.fullmatch(cell)
    return ("plain" if plain else None), cell


def _is_of_numbers(column: Any) -> bool:
    """Return whether a column without text holds lists of numbers, judging by its first nonempty cell."""
    if isinstance(column, list) and not {str, bytes}.isdisjoint(map(type, column)):
        return False
    first: Any = next((one for row in range(len(column)) if not is_empty(one := cell(column, row))), None)
    if isinstance(first, np.ndarray):
        return first.dtype.kind in "iuf"
    while isinstance(first, (list, tuple)) and first:
        first = first[0]
    return isinstance(first, (int, float, np.number)) and not isinstance(first, bool)
