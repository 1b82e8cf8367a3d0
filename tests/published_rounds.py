"""The published rounds: fields and outcomes, each with the form in which its outcome was published."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import provably_fair as pf
from folders import VECTORS

DATA = json.loads((VECTORS / "operators.json").read_text(encoding="utf-8"))
LATER = json.loads((VECTORS / "operators_2.json").read_text(encoding="utf-8"))
CHAINS = json.loads((VECTORS / "operators_3.json").read_text(encoding="utf-8"))
NEWER = LATER["stake_calculator_3"]
BETS, CALCULATOR = DATA["stake_2019"]["games"], DATA["stake_calculator"]
SUITS = {"diamond": "♦", "heart": "♥", "spade": "♠", "club": "♣"}
RANKS = ["A", *"23456789", "10", *"JQK"]
LETTERS = dict(zip("DHSC", SUITS.values(), strict=True))

stake, bustabit, bustadice, duel = (
    pf.operators.stake,
    pf.operators.bustabit,
    pf.operators.bustadice,
    pf.operators.duel,
)
liqd, bcgame, primedice, skinclub = (
    pf.operators.liqd,
    pf.operators.bcgame,
    pf.operators.primedice,
    pf.operators.skinclub,
)
betkyo, blaze, ethercrash, freebitcoin, roobet = (
    pf.operators.betkyo,
    pf.operators.blaze,
    pf.operators.ethercrash,
    pf.operators.freebitcoin,
    pf.operators.roobet,
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


def newer_stake_rounds() -> Iterator[Published]:
    """Those of the games that the calculator had in 2025 and 2026."""
    for cls in (stake.Chicken, stake.Pump, stake.Cases, stake.Tarot, stake.Darts):
        seeds = NEWER[cls.__name__.lower()]
        for place, (level, *result) in enumerate(seeds["results"], seeds["first_nonce"]):
            if cls is stake.Darts:  # two numbers, and what was hit
                yield from with_nonces(stake.Darts(), seeds | {"first_nonce": place}, [result[:2]], rounded)
            else:
                yield from with_nonces(cls(level), seeds | {"first_nonce": place}, result)
    yield from with_nonces(stake.Snakes(), NEWER["snakes"], NEWER["snakes"]["results"])
    yield from with_nonces(stake.Packs(), NEWER["packs"], NEWER["packs"]["results"], in_order)
    for nonce, level, tiles, result in NEWER["bars"]["results"]:
        yield from with_nonces(stake.Bars(level, tiles), NEWER["bars"] | {"first_nonce": nonce}, [result])
    for nonce, stops in NEWER["scarab_spins"]["rows"]:
        game = stake.ScarabSpins(spins=len(stops) // 5)
        yield from with_nonces(game, NEWER["scarab_spins"] | {"first_nonce": nonce}, [stops])
    for game_hash, salt, names in NEWER["zoo"]["rows"]:
        fields = {"game_hash": game_hash, "salt": salt}
        yield Published(stake.Zoo(), fields, names, lambda outcome, published: stake.animals(outcome))


def rounded(outcome: list[float], published: list[float]) -> list[float]:
    """With as many decimals as were published."""
    return [float(f"{number:.3f}") for number in outcome]


def in_order(outcome: list[int], published: list[int]) -> list[int]:
    return sorted(outcome)


def duel_rounds() -> Iterator[Published]:
    yield from with_nonces(duel.Dice(), DATA["duel_dice"], DATA["duel_dice"]["nonce_from_0"])

    def rights(outcome: list[int], published: int) -> int:
        return sum(outcome)

    for seed_hash, client, nonce, rows, right in DATA["duel_plinko"]["rows"]:
        seeds = {"server_seed": DATA["duel_plinko"]["seeds"][seed_hash], "client_seed": client}
        yield Published(duel.Plinko(rows), seeds | {"nonce": nonce}, right, rights)

    for nonce, mines, cells in DATA["duel_mines"]["rows"]:
        yield from with_nonces(
            duel.Mines(mines), DATA["duel_mines"] | {"first_nonce": nonce}, [cells], in_order
        )

    def named(outcome: list[int], published: list[str]) -> list[str]:
        return duel.cards(outcome)

    poker = DATA["duel_video_poker"]
    cards = [card[:-1] + LETTERS[card[-1]] for card in poker["cards"]]
    yield from with_nonces(duel.VideoPoker(), poker | {"first_nonce": poker["nonce"]}, [cards], named)
    for game, name in ((duel.Crash(), "duel_crash"), (duel.Roulette(), "duel_castle_roulette")):
        for server_seed, _, _, signature, result in LATER[name]["rows"]:
            yield Published(game, {"server_seed": server_seed, "beacon_signature": signature}, result)
    for nonce, points, cells in LATER["duel_beef"]["rows"]:
        seeds = LATER["duel_beef"] | {"first_nonce": nonce}
        yield from with_nonces(duel.Beef(points), seeds, [cells], in_order)


def liqd_rounds() -> Iterator[Published]:
    for nonce, result in DATA["liqd_dice"]["rows"]:
        yield from with_nonces(liqd.Dice(), DATA["liqd_dice"] | {"first_nonce": nonce}, [result])
    tiles = [[tile] for tile in LATER["liqd_mines"]["tiles_from_1"]]
    yield from with_nonces(liqd.Mines(mines=1), LATER["liqd_mines"], tiles)

    def named(outcome: list[int], published: list[str]) -> list[str]:
        return liqd.cards(outcome[: len(published)])

    for nonce, cards in LATER["liqd_blackjack"]["rows"]:
        shown = [
            RANKS[int(rank) - 1] + SUITS[suit.lower()] for suit, rank in (card.split(":") for card in cards)
        ]
        seeds = LATER["liqd_blackjack"] | {"first_nonce": nonce}
        yield from with_nonces(liqd.Blackjack(), seeds, [shown], named)


def chain_rounds() -> Iterator[Published]:
    """Those of games on chains whose hashes follow from later ones, and two single ones."""
    for cls, name in (
        (roobet.Crash, "roobet_crash"),
        (ethercrash.Crash, "ethercrash"),
        (blaze.Crash, "blaze_crash"),
        (blaze.Double, "blaze_double"),
        (bcgame.Crash, "bcgame_crash"),
    ):
        for _, game_hash, result, *_ in CHAINS[name]["rows"]:
            yield Published(cls(), {"game_hash": game_hash}, result)
    game_hash, _, roll = CHAINS["blaze_double"]["anchor"]
    yield Published(blaze.Double(), {"game_hash": game_hash}, roll)
    server_seed, _, client_seed, nonce, roll = CHAINS["freebitcoin"]["rows"][0]
    seeds = {"server_seed": server_seed, "client_seed": client_seed, "nonce": nonce}
    yield Published(freebitcoin.Dice(), seeds, roll)
    example = CHAINS["betkyo"]
    seeds = {name: example[name] for name in ("server_seed", "client_seed", "nonce")}
    yield Published(betkyo.Limbo(), seeds, example["limbo"] / 100)


def rounds() -> Iterator[Published]:
    """Every published round."""
    yield from stake_rounds()
    yield from newer_stake_rounds()
    yield from duel_rounds()
    yield from liqd_rounds()
    yield from chain_rounds()
    for cls, rows in (
        (bustabit.V1, LATER["bustabit_v1"]["rows"]),
        (bustabit.V2, DATA["bustabit_v2"]["rows"] + LATER["bustabit_v2_2020"]["rows"]),
        (bustabit.V3, LATER["bustabit_v3"]["rows"]),
    ):
        for _, game_hash, bust in rows:
            yield Published(cls(), {"game_hash": game_hash}, bust)
    dice = LATER["bustadice"]
    yield Published(bustadice.Dice(), {name: dice[name] for name in bustadice.SCHEME.fields}, dice["result"])
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
    for operator in (getattr(pf.operators, name) for name in pf.operators.NAMED)
    for value in map(vars(operator).get, operator.__all__)
    if isinstance(value, type) and issubclass(value, pf.Game)
]
"""The class of every game of an operator."""


def by_twenties() -> Iterator[tuple[pf.Game, list[Published]]]:
    """At most twenty rounds of each game whose outcomes were published as its first numbers."""
    for rounds in ROUNDS.values():
        groups: dict[pf.Game, list[Published]] = {}
        for one in rounds:
            shown = np.ravel(np.array(one.result, object)).tolist()
            played = np.ravel(one.game.play(**one.fields)).tolist()
            if all(isinstance(value, (int, float)) for value in shown) and played[: len(shown)] == shown:
                groups.setdefault(one.game, []).append(one)
        yield from ((game, some[:20]) for game, some in groups.items() if len(some) >= 5)


def anonymous(rounds: list[Published]) -> dict[str, list[Any]]:
    """A log of rounds whose columns don't tell what they are."""
    names = [name for name in rounds[0].fields if all(name in one.fields for one in rounds)]
    log = {f"column {place}": [one.fields[name] for one in rounds] for place, name in enumerate(names)}
    return {**log, "last column": [one.result for one in rounds]}
