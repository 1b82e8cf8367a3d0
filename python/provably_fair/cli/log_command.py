"""Shared by commands on logs: options of logs, report files, exit codes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from copy import copy
from enum import Enum
from functools import reduce
from operator import or_
from pathlib import Path
from typing import IO, Annotated, Any, NamedTuple

import typer

from provably_fair._core.errors import BadType, BadValue
from provably_fair._core.files import write_beside
from provably_fair._core.printable import plain
from provably_fair.operators.registry import NAMED, operator_named
from provably_fair.operators.salted import GAMES
from provably_fair.sources import Files, LogError, Query
from provably_fair.sources.databases import database_at
from provably_fair.verification.config import logs_of
from provably_fair.verification.log import settled
from provably_fair.verification.options import OPTIONS, TABLE

from .frame import MISMATCH, UNUSABLE, VERIFIED
from .shared import (
    JsonOption,
    ParameterOption,
    ProgressOption,
    SchemeOption,
    ThreadsOption,
    check_outputs,
    chosen_game,
    games_like,
    pairs,
    show,
    wants_progress,
)


class LogArguments(NamedTuple):
    """The arguments of `verify` and `audit` from a command's options."""

    log: Any
    game: Any
    options: dict[str, Any]  # the keyword arguments that were given


_Unrevealed = Enum("_Unrevealed", {"report": "report", "fail": "fail"})
"""The treatment of rows whose seed isn't revealed yet."""


def _text(text: str, metavar: str | None = None, *flags: str, kind: Any = str) -> Any:
    return Annotated[kind | None, typer.Option(*flags, metavar=metavar, help=text)]


_KINDS: dict[str, Any] = {
    "unrevealed": _Unrevealed,
    "repeats": bool,
    "reveal_times": Path,
    "config": Path,
    "ordered": bool,
    "chain_steps": int,
}
"""Types of options of a log that aren't text."""


_OPTIONS: dict[str, Any] = {
    "log": Annotated[
        list[str] | None,
        typer.Argument(
            help="Files, folders, patterns in quotes or URLs (s3://bucket/logs/) of CSV, Parquet, JSON, "
            "Arrow, Excel or ZIP; - for stdin; or with --db a query."
        ),
    ],
    "game": Annotated[
        str | None,
        typer.Option(
            "--game",
            "-g",
            metavar="GAME",
            autocompletion=games_like,
            help="The game of the log: --game dice, -g mines:mines=5, stake.dice, module:Keno",
        ),
    ],
    "param": ParameterOption,
    "scheme": SchemeOption,
    **{
        name: _text(one.help, one.metavar, one.flag, kind=list[str] if one.several else _KINDS.get(name, str))
        for name, one in OPTIONS.items()
        if one.flag
    },
    "separator": _text("The separator of CSV, if it isn't detected: --separator ';' or tab"),
    "decimal": _text("The decimal mark of numbers in text: --decimal ',' or '.'"),
    "thousands": _text("The mark between groups of three digits: --thousands ',' for 1,234.50"),
    "encoding": _text("The encoding of CSV, if it isn't UTF-8: --encoding cp1252"),
    "explained": Annotated[
        bool,
        typer.Option("--explain", help="Show the walk-through of the first failed row: --explain"),
    ],
    "report": _text("Write the report as JSON: --report report.json", kind=Path),
    "html": _text("Write the report as one page: --html report.html", kind=Path),
    "junit": _text("Write the report as JUnit XML for build servers: --junit report.xml", kind=Path),
    "certificate": _text("Write a certificate: --certificate certificate.json", kind=Path),
    "key": _text("Sign the certificate with this Ed25519 key, a PEM file: --key key.pem", kind=Path),
    "failures": _text("Write all failures to a .parquet, .csv or .jsonl file: --failures all.csv", kind=Path),
    "overwrite": Annotated[
        bool, typer.Option("--overwrite", help="Let --failures replace an existing file: --overwrite")
    ],
    "database": _text(
        "LOG is a query of this database: --db postgresql://me@localhost/casino (with the password "
        "in ~/.pgpass), --db sqlite:///casino.db, --db duckdb:///casino.duckdb",
        "URL",
        "--db",
    ),
    "form": _text("The format of the files: --format csv, json, parquet.", "FORMAT", "--format"),
    "threads": ThreadsOption,
    "progress": ProgressOption,
    "as_json": JsonOption,
}
_GROUPS = {
    "The game": ("game", "param", "scheme", "game_column"),
    "Reading the log": (
        *("config", "columns", "constants", "seeds", "seeds_by", "reveal_times", "database", "form"),
        *("storage_options", "time_formats", "separator", "decimal", "thousands", "encoding"),
    ),
    "What counts as wrong": ("unrevealed", "repeats", "ordered", "chain_steps"),
    "The report": (
        *("explained", "as_json", "report", "html", "junit", "failures", "overwrite", "keep"),
        *("certificate", "key"),
    ),
}
"""The options of a log with their groups in the help; other options are the command's own."""


def _in_group(kind: Any, title: str) -> Any:
    """Return the annotation of an option in a group of the help."""
    option = copy(kind.__metadata__[0])
    option.rich_help_panel = title
    return Annotated[kind.__origin__, option]


_GROUPED = {name: _in_group(_OPTIONS[name], title) for title, names in _GROUPS.items() for name in names}
_OPTIONS = _GROUPED | {name: kind for name, kind in _OPTIONS.items() if name not in _GROUPED}
_CSV = ("separator", "decimal", "thousands", "encoding")
READING = (*(name for name, one in OPTIONS.items() if one.flag), *_CSV, "database", "form")
"""The options for reading a log, which all commands that take one have."""
_FILES = {"report": "to_json", "html": "to_html", "junit": "to_junit"}


def takes_options(*names: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Decorate a command so that it takes log options beside its own, as one mapping."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        own = {one.name: (one.annotation, one.default) for one in _own(command)}
        log, *others = ({name: (_OPTIONS[name], None)} for name in names)
        whole = log | own if names[0] == "log" else own | log

        def with_options(**given: Any) -> None:
            command({name: given.pop(name) for name in names}, **given)

        return _taking(reduce(or_, others, whole), with_options, command)

    return decorate


def _own(command: Callable[..., Any]) -> list[inspect.Parameter]:
    """Return a command's own options: all but the first argument, which holds those of logs."""
    return list(inspect.signature(command, eval_str=True).parameters.values())[1:]


def _taking(options: dict[str, tuple[Any, Any]], run: Callable[..., None], like: Any) -> Callable[..., None]:
    """Return a function as a command with options, each with its annotation and default."""
    run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
            for name, (kind, default) in options.items()
        ]
    )
    run.__annotations__ = {name: kind for name, (kind, _) in options.items()}
    run.__name__, run.__doc__ = like.__name__, like.__doc__
    return run


def log_command(report_of: Callable[..., Any]) -> Callable[..., None]:
    """Make a command from a function that reports on a log, adding the options of logs to its own."""
    own = _own(report_of)
    first = {name: _OPTIONS[name] for name in ("log", *_GROUPS["The game"])}
    title = f"The {report_of.__name__}"
    kinds = first | {one.name: _in_group(one.annotation, title) for one in own} | _OPTIONS
    defaults = dict.fromkeys(("explained", "overwrite", "as_json"), False)
    defaults |= {one.name: one.default for one in own}

    def command(**given: Any) -> None:
        _run(report_of, given)

    return _taking({name: (kind, defaults.get(name)) for name, kind in kinds.items()}, command, report_of)


def _run(report_of: Callable[..., Any], given: dict[str, Any]) -> None:
    """Run a command with its options."""
    own = {name: value for name, value in given.items() if name not in _OPTIONS}
    failures = given["failures"]
    if failures and given["overwrite"]:
        failures = {"path": failures, "overwrite": True}
    if given["key"] is not None and given["certificate"] is None:
        raise BadValue("key", "isn't supported without --certificate, which it signs")
    log, options = log_of(given), given_options(given)
    options |= {"failures": failures, "threads": given["threads"]}
    options["progress"] = wants_progress(given["progress"])
    parsed = LogArguments(log, _game(given), options)
    name = plain(given["log"][0] if given["log"] else str(given["config"]))
    broken = None
    of_log = {name: value for name, value in options.items() if name in OPTIONS}
    asked = settled(log, parsed.game, of_log)
    read = [asked.source, *asked.inputs, given["scheme"], given["key"]]
    check_outputs(read, **{name: given[name] for name in (*_FILES, "certificate", "failures")})
    with ExitStack() as opened:
        files = {
            method: opened.enter_context(_written(given[option]))
            for option, method in _FILES.items()
            if given[option] is not None
        }
        try:
            result = report_of(parsed, **own)
        except LogError as error:
            if error.report is None:
                raise
            result, broken = error.report, error
        for method, file in files.items():
            print(getattr(result, method)(), file=file)
    if given["certificate"] is not None and broken is None:
        from provably_fair import certificates  # few calls need it

        certificates.write(result, given["certificate"], key=given["key"])
    if given["as_json"]:
        print(result.to_json())
    elif result.ok:
        show(str(result))
    else:
        first, _, rest = str(result).partition("\n")
        show(first, "bold red")
        show(rest)
        if given["explained"]:
            _explain(result)
    if broken is not None:
        raise broken
    verified = getattr(result, "verification", result)
    if not verified.checked and verified.unchecked:
        raise BadValue("log", sentence=f"{name}: no row could be checked, so nothing was verified")
    if not verified.checked:
        done = "verified" if result is verified else "audited"
        raise BadValue("log", sentence=f"{name}: no rows, so nothing was {done}")
    raise typer.Exit(VERIFIED if result.ok else MISMATCH if result.complete else UNUSABLE)


def _explain(result: Any) -> None:
    """Show the first failing row, or the rows of the first finding."""
    findings = getattr(result, "findings", None)
    try:
        if findings is None and result.failures:
            show(f"\nRow {result.failures[0].row}, step by step\n\n{result.explain()}")
        elif findings and any(finding.rows for finding in findings):
            show(f"\n{result.explain()}")
    except ValueError as error:  # a cell can't be read
        show(f"\n{error}")


def given_options(given: dict[str, Any]) -> dict[str, Any]:
    """Return the log options that were given, as Python arguments."""
    options = {name: given[name] for name in OPTIONS if given.get(name) not in (None, [])}
    for name in [name for name in options if OPTIONS[name].several and OPTIONS[name].key == TABLE]:
        options[name] = pairs(name, options[name])
    if "storage_options" in options:
        options["storage_options"] = {name: _value(text) for name, text in options["storage_options"].items()}
    if "unrevealed" in options:
        options["unrevealed"] = options["unrevealed"].value
    if "repeats" in options:
        options["repeats"] = "fail" if options["repeats"] else "report"
    csv = {name: given[name] for name in _CSV if given.get(name) is not None}
    if csv:
        options["csv"] = csv
    return options


def _value(text: str) -> object:
    """Return a boolean or integer for its text, else the text."""
    return {"true": True, "false": False}.get(text, int(text) if text.isdecimal() else text)


def log_of(given: dict[str, Any]) -> Any:
    """Return the log that a command's arguments name, files or a database query, or that of its config."""
    log, config, database, form = (given[name] for name in ("log", "config", "database", "form"))
    if not log and config is None:
        raise BadType("log", "must be given: a file, a folder, a URL, or - for stdin")
    if not log:
        if named := logs_of(config):
            return named
        raise BadType("log", f"must be given, or named by the key logs of {plain(str(config))}")
    if database is None:
        files = log[0] if len(log) == 1 else log
        return files if form is None else Files(files, form)
    if len(log) != 1:
        raise BadValue("log", f"must be one query with --db, got {len(log)} arguments")
    if form is not None:
        raise BadValue("form", "isn't supported with --db: a query's rows come from a database")
    if "://" not in database:
        url = database_at(Path(database)) if Path(database).is_file() else None
        raise BadValue("database", f"must be a URL, such as {url or 'sqlite:///casino.db'}")
    return Query(log[0], database)


def _game(given: dict[str, Any]) -> Any:
    """Return the game or games of the log."""
    game, column, config = given["game"], given["game_column"], given["config"]
    by_column = column is not None and game in (None, *NAMED)
    if game is None or by_column:
        if given["param"] or given["scheme"] is not None:
            what = "with --game-column, which names the games" if by_column else "without --game"
            raise BadValue("param", sentence=f"--param and --scheme aren't supported {what}")
        if game is None and column is None and config is None:
            raise BadType("game", "must name the game of the log, or --game-column its column")
        return game
    if column is not None:
        known = ", ".join(NAMED)
        raise BadValue("game", f"must be one of {known} with --game-column, got {game!r:.80}")
    whole = config is not None or bool(operator_named(game).eras)
    if game in NAMED and whole and not given["param"] and given["scheme"] is None:
        return game  # all games of the operator, told apart by a column or by the game numbers
    if game in NAMED and game not in GAMES:  # crash is both a game and an operator's module
        column = "give --game-column COLUMN, the column with each row's game"
        one = f"or one of these games, which `provably-fair games {game}` lists"
        raise BadValue("game", sentence=f"--game {game} stands for all games of {game}: {column}, {one}")
    return chosen_game(game, given["param"], given["scheme"], subject=True)


@contextmanager
def _written(path: Path) -> Iterator[IO[str]]:
    """Open a report's file right away; it appears once the report is complete."""
    with write_beside(path) as part, open(part, "w", encoding="utf-8") as file:
        yield file
