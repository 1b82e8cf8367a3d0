"""Logs as people have them, verified in two calls: the second is copied from the first's message."""

from __future__ import annotations

import bz2
import hashlib
import json
import re
import shlex
from functools import partial

import pandas as pd
import provably_fair as pf
import pytest
from provably_fair.cli import run

STAKE = pf.operators.stake
SECRET, CLIENT, COUNT = "a secret of the house", "player", 12
HASHED = hashlib.sha256(SECRET.encode()).hexdigest()
NONCES = list(range(COUNT))


def play(game):
    return game.play(SECRET, CLIENT, NONCES)


DICE, MINES = play(STAKE.Dice()).tolist(), play(STAKE.Mines(3)).tolist()
RECORDS = [
    {"nonce": nonce, "client_seed": CLIENT, "server_seed": SECRET, "outcome": roll}
    for nonce, roll in enumerate(DICE)
]


def lines(path, head, rows, separator=","):
    path.write_text("\n".join([head, *(separator.join(map(str, row)) for row in rows)]) + "\n", "utf-8")
    return path


def their_own_names(folder):
    rows = [(i, SECRET, CLIENT, i, roll) for i, roll in enumerate(DICE)]
    return lines(folder / "a.csv", "Bet ID,Secret,Player Seed,Bet Nonce,Roll", rows), "stake.dice"


def camel_case_beside_much_else(folder):
    rows = [
        (i, "2026-01-02", "dice", SECRET, HASHED, CLIENT, i, roll, 1.98, "BTC", 0.001)
        for i, roll in enumerate(DICE)
    ]
    head = "id,createdAt,game,ServerSeed,ServerSeedHash,clientSeed,nonce,result,multiplier,currency,amount"
    return lines(folder / "a.csv", head, rows), "stake.dice"


def a_table_of_seeds(folder):
    lines(folder / "seeds.csv", "Server Seed Hash;Server Seed", [(HASHED, SECRET)], ";")
    rows = [(HASHED, CLIENT, i, roll) for i, roll in enumerate(DICE)]
    return lines(folder / "a.csv", "Server Seed Hash,Client Seed,Nonce,Result", rows), "stake.dice"


def pages_of_json(folder):
    names = {"client_seed": "clientSeed", "server_seed": "serverSeed", "outcome": "result"}
    rows = [{names.get(name, name): cell for name, cell in row.items()} for row in RECORDS]
    path = folder / "a.json"
    path.write_text(json.dumps({"page": 1, "data": rows}, indent=2), "utf-8")
    return path, "stake.dice"


def rows_that_are_nested(folder):
    rows = [
        {"id": i, "bet": {"nonce": i, "roll": roll}, "seed": {"server": SECRET, "client": CLIENT}}
        for i, roll in enumerate(DICE)
    ]
    path = folder / "a.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return path, "stake.dice"


def numbers_of_keno_in_a_frame(folder):
    drawn = [json.dumps(sorted(numbers)) for numbers in play(STAKE.Keno()).tolist()]
    frame = {"server": SECRET, "client seed": CLIENT, "nonce": NONCES, "drawn": drawn}
    path = folder / "a.parquet"
    pd.DataFrame(frame).to_parquet(path)
    return path, "stake.keno"


def seeds_by_number(folder):
    lines(folder / "seeds.csv", "seed_id,server_seed", [(1, SECRET)])
    rows = [(1, CLIENT, i, roll) for i, roll in enumerate(DICE)]
    return lines(folder / "a.csv", "seed_id,client,nonce,roll", rows), "stake.dice"


def outcomes_that_are_objects(folder):
    rows = [
        {"nonce": i, "serverSeed": SECRET, "clientSeed": CLIENT, "outcome": {"drawn": sorted(numbers)}}
        for i, numbers in enumerate(play(STAKE.Keno()).tolist())
    ]
    path = folder / "a.json"
    path.write_text(json.dumps({"bets": rows}), "utf-8")
    return path, "stake.keno"


FIELDS = "server_seed,client_seed,nonce,outcome"
# Rows of seeds, nonce and outcome: the header, the game that is named, and the outcomes as they are written.
WRITTEN = {
    "the wrong game of the name": (FIELDS, "dice", DICE),
    "short names": ("srv,cli,n,res", "stake.dice", DICE),
    "percent signs": (
        "Server Seed,Client Seed,Nonce,Winning Number",
        "stake.dice",
        [f"{roll:.2f}%" for roll in DICE],
    ),
    "multipliers with commas": (
        "Server Seed;Client Seed;Nonce;Multiplier",
        "stake.limbo",
        [f"{number:.2f}x".replace(".", ",") for number in play(STAKE.Limbo())],
    ),
    "cells in any order": (
        "Server Seed,Client Seed,Nonce,Bombs",
        "stake.mines:mines=3",
        [f'"{sorted(mines)}"' for mines in MINES],
    ),
    "the outcome named like a parameter": (
        "server seed,client seed,nonce,mines",
        "stake.mines:mines=3",
        ["-".join(map(str, sorted(mines))) for mines in MINES],
    ),
    "names of cards": (
        "serverSeed,clientSeed,nonce,cards",
        "stake.baccarat",
        [" ".join(hand) for hand in STAKE.cards(play(STAKE.Baccarat()))],
    ),
    "cards named like a parameter": (
        "server,client,nonce,cards",
        "stake.hilo:cards=5",
        [f'"{",".join(hand)}"' for hand in STAKE.cards(play(STAKE.Hilo(cards=5)))],
    ),
    "buckets": (FIELDS, "stake.plinko:rows=12", play(STAKE.Plinko(rows=12)).sum(axis=1)),
}


def written(name, folder):
    head, game, outcomes = WRITTEN[name]
    rows = [(SECRET, CLIENT, nonce, outcome) for nonce, outcome in enumerate(outcomes)]
    return lines(folder / "a.csv", head, rows, ";" if ";" in head else ","), game


MADE = (
    seeds_by_number,
    outcomes_that_are_objects,
    their_own_names,
    camel_case_beside_much_else,
    a_table_of_seeds,
    pages_of_json,
    rows_that_are_nested,
    numbers_of_keno_in_a_frame,
)
LOGS = {made.__name__: made for made in MADE} | {name: partial(written, name) for name in WRITTEN}


def second_call(message, path):
    """The suggestion in the message: options to copy, or another game."""
    assert len(message) <= 400, message
    found = re.search(r"(columns=\{[^}]*\})", message)
    options = eval(f"dict({found[1]})") if found and "..." not in found[1] else {}
    game = re.search(r"did you mean ([a-z.]+(?::\S+)?)[ ?]", message)
    if "seeds=..." in message:
        options["seeds"] = path.parent / "seeds.csv"
    assert options or game, message
    return options, game and game[1]


@pytest.mark.parametrize("name", LOGS)
def test_two_calls_verify_a_log(name, tmp_path, capsys):
    path, game = LOGS[name](tmp_path)
    options, called = {}, game
    try:
        report = pf.verify(path, game)
    except pf.LogError as error:
        options, better = second_call(str(error), path)
        called = better or game
        report = pf.verify(path, called, **options)
    assert report.ok, str(report)
    assert report.checked == COUNT
    # The command says the same with its own options.
    command = ["verify", str(path), "--game", game]
    code = run(command)
    if code == 2:
        message = capsys.readouterr().err
        assert len(message) <= 420, message
        copied = re.search(r"did you mean (--.*?)\?", message)
        more = shlex.split(copied[1]) if copied else []
        if "--seeds" in message:
            more += ["--seeds", str(path.parent / "seeds.csv")]
        code = run([*command[:3], called, *more])
    assert code == 0, capsys.readouterr()
    # Defects are found.
    wrong = path.read_bytes().replace(SECRET.encode(), b"another secret of it."[: len(SECRET)])
    if path.suffix != ".parquet" and "seeds" not in options:
        path.write_bytes(wrong)
        assert pf.verify(path, called, **options).failed >= COUNT - (5 if name == "buckets" else 0)


def test_pages_in_memory_and_one_a_line(tmp_path):
    rows = RECORDS
    assert pf.verify({"page": 1, "data": rows}, "stake.dice").checked == COUNT
    assert pf.verify({"data": {"bets": rows}, "page": [1, 2]}, "stake.dice").checked == COUNT
    path = tmp_path / "pages.jsonl"
    path.write_text("\n".join(json.dumps({"data": rows[i : i + 5]}) for i in range(0, COUNT, 5)))
    assert pf.verify(path, "stake.dice").checked == COUNT
    nested = [{"at": 1, "bet": row} for row in rows]
    named = {name: f"bet.{name}" for name in rows[0]}
    assert pf.verify(nested, "stake.dice", columns=named).ok
    # Two fields may have one name, each in an object of its own; of these one may lack.
    both = [{"server": {"seed": SECRET}, "client": {"seed": CLIENT}, **row} for row in rows]
    named = {"server_seed": "server.seed", "client_seed": "client.seed"}
    path.write_text("\n".join(map(json.dumps, both)))
    assert pf.verify(path, "stake.dice", columns=named).ok
    path.write_text("\n".join(json.dumps({**row, "client": {}}) for row in both))
    with pytest.raises(pf.LogError, match=r"no column 'client\.seed'"):
        pf.verify(path, "stake.dice", columns=named)
    # A list of objects inside a row isn't a page of rows.
    path.write_text("\n".join(json.dumps({**row, "states": [{"nonce": 1}]}) for row in rows))
    assert pf.verify(path, "stake.dice").checked == COUNT
    path.write_text(
        "\n".join([json.dumps({"data": rows[:5]}), '{"data": 5}', json.dumps({"data": rows[5:]})])
    )
    report = pf.verify(path, "stake.dice")
    assert (report.checked, report.counts) == (COUNT + 1, {"missing": 3})
    # The last page often has no rows.
    path.write_text("\n".join(json.dumps({"data": some, "more": []}) for some in (rows, [])))
    assert pf.verify(path, "stake.dice").counts == {"missing": 3}
    path.write_text("\n".join(json.dumps({"data": some}) for some in (rows[:5], [], rows[5:], [])))
    assert pf.verify(path, "stake.dice").ok


def test_no_row_of_a_page_is_passed_over(tmp_path):
    rows = RECORDS
    first, second = (json.dumps({"data": some}) for some in (rows[:5], rows[5:]))
    # Pages that were appended one by one: a line ends where its stream does.
    path = tmp_path / "pages.jsonl.bz2"
    path.write_bytes(b"".join(bz2.compress(f"{page}\n".encode()) for page in (first, second)))
    assert pf.verify(path, "stake.dice").checked == COUNT
    # What else a line holds can't be read, be it another page or a list of the same name.
    path = tmp_path / "pages.jsonl"
    for line in (first + second, f"{first[:-1]}, {second[1:]}", f"{first} and more"):
        path.write_text(f"{first}\n{line}\n")
        report = pf.verify(path, "stake.dice")
        assert (report.checked, report.counts) == (6, {"malformed": 1})
        path.write_text(line)
        with pytest.raises(pf.LogError, match="no column"):
            pf.verify(path, "stake.dice")


def test_numbers_are_compared_as_they_are_written(tmp_path):
    crash = pf.Crash()
    salts = pf.salts(3).astype("U").tolist()
    rows = [{"salt": salt, "outcome": 1} for salt in salts]
    text = json.dumps({"data": rows})
    for outcome in crash.play(salt=salts).tolist():
        text = text.replace('"outcome": 1}', f'"outcome": {outcome:.3f}}}', 1)
    path = tmp_path / "a.json"
    path.write_text(text)
    assert pf.verify(path, "crash").ok
