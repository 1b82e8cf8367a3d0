"""Logs of card games under every operator's scheme: defects are found row by row.

A game deals the cards and a table settles them: a log has the player's actions or holds, and its outcomes are
the result, the final hand or the cards.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from folders import MEASUREMENTS

pd = pytest.importorskip("pandas")

crypto, stake, duel, liqd = (
    pf.operators.crypto_games,
    pf.operators.stake,
    pf.operators.duel,
    pf.operators.liqd,
)
SHOES = {
    "crypto_games": (crypto.Blackjack(), 2000),
    "stake": (stake.Blackjack(), 2000),
    "liqd": (liqd.Blackjack().with_table(pf.cards.Blackjack(soft_17="stand")), 200),
}
HANDS = {
    "crypto_games": (crypto.VideoPoker(), 2000),
    "stake": (stake.VideoPoker().with_table(pf.cards.VideoPoker("deuces_wild")), 2000),
    "duel": (duel.VideoPoker().with_table(pf.cards.VideoPoker("bonus_poker")), 2000),
}
# The card names that each operator's documentation lists, by number.
OF_FOURS = [rank + suit for rank in [*map(str, range(2, 11)), *"JQKA"] for suit in "♦♥♠♣"]
NAMES = {
    "crypto_games": [rank + suit for suit in "♠♥♦♣" for rank in ["A", *map(str, range(2, 11)), *"JQK"]] * 4,
    "stake": OF_FOURS,
    "duel": OF_FOURS,
    "liqd": [rank + suit for suit in "♣♥♠♦" for rank in ["A", *map(str, range(2, 11)), *"JQK"]],
}
Found = dict[int, tuple[str, str]]


def found(log: Any, game: pf.Game, **options: Any) -> Found:
    """The defect of each row: its kind and column."""
    report = pf.verify(log, game, **options)
    assert report.checked == len(log["outcome"])
    assert report.ok == (not report.failures)
    assert len({failure.row for failure in report.failures}) == len(report.failures) == report.failed
    return {failure.row: (failure.kind, failure.column) for failure in report.failures}


def logged(game: pf.Game, rounds: int, strategy: str = "optimal") -> dict[str, Any]:
    """A log of simulated hands, as lists."""
    frame = game.simulate(rounds, seed="hands", strategy=strategy, as_frame="pandas")
    return {name: frame[name].tolist() for name in frame.columns}


def seeds_of(log: dict[str, Any], row: int) -> tuple[Any, ...]:
    return tuple(log[name][row] for name in ("server_seed", "client_seed", "nonce"))


def right_of(game: Any, log: dict[str, Any], row: int, **chosen: Any) -> Any:
    return game.replay(*seeds_of(log, row), **chosen)


def planting(log: dict[str, Any], rows: Iterable[int]) -> tuple[Callable[..., None], Found]:
    """A function that changes a cell of the next row, and the defects made so far."""
    places, expected = iter(rows), Found()

    def plant(column: str, cell: Any, kind: str, blamed: str = "") -> None:
        row = next(places)
        log[column][row] = cell(log[column][row]) if callable(cell) else cell
        expected[row] = (kind, blamed or column)

    return plant, expected


# Blackjack


@pytest.mark.parametrize("name", SHOES)
def test_honest_hands_of_blackjack_pass(name):
    game, rounds = SHOES[name]
    log = logged(game, rounds)
    assert found(log, game) == {}
    # In any notation of actions.
    words = [actions.split() for actions in log["actions"]]
    for written in (
        words,
        [json.dumps(actions) for actions in words],
        [",".join(actions) for actions in words],
    ):
        assert found(log | {"actions": written}, game) == {}
    assert pf.verify(log, game).parameters["table"] == repr(game.table)


@pytest.mark.parametrize("name", SHOES)
def test_planted_faults_of_blackjack_are_the_rows_found(name):
    game, rounds = SHOES[name]
    log = logged(game, rounds)
    acted = [row for row in range(rounds) if log["actions"][row]]
    plant, expected = planting(log, acted[:: len(acted) // 20])
    plant("outcome", lambda net: net + 1, "mismatch")
    plant("outcome", lambda net: net - 0.5, "mismatch")
    plant("outcome", lambda net: 1e300, "mismatch")
    plant("outcome", None, "missing")
    plant("outcome", "won", "malformed")
    plant("outcome", [], "missing")
    plant("actions", lambda actions: f"{actions} hit", "malformed")  # the round is over
    plant("actions", "fly", "malformed")
    plant("actions", "[stand", "malformed")
    plant("actions", 5, "malformed")
    plant("actions", None, "missing")
    plant("actions", "stand split", "malformed")
    plant("server_seed", None, "missing")
    plant("client_seed", 7, "malformed")
    # Outcomes of another play, as in a log not settled by the engine.
    for row in acted[1:200]:
        if log["actions"][row] == "stand" and row not in expected:
            hit = right_of(
                game, log, row, actions=lambda decision: "hit" if "hit" in decision.legal else "stand"
            )
            log["actions"][row] = " ".join(hit.actions)
            if hit.net != log["outcome"][row]:
                expected[row] = ("mismatch", "outcome")
    assert sum(kind == "mismatch" for kind, _ in expected.values()) > 10
    assert found(log, game) == expected


@pytest.mark.parametrize("name", SHOES)
def test_cards_of_shoes_in_every_form(name):
    game, rounds = SHOES[name]
    rounds, names = rounds // 4, NAMES[name]
    log = {name: column for name, column in logged(game, rounds).items() if name != "actions"}
    dealt = game.simulate(rounds, seed="hands").tolist()
    called = [[names[card] for card in cards] for cards in dealt]
    forms = {
        "numbers": dealt,
        "JSON": [json.dumps(cards) for cards in dealt],
        "names": [" ".join(cards) for cards in called],
        "lists of names": called,
        "commas": [",".join(cards) for cards in called],
        "Python's lists": [str(cards) for cards in called],
        "pictures": [" ".join(f"{card}\ufe0f" for card in cards) for cards in called],
        "lists among texts": [cards if row % 2 else ", ".join(cards) for row, cards in enumerate(called)],
        "JSON of names": [json.dumps(cards, ensure_ascii=False) for cards in called],
        "a name among numbers": [
            [called[0], *cards[1:]] for called, cards in zip(called, dealt, strict=True)
        ],
        "the first ones": [cards[: 4 + row % 8] for row, cards in enumerate(dealt)],
    }
    for form, outcome in forms.items():
        assert found(log | {"outcome": outcome}, game) == {}, form
    changed = [list(cards) for cards in dealt]
    for row in (3, 17, 40):
        changed[row][2] = (changed[row][2] + 1) % len(names)
    wrong = dict.fromkeys((3, 17, 40), ("mismatch", "outcome"))
    of_names = [[names[card] for card in cards] for cards in changed]
    for outcome in (
        changed,
        [json.dumps(cards) for cards in changed],
        [" ".join(cards) for cards in of_names],
        [str(cards) for cards in of_names],
        of_names,
        [[cards[0], cards[1], one[2], *cards[3:]] for cards, one in zip(dealt, of_names, strict=True)],
    ):
        assert found(log | {"outcome": outcome}, game) == wrong
    damaged: list[Any] = [list(cards) for cards in dealt]
    damaged[5], damaged[9], damaged[11] = "XX A♠", [*dealt[11][:3], 0.5], [[1, 2]]
    damaged[13], damaged[15], damaged[20] = None, "[1, 2", ""
    assert found(log | {"outcome": damaged}, game) == {
        **dict.fromkeys((5, 9, 11, 15), ("malformed", "outcome")),
        **dict.fromkeys((13, 20), ("missing", "outcome")),
    }


@pytest.mark.parametrize("name", SHOES)
def test_walk_throughs_show_the_shoe_and_the_play(name):
    game, rounds = SHOES[name]
    log = logged(game, min(rounds, 30))
    row = next(row for row, actions in enumerate(log["actions"]) if "hit" in actions)
    right = log["outcome"][row]
    log["outcome"][row] = right + 1
    report = pf.verify(log, game)
    assert [(failure.row, failure.expected) for failure in report.failures] == [(row, right)]
    walk = report.explain(row)
    assert (walk.outcome.net, walk.outcome.actions) == (right, tuple(log["actions"][row].split()))
    cards = [NAMES[name][card] for card in game.play(*seeds_of(log, row))[:5]]
    text = str(walk)
    for shown in (log["server_seed"][row], *cards, "At the table: blackjack", log["actions"][row].split()[0]):
        assert shown in text
    titles = {"crypto_games": "sha512", "stake": "hmac", "liqd": "hmac"}
    assert ("key" in text) == (titles[name] == "hmac")
    # Without actions, only the cards are compared.
    shoe = {name: column for name, column in log.items() if name != "actions"}
    shoe["outcome"] = [[0, 0, 0, 0]] * len(log["outcome"])
    assert " ".join(cards[:4]) in str(pf.verify(shoe, game).explain(row))


# Video poker


@pytest.mark.parametrize("name", HANDS)
def test_honest_hands_of_video_poker_pass(name):
    game, rounds = HANDS[name]
    log = logged(game, rounds)
    dealt = game.simulate(rounds, seed="hands")
    held = [[place in hold for place in range(1, 6)] for hold in log["hold"]]
    drawn = [
        [card if keep else rest.pop(0) for card, keep in zip(cards[:5], hold, strict=True)]
        for cards, hold in zip(dealt.tolist(), held, strict=True)
        for rest in [cards[5:]]
    ]
    names = NAMES[name]
    called = [[names[card] for card in hand] for hand in drawn]
    for hold in (log["hold"], held, [json.dumps(hold) for hold in log["hold"]]):
        for outcome in (
            log["outcome"],
            log["pays"],
            drawn,
            called,
            [json.dumps(hand) for hand in drawn],
            dealt,
        ):
            assert found(log | {"hold": hold, "outcome": outcome}, game) == {}
    # Without holds, the best ones are assumed.
    report = pf.verify({name: column for name, column in log.items() if name != "hold"}, game)
    assert report.ok
    assert report.notes == [f"in {rounds:,} rows without a hold the best one was assumed"]


def test_results_may_have_decimal_commas_where_that_is_said(tmp_path):
    game = crypto.Blackjack()
    log = game.simulate(100, strategy="basic", seed="commas", as_frame="pandas")
    log["outcome"] = [f"{won:g}".replace(".", ",") for won in log["outcome"]]
    assert log["outcome"].str.contains(",").any()
    log.to_csv(tmp_path / "log.csv", sep=";", index=False)
    for each in (log, tmp_path / "log.csv"):
        assert pf.verify(each, game, csv={"decimal": ","}).ok
    # Among other games, whose lists have commas of their own.
    mines = pf.operators.stake.Mines(2)
    others = pd.DataFrame({"server_seed": "s", "client_seed": "c", "nonce": ["1", "2"]})
    others["outcome"] = [",".join(map(str, mines.play("s", "c", nonce))) for nonce in (1, 2)]
    both = pd.concat([log.assign(game="blackjack"), others.assign(game="mines")])
    games = {"blackjack": game, "mines": mines}
    assert pf.verify(both, games, game_column="game", csv={"decimal": ","}).ok
    dealt = game.play(log["server_seed"], log["client_seed"], log["nonce"]).tolist()
    for cards in (map(str, dealt), (" ".join(map(pf.cards.name, hand)) for hand in dealt)):
        log["outcome"] = [*cards]
        assert pf.verify(log, game, csv={"decimal": ","}).ok


@pytest.mark.parametrize("hold", [[], [None] * 40, "", [None, [1, 3]] * 20])
def test_a_hold_that_is_not_logged_is_missing_where_another_than_the_best_was_played(hold):
    game = HANDS["crypto_games"][0]
    log = {"server_seed": [f"s{i}" for i in range(40)], "client_seed": ["c"] * 40}
    played = game.replay(*log.values(), hold=[1, 3])
    log |= {"outcome": [str(one.final) for one in played]} | ({"hold": hold} if hold else {})
    constants = {"hold": ""} if hold == "" else {}
    best = game.replay(log["server_seed"], "c")
    other = {i for i in range(40) if str(best[i].final) != log["outcome"][i]}
    other -= {i for i in range(40) if isinstance(hold, list) and hold and hold[i]}
    log["outcome"][2] = "A♠ A♥ A♦ A♣ K♠"  # of no hold
    report = pf.verify(log, game, constants=constants)
    kinds = dict.fromkeys(other, ("missing", "hold")) | {2: ("mismatch", "outcome")}
    assert {one.row: (one.kind, one.column) for one in report.failures} == kinds


@pytest.mark.parametrize("name", HANDS)
def test_planted_faults_of_video_poker_are_the_rows_found(name):
    game, rounds = HANDS[name]
    names = NAMES[name]
    log = logged(game, rounds)
    plant, expected = planting(log, range(3, rounds, rounds // 20))

    def toggled(hold: list[int]) -> list[int]:
        return [place for place in range(1, 6) if (place in hold) != (place == 2)]

    def other_card(hand: str) -> str:
        cards = hand.split()
        cards[2] = names[(names.index(cards[2]) + 1) % 52]
        return " ".join(cards)

    plant("hold", toggled, "mismatch", "outcome")
    plant("hold", lambda hold: json.dumps(toggled(hold)), "mismatch", "outcome")
    plant("outcome", other_card, "mismatch")
    plant("outcome", lambda hand: other_card(hand).split(), "mismatch")
    plant("outcome", lambda hand: json.dumps(other_card(hand).split()), "mismatch")
    plant("outcome", lambda hand: [names.index(card) for card in other_card(hand).split()], "mismatch")
    plant("outcome", lambda hand: " ".join(reversed(hand.split())), "mismatch")
    plant("outcome", 123456, "mismatch")
    plant("outcome", lambda hand: hand.split()[:4], "malformed")
    plant("outcome", "XX", "malformed")
    plant("outcome", None, "missing")
    plant("hold", [6], "malformed")
    plant("hold", [1, 1], "malformed")
    plant("hold", "[1", "malformed")
    plant("hold", 3, "malformed")
    plant("server_seed", None, "missing")
    assert found(log, game) == expected
    report = pf.verify(log, game)
    row = min(expected)
    walk = report.explain(row)
    assert walk.outcome == right_of(game, log, row, hold=log["hold"][row])
    dealt = [names[card] for card in game.play(*seeds_of(log, row))]
    text = str(walk)
    for shown in (log["server_seed"][row], " ".join(dealt[:5]), *dealt[5:7], "At the table: video poker"):
        assert shown in text
    with pytest.raises(ValueError, match="can't be explained: hold must be"):
        report.explain(next(row for row, cell in expected.items() if cell == ("malformed", "hold")))


@pytest.mark.parametrize("name", HANDS)
def test_pays_are_the_tables(name):
    game, rounds = HANDS[name]
    log = logged(game, rounds)
    log["outcome"] = log["pays"]
    assert found(log, game) == {}
    paid = [row for row, pay in enumerate(log["pays"]) if pay][:30:10]
    for row in paid:
        log["outcome"][row] += 1
    assert found(log, game) == dict.fromkeys(paid, ("mismatch", "outcome"))
    other = game.with_table(pf.cards.VideoPoker("double_double_bonus_9_6"))
    differ = np.array(log["pays"]) != other.simulate(rounds, seed="hands", hold=[]).pay
    assert differ.any()
    assert found(log, other) != {}


# Deals


def test_a_deal_without_a_table_has_cards_alone():
    game = stake.VideoPoker()
    log = {name: column for name, column in logged(HANDS["stake"][0], 20).items() if name != "hold"}
    dealt = game.simulate(20, seed="hands").tolist()
    assert found(log | {"outcome": dealt}, game) == {}
    dealt[4][0] = (dealt[4][0] + 1) % 52
    assert found(log | {"outcome": dealt}, game) == {4: ("mismatch", "outcome")}


@pytest.mark.parametrize("name", [*SHOES, "duel"])
def test_commitments_are_checked(name):
    game, _ = (SHOES | HANDS)[name]
    log = logged(game, 20)
    hash = game.scheme.commitment
    log["commitment"] = [hash.hexdigest(server_seed=seed) for seed in log["server_seed"]]
    assert found(log, game) == {}
    log["commitment"][3] = "0" * 64
    assert found(log, game) == {3: ("commitment", "commitment")}
    walk = pf.verify(log, game).explain(3)
    assert walk.game == game


def test_a_hundred_thousand_hands_of_each_were_verified():
    kept = json.loads((MEASUREMENTS / "card_logs.json").read_text(encoding="utf-8"))
    games = [game for game, _ in (*SHOES.values(), *HANDS.values())]
    assert [log["game"] for log in kept["logs"]] == list(map(repr, games))
    for log in kept["logs"]:
        assert log["hands"] == 100_000
        assert sum(log["planted"].values()) == 2000
        assert log["failed of the honest log"] == log["missed"] == log["blamed wrongly"] == 0
        assert log["told otherwise"] == 0
        assert set(log["frauds found"].values()) == {"2000 of 2000 rows, 0 others"}
        assert len(log["frauds found"]) == (3 if "Poker" in log["game"] else 5)
    assert kept["honest logs"]["logs"] == 500
    assert kept["honest logs"]["failed"] == kept["honest logs"]["proofs"] == []
    assert kept["honest logs"]["with evidence"] <= 5


def test_shoes_of_more_cards_than_a_digest_has_end_in_none():
    """A log may have 208 cards, but a SHA-512 digest has at most 64; the rest is -1 or "--"."""

    def shoe(nonce: int, count: int) -> list[int]:
        digest = hashlib.sha512(f"serverclient{nonce}".encode()).digest()
        cards = [byte for byte in dict.fromkeys(digest) if byte < 208]
        return (cards + [-1] * count)[:count]

    counts = [1, 20, 21, 64, 65, 70, 208]
    log: dict[str, Any] = {
        "server_seed": ["server"] * len(counts),
        "client_seed": ["client"] * len(counts),
        "nonce": [*range(len(counts))],
        "outcome": [shoe(nonce, count) for nonce, count in enumerate(counts)],
    }
    game = pf.operators.crypto_games.Blackjack()
    assert found(log, game) == {}
    named = [" ".join(pf.cards.name(card) for card in cards) for cards in log["outcome"]]
    assert found(log | {"outcome": named}, game) == {}
    log["outcome"][5][69] = 3  # a card beyond the end
    log["outcome"][6].append(-1)  # more cards than the shoe has
    assert found(log, game) == {5: ("mismatch", "outcome"), 6: ("malformed", "outcome")}
