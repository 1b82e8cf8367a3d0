"""The ten games of the salted-round scheme.

A game is a value: frozen, hashable, picklable. What it does is defined once, in the engine; the
classes here give it its parameters, its documentation, and the shapes that numpy users expect.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import DTypeLike

from provably_fair._core.arguments import Text, Texts, integer, integers, threads_of
from provably_fair._core.progress import Progress, ProgressBar
from provably_fair._engine import SLOT_STOPS, catalog
from provably_fair._engine import Game as EngineGame
from provably_fair.distribution.tally import Tally
from provably_fair.seeds.series import series, simulated_seeds

if TYPE_CHECKING:
    # At run time these are imported by the methods that need them: games are imported always, laws and
    # walk-throughs seldom.
    from fractions import Fraction

    from provably_fair.distribution.distribution import Distribution
    from provably_fair.walkthrough import Step, Walkthrough
    from provably_fair.walkthrough.lines import Line

    from .cash_outs import CashOuts

__all__ = [
    "BLOCK_HASHES",
    "GAMES",
    "X50",
    "Crash",
    "Dice",
    "Double",
    "Game",
    "Jackpot",
    "Mines",
    "Overgo",
    "Plinko",
    "Slot",
    "Tower",
]

BLOCK_HASHES: Mapping[int, str] = MappingProxyType(
    {
        500000: "00000000000000000024fb37364cbf81fd49cc2d51c09c75c35433c3a1945d04",
        510000: "000000000000000000152678f83ec36b6951ed3f7e1cc3b04c5828cab8017329",
        520000: "0000000000000000000d26984c0229c9f6962dc74db0a6d525f2f1640396f69c",
        530000: "000000000000000000024e9be1c7b56cab6428f07920f21ad8457221a91371ae",
        540000: "00000000000000000011b3e92e82e0f9939093dccc3614647686c20e5ebe3aa6",
        550000: "000000000000000000223b7a2298fb1c6c75fb0efc28a4c56853ff4112ec6bc9",
        560000: "0000000000000000002c7b276daf6efb2b6aa68e2ce3be67ef925b3264ae7122",
        570000: "0000000000000000000822cf76247f1ecec0a82dbecb3b482ec4d2d154e0cd1d",
    }
)
"""Hashes of Bitcoin blocks, by height: the constant seeds of the multi-player games."""

_CATALOG = {entry.name: entry for entry in catalog()}

# A float type is taken where it tells all outcomes apart: integers up to these are exact in it.
_EXACT_INTEGERS = {np.dtype(np.float32): 2**24, np.dtype(np.float64): 2**53}


@dataclass(frozen=True)
class Game:
    """What all games have in common. Games are made by their own classes: `Mines`, `Dice`, ..."""

    name: ClassVar[str]

    def __init_subclass__(cls) -> None:
        cls.name = cls.__name__.lower()

    def __post_init__(self) -> None:
        if type(self) is Game:
            raise TypeError("Game must be made by the class of a game: Mines, Dice, ...")
        entry = _CATALOG[self.name]
        values = []
        for known in entry.parameters:
            values.append(integer(known.name, getattr(self, known.name), known.least, known.most))
            object.__setattr__(self, known.name, values[-1])
        # Not fields: they follow from the parameters.
        self.__dict__["_engine"] = EngineGame(self.name, values)
        seeds = entry.blocks and tuple(BLOCK_HASHES[block] for block in entry.blocks)
        self.__dict__["_seeds"] = seeds

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, field.name) for field in fields(self))

    @property
    def multiplayer(self) -> bool:
        """Whether many players share a round, which then has the constant seeds of `BLOCK_HASHES`."""
        return self.__dict__["_seeds"] is not None

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one outcome; () for a single value."""
        return self._core.shape

    @property
    def _core(self) -> EngineGame:
        return self.__dict__["_engine"]

    def play(
        self,
        server_seed: Texts | None = None,
        client_seed: Texts | None = None,
        salt: Texts | None = None,
        *,
        dtype: DTypeLike | None = None,
        out: np.ndarray | None = None,
        threads: int | None = None,
        **parameters: Any,
    ) -> Any:
        """Return the outcome of one round, or of many.

        Parameters
        ----------
        server_seed, client_seed : str, bytes, or array-like of them, optional
            One text for all rounds, or N of them. Multi-player games have constant seeds, the hashes of
            two Bitcoin blocks, which they take by default; the others need both.
        salt : str, bytes, or array-like of them
            The salt of the round, or N of them. Arrays broadcast as numpy's do, to one axis.
        dtype : dtype, optional
            The type of the outcomes: int64 or float64 by default, or a smaller one that holds them all.
        out : numpy.ndarray, optional
            Where to write: an array of the result's shape and of a type that holds the outcomes.
        threads : int, optional
            The most threads to use; as many as the machine has by default.
        **parameters
            Parameters that differ from round to round, as an integer or N of them: ``tickets`` of
            Jackpot, ``pins`` of Plinko.

        Returns
        -------
        numpy scalar or numpy.ndarray
            One round of single texts: an outcome, of the game's shape. N rounds: an array of shape
            (N,) + the game's shape.

        Raises
        ------
        TypeError, ValueError
            When an argument is missing or isn't what it should be. The message names the argument, and
            in arrays the row. Nothing is written to `out` then.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Mines(mines=3).play("", "", "")
        array([11,  8, 18])
        >>> pf.Dice().play("server", "client", ["salt 1", "salt 2", "salt 3"])
        array([ 0.05, 24.44, 29.59])
        >>> pf.Jackpot().play(salt=["a", "b"], tickets=[10, 2000])
        array([  9, 714])
        """
        server_seed, client_seed = self._server_and_client(server_seed, client_seed)
        if salt is None:
            raise TypeError("salt must be given: the salt of the round, or one for each round")
        if dtype is None and out is None and threads is None and not parameters:
            outcome = self._core.one(server_seed, client_seed, salt)
            if outcome is not None:
                return outcome if self._core.shape else self._default_dtype.type(outcome)
        return self._fill(server_seed, client_seed, salt, None, dtype, out, threads, parameters, None)

    def simulate(
        self,
        rounds: int,
        *,
        seed: int | str = 0,
        start: int = 0,
        server_seed: Texts | None = None,
        client_seed: Texts | None = None,
        dtype: DTypeLike | None = None,
        out: np.ndarray | None = None,
        threads: int | None = None,
        progress: Progress = False,
        **parameters: Any,
    ) -> np.ndarray:
        """Return the outcomes of many rounds whose salts are made as `salts` makes them.

        The result is that of ``play(server_seed, client_seed, salts(rounds, seed, start))``: the same
        on every machine, with any number of threads, and in any division into pieces by `start`.

        Parameters
        ----------
        rounds : int
            The number of rounds.
        seed : int or str
            The name of the series of salts.
        start : int
            The number of the first salt.
        server_seed, client_seed : str, bytes, or array-like of them, optional
            By default the constant seeds of a multi-player game; of a single-player game the SHA-256
            of ``f"{seed}:server"`` and ``f"{seed}:client"`` in hexadecimal.
        dtype, out, threads, **parameters
            As of `play`.
        progress : bool or callable
            Whether to show a progress bar (by tqdm), or a function of the rounds done and the rounds
            in all, called about twenty times a second.

        Returns
        -------
        numpy.ndarray
            Shape (rounds,) + the game's shape.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.X50().simulate(6)
        array([45, 21, 10, 18, 44, 11])
        >>> pf.X50().simulate(2, start=4)
        array([44, 11])
        """
        rounds, name, start = series(rounds, seed, start)
        server_seed, client_seed = self._simulated_seeds(name, server_seed, client_seed)
        with ProgressBar(rounds, progress) as report:
            return self._fill(
                server_seed, client_seed, name, (start, rounds), dtype, out, threads, parameters, report
            )

    def tally(
        self,
        rounds: int,
        *,
        seed: int | str = 0,
        start: int = 0,
        server_seed: Texts | None = None,
        client_seed: Texts | None = None,
        bins: int | Sequence[int] | np.ndarray | None = None,
        threads: int | None = None,
        progress: Progress = False,
        **parameters: int,
    ) -> Tally:
        """Count the outcomes of many rounds, in memory that doesn't grow with them.

        Parameters
        ----------
        rounds, seed, start, server_seed, client_seed, threads, progress
            As of `simulate`, whose outcomes are counted.
        bins : int or array-like of int, optional
            For games of one integer: the number of bins of equal width over all outcomes, or increasing
            edges. As in `numpy.histogram`, a bin holds its lower edge, the last one its upper edge too,
            and what lies outside the edges isn't counted (`Tally.rounds` counts every round). Needed for
            a Jackpot of more than 2**24 tickets.
        **parameters
            Parameters of all these rounds instead of the game's own: ``tickets`` of Jackpot, ``pins`` of
            Plinko.

        Returns
        -------
        Tally
            Outcomes, counts, rounds. Games of several values give counts of each value: Mines (25,) of
            cells, Tower (10, 5) of positions by row, Slot (5, 41) of stops by reel, Plinko (pins + 1,)
            of buckets.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Plinko(pins=8).tally(10_000).counts
        array([  38,  323, 1071, 2265, 2739, 2111, 1087,  311,   55])
        >>> pf.Jackpot(tickets=10**12).tally(1000, bins=4).counts
        array([259, 245, 264, 232])
        """
        game = self._with(parameters)
        rounds, name, start = series(rounds, seed, start)
        server_seed, client_seed = self._simulated_seeds(name, server_seed, client_seed)
        edges = None if bins is None else game._edges(bins)
        with ProgressBar(rounds, progress) as report:
            values, counts = game._core.tally(
                server_seed,
                client_seed,
                name,
                series=(start, rounds),
                bins=edges,
                threads=threads_of(threads),
                progress=report,
            )
        counts = counts.astype(np.int64)
        if counts.size != values.size:
            counts = counts.reshape(-1, values.size)
        unit = 10**game._core.decimals
        return Tally(values if unit == 1 else values / unit, counts, rounds, binned=edges is not None)

    def explain(
        self,
        server_seed: Text | None = None,
        client_seed: Text | None = None,
        salt: Text | None = None,
        **parameters: int,
    ) -> Walkthrough:
        """Return the walk-through of one round: how its seeds become its outcome.

        Parameters
        ----------
        server_seed, client_seed, salt : str or bytes
            The seeds of the round, as of `play`.
        **parameters
            As of `play`, for this round: ``tickets`` of Jackpot, ``pins`` of Plinko.

        Returns
        -------
        Walkthrough
            Print it, show it in a notebook, or take its `~Walkthrough.to_dict`. Its outcome is that of
            `play`.

        Raises
        ------
        TypeError, ValueError
            When an argument is missing or isn't what it should be.

        Examples
        --------
        >>> import provably_fair as pf
        >>> print(pf.Double().explain(salt="some salt"))  # doctest: +ELLIPSIS
        Double(): 8
        ...
        >>> pf.Mines(mines=3).explain("", "", "").outcome
        array([11,  8, 18])
        """
        server_seed, client_seed = self._server_and_client(server_seed, client_seed)
        if salt is None:
            raise TypeError("salt must be given: the salt of the round")
        from .explaining import walkthrough_of

        game = self._with(parameters)
        recorded = game._core.explain(server_seed, client_seed, salt)
        cells = np.array(recorded.cells, dtype=np.int64).reshape(game.shape)
        decimals = game._core.decimals
        outcome = cells if decimals == 0 else cells / 10**decimals
        return walkthrough_of(
            game,
            game.name,
            game._parameters(),
            {"server_seed": server_seed, "client_seed": client_seed, "salt": salt},
            recorded,
            outcome.astype(game._default_dtype)[()],
            decimals,
            game._picture,
        )

    def _with(self, parameters: dict[str, Any]) -> Game:
        """Return the game that has these parameters in all rounds of a call."""
        game, varying = self._varying(parameters)
        if varying is not None:
            name = next(name for name, value in parameters.items() if np.ndim(value))
            raise ValueError(f"{name} must be one integer, the same for all rounds")
        return game

    def _parameters(self) -> dict[str, int]:
        """Return the parameters that the engine knows, by name."""
        return {known.name: getattr(self, known.name) for known in _CATALOG[self.name].parameters}

    def _picture(self, outcome: np.ndarray, steps: Sequence[Step]) -> Iterator[Line]:
        """Draw the outcome, or as much of it as these steps of its walk-through give."""
        return iter(())

    def distribution(self, law: str = "ideal", **subject: Any) -> Distribution:
        """Return the exact law of the outcome, or of something about it.

        Parameters
        ----------
        law : str
            "ideal": the numbers behind the outcome are uniform on [0, 1). "as_drawn": they are made of
            eight uniform bytes, in doubles: every draw's 2**64 words are counted, rounding included.
        **subject
            What the law is of. Games of a single value: the outcome by default, and else whether a bet
            wins (1) or not (0): Dice ``under=`` or ``over=`` a number, Double and X50 ``sectors=``,
            Jackpot ``share=(first, last)``. Crash and Overgo ``cash_out=``: what a bet of 1 pays that is
            cashed out at this multiplier, which it is if the outcome is at least that.
            Plinko: one ball's bucket by default, or ``payout=``, values by bucket.
            Mines ``cells=``: how many of these cells hide a mine (as drawn it depends on which).
            Tower: rows climbed before a mine is hit, at most ``rows=10``, by a player who chooses
            ``positions=``: one of 0 to 4, or one for each row; 0 by default.
            Slot ``reel=`` 0 to 4: the reel's stop. Or ``payout=``: what one spin pays, as a function of
            stops, an int64 array (N, 5), that returns (N,) values; a table of the shape
            (30, 30, 30, 30, 41); or a mapping from five stops. With ``of="window"`` the function is given
            what `Slot.window` returns, (N, 3, 5). It is called on all 30**4 * 41 stops.

        Returns
        -------
        Distribution
            As drawn, its total is a power of 2**64.

        Raises
        ------
        TypeError, ValueError
            When the subject is missing, unknown or not possible.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Mines(mines=3).distribution(cells=[0, 1]).pmf([0, 1, 2])
        array([0.77, 0.22, 0.01])
        >>> pf.Double().distribution("as_drawn").total == 2**64
        True
        >>> pf.Crash().distribution(cash_out=2.0).mean()
        0.95238
        """
        from .laws import as_drawn, subject_of

        return subject_of(self, subject).law(as_drawn(law))

    def observe(self, outcomes: Any, **subject: Any) -> np.ndarray:
        """Return, for simulated outcomes, the values that `distribution` with this subject is of.

        Parameters
        ----------
        outcomes : numpy.ndarray, shape (N,) + the game's shape
            As `simulate` returns them.
        **subject
            As of `distribution`.

        Returns
        -------
        numpy.ndarray
            Shape (N,); of Plinko and Slot one value for each ball or spin.

        Examples
        --------
        >>> import provably_fair as pf
        >>> tower = pf.Tower()
        >>> round = tower.play("", "", "")  # its mines: 2 4 2 1 4 3 0 2 2 1
        >>> tower.observe([round], positions=0).tolist()
        [6]
        """
        try:
            outcomes = np.asarray(outcomes)
        except ValueError:
            raise ValueError("outcomes must be an array, got rows of different lengths") from None
        if outcomes.shape[1:] != self.shape or outcomes.ndim != 1 + len(self.shape):
            raise ValueError(f"outcomes must have the shape (N, *{self.shape}), got {outcomes.shape}")
        from .laws import subject_of

        return subject_of(self, subject).observe(outcomes)

    @property
    def _default_dtype(self) -> np.dtype[Any]:
        return _FLOAT64 if self._core.decimals else _INT64

    def _server_and_client(self, server_seed: Any, client_seed: Any) -> tuple[Any, Any]:
        if server_seed is None or client_seed is None:
            constant = self.__dict__["_seeds"]
            if constant is None:
                missing = "server_seed" if server_seed is None else "client_seed"
                raise TypeError(f"{missing} must be given: {type(self).__name__} has no constant seeds")
            server_seed = constant[0] if server_seed is None else server_seed
            client_seed = constant[1] if client_seed is None else client_seed
        return server_seed, client_seed

    def _simulated_seeds(self, name: str, server_seed: Any, client_seed: Any) -> tuple[Any, Any]:
        if not self.multiplayer:
            server_seed, client_seed = simulated_seeds(name, server_seed, client_seed)
        return self._server_and_client(server_seed, client_seed)

    def _fill(
        self,
        server_seed: Any,
        client_seed: Any,
        salt: Any,
        series: tuple[int, int] | None,
        dtype: Any,
        out: Any,
        threads: Any,
        parameters: dict[str, Any],
        report: Any,
    ) -> Any:
        game, varying = self._varying(parameters)
        if out is not None and not isinstance(out, np.ndarray):
            raise TypeError(f"out must be a numpy array, got {type(out).__name__}")
        if dtype is not None:
            dtype = np.dtype(dtype)
            game._check_dtype("dtype", dtype)
            if out is not None and out.dtype != dtype:
                raise ValueError(f"out must be of the given dtype {dtype}, got {out.dtype}")
        if out is not None:
            game._check_dtype("out", out.dtype)
            inputs = {"server_seed": server_seed, "client_seed": client_seed, "salt": salt, **parameters}
            for name, values in inputs.items():
                if isinstance(values, np.ndarray) and np.shares_memory(out, values):
                    raise ValueError(f"out must not share memory with {name}")
        filled = game._core.fill(
            server_seed,
            client_seed,
            salt,
            series=series,
            varying=varying,
            dtype=dtype,
            out=out,
            threads=threads_of(threads),
            progress=report,
        )
        return filled[()] if out is None and filled.ndim == 0 else filled

    def _varying(self, parameters: dict[str, Any]) -> tuple[Game, tuple[int, np.ndarray] | None]:
        """Return the game whose dtype holds all rounds' outcomes, and what varies."""
        game: Game = self
        varying = None
        for name, value in parameters.items():
            position, most = self._per_round(name)
            if value is None:
                continue
            if _is_single(value):
                value = value.item() if isinstance(value, np.ndarray) else value
                game = replace(game, **{name: value})  # type: ignore[type-var]
                continue
            values = integers(name, value)
            varying = position, values
            if values.size and 1 <= values.max() <= most:
                game = replace(game, **{name: int(values.max())})  # type: ignore[type-var]
        return game, varying

    def _per_round(self, name: str) -> tuple[int, int]:
        for position, known in enumerate(_CATALOG[self.name].parameters):
            if known.name == name:
                if known.per_round:
                    return position, known.most
                raise TypeError(
                    f"{name} must be the same in all rounds of a call: it sets the outcome's shape"
                )
        raise TypeError(f"{type(self).__name__} has no parameter {name!r} that may vary by round")

    def _check_dtype(self, argument: str, dtype: np.dtype[Any]) -> None:
        """Refuse types that don't hold all outcomes or don't tell them apart."""
        least, most = self._core.bounds
        if dtype.kind in "iu" and not self._core.decimals:
            limits = np.iinfo(dtype)
            if limits.min <= least and most <= limits.max:
                return
        elif most <= _EXACT_INTEGERS.get(dtype.newbyteorder("="), -1):
            return
        unit = 10**self._core.decimals
        bounds = f"{least} to {most}" if unit == 1 else f"{least / unit:.2f} to {most / unit:.2f}"
        raise ValueError(f"{argument} must hold every outcome from {bounds}, got {dtype}")

    def _edges(self, bins: Any) -> list[int]:
        if self._core.shape or self._core.decimals:
            raise TypeError(f"bins must be left out: {type(self).__name__} counts each of its outcomes")
        if _is_single(bins):
            least, most = self._core.bounds
            width = most - least + 1
            bins = integer("bins", bins, 1, min(width, 1 << 24))
            # The least integers at or above the edges of bins of equal width.
            return [least - (-i * width // bins) for i in range(bins)] + [most + 1]
        return integers("bins", bins).tolist()


def _is_single(value: Any) -> bool:
    """Tell a single value from many, ragged lists included."""
    return not isinstance(value, (list, tuple)) and np.ndim(value) == 0


def _marked(elements: Sequence[int], marked: set[int], width: int = 1) -> list[str]:
    """Return one row of a board, aligned."""
    from provably_fair.walkthrough import Mark

    cells = ((element, f"{element:>{width}}") for element in elements)
    return [Mark(cell) if element in marked else f" {cell} " for element, cell in cells]


def game_of(name: str, value: object) -> Any:
    """Return a game; anything else is refused."""
    if not isinstance(value, Game):
        raise TypeError(f"{name} must be a game such as Mines(), got {type(value).__name__}")
    return value


_INT64 = np.dtype(np.int64)
_FLOAT64 = np.dtype(np.float64)


@dataclass(frozen=True)
class Mines(Game):
    """Mines: where the mines lie on a board of 5x5 cells.

    Outcome: the cells of the mines, shape (mines,), 0 to 24 row by row from the top left, in the order
    in which the shuffle drew them.

    Parameters
    ----------
    mines : int
        The number of mines, 1 to 24.

    Examples
    --------
    >>> import provably_fair as pf
    >>> pf.Mines(mines=5).play("", "", "")
    array([11,  8, 18, 16, 24])
    """

    mines: int = 3

    def survival(self, reveals: Any, law: str = "ideal") -> Fraction:
        """Return the exact probability that no revealed cell hides a mine.

        Parameters
        ----------
        reveals : int or array-like of int
            How many cells are revealed, 0 to 25; or which ones. As drawn it depends on which: a number
            then stands for the first cells.
        law : str
            "ideal" or "as_drawn".

        Returns
        -------
        fractions.Fraction
            0 where there are fewer safe cells.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Mines(mines=3).survival(2)
        Fraction(77, 100)
        """
        if hasattr(reveals, "__len__") and getattr(reveals, "shape", None) != ():
            from .laws import distinct

            reveals = distinct("reveals", reveals, 24)
        else:
            reveals = range(integer("reveals", reveals, 0, 25))
        return self.distribution(law, cells=reveals).share(0, 0, exact=True)

    def fair_multiplier(self, reveals: Any, law: str = "ideal") -> Fraction:
        """Return the multiplier that makes revealing these cells a fair bet: 1 / survival.

        Parameters
        ----------
        reveals, law
            As of `survival`.

        Returns
        -------
        fractions.Fraction
            At least 1.

        Raises
        ------
        ValueError
            When the reveals can't be survived.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Mines(mines=3).fair_multiplier(1)
        Fraction(25, 22)
        """
        survival = self.survival(reveals, law)
        if not survival:
            raise ValueError(f"reveals must leave a chance: with {self.mines} mines there is none")
        return 1 / survival

    def _picture(self, outcome: np.ndarray, steps: Sequence[Step]) -> Iterator[Line]:
        yield ["the board, mines in brackets"]
        mines = set(outcome.tolist())
        for row in range(5):
            yield ["  ", *_marked(range(5 * row, 5 * row + 5), mines, width=2)]


@dataclass(frozen=True)
class Tower(Game):
    """Tower: where the mines lie in ten rows of five positions.

    Outcome: shape (10, mines), positions 0 to 4 in each row, in the order in which the shuffle drew
    them.

    Parameters
    ----------
    mines : int
        The number of mines in each row, 1 to 4.

    Examples
    --------
    >>> import provably_fair as pf
    >>> pf.Tower().play("", "", "").ravel()
    array([2, 4, 2, 1, 4, 3, 0, 2, 2, 1])
    """

    mines: int = 1

    def _picture(self, outcome: np.ndarray, steps: Sequence[Step]) -> Iterator[Line]:
        yield ["the tower from row 10 down to row 1, mines in brackets"]
        for row in reversed(outcome.tolist()):
            yield ["  ", *_marked(range(5), set(row))]


@dataclass(frozen=True)
class Slot(Game):
    """Slot: where five reels of 30, 30, 30, 30 and 41 stops come to rest.

    Outcome: the stops on the centre line, shape (spins, 5), from 0.

    Parameters
    ----------
    spins : int
        The number of spins in the round, 1 to 180.
    reels : sequence of five sequences, optional
        The symbols of each reel in order, for `symbols` and `window`; they don't change outcomes. The
        document doesn't print the operator's strips.

    Examples
    --------
    >>> import provably_fair as pf
    >>> pf.Slot().play("", "", "")
    array([[14, 10, 21, 20, 39]])
    """

    spins: int = 1
    reels: tuple[tuple[Any, ...], ...] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.reels is None:
            return
        try:
            reels = tuple(tuple(reel) for reel in self.reels)
            hash(reels)
        except TypeError:
            raise TypeError("reels must be five sequences of hashable symbols") from None
        lengths = tuple(len(reel) for reel in reels)
        if lengths != tuple(SLOT_STOPS):
            raise ValueError(f"reels must have {SLOT_STOPS} symbols, got {list(lengths)}")
        object.__setattr__(self, "reels", reels)

    def symbols(self, stops: Any) -> np.ndarray:
        """Return the symbols at stops, such as `play` returns. The slot must have `reels`.

        Parameters
        ----------
        stops : array-like of int, shape (..., 5)
            Stops of the five reels.

        Returns
        -------
        numpy.ndarray
            Shape (..., 5).

        Examples
        --------
        >>> import provably_fair as pf
        >>> slot = pf.Slot(reels=["ABCDEFGHIJKLMNOPQRSTUVWXYZ0123"] * 4 + [range(41)])
        >>> slot.symbols(slot.play("", "", "")).tolist()
        [['O', 'K', 'V', 'U', 39]]
        """
        if self.reels is None:
            raise ValueError("reels must be given to the slot: without them its stops have no symbols")
        return self._at(self._checked(stops))

    def window(self, stops: Any) -> np.ndarray:
        """Return the three visible rows for stops, the centre line in the middle.

        The neighbours of a reel's first and last stop are each other.

        Parameters
        ----------
        stops : array-like of int, shape (..., 5)
            Stops of the five reels.

        Returns
        -------
        numpy.ndarray
            Shape (..., 3, 5): the row above, the centre line, the row below. Symbols, or stops where
            the slot has no `reels`.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Slot().window([0, 10, 21, 20, 40])
        array([[29,  9, 20, 19, 39],
               [ 0, 10, 21, 20, 40],
               [ 1, 11, 22, 21,  0]])
        """
        stops = self._checked(stops)
        neighbours = stops[..., np.newaxis, :] + np.array([[-1], [0], [1]])
        return self._at(neighbours % np.array(SLOT_STOPS))

    def _picture(self, outcome: np.ndarray, steps: Sequence[Step]) -> Iterator[Line]:
        from provably_fair._core.printable import plain
        from provably_fair.walkthrough import Mark, Part

        for step in steps:
            if isinstance(step, Part):
                yield [f"the window of spin {step.index + 1}, the centre line in brackets"]
                rows = [[plain(str(cell), 20) for cell in row] for row in self.window(outcome[step.index])]
                width = max(len(cell) for row in rows for cell in row)
                for place, row in enumerate(rows):
                    cells = [f"{cell:>{width}}" for cell in row]
                    yield ["  ", *(Mark(cell) if place == 1 else f" {cell} " for cell in cells)]

    @staticmethod
    def _checked(stops: Any) -> np.ndarray:
        stops = np.asarray(stops)
        if stops.dtype.kind not in "iu":
            raise TypeError(f"stops must be integers, got an array of {stops.dtype}")
        if stops.ndim == 0 or stops.shape[-1] != len(SLOT_STOPS):
            raise ValueError(f"stops must have the shape (..., 5), got {stops.shape}")
        stops = stops.astype(np.int64)
        if ((stops < 0) | (stops >= np.array(SLOT_STOPS))).any():
            raise ValueError(f"stops must be from 0 to below {SLOT_STOPS}, reel by reel")
        return stops

    def _at(self, stops: np.ndarray) -> np.ndarray:
        if self.reels is None:
            return stops
        symbols = [symbol for reel in self.reels for symbol in reel]
        strip = np.array(symbols) if len({type(symbol) for symbol in symbols}) == 1 else None
        if strip is None or strip.ndim != 1:
            strip = np.empty(len(symbols), dtype=object)
            strip[:] = symbols
        first = np.concatenate([[0], np.cumsum(SLOT_STOPS)[:-1]])
        return strip[stops + first]


@dataclass(frozen=True)
class Plinko(Game):
    """Plinko: the buckets that balls fall into.

    Outcome: shape (balls,), the bucket of each ball from 0 to pins: the number of pins that sent it to
    the right.

    Parameters
    ----------
    pins : int
        The number of rows of pins, 8 to 16.
    balls : int
        The number of balls in the round, 1 to 100.

    Examples
    --------
    >>> import provably_fair as pf
    >>> pf.Plinko(pins=16).play("", "", "")
    array([8])
    """

    pins: int = 16
    balls: int = 1

    def _picture(self, outcome: np.ndarray, steps: Sequence[Step]) -> Iterator[Line]:
        from provably_fair.walkthrough.steps import results_by_part

        for ball, turns in enumerate(results_by_part(steps)):
            path = " ".join("right" if turn else "left" for turn in turns)
            yield [f"the path of ball {ball + 1}: {path}"]
            yield [f"  {sum(turns)} times right: bucket {outcome[ball]}"]


@dataclass(frozen=True)
class Dice(Game):
    """Dice: a number from 0.00 to 100.00, float64.

    Examples
    --------
    >>> import provably_fair as pf
    >>> float(pf.Dice().play("", "", ""))
    47.1
    """


@dataclass(frozen=True)
class Double(Game):
    """Double: the sector of a wheel, 0 to 14. A multi-player game of constant seeds.

    Examples
    --------
    >>> import provably_fair as pf
    >>> int(pf.Double().play("", "", ""))
    7
    """


@dataclass(frozen=True)
class Jackpot(Game):
    """Jackpot: the winning ticket, 1 to tickets. A multi-player game of constant seeds.

    Parameters
    ----------
    tickets : int
        The number of tickets, 1 to 2**53.

    Examples
    --------
    >>> import provably_fair as pf
    >>> int(pf.Jackpot(tickets=1000).play("", "", ""))
    472
    """

    tickets: int = 1000

    def share(self, first: int, last: int, law: str = "ideal") -> Fraction:
        """Return the exact probability that the winning ticket is one of `first` to `last`.

        Takes no longer for 2**53 tickets than for ten.

        Parameters
        ----------
        first, last : int
            The first and the last ticket, both included, from 1.
        law : str
            "ideal" or "as_drawn".

        Returns
        -------
        fractions.Fraction
            The share of the win.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Jackpot(tickets=10**15).share(1, 10**14)
        Fraction(1, 10)
        """
        from fractions import Fraction

        from .laws import as_drawn, ticket_share

        return Fraction(*ticket_share(self, as_drawn(law), first, last))


@dataclass(frozen=True)
class _Multiplier(Game):
    """What Crash and Overgo have in common."""

    def cash_outs(self, law: str = "ideal") -> CashOuts:
        """Return what is to be known of automatic cash-outs, exactly.

        Parameters
        ----------
        law : str
            "ideal" or "as_drawn".

        Returns
        -------
        CashOuts
            Survival, returns, and what rounding does to them.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Overgo().cash_outs().atom  # steps above 970000 / 1.005, which is 965,174.1...
        Fraction(17413, 500000)
        """
        from .cash_outs import CashOuts

        return CashOuts(self, law)


@dataclass(frozen=True)
class Crash(_Multiplier):
    """Crash: a multiplier from 1.00, float64. A multi-player game of constant seeds.

    Examples
    --------
    >>> import provably_fair as pf
    >>> float(pf.Crash().play("", "", ""))
    2.02
    """


@dataclass(frozen=True)
class Overgo(_Multiplier):
    """Overgo: a multiplier from 1.00, float64.

    Examples
    --------
    >>> import provably_fair as pf
    >>> float(pf.Overgo().play("", "", ""))
    2.06
    """


@dataclass(frozen=True)
class X50(Game):
    """X50: the sector of a wheel, 0 to 53. A multi-player game of constant seeds.

    Examples
    --------
    >>> import provably_fair as pf
    >>> int(pf.X50().play("", "", ""))
    25
    """


GAMES: Mapping[str, type[Game]] = MappingProxyType(
    {cls.name: cls for cls in (Mines, Tower, Slot, Plinko, Dice, Double, Jackpot, Crash, Overgo, X50)}
)
"""The catalog: the class of each game, by name."""
