"""Material for tests of fairness: values of outcomes whose laws are known, as independent sequences."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.arguments import (
    BadType,
    BadValue,
    doubles,
    integers,
    is_single,
    rectangular,
    refuse_nan,
)

from .kind import AnyGame
from .laws import is_bisected, law_of_ranges, sample_in
from .looks import Example, Look
from .parameters import per_round
from .rounds import rounds_of
from .samples import Cell

if TYPE_CHECKING:
    from provably_fair.distribution import Distribution
    from provably_fair.distribution.sequences import FairnessMaterial

_MAX_LOOKS = 1 << 10  # the most values of an outcome to test one by one
_RANGES = 100


def looks_of(game: AnyGame, *, bias: bool = False) -> tuple[Look, ...]:
    """Return the features of outcomes that are tested, or those where the largest bias is searched."""
    found: tuple[Look, ...] | None = game.kind.looks(bias=bias)
    return _looks(game) if found is None else found


def _looks(game: AnyGame) -> tuple[Look, ...]:
    """Return a look at each of an outcome's values."""
    if not game.shape or rounds_of(game).engine is not None:
        return (Look("outcomes"),)
    if (values := math.prod(game.shape)) > _MAX_LOOKS:
        raise ValueError(
            f"{game!r:.60} has outcomes of {values:,} values, of which at most {_MAX_LOOKS:,} can be "
            "looked at one by one"
        )
    return tuple(Look(f"value {place}", {"of": Cell(place)}) for place in range(values))


def independent_looks(game: AnyGame) -> tuple[Look, ...]:
    """Return looks at independent parts that together are the outcome, if there are such."""
    found: tuple[Look, ...] | None = game.kind.whole_looks()
    if found is not None:
        return found
    return () if game.shape else (Look("outcomes"),)


def look_law(game: AnyGame, look: Look, outcomes: np.ndarray) -> tuple[Distribution, np.ndarray]:
    """Return the law of one look, and its values in some outcomes, for a chi-square test.

    The law is of a number of values that can be listed, ranges of them where there are more; where what is
    looked at is the outcome itself, the values hold impossible ones too.
    """
    found: tuple[Distribution, np.ndarray] | None = game.kind.look_law(look, outcomes)
    if found is not None:
        return found
    ranges = law_of_ranges(game, _RANGES) if is_bisected(game) and not game.shape else None
    if ranges is not None:
        law, edges = ranges
        return law, np.searchsorted(edges, game.observe(outcomes), side="right") - 1
    law = game.distribution(**look.subject)
    if game.shape or look.subject:
        return law, game.observe(outcomes, **look.subject)
    return law, outcomes


def example_of(cls: Any) -> Example:
    """Return what the picture of all games shows of a class, with a game; by default the first look."""
    game = cls()
    example: Example | None = game.kind.pictured
    if example is None:
        look = looks_of(game)[0]
        example = Example(look.title if game.shape else "", look.subject)
    title = f"{cls.__name__}: {example.title}" if example.title else cls.__name__
    return example._replace(title=title, game=cls(**example.parameters))


def fairness_material(game: AnyGame, data: ArrayLike, **parameters: object) -> FairnessMaterial:
    """Return outcomes as sequences of independent values with known laws, for `fairness_report`.

    Values that the game can't give are for the tests to find; `parameters` are those of these rounds, as in
    `play`: one for all, or one for each.
    """
    read: np.ndarray | None = game.kind.read(data)
    values = rectangular("data", data) if read is None else read
    if values.ndim != 1 + len(game.shape) or values.shape[1:] != game.shape:
        expected = ", ".join(["N", *map(str, game.shape)])
        raise BadValue("data", f"must have the shape ({expected}) of {game!r}, got {values.shape}")
    if values.dtype.kind not in ("iuf" if game.dtype.kind == "f" else "iu"):
        raise BadType("data", f"must be outcomes of {game!r}, got an array of {values.dtype}")
    if values.dtype.kind == "f":
        values = doubles(values)
    refuse_nan("data", values)
    varying = {
        name: integers(name, value)
        for name, value in parameters.items()
        if value is not None and not is_single(value)
    }
    game = game.with_parameters(**{k: v for k, v in parameters.items() if k not in varying})
    if varying:
        return _varying_material(game, values, varying)
    found: FairnessMaterial | None = game.kind.material(values)
    return found or _material(game, values)


def _material(game: AnyGame, values: np.ndarray) -> FairnessMaterial:
    """Return the sequences of a sample's draws, or one for each look."""
    from provably_fair.distribution.sequences import shuffle_material

    sample = sample_in(game)
    if sample is not None and sample.in_order and sample.size > 1:
        # The last element of a permutation follows from the others.
        drawn = values[:, : sample.size - 1] - sample.first
        return shuffle_material(drawn, sample.size, repr(game), None)
    return material_by_looks(game, values)


def _varying_material(game: AnyGame, values: np.ndarray, varying: dict[str, np.ndarray]) -> FairnessMaterial:
    """Return outcomes of rounds whose parameters differ, each with the law of its round."""
    from provably_fair.distribution.sequences import FairnessMaterial, LawSequence, quantile_sequence

    for name, column in varying.items():
        parameter = per_round(game, name)
        if len(column) != len(values):
            raise BadValue(name, f"must be {len(values)}, one for each row of data, got {len(column)}")
        wrong = (column < parameter.least) | (column > parameter.most)
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            limits = f"from {parameter.least} to {parameter.most}"
            raise BadValue(name, f"must be {limits}, got {column[row]}", index=row)
    known = game.kind.probabilities(values, varying) or probabilities_by_round(game, values, varying)
    sequence = quantile_sequence("quantiles", values, *known)
    numbers = sequence.uniform
    assert numbers is not None
    columns = numbers.reshape(len(values), -1).T
    places = [LawSequence(f"place {i + 1}", None, None, column) for i, column in enumerate(columns)]
    subject = f"{type(game).__name__} with {' and '.join(varying)} by round"
    return FairnessMaterial(subject, len(values), [sequence], places if len(places) > 1 else [])


def probabilities_by_round(
    game: AnyGame, values: np.ndarray, varying: dict[str, np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the probabilities of less than each outcome and of itself, by the law of its round."""
    from provably_fair.distribution.sequences import probabilities

    kinds, kind = np.unique(np.stack(list(varying.values()), axis=1), axis=0, return_inverse=True)
    order = np.argsort(kind.ravel(), kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(kind.ravel()[order])) + 1)
    laws = (
        (rows, game.with_parameters(**dict(zip(varying, settings, strict=True))).distribution())
        for rows, settings in zip(groups, kinds.tolist(), strict=True)
    )
    return probabilities(values, laws)


def alike_material(
    game: AnyGame, values: np.ndarray, law: Distribution, one: str, several: str
) -> FairnessMaterial:
    """Return outcomes (N, k) whose values share one law: all as one sequence, and those of each place."""
    from provably_fair.distribution.sequences import FairnessMaterial, law_sequence

    columns = [law_sequence(f"{one} {i + 1}", column, law) for i, column in enumerate(values.T)]
    return FairnessMaterial(repr(game), len(values), [law_sequence(several, values.ravel(), law)], columns)


def material_by_looks(game: AnyGame, values: np.ndarray) -> FairnessMaterial:
    """Return a sequence for each of a game's looks."""
    from provably_fair.distribution.sequences import FairnessMaterial, law_sequence

    sequences = []
    for look in looks_of(game):
        law, observed = look_law(game, look, values)
        sequences.append(law_sequence(look.title, observed, law))
    return FairnessMaterial(repr(game), len(values), sequences)
