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

from provably_fair._core.arguments import doubles
from provably_fair._core.errors import BadValue
from provably_fair._core.progress import Report
from provably_fair._core.types import Text
from provably_fair.games import Game
from provably_fair.games.draws import Draws
from provably_fair.games.kinds import MultiplierGame
from provably_fair.locating import Location, is_on_chain, locate
from provably_fair.operators.crash.rules import DIVISIBLE_SCHEME, Divisible, DivisibleRule
from provably_fair.seeds import Hash, HashChain

from .families import Family, family_of, raw_scheme

_WIDTH, _MOST_EDGE = 0.5, 0.1
"""The width of a step of the multiplier's logarithm, and the largest edge."""
_NEVER = 1_000_000
"""A divisor with practically no instant busts."""
_NEARBY, _FAR = 1 << 18, 10_000_000
_WALKED = 1 << 25
"""The number of games that all rules together walk by default, in about a minute."""
_OF_BYTES = HashChain(Hash("sha256", "{game_hash:bytes}"))


class _OfBytes(DivisibleRule):
    divisor, instant, chain = _NEVER, 1.0, _OF_BYTES


class _Steps(MultiplierGame):
    """The step in which a multiplier without an edge lies."""

    scheme = raw_scheme("", "bytes")
    monotone = True

    def outcome(self, draws: Draws) -> np.ndarray:
        steps: np.ndarray = np.floor(-np.log1p(-draws.number()) / _WIDTH)
        return steps


class _StepsOfBytes(_Steps):
    chain = _OF_BYTES


class AnchorSearch:
    """A search below an anchor, by known games and families: `limit` games by each rule, `total` by all."""

    def __init__(
        self, games: Sequence[Game], salts: Sequence[str], anchor: Text, limit: int | None, columns: int
    ) -> None:
        self._anchor, self._done = anchor, 0
        self._known = [game for game in games if is_on_chain(game)]
        self._ordinary: list[Game] = [
            game.with_scheme(replace(DIVISIBLE_SCHEME, defaults={"salt": salt}))
            for game, salt in product((Divisible(_NEVER, 1.0), _OfBytes()), salts)
        ]
        self._stepped: list[Game] = [
            game.with_scheme(raw_scheme(salt, reads))
            for game, salt, reads in product((_Steps(), _StepsOfBytes()), salts, ("bytes", "text"))
        ]
        rules = columns * (len(self._known) + len(self._ordinary) + len(self._stepped))
        each = _WALKED // max(rules, 1) - _NEARBY
        self.limit: int = (limit or min(max(each, _NEARBY), _FAR)) if rules else 0
        # Search nearby by all rules first: by a wrong one a search runs to its limit.
        self._depths = tuple(dict.fromkeys((min(_NEARBY, self.limit), self.limit)))
        self.total: int = rules * sum(depth + 1 for depth in self._depths)

    def run(
        self, outcomes: np.ndarray, families_first: bool, report: Report | None
    ) -> tuple[Location | None, Family | None]:
        """Return the location of outcomes by a known game, and a family that explains more of them."""
        ways = (self._by_family, self._by_game) if families_first else (self._by_game, self._by_family)
        for depth in self._depths:
            for way in ways:
                location, family = way(outcomes, depth, report)
                if location is not None or family is not None:
                    return location, family
        return None, None

    def _by_game(
        self, outcomes: np.ndarray, depth: int, report: Report | None
    ) -> tuple[Location | None, Family | None]:
        location = self._placed(outcomes, self._known, depth, report)
        if location is None or agreeing(location) == len(outcomes):
            return location, None
        assert location.game is not None
        salt = location.game.scheme.defaults.get("salt")
        _, family = self._by_family(outcomes, depth, report, salt)
        return location, family if family is not None and family.rows > agreeing(location) else None

    def _by_family(
        self, outcomes: np.ndarray, depth: int, report: Report | None, salt: object = None
    ) -> tuple[None, Family | None]:
        above = np.where(outcomes > 1, outcomes, np.nan)
        for seen, games in ((above, self._ordinary), (_steps_of(doubles(outcomes)), self._stepped)):
            some = [game for game in games if salt in (None, game.scheme.defaults["salt"])]
            location = self._placed(seen, some, depth, report)
            if location is not None:
                return None, _family_at(location, outcomes)
        return None, None

    def _placed(
        self, outcomes: np.ndarray, games: Sequence[Game], depth: int, report: Report | None
    ) -> Location | None:
        """Return the location of outcomes on one of several chains; None if they lie on none."""
        first = self._done
        last = self._done = first + len(games) * (depth + 1)
        if not games or np.isnan(outcomes).all():
            return None
        tick = False if report is None else lambda done, _: report(min(first + done, last))
        try:
            location = locate(outcomes, games, anchor=self._anchor, limit=depth, progress=tick)
        except BadValue as error:
            if error.argument != "outcomes":  # most outcomes are impossible in the only game
                raise
            return None
        return location if location.game is not None else None


def agreeing(location: Location) -> int:
    """Return the number of rows that have a place, and its outcome."""
    return location.placed - int((location.rows[location.misread] >= 0).sum())


def _family_at(location: Location, outcomes: np.ndarray) -> Family | None:
    """Return the family of outcomes whose places are known; None if they don't determine one."""
    assert location.game is not None
    log = location.log()
    salt = str(location.game.scheme.defaults["salt"])
    family = family_of(log["game_hash"], doubles(outcomes[log["row"]]).tolist(), [salt], placed=True)
    chain = "bytes" if location.game.kind.chain == _OF_BYTES else "text"
    return None if family is None else replace(family, chain=chain)


def _steps_of(outcomes: np.ndarray) -> np.ndarray:
    """Return the steps of multipliers with an unknown edge; NaN if the step depends on it."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        least = np.log(np.round(outcomes * 100) / 100) - 1e-9
        most = np.log(np.round(outcomes * 100 + 1) / 100) - math.log1p(-_MOST_EDGE) + 1e-9
        step = np.floor(least / _WIDTH)
        return np.where((outcomes > 1) & (np.floor(most / _WIDTH) == step), step, np.nan)
