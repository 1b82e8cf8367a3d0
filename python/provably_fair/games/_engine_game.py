"""Games that the engine computes: the ten of the salted-round scheme.

What such a game does is defined once, in the engine; its class here gives it its parameters, its
documentation, and the shapes that numpy users expect.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, TypedDict, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from provably_fair._core.arguments import integer, integers, is_single, threads_of
from provably_fair._core.cached import unlocked_property
from provably_fair._core.progress import Progress, ProgressBar, Report
from provably_fair._core.table import known_frame, log_frame
from provably_fair._core.types import Text, Texts
from provably_fair._engine import CatalogEntry, Fields, catalog
from provably_fair._engine import Game as Engine
from provably_fair.distribution import Distribution
from provably_fair.distribution.tally import Tally
from provably_fair.seeds.generator import salts
from provably_fair.seeds.rounds import SimulatedRounds
from provably_fair.seeds.schemes import game_law, game_up_to, play_game
from provably_fair.seeds.series import series

from ._game import BaseGame, Parameter, as_drawn
from .python_game import Game

if TYPE_CHECKING:
    from provably_fair.walkthrough import Walkthrough

__all__ = ["BLOCK_HASHES", "EngineGame", "catalog_classes", "engine_law", "indicator", "weight_up_to"]

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


CATALOG: Mapping[str, CatalogEntry] = MappingProxyType({entry.name: entry for entry in catalog()})
"""What the engine knows of each of its games: the parameters, and the blocks of constant seeds."""

# The types of single values, as the engine gives them and as users see them.
_SCALARS: dict[type, Any] = {int: np.int64, float: np.float64}

_CLASSES: dict[str, type[EngineGame]] = {}


def catalog_classes() -> dict[str, type[EngineGame]]:
    """Return the classes of the engine's games by name, in the order of the engine's catalog."""
    return {name: _CLASSES[name] for name in CATALOG if name in _CLASSES}


class ByRound(TypedDict, total=False):
    """Parameters that may differ from round to round."""

    pins: ArrayLike | None
    tickets: ArrayLike | None


class EngineGame(Game):
    """A game of the engine's catalog.

    The class of a game names the catalog's line, ``class Mines(EngineGame, catalog="mines")``, and has its
    parameters as fields. A class derived from one of these plays the same rounds under a name of its own.
    """

    _line: ClassVar[str]
    _unfit: ClassVar[str] = "EngineGame must be made by the class of a game: Mines, Dice, ..."

    def __init_subclass__(cls, catalog: str | None = None, **options: object) -> None:
        if catalog is not None:
            cls._line = catalog
            # The first class of a line is the catalog's; any other has a name of its own.
            if catalog not in _CLASSES:
                cls.name = catalog
                _CLASSES[catalog] = cls
            known = CATALOG[catalog].parameters
            cls.PARAMETERS = MappingProxyType(
                {p.name: Parameter(p.name, p.default, p.least, p.most, p.per_round) for p in known}
            )
        super().__init_subclass__(**options)
        if not hasattr(cls, "_line"):
            name = cls.__name__
            cls._unfit = f"{name} must name its line of the catalog: class {name}(EngineGame, catalog=...)"

    # What is known of these games beforehand, a game in Python has to find out.
    looks = BaseGame.looks
    _between = BaseGame._between
    check_dtype = BaseGame.check_dtype
    example = BaseGame.__dict__["example"]
    _material = BaseGame._material

    # How other schemes compute it

    vectorized = False

    def outcome(self, draws: Any) -> Any:
        """Return the outcome of one round whose draws are answered by any source.

        The engine's definition of the game asks `draws` for what it needs: that is how it is explained under
        another scheme than its own.

        Parameters
        ----------
        draws : object
            With methods ``below(n)``, ``skip(count)``, ``part(name, index, draws)`` and
            ``note(formula, value)``, of one round.

        Examples
        --------
        >>> import provably_fair as pf
        >>> class Least:
        ...     def below(self, n):
        ...         return 0
        ...     def skip(self, count):
        ...         pass
        >>> pf.Mines(mines=3).outcome(Least())
        array([0, 1, 2])
        """
        cells = np.array(self.engine.answer(draws), dtype=np.int64).reshape(self.engine.shape)
        return cells if self._unit == 1 else cells / self._unit

    @property
    def under_own_scheme(self) -> bool:
        """Whether its numbers are those of the salted rounds."""
        return "scheme" not in self.__dict__

    def _many(
        self,
        held: Fields,
        dtype: DTypeLike | None,
        out: np.ndarray | None,
        threads: int | None,
        report: Report | None,
    ) -> object:
        cells = play_game(self.scheme, self.engine, held, threads, report)
        outcomes = cells.reshape(-1, *self.shape)
        return self._deliver(outcomes if self._unit == 1 else outcomes / self._unit, held.many, dtype, out)

    # What it is

    @unlocked_property
    def engine(self) -> Engine:
        """The engine's game of these parameters."""
        return Engine(self._line, [getattr(self, name) for name in self.PARAMETERS])

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """The shape of one outcome; () for a single value."""
        return self.engine.shape

    @cached_property
    def dtype(self) -> np.dtype:
        """The type of outcomes: int64, or float64 where they have decimals."""
        return np.dtype(np.float64 if self.engine.decimals else np.int64)

    @cached_property
    def bounds(self) -> tuple[Any, Any]:
        """The least and the largest number that an outcome can hold."""
        least, most = self.engine.bounds
        return (least, most) if self._unit == 1 else (least / self._unit, most / self._unit)

    @property
    def decimals(self) -> int:
        """How many decimals outcomes have."""
        return self.engine.decimals

    @cached_property
    def constant_seeds(self) -> tuple[str, str] | None:
        """Server seed and client seed of every round, where they are constant; else None."""
        blocks = CATALOG[self._line].blocks if self.under_own_scheme else None
        return None if blocks is None else (BLOCK_HASHES[blocks[0]], BLOCK_HASHES[blocks[1]])

    def simulated_rounds(
        self, rounds: int, seed: int | str = 0, start: int = 0, **fields: object
    ) -> SimulatedRounds:
        constant = dict(zip(("server_seed", "client_seed"), self.constant_seeds or (), strict=False))
        given = {name: value for name, value in fields.items() if value is not None}
        return super().simulated_rounds(rounds, seed, start, **(constant | given))

    # Rounds

    def play(
        self,
        server_seed: Texts | None = None,
        client_seed: Texts | None = None,
        salt: Texts | None = None,
        *,
        dtype: DTypeLike | None = None,
        out: np.ndarray | None = None,
        threads: int | None = None,
        **parameters: Unpack[ByRound],
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
        if not self.under_own_scheme:
            seeds, named = self._split_fields(server_seed, client_seed, salt, parameters)
            return super().play(*seeds, dtype=dtype, out=out, threads=threads, **named)
        server_seed, client_seed = self._server_and_client(server_seed, client_seed)
        if salt is None:
            raise TypeError("salt must be given: the salt of the round, or one for each round")
        if dtype is None and out is None and threads is None and not parameters:
            outcome = self.engine.one(server_seed, client_seed, salt)
            if outcome is not None:
                return outcome if isinstance(outcome, np.ndarray) else _SCALARS[type(outcome)](outcome)
        return self._fill(server_seed, client_seed, salt, None, dtype, out, threads, parameters, None)

    @overload
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
        as_frame: None = None,
        **parameters: Unpack[ByRound],
    ) -> np.ndarray: ...

    @overload
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
        as_frame: Literal["pandas", "polars"],
        **parameters: Unpack[ByRound],
    ) -> Any: ...

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
        as_frame: Literal["pandas", "polars"] | None = None,
        **parameters: Unpack[ByRound],
    ) -> Any:
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
            See `play`.
        progress : bool or callable
            Whether to show a progress bar (by tqdm), or a function of the rounds done and the rounds
            in all, called about twenty times a second.
        as_frame : {"pandas", "polars"}, optional
            A data frame instead: the log of these rounds, as `verify` takes it, with columns for the seeds,
            the salt, parameters that are given, and ``outcome``. Seeds and salts are text in it.

        Returns
        -------
        numpy.ndarray
            Shape (rounds,) + the game's shape; or a frame.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.X50().simulate(6)
        array([45, 21, 10, 18, 44, 11])
        >>> pf.X50().simulate(2, start=4)
        array([44, 11])
        >>> log = pf.X50().simulate(1000, as_frame="pandas")
        >>> log.columns.tolist(), pf.verify(log, pf.X50()).ok
        (['server_seed', 'client_seed', 'salt', 'outcome'], True)
        """
        known_frame(as_frame)
        if not self.under_own_scheme:
            named = self._check_named(server_seed=server_seed, client_seed=client_seed, **parameters)
            wanted: Any = as_frame
            return super().simulate(
                rounds,
                seed=seed,
                start=start,
                dtype=dtype,
                out=out,
                threads=threads,
                progress=progress,
                as_frame=wanted,
                **named,
            )
        rounds, name, start = series(rounds, seed, start)
        server_seed, client_seed = self.simulation_seeds(name, server_seed, client_seed)
        with ProgressBar(rounds, progress) as report:
            outcomes = self._fill(
                server_seed, client_seed, name, (start, rounds), dtype, out, threads, parameters, report
            )
        if as_frame is None:
            return outcomes
        seeds = {"server_seed": server_seed, "client_seed": client_seed, "salt": salts(rounds, name, start)}
        given = {name: value for name, value in parameters.items() if value is not None}
        return log_frame(as_frame, seeds | given | {"outcome": outcomes}, rounds)

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
        **parameters: Unpack[ByRound],
    ) -> Tally:
        """Count the outcomes of many rounds, in memory that doesn't grow with them.

        Parameters
        ----------
        rounds, seed, start, server_seed, client_seed, threads, progress
            See `simulate`, whose outcomes are counted.
        bins : int or array-like of int, optional
            For games of one integer: the number of bins of equal width over all outcomes, or increasing
            edges. As in `numpy.histogram`, a bin holds its lower edge, the last one its upper edge too,
            and what lies outside the edges isn't counted (`Tally.rounds` counts every round). Needed for
            a Jackpot of more than 2**24 tickets.
        **parameters
            See `play`: ``tickets`` of Jackpot, ``pins`` of Plinko, for all rounds or by round. What
            differs by round is counted over the outcomes of the largest.

        Returns
        -------
        Tally
            Outcomes, counts, rounds. Games of several values give counts of each value: Mines of cells,
            Tower of positions by row, Slot of stops by reel, Plinko of buckets.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Plinko(pins=8).tally(10_000).counts
        array([  38,  323, 1071, 2265, 2739, 2111, 1087,  311,   55])
        >>> pf.Jackpot(tickets=10**12).tally(1000, bins=4).counts
        array([259, 245, 264, 232])
        """
        if not self.under_own_scheme:
            if bins is not None:
                raise TypeError("bins must be left out under another scheme than the salted rounds'")
            named = self._check_named(server_seed=server_seed, client_seed=client_seed, **parameters)
            return super().tally(rounds, seed=seed, start=start, threads=threads, progress=progress, **named)
        game, varying = self._varying(parameters)
        rounds, name, start = series(rounds, seed, start)
        server_seed, client_seed = self.simulation_seeds(name, server_seed, client_seed)
        edges = None if bins is None else game._edges(bins)
        with ProgressBar(rounds, progress) as report:
            values, counts = game.engine.tally(
                server_seed,
                client_seed,
                name,
                # What varies by round is as long as the rounds: their outcomes may be too.
                series=(start, 0 if varying else rounds),
                bins=edges,
                threads=threads_of(threads),
                progress=None if varying else report,
            )
            if varying:
                outcomes = self._fill(
                    server_seed, client_seed, name, (start, rounds), None, None, threads, parameters, report
                )
                last = [values[-1] + 1] if edges is None else edges[-1:]
                counts = np.histogram(outcomes, np.array([*values.tolist(), *last]))[0]
        counts = counts.astype(np.int64)
        if counts.size != values.size:
            counts = counts.reshape(-1, values.size)
        return Tally(
            values if self._unit == 1 else values / self._unit, counts, rounds, binned=edges is not None
        )

    def explain(
        self,
        server_seed: Text | None = None,
        client_seed: Text | None = None,
        salt: Text | None = None,
        **parameters: Unpack[ByRound],
    ) -> Walkthrough:
        """Return the walk-through of one round: how its seeds become its outcome.

        Parameters
        ----------
        server_seed, client_seed, salt : str or bytes
            The seeds of the round; see `play`.
        **parameters
            See `play`; of this round: ``tickets`` of Jackpot, ``pins`` of Plinko.

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
        if not self.under_own_scheme:
            seeds, named = self._split_fields(server_seed, client_seed, salt, parameters)
            return super().explain(*seeds, **named)
        server_seed, client_seed = self._server_and_client(server_seed, client_seed)
        if salt is None:
            raise TypeError("salt must be given: the salt of the round")
        from .explaining import walkthrough_of

        game = self.with_parameters(**parameters)
        recorded = game.engine.explain(server_seed, client_seed, salt)
        cells = np.array(recorded.cells, dtype=np.int64).reshape(game.shape)
        outcome = cells if game.dtype.kind != "f" else cells / game._unit
        return walkthrough_of(
            game,
            game.name,
            game.parameters,
            {"server_seed": server_seed, "client_seed": client_seed, "salt": salt},
            recorded,
            outcome[()],
            game.engine.decimals,
            game.picture_lines,
        )

    # Its law

    def distribution(self, law: str = "ideal") -> Distribution:
        """Return the exact law of the outcome.

        Parameters
        ----------
        law : str
            "ideal": the numbers behind the outcome are uniform on [0, 1). "as_drawn": they are made of
            eight uniform bytes, in doubles: every draw's 2**64 words are counted, rounding included.

        Returns
        -------
        Distribution
            As drawn, its total is a power of 2**64.

        Raises
        ------
        ValueError
            When the law is unknown.
        TypeError
            Of games of several values that don't say what about them a law is of: they are too many to list.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Double().distribution("as_drawn").total == 2**64
        True
        """
        if self.shape:
            raise TypeError(
                f"{type(self).__name__} must define distribution and observe: what about its outcomes, "
                f"of the shape {self.shape}, a law is of"
            )
        return engine_law(self, law)

    # Within

    def _split_fields(
        self,
        server_seed: Texts | None,
        client_seed: Texts | None,
        salt: Texts | None,
        named: Mapping[str, object],
    ) -> tuple[tuple[object, ...], dict[str, Any]]:
        """Return the fields of another scheme, by place and by name, of arguments that were named for one."""
        given = {"server_seed": server_seed, "client_seed": client_seed, "salt": salt}
        places = 0
        while places < len(given) and list(given.values())[places] is not None:
            places += 1
        by_name = {name: value for name, value in list(given.items())[places:] if value is not None}
        seeds = tuple(given.values())[:places]
        return seeds, self._check_named(**by_name, **named)

    def _check_named(self, **named: object) -> dict[str, Any]:
        """Return the fields that are given by name; a game's parameters are its own under another scheme."""
        for name in named:
            if name in self.PARAMETERS:
                raise TypeError(
                    f"{name} must be given to the game under another scheme than the salted rounds'"
                )
        return {name: value for name, value in named.items() if value is not None}

    def _server_and_client(self, server_seed: Texts | None, client_seed: Texts | None) -> tuple[Any, Any]:
        if server_seed is None or client_seed is None:
            constant = self.constant_seeds
            if constant is None:
                missing = "server_seed" if server_seed is None else "client_seed"
                raise TypeError(f"{missing} must be given: {type(self).__name__} has no constant seeds")
            server_seed = constant[0] if server_seed is None else server_seed
            client_seed = constant[1] if client_seed is None else client_seed
        return server_seed, client_seed

    def _fill(
        self,
        server_seed: Texts | None,
        client_seed: Texts | None,
        salt: Texts | None,
        series: tuple[int, int] | None,
        dtype: DTypeLike | None,
        out: np.ndarray | None,
        threads: object,
        parameters: Mapping[str, object],
        report: Report | None,
    ) -> np.ndarray:
        game, varying = self._varying(parameters)
        if out is not None and not isinstance(out, np.ndarray):
            raise TypeError(f"out must be a numpy array, got {type(out).__name__}")
        if dtype is not None:
            dtype = np.dtype(dtype)
            game.check_dtype("dtype", dtype)
            if out is not None and out.dtype != dtype:
                raise ValueError(f"out must be of the given dtype {dtype}, got {out.dtype}")
        if out is not None:
            game.check_dtype("out", out.dtype)
            inputs = {"server_seed": server_seed, "client_seed": client_seed, "salt": salt, **parameters}
            for name, values in inputs.items():
                if isinstance(values, np.ndarray) and np.shares_memory(out, values):
                    raise ValueError(f"out must not share memory with {name}")
        filled: np.ndarray = game.engine.fill(
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

    def _varying(self, parameters: Mapping[str, object]) -> tuple[Self, tuple[int, np.ndarray] | None]:
        """Return the game whose type holds all rounds' outcomes, and what varies."""
        varying = None
        game = self.widest(**parameters) if parameters else self
        for name, value in parameters.items():
            if value is not None and not is_single(value):
                varying = list(self.PARAMETERS).index(name), integers(name, value)
        return game, varying

    def _edges(self, bins: object) -> list[int]:
        if self.shape or self._unit > 1:
            raise TypeError(f"bins must be left out: {type(self).__name__} counts each of its outcomes")
        if is_single(bins):
            least, most = self.bounds
            width = most - least + 1
            bins = integer("bins", bins, 1, min(width, 1 << 24))
            # The least integers at or above the edges of bins of equal width.
            return [least - (-i * width // bins) for i in range(bins)] + [most + 1]
        found: list[int] = integers("bins", bins).tolist()
        return found


def engine_law(game: EngineGame, law: str, **subject: object) -> Distribution:
    """Return a law that the engine works out of the game's one definition; the latest are remembered.

    `subject` is what it is of: ``part`` and ``cell`` of the outcome, the one ``draw`` that decides it, or
    how many cells of a part are ``among`` the values whose bits are set.
    """
    return _remembered_law(game, as_drawn(law), **subject)


def compute_law(game: EngineGame, drawn: bool, **subject: Any) -> Distribution:
    """Return a law of the engine, without remembering it."""
    if drawn and not game.under_own_scheme:
        values, digits = game_law(game.scheme, game.engine, **subject)
    else:
        values, digits = game.engine.law(drawn, **subject)
    weights = [int.from_bytes(weight, "little") for weight in digits]
    return Distribution(values if game.dtype.kind != "f" else values / 100, weights)


_remembered_law = lru_cache(maxsize=128)(compute_law)


def weight_up_to(game: EngineGame, drawn: bool, value: int) -> tuple[int, int]:
    """Return the weight of the outcomes up to a value, and of all; of games that grow with one draw."""
    if drawn and not game.under_own_scheme:
        return game_up_to(game.scheme, game.engine, value)
    return game.engine.up_to(drawn, value)


def indicator(law: Distribution, test: Callable[[np.ndarray], np.ndarray]) -> Distribution:
    """Return the law of 1 where the test of the outcomes holds, else 0."""
    holds = test(law.outcomes).tolist()
    won = sum(weight for weight, held in zip(law.weights, holds, strict=True) if held)
    return Distribution([0, 1], [law.total - won, won])
