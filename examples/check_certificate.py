"""Check a certificate with its log, by the standard library and py_ecc, without provably_fair.

    pip install py_ecc
    python check_certificate.py certificate.json rounds.csv

It checks the SHA-256 of the log's files, every commitment, chains from the last game to the terminating hash,
drand's signatures and block headers. If the log is one CSV file, it also checks that all rows belong to
these. Outcomes aren't checked, which takes the games' rules, nor the certificate's own signature, which takes
the signer's key.
"""

import csv
import hashlib
import hmac
import io
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from py_ecc.bls.hash_to_curve import hash_to_G1, hash_to_G2
from py_ecc.bls.point_compression import decompress_G1, decompress_G2
from py_ecc.optimized_bls12_381 import G1, G2, curve_order, is_inf, multiply, pairing

TAG = "BLS_SIG_BLS12381{}_XMD:SHA-256_SSWU_RO_NUL_"
# Public key, genesis and period of the League of Entropy's chains, fixed here so that a certificate can't
# choose them.
CHAINS = {
    "quicknet": (
        "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c"
        "8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb"
        "5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
        1692803367,
        3,
    ),
    "default": (
        "868f005eb8e6e4ca0a47c8a77ceaa5309a47978a7c71bc5cce96366b5d7a569937c529eeda66c7293784a9402801af31",
        1595431050,
        30,
    ),
}


def fill(template: str, values: dict[str, Any]) -> bytes:
    """Fill a template: {name} is the text of a field, {name:bytes} the bytes of its hex text."""
    filled = b""
    for literal, name, form in re.findall(r"([^{]*)(?:\{(\w+)(?::(\w+))?\})?", template):
        filled += literal.encode()
        if name:
            text = str(values[name])
            filled += bytes.fromhex(text) if form == "bytes" else text.encode()
    return filled


def bare(text: str) -> str:
    """Return hex text without blanks around it and 0x in front."""
    return re.sub("^0[xX]", "", text.strip())


def digest(hash: dict[str, Any], values: dict[str, Any]) -> str:
    """Hash a round's fields by a definition."""
    if "key" not in hash:
        return hashlib.new(hash["name"], fill(hash["message"], values)).hexdigest()
    key = digest(hash["key"], values).encode() if isinstance(hash["key"], dict) else fill(hash["key"], values)
    return hmac.new(key, fill(hash["message"], values), hash["name"]).hexdigest()


def point(text: str) -> Any:
    """Decompress a point of G1 (48 bytes) or G2 (96), which must be in the group and not the identity."""
    number = [int(text[start : start + 96], 16) for start in range(0, len(text), 96)]
    decoded = decompress_G1(number[0]) if len(number) == 1 else decompress_G2((number[0], number[1]))
    if is_inf(decoded) or not is_inf(multiply(decoded, curve_order)):
        raise ValueError("a point isn't of the group")
    return decoded


def is_signed(key: str, message: bytes, signature: str) -> bool:
    """Return whether a signature is valid: signatures are in G1 if they are shorter than keys."""
    if len(key) == 192:
        hashed = hash_to_G1(message, TAG.format("G1").encode(), hashlib.sha256)
        return bool(pairing(G2, point(signature)) == pairing(point(key), hashed))
    hashed = hash_to_G2(message, TAG.format("G2").encode(), hashlib.sha256)
    return bool(pairing(point(signature), G1) == pairing(hashed, point(key)))


def check_log(log: dict[str, Any], paths: list[str]) -> None:
    """Check that the files are the certificate's, in the same order."""
    if "files" not in log:
        raise ValueError("the certificate is of a log in memory, which only provably_fair reads")
    if [file["sha256"] for file in log["files"]] != [
        hashlib.sha256(Path(p).read_bytes()).hexdigest() for p in paths
    ]:
        raise ValueError("the log isn't the one that the certificate is of: its SHA-256 differs")


def check_commitments(of: dict[str, Any]) -> None:
    """Check that each commitment is the hash of the revealed value."""
    for row in of["values"]:
        values = dict(zip(of["keys"], row, strict=True))
        if any(values[name] is None for name in digested(of["hash"])):
            continue  # not revealed yet
        if bare(str(values["commitment"])).lower() != digest(of["hash"], values):
            raise ValueError(f"the {of['field']} {values['commitment']} isn't the hash of what was revealed")


def digested(hash: dict[str, Any]) -> list[str]:
    """Return the names of the fields that a hash uses."""
    key = hash.get("key", "")
    within = digested(key) if isinstance(key, dict) else re.findall(r"\{(\w+)", key)
    return re.findall(r"\{(\w+)", hash["message"]) + within


def check_chain(of: dict[str, Any]) -> set[str]:
    """Check that the last game leads to the first and to the terminating hash; return all game hashes."""
    games, text = set(), of["last"]["game_hash"]
    for number in range(of["last"]["game_number"], of["before"], -1):
        if number == of["first"]["game_number"] and text != of["first"]["game_hash"]:
            raise ValueError("the chain doesn't lead from the last game to the first")
        games.add(text)
        text = digest(of["hash"], {"game_hash": text})
    if text != of["terminating"]:
        raise ValueError("the chain doesn't lead to the terminating hash")
    return games


def check_beacons(of: dict[str, Any]) -> None:
    """Check each signature, its round's time, and the proof of work of each header."""
    for row in of["values"]:
        values = dict(zip(of["keys"], row, strict=True))
        if of["chain"] == "bitcoin":
            header = bytes.fromhex(bare(values["block_header"]))
            target = int.from_bytes(header[72:75], "little") << 8 * (header[75] - 3)
            hashed = hashlib.sha256(hashlib.sha256(header).digest()).digest()
            if int.from_bytes(hashed, "little") > min(target, 0xFFFF << 208):
                raise ValueError(f"the block {hashed[::-1].hex()} has no proof of work")
            continue
        key, genesis, period = CHAINS[of["chain"]]
        if (key, genesis, period) != (of["public_key"], of["genesis"], of["period"]):
            raise ValueError(f"the certificate has another key or time of {of['chain']}")
        number = int(values["beacon_round"])
        message = bytes.fromhex(bare(values.get("previous_signature", ""))) + number.to_bytes(8, "big")
        if not is_signed(key, hashlib.sha256(message).digest(), bare(values["beacon_signature"])):
            raise ValueError(f"the signature of round {number} of {of['chain']} is wrong")
        if values["time"] != genesis + (number - 1) * period:
            raise ValueError(f"round {number} of {of['chain']} was at another time")


def check_rows(certificate: dict[str, Any], path: str, games: set[str]) -> None:
    """Check that the certificate contains every row's commitment, beacon and game."""
    reading = certificate["reading"]
    text = Path(path).read_bytes().decode(reading["csv"].get("encoding", "utf-8-sig"))
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=reading["csv"].get("separator", ","))
    for number, row in enumerate(rows):

        def cell(field: str, row: dict[str, str] = row) -> str:
            constant = reading["constants"].get(field)
            return str(row.get(reading["columns"].get(field, field), "") if constant is None else constant)

        for of in certificate["commitments"] + certificate["beacons"]:
            called = {"commitment": of.get("field"), "time": "commitment_time"}
            fields = of["keys"][: -1 if "field" in of else -2]  # the last columns follow from these
            if tuple(cell(called.get(name) or name) for name in fields) not in known(of, len(fields)):
                raise ValueError(f"row {number} has {', '.join(fields)} that the certificate lacks")
        if certificate["chains"] and cell("game_hash").lower() not in games:
            raise ValueError(f"row {number} has a game that isn't on the chain")


def known(of: dict[str, Any], count: int) -> set[tuple[str, ...]]:
    """Return the values of the first `count` keys, as written in the log."""
    if "known" not in of:
        of["known"] = {tuple("" if x is None else str(x) for x in row[:count]) for row in of["values"]}
    values: set[tuple[str, ...]] = of["known"]
    return values


def main(path: str, *logs: str) -> int:
    """Check everything, and print what was checked."""
    certificate = json.loads(Path(path).read_text(encoding="ascii"))
    games: set[str] = set()
    steps: list[tuple[str, Callable[[], object]]] = [
        ("the log's SHA-256", lambda: check_log(certificate["log"], list(logs))),
        ("commitments", lambda: [check_commitments(of) for of in certificate["commitments"]]),
        ("chains", lambda: [games.update(check_chain(of)) for of in certificate["chains"]]),
        ("beacons", lambda: [check_beacons(of) for of in certificate["beacons"]]),
    ]
    if len(logs) == 1 and logs[0].endswith(".csv"):
        steps.append(("the log's rows", lambda: check_rows(certificate, logs[0], games)))
    for what, check in steps:
        try:
            check()
        except (ValueError, KeyError, TypeError, AttributeError, IndexError, AssertionError) as error:
            print(f"{what}: wrong: {error}")
            return 1
        print(f"{what}: right")
    print("not checked: outcomes, and the certificate's own signature")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
