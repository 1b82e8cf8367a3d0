"""Logs of custom games, and of games under other schemes, checked with an oracle."""

from __future__ import annotations

import hashlib
import math
import random

import numpy as np
import provably_fair as pf
import pytest
from oracles.schemes import Round
from own_games import game_of

pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

HASHED = pf.Scheme(
    pf.Hash("sha256", "{client_seed}:{nonce}:{cursor}", key="{server_seed:bytes}"),
    bits=32,
    commitment=pf.Hash("sha256", "{server_seed:bytes}"),
)


def round_of(server, client, nonce):
    return Round(HASHED.to_dict(), {"server_seed": server, "client_seed": client, "nonce": nonce})


class Keno(pf.Game):
    """Some of forty numbers."""

    picks: int = 10
    scheme = HASHED

    def outcome(self, draws):
        return draws.sample(40, self.picks)


def keno(*seeds, picks=10):
    return round_of(*seeds).sample(40, picks)


class Limbo(pf.Game):
    """A multiplier floored to cents."""

    scheme = HASHED

    def outcome(self, draws):
        return np.floor(99 / (1 - draws.number())) / 100


def limbo(*seeds):
    return math.floor(99 / (1 - round_of(*seeds).number())) / 100


class Wheel(pf.Game):
    """One of several segments, in arbitrary Python."""

    segments: int = 10
    vectorized = False
    scheme = HASHED

    def outcome(self, draws):
        return draws.below(self.segments)


def wheel(*seeds, segments=10):
    return round_of(*seeds).below(segments)


def mines(*seeds, mines=3):
    return round_of(*seeds).sample(25, mines)


SYSTEMS = {
    "keno": (Keno(), keno, "picks", (1, 40)),
    "limbo": (Limbo(), limbo, None, None),
    "wheel": (Wheel(), wheel, "segments", (1, 1000)),
    "mines": (pf.Mines().with_scheme(HASHED), mines, "mines", (1, 24)),
}


def right_log(name, rng, rows=40, varying=False, committed=False):
    _, oracle, parameter, limits = SYSTEMS[name]
    server = rng.randbytes(32).hex()
    log = {"server_seed": [], "client_seed": [], "nonce": list(range(rows)), "outcome": []}
    if varying and parameter:
        log[parameter] = []
    for nonce in range(rows):
        client = rng.choice(["client", "ü€", "a" * 70])
        more = {}
        if varying and parameter:
            more[parameter] = rng.randint(*limits)
            log[parameter].append(more[parameter])
        log["server_seed"].append(server)
        log["client_seed"].append(client)
        log["outcome"].append(oracle(server, client, nonce, **more))
    if committed:
        log["commitment"] = [hashlib.sha256(bytes.fromhex(server)).hexdigest()] * rows
    return log


def verdict(log, game, **options):
    report = pf.verify(log, game, **options)
    assert report.ok == (not report.failures)
    return [(failure.row, failure.kind) for failure in report.failures]


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("varying", [False, True])
def test_logs_by_the_oracle(name, varying):
    game, *_ = SYSTEMS[name]
    rng = random.Random(name)
    log = right_log(name, rng, varying=varying, committed=True)
    assert verdict(log, game) == []
    report = pf.verify(log, game)
    assert report.committed["commitment"] == 40
    wrong = log["outcome"][7]
    log["outcome"][7] = [*wrong[:-1], wrong[-1] + 1] if isinstance(wrong, list) else wrong + 1
    log["commitment"][9] = hashlib.sha256(b"another").hexdigest()
    log["nonce"][11] = None
    log["server_seed"][13] = "no hex"
    log["outcome"][15] = "x"
    expected = [(7, "mismatch"), (9, "commitment"), (11, "missing"), (13, "malformed"), (15, "malformed")]
    assert verdict(log, game) == expected
    report = pf.verify(log, game)
    assert report.failures[0].expected == wrong
    assert report.failures[4].column == "outcome"
    assert str(report.explain(7)) != str(report.explain(8))


def test_replays_are_rounds_of_the_scheme():
    log = right_log("keno", random.Random(2))
    log["nonce"][5], log["client_seed"][5] = log["nonce"][4], log["client_seed"][4]
    log["outcome"][5] = log["outcome"][4]
    # Another spelling of the same bytes: the key is the decoded hex text.
    log["server_seed"][8], log["client_seed"][8] = log["server_seed"][7].upper(), log["client_seed"][7]
    log["nonce"][8], log["outcome"][8] = log["nonce"][7], log["outcome"][7]
    report = pf.verify(log, Keno())
    assert report.ok
    assert report.repeats.rows == [(4, 5), (7, 8)]
    # Three days, each with its own server seed and nonces.
    days = [right_log("keno", random.Random(day)) for day in range(3)]
    whole = {name: [cell for day in days for cell in day[name]] for name in days[0]}
    assert pf.verify(whole, Keno()).repeats.count == 0


def test_the_salted_rounds_of_a_game_in_python():
    class Boards(pf.Game):
        """Mines as a user might write it."""

        mines: int = 3

        def outcome(self, draws):
            return draws.shuffle(25, self.mines)

    salts = pf.salts(30)
    log = {
        "server_seed": "a",
        "client_seed": "b",
        "salt": salts,
        "outcome": pf.Mines(3).play("a", "b", salts),
    }
    log["salt_commitment"] = [hashlib.sha256(salt).hexdigest() for salt in salts.tolist()]
    assert verdict(log, Boards()) == verdict(log, pf.Mines(3)) == []
    log["outcome"][4] = log["outcome"][4][::-1]
    log["salt_commitment"][6] = "0" * 64
    found = [(4, "mismatch"), (6, "salt_commitment")]
    assert verdict(log, Boards()) == verdict(log, pf.Mines(3), ordered=True) == found
    # The mines of a board are a set, so by default their order isn't compared.
    assert verdict(log, pf.Mines(3)) == found[1:]


def test_rounds_that_a_scheme_cannot_play():
    """A digest without an acceptable word is an error in that round only."""
    scheme = pf.Scheme(pf.Hash("sha256", "{server_seed}:{nonce}"), bits=8, below="reject")

    # Below 129: half of the words are rejected, and there are 32.
    rare = game_of(lambda draws: np.stack([draws.below(129) for _ in range(12)], axis=-1), scheme=scheme)
    rows, bad, outcomes = 300, [], []
    for nonce in range(rows):
        accepted = [b for b in hashlib.sha256(f"s:{nonce}".encode()).digest() if b < 129][:12]
        if len(accepted) < 12:
            bad.append((nonce, "malformed"))
        outcomes.append(accepted)
    assert bad
    log = {"server_seed": "s", "nonce": np.arange(rows), "outcome": outcomes}
    assert verdict(log, rare) == bad
    only_bad = log | {"nonce": [nonce for nonce, _ in bad][:5], "outcome": [outcomes[0]] * 5}
    assert verdict(only_bad, rare) == [(row, "malformed") for row in range(5)]


@pytest.mark.parametrize("rows", [32, 300])
def test_games_that_their_scheme_cannot_play(rows):
    """What no round can be is said, and not laid on the rows."""
    hash, log = pf.Hash("sha256", "{server_seed}:{nonce}"), {"server_seed": "s", "nonce": np.arange(rows)}

    numbers = game_of(lambda draws: draws.number(), scheme=pf.Scheme(hash, bits=56, below="modulo"))
    with pytest.raises(ValueError, match="words of 56 bits make none"):
        pf.verify(log | {"outcome": np.zeros(rows)}, numbers)

    two = game_of(lambda draws: draws.below(10) + draws.below(10), scheme=pf.Scheme(hash, bits=32, words=1))
    with pytest.raises(ValueError, match="more than the 1 words of its one digest"):
        pf.verify(log | {"outcome": np.zeros(rows, int)}, two)


def test_a_class_that_is_no_game_is_refused_at_once():
    class Broken(pf.Game):
        """An `if` on an array."""

        scheme = HASHED

        def outcome(self, draws):
            return 1 if draws.coin() else 0

    with pytest.raises((TypeError, ValueError), match="Broken") as refused:
        pf.verify(right_log("keno", random.Random(4)), Broken())
    assert not isinstance(refused.value, pf.LogError)


@pytest.mark.parametrize(("game", "n"), [(Keno(10), 40), (pf.Mines(10), 25)], ids=["own", "engine"])
def test_what_a_commitment_alone_is_of_is_no_field_of_a_digest_that_is_hashed_again(game, n):
    scheme = pf.Scheme(
        pf.Hash("sha256", "{server_seed}:{nonce}"),
        bits=32,
        read_on=pf.Hash("sha256", "{digest}"),
        commitment=pf.Hash("sha256", "{server_seed}:{pepper}"),
    )

    def outcome(nonce):
        digest, left, drawn = hashlib.sha256(f"seed:{nonce}".encode()), list(range(n)), []
        while len(drawn) < 10:
            for i in range(0, 32, 4):
                word = int.from_bytes(digest.digest()[i : i + 4], "big")
                drawn.append(left.pop(word * len(left) >> 32))
            digest = hashlib.sha256(digest.hexdigest().encode())
        return drawn[:10]

    log = {
        "server_seed": ["seed"] * 20,
        "nonce": list(range(20)),
        "pepper": ["hot"] * 20,
        "commitment": [hashlib.sha256(b"seed:hot").hexdigest()] * 20,
        "outcome": [outcome(nonce) for nonce in range(20)],
    }
    report = pf.verify(log, game.with_scheme(scheme))
    assert report.ok, report
    assert report.committed["commitment"] == 20


def test_a_parameter_may_be_one_of_numpy():
    class Sided(pf.Game):
        """A die."""

        sides: int = 6
        scheme = pf.Scheme(pf.Hash("sha256", "{nonce}"), bits=52)

        def outcome(self, draws):
            return draws.below(self.sides)

    log = {"nonce": range(40), "outcome": Sided(20).play(nonce=range(40)), "sides": [20] * 40}
    assert pf.verify(log, Sided(np.int64(6))).ok
