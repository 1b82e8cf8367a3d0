"""`distribution`, `observe`, `bet` and `tally`, once for all games: `asking` calls them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.arguments import threads_of, unbox
from provably_fair._core.errors import BadType, BadValue
from provably_fair._core.progress import Progress, progress_bar
from provably_fair._core.signatures import signature_of
from provably_fair.seeds.schemes import engine_scheme

from ._enumeration import MAX_TUPLES
from ._probes import RandomDraws
from .kind import AnyGame, Kind, asked_of, check_names, questions_of
from .laws import (
    FarLawError,
    UnlistedLawError,
    combinations_of,
    draws_error,
    is_bisected,
    shared_digests_error,
    shares_digests,
)
from .looks import Of, OfPart, PaidByTable, View
from .part_laws import law_by_program, parts_rise, rises_with
from .rounds import check_outcomes, rounds_of
from .samples import Hits, check_of, values_of
from .variation import varied_by_one, varied_by_part

if TYPE_CHECKING:
    from provably_fair.bets import Bet
    from provably_fair.distribution import Distribution, Tally

# Outcomes by which it is tried whether a payout takes arrays: no number of dice, cells or cards.
_TRIED = 67

# Bits of a draw from which on bets use the ideal law if the law as drawn can't be listed.
_NEARLY_UNIFORM = 30


def as_drawn(law: object) -> bool:
    """Return whether a law is the one as drawn; refuse unknown names."""
    if law not in ("ideal", "as_drawn"):
        raise BadValue("law", f'must be "ideal" or "as_drawn", got {law!r}')
    return law == "as_drawn"


# Laws


def distribution(game: AnyGame, law: str, **options: Any) -> Distribution:
    """Return the exact law of what is asked; see `Game.distribution`."""
    origin = _Origin(game, as_drawn(law), game.kind.view(**options))
    found = law_of_view(*origin)
    from provably_fair.distribution.weighted import with_origin

    marked: Distribution = with_origin(found, origin)
    return marked


class _Origin(NamedTuple):
    """The game and the question that a law is of."""

    game: AnyGame
    drawn: bool
    view: View

    @property
    def kind(self) -> str:
        """Which law it is."""
        return "as_drawn" if self.drawn else "ideal"

    def other(self) -> Distribution:
        """Return the ideal law for the one as drawn, and the other way around."""
        return law_of_view(self.game, not self.drawn, self.view)


def law_of_view(game: AnyGame, drawn: bool, view: View) -> Distribution:
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


def law_of(game: AnyGame, drawn: bool, of: Of | None, *, general: bool = False) -> Distribution:
    """Return the law of a function of outcomes, by the game's own ways or by general ones."""
    check_of(of)
    if drawn and shares_digests(game):
        raise shared_digests_error(type(game).__name__)
    if isinstance(of, PaidByTable):
        numbers = law_of(game, drawn, of.number)  # which may lack some of the table
        return numbers.map([of.table[number] for number in numbers.outcomes.tolist()])
    for way in () if general else game.kind.laws:
        found: Distribution | None = way(drawn, of)
        if found is not None:
            return found
    if rounds_of(game).engine is None and (law := law_by_program(game, drawn, of)) is not None:
        return law
    return rounds_of(game).law(drawn, of)


# Values of outcomes


def observe(game: AnyGame, outcomes: ArrayLike, **options: Any) -> np.ndarray:
    """Return the values of outcomes, as asked; see `Game.observe`."""
    view = game.kind.view(**options)
    found = check_outcomes(game, outcomes)
    if game.kind.each is not None:
        found = found.reshape(-1, *game.kind.each)
    return values_of(view.of, found)


def tally(
    game: AnyGame,
    rounds: int,
    options: Mapping[str, Any],
    *,
    always: bool = False,
    bins: Any = None,
    seed: int | str = 0,
    start: int = 0,
    threads: int | None = None,
    progress: Progress = False,
    **fields: object,
) -> Tally:
    """Count the outcomes of simulated rounds, or the values of what is asked; see `Game.tally`.

    With `always` the questions are answered by their defaults, if none is asked.
    """
    of = options.get("of")
    asked = asked_of(game, {name: value for name, value in options.items() if value is not None})
    if asked:
        game.kind.view(**asked)  # refuses questions that exclude each other
    elif always:
        asked = dict(options)
    plays = rounds_of(game)
    made = plays.series(rounds, seed, start, fields)
    with progress_bar(made.rounds, progress) as report:
        if not asked:
            return plays.tally(made, bins, threads_of(threads), report)
        if bins is not None:
            raise BadType("bins", f"isn't supported with {next(iter(asked))}")

        def counted(outcomes: np.ndarray) -> np.ndarray:
            # `of` alone takes whole rounds; with questions it takes one ball or spin at a time.
            return values_of(of, outcomes) if callable(of) else game.observe(outcomes, **asked)

        return plays.count(made, counted, threads_of(threads), report)


# Bets


def bet(game: AnyGame, payout: Any = None, *, law: str | None = "best", **options: Any) -> Bet:
    """Return a bet on what is asked; see `Game.bet`."""
    from provably_fair.bets import Bet
    from provably_fair.bets.returns import RulePays, Subject

    asked = asked_of(game, options)
    pays = getattr(game, "pays", None)
    rule = signature_of(pays).parameters if callable(pays) else {}
    if not any(one.kind is one.VAR_KEYWORD for one in rule.values()):
        names = [name for name in questions_of(type(game)) if name != "payout"]
        more = [name for name in [*rule][1:] if name not in ("payout", *names)]
        check_names(game, asked, [*names, *more], ["payout", "law"])
        ruled = asked.keys() | ({"payout"} if payout is not None else set()) <= rule.keys()
        if not ruled and (own := [name for name in asked if name in more]):
            other = next((name for name in asked if name not in rule), "payout")
            raise BadType(own[0], f"isn't supported with {other}: ask one of them")
    else:
        ruled = True
    # ``of=None`` asks for the outcome itself, where the method doesn't have it as its default.
    of_outcome = "of" in options and "of" not in signature_of(type(game).bet).parameters
    if rule and ruled and not of_outcome and "of" not in asked:
        rules = RulePays(game, Subject(asked if payout is None else asked | {"payout": payout}))
        payout, asked, view = None, {"of": rules}, View(rules, pays=True)
    else:
        payout, asked, view = _paid_view(game, payout, asked)
    of = asked.get("of")
    if law is None:
        _check_lawless(payout)
        wins = 1 if callable(of) and not view.pays else view.wins
        return Bet.without_law(game, payout, subject=asked, wins=wins, note=game.kind.note())
    payout, asked, view, values, which = _bet_on(game, law, payout, asked, view)
    # Values of 0 and 1 say whether a bet wins; they aren't payouts.
    is_flag = not view.pays and callable(of) and set(values.outcomes.tolist()) <= {0, 1}
    wins = 1 if is_flag else view.wins
    paid = view.pays or (callable(of) and not is_flag and not isinstance(of, Hits))
    made = Bet.on_values(game, values, payout, subject=asked, wins=wins, pays=paid)
    error = 0.0 if which == "as_drawn" else _law_error(game, made, view.of)
    return replace(made, law_kind=which, law_error=error, note=game.kind.note())


def _paid_view(game: AnyGame, payout: Any, asked: dict[str, Any]) -> tuple[Any, dict[str, Any], View]:
    """Return the payout, the questions and the view of a bet; refuse one for which nothing is paid."""
    from provably_fair.bets.returns import is_number, never_wins, payout_missing

    kind: Kind = game.kind
    payout, asked = kind.bet_on(unbox(payout), asked)
    view, needs = kind.view(**asked), kind.needs
    payout = view.payout if payout is None else payout
    if callable(asked.get("of")):
        return payout, asked, view
    if payout is None and not view.pays:
        if needs in ("", "payout"):
            raise payout_missing(view.wins)
        raise BadType(
            "payout", f"must be given unless {needs} is: the return of a bet of 1, the stake included"
        )
    if asked.get("of") is None and is_number(payout) and view.wins is None:
        cure = "" if needs in ("", "payout") else f". Give {needs}"
        raise never_wins(payout, f"{cure}={payout}" if needs == "cash_out" else cure)
    return payout, asked, view


def _check_lawless(payout: Any) -> None:
    """Refuse payouts in the order of values, which only a law lists."""
    from provably_fair.bets.returns import is_number

    if payout is None or is_number(payout) or callable(payout) or isinstance(payout, Mapping):
        return
    problem = "must be a function, a table by outcome or a number with law=None, as no law lists outcomes"
    raise BadType("payout", f"{problem} in order, got {type(payout).__name__}")


_Law = tuple["Distribution", Literal["ideal", "as_drawn"]]


def _bet_on(
    game: AnyGame, law: str, payout: Any, asked: dict[str, Any], view: View
) -> tuple[Any, dict[str, Any], View, Distribution, Literal["ideal", "as_drawn"]]:
    """Return a bet's payout, questions and view, its law and which that is.

    The law of what a function pays may be found where that of all outcomes can't be listed, and is tried
    first where they seem to be too many.
    """
    from provably_fair.bets.returns import PaidBy

    ways = [(payout, asked, view)]
    if view.of is None and game.kind.each is None and _takes_outcomes(payout, game):
        paid = PaidBy(payout)
        ways.append((None, {"of": paid}, View(paid, pays=True)))
        if game.shape and (combinations_of(game) or math.inf) > MAX_TUPLES:
            ways.reverse()
    refused: BadValue | None = None
    for way in ways:
        try:
            return *way, *bet_law(game, law, way[1])
        except BadValue as error:
            of_outcomes = way[0] is payout
            if of_outcomes and not isinstance(error, UnlistedLawError):
                raise
            refused = error if of_outcomes or refused is None else refused
    assert refused is not None
    cure = "A bet with law=None needs no law, and is simulated, as by its estimate(rounds)"
    raise UnlistedLawError(f"{refused}. {cure}") from None


def _takes_outcomes(payout: Any, game: AnyGame) -> bool:
    """Return whether a payout is a function of arrays of outcomes of a game in Python."""
    rounds = rounds_of(game)
    if not callable(payout) or rounds.engine is not None:
        return False
    from provably_fair.distribution.payouts import at_once

    count = _TRIED if rounds.vectorized else 1
    outcomes = [rounds.rule(RandomDraws(count, seed)) for seed in range(_TRIED // count)]
    return len(at_once(payout, np.concatenate(outcomes))) > 0


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


def bet_law(game: AnyGame, law: str, asked: Mapping[str, Any]) -> _Law:
    """Return the law of a bet, and which it is; "best" is ideal only where the difference is negligible."""
    if law != "best":
        return game.distribution(law, **asked), "as_drawn" if as_drawn(law) else "ideal"
    try:
        return game.distribution("as_drawn", **asked), "as_drawn"
    except UnlistedLawError as error:
        near = engine_scheme(game.scheme).distance_bound(1) < 2.0**-_NEARLY_UNIFORM
        if not near or isinstance(error, FarLawError):
            raise
        return game.distribution("ideal", **asked), "ideal"


def _law_error(game: AnyGame, bet: Bet, of: Of | None) -> float:
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


def _variation(game: AnyGame, bet: Bet, of: Of | None, spread: float) -> float:
    """Return a bound on the variation of what a bet pays along any number that is drawn; NaN if unknown."""
    sampler: Any = bet.sampler
    # Values that can't occur, which a view may list, aren't between others.
    likely = [place for place, weight in enumerate(sampler.values.weights) if weight]
    parts = [sampler.table[place] for place in likely]
    steps = [after - before for before, after in pairwise(parts)]
    # Values that rise or fall with the number.
    along: float = sum(map(abs, steps)) / bet.unit
    if min(steps, default=0) >= 0 or max(steps, default=0) <= 0:
        along = spread
    paid = np.array(sampler.table, np.float64) / bet.unit
    if is_bisected(game):
        if of is None or rises_with(game, of):
            return along
        return varied_by_one(law_of(game, False, None), of, sampler.values, paid)
    program = rounds_of(game).program
    if program is not None and parts_rise(program):
        laws = [law_of(game, False, OfPart(place)) for place in range(program.shape[0])]
        return varied_by_part(laws, of, sampler.values, paid, along)
    return math.nan
