"""The report of a watch: alarms, and each segment with its evidence and its expected bands."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import NormalDist
from typing import ClassVar

import numpy as np

from provably_fair._core.counts import bincount
from provably_fair._core.printable import counted, listed
from provably_fair._core.report import TONES, Case, Report, finite, section
from provably_fair._core.table import Colored, displayed, html_table, text_table
from provably_fair._core.types import Columns, JsonDict
from provably_fair.bets.errors import ErrorLaw
from provably_fair.distribution import Distribution

from .rules import ALL, WatchRules
from .segments import StakeTally, WatchedSegment, numbers
from .state import State

_BAND = 0.99


@displayed
@dataclass(frozen=True)
class Alarm:
    """A segment whose evidence rose above its share of the level, or a game that made impossible payouts.

    Attributes
    ----------
    game, field, value : str
        The segment: a game, or its rows whose column `field` has this value.
    batch : int
        The first batch, from 1, at whose end the evidence was above.
    source : str
        The name of that batch.
    evalue : float
        The evidence at that time: the wealth of a bettor against the law who started with 1. Infinite for
        impossible payouts.
    impossible : int
        The number of payouts so far that the bet can't make, if that is the alarm; 0 in an alarm of evidence.
    rows : tuple of int
        The first rows of the segment in that batch, up to 100, numbered over the whole history; of impossible
        payouts only their rows.
    first, last : int
        The first and last of all of these; -1 if there are none, and it rose on the evidence of others.
    """

    game: str
    field: str
    value: str
    batch: int
    source: str
    evalue: float
    impossible: int
    rows: tuple[int, ...]
    first: int
    last: int

    @property
    def segment(self) -> str:
        """The segment in words."""
        return _segment(self.game, self.field, self.value)

    def __str__(self) -> str:
        rows = f", rows {self.first:,} to {self.last:,} of all batches" if self.last >= 0 else ""
        what = f"e-value {self.evalue:.4g}"
        if self.impossible:
            payouts = counted(self.impossible, "payout")
            what = f"{payouts} that the bet can't make, first"
        return f"{self.segment}: {what} at batch {self.batch} ({self.source}{rows})"


@displayed
@dataclass(frozen=True)
class Band:
    """The tolerance band of a window's return: the exact one, and the usual normal approximation."""

    window: str  # "all", "30d"
    bets: int
    rtp: float  # their return
    # The exact tolerance band: a fair game is outside of it, at one look, with a probability of 1 %
    low: float
    high: float
    z_low: float  # the usual band, 2.576 standard deviations to both sides
    z_high: float
    z_wrong: float  # probability that a fair game is outside of this band, at one look


@displayed
@dataclass(frozen=True)
class Segment:
    """The bets, evidence and bands of a segment."""

    game: str  # see `Alarm`
    field: str
    value: str
    bets: int  # the bets so far, without those that are impossible, annulled or without a stake
    staked: float
    returned: float
    exact_rtp: float
    evalue: float  # the most that the evidence ever was, at the end of a batch
    share: float  # its share of the level, before other alarms leave theirs
    impossible: int  # number of payouts that the bet can't make
    refunded: int  # bets annulled by their status, with their stakes returned, which aren't counted
    bands: tuple[Band, ...]  # by window

    @property
    def rtp(self) -> float:
        """The return of a bet of 1."""
        return self.returned / self.staked if self.staked else math.nan


def alarms_of(state: State) -> tuple[Alarm, ...]:
    """Return the alarms, in the order in which they were raised."""
    return tuple(Alarm(**one | {"evalue": _evalue(one["evalue"])}) for one in state.alarms())


def report_of(rules: WatchRules, state: State) -> WatchReport:
    """Return the report on a state, with bands."""
    with state.lock:
        segments = tuple(_segment_of(one, rules) for one in state.segments(rules.clocks))
        return WatchReport(*state.totals(), rules.level, rules.windows, alarms_of(state), segments)


def _evalue(logarithm: float) -> float:
    """Return the e-value of a logarithm: finite if the logarithm is."""
    return math.exp(min(logarithm, 709.0)) if logarithm < math.inf else math.inf


def _segment_of(one: WatchedSegment, rules: WatchRules) -> Segment:
    law = rules.laws[one.game]
    windows = {
        place: series.window(length)
        for series in one.series
        for place, length in series.clock.lengths.items()
    }
    rolling = (_band(rules.windows[place], windows[place], law) for place in sorted(windows))
    names = ("game", "field", "value", "bets", "staked", "returned", "impossible", "refunded")
    return Segment(
        **{name: getattr(one, name) for name in names},
        exact_rtp=law.mean(),
        evalue=_evalue(one.best),
        share=rules.level * one.weight,
        bands=tuple(band for band in (_band(ALL, [one], law), *rolling) if band is not None),
    )


def _band(window: str, bets: Sequence[StakeTally], law: Distribution) -> Band | None:
    stakes = numbers(b"".join(one.stakes for one in bets))
    counts = numbers(b"".join(one.counts for one in bets), np.int64)
    staked = float(stakes @ counts)
    if not staked:
        return None
    different, which = np.unique(stakes, return_inverse=True)
    counts = bincount(which, counts)
    error = ErrorLaw(law, different, counts, _BAND)
    low, high = (law.mean() + end / staked for end in error.range)
    half = NormalDist().inv_cdf((1 + _BAND) / 2) * law.std() * math.sqrt(float(counts @ different**2))
    wrong = error.outside(-half, half)
    rtp = math.fsum(one.returned for one in bets) / staked
    least, most = map(float, law.support())
    z_low, z_high = (law.mean() + side * half / staked for side in (-1, 1))
    ends = max(low, least), min(high, most)
    return Band(window, int(counts.sum()), rtp, *ends, z_low, z_high, wrong)


@displayed
@dataclass(frozen=True)
class WatchReport(Report):
    """The state of a watch: alarms and evidence by segment.

    Attributes
    ----------
    batches, bets : int
        The number of batches and of rows.
    level : float
        The family-wise level.
    windows : tuple of str
        The windows.
    alarms : tuple of Alarm
        The alarms.
    segments : tuple of Segment
        All segments.
    """

    batches: int
    bets: int
    level: float
    windows: tuple[str, ...]
    alarms: tuple[Alarm, ...]
    segments: tuple[Segment, ...]

    _what: ClassVar[str] = "Watch"

    @property
    def game(self) -> str:
        """The watched games."""
        return ", ".join(dict.fromkeys(one.game for one in self.segments)) or "no bets yet"

    @property
    def ok(self) -> bool:
        """Whether there is no alarm."""
        return not self.alarms

    @property
    def verdict(self) -> str:
        """The result in words."""
        said = counted(len(self.alarms), "alarm") if self.alarms else "no alarm"
        seen = f"{counted(self.bets, 'bet')} in {counted(self.batches, 'batch', 'batches')}"
        return (
            f"{said} in {counted(len(self.segments), 'segment')}, {seen}: where all games pay by their laws, "
            f"any alarm ever has a probability of at most {self.level:g}"
        )

    def to_dict(self) -> JsonDict:
        """Return the report as JSON types. Infinity is the text "inf"."""
        content = asdict(self) | {"schema": "provably_fair.watch/1", "ok": self.ok, "verdict": self.verdict}
        found: JsonDict = finite(content)
        return found

    def _about(self) -> str:
        return listed(dict.fromkeys(one.game or "a bet" for one in self.segments), 5) or "no bets yet"

    def _lines(self) -> list[tuple[str, str]]:
        lines = [("alarm", str(alarm)) for alarm in self.alarms]
        lines += [("not counted", said) for said in [self._left_out] if said]
        if any(one.bets for one in self.segments) and all(one.staked == one.bets for one in self.segments):
            lines.append(("stakes", "all 1: the logs say so, or have none"))
        return [*lines, ("windows", ", ".join(self.windows))]

    @property
    def _left_out(self) -> str:
        """The rows that count in no return, in words."""
        games = [one for one in self.segments if not one.field]
        bets, impossible, refunded = (
            sum(getattr(one, name) for one in games) for name in ("bets", "impossible", "refunded")
        )
        unstaked = self.bets - bets - impossible - refunded
        rows = [
            (impossible, "impossible payout", ""),
            (refunded, "annulled bet", ""),
            (unstaked, "row without a stake", "rows without a stake"),
        ]
        return ", ".join(counted(*row) for row in rows if row[0])

    def _rows(self) -> list[tuple[str, ...]]:
        alarmed = {alarm.segment for alarm in self.alarms}
        rows: list[tuple[str, ...]] = []
        for one in self.segments:
            name = _segment(one.game, one.field, one.value)
            first = (name, f"{one.evalue:.4g}", "ALARM" if name in alarmed else "")
            for band in one.bands:
                own = (f"{band.low:.4f} to {band.high:.4f}", f"{band.z_low:.4f} to {band.z_high:.4f}")
                seen = (band.window, f"{band.bets:,}", f"{band.rtp:.4f}", f"{one.exact_rtp:.4f}")
                rows.append((*first, *seen, *own, f"{band.z_wrong:.2%}"))
                first = ("", "", "")
        return rows

    def _details(self) -> str:
        return text_table(_HEAD, self._rows(), "l") if self.segments else ""

    def _sections(self) -> str:
        if not self.segments:
            return ""
        rows = [
            [Colored(cell, TONES["bad"]) if cell == "ALARM" else cell for cell in row] for row in self._rows()
        ]
        return section("Segments", html_table(_HEAD, rows, "l"), wide=True)

    def _cases(self) -> Sequence[Case]:
        alarms = {alarm.segment: str(alarm) for alarm in self.alarms}
        names = (_segment(one.game, one.field, one.value) for one in self.segments)
        return [Case(name, "failure", alarms[name]) if name in alarms else Case(name) for name in names]

    def _columns(self) -> Columns:
        bets = ("game", "field", "value", "bets", "staked", "returned")
        names = (*bets, "rtp", "exact_rtp", "evalue", "impossible", "refunded")
        return {name: [getattr(one, name) for one in self.segments] for name in names}


_HEAD = (
    *("segment", "e-value", "", "window", "bets", "return", "expected"),
    *("exact 99 % band", "z-band", "z wrong"),
)


def _segment(game: str, field: str, value: str) -> str:
    whole = game or "all bets"
    return f"{whole}, {field} {value}" if field else whole
