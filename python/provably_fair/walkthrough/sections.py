"""The sections of a walk-through: each shows one stage of a round, and adds its part of the dict.

Systems combine these with sections of their own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from provably_fair._core.printable import plain
from provably_fair._core.table import text_of
from provably_fair._core.types import JsonDict

from .lines import CardName, Line, Mark
from .steps import Note, Number, Part, Step, numbers_by_name, numbers_of

NUMBERS_SHOWN = 40
"""Limit on the numbers shown in text and HTML, rounded to whole rows, balls or spins."""

_LONGEST = 200
_REPLACEMENT = "\ufffd"

Seed = str | bytes
Picture = Callable[[Any, Sequence[Step]], Iterable[Line]]
"""A game's picture of an outcome, or of the part of it that these steps determine."""


@dataclass(frozen=True)
class VisibleRound:
    """The visible part of a round: all of it, or the first parts."""

    outcome: Any
    every_step: tuple[Step, ...]
    full: bool
    steps: tuple[Step, ...]  # the visible steps
    rest: str  # a line that counts the hidden parts, or "" if there are none

    @classmethod
    def of(cls, outcome: object, steps: tuple[Step, ...], full: bool) -> VisibleRound:
        """Return the view of a round, complete if `full`."""
        shown, rest = (steps, "") if full else _first_parts(steps)
        return cls(outcome, steps, full, shown, rest)

    @property
    def longest(self) -> int | None:
        """The number of characters shown of a text; None for all."""
        return None if self.full else _LONGEST


def _first_parts(steps: tuple[Step, ...]) -> tuple[tuple[Step, ...], str]:
    """Return the steps of the parts that fit, and a line that counts the hidden parts."""
    starts = [place for place, step in enumerate(steps) if isinstance(step, Part)]
    numbers = 0
    for count, (start, stop) in enumerate(pairwise([*starts, len(steps)])):
        numbers += sum(1 for _ in numbers_of(steps[start:stop]))
        if numbers > NUMBERS_SHOWN and count:
            left, part = len(starts) - count, steps[start]
            assert isinstance(part, Part)
            return steps[:start], _left_out(left, part.name if left == 1 else part.name + "s")
    return steps, ""


def _left_out(count: int, name: str) -> str:
    """Return the line that counts hidden parts or steps."""
    return f"... {count} more {name}: text(full=True) or to_dict() has all"


@dataclass(frozen=True)
class Section(ABC):
    """One stage of a round; a page shows it `folded` if it is long, until asked."""

    heading: str
    folded: bool = field(default=False, kw_only=True)

    @abstractmethod
    def lines(self, view: VisibleRound) -> Iterable[Line]:
        """Return the lines below the heading."""

    def to_dict(self, view: VisibleRound) -> JsonDict:
        """Return the section's entries of the dict."""
        return {}


@dataclass(frozen=True)
class Seeds(Section):
    """The seeds of a round, in quotes."""

    seeds: tuple[tuple[str, Seed], ...]

    def lines(self, view: VisibleRound) -> Iterator[Line]:
        width = max((len(name) for name, _ in self.seeds), default=0)
        for name, seed in self.seeds:
            yield [f'{name.replace("_", " "):<{width}}  "{plain(seed, view.longest)}"']

    def to_dict(self, view: VisibleRound) -> JsonDict:
        return {name: json_text(seed) for name, seed in self.seeds}


@dataclass(frozen=True)
class LabeledRows(Section):
    """A two-column table of labels and values, which is one entry of the dict."""

    key: str
    rows: tuple[tuple[str, str], ...]

    def lines(self, view: VisibleRound) -> Iterator[Line]:
        width = max((len(label) for label, _ in self.rows), default=0)
        for label, value in self.rows:
            yield [f"{label:<{width}}  {plain(value, view.longest)}"]

    def to_dict(self, view: VisibleRound) -> JsonDict:
        return {self.key: dict(self.rows)}


@dataclass(frozen=True)
class Cards(Section):
    """The cards of a deal, one a line, with numbers and destinations."""

    numbers: Any
    names: tuple[str, ...]
    roles: tuple[str, ...] = ()

    def lines(self, view: VisibleRound) -> Iterator[Line]:
        numbers = [str(number) for number in self.numbers.tolist()]
        wide, widest = (max(map(len, texts), default=0) for texts in (self.names, numbers))
        for place, (number, name) in enumerate(zip(numbers, self.names, strict=True)):
            role = self.roles[place] if place < len(self.roles) else ""
            yield [f"{number:>{widest}}  ", CardName(name), f"{' ' * (wide - len(name))}  {role}"]

    def to_dict(self, view: VisibleRound) -> JsonDict:
        return {"outcome": self.numbers.tolist(), "cards": [*self.names]}


@dataclass(frozen=True)
class Entries(Section):
    """Entries of the dict without a visible section."""

    heading: str = field(default="", init=False)
    entries: tuple[tuple[str, Any], ...]

    def lines(self, view: VisibleRound) -> Iterator[Line]:
        return iter(())

    def to_dict(self, view: VisibleRound) -> JsonDict:
        return dict(self.entries)


@dataclass(frozen=True)
class Key(Section):
    """The key of the hashes."""

    key: str

    def lines(self, view: VisibleRound) -> Iterator[Line]:
        yield [self.key]

    def to_dict(self, view: VisibleRound) -> JsonDict:
        return {"key": self.key}


@dataclass(frozen=True)
class Blocks(Section):
    """The hashes of a round, with eight bytes a number."""

    blocks: tuple[Hashed, ...]

    def lines(self, view: VisibleRound) -> Iterator[Line]:
        used = {number.index for number in numbers_of(view.steps)}
        cursors = {number.cursor for number in numbers_of(view.steps)}
        shown = [block for block in self.blocks if block.cursor in cursors]
        for block in shown:
            yield [f'cursor {block.cursor}, message "{plain(block.message, view.longest)}"']
            count = len(block.digest) // 8
            for place in range(count):
                octets = block.digest[8 * place : 8 * (place + 1)]
                index = count * block.cursor + place
                decimal = " ".join(f"{byte:>3}" for byte in octets)
                note = "" if index in used else "   not used"
                yield [f"   number {index:<4} {octets.hex(' ')}  = {decimal}{note}"]
        if view.rest:
            yield [f"... {len(self.blocks) - len(shown)} more cursors"]

    def to_dict(self, view: VisibleRound) -> JsonDict:
        return {
            "blocks": [
                {
                    "cursor": block.cursor,
                    "message": json_text(block.message),
                    "hex": block.digest.hex(),
                    "bytes": list(block.digest),
                }
                for block in self.blocks
            ]
        }


@dataclass(frozen=True)
class Hashed:
    """The input of one digest, and its words in hexadecimal; `key` is that of HMAC, if there is one.

    `again` is how often the digest at this cursor was hashed again for it, or of a function's words the
    number of the piece; `label` that of its draws, if that is hashed.
    """

    cursor: int
    key: Seed | None
    message: Seed
    digest: bytes
    words: tuple[str, ...]
    again: int = 0
    label: str | None = None


@dataclass(frozen=True)
class Digests(Section):
    """The digests of a round under any scheme."""

    digests: tuple[Hashed, ...]

    def lines(self, view: VisibleRound) -> Iterator[Line]:
        shown = {number.cursor for number in numbers_of(view.steps)}
        for digest in self.digests:
            if digest.cursor not in shown:
                continue
            label = "" if digest.label is None else f", label {plain(digest.label, view.longest)}"
            yield [f"cursor {digest.cursor}" + (f", {digest.again} on" if digest.again else "") + label]
            if not digest.digest:  # a function's words have no digest
                yield [f"   words    {' '.join(digest.words)}"]
                continue
            if digest.key is not None:
                yield from _hashed_text("key", digest.key, view.longest)
            yield from _hashed_text("message", digest.message, view.longest)
            yield [f"   digest   {digest.digest.hex()}"]
            yield [f"   words    {' '.join(digest.words)}"]
        if view.rest:
            yield [f"... {len(self.digests) - len(shown)} more cursors"]

    def to_dict(self, view: VisibleRound) -> JsonDict:
        return {
            "blocks": [
                {
                    "cursor": digest.cursor,
                    "key": None if digest.key is None else json_text(digest.key),
                    "message": json_text(digest.message),
                    "hex": digest.digest.hex(),
                    "words": list(digest.words),
                    **({"again": digest.again} if digest.again else {}),
                    **({} if digest.label is None else {"label": digest.label}),
                }
                for digest in self.digests
            ]
        }


def _hashed_text(name: str, text: Seed, longest: int | None) -> Iterator[Line]:
    """Yield a hashed text, and its bytes if some of it is no UTF-8, or couldn't be read as such."""
    yield [f'   {name:8} "{plain(text, longest)}"']
    shown = text_of(text)
    if isinstance(shown, str) and _REPLACEMENT in shown:
        shown = shown.encode()
    if isinstance(shown, bytes):
        yield [f"   in hex   {plain(shown.hex(), longest)}"]


@dataclass(frozen=True)
class Steps(Section):
    """A numbered line for each step, named in singular and plural; beyond the limit only highlighted ones."""

    one: str = "step"
    several: str = "steps"

    def lines(self, view: VisibleRound) -> Iterator[Line]:
        width, left = len(str(len(view.steps))), 0
        for index, step in enumerate(view.steps):
            (line,) = step.lines()
            if view.full or index < NUMBERS_SHOWN or any(isinstance(piece, Mark) for piece in line):
                yield [f"{self.one} {index:>{width}}: ", *line]
            else:
                left += 1
        if left:
            yield [_left_out(left, self.several)]

    def to_dict(self, view: VisibleRound) -> JsonDict:
        return {"steps": [step.to_dict() for step in view.every_step]}


@dataclass(frozen=True)
class Conversions(Steps):
    """The conversion of bytes to numbers."""

    def lines(self, view: VisibleRound) -> Iterator[Line]:
        for number, name in numbers_by_name(view.steps):
            yield from number.working(name)
        if view.rest:
            yield [view.rest]


@dataclass(frozen=True)
class Outcome(Section):
    """The conversion of numbers to the outcome.

    `decimals` are those of an outcome that isn't whole; `picture` gives its lines, from it and the steps
    shown.
    """

    decimals: int = 0
    picture: Picture | None = field(default=None, compare=False)

    def lines(self, view: VisibleRound) -> Iterator[Line]:
        yield from _results(view.steps)
        if view.rest:
            yield [view.rest]
        outcome = str(view.outcome.tolist())
        if self.decimals and not view.outcome.shape:
            unit = 10**self.decimals
            outcome = f"{view.outcome:.{self.decimals}f}"
            if not any(isinstance(step, Note) for step in view.every_step):
                yield [f"{round(float(view.outcome) * unit)} / {unit} = {outcome}"]
        if self.picture is not None:
            yield from self.picture(view.outcome, view.steps)
        yield [f"outcome: {outcome}"]

    def to_dict(self, view: VisibleRound) -> JsonDict:
        return {"outcome": view.outcome.tolist()}


def _results(steps: Iterable[Step]) -> Iterator[Line]:
    """Yield the result of each step, with the numbers of a part together below its name."""
    prefix = ""
    gathered: list[str] = []
    for step in steps:
        if isinstance(step, Number):
            gathered.append(step.decision)
            continue
        yield from _together(prefix, gathered)
        gathered = []
        if isinstance(step, Part):
            prefix = f"{step.name} {step.index + 1}"
            continue
        lines = list(step.lines())
        if prefix and len(lines) > 1:
            yield [prefix]
        yield from lines
    yield from _together(prefix, gathered)


def _together(prefix: str, decisions: list[str]) -> Iterator[Line]:
    if len(decisions) > 1 or (decisions and prefix):
        yield [prefix or "draws"]
        yield from ([f"   {decision}"] for decision in decisions)
    elif decisions:
        yield [f"draw = {decisions[0]}"]


def json_text(text: Seed) -> Any:
    """Return a seed for JSON: valid text unchanged, other bytes in hexadecimal."""
    shown = text_of(text)
    return {"hex": shown.hex()} if isinstance(shown, bytes) else shown
