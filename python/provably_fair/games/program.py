"""A game's rule as a program: its `outcome`, called once with draws that record.

A program is typed operations and constants, nothing of Python's. What can be known of a rule without trying
rounds follows from it. Before it is returned it is played beside the rule itself: it must give the same
outcomes, bit by bit.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np

from provably_fair._core.counts import widened
from provably_fair._core.errors import BadType
from provably_fair._engine import Program as EngineProgram

from ._probes import Again, Range, TrialDraws
from .dependence import WHOLE, draws_among, needed, renamed
from .draws import Draws
from .instructions import engine_program
from .intervals import Interval, directions_of, intervals_of
from .operations import EFFECTS, Constant, Operation, drawn_by, performed
from .reads import Reads, is_plain, while_read_alike
from .tracing import ROUNDS, Recorder, RecordingDraws, RefusedError, first_line_of, line_of

_SIGNS = {
    **{"add": "+", "subtract": "-", "multiply": "*", "divide": "/", "floor_divide": "//", "remainder": "%"},
    **{"equal": "==", "not_equal": "!=", "less": "<", "less_equal": "<=", "greater": ">"},
    **{"greater_equal": ">=", "bitwise_and": "&", "bitwise_or": "|", "bitwise_xor": "^"},
    **{"left_shift": "<<", "right_shift": ">>"},
}


@dataclass(frozen=True)
class Untraced:
    """Why a rule has no program.

    Attributes
    ----------
    reason : str
        What can't be recorded, and what to write instead.
    line : str
        Where, as "file.py:12: code"; "" if it isn't one line.
    """

    reason: str
    line: str = ""

    def __str__(self) -> str:
        return f"{self.reason} ({self.line})" if self.line else self.reason


@dataclass(frozen=True)
class Program:
    """A rule as operations on the values of one round.

    Attributes
    ----------
    operations : tuple of Operation
        In the order in which they are performed.
    result : int
        The place of the operation whose value is the outcome.

    Examples
    --------
    >>> class Die(pf.Game):
    ...     def outcome(self, draws):
    ...         return draws.below(6) + 1
    >>> program = pf.games.program_of(Die())
    >>> print(program)
    v1 = below(6)
    v2 = v1 + 1
    return v2
    >>> program.draws, program.shape, program.dtype
    ((6,), (), dtype('int64'))
    """

    operations: tuple[Operation, ...]
    result: int

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one outcome."""
        return self.operations[self.result].shape

    @cached_property
    def dtype(self) -> np.dtype:
        """The type of outcomes."""
        return np.dtype(self.operations[self.result].dtype)

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> Any:
        return Program, (self.operations, self.result)

    @cached_property
    def _hash(self) -> int:
        return hash((self.operations, self.result))

    @cached_property
    def _drawn(self) -> list[tuple[list[Range | Again], int]]:
        return [*map(drawn_by, self.operations)]

    @property
    def ranges(self) -> list[Range | Again] | None:
        """The ranges of a round's draws, in order; None if they depend on answers."""
        if any(one.name == "below" and one.inputs for one in self.operations):
            return None
        return [drawn for ranges, _ in self._drawn for drawn in ranges]

    @cached_property
    def draws(self) -> tuple[int | None, ...] | None:
        """The n of each draw in order, None for a number; None as a whole where they depend on answers."""
        ranges = self.ranges
        if ranges is None or any(isinstance(one, Again) for one in ranges):
            return None
        return tuple(one[-1] if isinstance(one, tuple) else one for one in ranges)

    @property
    def least_numbers(self) -> int:
        """How many numbers each round uses at least, skipped ones included."""
        return sum(count for _, count in self._drawn)

    @property
    def tried(self) -> int:
        """How many rounds to try it with: fewer if each uses many numbers."""
        return max(2, min(_TRIED, _NUMBERS_TRIED // max(1, self.least_numbers)))

    @property
    def numbers(self) -> int | None:
        """How many numbers a round uses, skipped ones included; None where that depends on answers."""
        again = any(one.name == "distinct" for one in self.operations)
        return None if again else self.least_numbers

    def play(self, draws: Draws) -> np.ndarray:
        """Return the outcomes of all rounds of some draws.

        Parameters
        ----------
        draws : Draws
            The draws of many rounds, as `Game.outcome` gets them.

        Examples
        --------
        >>> class Again(pf.Game):
        ...     def outcome(self, draws):
        ...         return pf.games.program_of(pf.operators.stake.Roulette()).play(draws)
        >>> int(Again().play("server seed", "client seed", "salt"))
        17
        """
        return self._values(draws, draws.rounds, ())

    def values(self, outcomes: np.ndarray) -> np.ndarray:
        """Return the values of a function's program for outcomes, shape (N, ...).

        Examples
        --------
        >>> pf.games.function_of(lambda cells: cells.sum(axis=1), (3,), int).values(np.array([[1, 2, 3]]))
        array([6])
        """
        return self._values(None, len(outcomes), (outcomes,))

    def _values(self, draws: Draws | None, rounds: int, given: tuple[np.ndarray, ...]) -> np.ndarray:
        found: list[Any] = []
        with np.errstate(all="ignore"):
            for operation in self.operations:
                if operation.name == "input":
                    found.append(given[0])
                    continue
                inputs = [of.value if isinstance(of, Constant) else found[of] for of in operation.inputs]
                found.append(performed(operation, inputs, draws, rounds))
        outcomes: np.ndarray = found[self.result]
        return outcomes

    @cached_property
    def bounds(self) -> tuple[Any, Any] | None:
        """The least and the largest value that an outcome may have, perhaps infinite; None where unknown.

        No outcome is beyond them, but they may be wider than outcomes are.
        """
        found = self._intervals[self.result]
        if found is None or not found.low.size:
            return None
        kind = float if self.dtype.kind == "f" else int
        return kind(found.low.min() + 0), kind(found.high.max())  # -0.0 + 0 is 0.0

    @cached_property
    def _intervals(self) -> list[Interval | None]:
        return intervals_of(self.operations)

    @cached_property
    def direction(self) -> int | None:
        """Whether a single value rises (1), falls (-1) or stays (0) with its only draw; None if unknown."""
        return None if self.draws is None or len(self.draws) > 1 else self.direction_with(0)

    def direction_with(self, draw: int) -> int | None:
        """Return whether a single value rises, falls or stays with one of its draws, if others stay.

        Examples
        --------
        >>> class Die(pf.Game):
        ...     def outcome(self, draws):
        ...         return draws.below(6) - draws.below(10)
        >>> program = pf.games.program_of(Die())
        >>> program.direction_with(0), program.direction_with(1)
        (1, -1)
        """
        starts = [0, *accumulate(len(ranges) for ranges, _ in self._drawn)]
        place = bisect_right(starts, draw) - 1
        several = place < len(self._drawn) and len(self._drawn[place][0]) > 1
        if self.draws is None or self.shape or several:
            return None
        return directions_of(self.operations, self._intervals, place)[self.result]

    @cached_property
    def depends(self) -> tuple[tuple[int, ...], ...] | None:
        """The places of the draws on which each value along an outcome's first axis depends.

        None where the number of draws depends on answers. A single value is one.
        """
        if self.draws is None:
            return None
        return tuple(self._draws_of_rows())

    def _draws_of_rows(self) -> Iterator[tuple[int, ...]]:
        starts = [0, *accumulate(len(ranges) for ranges, _ in self._drawn)]
        for row in range(self.shape[0]) if self.shape else [WHOLE]:
            yield draws_among(needed(self.operations, self.result, row), starts)

    @cached_property
    def disjoint(self) -> bool:
        """Whether the parts along an outcome's first axis have no draw in common."""
        seen: set[int] = set()
        for draws in self._draws_of_rows() if self.draws is not None else [(0,), (0,)]:
            if not seen.isdisjoint(draws):
                return False
            seen.update(draws)
        return True

    def part(self, place: int) -> Program:
        """Return the program of one value along the first axis, with the draws that it depends on.

        Draws that aren't needed, notes and labels are left out, so that parts that are alike are equal.

        Examples
        --------
        >>> program = pf.games.program_of(pf.operators.stake.Plinko(rows=16))
        >>> len({program.part(row) for row in range(16)})
        1
        """
        if not self.shape or not 0 <= place < self.shape[0]:
            raise IndexError(f"an outcome of shape {self.shape} has no part {place}")
        return _of(self.operations, self.result, place)

    def value(self, place: int) -> Program:
        """Return the program of the value of one operation, with the draws that it depends on.

        Examples
        --------
        >>> class Die(pf.Game):
        ...     def outcome(self, draws):
        ...         return draws.below(6) + draws.below(10)
        >>> print(pf.games.program_of(Die()).value(1))
        v1 = below(10)
        return v1
        """
        return _of(self.operations, place)

    def then(self, function: Program) -> Program:
        """Return the program of a function of this program's outcome, as `function_of` returns it.

        Examples
        --------
        >>> program = pf.games.program_of(pf.operators.stake.Plinko(rows=8))
        >>> bucket = pf.games.function_of(lambda pins: pins.sum(axis=1), program.shape, program.dtype)
        >>> program.then(bucket).bounds
        (0, 8)
        """
        more = len(self.operations) - 1
        later = (
            one._replace(
                inputs=tuple(
                    of if isinstance(of, Constant) else of + more if of else self.result for of in one.inputs
                )
            )
            for one in function.operations[1:]
        )
        result = function.result + more if function.result else self.result
        return _of((*self.operations, *later), result, effects=EFFECTS)

    @cached_property
    def in_engine(self) -> EngineProgram | None:
        """The program as the engine plays it; None if numpy alone knows one of its operations."""
        return engine_program(self.operations, self.result, self._intervals)

    def __str__(self) -> str:
        names: dict[int, str] = {}
        lines = []
        for place, operation in enumerate(self.operations):
            if operation.dtype:
                names[place] = f"v{len(names) + 1}"
            text = _written(operation, names)
            lines.append(f"{names[place]} = {text}" if operation.dtype else text)
        return "\n".join([*lines, f"return {names[self.result]}"])


def _of(
    operations: Sequence[Operation], result: int, row: int = WHOLE, effects: Iterable[str] = ()
) -> Program:
    """Return the program of one of several values, or of a row of it, with the operations it needs."""
    return Program(*renamed(needed(operations, result, row, effects), (result, row)))


def _written(one: Operation, names: dict[int, str]) -> str:
    """Return an operation as text."""
    inputs = [repr(of) if isinstance(of, Constant) else names[of] for of in one.inputs]
    told = one.told
    if one.name == "note":
        return f"# {one.inputs[0].value}: {inputs[1]}"
    if one.name == "part":
        return f"# {told['name']} {told['index']}"
    if one.name == "move":
        places = "" if told["places"] is None else repr([*told["places"]])
        return f"({', '.join(inputs)}){places}" if len(inputs) > 1 else f"{inputs[0]}{places}"
    if one.name in _SIGNS and len(inputs) == 2:
        return f"{inputs[0]} {_SIGNS[one.name]} {inputs[1]}"
    repeated = ""
    if told.get("each") is not None:
        k, part, times = told["each"]
        repeated = (
            f"each({k}{'' if part is None else f', {part!r}'}{'' if times is None else f', {times=}'})."
        )
    options = [
        repr(value) if one.name in EFFECTS else f"{name}={value!r}"
        for name, value in told.items()
        if name != "each"
    ]
    return f"{repeated}{one.name}({', '.join([*inputs, *options])})"


def program_of(game: Any) -> Program | Untraced:
    """Return a game's rule as a program, or why it has none.

    Parameters
    ----------
    game : Game
        A game in Python.

    Returns
    -------
    Program or Untraced

    Examples
    --------
    >>> class Odd(pf.Game):
    ...     def outcome(self, draws):
    ...         return 1 if draws.below(6) % 2 else 0
    >>> pf.games.program_of(Odd()).reason
    'branches on a drawn value: use numpy.where, and & | ~ in place of and, or, not'
    """
    if not hasattr(type(game), "_field_values"):
        raise BadType("game", f"must be a game such as Dice(), got {game!r:.60}")
    if is_plain(game):
        with suppress(TypeError):  # it can't be hashed
            return _remembered(game, repr(game._field_values()))
    return _traced(game)


@while_read_alike(lambda game, _: Reads(game), 256)
def _remembered(game: Any, written: str) -> Program | Untraced:  # noqa: ARG001
    """Return the program of a game; as 2 == 2.0, and 0.0 == -0.0, the text of parameters decides, too."""
    return _traced(game)


def _traced(game: Any) -> Program | Untraced:
    if not game.vectorized:
        return Untraced("has vectorized = False: its code is for one round at a time")
    rounded = game.scheme.digits is not None
    return _recorded(
        game.outcome,
        lambda recorder: RecordingDraws(recorder, rounded),
        Program.play,
        lambda rounds: TrialDraws(rounds, 2),
    )


def function_of(of: Callable[[Any], Any], shape: tuple[int, ...], dtype: Any) -> Program | Untraced:
    """Return a function of outcomes, ``of=`` or a payout, as a program, or why it has none.

    Parameters
    ----------
    of : callable
        From outcomes, an array (N, ...), to values, (N,).
    shape, dtype : tuple of int, and dtype
        Those of the outcome of one round.

    Examples
    --------
    >>> print(pf.games.function_of(lambda rolls: np.where(rolls > 50, 2, 0), (), float))
    v1 = input()
    v2 = v1 > 50
    v3 = where(v2, 2, 0)
    return v3
    """
    given = np.random.default_rng(1).integers(0, 2, (_TRIED, *shape)).astype(dtype)
    return _recorded(
        of,
        lambda recorder: recorder.add("input", (), given[:ROUNDS]),
        Program.values,
        lambda rounds: given[:rounds].copy(),
    )


# The rounds, and about the numbers, that a rule and its program are tried with.
_TRIED, _NUMBERS_TRIED = 256, 1 << 16


def _recorded(
    rule: Callable[[Any], Any],
    given: Callable[[Recorder], Any],
    play: Callable[[Program, Any], np.ndarray],
    trial: Callable[[int], Any],
) -> Program | Untraced:
    """Return what a rule does with what it is given as a program, which must play alike in trial rounds."""
    recorder, before = Recorder(), _random_states()
    try:
        with np.errstate(all="ignore"):
            result: Any = rule(given(recorder))
        if not isinstance(result, np.ndarray) or result.shape[:1] != (ROUNDS,):
            recorder.refuse(f"returns {type(result).__name__} instead of an array of all rounds")
        result = recorder.known(result)
        if result.dtype == bool:
            result = result.astype(np.int64)
    except Exception as error:
        if recorder.refused is None:
            reason = error if isinstance(error, RefusedError) else f"{type(error).__name__}: {error}"
            recorder.refused = str(reason), line_of(error.__traceback__)
    if recorder.refused is not None:
        reason, line = recorder.refused
        return Untraced(reason, line or first_line_of(rule))
    if _random_states() != before:
        return Untraced("draws random numbers of its own: a round's come from its draws")
    program = _of(recorder.operations, result._place, effects=EFFECTS)
    if all(_plays_alike(rule, play, program, trial, rounds) for rounds in (1, program.tried)):
        return program
    return Untraced(
        "plays otherwise than it was recorded: a round may depend on its draws and parameters alone"
    )


def _random_states() -> tuple[Any, ...]:
    """Return the states of random numbers that code may use behind a recorder's back."""
    state: Any = np.random.get_state()  # noqa: NPY002 (of the code that is recorded)
    return random.getstate(), state[1].tobytes(), *state[2:]


def _plays_alike(rule: Any, play: Any, program: Program, trial: Callable[[int], Any], rounds: int) -> bool:
    """Return whether a rule and its program give the same, bit by bit."""
    try:
        with np.errstate(all="ignore"):
            wanted, found = np.asarray(rule(trial(rounds))), play(program, trial(rounds))
    except Exception:  # whatever it raises in rounds, it didn't raise when it was recorded
        return False
    wanted = wanted.astype(np.int64) if wanted.dtype == bool else widened(wanted)
    alike = (wanted.shape, wanted.dtype) == (found.shape, found.dtype)
    return alike and wanted.tobytes() == found.tobytes()
