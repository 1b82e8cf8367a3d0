"""The command that checks certificates."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from provably_fair import certificates
from provably_fair._core.errors import BadValue
from provably_fair.verification import Log
from provably_fair.verification.systems.chains import CHAIN_STEPS

from .frame import MISMATCH, VERIFIED, GroupedCommand
from .shared import ParameterOption, SchemeOption, ThreadsOption, chosen_game, claim_of, show

certificate: typer.Typer = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Check the certificate of a log that verify or audit wrote.",
)


certificate.callback()(lambda: None)  # keeps it a group


@certificate.command(cls=GroupedCommand)
def check(
    file: Annotated[
        Path, typer.Argument(help="The certificate, as `verify` and `audit --certificate FILE` write it.")
    ],
    log: Annotated[
        list[str], typer.Argument(help="The files of the log, in the order in which they were read.")
    ],
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            "-g",
            metavar="GAME",
            help="The game of the log, if it or its table is your own: module:Keno",
        ),
    ] = None,
    param: ParameterOption = None,
    scheme: SchemeOption = None,
    bet: Annotated[
        str | None,
        typer.Option(
            metavar="NAME=VALUE,...",
            help="The claimed bet, if the audit had one, with --game: --bet under=50,payout=1.98; or columns",
        ),
    ] = None,
    reveal_times: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="The times of reveals, if the audit had them: --reveal-times times.csv"
        ),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(
            metavar="KEY",
            help="The public key that must have signed it, a PEM file or hex: --key public.pem",
        ),
    ] = None,
    chain_steps: Annotated[
        int,
        typer.Option(
            metavar="COUNT",
            help="The most steps from a game's hash along its chain, whatever the certificate says: "
            "--chain-steps 20000000",
        ),
    ] = CHAIN_STEPS,
    threads: ThreadsOption = None,
) -> None:
    """Check a certificate against its log.

    The certificate is made again from the log and compared. The exit code is the verdict.

    0: it holds, and certifies that the log is right. 1: it doesn't hold, or certifies that the log is wrong.

    Example: provably-fair certificate check certificate.json rounds.csv
    """
    if game is None and (param or scheme is not None):
        raise BadValue("param", sentence="--param and --scheme aren't supported without --game")
    chosen = None if game is None else chosen_game(game, param, scheme, subject=True)
    files = log[0] if len(log) == 1 else log
    checked = certificates.check(
        file,
        files if reveal_times is None else Log(files, reveal_times=reveal_times),
        game=chosen,
        bet=claim_of(chosen, bet),
        key=key,
        chain_steps=chain_steps,
        threads=threads,
    )
    text = str(checked).replace("chain_steps= allows", "--chain-steps allows")
    show(text.replace("bet= must say it, and a Log its reveal_times", "--bet and --reveal-times must say so"))
    raise typer.Exit(VERIFIED if checked.ok and checked.verdict else MISMATCH)
