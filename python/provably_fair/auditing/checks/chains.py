"""Games on chains of hashes: links, missing games and repeated games.

Where a terminating hash is given, verification has followed each game's hash to it, and so knows the game's
number: gaps and repeats are found among sorted numbers, whatever the order of the rows. Games without a
number are compared with the row before, by one hash in either direction, since logs may have the newest game
first. Rows that don't follow are kept, up to a bound, and followed by more hashes at the end. Only where the
log's own numbers say how many steps there must be, a link that isn't there is a proof.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from provably_fair._engine import Runs, chain_links
from provably_fair.seeds import HashChain, UnreachedHashError
from provably_fair.seeds.schemes import engine_hash
from provably_fair.sources.foreign import Constant, take
from provably_fair.verification import VerificationReport
from provably_fair.verification.systems.chains import GAME_HASH, GAME_NUMBER, TERMINATING

from ..check import Check, Context, severity_of_missing, unread_lines
from ..finding import KEPT_ROWS, Finding
from ..records import Records
from ..sums import FirstRows, NumberedRows
from .wording import facts, told

_BETS = ("player", "stake", "payout")
_UNLINKED = 2
_WALKED = 10_000
"""The number of steps in which a game's predecessor is searched."""
_FOLLOWED = 64
"""The largest number of breaks that are kept; a log with more is in no order."""


class ChainGame(NamedTuple):
    """A game's hash and number; 0 if the number isn't logged."""

    hash: str
    number: int


class _First(NamedTuple):
    """The first row with a game: its position, the game, and whether it is foreign."""

    place: int
    game: ChainGame
    is_foreign: bool


class _Break(NamedTuple):
    """A row whose game doesn't follow that of the row before: its position and both games."""

    place: int
    before: ChainGame
    own: ChainGame


class Chain(Check):
    """The games of a chain, by their hashes."""

    state = ("_games", "_ways", "_broken", "_misnumbered", "_rows", "_unread", "_told", "_of_bets", "_timed")

    def __init__(self, context: Context) -> None:
        self._games = Runs(may_stay=True)
        self._threads = context.plan.threads
        self._steps = context.plan.chain_steps
        assert context.system.chains is not None  # else the check isn't made
        self._chain = context.system.chains.chain
        self._first: _First | None = None
        self._last: ChainGame | None = None
        self._breaks: list[_Break] = []
        self._broken = 0
        self._misnumbered = FirstRows()  # those that follow by their hash, but not by their number
        self._ways: set[int] = set()  # the directions of steps between foreign rows: 1 forward, -1 backward
        self._in_no_order = False
        # Rows, and those whose hash, chain or number can't be read, so that their games have no number
        self._rows = self._unread = 0
        self._told = False
        self._of_bets: set[str] = set()
        self._timed = False

    def update(self, records: Records) -> None:
        self._of_bets |= {name for name in _BETS if records.has(name)}
        self._timed |= records.has("time")
        self._told |= records.count > 0 and records.has(TERMINATING)
        self._rows += records.count
        unread = np.zeros(records.count, bool)
        unread[records.rows_with("malformed", (GAME_HASH,))] = True
        if records.has(TERMINATING):
            unread[records.rows_with("malformed", (GAME_NUMBER,))] = True
            unread[records.rows_with("missing", (TERMINATING,))] = True
            unread[records.no_hashes(TERMINATING)] = True
        self._unread += int(unread.sum())
        # Games that aren't revealed yet have no hash.
        rows = np.flatnonzero(records.fingerprints(GAME_HASH)[:, 0])
        if not rows.size:
            return
        numbered = records.games > 0
        if records.has(TERMINATING):
            keys = [records.fingerprints(TERMINATING, hexadecimal=True)]
            keys += [records.fingerprints("player")] if records.has("player") else []
            self._games.extend(NumberedRows(keys, records.games, records.places, numbered))
        foreign = ~numbered[rows]
        if foreign.any():
            self._follow(records, rows, foreign)
        if self._first is None:
            self._first = _First(int(records.places[rows[0]]), _game(records, rows[0]), bool(foreign[0]))
        self._last = _game(records, rows[-1])

    def _follow(self, records: Records, rows: np.ndarray, foreign: np.ndarray) -> None:
        """Record the foreign rows among some that don't follow the row before them."""
        column = records.columns[GAME_HASH]
        if isinstance(column, Constant):
            column = column.value
        elif len(rows) < records.count:
            column = take(column, rows)
        first = _game(records, rows[0])
        links = chain_links(engine_hash(self._chain.hash), (self._last or first).hash, column, len(rows))
        if self._last is None:
            links[0] = 0  # also if it isn't a hash, which doesn't even follow itself
        self._ways |= {link for link in (1, -1) if (foreign & (links == link)).any()}
        if records.has(GAME_NUMBER):
            own = np.where(*records.whole(GAME_NUMBER)[::-1], 0)[rows]
            steps = np.diff(own, prepend=(self._last or first).number)
            stated = (own > 0) & (own > steps)  # in both rows
            wrong = foreign & stated & (links != _UNLINKED) & (steps != links)
            self._misnumbered.add(records.places[rows[wrong]])
        broken = np.flatnonzero(foreign & (links == _UNLINKED))
        self._broken += len(broken)
        for row in broken[: KEPT_ROWS - len(self._breaks)].tolist():
            before = _game(records, rows[row - 1]) if row else self._last or first
            self._breaks.append(_Break(int(records.places[rows[row]]), before, _game(records, rows[row])))

    def merge(self, later: Any, rows: int) -> None:
        super().merge(later, rows)
        breaks = [one._replace(place=one.place + rows) for one in later._breaks]
        if later._first is not None:
            first = later._first._replace(place=later._first.place + rows)
            if self._last is not None and first.is_foreign:
                hash, hashes = engine_hash(self._chain.hash), [first.game.hash]
                (link,) = chain_links(hash, self._last.hash, hashes, 1).tolist()
                if link == _UNLINKED:
                    breaks.insert(0, _Break(first.place, self._last, first.game))
                    self._broken += 1
                else:
                    self._ways |= {link} - {0}
                    steps = first.game.number - self._last.number
                    if first.game.number and self._last.number and steps != link:
                        self._misnumbered.add(np.array([first.place]))
            if self._first is None:
                self._first = first
            self._last = later._last
        self._breaks = (self._breaks + breaks)[:KEPT_ROWS]

    def findings(self, verified: VerificationReport) -> list[Finding]:
        found = self._games.numbers(KEPT_ROWS, self._threads)
        missing, gaps, after = found["missing"], found["gaps"], found["after_gaps"]
        again, repeats = found["returned"], found["returns"]
        made: list[Finding] = []
        broken: list[int] = []
        proven: list[int] = []
        if self._broken <= _FOLLOWED:
            leaps = [
                (one.place, _leap(self._chain, one.before, one.own, self._steps)) for one in self._breaks
            ]
            broken = [place for place, leap in leaps if leap is None]
            proven = [place for place, leap in leaps if leap == 0]
            along = [(place, leap) for place, leap in leaps if leap]
            # Games that one row seems to pass over may stand elsewhere, unless all rows go one way.
            self._in_no_order = len(self._ways | {1 if leap > 0 else -1 for _, leap in along}) > 1
            for place, leap in along if not self._in_no_order else ():
                # The later game of the two, which is the earlier row in a log with the newest row first.
                missing, gaps = missing + abs(leap) - 1, gaps + 1
                after = [*after, place if leap > 0 else place - 1]
        missing -= min(missing, self._unread + unread_lines(verified, self._rows))
        if missing and not self._of_bets:
            text = (
                "{n} game[|s] [is|are] missing from the chain between the log's first game and its last "
                "(first gap: before row {first}): the log is incomplete, or games were left out."
            )
            figure = {"missing": missing, "gaps": gaps}
            said: dict[str, Any] = {"count": gaps, "n": missing, "figure": figure}
            made += facts("round_missing", severity_of_missing(verified), text, after, GAME_HASH, **said)
        if "player" in self._of_bets or not self._of_bets:
            text = (
                "{n} row[|s] [is|are] of a game that was over before others were played (first: row "
                "{first}): its outcome was known."
            )
            made += facts("hash_reused", "proof", text, repeats, GAME_HASH, count=again)
        text = (
            "The chain is broken in {n} row[|s] (first: row {first}): hashing as often as the game numbers "
            "say doesn't lead from the game to the one before it."
        )
        count = len(proven) + self._misnumbered.count
        proven = [*proven, *self._misnumbered.rows]
        made += facts("chain_broken", "proof", text, proven, GAME_HASH, count=count)
        text = (
            "{n} game[|s] [follows|follow] no other game of the log within {walked:,} steps (first: row "
            "{first}): games are missing in between, or it is another chain; {field} would tell."
        )
        field = GAME_NUMBER if self._told else "the terminating hash"
        return made + facts("chain_broken", "note", text, broken, GAME_HASH, walked=_WALKED, field=field)

    def uncompared(self) -> tuple[int, str]:
        return self._games.lost, "whether games are missing or come again"

    def unknown(self) -> list[str]:
        jumbled = self._broken > _FOLLOWED or self._in_no_order
        unknown_players = self._of_bets and "player" not in self._of_bets and not self._timed
        lacking = {
            "no terminating hash: whether the chain was fixed before its first game": not self._told,
            "the games are in no order: whether those that don't lead to the end follow each other": jumbled,
            "no players: whether somebody bet on a game that was over": unknown_players,
            "a row for each bet: whether games are missing on which nobody bet": self._of_bets,
        }
        return told(lacking)


def _game(records: Records, row: int) -> ChainGame:
    """Return the hash of a row's game, and its number, 0 where there is none above 0."""
    number = 0
    if records.has(GAME_NUMBER):
        numbers, there = records.whole(GAME_NUMBER)
        number = max(int(numbers[row]), 0) if there[row] else 0
    return ChainGame(records.text(GAME_HASH, row).strip().lower(), number)


def _leap(chain: HashChain, before: ChainGame, own: ChainGame, limit: int) -> int | None:
    """Return the number of games from one to another; None if that isn't known."""
    (earlier, first), (later, last) = before, own
    if first and last:
        # Equal numbers are equal games, since no step leads from either to the other.
        ways = [(last - first, later, earlier)] if last >= first else [(last - first, earlier, later)]
        if abs(last - first) > limit:
            return None
    else:
        ways = [(_WALKED, later, earlier), (-_WALKED, earlier, later)]
    for most, start, end in ways:
        try:
            steps = chain.steps(start, end, abs(most))
        except UnreachedHashError:
            continue
        except ValueError:  # one of them isn't a hash
            return None
        if not (first and last) or steps == abs(most):
            return steps if most > 0 else -steps
    return 0 if first and last else None
