"""`Kind`: what may be asked, logged and shown of a game. Each kind has a file of its own in `kinds`.

Other rooms call these methods, and know no kind by its name. A game's `kind` has the facts that its class
states: as attributes, as properties, or as parameters of these names.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import lru_cache, partial
from inspect import Parameter, getattr_static
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, Self, TypeVar

import numpy as np

from provably_fair._core.arguments import BadType, did_you_mean
from provably_fair._core.cached import unlocked_property
from provably_fair._core.signatures import signature_of
from provably_fair.seeds.schemes import Scheme

from .looks import Example, Look, Of, View

if TYPE_CHECKING:
    from provably_fair.distribution import Distribution
    from provably_fair.distribution.sequences import FairnessMaterial
    from provably_fair.seeds import HashChain
    from provably_fair.walkthrough.lines import Line

Law = Callable[[bool, "Of | None"], "Distribution | None"]
"""A way of finding laws, from whether it is as drawn and a function of outcomes; None if it doesn't apply."""


class AnyGame(Protocol):
    """A game, as `Game` has it."""

    name: ClassVar[str]
    scheme: ClassVar[Scheme]
    vectorized: ClassVar[bool]
    monotone: ClassVar[bool]
    ordered: ClassVar[bool]
    __dataclass_fields__: ClassVar[dict[str, Any]]
    _names: ClassVar[tuple[str, ...]]

    @property
    def _beside(self) -> Mapping[str, str]:
        """What else tells a game from others, with the method that sets it."""

    @property
    def kind(self) -> Any:
        """A `Kind`: the kind of the game's base."""

    @property
    def _rounds(self) -> Any:
        """A `Rounds`."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one outcome."""

    @property
    def dtype(self) -> np.dtype:
        """The type of outcomes."""

    @property
    def decimals(self) -> int:
        """The number of decimals of outcomes."""

    @property
    def parameters(self) -> Mapping[str, int]:
        """The whole numbers that decide outcomes."""

    def _field_values(self) -> tuple[object, ...]:
        """Return the values of the parameters."""

    def outcome(self, draws: Any) -> Any:
        """Return the outcomes of all rounds of some draws."""

    def distribution(self, law: str = "ideal", *, of: Any = None) -> Any:
        """Return a `Distribution`."""

    def observe(self, outcomes: Any, *, of: Any = None) -> np.ndarray:
        """Return values of outcomes."""

    def bet(self, payout: Any = None, *args: Any, **options: Any) -> Any:
        """Return a `Bet`."""

    def with_parameters(self, **parameters: Any) -> Any:
        """Return a `Game` with other parameters."""


def check_names(game: AnyGame, named: Iterable[str], known: Iterable[str], also: Iterable[str] = ()) -> None:
    """Refuse unknown options, and suggest the nearest known one."""
    known, also = [*known], [*also]
    for name in named:
        if name in known or name in also:
            continue
        near = difflib.get_close_matches(name, [*known, *also], 1, 0.5)
        meant = f": did you mean {near[0]}?" if near else "."
        more = f", and a bet takes {' and '.join(also)}" if also else ""
        owner = type(game).__name__
        sentence = f"{owner} has no option {name!r}{meant} Its options are {', '.join(known)}{more}"
        raise BadType(name, sentence=sentence)


Outcome = TypeVar("Outcome", covariant=True)
K = TypeVar("K", bound="Kind")


class Typed(Protocol[Outcome]):
    """A game whose class tells type checkers the type of one outcome."""

    def _outcome(self) -> Outcome: ...


class OfArrays:
    """Tells type checkers that an outcome is an array."""

    if TYPE_CHECKING:

        def _outcome(self) -> np.ndarray: ...


class Option(NamedTuple):
    """A question that may be asked of games of a class: a keyword argument of its `distribution`."""

    type: str
    default: Any


def questions_of(cls: Any) -> Mapping[str, Option]:
    """Return the questions that may be asked of games of a class, by name."""
    return _questions(cls.distribution)


@lru_cache
def _questions(method: Callable[..., Any]) -> Mapping[str, Option]:
    return {
        name: _option(one)
        for name, one in signature_of(method).parameters.items()
        if one.kind is one.KEYWORD_ONLY
    }


def options_of_bet(cls: Any) -> dict[str, Option]:
    """Return the options of bets on games of a class: its questions, and what its own `pays` takes."""
    pays = getattr(cls, "pays", None)
    before = 1 if isinstance(getattr_static(cls, "pays", None), (staticmethod, classmethod)) else 2
    takes = [*signature_of(pays).parameters.values()][before:] if callable(pays) else []
    named = {
        one.name: _option(one) for one in takes if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)
    }
    return {**questions_of(cls), **named}


def _option(one: Parameter) -> Option:
    """Return a parameter as an option; one without a type has that of its default."""
    told = type(one.default).__name__ if one.annotation is one.empty else one.annotation
    return Option(str(told), one.default)


def asked_of(game: AnyGame, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the questions among options that are asked: those that differ from their defaults."""
    known = questions_of(type(game))
    return {
        name: value
        for name, value in options.items()
        if name not in known or value is not known[name].default
    }


STATED = ("words", "laws", "distance", "quick", "chain", "before_first", "max_draws", "shows_law", "pictured")
"""What the class of a game may state, besides the facts of its kind."""


class _Fact:
    """A fact that a class has to state: by an attribute, a property, or a parameter of its name."""

    def __init__(self, doc: str) -> None:
        self.doc = doc

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, game: AnyGame, cls: type) -> Any:
        if game is None:  # a class has none, or dataclasses would take this for a parameter's default
            raise AttributeError(self.name)
        meant = did_you_mean(self.name, [name for name in vars(cls) if not name.startswith("_")])
        raise BadType(self.name, f"must be stated, {self.doc}{meant}", place=f"{cls.__name__}.")


_MISSING: Any = object()
_KINDS: dict[str, Any] = {"int": int | np.integer, "bool": bool | np.bool_, "str": str}
"""The types of facts that are checked, by their annotations."""


def fact(doc: str, default: Any = _MISSING) -> Any:
    """Declare a fact of a kind, which its classes state; they have to, if it has no default."""
    return _Fact(doc) if default is _MISSING else default


def stated(game: AnyGame, name: str, default: Any = None, *, is_fact: bool = False) -> Any:
    """Return what a game's class states by an attribute, unbound, or by a property.

    A parameter of this name states a fact, and nothing else.
    """
    cls = type(game)
    if name in cls.__dataclass_fields__:
        return getattr(game, name) if is_fact else default
    for base in cls.__mro__:
        if name in vars(base):
            found = vars(base)[name]
            return found.__get__(game, cls) if isinstance(found, property | _Fact) else found
    return default


def stated_of_rule(game: AnyGame, name: str, default: Any) -> Any:
    """Return what a class states of its rule; the default if a class derived from it has a rule of its own.

    Of the engine's rule it holds whatever outcome a class states, which isn't played.
    """
    cls = type(game)
    for base in cls.__mro__:
        if name in vars(base):
            return stated(game, name, default)
        if "outcome" in vars(base) and not hasattr(cls, "_line"):
            break
    return default


def _checked(game: AnyGame, name: str, kind: str) -> Any:
    """Return a fact that a game's class states; refuse one of another type."""
    value = stated(game, name, is_fact=True)
    kinds = _KINDS.get(kind.removesuffix(" | None"))
    whole = kind.startswith("int")
    fits = kinds is None or (isinstance(value, kinds) and not (whole and isinstance(value, bool)))
    if fits or (value is None and kind.endswith("None")):
        return value.item() if kinds and isinstance(value, np.generic) else value  # of few bits
    what = "an integer" if whole else kind
    raise BadType(name, f"must be {what}, got {value!r:.80}", place=f"{type(game).__name__}.")


def kind_property(cls: type[K]) -> unlocked_property[K]:
    """Return the property `kind` of games of a kind."""
    return unlocked_property(lambda game: cls.of(game))


def uniform(_game: Any) -> Fraction:
    """Return 0: the distance of laws that are of uniform draws."""
    return Fraction(0)


def one_of(questions: Mapping[str, Any]) -> tuple[str, Any] | None:
    """Return the only question that is asked, and its value; None if there is none."""
    asked = [(name, value) for name, value in questions.items() if value is not None and value is not False]
    if len(asked) > 1:
        raise BadType(asked[0][0], f"isn't supported with {asked[1][0]}: ask one of them")
    return asked[0] if asked else None


def refuse_one(name: str, value: Any, other: str = "") -> None:
    """Refuse a single number in place of a collection, since it may be meant as a count."""
    if isinstance(value, (int, float, np.generic)) or (isinstance(value, np.ndarray) and not value.ndim):
        raise BadType(name, f"must be a collection, got {value!r:.80}: {other}{name}=[{value!r:.80}]?")


@dataclass(frozen=True)
class Kind:
    """What may be asked, logged and shown of a game."""

    game: AnyGame = field(repr=False)
    name: ClassVar[str] = "game"
    needs: ClassVar[str] = "payout"
    """The arguments that a bet requires, for its error; "" if the rule pays a bet without any."""
    asked_alone: ClassVar[tuple[str, ...]] = ()
    """The questions that are asked one at a time, for errors."""
    counts: ClassVar[Mapping[str, str]] = {}
    """The questions that only count what a player chose, and those that say what it was."""
    is_sample: ClassVar[bool] = False
    """Whether outcomes are samples without replacement."""
    each: ClassVar[tuple[int, ...] | None] = None
    """The shape of one of several like parts of an outcome, such as balls or spins, that laws describe."""

    @classmethod
    def of(cls, game: AnyGame) -> Self:
        """Return the kind of a game, with the facts that its class states."""
        facts = {one.name: str(one.type) for one in fields(cls) if one.name != "game"}
        return cls(game, *(_checked(game, name, kind) for name, kind in facts.items()))

    # Stated by the class of a game, besides the facts of its kind

    @property
    def words(self) -> Mapping[str, int | None]:
        """The values by their names in logs, such as cards; None for ambiguous names."""
        found: Mapping[str, int | None] = stated(self.game, "words", {})
        return found

    @property
    def chain(self) -> HashChain:
        """The chain of games played on their hashes."""
        from provably_fair.seeds import HashChain

        return stated(self.game, "chain") or HashChain()

    @property
    def before_first(self) -> int:
        """The number that a chain's terminating hash would have."""
        found: int = stated(self.game, "before_first", 0)
        return found

    @property
    def quick(self) -> bool:
        """Whether laws are found without trying every draw."""
        found: bool = stated_of_rule(self.game, "quick", False)
        return found

    @property
    def laws(self) -> tuple[Law, ...]:
        """The game's own ways of finding laws, tried in order before the general ones."""
        return tuple(partial(way, self.game) for way in stated_of_rule(self.game, "laws", ()))

    @property
    def shows_law(self) -> bool:
        """Whether pages show the law, because it is quick to find."""
        found: bool = stated(self.game, "shows_law", False)
        return found

    @property
    def pictured(self) -> Example | None:
        """The feature that the picture of all games shows; by default the first look."""
        found: Example | None = stated(self.game, "pictured")
        return found

    def distance(self) -> Fraction | None:
        """Return a bound on the total variation distance of the ideal law from that of uniform draws.

        None if nothing says so: laws of the game's own are then compared with the law as drawn, and no bound
        is known if that can't be listed.
        """
        found: Any = stated_of_rule(self.game, "distance", None)
        known: Fraction | None = found(self.game) if callable(found) else found
        return known

    # Questions

    def view(self, *, of: Any = None) -> View:
        """Return the view of what is asked."""
        return View(of)

    def bet_on(self, payout: Any, asked: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """Return the payout and the questions of a bet, which its rule may add."""
        return payout, asked

    def note(self) -> str:
        """Return the assumption behind the return of bets, if rounds alone don't determine it."""
        return ""

    def check_scheme(self, scheme: Any) -> None:
        """Refuse a scheme that can't draw the game."""

    # Outcomes

    def bounds(self) -> tuple[int, int] | None:
        """Return the least and the largest number of an outcome, in steps, if they are known."""
        return None

    @property
    def steps(self) -> tuple[tuple[int, int] | None, int]:
        """The bounds, and the number of steps in 1."""
        return self.bounds(), 1

    @property
    def notations(self) -> frozenset[str]:
        """Other notations of outcomes in logs: "percent", "path", "bucket"."""
        return frozenset()

    def agreed(self, outcomes: np.ndarray) -> Mapping[str, Any]:
        """Return where outcomes of the game's rule agree with facts that its class states, by their names."""
        return {}

    def possible(self, outcomes: np.ndarray) -> np.ndarray | None:
        """Return which numbers of outcomes are possible, if bounds don't determine them."""
        return None

    # Tests and pictures. None stands for those of games of any kind.

    def looks(self, *, bias: bool = False) -> tuple[Look, ...] | None:
        """Return the features of outcomes to test, or those where the largest bias is searched."""
        return None

    def whole_looks(self) -> tuple[Look, ...] | None:
        """Return independent features that together are the whole outcome."""
        return None

    def look_law(self, look: Look, outcomes: np.ndarray) -> tuple[Distribution, np.ndarray] | None:
        """Return the law and the values of a look in some outcomes, for a chi-square test."""
        return None

    def read(self, data: Any) -> np.ndarray | None:
        """Return outcomes from data of another form, such as dice as text."""
        return None

    def material(self, values: np.ndarray) -> FairnessMaterial | None:
        """Return the material of tests of fairness."""
        return None

    def probabilities(
        self, values: np.ndarray, varying: Mapping[str, np.ndarray]
    ) -> tuple[np.ndarray, np.ndarray] | None:
        """Return the probabilities of less than each outcome and of itself, by the parameters of rounds."""
        return None

    def picture(self, outcome: np.ndarray, steps: Sequence[Any]) -> Iterator[Line]:
        """Yield a picture of an outcome, or of the part of it that these steps determine, in text."""
        yield from ()
