"""The claims of notebook 05 on blackjack under the document's rules: the hand, the edge, and rule changes."""

from __future__ import annotations

import hashlib
import math

import numpy as np
import provably_fair as pf

PRINTED = (
    "2b87fbc5eac7368ef393c8ab292f71a0251702f6db028ca8a855bfaa541b78df"
    "3ae996ad22ac022588a46231ed32180d5cbde86dff5d2368cbb7658332bbb9bc"
)


def test_the_hand_was_dealt_as_printed(ran):
    seeds = ran["server_seed"], ran["client_seed"]
    assert hashlib.sha512("".join(seeds).encode()).hexdigest() == PRINTED
    assert hashlib.sha256(seeds[0].encode()).hexdigest() == ran["published"]
    walk, shoe = ran["walk"], ran["game"].play(*seeds)
    assert walk.committed
    assert [step.word for step in walk.steps] == shoe[:6].tolist()
    assert [step.passed for step in walk.steps] == [(), (), (0xFB,), (0xEA,), (), ()]
    assert str(pf.cards.Hand(shoe)) == "5♣ 6♦ 3♣ 5♣ 3♠ K♦ 5♣ 6♣ 3♥ 3♣ 9♣ 10♠ 5♠ Q♦ J♥ 3♠ J♦ K♠ 8♦ 10♦"
    played = ran["game"].replay(*seeds, actions=["double"])
    assert (str(played.hands[0].cards), played.hands[0].total) == ("5♣ 6♦ 3♠", 14)
    assert (str(played.dealer), played.dealer_total) == ("3♣ 5♣ K♦", 18)
    assert played.net == -2
    assert (pf.operators.crypto_games.Blackjack(cards=60).play(*seeds) >= 0).sum() == 49


def test_doubling_was_right(ran):
    values = ran["optimal"].values["6,5", "3"]
    assert max(values, key=values.get) == "double"
    assert f"{values['double']:.2f}" == "0.54"
    assert 1.9 < values["double"] / values["hit"] < 2.1


def test_the_edge_is_108_and_not_117(ran, notebook):
    edge, basic, optimal = ran["edge"], ran["basic"], ran["optimal"]
    assert f"{ran['without']:.2%}" == "1.91%"
    assert round(1.91 - 0.74, 2) == 1.17
    assert f"{basic.house_edge:.2%}" == f"{optimal.house_edge:.2%}" == "1.08%"
    assert f"{ran['without'] - basic.house_edge:.2%}" == "0.83%"
    assert edge(split_hands=4) < edge(split_hands=3) < edge(split_hands=2) == basic.house_edge
    assert "**The answer: no, 1.08 %" in notebook.text


def test_rule_by_rule_they_add_up(ran):
    assert math.isclose(ran["edges"][-1], 100 * ran["optimal"].house_edge, abs_tol=1e-9)


def test_hashed_shoes_agree(ran):
    tally, basic = ran["tally"], ran["basic"]
    assert abs(ran["off"]) < 3.5
    assert ran["farthest"] < 3.5
    assert tally.exhausted == 0
    assert abs(tally.std() - basic.std) < 0.02
    assert 0.02 < ran["same_hashes"].mean() - ran["fearful"].mean() < 0.1


def test_other_houses(ran):
    changes = ran["changes"]
    gifts = [changes.pop(name) for name in ("double any number of cards", "five cards win")]
    assert max(gifts) < 0
    assert max(changes, key=changes.get) == "a dealer's 22 pushes"
    assert changes["a dealer's 22 pushes"] > -sum(gifts)
    assert min(ran["side"].values()) > 3 * ran["basic"].house_edge


def test_insurance_loses_and_even_money_wins(ran):
    offered, kept = ran["offered"], ran["kept"]
    lost = {cards: offered.insurance_bet(cards).house_edge for cards in ("", "9h 9d", "Kh Qd")}
    assert min(lost.values()) > 0
    assert max(lost, key=lost.get) == "Kh Qd"
    assert max(kept, key=kept.get) == "even_money"
    assert kept["insure"] < kept["even_money"]


def test_counting_turns_the_edge(ran):
    effects, worth, deep = ran["effects"], ran["worth"], ran["deep"]
    assert max(effects.rows, key=lambda row: row.effect).rank == "5"
    assert abs(worth[:9].sum() + 4 * worth[9]) < 0.02
    high, low = (deep.nets[side].mean() for side in (deep.true_count >= 2, deep.true_count <= -2))
    assert high > 0 > low
    assert deep.house_edge < ran["runs"][0.75].house_edge < 0 < -deep.nets.mean()
    assert np.polyfit(ran["counts"], ran["means"], 1)[0] > 0.3


def test_the_cell_to_copy_is_a_usual_table(copied):
    assert 0.001 < copied["yours"].analyze("basic").house_edge < 0.003
