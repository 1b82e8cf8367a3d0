"""What can be asked about a game's outcome, its exact law, and how to see it in simulated outcomes.

A law is worked out by the engine from the game's one definition. What is here composes such laws of
independent parts, and says what each subject means.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from provably_fair._core.arguments import integer, integers
from provably_fair._core.numbers import exactly
from provably_fair._engine import SLOT_STOPS
from provably_fair.distribution.consecutive import Consecutive
from provably_fair.distribution.distribution import Distribution
from provably_fair.distribution.payouts import payouts

from .games import game_of

if TYPE_CHECKING:
    from .games import Game

__all__ = ["Bias", "bias_table"]

_LAWS = ("ideal", "as_drawn")


class Subject(NamedTuple):
    """Something about an outcome: its law, and its values in simulated outcomes of shape (N,) + shape."""

    law: Callable[[bool], Distribution]
    observe: Callable[[np.ndarray], np.ndarray]


class Bias(NamedTuple):
    """The outcome of a game whose probability as drawn is farthest from the ideal one, relatively.

    `relative` is (as drawn - ideal) / ideal, an exact fraction.
    """

    game: Game
    subject: str
    outcome: Any
    relative: Fraction


def as_drawn(law: object) -> bool:
    """Tell which law is asked for."""
    if law not in _LAWS:
        raise ValueError(f'law must be "ideal" or "as_drawn", got {law!r}')
    return law == "as_drawn"


def subject_of(game: Game, arguments: dict[str, Any]) -> Subject:
    """Return what the arguments ask of the game."""
    make, allowed = _SUBJECTS.get(game.name, (_outcome, ()))
    for name in arguments:
        if name not in allowed:
            takes = f"takes {', '.join(allowed)}" if allowed else "takes none"
            raise TypeError(f"{name} isn't a subject of {type(game).__name__}'s law, which {takes}")
    subject = make(game, **arguments)
    return Subject(subject.law, lambda outcomes: subject.observe(_of_game(game, outcomes)))


def _of_game(game: Game, outcomes: np.ndarray) -> np.ndarray:
    """Return outcomes that the game can have; others are refused."""
    decimals = game._core.decimals
    if outcomes.size and outcomes.dtype.kind not in "iuf":
        raise TypeError(f"outcomes must be those of {game!r}, got an array of {outcomes.dtype}")
    least, most = (bound / 10**decimals if decimals else bound for bound in game._core.bounds)
    largest = np.array(SLOT_STOPS) - 1 if game.name == "slot" else most
    wrong = ~((least <= outcomes) & (outcomes <= largest))  # NaN is wrong too
    whole = not decimals and outcomes.dtype.kind == "f"  # integers, as a file of numbers may hold them
    if whole:
        wrong |= outcomes != np.floor(outcomes)
    if wrong.any():
        row = int(np.argwhere(wrong)[0, 0])
        raise ValueError(f"outcomes[{row}] must be an outcome of {game!r}, got {outcomes[row].tolist()}")
    return outcomes.astype(np.int64) if whole else outcomes


def engine_law(game: Game, drawn: bool, **subject: Any) -> Distribution:
    """Return a law of the engine; cells of hundredths become floats."""
    core = game._core
    values, digits = core.law(drawn, **subject)
    weights = [int.from_bytes(weight, "little") for weight in digits]
    return Distribution(values / 100 if core.decimals else values, weights)


def _indicator(distribution: Distribution, test: Callable[[np.ndarray], np.ndarray]) -> Distribution:
    """Return the law of 1 where the test of the outcomes holds, else 0."""
    holds = test(distribution.outcomes).tolist()
    won = sum(weight for weight, held in zip(distribution.weights, holds, strict=True) if held)
    return Distribution([0, 1], [distribution.total - won, won])


def _outcome(game: Game) -> Subject:
    return Subject(lambda drawn: engine_law(game, drawn), lambda outcomes: outcomes)


def _wheel(game: Game, sectors: Any = None) -> Subject:
    whole = _outcome(game)
    if sectors is None:
        return whole
    chosen = distinct("sectors", sectors, game._core.bounds[1])
    return _win(whole, lambda outcomes: np.isin(outcomes, chosen))


def _win(whole: Subject, test: Callable[[np.ndarray], np.ndarray]) -> Subject:
    return Subject(
        lambda drawn: _indicator(whole.law(drawn), test), lambda outcomes: test(outcomes).astype(np.int64)
    )


def _dice(game: Game, under: Any = None, over: Any = None) -> Subject:
    whole = _outcome(game)
    if under is None and over is None:
        return whole
    if under is not None and over is not None:
        raise TypeError("under and over must not be given both")
    name, limit = ("under", under) if over is None else ("over", over)
    limit = float(exactly(limit, name))
    if not 0 <= limit <= 100:
        raise ValueError(f"{name} must be from 0.00 to 100.00, got {limit}")
    if name == "under":
        return _win(whole, lambda outcomes: outcomes < limit)
    return _win(whole, lambda outcomes: outcomes > limit)


def hundredths(cash_out: Any, name: str = "cash_out") -> int:
    """Return a cash-out in hundredths, checked."""
    cents = exactly(cash_out, name) * 100
    if cents.denominator != 1 or cents < 101:
        raise ValueError(f"{name} must be at least 1.01 with two decimals, got {cash_out}")
    return int(cents)


def _multiplier(game: Game, cash_out: Any = None) -> Subject:
    whole = _outcome(game)
    if cash_out is None:
        return whole
    least = hundredths(cash_out) / 100

    def law(drawn: bool) -> Distribution:
        won = _indicator(whole.law(drawn), lambda outcomes: outcomes >= least)
        return Distribution([0.0, least], won.weights)

    return Subject(law, lambda outcomes: np.where(outcomes >= least, least, 0.0))


def ticket_share(game: Game, drawn: bool, first: Any, last: Any) -> tuple[int, int]:
    """Return the weight of the tickets from `first` to `last`, and the total weight."""
    tickets = game._core.bounds[1]
    first = integer("first", first, 1, tickets)
    last = integer("last", last, first, tickets)
    below, total = game._core.up_to(drawn, first - 1)
    return game._core.up_to(drawn, last)[0] - below, total


@dataclass(frozen=True)
class _Tickets:
    """What the law of a Jackpot's ticket is known by: the weight of the tickets up to each."""

    game: Game
    drawn: bool
    first: ClassVar[int] = 1

    @property
    def last(self) -> int:
        return self.game._core.bounds[1]

    @property
    def total(self) -> int:
        return self.game._core.up_to(self.drawn, 1)[1]

    def up_to(self, ticket: int) -> int:
        return self.game._core.up_to(self.drawn, ticket)[0]

    def listed(self) -> Distribution:
        return engine_law(self.game, self.drawn)

    def moments(self) -> tuple[Fraction, Fraction] | None:
        if self.drawn:
            return None
        return Fraction(self.last + 1, 2), Fraction(self.last**2 - 1, 12)


def _jackpot(game: Game, share: Any = None) -> Subject:
    if share is None:
        return Subject(lambda drawn: Consecutive(_Tickets(game, drawn), "tickets"), lambda outcomes: outcomes)
    try:
        first, last = share
    except (TypeError, ValueError):
        raise TypeError("share must be the first and the last ticket") from None
    tickets = game._core.bounds[1]
    first = integer("share's first ticket", first, 1, tickets)
    last = integer("share's last ticket", last, first, tickets)

    def law(drawn: bool) -> Distribution:
        won, total = ticket_share(game, drawn, first, last)
        return Distribution([0, 1], [total - won, won])

    return Subject(law, lambda outcomes: ((first <= outcomes) & (outcomes <= last)).astype(np.int64))


def _plinko(game: Game, payout: Any = None) -> Subject:
    def law(drawn: bool) -> Distribution:
        bucket = engine_law(game, drawn)
        return bucket if payout is None else bucket.map(payouts(bucket.outcomes.tolist(), payout))

    def observe(outcomes: np.ndarray) -> np.ndarray:
        buckets = outcomes.reshape(-1)
        if payout is None:
            return buckets
        return np.array(payouts(engine_law(game, False).outcomes.tolist(), payout))[buckets]

    return Subject(law, observe)


def distinct(name: str, value: Any, most: int) -> np.ndarray:
    """Return distinct integers from 0 to `most`."""
    if isinstance(value, (set, frozenset, range)):
        value = sorted(value)
    if np.ndim(value) == 0:
        value = [value]
    chosen = integers(name, value)
    if chosen.size and ((chosen < 0) | (chosen > most)).any():
        raise ValueError(f"{name} must be from 0 to {most}, got {chosen.tolist()}")
    if np.unique(chosen).size != chosen.size:
        raise ValueError(f"{name} must be distinct, got {chosen.tolist()}")
    return chosen


def _mines(game: Game, cells: Any = None) -> Subject:
    if cells is None:
        raise TypeError("cells must be given: the law is of how many of these cells hide a mine")
    chosen = distinct("cells", cells, 24)
    mask = sum(1 << cell for cell in chosen.tolist())
    return Subject(
        lambda drawn: engine_law(game, drawn, among=mask),
        lambda outcomes: np.isin(outcomes, chosen).sum(axis=-1),
    )


def _tower(game: Game, positions: Any = 0, rows: Any = 10) -> Subject:
    rows = integer("rows", rows, 1, 10)
    if np.ndim(positions) == 0:
        chosen = np.full(rows, integer("positions", positions, 0, 4))
    else:
        chosen = integers("positions", positions)
        if chosen.size < rows or ((chosen < 0) | (chosen > 4)).any():
            raise ValueError(f"positions must be one for each of {rows} rows, from 0 to 4")
        chosen = chosen[:rows]

    def law(drawn: bool) -> Distribution:
        weights: list[int] = []
        climbed = 1
        by_row = [
            engine_law(game, drawn, part=row, among=1 << position)
            for row, position in enumerate(chosen.tolist())
        ]
        for row in by_row:
            safe = dict(zip(row.outcomes.tolist(), row.weights, strict=True)).get(0, 0)
            weights = [weight * row.total for weight in weights]
            weights.append(climbed * (row.total - safe))
            climbed *= safe
        return Distribution(range(rows + 1), [*weights, climbed])

    def observe(outcomes: np.ndarray) -> np.ndarray:
        hit = (outcomes[..., :rows, :] == chosen[:, np.newaxis]).any(axis=-1)
        return np.where(hit.any(axis=-1), hit.argmax(axis=-1), rows)

    return Subject(law, observe)


def _slot(game: Any, reel: Any = None, payout: Any = None, of: str = "stops") -> Subject:
    if (reel is None) == (payout is None):
        raise TypeError("reel or payout must be given, one of them: a reel from 0 to 4, or what a spin pays")
    if of not in ("stops", "window"):
        raise ValueError(f'of must be "stops" or "window", got {of!r}')
    one_spin = replace(game, spins=1)
    stops = SLOT_STOPS
    if reel is not None:
        reel = integer("reel", reel, 0, len(stops) - 1)
        return Subject(
            lambda drawn: engine_law(one_spin, drawn, cell=reel, draw=reel),
            lambda outcomes: outcomes[..., reel].reshape(-1),
        )
    pay = _spin_payout(payout, of, one_spin)
    show = one_spin.window if of == "window" else np.asarray

    def law(drawn: bool) -> Distribution:
        reels = [engine_law(one_spin, drawn, cell=i, draw=i).weights for i in range(len(stops))]
        return _over_all_stops(reels, show, pay)

    return Subject(law, lambda outcomes: pay(show(outcomes.reshape(-1, len(stops)))))


def _spin_payout(payout: Any, of: str, game: Any) -> Callable[[np.ndarray], np.ndarray]:
    """Return a function from stops, shape (N, 5), or windows, to what each spin pays, shape (N,)."""
    if of == "window" and not callable(payout):
        raise TypeError("payout must be a function where it is of the window")
    stops = SLOT_STOPS
    if isinstance(payout, Mapping):
        if not payout:
            raise ValueError("payout must pay for some stops, got an empty table")
        keys = np.ravel_multi_index(tuple(game._checked(list(payout)).T), tuple(stops))
        order = np.argsort(keys)
        keys, pays = keys[order], np.array(list(payout.values()))[order]

        def look_up(rows: np.ndarray) -> np.ndarray:
            wanted = np.ravel_multi_index(tuple(rows.T), tuple(stops))
            places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
            return np.where(keys[places] == wanted, pays[places], 0)

        return look_up
    if not callable(payout):
        table = np.asarray(payout)
        if table.shape != tuple(stops):
            raise ValueError(f"payout must be a table of the shape {tuple(stops)}, got {table.shape}")
        return lambda rows: table[tuple(rows.T)]

    def pay(rows: np.ndarray) -> np.ndarray:
        paid = np.asarray(payout(rows))
        if paid.shape != rows.shape[:1]:
            shape = "(N, 3, 5)" if of == "window" else "(N, 5)"
            raise ValueError(
                f"payout must return one value a spin: of {of} of the shape {shape}, here N = {len(rows)}, "
                f"it must make the shape ({len(rows)},), got {paid.shape}"
            )
        return paid

    return pay


def _over_all_stops(
    reels: list[tuple[int, ...]],
    show: Callable[[np.ndarray], np.ndarray],
    pay: Callable[[np.ndarray], np.ndarray],
) -> Distribution:
    """Return the law of what spins pay, over all stops.

    A stop's weight is one of a few of its reel. Spins of the same payout and the same choice of weights
    are counted by numpy; the counts are multiplied with the weights as Python integers.
    """
    classes = [sorted(set(weights)) for weights in reels]
    places = [np.array([kinds.index(w) for w in ws]) for kinds, ws in zip(classes, reels, strict=True)]
    # The last three reels at once: as many spins as the cache of a core holds.
    rest = np.indices([len(weights) for weights in reels[2:]]).reshape(3, -1)
    code = np.zeros(rest.shape[1], dtype=np.int64)
    products = [1]
    for kinds, place, stops in zip(classes[2:], places[2:], rest, strict=True):
        code = code * len(kinds) + place[stops]
        products = [product * weight for product in products for weight in kinds]
    # What is shown of a reel depends on its own stop alone.
    all_seen = show(np.concatenate([np.zeros((2, rest.shape[1]), dtype=np.int64), rest]).T)
    pairs = np.indices([len(weights) for weights in reels[:2]])
    first_seen = show(
        np.concatenate([pairs, np.zeros((3, *pairs.shape[1:]), dtype=np.int64)]).transpose(1, 2, 0)
    )
    first_seen = first_seen[..., :2]
    known = np.array([])
    found: dict[Any, int] = {}
    for (first, first_weight), (second, second_weight) in itertools.product(*map(enumerate, reels[:2])):
        seen = all_seen.copy()
        seen[..., :2] = first_seen[first, second]
        paid = pay(seen)
        if paid.dtype == object:
            known = np.unique(paid)
        elif not known.size or not np.isin(paid, known).all():
            known = np.union1d(known, paid) if known.size else np.unique(paid)
        joint = np.searchsorted(known, paid) * len(products) + code
        counts = np.bincount(joint, minlength=known.size * len(products)).reshape(known.size, -1)
        for value, row in zip(known.tolist(), counts, strict=True):
            used = np.flatnonzero(row)
            part = sum(int(row[i]) * products[i] for i in used.tolist())
            if part:
                found[value] = found.get(value, 0) + first_weight * second_weight * part
    return Distribution(list(found), list(found.values()))


_SUBJECTS: dict[str, tuple[Callable[..., Subject], tuple[str, ...]]] = {
    "mines": (_mines, ("cells",)),
    "tower": (_tower, ("positions", "rows")),
    "slot": (_slot, ("reel", "payout", "of")),
    "plinko": (_plinko, ("payout",)),
    "dice": (_dice, ("under", "over")),
    "double": (_wheel, ("sectors",)),
    "jackpot": (_jackpot, ("share",)),
    "crash": (_multiplier, ("cash_out",)),
    "overgo": (_multiplier, ("cash_out",)),
    "x50": (_wheel, ("sectors",)),
}


# What a game's bias is looked for in: names, and subjects.
_LOOKED_AT: dict[str, list[dict[str, Any]]] = {
    "mines": [{"cells": [cell]} for cell in range(25)],
    "tower": [{"positions": position, "rows": 1} for position in range(5)],
    "slot": [{"reel": reel} for reel in range(5)],
}


def bias_table(games: Any = None) -> tuple[Bias, ...]:
    """Return the largest relative bias of each game: how far as-drawn probabilities are from ideal ones.

    Of Mines it is that of a single cell, of Tower of a position of a row, of Slot of a reel's stop, of
    Plinko of a bucket, of the others of an outcome.

    Parameters
    ----------
    games : iterable of Game, optional
        The games to look at; all ten with their default parameters otherwise.

    Returns
    -------
    tuple of Bias
        For each game, ``.game``, ``.subject``, ``.outcome`` and ``.relative``, an exact fraction.

    Examples
    --------
    >>> import provably_fair as pf
    >>> for bias in pf.bias_table([pf.Dice(), pf.Double()]):
    ...     print(bias.game.name, bias.outcome, f"{float(bias.relative):.1e}")
    dice 50.11 -1.1e-12
    double 11 1.2e-15
    """
    if games is None:
        from .games import GAMES

        games = [make() for make in GAMES.values()]
    try:
        games = [game_of("games", game) for game in games]
    except TypeError as error:
        if not str(error).startswith("games"):
            raise TypeError(f"games must be games, got {type(games).__name__}") from None
        raise
    table = []
    for game in games:
        worst: Bias | None = None
        for arguments in _LOOKED_AT.get(game.name, [{}]):
            subject = subject_of(game, arguments)
            ideal, drawn = subject.law(False), subject.law(True)
            place, relative = _worst(ideal, drawn)
            if worst is None or abs(relative) > abs(worst.relative):
                named = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
                worst = Bias(game, named or "outcome", ideal.outcomes[place].item(), relative)
        assert worst is not None
        table.append(worst)
    return tuple(table)


def _worst(ideal: Distribution, drawn: Distribution) -> tuple[int, Fraction]:
    """Return the place and the size of the largest relative difference."""
    best, place = (0, 1), 0
    for i, (w, v) in enumerate(zip(ideal.weights, drawn.weights, strict=True)):
        apart, out_of = v * ideal.total - w * drawn.total, w * drawn.total
        if abs(apart) * best[1] > abs(best[0]) * out_of:
            best, place = (apart, out_of), i
    return place, Fraction(*best)
