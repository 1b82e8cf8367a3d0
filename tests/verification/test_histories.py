"""Histories as exported: a separate table of seeds, several games in one log, operators' column names.

Outcomes come from the oracles; those of operators' games are computed in plain Python.
"""

from __future__ import annotations

import io
import json
import pickle
from decimal import Decimal

import numpy as np
import provably_fair as pf
import pytest
from oracles import gallery, salted
from provably_fair.cli import run

pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

SECRETS = {f"id {number}": f"secret {number}" for number in range(4)}
HIDDEN = "id 3"


def rounds(count=20):
    """Rounds under four seeds, one of them unrevealed."""
    made = []
    for row in range(count):
        name = f"id {row % 4}"
        made.append(
            {
                "seed_id": name,
                "client_seed": "c",
                "salt": f"salt {row}",
                "outcome": salted.dice(SECRETS[name], "c", f"salt {row}"),
            }
        )
    return made


def seeds(**more):
    return [
        {
            "seed_id": name,
            "server_seed": "" if name == HIDDEN else secret,
            "commitment": gallery.sha256(secret),
            "created_at": "2026",
            **more,
        }
        for name, secret in SECRETS.items()
    ]


def with_commitments(log):
    return [
        {
            **{key: row[key] for key in ("client_seed", "salt", "outcome")},
            "commitment": gallery.sha256(SECRETS[row["seed_id"]]),
        }
        for row in log
    ]


def forms(rows, folder, name):
    """The same table in every form."""
    names = list(rows[0])
    yield rows
    yield {key: [row[key] for row in rows] for key in names}
    yield pd.DataFrame(rows)
    yield pl.DataFrame(rows)
    yield pa.Table.from_pylist(rows)
    yield io.BytesIO("\n".join(map(json.dumps, rows)).encode())
    (folder / f"{name}.csv").write_text(
        "\n".join([",".join(names), *(",".join(str(row[key]) for key in names) for row in rows)])
    )
    yield folder / f"{name}.csv"
    (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    yield folder / f"{name}.jsonl"


@pytest.mark.parametrize("by", ["seed_id", "commitment", "a commitment in other letters", "seeds alone"])
def test_seeds_in_a_table_of_their_own(by, tmp_path):
    log, table = rounds(), seeds()
    log[6]["outcome"] += 1  # the row with "id 2"
    log[7]["outcome"] += 1  # the row with the unrevealed seed
    if by != "seed_id":
        log = with_commitments(log)
    if by == "a commitment in other letters":
        table = [{**row, "commitment": f" {row['commitment'].upper()} "} for row in table]
        log = [{**row, "commitment": f"0x{row['commitment']}"} for row in log]
    if by == "seeds alone":
        table = [{"server_seed": row["server_seed"]} for row in table]
    for rows, known in zip(forms(log, tmp_path, "log"), forms(table, tmp_path, "seeds"), strict=True):
        report = pf.verify(rows, pf.Dice(), seeds=known)
        assert (report.ok, report.checked, report.failed, report.unchecked) == (
            False,
            15,
            1,
            {"unrevealed": 5},
        )
        assert [(failure.row, failure.kind) for failure in report.failures] == [(6, "mismatch")]
        joined = "seed_id" if by == "seed_id" else "commitment"
        assert f"seeds are joined by the column {joined}" in report.notes
        assert report.committed["commitment"] == 15
        assert str(report).splitlines()[0].endswith("FAILED: 1 of 15 rows; 5 more rows aren't checkable")
        assert report.to_dict()["unchecked"] == {"unrevealed": 5}
        walk = report.explain(9)
        assert float(walk.outcome) == salted.dice(SECRETS["id 1"], "c", "salt 9")
        assert str(pickle.loads(pickle.dumps(report))) == str(report)


@pytest.mark.parametrize("number", [str, float, np.float32, lambda number: Decimal(f"{number}.00")])
def test_seeds_by_numbers_of_any_kind(number):
    for kinds in (number, int), (int, number):
        log, table = (
            [{**row, "seed_id": kind(int(row["seed_id"].split()[1]))} for row in rows]
            for kind, rows in zip(kinds, (rounds(), seeds()), strict=True)
        )
        report = pf.verify(log, pf.Dice(), seeds=table)
        assert (report.ok, report.checked) == (True, 15)


def test_right_histories_verify_and_say_what_they_lack():
    report = pf.verify(rounds(), pf.Dice(), seeds=seeds())
    assert report.ok
    assert str(report).splitlines()[0].endswith("verified; 5 more rows aren't checkable")
    assert str(report).splitlines()[3].split(maxsplit=2) == [
        "not",
        "checkable",
        "5 more: their seed isn't revealed yet",
    ]
    assert repr(report) == "<VerificationReport: 15 rows of dice, ok, 5 not checkable>"


def test_nothing_that_could_be_checked_is_nothing_verified(tmp_path, capsys):
    table = [{**row, "server_seed": None} for row in seeds()]
    report = pf.verify(rounds(), pf.Dice(), seeds=table)
    assert (report.ok, report.checked, report.failed, report.unchecked) == (False, 0, 0, {"unrevealed": 20})
    assert "NOT VERIFIED: no row could be checked" in str(report)
    with pytest.raises(pf.VerificationError):
        report.raise_if_failed()
    *_, log, _ = forms(rounds(), tmp_path, "log")
    *_, known, _ = forms(seeds(), tmp_path, "seeds")
    assert run(["verify", str(log), "-g", "dice", "--seeds", str(known)]) == 0
    assert "verified; 5 more rows aren't checkable" in capsys.readouterr().out
    known.write_text("seed_id,server_seed\n" + "".join(f"{row['seed_id']},\n" for row in seeds()))
    assert run(["verify", str(log), "-g", "dice", "--seeds", str(known)]) == 2
    assert "no row could be checked" in capsys.readouterr().err


def test_each_table_has_its_own_separator(tmp_path):
    (tmp_path / "log.csv").write_text(
        "seed_id;client_seed;salt;outcome\n"
        + "".join(
            f"{row['seed_id']};c;{row['salt']};{str(row['outcome']).replace('.', ',')}\n" for row in rounds()
        )
    )
    for separator in ",;\t|":
        rows = [["seed_id", "server_seed"], *([row["seed_id"], row["server_seed"]] for row in seeds())]
        (tmp_path / "seeds.csv").write_text("\n".join(separator.join(row) for row in rows))
        for csv in ({}, {"separator": ";"}):
            report = pf.verify(tmp_path / "log.csv", pf.Dice(), seeds=tmp_path / "seeds.csv", csv=csv)
            assert (report.ok, report.checked) == (True, 15)


def test_seeds_that_the_table_lacks_are_told_and_empty_names_fail():
    log, table = rounds(), seeds()
    report = pf.verify(log, pf.Dice(), seeds=table[:1])
    assert (report.ok, report.checked, report.unchecked) == (False, 20, {})  # missing, not unrevealed
    assert (report.failed, set(report.counts)) == (15, {"missing"})
    assert pf.check(log, pf.Dice(), seeds=table[:1])[-1]["kind"] == "missing"
    assert "15 rows name a seed that the table of seeds doesn't have" in report.notes
    log[0]["seed_id"] = ""
    log[1]["seed_id"] = None
    report = pf.verify(log, pf.Dice(), seeds=table)
    assert {(failure.row, failure.kind) for failure in report.failures} == {(0, "missing"), (1, "missing")}


@pytest.mark.parametrize("column", ["Hashed", "server_seed_hash", "server_seed"])
def test_unrevealed_seeds_that_the_table_has_are_not_called_lacking(column):
    """By a commitment under any name, joined as the hash of the table's revealed seeds."""
    table = [
        {"server_seed": row["server_seed"]} | ({} if row["server_seed"] else {column: row["commitment"]})
        for row in seeds()
    ]
    log = with_commitments(rounds())
    joined = ["seeds are joined by the column commitment"]
    report = pf.verify(log, pf.Dice(), seeds=table)
    assert (report.ok, report.unchecked, report.notes) == (True, {"unrevealed": 5}, joined)
    lacking = [row for row in table if row["server_seed"] != "secret 1"]
    note = "5 rows name a seed that the table of seeds doesn't have"
    assert pf.verify(log, pf.Dice(), seeds=lacking).notes == [*joined, note]


def test_seeds_are_never_mixed_up():
    with pytest.raises(
        pf.LogError, match="rows with the same seed_id, 'id 1', differ in column 'server_seed'"
    ):
        pf.verify(
            rounds(),
            pf.Dice(),
            seeds=[*seeds(), {"seed_id": "id 1", "server_seed": "other"}],
            seeds_by="seed_id",
        )
    # Seeds in the log take precedence, and are checked against their commitments.
    log = [{**row, "server_seed": "mine" if place == 2 else ""} for place, row in enumerate(rounds())]
    report = pf.verify(log, pf.Dice(), seeds=seeds())
    assert [(failure.row, failure.kind) for failure in report.failures] == [
        (2, "mismatch"),
        (2, "commitment"),
    ]


def test_seeds_that_the_log_and_the_table_have_differently_are_told():
    log = pd.DataFrame({"seed_id": [1, 1, 2], "server_seed": ["s", None, "s"], "client_seed": "c"})
    log["salt"] = ["x", "y", "z"]
    log["outcome"] = [salted.dice("s", "c", salt) for salt in log["salt"]]
    for other, told in (("s", 0), ("t", 1), (None, 0)):
        table = pd.DataFrame({"seed_id": [1, 2], "server_seed": ["s", other]})
        notes = pf.verify(log, "dice", seeds=table).notes
        assert ["1 rows have another seed" in note for note in notes] == [False] + [True] * told
    # Either may have a seed's hash in its place.
    hashed = gallery.sha256("s")
    hidden = log.assign(commitment=hashed, server_seed=["s", "s", hashed])
    for other, checked in (("s", 3), (hashed, 2), (None, 2)):
        table = pd.DataFrame({"seed_id": [1, 2], "server_seed": [hashed, other]})
        report = pf.verify(hidden, "dice", seeds=table, seeds_by="seed_id")
        assert (report.ok, report.checked, len(report.notes)) == (True, checked, 1)


def test_what_joins_is_found_or_asked():
    log = [{**row, "created_at": "2026", "batch": row["seed_id"]} for row in rounds()]
    assert pf.verify(log, pf.Dice(), seeds=seeds()).ok  # created_at isn't a key: its value is constant
    table = [{**row, "batch": row["seed_id"]} for row in seeds()]
    with pytest.raises(
        pf.LogError, match="both have the columns 'seed_id', 'batch'; give seeds_by='seed_id' or"
    ):
        pf.verify(log, pf.Dice(), seeds=table)
    assert pf.verify(log, pf.Dice(), seeds=table, seeds_by="batch").ok
    with pytest.raises(
        pf.LogError, match=r"seeds_by must be a column of the log .* and of seeds .*, got .x."
    ):
        pf.verify(log, pf.Dice(), seeds=table, seeds_by="x")
    with pytest.raises(pf.LogError, match="have none in common that identifies"):
        pf.verify(
            [{**row, "seed_id": 1} for row in rounds()], pf.Dice(), seeds=[{"id": 1, "server_seed": "x"}]
        )
    with pytest.raises(
        pf.LogError, match=r"seeds: no column 'server_seed'.*did you mean columns={'server_seed': 'Secret'}"
    ):
        pf.verify(rounds(), pf.Dice(), seeds=[{"seed_id": "id 1", "Secret": "x"}])


def test_seeds_that_are_hidden_in_the_log_itself():
    log = [
        {**row, "server_seed": "" if row["seed_id"] == HIDDEN else SECRETS[row["seed_id"]]}
        for row in rounds()
    ]
    report = pf.verify(log, pf.Dice())
    assert (report.failed, report.counts) == (5, {"mismatch": 5})  # empty text is a seed as well
    report = pf.verify(log, pf.Dice(), unrevealed="report")
    assert (report.ok, report.checked, report.unchecked) == (True, 15, {"unrevealed": 5})
    report = pf.verify(rounds(), pf.Dice(), seeds=seeds(), unrevealed="fail")
    assert (report.ok, report.checked, report.counts) == (False, 20, {"missing": 5})


def test_verdicts_on_rows_that_are_not_checkable():
    log = rounds(8)
    log[2]["outcome"] += 1
    verdicts = pf.check(log, pf.Dice(), seeds=seeds())
    kinds = [None, None, "mismatch", "unrevealed", None, None, None, "unrevealed"]
    assert [row["kind"] for row in verdicts] == kinds
    assert [row["ok"] for row in verdicts] == [True, True, False, None, True, True, True, None]
    assert verdicts[3]["expected"] is None


def test_in_batches_and_files(tmp_path, limits):
    limits(BATCH=3, BLOCK=100, CSV_BLOCK=100)
    log = rounds()
    log[13]["outcome"] += 1
    whole = pf.verify(pd.DataFrame(log), pf.Dice(), seeds=seeds())
    assert [failure.row for failure in whole.failures] == [13]
    assert whole.unchecked == {"unrevealed": 5}
    for start, name in ((0, "a"), (10, "b")):
        list(forms(log[start : start + 10], tmp_path, name))
    files = [tmp_path / "a.csv", tmp_path / "b.jsonl"]
    report = pf.verify(files, pf.Dice(), seeds=seeds())
    assert [(failure.row, failure.file_row) for failure in report.failures] == [(13, 3)]
    assert (report.checked, report.unchecked) == (15, {"unrevealed": 5})
    np.testing.assert_array_equal(np.flatnonzero(whole.mask), [13])


def test_files_may_name_seeds_in_their_own_ways(tmp_path):
    log = rounds()
    *_, first, _ = forms(log[:8], tmp_path, "a")
    *_, second = forms(with_commitments(log[8:]), tmp_path, "b")
    report = pf.verify([first, second], pf.Dice(), seeds=seeds())
    assert (report.ok, report.checked, report.unchecked) == (True, 15, {"unrevealed": 5})
    joined = [note for note in report.notes if "joined" in note]
    assert joined == [f"seeds are joined by the column {name}" for name in ("seed_id", "commitment")]


def test_on_workers_as_on_one_machine():
    dask = pytest.importorskip("dask.dataframe")
    from provably_fair.dask import verify

    log = rounds()
    log[6]["outcome"] += 1
    log[9]["seed_id"] = "unknown"
    frame = pd.DataFrame(log)
    whole = pf.verify(frame, pf.Dice(), seeds=seeds())
    assert "1 rows name a seed that the table of seeds doesn't have" in whole.notes
    for partitions in (1, 4):
        assert verify(dask.from_pandas(frame, npartitions=partitions), pf.Dice(), seeds=seeds()) == whole
    several = pd.DataFrame(many())
    parts = dask.from_pandas(several, npartitions=3)
    assert verify(parts, GAMES, game_column="Game") == pf.verify(several, GAMES, game_column="Game")
    config = {"game_column": "Game", "games": {"Dice": "dice", "Mines": "mines", "X50": "x50", "Slots": ""}}
    assert verify(parts, config=config) == pf.verify(several, GAMES, game_column="Game")


# ---- several games ----


def many(count=40):
    made = []
    for row in range(count):
        salt = f"salt {row}"
        game = ["Dice", "Mines", "X50", "Slots"][row % 4]
        mines = 3 + row % 5
        if game == "Dice":
            outcome = str(salted.dice("s", "c", salt))
        elif game == "Mines":
            outcome = json.dumps(salted.mines("s", "c", salt, mines))
        else:
            outcome = str(salted.x50(*pf.games.rounds_of(pf.X50()).constant, salt))
        made.append(
            {
                "Game": game,
                "server_seed": "" if game == "X50" else "s",
                "client_seed": "" if game == "X50" else "c",
                "salt": salt,
                "mines": str(mines) if game == "Mines" else "",
                "outcome": outcome,
            }
        )
    return made


GAMES = {"Dice": "dice", "Mines": pf.Mines(), "X50": "x50", "Slots": None}


def test_several_games_in_one_log(tmp_path):
    log = many()
    log[4]["outcome"] = "1.5"
    log[5]["outcome"] = "[1, 2, 3]"
    log[9]["mines"] = ""
    log[10]["outcome"] = "x"
    log[11]["Game"] = "Keno"
    log[12]["Game"] = ""
    expected = [
        (4, "mismatch", "outcome"),
        (5, "mismatch", "outcome"),
        (9, "missing", "mines"),
        (10, "malformed", "outcome"),
        (11, "malformed", "Game"),
        (12, "missing", "Game"),
    ]
    for form in forms(log, tmp_path, "log"):
        if str(form).endswith(".csv"):
            pd.DataFrame(log).to_csv(form, index=False)
        report = pf.verify(form, GAMES, game_column="Game")
        assert [(failure.row, failure.kind, failure.column) for failure in report.failures] == expected
        assert (report.checked, report.failed, report.unchecked) == (31, 6, {"other game": 9})
        assert report.games == {
            "Dice": {"checked": 9, "failed": 1},
            "Mines": {"checked": 10, "failed": 2},
            "X50": {"checked": 10, "failed": 1},
        }
        assert report.to_dict()["games"] == report.games
        assert "10 rows, 2 failed" in str(report)
        assert report.failures[0].expected == salted.dice("s", "c", "salt 4")
        assert report.failures[1].expected == salted.mines("s", "c", "salt 5", 3)
        assert float(report.explain(8).outcome) == salted.dice("s", "c", "salt 8")
        assert int(report.explain(6).outcome) == salted.x50(*pf.games.rounds_of(pf.X50()).constant, "salt 6")
        with pytest.raises(ValueError, match="row 11 can't be explained: its game is 'Keno'"):
            report.explain(11)
    verdicts = pf.check(pd.DataFrame(log), GAMES, game_column="Game")
    assert [verdicts.kind[row] for row, *_ in expected] == [kind for _, kind, _ in expected]
    assert verdicts.kind[3] == "other game"


def test_games_without_secrets_are_checkable_at_once():
    log = many()
    for row in log:
        row["seed_id"] = {"Dice": "x", "Mines": "y"}.get(row["Game"], "")
        del row["server_seed"]
    log[3]["seed_id"] = "x"
    log[7]["Game"] = "Keno"
    report = pf.verify(
        log, GAMES, game_column="Game", seeds={"seed_id": ["x", "y"], "server_seed": ["s", None]}
    )
    assert report.games == {"Dice": {"checked": 10, "failed": 0}, "X50": {"checked": 10, "failed": 0}}
    assert report.unchecked == {"unrevealed": 10, "other game": 9}
    assert [(failure.row, failure.kind, failure.found) for failure in report.failures] == [
        (7, "malformed", "Keno")
    ]


def test_games_by_their_names(tmp_path, capsys):
    log = [row for row in many() if row["Game"] != "Slots"]
    for row in log:
        row["Game"] = {"Dice": "DICE", "Mines": " mines ", "X50": "x50"}[row["Game"]]
    assert pf.verify(log, None, game_column="Game").ok
    path = tmp_path / "log.csv"
    pd.DataFrame(log).to_csv(path, index=False)
    assert run(["verify", str(path), "--game-column", "Game"]) == 0
    assert "10 rows, 0 failed" in capsys.readouterr().out
    log[0]["Game"] = "no such"
    report = pf.verify(log, None, game_column="Game")
    assert [(failure.row, failure.kind, failure.found) for failure in report.failures] == [
        (0, "malformed", "no such")
    ]
    assert run(["verify", str(path)]) == 2
    assert "--game must name the game of the log, or --game-column" in capsys.readouterr().err


def test_a_game_that_needs_what_the_log_lacks():
    log = [{"kind": "dice", "salt": "a", "outcome": 1}, {"kind": "x50", "salt": "a", "outcome": 1}]
    games = {"dice": "dice", "x50": "x50"}
    with pytest.raises(pf.LogError, match="no column 'server_seed', which rows of 'dice' need"):
        pf.verify(log, games, game_column="kind")
    assert pf.verify(log[1:], games, game_column="kind").checked == 1
    with pytest.raises(pf.LogError, match="no column 'Kind'"):
        pf.verify(log, games, game_column="Kind")


def test_repeats_among_several_games():
    log = many(8)
    log.append(log[0])
    report = pf.verify(log, GAMES, game_column="Game")
    assert (report.ok, report.repeats.rows) == (True, [(0, 8)])
    report = pf.verify(log, GAMES, game_column="Game", repeats="fail")
    assert [(failure.row, failure.kind) for failure in report.failures] == [(8, "repeated")]


# ---- operators ----


@pytest.mark.parametrize(
    "names",
    [
        ("serverSeed", "clientSeed", "nonce", "result"),
        ("Server Seed", "Client Seed", "Nonce", "Result"),
        ("server seed", "client seed", "NONCE", "roll"),
        ("SERVER_SEED", "CLIENT_SEED", "nonce", "outcome"),
    ],
)
def test_operators_own_names(names, tmp_path):
    rows = [("ab" * 32, "me", nonce) for nonce in range(9)]
    log = [dict(zip(names, (*row, gallery.nonce_dice(*row)), strict=True)) for row in rows]
    log[3][names[3]] = 101
    for form in forms(log, tmp_path, "log"):
        report = pf.verify(form, "stake.dice")
        assert [failure.row for failure in report.failures] == [3]
        assert report.failures[0].column == names[3]
    # The package's own games have no operator.
    with pytest.raises(pf.LogError, match="no column"):
        pf.verify(log, "dice")


def test_two_columns_of_one_meaning_are_asked():
    log = {"serverSeed": ["a"], "clientSeed": ["b"], "nonce": [0], "result": [1], "Roll": [2]}
    with pytest.raises(
        pf.LogError, match=r"columns 'result', 'Roll' may all be 'outcome'; columns={'outcome': "
    ):
        pf.verify(log, "stake.dice")
    assert pf.verify(log, "stake.dice", columns={"outcome": "Roll"}).checked == 1
    assert pf.verify(log | {"outcome": [1]}, "stake.dice").parameters["columns"]["outcome"] == "outcome"
