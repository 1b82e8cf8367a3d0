"""Outcomes as sequences of independent values whose laws are known: what tests of fairness work on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.arguments import BadType, BadValue, integers, is_single, rectangular
from provably_fair._core.numbers import doubles

if TYPE_CHECKING:
    from provably_fair.distribution.sequences import FairnessMaterial

__all__ = ["fairness_material", "material_by_looks", "probabilities_by_round"]


def fairness_material(game: Any, data: ArrayLike, **parameters: object) -> FairnessMaterial:
    """Return outcomes as sequences of independent values whose laws are known, for `fairness_report`.

    Values that the game can't give are for the tests to find; `parameters` are those of these rounds, as in
    `play`: one for all, or one for each.
    """
    values = rectangular("data", data)
    if values.ndim != 1 + len(game.shape) or values.shape[1:] != game.shape:
        raise BadValue("data", f"must have the shape (N, *{game.shape}) of {game!r}, got {values.shape}")
    if values.dtype.kind not in ("iuf" if game.dtype.kind == "f" else "iu"):
        raise BadType("data", f"must be outcomes of {game!r}, got an array of {values.dtype}")
    if values.dtype.kind == "f":
        values = doubles(values)
    varying = {
        name: integers(name, value)
        for name, value in parameters.items()
        if value is not None and not is_single(value)
    }
    game = game.with_parameters(**{k: v for k, v in parameters.items() if k not in varying})
    if varying:
        return _varying_material(game, values, varying)
    material: FairnessMaterial = game._material(values)
    return material


def _varying_material(game: Any, values: np.ndarray, varying: dict[str, np.ndarray]) -> FairnessMaterial:
    """Give outcomes of rounds whose parameters differ: each of the law of its round."""
    from provably_fair.distribution.sequences import FairnessMaterial, LawSequence, quantile_sequence

    for name, column in varying.items():
        parameter = game._per_round(name)
        if len(column) != len(values):
            raise BadValue(name, f"must be {len(values)}, one for each row of data, got {len(column)}")
        wrong = (column < parameter.least) | (column > parameter.most)
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            limits = f"from {parameter.least} to {parameter.most}"
            raise BadValue(name, f"must be {limits}, got {column[row]}", index=row)
    sequence = quantile_sequence("quantiles", values, *game._probabilities(values, varying))
    numbers = sequence.uniform
    assert numbers is not None
    columns = numbers.reshape(len(values), -1).T
    places = [LawSequence(f"place {i + 1}", None, None, column) for i, column in enumerate(columns)]
    subject = f"{type(game).__name__} with {' and '.join(varying)} by round"
    return FairnessMaterial(subject, len(values), [sequence], places if len(places) > 1 else [])


def probabilities_by_round(
    game: Any, values: np.ndarray, varying: dict[str, np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the probability of less than each outcome, and of itself, by the law of its round."""
    from provably_fair.distribution.sequences import probabilities

    kinds, kind = np.unique(np.stack(list(varying.values()), axis=1), axis=0, return_inverse=True)
    order = np.argsort(kind.ravel(), kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(kind.ravel()[order])) + 1)
    laws = (
        (rows, game.with_parameters(**dict(zip(varying, settings, strict=True))).distribution())
        for rows, settings in zip(groups, kinds.tolist(), strict=True)
    )
    return probabilities(values, laws)


def material_by_looks(game: Any, values: np.ndarray) -> FairnessMaterial:
    """Return a sequence for each of a game's looks."""
    from provably_fair.distribution.sequences import FairnessMaterial, law_sequence

    sequences = []
    for look in game._looks():
        law, observed = game._look_law(look, values)
        sequences.append(law_sequence(look.title, observed, law))
    return FairnessMaterial(repr(game), len(values), sequences)
