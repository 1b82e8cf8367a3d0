"""`provably-fair audit`, as users run it."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import gallery
import provably_fair as pf
import pytest
from writing import write_csv

pytest.importorskip("typer")
pytest.importorskip("pyarrow")

HONEST = {case.name: case for case in gallery.honest()}
CHEATS = {case.name: case for case in gallery.frauds()}
UNDER_50 = ["--bet", "under=50,payout=1.98"]


@pytest.fixture
def command(command, tmp_path, monkeypatch):
    """Run the command in its own folder."""
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: command("audit", *arguments, "--no-progress")


def test_an_honest_log_is_exit_code_0(command):
    HONEST["honest"].to_csv("rounds.csv")
    code, out, err = command("rounds.csv", "--game", "stake.dice", *UNDER_50)
    assert code == 0, out + err
    code, out, _ = command("rounds.csv", "--game", "stake.dice", "--json")
    assert code == 0
    assert json.loads(out)["ok"] is True


def test_what_is_found_is_exit_code_1(command):
    CHEATS["nonce_gap"].to_csv("rounds.csv")
    code, out, _ = command("rounds.csv", "--game", "stake.dice", *UNDER_50)
    assert code == 1
    assert "nonce_gap" in out
    code, out, _ = command("rounds.csv", "-g", "stake.dice", "--json")
    (finding,) = [one for one in json.loads(out)["findings"] if one["severity"] != "note"]
    (expected,) = CHEATS["nonce_gap"].expected
    assert (code, finding["kind"], tuple(finding["rows"])) == (1, "nonce_gap", expected.rows)


def test_bets_are_described_by_text(command):
    CHEATS["paytable_other"].to_csv("balls.csv")
    table = "payout=5.6,2.1,1.1,1,0.5,1,1.1,2.1,5.6"
    code, out, _ = command("balls.csv", "--game", "plinko:pins=8", "--bet", table, "--json")
    kinds = {one["kind"] for one in json.loads(out)["findings"]}
    assert code == 1
    assert {"payout_mismatch", "paytable_differs"} <= kinds
    code, out, _ = command("balls.csv", "--game", "plinko:pins=8", "--bet", table.replace("0.5", "0.4"))
    assert code == 0, out


def test_reports_are_written(command, tmp_path):
    CHEATS["nonce_gap"].to_csv("rounds.csv")
    written = ["--report", "report.json", "--html", "report.html", "--junit", "report.xml"]
    assert command("rounds.csv", "--game", "stake.dice", *written)[0] == 1
    assert json.loads((tmp_path / "report.json").read_text("utf-8"))["schema"] == "provably_fair.audit/3"
    assert "nonce_gap" in (tmp_path / "report.html").read_text("utf-8")
    suite = ElementTree.parse(tmp_path / "report.xml").getroot()
    assert [case.get("name") for case in suite.iter("testcase") if case.find("failure") is not None] == [
        "nonce_gap"
    ]


def test_times_of_reveals_and_terminating_hashes_are_told(command):
    case = CHEATS["seed_used_after_reveal_told"]
    case.to_csv("rounds.csv")
    told = case.options["reveal_times"]
    write_csv("times.csv", {"seed": told.keys(), "time": told.values()})
    assert command("rounds.csv", "--game", "stake.dice")[0] == 0
    code, out, _ = command("rounds.csv", "--game", "stake.dice", "--reveal-times", "times.csv")
    assert (code, "seed_used_after_reveal" in out) == (1, True)
    case = HONEST["honest_chain"]
    case.to_csv("games.csv")
    terminating = case.options["terminating"]
    assert command("games.csv", "--game", "stake.crash", "--terminating", terminating)[0] == 0


def test_stakes_and_payouts_are_required_with_a_bet(command):
    case = HONEST["honest"]
    for lost, said, cure in (
        (["stake"], "--constant stake=1 says that all stakes are 1", ["--constant", "stake=1"]),
        (["payout"], "--constant payout= says that there are no payouts", ["--constant", "payout="]),
    ):
        log = {name: column for name, column in case.log.items() if name not in lost}
        write_csv("rounds.csv", log)
        code, _, err = command("rounds.csv", "--game", "stake.dice", *UNDER_50)
        assert (code, said in err) == (2, True), err
        code, out, err = command("rounds.csv", "--game", "stake.dice", *UNDER_50, *cure)
        assert code in (0, 1), err
        assert "verdict" in out


def test_each_rows_bet_in_columns(command):
    game = pf.operators.stake.Crash()
    hashes = pf.HashChain().generate("secret", games=60)
    goals = [1.5, 2.0, 10.0] * 20
    busts = game.play(hashes).tolist()
    paid = [goal if bust >= goal else 0.0 for bust, goal in zip(busts, goals, strict=True)]
    bets = {"game_hash": hashes.astype(str), "outcome": busts, "target": goals, "amount": [1] * 60}
    write_csv("games.csv", bets | {"payout": paid})
    named = ["games.csv", "--game", "stake.crash", "--column", "cash_out=target"]
    code, out, err = command(*named, "--bet", "columns")
    assert code == 0, out + err
    code, out, _ = command(*named, "--bet", "cash_out=2")
    assert (code, "with what the log says itself in cash_out" in out) == (0, True)
    code, _, err = command("games.csv", "--game", "stake.crash", "--bet", "columns")
    assert (code, "--column cash_out=target" in err) == (2, True)
    code, out, _ = command("games.csv", "--game", "stake.crash", "--bet", "cash_out=2")
    assert (code, "target, which may be the cash_out" in out) == (1, True)


def test_rows_of_the_first_finding_are_explained(command):
    case = CHEATS["nonce_repeated"]
    case.to_csv("rounds.csv")
    code, out, _ = command("rounds.csv", "--game", "stake.dice", "--explain")
    (row, *_) = case.expected[0].rows
    assert code == 1
    assert case.log["server_seed"][row] in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.csv", "--game", "stake.dice"], "no such file"),
        (["rounds.csv"], "--game"),
        (["rounds.csv", "--game", "stake.dice", "--bet", "under"], "--bet must be NAME=..."),
        (["rounds.csv", "--game", "stake.dice", "--bet", "under=many"], "--bet under must be numbers"),
        (["rounds.csv", "--game", "stake.dice", "--terminating", "ab"], "terminating"),
        (
            ["rounds.csv", "--game", "stake.dice", "--junit", "rounds.csv"],
            "must be another file than the inputs",
        ),
        (
            ["rounds.csv", "--game", "stake.dice", "--report", "a.json", "--html", "./a.json"],
            "--html must be another file than that of --report, got 'a.json'",
        ),
        (["rounds.csv", "--game", "stake.dice", "--reveal-times", "rounds.csv"], "--reveal-times"),
        (["empty.csv", "--game", "stake.dice"], "no rows, so nothing was audited"),
        (["rounds.csv", "--game", "stake.dice", "--level", "2"], "level"),
    ],
)
def test_what_cannot_be_audited_is_exit_code_2(command, tmp_path, arguments, message):
    HONEST["honest"].to_csv("rounds.csv")
    (tmp_path / "empty.csv").write_text("server_seed,client_seed,nonce,outcome\n", encoding="utf-8")
    code, _, err = command(*arguments)
    assert code == 2
    assert message in err


def test_formats_of_times_are_said_as_an_error_says_it(command):
    case = HONEST["honest"]
    case.to_csv("rounds.csv")
    text = Path("rounds.csv").read_text(encoding="utf-8")
    for month, day in (("2026-03-02T", "02/03/2026 "), ("2026-03-03T", "03/03/2026 ")):
        text = text.replace(month, day)
    Path("rounds.csv").write_text(text.replace("Z", ""), encoding="utf-8")
    told = []
    for field in ("time", "commitment_time", "reveal_time"):
        code, _, err = command("rounds.csv", "-g", "stake.dice", *told)
        assert code == 2
        assert f"--time-format {field}=day-first" in err
        assert f"--time-format {field}=month-first" in err
        told += ["--time-format", f"{field}=day-first"]
    code, out, err = command("rounds.csv", "-g", "stake.dice", *told, "--json")
    assert code == 0, out + err
    assert json.loads(out)["dates"] == list(case.audit().dates)
    code, _, err = command("rounds.csv", "-g", "stake.dice", "--time-format", "time=iso")
    assert code == 2
    assert "must be one of 'year-first'" in err
