"""Published values in a chosen spelling: a game's hash in capitals has another outcome."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from provably_fair.readings.matching import chance, values_in
from provably_fair.readings.spelling import respelled
from provably_fair.seeds.schemes import kind_of, spelled
from provably_fair.sources.foreign import as_text, cell
from provably_fair.verification import VerificationReport
from provably_fair.verification.systems import FIELD
from provably_fair.verification.systems.system import whole

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


class _Row(NamedTuple):
    place: int
    fields: dict[str, Any]
    outcome: tuple[float, ...]


class Spelling(Check):
    """Outcomes of another spelling of a published value, in a log that has the published one as well."""

    def __init__(self, context: Context) -> None:
        self._game = context.game
        self._fields = context.fields
        self._spelled = spelled(context.game.scheme)
        self._kept: list[_Row] = []

    def update(self, records: Records) -> None:
        names = [name for name in self._fields if records.has(name)]
        for row in records.rows_with("malformed", self._spelled).tolist():
            if len(self._kept) == KEPT_ROWS:
                break
            cells = {name: cell(records.columns[name], row) for name in (*names, FIELD)}
            outcome = values_in(cells.pop(FIELD))
            try:
                fields = {
                    name: int(whole(value))
                    if kind_of(self._game.scheme, name) == "number"
                    else as_text(value)
                    for name, value in cells.items()
                }
            except (TypeError, ValueError):
                continue
            if outcome is not None:
                self._kept.append(_Row(int(records.places[row]), fields, outcome))

    def merge(self, later: Any, rows: int) -> None:
        more = later._kept[: KEPT_ROWS - len(self._kept)]
        self._kept += [one._replace(place=one.place + rows) for one in more]

    def findings(self, verified: VerificationReport) -> list[Finding]:
        # A log with one spelling throughout, say capitals, left no choice.
        if not self._kept or verified.failed == verified.checked:
            return []
        fields = {name: [row.fields[name] for row in self._kept] for name in self._kept[0].fields}
        outcomes = [row.outcome for row in self._kept]
        found = respelled(self._game, fields, outcomes)
        if found is None:
            return []
        published, logged = found.right
        chosen = np.flatnonzero(logged & ~published)
        if not len(chosen) or chance(self._game, outcomes, len(chosen)) > _BOUND:
            return []
        text = (
            "{n} row[|s] [has|have] the outcome of another spelling of {names} than the published one "
            "(first: row {first}): every spelling has an outcome of its own, so it could be chosen."
        )
        rows = [self._kept[one].place for one in chosen.tolist()]
        names = " and ".join(found.fields)
        return facts("respelled", "proof", text, rows, *found.fields, names=names)
