"""Watches described by TOML files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from provably_fair._core.errors import BadValue, within
from provably_fair._core.toml import toml_of
from provably_fair.bets import Bet
from provably_fair.games.answering import bet_of_table
from provably_fair.names import parse_game

from .watch import Watch

_KEYS = ("by", "windows", "level", "within", "state")


def load_rules(path: str | os.PathLike[str]) -> Watch:
    r"""Return the watch that a TOML file describes.

    Its table ``bets`` has a table for each game, named by the text in the log's column ``game``. In it,
    ``on`` is the game ("stake.dice"), and the rest are arguments of the game's `bet`. The other keys are
    ``by``, ``windows``, ``level``, ``within`` and ``state``, a path relative to the file. A single table
    ``bet`` instead is for all rows.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    Watch
        The watch, which continues from its saved state.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "rules.toml")
    ...     _ = path.write_text('windows = ["all"]\n[bets.Dice]\non = "dice"\nunder = 50\npayout = 1.98')
    ...     pf.monitoring.load_rules(path).bets
    {'Dice': <Bet on Dice(), under=50: pays 0 or 1.98, return 0.9899>}
    """
    where = Path(path)
    try:
        content = toml_of(where.read_text(encoding="utf-8-sig"))
    except ValueError as error:
        raise BadValue("path", sentence=f"{where}: not valid TOML: {error}") from None
    if ("bets" in content) == ("bet" in content):
        needed = "there must be a table bets, with a table for each game, or a table bet"
        raise BadValue("bets", sentence=f"{where}: {needed}")
    unknown = sorted(set(content) - {"bets", "bet", *_KEYS})
    if unknown:
        known = ", ".join(_KEYS)
        raise BadValue(unknown[0], sentence=f"{where}: the keys are bets, bet, {known}, got {unknown[0]!r}")
    options = {name: content[name] for name in _KEYS if name in content}
    if "state" in options:
        options["state"] = where.parent / str(options["state"])
    with within(f"{where}: "):
        if "bet" in content:
            return Watch(_bet("bet", content["bet"]), **options)
        if not isinstance(content["bets"], dict):
            raise BadValue("bets", "must be a table")
        return Watch(
            {name: _bet(f"bets.{name}", table) for name, table in content["bets"].items()}, **options
        )


def _bet(name: str, table: Any) -> Bet:
    if not isinstance(table, dict) or not isinstance(table.get("on"), str):
        raise BadValue(name, 'must be a table with on = "a game"')
    rest = {key: value for key, value in table.items() if key != "on"}
    with within(f"{name}: "):
        return bet_of_table(parse_game(table["on"], modules=True), rest)
