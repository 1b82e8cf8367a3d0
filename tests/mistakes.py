"""Logs with common mistakes, and the advice that fixes each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import provably_fair as pf
from oracles.salted import sha256_hex as _hex

stake, duel, liqd, bustabit = pf.operators.stake, pf.operators.duel, pf.operators.liqd, pf.operators.bustabit
ROWS = 12


class Mistake(NamedTuple):
    """A log, the game it is verified as, and part of the advice that fixes it."""

    name: str
    game: pf.Game
    log: dict[str, Any]
    undone: str


def logs(seed: int) -> Iterator[Mistake]:
    """Twelve mistakes, each in logs of several games."""
    server, client = _hex(f"server {seed}"), _hex(f"client {seed}")[:10].upper() + "x"
    nonces = list(range(5 * seed, 5 * seed + ROWS))
    games = (stake.Dice(), stake.Mines(3), stake.Keno(), stake.Limbo(), stake.Plinko(16))

    def log(game: pf.Game, *fields: Any, **logged: Any) -> dict[str, Any]:
        made = dict(zip(game.scheme.fields, (server, client, nonces), strict=False)) | logged
        return {**made, "outcome": np.asarray(game.play(*fields)).tolist()}

    for game in games:
        yield Mistake(
            "swapped", game, log(game, client, server, nonces), "server_seed and client_seed swapped"
        )
        for step, word in ((1, "+ 1"), (-1, "- 1")):
            shifted = [nonce + 10 + step for nonce in nonces]
            made = log(game, server, client, shifted, nonce=[nonce + 10 for nonce in nonces])
            yield Mistake(f"nonce {word}", game, made, f"nonce {word}")
        made = log(game, server, client, nonces, server_seed=server.upper())
        yield Mistake("capital hex", game, made, "server_seed in lower case")
        made = log(game, server, client, nonces, client_seed=f" {client} ")
        yield Mistake("blanks", game, made, "client_seed without the blanks")
        by_bytes = game.with_scheme(
            pf.Scheme(pf.Hash("sha256", game.scheme.hash.message, key="{server_seed:bytes}"), bits=32)
        )
        yield Mistake(
            "bytes", game, log(by_bytes, server, client, nonces), "the bytes that the hex digits of"
        )
    for game in (duel.Mines(3), duel.Plinko(16), duel.VideoPoker(), duel.Mines(10), duel.Plinko(12)):
        by_text = game.with_scheme(
            pf.Scheme(
                pf.Hash("sha256", game.scheme.hash.message, key="{server_seed}"),
                bits=32, words=1, below="reject",
            )
        )  # fmt: skip
        yield Mistake(
            "text", game, log(by_text, server, client, nonces), "the text of server_seed, not its bytes"
        )
    for told, made_by in (
        (stake.Dice(), stake.Limbo()),
        (stake.Limbo(), stake.Dice()),
        (stake.Plinko(10), stake.RockPaperScissors(10)),
        (stake.Chicken(), stake.Pump()),
        (stake.Chicken(), stake.Chicken(level="hard")),
    ):
        undone = f"as stake.{type(made_by).__name__.lower()}"
        yield Mistake("another game", told, log(made_by, server, client, nonces), undone)
    for told, dice in (
        (stake.Dice(), duel.Dice()),
        (duel.Dice(), stake.Dice()),
        (liqd.Dice(), stake.Dice()),
        (stake.Dice(), liqd.Dice()),
        (stake.Dice(), pf.operators.primedice.OldDice()),
    ):
        undone = f"as {dice.name}"
        yield Mistake("another operator", told, log(dice, server, client, nonces), undone)
    for game in (stake.Mines(3), stake.Keno(), stake.Roulette(), duel.Mines(5), stake.Wheel(30)):
        made = log(game, server, client, nonces)
        made["outcome"] = (np.array(made["outcome"]) + 1).tolist()
        yield Mistake("from 1", game, made, "counted from 1")
    chain = pf.HashChain().generate(str(seed), ROWS + 1).astype(str).tolist()
    for game in (bustabit.V1(), bustabit.V2(), bustabit.V3(), stake.Crash(), stake.Slide()):
        made = {"game_hash": chain[1:], "outcome": game.play(chain[:-1])}
        yield Mistake("next game", game, made, "game_hash is the hash of what the log has")
    for game in (pf.Dice(), pf.Mines(3), pf.Tower(), pf.Slot(), pf.Plinko()):
        salts = pf.salts(ROWS, seed=str(seed)).astype(str).tolist()
        made = {"server_seed": server, "client_seed": client, "salt": salts}
        made["outcome"] = game.play(server, salts, client).tolist()
        yield Mistake("salt for client seed", game, made, "client_seed and salt swapped")
    for told, game in (
        (bustabit.V3(), bustabit.V2()),
        (bustabit.V2(), bustabit.V3()),
        (bustabit.V1(), bustabit.V2()),
    ):
        made = {"game_hash": chain, "outcome": game.play(chain)}
        yield Mistake("another era", told, made, f"as bustabit.{type(game).__name__.lower()}")


def random_log(seed: int) -> tuple[pf.Game, dict[str, Any]]:
    """A log whose outcomes are unrelated to its seeds."""
    rng = np.random.default_rng(seed)
    games = (stake.Dice(), stake.Mines(3), stake.Roulette(), bustabit.V2(), pf.Dice())
    game = games[seed % len(games)]
    made = {
        "server_seed": _hex(f"{seed} a"), "client_seed": _hex(f"{seed} b"), "nonce": list(range(ROWS)),
        "salt": [_hex(f"{seed} {row}") for row in range(ROWS)],
        "game_hash": [_hex(f"{seed} {row}") for row in range(ROWS)],
    }  # fmt: skip
    fields = {name: made[name] for name in game.scheme.fields if name not in game.scheme.defaults}
    return game, {**fields, "outcome": game.simulate(ROWS, seed=int(rng.integers(1 << 60))).tolist()}
