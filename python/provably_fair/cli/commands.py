"""The command `provably-fair`.

Exit codes: 0 done, or verified; 1 a log, a hash or a commitment that doesn't match; 2 bad usage, or input
that can't be read; 141 output that its reader closed, as a shell has it of programs that end by SIGPIPE.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.text import Text

from provably_fair._core.optional import optional
from provably_fair._core.printable import plain
from provably_fair._core.progress import ProgressBar
from provably_fair._engine import __version__
from provably_fair.crypto_games import Blackjack, VideoPoker
from provably_fair.fpclub import load_log
from provably_fair.games.games import GAMES, Game
from provably_fair.names import parse_game, parse_subject
from provably_fair.seeds.commitments import check_commitment, commitment, new_seed
from provably_fair.seeds.generator import salts
from provably_fair.seeds.series import series
from provably_fair.statistics.dieharder import battery as run_battery
from provably_fair.statistics.dieharder import stream as write_stream
from provably_fair.verification.checking import verify as verify_log

from . import battery as battery_command

__all__ = ["app", "run"]

VERIFIED, MISMATCH, UNUSABLE = 0, 1, 2
_CLOSED_PIPE = 128 + 13
_PIECE = 1 << 16
_SHOWN = 60

app = typer.Typer(
    name="provably-fair",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help=(
        "Compute, check and explain the outcomes of provably fair casino games.\n\n"
        "A GAME is a name, with parameters after a colon: dice, mines:mines=5, plinko:pins=8,balls=3. "
        f"The games: {', '.join(GAMES)}.\n\n"
        "Exit codes: 0 done or verified, 1 something doesn't match, 2 bad usage or unreadable input, "
        "141 the output's reader closed it, so there is no verdict."
    ),
)

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


def _out(text: str, style: str = "") -> None:
    """Print text as it is: no markup is read in it, colours come only on a terminal."""
    Console(soft_wrap=True, highlight=False).print(Text(text, style=style))


def _json(value: Any) -> None:
    print(json.dumps(value))


def _progress(wanted: bool | None) -> bool:
    return sys.stderr.isatty() if wanted is None else wanted


def _seeds(server_seed: str | None, client_seed: str | None, salt: str) -> dict[str, Any]:
    given = {"server_seed": server_seed, "client_seed": client_seed, "salt": salt}
    return {name: value for name, value in given.items() if value is not None}


@app.command()
def play(
    game: GameArgument,
    salt: SaltOption,
    server_seed: ServerOption = None,
    client_seed: ClientOption = None,
    param: ParameterOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the outcome of one round.

    Example: provably-fair play mines:mines=5 -s SERVER -c CLIENT --salt SALT
    """
    chosen = parse_game(game, param or ())
    outcome = chosen.play(**_seeds(server_seed, client_seed, salt)).tolist()
    if as_json:
        _json({"game": repr(chosen), "outcome": outcome})
    else:
        _out(str(outcome))


@app.command()
def explain(
    game: GameArgument,
    salt: SaltOption,
    server_seed: ServerOption = None,
    client_seed: ClientOption = None,
    param: ParameterOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show, step by step, how a round's seeds become its outcome."""
    chosen: Any = parse_game(game, param or ())
    walk = chosen.explain(**_seeds(server_seed, client_seed, salt))
    if as_json:
        _json(walk.to_dict())
    else:
        _out(str(walk))


@app.command()
def verify(
    log: Annotated[list[Path], typer.Argument(help="Files or one folder: CSV, Parquet, JSON lines, Arrow.")],
    game: Annotated[
        str, typer.Option("--game", "-g", metavar="GAME", help="What the log is of: dice, mines:mines=5")
    ],
    param: ParameterOption = None,
    column: Annotated[
        list[str] | None,
        typer.Option("--column", metavar="FIELD=COLUMN", help="How a field's column is called in the log."),
    ] = None,
    constant: Annotated[
        list[str] | None,
        typer.Option("--constant", metavar="FIELD=VALUE", help="A field that is the same in all rows."),
    ] = None,
    explained: Annotated[
        bool, typer.Option("--explain", help="Show the walk-through of the first row that fails.")
    ] = False,
    report: Annotated[Path | None, typer.Option(help="Write the report here, as JSON.")] = None,
    threads: Annotated[int | None, typer.Option(help="The most threads to use.")] = None,
    progress: ProgressOption = None,
    as_json: JsonOption = False,
) -> None:
    """Recompute every row of a log; what differs is shown, and the exit code is the verdict.

    Fields: server_seed, client_seed, salt, outcome; where the log has them the game's parameters (mines,
    spins, pins, balls, tickets), commitment and salt_commitment. Multi-player games need no seeds but
    the salt.

    Other systems: video-poker (server_seed, client_seed, nonce, hold, commitment; the outcome is the ten
    cards, the final five or the pay), blackjack (actions instead of hold; the outcome is cards of the
    shoe or the net win), hashed-dice (digits, hash), combined-dice (first, second, outcome).

    Examples: provably-fair verify rounds.parquet --game dice;
    provably-fair verify logs/ --game mines:mines=5 --column salt=round_salt --json
    """
    found = verify_log(
        log[0] if len(log) == 1 else log,
        parse_subject(game, param or ()),
        _pairs("--column", column),
        _progress(progress),
        constants=_pairs("--constant", constant),
        threads=threads,
    )
    if report is not None:
        report.write_text(found.to_json() + "\n", encoding="utf-8")
    if as_json:
        print(found.to_json())
    elif found.ok:
        _out(str(found))
    else:
        first, _, rest = str(found).partition("\n")
        _out(first, "bold red")
        _out(rest)
        if explained and found.failures:
            try:
                walk = f"Row {found.failures[0].row}, step by step\n\n{found.explain()}"
            except ValueError as error:  # a cell of it can't be read
                walk = str(error)
            _out(f"\n{walk}")
    if not found.checked:
        raise ValueError(f"{plain(str(log[0]))}: no rows, so nothing was verified")
    raise typer.Exit(VERIFIED if found.ok else MISMATCH)


def _pairs(option: str, values: list[str] | None) -> dict[str, str]:
    pairs = {}
    for value in values or []:
        name, equals, rest = value.partition("=")
        if not equals:
            raise ValueError(f"{option} must be NAME=..., got {value!r}")
        pairs[name] = rest
    return pairs


@app.command()
def simulate(
    game: GameArgument,
    rounds: Annotated[int, typer.Argument(help="How many rounds.", min=0)],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", help="A file that ends in .parquet, .csv or .npy; CSV on stdout without."
        ),
    ] = None,
    seed: Annotated[str, typer.Option(help="The name of the series of salts.")] = "0",
    start: Annotated[int, typer.Option(help="The number of the first salt.", min=0)] = 0,
    server_seed: ServerOption = None,
    client_seed: ClientOption = None,
    param: ParameterOption = None,
    progress: ProgressOption = None,
) -> None:
    """Simulate rounds, and write them as a log that `verify` accepts (.npy: the outcomes alone).

    Example: provably-fair simulate crash 1000000 --out rounds.parquet
    """
    chosen = parse_game(game, param or ())
    rounds, name, start = series(rounds, seed, start)
    server, client = chosen._simulated_seeds(name, server_seed, client_seed)
    ending = ".csv" if out is None else out.suffix.lower()
    writers = {".csv": _write_csv, ".parquet": _write_parquet, ".npy": _write_npy}
    if ending not in writers:
        raise ValueError(f"--out must end in {', '.join(writers)}, got {plain(str(out))}")

    def pieces() -> Iterator[tuple[np.ndarray, np.ndarray]]:
        with ProgressBar(rounds, _progress(progress)) as shown:
            for first in range(0, rounds, _PIECE):
                count = min(_PIECE, rounds - first)
                some = salts(count, name, start + first)
                yield some, chosen.play(server, client, some)
                if shown is not None:
                    shown(first + count)

    writers[ending](out, chosen, rounds, server, client, pieces())


Pieces = Iterator[tuple[np.ndarray, np.ndarray]]


def _write_csv(out: Path | None, game: Game, rounds: int, server: str, client: str, pieces: Pieces) -> None:
    import csv

    file = sys.stdout if out is None else open(out, "w", newline="", encoding="utf-8")  # noqa: SIM115
    try:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["server_seed", "client_seed", "salt", "outcome"])
        for some, outcomes in pieces:
            for salt, outcome in zip(some.tolist(), outcomes.tolist(), strict=True):
                cell = json.dumps(outcome) if game.shape else outcome
                writer.writerow([server, client, salt.decode(), cell])
    finally:
        if out is not None:
            file.close()


def _write_parquet(
    out: Path | None, game: Game, rounds: int, server: str, client: str, pieces: Pieces
) -> None:
    pa = optional("pyarrow", "arrow", "--out: Parquet")
    parquet = optional("pyarrow.parquet", "arrow", "--out: Parquet")
    kind = pa.from_numpy_dtype(game._default_dtype)
    for _ in game.shape:
        kind = pa.list_(kind)
    names = ["server_seed", "client_seed", "salt"]
    schema = pa.schema([*((name, pa.string()) for name in names), ("outcome", kind)])
    with parquet.ParquetWriter(out, schema, compression="zstd") as writer:
        for some, outcomes in pieces:
            values = pa.array(outcomes.tolist() if game.shape else outcomes, kind)
            text = pa.array(some, pa.binary()).cast(pa.string())
            same = [pa.repeat(pa.scalar(seed, pa.string()), len(some)) for seed in (server, client)]
            writer.write_table(pa.table([*same, text, values], schema=schema))


def _write_npy(out: Path | None, game: Game, rounds: int, server: str, client: str, pieces: Pieces) -> None:
    assert out is not None
    shape = (rounds, *game.shape)
    if not rounds:
        np.save(out, np.empty(shape, game._default_dtype))
        return
    array = np.lib.format.open_memmap(out, "w+", game._default_dtype, shape)
    done = 0
    for some, outcomes in pieces:
        array[done : done + len(some)] = outcomes
        done += len(some)
    array.flush()


@app.command()
def distribution(
    game: GameArgument,
    subject: Annotated[
        list[str] | None,
        typer.Option(
            "--of", metavar="NAME=VALUE", help="What the law is of: cells=0,1 of Mines, reel=0 of Slot."
        ),
    ] = None,
    as_drawn: Annotated[bool, typer.Option("--as-drawn", help="With the draws' rounding.")] = False,
    param: ParameterOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print a game's exact law: outcomes, weights, mean and standard deviation.

    Example: provably-fair distribution mines:mines=3 --of cells=0,1
    """
    chosen = parse_game(game, param or ())
    law = chosen.distribution("as_drawn" if as_drawn else "ideal", **_subject(subject))
    outcomes = law.outcomes.tolist()
    if as_json:
        weights = [str(weight) for weight in law.weights]  # larger than other languages' integers
        _json({"game": repr(chosen), "outcomes": outcomes, "weights": weights, "total": str(law.total)})
        return
    _out(f"{chosen!r}: mean {law.mean():.9g}, standard deviation {law.std():.9g}, {len(outcomes)} outcomes")
    for outcome, weight in list(zip(outcomes, law.weights, strict=True))[:_SHOWN]:
        _out(f"{outcome!s:>12}  {weight / law.total:.12f}  {weight} / {law.total}")
    if len(outcomes) > _SHOWN:
        _out(f"and {len(outcomes) - _SHOWN} more; --json prints all")


def _subject(values: list[str] | None) -> dict[str, Any]:
    """Read what a law is of: numbers, or lists of them with commas."""
    found: dict[str, Any] = {}
    for name, value in _pairs("--of", values).items():
        try:
            numbers = [float(part) if "." in part else int(part) for part in value.split(",")]
        except ValueError:
            raise ValueError(f"--of {name} must be numbers, got {value!r}") from None
        found[name] = numbers if "," in value or name in ("cells", "sectors") else numbers[0]
    return found


@app.command()
def stream(
    server_seed: Annotated[
        str | None,
        typer.Option("--server-seed", "-s", help='The server seed; by default SHA-256 of "SEED:server".'),
    ] = None,
    client_seed: Annotated[
        str | None,
        typer.Option("--client-seed", "-c", help='The client seed; by default SHA-256 of "SEED:client".'),
    ] = None,
    seed: Annotated[str, typer.Option(help="SEED, the name of the series of salts.")] = "0",
    start: Annotated[int, typer.Option(help="The number of the first salt.", min=0)] = 0,
    rounds: Annotated[
        int | None, typer.Option(help="How many rounds of 64 bytes; endless without.", min=0)
    ] = None,
) -> None:
    """Write the generator's raw bytes to stdout, 64 for each round, for test batteries.

    Example: provably-fair stream | dieharder -a -g 200
    """
    if sys.stdout.isatty():
        raise ValueError("stdout is a terminal: send the bytes to a file or a program")
    words = None if rounds is None else 16 * rounds
    write_stream(
        sys.stdout.buffer, words, seed=seed, start=start, server_seed=server_seed, client_seed=client_seed
    )
    # What a reader left in the buffer can't be written any more: no complaint at exit.
    _drop(sys.stdout)


@app.command()
def battery(
    tests: Annotated[
        list[str] | None, typer.Argument(help=f"{battery_command.TESTS}.", show_default=False)
    ] = None,
    seed: Annotated[str, typer.Option(help="The name of the series of salts.")] = "0",
    raw: Annotated[Path | None, typer.Option(help="A file for Dieharder's own output.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Run an installed Dieharder on the generator's bytes; a test that fails twice is exit code 1."""
    report = run_battery(
        battery_command.chosen(tests),
        seed=seed,
        progress=lambda line: print(plain(line), file=sys.stderr),
    )
    if raw is not None:
        raw.write_text(report.raw, encoding="utf-8")
    if as_json:
        _json(json.loads(report.to_json()))
    else:
        print(report)
    if report.assessment == "FAILED":
        raise typer.Exit(1)


@app.command("video-poker")
def video_poker(
    server_seed: Annotated[str, typer.Option("--server-seed", "-s", help="The server seed.")],
    client_seed: Annotated[str, typer.Option("--client-seed", "-c", help="The client seed.")],
    nonce: Annotated[str, typer.Option(help="What is written after the client seed.")] = "",
    hold: Annotated[
        str | None, typer.Option(help="Positions to hold, from 1: 1,4; the best hold by default.")
    ] = None,
    paytable: Annotated[str, typer.Option(help="The paytable's name.")] = "jacks_or_better",
    commitment: Annotated[
        str | None, typer.Option(help="The SHA-256 of the server seed that was published.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show how a hand of video poker came about, card by card; a commitment that differs is exit code 1."""
    try:
        held = None if hold is None else [int(position) for position in hold.split(",") if position]
    except ValueError:
        raise ValueError(f"--hold must be positions from 1 to 5, such as 1,4, got {hold!r}") from None
    shown = VideoPoker(paytable).explain(server_seed, client_seed, held, nonce=nonce, commitment=commitment)
    if as_json:
        _json(shown.to_dict())
    else:
        _out(str(shown))
    if commitment is not None and not check_commitment(server_seed, commitment):
        raise typer.Exit(MISMATCH)


@app.command()
def blackjack(
    server_seed: Annotated[str, typer.Option("--server-seed", "-s", help="The server seed.")],
    client_seed: Annotated[str, typer.Option("--client-seed", "-c", help="The client seed.")],
    nonce: Annotated[str, typer.Option(help="What is written after the client seed.")] = "",
    actions: Annotated[
        str | None, typer.Option(help="What the player did: split,double,stand; without, the shoe is shown.")
    ] = None,
    commitment: Annotated[
        str | None, typer.Option(help="The SHA-256 of the server seed that was published.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show how a hand of blackjack came about, card by card; a commitment that differs is exit code 1."""
    taken = None if actions is None else actions.replace(",", " ").split()
    shown = Blackjack().explain(server_seed, client_seed, taken, nonce=nonce, commitment=commitment)
    if as_json:
        _json(shown.to_dict())
    else:
        _out(str(shown))
    if commitment is not None and not check_commitment(server_seed, commitment):
        raise typer.Exit(MISMATCH)


@app.command("dice-log")
def dice_log(
    path: Annotated[Path, typer.Argument(help="A game log with records DH[...]MI[...]DS[...].")],
    as_json: JsonOption = False,
) -> None:
    """Check every record of hashed dice in a game log, and look for the repair of those that fail."""
    checks = [record.check() for record in load_log(path)]
    if not checks:
        raise ValueError(f"{plain(str(path))}: no records")
    if as_json:
        _json(
            [
                {
                    "ok": check.ok,
                    "algorithm": check.algorithm,
                    "published": check.expected,
                    "computed": check.computed,
                    "dice": len(check.digits),
                    "repair": None if check.repair is None else str(check.repair),
                }
                for check in checks
            ]
        )
    else:
        for number, check in enumerate(checks):
            _out(f"record {number}", "" if check.ok else "bold red")
            _out(f"{check}\n")
    raise typer.Exit(VERIFIED if all(check.ok for check in checks) else MISMATCH)


@app.command()
def seed(as_json: JsonOption = False) -> None:
    """Make a fresh secret seed, and print it with its commitment."""
    made = new_seed()
    if as_json:
        _json({"seed": made, "commitment": commitment(made)})
    else:
        _out(f"seed        {made}\ncommitment  {commitment(made)}")


@app.command()
def commit(
    seed: Annotated[str, typer.Argument(help="The seed; - reads it from stdin.")],
    check: Annotated[
        str | None, typer.Option(metavar="COMMITMENT", help="Compare with a published one: exit code 0 or 1.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Print the commitment to a seed, its SHA-256; or check a published one."""
    text = sys.stdin.read().rstrip("\r\n") if seed == "-" else seed
    computed = commitment(text)
    matches = None if check is None else check_commitment(text, check)
    if as_json:
        _json({"commitment": computed} | ({} if matches is None else {"matches": matches}))
    else:
        _out(computed if matches is None else f"{'matches' if matches else 'DIFFERS: it is'} {computed}")
    raise typer.Exit(MISMATCH if matches is False else VERIFIED)


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
    """Run the command with the given or the program's arguments; return the exit code.

    Parameters
    ----------
    arguments : list of str, optional
        What follows the command's name.

    Examples
    --------
    >>> from provably_fair.cli import run
    >>> run(["play", "mines:mines=3", "-s", "", "-c", "", "--salt", ""])
    [11, 8, 18]
    0
    """
    try:
        return _run(arguments)
    except BrokenPipeError:
        _drop(sys.stdout)
        try:
            sys.stderr.flush()
        except BrokenPipeError:
            _drop(sys.stderr)
        return _CLOSED_PIPE


def _run(arguments: list[str] | None) -> int:
    try:
        try:
            app(arguments, prog_name="provably-fair")
        finally:
            _flush()
    except SystemExit as done:
        # Typer and Rich make exit code 1 of a closed pipe, which is the code of what doesn't match.
        if isinstance(done.__context__, BrokenPipeError):
            raise done.__context__ from None
        return done.code if isinstance(done.code, int) else UNUSABLE
    except KeyboardInterrupt:
        return battery_command.INTERRUPTED
    except BrokenPipeError:  # an OSError, but not of what was given: `run` sees to it
        raise
    except (ValueError, TypeError, ImportError, OSError, IndexError, MemoryError, OverflowError) as error:
        print(f"provably-fair: {plain(str(error) or type(error).__name__, 2000)}", file=sys.stderr)
        return UNUSABLE
    return VERIFIED


def _flush() -> None:
    """Write what stdout still holds now, rather than at exit, where the exit code is settled."""
    if sys.stdout is not None:
        try:
            sys.stdout.flush()
        except OSError:
            _drop(sys.stdout)
            raise


def _drop(stream: Any) -> None:
    """Let what can't be written go nowhere: no complaint at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
