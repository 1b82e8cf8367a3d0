"""The commands that show hands of card games, card by card."""

from __future__ import annotations

from typing import Annotated

import typer

from provably_fair import cards
from provably_fair.operators.crypto_games import Blackjack, VideoPoker
from provably_fair.walkthrough import Walkthrough

from .frame import MISMATCH
from .shared import JsonOption, answer

_Server = Annotated[str, typer.Option("--server-seed", "-s", help="The server seed.")]
_Client = Annotated[str, typer.Option("--client-seed", "-c", help="The client seed.")]
_Nonce = Annotated[str, typer.Option(help="The text after the client seed.")]
_Commitment = Annotated[str | None, typer.Option(help="The published SHA-256 of the server seed.")]


def video_poker(
    server_seed: _Server,
    client_seed: _Client,
    nonce: _Nonce = "",
    hold: Annotated[
        str | None,
        typer.Option(help="The cards to hold, K♠ K♦, 1,4 or 10010; the best hold by default."),
    ] = None,
    paytable: Annotated[str, typer.Option(help="The paytable's name.")] = "jacks_or_better",
    commitment: _Commitment = None,
    as_json: JsonOption = False,
) -> None:
    """Show how a hand of Crypto.Games' video poker came about.

    Of another operator's: provably-fair explain stake.videopoker -s SERVER -c CLIENT --nonce 1

    The exit code is 1 if the commitment differs.
    """
    game = VideoPoker().with_table(cards.VideoPoker(paytable))
    _show_hand(game.explain(server_seed, client_seed, nonce, hold=hold, commitment=commitment), as_json)


def blackjack(
    server_seed: _Server,
    client_seed: _Client,
    nonce: _Nonce = "",
    actions: Annotated[
        str | None,
        typer.Option(help="The player's actions, split,double,stand or PDS; without them the shoe is shown."),
    ] = None,
    commitment: _Commitment = None,
    as_json: JsonOption = False,
) -> None:
    """Show how a hand of Crypto.Games' blackjack came about.

    Of another operator's: provably-fair explain stake.blackjack -s SERVER -c CLIENT --nonce 1

    The exit code is 1 if the commitment differs.
    """
    game = Blackjack()
    _show_hand(game.explain(server_seed, client_seed, nonce, actions=actions, commitment=commitment), as_json)


def _show_hand(shown: Walkthrough, as_json: bool) -> None:
    answer(shown.to_dict(), str(shown), as_json)
    if shown.committed is False:
        raise typer.Exit(MISMATCH)
