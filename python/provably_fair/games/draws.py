"""`Draws`, the argument of `Game.outcome`.

All methods are derived from one, `_below`, which a subclass defines. As for games of the engine, the subclass
determines the view: the numbers of many rounds give outcomes, a recorder gives the walk-through of one round,
and an enumerator gives the exact law.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from provably_fair._core.arguments import BadType, BadValue, check_type, integer, integers
from provably_fair._core.errors import within

__all__ = ["Draws"]

MAX_RANGE = 1 << 53
"""The largest range of one draw: larger integers aren't exact in a double."""

MAX_SHUFFLE = 1 << 16
# Longer samples are taken out of lists, unless these would have too many elements for memory.
_LONG_SAMPLE, _MOST_LISTED = 64, 1 << 24

MAX_SKIP = 1 << 20
"""The most numbers to skip at once: a scheme that is a function has to compute them."""

MAX_DRAWS_ASKED = 100_000
"""The most draws of a round: a loop that draws again might never end."""

MAX_DRAWS_TRIED = 10_000
"""The same for trial rounds, and for rounds that are drawn together."""


class EndlessRoundError(BadValue):
    """A round draws without end."""


class Draws(ABC):
    """The draws of a game in Python; `Game.outcome` is called with one.

    Every method answers for all rounds at once, with an array of shape (rounds,) or (rounds, k). Numbers
    are used in order; each method says how many. With ``vectorized = False`` a game is called for one round
    at a time, and the answers are ints, floats and lists.

    Notes
    -----
    ============================  ==============================================  =======================
    method                        value                                           numbers that it uses
    ============================  ==============================================  =======================
    ``below(n)``                  one of 0 ... n - 1                              1
    ``coin()``                    0 or 1                                          1
    ``weighted([3, 1])``          a place, as often as its weight says            1
    ``number()``                  a double in [0, 1)                              1
    ``sample(n, k)``              k of n by removal: each is taken out of what    k
                                  is left, which closes up
    ``shuffle(n, k)``             the first k of a permutation, drawn as          n - 1, whatever k
                                  `sample` does
    ``distinct(n, k)``            the first k different ones of what is drawn     as many as that takes
                                  below n
    ``swaps(n)``                  a permutation by swaps from the last place      n - 1
                                  backward (Fisher and Yates, Durstenfeld)
    ``exchange(n, places, by)``   a permutation by swaps with places that were    none
                                  drawn before, in any order
    ``each(k)``                   like numbers k times: ``each(k).below(n)``,     k
                                  ``.coin()``, ``.weighted(w)``, ``.number()``
    ``skip(count)``               nothing: numbers are passed over                count
    ============================  ==============================================  =======================

    `sample`, `distinct`, `shuffle` and `swaps` have the same law, and other outcomes: which one an operator
    uses is part of its rule.

    Examples
    --------
    >>> class Die(pf.Game):
    ...     def outcome(self, draws: pf.games.Draws):
    ...         return draws.below(6) + 1
    >>> int(Die().play("server seed", "client seed", "salt"))
    3
    """

    rounds: int
    """The number of rounds, the first dimension of every answer."""

    _most = MAX_DRAWS_ASKED
    _asked = 0

    def below(self, n: int | np.ndarray) -> np.ndarray:
        """Return one of 0 ... n - 1 for each round. Uses one number.

        Parameters
        ----------
        n : int or numpy.ndarray
            At least 1; one for all rounds, or one for each.

        Returns
        -------
        numpy.ndarray
            Shape (rounds,), int64.

        Examples
        --------
        >>> class Game(pf.Game):
        ...     def outcome(self, draws):
        ...         return draws.below(100)
        >>> Game().play("server", "client", "salt").tolist()
        38
        """
        self._count("below")
        return self._below(self._range(n))

    def coin(self) -> np.ndarray:
        """Return 0 or 1 for each round: ``below(2)``. Uses one number."""
        self._count("coin")
        return self._below(2)

    def weighted(self, weights: Sequence[int]) -> np.ndarray:
        """Return one of 0 ... k - 1 for each round, with the given weights. Uses one number.

        A number below the sum of the weights selects the choice: each takes as many values as its weight, in
        order.

        Parameters
        ----------
        weights : sequence of int
            A weight for each of the k choices, whole numbers from 0.

        Returns
        -------
        numpy.ndarray
            Shape (rounds,), int64.

        Examples
        --------
        >>> class Case(pf.Game):
        ...     def outcome(self, draws):
        ...         return draws.weighted([70, 25, 5])
        >>> Case().play("server", "client", "salt").tolist()
        0
        >>> Case().distribution().pmf([0, 1, 2]).tolist()
        [0.7, 0.25, 0.05]
        """
        self._count("weighted")
        with within("draws.weighted: "):
            table = integers("weights", weights)
        if (table < 0).any() or not 1 <= int(table.sum(dtype=object)) <= MAX_RANGE:
            raise BadValue(
                "weights", "must be from 0, and their sum from 1 to 2**53", place="draws.weighted: "
            )
        return self._weighted(table)

    def number(self) -> np.ndarray:
        """Return a number in [0, 1) for each round, float64. Uses one number."""
        self._count("number")
        return self._number()

    def sample(self, n: int, k: int) -> np.ndarray:
        """Draw k of 0 ... n - 1 without replacement for each round, by removal. Uses k numbers.

        Each draw removes one of the remaining values, which stay in increasing order.

        Parameters
        ----------
        n : int
            The number of values to draw from.
        k : int
            The number of values to draw, at most n.

        Returns
        -------
        numpy.ndarray
            Shape (rounds, k), int64, in the order in which they were taken.

        Examples
        --------
        >>> class Game(pf.Game):
        ...     def outcome(self, draws):
        ...         return draws.sample(40, 3)
        >>> Game().play("server", "client", "salt").tolist()
        [15, 22, 0]
        """
        self._count("sample")
        n = integer("n", n, 1, MAX_SHUFFLE, place="draws.sample: ")
        return self._take(n, integer("k", k, 0, n, place="draws.sample: "), 0)

    def distinct(self, n: int, k: int) -> np.ndarray:
        """Draw below n until there are k different values for each round; see `sample`.

        Values that came before are passed over. If a round's digest is used up and the scheme reads no other,
        the values that are missing are -1.

        Examples
        --------
        >>> class Game(pf.Game):
        ...     def outcome(self, draws):
        ...         return draws.distinct(52, 3)
        >>> Game().play("server", "client", "salt").tolist()
        [19, 29, 0]
        """
        self._count("distinct")
        n = integer("n", n, 1, MAX_SHUFFLE, place="draws.distinct: ")
        return self._distinct(n, integer("k", k, 0, n, place="draws.distinct: "))

    def shuffle(self, n: int, k: int | None = None) -> np.ndarray:
        """Return the first k of a permutation of 0 ... n - 1, or all, by removal; see `sample`.

        Uses n - 1 numbers, whatever k is: those after the first k are passed over as by `skip`.

        Examples
        --------
        >>> class Game(pf.Game):
        ...     def outcome(self, draws):
        ...         return draws.shuffle(5)
        >>> Game().play("server", "client", "salt").tolist()
        [1, 3, 0, 4, 2]
        """
        self._count("shuffle")
        n = integer("n", n, 1, MAX_SHUFFLE, place="draws.shuffle: ")
        k = n if k is None else integer("k", k, 0, n, place="draws.shuffle: ")
        if k < n:
            return self._take(n, k, n - 1 - k)
        first = self._take(n, n - 1, 0)
        # The last one is left over, and needs no number.
        last = n * (n - 1) // 2 - first.sum(axis=1, dtype=np.int64)
        return np.concatenate([first, last[:, np.newaxis]], axis=1)

    def swaps(self, n: int) -> np.ndarray:
        """Return a permutation of 0 ... n - 1, (rounds, n), by backward swaps. Uses n - 1 numbers.

        From the last place down to the second, each place is swapped with one of those up to itself.

        Examples
        --------
        >>> class Game(pf.Game):
        ...     def outcome(self, draws):
        ...         return draws.swaps(5)
        >>> Game().play("server", "client", "salt").tolist()
        [3, 4, 0, 2, 1]
        """
        self._count("swaps")
        return self._swap(integer("n", n, 1, MAX_SHUFFLE, place="draws.swaps: "))

    def exchange(self, n: int, places: Sequence[int], by: Sequence[Any]) -> np.ndarray:
        """Return a permutation of 0 ... n - 1, (rounds, n), by swaps with places that were drawn before.

        Uses no number. It is for swaps in another order than that of `swaps`.

        Parameters
        ----------
        n : int
            The number of places; at first, each holds its own number.
        places : sequence of int
            The places that are swapped, one after another.
        by : sequence of numpy.ndarray
            For each of them the place that it is swapped with, one for each round.

        Examples
        --------
        >>> class Game(pf.Game):
        ...     def outcome(self, draws):
        ...         by = [place + draws.below(25 - place) for place in range(3)]
        ...         return draws.exchange(25, range(3), by)[:, :3]
        >>> Game().play("server", "client", "salt").tolist()
        [9, 14, 2]
        """
        self._count("exchange")
        place = "draws.exchange: "
        n = integer("n", n, 1, MAX_SHUFFLE, place=place)
        if len(places) != len(by):
            raise BadValue(
                "by", f"must have {len(places)} values, one for each place, got {len(by)}", place=place
            )
        with within(place):
            firsts = integers("places", places).tolist()
        others = [np.broadcast_to(one, (self.rounds,)) for one in by]
        for name, values in (("places", firsts), ("by", others)):
            if not all(np.asarray(one).dtype.kind in "iu" for one in values):
                raise BadType(name, "must be integers", place=place)
            if np.size(values) and not 0 <= np.min(values) <= np.max(values) < n:
                raise BadValue(name, f"must be from 0 to {n - 1}", place=place)
        order, rows = np.tile(np.arange(n, dtype=np.int64), (self.rounds, 1)), np.arange(self.rounds)
        for one, other in zip(firsts, others, strict=True):
            moved = order[rows, other]
            order[rows, other] = order[:, one]
            order[:, one] = moved
        return order

    def each(self, k: int, part: str | None = None, times: int | None = None) -> Each:
        """Return draws whose answers are those of k calls: ``draws.each(16).coin()`` is (rounds, 16).

        Its methods are `below`, `coin`, `weighted` and `number`. They use k numbers, as k calls do.

        Parameters
        ----------
        k : int
            The number of calls.
        part : str, optional
            What each of them is, such as "row": `part` is then called before it.
        times : int, optional
            How often each of them is drawn: answers are (rounds, k, times), and use k * times numbers.

        Examples
        --------
        >>> class Game(pf.Game):
        ...     def outcome(self, draws):
        ...         return draws.each(8, "row").coin()
        >>> Game().play("server", "client", "salt").tolist()
        [0, 1, 0, 1, 0, 1, 1, 1]
        """
        return Each(self, k, part, times)

    def skip(self, count: int) -> None:
        """Pass over the next `count` numbers, at most 2**20.

        A word for each, even under a scheme that rejects words or takes several for a number.

        Examples
        --------
        >>> class Game(pf.Game):
        ...     def outcome(self, draws):
        ...         draws.skip(1)
        ...         return draws.below(100)
        >>> Game().play("server", "client", "salt").tolist()
        56
        """
        self._count("skip")
        self._skip(integer("count", count, 0, MAX_SKIP, place="draws.skip: "))

    def note(self, name: str, value: object) -> None:  # noqa: B027 (only a recorder listens)
        """Name an intermediate value of the formula, for walk-throughs.

        Examples
        --------
        >>> class Game(pf.Game):
        ...     def outcome(self, draws):
        ...         draws.note("one half", 0.5)
        ...         return draws.coin()
        >>> Game().play("server", "client", "salt").tolist()
        0
        """

    def part(self, name: str, index: int, draws: str = "draw") -> None:  # noqa: B027
        """Start part `index` of the outcome, from 0: a row, a ball, a card.

        `draws` names each of its draws: a step, a pin.

        Examples
        --------
        >>> class Game(pf.Game):
        ...     def outcome(self, draws):
        ...         draws.part("row", 0)
        ...         return draws.coin()
        >>> Game().play("server", "client", "salt").tolist()
        0
        """

    def label(self, name: str) -> None:
        """Label the following draws, for schemes that hash the label as ``{label}``.

        Each label has its own numbers, and continues where its last draw ended. Other schemes ignore labels.

        Parameters
        ----------
        name : str
            The text for ``{label}``.

        Examples
        --------
        >>> class Game(pf.Game):
        ...     def outcome(self, draws):
        ...         draws.label("outcome")
        ...         return draws.below(100)
        >>> hash = pf.Hash("sha256", "{client_seed}:{label}:{cursor}", key="{server_seed}")
        >>> Game().with_scheme(pf.Scheme(hash, bits=32)).play("server", "client").tolist()
        65
        """
        check_type("name", name, str, place="draws.label: ")
        self._label(name)

    def __getattr__(self, name: str) -> Any:
        asked = [known for known in vars(Draws) if not known.startswith("_") and known != "rounds"]
        raise AttributeError(f"draws has no {name!r}: it has {', '.join(asked)}")

    def _count(self, asked: str) -> None:
        """Count draws, and refuse a round that draws without end."""
        self._asked += 1
        if self._asked > self._most:
            problem = (
                f": a round must draw at most {self._most:,} times. A loop that draws again may never end: "
                "draws.sample(n, k) gives different values, and a scheme's "
                '`below="reject"` draws again by itself'
            )
            raise EndlessRoundError(asked, problem, place="draws.")

    @abstractmethod
    def _number(self) -> np.ndarray:
        """Answer `number`."""

    @abstractmethod
    def _below(self, n: int | np.ndarray) -> np.ndarray:
        """Answer `below` of a range that was checked."""

    def _skip(self, count: int) -> None:  # noqa: B027 (only where numbers are used in order)
        """Pass over numbers."""

    def _label(self, name: str) -> None:  # noqa: B027 (only a scheme's streams have labels)
        """Continue with the numbers of a label."""

    def _weighted(self, weights: np.ndarray) -> np.ndarray:
        """Answer `weighted` of weights that were checked."""
        ends = np.cumsum(weights)
        return np.searchsorted(ends, self._below(int(ends[-1])), side="right").astype(np.int64, copy=False)

    def _range(self, n: Any) -> int | np.ndarray:
        if type(n) is int and 1 <= n <= MAX_RANGE:
            return n
        if np.ndim(n) == 0:
            return integer(
                "n", n[()] if isinstance(n, np.ndarray) else n, 1, MAX_RANGE, place="draws.below: "
            )
        array = np.asarray(n)
        if array.dtype.kind not in "iu":
            raise BadType("n", f"must be integers, got an array of {array.dtype}", place="draws.below: ")
        if array.shape != (self.rounds,):
            raise BadValue(
                "n",
                f"must be one integer or {self.rounds}, one for each round, got {array.shape}",
                place="draws.below: ",
            )
        if array.size and (array.min() < 1 or array.max() > MAX_RANGE):
            raise BadValue(
                "n", f"must be from 1 to 2**53, got {array.min()} to {array.max()}", place="draws.below: "
            )
        return array.astype(np.int64)

    def _take(self, n: int, k: int, skipped: int) -> np.ndarray:
        """Take k by removal, and pass over the numbers that a shuffle would use for the rest."""
        taken = np.empty((self.rounds, k), dtype=np.int64)
        left: list[list[int]] | None = None
        if k > _LONG_SAMPLE and self.rounds * n <= _MOST_LISTED:
            left = [list(range(n)) for _ in range(self.rounds)]
        else:
            ordered, places = np.empty_like(taken), np.arange(k)
        for step in range(k):
            element = self._below(n - step)
            if left is not None:
                picked = (row.pop(place) for row, place in zip(left, element, strict=True))
                element = np.fromiter(picked, np.int64, self.rounds)
            else:
                # Each smaller element taken before moves the place by one.
                left_before = ordered[:, :step] - places[:step]
                element = element + (left_before <= element[:, np.newaxis]).sum(axis=1)
                ordered[:, step] = element
                ordered[:, : step + 1].sort(axis=1, kind="stable")
            self.note(f"which of the {n - step} left", element)
            taken[:, step] = element
        self._skip(skipped)
        return taken

    def _distinct(self, n: int, k: int) -> np.ndarray:
        """Draw different values: where draws are uniform, removal has the same law."""
        return self._take(n, k, 0)

    def _swap(self, n: int) -> np.ndarray:
        """Permute by swapping each place, from the last one down, with one up to itself."""
        order = np.tile(np.arange(n, dtype=np.int64), (self.rounds, 1))
        rows = np.arange(self.rounds)
        for place in range(n - 1, 0, -1):
            other = self._below(place + 1)
            moved = order[rows, other]
            order[rows, other] = order[:, place]
            order[:, place] = moved
        return order


class Each:
    """The draws of `Draws.each`: each method is called k times, for an array of (rounds, k)."""

    def __init__(self, draws: Any, k: Any, part: str | None, times: Any) -> None:
        place = "draws.each: "
        count = None if times is None else integer("times", times, 1, MAX_SHUFFLE, place=place)
        self._draws = draws
        k = integer("k", k, 1, MAX_SHUFFLE, place=place)
        self.asked: tuple[int, str | None, int | None] = (k, part, count)

    def below(self, n: Any) -> np.ndarray:
        """Return `Draws.below`, k times."""
        found: np.ndarray = self._each("below", n=n)
        return found

    def coin(self) -> np.ndarray:
        """Return `Draws.coin`, k times."""
        found: np.ndarray = self._each("coin")
        return found

    def weighted(self, weights: Sequence[int]) -> np.ndarray:
        """Return `Draws.weighted`, k times."""
        found: np.ndarray = self._each("weighted", weights=weights)
        return found

    def number(self) -> np.ndarray:
        """Return `Draws.number`, k times."""
        found: np.ndarray = self._each("number")
        return found

    def _each(self, name: str, **asked: Any) -> Any:
        k, part, times = self.asked
        found: list[Any] = []
        for index in range(k):
            if part is not None:
                self._draws.part(part, index)
            answers = [getattr(self._draws, name)(**asked) for _ in range(times or 1)]
            found.append(answers[0] if times is None else answers)
        if isinstance(self._draws, SingleDraws):
            return found
        return np.stack(found, axis=1) if times is None else np.moveaxis(np.array(found), 2, 0)


class Answers(Draws):
    """Draws for classes of other rooms, which define `answer_number` and `answer_below`."""

    @abstractmethod
    def answer_number(self) -> np.ndarray:
        """Answer `number`."""

    @abstractmethod
    def answer_below(self, n: Any) -> np.ndarray:
        """Answer `below` of a range that was checked."""

    def answer_skip(self, count: int) -> None:
        """Pass over numbers."""

    def answer_sample(self, n: int, k: int, skipped: int) -> np.ndarray:
        """Take k by removal, and pass over the numbers that a shuffle would use for the rest."""
        return super()._take(n, k, skipped)

    def answer_swaps(self, n: int) -> np.ndarray:
        """Permute by swapping each place, from the last one down, with one up to itself."""
        return super()._swap(n)

    def _number(self) -> np.ndarray:
        return self.answer_number()

    def _below(self, n: int | np.ndarray) -> np.ndarray:
        return self.answer_below(n)

    def _skip(self, count: int) -> None:
        self.answer_skip(count)

    def _take(self, n: int, k: int, skipped: int) -> np.ndarray:
        return self.answer_sample(n, k, skipped)

    def _swap(self, n: int) -> np.ndarray:
        return self.answer_swaps(n)


class SingleDraws:
    """The draws of one round: the methods of `Draws`, which return ints, floats and lists."""

    rounds = 1

    def __init__(self, draws: Draws) -> None:
        self._draws = draws

    def each(self, k: int, part: str | None = None, times: int | None = None) -> Each:
        """Return draws whose answers are lists of those of k calls."""
        return Each(self, k, part, times)


def _single(name: str) -> Callable[..., Any]:
    """Return a method of `Draws` for one round."""

    def method(self: SingleDraws, *arguments: Any, **named: Any) -> Any:
        found = getattr(self._draws, name)(*arguments, **named)
        return None if found is None else found[0].tolist()

    return method


for _name in (name for name, method in vars(Draws).items() if callable(method) and not name.startswith("_")):
    if _name not in vars(SingleDraws):
        setattr(SingleDraws, _name, _single(_name))
