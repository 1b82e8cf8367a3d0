"""Audits of hands of cards: honest logs in every shape, and frauds with what was paid."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from auditing.logs_of_bets import reports_in_pieces

stake, crypto = pf.operators.stake, pf.operators.crypto_games
SHOES = {
    "stake": stake.Blackjack(),
    "crypto": crypto.Blackjack(),
    "liqd": pf.operators.liqd.Blackjack().with_table(pf.cards.Blackjack(soft_17="stand")),
}
PAIRS = {
    "stake": stake.VideoPoker().with_table(pf.cards.VideoPoker("deuces_wild")),
    "crypto": crypto.VideoPoker(),
    "duel": pf.operators.duel.VideoPoker().with_table(pf.cards.VideoPoker("bonus_poker")),
}
HANDS = 400
LOG = dict[str, Any]


@cache
def hands_of(game: Any, hands: int = HANDS) -> LOG:
    """Hands with their decisions, all cards of the outcome, and `net`, the net win of a first bet of 1."""
    frame = game.simulate(hands, seed="hands", strategy=game.table.usual, as_frame="pandas")
    log = {name: frame[name].tolist() for name in frame.columns}
    seeds = [log[name] for name in game.scheme.fields if name in log]
    log["cards"] = [cards.tolist() for cards in game.play(*seeds)]
    log["net"] = np.array(log["outcome"]) if "actions" in log else np.array(log["pays"]) - 1.0
    rng = random.Random("stakes")
    log["first"] = np.array([rng.randint(100, 10_000) / 100 for _ in range(hands)])
    log["bets"] = np.array(
        [_bets(game, *row) for row in zip(*seeds, log.get("actions", [None] * hands), strict=True)]
    )
    return log


def _bets(game: Any, *seeds_and_actions: Any) -> float:
    """All bets of a hand, as a multiple of the first."""
    *seeds, actions = seeds_and_actions
    if actions is None:
        return 1.0
    played = game.replay(*seeds, actions=actions.split())
    return sum(hand.bets for hand in played.hands) + (played.insurance is not None) / 2


def shaped(game: Any, shape: str, stakes: Any = None, paid: Any = None) -> LOG:
    """A log whose outcomes have a shape, with stakes and payouts; by default what is due."""
    hands = hands_of(game)
    outcomes: dict[str, Callable[[], Any]] = {
        "result": lambda: hands["net"] + ("hold" in hands),
        "float32": lambda: (hands["net"] + ("hold" in hands)).astype(np.float32),
        "final": lambda: hands["outcome"],
        "cards": lambda: hands["cards"],
        "names": lambda: [
            str(pf.cards.Hand(game.kind.pack.cards(np.array(cards)).tolist())) for cards in hands["cards"]
        ],
        "first cards": lambda: [cards[:4] for cards in hands["cards"]],
        "one card": lambda: [cards[:1] for cards in hands["cards"]],
    }
    kept = {*game.scheme.fields, game.table.choice}
    log = {name: column for name, column in hands.items() if name in kept} | {"outcome": outcomes[shape]()}
    stakes = hands["first"] if stakes is None else stakes
    paid = np.round(stakes * (1 + hands["net"]), 8) if paid is None else paid
    return log | {"stake": stakes, "payout": paid}


def serious(log: LOG, game: Any, **options: Any) -> list[str]:
    """The kinds of findings of an audit of rows that all verify, without notes."""
    report = pf.audit(log, game, **options)
    assert report.verification.ok, report.verification
    return [finding.kind for finding in report.findings if finding.severity != "note"]


OF_SHOES = ("result", "float32", "cards", "names", "first cards", "one card")
OF_PAIRS = ("result", "float32", "final", "cards", "names")
ALL = [
    *((game, shape) for game in SHOES.values() for shape in OF_SHOES),
    *((game, shape) for game in PAIRS.values() for shape in OF_PAIRS),
]


@pytest.mark.one_case_in(5)
@pytest.mark.parametrize(("game", "shape"), ALL)
@pytest.mark.parametrize("decided", [True, False])
def test_honest_hands_are_left_alone(game: Any, shape: str, decided: bool) -> None:
    log = shaped(game, shape)
    if not decided:
        del log[game.table.choice]
        if "hold" not in game.table.choice and shape in ("result", "float32"):
            return  # a net win can't be verified without the actions
    assert serious(log, game) == []
    assert serious({name: log[name] for name in log if name not in ("stake", "payout")}, game) == []


def ways_of(first: np.ndarray, bets: np.ndarray, net: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Stakes and payouts, in every way in which logs write hands with several bets."""
    return [
        (first, first * (1 + net)),
        (first, np.maximum(first * (1 + net), 0)),
        (first, first * (bets + net)),
        (first, first * net),
        (first * bets, first * (bets + net)),
        (first * bets, first * net),
    ]


@pytest.mark.one_case_in(3)
@pytest.mark.parametrize("game", SHOES.values())
def test_every_way_of_writing_several_bets(game: Any) -> None:
    hands = hands_of(game)
    first, bets, net = hands["first"], hands["bets"], hands["net"]
    assert (bets > 1).sum() > 20
    bet = game.bet()
    for stakes, paid in ways_of(first, bets, net):
        log = shaped(game, "result", np.round(stakes, 8), np.round(paid, 8))
        assert serious(log, game) == serious(log, game, bet=bet) == []
        fraud = log | {"payout": np.where(net == 1, log["payout"] - 0.5 * first, log["payout"])}
        assert "payout_mismatch" in serious(fraud, game)
    for stakes, paid in ways_of(first * np.pi, bets, net):  # as converted amounts, with all of their digits
        assert serious(shaped(game, "result", stakes, paid), game) == []
    for cut in (np.floor, np.round):
        log = shaped(game, "cards", first, cut(first * (1 + net) * 100 + 1e-6) / 100)
        assert serious(log, game) == []


@pytest.mark.parametrize("cut", [np.floor, np.round])
def test_half_cents_of_insurance_in_payouts_of_cents(cut: Any) -> None:
    game = stake.Blackjack()
    chart = game.table.analyze("basic").chart
    seeds = "server", [f"client {row}" for row in range(150)], 0
    hands = game.replay(*seeds, strategy=lambda one: "insure" if "insure" in one.legal else chart(one))
    first, net = np.arange(101, 401, 2) / 100, hands.net
    bets = [sum(h.bets for h in one.hands) + (one.insurance is not None) / 2 for one in hands]
    assert {-1.5, 1.5} <= {*net}
    log = {"server_seed": "server", "client_seed": seeds[1], "nonce": 0, "actions": [*hands.actions]}
    for stakes, paid in ways_of(first, np.array(bets), net):
        paid = np.sign(paid) * cut(np.abs(paid) * 100 + 1e-6) / 100
        for staked in stakes, np.round(stakes + 1e-9, 2):  # which all bets together may not have as cents
            assert serious(log | {"outcome": net, "stake": staked, "payout": paid}, game) == []


@pytest.mark.parametrize("game", SHOES.values())
def test_all_bets_of_a_hand_are_given_back(game: Any) -> None:
    hands = hands_of(game)
    first, bets, net = hands["first"], hands["bets"], hands["net"]
    void = (np.arange(HANDS) % 10 == 0) | ((bets > 1) & (np.cumsum(bets > 1) < 6))
    status = {"status": np.where(void, "void", "settled").tolist()}
    given_back = first, first, first * bets, 0, first * bets, 0
    for (stakes, paid), back in zip(ways_of(first, bets, net), given_back, strict=True):
        log = shaped(game, "result", np.round(stakes, 8), np.round(np.where(void, back, paid), 8)) | status
        assert serious(log, game) == []
        log["payout"][void] += 0.5
        assert "payout_mismatch" in serious(log, game)


@pytest.mark.parametrize("digits", [2, 8])
@pytest.mark.parametrize("cut", [math.floor, math.ceil])
def test_each_bet_of_a_hand_may_be_rounded_by_itself(cut: Any, digits: int) -> None:
    """The bet of insurance is half of the first in whole cents, and pays twice what it is."""
    game = stake.Blackjack().with_table(pf.cards.Blackjack(soft_17="stand", insurance=True))
    chart = game.table.analyze("basic").chart
    seeds = "server", [f"client {row}" for row in range(400)], 0
    hands = game.replay(*seeds, strategy=lambda one: "insure" if "insure" in one.legal else chart(one))
    log = {"server_seed": "server", "client_seed": seeds[1], "nonce": 0, "actions": [*hands.actions]}
    log["outcome"] = hands.net
    first = range(10_001, 10_801, 2)
    money = []
    for stake_, hand in zip(first, hands, strict=True):
        insured = 0 if hand.insurance is None else cut(Fraction(stake_, 2))
        paid = sum(cut(stake_ * (one.bets + one.exact_net)) for one in hand.hands)
        bets = stake_ * sum(one.bets for one in hand.hands) + insured
        money.append((stake_, bets, paid + (3 * insured if (hand.insurance or 0) > 0 else 0)))
    first_bets, bets, paid = np.array(money).T / 10**digits
    won = np.round(paid - bets, digits)
    ways = [(first_bets, first_bets + won), (first_bets, paid), (first_bets, won), (bets, paid), (bets, won)]
    for stakes, payouts in ways:
        payouts = np.round(payouts, digits)
        assert serious(log | {"stake": stakes, "payout": payouts}, game) == []
        less = np.where(np.array(log["outcome"]) == 1, payouts - 0.01, payouts)
        assert "payout_mismatch" in serious(log | {"stake": stakes, "payout": less}, game)


@pytest.mark.parametrize("game", SHOES.values())
def test_profits_whose_doubled_hands_all_lost(game: Any) -> None:
    """Their stakes are all bets: the same amounts are payouts of first bets."""
    hands = hands_of(game)
    first, bets, net = hands["first"], hands["bets"], hands["net"]
    log = shaped(game, "result", np.round(first * bets, 8), np.round(first * net, 8))
    lost = np.flatnonzero((bets == 2) & (net == -2))[:3]
    rows = np.sort([*lost, *np.flatnonzero(bets == 1)[:12]])
    few = {
        name: column if isinstance(column, str) else [column[row] for row in rows]
        for name, column in log.items()
    }
    assert len(lost)
    assert {*serious(few, game)} <= {"nonce_gap"}
    assert "payouts agree with the bet as profits, without the stake" in pf.audit(few, game).unknown


Fraud = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""What is paid, by the first bet, the net win and the number of bets."""


def _one_withheld(first: np.ndarray, net: np.ndarray, bets: np.ndarray) -> np.ndarray:
    paid = first * (1 + net)
    paid[int(np.argmax(net))] = 0
    return paid


def _except(paid: Callable[[np.ndarray], np.ndarray], which: Callable[..., np.ndarray]) -> Fraud:
    """Pay something else for some hands."""
    return lambda first, net, bets: np.where(which(net, bets), paid(first), first * (1 + net))


FRAUDS: dict[str, Fraud] = {
    "unpaid": lambda first, net, bets: 0 * first,
    "paid by another hand": lambda first, net, bets: first * (1 + np.roll(net, 1)),
    "one win withheld": _one_withheld,
    "wins as pushes": _except(lambda first: first, lambda net, bets: net > 0),
    "a fee of wins": lambda first, net, bets: first * (1 + np.where(net > 0, 0.97 * net, net)),
}
FRAUDS_OF_SHOES = FRAUDS | {
    "blackjacks at even money": _except(lambda first: 2 * first, lambda net, bets: (net > 1) & (net < 2)),
    "pushes as losses": _except(lambda first: 0 * first, lambda net, bets: net == 0),
    "doubled hands as single ones": lambda first, net, bets: first * (1 + net / bets),
}
FRAUDS_OF_PAIRS = FRAUDS | {
    "the smallest win unpaid": _except(lambda first: 0 * first, lambda net, bets: net == 0),
    "threes of a kind as pairs": _except(lambda first: first, lambda net, bets: net == 2),
}
PLANTED = [
    *(
        (game, *fraud, shape)
        for game in SHOES.values()
        for fraud in FRAUDS_OF_SHOES.items()
        for shape in OF_SHOES
    ),
    *(
        (game, *fraud, shape)
        for game in PAIRS.values()
        for fraud in FRAUDS_OF_PAIRS.items()
        for shape in OF_PAIRS
    ),
]


# Of every fraud some game, and every shape.
@pytest.mark.one_case_in(13)
@pytest.mark.parametrize(("game", "name", "fraud", "shape"), PLANTED)
def test_frauds_are_found(game: Any, name: str, fraud: Fraud, shape: str) -> None:
    hands = hands_of(game)
    paid = np.round(fraud(hands["first"], hands["net"], hands["bets"]), 8)
    wrong = int((np.abs(paid - hands["first"] * (1 + hands["net"])) > 1e-6).sum())
    assert wrong
    log = shaped(game, shape, paid=paid)
    report = pf.audit(log, game)
    assert report.verification.ok
    found = {finding.kind: finding for finding in report.findings}["payout_mismatch"]
    assert (found.severity, found.count) == ("proof", wrong)
    if shape == "result":
        assert "payout_mismatch" in serious(log, game, bet=game.bet())


def test_the_paytable_that_hands_imply() -> None:
    hands, game = hands_of(SHOES["crypto"]), SHOES["crypto"]
    paid = FRAUDS_OF_SHOES["blackjacks at even money"](hands["first"], hands["net"], hands["bets"])
    report = pf.audit(shaped(game, "result", paid=np.round(paid, 8)), game)
    text = {finding.kind: finding.text for finding in report.findings}["paytable_differs"]
    assert text == "The log's paytable isn't the claimed one: outcome 2.2 pays 2 instead of 2.2."


def test_full_houses_and_flushes_paid_one_less_are_no_profits() -> None:
    hands, game = hands_of(PAIRS["crypto"]), PAIRS["crypto"]
    net = np.where(np.isin(hands["net"], (8, 5)), hands["net"] - 1, hands["net"])
    report = pf.audit(shaped(game, "result", paid=hands["first"] * (1 + net)), game)
    text = {finding.kind: finding.text for finding in report.findings}["payout_mismatch"]
    assert "profits" not in text


def test_hands_whose_play_is_unknown() -> None:
    game = PAIRS["crypto"]
    log = shaped(game, "cards")
    del log["hold"]
    said = f"{HANDS} rows whose play isn't known: what they are due"
    assert any(text.startswith(said) for text in pf.audit(log, game).unknown)
    # No hand pays half of the stake.
    assert serious(log | {"payout": log["stake"] / 2}, game) == ["payout_mismatch", "paytable_differs"]


def test_a_bet_at_another_table_or_on_a_card() -> None:
    game = SHOES["stake"]
    other = game.with_table(pf.cards.Blackjack(blackjack_pays=2, soft_17="stand", decks=None))
    nearest = "the return of a hand depends on how it is played"
    assert any(
        text.startswith(nearest) for text in pf.audit(shaped(game, "cards"), game, bet=other.bet()).unknown
    )
    game = PAIRS["crypto"]
    log, cards = shaped(game, "result"), np.array(hands_of(game)["cards"])[:, 0]
    bet = game.bet({7: 50}, card=0)
    log["payout"] = np.where(cards == 7, 50, 0) * log["stake"]
    assert serious(log, game, bet=bet) == []
    assert "payout_mismatch" in serious(log | {"payout": 0 * log["stake"]}, game, bet=bet)


def test_a_law_alone() -> None:
    game = SHOES["stake"]
    log = shaped(game, "result")
    assert serious(log, game, bet=game.bet().law) == []
    found = serious(log | {"payout": 0 * log["stake"]}, game, bet=game.bet().law)
    assert {"payout_mismatch", "return_low"} <= {*found}


@pytest.mark.parametrize("shape", ["result", "cards"])
def test_unrevealed_hands_are_in_no_test_of_cards(shape: str) -> None:
    game = SHOES["stake"]
    log = shaped(game, shape)
    log["commitment"] = [game.scheme.commitment.hexdigest(server_seed=seed) for seed in log["server_seed"]]
    log["server_seed"] = [seed if row < 100 else "" for row, seed in enumerate(log["server_seed"])]
    report = pf.audit(log, game, unrevealed="report")
    assert report.verification.unchecked == {"unrevealed": HANDS - 100}
    assert [finding.kind for finding in report.findings if finding.severity != "note"] == []
    assert f"{HANDS - 100} rows whose play isn't known" in " ".join(report.unknown)


@pytest.mark.one_case_in(5)
@pytest.mark.parametrize("game", [*SHOES.values(), *PAIRS.values()])
def test_pieces_merge(game: Any) -> None:
    log = shaped(game, "result", paid=0 * hands_of(game)["first"])
    _, merged = reports_in_pieces(log, [150], game)
    assert merged.findings == pf.audit(log, game).findings


@pytest.mark.one_case_in(2)
@pytest.mark.parametrize("shape", ["cards", "names", "first cards", "one card"])
@pytest.mark.parametrize("game", SHOES.values())
def test_actions_beside_cards_that_no_hand_allows(game: Any, shape: str) -> None:
    log = shaped(game, shape)
    said = f"{HANDS} rows: the actions can't be played with the cards, which alone were compared"
    assert said not in pf.verify(log, game).notes
    for actions in ("hit hit hit hit hit hit hit hit", "fold", "stand stand stand", ["hit", 7]):
        some = log | {"actions": [actions] * HANDS}
        report = pf.audit(some, game)
        assert report.verification.ok
        assert said in report.verification.notes
        assert f"{HANDS} rows whose play isn't known" in " ".join(report.unknown)
    report = pf.verify(log | {"actions": [None] * HANDS}, game)
    assert report.ok
    assert "unplayed" not in report.notations


def test_few_cards_are_named() -> None:
    game = SHOES["stake"]
    said = "only the first cards are logged, fewer than the hand has, and no others were compared"
    log = shaped(game, "one card")
    assert f"{HANDS} rows: {said}" in pf.verify(log, game).notes
    assert pf.verify(log, game).notations == {"part": HANDS}
    for actions in (log["actions"], None):
        full = shaped(game, "cards") | {"actions": actions}
        assert not pf.verify({name: c for name, c in full.items() if c is not None}, game).notes
    # All cards of a hand of four, without those that were never shown.
    four = [row for row, done in enumerate(log["actions"]) if done == "stand" or not done]
    used = [
        len(
            game.replay(*(log[n][row] for n in game.scheme.fields), actions=log["actions"][row].split()).cards
        )
        for row in four
    ]
    hands = {name: [column[row] for row in four] for name, column in log.items()}
    hands["outcome"] = [hands_of(game)["cards"][row][:count] for row, count in zip(four, used, strict=True)]
    assert not pf.verify(hands, game).notes


@pytest.mark.parametrize(
    "rules",
    [{}, {"blackjack_pays": Fraction(7, 5), "surrender": "early"}, {"blackjack_pays": 3, "insurance": True}],
)
def test_every_return_is_possible(rules: dict[str, Any]) -> None:
    table = pf.cards.Blackjack(decks=4, **rules)
    unit, possible = table.engine()[1], {*table.possible()}
    rng = random.Random(repr(rules))
    game = crypto.Blackjack().with_table(table)
    for number in range(300):
        played = game.replay("server", str(number), strategy=lambda decision: rng.choice(decision.legal))
        assert int((1 + played.exact_net) * unit) in possible


@cache
def random_hands_of(game: Any, hands: int = 200) -> LOG:
    """Hands played at random, also insured, without their actions: what was won, and all bets."""
    rng = random.Random("decisions")
    log: LOG = {"server_seed": ["7f" * 16] * hands, "client_seed": [f"c{row}" for row in range(hands)]}
    log["nonce"] = [0] * hands
    played = [
        game.replay(*seeds, strategy=lambda decision: rng.choice(decision.legal))
        for seeds in zip(*log.values(), strict=True)
    ]
    log["outcome"] = game.play(*log.values()).tolist()
    log["net"] = np.array([hand.net for hand in played])
    log["bets"] = np.array(
        [sum(one.bets for one in hand.hands) + (hand.insurance is not None) / 2 for hand in played]
    )
    return log


@pytest.mark.one_case_in(3)
@pytest.mark.parametrize("game", SHOES.values())
def test_hands_whose_actions_are_unknown(game: Any) -> None:
    insured = game.with_table(pf.cards.Blackjack(insurance=True, even_money=True, soft_17="stand"))
    for at_table in (game, insured):
        hands = random_hands_of(at_table)
        log = {name: column for name, column in hands.items() if name not in ("net", "bets")}
        first = np.array([random.Random(row).randint(100, 10_000) / 100 for row in range(200)])
        net, bets = hands["net"], hands["bets"]
        for stakes, paid in ways_of(first, bets, net):
            honest = log | {"stake": np.round(stakes, 8), "payout": np.round(paid, 8)}
            assert serious(honest, at_table) == []
        less = log | {"stake": first, "payout": np.round(first * np.maximum(1 + 0.97 * net, 0), 8)}
        assert "payout_mismatch" in serious(less, at_table)


def test_profits_of_hands_that_nobody_saw_held() -> None:
    for game in PAIRS.values():
        log = shaped(game, "cards")
        del log["hold"]
        log["payout"] = np.round(log["stake"] * hands_of(game)["net"], 8)
        assert serious(log, game) == []
        log["payout"][:9] = np.round(0.4 * log["stake"][:9], 8)
        assert "payout_mismatch" in serious(log, game)


@pytest.mark.parametrize("game", [*SHOES.values(), PAIRS["crypto"]])
def test_wins_without_a_payout(game: Any) -> None:
    """Of blackjack those of several bets, of video poker all."""
    hands, log = hands_of(game), shaped(game, "result")
    several = (hands["bets"] > 1) | ("hold" in hands)
    won = np.flatnonzero(several & (hands["net"] > 0))
    assert len(won) > 5
    log["payout"] = [None if row in won else paid for row, paid in enumerate(log["payout"].tolist())]
    found = {finding.kind: finding for finding in pf.audit(log, game).findings}["payout_missing"]
    assert found.rows == tuple(won.tolist())
    assert "due" in found.text
    if game.table.choice == "actions":  # of several bets the amounts are others
        log["stake"] = log["stake"] * hands["bets"]
        paid = hands["first"] * (hands["bets"] + hands["net"])
        log["payout"] = [None if row in won[:3] else amount for row, amount in enumerate(paid.tolist())]
        found = {finding.kind: finding for finding in pf.audit(log, game).findings}["payout_missing"]
        assert found.text == "3 winning bets have no payout that is an amount."


def test_hands_with_amounts_near_the_largest_double() -> None:
    game, ones = SHOES["stake"], np.full(HANDS, 1e308)
    log = shaped(game, "cards", ones, ones)
    assert "payout_mismatch" in serious(log, game)
    del log["actions"]
    assert pf.audit(log, game).verification.ok


def test_hands_that_fail_by_their_cards_leave_a_fair_sample() -> None:
    """Of hands without actions only blackjacks can be settled, whose cards are no sample of all."""
    game = SHOES["stake"]
    frame = game.simulate(1500, seed="q", strategy="basic", as_frame="pandas").drop(columns="actions")
    report = pf.audit(frame, game)
    assert report.verification.failed > 1000
    assert [finding.kind for finding in report.findings] == []


@pytest.mark.parametrize("game", SHOES.values())
def test_frauds_among_hands_whose_stakes_are_all_bets(game: Any) -> None:
    hands, log = hands_of(game), shaped(game, "result")
    several = np.flatnonzero(hands["bets"] > 1)
    rows = [row for row in several.tolist() if hands["net"][row] > 0][: len(several) // 5]
    assert len(rows) > len(several) / 10
    log["stake"] = hands["first"] * hands["bets"]
    log["payout"] = np.round(hands["first"] * (hands["bets"] + hands["net"]), 8)
    log["payout"][rows] = np.round(log["stake"][rows] + hands["first"][rows] * hands["net"][rows] / 4, 8)
    proofs = [finding for finding in pf.audit(log, game).findings if finding.severity == "proof"]
    assert {row for finding in proofs for row in finding.rows} == {*rows}
