"""The command that audits logs."""

from __future__ import annotations

from typing import Annotated

import typer

from provably_fair import auditing

from .log_command import LogArguments, log_command
from .shared import claim_of


@log_command
def audit(
    arguments: LogArguments,
    bet: Annotated[
        str | None,
        typer.Option(
            metavar="NAME=VALUE,...",
            help="The claimed payouts: under=50,payout=1.98 for dice, cash_out=2 for crash, "
            "payout=5.6,2.1,1.1,1,0.5,1,1.1,2.1,5.6 of plinko, payout=0:14 of double, "
            "payout=0,1,5,25,hits=1,2,3 of stake.keno; or columns, if each row's bet is in the log's columns "
            "(cash_out, under, over, sectors, hits, risk, odds, ...).",
        ),
    ] = None,
    terminating: Annotated[
        str | None, typer.Option(metavar="HASH", help="The published terminating hash of a chain.")
    ] = None,
    level: Annotated[float, typer.Option(help="The largest probability of evidence in a fair log.")] = 0.01,
    seed: Annotated[
        int, typer.Option(help="The seed for resampling: use one that nobody could know beforehand.")
    ] = 0,
) -> auditing.AuditReport:
    """Verify a log, and look for fraud that no single row shows.

    The exit code is the verdict.

    Besides the fields of `verify`, these are read if the log has them: stake (or amount, wager, bet), payout
    (or payout amount, win amount; the stake included), player (or user), time, commitment_time (when the
    commitment was published) and reveal_time (or revealed_at, when the server seed was revealed).

    With --bet, stakes and payouts are required: --constant stake=1 says that all stakes are 1, and
    --constant payout= that there are no payouts.

    With proof or evidence the exit code is 1; notes alone leave it 0. If not everything was read, or there
    was no room to compare all rows, it is 2: there is no verdict.

    Examples: provably-fair audit rounds.csv --game stake.dice --bet under=50,payout=1.98;
    provably-fair audit games/ --game stake.crash --terminating HASH --html audit.html
    """
    return auditing.audit(
        arguments.log,
        arguments.game,
        bet=claim_of(arguments.game, bet),
        terminating=terminating,
        level=level,
        seed=seed,
        **arguments.options,
    )
