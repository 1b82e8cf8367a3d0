"""Errors carry data: they name their subject, can be pickled, and no code parses their messages."""

from __future__ import annotations

import ast
import copy
import pickle
import re
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import provably_fair as pf
import pytest
from folders import PYTHON
from provably_fair._core.errors import (
    ArgumentError,
    BadType,
    BadValue,
    argument_of,
    placed,
    sentence_of,
    within,
)
from provably_fair.cards import VideoPoker

TAKES_APART = {
    "startswith", "endswith", "partition", "rpartition", "split", "rsplit", "find", "rfind", "index",
    "removeprefix", "removesuffix", "replace", "strip", "lower", "count",
}  # fmt: skip


def is_text(node: ast.AST, caught: set[str]) -> bool:
    """Whether an expression is the message of a caught error: str(error), error.args[0], f"{error}"."""
    match node:
        case ast.Call(func=ast.Name(id="str" | "repr"), args=[ast.Name(id=name)]):
            return name in caught
        case ast.Subscript(value=ast.Attribute(value=ast.Name(id=name), attr="args")):
            return name in caught
        case ast.JoinedStr(values=values):
            return any(
                isinstance(value, ast.FormattedValue)
                and isinstance(value.value, ast.Name)
                and value.value.id in caught
                for value in values
            )
    return False


def decisions_by_text(source: str) -> list[int]:
    """The lines that compare or parse an error's message."""
    found = []
    if not re.search(r"\bexcept\b.* as ", source):
        return found
    for handler in ast.walk(ast.parse(source)):
        if not isinstance(handler, ast.ExceptHandler) or handler.name is None:
            continue
        caught, names = {handler.name}, set()
        for node in ast.walk(handler):
            if isinstance(node, ast.Assign) and any(is_text(part, caught) for part in ast.walk(node.value)):
                names |= {target.id for target in node.targets if isinstance(target, ast.Name)}

        def reads(node: ast.AST, caught: set[str] = caught, names: set[str] = names) -> bool:
            return is_text(node, caught) or (isinstance(node, ast.Name) and node.id in names)

        for node in ast.walk(handler):
            match node:
                case ast.Compare(left=left, comparators=others) if any(map(reads, [left, *others])):
                    found.append(node.lineno)
                case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in TAKES_APART and reads(
                    value
                ):
                    found.append(node.lineno)
                case ast.Call(func=ast.Attribute(value=ast.Name(id="re")), args=arguments):
                    if any(reads(part) for argument in arguments for part in ast.walk(argument)):
                        found.append(node.lineno)
                case ast.Call(
                    func=ast.Attribute(attr="search" | "match" | "fullmatch" | "sub"), args=arguments
                ):
                    if any(map(reads, arguments)):
                        found.append(node.lineno)
    return found


@pytest.mark.parametrize(
    "line",
    [
        'if "came before" in str(error): pass',
        'name = str(error).partition(" ")[0]',
        'error.args[0].startswith("draws.")',
        're.search("value", f"{error}")',
        "_PATTERN.search(str(error))",
        'text = str(error)\n    x = text == "no"',
    ],
)
def test_what_reads_a_sentence_is_found(line):
    assert decisions_by_text(f"try: pass\nexcept ValueError as error:\n    {line}\n")


def test_nothing_is_decided_by_a_sentence():
    files = [path for path in Path(PYTHON).rglob("*.py") if "__pycache__" not in path.parts]
    assert len(files) > 250
    # `replace` of quotes formats any error for the command; `first_line` shortens other libraries' messages.
    shown = {"cli/commands.py", "sources/source.py"}
    found = {
        f"{path}:{line}"
        for path in files
        if not any(str(path).endswith(name) for name in shown)
        for line in decisions_by_text(path.read_text("utf-8"))
    }
    assert not found


ERRORS = [
    (lambda: pf.Mines(mines=25), ValueError, "mines", None),
    (lambda: pf.Mines(mines="3"), TypeError, "mines", None),
    (lambda: pf.Mines(3).play("server", "client", ["a", 5]), TypeError, "salt", 1),
    (lambda: pf.Mines(3).play(["a", None], "client", "salt"), TypeError, "server_seed", 1),
    (lambda: pf.operators.stake.Dice().play("server", "client", np.array([0, -1])), ValueError, "nonce", 1),
    (lambda: pf.operators.stake.Dice().play("server", "client", [0, 1, None]), TypeError, "nonce", 2),
    (lambda: pf.Scheme(pf.Hash("sha256", "{a}"), bits=3), ValueError, "bits", None),
    (lambda: pf.Scheme(pf.Hash("sha256", "{a}"), bits=32, defaults={"a": 1.5}), TypeError, "defaults", None),
    (lambda: pf.Mines(3).bet(reveals=3, payout=[1]), (TypeError, ValueError), "payout", None),
    (lambda: pf.Dice().distribution(undre=50), TypeError, "undre", None),
    (lambda: pf.Mines(3, 4), TypeError, "", None),
]


@pytest.mark.parametrize(("call", "kind", "argument", "row"), ERRORS)
def test_errors_say_what_they_are_about(call, kind, argument, row):
    with pytest.raises(kind) as caught:
        call()
    error = caught.value
    assert isinstance(error, ArgumentError)
    assert (error.argument, error.row) == (argument, row)
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(again) is type(error)
        assert (str(again), again.args) == (str(error), error.args)
        assert (again.argument, again.row, again.index) == (argument, row, error.index)


def refused(mines: int) -> object:
    return pf.Mines(mines)


def test_errors_cross_processes_whole():
    with ProcessPoolExecutor(1) as pool, pytest.raises(BadValue) as caught:
        pool.submit(refused, 25).result(timeout=120)
    assert caught.value.argument == "mines"
    assert str(caught.value) == "mines must be from 1 to 24, got 25"


def test_a_log_that_cannot_be_read_says_which_argument_gave_it_and_keeps_it():
    with pytest.raises(pf.LogError) as caught:
        pf.verify(
            {"server_seed": ["a", 5], "client_seed": ["b"] * 2, "salt": ["c"] * 2, "outcome": [1]}, pf.Dice()
        )
    error = caught.value
    assert (error.argument, error.row) == ("log", None)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.argument) == (str(error), "log")


def test_a_place_in_front_keeps_argument_and_row():
    inner = BadValue("salt", "must be text", index=7)
    outer = placed(inner, "config's key 'x': ")
    assert str(outer) == "config's key 'x': salt[7] must be text"
    assert (type(outer), outer.argument, outer.row) == (BadValue, "salt", 7)
    twice = placed(outer, "rules.toml: ")
    assert str(twice) == "rules.toml: config's key 'x': salt[7] must be text"
    assert (twice.argument, twice.row) == ("salt", 7)
    foreign = placed(TypeError("no number"), "bets.Dice: ", "bets")
    assert (type(foreign), str(foreign), argument_of(foreign)) == (BadType, "bets.Dice: no number", "bets")
    with pytest.raises(BadType, match=r"^n\[2\] must be an integer") as caught, within(index=2):
        raise BadType("n", "must be an integer")
    assert caught.value.row == 2
    whole = BadValue("returns", sentence="expected 3 returns, got 2")
    assert (str(placed(whole, index=1)), placed(whole, index=1).row) == (str(whole), 1)


def test_an_index_is_shown_as_it_is_written():
    assert str(BadValue("faces", "must be from 1 to 6", index=(1, 2))) == "faces[1, 2] must be from 1 to 6"
    assert str(BadValue("csv", "must be text", index="decimal")) == "csv['decimal'] must be text"
    assert BadValue("faces", "", index=(1, 2)).row == 1
    assert BadValue("csv", "", index="decimal").row is None
    assert BadValue("returns", sentence="expected 3 returns, one per bet, got 2").argument == "returns"


def test_another_name_stands_in_its_place():
    error = BadValue("columns", "must be a mapping")
    assert sentence_of(error, "--column") == "--column must be a mapping"
    assert str(BadValue("config", ": no file")) == "config: no file"


class Long(pf.Game):
    """A game with more combinations than can be enumerated."""

    scheme = pf.operators.stake.SCHEME

    def outcome(self, draws):
        return sum(draws.below(1000) for _ in range(4))


def test_what_a_program_tells_apart_has_a_class_of_its_own():
    """Each error that programs may catch has its own class, is a ValueError, and names its subject."""
    from provably_fair.games import UnlistedLawError
    from provably_fair.seeds import UnreachedHashError
    from provably_fair.sources import MissingColumnError

    with pytest.raises(MissingColumnError, match="no column 'salt'") as missing:
        pf.verify({"server_seed": ["a"], "client_seed": ["b"], "outcome": [1]}, pf.Dice())
    assert missing.value.columns == ("salt",)
    assert pickle.loads(pickle.dumps(missing.value)).columns == ("salt",)
    with pytest.raises(UnreachedHashError, match="in 10 steps") as unreached:
        pf.HashChain().steps("0" * 64, "1" * 64, limit=10)
    assert unreached.value.argument == "terminating"
    with pytest.raises(UnlistedLawError, match="combinations of draws") as unlisted:
        Long().distribution()
    assert unlisted.value.argument == "game"


@pytest.mark.parametrize(
    ("call", "meant"),
    [
        (lambda: VideoPoker("jacks_or_beter"), "jacks_or_better"),
        (lambda: VideoPoker({"royal_flash": 800}), "royal_flush"),
        (lambda: pf.statistics.power("chisquare", pf.X50(), pf.X50(), 100), "chi-square"),
        (lambda: pf.statistics.power("Chi-Square", pf.X50(), pf.X50(), 100), "chi-square"),
    ],
)
def test_the_nearest_known_name_is_named(call, meant):
    with pytest.raises(ValueError, match=f"did you mean '{meant}'"):
        call()


def test_no_name_is_made_up_where_none_is_near():
    with pytest.raises(ValueError, match=r"got 'zzz'$"):
        pf.statistics.power("zzz", pf.X50(), pf.X50(), 100)


DICE = "server_seed,client_seed,nonce,outcome\nserver,player,0,0.2\n"
UNREAD_LOGS = {
    "not found": [("nowhere.csv", None), ("*/nothing-*.csv", None)],
    "unknown format": [("log.what", DICE)],
    "columns": [
        ("log.csv", "a,b\n1,2\n"),
        ("log.csv", ""),
        ("log.csv", DICE.replace("client_seed", "server_seed")),
        ({"server_seed": ["a"], "outcome": [1.0, 2.0]}, None),
    ],
    "undecided": [("log.csv", DICE.replace("0.2", '"1,234"'))],
    "unreadable": [("log.csv", DICE.encode() + b"\xff,\xff,1,2\n"), ("log.csv.gz", b"no gzip")],
}


@pytest.mark.parametrize(
    ("kind", "source", "content"), [(kind, *log) for kind, logs in UNREAD_LOGS.items() for log in logs]
)
def test_a_log_that_cannot_be_read_has_a_kind(kind, source, content, tmp_path):
    pytest.importorskip("pyarrow")
    if isinstance(source, str):
        source = tmp_path / source
    if content is not None:
        source.write_bytes(content.encode() if isinstance(content, str) else content)
    for function in (pf.verify, pf.audit):
        with pytest.raises(pf.LogError) as told:
            function(source, "stake.dice")
        assert told.value.kind == kind
        assert pickle.loads(pickle.dumps(told.value)).kind == kind


def test_the_page_of_errors_has_every_one():
    named = set(re.findall(r"^`(\w+)`", pf.errors.__doc__, re.MULTILINE))
    assert named == set(pf.errors.__all__)
