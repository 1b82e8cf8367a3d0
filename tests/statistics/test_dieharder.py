"""The stream for test batteries, and parsing Dieharder's table."""

from __future__ import annotations

import hashlib
import hmac
import io
import json
import sys

import numpy as np
import provably_fair as pf
import pytest
from folders import VECTORS
from oracles import salted
from provably_fair.seeds import random_stream
from provably_fair.statistics.dieharder import battery, parse_report

TABLE = """\
#=============================================================================#
#            dieharder version 3.31.1 Copyright 2003 Robert G. Brown          #
#=============================================================================#
   rng_name    |rands/second|   Seed   |
stdin_input_raw|  1.11e+07  |2824805877|
#=============================================================================#
        test_name   |ntup| tsamples |psamples|  p-value |Assessment
#=============================================================================#
   diehard_birthdays|   0|       100|     100|0.58907351|  PASSED
        diehard_runs|   0|    100000|     100|0.97228788|  PASSED
        diehard_runs|   0|    100000|     100|0.99984571|   WEAK
          sts_serial|  16|    100000|     100|0.00000000|  FAILED
"""


def words_by_hashlib(rounds, seed="0"):
    """The stream's bytes by hashlib."""
    seeds = salted.simulation_seeds("", seed)
    return b"".join(salted.random_bytes(*seeds, salt) for salt in salted.salts(rounds, seed))


def written(*args, **options):
    out = io.BytesIO()
    count = random_stream(out, *args, **options)
    return count, out.getvalue()


def test_raw_bytes_are_the_hashes():
    assert written(100) == (100, words_by_hashlib(7)[:400])
    assert written(0) == (0, b"")
    assert written(9, width=64) == (9, words_by_hashlib(2)[:72])


def test_orders():
    digests = words_by_hashlib(1)
    _, raw = written(8, width=64, order="numbers")
    assert raw == b"".join(digests[i : i + 8][::-1] for i in range(0, 64, 8))
    numbers = pf.seeds.random_numbers(*salted.simulation_seeds(""), pf.salts(1)[0])
    assert np.allclose(np.frombuffer(raw, "<u8") / 2.0**64, numbers, rtol=0, atol=1e-15)


def test_text_of_dieharder():
    count, text = written(20, ascii=True)
    lines = text.decode("ascii").splitlines()
    assert count == 20
    assert lines[3:6] == ["type: d", "count: 20", "numbit: 32"]
    assert all(line.startswith("#") for line in lines[:3])
    digests = words_by_hashlib(2)
    assert lines[6:] == [str(int.from_bytes(digests[4 * i : 4 * i + 4], "little")) for i in range(20)]
    out = io.StringIO()
    random_stream(out, 20, ascii=True)
    assert out.getvalue() == text.decode("ascii")
    assert b"seed = \\n" in written(1, ascii=True, seed="\n")[1]
    with pytest.raises(ValueError, match="numbers"):
        written(ascii=True)


def test_pieces_join():
    whole = written(40_000 * 16)[1]
    assert written(30_000 * 16)[1] + written(10_000 * 16, start=30_000)[1] == whole
    assert written(70_000 * 16)[1][-64:] == written(16, start=69_999)[1]


def test_the_table_is_read():
    report = parse_report(TABLE)
    assert report.version == "3.31.1"
    assert [(r.test, r.ntup, r.tsamples, r.psamples, r.pvalue, r.assessment) for r in report.results] == [
        ("diehard_birthdays", 0, 100, 100, 0.58907351, "PASSED"),
        ("diehard_runs", 0, 100000, 100, 0.97228788, "PASSED"),
        ("diehard_runs", 0, 100000, 100, 0.99984571, "WEAK"),
        ("sts_serial", 16, 100000, 100, 0.0, "FAILED"),
    ]
    assert report.counts == {"PASSED": 2, "WEAK": 1, "FAILED": 1}
    assert report.assessment == "FAILED"
    assert "1 FAILED" in str(report)
    for nan in "nan", "-nan":  # glibc prints that of 0 / 0 with its sign
        assert parse_report(TABLE.replace("0.00000000", nan)).assessment == "FAILED"
    with pytest.raises(ValueError, match="text"):
        parse_report("nothing here")


FAKE = """\
#!{python}
import sys
taken = sys.stdin.buffer.read(64)
repeated = "-n" in sys.argv
print("# dieharder version 9.9")
print("stdin_input_raw|  1.11e+07  |2824805877|")
print("diehard_runs|   0|    100000|     100|0.50000000|  PASSED")
print("diehard_runs|   0|    100000|     100|" + {lines})
"""


def fake(tmp_path, first, again):
    lines = f'("{again}" if repeated else "{first}")'
    program = tmp_path / "dieharder"
    program.write_text(FAKE.format(python=sys.executable, lines=lines))
    program.chmod(0o755)
    return str(program)


@pytest.mark.parametrize(
    ("first", "again", "final"),
    [
        ("0.999|   WEAK", "0.25|  PASSED", "PASSED"),
        ("0.999|   WEAK", "0.001|   WEAK", "WEAK"),
        ("0.999|   WEAK", "0.0|  FAILED", "FAILED"),
        ("0.0|  FAILED", "0.25|  PASSED", "FAILED"),
    ],
)
def test_weak_results_are_repeated_once(tmp_path, first, again, final):
    seen = []
    report = battery([15], program=fake(tmp_path, first, again), progress=seen.append)
    assert report.assessment == final
    assert len(report.results) == 2
    repeated = report.results[1].first
    assert (repeated is not None) == ("WEAK" in first)
    assert report.results[0].first is None
    assert any("diehard_runs" in line for line in seen)
    assert report.version == "9.9"


def test_without_dieharder():
    with pytest.raises(FileNotFoundError, match="apt-get install dieharder"):
        battery(program="no-such-dieharder")
    with pytest.raises(ValueError, match="tests"):
        battery("some", program=sys.executable)


def test_tables_of_others():
    """Blank lines don't slow it down; lines that resemble results are skipped."""
    good = " a|0|100|2|0.5|PASSED\n"
    assert len(parse_report("\n" * 100_000 + good + " \n\t" * 100_000).results) == 1
    for other in ("a|\n0|1|2|0.5|PASSED", "a|0|1|2|1.2.3|WEAK", "a|0|1|" + "9" * 5000 + "|0.5|PASSED"):
        with pytest.raises(ValueError, match="text must hold a table"):
            parse_report(other)
        assert len(parse_report(f"{other}\n{good}").results) == 1


def test_repetitions_are_read_from_the_raw_report(tmp_path):
    ran = battery([15], program=fake(tmp_path, "0.999|   WEAK", "0.25|  PASSED"))
    read = parse_report(ran.raw, runs=1)
    assert read.results == ran.results
    assert read.counts == {"PASSED": 2, "WEAK": 0, "FAILED": 0}
    # By default each line counts separately.
    assert parse_report(ran.raw).counts == {"PASSED": 3, "WEAK": 1, "FAILED": 0}
    # A report cut off before the repetition.
    once = ran.raw[: ran.raw.rindex("# dieharder")]
    assert parse_report(once, runs=1).counts == {"PASSED": 1, "WEAK": 1, "FAILED": 0}
    with pytest.raises(ValueError, match="at most 1 repetitions, got 2"):
        parse_report(ran.raw + ran.raw[len(once) :], runs=1)
    with pytest.raises(ValueError, match="a repetition of diehard_runs"):
        parse_report(ran.raw.replace("0.25", "bad"), runs=1)
    with pytest.raises(ValueError, match="runs must be"):
        parse_report(ran.raw, runs=0)


def test_the_short_runs_raw_report_is_read():
    raw = (VECTORS / "dieharder_smoke.txt").read_text(encoding="ascii")
    report = parse_report(raw)
    # The last line repeats the weak result.
    assert [r.test for r in report.results].count("sts_runs") == 2
    assert report.counts == {"PASSED": 6, "WEAK": 1, "FAILED": 0}
    report = parse_report(raw, runs=5)
    (repeated,) = [result for result in report.results if result.first]
    assert (repeated.test, repeated.first.assessment, repeated.assessment) == ("sts_runs", "WEAK", "PASSED")
    assert report.counts == {"PASSED": 6, "WEAK": 0, "FAILED": 0}


def test_a_batterys_report_as_data():
    pytest.importorskip("pandas")
    report = parse_report(TABLE)
    content = json.loads(report.to_json())
    assert content == json.loads(json.dumps(report.to_dict()))
    frame = report.to_pandas()
    for column in ("test", "ntup", "pvalue", "assessment"):
        assert frame[column].tolist() == [getattr(result, column) for result in report.results]
    assert frame["repeated"].tolist() == [False] * 4
    with pytest.raises(TypeError, match="text must be str, got bytes"):
        parse_report(TABLE.encode())


def test_a_battery_that_fails(tmp_path):
    path = tmp_path / "program"
    path.write_text("#!/bin/sh\necho no such test\nexit 3\n")
    path.chmod(0o755)
    with pytest.raises(RuntimeError, match="dieharder ended with code 3: no such test"):
        battery(program=str(path))
    with pytest.raises(ValueError, match="tests must not be empty"):
        battery([], program=str(path))
    with pytest.raises(ValueError, match="threads must be"):
        battery(program=str(path), threads=0)


def digests_by_hashlib(game_fields, rounds):
    """The first digests of rounds under HMAC-SHA256 keyed with the server seed, as at Stake."""
    server, client = game_fields
    return b"".join(hmac.digest(server.encode(), f"{client}:{i}:0".encode(), "sha256") for i in range(rounds))


def test_the_stream_of_any_scheme():
    """Whole digests follow each other, whatever their length."""
    stake = pf.operators.stake.SCHEME
    expected = digests_by_hashlib(salted.simulation_seeds(""), 13)
    assert written(100, scheme=stake) == (100, expected[:400])
    assert written(50, width=64, scheme=stake) == (50, expected[:400])
    assert written(13, scheme=stake, start=3)[1] == expected[96:148]
    given = written(16, scheme=stake, server_seed="a", client_seed="b")[1]
    assert given == digests_by_hashlib(("a", "b"), 2)
    whole = written(70_000 * 8, scheme=stake)[1]
    assert whole[-32:] == written(8, scheme=stake, start=69_999)[1]
    assert written(16, scheme=pf.SALTED) == written(16)


def test_the_stream_of_a_chain_has_hashes_of_a_series():
    """An endless chain can't be made from its end."""
    salt = "00" * 32
    hashes = [hashlib.sha256(f"0:{i}".encode()).hexdigest() for i in range(3)]
    expected = b"".join(hmac.digest(one.encode(), salt.encode(), "sha256") for one in hashes)
    assert written(24, scheme=pf.operators.stake.ZOO_SCHEME, salt=salt) == (24, expected)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"scheme": "stake.dice"}, "scheme must be a Scheme"),
        ({"scheme": pf.operators.stake.SCHEME, "salt": "x"}, "fields must be among server_seed, client"),
        ({"scheme": pf.operators.stake.ZOO_SCHEME, "salt": ["a", "b"]}, "salt must be one value for all"),
        ({"scheme": pf.operators.stake.SCHEME, "nonce": 5}, "scheme must have a field that differs by round"),
        ({"salt": "x"}, "scheme must have a field that differs by round, got the same server_seed"),
        (
            {"scheme": pf.Scheme.of(lambda s, n: [1, 2], fields=("server_seed", "nonce"), bits=32)},
            ".*has no digests: a function makes its words",
        ),
        (
            {"scheme": pf.Scheme(pf.Hash("none", "{server_seed}:{nonce}"), bits=32)},
            "scheme must have digests of a fixed size",
        ),
    ],
)
def test_bad_schemes(options, says):
    with pytest.raises((TypeError, ValueError), match=f"^{says}"):
        written(4, **options)
    with pytest.raises((TypeError, ValueError), match=f"^{says}"):
        battery("smoke", program=sys.executable, **options)


@pytest.mark.skipif(sys.platform == "win32", reason="a script as a program")
def test_a_battery_reads_the_digests_of_a_scheme(tmp_path):
    program = tmp_path / "reader"
    line = "print('   diehard_birthdays|   0|       100|     100|0.5|  PASSED  ')"
    program.write_text(
        f"#!{sys.executable}\nimport sys\nprint(sys.stdin.buffer.read(40).hex())\n"
        f"print('dieharder version 1')\n{line}\n"
    )
    program.chmod(0o755)
    report = battery([0], program=str(program), scheme=pf.operators.stake.SCHEME, seed=7, client_seed="b")
    server = hashlib.sha256(b"7:0:server").hexdigest()
    assert report.raw.startswith(digests_by_hashlib((server, "b"), 2)[:40].hex())
    with pytest.raises(TypeError, match="scheme isn't supported with source"):
        battery([0], program=str(program), source=lambda series: [b""], scheme=pf.operators.stake.SCHEME)
