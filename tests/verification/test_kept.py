"""Columns of a log that its failures show: a bet's id, the player."""

import csv
import datetime
import json
import re
import tracemalloc
import uuid
from decimal import Decimal
from functools import partial
from xml.etree import ElementTree

import provably_fair as pf
import pytest
from provably_fair.verification import Failure
from tools.random_logs import STORAGES

pd = pytest.importorskip("pandas")
pa = pytest.importorskip("pyarrow")
pl = pytest.importorskip("polars")

DICE = pf.operators.stake.Dice()
ROWS = 40
WRONG, AGAIN = (3, 37), 30
"""Rows that fail, and one that has the round of row 10."""
KEPT = {
    3: {"Bet ID": 1003, "player": "p0"},
    30: {"Bet ID": 1030, "player": None},
    37: {"Bet ID": 1037, "player": "p1"},
}


@pytest.fixture
def frame():
    log = {"server_seed": "server", "client_seed": "me", "nonce": list(range(ROWS))}
    log["outcome"] = DICE.play(**log).tolist()
    for row in WRONG:
        log["outcome"][row] += 1
    for name in ("nonce", "outcome"):
        log[name][AGAIN] = log[name][10]
    log["Bet ID"] = [1000 + row for row in range(ROWS)]
    log["player"] = [None if row == AGAIN else f"p{row % 3}" for row in range(ROWS)]
    return pd.DataFrame(log)


READ = {"csv": pd.read_csv, "parquet": pd.read_parquet, "jsonl": partial(pd.read_json, lines=True)}
ONCE = ("batches", "rows one by one", "frames one by one", "sqlite")


def stored(frame, folder, names):
    """Yield the same log in storages by their names."""
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    for name in names:
        (folder / name).mkdir()
        yield name, STORAGES[name](rows, folder / name)


def kept_of(report):
    """Return the kept cells by row, as numbers where possible: text files have these as text."""
    return {
        failure.row: {
            name: int(cell) if str(cell).isdecimal() else cell for name, cell in failure.kept.items()
        }
        for failure in report.failures
    }


def test_failures_show_columns_of_the_log_in_every_storage(frame, tmp_path):
    frame.to_excel(tmp_path / "log.xlsx", index=False)
    again = stored(frame, tmp_path, STORAGES.keys() - {*ONCE, "csv in memory"})
    asked = {"keep": ["Bet ID", "player"], "repeats": "fail"}
    for name, log in [("Excel", tmp_path / "log.xlsx"), ("list", [frame[:11], frame[11:]]), *again]:
        report = pf.verify(log, DICE, **asked)
        assert [failure.kind for failure in report.failures] == ["mismatch", "repeated", "mismatch"], name
        assert kept_of(report) == KEPT, name
        assert report.unread == [], name
        assert kept_of(pf.audit(log, DICE, **asked).verification) == KEPT, name


def test_logs_that_are_read_once_keep_all_but_repeated_rows(frame, tmp_path):
    for name, log in stored(frame, tmp_path, ONCE):
        report = pf.verify(log, DICE, keep=["Bet ID", "player"], repeats="fail")
        assert kept_of(report) == KEPT | {AGAIN: {}}, name
        assert any("can't be read a second time" in note for note in report.notes), name


@pytest.mark.usefixtures("every_room")
def test_clusters_and_pieces_keep_the_same(frame):
    dataframe = pytest.importorskip("dask.dataframe")
    report = pf.dask.verify(dataframe.from_pandas(frame, npartitions=3), DICE, keep=["Bet ID", "player"])
    assert kept_of(report) == {row: KEPT[row] for row in WRONG}
    auditor = pf.Auditor(DICE, keep=["Bet ID", "player"]).update(frame[:20])
    auditor.merge(pf.Auditor(DICE, keep=["Bet ID", "player"]).update(frame[20:]))
    assert kept_of(auditor.report().verification) == {row: KEPT[row] for row in WRONG}


def test_a_folder_with_lines_that_cannot_be_read_keeps_the_right_rows(frame, tmp_path):
    lines = frame.to_csv(index=False).splitlines()
    lines.insert(1 + 20, "a line with too few cells")
    (tmp_path / "a.csv").write_text("\n".join(lines))
    frame.assign(client_seed="you", outcome=DICE.play("server", "you", frame["nonce"])).to_csv(
        tmp_path / "b.csv", index=False
    )
    report = pf.verify(tmp_path, DICE, keep="Bet ID", repeats="fail")
    # Row numbers include the line that can't be read, and continue through the second file.
    assert kept_of(report) == {
        3: {"Bet ID": 1003},
        20: {},
        31: {"Bet ID": 1030},
        38: {"Bet ID": 1037},
        71: {"Bet ID": 1030},
    }


def test_every_report_shows_what_was_kept(frame, tmp_path):
    report = pf.verify(frame, DICE, keep=("Bet ID", "player"), repeats="fail")
    assert f"row {WRONG[0]} (Bet ID 1003, player p0): mismatch" in str(report)
    assert f"row {AGAIN} (Bet ID 1030): repeated" in str(report)
    assert "kept" in str(report)
    assert json.loads(report.to_json())["failures"][0]["kept"] == KEPT[3]
    assert report.to_pandas()["Bet ID"].tolist() == [1003, 1030, 1037]
    assert "1003" in report.to_html()
    assert "(Bet ID 1003, player p0)" in report.to_junit()
    for ending, read in READ.items():
        path = tmp_path / f"failures.{ending}"
        pf.verify(frame, DICE, keep=["Bet ID", "player"], repeats="fail", failures=path)
        found = read(path)
        assert found["Bet ID"].astype(int).tolist() == [1003, 1037, 1030]
        assert found["player"].fillna("").tolist() == ["p0", "p1", ""]


def test_columns_called_as_those_of_failures_keep_apart(tmp_path):
    log = {"salt": ["a"], "outcome": [1.5], "row": [7], "=kind": ["=1+1"]}
    report = pf.verify(log, "crash", keep=["row", "=kind"], failures=tmp_path / "failures.csv")
    assert report.failures[0].kept == {"row": 7, "=kind": "=1+1"}
    assert report.to_pandas()[["row", "kept.row", "=kind"]].values.tolist() == [[0, 7, "=1+1"]]
    with open(tmp_path / "failures.csv", newline="") as file:
        names, cells = csv.reader(file)
    assert (names[-2:], cells[-2:]) == (["kept.row", "'=kind"], ["7", "'=1+1"])


@pytest.mark.parametrize("keep", [["kept.row", "row"], ["row", "kept.row"]])
@pytest.mark.parametrize("ending", READ)
def test_columns_to_keep_never_share_a_name(tmp_path, keep, ending):
    log = {"salt": ["a"], "outcome": [1.5], "row": ["x"], "kept.row": ["y"]}
    path = tmp_path / f"failures.{ending}"
    report = pf.verify(log, "crash", keep=keep, failures=path)
    for frame in (READ[ending](path), report.to_pandas()):
        assert frame[["row", "kept.row", "kept.kept.row"]].values.tolist() == [[0, "y", "x"]]


def test_cells_are_kept_in_types_of_json():
    name = uuid.UUID(int=5)
    cells = {
        "when": datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.UTC),
        "day": datetime.date(2026, 1, 2),
        "id": name,
        "stake": Decimal("0.10"),
        "bytes": b"caf\xc3\xa9",
        "long": "x" * 1000,
        "none": float("nan"),
    }
    log = {"salt": ["a"], "outcome": [1.5], **{column: [cell] for column, cell in cells.items()}}
    report = pf.verify(log, "crash", keep=list(cells))
    kept = report.failures[0].kept
    assert kept == {
        "when": "2026-01-02 03:04:05+00:00",
        "day": "2026-01-02",
        "id": str(name),
        "stake": "0.10",
        "bytes": "café",
        "long": "x" * 200 + "...",
        "none": None,
    }
    assert json.loads(report.to_json())["failures"][0]["kept"] == kept


def test_a_column_that_is_not_there_is_refused_with_the_likely_one(frame, tmp_path):
    with pytest.raises(pf.LogError, match=r"^log: no column 'bet_id' to keep; .*mean keep=\['Bet ID'\]\?"):
        pf.verify(frame, DICE, keep="bet_id")
    frame.to_csv(tmp_path / "log.csv", index=False)
    with pytest.raises(pf.LogError, match="no column 'Round'") as caught:
        pf.verify(tmp_path / "log.csv", DICE, keep=["Round", "player"])
    assert caught.value.argument == "keep"
    for wrong, text in {
        5: "keep must be a column's name or a list of names, got int",
        (5,): r"keep\[0\] must be a column's name, got int",
    }.items():
        with pytest.raises(TypeError, match=text):
            pf.verify(frame, DICE, keep=wrong)


def test_a_call_goes_before_a_config(frame, tmp_path):
    config = {"game": "stake.dice", "keep": "Bet ID"}
    assert pf.verify(frame, config=config).failures[0].kept == {"Bet ID": 1003}
    assert pf.verify(frame, config=config, keep=["player"]).failures[0].kept == {"player": "p0"}
    assert pf.verify(pf.Log(frame, keep=["player"]), config=config).failures[0].kept == {"player": "p0"}
    assert pf.verify(frame, config=config, keep=None).failures[0].kept == {}
    path = tmp_path / "log.toml"
    path.write_text('game = "stake.dice"\nkeep = ["player", "Bet ID"]')
    assert list(pf.verify(frame, config=path).failures[0].kept) == ["player", "Bet ID"]
    path.write_text('game = "stake.dice"\nkeep = 5')
    with pytest.raises(TypeError, match=re.escape('keep = ["Bet ID", "Player"]')):
        pf.verify(frame, config=path)


def test_what_is_kept_changes_no_verdict():
    """A column that no field is read from is still looked through for seeds."""
    log = {"other": "server", "client_seed": "me", "nonce": list(range(20))}
    log["outcome"] = DICE.play("server", "me", log["nonce"])
    log["server_seed"] = pf.commitment("server")
    plain, kept = (pf.verify(log, DICE, keep=keep) for keep in (None, ["other"]))
    assert plain.suggestions
    assert [one.text for one in kept.suggestions] == [one.text for one in plain.suggestions]
    assert (plain.unread, kept.unread) == (["other"], [])


@pytest.mark.thorough
def test_memory_stays_that_of_the_failures_that_are_kept(tmp_path):
    """A wide column is kept for the first failures only, whatever is written to a file."""
    path = tmp_path / "log.csv"
    text = "x" * 150
    with open(path, "w") as file:
        file.write("salt,outcome,note\n")
        file.writelines(f"salt {row},0.5,{text}\n" for row in range(30_000))

    def peak(**options):
        tracemalloc.start()
        report = pf.verify(path, "crash", **options)
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert report.failed == 30_000
        return found

    pf.verify(path, "crash")
    plain, kept = peak(), peak(keep="note", failures=tmp_path / "failures.jsonl")
    assert kept - plain < 40e6  # 10,000 failures, each with its text, and a batch of them
    assert len((tmp_path / "failures.jsonl").read_text().splitlines()) == 30_000


def test_failures_are_values():
    failure = Failure(2, "mismatch", 1, 2, "outcome", None, 2, {"bet": 5, "note": None})
    assert str(failure) == "row 2 (bet 5): mismatch in column 'outcome': found 2, expected 1"
    assert Failure(2, "mismatch", 1, 2).kept == {}
    assert failure.place == "row 2 (bet 5)"
    assert Failure(2, "x", 1, 2, kept={"a\x1b": "\x1b[31m"}).place == r"row 2 (a\x1b \x1b[31m)"


# ---- pages and build servers ----


def cases(report):
    suite = ElementTree.fromstring(report.to_junit())
    found = {case.get("name"): case for case in suite}
    assert len(found) == len(suite) == int(suite.get("tests"))
    for name, tag in {"failures": "failure", "errors": "error", "skipped": "skipped"}.items():
        assert int(suite.get(name)) == len(list(suite.iter(tag)))
    return found


def test_each_kind_of_failures_is_a_test_case(frame):
    frame["commitment"] = pf.commitment("server")
    right = cases(pf.verify(frame.drop([*WRONG, AGAIN]), DICE, repeats="fail"))
    assert list(right) == ["rows", "mismatch", "missing", "malformed", "commitment", "repeated"]
    assert all(case.find("failure") is None for case in right.values())
    assert right["rows"].findtext("system-out").startswith("verdict")
    frame.loc[5, "commitment"] = pf.commitment("other")
    frame["outcome"] = frame["outcome"].astype(object)
    frame.loc[6, "outcome"] = "a\x00lot\ud800<b>"
    wrong = cases(pf.verify(frame, DICE, keep="Bet ID", repeats="fail"))
    assert list(wrong) == list(right)  # the same tests, whatever fails: build servers follow them
    failed = [name for name, case in wrong.items() if case.find("failure") is not None]
    assert failed == ["mismatch", "malformed", "commitment", "repeated"]
    told = wrong["mismatch"].find("failure")
    assert told.get("message") == f"2 failures in {ROWS} rows: the logged outcome isn't the recomputed one"
    first, second = told.text.split("\n")
    assert first.startswith("row 3 (Bet ID 1003): mismatch in column 'outcome': found")
    assert second.startswith("row 37 (Bet ID 1037)")
    assert "row 6" in wrong["malformed"].findtext("failure")
    # An audit adds its findings to them.
    audited = cases(pf.audit(frame.drop(6), DICE))
    assert list(audited)[:5] == ["rows", "mismatch", "missing", "malformed", "commitment"]
    assert audited["mismatch"].find("failure") is not None
    assert audited["nonce_repeated"].find("failure") is not None


def test_a_test_case_lists_the_first_failures_and_counts_all():
    log = {"salt": [str(row) for row in range(25)], "outcome": 0.5}
    text = cases(pf.verify(log, "crash"))["mismatch"].findtext("failure")
    assert len(text.split("\n")) == 11
    assert text.endswith("\nand 15 more")


def test_an_empty_log_fails_as_a_test_case(tmp_path):
    found = cases(pf.verify({"salt": [], "outcome": []}, "crash"))
    assert found["rows"].find("failure").get("message") == "nothing to verify: no rows"
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_bytes(b"salt,outcome\na,1.17\n" + b"\xff" * (name == "b"))
    broken = cases(pf.verify(tmp_path, "crash"))
    assert broken["complete"].find("error") is not None
    assert broken["rows"].find("failure") is None


def test_a_page_explains_the_first_rows_that_fail(frame):
    report = pf.verify(frame, DICE, keep="Bet ID")
    page = report.to_html()
    for row in WRONG:
        assert f"<details><summary>row {row} (Bet ID {1000 + row}): mismatch</summary>" in page
        assert report.explain(row)._repr_html_() in page
    assert page.count("<details>") - page.count("</details>") + page.count("<details open>") == 0
    assert "step by step" not in pf.verify(frame.drop([*WRONG]), DICE).to_html()
    many = pf.verify({"salt": [str(row) for row in range(30)], "outcome": 0.5}, "crash").to_html()
    assert len(re.findall(r"<summary>row \d+: mismatch", many)) == 5
    # Rows that can't be explained are passed over.
    frame["nonce"] = frame["nonce"].astype(object)
    frame.loc[3, "nonce"] = "x"
    page = pf.verify(frame, DICE).to_html()
    assert "<summary>row 3:" not in page
    assert "<summary>row 37: mismatch" in page
    assert "<summary>row 36: mismatch" in pf.audit(frame.drop(3), DICE).to_html()
