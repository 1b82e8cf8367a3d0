"""Seeds that can be guessed from the rest of the log, and seeds shared by two players."""

from __future__ import annotations

import hashlib
import itertools
import random
import uuid

import provably_fair as pf
import pytest
from auditing.logs_of_bets import finding, kinds_of
from auditing.logs_of_rounds import audited, columns
from oracles import gallery as oracle

HASHES = ("md5", "sha1", "sha256", "sha512")


def hexadecimal(name, message):
    return hashlib.new(name, message).hexdigest()


def played(servers, count=120, name="weak"):
    """Consecutive rounds with these server seeds."""
    left = iter(servers)
    return oracle.nonce_rows(random.Random(name), count, rounds=(5, 7), choose=lambda rng, player: next(left))


FORMS = {
    "decimal": lambda n: str(n).encode(),
    "hex": lambda n: f"{n:x}".encode(),
    "padded hex": lambda n: f"{n:064x}".encode(),
    "bytes": lambda n: n.to_bytes(8, "big"),
    "little": lambda n: n.to_bytes(4, "little"),
}


@pytest.mark.parametrize("name", HASHES)
@pytest.mark.parametrize("form", FORMS)
def test_server_seeds_that_are_hashes_of_a_counter(name, form):
    servers = [hexadecimal(name, FORMS[form](n)) for n in range(1000, 1100)]
    report = audited(played(servers))
    found = finding(report, "server_seed_hashed")
    assert found.severity == "proof"
    assert found.details["of"] == "counter"
    assert found.count == len({*columns(played(servers))["server_seed"]})


@pytest.mark.parametrize("name", HASHES)
@pytest.mark.parametrize("of_bytes", [False, True])
def test_server_seeds_that_are_hashes_of_the_one_before(name, of_bytes):
    servers = [hexadecimal(name, b"first")]
    for _ in range(60):
        servers.append(hexadecimal(name, bytes.fromhex(servers[-1]) if of_bytes else servers[-1].encode()))
    rows = played(servers)
    found = finding(audited(rows), "server_seed_hashed")
    assert (found.severity, found.details["of"]) == ("proof", "before")
    first = {}
    for place, row in enumerate(rows):
        first.setdefault(row["server_seed"], place)
    assert found.rows == tuple(first.values())[1:]
    # In descending order, the times give the same answer.
    assert finding(audited(rows[::-1]), "server_seed_hashed").count == found.count
    # In the order of a hash chain, the next link can't be computed.
    rows = played(servers[::-1])
    assert kinds_of(audited(rows)) == kinds_of(audited(rows[::-1])) == set()


@pytest.mark.parametrize("kind", ["decimal", "hex", "steps"])
def test_server_seeds_that_count(kind):
    start = random.Random("start").getrandbits(250)
    made = {
        "decimal": [str(start + n) for n in range(40)],
        "hex": [f"{start + n:064x}" for n in range(40)],
        "steps": [f"{start + n * 2**40 * 3:064x}" for n in range(40)],
    }
    found = finding(audited(played(made[kind])), "server_seed_counting")
    assert found.severity == "evidence"


OVERLAPPING = {
    "the one before": lambda rng, one, other: one + other,
    "turned round": lambda rng, one, other: other + one,
    "in capitals": lambda rng, one, other: one.upper() + other,
    "behind a name": lambda rng, one, other: f"seed-{one}{other}",
    "at any place": lambda rng, one, other: f"{rng.randbytes(rng.randint(1, 4)).hex()}{one}{other}",
    "within longer ones": lambda rng, one, other: f"{one}{rng.randbytes(4).hex()}{other}",
    "apart": lambda rng, one, other: f"{one}:{other}",
    "as a UUID": lambda rng, one, other: str(uuid.UUID(one + other)),
}


@pytest.mark.parametrize("kind", OVERLAPPING)
@pytest.mark.parametrize("field", ["server_seed", "salt"])
def test_secrets_that_have_half_of_the_one_before(kind, field):
    rng = random.Random(kind)
    halves = [rng.randbytes(8).hex() for _ in range(41)]
    secrets = [OVERLAPPING[kind](rng, *both) for both in itertools.pairwise(halves)]
    if field == "salt":
        log = {"server_seed": "s", "client_seed": "c", "salt": secrets}
        report = pf.audit(log | {"outcome": pf.Dice().play("s", "c", secrets)}, "dice")
    else:
        report = audited(played(secrets))
    found = finding(report, f"{field}_overlaps")
    assert found.severity == "evidence"
    assert found.details["bits"] < 80


def test_parts_that_leave_enough_of_a_secret_are_no_evidence():
    rng = random.Random("sessions")
    sessions = [rng.randbytes(16).hex() for _ in range(12)]
    servers = [f"{rng.choice(sessions)}-{rng.randbytes(16).hex()}" for _ in range(60)]
    assert finding(audited(played(servers, 360)), "server_seed_overlaps").severity == "note"
    # Neither a beginning of all of them, nor a seed in two spellings is a part.
    servers = [f"https://example.com/{sessions[0]}/{rng.randbytes(16).hex()}" for _ in range(60)]
    assert kinds_of(audited(played(servers))) == set()
    servers = [rng.randbytes(32).hex() for _ in range(60)]
    log = columns(played([*servers, *(f" {seed.upper()} " for seed in servers)], 240))
    kinds = [one.kind for one in pf.audit(log, pf.operators.stake.Dice()).findings]
    assert "server_seed_overlaps" not in kinds


def test_good_seeds_are_not_weak():
    rng, clock = random.Random("good"), itertools.count()
    for make in (
        lambda: str(uuid.UUID(int=rng.getrandbits(128), version=4)),
        lambda: str(uuid.UUID(int=(0x0192B3C4D5E6 + next(clock) // 9) << 80 | 7 << 76 | rng.getrandbits(76))),
        lambda: rng.randbytes(32).hex(),
        lambda: rng.randbytes(16).hex(),
        lambda: "".join(rng.choices("abcdefghijkmnopqrstuvwxyzABCDEFGH23456789", k=20)),
        lambda: str(rng.getrandbits(200)),
    ):
        assert kinds_of(audited(played([make() for _ in range(60)]))) == set()
