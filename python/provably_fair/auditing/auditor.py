"""Audits: verification, and checks of all rows together."""

from __future__ import annotations

import csv
import os
from collections import deque
from collections.abc import Mapping
from concurrent.futures import Future
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from provably_fair._core.arguments import BadValue, check_type, integer, probability, threads_of
from provably_fair._core.currencies import CURRENCIES
from provably_fair._core.progress import Progress
from provably_fair._core.threads import Workers
from provably_fair.bets.returns import ObservedReturns
from provably_fair.distribution import Distribution
from provably_fair.games import Deal, Game
from provably_fair.games.answering import bet_of_table
from provably_fair.sources.times import TIMES, Times, is_local, turned_back
from provably_fair.verification.amounts import PAYOUT, STAKE, TIME
from provably_fair.verification.columns import MAX_MESSAGE
from provably_fair.verification.failures import Failures, failure_file
from provably_fair.verification.log import LogCall, LogOptions, settled, with_log_options
from provably_fair.verification.plan import Plan, plan_of
from provably_fair.verification.rows import Formats
from provably_fair.verification.systems import STATUS, Field, System
from provably_fair.verification.systems.chains import TERMINATING
from provably_fair.verification.verified import Checked, Verified

from .check import Check, Context
from .checks import all_checks
from .claims import RowClaim
from .records import Records
from .report import AuditReport, conclude
from .row_bets import COLUMNS, ODDS, questions_of

if TYPE_CHECKING:
    from provably_fair.bets import Bet

_TIMES_ALSO = {"commitment_time": ("committed at",), "reveal_time": ("revealed at",)}
FIELDS = (
    replace(STAKE, beside=PAYOUT.name),
    PAYOUT,
    Field("currency", words=CURRENCIES, meanings=range(19)).spelled(),
    Field("display_currency", words=CURRENCIES, meanings=range(19)).spelled(),
    STATUS,
    Field("player").spelled("user", "username"),
    *(TIME if name == TIME.name else Field(name).spelled(*_TIMES_ALSO[name]) for name in TIMES),
)
"""Fields that an audit reads besides those of the log's system: if it has them, or if there is a bet."""

_COMPARED = (STAKE.name, PAYOUT.name)
"""The fields that a log must have if it is compared with a bet."""

_BATCHES_BEHIND = 4
"""Batches that may wait for checks: enough to keep all processors busy."""


def _bet_of(asked: LogCall) -> Bet | str | None:
    """Return the bet that a config describes."""
    described = None if asked.config is None else asked.config.bet
    if described is None or described == COLUMNS:
        return described
    if not isinstance(described, Mapping):
        raise BadValue("bet", f'must be "{COLUMNS}" or a table, got {described!r:.80}')
    return bet_of_table(asked.system.game, described)


def _fields_of(bet: object, system: System) -> list[Field]:
    """Return the fields that an audit reads besides those of the system, with those that state bets."""
    fields = [replace(one, needed=bet is not None and one.name in _COMPARED) for one in FIELDS]
    if bet == COLUMNS:
        game: Any = system.game
        if not isinstance(game, Game) or isinstance(game, Deal):
            raise _unsupported(system)
        asked = questions_of(game)
        return [*fields, *(replace(one, needed=name == ODDS) for name, one in asked.items())]
    return [*fields, *questions_of(getattr(getattr(bet, "sampler", None), "game", None)).values()]


def _unsupported(system: System) -> BadValue:
    """Return the error where no columns can state bets."""
    return BadValue("bet", f'"{COLUMNS}" isn\'t supported with {system.name}: give game.bet(...)')


@with_log_options
def audit(
    log: object = None,
    game: object = None,
    *,
    bet: Bet | Distribution | str | None = None,
    terminating: object = None,
    level: float = 0.01,
    seed: int = 0,
    failures: object = None,
    threads: int | None = None,
    progress: Progress = False,
    **options: Unpack[LogOptions],
) -> AuditReport:
    """Verify a log, and look for fraud that no single row shows: gaps, reused seeds, wrong payouts.

    Parameters
    ----------
    log, failures, threads, progress
        See `verify`. Besides the game's own fields, an audit reads these columns if the log has them:
        ``stake`` (or ``amount``, ``wager``, ``bet``, ``bet_amount``), without which no ``payout`` is read;
        ``payout`` (or ``payout_amount``, ``win_amount``; the stake included); ``currency`` and
        ``display_currency`` (to which amounts were converted), to whose decimals payouts may be rounded (a
        note says so if all rows agree to whole or minor units instead, such as cents); ``status``, by which
        a stake may have been returned;
        ``player`` (or ``user``, ``username``); ``time`` of the bet; ``commitment_time`` (or
        ``committed_at``), when the commitment was published; and ``reveal_time`` (or ``revealed_at``), when
        the server seed was revealed. How times are written is found out, or said by
        ``time_formats``; rows without one are counted in the report's ``unknown``. Two times are compared
        to the precision of both columns, and by clocks that may differ by a second. Times without a zone
        may be local ones: of those of a night in which clocks may be turned back, from Saturday 21:00 to
        Sunday 05:00 in spring and autumn, none is said to come first.
        Unknown currencies and statuses are refused; define them in a mapping among the constants, such as
        ``{"currency": {"gold": 0}, "status": {"closed early": "returned"}}``: the decimals of a currency, and
        "played" or "returned".
    game : Game, HashedDice, Combined or str
        The game of the log; see `verify`.
    bet : Bet, Distribution or "columns", optional
        The payouts that the operator claims; see `Game.bet`. The bet may be on another game than the log: if
        the operator's own rule verifies the rows, the bet is on the fair game that it claims to be. Or the
        law of the return of a bet of 1, if only that is claimed. "columns" if each row has a bet of its own,
        which the log's columns say: those of the questions of the game's `bet`, such as ``cash_out``,
        ``under``, ``over``, ``sectors``, ``hits`` or ``risk``; and ``odds``, what a bet pays where it wins,
        if the game's rules don't say it. Payouts are then compared row by row, and returns aren't tested;
        a log of which no row states a bet that can be read is refused.
        With a bet, the log must have stakes and payouts: ``constants={"stake": 1, "payout": None}`` says
        that all stakes are 1, and that there are no payouts.
        Hands of cards are compared with what their table pays, with or without a bet: the stake is the first
        bet, and the payout that with the net win as the hand was played. Where all rows of hands that were
        doubled, split or insured agree if stakes are all bets, or payouts what all of them return, a note
        says so.
    **options
        Options for reading the log; see `Log`.
    terminating : str, optional
        For a game on a chain: the hash before the first game's, which was published beforehand.
    level : float
        The largest probability that a fair log gets a finding of severity "evidence".
    seed : int
        For resampling, and to choose seeds and salts if there are more than 1,024 of them. Use a seed that
        the log's writer couldn't know beforehand.

    Returns
    -------
    AuditReport
        The verdict: the report of `verify`, the findings, and what the log can't show.

    See Also
    --------
    Auditor : The same in pieces.

    Examples
    --------
    >>> dice = pf.operators.stake.Dice()
    >>> log = {"server_seed": "server", "client_seed": "client", "nonce": [0, 1, 2, 4]}
    >>> log["outcome"] = dice.play(**log)
    >>> report = pf.audit(log, dice)
    >>> report.verification.ok, report.ok
    (True, False)
    >>> print(report.findings[0])
    proof: nonce_gap: 1 nonce is missing between the first and the last of a pair of seeds (first gap: \
before row 3): the log is incomplete, or rounds were left out.
    """
    asked = settled(log, game, options)
    auditor = Auditor(asked, bet, terminating=terminating, level=level, seed=seed, threads=threads)
    with failure_file(failures, asked.source, asked.inputs, auditor.plan.keep) as file:
        return auditor.update(asked.source, progress=progress, failures=file).report(last=True, failures=file)


def _payouts_of(bet: Any) -> Any:
    """Return what identifies a bet of an audit, also in another process: functions don't."""
    if isinstance(sampler := getattr(bet, "sampler", None), ObservedReturns):
        return bet.on, bet.unit, sampler.values, sampler.table
    return getattr(bet, "law", bet)


class _Behind:
    """Groups of checks, each in a thread that looks at batches while the next ones are verified."""

    def __init__(self, groups: list[list[Check]], threads: int | None) -> None:
        self._groups = groups
        self._workers = [] if threads == 1 else [Workers(1) for _ in groups]
        self._begun: deque[Future[None]] = deque()

    def __enter__(self) -> _Behind:
        return self

    def look(self, records: Records, *, wait: bool) -> None:
        """Hand a batch to all groups, once few enough are waiting; with `wait`, return when they are done."""
        self._wait(len(self._workers) * (_BATCHES_BEHIND - 1))
        if not self._workers:
            for group in self._groups:
                _update(group, records)
        for worker, group in zip(self._workers, self._groups, strict=False):
            self._begun.append(worker.submit(_update, group, records))
        if wait:
            self._wait(0)

    def _wait(self, left: int) -> None:
        while len(self._begun) > left:
            self._begun.popleft().result()

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if kind is None:
                self._wait(0)
        finally:
            for worker in self._workers:
                worker.shutdown(cancel_futures=True)


def _update(group: list[Check], records: Records) -> None:
    for check in group:
        check.update(records)


class Auditor:
    """An audit of a log that arrives in pieces: by the hour, by the file, from several machines.

    Its state doesn't grow with the log, and can be pickled. The findings don't depend on how the rows are cut
    into pieces, and evidence is valid at every look: the k-th report with new rows multiplies p-values by
    k (k + 1), and one with ``last=True`` by k. A single audit looks once, with a factor of 1.

    Parameters
    ----------
    game, bet, terminating, level, seed, threads
        See `audit`.
    **options
        Options for reading the log; see `Log`.

    Examples
    --------
    >>> dice = pf.operators.stake.Dice()
    >>> auditor = pf.Auditor(dice)
    >>> for nonces in [0, 1], [3, 4]:
    ...     rows = {"server_seed": "server", "client_seed": "client", "nonce": nonces}
    ...     auditor = auditor.update(rows | {"outcome": dice.play(**rows)})
    >>> [finding.kind for finding in auditor.report().findings]
    ['nonce_gap']
    """

    @with_log_options
    def __init__(
        self,
        game: object = None,
        bet: Bet | Distribution | str | None = None,
        *,
        terminating: object = None,
        level: float = 0.01,
        seed: int = 0,
        threads: int | None = None,
        **options: Unpack[LogOptions],
    ) -> None:
        asked = game if isinstance(game, LogCall) else settled(None, game, options)
        with asked.naming_config():
            system, asked_options = asked.system, dict(asked.options)
            if terminating is not None:
                if TERMINATING not in {field.name for field in system.fields}:
                    raise BadValue("terminating", f"isn't supported with {system.name}: it has no chain")
                check_type("terminating", terminating, (str, bytes), "a hash")
                given = asked_options["constants"] or {}
                if not isinstance(given, Mapping) or TERMINATING in given:
                    raise BadValue("terminating", "must be given once, and constants be a mapping without it")
                asked_options["constants"] = {**given, TERMINATING: terminating}
            bet = _bet_of(asked) if bet is None else bet
            if bet is not None and asked_options["game_column"] is not None:
                raise BadValue("bet", "isn't supported with game_column: the log has several games")
            plan = plan_of(
                asked._replace(options=asked_options), system, threads_of(threads), _fields_of(bet, system)
            )
            times = times_of(asked_options["reveal_times"], plan.time_formats)
        self.level: float = probability("level", level)
        self._context = Context(plan, bet, self.level, integer("seed", seed), times)
        self._log: Verified | None = None
        self._groups = all_checks(self._context)
        self._looks = 0
        self._dates: tuple[int, int] | None = None
        """The first and last time of a bet, in microseconds since 1970."""
        self._rows_at_last_look = -1
        self._ended = False
        self._unfinished = False
        """Whether checks have seen rows of an update that didn't come to its end."""

    def __copy__(self) -> Auditor:
        return deepcopy(self)  # or rows of one would repeat those of the other

    @property
    def rows(self) -> int:
        """The number of rows audited so far."""
        return 0 if self._log is None else self._log.counts.tally.rows

    @property
    def _checks(self) -> list[Check]:
        return [check for group in self._groups for check in group]

    @property
    def plan(self) -> Plan:
        """The plan by which its logs are read."""
        return self._context.plan

    def update(self, log: object, *, progress: Progress = False, failures: Failures | None = None) -> Auditor:
        """Audit more rows.

        Parameters
        ----------
        log : path, list of paths, mapping, frame or Arrow data
            The rows that follow; see `verify`. They are read with the auditor's options.
        progress : bool or callable
            See `verify`.
        failures : Failures, optional
            Where to write all failures.

        Returns
        -------
        Auditor
            The auditor itself.

        Examples
        --------
        >>> log = {"salt": pf.salts(3), "outcome": pf.Crash().simulate(3)}
        >>> pf.Auditor("crash").update(log).rows
        3
        """
        self._refuse_more()
        verified = Verified.of(self._context.plan, log)
        with _Behind(self._groups, self._context.plan.threads) as behind:
            for piece in verified.pieces(progress, failures):
                with piece:
                    for checked in piece.batches():
                        with verified.counts.files.naming_source():
                            records = self._records(checked, verified.formats)
                        if records.has_times("time"):
                            bets, there = records.times["time"]
                            known = bets if there.all() else bets[there]
                            self._note_dates(int(known.min()), int(known.max()))
                        self._unfinished = True
                        # Iterators may reuse their buffers between batches.
                        behind.look(records, wait=not verified.again)
        if verified.counts.files.error is not None and not verified.counts.tally.rows:
            raise verified.counts.files.error
        self._append(verified)
        self._unfinished = False
        return self

    def _records(self, checked: Checked, formats: Formats) -> Records:
        """Return the records of a batch; refuse ambiguous times and unknown words."""
        columns, rows, found = checked
        places = rows.places
        if isinstance(places, int):
            places = np.arange(places, places + rows.count, dtype=np.int64)
        games = np.zeros(rows.count, np.int64)
        if found.chained is not None:
            games[np.searchsorted(places, found.chained.places)] = found.chained.numbers
        times = {
            name: formats.times.read(name, columns.cells[name], rows.count, columns.called.get(name))
            for name in TIMES
            if name in columns.cells
        }
        local = {name for name, (_, there) in times.items() if is_local(columns.cells[name], there)}
        game = self._context.game
        worded = {name: field for name, field in self.plan.fields.items() if field.words is not None}
        records = Records(
            columns.cells,
            rows.count,
            places + self.rows,
            found,
            games,
            None if game is None else (game.shape, game.dtype),
            rows.threads,
            rows.of_salts,
            worded,
            times,
            local,
        )
        for name in worded:
            if records.has(name):
                records.words(name)
        claim = self._context.claim
        if claim is not None or self._context.hands is not None:
            for name in filter(records.has, _COMPARED):
                called = columns.called.get(name) or name
                records.refuse_unread(name, called, columns.batch.columns.get(called, columns.cells[name]))
        if isinstance(claim, RowClaim) and not claim.row_bets.are_stated(columns.cells):
            from provably_fair.verification.missing import missing_columns

            names = [name for name in claim.questions if name != ODDS]
            if not names:
                raise _unsupported(self.plan.system)
            raise missing_columns(self.plan, names, columns.batch, columns.called, MAX_MESSAGE)
        return records

    def _append(self, log: Verified) -> None:
        """Append the verification of later rows."""
        if self._log is None:
            self._log = log
        else:
            self._log.merge(log)

    def _note_dates(self, *times: int) -> None:
        """Extend the range of times."""
        known = [*(self._dates or ()), *times]
        self._dates = min(known), max(known)

    def merge(self, later: Auditor) -> Auditor:
        """Append an auditor of the rows that follow, which were audited elsewhere.

        Parameters
        ----------
        later : Auditor
            One with the same arguments. It can't be used afterward.

        Returns
        -------
        Auditor
            The auditor itself.

        Examples
        --------
        >>> log = {"salt": pf.salts(4), "outcome": pf.Crash().simulate(4)}
        >>> first, second = pf.Auditor("crash"), pf.Auditor("crash")
        >>> _ = first.update({name: column[:2] for name, column in log.items()})
        >>> _ = second.update({name: column[2:] for name, column in log.items()})
        >>> first.merge(second).rows
        4
        """
        check_type("later", later, Auditor, "an Auditor")
        contexts = self._context, later._context
        mine, its = (one.system for one in contexts)
        if repr(its.parameters()) != repr(mine.parameters()):
            raise BadValue("later", f"must audit {mine.name}, got one of {its.name}")
        if _payouts_of(later._context.bet) != _payouts_of(self._context.bet):
            raise BadValue(
                "later", f"must have the bet {self._context.bet!r:.80}, got {later._context.bet!r:.80}"
            )
        said, got = ({"level": one.level, "seed": one.seed, "words": one.plan.words} for one in contexts)
        for name in said:
            if got[name] != said[name]:
                raise BadValue("later", f"must have the {name} {said[name]!r:.80}, got {got[name]!r:.80}")
        self._refuse_more()
        later._refuse_unfinished()
        if later._log is None:
            return self
        before = self.rows
        self._append(later._log)  # first, since it refuses rows in other formats
        for check, other in zip(self._checks, later._checks, strict=True):
            check.merge(other, before)
        if later._dates is not None:
            self._note_dates(*later._dates)
        return self

    def report(self, *, last: bool = False, failures: Failures | None = None) -> AuditReport:
        """Return the verdict on all rows so far.

        Parameters
        ----------
        last : bool
            Whether no rows follow. Earlier reports have spent 1/2 + 1/6 + ... of the level, and the last one
            has the rest; further rows are refused.
        failures : Failures, optional
            See `update`.

        Returns
        -------
        AuditReport
            The same for any division into pieces.

        Examples
        --------
        >>> pf.Auditor("dice").report().verification.checked
        0
        """
        self._refuse_unfinished()
        log = self._log or Verified(self._context.plan)
        if self.rows != self._rows_at_last_look:
            self._looks += 1
            self._rows_at_last_look = self.rows
        self._ended |= last
        dates = None if self._dates is None else (_shown_time(self._dates[0]), _shown_time(self._dates[1]))
        return conclude(self._context, log, self._checks, self._looks, self._ended, failures, dates)

    def _refuse_unfinished(self) -> None:
        if self._unfinished:
            said = "an update was interrupted, and its rows are counted in part: begin with a new Auditor"
            raise BadValue("log", sentence=said)

    def _refuse_more(self) -> None:
        self._refuse_unfinished()
        if self._ended:
            raise BadValue("log", "must end here, after report(last=True)", place="the ")

    def __repr__(self) -> str:
        return f"<Auditor of {self._context.system.name}: {self.rows:,} rows>"


def times_of(reveal_times: Any, formats: Mapping[str, str]) -> dict[str, int]:
    """Return times of reveals by seed or commitment, in microseconds since 1970."""
    if reveal_times is None:
        return {}
    if isinstance(reveal_times, (str, os.PathLike)):
        reveal_times = _read_times_of(Path(reveal_times))
    check_type("reveal_times", reveal_times, Mapping, "a mapping of server seeds to times, or a CSV file")
    for seed in reveal_times:
        check_type("reveal_times", seed, str, "of server seeds as str, or their commitments")
    called = "reveal_times"
    times, there = Times(formats).read("reveal_time", list(reveal_times.values()), len(reveal_times), called)
    if not there.all():
        bad = list(reveal_times.values())[int(np.argmin(there))]
        form = formats.get("reveal_time", "such as 2024-12-31T10:00:00Z")
        raise BadValue("reveal_times", f"must have times, {form}, got {bad!r:.50}")
    if is_local(list(reveal_times.values()), there):
        times = turned_back(times)
    return dict(zip(reveal_times, times.tolist(), strict=True))


def _shown_time(microseconds: int) -> str:
    return str(np.datetime64(microseconds // 10**6, "s"))


def _read_times_of(path: Path) -> dict[str, str]:
    """Read a table of two columns: seeds or commitments, and times of reveals."""
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            rows = [row for row in csv.reader(file) if row]
    except (OSError, ValueError, csv.Error) as error:
        why = getattr(error, "strerror", None) or error
        raise BadValue("reveal_times", f": {path}: {why}") from None
    for row in rows:
        if len(row) != 2:
            raise BadValue("reveal_times", f"must be a CSV file of two columns, got {row!r:.80}")
    return dict(rows[1:])
