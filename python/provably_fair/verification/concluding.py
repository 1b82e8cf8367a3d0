"""The verdict on a verified log."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

import numpy as np

from provably_fair._core.printable import decoded
from provably_fair._core.types import JsonDict

from .again import Again
from .counts import KEPT_FAILURES, REPEATED, Counts
from .failure import Failure, to_json_value
from .failures import Failures
from .likely import likely_columns
from .plan import Plan
from .report import Repeats, Run, VerificationReport, versions
from .systems import COMMITMENT, SALT_COMMITMENT, chains, read_as
from .systems.beacons import BEACON_SIGNATURE, BLOCK_HEADER
from .verified import Verified

_BYTES_SHOWN = re.compile(r"b(['\"]).*\1", re.DOTALL)
_KEPT_REPEATS = 1000


def conclude(log: Verified, failures: Failures | None = None) -> VerificationReport:
    """Return the verdict; raise if the log, or its only file, couldn't be read to its end."""
    plan, counts, error = log.plan, log.counts.copied(), log.counts.files.error
    counts.files.error = None
    again = Again(plan, log.source)
    repeats = _repeats(log, counts, again, failures)
    committed = counts.tally.committed
    of_all = (COMMITMENT, SALT_COMMITMENT, BEACON_SIGNATURE, BLOCK_HEADER)
    counts.tally.committed = Counter({name: committed[name] for name in of_all if name in plan.fields})
    report = VerificationReport(
        plan.system.name,
        _parameters(plan, counts),
        counts,
        repeats,
        log.replays.lost,
        unknown=list(chains.not_shown(counts.chains or {}, plan.chain_steps)),
        notes=_notes(plan, counts, again, bool(log.salts.found)),
        error=None if error is None or counts.files.files else str(error),
        run=Run(log.started.isoformat(timespec="seconds"), time.perf_counter() - log.clock, versions()),
        again=again,
        _repeats_fail=plan.repeats_fail,
        _progress=log.progress,
    )
    if error is not None and (len(report.files) < 2 or not counts.tally.rows):
        error.report = report if counts.tally.rows else None
        raise error
    return report


def _repeats(log: Verified, counts: Counts, again: Again, failures: Failures | None) -> Repeats:
    """Return the repeated rounds; if these fail, count and keep them as failures."""
    fail = log.plan.repeats_fail
    every = fail and (failures is not None or counts.kept.mask is not None)
    most = KEPT_FAILURES if fail else _KEPT_REPEATS
    repeated, right, first, pairs = log.replays.find(most, every, log.plan.threads)
    rows = np.array([row for _, row in pairs], np.int64) if fail else None
    if fail and repeated:
        counts.tally.kinds[REPEATED] = repeated
        counts.tally.failed += right
        shown = first if failures is None else sorted(pairs, key=lambda pair: pair[1])
        repeated_rows = _repeated_rows(counts, again, shown)
        while some := list(islice(repeated_rows, KEPT_FAILURES)):
            counts.kept.add_repeats(some)
            if failures is not None:
                failures(some)
    return Repeats(log.replays.compared, repeated, first[:_KEPT_REPEATS], rows)


def _repeated_rows(counts: Counts, again: Again, pairs: Sequence[tuple[int, int]]) -> Iterator[Failure]:
    """Yield the failures of rows, in rising order, that repeat an earlier round."""
    cells = again.kept([row for _, row in pairs]) if again.plan.keep else iter(())
    kept_row, kept = next(cells, (-1, {}))
    for earlier, row in pairs:
        while 0 <= kept_row < row:
            kept_row, kept = next(cells, (-1, {}))
        file, place = counts.files.file_of(row)
        found = kept if kept_row == row else {}
        yield Failure(row, REPEATED, None, f"the round of row {earlier}", "", file, place, found)


def _parameters(plan: Plan, counts: Counts) -> JsonDict:
    """Return the parameters of the verdict, and the columns that were read."""
    parameters = plan.system.parameters()
    parameters["columns"] = {name: counts.columns.called.get(name) for name in plan.candidates}
    if plan.constants:
        parameters["constants"] = {name: to_json_value(value) for name, value in plan.constants.items()}
    said = {
        "csv": plan.csv.given(),
        "keep": list(plan.keep),
        "time_formats": plan.time_formats,
        "about": dict(plan.about),
        "title": plan.system.title,
    }
    return parameters | {name: value for name, value in said.items() if value}


def _notes(plan: Plan, counts: Counts, again: Again, of_salts: bool) -> list[str]:
    """Return notes for the report: assumptions, and how cells were read."""
    tally = counts.tally
    unread = counts.columns.unread
    notes = [*counts.columns.notes, *plan.system.notes(tally.rows, tally.assumed, tally.committed, unread)]
    lacking = [
        one.name
        for one in plan.system.fields
        if not (
            one.needed or one.default or one.name in plan.constants or counts.columns.called.get(one.name)
        )
    ]
    notes += [
        f"column {column!r} isn't read: columns={{{name!r}: {column!r}}} says that it is the {name}"
        for name, column in likely_columns((), lacking, unread).items()
        if name != column
    ]
    notes += chains.notes(counts.chains, chains.TERMINATING not in lacking)
    notes += [
        f"{name} has cells such as {to_json_value(value)}, which is how Python shows bytes: "
        "seeds must be written to files as text, salts.astype(str) or seed.decode()"
        for name, value in _first_texts(counts, _BYTES_SHOWN.fullmatch).items()
    ]
    notes += [
        f"{name} has cells with blanks around them, such as {value!r}: they are hashed as they stand"
        for name, value in _first_texts(counts, lambda text: "" != text.strip() != text).items()
        if name in plan.fields and plan.fields[name].text
    ]
    notes += [f"seeds are joined by the column {key}" for key in counts.columns.keys]
    if tally.unknown_seeds:
        notes.append(f"{tally.unknown_seeds:,} rows name a seed that the table of seeds doesn't have")
    if tally.differing_seeds:
        notes.append(
            f"{tally.differing_seeds:,} rows have another seed or commitment than the table of seeds has for "
            "them: that of the log is read"
        )
    notes += read_as(tally.notations)
    if plan.keep and tally.kinds[REPEATED] and not again.is_readable:
        notes.append(
            "repeated rows are shown without the columns to keep: the log can't be read a second time"
        )
    if of_salts:
        notes.append("commitment is read as that of the salts, as logs of sessions had it once")
    return notes


def _first_texts(counts: Counts, fits: Callable[[str], object]) -> dict[str, str]:
    """Return the first cell of each text field in rows that failed."""
    found: dict[str, str] = {}
    for row in counts.kept.failed.values():
        for name, value in row.items():
            text = decoded(value)
            if isinstance(text, str) and fits(text):
                found.setdefault(name, to_json_value(text))
    return found
