"""Checking logs: every row recomputed, every difference reported."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any, NamedTuple, Unpack

import numpy as np

from provably_fair._core.errors import argument_of, placed
from provably_fair._core.printable import plain
from provably_fair._core.progress import Progress, ProgressBar, Report

from .failures import Failures, failure_file
from .foreign import Constant, typed
from .log import LogOptions, with_log_options
from .plan import LONGEST_MESSAGE, Plan, planned
from .report import VerificationReport
from .sources import Batch, LogError, open_log
from .systems import (
    FIELD,
    UNREVEALED,
    Field,
    Found,
    Rows,
    among,
)
from .systems.chains import Games
from .totals import Totals

__all__ = ["verify"]


@with_log_options
def verify(
    log: object = None,
    game: object = None,
    *,
    failures: object = None,
    threads: int | None = None,
    progress: Progress = False,
    **options: Unpack[LogOptions],
) -> VerificationReport:
    """Recompute every row of a log, and report what differs.

    Parameters
    ----------
    log : Log, path, file, list of them, Query, mapping, frame, Arrow data, cursor or iterator
        The log: whatever `Log` takes as its source, or a `Log`, which knows how it is read.
    game : Game, HashedDice, Combined or str
        What the log is of: a game with its parameters, a deal at its table; of `fpclub` the class
        `HashedDice` or `Combined`, where each row has dice of its own, or one sequence of them, whose roll i
        row i of the log has. Or text that names one of these, as the command takes it: "dice",
        "mines:mines=5", "stake.dice", "video-poker".
    **options
        How the log is read; see `Log`.
    failures : path or mapping, optional
        A file to write all failures to, a row for each: .parquet, .csv (where text that a spreadsheet may
        take for a formula gets an apostrophe) or .jsonl. The report itself keeps the first 10,000. A file
        that is there is refused, unless it is given as ``{"path": ..., "overwrite": True}``.
    threads : int, optional
        The most threads to use; as many as the machine has by default.
    progress : bool or callable
        Whether to show a progress bar (by tqdm), or a function of the rows done and the rows in all
        (0 where that isn't known beforehand).

    Returns
    -------
    VerificationReport
        The verdict, the failures, and what they rest on.

    Raises
    ------
    LogError
        (a ValueError) If the log can't be read, or lacks a column (a `MissingColumnError`). Rows that
        can't be read don't raise: they are failures. Of several files, one that can't be read to its end
        is named in the report, whose verdict is then that not all was read; a log of one file raises, and
        ``error.report`` has the verdict on what was read.
    TypeError, ValueError
        If an argument isn't what it should be.

    Notes
    -----
    What the game is, which fields its log has, and what ``outcome`` may be:

    a salted-round game
        ``server_seed``, ``client_seed`` (both not needed for multi-player games), ``salt``, ``outcome``;
        where the log has them, the game's own parameters (``mines``, ``spins``, ``pins``, ``balls``,
        ``tickets``), which go before the game's, and ``commitment`` and ``salt_commitment``: SHA-256
        of the server seed and of the salt. (Where a log has no ``salt_commitment`` and the first of its
        commitments is a salt's, ``commitment`` is read as that of the salts, as sessions logged it once.)
        Outcomes may be numbers, text ("2.02"), and where an outcome has several values lists or JSON
        lists ("[11, 8, 18]"), nested or flat. Numbers are compared as exact values, not their spelling:
        2.020 is 2.02.
    any other game: an operator's, a user's own, one under another scheme
        The fields of its scheme, ``outcome``, and where the log has them the game's whole-number parameters
        and ``commitment``, as the scheme defines it. Of a game on a chain also ``terminating``, the hash
        before the first game's: it is announced beforehand, and each game's hash must lead to it. Where
        ``game_number`` is there as well (1 for the first game), it must in exactly as many steps, or the row
        fails; elsewhere a game that isn't followed that far is no failure, but ``unknown`` says so. Of a
        scheme that names its beacon also ``beacon_round``, whose signature ``beacon_signature`` must be (with
        ``previous_signature``, of chained rounds), or ``block_header``, whose hash must be the one hashed.
    a deal at a table of video poker, of any operator and under any scheme
        The fields of its scheme, ``outcome``, and where the log has them ``hold`` (five booleans or positions
        from 1, as a list or JSON; the best hold where it is empty or missing) and ``commitment``. The outcome
        is the ten cards dealt, the final hand of five, or what it pays; a pay may be a fraction, also as text
        ("6/5").
    a deal at a table of blackjack
        The same with ``actions`` instead of ``hold``: a list, a JSON list, or words with commas or spaces
        between them. The outcome is the first cards of the shoe, as many as are logged, or the net win in
        bets that the actions lead to, a number or a fraction.
    the class `HashedDice`
        ``digits``, and as the outcome the published hash, MD5 or SHA-256 by its length. The field is
        called ``hash`` or ``outcome``, in the log and in ``columns``; ``hash`` is looked for first.
    the class `Combined`
        ``first`` and ``second``, the players' faces, and ``outcome``, the throws they make. All dice,
        those of ``digits`` too, may be text, whole numbers or lists of faces.
    a `HashedDice` or a `Combined`
        ``outcome`` alone: the two faces of each roll, in order.

    Cards are numbers, or names such as "10♣": in lists, in JSON lists, or as text with spaces between
    them. Names of blackjack's cards don't tell the decks of the shoe apart, so only rank and suit are
    compared then.

    Two rows have the same round where the same bytes are hashed, however the log spells them.

    Examples
    --------
    >>> import provably_fair as pf
    >>> log = {
    ...     "server_seed": "server",
    ...     "client_seed": "client",
    ...     "salt": ["salt 1", "salt 2", "salt 3"],
    ...     "outcome": [0.05, 24.44, 77.77],
    ... }
    >>> report = pf.verify(log, pf.Dice())
    >>> report.ok, report.checked, report.failed
    (False, 3, 1)
    >>> print(report.failures[0])
    row 2: mismatch in column 'outcome': found 77.77, expected 29.59

    Throws of combined dice, of which the second row's are wrong:

    >>> throws = {"first": ["31", "23"], "second": ["45", "56"], "outcome": ["16", "55"]}
    >>> print(pf.verify(throws, pf.operators.fpclub.Combined).failures[0])
    row 1: mismatch in column 'outcome': found 55, expected 13
    """
    source, plan = planned(log, game, options, threads)
    with failure_file(failures, source, plan.inputs) as file:
        return check_rows(plan, source, progress, file).conclude(file)


class Checked(NamedTuple):
    """A batch, and what was found in it."""

    batch: Batch
    columns: dict[str, Any]
    """Its columns by field, as they are read."""
    shown: dict[str, Any]
    """The same as they are written in the log."""
    found: Found
    games: Games
    """Which games of chains its rows are of."""


Observer = Callable[[Checked, Totals], None]
"""Is given each batch, and the totals of those before it."""


def check_rows(
    plan: Plan,
    log: object,
    progress: Progress = False,
    failures: Failures | None = None,
    observe: Observer | None = None,
) -> Totals:
    """Check all rows of a log; an observer is given each batch as well."""
    source = open_log(log, plan.wanted_columns)
    totals = Totals(plan, source)
    with ProgressBar(source.rows or 0, progress) as report, closing(source.pieces()) as pieces:
        for piece in pieces:
            totals.begin(piece.evidence)
            try:
                for batch in piece.batches():
                    checked = check_batch(batch, totals, report=report)
                    if observe is not None:
                        observe(checked, totals)
                    totals.add(batch, checked.shown, checked.found, checked.games, failures)
                    if report is not None:
                        report(totals.checked)
            except LogError as error:
                totals.break_off(error)
    return totals


def check_batch(batch: Batch, totals: Totals, every: bool = False, report: Report | None = None) -> Checked:
    """Return a batch, read and checked."""
    plan = totals.plan
    with totals.naming_source():
        joined = plan.look_up(batch)
        columns = plan.columns_of(batch, joined, LONGEST_MESSAGE - len(totals.where) - 2)
        if joined is not None:
            totals.keys[joined.key] = None
            totals.unknown_seeds += joined.unknown
        read = plan.read_numbers(totals.numbers, batch, columns)
        if totals.numbers.note is not None:
            totals.notes[f"{totals.where}: {plain(totals.numbers.note)}"] = None
    fields = [field for field in plan.system.fields if field.name in read]
    rows = Rows(
        {field.name: _argument(field, read[field.name], batch.rows) for field in fields},
        batch.rows,
        batch.places + totals.offset,
        totals.replays,
        totals.is_of_salts(columns, batch.rows),
        every,
        plan.threads,
        plan.chain_steps,
        None if report is None else lambda _: report(totals.checked),
        notations=totals.notations,
        ordered=plan.ordered,
    )
    hidden = plan.unrevealed(read, batch.rows, joined) if plan.secrets else None
    try:
        if hidden is not None:
            hidden &= plan.system.concerns(read, batch.rows)
        if hidden is not None and hidden.any():
            shown = np.flatnonzero(~hidden)
            part = plan.system.verify(rows.some(shown))
            found = among(batch.rows, shown, part, {UNREVEALED: np.flatnonzero(hidden)})
        else:
            found = plan.system.verify(rows)
        # What was found is shown as it is written there.
        written = read | ({FIELD: columns[FIELD]} if FIELD in columns else {})
        return Checked(batch, read, written, found, rows.games)
    except LogError as error:
        raise placed(error, f"{totals.where}: ") from None
    except (TypeError, ValueError) as error:
        name = argument_of(error)
        called = plan.columns(batch).get(name) or name
        where = f"{totals.where}: column {called!r}" if name in plan.fields else totals.where
        texts = [field.name for field in plan.system.fields if field.text]
        cure = "; read the file with dtype=str" if name in texts and isinstance(error, TypeError) else ""
        row = getattr(error, "row", None)
        at = None if row is None else batch.place(row) + totals.offset
        raise LogError(
            f"{where}: {error}{cure}", argument=name if name in plan.fields else "", row=at
        ) from None


def _argument(field: Field, column: object, rows: int) -> object:
    """Return a column as the engine takes it: one text may stand for all rows."""
    if not isinstance(column, Constant):
        if not rows:
            return []  # whatever type its library gives to nothing
        # A list of numbers is refused where text is needed, as an array of them is.
        return typed(column) if field.text else column
    value = column.value
    return value if field.text or isinstance(value, (str, bytes)) else [value] * rows
