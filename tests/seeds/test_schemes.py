"""Schemes as data: compared with an oracle, and their definitions."""

from __future__ import annotations

import copy
import dataclasses
import hashlib
import itertools
import json
import pickle
import string
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st
from oracles import schemes as reference
from provably_fair import _engine
from provably_fair.seeds import schemes
from provably_fair.seeds.rounds import SimulatedRounds
from seeds.test_generator import arrow_only

ALGORITHMS = ["md5", "sha1", "sha256", "sha384", "sha512", "sha3_256", "sha3_384", "sha3_512", "blake2b"]
ALGORITHMS += ["keccak256", "blake3"]
HEX = "0123456789abcdef"

STAKE = pf.Scheme(pf.Hash("sha256", "{client_seed}:{nonce}:{cursor}", key="{server_seed}"), bits=32)


def values_of(scheme: pf.Scheme, fields: dict[str, Any]) -> list[Any]:
    return [fields[name] for name in scheme.fields]


def streams(scheme: pf.Scheme, *fields: Any, path: str | None = None, **options: Any) -> _engine.Streams:
    """The draws of rounds, on any path that the machine supports."""
    rounds = schemes.bind_fields(scheme, fields, {})
    return _engine.Streams(scheme._core, rounds, path=path, **options)


# ---- against the oracle ----


def raw(hash: dict[str, Any]) -> dict[str, Any]:
    return {**hash, "raw": True}


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=80)
# Lengths around the boundaries of 64- and 128-byte blocks, padding included.
edges = st.sampled_from([0, 1, 54, 55, 56, 63, 64, 65, 110, 111, 112, 127, 128, 129, 200])
seeds = texts | edges.map(lambda length: "s" * length)
hexes = st.integers(0, 70).flatmap(lambda n: st.text(HEX + "ABCDEF", min_size=2 * n, max_size=2 * n))
literals = st.text(st.characters(exclude_categories=["Cs"]), max_size=8).map(
    lambda text: text.replace("{", "{{").replace("}", "}}")
)
FIELDS = {
    "server_seed": seeds,
    "client_seed": seeds,
    "nonce": st.integers(0, 2**64 - 1) | st.integers(0, 1100),
    "salt": hexes,
    "game_hash": hexes,
    "ticket": st.integers(0, 2**64 - 1) | texts,
    "place": st.integers(0, 255),
}
braces = st.sampled_from(
    [
        "{server_seed}",
        "{client_seed}",
        "{nonce}",
        "{salt}",
        "{game_hash:bytes}",
        "{game_hash:utf8}",
        "{cursor}",
        "{cursor:u64le}",
        "{ticket}",
        "{label}",
        "{nonce:06}",
        "{nonce:u64be}",
        "{place:u8}",
        "{place:u16le}",
        "{place:u32be}",
    ]
)
templates = st.lists(literals | braces, max_size=6).map("".join)
names = st.sampled_from([*ALGORITHMS, "sha256", "sha256", "sha512"])
hashes = st.recursive(
    st.fixed_dictionaries({"name": names, "message": templates}),
    lambda inner: st.fixed_dictionaries(
        {
            "name": names,
            "message": templates | inner | st.lists(templates | inner.map(raw), min_size=2, max_size=3),
        },
        optional={"key": templates | inner},
    ),
    max_leaves=3,
)


@st.composite
def definitions(draw: st.DrawFn) -> dict[str, Any]:
    hash = draw(hashes.filter(lambda hash: pf.Hash.from_dict(hash).fields))
    bits = draw(st.sampled_from(range(4, 65, 4)) | st.sampled_from([32, 52, 64]))
    available = 8 * len(reference.digest({"name": hash["name"], "message": ""}, {})) // bits
    rules = ["modulo", "reject", "reject_last", "multiply", "digest", "double"]
    if bits not in (56, 60):
        rules += ["scale", "scale"]
    if bits == 8:
        rules.append("decimal")
    if bits <= 52:
        rules += ["nearest"]
    definition: dict[str, Any] = {"hash": hash, "bits": bits, "below": draw(st.sampled_from(rules))}
    if bits not in (56, 60) and draw(st.booleans()):
        definition["digits"] = draw(st.integers(1, 15))
    if draw(st.booleans()) and definition["below"] != "decimal":  # most bytes are rejected
        definition["words"] = draw(st.integers(1, available))
    if "{cursor" in str(hash) and draw(st.booleans()):
        definition["first_cursor"] = draw(st.integers(0, 1100))
    if "{label}" in str(hash):
        definition["defaults"] = {"label": draw(st.sampled_from(["", "outcome"]))}
    passes_over = definition["below"].startswith("reject") or definition["below"] == "decimal"
    if draw(st.booleans()) and ("{cursor" not in str(hash) or passes_over):
        again = {"name": hash["name"], "message": draw(st.sampled_from(["{digest}", "-{digest:bytes}"]))}
        definition["read_on"] = again
        if "{cursor" in str(hash) and draw(st.booleans()):
            definition["read_on"] = draw(st.sampled_from([1, 1, 2, 1_000_000]))
    elif draw(st.integers(0, 5)) == 0:
        definition.pop("words", None)
        rules = ["modulo", "reject", "multiply"]
        definition |= {"bits": "range", "below": draw(st.sampled_from(rules))}
    return definition


many = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


@many
@given(definitions(), st.data())
def test_digests_and_numbers_equal_the_oracle(definition: dict[str, Any], data: st.DataObject) -> None:
    scheme = pf.Scheme.from_dict(definition)
    fields = {name: data.draw(FIELDS[name], name) for name in scheme.fields}
    cursor = data.draw(st.integers(0, 2**64 - 1)) if "{cursor" in str(definition["hash"]) else 0
    label = definition.get("defaults", {}).get("label", "")
    expected = reference.digest(definition["hash"], fields | {"label": label}, cursor)
    assert scheme.random_bytes(*values_of(scheme, fields), cursor=cursor) == expected
    assert scheme.random_bytes(**fields, cursor=cursor, label=label) == expected
    hash = pf.Hash.from_dict(definition["hash"])
    assert hash.hexdigest(**fields, cursor=cursor, label=label) == expected.hex()

    oracle = reference.Round(definition, fields)
    count = data.draw(st.integers(0, 3 * oracle.digest_words() // (7 if oracle.by_range else 1)))
    if definition["bits"] in (56, 60):
        with pytest.raises(ValueError, match=r"Scheme\.bits must be up to 52, or 64"):
            scheme.random_numbers(**fields, count=count)
        return
    try:
        numbers = [oracle.number() for _ in range(count)]
    except reference.RanOutError:
        with pytest.raises(ValueError, match="count must be at most"):
            scheme.random_numbers(**fields, count=count)
        return
    assert scheme.random_numbers(**fields, count=count).tolist() == numbers


RANGES = [1, 2, 3, 10, 37, 40, 54, 10_001, 1_000_000, 2**31, 2**53]


@many
@given(definitions(), st.data())
@example({"hash": {"name": "sha1", "message": "{nonce}"}, "bits": 4, "below": "reject"}, None)
def test_draws_of_many_rounds_equal_the_oracle(
    definition: dict[str, Any], data: st.DataObject | None
) -> None:
    scheme = pf.Scheme.from_dict(definition)
    rng = np.random.default_rng(5)
    rounds = 30 if data is None else data.draw(st.sampled_from([1, 7, 9, 30]))

    def column(name: str) -> list[Any]:
        if data is None:
            return list(range(rounds))
        one = data.draw(st.booleans(), f"one {name}")
        drawn = data.draw(st.lists(FIELDS[name], min_size=1, max_size=4), name)
        if name == "ticket":
            drawn = [x if isinstance(x, type(drawn[0])) else drawn[0] for x in drawn]
        return [drawn[0]] if one else [drawn[i % len(drawn)] for i in range(rounds)]

    columns = {name: column(name) for name in scheme.fields}
    if all(len(values) == 1 for values in columns.values()):
        rounds = 1
    paths = _engine.paths()
    path = paths[0] if data is None else data.draw(st.sampled_from(paths))
    ahead = 0 if data is None else data.draw(st.integers(0, 20))
    drawing = streams(scheme, *values_of(scheme, columns), path=path, ahead=ahead)
    oracles = [
        reference.Round(definition, {name: v[0] if len(v) == 1 else v[row] for name, v in columns.items()})
        for row in range(rounds)
    ]
    bits = 64 if definition["bits"] == "range" else definition["bits"]
    most = dict.fromkeys(("reject", "multiply", "nearest"), 2**bits) | {
        "reject_last": 2**bits - 1,
        "decimal": 56,
    }
    ranges = [n for n in RANGES if n <= most.get(definition["below"], n)]
    kinds = [
        "below",
        "each",
        "word",
        "skip",
        "distinct",
        *(["number"] if definition["bits"] not in (56, 60) else []),
    ]
    for _ in range(12):
        kind = rng.choice(kinds)
        each = rng.choice(ranges, rounds)
        if kind == "skip":
            count = int(rng.integers(0, 5))
            drawing.skip(count)
            for oracle in oracles:
                oracle.skip(count)
            continue
        if kind == "distinct":
            n = int(each[0])
            k = min(-(-n // 2), int(rng.integers(1, 6)))
            # Rejected words are drawn again.
            if definition["below"] in ("reject", "reject_last", "decimal") or n <= 10:
                found = [oracle.distinct(n, k) for oracle in oracles]
                assert drawing.distinct(n, k).tolist() == found, definition
            continue
        expected = []
        for oracle, n in zip(oracles, each.tolist(), strict=True):
            try:
                if kind in ("below", "each"):
                    expected.append(oracle.below(n if kind == "each" else int(each[0])))
                else:
                    expected.append(oracle.word() if kind == "word" else oracle.number())
            except reference.RanOutError:
                break

        def draw(kind: str = kind, each: np.ndarray = each) -> np.ndarray:
            if kind in ("below", "each"):
                return drawing.below(each if kind == "each" else int(each[0]))
            return drawing.words() if kind == "word" else drawing.numbers()

        if len(expected) < rounds:
            with pytest.raises(ValueError, match=rf"^round {len(expected)} (has no word|needs)"):
                draw()
            return
        assert draw().tolist() == expected, (kind, definition)


@pytest.mark.thorough
@pytest.mark.parametrize("below", ["scale", "modulo", "reject"])
def test_samples_and_permutations(below: str) -> None:
    definition = {**STAKE.to_dict(), "bits": 32, "below": below}
    if below == "reject":
        definition |= {"bits": 8, "words": 10}
    scheme = pf.Scheme.from_dict(definition)
    oracles = [
        reference.Round(definition, {"server_seed": "server", "client_seed": "client", "nonce": nonce})
        for nonce in range(1100, 0, -1)
    ]
    sizes = [(40, 10), (25, 25), (1, 1), (7, 0)]
    samples = [[oracle.sample(n, k) for oracle in oracles] for n, k in sizes]
    permutations = [oracle.swaps(52) for oracle in oracles]
    coins = [oracle.below(2) for oracle in oracles]
    for path in _engine.paths():
        drawing = streams(scheme, "server", "client", np.arange(1100, 0, -1), path=path)
        for (n, k), expected in zip(sizes, samples, strict=True):
            assert drawing.sample(n, k).tolist() == expected
        assert drawing.swaps(52).tolist() == permutations
        assert drawing.below(2).tolist() == coins


def test_one_element_is_its_own_permutation() -> None:
    drawing = streams(STAKE, "server", "client", np.arange(3000))
    assert (drawing.swaps(1) == np.zeros((3000, 1))).all()
    assert drawing.below(5).tolist() == streams(STAKE, "server", "client", np.arange(3000)).below(5).tolist()


def test_samples_of_a_large_range() -> None:
    drawing = streams(STAKE, "server", "client", np.arange(20))
    fields = {"server_seed": "server", "client_seed": "client"}
    oracles = [reference.Round(STAKE.to_dict(), {**fields, "nonce": nonce}) for nonce in range(20)]
    assert drawing.sample(20_000, 30).tolist() == [oracle.sample(20_000, 30) for oracle in oracles]


def test_the_draws_of_one_round_say_where_they_came_from() -> None:
    definition = {"hash": {"name": "md5", "message": "{nonce}:{cursor}"}, "bits": 4, "below": "reject"}
    scheme = pf.Scheme.from_dict({**definition, "words": 2, "first_cursor": 1})
    rounds = schemes.bind_fields(scheme, (7,), {})
    drawing = schemes.draws(scheme, rounds)
    digit = hashlib.md5(b"7:1").hexdigest()
    place = next(i for i, x in enumerate(digit) if int(x, 16) < 9)
    value = drawing.below(9)[0]
    found = drawing.drawn(0)
    assert found is not None
    assert (found.cursor, found.again, found.taken, found.bits) == (1, 0, place, 4)
    assert (found.word, found.passed) == (int(digit[place], 16), [int(x, 16) for x in digit[:place]])
    assert value == int(digit[place], 16)
    hashed = drawing.digest(0, 2, 0)
    assert (hashed.key, hashed.message, hashed.digest) == (None, b"7:2", hashlib.md5(b"7:2").digest())


def test_salted_by_the_general_way_equals_the_fast_way() -> None:
    rounds = 100_000
    salts = pf.salts(rounds)
    fields = schemes.bind_fields(pf.SALTED, ("server", "client", salts), {})
    core = pf.SALTED._core
    expected = pf.seeds.random_numbers("server", "client", salts, 9)
    assert (core.numbers(fields, 9, path="scalar") == expected).all()
    assert (core.numbers(fields, 9) == expected).all()
    assert (
        pf.seeds.random_bytes("server", "client", salts, 3)
        == pf.SALTED.random_bytes("server", "client", salts, cursor=3)
    ).all()
    plain = core.digests(("server", "client", salts), {}, 3, None, path="scalar")
    assert (plain == pf.seeds.random_bytes("server", "client", salts, 3)).all()
    for game, n in [(pf.Dice(), 10_001), (pf.Double(), 15), (pf.X50(), 54)]:
        outcomes = game.play("server", "client", salts) if game.name == "dice" else None
        for path in (None, "scalar"):
            drawn = _engine.Streams(core, fields, path=path).below(n)
            if outcomes is not None:
                assert (drawn / 100 == outcomes).all()
            else:
                assert (drawn == np.floor(expected[:, 0] * n)).all()


def test_threads_and_runs_of_rounds_change_nothing() -> None:
    fields = schemes.bind_fields(STAKE, ("server", "client", np.arange(20_000)), {})
    whole = _engine.Streams(STAKE._core, fields, threads=2)
    expected = [whole.below(7), whole.below(11)]
    for first, count in [(0, 100), (1000, 5000), (19_999, 1), (5, 0)]:
        part = schemes.draws(STAKE, fields, first, count, ahead=2)
        for one in expected:
            n = 7 if one is expected[0] else 11
            assert (part.below(n) == one[first : first + count]).all()
    with pytest.raises(ValueError, match="first and rounds must lie within 20000 rounds"):
        schemes.draws(STAKE, fields, 19_999, 2)


def test_fields_of_simulated_rounds() -> None:
    scheme = pf.Scheme(pf.Hash("sha256", "{client_seed}:{nonce}:{salt}", key="{server_seed}"), bits=32)
    rounds = SimulatedRounds(scheme, 30, 5, 96, {}).fields()
    server, client = (hashlib.sha256(f"5:{word}".encode()).hexdigest() for word in ("server", "client"))
    expected = scheme.random_numbers(server, client, np.arange(96, 126), pf.salts(30, 5, 96), count=1)
    assert (scheme._core.numbers(rounds, 1) == expected).all()
    given = SimulatedRounds(scheme, 3, 5, 0, {"nonce": [7, 8, 9], "client_seed": "c"}).fields()
    expected = scheme.random_numbers(server, "c", [7, 8, 9], pf.salts(3, 5), count=1)
    assert (scheme._core.numbers(given, 1) == expected).all()
    chained = pf.Scheme(
        pf.Hash("sha256", "{salt}", key="{game_hash}"),
        bits=32,
        fields=("game_hash", "salt"),
        defaults={"salt": "block"},
    )
    hashes = pf.HashChain().generate(3, 10)
    made = SimulatedRounds(chained, 10, 3, 0, {})
    assert (chained._core.numbers(made.fields(), 1) == chained.random_numbers(hashes, count=1)).all()
    assert (made.values(4, 3)["game_hash"] == hashes[4:7]).all()
    other = pf.Scheme(pf.Hash("sha256", "{game}"), bits=32)
    with pytest.raises(TypeError, match=r"^game must be given: a simulation makes"):
        SimulatedRounds(other, 1, 0, 0, {}).fields()
    with pytest.raises(TypeError, match=r"^fields must be among game, got 'gane'"):
        SimulatedRounds(other, 1, 0, 0, {"gane": "x"}).fields()
    with pytest.raises(ValueError, match=r"^nonce must be a single value or one for each of the 3 rounds"):
        SimulatedRounds(scheme, 3, 0, 0, {"nonce": [1, 2]}).fields()


def test_bytes_read_as_utf8_are_what_python_reads() -> None:
    """Each malformed sequence becomes one replacement character, wherever it ends."""
    edges = bytes.fromhex("00 7f 80 8f 90 9f a0 bf c0 c1 c2 df e0 e1 ec ed ee ef f0 f1 f3 f4 f5 ff")
    every = [bytes(four) for four in itertools.product(edges, repeat=3)]
    every += [bytes(four) for four in itertools.product(edges, edges, b"\x80\xbf\x41\xe1", b"\x80\x41\xc2")]
    found = pf.Hash("sha256", "{salt:utf8}").hexdigest([each.hex() for each in every])
    assert found.tolist() == [
        hashlib.sha256(each.decode(errors="replace").encode()).hexdigest().encode() for each in every
    ]


@pytest.mark.parametrize("cell", ["ff" * 48, "c3a9fffe" * 12, b"A".hex() * 47 + "80"])
def test_walk_throughs_show_the_bytes_of_text_that_is_not_utf8(cell: str) -> None:
    scheme = pf.Scheme(pf.Hash("sha256", "{beacon_signature:utf8}:0", key="{salt:utf8}"), bits=32)
    walk = pf.Dice().with_scheme(scheme).explain(cell, cell)
    hashed = bytes.fromhex(cell).decode(errors="replace").encode()
    shown = [line.split()[-1] for line in walk.text(full=True).splitlines() if "in hex " in line]
    assert shown == [hashed.hex(), (hashed + b":0").hex()]
    assert shown[1] in walk.to_html() or len(shown[1]) > 200
    assert "in hex" not in str(pf.Dice().with_scheme(scheme).explain(b"ascii".hex(), "e29982"))


# ---- definitions ----


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("none", "nonce"), ("nonse", "nonce"), ("sever_seed", "server_seed"), ("gamehash", "game_hash")],
)
def test_a_misspelled_field_of_a_template_is_asked_about(wrong: str, right: str) -> None:
    hash = pf.Hash("sha512", f"{{client_seed}}:{{{wrong}}}", key="{salt}")
    scheme = pf.Scheme(hash, bits=64)
    told = rf"\(is {{{wrong}}} a misspelled {{{right}}}\?\)"
    game = pf.Dice().with_scheme(scheme)
    named: dict[str, Any] = {"client_seed": "c", "salt": "s", right: 5}
    for call in (
        lambda: game.play(**named),
        lambda: game.explain(**named),
        lambda: game.simulate(5, **named),
        lambda: game.play(client_seed="c", salt="s"),
        lambda: scheme.random_numbers(**named),
        lambda: scheme.random_bytes(**named),
        lambda: hash.hexdigest(**named),
        lambda: pf.Scheme(hash, bits=64, fields=["client_seed", right, "salt"]),
        lambda: pf.Scheme.from_dict({**scheme.to_dict(), "fields": ["client_seed", right, "salt"]}),
        lambda: pf.Scheme(hash, bits=64, defaults={right: 5}),
    ):
        with pytest.raises((TypeError, ValueError), match=told):
            call()
    with pytest.raises(TypeError, match=r"\(is {cursors} a misspelled {cursor}\?\)"):
        pf.Hash("md5", "{salt}:{cursors}").hexdigest("s")
    with pytest.raises(TypeError) as caught:  # a value is wrong, not its name
        game.play("c", object(), "s")
    assert "misspelled" not in str(caught.value)


def test_other_names_of_fields_are_not_asked_about() -> None:
    scheme = pf.Scheme(pf.Hash("sha256", "{nonce}:{ticket}:{salt}:{salt_2}"), bits=32)
    for named in ({}, {"nonce": 1}, {"tickets": 1}):
        with pytest.raises(TypeError) as caught:
            scheme.random_bytes(**named)
        assert "misspelled" not in str(caught.value)


SCHEMES = [
    pf.SALTED,
    STAKE,
    pf.Scheme(pf.Hash("md5", "{ticket}{{}}ü"), bits=8, words=3, below="reject"),
    pf.Scheme(
        pf.Hash("sha256", "{salt}:{nonce}:{cursor}", key=pf.Hash("sha1", "x", key="{game_hash:bytes}")),
        bits=52,
        words=2,
        below="modulo",
        first_cursor=1,
        fields=["game_hash", "salt", "nonce"],
        defaults={"salt": "block", "nonce": 5},
        commitment=pf.Hash("sha256", "{game_hash}"),
    ),
    pf.Scheme(
        pf.Hash("sha256", "{beacon_signature:utf8}:0", key="{server_seed:bytes}"), bits=32, beacon="quicknet"
    ),
    pf.Scheme(
        pf.Hash("blake3", ["{label}:", pf.Hash("keccak256", "{salt:bytes}", raw=True), "{cursor:u32le}"]),
        bits="range",
        below="reject",
        defaults={"label": "outcome"},
    ),
    pf.Scheme(pf.Hash("none", "{salt:bytes}"), bits=64, below="multiply"),
    pf.Scheme(
        pf.Hash("sha3_256", pf.Hash("blake2b", "{nonce:08}")),
        bits=52,
        below="digest",
        read_on=pf.Hash("blake3", "{digest}:{nonce:08}"),
    ),
]


@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: scheme.hash.name)
def test_definitions_go_round(scheme: pf.Scheme, tmp_path: Path) -> None:
    names = {"Scheme": pf.Scheme, "Hash": pf.Hash}
    others = [
        eval(repr(scheme), names),
        pf.Scheme.from_dict(scheme.to_dict()),
        pf.Scheme.from_dict(json.loads(json.dumps(scheme.to_dict()))),
        pickle.loads(pickle.dumps(scheme)),
        copy.copy(scheme),
        copy.deepcopy(scheme),
        dataclasses.replace(scheme),
    ]
    path = tmp_path / "scheme.toml"
    path.write_text(toml(scheme.to_dict()), encoding="utf-8")
    others += [pf.Scheme.load(path), pf.Scheme.load(str(path))]
    path.with_stem("wrong").write_text("bit = 5\n" + toml(scheme.to_dict()), encoding="utf-8")
    with pytest.raises(ValueError, match=r"wrong\.toml: data of Scheme .* got 'bit'"):
        pf.Scheme.load(path.with_stem("wrong"))
    for other in others:
        assert other == scheme
        assert hash(other) == hash(scheme)
        assert repr(other) == repr(scheme)
    assert scheme != dataclasses.replace(scheme, beacon="other")
    for hash_ in (scheme.hash, scheme.commitment):
        if hash_ is not None:
            assert eval(repr(hash_), names) == pickle.loads(pickle.dumps(hash_)) == hash_
            assert hash(eval(repr(hash_), names)) == hash(hash_)
    with pytest.raises(dataclasses.FrozenInstanceError):
        scheme.bits = 8  # type: ignore[misc]
    with pytest.raises(TypeError):
        scheme.defaults["salt"] = "other"  # type: ignore[index]


def toml(value: Any) -> str:
    """A definition as TOML."""

    def inline(value: Any) -> str:
        if isinstance(value, dict):
            return "{" + ", ".join(f"{key} = {inline(each)}" for key, each in value.items()) + "}"
        if isinstance(value, list):
            return "[" + ", ".join(map(inline, value)) + "]"
        return json.dumps(value)

    return "\n".join(f"{key} = {inline(each)}" for key, each in value.items())


MISTAKEN = {
    "bits": (31, "bits = 32"),
    "words": (999, "words = 8"),
    "below": ("x", 'below = "modulo"'),
    "read_on": (0, "read_on = 1"),
    "first_cursor": (-1, "first_cursor = 1"),
    "fields": (["salt"], 'fields = ["server_seed", "nonce"]'),
    "defaults": ({"salt": "a"}, 'defaults = {client_seed = ""}'),
    "commitment": ({"name": "sha256", "message": "{cursor}"}, 'commitment = {name = "sha256"'),
    "beacon": (5, 'beacon = "quicknet"'),
    "hash": ({"name": "sha25", "message": "{a", "key": 5}, 'message = "{server_seed}:{nonce}"'),
    "shade": (1, "must have entries among"),
}


@pytest.mark.parametrize(
    "names",
    [
        *([name] for name in MISTAKEN),
        [n for n in MISTAKEN if n not in ("fields", "hash")],
        ["hash", "bits", "below"],
    ],
)
def test_all_mistakes_of_a_definition_are_told_at_once(names: list[str], tmp_path: Path) -> None:
    right = {"hash": {"name": "sha256", "message": "{server_seed}:{nonce}:{cursor}"}, "bits": 32}
    path = tmp_path / "scheme.toml"
    path.write_text(toml(right | {name: MISTAKEN[name][0] for name in names}), encoding="utf-8")
    with pytest.raises((TypeError, ValueError), match=r"scheme\.toml: ") as caught:
        pf.Scheme.load(path)
    text = str(caught.value)
    for name in names:
        assert text.count(MISTAKEN[name][1]) == 1, text
    if "hash" in names:
        for part in ("Hash.message must have", "Hash.name must be one of", "Hash.key must be a template"):
            assert part in text
    assert text.count(" must ") + text.count(" lacks ") == len(names) + 2 * ("hash" in names), text


def test_reprs_read_as_definitions() -> None:
    assert repr(pf.SALTED) == (
        "Scheme(Hash('sha512', '{client_seed}:{cursor}', key=Hash('sha256', '{server_seed}:{salt}')), "
        "bits=64)"
    )
    assert repr(SCHEMES[3]) == (
        "Scheme(Hash('sha256', '{salt}:{nonce}:{cursor}', key=Hash('sha1', 'x', key='{game_hash:bytes}')), "
        "bits=52, words=2, below='modulo', first_cursor=1, fields=('game_hash', 'salt', 'nonce'), "
        "defaults={'salt': 'block', 'nonce': 5}, commitment=Hash('sha256', '{game_hash}'))"
    )


def test_the_order_of_fields() -> None:
    def fields(message: str, key: str | pf.Hash | None = None) -> tuple[str, ...]:
        return pf.Scheme(pf.Hash("sha256", message, key=key), bits=32).fields

    assert pf.SALTED.fields == ("server_seed", "client_seed", "salt")
    assert STAKE.fields == ("server_seed", "client_seed", "nonce")
    assert fields("{salt}", "{game_hash}") == ("salt", "game_hash")
    assert fields("{nonce}{client_seed}{ticket}", "{x}{server_seed}") == (
        "server_seed",
        "client_seed",
        "nonce",
        "ticket",
        "x",
    )
    assert fields("{b}{a}{b:bytes}", pf.Hash("md5", "{c}", key=pf.Hash("md5", "{a}{d}"))) == (
        "b",
        "a",
        "c",
        "d",
    )
    ordered = pf.Scheme(pf.Hash("sha256", "{salt}", key="{game_hash}"), bits=32, fields=("game_hash", "salt"))
    assert ordered.fields == ("game_hash", "salt")
    key = "ab" * 32
    assert ordered.random_bytes(key, "message") == ordered.random_bytes(salt="message", game_hash=key)


@settings(max_examples=500, deadline=None)
@given(st.text(st.sampled_from("{}[]:!ab0é"), max_size=10))
@example("{a!}b}")
@example("{a[]}]}")
@example("{a:{b}")
def test_braces_are_those_of_format_strings(template: str) -> None:
    try:
        parsed = list(string.Formatter().parse(template))
    except ValueError:
        with pytest.raises(ValueError, match=r"^Hash\.message must have a field in each pair of braces"):
            pf.Hash("sha256", template)
        return
    fields = [field for field in parsed if field[1] is not None]
    if not all(
        name.isidentifier() and not form and conversion is None for _, name, form, conversion in fields
    ):
        with pytest.raises(ValueError, match=r"^Hash\.message must have fields as"):
            pf.Hash("sha256", template)
        return
    values = {name: f"value of {name}" for _, name, _, _ in fields}
    expected = hashlib.sha256(template.format(**values).encode()).hexdigest()
    assert pf.Hash("sha256", template).hexdigest(**values) == expected


def test_equal_hashes_are_read_once() -> None:
    def made(raw: Any) -> pf.Hash:
        return pf.Hash("sha256", ["{a}:", pf.Hash("md5", "{b}")], key="{c}", raw=raw)

    known = schemes.engine_hash(made(True))
    assert (
        schemes.engine_hash(made(True))
        is schemes.engine_hash(pickle.loads(pickle.dumps(made(True))))
        is known
    )
    assert schemes.engine_hash(made(False)) is not known
    for equal in (1, np.True_):  # these equal True but aren't
        with pytest.raises(TypeError, match=r"^Hash\.raw must be bool, got "):
            made(equal)


@pytest.mark.parametrize("below", ["scale", "modulo", "multiply", "reject", "reject_last", "digest"])
def test_no_draw_is_farther_from_uniform_than_is_said(below: str) -> None:
    scheme = dataclasses.replace(STAKE, bits=8, below=below)
    bound = schemes.engine_scheme(scheme).distance_bound
    for n in (1, 2, 3, 10, 100, 255):
        ends, total = schemes.weights_below(scheme, n, range(n))
        weights = [after - before for before, after in itertools.pairwise([*ends, total])]
        exact = sum(abs(Fraction(weight, total) - Fraction(1, n)) for weight in weights) / 2
        assert exact <= bound(n) <= n / 2**8
        assert (exact == 0) or not schemes.engine_scheme(scheme).passes_over
    assert bound(None) == 2**-8


def test_errors_of_rounds_name_the_round() -> None:
    scheme = pf.Scheme(pf.Hash("md5", "{nonce}"), bits=64, below="modulo")
    for rounds, name in [(5, "the round"), ([5], "round 0"), (np.arange(5000), "round 0")]:
        drawing = streams(scheme, rounds)
        drawing.skip(2)
        with pytest.raises(ValueError, match=f"^{name} needs more than the 2 words of its one digest"):
            drawing.words()
    scheme = pf.Scheme(pf.Hash("md5", "{nonce}"), bits=4, below="reject")

    # The last two of 32 digits, where acceptable values are below 9.
    def ends(nonce: int) -> bool:
        return all(int(digit, 16) >= 9 for digit in hashlib.md5(str(nonce).encode()).hexdigest()[-2:])

    first = next(nonce for nonce in range(10**6) if ends(nonce))
    for start, count in [(first, 1), (first, 200), (0, first + 5000)]:
        drawing = streams(scheme, np.arange(start, start + count))
        drawing.skip(30)
        expected = f"^round {first - start} has no word for one of 9 in the rest of the digest at cursor 0"
        with pytest.raises(ValueError, match=expected):
            drawing.below(9)


# ---- forms of fields ----


def test_every_form_of_numbers() -> None:
    """Those of texts are in `test_generator`: salted rounds bind them as every scheme does."""
    pandas, polars, pyarrow = map(pytest.importorskip, ("pandas", "polars", "pyarrow"))
    texts, nonces = ["a", "ü", "c"], [1, 20, 300]
    expected = STAKE.random_bytes("server", texts, nonces)
    rows = [hash_in_python("server", text, nonce) for text, nonce in zip(texts, nonces, strict=True)]
    assert [row.tobytes() for row in expected] == rows
    forms_of_numbers = [
        tuple(nonces),
        np.array(nonces),
        np.array(nonces, np.uint64),
        np.array(nonces, np.int16),
        np.array(nonces, ">i8"),
        np.repeat(nonces, 2)[::2],
        np.array(nonces, object),
        [np.int64(1), 20, np.uint8(44) + np.int64(256)],
        pandas.Series(nonces),
        pandas.Series(nonces, dtype="Int64"),
        polars.Series(nonces),
        pyarrow.array(nonces),
        pyarrow.chunked_array([nonces[:1], nonces[1:]]),
        arrow_only(pyarrow.array(nonces, pyarrow.int32())),
    ]
    for form in forms_of_numbers:
        assert (STAKE.random_bytes("server", texts, form) == expected).all(), form
    one = STAKE.random_bytes("server", "ü", 20)
    for text in ("ü", "ü".encode(), np.array("ü"), np.str_("ü")):
        for nonce in (20, np.int8(20), np.array(20), np.uint64(20)):
            assert STAKE.random_bytes(np.bytes_(b"server"), text, nonce) == one == rows[1]


@pytest.mark.parametrize("kind", ["Int64", "UInt64", "int64[pyarrow]", "float64", "polars", "array"])
def test_a_missing_number_is_refused_with_its_row(kind: str) -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    nonces: Any = [1, 2, None, 4]
    if kind == "array":
        nonces = np.array(nonces, np.float64)
    else:
        nonces = polars.Series(nonces) if kind == "polars" else pandas.Series(nonces, dtype=kind)
    with pytest.raises(ValueError, match=r"^nonce\[2\] must have a value, got nan$") as caught:
        STAKE.random_bytes("server", "client", nonces)
    assert caught.value.row == 2
    with pytest.raises(TypeError, match=r"^nonce must be a whole number or .*, got an? \w+ of"):
        STAKE.random_bytes("server", "client", nonces[:2] + 0.5)


def hash_in_python(server: str, client: str, nonce: int) -> bytes:
    fields = {"server_seed": server, "client_seed": client, "nonce": nonce}
    return reference.digest(STAKE.hash.to_dict(), fields, 0)


def test_one_value_serves_every_round() -> None:
    many = STAKE.random_numbers(["s"], "c", [1, 2, 3])
    assert (many == STAKE.random_numbers(["s", "s", "s"], ["c"], [1, 2, 3])).all()
    assert (many[1] == STAKE.random_numbers("s", "c", 2)).all()
    assert STAKE.random_numbers(["s"], "c", 1).shape == (1, 8)
    assert STAKE.random_numbers("s", "c", []).shape == (0, 8)
    assert STAKE.random_bytes("s", "c", []).shape == (0, 32)
    assert STAKE.random_numbers("s", "c", [1], count=0).shape == (1, 0)
    assert STAKE.random_bytes("s", "c", 1, cursor=np.int64(3)) == STAKE.random_bytes("s", "c", 1, cursor=3)


def test_defaults_stand_in() -> None:
    scheme = pf.Scheme(
        pf.Hash("sha256", "{salt}:{nonce}", key="{game_hash}"),
        bits=32,
        fields=("game_hash", "salt", "nonce"),
        defaults={"salt": b"block", "nonce": 3},
    )
    game = "ab" * 32
    expected = scheme.random_bytes(game, "block", 3)
    assert scheme.random_bytes(game) == expected
    assert scheme.random_bytes(game, None) == scheme.random_bytes(game_hash=game, salt=None) == expected
    assert scheme.random_bytes(game, "other") == scheme.random_bytes(game, "other", 3) != expected
