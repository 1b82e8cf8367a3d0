"""The rounds of a game in Python."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from provably_fair._core.arguments import BadType, BadValue, integer
from provably_fair._core.cached import unlocked_property
from provably_fair._engine import Fields, Program as EngineProgram
from provably_fair.seeds.schemes import draws, engine_scheme

from ._probes import EndDraws, ProbedDraws, RandomDraws
from ._streams import StreamDraws
from .contradictions import refuse_contradictions
from .draws import MAX_DRAWS_ASKED, MAX_DRAWS_TRIED, Draws, EndlessRoundError
from .kind import stated
from .laws import is_hashable, remembered_law, tried_law
from .operations import Operation
from .program import Program, Untraced, program_of
from .reads import Reads, is_plain, while_read_alike
from .rounds import OUTCOME_TYPES, PLAIN, Output, Rounds, holds, rounds_of

if TYPE_CHECKING:
    from concurrent.futures import Future

    from provably_fair._core.progress import Report
    from provably_fair.distribution import Distribution, Tally

    from .looks import Of
    from .series import Series

# Rounds drawn together, so that their draws stay in the cache of a core.
_ROUNDS_AT_A_TIME = 1 << 13
_ROUNDS_TOLD = 256  # between reports of progress, when rounds are played one by one
_MAX_AHEAD = 1 << 12
# Numbers of rounds in trials: two of them, as an outcome may happen to have as many values as one.
_TRIED = (2, 3)
# Rounds that are tried alone and among each other.
_TRIED_ALONE = 8


class PythonRounds(Rounds):
    """The rounds of a game in Python, whose `outcome` is called with the draws of many rounds at once."""

    _kept: tuple[Reads, Program | None, EngineProgram | None] | None = None

    @unlocked_property
    def trial(self) -> tuple[tuple[int, ...], np.dtype, int]:
        """The shape and dtype of outcomes, and how many numbers a round uses; by trial without a program."""
        if (program := self.program) is not None:
            return program.shape, OUTCOME_TYPES[program.dtype.kind], program.least_numbers
        try:
            return self._try(EndDraws)
        except EndlessRoundError:  # a loop may wait for a draw that the ends never give
            pass
        try:
            return self._try(RandomDraws)
        except EndlessRoundError as error:
            sentence = (
                f"{error}. This was a trial round: if rounds need more, state `shape` and `dtype` in the "
                f"class {type(self.game).__name__}, such as `shape = (3,)` and `dtype = int`, which then "
                "needs no trial rounds"
            )
            raise BadValue("outcome", sentence=sentence) from None

    @property
    def program(self) -> Program | None:
        """The program of the game's rule, if it has one; read anew where what it reads may have changed."""
        reads, program, _ = self._read
        return program if reads is None or reads.is_known else self._checked_program()

    @property
    def _read(self) -> tuple[Reads | None, Program | None, EngineProgram | None]:
        """What the rule reads, its program, and the one by which the engine plays its rounds, if it can.

        Nothing is kept where parameters may change in place.
        """
        kept = self._kept
        if kept is not None and kept[0].hold():
            return kept
        if not is_hashable(self.game):
            return None, self._checked_program(), None
        cls = type(self)
        for name in [*vars(self)]:
            if isinstance(getattr(cls, name, None), unlocked_property):
                vars(self).pop(name, None)  # unless another thread did
        reads = Reads(self.game)
        program = self._found_program() if reads.is_known else self._checked_program()
        plays = reads.is_known and stated(self.game, "max_draws", None) is None
        self._kept = reads, program, program.in_engine if plays and program is not None else None
        return self._kept

    def _found_program(self) -> Program | None:
        game: Any = self.game
        values = game._field_values()
        # A game that is told by whole numbers and texts, which equal no values of other types.
        if _TELLING.issuperset(map(type, values)) and game._beside.keys().isdisjoint(vars(game)):
            cls: Any = type(game)
            return _program_of(cls, values)
        return self._checked_program()

    def _checked_program(self) -> Program | None:
        found = program_of(self.game)
        if isinstance(found, Untraced):
            return None
        form = self._as_outcomes(np.empty((1, *found.shape), found.dtype), 1).dtype  # refuses other forms
        refuse_contradictions(self.game, found)
        if form == found.dtype:
            return found
        as_stated = Operation("astype", (found.result,), (("dtype", form.name),), found.shape, form.name)
        return Program((*found.operations, as_stated), len(found.operations))

    @property
    def _in_engine(self) -> EngineProgram | None:
        """The program by which the engine plays the rounds, if it can and the game stays as it is."""
        return self._read[2]

    @property
    def rule(self) -> Callable[[Draws], np.ndarray]:
        if (program := self.program) is None:
            return self.run
        return lambda draws: self._as_outcomes(program.play(draws), draws.rounds)

    def _try(self, draws_of: type[EndDraws | RandomDraws]) -> tuple[tuple[int, ...], np.dtype, int]:
        """Play trial rounds: with the least and the largest answers, or with random ones."""
        counts = _TRIED if self.game.vectorized else (1, 1)
        tried = [draws_of(rounds, first) for first, rounds in enumerate(counts)]
        one, other = (self.run(draws) for draws in tried)
        if one.shape[1:] != other.shape[1:]:
            raise self._of_shapes(one.shape[1:], other.shape[1:])
        if (joined := self._joined()) is not None:
            raise joined
        return one.shape[1:], np.result_type(one, other), max(draws.numbers for draws in tried)

    def _joined(self) -> BadType | BadValue | None:
        """Return the error of a rule that gives a round one outcome alone, and another one among others."""
        if not self.game.vectorized:
            return None
        rounds = range(_TRIED_ALONE)

        def played(seeds: Sequence[int]) -> np.ndarray:
            rngs = [np.random.default_rng(seed) for seed in seeds]
            return self.run(ProbedDraws(len(rngs), lambda _: np.array([rng.random() for rng in rngs])))

        for alone, among in zip((played([one]) for one in rounds), played(rounds), strict=True):
            # The last bits of a sum of doubles may differ by how many rounds there are.
            near = 1e-9 if among.dtype.kind == "f" else 0
            if alone[0].shape != among.shape or not np.allclose(alone[0], among, near, equal_nan=True):
                return self.wrong(
                    f"must give a round the outcome that it has alone, got {among.tolist()} among others "
                    f"in place of {alone[0].tolist()}: name an axis, such as axis=1, where values are joined"
                )
        return None

    @unlocked_property
    def most(self) -> int:
        """The largest number of draws of a round."""
        known = MAX_DRAWS_TRIED if self.game.vectorized else MAX_DRAWS_ASKED
        allowed: int = stated(self.game, "max_draws", known)
        return min(allowed, known)

    @unlocked_property
    def ahead(self) -> int:
        """The number of words to compute ahead for each round: those that every round is known to use."""
        return min(self.trial[2], _MAX_AHEAD) if self.stated_shape is None else 0

    @unlocked_property
    def stated_shape(self) -> tuple[int, ...] | None:
        """The shape of one outcome, if the class states it."""
        stated = stated_form(self.game, "shape")
        if stated is None:
            return None
        place = f"{type(self.game).__name__}."
        if not isinstance(stated, tuple):
            problem = f"must be a tuple such as (3,), or () for one value, got {stated!r:.50}"
            raise BadType("shape", problem, place=place)
        return tuple(integer("shape", size, 0, place=place) for size in stated)

    @unlocked_property
    def stated_dtype(self) -> np.dtype | None:
        """The dtype of outcomes, if the class states it; int64 if it states the shape alone."""
        stated = stated_form(self.game, "dtype")
        if stated is None:
            return None if self.stated_shape is None else np.dtype(np.int64)
        try:
            kind = np.dtype(stated).kind
        except (TypeError, ValueError):
            kind = ""
        if kind not in OUTCOME_TYPES:
            place = f"{type(self.game).__name__}."
            raise BadType("dtype", f"must be int or float, got {stated!r:.50}", place=place)
        dtype: np.dtype = np.dtype(OUTCOME_TYPES[kind])
        return dtype

    @unlocked_property
    def shape(self) -> tuple[int, ...]:
        """The shape of one outcome."""
        if (shape := self.stated_shape) is None:
            return self.trial[0]
        joined = None
        with suppress(Exception):  # rounds tell what is wrong with them, and may draw more than trials do
            joined = self._joined() if self.program is None else None
        if joined is not None:
            raise joined
        return shape

    @unlocked_property
    def dtype(self) -> np.dtype:
        """The type of outcomes."""
        return self.trial[1] if self.stated_dtype is None else self.stated_dtype

    @property
    def steps(self) -> tuple[tuple[int, int] | None, int]:
        """The bounds that the kind states."""
        known: tuple[int, int] | None
        known, unit = self.game.kind.steps
        if known is None and self.dtype.kind == "i" and (program := self.program) is not None:
            known = program.bounds
        return known, unit

    @unlocked_property
    def _form(self) -> tuple[bool, tuple[int, ...], type]:
        """Whether outcomes are doubles, the shape of one, and the type of their values."""
        return self.dtype.kind == "f", self.shape, self.dtype.type

    def one(self, seeds: tuple[object, ...], named: Mapping[str, object]) -> Any:
        kept = self._kept
        # As `_in_engine`: each call is felt here.
        in_engine = kept[2] if kept is not None and kept[0].hold() else self._in_engine
        if in_engine is None:
            return None
        doubles, shape, of_type = self._form
        try:
            found: Any = in_engine.one(engine_scheme(self.game.scheme), seeds, named, doubles, shape)
        except BadType:  # `play` tells it with a hint
            return None
        return found if shape or found is None else of_type(found)

    def fill(self, held: Fields, parameters: Mapping[str, object], wanted: Output) -> Any:
        """Return the outcomes of many rounds, or of one, in the requested form."""
        if held.many:
            return self.deliver(self.outcomes(held, wanted.threads, wanted.report), wanted)
        if self._in_engine is None:
            found = self._piece(held, 0, 1, self.ahead)[0]  # no pieces and no threads
        else:
            found = self.outcomes(held, 1, None)[0]
        return found if wanted is PLAIN else self.deliver(found, wanted)

    def deliver(self, outcomes: np.ndarray, wanted: Output) -> Any:
        """Return outcomes in the requested dtype or array; refuse those beyond stated bounds."""
        dtype = self.wanted_dtype(wanted) or (None if wanted.out is None else wanted.out.dtype)
        if dtype is not None and not self.is_as_wide(dtype) and np.size(outcomes):
            unit = self.steps[1]
            for number in np.min(outcomes), np.max(outcomes):
                if not holds(dtype, number * unit, number * unit, unit):
                    problem = "must return numbers {} to {}, as the kind states, got {}"
                    raise self.wrong(problem.format(*self.bounds, number))
        return super().deliver(outcomes, wanted)

    def tally(self, made: Series, bins: object, threads: int | None, report: Report | None) -> Tally:
        """Count the outcomes of simulated rounds."""
        if bins is not None:
            self.edges(bins)
        self.check_values()
        return self.count(made, lambda outcomes: outcomes, threads, report)

    def law(self, drawn: bool, of: Of | None) -> Distribution:
        """Return the exact law of the outcome, or of a function of it, by trying draws."""
        _ = self.shape  # whose trial refuses rules that join rounds
        is_told = is_hashable(self.game, of) and is_plain(self.game)
        return (remembered_law if is_told else tried_law)(self.game, drawn, of)

    def outcomes(self, held: Fields, threads: int | None, report: Report | None) -> np.ndarray:
        """Return the outcomes of all rounds, in the game's dtype."""
        in_engine = self._in_engine if len(held) else None
        size = self.pieces(_ROUNDS_AT_A_TIME, self.ahead) if self.game.vectorized else 1
        if in_engine is None and 0 < len(held) <= size:  # one piece
            outcomes = self._piece(held, 0, len(held), self.ahead)
            if report is not None:
                report(len(held))
            return outcomes
        shape, dtype = (len(held), *self.shape), self.dtype
        try:
            outcomes = np.empty(shape, dtype=dtype)
        except (MemoryError, ValueError):
            raise MemoryError(f"the outcomes of {len(held)} rounds don't fit into memory") from None
        if in_engine is not None:
            scheme = engine_scheme(self.game.scheme)
            in_engine.play(scheme, held, outcomes, threads=threads, progress=report)
            return outcomes

        def fill(first: int) -> int:
            now = min(size, len(outcomes) - first)
            piece = outcomes[first : first + now]
            piece[...] = self._piece(held, first, now, self.ahead, piece)
            return first + now

        firsts = range(0, len(outcomes), size)
        for done in on_threads(fill, firsts, threads if self.game.vectorized else 1):
            if report is not None and (size > 1 or done % _ROUNDS_TOLD == 0 or done == len(outcomes)):
                report(done)
        return outcomes

    def _piece(
        self, held: Fields, first: int, rounds: int, ahead: int, into: np.ndarray | None = None
    ) -> np.ndarray:
        """Return the outcomes of rounds drawn together, perhaps in a given array."""
        streams = draws(self.game.scheme, held, first, rounds, ahead=ahead)
        drawn = StreamDraws(streams, self.most, into)
        if self.game.vectorized:
            found: Any = self._ask(drawn)
            # Almost all outcomes are as they should be, and need no further checks.
            form = (rounds, *self.shape)
            if type(found) is np.ndarray and found.dtype is self.dtype and found.shape == form:
                return found
            found = self._as_outcomes(found, rounds)
        else:
            found = self.run(drawn)
        if found.shape[1:] != self.shape:
            raise self._of_shapes(self.shape, found.shape[1:])
        if found.dtype.kind == "f" and self.dtype.kind != "f":
            raise self.wrong(
                f"must return numbers of one type, got whole numbers for some rounds and {found.dtype} "
                "for others: return floats for all",
                BadType,
            )
        outcomes: np.ndarray = found.astype(self.dtype, copy=False)
        return outcomes

    def _of_shapes(self, one: tuple[int, ...], other: tuple[int, ...]) -> BadType | BadValue:
        """Return the error of outcomes that have different shapes."""
        return self.wrong(f"must return outcomes of one shape, got {one} and {other}")


_TELLING = frozenset((int, str))


@while_read_alike(lambda cls, _: Reads(cls), 256)
def _program_of(cls: Any, values: tuple[object, ...]) -> Program | None:
    rounds: Any = rounds_of(cls(*values))
    found: Program | None = rounds._checked_program()
    return found


def stated_form(game: Any, name: str) -> Any:
    """Return the shape or the dtype that a game's class states, by a value or a property, if any."""
    found = game._stated.get(name)
    return found.__get__(game) if isinstance(found, property) else found


T = TypeVar("T")


def on_threads(work: Callable[[int], T], pieces: range, threads: int | None) -> Iterator[T]:
    """Work on pieces in threads, and yield the results in the order of the pieces."""
    count = min(len(pieces), threads or _processors())
    if count <= 1:
        yield from map(work, pieces)
        return
    from provably_fair._core.threads import Workers

    with Workers(count) as pool:
        try:
            # Few pieces wait at a time: results of all might not fit into memory.
            waiting: deque[Future[T]] = deque()
            for piece in pieces:
                waiting.append(pool.submit(work, piece))
                if len(waiting) > 2 * count:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _processors() -> int:
    import os

    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
