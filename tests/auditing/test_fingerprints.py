"""Collision resistance of fingerprints, and rows that don't fit in memory or on disk."""

from __future__ import annotations

import hashlib
import json
import pickle
import random
import re
from xml.etree import ElementTree

import numpy as np
import provably_fair as pf
import pyarrow as pa
import pytest
from provably_fair import _engine
from provably_fair.auditing import records
from provably_fair.auditing.checks import commitments, sequence
from provably_fair.auditing.records import whole
from provably_fair.auditing.sums import Groups, NumberedRows
from provably_fair.cli.commands import run
from provably_fair.verification import verified

# ---- fingerprints ----


def sha_2(text: str) -> bytes:
    """The expected digest of a text; 64 hex digits are hashed as bytes, with another function."""
    if re.fullmatch("[0-9a-f]{64}", text):
        return hashlib.sha224(bytes.fromhex(text)).digest()
    return hashlib.sha256(text.encode()).digest()


def test_fingerprints_are_of_sha_2():
    digits = [digit * 64 for digit in "7780faAg"]
    texts = ["", "abc", "ABC ", "x" * 1000, "7", *digits, "7" * 63, "7" * 65, "g" + "7" * 63]
    fingerprints = _engine.column_fingerprints("salt", texts, len(texts))
    assert fingerprints[0].tolist() == [0, 0]
    expected = [sha_2(text)[:16] for text in texts[1:]]
    assert [row.astype(">u8").tobytes() for row in fingerprints[1:]] == expected
    folded = _engine.column_fingerprints("salt", texts, len(texts), hexadecimal=True)
    assert [row.astype(">u8").tobytes() for row in folded[1:]] == [
        sha_2(text.strip().lower())[:16] for text in texts[1:]
    ]
    # The raw bytes are a different text from the hex digits.
    raw = [bytes.fromhex("7" * 64), b"7" * 64]
    assert len({*map(tuple, _engine.column_fingerprints("salt", raw, 2).tolist())}) == 2
    # A constant column has a single row.
    same = _engine.column_fingerprints("salt", np.array(["abc"] * 9), 9)
    assert same.tolist() == [fingerprints[1].tolist()]


STORAGES = {
    "list": list,
    "object": lambda texts: np.array(texts, object),
    "str": np.array,
    "bytes": lambda texts: np.array([text.encode() for text in texts]),
    "arrow": pa.array,
    "large": lambda texts: pa.array(texts, pa.large_string()),
    "view": lambda texts: pa.array(texts, pa.string_view()),
    "keyed": lambda texts: pa.array(texts).dictionary_encode(),
    "missing": lambda texts: [None, *texts[1:]],
}


@pytest.mark.parametrize("storage", STORAGES)
def test_folded_columns_are_those_whose_spelling_does_not_matter(storage):
    rng = random.Random(storage)
    for _ in range(60):
        words = [
            "",
            "ab" * 32,
            "a1",
            "q" * 64,
            *rng.sample(["aB", "Ab" * 32, " a1", "a1\t", "x" * 70 + "F"], 1),
        ]
        words = words[: rng.choice([1, 3, 4, 5])]
        texts = rng.choices(words, k=rng.choice([1, 2, 5, 30]))
        column = STORAGES[storage](texts)
        known = texts[1:] if storage == "missing" else texts
        folded = _engine.is_folded("commitment", column, len(texts))
        assert folded == all(text == text.strip().lower() for text in known), texts
        if folded:
            plain, hexadecimal = (
                _engine.column_fingerprints("commitment", column, len(texts), hexadecimal=way)
                for way in (False, True)
            )
            assert plain.tolist() == hexadecimal.tolist()


def halves(first: tuple[int, int], second: tuple[int, int]) -> np.ndarray:
    return np.array([first, second], np.uint64)


@pytest.mark.parametrize("other", [(7, 9 + 2**60), (8, 9)])
def test_rows_whose_fingerprints_agree_in_one_word_are_not_listed_twice(other):
    listings, times = _engine.Listings(), np.full(3, 5)
    fingerprints = np.array([(7, 9), other, (7, 9)], np.uint64)
    listings.extend([fingerprints], [], [], np.arange(3), times)
    assert listings.twice(1) == ([(0, 2)], 1, 0)
    listings.extend([np.full((3, 2), 7, np.uint64)], [fingerprints], [], np.arange(3, 6), times)
    assert sorted(listings.twice(1)[0]) == [(0, 2), (3, 5)]


@pytest.mark.parametrize("other", [(7, 9 + 2**60), (8, 9)])
def test_fingerprints_that_agree_in_one_word_are_two(other):
    fingerprints = halves((7, 9), other)
    places, there = np.arange(2), np.ones(2, bool)
    same = np.array([(1, 1), (1, 1)], np.uint64)
    pairs = _engine.Pairs()
    pairs.extend([fingerprints], [same], places, there)
    assert pairs.several(9, 1)[:2] == (0, 0)
    assert pairs.turned().several(9, 1)[:2] == (1, 1)
    assert pickle.loads(pickle.dumps(pairs)).turned().several(9, 1)[2] == [(0, 1)]
    runs = _engine.Runs(False)
    runs.extend(NumberedRows([fingerprints], np.array([4, 4]), places, there))
    assert runs.numbers(9, 1)["again"] == 0
    runs = _engine.Runs(False)
    runs.extend(NumberedRows([same], np.array([4, 4]), places, there, [fingerprints]))
    assert runs.numbers(9, 1)["again"] == 0
    sample = _engine.Sample(9, 0)
    assert sample.extend(fingerprints, places, fingerprints).tolist() == [0, 1]
    sample = _engine.Sample(9, 0)
    sample.extend(same, places, fingerprints)
    assert [another for *_, another in sample.states()] == [1]
    assert len(_engine.changes_by_key(fingerprints, same)[0]) == 2
    assert len(_engine.changes_by_key(same, fingerprints)[2]) == 1
    groups = Groups({"bets": "sum"})
    for _ in range(2):
        groups.add(whole(fingerprints), bets=np.ones(2, np.int64))
    assert groups.columns["bets"].tolist() == [2, 2]
    assert sorted(groups.keys.tolist()) == groups.keys.tolist()


def test_pairs_of_seeds_are_told_apart_however_their_fingerprints_are_related(monkeypatch):
    """A linear combination of two fingerprints as a key would be easy to collide."""
    factor = np.uint64(0x9E37_79B9_7F4A_7C15)

    def related(name, column, rows, **options):
        found = _engine.column_fingerprints(name, column, rows, **options)
        if name in ("server_seed", "client_seed"):
            found[20:] = found[0] + np.uint64(1) if name == "server_seed" else found[0] - factor
        return found

    game = pf.operators.stake.Dice()
    log = {"server_seed": ["a"] * 20 + ["b"] * 20, "client_seed": ["x"] * 20 + ["y"] * 20}
    log["nonce"] = [*range(20), *range(5, 25)]
    log["outcome"] = game.play(**log)
    monkeypatch.setattr(records, "column_fingerprints", related)
    assert [(found.kind, found.rows) for found in pf.audit(log, game).findings] == [
        ("nonces_begin_late", (20,))
    ]


def test_words_are_told_apart_by_whole_fingerprints(monkeypatch):
    def alike(name, column, rows, **options):
        found = _engine.column_fingerprints(name, column, rows, **options)
        if name == "status":
            found[:, 0] = 1
        return found

    log = {"server_seed": "a", "client_seed": "x", "salt": list("1234")}
    log["outcome"] = pf.Dice().play(**log)
    log |= {"stake": [1.0] * 4, "payout": [1.0] * 4, "status": ["won", "void", "won", "void"]}
    bet = pf.Dice().bet(2, over=0)
    expected = pf.audit(log, pf.Dice(), bet=bet).findings
    assert {found.kind: found.count for found in expected}["bets_refunded"] == 2
    monkeypatch.setattr(records, "column_fingerprints", alike)
    assert pf.audit(log, pf.Dice(), bet=bet).findings == expected


def test_seeds_are_drawn_by_the_audits_seed():
    fingerprints = _engine.column_fingerprints("salt", [f"salt {n}" for n in range(3000)], 3000)
    found = []
    for seed in 1, 2, 1:
        sample = _engine.Sample(100, seed)
        kept = sample.extend(fingerprints, np.arange(3000))
        assert len(kept) == len(sample.states()) == 100
        found.append(set(kept.tolist()))
        assert 2000 < sample.different < 4500
    assert found[0] == found[2]
    assert len(found[0] & found[1]) < 20


# ---- no room ----


@pytest.fixture
def no_room(monkeypatch, tmp_path):
    """Little memory for rows, and no folder to spill to."""
    monkeypatch.setenv("TMPDIR", str(tmp_path / "missing"))

    monkeypatch.setattr(verified, "Replays", lambda: _engine.Replays(4))


def replayed(rows: int = 40) -> dict[str, object]:
    salts = pf.salts(rows)
    salts[-1] = salts[-2]
    log = {"server_seed": "server", "client_seed": "client", "salt": salts}
    return log | {"outcome": pf.Dice().play(**log)}


def test_rows_that_are_not_compared_are_no_verdict(no_room, tmp_path, capsys):
    log = replayed()
    report = pf.verify(log, pf.Dice())
    assert report.ok
    assert report.complete
    assert (report.repeats.count, report.uncompared) == (0, 40 - report.repeats.compared)
    assert 0 < report.uncompared < 40
    report = pf.verify(log, pf.Dice(), repeats="fail")
    assert not report.ok
    assert not report.complete
    assert not report.failed
    assert "NOT VERIFIED: not all rows were compared" in str(report)
    assert "TMPDIR" in report._repr_html_()
    assert "not all was compared" in repr(report)
    known = json.loads(report.to_json())
    assert (known["ok"], known["complete"], known["uncompared"]) == (False, False, report.uncompared)
    with pytest.raises(pf.VerificationError):
        report.raise_if_failed()
    with pytest.raises(OSError, match="rows weren't compared for repeats"):
        pf.check(log, pf.Dice(), repeats="fail")
    file = tmp_path / "log.jsonl"
    texts = zip(log["salt"].tolist(), log["outcome"].tolist(), strict=True)
    rows = ({"salt": salt.decode(), "outcome": outcome} for salt, outcome in texts)
    file.write_text("\n".join(map(json.dumps, rows)))
    given = [
        str(file),
        "--game",
        "dice",
        "--constant",
        "server_seed=server",
        "--constant",
        "client_seed=client",
    ]
    assert run(["verify", *given]) == 0
    assert run(["verify", *given, "--fail-repeats"]) == 2
    assert run(["audit", *given]) == 2
    assert "NOT AUDITED" in capsys.readouterr().out


def test_what_is_lost_is_lost_in_pieces_too(no_room):
    log = replayed()
    auditor = pf.Auditor(pf.Dice())
    for start in 0, 20:
        part = {name: c[start : start + 20] if len(c) == 40 else c for name, c in log.items()}
        auditor.merge(pickle.loads(pickle.dumps(pf.Auditor(pf.Dice()).update(part))))
    report = auditor.report()
    assert not report.ok
    assert not report.complete
    assert report.verification.uncompared == 40 - report.verification.repeats.compared > 0


@pytest.mark.parametrize(
    ("module", "store", "what"),
    [
        (sequence, "Runs", "whether nonces are missing"),
        (sequence, "Pairs", "whether salts were used again"),
        (commitments, "Pairs", "whether seeds and commitments belong together"),
    ],
)
def test_audits_say_what_is_not_compared(monkeypatch, tmp_path, module, store, what):
    rows = 60
    servers, numbers = [f"server {row // 2}" for row in range(rows)], list(range(rows))
    if store == "Runs":
        game, log = pf.operators.stake.Dice(), {"nonce": [3 * (row % 2) for row in range(rows)]}
    else:
        game, log = pf.Dice(), {"salt": [f"salt {row % 40}" for row in numbers]}
    log |= {"server_seed": servers, "client_seed": "client"}
    log["outcome"] = game.play(**log)
    if module is commitments:
        log["commitment"] = [hashlib.sha256(seed.encode()).hexdigest() for seed in servers[:-1]] + ["0" * 64]
    whole_report = pf.audit(log, game)
    assert not whole_report.ok
    assert whole_report.complete
    engine = getattr(_engine, store)
    monkeypatch.setattr(module, store, lambda *goes: engine(*goes, 2))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    kept = pf.audit(log, game)
    assert [found.kind for found in kept.findings] == [found.kind for found in whole_report.findings]
    assert kept.complete
    assert not list(tmp_path.iterdir())
    monkeypatch.setenv("TMPDIR", str(tmp_path / "missing"))
    report = pf.audit(log, game)
    assert not report.ok
    assert not report.complete
    (said,) = (text for text in report.unknown if "TMPDIR" in text)
    assert what in said
    assert said in str(report).replace("\n", " ")
    assert what in report.to_html()
    assert said in json.loads(report.to_json())["unknown"]
    suite = ElementTree.fromstring(report.to_junit())
    assert suite.get("errors") == "1"
    assert suite.find("testcase/error") is not None
    assert what in suite.findtext("testcase/system-out")
    assert "NOT AUDITED" in str(report)


def test_files_have_no_name(monkeypatch, tmp_path):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    pairs = _engine.Pairs(2)
    fingerprints = _engine.column_fingerprints("salt", list(map(str, range(100))), 100)
    pairs.extend([fingerprints], [fingerprints[::-1]], np.arange(100), np.ones(100, bool))
    assert pairs.lost == 0
    assert not list(tmp_path.iterdir())
    assert pairs.several(1, None)[0] == 0
    again = pickle.loads(pickle.dumps(pairs))
    again.extend([fingerprints], [fingerprints], np.arange(100, 200), np.ones(100, bool))
    assert again.several(1, None)[0] == 100
