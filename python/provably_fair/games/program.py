"""A game's rule as a program: its `outcome`, called once with draws that record.

A program is typed operations and constants, nothing of Python's. What can be known of a rule without trying
rounds follows from it. Before it is returned it is played beside the rule itself: it must give the same
outcomes, bit by bit.
"""

from __future__ import annotations

import functools
import operator
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Protocol

import numpy as np

from ._probes import ProbedDraws, RandomDraws
from .dependence import dependence_of, selected
from .draws import Draws
from .intervals import Interval, directions_of, intervals_of
from .operations import DRAWS, EFFECTS, Constant, Operation, performed
from .tracing import ROUNDS, Recorder, RecordingDraws, RefusedError, Value, line_of

__all__ = ["Program", "Untraced", "function_of", "program_of"]

_SIGNS = {
    "add": "+",
    "subtract": "-",
    "multiply": "*",
    "divide": "/",
    "floor_divide": "//",
    "remainder": "%",
    "equal": "==",
    "not_equal": "!=",
    "less": "<",
    "less_equal": "<=",
    "greater": ">",
    "greater_equal": ">=",
    "bitwise_and": "&",
    "bitwise_or": "|",
    "bitwise_xor": "^",
    "left_shift": "<<",
    "right_shift": ">>",
}


class _Rule(Protocol):
    """A game, as far as its program needs it."""

    vectorized: Any
    scheme: Any

    def outcome(self, draws: Any) -> Any: ...


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

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.operations, self.result))

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one outcome."""
        return self.operations[self.result].shape

    @cached_property
    def dtype(self) -> np.dtype:
        """The type of outcomes."""
        return np.dtype(self.operations[self.result].dtype)

    @cached_property
    def draws(self) -> tuple[int | None, ...] | None:
        """The n of each draw in order, None for a number; None as a whole where they depend on answers."""
        found: list[int | None] = []
        for operation in self.operations:
            ranges = _ranges(operation)
            if ranges is None:
                return None
            found += ranges
        return tuple(found)

    @cached_property
    def numbers(self) -> int | None:
        """How many numbers a round uses, skipped ones included; None where that depends on answers."""
        count = 0
        for operation in self.operations:
            options = operation.told
            if operation.name == "distinct":
                return None
            if operation.name in ("shuffle", "swaps"):
                count += options["n"] - 1
            elif operation.name in ("sample", "skip"):
                count += options["k" if operation.name == "sample" else "count"]
            else:
                count += operation.name in DRAWS
        return count

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
                inputs = [one.value if isinstance(one, Constant) else found[one] for one in operation.inputs]
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
        return kind(found.low.min()), kind(found.high.max())

    @cached_property
    def _intervals(self) -> list[Interval | None]:
        return intervals_of(self.operations)

    @cached_property
    def direction(self) -> int | None:
        """Whether a single value rises (1), falls (-1) or stays (0) with its only draw; None if unknown."""
        if self.draws is None or len(self.draws) > 1 or self.shape:
            return None
        return directions_of(self.operations, self._intervals, self._switched)[self.result]

    def _switched(self, condition: int, place: int) -> tuple[Any, Any] | None:
        """Return a value just before its condition changes with the only draw, and from there on."""
        (n,) = self.draws or (1,)
        last = n - 1 if n is not None else _bits(self._intervals_of_number())
        low, high = 0, last
        answers = _answers(n, [low, high])
        before, after = Program(self.operations, condition).play(answers).tolist()
        if before == after:
            return None
        while high - low > 1:
            tried = sorted({low + (high - low) * step // _AT_ONCE for step in range(_AT_ONCE + 1)})
            found = Program(self.operations, condition).play(_answers(n, tried))
            first = int(np.argmax(found != before))
            low, high = tried[first - 1], tried[first]
        one, other = Program(self.operations, place).play(_answers(n, [low, high])).tolist()
        return one, other

    def _intervals_of_number(self) -> float:
        """Return the largest number that may be drawn."""
        place = next(place for place, one in enumerate(self.operations) if one.name == "number")
        found = self._intervals[place]
        assert found is not None
        return float(found.high[0])

    @cached_property
    def depends(self) -> tuple[tuple[int, ...], ...] | None:
        """The places of the draws on which each value along an outcome's first axis depends.

        None where the number of draws depends on answers. A single value is one.
        """
        found = dependence_of(self.operations, [_count(one) for one in self.operations])
        if found is None:
            return None
        masks = found[self.result][0]
        rows = [masks] if not self.shape else [*masks]
        joined = (functools.reduce(operator.or_, np.ravel(row).tolist(), 0) for row in rows)
        return tuple(tuple(bit for bit in range(mask.bit_length()) if mask >> bit & 1) for mask in joined)

    @property
    def disjoint(self) -> bool:
        """Whether the parts along an outcome's first axis have no draw in common."""
        if self.depends is None:
            return False
        every = [draw for part in self.depends for draw in part]
        return len(every) == len({*every})

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
        operations = [*self.operations]
        return needed(operations, selected(operations, self.result, place), ())

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
        return needed((*self.operations, *later), result)

    def __str__(self) -> str:
        names: dict[int, str] = {}
        lines = []
        for place, operation in enumerate(self.operations):
            if operation.dtype:
                names[place] = f"v{len(names) + 1}"
            text = _written(operation, names)
            lines.append(f"{names[place]} = {text}" if operation.dtype else text)
        return "\n".join([*lines, f"return {names[self.result]}"])


_AT_ONCE = 64


class _Given(Draws):
    """Answers the only draw of a round with given answers."""

    def __init__(self, answers: np.ndarray) -> None:
        self.rounds = len(answers)
        self._answers = answers

    def _number(self) -> np.ndarray:
        return self._answers

    def _below(self, n: int | np.ndarray) -> np.ndarray:
        return self._answers


def _answers(n: int | None, places: list[int]) -> _Given:
    """Return draws below n, or numbers by their place among all doubles from 0 on."""
    found = np.array(places, dtype=np.int64)
    return _Given(found.view(np.float64) if n is None else found)


def _bits(number: float) -> int:
    return int(np.float64(number).view(np.int64))


def _count(operation: Operation) -> int | None:
    """Return how many draws an operation makes; None if that depends on answers."""
    if operation.name == "below":
        return 1
    ranges = _ranges(operation)
    return None if ranges is None else len(ranges)


def _ranges(operation: Operation) -> list[int | None] | None:
    """Return the ranges of an operation's draws; None if they depend on answers."""
    options = operation.told
    n: Any = options.get("n")
    k: Any = options.get("k")
    match operation.name:
        case "below":
            return None if n is None else [n]
        case "coin":
            return [2]
        case "number":
            return [None]
        case "weighted":
            return [sum(options["weights"])]
        case "sample":
            return [*range(n, n - k, -1)]
        case "shuffle":
            return [*range(n, max(1, n - k), -1)]
        case "swaps":
            return [*range(n, 1, -1)]
        case "distinct":
            return None
    return []


def _written(operation: Operation, names: dict[int, str]) -> str:
    """Return an operation as text."""
    inputs = [repr(one) if isinstance(one, Constant) else names[one] for one in operation.inputs]
    if operation.name == "note":
        return f"# {operation.inputs[0].value}: {inputs[1]}"  # type: ignore[union-attr]
    options = operation.told
    if operation.name == "part":
        return f"# {options['name']} {options['index']}"
    if operation.name in _SIGNS and len(inputs) == 2:
        return f"{inputs[0]} {_SIGNS[operation.name]} {inputs[1]}"
    if operation.name == "getitem":
        return f"{inputs[0]}[{', '.join(map(_index_written, options['index']))}]"
    told = (
        map(repr, options.values())
        if operation.name in EFFECTS
        else (f"{name}={value!r}" for name, value in options.items())
    )
    return f"{operation.name}({', '.join([*inputs, *told])})"


def _index_written(part: Any) -> str:
    if not isinstance(part, tuple):
        return str(part)
    kind, *numbers = part
    if kind == "list":
        return str(numbers)
    start, stop, step = ("" if number is None else str(number) for number in numbers)
    return f"{start}:{stop}" + (f":{step}" if step else "")


def needed(operations: Sequence[Operation], result: int, effects: Iterable[str] = EFFECTS) -> Program:
    """Return the program of the operations that a result needs, and of those with effects."""
    wanted = {result} | {
        place for place, one in enumerate(operations) if one.name in effects or one.name == "input"
    }
    for place in range(len(operations) - 1, -1, -1):
        if place in wanted:
            wanted |= {one for one in operations[place].inputs if not isinstance(one, Constant)}
    renamed = {place: number for number, place in enumerate(sorted(wanted))}
    kept = (
        operations[place]._replace(
            inputs=tuple(
                one if isinstance(one, Constant) else renamed[one] for one in operations[place].inputs
            )
        )
        for place in renamed
    )
    return Program(tuple(kept), renamed[result])


def program_of(game: _Rule) -> Program | Untraced:
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
    try:
        values = _values_of(game)
        if values is not None:
            return _of_values(type(game), values)
        return _remembered(game, repr(game))  # type: ignore[arg-type]
    except TypeError:  # it can't be hashed
        return _traced(game)


def _values_of(game: Any) -> tuple[int | str, ...] | None:
    """Return the parameters of a game that is told by them, if they are of types that equal no others."""
    values: tuple[Any, ...] = game._field_values()
    plain = _PLAIN.issuperset(map(type, values)) and game._beside.keys().isdisjoint(vars(game))
    return values if plain else None


_PLAIN = frozenset((int, str))


@lru_cache(maxsize=256)
def _of_values(cls: Any, values: tuple[int | str, ...]) -> Program | Untraced:
    return _traced(cls(*values))


@lru_cache(maxsize=256)
def _remembered(game: Any, written: str) -> Program | Untraced:  # noqa: ARG001
    """Return the program of a game; as 2 == 2.0, and 0.0 == -0.0, its text decides, too."""
    return _traced(game)


def _traced(game: _Rule) -> Program | Untraced:
    if not game.vectorized:
        return Untraced("has vectorized = False: its code is for one round at a time")
    rounded = getattr(game.scheme, "digits", None) is not None

    def record(recorder: Recorder) -> Any:
        return game.outcome(RecordingDraws(recorder, rounded))

    found = _recorded(record)
    if isinstance(found, Untraced):
        return found
    trials = [lambda: RandomDraws(1, 2), _mixed_draws]
    return found if _plays_alike([(game.outcome, found.play, trial) for trial in trials]) else _OTHERWISE


def _mixed_draws() -> ProbedDraws:
    """Return draws of rounds at both ends, and at random."""
    rng, ends = np.random.default_rng(3), np.array([0.0, np.nextafter(1.0, 0.0)])
    return ProbedDraws(_TRIED, lambda _: np.concatenate([ends, rng.random(_TRIED - 2)]))


def function_of(
    of: Callable[[Any], Any], shape: tuple[int, ...], dtype: Any, outcomes: np.ndarray | None = None
) -> Program | Untraced:
    """Return a function of outcomes, ``of=`` or a payout, as a program, or why it has none.

    Parameters
    ----------
    of : callable
        From outcomes, an array (N, ...), to values, (N,).
    shape, dtype : tuple of int, and dtype
        Those of the outcome of one round.
    outcomes : numpy.ndarray, optional
        Some outcomes on which the function is called; zeros and ones if none are given.

    Examples
    --------
    >>> print(pf.games.function_of(lambda rolls: np.where(rolls > 50, 2, 0), (), float))
    v1 = input()
    v2 = v1 > 50
    v3 = where(v2, 2, 0)
    return v3
    """
    if outcomes is None or not len(outcomes):
        outcomes = np.random.default_rng(1).integers(0, 2, (_TRIED, *shape))
    given = np.resize(outcomes, (max(_TRIED, len(outcomes)), *shape)).astype(dtype)

    def record(recorder: Recorder) -> Any:
        recorder.effect("input", (), shape, given.dtype.name)
        return of(Value(recorder, 0, given[:ROUNDS].copy()))

    found = _recorded(record)
    if isinstance(found, Untraced):
        return found
    trials = [lambda: given[:1].copy(), lambda: given.copy()]
    return found if _plays_alike([(of, found.values, trial) for trial in trials]) else _OTHERWISE


_TRIED = 256
_OTHERWISE = Untraced(
    "plays otherwise than it was recorded: a round may depend on its draws and parameters alone"
)


def _recorded(record: Callable[[Recorder], Any]) -> Program | Untraced:
    """Return what a call records as a program."""
    recorder, before = Recorder(), _random_states()
    try:
        with np.errstate(all="ignore"):
            result = record(recorder)
        if type(result) is not Value:
            result = _constant_result(recorder, result)
        if recorder.own(result)._array.dtype == bool:
            result = result.astype(np.int64)
    except Exception as error:
        if recorder.refused is None:
            reason = error if isinstance(error, RefusedError) else f"{type(error).__name__}: {error}"
            recorder.refused = str(reason), line_of(error.__traceback__)
    if recorder.refused is not None:
        return Untraced(*recorder.refused)
    if _random_states() != before:
        return Untraced("draws random numbers of its own: a round's come from its draws")
    return needed(tuple(recorder.operations), result._place)


def _constant_result(recorder: Recorder, result: Any) -> Value:
    """Return an outcome that isn't drawn as a value."""
    if not isinstance(result, np.ndarray) or result.shape[:1] != (ROUNDS,):
        recorder.refuse(f"returns {type(result).__name__} instead of an array of all rounds")
    return recorder.add("constant", result, [recorder.constant(result, result.ndim)])


def _random_states() -> tuple[Any, ...]:
    """Return the states of random numbers that code may use behind a recorder's back."""
    state: Any = np.random.get_state()  # noqa: NPY002 (of the code that is recorded)
    return random.getstate(), state[1].tobytes(), *state[2:]


def _plays_alike(
    trials: Iterable[tuple[Callable[[Any], Any], Callable[[Any], Any], Callable[[], Any]]],
) -> bool:
    """Return whether a rule and its program give the same, bit by bit."""
    try:
        with np.errstate(all="ignore"):
            for rule, program, given in trials:
                wanted, found = np.asarray(rule(given())), program(given())
                if wanted.dtype == bool:
                    wanted = wanted.astype(np.int64)
                alike = (wanted.shape, wanted.dtype) == (found.shape, found.dtype)
                if not alike or wanted.tobytes() != found.tobytes():
                    return False
    except Exception:  # whatever it raises in rounds, it didn't raise when it was recorded
        return False
    return True
