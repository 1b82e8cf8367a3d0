"""Published values in a chosen spelling: a game's hash in capitals has another outcome."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

from provably_fair.readings.search import is_sure
from provably_fair.seeds.schemes import spelled
from provably_fair.sources.foreign import cell
from provably_fair.verification import VerificationReport
from provably_fair.verification.systems import FIELD

from ..check import Check, Context
from ..finding import KEPT_ROWS, Finding
from ..records import Records
from .wording import facts

_BOUND = 1e-9
"""The largest probability that wrong outcomes fit another spelling by chance."""


def checks(context: Context) -> list[Check]:
    """Return the checks of this subject."""
    scheme = context.system.scheme
    return [] if scheme is None or not spelled(scheme) else [Spelling(context)]


class Spelling(Check):
    """Outcomes of another spelling of a published value, in a log that has the published one as well."""

    def __init__(self, context: Context) -> None:
        self._game = context.game
        self._fields = context.fields
        self._spelled = spelled(context.game.scheme)
        self._kept: list[tuple[int, dict[str, Any]]] = []

    def update(self, records: Records) -> None:
        names = [name for name in self._fields if records.has(name)]
        rows = records.rows_with("malformed", self._spelled).tolist()
        for row in rows[: KEPT_ROWS - len(self._kept)]:
            cells = {name: cell(records.columns[name], row) for name in (*names, FIELD)}
            self._kept.append((int(records.places[row]), cells))

    def merge(self, later: Any, rows: int) -> None:
        more = later._kept[: KEPT_ROWS - len(self._kept)]
        self._kept += [(place + rows, cells) for place, cells in more]

    def findings(self, verified: VerificationReport) -> list[Finding]:
        # A log with one spelling throughout, say capitals, left no choice.
        if not self._kept or verified.failed == verified.checked:
            return []
        from provably_fair.verification.suggestions import joined_rows, read_row, respelled

        read = {place: row for place, cells in self._kept if (row := read_row(self._game, cells)) is not None}
        found = respelled(self._game, joined_rows([*read.values()]))
        if found is None:
            return []
        fields, (published, logged) = found
        chosen = replace(logged, which=logged.which & ~published.which)
        if not chosen.matched or not is_sure(chosen.pvalue, 1, _BOUND):
            return []
        text = (
            "{n} row[|s] [has|have] the outcome of another spelling of {names} than the published one "
            "(first: row {first}): every spelling has an outcome of its own, so it could be chosen."
        )
        rows = list(itertools.compress(read, chosen.which))
        names = " and ".join(fields)
        return facts("respelled", "proof", text, rows, *fields, names=names)
