"""A log and how it is read: the options of all functions that take a log, declared only here."""

import inspect
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import date, time
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypedDict, TypeVar, Unpack

from provably_fair._core.arguments import check_type, is_equal
from provably_fair._core.errors import BadType, argument_of
from provably_fair._core.mistakes import mistakes_in, several
from provably_fair._core.table import repr_of
from provably_fair.sources import Described, LogError, files_of

from .config import Config, read_config, told
from .options import OPTIONS
from .systems import System, names_games, system_by_column, system_of

F = TypeVar("F", bound=Callable[..., Any])


class LogOptions(TypedDict, total=False):
    """Options for reading a log; `Log` documents each."""

    columns: Mapping[str, str] | None
    constants: Mapping[str, object] | None
    csv: Mapping[str, str | None] | None
    time_formats: Mapping[str, str] | None
    game_column: str | None
    seeds: object
    seeds_by: str | None
    unrevealed: Literal["report", "fail"] | None
    repeats: Literal["report", "fail"]
    reveal_times: Mapping[str, object] | str | os.PathLike[str] | None
    keep: str | Sequence[str] | None
    config: object
    storage_options: Mapping[str, object] | None
    ordered: bool
    chain_steps: int


DEFAULTS: dict[str, Any] = {name: one.default for name, one in OPTIONS.items()}
"""Defaults of options. An option that isn't given is absent; no value stands for that."""
_TABLES = tuple(name for name, one in OPTIONS.items() if one.by_entry)
_BY_FIELD = ("columns", "constants")


def with_log_options(function: F) -> F:
    """Add the options of logs to a function's signature and documentation."""
    signature = inspect.signature(function)
    own = [one for one in signature.parameters.values() if one.kind is not one.VAR_KEYWORD]
    options = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=DEFAULTS[name], annotation=kind)
        for name, kind in LogOptions.__annotations__.items()
    ]
    place = next((i for i, one in enumerate(own) if one.kind is one.KEYWORD_ONLY), len(own))
    function.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[*own[:place], *options, *own[place:]]
    )
    if function.__doc__ is not None:
        function.__doc__ = function.__doc__.replace(
            "**options\n", f"{', '.join(one.name for one in options)}\n", 1
        )
    return function


def known_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options, and refuse unknown ones."""
    for name in options:
        if name not in OPTIONS:
            close = get_close_matches(name, OPTIONS, 1)
            meant = (
                f": did you mean {close[0]}?"
                if close
                else f". Its options are {', '.join(OPTIONS)}; fields of rounds are its columns, as in "
                f"{{{name!r:.80}: [...]}}, a value for each row"
            )
            raise BadType(name, sentence=f"a log has no option {name!r:.80}{meant}")
    return dict(options)


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Log(Described):
    """A log with the options for reading it, accepted wherever a log is.

    `verify`, `check`, `audit` and all other functions of logs take the same options directly. Options of a
    call take precedence over those of the `Log`, these over a config, and these over the defaults. For
    ``columns``, ``constants``, ``csv`` and ``time_formats`` this holds for each entry.

    Parameters
    ----------
    source : path, file, list of them, Query, mapping, frame, Arrow data, cursor or iterator
        The log. It is read batch by batch, in constant memory, and never written to:

        - a file, a folder, a pattern (``"bets/*/*.csv"``, ``**`` for folders of any depth) or a list of them:
          CSV, Parquet, JSON (lines or an array), Arrow IPC, Excel (first sheet), ZIP; CSV and JSON also as
          .gz, .zst or .bz2. Folders named ``mines=5`` are columns. A path may be a URL (``s3://``, ``gs://``,
          ``https://``, ...), a pipe, ``"-"`` for stdin; an open file is recognized by its name or content.
          `Files` gives a format that they don't show;
        - a `Query`, a cursor after its query, SQLAlchemy's result, DuckDB's relation;
        - an iterator or a list of frames, Arrow batches or rows as mappings; lazy frames of Polars, frames
          of Dask; Arrow tables, datasets, scanners, and anything with ``__arrow_c_stream__``.

        Or a mapping of columns (single values stand for every row), a pandas or a Polars frame.
    columns : mapping of str to str, optional
        The log's column for each field, unless it has the field's name. The fields depend on the game;
        `verify` lists them. ``"n - 1"`` is the column ``n`` less 1, unless a column has that very name;
        a cell that is no whole number is then missing.
    constants : mapping of str to text or int, optional
        Fields that are the same for all rows and have no column.
    csv : mapping of str to str, optional
        The format of CSV, where it isn't detected: ``separator``, by default the one of comma, semicolon, tab
        and bar that separates the first line; ``encoding``, UTF-8 by default; and for numbers in text
        ``decimal``, "." or ",", and ``thousands``, the mark between groups of digits.
    time_formats : mapping of str to str, optional
        The format of ``time``, ``commitment_time`` or ``reveal_time``, used by audits and `Watch`. By default
        a column is read in the one format that fits all its rows; where several fit, as with 1/2/2024, the
        log is refused until this says which one is meant:

        - "year-first": ISO 8601, 2024-12-31T10:00:00.5+02:00, 20241231T100000Z; also 2024/12/31;
        - "day-first": 31.12.2024 10:00, 31/12/2024, RFC 2822 (Tue, 31 Dec 2024 10:00:00 GMT);
        - "month-first": 12/31/2024 10:00 PM, Dec 31, 2024;
        - "epoch": seconds since 1970, milli-, micro- or nanoseconds, with or without a fraction.

        Times without a zone are in UTC. Cells in another format than the one given are no times.
    game_column : str, optional
        The column that names each row's game, in a log of several games. Then ``game`` maps its values to
        games, with None for rows to skip: ``{"Dice": "stake.dice", "Mines": pf.operators.stake.Mines(5),
        "Slots": None}``. Or it is the name of an operator, or None, and the games have their own names.
        Parameters of the games may have columns, too.
    seeds : path, mapping, frame or Arrow data, optional
        A separate table of seeds, as many operators export them. It is joined to the rounds on the commitment
        to the server seed, or on the column that both have, such as ``seed_id``. Server seeds that aren't
        revealed yet are empty.
    seeds_by : str, optional
        The column to join on, if both tables have several in common.
    unrevealed : {"report", "fail"}, optional
        The treatment of rows with an empty server seed (or game hash). With "report", the default with
        `seeds`, they are counted as not checkable yet, neither right nor wrong. With "fail", the default
        without, they fail.
    repeats : {"report", "fail"}
        The treatment of rows that have the round of an earlier row: they are reported, or they fail.
    reveal_times : mapping or path, optional
        When server seeds were revealed, by the seed or its commitment, if the log has no such column; or a
        CSV file of these two columns. Used by audits.
    keep : str or list of str, optional
        Further columns of the log, such as a bet's id or the player, whose cells each failure shows: see
        `Failure`.
    config : path or mapping, optional
        A TOML file with the log and its options, or the same as a mapping. Its keys are ``logs`` (paths,
        relative to the file's folder), ``game`` and ``scheme`` (a file or a table), or ``game_column`` and
        the table ``games``, and every other option by its name. ``anchor`` and ``anchor_number`` are for
        `locate`, ``bet`` for `audit`: "columns", or a table of the arguments of the game's `bet`. What a
        table ``about`` says of the log is shown by reports.
    storage_options : mapping, optional
        Options of fsspec for the storage of a URL, as in pandas: ``{"anon": True}``.
    ordered : bool
        Whether the values of an outcome must be in the order drawn even if the outcome is a set (mines,
        numbers of keno). By default sets are compared in any order.
    chain_steps : int
        For a game on a chain: the largest number of steps from a game's hash to the terminating one, if
        ``game_number`` doesn't give it. Ten million steps take about a second. All rows of a log together
        take at most 100,000,000 steps and 5 times as many as a row, most of them for the chain that most
        rows are on; what that leaves open is counted in the report's ``unknown``.

    Attributes
    ----------
    options : dict
        The options that were given. Each option is also an attribute, with its default if it wasn't given.

    Notes
    -----
    Logs are equal if their sources and options are: columns and frames with the same values and types, and
    cursors, open files and iterators only if they are the same. A `Log` isn't hashable.

    Examples
    --------
    >>> rows = {"Seed": ["server"], "client_seed": "client", "salt": "salt 1", "outcome": [0.05]}
    >>> log = pf.Log(rows, columns={"server_seed": "Seed"})
    >>> pf.verify(log, "dice").ok, pf.audit(log, "dice").ok
    (True, True)
    >>> log.columns, log.repeats
    ({'server_seed': 'Seed'}, 'report')
    """

    source: Any
    options: LogOptions

    def __init__(self, source: object = None, **options: Unpack[LogOptions]) -> None:
        vars(self).update(source=source, options=known_options(options))

    def __getattr__(self, name: str) -> Any:
        if name in DEFAULTS:
            return vars(self).get("options", DEFAULTS).get(name, DEFAULTS[name])
        raise AttributeError(f"'Log' has no attribute {name!r}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Log):
            return NotImplemented
        return is_equal((self.source, self.options), (other.source, other.options))

    def __repr__(self) -> str:
        return repr_of("Log", {"source": self.source, **self.options})


with_log_options(Log.__init__)


def with_options(log: object, options: Mapping[str, Any]) -> object:
    """Return a log with the options of a call, which override its own."""
    if not options:
        return log
    asked = settled(log, None, options)
    return Log(asked.source, **{name: asked.options[name] for name in asked.said})


class LogCall(NamedTuple):
    """The log, system and options of a call, merged from its arguments, a `Log` and a config."""

    source: Any
    game: Any
    options: dict[str, Any]  # every option
    config: Config | None
    said: frozenset[str]  # the options that the call or its `Log` gave

    @property
    def system(self) -> System:
        """The system of the log."""
        one = self.options["game_column"] is None
        return system_of(self.game) if one else system_by_column(self.game)

    def check(self) -> None:
        """Raise an error for a wrong value of an option; `plan_of` has all of them at once."""
        for name, value in self.options.items():
            if name in _TABLES:
                check_type(name, value, Mapping | None, "a mapping")
            if value is not DEFAULTS[name]:
                OPTIONS[name].check(value)

    @property
    def about(self) -> dict[str, Any]:
        """The config's description of the log for readers: texts, numbers and dates."""
        said = {} if self.config is None else self.config.about
        kept = (str, int, float, date, time)
        return {name: str(value) for name, value in said.items() if isinstance(value, kept)}

    @property
    def inputs(self) -> list[Path]:
        """The files on disk that are read in addition to the log's."""
        found = [] if self.config is None else list(self.config.files)
        for given in (self.options["seeds"], self.options["reveal_times"]):
            with suppress(LogError):  # missing files are reported when they are read
                found += files_of(given)
        return found

    @contextmanager
    def naming_config(self) -> Iterator[None]:
        """Raise all mistakes at once; name the file of those of the config, with an example."""
        own: list[tuple[str, Exception]] = []
        found = [] if self.config is None else list(self.config.mistakes)
        try:
            yield
        except (TypeError, ValueError) as error:
            for name, one in mistakes_in(error):
                name = name or argument_of(one)
                is_own = self.config is None or name in self.said or name not in self.config.options
                (own if is_own else found).append((name, one))
            if not found:
                raise
        if found:
            assert self.config is not None
            texts = [*(str(error) for _, error in own), told(self.config.where, found)]
            raise several([*own, *found], texts) from None


def settled(log: object, game: object, options: Mapping[str, Any]) -> LogCall:
    """Merge the options of a call: its own override those of a `Log`, and these a config's."""
    layers = [known_options(options)]
    if isinstance(log, Log):
        layers.append(dict(log.options))
        log = log.source
    said = frozenset(name for layer in layers for name in layer)
    config = next((layer["config"] for layer in layers if "config" in layer), None)
    found = None
    if config is not None:
        found = read_config(config)
        layers.append(found.options)
        if log is None:
            log = found.logs
        if game is None:
            if "game_column" not in said or names_games(found.game):
                game = found.game
        elif not names_games(game):  # a single game overrides a column of games
            found.options.pop("game_column", None)
    asked = {name: next((it[name] for it in layers if name in it), DEFAULTS[name]) for name in OPTIONS}
    asked |= {name: _joined(name, layers) for name in _TABLES}
    return LogCall(log, game, asked, found, said)


def _joined(name: str, layers: Iterable[Mapping[str, Any]]) -> Any:
    """Merge tables, of which earlier ones override later ones."""
    whole: dict[Any, Any] = {}
    for layer in reversed(list(layers)):
        if layer.get(name) is not None and not isinstance(layer[name], Mapping):
            return layer[name]  # a wrong type, which is refused later
        if name in _BY_FIELD:  # a field's column overrides its constant in later layers, and vice versa
            (other,) = (layer.get(table) or {} for table in _BY_FIELD if table != name)
            whole = {field: value for field, value in whole.items() if field not in other}
        whole |= layer.get(name) or {}
    return whole or None
