"""The command `provably-fair`.

Exit codes: 0 done, or verified; 1 a log, a hash or a commitment that doesn't match; 2 bad usage, or
unreadable input; 141 if the reader closed the output, as shells report SIGPIPE.
"""

from __future__ import annotations

import sys
import traceback
from functools import cache
from pkgutil import resolve_name
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from provably_fair._core.errors import ArgumentError, sentence_of
from provably_fair._core.lazy import Lazily
from provably_fair._core.printable import plain
from provably_fair._engine import __version__
from provably_fair.operators.salted import GAMES

from .frame import (
    INTERRUPTED,
    UNUSABLE,
    VERIFIED,
    GameCommand,
    Grouped,
    GroupedCommand,
    drop,
    in_options,
)

_CLOSED_PIPE = 128 + 13

_COMMANDS: dict[str, dict[str, tuple[str, str]]] = {
    "Games and rounds": {
        "games": ("games", "List the games, with their parameters and questions."),
        "play": ("rounds", "Print the outcome of one round, and the names of its cards."),
        "explain": ("rounds", "Show, step by step, how a round's seeds become its outcome."),
        "simulate": ("rounds", "Simulate rounds, and write them as a log for `verify`."),
        "distribution": ("rounds", "Print the exact law of a game: outcomes, weights, moments."),
        "vectors": ("readings", "Print rounds as JSON that test a port of a game."),
        "port": ("ports", "Write a game as a module of JavaScript."),
        "page": ("ports", "Write the page on which players verify rounds."),
        "video-poker": ("cards", "Show how a hand of Crypto.Games' video poker came about."),
        "blackjack": ("cards", "Show how a hand of Crypto.Games' blackjack came about."),
        "seed": ("seeds", "Make a fresh secret seed, and print it with its commitment."),
        "commit": ("seeds", "Print the commitment to a seed (its SHA-256), or check one."),
    },
    "Logs": {
        "verify": ("logs", "Recompute every row of a log, and show what differs."),
        "audit": ("audits", "Verify a log, and look for fraud that no single row shows."),
        "identify": ("readings", "Find out the game of a log, and what its columns are."),
        "locate": ("locating", "Find where outcomes without hashes lie on a hash chain."),
        "dice-log": ("logs", "Check hashed dice in a game log, and repair records."),
        "certificate": ("certificates", "Check the certificate of a log that verify or audit wrote."),
    },
    "Returns": {
        "rtp": ("returns", "Test a claimed return, from a log or from totals."),
        "returns": ("returns", "Print the exact return of a bet whose payouts are rounded."),
        "rounds-needed": ("returns", "Print how many bets it takes to detect another bet."),
        "watch": ("returns", "Watch the returns of games, at one level for all of them."),
    },
    "Generators": {
        "certify": ("laboratory", "Run a gaming standard's tests on a game's generator."),
        "stream": ("streams", "Write a generator's raw bytes, for test batteries."),
        "battery": ("streams", "Run Dieharder's tests on a generator's bytes."),
    },
}
"""The file of each command and the summary of its help; listing them imports none of the files."""

_FILE_OF = {name: file for commands in _COMMANDS.values() for name, (file, _) in commands.items()}
_OF_GAMES = ("play", "explain", "simulate", "distribution", "returns", "rounds-needed", "certify", "port")
"""Commands whose argument GAME may be given as the option ``--game`` too."""


@cache
def _built(name: str) -> Any:
    """Return a command, built from its function or its own subcommands."""
    value = resolve_name(f"provably_fair.cli.{_FILE_OF[name]}:{name.replace('-', '_')}")
    one = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
    one.callback()(lambda: None)  # keeps it a group, instead of merging its only command into it
    if isinstance(value, typer.Typer):
        one.add_typer(value, name=name)
    else:
        one.command(name, cls=GameCommand if name in _OF_GAMES else GroupedCommand)(value)
    return typer.main.get_group(one).commands[name]


class _Commands(Grouped, TyperGroup):
    """The root command, whose help shows its commands in groups."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.commands: Any = Lazily(_FILE_OF, _built)

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands."""
        return list(_FILE_OF)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options, then the commands."""
        super().format_options(ctx, formatter)
        longest = max(map(len, _FILE_OF))
        limit = formatter.width - 6 - longest
        for title, commands in _COMMANDS.items():
            listed = {name: TyperCommand(name, help=about) for name, (_, about) in commands.items()}
            with formatter.section(title):
                formatter.write_dl(
                    [(name.ljust(longest), one.get_short_help_str(limit)) for name, one in listed.items()]
                )


app: typer.Typer = typer.Typer(
    name="provably-fair",
    cls=_Commands,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help=(
        "Compute, verify and explain the outcomes of provably fair casino games.\n\n"
        "A GAME is a name, with parameters after a colon: dice, mines:mines=5, plinko:pins=8,balls=3. "
        f"The games are {', '.join(GAMES)}; those of operators, such as stake.plinko:rows=8; and your own, "
        "such as package.module:Keno:picks=5. "
        "--game GAME does the same. --scheme FILE takes the scheme from a TOML file.\n\n"
        "provably-fair demo shows what the package does, in seven short chapters.\n\n"
        "Exit codes: 0 done or verified; 1 something doesn't match; 2 bad usage or unreadable input; "
        "141 the reader of the output closed it, so there is no verdict."
    ),
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"provably-fair {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


def run(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit code; arguments default to those of the process."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # Terminals without card suits show escapes instead.
            stream.reconfigure(errors="backslashreplace")
    try:
        return _run(arguments)
    except BrokenPipeError:
        drop(sys.stdout)
        try:
            sys.stderr.flush()
        except BrokenPipeError:
            drop(sys.stderr)
        return _CLOSED_PIPE


@cache
def _command() -> Any:
    """Return the root command, built once: that takes longer than most commands run."""
    return typer.main.get_command(app)


def _run(arguments: list[str] | None) -> int:
    try:
        try:
            _command()(arguments, prog_name="provably-fair")
        finally:
            _flush()
    except SystemExit as done:
        # Typer and rich exit with 1 on a closed pipe, which here means a mismatch.
        if isinstance(done.__context__, BrokenPipeError):
            raise done.__context__ from None
        return done.code if isinstance(done.code, int) else UNUSABLE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # an OSError, but not about an input; `run` handles it
        raise
    except (ValueError, TypeError, ImportError, OSError, IndexError, MemoryError, OverflowError) as error:
        from provably_fair.sources import LogError, spelled

        if isinstance(error, LogError):
            message = spelled(error, in_options, lambda text: plain(text, 3000))
            print(f"provably-fair: {message}", file=sys.stderr)
            return UNUSABLE
        sentence = _in_options(error, arguments) if isinstance(error, ArgumentError) else str(error)
        text = plain(sentence or type(error).__name__, 2000).replace('\\"', '"')
        print(f"provably-fair: {text}", file=sys.stderr)
        return UNUSABLE
    except Exception:  # errors of a user's own code keep their traceback; exit code 1 would be a verdict
        traceback.print_exc()
        return UNUSABLE
    return VERIFIED


def _in_options(error: ArgumentError, arguments: list[str] | None) -> str:
    """Return an error's sentence with the command-line option in place of the argument."""
    command = _command()
    for word in sys.argv[1:] if arguments is None else arguments:
        command = getattr(command, "commands", {}).get(word, command)
    flags = {
        one.name: max(one.opts, key=len) if one.opts[0].startswith("-") else str(one.name).upper()
        for one in command.params
    }
    is_csv = error.argument == "csv" and error.index is not None
    flag = flags.get(str(error.index) if is_csv else error.argument)
    return str(error) if flag is None else sentence_of(error, flag)


def _flush() -> None:
    """Flush stdout now: at exit it is too late to change the exit code."""
    if sys.stdout is not None:
        try:
            sys.stdout.flush()
        except OSError:
            drop(sys.stdout)
            raise
