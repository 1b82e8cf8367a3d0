"""The display of values: one-line reprs, well-formed tables, frames with fixed columns."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

import numpy as np
import provably_fair as pf
import pytest
from markup import WellFormed
from provably_fair._core.table import LONGEST, Sheet, bar_strip, html_table, short, text_table

HOSTILE = "<script>alert(1)</script>\u202e\x1b[31m&\"'"

cards = pf.cards
POKER, BLACKJACK = pf.operators.crypto_games.VideoPoker(), pf.operators.crypto_games.Blackjack()


class Sum(pf.Game):
    """A sum of random bits."""

    count: int

    def outcome(self, draws):
        return sum(draws.below(2) for _ in range(self.count))


MAKERS = {
    **{f"game {name}": game for name, game in pf.operators.salted.GAMES.items()},
    "game with reels of letters": lambda: pf.Slot(
        100, ["7AKQJT" * 5, "7AKQJT" * 5, "7AKQJT" * 5, "7AKQJT" * 5, ("7AKQJT" * 7)[:41]]
    ),
    "game with reels": lambda: pf.Slot(2, [range(stops) for stops in (30, 30, 30, 30, 41)]),
    "law of floats": lambda: pf.Dice().distribution(),
    "law as drawn": lambda: pf.Crash().distribution("as_drawn"),
    "law too long to list": lambda: pf.Jackpot(2**40).distribution(),
    "law of text": lambda: pf.Distribution([HOSTILE * 100, "b"], [1, 10**400]),
    "law of tuples": lambda: pf.Distribution([tuple(range(200)), (5, 2)], [1, 2]),
    "law of fractions": lambda: pf.Distribution([Fraction(1, 3**200), Fraction(1, 2)], [1, 2]),
    "law of a sum": lambda: pf.Dice().distribution().sum(2),
    "tally": lambda: pf.Double().tally(100),
    "tally of parts": lambda: pf.Tower().tally(100),
    "tally of bins": lambda: pf.Jackpot(2**40).tally(100, bins=10),
    "tally of nothing": lambda: pf.Double().tally(0),
    "estimate": lambda: pf.Crash().bet(cash_out=2).estimate(1000),
    "paths": lambda: pf.Dice().bet({1: 1.98}, under=50).paths(50, paths=20),
    "bet": lambda: pf.Plinko().bet(range(17)),
    "monitor": lambda: pf.Double().bet({0: 14}).monitor().update([0, 14, 3]),
    "grinding": lambda: pf.Double().bet({0: 14}).grinding_share([0, 14]),
    "bet without a law": lambda: BLACKJACK.bet(strategy=lambda decision: "stand"),
    "cash-outs": lambda: pf.Crash().cash_outs(),
    "rounding": lambda: pf.Overgo().cash_outs().rounding(),
    "bias": lambda: pf.statistics.bias_table([pf.Dice()])[0],
    "bias table": lambda: pf.statistics.bias_table([pf.Dice(), pf.Mines(24), pf.Jackpot(2**14)]),
    "chi-square": lambda: pf.Double().distribution().chisquare(pf.Double().tally(1000)),
    "video poker": cards.VideoPoker,
    "deal of video poker": lambda: POKER,
    "deal of blackjack": lambda: BLACKJACK.with_table(cards.Blackjack(soft_17="stand")),
    "deal explained": lambda: BLACKJACK.explain(HOSTILE, HOSTILE, HOSTILE),
    "poker rounds": lambda: POKER.simulate(20, strategy="optimal"),
    "poker round": lambda: POKER.replay("a", "b"),
    "poker tally": lambda: POKER.tally(100, strategy="optimal"),
    "poker analysis": lambda: cards.VideoPoker().analyze(),
    "poker analysis row": lambda: cards.VideoPoker().analyze().rows[0],
    "paytable": lambda: cards.VideoPoker().paytable,
    "blackjack": lambda: cards.Blackjack(decks=8, blackjack_pays=Fraction(3, 2)),
    "rules": lambda: cards.Rules(decks=6),
    "rule values": lambda: BLACKJACK.table.rule_values(),
    "blackjack round": lambda: BLACKJACK.replay("a", "b"),
    "blackjack tally": lambda: BLACKJACK.tally(1000, strategy="basic"),
    "blackjack analysis": lambda: BLACKJACK.table.analyze(),
    "upcard": lambda: BLACKJACK.table.analyze().upcards[0],
    "first hand": lambda: BLACKJACK.table.analyze().hands[0],
    "chart": lambda: BLACKJACK.table.analyze().chart,
    "fairness report": lambda: pf.fairness_report(pf.X50().simulate(1000), pf.X50()),
    "fairness test": lambda: pf.fairness_report(pf.X50().simulate(1000), pf.X50()).tests[0],
    "ground rounds": lambda: pf.auditing.grinding.estimate_grinding(
        pf.Dice(), lambda dice: dice < 49.5, 2, 100
    ),
    "hashed dice": lambda: pf.operators.fpclub.HashedDice.generate(512, 1),
    "scheme": lambda: pf.operators.stake.Dice().scheme,
    "scheme of a function": lambda: pf.Scheme.of(lambda fields: b"", fields=["server_seed"], bits=8),
    "hash": lambda: pf.Hash("sha256", HOSTILE + "{server_seed}"),
    "chain": pf.HashChain,
    "query": lambda: pf.Query(f"select '{HOSTILE}'", "postgresql://me:secret@host/casino"),
    "p-value": lambda: pf.Dice().bet(2, under=50).test([0, 2, 2, 3]),
    "difference": lambda: pf.difference(Sum(2), Sum(3), rounds=100),
    "bitcoin block": lambda: pf.beacons.BitcoinHeader(bytes(80)),
    "battery": lambda: pf.statistics.dieharder.parse_report(
        "   diehard_birthdays|   0|       100|     100|0.81364424|  PASSED  "
    ),
    "battery's line": lambda: make("battery").results[0],
    "walk-through": lambda: pf.Dice().explain(HOSTILE, HOSTILE, HOSTILE),
    "verification": lambda: pf.verify(
        {"server_seed": [HOSTILE], "client_seed": ["b"], "salt": ["c"], "outcome": [1.0]}, pf.Dice()
    ),
}

make = lru_cache(lambda label: MAKERS[label]())
EVERY = pytest.mark.parametrize("label", MAKERS)


@EVERY
def test_a_repr_is_one_short_line(label):
    shown = repr(make(label))
    assert 0 < len(shown) <= LONGEST
    assert shown.isprintable()


@EVERY
def test_floats_of_a_repr_have_four_digits(label):
    if label in ("paytable", "poker round"):
        return
    for digits in re.findall(r"(?<![\w.])\d+\.\d+(?=e|\b)", repr(make(label))):
        whole, _, decimals = digits.partition(".")
        assert len(decimals) <= 4 or len((whole + decimals).lstrip("0")) <= 6


@EVERY
def test_text_is_readable(label):
    shown = str(make(label))
    assert "array(" not in shown
    assert "Fraction(" not in shown
    assert "\x1b" not in shown
    assert "\u202e" not in shown


@EVERY
def test_html_is_well_formed_and_acts_on_nothing(label):
    value = make(label)
    if not hasattr(value, "_repr_html_"):
        assert isinstance(value, tuple)
        return
    read = WellFormed(value._repr_html_())
    assert not {"script", "style", "iframe", "object", "link", "img"} & set(read.tags)
    assert not [name for name, _ in read.attributes if name.startswith("on") or name in ("src", "href")]
    assert "\u202e" not in value._repr_html_()


@EVERY
def test_frames_have_the_same_columns(label):
    value = make(label)
    if label in ("law too long to list", "law of tuples") or not hasattr(value, "to_polars"):
        return
    pandas, polars = value.to_pandas(), value.to_polars()
    assert len(pandas) == len(polars)
    if label != "chart":
        assert list(pandas.columns) == polars.columns


def test_facts_are_shown_as_tables():
    page = make("p-value")._repr_html_()
    for name in ("p-value", "method", "bets", "returned", "expected"):
        assert f">{name}</td>" in page
    # In a cell of another table it is a plain number, without a table of its own.
    assert WellFormed(html_table(("p",), [(make("p-value"),)])).tags.count("table") == 1
    assert "secret" not in make("query")._repr_html_()
    assert "{client_seed}:{nonce}:{cursor}" in make("scheme")._repr_html_()
    assert "95 %" in make("difference")._repr_html_()


def test_bias_tables_are_tuples():
    table = pf.statistics.bias_table([pf.Dice(), pf.Double()])
    assert isinstance(table, tuple)
    assert table == tuple(table)
    first, second = table
    assert (first.game, second.game) == (pf.Dice(), pf.Double())
    assert isinstance(first.relative, Fraction)


def test_frames_hold_what_the_table_says():
    tally = pf.distribution.Tally(np.array([0, 1]), np.array([[3, 1], [1, 3]]), rounds=4)
    assert tally.to_polars().rows() == [(0, 0, 3, 0.75), (0, 1, 1, 0.25), (1, 0, 1, 0.25), (1, 1, 3, 0.75)]
    law = pf.Distribution([0, 1], [1, 3])
    assert law.to_polars().rows() == [(0, 0.25), (1, 0.75)]


def test_numbers_are_short():
    assert [short(value) for value in (0, 1 / 3, 1e-12, 12345.678, 0.1 + 0.2, 2**53, -(2**70), 2**63)] == [
        "0",
        "0.3333",
        "1e-12",
        "12346",
        "0.3",
        "9007199254740992",
        "about -2**70",
        "about 2**63",
    ]
    assert short(Fraction(3**300, 3**300 * 7)) == "0.1429"
    assert short(Fraction(10**400, 3)) == "about 2**1327"
    assert [short(value) for value in (float("nan"), float("inf"), None, True, np.float64(0.5))] == [
        "nan",
        "inf",
        "None",
        "True",
        "0.5",
    ]


def test_tables_hold_together():
    rows = [("a", 1), ("long name", 22.5)]
    assert text_table(("name", "n"), rows).splitlines() == [
        "name          n",
        "a             1",
        "long name  22.5",
    ]
    table = html_table(("name", HOSTILE), [(HOSTILE, 1)], caption=HOSTILE)
    assert WellFormed(table).tags.count("td") == 2
    assert "white-space:pre" in table
    assert "font-family:monospace" in table
    assert Sheet("title", ("", ""), [("fact", "value")], "l").text() == "title\nfact  value"


def test_strips_show_every_bar():
    assert WellFormed(bar_strip([1, 0, 2], first=HOSTILE, last="z", title=HOSTILE)).tags.count("rect") == 2
    assert WellFormed(bar_strip(np.ones(1000))).tags.count("rect") == 140
    assert WellFormed(bar_strip([])).tags.count("rect") == 0


def test_small_mappings_are_shown_whole():
    assert short({"bet_id": "b057", "row": 3}) == "{'bet_id': 'b057', 'row': 3}"
    assert short({}) == "{}"
    assert short(dict.fromkeys(range(50))) == "<50 items>"
    assert short({"text": "x" * 60}) == "<1 items>"
