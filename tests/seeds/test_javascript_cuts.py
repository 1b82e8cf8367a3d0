"""JavaScript's conversions of digests to numbers, compared with node and plain Python."""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import pickle
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest
from folders import VECTORS
from oracles.schemes import nearest_of, to_precision
from provably_fair.seeds.doubles import doubles_below
from provably_fair.seeds.schemes import weights_below

NODE = json.loads((VECTORS / "javascript_cuts.json").read_text(encoding="utf-8"))
HASH = pf.Hash("sha256", "{nonce}")


def nearest(number: int, digits: int) -> int:
    """The nearest number with that many binary digits, ties to even."""
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


class Nearest(pf.Game):
    n: int = pf.games.Range(1, 1 << 52, default=1_000_003)
    scheme = pf.Scheme(HASH, bits=12, below="nearest")
    monotone = True

    def outcome(self, draws: pf.games.Draws) -> np.ndarray:
        return draws.below(self.n)


class Rounded(Words):
    """The number that is the message itself."""

    scheme = pf.Scheme(pf.Hash("none", "{salt:bytes}"), bits=64)
    monotone = True


def of_number(number: float, digits: int) -> float:
    """The engine's result for a number of at most 52 bits."""
    scheme = pf.Scheme(pf.Hash("none", "{salt:bytes}"), bits=52, words=1, digits=digits)
    word = Fraction(number) * 2**52
    assert word.denominator == 1
    return float(Words().with_scheme(scheme).play(f"{int(word):013x}000"))


def values_of(cut: str) -> np.ndarray:
    nonces, last = np.arange(NODE["count"]), cut.rpartition(" ")[2]
    if cut.startswith("round(8"):
        scheme = pf.Scheme(HASH, bits=32, words=1, below="nearest")
        return pf.operators.freebitcoin.Dice().with_scheme(scheme).play(nonces)
    if cut.startswith("round(13"):
        return Nearest().with_scheme(pf.Scheme(HASH, bits=52, below="nearest")).play(nonces)
    if cut.startswith("toPrecision"):
        return Words().with_scheme(pf.Scheme(HASH, bits=52, digits=int(last))).play(nonces)
    return Doubles(int(last)).play(nonces)


@pytest.mark.one_case_in(3)
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
    # 103 / 1024 = 0.1005859375 is a tie at nine digits; 101 / 1024 needs no more than nine.
    assert [of_number(number, 9) for number in (103 / 1024, 101 / 1024, 0.0, 1 - 2**-52, 2.0**-52)] == [
        0.100585938, 0.0986328125, 0.0, 1.0, 2.22044605e-16,
    ]  # fmt: skip
    assert [of_number(number, 1) for number in (0.25, 0.125)] == [0.3, 0.1]
    assert [of_number(number, 2) for number in (0.125, 0.0625)] == [0.13, 0.063]


@pytest.mark.parametrize("digits", [1, 2, 3, 9, 15])
def test_the_law_of_numbers_of_few_digits_counts_all_words(digits: int) -> None:
    law = Rounded().with_scheme(pf.Scheme(HASH, bits=12, digits=digits)).distribution("as_drawn")
    expected = Counter(to_precision(word / 4096, digits) for word in range(4096))
    assert dict(zip(law.outcomes.tolist(), law.weights, strict=True)) == expected
    crash = pf.operators.crash.Raw("0.02", digits).with_scheme(pf.Scheme(HASH, bits=12))
    found = crash.distribution(
        "as_drawn", of=lambda outcomes: np.minimum(outcomes, 500)
    )  # 1 busts at infinity
    busts: Counter[float] = Counter()
    for number, weight in expected.items():
        left = 1 - number
        busts[min(500.0, max(1.0, math.floor(98.0 / left) / 100)) if left else 500.0] += weight
    assert dict(zip(found.outcomes.tolist(), found.weights, strict=True)) == busts


@pytest.mark.parametrize("bits", [4, 8, 12])
def test_the_law_of_the_nearest_counts_all_words(bits: int) -> None:
    scheme = pf.Scheme(HASH, bits=bits, below="nearest")
    for n in (1, 2, 3, 7, 2**bits - 1, 2**bits):
        game = Nearest(n).with_scheme(scheme)
        counts = Counter(nearest_of(word, bits, n) for word in range(1 << bits))
        weights, total = weights_below(scheme, n, range(n + 1))
        assert total == 1 << bits
        assert [later - earlier for earlier, later in itertools.pairwise(weights)] == [
            counts[answer] for answer in range(n)
        ]
        assert game.distribution("as_drawn").probabilities.sum() == 1
        digests = [hashlib.sha256(str(nonce).encode()).hexdigest() for nonce in range(50)]
        words = [int(digest[: bits // 4], 16) for digest in digests]
        assert game.play(range(50)).tolist() == [nearest_of(word, bits, n) for word in words]
    with pytest.raises(ValueError, match="n must be from 1 to"):
        weights_below(scheme, 2**bits + 1, [1])


def test_a_roll_of_freebitcoin_has_half_of_each_end() -> None:
    dice = pf.operators.freebitcoin.Dice()
    law = dice.distribution("as_drawn")
    # The smallest word for `answer`, exactly: word >= (answer - 1/2) * 429496.7295.
    step = Fraction(4294967295, 10_000)
    ends = [0, *(math.ceil((answer - Fraction(1, 2)) * step) for answer in range(1, 10_001)), 1 << 32]
    assert [weight * ((1 << 32) // law.total) for weight in law.weights] == [
        later - earlier for earlier, later in itertools.pairwise(ends)
    ]
    assert dice.distribution("ideal") == law  # not a uniform draw, with as much at each end


def test_cuts_are_data_and_shown() -> None:
    for scheme in (pf.operators.bcgame.CRASH_SCHEME, pf.operators.freebitcoin.SCHEME):
        assert pf.Scheme.from_dict(scheme.to_dict()) == scheme
        assert eval(repr(scheme), vars(pf)) == scheme
    game_hash = "50fe7c9b26deb719b1b0db09f13f066c6b35a2ec5a87bdd5fb78635befa7866d"
    text = str(pf.operators.bcgame.Crash().explain(game_hash))
    scheme = pf.operators.bcgame.CRASH_SCHEME
    digest = str(scheme.hash.hexdigest(game_hash=game_hash, **scheme.defaults))
    word = int(digest[:13], 16)
    assert f"number = {word} / 2^52 to 9 digits = {to_precision(word / 2**52, 9)!r}" in text
    word = int(pf.operators.freebitcoin.SCHEME.random_bytes("monk", "knom", 123456).hex()[:8], 16)
    text = str(pf.operators.freebitcoin.Dice().explain("monk", "knom", 123456))
    assert f"round({word} / (4294967295 / 10000)) = 8009" in text


def test_digits_of_a_crash_game_stay_under_any_scheme() -> None:
    crash, salted = pf.operators.crash.Raw, pf.operators.bcgame.CRASH_SCHEME
    nine = crash("0.01", 9)
    assert nine.with_scheme(replace(salted, digits=None)).scheme == salted
    assert repr(nine) == "crash.Raw(edge='0.01', digits=9)"
    assert pickle.loads(pickle.dumps(nine)) == nine
    hashes = [f"{number:064x}" for number in range(200)]
    same = nine.with_scheme(salted).play(hashes)
    assert (same == pf.operators.bcgame.Crash().play(hashes)).all()
    assert crash("0.01").with_scheme(salted).play(hashes).tolist() == same.tolist()


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


def test_the_law_of_double_by_counting_doubles() -> None:
    """The number of doubles with each remainder in each binade, and of digests that round to each double."""
    n = 15
    counts = [len(range(answer, 1 << 53, n)) for answer in range(n)]  # digests that are doubles themselves
    for exponent in range(1, 204):
        step = 1 << exponent
        # The doubles m * step: ties at half a step round to even from both sides.
        for rest in range(2 * n):
            doubles = len(range((1 << 52) + 1 + (rest - (1 << 52) - 1) % (2 * n), 1 << 53, 2 * n))
            counts[rest * step % n] += doubles * (step - 1 if rest % 2 else step + 1)
        # The first double of a binade, reached from half a step above and half a smaller step below.
        counts[(step << 52) % n] += step // 2 + 1 + step // 4
    counts[(1 << 256) % n] += 1 << 202  # the last half step rounds to 2**256
    assert sum(counts) == 1 << 256
    law = pf.operators.blaze.Double().distribution("as_drawn")
    assert law.outcomes.tolist() == list(range(n))
    assert [weight * ((1 << 256) // law.total) for weight in law.weights] == counts


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
