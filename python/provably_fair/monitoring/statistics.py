"""The statistics of a watch: evidence that is valid at every look, and one level for all segments.

**Evidence.** A bettor starts with 1 and bets against a game's law, at odds that are fair under it: a bet that
returns X multiplies the wealth by exp(w (X - mean)) over the mean of that, for a wager w chosen before the
bet (`bets.wagers`). If the law holds, the wealth is a martingale that never falls below 0, so that by Ville's
inequality it ever reaches 1 / a with a probability of at most a, however stakes are chosen, and whenever
somebody looks or stops: the wealth is an e-value, and 1 over the largest it ever was is a p-value. No single
wager suits both a fault of a hundredth and one of a half. Sixty bettors share the first 1: fifteen powers of
two, on returns too high and too low, on the money and on the number of bets. What they have on average is a
martingale again, and at worst 60 times less than the best of them has. Looks need no correction.

**Windows.** A fault that begins late finds the bettors of the whole history ruined. For a rolling window of n
buckets (hours, days, or numbers of rounds) sixty more begin with each bucket, and stop after n of them with
what they have (`frozen`). The k-th sixty start with 1 / (k (k + 1)): that adds up to 1, of which those who
haven't begun yet hold 1 / (k + 1). So a window is a mixture as well, and its average with the other windows
is the evidence of a segment. The procedure of Shiryaev and Roberts gives each of them a whole 1; it notices
sooner, but what they have in all grows with time even under the law, so that it alarms in the end for sure.

**Correction.** A segment has a share of the level, decided before its first bet: half of the level is for
games, all alike, the other half for the columns of each game, of which the n-th value that ever comes has
1 / (n (n + 1)), since nobody knows how many there will be. Holm's method with weights: a segment alarms once
its p-value is at most the level times its share over the shares of all that haven't alarmed, those that never
came among them. Each alarm leaves its share to the others. The probability of any false alarm, ever, is at
most the level, although segments overlap and depend on each other.

**What was tried.** The page on statistics compares a thousand simulated years with the usual bands and with a
likelihood ratio that knows the fault. Wagers on money alone miss what is wrong with all bets where stakes are
doubled, since the few largest hide the rest. Evidence counts at the ends of batches only, so that how often
each stake brought back each amount is enough, in any order. Payouts that a bet can't make aren't bet on: they
are an alarm of their own, which takes nothing of the level.

**From.** J. Ville, Étude critique de la notion de collectif, 1939 (the inequality). G. Shafer, Testing by
betting, J. R. Stat. Soc. A 184, 2021, and A. Ramdas et al., Game-theoretic statistics and safe anytime-valid
inference, Stat. Sci. 38, 2023 (e-values). H. Robbins, Statistical methods related to the law of the iterated
logarithm, Ann. Math. Stat. 41, 1970 (mixtures of wagers). J. Shin, A. Ramdas and A. Rinaldo, E-detectors,
New Engl. J. Stat. Data Sci. 2, 2024 (bettors who begin later). S. Holm, A simple sequentially rejective
multiple test procedure, Scand. J. Stat. 6, 1979.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from provably_fair._core.counts import bincount
from provably_fair.bets.wagers import Looks

from .parts import Counted, SegmentPart, count_rows
from .rules import ROUNDS, WatchRules
from .segments import Bucket, Buckets, SegmentBets, WatchedSegment
from .state import Standing


class Statistics:
    """The evidence of segments against the laws of their games."""

    def __init__(self, rules: WatchRules) -> None:
        self._rules = rules
        self._markets = {name: Looks(law) for name, law in rules.laws.items()}

    def begin(self, part: SegmentPart, before: int) -> WatchedSegment:
        """Return a new segment; `before` values of its column already have one."""
        rules = self._rules
        weight = (0.5 if rules.by else 1.0) / len(rules.bets)
        if part.field:
            weight = 0.5 / len(rules.bets) / len(rules.by) / ((before + 1) * (before + 2))
        # The first stake is known before the first outcome.
        return WatchedSegment(
            game=part.game, field=part.field, value=part.value, weight=weight, largest=part.stake,
            steps=np.zeros(self._markets[part.game].size), frozen=np.full(len(rules.windows), -math.inf),
            begun=np.zeros(len(rules.clocks), np.int64), series=[Buckets(each, []) for each in rules.clocks],
        )  # fmt: skip

    def add(self, segment: WatchedSegment, part: SegmentPart) -> float:
        """Add a batch's rows to a segment; return the logarithm of its e-value after them."""
        (whole,) = self._bets(part.game, part.counted, segment.largest) or (None,)
        for series in segment.series:
            pieces = list(_pieces(part, series, segment.bets))
            each = self._bets(part.game, [counted for _, counted in pieces], segment.largest)
            for (bucket, _), bets in zip(pieces, each, strict=True):
                self._turn_to(bucket, segment, series)
                series.buckets[-1].add(bets)
        segment.take(part, whole)
        logarithm = self._evidence(segment)
        segment.best = max(segment.best, logarithm)
        return logarithm

    def _bets(self, game: str, parts: Sequence[Counted], largest: float) -> list[SegmentBets]:
        """Return the totals of each part."""
        if not parts:
            return []
        market, law = self._markets[game], self._rules.laws[game]
        which = np.repeat(np.arange(len(parts), dtype=np.int64), [len(one.stakes) for one in parts])
        stakes, places, counts = (
            np.concatenate([getattr(one, name) for one in parts]) for name in ("stakes", "places", "counts")
        )
        amounts = law.outcomes.astype(np.float64)[places]
        different, kinds = np.unique(stakes, return_inverse=True)
        cells, cell = np.unique(which * len(different) + kinds, return_inverse=True)
        group, kind = np.divmod(cells, max(len(different), 1))
        stake, many = different[kind], np.rint(bincount(cell, counts)).astype(np.int64)
        off = bincount(cell, counts * (amounts - market.mean))
        returned = bincount(which, stakes * amounts * counts, len(parts)).tolist()
        steps = market.steps(stake, many, off, largest, group, len(parts))
        edges = np.searchsorted(group, np.arange(len(parts) + 1)).tolist()
        return [
            SegmentBets(stake[first:end], many[first:end], *more)
            for (first, end), *more in zip(pairwise(edges), returned, steps, strict=True)
        ]

    def _turn_to(self, bucket: int, segment: WatchedSegment, series: Buckets) -> None:
        """Open a bucket unless it is open; freeze the wealth of bettors whose windows ended before it."""
        clock, last = series.clock, series.buckets[-1].bucket if series.buckets else None
        if last == bucket:
            return
        if last is not None:
            for place, length in clock.lengths.items():
                for i, one in enumerate(series.buckets):
                    if one.bucket > bucket - length:
                        break
                    if last - length < one.bucket:
                        steps = np.add.reduce([other.steps for other in series.buckets[i:]])
                        wealth = self._markets[segment.game].logarithm(steps)
                        segment.frozen[place] = np.logaddexp(segment.frozen[place], wealth + _start(one))
            oldest = bucket - clock.longest
            series.buckets = [one for one in series.buckets if one.bucket > oldest]
        segment.begun[clock.place] += 1
        begun, steps = int(segment.begun[clock.place]), np.zeros_like(segment.steps)
        series.buckets.append(Bucket(bucket=bucket, begun=begun, steps=steps))

    def _evidence(self, segment: WatchedSegment) -> float:
        """Return the logarithm of the mean e-value of all windows."""
        market = self._markets[segment.game]
        found = np.full(len(self._rules.windows), market.logarithm(segment.steps))
        for series in segment.series:
            waiting = -math.log(segment.begun[series.clock.place] + 1)
            for place, length in series.clock.lengths.items():
                latest = series.window(length)[::-1]
                since = np.cumsum(np.reshape([one.steps for one in latest], (-1, market.size)), axis=0)
                wealths = market.logarithm(since) + [_start(one) for one in latest]
                found[place] = np.logaddexp.reduce([segment.frozen[place], waiting, *wealths])
        return float(np.logaddexp.reduce(found)) - math.log(len(found))


def new_alarms(standings: Sequence[Standing], level: float) -> list[Standing]:
    """Return the segments that alarm now, by Holm's method with weights."""
    left = 1 - math.fsum(one.weight for one in standings if one.alarmed)
    silent = [one for one in standings if not one.alarmed]
    found: list[Standing] = []
    while True:
        needed = [math.log(max(left, one.weight) / (level * one.weight)) for one in silent]
        new = [one for one, least in zip(silent, needed, strict=True) if one.best >= least]
        if not new:
            return found
        silent = [one for one, least in zip(silent, needed, strict=True) if one.best < least]
        for one in new:
            left -= one.weight
        found += new


def _pieces(part: SegmentPart, series: Buckets, before: int) -> Iterator[tuple[int, Counted]]:
    """Yield the bets of each bucket; `before` is the number of earlier bets of the segment."""
    if series.clock.kind == ROUNDS:
        for stakes, places in part.in_order:
            numbers = (before + np.arange(len(stakes), dtype=np.int64)) // series.clock.unit
            counted = count_rows(numbers, stakes, places)
            yield from _split(counted, counted.buckets)
            before += len(stakes)
        return
    for counted in part.counted:  # late bets count in the open bucket
        least = series.buckets[-1].bucket if series.buckets else counted.buckets[0]
        yield from _split(counted, np.maximum(counted.buckets, least))


def _split(counted: Counted, buckets: np.ndarray) -> Iterator[tuple[int, Counted]]:
    edges = np.flatnonzero(np.diff(buckets, prepend=buckets[0] - 1, append=buckets[-1] + 1)).tolist()
    for first, end in pairwise(edges):
        yield int(buckets[first]), Counted(*(column[first:end] for column in counted))


def _start(bucket: Bucket) -> float:
    """Return the logarithm of the initial wealth of bettors that begin with a bucket."""
    return -math.log(bucket.begun * (bucket.begun + 1))
