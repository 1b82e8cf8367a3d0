"""The command `provably-fair`.

Exit codes: 0 done, or verified; 1 a log, a hash or a commitment that doesn't match; 2 bad usage, or input
that can't be read; 141 output that its reader closed, as a shell has it of programs that end by SIGPIPE.
"""

from __future__ import annotations

import sys
import traceback
from functools import cache
from typing import Annotated, Any

import typer

from provably_fair._core.errors import ArgumentError, sentence_of
from provably_fair._core.printable import plain
from provably_fair._engine import __version__
from provably_fair.operators.salted import GAMES
from provably_fair.verification import LogError
from provably_fair.verification.sources import spelled

from . import (
    audits,
    cards,
    certificates,
    games,
    laboratory,
    locating,
    logs,
    readings,
    returns,
    rounds,
    seeds,
    streams,
)
from .shared import (
    INTERRUPTED,
    UNUSABLE,
    VERIFIED,
    GameCommand,
    GroupedCommand,
    GroupedCommands,
    drop,
    in_options,
)

__all__ = ["app", "run"]

_CLOSED_PIPE = 128 + 13

app: typer.Typer = typer.Typer(
    name="provably-fair",
    cls=GroupedCommands,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help=(
        "Compute, verify and explain the outcomes of provably fair casino games.\n\n"
        "A GAME is a name, with parameters after a colon: dice, mines:mines=5, plinko:pins=8,balls=3. "
        f"The games are {', '.join(GAMES)}; those of operators, such as stake.plinko:rows=8; and your own, "
        "such as package.module:Keno:picks=5. "
        "--game GAME does the same. --scheme FILE takes the scheme from a TOML file.\n\n"
        "Exit codes: 0 done or verified; 1 something doesn't match; 2 bad usage or unreadable input; "
        "141 the reader of the output closed it, so there is no verdict."
    ),
)

_COMMANDS: dict[str, tuple[Any, ...]] = {
    "Games and rounds": (
        *(games.games, rounds.play, rounds.explain, rounds.simulate, rounds.distribution),
        *(readings.vectors, cards.video_poker, cards.blackjack, seeds.seed, seeds.commit),
    ),
    "Logs": (
        *(logs.verify, audits.audit, readings.identify, locating.locate),
        *(certificates.certificate, logs.dice_log),
    ),
    "Returns": (returns.rtp, returns.watch),
    "Generators": (laboratory.certify, streams.stream, streams.battery, streams.calibrate),
}
_OF_GAMES = (rounds.play, rounds.explain, rounds.simulate, rounds.distribution, laboratory.certify)
"""Commands with an argument GAME, which may be the option ``--game`` as well."""

for _title, _commands in _COMMANDS.items():
    for _one in _commands:
        if isinstance(_one, typer.Typer):
            app.add_typer(_one, name="certificate", rich_help_panel=_title)
        else:
            _class = GameCommand if _one in _OF_GAMES else GroupedCommand
            app.command(cls=_class, rich_help_panel=_title)(_one)


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
    """Run the command with the given or the program's arguments; return the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A terminal that lacks a card's suit shows its escape.
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
    """Return what runs: made once, which takes longer than most commands do."""
    return typer.main.get_command(app)


def _run(arguments: list[str] | None) -> int:
    try:
        try:
            _command()(arguments, prog_name="provably-fair")
        finally:
            _flush()
    except SystemExit as done:
        # Typer and Rich make exit code 1 of a closed pipe, which is the code of what doesn't match.
        if isinstance(done.__context__, BrokenPipeError):
            raise done.__context__ from None
        return done.code if isinstance(done.code, int) else UNUSABLE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # an OSError, but not of what was given: `run` sees to it
        raise
    except LogError as error:
        message = spelled(error, in_options, lambda text: plain(text, 3000))
        print(f"provably-fair: {message}", file=sys.stderr)
        return UNUSABLE
    except (ValueError, TypeError, ImportError, OSError, IndexError, MemoryError, OverflowError) as error:
        said = _in_options(error, arguments) if isinstance(error, ArgumentError) else str(error)
        text = plain(said or type(error).__name__, 2000).replace('\\"', '"')
        print(f"provably-fair: {text}", file=sys.stderr)
        return UNUSABLE
    except Exception:  # of code of the user's own, whose lines matter; 1 would be a verdict
        traceback.print_exc()
        return UNUSABLE
    return VERIFIED


def _in_options(error: ArgumentError, arguments: list[str] | None) -> str:
    """Return an error's sentence with the command's option in place of the argument's name."""
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
    """Write what stdout still holds now, rather than at exit, where the exit code is settled."""
    if sys.stdout is not None:
        try:
            sys.stdout.flush()
        except OSError:
            drop(sys.stdout)
            raise
