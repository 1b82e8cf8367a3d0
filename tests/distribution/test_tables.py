"""Weighted tables, checked against plain sums of integers and fractions."""

from __future__ import annotations

import bz2
import functools
import gzip
import json
import random
import sqlite3
from decimal import Decimal
from fractions import Fraction

import measure_tables
import numpy as np
import provably_fair as pf
import pytest
from oracles.laws import exact

pa = pytest.importorskip("pyarrow")
NAMED = {"value": "payout", "weight": "weight"}


def rows_of(count, seed, most=2**40):
    """Rows of id, weight and payout, many of them equal."""
    rng = random.Random(seed)
    return [(row, rng.randint(0, most), rng.choice((0, 0, 50, 120, 1575))) for row in range(count)]


def weights_of(rows, one=1):
    """The total weight of each payout, by a plain loop."""
    found: dict[Fraction, int] = {}
    for _, weight, payout in rows:
        amount = Fraction(payout) / one
        found[amount] = found.get(amount, 0) + int(weight)
    return dict(sorted(found.items()))


def weights_in(law):
    return dict(zip(map(exact, law.outcomes.tolist()), law.weights, strict=True))


def csv_of(rows, header="id,weight,payout"):
    return "\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n"


def columns_of(rows):
    return dict(zip(("id", "weight", "payout"), map(list, zip(*rows, strict=True)), strict=True))


def stored(rows, folder):
    """The table in each form that logs may have."""
    import pandas as pd
    import polars as pl
    import pyarrow.parquet

    text, columns = csv_of(rows), columns_of(rows)
    (folder / "t.csv").write_text(text)
    (folder / "t.csv.gz").write_bytes(gzip.compress(text.encode()))
    (folder / "t.csv.bz2").write_bytes(bz2.compress(text.encode()))
    with pa.output_stream(folder / "t.csv.zst", compression="zstd") as out:
        out.write(text.encode())
    lines = "".join(json.dumps(dict(zip(columns, row, strict=True))) + "\n" for row in rows)
    (folder / "t.jsonl").write_text(lines)
    (folder / "t.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    pyarrow.parquet.write_table(pa.table(columns), folder / "t.parquet")
    yield from sorted(folder.glob("t.*"))
    yield columns
    yield {name: np.array(cells) for name, cells in columns.items()}
    yield pd.DataFrame(columns)
    yield pl.DataFrame(columns)
    yield pa.table(columns)
    yield iter([pa.table(columns).slice(0, 100), pa.table(columns).slice(100)])
    yield [dict(zip(columns, row, strict=True)) for row in rows]
    yield pf.Log(folder / "t.csv", csv={"separator": ","})
    database = sqlite3.connect(":memory:")
    database.execute("create table t (id, weight, payout)")
    database.executemany("insert into t values (?, ?, ?)", rows)
    yield pf.Query("select * from t", database)


def test_a_table_in_every_form(tmp_path):
    rows = rows_of(700, "forms")
    expected = weights_of(rows, 100)
    for source in stored(rows, tmp_path):
        law = pf.Distribution.from_table(source, **NAMED, unit="0.01")
        assert weights_in(law) == expected, source
    assert law.mean(exact=True) == Fraction(sum(w * p for _, w, p in rows), 100 * sum(w for _, w, _ in rows))


def test_many_tables(tmp_path):
    """Weights from a few to hundreds of bits, decimal payouts, and batches of any size."""
    rng = random.Random("tables")
    for number in range(60):
        most = 2 ** rng.choice((1, 8, 51, 52, 62, 63, 64, 70, 300))
        rows = [
            (row, rng.randint(0, most), str(Decimal(rng.randint(0, 300)).scaleb(-rng.randint(0, 3))))
            for row in range(rng.randint(1, 400))
        ]
        rows.append((len(rows), 1, "0.5"))
        path = tmp_path / f"{number}.csv"
        path.write_text(csv_of(rows))
        assert weights_in(pf.Distribution.from_table(path, **NAMED)) == weights_of(rows)
        some = [columns_of(rows[:7]), columns_of(rows[7:])] if len(rows) > 7 else [columns_of(rows)]
        parts = [pa.table({name: list(map(str, cells)) for name, cells in part.items()}) for part in some]
        assert weights_in(pf.Distribution.from_table(iter(parts), **NAMED)) == weights_of(rows)


@pytest.mark.thorough
def test_several_batches_and_files_are_one_table(tmp_path):
    rows = rows_of(150_000, "batches", most=9)
    for part in range(2):
        (tmp_path / f"{part}.csv").write_text(csv_of(rows[part * 75_000 : (part + 1) * 75_000]))
    law = pf.Distribution.from_table(sorted(tmp_path.glob("*.csv")), **NAMED)
    assert weights_in(law) == weights_of(rows)
    # Row numbers run on through all files.
    (tmp_path / "1.csv").write_text(csv_of([*rows[75_000:75_010], (0, -1, 0)]))
    with pytest.raises(pf.LogError, match=r"1.csv: row 75010: column 'weight' must have") as caught:
        pf.Distribution.from_table(sorted(tmp_path.glob("*.csv")), **NAMED)
    assert caught.value.row == 75_010


BROKEN = {
    "negative": ("7,-3,50", "weight", "a whole number from 0 on, got -3"),
    "a fraction": ("7,1.5,50", "weight", "a whole number from 0 on, got 1.5"),
    "no weight": ("7,,50", "weight", "a whole number from 0 on, got nothing"),
    "a word": ("7,many,50", "weight", "a whole number from 0 on, got 'many'"),
    "no value": ("7,3,", "value", "a number, got nothing"),
    "no number": ("7,3,high", "value", "a number, got 'high'"),
    "not a number": ("7,3,NaN", "value", "a number, got 'NaN'"),
    "without end": ("7,3,inf", "value", "a number, got 'inf'"),
}


@functools.cache
def lines_of_two_batches(large):
    return csv_of(rows_of(70_000, "broken", most=2**65 if large else 9)).splitlines()


@pytest.mark.one_case_in(3)
@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("large", [False, True])
def test_a_broken_row_is_refused_by_its_number(name, large, tmp_path):
    line, argument, said = BROKEN[name]
    path = tmp_path / "table.csv"
    for row in (3, 69_999) if large else (0, 3, 69_999):
        lines = list(lines_of_two_batches(large))
        lines[1 + row] = line
        lines[1 + 69_999] = line  # a later row
        path.write_text("\n".join(lines) + "\n")
        column = {"value": "payout"}.get(argument, argument)
        with pytest.raises(pf.LogError) as caught:
            pf.Distribution.from_table(path, **NAMED)
        assert str(caught.value) == f"{path}: row {row}: column {column!r} must have {said}"
        assert (caught.value.row, caught.value.argument) == (row, argument)


def test_a_line_that_cant_be_read_is_refused_by_its_number(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("id,weight,payout\n0,1,0\n1,2,50\n2,3\n3,4,0\n")
    with pytest.raises(pf.LogError, match=r"row 2 can't be read: '2,3'") as caught:
        pf.Distribution.from_table(path, **NAMED)
    assert caught.value.row == 2
    lines = tmp_path / "table.jsonl"
    lines.write_text('{"weight": 1, "payout": 0}\n{"weight": 1, "payout"\n')
    with pytest.raises(pf.LogError, match="row 1 can't be read") as caught:
        pf.Distribution.from_table(lines, **NAMED)
    assert caught.value.row == 1


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow", "rows"])
def test_broken_rows_of_frames(library):
    import pandas as pd
    import polars as pl

    def frame(columns):
        if library == "rows":
            return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        return {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}[library](columns)

    right = {"payout": [0, 1, 2], "weight": [5, 0, 1]}
    assert pf.Distribution.from_table(frame(right), **NAMED).weights == (5, 0, 1)
    for column, cells, row in (
        ("weight", [5, -1, -1], 1),
        ("weight", [5, 1, None], 2),
        ("weight", [0.5, 1.0, 1.0], 0),
        ("weight", [True, False, True], 0),
        ("payout", [1.0, float("nan"), None], 1),
        ("payout", [1.0, 2.0, float("inf")], 2),
    ):
        with pytest.raises(ValueError, match=f"row {row}: column '{column}' must have") as caught:
            pf.Distribution.from_table(frame({**right, column: cells}), **NAMED)
        assert caught.value.row == row


def test_columns_and_units_are_checked():
    table = {"id": [1], "weight": [2], "payout": [150]}
    read = pf.Distribution.from_table
    with pytest.raises(ValueError, match=r"source: no column 'pay'.*'id', 'weight', 'payout'") as caught:
        read(table, value="pay", weight="weight")
    assert caught.value.argument == "value"
    with pytest.raises(ValueError, match=r"no column 'wieght'.*mean value='payout', weight='weight'\?"):
        read(table, value="payout", weight="wieght")
    with pytest.raises(ValueError, match=r"no column 'Payout'.*mean value='payout', weight='weight'\?"):
        read({**table, "payouts": [1]}, value="Payout", weight="Weight")
    for unit in ("0.01", Decimal("0.01"), Fraction(1, 100), 0.01, 100):
        assert read(table, **NAMED, unit=unit).outcomes.tolist() == [1.5]
    with pytest.raises(ValueError, match="weights must not all be 0"):
        read({**table, "weight": [0]}, **NAMED)
    comma = [{"payout": "1,5", "weight": "2"}, {"payout": "1.000,25", "weight": "1"}]
    law = read(pf.Log(comma, csv={"decimal": ","}), **NAMED)
    assert law.outcomes.tolist() == [1.5, 1000.25]


def test_the_difference_of_two_tables():
    asked = pf.Distribution([0, 1.5, 5, 20], [700, 200, 90, 10])
    made = pf.Distribution([0, 1.5, 5, 25], [1400, 420, 160, 20])
    found = asked.difference(made)
    assert found.outcomes == (25, 20, 5, 1.5)
    assert found.probabilities == (0, Fraction(1, 100), Fraction(9, 100), Fraction(1, 5))
    assert found.others == (Fraction(1, 100), 0, Fraction(8, 100), Fraction(21, 100))
    assert found.parts == (Fraction(1, 4), Fraction(-1, 5), Fraction(-1, 20), Fraction(3, 200))
    assert sum(found.parts) == found.other_mean - found.mean == made.mean(exact=True) - asked.mean(exact=True)
    assert "4 outcomes differ; the mean is 0.965 instead of 0.95 (+0.015000)" in str(found)
    assert found.to_pandas()["exact_part"].tolist() == list(found.parts)
    assert found.to_polars()["outcome"].to_list()
    same = asked.difference(pf.Distribution([0, 1.5, 5, 20], [70, 20, 9, 1]))
    assert len(same) == 0
    assert str(same) == "no outcome differs; the mean is 0.95"
    assert len(same.to_pandas()) == 0
    with pytest.raises(TypeError, match="other must be a Distribution"):
        asked.difference([1])
    many = pf.Distribution(range(40), [1] * 40).difference(pf.Distribution(range(40), range(1, 41)))
    assert "and 20 more" in str(many)


def test_ten_million_rows_take_seconds():
    """The measured time meets the promise."""
    kept = json.loads(measure_tables.RESULTS.read_text(encoding="utf-8"))
    assert kept["rows"] == 10**7
    assert set(kept["read"]) == {"CSV", "CSV, zstd", "Parquet"}
    for one in kept["read"].values():
        assert one["seconds"] < 20
        assert one["megabytes"] < 500


# ---- points between thousands ----


@pytest.mark.parametrize(
    ("cells", "weights"),
    [
        (("0", "1.000", "2", "500"), None),
        (("0", "500", "2", "-1.000"), None),
        (("1.250", "1.000", "2.500", "500"), None),
        (("0", "1,000", "2", "500"), None),
        (("0", "1.000.000", "2", "1.000"), (1_000_000, 1000)),
        (("0,5", "1.000", "2", "500"), (1000, 500)),
        (("0.5", "1.000", "2", "500"), (1, 500)),
        (("0", "1.0", "2", "1.000"), (1, 1)),
        (("1.250", "1", "2.500", "500"), (1, 500)),
        (("0", "0.000", "2", "500"), (0, 500)),
    ],
)
@pytest.mark.parametrize("form", ["semicolons", "columns", "arrow", "json"])
def test_points_in_whole_numbers_are_asked_for(tmp_path, cells, weights, form):
    """1.000 is a thousand or one, unless another cell shows what a point is."""
    rows = [{"payout": cells[0], "weight": cells[1]}, {"payout": cells[2], "weight": cells[3]}]
    columns = {name: [row[name] for row in rows] for name in ("payout", "weight")}
    source = {"columns": columns, "arrow": pa.table(columns)}.get(form, tmp_path / "table.csv")
    if form == "semicolons":
        source.write_text("payout;weight\n" + "".join(f"{a};{b}\n" for a, b in (cells[:2], cells[2:])))
    elif form == "json":
        source = tmp_path / "table.jsonl"
        source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    if weights is not None:
        assert pf.Distribution.from_table(source, **NAMED).weights == weights
        return
    with pytest.raises(pf.LogError, match=r"column 'weight' has '-?1[.,]000', which may be") as caught:
        pf.Distribution.from_table(source, **NAMED)
    one, other = "Log(source, csv={'decimal': '.'})", "Log(source, csv={'decimal': ','})"
    assert one in str(caught.value)
    assert other in str(caught.value)
    if form == "semicolons" and "," not in "".join(cells) and "-" not in "".join(cells):
        for mark, thousand in ((".", 1), (",", 1000)):
            law = pf.Distribution.from_table(pf.Log(source, csv={"decimal": mark}), **NAMED)
            assert sorted(law.weights) == sorted((thousand, 500))


def test_a_point_in_a_later_batch_is_asked_for_too(monkeypatch, tmp_path):
    from provably_fair.sources import limits

    monkeypatch.setattr(limits, "JSON_BATCH", 2)
    path = tmp_path / "table.jsonl"
    pairs = [("1.250", "1"), ("2.500", "2"), ("3", "1.000"), ("4", "5")]
    path.write_text("".join(json.dumps({"payout": a, "weight": b}) + "\n" for a, b in pairs))
    with pytest.raises(pf.LogError, match=r"'1.000', which may be"):
        pf.Distribution.from_table(path, **NAMED)


def test_different_decimals_with_many_digits():
    """They are sorted and merged as fractions, in integers where these are small."""
    rng = random.Random(9)
    texts = [f"{rng.randint(0, 10**6)}.{rng.randint(0, 10**18):018d}" for _ in range(2000)]
    fractions = ["1/3", "2/7", *(f"1/{rng.getrandbits(200) | 1}" for _ in range(50))]
    for cells in (texts + texts[:9], texts + fractions + fractions[:3]):
        weights = [rng.randint(1, 9) for _ in cells]
        law = pf.Distribution.from_table({"payout": cells, "weight": weights}, **NAMED)
        expected = {}
        for cell, weight in zip(cells, weights, strict=True):
            expected[Fraction(cell)] = expected.get(Fraction(cell), 0) + weight
        assert list(weights_in(law).items()) == sorted(expected.items())
        total = sum(value * weight for value, weight in expected.items())
        assert law.mean(exact=True) == total / sum(expected.values())


def test_values_in_narrow_floats_stand_for_their_shortest_decimals():
    for kind, three in (("f4", [0.1, 1.98, 37.36]), ("f2", [0.1, 1.98, 37.4])):
        values = np.array(three, kind)
        for cells in (values, list(values), pa.array(values)):
            law = pf.Distribution.from_table({"payout": cells, "weight": [1, 2, 3]}, **NAMED)
            assert law.outcomes.tolist() == three


def test_types_that_arrow_cant_encode():
    pl = pytest.importorskip("polars")
    decimals = pa.array([Decimal("0.5"), Decimal(2)], pa.decimal32(9, 2))
    categories = pa.table(pl.DataFrame({"payout": ["0.5", "2"]}).cast(pl.Categorical))["payout"]
    for cells in decimals, categories:
        law = pf.Distribution.from_table({"payout": cells, "weight": [1, 2]}, **NAMED)
        assert (law.outcomes.tolist(), [*law.weights]) == ([0.5, 2.0], [1, 2])


def test_weights_in_hexadecimal_are_none():
    """Arrow reads them, as nothing else does."""
    for cells in (texts := ["7", "0x10"]), pa.array(texts), np.array(texts):
        with pytest.raises(pf.LogError, match=r"row 1: column 'weight' must have .*'0x10'"):
            pf.Distribution.from_table({"payout": [1, 2], "weight": cells}, **NAMED)
