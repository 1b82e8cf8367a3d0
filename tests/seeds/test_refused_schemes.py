"""Invalid parts of schemes, and what the errors say: the class, the part, and the fix."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from seeds.test_schemes import SCHEMES, STAKE, streams

CURSOR = pf.Hash("sha256", "{client_seed}:{nonce}:{cursor}", key="{server_seed}")
FIXED = pf.Hash("sha256", "{client_seed}:{nonce}")
BYTES = SCHEMES[2]
HEX = pf.Scheme(pf.Hash("sha256", "{a:bytes}"), bits=32)
FOURS = pf.Scheme(FIXED, bits=4, below="reject_last")
FIELDS = ["server_seed", "nonce"]
Wrong = list[tuple[Any, type[Exception], str]]


def words_of(server_seed: str, nonce: int) -> Iterator[int]:
    yield nonce


# Parts of `Hash("sha256", "{a}")`.
HASHES: Wrong = [
    ({"name": "sha3"}, ValueError, r"name must be one of md5, sha1, "),
    ({"name": 256}, TypeError, r"name must be str, got int"),
    ({"message": b"{a}"}, TypeError, r"message must be str, a Hash, .* got bytes"),
    ({"message": "{a"}, ValueError, r"message must have a field in each pair of .*\{\{"),
    ({"message": "a}"}, ValueError, r"message must have a field in each pair of .*\}\}"),
    ({"message": "{}"}, ValueError, r"message must have fields as \{name\}.*got \{\}"),
    ({"message": "{0}"}, ValueError, r"message must have fields as.*got \{0\}"),
    ({"message": "{client seed}"}, ValueError, r"message must have .*got \{client seed\}"),
    ({"message": "{a.b}"}, ValueError, r"message must have fields as.*got \{a\.b\}"),
    ({"message": "{a[0]}"}, ValueError, r"message must have fields as"),
    ({"message": "{a!r}"}, ValueError, r"message must have fields as.*got \{a!r\}"),
    ({"message": "{a:hex}"}, ValueError, r"message must have .*\{name:bytes\}.*got \{a:hex\}"),
    ({"message": "{a!\0}"}, ValueError, r"message must have fields as"),
    ({"message": "{a:0\u0663}"}, ValueError, r"message must have fields as"),
    ({"message": "{a[]}]}"}, ValueError, r"message must have a field in each pair of braces"),
    ({"message": pf.HashChain()}, TypeError, r"message must be str, a Hash, .* got HashChain"),
    ({"message": "{cursor:bytes}"}, ValueError, r"message must have \{cursor\} without a form"),
    ({"message": "\ud800"}, ValueError, r"message must be text that UTF-8 can encode"),
    ({"key": "{b"}, ValueError, r"key must have a field in each pair of braces"),
    ({"key": 5}, TypeError, r"key must be a template, a Hash or None, .* got int"),
    ({"message": "{a:u16}"}, ValueError, r"message must have .*u8 to u64, le or be"),
    ({"message": "{label:u8}"}, ValueError, r"message must have \{label\} without"),
    ({"message": ["{a}", 5]}, TypeError, r"message must be a list of templates"),
    ({"name": "none", "key": "b"}, ValueError, r"key isn't supported with the name .*\"none\""),
    ({"raw": 1}, TypeError, r"raw must be bool, got int"),
]


@pytest.mark.parametrize(("parts", "error", "message"), HASHES)
def test_a_wrong_part_of_a_hash(parts: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=rf"^Hash\.{message}"):
        pf.Hash(**{"name": "sha256", "message": "{a}"} | parts)


# Parts of `Scheme(FIXED, bits=32)`.
PARTS: Wrong = [
    ({"hash": pf.HashChain()}, TypeError, r"hash must be a Hash, got HashChain"),
    ({"hash": "sha256"}, TypeError, r"hash must be a Hash, got str"),
    ({"hash": pf.Hash("sha256", "fixed")}, ValueError, r"hash must have a field in braces"),
    ({"hash": pf.Hash("sha256", "{cursor}")}, ValueError, r"hash must have a field"),
    ({"bits": 10}, ValueError, r"bits must be a multiple of 4 "),
    ({"bits": 0}, ValueError, r"bits must be from 4 to 64, got 0"),
    ({"bits": 68}, ValueError, r"bits must be from 4 to 64, got 68"),
    ({"bits": 32.0}, TypeError, r"bits must be an integer, got float"),
    (
        {"words": 9},
        ValueError,
        r"words must be from 1 to 8, as a digest of sha256 has 8 words of 32 bits, got 9",
    ),
    ({"words": 0}, ValueError, r"words must be from 1 to "),
    ({"bits": 52, "words": 5}, ValueError, r"words must be from 1 to 4"),
    (
        {"bits": 60},
        ValueError,
        r'below can\'t be "scale", as words of 60 bits make no number: use "modulo" or "reject"',
    ),
    ({"bits": 56}, ValueError, r"below can't be .*words of up to 52"),
    ({"below": "mod"}, ValueError, r"below must be \"scale\", "),
    ({"below": None}, TypeError, r"below must be \"scale\", "),
    ({"beacon": 5}, TypeError, r"beacon must be str or None, got int"),
    ({"first_cursor": 1}, ValueError, r"first_cursor must be 0 where no template has \{cursor\}, got 1"),
    (
        {"hash": pf.Hash("sha256", "{a}{cursor}"), "first_cursor": -1},
        ValueError,
        r"first_cursor must be from 0",
    ),
    ({"fields": ["nonce"]}, ValueError, r"fields lacks 'client_seed', which the hash has: add it"),
    (
        {"fields": ["client_seed", "nonce", "salt"]},
        ValueError,
        r"fields has 'salt', which isn't in the hash: remove it, or add it there",
    ),
    ({"fields": ["client_seed", "nonce", "nonce"]}, ValueError, r"fields must have each name once"),
    ({"fields": "nonce"}, TypeError, r"fields must be a sequence"),
    ({"fields": [1]}, TypeError, r"fields must be a sequence of str"),
    (
        {"defaults": {"salt": "x"}},
        ValueError,
        r"defaults must name fields \(client_seed, nonce\), got 'salt'",
    ),
    ({"defaults": {"client_seed": 5}}, TypeError, r"defaults\['client_seed'\] must be str, got int"),
    ({"defaults": [5]}, TypeError, r"defaults must be a mapping"),
    ({"commitment": "sha256"}, TypeError, r"commitment must be a Hash or None, got str"),
    (
        {"commitment": pf.Hash("sha256", "{sever_seed}")},
        ValueError,
        r"commitment must be of client_seed or nonce",
    ),
    (
        {"commitment": pf.Hash("sha256", "{client_seed}{cursor}")},
        ValueError,
        r"commitment must not have \{cursor\}",
    ),
    ({"hash": pf.Hash("sha256", "{a}", raw=True)}, ValueError, r"hash must not be raw"),
    (
        {"hash": pf.Hash("none", "{a}{cursor}")},
        ValueError,
        r"hash must not have \{cursor\} where its name is \"none\"",
    ),
    ({"hash": CURSOR, "bits": "wide", "below": "reject"}, TypeError, r"bits must be an integer, got str"),
    ({"hash": CURSOR, "bits": "range"}, ValueError, r"below can\'t be \"scale\" where bits is"),
    (
        {"hash": CURSOR, "bits": "range", "below": "reject", "words": 3},
        ValueError,
        r"words isn't supported where bits is \"range\"",
    ),
    (
        {"hash": CURSOR, "bits": "range", "below": "reject", "read_on": 1},
        ValueError,
        r"read_on isn't supported with bits=\"range\"",
    ),
    (
        {"below": "reject", "read_on": 1},
        ValueError,
        r"read_on must be a Hash where no template has \{cursor\}",
    ),
    (
        {"hash": CURSOR, "read_on": 1},
        ValueError,
        r"read_on isn't supported where no word is passed over: use below=\"reject\"",
    ),
    ({"hash": CURSOR, "read_on": 0}, ValueError, r"read_on must be from 1 to "),
    ({"read_on": pf.Hash("sha256", "{nonce}")}, ValueError, r"read_on must be a hash of \{digest\}"),
    (
        {"commitment": pf.Hash("none", "{client_seed}")},
        ValueError,
        r'commitment must be a hash, got one whose name is "none"',
    ),
    (
        {"bits": 64, "below": "nearest"},
        ValueError,
        r'below can\'t be "nearest" where words aren\'t of up to 52 bits',
    ),
    (
        {"bits": "range", "below": "nearest"},
        ValueError,
        r'below can\'t be "nearest" where words aren\'t of up to 52 bits',
    ),
    ({"bits": 52, "digits": 16}, ValueError, r"digits must be from 1 to 15, got 16"),
    (
        {"bits": 56, "below": "modulo", "digits": 9},
        ValueError,
        r"digits isn't supported where words of 56 bits make no number",
    ),
]


@pytest.mark.parametrize(("parts", "error", "message"), PARTS)
def test_a_wrong_part_of_a_scheme(parts: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=rf"^Scheme\.{message}"):
        pf.Scheme(**{"hash": FIXED, "bits": 32} | parts)


SEEDS: Wrong = [
    (("s", "c"), TypeError, r"^nonce must be given: the fields are server_seed, "),
    (("s", "c", 1, 2), TypeError, r"^fields must be server_seed, client_seed, nonce, got 4 values"),
    ((5, "c", 1), TypeError, r"^server_seed must be str, bytes, or a "),
    (("s", "c", "1"), TypeError, r"^nonce must be a whole number or a .*got str"),
    (("s", "c", ["1"]), TypeError, r"^nonce must be a whole number or .*got a list of str$"),
    (("s", "c", True), TypeError, r"^nonce must be a whole number or a .*got True"),
    (("s", "c", 1.0), TypeError, r"^nonce must be a whole number or a .*got 1\.0"),
    (("s", "c", None), TypeError, r"^nonce must be a whole number or a .*got None"),
    (("s", "c", -1), ValueError, r"^nonce must be from 0 to 2\*\*64 - 1, got -1"),
    (("s", "c", 2**64), ValueError, r"^nonce must be from 0 to 2\*\*64 - 1"),
    (("s", "c", [1, -1]), ValueError, r"^nonce\[1\] must be from 0 to 2\*\*64 - 1"),
    (("s", "c", np.array([3, -7])), ValueError, r"^nonce\[1\] must be .* got -7"),
    (("s", "c", [1, None]), TypeError, r"^nonce\[1\] must be .*, got None"),
    (("s", "c", np.zeros(2)), TypeError, r"^nonce must be .* got an array of float64"),
    (("s", "c", np.zeros((2, 2), int)), ValueError, r"^nonce must be .* 2 dimensions"),
    ((["s"] * 3, "c", [1, 2]), ValueError, r"^nonce has 2 elements but server_seed has 3"),
]


@pytest.mark.parametrize(("seeds", "error", "message"), SEEDS)
def test_wrong_fields_of_a_round(seeds: tuple[Any, ...], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        STAKE.random_bytes(*seeds)


OTHERS: Wrong = [
    (lambda: pf.Scheme.from_dict({"bits": 32}), ValueError, r"^data of Scheme lacks hash"),
    (
        lambda: pf.Scheme.from_dict({"hash": {"name": "md5", "message": "{a}"}, "bit": 32}),
        ValueError,
        r"^data of Scheme must have entries among hash, bits, words, .*, got 'bit'",
    ),
    (
        lambda: pf.Scheme.from_dict({"hash": {"name": "md5"}, "bits": 32}),
        ValueError,
        r"^hash: data of Hash lacks message",
    ),
    (
        lambda: pf.Scheme.from_dict({"hash": {"nam": "x"}, "bit": 1}),
        ValueError,
        r"got 'bit': did you mean 'bits'\?; data of Scheme lacks bits, .*, as in: bits = 32; "
        r"hash: .* got 'nam': did you mean 'name'\?; .* lacks name, .*; .* lacks message, .* in: message =",
    ),
    (lambda: pf.Scheme.from_dict([]), TypeError, r"^data of Scheme must be a mapping, got list"),
    (lambda: pf.Hash.from_dict(5), TypeError, r"^data of Hash must be a mapping, got int"),
    (lambda: pf.Scheme.load(5), TypeError, r"^path must be str or path-like, got int"),
    (lambda: pf.Scheme.load(__file__), ValueError, r"^path must be that of a TOML file, and .*isn't"),
    (lambda: STAKE.random_bytes("s", "c", 1, nonce=1), TypeError, r"^nonce must be given once"),
    (lambda: STAKE.random_bytes("s", "c", salt="x"), TypeError, r"^fields must be among .*, got 'salt'"),
    (
        lambda: HEX.random_bytes(["00", "0g"]),
        ValueError,
        r"^a\[1\] must be hex text, since its bytes are hashed, got another character at index 1",
    ),
    (
        lambda: HEX.random_bytes("000"),
        ValueError,
        r"^a must be hex text of whole bytes, since they are hashed, got 3 digits",
    ),
    (
        lambda: HEX.random_bytes(5),
        TypeError,
        r"^a must be hex text, since its bytes are hashed, got a number",
    ),
    (
        lambda: pf.Scheme(FIXED, bits=32).random_bytes("c", 1, cursor=1),
        ValueError,
        r"^cursor must be 0, as no template of the scheme has \{cursor\}, got 1",
    ),
    (
        lambda: pf.Scheme(FIXED, bits=32).random_numbers("c", 1, count=9),
        ValueError,
        r"^count must be at most 8, got 9",
    ),
    (
        lambda: pf.Scheme(FIXED, bits=60, below="modulo").random_numbers("c", 1, count=1),
        ValueError,
        r"^Scheme\.bits must be up to 52, or 64, for numbers: words of 60 bits make none",
    ),
    (lambda: streams(STAKE, "s", "c", 1).below(0), ValueError, r"^n must be from 1 to .*, got 0"),
    (
        lambda: streams(STAKE, "s", "c", [1, 2]).below(np.array([5, -5])),
        ValueError,
        r"^n\[1\] must be from 1 to 9007199254740992, got -5",
    ),
    (
        lambda: pf.Crash().with_scheme(BYTES).play(5),
        ValueError,
        r"^n of the game's draws must be from 1 to 256, got 1000000",
    ),
    (
        lambda: pf.Crash().with_scheme(BYTES).distribution("as_drawn"),
        ValueError,
        r"^n of the game's draws must be from 1 to 256, got 1000000",
    ),
    (lambda: streams(BYTES, 5).below(257), ValueError, r"^n must be from 1 to 256, got 257"),
    (lambda: streams(FOURS, "c", 5).below(16), ValueError, r"^n must be from 1 to 15, got 16"),
    (
        lambda: pf.Scheme.of(words_of, bits=32, fields=FIELDS, below="digest"),
        ValueError,
        r"^Scheme\.below can\'t be \"digest\"",
    ),
    (
        lambda: pf.Scheme.of(5, bits=32, fields=FIELDS),
        TypeError,
        r"^Scheme\.function must be callable, got int",
    ),
    (
        lambda: pf.Scheme.of(words_of, bits=65, fields=FIELDS),
        ValueError,
        r"^Scheme\.bits must be from 1 to 64",
    ),
    (lambda: pf.Scheme.of(words_of, bits=32, fields=[]), TypeError, r"^fields must be a sequence of names"),
    (lambda: pf.HashChain(pf.Hash("none", "{a}")), ValueError, r"^HashChain\.hash must have one field"),
]


@pytest.mark.parametrize(("call", "error", "message"), OTHERS, ids=[wrong[2] for wrong in OTHERS])
def test_other_wrong_definitions(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()
