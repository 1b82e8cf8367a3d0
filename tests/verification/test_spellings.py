"""Published values have a single valid spelling: others would give other outcomes with the same proof."""

from __future__ import annotations

import hashlib
import hmac
import json
import random
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from folders import VECTORS
from oracles import gallery
from own_games import game_of
from provably_fair.readings.known import known_games
from provably_fair.seeds.schemes import hex_fields, spelled
from published_rounds import BEACONS as DUEL_BEACONS

stake, bustabit, duel = pf.operators.stake, pf.operators.bustabit, pf.operators.duel
BEACONS = json.loads((VECTORS / "beacons.json").read_text(encoding="utf-8"))
ROUND, SIGNATURE = DUEL_BEACONS[0]
RANDOMNESS = hashlib.sha256(bytes.fromhex(SIGNATURE)).hexdigest()
HEADER, BLOCK_HASH = BEACONS["bitcoin"]["rows"][2][1:]
HASHES = gallery.chain("spelled", 3)
SEED = "5ca1ab1e" * 8
HEX = {
    "game_hash": HASHES[1],
    "beacon_signature": SIGNATURE,
    "beacon_randomness": RANDOMNESS,
    "block_hash": BLOCK_HASH,
    "salt": BLOCK_HASH,
    "server_seed": SEED,
    "commitment": hashlib.sha256(SEED.encode()).hexdigest(),
}
WORD = "64 lower-case hexadecimal digits"


def hex_spellings(text: str) -> list[str]:
    mixed = "".join(letter.upper() if place % 3 else letter for place, letter in enumerate(text))
    wide = text.translate({ord(digit): 0xFF10 + int(digit) for digit in "0123456789"})
    before = [f"{blank}{text}" for blank in (" ", "\t", "\0", "0x", "0X", '"')]
    after = [f"{text}{blank}" for blank in (" ", "\t", "\n", "\r\n", "\0")]
    return [text.upper(), mixed, wide, *before, *after]


def decimal_spellings(number: int) -> list[str]:
    wide = str(number).translate({48 + digit: 0xFF10 + digit for digit in range(10)})
    form = ["0{}", "+{}", "{}.0", "{}e0", " {}", "{} ", "{}\n", "{}\r\n", "\t{}", "{}\0", "{:.1e}", "{:#x}"]
    return [*(text.format(number) for text in form), wide]


def own(message: str, key: str | None = None, **parts: Any) -> pf.Game:
    scheme = pf.Scheme(pf.Hash("sha256", message, key=key), bits=32, **parts)
    return game_of(lambda draws: draws.below(1000), scheme=scheme)


# A game of each scheme, the field respelled, and the other fields of its log.
QUICKNET = {"beacon_round": ROUND, "beacon_signature": SIGNATURE}
OWN = {
    "randomness": (own("{beacon_randomness}:{nonce}", beacon="quicknet"), "beacon_randomness", QUICKNET),
    "signature": (own("{beacon_signature}:{nonce}", beacon="quicknet"), "beacon_signature", QUICKNET),
    "block": (own("{block_hash}:{nonce}", beacon="bitcoin"), "block_hash", {"block_header": HEADER}),
    "salt": (own("{salt}:{nonce}", beacon="bitcoin"), "salt", {"block_header": HEADER}),
    "chain": (own("{nonce}", key="{game_hash}"), "game_hash", {"terminating": HASHES[0]}),
    "seed": (
        own("{nonce}", key="{server_seed}", commitment=pf.Hash("sha256", "{server_seed:bytes}")),
        "server_seed",
        {"commitment": hashlib.sha256(bytes.fromhex(SEED)).hexdigest()},
    ),
    "commitment": (own("{commitment}:{nonce}", key="{server_seed}"), "commitment", {"server_seed": SEED}),
    "read on": (
        own("{nonce}", below="reject", read_on=pf.Hash("sha256", "{digest}{game_hash}")), "game_hash", {}
    ),
}  # fmt: skip
PUBLISHED = ("game_hash", "beacon_signature")
REGISTRY = {
    type(game).name: (game, name, {})
    for game in known_games()
    for name in PUBLISHED
    if name in game.scheme.fields
}
SCHEMES = {**REGISTRY, **OWN}


def other_fields(game: pf.Game, name: str) -> dict[str, Any]:
    """The other inputs of a game's round."""
    free = {"server_seed": SEED, "client_seed": "player", "nonce": 1, "salt": "a salt"}
    return {field: free[field] for field in game.scheme.fields if field != name and field in free}


def test_the_registry_has_such_schemes() -> None:
    assert {"stake.crash", "stake.slide", "stake.zoo", "bustabit.v1", "bustabit.v2", "duel.crash"} <= set(
        REGISTRY
    )


@pytest.mark.one_case_in(5)
@pytest.mark.parametrize("case", SCHEMES)
def test_other_spellings_are_refused_and_malformed(case: str) -> None:
    game, name, proof = SCHEMES[case]
    right, others, texts = HEX[name], other_fields(game, name), hex_spellings(HEX[name])
    outcome = game.play(**{name: right}, **others)
    by_bytes = name in hex_fields(game.scheme.hash) and name not in spelled(game.scheme)
    same = [text for text in texts if by_bytes and text.lower() == right]  # spellings of the same bytes
    assert bool(same) is by_bytes
    for text in texts:
        if text in same:
            assert np.array_equal(game.play(**{name: text}, **others), outcome)
            continue
        with pytest.raises(ValueError, match=rf"^{name} must be .*hex"):
            game.play(**{name: text}, **others)
        with pytest.raises(ValueError, match=rf"^{name}\[1\] must be .*hex"):
            game.play(**{name: [right, text, right]}, **others)
    with pytest.raises(ValueError, match=rf"^{name} must be .*hex"):
        game.explain(**{name: f"{right}\n"}, **others)
    column, rest = [right, *texts], {**proof, **others}
    bad = {row for row, text in enumerate(column) if text not in (right, *same)}
    log = {**rest, name: column, "outcome": [outcome] * len(column)}
    found = {(failure.row, failure.kind, failure.column) for failure in pf.verify(log, game).failures}
    assert {(row, "malformed", name) for row in bad} <= found
    assert {row for row, *_ in found} == bad
    # One value for all rows.
    report = pf.verify({**rest, name: right.upper(), "outcome": [outcome] * 2}, game)
    assert report.failed == (0 if by_bytes else 2)
    assert pf.audit(log, game).verification.failed == len(bad)


def thousandth(key: str, message: str) -> int:
    """The outcome of a hash in a game of this kind: one of a thousand."""
    digest = hmac.digest(key.encode(), message.encode(), "sha256")
    return int.from_bytes(digest[:4], "big") * 1000 >> 32


# Numbers that are hashed: one of each field, the key, and the other fields of a log.
NUMBERS: dict[str, tuple[int, str, str, dict[str, Any]]] = {
    "beacon_round": (ROUND, "beacon_signature", SIGNATURE, {}),
    "game_number": (2, "game_hash", HASHES[2], {"terminating": HASHES[0]}),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_that_are_hashed_have_one_spelling(name: str) -> None:
    """A beacon's round is text of digits; a game's number is read as one, like nonces."""
    number, secret, value, proof = NUMBERS[name]
    beacon = "quicknet" if name == "beacon_round" else None
    game = own(f"{{{name}}}:{{nonce}}", key=f"{{{secret}}}", beacon=beacon)
    seeds: dict[str, Any] = {secret: value, "nonce": 1}
    outcome = thousandth(value, f"{number}:1")
    for right in number, str(number):
        assert game.play(**seeds, **{name: right}) == outcome
    log = {**seeds, **proof, "outcome": [outcome] * 2}
    for column in [number] * 2, [str(number)] * 2, np.full(2, number), np.full(2, float(number)), str(number):
        report = pf.verify({**log, name: column}, game)
        assert report.ok, report
        assert not beacon or report.committed["beacon_signature"] == 2
    for text in decimal_spellings(number):
        with pytest.raises(ValueError, match=rf"^{name} must be a whole number in decimal digits, without"):
            game.play(**seeds, **{name: text})
        with pytest.raises(ValueError, match=rf"^{name}\[1\] must be a whole number"):
            game.play(**seeds, **{name: [str(number), text]})
        respelled = {**log, name: [str(number), text], "outcome": [outcome, thousandth(value, f"{text}:1")]}
        found = {(one.row, one.kind, one.column) for one in pf.verify(respelled, game).failures}
        assert not beacon or (1, "malformed", name) in found
        assert {row for row, *_ in found} == {1}


def test_messages_say_what_is_allowed() -> None:
    game, text = stake.Crash(), HASHES[1].upper()
    with pytest.raises(ValueError, match=rf'^game_hash must be {WORD}, got "{text}"$'):
        game.play(text)
    with pytest.raises(ValueError, match=rf"^game_hash\[7\] must be {WORD}, got "):
        game.play([*[HASHES[1]] * 7, text])
    with pytest.raises(ValueError, match=rf"^game_hash must be {WORD}, got "):
        stake.CHAIN.random_bytes(text)
    with pytest.raises(ValueError, match=r'^game_hash must be .*, got "é{80}"$'):
        game.play("é" * 1000)
    with pytest.raises(TypeError, match=r"^beacon_signature must be text of lower-case .*, got a number"):
        own("{beacon_signature}").play(12)


def test_seeds_and_salts_are_free_text() -> None:
    for salt in (" A Salt\n", "0xd8b8A1", "\0"):
        expected = hmac.digest(HASHES[1].encode(), salt.encode(), "sha256")
        assert stake.CHAIN.random_bytes(HASHES[1], salt) == expected
    for seed in ("AB", " ab", "ab\n", "é"):
        expected = hmac.digest(seed.encode(), b"c:0:0", "sha256")
        assert stake.SCHEME.random_bytes(seed, "c", 0) == expected


# ---- a log whose operator chose the spelling ----


def respelled_log() -> tuple[dict[str, Any], list[int]]:
    rng, hashes = random.Random(57), gallery.chain("chosen", 400)
    texts, rows = hashes[1:], []
    for row, text in enumerate(texts):
        if gallery.crash(text) > 20:
            texts[row] = gallery.spelled_to_bust(rng, text)
            rows.append(row)
    assert len(rows) >= 10
    assert max(map(gallery.crash, texts)) <= 20
    log = {"game_hash": texts, "outcome": [gallery.crash(text) for text in texts], "terminating": hashes[0]}
    return log, rows


def test_respelled_games_are_malformed_and_proof() -> None:
    log, rows = respelled_log()
    report = pf.verify(log, stake.Crash())
    assert [(failure.row, failure.kind, failure.column) for failure in report.failures] == [
        (row, "malformed", "game_hash") for row in rows
    ]
    (suggestion,) = report.suggestions
    assert suggestion.text == (
        f"game_hash must be {WORD}: all {suggestion.tried} rows tried would verify as spelled in the log, "
        "but every spelling has an outcome of its own"
    )
    with pytest.raises(ValueError, match=rf"can't be explained: game_hash must be {WORD}"):
        report.explain(rows[0])
    audited = pf.audit(log, stake.Crash())
    (finding,) = [found for found in audited.findings if found.severity == "proof"]
    assert (finding.kind, list(finding.rows), finding.fields) == ("respelled", rows, ("game_hash",))
    assert not audited.ok


@pytest.mark.parametrize(
    "spell", [str.upper, lambda text: f" {text}", lambda text: f"{text}\r", lambda text: f"0x{text.upper()}"]
)
def test_a_log_that_is_only_spelled_otherwise_is_told_so(spell: Any) -> None:
    hashes = gallery.chain("exported in capitals", 60)
    log = {"game_hash": [spell(text) for text in hashes[1:]], "outcome": list(map(gallery.crash, hashes[1:]))}
    report = pf.verify(log, stake.Crash())
    assert report.failed == 60
    (suggestion,) = report.suggestions
    assert suggestion.text == f"game_hash must be {WORD}: all 20 rows tried would verify if spelled so"
    with pytest.raises(ValueError, match=rf"can't be explained: game_hash must be {WORD}"):
        report.explain(3)
    assert not [found for found in pf.audit(log, stake.Crash()).findings if found.kind == "respelled"]


def test_rounds_that_are_spelled_otherwise_are_told_so() -> None:
    game = own("{beacon_round}:{nonce}{beacon_signature:bytes}", beacon="quicknet")
    nonces = list(range(10))
    log: dict[str, Any] = {"beacon_signature": SIGNATURE, "nonce": nonces}
    log["outcome"] = game.play(beacon_round=ROUND, **log).tolist()
    (suggestion,) = pf.verify({**log, "beacon_round": [f"0{ROUND}"] * 10}, game).suggestions
    assert suggestion.text == (
        "beacon_round must be a whole number in decimal digits, without leading zeros: all 10 rows tried "
        "would verify if spelled so"
    )


def test_a_few_outcomes_that_fit_another_spelling_by_chance_tell_nothing() -> None:
    class Coin(pf.Game):
        scheme, chain = bustabit.V1.scheme, pf.HashChain()

        def outcome(self, draws: Any) -> Any:
            return draws.below(2)

    hashes = gallery.chain("few coins", 5)
    log = {"game_hash": list(map(str.upper, hashes)), "outcome": Coin().play(hashes).tolist()}
    report = pf.verify(log, Coin())
    assert (report.failed, report.suggestions) == (6, ())


def test_readings_of_what_a_beacon_publishes_are_tried() -> None:
    game = own("{beacon_round}:{nonce}{beacon_signature:bytes}", beacon="quicknet")
    log: dict[str, Any] = {"beacon_round": ROUND, "beacon_signature": SIGNATURE, "nonce": list(range(1, 11))}
    log["outcome"] = game.play(**log).tolist()
    (suggestion,) = pf.verify({**log, "nonce": list(range(10))}, game).suggestions
    assert suggestion.options == {"columns": {"nonce": "nonce + 1"}}


def test_an_operator_that_hashes_capitals_is_not_accused() -> None:
    """All rows are spelled alike, so nobody chose."""
    texts = [text.upper() for text in gallery.chain("an operator of capitals", 60)[1:]]
    log = {"game_hash": texts, "outcome": [gallery.crash(text) for text in texts]}
    report = pf.audit(log, stake.Crash())
    assert report.verification.failed == 60
    assert not report.findings
    assert "as spelled in the log" in report.verification.suggestions[0].text
