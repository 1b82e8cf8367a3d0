"""Verifies logs of card games with and without planted faults.

    python measurements/measure_card_logs.py [hands]

100,000 hands of blackjack with actions (Crypto.Games, Stake and LIQD), and of video poker with holds
(Crypto.Games, Stake and Duel), by the best play. Each log is verified unchanged, and with 2,000 faults:
changed or damaged outcomes, other plays, impossible plays, missing seeds. The honest log must pass, and
exactly the faulty rows must fail. Audits of the log with stakes and payouts must find nothing, and each
fraud with what was paid, in exactly its rows. Results go to `measurements/card_logs.json`: the faults of
each kind, and the rows that were missed or blamed wrongly. It takes some minutes.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
import folders
import numpy as np
import provably_fair as pf

RESULTS = folders.MEASUREMENTS / "card_logs.json"
HANDS, FAULTS = 100_000, 2000
crypto, stake, duel, liqd = (
    pf.operators.crypto_games,
    pf.operators.stake,
    pf.operators.duel,
    pf.operators.liqd,
)
GAMES = [
    crypto.Blackjack(),
    stake.Blackjack(),
    liqd.Blackjack().with_table(pf.cards.Blackjack(soft_17="stand")),
    crypto.VideoPoker(),
    stake.VideoPoker().with_table(pf.cards.VideoPoker("deuces_wild")),
    duel.VideoPoker().with_table(pf.cards.VideoPoker("bonus_poker")),
]

# Faults by kind: the column, the change of its cell, and the failure expected in each column.
Fault = tuple[str, Callable[[Any], Any], str, str]
ANY: dict[str, Fault] = {
    "no outcome": ("outcome", lambda _: None, "missing", "outcome"),
    "an outcome that isn't one": ("outcome", lambda _: "???", "malformed", "outcome"),
    "no server seed": ("server_seed", lambda _: None, "missing", "server_seed"),
    "a client seed that is a number": ("client_seed", lambda _: 7, "malformed", "client_seed"),
}
SHOES: dict[str, Fault] = ANY | {
    "another net win": ("outcome", lambda net: net + 0.5, "mismatch", "outcome"),
    "an action too many": ("actions", lambda actions: f"{actions} hit", "malformed", "actions"),
    "an unknown action": ("actions", lambda actions: f"fold {actions}", "malformed", "actions"),
    "no actions": ("actions", lambda _: None, "missing", "actions"),
}
PAIRS: dict[str, Fault] = ANY | {
    "another card": ("outcome", lambda hand: changed(hand), "mismatch", "outcome"),
    "another order": ("outcome", lambda hand: " ".join(reversed(hand.split())), "mismatch", "outcome"),
    "another hold": (
        "hold",
        lambda hold: [place for place in range(1, 6) if (place in hold) != (place == 3)],
        "mismatch",
        "outcome",
    ),
    "a hold that can't be": ("hold", lambda hold: [*hold, 6], "malformed", "hold"),
    "another pay": ("outcome", lambda _: 12345, "mismatch", "outcome"),
}


# Frauds with what was paid: the return of a first bet of 1, by the net win and that of the next row.
FRAUDS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "unpaid": lambda net, _: 0 * net,
    "paid by another hand": lambda _, other: 1 + other,
    "wins as pushes": lambda net, _: 1 + np.minimum(net, 0),
    "pushes as losses": lambda net, _: np.where(net == 0, 0, 1 + net),
    "at most even money": lambda net, _: 1 + np.minimum(net, 1),
    "a fee of wins": lambda net, _: 1 + np.where(net > 0, 0.97 * net, net),
}


def defrauded(game: Any, log: dict[str, Any]) -> dict[str, str]:
    """Return what audits find of each fraud, and of honest payouts."""
    net = np.array(log["outcome"] if "actions" in log else log["pays"]) - ("actions" not in log)
    kept = {*game.scheme.fields, game.table.choice, "outcome"}
    fields = {name: column for name, column in log.items() if name in kept} | {
        "stake": np.full(len(net), 10.0)
    }
    found = {}
    for name, returns in ({"none": lambda net, _: 1 + net} | FRAUDS).items():
        paid = np.round(10 * returns(net, np.roll(net, -1)), 8)
        report = pf.audit(fields | {"payout": paid}, game)
        proofs = {one.kind: one.count for one in report.findings if one.severity == "proof"}
        wrong = int((np.abs(paid - 10 * (1 + net)) > 1e-6).sum())
        found[name] = f"{proofs.get('payout_mismatch', 0)} of {wrong} rows"
    return found


def changed(hand: str) -> str:
    """Return the hand with another suit of its second card."""
    cards = hand.split()
    cards[1] = cards[1][:-1] + {"♠": "♥", "♥": "♦", "♦": "♣", "♣": "♠"}[cards[1][-1]]
    return " ".join(cards)


def measured(game: Any, hands: int) -> dict[str, Any]:
    """Return the verdicts on a log of hands, without and with faults."""
    frame = game.simulate(hands, seed="card logs", strategy="optimal", as_frame="pandas")
    log = {name: frame[name].tolist() for name in frame.columns}
    rng, choice = random.Random(repr(game)), game.table.choice
    honest, frauds = pf.verify(log, game), defrauded(game, log)
    faults = SHOES if choice == "actions" else PAIRS
    # Without actions: a blackjack, or a digest without enough cards.
    there = [row for row in range(hands) if choice != "actions" or log["actions"][row]]
    planted: dict[int, tuple[str, str]] = {}
    counts: Counter[str] = Counter()
    for row in rng.sample(there, min(FAULTS, len(there) // 2)):
        name = rng.choice(list(faults))
        if name == "no actions" and " " not in log["actions"][row]:
            name = "no outcome"  # after the dealer peeked for blackjack, no action may be needed
        column, change, kind, blamed = faults[name]
        log[column][row] = change(log[column][row])
        planted[row] = (kind, blamed)
        counts[name] += 1
    report = pf.verify(log, game)
    failed = {failure.row: (failure.kind, failure.column) for failure in report.failures}
    return {
        "game": repr(game),
        "hands": honest.checked,
        "failed of the honest log": honest.failed,
        "frauds found": frauds,
        "planted": dict(sorted(counts.items())),
        "missed": len(planted.keys() - failed.keys()),
        "blamed wrongly": len(failed.keys() - planted.keys()),
        "told otherwise": sum(failed[row] != planted[row] for row in failed.keys() & planted.keys()),
    }


def main(hands: int) -> None:
    """Verify the logs, and write the results."""
    results = []
    for game in GAMES:
        results.append(measured(game, hands))
        print(results[-1], flush=True)
    command = " ".join(["python measurements/measure_card_logs.py", *sys.argv[1:]])
    RESULTS.write_text(json.dumps({"command": command, "logs": results}, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else HANDS)
