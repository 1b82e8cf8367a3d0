"""The claims of notebook 14 on ten years of crash, with games recomputed by hashlib from the anchors."""

from __future__ import annotations

import hashlib
import hmac
import re

import numpy as np
import pytest

pytest.importorskip("scipy")

ERAS = [
    *("bustabit v1, 2016", "Ethercrash, 2018", "Stake, 2019", "bustabit v2, 2020"),
    *("Roobet, 2020", "Blaze, 2023", "bustabit v3, 2026", "BC.Game, 2026"),
]


def test_no_file_is_needed(ran, notebook):
    assert list(ran["busts"]) == ERAS
    assert "open(" not in "".join(notebook.code)


def bust_by_hand(name: str, game_hash: str, salt: str) -> float:
    """The bust of a game under the rule of its era, in whole numbers."""
    first, second = game_hash.encode(), salt.encode()
    if name.startswith(("bustabit v2", "bustabit v3", "BC.Game")):
        first, second = salt.encode(), bytes.fromhex(game_hash)
    digest = hmac.new(first, second, hashlib.sha256).hexdigest()
    if name.startswith("Stake"):
        return max(100, int(99 * 2**32 / (int(digest[:8], 16) + 1))) / 100
    x = int(digest[:13], 16)
    if name.startswith("BC.Game"):
        return max(100, int(99 / (1 - float(f"{x / 2**52:.9g}")))) / 100
    if first == salt.encode():
        return max(100, 99 * 2**52 // (2**52 - x)) / 100
    divisor, at_once = {"Roobet, 2020": (33, 1.0), "Blaze, 2023": (15, 0.0)}.get(name, (101, 0.0))
    return at_once if int(digest, 16) % divisor == 0 else (100 * 2**52 - x) // (2**52 - x) / 100


@pytest.mark.parametrize("name", ERAS)
def test_games_are_what_hashlib_makes_of_the_anchor(name, ran):
    game, first, last, number, game_hash = ran["ERAS"][name]
    assert len(ran["busts"][name]) == last - first + 1
    by_bytes = name.endswith("v3, 2026")
    for one in range(number, last - 200, -1):
        if one <= last:
            salt = game.scheme.defaults["salt"]
            assert ran["busts"][name][one - first] == bust_by_hand(name, game_hash, salt)
        text = bytes.fromhex(game_hash) if by_bytes else game_hash.encode()
        game_hash = hashlib.sha256(text).hexdigest()


def test_published_results_are_among_them(ran, notebook):
    assert sum(ran["known"].values()) == 134
    assert min(ran["known"].values()) > 0
    assert "134 results" in notebook.text
    assert sum(map(len, ran["busts"].values())) == 7_166_661


def test_the_busts_follow_the_laws(ran, notebook):
    smallest = min(ran["pvalues"].values())
    assert f"smallest {smallest:.3f}" in notebook.text
    assert smallest > 0.05 / 8
    for name, busts in ran["busts"].items():
        assert np.median(busts) < 2
        assert 0.009 < (busts >= 100).mean() < 0.0101, name
        assert 0.019 < (busts < 1.01).mean() < 0.08


def test_the_edges(ran):
    edges = {name: 1 - game.bet(cash_out=2).rtp for name, game in ran["games"].items()}
    said = dict(zip(ERAS, (1.5, 1.5, 1, 1, 3.5, 7.1, 1, 1), strict=True))
    assert {name: round(100 * edge, 1) for name, edge in edges.items()} == said
    assert [round(100 * edge, 1) for edge in ran["later"]] == [4.5, 5.5]
    for name, busts in ran["busts"].items():
        lost = 1 - 2 * (busts >= 2).mean()
        assert abs(lost - edges[name]) < 3 / np.sqrt(len(busts))
        # By hand: a bet of the first family survives the instant bust, and then needs floor((100 - u) / (1 -
        # u)) >= 200.
        if said[name] != 1:
            divisor = {1.5: 101, 3.5: 33, 7.1: 15}[said[name]]
            assert edges[name] == pytest.approx(1 - 2 * (1 - 1 / divisor) * (1 - 100 / 199), abs=1e-9)


def test_the_gaps(ran, notebook):
    assert f"up to {max(ran['longest'].values()):,}" in notebook.text
    waits = np.concatenate([np.diff(np.flatnonzero(busts >= 100)) for busts in ran["busts"].values()])
    assert 98 < waits.mean() < 105
    means = [np.diff(np.flatnonzero(busts >= 100)).mean() for busts in ran["busts"].values()]
    assert f"**Answer: {min(means):.0f} to {max(means):.0f} games on average" in notebook.text
    # The longest of Stake's waits, by the law of the largest of so many.
    count, past = len(np.diff(np.flatnonzero(ran["busts"]["Stake, 2019"] >= 100))), 1 - 0.99 / 100
    longest = 1 - (1 - past ** np.arange(10_000)) ** count
    assert f"of {longest.sum():.0f} games on average" in notebook.text
    assert f"in {100 * longest[1186]:.0f} of 100 histories" in notebook.text
    assert (np.abs(np.array(ran["further"]) - 101) < ran["errors"]).all()


def test_the_records(ran, notebook):
    records = {name: float(busts.max()) for name, busts in ran["busts"].items()}
    name = max(records, key=records.get)
    assert name == "bustabit v1, 2016"
    assert f"**Answer: {records[name]:,.0f} times" in notebook.text
    for name, record in records.items():
        # About 0.98 / x of all games exceed x; 0.96 / x at Roobet, 0.92 / x at Blaze.
        n, share = len(ran["busts"][name]), ran["games"][name].bet(cash_out=1000).rtp
        assert 0.05 < np.exp(-n * share / record) < 0.95


def test_the_martingale(ran):
    for name, (paths, ruined) in ran["played"].items():
        bet = ran["games"][name].bet(cash_out=2)
        exact = bet.ruin(1023, rounds=1000, system=ran["pf"].bets.Martingale())
        assert abs(ruined.mean() - exact) < 3 * np.sqrt(exact * (1 - exact) / len(ruined))
        assert paths[:, -1].mean() < 1023
        assert 460 < paths[~ruined, -1].mean() - 1023 < 500
        low, high = (0.57, 0.60) if name == "Blaze, 2023" else (0.41, 0.47)
        assert low < ruined.mean() < high
        assert (paths >= 0).all()
    # One of these paths by hand, with stakes that double.
    won, bankroll, stake = ran["busts"]["Stake, 2019"][5000:6000] >= 2, 1023, 1
    for each in won:
        if stake > bankroll:
            break
        bankroll, stake = (bankroll + stake, 1) if each else (bankroll - stake, 2 * stake)
    assert ran["played"]["Stake, 2019"][0][5, -1] == bankroll


def test_the_past_says_nothing(ran):
    off = np.abs(np.concatenate(list(ran["surprise"].values())))
    assert (len(off), (off > 2.576).sum()) == (104, 1)
    assert max(ran["largest"].values()) < 3
    assert ran["every"] == 800


def test_every_question_has_its_answer(notebook):
    assert "**The answer: nothing" in notebook.text
    questions = re.findall(r"^## (.*\?)$", notebook.text, re.M)
    assert len(questions) == notebook.text.count("**Answer: ") == 7
    answers = notebook.text[notebook.text.index("## The answers") :]
    assert answers.count("\n- **") == len(questions)


def test_the_cell_to_copy_has_games_of_that_chain(copied, ran):
    assert copied["before_it"][0] == hashlib.sha256(copied["published_hash"].encode()).hexdigest().encode()
    assert len(copied["multipliers"]) == 10_000
