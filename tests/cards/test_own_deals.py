"""Video poker with ten cards that an operator draws."""

from __future__ import annotations

import pickle

import numpy as np
import provably_fair as pf
import pytest

stake, duel = pf.operators.stake, pf.operators.duel
SEEDS = "ae5baafb37cfd372fcf07cc85d3b924af4ad1691dd451529b13bf8f272926525", "7pwXtJ6R"


def test_a_published_round():
    game = stake.VideoPoker().with_table(pf.cards.VideoPoker("jacks_or_better"))
    played = game.replay(*SEEDS, 1)
    assert str(played.hand) == "J♦ J♠ K♣ J♣ 2♥"
    assert str(played.final) == "J♦ J♠ 10♣ J♣ 8♥"
    names = " ".join(stake.cards(game.play(*SEEDS, 1)))
    assert played == game.table.settle(names) == game.table.settle(names, hold=[1, 2, 4])


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("game", "strategy"),
    [(duel.VideoPoker(), "optimal"), (stake.VideoPoker(), ["three of a kind", "pair", "1 wild card"])],
)
def test_bets(game, strategy):
    table = pf.cards.VideoPoker("deuces_wild")
    bet = game.with_table(table).bet(strategy=strategy)
    poker = pf.operators.crypto_games.VideoPoker().with_table(table).bet(strategy=strategy)
    assert bet.law == poker.law
    assert bet.exact_rtp == poker.exact_rtp
    analysis = table.analyze() if strategy == "optimal" else table.analyze(strategy)
    assert bet.exact_rtp == analysis.exact_rtp
    back = bet.simulate(20_000, seed="bets")
    assert abs(back.mean() - bet.rtp) < 5 * bet.std / back.size**0.5
    again = pickle.loads(pickle.dumps(bet))
    assert again == bet != poker
    assert np.array_equal(again.simulate(100), bet.simulate(100))


def test_refused():
    game = stake.VideoPoker()
    with pytest.raises(ValueError, match=r"^table must have no jokers at stake.VideoPoker\(\)"):
        game.with_table(pf.cards.VideoPoker("joker_poker"))
    deuces = game.with_table(pf.cards.VideoPoker("deuces_wild"))
    with pytest.raises(
        ValueError, match=r'^law must be "ideal" or "best" under the scheme of stake.VideoPoker'
    ):
        deuces.bet(law="as_drawn")
