"""Cards: numbers, names, hands."""

from __future__ import annotations

import pickle

import numpy as np
import provably_fair as pf
import pytest
from oracles.video_poker import CARD_NAMES
from provably_fair.cards import Hand, name, parse, rank, suit


def test_names_are_the_documents():
    assert [name(card) for card in range(52)] == CARD_NAMES
    assert [name(card) for card in range(208)] == CARD_NAMES * 4
    assert name(49) == "J♣"
    assert name(-1) == "--"


def test_names_read_back_in_every_spelling():
    for card in range(52):
        text, ascii_ = name(card), name(card, ascii=True)
        assert ascii_.isascii()
        assert len(ascii_) == 2
        for spelling in (text, ascii_, ascii_.lower(), ascii_.upper(), f" {text} "):
            assert parse(spelling) == card
    assert parse("10♣") == parse("10c") == parse("Tc") == parse("T♣") == 48
    assert parse("--") == -1


def test_rank_and_suit():
    assert [rank(card) for card in (0, 12, 49, 135, 207)] == [0, 12, 10, 5, 12]
    assert [suit(card) for card in (0, 13, 26, 39, 52, 135, 207)] == [0, 1, 2, 3, 0, 2, 3]


@pytest.mark.parametrize("text", ["", "J", "1c", "11♣", "Jx", "J♣♣", "-1"])
def test_other_names_are_refused(text):
    with pytest.raises(ValueError, match=r"^name must be a rank"):
        parse(text)


def test_other_cards_are_refused():
    for card in (-2, 208):
        with pytest.raises(ValueError, match=r"^card must be from -1 to 207"):
            name(card)
    for card in (True, 1.0, None):
        with pytest.raises(TypeError, match=r"^card must be an integer"):
            name(card)
    with pytest.raises(ValueError, match=r"^card must be from 0 to 207"):
        rank(-1)
    with pytest.raises(TypeError, match=r"^name must be str"):
        parse(49)


def test_hands_are_tuples_that_print():
    hand = Hand([49, 17, 46, 39, 40])
    assert str(hand) == "J♣ 5♥ 8♣ A♣ 2♣"
    assert hand.ascii == "Jc 5h 8c Ac 2c"
    assert repr(hand) == "Hand('J♣ 5♥ 8♣ A♣ 2♣')"
    assert hand == (49, 17, 46, 39, 40) == eval(repr(hand))
    assert Hand("Jc 5♥ 8c AC 2c") == Hand(["Jc", 17, "8♣", 39, np.int8(40)]) == hand
    assert np.asarray(hand).tolist() == list(hand)
    assert pickle.loads(pickle.dumps(hand)) == hand
    assert type(pickle.loads(pickle.dumps(hand))) is Hand
    assert str(Hand([-1, 22])) == "-- 10♥"


@pytest.mark.parametrize("cards", [b"Jc", bytearray(b"Jc"), memoryview(b"Jc"), np.bytes_(b"Jc"), [b"Jc"]])
def test_bytes_are_no_cards(cards):
    with pytest.raises(TypeError, match=r"^cards(\[0\])?\b.* must be"):
        Hand(cards)
    with pytest.raises(TypeError, match=r"^cards(\[0\])?\b.* must be"):
        pf.cards.Blackjack().settle(cards, [])


def test_a_hand_of_the_shoe_keeps_its_numbers():
    hand = Hand([43, 135])
    assert str(hand) == "5♣ 6♦"
    assert eval(repr(hand)) == hand


def test_hands_render_with_red_suits():
    page = pf.cards.Hand("J♣ 5♥")._repr_html_()
    assert page.count("#c00") == 1
    assert "J♣" in page
    assert "5♥" in page
