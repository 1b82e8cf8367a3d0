"""Verifies and audits logs of card games with and without planted faults.

    python measurements/measure_card_logs.py [hands] [logs]

100,000 hands of blackjack with actions (Crypto.Games, Stake and LIQD), and of video poker with holds
(Crypto.Games, Stake and Duel), by the best play. Each log is verified unchanged, and with 2,000 faults:
changed or damaged outcomes, other plays, impossible plays, missing seeds. The honest log must pass, and
exactly the faulty rows must fail.

Then the log has stakes and payouts, and 2,000 faults of each kind in what was paid: unpaid, short, paid by
another hand, a double paid as one bet, insurance kept. An audit must find exactly those rows. Last, 500
honest logs of hands, in all forms of outcomes, decisions and amounts: an audit must have no proof, and
evidence in no more logs than its level allows. Results go to `measurements/card_logs.json`. It takes some
minutes.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
import folders
import numpy as np
import provably_fair as pf

RESULTS = folders.MEASUREMENTS / "card_logs.json"
HANDS, FAULTS, LOGS = 100_000, 2000, 500
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


class Hands(NamedTuple):
    """What hands are due for first bets of 1, all bets, what insurance returns, and the next hand's due."""

    due: np.ndarray
    bets: np.ndarray
    insured: np.ndarray
    other: np.ndarray


# Faults in what was paid, for first bets of 1.
FRAUDS: dict[str, Callable[[Hands], np.ndarray]] = {
    "unpaid": lambda hands: 0 * hands.due,
    "short": lambda hands: 0.97 * hands.due,
    "paid by another hand": lambda hands: hands.other,
}
FRAUDS_OF_SHOES = FRAUDS | {
    "wrong double": lambda hands: 1 + (hands.due - 1) / np.where(hands.bets >= 2, hands.bets, 1),
    "insurance kept": lambda hands: hands.due - hands.insured,
}


def bets_of(game: Any, log: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """Return all bets of each hand, and what insurance returned, of a first bet of 1."""
    bets, insured = np.ones(len(log["outcome"])), np.zeros(len(log["outcome"]))
    seeds = [log[name] for name in game.scheme.fields]
    for row, (*fields, actions) in enumerate(zip(*seeds, log["actions"], strict=True)):
        if "double" in actions or "split" in actions or "insure" in actions:
            played = game.replay(*fields, actions=actions)
            bets[row] = sum(hand.bets for hand in played.hands) + (played.insurance is not None) / 2
            insured[row] = max(played.insurance or 0, 0) * 3 / 2  # half a bet and twice as much
    return bets, insured


def insuring(game: Any) -> Any:
    """Return a strategy that insures, and else plays the best."""
    best = game.table.analyze("basic")
    return lambda decision: "insure" if "insure" in decision.legal else best(decision)


def defrauded(game: Any, hands: int) -> dict[str, str]:
    """Return how many of the rows with each fault an audit finds, and how many others it blames."""
    shoes = game.table.choice == "actions"
    if shoes:
        game = game.with_table(pf.cards.Blackjack(replace(game.table.rules, insurance=True)))
    strategy = insuring(game) if shoes else "optimal"
    frame = game.simulate(hands, seed="paid", strategy=strategy, as_frame="pandas")
    log = {name: frame[name].tolist() for name in frame.columns}
    due = 1 + np.array(log["outcome"]) if shoes else np.array(log["pays"])
    bets, insured = bets_of(game, log) if shoes else (np.ones(hands), np.zeros(hands))
    rng = np.random.default_rng(hands)
    stakes = rng.integers(100, 100_000, hands) / 100
    kept = {*game.scheme.fields, game.table.choice, "outcome"}
    fields = {name: column for name, column in log.items() if name in kept} | {"stake": stakes}
    found = {}
    for name, paid in (FRAUDS_OF_SHOES if shoes else FRAUDS).items():
        returns = paid(Hands(due, bets, insured, np.roll(due, -1)))
        possible = np.flatnonzero(np.abs(returns - due) > 1e-9)
        rows = rng.choice(possible, min(FAULTS, len(possible)), replace=False)
        back = due.copy()
        back[rows] = returns[rows]
        report = pf.audit(fields | {"payout": np.round(stakes * back, 8)}, game)
        proofs = {one.kind: one for one in report.findings if one.severity == "proof"}
        others = {row for one in proofs.values() for row in one.rows} - set(rows.tolist())
        found[name] = f"{proofs['payout_mismatch'].count} of {len(rows)} rows, {len(others)} others"
    return found


# Forms of the columns of honest logs.
OUTCOMES = ("result", "final", "cards", "names", "dealt")
DECISIONS: dict[str, Callable[[Any], Any]] = {
    "as it is": lambda cell: cell,
    "JSON": lambda cell: json.dumps(cell.split() if isinstance(cell, str) else cell),
    "short": lambda cell: (
        "".join(SHORT[word] for word in cell.split())
        if isinstance(cell, str)
        else "".join("H" if place in cell else "-" for place in range(1, 6))
    ),
    "none": lambda _: None,
}
SHORT = {"hit": "h", "stand": "S", "double": "D", "split": "P", "surrender": "r", "insure": "i"}


def honest_log(game: Any, number: int, hands: int) -> tuple[str, dict[str, Any]]:
    """Return an honest log in some form, and its name."""
    rng = random.Random(number)
    shoes = game.table.choice == "actions"
    frame = game.simulate(hands, seed=f"honest {number}", strategy=game.table.usual, as_frame="pandas")
    log = {name: frame[name].tolist() for name in frame.columns}
    net = np.array(log["outcome"]) if shoes else np.array(log["pays"]) - 1
    bets = bets_of(game, log)[0] if shoes else np.ones(hands)
    cards = game.play(*(log[name] for name in game.scheme.fields))
    outcome, decided = rng.choice(OUTCOMES), rng.choice([*DECISIONS])
    if decided == "none" and outcome in ("result", "final", "dealt"):
        decided = "as it is"
    if outcome == "result" or (outcome == "final" and shoes):
        log["outcome"] = (net + (not shoes)).tolist()
    elif outcome == "cards" or (outcome == "dealt" and not shoes):
        log["outcome"] = cards.tolist()
    elif outcome == "names":
        log["outcome"] = [str(pf.cards.Hand(game.kind.pack.cards(one))) for one in cards]
    elif outcome == "dealt":  # those that the hand took, and no others
        seeds = zip(*(log[name] for name in game.scheme.fields), log["actions"], strict=True)
        used = [len(game.replay(*fields, actions=actions).cards) for *fields, actions in seeds]
        log["outcome"] = [one[:count].tolist() for one, count in zip(cards, used, strict=True)]
    log[game.table.choice] = [DECISIONS[decided](cell) for cell in log[game.table.choice]]
    if decided == "none":
        del log[game.table.choice]
    first = np.array([rng.randint(100, 10_000) / 100 for _ in range(hands)])
    ways = {
        "first bets": (first, first * (1 + net)),
        "all bets": (first * bets, first * (bets + net)),
        "first bets, all paid": (first, first * (bets + net)),
        "not below 0": (first, np.maximum(first * (1 + net), 0)),
    }
    way = rng.choice([*ways])
    stakes, paid = ways[way]
    kept = {*game.scheme.fields, game.table.choice, "outcome"}
    fields = {name: column for name, column in log.items() if name in kept}
    name = f"{game!r}, {outcome}, {decided}, {way}"
    return name, fields | {"stake": np.round(stakes, 8), "payout": np.round(paid, 8)}


def honest(logs: int, hands: int = 300) -> dict[str, Any]:
    """Return what audits of honest logs find, beyond notes."""
    proofs, evidence, failed = [], 0, []
    for number in range(logs):
        game = GAMES[number % len(GAMES)]
        name, log = honest_log(game, number, hands)
        report = pf.audit(log, game)
        kinds = {one.kind: one.severity for one in report.findings if one.severity != "note"}
        proofs += [f"{name}: {kind}" for kind, severity in kinds.items() if severity == "proof"]
        evidence += "evidence" in kinds.values()
        failed += [name] * (not report.verification.ok)
    return {"logs": logs, "hands": hands, "failed": failed, "proofs": proofs, "with evidence": evidence}


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
    honest, frauds = pf.verify(log, game), defrauded(game, hands)
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


def main(hands: int, logs: int) -> None:
    """Verify the logs, and write the results."""
    results = []
    for game in GAMES:
        results.append(measured(game, hands))
        print(results[-1], flush=True)
    found = honest(logs)
    print(found, flush=True)
    command = " ".join(["python measurements/measure_card_logs.py", *sys.argv[1:]])
    said = {"command": command, "logs": results, "honest logs": found}
    RESULTS.write_text(json.dumps(said, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else HANDS, int(sys.argv[2]) if len(sys.argv) > 2 else LOGS)
