"""FPClub's dice against plain Python, the documents' figures and hostile input."""

import hashlib
import json
import pickle
import re
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import provably_fair as pf
import pytest
from hypothesis import given, settings, strategies as st
from oracles import fpclub as reference
from provably_fair.names import parse_game
from provably_fair.operators import fpclub
from provably_fair.operators.fpclub import HashedDice, Record, combine, parse_log

INTEGERS = ["u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8"]
FACES = range(1, 7)
PAIRS = list(product(FACES, FACES))
PLACE = re.compile(r"line (\d+), column (\d+) ")
P_001 = {5: 20.515, 35: 66.619}  # chi-square at p = 0.001 by degrees of freedom

digit_text = st.text("123456", min_size=1, max_size=40)
hash_names = st.sampled_from(["md5", "sha256"])


def chi_square(values, outcomes):
    counts = Counter(values)
    assert set(counts) <= set(outcomes)
    expected = len(values) / len(outcomes)
    return sum((counts[outcome] - expected) ** 2 / expected for outcome in outcomes)


# Combining


def test_all_36_times_36_pairs_follow_the_formula():
    first = np.array([pair for pair in PAIRS for _ in PAIRS])
    second = np.array(PAIRS * 36)
    expected = [[reference.combine(a, b) for a, b in zip(x, y, strict=True)] for x in PAIRS for y in PAIRS]
    assert combine(first, second).tolist() == expected
    assert combine(np.array(PAIRS)[:, None], PAIRS).reshape(-1, 2).tolist() == expected


def test_printed_table():
    # The document's cells; 0 for the two lost in print.
    printed = ["234501", "345612", "456103", "561234", "612345", "123456"]
    table = np.asarray(fpclub.TABLE)
    cells = np.array([[*map(int, row)] for row in printed])
    assert np.argwhere(table != cells).tolist() == [[0, 4], [2, 4]]
    assert (fpclub.TABLE[1, 5], fpclub.TABLE[3, 5]) == (6, 2)
    assert [line.split() for line in str(fpclub.TABLE).splitlines()[1:]] == [
        [str(a), *(str(reference.combine(a, b)) for b in FACES)] for a in FACES
    ]
    assert fpclub.TABLE._repr_html_().count("<td ") == 36


@pytest.mark.parametrize("dtype", INTEGERS)
def test_combine_keeps_the_integer_type(dtype):
    rng = np.random.default_rng(7)
    first, second = rng.integers(1, 7, (2, 3, 1001)).astype(dtype)
    throws = combine(first, second)
    assert throws.dtype == dtype
    assert throws.tolist() == [
        [reference.combine(a, b) for a, b in zip(x, y, strict=True)]
        for x, y in zip(first.tolist(), second.tolist(), strict=True)
    ]
    assert combine(first, 3).dtype == dtype
    assert combine(first.astype(np.dtype(dtype).newbyteorder(">")), second).tolist() == throws.tolist()
    assert combine(first.T[::2], second.T[::2]).tolist() == throws.T[::2].tolist()


@pytest.mark.parametrize(("one", "two"), [("u1", "i8"), ("i2", "u2"), ("i8", "u8"), ("i1", "u1")])
def test_combine_mixed_types(one, two):
    throws = combine(np.array([1, 6], one), np.array([5, 6], two))
    assert throws.tolist() == [6, 6]
    assert throws.dtype.kind in "iu"


@given(st.data())
@settings(max_examples=50, deadline=None)
def test_combine_broadcasts_as_numpy_does(data):
    shape = st.lists(st.integers(0, 3), max_size=3).map(tuple)
    first, second = (np.random.default_rng(1).integers(1, 7, data.draw(shape)) for _ in range(2))
    try:
        expected = (first + second - 1) % 6 + 1
    except ValueError:
        with pytest.raises(ValueError, match=r"^second must broadcast with first"):
            combine(first, second)
        return
    throws = combine(first, second)
    assert np.shape(throws) == expected.shape
    assert np.array_equal(throws, expected)


def test_combine_single_numbers():
    assert combine(3, 4) == 1
    assert type(combine(3, 4)) is int
    assert combine(np.uint8(6), np.array(6)) == 6
    assert combine([], []).shape == (0,)


@pytest.mark.parametrize(
    ("first", "second", "error", "message"),
    [
        ([1, 0], 1, ValueError, r"^first\[1\] must be a face from 1 to 6, got 0"),
        (1, [[1, 2], [3, 7]], ValueError, r"^second\[1, 1\] must be a face from 1 to 6, got 7"),
        (np.array([1], "u1"), 257, ValueError, r"^second must be a face from 1 to 6, got 257"),
        (np.array([2**64 - 1], "u8"), 1, ValueError, r"^first\[0\] must be .* got 18446744073709551615"),
        ("37", 1, ValueError, r"^first line 1, column 2 .*'7'"),
        (1, 2**70, TypeError, r"^second must be integers"),
    ],
)
def test_combine_refuses(first, second, error, message):
    with pytest.raises(error, match=message):
        combine(first, second)


def test_combined_dice_of_a_log():
    dice = fpclub.Combined("31 46 5", [4, 5, 2, 1, 6])
    assert dice.digits == "16615"
    assert dice.rolls.tolist() == [[1, 6], [6, 1]]
    assert dice.differences("16615").size == 0
    assert dice.differences([1, 6, 5, 1, 1]).tolist() == [2, 4]
    with pytest.raises(ValueError, match=r"^second line 1, column 2 must go on: it ends after 1 digits of 2"):
        fpclub.Combined("31", "4")
    with pytest.raises(ValueError, match=r"^throws must hold 5 dice, got 1"):
        dice.differences([1])


def test_values_are_immutable_and_picklable():
    dice = HashedDice("123", hash="sha256")
    record = dice.record(length=3)
    repair = HashedDice("12").check(HashedDice("122").hash).repair
    values = [dice, record, fpclub.Combined("12", "34"), dice.check("0" * 64), repair, fpclub.TABLE]
    for value in values:
        assert pickle.loads(pickle.dumps(value)) == value
        assert hash(pickle.loads(pickle.dumps(value))) == hash(value)
        assert repr(value)
        assert str(value)
        with pytest.raises((AttributeError, TypeError)):
            value.digits = "1"
    with pytest.raises(ValueError, match="read-only"):
        dice.rolls[0] = 1
    for value in (*values[:2], *values[3:5]):
        assert value._repr_html_().startswith("<")


def test_rows_of_faces_are_of_one_length():
    for name, call in (("first", lambda faces: combine(faces, 1)), ("digits", HashedDice)):
        with pytest.raises(ValueError, match=rf"^{name} must be .*rows of different lengths"):
            call([[1, 2], [3]])


@pytest.mark.parametrize(
    ("data", "place", "message"),
    [
        (b"31 45\r\n3x", (2, 2), "got 'x'"),
        (b"31 45\r\r\n\n37", (4, 2), "got '7'"),
        ("31é".encode(), (1, 3), "got 'é'"),
        (b"", (1, 1), "ends after 0 digits"),
        (b"31 45\n", (2, 1), "ends after 4 digits of 512"),
        (b"1" * 500 + b"\n" + b"2" * 13, (2, 13), "more than 512 digits"),
        ("31".encode("utf-16"), (1, 1), "0xff"),
        (b"\x00" * 2_000_000, (1, 1), "got '\\\\x00'"),
        (b"1" * 2_000_000 + b"0", (1, 2_000_001), "got '0'"),
    ],
)
def test_mistakes_in_dice_have_a_place(data, place, message):
    with pytest.raises(ValueError, match=message) as caught:
        fpclub.Combined("1" * 512, data)
    assert str(caught.value).startswith("second line {}, column {} must ".format(*place))
    marked = b"\xef\xbb\xbf" + "\r\n".join("31" * 256).encode()
    assert fpclub.Combined("1" * 512, marked).second == "31" * 256


# One uniform, independent player is enough


@pytest.mark.parametrize(
    "law", [np.eye(6, dtype=int)[2].tolist(), [5, 0, 0, 1, 0, 2**200], [1, 2, 3, 4, 5, 6]]
)
def test_one_uniform_player_makes_uniform_throws(law):
    for sides in ((law,), ([1] * 6, law), (law, [7] * 6)):
        law = fpclub.combined_law(*sides)
        assert law.outcomes.tolist() == list(FACES)
        assert len(set(law.weights)) == 1


def test_one_uniform_player_makes_uniform_pairs_whatever_the_other_does():
    for pair in PAIRS:
        other = np.zeros((6, 6), int)
        other[pair[0] - 1, pair[1] - 1] = 1
        law = fpclub.combined_law(other)
        assert law.outcomes.tolist() == [10 * a + b for a, b in PAIRS]
        assert law.weights == (1,) * 36


def test_two_biased_players():
    first, second = [3, 0, 0, 1, 0, 0], [0, 2, 5, 0, 0, 1]
    expected = Counter()
    for a, b in PAIRS:
        expected[reference.combine(a, b)] += first[a - 1] * second[b - 1]
    law = fpclub.combined_law(first, second)
    assert dict(zip(law.outcomes.tolist(), law.weights, strict=True)) == expected
    assert sum(law.weights) == 4 * 8


# Hashed dice


def test_printed_record_fails_and_is_repaired():
    (record,) = parse_log(reference.PRINTED_RECORD)
    printed = "".join(re.search(r"DS\[(.*?)\]", reference.PRINTED_RECORD, re.DOTALL)[1].split())
    assert record.digits == printed
    assert len(printed) == 477
    assert record.info == {"length": "0", "game": "0", "ws": "0", "bs": "0"}
    check = record.check()
    assert check.ok is False
    assert check.expected == "b87c09208b90f00776b8978c1bd41ccc"
    assert check.computed == hashlib.md5(printed.encode()).hexdigest()
    assert (check.repair.kind, check.repair.index, check.repair.die) == ("insert", 195, 4)
    assert check.repair.digits == printed[:195] + "4" + printed[195:]
    assert check.repaired.check(check.expected).ok is True
    assert check.repaired.rolls.shape == (239, 2)
    assert len(check.repaired) == 478
    shown = str(check)
    assert check.expected in shown
    assert check.computed in shown
    assert "insert a 4 at index 195: then it matches, with 478 dice = 239 rolls" in shown


def test_hashed_dice():
    dice = HashedDice("5635\n43244")
    assert dice.hash == hashlib.md5(b"563543244").hexdigest()
    assert dice.rolls.tolist() == [[5, 6], [3, 5], [4, 3], [2, 4]]
    assert dice.rolls.dtype == np.int64
    assert HashedDice("12", hash="sha256").hash == hashlib.sha256(b"12").hexdigest()
    assert HashedDice(np.array([[5, 6], [3, 5]], "u1")).digits == "5635"
    assert HashedDice("12") == HashedDice([1, 2])
    assert HashedDice("12") != HashedDice("12", hash="sha256")
    with pytest.raises(ValueError, match=r"^digits must not be empty"):
        HashedDice([])
    assert type(HashedDice("12", hash=np.str_("md5")).algorithm) is str


def test_generate():
    assert len(HashedDice.generate()) == 512
    assert HashedDice.generate() != HashedDice.generate()
    data = np.random.default_rng(5).bytes(512 + 512 // 32 + 16)
    assert HashedDice.generate(512, 5).digits == reference.dice_of_bytes(data)[:512]
    assert HashedDice.generate(64, 3) == HashedDice.generate(64, rng=np.random.default_rng(3))
    assert HashedDice.generate(2, hash="sha256").algorithm == "sha256"
    rolls = [tuple(roll) for roll in HashedDice.generate(100_000, 8).rolls.tolist()]
    assert chi_square(rolls, PAIRS) < P_001[35]


def test_checks():
    dice = HashedDice("123456")
    assert dice.check(dice.hash.upper()).ok
    assert dice.check(dice.hash).repair is None
    assert dice.check(reference.digest("123456", "sha256")).ok
    long = HashedDice.generate(3000, 1)
    unsearched = long.check("0" * 32)
    assert not unsearched.ok
    assert not unsearched.searched
    assert "too long" in str(unsearched)
    damaged = HashedDice(long.digits[:1500] + long.digits[1501:])
    assert damaged.check(long.hash).repair is None
    assert damaged.check(long.hash, longest_searched=3000).repaired == long
    assert "no edit" in str(dice.check("0" * 32))


@given(digit_text, hash_names, st.data())
@settings(max_examples=60, deadline=None)
def test_every_single_edit_is_found(damaged, algorithm, data):
    edits = reference.single_edits(damaged)
    original = data.draw(st.sampled_from(sorted(edits)))
    if original == "":
        assert HashedDice(damaged).check(reference.digest("", algorithm)).repair is None
        return
    if original == damaged:
        return
    check = HashedDice(damaged).check(reference.digest(original, algorithm))
    repair = check.repair
    assert (repair.kind, repair.index, repair.die) in edits[original]
    assert repair.index == min(index for _, index, _ in edits[original])
    assert repair.digits == original
    assert check.repaired.hash == check.expected


@given(digit_text, digit_text, hash_names)
@settings(max_examples=40, deadline=None)
def test_no_repair_is_made_up(digits, other, algorithm):
    check = HashedDice(digits).check(reference.digest(other, algorithm))
    assert check.ok is (digits == other)
    assert (check.repair is not None) is (digits != other and other in reference.single_edits(digits))


names = st.from_regex(r"[A-Za-z][A-Za-z0-9]{0,4}", fullmatch=True).filter(
    lambda name: name not in ("DH", "MI", "DS")
)
values = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
unknown = st.tuples(names, st.lists(values, min_size=1, max_size=3).map(tuple))


@st.composite
def records(draw):
    dice = HashedDice(draw(st.text("123456", min_size=1, max_size=300)), hash=draw(hash_names))
    known = dict(dice.record(length=draw(st.integers(0, 99))).properties)
    properties = draw(st.permutations(list(known.items())))
    extra = draw(st.lists(unknown, max_size=3))
    for item in extra:
        properties.insert(draw(st.integers(0, len(properties))), item)
    return Record(tuple(properties))


@given(st.lists(records(), max_size=3))
@settings(max_examples=60, deadline=None)
def test_write_parse_write_is_identical(made):
    # Unknown properties in front of a later record count to the one before it.
    made = [r for i, r in enumerate(made) if i == 0 or r.properties[0][0] in ("DH", "MI", "DS")]
    text = fpclub.write_log(made)
    parsed = parse_log(text)
    assert fpclub.write_log(parsed) == text
    assert parse_log(text.encode()) == parsed == made
    assert all(record.check().ok for record in parsed)


def test_several_records_and_line_ends(tmp_path):
    one = HashedDice.generate(478, 1).record(game=1)
    two = HashedDice.generate(20, 2, hash="sha256").record(game=2)
    kept = Record((("GN", ("a [name\\] with ]",)), *two.properties, ("PB", ("Żółw", ""))))
    assert [name for name, _ in kept.properties] == ["GN", "DH", "MI", "DS", "PB"]
    text = fpclub.write_log([one, two]) + reference.PRINTED_RECORD
    for ends in ("\n", "\r\n", "\r", "\n\n \t"):
        assert parse_log(text.replace("\n", ends)) == [one, two, *parse_log(reference.PRINTED_RECORD)]
    assert parse_log("\ufeff" + kept.text) == [kept]
    path = tmp_path / "log.txt"
    path.write_text(text, newline="\r\n")
    assert fpclub.load_log(path) == parse_log(text)
    assert parse_log(" \n") == parse_log(b"") == []
    assert one.dice.hash == one.expected
    assert "<" not in re.sub(
        r"</?t\w+[^>]*>", "", Record((*one.properties, ("X", ("<script>",))))._repr_html_()
    )


@pytest.mark.parametrize(
    ("properties", "message"),
    [
        ((), "one record, got 0"),
        ((("DH", ("0" * 32,)),), "DS"),
        ((("DH", ("0" * 32,)), ("DS", ("17",))), "got '7'"),
        ((("DH", ("0" * 32,)), ("DS", ("12",))) * 2, "one record, got 2"),
        ((("DH", ("0" * 32,)), ("DS", ("12",)), ("é", ("",))), "property"),
    ],
)
def test_record_refuses(properties, message):
    with pytest.raises(ValueError, match=f"^properties.*{message}"):
        Record(properties)


H = "0" * 32


@pytest.mark.parametrize(
    ("text", "index", "message"),
    [
        ("junk", 4, "'\\['"),
        (f"DH[{H}]\nDS[12", 39, "no '\\]'"),
        (f"DH[{H}", 2, "no '\\]'"),
        (f"DH[{H}]\r\nDS[12\r\n3\u00df]", 46, "'ß'"),
        (f"DH[{H}0]DS[12]", 3, "got 33"),
        (f"DH[{H[1:]}Z]DS[12]", 34, "'Z'"),
        (f"\nDH[{H}]\n", 1, "DS"),
        (f"DH[{H}]DS[12]]", 42, "property"),
        (f"DH[{H}]DS[12]\r\rXX[ż][ż]*", 52, "'\\*'"),
        (f"DH[{H}]DS[]", 39, "empty"),
        (f"DH[{H}]DS[12][34]", 42, "second value"),
        ("(;FF[4])", 0, "property"),
    ],
)
def test_parser_places_mistakes(text, index, message):
    with pytest.raises(ValueError, match=message) as caught:
        parse_log(text)
    line, column = reference.position(text, index)
    assert str(caught.value).startswith(f"text line {line}, column {column} must ")


def refused_or_read(text):
    """Parsing ends, and an error has a place inside the text; returns whether it was read."""
    try:
        parsed = parse_log(text)
    except ValueError as error:
        message = str(error)
        line, column = map(int, PLACE.search(message).groups())
        lines = re.split(
            b"\r\n|\r|\n", text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
        )
        assert 1 <= line <= len(lines)
        assert 1 <= column <= len(lines[line - 1]) + 1
        assert len(message) < 300
        return False
    assert parse_log(fpclub.write_log(parsed)) == parsed
    return True


pieces = st.sampled_from([*"[]\\7\r é\0\ufeffX", "DH", "DS", "MI", H, "123456", "\r\n", "length:0"])


@given(st.lists(pieces, max_size=30).map("".join) | st.text(st.characters(exclude_categories=["Cs"])))
@settings(max_examples=300, deadline=None)
def test_hostile_text(text):
    refused_or_read(text)


@given(st.binary() | st.lists(st.binary(max_size=3) | pieces.map(str.encode), max_size=20).map(b"".join))
@settings(max_examples=300, deadline=None)
def test_hostile_bytes(text):
    refused_or_read(text)


@given(st.integers(0, 600), st.integers(0, 30), st.text(st.characters(exclude_categories=["Cs"]), max_size=5))
@settings(max_examples=200, deadline=None)
def test_damaged_record(start, length, put_in):
    text = reference.PRINTED_RECORD
    refused_or_read(text[:start] + put_in + text[start + length :])


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp500"])
def test_other_encodings_are_refused(encoding):
    assert not refused_or_read(reference.PRINTED_RECORD.encode(encoding))


def test_latin_1_is_refused_where_it_is_not_utf_8():
    with pytest.raises(ValueError, match="text line 9, column 4 must be UTF-8 text, got the byte 0xe9"):
        parse_log((reference.PRINTED_RECORD + "\nPB[é]").encode("latin-1"))


@pytest.mark.one_case_in(2)
@pytest.mark.parametrize(
    "piece", ["[", "]", "X[", "X[]", "\\", "\n", "DS[", "X[\\", "1", "DH[0", "A", "\0", "ж"]
)
def test_megabytes_of_junk(piece):
    refused_or_read(piece * (2_000_000 // len(piece)))
    refused_or_read(reference.PRINTED_RECORD + piece * (400_000 // len(piece)))


# Walk-throughs


def test_combined_dice_are_explained():
    dice = fpclub.Combined("31 23", "45 56")
    walk = dice.explain("16 15")
    assert isinstance(walk, pf.walkthrough.Walkthrough)
    assert walk.outcome == walk.digits == dice.digits == "1613"
    pairs = zip((3, 1, 2, 3), (4, 5, 5, 6), strict=True)
    assert [step.result for step in walk.steps] == [reference.combine(*pair) for pair in pairs]
    assert [step.index for step in walk.steps if step.differs] == dice.differences("16 15").tolist() == [3]
    assert str(walk).count("the log has [5]") == 1
    assert "<mark>[5]</mark>" in walk._repr_html_()
    assert json.loads(json.dumps(walk.to_dict()))["steps"][3]["logged"] == 5
    assert pickle.loads(pickle.dumps(walk)) == walk == dice.explain([[1, 6], [1, 5]])
    assert walk != dice.explain()
    long = fpclub.Combined("1" * 100, "6" * 100).explain("1" * 99 + "6")
    assert "... 59 more dice" in str(long)
    assert "the log has [6]" in str(long)
    assert long.text(full=True).count("\n   die ") == 100
    with pytest.raises(ValueError, match=r"^throws line 1, column 3 must go on"):
        dice.explain("16")


@pytest.mark.parametrize("algorithm", ["md5", "sha256"])
def test_hashed_dice_are_explained(algorithm):
    dice = HashedDice("56354324", hash=algorithm)
    walk = dice.explain()
    assert isinstance(walk, pf.walkthrough.Walkthrough)
    assert walk.outcome == walk.hash == hashlib.new(algorithm, b"56354324").hexdigest()
    assert walk.committed is None
    for published, right in ((dice.hash, True), ("0" * len(dice.hash), False)):
        walk = dice.explain(published)
        assert walk.committed is right
        assert walk == dice.check(published)
        assert walk.ok is right
        assert walk.expected in str(walk)
        assert ("MISMATCH" in str(walk)) is not right
        assert walk.to_dict()["committed"] is right
    assert "insert a 2 at index 6" in str(HashedDice("5635434").explain(HashedDice("56354324").hash))
    with pytest.raises(ValueError, match=r"^expected line 1, column 1"):
        dice.explain("xyz")


def test_text_is_combined_as_faces():
    assert combine("31", "45").tolist() == combine([3, 1], [4, 5]).tolist() == [1, 6]
    assert combine("31", 6).tolist() == [3, 1]
    with pytest.raises(ValueError, match=r"^second .*'7'"):
        combine("31", "47")


# Laws


VALUES = {
    "pair": lambda a, b: 10 * max(a, b) + min(a, b),
    "sum": lambda a, b: a + b,
    "doubles": lambda a, b: int(a == b),
    "pips": lambda a, b: 2 * (a + b) if a == b else a + b,
    "face": lambda a, b: a,
}


@pytest.mark.parametrize("of", VALUES)
def test_a_value_of_a_throw_has_one_law_in_every_view(of):
    dice, value = fpclub.Dice(), VALUES[of]
    counted = Counter(value(a, b) for a, b in PAIRS)
    for law in (dice.distribution(of=of), dice.distribution("as_drawn", of=of)):
        assert [*law] == [(outcome, Fraction(count, 36)) for outcome, count in sorted(counted.items())]
        assert law.outcomes.dtype == np.int64
    throws = dice.simulate(500, seed=3)
    seen = [value(a, b) for a, b in throws.tolist()]
    assert dice.observe(throws, of=of).tolist() == seen
    tally = dice.tally(500, seed=3, of=of)
    assert dict(zip(tally.outcomes.tolist(), tally.counts.tolist(), strict=True)) == Counter(seen)
    bet = dice.bet(lambda outcomes: outcomes, of=of)
    assert bet.exact_rtp == Fraction(sum(outcome * count for outcome, count in counted.items()), 36)
    assert bet.simulate(500, seed=3).tolist() == seen


def test_a_throw_is_a_game_like_any_other():
    dice = fpclub.Dice()
    throw = dice.distribution()
    assert throw.outcomes.tolist() == PAIRS
    assert set(throw.weights) == {1}
    for nonce in range(200):
        expected = reference.md5_dice(f"server seed:{nonce}", 2)
        assert "".join(map(str, dice.play("server seed", nonce))) == expected
    assert pickle.loads(pickle.dumps(dice)) == dice == parse_game("fpclub.dice")
    log = dice.simulate(300, as_frame="pandas")
    assert pf.verify(log, dice).ok
    log.at[7, "outcome"] = [7 - face for face in log.at[7, "outcome"]]
    assert pf.verify(log, "fpclub.dice").mask.nonzero()[0].tolist() == [7]
    walk = dice.explain("server seed", nonce=1)
    assert walk.outcome.tolist() == dice.play("server seed", nonce=1).tolist()
    assert hashlib.md5(b"server seed:1:0").hexdigest() in walk.text()
    for refused in ("x", 5, ["sum"]):
        with pytest.raises((ValueError, TypeError), match=r"^of must be"):
            dice.tally(10, of=refused)
