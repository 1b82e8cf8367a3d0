"""Hands of the card games, card by card."""

from __future__ import annotations

from typing import Annotated

import typer

from provably_fair._core.errors import BadValue
from provably_fair.operators.crypto_games import Blackjack, VideoPoker
from provably_fair.seeds import check_commitment
from provably_fair.walkthrough import Walkthrough

from .shared import MISMATCH, JsonOption, print_json, show


def video_poker(
    server_seed: Annotated[str, typer.Option("--server-seed", "-s", help="The server seed.")],
    client_seed: Annotated[str, typer.Option("--client-seed", "-c", help="The client seed.")],
    nonce: Annotated[str, typer.Option(help="The text after the client seed.")] = "",
    hold: Annotated[
        str | None, typer.Option(help="Positions to hold, from 1: 1,4; the best hold by default.")
    ] = None,
    paytable: Annotated[str, typer.Option(help="The paytable's name.")] = "jacks_or_better",
    commitment: Annotated[str | None, typer.Option(help="The published SHA-256 of the server seed.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Show, card by card, how a hand of video poker came about.

    The exit code is 1 if the commitment differs.
    """
    try:
        held = None if hold is None else [int(position) for position in hold.split(",") if position]
    except ValueError:
        raise BadValue("hold", f"must be positions from 1 to 5, such as 1,4, got {hold!r}") from None
    shown = VideoPoker(paytable).explain(server_seed, client_seed, held, nonce=nonce, commitment=commitment)
    _show_hand(shown, as_json, server_seed, commitment)


def blackjack(
    server_seed: Annotated[str, typer.Option("--server-seed", "-s", help="The server seed.")],
    client_seed: Annotated[str, typer.Option("--client-seed", "-c", help="The client seed.")],
    nonce: Annotated[str, typer.Option(help="The text after the client seed.")] = "",
    actions: Annotated[
        str | None,
        typer.Option(help="The player's actions, split,double,stand; without them the shoe is shown."),
    ] = None,
    commitment: Annotated[str | None, typer.Option(help="The published SHA-256 of the server seed.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Show, card by card, how a hand of blackjack came about.

    The exit code is 1 if the commitment differs.
    """
    taken = None if actions is None else actions.replace(",", " ").split()
    shown = Blackjack().explain(server_seed, client_seed, taken, nonce=nonce, commitment=commitment)
    _show_hand(shown, as_json, server_seed, commitment)


def _show_hand(shown: Walkthrough, as_json: bool, server_seed: str, commitment: str | None) -> None:
    if as_json:
        print_json(shown.to_dict())
    else:
        show(str(shown))
    if commitment is not None and not check_commitment(server_seed, commitment):
        raise typer.Exit(MISMATCH)
