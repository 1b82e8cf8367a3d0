"""Betting systems: rules for the next stake by past results, and their exact risk of ruin.

A system's stake depends on its state, so the law that is followed is that of state and bankroll together: a
table of masses by bankroll for each state. Bankrolls are whole multiples of a part, and the part is made
finer when a stake needs it, so amounts are exact however often stakes double. Masses at the same bankroll are
merged, which keeps the tables small: a system that remembers little (Martingale: the number of losses) has
few states. The rest is refused.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from provably_fair._core.arguments import BadType, BadValue, integer
from provably_fair._core.numbers import exactly
from provably_fair._core.types import Amount
from provably_fair.distribution import Distribution

from .walk import amount

__all__ = [
    "BettingSystem",
    "Flat",
    "Martingale",
    "Proportional",
    "SystemStakes",
    "ruin_of_system",
    "system_of",
]

# What is less likely isn't followed; and what may be undecided at the end where no number of rounds is given.
_TRIMMED = 1e-28
_UNDECIDED = 1e-15
_MAX_ROUNDS = 100_000
# The most that a system may remember at a time.
_MAX_STATES = 1 << 18


class BettingSystem(ABC):
    """A rule for the next stake: a state, the stake in each state, and the next state after a bet.

    A subclass defines `bet` and `after`, and `start` unless it is None.

    Examples
    --------
    >>> import provably_fair as pf
    >>> class OneUp(pf.bets.BettingSystem):  # one more after a win, one less after a loss
    ...     start = 1
    ...
    ...     def bet(self, state):
    ...         return state
    ...
    ...     def after(self, state, back):
    ...         return state + 1 if back > 1 else max(state - 1, 1)
    >>> pf.Double().bet({0: 14}, law="ideal").ruin(5, rounds=10, system=OneUp())
    0.708245596707819
    """

    @property
    def start(self) -> Hashable:
        """The initial state; None by default."""
        return None

    def begin(self, bankroll: Fraction) -> Hashable:
        """Return the initial state for a bankroll; by default `start`.

        Examples
        --------
        >>> from fractions import Fraction
        >>> import provably_fair as pf
        >>> pf.bets.Proportional(0.1).begin(Fraction(50))
        Fraction(50, 1)
        """
        return self.start

    @abstractmethod
    def bet(self, state: Any) -> Amount:
        """Return the stake of the next bet.

        Parameters
        ----------
        state : hashable
            The state of the system, initially `start`.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.bets.Martingale(1).bet(4)
        4
        """

    @abstractmethod
    def after(self, state: Any, back: Fraction) -> Hashable:
        """Return the state after a bet.

        Parameters
        ----------
        state : hashable
            The state before the bet.
        back : fractions.Fraction
            The return of a bet of 1: above 1 for a win, below for a loss.

        Examples
        --------
        >>> from fractions import Fraction
        >>> import provably_fair as pf
        >>> pf.bets.Martingale(1).after(Fraction(4), Fraction(0))
        Fraction(8, 1)
        """


@dataclass(frozen=True)
class Flat(BettingSystem):
    """The same stake in every round.

    Parameters
    ----------
    each : number
        The stake, above 0.

    Examples
    --------
    >>> import provably_fair as pf
    >>> bet = pf.Double().bet({0: 14})
    >>> bet.ruin(20, rounds=50, system=pf.bets.Flat(2)) == bet.ruin(10, rounds=50)
    True
    """

    each: Amount = 1

    def __post_init__(self) -> None:
        _stake("each", self.each)

    def bet(self, state: Any) -> Amount:
        """Return the stake; see `BettingSystem.bet`.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.bets.Flat(5).bet(None)
        5
        """
        return self.each

    def after(self, state: Any, back: Fraction) -> Hashable:
        """Remember nothing; see `BettingSystem.after`.

        Examples
        --------
        >>> from fractions import Fraction
        >>> import provably_fair as pf
        >>> pf.bets.Flat(5).after(None, Fraction(0)) is None
        True
        """
        return None


@dataclass(frozen=True)
class Martingale(BettingSystem):
    """A stake that is multiplied after every loss, and reset after a win.

    Parameters
    ----------
    first : number
        The first stake, above 0.
    factor : number
        The factor by which a lost stake is multiplied.
    most : number, optional
        The largest stake: a loss that would exceed it resets the stake.

    Examples
    --------
    >>> import provably_fair as pf
    >>> coin = pf.Dice().bet(under=50, payout=1.98)
    >>> round(coin.ruin(63, target=126, system=pf.bets.Martingale()), 6), round(coin.ruin(63, target=126), 6)
    (0.655234, 0.788396)
    """

    first: Amount = 1
    factor: Amount = 2
    most: Amount | None = None

    def __post_init__(self) -> None:
        _stake("first", self.first)
        _stake("factor", self.factor)
        if self.most is not None and _stake("most", self.most) < exactly(self.first):
            raise BadValue("most", f"must be at least the first stake, got {self.most}")

    @property
    def start(self) -> Fraction:
        """The first stake."""
        return exactly(self.first)

    def bet(self, state: Fraction) -> Fraction:
        """Return the stake, which is all that is remembered; see `BettingSystem.bet`.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.bets.Martingale().bet(8)
        8
        """
        return state

    def after(self, state: Fraction, back: Fraction) -> Fraction:
        """Multiply after a loss, begin again after a win; see `BettingSystem.after`.

        Examples
        --------
        >>> from fractions import Fraction
        >>> import provably_fair as pf
        >>> pf.bets.Martingale(1, most=4).after(Fraction(4), Fraction(0))
        Fraction(1, 1)
        """
        if back == 1:
            return state
        stake = state * exactly(self.factor)
        return self.start if back > 1 or (self.most is not None and stake > exactly(self.most)) else stake


@dataclass(frozen=True)
class Proportional(BettingSystem):
    """A fraction of the bankroll, as in Kelly's criterion, in whole units and at least one.

    Parameters
    ----------
    fraction : number
        Above 0, at most 1; `Bet.kelly` is the one with the fastest growth.
    unit : number
        The unit of stakes, which are rounded down to multiples of it.

    Examples
    --------
    >>> import provably_fair as pf
    >>> promotion = pf.Dice().bet(under=50, payout=2.1, law="ideal")
    >>> paths = promotion.paths(100, paths=50, stake=pf.bets.Proportional(promotion.kelly()))
    >>> paths.values.shape, paths.ruined
    ((50, 101), 0.0)
    """

    fraction: Amount
    unit: Amount = Fraction(1, 100)

    def __post_init__(self) -> None:
        if _stake("fraction", self.fraction) > 1:
            raise BadValue("fraction", f"must be at most 1, got {self.fraction}")
        _stake("unit", self.unit)

    def begin(self, bankroll: Fraction) -> Fraction:
        """Remember what one has; see `BettingSystem.begin`.

        Examples
        --------
        >>> from fractions import Fraction
        >>> import provably_fair as pf
        >>> pf.bets.Proportional(0.5).begin(Fraction(8))
        Fraction(8, 1)
        """
        return bankroll

    def bet(self, state: Fraction) -> Fraction:
        """Return the stake by what one has; see `BettingSystem.bet`.

        Examples
        --------
        >>> from fractions import Fraction
        >>> import provably_fair as pf
        >>> pf.bets.Proportional(0.1, unit=1).bet(Fraction(57))
        Fraction(5, 1)
        """
        unit = exactly(self.unit)
        return max(state * exactly(self.fraction) // unit, 1) * unit

    def after(self, state: Fraction, back: Fraction) -> Fraction:
        """Remember what one has then; see `BettingSystem.after`.

        Examples
        --------
        >>> from fractions import Fraction
        >>> import provably_fair as pf
        >>> pf.bets.Proportional(0.1, unit=1).after(Fraction(57), Fraction(2))
        Fraction(62, 1)
        """
        return state + self.bet(state) * (back - 1)


@dataclass(frozen=True)
class _ByHistory(BettingSystem):
    """A function of the history: of the tuple of the return of a bet of 1 in each round so far."""

    function: Callable[[tuple[float, ...]], Amount]

    @property
    def start(self) -> Hashable:
        return ()

    def bet(self, state: Any) -> Amount:
        return self.function(state)

    def after(self, state: Any, back: Fraction) -> Hashable:
        return (*state, int(back) if back.denominator == 1 else float(back))


def system_of(system: object) -> BettingSystem:
    """Return a betting system; a function is one of the history."""
    if isinstance(system, BettingSystem):
        return system
    if callable(system) and not isinstance(system, type):
        return _ByHistory(system)
    raise BadType("system", f"must be a BettingSystem or a function of the history, got {system!r:.80}")


def _stake(name: str, value: object) -> Fraction:
    stake = amount(name, value)
    if stake <= 0:
        raise BadValue(name, f"must be above 0, got {value}")
    return stake


def ruin_of_system(
    law: Distribution,
    system: object,
    bankroll: object,
    rounds: object = None,
    target: object = None,
    *,
    exact: bool = False,
) -> Any:
    """Return the chance that a bankroll doesn't cover its system's next stake; see `Bet.ruin`."""
    followed = system_of(system)
    played = None if rounds is None else integer("rounds", rounds, 0)
    have = amount("bankroll", bankroll)
    goal = None if target is None else amount("target", target)
    if played is None and goal is None:
        raise BadValue("rounds", "or target must be given where a betting system is")
    if played is None and exact:
        raise BadValue("exact", "must be False without rounds where a betting system is given")
    come: Any = 0
    scale = 1
    for ruined, undecided in _follow(law, followed, have, goal, played, exact):
        if exact:
            come, scale = come * law.total + ruined, scale * law.total
        else:
            come += ruined
        if played is None and undecided < _UNDECIDED:
            break
    else:
        if played is None:
            raise BadValue("rounds", f"must be given: after {_MAX_ROUNDS} of them the target is undecided")
    if exact:
        # The first answer is before any round.
        return Fraction(come, scale // law.total)
    return float(min(come, 1.0))


def _follow(
    law: Distribution,
    system: BettingSystem,
    bankroll: Fraction,
    target: Fraction | None,
    rounds: int | None,
    exact: bool,
) -> Iterator[tuple[float | Fraction, float]]:
    """Yield what is ruined before the first bet and after each, and what is undecided then."""
    likely = [(exactly(x, "law"), w) for x, w in zip(law.outcomes.tolist(), law.weights, strict=True) if w]
    backs = [back for back, _ in likely]
    shares: list[float] = [w if exact else w / law.total for _, w in likely]
    known: dict[Hashable, tuple[Fraction, list[Hashable]]] = {}

    def next_bet(state: Hashable) -> tuple[Fraction, list[Hashable]]:
        """Return the stake of a system in one of its states, and where each result leads."""
        if state not in known:
            stake = _stake("system: its bets", system.bet(state))
            if len(known) > 4 * _MAX_STATES:
                known.clear()
            known[state] = stake, [system.after(state, back) for back in backs]
        return known[state]

    # Amounts are whole parts, as many to 1 as are needed.
    parts = bankroll.denominator if target is None else math.lcm(bankroll.denominator, target.denominator)
    going: dict[Hashable, tuple[np.ndarray, np.ndarray]] = {}
    mass = np.array([1], dtype=object) if exact else np.ones(1)
    if target is None or bankroll < target:
        going[system.begin(bankroll)] = (_move(np.zeros(1, dtype=np.int64), 1, int(bankroll * parts)), mass)
    for played in range((_MAX_ROUNDS if rounds is None else rounds) + 1):
        # What doesn't cover the next stake is ruined.
        ruined: float | Fraction = 0
        covered: dict[Hashable, tuple[np.ndarray, np.ndarray]] = {}
        for state, (amounts, masses) in going.items():
            stake, _ = next_bet(state)
            finer = (
                math.lcm(parts, stake.denominator, *((stake * (b - 1)).denominator for b in backs)) // parts
            )
            if finer > 1:
                parts *= finer
                going = {s: (_move(have, finer, 0), m) for s, (have, m) in going.items()}
                covered = {s: (_move(have, finer, 0), m) for s, (have, m) in covered.items()}
            amounts, masses = going[state]
            enough = np.searchsorted(amounts, int(stake * parts))
            ruined += masses[:enough].sum()
            if enough < len(amounts):
                covered[state] = (amounts[enough:], masses[enough:])
        yield ruined, float(sum(masses.sum() for _, masses in covered.values())) if not exact else math.nan
        if played == rounds or not covered:
            return
        met: dict[Hashable, list[tuple[np.ndarray, np.ndarray]]] = {}
        for state, (amounts, masses) in covered.items():
            stake, states = next_bet(state)
            for back, share, after in zip(backs, shares, states, strict=True):
                moved = _move(amounts, 1, int(stake * (back - 1) * parts))
                if target is not None:
                    moved = moved[: np.searchsorted(moved, math.ceil(target * parts))]
                if len(moved):
                    met.setdefault(after, []).append((moved, share * masses[: len(moved)]))
        if len(met) > _MAX_STATES:
            raise BadValue("system", f"remembers {len(met)} histories: rounds must be fewer")
        going = {state: _together(found, exact) for state, found in met.items()}
        if not exact:
            going = {state: found for state, found in going.items() if len(found[0])}


def _move(amounts: np.ndarray, times: int, more: int) -> np.ndarray:
    """Return sorted whole amounts times a number and more; as Python's integers where int64 is too short."""
    largest = max(abs(int(amounts[0])), abs(int(amounts[-1]))) * times + abs(more)
    if largest >= 2**62 and amounts.dtype != object:
        amounts = amounts.astype(object)
    return amounts * times + more


def _together(found: list[tuple[np.ndarray, np.ndarray]], exact: bool) -> tuple[np.ndarray, np.ndarray]:
    """Add the masses of equal amounts, which are sorted."""
    if len(found) == 1:
        amounts, masses = found[0]
    else:
        amounts, places = np.unique(np.concatenate([a for a, _ in found]), return_inverse=True)
        added = np.concatenate([m for _, m in found])
        if exact:
            masses = np.zeros(len(amounts), dtype=object)
            np.add.at(masses, places, added)
        else:
            masses = np.bincount(places, added, len(amounts))
    if exact:
        return amounts, masses
    kept = masses > _TRIMMED
    return amounts[kept], masses[kept]


class SystemStakes:
    """The stakes of many paths by a betting system, which remembers something for each."""

    def __init__(self, system: BettingSystem, paths: int, bankroll: Fraction | int) -> None:
        self._system, self._states = system, [system.begin(Fraction(bankroll))] * paths

    def __call__(self, bankrolls: np.ndarray) -> np.ndarray:
        """Return the next stakes, whatever the bankrolls are."""
        known = {
            state: float(_stake("bet: its stakes", self._system.bet(state))) for state in set(self._states)
        }
        return np.array([known[state] for state in self._states])

    def learn(self, parts: np.ndarray, unit: int, covered: np.ndarray) -> None:
        """Remember the return of each path's bet of 1, in parts, where one was bet."""
        after = self._system.after
        rows = zip(self._states, parts.tolist(), covered.tolist(), strict=True)
        self._states = [after(state, Fraction(part, unit)) if bet else state for state, part, bet in rows]
