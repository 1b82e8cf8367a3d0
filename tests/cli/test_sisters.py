"""Functions and commands of logs: each has the same options for reading one, and they do the same."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable
from pathlib import Path

import provably_fair as pf
import provably_fair.dask
import pytest
from provably_fair.cli.commands import run
from provably_fair.verification.log import DEFAULTS

FUNCTIONS = [
    *(pf.verify, pf.check, pf.audit, pf.identify, pf.locate, pf.Log, pf.Auditor),
    *(pf.dask.verify, pf.dask.audit, pf.dask.watch),
    *(pf.monitoring.Watch.update, pf.monitoring.Watch(pf.Double().bet({0: 14})).reader.read),
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__qualname__)
def test_functions_have_all_options_of_logs(function: Callable[..., object]) -> None:
    own = inspect.signature(function).parameters
    assert {name: own[name].default for name in DEFAULTS} == DEFAULTS
    assert {own[name].kind for name in DEFAULTS} == {inspect.Parameter.KEYWORD_ONLY}


def flags(command: str, capsys: pytest.CaptureFixture[str]) -> set[str]:
    assert run([command, "--help"]) == 0
    return set(re.findall(r"(?<!\S)--[a-z-]+", capsys.readouterr().out))


@pytest.mark.parametrize("command", ["audit", "identify", "locate", "rtp", "watch"])
def test_commands_have_all_options_of_logs(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    report = {"--game", "--param", "--scheme", "--explain", "--report", "--html", "--junit", "--failures"}
    report |= {"--overwrite", "--certificate", "--key", "--threads", "--progress", "--no-progress"}
    assert flags("verify", capsys) - report <= flags(command, capsys)


HASHES = pf.HashChain().generate("secret", games=300)
BUSTS = pf.operators.bustabit.V1().play(HASHES[100:160]).tolist()
RETURNS = [1.98, 0.0] * 30
"""Dice under 50."""


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """A log of two games, crash and dice, which take turns."""
    path = tmp_path / "mixed.csv"
    rows = [
        row
        for number, (bust, paid) in enumerate(zip(BUSTS, RETURNS, strict=True))
        for row in (f"Crash,{number},{bust},1,5", f" dice ,{number},7,1,{paid}")
    ]
    path.write_text("Spiel,id,bust,stake,payout\n" + "\n".join(rows) + "\n")
    return path


def test_a_series_among_other_games_is_located(mixed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = {"columns": {"outcome": "bust"}, "game_column": "Spiel"}
    game = pf.operators.bustabit.V1()
    found = pf.locate(mixed, {"Crash": game, "Dice": None}, anchor=HASHES[-1], **options)
    assert (found.placed, found.rows.tolist()) == (60, list(range(199, 139, -1)))
    assert pf.locate(mixed, {"Crash": game}, anchor=HASHES[-1], **options).placed == 60
    with pytest.raises(ValueError, match=r"game_column must name 'bustabit\.v1', and no row of 'Spiel' does"):
        pf.locate(mixed, game, anchor=HASHES[-1], **options)
    with pytest.raises(pf.LogError, match="no column 'Game'"):
        pf.locate(mixed, {"Crash": game}, anchor=HASHES[-1], columns={"outcome": "bust"}, game_column="Game")
    mixed.write_text(mixed.read_text().replace("Crash", "v1"))
    typed = ["--game", "bustabit.v1", "--game-column", "Spiel", "--column", "outcome=bust"]
    assert run(["locate", str(mixed), "--anchor", HASHES[-1], *typed]) == 0


def test_the_return_of_one_game_among_others(mixed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bet = ["--game", "dice", "--bet", "under=50,payout=1.98", "--json"]
    assert run(["rtp", str(mixed), *bet, "--game-column", "Spiel", "--seeds", "none.csv"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["rounds"], found["returned"], found["impossible"]) == (60, 59.4, [])
    assert run(["rtp", str(mixed), *bet]) == 1  # all rows
    assert json.loads(capsys.readouterr().out)["rounds"] == 120
    config = mixed.with_name("log.toml")
    config.write_text('logs = "mixed.csv"\ngame_column = "Spiel"\n')
    assert run(["rtp", "--config", str(config), *bet]) == 0
    assert json.loads(capsys.readouterr().out)["rounds"] == 60
    assert (
        run(["rtp", str(mixed), "--game", "mines", "--bet", "cells=1,payout=1.1", "--game-column", "Spiel"])
        == 2
    )
    assert "no rows of mines" in capsys.readouterr().err


def test_a_watch_takes_the_options_of_a_log(mixed: Path) -> None:
    crash, dice = pf.operators.bustabit.V1().bet(cash_out=5), pf.Dice().bet(1.98, under=50)
    bets = {"Crash": crash, " dice ": dice}
    options = {"game_column": "Spiel", "seeds": "none.csv", "keep": "id", "repeats": "fail"}
    watch = pf.monitoring.Watch(bets, windows=["all"]).update(mixed, **options)
    again = pf.monitoring.Watch(bets, windows=["all"]).update(pf.Log(mixed, **options))
    assert watch.report().to_dict() == again.report().to_dict()
    assert watch.report().bets == 120
    with pytest.raises(pf.monitoring.DuplicateBatch):
        watch.update(pf.Log(mixed, columns={"game": "Spiel"}))
    with pytest.raises(ValueError, match="game_column must be of a watch with bets by the names of games"):
        pf.monitoring.Watch(dice, windows=["all"]).update(mixed, game_column="Spiel")
    with pytest.raises(TypeError, match="a log has no option 'colums'"):
        watch.update(mixed, colums={})
