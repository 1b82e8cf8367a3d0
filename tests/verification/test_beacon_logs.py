"""Logs of games with public randomness: each planted defect is found in its rows and nowhere else."""

from __future__ import annotations

import hashlib
import hmac
import json
import pickle
import random
from dataclasses import replace
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from folders import VECTORS
from provably_fair.beacons import BitcoinHeader, Drand
from published_rounds import BEACONS as ROUNDS, SERIES

KNOWN = json.loads((VECTORS / "beacons.json").read_text(encoding="utf-8"))
BLOCK, BLOCK_HASH = KNOWN["bitcoin"]["rows"][2][1:]
QUICKNET = Drand("quicknet")


class Castle(pf.Game):
    """A roulette with 48 numbers, drawn from a beacon and the operator's seed."""

    scheme = pf.Scheme(
        pf.Hash("sha256", "{beacon_signature:utf8}:0", key="{server_seed:bytes}"),
        bits=32,
        below="modulo",
        fields=("server_seed", "beacon_signature"),
        commitment=pf.Hash("sha256", "{server_seed:bytes}"),
        beacon="quicknet",
    )

    def outcome(self, draws: Any) -> Any:
        return draws.below(48)


class Drawn(pf.Game):
    """A number drawn from the randomness alone."""

    scheme = pf.Scheme(pf.Hash("sha256", "{beacon_randomness}:{nonce}"), bits=32, beacon="quicknet")

    def outcome(self, draws: Any) -> Any:
        return draws.below(10)


class Mined(pf.Game):
    """A chain game salted with a block hash."""

    scheme = pf.Scheme(pf.Hash("sha256", "{salt}", key="{game_hash}"), bits=32, beacon="bitcoin")

    def outcome(self, draws: Any) -> Any:
        return draws.below(1000)


def position(seed: str, signature: str) -> int:
    """The rule in plain Python."""
    text = bytes.fromhex(signature).decode(errors="replace") + ":0"
    digest = hmac.digest(bytes.fromhex(seed), text.encode(), "sha256")
    return int.from_bytes(digest[:4], "big") % 48


def row_of(number: int, round: int, signature: str) -> dict[str, Any]:
    seed = random.Random(number).randbytes(32).hex()
    time = QUICKNET.time(round)
    return {
        "server_seed": seed,
        "commitment": hashlib.sha256(bytes.fromhex(seed)).hexdigest(),
        "beacon_round": round,
        "beacon_signature": signature,
        "outcome": position(seed, signature),
        "time": time - 10,
        "commitment_time": time - 30,
    }


def columns(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in rows[0]}


def honest(rows: int = 200) -> list[dict[str, Any]]:
    return [row_of(number, *ROUNDS[number % len(ROUNDS)]) for number in range(rows)]


def test_published_rounds() -> None:
    log = dict(SERIES["duel/roulette"].columns)
    report = pf.verify(log, Castle())
    assert report.ok
    assert report.committed == {"commitment": 5, "beacon_signature": 5}
    assert not report.notes
    del log["beacon_round"]
    report = pf.verify(log, Castle())
    assert report.ok
    assert report.committed["beacon_signature"] == 0
    assert report.notes == [
        "no beacon_round and beacon_signature: nothing shows that the randomness is that of quicknet's rounds"
    ]


def test_planted_defects_and_no_others() -> None:
    rows = honest()
    assert pf.audit(columns(rows), Castle()).ok
    wrong, late, after, foreign = range(3, 33, 3), range(50, 150, 10), (160, 170), 190
    for row in wrong:  # another round's beacon, with the outcome that follows
        round, signature = ROUNDS[(row + 1) % len(ROUNDS)]
        rows[row] = row_of(row, round, signature) | {"beacon_round": ROUNDS[row % len(ROUNDS)][0]}
    for row in late:
        rows[row]["time"] += 12
    for row in after:
        rows[row]["commitment_time"] = rows[row]["time"] + 11
    swapped = KNOWN["default"]["rows"][0][2]
    rows[foreign] = row_of(foreign, ROUNDS[0][0], swapped)
    log = columns(rows)
    verified = pf.verify(log, Castle())
    assert [failure.row for failure in verified.failures] == [*wrong, foreign]
    assert {failure.kind for failure in verified.failures} == {"beacon_signature"}
    assert verified.failures[0].expected == f"that of round {ROUNDS[3][0]} of quicknet"
    assert verified.committed == {"commitment": 200, "beacon_signature": 189}
    assert np.flatnonzero(verified.mask).tolist() == [*wrong, foreign]
    kinds = pf.check(log, Castle())["kind"]
    assert [row for row, kind in enumerate(kinds) if kind] == [*wrong, foreign]

    pieces = pf.Auditor(Castle())
    for first in range(0, 200, 37):
        pieces.update({name: column[first : first + 37] for name, column in log.items()})
    halves = [pf.Auditor(Castle()), pf.Auditor(Castle())]
    for half, part in zip(halves, (slice(0, 100), slice(100, 200)), strict=True):
        half.update({name: column[part] for name, column in log.items()})
    merged = halves[0].merge(pickle.loads(pickle.dumps(halves[1])))
    for report in pf.audit(log, Castle()), pieces.report(last=True), merged.report(last=True):
        found = {finding.kind: finding.rows for finding in report.findings if finding.severity == "proof"}
        assert found == {
            "beacon_wrong": (*wrong, foreign),
            "beacon_known_before_bet": tuple(late),
            "commitment_after_beacon": after,
            "commitment_late": after,
        }
        assert not any("beacon" in text for text in report.unknown)


def test_what_a_log_without_times_cant_show() -> None:
    log = columns(honest(20))
    del log["time"], log["commitment_time"]
    unknown = pf.audit(log, Castle()).unknown
    assert "no times of bets: whether bets were made before the beacon was known" in unknown
    assert "no times of commitments: whether commitments were made before the beacon was known" in unknown
    del log["beacon_round"]
    assert any(text.startswith("no beacon_round") for text in pf.audit(log, Castle()).unknown)


def test_times_are_compared_as_precisely_as_bets_are() -> None:
    """A beacon's time is exact, even if all times in the log are full minutes."""
    row = honest(1)[0]
    second = QUICKNET.time(row["beacon_round"])
    for time, is_late in (second, False), (second + 1, True), (second + 0.5, True):
        report = pf.audit(columns([row | {"time": time, "commitment_time": second - 100}]), Castle())
        assert ("beacon_known_before_bet" in [finding.kind for finding in report.findings]) == is_late


@pytest.mark.parametrize(
    ("change", "kind", "column"),
    [
        ({"beacon_round": None}, "malformed", "beacon_round"),
        ({"beacon_round": -1}, "malformed", "beacon_round"),
        ({"beacon_round": 2**60}, "beacon_signature", "beacon_signature"),
        ({"beacon_signature": "zz"}, "malformed", "beacon_signature"),
        ({"beacon_signature": None}, "missing", "beacon_signature"),
    ],
)
def test_cells_that_cant_be_read(change: dict[str, Any], kind: str, column: str) -> None:
    rows = honest(5)
    rows[2] |= change
    report = pf.verify(columns(rows), Castle())
    assert [(failure.row, failure.kind, failure.column) for failure in report.failures] == [(2, kind, column)]
    pf.audit(columns(rows), Castle())


def test_randomness_that_is_made_of_a_signature() -> None:
    rounds, signatures = map(list, zip(*ROUNDS, strict=True))
    randomness = [hashlib.sha256(bytes.fromhex(signature)).hexdigest() for signature in signatures]
    log: dict[str, Any] = {"beacon_randomness": randomness, "nonce": list(range(10))}
    log["outcome"] = Drawn().play(randomness, np.arange(10))
    assert "no beacon_round" in pf.verify(log, Drawn()).notes[0]
    log |= {"beacon_round": rounds, "beacon_signature": signatures}
    assert pf.verify(log, Drawn()).committed == {"beacon_signature": 10}
    for spelled in "0x{}", " 0X{} ":  # what a signature proves doesn't depend on how it is written
        there = pf.verify(log | {"beacon_signature": list(map(spelled.format, signatures))}, Drawn())
        assert there.committed == {"beacon_signature": 10}
    # A right signature with another round's randomness.
    log["beacon_randomness"] = [*randomness[:4], randomness[5], *randomness[5:]]
    log["outcome"] = Drawn().play(log["beacon_randomness"], np.arange(10))
    assert [failure.row for failure in pf.verify(log, Drawn()).failures] == [4]


def test_a_chain_whose_salt_is_a_block() -> None:
    chain = pf.HashChain()
    hashes = chain.generate("secret", games=20).astype(str).tolist()
    mined = BitcoinHeader(BLOCK).time
    log: dict[str, Any] = {
        "game_hash": hashes,
        "salt": BLOCK_HASH,
        "terminating": chain.terminating(hashes),
        "block_header": BLOCK,
        "outcome": Mined().play(BLOCK_HASH, hashes).tolist(),
        "time": [mined + 10**6 + row for row in range(20)],
        "commitment_time": mined - 1000,
    }
    report = pf.verify(log, Mined())
    assert report.ok
    assert report.committed["block_header"] == 20
    assert pf.verify(log | {"block_header": f"0x{BLOCK} "}, Mined()).committed["block_header"] == 20
    # The bets follow the block, as required; the chain must have been announced before it.
    assert not pf.audit(log, Mined()).findings
    report = pf.audit(log | {"commitment_time": mined + 7201}, Mined())
    assert [finding.kind for finding in report.findings] == ["commitment_after_beacon"]
    for header in KNOWN["bitcoin"]["rows"][0][1], BLOCK[:-2] + "00", "no header":
        report = pf.verify(log | {"block_header": [BLOCK] * 19 + [header]}, Mined())
        assert [(failure.row, failure.kind) for failure in report.failures] == [(19, "block_header")]
    # A block of the test network, of 2011: whoever wants another hash makes another header at no cost.
    header = KNOWN["bitcoin"]["rows"][0][1][:136] + "dae5494dffff001d1aa4ae18"
    easy = log | {"block_header": header, "salt": BitcoinHeader(header).hash}
    easy["outcome"] = Mined().play(easy["salt"], hashes).tolist()
    assert BitcoinHeader(header).is_valid
    assert {failure.kind for failure in pf.verify(easy, Mined()).failures} == {"block_header"}
    without = {name: column for name, column in log.items() if name != "block_header"}
    assert "no block_header: nothing shows that the hash is a block's" in pf.verify(without, Mined()).notes


def test_several_games_in_a_log() -> None:
    rows = [row | {"game": "castle"} for row in honest(10)]
    rows[4]["beacon_round"] += 1
    report = pf.verify(columns(rows), {"castle": Castle()}, game_column="game")
    assert [failure.row for failure in report.failures] == [4]
    assert report.committed["beacon_signature"] == 9
    rows = [row | {"game": "castle"} for row in honest(10)]
    rows[7]["time"] += 12
    rows[8]["commitment_time"] += 31
    rows += [row | {"game": "another", "time": row["time"] + 12} for row in rows[:7]]
    games = {"castle": Castle(), "another": Castle().with_scheme(replace(Castle.scheme, beacon=None))}
    audit = pf.audit(columns(rows), games, game_column="game")
    found = {finding.kind: finding.rows for finding in audit.findings if "beacon" in finding.kind}
    assert found == {"beacon_known_before_bet": (7,), "commitment_after_beacon": (8,)}


def test_parts_of_a_log_without_rounds_of_the_beacon() -> None:
    rows = columns(honest(10))
    without = {name: cells for name, cells in rows.items() if name != "beacon_round"}
    unknown = pf.Auditor(Castle()).update(rows).update(without).report().unknown
    assert any(text.startswith("10 rows with no beacon_round and beacon_signature") for text in unknown)


def test_schemes_of_beacons_that_nobody_knows() -> None:
    hash = pf.Hash("sha256", "{beacon_signature:bytes}")
    game = Castle().with_scheme(pf.Scheme(hash, bits=32, beacon="slownet"))
    with pytest.raises(ValueError, match=r"^game has a scheme whose beacon must be 'default' or 'quicknet'"):
        pf.verify({"beacon_signature": ["00"], "outcome": [1]}, game)
    for beacon in "quicknet", "bitcoin":
        game = Castle().with_scheme(pf.Scheme(pf.Hash("sha256", "{nonce}"), bits=32, beacon=beacon))
        with pytest.raises(ValueError, match=rf"^game of the beacon '{beacon}' must have a field"):
            pf.verify({"nonce": [1], "outcome": [1]}, game)
