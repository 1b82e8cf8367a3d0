"""One numbering of cards: outcomes, replayed and simulated rounds, and logs have the operator's."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import provably_fair as pf
import pytest

JACKS, STAND = pf.cards.VideoPoker("jacks_or_better"), pf.cards.Blackjack(soft_17="stand")
SHOES = [
    pf.operators.stake.Blackjack(),
    pf.operators.crypto_games.Blackjack(),
    pf.operators.liqd.Blackjack().with_table(STAND),
    pf.cards.Shoe(decks=8),
]
PAIRS = [
    pf.operators.stake.VideoPoker().with_table(JACKS),
    pf.operators.crypto_games.VideoPoker(),
    pf.operators.crypto_games.VideoPoker().with_table(pf.cards.VideoPoker("joker_poker")),
    pf.operators.duel.VideoPoker().with_table(JACKS),
]


def seeds_of(game: Any, row: int) -> dict[str, Any]:
    log = game.simulate(20, seed="numbering", as_frame="pandas")
    return {name: log[name].tolist()[row] for name in game.scheme.fields}


@pytest.mark.parametrize("game", SHOES)
def test_rounds_of_blackjack(game: Any) -> None:
    for row in range(20):
        seeds = seeds_of(game, row)
        played = game.replay(**seeds, strategy="basic")
        dealt = game.kind.pack.in_order(game.play(**seeds))[: len(played.cards)].tolist()
        assert list(played.cards)[:20] == dealt
        shown = [*played.dealer, *(card for hand in played.hands for card in hand.cards)]
        assert sorted(shown) == sorted(played.cards)
        named = game.kind.pack.cards(np.array(played.dealer))
        assert str(played.dealer) == str(pf.cards.Hand(named.tolist()))
        assert game.table.settle(played.cards, played.actions) == played
        assert pickle.loads(pickle.dumps(played)) == played
        assert game.explain(**seeds, actions=played.actions).outcome == played
        if not game.kind.pack.order:
            log = {name: [value] for name, value in seeds.items()}
            for outcome in (list(played.cards), str(played.cards), played.cards):
                assert pf.verify(log | {"outcome": [outcome]}, game).ok


@pytest.mark.parametrize("game", PAIRS)
def test_rounds_of_video_poker(game: Any) -> None:
    rounds = game.simulate(20, seed="numbering", strategy="optimal")
    assert rounds.cards.tolist() == game.simulate(20, seed="numbering").tolist()
    for row in range(20):
        seeds = seeds_of(game, row)
        played = game.replay(**seeds)
        assert list(played.cards) == game.play(**seeds).tolist()
        assert rounds[row] == rounds[row:][0] == played == game.table.settle(played.cards)
        assert rounds.final[row].tolist() == list(played.final)
        assert list(played.hand) == list(played.cards)[:5]
        assert list(played.held) == [
            card for card, held in zip(played.hand, played.hold, strict=True) if held
        ]
        again = pickle.loads(pickle.dumps(played))
        assert (again, str(again)) == (played, str(played))
        assert game.table.best_hold(played.hand).tolist() == list(played.hold)
        log = {name: [value] for name, value in seeds.items()} | {"hold": [played.hold]}
        for cards in (played.final, played.cards):
            for outcome in (list(cards), str(cards), cards, np.array(cards)):
                assert pf.verify(log | {"outcome": [outcome]}, game).ok
        assert pf.cards.Hand(played.cards[:5]) == played.hand
    hands = [one.hand for one in rounds]
    assert game.table.best_hold(hands).tolist() == rounds.hold.tolist()
    assert [*game.table.settle([one.cards for one in rounds]).category] == [one.category for one in rounds]
    many = game.replay(**{name: [seeds_of(game, row)[name] for row in range(3)] for name in seeds})
    assert [*many] == [*rounds[:3]]


def test_names_and_notebooks() -> None:
    played = PAIRS[0].replay("a", "b", 1, hold=[1, 2])
    assert (str(played.final), played.final.ascii, repr(played.final)) == (
        "J♣ Q♣ 6♥ A♦ 2♥",
        "Jc Qc 6h Ad 2h",
        "DealtHand('J♣ Q♣ 6♥ A♦ 2♥')",
    )
    assert list(played.final) == [39, 43, 17, 48, 1]
    same = pf.cards.Hand("Jc Qc 6h Ad 2h")
    assert same == played.final == same == pf.cards.Hand(played.final)
    assert hash(same) == hash(played.final)
    assert played.final != pf.cards.Hand([39, 43, 17, 48, 1])
    assert played == PAIRS[0].table.settle(str(played.cards), [1, 2])
    assert "J♣" in played.final._repr_html_()
