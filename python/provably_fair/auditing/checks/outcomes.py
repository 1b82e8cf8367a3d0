"""Frequencies of outcomes, against an exact law."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from contextlib import suppress
from copy import copy
from functools import cached_property
from typing import Any

import numpy as np

from provably_fair._core.counts import bincount
from provably_fair._core.printable import counted
from provably_fair._engine import count_numbers
from provably_fair.distribution import Distribution
from provably_fair.distribution.lookup import Lookup
from provably_fair.games import Game
from provably_fair.games.fairness import looks_of
from provably_fair.games.laws import knows_law
from provably_fair.verification import VerificationReport

from ..check import Check
from ..claims import Claim, Settled, label_of
from ..evidence import fit, groups_of
from ..finding import KEPT_ROWS, Finding
from ..records import Records
from ..sums import RowNumbers, rows_of
from .wording import evidence

# Views of an outcome take turns, so that each row is used by one of them.
_TURN = 1 << 12
# Draws whose outcomes are fast to enumerate, where a game's class doesn't know the laws of its views.
_FEW, _FEW_ONE_BY_ONE = 1 << 20, 1 << 12


class _View:
    """Frequencies of one view of outcomes."""

    def __init__(self, name: str, law: Distribution) -> None:
        self.name, self.law = name, law
        self._begins = groups_of(law)
        self.counts = np.zeros(len(self._begins), np.int64)
        self.outside = 0
        self.rows: list[int] = []

    @cached_property
    def _lookup(self) -> Lookup:
        return Lookup(self.law.outcomes)

    @cached_property
    def _group_of(self) -> np.ndarray:
        """The group of each outcome of the law; the last entry, at -1, is that of others."""
        groups = np.repeat(np.arange(len(self._begins)), np.diff(self._begins, append=len(self.law)))
        return np.append(groups, RowNumbers.NONE).astype(np.uint8)

    def add_values(self, values: np.ndarray) -> np.ndarray:
        """Count values, and return their groups."""
        groups: np.ndarray = self._group_of[self._lookup.places(values)]
        counts = count_numbers(groups, RowNumbers.NONE + 1)
        self.counts += counts[: len(self.counts)]
        self.outside += int(counts[RowNumbers.NONE])
        return groups

    def add_settled(self, settled: Settled) -> np.ndarray:
        """Count the values that a bet depends on in settled rows, and return their groups."""
        came_up = settled.tally
        groups: np.ndarray = self._group_of[came_up.numbers]
        self.counts += bincount(groups, came_up.counts, len(self.counts)).astype(np.int64)
        if came_up.counts.sum() < settled.cells.size:
            outside = np.flatnonzero(settled.cells.ravel() < 0)
            self.outside += outside.size
            rows = settled.places[outside // settled.cells.shape[1]]
            self.rows = sorted({*self.rows, *rows[:KEPT_ROWS].tolist()})[:KEPT_ROWS]
        groups = self._group_of[settled.cells]
        return groups

    def of(self, groups: np.ndarray) -> _View:
        """Return the view with the frequencies of these groups."""
        view = copy(self)
        view.counts = count_numbers(groups.ravel(), len(self.counts))
        return view

    def merge(self, later: _View, rows: int) -> None:
        self.counts += later.counts
        self.outside += later.outside
        self.rows = sorted({*self.rows, *(row + rows for row in later.rows)})[:KEPT_ROWS]

    @property
    def weights(self) -> list[int]:
        ends = [*self._begins[1:].tolist(), len(self.law)]
        return [sum(self.law.weights[a:b]) for a, b in zip(self._begins.tolist(), ends, strict=True)]

    @property
    def pvalue(self) -> float:
        return 0.0 if self.outside else fit(self.counts, self.weights)

    def figure(self) -> list[dict[str, Any]]:
        """Return observed and expected frequencies."""
        total, weights = sum(self.weights), self.weights
        seen = int(self.counts.sum())
        labels = self.law.outcomes[self._begins].tolist()
        return [
            {"from": label_of(label), "observed": count, "expected": seen * weight / total}
            for label, count, weight in zip(labels, self.counts.tolist(), weights, strict=True)
        ]

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_group_of", "_lookup")}


class Outcomes(Check):
    """Frequencies of outcomes, against the claimed game's exact law.

    Rows of one round have one outcome: exports that overlap have such, and logs with a row for each bet. Only
    the first row of a round is an independent draw, but which these are is known at the end. So the groups
    that outcomes fall in are kept by row, to count those of first rows alone.
    """

    state = ("_others", "_bet", "_of_bet", "_of_looks")

    def __init__(self, claim: Claim | None, game: Game, numbers: Mapping[str, int]) -> None:
        self.claim = claim
        self._numbers = numbers
        self._others = 0  # rows of other parameters, which have another law
        self.game: Game = claim.game if claim is not None and claim.looks else game
        self._repeated = np.zeros(0, np.int64)
        self._cut: int | None = None  # the end of the rows that are tested, unless all are
        self._views: list[_View] | None = None
        # The result of the bet, if there is one that looks at outcomes
        self._bet: list[_View] = []
        if claim is not None and claim.looks:
            self._bet = [_View("result of the bet", claim.values)]
        self._of_bet, self._of_looks = RowNumbers(), RowNumbers()

    def _looks(self) -> list[_View]:
        """Return the game's views of outcomes whose laws are fast to compute."""
        if self._views is None:
            self._views, game = [], self.game
            if knows_law(game, _FEW if game.vectorized else _FEW_ONE_BY_ONE):
                with suppress(ValueError, TypeError, NotImplementedError):
                    self._views = [
                        _View(look.title, game.distribution("as_drawn", **look.subject))
                        for look in looks_of(game)
                    ]
        return self._views

    def update(self, records: Records) -> None:
        if self.claim is not None and self._bet:
            settled = self.claim.settle(records)
            self._of_bet.put(settled.places, self._bet[0].add_settled(settled))
            kept = rows_of(settled.possible)
            outcomes, places = records.outcomes[settled.rows][kept], settled.places[kept]
        else:
            kept = ~records.wrong
            mine = kept & records.of_parameters(self._numbers)
            self._others += int(kept.sum() - mine.sum())
            rows = rows_of(mine)
            outcomes, places = records.outcomes[rows], records.places[rows]
        views = self._looks()
        if not views or not len(places):
            return
        outcomes = outcomes.reshape(-1, *self.game.shape)
        looks = looks_of(self.game)
        turns = places // _TURN % len(views)
        edges = [0, *(np.flatnonzero(np.diff(turns)) + 1).tolist(), len(turns)]
        for start, end in itertools.pairwise(edges):
            which = int(turns[start])
            groups = views[which].add_values(self.game.observe(outcomes[start:end], **looks[which].subject))
            self._of_looks.put(places[start:end], groups)

    def merge(self, later: Outcomes, rows: int) -> None:
        super().merge(later, rows)
        for mine, other in zip(self._looks(), later._looks(), strict=True):
            mine.merge(other, rows)

    def leave_out(self, rows: np.ndarray) -> None:
        self._repeated = rows

    def _of_rounds(self, verified: VerificationReport) -> list[_View]:
        """Return the frequencies in rows that are the first of their round."""
        bet, looks = self._of_bet.values, self._of_looks.values
        first = np.ones(max(len(bet), len(looks)), bool)
        first[self._repeated[self._repeated < len(first)]] = False
        if len(self._repeated) < verified.repeats.count:
            first[self._repeated[-1] :] = False
        turns = np.arange(len(looks)) // _TURN % max(len(self._looks()), 1)
        found = [view.of(bet[first[: len(bet)]]) for view in self._bet]
        found += [
            view.of(looks[first[: len(looks)] & (turns == turn)]) for turn, view in enumerate(self._looks())
        ]
        tested = int(np.count_nonzero(first))
        self._cut = tested if tested + verified.repeats.count < verified.checked else None
        return found

    def unknown(self) -> list[str]:
        if self._cut is not None:
            return [
                f"too many rows: whether outcomes follow their law was tested in {self._cut:,} rounds alone"
            ]
        if self._bet or self._looks():
            others = (
                f"{counted(self._others, 'row')} of other parameters: how often outcomes came up in these"
            )
            return [others] if self._others else []
        return [f"no law of {self.game!r} is found soon: how often outcomes came up isn't tested"]

    def findings(self, verified: VerificationReport) -> list[Finding]:
        """Return the test of frequencies: the smallest p-value of all views, corrected for their number."""
        views = [*self._bet, *self._looks()]
        if verified.repeats.count:
            views = self._of_rounds(verified)
        views = [view for view in views if view.counts.sum() or view.outside]
        if not views:
            return []
        pvalues = [view.pvalue for view in views]
        place = int(np.argmin(pvalues))
        view, pvalue = views[place], min(1.0, pvalues[place] * len(views))
        rounds = int(view.counts.sum()) + view.outside
        if view.outside:
            text = f"{view.outside:,} of {rounds:,} outcomes are impossible under the law of {self.game!r}."
        else:
            figure = max(
                view.figure(),
                key=lambda one: (one["observed"] - one["expected"]) ** 2 / (one["expected"] or 1),
            )
            text = (
                f"In {rounds:,} rounds, {figure['from']} ({view.name}) came up {figure['observed']:,} times; "
                f"the law of {self.game!r} expects {figure['expected']:,.1f}."
            )
        counts = {"look": view.name, "looks": len(views), "rounds": rounds, "counts": view.figure()}
        count = view.outside or rounds
        return [evidence("outcomes_unfair", pvalue, text, counts, view.rows, count, ("outcome",))]
