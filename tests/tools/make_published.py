"""Makes the published rounds that the package has: `python tests/tools/make_published.py`.

They are those of tests/vectors/operators.json, operators_2.json and operators_3.json, names of cards and the
like as numbers.
"""

from __future__ import annotations

import gzip
import json
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import published_rounds as published
from folders import PYTHON
from published_rounds import (
    Published,
    betkyo,
    blaze,
    bustabit,
    bustadice,
    duel,
    ethercrash,
    freebitcoin,
    liqd,
    primedice,
    roobet,
    skinclub,
    stake,
)

FILE = PYTHON / "provably_fair" / "operators" / "published.json.gz"
CALCULATOR = "github.com/provably-fair-betting/verifierform-stake, of the calculator"
AUDITED = "github.com/ProvablyFair-org/"
# Of each class, when and where its rounds were published.
SOURCES: dict[type[Any], tuple[str, str]] = {
    bustabit.V1: ("November 2016", "github.com/ines-lu/RandShinyApps-bustabit-gambling-behavior-analysis"),
    bustabit.V3: ("January to June 2026", "github.com/deduzzo/bustabit-scripts"),
    bustadice.Dice: ("2018", "github.com/bustadice/verifier"),
    duel.Plinko: ("February 2026", "github.com/pauloprovablyfair/duel-plinko"),
    duel.Dice: ("unknown", "a live bet"),
    duel.Mines: ("unknown", "a live bet"),
    duel.VideoPoker: ("April 2026", "a live bet"),
    duel.Crash: ("April 2026", AUDITED + "duel-crash"),
    duel.Roulette: ("April 2026", AUDITED + "duel-castle-roulette"),
    duel.Beef: ("April 2026", AUDITED + "duel-beef"),
    liqd.Dice: ("unknown", "a live bet, captured by auditors"),
    liqd.Mines: ("July 2026", AUDITED + "liqd-mines"),
    liqd.Blackjack: ("August 2026", AUDITED + "liqd-blackjack"),
    primedice.OldDice: ("unknown", "dicesites.com, as an example"),
    primedice.Dice: ("unknown", "the operator's calculator"),
    skinclub.Ticket: ("unknown", "the sample round of the operator's checkers"),
    roobet.Crash: ("spring 2020", "github.com/tchopra17/roobetScraper"),
    ethercrash.Crash: ("September 2018", "github.com/rpetersson/project_crack_ethercrash"),
    blaze.Crash: ("March 2023", "github.com/marcosppastor/bot-blaze-crash"),
    blaze.Double: ("October 2022 to August 2023", "github.com/zoddinGC/blaze-double"),
    freebitcoin.Dice: ("unknown", "github.com/monk-afk/freebitco.in_roll-calculator"),
    betkyo.Limbo: ("2026", "github.com/betkyo-open-labs/provably-fair-verifier"),
    published.bcgame.Crash: ("May 2026", "a record of the operator's API"),
    published.bcgame.CoinFlip: ("unknown", "the game's own verification window"),
    published.bcgame.Hilo: ("unknown", "the operator's checker"),
}
SEEDS = {one["server_seed"] for name, one in published.BETS.items() if name != "Crash"}
NEWER = {
    stake.Chicken, stake.Pump, stake.Cases, stake.Tarot, stake.Darts, stake.Snakes, stake.Packs, stake.Bars,
    stake.ScarabSpins, stake.Zoo,
}  # fmt: skip
LATE = {row[1] for row in published.LATER["bustabit_v2_2020"]["rows"]}
FIRST_CHAIN = {game_hash for game_hash, _ in published.BETS["Crash"]["results"]}


def origin(one: Published) -> tuple[str, str]:
    """Return when a round was played, and where it was published."""
    kind = type(one.game)
    if kind is bustabit.V2:
        if one.fields["game_hash"] in LATE:
            return "2020", "github.com/TahirHameed74/bustabitEverything"
        return "November 2019", "github.com/jungh0/Bustabit-Analysis"
    if kind in SOURCES:
        return SOURCES[kind]
    if one.fields.get("server_seed") in SEEDS or one.fields.get("game_hash") in FIRST_CHAIN:
        return "2019", "github.com/lotuseuy/stake-provably-fair-verifier"
    if one.fields.get("game_hash") == published.DATA["stake_crash_chain"]["hash"]:
        return "unknown", "a game of the chain of 2019"
    return "2025 and 2026" if kind in NEWER else "unknown", CALCULATOR


def numbers(one: Published) -> tuple[str, Any]:
    """Return what is known of an outcome, and the numbers that it is."""
    outcome = one.game.play(**one.fields)
    result = one.result
    if isinstance(result, list) and isinstance(result[0], str):
        # Names of 52 cards, or of some gems or animals, in the order of their numbers.
        for count in (52, 7, 6):
            try:
                names = one.shown(list(range(count)), [None] * count)
            except (IndexError, ValueError):
                continue
            result = [names.index(name) for name in result]
            break
    elif one.shown is published.in_order:
        return ("in any order" if len(result) > 1 else "all"), result
    elif one.shown is published.rounded:
        return "three decimals", result
    elif not isinstance(result, list) and outcome.ndim:
        return "the sum", result
    short = isinstance(result, list) and len(result) < len(outcome)
    return ("the first values" if short else "all"), result


def groups() -> list[dict[str, Any]]:
    """Return the rounds, those of one game, source and date together."""
    found: dict[str, dict[str, Any]] = {}
    for rounds in published.ROUNDS.values():
        for one in rounds:
            known, outcome = numbers(one)
            date, source = origin(one)
            name = type(one.game).__module__.rpartition(".")[2] + "." + type(one.game).__name__.lower()
            seeds = {key: value for key, value in one.fields.items() if key in ("server_seed", "client_seed")}
            head = {
                "game": name,
                "parameters": {field.name: getattr(one.game, field.name) for field in fields(one.game)},
                "known": known,
                "date": date,
                "source": source,
                "fields": seeds,
            }
            group = found.setdefault(json.dumps(head), {**head, "rounds": []})
            own = {key: value for key, value in one.fields.items() if key not in seeds}
            group["rounds"].append([own, outcome])
    return list(found.values())


def text() -> str:
    """Return the rounds as JSON."""
    return json.dumps(groups(), ensure_ascii=False)


if __name__ == "__main__":
    FILE.write_bytes(gzip.compress(text().encode(), mtime=0))
    print(f"{FILE}: {FILE.stat().st_size:,} bytes")
