"""Which rounds were played, of those that could have been: whether seeds were chosen with the bet in mind.

Every row of such a log verifies, so only frequencies can tell. Each check looks where a cheat has to leave
its mark, and nowhere else, since every further place costs power:

- An operator who knows the bet when it picks a server seed gains on the first bet of that seed alone; the
  later ones were not placed yet. So first bets are tested by themselves. A low sum isn't enough (the whole
  log may be low for another reason): they must also be low beside all other bets, and the larger p-value
  of both counts.
- An operator that draws two salts and plays the worse one shifts each amount from its law f to that of the
  minimum of two. If only a share s of the rounds is ground, the law is f + s (min - f), and the most
  powerful test of a small s (the score test) adds up min/f - 1 over the rounds. The scores are rounded to
  whole numbers: their sum then has an exact law, and no normal approximation is needed.
- A hidden bias shows in how often outcomes come up. Games of many values are looked at from several sides;
  each block of rows goes to one of them in turn, so the sides are independent and Bonferroni's bound is
  not lost on rows that are counted several times.
"""

from __future__ import annotations

from copy import copy
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from provably_fair._engine import changes_by_key, run_starts
from provably_fair.bets.grinding import share_of_counts
from provably_fair.distribution import Distribution
from provably_fair.distribution.lookup import Lookup
from provably_fair.games import Game
from provably_fair.games.fairness import looks_of
from provably_fair.games.laws import knows_law
from provably_fair.verification import VerificationReport

from ..check import Check, Context
from ..claims import Claim, Settled, label_of
from ..evidence import Against, fit, groups_of, sum_pvalue
from ..finding import Finding
from ..records import Records, whole
from ..sums import FirstRows, RowNumbers, exact_sum, rows_of
from .times import lacking

_SALTS = 2
_PLAYERS = 10_000
_SCORES = 16
# Looks at an outcome take turns, so that each row is looked at in one way.
_TURN = 1 << 12
_FEW, _FEW_ONE_BY_ONE = 1 << 20, 1 << 12


def checks(context: Context) -> list[Check]:
    """Return the checks of this subject."""
    claim = context.claim
    found: list[Check] = []
    if claim is not None and claim.says_returns:
        if "server_seed" in context.plan.fields:
            found.append(FirstRounds(claim))
            found.append(Unrevealed(claim))
        found.append(Untimed(claim))
        if "salt" in context.fields:
            found.append(GroundSalts(claim))
    if isinstance(context.game, Game):
        found.append(Outcomes(claim, context.game))
    return found


class FirstRounds(Check):
    """The returns of the first bets after a change of the server seed.

    Where rounds are counted by a nonce, those of the first nonce; else those whose server seed isn't the one
    of the player's bet before, or of the row before in a log without players.
    """

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self._all = np.zeros(2, np.int64)
        self._found = np.zeros((3, 2), np.int64)
        """How many, and their parts: of nonce 0, of nonce 1, and where the server seed changed."""
        self._counted = False
        self._rows = [FirstRows(), FirstRows(), FirstRows()]
        self._players = np.zeros(0, "S16")
        self._seeds = np.zeros((2, 0), "S16")
        """The first server seed of each player, and the last."""
        self._firsts = np.zeros((3, 0), np.int64)
        """The first row of each: its place, whether it is a bet, its parts."""

    def update(self, records: Records) -> None:
        """Look at a batch of rows."""
        settled = self.claim.settle(records)
        self._all += len(settled.parts), settled.total
        if records.has_whole("nonce"):
            self._counted = True
            nonces, there = (values[settled.rows] for values in records.whole("nonce"))
            for nonce in 0, 1:
                among = np.flatnonzero(there & (nonces == nonce))
                self._add(nonce, settled.places[among], settled.parts[among])
        elif records.has("server_seed") and records.count:
            self._add_changes(records, settled)

    def _add_changes(self, records: Records, settled: Settled) -> None:
        seeds = whole(records.fingerprints("server_seed"))
        if records.has("player"):
            fields = (records.fingerprints(name) for name in ("player", "server_seed"))
            first, last, changed = changes_by_key(*fields)
            players = whole(records.fingerprints("player"))[first]
            order = np.argsort(players)
            players, first, last = players[order], first[order], last[order]
        else:
            players, first, last = np.zeros(1, "S16"), np.zeros(1, int), np.array([records.count - 1])
            changed = run_starts([records.fingerprints("server_seed")])[1:]
        rows = np.concatenate([first, changed])
        bets = np.zeros((3, len(rows)), np.int64)
        bets[0] = records.places[rows]
        if isinstance(settled.rows, slice):
            bets[1], bets[2] = 1, settled.parts[rows]
        else:
            _, found, at = np.intersect1d(rows, settled.rows, return_indices=True)
            bets[1, found], bets[2, found] = 1, settled.parts[at]
        firsts, later = bets[:, : len(first)], bets[:, len(first) :]
        self._add(2, *later[:, later[1] > 0][[0, 2]])
        self._join(players, seeds[np.stack([first, last])], firsts)

    def _join(self, players: np.ndarray, seeds: np.ndarray, firsts: np.ndarray) -> None:
        """Append rows: of each player the first and the last server seed, and the first row."""
        at = np.searchsorted(self._players, players)
        known = at < len(self._players)
        known[known] = self._players[at[known]] == players[known]
        changed = known.copy()
        changed[known] = seeds[0, known] != self._seeds[1, at[known]]
        changed &= firsts[1] > 0
        self._add(2, *firsts[:, changed][[0, 2]])
        self._seeds[1, at[known]] = seeds[1, known]
        if not known.all():
            both = np.concatenate([self._players, players[~known]])
            # Of more players than are kept, those whose fingerprints are smallest: once left out, never back.
            order = np.argsort(both)[:_PLAYERS]
            self._players = both[order]
            self._seeds = np.concatenate([self._seeds, seeds[:, ~known]], axis=1)[:, order]
            self._firsts = np.concatenate([self._firsts, firsts[:, ~known]], axis=1)[:, order]

    def _add(self, which: int, places: np.ndarray, parts: np.ndarray) -> None:
        self._found[which] += places.size, exact_sum(parts)
        self._rows[which].add(np.sort(places))

    def merge(self, later: FirstRounds, rows: int) -> None:
        """Append what another one knows of the rows that follow."""
        self._all += later._all
        for mine, other in zip(self._rows, later._rows, strict=True):
            mine.merge(other, rows)
        self._found += later._found
        self._counted |= later._counted
        self._join(later._players, later._seeds, later._firsts + np.array([[rows], [0], [0]]))

    @property
    def _which(self) -> int:
        """Which first rounds are looked at: nonces start at 0, or else at 1."""
        return (0 if self._found[0, 0] else 1) if self._counted else 2

    def findings(self, verified: VerificationReport) -> list[Finding]:
        """Return the test of the first bets' returns, if all others weren't as low."""
        bets, parts = self._found[self._which].tolist()
        if not bets:
            return []
        unit = self.claim.unit * self.claim.bets
        low = sum_pvalue(self.claim.law, bets, Fraction(parts, unit), "less")
        others = Against(self.claim.law).apart(
            np.array([bets]), np.array([parts / unit]), int(self._all[0]), float(self._all[1] / unit)
        )
        low = max(low, float(others[0, 0]))
        expected, each = self.claim.law.mean(), parts / unit / bets
        text = (
            f"{bets:,} first bets after a change of the server seed returned {each:.6g} of the stake on "
            f"average; the claimed law's mean is {expected:.6g}."
        )
        figure = {"bets": bets, "returned": each, "expected": expected}
        fields = ("server_seed", "nonce", "outcome") if self._counted else ("server_seed", "outcome")
        rows = tuple(self._rows[self._which].rows)
        return [Finding("first_rounds_low", "evidence", text, rows, bets, figure, low, fields)]

    def unknown(self) -> list[str]:
        """Return why there are no first rounds."""
        if self._found[self._which, 0]:
            return []
        return ["no change of the server seed in this log: the returns of first rounds can't be seen"]


class _Hidden(Check):
    """The returns of rounds of which something is hidden: as high, and as low."""

    kinds: ClassVar[tuple[str, str]]
    """What is found where they are high, and where they are low."""
    text: ClassVar[str]
    """What is said of them, and of what that means."""
    why: ClassVar[str]
    fields: ClassVar[tuple[str, ...]]

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self._bets = 0
        self._found = np.zeros(2, np.int64)
        """How many bets, and their parts."""
        self._rows = FirstRows()

    def hidden(self, records: Records) -> np.ndarray:
        """Return which rows these are, as booleans."""
        raise NotImplementedError

    def update(self, records: Records) -> None:
        """Look at a batch of rows."""
        settled = self.claim.settle(records)
        self._bets += len(settled.parts)
        hidden = self.hidden(records)
        if not hidden.any():
            return
        among = np.flatnonzero(hidden[settled.rows])
        self._found += len(among), exact_sum(settled.parts[among])
        self._rows.add(settled.places[among])

    def merge(self, later: Any, rows: int) -> None:
        """Append what another one knows of the rows that follow."""
        self._bets += later._bets
        self._found += later._found
        self._rows.merge(later._rows, rows)

    def findings(self, verified: VerificationReport) -> list[Finding]:
        """Return the tests of their returns: as high, and as low."""
        bets, parts = self._found.tolist()
        if not bets:
            return []
        law, unit = self.claim.law, self.claim.unit * self.claim.bets
        expected, each = law.mean(), parts / unit / bets
        text = (
            f"{bets:,} {self.text} returned {each:.6g} of the stake on average; the claimed law's mean is "
            f"{expected:.6g}. {self.why}"
        )
        figure = {"bets": bets, "returned": each, "expected": expected}
        return [
            Finding(
                kind,
                "evidence",
                text,
                tuple(self._rows.rows),
                bets,
                figure,
                sum_pvalue(law, bets, Fraction(parts, unit), side),
                self.fields,
            )
            for kind, side in zip(self.kinds, ("greater", "less"), strict=True)
        ]


class Unrevealed(_Hidden):
    """The returns of rounds whose server seed isn't revealed: nobody can check their outcomes."""

    kinds = ("unrevealed_high", "unrevealed_low")
    text = "bets whose server seed isn't revealed"
    why = "Their outcomes can't be recomputed."
    fields = ("server_seed", "outcome")

    def hidden(self, records: Records) -> np.ndarray:
        """Return which rows these are, as booleans."""
        hidden = np.zeros(records.count, bool)
        hidden[records.unrevealed] = True
        return hidden


class Untimed(_Hidden):
    """The returns of rounds without a time, where others have one: they may have been too late."""

    kinds = ("untimed_high", "untimed_low")
    text = "bets without a time that can be read"
    why = "Others have one."
    fields = ("time", "commitment_time", "reveal_time", "outcome")

    def hidden(self, records: Records) -> np.ndarray:
        """Return which rows these are, as booleans."""
        return lacking(records)

    def findings(self, verified: VerificationReport) -> list[Finding]:
        """Return the tests, if some bets have their times."""
        return super().findings(verified) if self._found[0] < self._bets else []


class GroundSalts(Check):
    """Whether what was due looks like the worse of several salts, in some of the rounds."""

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self._counts = np.zeros(len(claim.amounts), np.int64)

    def update(self, records: Records) -> None:
        """Look at a batch of rows."""
        self._counts += self.claim.tally_amounts(self.claim.settle(records))

    def merge(self, later: GroundSalts, rows: int) -> None:
        """Append what another one knows of the rows that follow."""
        self._counts += later._counts

    def findings(self, verified: VerificationReport) -> list[Finding]:
        """Return the test that finds a small share of ground rounds best, and the estimate of the share."""
        law, bets = self.claim.law, int(self._counts.sum())
        worst = np.asarray(law.minimum(_SALTS).pmf(law.outcomes), np.float64)
        possible = law.probabilities > 0
        if not bets or possible.sum() < 2 or self._counts[~possible].any():
            return []
        # By how much a ground round makes each amount more likely: in whole parts, so that sums are exact.
        scores = np.zeros(len(law), np.int64)
        scores[possible] = np.rint(_SCORES * (worst[possible] / law.probabilities[possible] - 1))
        scored = law.map(scores.tolist())
        reached = sum(s * c for s, c in zip(scores.tolist(), self._counts.tolist(), strict=True))
        high = sum_pvalue(scored, bets, Fraction(reached), "greater")
        share = share_of_counts(law, self._counts, _SALTS)
        text = (
            f"The outcomes look as if {_SALTS} salts had been tried and the worse one kept in "
            f"{share.share:.2%} of the {bets:,} rounds (95% interval {share.low:.2%} to {share.high:.2%})."
        )
        figure = {"bets": bets, "salts": _SALTS, "share": share.share, "low": share.low, "high": share.high}
        return [Finding("salts_ground", "evidence", text, (), bets, figure, high, ("salt", "outcome"))]


class _View:
    """How often what is looked at came up."""

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
        """The group of each of the law's outcomes, and none of what is at -1."""
        groups = np.repeat(np.arange(len(self._begins)), np.diff(self._begins, append=len(self.law)))
        return np.append(groups, RowNumbers.NONE).astype(np.uint8)

    def add_values(self, values: np.ndarray) -> np.ndarray:
        """Count values, and return their groups."""
        groups: np.ndarray = self._group_of[self._lookup.places(values)]
        counts = np.bincount(groups, minlength=RowNumbers.NONE + 1)
        self.counts += counts[: len(self.counts)]
        self.outside += int(counts[RowNumbers.NONE])
        return groups

    def add_settled(self, settled: Settled) -> np.ndarray:
        """Count what a bet looks at, of rows that are settled, and return the groups of that."""
        which, counts = settled.tally
        self.counts += np.bincount(self._group_of[which], counts, len(self.counts)).astype(np.int64)
        outside = np.flatnonzero(settled.cells.ravel() < 0)
        if outside.size:
            self.outside += outside.size
            rows = settled.places[outside // settled.cells.shape[1]]
            self.rows = sorted({*self.rows, *rows[:1000].tolist()})[:1000]
        groups: np.ndarray = self._group_of[settled.cells]
        return groups

    def of(self, groups: np.ndarray) -> _View:
        """Return how often these groups came up."""
        view = copy(self)
        view.counts = np.bincount(groups.ravel(), minlength=RowNumbers.NONE + 1)[: len(self.counts)]
        return view

    def merge(self, later: _View, rows: int) -> None:
        self.counts += later.counts
        self.outside += later.outside
        self.rows = sorted({*self.rows, *(row + rows for row in later.rows)})[:1000]

    @property
    def weights(self) -> list[int]:
        ends = [*self._begins[1:].tolist(), len(self.law)]
        return [sum(self.law.weights[a:b]) for a, b in zip(self._begins.tolist(), ends, strict=True)]

    @property
    def pvalue(self) -> float:
        return 0.0 if self.outside else fit(self.counts, self.weights)

    def figure(self) -> list[dict[str, Any]]:
        """Return what came up beside what is expected."""
        total, weights = sum(self.weights), self.weights
        seen = int(self.counts.sum())
        labels = self.law.outcomes[self._begins].tolist()
        return [
            {"from": label_of(label), "observed": count, "expected": seen * weight / total}
            for label, count, weight in zip(labels, self.counts.tolist(), weights, strict=True)
        ]

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_group_of", "_lookup")}


def _is_quick(game: Any) -> bool:
    """Whether the laws of a game's looks are found soon: by its own class, or by trying few draws."""
    return knows_law(game, _FEW if game.vectorized else _FEW_ONE_BY_ONE)


class Outcomes(Check):
    """How often outcomes came up, against the claimed game's exact law.

    Rows of one round have one outcome: exports that overlap have such, and logs with a row for each bet. Only
    the first row of a round is an independent draw, but which these are is known at the end. So the groups
    that outcomes fall in are kept by row, to count those of first rows alone.
    """

    def __init__(self, claim: Claim | None, game: Any) -> None:
        self.claim = claim
        self.game: Any = claim.game if claim is not None and claim.looks else game
        self._repeated = np.zeros(0, np.int64)
        self._cut: int | None = None
        """Where the rows end that are tested, if not all are."""
        self._views: list[_View] | None = None
        self._bet = None if claim is None or not claim.looks else _View("result of the bet", claim.values)
        self._of_bet, self._of_looks = RowNumbers(), RowNumbers()

    def _looks(self) -> list[_View]:
        """Return the views of the game's own looks; none where their laws aren't to be had, or not soon."""
        if self._views is None and not _is_quick(self.game):
            self._views = []
        if self._views is None:
            try:
                self._views = [
                    _View(look.title, self.game.distribution("as_drawn", **look.subject))
                    for look in looks_of(self.game)
                ]
            except (ValueError, TypeError, NotImplementedError):
                self._views = []
        return self._views

    def update(self, records: Records) -> None:
        """Look at a batch of rows."""
        if self.claim is not None and self._bet is not None:
            settled = self.claim.settle(records)
            self._of_bet.put(settled.places, self._bet.add_settled(settled))
            kept = rows_of(settled.possible)
            outcomes, places = records.outcomes[settled.rows][kept], settled.places[kept]
        else:
            rows = rows_of(~records.wrong)
            outcomes, places = records.outcomes[rows], records.places[rows]
        views = self._looks()
        if not views or not len(places):
            return
        outcomes = outcomes.reshape(-1, *self.game.shape)
        looks = looks_of(self.game)
        if len(views) == 1:
            self._of_looks.put(places, views[0].add_values(self.game.observe(outcomes, **looks[0].subject)))
            return
        turns = places // _TURN
        ends = [*(np.flatnonzero(turns[1:] != turns[:-1]) + 1).tolist(), len(turns)]
        for start, end in zip([0, *ends], ends, strict=False):
            which = int(turns[start]) % len(views)
            groups = views[which].add_values(self.game.observe(outcomes[start:end], **looks[which].subject))
            self._of_looks.put(places[start:end], groups)

    def merge(self, later: Outcomes, rows: int) -> None:
        """Append what another one knows of the rows that follow."""
        if self._bet is not None and later._bet is not None:
            self._bet.merge(later._bet, rows)
        for mine, other in zip(self._looks(), later._looks(), strict=True):
            mine.merge(other, rows)
        self._of_bet.merge(later._of_bet, rows)
        self._of_looks.merge(later._of_looks, rows)

    def leave_out(self, rows: np.ndarray) -> None:
        """Leave rows that have the round of an earlier one out."""
        self._repeated = rows

    def _of_rounds(self, verified: VerificationReport) -> list[_View]:
        """Return what came up in the rows that are the first of their round."""
        bet, looks = self._of_bet.values, self._of_looks.values
        first = np.ones(max(len(bet), len(looks)), bool)
        first[self._repeated[self._repeated < len(first)]] = False
        if len(self._repeated) < verified.repeats.count:
            first[self._repeated[-1] :] = False
        turns = np.arange(len(looks)) // _TURN % max(len(self._looks()), 1)
        found = [] if self._bet is None else [self._bet.of(bet[first[: len(bet)]])]
        found += [
            view.of(looks[first[: len(looks)] & (turns == turn)]) for turn, view in enumerate(self._looks())
        ]
        tested = int(np.count_nonzero(first))
        self._cut = tested if tested + verified.repeats.count < verified.checked else None
        return found

    def unknown(self) -> list[str]:
        """Return why outcomes aren't compared with a law."""
        if self._cut is not None:
            return [
                f"too many rows: whether outcomes follow their law was tested in {self._cut:,} rounds alone"
            ]
        if self._bet is not None or self._looks():
            return []
        return [f"no law of {self.game!r} is found soon: how often outcomes came up isn't tested"]

    def findings(self, verified: VerificationReport) -> list[Finding]:
        """Return the test of how often outcomes came up: the worst look, for all of them."""
        views = [*([self._bet] if self._bet is not None else []), *self._looks()]
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
        rows = tuple(view.rows)
        return [
            Finding(
                "outcomes_unfair",
                "evidence",
                text,
                rows,
                view.outside or rounds,
                counts,
                pvalue,
                ("outcome",),
            )
        ]
