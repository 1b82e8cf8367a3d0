"""Selection of rounds: whether seeds were chosen with the bet in mind.

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

from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

import numpy as np

from provably_fair._engine import changes_by_key, run_starts
from provably_fair.bets.grinding import share_of_counts
from provably_fair.games import Game
from provably_fair.verification import VerificationReport

from ..check import Check, Context
from ..claims import Claim, Settled
from ..evidence import Against, sum_pvalue
from ..finding import Finding
from ..records import Records, whole
from ..sums import BetTotals
from .outcomes import Outcomes
from .times import lacking
from .wording import evidence, on_average

_SALTS = 2
_PLAYERS = 10_000
_SCORES = 16


def checks(context: Context) -> list[Check]:
    """Return the checks of this subject."""
    claim = context.claim
    found: list[Check] = []
    if claim is not None and claim.says_returns:
        if "server_seed" in context.plan.fields:
            found += [FirstRounds(claim), Unrevealed(claim)]
        found.append(UntimedReturns(claim))
        if "salt" in context.fields:
            found.append(GroundSalts(claim))
    if isinstance(context.game, Game):
        one_law = claim is None or claim.says_returns or not claim.looks
        found.append(Outcomes(claim if one_law else None, context.game, context.system.numbers))
    return found


class _Players(NamedTuple):
    """Players, sorted by fingerprint: the server seeds of their first and last rows, and the first row's bet.

    Of that the position, whether it is a bet, and the return due for a stake of 1, in parts.
    """

    names: np.ndarray
    first_seeds: np.ndarray
    last_seeds: np.ndarray
    places: np.ndarray
    are_bets: np.ndarray
    parts: np.ndarray

    def some(self, which: np.ndarray) -> _Players:
        """Return some of the players."""
        return _Players(*(column[which] for column in self))

    def with_more(self, more: _Players) -> _Players:
        """Return these and other players; of too many, those with the smallest fingerprints."""
        both = _Players(*map(np.concatenate, zip(self, more, strict=True)))
        return both.some(np.argsort(both.names)[:_PLAYERS])  # a player that was dropped never comes back


class FirstRounds(Check):
    """The returns of the first bets after a change of the server seed.

    Where rounds are counted by a nonce, those of the first nonce; else those whose server seed isn't the one
    of the player's bet before, or of the row before in a log without players.
    """

    state = ("_bets", "_parts", "_of_nonce", "_changed", "_counted")

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self._bets = self._parts = 0
        self._of_nonce = {0: BetTotals(), 1: BetTotals()}  # by the first nonce, which is 0 or 1
        self._changed = BetTotals()
        self._counted = False
        self._players = _Players(*(np.zeros(0, kind) for kind in ("S16", "S16", "S16", "i8", "?", "i8")))

    def update(self, records: Records) -> None:
        settled = self.claim.settle(records)
        self._bets += len(settled.parts)
        self._parts += settled.total
        if records.has_nonces():
            self._counted = True
            nonces, there = (values[settled.rows] for values in records.whole("nonce"))
            low = np.flatnonzero(nonces.view(np.uint64) <= max(self._of_nonce))  # few rows, found in one pass
            low = low[there[low]]
            for nonce, bets in self._of_nonce.items():
                among = low[nonces[low] == nonce]
                bets.add(settled.places[among], settled.parts[among])
        elif records.has("server_seed") and records.count:
            self._add_changes(records, settled)

    def _add_changes(self, records: Records, settled: Settled) -> None:
        # Without a column of players all rows are of one, without a name.
        fields = [records.fingerprints(name) for name in ("player", "server_seed")]
        starts = run_starts(fields)
        first, last, changed = (starts[runs] for runs in changes_by_key(*(field[starts] for field in fields)))
        players, seeds = map(whole, fields)
        order = np.argsort(players[first])
        first, last = first[order], last[order]
        are_bets, parts = np.zeros(records.count, bool), np.zeros(records.count, np.int64)
        are_bets[settled.rows], parts[settled.rows] = True, settled.parts
        changed = changed[are_bets[changed]]
        self._changed.add(np.sort(records.places[changed]), parts[changed])
        rows = records.places[first], are_bets[first], parts[first]
        self._join(_Players(players[first], seeds[first], seeds[last], *rows))

    def _join(self, later: _Players) -> None:
        """Append later rows by player, and count changes of the seed in between."""
        mine = self._players
        at = np.searchsorted(mine.names, later.names)
        known = at < len(mine.names)
        known[known] = mine.names[at[known]] == later.names[known]
        changed = known.copy()
        changed[known] = later.first_seeds[known] != mine.last_seeds[at[known]]
        bets = later.some(changed & later.are_bets)
        self._changed.add(np.sort(bets.places), bets.parts)
        mine.last_seeds[at[known]] = later.last_seeds[known]
        if not known.all():
            self._players = mine.with_more(later.some(~known))

    def merge(self, later: Any, rows: int) -> None:
        super().merge(later, rows)
        self._join(later._players._replace(places=later._players.places + rows))

    @property
    def _firsts(self) -> BetTotals:
        """The first rounds that are tested."""
        if not self._counted:
            return self._changed
        return self._of_nonce[0] if self._of_nonce[0].count else self._of_nonce[1]

    def findings(self, verified: VerificationReport) -> list[Finding]:
        bets, parts = self._firsts.count, self._firsts.parts
        if not bets:
            return []
        unit = self.claim.whole
        low = sum_pvalue(self.claim.law, bets, Fraction(parts, unit), "less")
        others = Against(self.claim.law).apart(
            np.array([bets]), np.array([parts / unit]), self._bets, self._parts / unit
        )
        low = max(low, float(others.low[0]))
        expected, each = self.claim.law.mean(), parts / unit / bets
        text = on_average(bets, "first bets after a change of the server seed", each, expected)
        figure = {"bets": bets, "returned": each, "expected": expected}
        fields = ("server_seed", "nonce", "outcome") if self._counted else ("server_seed", "outcome")
        return [evidence("first_rounds_low", low, text, figure, self._firsts.shown.rows, bets, fields)]

    def unknown(self) -> list[str]:
        if self._firsts.count:
            return []
        return ["no change of the server seed in this log: the returns of first rounds can't be seen"]


class _Hidden(Check):
    """The returns of rounds that lack a value: tests on both sides."""

    kinds: ClassVar[tuple[str, str]]  # the kinds of findings for high and for low returns
    text: ClassVar[str]  # their description; `why` says what it means that they lack it
    why: ClassVar[str]
    fields: ClassVar[tuple[str, ...]]

    state: ClassVar[tuple[str, ...]] = ("_bets", "_hidden")

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self._bets = 0
        self._hidden = BetTotals()

    def hidden(self, records: Records) -> np.ndarray:
        """Return a mask of these rows."""
        raise NotImplementedError

    def update(self, records: Records) -> None:
        settled = self.claim.settle(records)
        self._bets += len(settled.parts)
        hidden = self.hidden(records)
        if not hidden.any():
            return
        among = np.flatnonzero(hidden[settled.rows])
        self._hidden.add(settled.places[among], settled.parts[among])

    def findings(self, verified: VerificationReport) -> list[Finding]:
        bets, parts = self._hidden.count, self._hidden.parts
        if not bets:
            return []
        law, unit = self.claim.law, self.claim.whole
        expected, each = law.mean(), parts / unit / bets
        text = f"{on_average(bets, self.text, each, expected)} {self.why}"
        figure = {"bets": bets, "returned": each, "expected": expected}
        sides = zip(self.kinds, ("greater", "less"), strict=True)
        found = [(kind, sum_pvalue(law, bets, Fraction(parts, unit), side)) for kind, side in sides]
        rows = self._hidden.shown.rows
        return [evidence(kind, pvalue, text, figure, rows, bets, self.fields) for kind, pvalue in found]


class Unrevealed(_Hidden):
    """The returns of rounds whose server seed isn't revealed, so that nobody can check them."""

    kinds: ClassVar[tuple[str, str]] = ("unrevealed_high", "unrevealed_low")
    text = "bets whose server seed isn't revealed"
    why = "Their outcomes can't be recomputed."
    fields: ClassVar[tuple[str, ...]] = ("server_seed", "outcome")

    state = (*_Hidden.state, "_unread")

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim)
        self._unread = 0

    def update(self, records: Records) -> None:
        super().update(records)
        self._unread += len(records.unread)

    def unknown(self) -> list[str]:
        rows = f"{self._unread:,} rows whose seed isn't revealed"
        return [f"the outcomes of {rows}: the log rounds or shortens them"] if self._unread else []

    def hidden(self, records: Records) -> np.ndarray:
        hidden = np.zeros(records.count, bool)
        hidden[records.unrevealed] = True
        return hidden


class UntimedReturns(_Hidden):
    """The returns of rounds without a time in a log of times: they may have been too late."""

    kinds: ClassVar[tuple[str, str]] = ("untimed_high", "untimed_low")
    text = "bets without a time that can be read"
    why = "Others have one."
    fields: ClassVar[tuple[str, ...]] = ("time", "commitment_time", "reveal_time", "outcome")

    def hidden(self, records: Records) -> np.ndarray:
        return lacking(records)

    def findings(self, verified: VerificationReport) -> list[Finding]:
        return super().findings(verified) if self._hidden.count < self._bets else []


class GroundSalts(Check):
    """The test of whether some rounds look like the worst of several salts."""

    state = ("_counts",)

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self._counts = np.zeros(len(claim.amounts), np.int64)

    def update(self, records: Records) -> None:
        self._counts += self.claim.tally_amounts(self.claim.settle(records))

    def findings(self, verified: VerificationReport) -> list[Finding]:
        law, bets = self.claim.law, int(self._counts.sum())
        worst = np.asarray(law.minimum(_SALTS).pmf(law.outcomes), np.float64)
        possible = law.probabilities > 0
        if not bets or possible.sum() < 2 or self._counts[~possible].any():
            return []
        # How much more likely grinding makes each amount, in whole parts, so that sums are exact.
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
        return [evidence("salts_ground", high, text, figure, (), bets, ("salt", "outcome"))]
