"""User scripts under strict mypy: correct ones pass, and misspelled options are reported."""

from __future__ import annotations

import re

from folders import PYTHON, ROOT
from mypy import api

RIGHT = """
from typing import assert_type

import numpy as np
import provably_fair as pf
from provably_fair.operators.crypto_games import Blackjack, VideoPoker
from provably_fair.games.draws import Draws

law: pf.Distribution = pf.Mines(mines=3).distribution(reveals=2)
other = pf.Dice().distribution("as_drawn", under=50)
share: float = float(law.mean())
outcomes: np.ndarray = pf.Plinko(pins=12).simulate(10, seed=3, threads=1)
rounds = pf.Tower().play("server", "client", pf.salts(4))
walkthrough: pf.walkthrough.Walkthrough = pf.Crash().explain(salt="a")
lines: str = str(walkthrough)
report = pf.verify({"salt": ["a"], "outcome": [1.0]}, pf.Overgo())
ok: bool = report.ok
table = pf.cards.Paytable(royal_flush=800, four_of_a_kind={"A": 80.5, "2-K": 25})
edge: float = pf.cards.VideoPoker(table).analyze().house_edge
game: pf.Game = pf.operators.salted.GAMES["dice"]()
counts = game.tally(100).counts
dealer: str = pf.cards.Blackjack(decks=6).rules.soft_17
held = VideoPoker().with_table(pf.cards.VideoPoker(table)).simulate(10, strategy="optimal")
shoe: np.ndarray = Blackjack(cards=6).play("server", "client", nonce="1")
buckets = pf.Plinko().simulate(2, pins=8, start=1)
tickets = pf.Jackpot().play(salt=["a", b"b"], tickets=[10, 2000])
of_arrays = pf.Dice().play(np.array(["s"]), "client", pf.salts(1))
key: str = walkthrough.key[:16]
rtp: float = pf.Crash().bet(cash_out=2.0).rtp
hashed = pf.Hash("sha256", "{client_seed}:{nonce}:{cursor}", key="{server_seed}")
under = pf.Mines(mines=3).with_scheme(pf.Scheme(hashed, bits=32)).play("a", "b", nonce=0)


class Wheel(pf.Game):
    segments: int = 10

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.below(self.segments)


spun = Wheel(segments=30).simulate(10)
assert_type(pf.Crash().play("server", "client", "salt"), np.float64)
assert_type(pf.Crash().play(salt="a", threads=2), np.float64)
assert_type(pf.Dice().play("server", "client", "salt"), np.float64 | np.int64)
assert_type(pf.Double().play(salt="a"), np.int64)
assert_type(pf.operators.stake.Mines().play("server", "client", nonce=np.int64(1)), np.ndarray)
assert_type(pf.operators.stake.Dice().play("server", "client", range(3)), np.ndarray)
assert_type(pf.Crash().play(salt=["a", "b"]), np.ndarray)
assert_type(Wheel().play(["a"], "b", "c"), np.ndarray)
chance: float = Wheel().play("a", "b", "c")  # a class that says nothing of its outcomes
"""
WRONG = {
    "pf.Mines(3).distribution(undr=3)": "undr",
    "pf.Dice().distribution(undr=3)": "undr",
    "pf.Dice().distribution(under='fifty')": "under",
    "pf.Mines(mins=3)": "mins",
    "pf.Mines('three')": "Mines",
    "pf.Tower().simulate('ten')": "simulate",
    "pf.Tower().fairness(10)": "fairness",
    "pf.Crash().cash_outs().survival()": "survival",
    "pf.Dices()": "Dices",
    "Wheel(segment=3)": "segment",
}


def test_scripts_of_users(tmp_path, monkeypatch):
    script = tmp_path / "script.py"
    script.write_text(RIGHT + "".join(f"{line}\n" for line in WRONG), encoding="utf-8")
    # As `make lint` does, with its cache, since checking numpy and the package takes longest.
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("MYPYPATH", PYTHON.name)
    said, failed, _ = api.run([f"--config-file={ROOT / 'pyproject.toml'}", str(script)])
    assert not failed
    complaints: dict[int, str] = {}
    for number, text in re.findall(r"script\.py:(\d+): error: (.*)", said):
        complaints[int(number)] = complaints.get(int(number), "") + text
    right = RIGHT.count("\n")
    assert {line: text for line, text in complaints.items() if line <= right} == {}
    overlooked = [
        line for i, (line, word) in enumerate(WRONG.items(), 1) if word not in complaints.get(right + i, "")
    ]
    assert overlooked == []
