"""Features of schemes beyond a hash with a cursor, checked with published rounds or slow references."""

from __future__ import annotations

import hashlib
import hmac
import itertools
import json
import pickle
import random
import struct
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from folders import VECTORS
from oracles import schemes as reference
from own_games import game_of
from provably_fair.seeds import schemes

OPEN = json.loads((VECTORS / "schemes.json").read_text(encoding="utf-8"))


def exactly(law: Any, values: Any) -> list[Fraction]:
    chances = dict(law)
    return [chances.get(value, Fraction(0)) for value in values]


def of_toml(text: str) -> pf.Scheme:
    return pf.Scheme.from_dict(tomllib.loads(text))


class Below(pf.Game):
    """One value of n."""

    n: int = 10

    def outcome(self, draws: Any) -> Any:
        return draws.below(self.n)


class Several(pf.Game):
    """Several values, each one of n."""

    n: int = 10
    count: int = 5

    def outcome(self, draws: Any) -> Any:
        return np.stack([draws.below(self.n) for _ in range(self.count)], axis=1)


# ---- hash functions ----

# Test vectors of FIPS 202, of the original Keccak, of RFC 7693, and of BLAKE3.
PUBLISHED = [
    ("sha3_256", b"abc", "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"),
    (
        "sha3_384",
        b"abc",
        "ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c2596da7cf0e49be4b298d88cea927ac7f539f1edf228376d25",
    ),
    (
        "sha3_512",
        b"abc",
        "b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e"
        "10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0",
    ),
    ("keccak256", b"", "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"),
    ("keccak256", b"abc", "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"),
    (
        "blake2b",
        b"abc",
        "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
        "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923",
    ),
    ("blake3", b"", "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"),
    (
        "blake3",
        bytes(i % 251 for i in range(1025)),
        "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444",
    ),
]


@pytest.mark.parametrize(("name", "message", "digest"), PUBLISHED)
def test_published_digests(name: Any, message: bytes, digest: str) -> None:
    assert pf.Hash(name, "{salt:bytes}").hexdigest(message.hex()) == digest


def test_hashes_among_text_as_hex_and_as_bytes() -> None:
    inner = hashlib.sha256(b"s").digest()
    for raw, part in ((False, inner.hex().encode()), (True, inner)):
        hash = pf.Hash("md5", ["a:", pf.Hash("sha256", "{server_seed}", raw=raw), ":{nonce}"])
        assert hash.hexdigest("s", 5) == hashlib.md5(b"a:" + part + b":5").hexdigest()
        keyed = pf.Hash("sha512", "m", key=pf.Hash("sha256", "{server_seed}", raw=raw))
        assert keyed.hexdigest("s") == hmac.digest(part, b"m", "sha512").hex()
    assert pf.Hash("md5", [pf.Hash("sha1", "{salt}")]) == pf.Hash("md5", pf.Hash("sha1", "{salt}"))


def test_whole_numbers_as_bytes_and_of_a_width() -> None:
    scheme = of_toml("""
        bits = 32
        [hash]
        name = "sha256"
        message = "{server_seed:bytes}{nonce:u64le}{cursor:u32be}{nonce:08}"
    """)
    seed, nonce = "00ff", [0, 1, 255, 256, 2**40, 2**64 - 1]
    expected = [
        hashlib.sha256(
            bytes.fromhex(seed) + struct.pack("<Q", n) + struct.pack(">I", 7) + f"{n:08}".encode()
        ).digest()
        for n in nonce
    ]
    found = scheme.random_bytes(seed, np.array(nonce, np.uint64), cursor=7)
    assert [row.tobytes() for row in found] == expected
    with pytest.raises(ValueError, match=r"^cursor must be from 0 to 4294967295, got 4294967296"):
        scheme.random_bytes(seed, 0, cursor=2**32)
    small = pf.Hash("sha256", "{nonce:u16le}")
    assert small.hexdigest(258) == hashlib.sha256(b"\2\1").hexdigest()
    with pytest.raises(ValueError, match=r"^nonce must be at most 65535, as the scheme writes it, got 65536"):
        small.hexdigest(65536)
    with pytest.raises(ValueError, match=r"^nonce\[1\] must be at most 65535"):
        small.hexdigest([0, 65536])
    with pytest.raises(TypeError, match=r"^ticket must be a whole number, as .* width, got text"):
        pf.Hash("sha256", "{ticket:u8}").hexdigest("5")
    last = pf.Scheme(pf.Hash("sha256", "{nonce}{cursor:u8}"), bits=64, words=1, below="modulo")
    with pytest.raises(
        ValueError, match=r"needs a cursor above 255, the last that the template has room for"
    ):
        Several(count=257).with_scheme(last).play(5)
    nonces = np.arange(250, 262)
    game = Below().with_scheme(pf.Scheme(pf.Hash("sha256", "{nonce:u8}"), bits=64, below="modulo"))
    log = {"nonce": nonces, "outcome": np.zeros(12, int)}
    log["outcome"][:6] = game.play(nonces[:6])
    report = pf.verify(log, game)  # rows whose nonce doesn't fit can't be right
    assert report.failed == 6


def test_fields_bytes_without_a_hash() -> None:
    """Rustywager's ticket: the first 16 hex digits of the secret, rounded to a double, modulo 10**11."""
    scheme = of_toml("""
        bits = 32
        below = "modulo"
        [hash]
        name = "none"
        message = "{secret:bytes}"
    """)

    class Ticket(pf.Game):
        def outcome(self, draws: Any) -> Any:
            high, low = draws.below(2**32), draws.below(2**32)
            return (high * 2.0**32 + low) % 1e11 / 1e9

    game = Ticket().with_scheme(scheme)
    round = OPEN["rustywager"]
    assert game.play(round["secret"]) == pytest.approx(round["ticket"], abs=1e-7)
    many = ["ff" * 8] * 30
    many[20] = "ff" * 7
    with pytest.raises(ValueError, match=r"^round 20 needs more than the 1 words of 32 bits"):
        game.play(many)
    log = {"secret": many, "outcome": [game.play("ff" * 8)] * 30}
    report = pf.verify(log, game)
    assert (report.checked, report.failed) == (30, 1)
    dice = pf.Dice().with_scheme(pf.Scheme(pf.Hash("none", "{secret:bytes}"), bits=32))
    assert dice.play(["80000000" * 3] * 20).tolist() == [50.0] * 20
    with pytest.raises(ValueError, match=r"^round 7 needs more than the 0 words"):
        dice.play(["80000000"] * 7 + ["8000"] + ["80000000"] * 20)
    assert pf.Hash("none", "{salt}").hexdigest(["ab", "cd"]).tolist() == [b"6162", b"6364"]
    with pytest.raises(ValueError, match="equally long"):
        pf.Hash("none", "{salt}").hexdigest(["ab", "cde"])


# ---- labels ----


def test_a_label_for_each_draw() -> None:
    """A crash game in the operator's own test vectors: the label is part of the message."""
    scheme = of_toml("""
        bits = 52
        [hash]
        name = "sha256"
        message = "{beacon}:{label}:{cursor}"
        key = "{server_seed:bytes}"
    """)
    round = OPEN["g155_crash"]

    class Crash(pf.Game):
        def outcome(self, draws: Any) -> Any:
            draws.label("crash")
            r = draws.number()
            return np.floor(np.maximum(1, (1 - round["house_edge"]) / (1 - r)) * 100 + 0.5) / 100

    game = Crash().with_scheme(scheme)
    assert game.play(round["server_seed"], beacon="") == round["crash"]
    digest = scheme.random_bytes(round["server_seed"], "", label="crash")
    assert isinstance(digest, bytes)
    assert digest.hex()[:13] == round["first_13_hex_digits"]
    walk = game.explain(round["server_seed"], beacon="")
    assert "label crash" in str(walk)
    assert ":crash:0" in str(walk)


@pytest.mark.parametrize("rounds", [1, 3, 40])
def test_each_label_has_numbers_of_its_own(rounds: int) -> None:
    definition = {"hash": {"name": "sha256", "message": "{nonce}/{label}/{cursor}"}, "bits": 32, "words": 3}
    scheme = pf.Scheme.from_dict({**definition, "defaults": {"label": "first"}})

    def labeled(draws: Any) -> list[Any]:
        cells = [draws.below(1000)]
        for label in ("b", "a", "b", "first", "a"):
            draws.label(label)
            cells += [draws.below(1000), draws.below(1000)]
        return cells

    games = game_of(lambda draws: np.stack(labeled(draws), axis=1)), game_of(labeled, vectorized=False)
    expected = []
    for nonce in range(rounds):
        oracles = {
            label: reference.Round(definition, {"nonce": nonce}, label) for label in ("first", "a", "b")
        }
        row = [oracles["first"].below(1000)]
        for label in ("b", "a", "b", "first", "a"):
            row += [oracles[label].below(1000), oracles[label].below(1000)]
        expected.append(row)
    for game in games:
        assert game.with_scheme(scheme).play(np.arange(rounds)).tolist() == expected
        # Under a scheme without labels they have no effect.
        plain = game.with_scheme(pf.Scheme(pf.Hash("sha256", "{nonce}/{cursor}"), bits=32))
        oracle = reference.Round(plain.scheme.to_dict(), {"nonce": 0})
        assert plain.play(0).tolist() == [oracle.below(1000) for _ in range(11)]
    unlabeled = pf.Scheme.from_dict(definition)
    with pytest.raises(ValueError, match=r"draws\.label must be called before the first draw"):
        pf.Dice().with_scheme(unlabeled).play(np.arange(30))
    with pytest.raises(TypeError, match="label must be given"):
        unlabeled.hash.hexdigest(5)


# ---- cutting digests into words ----


def test_widths_by_the_range_of_a_draw() -> None:
    """Axom's byte stream: its first block is published, the rest follows their specification."""
    vector = OPEN["axom_stream"]
    scheme = of_toml("""
        bits = "range"
        below = "reject"
        [hash]
        name = "sha256"
        message = "pf-v1\\ngame={game}\\nclient_seed={client_seed}\\nnonce={nonce}\\ncursor={cursor}"
        key = "{server_seed}"
    """)
    fields = {name: vector[name] for name in scheme.fields}
    assert scheme.random_bytes(**fields).hex() == vector["first_block"]

    nonces = range(40)
    ranges = [312, 311, 257, 256, 52, 7, 2, 1, 65_536, 65_537, 2**40, 10_001] * 4
    oracles = [reference.Round(scheme.to_dict(), fields | {"nonce": nonce}) for nonce in nonces]
    streams = schemes.draws(scheme, schemes.bind_fields(scheme, (), {**fields, "nonce": np.array(nonces)}))
    for n in ranges:
        assert streams.below(n).tolist() == [oracle.below(n) for oracle in oracles]
    rng = np.random.default_rng(3)
    for _ in range(10):  # each round with its own range, and seven-byte numbers
        each = rng.choice(ranges, 40)
        expected = [oracle.below(n) for oracle, n in zip(oracles, each.tolist(), strict=True)]
        assert streams.below(each).tolist() == expected
        assert streams.numbers().tolist() == [oracle.number() for oracle in oracles]
    fields["nonce"] = 0
    oracle = reference.Round(scheme.to_dict(), fields)
    assert scheme.random_numbers(**fields, count=9).tolist() == [oracle.number() for _ in range(9)]
    law = (
        Below(300).with_scheme(pf.Scheme(scheme.hash, bits="range", below="modulo")).distribution("as_drawn")
    )
    assert exactly(law, [0, 299]) == [Fraction(219, 65_536), Fraction(218, 65_536)]
    shuffled = pf.Mines(3).with_scheme(scheme)
    assert shuffled.play(**fields).tolist() == shuffled.play(**(fields | {"nonce": [0] * 50}))[49].tolist()


# ---- reading on ----


@pytest.mark.parametrize("step", [1, 1_000_000])
def test_where_all_words_of_a_digest_are_passed_over(step: int) -> None:
    """The draws of Duel and LIQD: eight integers are tried, then those of later cursors."""
    scheme = of_toml(f"""
        bits = 32
        words = 1
        below = "reject"
        read_on = {step}
        [hash]
        name = "sha256"
        message = "{{client_seed}}:{{nonce}}:{{cursor}}"
        key = "{{server_seed:bytes}}"
    """)
    n = 2**31 + 2**27  # three in seven words are rejected

    def draw(nonce: int, cursor: int) -> int:
        while True:
            digest = hmac.digest(b"\xab", f"c:{nonce}:{cursor}".encode(), "sha256")
            for word in struct.unpack(">8I", digest):
                if word < 2**32 // n * n:
                    return word % n
            cursor += step

    rounds = 3000  # in some of them all eight words of a digest are rejected
    found = Several(n, 6).with_scheme(scheme).play("ab", "c", np.arange(rounds))
    assert found.tolist() == [[draw(nonce, cursor) for cursor in range(6)] for nonce in range(rounds)]
    without = pf.Scheme(scheme.hash, bits=32, words=1, below="reject")
    with pytest.raises(ValueError, match="has no word for one of"):
        Several(n, 6).with_scheme(without).play("ab", "c", np.arange(rounds))


def test_walk_throughs_show_how_a_word_was_read() -> None:
    again = of_toml("""
        bits = 20
        below = "reject"
        read_on = {name = "sha512", message = "{digest}"}
        hash = {name = "sha512", message = "{client_seed}-{nonce}", key = "{server_seed}"}
    """)
    game = Several(1_000_000, 70).with_scheme(again)
    walk = game.explain("s", "c", 3)
    assert walk.outcome.tolist() == game.play("s", "c", 3).tolist()
    assert "cursor 0, 2 on" in str(walk)
    scheme = pf.Scheme(pf.Hash("blake2b", "{server_seed}:{nonce}:{cursor}"), bits=64, below="multiply")
    (word,) = struct.unpack(">Q", hashlib.blake2b(b"s:9:0").digest()[:8])
    assert f"floor({word} * 3 / 2^64)" in str(Below(3).with_scheme(scheme).explain("s", 9))


# ---- mapping words to answers ----


def test_a_whole_digest_as_one_number() -> None:
    vector = OPEN["mochi"]
    scheme = of_toml("""
        bits = 64
        words = 1
        below = "digest"
        [hash]
        name = "sha256"
        message = "{server_seed}:{client_seed}:{nonce}"
        [commitment]
        name = "sha256"
        message = "{server_seed}"
    """)
    game = Below(10_000).with_scheme(scheme)
    rolls = game.play(vector["server_seed"], vector["client_seed"], np.arange(len(vector["rolls"])))
    assert rolls.tolist() == vector["rolls"]
    assert scheme.commitment is not None
    assert scheme.commitment.hexdigest(vector["server_seed"]) == vector["server_seed_sha256"]
    law = game.distribution("as_drawn")
    assert exactly(law, [0, 9_999]) == [
        Fraction(2**256 // 10_000 + 1, 2**256),
        Fraction(2**256 // 10_000, 2**256),
    ]
    assert sum(exactly(law, range(10_000))) == 1
    log = {"server_seed": vector["server_seed"], "client_seed": vector["client_seed"]}
    log |= {"nonce": list(range(6)), "outcome": rolls}
    assert pf.verify(log, game).ok
    walk = game.explain(vector["server_seed"], vector["client_seed"], 1)
    assert "mod 10000 = 2071" in str(walk)
    bet = pf.Dice().with_scheme(scheme).bet(under=50, payout=1.98)
    assert (bet.law_kind, bet.law_error < 1e-60) == ("ideal", True)


def test_a_table_of_weights() -> None:
    weights = [500, 0, 300, 199, 1]

    scheme = pf.Scheme(pf.Hash("sha256", "{nonce}"), bits=32, below="modulo")
    expected = []
    for nonce in range(2000):
        left = int.from_bytes(hashlib.sha256(str(nonce).encode()).digest()[:4], "big") % 1000
        expected.append(next(i for i in range(5) if left < sum(weights[: i + 1])))
    for vectorized in (True, False):
        game = game_of(lambda draws: draws.weighted(weights), scheme=scheme, vectorized=vectorized)
        assert game.play(np.arange(2000)).tolist() == expected
        assert exactly(game.distribution(), range(5)) == [Fraction(w, 1000) for w in weights]
        drawn = [
            Fraction(sum(2**32 // 1000 + (i < 2**32 % 1000) for i in cut), 2**32) for cut in _cuts(weights)
        ]
        assert exactly(game.distribution("as_drawn"), range(5)) == drawn
    for wrong in ([], [0, 0], [-1, 2], [2**60]):
        with pytest.raises(ValueError, match=r"draws\.weighted: weights"):
            game_of(lambda draws, wrong=wrong: draws.weighted(wrong), scheme=scheme).play(5)


def _cuts(weights: list[int]) -> list[range]:
    ends = np.cumsum([0, *weights]).tolist()
    return [range(*pair) for pair in itertools.pairwise(ends)]


# ---- a function in place of a hash ----


def twister(server_seed: str, nonce: int) -> Iterator[int]:
    """An endless Mersenne Twister, seeded with a hash."""
    generator = random.Random(
        int.from_bytes(hashlib.sha256(f"{server_seed}:{nonce}".encode()).digest(), "big")
    )
    while True:
        yield generator.getrandbits(32)


def aes(server_seed: str, nonce: int) -> bytes:
    """The key stream of AES-256 in counter mode (SP 800-38A), with key and initial counter from a hash."""
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    made = hashlib.sha512(f"{server_seed}:{nonce}".encode()).digest()
    cipher = Cipher(algorithms.AES(made[:32]), modes.CTR(made[32:48]))
    return cipher.encryptor().update(bytes(512))


def mixed(server_seed: np.ndarray, nonce: np.ndarray, count: int) -> np.ndarray:
    """A vectorized generator, SplitMix64, seeded with the seed's length."""
    state = nonce * np.uint64(1000) + np.array([len(seed) for seed in server_seed], np.uint64)
    words = np.empty((len(nonce), count), np.uint64)
    for column in range(count):
        state = state + np.uint64(0x9E3779B97F4A7C15)
        z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        words[:, column] = (z ^ (z >> np.uint64(31))) >> np.uint64(11)
    return words


FIELDS = ["server_seed", "nonce"]
TWISTER = pf.Scheme.of(twister, bits=32, fields=FIELDS, below="reject")
SPLIT = pf.Scheme.of(mixed, bits=53, fields=FIELDS, vectorized=True)


@pytest.mark.parametrize(
    ("scheme", "words"),
    [
        (TWISTER, lambda seed, nonce: twister(seed, nonce)),
        (SPLIT, lambda seed, nonce: mixed(np.array([seed], object), np.array([nonce], np.uint64), 200)[0]),
        (
            pf.Scheme.of(aes, bits=52, fields=FIELDS),
            lambda seed, nonce: reference.words(aes(seed, nonce), 52),
        ),
        (
            pf.Scheme.of(aes, bits=32, fields=FIELDS, below="modulo"),
            lambda seed, nonce: reference.words(aes(seed, nonce), 32),
        ),
    ],
    ids=["twister", "splitmix", "aes, 52 bits", "aes, 32 bits"],
)
def test_every_view_of_a_function(scheme: pf.Scheme, words: Any) -> None:
    seed, nonces = "ab" * 32, np.arange(30)

    def oracle(nonce: int) -> reference.Round:
        stream = iter(words(seed, nonce))
        given = [int(word) for word, _ in zip(stream, range(200), strict=False)]
        rule = {"hash": {"name": "sha256"}, "bits": scheme.bits, "below": scheme.below}
        found = reference.Round(rule, {}, given=given)
        if scheme.bits == 53:
            found.exact_number = lambda: found.word() / 2**53  # type: ignore[method-assign]
        return found

    several = Several(37, 12).with_scheme(scheme)
    oracles = [oracle(nonce) for nonce in nonces]
    expected = [[each.below(37) for _ in range(12)] for each in oracles]
    assert several.play(seed, nonces).tolist() == expected
    assert several.play(seed, 5).tolist() == expected[5]
    assert several.explain(seed, 5).outcome.tolist() == expected[5]
    mines = pf.Mines(5).with_scheme(scheme)
    expected = [oracle(nonce).sample(25, 24)[:5] for nonce in nonces]
    assert mines.play(seed, nonces).tolist() == expected
    assert mines.explain(seed, 7).outcome.tolist() == expected[7]
    log = {"server_seed": seed, "nonce": nonces, "outcome": mines.play(seed, nonces)}
    for game, outcome in ((mines, log["outcome"]), (several, several.play(seed, nonces))):
        log["outcome"] = outcome.copy()
        assert pf.verify(log, game).ok
        log["outcome"][3, 0] += 1
        assert pf.verify(log, game).failed == 1
    dice = pf.Dice().with_scheme(scheme)
    simulated = dice.simulate(500, seed="11" * 32)
    made = {"server_seed": hashlib.sha256(("11" * 32 + ":server").encode()).hexdigest()}
    assert (simulated == dice.play(made["server_seed"], np.arange(500))).all()
    assert dice.tally(500, seed="11" * 32).counts.sum() == 500
    assert abs(dice.distribution("as_drawn").mean() - 50) < 0.01
    assert several.scheme.random_numbers(seed, nonces, count=3).shape == (30, 3)
    assert pickle.loads(pickle.dumps(several)) == several
    assert scheme.function is not None
    assert scheme.function.__name__ in repr(scheme)


def test_what_a_function_may_not_do() -> None:
    def short(nonce: int) -> list[int]:
        return [1, 2]

    def wide(nonce: int) -> list[int]:
        return [2**32]

    def broken(nonce: int) -> list[int]:
        raise KeyError("mine")

    def flat(nonce: np.ndarray, count: int) -> np.ndarray:
        return nonce

    def none(nonce: int) -> None:
        return None

    made = [pf.Scheme.of(f, bits=32, fields=["nonce"]) for f in (short, wide, broken, none)]
    made.append(pf.Scheme.of(flat, bits=32, fields=["nonce"], vectorized=True))
    for game in (pf.Dice(), Below(), Several(5, 2)):
        assert game.with_scheme(made[0]).play(np.arange(50)).shape[0] == 50
    kinds: list[tuple[pf.Scheme, type[Exception], str]] = [
        (made[0], ValueError, "needs more words than the function gives"),
        (made[1], ValueError, r"must give whole numbers below 2\*\*32, got 4294967296"),
        (made[2], KeyError, "mine"),
        (made[3], TypeError, "function must give whole numbers or bytes, got NoneType"),
        (made[4], ValueError, r"must give an array of whole numbers of shape \(50, count\)"),
    ]
    for scheme, kind, message in kinds:
        for game in (pf.Mines(3), Several(5, 3)):
            with pytest.raises(kind, match=message):
                game.with_scheme(scheme).play(np.arange(50))
    log = {"nonce": np.arange(50), "outcome": np.zeros((50, 3), int)}
    with pytest.raises(KeyError, match="mine"):
        pf.verify(log, pf.Mines(3).with_scheme(made[2]))
    views = [
        pf.Scheme.of(lambda nonce, of=of: of(bytes(range(64))), bits=32, fields=["nonce"])
        for of in (bytes, memoryview)
    ]
    assert (pf.Mines(3).with_scheme(views[0]).play(1) == pf.Mines(3).with_scheme(views[1]).play(1)).all()
    with pytest.raises(TypeError, match="can't be written as data"):
        TWISTER.to_dict()
    with pytest.raises(TypeError, match="has no digests"):
        TWISTER.random_bytes("s", 1)
    assert pf.Scheme.of(mixed, bits=32, fields=FIELDS, below="reject") != TWISTER
    again = pf.Scheme.of(twister, bits=32, fields=FIELDS, below="reject")
    assert (TWISTER, hash(TWISTER)) == (again, hash(again))


# ---- bytes of a single digest, and distinct values from them ----

BYTES = pf.Scheme(pf.Hash("none", "{hash:bytes}"), bits=8, below="decimal")
ONE_DIGEST = pf.Scheme(
    pf.Hash("sha512", "{server_seed}{client_seed}{nonce}"), bits=8, below="reject", defaults={"nonce": ""}
)
# Many rounds are read in parallel, a few one by one.
ROUNDS = [3, 500]


class Different(pf.Game):
    """Distinct values below n, and the result of a further draw; -1 if there is none."""

    n: int = 208
    k: int = 20
    then: int = 0

    def outcome(self, draws: Any) -> Any:
        found = draws.distinct(self.n, self.k)
        after = draws.below(self.then) if self.then else np.full(draws.rounds, -1)
        return np.hstack([found, after[:, np.newaxis]])


def oracles_of(scheme: pf.Scheme, rounds: int) -> list[reference.Round]:
    fields = {"server_seed": "s", "client_seed": "c"}
    return [reference.Round(scheme.to_dict(), fields | {"nonce": nonce}) for nonce in range(rounds)]


RULES = ["reject", "reject_last", "decimal", "modulo", "multiply", "scale"]


def test_the_last_two_decimal_digits_of_every_byte() -> None:
    every = [f"{byte:02x}" for byte in range(256)]
    for n in range(1, 57):
        expected = [byte % 100 if byte % 100 < n else -1 for byte in range(256)]
        streams = schemes.draws(BYTES, schemes.bind_fields(BYTES, (), {"hash": every}))
        assert streams.distinct(n, 1).ravel().tolist() == expected
        good = [text for text, value in zip(every, expected, strict=True) if value >= 0]
        game = Below(n).with_scheme(BYTES)
        assert game.play(hash=good).tolist() == [value for value in expected if value >= 0]
        for text in set(every) - set(good):
            with pytest.raises(ValueError, match=r"has no word for one of .* decimal digits are"):
                game.play(hash=text)
            assert game.play(hash=text + "64") == 0
            break
        # Each answer comes from three bytes.
        assert [expected.count(value) for value in range(n)] == [3] * n
        assert exactly(game.distribution("as_drawn"), range(n)) == [Fraction(1, n)] * n
    assert schemes.engine_scheme(BYTES).passes_over


def test_decimal_digits_are_of_at_most_fifty_six() -> None:
    for game in (Below(57), Different(57, 3), Different(52, 3, 57), Several(100)):
        with pytest.raises(ValueError, match=r"\bn must be from 1 to 56, got (57|100)"):
            game.with_scheme(BYTES).play(hash="00" * 64)
    with pytest.raises(ValueError, match=r"\bn must be from 1 to 56, got 57"):
        Below(57).with_scheme(BYTES).distribution("as_drawn")
    for bits in (4, 12, 16, 32, 64, "range"):
        with pytest.raises(ValueError, match=r'^Scheme\.below can\'t be "decimal" where words aren\'t bytes'):
            pf.Scheme(ONE_DIGEST.hash, bits=bits, below="decimal")  # type: ignore[arg-type]
    again = of_toml('bits = 8\nbelow = "decimal"\nhash = {name = "none", message = "{hash:bytes}"}')
    assert again == BYTES == pickle.loads(pickle.dumps(BYTES)) == pf.Scheme.from_dict(BYTES.to_dict())


@pytest.mark.parametrize("rounds", ROUNDS)
@pytest.mark.parametrize("below", RULES)
def test_different_ones_of_a_digest_equal_the_oracle(below: str, rounds: int) -> None:
    scheme = pf.Scheme(ONE_DIGEST.hash, bits=8, below=below, defaults={"nonce": ""})  # type: ignore[arg-type]
    largest = {"decimal": (1, 52, 56), "scale": (1, 52, 208, 256, 1000), "modulo": (1, 52, 208, 300)}
    for n in largest.get(below, (1, 52, 128, 208, 255)):
        for k in {1, min(n, 10), min(n, 60)}:
            expected = [oracle.distinct(n, k) for oracle in oracles_of(scheme, rounds)]
            game = Different(n, k).with_scheme(scheme)
            found = game.play("s", "c", range(rounds))
            assert found[:, :-1].tolist() == expected, (n, k)
            assert game.play("s", "c", 2)[:-1].tolist() == expected[2]
            walk = game.explain("s", "c", 2)
            assert walk.outcome[:-1].tolist() == expected[2]


@pytest.mark.parametrize("words", [1, 7, 63])
@pytest.mark.parametrize("rounds", ROUNDS)
def test_different_ones_of_a_part_of_a_digest(words: int, rounds: int) -> None:
    scheme = pf.Scheme(ONE_DIGEST.hash, bits=8, words=words, below="modulo", defaults={"nonce": ""})
    game = Different(100, 20).with_scheme(scheme)
    expected = [oracle.distinct(100, 20) for oracle in oracles_of(scheme, rounds)]
    assert game.play("s", "c", range(rounds))[:, :-1].tolist() == expected


@pytest.mark.parametrize("rounds", ROUNDS)
def test_draws_go_on_where_each_round_stopped(rounds: int) -> None:
    for n, k, then in ((208, 8, 208), (52, 8, 256), (100, 1, 7)):
        oracles = oracles_of(ONE_DIGEST, rounds)
        expected = [[*oracle.distinct(n, k), oracle.below(then)] for oracle in oracles]
        game = Different(n, k, then).with_scheme(ONE_DIGEST)
        assert game.play("s", "c", range(rounds)).tolist() == expected
        assert game.play("s", "c", 1).tolist() == expected[1]
        assert game.explain("s", "c", 1).outcome.tolist() == expected[1]


@pytest.mark.parametrize("rounds", ROUNDS)
def test_a_digest_that_is_used_up_stays_so(rounds: int) -> None:
    """Skipped bytes aren't read again, even if a later draw could use them."""
    game = Different(208, 64, 256).with_scheme(ONE_DIGEST)
    assert any(hashlib.sha512(f"sc{nonce}".encode()).digest()[-1] >= 208 for nonce in range(3))
    for nonces in (range(rounds), 0, 1, 2):
        with pytest.raises(ValueError, match=r"needs more than the 64 words of its one digest"):
            game.play("s", "c", nonces)
    for nonce in range(3):
        with pytest.raises(ValueError, match=r"needs more than the 64 words of its one digest"):
            game.explain("s", "c", nonce)
    assert Different(208, 64).with_scheme(ONE_DIGEST).play("s", "c", range(rounds))[:, -2].max() == -1


@pytest.mark.parametrize("rounds", ROUNDS)
def test_different_ones_where_a_cursor_goes_on(rounds: int) -> None:
    """Stake's and LIQD's draws: a whole deck, however many words it takes."""
    for scheme in (pf.operators.stake.SCHEME, pf.operators.liqd.SCHEME):
        server = "00ff" * 8
        definition = scheme.to_dict()
        fields = {"server_seed": server, "client_seed": "c"}
        game = Different(52, 52, 52).with_scheme(scheme)
        expected = []
        for nonce in range(rounds if rounds < 10 else 30):
            oracle = reference.Round(definition, fields | {"nonce": nonce})
            expected.append([*oracle.distinct(52, 52), oracle.below(52)])
            assert sorted(expected[-1][:-1]) == [*range(52)]
        found = game.play(server, "c", range(rounds))
        assert found[: len(expected)].tolist() == expected
        assert game.play(server, "c", 1).tolist() == expected[1]


def test_what_a_function_raises_is_no_digest_that_is_used_up() -> None:
    def broken(server_seed: str) -> Iterator[int]:
        yield 1
        raise ZeroDivisionError("broken")

    game = Different(10, 3).with_scheme(pf.Scheme.of(broken, bits=8, fields=["server_seed"], below="reject"))
    with pytest.raises(ZeroDivisionError, match="broken"):
        game.play("s")


# ---- nonces that are texts ----


def test_a_nonce_may_be_text_where_its_default_is() -> None:
    game = Below(52).with_scheme(ONE_DIGEST)
    numbers = pf.Scheme(ONE_DIGEST.hash, bits=8, below="reject", defaults={"nonce": 0})

    def first(text: str) -> int:
        return next(byte % 52 for byte in hashlib.sha512(text.encode()).digest() if byte < 208)

    assert game.play("s", "c") == first("sc")
    for nonce in ("", "x", "007", "7", "ü"):
        assert game.play("s", "c", nonce) == game.play("s", "c", nonce=nonce) == first(f"sc{nonce}")
    assert game.play("s", "c", 7) == game.play("s", "c", "7") == first("sc7")
    assert game.play("s", "c", ["a", "b"]).tolist() == [first("sca"), first("scb")]
    assert game.play("s", "c", np.arange(2**63, 2**63 + 2, dtype=np.uint64)).tolist() == [
        first(f"sc{2**63}"),
        first(f"sc{2**63 + 1}"),
    ]
    assert Below(52).with_scheme(numbers).play("s", "c") == first("sc0")
    with pytest.raises(TypeError, match=r"^nonce must be a whole number"):
        Below(52).with_scheme(numbers).play("s", "c", "7")
    log = {"server_seed": ["s"] * 3, "client_seed": ["c"] * 3, "nonce": ["", "x", "007"]}
    log["outcome"] = [first("sc"), first("scx"), first("sc007")]
    assert pf.verify(log, game).ok
    report = pf.verify(log | {"nonce": ["", "x", "7"]}, game)
    assert [failure.row for failure in report.failures] == [2]
    assert game.explain("s", "c", "x").outcome == first("scx")
    simulated = game.simulate(20, as_frame="pandas")
    assert pf.verify(simulated, game).ok
    assert of_toml(
        'bits = 8\nbelow = "reject"\ndefaults = {nonce = ""}\n'
        'hash = {name = "sha512", message = "{server_seed}{client_seed}{nonce}"}'
    ) == pf.Scheme.from_dict(ONE_DIGEST.to_dict())


@pytest.mark.parametrize("form", [list, partial(np.array, dtype=np.uint64), lambda those: [*map(str, those)]])
def test_logs_have_nonces_as_large_as_rounds(form: Any) -> None:
    game = pf.operators.stake.Dice()
    nonces = [5, 2**63 - 1, 2**63, 2**64 - 1]
    log = {"server_seed": ["s"] * 4, "client_seed": ["c"] * 4, "nonce": form(nonces)}
    log["outcome"] = game.play("s", "c", nonces)
    assert pf.verify(log, game).ok
    assert "2 rows with a nonce of 2**63 or more: whether" in "\n".join(pf.audit(log, game).unknown)
    swapped = pf.verify(log | {"outcome": log["outcome"][[0, 1, 3, 2]]}, game)
    assert [failure.row for failure in swapped.failures] == [2, 3]
    beyond = log | {"nonce": [5, 2**63 - 1, -1, 2**64]}
    assert pf.verify(beyond, game).counts == {"malformed": 2}
