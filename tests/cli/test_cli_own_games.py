"""Custom games and schemes on the command line."""

from __future__ import annotations

import hashlib
import json
import re
import sys

import provably_fair as pf
import pytest
from oracles.schemes import Round

pytest.importorskip("typer")

MODULE = """
import numpy as np
import provably_fair as pf

class Keno(pf.Game):
    picks: int = 10
    def outcome(self, draws):
        return draws.sample(40, self.picks)

class Wheel(pf.Game):
    risk: str = "low"
    edge: float = 0.0
    def outcome(self, draws):
        pays = {"low": [1.5, 0.5], "high": [3.0, 0.0]}[self.risk]
        return np.array(pays)[draws.coin()] * (1 - self.edge)

class Bust(pf.Game):
    scheme = pf.Scheme(pf.Hash("sha256", "{salt}", key="{game_hash}"), bits=52, defaults={"salt": "x"})
    def outcome(self, draws):
        return draws.below(100)

class Numbered(pf.Game):
    scheme = pf.Scheme(pf.Hash("sha256", "{server_seed}:{round}:{table}"), bits=32)
    def outcome(self, draws):
        return draws.below(100)

FEW = Keno(picks=2)

def total(outcomes):
    return outcomes.sum(axis=1)
"""
SCHEME = """
bits = 32
[hash]
name = "sha256"
message = "{client_seed}:{nonce}:{cursor}"
key = "{server_seed}"
[commitment]
name = "sha256"
message = "{server_seed}"
"""


@pytest.fixture
def command(command, tmp_path, monkeypatch):
    """Run the command in a folder with a module and a scheme."""
    (tmp_path / "gamesofmine.py").write_text(MODULE)
    (tmp_path / "scheme.toml").write_text(SCHEME)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "gamesofmine", raising=False)
    return command


def test_a_round(command):
    fields = {"server_seed": "a", "client_seed": "b", "nonce": 7}
    expected = Round(pf.Scheme.load("scheme.toml").to_dict(), fields).sample(40, 5)
    round_ = ["--scheme", "scheme.toml", "-s", "a", "-c", "b", "--nonce", 7]
    for game in (
        ["gamesofmine:Keno:picks=5"],
        ["gamesofmine:Keno", "-p", "picks=5"],
        ["gamesofmine:FEW:picks=5"],
        ["--game", "gamesofmine:Keno:picks=5"],
        ["--game=gamesofmine:Keno:picks=5"],
    ):
        assert command("play", *game, *round_) == (0, f"{expected}\n", "")
    assert command("play", *round_, "-g", "gamesofmine:FEW")[:2] == (0, f"{expected[:2]}\n")
    code, out, _ = command("explain", "gamesofmine:FEW", *round_, "--json")
    assert (code, json.loads(out)["outcome"]) == (0, expected[:2])
    mines = pf.Mines(3).with_scheme(pf.Scheme.load("scheme.toml"))
    outcome = mines.play("a", "b", 7).tolist()
    assert command("play", "mines", *round_)[1] == f"{outcome}\n"
    digest = hashlib.sha256(b"a:4:t").digest()
    code, out, _ = command("play", "gamesofmine:Numbered", "-s", "a", "-f", "round=4", "--field", "table=t")
    assert (code, int(out)) == (0, int.from_bytes(digest[:4]) * 100 >> 32)


def test_parameters_have_their_own_types(command):
    seeds = ["-s", "a", "-c", "b", "--salt", "c"]
    _, low, _ = command("play", "gamesofmine:Wheel:edge=0.5", *seeds)
    _, high, _ = command("play", "gamesofmine:Wheel", "-p", "risk=high", "-p", "edge=0.5", *seeds)
    assert (float(low), float(high)) in [(0.75, 1.5), (0.25, 0.0)]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize(
    "game",
    [["gamesofmine:Keno:picks=3", "--scheme", "scheme.toml"], ["gamesofmine:Bust"], ["gamesofmine:FEW"]],
)
def test_what_is_simulated_verifies(command, game, ending):
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    path = f"rounds.{ending}"
    assert command("simulate", *game, 100, "-o", path, "--start", 5) == (0, "", "")
    log = ["verify", path, "-g", *game, "--json"]
    code, out, _ = command(*log)
    report = json.loads(out)
    assert (code, report["ok"], report["checked"]) == (0, True, 100)
    if ending == "csv":
        with open(path) as file:
            lines = file.read().splitlines()
        lines[3] = lines[3][:-1] + ("8" if lines[3][-1] != "8" else "9")
        lines[3] = lines[3].replace("[", "[1")
        with open(path, "w") as file:
            file.write("\n".join(lines))
        assert command(*log)[0] == 1


def test_laws(command):
    code, out, _ = command("distribution", "gamesofmine:Keno", "--of", "hits=1,2", "--json")
    law = json.loads(out)
    assert code == 0
    assert law["outcomes"] == [0, 1, 2]
    assert int(law["weights"][2]) * 40 * 39 == int(law["total"]) * 10 * 9
    code, out, _ = command("distribution", "gamesofmine:FEW", "--of", "of=gamesofmine:total", "--json")
    law = json.loads(out)
    assert (code, law["outcomes"]) == (0, list(range(1, 78)))
    code, out, _ = command("distribution", "dice", "--scheme", "scheme.toml", "--as-drawn", "--json")
    assert (code, json.loads(out)["total"]) == (0, str(2**32))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["play", "gamesofmine:Kenno"],
            "module gamesofmine has no Kenno: it has the games Keno, Wheel, Bust",
        ),
        (["play", "nosuchmodule:Keno"], "the module nosuchmodule of nosuchmodule:Keno isn't found"),
        (["play", "gamesofmine.py:Keno"], "isn't found: did you mean gamesofmine:Keno?"),
        (["play", "./gamesofmine.py:Keno"], "must be package.module:Name, as Python imports it, no path"),
        (["play", "gamesofmine:total"], "must be a class derived from Game, or a game, got <function"),
        (["play", "gamesofmine:Keno:pick=3"], "the game gamesofmine.keno takes picks=..., got 'pick=3'"),
        (["play", "gamesofmine:Keno:picks=x"], "the game's picks must be a whole number, got 'x'"),
        (["play", "gamesofmine"], "or one of your own, package.module:Class"),
        (
            ["play", "dice", "--scheme", "scheme.toml", "--salt", "x"],
            "server_seed, client_seed, nonce, got 'salt'",
        ),
        (
            ["play", "dice", "--scheme", "scheme.toml", "--nonce", "x"],
            "nonce must be a whole number, got 'x'",
        ),
        (["play", "dice", "--scheme", "other.toml", "--nonce", "1"], "other.toml"),
        (["play", "dice", "--scheme", "gamesofmine.py", "--nonce", "1"], "must be that of a TOML file"),
        (["play", "gamesofmine:Keno:picks=41"], "k must be from 0 to 40"),
        (["play", "--game"], "GAME"),
        (["verify", "x.csv", "-g", "hashed-dice", "--scheme", "scheme.toml"], "--scheme isn't supported"),
        # An exception in user code isn't a verdict.
        (["play", "gamesofmine:Wheel:risk=middle", "-s", "", "-c", "", "--salt", ""], "KeyError: 'middle'"),
    ],
)
def test_bad_usage(command, arguments, message):
    if arguments[0] == "play" and len(arguments) == 2:
        arguments = [*arguments, "-s", "a", "-c", "b", "--salt", "c"]
    code, _, err = command(*arguments)
    assert code == 2
    assert message in err


def test_a_watch_finds_games_in_the_folder_and_shows_what_is_expected(command, tmp_path):
    """`watch` finds games in the current folder and shows their expectation, as other commands do."""
    (tmp_path / "rules.toml").write_text(
        'windows = ["all"]\n[bets.Coin]\non = "watched:Coin"\npayout = {0 = 0, 1 = 1.9}\n'
    )
    (tmp_path / "watched.py").write_text(
        "import provably_fair as pf\n"
        "class Coin(pf.Game):\n"
        "    scheme = pf.operators.stake.SCHEME\n"
        "    def outcome(self, draws):\n"
        "        return draws.below(2)\n"
    )
    (tmp_path / "day.csv").write_text("game,payout\nCoin,1.9\nCoin,0\n")
    code, out, err = command("watch", tmp_path / "rules.toml", tmp_path / "day.csv")
    assert (code, err) == (0, "")
    heads, cells = (re.split(r" {2,}", line) for line in out.splitlines()[-2:])
    assert (heads[3:5], cells[3:5]) == (["bets", "return"], ["2", "0.9500"])
    assert (heads[5], cells[5]) == ("expected", "0.9500")


def test_text_from_elsewhere_imports_nothing(tmp_path, monkeypatch):
    (tmp_path / "loudmodule.py").write_text("raise RuntimeError('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ValueError, match="game must name the game of the log"):
        pf.verify({"outcome": [1]}, "loudmodule:Game")
