"""Bets on games of a chain that were already over."""

from __future__ import annotations

import numpy as np

from provably_fair.verification import VerificationReport
from provably_fair.verification.systems.chains import TERMINATING

from ..check import Check
from ..finding import Finding
from ..records import Records, whole
from ..sums import Groups
from .times import Precision
from .wording import facts

_MOST = 1 << 16
"""The largest number of games that are kept."""
_GAMES = 43  # bits of the number of a game
_SECONDS = 31  # bits of a position, packed with whole seconds
_EARLIEST, _LATEST = 1_230_768_000, 1_230_768_000 + (1 << 32)
"""Times of bets, in seconds since 1970: from 2009 on."""


class Over(Check):
    """Bets on games of a chain, placed after bets on later games."""

    state = ("_games", "_precision", "_bets", "_timed")

    def __init__(self) -> None:
        self._games = Groups({"earliest": "min", "latest": "last"}, _MOST)
        self._precision = Precision()
        self._bets = self._timed = False

    def update(self, records: Records) -> None:
        bets = any(records.has(name) for name in ("player", "stake", "payout"))
        self._bets |= bets
        if not bets or not records.has_times("time") or not records.has(TERMINATING):
            return
        self._timed = True
        times, there = records.order("time")
        self._precision.note(times, there)
        seconds = times // 10**6
        there = there & (records.games > 0) & (seconds >= _EARLIEST) & (seconds < _LATEST)
        # 85 bits of the chain's fingerprint, and the number of the game.
        keys = records.fingerprints(TERMINATING, hexadecimal=True).copy()
        keys[:, 1] = keys[:, 1] >> np.uint64(_GAMES) << np.uint64(_GAMES) | records.games.astype(np.uint64)
        rows = np.flatnonzero(there & (records.games < 1 << _GAMES) & (records.places < 1 << _SECONDS))
        latest = (seconds[rows] - _EARLIEST << _SECONDS) + records.places[rows]
        self._games.add(whole(keys[rows]), earliest=seconds[rows], latest=latest)

    def findings(self, verified: VerificationReport) -> list[Finding]:
        games = self._games.columns
        keys = np.zeros((0, 2), np.uint64)
        if len(self._games.keys):
            keys = self._games.keys.view(np.uint64).reshape(-1, 2)
        numbers = keys[:, 1] & np.uint64((1 << _GAMES) - 1)
        chains = whole(np.stack([keys[:, 0], keys[:, 1] - numbers], axis=1))
        over: list[int] = []
        apart = -(-self._precision.apart // 10**6)
        for chain in np.unique(chains):
            own = np.flatnonzero(chains == chain)
            own = own[np.argsort(numbers[own])]
            later = np.minimum.accumulate(games["earliest"][own][::-1])[::-1][1:]
            latest = games["latest"][own][:-1]
            late = (latest >> _SECONDS) + _EARLIEST - later >= apart
            over += (latest[late] & ((1 << _SECONDS) - 1)).tolist()
        text = (
            "{n} game[|s] of the chain [has|have] a bet that was made after bets on a later game (first: "
            "row {first}): the game was over, and its outcome known."
        )
        figure = {"games": len(over)}
        return facts("game_over", "proof", text, over, "game_hash", "time", figure=figure)

    def unknown(self) -> list[str]:
        lacking = []
        if self._bets and not self._timed:
            lacking.append("no times of bets: whether somebody bet on a game that was over")
        if self._games.left_out:
            lacking.append(f"more than {_MOST:,} games: whether somebody bet on others that were over")
        return lacking
