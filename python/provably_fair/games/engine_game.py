"""Games of the engine's catalog: the ten of the documents.

What such a game does is defined once, in the engine; its class here gives it its parameters and its
documentation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypedDict, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from provably_fair._core.cached import unlocked_property
from provably_fair._core.errors import BadType
from provably_fair._core.progress import Progress
from provably_fair._core.types import Text, Texts
from provably_fair._engine import CatalogEntry, catalog
from provably_fair._engine import Game as Engine
from provably_fair._engine import Scheme as EngineScheme
from provably_fair.distribution import Distribution
from provably_fair.distribution.tally import Tally
from provably_fair.seeds.schemes import SALTED, engine_scheme

from ._engine_rounds import EngineRounds
from ._laws import UnlistedLawError
from ._samples import Hits, values_of
from .game import Game, as_drawn
from .looks import Look, Of, OfPart
from .parameters import Range, parameters_of

if TYPE_CHECKING:
    from provably_fair.distribution.sequences import FairnessMaterial
    from provably_fair.walkthrough import Walkthrough

__all__ = [
    "BLOCK_HASHES",
    "EngineGame",
    "PerRoundGame",
    "SaltedCount",
    "SaltedFrame",
    "SaltedPlay",
    "SaltedSimulation",
    "engine_law",
    "weight_up_to",
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


CATALOG: Mapping[str, CatalogEntry] = MappingProxyType({entry.name: entry for entry in catalog()})
"""What the engine knows of each of its games: the parameters, and the blocks of constant seeds."""

_NAMED: set[str] = set()
"""The lines of the catalog that have their class."""


class SaltedPlay(TypedDict, total=False):
    """What `play` takes by name, for type checkers."""

    dtype: DTypeLike | None
    out: np.ndarray | None
    threads: int | None


class SaltedCount(TypedDict, total=False):
    """What `tally` takes by name."""

    of: Of | None
    bins: int | Sequence[int] | np.ndarray | None
    seed: int | str
    start: int
    server_seed: Texts | None
    client_seed: Texts | None
    threads: int | None
    progress: Progress


class SaltedSimulation(SaltedPlay, total=False):
    """What `simulate` takes by name."""

    seed: int | str
    start: int
    server_seed: Texts | None
    client_seed: Texts | None
    salt: Texts | None
    progress: Progress


class SaltedFrame(SaltedSimulation, total=False):
    """What `simulate` takes by name where it may return a frame."""

    as_frame: Literal["pandas", "polars"] | None


class EngineGame(Game):
    """A game of the engine's catalog.

    The class of a game names the catalog's line, ``class Mines(EngineGame, catalog="mines")``, and has its
    parameters as fields. A class derived from one of these plays the same rounds under a name of its own.
    """

    _line: ClassVar[str]

    def __init_subclass__(cls, catalog: str | None = None, **options: object) -> None:
        if catalog is not None:
            cls._line = catalog
            # The first class of a line is the catalog's; any other has a name of its own.
            if catalog not in _NAMED:
                cls.name = catalog
                _NAMED.add(catalog)
            for p in CATALOG[catalog].parameters:  # the engine knows their limits
                default = getattr(cls, p.name, p.default)
                setattr(cls, p.name, Range(p.least, p.most, default=default, per_round=p.per_round))
        super().__init_subclass__(**options)

    @classmethod
    def _check_complete(cls) -> None:
        if cls is EngineGame:
            raise TypeError("EngineGame must be made by the class of a game: Mines, Dice, ...")
        if not hasattr(cls, "_line"):
            name = cls.__name__
            raise BadType(name, f"must name its line of the catalog: class {name}(EngineGame, catalog=...)")
        super()._check_complete()

    vectorized = False

    def outcome(self, draws: Any) -> Any:
        """Return the outcome of one round whose draws are answered by any source.

        The engine's definition of the game asks `draws` for what it needs: that is how it is explained.

        Parameters
        ----------
        draws : object
            With methods ``below(n)``, ``skip(count)``, ``part(name, index, draws)`` and
            ``note(formula, value)``, of one round, and ``shuffle(n, k)`` if it likes.

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
        return self._rounds.outcomes_of_cells(self._engine.answer(draws))[0]

    @unlocked_property
    def _engine(self) -> Engine:
        """The engine's game of these parameters."""
        return Engine(self._line, [getattr(self, name) for name in parameters_of(self)])

    @unlocked_property
    def _rounds(self) -> EngineRounds:
        return EngineRounds(self)

    @unlocked_property
    def _constant_seeds(self) -> tuple[str, str] | None:
        blocks = CATALOG[self._line].blocks if self.scheme == SALTED else None
        return None if blocks is None else (BLOCK_HASHES[blocks[0]], BLOCK_HASHES[blocks[1]])

    def _looks(self) -> tuple[Look, ...]:
        return (Look("outcomes"),)

    def _material(self, values: np.ndarray) -> FairnessMaterial:
        from ._fairness import material_by_looks

        return material_by_looks(self, values)

    def _law_of(self, drawn: bool, of: Of | None) -> Distribution:
        part, asked = (of.place, of.of) if isinstance(of, OfPart) else (0, of)
        if isinstance(asked, Hits) and self.shape:
            most = self._engine.bounds[1]
            among = sum(1 << value for value in asked.chosen if value <= most)
            return _remembered_law(self, drawn, part=part, among=among)
        if self.shape:
            raise TypeError(
                f"{type(self).__name__} must define distribution and observe, which say what its laws are "
                f"of: its outcomes are arrays of shape {self.shape}"
            )
        law = _remembered_law(self, drawn)
        return law if of is None else mapped(law, of)

    if TYPE_CHECKING:
        # The fields of salted rounds; what they are under another scheme, that scheme says: `with_scheme`
        # promises nothing.

        def play(
            self,
            server_seed: Texts | None = None,
            client_seed: Texts | None = None,
            salt: Texts | None = None,
            **options: Unpack[SaltedPlay],
        ) -> Any: ...

        @overload
        def simulate(
            self, rounds: int, *, as_frame: None = None, **options: Unpack[SaltedSimulation]
        ) -> np.ndarray: ...
        @overload
        def simulate(
            self, rounds: int, *, as_frame: Literal["pandas", "polars"], **options: Unpack[SaltedSimulation]
        ) -> Any: ...
        def simulate(self, rounds: int, **options: Any) -> Any: ...

        def tally(self, rounds: int, **options: Unpack[SaltedCount]) -> Tally: ...

        def explain(
            self, server_seed: Text | None = None, client_seed: Text | None = None, salt: Text | None = None
        ) -> Walkthrough: ...


class PerRoundGame(EngineGame):
    """A game of the engine whose `pins` or `tickets` may be given for each round."""

    if TYPE_CHECKING:

        def play(
            self,
            server_seed: Texts | None = None,
            client_seed: Texts | None = None,
            salt: Texts | None = None,
            *,
            pins: ArrayLike | None = None,
            tickets: ArrayLike | None = None,
            **options: Unpack[SaltedPlay],
        ) -> Any: ...

        def simulate(
            self,
            rounds: int,
            *,
            pins: ArrayLike | None = None,
            tickets: ArrayLike | None = None,
            **options: Unpack[SaltedFrame],
        ) -> Any: ...

        def tally(
            self,
            rounds: int,
            *,
            pins: ArrayLike | None = None,
            tickets: ArrayLike | None = None,
            **options: Unpack[SaltedCount],
        ) -> Tally: ...

        def explain(
            self,
            server_seed: Text | None = None,
            client_seed: Text | None = None,
            salt: Text | None = None,
            *,
            pins: int | None = None,
            tickets: int | None = None,
        ) -> Walkthrough: ...


def engine_law(game: EngineGame, law: str, **subject: object) -> Distribution:
    """Return a law that the engine works out of the game's one definition; the latest are remembered.

    `subject` is what it is of: ``part`` and ``cell`` of the outcome, the one ``draw`` that decides it, or
    how many cells of a part are ``among`` the values whose bits are set.
    """
    return _remembered_law(game, as_drawn(law), **subject)


def compute_law(game: EngineGame, drawn: bool, **subject: Any) -> Distribution:
    """Return a law of the engine, without remembering it."""
    values, digits = game._engine.law(_weights(game, drawn), **subject)
    weights = [int.from_bytes(weight, "little") for weight in digits]
    return Distribution(values if game.dtype.kind != "f" else values / 100, weights)


_remembered_law = lru_cache(maxsize=128)(compute_law)


def _weights(game: EngineGame, drawn: bool) -> bool | EngineScheme:
    """Return what the engine weighs draws by; refuse whole digests, for which its numbers have no room."""
    if not drawn or game.scheme == SALTED:
        return drawn
    if game.scheme.below in ("digest", "double"):
        raise UnlistedLawError(
            f"{type(game).__name__} has no law as drawn that can be listed where whole digests are drawn: "
            'ask for law="ideal", which is as good'
        )
    return engine_scheme(game.scheme)


def weight_up_to(game: EngineGame, drawn: bool, value: int) -> tuple[int, int]:
    """Return the weight of the outcomes up to a value, and of all; of games that grow with one draw."""
    return game._engine.up_to(_weights(game, drawn), value)


def mapped(law: Distribution, of: Callable[[np.ndarray], np.ndarray]) -> Distribution:
    """Return the law of a function of a law's outcomes, which is called with all of them."""
    return Distribution(values_of(of, law.outcomes).tolist(), law.weights)
