"""Assertions for studios: a return is as specified, and two games are the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from .rounds import chosen_game, without_frames

if TYPE_CHECKING:
    from provably_fair import Distribution, Game
    from provably_fair.bets import Bet

__all__ = ["assert_rtp", "assert_same_game"]

_LEAST_SHOWN = 1e-6
"""The least difference that is shown with six decimals."""
_SHOWN = 5
"""Limit on the listed lines of a message."""


@without_frames
def assert_rtp(
    bet: Bet | Distribution,
    rtp: object,
    *,
    within: object = 0,
    stakes: Sequence[object] | None = None,
    unit: object = "0.01",
    rounding: str = "down",
) -> float:
    """Fail unless a bet has the given return, also with payouts rounded at some stakes.

    Returns are compared exactly, as fractions. Text and decimals are taken as they are written.

    Parameters
    ----------
    bet : Bet or Distribution
        The bet, or the law of what a bet of 1 returns, such as that of a table.
    rtp : number or str
        The return to player: ``"0.96"``.
    within : number or str
        The largest difference; 0 by default.
    stakes : sequence of numbers or str, optional
        The stakes at which the bet is paid in whole units. Without them, the return is that of the bet
        itself, without rounding.
    unit, rounding
        See `provably_fair.bets.Bet.rounded`.

    Returns
    -------
    float
        The largest difference that there is.

    Raises
    ------
    AssertionError
        With each stake whose return differs, and what the payouts add to the return.

    Examples
    --------
    >>> import provably_fair as pf
    >>> from pytest_provably_fair import assert_rtp
    >>> wheel = pf.Double().bet({0: 14.4}, law="ideal")
    >>> assert_rtp(wheel, "0.96")
    0.0
    >>> assert_rtp(wheel, "0.96", within="0.0005", stakes=["0.05", "1"], unit="0.01")
    0.0
    """
    from provably_fair._core.errors import BadValue
    from provably_fair._core.numbers import exact_number
    from provably_fair.bets import Bet
    from provably_fair.bets.observed import known_law
    from provably_fair.distribution.moments import mean_of

    asked, most = exact_number(rtp, "rtp"), exact_number(within, "within")
    if most < 0:
        raise BadValue("within", f"must be at least 0, got {within}")
    law = known_law(bet.law if isinstance(bet, Bet) else bet, "assert_rtp")
    returns: dict[str, Fraction] = {}
    if stakes is None:
        returns["the bet"] = mean_of(law)
    else:
        table = Bet(law).rtp_by_stake(stakes, unit, rounding)
        exact = zip(table.exact_rtp, table.rtp.tolist(), strict=True)
        each = [Fraction(double) if known is None else known for known, double in exact]
        returns = {f"stake {stake}": one for stake, one in zip(table.stake, each, strict=True)}
    wrong = {name: one for name, one in returns.items() if abs(one - asked) > most}
    if wrong:
        margin = f" within {within}" if most else ""
        of = "" if stakes is None else f" at {len(wrong)} of {len(returns)} stakes"
        lines = [f"the return isn't {rtp}{margin}{of}:", *_first(_difference(wrong, asked))]
        if stakes is not None:
            lines += [f"paid in units of {unit}, rounded {rounding}; {_without(mean_of(law), asked)}"]
        if isinstance(bet, Bet) and bet.law_kind == "as_drawn":
            lines += ['that is as numbers are drawn; bet(..., law="ideal") has the law of the rule itself']
        lines += ["what the payouts add to the return without rounding:", *_first(_parts(law))]
        raise AssertionError("\n".join(lines))
    return float(max(abs(one - asked) for one in returns.values()))


def _first(lines: Iterator[str]) -> list[str]:
    """Return the first lines, indented, and the number of others."""
    every = list(lines)
    more = [f"  and {len(every) - _SHOWN} more"] if len(every) > _SHOWN else []
    return [f"  {line}" for line in every[:_SHOWN]] + more


def _difference(returns: dict[str, Fraction], asked: Fraction) -> Iterator[str]:
    for name, one in returns.items():
        side = "above" if one > asked else "below"
        off = float(abs(one - asked))
        yield f"{name}: return {float(one):.6f}, {off:{'.6f' if off >= _LEAST_SHOWN else '.1e'}} {side}"


def _without(mean: Fraction, asked: Fraction) -> str:
    side = "as asked for" if mean == asked else f"{float(mean - asked):+.6f}"
    return f"without rounding the return is {float(mean):.6f} ({side})"


def _parts(law: Distribution) -> Iterator[str]:
    """Yield each payout's share of a law's mean, largest first."""
    from provably_fair._core.numbers import exactly

    parts = [
        (exactly(x) * weight, x, weight) for x, weight in zip(law.outcomes.tolist(), law.weights, strict=True)
    ]
    for part, payout, weight in sorted(parts, key=lambda one: -abs(one[0])):
        if part:
            yield f"{payout} with probability {weight / law.total:.6g}: {float(part / law.total):.6f}"


# ---- two games ----


@without_frames
def assert_same_game(
    mine: Game | str, reference: Game | str, *, rounds: int = 10_000, seed: int | str = 0
) -> int:
    """Fail unless two games are the same: their laws, and their outcomes for the same seeds.

    The exact laws of their outcomes are compared where they can be listed. Then both play the rounds that
    separate the reference from its other readings and from `mine`, and random rounds. Games whose schemes
    have other fields play no round alike: of these the laws alone are compared.

    Parameters
    ----------
    mine, reference : Game or str
        The games; text as on the command line: ``"mines:mines=5"``, ``"mygames:Keno"``.
    rounds : int
        The number of random rounds.
    seed : int or str
        The series of these rounds: the same seed gives the same rounds.

    Returns
    -------
    int
        The number of rounds that were compared, the separating ones among them; 0 for laws alone.

    Raises
    ------
    AssertionError
        With the outcomes whose probabilities differ, or the first round that differs, step by step.

    Examples
    --------
    >>> import provably_fair as pf
    >>> from pytest_provably_fair import assert_same_game
    >>> class MyDice(pf.Game):
    ...     scheme = pf.operators.stake.Dice.scheme
    ...
    ...     def outcome(self, draws):
    ...         return draws.below(10_001) / 100
    >>> assert_same_game(MyDice(), "stake.dice", rounds=1000)
    1020
    """
    from provably_fair import difference, separating_rounds
    from provably_fair._core.errors import BadValue
    from provably_fair.games.naming import typed_name
    from provably_fair.readings import Reading, readings

    one, other = chosen_game(mine, "mine"), chosen_game(reference, "reference")
    names = f"{typed_name(one)} isn't {typed_name(other)}"
    if one.shape != other.shape:
        shapes = f"its outcomes have the shape {one.shape}, not {other.shape}"
        raise AssertionError(f"{names}: {shapes}")
    laws = _law(one), _law(other)
    if laws[0] is not None and laws[1] is not None and laws[0] != laws[1]:
        lines = [f"{names}: their exact laws differ", *_first(_apart(*laws))]
        raise AssertionError("\n".join(lines))
    if one.scheme.fields != other.scheme.fields:
        if None in laws:
            fields = (
                f"must have the fields of reference's scheme, {other.scheme.fields}, got {one.scheme.fields}"
            )
            raise BadValue("mine", f"{fields}: the law can't be listed, and no round can be played by both")
        return 0
    mistaken = Reading("as mine", one)
    separating = separating_rounds(other, [*readings(other), mistaken])
    number = len(separating.readings) - 1
    for round_ in separating.rounds:
        if number in round_["excludes"]:
            raise AssertionError(f"{names}: {_comparison(one, other, round_)}")
    apart = difference(one, other, rounds=rounds, seed=seed)
    if apart.share:
        walk = "".join(f"\n\n{other.explain(**seeds)}" for seeds, *_ in apart.examples[:1])
        raise AssertionError(f"{names}: {apart}{walk}")
    return len(separating.rounds) + rounds


def _law(game: Any) -> Any:
    """Return the exact law of a game's outcome; None if it can't be listed in reasonable time."""
    from provably_fair.games.laws import knows_law

    try:
        return game.distribution() if knows_law(game, 10**7) else None
    except (TypeError, ValueError):  # the game needs a subject, or has too many outcomes
        return None


def _apart(one: Distribution, other: Distribution) -> Iterator[str]:
    """Yield the outcomes whose probabilities differ."""
    mine, right = dict(one), dict(other)
    for outcome in {**right, **mine}:
        here, there = mine.get(outcome, Fraction(0)), right.get(outcome, Fraction(0))
        if here != there:
            yield f"{outcome}: probability {float(here):.6g}, not {float(there):.6g}"


def _comparison(mine: Any, reference: Any, one: dict[str, Any]) -> str:
    """Return a sentence that compares two games on a separating round."""
    if "fields" not in one:
        return f"of the digests {', '.join(one['digests'])} the outcome must be {one['outcome']}"
    fields = ", ".join(f"{name}={value!r}" for name, value in one["fields"].items())
    try:
        got = f"it gives {mine.play(**one['fields'])}"
    except Exception as error:
        got = f"it raises {error!r}"
    return f"of {fields} {got}, not {one['outcome']}\n\n{reference.explain(**one['fields'])}"
