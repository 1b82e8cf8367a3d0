"""A verdict for every row of a data frame."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from typing import Any, Literal

from .checking import check_batch
from .foreign import in_form_of
from .plan import log_and_plan
from .report import NO_ROOM
from .sources import is_path, open_log
from .systems import FIELD, KINDS, OTHER_GAME, UNREVEALED
from .systems.chains import CHAIN_STEPS
from .totals import Totals

__all__ = ["check"]

NOT_SHOWN = "not shown"


def check(
    log: object,
    game: object = None,
    columns: Mapping[str, str] | None = None,
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
    threads: int | None = None,
) -> Any:
    """Return a verdict for every row of a log in memory.

    Parameters
    ----------
    log : DataFrame, Arrow data, mapping of columns, list of rows, Query, cursor or iterator
        The log; see `verify`, which takes files as well.
    game, columns, constants, csv, game_column, seeds, seeds_by, unrevealed, config, repeats
        See `verify`, whose subject the game is.
    chain_steps, threads
        See `verify`, whose subject the game is.

    Returns
    -------
    DataFrame, pyarrow.Table, dict or list
        In the log's own library (Arrow's for queries and iterators), with a pandas frame's own index: for
        each row ``expected``, the recomputed outcome (None where the seeds can't be read); ``ok``; and
        ``kind``, what is wrong (see `Failure`; None where nothing is, the first thing where several are).
        Where a row isn't checkable, or isn't shown to be on its chain, ``ok`` is missing, and ``kind`` says
        why.

    Raises
    ------
    LogError
        (a ValueError) If the log lacks a column, or can't be read.
    TypeError, ValueError
        If an argument isn't what it should be.

    Examples
    --------
    >>> import pandas as pd
    >>> import provably_fair as pf
    >>> log = pd.DataFrame({"first": ["31", "23"], "second": ["45", "56"], "outcome": ["16", "55"]})
    >>> pf.check(log, "combined-dice")
      expected     ok      kind
    0       16   True      None
    1       13  False  mismatch
    """
    if is_path(log):
        raise TypeError("log must be in memory: verify reads files")
    log, plan = log_and_plan(
        config,
        threads,
        log=log,
        subject=game,
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
    source = open_log(log, plan.wanted_columns)
    totals = Totals(plan, True)
    expected: list[Any] = []
    kinds: list[str | None] = []
    with closing(source.pieces()) as pieces:
        for piece in pieces:
            for batch in piece.batches():
                *_, found, games = check_batch(batch, totals, every=True)
                start = len(expected)
                expected += [None] * batch.rows
                kinds += [None] * batch.rows
                for reason, hidden in getattr(found, "unchecked", {}).items():
                    for row in hidden.tolist():
                        kinds[start + row] = reason
                findings = zip(found.rows.tolist(), found.kinds.tolist(), found.numbers.tolist(), strict=True)
                for i, (row, kind, number) in enumerate(findings):
                    field = found.fields[number]
                    if field == FIELD:
                        expected[start + row] = found.expected(i)
                    if kind and kinds[start + row] is None:
                        kinds[start + row] = field if KINDS[kind] == "commitment" else KINDS[kind]
                for row in games.places[games.numbers < 0].tolist():
                    kinds[row] = kinds[row] or NOT_SHOWN

    if plan.repeats_fail and totals.replays.lost:
        raise OSError(f"log: {totals.replays.lost:,} rows weren't compared for repeats: {NO_ROOM}")
    if plan.repeats_fail:
        for _, row in totals.replays.find(0, True, plan.threads)[3]:
            kinds[row] = kinds[row] or "repeated"
    verdicts = {
        "expected": expected,
        "ok": [None if kind in (UNREVEALED, OTHER_GAME, NOT_SHOWN) else kind is None for kind in kinds],
        "kind": kinds,
    }
    if isinstance(log, Mapping):
        return verdicts
    if isinstance(log, (list, tuple)):
        return [dict(zip(verdicts, row, strict=True)) for row in zip(*verdicts.values(), strict=True)]
    return in_form_of(log, verdicts)
