"""Recorded results of public functions: equal arguments give equal values in every version.

`python tests/test_value_stability.py` writes the file again. A difference is a value-breaking change. That
they are right is in the tests of their subject.
"""

from __future__ import annotations

import builtins
import dataclasses
import hashlib
import json
import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from folders import VECTORS
from provably_fair import cards
from provably_fair.auditing import grinding
from provably_fair.monitoring import Watch
from provably_fair.operators import crypto_games, fpclub

FILE = VECTORS / "value_stability.json"
SEEDS = ("server", "client", "salt")
POKER, BLACKJACK = crypto_games.VideoPoker(), crypto_games.Blackjack()
MACHINE, TABLE = POKER.table, BLACKJACK.table
DICE = "563543244323"
THROWS = fpclub.Dice()
LONGEST = 40


def half(outcomes: np.ndarray) -> np.ndarray:
    return outcomes < 50


CALLS: dict[str, Callable[[], Any]] = {
    "commitment": lambda: pf.commitment("seed"),
    "salts": lambda: pf.salts(3, "stability", 5),
    "random_bytes": lambda: pf.seeds.random_bytes(*SEEDS, 7),
    "random_numbers": lambda: pf.seeds.random_numbers(*SEEDS, 9),
    "bias_table": lambda: [
        (b.game.name, b.subject, b.outcome, b.relative) for b in pf.statistics.bias_table()
    ],
    "Bet.estimate": lambda: round(pf.Double().bet({0: 14}).estimate(1000).rtp, 12),
    "Bet.paths": lambda: pf.Double().bet({0: 14}).paths(20, paths=5).values,
    "estimate_grinding": lambda: grinding.estimate_grinding(pf.Dice(), half, 2, 20).log,
    "grinding_chance": lambda: grinding.grinding_chance("0.495", 3, exact=True),
    "cards.name": lambda: [cards.name(card) for card in range(-1, 52)],
    "VideoPoker.play": lambda: POKER.play(*SEEDS[:2], nonce="1"),
    "VideoPoker.hold_values": lambda: MACHINE.hold_values([0, 1, 2, 3, 17]),
    "VideoPoker.best_hold": lambda: MACHINE.best_hold([0, 1, 2, 3, 17]),
    "VideoPoker.replay": lambda: {
        name: getattr(POKER.replay(*SEEDS[:2]), name) for name in ("hand", "hold", "final", "category", "pay")
    },
    "VideoPoker.simulate": lambda: POKER.simulate(50, strategy="optimal").final,
    "VideoPoker.tally": lambda: POKER.tally(1000, strategy="optimal").counts,
    "VideoPoker.explain": lambda: POKER.explain(*SEEDS[:2]).to_dict(),
    "VideoPoker.analyze": lambda: [row.combinations for row in MACHINE.analyze().rows],
    "Blackjack.play": lambda: BLACKJACK.play(*SEEDS[:2]),
    "Blackjack.replay": lambda: BLACKJACK.replay(*SEEDS[:2], actions=TABLE.analyze("basic").chart),
    "Blackjack.explain": lambda: BLACKJACK.explain(*SEEDS[:2]).to_dict(),
    "Blackjack.analyze": lambda: [round(TABLE.analyze(s).house_edge, 12) for s in ("optimal", "basic")],
    "Blackjack.simulate": lambda: BLACKJACK.tally(1000, strategy="basic").counts,
    "Blackjack.simulate random": lambda: BLACKJACK.tally(1000, strategy="basic", shoes="random").counts,
    "combine": lambda: np.asarray(fpclub.TABLE),
    "HashedDice.hash": lambda: [fpclub.HashedDice(DICE, hash=name).hash for name in ("md5", "sha256")],
    "HashedDice.record": lambda: fpclub.HashedDice(DICE).record(ws=1).text,
    "HashedDice.generate": lambda: fpclub.HashedDice.generate(64, 5).digits,
    "Record.check": lambda: (
        fpclub.parse_log(fpclub.HashedDice(DICE).record().text.replace("5635", "535"))[0].check().to_dict()
    )["results"],
    "laws of dice": lambda: [
        THROWS.distribution(of="face"), THROWS.distribution(of=lambda throws: throws @ [10, 1]),
        THROWS.distribution(of="pair"), THROWS.distribution(of="pips"),
        fpclub.combined_law([1, 2, 3, 4, 5, 6]),
    ],
}  # fmt: skip

SUBJECTS: dict[str, dict[str, Any]] = {
    "mines": {"cells": [0, 7]},
    "slot": {"reel": 4},
    "jackpot": {"share": (1, 10)},
}


def add_game(game: pf.Game) -> None:
    name = game.name
    subject = SUBJECTS.get(name, {})
    CALLS[f"{name}.play"] = lambda: game.play(*SEEDS)
    CALLS[f"{name}.simulate"] = lambda: game.simulate(50, seed="stability", start=3)
    CALLS[f"{name}.tally"] = lambda: game.tally(1000, seed="stability").counts
    CALLS[f"{name}.explain"] = lambda: game.explain(*SEEDS).to_dict()
    CALLS[f"{name}.observe"] = lambda: game.observe(game.simulate(20), **subject)
    for law in "ideal", "as_drawn":
        CALLS[f"{name}.distribution {law}"] = lambda law=law: game.distribution(law, **subject)


for each in pf.operators.salted.GAMES.values():
    add_game(each())
CALLS["mines.survival"] = lambda: [
    pf.Mines().survival(n, law, exact=True) for n in range(26) for law in ("ideal", "as_drawn")
]
CALLS["mines.fair_multiplier"] = lambda: pf.Mines().fair_multiplier(5, exact=True)
CALLS["jackpot.probability_between"] = lambda: pf.Jackpot().probability_between(5, 10, "as_drawn", exact=True)
CALLS["crash.cash_outs"] = lambda: [
    pf.Crash().cash_outs("ideal").extremes(exact=True),
    pf.Overgo().cash_outs("ideal").rtp(2, exact=True),
]
COINS = pf.Distribution([0, 1, 2], [1, 2, 1])
CALLS["Distribution"] = lambda: [
    COINS.mean(True), COINS.var(True), COINS.sum(5), COINS.map(lambda x: x % 2),
    COINS.expect([1, 5, 7], exact=True),
    COINS.rtp({2: 3}, exact=True), COINS.quantile([0, 0.25, 0.5, 1]), COINS.pmf([0, 1, 7]), COINS.cdf(1),
    COINS.sf(1), COINS.probability_between(1, 2, exact=True),
]  # fmt: skip


def plain(value: Any) -> Any:
    """A value as JSON: floats to the last bit, large integers and fractions as text."""
    if isinstance(value, pf.Distribution):
        return [plain(value.outcomes), plain(value.weights)]
    if dataclasses.is_dataclass(value):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value) if f.repr}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, bytes):
        return value.decode("ascii") if value.isascii() else value.hex()
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, Fraction) or (type(value) is int and abs(value) >= 2**53):
        return str(value)
    return value


def recorded(value: Any) -> Any:
    """The recorded form: the value itself, or the SHA-256 of a long one."""
    text = json.dumps(plain(value), ensure_ascii=False)
    return (
        plain(value) if len(text) <= 10 * LONGEST else "SHA-256 " + hashlib.sha256(text.encode()).hexdigest()
    )


@pytest.mark.parametrize("name", CALLS)
def test_values_stay_as_they_are(name):
    expected = json.loads(FILE.read_text(encoding="utf-8"))
    assert name in expected, f"{name} has no recorded value: python tests/test_value_stability.py writes it"
    assert recorded(CALLS[name]()) == expected[name], (
        f"{name} returns another value than before. If that is meant, it is a value-breaking change: write "
        "it into CHANGELOG.md under Value-breaking, raise the major version, and run "
        "python tests/test_value_stability.py"
    )


def test_no_recorded_value_is_left_over():
    assert json.loads(FILE.read_text(encoding="utf-8")).keys() == CALLS.keys()


LAW = pf.Distribution([0, 0.5, 3, 20], [60, 25, 14, 1])
BET = pf.bets.Bet(LAW, None)
STAKES = np.linspace(1, 3, 200)
RETURNS = STAKES * np.resize([0, 0.5, 3, 0], 200)
SUMS = {
    "test": lambda: BET.test(RETURNS, stakes=STAKES),
    "interval": lambda: BET.interval(RETURNS[:8], stakes=STAKES[:8]),
    "fairness": lambda: pf.fairness_report(pf.Slot().simulate(200), pf.Slot()),
    "law of a sum": lambda: LAW.sum(5000) + LAW,
    "mixture": lambda: pf.Distribution.mixture([(1, LAW), (2, LAW.sum(3000))]),
    "watch": lambda: Watch(BET, windows=["all"]).update({"payout": RETURNS, "stake": STAKES}, "day").report(),
    "audit": lambda: pf.audit(
        {"server_seed": (seeds := pf.salts(200, "sums")), "outcome": pf.Dice().play(seeds, "c", "s")},
        pf.Dice(),
        constants={"client_seed": "c", "salt": "s"},
    ),
}


@pytest.mark.parametrize("name", SUMS)
def test_no_value_hangs_on_how_a_python_adds_floats(name, monkeypatch):
    """`sum` compensates rounding errors only since Python 3.12; `math.fsum` always does."""
    plain = sum

    def of_no_floats(values, /, start=0):
        values = list(values)
        if sys._getframe(1).f_globals["__name__"].startswith("provably_fair."):
            assert float not in map(type, values), "write math.fsum, or add one by one"
        return plain(values, start)

    monkeypatch.setattr(builtins, "sum", of_no_floats)
    SUMS[name]()


if __name__ == "__main__":
    made = {name: recorded(call()) for name, call in CALLS.items()}
    FILE.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{FILE}: {len(made)} values")
