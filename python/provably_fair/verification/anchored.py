"""Identify outcomes without hashes from a later hash of their chain.

The outcomes are located by what all members of a family share, whatever their parameters: for bustabit's
first rule, every multiplier above 1; for its second rule, the multiplier in steps so wide that an edge of up
to a tenth rarely changes them. The places give the hashes of the rows, and these the parameters.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from provably_fair._core.errors import BadValue
from provably_fair._core.numbers import doubles
from provably_fair._core.progress import Progress
from provably_fair._core.types import Text
from provably_fair.games import Game
from provably_fair.games.draws import Draws
from provably_fair.games.kinds import multiplier
from provably_fair.locating import Location, is_on_chain, locate
from provably_fair.operators.crash import DIVISIBLE_SCHEME, Divisible, DivisibleRule, divisible
from provably_fair.seeds import Hash, HashChain
from provably_fair.verification.families import Family, family_of, raw_scheme

__all__ = ["located_family", "located_game"]

_WIDTH, _MOST_EDGE = 0.5, 0.1
"""The width of a step of the multiplier's logarithm, and the largest edge."""
_NEVER = 1_000_000
"""A divisor with practically no instant busts."""
_NEARBY = 1 << 18
_OF_BYTES = HashChain(Hash("sha256", "{game_hash:bytes}"))


class _OfBytes(DivisibleRule):
    kind = divisible(_NEVER, 1.0, chain=_OF_BYTES)


class _Steps(Game):
    """The step in which a multiplier without an edge lies."""

    scheme = raw_scheme("", "bytes")
    kind = multiplier()
    monotone = True

    def outcome(self, draws: Draws) -> np.ndarray:
        steps: np.ndarray = np.floor(-np.log1p(-draws.number()) / _WIDTH)
        return steps


class _StepsOfBytes(_Steps):
    kind = multiplier(chain=_OF_BYTES)


def located_game(
    outcomes: np.ndarray, games: Sequence[Game], anchor: Text, limit: int, progress: Progress
) -> Location | None:
    """Return the location of outcomes on the chain of one of several games; None if they lie on none."""
    return _placed(outcomes, [game for game in games if is_on_chain(game)], anchor, limit, progress)


def located_family(
    outcomes: np.ndarray, salts: Sequence[str], anchor: Text, limit: int, progress: Progress
) -> Family | None:
    """Return the family of crash games that outcomes on a chain belong to; None if there is none."""
    above = np.where(outcomes > 1, outcomes, np.nan)
    ordinary: list[Game] = [
        game.with_scheme(replace(DIVISIBLE_SCHEME, defaults={"salt": salt}))
        for game, salt in product((Divisible(_NEVER, 1.0), _OfBytes()), salts)
    ]
    stepped: list[Game] = [
        game.with_scheme(raw_scheme(salt, reads))
        for game, salt, reads in product((_Steps(), _StepsOfBytes()), salts, ("bytes", "text"))
    ]
    for seen, games in ((above, ordinary), (_steps_of(doubles(outcomes)), stepped)):
        location = _placed(seen, games, anchor, limit, progress)
        if location is None:
            continue
        assert location.game is not None
        log = location.log()
        salt = str(location.game.scheme.defaults["salt"])
        family = family_of(
            log["game_hash"], doubles(outcomes[log["row"]]).tolist(), [salt], may_be_misread=True
        )
        if family is not None:
            return replace(family, chain="bytes" if location.game.kind.chain == _OF_BYTES else "text")
    return None


def _placed(
    outcomes: np.ndarray, games: Sequence[Game], anchor: Text, limit: int, progress: Progress
) -> Location | None:
    """Return the location of outcomes on one of several chains; None if they lie on none."""
    if not games or np.isnan(outcomes).all():
        return None
    # Search nearby for all games first: on a wrong chain a search runs to its limit.
    for most in dict.fromkeys((min(_NEARBY, limit), limit)):
        try:
            location = locate(outcomes, games, anchor=anchor, limit=most, progress=progress)
        except BadValue as error:
            if error.argument != "outcomes":  # most outcomes are impossible in the only game
                raise
            return None
        if location.game is not None:
            return location
    return None


def _steps_of(outcomes: np.ndarray) -> np.ndarray:
    """Return the steps of multipliers with an unknown edge; NaN if the step depends on it."""
    with np.errstate(divide="ignore", invalid="ignore"):
        least = np.log(np.round(outcomes * 100) / 100) - 1e-9
        most = np.log(np.round(outcomes * 100 + 1) / 100) - math.log1p(-_MOST_EDGE) + 1e-9
        step = np.floor(least / _WIDTH)
        return np.where((outcomes > 1) & (np.floor(most / _WIDTH) == step), step, np.nan)
