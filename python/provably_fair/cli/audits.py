"""Audits of logs."""

from __future__ import annotations

from typing import Annotated

import typer

from provably_fair import auditing

from .log_command import Told, log_command
from .shared import chosen_bet


@log_command
def audit(
    told: Told,
    bet: Annotated[
        str | None,
        typer.Option(
            metavar="NAME=VALUE,...",
            help="What is said to be paid: under=50,payout=1.98 of dice, cash_out=2 of crash, "
            "payout=5.6,2.1,1.1,1,0.5,1,1.1,2.1,5.6 of plinko, payout=0:14 of double, "
            "payout=0,1,5,25,hits=1,2,3 of stake.keno.",
        ),
    ] = None,
    terminating: Annotated[
        str | None, typer.Option(metavar="HASH", help="The terminating hash that was published of a chain.")
    ] = None,
    level: Annotated[float, typer.Option(help="How often a fair log may be suspected, at most.")] = 0.01,
    seed: Annotated[int, typer.Option(help="For what resamples: one that nobody could know beforehand.")] = 0,
) -> auditing.AuditReport:
    """Recompute every row of a log, and look for what no single row shows; the exit code is the verdict.

    Fields besides those of `verify`, where the log has them: stake, payout (what came back, the stake
    included), player, time, commitment_time (when the commitment was published) and reveal_time (when the
    server seed was revealed).

    Proofs and evidence are exit code 1, notes aren't. Where not all was read, or there was no room to
    compare all rows, the exit code is 2: that is no verdict.

    Examples: provably-fair audit rounds.csv --game stake.dice --bet under=50,payout=1.98;
    provably-fair audit games/ --game stake.crash --terminating HASH --html audit.html
    """
    return auditing.audit(
        told.log,
        told.game,
        bet=chosen_bet(told.game, bet),
        terminating=terminating,
        level=level,
        seed=seed,
        **told.options,
    )
