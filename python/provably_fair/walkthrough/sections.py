"""The sections of a walk-through: each shows one stage of a round, and gives its share of the dict.

A system puts its walk-through together of these and of sections of its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from provably_fair._core.printable import plain
from provably_fair._core.types import JsonDict

from .lines import CardName, Line, Mark
from .steps import Note, Number, Part, Step, numbers_by_name, numbers_of

NUMBERS_SHOWN = 40
"""Numbers that the text and the page of a walk-through show, in whole rows, balls or spins."""

_LONGEST = 200

Seed = str | bytes
Picture = Callable[[Any, Sequence[Step]], Iterable[Line]]
"""A game's picture of an outcome, or of as much of it as these steps give."""


@dataclass(frozen=True)
class View:
    """What is shown of a round: all of it, or the parts that are made of its first numbers."""

    outcome: Any
    every_step: tuple[Step, ...]
    full: bool
    steps: tuple[Step, ...]
    """The steps that are shown."""
    rest: str
    """How many parts are left out, in words; "" where nothing is."""

    @classmethod
    def of(cls, outcome: object, steps: tuple[Step, ...], full: bool) -> View:
        """Choose what is shown."""
        shown, rest = (steps, "") if full else _first_parts(steps)
        return cls(outcome, steps, full, shown, rest)

    @property
    def longest(self) -> int | None:
        """Characters that are shown of one text; None for all of them."""
        return None if self.full else _LONGEST


def _first_parts(steps: tuple[Step, ...]) -> tuple[tuple[Step, ...], str]:
    """Return the steps of the parts that fit, and a line that says how many parts are left out."""
    starts = [place for place, step in enumerate(steps) if isinstance(step, Part)]
    numbers = 0
    for count, (start, stop) in enumerate(pairwise([*starts, len(steps)])):
        numbers += sum(1 for _ in numbers_of(steps[start:stop]))
        if numbers > NUMBERS_SHOWN and count:
            left = len(starts) - count
            part = steps[start]
            assert isinstance(part, Part)
            name = part.name if left == 1 else part.name + "s"
            return steps[:start], _left_out(left, name)
    return steps, ""


def _left_out(count: int, name: str) -> str:
    """Return the line that says how many parts or steps aren't shown."""
    return f"... {count} more {name}: text(full=True) or to_dict() has all"


@dataclass(frozen=True)
class Section(ABC):
    """One stage of a round.

    Attributes
    ----------
    heading : str
        What is shown.
    folded : bool
        Whether a page shows it only when asked, since it is long.
    """

    heading: str
    folded: bool = field(default=False, kw_only=True)

    @abstractmethod
    def lines(self, view: View) -> Iterable[Line]:
        """Return what is shown below the heading."""

    def to_dict(self, view: View) -> JsonDict:
        """Return its share of the dict."""
        return {}


@dataclass(frozen=True)
class Seeds(Section):
    """The texts that a round is made of, in quotes."""

    seeds: tuple[tuple[str, Seed], ...]

    def lines(self, view: View) -> Iterator[Line]:
        """Return a line for each."""
        width = max((len(name) for name, _ in self.seeds), default=0)
        for name, seed in self.seeds:
            yield [f'{name.replace("_", " "):<{width}}  "{plain(seed, view.longest)}"']

    def to_dict(self, view: View) -> JsonDict:
        """Return them by name."""
        return {name: json_text(seed) for name, seed in self.seeds}


@dataclass(frozen=True)
class Rows(Section):
    """Labels and what they stand for, in two columns; together they are one entry of the dict."""

    key: str
    rows: tuple[tuple[str, str], ...]

    def lines(self, view: View) -> Iterator[Line]:
        """Return a line for each."""
        width = max((len(label) for label, _ in self.rows), default=0)
        for label, value in self.rows:
            yield [f"{label:<{width}}  {plain(value, view.longest)}"]

    def to_dict(self, view: View) -> JsonDict:
        """Return them by label."""
        return {self.key: dict(self.rows)}


@dataclass(frozen=True)
class Cards(Section):
    """The cards of a deal, one in a row, with their numbers and where they went."""

    numbers: Any
    names: tuple[str, ...]
    roles: tuple[str, ...] = ()

    def lines(self, view: View) -> Iterator[Line]:
        """Return a line for each card."""
        numbers = [str(number) for number in self.numbers.tolist()]
        wide, widest = (max(map(len, texts), default=0) for texts in (self.names, numbers))
        for place, (number, name) in enumerate(zip(numbers, self.names, strict=True)):
            role = self.roles[place] if place < len(self.roles) else ""
            yield [f"{number:>{widest}}  ", CardName(name), f"{' ' * (wide - len(name))}  {role}"]

    def to_dict(self, view: View) -> JsonDict:
        """Return the numbers, as outcomes have them, and the names."""
        return {"outcome": self.numbers.tolist(), "cards": [*self.names]}


@dataclass(frozen=True)
class Entries(Section):
    """Entries of the dict that aren't shown; it has no heading."""

    heading: str = field(default="", init=False)
    entries: tuple[tuple[str, Any], ...]

    def lines(self, view: View) -> Iterator[Line]:
        """Return nothing."""
        return iter(())

    def to_dict(self, view: View) -> JsonDict:
        """Return the entries."""
        return dict(self.entries)


@dataclass(frozen=True)
class Key(Section):
    """The key of the hashes."""

    key: str

    def lines(self, view: View) -> Iterator[Line]:
        """Return it."""
        yield [self.key]

    def to_dict(self, view: View) -> JsonDict:
        """Return it by its name."""
        return {"key": self.key}


@dataclass(frozen=True)
class Block:
    """What one message was hashed to.

    Attributes
    ----------
    cursor : int
        Its number among those of the round.
    message : str or bytes
        What was hashed.
    digest : bytes
        The hash.
    """

    cursor: int
    message: Seed
    digest: bytes


@dataclass(frozen=True)
class Blocks(Section):
    """The hashes of a round, with `size` bytes to a number."""

    blocks: tuple[Block, ...]
    size: int = 8

    def lines(self, view: View) -> Iterator[Line]:
        """Return the bytes of the blocks whose numbers are shown."""
        used = {number.index for number in numbers_of(view.steps)}
        cursors = {number.cursor for number in numbers_of(view.steps)}
        shown = [block for block in self.blocks if block.cursor in cursors]
        for block in shown:
            yield [f'cursor {block.cursor}, message "{plain(block.message, view.longest)}"']
            count = len(block.digest) // self.size
            for place in range(count):
                octets = block.digest[self.size * place : self.size * (place + 1)]
                index = count * block.cursor + place
                decimal = " ".join(f"{byte:>3}" for byte in octets)
                note = "" if index in used else "   not used"
                yield [f"   number {index:<4} {octets.hex(' ')}  = {decimal}{note}"]
        if view.rest:
            yield [f"... {len(self.blocks) - len(shown)} more cursors"]

    def to_dict(self, view: View) -> JsonDict:
        """Return all of them."""
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
    """What was hashed for one digest, and how it is cut into words.

    Attributes
    ----------
    cursor : int
        Its number.
    key : str, bytes or None
        The key of HMAC, if there is one.
    message : str or bytes
        What was hashed.
    digest : bytes
        The digest.
    words : tuple of str
        Its words, in hexadecimal.
    again : int
        How often the digest at this cursor was hashed again for it; of a function's words, which piece.
    label : str or None
        What its draws are called, where that is hashed.
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

    def lines(self, view: View) -> Iterator[Line]:
        """Return key, message and words of the digests whose words are shown."""
        shown = {number.cursor for number in numbers_of(view.steps)}
        for digest in self.digests:
            if digest.cursor not in shown:
                continue
            label = "" if digest.label is None else f", label {plain(digest.label, view.longest)}"
            yield [f"cursor {digest.cursor}" + (f", {digest.again} on" if digest.again else "") + label]
            if not digest.digest:  # a function's words
                yield [f"   words    {' '.join(digest.words)}"]
                continue
            if digest.key is not None:
                yield [f'   key      "{plain(digest.key, view.longest)}"']
            yield [f'   message  "{plain(digest.message, view.longest)}"']
            yield [f"   digest   {digest.digest.hex()}"]
            yield [f"   words    {' '.join(digest.words)}"]
        if view.rest:
            yield [f"... {len(self.digests) - len(shown)} more cursors"]

    def to_dict(self, view: View) -> JsonDict:
        """Return all of them."""
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


@dataclass(frozen=True)
class Steps(Section):
    """A line for each step, numbered. Beyond the first ones only those with a mark are shown.

    Attributes
    ----------
    one, several : str
        What a step is called, and several: "die", "dice".
    """

    one: str = "step"
    several: str = "steps"

    def lines(self, view: View) -> Iterator[Line]:
        """Return the lines of the steps that are shown."""
        width, left = len(str(len(view.steps))), 0
        for index, step in enumerate(view.steps):
            (line,) = step.lines()
            if view.full or index < NUMBERS_SHOWN or any(isinstance(piece, Mark) for piece in line):
                yield [f"{self.one} {index:>{width}}: ", *line]
            else:
                left += 1
        if left:
            yield [_left_out(left, self.several)]

    def to_dict(self, view: View) -> JsonDict:
        """Return every step."""
        return {"steps": [step.to_dict() for step in view.every_step]}


@dataclass(frozen=True)
class Numbers(Steps):
    """How each number is made of its bytes."""

    def lines(self, view: View) -> Iterator[Line]:
        """Return the working of each."""
        for number, name in numbers_by_name(view.steps):
            yield from number.working(name)
        if view.rest:
            yield [view.rest]


@dataclass(frozen=True)
class Outcome(Section):
    """What the game makes of its numbers.

    Attributes
    ----------
    decimals : int
        The decimals of an outcome that isn't whole.
    picture : callable, optional
        The picture of an outcome: lines, of the outcome and the steps that are shown.
    """

    decimals: int = 0
    picture: Picture | None = field(default=None, compare=False)

    def lines(self, view: View) -> Iterator[Line]:
        """Return what came of the steps, the picture, and the outcome."""
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

    def to_dict(self, view: View) -> JsonDict:
        """Return the outcome, all of it."""
        return {"outcome": view.outcome.tolist()}


def _results(steps: Iterable[Step]) -> Iterator[Line]:
    """Show what came of each step; numbers of one part are shown together, below its name."""
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
    """Return a seed for JSON: text as it is, bytes that are none in hexadecimal."""
    if isinstance(text, str):
        return text
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return {"hex": text.hex()}
