"""Options and output shared by commands."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from provably_fair._core.errors import BadType, BadValue
from provably_fair._core.files import check_no_input, write_beside
from provably_fair._core.numbers import exact_number, simplest_number, whole_number
from provably_fair._core.report import Report
from provably_fair.games import Game, hits
from provably_fair.games.kind import questions_of
from provably_fair.names import import_object, known_names, parse_game, parse_subject
from provably_fair.seeds import Scheme
from provably_fair.seeds.schemes import kind_of
from provably_fair.sources import files_of

from .frame import MISMATCH, VERIFIED

if TYPE_CHECKING:
    from provably_fair.bets import Bet


def games_like(incomplete: str) -> list[str]:
    """Return names of games for shell completion."""
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
    typer.Option(
        "--field",
        "-f",
        metavar="NAME=VALUE",
        help="Another field of the scheme, by its name: -f game_hash=HASH",
    ),
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


def import_from_here() -> None:
    """Put the current folder on the import path, for the user's own games."""
    if "" not in sys.path:
        sys.path.insert(0, "")


def chosen_game(text: str, parameters: list[str] | None, scheme: Path | None, subject: bool = False) -> Any:
    """Return the game and scheme that the options name."""
    import_from_here()
    chosen = (parse_subject if subject else parse_game)(text, parameters or (), modules=True)
    if scheme is None:
        return chosen
    if not isinstance(chosen, Game):
        raise BadValue("scheme", f"isn't supported with {text}, which has its own")
    return chosen.with_scheme(Scheme.load(scheme))


ThreadsOption = Annotated[int | None, typer.Option(help="The most threads to use: --threads 2")]


def fields_of(scheme: Scheme, given: dict[str, str | None], more: list[str] | None) -> dict[str, Any]:
    """Return the scheme's fields from options, with counters as integers."""
    typed = [f"{name}={value}" for name, value in given.items() if value is not None]
    fields: dict[str, Any] = {**pairs("field", typed + (more or []))}
    for name in fields:
        if name not in scheme.fields:
            raise BadValue(
                "field", sentence=f"the scheme's fields are {', '.join(scheme.fields)}, got {name!r}"
            )
        if kind_of(scheme, name) == "number":
            try:
                fields[name] = whole_number(fields[name])
            except ValueError:
                raise BadValue(name, f"must be a whole number, got {fields[name]!r}") from None
    return fields


def show(text: str, style: str = "") -> None:
    """Print text literally, without markup; colors appear on a terminal only."""
    from rich.console import Console
    from rich.text import Text

    Console(soft_wrap=True, highlight=False).print(Text(text, style=style))


def print_json(value: object) -> None:
    """Print a value as JSON."""
    print(json.dumps(value))


def answer(content: object, text: str, as_json: bool) -> None:
    """Print a command's result, as JSON for machines or as text."""
    if as_json:
        print_json(content)
    else:
        show(text)


def check_outputs(read: Iterable[object], **outputs: Path | None) -> None:
    """Refuse to write to a file that is also read, or written twice; None is an option not given."""
    written: dict[str, str] = {}
    for name, path in outputs.items():
        if path is not None:
            check_no_input(name, path, [file for one in read for file in files_of(one)])
            other = written.setdefault(os.path.realpath(path), name)
            if other != name and (path.is_file() or not path.exists()):  # a terminal takes several
                raise BadValue(name, f"must be another file than that of --{other}, got {str(path)!r}")


def hand_over(
    result: Report, html: Path | None, report: Path | None, as_json: bool, failed: str = "bold red"
) -> NoReturn:
    """Write a report to its files, show it, and exit by its verdict."""
    for path, write in ((html, result.to_html), (report, result.to_json)):
        if path is not None:
            with write_beside(path) as part:
                part.write_text(write(), encoding="utf-8")
    if as_json:
        print(result.to_json())
    else:
        show(str(result), "" if result.ok else failed)
    raise typer.Exit(VERIFIED if result.ok else MISMATCH)


def wants_progress(wanted: bool | None) -> bool:
    """Return whether to show a progress bar."""
    return sys.stderr.isatty() if wanted is None else wanted


def pairs(option: str, values: list[str] | None) -> dict[str, str]:
    """Parse a repeatable option NAME=..., which gives each name once."""
    by_name: dict[str, str] = {}
    for value in values or []:
        name, equals, rest = value.partition("=")
        if not equals:
            raise BadValue(option, f"must be NAME=..., got {value!r}")
        if name in by_name:
            raise BadValue(option, f"must give {name} once, got {by_name[name]!r:.40} and {rest!r:.40}")
        by_name[name] = rest
    return by_name


def subject_of(option: str, values: dict[str, str], game: object = None) -> dict[str, Any]:
    """Parse the subject of a law or bet by the game's questions: numbers, lists, tables ``0:14,7:2``."""
    asked = questions_of(type(game)) if isinstance(game, Game) else {}
    subject: dict[str, Any] = {}
    for name, value in values.items():
        kind = asked[name].type if name in asked else ""
        if name in ("of", "law"):
            subject[name] = value if name == "law" else import_object(value)
            continue
        if kind == "bool":
            if value not in ("true", "false"):
                raise BadValue(option, f"{name} must be true or false, got {value!r}")
            subject[name] = value == "true"
            continue
        try:
            table: Any = [_numbers(part) for part in value.split(",")]
            pays = dict(table) if ":" in value else {}
        except (TypeError, ValueError, OverflowError):
            raise BadValue(option, f"{name} must be numbers, got {value!r}") from None
        if pays and len(pays) < len(table):
            raise BadValue(option, f"{name} must give each outcome once, got {value!r}")
        table = pays or table
        if name == "hits" and name not in asked:
            subject["of"] = hits(table)
        else:
            listed = ":" in value or "," in value or kind.startswith("Numbers")
            subject[name] = table if listed else table[0]
    return subject


def chosen_bet(game: object, text: str, option: str = "bet") -> Bet:
    """Return the bet that a text describes: comma-separated names and values, with lists and tables."""
    parts: list[str] = []
    for word in filter(None, text.split(",")):
        if "=" in word or not parts:
            parts.append(word)
        else:  # continues a list
            parts[-1] += f",{word}"
    if game is None:
        raise BadType("bet", sentence="--bet needs --game, the game of the bet")
    if not isinstance(game, Game):
        name = getattr(game, "__name__", game)
        raise BadValue("bet", f"isn't supported with {name}: it is no single game that takes bets")
    bet: Bet = game.bet(**subject_of(option, pairs(option, parts), game))
    return bet


def claim_of(game: object, bet: str | None) -> Bet | str | None:
    """Return the bet that an audit's option describes; None without one, and "columns" as it is."""
    return bet if bet in (None, "columns") else chosen_bet(game, bet)


def _numbers(text: str) -> Any:
    """Parse a number, or two separated by a colon."""
    first, colon, second = text.partition(":")
    number = simplest_number(exact_number(first, "number"))
    float(number)  # laws and bets are of numbers that a double holds
    return (number, _numbers(second)) if colon else number
