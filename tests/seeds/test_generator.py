"""Bytes, numbers and salts compared with the oracle, and every accepted type of seeds."""

from __future__ import annotations

import hashlib
import pickle

import numpy as np
import provably_fair as pf
import pytest
from hypothesis import given, strategies as st
from oracles import salted as reference
from own_games import game_of

StringDType = getattr(np.dtypes, "StringDType", None)  # from numpy 2.0 on
SEEDS = ["", "a", "salt", "пример", "種", "🎲" * 20, "x" * 64, "with \0 inside", "  spaces ", "é"]


def string_dtype(**options):
    return StringDType(**options) if StringDType else pytest.skip("numpy 1.26 has no StringDType")


def expected_bytes(servers, clients, salts, cursor=0):
    rounds = zip(servers, clients, salts, strict=True)
    return [list(reference.random_bytes(*seeds, cursor)) for seeds in rounds]


def check_bytes(servers, clients, salts, given_servers, given_clients, given_salts):
    found = pf.seeds.random_bytes(given_servers, given_clients, given_salts)
    assert found.dtype == np.uint8
    assert found.shape == (len(salts), 64)
    assert found.tolist() == expected_bytes(servers, clients, salts)


# ---- one round ----


def test_published_digests(vectors):
    published = vectors("salted_rounds")["empty_round"]
    for cursor, digest in enumerate(published["digests"]):
        found = pf.seeds.random_bytes("", "", "", cursor)
        assert type(found) is bytes
        assert found.hex() == digest
        assert pf.seeds.random_bytes("", "", "", cursor=cursor) == found
    numbers = pf.seeds.random_numbers("", "", "", count=24)
    assert [reference.to_fixed(x, 18) for x in numbers] == published["numbers"]


def test_block_hashes(vectors):
    hashes = vectors("salted_rounds")["block_hashes"]["hashes"]
    assert dict(pf.operators.salted.BLOCK_HASHES) == {int(height): text for height, text in hashes.items()}
    with pytest.raises(TypeError):
        pf.operators.salted.BLOCK_HASHES[500000] = "another"


@pytest.mark.parametrize("count", [1, 7, 8, 9, 16, 23, 24, 40, 200])
def test_numbers_run_through_the_cursors(count):
    one = pf.seeds.random_numbers("s", "c", "x", count)
    assert one.shape == (count,)
    assert one.dtype == np.float64
    assert one.tolist() == reference.random_numbers("s", "c", "x", count)
    many = pf.seeds.random_numbers("s", "c", ["x", "y", "z"], count=count)
    assert many.shape == (3, count)
    assert many.tolist() == [reference.random_numbers("s", "c", salt, count) for salt in "xyz"]


def test_many_numbers_equal_the_sequential_sum():
    """160,000 numbers, enough for both kinds of rounding in the sum to occur."""
    salts = reference.salts(20000, seed="numbers")
    found = pf.seeds.random_numbers("server", "client", salts)
    assert found.tolist() == [reference.random_numbers("server", "client", salt) for salt in salts]


@pytest.mark.parametrize("letter", ["x", "ж", "🎲"])
def test_seeds_of_every_length(letter):
    """Message ends at every position in a block, alone and in lanes with different lengths."""
    texts = [letter * length for length in range(301)]
    ones = ["one"] * len(texts)
    for server, client, salt in [(texts, ones, ones), (ones, texts, ones), (ones, ones, texts), (texts,) * 3]:
        check_bytes(server, client, salt, server, client, salt)
    check_bytes(texts, ones, ones, texts, "one", "one")
    check_bytes(ones, texts, ones, "one", texts, "one")
    check_bytes(ones, ones, texts, "one", "one", texts)
    for text in texts:
        assert pf.seeds.random_bytes(text, text, text) == reference.random_bytes(text, text, text)


@pytest.mark.parametrize("length", [0, 1, 54, 55, 56, 62, 63, 64, 65, 110, 111, 112, 127, 128, 239, 300])
def test_fixed_seeds_of_every_length_with_many_salts(length):
    server, client, salts = "s" * length, "c" * length, reference.salts(33)
    check_bytes([server] * 33, [client] * 33, salts, server, client, salts)
    check_bytes([server] * 33, [client] * 33, salts, server, client, np.array(salts, "S64"))


# ---- salts ----


@pytest.mark.parametrize("seed", [0, 1, 7, 2**63 - 1])
@pytest.mark.parametrize("start", [0, 1, 99, 10**6 - 2, 10**12])
def test_salts_are_hashes_anyone_can_redo(seed, start):
    found = pf.salts(13, seed=seed, start=start)
    assert found.dtype == np.dtype("S64")
    assert found.shape == (13,)
    assert [salt.decode() for salt in found] == reference.salts(13, seed, start)


def test_salts_across_every_number_of_digits():
    assert [salt.decode() for salt in pf.salts(12345)] == reference.salts(12345)
    assert [salt.decode() for salt in pf.salts(30, 5, 9_999_990)] == reference.salts(30, 5, 9_999_990)


# ---- one seed in different types ----


@pytest.mark.parametrize("text", SEEDS)
@pytest.mark.parametrize(
    "dress",
    [
        str,
        str.encode,
        np.str_,
        lambda text: np.bytes_(text.encode()),
        np.array,
        lambda text: np.array(text.encode()),
        lambda text: np.array(text, dtype=object),
        lambda text: np.array(text, dtype=string_dtype()),
        lambda text: type("Seed", (str,), {})(text),
    ],
    ids=["str", "bytes", "str_", "bytes_", "0-d U", "0-d S", "0-d object", "0-d string", "subclass"],
)
def test_one_seed(text, dress):
    expected = reference.random_bytes(text, text, text)
    found = pf.seeds.random_bytes(dress(text), dress(text), dress(text))
    assert type(found) is bytes
    assert found == expected
    assert pf.seeds.random_numbers(dress(text), dress(text), dress(text)).shape == (8,)


def test_bytes_that_are_not_text_are_hashed_as_they_are():
    raw = bytes(range(128, 256))
    assert pf.seeds.random_bytes(raw, raw, raw) == reference.random_bytes(raw, raw, raw)


# ---- many seeds ----


def of(library, make):
    """A form of texts that a library makes, which the machine may lack."""
    return lambda texts: make(pytest.importorskip(library), texts)


def pandas_string(storage):
    def make(pd, texts):
        pytest.importorskip("pyarrow")
        return pd.Series(texts, dtype=f"string[{storage}]")

    return of("pandas", make)


def arrow(kind):
    def make(pa, texts):
        if not hasattr(pa, kind):
            pytest.skip(f"this pyarrow has no {kind}")
        values = [text.encode() for text in texts] if "binary" in kind else texts
        return pa.array(values, getattr(pa, kind)())

    return of("pyarrow", make)


def halves(texts):
    return texts[: len(texts) // 2], texts[len(texts) // 2 :]


def joined_series(pl, texts):
    return pl.concat([pl.Series(part, dtype=pl.String) for part in halves(texts)], rechunk=False)


pandas_series = of(
    "pandas", lambda pd, texts: pd.Series(texts, index=[f"row {i}" for i in range(len(texts))])
)
pandas_object = of("pandas", lambda pd, texts: pd.Series(texts, dtype=object))
pandas_categories = of("pandas", lambda pd, texts: pd.Series(texts, dtype="category"))
polars_categories = of("polars", lambda pl, texts: pl.Series(texts, dtype=pl.Categorical))
polars_series = of("polars", lambda pl, texts: pl.Series("salt", texts))
polars_chunks = of("polars", joined_series)
arrow_chunks = of(
    "pyarrow", lambda pa, texts: pa.chunked_array([halves(texts)[0], [], halves(texts)[1]], pa.string())
)
arrow_dictionary = of("pyarrow", lambda pa, texts: pa.array(texts).dictionary_encode())


def arrow_dictionary_chunks(texts):
    return arrow_chunks(texts).dictionary_encode()


def arrow_only(data, method="__arrow_c_array__"):
    """An object that supports only the Arrow protocol."""
    return type("ArrowOnly", (), {method: lambda _, requested_schema=None: getattr(data, method)()})()


def arrow_array_protocol(texts):
    return arrow_only(arrow("string")(texts))


def every_other(texts):
    return np.array([text for text in texts for _ in range(2)])[::2]


def unaligned(texts):
    """A field of packed records, at odd addresses."""
    width = max(map(len, texts))
    records = np.zeros(len(texts), dtype=[("flag", "u1"), ("text", f"U{width}")])
    records["text"] = texts
    assert not records["text"].flags.aligned
    return records["text"]


FORMS = {
    "list": list,
    "tuple": tuple,
    "list of bytes": lambda texts: [text.encode() for text in texts],
    "list of both": lambda texts: [text.encode() if i % 2 else text for i, text in enumerate(texts)],
    "list of str_": lambda texts: [np.str_(text) for text in texts],
    "list of bytes_": lambda texts: [np.bytes_(text.encode()) for text in texts],
    "U": np.array,
    "wide U": lambda texts: np.array(texts, dtype="U300"),
    "swapped U": lambda texts: np.array(texts).astype(np.array(texts).dtype.newbyteorder()),
    "unaligned U": unaligned,
    "every other U": every_other,
    "reversed U": lambda texts: np.array(texts[::-1])[::-1],
    "read-only U": lambda texts: np.broadcast_to(np.array(texts), len(texts)),
    "S": lambda texts: np.array([text.encode() for text in texts]),
    "wide S": lambda texts: np.array([text.encode() for text in texts], dtype="S300"),
    "every other S": lambda texts: np.array([text.encode() for text in texts for _ in range(2)])[::2],
    "reversed S": lambda texts: np.array([text.encode() for text in texts[::-1]])[::-1],
    "column S": lambda texts: np.array([[text.encode(), b"no"] for text in texts])[:, 0],
    "object": lambda texts: np.array(texts, dtype=object),
    "object of bytes": lambda texts: np.array([text.encode() for text in texts], dtype=object),
    "every other object": lambda texts: np.array([t for t in texts for _ in range(2)], dtype=object)[::2],
    "string dtype": lambda texts: np.array(texts, dtype=string_dtype()),
    "string dtype with na": lambda texts: np.array(texts, dtype=string_dtype(na_object=None)),
    "pandas": pandas_series,
    "pandas object": pandas_object,
    "pandas index": of("pandas", lambda pd, texts: pd.Index(texts)),
    "pandas string": pandas_string("python"),
    "pandas arrow string": pandas_string("pyarrow"),
    "pandas categories": pandas_categories,
    "polars categories": polars_categories,
    "arrow dictionary": arrow_dictionary,
    "arrow dictionary slice": lambda texts: arrow_dictionary(["no", *texts, "no"]).slice(1, len(texts)),
    "arrow dictionary chunks": arrow_dictionary_chunks,
    "polars": polars_series,
    "polars chunks": polars_chunks,
    "polars slice": lambda texts: polars_series(["no", *texts, "no"])[1:-1],
    "arrow string": arrow("string"),
    "arrow large string": arrow("large_string"),
    "arrow string view": arrow("string_view"),
    "arrow binary": arrow("binary"),
    "arrow large binary": arrow("large_binary"),
    "arrow slice": lambda texts: arrow("string")(["no", *texts, "no"]).slice(1, len(texts)),
    "arrow chunks": arrow_chunks,
    "arrow array protocol": arrow_array_protocol,
    "arrow stream protocol": lambda texts: arrow_only(arrow_chunks(texts), "__arrow_c_stream__"),
}


@pytest.mark.parametrize("make", FORMS.values(), ids=FORMS)
def test_forms_of_many_seeds(make):
    servers = SEEDS
    clients = SEEDS[::-1]
    salts = SEEDS[3:] + SEEDS[:3]
    check_bytes(servers, clients, salts, make(servers), make(clients), make(salts))
    check_bytes(["s"] * len(salts), ["c"] * len(salts), salts, "s", "c", make(salts))
    numbers = pf.seeds.random_numbers("s", "c", make(salts), 9)
    assert numbers.tolist() == [reference.random_numbers("s", "c", salt, 9) for salt in salts]
    # One row, and many.
    check_bytes(["s"], ["c"], ["пример"], "s", "c", make(["пример"]))
    salts = reference.salts(1000)
    check_bytes(["s"] * 1000, ["c"] * 1000, salts, "s", "c", make(salts))


@pytest.mark.parametrize("width", [1, 2, 7, 8, 9, 55, 63, 64, 65, 128, 300])
def test_bytes_arrays_of_every_width(width):
    """Texts of full width, and shorter ones padded with NULs that numpy strips."""
    salts = [(f"{i:064d}" * 5)[: width if i % 3 else (width + 1) // 2] for i in range(50)]
    check_bytes(["s"] * 50, ["c"] * 50, salts, "s", "c", np.array(salts, f"S{width}"))
    check_bytes(salts, salts, salts, *[np.array(salts, f"S{width}")] * 3)


def test_trailing_nuls_of_fixed_width_arrays_do_not_count():
    """In arrays trailing NULs are padding, as in numpy; in a list they count."""
    assert np.array([b"a\0b\0\0"])[0] == b"a\0b"
    check_bytes("s", "c", ["a\0b"], "s", "c", np.array([b"a\0b\0\0"]))
    check_bytes("s", "c", ["a\0b"], "s", "c", np.array(["a\0b\0\0"]))
    check_bytes("s", "c", ["a\0b\0\0"], "s", "c", ["a\0b\0\0"])
    check_bytes("s", "c", ["a\0b\0\0"], "s", "c", np.array(["a\0b\0\0"], dtype=object))


# ---- broadcasting ----


@pytest.mark.parametrize("empty", [[], np.array([], "S64"), np.array([], "U1"), np.array([], object)])
def test_no_rounds(empty):
    assert pf.seeds.random_bytes("s", "c", empty).shape == (0, 64)
    assert pf.seeds.random_bytes("s", "c", empty).dtype == np.uint8
    assert pf.seeds.random_numbers("s", "c", empty, 5).shape == (0, 5)
    assert pf.seeds.random_bytes(["s"], empty, "x").shape == (0, 64)


@pytest.mark.parametrize(
    "lengths", [(2, 3, 1), (3, 1, 2), (0, 2, 1), (5, 5, 4)], ids=lambda lengths: "-".join(map(str, lengths))
)
def test_different_lengths_are_an_error(lengths):
    with pytest.raises(ValueError, match=r"server_seed|client_seed|salt"):
        pf.seeds.random_bytes(*(reference.salts(n) for n in lengths))
    with pytest.raises(ValueError, match=r"(?s)salt.*(2.*3|3.*2)|(2.*3|3.*2).*salt"):
        pf.seeds.random_numbers("s", ["a", "b"], ["a", "b", "c"])


# ---- values that aren't seeds ----


@pytest.mark.parametrize("name", ["server_seed", "client_seed", "salt"])
@pytest.mark.parametrize(
    "bad", [None, float("nan"), 7, 7.5, True, ["nested"], object()], ids=lambda bad: type(bad).__name__
)
def test_one_element_that_is_no_seed(name, bad):
    values = np.empty(9, dtype=object)
    values[:] = "fine"
    values[3] = bad
    for many in list(values), tuple(values), values:
        seeds = {"server_seed": "s", "client_seed": "c", "salt": "x"} | {name: many}
        with pytest.raises((TypeError, ValueError), match=rf"\b{name}\[3\]"):
            pf.seeds.random_bytes(**seeds)
        with pytest.raises((TypeError, ValueError), match=rf"\b{name}\[3\]"):
            pf.seeds.random_numbers(**seeds)


def with_missing(texts, missing):
    return [missing if text is None else text for text in texts]


@pytest.mark.parametrize(
    "make",
    [
        pandas_series,
        pandas_object,
        of("pandas", lambda pd, texts: pd.Series(with_missing(texts, pd.NA), dtype=object)),
        pandas_string("python"),
        pandas_string("pyarrow"),
        pandas_categories,
        polars_categories,
        FORMS["string dtype with na"],
        lambda texts: np.array(with_missing(texts, np.nan), dtype=string_dtype(na_object=np.nan)),
        polars_series,
        polars_chunks,
        arrow("string"),
        arrow("large_string"),
        arrow("string_view"),
        arrow_chunks,
        arrow_dictionary,
        arrow_dictionary_chunks,
        arrow_array_protocol,
    ],
)
def test_missing_values_of_every_form(make):
    for many, row in ([*"abcde", None, *"gh"], r"\[5\]"), ([None, None], ""):
        with pytest.raises((TypeError, ValueError), match=rf"\bsalt{row}"):
            pf.seeds.random_bytes("s", "c", make(many))


@pytest.mark.parametrize("name", ["server_seed", "client_seed", "salt"])
def test_arrow_arrays_that_hold_no_text(name):
    pa = pytest.importorskip("pyarrow")
    seeds = {"server_seed": "s", "client_seed": "c", "salt": "x"}
    bad_arrays = pa.array([1, 2]), pa.array([["a"], ["b"]]), pa.array([{"a": "b"}]), pa.array([1.5, None])
    for bad in *bad_arrays, pa.table({"a": ["x"]}):
        with pytest.raises(TypeError, match=rf"\b{name}\b"):
            pf.seeds.random_bytes(**seeds | {name: bad})


def test_arrow_binary_of_one_width():
    pa = pytest.importorskip("pyarrow")
    many = pa.array([b"abc", b"d\0e", b"\0\0\0"], pa.binary(3))
    rows = pf.seeds.random_bytes("s", "c", many)
    assert rows.tolist() == pf.seeds.random_bytes("s", "c", [b"abc", b"d\0e", b"\0\0\0"]).tolist()
    with pytest.raises(ValueError, match=r"^salt\[1\] must be text or bytes, got null"):
        pf.seeds.random_bytes("s", "c", pa.array([b"abc", None], pa.binary(3)))


def test_empty_data_of_any_type():
    pa, pl = pytest.importorskip("pyarrow"), pytest.importorskip("polars")
    arrays = [pa.array([], kind) for kind in (pa.null(), pa.float32(), pa.binary(1), pa.string())]
    arrays += [pa.array([]), pa.chunked_array([], pa.null()), arrow_dictionary([])]
    series = [pl.Series([]), *(pl.Series([], dtype=kind) for kind in (pl.Null, pl.Float32, pl.String))]
    for empty in [*arrays, *series, np.array([])]:
        assert pf.seeds.random_bytes("s", "c", empty).shape == (0, 64)


def test_arrow_dictionaries_of_nulls_or_numbers():
    pa = pytest.importorskip("pyarrow")
    nothing = pa.DictionaryArray.from_arrays(pa.array([None, None], pa.int8()), pa.array([], pa.string()))
    holes = pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int8()), pa.array(["a", None]))
    for bad, row in (nothing, 0), (holes, 1):
        with pytest.raises(ValueError, match=rf"^salt\[{row}\] must be text or bytes, got null"):
            pf.seeds.random_bytes("s", "c", bad)
    with pytest.raises(TypeError, match=r"^salt must be"):
        pf.seeds.random_bytes("s", "c", pa.array([1, 2]).dictionary_encode())


@pytest.mark.parametrize("kind", ["U4", "S4"])
def test_masked_rows_are_missing(kind):
    many = np.ma.array(["a", "b", "c"], dtype=kind, mask=[False, True, False])
    with pytest.raises((TypeError, ValueError), match=r"\bsalt\b"):
        pf.seeds.random_bytes("s", "c", many)
    check_bytes("ss", "cc", "ab", "s", "c", np.ma.array(["a", "b"], dtype=kind))
    for masked in np.ma.masked, np.ma.array("a", dtype=kind, mask=True):
        with pytest.raises(ValueError, match=r"^salt must be text or bytes, got a masked element$"):
            pf.seeds.random_bytes("s", "c", masked)


@pytest.mark.parametrize("kind", ["U4", "S4", object])
@pytest.mark.parametrize("shape", [(2, 2), (1, 4), (0, 2), (1, 1, 1)])
def test_more_than_one_axis_is_an_error(kind, shape):
    with pytest.raises(ValueError, match=r"\bclient_seed\b"):
        pf.seeds.random_bytes("s", np.full(shape, "a", dtype=kind), "x")


@pytest.mark.parametrize("bad", ["\ud800", "ok\udfff", "\udcff tail"])
def test_lone_surrogates_are_no_text(bad):
    with pytest.raises(ValueError, match=r"\bsalt\b"):
        pf.seeds.random_bytes("s", "c", bad)
    for many in ["a", bad], np.array(["a", bad]), np.array(["a", bad], object):
        with pytest.raises(ValueError, match=r"\bserver_seed\[1\]"):
            pf.seeds.random_bytes(many, "c", "x")


IMPOSSIBLE = np.array([[ord("o"), ord("k")], [ord("b"), 0x110000], [0xFFFFFFFF, 1]], "u4").view("U2")[:, 0]
"""numpy's texts, of which the second and the third have code points that don't exist."""


@pytest.mark.parametrize("as_given", [np.copy, np.ma.array, list, lambda texts: texts.astype(">U2")])
def test_impossible_characters_are_no_text(as_given):
    many = as_given(IMPOSSIBLE)
    beyond = r"must be text that UTF-8 can encode, got text with a code point above U\+10FFFF"

    own = game_of(lambda draws: draws.below(6))
    nonces = pf.Dice().with_scheme(pf.Scheme(pf.Hash("sha256", "{client_seed}:{nonce}"), bits=32))
    fields = {"server_seed": "s", "client_seed": "c", "salt": many}
    for ask in (
        lambda: pf.seeds.random_bytes("s", "c", many),
        lambda: pf.seeds.random_numbers("s", "c", many),
        lambda: pf.Dice().play("s", "c", many),
        lambda: own.play("s", "c", many),
        lambda: own.simulate(3, salt=many),
        lambda: pf.Dice().simulate(3, salt=many),
        lambda: pf.Dice().simulate(3, salt=many, as_frame="pandas"),
        lambda: pf.Dice().tally(3, salt=many),
        lambda: nonces.scheme.random_bytes(many, 1),
        lambda: pf.seeds.joined_seeds([1, 1, 1], many),
        *(
            lambda found=found, name=name: found(
                {**fields, "salt": list("xyz"), "outcome": [1.0] * 3, name: many}
            )
            for found in (
                lambda log: pf.verify(log, own),
                lambda log: pf.audit(log, pf.Dice()),
                pf.identify,
            )
            for name in ("salt", "outcome")
        ),
        lambda: pf.verify([{**fields, "salt": salt, "outcome": 1.0} for salt in many], pf.Dice()),
    ):
        with pytest.raises(ValueError, match=rf"\b(salt|client_seed|seeds|outcome)'?\[1\] {beyond}"):
            ask()


@pytest.mark.parametrize("one", [IMPOSSIBLE[1], IMPOSSIBLE[1:2].reshape(())], ids=["scalar", "0-d"])
def test_one_impossible_text(one):
    beyond = r"must be text that UTF-8 can encode, got text with a code point above U\+10FFFF"
    for ask in (
        lambda: pf.seeds.random_bytes("s", "c", one),
        lambda: pf.Dice().play("s", "c", one),
        lambda: pf.Dice().explain("s", "c", one),
        lambda: pf.Dice().simulate(3, client_seed=one),
        lambda: pf.Dice().simulate(3, client_seed=one, as_frame="pandas"),
        lambda: pf.commitment(one),
        lambda: pf.check_commitment(one, "00" * 32),
        lambda: pf.verify({"server_seed": "s", "client_seed": one, "salt": ["x"], "outcome": [1]}, pf.Dice()),
    ):
        with pytest.raises(ValueError, match=rf"\b(salt|client_seed|seed) {beyond}"):
            ask()


# ---- arbitrary text ----

texts = st.text(min_size=0, max_size=300)
raw = st.binary(min_size=1, max_size=300)


@given(server=texts | raw, client=texts | raw, salt=texts | raw, cursor=st.integers(0, 10**6))
def test_any_seeds(server, client, salt, cursor):
    expected = reference.random_bytes(server, client, salt, cursor)
    assert pf.seeds.random_bytes(server, client, salt, cursor) == expected
    assert pf.seeds.random_bytes([server], client, salt, cursor).tolist() == [list(expected)]
    assert pf.seeds.random_bytes(server, [client, client], salt, cursor).tolist() == [list(expected)] * 2
    numbers = reference.random_numbers(server, client, salt, 11)
    assert pf.seeds.random_numbers(server, client, salt, 11).tolist() == numbers
    assert pf.seeds.random_numbers(server, client, [salt] * 3, 11).tolist() == [numbers] * 3


@given(
    rounds=st.lists(st.tuples(texts, texts, texts), max_size=40),
    form=st.sampled_from(["list", "object", *["string"] * (StringDType is not None)]),
)
def test_any_lists_of_seeds(rounds, form):
    columns = [[seeds[i] for seeds in rounds] for i in range(3)]
    kind = {"object": object, "string": StringDType and StringDType()}.get(form)
    given_columns = columns if kind is None else [np.array(column, dtype=kind) for column in columns]
    check_bytes(*columns, *given_columns)


# ---- the operator's promise ----


def test_results_are_fresh_arrays():
    salts = pf.salts(4)
    first = pf.seeds.random_numbers("s", "c", salts)
    first[:] = -1
    assert (pf.seeds.random_numbers("s", "c", salts) >= 0).all()
    assert salts.flags.writeable
    assert pickle.loads(pickle.dumps(salts)).tolist() == salts.tolist()


@pytest.mark.parametrize("seed", ["", "seed", "пример", b"bytes", b"\xff", "f" * 64])
def test_commitment_is_the_hash_of_the_text(seed):
    expected = hashlib.sha256(reference.encode(seed)).hexdigest()
    assert pf.commitment(seed) == pf.commitment(np.array(seed)) == expected
    assert pf.check_commitment(seed, expected) is True
    assert pf.check_commitment(np.array(seed), np.array(expected)) is True
    assert pf.check_commitment(seed, f"0X{expected.upper()}") is True  # as logs may have it
    assert pf.check_commitment(seed, f"0x0x{expected}") is False
    assert pf.check_commitment(seed, "0" * 64) is False


def test_new_seed_is_64_hexadecimal_characters():
    seeds = {pf.new_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert all(len(bytes.fromhex(seed)) == 32 and seed == seed.lower() for seed in seeds)


@pytest.mark.parametrize("seed", [np.array("q"), np.array([1]), 1.0, True])
def test_seeds_of_series_that_are_refused(seed):
    with pytest.raises(TypeError, match="seed must be an integer or str"):
        pf.salts(1, seed)
    assert pf.salts(1, np.array(7)).tolist() == pf.salts(1, 7).tolist()
