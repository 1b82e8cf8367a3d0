"""Decisions as people write them: holds and actions in every form, and no cell with two readings."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from provably_fair._engine import read_actions, read_holds

crypto, stake = pf.operators.crypto_games, pf.operators.stake
PAIRS = {
    "crypto_games": crypto.VideoPoker(),
    "stake": stake.VideoPoker().with_table(pf.cards.VideoPoker("deuces_wild")),
}
SHOES = {"crypto_games": crypto.Blackjack(), "stake": stake.Blackjack()}
HANDS = 300
HELD = [True, False, True, True, False]
HAND = pf.cards.Hand("K♠ 10♦ K♦ 2♥ A♣")


def read(hold: Any, hand: Any = HAND) -> list[bool]:
    """The held cards of a cell."""
    (bits,) = read_holds([hold], 1, False, None if hand is None else np.array(hand))
    return [bool(bits >> place & 1) for place in range(5)]


# The forms of a hold, given which cards are held and their names.
HOLDS: dict[str, Callable[[list[bool], list[str]], Any]] = {
    "booleans": lambda held, names: held,
    "1 and 0": lambda held, names: [int(one) for one in held],
    "floats": lambda held, names: [float(one) for one in held],
    "10110": lambda held, names: "".join(str(int(one)) for one in held),
    "1,0,1,1,0": lambda held, names: ",".join(str(int(one)) for one in held),
    "H-HH-": lambda held, names: "".join("H" if one else "-" for one in held),
    "h - h h -": lambda held, names: " ".join("h" if one else "-" for one in held),
    "words": lambda held, names: ", ".join(str(one) for one in held),
    "JSON": lambda held, names: json.dumps(held),
    "list of Python": lambda held, names: str(held),
    "positions": lambda held, names: [place for place, one in enumerate(held, 1) if one],
    "JSON of positions": lambda held, names: json.dumps([p for p, one in enumerate(held, 1) if one]),
    "1 4": lambda held, names: " ".join(str(p) for p, one in enumerate(held, 1) if one) or "nothing",
    "14": lambda held, names: "".join(str(p) for p, one in enumerate(held, 1) if one) or "nothing",
    "names": lambda held, names: " ".join(itertools.compress(names, held)) or "nothing",
    "names, joined": lambda held, names: "".join(itertools.compress(names, held)) or "Nothing",
    "names in any order": lambda held, names: ",".join([*itertools.compress(names, held)][::-1]) or "[]",
    "list of names": lambda held, names: [*itertools.compress(names, held)],
    "JSON of names": lambda held, names: json.dumps([*itertools.compress(names, held)]),
    "ASCII names": lambda held, names: (
        " ".join(pf.cards.name(pf.cards.parse(name), ascii=True) for name in itertools.compress(names, held))
        or "00000"
    ),
}


@pytest.mark.parametrize("form", HOLDS)
def test_every_form_of_every_hold(form: str) -> None:
    names = str(HAND).split()
    for held in itertools.product([False, True], repeat=5):
        cell = HOLDS[form]([*held], names)
        assert read(cell) == [*held]
        played = crypto.VideoPoker().table.settle(f"{HAND} 3c 4c 5c 6c 7c", hold=cell)
        assert played.hold == held


ACTIONS: dict[str, Callable[[list[str]], Any]] = {
    "list": lambda actions: actions,
    "words": lambda actions: " ".join(actions),
    "commas": lambda actions: ", ".join(actions),
    "capitals": lambda actions: " ".join(actions).upper(),
    "JSON": json.dumps,
    "list of Python": str,
    "letters": lambda actions: "".join(LETTERS[action] for action in actions),
    "small letters": lambda actions: "".join(LETTERS[action].lower() for action in actions),
    "letters apart": lambda actions: ",".join(LETTERS[action] for action in actions),
    "list of letters": lambda actions: [LETTERS[action] for action in actions],
}
LETTERS = {
    "hit": "H",
    "stand": "S",
    "double": "D",
    "split": "P",
    "surrender": "R",
    "insure": "I",
    "even_money": "E",
}


@pytest.mark.parametrize("form", ACTIONS)
def test_every_form_of_actions(form: str) -> None:
    rng = random.Random(form)
    for _ in range(200):
        actions = rng.choices([*LETTERS], k=rng.randrange(1, 8))
        assert read_actions([ACTIONS[form](actions)], 1, False) == [actions]


def test_other_spellings_of_actions() -> None:
    assert read_actions(["even-money EvenMoney EVEN_MONEY e"], 1, False) == [["even_money"] * 4]
    assert read_actions(["Hit,s  dP"], 1, False) == [["hit", "stand", "double", "split"]]
    assert read_actions(["", None, [], "[]"], 4, True) == [[]] * 4


def readings(cell: str) -> list[set[int]]:
    """All readings of a text without commas, blanks and names, by the rules as they are stated."""
    found = []
    if len(cell) == 5 and set(cell) <= {*"01"}:
        found.append({place for place in range(5) if cell[place] == "1"})
    if len(cell) == 5 and set(cell) <= {*"Hh-"}:
        found.append({place for place in range(5) if cell[place] != "-"})
    if set(cell) <= {*"12345"} and len({*cell}) == len(cell):
        found.append({int(digit) - 1 for digit in cell})
    return found


def test_no_cell_has_two_readings() -> None:
    count = 0
    for length in range(1, 7):
        for letters in itertools.product("012345H-", repeat=length) if length < 6 else [("1",) * 6]:
            cell = "".join(letters)
            expected = readings(cell)
            assert len(expected) <= 1
            try:
                held = {place for place, one in enumerate(read(cell, None)) if one}
            except ValueError:
                assert not expected, cell
            else:
                assert [held] == expected, cell
                count += 1
    assert count == 32 + 32 + sum(5 * 4 * 3 * 2 // k for k in (24, 6, 2, 1)) + 120


def test_a_number_is_flags_without_leading_zeros() -> None:
    for number in range(-5, 120_000):
        text = f"{number:05}"
        is_flags = number >= 0 and len(text) == 5 and set(text) <= {*"01"} and number != 1
        try:
            held = read(number)
        except ValueError:
            assert not is_flags
        else:
            assert is_flags
            assert held == [digit == "1" for digit in text]
    assert read(10110.0) == HELD
    # 1 may be the fifth flag or the first position, 3 and 14 are positions, which are text or in a list.
    for number in (1, 3, 14, 2.5, 1e30):
        with pytest.raises(ValueError, match="hold must be five flags"):
            read(number)


@pytest.mark.parametrize(
    "cell",
    [
        *("", " ", None, ",", "0", "110", "101100", "16", "6", "11", "1 1", "1 6", "H", "HH-", "10 11 0"),
        *(
            "K",
            "Kx",
            "K♠ 3",
            "1 K♠",
            "K♠K",
            "[1",
            "[[1, 2]]",
            "{}",
            "hold",
            "--",
            "-- K♠",
            "true",
            "H 1 - 0 1",
        ),
        *([6], [0], [1.5], [1, 1], [None], [True] * 4, [True, 0, 1, True, 0], [[1]], ["1", "x"], [""], {}),
        b"\xff",
    ],
)
def test_cells_that_are_no_hold(cell: Any) -> None:
    with pytest.raises(
        ValueError, match=r"^hold must be five flags .10110, H-HH- or booleans.*got "
    ) as error:
        read(cell)
    assert repr(cell)[:50] in str(error.value)
    for other in ("fold", "hitstand", "stand;hit", "H1", 3, [3], [["hit"]], "[hit", True, b"\xff"):
        with pytest.raises(ValueError, match=r"^actions must be words .hit, stand.*letters.*got ") as error:
            read_actions([other], 1, False)
        assert repr(other) in str(error.value)


def test_cards_that_were_not_dealt() -> None:
    for cell in ("Q♠", "K♠ K♠", "K♥ K♠", "joker"):
        with pytest.raises(ValueError, match="hold must be cards of the hand that was dealt, got "):
            read(cell)
    with pytest.raises(ValueError, match="hold must be five flags"):
        crypto.VideoPoker().simulate(5, hold="K♠")
    jokers = pf.cards.VideoPoker("joker_poker").settle("joker K♠ 2♥ 3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥", hold="Joker KS")
    assert jokers.hold == (True, True, False, False, False)


def test_holds_of_many_rounds() -> None:
    game, clients = PAIRS["crypto_games"], ["a", "b", "c"]
    each = [
        game.replay("s", client, hold=hold) for client, hold in zip(clients, (HELD, [2], []), strict=True)
    ]
    for holds in (
        ["10110", "01000", "00000"],
        [HELD, [2], []],
        ["134", "2", "nothing"],
        np.array([[1, 0, 1, 1, 0], [0, 1, 0, 0, 0], [0, 0, 0, 0, 0]]),
    ):
        assert list(game.replay("s", clients, hold=holds)) == each
    for held in [one.held for one in each], [b"10110", b"01000", b"00000"]:
        assert list(game.replay("s", clients, hold=held)) == each
    with pytest.raises(ValueError, match=r"^hold must be one hold, or one for each of 3 rounds, got 2$"):
        game.replay("s", clients, hold=["10110", "01000"])
    with pytest.raises(ValueError, match=r"^hold\[1\] must be five flags .*got '6'"):
        game.replay("s", clients, hold=["1", "6", "2"])


def test_columns_of_frames_are_holds_of_many_rounds() -> None:
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    game, clients = PAIRS["crypto_games"], ["a", "b", "c"]
    rounds = game.replay("s", clients, hold=[HELD, [2], []])
    flags = rounds.hold.tolist()
    for library in "pandas", "polars":
        log = game.replay("s", clients, hold=[HELD, [2], []], as_frame=library)
        assert list(game.replay("s", clients, hold=log["hold"])) == list(rounds)
    for held in pd.Series(flags), pl.Series(flags), pd.DataFrame(flags), pl.DataFrame(flags, orient="row"):
        assert list(game.replay("s", clients, hold=held)) == list(rounds)


def test_a_hand_is_held_by_its_names() -> None:
    """The numbers of its cards may be positions: 1 and 4 are those of 2♠ and 5♠."""
    machine, cards = pf.cards.VideoPoker(), "2♠ 5♠ 8♣ A♣ 2♣ 3♦ 5♦ J♦ 9♥ 6♣"
    for held in "2♠ 5♠", "A♣ 2♣", "":
        assert str(machine.settle(cards, hold=pf.cards.Hand(held)).held) == held


def test_masked_decisions_are_refused() -> None:
    words = np.ma.masked_array(["stand"], mask=[True])
    for clients in "a", ["a"]:
        with pytest.raises(ValueError, match=r"^actions\[0\] must have a value, got a masked element$"):
            SHOES["crypto_games"].replay("s", clients, actions=words)
        with pytest.raises(ValueError, match=r"^hold\[0\] must have a value, got a masked element$"):
            PAIRS["crypto_games"].replay("s", clients, hold=np.ma.masked_array([2], mask=[True]))


# Logs


def hands_of(game: Any) -> dict[str, Any]:
    frame = game.simulate(HANDS, seed="decisions", strategy="optimal", as_frame="pandas")
    return {name: frame[name].tolist() for name in frame.columns}


def written(log: dict[str, Any], path: Any) -> list[Any]:
    """The log in memory, and in files of every kind that can have its cells."""
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(log)
    frame.to_csv(path / "log.csv", index=False)
    frame.to_json(path / "log.jsonl", orient="records", lines=True)
    frame.to_parquet(path / "log.parquet")
    return [log, frame, path / "log.csv", path / "log.jsonl", path / "log.parquet"]


@pytest.mark.one_case_in(4)
@pytest.mark.parametrize("form", HOLDS)
@pytest.mark.parametrize("name", PAIRS)
def test_holds_in_logs(name: str, form: str, tmp_path: Any) -> None:
    game = PAIRS[name]
    log = hands_of(game)
    held = [[place in hold for place in range(1, 6)] for hold in log["hold"]]
    names = [dealt.split()[:5] for dealt in log["dealt"]]
    cells = [HOLDS[form](*both) for both in zip(held, names, strict=True)]
    log = {name: log[name] for name in (*game.scheme.fields, "outcome")} | {"hold": cells}
    for one in written(log, tmp_path):
        report = pf.verify(one, game)
        assert (report.ok, report.checked, report.notes) == (True, HANDS, [])
        assert f"compared   {HANDS} rows by the final hand" in str(report)
    wrong = [[one != (place == 2) for place, one in enumerate(hold)] for hold in held]
    cells = [HOLDS[form](*both) for both in zip(wrong, names, strict=True)]
    assert pf.verify(log | {"hold": cells}, game).failed == HANDS


@pytest.mark.one_case_in(2)
@pytest.mark.parametrize("form", ACTIONS)
@pytest.mark.parametrize("name", SHOES)
def test_actions_in_logs(name: str, form: str, tmp_path: Any) -> None:
    game = SHOES[name]
    log = hands_of(game)
    cells = [ACTIONS[form](actions.split()) for actions in log["actions"]]
    for one in written(log | {"actions": cells}, tmp_path):
        report = pf.verify(one, game)
        assert (report.ok, report.checked) == (True, HANDS)
        assert f"compared   {HANDS} rows by what was won or paid" in str(report)


def test_failures_show_the_cell_and_the_forms() -> None:
    game = PAIRS["crypto_games"]
    log = hands_of(game)
    log["hold"][3], log["hold"][5] = "13x", "Q♠ Q♠"
    first, second = pf.verify(log, game).failures
    assert (first.kind, first.column, first.found) == ("malformed", "hold", "13x")
    assert str(first) == (
        "row 3: malformed in column 'hold': found 13x, expected five flags (10110, H-HH- or booleans), "
        "cards of the hand (K♠ K♦ or Ks Kd), or positions from 1 to 5 (1 4)"
    )
    assert (second.kind, second.column) == ("mismatch", "hold")
    assert second.expected == [pf.cards.parse(name) for name in log["dealt"][5].split()[:5]]
    game = SHOES["crypto_games"]
    log = hands_of(game)
    row = next(row for row, actions in enumerate(log["actions"]) if actions)
    log["actions"][row], log["actions"][row + 1] = "fold", log["actions"][row + 1] + " hit"
    first, second = pf.verify(log, game).failures
    assert "found fold, expected words (hit, stand," in str(first)
    assert second.expected == "actions that these cards and the rules allow"


def test_a_row_is_explained_in_any_form() -> None:
    game = SHOES["stake"]
    log = hands_of(game)
    row = next(row for row, actions in enumerate(log["actions"]) if "double" in actions)
    right = log["outcome"][row]
    log["actions"] = [ACTIONS["small letters"](actions.split()) for actions in log["actions"]]
    log["outcome"][row] = right + 1
    report = pf.verify(log, game)
    assert (report.failed, report.explain(row).outcome.net) == (1, right)
