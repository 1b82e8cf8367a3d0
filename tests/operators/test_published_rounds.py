"""Every published round comes out, and what a game says about them is true."""

from __future__ import annotations

import dataclasses
import gzip
import hmac
import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from provably_fair.operators import crash, published
from provably_fair.operators.published import PublishedRound
from provably_fair.operators.registry import NAMED
from published_rounds import (
    GAMES,
    ROUNDS,
    SERIES,
    bcgame,
    bustabit,
    duel,
    games_of,
    liqd,
    primedice,
    skinclub,
    stake,
)
from tools import make_published

ids = "{0.__module__}.{0.__name__}".format


@pytest.mark.parametrize("cls", GAMES, ids=ids)
def test_every_published_round_comes_out(cls: type[pf.Game]) -> None:
    for round in ROUNDS.get(cls, []):  # no round of bustabit's signed games is known
        assert round.agrees(round.game), round


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
    """Each row of a series is a round, except in the two longest series, which are sampled."""
    rows = {name: len(one.values("outcome")) for name, one in SERIES.items()}
    counted = {name: len(list(one.rounds())) for name, one in SERIES.items()}
    samples = {"bustabit/v1-2016": (42_152, 12), "blaze/double-2022": (2_359, 9)}
    assert {name: (rows[name], counted[name]) for name in rows if rows[name] != counted[name]} == samples
    assert sum(map(len, ROUNDS.values())) == sum(counted.values()) == 540
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


def test_commitments() -> None:
    """Commitments exclude other readings; `tests/test_corpus.py` has those of the corpus verified."""
    plinko = SERIES["duel/plinko"]
    for seed, hashed in zip(plinko.field("server_seed"), plinko.field("commitment"), strict=True):
        assert duel.SCHEME.commitment.hexdigest(seed) == hashed
        assert stake.SCHEME.commitment.hexdigest(seed) != hashed  # hashes the text, which is a misreading
    assert liqd.SCHEME.commitment == stake.SCHEME.commitment


def test_the_chain_of_crash() -> None:
    ((game, game_hash, _),) = games_of("stake/crash-chain")
    assert SERIES["stake/crash-chain"].constants["terminating"] == stake.CRASH_TERMINATING
    assert pf.HashChain().steps(game_hash, stake.CRASH_TERMINATING) == game == 1_126_614
    with pytest.raises(ValueError, match="terminating must be reached"):
        pf.HashChain().steps(game_hash, stake.CRASH_TERMINATING, limit=game - 1)


def test_results_of_bustabit_follow_from_one_hash() -> None:
    rows = games_of("bustabit/v2-2019")
    (least, *_), (most, last, _) = rows[0], rows[-1]
    hashes = pf.HashChain().previous(last, most - least)
    busts = bustabit.V2().play(hashes)
    for game, _, bust in rows[:-1]:
        assert busts[most - game - 1] == bust


def test_the_chain_of_bustabit_ends_where_it_was_announced() -> None:
    assert SERIES["bustabit/v2-2019"].constants["terminating"] == bustabit.TERMINATING
    most, last, _ = games_of("bustabit/v2-2019")[-1]
    assert pf.HashChain().steps(last, bustabit.TERMINATING) == most == 2_552_845


# ---- misreadings, which don't reproduce the published rounds ----


def under(cls: type[pf.Game], hash: pf.Hash | None = None, **changed: Any) -> float:
    """The share of a game's rounds that are reproduced under a changed scheme."""
    scheme = dataclasses.replace(
        cls.scheme, hash=hash or cls.scheme.hash, fields=cls.scheme.fields, **changed
    )
    return share(round.agrees(round.game.with_scheme(scheme)) for round in ROUNDS[cls])


def drawing(cls: type[pf.Game], outcome: Callable[[Any, Any], Any]) -> float:
    """The share of a game's rounds that are reproduced with draws read differently."""

    def read(round: PublishedRound) -> bool:
        members = {"scheme": cls.scheme, "outcome": lambda self, draws: outcome(round.game, draws)}
        return round.agrees(type("Other", (pf.Game,), members)())

    return share(map(read, ROUNDS[cls]))


def later(cls: type[pf.Game]) -> float:
    """The share of a game's rounds that are reproduced with nonces reduced by one."""
    moved = [
        dataclasses.replace(round, fields=round.fields | {"nonce": round.fields["nonce"] + 1})
        for round in ROUNDS[cls]
    ]
    return share(round.agrees(round.game) for round in moved)


def share(right: Iterable[bool]) -> float:
    found = list(right)
    return sum(found) / len(found)


NONCES = "{client_seed}:{nonce}:{cursor}"


@pytest.mark.parametrize("cls", [stake.Dice, stake.Keno, stake.Slots], ids=ids)
def test_a_key_of_text_is_not_of_bytes(cls: type[pf.Game]) -> None:
    assert under(cls, pf.Hash("sha256", NONCES, key="{server_seed:bytes}")) == 0


@pytest.mark.parametrize("cls", [duel.Dice, duel.Mines, duel.VideoPoker, liqd.Dice], ids=ids)
def test_a_key_of_bytes_is_not_of_text(cls: type[pf.Game]) -> None:
    message = cls.scheme.hash.message
    assert under(cls, pf.Hash("sha256", message, key="{server_seed}")) == 0


def test_a_chain_with_bytes_is_not_one_with_text() -> None:
    assert under(bustabit.V2, pf.Hash("sha256", "{game_hash}", key="{salt}")) < 0.1
    assert under(stake.Crash, pf.Hash("sha256", "{salt}", key="{game_hash:bytes}")) == 0


def test_the_key_of_a_chain_is_not_its_message() -> None:
    assert under(stake.Crash, pf.Hash("sha256", "{game_hash}", key="{salt}")) == 0
    assert under(bustabit.V2, pf.Hash("sha256", "{salt}", key="{game_hash:bytes}")) < 0.1
    assert under(skinclub.Ticket, pf.Hash("sha512", "{client_seed}-{nonce}", key="{server_seed}")) == 0


def test_ten_thousand_and_one_is_not_ten_thousand() -> None:
    assert drawing(stake.Dice, lambda game, draws: draws.below(10_000) / 100) < 0.8
    assert drawing(duel.Dice, lambda game, draws: draws.below(10_000)) == 0
    assert drawing(liqd.Dice, lambda game, draws: draws.below(10_001) / 100) == 0


def forward(draws: Any, n: int) -> np.ndarray:
    """A permutation by swapping each place, from the first up, with itself or a later one."""
    order, rows = np.tile(np.arange(n), (draws.rounds, 1)), np.arange(draws.rounds)
    for place in range(n - 1):
        other = place + draws.below(n - place)
        order[rows, other], order[rows, place] = order[rows, place], order[rows, other].copy()
    return order


def test_removal_is_not_swapping_nor_forward_backward() -> None:
    assert drawing(stake.Keno, lambda game, draws: draws.swaps(40)[:, :10]) == 0
    assert drawing(stake.Keno, lambda game, draws: forward(draws, 40)[:, :10]) == 0
    assert drawing(stake.Mines, lambda game, draws: draws.swaps(25)[:, :24]) == 0
    assert drawing(stake.VideoPoker, lambda game, draws: forward(draws, 52)[:, :10]) == 0
    for cls, n in ((duel.Mines, 25), (duel.VideoPoker, 52)):
        size = "mines" if cls is duel.Mines else None

        def count(game: pf.Game, size: str | None = size) -> int:
            return getattr(game, size) if size else 10

        assert drawing(cls, lambda game, draws, n=n, count=count: draws.sample(n, count(game))) == 0
        assert drawing(cls, lambda game, draws, n=n, count=count: forward(draws, n)[:, : count(game)]) == 0


def test_swaps_of_newer_games() -> None:
    assert drawing(duel.Beef, lambda game, draws: draws.sample(20, game.points)) == 0
    assert drawing(liqd.Mines, lambda game, draws: draws.swaps(25)[:, :1] + 1) == 0
    assert drawing(liqd.Blackjack, lambda game, draws: draws.swaps(416)[:, :20] % 52) == 0
    assert under(liqd.Blackjack, first_cursor=0) == 0


def test_signatures_are_read_as_text() -> None:
    key = "{server_seed:bytes}"
    for cls in (duel.Crash, duel.Roulette):
        for message in ("{beacon_signature:bytes}:0", "{beacon_signature}:0", "{beacon_signature:utf8}"):
            assert under(cls, pf.Hash("sha256", message, key=key)) < 0.3


def test_a_row_of_pump_disagrees_with_its_table_and_formula() -> None:
    """Published as 1.7 (medium, nonce 5); in the table, and by its formula, it is 1.69."""
    seeds = SERIES["stake/2025-pump"].constants
    found = stake.Pump("medium").play(seeds["server_seed"], seeds["client_seed"], 5)
    assert found == 1.69 == round(0.98 * 2300 / 1330, 2)


def with_replacement(draws: Any, n: int, k: int) -> np.ndarray:
    return np.stack([draws.below(n) for _ in range(k)], axis=1)


def test_cards_are_put_back_or_not() -> None:
    assert drawing(stake.Blackjack, lambda game, draws: draws.sample(52, 20)) == 0
    assert drawing(stake.Hilo, lambda game, draws: draws.sample(52, 20)) <= 0.4  # one card was dealt once
    assert drawing(stake.VideoPoker, lambda game, draws: with_replacement(draws, 52, 10)) == 0
    assert drawing(stake.Keno, lambda game, draws: with_replacement(draws, 40, 10)) == 0


def test_x_is_not_1_minus_x() -> None:
    def turned(game: Any, draws: Any) -> Any:
        return np.maximum(1, np.floor(99 / (draws.number() + 2.0**-52)) / 100)

    assert drawing(bustabit.V2, turned) < 0.1

    def reversed(game: Any, draws: Any) -> Any:
        word = 2**32 - 1 - draws.below(2**32)
        return np.maximum(1, np.floor(2**32 / (word + 1) * 0.99 * 100) / 100)

    assert drawing(stake.Crash, reversed) == 0


def test_rows_and_cursors_are_counted_from_0_and_rounds_of_coins_from_1() -> None:
    assert under(duel.Plinko, first_cursor=1) < 0.6  # counts right turns, so many rounds agree by chance
    assert under(duel.Mines, first_cursor=1) == 0
    assert under(liqd.Dice, first_cursor=1) == 0
    assert under(stake.Dice, first_cursor=1) == 0
    earlier = [
        dataclasses.replace(round, fields=round.fields | {"round": round.fields["round"] - 1})
        for round in ROUNDS[bcgame.CoinFlip]
    ]
    assert share(round.agrees(round.game) for round in earlier) < 1


@pytest.mark.parametrize(("game", "first", "choices"), [(bcgame.Hilo(), 0, 52), (bcgame.CoinFlip(), 1, 2)])
def test_the_first_round_of_a_bet_is_that_of_the_operators_page(
    game: pf.Game, first: int, choices: int
) -> None:
    """BC.Game's page of verification begins with round 0 for hilo, with round 1 for coins."""
    for nonce in range(50):
        digest = hmac.digest(b"server seed", f"client seed:{nonce}:{first}".encode(), "sha256")
        card = int.from_bytes(digest[:4], "big") * choices >> 32
        assert game.play("server seed", "client seed", nonce) == card


@pytest.mark.parametrize(
    "cls",
    [stake.Dice, stake.Keno, duel.Dice, duel.Mines, liqd.Dice, primedice.Dice, primedice.OldDice],
    ids=ids,
)
def test_nonces_are_not_one_more(cls: type[pf.Game]) -> None:
    assert later(cls) < 0.2


def test_constants_are_not_those_of_other_dates() -> None:
    def multiplier(share: float) -> Callable[[Any, Any], Any]:
        def outcome(game: Any, draws: Any) -> Any:
            return np.maximum(1, np.floor(2**32 / (draws.below(2**32) + 1) * share * 100) / 100)

        return outcome

    assert drawing(stake.Crash, multiplier(0.99)) == drawing(stake.Slide, multiplier(0.98)) == 1
    assert drawing(stake.Crash, multiplier(0.98)) == drawing(stake.Slide, multiplier(0.99)) == 0


def test_readings_of_limbo_are_told_apart_by_the_tail_alone() -> None:
    apart = [round for round in ROUNDS[stake.Limbo] if not round.agrees(stake.Limbo(reading="2026"))]
    assert [round.outcome for round in apart] == [3807692.3]

    def help_text(game: Any, draws: Any) -> Any:
        """``1e8 / (f * 1e8) * 0.99``, not floored to a step."""
        number = np.maximum(draws.number(), 2.0**-33)
        return np.floor(1e8 / (number * 1e8) * 0.99 * 100) / 100

    assert drawing(stake.Limbo, help_text) == 1 - 1 / len(ROUNDS[stake.Limbo])
    found = pf.difference(stake.Limbo("2019"), stake.Limbo("2026"), rounds=100_000)
    assert found.exact_share is not None
    assert f"{float(found.exact_share):.2%}" == "0.29%"


def test_five_hex_digits_are_passed_over_from_a_million_upward() -> None:
    """The one published round can't tell the readings apart, but they differ."""
    assert drawing(primedice.OldDice, lambda game, draws: draws.below(10_000) / 100) == 1

    class Other(pf.Game):
        scheme = primedice.OLD_SCHEME

        def outcome(self, draws: Any) -> Any:
            return draws.below(10_000) / 100

    assert 0 < pf.difference(primedice.OldDice(), Other(), rounds=20_000).share < 0.1
    assert drawing(skinclub.Ticket, lambda game, draws: draws.below(100_000)) == 0


def test_an_unfair_table_passes_row_by_row_and_fails_against_its_law() -> None:
    """A plinko whose buckets don't have the binomial's probabilities, shared by a game and its verifier."""
    pays = [5.6, 2.1, 1.1, 1, 0.5, 1, 1.1, 2.1, 5.6]
    fair = stake.Plinko(rows=8).bet(dict(enumerate(pays)), of=balls, law="ideal")
    assert fair.exact_rtp == Fraction(2534, 2560)

    class Plinko(pf.Game):
        scheme = stake.SCHEME

        def outcome(self, draws: Any) -> Any:
            return np.searchsorted(np.cumsum(UNFAIR), draws.below(1000), side="right")

    assert Plinko().bet(dict(enumerate(pays)), law="ideal").exact_rtp == Fraction(98, 100)
    rounds = 100_000
    outcomes = Plinko().simulate(rounds)
    assert pf.verify(
        {**pf.games.rounds.simulated_rounds(Plinko(), rounds).values(), "outcome": outcomes}, Plinko()
    ).ok
    law = stake.Plinko(rows=8).distribution(of=balls)
    assert law.chisquare(counted(outcomes)).pvalue < 1e-6
    assert law.chisquare(counted(balls(stake.Plinko(rows=8).simulate(rounds)))).pvalue > 0.01


UNFAIR = [4, 30, 106, 216, 288, 216, 106, 30, 4]


def counted(values: np.ndarray) -> dict[int, int]:
    return dict(zip(*(found.tolist() for found in np.unique(values, return_counts=True)), strict=True))


def balls(paths: np.ndarray) -> np.ndarray:
    """The number of times that a ball went to the right."""
    found: np.ndarray = paths.sum(axis=1)
    return found
