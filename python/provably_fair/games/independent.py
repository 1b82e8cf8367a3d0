"""Games whose outcomes have several independent parts, each with its own draws.

The law of a part therefore needs only its own draws, however many parts there are.
"""

from __future__ import annotations

import functools
import math
from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from provably_fair import distribution
from provably_fair._core.arguments import integer

from .asking import law_of, law_of_view
from .draws import Draws
from .game import Game
from .kind import one_of
from .laws import mapped
from .looks import Climbed, Look, Of, OfPart, Ones, Total, View
from .samples import Cell, Hits, joint_values
from .variation import combinations

if TYPE_CHECKING:
    from provably_fair.distribution import Distribution

__all__ = [
    "IndependentGame",
    "climbed_law",
    "combined",
    "part_looks",
    "part_whole_looks",
    "parts_law",
    "view_of_part",
]

_MAX_JOINT = 1 << 20
_MAX_LISTED = 1 << 18  # combinations listed as tuples


class IndependentGame(Game):
    """A game of parts: a subclass has a method `part` instead of `outcome`, and an `independent` kind.

    Examples
    --------
    >>> kinds = pf.games.kinds
    >>> class Pair(pf.games.IndependentGame):
    ...     kind = kinds.independent(kinds.dice(1, 6), 2, name="die")
    ...     def part(self, draws, place):
    ...         return draws.below(6) + 1
    >>> Pair().bet({(6, 6): 36}, law="ideal").exact_rtp
    Fraction(1, 1)
    """

    @abstractmethod
    def part(self, draws: Draws, place: int) -> np.ndarray:
        """Return the part at a place, from 0, for all rounds, computed from draws; see `Game.outcome`.

        To be defined by a subclass. Its shape is (rounds,) or (rounds, ...).

        Examples
        --------
        >>> kinds = pf.games.kinds
        >>> class Rolls(pf.games.IndependentGame):
        ...     kind = kinds.independent(kinds.dice(1, 6), 5, name="roll")
        ...     def part(self, draws, place):
        ...         return draws.below(6) + 1
        >>> Rolls().play("server", "client", "salt")
        array([3, 4, 1, 5, 2])
        """
        raise NotImplementedError

    def outcome(self, draws: Draws) -> np.ndarray:
        found, kind = [], self.kind
        for place in range(kind.facts["parts"]):
            draws.part(kind.part_name, place)
            found.append(self.part(draws, place))
        return np.stack(found, axis=1)


def parts_law(game: Any, drawn: bool, of: Of | None) -> Distribution | None:
    """Return the law of one part, of a total, or of a few parts together; else None."""
    facts = game.kind.facts
    if isinstance(of, Ones | Total):
        places = of.places or range(facts["parts"])
        laws = [mapped(law_of(game, drawn, OfPart(place)), of.of) for place in places]
        sums = [law.sum(count) for law, count in Counter(laws).items()]
        return functools.reduce(distribution.Distribution.convolve, sums)
    if not isinstance(of, OfPart):
        return None if isinstance(of, Hits | Cell) else _joint_law(game, drawn, of)
    one = (_RisingPart if facts["rises"] else _OnePart)(game, of.place)
    return law_of(one.with_scheme(game.scheme), drawn, of.of, facts["part"].laws)


def _joint_law(game: Any, drawn: bool, of: Of | None) -> Distribution | None:
    """Return the law of all parts, or of a function of them, from each part's; None if it is too long."""
    count = game.kind.facts["parts"]
    if len(game.shape) != 1 or game.kind.facts["gathered"] is not None or 1 << count > _MAX_JOINT:
        return None
    laws = [law_of(game, drawn, OfPart(place)) for place in range(count)]
    if math.prod(map(len, laws)) > (_MAX_LISTED if of is None else _MAX_JOINT):
        return None
    outcomes, weights = combined(laws)
    return distribution.Distribution(joint_values(of, outcomes), weights)


def combined(laws: Sequence[Distribution]) -> tuple[np.ndarray, np.ndarray]:
    """Return the combinations of the values of independent laws, one per row, and their weights."""
    weights = functools.reduce(np.multiply.outer, (np.array(law.weights, object) for law in laws))
    return combinations(laws), weights.ravel()


def climbed_law(game: Any, drawn: bool, of: Of | None) -> Distribution | None:
    """Return the law of the rows climbed, from the law of each row; else None."""
    if not isinstance(of, Climbed):
        return None
    weights: list[int] = []
    climbed = 1
    for row, position in enumerate(of.positions):
        # Whether the chosen position is among those of the outcome.
        met = law_of_view(game, drawn, View(OfPart(row, Hits((position,))), values=(0, 1)))
        counts = dict(zip(met.outcomes.tolist(), met.weights, strict=True))
        weights = [weight * met.total for weight in weights]
        weights.append(climbed * counts[1 - of.safe])
        climbed *= counts[int(of.safe)]
    return distribution.Distribution(range(len(weights) + 1), [*weights, climbed])


def part_looks(game: Any) -> tuple[Look, ...]:
    """Return a look at each part, or at each of its values."""
    name, facts = game.kind.part_name, game.kind.facts
    if len(game.shape) == 1:
        of = facts["gathered"]
        return tuple(Look(f"{name} {place}", {"of": OfPart(place, of)}) for place in range(facts["parts"]))
    return tuple(
        Look(f"{name} {place}, value {value}", {"of": OfPart(place, Cell(value))})
        for place in range(facts["parts"])
        for value in range(game.shape[1])
    )


def part_whole_looks(game: Any) -> tuple[Look, ...]:
    """Return looks at the parts, if together they are the outcome."""
    return part_looks(game) if len(game.shape) == 1 and game.kind.facts["gathered"] is None else ()


def view_of_part(game: Any, asked: Mapping[str, Any]) -> View:
    """Return the view of a question about the part that is named."""
    kind, each = game.kind, game.kind.facts["part"]
    place = integer(kind.part_name, asked.get(kind.part_name, 0), 0, kind.facts["parts"] - 1)
    one = one_of({name: value for name, value in asked.items() if name != kind.part_name})
    if one is None or one[0] == "of":
        return View(asked.get("of"))
    # In the view of a part, its kind stands for the game.
    view: View = each.view(SimpleNamespace(kind=each), dict([one]))
    return view._replace(of=OfPart(place, view.of))


class _OnePart(Game):
    """One part of a game's outcome, as a game of its own."""

    game: Any
    place: int

    def outcome(self, draws: Draws) -> np.ndarray:
        found: np.ndarray = self.game.part(draws, self.place)
        return found


class _RisingPart(_OnePart):
    monotone = True
