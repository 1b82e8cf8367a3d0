"""Exact laws by the structure of a rule's program: parts that share no draw are combined, never listed.

The law of a value needs only the draws that it depends on. A value of one draw is tried, or bisected. One of
several draws is taken apart at its last operation: what is computed from one value has the law of that value,
mapped; two values without a common draw are combined; and sums of such values are convolved. Values that are
the same program have one law, which is found once.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from provably_fair import distribution
from provably_fair._core.counts import length

from . import _enumeration as enumeration
from ._probes import TrialDraws
from ._weights import AsDrawn, Ideal, Weights
from .draws import Draws
from .kind import AnyGame
from .laws import MANY_ANSWERS, is_hashable, mapped, not_finite
from .looks import Of, OfPart, Total
from .operations import Constant, Operation, performed
from .program import Program, Untraced, function_of
from .reads import Reads, while_read_alike
from .rounds import rounds_of
from .samples import joint_values, values_of

if TYPE_CHECKING:
    from provably_fair.distribution import Distribution
    from provably_fair.seeds import Scheme

_Weighing = tuple[bool, Any]
"""Whether draws are weighed as drawn; and the scheme, or the digits of ideal numbers."""

_MAX_STATES = 1 << 20
MAX_JOINT = 1 << 20
"""The most combinations of values that are computed together."""
_MAX_LISTED = 1 << 18  # combinations listed as tuples
_MAX_PARTS = 20
_MAX_ANSWERS = 256  # each of which takes a bisection
_EXACT = 1 << 53
_ROWS_AT_A_TIME = 1 << 17


def law_by_program(game: AnyGame, drawn: bool, of: Of | None) -> Distribution | None:
    """Return the law of the outcome, or of a function of it, if its program tells it; else None."""
    program = rounds_of(game).program
    if program is None or program.draws is None:
        return None
    if of is None and not program.shape and game.monotone:
        return None  # bisection tells whether what the class states is true
    found = (_remembered if is_hashable(of) else _found)(program, of, _weighing(game.scheme, drawn))
    return found if found is not None or isinstance(of, OfPart) else _joint(game, drawn, of)


def _found(program: Program, of: Of | None, weighing: _Weighing) -> Distribution | None:
    """Return the law of a single value, of a part, or of a function that can be read."""
    if isinstance(of, OfPart) and of.place < program.shape[0]:
        return _of_part(program.part(of.place), of.of, weighing)
    found = None if of is None else _of_function(program, of, weighing)
    if found is not None or program.shape:
        return found
    law = _law(program.value(program.result), weighing)
    if of is not None and law is not None and program.dtype == float and 0 in law.outcomes:
        return None  # a function may tell 0.0 and -0.0 apart, which are one value of a law
    return None if law is None else mapped(law, of)


_remembered = while_read_alike(lambda program, of, weighing: Reads(None, of), 128)(_found)  # noqa: ARG005


def parts_rise(program: Program) -> bool:
    """Return whether each part of an outcome rises or falls with a draw of its own."""
    if len(program.shape) != 1 or not program.disjoint:
        return False
    return all(program.part(place).direction is not None for place in range(program.shape[0]))


def rises_with(game: AnyGame, of: Of) -> bool:
    """Return whether a function of an outcome that rises or falls does so too, as its law tells."""
    program = rounds_of(game).program
    if program is None:
        return True  # the law was bisected
    function = _function(of, program.shape, program.dtype)
    if isinstance(function, Untraced) or program.then(function).direction is not None:
        return True
    return law_by_program(game, False, of) is None


def _weighing(scheme: Scheme, drawn: bool) -> _Weighing:
    return (True, scheme) if drawn else (False, scheme.digits)


def _weights(weighing: _Weighing) -> Weights:
    drawn, of = weighing
    return AsDrawn(of) if drawn else Ideal(of)


def _function(of: Of, shape: tuple[int, ...], dtype: np.dtype) -> Program | Untraced:
    """Return a function of outcomes as a program, if it can be read; that of a view is remembered."""
    return (_remembered_function if is_hashable(of) else function_of)(of, shape, dtype)


_remembered_function = while_read_alike(lambda of, shape, dtype: Reads(None, of), 128)(function_of)  # noqa: ARG005


def _of_function(program: Program, of: Of, weighing: _Weighing) -> Distribution | None:
    """Return the law of a function of a program's outcome, if the function can be read."""
    function = _function(of, program.shape, program.dtype)
    if isinstance(function, Untraced) or function.shape:
        return None
    whole = program.then(function)
    found = _law(whole.value(whole.result), weighing)
    values = [] if found is None or found.outcomes.dtype.kind != "i" else found.outcomes[[0, -1]].tolist()
    if max(map(abs, values), default=0) > 2**53 and whole.bounds is None:
        values_of(of, program.play(TrialDraws(1000, 0)))  # refuses what int64 has wrapped
    return _total(program, of, weighing) if found is None and isinstance(of, Total) else found


def _total(program: Program, of: Total, weighing: _Weighing) -> Distribution | None:
    """Return the law of a total with too many values for exact weights: in doubles, of a known error."""
    if len(program.shape) != 1 or not program.disjoint:
        return None
    places = of.places or range(program.shape[0])
    laws = [_law(program.part(place), weighing) for place in places]
    listed = [mapped(law, of.of) for law in laws if law is not None]
    sums = [law.sum(count) for law, count in Counter(listed).items()]
    return functools.reduce(distribution.Distribution.convolve, sums) if len(listed) == len(laws) else None


def _of_part(part: Program, of: Of | None, weighing: _Weighing) -> Distribution | None:
    """Return the law of a part, or of a function of it, which is called with values if it can't be read."""
    if of is None:
        return None if part.shape else _law(part, weighing)
    found = _of_function(part, of, weighing)
    if found is not None:
        return found
    keys = functools.partial(values_of, of)
    found = _tried(part, weighing, keys)
    if found is None and part.draws and len(part.draws) == 1 and part.direction is not None:
        return _bisected(part, weighing, keys, enumeration.MAX_STEPS)
    return found


@functools.lru_cache(maxsize=512)
def _law(program: Program, weighing: _Weighing) -> Distribution | None:
    """Return the law of a single value; None if its structure doesn't tell, and it has too many states."""
    draws = program.draws
    if draws is None:
        return None
    if len(draws) <= 1:
        return _of_one_draw(program, weighing)
    return _of_structure(program, weighing) or _tried(program, weighing) or _of_a_long_draw(program, weighing)


def _of_one_draw(program: Program, weighing: _Weighing) -> Distribution | None:
    (n,) = program.draws or (1,)
    if n is not None and n <= MANY_ANSWERS:
        return _tried(program, weighing)
    if program.direction is None:
        return _of_structure(program, weighing)
    return _bisected(program, weighing, np.asarray, _MAX_STATES)


def _bisected(
    program: Program, weighing: _Weighing, keys: Callable[[Any], np.ndarray], most: int
) -> Distribution | None:
    try:
        found = enumeration.bisect_outcomes(program.play, keys, _weights(weighing), most, proved=True)
    except (enumeration.NotMonotoneError, enumeration.TooManyStatesError):
        return None
    return _listed(*found)


def _of_a_long_draw(program: Program, weighing: _Weighing) -> Distribution | None:
    """Return the law of a value that rises or falls with one draw of many answers, for any of the few others.

    The long draw is bisected for each combination of the others' answers.
    """
    draws = program.draws or ()
    long = [place for place, n in enumerate(draws) if n is None or n > MANY_ANSWERS]
    short = [n for n in draws if n is not None and n <= MANY_ANSWERS]
    if len(long) != 1 or math.prod(short) > _MAX_ANSWERS or program.direction_with(long[0]) is None:
        return None
    weights = _weights(weighing)
    total: defaultdict[Any, int] = defaultdict(int)
    each = [np.diff([*below, whole]).tolist() for below, whole in (weights.below(n, range(n)) for n in short)]
    for answers in itertools.product(*map(range, short)):
        weight = math.prod(one[answer] for one, answer in zip(each, answers, strict=True))
        given = (*answers[: long[0]], None, *answers[long[0] :])
        played = functools.partial(_answered, program, given)
        try:
            values, counts = enumeration.bisect_outcomes(played, np.asarray, weights, proved=True)
        except (enumeration.NotMonotoneError, enumeration.TooManyStatesError):
            return None
        for value, count in zip(values, counts, strict=True):
            total[value] += weight * count
    return _listed([*total], [*total.values()])


def _answered(program: Program, answers: Sequence[int | None], draws: Draws) -> np.ndarray:
    """Return the outcomes for given answers of some draws."""
    return program.play(enumeration.Answered(draws, answers))


def _listed(values: list[Any], weights: list[int]) -> Distribution | None:
    """Return the law of some values; None if there are infinite ones or NaN among them."""
    if not_finite(values) is not None:
        return None
    return distribution.Distribution(values, weights)


def _tried(
    program: Program, weighing: _Weighing, keys: Callable[[Any], np.ndarray] = np.asarray
) -> Distribution | None:
    draws = program.draws or ()
    if None in draws or math.prod(one for one in draws if one is not None) > _MAX_STATES:
        return None
    return _listed(*enumeration.enumerate_outcomes(program.play, _weights(weighing), keys, _ROWS_AT_A_TIME))


def _of_structure(program: Program, weighing: _Weighing) -> Distribution | None:
    """Return the law of what is computed from values without a common draw, by the laws of these."""
    last = program.operations[program.result]
    inputs = [one for one in last.inputs if not isinstance(one, Constant)]
    if len(inputs) == 1 and program.operations[inputs[0]].shape:
        if last.name not in _COMBINED or last.told != {"axis": 1}:
            return None
        vector = Program(program.operations, inputs[0])
        parts = _parts_apart(vector)
        return _of_parts(last, parts, weighing) if parts else None
    if any(program.operations[one].shape for one in inputs) or not 1 <= len(inputs) <= 2:
        return None
    parts = [program.value(one) for one in inputs]
    heeded = last.inputs[1:] if last.name in _DIVIDING else last.inputs
    if last.name not in _OF_ZEROS_ALIKE and any(
        one in heeded and part.dtype == float for one, part in zip(inputs, parts, strict=True)
    ):
        return None
    if len(parts) == 2 and not _parts_apart(_stacked(program, inputs)):
        return None
    laws = [_law(part, weighing) for part in parts]
    known = [law for law in laws if law is not None]
    if len(known) < len(laws) or math.prod(map(length, known)) > MAX_JOINT:
        return None

    def performed_on(*columns: np.ndarray) -> np.ndarray:
        given = iter(columns)
        values = [one.value if isinstance(one, Constant) else next(given) for one in last.inputs]
        with np.errstate(all="ignore"):
            return np.asarray(performed(last, values, None, len(columns[0])))

    return _together(known, [part.dtype for part in parts], performed_on)


def _parts_apart(program: Program) -> list[Program]:
    """Return the parts of an outcome, if each has draws of its own and no others; else none."""
    if not program.disjoint:
        return []
    parts = [program.part(place) for place in range(program.shape[0])]
    drawn = sum(len(part.draws or ()) for part in parts)
    return parts if drawn <= len(program.value(program.result).draws or ()) else []


def _stacked(program: Program, inputs: Sequence[int]) -> Program:
    """Return the program of several single values, as the parts of an outcome."""
    shaped = Operation("move", tuple(inputs), (("places", None),), (len(inputs),), "float64")
    return Program((*program.operations, shaped), len(program.operations))


_OF_ZEROS_ALIKE = (
    *("add", "subtract", "multiply", "negative", "positive", "absolute", "square", "sqrt"),
    *("minimum", "maximum", "clip", "where", "floor", "ceil", "trunc", "rint", "round", "astype"),
    *("equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "isin", "searchsorted"),
)
"""Operations whose values for 0.0 and -0.0, which are one value of a law, are equal."""

_DIVIDING = ("divide", "floor_divide", "remainder")
"""Operations for which this holds of the first value."""

_COMBINED: dict[str, Callable[..., Any]] = {
    "sum": np.add,
    "prod": np.multiply,
    "min": np.minimum,
    "max": np.maximum,
    "any": np.logical_or,
    "all": np.logical_and,
}
"""Operations along an axis that combine two values at a time."""


def _of_parts(last: Operation, parts: Sequence[Program], weighing: _Weighing) -> Distribution | None:
    """Return the law of a sum, a product, or the like, of independent parts."""
    counted = {part: _law(part, weighing) for part in parts}
    if any(law is None for law in counted.values()):
        return None
    laws = {part: law for part, law in counted.items() if law is not None}
    largest = sum(float(np.abs(laws[part].outcomes.astype(np.float64)).max()) for part in parts)
    whole = all((np.floor(law.outcomes.astype(np.float64)) == law.outcomes).all() for law in laws.values())
    if last.name == "sum" and (not whole or largest >= _EXACT):
        return None  # numpy rounds sums in an order of its own
    if last.name == "sum" and all(all(law.weights) for law in laws.values()):  # else zeros would be left out
        sums = [_typed(laws[part], last.dtype).sum(count) for part, count in Counter(parts).items()]
        found = functools.reduce(distribution.Distribution.convolve, sums)
        return found if not found.probability_error and not found.truncation_error else None
    dtype = np.dtype(last.dtype)
    if last.name == "prod":
        product = math.prod(max(1.0, float(np.abs(laws[part].outcomes).max())) for part in parts)
        if not whole or product >= _EXACT:
            return None

    def combined_with(one: np.ndarray, other: np.ndarray) -> np.ndarray:
        return np.asarray(_COMBINED[last.name](one, other)).astype(dtype)

    first, *others = (_typed(laws[part], last.dtype) for part in parts)
    for other in others:
        if length(first) * length(other) > MAX_JOINT:
            return None
        joined = _together([first, other], [dtype, dtype], combined_with)
        if joined is None:
            return None
        first = joined
    return first


def _typed(law: Distribution, dtype: str) -> Distribution:
    """Return a law whose outcomes have the type that an operation gives them."""
    return distribution.Distribution(law.outcomes.astype(dtype).tolist(), law.weights)


def _together(
    laws: Sequence[Distribution], dtypes: Sequence[Any], of: Callable[..., np.ndarray]
) -> Distribution | None:
    """Return the law of a function of independent values, an array each."""
    columns = np.meshgrid(*(law.outcomes.astype(dtype) for law, dtype in zip(laws, dtypes, strict=True)))
    weights = np.meshgrid(*(np.array(law.weights, dtype=object) for law in laws))
    values = of(*(column.ravel() for column in columns))
    return _listed(values.tolist(), functools.reduce(np.multiply, weights).ravel().tolist())


def _joint(game: AnyGame, drawn: bool, of: Of | None) -> Distribution | None:
    """Return the law of all parts together, or of a function of them; None if it is too long."""
    program: Program | None = rounds_of(game).program
    if (
        program is None
        or len(program.shape) != 1
        or not 0 < program.shape[0] <= _MAX_PARTS
        or not _parts_apart(program)
    ):
        return None
    laws: list[Distribution] = []
    for place in range(program.shape[0]):
        law = _of_own_part(game, drawn, place)
        if law is None:
            return None
        laws.append(law)
    if math.prod(map(len, laws)) > (_MAX_LISTED if of is None else MAX_JOINT):
        return None
    outcomes, weights = combined(laws)
    values = joint_values(of, outcomes.astype(program.dtype))
    return distribution.Distribution(values if of is None else values.tolist(), weights)


def _of_own_part(game: AnyGame, drawn: bool, place: int) -> Distribution | None:
    """Return the law of a part, by the game's own ways or from its program."""
    for way in game.kind.laws:
        found: Distribution | None = way(drawn, OfPart(place))
        if found is not None:
            return found
    program: Any = rounds_of(game).program
    return _law(program.part(place), _weighing(game.scheme, drawn))


def combined(laws: Sequence[Distribution]) -> tuple[np.ndarray, np.ndarray]:
    """Return the combinations of the values of independent laws, one per row, and their weights."""
    weights = functools.reduce(np.multiply.outer, (np.array(law.weights, object) for law in laws))
    return combinations(laws), weights.ravel()


def combinations(parts: Sequence[Distribution]) -> np.ndarray:
    """Return all combinations of the outcomes of parts, the last part the fastest."""
    each = np.meshgrid(*(law.outcomes for law in parts), indexing="ij")
    return np.stack([part.ravel() for part in each], axis=1)
