"""Games of the engine's catalog.

The engine defines such a game; its class here has the parameters and the documentation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypedDict, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from provably_fair._core.cached import unlocked_property
from provably_fair._core.errors import BadType
from provably_fair._core.progress import Progress
from provably_fair._core.types import Text, Texts
from provably_fair.seeds.schemes import SALTED

from ._engine_rounds import CATALOG, EngineRounds, SaltedRounds
from .game import Game
from .looks import Of
from .parameters import Range

if TYPE_CHECKING:
    from provably_fair.distribution import Tally
    from provably_fair.walkthrough import Walkthrough

__all__ = ["EngineGame", "PerRoundGame"]


class SaltedPlay(TypedDict, total=False):
    """Options of `play`, for type checkers."""

    dtype: DTypeLike | None
    out: np.ndarray | None
    threads: int | None


class SaltedCount(TypedDict, total=False):
    """Options of `tally`."""

    of: Of | None
    bins: int | Sequence[int] | np.ndarray | None
    seed: int | str
    start: int
    server_seed: Texts | None
    client_seed: Texts | None
    threads: int | None
    progress: Progress


class SaltedSimulation(SaltedPlay, total=False):
    """Options of `simulate`."""

    seed: int | str
    start: int
    server_seed: Texts | None
    client_seed: Texts | None
    salt: Texts | None
    progress: Progress


class SaltedFrame(SaltedSimulation, total=False):
    """Options of `simulate`, with the type of a data frame."""

    as_frame: Literal["pandas", "polars"] | None


class PerRound(TypedDict, total=False):
    """Parameters that may differ by round."""

    pins: ArrayLike | None
    tickets: ArrayLike | None


class PerRoundPlay(SaltedPlay, PerRound, total=False):
    """Options of `play` of such games."""


class PerRoundCount(SaltedCount, PerRound, total=False):
    """Options of `tally` of such games."""


class PerRoundFrame(SaltedFrame, PerRound, total=False):
    """Options of `simulate` of such games."""


class EngineGame(Game):
    """A game of the engine's catalog.

    The class of a game names the catalog's line, ``class Mines(EngineGame, catalog="mines")``, and has its
    parameters as fields. A class derived from one of these plays the same rounds under a name of its own.
    """

    _line: ClassVar[str]

    def __init_subclass__(cls, catalog: str | None = None, **options: object) -> None:
        if catalog is not None:
            cls._line = catalog
            # Only this package's classes have the name of the catalog's line.
            if cls.__module__.partition(".")[0] == __name__.partition(".")[0]:
                cls.name = catalog
            for p in CATALOG[catalog].parameters:  # limits come from the engine
                default = getattr(cls, p.name, p.default)
                setattr(cls, p.name, Range(p.least, p.most, default=default, per_round=p.per_round))
        super().__init_subclass__(**options)

    def __post_init__(self) -> None:
        cls = type(self)
        if cls is EngineGame:
            raise TypeError("EngineGame must be made by the class of a game: Mines, Dice, ...")
        if not hasattr(cls, "_line"):
            name = cls.__name__
            raise BadType(name, f"must name its line of the catalog: class {name}(EngineGame, catalog=...)")
        super().__post_init__()

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
        return self._rounds.outcome(draws)

    @unlocked_property
    def _rounds(self) -> EngineRounds:
        return (SaltedRounds if self.scheme == SALTED else EngineRounds)(self, self._line)

    if TYPE_CHECKING:
        # The fields of salted rounds. `with_scheme` returns Any, as another scheme has other fields. mypy
        # sees an incompatible override, since `Game` takes any fields.

        def play(  # type: ignore[override]
            self,
            server_seed: Texts | None = None,
            client_seed: Texts | None = None,
            salt: Texts | None = None,
            **options: Unpack[SaltedPlay],
        ) -> Any: ...

        @overload  # type: ignore[override]
        def simulate(
            self, rounds: int, *, as_frame: None = None, **options: Unpack[SaltedSimulation]
        ) -> np.ndarray: ...
        @overload
        def simulate(
            self, rounds: int, *, as_frame: Literal["pandas", "polars"], **options: Unpack[SaltedSimulation]
        ) -> Any: ...
        def simulate(self, rounds: int, **options: Any) -> Any: ...

        def tally(self, rounds: int, **options: Unpack[SaltedCount]) -> Tally: ...  # type: ignore[override]

        def explain(  # type: ignore[override]
            self, server_seed: Text | None = None, client_seed: Text | None = None, salt: Text | None = None
        ) -> Walkthrough: ...


class PerRoundGame(EngineGame):
    """A game of the engine whose `pins` or `tickets` may be given for each round."""

    if TYPE_CHECKING:

        def play(  # type: ignore[override]
            self,
            server_seed: Texts | None = None,
            client_seed: Texts | None = None,
            salt: Texts | None = None,
            **options: Unpack[PerRoundPlay],
        ) -> Any: ...

        def simulate(  # type: ignore[override]
            self, rounds: int, **options: Unpack[PerRoundFrame]
        ) -> Any: ...

        def tally(  # type: ignore[override]
            self, rounds: int, **options: Unpack[PerRoundCount]
        ) -> Tally: ...

        def explain(  # type: ignore[override]
            self,
            server_seed: Text | None = None,
            client_seed: Text | None = None,
            salt: Text | None = None,
            *,
            pins: int | None = None,
            tickets: int | None = None,
        ) -> Walkthrough: ...
