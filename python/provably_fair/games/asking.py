"""`distribution`, `observe` and `bet`, once for all games.

A kind's questions are data. The signatures, documentation and errors of these three methods are made from
them here and nowhere else.
"""

from __future__ import annotations

import difflib
import functools
import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from inspect import Parameter, Signature
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.errors import BadType, BadValue
from provably_fair._core.signatures import signature_of
from provably_fair.seeds.schemes import distance_bound

from .kind import Kind, Law, Question, Texts
from .laws import UnlistedLawError, draws_error, shares_digests
from .looks import Of, OfPart, View
from .rounds import check_outcomes, rounds_of
from .samples import Hits, values_of
from .variation import varied_by_part

if TYPE_CHECKING:
    from provably_fair.bets import Bet
    from provably_fair.distribution import Distribution

__all__ = [
    "as_drawn",
    "ask",
    "bet",
    "bet_of_table",
    "distribution",
    "law_of",
    "law_of_view",
    "observe",
    "show",
]

# Bits of a draw from which on bets use the ideal law if the law as drawn can't be listed.
_NEARLY_UNIFORM = 30


def as_drawn(law: object) -> bool:
    """Return whether a law is the one as drawn; refuse unknown names."""
    if law not in ("ideal", "as_drawn"):
        raise BadValue("law", f'must be "ideal" or "as_drawn", got {law!r}')
    return law == "as_drawn"


def check_names(owner: str, named: Iterable[str], known: Iterable[str], also: Iterable[str] = ()) -> None:
    """Refuse unknown options, and suggest the nearest known one."""
    known, also = [*known], [*also]
    for name in named:
        if name in known or name in also:
            continue
        near = difflib.get_close_matches(name, [*known, *also], 1, 0.5)
        meant = f": did you mean {near[0]}?" if near else "."
        more = f", and a bet takes {' and '.join(also)}" if also else ""
        sentence = f"{owner} has no option {name!r}{meant} Its options are {', '.join(known)}{more}"
        raise BadType(name, sentence=sentence)


def _view(game: Any, asked: Mapping[str, Any]) -> View:
    """Return the view of the questions that are asked; refuse unknown ones."""
    check_names(type(game).__name__, asked, [question.name for question in game.kind.questions])
    view: View = game.kind.view(game, asked)
    return view


# Laws


def distribution(game: Any, law: str = "ideal", **asked: Any) -> Distribution:
    """See `Game.distribution`."""
    view = _view(game, asked)
    return law_of_view(game, as_drawn(law), view)


def law_of_view(game: Any, drawn: bool, view: View) -> Distribution:
    """Return the law of a view, with a weight of 0 for values that the view lists and can't occur."""
    found = law_of(game, drawn, view.of)
    missing = [value for value in view.values if value not in found.outcomes]
    if not missing:
        return found
    from provably_fair.distribution import Distribution

    return Distribution(
        [*found.outcomes.tolist(), *missing],
        [*found.weights, *(0 for _ in missing)],
        probability_error=found.probability_error,
        truncation_error=found.truncation_error,
    )


def law_of(game: Any, drawn: bool, of: Of | None, laws: Iterable[Law] | None = None) -> Distribution:
    """Return the law of a function of outcomes, by the methods of the game's kind or by others."""
    if drawn and shares_digests(game):
        name = type(game).__name__
        raise UnlistedLawError(
            f"{name} has no law as drawn that can be listed where each draw is made of a whole digest, which "
            'others share: ask for law="ideal", or give the scheme words=1'
        )
    for way in game.kind.laws if laws is None else laws:
        found: Distribution | None = way(game, drawn, of)
        if found is not None:
            return found
    return rounds_of(game).law(drawn, of)


# Values of outcomes


def observe(game: Any, outcomes: ArrayLike, **asked: Any) -> np.ndarray:
    """See `Game.observe`."""
    view = _view(game, asked)
    found = check_outcomes(game, outcomes)
    if game.kind.each is not None:
        found = found.reshape(-1, *game.kind.each)
    return values_of(view.of, found)


# Bets


def bet(game: Any, payout: Any = None, *, law: str = "best", **asked: Any) -> Bet:
    """See `Game.bet`."""
    from provably_fair.bets import Bet
    from provably_fair.bets.returns import RulePays, Subject, payout_missing

    kind: Kind = game.kind
    pays = getattr(game, "pays", None)
    rule = signature_of(pays).parameters if callable(pays) else {}
    if not any(one.kind is one.VAR_KEYWORD for one in rule.values()):
        names = [question.name for question in kind.questions if question.name != "payout"]
        more = [name for name in [*rule][1:] if name not in ("payout", *names)]
        check_names(type(game).__name__, asked, [*names, *more], ["payout", "law"])
        ruled = asked.keys() | ({"payout"} if payout is not None else set()) <= rule.keys()
    else:
        ruled = True
    if rule and ruled and "of" not in asked:
        rules = RulePays(game, Subject(asked if payout is None else asked | {"payout": payout}))
        values, which = bet_law(game, law, {"of": rules})
        made = Bet.on_values(game, values, None, subject={"of": rules}, pays=True)
        return _under(game, made, which, rules)
    if kind.bet_on is not None:
        payout, asked = kind.bet_on(game, payout, asked)
    view, of = _view(game, asked), asked.get("of")
    payout = view.payout if payout is None else payout
    if payout is None and not view.pays and not callable(of):
        if kind.needs in ("", "payout"):
            raise payout_missing(view.wins)
        raise BadType("payout", f"must be given, or {kind.needs} must be given: the return of a bet of 1")
    values, which = bet_law(game, law, asked)
    # Values of 0 and 1 say whether a bet wins; they aren't payouts.
    is_flag = callable(of) and set(values.outcomes.tolist()) <= {0, 1}
    wins = 1 if is_flag else view.wins
    pays = view.pays or (callable(of) and not is_flag and not isinstance(of, Hits))
    made = Bet.on_values(game, values, payout, subject=asked, wins=wins, pays=pays)
    return _under(game, made, which, view.of)


def bet_of_table(game: Any, table: Mapping[str, Any]) -> Bet:
    """Return the bet that a table of TOML describes, whose keys are text."""
    asked = dict(table)
    if isinstance(asked.get("payout"), Mapping):
        asked["payout"] = {_outcome(key): value for key, value in asked["payout"].items()}
    made: Bet = game.bet(**asked)
    return made


def _outcome(key: str) -> float:
    """Return the outcome that a key of TOML stands for."""
    try:
        return float(key) if "." in key else int(key)
    except ValueError:
        raise BadValue("payout", f"must be by outcomes, which are numbers, got {key!r}") from None


def bet_law(
    game: Any, law: str, asked: Mapping[str, Any]
) -> tuple[Distribution, Literal["ideal", "as_drawn"]]:
    """Return the law of a bet, and which it is; "best" is ideal only where the difference is negligible."""
    if law != "best":
        return game.distribution(law, **asked), "as_drawn" if as_drawn(law) else "ideal"
    try:
        return game.distribution("as_drawn", **asked), "as_drawn"
    except UnlistedLawError:
        if distance_bound(game.scheme, 1) >= 2.0**-_NEARLY_UNIFORM:
            raise
        return game.distribution("ideal", **asked), "ideal"


def _under(game: Any, bet: Bet, which: Literal["ideal", "as_drawn"], of: Of | None) -> Bet:
    """Return a bet on a function of outcomes with its kind of law and a bound on the error of its return."""
    error = 0.0 if which == "as_drawn" else _law_error(game, bet, of)
    note = "" if game.kind.note is None else game.kind.note(game)
    return replace(bet, law_kind=which, law_error=error, note=note)


def _law_error(game: Any, bet: Bet, of: Of | None) -> float:
    """Return a bound on the difference of a bet's mean between uniform draws and those of the scheme, or NaN.

    The draws are exchanged one after the other for those of the scheme, and the differences added. Let f be
    what is paid by one draw, the others being given.

    - Of a draw of one of n, no event differs by more than the distance in total variation, and no mean of f
      by more than that, times the range of f.
    - Of a number, only the probabilities up to each number are known to differ little, by d at most. Let f
      jump by J at each of some numbers: its mean is a constant plus the sum of J * P(the number is reached),
      and differs by at most d times the sum of all |J|, the variation of f, which is its range only if f
      rises or falls throughout.
    """
    sampler: Any = bet.sampler
    spread = Fraction(max(sampler.table) - min(sampler.table), bet.unit)
    try:
        error = draws_error(game)
        varied = _variation(game, bet, of, float(spread)) if error.of_numbers else 0.0
    except UnlistedLawError:
        return math.nan
    if math.isnan(varied):
        return varied
    bound = error.of_answers * spread + error.of_numbers * Fraction(varied)
    near = float(bound)
    return near if near >= bound else math.nextafter(near, math.inf)


def _variation(game: Any, bet: Bet, of: Of | None, spread: float) -> float:
    """Return a bound on the variation of what a bet pays along any number that is drawn; NaN if unknown."""
    sampler: Any = bet.sampler
    # Values that can't occur, which a view may list, aren't between others.
    likely = [place for place, weight in enumerate(sampler.values.weights) if weight]
    parts = [sampler.table[place] for place in likely]
    steps = [after - before for before, after in pairwise(parts)]
    # Values of a law rise or fall with the number, as bisection found them so.
    along: float = sum(map(abs, steps)) / bet.unit
    if min(steps, default=0) >= 0 or max(steps, default=0) <= 0:
        along = spread
    if game.monotone:
        return along
    if game.kind.facts.get("rises"):
        laws = [law_of(game, False, OfPart(place)) for place in range(game.kind.facts["parts"])]
        paid = np.array(sampler.table, np.float64) / bet.unit
        return varied_by_part(laws, of, sampler.values, paid, along)
    return math.nan


# Signatures and documentation


def ask(cls: Any) -> None:
    """Give a class methods whose signatures have the questions of its kind and the options of its `pays`."""
    own, kind = vars(cls), cls.kind
    if "kind" in own and _SHARED:
        for name, method in _methods(kind.questions, kind.texts).items():
            inherited = getattr(cls, name)  # methods that a class or its base defines stay
            if getattr(inherited, "__wrapped__", inherited) is _SHARED[name]:
                setattr(cls, name, method)
    if callable(own.get("pays")) and "bet" not in own:
        try:
            takes = [*signature_of(cls.pays).parameters.values()]
        except (TypeError, ValueError):
            return  # `pays` has no signature
        more = tuple(one for one in takes if one.kind is one.KEYWORD_ONLY)
        cls.bet = _method("bet", kind.questions, kind.texts, more)


def show(game: Any) -> None:
    """Give `Game` its signatures, and keep its methods as the base of those of kinds."""
    for name, does in _DOES.items():
        shared = _SHARED[name] = getattr(game, name)
        shared.__signature__ = _signature(does, game.kind.questions)


@functools.lru_cache
def _methods(questions: tuple[Question, ...], texts: Texts | None) -> Mapping[str, Any]:
    """Return the methods of a kind, shared by its classes."""
    return {name: _method(name, questions, texts) for name in _DOES}


def _method(
    name: str, questions: tuple[Question, ...], texts: Texts | None, more: tuple[Parameter, ...] = ()
) -> Any:
    """Return a method with the signature and the documentation of some questions."""
    does, shared = _DOES[name], _SHARED[name]

    @functools.wraps(shared)
    def method(self: Any, *values: Any, **named: Any) -> Any:
        return does(self, *values, **named)

    method.__signature__ = _signature(does, questions, more)  # type: ignore[attr-defined]
    if texts is not None:
        said = {"distribution": (), "observe": (), "bet": ("payout",)}[name]
        listed = [f"{one.name} : {_indented(one.doc)}" for one in questions if one.name not in said]
        method.__doc__ = (
            _documentation(listed, texts)
            if name == "distribution"
            else inspect.cleandoc(shared.__doc__ or "").replace(_MARKS[name], "\n".join(listed))
        )
    return method


def _signature(
    does: Callable[..., Any], questions: tuple[Question, ...], more: tuple[Parameter, ...] = ()
) -> Signature:
    """Return the signature of a method with some questions, and more keyword arguments."""
    made = signature_of(does)
    first = {name: one for name, one in made.parameters.items() if one.kind is not one.VAR_KEYWORD}
    first["game"] = Parameter("self", Parameter.POSITIONAL_OR_KEYWORD)
    asked = [
        Parameter(q.name, Parameter.KEYWORD_ONLY, default=q.default, annotation=q.type) for q in questions
    ]
    named = {one.name: one for one in (*asked, *more)}
    parameters = [*first.values(), *(one for name, one in named.items() if name not in first)]
    return Signature(parameters, return_annotation=made.return_annotation)


_DOES: Mapping[str, Callable[..., Any]] = {"distribution": distribution, "observe": observe, "bet": bet}
_SHARED: dict[str, Any] = {}
"""The methods of `Game`, on whose documentation that of kinds is based."""
_MARKS = {
    "observe": "of\n    As in `distribution`.",
    "bet": "of\n    As in `distribution`; so are the other questions that may be asked of the game.",
}
"""Placeholders in the documentation of `Game` for the questions of a kind."""


def _documentation(listed: list[str], texts: Texts) -> str:
    """Return the documentation of a kind's `distribution`."""
    raised = f"Raises\n------\n{texts.raises}\n\n" if texts.raises else ""
    return (
        f"{texts.summary}\n\nParameters\n----------\nlaw : str\n    {texts.law}\n"
        + "\n".join(listed)
        + "\n\n"
        f"Returns\n-------\nDistribution\n    {texts.returns}\n\n{raised}Examples\n--------\n{texts.examples}"
    )


def _indented(doc: str) -> str:
    """Return a question's documentation with all lines but the first indented."""
    return doc.replace("\n", "\n    ")
