"""Monitoring of bets by game and other columns, over windows, at one family-wise level.

The evidence of a segment (a game, or a game on one channel) is a mixture of wealths, each of somebody who
starts with 1 and bets against the law; so is that of a window, a mixture of those who start with each day, or
every few rounds, and stop at the window's end. Under the law mixtures stay 1 on average, so that
Ville's inequality holds at every look. Segments have weights that add up to at most 1, decided before their
first bet; a segment alarms where 1 over the most that it ever had is at most its share of the level, by
Holm's method (weighted).
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from provably_fair._core.arguments import BadType, BadValue, check_type, probability
from provably_fair.bets import Bet
from provably_fair.bets.observed import known_law, within_of
from provably_fair.bets.wagers import Looks
from provably_fair.distribution import Distribution

from .parts import Counted, Part, Reader, SegmentPart, count_rows
from .report import Alarm, WatchReport, evalue_of, segment_of
from .state import State, numbers, packed

__all__ = ["DuplicateBatch", "Watch"]

_ALL = "all"
_HOUR = 3_600_000_000
_TIME, _ROUNDS = "time", "rounds"
# What windows are counted in: hours, or rounds.
_UNITS = {"h": (_TIME, 1), "d": (_TIME, 24), "r": (_ROUNDS, 1)}
_WINDOW = re.compile(r"([1-9][0-9]{0,4})([hd])|([1-9][0-9]{0,8}0)(r)")
# Windows of rounds advance by a tenth of their greatest common divisor.
_PARTS_OF_ROUNDS, _MOST_PARTS = 10, 10_000
_MOST_STAKES = 64


class DuplicateBatch(BadValue):
    """A batch that a watch was given before.

    Attributes
    ----------
    batch : int
        The number, from 1, of the batch that came before.
    rows : int
        How many rows were refused.
    differs : bool
        Whether the name came before, but with other rows.

    Examples
    --------
    >>> import provably_fair as pf
    >>> from provably_fair.monitoring import DuplicateBatch, Watch
    >>> watch = Watch(pf.Double().bet({0: 14}), windows=["all"])
    >>> for payouts in ([0, 14], [0, 0], [0]):
    ...     try:
    ...         _ = watch.update({"bet_id": range(len(payouts)), "payout": payouts}, name="Monday")
    ...     except DuplicateBatch as error:
    ...         print(error.batch, error.rows, error.differs)
    1 2 True
    1 1 True
    """

    def __init__(self, message: str, batch: int = 0, rows: int = 0, differs: bool = False) -> None:
        super().__init__("batch", sentence=message)
        self.batch: int = batch
        self.rows: int = rows
        self.differs: bool = differs


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
        arrive. "5000r" for a rolling window of 5,000 bets of each segment, a multiple of 10; these advance
        by a tenth of the shortest, or of the greatest common divisor of several.
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
    state : path or None
        The file of the state; None where it is in memory.
    reader : Reader
        ``reader.read(batch)`` counts a batch in any process, for `add`.

    Examples
    --------
    >>> import provably_fair as pf
    >>> from provably_fair.monitoring import Watch
    >>> dice = pf.Dice().bet(1.98, under=50)
    >>> watch = Watch({"dice": dice}, by=["channel"], windows=["all"])
    >>> rows = {"game": "dice", "channel": ["web", "app"] * 1000}
    >>> watch.update(rows | {"bet_id": range(2000), "payout": dice.simulate(2000)}).alarms
    ()
    >>> ground = dice.after_grinding(3).simulate(2000)
    >>> watch.update(rows | {"bet_id": range(2000, 4000), "payout": ground}).alarms[0].game
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
            raise BadType("bets", f"must be a Bet, or a mapping of games to bets, got {type(bets).__name__}")
        self._named = isinstance(bets, Mapping)
        self.bets: dict[str, Bet] = dict(bets) if isinstance(bets, Mapping) else {"": bets}
        for name, bet in self.bets.items():
            if not isinstance(bet, Bet) or not isinstance(name, str):
                raise BadType("bets", f"must be a Bet, got {type(bet).__name__}", index=name)
        self._laws = {name: known_law(bet.law, "a watch") for name, bet in self.bets.items()}
        self._markets = {name: Looks(law) for name, law in self._laws.items()}
        if isinstance(by, str) or not all(isinstance(name, str) for name in by) or len(set(by)) < len(by):
            raise BadType("by", f"must be different names of columns, got {by!r:.80}")
        if taken := {"game", "payout", "time"} & set(by):
            raise BadValue("by", f"must be without {', '.join(sorted(taken))}, which are watched anyway")
        self.by: tuple[str, ...] = tuple(by)
        self.windows: tuple[str, ...] = (windows,) if isinstance(windows, str) else tuple(windows)
        self.level: float = probability("level", level)
        self.within: float = within_of(within)
        spans = [_span(window) for window in self.windows]
        if not spans or len(set(self.windows)) < len(spans):
            raise BadValue("windows", f"must be different ones, at least one, got {self.windows!r:.80}")
        hours, rounds = ([length for kind, length in spans if kind == one] for one in (_TIME, _ROUNDS))
        self._units = {}
        if hours:
            self._units[_TIME] = 1 if any(window.endswith("h") for window in self.windows) else 24
        if rounds:
            unit = self._units[_ROUNDS] = math.gcd(*rounds) // _PARTS_OF_ROUNDS
            if max(rounds) > _MOST_PARTS * unit:
                allowed = f"at most {_MOST_PARTS // _PARTS_OF_ROUNDS:,} times their greatest common divisor"
                raise BadValue("windows", f"of rounds must be {allowed}, got {self.windows!r:.80}")
        self._spans = [
            None if kind == _ALL else (kind, length // self._units[kind]) for kind, length in spans
        ]
        """What each window is counted by, and how many buckets of it it has."""
        self.state: str | os.PathLike[str] | None = state
        self._state = State(state)
        self.reader: Reader = Reader(
            self._check_rules(), self._laws, self.by, self._named, self._units.get(_TIME, 0) * _HOUR,
            _ROUNDS in self._units, self.within,
        )  # fmt: skip

    def _check_rules(self) -> str:
        """Write down what is watched; a state of other rules is refused. Return the fingerprint."""
        named = {
            "by": list(self.by),
            "windows": list(self.windows),
            "level": self.level,
            "within": self.within,
        }
        rules = {name: str(value) for name, value in named.items()} | {
            f"bets[{name!r}]" if name else "bets": _digest(
                [[str(x) for x in law.outcomes.tolist()], [str(w) for w in law.weights]]
            )
            for name, law in self._laws.items()
        }
        with self._state.changed():
            known = {one["name"]: one["value"] for one in self._state.ask("SELECT * FROM rules")}
            begun = self._state.ask("SELECT batch FROM batches LIMIT 1")
            if not begun and known != rules:  # nothing was added by the ones that are there
                self._state.ask("DELETE FROM rules")
                for name, value in rules.items():
                    self._state.put("rules", name=name, value=value)
        if begun and known != rules:
            file, changes = os.fspath(self._state.path or ""), _changes(known, rules)
            cure = "restore the rules, or name a new file"
            raise BadValue("state", f"must be of the same rules, but of {file!r} {changes}: {cure}")
        return _digest(sorted(rules.items()))

    def update(self, batch: object, name: str | None = None) -> Watch:
        """Add a batch of rows, and look. After an error, none of its rows are added.

        A batch that is given twice is refused: the same rows in the same order, whichever container or kind
        of file they are in, however they are read and in whatever order their columns are; or the same bytes
        of files. All columns count, those that the watch doesn't use as well. Text and numbers are the same
        everywhere, and so are times in ``time``; dates in other columns are in storage of one kind.

        Rows are told apart by ``time``, ``number`` (``game_number``), ``nonce``, ``salt`` or ``id``
        (``bet_id``) if these together differ from the row before in more than half of the rows. Otherwise
        another batch may read just like this one, and a batch of losses often does: leaving out those would
        make a fair game look generous. Such batches need a name, which alone tells them apart.

        Parameters
        ----------
        batch : path, frame, mapping or whatever `verify` reads, or a Log
            Rows with ``payout`` (including the stake); ``stake`` if it isn't 1; ``game`` if there are
            several; the columns of ``by``; and ``time`` for windows of hours or days. Bets whose stake was
            returned, as a ``status`` such as "void" or "refunded" says, aren't counted as bets; `audit` says
            which words are known, and how others are defined.
        name : str, optional
            A name for the batch, such as "2026-01-02"; no two batches have the same one. If rows aren't told
            apart, a file or folder has its path as its name unless another is given.

        Returns
        -------
        Watch
            The watch itself.

        Raises
        ------
        DuplicateBatch
            When the batch, or its name, was added before.
        ValueError
            When the batch needs a name, or a row is invalid or of an unknown game.

        Examples
        --------
        >>> import provably_fair as pf
        >>> from provably_fair.monitoring import Watch
        >>> watch = Watch(pf.Double().bet({0: 14}), windows=["all"])
        >>> watch.update({"bet_id": [1, 2, 3], "payout": [0, 0, 14]}).report().bets
        3
        >>> watch.update({"payout": [0, 0]}, name="2026-01-02").report().bets
        5
        """
        return self.add(self.reader.read(batch, name))

    def add(self, part: Part) -> Watch:
        """Add a batch that `reader` counted, here or in another process, and look.

        Parameters
        ----------
        part : Part
            What ``reader.read(batch)`` returned, for this watch or another one of the same rules.

        Returns
        -------
        Watch
            The watch itself, as after ``update(batch)``.

        Raises
        ------
        DuplicateBatch
            When the batch, or its name, was added before.
        ValueError
            When the batch needs a name, or was counted for other rules.

        Examples
        --------
        >>> import provably_fair as pf
        >>> from provably_fair.monitoring import Watch
        >>> watch = Watch(pf.Double().bet({0: 14}), windows=["all"])
        >>> days = {"Monday": [0, 14], "Tuesday": [0, 0]}
        >>> parts = [watch.reader.read({"payout": paid}, name) for name, paid in days.items()]
        >>> for part in parts:
        ...     watch.add(part).report().bets
        2
        4
        """
        check_type("part", part, Part, "what a watch's reader returns")
        if part.rules != self.reader.rules:
            raise BadValue("part", "must be read for the same bets, by, windows, level and within")
        with self._state.changed():
            self._check_new(part)
            first = self._state.ask("SELECT coalesce(sum(rows), 0) AS rows FROM batches")[0]["rows"]
            number = self._state.ask("SELECT coalesce(max(batch), 0) + 1 AS batch FROM batches")[0]["batch"]
            self._state.put(
                "batches", batch=number, name=part.name, digest=part.digest, files=part.files,
                source=part.source, first=first, rows=part.rows,
            )  # fmt: skip
            came = {self._add(one, number): one for one in part.segments}
            self._raise_alarms(number, first, came)
        return self

    def _check_new(self, part: Part) -> None:
        """Refuse a batch that came before, or may have: whatever it won or lost doesn't decide that."""
        if part.name is not None:
            for one in self._state.ask("SELECT * FROM batches WHERE name = ?", part.name):
                said = f"batch must be new: the name {part.name!r} came before, as batch {one['batch']}"
                differs = one["digest"] != part.digest and (not part.files or one["files"] != part.files)
                if differs:
                    said += (
                        f", but with other rows ({one['rows']:,} there, {part.rows:,} here): "
                        "if these are other bets, give another name"
                    )
                raise DuplicateBatch(said, one["batch"], part.rows, differs)
        if part.apart:
            ask = "SELECT batch FROM batches WHERE digest = ? OR (files = ? AND files <> '')"
            for one in self._state.ask(ask, part.digest, part.files):
                said = f"batch must be new: it came before, as batch {one['batch']}"
                raise DuplicateBatch(said, one["batch"], part.rows)
        elif part.name is None:
            cure = "columns={'id': ...} says what tells its rows from those of other batches"
            raise BadValue("name", f"must be given, such as '2026-01-02', or {cure}")

    def _weight(self, game: str, field: str) -> float:
        """Return what a new segment has of the level: half is the games', the other half that of columns."""
        games = len(self.bets)
        if not field:
            return (0.5 if self.by else 1.0) / games
        there: int = self._state.ask(
            "SELECT count(*) AS n FROM segments WHERE game = ? AND field = ?", game, field
        )[0]["n"]
        return 0.5 / games / len(self.by) / ((there + 1) * (there + 2))

    def _add(self, part: SegmentPart, batch: int) -> int:
        """Take in a batch's rows of a segment; return its number."""
        market, law = self._markets[part.game], self._laws[part.game]
        found = self._state.ask(
            "SELECT * FROM segments WHERE game = ? AND field = ? AND value = ?",
            part.game, part.field, part.value,
        )  # fmt: skip
        if found:
            it = dict(found[0])
        else:
            # The first stake is known before the first outcome.
            it = dict.fromkeys(("bets", "impossible", "refunded"), 0) | {
                "segment": None, "game": part.game, "field": part.field, "value": part.value, "best": 0.0,
                "staked": 0.0, "returned": 0.0, "weight": self._weight(part.game, part.field),
                "largest": part.stake, "steps": packed(np.zeros(market.size)),
                "begun": packed(np.zeros(len(self._units)), np.int64),
                "frozen": packed(np.full(len(self.windows), -math.inf)), "stakes": b"", "counts": b"",
            }  # fmt: skip
            it["segment"] = self._state.put("segments", **it)
        (whole,) = _Bets.of_each(law, market, part.counted, it["largest"]) or (None,)
        frozen, begun = numbers(it["frozen"]), numbers(it["begun"], np.int64)
        held = {}
        for place, clock in enumerate(self._units):
            series = _Series(self._buckets(it["segment"], clock), int(begun[place]), market)
            groups = self._by_rounds(part, it["bets"]) if clock == _ROUNDS else _by_time(part, series.last)
            lengths = {i: span[1] for i, span in enumerate(self._spans) if span and span[0] == clock}
            parts = list(groups)
            each = _Bets.of_each(law, market, [counted for _, counted in parts], it["largest"])
            for (bucket, _), bets in zip(parts, each, strict=True):
                series.turn_to(bucket, lengths, frozen)
                series.fill(bets)
            begun[place], held[clock] = series.begun, series.held
            self._keep(it["segment"], clock, series)
        it["impossible"] += part.impossible
        it["refunded"] += part.refunded
        steps = numbers(it["steps"])
        if whole is not None:
            it["bets"] += int(whole.counts.sum())
            it["staked"] += float(whole.stakes @ whole.counts)
            it["returned"] += whole.returned
            steps += whole.steps
            it |= _with_stakes(it, whole)
        it["largest"] = max(it["largest"], part.largest)
        logarithm = self._evidence(it, steps, frozen, begun, held, market)
        it |= {"steps": packed(steps), "frozen": packed(frozen), "begun": packed(begun, np.int64)}
        it["best"] = max(it["best"], logarithm)
        self._state.put("segments", **it)
        look = {name: it[name] for name in ("segment", "bets", "staked", "returned")}
        self._state.put("looks", batch=batch, logarithm=logarithm, **look)
        return int(it["segment"])

    def _by_rounds(self, part: SegmentPart, before: int) -> Iterator[tuple[int, Counted]]:
        """Give the bets of each bucket of rounds, some of which may have come before."""
        unit = self._units[_ROUNDS]
        for stakes, places in part.in_order:
            counted = count_rows((before + np.arange(len(stakes))) // unit, stakes, places)
            yield from _each(counted, counted.buckets)
            before += len(stakes)

    def _buckets(self, segment: int, clock: str) -> list[Any]:
        return self._state.ask(
            "SELECT * FROM buckets WHERE segment = ? AND clock = ? ORDER BY bucket", segment, clock
        )

    def _keep(self, segment: int, clock: str, series: _Series) -> None:
        """Write down the buckets that changed; what no window needs is dropped."""
        longest = max(span[1] for span in self._spans if span and span[0] == clock)
        if series.last is None:
            return
        first = series.last - longest + 1
        self._state.ask(
            "DELETE FROM buckets WHERE segment = ? AND clock = ? AND bucket < ?", segment, clock, first
        )
        for one in series.held:
            if one["changed"] and one["bucket"] >= first:
                kept = {name: one[name] for name in ("bucket", "begun", "stakes", "counts", "returned")}
                self._state.put("buckets", segment=segment, clock=clock, **kept, steps=packed(one["steps"]))

    def _evidence(
        self,
        it: dict[str, Any],
        steps: np.ndarray,
        frozen: np.ndarray,
        begun: np.ndarray,
        held: Mapping[str, list[dict[str, Any]]],
        market: Looks,
    ) -> float:
        """Return the logarithm of the mixture of all windows."""
        if it["impossible"]:
            return math.inf
        found, clocks = [], list(self._units)
        for place, span in enumerate(self._spans):
            if span is None:
                found.append(float(market.logarithm(steps)))
                continue
            clock, length = span
            # Who hasn't begun yet still has 1.
            wealths = [frozen[place], -math.log(begun[clocks.index(clock)] + 1)]
            whole = np.zeros(len(steps))
            for one in reversed(_in_window(held[clock], length)):
                whole = whole + one["steps"]
                wealths.append(float(market.logarithm(whole)) + _begin(one["begun"]))
            found.append(float(np.logaddexp.reduce(wealths)))
        return float(np.logaddexp.reduce(found)) - math.log(len(found))

    def _raise_alarms(self, batch: int, first: int, came: Mapping[int, SegmentPart]) -> None:
        """Raise alarms by Holm's method, with weights: who alarmed leaves its share to the others."""
        alarmed = {one["segment"] for one in self._state.ask("SELECT segment FROM alarms")}
        segments = {one["segment"]: one for one in self._state.ask("SELECT * FROM segments")}
        # What is put by for segments that never came stays with them.
        left = 1 - math.fsum(segments[segment]["weight"] for segment in alarmed)
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
                rows, ends = _rows_of(came.get(one["segment"]), first)
                self._state.put(
                    "alarms", segment=one["segment"], batch=batch, logarithm=one["best"], first=ends[0],
                    last=ends[1], rows=packed(rows, np.int64),
                )  # fmt: skip

    @property
    def alarms(self) -> tuple[Alarm, ...]:
        """The alarms, in the order in which they were raised."""
        rows = self._state.ask(
            "SELECT alarms.*, game, field, value, impossible, source FROM alarms "
            "JOIN segments USING (segment) JOIN batches USING (batch) ORDER BY batch, logarithm DESC"
        )
        names = ("game", "field", "value", "batch", "source", "first", "last")
        return tuple(
            Alarm(
                **{name: one[name] for name in names},
                evalue=evalue_of(one["logarithm"]),
                rows=tuple(numbers(one["rows"], np.int64).tolist()),
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
        >>> Watch(bet, windows=["all"]).update({"payout": bet.simulate(1000)}, name="Monday").report().ok
        True
        """
        with self._state.lock:
            return self._report()

    def _report(self) -> WatchReport:
        totals = self._state.ask("SELECT count(*) AS n, coalesce(sum(rows), 0) AS rows FROM batches")[0]
        found = []
        for one in self._state.ask("SELECT * FROM segments ORDER BY segment"):
            held = {clock: self._buckets(one["segment"], clock) for clock in self._units}
            windows = [
                (name, _in_window(held[span[0]], span[1]))
                for name, span in zip(self.windows, self._spans, strict=True)
                if span is not None
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


class _Bets(NamedTuple):
    """Bets of a segment by their stakes: how many, and what the wagers' wealth grows by."""

    stakes: np.ndarray
    counts: np.ndarray
    returned: float
    steps: np.ndarray

    @classmethod
    def of_each(
        cls, law: Distribution, market: Looks, parts: Sequence[Counted], largest: float
    ) -> list[_Bets]:
        """Add up each part, all at once."""
        if not parts:
            return []
        which = np.repeat(np.arange(len(parts)), [len(one.stakes) for one in parts])
        stakes, places, counts = (
            np.concatenate([getattr(one, name) for one in parts]) for name in ("stakes", "places", "counts")
        )
        amounts = law.outcomes.astype(np.float64)[places]
        different, kinds = np.unique(stakes, return_inverse=True)
        cells, cell = np.unique(which * len(different) + kinds, return_inverse=True)
        group, kind = np.divmod(cells, max(len(different), 1))
        stake, many = different[kind], np.rint(np.bincount(cell, counts)).astype(np.int64)
        off = np.bincount(cell, counts * (amounts - market.mean))
        returned = np.bincount(which, stakes * amounts * counts, len(parts)).tolist()
        steps = market.steps(stake, many, off, largest, group, len(parts))
        edges = np.searchsorted(group, np.arange(len(parts) + 1)).tolist()
        return [
            cls(stake[first:end], many[first:end], *more)
            for (first, end), *more in zip(pairwise(edges), returned, steps, strict=True)
        ]


class _Series:
    """The buckets of a segment that windows still need: hours, days, or a number of rounds."""

    def __init__(self, rows: Sequence[Any], begun: int, market: Looks) -> None:
        self.held = [dict(row) | {"steps": numbers(row["steps"]), "changed": False} for row in rows]
        self.begun, self._market = begun, market

    @property
    def last(self) -> int | None:
        """The bucket that is open."""
        return int(self.held[-1]["bucket"]) if self.held else None

    def turn_to(self, bucket: int, lengths: Mapping[int, int], frozen: np.ndarray) -> None:
        """Open a bucket; what those have whose window ended before it is put by, and so are they."""
        if self.held and self.held[-1]["bucket"] == bucket:
            return
        if self.held:
            before = self.held[-1]["bucket"]
            for place, length in lengths.items():
                for i, one in enumerate(self.held):
                    # Those that begin with this bucket stop after as many.
                    if one["bucket"] > bucket - length:
                        break
                    if before - length < one["bucket"]:
                        wealth = self._market.logarithm(sum(other["steps"] for other in self.held[i:]))
                        frozen[place] = np.logaddexp(frozen[place], float(wealth) + _begin(one["begun"]))
            longest = max(lengths.values())
            self.held = [one for one in self.held if one["bucket"] > bucket - longest]
        self.begun += 1
        self.held.append(
            {"bucket": bucket, "begun": self.begun, "steps": np.zeros(self._market.size), "stakes": b"",
             "counts": b"", "returned": 0.0}
        )  # fmt: skip

    def fill(self, bets: _Bets) -> None:
        """Add bets to the bucket that is open."""
        one = self.held[-1]
        one |= _with_stakes(one, bets) | {"steps": one["steps"] + bets.steps, "changed": True}
        one["returned"] += bets.returned


def _in_window(held: Sequence[Any], length: int) -> list[Any]:
    """Return the last buckets, of as many as a window has."""
    return [one for one in held if one["bucket"] > held[-1]["bucket"] - length]


def _by_time(part: SegmentPart, last: int | None) -> Iterator[tuple[int, Counted]]:
    """Give the bets of each hour or day; those of one before the last count in that."""
    for counted in part.counted:
        buckets = counted.buckets if last is None else np.maximum(counted.buckets, last)
        yield from _each(counted, buckets)


def _each(counted: Counted, buckets: np.ndarray) -> Iterator[tuple[int, Counted]]:
    """Give the bets of each bucket apart."""
    edges = np.flatnonzero(np.diff(buckets, prepend=buckets[0] - 1, append=buckets[-1] + 1)).tolist()
    for first, end in pairwise(edges):
        yield int(buckets[first]), Counted(*(column[first:end] for column in counted))


def _rows_of(part: SegmentPart | None, first: int) -> tuple[np.ndarray, tuple[int, int]]:
    """Return the rows of an alarm, numbered over the whole history, and its first and last one."""
    if part is None or part.last < 0:
        return np.zeros(0, np.int64), (-1, -1)
    if part.impossible:
        rows = first + part.impossible_rows
        return rows, (int(rows[0]), first + part.last_impossible)
    return first + part.rows, (first + part.first, first + part.last)


def _changes(before: Mapping[str, str], now: Mapping[str, str]) -> str:
    """Say which rules differ, and how."""
    found = []
    for name in dict.fromkeys([*before, *now]):
        old, new = before.get(name), now.get(name)
        if old != new:
            if old is None or new is None:
                found.append(f"{name} {'were not watched' if old is None else 'are missing'}")
            else:
                found.append(
                    f"{name} pay otherwise" if name.startswith("bets") else f"{name} was {old}, not {new}"
                )
    return "; ".join(found[:5]) + (f" and {len(found) - 5} more" if len(found) > 5 else "")


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()


def _span(window: object) -> tuple[str, int]:
    """Return what a window is counted in and how many of these it has; 0 of all."""
    if window == _ALL:
        return _ALL, 0
    found = _WINDOW.fullmatch(window) if isinstance(window, str) else None
    if found is None:
        allowed = '"all", hours, days or a multiple of ten rounds, such as "6h", "30d" or "5000r"'
        raise BadValue("windows", f"must be {allowed}, got {window!r:.40}")
    kind, each = _UNITS[found[2] or found[4]]
    return kind, int(found[1] or found[3]) * each


def _begin(number: int) -> float:
    """Return the logarithm of what somebody has who begins with the bucket of that number, of all."""
    return -math.log(number * (number + 1))


def _with_stakes(there: Mapping[str, Any], new: _Bets) -> dict[str, bytes]:
    """Add stakes to those that are there, with how often each was bet; many of them are put together."""
    different, many = new.stakes, new.counts
    if there["stakes"]:
        known = numbers(there["stakes"]), numbers(there["counts"], np.int64)
        different, which = np.unique(np.concatenate([known[0], different]), return_inverse=True)
        many = np.bincount(which, np.concatenate([known[1], many]), len(different))
    if len(different) > _MOST_STAKES:  # neighbors become their quadratic mean, which keeps the variance
        group = np.arange(len(different)) * _MOST_STAKES // len(different)
        together = np.bincount(group, many)
        different, many = np.sqrt(np.bincount(group, many * different**2) / together), together
    return {"stakes": packed(different), "counts": packed(np.rint(many), np.int64)}
