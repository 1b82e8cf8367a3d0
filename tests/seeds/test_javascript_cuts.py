"""Numbers as JavaScript cuts them from digests, beside what node and plain Python say of them."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections import Counter
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest
from folders import VECTORS
from provably_fair._engine import to_precision
from provably_fair.seeds.doubles import doubles_below
from provably_fair.seeds.schemes import weights_below

NODE = json.loads((VECTORS / "javascript_cuts.json").read_text(encoding="utf-8"))
HASH = pf.Hash("sha256", "{nonce}")


def nearest(number: int, digits: int) -> int:
    """The nearest number of some binary digits, of two the even one."""
    shift = max(number.bit_length() - digits, 0)
    kept, left = divmod(number, 1 << shift)
    half = Fraction(1 << shift, 2)
    return (kept + (left > half or (left == half and kept % 2))) << shift if shift else number


class Words(pf.Game):
    scheme = pf.Scheme(HASH, bits=52)

    def outcome(self, draws: pf.games.Draws) -> np.ndarray:
        return draws.number()


class Doubles(pf.Game):
    n: int = pf.games.Range(1, 10**10, default=15)
    scheme = pf.Scheme(HASH, bits=52, below="double")

    def outcome(self, draws: pf.games.Draws) -> np.ndarray:
        return draws.below(self.n)


def values_of(cut: str) -> np.ndarray:
    nonces, last = np.arange(NODE["count"]), cut.rpartition(" ")[2]
    if cut.startswith("round"):
        return pf.operators.freebitcoin.Dice().with_scheme(pf.Scheme(HASH, bits=32, words=1)).play(nonces)
    if cut.startswith("toPrecision"):
        return to_precision(Words().play(nonces), int(last))
    return Doubles(int(last)).play(nonces)


@pytest.mark.parametrize("cut", NODE["cuts"])
def test_all_bits_are_those_of_node(cut: str) -> None:
    expected = NODE["cuts"][cut]
    found = values_of(cut).astype("<f8")
    assert found[:5].tolist() == expected["first"]
    assert hashlib.sha256(found.tobytes()).hexdigest() == expected["sha256"]


@pytest.mark.parametrize("name", ["sha256", "sha512", "md5", "sha1"])
def test_a_double_is_what_python_rounds_to(name: str) -> None:
    scheme = pf.Scheme(pf.Hash(name, "{nonce}"), bits=32, below="double")  # type: ignore[arg-type]
    played = Doubles(10**9 + 7).with_scheme(scheme).play(range(2000)).tolist()
    digests = [int(hashlib.new(name, str(nonce).encode()).hexdigest(), 16) for nonce in range(2000)]
    assert played == [int(float(digest)) % (10**9 + 7) for digest in digests]


def test_ties_of_to_precision_go_up() -> None:
    # 103 / 1024 = 0.1005859375 exactly, a tie for nine digits; 101 / 1024 has no more than nine.
    numbers = np.array([103 / 1024, 101 / 1024, 0.0, 1 - 2**-53, 2.0**-52])
    assert to_precision(numbers, 9).tolist() == [0.100585938, 0.0986328125, 0.0, 1.0, 2.22044605e-16]
    assert to_precision(np.array([0.25, 0.35, 0.125]), 1).tolist() == [0.3, 0.3, 0.1]
    assert to_precision(np.array([0.125, 0.0625]), 2).tolist() == [0.13, 0.063]


def test_numbers_that_round_to_doubles_are_counted_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    for digits in (2, 3, 5):
        monkeypatch.setattr("provably_fair.seeds.doubles._DIGITS", digits)
        doubles_below.cache_clear()
        for bits in range(1, 11):
            for n in (1, 2, 3, 6, 7, 15, 20):
                counts = Counter(nearest(number, digits) % n for number in range(1 << bits))
                for answer in range(n + 2):
                    expected = sum(counts[rest] for rest in range(min(answer, n)))
                    assert doubles_below(bits, n, answer) == expected
    doubles_below.cache_clear()


def test_every_weight_is_a_share_of_all_digests() -> None:
    scheme = pf.operators.blaze.DOUBLE_SCHEME
    weights, total = weights_below(scheme, 15, range(16))
    assert (weights[0], weights[-1], total) == (0, 2**256, 2**256)
    shares = [Fraction(later - earlier, total) for earlier, later in itertools.pairwise(weights)]
    assert max(abs(share - Fraction(1, 15)) for share in shares) < Fraction(1, 2**52)
    assert len(set(shares)) > 1


def test_a_double_needs_a_digest() -> None:
    with pytest.raises(ValueError, match=r'below can\'t be "double" where words aren\'t those of a digest'):
        pf.Scheme.of(lambda nonce: [nonce], bits=32, fields=["nonce"], below="double")  # type: ignore[arg-type]
    plain = pf.Scheme(pf.Hash("none", "{salt:bytes}"), bits=32, below="double")
    number = (1 << 255) + (1 << 202)  # halfway between two doubles
    assert Doubles().with_scheme(plain).play(f"{number:064x}") == (1 << 255) % 15


def test_a_walk_through_shows_the_whole_digest() -> None:
    double = pf.operators.blaze.Double()
    game_hash = "2e1f5b6ea10e83e51e8f5b85559a237a633954a55ce62d860d130c25b057a169"
    text = str(double.explain(game_hash))
    digest = str(double.scheme.hash.hexdigest(game_hash=game_hash, **double.scheme.defaults))
    assert digest in text
    assert f"{int(float(int(digest, 16)))} mod 15 = 8" in text
