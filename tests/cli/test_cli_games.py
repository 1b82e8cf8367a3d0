"""The list of games, generated from the games themselves."""

from __future__ import annotations

import contextlib
import json

import provably_fair as pf
import pytest
from provably_fair import names
from provably_fair.games.kind import questions_of

pytest.importorskip("typer")
from provably_fair.operators.registry import LISTED

ENTRIES = {entry.name: entry for entry in names.list_games()}
BETS = {
    "under or over": {"under": 50},
    "cash_out": {"cash_out": 2},
    "risk": {"risk": "low"},
    "level": {"level": "easy"},
}
"""Alternatives to the arguments that a bet needs."""
MORE = {
    "stake.keno": {"risk": "classic", "hits": [1]},
    "stake.chicken": {"cash_out": 1.23},
    "stake.pump": {"cash_out": 1.02},
}


def test_every_game_is_listed_once():
    listed = [entry.name for entry in names.list_games()]
    assert len(listed) == len(set(listed))
    no_games = {"hashed-dice", "combined-dice"}
    assert set(names.known_names()) - no_games == set(listed) - {"fpclub.dice"}
    assert sum(entry.published for entry in ENTRIES.values()) == len(pf.operators.published.rounds())
    for operator in LISTED:
        assert {entry.operator for entry in names.list_games(operator)} == {operator}


@pytest.mark.parametrize("name", ENTRIES)
def test_a_bet_needs_what_the_list_says(name):
    entry, game = ENTRIES[name], names.parse_subject(name)
    assert entry.fields == game.scheme.fields
    assert list(entry.questions) == list(questions_of(type(game)))
    assert entry.paytable == (entry.bet not in ("payout", "table"))
    said = MORE.get(name, BETS.get(entry.bet, {}))
    if entry.paytable:
        assert game.bet(**said).rtp > 0.5
        return
    with pytest.raises((TypeError, ValueError), match=f"{entry.bet}.* must be given|cells must be given"):
        game.bet(**said)


def test_the_command_lists_games(command):
    code, out, _ = command("games")
    assert code == 0
    assert f"{len(ENTRIES)} games" in out
    assert all(f"\n{name} " in out for name in ENTRIES)
    code, out, _ = command("games", "stake", "--json")
    assert [entry["name"] for entry in json.loads(out)] == [e.name for e in names.list_games("stake")]
    code, out, _ = command("games", "stake.plinko")
    assert "stake.plinko: Stake's plinko" in out
    assert 'asked: risk     {"low", "medium", "high"}, optional. The operator\'s table' in out
    assert "parameter rows  16, from 1 to 16" in out
    assert command("games", "crash")[1].startswith("crash: ")
    assert command("games", "Stake") == command("games", "stake")


def test_a_game_of_ones_own_is_described(command, tmp_path, monkeypatch):
    (tmp_path / "coins.py").write_text(
        "import provably_fair as pf\n"
        "class Coin(pf.Game):\n"
        '    """A coin: \\x1b[31m."""\n'
        "    tosses: int = pf.games.Range(1, 9, default=2)\n"
        "    scheme = pf.operators.stake.SCHEME\n"
        "    def outcome(self, draws):\n"
        "        return draws.below(2, self.tosses)\n"
    )
    monkeypatch.chdir(tmp_path)
    code, out, _ = command("games", "coins:Coin:tosses=3")
    assert code == 0
    assert "parameter tosses  3, from 1 to 9" in out
    assert "\x1b" not in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ["verify", "log.csv", "-g", "stake"],
            "--game stake stands for all games of stake: give --game-col",
        ),
        (["verify", "log.csv", "-g", "stake.dcie"], "did you mean 'stake.dice'?"),
        (["play", "stake"], "GAME must be one game of an operator, and stake has 30: such as stake.baccarat"),
        (["play", "bustadice"], "GAME must be one game of an operator, and bustadice has 1: bustadice.dice"),
    ],
)
def test_an_operator_is_no_game(command, arguments, says):
    code, _, err = command(*arguments)
    assert code == 2
    err = err.removeprefix("provably-fair: ").rstrip("\n")
    assert err.startswith(says) or err.endswith(says)
    assert "stake.zoo" not in err


def test_python_says_how_the_games_of_an_operator_are_told_apart():
    with pytest.raises(ValueError, match=r"stake has 30.*or the log's column of games .* game_column="):
        pf.verify({"outcome": [1]}, "stake")
    with contextlib.suppress(pf.LogError):
        pf.verify({"outcome": [1], "game": ["dice"]}, "stake", game_column="game")
    with pytest.raises(ValueError, match=r"^operator must be one of salted, crypto_games, bcgame"):
        names.list_games("nobody")
