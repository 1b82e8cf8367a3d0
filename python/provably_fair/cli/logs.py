"""The commands that verify logs of rounds and of hashed dice."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from provably_fair import operators
from provably_fair._core.errors import BadValue, within
from provably_fair._core.printable import plain
from provably_fair.verification import VerificationReport, verify as verify_log

from .frame import MISMATCH, VERIFIED
from .log_command import LogArguments, log_command
from .shared import JsonOption, print_json, show


@log_command
def verify(arguments: LogArguments) -> VerificationReport:
    """Recompute every row of a log, and show what differs.

    The exit code is the verdict.

    The fields are server_seed, client_seed, salt and outcome. If the log has them, the game's parameters
    (mines, spins, pins, balls, tickets), commitment and salt_commitment are read, too. Multi-player games
    only need the salt. Other schemes have other fields instead of the salt: nonce, game_hash, ...

    Other games and their fields: video-poker (server_seed, client_seed, nonce, hold, commitment; the
    outcome is all ten cards, the final five or the pay), blackjack (actions instead of hold; the outcome
    is the first cards of the shoe or the net win), hashed-dice (digits, hash), combined-dice (first,
    second, outcome).

    Examples: provably-fair verify rounds.parquet --game dice;
    provably-fair verify logs/ --game mines:mines=5 --column salt=round_salt --json;
    zcat rounds.csv.gz | provably-fair verify - --game dice;
    provably-fair verify "SELECT * FROM bets" --db postgresql://me@localhost/casino --game dice
    """
    return verify_log(arguments.log, arguments.game, **arguments.options)


def dice_log(
    path: Annotated[Path, typer.Argument(help="A game log with records DH[...]MI[...]DS[...].")],
    as_json: JsonOption = False,
) -> None:
    """Check hashed dice in a game log, and repair records."""
    with within(f"{plain(str(path))}: "):
        checks = [record.check() for record in operators.fpclub.load_log(path)]
    if not checks:
        raise BadValue("path", sentence=f"{plain(str(path))}: no records")
    if as_json:
        print_json(
            [
                {
                    "ok": check.ok,
                    "algorithm": check.algorithm,
                    "published": check.expected,
                    "computed": check.computed,
                    "dice": len(check.digits),
                    "repair": None if check.repair is None else str(check.repair),
                }
                for check in checks
            ]
        )
    else:
        for number, check in enumerate(checks):
            show(f"record {number}", "" if check.ok else "bold red")
            show(f"{check}\n")
    raise typer.Exit(VERIFIED if all(check.ok for check in checks) else MISMATCH)
