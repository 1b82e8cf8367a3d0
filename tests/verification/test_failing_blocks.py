"""Blocks of failing rows: what is said of them, and the changes that explain them."""

import csv
import datetime
import io
import itertools
import json
import pickle
import random
import sys

import numpy as np
import provably_fair as pf
import pytest
from folders import ROOT
from provably_fair.verification.changes import _dates, _numbers, _spellings
from provably_fair.verification.spread import Spread

sys.path.append(str(ROOT / "measurements"))
import measure_blocks

pa = pytest.importorskip("pyarrow")

DICE, ROULETTE = pf.operators.stake.Dice(), pf.operators.stake.Roulette()
HOSTILE = "<script>alert(1)</script>\x1b[31m\u202e"


def log_of(game=DICE, rows=3000, days=10, **more):
    """A log whose server seed changes every day."""
    each = rows // days
    seeds = [f"seed of day {i // each}" for i in range(rows)]
    log = {"server_seed": seeds, "client_seed": ["me"] * rows, "nonce": list(range(rows))}
    return log | {"outcome": game.play(**log).tolist()} | more


def broken(log, which, **by):
    """The log with some cells replaced, of each field by a function."""
    return log | {
        name: [change(cell) if i in which else cell for i, cell in enumerate(log[name])]
        for name, change in by.items()
    }


def only(log, game=DICE, **options):
    (block,) = pf.verify(log, game, **options).blocks
    return block


def test_a_day_with_a_wrong_digit():
    log = log_of(ROULETTE)
    block = only(broken(log, range(600, 890), server_seed=lambda _: "seed of dey 2"), ROULETTE)
    report = pf.verify(broken(log, range(600, 890), server_seed=lambda _: "seed of dey 2"), ROULETTE)
    rows = [failure.row for failure in report.failures]
    assert (block.first, block.last, block.failed) == (rows[0], rows[-1], report.failed)
    assert block.shared == {"server_seed": "seed of dey 2"}
    assert block.cure == {"server_seed": "seed of day 2"}
    assert block.pvalue < 1e-100
    agreed = block.last - block.first + 1 - block.failed
    assert f"{agreed} of these {block.last - block.first + 1} agree, as chance would have it (1 in 3" in str(
        block
    )
    assert "with server_seed seed of day 2 in place of seed of dey 2 all" in str(block)
    assert "they fail as the log stands; all other rows are right" in str(block)


@pytest.mark.parametrize("rows", [range(600, 606), range(600, 608), range(600, 611)])
def test_the_bound_said_is_not_below_the_pvalue(rows):
    block = only(broken(log_of(), rows, client_seed=lambda _: "you"))
    assert block.pvalue <= float(block.text.rpartition("below ")[2])


def shuffled(log, times, seed=1):
    """The log with times, its rows in any order."""
    order = random.Random(seed).sample(range(len(times)), len(times))
    return {name: [cells[row] for row in order] for name, cells in (log | {"created_at": times}).items()}


def minutes(rows, form="%Y-%m-%d %H:%M", step=1):
    day = datetime.datetime(2026, 3, 2)
    return [(day + datetime.timedelta(minutes=row // step)).strftime(form) for row in range(rows)]


@pytest.mark.parametrize("form", ["%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:00Z", "seconds"])
def test_failures_of_one_time_in_a_log_of_any_order(form):
    times = minutes(3000, form.replace("seconds", "%Y-%m-%d %H:%M"))
    first, last = times[600], times[672]
    if form == "seconds":
        times = [1_772_409_600 + 60 * row for row in range(3000)]
        first, last = "2026-03-02T10:00:00 UTC", "2026-03-02T11:12:00 UTC"
    wrong = broken(log_of(), range(600, 673), outcome=lambda roll: round((roll + 7) % 100, 2))
    log = shuffled(wrong, times)
    report = pf.verify(log, DICE)
    (block,) = report.blocks
    failing = [failure.row for failure in report.failures]
    assert (block.first, block.last, block.failed) == (min(failing), max(failing), 73)
    said = (
        f"73 rows from {block.first:,} to {block.last:,} fail, all with created_at from {first} to {last}; "
    )
    assert str(block).startswith(said)
    assert block.pvalue < 1e-50
    # A smaller description goes first: rows in order, and one value.
    ordered = dict(zip(wrong, wrong.values(), strict=True)) | {"created_at": times}
    assert "created_at" not in str(only(ordered))
    seeds = broken(log_of(), range(600, 900), server_seed=lambda _: "another")
    assert "all with server_seed another" in str(only(shuffled(seeds, times)))


def test_failures_of_one_time_in_an_audit():
    log = broken(log_of(), range(600, 673), nonce=lambda nonce: nonce + 7)
    log = shuffled(log, minutes(3000))
    log["placed_at"] = log.pop("created_at")  # which audits read as the time
    (block,) = pf.audit(log, DICE).verification.blocks
    assert block == only(log)
    assert block.failed == 73
    assert "all with placed_at from 2026-03-02 10:00 to 2026-03-02 11:12" in block.text


@pytest.mark.parametrize("step", [1, 60, 3000])
def test_failures_at_any_time_are_no_block(step):
    """Also where many rows have the same time."""
    for seed in range(8):
        rng = random.Random(seed)
        which = set(rng.sample(range(3000), rng.choice([3, 40, 400, 1500])))
        wrong = broken(log_of(), which, outcome=lambda roll: round((roll + 7) % 100, 2))
        assert pf.verify(shuffled(wrong, minutes(3000, step=step), seed + 100), DICE).blocks == ()


def test_times_that_may_be_read_in_two_ways_or_lack_tell_nothing():
    wrong = broken(log_of(), range(600, 673), outcome=lambda roll: round((roll + 7) % 100, 2))
    unclear = [f"{1 + row // 1000}/{1 + row // 100 % 10}/2026" for row in range(3000)]
    lacking = ["" if row % 7 == 0 else time for row, time in enumerate(minutes(3000))]
    for times in (unclear, lacking):
        assert not any(
            "created_at from" in str(block) for block in pf.verify(shuffled(wrong, times), DICE).blocks
        )


def test_a_block_is_in_every_form_of_the_report():
    log = broken(log_of(), range(600, 650), client_seed=lambda _: HOSTILE)
    report = pf.verify(log, DICE)
    (block,) = report.blocks
    assert block.shared == {"client_seed": HOSTILE}
    data = json.loads(report.to_json())
    assert data["schema"] == "provably_fair.verification/3"
    assert data["blocks"] == [json.loads(json.dumps(block.to_dict()))]
    assert {"first", "last", "failed", "shared", "cure", "pvalue", "text"} == set(data["blocks"][0])
    for shown in (str(report), report.to_html(), report._repr_html_(), report.to_junit()):
        assert "rows 600 to 649 fail" in shown
        assert "<script>" not in shown or shown == str(report)
        assert "\x1b" not in shown
        assert "\u202e" not in shown
    assert not report.ok
    assert report.failed == 50


@pytest.mark.parametrize(
    ("name", "change", "cure"),
    [
        ("client_seed", lambda text: f"{text} ", "me"),
        ("client_seed", str.upper, "me"),
        ("client_seed", lambda text: text[:1], "me"),
        ("client_seed", lambda text: f"'{text}'", "me"),
        ("client_seed", lambda text: f"{text}\r\n", "me"),
        ("nonce", lambda nonce: nonce + 3, "nonce - 3"),
        ("server_seed", lambda _: "seed of day 1", "seed of day 2"),
    ],
)
def test_changes_are_explained(name, change, cure):
    block = only(broken(log_of(), range(620, 880), **{name: change}))
    assert (block.first, block.last, block.failed) == (620, 879, 260)
    assert block.cure == {name: cure}


@pytest.mark.parametrize(
    ("start", "by", "cure"), [(0, 3, "n - 3"), (1, 3, "n - 4"), (1, -1, "n"), (1, -3, "n + 2")]
)
def test_what_explains_a_number_can_be_applied(start, by, cure):
    """Also of a column to whose cells a number is added already."""
    called = {"nonce": "n - 1" if start else "n"}
    log = broken(log_of(), range(620, 880), nonce=lambda nonce: nonce + by)
    log["n"] = [nonce + start for nonce in log.pop("nonce")]
    block = only(log, columns=called)
    assert block.cure == {"nonce": cure}
    assert f"with {cure} all 260 rows agree" in str(block)
    report = pf.verify({name: cells[620:880] for name, cells in log.items()}, DICE, columns=block.cure)
    assert report.ok
    assert f"nonce from {cure}" in str(report)
    assert report.unread == []
    log[called["nonce"]] = [n - start for n in log.pop("n")]  # a column of this very name
    assert only(log, columns=called).cure == {"nonce": f"{called['nonce']} {'-+'[by < 0]} {abs(by)}"}


@pytest.mark.parametrize("form", [list, np.array, pa.array, lambda cells: list(map(str, cells))])
def test_a_column_plus_a_number(form):
    log = log_of()
    shifted = {**log, "n": form([nonce + 1 for nonce in log.pop("nonce")])}
    assert pf.verify({**log, "n": shifted["n"]}, DICE, columns={"nonce": "n - 1"}).ok
    both = {**log, "n": shifted["n"], "n - 1": list(range(3000))}
    assert pf.verify(both, DICE, columns={"nonce": "n - 1"}).unread == ["n"]
    with pytest.raises(ValueError, match="no column 'm - 1'"):
        pf.verify({**log, "n": shifted["n"]}, DICE, columns={"nonce": "m - 1"})


def test_a_number_is_added_to_what_the_cells_mean(tmp_path):
    """No spelling that the author of a log may choose is read as it is."""
    log = {name: cells[1500:1503] for name, cells in log_of().items()}
    nonces = log.pop("nonce")
    path = tmp_path / "log.csv"
    for added, right in ("n - 1", 1), ("n + 0", 0):
        for spelled in "{}", "{:,}", " {} ", "+{}", "{}.0":
            cells = {**log, "n": [spelled.format(nonce + 1) for nonce in nonces]}
            with path.open("w", newline="") as file:
                csv.writer(file).writerows([cells, *zip(*cells.values(), strict=True)])
            assert pf.verify(path, DICE, columns={"nonce": added}).ok == bool(right), spelled
    for spelled in "{:_}", "#{}", "{}.5", "0x{:x}":
        for of in nonces, [nonce + 1 for nonce in nonces]:
            cells = [spelled.format(nonce) for nonce in of]
            report = pf.verify({**log, "n": cells}, DICE, columns={"nonce": "n - 1"})
            assert [(one.row, one.kind) for one in report.failures] == [(row, "missing") for row in range(3)]
    least = np.array([-(2**63)] * 3)
    report = pf.verify({**log, "n": least}, DICE, columns={"nonce": "n - 999999999999999999"})
    assert {one.kind for one in report.failures} == {"malformed"}


def test_a_seed_that_is_not_the_one_that_was_published():
    """Rows whose outcome agrees by chance with a wrong seed fail nevertheless, by its commitment."""
    log = log_of(ROULETTE)
    log["commitment"] = [pf.commitment(seed) for seed in log["server_seed"]]
    block = only(broken(log, range(600, 900), server_seed=lambda _: "seed of dey 2"), ROULETTE)
    assert (block.first, block.last, block.failed) == (600, 899, 300)
    assert block.cure == {"server_seed": "seed of day 2"}


def test_exchanged_seeds():
    log = log_of()
    exchanged = log | {
        "server_seed": log["server_seed"][:600] + ["me"] * 300 + log["server_seed"][900:],
        "client_seed": ["me"] * 600 + ["seed of day 2"] * 300 + ["me"] * 2100,
    }
    block = only(exchanged)
    assert block.cure == {"server_seed": "seed of day 2", "client_seed": "me"}


def test_wrong_outcomes_are_never_explained_away():
    log = log_of()
    other = pf.operators.stake.Limbo().play(log["server_seed"], log["client_seed"], log["nonce"])
    source = random.Random(1)
    shuffled = source.sample(log["outcome"], 3000)
    for wrong in ([50.0] * 3000, shuffled, other.tolist()):
        mixed = [*log["outcome"][:600], *wrong[600:700], *log["outcome"][700:]]
        report = pf.verify(log | {"outcome": mixed}, DICE)
        assert report.blocks
        assert all(block.cure is None for block in report.blocks)
        assert not report.ok


def test_rows_that_a_change_makes_one_round_tell_little():
    """Seeds that differ in capitals are one after a change of these: its outcome is a single try."""
    spellings = ["".join(each) for each in itertools.product(*zip("abcdef", "ABCDEF", strict=True))]
    for seed in range(4):
        log = log_of(ROULETTE) | {"server_seed": [f"seed {seed}"] * 3000}
        log["client_seed"][1000:1064] = spellings
        log["nonce"][1000:1064] = [7] * 64
        log["outcome"] = ROULETTE.play(**{name: log[name] for name in ROULETTE.scheme.fields}).tolist()
        for way in (str.lower, str.upper):
            number = int(ROULETTE.play(f"seed {seed}", way("abcdef"), 7))
            outcomes = [*log["outcome"][:1000], *[number] * 64, *log["outcome"][1064:]]
            assert only(log | {"outcome": outcomes}, ROULETTE).cure is None


@pytest.mark.parametrize("form", [float, "{}.0".format, " {}".format])
def test_a_shifted_number_of_any_form(form):
    log = broken(log_of(), range(620, 880), nonce=lambda nonce: nonce + 3)
    assert only(log | {"nonce": list(map(form, log["nonce"]))}).cure == {"nonce": "nonce - 3"}


def test_a_long_text_is_not_tried_letter_by_letter():
    log = log_of() | {"client_seed": ["x" * 2000] * 3000}
    log["outcome"] = DICE.play(log["server_seed"], log["client_seed"], log["nonce"])
    assert only(broken(log, range(620, 880), client_seed=str.upper)).cure == {"client_seed": "x" * 2000}
    assert len(list(_spellings("x" * 501))) < 200


def test_a_few_failures_are_no_block():
    log = log_of()
    assert pf.verify(log, DICE).blocks == ()
    assert pf.verify(broken(log, {70}, outcome=lambda _: 1.5), DICE).blocks == ()
    assert pf.verify(broken(log, {70, 71}, outcome=lambda _: 1.5), DICE).blocks == ()
    spread = set(random.Random(1).sample(range(3000), 60))
    assert pf.verify(broken(log, spread, outcome=lambda x: x + 0.01), DICE).blocks == ()


def test_if_everything_fails_there_is_no_block():
    assert pf.verify(broken(log_of(), range(3000), nonce=lambda n: n + 1), DICE).blocks == ()


def test_several_blocks_and_others():
    log = broken(log_of(), range(600, 700), client_seed=lambda _: "mee")
    log = broken(log, range(1500, 1600), server_seed=lambda text: text.upper())
    log = broken(log, {50, 2500, 2900}, outcome=lambda x: x + 0.01)
    report = pf.verify(log, DICE)
    first, second = report.blocks
    assert (first.first, first.last, first.cure) == (600, 699, {"client_seed": "me"})
    assert (second.first, second.last, second.failed) == (1500, 1599, 100)
    assert second.cure == {"server_seed": "seed of day 5"}
    assert "all other rows are right" not in f"{first}{second}"


def test_rows_that_fail_because_they_repeat_a_round_are_not_right():
    log = broken(log_of(), range(600, 700), client_seed=lambda _: "mee")
    log = {name: [*column, column[10]] for name, column in log.items()}
    assert "all other rows are right" in str(only(log))
    assert "all other rows are right" not in str(only(log, repeats="fail"))


def test_days_beside_each_other_with_slips_of_their_own():
    log = broken(log_of(), range(600, 900), server_seed=lambda _: "seed of dey 2")
    log = broken(log, range(900, 1200), server_seed=lambda _: "seed of day  3")
    first, second = pf.verify(log, DICE).blocks
    assert (first.first, first.last, first.cure) == (600, 899, {"server_seed": "seed of day 2"})
    assert (second.first, second.last, second.cure) == (900, 1199, {"server_seed": "seed of day 3"})


@pytest.mark.parametrize("read", [False, True])
def test_interleaved_players(read):
    """A player whose rows lie among others' is a value of a column, read or not."""
    rows = 4000
    source = random.Random(2)
    players = [f"player {source.randrange(20)}" for _ in range(rows)]
    log = {"server_seed": ["s"] * rows, "client_seed": players, "nonce": list(range(rows))}
    if not read:
        log["client_seed"] = ["me"] * rows
    log |= {"outcome": DICE.play(**log).tolist(), "player": players}
    of = {name: [i for i in range(rows) if players[i] == name] for name in ("player 3", "player 7")}
    log = broken(log, of["player 3"], outcome=lambda x: (x + 1) % 100)
    block = only(log)
    assert (block.first, block.last) == (of["player 3"][0], of["player 3"][-1])
    assert block.failed == len(of["player 3"])
    assert block.shared["player"] == "player 3"
    log = broken(log, of["player 7"][20:120], outcome=lambda x: (x + 1) % 100)
    blocks = sorted(pf.verify(log, DICE).blocks, key=lambda block: block.first)
    assert [block.failed for block in blocks] == [len(of["player 3"]), 100]
    assert (blocks[1].first, blocks[1].last) == (of["player 7"][20], of["player 7"][119])
    assert ["player 3" in str(blocks[0]), "player 7" in str(blocks[1])] == [True, True]
    assert all(block.cure is None for block in blocks)


def test_a_player_whose_seed_is_misspelled():
    rows = 4000
    players = [f"player {i % 11}" for i in range(rows)]
    log = {"server_seed": ["s"] * rows, "client_seed": players, "nonce": list(range(rows))}
    log["outcome"] = DICE.play(**log).tolist()
    which = set(range(3, rows, 11))
    block = only(broken(log, which, client_seed=lambda text: f"{text} "))
    assert (block.failed, block.cure) == (len(which), {"client_seed": "player 3"})


def test_a_file_that_fails(tmp_path):
    import pyarrow.csv as pc

    log = log_of(rows=2000)
    for part in range(4):
        some = {name: cells[part * 500 : part * 500 + 500] for name, cells in log.items()}
        if part == 2:
            some["client_seed"] = ["You"] * 500
        pc.write_csv(pa.table(some), tmp_path / f"{part}.csv")
    block = only(str(tmp_path))
    assert (block.first, block.last, block.failed) == (1000, 1499, 500)
    assert block.shared == {"client_seed": "You", "file": str(tmp_path / "2.csv")}
    assert block.cure is None or block.cure == {"client_seed": "me"}  # the seed of the rows before


def test_blocks_of_parts_are_those_of_the_whole():
    log = broken(log_of(ROULETTE), range(600, 890), server_seed=lambda _: "seed of dey 2")
    whole = only(log, ROULETTE)
    table = pa.table(log)
    for cuts in ([700], [300, 601, 889], list(range(100, 3000, 100))):
        ends = [0, *cuts, 3000]
        parts = [table.slice(a, b - a) for a, b in itertools.pairwise(ends)]
        block = only(iter(parts), ROULETTE)
        assert (block.first, block.last, block.failed) == (whole.first, whole.last, whole.failed)
        assert (block.shared, block.cure) == (whole.shared, whole.cure)
        assert "of these rows that were looked at agree" in str(block)
        merged = Spread()
        for begin, part in zip(ends, parts, strict=False):
            merged.merge(pf.verify(part, ROULETTE)._counts.spread, begin)
        assert merged.runs.tolist() == pf.verify(log, ROULETTE)._counts.spread.runs.tolist()


def test_an_open_file_is_read_again_from_where_it_was():
    """A column that `verify` doesn't read is read for the blocks."""
    import pyarrow.csv as pc

    desks = [f"desk {row * 7 % 11}" for row in range(3000)]
    wrong = broken(log_of(), range(4, 3000, 11), outcome=lambda roll: round((roll + 7) % 100, 2))
    file = io.BytesIO()
    file.write(b"an export\n")
    pc.write_csv(pa.table(wrong | {"desk": desks}), file)
    file.seek(len(b"an export\n"))
    assert only(file).shared == {"desk": desks[4]}


def test_a_pickled_report_has_the_same_blocks():
    report = pf.verify(broken(log_of(), range(600, 650), client_seed=lambda _: "mE"), DICE)
    later = pickle.loads(pickle.dumps(report))
    (block,), (other,) = report.blocks, later.blocks
    assert (block.first, block.last, block.shared, block.cure) == (
        other.first,
        other.last,
        other.shared,
        other.cure,
    )
    assert pickle.loads(pickle.dumps(report)).blocks == report.blocks


def test_what_is_kept_is_bounded():
    rows = 300_000
    log = {"server_seed": "s", "client_seed": "c", "nonce": np.arange(rows)}
    wrong = {**log, "outcome": (DICE.play(**log) + 1) % 100}
    spread = pf.verify(wrong, DICE)._counts.spread
    assert len(spread.runs) == 1
    assert len(spread.rows) <= 1 << 15
    assert len(spread.failed) <= 1 << 13
    fails = np.random.default_rng(1).random(rows) < 0.3
    mixed = {**log, "outcome": DICE.play(**log) + fails}
    report = pf.verify(mixed, DICE)
    assert len(report._counts.spread.runs) <= 1 << 13
    assert report._counts.spread.runs[:, 2].sum() == report.failed == fails.sum()
    assert report.blocks == ()
    mixed["outcome"][100_000:140_000] += 1
    (block,) = pf.verify(mixed, DICE).blocks
    assert abs(block.first - 100_000) < 200
    assert abs(block.last - 140_000) < 200


def test_a_block_after_lines_that_cannot_be_read_is_where_it_is(tmp_path):
    log = broken(log_of(), range(320, 400), client_seed=lambda _: "mee")
    lines = [",".join(log), *(",".join(map(str, row)) for row in zip(*log.values(), strict=True))]
    lines[301:321] = ["broken"] * 20
    (tmp_path / "log.csv").write_text("\n".join(lines))
    report = pf.verify(tmp_path / "log.csv", DICE)
    assert [(block.first, block.last, block.failed) for block in report.blocks] == [(300, 399, 100)]
    assert "the 80 that were looked at with client_seed mee" in str(report.blocks[0])


def test_right_rows_are_kept_evenly_of_many_small_batches(tmp_path):
    import pyarrow.parquet as pq

    rows = 150_000
    players = np.array(["a", "b", "c", "d"])[np.arange(rows) % 4].tolist()
    log = {"server_seed": ["s"] * rows, "client_seed": players, "nonce": np.arange(rows)}
    fails = np.random.default_rng(2).random(rows) < 1 / 1500
    log["outcome"] = (DICE.play("s", players, log["nonce"]) + 50 * fails) % 100
    pq.write_table(pa.table(log), tmp_path / "log.parquet", row_group_size=100)
    report = pf.verify(tmp_path / "log.parquet", DICE)
    right = report._counts.spread.right.items()
    for which in (lambda row: row % 4, lambda row: 10 * row // rows):
        stood = np.bincount([which(row) for row, _ in right], [weight for _, (weight, _) in right])
        assert abs(stood / stood.mean() - 1).max() < 0.2
    assert sum(weight for _, (weight, _) in right) == pytest.approx(rows - report.failed)
    assert report.blocks == ()


@pytest.mark.parametrize(("players", "shared"), [("bc", {}), ("bb", {"client_seed": "b"})])
def test_values_that_alternate_in_rows_of_which_some_are_kept(players, shared):
    rows = np.arange(60_000)
    inside = rows >= 20_000
    seeds = np.where(inside, np.array([*players])[rows % 2], "a").tolist()
    log = {"server_seed": "s", "client_seed": seeds, "nonce": rows}
    block = only({**log, "outcome": (DICE.play("s", seeds, rows) + 50 * inside) % 100})
    assert (block.first, block.last, block.shared) == (20_000, 59_999, shared)
    assert ("the 20,000 that were looked at with client_seed b" in block.text) == bool(shared)


@pytest.mark.parametrize(
    ("slip", "meant"),
    [
        ("9007199254740992", "9007199254740993"),
        ("123456789012345000", "123456789012345678"),
        ("3-Apr", "4-3"),
        ("4-Mar", "MAR4"),
        ("2016-03-04", "3/4/16"),
        ("203131725", "0203131725"),
        ("1.20E+05", "12e4"),
        ("mÃ¼ller", "müller"),
        ("müller\n", "müller"),
        ("abba", "Abba"),
    ],
)
def test_slips_that_are_tried(slip, meant):
    assert meant in set(_spellings(slip))


def test_texts_that_are_no_numbers_or_dates():
    assert (
        list(_numbers("12x")) == list(_numbers("0")) == list(_dates("a-b-c-d")) == list(_dates("word")) == []
    )
    assert list(_dates("\u00b2-3")) == []


@pytest.mark.one_case_in(3)
@pytest.mark.parametrize("seed", [3, 4, 5])
def test_most_made_logs_are_explained(seed):
    found = measure_blocks.measure(20, seed=seed, least=500, most=1500)
    assert found["odd"] == []


def test_the_day_of_2015():
    log = ROOT / "corpus/csgodouble/2015"
    report = pf.verify(config=log / "series.toml")
    (block,) = report.blocks
    assert (block.first, block.last, block.failed) == (132_770, 134_178, 1312)
    assert report.failed == 1312
    assert "0203131725" in block.shared.values()
    assert list(block.cure.values()) == ["0203131715"]
    assert "97 of these 1,409 agree, as chance would have it (1 in 15)" in str(block)
