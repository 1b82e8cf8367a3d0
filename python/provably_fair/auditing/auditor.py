"""Audits: verification first, and then what the rows show together."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Literal, get_args

import numpy as np

from provably_fair._core.arguments import integer, probability, threads_of
from provably_fair._core.progress import Progress
from provably_fair.bets import Bet
from provably_fair.distribution import Distribution
from provably_fair.verification.checking import check_rows
from provably_fair.verification.plan import Plan
from provably_fair.verification.sources import Batch, LogError
from provably_fair.verification.systems import Field, Found, system_of
from provably_fair.verification.systems.chains import CHAIN_STEPS, Games
from provably_fair.verification.totals import Totals

from .check import Check, Context
from .checks import all_checks
from .records import Records, read_times
from .report import AuditReport, conclude
from .words import CURRENCIES, STATUSES, Status

FIELDS = (
    Field("stake", False, number=True),
    Field("payout", False, number=True),
    Field("currency", False, words=CURRENCIES, meanings=range(19)),
    Field("display_currency", False, words=CURRENCIES, meanings=range(19)),
    Field("status", False, words=STATUSES, meanings=get_args(Status)),
    Field("player", False),
    Field("time", False),
    Field("commitment_time", False),
    Field("reveal_time", False),
)
"""What an audit reads beside the fields of a log's system."""

TERMINATING = "terminating"

_BATCHES_BEHIND = 4
"""How many batches wait for checks at most: enough that no processor waits for either."""


def audit(
    log: object,
    game: object,
    *,
    bet: Bet | Distribution | None = None,
    columns: Mapping[str, str] | None = None,
    constants: Mapping[str, object] | None = None,
    csv: Mapping[str, str | None] | None = None,
    seeds: object = None,
    seeds_by: str | None = None,
    unrevealed: Literal["report", "fail"] | None = None,
    terminating: object = None,
    chain_steps: int = CHAIN_STEPS,
    reveal_times: Mapping[str, object] | None = None,
    level: float = 0.01,
    seed: int = 0,
    progress: Progress = False,
    threads: int | None = None,
) -> AuditReport:
    """Verify a log, and look for what no single row shows: gaps, reused seeds, late commitments, wrong pay.

    Parameters
    ----------
    log, columns, constants, csv, seeds, seeds_by, unrevealed, chain_steps, progress, threads
        See `verify`. Besides the game's own fields an audit reads, where the log has them, ``stake``;
        ``payout`` (what came back, the stake included); ``currency`` and ``display_currency`` (to which
        amounts were converted), whose decimals payouts are rounded to; ``status``, by which a stake may have
        been given back; ``player``; ``time`` of the bet;
        ``commitment_time``, when the commitment was published; and ``reveal_time``, when the server seed was
        revealed. Times are ISO 8601, numbers of seconds or milliseconds since 1970, or datetimes; two of
        them are compared as precisely as both columns are. Words of currencies and statuses that nobody knows
        are refused; a mapping among the constants says what they mean, such as
        ``{"currency": {"gold": 0}, "status": {"closed early": "returned"}}``: the decimals of a currency, and
        "played" or "returned".
    game : Game, VideoPoker, Blackjack, HashedDice, Combined or str
        What the log is of; see `verify`.
    bet : Bet or Distribution, optional
        What is said to be paid: see `Game.bet`. The bet may be on another game than the log is of: what is
        claimed to be a fair board is one, whatever the operator's own rule says that each row verifies by.
        Or the law of what a stake of 1 brings back, where that is all that is claimed.
    terminating : str, optional
        Of a game on a chain: the hash before the first game's, which was published beforehand.
    reveal_times : mapping, optional
        When server seeds were revealed, by the seed or its commitment, where no column says it.
    level : float
        The chance that a fair log gets a finding of severity "evidence", at most.
    seed : int
        For what resamples, and for which seeds and salts are looked at where there are more than 1,024: give
        one that whoever made the log couldn't know beforehand.

    Returns
    -------
    AuditReport
        The verdict: verify's report, the findings, and what this log can't show.

    See Also
    --------
    Auditor : The same in pieces.

    Examples
    --------
    >>> import provably_fair as pf
    >>> dice = pf.operators.stake.Dice()
    >>> log = {"server_seed": "server", "client_seed": "client", "nonce": [0, 1, 2, 4]}
    >>> log["outcome"] = dice.play(**log)
    >>> report = pf.audit(log, dice)
    >>> report.verification.ok, report.ok
    (True, False)
    >>> print(report.findings[0])
    proof: nonce_gap: 1 nonce is missing between the first and the last one of a pair of seeds, the first \
before row 3: the log isn't complete, or rounds were left out.
    """
    auditor = Auditor(
        game,
        bet,
        columns=columns,
        constants=constants,
        csv=csv,
        seeds=seeds,
        seeds_by=seeds_by,
        unrevealed=unrevealed,
        terminating=terminating,
        chain_steps=chain_steps,
        reveal_times=reveal_times,
        level=level,
        seed=seed,
        threads=threads,
    )
    return auditor.update(log, progress=progress).report(last=True)


class _Behind:
    """Checks that look at batches while the next ones are verified, each group in a thread of its own."""

    def __init__(self, groups: list[list[Check]], threads: int | None) -> None:
        self._groups = groups
        self._workers = [] if threads == 1 else [ThreadPoolExecutor(1) for _ in groups]
        self._begun: deque[Future[None]] = deque()

    def __enter__(self) -> _Behind:
        return self

    def look(self, records: Records, *, wait: bool) -> None:
        """Begin with a batch, as soon as few enough are waiting; wait until it is looked at, if need be."""
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
    """An audit of a log that comes in pieces: by the hour, by the file, from several machines.

    It keeps a state that doesn't grow with the log, and pickles. How rows are cut into pieces changes no
    finding, and evidence is valid at every look: the k-th report with new rows multiplies p-values by
    k (k + 1), and the last one, where it is said to be, by k. So an audit, which looks once, pays nothing.

    Parameters
    ----------
    game, bet, columns, constants, csv, seeds, seeds_by, unrevealed
        See `audit`.
    terminating, chain_steps, reveal_times, level, seed, threads
        See `audit`.

    Examples
    --------
    >>> import provably_fair as pf
    >>> dice = pf.operators.stake.Dice()
    >>> auditor = pf.Auditor(dice)
    >>> for nonces in [0, 1], [3, 4]:
    ...     rows = {"server_seed": "server", "client_seed": "client", "nonce": nonces}
    ...     auditor = auditor.update(rows | {"outcome": dice.play(**rows)})
    >>> [finding.kind for finding in auditor.report().findings]
    ['nonce_gap']
    """

    def __init__(
        self,
        game: object,
        bet: Bet | Distribution | None = None,
        *,
        columns: Mapping[str, str] | None = None,
        constants: Mapping[str, object] | None = None,
        csv: Mapping[str, str | None] | None = None,
        seeds: object = None,
        seeds_by: str | None = None,
        unrevealed: Literal["report", "fail"] | None = None,
        terminating: object = None,
        chain_steps: int = CHAIN_STEPS,
        reveal_times: Mapping[str, object] | None = None,
        level: float = 0.01,
        seed: int = 0,
        threads: int | None = None,
    ) -> None:
        system = system_of(game)
        given = constants or {}
        if terminating is not None:
            if TERMINATING not in {field.name for field in system.fields}:
                raise ValueError(f"terminating must be left out: {system.name} isn't on a chain of hashes")
            if not isinstance(terminating, (str, bytes)):
                raise TypeError(f"terminating must be a hash, got {type(terminating).__name__}")
            if not isinstance(given, Mapping) or TERMINATING in given:
                raise ValueError("terminating must be given once, and constants be a mapping without it")
            given = {**given, TERMINATING: terminating}
        plan = Plan(
            system,
            columns or {},
            given,
            threads_of(threads),
            csv=csv,
            also=FIELDS,
            seeds=seeds,
            seeds_by=seeds_by,
            unrevealed=unrevealed,
            chain_steps=chain_steps,
        )
        self.level = probability("level", level)
        times = times_of(reveal_times)
        self._context = Context(game, plan, bet, self.level, integer("seed", seed), times)
        self._totals: Totals | None = None
        self._groups = all_checks(self._context)
        self._looks = 0
        self._rows_at_last_look = -1
        self._ended = False

    @property
    def rows(self) -> int:
        """How many rows were audited so far."""
        return 0 if self._totals is None else self._totals.checked

    @property
    def _checks(self) -> list[Check]:
        return [check for group in self._groups for check in group]

    @property
    def wanted_columns(self) -> set[str]:
        """The columns that a log may have; others aren't read."""
        return self._context.plan.wanted_columns

    def update(self, log: object, *, progress: Progress = False) -> Auditor:
        """Audit more rows.

        Parameters
        ----------
        log : path, list of paths, mapping, frame or Arrow data
            The rows that follow; see `verify`.
        progress : bool or callable
            See `verify`.

        Returns
        -------
        Auditor
            The auditor itself.

        Examples
        --------
        >>> import provably_fair as pf
        >>> log = {"salt": pf.salts(3), "outcome": pf.Crash().simulate(3)}
        >>> pf.Auditor("crash").update(log).rows
        3
        """
        self._refuse_after_the_last_report()
        before = self.rows
        threads = self._context.plan.threads
        game = self._context.game
        worded = {name: field for name, field in self._context.plan.fields.items() if field.words is not None}
        outcome = (game.shape, game.dtype) if hasattr(game, "shape") and hasattr(game, "dtype") else None

        def look(
            batch: Batch, columns: Mapping[str, Any], found: Found, of_chains: Games, totals: Totals
        ) -> None:
            places = batch.places + totals.offset
            if isinstance(places, int):
                places = np.arange(places, places + batch.rows)
            games = np.zeros(batch.rows, np.int64)
            games[np.searchsorted(places, of_chains.places)] = of_chains.numbers
            of_salts = totals.is_of_salts(columns, batch.rows)
            records = Records(
                columns, batch.rows, places + before, found, games, outcome, threads, of_salts, worded
            )
            for name in worded:
                if records.has(name):  # words that nobody knows are refused here, where the file is known
                    try:
                        records.words(name)
                    except LogError as error:
                        raise LogError(f"{totals.where}: ", *error.args) from None
            source = self._context.plan.source
            # Who gives a log part by part may use the memory of one for the next.
            behind.look(records, wait=source is not None and not source.again)

        with _Behind(self._groups, threads) as behind:
            totals = check_rows(self._context.plan, log, progress, look=look)
        if totals.error is not None and not totals.checked:
            raise totals.error
        if self._totals is None:
            self._totals = totals
        else:
            self._totals.plan.source = None
            self._totals.merge(totals)
        return self

    def merge(self, later: Auditor) -> Auditor:
        """Append an auditor of the rows that follow, which were audited elsewhere.

        Parameters
        ----------
        later : Auditor
            Made with the same arguments. It isn't usable afterwards.

        Returns
        -------
        Auditor
            The auditor itself.

        Examples
        --------
        >>> import provably_fair as pf
        >>> log = {"salt": pf.salts(4), "outcome": pf.Crash().simulate(4)}
        >>> first, second = pf.Auditor("crash"), pf.Auditor("crash")
        >>> _ = first.update({name: column[:2] for name, column in log.items()})
        >>> _ = second.update({name: column[2:] for name, column in log.items()})
        >>> first.merge(second).rows
        4
        """
        if not isinstance(later, Auditor):
            raise TypeError(f"later must be an Auditor, got {type(later).__name__}")
        if repr(later._context.system.parameters()) != repr(self._context.system.parameters()):
            raise ValueError(
                f"later must audit {self._context.system.name}, got one of {later._context.system.name}"
            )
        self._refuse_after_the_last_report()
        if later._totals is None:
            return self
        before = self.rows
        for check, other in zip(self._checks, later._checks, strict=True):
            check.merge(other, before)
        if self._totals is None:
            self._totals = later._totals
        else:
            self._totals.merge(later._totals)
        return self

    def report(self, *, last: bool = False) -> AuditReport:
        """Return the verdict on all rows so far.

        Parameters
        ----------
        last : bool
            Whether no rows follow. The reports before it have spent 1/2 + 1/6 + ... of the level, and the
            last one has all that is left; further rows are refused.

        Returns
        -------
        AuditReport
            The same, however the rows came.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Auditor("dice").report().verification.checked
        0
        """
        totals = self._totals or Totals(self._context.plan, True)
        if totals.checked != self._rows_at_last_look:
            self._looks += 1
            self._rows_at_last_look = totals.checked
        self._ended |= last
        return conclude(self._context, totals, self._checks, self._looks, last=self._ended)

    def _refuse_after_the_last_report(self) -> None:
        if self._ended:
            raise ValueError("log must not go on: the last report was asked for, report(last=True)")

    def __getstate__(self) -> dict[str, object]:
        context = self._context
        return self.__dict__ | {"_context": replace(context, plan=context.plan.without_log())}

    def __repr__(self) -> str:
        return f"<Auditor of {self._context.system.name}: {self.rows:,} rows>"


def times_of(reveal_times: Mapping[str, object] | None) -> dict[str, int]:
    """Return when seeds were revealed, by the seed or its commitment, in microseconds since 1970.

    Examples
    --------
    >>> from provably_fair.auditing.auditor import times_of
    >>> times_of({"seed": "1970-01-01T00:00:01"})
    {'seed': 1000000}
    """
    if reveal_times is None:
        return {}
    if not isinstance(reveal_times, Mapping) or not all(isinstance(seed, str) for seed in reveal_times):
        raise TypeError("reveal_times must be a mapping of server seeds, or their commitments, to times")
    times, there = read_times("reveal_times", list(reveal_times.values()), len(reveal_times))
    if not there.all():
        bad = list(reveal_times)[int(np.argmin(there))]
        raise ValueError(
            f"reveal_times must have ISO times, seconds or datetimes, got {reveal_times[bad]!r:.50}"
        )
    return dict(zip(reveal_times, times.tolist(), strict=True))
