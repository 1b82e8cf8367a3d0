"""Logs: of rounds, and of hashed dice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from provably_fair import operators
from provably_fair._core.files import write_beside
from provably_fair._core.printable import plain
from provably_fair.fpclub import load_log
from provably_fair.verification import LogError, VerificationReport
from provably_fair.verification import verify as verify_log
from provably_fair.verification.config import logs_of
from provably_fair.verification.failures import check_no_input
from provably_fair.verification.systems.chains import CHAIN_STEPS

from .shared import (
    MISMATCH,
    UNUSABLE,
    VERIFIED,
    ChainStepsOption,
    ColumnOption,
    ConstantOption,
    DatabaseOption,
    DecimalOption,
    EncodingOption,
    FormatOption,
    JsonOption,
    OptionalLogArgument,
    OptionalSubjectOption,
    ParameterOption,
    ProgressOption,
    ReportOption,
    SchemeOption,
    SeedsByOption,
    SeedsOption,
    SeparatorOption,
    ThousandsOption,
    ThreadsOption,
    UnrevealedOption,
    chosen_game,
    chosen_log,
    dialect_of,
    in_own_words,
    pairs,
    print_json,
    show,
    wants_progress,
)


def verify(
    log: OptionalLogArgument = None,
    game: OptionalSubjectOption = None,
    param: ParameterOption = None,
    scheme: SchemeOption = None,
    column: ColumnOption = None,
    constant: ConstantOption = None,
    separator: SeparatorOption = None,
    decimal: DecimalOption = None,
    thousands: ThousandsOption = None,
    encoding: EncodingOption = None,
    game_column: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="The column that names each row's game: --game-column Game (of an operator, -g stake)",
        ),
    ] = None,
    seeds: SeedsOption = None,
    seeds_by: SeedsByOption = None,
    unrevealed: UnrevealedOption = None,
    config: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A TOML file with game, scheme, columns, constants, logs and more: --config log.toml",
        ),
    ] = None,
    explained: Annotated[
        bool,
        typer.Option(
            "--explain", help="Show the walk-through of the first row that fails: verify ... --explain"
        ),
    ] = False,
    report: ReportOption = None,
    failures: Annotated[
        Path | None,
        typer.Option(help="Write all failures here, as .parquet, .csv or .jsonl: --failures all.csv"),
    ] = None,
    overwrite: Annotated[
        bool,
        typer.Option("--overwrite", help="Let --failures replace a file: verify ... --overwrite"),
    ] = False,
    database: DatabaseOption = None,
    form: FormatOption = None,
    fail_repeats: Annotated[
        bool,
        typer.Option(
            "--fail-repeats",
            help="Rows that repeat the round of an earlier one fail: verify ... --fail-repeats",
        ),
    ] = False,
    chain_steps: ChainStepsOption = CHAIN_STEPS,
    threads: ThreadsOption = None,
    progress: ProgressOption = None,
    as_json: JsonOption = False,
) -> None:
    """Recompute every row of a log; what differs is shown, and the exit code is the verdict.

    Fields: server_seed, client_seed, salt, outcome; where the log has them the game's parameters (mines,
    spins, pins, balls, tickets), commitment and salt_commitment. Multi-player games need no seeds but
    the salt. Under another scheme its own fields take the place of the salt: nonce, game_hash, ...

    Other systems: video-poker (server_seed, client_seed, nonce, hold, commitment; the outcome is the ten
    cards, the final five or the pay), blackjack (actions instead of hold; the outcome is cards of the
    shoe or the net win), hashed-dice (digits, hash), combined-dice (first, second, outcome).

    Examples: provably-fair verify rounds.parquet --game dice;
    provably-fair verify logs/ --game mines:mines=5 --column salt=round_salt --json;
    zcat rounds.csv.gz | provably-fair verify - --game dice;
    provably-fair verify "SELECT * FROM bets" --db postgresql://me@localhost/casino --game dice
    """
    if not log and config is None:
        raise ValueError("LOG must be given: a file, a folder, a URL, or - for stdin")
    files = chosen_log(log, database, form) if log else logs_of(config)
    if not files:
        raise ValueError(f"LOG must be given, or named by the key logs of {plain(str(config))}")
    name = plain(log[0] if log else str(config))

    def check() -> VerificationReport:
        return verify_log(
            files,
            None if game is None and config is not None else _subject(game, game_column, param, scheme),
            pairs("--column", column) or None,
            wants_progress(progress),
            constants=pairs("--constant", constant) or None,
            csv=dialect_of(separator, decimal, thousands, encoding),
            game_column=game_column,
            seeds=seeds,
            seeds_by=seeds_by,
            config=config,
            unrevealed=None if unrevealed is None else unrevealed.value,
            repeats="fail" if fail_repeats else "report",
            chain_steps=chain_steps,
            failures={"path": failures, "overwrite": True} if failures and overwrite else failures,
            threads=threads,
        )

    broken = None
    with _report_file(report, files) as write:
        try:
            found = check()
        except LogError as error:
            if error.report is None:
                raise
            found, broken = error.report, error
        except (TypeError, ValueError) as error:
            kind = TypeError if isinstance(error, TypeError) else ValueError
            raise kind(in_own_words(str(error))) from None
        write(found)
    if as_json:
        print(found.to_json())
    elif found.ok:
        show(str(found))
    else:
        first, _, rest = str(found).partition("\n")
        show(first, "bold red")
        show(rest)
        if explained and found.failures:
            try:
                walk = f"Row {found.failures[0].row}, step by step\n\n{found.explain()}"
            except ValueError as error:  # a cell of it can't be read
                walk = str(error)
            show(f"\n{walk}")
    if broken is not None:
        raise broken
    if not found.checked and found.unchecked:
        raise ValueError(f"{name}: no row could be checked, so nothing was verified")
    if not found.checked:
        raise ValueError(f"{name}: no rows, so nothing was verified")
    raise typer.Exit(VERIFIED if found.ok else MISMATCH if found.complete else UNUSABLE)


def _subject(
    game: str | None, game_column: str | None, param: list[str] | None, scheme: Path | None
) -> object:
    """Return what a log is of."""
    if game_column is not None and game in (None, *operators.__all__):
        if param or scheme is not None:
            raise ValueError("--param and --scheme must be left out where --game-column names the games")
        return game
    if game is None:
        raise ValueError("--game must say what the log is of, or --game-column which column says it")
    if game_column is not None:
        raise ValueError(
            f"--game must be left out where --game-column names the games, or be one of "
            f"{', '.join(operators.__all__)}, got {game!r:.80}"
        )
    return chosen_game(game, param, scheme, subject=True)


@contextmanager
def _report_file(path: Path | None, log: object) -> Iterator[Callable[[VerificationReport], None]]:
    """Open the file of a report, now, and give what writes it."""
    if path is None:
        yield lambda report: None
        return
    check_no_input("--report", path, log)
    with write_beside(path) as part, open(part, "w", encoding="utf-8") as file:
        yield lambda report: print(report.to_json(), file=file)


def dice_log(
    path: Annotated[Path, typer.Argument(help="A game log with records DH[...]MI[...]DS[...].")],
    as_json: JsonOption = False,
) -> None:
    """Check every record of hashed dice in a game log, and look for the repair of those that fail."""
    try:
        checks = [record.check() for record in load_log(path)]
    except ValueError as error:
        raise ValueError(f"{plain(str(path))}: {error}") from None
    if not checks:
        raise ValueError(f"{plain(str(path))}: no records")
    if as_json:
        print_json(
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
            show(f"record {number}", "" if check.ok else "bold red")
            show(f"{check}\n")
    raise typer.Exit(VERIFIED if all(check.ok for check in checks) else MISMATCH)
