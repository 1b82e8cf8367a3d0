"""What the commands share: their options, and how they show what they found."""

from __future__ import annotations

import json
import os
import sys
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

VERIFIED, MISMATCH, UNUSABLE = 0, 1, 2
"""Exit codes."""

INTERRUPTED = 128 + 2
"""The exit code after Ctrl-C, as shells have it."""

GameArgument = Annotated[
    str, typer.Argument(metavar="GAME", help="A game, with its parameters: dice, mines:mines=5")
]
ParameterOption = Annotated[
    list[str] | None, typer.Option("--param", "-p", metavar="NAME=VALUE", help="A parameter of the game.")
]
ServerOption = Annotated[
    str | None,
    typer.Option("--server-seed", "-s", help="The server seed; multi-player games have a constant one."),
]
ClientOption = Annotated[
    str | None,
    typer.Option("--client-seed", "-c", help="The client seed; multi-player games have a constant one."),
]
SaltOption = Annotated[str, typer.Option("--salt", help="The salt of the round.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, for machines.")]
ProgressOption = Annotated[
    bool | None,
    typer.Option("--progress/--no-progress", help="A progress bar on stderr, if that is a terminal."),
]


def show(text: str, style: str = "") -> None:
    """Print text as it is: no markup is read in it, colors come only on a terminal."""
    Console(soft_wrap=True, highlight=False).print(Text(text, style=style))


def print_json(value: Any) -> None:
    """Print a value for machines."""
    print(json.dumps(value))


def wants_progress(wanted: bool | None) -> bool:
    """Return whether to show a progress bar."""
    return sys.stderr.isatty() if wanted is None else wanted


def pairs(option: str, values: list[str] | None) -> dict[str, str]:
    """Read an option that may be given several times, each time NAME=..."""
    found = {}
    for value in values or []:
        name, equals, rest = value.partition("=")
        if not equals:
            raise ValueError(f"{option} must be NAME=..., got {value!r}")
        found[name] = rest
    return found


def drop(stream: Any) -> None:
    """Let what can't be written go nowhere: no complaint at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
