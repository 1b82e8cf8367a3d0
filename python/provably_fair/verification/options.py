"""The options for reading a log, in one table: Python, configs, the command and pytest follow it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from provably_fair._core.arguments import BadType, BadValue, check_type, integer
from provably_fair.sources.dialect import Dialect
from provably_fair.sources.times import check_time_formats

from .systems.chains import CHAIN_STEPS, MOST_STEPS

TEXT, TABLE, WHOLE, TRUTH = "text", "a table", "a whole number", "true or false"
TEXTS = "text or a list of texts"
FILE_OR_TABLE = "text (a file) or a table"
"""Descriptions of the values of a config's keys."""


def _columns(value: Any) -> None:
    if isinstance(value, Mapping):
        for field, column in value.items():
            check_type("columns", column, str, "a column's name", index=field)


def _treatment(name: str, *more: object) -> Callable[[Any], None]:
    def check(value: Any) -> None:
        if value not in ("report", "fail", *more):
            raise BadValue(name, f'must be "report" or "fail", got {value!r}')

    return check


def _ordered(value: Any) -> None:
    if not isinstance(value, bool):
        raise BadType("ordered", f"must be True or False, got {value!r:.80}")


def _keep(value: Any) -> None:
    if value is None or isinstance(value, str):
        return
    if not isinstance(value, list | tuple):
        raise BadType("keep", f"must be a column's name or a list of names, got {type(value).__name__}")
    for place, column in enumerate(value):
        check_type("keep", column, str, "a column's name", index=place)


class LogOption(NamedTuple):
    """An option for reading a log: its default, its values, and its spelling elsewhere."""

    key: str | None  # the value of a config's key; None where a config can't have it
    line: str  # an example of the key's line
    flag: str  # the command's flag; a flag with a slash has its opposite behind it
    # The value's name in the command's help; None if the command derives it, or if there is no value
    metavar: str | None
    help: str
    default: Any = None  # the value if the option isn't given
    # Raises an error for an invalid value; by default the reader of the option does
    check: Callable[[Any], object] = lambda _: None
    # Whether the entries of a call, a `Log` and a config are merged, in this order of precedence
    by_entry: bool = False
    several: bool = False  # whether the command's flag is given once for each entry


OPTIONS: dict[str, LogOption] = {
    "columns": LogOption(
        TABLE,
        'columns = {salt = "Round ID"}',
        "--column",
        "FIELD=COLUMN",
        "The log's column for a field: --column salt=round_salt",
        check=_columns,
        by_entry=True,
        several=True,
    ),
    "constants": LogOption(
        TABLE,
        'constants = {client_seed = "player"}',
        "--constant",
        "FIELD=VALUE",
        "A field that is the same in all rows: --constant client_seed=client",
        by_entry=True,
        several=True,
    ),
    "csv": LogOption(
        TABLE,
        'csv = {decimal = ","}',
        "",  # each entry has its own flag
        None,
        "",
        check=Dialect.read,
        by_entry=True,
    ),
    "time_formats": LogOption(
        TABLE,
        'time_formats = {time = "day-first"}',
        "--time-format",
        "FIELD=FORMAT",
        "How a field's times are written, year-first, day-first, month-first or epoch, if several fit: "
        "--time-format time=day-first",
        check=check_time_formats,
        by_entry=True,
        several=True,
    ),
    "game_column": LogOption(
        TEXT,
        'game_column = "Game"',
        "--game-column",
        "COLUMN",
        "The column with each row's game: --game-column Game (for an operator's games, -g stake)",
    ),
    "seeds": LogOption(
        TEXT,
        'seeds = "seeds.csv"',
        "--seeds",
        "FILE",
        "A table of seeds, joined by commitment or seed id: --seeds seeds.csv",
    ),
    "seeds_by": LogOption(
        TEXT,
        'seeds_by = "seed_id"',
        "--seeds-by",
        "COLUMN",
        "The column to join on, if there are several: --seeds-by seed_id",
        check=lambda value: check_type("seeds_by", value, str | None, "a column's name"),
    ),
    "unrevealed": LogOption(
        TEXT,
        'unrevealed = "report"',
        "--unrevealed",
        None,  # the help lists the choices
        "Rows without a server seed aren't checkable yet, --unrevealed report; or are wrong",
        check=_treatment("unrevealed", None),
    ),
    "repeats": LogOption(
        TEXT,
        'repeats = "fail"',
        "--fail-repeats/--report-repeats",
        None,
        "Rows that repeat the round of an earlier row fail, --fail-repeats, or are reported",
        default="report",
        check=_treatment("repeats"),
    ),
    "reveal_times": LogOption(
        FILE_OR_TABLE,
        'reveal_times = "reveals.csv"',
        "--reveal-times",
        "FILE",
        "CSV with two columns, server seeds (or commitments) and the times of their reveal, for audits: "
        "--reveal-times times.csv",
    ),
    "keep": LogOption(
        TEXTS,
        'keep = ["Bet ID", "Player"]',
        "--keep",
        "COLUMN",
        "A column to show with each failure: --keep 'Bet ID'",
        check=_keep,
        several=True,
    ),
    "config": LogOption(
        None,
        "",
        "--config",
        "FILE",
        "A TOML file with game, scheme, columns, constants, logs and more: --config log.toml",
    ),
    "storage_options": LogOption(
        TABLE,
        "storage_options = {anon = true}",
        "--storage-option",
        "NAME=VALUE",
        "An option of the URL's storage: --storage-option anon=true",
        check=lambda value: check_type("storage_options", value, Mapping | None, "a mapping"),
        several=True,
    ),
    "ordered": LogOption(
        TRUTH,
        "ordered = true",
        "--ordered/--any-order",
        None,
        "Compare sets in the order drawn, too: --ordered",
        default=False,
        check=_ordered,
    ),
    "chain_steps": LogOption(
        WHOLE,
        "chain_steps = 20000000",
        "--chain-steps",
        "COUNT",
        "The most steps from a game's hash to the terminating one, if there is no game_number: "
        "--chain-steps 20000000",
        default=CHAIN_STEPS,
        check=lambda value: integer("chain_steps", value, 1, MOST_STEPS),
    ),
}
