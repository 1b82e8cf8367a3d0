"""Series of outcomes are placed where they lie, and nothing else is."""

from __future__ import annotations

import csv
import gzip
import json
import math
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import provably_fair as pf
import pytest
from folders import CORPUS, MEASUREMENTS
from locating.records import GAMES, LENGTH, Record, chain, found, locate, planted, random_series
from provably_fair.cli import run

BUSTABIT = pf.operators.bustabit.V1()
BUSTABIT_ANCHOR = "e302c7f0419c88df837df4eee345cefb3c35520a49019e3d3494e8adcd0ad5b0"
BLAZE_ANCHOR = "2e1f5b6ea10e83e51e8f5b85559a237a633954a55ce62d860d130c25b057a169"


@pytest.mark.thorough
def test_a_third_of_the_games_of_bustabit_are_placed() -> None:
    with gzip.open(CORPUS / "bustabit" / "v1-2016" / "rounds.csv.gz", "rt") as file:
        rows = list(csv.DictReader(file))
    numbers = np.array([int(row["game"]) for row in rows])
    location = pf.locate(
        [float(row["bust"]) for row in rows], BUSTABIT, anchor=BUSTABIT_ANCHOR, anchor_number=4_541_411
    )
    there = location.rows >= 0
    assert location.game_numbers is not None
    assert (location.game_numbers[there] == numbers[there]).all()
    assert location.placed >= 0.98 * len(rows)
    assert (len(location.misread), len(location.swapped), location.reversed) == (0, 0, False)
    assert set(location.candidates) == set(np.flatnonzero(~there).tolist())
    for row, places in location.candidates.items():
        assert 4_541_411 - numbers[row] in places
    assert location.pvalue < 1e-100


@pytest.mark.thorough
def test_a_day_of_blaze_has_one_swapped_pair() -> None:
    path = CORPUS / "blaze" / "double-2022" / "rounds.csv.gz"
    location = pf.locate(path, "blaze.double", anchor=BLAZE_ANCHOR, anchor_number=4_503_976)
    assert (location.placed, location.ok, location.reversed) == (2359, True, True)
    assert location.swapped.tolist() == [1857]
    assert len(location.holes) == len(location.misread) == 0
    assert location.game_numbers is not None
    assert location.game_numbers[-1] == 3_638_531  # the first roll of the day
    assert location.game_numbers[0] == 3_638_531 + 2358
    assert location.verdict == (
        "2,359 of 2,359 rows are games 3,638,531 to 3,640,889 of this chain; rows 1,857 and 1,858 are swapped"
    )


@pytest.mark.one_case_in(5)
@pytest.mark.parametrize("seed", range(15))
def test_a_changed_outcome_is_named_and_no_other(seed: int) -> None:
    record = planted(list(GAMES)[seed % len(GAMES)], seed)
    location = found(record)
    check_planted(record, location)


def check_planted(record: Record, location: pf.locating.Location) -> None:
    there = location.rows >= 0
    assert location.placed > 0.97 * len(record.rows)
    assert set(location.misread.tolist()) <= {record.changed}
    wrong = np.flatnonzero(there & (location.rows != record.places))
    assert not set(wrong.tolist()) - {record.changed}
    if record.between_neighbors and record.chance > 0.999:
        assert location.misread.tolist() == [record.changed]
        assert location.rows[record.changed] == record.places[record.changed]
        assert location.expected.tolist() == [chain(record.name)[1][record.places[record.changed]]]


@pytest.mark.one_case_in(3)
@pytest.mark.parametrize("name", GAMES)
def test_random_series_are_not_placed(name: str) -> None:
    for seed in range(8):
        location = locate(name, random_series(name, 200, seed))
        assert location.game is None
        assert [case and case[0] for case in junit(location).values()] == ["failure", "error"]
        assert location.placed == 0
        assert location.pvalue > 1e-6


@pytest.mark.parametrize("rows", [1, 2, 5, 12, 40])
def test_short_series_are_placed_once_they_tell_enough(rows: int) -> None:
    outcomes = chain("blaze.double")[1][5000 : 5000 + rows]
    location = locate("blaze.double", outcomes)
    # Each roll contributes log(15) to the evidence, minus the cost of the models of holes.
    if rows * math.log(15) < math.log(2 * LENGTH * 1e6):
        assert location.placed == 0
    elif rows >= 12:
        # A row at an end may be that of another game with the same roll, after a hole.
        assert location.placed >= rows - 2
        assert set(location.rows.tolist()) <= {-1, *range(5000, 5000 + rows)}


def test_a_series_may_go_on_beyond_the_last_game_that_is_searched() -> None:
    hashes, outcomes = chain("bustabit.v1")
    rows = outcomes[300:400]
    for limit in (350, 380, 398):
        location = pf.locate(rows, BUSTABIT, anchor=hashes, limit=limit)
        there = location.rows >= 0
        assert (location.rows[there] == np.arange(300, 400)[there]).all()
        assert limit - 302 <= location.placed <= limit - 299


@pytest.mark.thorough
def test_the_chance_of_being_placed_is_as_bounded() -> None:
    # Markov's bound: of series of independent outcomes at most a share x has a p-value of at most x.
    pvalues = []
    for seed in range(300):
        rows = random_series("blaze.double", 12, seed)
        pvalues.append(pf.locate(rows, GAMES["blaze.double"], anchor="ab" * 32, limit=3000).pvalue)
    for level in (0.01, 0.05, 0.2, 0.5):
        assert np.mean(np.array(pvalues) <= level) <= level + 3 * math.sqrt(level / 300)


def test_a_gap_of_days_a_reseeding_and_rows_of_no_chain() -> None:
    outcomes = chain("bustabit.v2")[1]
    other = chain("blaze.crash")[1][:300]
    rows = np.concatenate([other, outcomes[1000:1300], outcomes[9000:9200]])
    location = locate("bustabit.v2", rows)
    truth = np.concatenate([np.full(300, -1), np.arange(1000, 1300), np.arange(9000, 9200)])
    assert (location.rows[300:] == truth[300:]).mean() > 0.99
    there = location.rows >= 0
    assert (location.rows[there] == truth[there]).all()
    assert location.holes.tolist() == [[600, 7700]]
    assert "300 rows lie nowhere on this chain in this order" in location.verdict
    assert not location.ok


def test_repeated_rows_and_empty_cells() -> None:
    outcomes = chain("bustabit.v1")[1][3000:3100]
    rows = np.insert(outcomes, 41, outcomes[40])
    rows[70] = np.nan
    location = locate("bustabit.v1", rows)
    assert location.rows.tolist() == [*range(3000, 3041), *range(3040, 3100)]
    assert location.misread.tolist() == [70]
    assert location.expected.tolist() == [outcomes[69]]
    assert "row 70 reads nothing where the chain has" in location.verdict


@pytest.mark.parametrize("name", GAMES)
def test_a_row_twice_is_the_same_game_twice(name: str) -> None:
    outcomes = chain(name)[1][3000:3300]
    location = locate(name, np.insert(outcomes, 151, outcomes[150]))
    assert location.rows[150:152].tolist() == [3150, 3150]
    assert len(location.misread) == len(location.holes) == 0


def test_a_row_is_misread_wherever_it_lies() -> None:
    games = chain("blaze.double")[1][14_860:14_890]
    assert games[8:14].tolist() == [1, 8, 2, 14, 14, 6]
    rows = np.delete(games, 12)
    rows[10] = 7  # the row of one of two games, since one 14 is missing
    location = locate("blaze.double", rows)
    assert (location.rows[10], location.candidates[10].tolist()) == (-1, [14_870, 14_871])
    assert location.misread.tolist() == [10]
    assert np.isnan(location.expected).tolist() == [True]
    assert "row 10 reads 7 where the chain has another outcome in 2 possible places" in location.verdict
    assert location.to_dict()["misread"] == [{"row": 10, "outcome": 7, "expected": None}]
    text = "row 10 reads 7 where the chain has another outcome in 2 possible places"
    assert junit(location) == {
        "placed": (
            "error",
            "2 rows without a place",
            "\n".join(f"row {row} has 2 possible places" for row in (10, 11)),
        ),
        "outcomes": ("failure", "1 row differs", text),
        "doubtful": None,
    }
    assert not location.ok
    back = locate("blaze.double", rows[::-1])
    assert back.misread.tolist() == [len(rows) - 11]


def junit(location: pf.locating.Location) -> dict[str, tuple[str, str, str] | None]:
    """Each case of the JUnit report: None if it passed, or its result, message and text."""
    suite = ElementTree.fromstring(location.to_junit())
    assert int(suite.get("tests")) == len(suite)
    return {
        case.get("name"): (case[0].tag, case[0].get("message"), case[0].text) if len(case) else None
        for case in suite
    }


@pytest.mark.parametrize(("name", "seed"), [("blaze.double", 245), ("blaze.crash", 586)])
def test_a_row_or_its_equal_neighbor_may_be_misread(name: str, seed: int) -> None:
    record = planted(name, seed)
    location = found(record)
    assert len(location.misread) == 0
    assert location.doubtful[record.changed] == pytest.approx(record.chance, abs=1e-3)
    doubtful = sorted(location.doubtful)
    assert len(doubtful) == 2
    assert len({record.rows[row] for row in doubtful}) == 1
    assert sum(location.doubtful.values()) == pytest.approx(1, abs=1e-3)
    assert "2 rows may be misread" in location.verdict
    assert "may be misread, probability 0.5" in str(location)
    assert location.to_dict()["doubtful"] == {str(row): location.doubtful[row] for row in doubtful}
    cases = junit(location)
    assert cases["outcomes"] is None
    result, message, text = cases["doubtful"]
    assert (result, message) == ("skipped", "2 rows may be misread")
    assert sorted(text.split("\n")) == [f"row {row:,} may be misread, probability 0.5" for row in doubtful]


def test_a_changed_row_of_a_swapped_pair_accuses_no_other() -> None:
    record = planted("blaze.crash", 1_000_021)
    assert record.changed in record.swapped
    assert set(found(record).misread.tolist()) <= {record.changed}


def test_several_games_and_all_known_ones() -> None:
    outcomes = chain("stake.crash")[1][300:360]
    several = pf.locate(outcomes, ["bustabit.v2", "stake.crash"], anchor=chain("stake.crash")[0], limit=1000)
    assert several.game == pf.operators.stake.Crash()
    assert several.games == ("bustabit.v2", "stake.crash")
    every = pf.locate(outcomes, None, anchor=chain("stake.crash")[0], limit=1000)
    assert every.game == pf.operators.stake.Crash()
    assert {"roobet.crash", "blaze.double", "ethercrash.crash", "bcgame.crash"} < set(every.games)
    assert not any(name.startswith("crash.") for name in every.games)
    none = pf.locate(outcomes, ["bustabit.v2", "blaze.crash"], anchor=chain("stake.crash")[0], limit=1000)
    assert none.game is None
    assert "not placed" in none.verdict


def test_what_was_placed_verifies() -> None:
    rows = chain("stake.crash")[1][700:800].copy()
    rows[50] += 1
    location = locate("stake.crash", rows[::-1], anchor_number=LENGTH)
    log = location.log()
    assert log["game_number"].tolist() == list(range(LENGTH - 799, LENGTH - 699))
    assert log["row"].tolist() == list(range(100))
    assert not location.reversed
    report = pf.verify(log, GAMES["stake.crash"])
    assert (report.checked, report.failed) == (100, 1)
    assert report.failures[0].row == 49
    for library in ("pandas", "polars"):
        pytest.importorskip(library)
        frame = getattr(location, f"to_{library}")()
        assert {name: [*frame[name]] for name in frame.columns} == {name: [*log[name]] for name in log}


def test_the_report_in_all_its_forms() -> None:
    rows = chain("stake.crash")[1][700:900].copy()
    rows[50] += 0.5
    location = locate("stake.crash", np.delete(rows, [80, 81, 120]))
    told = json.loads(location.to_json())
    assert told["schema"] == "provably_fair.location/1"
    assert (told["placed"], told["game"], told["ok"]) == (197, "stake.crash", False)
    assert told["misread"] == [{"row": 50, "outcome": rows[50], "expected": rows[50] - 0.5}]
    assert told["holes"] == [[80, 2], [118, 1]]
    assert "3 games are missing in 2 holes" in str(location)
    assert "A hole is no fraud" in str(location)
    assert location.to_html().count("<section>") == 1
    assert [case is not None for case in junit(location).values()] == [False, True, False]
    assert repr(location).startswith("<Location: 197 of 197 rows are games of this chain, 700 to 899 before")


def test_cells_are_read_as_people_write_them(tmp_path: Path) -> None:
    outcomes = chain("bustabit.v2")[1][500:560]
    expected = list(range(500, 560))
    path = tmp_path / "busts.csv"
    path.write_text("time;bust\n" + "".join(f"{row};{one:.2f}x\n" for row, one in enumerate(outcomes)))
    assert locate("bustabit.v2", path).rows.tolist() == expected
    assert locate("bustabit.v2", pf.Log(path, columns={"outcome": "bust"})).rows.tolist() == expected
    assert locate("bustabit.v2", {"result": [f"{one:.2f}" for one in outcomes]}).rows.tolist() == expected
    assert locate("bustabit.v2", [str(one) for one in outcomes]).rows.tolist() == expected
    for name in ("Outcome", "crash_point", "Crashed At"):
        assert locate("bustabit.v2", {"number": expected, name: outcomes}).rows.tolist() == expected
    pa, pl = pytest.importorskip("pyarrow"), pytest.importorskip("polars")
    for column in (pl.Series(outcomes), pa.array(outcomes), pa.chunked_array([outcomes[:9], outcomes[9:]])):
        assert locate("bustabit.v2", column).rows.tolist() == expected
    masked = np.ma.array(outcomes.copy(), mask=np.arange(60) == 30)
    masked.data[30] += 1
    location = locate("bustabit.v2", masked)
    assert location.misread.tolist() == [30]
    assert "row 30 reads nothing where the chain has" in location.verdict
    with pytest.raises(pf.LogError, match="no column 'outcome'; the columns there are 'time'"):
        locate("bustabit.v2", {"time": [1, 2]})


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_a_line_that_cannot_be_read_is_a_row(ending: str, tmp_path: Path) -> None:
    outcomes = chain("stake.crash")[1][500:560].tolist()
    outcomes[40] *= 10
    path = tmp_path / f"busts.{ending}"
    lines = [json.dumps({"bust": one}) if ending == "jsonl" else f"{one:.2f}" for one in outcomes]
    lines[20] = "{" if ending == "jsonl" else "2,50"
    path.write_text("\n".join(["bust", *lines] if ending == "csv" else lines))
    assert locate("stake.crash", path).misread.tolist() == [20, 40]
    if ending == "csv":
        path.write_text("bust\n2,50\n1,20\n")
        with pytest.raises(pf.LogError, match="row 0 can't be read: '2,50'"):
            locate("stake.crash", path)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, page = tmp_path / "busts.csv", tmp_path / "where.html"
    path.write_text("number\n" + "".join(f"{one:.0f}\n" for one in chain("blaze.double")[1][500:560]))
    anchor = ["--anchor", chain("blaze.double")[0], "--limit", "5000"]
    assert run(["locate", str(path), "--game", "blaze.double", *anchor, "--html", str(page)]) == 0
    assert "60 of 60 rows are games of this chain, 500 to 559 before the anchor" in capsys.readouterr().out
    assert page.read_text().startswith("<!doctype html>")
    assert run(["locate", str(path), "-g", "blaze.crash", *anchor, "--json"]) in (1, 2)
    assert run(["locate", str(path), "--anchor", "00", "-g", "blaze.double"]) == 2
    assert "must be a hash of 64 hex digits" in capsys.readouterr().err


def test_a_file_says_what_a_series_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outcomes = chain("bustabit.v2")[1][500:560]
    (tmp_path / "busts.csv").write_text("y\n" + "".join(f"{one:.2f}\n" for one in outcomes))
    config = tmp_path / "series.toml"
    config.write_text(
        f"""
        logs = "busts.csv"
        game = "bustabit.v2"
        anchor = "{chain("bustabit.v2")[0]}"
        anchor_number = 10000
        columns = {{outcome = "y"}}
        about = {{operator = "bustabit"}}
        """
    )
    found = pf.locate(config=config)
    assert found.rows.tolist() == list(range(500, 560))
    assert found.game_numbers is not None
    assert found.game_numbers[0] == 9500
    assert found.about == found.to_dict()["about"] == {"operator": "bustabit"}
    assert "about     operator: bustabit" in str(found)
    assert pf.locate(pf.Log(config=config)).rows.tolist() == found.rows.tolist()
    # Arguments of a call override the file; another anchor doesn't take the file's number.
    other = pf.locate(outcomes[:40], config=config)
    assert other.rows.tolist() == list(range(500, 540))
    hash_before = pf.HashChain().previous(chain("bustabit.v2")[0], 100)[-1]
    moved = pf.locate(config=config, anchor=hash_before, limit=1000)
    assert (moved.rows.tolist(), moved.anchor_number) == (list(range(400, 460)), None)
    assert pf.locate(config=config, game="blaze.crash", limit=1000).game is None
    assert run(["locate", "--config", str(config)]) == 0
    assert "60 of 60 rows are games 9,441 to 9,500 of this chain" in capsys.readouterr().out
    assert run(["locate", "--config", str(config), "--anchor", "00"]) == 2
    assert run(["locate", "--config", str(config), "--html", str(config)]) == 2
    assert "must be another file than the inputs" in capsys.readouterr().err
    with pytest.raises(pf.LogError, match=r"no column 'game_hash'.*locate places outcomes without hashes"):
        pf.verify(config=config)


def test_what_a_file_lacks_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "series.toml"
    config.write_text('game = "bustabit.v2"')
    with pytest.raises(TypeError, match="outcomes must be given, or named by the key logs"):
        pf.locate(config=config)
    with pytest.raises(TypeError, match="outcomes must be given"):
        pf.locate()
    with pytest.raises(TypeError, match="anchor must be given: the hash of a game"):
        pf.locate([1.5, 2], config=config)
    with pytest.raises(ValueError, match="game_column isn't supported with outcomes alone"):
        pf.locate([1.5], config={"game_column": "x", "games": {"a": "bustabit.v2"}}, anchor="00")
    with pytest.raises(TypeError, match="game_column must be given with a mapping of games"):
        pf.locate([1.5], {"a": "bustabit.v2"}, anchor="00")
    with pytest.raises(ValueError, match=r"config may have the keys .* got 'ancor': did you mean 'anchor'"):
        pf.locate([1.5], config={"ancor": "00"})
    assert run(["locate", "--config", str(config)]) == 2
    assert "named by the key logs" in capsys.readouterr().err
    assert run(["locate"]) == 2
    assert "LOG must be given" in capsys.readouterr().err


def test_what_cannot_be_located_is_refused() -> None:
    anchor = chain("bustabit.v2")[0]
    with pytest.raises(ValueError, match="game must be on a hash chain"):
        pf.locate([1.5], pf.Crash(), anchor=anchor)
    with pytest.raises(
        ValueError, match=r"outcomes must be outcomes of blaze\.double, got 1\.5 among others"
    ):
        pf.locate([1.5, 2.5], "blaze.double", anchor=anchor)


@pytest.mark.parametrize("log", [["ab" * 32] * 9, {"outcome": ["ab" * 32] * 9}])
def test_outcomes_that_are_text_are_refused_as_such(log: Any) -> None:
    with pytest.raises(TypeError, match=r"^outcomes must be numbers, got 'abab[ab]*.* among them$"):
        pf.locate(log, "bustabit.v2", anchor="ab" * 32)


def test_progress_is_told_and_can_stop_the_work() -> None:
    told: list[tuple[int, int]] = []
    rows = random_series("bustabit.v2", 30, 1)
    pf.locate(rows, "bustabit.v2", anchor="ab" * 32, limit=150_000, progress=lambda *one: told.append(one))
    assert told[-1] == (150_001, 150_001)

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pf.locate(rows, "bustabit.v2", anchor="ab" * 32, limit=150_000, progress=stop)


def test_what_was_measured_is_as_promised() -> None:
    """`python measurements/measure_locating.py` writes it."""
    kept = json.loads((MEASUREMENTS / "locating.json").read_text(encoding="utf-8"))
    planted_records, series = kept["planted"], kept["random"]
    assert (planted_records["records"], planted_records["series_placed"]) == (1000, 1000)
    assert planted_records["accused"] == planted_records["elsewhere_with_another_outcome"] == 0
    # A changed row that shows a missing game nearby may be that game's, moved.
    nearby = "a missing game nearby has its outcome"
    not_named = [one for one in planted_records["not_named"] if one["why"] != nearby]
    moved = len(planted_records["not_named"]) - len(not_named)
    assert 700 < planted_records["told"] <= planted_records["told_and_named"] + moved
    assert planted_records["between_and_named"] > 0.98 * planted_records["between"] - moved
    assert moved <= 0.02 * planted_records["between"]
    assert sum(one["doubtful"] == 0 for one in not_named) <= 1
    assert planted_records["doubtful"] < 0.001 * planted_records["rows"]
    assert len(not_named) + moved == planted_records["between"] - planted_records["between_and_named"]
    # Naming them would accuse honest rows, of which nothing more is known.
    assert all(one["chance"] < 0.97 for one in not_named)
    assert (series[0]["rows"], series[0]["series"]) == (200, 10_000)
    assert all(one["placed"] == 0 and one["least_pvalue"] > 1e-6 for one in series)
    assert all(one["right"] == one["series"] for one in kept["short"])
    assert {given: clones["clones"] for given, clones in kept["clones"].items()} == {
        "hashes": 1000,
        "numbers": 300,
    }
    assert kept["clones"]["hashes"]["enough"] >= 300
    for clones in kept["clones"].values():
        assert clones["wrong"] == clones["divisor_lost"] == clones["fewer_and_named"] == 0
        assert clones["digits_wrong"] == 0
        assert clones["enough_and_named"] >= 0.99 * clones["enough"]
        assert clones["edges_named"] >= 0.9 * clones["edges"]
        assert clones["silent"] <= 0.01 * clones["clones"]
    large = kept["large"]
    assert (large["games"], large["accused"], large["elsewhere"]) == (10_000_000, 0, 0)
    assert large["rows"] > 990_000
    assert large["changed_and_named"] > 0.99 * large["changed"]
    assert large["megabytes"] < 1000
