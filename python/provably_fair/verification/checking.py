"""Checking logs: every row recomputed, every difference reported."""

from __future__ import annotations

from typing import Unpack

from provably_fair._core.progress import Progress

from .concluding import conclude
from .failures import failure_file
from .log import LogOptions, with_log_options
from .plan import planned
from .report import VerificationReport
from .verified import Verified


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
        The game of the log, with its parameters, or a deal at its table. For `fpclub`, the class `HashedDice`
        or `Combined` if each row has its own dice, or a single sequence if row i of the log has its roll i.
        Or text that names one of these, as on the command line: "dice",
        "mines:mines=5", "stake.dice", "video-poker".
    **options
        Options for reading the log; see `Log`.
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
    Games, the fields of their logs, and the possible values of ``outcome``:

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
        ``game_number`` is there as well (1 for the first game; bustabit's have the numbers of its site), it
        must in exactly as many steps, or the row fails; elsewhere a game that isn't followed that far is no
        failure, but ``unknown`` says so. Of a scheme that names its beacon also ``beacon_round``, whose
        signature ``beacon_signature`` must be (with ``previous_signature``, of chained rounds), or
        ``block_header``, whose hash must be the one hashed.
    a deal at a table of video poker, of any operator and under any scheme
        The fields of its scheme, ``outcome``, and where the log has them ``hold`` (five booleans or positions
        from 1, as a list or JSON; the best hold where it is empty or missing) and ``commitment``. The outcome
        is the ten cards dealt, the final hand of five, or what it pays; a pay may be a fraction, also as text
        ("6/5"). A row without a hold whose outcome takes another hold than the best one fails as ``missing``.
    a deal at a table of blackjack
        The same with ``actions`` instead of ``hold``: a list, a JSON list, or words with commas or spaces
        between them. The outcome is the first cards of the shoe, as many as are logged, or the net win in
        bets that the actions lead to, a number or a fraction. Notes count the rows with fewer cards than the
        hand has, and those with actions beside cards that don't allow them.
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
    with failure_file(failures, source, plan.inputs, plan.keep) as file:
        return conclude(Verified.of(plan, source).walk(progress, file), file)
