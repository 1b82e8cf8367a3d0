"""The bet on a throw of two dice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from provably_fair._core.arguments import choice
from provably_fair.bets import Bet
from provably_fair.distribution import Distribution
from provably_fair.seeds.rounds import SimulatedRounds
from provably_fair.seeds.schemes import SALTED, draws

from .laws import doubles_law, face_law, pair_law, pips_law, sum_law

# What of a throw is bet on: its law, and the function from faces, (N, 2), to values.
_SUBJECTS: dict[str, tuple[Callable[[], Distribution], Callable[[np.ndarray], np.ndarray]]] = {
    "face": (face_law, lambda faces: faces[:, 0]),
    "pair": (lambda: pair_law(ordered=False), lambda faces: 10 * faces.max(axis=1) + faces.min(axis=1)),
    "sum": (sum_law, lambda faces: faces.sum(axis=1)),
    "doubles": (doubles_law, lambda faces: (faces[:, 0] == faces[:, 1]).astype(np.int64)),
    "pips": (pips_law, lambda faces: faces.sum(axis=1) * np.where(faces[:, 0] == faces[:, 1], 2, 1)),
}


@dataclass(frozen=True, repr=False)
class _Throws:
    """Throws of two dice, of a series that anyone can make again."""

    def simulate(self, rounds: int, *, seed: int | str, start: int, threads: int | None) -> np.ndarray:
        made = SimulatedRounds(SALTED, rounds, seed, start, {})
        throws = draws(SALTED, made.fields(), threads=threads)
        faces: np.ndarray = np.stack([throws.below(6), throws.below(6)], axis=1) + 1
        return faces

    def observe(self, outcomes: np.ndarray, *, of: str) -> np.ndarray:
        return _SUBJECTS[of][1](outcomes)

    def __repr__(self) -> str:
        return "a throw of two dice"


def bet_on_throws(payout: object, of: str, law: str) -> Bet:
    """Return the bet on something about a throw."""
    choice("of", of, _SUBJECTS)
    choice("law", law, ("best", "ideal", "as_drawn"))
    wins = 1 if of == "doubles" else None
    return Bet.on_values(_Throws(), _SUBJECTS[of][0](), payout, subject={"of": of}, wins=wins)
