"""The corpus: each round verifies, each series is described, and adding one works as its page says."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import sys
import tomllib
from pathlib import Path

import provably_fair as pf
import pytest
from folders import CORPUS, ROOT
from provably_fair.operators import published
from published_rounds import SERIES
from test_pages import blocks_of

sys.path.insert(0, str(CORPUS))
import recompute
import series

pytestmark = pytest.mark.skipif(not (ROOT / "docs").exists(), reason="needs the source's folder")
names = pytest.mark.parametrize("name", SERIES)
KEPT = json.loads((CORPUS / "recomputed.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def results() -> dict[str, recompute.Recomputed]:
    return {name: recompute.recompute(one) for name, one in SERIES.items()}


def test_every_round_is_recomputed(results):
    """`make corpus` writes the kept results."""
    wrong = {name: one.rows - one.right for name, one in results.items() if one.rows != one.right}
    assert wrong == {"csgodouble/2015": 1312}
    assert all(one.rows > 0 and not one.reasons for one in results.values())
    assert sum(one.rows for one in results.values()) == 183_380
    assert recompute.kept(results.values(), {})["series"] == KEPT["series"]


@pytest.mark.thorough
def test_readings_that_rounds_exclude_are_kept():
    rounds = [round for one in SERIES.values() for round in one.rounds()]
    found = recompute.kept([], recompute.excluded(rounds))["readings"]
    assert found == KEPT["readings"]
    # Only the top of limbo's range identifies the reading of 2026; Primedice's dice follow Stake's rule.
    assert not any("reading=2026" in text for text in found["stake.limbo"]["open"])
    limbo = [round for name in ("2019", "calculator") for round in SERIES[f"stake/{name}-limbo"].rounds()]
    assert any("reading=2026" in text for text in recompute.excluded(limbo)["stake.limbo"].open)
    assert "as primedice.dice" in found["stake.dice"]["open"]


@names
def test_a_series_says_what_it_is(name):
    one = SERIES[name]
    about = one.about
    assert set(series.REQUIRED) <= about.keys() <= {*series.REQUIRED, *series.OPTIONAL}
    texts = {key: value for key, value in about.items() if isinstance(value, str)}
    assert all(value.strip() == value != "" for value in texts.values())
    assert list(about["columns"]) == list(one.columns)
    assert one.played is not None or about["played"] == "unknown"
    assert ("anchor" in one.config) == ("anchor_number" in one.config)
    assert len(set(map(len, one.columns.values()))) == 1
    assert about.get("known", "all") in published._KNOWN


def test_it_is_small_and_holds_nothing_else():
    files = [path for path in CORPUS.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert sum(path.stat().st_size for path in files) < 4_000_000
    of_series = {one.folder / name for one in SERIES.values() for name in ("series.toml", one.config["logs"])}
    others = {path.name for path in files if path not in of_series}
    assert others == {"README.md", "left_out.toml", "recomputed.json", "recompute.py", "series.py"}
    # It isn't part of the package.
    built = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["maturin"]
    assert "corpus" not in json.dumps(built)
    assert "corpus" not in re.findall(r"^include = (.*)$", (ROOT / "Cargo.toml").read_text("utf-8"), re.M)[0]


@pytest.mark.thorough
def test_samples_are_on_the_anchors_chain():
    """Rounds of the package's series without hashes match the hashes computed from the anchor."""
    one = SERIES["bustabit/v1-2016"]
    numbers, hashes = zip(*one.about["sample"], strict=True)
    assert recompute._hashes_of(one, list(numbers)).tolist() == list(hashes)
    one = SERIES["blaze/double-2022"]
    log = pf.locate(config=one.folder / "series.toml").log()
    found = dict(zip(log["row"].tolist(), log["game_hash"], strict=True))
    assert all(found[row] == game_hash for row, game_hash in one.about["sample"])


@pytest.mark.thorough
def test_hashes_lead_to_the_ends_and_other_hashes_that_are_known():
    for one in SERIES.values():
        for game_hash, number in [one.about["chain_end"]] if "chain_end" in one.about else ():
            if "anchor" in one.config:
                chain = next(iter(one.games.values())).kind.chain
                steps = one.config["anchor_number"] - number
                assert chain.steps(one.config["anchor"], game_hash, limit=steps) == steps, one.name
    one = SERIES["ethercrash/2018"]
    ((number, later),) = one.about["other_hashes"]
    steps = number - one.config["anchor_number"]
    assert pf.HashChain().steps(later, one.config["anchor"], limit=steps) == steps == 3_221_201


def copied(name: str, folder: Path) -> series.Series:
    """A copy of a series whose files may be changed."""
    shutil.copytree(CORPUS / name, folder / name)
    return series.Series(name, folder / name)


@pytest.mark.parametrize(
    ("name", "before", "after", "reason"),
    [
        ("stake/2019-dice", "3,59.67", "3,59.68", "found 59.68, expected 59.67"),
        ("stake/2019-hilo", "[49]", "[48]", "row 0 differs in what is known of it"),
        ("stake/2025-darts", "0.709", "0.708", "row 0 differs in what is known of it"),
        ("roobet/2020", "391441,", "391442,", "row 1 isn't on the anchor's chain"),
        ("bustabit/v2-2020", "2699754,", "2699753,", "terminating"),
        ("duel/crash", "2.81", "2.82", "found 2.82, expected 2.81"),
        ("liqd/blackjack", "nonce", "server_seed", ""),
    ],
)
def test_what_is_wrong_is_said(name, before, after, reason, tmp_path, capsys):
    one = copied(name, tmp_path)
    path = one.folder / "rounds.csv"
    text = path.read_text("utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), "utf-8")
    if not reason:
        with pytest.raises(ValueError, match="nonce"):
            recompute.recompute(one)
        return
    found = recompute.recompute(one)
    assert found.right < found.rows
    assert reason in " ".join(found.reasons)
    assert recompute.main([name], tmp_path) == 1
    assert "1 wrong" in capsys.readouterr().out


def test_rows_without_a_place_are_listed_with_their_reason(tmp_path):
    page = (ROOT / "docs" / "howto" / "record.md").read_text("utf-8")
    one = written(page, tmp_path / "lucky" / "crash-2026")
    rounds = one.folder / "rounds.csv"
    rounds.write_text(rounds.read_text("utf-8") + "2.17\n999.99\n3.5\n", "utf-8")
    found = recompute.recompute(one)
    assert (found.rows, found.right) == (23, 19)
    # After the last row there may be a missing game with an equal outcome.
    assert found.reasons[0] == "row 19 has a place that isn't sure, or several"
    assert found.reasons[1:] == tuple(f"row {row} is nowhere on the chain" for row in (20, 21, 22))


def written(page: str, folder: Path) -> series.Series:
    """The series on the page, written to a folder."""
    folder.mkdir(parents=True)
    for block in blocks_of(page):
        if block.caption is not None:
            (folder / block.caption).write_text(block.code, "utf-8")
    return series.Series("/".join(folder.parts[-2:]), folder)


def test_a_series_is_added_as_its_page_says(tmp_path, capsys):
    """Two files extend a copy of the corpus by a series."""
    for name in ("roobet/2020", "blaze/double-2023-08"):
        shutil.copytree(CORPUS / name, tmp_path / name)
    page = (ROOT / "docs" / "howto" / "record.md").read_text("utf-8")
    added = written(page, tmp_path / "lucky" / "crash-2026")
    assert set(series.REQUIRED) <= added.about.keys()
    (shown,) = re.findall(r"^(lucky/crash-2026 +20 of +20) .* s(  place.*)$", page, re.M)
    assert recompute.main([], tmp_path) == 0
    out = capsys.readouterr().out
    (line,) = (line for line in out.splitlines() if line.startswith("lucky/"))
    assert line.startswith(shown[0])
    assert line.endswith(shown[1])
    assert "3 series, 37 rounds, 0 wrong" in out
    kept = json.loads((tmp_path / "recomputed.json").read_text("utf-8"))
    assert kept["series"]["lucky/crash-2026"]["right"] == 20
    # It also appears on the site's page.
    sys.path.insert(0, str(ROOT / "docs" / "_ext"))
    import record

    shutil.copy(CORPUS / "left_out.toml", tmp_path)
    made = record.tables(tmp_path)
    assert "**37 rounds** in 3 series of 3 operators, none of them wrong" in made["record_count.txt"]
    assert "January 2026" in made["record_series.txt"]


def test_the_sites_tables_have_every_series():
    sys.path.insert(0, str(ROOT / "docs" / "_ext"))
    import record

    made = record.tables()
    assert made["record_series.txt"].count("   * - ") == len(SERIES) + 1
    assert made["record_open.txt"].count("   * - ") == len(KEPT["readings"]) + 1
    left = tomllib.loads((CORPUS / "left_out.toml").read_text("utf-8"))["left_out"]
    assert made["record_left_out.txt"].count("   * - ") == len(left) + 1
    assert all(one.keys() == {"what", "why"} for one in left)


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("unknown", None),
        ("2019", (2019, 2020)),
        ("2025 and 2026", (2025, 2027)),
        ("late 2016", (2016.75, 2017)),
        ("16 October 2022", (2022.75, 2022 + 10 / 12)),
        ("January to June 2026", (2026, 2026.5)),
        ("spring 2020, until 7 May 2020", (2020 + 2 / 12, 2020 + 5 / 12)),
        ("25 October 2015 to 10 January 2016", (2015.75, 2016 + 1 / 12)),
    ],
)
def test_years_are_read_from_what_sources_say(text, years):
    assert series._span(text) == (None if years is None else pytest.approx(years))


def test_files_are_plain_csv():
    for one in SERIES.values():
        if one.config["logs"].endswith(".csv"):
            text = (one.folder / "rounds.csv").read_text("utf-8")
            rows = list(csv.reader(io.StringIO(text)))
            assert text.endswith("\n"), one.name
            assert {len(row) for row in rows} == {len(one.columns)}, one.name
