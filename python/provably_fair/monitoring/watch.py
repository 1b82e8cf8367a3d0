"""Monitoring of bets by game and other columns, over windows, at one family-wise level.

The evidence of a segment (a game, or a game on one channel) is a mixture of wealths, each of somebody who
starts with 1 and bets against the law; so is that of a window, a mixture of those who start with each day and
stop at the window's end. Under the law mixtures stay 1 on average, so that Ville's inequality holds at every
look. Segments have weights that add up to at most 1, decided before their first bet; a segment alarms where
1 over the most that it ever had is at most its share of the level, by Holm's method (weighted).
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from provably_fair._core.arguments import probability, reals
from provably_fair.bets import Bet
from provably_fair.bets.observed import Observed, known_law
from provably_fair.bets.wagers import Looks
from provably_fair.verification import Log
from provably_fair.verification.amounts import read_paid

from .report import Alarm, WatchReport, segment_of
from .state import State, numbers, packed

__all__ = ["Watch"]

_ALL = "all"
_HOUR = 3_600_000_000
_UNITS = {"h": 1, "d": 24}
_WINDOW = re.compile(r"([1-9][0-9]{0,4})([hd])")
_MOST_STAKES = 64
_KEPT_ROWS = 100


class Watch:
    """Monitor the returns of bets by game, channel, stake level or player group, over time windows.

    Evidence is valid at every look, however stakes are chosen: if every game follows its law, the probability
    that any segment ever raises an alarm is at most `level`.

    Parameters
    ----------
    bets : Bet, or mapping of str to Bet
        The claimed payouts; for several games, by the text in the log's column ``game``.
    by : sequence of str
        Columns whose values are also monitored separately, such as "channel"; "stake" for stake levels.
    windows : sequence of str
        "all" for the whole history; "6h", "1d", "30d" for rolling windows of hours or days. They advance by
        the hour if any is in hours, else by the day. Rows then need a ``time``; late rows count when they
        arrive.
    level : float
        The family-wise level.
    state : path, optional
        A SQLite file for the state, from which another process can continue.
    within : float
        The largest rounding error of an amount, for logs that round.

    Attributes
    ----------
    alarms : tuple of Alarm
        The alarms, each with its batch.

    Examples
    --------
    >>> import provably_fair as pf
    >>> from provably_fair.monitoring import Watch
    >>> dice = pf.Dice().bet(1.98, under=50)
    >>> watch = Watch({"dice": dice}, by=["channel"], windows=["all"])
    >>> rows = {"game": "dice", "channel": ["web", "app"] * 1000}
    >>> watch.update(rows | {"payout": dice.simulate(2000)}).alarms
    ()
    >>> ground = dice.after_grinding(3).simulate(2000)
    >>> watch.update(rows | {"payout": ground}).alarms[0].game
    'dice'
    """

    def __init__(
        self,
        bets: Bet | Mapping[str, Bet],
        *,
        by: Sequence[str] = (),
        windows: Sequence[str] = (_ALL, "1d", "30d"),
        level: float = 0.01,
        state: str | os.PathLike[str] | None = None,
        within: float = 0.0,
    ) -> None:
        if not isinstance(bets, (Bet, Mapping)) or (isinstance(bets, Mapping) and not bets):
            raise TypeError(f"bets must be a Bet, or a mapping of games to bets, got {type(bets).__name__}")
        self._named = isinstance(bets, Mapping)
        self.bets: dict[str, Bet] = dict(bets) if isinstance(bets, Mapping) else {"": bets}
        for name, bet in self.bets.items():
            if not isinstance(bet, Bet) or not isinstance(name, str):
                raise TypeError(f"bets[{name!r:.40}] must be a Bet, got {type(bet).__name__}")
        self._laws = {name: known_law(bet.law, "a watch") for name, bet in self.bets.items()}
        self._markets = {name: Looks(law) for name, law in self._laws.items()}
        if isinstance(by, str) or not all(isinstance(name, str) for name in by) or len(set(by)) < len(by):
            raise TypeError(f"by must be different names of columns, got {by!r:.80}")
        if taken := {"game", "payout", "time"} & set(by):
            raise ValueError(f"by must be without {', '.join(sorted(taken))}, which are watched anyway")
        self.by = tuple(by)
        self.windows = (windows,) if isinstance(windows, str) else tuple(windows)
        self.level = probability("level", level)
        off = reals("within", within)
        if off.ndim or not 0 <= off < np.inf:
            raise ValueError(f"within must be one number from 0 on, got {within!r:.50}")
        self.within = float(off)
        hours = [_hours(window) for window in self.windows]
        if not hours or len(set(self.windows)) < len(hours):
            raise ValueError(f"windows must be different ones, at least one, got {self.windows!r:.80}")
        self._timed = any(hour is not None for hour in hours)
        unit = 1 if any(window.endswith("h") for window in self.windows) else 24
        self._unit = unit * _HOUR
        self._lengths = [None if hour is None else hour // unit for hour in hours]
        """How many hours, or days, each window has."""
        self._state = State(state)
        self._check_rules()

    def _check_rules(self) -> None:
        """Write down what is watched; a state of other rules is refused."""
        laws = {
            name: [[str(x) for x in law.outcomes.tolist()], [str(w) for w in law.weights]]
            for name, law in self._laws.items()
        }
        text = json.dumps([laws, self.by, self.windows, self.level, self.within], sort_keys=True)
        digest = hashlib.sha256(text.encode()).hexdigest()
        with self._state.changed():
            known = self._state.ask("SELECT fingerprint FROM rules")
            if not known:
                self._state.put("rules", fingerprint=digest)
        if known and known[0]["fingerprint"] != digest:
            raise ValueError("state must be of the same bets, by, windows, level and within; it is of others")

    def update(self, batch: object) -> Watch:
        """Add a batch of rows, and look. After an error, none of its rows are added.

        Parameters
        ----------
        batch : path, frame, mapping or whatever `verify` reads, or a Log
            Rows with ``payout`` (including the stake); ``stake`` if it isn't 1; ``game`` if there are
            several; the columns of ``by``; and ``time`` for windows of hours or days.

        Returns
        -------
        Watch
            The watch itself.

        Raises
        ------
        ValueError
            When the batch was added before, or a row is invalid or of an unknown game.

        Examples
        --------
        >>> import provably_fair as pf
        >>> from provably_fair.monitoring import Watch
        >>> watch = Watch(pf.Double().bet({0: 14}), windows=["all"])
        >>> watch.update({"payout": [0, 0, 14]}).report().bets
        3
        """
        rows = _Rows.read(batch, ["game"] * self._named + [n for n in self.by if n != "stake"], self._timed)
        games = rows.others.get("game", np.full(rows.count, "", dtype=object))
        unknown = sorted(set(np.unique(games.astype(str)).tolist()) - set(self.bets))
        if unknown:
            raise ValueError(f"batch must be of games that are watched, got {unknown[0]!r:.80}")
        with self._state.changed():
            seen = self._state.ask("SELECT batch FROM batches WHERE digest = ?", rows.digest)
            if seen:
                raise ValueError(f"batch must be new: it came before, as batch {seen[0]['batch']}")
            first = self._state.ask("SELECT coalesce(sum(rows), 0) AS rows FROM batches")[0]["rows"]
            number = self._state.ask("SELECT coalesce(max(batch), 0) + 1 AS batch FROM batches")[0]["batch"]
            self._state.put(
                "batches",
                batch=number,
                digest=rows.digest,
                source=_named(batch),
                first=first,
                rows=rows.count,
            )
            parts: dict[int, np.ndarray] = {}
            for name in self.bets:
                among = np.flatnonzero(games == name)
                if among.size:
                    self._look(name, rows, among, number, parts)
            self._raise_alarms(number, first, parts)
        return self

    def _look(
        self, game: str, rows: _Rows, among: np.ndarray, batch: int, parts: dict[int, np.ndarray]
    ) -> None:
        """Take in the rows of a game, those of each of its segments."""
        seen = Observed(self._laws[game], rows.returns[among], rows.stakes[among], self.within, rows=among)
        self._add(game, "", "", seen, rows, batch, parts)
        for field in self.by:
            values = rows.values(field)[seen.rows]
            for value in dict.fromkeys(values.tolist()):
                self._add(game, field, value, _some(seen, values == value), rows, batch, parts)

    def _weight(self, game: str, field: str) -> float:
        """Return what a new segment has of the level: half is the games', the other half that of columns."""
        games = len(self.bets)
        if not field:
            return (0.5 if self.by else 1.0) / games
        there: int = self._state.ask(
            "SELECT count(*) AS n FROM segments WHERE game = ? AND field = ?", game, field
        )[0]["n"]
        return 0.5 / games / len(self.by) / ((there + 1) * (there + 2))

    def _add(
        self,
        game: str,
        field: str,
        value: str,
        seen: Observed,
        rows: _Rows,
        batch: int,
        parts: dict[int, np.ndarray],
    ) -> None:
        """Take in the rows of a segment."""
        if not len(seen):
            return
        market, law = self._markets[game], self._laws[game]
        found = self._state.ask(
            "SELECT * FROM segments WHERE game = ? AND field = ? AND value = ?", game, field, value
        )
        if found:
            it = dict(found[0])
        else:
            # The first stake is known before the first outcome.
            it = dict.fromkeys(("begun", "bets", "impossible"), 0) | {
                "segment": None, "game": game, "field": field, "value": value, "best": 0.0, "staked": 0.0,
                "returned": 0.0, "weight": self._weight(game, field), "largest": float(seen.stakes[0]),
                "steps": packed(market.steps(np.empty(0), np.empty(0), 1.0)),
                "frozen": packed(np.full(len(self.windows), -math.inf)), "stakes": b"", "counts": b"",
            }  # fmt: skip
            it["segment"] = self._state.put("segments", **it)
        right = seen.places >= 0
        amounts = law.outcomes.astype(np.float64)[np.maximum(seen.places, 0)]
        off = np.where(right, amounts - market.mean, 0.0)
        stakes, frozen = seen.stakes, numbers(it["frozen"])
        buckets = rows.buckets(self._unit)[seen.rows] if self._timed else np.zeros(len(seen), np.int64)
        last = self._state.ask(
            "SELECT coalesce(max(bucket), ?) AS bucket FROM buckets WHERE segment = ?",
            int(buckets[0]), it["segment"],
        )[0]["bucket"]  # fmt: skip
        buckets = np.maximum.accumulate(np.maximum(buckets, last))
        steps = numbers(it["steps"])
        for bucket in np.unique(buckets).tolist():
            inside = right & (buckets == bucket)
            new = market.steps(off[inside], stakes[inside], it["largest"])
            steps = steps + new
            if self._timed:
                self._freeze(it, frozen, bucket, market)
                self._fill(it, bucket, new, stakes[inside], float((stakes * amounts)[inside].sum()))
        it["bets"] += int(right.sum())
        it["impossible"] += int((~right).sum())
        it["staked"] += float(stakes[right].sum())
        it["returned"] += float((stakes * amounts)[right].sum())
        it["largest"] = max(it["largest"], float(stakes.max()))
        it |= _with_stakes(it, stakes[right])
        logarithm = self._evidence(it, steps, frozen, market)
        it |= {"steps": packed(steps), "frozen": packed(frozen), "best": max(it["best"], logarithm)}
        self._state.put("segments", **it)
        look = {name: it[name] for name in ("segment", "bets", "staked", "returned")}
        self._state.put("looks", batch=batch, logarithm=logarithm, **look)
        parts[it["segment"]] = seen.rows if right.all() else seen.impossible

    def _buckets(self, segment: int) -> list[Any]:
        return self._state.ask("SELECT * FROM buckets WHERE segment = ? ORDER BY bucket", segment)

    def _freeze(self, it: dict[str, Any], frozen: np.ndarray, bucket: int, market: Looks) -> None:
        """Put by what those have whose window ends before a bucket; what no window needs is dropped."""
        held = self._buckets(it["segment"])
        if not held or held[-1]["bucket"] == bucket:
            return
        before, steps = held[-1]["bucket"], np.array([numbers(one["steps"]) for one in held])
        for place, length in enumerate(self._lengths):
            if length is None:
                continue
            for i, one in enumerate(held):
                # Those that begin with this bucket stop after as many.
                if before - length < one["bucket"] <= bucket - length:
                    wealth = float(market.logarithm(steps[i:].sum(axis=0)))
                    frozen[place] = np.logaddexp(frozen[place], wealth + _begin(one["begun"]))
        longest = max(length or 0 for length in self._lengths)
        self._state.ask(
            "DELETE FROM buckets WHERE segment = ? AND bucket <= ?", it["segment"], bucket - longest
        )

    def _fill(
        self, it: dict[str, Any], bucket: int, new: np.ndarray, stakes: np.ndarray, back: float
    ) -> None:
        """Add to what a bucket has."""
        there = self._state.ask(
            "SELECT * FROM buckets WHERE segment = ? AND bucket = ?", it["segment"], bucket
        )
        if there:
            one = dict(there[0])
            new, back, begun = new + numbers(one["steps"]), back + one["returned"], one["begun"]
        else:
            it["begun"] += 1
            one, begun = {"stakes": b"", "counts": b""}, it["begun"]
        self._state.put(
            "buckets", segment=it["segment"], bucket=bucket, begun=begun, steps=packed(new), returned=back,
            **_with_stakes(one, stakes),
        )  # fmt: skip

    def _evidence(self, it: dict[str, Any], steps: np.ndarray, frozen: np.ndarray, market: Looks) -> float:
        """Return the logarithm of the mixture of all windows."""
        if it["impossible"]:
            return math.inf
        held = self._buckets(it["segment"]) if self._timed else []
        found = []
        for place, length in enumerate(self._lengths):
            if length is None:
                found.append(float(market.logarithm(steps)))
                continue
            # Who hasn't begun yet still has 1.
            wealths = [frozen[place], -math.log(it["begun"] + 1)]
            whole = np.zeros(len(steps))
            for one in reversed(held):
                if one["bucket"] <= held[-1]["bucket"] - length:
                    break
                whole = whole + numbers(one["steps"])
                wealths.append(float(market.logarithm(whole)) + _begin(one["begun"]))
            found.append(float(np.logaddexp.reduce(wealths)))
        return float(np.logaddexp.reduce(found)) - math.log(len(found))

    def _raise_alarms(self, batch: int, first: int, parts: dict[int, np.ndarray]) -> None:
        """Raise alarms by Holm's method, with weights: who alarmed leaves its share to the others."""
        alarmed = {one["segment"] for one in self._state.ask("SELECT segment FROM alarms")}
        segments = {one["segment"]: one for one in self._state.ask("SELECT * FROM segments")}
        # What is put by for segments that never came stays with them.
        left = 1 - sum(segments[segment]["weight"] for segment in alarmed)
        while True:
            open_ones = [one for segment, one in segments.items() if segment not in alarmed]
            new = [
                one for one in open_ones
                if one["best"] >= math.log(max(left, one["weight"]) / (self.level * one["weight"]))
            ]  # fmt: skip
            if not new:
                return
            for one in new:
                alarmed.add(one["segment"])
                left -= one["weight"]
                rows = first + parts.get(one["segment"], np.empty(0, np.int64))
                ends = (int(rows[0]), int(rows[-1])) if len(rows) else (-1, -1)
                self._state.put(
                    "alarms", segment=one["segment"], batch=batch, logarithm=one["best"], first=ends[0],
                    last=ends[1], rows=packed(rows[:_KEPT_ROWS], np.int64),
                )  # fmt: skip

    @property
    def alarms(self) -> tuple[Alarm, ...]:
        """The alarms, in the order in which they were raised."""
        rows = self._state.ask(
            "SELECT alarms.*, game, field, value, impossible, source FROM alarms "
            "JOIN segments USING (segment) JOIN batches USING (batch) ORDER BY batch, logarithm DESC"
        )
        return tuple(
            Alarm(
                one["game"],
                one["field"],
                one["value"],
                one["batch"],
                one["source"],
                math.exp(min(one["logarithm"], 709.0)) if one["logarithm"] < math.inf else math.inf,
                tuple(numbers(one["rows"], np.int64).tolist()),
                one["first"],
                one["last"],
            )
            for one in rows
        )

    def report(self) -> WatchReport:
        """Return the report so far: alarms, and each segment with its evidence and bands.

        Returns
        -------
        WatchReport
            ``.ok``, ``.alarms``, ``.segments``, ``.to_html()``, ``.to_json()``.

        Examples
        --------
        >>> import provably_fair as pf
        >>> from provably_fair.monitoring import Watch
        >>> bet = pf.Double().bet({0: 14})
        >>> Watch(bet, windows=["all"]).update({"payout": bet.simulate(1000)}).report().ok
        True
        """
        totals = self._state.ask("SELECT count(*) AS n, coalesce(sum(rows), 0) AS rows FROM batches")[0]
        found = []
        for one in self._state.ask("SELECT * FROM segments ORDER BY segment"):
            held = self._buckets(one["segment"])
            last = max((bucket["bucket"] for bucket in held), default=0)
            windows = [
                (name, [bucket for bucket in held if bucket["bucket"] > last - length])
                for name, length in zip(self.windows, self._lengths, strict=True)
                if length is not None
            ]
            found.append(segment_of(one, self._laws[one["game"]], windows, self.level))
        return WatchReport(totals["n"], totals["rows"], self.level, self.windows, self.alarms, tuple(found))

    def close(self) -> None:
        """Close the state file.

        Examples
        --------
        >>> import provably_fair as pf
        >>> from provably_fair.monitoring import Watch
        >>> Watch(pf.Double().bet({0: 14}), windows=["all"]).close()
        """
        self._state.close()


class _Rows:
    """The rows of a batch, and the hash of what they say."""

    def __init__(
        self, returns: np.ndarray, stakes: np.ndarray, others: dict[str, np.ndarray], times: np.ndarray | None
    ) -> None:
        self.returns, self.stakes, self.others, self._times = returns, stakes, others, times
        self.count = len(returns)
        digest = hashlib.sha256()
        for column in (returns, stakes, np.zeros(0) if times is None else times):
            digest.update(len(column).to_bytes(8, "little") + np.ascontiguousarray(column).tobytes())
        for name, texts in others.items():
            digest.update(json.dumps([name, texts.tolist()]).encode())
        self.digest = digest.hexdigest()

    @classmethod
    def read(cls, batch: object, others: list[str], timed: bool) -> _Rows:
        parts = list(read_paid(batch, others=others, timed=timed))
        if not sum(len(part.returns) for part in parts):
            raise ValueError("batch must have rows, got none")
        times = [part.times for part in parts]
        texts = {
            name: np.array([text for part in parts for text in part.others[name]], dtype=object)
            for name in others
        }
        joined = np.concatenate([time for time in times if time is not None]) if timed else None
        returns = np.concatenate([part.returns for part in parts])
        stakes = np.concatenate([part.stakes for part in parts])
        return cls(returns, stakes, texts, joined)

    def buckets(self, unit: int) -> np.ndarray:
        """Return the hours or days of the rows."""
        assert self._times is not None
        return self._times // unit

    def values(self, field: str) -> np.ndarray:
        """Return the values of a column that rows are told apart by."""
        if field == "stake":
            return np.array([f"{stake:.12g}" for stake in self.stakes.tolist()], dtype=object)
        return self.others[field]


def _hours(window: object) -> int | None:
    """Return how many hours a window has; None of all."""
    if window == _ALL:
        return None
    found = _WINDOW.fullmatch(window) if isinstance(window, str) else None
    if found is None:
        raise ValueError(f'windows must be "all", hours or days such as "6h" or "30d", got {window!r:.40}')
    return int(found[1]) * _UNITS[found[2]]


def _begin(number: int) -> float:
    """Return the logarithm of what somebody has who begins with the bucket of that number, of all."""
    return -math.log(number * (number + 1))


def _some(seen: Observed, which: np.ndarray) -> Observed:
    """Return some of the rows."""
    made = object.__new__(Observed)
    made.rows, made.stakes, made.places = seen.rows[which], seen.stakes[which], seen.places[which]
    return made


def _with_stakes(there: Mapping[str, Any], stakes: np.ndarray) -> dict[str, bytes]:
    """Add stakes to those that are there, with how often each was bet; many of them are put together."""
    new, counts = np.unique(stakes, return_counts=True)
    known = numbers(there["stakes"]), numbers(there["counts"], np.int64)
    different, which = np.unique(np.concatenate([known[0], new]), return_inverse=True)
    many = np.bincount(which, np.concatenate([known[1], counts]), len(different))
    if len(different) > _MOST_STAKES:  # neighbors become their quadratic mean, which keeps the variance
        group = np.arange(len(different)) * _MOST_STAKES // len(different)
        together = np.bincount(group, many)
        different, many = np.sqrt(np.bincount(group, many * different**2) / together), together
    return {"stakes": packed(different), "counts": packed(np.rint(many), np.int64)}


def _named(batch: object) -> str:
    """Return what a batch is called in records."""
    source = batch.source if isinstance(batch, Log) else batch
    return os.fspath(source) if isinstance(source, (str, os.PathLike)) else type(source).__name__
