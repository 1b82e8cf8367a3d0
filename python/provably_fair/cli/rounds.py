"""Rounds: one played, one explained, many simulated; and the law of them all."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from provably_fair._core.files import write_beside
from provably_fair._core.optional import optional
from provably_fair._core.printable import plain
from provably_fair._core.progress import ProgressBar
from provably_fair.games import Game
from provably_fair.names import parse_game
from provably_fair.seeds import salts
from provably_fair.seeds.series import series

from .shared import (
    ClientOption,
    GameArgument,
    JsonOption,
    ParameterOption,
    ProgressOption,
    SaltOption,
    ServerOption,
    pairs,
    print_json,
    show,
    wants_progress,
)

_PIECE = 1 << 16
_SHOWN = 60


def _seeds(server_seed: str | None, client_seed: str | None, salt: str) -> dict[str, Any]:
    given = {"server_seed": server_seed, "client_seed": client_seed, "salt": salt}
    return {name: value for name, value in given.items() if value is not None}


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
        print_json({"game": repr(chosen), "outcome": outcome})
    else:
        show(str(outcome))


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
        print_json(walk.to_dict())
    else:
        show(str(walk))


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
    server, client = chosen.simulation_seeds(name, server_seed, client_seed)
    ending = ".csv" if out is None else out.suffix.lower()
    writers = {".csv": _write_csv, ".parquet": _write_parquet, ".npy": _write_npy}
    if ending not in writers:
        raise ValueError(f"--out must end in {', '.join(writers)}, got {plain(str(out))}")

    def pieces() -> Iterator[tuple[np.ndarray, np.ndarray]]:
        with ProgressBar(rounds, wants_progress(progress)) as shown:
            for first in range(0, rounds, _PIECE):
                count = min(_PIECE, rounds - first)
                some = salts(count, name, start + first)
                yield some, chosen.play(server, client, some)
                if shown is not None:
                    shown(first + count)

    write = writers[ending]
    if out is None:
        write(None, chosen, rounds, server, client, pieces())
        return
    with write_beside(out) as part:
        write(part, chosen, rounds, server, client, pieces())


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
    kind = pa.from_numpy_dtype(game.dtype)
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
    with open(out, "wb") as file:
        np.lib.format.write_array_header_1_0(
            file,
            {
                "descr": np.lib.format.dtype_to_descr(game.dtype),
                "fortran_order": False,
                "shape": (rounds, *game.shape),
            },
        )
        for _, outcomes in pieces:
            file.write(np.ascontiguousarray(outcomes, game.dtype).tobytes())


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
        print_json({"game": repr(chosen), "outcomes": outcomes, "weights": weights, "total": str(law.total)})
        return
    show(f"{chosen!r}: mean {law.mean():.9g}, standard deviation {law.std():.9g}, {len(outcomes)} outcomes")
    for outcome, weight in list(zip(outcomes, law.weights, strict=True))[:_SHOWN]:
        show(f"{outcome!s:>12}  {weight / law.total:.12f}  {weight} / {law.total}")
    if len(outcomes) > _SHOWN:
        show(f"and {len(outcomes) - _SHOWN} more; --json prints all")


def _subject(values: list[str] | None) -> dict[str, Any]:
    """Read what a law is of: numbers, or lists of them with commas."""
    found: dict[str, Any] = {}
    for name, value in pairs("--of", values).items():
        try:
            numbers = [float(part) if "." in part else int(part) for part in value.split(",")]
        except ValueError:
            raise ValueError(f"--of {name} must be numbers, got {value!r}") from None
        found[name] = numbers if "," in value or name in ("cells", "sectors") else numbers[0]
    return found
