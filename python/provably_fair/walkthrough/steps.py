"""The steps of a round: a game's requests for randomness, and the answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from provably_fair._core.printable import to_fixed
from provably_fair._core.types import JsonDict

from .lines import Line, Mark

_DECIMALS = 18
_BYTES = 8


class Step(ABC):
    """A step on the way to an outcome.

    Walk-throughs ask nothing else of a step, so any scheme and any game may define its own.
    """

    @property
    def numbers(self) -> Iterable[Number]:
        """The numbers that the step used, in order."""
        return ()

    def lines(self) -> Iterable[Line]:
        """Show the results, below the numbers."""
        return ()

    @abstractmethod
    def to_dict(self) -> JsonDict:
        """Return it as plain Python values, for JSON."""


class Number(Step):
    """A step that is a single number, of any hash and any conversion."""

    index: int  # its index among the round's numbers
    result: int | float  # the result

    @property
    def numbers(self) -> Iterable[Number]:
        """The step itself."""
        return (self,)

    @property
    @abstractmethod
    def cursor(self) -> int:
        """The cursor of the digest that contains it."""

    @property
    @abstractmethod
    def decision(self) -> str:
        """The formula from number to result: ``floor(12.500000000000000000) = 12``."""

    @abstractmethod
    def working(self, name: str) -> Iterator[Line]:
        """Show the conversion from bytes; `name` is that of the choice, "" if it has none.

        Examples
        --------
        >>> next(pf.Dice().explain("", "", "").steps[0].working(""))
        ['number 0: 120, 149, 155, 128, 180, 109, 86, 115']
        """


@dataclass(frozen=True)
class Part(Step):
    """The start of a part of the outcome: a row, a ball, a spin.

    Attributes
    ----------
    name : str
        Noun for the part: "row", "ball", "spin".
    index : int
        Its number, from 0.
    draws : str
        Noun for each of its draws: "step", "pin", "reel".
    """

    name: str
    index: int
    draws: str

    def to_dict(self) -> JsonDict:
        """Return the part as plain Python values."""
        return {"kind": "part", "name": self.name, "index": self.index, "draws": self.draws}


@dataclass(frozen=True)
class Draw(Number):
    """A number of eight bytes, scaled to a choice.

    Attributes
    ----------
    index : int
        Its place among the round's numbers, from 0.
    octets : bytes
        Its eight bytes.
    number : float
        The number, in [0, 1).
    factor : int
        The factor by which the game multiplies it.
    scaled : float
        The product.
    result : int
        The product without its fraction, one of 0 ... factor - 1.
    """

    index: int
    octets: bytes
    number: float
    factor: int
    scaled: float
    result: int

    @property
    def cursor(self) -> int:
        """The cursor whose 64 bytes contain the number."""
        return self.index // _BYTES

    @property
    def terms(self) -> tuple[str, ...]:
        """The eight terms ``byte / 256 ** place`` with 18 decimals; the number is their sum."""
        return tuple(
            to_fixed(byte / 256**place, _DECIMALS) for place, byte in enumerate(self.octets, start=1)
        )

    @property
    def decision(self) -> str:
        """The product, and its floor."""
        return f"floor({to_fixed(self.scaled, _DECIMALS)}) = {self.result}"

    def working(self, name: str) -> Iterator[Line]:
        """Show the eight terms, their sum and the product.

        Examples
        --------
        >>> from provably_fair.walkthrough import Draw
        >>> draw = Draw(0, bytes([128, 0, 0, 0, 0, 0, 0, 0]), 0.5, 25, 12.5, 12)
        >>> next(draw.working("spin 1, reel 1"))
        ['number 0 (spin 1, reel 1): 128, 0, 0, 0, 0, 0, 0, 0']
        """
        head = f"number {self.index}" + (f" ({name})" if name else "")
        yield [f"{head}: {', '.join(map(str, self.octets))}"]
        added = 0.0
        for place, (byte, term) in enumerate(zip(self.octets, self.terms, strict=True), start=1):
            yield [f"   {'+' if place > 1 else ' '} {term}  {byte:>3} / 256^{place}"]
            # adds as the engine does; `sum` compensates rounding since Python 3.12
            added += byte / 256**place
        if added != self.number:
            yield ["   = 1 when rounded to a double; the largest double below 1 is taken"]
        yield [f"   = {to_fixed(self.number, _DECIMALS)}  * {self.factor}"]
        product = to_fixed(self.scaled, _DECIMALS)
        yield [f"   = {product}  in 0, ..., {self.factor - 1}: {self.result}"]

    def to_dict(self) -> JsonDict:
        """Return the draw as plain Python values: numbers as they are, and with 18 decimals."""
        return {
            "kind": "draw",
            "index": self.index,
            "cursor": self.cursor,
            "bytes": list(self.octets),
            "terms": list(self.terms),
            "number": self.number,
            "sum": to_fixed(self.number, _DECIMALS),
            "factor": self.factor,
            "scaled": self.scaled,
            "product": to_fixed(self.scaled, _DECIMALS),
            "result": self.result,
        }


@dataclass(frozen=True)
class WordDraw(Number):
    """A word of a digest, and the number or choice that it gives."""

    index: int  # among the round's draws, from 0
    digest: int  # its cursor
    place: int  # of the word in its digest, from 0; of its last byte with bits="range"
    words: int  # of the digest that make it: several bytes with bits="range"
    bits: int  # of the word
    word: int
    passed: tuple[int, ...]  # the words before it that were passed over
    factor: int | None  # the number of choices; None if the game drew a number
    rule: str  # maps a word to a choice: see `Scheme.below`
    digits: int | None  # the number's significant digits; None for all
    number: float | None  # that the word makes, if it makes one
    result: int | float

    @property
    def cursor(self) -> int:
        """The cursor of its digest."""
        return self.digest

    @property
    def decision(self) -> str:
        """The formula and its result."""
        if self.factor is None:
            return str(self.result)
        if self.rule == "scale":
            assert self.number is not None
            return f"floor({self.number!r} * {self.factor}) = {self.result}"
        if self.rule == "multiply":
            return f"floor({self.word} * {self.factor} / 2^{self.bits}) = {self.result}"
        if self.rule == "double":
            return f"{int(float(self.word))} mod {self.factor} = {self.result}, of the nearest double"
        if self.rule == "nearest":
            largest = (1 << self.bits) - 1
            return f"round({self.word} / ({largest} / {self.factor - 1})) = {self.result}"
        return f"{self.word} mod {100 if self.rule == 'decimal' else self.factor} = {self.result}"

    def working(self, name: str) -> Iterator[Line]:
        """Show the word, the words rejected before it, and the formula."""
        head = f"draw {self.index}" + (f" ({name})" if name else "")
        digits = f"{self.word:0{-(-self.bits // 4)}x}"
        is_whole = self.rule in ("digest", "double") and self.factor is not None
        origin = f"all of cursor {self.cursor}" if is_whole else self._origin
        yield [f"{head}: {origin}, {digits} = {self.word}"]
        if self.passed:
            yield [f"   passed over before it: {', '.join(map(str, self.passed))}"]
        if self.number is not None and (self.rule == "scale" or self.factor is None):
            formula = f"{self.word} / 2^{self.bits}" if self.bits <= 53 else "the sum of its bytes"
            if self.bits == 56:  # seven bytes
                formula = f"the first 52 bits, {self.word >> 4} / 2^52"
            if self.digits is not None:
                formula += f" to {self.digits} digits"
            yield [f"   number = {formula} = {self.number!r}"]
        if self.factor is not None:
            yield [f"   {self.decision}"]

    @property
    def _origin(self) -> str:
        """Which words of which digest it is made of; the first ones may end the digest before."""
        first = self.place + 1 - self.words
        if self.words == 1:
            return f"word {self.place} of cursor {self.cursor}"
        if first >= 0:
            return f"words {first} to {self.place} of cursor {self.cursor}"
        here = "word 0" if self.place == 0 else f"words 0 to {self.place}"
        before = "word" if first == -1 else f"{-first} words"
        return f"the last {before} of cursor {self.cursor - 1} and {here} of cursor {self.cursor}"

    def to_dict(self) -> JsonDict:
        """Return the draw as plain Python values."""
        return {
            "kind": "draw",
            "index": self.index,
            "cursor": self.cursor,
            "place": self.place,
            "word": self.word,
            "passed": list(self.passed),
            "number": self.number,
            "factor": self.factor,
            "result": self.result,
        }


@dataclass(frozen=True)
class Skip(Step):
    """Numbers that the game skipped.

    Attributes
    ----------
    first : int
        The first of them, counted from 0.
    count : int
        Number of numbers skipped.
    """

    first: int
    count: int

    def to_dict(self) -> JsonDict:
        """Return the step as plain Python values."""
        return {"kind": "skip", "first": self.first, "count": self.count}


@dataclass(frozen=True)
class Note(Step):
    """An intermediate value of the game's formula.

    Attributes
    ----------
    formula : str
        The formula; "draw" is the result of the previous number.
    value : float or str
        Its value; text of what isn't a single number.
    """

    formula: str
    value: float | str

    @property
    def decimals(self) -> str:
        """The value with 18 decimals, or without decimals for integers; text unchanged."""
        if isinstance(self.value, str):
            return self.value
        return f"{self.value:.0f}" if self.value.is_integer() else to_fixed(self.value, _DECIMALS)

    def lines(self) -> Iterator[Line]:
        """Show the formula and its value."""
        yield [f"{self.formula} = {self.decimals}"]

    def to_dict(self) -> JsonDict:
        """Return the note as plain Python values."""
        return {"kind": "note", "formula": self.formula, "value": self.value, "decimals": self.decimals}


@dataclass(frozen=True)
class Pick:
    """One swap of a shuffle.

    Attributes
    ----------
    left : tuple of int
        The elements left before the step, in order.
    draw : Number
        The number; its result is the index of what it takes.
    """

    left: tuple[int, ...]
    draw: Number


@dataclass(frozen=True)
class Shuffle(Step):
    """A Fisher-Yates shuffle, complete, of which the game takes the beginning.

    Attributes
    ----------
    size : int
        The number of elements, 0 ... size - 1.
    taken : int
        Number of elements of the permutation that count: the mines.
    picks : tuple of Pick
        The steps.
    permutation : tuple of int
        The elements in the order in which they were taken out. The last one, which needs no number,
        isn't listed.
    """

    size: int
    taken: int
    picks: tuple[Pick, ...]
    permutation: tuple[int, ...]

    @property
    def numbers(self) -> Iterable[Number]:
        """The numbers of its steps."""
        return (pick.draw for pick in self.picks)

    def lines(self) -> Iterator[Line]:
        """Show the steps as a table, with the part that the game takes highlighted."""
        left_width = max(4, len(", ".join(map(str, range(self.size)))))
        yield [f"step  index  {'left':<{left_width}}  permutation"]
        for step, pick in enumerate(self.picks, start=1):
            left = ", ".join(map(str, pick.left))
            line: list[str] = [f"{step:>4}  {pick.draw.result:>5}  {left:<{left_width}}"]
            for place, element in enumerate(self.permutation[:step]):
                line += ["  " if place == 0 else " ", Mark(element) if place < self.taken else str(element)]
            yield line

    def to_dict(self) -> JsonDict:
        """Return the shuffle as plain Python values; steps are counted from 1."""
        return {
            "kind": "shuffle",
            "size": self.size,
            "taken": list(self.permutation[: self.taken]),
            "permutation": list(self.permutation),
            "steps": [
                {
                    "step": step,
                    "index": pick.draw.result,
                    "left": list(pick.left),
                    "permutation": list(self.permutation[:step]),
                    "draw": pick.draw.to_dict(),
                }
                for step, pick in enumerate(self.picks, start=1)
            ],
        }


def numbers_of(steps: Iterable[Step]) -> Iterator[Number]:
    """Return all numbers that the steps used."""
    return (number for step in steps for number in step.numbers)


def numbers_by_name(steps: Iterable[Step]) -> Iterator[tuple[Number, str]]:
    """Return all numbers that the steps used, each with its purpose: "spin 1, reel 3"."""
    part: Part | None = None
    count = 0
    for step in steps:
        if isinstance(step, Part):
            part, count = step, 0
        for number in step.numbers:
            count += 1
            yield number, f"{part.name} {part.index + 1}, {part.draws} {count}" if part else ""


def results_by_part(steps: Iterable[Step]) -> list[list[int | float]]:
    """Return the results of each part's draws: for each ball, its turns."""
    parts: list[list[int | float]] = []
    for step in steps:
        if isinstance(step, Part):
            parts.append([])
        elif isinstance(step, Number):
            parts[-1].append(step.result)
    return parts
