"""Walk-throughs: how seeds become an outcome, every step shown.

The engine records what the game's one definition asked for and what it was answered; this module only
shows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from provably_fair._core.arguments import unboxed
from provably_fair._core.printable import plain, to_fixed

if TYPE_CHECKING:
    from provably_fair.games.games import Game

__all__ = ["Draw", "Note", "Part", "Pick", "Shuffle", "Skip", "Step", "Walkthrough"]

NUMBERS_SHOWN = 40
"""Numbers that the text and the HTML of a walk-through show, in whole rows, balls or spins."""

_DECIMALS = 18
_BYTES = 8


@dataclass(frozen=True)
class Part:
    """The beginning of a part of the outcome: a row, a ball, a spin.

    Attributes
    ----------
    name : str
        What the part is: "row", "ball", "spin".
    index : int
        Its number, from 0.
    draws : str
        What each of its draws is: "step", "pin", "reel".
    """

    name: str
    index: int
    draws: str

    def to_dict(self) -> dict[str, Any]:
        """Return the part as plain Python values.

        Examples
        --------
        >>> from provably_fair.walkthrough import Part
        >>> Part("row", 0, "step").to_dict()
        {'kind': 'part', 'name': 'row', 'index': 0, 'draws': 'step'}
        """
        return {"kind": "part", "name": self.name, "index": self.index, "draws": self.draws}


@dataclass(frozen=True)
class Draw:
    """A number that the game used.

    Attributes
    ----------
    index : int
        Its place among the round's numbers, from 0.
    octets : bytes
        Its eight bytes.
    number : float
        The number, in [0, 1).
    factor : int
        What the game multiplies it with.
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
        """The cursor whose 64 bytes hold the number."""
        return self.index // _BYTES

    @property
    def terms(self) -> tuple[str, ...]:
        """The eight terms ``byte / 256 ** place`` with 18 decimals; the number is their sum."""
        return tuple(
            to_fixed(byte / 256**place, _DECIMALS) for place, byte in enumerate(self.octets, start=1)
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the draw as plain Python values: numbers as they are, and with 18 decimals.

        Examples
        --------
        >>> from provably_fair.walkthrough import Draw
        >>> draw = Draw(0, bytes([128, 0, 0, 0, 0, 0, 0, 0]), 0.5, 25, 12.5, 12)
        >>> draw.to_dict()["terms"][0], draw.to_dict()["product"], draw.to_dict()["result"]
        ('0.500000000000000000', '12.500000000000000000', 12)
        """
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
class Skip:
    """Numbers that the game passed over.

    Attributes
    ----------
    first : int
        The first of them, counted from 0.
    count : int
        How many they are.
    """

    first: int
    count: int

    def to_dict(self) -> dict[str, Any]:
        """Return the step as plain Python values.

        Examples
        --------
        >>> from provably_fair.walkthrough import Skip
        >>> Skip(first=5, count=3).to_dict()
        {'kind': 'skip', 'first': 5, 'count': 3}
        """
        return {"kind": "skip", "first": self.first, "count": self.count}


@dataclass(frozen=True)
class Note:
    """An intermediate value of the game's formula.

    Attributes
    ----------
    formula : str
        What was computed; "draw" is the result of the number before.
    value : float
        Its value.
    """

    formula: str
    value: float

    @property
    def decimals(self) -> str:
        """The value with 18 decimals, or none where it is whole."""
        return f"{self.value:.0f}" if self.value.is_integer() else to_fixed(self.value, _DECIMALS)

    def to_dict(self) -> dict[str, Any]:
        """Return the note as plain Python values.

        Examples
        --------
        >>> from provably_fair.walkthrough import Note
        >>> Note("draw / 2", 1.5).to_dict()
        {'kind': 'note', 'formula': 'draw / 2', 'value': 1.5, 'decimals': '1.500000000000000000'}
        """
        return {"kind": "note", "formula": self.formula, "value": self.value, "decimals": self.decimals}


@dataclass(frozen=True)
class Pick:
    """One step of a shuffle.

    Attributes
    ----------
    left : tuple of int
        What was left before the step, in order.
    draw : Draw
        The number; its result is the index of what it takes.
    """

    left: tuple[int, ...]
    draw: Draw


@dataclass(frozen=True)
class Shuffle:
    """A permutation by Fisher and Yates, all of it, of which the game takes the beginning.

    Attributes
    ----------
    size : int
        The number of elements, 0 ... size - 1.
    taken : int
        How many of the permutation count: the mines.
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

    def to_dict(self) -> dict[str, Any]:
        """Return the shuffle as plain Python values; steps are counted from 1.

        Examples
        --------
        >>> import provably_fair as pf
        >>> shuffle = pf.Mines(mines=3).explain("", "", "").steps[0]
        >>> shuffle.to_dict()["size"], shuffle.to_dict()["taken"]
        (25, [11, 8, 18])
        """
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


Step = Part | Draw | Skip | Note | Shuffle
"""What a game asked for, in order."""


class Mark(str):
    """A piece of a line that is highlighted: in brackets, and in colour where there is colour."""


# A line is made of pieces, plain or marked; both the text and the HTML are written from lines.
Line = Sequence[str]


@dataclass(frozen=True, repr=False)
class Walkthrough:
    """How the seeds of one round become its outcome: what `Game.explain` returns.

    ``str()`` and `text` show it as text, notebooks as HTML, `to_dict` gives it to other programs.

    Attributes
    ----------
    game : Game
        The game, with its parameters.
    server_seed, client_seed, salt : str or bytes
        The seeds.
    key : str
        SHA-256 of ``server_seed:salt``, as 64 hexadecimal characters.
    blocks : tuple of (int, bytes)
        The cursors that the game uses, and the 64 bytes of each.
    steps : tuple of Step
        What the game asked for, in order: `Draw`, `Shuffle`, `Skip`, `Note`, and `Part` where a row, a
        ball or a spin begins.
    cells : tuple of int or float
        The values of the outcome, flat.

    Examples
    --------
    >>> import provably_fair as pf
    >>> walk = pf.Dice().explain("", "", "")
    >>> walk
    <Walkthrough of Dice(): 47.1>
    >>> walk.key[:16], walk.steps[0].factor, walk.steps[0].result
    ('e7ac0786668e0ff0', 10001, 4710)
    >>> print(walk.text())  # doctest: +ELLIPSIS
    Dice(): 47.1
    ...
    """

    game: Game
    server_seed: str | bytes
    client_seed: str | bytes
    salt: str | bytes
    key: str
    blocks: tuple[tuple[int, bytes], ...]
    steps: tuple[Step, ...]
    cells: tuple[int | float, ...]

    @property
    def outcome(self) -> Any:
        """The outcome, as `Game.play` gives it: a numpy scalar, or an array of the game's shape."""
        return np.array(self.cells, dtype=self.game._default_dtype).reshape(self.game.shape)[()]

    def __repr__(self) -> str:
        return f"<Walkthrough of {self._title(60)}>"

    def __str__(self) -> str:
        return self.text()

    def text(self, full: bool = False) -> str:
        """Return the walk-through as text.

        Parameters
        ----------
        full : bool
            Whether to show everything. By default, rounds of many balls, spins or rows show the first
            of them only, those that are made of the first 40 numbers, and say how many more there are.
            The outcome is never cut. Seeds of more than 200 characters are shortened too.

        Returns
        -------
        str
            Lines of printable characters. Control and format characters in seeds, and letters that
            run from right to left, appear as escapes.

        Examples
        --------
        >>> import provably_fair as pf
        >>> walk = pf.Mines(mines=3).explain("", "", "")
        >>> walk.text().splitlines()[0]
        'Mines(mines=3): [11, 8, 18]'
        >>> long = pf.Plinko(balls=100).explain("", "", "")
        >>> len(long.text()) < len(long.text(full=True))
        True
        """
        lines = [self._title(longest=None)]
        for title, body in self._sections(full):
            lines += ["", title, *("   " + _as_text(line) for line in body)]
        return "\n".join(line.rstrip() for line in lines)

    def _repr_html_(self) -> str:
        parts = [f"<p><b>{escape(self._title(120))}</b></p>"]
        for place, (title, body) in enumerate(self._sections(False)):
            opened = "" if place == 3 else " open"  # the terms of the numbers are long
            lines = "\n".join(_as_html(line) for line in body)
            parts.append(
                f"<details{opened}><summary>{escape(title)}</summary>"
                f'<pre style="line-height:1.25;overflow-x:auto">{lines}</pre></details>'
            )
        return f'<div class="provably-fair-walkthrough">{"".join(parts)}</div>'

    def __rich__(self) -> Any:
        """Show itself on a rich console as plain text: no markup, no emoji."""
        from rich.text import Text

        return Text(self.text())

    def to_dict(self) -> dict[str, Any]:
        """Return everything as dicts, lists, str, int and float, ready for JSON.

        Returns
        -------
        dict
            ``game``, ``parameters``, ``server_seed``, ``client_seed``, ``salt`` (a seed of bytes that
            aren't UTF-8 is ``{"hex": ...}``), ``key``, ``blocks`` (of ``cursor``, ``message``, ``hex``,
            ``bytes``), ``steps`` (each with its ``kind``) and ``outcome``. Nothing is left out, however
            long the round.

        Examples
        --------
        >>> import provably_fair as pf
        >>> d = pf.Mines(mines=3).explain("", "", "").to_dict()
        >>> d["outcome"], d["steps"][0]["steps"][1]["permutation"]
        ([11, 8, 18], [11, 8])
        """
        return {
            "game": self.game.name,
            "parameters": self.game._parameters(),
            "server_seed": _as_json(self.server_seed),
            "client_seed": _as_json(self.client_seed),
            "salt": _as_json(self.salt),
            "key": self.key,
            "blocks": [
                {
                    "cursor": cursor,
                    "message": _as_json(self._message(cursor)),
                    "hex": block.hex(),
                    "bytes": list(block),
                }
                for cursor, block in self.blocks
            ],
            "steps": [step.to_dict() for step in self.steps],
            "outcome": self.outcome.tolist(),
        }

    # ---- what is shown ----

    def _message(self, cursor: int) -> str | bytes:
        if isinstance(self.client_seed, bytes):
            return self.client_seed + f":{cursor}".encode()
        return f"{self.client_seed}:{cursor}"

    def _title(self, longest: int | None) -> str:
        parameters = ", ".join(f"{name}={value}" for name, value in self.game._parameters().items())
        outcome = str(self.outcome.tolist())
        if longest is not None and len(outcome) > longest:
            outcome = outcome[: longest - 3] + "..."
        return f"{type(self.game).__name__}({parameters}): {outcome}"

    def _sections(self, full: bool) -> Iterator[tuple[str, list[Line]]]:
        longest = None if full else 200
        seeds = [
            ("server seed", self.server_seed),
            ("client seed", self.client_seed),
            ("salt", self.salt),
        ]
        steps, rest = (self.steps, "") if full else self._shown_steps()
        used = {draw.index for draw in _draws(steps)}
        blocks = [block for block in self.blocks if any(index // _BYTES == block[0] for index in used)]
        yield "1. Seeds", [[f'{name:<11}  "{plain(seed, longest)}"'] for name, seed in seeds]
        yield (
            '2. Key = SHA-256(server seed + ":" + salt), as hexadecimal text',
            [[self.key]],
        )
        yield (
            '3. Bytes = HMAC-SHA512(key, client seed + ":" + cursor), eight to a number',
            [line for block in blocks for line in self._block_lines(*block, used, longest)]
            + ([[f"... {len(self.blocks) - len(blocks)} more cursors"]] if rest else []),
        )
        yield (
            "4. Numbers = byte 1 / 256 + byte 2 / 256^2 + ... + byte 8 / 256^8, times the number of choices",
            [line for draw, name in _named_draws(steps) for line in _number_lines(draw, name)]
            + ([[rest]] if rest else []),
        )
        yield (
            "5. From the numbers to the outcome",
            [*self._result_lines(steps), *([[rest]] if rest else []), *self._outcome_lines(steps)],
        )

    def _shown_steps(self) -> tuple[tuple[Step, ...], str]:
        """Return the steps of the parts that fit, and a line that says how many parts are left out."""
        starts = [place for place, step in enumerate(self.steps) if isinstance(step, Part)]
        numbers = 0
        for count, (start, stop) in enumerate(pairwise([*starts, len(self.steps)])):
            numbers += sum(1 for _ in _draws(self.steps[start:stop]))
            if numbers > NUMBERS_SHOWN and count:
                left = len(starts) - count
                part = self.steps[start]
                assert isinstance(part, Part)
                name = part.name if left == 1 else part.name + "s"
                return self.steps[:start], f"... {left} more {name}: text(full=True) or to_dict() has all"
        return self.steps, ""

    def _block_lines(self, cursor: int, block: bytes, used: set[int], longest: int | None) -> Iterator[Line]:
        yield [f'cursor {cursor}, message "{plain(self._message(cursor), longest)}"']
        for place in range(_BYTES):
            eight = block[_BYTES * place : _BYTES * (place + 1)]
            index = _BYTES * cursor + place
            decimal = " ".join(f"{byte:>3}" for byte in eight)
            note = "" if index in used else "   not used"
            yield [f"   number {index:<4} {eight.hex(' ')}  = {decimal}{note}"]

    def _result_lines(self, steps: Iterable[Step]) -> Iterator[Line]:
        prefix = ""
        gathered: list[str] = []
        for step in steps:
            if isinstance(step, Draw):
                gathered.append(f"floor({to_fixed(step.scaled, _DECIMALS)}) = {step.result}")
                continue
            yield from _gathered_lines(prefix, gathered)
            gathered = []
            if isinstance(step, Part):
                prefix = f"{step.name} {step.index + 1}"
            elif isinstance(step, Note):
                yield [f"{step.formula} = {step.decimals}"]
            elif isinstance(step, Shuffle):
                if prefix:
                    yield [prefix]
                yield from _shuffle_lines(step)
        yield from _gathered_lines(prefix, gathered)

    def _outcome_lines(self, steps: Sequence[Step]) -> Iterator[Line]:
        unit = 10**self.game._core.decimals
        if unit > 1 and not any(isinstance(step, Note) for step in self.steps):
            yield [f"{round(self.cells[0] * unit)} / {unit} = {self.cells[0]:.2f}"]
        yield from self.game._picture(self.outcome, steps)
        outcome = f"{self.cells[0]:.2f}" if unit > 1 and not self.game.shape else str(self.outcome.tolist())
        yield [f"outcome: {outcome}"]


def explain(game: Game, server_seed: Any, client_seed: Any, salt: Any) -> Walkthrough:
    """Have the engine explain a round of single texts."""
    key, blocks, steps, cells = game._core.explain(server_seed, client_seed, salt)
    unit = 10**game._core.decimals
    return Walkthrough(
        game,
        _one_text(server_seed),
        _one_text(client_seed),
        _one_text(salt),
        key,
        tuple(blocks),
        tuple(_step(*step) for step in steps),
        tuple(cells) if unit == 1 else tuple(cell / unit for cell in cells),
    )


def _one_text(seed: Any) -> str | bytes:
    seed = unboxed(seed)
    return bytes(seed) if isinstance(seed, bytes) else str(seed)


def _step(kind: str, *content: Any) -> Step:
    if kind == "shuffle":
        size, taken, picks, permutation = content
        return Shuffle(
            size,
            taken,
            tuple(Pick(tuple(left), Draw(*draw)) for draw, left in picks),
            tuple(permutation),
        )
    if kind == "draw":
        return Draw(*content[0])
    return {"part": Part, "skip": Skip, "note": Note}[kind](*content)


def results_by_part(steps: Iterable[Step]) -> list[list[int]]:
    """Return what came of the draws of each part: of each ball, its turns."""
    parts: list[list[int]] = []
    for step in steps:
        if isinstance(step, Part):
            parts.append([])
        elif isinstance(step, Draw):
            parts[-1].append(step.result)
    return parts


def _draws(steps: Iterable[Step]) -> Iterator[Draw]:
    return (draw for draw, _ in _named_draws(steps))


def _named_draws(steps: Iterable[Step]) -> Iterator[tuple[Draw, str]]:
    """Every number that was used, and what it decides: "spin 1, reel 3"."""
    part: Part | None = None
    count = 0
    for step in steps:
        if isinstance(step, Part):
            part, count = step, 0
        draws: Iterable[Draw] = ()
        if isinstance(step, Draw):
            draws = [step]
        elif isinstance(step, Shuffle):
            draws = [pick.draw for pick in step.picks]
        for draw in draws:
            count += 1
            yield draw, f"{part.name} {part.index + 1}, {part.draws} {count}" if part else ""


def _number_lines(draw: Draw, name: str) -> Iterator[Line]:
    head = f"number {draw.index}" + (f" ({name})" if name else "")
    yield [f"{head}: {', '.join(map(str, draw.octets))}"]
    for place, (byte, term) in enumerate(zip(draw.octets, draw.terms, strict=True), start=1):
        yield [f"   {'+' if place > 1 else ' '} {term}  {byte:>3} / 256^{place}"]
    if sum(byte / 256**place for place, byte in enumerate(draw.octets, start=1)) != draw.number:
        yield ["   = 1 when rounded to a double; the largest double below 1 is taken"]
    yield [f"   = {to_fixed(draw.number, _DECIMALS)}  * {draw.factor}"]
    product = to_fixed(draw.scaled, _DECIMALS)
    yield [f"   = {product}  in 0, ..., {draw.factor - 1}: {draw.result}"]


def _gathered_lines(prefix: str, results: list[str]) -> Iterator[Line]:
    if len(results) > 1 or (results and prefix):
        yield [prefix or "draws"]
        yield from ([f"   {result}"] for result in results)
    elif results:
        yield [f"draw = {results[0]}"]


def _shuffle_lines(shuffle: Shuffle) -> Iterator[Line]:
    left_width = max(4, len(", ".join(map(str, range(shuffle.size)))))
    yield [f"step  index  {'left':<{left_width}}  permutation"]
    for step, pick in enumerate(shuffle.picks, start=1):
        left = ", ".join(map(str, pick.left))
        line: list[str] = [f"{step:>4}  {pick.draw.result:>5}  {left:<{left_width}}"]
        for place, element in enumerate(shuffle.permutation[:step]):
            line += ["  " if place == 0 else " ", Mark(element) if place < shuffle.taken else str(element)]
        yield line


def _as_text(line: Line) -> str:
    return "".join(f"[{piece}]" if isinstance(piece, Mark) else piece for piece in line)


def _as_html(line: Line) -> str:
    return "".join(
        # The pieces were made printable where they came in; here only HTML's own characters matter.
        f"<mark>[{escape(piece)}]</mark>" if isinstance(piece, Mark) else escape(piece)
        for piece in line
    )


def _as_json(text: str | bytes) -> Any:
    if isinstance(text, str):
        return text
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return {"hex": text.hex()}
