"""FPClub's dice against plain Python, the documents' figures and hostile input."""

import hashlib
import json
import pickle
import re
from collections import Counter
from fractions import Fraction
from itertools import groupby, product
from math import comb

import numpy as np
import provably_fair as pf
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from oracles import fpclub as reference
from provably_fair.names import parse_game
from provably_fair.operators import fpclub
from provably_fair.operators.fpclub import (
    HashedDice,
    HashedGame,
    Match,
    Record,
    Sequence,
    combine,
    complete,
    parse_log,
)

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


def test_document_examples():
    assert combine([3, 1], [4, 5]).tolist() == [1, 6]
    # The other two examples are printed as 51 and 55, against the document's own rule ...
    assert combine([4, 6], [2, 1]).tolist() == [6, 1]
    assert combine([2, 3], [5, 6]).tolist() == [1, 3]
    # ... and come out as printed only for other pairs.
    assert combine([4, 6], [1, 1]).tolist() == [5, 1]
    assert combine([2, 5], [3, 6]).tolist() == [5, 5]


def test_printed_table():
    # The document's cells; 0 for the two lost in print.
    printed = ["234501", "345612", "456103", "561234", "612345", "123456"]
    table = np.asarray(fpclub.TABLE)
    legible = [
        (a, b, int(cell)) for a, row in enumerate(printed) for b, cell in enumerate(row) if cell != "0"
    ]
    assert len(legible) == 34
    assert all(table[a, b] == cell for a, b, cell in legible)
    assert fpclub.TABLE[1, 5] == 6
    assert fpclub.TABLE[3, 5] == 2
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
    assert complete(first, throws).tolist() == second.tolist()
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
        (-5, 1, ValueError, r"^first must be a face from 1 to 6, got -5"),
        ([1.0], 1, TypeError, r"^first must be integers from 1 to 6, got an array of float64"),
        (True, 1, TypeError, r"^first must be integers from 1 to 6, got bool"),
        ("37", 1, ValueError, r"^first line 1, column 2 .*'7'"),
        (1, None, TypeError, r"^second must be integers from 1 to 6, got NoneType"),
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


# Sequences


def test_md5_generator_follows_its_description():
    for seed in ["", "abc", "жук", 12, "12"]:
        assert Sequence.md5(seed).digits == reference.md5_dice(str(seed))
    assert Sequence.md5("жук") == Sequence.md5("жук".encode())
    assert Sequence.md5("a") != Sequence.md5("b")


def test_generators_are_uniform():
    md5 = [pair for seed in range(100) for pair in Sequence.md5(seed)]
    system = [pair for seed in range(100) for pair in Sequence.system(rng=seed)]
    for pairs in (md5, system):
        assert chi_square(pairs, PAIRS) < P_001[35]
        assert chi_square([face for pair in pairs for face in pair], FACES) < P_001[5]


def test_system_generator():
    assert Sequence.system() != Sequence.system()
    assert Sequence.system(rng=5) == Sequence.system(rng=np.random.default_rng(5))
    generator = np.random.default_rng(5)
    assert Sequence.system(rng=generator) != Sequence.system(rng=generator)
    data = np.random.default_rng(5).bytes(512 + 512 // 32 + 16)
    assert Sequence.system(rng=5).digits == reference.dice_of_bytes(data)[:512]
    for wrong in ("x", 1.5, True):
        with pytest.raises(TypeError, match=r"^rng must be an integer"):
            Sequence.system(rng=wrong)
    with pytest.raises(ValueError, match=r"^rng must be"):
        Sequence.system(rng=-1)


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60), st.integers(1, 512))
@example("31 45\n", 200)
@example("\x1c\x85\u200b\u3000!", 512)
@settings(deadline=None)
def test_format(typed, times):
    typed *= times
    expected = reference.format_typed(typed)
    if len(expected) < 512:
        with pytest.raises(ValueError, match=rf"^typed must hold 512 .*: {512 - len(expected)} more"):
            Sequence.from_text(typed)
    else:
        made = Sequence.from_text(typed)
        assert made.digits == expected[:512]
        assert Sequence.from_text(made.digits) == made
        assert Sequence.from_text(str(made)) == made


def test_format_refuses():
    with pytest.raises(TypeError, match=r"^typed must be str"):
        Sequence.from_text(5)
    with pytest.raises(ValueError, match=r"^typed must be text that UTF-8 can encode"):
        Sequence.from_text("\ud800" * 600)


def test_sequence_construction():
    sequence = Sequence.md5(1)
    assert Sequence(sequence.pairs) == Sequence(sequence.digits) == Sequence(f" {sequence}\r\n") == sequence
    assert sequence.pairs.dtype == np.int64
    assert sequence.pairs.shape == (256, 2)
    assert sequence.pairs.tolist() == [list(pair) for pair in sequence]
    assert sequence[255] == tuple(sequence.pairs[255])
    assert len(sequence) == 256
    assert "".join(f"{a}{b}" for a, b in sequence) == sequence.digits
    with pytest.raises(ValueError, match="line 1, column 3 must go on: it ends after 2 digits of 512"):
        Sequence("12")
    with pytest.raises(ValueError, match=r"^digits must hold 512 dice, got 2"):
        Sequence([1, 2])
    with pytest.raises(ValueError, match=r"^digits\[0, 1\] must be a face"):
        Sequence([[1, 7]])


def test_values_are_immutable_and_picklable(tmp_path):
    sequence = Sequence.md5(1)
    dice = HashedDice("123", hash="sha256")
    record = dice.record(length=3)
    values = [
        sequence,
        Match(sequence, Sequence.md5(2), "first"),
        dice,
        record,
        fpclub.Combined("12", "34"),
        dice.check("0" * 64),
        HashedDice("12").check(HashedDice("122").hash).repair,
        fpclub.TABLE,
    ]
    for value in values:
        assert pickle.loads(pickle.dumps(value)) == value
        assert hash(pickle.loads(pickle.dumps(value))) == hash(value)
        assert repr(value)
        assert str(value)
        with pytest.raises((AttributeError, TypeError)):
            value.digits = "1"
    with pytest.raises(ValueError, match="read-only"):
        sequence.pairs[0] = 1
    for value in (*values[:4], values[5]):
        assert value._repr_html_().startswith("<")


def test_save_and_load(tmp_path):
    path = tmp_path / "dice.txt"
    sequence = Sequence.system()
    sequence.save(path)
    assert Sequence.load(path) == sequence
    assert Sequence.load(str(path)) == sequence
    assert path.read_bytes().count(b"\n") == 16
    path.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(sequence.digits).encode())
    assert Sequence.load(path) == sequence


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
def test_load_places_mistakes(tmp_path, data, place, message):
    path = tmp_path / "dice.txt"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=message) as caught:
        Sequence.load(path)
    assert str(caught.value).startswith("path line {}, column {} must ".format(*place))


@given(st.integers(0, 255), st.sampled_from(PAIRS))
@settings(deadline=None)
def test_edit(index, pair):
    sequence = Sequence.md5("edit")
    edited = sequence.edit(index, pair)
    assert edited[index] == pair
    expected = list(sequence)
    expected[index] = pair
    assert list(edited) == expected
    assert sequence.edit(index, "{}{}".format(*pair)) == edited


@pytest.mark.parametrize(
    ("index", "pair"), [(256, "11"), (-1, "11"), (0, "1"), (0, "17"), (0, (1, 2, 3)), (0, (0, 1))]
)
def test_edit_refuses(index, pair):
    with pytest.raises(ValueError, match=r"^(index|pair)"):
        Sequence.md5(0).edit(index, pair)


def test_repeats_and_doubles():
    made = Sequence.from_text("11" * 3 + "12" + "21" * 2 + "12" * 249 + "66")
    assert made.repeats() == [(0, 3, (1, 1)), (4, 2, (2, 1)), (6, 249, (1, 2))]
    assert made.doubles().tolist() == [0, 1, 2, 255]
    for seed in range(50):
        sequence = Sequence.md5(seed)
        assert sequence.repeats() == reference.runs(list(sequence))
        assert sequence.doubles().tolist() == [i for i, (a, b) in enumerate(sequence) if a == b]


def test_commitments():
    sequence = Sequence.md5("x")
    plain = hashlib.sha256(sequence.digits.encode()).hexdigest()
    salted = hashlib.sha256(f"{sequence.digits}:żółw".encode()).hexdigest()
    assert sequence.commitment() == plain
    assert sequence.commitment("żółw") == salted
    assert sequence.check_commitment(plain.upper())
    assert sequence.check_commitment(salted, "żółw")
    assert not sequence.check_commitment(salted)
    assert not sequence.edit(9, (7 - sequence[9][0], 1)).check_commitment(plain)
    assert not any(sequence.check_commitment(wrong) for wrong in ("0" * 32, "x" * 64, "", plain + "0"))
    with pytest.raises(TypeError, match=r"^nonce must be str"):
        sequence.commitment(5)


# Matches


@pytest.fixture
def sequences():
    return Sequence.md5("first"), Sequence.md5("second")


def test_match_throws_in_order(sequences):
    match = Match(*sequences, first_move="second")
    throws = list(match)
    assert len(throws) == len(match) == 256
    assert [throw.number for throw in throws] == list(range(256))
    for number, throw in enumerate(throws):
        assert throw == match[number]
        assert throw.player == ("second", "first")[number % 2]
        assert throw.first == sequences[0][number]
        assert throw.second == sequences[1][number]
        assert throw.dice == tuple(
            reference.combine(*pair) for pair in zip(throw.first, throw.second, strict=True)
        )
    assert match.throws.tolist() == [list(throw.dice) for throw in throws]
    with pytest.raises(IndexError, match="end after 256 pairs"):
        match[256]
    with pytest.raises(ValueError, match=r"^index must be"):
        match[-1]
    with pytest.raises(TypeError, match=r"^index must be an integer"):
        match["0"]


def test_rows_of_faces_are_of_one_length():
    for name, call in (
        ("first", lambda faces: combine(faces, 1)),
        ("throws", lambda faces: complete(1, faces)),
        ("digits", HashedDice),
        ("digits", Sequence),
    ):
        with pytest.raises(ValueError, match=rf"^{name} must be .*rows of different lengths"):
            call([[1, 2], [3]])


@pytest.mark.parametrize("index", [-1, -256, 256, 2**70])
def test_a_sequence_ends(sequences, index):
    with pytest.raises(ValueError, match=rf"^index must be from 0 to 255, got {index}"):
        sequences[0][index]
    with pytest.raises(ValueError, match=r"^index must be from 0 to 255"):
        sequences[0].edit(index, "11")
    assert sequences[0][np.int8(3)] == tuple(sequences[0].pairs[3].tolist())


def test_ticker(sequences):
    first, second = sequences
    match = Match(first.edit(0, "31").edit(1, "46"), second.edit(0, "45").edit(1, "21"))
    assert match.ticker(stop=2) == "31+45=16  46+21=61"
    assert match.ticker(1, 2) == str(match[1]) == "46+21=61"
    assert match.ticker(0, 0) == ""
    assert len(match.ticker().split()) == 256


def test_first_move(sequences):
    drawn = [Match(*sequences, rng=seed).first_move for seed in range(400)]
    assert 150 < drawn.count("first") < 250
    assert drawn.count("first") + drawn.count("second") == 400
    assert drawn == [Match(*sequences, rng=seed).first_move for seed in range(400)]
    assert {Match(*sequences).first_move for _ in range(64)} == {"first", "second"}

    match = Match(*sequences)
    for number, winner in enumerate(["second", "second", "first"], 2):
        match = match.next_game(winner, Sequence.system(), Sequence.system())
        assert match.first_move == winner
        assert match[0].player == winner
        assert match.game == number


def test_each_game_needs_new_sequences(sequences):
    match = Match(*sequences)
    with pytest.raises(ValueError, match=r"^first must be a new sequence"):
        match.next_game("first", sequences[0], Sequence.system())
    with pytest.raises(ValueError, match=r"^second must be a new sequence"):
        match.next_game("first", Sequence.system(), sequences[1])


def test_match_refuses(sequences):
    with pytest.raises(TypeError, match=r"^second must be a Sequence"):
        Match(sequences[0], sequences[1].digits)
    for wrong in ("third", ""):
        with pytest.raises(ValueError, match=r"^first_move must be one of 'first', 'second'"):
            Match(*sequences, wrong)
    with pytest.raises(TypeError, match=r"^first_move must be str, got int"):
        Match(*sequences, 1)
    with pytest.raises(ValueError, match=r"^winner must be"):
        Match(*sequences).next_game("nobody", Sequence.system(), Sequence.system())


def test_commit_and_reveal(sequences):
    first, second = sequences
    commitments = first.commitment("a"), second.commitment("b")
    match = Match.replay(first, second, commitments=commitments, nonces=("a", "b"), first_move="first")
    assert match == Match(first, second, "first")
    with pytest.raises(ValueError, match=r"^first must have commitment .*, got"):
        Match.replay(first, second, commitments=commitments, nonces=("", "b"))
    # The same commitment twice, however it is written.
    one = first.commitment("a")
    for copied in (one, f" {one.upper()} ", one.encode(), np.array(one)):
        with pytest.raises(ValueError, match="commitments must differ"):
            Match.replay(first, first, commitments=(one, copied), nonces=("a", "a"))

    # The server's cheat: having seen the first player's sequence, it picks the throws.
    wanted = Sequence.from_text("66" * 100 + "11" * 156)
    cheat = fpclub.rig(first, wanted.digits)
    assert Match(first, cheat).throws.tolist() == wanted.pairs.tolist()
    with pytest.raises(ValueError, match=r"^second must have commitment .*, got"):
        Match.replay(first, cheat, commitments=commitments, nonces=("a", "b"))

    # The player's cheat: copying the other's commitment, and the sequence once it is shown.
    assert (Match(first, first).throws % 2 == 0).all()
    with pytest.raises(ValueError, match=r"^commitments must differ"):
        Match.replay(first, first, commitments=(first.commitment(), first.commitment().upper()))
    for wrong in ({"commitments": commitments[:1]}, {"commitments": commitments, "nonces": "ab"}):
        with pytest.raises(ValueError, match=r"^(commitments|nonces) must be two"):
            Match.replay(first, second, **wrong)


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


@pytest.mark.parametrize(
    ("sides", "error", "message"),
    [
        (([1] * 5,), ValueError, "^first must have the shape"),
        (([1] * 6, [[1] * 6] * 6), ValueError, "^second must have the shape of first"),
        (([0] * 6,), ValueError, "^first must have a weight above 0"),
        (([1, 1, 1, 1, 1, -1],), ValueError, r"^first\[5\] must be at least 0"),
        (([1] * 6, [0.5] * 6), TypeError, r"^second\[0\] must be an integer"),
    ],
)
def test_combined_law_refuses(sides, error, message):
    with pytest.raises(error, match=message):
        fpclub.combined_law(*sides)


def test_uniformity_on_data():
    uniform = np.random.default_rng(2024).integers(1, 7, (100_000, 2))
    lazy = np.full_like(uniform, 6)
    biased = np.random.default_rng(1).choice(np.arange(1, 7), uniform.shape, p=[0.5, 0.1, 0.1, 0.1, 0.1, 0.1])
    # A player that responds to the last throw: it knows the past, but not the uniform player's next pair.
    adaptive = np.vstack([[1, 1], combine(uniform[:-1], biased[:-1])])
    for other in (lazy, biased, adaptive):
        assert chi_square([tuple(throw) for throw in combine(uniform, other).tolist()], PAIRS) < P_001[35]
        assert chi_square([tuple(throw) for throw in combine(other, uniform).tolist()], PAIRS) < P_001[35]
    # Without independence, throws aren't uniform at all.
    assert chi_square([tuple(throw) for throw in combine(uniform, uniform).tolist()], PAIRS) > 10**5


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
    for wrong, message in [
        ("", "must not be empty"),
        ("17", "line 1, column 2 .* got '7'"),
        ([0], "face"),
        ([], "must not be empty"),
    ]:
        with pytest.raises(ValueError, match=f"^digits.*{message}"):
            HashedDice(wrong)
    with pytest.raises(TypeError, match=r"^digits"):
        HashedDice(1.5)
    with pytest.raises(ValueError, match=r"^hash must be one of 'md5', 'sha256', got 'sha1'"):
        HashedDice("12", hash="sha1")
    for wrong in (b"md5", 5, None, ["md5"]):
        for make, dice in (HashedDice, "12"), (HashedDice.generate, 2), (HashedGame, 2):
            with pytest.raises(TypeError, match=rf"^hash must be str, .*got {type(wrong).__name__}"):
                make(dice, hash=wrong)
    assert type(HashedDice("12", hash=np.str_("md5")).algorithm) is str


def test_generate():
    assert len(HashedDice.generate()) == 512
    assert HashedDice.generate() != HashedDice.generate()
    assert HashedDice.generate(64, 3) == HashedDice.generate(64, rng=np.random.default_rng(3))
    assert HashedDice.generate(2, hash="sha256").algorithm == "sha256"
    rolls = [tuple(roll) for roll in HashedDice.generate(100_000, 8).rolls.tolist()]
    assert chi_square(rolls, PAIRS) < P_001[35]
    for wrong in (0, -2, 7):
        with pytest.raises(ValueError, match=r"^dice must be"):
            HashedDice.generate(wrong)
    with pytest.raises(TypeError, match=r"^dice must be an integer"):
        HashedDice.generate(2.0)


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
    for wrong in ("", "0" * 31, "g" * 32, "é" * 32, "\ud800" * 32):
        with pytest.raises(ValueError, match=r"^expected"):
            dice.check(wrong)
    with pytest.raises(TypeError, match=r"^expected must be str"):
        dice.check(None)


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


def test_writer_and_parser_refuse_other_types():
    for wrong in (None, 5, [1]):
        with pytest.raises(TypeError, match=r"^text must be str or bytes"):
            parse_log(wrong)
    with pytest.raises(TypeError, match=r"^records\[0\] must be a Record"):
        fpclub.write_log(["x"])
    with pytest.raises(ValueError, match=r"^text must be text that UTF-8 can encode"):
        parse_log("\ud800")
    with pytest.raises(ValueError, match=r"^game must be at least 0"):
        HashedDice("12").record(game=-1)


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


pieces = st.sampled_from(
    [
        "DH",
        "DS",
        "MI",
        "[",
        "]",
        "\\",
        H,
        "123456",
        "7",
        "\r\n",
        "\r",
        " ",
        "length:0",
        "é",
        "\0",
        "\ufeff",
        "X",
    ]
)


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


def test_long_sequence_is_read_and_not_searched():
    (record,) = parse_log(f"DH[{H}]DS[{'123456' * 500_000}]")
    assert not record.check().searched


# The server's side


def test_exhausted_sequences_are_registered_and_followed():
    game = HashedGame(dice=6, rng=11, length=7, game=2, ws=1)
    shown, rolls = [], []
    for _ in range(10):
        shown.append(game.hash)
        rolls.append(game.roll())
    # After 10 rolls three sequences of three rolls are registered, and the fourth is in use.
    assert len(game.records) == 3
    assert [hash for hash, _ in groupby(shown)] == [r.expected for r in game.records] + [game.hash]
    game.finish()
    game.finish()
    assert len(game.records) == 4
    assert all(record.check().ok for record in game.records)
    assert [tuple(roll) for record in game.records for roll in record.dice.rolls.tolist()][:10] == rolls
    assert len({record.digits for record in game.records}) == 4
    assert game.records[0].info == {"length": "7", "game": "2", "ws": "1", "bs": "0"}
    assert parse_log(game.log) == list(game.records)
    with pytest.raises(ValueError, match=r"^roll must come before finish"):
        game.roll()


def test_new_hash_is_shown_before_its_first_roll():
    # With two dice, the next sequence is the same in one game of 36.
    game = HashedGame(dice=2, rng=1, hash="sha256")
    before = game.hash
    game.roll()
    assert game.records[0].expected == before
    after = game.hash
    assert after != before
    game.roll()
    assert game.records[1].expected == after
    assert len(after) == 64
    assert "2 registered" in repr(game)


def test_hashed_game_refuses():
    for options in ({"dice": 3}, {"hash": "crc"}, {"bs": -1}, {"rng": -1}):
        with pytest.raises(ValueError, match=f"^{next(iter(options))}"):
            HashedGame(**options)


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
        assert walk.check == dice.check(published)
        assert str(walk.check.expected) in str(walk)
        assert ("MISMATCH" in str(walk)) is not right
        assert json.loads(json.dumps(walk.to_dict()))["committed"] is right
        assert pickle.loads(pickle.dumps(walk)) == walk
        assert "white-space:pre" in walk._repr_html_()
    assert "insert a 2 at index 6" in str(HashedDice("5635434").explain(HashedDice("56354324").hash))
    with pytest.raises(ValueError, match=r"^expected line 1, column 1"):
        dice.explain("xyz")


def test_text_is_combined_as_faces():
    assert combine("31", "45").tolist() == combine([3, 1], [4, 5]).tolist() == [1, 6]
    assert complete(b"3 1", [1, 6]).tolist() == [4, 5]
    assert combine("31", 6).tolist() == [3, 1]
    with pytest.raises(ValueError, match=r"^second .*'7'"):
        combine("31", "47")


# Laws


def as_dict(law):
    assert isinstance(law, pf.Distribution)
    outcomes, weights = law.outcomes, law.weights
    assert outcomes.dtype == np.int64
    assert all(type(weight) is int for weight in weights)
    assert outcomes.tolist() == sorted(set(outcomes.tolist()))
    return dict(zip(outcomes.tolist(), weights, strict=True))


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
        exact = {outcome: Fraction(weight, law.total) for outcome, weight in as_dict(law).items()}
        assert exact == {outcome: Fraction(count, 36) for outcome, count in counted.items()}
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
            dice.bet(2, of=refused)
        with pytest.raises((ValueError, TypeError), match=r"^of must be"):
            dice.tally(10, of=refused)


def test_laws_by_counting():
    for dice in range(1, 6):
        assert as_dict(fpclub.sum_law(dice)) == Counter(map(sum, product(FACES, repeat=dice)))
    for throws in range(4):
        counted = Counter(sum(a == b for a, b in made) for made in product(PAIRS, repeat=throws))
        scale = 6**throws
        assert as_dict(fpclub.doubles_law(throws)) == {k: Fraction(v, scale) for k, v in counted.items()}


def test_laws_sum_exactly():
    assert sum(fpclub.sum_law(200).weights) == 6**200
    weights = fpclub.doubles_law(256).weights
    assert sum(weights) == 6**256
    assert weights[43] == comb(256, 43) * 5**213
    for law, argument in ((fpclub.sum_law, "dice"), (fpclub.doubles_law, "throws")):
        with pytest.raises(ValueError, match=f"^{argument} must be"):
            law(-1)
