"""Ports with one mistake, which the failures of their test files name first."""

from __future__ import annotations

import functools
import json
import types

import provably_fair as pf
import pytest
import rule_mutants
from provably_fair import readings
from provably_fair.names import parse_game
from provably_fair.readings import separating
from tools import make_rounds

# A pytest that runs within this one forgets the modules first loaded by it, which would be loaded twice.
pf.readings("crash")

TWENTY = [
    ("stake.mines", "('key', 0) and ('message', 0) exchanged", "server_seed and client_seed swapped"),
    ("stake.mines", "nonce one less", "nonce - 1 (one less than the log has)"),
    ("stake.mines", "client_seed stripped", "client_seed without the blanks around it"),
    ("stake.mines", "server_seed in lower case", "server_seed in lower case"),
    (
        "stake.mines",
        "key: the bytes of server_seed",
        "the bytes that the hex digits of server_seed stand for",
    ),
    ("stake.mines", "cursors from 1", "cursors counted from 1"),
    ("stake.mines", "draws modulo", "a word made one of n: modulo"),
    ("stake.mines", "taken: not removed", "drawn with replacement"),
    ("stake.mines", "sorted", "the outcome is in increasing order"),
    ("stake.limbo", "HMAC of sha512", "SHA512 instead of SHA256"),
    ("stake.limbo", "key and message exchanged", "key and message exchanged"),
    ("stake.limbo", "message: without part 4", "no cursor in the message"),
    (
        "stake.limbo",
        "a plain hash joined by b':'",
        "a plain hash of key and message joined by a colon, no HMAC",
    ),
    ("dice", "message: '-' for part 1", "fields joined by a hyphen"),
    ("dice", "key not hashed", "as key the text that is hashed for it, itself"),
    ("dice", "8 digits", "words of 4 bytes (8 hex digits)"),
    ("dice", "draws of n - 1, floored", "each range one smaller (10,000 for 10,001)"),
    ("plinko", "plus +1", "the outcome is counted from 1 instead of 0, or one more"),
    ("bustabit.v2", "message: the text of game_hash", "the text of game_hash, not its bytes"),
    ("duel.crash", "to tenths", "the outcome is floored to one decimal"),
]


mutants = functools.cache(rule_mutants.mutants)


@functools.cache
def kept(name):
    """The kept rounds of a game, with the outcomes of its readings."""
    game = parse_game(name)
    data = json.loads(make_rounds.path_of(name).read_text(encoding="utf-8"))
    tried, rounds = pf.readings(game), tuple(data["rounds"])
    outcomes = separating._outcomes(tried, separating._seat(game), rounds)
    return pf.readings.SeparatingRounds(game, rounds, tuple(data["readings"]), (), (), outcomes)


@pytest.mark.parametrize(("name", "changed", "said"), TWENTY)
def test_each_of_twenty_mistakes_is_named_first(name, changed, said, tmp_path):
    """Of ports in plain Python; the file's own functions are called, and the method."""
    (rule,) = (mutant.rule for mutant in mutants(name) if mutant.name == changed)

    def port(digests=None, **fields):
        if digests is not None:
            return rule_mutants.play(rule, None, [bytes.fromhex(digest) for digest in digests])
        return rule_mutants.play(rule, fields | rule["constant"])

    found = kept(name)
    assert 1 <= len(found.mistakes(port)) <= 6
    assert any(text.startswith(said) for text in found.mistakes(port))
    assert found.mistakes(functools.partial(readings.play_round, found.game)) == ()
    file = types.ModuleType("test_port")
    exec(found.to_pytest(tmp_path / "test_port.py").read_text(encoding="utf-8"), file.__dict__)
    file.outcome = port
    results = [file.returned(one) for one in file.ROUNDS]
    mistake = file.mistake.__wrapped__(results)
    wrong = [place for place, got in enumerate(results) if got != file.ROUNDS[place]["outcome"]]
    assert wrong
    for place in wrong:
        if isinstance(results[place], Exception):  # such a port decodes a text that isn't hex
            with pytest.raises(type(results[place])) as raised:
                file.test_round(place, results, mistake)
            assert said in raised.value.__notes__[0]
        else:
            with pytest.raises(pytest.fail.Exception) as failed:
                file.test_round(place, results, mistake)
            lines = str(failed.value).split("\n")
            assert said in lines[0]
            assert len(lines) == 5
            assert len(lines[0] + lines[1]) < 300


def test_a_port_that_follows_no_reading():
    found = kept("stake.limbo")
    assert found.mistakes(lambda **seeds: 1.0) == ()
    assert found.mistakes(lambda **seeds: NotImplemented) == ()
    assert found.mistakes(lambda **seeds: {}["nonce"]) == ()
    with pytest.raises(TypeError, match="port must be a function of a round's seeds, got Limbo"):
        found.mistakes(pf.operators.stake.Limbo())
