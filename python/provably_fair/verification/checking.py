"""Checking logs: every row recomputed, every difference reported."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Any, Literal

import numpy as np

from provably_fair._core.printable import plain
from provably_fair._core.progress import Progress, ProgressBar, Report

from .failures import Failures, failure_file
from .foreign import Constant, typed
from .plan import Plan, log_and_plan
from .report import VerificationReport
from .sources import Batch, LogError, open_log
from .systems import (
    FIELD,
    UNREVEALED,
    Field,
    Findings,
    Found,
    Rows,
)
from .systems.chains import CHAIN_STEPS, Games
from .totals import Totals

__all__ = ["verify"]


def verify(
    log: object = None,
    subject: object = None,
    columns: Mapping[str, str] | None = None,
    progress: Progress = False,
    *,
    constants: Mapping[str, object] | None = None,
    csv: Mapping[str, str | None] | None = None,
    game_column: str | None = None,
    seeds: object = None,
    seeds_by: str | None = None,
    unrevealed: Literal["report", "fail"] | None = None,
    config: object = None,
    repeats: Literal["report", "fail"] = "report",
    chain_steps: int = CHAIN_STEPS,
    failures: object = None,
    threads: int | None = None,
) -> VerificationReport:
    """Recompute every row of a log, and report what differs.

    Parameters
    ----------
    log : path, file, list of them, Query, mapping, frame, Arrow data, cursor or iterator
        Read batch by batch, in memory that doesn't grow with it, and never written to:

        - a file, a folder or a list of them: CSV, Parquet, JSON (lines or an array), Arrow IPC, Excel
          (first sheet), ZIP; CSV and JSON also as .gz, .zst or .bz2. Folders named ``mines=5`` are columns.
          A path may be a URL (``s3://``, ``gs://``, ``https://``, ...), a pipe, ``"-"`` for stdin; an
          open file is told by its name or content. `Files` says what a name doesn't;
        - a `Query`, a cursor after its query, SQLAlchemy's result, DuckDB's relation;
        - an iterator or a list of frames, Arrow batches or rows as mappings; lazy frames of Polars, frames
          of Dask; Arrow tables, datasets, scanners, and anything with ``__arrow_c_stream__``.

        Or a mapping of columns (single values stand for every row), a pandas or a Polars frame.
    subject : Game, VideoPoker, Blackjack, HashedDice, Combined or str
        What the log is of: a salted-round game with its parameters; of `crypto_games` a `VideoPoker` or
        `Blackjack` with its paytable or rules; of `fpclub` the class `HashedDice` or `Combined`, where
        each row has dice of its own, or one sequence of them, whose roll i row i of the log has. Or text
        that names one of these, as the command takes it: "dice", "mines:mines=5", "stake.dice",
        "video-poker".
    columns : mapping of str to str, optional
        The log's column for each field whose column isn't called like the field. The fields depend on
        the subject; Notes lists them.
    progress : bool or callable
        Whether to show a progress bar (by tqdm), or a function of the rows done and the rows in all
        (0 where that isn't known beforehand).
    constants : mapping of str to text or int, optional
        Fields that are the same for all rows and have no column.
    csv : mapping of str to str, optional
        How CSV is written, where that can't be found out: ``separator``, by default that of the comma,
        semicolon, tab and bar which separates the first line; ``encoding``, UTF-8 by default; and, of
        numbers that are text, ``decimal``, "." or ",", and ``thousands``, the mark between groups of digits.
    game_column : str, optional
        The column that names each row's game, in a log of several. The subject then maps its values to
        games, ``{"Dice": "stake.dice", "Mines": pf.operators.stake.Mines(5), "Slots": None}``, None for
        those that are passed over; or it is the name of an operator, or None, for games by their names.
        Parameters of the games may have columns, too.
    seeds : path, mapping, frame or Arrow data, optional
        A table of seeds of its own, as histories are exported: it is joined to the rounds by the commitment
        of the server seed, or by the column that both have, such as ``seed_id``; server seeds are empty
        where they aren't revealed yet.
    seeds_by : str, optional
        That column, where both have several.
    unrevealed : {"report", "fail"}, optional
        What a row means whose server seed (or game hash) is empty: it isn't checkable yet, counted apart
        and neither right nor wrong, which is the default with `seeds`; or it fails, the default without.
    config : path or mapping, optional
        A TOML file with what the log is and how it is read, or the same as a mapping; arguments go before
        it. Its keys: ``logs`` (paths, from the file's folder), ``game`` and ``scheme`` (a file or a table),
        or ``game_column`` and the table ``games``; the tables ``columns``, ``constants`` and ``csv``;
        ``seeds``, ``seeds_by``, ``unrevealed``, ``repeats`` and ``chain_steps``.
    repeats : {"report", "fail"}
        What a row means whose round is that of an earlier row: it is reported, or it fails.
    chain_steps : int
        Of a game on a chain: how many steps are taken at most from a game's hash to the terminating one,
        where ``game_number`` doesn't say how many there are. A second is enough for ten million.
    failures : path or mapping, optional
        A file to write all failures to, a row for each: .parquet, .csv (where text that a spreadsheet may
        take for a formula gets an apostrophe) or .jsonl. The report itself keeps the first 10,000. A file
        that is there is refused, unless it is given as ``{"path": ..., "overwrite": True}``.
    threads : int, optional
        The most threads to use; as many as the machine has by default.

    Returns
    -------
    VerificationReport
        The verdict, the failures, and what they rest on.

    Raises
    ------
    LogError
        (a ValueError) If the log can't be read or lacks a column. Rows that can't be read don't raise:
        they are failures. Of several files, one that can't be read to its end is named in the report,
        whose verdict is then that not all was read; a log of one file raises, and ``error.report`` has
        the verdict on what was read.
    TypeError, ValueError
        If an argument isn't what it should be.

    Notes
    -----
    What the subject is, which fields its log has, and what ``outcome`` may be:

    a salted-round game
        ``server_seed``, ``client_seed`` (both not needed for multi-player games), ``salt``, ``outcome``;
        where the log has them, the game's own parameters (``mines``, ``spins``, ``pins``, ``balls``,
        ``tickets``), which go before the subject's, and ``commitment`` and ``salt_commitment``: SHA-256
        of the server seed and of the salt. (Where a log has no ``salt_commitment`` and the first of its
        commitments is a salt's, ``commitment`` is read as that of the salts, as sessions logged it once.)
        Outcomes may be numbers, text ("2.02"), and where an outcome has several values lists or JSON
        lists ("[11, 8, 18]"), nested or flat. Numbers are compared as exact values, not their spelling:
        2.020 is 2.02.
    any other game: an operator's, one of one's own, one under another scheme
        The fields of its scheme, ``outcome``, and where the log has them the game's whole-number parameters
        and ``commitment``, as the scheme defines it. Of a game on a chain also ``terminating``, the hash
        before the first game's: it is announced beforehand, and each game's hash must lead to it. Where
        ``game_number`` is there as well (1 for the first game), it must in exactly as many steps, or the row
        fails; elsewhere a game that isn't followed that far is no failure, but ``unknown`` says so.
    `VideoPoker`
        ``server_seed``, ``client_seed``, ``outcome``; where the log has them, ``nonce``, ``hold`` (five
        booleans or positions from 1, as a list or JSON; the best hold where it is empty or missing) and
        ``commitment``. The outcome is the ten cards dealt, the final hand of five, or what it pays; a pay
        may be a fraction, also as text ("6/5").
    `Blackjack`
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
    >>> print(pf.verify(throws, pf.fpclub.Combined).failures[0])
    row 1: mismatch in column 'outcome': found 55, expected 13
    """
    log, plan = log_and_plan(
        config,
        threads,
        log=log,
        subject=subject,
        columns=columns,
        constants=constants,
        csv=csv,
        game_column=game_column,
        seeds=seeds,
        seeds_by=seeds_by,
        unrevealed=unrevealed,
        repeats=repeats,
        chain_steps=chain_steps,
    )
    if failures is None:
        return check_rows(plan, log, progress).conclude()
    with failure_file(failures, log) as file:
        return check_rows(plan, log, progress, file).conclude(file)


Look = Callable[[Batch, dict[str, Any], Found, Games, Totals], None]
"""Looks at a batch: its columns by field, as they are read, what was found in it, which games of chains its
rows are of, what came up before it."""


def check_rows(
    plan: Plan,
    log: object,
    progress: Progress = False,
    failures: Failures | None = None,
    look: Look | None = None,
) -> Totals:
    """Check all rows of a log; another one may look at them as well."""
    plan.source = source = open_log(log, plan.wanted_columns)
    totals = Totals(plan, source.masked)
    totals.passed_over = source.passed_over
    with ProgressBar(source.rows or 0, progress) as report, closing(source.pieces()) as pieces:
        for piece in pieces:
            totals.begin(piece.evidence)
            try:
                for batch in piece.batches():
                    read, columns, found, games = check_batch(batch, totals, report=report)
                    if look is not None:
                        look(batch, read, found, games, totals)
                    totals.add(batch, columns, found, failures, games)
                    if report is not None:
                        report(totals.checked)
            except LogError as error:
                totals.break_off(error)
    return totals


def check_batch(
    batch: Batch, totals: Totals, every: bool = False, report: Report | None = None
) -> tuple[dict[str, Any], dict[str, Any], Found, Games]:
    """Return the columns of a batch, as they are read and as they are shown, and what is found in it."""
    plan = totals.plan
    try:
        joined = plan.look_up(batch)
        columns = plan.columns_of(batch, joined)
        if joined is not None:
            totals.keys[joined.key] = None
            totals.unknown_seeds += joined.unknown
        read = plan.read_numbers(totals.numbers, batch, columns)
        if totals.numbers.note is not None:
            totals.notes[f"{totals.where}: {plain(totals.numbers.note)}"] = None
    except LogError as error:
        raise LogError(f"{totals.where}: ", *error.args) from None
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
    )
    hidden = plan.unrevealed(read, batch.rows, joined) if plan.secrets else None
    try:
        if hidden is not None:
            hidden &= plan.system.concerns(read, batch.rows)
        if hidden is not None and hidden.any():
            shown = np.flatnonzero(~hidden)
            part = (shown, plan.system.verify(rows.some(shown)))
            found: Found = Findings([part], {UNREVEALED: np.flatnonzero(hidden)})
        else:
            found = plan.system.verify(rows)
        # What was found is shown as it is written there.
        return read, read | ({FIELD: columns[FIELD]} if FIELD in columns else {}), found, rows.games
    except LogError as error:
        raise LogError(f"{totals.where}: ", *error.args) from None
    except (TypeError, ValueError) as error:
        name = str(error).partition(" ")[0]
        called = plan.columns(batch).get(name) or name
        where = f"{totals.where}: column {called!r}" if name in plan.fields else totals.where
        raise LogError(f"{where}: {error}") from None


def _argument(field: Field, column: object, rows: int) -> object:
    """Return a column as the engine takes it: one text may stand for all rows."""
    if not isinstance(column, Constant):
        if not rows:
            return []  # whatever type its library gives to nothing
        # A list of numbers is refused where text is needed, as an array of them is.
        return typed(column) if field.text else column
    value = column.value
    return value if field.text or isinstance(value, (str, bytes)) else [value] * rows
