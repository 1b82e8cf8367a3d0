"""Audits of logs."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Annotated, Any

import typer

from provably_fair import auditing
from provably_fair._core.files import write_beside
from provably_fair._core.printable import plain
from provably_fair.bets import Bet
from provably_fair.verification import LogError
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
    LogArgument,
    ParameterOption,
    ProgressOption,
    ReportOption,
    SchemeOption,
    SeedsByOption,
    SeedsOption,
    SeparatorOption,
    SubjectOption,
    ThousandsOption,
    ThreadsOption,
    UnrevealedOption,
    chosen_game,
    chosen_log,
    dialect_of,
    in_own_words,
    pairs,
    show,
    subject_of,
    wants_progress,
)


def audit(
    log: LogArgument,
    game: SubjectOption,
    param: ParameterOption = None,
    scheme: SchemeOption = None,
    column: ColumnOption = None,
    constant: ConstantOption = None,
    separator: SeparatorOption = None,
    decimal: DecimalOption = None,
    thousands: ThousandsOption = None,
    encoding: EncodingOption = None,
    seeds: SeedsOption = None,
    seeds_by: SeedsByOption = None,
    unrevealed: UnrevealedOption = None,
    bet: Annotated[
        str | None,
        typer.Option(
            metavar="NAME=VALUE,...",
            help="What is said to be paid: under=50,payout=1.98 of dice, cash_out=2 of crash, "
            "payout=5.6,2.1,1.1,1,0.5,1,1.1,2.1,5.6 of plinko, payout=0:14 of double, "
            "payout=0,1,5,25,hits=1,2,3 of stake.keno.",
        ),
    ] = None,
    terminating: Annotated[
        str | None, typer.Option(metavar="HASH", help="The terminating hash that was published of a chain.")
    ] = None,
    chain_steps: ChainStepsOption = CHAIN_STEPS,
    reveal_times: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="CSV of two columns: server seeds, or their commitments, and when they were revealed.",
        ),
    ] = None,
    explained: Annotated[
        bool, typer.Option("--explain", help="Show rows of the first finding, with their walk-throughs.")
    ] = False,
    level: Annotated[float, typer.Option(help="How often a fair log may be suspected, at most.")] = 0.01,
    report: ReportOption = None,
    html: Annotated[
        Path | None, typer.Option(help="Write it here, as one page with its pictures: --html audit.html")
    ] = None,
    junit: Annotated[
        Path | None, typer.Option(help="Write it here, as JUnit's XML, which build servers show.")
    ] = None,
    database: DatabaseOption = None,
    form: FormatOption = None,
    threads: ThreadsOption = None,
    progress: ProgressOption = None,
    as_json: JsonOption = False,
) -> None:
    """Recompute every row of a log, and look for what no single row shows; the exit code is the verdict.

    Fields besides those of `verify`, where the log has them: stake, payout (what came back, the stake
    included), player, time, commitment_time (when the commitment was published) and reveal_time (when the
    server seed was revealed).

    Proofs and evidence are exit code 1, notes aren't. Where not all was read, or there was no room to
    compare all rows, the exit code is 2: that is no verdict.

    Examples: provably-fair audit rounds.csv --game stake.dice --bet under=50,payout=1.98;
    provably-fair audit games/ --game stake.crash --terminating HASH --html audit.html
    """
    files = chosen_log(log, database, form)
    chosen = chosen_game(game, param, scheme, subject=True)
    with ExitStack() as opened:
        pages = {
            name: opened.enter_context(_written(f"--{name}", path, files))
            for name, path in {"report": report, "html": html, "junit": junit}.items()
            if path is not None
        }
        try:
            found = auditing.audit(
                files,
                chosen,
                bet=_bet(chosen, bet),
                columns=pairs("--column", column),
                constants=pairs("--constant", constant),
                csv=dialect_of(separator, decimal, thousands, encoding),
                seeds=seeds,
                seeds_by=seeds_by,
                unrevealed=None if unrevealed is None else unrevealed.value,
                terminating=terminating,
                chain_steps=chain_steps,
                reveal_times=None if reveal_times is None else _times(reveal_times),
                level=level,
                progress=wants_progress(progress),
                threads=threads,
            )
        except LogError:
            raise
        except (TypeError, ValueError) as error:
            kind = TypeError if isinstance(error, TypeError) else ValueError
            raise kind(in_own_words(str(error))) from None
        write = {"report": found.to_json, "html": found.to_html, "junit": found.to_junit}
        for name, file in pages.items():
            print(write[name](), file=file)
    if as_json:
        print(found.to_json())
    elif found.ok:
        show(str(found))
    else:
        first, _, rest = str(found).partition("\n")
        show(first, "bold red")
        show(rest)
        if explained and any(finding.rows for finding in found.findings):
            show(f"\n{found.explain()}")
    if not found.verification.checked:
        raise ValueError(f"{plain(log[0])}: no rows, so nothing was audited")
    raise typer.Exit(VERIFIED if found.ok else MISMATCH if found.complete else UNUSABLE)


def _bet(game: Any, text: str | None) -> Bet | None:
    """Return the bet that a text describes: names and values with commas between, lists and tables too."""
    if text is None:
        return None
    parts: list[str] = []
    for word in filter(None, text.split(",")):
        if "=" in word or not parts:
            parts.append(word)
        else:  # a list goes on
            parts[-1] += f",{word}"
    bet: Bet = game.bet(**subject_of("--bet", pairs("--bet", parts), game))
    return bet


def _times(path: Path) -> dict[str, str]:
    """Read when server seeds were revealed."""
    with open(path, newline="", encoding="utf-8-sig") as file:
        rows = [row for row in csv.reader(file) if row]
    for row in rows:
        if len(row) != 2:
            raise ValueError(
                f"--reveal-times must be a CSV file of two columns, got {len(row)} in {row!r:.80}"
            )
    return dict(rows[1:])


@contextmanager
def _written(option: str, path: Path, log: object) -> Iterator[IO[str]]:
    """Open a file of a report, now; it is there when the report is written, or not at all."""
    check_no_input(option, path, log)
    with write_beside(path) as part, open(part, "w", encoding="utf-8") as file:
        yield file
