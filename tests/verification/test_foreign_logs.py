"""Logs from elsewhere: columns of other names, and messages whose options can be copied.

Outcomes of the logs come from the oracles.
"""

from __future__ import annotations

import ast
import re
import shlex

import provably_fair as pf
import pytest
from oracles import salted
from provably_fair.cli import run
from provably_fair.verification.likely import likely_columns, words

pytest.importorskip("pyarrow")

SEEDS = [("the server's", f"player {row % 2}", f"round {row}") for row in range(6)]


def dice(row):
    return salted.dice(*SEEDS[row])


def copied(message):
    """Return the options of a message as Python reads them."""
    return {
        name: ast.literal_eval(value)
        for name, value in re.findall(r"(?:did you mean|give) (\w+)=(\{.*?\}|'.*?')", message)
    }


def copied_arguments(message):
    """Return the options of a message as a shell reads them."""
    return shlex.split(re.search(r"(?:did you mean|give) (--.*?)\?", message)[1])


# ---- names of columns ----


@pytest.mark.parametrize(
    "names",
    [
        ("ServerSeed", "ClientSeed", "Salt", "Outcome"),
        ("server seed", "client seed", " round salt", "roll "),
        ("Secret", "Client", "Round Salt", "Result"),
        ("seed (server)", "seed (client)", "round-id", "WINNING NUMBER"),
        ("sever_seed", "cleint_seed", "salts", "outcomes"),
    ],
)
def test_columns_of_other_names_are_suggested(names):
    log = {
        "when": "2026-01-02",
        **dict(zip(names, (list(column) for column in zip(*SEEDS, strict=True)), strict=False)),
    }
    log[names[3]] = [dice(row) for row in range(6)]
    with pytest.raises(pf.LogError) as refused:
        pf.verify(log, pf.Dice())
    message = str(refused.value)
    assert "the columns there are 'when'" in message
    columns = copied(message)["columns"]
    assert columns == dict(zip(("server_seed", "client_seed", "salt", "outcome"), names, strict=True))
    report = pf.verify(log, pf.Dice(), columns)
    assert (report.ok, report.checked) == (True, 6)
    log[names[3]][4] += 1
    assert [failure.row for failure in pf.verify(log, pf.Dice(), columns).failures] == [4]


def test_the_whole_option_is_there_to_copy():
    log = {"Secret": ["a"], "client": ["b"], "my salt": ["c"], "Roll": [37.36], "Server Seed Hash": ["x"]}
    with pytest.raises(pf.LogError) as refused:
        pf.verify(log, pf.Dice(), {"salt": "my salt"})
    assert copied(str(refused.value)) == {
        "columns": {
            "salt": "my salt",
            "server_seed": "Secret",
            "client_seed": "client",
            "outcome": "Roll",
            "commitment": "Server Seed Hash",
        }
    }


def test_a_name_that_no_column_has_is_corrected():
    log = {"Secret": ["a"], "client_seed": ["b"], "salt": ["c"], "outcome": [37.36]}
    for wrong in ("secret", "Secert", "SECRET ", "nothing like it"):
        with pytest.raises(pf.LogError) as refused:
            pf.verify(log, pf.Dice(), {"server_seed": wrong})
        message = str(refused.value)
        assert f"no column {wrong!r}; the columns there are 'Secret', " in message
        assert copied(message) == {"columns": {"server_seed": "Secret"}}


def test_what_looks_like_no_column_isnt_guessed():
    log = {"id": [1], "x": ["a"], "client_seed": ["b"], "salt": ["c"], "Roll": [37.36]}
    with pytest.raises(pf.LogError) as refused:
        pf.verify(log, pf.Dice())
    assert str(refused.value) == (
        "log: no column 'server_seed', 'outcome'; "
        "the columns there are 'id', 'x', 'client_seed', 'salt', 'Roll'; "
        "did you mean columns={'outcome': 'Roll'}? columns={'server_seed': ...} says how it is called there, "
        "constants={'server_seed': ...} what is the same in all rows"
    )


def test_names_from_outside_are_shown_not_obeyed():
    names = ["\x1b[31mred", "x" * 1000, *(f"column {i}" for i in range(100))]
    with pytest.raises(pf.LogError) as refused:
        pf.verify({name: [1] for name in names}, pf.Dice())
    message = str(refused.value)
    assert r"'\x1b[31mred'" in message
    assert "\x1b" not in message
    assert "and 72 more" in message
    assert len(message) < 3000


def test_the_command_suggests_its_own_options(tmp_path, capsys):
    path = tmp_path / "my rounds.csv"
    rows = [",".join([*SEEDS[row], str(dice(row))]) for row in range(6)]
    path.write_text("\n".join(["ServerSeed,Client's seed,Round salt,Roll", *rows]))
    assert run(["verify", str(path), "--game", "dice"]) == 2
    message = capsys.readouterr().err
    assert "columns=" not in message
    assert "the columns there are 'ServerSeed', 'Client's seed'" in message
    more = copied_arguments(message)
    assert more[:2] == ["--column", "server_seed=ServerSeed"]
    assert run(["verify", str(path), "--game", "dice", *more]) == 0
    assert run(["verify", str(path), "--game", "dice", "--column", "outcome=Roll"]) == 2
    path.write_text("salt,outcome\n1,2\n")
    assert run(["verify", str(path), "--game", "dice"]) == 2
    message = capsys.readouterr().err
    assert "--column server_seed=... --column client_seed=... says how they are called there" in message
    assert "--constant server_seed=... --constant client_seed=... what is the same in all rows" in message


def test_words_of_names():
    for name in ("ServerSeed", "serverSeed", "server_seed", "Server Seed", " SERVER-SEED ", "server.seed"):
        assert words(name) == ["server", "seed"]
    assert words("SHA256OfSeed") == ["sha256", "of", "seed"]
    assert words("") == words("--") == []


def test_no_column_is_taken_twice():
    assert likely_columns(["first", "second"], [], ["second", "2nd"]) == {"second": "second"}
    assert likely_columns(["game_hash"], ["commitment"], ["hash"]) == {"game_hash": "hash"}
    assert likely_columns(["outcome"], ["commitment"], []) == {}
