"""Audits of hands: the rules of the dealer, annulled hands, nonces between hands, rules that a log tells."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from auditing.logs_of_bets import reports_in_pieces

stake, crypto = pf.operators.stake, pf.operators.crypto_games
HIT, STAND = stake.Blackjack().with_table(pf.cards.Blackjack(insurance=True)), stake.Blackjack()
HANDS = 1500
LOG = dict[str, Any]


@cache
def played(game: Any) -> tuple[LOG, list[Any]]:
    """A log of hands, and the same hands, settled one by one."""
    frame = game.simulate(HANDS, seed="dealers", strategy="basic", as_frame="pandas")
    log = {name: frame[name].tolist() for name in frame.columns}
    seeds = zip(*(log[name] for name in game.scheme.fields), log["actions"], strict=True)
    return log, [game.replay(*fields, actions=actions) for *fields, actions in seeds]


def dealt(game: Any) -> LOG:
    """The log with the cards that each hand took, and no others, as outcomes."""
    log, hands = played(game)
    return log | {"outcome": [list(hand.cards) for hand in hands]}


def soft_17(hands: list[Any]) -> list[int]:
    """The rows in which the dealer comes to a soft 17 while he plays, by the values of the cards."""
    rows = []
    for row, hand in enumerate(hands):
        plays = len(hand.dealer) > 2 or any(one.outcome in ("win", "loss", "push") for one in hand.hands)
        for count in range(2, len(hand.dealer) + 1):
            values = [min(number // 4 + 2, 10) if number < 48 else 11 for number in hand.dealer[:count]]
            if 11 in values and sum(values) - 10 * (values.count(11) - 1) == 17 and plays:
                rows.append(row)
                break
    return rows


def found(log: LOG, game: Any, **options: Any) -> dict[str, Any]:
    return {one.kind: one for one in pf.audit(log, game, **options).findings}


@pytest.mark.parametrize("form", [dealt, lambda game: played(game)[0]])
@pytest.mark.parametrize(("by", "claimed"), [(HIT, STAND), (STAND, HIT)])
def test_a_dealer_who_plays_soft_17_otherwise(form: Any, by: Any, claimed: Any) -> None:
    rules = claimed.table.rules
    claimed = claimed.with_table(pf.cards.Blackjack(by.table.rules, soft_17=rules.soft_17))
    log = form(by)
    one = found(log, claimed)["dealer_rules"]
    must, did, other = ("draws", "stood", "hit") if by is STAND else ("stands", "hit", "stood")
    assert one.severity == "proof"
    assert one.count >= 3
    assert one.text == (
        f"By the table's rules the dealer {must} on soft 17: the dealer {did} on soft 17 in {one.count} of "
        f"{one.count} hands, {other} in none."
    )
    seen = set(soft_17(played(by)[1]))
    assert set(one.rows) <= seen
    if form is dealt:  # cards show each of them, results only those that end otherwise
        assert one.count == len(seen)
    assert "dealer_rules" not in found(log, by)


def test_a_dealer_who_stands_below_17() -> None:
    log, hands = dealt(STAND), played(STAND)[1]
    drew = [row for row, hand in enumerate(hands) if len(hand.dealer) > 2][:20]
    for row in drew:
        log["outcome"][row] = log["outcome"][row][:-1]
    report = pf.audit(log, STAND)
    assert report.verification.ok
    one = {finding.kind: finding for finding in report.findings}["dealer_rules"]
    assert (one.count, list(one.rows)) == (20, drew)
    assert one.text == (
        f"By the table's rules the dealer draws to 17: the dealer stood below 17 in 20 of {HANDS:,} hands."
    )
    assert f"compared   {HANDS - 20:,} rows by all cards, 20 rows by the first cards" in str(
        report.verification
    )


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 6, 8, 20])
def test_logs_of_so_many_cards_show_no_dealer(count: int) -> None:
    for game in (STAND, HIT):
        log, _ = played(game)
        cards = game.play(*(log[name] for name in game.scheme.fields))[:, :count]
        assert "dealer_rules" not in found(log | {"outcome": cards.tolist()}, game)


@pytest.mark.parametrize("game", [STAND, HIT])
def test_logs_without_the_cards_that_dealers_draw(game: Any) -> None:
    log, hands = played(game)
    shown = [list(hand.cards)[: len(hand.cards) - len(hand.dealer) + 2] for hand in hands]
    assert "dealer_rules" not in found(log | {"outcome": shown}, game)


def test_findings_of_dealers_merge() -> None:
    log = played(HIT)[0]
    claimed = HIT.with_table(pf.cards.Blackjack(HIT.table.rules, soft_17="stand"))
    _, merged = reports_in_pieces(log, [700], claimed)
    assert merged.findings == pf.audit(log, claimed).findings


def test_the_rules_that_a_log_tells() -> None:
    other = pf.cards.Blackjack(STAND.table.rules, soft_17="hit", blackjack_pays="6/5", insurance=False)
    game = STAND.with_table(other)
    frame = game.simulate(300, seed="rules", strategy="basic", as_frame="pandas")
    told = pf.auditing.find_rules(frame, "stake.blackjack")
    assert (told.checked, told.failed) == (300, 0)
    assert told.table.rules.blackjack_pays == other.rules.blackjack_pays
    assert told.told["blackjack_pays"] >= 5
    assert told.told["resplit_aces"] == 0
    assert "blackjack_pays" in str(told)
    assert "300 of 300 rows agree with these rules" in str(told)
    for game in (crypto.VideoPoker(), pf.Dice()):
        with pytest.raises(TypeError, match="game must be a deal of blackjack"):
            pf.auditing.find_rules(frame, game)
    with pytest.raises(ValueError, match="the log must be one that can be read again"):
        pf.auditing.find_rules(iter([frame]), "stake.blackjack")


@pytest.mark.parametrize(("by", "claimed"), [(HIT, STAND), (STAND, HIT)])
def test_the_rules_that_cards_tell(by: Any, claimed: Any) -> None:
    claimed = by.with_table(pf.cards.Blackjack(by.table.rules, soft_17=claimed.table.rules.soft_17))
    whole = pf.auditing.find_rules(dealt(by), claimed)
    assert (whole.failed, whole.table.rules) == (0, by.table.rules)
    assert whole.told["soft_17"] == found(dealt(by), claimed)["dealer_rules"].count > 3
    for count in (4, 8):  # of which no dealer is seen to the end
        log = dealt(by) | {"outcome": [cards[:count] for cards in dealt(by)["outcome"]]}
        if count == 8:
            log["outcome"] = by.play(*(log[field] for field in by.scheme.fields))[:, :8].tolist()
        first = pf.auditing.find_rules(log, claimed)
        assert (first.failed, first.table.rules) == (0, claimed.table.rules)
        assert first.told["soft_17"] == 0 < first.told["double"] < HANDS / 10


@pytest.mark.parametrize("form", [dealt, lambda game: played(game)[0]])
def test_hands_of_other_seeds_tell_no_rules(form: Any) -> None:
    log = form(STAND)
    told = pf.auditing.find_rules(log | {"nonce": [nonce + 1 for nonce in log["nonce"]]}, STAND)
    assert (told.table.rules, {*told.told.values()}) == (STAND.table.rules, {0})
    assert HANDS / 2 < told.failed <= HANDS


def test_commitments_and_files_that_cannot_be_read_hide_no_rules(tmp_path: Any) -> None:
    log = {name: column[:100] for name, column in played(STAND)[0].items()}
    told = pf.auditing.find_rules(log, STAND)
    assert pf.auditing.find_rules(log | {"commitment": "00" * 32}, STAND).told == told.told
    rows = [",".join(map(str, row)) for row in (log, *zip(*log.values(), strict=True))]
    (tmp_path / "a.csv").write_text("\n".join(rows))
    (tmp_path / "b.csv").write_bytes(b"\xff")
    with pytest.raises(pf.LogError, match="not UTF-8"):
        pf.auditing.find_rules([tmp_path / "a.csv", tmp_path / "b.csv"], STAND)


def annulled(which: Any) -> LOG:
    log = played(STAND)[0]
    net = np.array(log["outcome"])
    status = np.where(which(net), "void", "settled")
    paid = np.where(status == "void", 10.0, 10 * (1 + net))
    return log | {"stake": np.full(HANDS, 10.0), "payout": paid, "status": status.tolist()}


def test_hands_that_were_annulled_because_they_won() -> None:
    rng = np.random.default_rng(1)
    chance = rng.random(HANDS) < 0.03
    kinds = found(annulled(lambda net: chance), STAND)
    assert kinds["bets_refunded"].count == chance.sum()
    assert kinds["bets_refunded"].severity == "note"
    assert not {"wins_refunded", "payout_mismatch"} & kinds.keys()
    chosen = found(annulled(lambda net: (net >= 1.5) & (rng.random(HANDS) < 0.5)), STAND)
    assert chosen["wins_refunded"].severity == "evidence"
    assert chosen["wins_refunded"].pvalue < 1e-6
    assert "payout_mismatch" not in chosen


def test_nonces_between_hands() -> None:
    log = played(STAND)[0]
    assert not {"nonce_gap", "nonce_repeated"} & found(log, STAND).keys()
    left = [row for row in range(HANDS) if row not in (50, 51, 700)]
    fewer = {name: [column[row] for row in left] for name, column in log.items()}
    gap = found(fewer, STAND)["nonce_gap"]
    assert 3 in (gap.count, *gap.details.values())
    again = {name: [*column, column[9]] for name, column in log.items()}
    again["actions"][-1] = "stand"
    assert {"nonce_repeated", "duplicate_round"} & found(again, STAND).keys()


@pytest.mark.parametrize("outcome", ["result", "names"])
def test_a_nonce_off_by_one_is_suggested(outcome: str) -> None:
    log = dict(played(STAND)[0])
    log = {name: column[:150] for name, column in log.items()}
    if outcome == "names":
        cards = STAND.play(*(log[name] for name in STAND.scheme.fields))
        log["outcome"] = [str(pf.cards.Hand(stake.cards(one))) for one in cards]
    log["nonce"] = [nonce + 1 for nonce in log["nonce"]]
    first = pf.verify(log, STAND).suggestions[0]
    assert (first.text.split(": ")[1].split(" (")[0], first.matched) == ("nonce - 1", 20)


def test_hands_are_identified_by_their_results() -> None:
    poker = crypto.VideoPoker()
    frame = poker.simulate(40, seed="who", strategy="optimal", as_frame="pandas")
    log = {name: frame[name].tolist() for name in ("server_seed", "client_seed", "nonce", "outcome", "hold")}
    for game, rows in ((poker, log), (STAND, {name: c[:60] for name, c in played(STAND)[0].items()})):
        games = [crypto.Blackjack(), stake.VideoPoker(), pf.Dice(), game]
        assert [one.game for one in pf.identify(rows, games=games).candidates] == [pf.verify(rows, game).game]


@pytest.mark.one_case_in(3)
@pytest.mark.parametrize(("name", "cards"), [("pairs", 2), ("21+3", 3)])
@pytest.mark.parametrize("game", [STAND, crypto.Blackjack()])
def test_side_bets_are_paid_by_the_first_cards(game: Any, name: str, cards: int) -> None:
    log, _ = played(game)
    dealt = game.kind.pack.cards(game.play(*(log[field] for field in game.scheme.fields)))[:, :cards] % 52
    paid = []
    for hand in dealt.tolist():
        ranks, suits = sorted(card % 13 for card in hand), [card // 13 for card in hand]
        if name == "pairs":
            alike = 26 if hand[0] == hand[1] else 13 if (suits[0] in (0, 3)) == (suits[1] in (0, 3)) else 7
            paid.append(alike if ranks[0] == ranks[1] else 0)
        else:
            straight = ranks in ([ranks[0] + step for step in range(3)], [0, 11, 12])
            paid.append(10 if straight or len({*suits}) == 1 or len({*ranks}) == 1 else 0)
    assert 20 < np.count_nonzero(paid) < 500
    honest = log | {"stake": np.full(HANDS, 2.0), "payout": 2.0 * np.array(paid)}
    bet = game.table.side_bet(name)
    assert not {"payout_mismatch", "paytable_differs"} & found(honest, game, bet=bet).keys()
    won = np.flatnonzero(paid)[:9]
    honest["payout"][won] = 0
    assert found(honest, game, bet=bet)["payout_mismatch"].rows == tuple(won.tolist())
    rounded = found(log | {"stake": 2.0, "payout": 2.0 * np.array(paid)}, game, bet=bet.rounded(stake=2))
    assert "payout_mismatch" not in rounded
    with pytest.raises(ValueError, match=r"bet must be a side bet on .* decks, as the game deals, got 7"):
        pf.audit(log, game, bet=pf.cards.Blackjack(decks=7).side_bet(name))


def test_insurance_is_a_bet_of_its_own() -> None:
    log, hands = played(STAND)
    rows = [row for row, hand in enumerate(hands) if str(hand.dealer).startswith("A")]
    insured = {name: [column[row] for row in rows] for name, column in log.items()}
    won = [hands[row].dealer_blackjack for row in rows]
    assert 5 < sum(won) < len(won)
    insured |= {"stake": [0.5] * len(rows), "payout": np.where(won, 1.5, 0.0)}
    assert "payout_mismatch" not in found(insured, STAND, bet=STAND.table.insurance_bet())
