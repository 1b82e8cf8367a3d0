"""Rules that are found, and what they cost."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction

import folders
import provably_fair as pf
import pytest
from provably_fair.cards import PokerRules, VideoPoker

KEPT = json.loads((folders.VECTORS / "poker_rules.json").read_text(encoding="utf-8"))


@pytest.mark.thorough
@pytest.mark.parametrize(
    "found", KEPT["found"], ids=lambda found: f"{found['paytable']} {len(found['rules'])}"
)
def test_kept_lists_cost_what_they_did(found):
    analysis = VideoPoker(found["paytable"]).analyze(found["rules"], mistakes=0)
    assert analysis.exact_cost == Fraction(found["cost"])
    assert analysis.exact_cost < Fraction(found["limit"])


@pytest.mark.thorough
def test_a_short_list():
    game = VideoPoker("jacks_or_better")
    rules = game.find_rules(3)
    assert isinstance(rules, PokerRules)
    assert len(rules) == 3
    # Each of them matters, and so does their order.
    assert rules.exact_cost == game.analyze(list(rules), mistakes=0).exact_cost
    assert all(game.analyze([*rules[:i], *rules[i + 1 :]], mistakes=0).cost > rules.cost for i in range(3))
    assert sum(rules.deals) <= 2_598_960
    assert pickle.loads(pickle.dumps(rules)) == rules
    deal = pf.operators.crypto_games.VideoPoker().with_table(game)
    assert deal.bet(strategy=rules).exact_rtp == rules.analysis.exact_rtp
    assert rules.to_pandas()["rule"].tolist() == list(rules)
    assert "less than optimal play" in repr(rules)
    assert all(rule in str(rules) for rule in rules)
