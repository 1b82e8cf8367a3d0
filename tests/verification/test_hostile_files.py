"""Logs written by an adversary: bytes that nobody reads, and numbers that are almost right."""

from __future__ import annotations

import bz2
import csv
import gc
import gzip
import io
import json
import os
import random
import sys
from decimal import Context, Decimal
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest
from oracles import salted as oracle
from own_games import game_of
from provably_fair.cli import run as run_here
from provably_fair.sources import Wanted, open_log
from provably_fair.sources.dialect import Dialect
from provably_fair.sources.names import Name
from provably_fair.sources.opened import HashedFile, Sealed
from provably_fair.sources.stored import StoredFile

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

SALTS = oracle.salts(40)
LOG = {
    "server_seed": ["a"] * 40,
    "client_seed": ["b"] * 40,
    "salt": SALTS,
    "outcome": [oracle.dice("a", "b", salt) for salt in SALTS],
}
RECORDS = [dict(zip(LOG, row, strict=True)) for row in zip(*LOG.values(), strict=True)]
CSV = "\n".join([",".join(LOG), *(",".join(map(str, row.values())) for row in RECORDS)]).encode() + b"\n"
JSON = "".join(json.dumps(row) + "\n" for row in RECORDS).encode()
HEADERLESS = CSV[CSV.index(b"\n") + 1 :]


def zstd(data: bytes) -> bytes:
    return pa.compress(data, codec="zstd", asbytes=True)


PACKED = {"bz2": bz2.compress, "gz": gzip.compress, "zst": zstd}


def stream(table=None, rows=10) -> bytes:
    sink, table = io.BytesIO(), pa.table(LOG) if table is None else table
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=rows)
    return sink.getvalue()


def read(path, data: bytes):
    """Return the verdict on the readable part of a file, and the reason if it isn't all."""
    path.write_bytes(data)
    (path.parent / "other.csv").write_bytes(CSV)
    report = pf.verify([path, path.parent / "other.csv"], "dice")
    error = report.files[0].error
    assert report.complete is (error is None) is report.ok
    if error is None:
        assert pf.verify(path, "dice").complete
    else:
        assert (report.files[0].sha256, report.failed) == (None, 0)
        with pytest.raises(pf.LogError) as refused:
            pf.verify(path, "dice")
        assert str(refused.value) == error
    return report.files[0].rows, error


@pytest.mark.parametrize("data", [CSV, JSON], ids=["csv", "jsonl"])
@pytest.mark.parametrize("ending", PACKED)
def test_what_stands_behind_packed_text_is_read_or_refused(ending, data, tmp_path):
    pack = PACKED[ending]
    kind = "csv" if data is CSV else "jsonl"
    path = tmp_path / f"log.{kind}.{ending}"
    again = HEADERLESS if data is CSV else JSON
    assert read(path, pack(data)) == (40, None)
    assert read(path, pack(data) + pack(again)) == (80, None)
    half = len(data) // 2
    assert read(path, pack(data[:half]) + pack(b"") + pack(data[half:])) == (40, None)
    for behind in (again, b"x", pack(again)[:-5], pack(again)[:1]):
        rows, error = read(path, pack(data) + behind)
        assert rows <= 80
        assert str(path) in error
    for cut in (1, 5, 20):
        _, error = read(path, pack(data)[:-cut])
        assert str(path) in error


def test_a_long_bz2_file_is_read_whole(tmp_path):
    note = "".join(map(str, range(10_000)))
    lines = CSV.decode().splitlines()
    text = "\n".join([lines[0] + ",note", *(f"{line},{note}" for line in lines[1:])])
    assert len(text) > 1 << 20
    assert read(tmp_path / "log.csv.bz2", bz2.compress(text.encode())) == (40, None)


@pytest.mark.parametrize("small", [True, False])
def test_an_arrow_stream_ends_with_its_mark_and_the_file_with_it(small, tmp_path, limits):
    if not small:
        limits(SMALL_FILE=0)
    path = tmp_path / "log.arrow"
    mark = b"\xff\xff\xff\xff" + bytes(4)
    whole = stream()
    assert whole.endswith(mark)
    assert read(path, whole) == (40, None)
    assert read(path, whole[: -len(mark)] + bytes(4)) == (40, None)  # as before Arrow 0.15
    for behind in (whole, mark, b"x", bytes(8)):
        rows, error = read(path, whole + behind)
        assert rows == 40
        assert f"{len(behind):,} more bytes follow" in error
    for cut in (4, 8):
        rows, error = read(path, whole[:-cut])
        assert rows == 40
        assert "after row 40" in error
    # Cut between batches, the file looks like a shorter log.
    first = whole[: len(stream(pa.table(LOG).slice(0, 20))) - len(mark)]
    assert whole.startswith(first)
    missing = "the stream breaks off here: the mark of its end is missing"
    assert read(path, first) == (20, f"{path}: after row 20: {missing}")
    coded = {name: pa.array(cells).dictionary_encode() for name, cells in LOG.items() if name != "outcome"}
    assert read(path, stream(pa.table(coded | {"outcome": LOG["outcome"]}))) == (40, None)
    sink = io.BytesIO()
    pytest.importorskip("polars").DataFrame(LOG).write_ipc_stream(sink)
    assert read(path, sink.getvalue()) == (40, None)
    empty = stream(pa.table(LOG).slice(0, 0))
    assert read(path, empty) == (0, None)
    assert missing in read(path, empty[: -len(mark)])[1]


@pytest.mark.parametrize("change", ["cut", "longer"])
@pytest.mark.parametrize("opened", [False, True])
def test_a_file_whose_size_changes_while_it_is_read_is_not_complete(
    opened, change, tmp_path, monkeypatch, limits
):
    limits(BLOCK=256)
    path = tmp_path / "log.csv"
    path.write_bytes(CSV)
    finish, readinto = HashedFile.finish, HashedFile.readinto
    reads = []

    def read_and_cut(self, buffer):
        count = readinto(self, buffer)
        reads.append(count)
        if change == "cut" and len(reads) == 2:
            os.truncate(path, sum(reads))
        return count

    def read_and_grow(self):
        check = self._check

        def late(size):
            with open(path, "ab") as file:
                file.write(HEADERLESS)
            check(size)

        monkeypatch.setattr(self, "_check", late)
        return finish(self)

    monkeypatch.setattr(HashedFile, "readinto", read_and_cut)
    if change == "longer":
        monkeypatch.setattr(HashedFile, "finish", read_and_grow)
    log = open(path, "rb") if opened else path  # noqa: SIM115
    with pytest.raises(pf.LogError, match=r"log\.csv: it was changed while it was read") as refused:
        pf.verify(log, "dice")
    assert not refused.value.report.complete
    if opened:
        log.close()


def test_a_remote_file_of_which_fewer_bytes_come_is_not_complete(monkeypatch):
    memory = pytest.importorskip("fsspec").filesystem("memory")
    memory.pipe("/short/log.csv", CSV)
    info = type(memory).info
    told = {"size": len(CSV) + 5}
    monkeypatch.setattr(type(memory), "info", lambda *given, **named: info(*given, **named) | told)
    with pytest.raises(pf.LogError, match=f"only {len(CSV):,} of its {len(CSV) + 5:,} bytes") as refused:
        pf.verify("memory://short/log.csv", "dice")
    assert not refused.value.report.complete


# ---- numbers ----


def another(outcome: float) -> list[str]:
    """Return decimals close to an outcome but not equal to it."""
    exact, context = Decimal(repr(outcome)), Context(prec=100)
    return [
        f"{context.add(exact, Decimal(step)):f}" for step in ("1e-14", "-1e-14", "1e-17", "-1e-25", "1e-60")
    ]


def spelled(outcome: float) -> list[str]:
    exact = Decimal(repr(outcome))
    return [f"{exact}", f"{exact}0000000000000000000", f"{exact.scaleb(2):f}e-2", f"{exact:E}"]


def forms(record: dict, text: str, tmp_path):
    """Yield a one-row log with each notation of its numbers."""
    row = {**record, "outcome": text}
    (tmp_path / "log.csv").write_text(f"{','.join(row)}\n{','.join(row.values())}\n")
    yield tmp_path / "log.csv"
    bare = json.dumps(row).replace(json.dumps(text), text)
    (tmp_path / "log.jsonl").write_text(bare + "\n")
    yield tmp_path / "log.jsonl"
    (tmp_path / "log.json").write_text(f"[{bare}]")
    yield tmp_path / "log.json"
    column = {name: [cell] for name, cell in row.items()}
    yield column
    yield column | {"outcome": [Decimal(text)]}
    if -Decimal(text).as_tuple().exponent < 70:
        yield pa.table(column | {"outcome": pa.array([Decimal(text)])})


@pytest.mark.thorough
@pytest.mark.parametrize("game", ["dice", "stake.dice"])
def test_numbers_are_compared_as_they_are_written(game, tmp_path):
    """The second game's outcomes are floats: short decimals have to match exactly."""
    for seed in range(10):
        record = dict(RECORDS[0])
        if game == "dice":
            record["outcome"] = outcome = LOG["outcome"][seed]
            record["salt"] = SALTS[seed]
        else:
            outcome = float(pf.operators.stake.Dice().play("a", "b", seed))
            record["nonce"] = str(seed)
        for text in spelled(outcome):
            for log in forms(record, text, tmp_path):
                assert pf.verify(log, game).ok, (text, log)
        for text in another(outcome):
            for log in forms(record, text, tmp_path):
                assert pf.verify(log, game).counts == {"mismatch": 1}, (text, log)
        # A float matches every decimal that it is nearest to.
        assert pf.verify({**forms_of(record), "outcome": [float(another(outcome)[2])]}, game).ok


def forms_of(row):
    return {name: [cell] for name, cell in row.items()}


def test_floats_without_a_decimal_of_their_own_are_what_reads_as_them(tmp_path):
    game = game_of(lambda draws: draws.below(1000) / 3, scheme=pf.operators.stake.SCHEME)
    thirds = game.play("a", "b", np.arange(50)).tolist()
    for write in (repr, "{:.17g}".format):
        path = tmp_path / "log.csv"
        rows = "".join(f"a,b,{nonce},{write(third)}\n" for nonce, third in enumerate(thirds))
        path.write_text("server_seed,client_seed,nonce,outcome\n" + rows)
        report = pf.verify(path, game)
        short = sum(third == int(third) for third in thirds)
        assert report.ok
        assert report.checked == 50 > short


def test_numbers_of_json_beyond_any_outcome_are_told_as_others_are(tmp_path):
    path = tmp_path / "log.jsonl"
    numbers = ["1e99999999999999999999999", "1e-99999999999999999999999", "-0.0e99999999999999999999"]
    rows = [
        json.dumps(row | {"outcome": "?"}).replace('"?"', text)
        for row, text in zip(RECORDS, numbers, strict=False)
    ]
    path.write_text("\n".join(rows))
    report = pf.verify(path, "dice")
    assert (report.checked, report.failed) == (3, 3)
    json.loads(report.to_json())


# ---- line ends within quotes ----


def random_table(draw: random.Random, delimiter: str) -> str:
    """Return rows of three cells, or some other number, in any valid CSV notation."""
    ends = draw.choice([["\n"], ["\r\n"], ["\r"], ["\n", "\r\n"]])
    text = delimiter.join("abc") + ("\n" if ends == ["\r"] else draw.choice(ends))
    for _ in range(draw.randrange(1, 30)):
        marks = ["x", "1", " ", '"', "\n", "\r\n", delimiter]
        cells = ["z" + "".join(draw.choices(["z", *marks], k=draw.randrange(6))) for _ in range(3)]
        if draw.random() < 0.2:
            cells = draw.choice([cells[:1], cells[:2], [*cells, "more"], [*cells, "m\no", "r\re"]])
        written = [
            '"' + cell.replace('"', '""') + '"' if draw.random() < 0.2 or not cell.isalnum() else cell
            for cell in cells
        ]
        if draw.random() < 0.2:  # quotes that need none around them
            written[0] = draw.choice(['b"c', '"d"e', '"f"""', 'g"', '"h\ni"'])
        text += delimiter.join(written) + draw.choice(ends)
    return text if draw.random() < 0.7 else text.rstrip("\r\n")


@pytest.mark.parametrize("delimiter", [",", "\t", ";", "|"])
def test_rows_of_csv_are_those_of_another_reader(delimiter, tmp_path, limits):
    path = tmp_path / ("table.tsv" if delimiter == "\t" else "table.csv")
    draw = random.Random(ord(delimiter))
    for _ in range(150):
        text = random_table(draw, delimiter)
        path.write_bytes(text.encode())
        block = draw.choice([7, 20, 64, 1 << 20])
        limits(BLOCK=block, CSV_BLOCK=block)
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))[1:]
        found: dict[int, object] = {}
        for piece in open_log(path, Wanted("abc", Dialect(separator=delimiter))).pieces():
            for batch in piece.batches():
                cells = [[str(cell) for cell in batch.columns[name]] for name in "abc"]
                read = {batch.place(i): list(row) for i, row in enumerate(zip(*cells, strict=True))}
                assert not found.keys() & (read.keys() | batch.unreadable.keys())
                found |= read | dict.fromkeys(batch.unreadable)
        assert found == dict(enumerate(row if len(row) == 3 else None for row in rows if row)), text


def test_broken_rows_with_lines_within_quotes_count_once(tmp_path):
    """Three of 3,000 rows have an extra cell with a line end; they once counted as 3,003 rows."""
    path = tmp_path / "log.tsv"
    note = '"two\nlines"'
    lines = ["\t".join([*map(str, RECORDS[i % 40].values()), note]) for i in range(3000)]
    for row in (5, 1700, 2999):
        lines[row] += f"\t{note}"
    path.write_text("\n".join(["\t".join([*LOG, "note"]), *lines]) + "\n")
    report = pf.verify(path, "dice")
    assert (report.checked, report.failed, report.counts) == (3000, 3, {"malformed": 3})
    assert [failure.row for failure in report.failures] == [5, 1700, 2999]


# ---- messages and their explanations ----


def test_a_file_of_failures_replaces_none_unless_it_is_told_to(tmp_path, capsys):
    log, path = tmp_path / "log.csv", tmp_path / "failures.csv"
    log.write_bytes(CSV)
    path.write_text("dear to somebody")
    with pytest.raises(ValueError, match=r"failures must be a new file, got .*: overwrite replaces it"):
        pf.verify(log, "dice", failures=path)
    for said in ({"path": path, "overwrite": "yes"}, {"overwrite": True}, {"path": path, "mode": "w"}):
        with pytest.raises(ValueError, match="failures must be a path, or"):
            pf.verify(log, "dice", failures=said)
    with pytest.raises(ValueError, match="failures must be a new file"):
        pf.verify(log, "dice", failures={"path": path, "overwrite": False})
    command = ["verify", str(log), "--game", "dice", "--failures", str(path)]
    assert run_here(command) == 2
    assert "--failures must be a new file" in capsys.readouterr().err
    assert path.read_text() == "dear to somebody"
    assert run_here([*command, "--overwrite"]) == 0
    assert path.read_text().startswith("row,kind")
    assert pf.verify(log, "dice", failures={"path": path, "overwrite": True}).ok


def test_cells_that_begin_like_formulas_are_text(tmp_path):
    cells = ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "-1.5", "+2e3", "-.5", "- 1", "7"]
    log = {name: column[: len(cells)] for name, column in LOG.items()} | {"outcome": cells}
    path, other, lines = (tmp_path / name for name in ("failures.csv", "named.csv", "failures.jsonl"))
    pf.verify(log, "dice", failures=path)
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    kept = {"-1.5", "+2e3", "-.5", "7"}
    assert [row["found"] for row in rows] == [cell if cell in kept else f"'{cell}" for cell in cells]
    log["=cmd"] = log.pop("outcome")
    pf.verify(log, "dice", columns={"outcome": "=cmd"}, failures=other)
    with open(other, newline="", encoding="utf-8") as file:
        assert {row["column"] for row in csv.DictReader(file)} == {"'=cmd"}
    pf.verify(log, "dice", columns={"outcome": "=cmd"}, failures=lines)
    assert [json.loads(line)["found"] for line in lines.read_text().splitlines()] == cells


@pytest.mark.thorough
@pytest.mark.parametrize("kind", [HashedFile, Sealed])
def test_a_file_that_could_not_be_opened_goes_in_silence(kind, monkeypatch):
    """Python closes it on deletion, and since 3.13 prints errors raised there."""

    def interrupted():
        raise KeyboardInterrupt

    unraisable = []
    monkeypatch.setattr(sys, "unraisablehook", unraisable.append)
    with pytest.raises(KeyboardInterrupt):
        kind(StoredFile(Name("log.csv"), interrupted), lambda: False)
    gc.collect()
    assert unraisable == []
    kind.__new__(kind).close()  # before 3.13 the error would be swallowed


def test_rows_of_games_that_are_passed_over_need_nothing():
    games = {"Slots": None, "Keno": None}
    log = {"outcome": [1.0, 2.0, 3.0], "nonce": [0, 1, 2], "game": ["Slots", "Keno", None]}
    for kept in (log, {"game": log["game"]}):
        report = pf.verify(kept, games, game_column="game")
        assert (report.checked, report.unchecked, report.counts) == (1, {"other game": 2}, {"missing": 1})
        assert not report.ok
        assert pf.check(kept, games, game_column="game")["kind"] == ["other game", "other game", "missing"]
        with pytest.raises(ValueError, match="row 0 can't be explained: its game is 'Slots'"):
            report.explain(0)


ODD = [
    *("x", "1.5", "NaN", "Infinity", "-inf", "1e999999999", "1_0x", "1" * 500, b"\xff", 1.5, [1]),
    *(Decimal("NaN"), Decimal("sNaN"), float("nan"), float("inf"), Fraction(1, 2)),
]


@pytest.mark.parametrize("cell", ODD, ids=lambda cell: repr(cell)[:20])
def test_cells_that_are_no_whole_numbers_cannot_be_explained(cell):
    one = {name: column[:1] for name, column in LOG.items()}
    mines = pf.verify(one | {"outcome": [[1]], "mines": [cell]}, "mines")
    dice = pf.verify(one | {"nonce": [cell]}, "stake.dice")
    for report in (mines, dice):
        assert report.failed == 1
        with pytest.raises(ValueError, match="row 0 can't be explained: "):
            report.explain(0)


def test_whole_numbers_of_any_type_are_explained():
    one = {name: column[:1] for name, column in LOG.items()}
    for nonce in (1, "1", "1.0", "1e0", b"1", Decimal(1), 1.0, Fraction(1, 1)):
        report = pf.verify(one | {"nonce": [nonce]}, "stake.dice")
        assert report.explain(0).outcome == pf.operators.stake.Dice().play("a", "b", 1)


def test_twenty_thousand_columns_are_an_error(tmp_path):
    """It takes minutes where names are compared with each other."""
    path = tmp_path / "wide.csv"
    path.write_text(",".join(f"c{n}" for n in range(20_000)) + "\n")
    with pytest.raises(pf.LogError, match="there are 20,000 columns") as error:
        pf.audit(path, pf.operators.stake.Dice(), bet=pf.operators.stake.Dice().bet(1.98, under=50))
    assert len(str(error.value)) < 1000
