"""Certificates: valid ones hold in the package and in an independent program, and altered ones don't."""

from __future__ import annotations

import copy
import csv
import functools
import importlib.util
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from folders import ROOT
from provably_fair.cli import run
from verification.test_beacon_logs import BLOCK, BLOCK_HASH, ROUNDS, Castle, Mined, row_of
from writing import write_csv

PROGRAM = ROOT / "examples" / "check_certificate.py"
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = KEY.public_key().public_bytes_raw().hex()


def program() -> Any:
    spec = importlib.util.spec_from_file_location("check_certificate", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def written_key(path: Path) -> Path:
    form = serialization.PrivateFormat.PKCS8
    path.write_bytes(KEY.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()))
    return path


@pytest.fixture(scope="module")
def castle(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A log of beacon rounds, and its signed certificate."""
    folder = tmp_path_factory.mktemp("castle")
    rows = [row_of(number, *ROUNDS[number % 2]) for number in range(30)]
    log = write_csv(folder / "rounds.csv", {name: [row[name] for row in rows] for name in rows[0]})
    path = folder / "certificate.json"
    pf.certificates.write(pf.audit(log, Castle()), path, key=KEY)
    return log, path


@pytest.fixture(scope="module")
def mined(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A log of chain games salted with a block hash, and its unsigned certificate."""
    folder = tmp_path_factory.mktemp("mined")
    chain = pf.HashChain()
    hashes = chain.generate("secret", games=50).astype(str).tolist()
    columns = {
        "game_hash": hashes[10:40],
        "salt": BLOCK_HASH,
        "block_header": BLOCK,
        "terminating": chain.terminating(hashes),
        "outcome": Mined().play(BLOCK_HASH, hashes[10:40]).tolist(),
    }
    log, path = write_csv(folder / "games.csv", columns), folder / "certificate.json"
    pf.certificates.write(pf.verify(log, Mined()), path)
    return log, path


def test_what_is_in_a_certificate(castle: tuple[Path, Path], mined: tuple[Path, Path]) -> None:
    signed, unsigned = (json.loads(path.read_text()) for _, path in (castle, mined))
    assert next(iter(signed.items())) == ("signed_by", PUBLIC)
    first, warning = next(iter(unsigned.items()))
    assert first == "unsigned"
    assert "anybody could have written it" in warning
    assert signed["verdict"]["ok"]
    assert signed["verdict"]["findings"] == []
    assert len(signed["commitments"][0]["values"]) == 30
    [beacon] = signed["beacons"]
    assert (beacon["chain"], len(beacon["values"])) == ("quicknet", 2)
    assert [row[-1] for row in beacon["values"]] == [15, 15]
    [chain] = unsigned["chains"]
    assert (chain["first"]["game_number"], chain["last"]["game_number"], chain["rows"]) == (11, 40, 30)
    assert unsigned["game"]["scheme"] == Mined.scheme.to_dict()
    assert unsigned["versions"]["provably_fair"] == pf.__version__
    assert len(unsigned["log"]["files"][0]["sha256"]) == 64


@pytest.mark.thorough
def test_certificates_of_good_logs_hold(castle: tuple[Path, Path], mined: tuple[Path, Path]) -> None:
    for (log, path), game, public in (castle, Castle(), PUBLIC), (mined, Mined(), None):
        check = pf.certificates.check(path, log, game=game)
        assert check.problems == ()
        assert (check.ok, bool(check), check.verdict, check.signed_by) == (True, True, True, public)
        done = subprocess.run(
            [sys.executable, PROGRAM, path, log], capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert "the log's rows: right" in done.stdout
        assert done.stdout.endswith("not checked: outcomes, and the certificate's own signature\n")
    log, path = castle
    assert pf.certificates.check(path, log, game=Castle(), key=PUBLIC)
    other = pf.certificates.check(path, log, game=Castle(), key="00" * 32)
    assert other.problems == (f"the certificate isn't signed by {'00' * 32}",)
    # A certificate only names custom classes; checking it doesn't import them.
    unknown = pf.certificates.check(path, log)
    assert not unknown
    assert unknown.problems[0].startswith("the log can't be checked as the certificate says: game must be")


def test_published_values_with_0x_in_front(castle: tuple[Path, Path], mined: tuple[Path, Path]) -> None:
    for (log, path), field, game in (castle, "commitment", Castle()), (mined, "block_header", Mined()):
        with log.open(newline="") as file:
            rows = list(csv.DictReader(file))
        columns = {name: [row[name] for row in rows] for name in rows[0]}
        columns[field] = [f"0x{text}" for text in columns[field]]
        path = path.with_name("spelled.json")
        pf.certificates.write(pf.verify(columns, game), path)
        contents, own = json.loads(path.read_text()), program()
        assert contents["verdict"]["ok"]
        for of in contents["commitments"]:
            own.check_commitments(of)
        for of in contents["beacons"]:
            own.check_beacons(of)
            assert all(row[of["keys"].index("time")] for row in of["values"])


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rounds = {"server_seed": "s", "client_seed": "c", "salt": [f"salt {row}" for row in range(5)]}
    log = write_csv(
        tmp_path / "dice.csv", rounds | {"outcome": pf.Dice().play("s", "c", rounds["salt"]).tolist()}
    )
    path = tmp_path / "certificate.json"
    pem = written_key(tmp_path / "key.pem")
    assert run(["verify", str(log), "-g", "dice", "--certificate", str(path), "--key", str(pem)]) == 0
    assert run(["certificate", "check", str(path), str(log)]) == 0
    assert f"the certificate holds, signed by {PUBLIC}" in capsys.readouterr().out
    assert run(["certificate", "check", str(path), str(log), "--key", "00" * 32]) == 1
    assert run(["certificate", "check", str(path), str(log), "--key", str(pem)]) == 0
    log.write_text(log.read_text().replace("salt 1", "salt 7"))
    assert run(["certificate", "check", str(path), str(log)]) == 1
    assert "log isn't what the log gives" in capsys.readouterr().out
    # The certificate of a wrong log is valid and says that the log is wrong; the exit code is the log's.
    pf.certificates.write(pf.verify(log, "dice"), path)
    assert pf.certificates.check(path, log).ok
    assert not pf.certificates.check(path, log).verdict
    assert run(["certificate", "check", str(path), str(log)]) == 1
    assert run(["certificate", "check", str(tmp_path / "none.json"), str(log)]) == 2


def test_the_command_takes_what_an_audit_was_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    salts = [f"salt {row}" for row in range(50)]
    outcomes = pf.Dice().play("s", "c", salts)
    rounds = {"server_seed": "s", "client_seed": "c", "salt": salts, "outcome": outcomes.tolist()}
    paid = {"time": [1_700_000_000 + row for row in range(50)], "stake": 1}
    paid["payout"] = [1.98 if outcome < 50 else 0 for outcome in outcomes]
    log = str(write_csv(tmp_path / "dice.csv", rounds | paid))
    (times := tmp_path / "times.csv").write_text("server_seed,reveal_time\ns,1800000000\n")
    path = str(tmp_path / "certificate.json")
    told = ["-g", "dice", "--bet", "under=50,payout=1.98", "--reveal-times", str(times)]
    run(["audit", log, *told, "--certificate", path])
    check = pf.certificates.check(path, pf.Log(log, reveal_times=times), bet=pf.Dice().bet(1.98, under=50))
    assert check.ok
    capsys.readouterr()
    run(["certificate", "check", path, log, *told])
    assert "the certificate holds" in capsys.readouterr().out
    assert run(["certificate", "check", path, log]) == 1
    assert "where an audit had a bet, --bet and --reveal-times must say so" in capsys.readouterr().out


def test_no_changed_certificate_is_accepted(castle: tuple[Path, Path], tmp_path: Path) -> None:
    log, path = castle
    whole, changed, generator = path.read_bytes(), tmp_path / "changed.json", random.Random(43)
    for _ in range(1000):
        place = generator.randrange(len(whole))
        match generator.randrange(4):
            case 0:
                text = (
                    whole[:place] + bytes([whole[place] ^ 1 << generator.randrange(8)]) + whole[place + 1 :]
                )
            case 1:
                text = whole[:place] + whole[place + 1 :]
            case 2:
                text = whole[:place] + generator.choice([b" ", b"0", b"a", b'"']) + whole[place:]
            case _:
                swapped = bytes([generator.choice(b"0123456789abcdef")])
                text = whole[:place] + swapped + whole[place + 1 :]
        if text == whole:
            continue
        changed.write_bytes(text)
        assert not pf.certificates.check(changed, log, game=Castle()), text


def rewritten(contents: dict[str, Any], path: Path) -> Path:
    """A certificate altered by someone without the signing key."""
    plain = {name: value for name, value in contents.items() if name not in ("signed_by", "signature")}
    from provably_fair.certificates.writing import UNSIGNED

    whole = {"unsigned": UNSIGNED} | {name: value for name, value in plain.items() if name != "unsigned"}
    path.write_text(json.dumps(whole, indent=1) + "\n")
    return path


def changes(contents: dict[str, Any]) -> dict[str, Any]:
    """Certificates with one fact changed, for each of their parts."""
    found = {}

    def change(name: str) -> dict[str, Any]:
        found[name] = copy.deepcopy(contents)
        part: dict[str, Any] = found[name]
        return part

    file = change("log")["log"]["files"][0]
    file["sha256"] = file["sha256"][::-1]
    if contents["commitments"]:
        row = change("commitment")["commitments"][0]["values"][3]
        row[0] = row[0][:-1] + ("0" if row[0][-1] != "0" else "1")
        change("seed")["commitments"][0]["values"][3][2] = "00" * 32
        del change("no commitment")["commitments"][0]["values"][3]
    for place, beacon in enumerate(contents["beacons"]):
        if beacon["chain"] == "quicknet":
            change("round")["beacons"][place]["values"][1][0] += 1
            values = change("signature")["beacons"][place]["values"]
            values[0][1], values[1][1] = values[1][1], values[0][1]
            change("time")["beacons"][place]["values"][0][2] += 3
            change("key")["beacons"][place]["public_key"] = beacon["public_key"][::-1]
            del change("no beacon")["beacons"][place]["values"][1]
        else:
            row = change("header")["beacons"][place]["values"][0]
            row[0] = row[0][:-2] + "00"
    for place, chain in enumerate(contents["chains"]):
        change("terminating")["chains"][place]["terminating"] = chain["terminating"][::-1]
        change("first")["chains"][place]["first"]["game_hash"] = chain["last"]["game_hash"]
        change("last")["chains"][place]["last"]["game_number"] += 1
        earlier = pf.HashChain().previous(chain["last"]["game_hash"], 1)[0].decode()
        change("shorter")["chains"][place]["last"] = {"game_number": 39, "game_hash": earlier}
    return found


def test_a_constant_seed_may_be_empty(tmp_path: Path) -> None:
    log = {"server_seed": "s", "salt": ["x", "y"], "outcome": pf.Dice().play("s", "", ["x", "y"])}
    pf.certificates.write(pf.verify(log, "dice", constants={"client_seed": ""}), tmp_path / "c.json")
    assert pf.certificates.check(tmp_path / "c.json", log).verdict
    assert pf.certificates.check(tmp_path / "c.json", log).problems == ()


def test_a_constant_that_is_no_text_is_refused(tmp_path: Path) -> None:
    log = {"server_seed": "s", "salt": ["x", "y"], "outcome": pf.Dice().play("s", b"\xff", ["x", "y"])}
    report = pf.verify(log, "dice", constants={"client_seed": b"\xff"})
    with pytest.raises(ValueError, match=r"^certificate is text, and the constant client_seed has bytes"):
        pf.certificates.write(report, tmp_path / "c.json")


@pytest.mark.thorough
def test_changes_that_nobody_signed(
    castle: tuple[Path, Path], mined: tuple[Path, Path], tmp_path: Path
) -> None:
    """Unsigned changes are detected by comparison with the log, in both programs."""
    own, seen = program(), set()
    own.is_signed = functools.cache(own.is_signed)
    for (log, path), game in (castle, Castle()), (mined, Mined()):
        contents = json.loads(path.read_text())
        same = rewritten(contents, tmp_path / "same.json")
        assert pf.certificates.check(same, log, game=game)
        for name, changed in changes(contents).items():
            seen.add(name)
            assert not pf.certificates.check(rewritten(changed, tmp_path / "c.json"), log, game=game), name
            assert own.main(str(tmp_path / "c.json"), str(log)) == 1, name
        for verdict in {"checked": 29}, {"ok": not contents["verdict"]["ok"]}, {"unknown": ["x"]}:
            changed = contents | {"verdict": contents["verdict"] | verdict}
            assert not pf.certificates.check(rewritten(changed, tmp_path / "c.json"), log, game=game)
        for changed in contents | {"more": 1}, {k: v for k, v in contents.items() if k != "chains"}:
            assert not pf.certificates.check(rewritten(changed, tmp_path / "c.json"), log, game=game)
    assert len(seen) == 14


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"[]",
        b"{}",
        b"5",
        b"\xff",
        b"[" * 5000,
        b'{"format": "provably_fair.certificate/1"}',
        b'{"format": 5}',
    ],
)
def test_files_that_are_no_certificates(text: bytes, tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    path.write_bytes(text)
    assert not pf.certificates.check(path, {"salt": ["x"], "outcome": [1.0]})


def test_entries_of_other_kinds(castle: tuple[Path, Path], tmp_path: Path) -> None:
    """A certificate is hostile input: any malformed entry makes it invalid."""
    log, path = castle
    contents = json.loads(path.read_text())
    for name in contents:
        by = {"by": "audit"}, {"by": "verify"}
        for value in None, 5, "text", [], {}, [[]], {"files": 5}, {"files": [5]}, *by:
            changed = contents | {name: value}
            if name not in ("signed_by", "signature", "created", "versions") and changed != contents:
                assert not pf.certificates.check(rewritten(changed, tmp_path / "c.json"), log, game=Castle())


def test_keys(castle: tuple[Path, Path], tmp_path: Path) -> None:
    log, path = castle
    pem = written_key(tmp_path / "key.pem")
    report = pf.verify(log, Castle())
    for key in pem, str(pem), bytes(range(32)), KEY:
        pf.certificates.write(report, tmp_path / "c.json", key=key)
        assert pf.certificates.check(tmp_path / "c.json", log, game=Castle(), key=bytes.fromhex(PUBLIC))
    with pytest.raises(ValueError, match=r"^key must be an Ed25519 private key.*got 5 bytes"):
        pf.certificates.write(report, tmp_path / "c.json", key=b"12345")
    with pytest.raises(TypeError, match=r"^key must be an Ed25519 private key.*got int"):
        pf.certificates.write(report, tmp_path / "c.json", key=5)
    with pytest.raises(ValueError, match=r"^key must be an Ed25519 private key"):
        pf.certificates.write(report, tmp_path / "c.json", key=log)
    with pytest.raises(ValueError, match=r"^key must be .*32 bytes"):
        pf.certificates.check(path, log, key="00")
    public = tmp_path / "public.pem"
    encoding, form = serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    public.write_bytes(KEY.public_key().public_bytes(encoding, form))
    for key in public, str(public), pem, KEY.public_key(), KEY, PUBLIC, PUBLIC.upper():
        assert pf.certificates.check(path, log, game=Castle(), key=key)
    (tmp_path / "no.pem").write_text("-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n")
    for key in "nobody.pem", tmp_path / "no.pem", log, 5:
        with pytest.raises((TypeError, ValueError), match=r"^key must be an Ed25519 public key: hex text"):
            pf.certificates.check(path, log, key=key)


def test_logs_in_memory_and_logs_that_cant_be_read_again(tmp_path: Path) -> None:
    log = {"salt": ["x", "y"], "outcome": pf.Crash().play(salt=["x", "y"])}
    path = tmp_path / "c.json"
    pf.certificates.write(pf.audit(log, "crash"), path)
    assert pf.certificates.check(path, log)
    assert not pf.certificates.check(path, log | {"salt": ["x", "z"]})
    with pytest.raises(ValueError, match=r"^certificate needs a log that can be read again"):
        pf.certificates.write(pf.verify(iter([log]), "crash"), path)
    auditor = pf.Auditor("crash").update(log)
    with pytest.raises(ValueError, match=r"^certificate needs an audit that looks once"):
        pf.certificates.write(auditor.report(), path)
    pf.certificates.write(pf.Auditor("crash").update(log).report(last=True), path)
    assert pf.certificates.check(path, log)


def test_a_log_that_changed_since_it_was_checked(castle: tuple[Path, Path], tmp_path: Path) -> None:
    log = tmp_path / "rounds.csv"
    log.write_bytes(castle[0].read_bytes())
    report = pf.verify(log, Castle())
    log.write_bytes(castle[0].read_bytes().replace(b"\r\n", b"\n"))
    with pytest.raises(ValueError, match=r"^certificate needs the log that was checked"):
        pf.certificates.write(report, tmp_path / "c.json")


def test_an_audit_with_a_bet(tmp_path: Path) -> None:
    salts = [f"salt {row}" for row in range(20)]
    outcomes = pf.Dice().play("s", "c", salts)
    log = {"server_seed": "s", "client_seed": "c", "salt": salts, "outcome": outcomes.tolist()}
    log |= {"stake": 1.0, "payout": [1.98 if outcome < 50 else 0.0 for outcome in outcomes]}
    bet, path = pf.Dice().bet(under=50, payout=1.98), tmp_path / "c.json"
    pf.certificates.write(pf.audit(log, "dice", bet=bet), path)
    assert pf.certificates.check(path, log, bet=bet)
    assert "bet= must say it" in pf.certificates.check(path, log).problems[0]


def test_what_an_audit_was_told_of_words_is_certified(tmp_path: Path) -> None:
    log: dict[str, Any] = {
        "server_seed": "s",
        "client_seed": "c",
        "salt": "x",
        "stake": 100,
        "payout": 198.004,
    }
    log |= {"outcome": float(pf.Dice().play("s", "c", "x")), "payout": 198.004}
    log |= {"currency": "Gold", "status": ["finished"]}
    bet, path = pf.Dice().bet(over=0, payout=1.98), tmp_path / "c.json"
    words = {"currency": {"Gold": np.int8(0)}, "status": {"finished": "played"}}
    pf.certificates.write(pf.audit(log, "dice", bet=bet, constants=words), path)
    check = pf.certificates.check(path, log, bet=bet)
    assert (check.problems, check.verdict) == ((), True)
    assert "'Gold': 0" in check.about["constants"]


def test_what_folders_say_of_fields_is_certified(tmp_path: Path) -> None:
    rows = "server_seed,client_seed,salt,outcome\ns,c,x,88.79\n"
    for player in ("anna", "ben"):
        folder = tmp_path / player / f"player={player}" / "day=1"
        folder.mkdir(parents=True)
        (folder / "rounds.csv").write_text(rows)
    path = tmp_path / "c.json"
    pf.certificates.write(pf.audit(tmp_path / "anna", "dice"), path)
    assert json.loads(path.read_text())["log"]["files"][0]["folders"] == {"player": "anna"}
    assert pf.certificates.check(path, tmp_path / "anna")
    assert "folders: player" in pf.certificates.check(path, tmp_path / "ben").problems[0]


def test_folders_that_state_other_columns_are_not_certified(tmp_path: Path) -> None:
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    players = pa.array(["anna"]).dictionary_encode()
    log = {"server_seed": ["s"], "client_seed": ["c"], "salt": ["x"], "outcome": [88.79], "player": players}
    for folder in (tmp_path / "superplayer=9", tmp_path / "plain"):
        folder.mkdir()
        parquet.write_table(pa.table(log), folder / "rounds.parquet")
    path = tmp_path / "c.json"
    pf.certificates.write(pf.audit(tmp_path / "superplayer=9", "dice"), path)
    assert pf.certificates.check(path, tmp_path / "plain")


def test_the_seed_of_an_audit_is_certified(tmp_path: Path) -> None:
    seeds = pf.Hash("sha256", "{nonce}").hexdigest(np.r_[:200, 10**9 : 10**9 + 1900]).tolist()
    log = {"server_seed": seeds, "client_seed": "c", "nonce": 0}
    log["outcome"] = pf.operators.stake.Dice().play(seeds, "c", 0)
    found = []
    for seed in (0, 7):
        report = pf.audit(log, "stake.dice", seed=seed)
        pf.certificates.write(report, tmp_path / "c.json")
        assert pf.certificates.check(tmp_path / "c.json", log)
        found.append(report.findings[0].count)
    assert found[0] != found[1]


def test_the_checker_bounds_the_steps_along_a_chain(
    mined: tuple[Path, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A certificate is hostile input: walking 2**53 steps would take years."""
    log, path = mined
    contents = json.loads(path.read_text())
    for steps in 2**53, 5_000_001, 0, -1, 5e6, True, "5000000", None:
        changed = contents | {"reading": contents["reading"] | {"chain_steps": steps}}
        with monkeypatch.context() as patched:
            patched.setattr("provably_fair.certificates.checking.verify", None)
            found = pf.certificates.check(rewritten(changed, tmp_path / "c.json"), log, game=Mined())
        (problem,) = found.problems
        assert "chain_steps" in problem
        assert ("chain_steps= allows more" in problem) == (type(steps) is int and steps > 0)
    assert "9,007,199,254,740,992 steps" not in str(found)
    assert "at most 5,000,000 steps" in str(pf.certificates.check(path, log, game=Mined()))
    other = tmp_path / "other.json"
    pf.certificates.write(pf.verify(log, Mined(), chain_steps=6_000_000), other)
    refused = (
        "the log was followed along its chain for up to 6,000,000 steps from a row, and this check allows"
    )
    assert str(pf.certificates.check(other, log, game=Mined())).endswith(
        f"{refused} 5,000,000; chain_steps= allows more"
    )
    assert not pf.certificates.check(path, log, game=Mined(), chain_steps=10)
    held = pf.certificates.check(other, log, game=Mined(), chain_steps=6_000_000)
    assert held
    assert "at most 6,000,000 steps" in str(held)
    for wrong in 0, -1, 1.5, "5", 2**53 + 1:
        with pytest.raises((TypeError, ValueError), match=r"^chain_steps"):
            pf.certificates.check(path, log, game=Mined(), chain_steps=wrong)  # type: ignore[arg-type]
    games = {"game_hash": pf.HashChain().generate("secret", games=9).astype(str).tolist()}
    games["outcome"] = pf.operators.bustabit.V2().play(games["game_hash"]).tolist()
    games["terminating"] = [pf.HashChain().terminating(games["game_hash"])] * 9
    table = write_csv(tmp_path / "games.csv", games)
    pf.certificates.write(pf.verify(table, "bustabit.v2", chain_steps=6_000_000), other)
    assert run(["certificate", "check", str(other), str(table)]) == 1
    assert "--chain-steps allows more" in capsys.readouterr().out
    assert run(["certificate", "check", str(other), str(table), "--chain-steps", "6000000"]) == 0


def retyped(part: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """The certificate with one value replaced by an equal value of another type, for each such value."""
    if isinstance(part, (dict, list)):
        for name, value in part.items() if isinstance(part, dict) else enumerate(part):
            yield from retyped(value, (*path, name))
    elif isinstance(part, (bool, int, float)):
        kinds = (bool, int, float) if part in (0, 1) else (int, float)
        yield from ((path, kind(part)) for kind in kinds if kind is not type(part) and kind(part) == part)


def test_values_of_another_type_are_others(
    castle: tuple[Path, Path], mined: tuple[Path, Path], tmp_path: Path
) -> None:
    seen = set()
    for (log, path), game in (castle, Castle()), (mined, Mined()):
        contents = json.loads(path.read_text())
        for place, value in retyped(contents):
            seen.add((place[0], type(value)))
            changed = copy.deepcopy(contents)
            part = changed
            for name in place[:-1]:
                part = part[name]
            part[place[-1]] = value
            assert changed == contents
            found = pf.certificates.check(rewritten(changed, tmp_path / "c.json"), log, game=game)
            assert not found, place
        nothing = rewritten(contents | {"nothing": None}, tmp_path / "c.json")
        assert pf.certificates.check(nothing, log, game=game).problems == (
            "nothing is nothing that a certificate says",
        )
    assert seen > {("verdict", int), ("verdict", float), ("verdict", bool), ("reading", int), ("log", float)}
    assert {place for place, _ in seen} > {"commitments", "chains", "beacons", "game"}


def test_what_a_check_says(tmp_path: Path) -> None:
    salts = ["x", "y", "z"]
    right = pf.Dice().play("s", "c", salts).tolist()
    columns = {"server_seed": ["s", "s", ""], "salt": salts, "outcome": [1.0, 2.0, 3.0], "calc": right}
    log, path = write_csv(tmp_path / "dice.csv", columns), tmp_path / "c.json"
    told: dict[str, Any] = {"columns": {"outcome": "calc"}, "constants": {"client_seed": "c"}}
    pf.certificates.write(pf.verify(log, "dice", unrevealed="report", **told), path)
    found = pf.certificates.check(path, log)
    assert found.verdict
    assert str(found).splitlines() == [
        "the certificate holds, unsigned: anybody could have written it",
        "what it certifies: the rows that could be checked are right",
        "game           dice",
        f"scheme         {pf.Dice().scheme!r}",
        "columns        server_seed, salt, outcome from calc",
        'constants      client_seed = "c"',
        "not read       outcome",
        "rows           2 checked, 0 failed",
        "not checkable  1 more: their seed isn't revealed yet",
    ]
    assert found.about["columns"] == "server_seed, salt, outcome from calc"
    scheme = pf.Scheme(pf.Hash("sha256", "{client_seed}-{salt}", key="{server_seed}"), bits=32)
    game = pf.Dice().with_scheme(scheme)
    rows = {"server_seed": "s", "client_seed": "c\x1b[31m", "salt": salts}
    rows["outcome"] = game.play(**rows).tolist()
    constants = {"client_seed": rows.pop("client_seed")}
    pf.certificates.write(pf.audit(rows, game, constants=constants), path)
    lines = str(pf.certificates.check(path, rows)).splitlines()
    assert lines[1] == "what it certifies: the log is right"
    assert lines[3] == f"scheme         {scheme!r}"
    assert lines[5] == 'constants      client_seed = "c\\x1b[31m"'
    assert "not checkable  no rows" in lines
    assert lines[-1].startswith("not shown      no times of reveals")
    rows["outcome"][1] += 1
    pf.certificates.write(pf.verify(rows, game, constants=constants), path)
    lines = str(pf.certificates.check(path, rows)).splitlines()
    assert lines[1] == "what it certifies: the log isn't right, or not all of it was shown"
    assert "rows           3 checked, 1 failed" in lines


def test_what_a_check_says_of_chains(tmp_path: Path) -> None:
    chain = pf.HashChain()
    hashes = chain.generate("secret", games=9).astype(str).tolist()
    log = {"game_hash": [*hashes, "ab" * 32], "terminating": chain.terminating(hashes)}
    log["outcome"] = pf.operators.bustabit.V2().play(log["game_hash"]).tolist()
    report = pf.verify(log, "bustabit.v2", chain_steps=1000)
    pf.certificates.write(report, tmp_path / "c.json")
    lines = str(pf.certificates.check(tmp_path / "c.json", log)).splitlines()
    assert lines[1] == "what it certifies: the log isn't right, or not all of it was shown"
    assert lines[-1] == f"not shown      {report.unknown[0]}"
    assert "chain          followed for at most 1,000 steps from a row" in lines


def test_reveal_times_of_an_audit_are_said_by_who_checks(tmp_path: Path) -> None:
    rounds = {"server_seed": "s", "client_seed": "c", "salt": ["x", "y"], "time": "2026-01-02T00:00:00Z"}
    log = pf.Log(rounds | {"outcome": [88.79, 40.28]}, reveal_times={"s": "2026-01-01T00:00:00Z"})
    pf.certificates.write(pf.audit(log, "dice"), tmp_path / "c.json")
    assert pf.certificates.check(tmp_path / "c.json", log).ok
    (problem,) = pf.certificates.check(tmp_path / "c.json", log.source).problems
    assert problem.endswith("and a Log its reveal_times)")


def test_a_certificate_never_replaces_an_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    rounds = {"server_seed": "s", "client_seed": "c", "salt": ["x", "y"]}
    log = write_csv(folder / "dice.csv", rounds | {"outcome": pf.Dice().play(**rounds).tolist()})
    key = written_key(tmp_path / "key.pem")
    times = write_csv(tmp_path / "times.csv", {"server_seed": ["s"], "time": ["2026-01-02T00:00:00Z"]})
    (tmp_path / "scheme.toml").write_text(
        "bits = 64\n[hash]\nname = 'sha512'\nmessage = '{client_seed}:{cursor}'\n"
        "[hash.key]\nname = 'sha256'\nmessage = '{server_seed}:{salt}'\n"
    )
    config = tmp_path / "log.toml"
    config.write_text("game = 'dice'\nscheme = 'scheme.toml'\nreveal_times = 'times.csv'\n")
    (folder / "soft.json").symlink_to(log)
    (folder / "hard.json").hardlink_to(log)
    monkeypatch.chdir(tmp_path)
    inputs = [log, key, times, config, tmp_path / "scheme.toml"]
    before = [path.read_bytes() for path in inputs]
    targets = [
        *inputs,
        log.relative_to(tmp_path),
        folder / ".." / "logs" / "dice.csv",
        folder / "soft.json",
        folder / "hard.json",
    ]
    reports: list[Any] = [
        pf.verify([log], config=config),
        pf.audit(log, config=config),
        pf.Auditor(config=config).update(log).report(last=True),
    ]
    for report in reports:
        for target in map(str, targets):
            with pytest.raises(ValueError, match=r"^path must be another file than the inputs, got "):
                pf.certificates.write(report, target, key=key)
        pf.certificates.write(report, tmp_path / "certificate.json", key=key)
    with open(log, "rb") as file:
        report = pf.verify(file, "dice")
        with pytest.raises(ValueError, match=r"^path must be another file than the inputs"):
            pf.certificates.write(report, log)
    with pytest.raises(ValueError, match=r"^path must be another file than the inputs"):
        pf.certificates.write(pf.verify(folder / "dice.csv", "dice"), folder / "hard.json")
    for option in "--certificate", "--report", "--html", "--junit", "--failures":
        for target in map(str, targets):
            more = ["--config", str(config), "--key", str(key), "--overwrite"]
            assert run(["audit", str(log), *more, option, target]) == 2, (option, target)
    assert [path.read_bytes() for path in inputs] == before
