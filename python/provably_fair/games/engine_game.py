"""Games of the engine's catalog.

The engine defines such a game; its class here has the parameters and the documentation, and may state the
same rule in Python.
"""

from __future__ import annotations

from typing import Any, ClassVar

from provably_fair._core.cached import unlocked_property
from provably_fair._core.errors import BadType
from provably_fair.seeds.schemes import SALTED

from ._engine_rounds import CATALOG, EngineRounds, SaltedRounds
from .game import Game
from .parameters import Range


class EngineGame(Game):
    """A game of the engine's catalog.

    The class of a game names the catalog's line, ``class Mines(EngineGame, catalog="mines")``, and has its
    parameters as fields. A class derived from one of these plays the same rounds under a name of its own.

    The engine plays, counts and explains the rounds. The `outcome` of the package's classes states the same
    rule in Python.
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
        if "outcome" in vars(cls):  # a rule in Python, of many rounds unless the class says otherwise
            if catalog is None:
                base = cls.__mro__[1].__name__
                problem = f"can't be another rule: the engine plays that of {base}. Derive from a base in "
                raise BadType(
                    "outcome", f"{problem}pf.games.kinds, or from pf.Game", place=f"{cls.__name__}."
                )
            vectorized: bool = vars(cls).get("vectorized", True)
            cls.vectorized = vectorized
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

        In a class that states no rule in Python, the engine's definition of the game asks `draws` for what it
        needs. It has methods ``below(n)``, ``skip(count)``, ``part(name, index, draws)`` and ``note(formula,
        value)``, of one round, and ``shuffle(n, k)`` if it likes.

        Examples
        --------
        >>> class Least:
        ...     def below(self, n):
        ...         return 0
        ...     def skip(self, count):
        ...         pass
        >>> class Board(pf.games.EngineGame, catalog="mines"):
        ...     mines: int = 3
        >>> Board().outcome(Least())
        array([0, 1, 2])
        """
        return self._rounds.outcome(draws)

    @unlocked_property
    def _rounds(self) -> EngineRounds:
        return (SaltedRounds if self.scheme == SALTED else EngineRounds)(self, self._line)
