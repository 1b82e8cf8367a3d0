"""What a log is and how it is read, kept in a TOML file for Python, the command and pytest."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from provably_fair.games import Game
from provably_fair.names import parse_subject
from provably_fair.operators import __all__ as operators
from provably_fair.seeds import Scheme

from .sources import named_in

_TEXT, _TABLE, _TEXTS = "text", "a table", "text or a list of texts"
_WHOLE, _TRUTH = "a whole number", "true or false"
_FILE_OR_TABLE = "text (a file) or a table"
_KINDS = {
    "logs": (_TEXTS, 'logs = ["rounds.csv"]'),
    "game": (_TEXT, 'game = "mines:mines=5"'),
    "scheme": (_FILE_OR_TABLE, 'scheme = "scheme.toml"'),
    "games": (_TABLE, 'games = {Dice = "stake.dice", Slots = ""}'),
    "game_column": (_TEXT, 'game_column = "Game"'),
    "columns": (_TABLE, 'columns = {salt = "Round ID"}'),
    "constants": (_TABLE, 'constants = {client_seed = "player"}'),
    "csv": (_TABLE, 'csv = {decimal = ","}'),
    "seeds": (_TEXT, 'seeds = "seeds.csv"'),
    "seeds_by": (_TEXT, 'seeds_by = "seed_id"'),
    "unrevealed": (_TEXT, 'unrevealed = "report"'),
    "repeats": (_TEXT, 'repeats = "fail"'),
    "reveal_times": (_FILE_OR_TABLE, 'reveal_times = "reveals.csv"'),
    "storage_options": (_TABLE, "storage_options = {anon = true}"),
    "ordered": (_TRUTH, "ordered = true"),
    "chain_steps": (_WHOLE, "chain_steps = 20000000"),
}
"""What each key's value is, and an example of its line."""
_OTHERS = ("logs", "game", "games", "scheme")
"""Keys that aren't options of a log."""
_FILES = ("seeds", "reveal_times")


class Config(NamedTuple):
    """What a config says."""

    where: str
    options: dict[str, Any]
    game: Any
    logs: Any
    """One path, or a list of them; None where it names none."""


def read_config(config: object) -> Config:
    """Return what a config says; all that is wrong with it is told at once.

    What a game is called may be the user's own, ``module:Keno``: such a module is run.
    """
    folder, where, settings = _entries(config)
    wrong: list[Exception] = [*_faults(settings)]
    game = None
    if not wrong:
        try:
            game = _game(settings, folder)
        except (TypeError, ValueError, OSError) as error:
            wrong.append(error)
    if wrong:
        kind = TypeError if all(isinstance(error, TypeError) for error in wrong) else ValueError
        raise kind(f"{where}: {'; '.join(map(str, wrong))}")
    options = {name: value for name, value in settings.items() if name not in _OTHERS}
    options |= {
        name: named_in(folder, options[name]) for name in _FILES if isinstance(options.get(name), str)
    }
    logs = settings.get("logs")
    if logs is not None:
        logs = named_in(folder, logs) if isinstance(logs, str) else [named_in(folder, log) for log in logs]
    return Config(where, options, game, logs)


def logs_of(config: object) -> list[str | Path]:
    """Return the logs that a config names."""
    logs = read_config(config).logs
    return [] if logs is None else logs if isinstance(logs, list) else [logs]


def _entries(config: object) -> tuple[Path, str, dict[str, Any]]:
    """Return the folder that a config's files are looked for in, what it is called, and its entries."""
    if isinstance(config, Mapping):
        return Path(), "config", dict(config)
    if not isinstance(config, (str, os.PathLike)):
        raise TypeError(
            f"config must be the path of a TOML file, or its entries, got {type(config).__name__}"
        )
    path = Path(config)
    try:
        return path.parent, str(path), tomllib.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        raise ValueError(f"config: {path}: {error.strerror or error}") from None
    except ValueError as error:
        raise ValueError(f"config: {path}: no TOML: {error}") from None


def _faults(settings: Mapping[str, Any]) -> list[Exception]:
    """Return what is wrong with the entries of a config."""
    wrong: list[Exception] = []
    for name, value in settings.items():
        if name not in _KINDS:
            close = get_close_matches(str(name), _KINDS, 1)
            meant = f": did you mean {close[0]!r}?" if close else ""
            wrong.append(ValueError(f"config may have the keys {', '.join(_KINDS)}, got {name!r}{meant}"))
            continue
        kind, example = _KINDS[name]
        is_list = isinstance(value, list) and bool(value) and all(isinstance(item, str) for item in value)
        fits = {
            _TEXT: isinstance(value, str),
            _TABLE: isinstance(value, Mapping),
            _TEXTS: isinstance(value, str) or is_list,
            _FILE_OR_TABLE: isinstance(value, (str, Mapping)),
            _WHOLE: type(value) is int,
            _TRUTH: isinstance(value, bool),
        }[kind]
        if not fits:
            got = f"config's key {name!r} must be {kind}, got {value!r:.80}, as in: {example}"
            wrong.append(TypeError(got))
    if "game" in settings and "games" in settings:
        wrong.append(ValueError("config must have one of the keys 'game' and 'games', got both"))
    if "games" in settings and "game_column" not in settings:
        needs = "config's key 'games' needs 'game_column', which names them, as in: game_column = \"Game\""
        wrong.append(ValueError(needs))
    return wrong


def _game(settings: Mapping[str, Any], folder: Path) -> Any:
    """Return what the log of a config is of."""
    scheme = settings.get("scheme")
    if scheme is not None:
        try:
            scheme = Scheme.load(folder / scheme) if isinstance(scheme, str) else Scheme.from_dict(scheme)
        except (TypeError, ValueError, OSError) as error:
            raise ValueError(f"config's key 'scheme': {error}") from None

    def named(key: str, text: object) -> Any:
        try:
            if not isinstance(text, str):
                raise TypeError(f"a game must be text, got {text!r:.80}")
            game = parse_subject(text, modules=True)
            if scheme is not None and not isinstance(game, Game):
                raise ValueError(f"{text} isn't played under another scheme")
            return game if scheme is None else game.with_scheme(scheme)
        except (TypeError, ValueError) as error:
            raise type(error)(f"config's key {key!r}: {error}") from None

    if "games" in settings:
        games, wrong = {}, []
        for name, text in settings["games"].items():
            try:  # TOML has no word for nothing: no text stands for games that are passed over
                games[name] = None if text == "" else named("games", text)
            except (TypeError, ValueError) as error:
                wrong.append(error)
        if wrong:
            raise type(wrong[0])("; ".join(map(str, wrong)))
        return games
    game = settings.get("game")
    if game is None or ("game_column" in settings and game in operators):
        return game
    return named("game", game)
