"""Logs of an operator whose rule changed: game numbers select the era of each row."""

from __future__ import annotations

from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from published_rounds import bustabit, games_of

ROWS = [
    (era, *row)
    for era, rows in (
        ("V1", games_of("bustabit/v1-2016")),
        ("V2", games_of("bustabit/v2-2019") + games_of("bustabit/v2-2020")),
        ("V3", games_of("bustabit/v3-2026")),
    )
    for row in rows
]


def log(rows: list[tuple[Any, ...]]) -> dict[str, Any]:
    columns = ("era", "game_number", "game_hash", "outcome")
    return dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True))


def interleaved() -> dict[str, Any]:
    """All of bustabit's history, with its eras mixed."""
    return log(sorted(ROWS, key=lambda row: row[2]))


def test_the_whole_history_verifies_in_one_call() -> None:
    report = pf.verify(interleaved(), "bustabit")
    assert report.ok, report
    assert report.checked == len(ROWS) == 81
    counted = {"V1": 12, "V2": 57, "V3": 12}
    assert report.games == {era: {"checked": rows, "failed": 0} for era, rows in counted.items()}


def test_numbers_that_two_eras_share_are_refused_without_the_era() -> None:
    rows = interleaved()
    del rows["era"]
    with pytest.raises(ValueError, match=r"game_number [\d,]+ is one of V1 and V2: era must be given"):
        pf.verify(rows, "bustabit")
    only = log([row for row in ROWS if row[0] == "V3"])
    del only["era"]
    assert pf.verify(only, "bustabit").ok
    for era, fits in (("V1", True), ("V2", False)):
        told = log([row for row in ROWS if row[0] == "V1"])
        del told["era"]
        assert pf.verify(told, "bustabit", constants={"era": era}).ok is fits


@pytest.mark.parametrize("number", [None, 12_400_000])
def test_a_game_that_is_told_as_one_of_another_era_fails(number: int | None) -> None:
    """Under its own number V3 has no such game, and under another one the bust differs."""
    rows = interleaved()
    place = rows["era"].index("V2")
    rows["era"][place] = "V3"
    if number is not None:
        rows["game_number"][place] = number
    report = pf.verify(rows, "bustabit")
    assert [(failure.row, failure.kind, failure.column) for failure in report.failures] == [
        (place, "malformed", "game_number") if number is None else (place, "mismatch", "outcome")
    ]


def test_rows_without_a_number_or_an_era_are_named() -> None:
    rows = interleaved()
    first = rows["era"].index("V1")
    last = rows["era"].index("V3")
    rows["era"][first] = ""
    rows["era"][first + 1] = "V9"
    rows["era"][last] = ""  # the number suffices
    rows["game_number"][first + 2] = None
    rows["game_number"][first + 3] = 10_000_000
    report = pf.verify(rows, "bustabit")
    assert [(failure.row, failure.kind, failure.column) for failure in report.failures] == sorted(
        [
            (first, "missing", "era"),
            (first + 1, "malformed", "era"),
            (first + 2, "missing", "game_number"),
            (first + 3, "malformed", "game_number"),
        ]
    )
    with pytest.raises(ValueError, match="game_number"):
        pf.verify({"game_hash": ["0" * 64], "outcome": [1]}, "bustabit")


@pytest.mark.thorough
def test_games_are_on_the_chains_that_were_announced() -> None:
    some = [row for row in ROWS if row[0] == "V1"][:3] + [row for row in ROWS if row[0] == "V3"][:3]
    rows = log(some)
    assert "no terminating hash was given" in "".join(pf.verify(rows, "bustabit").notes)
    report = pf.verify(rows, "bustabit", constants={"terminating": "announced"})
    assert report.ok
    games = ["3,294,811 to 3,294,925", "12,306,894 to 12,306,896"]
    assert [note.partition(" of the chain")[0] for note in report.notes] == [
        f"3 rows are of games {some}" for some in games
    ]
    rows["game_number"][1] += 1  # the outcome remains right, but the number belongs to another game
    report = pf.verify(rows, "bustabit", constants={"terminating": "announced"})
    assert [(failure.row, failure.kind) for failure in report.failures] == [(1, "terminating")]


@pytest.mark.parametrize("kind", [list, np.array])
def test_chains_may_be_a_column(kind: Any) -> None:
    rows = log([row for row in ROWS if row[0] == "V3"][:2])
    ends = [bustabit.ERAS[-1].terminating, "00" * 32]
    report = pf.verify(rows | {"terminating": kind(ends)}, "bustabit", chain_steps=1)
    assert [(failure.row, failure.kind) for failure in report.failures] == [(1, "terminating")]


@pytest.mark.thorough
def test_one_era_alone_knows_its_chain() -> None:
    rows = log([row for row in ROWS if row[0] == "V3"][:2])
    del rows["era"]
    terminating = bustabit.era(rows["game_number"][0]).terminating
    assert pf.verify(rows, bustabit.V3(), constants={"terminating": terminating}).ok
    assert not pf.verify(rows, bustabit.V2(), constants={"terminating": terminating}).ok


def test_a_row_of_an_era_is_explained() -> None:
    rows = interleaved()
    place = rows["era"].index("V1")
    rows["outcome"][place], right = 77.0, rows["outcome"][place]
    report = pf.verify(rows, "bustabit")
    (failure,) = report.failures
    assert (failure.row, failure.found, failure.expected) == (place, 77, right)
    assert report.explain().game == bustabit.V1()
    assert report.explain().outcome == right
