"""Every published round comes out, and what a game says about them is true."""

from __future__ import annotations

import dataclasses
import gzip
import hmac
import re

import numpy as np
import provably_fair as pf
import pytest
from provably_fair.operators import crash, published
from provably_fair.operators.registry import NAMED
from published_rounds import (
    GAMES,
    ROUNDS,
    SERIES,
    bcgame,
    bustabit,
    games_of,
    stake,
)
from tools import make_published

ids = "{0.__module__}.{0.__name__}".format


@pytest.mark.parametrize("cls", GAMES, ids=ids)
def test_a_game_says_how_many_rounds_were_checked(cls: type[pf.Game]) -> None:
    said = re.search(r"Checked on ([\d,]+) published rounds?\b", cls.__doc__ or "")
    assert said is not None
    assert int(said[1].replace(",", "")) == len(ROUNDS.get(cls, []))


@pytest.mark.parametrize("name", NAMED)
def test_an_operator_names_its_sources_and_claims_nothing(name: str) -> None:
    text = getattr(pf.operators, name).__doc__
    assert "As recomputed from" in text
    assert re.search(r"20\d\d|dates?\b", text)
    assert not re.search(r"\b(official|certified|approved by|endorsed|partner)", text, re.IGNORECASE)


def test_no_round_is_left_out() -> None:
    """Each row of a series is a round, except in the three longest series, which are sampled."""
    rows = {name: len(one.values("outcome")) for name, one in SERIES.items()}
    counted = {name: len(list(one.rounds())) for name, one in SERIES.items()}
    samples = {
        "bustabit/v1-2016": (42_152, 12),
        "blaze/double-2022": (2_359, 9),
        "csgodouble/2015": (138_350, 12),
    }
    assert {name: (rows[name], counted[name]) for name in rows if rows[name] != counted[name]} == samples
    assert sum(map(len, ROUNDS.values())) == sum(counted.values()) == 552
    families = {crash.Divisible, crash.Raw}
    assert set(ROUNDS) == {*GAMES} - {bustabit.Signed} - families


def test_the_package_has_the_same_rounds() -> None:
    """`python tests/tools/make_published.py` writes them."""
    assert gzip.decompress(make_published.FILE.read_bytes()).decode() == make_published.text()
    rounds = published.rounds()
    assert len(rounds) == sum(map(len, ROUNDS.values()))
    assert all(one.agrees() for one in rounds)
    assert {one.known for one in rounds} == set(published._KNOWN)
    for expected in ROUNDS.values():
        found = published.rounds(expected[0].game)
        assert {type(one.game) for one in found} == {type(expected[0].game)}
        assert len(found) == len(expected)


@pytest.mark.parametrize("known", sorted(published._KNOWN))
def test_a_published_round_that_is_changed_does_not_agree(known: str) -> None:
    one = next(one for one in published.rounds() if one.known == known)
    outcome = np.array(one.outcome) + 1
    assert not dataclasses.replace(one, outcome=outcome).agrees()
    with pytest.raises(TypeError, match="game"):
        published.rounds("stake.dice")  # type: ignore[arg-type]


def test_the_chain_of_crash() -> None:
    ((game, game_hash, _),) = games_of("stake/crash-chain")
    assert SERIES["stake/crash-chain"].constants["terminating"] == stake.CRASH_TERMINATING
    assert pf.HashChain().steps(game_hash, stake.CRASH_TERMINATING) == game == 1_126_614
    with pytest.raises(ValueError, match="terminating must be reached"):
        pf.HashChain().steps(game_hash, stake.CRASH_TERMINATING, limit=game - 1)


def test_the_chain_of_bustabit_ends_where_it_was_announced() -> None:
    assert SERIES["bustabit/v2-2019"].constants["terminating"] == bustabit.TERMINATING
    most, last, _ = games_of("bustabit/v2-2019")[-1]
    assert pf.HashChain().steps(last, bustabit.TERMINATING) == most == 2_552_845


# ---- what published rounds tell apart; `tests/test_corpus.py` has the readings that they exclude ----


def test_a_row_of_pump_disagrees_with_its_table_and_formula() -> None:
    """Published as 1.7 (medium, nonce 5); in the table, and by its formula, it is 1.69."""
    seeds = SERIES["stake/2025-pump"].constants
    found = stake.Pump("medium").play(seeds["server_seed"], seeds["client_seed"], 5)
    assert found == 1.69 == round(0.98 * 2300 / 1330, 2)


@pytest.mark.parametrize(("game", "first", "choices"), [(bcgame.Hilo(), 0, 52), (bcgame.CoinFlip(), 1, 2)])
def test_the_first_round_of_a_bet_is_that_of_the_operators_page(
    game: pf.Game, first: int, choices: int
) -> None:
    """BC.Game's page of verification begins with round 0 for hilo, with round 1 for coins."""
    for nonce in range(50):
        digest = hmac.digest(b"server seed", f"client seed:{nonce}:{first}".encode(), "sha256")
        card = int.from_bytes(digest[:4], "big") * choices >> 32
        assert game.play("server seed", "client seed", nonce) == card


def test_readings_of_limbo_are_told_apart_by_the_tail_alone() -> None:
    apart = [round for round in ROUNDS[stake.Limbo] if not round.agrees(stake.Limbo(reading="2026"))]
    assert [round.outcome for round in apart] == [3807692.3]
    found = pf.difference(stake.Limbo("2019"), stake.Limbo("2026"), rounds=100_000)
    assert found.exact_share is not None
    assert f"{float(found.exact_share):.2%}" == "0.29%"
