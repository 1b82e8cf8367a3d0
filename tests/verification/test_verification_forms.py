"""A log's columns in every form, with cells of every type: the same verdict."""

from __future__ import annotations

import hashlib
import json
from decimal import Decimal
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest
from oracles import salted as reference
from provably_fair.operators import crypto_games, fpclub
from seeds.test_generator import FORMS as OF_SEEDS

pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

SALTS = reference.salts(30)
OUTCOMES = [reference.dice("s", "c", salt) for salt in SALTS]
OUTCOMES[7] = round((OUTCOMES[7] + 1) % 100, 2)
WRONG = [(7, "mismatch")]


def verdict(log, game=None, **options):
    report = pf.verify(log, game or pf.Dice(), **options)
    assert report.ok == (not report.failures)
    assert ("ok" if report.ok else "failed") in repr(report)
    assert json.loads(report.to_json())["failed"] == report.failed
    assert str(report).startswith("verdict")
    return [(failure.row, failure.kind) for failure in report.failures]


def log_of(**columns):
    return {"server_seed": "s", "client_seed": "c", "salt": SALTS, "outcome": OUTCOMES, **columns}


class Sequence:
    """A sequence that is neither a list nor of any library."""

    def __init__(self, cells):
        self._cells = cells

    def __len__(self):
        return len(self._cells)

    def __getitem__(self, index):
        return self._cells[index]


FORMS = OF_SEEDS | {"iterator": iter, "sequence": Sequence}


@pytest.mark.parametrize("form", FORMS)
def test_seeds_in_every_form(form):
    assert verdict(log_of(salt=FORMS[form](SALTS))) == WRONG


@pytest.mark.parametrize("kind", ["Int128", "UInt128"])
def test_polars_integers_too_wide_for_numpy(kind):
    if not hasattr(pl, kind):
        pytest.skip(f"this Polars has no {kind}")
    outcomes = pf.X50().play(salt=SALTS)
    frame = pl.DataFrame({"salt": SALTS, "outcome": pl.Series(outcomes).cast(getattr(pl, kind))})
    assert pf.verify(frame, pf.X50()).ok
    outcomes[7] += 1
    frame = frame.with_columns(outcome=pl.Series(outcomes).cast(getattr(pl, kind)))
    assert [failure.row for failure in pf.verify(frame, pf.X50()).failures] == [7]
    # As salts they are refused, as other integers are.
    for kind_of_salts in (getattr(pl, kind), pl.Int64):
        with pytest.raises(pf.LogError, match="column 'salt': salt must be text"):
            pf.verify(frame.with_columns(salt=frame["outcome"].cast(kind_of_salts)), pf.X50())


NUMBERS = {
    "text": lambda: [f"{outcome:.2f}" for outcome in OUTCOMES],
    "bytes": lambda: [f"{outcome:.2f}".encode() for outcome in OUTCOMES],
    "decimals": lambda: [Decimal(f"{outcome:.2f}") for outcome in OUTCOMES],
    "numpy": lambda: np.array(OUTCOMES),
    "numpy floats": lambda: list(np.array(OUTCOMES)),
    "numpy objects": lambda: np.array(OUTCOMES, dtype=object),
    "pandas": lambda: pd.Series(OUTCOMES),
    "pandas nullable": lambda: pd.Series(OUTCOMES, dtype="Float64"),
    "polars": lambda: pl.Series(OUTCOMES),
    "arrow": lambda: pa.array(OUTCOMES),
    "arrow text": lambda: pa.array([f"{outcome:.2f}" for outcome in OUTCOMES]),
}


@pytest.mark.parametrize("form", NUMBERS)
def test_outcomes_in_every_form(form):
    assert verdict(log_of(outcome=NUMBERS[form]())) == WRONG


@pytest.mark.parametrize("value", ["s", b"s", np.str_("s"), np.bytes_(b"s"), np.array("s"), np.array(b"s")])
def test_constants(value):
    assert verdict(log_of(server_seed=value)) == WRONG


def test_lines_of_json_may_begin_with_a_mark_and_be_empty(tmp_path):
    lines = pd.DataFrame(log_of()).to_json(orient="records", lines=True)
    (tmp_path / "log.jsonl").write_text("\ufeff\n" + lines.replace("\n", "\n\n"), encoding="utf-8")
    assert verdict(tmp_path / "log.jsonl") == WRONG


def test_cells_that_cannot_be_read():
    outcomes = list(OUTCOMES)
    outcomes[0:6] = [b"\xff", True, float("inf"), "1" * 500, object(), None]
    expected = [(row, "malformed") for row in range(5)] + [(5, "missing"), *WRONG]
    assert verdict(log_of(outcome=outcomes)) == expected
    salts = list(SALTS)
    salts[0:3] = [7, "\ud800", None]
    assert verdict(log_of(salt=salts)) == [(0, "malformed"), (1, "malformed"), (2, "missing"), *WRONG]
    arrow = pa.array([None, *SALTS[1:]])
    assert verdict(log_of(salt=arrow)) == [(0, "missing"), *WRONG]
    nothing = pa.nulls(30)
    assert verdict(log_of(salt=nothing)) == [(row, "missing") for row in range(30)]


def test_columns_that_cannot_be_read():
    for salts in (np.array([SALTS]).T, 5):
        with pytest.raises((TypeError, ValueError), match="salt"):
            verdict(log_of(salt=salts))
    with pytest.raises(ValueError, match="equally long"):
        verdict(log_of(salt=SALTS[1:]))
    with pytest.raises(ValueError, match=r"no column of rows, only single values: 'outcome': \[\.\.\.\]"):
        verdict({"server_seed": "s", "client_seed": "c", "salt": "x", "outcome": 1.0})
    with pytest.raises(
        TypeError, match=r"columns, as in \{'server_seed': \[\.\.\.\]\}, a value for each row"
    ):
        pf.verify(pf.Dice(), server_seed="s", client_seed="c", salt="x", outcome=1.0)
    with pytest.raises(TypeError, match=r"columns\['salt'\] must be a column's name, got int"):
        verdict(log_of(), columns={"salt": 3})
    with pytest.raises(TypeError, match="log must be a path"):
        verdict(3)


def test_vectors_in_every_form():
    boards = [reference.mines("s", "c", salt, 3) for salt in SALTS]
    boards[7] = boards[7][::-1]
    flat = pa.array([cell for board in boards for cell in board])
    arrays = np.empty(30, dtype=object)
    arrays[:] = [np.array(board) for board in boards]
    forms = [
        boards,
        [tuple(board) for board in boards],
        [str(board) for board in boards],
        [str(board).encode() for board in boards],
        np.array(boards),
        np.array(boards).ravel().reshape(30, 3).astype(np.int8),
        arrays,
        [np.array(board) for board in boards],
        pa.array(boards),
        pa.array(boards, pa.large_list(pa.int8())),
        pa.FixedSizeListArray.from_arrays(flat, 3),
        pl.Series(boards),
        pd.Series(boards),
    ]
    for outcome in forms:
        assert verdict(log_of(outcome=outcome), pf.Mines(mines=3), ordered=True) == WRONG, outcome
    for cell in ([1, "2", 3], [1, True, 3], [1, None, 3], {"a": 1}, "[1, 2", 5):
        wrong = [cell, *boards[1:]]
        assert verdict(log_of(outcome=wrong), pf.Mines(mines=3), ordered=True) == [
            (0, "malformed"),
            *WRONG,
        ], cell


# ---- the other systems ----

POKER = crypto_games.VideoPoker()
CLIENTS = [f"client {i}" for i in range(5)]


def objects(values):
    """A column of objects, as pandas reads lists from Parquet."""
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


CARDS = [
    *(rank + suit for suit in "♠♥♦♣" for rank in ("A", *map(str, range(2, 11)), *"JQK")),
    "joker",
    "joker",
]
JOKERS = {
    "one joker": pf.cards.PAYTABLES["joker_poker"],
    "two jokers": pf.cards.Paytable(wild="joker", jokers=2),
}


@pytest.mark.parametrize("name", [*pf.cards.PAYTABLES, "two jokers"])
def test_a_log_of_every_paytable_is_verified_as_it_is_simulated(name, tmp_path):
    game = POKER.with_table(pf.cards.VideoPoker((pf.cards.PAYTABLES | JOKERS)[name]))
    frame = game.simulate(300, seed=5, strategy="optimal", as_frame="pandas")
    assert frame["outcome"].str.contains("joker").any() == bool(game.table.jokers)
    frame.to_csv(tmp_path / "log.csv", index=False)
    frame.to_json(tmp_path / "log.jsonl", orient="records", lines=True)
    frame.to_parquet(tmp_path / "log.parquet")
    for log in (
        frame,
        pl.from_pandas(frame),
        *(tmp_path / f"log.{end}" for end in ("csv", "jsonl", "parquet")),
    ):
        assert verdict(log, game) == []


@pytest.mark.parametrize("name", JOKERS)
def test_jokers_by_name_and_by_number(name):
    from oracles import video_poker as oracle

    game = POKER.with_table(pf.cards.VideoPoker(JOKERS[name]))
    jokers, clients = game.table.jokers, [f"client {i}" for i in range(60)]
    dealt = [oracle.deal(oracle.digest("s", client), jokers) for client in clients]
    with_joker = [row for row, cards in enumerate(dealt) if max(cards) >= 52]
    assert len(with_joker) > 5

    def forms(hands):
        called = [[CARDS[card] for card in hand] for hand in hands]
        yield hands
        yield pa.array(hands)
        yield called
        yield [" ".join(hand) for hand in called]
        yield [json.dumps(hand) for hand in called]
        yield pa.array([json.dumps(hand) for hand in hands])
        yield ["\t".join(hand).replace("joker", "Joker").encode() for hand in called]

    for count in (5, 10):
        log = {"server_seed": "s", "client_seed": clients, "hold": [[1, 2, 3, 4, 5]] * len(clients)}
        hands = [cards[:count] for cards in dealt]
        wrong = [row for row in with_joker if max(hands[row]) >= 52]
        other = [[card - 52 if card >= 52 else card for card in hand] for hand in hands]
        for right, spoiled in zip(forms(hands), forms(other), strict=True):
            assert verdict(log | {"outcome": right}, game) == []
            assert verdict(log | {"outcome": spoiled}, game) == [(row, "mismatch") for row in wrong]
    # A game without jokers has no card of that name; and numbers distinguish two jokers.
    assert verdict(log | {"outcome": list(forms(hands))[3]}, POKER)[:1] == [(with_joker[0], "malformed")]
    swapped = [[105 - card if card >= 52 else card for card in hand] for hand in hands]
    assert verdict(log | {"outcome": swapped}, game) == [(row, "mismatch") for row in with_joker]


HOLDS = {
    "lists": lambda: [[1, 4]] * 5,
    "tuples": lambda: [(1, 4)] * 5,
    "JSON": lambda: ["[1, 4]"] * 5,
    "booleans": lambda: [[True, False, False, True, False]] * 5,
    "arrays": lambda: [np.array([1, 4])] * 5,
    "arrays of booleans": lambda: [np.array([True, False, False, True, False])] * 5,
    "array of arrays": lambda: objects([np.array([1, 4])] * 5),
    "array": lambda: np.array([[1, 4]] * 5),
    "pandas": lambda: pd.Series([np.array([1, 4])] * 5),
    "polars": lambda: pl.Series([[1, 4]] * 5),
    "arrow": lambda: pa.array([[1, 4]] * 5),
}


@pytest.mark.parametrize("form", HOLDS)
def test_holds_in_every_form(form):
    from oracles import video_poker as oracle

    finals = []
    for client in CLIENTS:
        cards = oracle.deal(oracle.digest("s", client))
        finals.append([cards[0], cards[5], cards[6], cards[3], cards[7]])
    finals[3] = finals[3][::-1]
    log = {"server_seed": "s", "client_seed": CLIENTS, "hold": HOLDS[form](), "outcome": finals}
    assert verdict(log, POKER) == [(3, "mismatch")]
    if form not in ("polars", "arrow"):
        hold = log.pop("hold")[0]
        assert verdict(log, POKER, constants={"hold": hold}) == [(3, "mismatch")]


@pytest.mark.parametrize("hold", [None, "", "  ", float("nan")])
def test_no_hold_is_the_best_one(hold):
    final = list(POKER.replay("s", "c").final)
    log = {"server_seed": ["s"], "client_seed": ["c"], "hold": [hold], "outcome": [final]}
    assert verdict(log, POKER) == []


BLACKJACK = crypto_games.Blackjack()
SHOE = BLACKJACK.play("server", "client").tolist()
"""A pair of nines."""


def failures(log, subject, **options):
    report = pf.verify(log, subject, **options)
    pf.verification.VerificationReport.to_json(report)
    return [(f.row, f.kind, f.column, f.found, f.expected) for f in report.failures]


ILLEGAL = "actions that these cards and the rules allow"
WORDS = (
    "words (hit, stand, double, split, surrender, insure, even_money) or letters (H, S, D, P, R, I, E), "
    "apart or together"
)


def poker_log(**columns):
    return {"server_seed": ["s"], "client_seed": ["c"], "outcome": [0], **columns}


def blackjack_log(**columns):
    return {"server_seed": ["server"], "client_seed": ["client"], "outcome": [-1], **columns}


@pytest.mark.parametrize("hold", ["7", {"1": 1}, "[" * 100_000, b"\xff", "[1e999]"])
def test_a_hold_that_cannot_be_read_is_the_cell_to_blame(hold):
    report = pf.verify(poker_log(hold=[hold]), POKER)
    [failure] = report.failures
    assert (failure.row, failure.kind, failure.column) == (0, "malformed", "hold")
    assert failure.expected.startswith("five flags (10110, H-HH- or booleans), cards of the hand")
    assert str(failure).startswith("row 0: malformed in column 'hold': found ")
    with pytest.raises(ValueError, match=r"row 0 can't be explained: hold must be "):
        report.explain()


@pytest.mark.parametrize(
    ("actions", "reason"),
    [
        (["foo"], "must be words"),
        ("split", "must go on"),
        ("stand hit", "must end"),
        ("[stand", "must be words"),
        ("[" * 100_000, "must be words"),
        (5, "must be"),
        (["stand", 5], "must be words"),
    ],
)
def test_actions_that_cannot_be_played_are_the_cell_to_blame(actions, reason):
    report = pf.verify(blackjack_log(actions=[actions]), BLACKJACK)
    [failure] = report.failures
    assert (failure.row, failure.kind, failure.column) == (0, "malformed", "actions")
    played = reason in ("must go on", "must end")
    assert failure.expected == (ILLEGAL if played else WORDS)
    with pytest.raises(ValueError, match=f"row 0 can't be explained: .*{reason}"):
        report.explain()
    # The shoe doesn't depend on them.
    assert failures(blackjack_log(actions=[actions], outcome=[SHOE]), BLACKJACK) == []


def test_what_a_log_has_is_what_was_found():
    log = blackjack_log(actions=[["foo"]])
    assert failures(log, BLACKJACK) == [(0, "malformed", "actions", "['foo']", WORDS)]
    log["did"] = log.pop("actions")
    assert failures(log, BLACKJACK, columns={"actions": "did"})[0][2] == "did"
    for actions in ("", "  ", None, []):
        found = [(0, "missing", "actions", actions, None)]
        assert failures(blackjack_log(actions=[actions]), BLACKJACK) == found
    assert failures(blackjack_log(), BLACKJACK) == [(0, "missing", "actions", None, None)]
    net = BLACKJACK.replay("server", "client", actions=["stand"]).net
    for outcome, kind in (("x", "malformed"), ("", "missing"), (None, "missing"), (net + 1, "mismatch")):
        log = blackjack_log(actions=["stand"], outcome=[outcome])
        assert failures(log, BLACKJACK) == [(0, kind, "outcome", outcome, net)]
    assert failures(blackjack_log(outcome=["x"]), BLACKJACK) == [(0, "malformed", "outcome", "x", SHOE)]
    log = blackjack_log(actions=["foo"], outcome=["x"])
    assert failures(log, BLACKJACK) == [(0, "malformed", "outcome", "x", None)]


def test_dice_that_cannot_be_read_are_the_cell_to_blame():
    hashed, combined = fpclub.HashedDice, fpclub.Combined
    right = hashed("5635").hash
    log = {"digits": ["5635", "5637", "", "5635", "5635"], "hash": [right, right, right, "x", " "]}
    assert failures(log, hashed) == [
        (1, "malformed", "digits", "5637", None),
        (2, "missing", "digits", "", None),
        (3, "malformed", "hash", "x", right),
        (4, "missing", "hash", " ", right),
    ]
    report = pf.verify(log, hashed)
    with pytest.raises(ValueError, match="row 1 can't be explained: digits line 1, column 4"):
        report.explain(1)
    assert failures({"digits": ["5635"], "hash": [None]}, hashed) == [(0, "missing", "hash", None, right)]
    with pytest.raises(ValueError, match="row 0 can't be explained: the hash must be text"):
        pf.verify({"digits": ["5635"], "hash": [None]}, hashed).explain()
    log = {
        "first": ["31", "3x", "31", "7", "", "31"],
        "second": ["45", "45", "4", "8", "45", "45"],
        "outcome": ["16", "16", "16", "16", "16", ""],
    }
    assert failures(log, combined) == [
        (1, "malformed", "first", "3x", None),
        (2, "malformed", "second", "4", None),
        (3, "malformed", "first", "7", None),
        (3, "malformed", "second", "8", None),
        (4, "missing", "first", "", None),
        (5, "missing", "outcome", "", "16"),
    ]
    assert pf.verify(log, combined).failed == 5
    rolls = {"outcome": ["56", "", "11"]}
    assert failures(rolls, hashed("5635")) == [
        (1, "missing", "outcome", "", "35"),
        (2, "malformed", "outcome", "11", None),
    ]


def test_outcomes_of_cards_that_are_empty_or_of_a_wrong_length():
    cards = POKER.play("s", "c").tolist()
    for outcome in ("", "  ", b"", [], "[]", np.array([], dtype=int), None):
        [(_, kind, column, _, expected)] = failures(poker_log(outcome=[outcome]), POKER)
        assert (kind, column, expected) == ("missing", "outcome", cards)
        [(_, kind, column, _, expected)] = failures(blackjack_log(outcome=[outcome]), BLACKJACK)
        assert (kind, column, expected) == ("missing", "outcome", SHOE)
    for count in (1, 2, 4, 6, 7, 8, 9, 11):
        outcome = (cards * 2)[:count]
        for written in (outcome, str(outcome), pf.cards.Hand(outcome), str(pf.cards.Hand(outcome))):
            [(_, kind, column, _, expected)] = failures(poker_log(outcome=[written]), POKER)
            assert (kind, column, expected) == ("malformed", "outcome", cards)
    assert failures(poker_log(outcome=[cards[:5]], hold=[[1, 2, 3, 4, 5]]), POKER) == []


def test_the_plugin_says_why_a_row_cannot_be_explained():
    from pytest_provably_fair import assert_rounds

    with pytest.raises(AssertionError, match=r"(?s)column 'hold'.*row 0 can't be explained: hold must be"):
        assert_rounds(poker_log(hold=["7"]), POKER)


def test_exact_pays():
    table = pf.cards.Paytable(high_pair=Fraction(1, 3), two_pair=Fraction(7, 3))
    poker = POKER.with_table(pf.cards.VideoPoker(table))
    clients = [f"client {i}" for i in range(60)]
    rounds = poker.replay("s", clients)
    exact = [played.pay for played in rounds]
    assert Fraction(1, 3) in exact
    log = {"server_seed": "s", "client_seed": clients}
    forms = [
        exact,
        [str(pay) for pay in exact],
        [str(pay).encode() for pay in exact],
        [Fraction(pay) for pay in exact],
        [float(pay) for pay in exact],
        pd.Series(exact),
        objects(exact),
        pa.array([f" {pay} " for pay in exact]),
    ]
    for outcome in forms:
        assert verdict(log | {"outcome": outcome}, poker) == []
    row = exact.index(Fraction(1, 3))
    for wrong in ("2/3", Fraction(2, 3), Fraction(float(Fraction(1, 3))), "-1/3"):
        [failure] = pf.verify(log | {"outcome": [*exact[:row], wrong, *exact[row + 1 :]]}, poker).failures
        assert (failure.row, failure.kind, failure.expected) == (row, "mismatch", "1/3")
    for wrong in ("1/0", "1/-3", "1_0/3", "1/3/1", "/3", "1/", "\u0661/3", "1/" + "3" * 1000, "1.0/3"):
        [failure] = pf.verify(log | {"outcome": [*exact[:row], wrong, *exact[row + 1 :]]}, poker).failures
        assert (failure.row, failure.kind) == (row, "malformed")


def test_exact_net_wins():
    # A blackjack pays six to five.
    played = BLACKJACK.replay("server", "c29", actions=[])
    assert played.exact_net == Fraction(6, 5)
    log = {"server_seed": ["server"] * 5, "client_seed": ["c29"] * 5}
    log["outcome"] = [played.exact_net, "6/5", "12/10", 1.2, Fraction(5, 6)]
    assert failures(log, BLACKJACK) == [(4, "mismatch", "outcome", "Fraction(5, 6)", "6/5")]
    log = {"server_seed": ["server"], "client_seed": ["c0"], "actions": ["surrender"], "outcome": ["-1/2"]}
    assert failures(log, BLACKJACK) == []


FIRST = ["3146", "1111", "6543"]
DICE = {
    "text": lambda: FIRST,
    "spaced": lambda: [" 31 46", "11 11", "65 43 "],
    "bytes": lambda: [dice.encode() for dice in FIRST],
    "numpy": lambda: np.array(FIRST),
    "lists": lambda: [list(map(int, dice)) for dice in FIRST],
    "nested lists": lambda: [[[3, 1], [4, 6]], [[1, 1], [1, 1]], [[6, 5], [4, 3]]],
    "tuples": lambda: [tuple(map(int, dice)) for dice in FIRST],
    "arrays": lambda: [np.array(list(map(int, dice))) for dice in FIRST],
    "JSON lists": lambda: [str(list(map(int, dice))) for dice in FIRST],
    "an array": lambda: np.array([list(map(int, dice)) for dice in FIRST], dtype=np.uint8),
    "integers": lambda: [int(dice) for dice in FIRST],
    "numpy integers": lambda: np.array(FIRST).astype(np.int16),
    "numpy objects": lambda: np.array(FIRST).astype(int).astype(object),
    "pandas": lambda: pd.Series(FIRST).astype(int),
    "pandas nullable": lambda: pd.Series(FIRST).astype(int).astype("Int64"),
    "polars": lambda: pl.Series(FIRST).cast(pl.Int64),
    "polars lists": lambda: pl.Series([list(map(int, dice)) for dice in FIRST]),
    "arrow": lambda: pa.array(map(int, FIRST)),
    "arrow lists": lambda: pa.array([list(map(int, dice)) for dice in FIRST]),
    "mixed": lambda: ["3146", 1111, [6, 5, 4, 3]],
}


@pytest.mark.parametrize("form", DICE)
def test_dice_in_every_form(form):
    from oracles import fpclub as oracle

    combined, hashed = fpclub.Combined, fpclub.HashedDice
    second = ["4521", "2345", "6666"]
    throws = [
        "".join(str(oracle.combine(int(a), int(b))) for a, b in zip(*pair, strict=True))
        for pair in zip(FIRST, second, strict=True)
    ]
    throws[1] = throws[1][::-1]
    for columns in ({"first": DICE[form](), "second": second}, {"first": second, "second": DICE[form]()}):
        log = {**columns, "outcome": throws}
        assert verdict(log, combined) == [(1, "mismatch")]
        assert pf.verify(log, combined).explain(1).outcome == throws[1][::-1]
    hashes = [hashlib.md5(dice.encode()).hexdigest() for dice in FIRST]
    assert verdict({"digits": DICE[form](), "hash": hashes}, hashed) == []
    assert verdict({"digits": DICE[form](), "hash": hashes[::-1]}, hashed) == [
        (0, "mismatch"),
        (2, "mismatch"),
    ]


def test_whole_numbers_kept_as_floats(tmp_path):
    """pandas stores integers as floats if a cell is empty."""
    combined, hashed = fpclub.Combined, fpclub.HashedDice
    frame = pd.DataFrame({"first": ["31"] * 4, "second": ["45"] * 4, "outcome": [16, None, 15, 16]})
    frame["outcome"] = frame["outcome"].astype(float)
    frame.to_parquet(tmp_path / "log.parquet")
    for log in (frame, frame.to_dict("list"), tmp_path / "log.parquet", pl.from_pandas(frame)):
        assert verdict(log, combined) == [(1, "missing"), (2, "mismatch")]
    for first in (np.array([31.0]), pa.array([31.0]), pd.Series([31.0]), [31.0], [[3.0, 1.0]]):
        assert verdict({"first": first, "second": ["45"], "outcome": ["16"]}, combined) == []
        assert verdict({"first": ["45"], "second": first, "outcome": ["16"]}, combined) == []
    right = hashlib.md5(b"5635").hexdigest()
    log = {"digits": [5635.0, None, 5635.5], "hash": [right] * 3}
    assert verdict(log, hashed) == [(1, "missing"), (2, "malformed")]
    rolls = {"outcome": np.array([56.0, np.nan])}
    assert verdict(rolls, hashed("5635")) == [(1, "missing")]
    # Neighbors above 2**53 share a double.
    assert verdict({"digits": [1e16 + 6], "hash": [right]}, hashed) == [(0, "malformed")]
    cards = POKER.play("s", "c").tolist()
    poker = {"server_seed": ["s"], "client_seed": ["c"], "outcome": [list(map(float, cards))]}
    assert verdict(poker, POKER) == verdict(poker | {"outcome": np.array([cards], float)}, POKER) == []
    salts = SALTS[:3]
    tickets = pd.DataFrame({"server_seed": "s", "client_seed": "c", "salt": salts, "tickets": [5, None, 9]})
    tickets["outcome"] = [reference.jackpot("s", "c", salt, 9) for salt in salts]
    tickets.loc[0, "outcome"] = reference.jackpot("s", "c", salts[0], 5)
    assert verdict(tickets, pf.Jackpot()) == [(1, "missing")]


def test_dice_as_constants():
    combined = fpclub.Combined
    for first in ("31", b"31", [3, 1], np.array([3, 1]), 31, [3.0, 1.0], 31.0, np.float64(31)):
        assert (
            verdict({"second": ["45"] * 2, "outcome": ["16", [1, 6]]}, combined, constants={"first": first})
            == []
        )
    for first in ([3, 7], [3.5, 1.0], 3.1, None, 30, True):
        with pytest.raises(pf.LogError, match="column 'first': first"):
            pf.verify({"second": ["45"], "outcome": ["16"]}, combined, constants={"first": first})


def test_dice_that_lose_something_are_refused():
    combined = fpclub.Combined
    for first in (np.array([True]), pa.array([True]), pd.Series([True]), np.array(["2020-01-01"], "M8[D]")):
        for log in ({"first": first, "second": ["45"]}, {"first": ["45"], "second": first}):
            with pytest.raises(pf.LogError, match="must be text"):
                pf.verify(log | {"outcome": ["16"]}, combined)
    cells = [[3, 7], [3.5, 1.0], [True, 1], ["3", "1"], 30, -31, 31.5, True, None, [], {"a": 1}, "3x"]
    log = {"first": cells, "second": ["45"] * len(cells), "outcome": ["16"] * len(cells)}
    found = failures(log, combined)
    kinds = ["malformed"] * 8 + ["missing"] * 2 + ["malformed"] * 2
    assert [(row, kind, column) for row, kind, column, *_ in found] == [
        (row, kind, "first") for row, kind in enumerate(kinds)
    ]
    assert [failure[4] for failure in found] == [None] * len(cells)
    assert [found[row][3] for row in (0, 4, 5, 11)] == [[3, 7], 30, -31, "3x"]
    # Seeds are text: 007 isn't 7.
    with pytest.raises(pf.LogError, match="seeds are text"):
        pf.verify({"server_seed": np.array([7]), "client_seed": ["c"], "outcome": [0]}, POKER)


def test_the_hash_of_hashed_dice_has_two_names(tmp_path):
    hashed = fpclub.HashedDice
    digits = ["5635", "1234", "6655"]
    right = [hashlib.md5(dice.encode()).hexdigest() for dice in digits]
    wrong = [right[0], right[0], right[2]]

    def names(log, **options):
        report = pf.verify(log, hashed, **options)
        assert [(f.row, f.kind) for f in report.failures] == [(1, "mismatch")]
        assert report.failures[0].expected == right[1]
        [name] = {f.column for f in report.failures}
        assert report.parameters["columns"]["outcome"] == name
        assert str(report.explain(1))
        return name

    assert names({"digits": digits, "hash": wrong}) == "hash"
    assert names({"digits": digits, "outcome": wrong}) == "outcome"
    # If a log has both, the hash takes precedence.
    assert names({"digits": digits, "hash": wrong, "outcome": ["won"] * 3}) == "hash"
    for field in ("hash", "outcome"):
        assert names({"digits": digits, "h": wrong}, columns={field: "h"}) == "h"
        assert names({"digits": digits, "hash": right, "h": wrong}, columns={field: "h"}) == "h"
        assert verdict({"digits": digits[:1]}, hashed, constants={field: right[0]}) == []
        with pytest.raises(pf.LogError, match=r"log: no column 'h'; the columns there are 'digits'$"):
            pf.verify({"digits": digits}, hashed, columns={field: "h"})
    # A column of another field isn't mistaken for it.
    assert names({"hash": digits, "outcome": wrong}, columns={"digits": "hash"}) == "outcome"
    assert names({"outcome": digits, "hash": wrong}, columns={"digits": "outcome"}) == "hash"
    message = (
        r"no column 'hash'; the columns there are 'digits'; columns=\{'hash': \.\.\.\} says how "
        r"it is called there, constants=\{'hash': \.\.\.\} what is the same in all rows$"
    )
    with pytest.raises(pf.LogError, match=message):
        pf.verify({"digits": digits}, hashed)
    for argument in ("columns", "constants"):
        with pytest.raises(
            ValueError, match=f"{argument} may name the fields digits, hash, outcome, got 'salt'"
        ):
            pf.verify({"digits": digits}, hashed, **{argument: {"salt": "x"}})
        with pytest.raises(ValueError, match=f"{argument} must name a field once: 'hash' and 'outcome' are"):
            pf.verify({"digits": digits}, hashed, **{argument: {"hash": "x", "outcome": "y"}})
    # Each file of a folder may use its own name.
    (tmp_path / "a.csv").write_text(f"digits,hash\n5635,{right[0]}\n")
    (tmp_path / "b.csv").write_text(f"digits,outcome\n1234,{right[0]}\n6655,{right[2]}\n")
    assert names(tmp_path) == "outcome"
    with pytest.raises(ValueError, match="columns may name the fields server_seed, client_seed, salt"):
        pf.verify(log_of(), pf.Dice(), columns={"hash": "x"})


def test_where_no_row_failed_one_must_be_named():
    clean = log_of(outcome=[reference.dice("s", "c", salt) for salt in SALTS])
    with pytest.raises(ValueError, match="row must be given: no row failed"):
        pf.verify(clean, pf.Dice()).explain()


@pytest.mark.parametrize("taker", [pf.verify, pf.audit, pf.check])
def test_columns_without_rows_are_refused_or_missing(taker):
    game = pf.operators.stake.Dice()
    log = {"server_seed": ["s", "s"], "client_seed": "c", "nonce": 1, "outcome": game.play("s", "c", [1, 1])}
    frame = pd.DataFrame({"outcome": log["outcome"]})
    for column in ({}, {"a": 1}, {62.02}, frozenset(), Decimal("62.02"), pa.scalar(62.02), object(), frame):
        with pytest.raises(TypeError, match=r"^column 'outcome' must have a value for each row, got \w+$"):
            taker(log | {"outcome": column}, game)


@pytest.mark.parametrize(
    "of", [list, lambda rounds: np.array(rounds, object), lambda rounds: [*map(Decimal, rounds)]]
)
def test_whole_numbers_of_any_field_are_read_as_what_they_are(of):
    scheme = pf.Scheme(pf.Hash("sha256", "{client_seed}:{extra}", key="{server_seed}"), bits=32)
    game, rounds = pf.operators.stake.Dice().with_scheme(scheme), list(range(5))
    log = {"server_seed": "s", "client_seed": "c", "outcome": game.play("s", "c", extra=rounds)}
    assert pf.verify(log | {"extra": of(rounds)}, game).ok


def test_a_masked_constant_is_missing():
    game = pf.operators.stake.Dice()
    log = {"server_seed": ["s", "s"], "client_seed": "c", "outcome": game.play("s", "c", [1, 1])}
    masked, missing = (verdict(log | {"nonce": nonce}, game) for nonce in (np.ma.masked, None))
    assert masked == missing == [(0, "missing"), (1, "missing")]


@pytest.mark.parametrize("taker", [pf.verify, pf.audit])
def test_an_empty_path_is_not_the_current_folder(taker, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for log in ("", ["log.csv", ""]):
        (tmp_path / "log.csv").write_text("server_seed,client_seed,nonce,outcome\ns,c,1,1\n")
        with pytest.raises(pf.LogError, match=r"^log: it must not be an empty path$"):
            taker(log, "stake.dice")
