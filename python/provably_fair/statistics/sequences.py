"""What data are tested: their sequences, and the laws of these."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from provably_fair._engine import SLOT_STOPS
from provably_fair.crypto_games import Blackjack, VideoPoker
from provably_fair.distribution.sequences import (
    FairnessMaterial,
    LawSequence,
    law_sequence,
    shuffle_material,
    uniform_sequence,
)
from provably_fair.games.games import Game, Jackpot, Mines, Plinko, Slot, Tower

__all__ = ["material_of"]

# Jackpots of more tickets are tested as continuous numbers.
_MOST_LISTED = 1 << 16


def material_of(data: Any, game: Any) -> FairnessMaterial:
    """Return what the tests work on, of outcomes of a game or of numbers.

    Examples
    --------
    >>> import provably_fair as pf
    >>> from provably_fair.statistics.sequences import material_of
    >>> [sequence.name for sequence in material_of(pf.Slot().simulate(5), pf.Slot()).sequences]
    ['reels 1-4', 'reel 5']
    """
    values = np.asarray(data)
    if game is None:
        return _numbers(values)
    # Whatever knows its own sequences gives them: ``fairness_material(outcomes)``.
    if callable(give := getattr(game, "fairness_material", None)):
        return give(values)
    if isinstance(game, (VideoPoker, Blackjack)):
        return shuffle_material(values, 52 if isinstance(game, VideoPoker) else 208, game, None)
    if not isinstance(game, Game):
        raise TypeError(f"game must be a game, a VideoPoker, a Blackjack or None, got {type(game).__name__}")
    if values.ndim != 1 + len(game.shape) or values.shape[1:] != game.shape:
        raise ValueError(f"data must have the shape (N, *{game.shape}) of {game!r}, got {values.shape}")
    if values.dtype.kind not in ("iuf" if game._core.decimals else "iu"):
        raise TypeError(f"data must be outcomes of {game!r}, got an array of {values.dtype}")
    if isinstance(game, Mines):
        return shuffle_material(values, 25, game, None)
    if isinstance(game, Tower):
        return shuffle_material(values, 5, game, 10)
    if isinstance(game, Slot):
        stops = np.array(SLOT_STOPS)
        flat = values.reshape(-1, 5)
        reels = [uniform_sequence(f"reel {i + 1}", flat[:, i], int(stops[i])) for i in range(5)]
        sequences = [uniform_sequence("reels 1-4", flat[:, :4].ravel(), int(stops[0])), reels[4]]
        keys = np.ravel_multi_index(tuple(np.clip(flat, 0, stops - 1).T), tuple(stops))
        return FairnessMaterial(
            repr(game), len(values), sequences, reels, (keys, 1 / math.prod(stops.tolist()))
        )
    if isinstance(game, Plinko):
        law = game.distribution()
        balls = [law_sequence(f"ball {i + 1}", values[:, i], law) for i in range(game.balls)]
        return FairnessMaterial(repr(game), len(values), [law_sequence("balls", values.ravel(), law)], balls)
    if isinstance(game, Jackpot) and game.tickets > _MOST_LISTED:
        outcomes = LawSequence("tickets", None, None, (values - 0.5) / game.tickets)
        return FairnessMaterial(repr(game), len(values), [outcomes], [], (values, 1 / game.tickets))
    return FairnessMaterial(
        repr(game), len(values), [law_sequence("outcomes", values, game.distribution())], []
    )


def _numbers(values: np.ndarray) -> FairnessMaterial:
    if values.dtype.kind != "f" or values.ndim not in (1, 2):
        raise TypeError(
            "data must be numbers, float64 of shape (N,) or (N, k), where no game is given, "
            f"got {values.dtype} of shape {values.shape}"
        )
    if not np.isfinite(values).all():
        raise ValueError("data must be finite")
    columns = []
    if values.ndim == 2 and values.shape[1] > 1:
        columns = [LawSequence(f"column {i}", None, None, column) for i, column in enumerate(values.T)]
    flat = values.ravel()
    leading = np.clip(flat * 2.0**32, 0, 2.0**32 - 1).astype(np.uint32)
    sequence = LawSequence("numbers", None, None, flat)
    return FairnessMaterial("numbers", len(values), [sequence], columns, (leading, 2.0**-32))
