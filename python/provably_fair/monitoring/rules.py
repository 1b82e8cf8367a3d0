"""The rules of a watch: its bets, columns, windows and level, checked once and compared as text."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from provably_fair._core.arguments import BadType, BadValue, probability
from provably_fair.bets import Bet
from provably_fair.bets.observed import within_of
from provably_fair.bets.returns import law_of_round
from provably_fair.distribution import Distribution

ALL, TIME, ROUNDS = "all", "time", "rounds"
# Units of windows: hours or rounds.
_UNITS = {"h": (TIME, 1), "d": (TIME, 24), "r": (ROUNDS, 1)}
_WINDOW = re.compile(r"([1-9][0-9]{0,4})([hd])|([1-9][0-9]{0,8}0)(r)")
# Windows of rounds advance by a tenth of their greatest common divisor.
_PARTS_OF_ROUNDS, _MOST_PARTS = 10, 10_000


class Clock(NamedTuple):
    """The unit by which rolling windows advance, bucket by bucket: hours, days, or rounds of a segment."""

    place: int  # index among the clocks of a watch
    kind: str  # `TIME` or `ROUNDS`
    unit: int  # hours or rounds of a bucket
    lengths: dict[int, int]  # buckets of each window, by the window's index

    @property
    def longest(self) -> int:
        """The number of buckets of the longest window."""
        return max(self.lengths.values())


class WatchRules:
    """The bets, columns, windows and level of a watch, checked."""

    def __init__(
        self, bets: object, by: Sequence[str], windows: Sequence[str], level: float, within: float
    ) -> None:
        if not isinstance(bets, (Bet, Mapping)) or (isinstance(bets, Mapping) and not bets):
            raise BadType("bets", f"must be a Bet, or a mapping of games to bets, got {type(bets).__name__}")
        self.named: bool = isinstance(bets, Mapping)  # whether rows have a column ``game``
        self.bets: dict[str, Bet] = dict(bets) if isinstance(bets, Mapping) else {"": bets}
        for name, bet in self.bets.items():
            if not isinstance(bet, Bet) or not isinstance(name, str):
                raise BadType("bets", f"must be a Bet, got {type(bet).__name__}", index=name)
        self.laws: dict[str, Distribution] = {
            name: law_of_round(bet, "a watch") for name, bet in self.bets.items()
        }
        listed = not isinstance(by, str) and isinstance(by, Iterable)
        if not listed or not all(isinstance(name, str) and name for name in by) or len(set(by)) < len(by):
            raise BadType("by", f"must be different names of columns, got {by!r:.80}")
        if taken := {"game", "payout", "time"} & set(by):
            raise BadValue("by", f"must be without {', '.join(sorted(taken))}, which are watched anyway")
        self.by: tuple[str, ...] = tuple(by)
        one = isinstance(windows, str) or not isinstance(windows, Iterable)
        self.windows: tuple[str, ...] = (windows,) if one else tuple(windows)  # type: ignore[assignment]
        self.level: float = probability("level", level)
        self.within: float = within_of(within)
        self.clocks: tuple[Clock, ...] = _clocks(self.windows)
        # The rules as text by name, for the state
        self.written: dict[str, str] = {"by": str(list(self.by)), "windows": str(list(self.windows))}
        self.written |= {"level": str(self.level), "within": str(self.within)}
        for name, law in self.laws.items():
            paid = [[str(x) for x in law.outcomes.tolist()], [str(w) for w in law.weights]]
            self.written[f"bets[{name!r}]" if name else "bets"] = _digest(paid)
        self.fingerprint: str = _digest(sorted(self.written.items()))

    def unit(self, kind: str) -> int:
        """Return the hours or rounds of a bucket; 0 without windows of that kind."""
        return next((clock.unit for clock in self.clocks if clock.kind == kind), 0)


def _clocks(windows: tuple[str, ...]) -> tuple[Clock, ...]:
    """Return the clocks of windows, that of time before that of rounds."""
    spans = [_span(window) for window in windows]
    if not spans or len(set(windows)) < len(spans):
        raise BadValue("windows", f"must be different ones, at least one, got {windows!r:.80}")
    found: list[Clock] = []
    for kind in (TIME, ROUNDS):
        lengths = {place: length for place, (one, length) in enumerate(spans) if one == kind}
        if not lengths:
            continue
        if kind == TIME:
            unit = 1 if any(window.endswith("h") for window in windows) else 24
        else:
            unit = math.gcd(*lengths.values()) // _PARTS_OF_ROUNDS
            if max(lengths.values()) > _MOST_PARTS * unit:
                allowed = f"at most {_MOST_PARTS // _PARTS_OF_ROUNDS:,} times their greatest common divisor"
                raise BadValue("windows", f"of rounds must be {allowed}, got {windows!r:.80}")
        buckets = {place: length // unit for place, length in lengths.items()}
        found.append(Clock(len(found), kind, unit, buckets))
    return tuple(found)


def _span(window: object) -> tuple[str, int]:
    """Return a window's kind, and its hours or rounds; 0 for the whole history."""
    if window == ALL:
        return ALL, 0
    found = _WINDOW.fullmatch(window) if isinstance(window, str) else None
    if found is None:
        allowed = '"all", hours, days or a multiple of ten rounds, such as "6h", "30d" or "5000r"'
        raise BadValue("windows", f"must be {allowed}, got {window!r:.40}")
    kind, each = _UNITS[found[2] or found[4]]
    return kind, int(found[1] or found[3]) * each


def changes(before: Mapping[str, str], now: Mapping[str, str]) -> str:
    """Describe the rules that differ."""
    found = []
    for name in dict.fromkeys([*before, *now]):
        old, new = before.get(name), now.get(name)
        if old is None or new is None:
            found.append(f"{name} {'were not watched' if old is None else 'are missing'}")
        elif old != new:
            found.append(
                f"{name} pay otherwise" if name.startswith("bets") else f"{name} was {old}, not {new}"
            )
    return "; ".join(found[:5]) + (f" and {len(found) - 5} more" if len(found) > 5 else "")


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()
