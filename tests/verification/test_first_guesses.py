"""Logs as users first pass them: no rows, printed bytes, numbers for text, floats of other widths."""

from __future__ import annotations

import json

import numpy as np
import provably_fair as pf
import pytest
from provably_fair.operators.crypto_games import Blackjack, VideoPoker

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

DICE = pf.Dice()
SALTED = ("server_seed", "client_seed", "salt", "outcome")


class Spin(pf.Game):
    scheme = pf.Scheme(pf.Hash("sha256", "{client_seed}:{nonce}", key="{server_seed}"), bits=32)

    def outcome(self, draws):
        return draws.below(37)


def log_of(rounds=5):
    salts = pf.salts(rounds, "first")
    return {"server_seed": "s", "client_seed": "c", "salt": salts, "outcome": DICE.play("s", "c", salts)}


# No rows


def numpy_columns():
    return [np.array([], kind) for kind in (float, int, bool, object, "S4", "U4", "M8[s]", np.float16)]


def pandas_columns():
    kinds = ["object", "str", "float", "int", "bool", "M8[ns]", "category", "string", "Int64", "boolean"]
    return [pd.Series([], dtype=kind) for kind in kinds]


def polars_columns():
    kinds = [pl.Null, pl.String, pl.Int64, pl.Float64, pl.Binary, pl.Boolean, pl.Date, pl.Object, pl.Int128]
    return [pl.Series([], dtype=kind) for kind in kinds]


def arrow_columns():
    kinds = [pa.null(), pa.string(), pa.int64(), pa.binary(), pa.bool_(), pa.date32(), pa.list_(pa.int8())]
    return [pa.array([], kind) for kind in kinds]


@pytest.mark.parametrize(
    ("subject", "names"),
    [
        (DICE, SALTED),
        (pf.Mines(), SALTED),
        (Spin(), ("server_seed", "client_seed", "nonce", "outcome")),
        (VideoPoker(), ("server_seed", "client_seed", "nonce", "hold", "outcome")),
        (Blackjack(), ("server_seed", "client_seed", "nonce", "actions", "outcome")),
        (pf.operators.fpclub.Combined, ("first", "second", "outcome")),
        (pf.operators.fpclub.HashedDice, ("digits", "hash")),
    ],
    ids=lambda subject: getattr(subject, "__name__", type(subject).__name__),
)
@pytest.mark.parametrize("columns", [numpy_columns, pandas_columns, polars_columns, arrow_columns, list])
def test_no_rows_are_not_verified(subject, names, columns):
    for column in [*columns(), []]:
        report = pf.verify(dict.fromkeys(names, column), subject)
        assert (report.ok, report.checked, report.failed, report.complete) == (False, 0, 0, True)
        assert "nothing to verify: no rows" in str(report)
        with pytest.raises(AssertionError, match="no rows"):
            report.raise_if_failed()


def test_no_rows_in_files(tmp_path):
    frame = pd.DataFrame({name: pd.Series([], dtype="float") for name in SALTED})
    frame.to_csv(tmp_path / "empty.csv", index=False)
    frame.to_parquet(tmp_path / "empty.parquet")
    pl.DataFrame({name: pl.Series([], dtype=pl.Null) for name in SALTED}).write_ipc(tmp_path / "empty.arrow")
    assert not pf.verify(pl.DataFrame({name: [] for name in SALTED}), DICE).ok
    for name in ("empty.csv", "empty.parquet", "empty.arrow"):
        assert not pf.verify(tmp_path / name, DICE).ok
        assert repr(pf.verify(tmp_path / name, DICE)).endswith("nothing to verify>")
    # Next to files with rows, an empty file isn't a failure.
    pd.DataFrame(log_of() | {"salt": log_of()["salt"].astype(str)}).to_csv(tmp_path / "rows.csv", index=False)
    assert pf.verify([tmp_path / "rows.csv", tmp_path / "empty.csv"], DICE).ok


@pytest.mark.parametrize("columns", [numpy_columns, pandas_columns, polars_columns, arrow_columns])
def test_no_rounds_are_played(columns):
    for column in columns():
        if "128" in str(column.dtype if hasattr(column, "dtype") else column.type):
            continue  # Arrow has no such integers
        assert DICE.play("s", "c", column).shape == (0,)
        assert pf.seeds.random_numbers("s", "c", column).shape == (0, 8)
        assert Spin().play("s", "c", column).shape == (0,)
        assert VideoPoker().play("s", "c", nonce=column).shape == (0, 10)


# Bytes as printed by Python


def test_cells_that_are_how_python_shows_bytes_are_named(tmp_path):
    frame = pd.DataFrame(log_of())
    assert pf.verify(frame, DICE).ok
    frame.to_csv(tmp_path / "log.csv", index=False)
    assert ",b'" in (tmp_path / "log.csv").read_text()
    read = pd.read_csv(tmp_path / "log.csv")
    (tmp_path / "log.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row in read.to_dict("records")), encoding="utf-8"
    )
    for log in (tmp_path / "log.csv", tmp_path / "log.jsonl", read, pl.from_pandas(read)):
        report = pf.verify(log, DICE)
        assert report.failed == 5
        (note,) = report.notes
        first = bytes(log_of()["salt"][0])
        assert note.startswith(f"salt has cells such as {first!r}, which is how Python shows bytes")
        assert note in str(report)
        assert note in report.to_dict()["notes"]


def test_such_a_seed_that_was_hashed_is_right():
    seed = "b'a player may choose this'"
    log = {"server_seed": "s", "client_seed": seed, "salt": ["x"], "outcome": [DICE.play("s", seed, "x")]}
    report = pf.verify(log, DICE)
    assert report.ok
    assert report.notes == []


# Numbers instead of text


INTEGERS = [
    [1, 2],
    (1, 2),
    range(1, 3),
    np.array([1, 2]),
    np.array([1, 2], object),
    [np.int64(1), np.int64(2)],
    pd.Series([1, 2]),
    pd.Series([1, 2], dtype=object),
    pd.Series([1, 2], dtype="Int64"),
    pl.Series([1, 2]),
    pl.Series([1, 2], dtype=pl.Object),
    pa.array([1, 2]),
]


@pytest.mark.parametrize("salts", INTEGERS, ids=lambda salts: type(salts).__name__)
def test_integers_as_salts_are_refused_alike(salts):
    log = {"server_seed": "s", "client_seed": "c", "salt": salts, "outcome": [1.0, 2.0]}
    with pytest.raises(ValueError, match=r"log: column 'salt': salt must be text, got .*007 isn't 7"):
        pf.verify(log, DICE)
    for call in (DICE.play, pf.seeds.random_numbers, pf.SALTED.random_numbers):
        with pytest.raises(TypeError, match=r"salt(\[0\])? must be"):
            call("s", "c", salts)
    # A nonce may be a number.
    poker = VideoPoker()
    assert (poker.play("s", "c", nonce=salts) == poker.play("s", "c", nonce=["1", "2"])).all()


def test_a_column_of_nothing_is_missing_whatever_its_type():
    for nothing in ([None] * 5, np.array([None] * 5), pd.Series([None] * 5), pl.Series([None] * 5)):
        assert pf.verify(log_of() | {"commitment": nothing}, DICE).counts == {"missing": 5}


# The wording of messages


def test_a_group_lacks_the_column_that_it_was_grouped_by():
    log = pf.Dice().simulate(20, server_seed=["one", "two"] * 10, as_frame="pandas")
    for seed, group in log.groupby("server_seed"):
        rows = group.drop(columns="server_seed")
        with pytest.raises(ValueError, match=r"no column 'server_seed'.*constants=\{'server_seed': \.\.\.\}"):
            pf.verify(rows, DICE)
        assert pf.verify(rows, DICE, constants={"server_seed": seed}).ok
    with pytest.raises(ValueError, match="no column 'outcome'") as refused:
        pf.verify(log.drop(columns="outcome"), DICE)
    assert "constants" not in str(refused.value)
    with pytest.raises(ValueError, match=r"no column 'salt' \(it is read as outcome\); the columns"):
        pf.verify(log, DICE, columns={"outcome": "salt"})


def test_a_capped_list_of_failures_says_so():
    wrong = log_of(10_030) | {"outcome": np.full(10_030, -1.0)}
    report = pf.verify(wrong, DICE)
    assert report.to_dict()["failures_left_out"] == 30
    for make in (report.to_pandas, report.to_polars):
        with pytest.warns(UserWarning, match="the first 10,000 failures, 30 are left out"):
            frame = make()
        assert len(frame) == 10_000
        assert getattr(frame, "attrs", {"failures_left_out": 30}) == {"failures_left_out": 30}
    assert pf.verify(log_of(3), DICE).to_pandas().attrs == {"failures_left_out": 0}
