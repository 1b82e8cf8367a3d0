"""Bustabit's eras: which rule a game of a number was played by, and the chains that all of them are on."""

from __future__ import annotations

import hashlib
import hmac
import json
import math
from typing import Any

import provably_fair as pf
import pytest
from folders import VECTORS
from published_rounds import SERIES, bustabit, games_of

V1, V2, V3 = "bustabit/v1-2016", "bustabit/v2-2020", "bustabit/v3-2026"
SIGNED = json.loads((VECTORS / "beacons.json").read_text(encoding="utf-8"))["bustabit_signed"]


def test_eras_are_what_their_rounds_were_played_by() -> None:
    by_name = {era.name: era for era in bustabit.ERAS}
    for name, one in (("V1", V1), ("V2", V2), ("V3", V3)):
        era = by_name[name]
        assert era.game == getattr(bustabit, name)()
        assert [era.terminating, era.terminating_game] == SERIES[one].about["chain_end"]
        for game_number, game_hash, bust in games_of(one):
            assert bustabit.era(game_number, era=name) is era
            assert era.game.play(game_hash) == bust
        assert era.source
    ((first, _),) = SERIES[V3].about["other_hashes"]
    assert first == by_name["V3"].first
    signed = by_name["Signed"]
    assert (signed.first, signed.last) == (10_000_001, first - 1)
    assert (signed.terminating, signed.chain) == (by_name["V3"].terminating, by_name["V3"].chain)


def test_numbers_that_two_eras_share_need_the_era() -> None:
    for shared in (1_000_000, 2_699_754, 3_294_811):
        with pytest.raises(ValueError, match=r"game_number .* is one of V1 and V2: era must be given"):
            bustabit.era(shared)
        assert [bustabit.era(shared, name).name for name in ("V1", "V2")] == ["V1", "V2"]
    assert bustabit.era(1).name == bustabit.era(999_999).name == "V2"
    assert bustabit.era(10_000_001).name == bustabit.era(12_279_450).name == "Signed"
    assert bustabit.era(12_279_451).name == bustabit.era(99_999_999).name == "V3"


@pytest.mark.parametrize(
    "wrong",
    [(0,), (-1,), (10_000_000,), (5, "V1"), (12_306_894, "V2"), (3_294_811, "V3"), (5, "V9"), (5, 2), ("5",)],
    ids=str,
)
def test_other_numbers_are_of_no_era(wrong: tuple[Any, ...]) -> None:
    with pytest.raises((TypeError, ValueError), match=r"^(game_number|era) must be"):
        bustabit.era(*wrong)


def test_signed_games_have_the_signatures_of_the_announced_key() -> None:
    """No published result is known; that the secret key belongs to the key announced before is shown."""
    ((_, first),) = SERIES[V3].about["other_hashes"]
    signed = bustabit.Signed()
    assert SIGNED["public_key"] == bustabit.VX_PUBLIC_KEY
    assert signed.scheme.defaults["salt"] == SIGNED["salt"]
    chain = bustabit.era(12_279_450).chain
    earlier = chain.previous(first, 3)
    for place, game_hash in enumerate(earlier.astype(str).tolist()):
        number = 12_279_450 - place
        key = bustabit._signature(game_hash, SIGNED["salt"])
        message = hashlib.sha256(bytes.fromhex(game_hash)).digest() + SIGNED["salt"].encode()
        assert pf.beacons.Vx(SIGNED["public_key"]).verify(message, key)
        digest = hmac.digest(key, bytes.fromhex(game_hash), "sha256").hex()
        bust = max(1, math.floor(99 / (1 - int(digest[:13], 16) / 2**52)) / 100)
        assert bustabit.era(number).game.play(game_hash) == bust
        assert pf.verify(
            {"game_number": [number], "game_hash": [game_hash], "outcome": [bust]}, "bustabit"
        ).ok


def test_games_are_on_the_chains_of_their_eras() -> None:
    for one, name in ((V1, "V1"), (V2, "V2"), (V3, "V3")):
        (first, first_hash, _), _, (last, game_hash, _), *_ = games_of(one)
        era = bustabit.era(first, name)
        assert era.chain.previous(game_hash, last - first)[-1].decode() == first_hash


def test_the_first_chain_ends_where_it_was_announced() -> None:
    number, game_hash, _ = games_of(V1)[0]
    era = bustabit.era(number, "V1")
    assert era.chain.steps(game_hash, era.terminating) == number - era.terminating_game == 2_294_812
    with pytest.raises(ValueError, match="terminating must be reached"):
        pf.HashChain(pf.Hash("sha256", "{game_hash:bytes}")).steps(game_hash, era.terminating, limit=10**6)


def test_the_present_chain_ends_where_it_was_announced() -> None:
    number, game_hash, _ = games_of(V3)[0]
    era = bustabit.era(number)
    assert era.chain.steps(game_hash, era.terminating) == number - 10_000_000 == 2_306_894
