"""What the commands share: their options, and how they show what they found."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console
from rich.text import Text
from typer.core import TyperCommand, TyperGroup

from provably_fair._core.errors import BadType, BadValue
from provably_fair._core.files import check_no_input, write_beside
from provably_fair._core.printable import plain
from provably_fair._core.report import Report
from provably_fair.bets import Bet
from provably_fair.games import Game, hits
from provably_fair.names import import_object, known_names, parse_game, parse_subject
from provably_fair.seeds import Scheme
from provably_fair.seeds.schemes import kind_of
from provably_fair.verification.sources import Option, files_of

VERIFIED, MISMATCH, UNUSABLE = 0, 1, 2
"""Exit codes."""

INTERRUPTED = 128 + 2
"""The exit code after Ctrl-C, as shells have it."""


def games_like(incomplete: str) -> list[str]:
    """Return the games that a shell offers for the beginning of a name."""
    return [name for name in known_names() if name.startswith(incomplete)]


GameArgument = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        autocompletion=games_like,
        help="A game, with its parameters: dice, mines:mines=5, stake.dice, "
        "or one of your own, module:Keno:picks=5",
    ),
]
SchemeOption = Annotated[
    Path | None,
    typer.Option("--scheme", metavar="FILE", help="Take the scheme from a TOML file: --scheme scheme.toml"),
]
FieldOption = Annotated[
    list[str] | None,
    typer.Option("--field", "-f", metavar="NAME=VALUE", help="Another field of the scheme, by its name."),
]
ParameterOption = Annotated[
    list[str] | None,
    typer.Option("--param", "-p", metavar="NAME=VALUE", help="A parameter of the game: -p mines=5"),
]
ServerOption = Annotated[
    str | None,
    typer.Option("--server-seed", "-s", help="The server seed; multi-player games have a constant one."),
]
ClientOption = Annotated[
    str | None,
    typer.Option("--client-seed", "-c", help="The client seed; multi-player games have a constant one."),
]
SaltOption = Annotated[str | None, typer.Option("--salt", help="The salt of the round.")]
NonceOption = Annotated[
    str | None, typer.Option("--nonce", help="The nonce of the round, if the scheme has one.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, for machines: --json > found.json")]
ProgressOption = Annotated[
    bool | None,
    typer.Option(
        "--progress/--no-progress",
        help="A progress bar on stderr, if that is a terminal: --no-progress for none.",
    ),
]


class GroupedCommand(TyperCommand):
    """A command whose help shows options in groups, by their ``rich_help_panel``."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the groups, in the order of their first options."""
        _write_groups(self, ctx, formatter)


class GroupedCommands(TyperGroup):
    """Commands whose help shows them in groups, by their ``rich_help_panel``."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options, then the commands."""
        _write_groups(self, ctx, formatter)
        shown = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        longest = max(map(len, self.list_commands(ctx)))
        groups: dict[str, list[tuple[str, str]]] = {}
        for name, command in shown:
            if command is not None and not command.hidden:
                text = command.get_short_help_str(formatter.width - 6 - longest)
                title = getattr(command, "rich_help_panel", None) or "Commands"
                groups.setdefault(title, []).append((name.ljust(longest), text))
        for title, rows in groups.items():
            with formatter.section(title):
                formatter.write_dl(rows)


def _write_groups(command: Any, ctx: Any, formatter: Any) -> None:
    """Write a command's arguments and options in their groups."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for param in command.get_params(ctx):
        record = param.get_help_record(ctx)
        if record is not None:
            usual = "Arguments" if param.param_type_name == "argument" else "Options"
            groups.setdefault(getattr(param, "rich_help_panel", None) or usual, []).append(record)
    for title, rows in groups.items():
        with formatter.section(title):
            formatter.write_dl(rows)


class GameCommand(GroupedCommand):
    """A command whose argument GAME may also be given as an option, ``--game``, as `verify` takes it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the option's value in place of the argument."""
        options = [place for place, word in enumerate(args) if word.partition("=")[0] in ("--game", "-g")]
        if options and not ctx.resilient_parsing:
            (place,) = options[-1:]
            _, equals, game = args[place].partition("=")
            if equals or place + 1 < len(args):
                after = place + (1 if equals else 2)
                args = [game if equals else args[place + 1], *args[:place], *args[after:]]
        return list(super().parse_args(ctx, args))


def chosen_game(text: str, parameters: list[str] | None, scheme: Path | None, subject: bool = False) -> Any:
    """Return the game that the options name, under the scheme that they name."""
    if "" not in sys.path:
        sys.path.insert(0, "")
    found = (parse_subject if subject else parse_game)(text, parameters or (), modules=True)
    if scheme is None:
        return found
    if not isinstance(found, Game):
        raise BadValue("scheme", f"isn't supported with {text}, which has its own")
    return found.with_scheme(Scheme.load(scheme))


FLAGS = {
    "columns": "--column",
    "constants": "--constant",
    "time_formats": "--time-format",
    "storage_options": "--storage-option",
}
"""Options of a log that are given once for each of their entries."""

ThreadsOption = Annotated[int | None, typer.Option(help="The most threads to use: --threads 2")]


def fields_of(game: Any, given: dict[str, str | None], more: list[str] | None) -> dict[str, Any]:
    """Return the fields that options give, whole numbers where they are counted."""
    fields: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    fields |= pairs("field", more)
    for name in fields:
        if name not in game.scheme.fields:
            listed = ", ".join(game.scheme.fields)
            raise BadValue("field", sentence=f"the fields of {game.name}'s scheme are {listed}, got {name!r}")
        if kind_of(game.scheme, name) == "number":
            try:
                fields[name] = int(fields[name])
            except ValueError:
                raise BadValue(name, f"must be a whole number, got {fields[name]!r}") from None
    return fields


def show(text: str, style: str = "") -> None:
    """Print text as it is: no markup is read in it, colors come only on a terminal."""
    Console(soft_wrap=True, highlight=False).print(Text(text, style=style))


def print_json(value: object) -> None:
    """Print a value for machines."""
    print(json.dumps(value))


def check_outputs(read: Iterable[object], **outputs: Path | None) -> None:
    """Refuse to write to a file that the command reads; None stands for one that wasn't given."""
    for name, path in outputs.items():
        if path is not None:
            check_no_input(name, path, [file for one in read for file in files_of(one)])


def hand_over(found: Report, html: Path | None, report: Path | None, as_json: bool) -> NoReturn:
    """Write a report to its files, show it, and exit by its verdict."""
    for path, write in ((html, found.to_html), (report, found.to_json)):
        if path is not None:
            with write_beside(path) as part:
                part.write_text(write(), encoding="utf-8")
    if as_json:
        print(found.to_json())
    else:
        show(str(found), "" if found.ok else "bold red")
    raise typer.Exit(VERIFIED if found.ok else MISMATCH)


def wants_progress(wanted: bool | None) -> bool:
    """Return whether to show a progress bar."""
    return sys.stderr.isatty() if wanted is None else wanted


def pairs(option: str, values: list[str] | None) -> dict[str, str]:
    """Read an option that may be given several times, each time NAME=..."""
    found = {}
    for value in values or []:
        name, equals, rest = value.partition("=")
        if not equals:
            raise BadValue(option, f"must be NAME=..., got {value!r}")
        found[name] = rest
    return found


def in_options(option: Option) -> str:
    """Return an option that a message speaks of as it is written on the command line."""
    values = option.value if isinstance(option.value, Mapping) else {None: option.value}
    written = []
    for name, value in values.items():
        text = "..." if value is ... else str(value)
        if not text.isprintable():
            text = plain(text)
        flag = FLAGS.get(option.name)
        if flag is None:
            flag = f"--{option.name if name is None else name}".replace("_", "-")
        elif name is not None:
            text = f"{name}={text}"
        written.append(f"{flag} {shlex.quote(text)}")
    return " ".join(written)


def subject_of(option: str, values: dict[str, str], game: object = None) -> dict[str, Any]:
    """Read what a law or a bet is of: numbers, lists of them with commas, tables such as ``0:14,7:2``.

    What a game may be asked says what it takes.
    """
    asked = {one.name: one.type for one in game.kind.questions} if isinstance(game, Game) else {}
    found: dict[str, Any] = {}
    for name, value in values.items():
        kind = asked.get(name, "")
        if name in ("of", "law"):
            found[name] = value if name == "law" else import_object(value)
            continue
        if kind == "bool":
            if value not in ("true", "false"):
                raise BadValue(option, f"{name} must be true or false, got {value!r}")
            found[name] = value == "true"
            continue
        try:
            table: Any = [_numbers(part) for part in value.split(",")]
            if ":" in value:
                table = dict(table)
        except (TypeError, ValueError):
            raise BadValue(option, f"{name} must be numbers, got {value!r}") from None
        if name == "hits" and name not in asked:
            found["of"] = hits(table)
        else:
            listed = ":" in value or "," in value or kind.startswith("Numbers")
            found[name] = table if listed else table[0]
    return found


def chosen_bet(game: Any, text: str | None) -> Bet | None:
    """Return the bet that a text describes: names and values with commas between, lists and tables too."""
    if text is None:
        return None
    parts: list[str] = []
    for word in filter(None, text.split(",")):
        if "=" in word or not parts:
            parts.append(word)
        else:  # a list goes on
            parts[-1] += f",{word}"
    if game is None:
        raise BadType("bet", sentence="--bet needs --game, the game of the bet")
    bet: Bet = game.bet(**subject_of("bet", pairs("bet", parts), game))
    return bet


def _numbers(text: str) -> Any:
    """Read a number, or two with a colon between them."""
    first, colon, second = text.partition(":")
    number = float(first) if "." in first else int(first)
    return (number, _numbers(second)) if colon else number


def drop(stream: Any) -> None:
    """Let what can't be written go nowhere: no complaint at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
