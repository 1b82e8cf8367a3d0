"""Verdicts for every row of a data frame."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack

from provably_fair._core.errors import BadType
from provably_fair.sources import is_path
from provably_fair.sources.foreign import DType, in_form_of

from .counts import REPEATED, kind_of_failure
from .log import LogOptions, with_log_options
from .plan import planned
from .report import NO_ROOM
from .systems import FIELD, OTHER_GAME, UNREVEALED, Found
from .verified import Verified

NOT_SHOWN = "not shown"


@with_log_options
def check(
    log: object = None, game: object = None, *, threads: int | None = None, **options: Unpack[LogOptions]
) -> Any:
    """Return a verdict for every row of a log in memory.

    Parameters
    ----------
    log : Log, DataFrame, Arrow data, mapping of columns, list of rows, Query, cursor or iterator
        The log; `verify` takes files as well.
    game, threads
        See `verify`.
    **options
        Options for reading the log; see `Log`.

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
    >>> log = pd.DataFrame({"first": ["31", "23"], "second": ["45", "56"], "outcome": ["16", "55"]})
    >>> pf.check(log, "combined-dice")
      expected     ok      kind
    0       16   True      None
    1       13  False  mismatch
    """
    log, plan = planned(log, game, options, threads)
    if is_path(log):
        raise BadType("log", "must be in memory: verify reads files")
    checked = Verified.of(plan, log)
    expected: list[Any] = []
    kinds: list[str | None] = []
    for piece in checked.pieces(every=True):
        for batch in piece.batches():
            _add(batch.found, batch.rows.count, expected, kinds)
    if plan.repeats_fail and checked.replays.lost:
        raise OSError(f"log: {checked.replays.lost:,} rows weren't compared for repeats: {NO_ROOM}")
    if plan.repeats_fail:
        for _, row in checked.replays.find(0, True, plan.threads)[3]:
            kinds[row] = kinds[row] or REPEATED
    verdicts = {
        "expected": expected,
        "ok": [None if kind in (UNREVEALED, OTHER_GAME, NOT_SHOWN) else kind is None for kind in kinds],
        "kind": kinds,
    }
    if isinstance(log, Mapping):
        return verdicts
    if isinstance(log, (list, tuple)):
        return [dict(zip(verdicts, row, strict=True)) for row in zip(*verdicts.values(), strict=True)]
    return in_form_of(log, verdicts, {"expected": plan.system.kind, "ok": DType("truth"), "kind": DType()})


def _add(found: Found, count: int, expected: list[Any], kinds: list[str | None]) -> None:
    """Append the verdicts of a batch, row by row."""
    start = len(expected)
    expected += [None] * count
    kinds += [None] * count
    for reason, hidden in found.unchecked.items():
        for row in hidden.tolist():
            kinds[start + row] = reason
    findings = zip(found.rows.tolist(), found.kinds.tolist(), found.numbers.tolist(), strict=True)
    for i, (row, kind, number) in enumerate(findings):
        field = found.fields[number]
        if field == FIELD:
            expected[start + row] = found.expected(i)
        if kind and kinds[start + row] is None:
            kinds[start + row] = kind_of_failure(kind, field)
    if found.chained is not None:
        for row in found.chained.places[found.chained.numbers < 0].tolist():
            kinds[row] = kinds[row] or NOT_SHOWN
