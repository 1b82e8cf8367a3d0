"""Slot: where five reels come to rest.

A slot of five reels has 33 million windows, too many to pay one by one for each question. The symbols shown
by a reel depend on its own stop alone, so stops that show the same are merged, with their weights added
(`weights_over_stops`). The last three reels are paid at once, in arrays as large as a core's cache.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from provably_fair import distribution
from provably_fair._core.arguments import BadType, BadValue, choice, integer, rectangular
from provably_fair._core.counts import bincount
from provably_fair._core.drawing import axes, board, frame, tile
from provably_fair._core.printable import label, plain
from provably_fair._engine import SLOT_STOPS
from provably_fair.games import asking
from provably_fair.games.draws import Draws
from provably_fair.games.engine_game import EngineGame
from provably_fair.games.engine_laws import engine_law
from provably_fair.games.kind import Kind, Law, kind_property
from provably_fair.games.looks import Example, Look, Of, OfPart, View
from provably_fair.games.parameters import changed
from provably_fair.games.rounds import check_outcomes
from provably_fair.games.samples import values_of

from ._boards import walk_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike

    from provably_fair.bets import Bet
    from provably_fair.distribution import Distribution, Tally
    from provably_fair.distribution.sequences import FairnessMaterial
    from provably_fair.walkthrough import Step, Walkthrough
    from provably_fair.walkthrough.lines import Line

_SHAPE = tuple(SLOT_STOPS)
_REELS = len(_SHAPE)
_ROWS = 3

Payout = Callable[[np.ndarray], Any] | Mapping[tuple[int, ...], Any] | Any
"""The payout of spins: a function of many of them, a table by stops, or one of the shape of all stops."""


@dataclass(frozen=True, eq=False)
class _Paid:
    """The payout of spins, by the symbols or windows shown for their stops."""

    pay: Callable[[np.ndarray], np.ndarray]
    show: Callable[[np.ndarray], np.ndarray]

    def __call__(self, stops: np.ndarray) -> np.ndarray:
        return self.pay(self.show(stops))


def _possible(outcomes: np.ndarray) -> np.ndarray:
    """Return which stops exist on their reels."""
    found: np.ndarray = (outcomes >= 0) & (outcomes < np.array(SLOT_STOPS))
    return found


class _Slot(Kind):
    game: Slot
    name: ClassVar[str] = "slot"
    each: ClassVar[tuple[int, ...] | None] = (_REELS,)

    def view(self, *, reel: int | None = None, payout: Payout | None = None, of: str = "stops") -> View:
        """Return the view of a reel, or of the payout of one spin."""
        if (reel is None) == (payout is None):
            raise BadType("reel", f"or payout must be given, one of them; reels are 0 to {_REELS - 1}")
        choice("of", of, ("stops", "symbols", "window"))
        if reel is None:
            show: Any = {"symbols": self.game.symbols, "window": self.game.window, "stops": np.asarray}[of]
            return View(_Paid(_spin_payout(payout, of), show), pays=True)
        return View(OfPart(integer("reel", reel, 0, _REELS - 1)))

    @property
    def laws(self) -> tuple[Law, ...]:
        return (self._spin_law,)

    def _spin_law(self, drawn: bool, of: Of | None) -> Distribution | None:
        """Return the law of a reel, or of the payout of one spin."""
        spin = changed(self.game, spins=1)
        if isinstance(of, OfPart):
            return engine_law(spin, drawn, cell=of.place, draw=of.place)
        if not isinstance(of, _Paid):
            return None
        reels = [engine_law(spin, drawn, cell=i, draw=i).weights for i in range(_REELS)]
        found = weights_over_stops(reels, of.show, of.pay)
        return distribution.Distribution(list(found), list(found.values()))

    def distance(self) -> Fraction:
        return Fraction(0)

    def bet_on(self, payout: Any, asked: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """Bet on a reel, or on a spin with the payout that is given."""
        if asked.get("reel") is not None:
            return payout, asked
        if payout is None:
            raise BadType("payout", "must be given: the return of a spin, the stake included")
        return None, {"payout": payout, "of": "stops"} | asked

    def possible(self, outcomes: np.ndarray) -> np.ndarray:
        return _possible(outcomes)

    def looks(self, *, bias: bool = False) -> tuple[Look, ...]:
        return tuple(Look(f"reel {reel}", {"reel": reel}) for reel in range(_REELS))

    def material(self, values: np.ndarray) -> FairnessMaterial:
        """Return the stops of each reel; neighboring reels with equal numbers of stops make one sequence."""
        from provably_fair.distribution.sequences import FairnessMaterial, uniform_sequence

        flat = values.reshape(-1, _REELS)
        reels = [uniform_sequence(f"reel {i + 1}", flat[:, i], stops) for i, stops in enumerate(SLOT_STOPS)]
        sequences = []
        first = 0
        for stops, alike in itertools.groupby(SLOT_STOPS):
            end = first + len(list(alike))
            if end - first == 1:
                sequences.append(reels[first])
            else:
                sequences.append(
                    uniform_sequence(f"reels {first + 1}-{end}", flat[:, first:end].ravel(), stops)
                )
            first = end
        inside = np.clip(flat, 0, np.array(SLOT_STOPS) - 1)
        keys = np.ravel_multi_index(tuple(inside.T), _SHAPE)
        return FairnessMaterial(
            repr(self.game), len(values), sequences, reels, (keys, 1 / math.prod(SLOT_STOPS))
        )

    def picture(self, outcome: np.ndarray, steps: Sequence[Step]) -> Iterator[Line]:
        """Draw the windows in text."""
        from provably_fair.walkthrough import Mark, Part

        for step in steps:
            if isinstance(step, Part):
                yield [f"the window of spin {step.index + 1}, the center line in brackets"]
                rows = [
                    [plain(str(cell), 20) for cell in row] for row in self.game.window(outcome[step.index])
                ]
                width = max(len(cell) for row in rows for cell in row)
                for place, row in enumerate(rows):
                    cells = [f"{cell:>{width}}" for cell in row]
                    yield ["  ", *(Mark(cell) if place == 1 else f" {cell} " for cell in cells)]


def _text_of_reels(reels: tuple[tuple[Any, ...], ...] | None) -> str:
    """Return reels as the shortest text that makes the slot again."""
    return "None" if reels is None else f"({','.join(map(_strip_text, reels))})"


class Slot(EngineGame, catalog="slot"):
    """Slot: where five reels of 30, 30, 30, 30 and 41 stops come to rest.

    Outcome: the stops on the center line, shape (spins, 5), from 0. Each spin has a cursor of its own, and
    uses the first five numbers of its digest.

    Parameters
    ----------
    spins : int
        The number of spins in the round, 1 to 180.
    reels : sequence of five sequences, optional
        The symbols of each reel in order, for `symbols` and `window`; they don't change outcomes. The
        document doesn't print the operator's strips.

    Examples
    --------
    >>> pf.Slot().play("", "", "")
    array([[14, 10, 21, 20, 39]])
    """

    spins: int = 1
    reels: tuple[tuple[object, ...], ...] | None = field(default=None, metadata={"text": _text_of_reels})

    pictured = Example("fifth reel", {"reel": 4})
    kind = kind_property(_Slot)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.reels is None:
            return
        try:
            reels = tuple(tuple(reel) for reel in self.reels)
            hash(reels)
        except TypeError:
            raise BadType("reels", "must be five sequences of hashable symbols") from None
        lengths = tuple(len(reel) for reel in reels)
        if lengths != _SHAPE:
            raise BadValue("reels", f"must have {SLOT_STOPS} symbols, got {list(lengths)!s:.80}")
        object.__setattr__(self, "reels", reels)

    def outcome(self, draws: Draws) -> np.ndarray:
        """Return each spin's ``draws.below`` of 30, 30, 30, 30 and 41, before ``draws.skip(3)``."""
        spins = []
        for _ in range(self.spins):
            spins.append(np.stack([draws.below(stops) for stops in (30, 30, 30, 30, 41)], axis=1))
            draws.skip(3)  # the next spin has a digest of its own
        return np.stack(spins, axis=1)

    def symbols(self, stops: ArrayLike) -> np.ndarray:
        """Return the symbols at stops, (..., 5), of a slot that has `reels`; see `window`.

        Examples
        --------
        >>> slot = pf.Slot(reels=["ABCDEFGHIJKLMNOPQRSTUVWXYZ0123"] * 4 + [range(41)])
        >>> slot.symbols(slot.play("", "", "")).tolist()
        [['O', 'K', 'V', 'U', 39]]
        """
        if self.reels is None:
            raise BadValue("reels", "must be given to the slot: without them its stops have no symbols")
        return self._at(_check_stops(stops))

    def window(self, stops: ArrayLike) -> np.ndarray:
        """Return the three visible rows for stops, the center line in the middle.

        The neighbors of a reel's first and last stop are each other.

        Parameters
        ----------
        stops : array-like of int, shape (..., 5)
            Stops of the five reels.

        Returns
        -------
        numpy.ndarray
            Shape (..., 3, 5): the row above, the center line, the row below. Symbols, or stops where
            the slot has no `reels`.

        Examples
        --------
        >>> pf.Slot().window([0, 10, 21, 20, 40])
        array([[29,  9, 20, 19, 39],
               [ 0, 10, 21, 20, 40],
               [ 1, 11, 22, 21,  0]])
        """
        stops = _check_stops(stops)
        neighbors = stops[..., np.newaxis, :] + np.array([[-1], [0], [1]])
        return self._at(neighbors % np.array(SLOT_STOPS))

    def _at(self, stops: np.ndarray) -> np.ndarray:
        if self.reels is None:
            return stops
        symbols = [symbol for reel in self.reels for symbol in reel]
        strip = np.array(symbols) if len({type(symbol) for symbol in symbols}) == 1 else None
        if strip is None or strip.ndim != 1:
            strip = np.empty(len(symbols), dtype=object)
            strip[:] = symbols
        first = np.concatenate([[0], np.cumsum(SLOT_STOPS)[:-1]])
        found: np.ndarray = strip[stops + first]
        return found

    def distribution(
        self, law: str = "ideal", *, reel: int | None = None, payout: Payout | None = None, of: str = "stops"
    ) -> Distribution:
        """Return the exact law of one reel's stop, or of what one spin pays.

        Parameters
        ----------
        law : str
            "ideal" or "as_drawn".
        reel : int
            Which reel, 0 to 4.
        payout : callable, array-like or mapping
            What one spin pays, instead of a reel: a function of stops, an int64 array (N, 5), that
            returns (N,) values; a table of the shape (30, 30, 30, 30, 41); or a mapping from five stops.
            A function is called on all 30**4 * 41 stops, but on stops that show the same only once: on
            symbols at once.
        of : str
            "stops"; "window": the function is given what `Slot.window` returns, (N, 3, 5); or
            "symbols": it is given what `Slot.symbols` does, (N, 5), or a mapping is from five symbols.

        Returns
        -------
        Distribution
            Of the stop, or of the pay.

        Raises
        ------
        TypeError, ValueError
            When neither reel nor payout is given, both are, or they don't fit the reels.

        Examples
        --------
        >>> len(pf.Slot().distribution(reel=4))
        41
        """
        return asking.distribution(self, law, reel=reel, payout=payout, of=of)

    def observe(
        self, outcomes: ArrayLike, *, reel: int | None = None, payout: Payout | None = None, of: str = "stops"
    ) -> np.ndarray:
        """Return the values of outcomes whose law is `distribution`, asked alike; see `Game.observe`.

        Examples
        --------
        >>> pf.Slot().observe([[[14, 10, 21, 20, 39]]], reel=4)
        array([39])
        """
        return asking.observe(self, outcomes, reel=reel, payout=payout, of=of)

    def bet(
        self, payout: Any = None, *, law: str | None = "best", reel: int | None = None, of: str = "stops"
    ) -> Bet:
        """Return a bet of 1 on a reel, or on what one spin pays; see `Game.bet` and `distribution`.

        Examples
        --------
        >>> pf.Slot().bet({7: 40}, reel=4, law="ideal").exact_rtp
        Fraction(40, 41)
        """
        return asking.bet(self, payout, law=law, reel=reel, of=of)

    def tally(
        self,
        rounds: int,
        *,
        reel: int | None = None,
        payout: Payout | None = None,
        of: str = "stops",
        **options: Any,
    ) -> Tally:
        """Count the outcomes of many simulated rounds, or what is asked; see `Game.tally`.

        Examples
        --------
        >>> pf.Slot().tally(1000, reel=4).rounds
        1000
        """
        return asking.tally(self, rounds, {"reel": reel, "payout": payout, "of": of}, **options)

    def plot(self, outcome: ArrayLike | Walkthrough, *, ax: Axes | None = None) -> Axes:
        """Draw the window of one spin: three rows of five reels, the center line in a frame; see `Game.plot`.

        It shows symbols if the slot has `reels`, otherwise stops. The round has one spin: shape (5,) or (1,
        5).

        Examples
        --------
        >>> pf.Slot().plot([14, 10, 21, 20, 39]).get_xlabel()
        'reel'
        """
        walk = walk_of(outcome, type(self))
        spins = rectangular("outcome", outcome if walk is None else walk.outcome)
        if spins.shape == (_REELS,):
            spins = spins[np.newaxis]
        window = self.window(check_outcomes(changed(self, spins=1), [spins], "outcome")[0, 0])
        ax = axes(ax, 4, 2.7)
        for row in range(_ROWS):
            for reel in range(_REELS):
                color = "blue" if row == 1 else "pale"
                tile(ax, (reel, _ROWS - 1 - row), label(str(window[row, reel]), 8), color=color)
        frame(ax, (-0.5, 0.5), _REELS)
        board(ax, _REELS, _ROWS)
        ax.set_xticks(range(_REELS), [str(reel) for reel in range(1, _REELS + 1)])
        ax.set_yticks(range(_ROWS), ["below", "center", "above"])
        ax.set_xlabel("reel")
        ax.set_title("center line: " + " ".join(label(str(symbol), 8) for symbol in window[1]), fontsize=10)
        return ax


def _check_stops(stops: ArrayLike) -> np.ndarray:
    stops = rectangular("stops", stops)
    if stops.dtype.kind not in "iu":
        raise BadType("stops", f"must be integers, got an array of {stops.dtype}")
    if stops.ndim == 0 or stops.shape[-1] != len(SLOT_STOPS):
        raise BadValue("stops", f"must have the shape (..., 5), got {stops.shape}")
    stops = stops.astype(np.int64)
    if not _possible(stops).all():
        raise BadValue("stops", f"must be from 0 to below {SLOT_STOPS}, reel by reel")
    return stops


def _spin_payout(payout: object, of: str) -> Callable[[np.ndarray], np.ndarray]:
    """Return a function from stops, shape (N, 5), or windows, to payouts, shape (N,)."""
    if of == "window" and not callable(payout):
        raise BadType("payout", "must be a function if it is of the window")
    if isinstance(payout, Mapping) and not payout:
        raise BadValue("payout", "must pay for some stops, got an empty table")
    if of == "symbols" and not callable(payout):
        if not isinstance(payout, Mapping):
            raise BadType("payout", "must be a function, or a table by five symbols, if it is of symbols")
        for line in payout:
            if not isinstance(line, (tuple, str)) or len(line) != _REELS:
                raise BadValue("payout", f"must be by {_REELS} symbols, got one for {line!r}")
        lines = {tuple(line): pays for line, pays in payout.items()}
        return lambda rows: np.array([lines.get(tuple(row), 0) for row in rows.tolist()])
    if isinstance(payout, Mapping):
        keys = np.ravel_multi_index(tuple(_check_stops(list(payout)).T), _SHAPE)
        order = np.argsort(keys)
        keys, pays = keys[order], np.array(list(payout.values()))[order]

        def look_up(rows: np.ndarray) -> np.ndarray:
            wanted = np.ravel_multi_index(tuple(rows.T), _SHAPE)
            places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
            return np.where(keys[places] == wanted, pays[places], 0)

        return look_up
    if not callable(payout):
        table = np.asarray(payout)
        if table.shape != _SHAPE:
            raise BadValue("payout", f"must be a table of the shape {_SHAPE}, got {table.shape}")
        return lambda rows: table[tuple(rows.T)]
    return lambda rows: values_of(payout, rows, "payout")


def weights_over_stops(
    reels: list[tuple[int, ...]],
    show: Callable[[np.ndarray], np.ndarray],
    pay: Callable[[np.ndarray], np.ndarray],
) -> dict[Any, int]:
    """Return the weights of the payouts of spins of five reels, over all stops.

    Stops of a reel that show the same are merged, with the weight of all. Each reel has few different
    weights, so numpy counts spins with the same payout and the same choice of weights; the counts are
    multiplied by the weights as Python integers.
    """
    kept = [_different(reel, weights, show) for reel, weights in enumerate(reels)]
    reels = [weights for _, weights in kept]
    stop_of = [stops for stops, _ in kept]
    classes = [sorted(set(weights)) for weights in reels]
    places = [np.array([kinds.index(w) for w in ws]) for kinds, ws in zip(classes, reels, strict=True)]
    # The last three reels at once: their spins fit a core's cache.
    rest = np.indices([len(weights) for weights in reels[2:]]).reshape(3, -1)
    code = np.zeros(rest.shape[1], dtype=np.int64)
    products = [1]
    for kinds, place, chosen in zip(classes[2:], places[2:], rest, strict=True):
        code = code * len(kinds) + place[chosen]
        products = [product * weight for product in products for weight in kinds]
    stops = np.array([at[chosen] for at, chosen in zip(stop_of[2:], rest, strict=True)])
    all_seen = show(np.concatenate([np.zeros((2, rest.shape[1]), dtype=np.int64), stops]).T)
    pairs = np.indices([len(weights) for weights in reels[:2]])
    firsts = np.array([at[chosen] for at, chosen in zip(stop_of[:2], pairs, strict=True)])
    first_seen = show(
        np.concatenate([firsts, np.zeros((3, *pairs.shape[1:]), dtype=np.int64)]).transpose(1, 2, 0)
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
        counts = bincount(joint, minlength=known.size * len(products)).reshape(known.size, -1)
        for value, row in zip(known.tolist(), counts, strict=True):
            used = np.flatnonzero(row)
            part = sum(int(row[i]) * products[i] for i in used.tolist())
            if part:
                found[value] = found.get(value, 0) + first_weight * second_weight * part
    return found


def _different(
    reel: int, weights: tuple[int, ...], show: Callable[[np.ndarray], np.ndarray]
) -> tuple[np.ndarray, tuple[int, ...]]:
    """Return one stop for each symbol or column that a reel can show, and the weight of all that show it."""
    spins = np.zeros((len(weights), _REELS), dtype=np.int64)
    spins[:, reel] = np.arange(len(weights))
    shown: dict[Any, list[int]] = {}
    for stop, seen in enumerate(show(spins)[..., reel].tolist()):
        shown.setdefault(tuple(seen) if isinstance(seen, list) else seen, []).append(stop)
    first = np.array([stops[0] for stops in shown.values()])
    return first, tuple(sum(weights[stop] for stop in stops) for stops in shown.values())


def _strip_text(reel: tuple[Any, ...]) -> str:
    """Return a reel as Python text: a string of its letters, a range of its numbers, or all of it."""
    if all(isinstance(symbol, str) and len(symbol) == 1 for symbol in reel):
        return repr("".join(reel))
    first = reel[0]
    if isinstance(first, int) and list(reel) == list(range(first, first + len(reel))):
        return repr(range(first, first + len(reel)))
    return repr(reel)
