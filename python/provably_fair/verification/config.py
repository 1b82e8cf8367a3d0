"""What a log is and how it is read, kept in a TOML file for Python, the command and pytest."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from provably_fair.games import Game
from provably_fair.names import parse_subject
from provably_fair.operators import __all__ as operators
from provably_fair.seeds import Scheme

from .sources import named_in
from .systems.chains import CHAIN_STEPS

_TEXT, _TABLE, _TEXTS, _WHOLE = "text", "a table", "text or a list of texts", "a whole number"
_KINDS = {
    "logs": _TEXTS,
    "game": _TEXT,
    "scheme": f"{_TEXT} (a file) or {_TABLE}",
    "games": _TABLE,
    "game_column": _TEXT,
    "columns": _TABLE,
    "constants": _TABLE,
    "csv": _TABLE,
    "seeds": _TEXT,
    "seeds_by": _TEXT,
    "unrevealed": _TEXT,
    "repeats": _TEXT,
    "chain_steps": _WHOLE,
}
_DEFAULTS = {"repeats": "report", "chain_steps": CHAIN_STEPS}
"""What stands for arguments that are left out, other than None."""
_TABLES = ("columns", "constants", "csv")


def merged(config: object, given: dict[str, Any]) -> dict[str, Any]:
    """Return arguments of `verify`: those that are given, and of a config those that aren't.

    Tables are merged entry by entry. What a game is called may be the user's own, ``module:Keno``: such a
    module is run.
    """
    if config is None:
        return given
    folder, settings = _settings(config)
    found: dict[str, Any] = {
        name: settings[name] for name in ("game_column", "seeds_by", "unrevealed") if name in settings
    }
    if "logs" in settings:
        logs = settings["logs"]
        one = isinstance(logs, str)
        found["log"] = named_in(folder, logs) if one else [named_in(folder, log) for log in logs]
    if "seeds" in settings:
        found["seeds"] = named_in(folder, settings["seeds"])
    found["subject"] = _subject(settings, folder)
    for name in _TABLES:
        if name in settings:
            found[name] = {**settings[name], **(given[name] or {})}
    found |= {
        name: settings[name]
        for name, default in _DEFAULTS.items()
        if name in settings and given.get(name, default) == default
    }
    settled = {*_TABLES, *(name for name in _DEFAULTS if name in found)}
    kept = {name: value for name, value in given.items() if value is not None and name not in settled}
    return {**given, **found, **kept}


def logs_of(config: object) -> list[str | Path]:
    """Return the logs that a config names."""
    folder, settings = _settings(config)
    logs = settings.get("logs", [])
    return [named_in(folder, log) for log in ([logs] if isinstance(logs, str) else logs)]


def _settings(config: object) -> tuple[Path, dict[str, Any]]:
    """Return the folder that a config's files are looked for in, and its entries, checked."""
    if isinstance(config, Mapping):
        folder, where, settings = Path(), "config", dict(config)
    elif isinstance(config, (str, os.PathLike)):
        path = Path(config)
        folder, where = path.parent, str(path)
        try:
            settings = tomllib.loads(path.read_text("utf-8-sig"))
        except OSError as error:
            raise ValueError(f"config: {path}: {error.strerror or error}") from None
        except ValueError as error:
            raise ValueError(f"config: {path}: no TOML: {error}") from None
    else:
        raise TypeError(
            f"config must be the path of a TOML file, or its entries, got {type(config).__name__}"
        )
    for name, value in settings.items():
        kind = _KINDS.get(name)
        if kind is None:
            close = get_close_matches(str(name), _KINDS, 1)
            meant = f": did you mean {close[0]!r}?" if close else ""
            raise ValueError(f"{where}: config may have the keys {', '.join(_KINDS)}, got {name!r}{meant}")
        is_list = isinstance(value, list) and bool(value) and all(isinstance(item, str) for item in value)
        fits = {
            _TEXT: isinstance(value, str),
            _TABLE: isinstance(value, Mapping),
            _TEXTS: isinstance(value, str) or is_list,
            _WHOLE: type(value) is int,
        }.get(kind, isinstance(value, (str, Mapping)))
        if not fits:
            raise TypeError(f"{where}: config's key {name!r} must be {kind}, got {value!r:.80}")
    if "game" in settings and "games" in settings:
        raise ValueError(f"{where}: config must have one of the keys 'game' and 'games', got both")
    if "games" in settings and "game_column" not in settings:
        raise ValueError(f"{where}: config's key 'games' needs 'game_column', the column that names them")
    return folder, settings


def _subject(settings: Mapping[str, Any], folder: Path) -> Any:
    """Return what the log of a config is of."""
    scheme = settings.get("scheme")
    if isinstance(scheme, str):
        scheme = Scheme.load(folder / scheme)
    elif scheme is not None:
        scheme = Scheme.from_dict(scheme)

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
        games = settings["games"].items()
        # TOML has no word for nothing: no text stands for games that are passed over.
        return {name: None if text == "" else named("games", text) for name, text in games}
    game = settings.get("game")
    if game is None or ("game_column" in settings and game in operators):
        return game
    return named("game", game)
