"""The corpus's published rounds."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import provably_fair as pf
from folders import CORPUS
from provably_fair.operators.published import PublishedRound
from provably_fair.operators.registry import NAMED

sys.path.insert(0, str(CORPUS))
import series

SERIES = {one.name: one for one in series.every()}
"""The series of the corpus by name, such as `stake/2019-dice`."""

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
betkyo, blaze, csgodouble, ethercrash, freebitcoin, roobet = (
    pf.operators.betkyo,
    pf.operators.blaze,
    pf.operators.csgodouble,
    pf.operators.ethercrash,
    pf.operators.freebitcoin,
    pf.operators.roobet,
)

ROUNDS: dict[type[pf.Game], list[PublishedRound]] = {}
for one in SERIES.values():
    for round in one.rounds():
        ROUNDS.setdefault(type(round.game), []).append(round)


def games_of(name: str) -> list[tuple[int, str, float]]:
    """Number, hash and outcome of each game of a chain series."""
    one = SERIES[name]
    rounds = list(one.rounds())
    numbers = one.field("game_number") or []
    if not one.has_fields:  # the column has the numbers of the sample only
        numbers = [number for number, _ in one.about["sample"]]
    return [
        (int(number), round.fields["game_hash"], round.outcome)
        for number, round in zip(numbers, rounds, strict=True)
    ]


BEACONS = [
    (int(number), signature)
    for one in (SERIES["duel/crash"], SERIES["duel/roulette"])
    for number, signature in zip(one.columns["beacon_round"], one.columns["beacon_signature"], strict=True)
]
"""Rounds of drand's quicknet and their signatures, as two games used them."""

GAMES = [
    value
    for operator in (getattr(pf.operators, name) for name in NAMED)
    for value in map(vars(operator).get, operator.__all__)
    if isinstance(value, type) and issubclass(value, pf.Game)
]
"""The class of every game of an operator."""


def by_twenties() -> Iterator[tuple[pf.Game, list[PublishedRound]]]:
    """At most twenty rounds of each game whose outcomes were published as its first numbers."""
    for rounds in ROUNDS.values():
        groups: dict[pf.Game, list[PublishedRound]] = {}
        for one in rounds:
            shown = np.ravel(np.array(one.outcome, object)).tolist()
            played = np.ravel(one.game.play(**one.fields)).tolist()
            if all(isinstance(value, (int, float)) for value in shown) and played[: len(shown)] == shown:
                groups.setdefault(one.game, []).append(one)
        yield from ((game, some[:20]) for game, some in groups.items() if len(some) >= 5)


def anonymous(rounds: list[PublishedRound]) -> dict[str, list[Any]]:
    """A log of rounds with anonymous columns."""
    names = [name for name in rounds[0].fields if all(name in one.fields for one in rounds)]
    log = {f"column {place}": [one.fields[name] for one in rounds] for place, name in enumerate(names)}
    return {**log, "last column": [one.outcome for one in rounds]}
