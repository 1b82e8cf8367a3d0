"""Video poker with ten cards that an operator draws."""

from __future__ import annotations

import pickle

import numpy as np
import provably_fair as pf
import pytest

stake, duel = pf.operators.stake, pf.operators.duel
SEEDS = "ae5baafb37cfd372fcf07cc85d3b924af4ad1691dd451529b13bf8f272926525", "7pwXtJ6R"


@pytest.mark.parametrize(
    "game", [stake.VideoPoker(), duel.VideoPoker(), stake.VideoPoker().with_scheme(pf.SALTED)]
)
def test_settled_by_their_names(game):
    dealt = game.simulate(50, seed="deals")
    names = [" ".join(cards) for cards in stake.cards(dealt)]
    for paytable in ("jacks_or_better", "deuces_wild"):
        rounds = game.settle(dealt, paytable=paytable)
        poker = pf.operators.crypto_games.VideoPoker(paytable)
        one_by_one = [poker.settle(text) for text in names]
        assert [str(round) for round in rounds] == [str(round) for round in one_by_one]
        assert str(game.settle(dealt[0], [1, 2], paytable=paytable)) == str(poker.settle(names[0], [1, 2]))


def test_a_published_round():
    played = stake.VideoPoker().settle(stake.VideoPoker().play(*SEEDS, 1))
    assert str(played.hand) == "J♦ J♠ K♣ J♣ 2♥"
    assert str(played.final) == "J♦ J♠ 10♣ J♣ 8♥"


@pytest.mark.parametrize(
    ("game", "strategy"),
    [(duel.VideoPoker(), "optimal"), (stake.VideoPoker(), ["three of a kind", "pair", "1 wild card"])],
)
def test_bets(game, strategy):
    bet = game.bet(paytable="deuces_wild", strategy=strategy)
    poker = pf.operators.crypto_games.VideoPoker("deuces_wild").bet(strategy=strategy)
    assert bet.law == poker.law
    assert bet.exact_rtp == poker.exact_rtp
    back = bet.simulate(20_000, seed="bets")
    assert abs(back.mean() - bet.rtp) < 5 * bet.std / back.size**0.5
    again = pickle.loads(pickle.dumps(bet))
    assert again == bet != poker
    assert np.array_equal(again.simulate(100), bet.simulate(100))


@pytest.mark.parametrize(
    ("error", "message", "arguments"),
    [
        (ValueError, "paytable must have no jokers", {"paytable": "joker_poker"}),
        (ValueError, "paytable must be one of", {"paytable": "poker"}),
        (ValueError, 'law must be "ideal" with a paytable', {"paytable": "deuces_wild", "law": "as_drawn"}),
        (TypeError, "payout isn't supported", {"paytable": "deuces_wild", "payout": 2}),
    ],
)
def test_refused(error, message, arguments):
    with pytest.raises(error, match=message):
        stake.VideoPoker().bet(**arguments)
    if "paytable" in arguments and len(arguments) == 1:
        with pytest.raises(error, match=message):
            stake.VideoPoker().settle(range(10), **arguments)


def test_what_is_no_card_is_refused():
    with pytest.raises(ValueError, match="cards must be from 0 to 51, got 43 to 52"):
        stake.VideoPoker().settle(range(43, 53))
