"""The verdicts of `check` have one schema per game, whatever the verdicts are."""

from __future__ import annotations

import hashlib

import pandas as pd
import polars as pl
import provably_fair as pf
import pytest

ROUNDS = {"server_seed": ["server"] * 4, "client_seed": ["me"] * 4, "nonce": [0, 1, 2, 3]}
STAKE = pf.operators.stake
# By game: the schema of the expected outcomes in Polars, and in pandas.
GAMES = {
    "double": (STAKE.Dice(), pl.Float64, "float64"),
    "whole": (STAKE.Roulette(), pl.Int64, "Int64"),
    "list": (STAKE.Mines(3), pl.List(pl.Int64), "object"),
    "table": (STAKE.DragonTower(), pl.List(pl.List(pl.Int64)), "object"),
}


def right(game):
    return {**ROUNDS, "outcome": game.play(**ROUNDS).tolist()}


# Changes of a right log, by what is then said of its rows.
LOGS = {
    "right": lambda log: log,
    "wrong": lambda log: {**log, "client_seed": ["you"] * 4},
    "mixed": lambda log: {**log, "outcome": [log["outcome"][0], None, *log["outcome"][::3]]},
    "empty seeds": lambda log: {**log, "server_seed": [None] * 4},
    "repeated": lambda log: {name: column[:2] * 2 for name, column in log.items()},
    "no rows": lambda log: {name: column[:0] for name, column in log.items()},
}
OPTIONS = [{}, {"repeats": "fail", "unrevealed": "report"}]


def schemas(form, game, options):
    for change in LOGS.values():
        yield pf.check(form(change(right(game))), game, **options)


@pytest.mark.parametrize("kind", GAMES)
@pytest.mark.parametrize("options", OPTIONS, ids=["plain", "strict"])
def test_the_schema_is_that_of_the_game(kind, options):
    game, polars, pandas = GAMES[kind]
    types = {"expected": polars, "ok": pl.Boolean, "kind": pl.String}
    for form in (pl.DataFrame, pl.LazyFrame):
        for verdicts in schemas(form, game, options):
            assert isinstance(verdicts, pl.DataFrame)
            assert dict(verdicts.schema) == types
    types = {"expected": pandas, "ok": "boolean", "kind": "object"}
    for verdicts in schemas(pd.DataFrame, game, options):
        assert {name: str(kind) for name, kind in verdicts.dtypes.items()} == types
    arrow = [verdicts.schema for verdicts in schemas(lambda log: pl.DataFrame(log).to_arrow(), game, options)]
    assert all(schema == arrow[0] for schema in arrow)
    for verdicts in schemas(dict, game, options):
        assert list(verdicts) == ["expected", "ok", "kind"]


def test_the_schema_is_kept_where_rows_cannot_be_checked():
    """Missing values have the same types with a table of seeds, a column of games, or a chain."""
    game, polars, _ = GAMES["double"]
    log = right(game)
    hashed = hashlib.sha256(b"server").hexdigest()
    table = {"commitment": [hashed], "server_seed": [""]}
    hidden = {name: log[name] for name in ("client_seed", "nonce", "outcome")} | {"commitment": [hashed] * 4}
    other = {**log, "Game": ["stake.dice", "slots"] * 2}
    for form in (pl.DataFrame, pl.LazyFrame):
        for verdicts in (
            pf.check(form(hidden), game, seeds=table),
            pf.check(form(log), game),
        ):
            assert dict(verdicts.schema) == {"expected": polars, "ok": pl.Boolean, "kind": pl.String}
        games = [
            pf.check(form(rows), {"stake.dice": game, "slots": None}, game_column="Game").schema
            for rows in (other, {**other, "Game": ["slots"] * 4}, {**other, "Game": ["stake.dice"] * 4})
        ]
        assert games[0] == games[1] == games[2]
