"""Betting systems: rules for the next stake by past results, and their exact probability of ruin.

A system's stake depends on its state, so the computation follows the joint law of state and bankroll: a mass
for each pair. States are numbered, so that all pairs take a step at once, in arrays. Bankrolls are integers
in parts of 1, and the parts get finer when a stake needs it, so amounts stay exact however often stakes
double. Masses of equal pairs are merged, which keeps the arrays short for systems that remember little
(Martingale: the number of losses). Systems with too many states are refused early, by a look ahead that keeps
the largest bankroll of each state alone.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from provably_fair._core.arguments import BadType, BadValue, integer
from provably_fair._core.counts import bincount
from provably_fair._core.numbers import exactly, over_one_denominator
from provably_fair._core.progress import Progress, progress_bar
from provably_fair._core.types import Amount
from provably_fair.distribution import Distribution

from .returns import whole_array
from .walk import amount

# Masses below the first are dropped; without a number of rounds, the second may stay undecided.
_TRIMMED = 1e-28
_UNDECIDED = 1e-15
_MAX_ROUNDS = 100_000
# Limits on the states of a system and on pairs of state and bankroll; rounds of the look ahead.
_MAX_STATES, _MAX_CELLS = 1 << 19, 1 << 22
_LOOKED_AHEAD = 1000
# Up to this many grid places per mass, masses are added by index rather than by sorting.
_SPARSE = 32


class BettingSystem(ABC):
    """A rule for the next stake: a state, the stake in each state, and the next state after a bet.

    A subclass defines `bet` and `after`, and `start` unless it is None.

    Examples
    --------
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
    >>> bet = pf.Double().bet({0: 14})
    >>> bet.ruin(20, rounds=50, system=pf.bets.Flat(2)) == bet.ruin(10, rounds=50)
    True
    """

    each: Amount = 1

    def __post_init__(self) -> None:
        _stake("each", self.each)

    def bet(self, state: Any) -> Amount:
        return self.each

    def after(self, state: Any, back: Fraction) -> Hashable:
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
        return state

    def after(self, state: Fraction, back: Fraction) -> Fraction:
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
        return bankroll

    def bet(self, state: Fraction) -> Fraction:
        unit, of_1 = self._units
        return max(state.numerator * of_1.numerator // (state.denominator * of_1.denominator), 1) * unit

    @cached_property
    def _units(self) -> tuple[Fraction, Fraction]:
        """The unit, and the number of units bet from a bankroll of 1."""
        return exactly(self.unit), exactly(self.fraction) / exactly(self.unit)

    def after(self, state: Fraction, back: Fraction) -> Fraction:
        return state + self.bet(state) * (back - 1)


@dataclass(frozen=True)
class _ByHistory(BettingSystem):
    """A stake as a function of the history: the tuple of the returns of a bet of 1 so far."""

    function: Callable[[tuple[float, ...]], Amount]

    @property
    def start(self) -> Hashable:
        return ()

    def bet(self, state: Any) -> Amount:
        return self.function(state)

    def after(self, state: Any, back: Fraction) -> Hashable:
        return (*state, int(back) if back.denominator == 1 else float(back))


def system_of(system: object) -> BettingSystem:
    """Return a betting system, wrapping a function of the history."""
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


def _is_short(stake: Fraction) -> bool:
    """Return whether a stake is in hundredths and has so few digits that its float shows them."""
    return 100 % stake.denominator == 0 and stake.numerator < 10**13


def ruin_of_system(
    law: Distribution,
    system: object,
    bankroll: object,
    rounds: object = None,
    target: object = None,
    *,
    exact: bool = False,
    progress: Progress = False,
) -> Any:
    """Return the probability that a bankroll won't cover its system's next stake; see `Bet.ruin`."""
    followed = system_of(system)
    played = None if rounds is None else integer("rounds", rounds, 0)
    have = amount("bankroll", bankroll)
    goal = None if target is None else amount("target", target)
    if played is None and goal is None:
        raise BadValue("rounds", "or target must be given for a betting system")
    if played is None and exact:
        raise BadValue("exact", "must be False for a betting system without rounds")
    come: Any = 0
    scale = 1
    most = _MAX_ROUNDS if played is None else played
    with progress_bar(most, progress) as report:
        for done, (ruined, undecided) in enumerate(_follow(law, followed, have, goal, most, exact)):
            if exact:
                come, scale = come * law.total + ruined, scale * law.total
            else:
                come += ruined
            if report is not None:
                report(done)
            if played is None and undecided < _UNDECIDED:
                break
        else:
            if played is None:
                raise BadValue(
                    "rounds", f"must be given: after {_MAX_ROUNDS} of them ruin or target is still undecided"
                )
    if exact:
        # The first item is the state before any round.
        return Fraction(come, scale // law.total)
    return float(min(come, 1.0))


class _SystemStates:
    """The states of a system that were reached, numbered, each with its stake."""

    def __init__(self, system: BettingSystem, argument: str) -> None:
        self._system, self._argument = system, argument
        self._numbers: dict[Hashable, int] = {}
        self.met: list[Hashable] = []
        self.stakes: list[Fraction] = []

    def number(self, state: Hashable) -> int:
        """Return the number of a state, giving it one if it is new."""
        known = self._numbers.get(state)
        if known is None:
            self.stakes.append(_stake(self._argument, self._system.bet(state)))
            known = self._numbers[state] = len(self.met)
            self.met.append(state)
        return known

    def after(self, number: int, back: Fraction) -> int:
        """Return the number of the state that follows state `number` after a return of `back`."""
        return self.number(self._system.after(self.met[number], back))


class _Cells(NamedTuple):
    """The joint law of state and bankroll: state numbers, amounts in parts of 1, and masses."""

    parts: int
    states: np.ndarray
    amounts: np.ndarray
    masses: np.ndarray


class _Moves:
    """The transitions of each state: stake, change of the bankroll for each return, and next states.

    Amounts are whole parts, which get finer as stakes need it.
    """

    def __init__(self, system: BettingSystem, backs: list[Fraction], shares: list[Any], parts: int) -> None:
        self.parts = parts
        self._system, self._backs, self._shares = system, backs, shares
        self._nets, self._over = over_one_denominator([back - 1 for back in backs])
        self._states = _SystemStates(system, "system: its bets")
        self.met = self._states.met
        # Indexed by state number; a next state of -1 isn't known yet.
        self._stakes = np.zeros(0, dtype=np.int64)
        self._changes = np.zeros((0, len(backs)), dtype=np.int64)
        self._after = np.zeros((0, len(backs)), dtype=np.int64)

    def begin(self, bankroll: Fraction, mass: Any, kind: Any) -> _Cells:
        """Return the single cell of an initial bankroll."""
        first = self._states.number(self._system.begin(bankroll))
        self._add()
        amount = whole_array([int(bankroll * self.parts)])
        return _Cells(self.parts, np.array([first]), amount, np.array([mass], dtype=kind))

    def _add(self) -> None:
        """Add stakes and changes of new states, refining the parts if they need it."""
        stakes = self._states.stakes[len(self._stakes) :]
        finer = math.lcm(self.parts, *(stake.denominator * self._over for stake in stakes)) // self.parts
        self.parts *= finer
        each = [one.numerator * (self.parts // (one.denominator * self._over)) for one in stakes]
        changes = whole_array([part * net for part in each for net in self._nets])
        changes = changes.reshape(-1, len(self._nets))
        self._stakes = np.append(_times(self._stakes, finer), whole_array([one * self._over for one in each]))
        self._changes = np.concatenate([_times(self._changes, finer), changes])
        self._after = np.concatenate([self._after, np.full(changes.shape, -1)])

    def covered(self, here: _Cells) -> tuple[Any, _Cells]:
        """Return the mass that doesn't cover its next stake, and the cells that do."""
        amounts = _times(here.amounts, self.parts // here.parts)
        enough = (self._stakes[here.states] <= amounts).astype(bool)
        rest = _Cells(self.parts, here.states[enough], amounts[enough], here.masses[enough])
        return here.masses[~enough].sum(), rest

    def after(self, here: _Cells, target: Fraction | None, *, bounds: bool = False) -> _Cells:
        """Return the cells after a bet, without those that reach the target.

        With `bounds`, keep only the largest bankroll of each state, capped below the target.
        """
        for state in np.unique(here.states[self._after[here.states, 0] < 0]).tolist():
            self._after[state] = [self._states.after(state, back) for back in self._backs]
        self._add()
        amounts = _times(here.amounts, self.parts // here.parts)
        goal = None if target is None else math.ceil(target * self.parts)
        branches: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        for place, share in enumerate(self._shares):
            states, masses = self._after[here.states, place], share * here.masses
            moved = amounts + self._changes[here.states, place]
            if goal is None or (goal >= 2**63 and moved.dtype != object):  # which such amounts are below
                pass
            elif bounds:
                moved = np.minimum(moved, goal - 1)
            else:
                below = (moved < goal).astype(bool)
                states, moved, masses = states[below], moved[below], masses[below]
            branches.append((states, moved, masses))
        states, moved, masses = map(np.concatenate, zip(*branches, strict=True))
        return _Cells(self.parts, *_together(states, moved, masses, bounds))

    def check(self, here: _Cells, played: int) -> None:
        """Refuse more states, or pairs of state and bankroll, than can be followed."""
        for many, most, what in (
            (len(self.met), _MAX_STATES, "states"),
            (len(here.states), _MAX_CELLS, "pairs of state and bankroll at a time"),
        ):
            if many > most:
                got = f"got {many:,} within {played:,} rounds"
                cure = "give fewer rounds, a smaller bankroll or target, or simulate: paths(stake=system)"
                raise BadValue("system", f"must have at most {most:,} {what}, {got}: {cure}")


def _follow(
    law: Distribution,
    system: BettingSystem,
    bankroll: Fraction,
    target: Fraction | None,
    rounds: int,
    exact: bool,
) -> Iterator[tuple[Any, float]]:
    """Yield the mass ruined before the first bet and after each one, with the undecided mass."""
    if target is not None and bankroll >= target:
        yield 0, 0.0
        return
    likely = [(exactly(x, "law"), w) for x, w in zip(law.outcomes.tolist(), law.weights, strict=True) if w]
    backs, weights = [back for back, _ in likely], [w for _, w in likely]
    shares = [w / law.total for w in weights]
    parts = bankroll.denominator if target is None else math.lcm(bankroll.denominator, target.denominator)
    # Look ahead with one bankroll per state, to refuse systems with too many states before the long work.
    moves = _Moves(system, backs, shares, parts)
    _, here = moves.covered(moves.begin(bankroll, 1, np.float64))
    for played in range(1, min(rounds, _LOOKED_AHEAD) + 1):
        before, met = here, len(moves.met)
        _, here = moves.covered(moves.after(here, target, bounds=True))
        if len(moves.met) == met and np.array_equal(here.states, before.states):
            break
        moves.check(here, played)
    moves = _Moves(system, backs, weights if exact else shares, parts)
    here = moves.begin(bankroll, 1, object if exact else np.float64)
    for played in range(rounds + 1):
        ruined, here = moves.covered(here)
        yield ruined, math.nan if exact else float(here.masses.sum())
        if played == rounds or not len(here.states):
            return
        here = moves.after(here, target)
        moves.check(here, played + 1)


def _times(amounts: np.ndarray, times: int) -> np.ndarray:
    """Multiply whole amounts by an integer, as Python integers if int64 would overflow."""
    if not len(amounts) or (times == 1 and amounts.dtype == object):
        return amounts
    if max(abs(int(amounts.min())), abs(int(amounts.max()))) * times >= 2**62:
        amounts = amounts.astype(object)
    return amounts * times if times > 1 else amounts


def _together(
    states: np.ndarray, amounts: np.ndarray, masses: np.ndarray, bounds: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Merge equal pairs of state and amount; with `bounds`, equal states, keeping the largest amount."""
    if not len(states):
        return states, amounts, masses
    keys = states
    if not bounds:
        low, high = int(amounts.min()), int(amounts.max())
        width, values = high - low + 1, None
        if width * (int(states.max()) + 1) < 2**62:
            places = (amounts - low).astype(np.int64)
        else:
            values, places = np.unique(amounts, return_inverse=True)
            width = len(values)
        keys = states * width + places
        size = width * (int(states.max()) + 1)
        if size <= _SPARSE * len(keys) and masses.dtype != object and amounts.dtype != object:
            # The grid of pairs is nearly full: add by index, without sorting.
            added = bincount(keys, masses, size)
            there = np.flatnonzero(added > _TRIMMED)
            place = there % width
            return there // width, low + place if values is None else values[place], added[there]
    different, first, which = np.unique(keys, return_index=True, return_inverse=True)
    most = amounts[first]
    if bounds:
        np.maximum.at(most, which, amounts)
    if masses.dtype == object:
        added = np.zeros(len(different), dtype=object)
        np.add.at(added, which, masses)
        return states[first], most, added
    added = bincount(which, masses, len(different))
    kept = added > _TRIMMED
    return states[first][kept], most[kept], added[kept]


class SystemStakes:
    """The stakes of many paths under a betting system, with a state for each path."""

    def __init__(self, system: BettingSystem, paths: int, bankroll: Fraction | int) -> None:
        self._system, self._of = system, np.zeros(paths, dtype=np.int64)
        self._forget([system.begin(Fraction(bankroll))])

    def _forget(self, states: Iterable[Hashable]) -> None:
        """Restart the table of states with these alone."""
        self._states = _SystemStates(self._system, "bet: its stakes")
        self._after: dict[tuple[int, int], int] = {}
        for state in states:
            self._states.number(state)

    def __call__(self, bankrolls: np.ndarray) -> np.ndarray:
        """Return the next stakes, which don't depend on the bankrolls; Fractions where no float is exact."""
        live, which = np.unique(self._of, return_inverse=True)
        stakes = [self._states.stakes[state] for state in live.tolist()]
        exact = all(_is_short(one) or exactly(float(one)) == one for one in stakes)
        return np.array(list(map(float, stakes)) if exact else stakes)[which]

    def learn(self, parts: np.ndarray, unit: int, covered: np.ndarray) -> None:
        """Move each path that bet to its next state, given its return of a bet of 1 in parts."""
        kinds, kind = np.unique(parts[covered], return_inverse=True)
        pairs, which = np.unique(self._of[covered] * len(kinds) + kind, return_inverse=True)
        back = kinds.tolist()
        after = []
        for state, place in (divmod(pair, len(back)) for pair in pairs.tolist()):
            key = state, back[place]
            if key not in self._after:
                self._after[key] = self._states.after(state, Fraction(back[place], unit))
            after.append(self._after[key])
        self._of[covered] = np.array(after, dtype=np.int64)[which]
        if len(self._states.met) > max(_MAX_STATES, 4 * len(self._of)):
            live, self._of = np.unique(self._of, return_inverse=True)
            self._forget([self._states.met[state] for state in live.tolist()])
