"""Monitoring of bets by game and other columns, over windows, at one family-wise level."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Unpack

import numpy as np

from provably_fair._core.arguments import BadValue, check_type
from provably_fair.bets import Bet
from provably_fair.verification.log import LogOptions, with_log_options

from .duplicates import refuse_duplicate
from .parts import Part, Reader, SegmentPart
from .report import Alarm, WatchReport, alarms_of, report_of
from .rules import ALL, ROUNDS, TIME, WatchRules
from .state import State
from .statistics import Statistics, new_alarms

_HOUR = 3_600_000_000


class Watch:
    """Monitor the returns of bets by game, channel, stake level or player group, over time windows.

    Evidence is valid at every look, however stakes are chosen: if every game follows its law, the probability
    that any segment ever raises an alarm is at most `level`. Payouts that a bet can't make are an alarm of
    their own, for each game; they count in no return.

    Parameters
    ----------
    bets : Bet, or mapping of str to Bet
        The claimed payouts; for several games, by the text in the log's column ``game``.
    by : sequence of str
        Columns whose values are also monitored separately, such as "channel"; "stake" for stake levels. Their
        values must be known before the bet: among bets that were lost, every honest game alarms.
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
    >>> dice = pf.Dice().bet(1.98, under=50)
    >>> watch = pf.monitoring.Watch({"dice": dice}, by=["channel"], windows=["all"])
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
        windows: Sequence[str] = (ALL, "1d", "30d"),
        level: float = 0.01,
        state: str | os.PathLike[str] | None = None,
        within: float = 0.0,
    ) -> None:
        self._rules = rules = WatchRules(bets, by, windows, level, within)
        self.bets: dict[str, Bet] = rules.bets
        self.by: tuple[str, ...] = rules.by
        self.windows: tuple[str, ...] = rules.windows
        self.level: float = rules.level
        self.within: float = rules.within
        self.state: str | os.PathLike[str] | None = state
        self._statistics = Statistics(rules)
        self._state = State(state)
        self._state.adopt(rules.written)
        self.reader: Reader = Reader(
            rules.fingerprint, rules.laws, rules.by, rules.named, rules.unit(TIME) * _HOUR,
            bool(rules.unit(ROUNDS)), rules.within,
        )  # fmt: skip

    @with_log_options
    def update(self, batch: object, name: str | None = None, **options: Unpack[LogOptions]) -> Watch:
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
            Rows with ``payout`` (including the stake); ``stake`` (or ``amount``, ``wager``, ``bet``), which
            is 1 if the log has none; if another column may be the stake, ``columns={"stake": ...}`` or
            ``constants={"stake": 1}`` must say what it is; ``game`` if there are
            several; the columns of ``by``; and ``time`` for windows of hours or days. Bets whose stake was
            returned, as a ``status`` such as "void" or "refunded" says, aren't counted as bets; `audit` says
            which words are known, and how others are defined.
        name : str, optional
            A name for the batch, such as "2026-01-02"; no two batches have the same one. If rows aren't told
            apart, a file or folder has its path as its name unless another is given.
        **options
            Options for reading the batch; see `Log`. Those about seeds and verdicts have no effect.

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
        >>> watch = pf.monitoring.Watch(pf.Double().bet({0: 14}), windows=["all"])
        >>> watch.update({"bet_id": [1, 2, 3], "payout": [0, 0, 14]}).report().bets
        3
        >>> watch.update({"payout": [0, 0]}, name="2026-01-02").report().bets
        5
        """
        return self.add(self.reader.read(batch, name, **options))

    def add(self, part: Part) -> Watch:
        """Add a batch that `reader` counted, here or in another process, and look. See `update`.

        Parameters
        ----------
        part : Part
            Result of ``reader.read(batch)``, for this watch or another one of the same rules.

        Examples
        --------
        >>> watch = pf.monitoring.Watch(pf.Double().bet({0: 14}), windows=["all"])
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
            refuse_duplicate(self._state, part)
            batch, first = self._state.add_batch(part)
            came = {self._take_in(one, batch): one for one in part.segments}
            for segment, one in came.items():
                if one.impossible and not one.field:
                    rows, last = first + one.impossible_rows, first + one.last_impossible
                    self._state.note_impossible(segment, batch, rows, int(rows[0]), last)
            for alarmed in new_alarms(self._state.standings(), self.level):
                self._state.raise_alarm(alarmed, batch, *_rows_of(came.get(alarmed.segment), first))
        return self

    def _take_in(self, part: SegmentPart, batch: int) -> int:
        """Add a batch's rows of a segment; return its number."""
        name = part.game, part.field, part.value
        segment = self._state.find(self._rules.clocks, *name)
        if segment is None:
            segment = self._statistics.begin(part, self._state.count_segments(part.game, part.field))
        return self._state.keep(segment, batch, self._statistics.add(segment, part))

    @property
    def alarms(self) -> tuple[Alarm, ...]:
        """The alarms, in the order in which they were raised."""
        return alarms_of(self._state)

    def report(self) -> WatchReport:
        """Return the report so far: alarms, and each segment with its evidence and bands."""
        return report_of(self._rules, self._state)

    def close(self) -> None:
        """Close the state file."""
        self._state.close()


def _rows_of(part: SegmentPart | None, first: int) -> tuple[np.ndarray, int, int]:
    """Return the shown, first and last rows of an alarm, numbered over the whole history."""
    if part is None or part.last < 0:
        return np.zeros(0, np.int64), -1, -1
    return first + part.rows, first + part.first, first + part.last
