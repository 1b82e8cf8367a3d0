"""The published rounds: fields and outcomes, each with the form in which its outcome was published."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import provably_fair as pf
from folders import VECTORS

DATA = json.loads((VECTORS / "operators.json").read_text(encoding="utf-8"))
BETS, CALCULATOR = DATA["stake_2019"]["games"], DATA["stake_calculator"]
SUITS = {"diamond": "♦", "heart": "♥", "spade": "♠", "club": "♣"}
LETTERS = dict(zip("DHSC", SUITS.values(), strict=True))

stake, bustabit, duel = pf.operators.stake, pf.operators.bustabit, pf.operators.duel
liqd, bcgame, primedice, skinclub = (
    pf.operators.liqd,
    pf.operators.bcgame,
    pf.operators.primedice,
    pf.operators.skinclub,
)


def same(outcome: Any, published: Any) -> Any:
    return outcome


def first(outcome: list[Any], published: list[Any]) -> list[Any]:
    """As many values as were published."""
    return outcome[: len(published)]


class Published(NamedTuple):
    """A round: its game, the fields of its scheme, what was published, and what of an outcome that is."""

    game: pf.Game
    fields: dict[str, Any]
    result: Any
    shown: Callable[[Any, Any], Any] = same

    def of(self, game: pf.Game) -> bool:
        """Whether a game gives the round, so far as it was published."""
        return self.shown(game.play(**self.fields).tolist(), self.result) == self.result


def with_nonces(game: pf.Game, seeds: dict[str, Any], results: Any, *form: Any) -> Iterator[Published]:
    """Rounds of one pair of seeds, nonce after nonce."""
    for place, result in enumerate(results):
        nonce = seeds.get("first_nonce", 0) + place
        fields = {"server_seed": seeds["server_seed"], "client_seed": seeds["client_seed"], "nonce": nonce}
        yield Published(game, fields, result, *form)


def numbers(results: list[str]) -> list[float]:
    return [float(result) for result in results]


def stake_rounds() -> Iterator[Published]:
    for game, name in ((stake.Dice(), "Dice"), (stake.Limbo(), "Limbo")):
        yield from with_nonces(game, BETS[name], numbers(BETS[name]["results"]))
        known = CALCULATOR[name.lower()]
        yield from with_nonces(game, known, known["results"])
    tail = CALCULATOR["limbo_tail"]
    yield from with_nonces(stake.Limbo(), tail | {"first_nonce": tail["nonce"]}, [tail["result"]])
    yield from with_nonces(stake.Roulette(), BETS["Roulette"], BETS["Roulette"]["results"])
    yield from with_nonces(stake.Roulette(), CALCULATOR["roulette"], CALCULATOR["roulette"]["results"])
    for place, spin in enumerate(BETS["Wheel"]["results"]):
        seeds = BETS["Wheel"] | {"first_nonce": BETS["Wheel"]["first_nonce"] + place}
        yield from with_nonces(stake.Wheel(spin["segments"]), seeds, [spin["result"]])
    paths = [["LR".index(side) for side in path] for path in BETS["Plinko"]["results"]]
    yield from with_nonces(stake.Plinko(16), BETS["Plinko"], paths)
    yield from with_nonces(stake.Keno(), BETS["Keno"], BETS["Keno"]["results"])
    yield from with_nonces(stake.Mines(24), BETS["Mines"], BETS["Mines"]["results"])
    for game, name in (
        (stake.Blackjack(), "Blackjack"),
        (stake.Hilo(), "Hilo"),
        (stake.Baccarat(), "Baccarat"),
        (stake.VideoPoker(), "VideoPoker"),
    ):
        yield from with_nonces(game, BETS[f"Cards.{name}"], BETS[f"Cards.{name}"]["results"], first)

    def named(outcome: list[int], published: list[str]) -> list[str]:
        return stake.cards(outcome)[: len(published)]

    hilo = CALCULATOR["hilo"]
    cards = [rank + SUITS[suit] for rank, suit in (card.split("-") for card in hilo["cards"])]
    yield from with_nonces(stake.Hilo(), hilo, [cards], named)

    def colors(outcome: list[int], published: list[str]) -> list[str]:
        return stake.gems(outcome)[: len(published)]

    yield from with_nonces(
        stake.Diamonds(10), BETS["Cards.DiamondPoker"], BETS["Cards.DiamondPoker"]["results"], colors
    )
    yield from with_nonces(stake.Slots(), BETS["Slots"], [spins[0] for spins in BETS["Slots"]["results"]])
    yield from with_nonces(stake.Drill(), CALCULATOR["drill"], CALCULATOR["drill"]["results"])
    tower = CALCULATOR["dragon_tower"]
    for nonce, row in tower["rows"].items():
        game = stake.DragonTower(row["of"], row["eggs"])
        yield from with_nonces(game, tower | {"first_nonce": int(nonce)}, [row["result"]])
    moles = CALCULATOR["moles"]
    for nonce, row in moles["rows"].items():
        yield from with_nonces(
            stake.Moles(row["moles"]), moles | {"first_nonce": int(nonce)}, [row["result"]], first
        )
    throws = CALCULATOR["rock_paper_scissors"]
    shown = [["rock", "paper", "scissors"].index(throw) for throw in throws["nonce_0"]]
    yield from with_nonces(stake.RockPaperScissors(), throws, [shown], first)
    flips = CALCULATOR["flip"]
    yield from with_nonces(stake.Flip(), flips, [["th".index(side) for side in flips["result"]]])
    for game_hash, result in BETS["Crash"]["results"]:
        yield Published(stake.Crash(), {"game_hash": game_hash, "salt": BETS["Crash"]["salt"]}, float(result))
    chain = DATA["stake_crash_chain"]
    yield Published(stake.Crash(), {"game_hash": chain["hash"]}, chain["result"])
    for game in (stake.Crash(), stake.Slide()):
        for game_hash, salt, result in CALCULATOR[type(game).__name__.lower()]:
            yield Published(game, {"game_hash": game_hash, "salt": salt}, result)


def duel_rounds() -> Iterator[Published]:
    yield from with_nonces(duel.Dice(), DATA["duel_dice"], DATA["duel_dice"]["nonce_from_0"])

    def rights(outcome: list[int], published: int) -> int:
        return sum(outcome)

    for seed_hash, client, nonce, rows, right in DATA["duel_plinko"]["rows"]:
        seeds = {"server_seed": DATA["duel_plinko"]["seeds"][seed_hash], "client_seed": client}
        yield Published(duel.Plinko(rows), seeds | {"nonce": nonce}, right, rights)

    def in_order(outcome: list[int], published: list[int]) -> list[int]:
        return sorted(outcome)

    for nonce, mines, cells in DATA["duel_mines"]["rows"]:
        yield from with_nonces(
            duel.Mines(mines), DATA["duel_mines"] | {"first_nonce": nonce}, [cells], in_order
        )

    def named(outcome: list[int], published: list[str]) -> list[str]:
        return duel.cards(outcome)

    poker = DATA["duel_video_poker"]
    cards = [card[:-1] + LETTERS[card[-1]] for card in poker["cards"]]
    yield from with_nonces(duel.VideoPoker(), poker | {"first_nonce": poker["nonce"]}, [cards], named)


def rounds() -> Iterator[Published]:
    """Every published round."""
    yield from stake_rounds()
    yield from duel_rounds()
    for _, game_hash, bust in DATA["bustabit_v2"]["rows"]:
        yield Published(bustabit.V2(), {"game_hash": game_hash}, bust)
    for nonce, result in DATA["liqd_dice"]["rows"]:
        yield from with_nonces(liqd.Dice(), DATA["liqd_dice"] | {"first_nonce": nonce}, [result])
    coin, hilo = DATA["bcgame_coin_flip"], DATA["bcgame_hilo"]
    for game, one, results in (
        (bcgame.CoinFlip(), coin, coin["rounds_1_to_4"]),
        (bcgame.Hilo(), hilo, [hilo["result"]]),
    ):
        for number, result in enumerate(results, 1):
            fields = {name: one[name] for name in ("server_seed", "client_seed", "nonce")}
            yield Published(game, fields | {"round": number}, result)
    yield from with_nonces(primedice.Dice(), CALCULATOR["primedice"], CALCULATOR["primedice"]["results"])
    for game, one, result in (
        (primedice.OldDice(), DATA["primedice_v3"], DATA["primedice_v3"]["result"]),
        (skinclub.Ticket(), DATA["skin_club"], DATA["skin_club"]["ticket"]),
    ):
        yield from with_nonces(game, one | {"first_nonce": one["nonce"]}, [result])


ROUNDS: dict[type[pf.Game], list[Published]] = {}
for round in rounds():
    ROUNDS.setdefault(type(round.game), []).append(round)

GAMES = [
    value
    for operator in map(vars(pf.operators).get, pf.operators.__all__)
    for value in map(vars(operator).get, operator.__all__)
    if isinstance(value, type)
]
"""The class of every game of an operator."""
