"""Schemes and chains against alternatives: interleaved repetitions, medians, ratios with their spread.

CPU times on one thread, so that other programs disturb little. With `--games`, `play` of each operator's game
beside its hashes alone, as many digests as its rounds take: the least times of all repetitions, kept in
schemes.json.
"""

import argparse
import hashlib
import hmac
import json
import statistics
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import provably_fair as pf
from peers import in_turns, own_time, rust_peer
from provably_fair import _engine
from provably_fair.games import program_of, rounds_of
from provably_fair.games.program import Program
from provably_fair.games.rounds import Output, simulated_rounds
from provably_fair.names import named_games
from provably_fair.operators.registry import LISTED
from provably_fair.seeds import schemes
from provably_fair.seeds.rounds import SimulatedRounds

RESULTS = Path(__file__).with_name("schemes.json")
SERVER, CLIENT = "a" * 64, "clientseed"
CHUNK = 1 << 16
DICE = pf.Scheme(pf.Hash("sha256", "{client_seed}:{nonce}:{cursor}", key="{server_seed}"), bits=32)
BUSTS = pf.Scheme(
    pf.Hash("sha256", "{game_hash:bytes}", key="{salt}"), bits=52, words=1, defaults={"salt": "0" * 64}
)


def drawn(scheme: pf.Scheme, fields: _engine.Fields, rounds: int, draws: int, n: int) -> np.ndarray:
    """Return the sum of several draws below n of each round, in chunks."""
    out = np.empty(rounds)
    for first in range(0, rounds, CHUNK):
        part = schemes.draws(scheme, fields, first, min(CHUNK, rounds - first), ahead=draws)
        total = part.below(n)
        for _ in range(1, draws):
            total += part.below(n)
        np.divide(total, 100, out=out[first : first + CHUNK])
    return out


def python_loop(rounds: int) -> None:
    """Run the obvious loop in plain Python."""
    key, digest = SERVER.encode(), hmac.digest
    for nonce in range(1_000_000, 1_000_000 + rounds):
        block = digest(key, f"{CLIENT}:{nonce}:0".encode(), "sha256")
        int(int.from_bytes(block[:4], "big") / 2**32 * 10_001) / 100


def python_chain(steps: int) -> None:
    """Run the obvious loop back along a chain, in plain Python."""
    text, sha256 = "0" * 64, hashlib.sha256
    for _ in range(steps):
        text = sha256(text.encode()).hexdigest()


def busts(games: int) -> np.ndarray:
    """Return games of a chain back from a hash, and their busts."""
    hashes = pf.HashChain().previous("0" * 64, games)
    numbers = BUSTS.random_numbers(hashes, count=1, threads=1)[:, 0]
    return np.maximum(1, np.floor(99 / (1 - numbers)) / 100)


def hash_alone(game: pf.Game, fields: _engine.Fields, digests: int) -> None:
    """Hash rounds, and cut the first word of each digest."""
    words = schemes.engine_scheme(game.scheme).words
    for first in range(0, len(fields), CHUNK):
        part = schemes.draws(game.scheme, fields, first, min(CHUNK, len(fields) - first), ahead=1)
        part.words()
        for _ in range(1, digests):
            part.skip(words - 1)
            part.words()


def beside_hashes(game: pf.Game, numbers: int, repetitions: int) -> dict[str, float]:
    """Return the microseconds of a round, of `play` and of the hashes alone."""
    digests = -(-numbers // schemes.engine_scheme(game.scheme).words)
    seconds: dict[str, list[float]] = {"play": [], "hashes": []}
    rounds = 2_000
    for _ in range(repetitions + 1):
        fields = simulated_rounds(game, rounds).fields()
        work = {
            "play": partial(rounds_of(game).fill, fields, {}, Output(threads=1)),
            "hashes": partial(hash_alone, game, fields, digests),
        }
        for of, each in work.items():
            seconds[of].append(own_time(each) / rounds)
        # The first ones also tell how many are enough.
        rounds = max(2_000, min(1 << 18, int(0.05 / seconds["play"][0])))
    return {of: round(min(each) * 1e6, 4) for of, each in seconds.items()}


def games(repetitions: int) -> None:
    """Print and keep the times of each game in Python."""
    kept: dict[str, dict[str, float]] = {}
    for operator in LISTED:
        for name, game in named_games(operator).items():
            program = program_of(game) if rounds_of(game).engine is None else None
            if not isinstance(program, Program):
                continue
            kept[f"{operator}.{name}"] = found = beside_hashes(game, program.least_numbers, repetitions)
            play, alone = found.values()
            print(f"{f'{operator}.{name}':<32}{play:>10.3f}{alone:>10.3f}{play / alone:>8.2f}", flush=True)
    RESULTS.write_text(json.dumps({"path": _engine.paths()[0], "microseconds": kept}, indent=1) + "\n")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1_000_000)
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--games", action="store_true", help="each game beside its hashes")
    options = parser.parse_args()
    if options.games:
        return games(options.repetitions)
    rounds, few = options.rounds, options.rounds // 20
    peer = rust_peer("schemes")
    seeds = {"server_seed": SERVER, "client_seed": CLIENT}
    nonces = SimulatedRounds(DICE, rounds, 0, 1_000_000, seeds).fields()
    given = schemes.bind_fields(DICE, (SERVER, CLIENT, np.arange(rounds) + 1_000_000), {})
    salts = pf.salts(rounds)
    salted = schemes.bind_fields(pf.SALTED, (SERVER, CLIENT, salts), {})
    hashes = pf.HashChain().previous("0" * 64, rounds)
    dice, plinko = pf.Dice(), pf.Plinko(balls=1)
    assert (drawn(pf.SALTED, salted, few, 1, 10_001) == dice.play(SERVER, CLIENT, salts[:few])).all()

    # Seconds a round; each alternative is named after the work that it is compared with.
    measured: dict[str, Callable[[], float]] = {
        "nonces": lambda: own_time(lambda: drawn(DICE, nonces, rounds, 1, 10_001)) / rounds,
        "nonces, given as an array": lambda: own_time(lambda: drawn(DICE, given, rounds, 1, 10_001)) / rounds,
        "nonces, sha2 + hmac, keyed state cloned": lambda: peer.run("hmac", rounds) / rounds,
        "nonces, hmac.digest": lambda: own_time(lambda: python_loop(few)) / few,
        "salted": lambda: own_time(lambda: drawn(pf.SALTED, salted, rounds, 1, 10_001)) / rounds,
        "salted, Dice of the engine": lambda: (
            own_time(lambda: dice.play(SERVER, CLIENT, salts, threads=1)) / rounds
        ),
        "16 draws": lambda: own_time(lambda: drawn(pf.SALTED, salted, rounds // 4, 16, 2)) / (rounds // 4),
        "16 draws, Plinko of the engine": lambda: (
            own_time(lambda: plinko.play(SERVER, CLIENT, salts[: rounds // 4], threads=1)) / (rounds // 4)
        ),
        "chain and busts": lambda: own_time(lambda: busts(rounds)) / rounds,
        "chain and busts, sha2 + HMACs in bulk": lambda: (
            (peer.run("chain", rounds) + own_time(lambda: BUSTS.random_numbers(hashes, count=1, threads=1)))
            / rounds
        ),
        "chain": lambda: own_time(lambda: pf.HashChain().previous("0" * 64, rounds)) / rounds,
        "chain, sha2": lambda: peer.run("chain", rounds) / rounds,
        "chain, hashlib": lambda: own_time(lambda: python_chain(few)) / few,
    }
    times = in_turns(measured, options.repetitions)
    print(f"path: {_engine.paths()[0]}")
    print(f"{'work':<42}{'ns a round':>12}{'rounds/s':>14}{'x ours':>9}{'from .. to':>18}")
    for name, seconds in times.items():
        ours = times.get(name.partition(",")[0], seconds)
        ratios = [theirs / own for own, theirs in zip(ours, seconds, strict=True)]
        median = statistics.median(seconds)
        compared = f"{statistics.median(ratios):.2f}" if ours is not seconds else ""
        spread = f"{min(ratios):.2f} .. {max(ratios):.2f}" if ours is not seconds else ""
        print(f"{name:<42}{1e9 * median:>12.1f}{1 / median:>14,.0f}{compared:>9}{spread:>18}")


if __name__ == "__main__":
    main()
