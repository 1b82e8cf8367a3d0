"""Notations of outcomes: read where only one meaning fits, counted, and never judged more leniently."""

from __future__ import annotations

import json
from decimal import Decimal

import numpy as np
import provably_fair as pf
import pytest
from own_games import game_of

STAKE = pf.operators.stake
ROUNDS = {"server_seed": "server", "client_seed": "me", "nonce": list(range(40))}
FIGURES = {"♦": "d", "♥": "h", "♠": "s", "♣": "c"}


def verified(game, outcomes, **options):
    return pf.verify({**ROUNDS, "outcome": outcomes}, game, **options)


def letters(names):
    return [name.replace("10", "T")[:-1] + FIGURES[name[-1]] for name in names]


KENO, MINES, PLINKO = STAKE.Keno(), STAKE.Mines(5), STAKE.Plinko(rows=9)
HILO, FLIP, DICE, LIMBO = STAKE.Hilo(cards=3), STAKE.Flip(rounds=4), STAKE.Dice(), STAKE.Limbo()
DRAWN = {game: game.play(**ROUNDS) for game in (KENO, MINES, PLINKO, HILO, FLIP, DICE, LIMBO)}

PLAIN = pf.Scheme(pf.Hash("sha256", "{nonce}"), bits=52)

WRITTEN = {
    "a set in order": (KENO, "set", np.sort(DRAWN[KENO], axis=1).tolist()),
    "a set in JSON": (MINES, "set", [json.dumps(sorted(cells)) for cells in DRAWN[MINES].tolist()]),
    "a set in an array": (MINES, "set", np.sort(DRAWN[MINES], axis=1)),
    "names of cards": (HILO, "cards", STAKE.cards(DRAWN[HILO])),
    "names in letters": (HILO, "cards", [" ".join(letters(names)) for names in STAKE.cards(DRAWN[HILO])]),
    "names with commas": (HILO, "cards", [", ".join(names) for names in STAKE.cards(DRAWN[HILO])]),
    "names in JSON": (HILO, "cards", list(map(json.dumps, STAKE.cards(DRAWN[HILO])))),
    "paths in letters": (PLINKO, "path", ["".join("LR"[i] for i in row) for row in DRAWN[PLINKO]]),
    "buckets": (PLINKO, "bucket", DRAWN[PLINKO].sum(axis=1)),
    "buckets in text": (PLINKO, "bucket", [str(row.sum()) for row in DRAWN[PLINKO]]),
    "buckets beside empty cells": (PLINKO, "bucket", [f"{row.sum()}.0" for row in DRAWN[PLINKO]]),
    "buckets of a database": (PLINKO, "bucket", [Decimal(int(row.sum())) for row in DRAWN[PLINKO]]),
    "buckets as objects": (PLINKO, "bucket", DRAWN[PLINKO].sum(axis=1).astype(object)),
    "percent": (DICE, "percent", [f"{number:.2f}%" for number in DRAWN[DICE]]),
    "times": (LIMBO, "times", [f"{number:.2f}x" for number in DRAWN[LIMBO]]),
    "coins in words": (FLIP, "words", [[("tails", "Heads")[i] for i in row] for row in DRAWN[FLIP]]),
    "a list without brackets": (HILO, "list", [", ".join(map(str, row)) for row in DRAWN[HILO]]),
    "a list with dashes": (FLIP, "list", ["-".join(map(str, row)) for row in DRAWN[FLIP]]),
    "coins as truths": (FLIP, "truths", DRAWN[FLIP].astype(bool).tolist()),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_each_way_of_writing_is_read_and_counted(name):
    game, way, outcomes = WRITTEN[name]
    report = verified(game, outcomes)
    assert report.ok, str(report)
    # Some outcomes of a game happen to be sorted already.
    assert set(report.notations) == {way}
    assert 30 < report.notations[way] <= 40
    assert report.to_dict()["notations"] == report.notations
    assert any(note.startswith(f"{report.notations[way]} rows: ") for note in report.notes)
    moved = [outcomes[-1], *list(outcomes[:-1])]
    assert verified(game, moved).failed > (10 if "bucket" in name else 30)
    assert pf.check({**ROUNDS, "outcome": outcomes}, game)["ok"] == [True] * 40


@pytest.mark.parametrize("name", WRITTEN)
def test_audits_go_on_with_the_recomputed_outcome(name):
    game, _, outcomes = WRITTEN[name]
    plain = pf.audit({**ROUNDS, "outcome": DRAWN[game]}, game)
    written = pf.audit({**ROUNDS, "outcome": outcomes}, game)
    assert [test.raw for test in written.tests] == [test.raw for test in plain.tests]
    assert written.ok == plain.ok


@pytest.mark.parametrize("separator", [" ", ", ", ",", ";", " | ", "/"])
def test_a_sign_before_a_number_is_no_separator(separator):
    game = game_of(lambda draws: draws.each(3).below(3) - 1, scheme=PLAIN)
    rounds = {"nonce": range(40)}
    drawn = game.play(**rounds).tolist()
    written = [separator.join(map(str, row)) for row in drawn]
    report = pf.verify({**rounds, "outcome": written}, game)
    assert report.ok, str(report)
    assert report.notations == {"list": 40}
    unsigned = [text.replace("-", "") for text in written]
    changed = [row for row, values in enumerate(drawn) if min(values) < 0]
    assert pf.check({**rounds, "outcome": unsigned}, game)["ok"] == [row not in changed for row in range(40)]


def test_a_dash_separates_numbers_without_a_sign():
    game = game_of(lambda draws: draws.each(3).below(3) + 1, scheme=PLAIN)
    drawn = game.play(nonce=range(40)).tolist()
    for separator, is_right in {"-": True, " - ": True, " -": False, "- ": False}.items():
        log = {"nonce": range(40), "outcome": [separator.join(map(str, row)) for row in drawn]}
        assert pf.check(log, game)["ok"] == [is_right] * 40


def test_long_whole_numbers_are_lists_like_short_ones():
    game = game_of(lambda draws: draws.each(2).below(2**40), scheme=PLAIN)
    written = ["-".join(map(str, row)) for row in game.play(nonce=range(40)).tolist()]
    assert pf.verify({"nonce": range(40), "outcome": written}, game).notations == {"list": 40}


def test_what_has_a_bucket_alone_says_so():
    report = verified(PLINKO, DRAWN[PLINKO].sum(axis=1))
    assert "40 rows: compared by bucket: the path was not in the log" in report.notes
    assert "compared by bucket" in str(report)


def test_sets_have_each_member_once():
    right = np.sort(DRAWN[KENO], axis=1).tolist()
    for change in (
        lambda cells: [cells[1], *cells[1:]],  # one value doubled in place of another
        lambda cells: [*cells, cells[0]],  # one value doubled and appended
        lambda cells: cells[1:],
        lambda cells: [(cells[0] + 1) % 40, *cells[1:]] if (cells[0] + 1) % 40 not in cells else cells[1:],
    ):
        wrong = [*right[:7], change(right[7]), *right[8:]]
        assert [failure.row for failure in verified(KENO, wrong).failures] == [7]
        assert [failure.row for failure in verified(KENO, list(map(json.dumps, wrong))).failures] == [7]


def test_the_order_counts_where_it_is_asked_for():
    outcomes = [cells[::-1] for cells in DRAWN[KENO].tolist()]
    assert verified(KENO, outcomes).ok
    assert verified(KENO, outcomes, ordered=True).failed == 40
    assert pf.verify(pf.Log({**ROUNDS, "outcome": outcomes}, ordered=True), KENO).failed == 40
    with pytest.raises(TypeError, match="ordered must be True or False"):
        verified(KENO, outcomes, ordered=1)


def test_other_games_keep_their_order():
    """Cards, gems, rows of towers, and custom games unless they declare otherwise."""

    class Own(pf.Game):
        """Three of ten."""

        scheme = STAKE.SCHEME

        def outcome(self, draws):
            return draws.sample(10, 3)

    class Unordered(Own):
        """The same, as a set."""

        ordered = False

    for game in (HILO, STAKE.Diamonds(), STAKE.DragonTower(), Own()):
        outcomes = game.play(**ROUNDS)
        turned = outcomes[:, ::-1]
        different = sum(not np.array_equal(one, other) for one, other in zip(outcomes, turned, strict=True))
        assert verified(game, turned.tolist()).failed == different > 0
    assert verified(Unordered(), Own().play(**ROUNDS)[:, ::-1].tolist()).ok
    assert pf.Mines.ordered is STAKE.Keno.ordered is pf.operators.duel.Mines.ordered is False
    with pytest.raises(TypeError, match="ordered must be True or False"):

        class Wrong(Own):
            """An invalid declaration."""

            ordered = "no"


@pytest.mark.parametrize(
    ("game", "outcomes"),
    [
        (HILO, [*STAKE.cards(DRAWN[HILO][:39]), "[1, 2, 3]"]),
        (PLINKO, [*("".join("LR"[i] for i in row) for row in DRAWN[PLINKO][:39]), "4"]),
        (DICE, [*(f"{number:.2f}%" for number in DRAWN[DICE][:39]), "0.42"]),
        (FLIP, [*([("tails", "heads")[i] for i in row] for row in DRAWN[FLIP][:39]), [0, 1, 1, 0]]),
    ],
)
def test_a_column_that_mixes_ways_is_refused(game, outcomes):
    with pytest.raises(pf.LogError, match="column 'outcome' mixes notations"):
        verified(game, outcomes)


def test_words_that_may_mean_either_are_refused():
    coin = pf.operators.bcgame.CoinFlip()
    log = {**ROUNDS, "outcome": [("heads", "tails")[side] for side in coin.play(**ROUNDS)]}
    assert pf.verify(log, coin).notations == {"words": 40}
    with pytest.raises(pf.LogError, match="has 'true', which may mean either side"):
        pf.verify({**log, "outcome": [True] * 40}, coin)


def test_words_of_own_games_are_read_as_they_are_written():
    class Letters(pf.games.kinds.WheelGame):
        sectors, words, scheme = 3, {"A": 0, "a": 1, "Bee": 2}, STAKE.Wheel.scheme

        def outcome(self, draws):
            return draws.below(3)

    drawn = Letters().play(**ROUNDS)
    for names in (("A", "a", "Bee"), ("A", "a", "BEE")):
        report = verified(Letters(), [names[one] for one in drawn])
        assert (report.ok, report.notations) == (True, {"words": 40})


NESTED = pytest.param("[" * 100_000, id="nested")


@pytest.mark.parametrize("cell", ["8x", "XX", "1♦", "", "LLRX", "heads or tails", "250%%", "100000", NESTED])
def test_what_is_in_no_way_is_wrong(cell):
    for game, _, outcomes in WRITTEN.values():
        changed = list(outcomes)
        changed[3] = cell
        try:
            report = verified(game, changed)
        except pf.LogError as error:
            assert "mixes" in str(error)  # noqa: PT017
            continue
        assert not report.ok
        assert 3 in [failure.row for failure in report.failures]


def test_lists_without_brackets_need_one_of_the_right_length():
    """Next to lists, a wrong length is a wrong outcome; alone, it can't be read."""
    texts = [", ".join(map(str, row)) for row in DRAWN[HILO]]
    for wrong in (texts[3] + ", 5", texts[3].rpartition(", ")[0]):
        report = verified(HILO, [*texts[:3], wrong, *texts[4:]])
        assert [(failure.row, failure.kind) for failure in report.failures] == [(3, "mismatch")]
        alone = {name: column[3:4] if isinstance(column, list) else column for name, column in ROUNDS.items()}
        assert pf.verify({**alone, "outcome": [wrong]}, HILO).counts == {"malformed": 1}
    lists = DRAWN[HILO].tolist()
    assert verified(HILO, [*lists[:3], texts[3], *lists[4:]]).ok
    assert verified(HILO, [*lists[:3], "void", *lists[4:]]).counts == {"malformed": 1}
    for single in "7", "[7]", "void":
        report = verified(HILO, [*texts[:3], single, *texts[4:]])
        assert [failure.row for failure in report.failures] == [3]


@pytest.mark.parametrize(
    "write",
    {
        "JSON": json.dumps,
        "tuple": lambda row: str(tuple(row)),
        "numpy": lambda row: str(np.array(row)),
        "array": lambda row: f"{{{','.join(map(str, row))}}}",
        "quoted": lambda row: str([*map(str, row)]),
        "doubles": lambda row: " ".join(map(str, map(float, row))),
        "texts": lambda row: [*map(str, row)],
    }.values(),
)
def test_lists_are_read_row_by_row(write):
    lists = DRAWN[HILO].tolist()
    for cells in ([*map(write, lists)], [write(lists[0]), *("-".join(map(str, row)) for row in lists[1:])]):
        assert verified(HILO, cells).ok
        assert [failure.row for failure in verified(HILO, [*cells[:5], cells[6], *cells[6:]]).failures] == [5]


def test_lists_are_as_long_as_parameters_say():
    cells = [" ".join(map(str, row)) for row in DRAWN[MINES].tolist()]
    log = {**ROUNDS, "outcome": cells, "mines": [5] * 40}
    assert pf.verify(log, STAKE.Mines(mines=3)).ok
    assert pf.verify({**log, "mines": [4] * 40}, STAKE.Mines(mines=3)).counts == {"mismatch": 40}


def test_sets_of_python_are_outcomes_without_an_order():
    assert verified(MINES, [*map(set, DRAWN[MINES].tolist())]).ok
    assert verified(HILO, [*map(set, DRAWN[HILO].tolist())]).counts == {"malformed": 40}


@pytest.mark.parametrize("count", [1, 3])
def test_truths_are_read_where_a_rule_gives_nothing_else(count):
    game = game_of(
        lambda draws: draws.each(count).below(4) == 1 if count > 1 else draws.below(4) == 1, scheme=PLAIN
    )
    truths = game.play(nonce=range(40)).astype(bool)
    for cells in truths, truths.tolist(), [*map(str, truths.tolist())], [*map(json.dumps, truths.tolist())]:
        report = pf.verify({"nonce": range(40), "outcome": cells}, game)
        assert (report.ok, report.notations) == (True, {"truths": 40})
        assert not pf.verify({"nonce": range(40), "outcome": [*cells[1:], cells[0]]}, game).ok
    assert pf.verify({"nonce": range(40), "outcome": [True] * 40}, DICE.with_scheme(PLAIN)).counts == {
        "malformed": 40
    }


def test_lists_of_doubles_are_read():
    game = game_of(lambda draws: draws.each(3).below(1000) / 8, scheme=PLAIN)
    drawn = game.play(nonce=range(40))
    for cells in [*map(str, drawn)], [",".join(map(str, row)) for row in drawn.tolist()]:
        assert pf.verify({"nonce": range(40), "outcome": cells}, game).ok
        assert pf.verify({"nonce": range(39), "outcome": cells[1:]}, game).failed == 39


@pytest.mark.parametrize("number", ["{:.2f}x", "{:.2f}"])
@pytest.mark.parametrize("mark", [".", ","])
@pytest.mark.parametrize("other", [MINES, HILO])
def test_numbers_beside_the_lists_of_other_games(number, mark, other):
    """Multipliers and decimal commas are read whatever form the lists of other games have."""
    multipliers = [number.format(one).replace(".", mark) for one in DRAWN[LIMBO]]
    lists = DRAWN[other].tolist()
    forms = [
        lists,
        [*map(str, lists)],
        STAKE.cards(DRAWN[HILO])[:40] if other is HILO else [*map(json.dumps, lists)],
    ]
    for form in forms:
        log = {name: [*column] * 2 if isinstance(column, list) else column for name, column in ROUNDS.items()}
        log |= {"game": ["limbo"] * 40 + ["other"] * 40, "outcome": [*multipliers, *form]}
        report = pf.verify(log, {"limbo": LIMBO, "other": other}, game_column="game")
        assert report.ok, str(report)
        log["outcome"][0] = log["outcome"][1]
        report = pf.verify(log, {"limbo": LIMBO, "other": other}, game_column="game")
        assert [(failure.row, failure.kind) for failure in report.failures] == [(0, "mismatch")]


def test_lists_of_two_beside_numbers():
    """A list such as 3,19 is none of the decimal commas that numbers of other games may have."""
    mines = STAKE.Mines(2)
    drawn = mines.play(ROUNDS["server_seed"], ROUNDS["client_seed"], nonce=ROUNDS["nonce"])
    games = {"dice": DICE, "mines": mines}
    lists = [",".join(map(str, pair)) for pair in drawn.tolist()]
    for numbers in DRAWN[DICE].tolist(), [f"{number:.2f}".replace(".", ",") for number in DRAWN[DICE]]:
        log = {name: [*column] * 2 if isinstance(column, list) else column for name, column in ROUNDS.items()}
        log |= {"game": ["dice"] * 40 + ["mines"] * 40, "outcome": [*numbers, *lists]}
        assert pf.verify(log, games, game_column="game").ok
        log["outcome"][40] = log["outcome"][41]
        report = pf.verify(log, games, game_column="game")
        assert [(failure.row, failure.kind) for failure in report.failures] == [(40, "mismatch")]


def test_percent_with_decimal_commas():
    cells = [f"{number:.2f}%".replace(".", ",") for number in DRAWN[DICE]]
    assert verified(DICE, cells).notations == {"percent": 40}
    assert verified(DICE, cells).ok
    assert verified(DICE, [cells[1], *cells[1:]]).counts == {"mismatch": 1}
