"""The command that runs a laboratory's tests on a generator."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from provably_fair import certification

from .shared import (
    GameArgument,
    JsonOption,
    ParameterOption,
    SchemeOption,
    check_outputs,
    chosen_game,
    hand_over,
)


def certify(
    game: GameArgument,
    standard: Annotated[
        str,
        typer.Option(
            metavar="NAME", help=f"One of: {'; '.join(certification.STANDARDS)}. --standard 'RTS 7'"
        ),
    ],
    param: ParameterOption = None,
    scheme: SchemeOption = None,
    log: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Test the column outcome of a log instead of simulated rounds: --log rounds.csv",
        ),
    ] = None,
    rounds: Annotated[int, typer.Option(help="The number of rounds to simulate: --rounds 100000")] = 10**6,
    seed: Annotated[str, typer.Option(help="The seed of these rounds: --seed july")] = "0",
    level: Annotated[
        float | None, typer.Option(help="The family-wise level, by default the standard's: --level 0.01")
    ] = None,
    html: Annotated[
        Path | None, typer.Option(help="Write the report as one printable page: --html report.html")
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="Write the report as JSON: --report report.json")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Run a gaming standard's tests on a game's generator.

    This is not a certification.

    The exit code is 1 if a clause fails. The report says what the tests can't show for each clause.

    Examples: provably-fair certify stake.dice --standard "RTS 7" --html report.html;
    provably-fair certify mines:mines=3 --standard "58 Pa. Code 810a.5" --log rounds.parquet
    """
    check_outputs([log, scheme], html=html, report=report)
    tested = certification.certify(
        chosen_game(game, param, scheme), standard, log=log, rounds=rounds, seed=seed, level=level
    )
    hand_over(tested, html, report, as_json)
