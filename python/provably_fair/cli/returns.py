"""The commands about returns: exact ones, and tests of claimed ones, once or continuously."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from provably_fair._core.arguments import probability
from provably_fair._core.errors import BadType, BadValue, placed
from provably_fair._core.numbers import exact_number
from provably_fair._core.printable import counted, plain
from provably_fair.bets import PValue, ReturnInterval
from provably_fair.bets.observed import Observed, known_law
from provably_fair.bets.returns import law_of_round
from provably_fair.distribution.moments import has_exact_mean
from provably_fair.games import Game
from provably_fair.games.naming import typed_name
from provably_fair.monitoring import DuplicateBatch, load_rules
from provably_fair.sources import LogError
from provably_fair.verification.amounts import AmountColumns, read_paid
from provably_fair.verification.systems import GAME, rows_of_games

from .frame import MISMATCH, VERIFIED
from .log_command import READING, given_options, log_of, takes_options
from .shared import (
    GameArgument,
    JsonOption,
    ParameterOption,
    ProgressOption,
    answer,
    check_outputs,
    chosen_bet,
    chosen_game,
    hand_over,
    import_from_here,
    print_json,
    show,
    wants_progress,
)

BetOption = Annotated[
    str, typer.Option(metavar="NAME=VALUE,...", help="The claimed payouts: --bet under=50,payout=1.98")
]
UnitOption = Annotated[str, typer.Option(help="The smallest amount that is paid: --unit 0.01")]
RoundingOption = Annotated[
    str, typer.Option(help="How payouts are rounded to it: --rounding down, up, half_up, half_even")
]
LevelOption = Annotated[
    float, typer.Option(help="The claim is rejected if the p-value is at most this: --level 0.001")
]


@takes_options("log", *READING)
def rtp(
    given: dict[str, Any],
    game: Annotated[
        str, typer.Option("--game", "-g", metavar="GAME", help="The game: --game dice, -g mines:mines=5")
    ],
    bet: BetOption,
    param: ParameterOption = None,
    total: Annotated[
        float | None, typer.Option(help="Instead of a log, the total payout: --total 97020")
    ] = None,
    rounds: Annotated[
        int | None, typer.Option(help="The number of rounds of the total: --rounds 100000")
    ] = None,
    stake: Annotated[str, typer.Option(help="The stake of each of these rounds: --stake 0.5")] = "1",
    unit: UnitOption = "",
    rounding: RoundingOption = "down",
    confidence: Annotated[
        float, typer.Option(help="The confidence of the interval: --confidence 0.99")
    ] = 0.95,
    level: LevelOption = 0.01,
    within: Annotated[
        float, typer.Option(help="The largest rounding error of amounts: --within 0.005")
    ] = 0.0,
    progress: ProgressOption = None,
    as_json: JsonOption = False,
) -> None:
    """Test a claimed return, from a log or from totals.

    A log has the fields payout (the stake included) and stake (or amount, wager, bet). Without any, stakes
    are 1; if another column may be the stake, --column stake=NAME or --constant stake=1 must say what it is.
    With --game-column, the rows of the other games are left out, as are bets that a field status calls void
    or refunded, with the stake as their payout. No round is played, so options about seeds
    and rounds have no effect. The exit code is 1 if the claim is rejected, or if a payout is impossible for
    the bet.

    Examples: provably-fair rtp bets.csv --game dice --bet under=50,payout=1.98;
    provably-fair rtp --total 97020 --rounds 100000 --game dice --bet under=50,payout=1.98
    """
    log = given["log"] or given["config"]
    if (log is None) == (total is None and rounds is None):
        raise BadType("log", sentence="one of LOG and --total with --rounds must be given")
    if log is not None and unit:
        raise BadValue("unit", "isn't supported with a log, but with --total and --rounds")
    level = probability("level", level)
    played = chosen_game(game, param, None)
    claimed = chosen_bet(played, bet)
    if unit:
        claimed = claimed.rounded(unit, stake, rounding)
    options: dict[str, Any] = {
        "confidence": confidence,
        "within": within,
        "progress": wants_progress(progress),
    }
    rows: dict[str, int] = {}  # what is told of a log's
    if log is not None:
        parts = [
            (part.returns, part.stakes, part.refunds, _are_of_game(played, part))
            for part in read_paid(log_of(given), **given_options(given))
        ]
        none = (*(np.empty(0),) * 2, *(np.empty(0, bool),) * 2)
        returns, stakes, refunds, own = map(np.concatenate, zip(none, *parts, strict=True))
        refunds &= own
        all_stakes_1, unstaked = bool((stakes[own] == 1).all()), int((own & (stakes == 0)).sum())
        stakes[refunds | ~own] = 0  # what isn't staked is left out
        if not stakes.any():
            name = plain(str(log if given["log"] is None else log[0]))
            of = " whose stake wasn't returned" if refunds.any() else " with a stake" if own.any() else ""
            rows_of = f"no rows of {typed_name(played)}{of}"
            raise BadValue("log", sentence=f"{name}: {rows_of}, so nothing was tested")
        pvalue = claimed.test(returns, stakes=stakes, within=within)
        intervals = [
            claimed.interval(returns, **options, stakes=stakes, valid=valid)
            for valid in ("tilted law", "any law")
        ]
        law = law_of_round(claimed, "a test")
        wrong = Observed(law, returns, stakes, within).impossible
        with_stakes = Observed(law, returns[wrong] + stakes[wrong], stakes[wrong], within)
        rows = {
            "rows": int(own.sum()),
            "impossible_rows": len(wrong),
            "unstaked_rows": unstaked,
            "annulled_rows": int(refunds.sum()),  # whose stakes were returned, as the status says
            "all_stakes_1": all_stakes_1,
            "other_rows": int((~own).sum()),  # of other games
            "possible_with_stakes": len(with_stakes) > 0 and not len(with_stakes.impossible),
        }
    else:
        each = exact_number(stake, "stake")
        if not 0 <= each <= 10**300:
            raise BadValue("stake", f"must be from 0 to 1e300, got {stake!r:.60}")
        staked = float(each)
        if total == 0 and (rounds == 0 or staked == 0):
            raise BadValue("rounds", sentence="no rounds with a stake, so nothing was tested")
        pvalue = claimed.test(total=total, rounds=rounds, stakes=staked, within=within)
        intervals = [claimed.interval(total=total, rounds=rounds, **options, stakes=staked)]
    rejected = bool(pvalue <= level)
    if as_json:
        print_json(_facts(pvalue, intervals, rejected, level) | rows)
    else:
        for line in _lines(pvalue, intervals, rows):
            show(line)
        verdict = f"the claimed return is {'REJECTED' if rejected else 'not rejected'} at level {level:g}"
        show(verdict, "bold red" if rejected else "")
    raise typer.Exit(MISMATCH if rejected else VERIFIED)


def returns(
    game: GameArgument,
    bet: BetOption,
    unit: UnitOption,
    stake: Annotated[str, typer.Option(help="The stake of the bet: --stake 0.5")] = "1",
    rounding: RoundingOption = "down",
    param: ParameterOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the exact return of a bet whose payouts are rounded.

    Example: provably-fair returns dice --bet under=50,payout=1.98 --stake 0.01 --unit 0.01
    """
    claimed = chosen_bet(chosen_game(game, param, None), bet)
    paid = claimed.rounded(unit, stake, rounding)
    exact = paid.exact_rtp if has_exact_mean(known_law(paid.law, "rounding")) else None
    content = {"claimed": claimed.rtp, "stake": stake, "unit": unit, "rounding": rounding, "rtp": paid.rtp}
    text = f"at a stake of {stake}, paid in units of {unit}, rounded {rounding}: return {paid.rtp:.6f}"
    exactly = None if exact is None else str(exact)
    answer(content | {"exact_rtp": exactly}, f"claimed return {claimed.rtp:.6f}\n{text}", as_json)


def rounds_needed(
    game: GameArgument,
    bet: BetOption,
    alternative: Annotated[
        str,
        typer.Option(
            "--against", metavar="NAME=VALUE,...", help="The bet to detect: --against under=49,payout=1.98"
        ),
    ],
    power: Annotated[
        float, typer.Option(help="The probability with which the test must detect it: --power 0.8")
    ] = 0.9,
    level: LevelOption = 0.01,
    param: ParameterOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print how many bets it takes to detect another bet.

    Example: provably-fair rounds-needed dice --bet under=50,payout=1.98 --against under=49,payout=1.98
    """
    played = chosen_game(game, param, None)
    claimed, true = chosen_bet(played, bet), chosen_bet(played, alternative, "alternative")
    needed = claimed.rounds_needed(true, level=level, power=power)
    monitor = claimed.rounds_until_alarm(true, level=level)
    content = {"claimed": claimed.rtp, "true": true.rtp, "level": level, "power": power, "rounds": needed}
    until = {name: _finite(value) for name, value in asdict(monitor).items()}
    text = (
        f"claimed return {claimed.rtp:.6f}, true return {true.rtp:.6f}\n"
        f"the test at level {level:g} takes {needed:,} bets to reject the claim with a power of {power:g}\n"
        f"a monitor at level {level:g}, looked at after each bet, alarms {monitor}"
    )
    answer(content | {"monitor": until}, text, as_json)


@takes_options(*READING)
def watch(
    given: dict[str, Any],
    rules: Annotated[
        Path,
        typer.Argument(metavar="RULES.toml", help="The rules: the bets to watch, and the file of the state."),
    ],
    log: Annotated[
        list[str] | None, typer.Argument(help="Batches, one per file; without any, show the state.")
    ] = None,
    html: Annotated[Path | None, typer.Option(help="Write the report as one page: --html watch.html")] = None,
    report: Annotated[Path | None, typer.Option(help="Write the report as JSON: --report watch.json")] = None,
    skip_known: Annotated[
        bool,
        typer.Option("--skip-known", help="Skip batches that were added before, instead of refusing them."),
    ] = False,
    name: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="A name for the batch, instead of its file's path, if no time, number, nonce, salt or id "
            "tells its rows apart: --name 2026-01-02",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Watch the returns of games, at one level for all of them.

    The exit code is 1 if there is an alarm.

    A batch that came before is refused. Batches whose rows nothing tells apart are known by their names.

    Without a stake (or amount, wager, bet), stakes are 1; if another column may be the stake, --column
    stake=NAME or --constant stake=1 must say what it is. Payouts that a bet can't make are an alarm. No round
    is played, so options about seeds and rounds have no effect.

    The rules have the claimed bets, by the names in the log's column game. The fields of the log are payout,
    stake, game, time and the columns of by:

    state = "watch.db"; by = ["channel"]; windows = ["all", "1d", "30d"]; level = 0.01; and for each game a
    table such as [bets.Dice] with on = "stake.dice", under = 50, payout = 1.98.

    Examples: provably-fair watch rules.toml day1.csv day2.parquet --html watch.html
    """
    import_from_here()
    watching = load_rules(rules)
    options = given_options(given)
    if name is not None and len(log or []) != 1:
        raise BadValue("name", f"must be for one batch, got {counted(len(log or []), 'file')}")
    check_outputs([rules, watching.state, given["config"], *(log or [])], html=html, report=report)
    skipped: list[DuplicateBatch] = []
    for batch in log or []:
        try:
            watching.update(log_of(given | {"log": [batch]}), name, **options)
        except LogError:  # already names the file
            raise
        except (TypeError, ValueError) as error:
            if not (skip_known and isinstance(error, DuplicateBatch) and not error.differs):
                raise placed(error, f"{plain(batch)}: ") from None
            skipped.append(error)
    if skipped:
        rows = counted(sum(one.rows for one in skipped), "row")
        skips = f"skipped {counted(len(skipped), 'batch', 'batches')} that came before, {rows}"
        print(f"provably-fair: {skips}", file=sys.stderr)
    hand_over(watching.report(), html, report, as_json)


def _are_of_game(game: Game, part: AmountColumns) -> np.ndarray:
    """Return a mask of a game's rows; of all rows without a column of games."""
    if GAME not in part.others:
        return np.ones(len(part.returns), bool)
    texts, codes = part.others[GAME]
    own: np.ndarray = rows_of_games([typed_name(game)], texts, len(texts))[codes]
    return own


def _facts(test: PValue, intervals: list[ReturnInterval], rejected: bool, level: float) -> dict[str, object]:
    return {
        "rounds": test.bets,
        "returned": test.returned,
        "expected": test.expected,
        "pvalue": float(test),
        "method": test.method,
        "impossible": list(test.impossible),
        "intervals": [
            {"low": _finite(i.low), "high": _finite(i.high), "confidence": i.confidence, "method": i.method}
            for i in intervals
        ],
        "level": level,
        "rejected": rejected,
    }


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None


def _lines(test: PValue, intervals: list[ReturnInterval], rows: dict[str, int]) -> list[str]:
    lines = [
        f"{test.bets:,} bets returned {test.returned:,.8g}; the expected total is {test.expected:,.8g}",
        f"p-value {float(test):.4g}, two-sided ({test.method})",
        *map(str, intervals),
    ]
    if not rows:  # of totals
        return lines
    if rows["other_rows"]:
        lines.append(f"{counted(rows['other_rows'], 'more row')} of other games left out")
    if rows["all_stakes_1"]:
        lines.append("all stakes are 1: the log says so, or has none")
    if rows["unstaked_rows"]:
        unstaked = f"{rows['unstaked_rows']:,} of {rows['rows']:,} rows"
        lines.append(f"{unstaked} have a stake of 0 and count as no bets")
    if rows["annulled_rows"]:
        lines.append(f"{counted(rows['annulled_rows'], 'annulled bet')} left out")
    if test.impossible:
        first = ", ".join(map(str, test.impossible))
        of = f"{rows['impossible_rows']:,} of {rows['rows']:,} rows"
        lines.append(f"{of} have a payout that is impossible for the bet, the first of them: {first}")
    if rows["possible_with_stakes"]:
        lines.append(
            "with the stake added they are possible: a payout includes it, does the column leave it out?"
        )
    return lines
