"""The bit generator, compared with the bytes of rounds and with numpy's own use of words."""

from __future__ import annotations

import copy
import hashlib
import hmac
import pickle

import numpy as np
import provably_fair as pf
import pytest
from provably_fair.operators import fpclub


def words(seed, count):
    """The words of a series, computed without the package."""
    server, client = (hashlib.sha256(f"{seed}:{side}".encode()).hexdigest() for side in ("server", "client"))
    found = []
    for number in range(-(-count // 8)):
        salt = hashlib.sha256(f"{seed}:{number}".encode()).hexdigest()
        key = hashlib.sha256(f"{server}:{salt}".encode()).hexdigest()
        block = hmac.digest(key.encode(), f"{client}:0".encode(), "sha512")
        found += [int.from_bytes(block[8 * k : 8 * k + 8], "big") for k in range(8)]
    return found[:count]


@pytest.mark.parametrize("seed", [0, 7, "a name"])
def test_words_are_the_bytes_of_the_rounds(seed):
    # Beyond the first buffers, of 64, 128, 256, ... rounds.
    expected = words(seed, 8 * 64 * 7 + 3)
    assert pf.seeds.BitGenerator(seed).random_raw(len(expected)).tolist() == expected
    one_by_one = pf.seeds.BitGenerator(seed)
    assert [one_by_one.random_raw() for _ in range(1000)] == expected[:1000]


def test_words_are_random_bytes_of_the_series():
    made = pf.games.rounds.simulated_rounds(pf.Dice(), 0, "3").values()
    server, client = made["server_seed"], made["client_seed"]
    made = np.ascontiguousarray(pf.seeds.random_bytes(server, client, pf.salts(20_000, 3)))
    assert np.array_equal(pf.seeds.BitGenerator(3).random_raw(160_000), made.reshape(-1).view(">u8"))


def test_doubles_and_halves_are_made_as_numpy_makes_them():
    expected = words(5, 100)
    rng = np.random.Generator(pf.seeds.BitGenerator(5))
    assert rng.random(100).tolist() == [(word >> 11) / 2**53 for word in expected]
    halves = np.random.Generator(pf.seeds.BitGenerator(5)).integers(0, 2**32, 200, dtype=np.uint32)
    assert halves.tolist() == [half for word in expected for half in (word & 0xFFFFFFFF, word >> 32)]


def draws(rng):
    return [rng.random(3), rng.integers(0, 10, 5, dtype=np.int32), rng.normal(size=3), rng.permutation(9)]


def same(first, second):
    return all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda rng: pickle.loads(pickle.dumps(rng))])
@pytest.mark.parametrize("used", [0, 1, 511, 512, 513, 100_000])
def test_copies_go_on_where_the_generator_is(again, used):
    words = pf.seeds.BitGenerator("copied")
    words.random_raw(used, output=False)
    words.ctypes
    rng = np.random.Generator(words)
    rng.integers(0, 5, dtype=np.int32)  # half a word is left over
    words_again = again(words)
    assert words_again.state == words.state
    assert same(draws(np.random.Generator(words_again)), draws(rng))


def test_a_state_goes_to_another_series():
    words = pf.seeds.BitGenerator("one")
    words.random_raw(10)
    other = pf.seeds.BitGenerator("two")
    other.state = words.state
    assert (other.seed, other.random_raw()) == ("one", words.random_raw())


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"position": -1}, ValueError),
        ({"position": 2**67}, ValueError),
        ({"position": 1.5}, TypeError),
        ({"half": 2**32}, ValueError),
        ({"children": -1}, ValueError),
        ({"seed": 1.5}, TypeError),
        ({"bit_generator": "PCG64"}, ValueError),
    ],
)
def test_states_that_are_none_are_refused(change, error):
    words = pf.seeds.BitGenerator()
    before = words.state
    with pytest.raises(error, match="state" if "bit_generator" in change else next(iter(change))):
        words.state = {**before, **change}
    assert words.state == before
    with pytest.raises(TypeError, match="state"):
        words.state = None
    with pytest.raises(ValueError, match="position"):
        words.state = {key: value for key, value in before.items() if key != "position"}


def test_children_have_series_of_their_own():
    rng = np.random.Generator(pf.seeds.BitGenerator("root"))
    first, second = rng.spawn(2)
    (third,) = rng.spawn(1)
    names = [child.bit_generator.seed for child in (first, second, third)]
    assert names == ["root/0", "root/1", "root/2"]
    assert first.random() == (words("root/0", 1)[0] >> 11) / 2**53


def test_without_a_seed_it_is_fresh():
    one, other = pf.seeds.BitGenerator(), pf.seeds.BitGenerator()
    assert one.seed != other.seed
    assert one.random_raw(4).tolist() == pf.seeds.BitGenerator(one.seed).random_raw(4).tolist()


def test_numpy_and_fpclub_take_it():
    assert isinstance(pf.seeds.BitGenerator(), np.random.BitGenerator)
    rng = np.random.default_rng(pf.seeds.BitGenerator(2))
    assert rng.random() == np.random.Generator(pf.seeds.BitGenerator(2)).random()
    dice = fpclub.HashedDice.generate(64, np.random.Generator(pf.seeds.BitGenerator(2)))
    assert fpclub.HashedDice.generate(64, pf.seeds.BitGenerator(2)) == dice
    seeds = np.random.SeedSequence(2)
    assert fpclub.HashedDice.generate(64, seeds) == fpclub.HashedDice.generate(64, 2)


def test_draws_that_are_interrupted_are_whole(monkeypatch):
    words_made = pf.seeds.BitGenerator(1)
    fill, interrupts = words_made._fill, [KeyboardInterrupt, KeyboardInterrupt]

    def interrupted():
        if interrupts:
            raise interrupts.pop()
        fill()

    monkeypatch.setattr(words_made, "_fill", interrupted)
    monkeypatch.setattr("provably_fair.seeds.bit_generator._interrupt_later", lambda: None)
    assert words_made.random_raw(20).tolist() == words(1, 20)
