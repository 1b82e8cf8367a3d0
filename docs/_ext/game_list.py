"""Generates the page of all games: parameters, questions, bets, and published rounds reproduced."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from provably_fair.games.naming import typed_name
from provably_fair.names import GameEntry, list_games, parse_subject
from record import listed, plain, series
from rooms import FOLDER, TITLES, underline, with_pages, write

if TYPE_CHECKING:
    from sphinx.application import Sphinx

HEADER = ["game", "parameters", "may be asked", "a bet needs", "rounds"]
WIDTHS = "24 28 22 14 12"
ABOUT = """\
All games, by the names that commands and `verify` take; ``provably-fair games`` prints the same, and
``provably-fair games stake.plinko`` all that is known of one game.

A field in brackets may be left out. A parameter is shown with its default and its limits. Besides what the
table names, every game may be asked for the law of a function of its outcomes, ``of=``. A bet needs a payout,
or a table where cards are played, if it isn't known what the game pays; otherwise its paytable is known. The
rounds are those of the :doc:`record <../../explanation/record>` that the game reproduces.
"""


def recorded() -> Counter[str]:
    """Return the number of recorded rounds that each game reproduces."""
    kept = json.loads((series.FOLDER / "recomputed.json").read_text("utf-8"))["series"]
    rounds: Counter[str] = Counter()
    for one in series.every(series.FOLDER):
        game = typed_name(type(next(iter(one.games.values())))())
        rounds[game] += kept[one.name]["right"]
    return rounds


def link(entry: GameEntry) -> str:
    """Return the name of the game, linked to its page."""
    name = type(parse_subject(entry.name)).__name__
    paths = (f"provably_fair.operators.{entry.operator}.{name}", f"provably_fair.{name}")
    page = next(path for path in paths if path in with_pages())
    return f":py:obj:`{entry.name} <{page}>`"


def fields(entry: GameEntry) -> str:
    """Return the heading above an operator's games with the same fields."""
    return plain(", ".join(f"[{name}]" if name in entry.optional else name for name in entry.fields))


def cells(entry: GameEntry, rounds: int) -> Iterator[str]:
    """Yield the cells of a game's row."""
    yield link(entry)
    yield plain("; ".join(f"{name} = {text}" for name, text in entry.parameters.items()))
    yield plain(", ".join(name for name in entry.questions if name != "of"))
    yield plain({"": "nothing", "table": "a table"}.get(entry.bet, entry.bet))
    yield f"{rounds:,}" if rounds else ""


def page() -> str:
    """Return the page."""
    rounds = recorded()
    lines = [underline("All games"), ABOUT]
    for operator, entries in groupby(list_games(), lambda entry: entry.operator):
        title = TITLES.get(f"operators.{operator}", operator.capitalize()).removeprefix("Operators: ")
        lines.append(underline(title, "-"))
        alike: dict[str, list[GameEntry]] = {}
        for entry in entries:
            alike.setdefault(fields(entry), []).append(entry)
        for named, group in alike.items():
            rows = [HEADER, *([*cells(entry, rounds[entry.name])] for entry in group)]
            lines += [f"Fields: {named}\n", listed(rows, WIDTHS)]
    return "\n".join(lines)


def generate(app: Sphinx) -> None:
    """Write the page."""
    write(Path(app.srcdir) / "reference" / FOLDER / "game_list.rst", page())


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("builder-inited", generate)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
