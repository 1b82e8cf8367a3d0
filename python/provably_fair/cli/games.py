"""The command that lists games, their parameters, questions and bets."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from provably_fair._core.printable import counted, plain
from provably_fair._core.table import text_table
from provably_fair.names import GameEntry, entry_of, list_games
from provably_fair.operators.registry import LISTED
from provably_fair.operators.salted import GAMES

from .shared import JsonOption, chosen_game, print_json, show

_HEADS = ("game", "parameters", "asked", "a bet needs", "rounds")


def _names_like(incomplete: str) -> list[str]:
    return [name for name in LISTED if name.startswith(incomplete)]


def games(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="OPERATOR",
            autocompletion=_names_like,
            help="Only the games of this operator: stake; or one game, with all that is known of it: "
            "stake.plinko, module:Keno",
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the games, with their parameters and questions.

    "a bet needs" is what a bet must say: a payout if it isn't known what the game pays; nothing, or what is
    named, if the payout follows from the rule or from the operator's tables. "rounds" are the published
    rounds that come with the package, and that the game reproduces. Logs may be of hashed-dice and
    combined-dice as well, which are no games; see `verify`.

    Examples: provably-fair games; provably-fair games stake; provably-fair games stake.plinko
    """
    # crash is both a game and an operator's module
    operator = None if name is None else name.strip().lower()
    if name is not None and (operator not in LISTED or operator in GAMES):
        entry = entry_of(chosen_game(name, None, None))
        print_json(asdict(entry)) if as_json else show(_sheet(entry))
        return
    entries = list_games(operator)
    if as_json:
        print_json([asdict(entry) for entry in entries])
        return
    blocks: dict[str, list[tuple[str, ...]]] = {}
    for entry in entries:
        blocks.setdefault(f"{entry.operator}, with the fields {_fields(entry)}", []).append(_row(entry))
    for title, rows in blocks.items():
        show(f"{title}\n{text_table(_HEADS, rows, 'llllr')}\n")
    show(f"{counted(len(entries), 'game')}; [fields] in brackets may be left out")


def _fields(entry: GameEntry) -> str:
    return ", ".join(f"[{name}]" if name in entry.optional else name for name in entry.fields)


def _row(entry: GameEntry) -> tuple[str, ...]:
    parameters = ", ".join(f"{name}={value.partition(',')[0]}" for name, value in entry.parameters.items())
    asked = ", ".join(name for name in entry.questions if name != "of")
    published = f"{entry.published:,}" if entry.published else ""
    return entry.name, parameters, asked, _needs(entry), published


def _needs(entry: GameEntry) -> str:
    """Return the requirements of a bet, in words."""
    return {"": "nothing", "table": "a table"}.get(entry.bet, entry.bet)


def _sheet(entry: GameEntry) -> str:
    """Return all facts about a game, one per line."""
    rows = [("fields", _fields(entry))]
    rows += [(f"parameter {name}", value) for name, value in entry.parameters.items()]
    rows += [(f"asked: {name}", text) for name, text in entry.questions.items()]
    paid = "known" if entry.paytable else "not known"
    rows += [("a bet needs", _needs(entry)), ("paytable", paid), ("rounds", f"{entry.published:,}")]
    width = max(len(name) for name, _ in rows)
    lines = (f"{name:{width}}  {plain(text, None)}" for name, text in rows)
    return "\n".join([f"{entry.name}: {plain(entry.about)}", *lines]).replace("``", "").replace('\\"', '"')
