"""Games on chains of hashes: links, games that are missing, and games that come again."""

from __future__ import annotations

from typing import Any

import numpy as np

from provably_fair._engine import Stretches
from provably_fair.seeds import Hash, HashChain
from provably_fair.verification import VerificationReport
from provably_fair.verification.systems.chains import GAME_HASH, TERMINATING, hash_texts

from ..check import Check, Context
from ..finding import KEPT_ROWS, Finding
from ..records import Records
from .saying import counted, fact, is_are

_LINK = Hash("sha256", "{game_hash}")
_BETS = ("player", "stake", "payout")
_UNLINKED = 2
_WALKED = 10_000
"""Games that are looked for before a game that doesn't follow the one before it."""
_FOLLOWED = 64
"""Games that don't follow the one before them, at most; of more the log is in no order."""


class Chain(Check):
    """The games of a chain, by their hashes."""

    def __init__(self, context: Context) -> None:
        self._games = Stretches("one-by-one-or-stays")
        self._threads = context.plan.threads
        self._first: bytes | None = None
        self._first_row = 0
        self._last: bytes | None = None
        self._breaks: list[tuple[int, bytes, bytes]] = []
        """Rows that don't follow the row before: the position, that row's hash, its own."""
        self._broken = 0
        self._ways: set[int] = set()
        """The ways that foreign rows go along the chain, each from the row before: 1 on, -1 back."""
        self._in_no_order = False
        self._first_is_foreign = False
        self._told = False
        self._of_bets: set[str] = set()

    def __getstate__(self) -> dict[str, object]:
        return self.__dict__ | {"_games": self._games.to_bytes()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ = state | {"_games": Stretches.from_bytes("one-by-one-or-stays", state["_games"])}

    def update(self, records: Records) -> None:
        self._of_bets |= {name for name in _BETS if records.has(name)}
        self._told |= records.count > 0 and records.has(TERMINATING)
        rows = np.flatnonzero(records.prints(GAME_HASH)[:, 0])  # games that aren't revealed yet have no hash
        if not rows.size:
            return
        numbered = records.games > 0
        if records.has(TERMINATING):
            keys = [records.prints(TERMINATING, hexadecimal=True)]
            keys += [records.prints("player")] if records.has("player") else []
            self._games.extend(keys, None, records.games, records.places, numbered)
        foreign = ~numbered[rows]
        if self._first is None:
            self._first = hash_texts(records.value(GAME_HASH, int(rows[0])), 1)[0]
            self._first_row = int(records.places[rows[0]])
            self._first_is_foreign = bool(foreign[0])
        if foreign.any():
            self._follow(records, rows, foreign)
        else:
            self._last = hash_texts(records.value(GAME_HASH, int(rows[-1])), 1)[0]

    def _follow(self, records: Records, rows: np.ndarray, foreign: np.ndarray) -> None:
        """Note the foreign ones of some rows that don't follow the row before them."""
        column, places = records.columns[GAME_HASH], records.places[rows]
        own = hash_texts(getattr(column, "value", column), records.count)[rows]
        before = np.concatenate([[own[0] if self._last is None else self._last], own[:-1]])
        steps = _steps(before, own)
        self._ways |= {step for step in (1, -1) if (foreign & (steps == step)).any()}
        broken = np.flatnonzero(foreign & (steps == _UNLINKED))
        self._broken += len(broken)
        for row in broken[: KEPT_ROWS - len(self._breaks)].tolist():
            self._breaks.append((int(places[row]), before[row], own[row]))
        self._last = own[-1]

    def merge(self, later: Any, rows: int) -> None:
        self._games.append(later._games, rows)
        breaks = [(place + rows, before, own) for place, before, own in later._breaks]
        if self._last is not None and later._first is not None and later._first_is_foreign:
            step = int(_steps(np.array([self._last]), np.array([later._first]))[0])
            if step == _UNLINKED:
                breaks.insert(0, (later._first_row + rows, self._last, later._first))
                self._broken += 1
            elif step:
                self._ways.add(step)
        self._ways |= later._ways
        self._broken += later._broken
        self._breaks = (self._breaks + breaks)[:KEPT_ROWS]
        if self._first is None:
            self._first, self._first_is_foreign = later._first, later._first_is_foreign
            self._first_row = later._first_row + rows
        self._last = later._last if later._last is not None else self._last
        self._told |= later._told
        self._of_bets |= later._of_bets

    def findings(self, verified: VerificationReport) -> list[Finding]:
        found = self._games.numbers(KEPT_ROWS, self._threads)
        missing, gaps, after = found["missing"], found["gaps"], found["after_gaps"]
        again, repeats = found["returned"], found["returns"]
        made: list[Finding] = []
        broken: list[int] = []
        if self._broken <= _FOLLOWED:
            leaps = [(place, _leap(before, own)) for place, before, own in self._breaks]
            broken = [place for place, leap in leaps if leap is None]
            along = [(place, leap) for place, leap in leaps if leap is not None]
            # Games that one row seems to pass over may stand elsewhere, unless all rows go one way.
            self._in_no_order = len(self._ways | {1 if leap > 0 else -1 for _, leap in along}) > 1
            for place, leap in along if not self._in_no_order else ():
                # The later game of the two, which in a log with the newest first stands before.
                missing, gaps = missing + abs(leap) - 1, gaps + 1
                after = [*after, place if leap > 0 else place - 1]
        if missing and not self._of_bets:
            text = (
                f"{counted(missing, 'game')} {is_are(missing)} missing from the chain between the first "
                "and the "
                f"last one of the log, the first before row {min(after)}: the log isn't complete, or games "
                "were "
                "left out."
            )
            made.append(
                fact(
                    "round_missing", "proof", text, after, gaps, {"missing": missing, "gaps": gaps}, GAME_HASH
                )
            )
        if again and ("player" in self._of_bets or not self._of_bets):
            text = (
                f"{counted(again, 'row')} {is_are(again)} of a game that had been over when others were "
                "played, "
                f"the first is row {min(repeats)}: its outcome was known."
            )
            made.append(fact("hash_reused", "proof", text, repeats, again, {"rows": again}, GAME_HASH))
        if broken and self._told:
            text = (
                f"The chain is broken in {counted(len(broken), 'row')}, the first is row {broken[0]}: its "
                "game "
                "leads neither to the terminating hash nor to the game before."
            )
            made.append(
                fact("chain_broken", "proof", text, broken, len(broken), {"rows": len(broken)}, GAME_HASH)
            )
        elif broken:
            text = (
                f"{counted(len(broken), 'game')} {'follows' if len(broken) == 1 else 'follow'} no other "
                "game of "
                f"the log within {_WALKED:,} games, the first is in row {broken[0]}: games between are "
                "missing, or "
                "it is another chain; the terminating hash would tell."
            )
            made.append(
                fact("chain_broken", "note", text, broken, len(broken), {"rows": len(broken)}, GAME_HASH)
            )
        return made

    def uncompared(self) -> tuple[int, str]:
        return self._games.lost, "whether games are missing or come again"

    def unknown(self) -> list[str]:
        lacking = []
        if not self._told:
            lacking.append("no terminating hash: whether the chain was fixed before its first game")
        if self._broken > _FOLLOWED or self._in_no_order:
            lacking.append(
                "the games are in no order: whether those that don't lead to the end follow each other"
            )
        if self._of_bets and "player" not in self._of_bets:
            lacking.append("no players: whether somebody bet on a game that was over")
        if self._of_bets:
            lacking.append("a row for each bet: whether games are missing on which nobody bet")
        return lacking


def _steps(before: np.ndarray, own: np.ndarray) -> np.ndarray:
    """Return how games follow those before them: 0 the same, 1 the next, -1 the previous one, 2 otherwise."""
    width = f"S{2 * 32}"
    previous = [np.asarray(_LINK.hexdigest(hashes.astype(width))).astype(width) for hashes in (before, own)]
    found: np.ndarray = np.select(
        [before == own, previous[1] == before, previous[0] == own], [0, 1, -1], _UNLINKED
    )
    return found


def _leap(before: bytes, own: bytes) -> int | None:
    """Return by how many games one game is later than another; None where neither leads to the other."""
    for later, earlier, way in (own, before, 1), (before, own, -1):
        try:
            passed = HashChain().previous(later, _WALKED)
        except ValueError:  # no hash at all
            return None
        at = np.flatnonzero(passed == earlier)
        if at.size:
            return way * (int(at[0]) + 1)
    return None
