"""Configs: TOML files that describe a log and how to read it, for Python, the command and pytest."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from provably_fair._core.errors import BadType, BadValue, within
from provably_fair._core.mistakes import Mistakes, in_words, several
from provably_fair.games import Game
from provably_fair.names import parse_subject
from provably_fair.operators.registry import NAMED
from provably_fair.seeds import Scheme
from provably_fair.sources import named_in

from .options import FILE_OR_TABLE, OPTIONS, TABLE, TEXT, TEXTS, TRUTH, WHOLE

BET = '"columns" or a table'
_OTHERS = {
    "logs": (TEXTS, 'logs = ["rounds.csv"]'),
    "game": (TEXT, 'game = "mines:mines=5"'),
    "scheme": (FILE_OR_TABLE, 'scheme = "scheme.toml"'),
    "games": (TABLE, 'games = {Dice = "stake.dice", Slots = ""}'),
    "anchor": (TEXT, 'anchor = "0c0a..."'),
    "anchor_number": (WHOLE, "anchor_number = 815327"),
    "bet": (BET, "bet = {under = 50, payout = 1.98}"),
    "about": (TABLE, 'about = {operator = "Roobet", played = "2020"}'),
}
"""Keys that aren't options of a log."""
_KINDS = _OTHERS | {name: (one.key, one.line) for name, one in OPTIONS.items() if one.key is not None}
"""The type of each key's value, and an example of its line."""
_FILES = ("seeds", "reveal_times")


class Config(NamedTuple):
    """The content of a config."""

    where: str
    options: dict[str, Any]
    game: Any
    logs: Any  # a path, or a list of paths; None if it names none
    files: list[Path]  # the file itself, and that of the scheme
    anchor: str | None  # the hash from which `locate` walks, and its game's number
    anchor_number: int | None
    bet: Any  # the bet that `audit` compares payouts with: "columns", or arguments of the game's `bet`
    about: dict[str, Any]  # a description of the log for readers of the report
    # Faults by key, which are raised together with those of the options
    mistakes: list[tuple[str, Exception]]


def read_config(config: object) -> Config:
    """Return the content of a config, importing its game; if that can't be read, raise all mistakes."""
    folder, where, settings = _entries(config)
    mistakes = _faults(settings)
    right = {name: value for name, value in settings.items() if name in _KINDS and name not in mistakes}
    game = _game(right, folder, mistakes)
    if any(name in mistakes for name in ("game", "games", "scheme")):
        raise several(mistakes.found, [told(where, mistakes.found)])
    options = {name: value for name, value in right.items() if name not in _OTHERS}
    options |= {
        name: named_in(folder, options[name]) for name in _FILES if isinstance(options.get(name), str)
    }
    logs = right.get("logs")
    if logs is not None:
        logs = named_in(folder, logs) if isinstance(logs, str) else [named_in(folder, log) for log in logs]
    named = [folder / right["scheme"]] if isinstance(right.get("scheme"), str) else []
    files = named if isinstance(config, Mapping) else [Path(where), *named]
    chain = right.get("anchor"), right.get("anchor_number")
    others = *chain, right.get("bet"), right.get("about", {})
    return Config(where, options, game, logs, files, *others, mistakes.found)


def told(where: str, mistakes: Iterable[tuple[str, Exception]]) -> str:
    """Return the error of a config's mistakes, with an example of each key's line."""
    examples = {name: line for name, (_, line) in _KINDS.items()}
    return f"{where}: {'; '.join(in_words(mistakes, examples))}"


def logs_of(config: object) -> list[str | Path]:
    """Return the logs that a config names."""
    found = read_config(config)
    if found.mistakes:
        raise several(found.mistakes, [told(found.where, found.mistakes)])
    return [] if found.logs is None else found.logs if isinstance(found.logs, list) else [found.logs]


def _entries(config: object) -> tuple[Path, str, dict[str, Any]]:
    """Return a config's folder, in which its files are, its name, and its entries."""
    if isinstance(config, Mapping):
        return Path(), "config", dict(config)
    if not isinstance(config, (str, os.PathLike)):
        raise BadType("config", f"must be a TOML file's path, or its entries, got {type(config).__name__}")
    from provably_fair._core.toml import toml_of

    path = Path(config)
    try:
        return path.parent, str(path), toml_of(path.read_text("utf-8-sig"))
    except OSError as error:
        raise BadValue("config", f": {path}: {error.strerror or error}") from None
    except ValueError as error:
        raise BadValue("config", f": {path}: not valid TOML: {error}") from None


def _faults(settings: Mapping[str, Any]) -> Mistakes:
    """Return the faults of a config's entries that don't depend on its game."""
    mistakes = Mistakes()
    for name, value in settings.items():
        with mistakes.of(name if name in _KINDS else ""):
            if name not in _KINDS:
                close = get_close_matches(str(name), _KINDS, 1)
                meant = f": did you mean {close[0]!r}?" if close else ""
                raise BadValue("config", f"may have the keys {', '.join(_KINDS)}, got {name!r:.80}{meant}")
            kind = _KINDS[name][0]
            is_list = isinstance(value, list) and bool(value) and all(isinstance(item, str) for item in value)
            fits = {
                TEXT: isinstance(value, str),
                TABLE: isinstance(value, Mapping),
                TEXTS: isinstance(value, str) or is_list,
                FILE_OR_TABLE: isinstance(value, (str, Mapping)),
                BET: value == "columns" or isinstance(value, Mapping),
                WHOLE: type(value) is int,
                TRUTH: isinstance(value, bool),
            }[kind]
            if not fits:
                raise BadType(name, sentence=f"config's key {name!r} must be {kind}, got {value!r:.80}")
            if name in OPTIONS:
                OPTIONS[name].check(value)
    with mistakes.of("games"):
        if "game" in settings and "games" in settings:
            raise BadValue("config", "must have one of the keys 'game' and 'games', got both")
        if "games" in settings and "game_column" not in settings:
            needs = "config's key 'games' needs 'game_column', which names them"
            raise BadValue("games", sentence=f"{needs}, as in: {_KINDS['game_column'][1]}")
    return mistakes


def _game(settings: Mapping[str, Any], folder: Path, mistakes: Mistakes) -> Any:
    """Return the game of a config's log."""
    scheme: Any = settings.get("scheme")
    if scheme is not None:
        with mistakes.of("scheme"):
            try:
                with within("config's key 'scheme': "):
                    scheme = (
                        Scheme.load(folder / scheme) if isinstance(scheme, str) else Scheme.from_dict(scheme)
                    )
            except OSError as error:
                raise BadValue("scheme", sentence=f"config's key 'scheme': {error}") from None
    under = None if "scheme" in mistakes else scheme

    def named(key: str, text: object) -> Any:
        with within(f"config's key {key!r}: "):
            if not isinstance(text, str):
                raise BadType("game", f"must be text, got {text!r:.80}")
            game = parse_subject(text, modules=True)
            if under is not None and not isinstance(game, Game):
                raise BadValue("scheme", f"isn't supported with {text}, which has its own")
            return game if under is None else game.with_scheme(under)

    games: dict[str, Any] = {}
    for name, text in settings.get("games", {}).items():
        with mistakes.of("games"):
            # TOML has no null: an empty text stands for games that are skipped.
            games[name] = None if text == "" else named("games", text)
    if "games" in settings:
        return games
    game = settings.get("game")
    if game is None or ("game_column" in settings and game in NAMED):
        return game
    with mistakes.of("game"):
        return named("game", game)
