"""The commands that play, explain and simulate rounds, and print laws."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from provably_fair._core.errors import BadValue
from provably_fair._core.files import write_beside
from provably_fair._core.optional import optional
from provably_fair._core.printable import plain
from provably_fair._core.progress import progress_bar
from provably_fair.games import Game
from provably_fair.games.laws import UnlistedLawError
from provably_fair.games.rounds import simulated_rounds
from provably_fair.seeds.schemes import kind_of

from .shared import (
    ClientOption,
    FieldOption,
    GameArgument,
    JsonOption,
    NonceOption,
    ParameterOption,
    ProgressOption,
    SaltOption,
    SchemeOption,
    ServerOption,
    answer,
    chosen_game,
    fields_of,
    pairs,
    print_json,
    show,
    subject_of,
    wants_progress,
)

_PIECE = 1 << 16
_SHOWN = 60


def _of_one_round(shown: Callable[[Any, dict[str, Any]], tuple[Any, str]]) -> Callable[..., None]:
    """Make a command from a function of a round's fields that returns JSON and text."""

    def command(
        game: GameArgument,
        server_seed: ServerOption = None,
        client_seed: ClientOption = None,
        salt: SaltOption = None,
        nonce: NonceOption = None,
        field: FieldOption = None,
        param: ParameterOption = None,
        scheme: SchemeOption = None,
        as_json: JsonOption = False,
    ) -> None:
        chosen = chosen_game(game, param, scheme)
        given = {"server_seed": server_seed, "client_seed": client_seed, "salt": salt, "nonce": nonce}
        answer(*shown(chosen, fields_of(chosen.scheme, given, field)), as_json)

    command.__name__, command.__doc__ = shown.__name__, shown.__doc__
    return command


@_of_one_round
def play(game: Game, fields: dict[str, Any]) -> tuple[Any, str]:
    """Print the outcome of one round, and the names of its cards.

    Examples: provably-fair play mines:mines=5 -s SERVER -c CLIENT --salt SALT;
    provably-fair play mygames:Keno:picks=5 --scheme scheme.toml -s SERVER -c CLIENT --nonce 7
    """
    outcome = game.play(**fields)
    content = {"game": repr(game), "outcome": outcome.tolist()}
    if names := _names(game, outcome):
        return content | {"names": names}, f"{content['outcome']}\n{' '.join(names)}"
    return content, str(content["outcome"])


def _names(game: Game, outcome: np.ndarray) -> list[str]:
    """Return the names of an outcome's numbers, such as cards; nothing if some have no name."""
    names: dict[Any, str] = {}
    for word, number in game.kind.words.items():
        names.setdefault(number, word)  # the usual one comes first
    numbers = outcome.ravel().tolist()
    return [names[number] for number in numbers] if names.keys() >= {*numbers} else []


@_of_one_round
def explain(game: Game, fields: dict[str, Any]) -> tuple[Any, str]:
    """Show, step by step, how a round's seeds become its outcome."""
    walk = game.explain(**fields)
    return walk.to_dict(), str(walk)


def simulate(
    game: GameArgument,
    rounds: Annotated[int, typer.Argument(help="The number of rounds.", min=0)],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="A .parquet, .csv or .npy file; by default CSV on stdout."),
    ] = None,
    seed: Annotated[str, typer.Option(help="The seed of the series of rounds.")] = "0",
    start: Annotated[int, typer.Option(help="The number of the first salt or nonce.", min=0)] = 0,
    server_seed: ServerOption = None,
    client_seed: ClientOption = None,
    field: FieldOption = None,
    param: ParameterOption = None,
    scheme: SchemeOption = None,
    progress: ProgressOption = None,
) -> None:
    """Simulate rounds, and write them as a log for `verify`.

    A .npy file has the outcomes alone.

    Example: provably-fair simulate crash 1000000 --out rounds.parquet
    """
    chosen = chosen_game(game, param, scheme)
    given = {"server_seed": server_seed, "client_seed": client_seed}
    simulated = simulated_rounds(chosen, rounds, seed, start, **fields_of(chosen.scheme, given, field))
    ending = ".csv" if out is None else out.suffix.lower()
    writers = {".csv": _write_csv, ".parquet": _write_parquet, ".npy": _write_npy}
    if ending not in writers:
        raise BadValue("out", f"must end in {', '.join(writers)}, got {plain(str(out))}")

    def pieces() -> Pieces:
        with progress_bar(rounds, wants_progress(progress)) as shown:
            for first in range(0, rounds, _PIECE):
                count = min(_PIECE, rounds - first)
                fields = simulated.values(first, count)
                # One outcome for all of them where every field is given
                outcomes = np.broadcast_to(chosen.play(**fields), (count, *chosen.shape))
                yield _columns(fields, count), outcomes
                if shown is not None:
                    shown(first + count)

    with nullcontext() if out is None else write_beside(out) as part:
        writers[ending](part, chosen, rounds, pieces())


def _columns(fields: dict[str, Any], count: int) -> Iterator[list[Any]]:
    """Yield each field's values, one a round."""
    for value in fields.values():
        if isinstance(value, np.ndarray):
            yield value.astype("U").tolist() if value.dtype.kind == "S" else value.tolist()
        else:
            yield [value] * count


Pieces = Iterator[tuple[Iterator[list[Any]], np.ndarray]]
"""Blocks of rounds: the columns of the fields, and the outcomes."""


def _write_csv(out: Path | None, game: Game, _rounds: int, pieces: Pieces) -> None:
    import csv

    stdout = nullcontext(sys.stdout)
    with stdout if out is None else open(out, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*game.scheme.fields, "outcome"])
        for columns, outcomes in pieces:
            cells = outcomes.tolist()
            if game.shape:
                cells = [json.dumps(outcome) for outcome in cells]
            writer.writerows(zip(*columns, cells, strict=True))


def _write_parquet(out: Path | None, game: Game, _rounds: int, pieces: Pieces) -> None:
    pa = optional("pyarrow", "arrow", "--out: Parquet")
    parquet = optional("pyarrow.parquet", "arrow", "--out: Parquet")
    kind = pa.from_numpy_dtype(game.dtype)
    for _ in game.shape:
        kind = pa.list_(kind)
    kinds = {name: kind_of(game.scheme, name) for name in game.scheme.fields}
    types = {name: pa.uint64() if of == "number" else pa.string() for name, of in kinds.items()}
    schema = pa.schema([*types.items(), ("outcome", kind)])
    with parquet.ParquetWriter(out, schema, compression="zstd") as writer:
        for columns, outcomes in pieces:
            values = pa.array(outcomes.tolist() if game.shape else outcomes, kind)
            # Counts may be texts, as the nonces of Crypto.Games' cards are: Arrow writes them so.
            fields = [
                pa.array(one, pa.uint64() if isinstance(one[0], int) else of).cast(of)
                for one, of in zip(columns, types.values(), strict=True)
            ]
            writer.write_table(pa.table([*fields, values], schema=schema))


def _write_npy(out: Path | None, game: Game, rounds: int, pieces: Pieces) -> None:
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
            "--of",
            metavar="NAME=VALUE",
            help="The part of the outcome: cells=0,1 of Mines, reel=0 of Slot; for a game of your own "
            "hits=1,2,3, or a function of outcomes, of=package.module:total.",
        ),
    ] = None,
    as_drawn: Annotated[bool, typer.Option("--as-drawn", help="Count the rounding of draws.")] = False,
    param: ParameterOption = None,
    scheme: SchemeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the exact law of a game: outcomes, weights, moments.

    Of multipliers that are too many to list, those above 1000 are counted as 1000.

    Example: provably-fair distribution mines:mines=3 --of cells=0,1
    """
    chosen = chosen_game(game, param, scheme)
    kind = "as_drawn" if as_drawn else "ideal"
    asked, about = subject_of("subject", pairs("subject", subject), chosen), ""
    try:
        law = chosen.distribution(kind, **asked)
    except UnlistedLawError:
        if asked or not getattr(chosen.kind, "tail", None):
            raise
        (look,) = chosen.kind.looks()
        law, about = chosen.distribution(kind, **look.subject), f", {look.title}"
    outcomes = law.outcomes.tolist()
    if as_json:
        weights = [str(weight) for weight in law.weights]  # larger than other languages' integers
        print_json(
            {"game": f"{chosen!r}{about}", "outcomes": outcomes, "weights": weights, "total": str(law.total)}
        )
        return
    has_moments = not isinstance(outcomes[0], (tuple, str))
    moments = f"mean {law.mean():.9g}, standard deviation {law.std():.9g}, " if has_moments else ""
    show(f"{chosen!r}{about}: {moments}{len(outcomes)} outcomes")
    for outcome, weight in list(zip(outcomes, law.weights, strict=True))[:_SHOWN]:
        show(f"{outcome!s:>12}  {weight / law.total:.12f}  {weight} / {law.total}")
    if len(outcomes) > _SHOWN:
        show(f"and {len(outcomes) - _SHOWN} more; --json prints all")
