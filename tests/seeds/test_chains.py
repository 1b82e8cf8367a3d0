"""Hash chains, checked with hashlib and with the chains of operators."""

from __future__ import annotations

import hashlib
import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from published_rounds import SERIES, games_of

CHAIN = pf.HashChain()
FORMS = [
    pf.Hash(name, message)
    for name in ("md5", "sha1", "sha256", "sha384", "sha512")
    for message in ("{game_hash}", "{game_hash:bytes}", "x{game_hash}")
]


def before(hash: pf.Hash, text: str) -> str:
    """One step along a chain."""
    if hash.message == "{game_hash:bytes}":
        return hashlib.new(hash.name, bytes.fromhex(text)).hexdigest()
    return hashlib.new(hash.name, hash.message.format(game_hash=text).encode()).hexdigest()


@pytest.mark.parametrize("hash", FORMS, ids=repr)
def test_every_form_of_chain_equals_hashlib(hash: pf.Hash) -> None:
    chain = pf.HashChain(hash)
    games = 40
    expected = [hashlib.new(hash.name, b"the secret \xc3\xbc").hexdigest()]
    while len(expected) <= games:
        expected.append(before(hash, expected[-1]))
    *played, terminating = expected
    hashes = chain.generate("the secret ü", games)
    assert hashes.dtype == f"S{len(terminating)}"
    assert [text.decode() for text in hashes] == played[::-1]
    assert chain.terminating(hashes) == terminating
    assert chain.steps(hashes[-1], terminating) == games
    assert chain.previous(hashes[-1], games - 1).tolist() == hashes[-2::-1].tolist()


def test_published_chains() -> None:
    ((number, last_hash, _),) = games_of("stake/crash-chain")
    terminating = SERIES["stake/crash-chain"].constants["terminating"]
    assert CHAIN.steps(last_hash, terminating) == number
    assert CHAIN.steps(last_hash.upper(), terminating.encode()) == number
    with pytest.raises(ValueError, match=rf"^terminating must be reached .* {number - 1} steps"):
        CHAIN.steps(last_hash, terminating, number - 1)

    rows = games_of("bustabit/v2-2019")
    (first, *_), (last, *_) = rows[0], rows[-1]
    games = CHAIN.previous(rows[-1][1], last - first)
    for game, game_hash, _ in rows[:-1]:
        assert games[last - game - 1].decode() == game_hash
    assert CHAIN.steps(rows[-1][1], rows[0][1]) == last - first


def test_runs_of_a_chain(monkeypatch: pytest.MonkeyPatch) -> None:
    from provably_fair.seeds import chains

    monkeypatch.setattr(chains, "_SPACING", 64)
    whole = pf.HashChain().generate(5, 1000)
    assert whole[-1].decode() == hashlib.sha256(b"5").hexdigest()
    chain = pf.HashChain()
    rng = np.random.default_rng(1)
    runs = [(1000, 1), (1, 1000), (1, 1), (937, 64), (936, 1), (500, 0), (1, 0)]
    runs += [(int(start), int(rng.integers(0, 1001 - start))) for start in rng.integers(1, 1000, 40)]
    for start, count in runs:
        part = chain.generate(5, 1000, start, count)
        assert (part == whole[start - 1 : start - 1 + count]).all()
        assert part.shape == (count,)
    assert (chain.generate("5", 1000, start=900) == whole[899:]).all()
    assert (chain.generate(6, 1000, 10, 5) == pf.HashChain().generate(6, 1000)[9:14]).all()
    assert (chain.generate(5, 1000, 10, 5) == whole[9:14]).all()
    assert chain.generate(5, 0).shape == (0,)


def test_threads_may_share_a_chain() -> None:
    def run(chain: pf.HashChain) -> list[bytes]:
        found: list[bytes] = chain.generate("shared", 200_000, count=5).tolist()
        return found

    alone = run(pf.HashChain())
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(run, [pf.HashChain()] * 4)) == [alone] * 4


def test_no_steps() -> None:
    one = "ab" * 32
    assert CHAIN.steps(one, one) == CHAIN.steps(one, one, limit=0) == 0
    assert CHAIN.previous(one, 0).shape == (0,)
    with pytest.raises(ValueError, match="terminating must be reached from game_hash in 0 steps"):
        CHAIN.steps(one, "cd" * 32, limit=0)


def test_forms_of_a_hash() -> None:
    text = "ab" * 32
    expected = CHAIN.previous(text, 1)
    forms: list[Any] = [text.encode(), np.str_(text), np.bytes_(text), np.array(text), text.upper()]
    for form in forms:
        assert (CHAIN.previous(form, 1) == expected).all()
    for hashes in (text, [text], (text,), np.array([text]), np.array([text], "S")):
        assert CHAIN.terminating(hashes) == expected[0].decode()
    pandas = pytest.importorskip("pandas")
    assert CHAIN.terminating(pandas.Series([text], index=[5])) == expected[0].decode()
    arrow = pytest.importorskip("pyarrow")
    assert CHAIN.terminating(arrow.array([text])) == expected[0].decode()


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    count = 3 * 2**16
    CHAIN.previous("ab" * 32, count, progress=lambda done, total: told.append((done, total)))
    assert told == [(2**16, count), (2**17, count), (count, count)]
    told.clear()
    chain = pf.HashChain()
    chain.generate("s", count, start=1, count=2**15, progress=lambda *now: told.append(now))
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1] == (count - 1, count - 1)

    class StopError(Exception):
        pass

    def stop(done: int, total: int) -> None:
        raise StopError

    for call in (
        lambda: CHAIN.previous("ab" * 32, 10**9 // 64, progress=stop),
        lambda: CHAIN.steps("ab" * 32, "cd" * 32, progress=stop),
        lambda: CHAIN.generate("s", 10**12, start=1, count=1, progress=stop),
    ):
        with pytest.raises(StopError):
            call()


def test_chains_are_values() -> None:
    other = pf.HashChain(pf.Hash("sha512", "{game_hash:bytes}"))
    other.generate("s", 10)
    assert repr(CHAIN) == "HashChain()"
    assert repr(other) == "HashChain(Hash('sha512', '{game_hash:bytes}'))"
    for chain in (CHAIN, other):
        again = pickle.loads(pickle.dumps(chain))
        assert again == chain
        assert hash(again) == hash(chain)
        assert eval(repr(chain), {"HashChain": pf.HashChain, "Hash": pf.Hash}) == chain
    assert other != CHAIN
