"""Logs as test items, named by options, the ini file, or TOML files."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import pytest

if TYPE_CHECKING:
    from provably_fair.sources import Option

_ERRORS = (AssertionError, ValueError, TypeError, OSError, ImportError)
_OPTIONS = {
    "log": ("append", "FILE", "a log of rounds, or a folder of them: a test item for each file"),
    "game": ("store", "GAME", "the game of these logs: dice, mines:mines=5, package.module:Keno"),
    "column": ("append", "FIELD=COLUMN", "how a field's column is called in them: salt=round_salt"),
    "constant": ("append", "FIELD=VALUE", "a field that is the same in all rows: client_seed=client"),
    "seeds": ("store", "FILE", "a table of their seeds, joined by commitment or seed id: seeds.csv"),
    "keep": ("append", "COLUMN", "a column of them to show with each failure: 'Bet ID'"),
    "config": (
        "append",
        "FILE",
        "a TOML file that says of logs what they are and how they are read: dice.toml",
    ),
}


class Named(NamedTuple):
    """A log named by an option or a file."""

    path: Path
    name: str
    """The name of the test item."""
    arguments: Mapping[str, Any]
    """Keyword arguments of `assert_rounds`."""
    by_option: bool
    """Whether an option of this run names it, rather than the ini file."""
    audited: bool = False
    """Whether to audit it too."""


_OF_ARGUMENTS = {"columns": "column", "constants": "constant", "seeds": "seeds", "keep": "keep"}
_STORE = pytest.StashKey[list[Named]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that name logs, and the same names in the ini file."""
    group = parser.getgroup("provably fair games")
    for name, (action, metavar, text) in _OPTIONS.items():
        several = action == "append"
        group.addoption(
            f"--provably-fair-{name}",
            action=action,
            default=[] if several else None,
            metavar=metavar,
            help=text,
        )
        kind: Literal["linelist", "string"] = "linelist" if several else "string"
        parser.addini(f"provably_fair_{name}", f"the same as --provably-fair-{name}", kind)
    group.addoption(
        "--provably-fair-audit",
        action="store_true",
        default=None,
        help="audit these logs too: an item more for each, which fails by what its rows show together",
    )
    group.addoption(
        "--program",
        type=_program,
        metavar="COMMAND",
        help="the port that files of separating rounds test: --program 'node port.mjs', or or "
        "--program dice.mjs, which `provably-fair port` wrote",
    )
    parser.addini("provably_fair_audit", "the same as --provably-fair-audit", "bool")


def _program(text: str) -> str:
    """Return the command that runs a program; a module of JavaScript is played by node."""
    if not text.endswith((".mjs", ".js")) or not Path(text).is_file():
        return text
    package = find_spec("provably_fair")  # found, not loaded
    assert package is not None
    assert package.origin is not None
    return shlex.join(["node", str(Path(package.origin).parent / "ports" / "run.mjs"), text])


# ---- the selection of logs ----


def _given(config: pytest.Config, name: str) -> tuple[Any, Path]:
    """Return an option's value, or that of the ini file, with the folder of its relative paths."""
    value = config.getoption(f"--provably-fair-{name}")
    if value:
        return value, config.invocation_params.dir
    value = config.getini(f"provably_fair_{name}")
    if name in ("column", "constant"):
        value = [re.sub(r"\s*=\s*", "=", line, count=1) for line in value]
    return value, config.rootpath if config.inipath is None else config.inipath.parent


def _named_logs(config: pytest.Config) -> list[Named]:
    """Return the logs that are named; wrong options are usage errors."""
    if _STORE not in config.stash:
        try:
            named = [*_by_options(config), *_by_files(config)]
            if config.getoption("--provably-fair-audit") or config.getini("provably_fair_audit"):
                named += [log._replace(name=f"{log.name} audit", audited=True) for log in named]
            config.stash[_STORE] = named
        except (ValueError, TypeError, OSError, ImportError) as error:
            raise pytest.UsageError(in_plugin_words(error)) from None
    return config.stash[_STORE]


def _by_options(config: pytest.Config) -> Iterator[Named]:
    logs, folder = _given(config, "log")
    game, _ = _given(config, "game")
    columns, constants = (_pairs(name, _given(config, name)[0]) for name in ("column", "constant"))
    if not logs:
        return
    if not game:
        raise pytest.UsageError("--provably-fair-log needs --provably-fair-game: the game of the logs")
    seeds, seeds_folder = _given(config, "seeds")
    from provably_fair._core.errors import BadType, BadValue, argument_of, sentence_of
    from provably_fair.sources import named_in

    arguments = {"game": game, "columns": columns, "constants": constants}
    if keep := _given(config, "keep")[0]:
        arguments["keep"] = keep
    if seeds:
        arguments["seeds"] = named_in(seeds_folder, seeds)
    try:
        _check(arguments)
    except (ValueError, TypeError) as error:
        option = _OF_ARGUMENTS.get(argument_of(error), "game")
        if option != "game" and isinstance(error, BadType | BadValue) and error.problem:
            raise pytest.UsageError(sentence_of(error, f"--provably-fair-{option}")) from None
        raise pytest.UsageError(f"--provably-fair-{option}: {in_plugin_words(error)}") from None
    for path in _files([named_in(folder, log) for log in logs]):
        yield Named(path, game, arguments, bool(config.getoption("--provably-fair-log")))


def _by_files(config: pytest.Config) -> Iterator[Named]:
    files, folder = _given(config, "config")
    if not files:
        return
    from provably_fair.verification.config import logs_of

    for file in files:
        path = folder / file
        logs = logs_of(path)
        if not logs:
            raise pytest.UsageError(f"--provably-fair-config: {path} must name its logs by the key logs")
        try:
            _check({"config": path})
        except (ValueError, TypeError) as error:
            raise pytest.UsageError(f"--provably-fair-config: {path}: {in_plugin_words(error)}") from None
        for log in _files(logs):
            yield Named(log, path.stem, {"config": path}, bool(config.getoption("--provably-fair-config")))


def _check(arguments: Mapping[str, Any]) -> None:
    """Refuse arguments that are wrong for any log."""
    from provably_fair.names import parse_subject
    from provably_fair.verification.plan import planned

    options = dict(arguments)
    game = options.pop("game", None)
    planned(None, None if game is None else parse_subject(game, modules=True), options, None)


def _pairs(name: str, values: list[str]) -> dict[str, str] | None:
    """Parse a repeatable option NAME=..."""
    by_name: dict[str, str] = {}
    for value in values:
        field, equals, rest = value.partition("=")
        if not equals:
            raise pytest.UsageError(f"--provably-fair-{name} must be NAME=..., got {value!r:.80}")
        if (field := field.strip()) in by_name:
            both = f"{by_name[field]!r:.40} and {rest!r:.40}"
            raise pytest.UsageError(f"--provably-fair-{name} must give {field} once, got {both}")
        by_name[field] = rest
    return by_name or None


def _files(logs: Sequence[str | Path]) -> Iterator[Path]:
    """Yield the files of these logs; what `verify` would refuse is kept, and fails as an item."""
    from provably_fair.sources import LogError, files_of

    for log in logs:
        if isinstance(log, str):
            raise pytest.UsageError(
                f"{log}: nodes are files on disk; assert_rounds in a test verifies any other log"
            )
        try:
            yield from files_of(log)
        except LogError:
            yield log


def in_plugin_words(error: BaseException) -> str:
    """Return an error's sentence in terms of the plugin's options."""
    from provably_fair.sources import LogError, spelled

    return spelled(error, _in_options) if isinstance(error, LogError) else str(error)


def _in_options(option: Option) -> str:
    """Return an option of a message in the form that this plugin takes."""
    flag = {"columns": "column", "constants": "constant", "keep": "keep"}.get(option.name)
    if isinstance(option.value, list):
        return " ".join(f"--provably-fair-{flag} {shlex.quote(str(value))}" for value in option.value)
    values = option.value if isinstance(option.value, Mapping) else {}
    if flag is None:
        inside = ", ".join(f"{_toml_key(name)} = {_toml(value)}" for name, value in values.items())
        written = f"{{{inside}}}" if values else _toml(option.value)
        return f"{option.name} = {written} in the file of --provably-fair-config"
    texts = (f"{name}={'...' if value is ... else value}" for name, value in values.items())
    return " ".join(f"--provably-fair-{flag} {shlex.quote(text)}" for text in texts)


def _toml(value: object) -> str:
    """Return a value as TOML."""
    if value is ...:
        return "..."
    text = str(value)
    if "'" not in text and text.isprintable():
        return f"'{text}'"
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")  # JSON leaves DEL as it is


def _toml_key(name: str) -> str:
    return name if re.fullmatch("[A-Za-z0-9_-]+", name) else _toml(name)


# ---- items ----


class LogFile(pytest.File):
    """A log, with an item for each game to verify it against."""

    def collect(self) -> Iterator[LogItem]:
        """Yield the items."""
        here = os.path.realpath(self.path)
        for log in _named_logs(self.config):
            if os.path.realpath(log.path) == here:
                yield LogItem.from_parent(self, name=log.name, arguments=log.arguments, audited=log.audited)


class LogItem(pytest.Item):
    """A log as a test."""

    def __init__(self, *, arguments: Mapping[str, Any], audited: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.arguments = arguments
        self.audited = audited

    def runtest(self) -> None:
        """Verify the log, or audit it."""
        from .rounds import assert_audit, assert_rounds

        (assert_audit if self.audited else assert_rounds)(self.path, **self.arguments)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show the report without a traceback; unexpected errors keep theirs."""
        if not isinstance(excinfo.value, _ERRORS):
            return super().repr_failure(excinfo, style)
        # The summary shows the first line, behind the name of the file.
        text = in_plugin_words(excinfo.value)
        for path in (self.path, os.path.relpath(self.path)):
            text = text.removeprefix(f"{path}: ").removeprefix(f"{path}, ")
        failed = pytest.fail.Exception(text, pytrace=False).with_traceback(excinfo.tb)
        return pytest.ExceptionInfo.from_exception(failed).getrepr(style="value")

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Name the item in reports."""
        return self.path, None, self.name


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> LogFile | None:
    """Collect a log that pytest encounters."""
    if not any(_given(parent.config, name)[0] for name in ("log", "config")):
        return None
    try:
        logs = _named_logs(parent.config)
    except pytest.UsageError:  # raised once, after collection
        return None
    real = os.path.realpath(file_path)
    if any(os.path.realpath(log.path) == real for log in logs):
        file: LogFile = LogFile.from_parent(parent, path=file_path)
        return file
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Append items of logs that pytest didn't encounter, unless a path selects one of them.

    Logs of the ini file are for runs without arguments, like tests.
    """
    if not any(_given(config, name)[0] for name in ("log", "config")):
        return
    named = _named_logs(config)
    logs = {os.path.realpath(log.path): log.path for log in named}
    asked = (os.path.realpath(config.invocation_params.dir / text.partition("::")[0]) for text in config.args)
    if any(path in logs for path in asked):
        return
    there = {os.path.realpath(item.path) for item in items if isinstance(item, LogItem)}
    everything = config.args_source is not pytest.Config.ArgsSource.ARGS
    wanted = {os.path.realpath(log.path) for log in named if everything or log.by_option}
    for real, path in logs.items():
        if real in wanted and real not in there:
            items += LogFile.from_parent(session, path=path).collect()
