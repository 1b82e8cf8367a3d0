"""`Kind`: the questions, log formats and pictures of a game, as a value that its class states."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from provably_fair._core.errors import BadType, BadValue
from provably_fair.seeds import HashChain

from .draws import MAX_DRAWS_ASKED
from .looks import Example, Look, Of, View

if TYPE_CHECKING:
    from provably_fair.distribution import Distribution
    from provably_fair.distribution.sequences import FairnessMaterial
    from provably_fair.walkthrough.lines import Line

__all__ = [
    "ANY",
    "Kind",
    "KindOf",
    "Question",
    "Texts",
    "of_function",
    "of_outcomes",
    "one_of",
    "one_question",
    "uniform",
]


def uniform(_game: Any) -> Fraction:
    """Return 0: the distance of laws that are of uniform draws."""
    return Fraction(0)


Law = Callable[[Any, bool, "Of | None"], "Distribution | None"]
"""A method of finding laws: from a game, whether the law is as drawn, and a function of outcomes; None if the
method doesn't apply."""


@dataclass(frozen=True)
class Question:
    """A question about an outcome.

    Attributes
    ----------
    name : str
        The keyword argument.
    type : str
        The annotation, as signatures show it.
    doc : str
        A first line with the documented type, then the description.
    view : callable, optional
        From a game and what is asked to a `View`. A kind whose questions are asked together has one `view`
        for all of them.
    default : object
        The value if it isn't asked.
    """

    name: str
    type: str
    doc: str
    view: Callable[[Any, Any], View] | None = None
    default: Any = None


@dataclass(frozen=True)
class Texts:
    """The documentation of a kind's `distribution`, apart from its questions."""

    summary: str
    returns: str
    examples: str
    law: str = '"ideal" or "as_drawn".'
    raises: str = ""
    """The section on errors, if any."""


def one_of(questions: Mapping[str, Any]) -> tuple[str, Any] | None:
    """Return the only question that is asked, and its value; None if there is none."""
    asked = [(name, value) for name, value in questions.items() if value is not None and value is not False]
    if len(asked) > 1:
        raise BadType(asked[0][0], f"isn't supported with {asked[1][0]}: ask one of them")
    return asked[0] if asked else None


def of_function(_game: Any, asked: Mapping[str, Any]) -> View:
    """Return the view of ``of``, the only question."""
    return View(asked.get("of"))


def one_question(game: Any, asked: Mapping[str, Any]) -> View:
    """Return the view of the only question asked."""
    one = one_of(asked)
    if one is None:
        return View()
    name, value = one
    view = next(question.view for question in game.kind.questions if question.name == name)
    return View(value) if view is None else view(game, value)


OF = Question(
    "of", "Of | None", "callable, optional\nA function from outcomes, an array (N, ...), to values, (N,)."
)


def of_outcomes(outcomes: str) -> Question:
    """Return the question ``of`` with a description of the outcomes that it takes."""
    text = f"callable, optional\nA function to take the law of instead: from {outcomes}, to values, (N,)."
    return replace(OF, doc=text)


@dataclass(frozen=True, kw_only=True)
class Kind:
    """The questions, log formats and pictures of a game.

    A class states one: ``kind = board(25, count="mines")``. A fact that depends on the game is given as the
    name of a parameter or as a function of the game; ``game.kind`` has the values filled in.

    Attributes
    ----------
    name : str
        The name of the kind: "board", "dice".
    questions : tuple of Question
        The keyword arguments of `distribution`, `observe`, `bet` and `tally`, in the order of signatures.
    texts : Texts, optional
        The documentation of `distribution`; by default that of `Game`.
    view : callable
        From a game and the questions asked, by name, to a `View`.
    facts : mapping
        Facts of the game for views and laws: the number of cells, the sectors.
    shape, dtype : tuple of int and type, optional
        Of one outcome; None if trial rounds determine them.
    ahead : int, optional
        The number of words of a round to compute together; by default as many as a trial round uses.
    each : tuple of int, optional
        The shape of one of several like parts of an outcome, such as balls or spins, that laws describe.
    ordered : bool
        Whether the order of an outcome's values matters.
    laws : tuple of callables
        The kind's own methods of finding laws, tried in order before the general ones; see `Law`.
    distance : callable, optional
        From a game to a bound on the total variation distance of its ideal law from that of uniform draws: 0
        where the kind's own `laws` are of uniform draws. Without it they are compared with the law as drawn,
        and no bound is known if that can't be listed.
    counted : mapping
        The questions of `tally` if none is asked.
    sample : bool
        Whether outcomes are samples without replacement.
    quick : bool
        Whether laws are found without trying every draw.
    looks, bias_looks : tuple of Look, or callable of a game, optional
        The features of outcomes to test, and those where the largest bias is searched.
    whole_looks : callable
        From a game to independent features that together are the whole outcome.
    look_law : callable, optional
        From a game, a look and outcomes to the law and the values of a chi-square test.
    read : callable, optional
        From data for tests of fairness to outcomes, if data may have other forms, such as dice as text.
    material, probabilities : callables, optional
        The material of tests of fairness; see `fairness`.
    possible : callable, optional
        From outcomes to a mask of possible numbers, if bounds don't determine them.
    needs : str
        The arguments that a bet requires, for its error; "" if the rule pays a bet without any.
    pays : callable, optional
        From the number of winning steps of a bet to its payout, if that is part of the rule.
    bet_on : callable, optional
        From a game, a payout and questions to the payout and the questions of a bet.
    note : callable, optional
        From a game to the assumption behind the return of its bets, if rounds alone don't determine it.
    words : mapping
        The values by their names in logs, such as cards; None for ambiguous names.
    notations : frozenset
        Other notations of outcomes in logs: "percent", "path", "bucket".
    part_name : str
        The name of one of several parts.
    max_draws : int
        The largest number of draws of a round.
    chain, before_first : HashChain and int
        The chain of games played on their hashes, and the number that its terminating hash would have.
    bounds : tuple of int, optional
        The least and the largest number of outcomes, in steps; by default as the facts tell.
    choice : str, optional
        Of deals: the log's field of the player's decisions, "actions" or "hold".
    pack : Pack, or callable of a game, optional
        Of deals: the pack that is dealt.
    table : callable, optional
        Of deals: from nothing to the operator's own table, if its rules are known.
    fits : callable, optional
        Refuses a scheme for a game.
    picture : callable, optional
        From a game, an outcome and steps of its walk-through to lines of text.
    example : Example, optional
        What the picture of all games shows; by default the first look.
    shows_law : bool
        Whether pages show the law, because it is quick to find.
    """

    name: str
    questions: tuple[Question, ...]
    texts: Texts | None = None
    view: Callable[[Any, Mapping[str, Any]], View] = field(default_factory=lambda: one_question)
    facts: Mapping[str, Any] = field(default_factory=dict)
    shape: Any = None
    dtype: Any = None
    each: tuple[int, ...] | None = None
    ordered: bool = True
    laws: tuple[Law, ...] = ()
    distance: Callable[[Any], Fraction] | None = None
    counted: Mapping[str, Any] = field(default_factory=dict)
    sample: bool = False
    quick: bool = False
    looks: tuple[Look, ...] | Callable[[Any], tuple[Look, ...]] | None = None
    bias_looks: tuple[Look, ...] | Callable[[Any], tuple[Look, ...]] | None = None
    whole_looks: Callable[[Any], tuple[Look, ...]] | None = None
    look_law: Callable[[Any, Look, np.ndarray], tuple[Distribution, np.ndarray] | None] | None = None
    read: Callable[[Any], np.ndarray] | None = None
    material: Callable[[Any, np.ndarray], FairnessMaterial | None] | None = None
    probabilities: Callable[..., tuple[np.ndarray, np.ndarray]] | None = None
    possible: Callable[[np.ndarray], np.ndarray] | None = None
    needs: str = "payout"
    pays: Callable[[int], Any] | None = None
    bet_on: Callable[[Any, Any, dict[str, Any]], tuple[Any, dict[str, Any]]] | None = None
    note: Callable[[Any], str] | None = None
    words: Mapping[str, int | None] = field(default_factory=dict)
    notations: frozenset[str] = frozenset()
    ahead: int | None = None
    part_name: str = "value"
    max_draws: int = MAX_DRAWS_ASKED
    chain: HashChain = field(default_factory=HashChain)
    before_first: int = 0
    picture: Callable[..., Iterator[Line]] | None = None
    example: Example | None = None
    bounds: tuple[int, int] | None = None
    choice: str | None = None
    pack: Any = None
    table: Callable[[], Any] | None = None
    fits: Callable[[Any, Any], None] | None = None
    shows_law: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", dict(self.words))  # a mappingproxy can't be pickled

    def check_scheme(self, game: Any, scheme: Any) -> None:
        """Refuse a scheme that can't draw a game of this kind.

        Examples
        --------
        >>> pf.Dice().kind.check_scheme(pf.Dice(), pf.SALTED)
        """
        if self.fits is not None:
            self.fits(game, scheme)

    def of(self, game: Any) -> Kind:
        """Return the kind with a game's parameters filled in; ``game.kind`` is this already.

        Examples
        --------
        >>> wheel = pf.operators.stake.Wheel
        >>> wheel.kind.facts, wheel.kind.of(wheel(segments=30)).facts
        ({'sectors': 'segments'}, {'sectors': 30})
        """
        facts = {name: value_in(game, value) for name, value in self.facts.items()}
        shape = value_in(game, self.shape)
        if isinstance(shape, tuple):
            shape = tuple(value_in(game, size) for size in shape)
        dtype = self.dtype if isinstance(self.dtype, str) else value_in(game, self.dtype)
        pack = self.pack(game) if callable(self.pack) else self.pack
        bounds = (self.bounds or _bounds_in(facts)) if pack is None else (-1, len(pack.numbers) - 1)
        return replace(self, facts=facts, shape=shape, dtype=dtype, pack=pack, bounds=bounds)


def _bounds_in(facts: Mapping[str, Any]) -> tuple[int, int] | None:
    """Return the least and the largest number of outcomes, in steps, if the facts of a kind tell."""
    if "part" in facts and facts["part"].bounds is not None:
        bounds: tuple[int, int] = facts["part"].bounds
        return bounds
    if "cells" in facts:
        return facts["first"], facts["first"] + facts["cells"] - 1
    if "most" in facts:
        return facts["least"], facts["most"]
    if "path" in facts:
        return 0, 1 if facts["path"] else facts["rows"]
    count = facts.get("sectors", facts.get("positions"))
    return None if count is None else (0, count - 1)


def value_in(game: Any, value: Any) -> Any:
    """Resolve a fact of a kind: the name of a parameter, a function of the game, or a value."""
    if isinstance(value, str):
        if not hasattr(game, value):
            cls = type(game).__name__
            raise BadValue("kind", f"must name an attribute of {cls}, got {value!r:.50}", place=f"{cls}.")
        return getattr(game, value)
    if isinstance(value, Kind):
        return value.of(game)
    if isinstance(value, property):
        return value.__get__(game)
    return value(game) if isinstance(value, FunctionType) else value


class KindOf(property):
    """The attribute `kind`: for a class as stated, for a game with its parameters filled in once."""

    def __init__(self, kind: Kind) -> None:
        super().__init__(kind.of, doc="The questions, log formats and pictures of the game.")
        self.kind = kind

    def __get__(self, game: Any, cls: Any = None) -> Any:  # a property would return itself on a class
        """Return the kind of a class or of a game."""
        if game is None:
            return self.kind
        known = vars(game)
        if "kind" not in known:
            known["kind"] = self.kind.of(game)
        found: Kind = known["kind"]
        return found

    def __reduce__(self) -> tuple[object, ...]:
        return KindOf, (self.kind,)


ANY = Kind(name="game", questions=(OF,), view=of_function)
"""The kind of games whose class states none."""
