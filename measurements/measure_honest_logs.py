"""Measures whether an honest log of any system ever leads to a proof against it.

    python measurements/measure_honest_logs.py [logs]

Logs of every game of the package, of blackjack, video poker and hashed dice, which vary in:

- seeds: rotated, with salts, on a chain or on announced chains; empty client seeds; some not yet revealed;
- players: one after another or interleaved; some change their names;
- order: as played, newest first, shuffled or by player; only a middle part; overlapping exports;
- times: of different precision, by clocks that differ, missing where exports overlap, or local across the end
  of summer time;
- cards: all of them, the first ones, the final hand, or what was won or paid, some as 32-bit floats, with the
  player's actions or holds;
- money: several currencies, free rounds, voided bets, amounts converted for display, whole or minor units;
- storage: any, with some of the columns.

Results go to `measurements/honest_logs.json`: the number of logs, and of those with a proof. It takes some
minutes.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
import folders
import numpy as np
import provably_fair as pf
from provably_fair.operators import fpclub

RESULTS = folders.MEASUREMENTS / "honest_logs.json"
LOGS = 2000
START = datetime(2026, 3, 1, tzinfo=UTC)
SUMMER_ENDS = {
    "Europe/Berlin": datetime(2025, 10, 26, 1, tzinfo=UTC),
    "America/New_York": datetime(2025, 11, 2, 6, tzinfo=UTC),
    "Australia/Sydney": datetime(2026, 4, 4, 16, tzinfo=UTC),
}
TIMES = ("time", "commitment_time", "reveal_time")

Rows = list[dict[str, Any]]


def games() -> list[Any]:
    """Return every game that needs no arguments, some under another scheme."""
    listed = [make() for make in pf.operators.salted.GAMES.values()]
    for operator in ("stake", "bustabit", "duel", "liqd", "bcgame", "primedice", "skinclub"):
        module = getattr(pf.operators, operator)
        for name in module.__all__:
            kind = getattr(module, name)
            # Logs of beacons have their own tests; the chain of signed games is too long to follow.
            own = {"beacon_signature", "audit_seed"}
            if (
                isinstance(kind, type)
                and issubclass(kind, pf.Game)
                and kind is not pf.operators.bustabit.Signed
            ):
                listed += [kind()] * (not own & set(kind().scheme.fields) and name != "Zoo")
    listed += [
        pf.Mines(3).with_scheme(pf.operators.stake.SCHEME),
        pf.Plinko().with_scheme(pf.operators.stake.SCHEME),
        pf.operators.stake.Dice().with_scheme(
            replace(pf.operators.stake.SCHEME, defaults={"client_seed": ""})
        ),
    ]
    return [
        *listed,
        pf.operators.crypto_games.VideoPoker(),
        pf.operators.crypto_games.Blackjack(),
        pf.operators.stake.VideoPoker().with_table(pf.cards.VideoPoker("deuces_wild")),
        pf.operators.duel.VideoPoker().with_table(pf.cards.VideoPoker("bonus_poker")),
        pf.operators.liqd.Blackjack().with_table(pf.cards.Blackjack(soft_17="stand")),
        fpclub.HashedDice,
    ]


def seed(rng: random.Random) -> str:
    return f"{rng.getrandbits(256):064x}"


def client(rng: random.Random, game: Any) -> str:
    defaults = getattr(getattr(game, "scheme", None), "defaults", {})
    if "client_seed" in defaults and rng.random() < 0.5:
        return ""
    return rng.choice([f"{rng.getrandbits(64):016x}", f"player {rng.randrange(10**6)}", "lucky", seed(rng)])


def fields_of(game: Any) -> tuple[str, ...]:
    scheme = getattr(game, "scheme", None)
    if scheme is None:
        return ("server_seed", "client_seed", "nonce")
    return tuple(scheme.fields)


def play(game: Any, rows: Rows) -> list[Any]:
    """Return the outcomes of rows in log form."""
    names = fields_of(game)
    columns = {name: [row[name] for row in rows] for name in names if name in rows[0]}
    if "nonce" in columns:
        columns["nonce"] = np.array(columns["nonce"])
    if "round" in columns:
        columns["round"] = np.array(columns["round"])
    outcomes: list[Any] = game.play(**columns).tolist()
    return outcomes


def hands(rng: random.Random, game: Any, rows: Rows) -> None:
    """Play hands of cards, and write their outcomes in a shape; add stakes and payouts."""
    shape = rng.choice(["cards", "names", "final", "result", "result"])
    money = rng.choice(["", "first", "all", "profits"])
    for row in rows:
        seeds = {name: row[name] for name in fields_of(game)}
        played = game.replay(**seeds, strategy=game.table.usual)
        dealt, shoe = row["outcome"], game.table.choice == "actions"
        row[game.table.choice] = " ".join(played.actions) if shoe else list(played.hold)
        net, bets = played.exact_net if shoe else played.pay - 1, Fraction(1)
        if shoe:
            bets = sum((hand.bets for hand in played.hands), Fraction(played.insurance is not None, 2))
        if shape == "names":
            row["outcome"] = str(pf.cards.Hand(game.kind.pack.cards(np.array(dealt)).tolist()))
        elif shape == "final":
            row["outcome"] = dealt[: len(played.cards)] if shoe else str(played.final)
        elif shape == "result":
            row["outcome"] = float(net if shoe else played.pay)
        if money:
            first = rng.randint(1, 1000) * 10
            all_bets = bets if money != "first" else 1
            row["stake"] = float(first * all_bets)
            row["payout"] = float(first * (net + (all_bets if money != "profits" else 0)))
    if money == "profits" and all(row["payout"] >= 0 for row in rows):  # nothing tells them from payouts
        for row in rows:
            row["payout"] += row["stake"]


def lives(rng: random.Random, game: Any, count: int) -> Rows:
    """Return rounds of several players in order of play, with published commitments."""
    names = fields_of(game)
    commitment = getattr(getattr(game, "scheme", None), "commitment", None)
    rows: Rows = []
    mean, starts, keeps = rng.choice([1.5, 8, 60, 1000]), rng.choice([0, 1]), rng.random()
    for player in range(rng.randint(1, 5)):
        time, own, life = START + timedelta(minutes=rng.randrange(600)), client(rng, game), []
        left, chain = 0, announced(rng, count) if rng.random() < 0.2 else []
        name, renamed = f"p{player}", rng.randrange(count) if rng.random() < 0.2 else count
        for place in range(rng.randint(0 if rows else 1, count)):
            time += timedelta(seconds=rng.choice([0, 1, 7, 300]))
            if not left:
                left = 1 + int(rng.expovariate(1 / mean))
                for row in life:
                    row["reveal_time"] = time
                life, nonce, server = [], starts, chain.pop() if chain else seed(rng)
                if rng.random() > keeps:
                    own = client(rng, game)
                first: dict[str, Any] = {"server_seed": server, "client_seed": own, "commitment_time": time}
                first |= {"salt": seed(rng)} if commitment is not None and "salt" in commitment.fields else {}
                published = commitment or pf.Hash("sha256", "{server_seed}")
                first["commitment"] = str(
                    published.hexdigest(**{name: first[name] for name in published.fields})
                )
            bets = rng.choice([1, 1, 3]) if "round" in names else 1
            for number in range(bets):
                name = f"p{player}, renamed" if place == renamed else name
                row = {**first, "player": name, "time": time, "nonce": nonce, "round": number}
                rows.append(row)
                life.append(row)
            nonce, left = nonce + 1, left - 1
        revealed = time + timedelta(hours=1) if rng.random() < 0.5 else None
        for row in life:
            row["reveal_time"] = revealed
    return rows


def announced(rng: random.Random, count: int) -> list[str]:
    """Return seeds of an announced chain: each hashes to the one used before."""
    seeds = [seed(rng)]
    for _ in range(count):
        seeds.append(hashlib.sha256(seeds[-1].encode()).hexdigest())
    return seeds


def by_other_clocks(rng: random.Random, rows: Rows) -> None:
    """Shift times like machines whose clocks differ by less than a second."""
    off = {name: timedelta(seconds=rng.uniform(-0.5, 0.5)) for name in TIMES}
    for row in rows:
        for name in TIMES:
            if row.get(name) is not None:
                late = rng.uniform(0, 0.4) if name == "time" else 0
                row[name] += off[name] * (name != "time") + timedelta(seconds=late)


def salted(rng: random.Random, game: Any, count: int) -> Rows:
    """Return rounds with a salt each; multi-player games have a row per bet."""
    series = seed(rng)
    salts = pf.salts(count, series).astype("U").tolist()
    server, own, rows = seed(rng), client(rng, game), []
    for number, salt in enumerate(salts):
        if rng.random() < 0.02:
            server, own = seed(rng), client(rng, game)
        for better in range(rng.randint(1, 3) if game.multiplayer else 1):
            row = {"salt": salt, "time": START + timedelta(seconds=number), "player": f"p{better}"}
            row["salt_commitment"] = hashlib.sha256(salt.encode()).hexdigest()
            row["commitment_time"] = START + timedelta(seconds=number - 1)
            if not game.multiplayer:
                row |= {"server_seed": server, "client_seed": own}
            rows.append(row)
    return rows


def chained(rng: random.Random, game: Any, count: int) -> tuple[Rows, str]:
    """Return games of a chain, with a row each or one per bet."""
    chain = game.kind.chain
    hashes = chain.generate(seed(rng), games=count + rng.randrange(200))
    end = chain.terminating(hashes)
    first = rng.randint(0, len(hashes) - count)
    bets = rng.random() < 0.5
    rows: Rows = []
    for number, game_hash in enumerate(hashes[first : first + count].astype("U").tolist()):
        for better in range(rng.randint(0, 3) if bets else 1):
            rows.append({"game_hash": game_hash, "time": START + timedelta(seconds=10 * number)})
            rows[-1] |= {"player": f"p{better}", "stake": 1.0} if bets else {}
    return rows or [{"game_hash": str(hashes[first].decode()), "time": START}], end


def hashed_dice(rng: random.Random, count: int) -> Rows:
    rows: Rows = []
    for _ in range(count):
        dice = fpclub.HashedDice("".join(rng.choices("123456", k=40)))
        rows.append({"digits": dice.digits, "hash": dice.hash})
    return rows


def overlapping(rng: random.Random, rows: Rows) -> Rows:
    """Return rows as two overlapping exports."""
    start, stop = sorted(rng.randrange(len(rows) + 1) for _ in range(2))
    both = rows[:stop] + [dict(row) for row in rows[start:]]
    if stop - start > 2 and rng.random() < 0.5:
        lost = rng.choice(both)
        lost |= {"time": None} if "time" in lost else {}
    return both


def bets(rng: random.Random, rows: Rows, claim: dict[str, float]) -> None:
    """Add stakes and payouts as operators write them, in the smallest units of some currencies."""
    codes = rng.choice([[""], ["USD"], ["btc", "EUR", "JPY"], ["KWD", "ETH", "usdt"], ["HUF", "IDR"]])
    case = rng.choice(["money", "money", "free", "void", "display", "minor"])
    rate = Decimal(rng.randint(10**4, 10**9)).scaleb(-6)
    for row in rows:
        code, won = rng.choice(codes), row["outcome"] < claim["under"]
        places = {"JPY": 0, "HUF": 0, "IDR": 0, "KWD": 3, "btc": 8, "ETH": 8, "usdt": 6}.get(code, 2)
        places = 0 if case == "minor" else places
        stake = Decimal(rng.randint(150, 10**5)).scaleb(-places)
        paid = stake * Decimal(str(claim["payout"])) * won
        if case == "free" and rng.random() < 0.2:
            stake = paid = Decimal(0)
        row["status"] = rng.choice(["settled", "Won" if won else "Lost", ""])
        if case == "void" and rng.random() < 0.1:
            row["status"], paid = rng.choice(["void", "Refunded", "CANCELLED"]), stake
        if code:
            row["currency"] = code
        if case == "display":
            row["display_currency"], places = "CHF", 2
            stake, paid = (
                amount * rate for amount in (stake + 1, paid + Decimal(str(claim["payout"])) * won)
            )
        cut = ROUND_HALF_EVEN if case == "display" else ROUND_DOWN
        unit = Decimal(1).scaleb(-places)
        row["stake"], row["payout"] = (f"{amount.quantize(unit, cut):f}" for amount in (stake, paid))


def in_local_time(rng: random.Random, rows: Rows) -> None:
    """Add times without a zone, within hours of the end of summer time."""
    zone, turn = rng.choice([*SUMMER_ENDS.items()])
    moved = turn - START - timedelta(minutes=rng.randrange(900))
    for row in rows:
        for name in TIMES:
            if row.get(name) is not None:
                row[name] = (row[name] + moved).astimezone(ZoneInfo(zone)).replace(tzinfo=None)


def stored(rng: random.Random, rows: Rows, *, local: bool = False) -> Any:
    """Return rows as a log in a random storage."""
    how = rng.choice(["lists", "pandas", "rows", "text"])
    names = list(dict.fromkeys(name for row in rows for name in row))
    forms = [
        lambda time: time,
        lambda time: time.isoformat(),
        lambda time: time.timestamp(),
        lambda time: time.isoformat(timespec="minutes"),
    ]
    for name in TIMES:
        form = rng.choice([form for place, form in enumerate(forms) if place != 2 or not local])
        for row in rows:
            if row.get(name) is not None:
                row[name] = form(row[name])
    if how == "rows":
        return rows
    columns: dict[str, Any] = {name: [row.get(name) for row in rows] for name in names}
    if type(rows[0].get("outcome")) is float and ("hold" in names or "actions" in names):
        columns["outcome"] = np.array(columns["outcome"], rng.choice([np.float32, np.float64]))
    if how == "text":  # as a CSV file stores it
        flat = {"nonce", "round"}
        return {
            name: [str(cell) for cell in column] if name in flat else column
            for name, column in columns.items()
        }
    if how == "pandas":
        import pandas as pd

        return pd.DataFrame(columns)
    return columns


def honest(game: Any, rng: random.Random, most: int = 200) -> tuple[Any, dict[str, Any]]:
    """Return an honest log of a game, and the arguments of its audit."""
    count, options = rng.randint(1, most), {}
    if game is fpclub.HashedDice:
        return stored(rng, hashed_dice(rng, count)), {}
    names = fields_of(game)
    if "game_hash" in names:
        rows, end = chained(rng, game, count)
        options = {"terminating": end} if rng.random() < 0.7 else {}
        orders = ["played", "backward"] + (["shuffled"] if options else [])
    else:
        rows = salted(rng, game, count) if "nonce" not in names else lives(rng, game, count)
        orders = ["played", "time", "backward", "shuffled", "player"]
    order = rng.choice(orders)
    if order in ("time", "backward"):
        rows.sort(key=lambda row: row["time"])
    if order == "backward":
        rows.reverse()
    elif order == "shuffled":
        rng.shuffle(rows)
    elif order == "player":
        rows.sort(key=lambda row: row.get("player", ""))
    if rng.random() < 0.4 and order != "shuffled" and len(rows) > 3:
        start = rng.randrange(len(rows) - 1)
        rows = rows[start : rng.randint(start + 1, len(rows))]
    if rng.random() < 0.3 and "nonce" in names:
        rows = [row for row in rows if row.get("reveal_time") is not None] or rows
    if rng.random() < 0.3 and "nonce" in names:
        by_other_clocks(rng, rows)
        if order in ("time", "backward"):
            rows.sort(key=lambda row: row["time"], reverse=order == "backward")
    outcomes = play(game, rows)
    for row, outcome in zip(rows, outcomes, strict=True):
        row["outcome"] = outcome
    table = getattr(game, "table", None) if hasattr(game, "replay") else None
    if table is not None:
        hands(rng, game, rows)
    money = getattr(game, "name", "") in ("dice", "stake.dice") and rng.random() < 0.7
    if money:
        claim = {"under": 49.5, "payout": 1.98}
        bets(rng, rows, claim)
        options = {**options, "bet": game.bet(**claim)}
    if "game_hash" not in names and rng.random() < 0.2:
        rows = overlapping(rng, rows)
    needed = {*names, "outcome", "stake", "payout", "currency", "display_currency", "status"}
    needed |= {"time"} if len(rows) > len(outcomes) else {"player"} if "game_hash" in names else set()
    scheme = getattr(game, "scheme", None)
    if scheme is not None and scheme.commitment is not None:
        needed |= {*scheme.commitment.fields}
    needed |= set() if table is None else {table.choice}
    every = {name for row in rows for name in row}
    dropped = {name for name in sorted(every - needed) if rng.random() < 0.25}
    dropped |= (every & {"nonce", "round"}) - set(names)
    rows = [{n: cell for n, cell in row.items() if n not in dropped} for row in rows]
    local = rng.random() < 0.2
    if local:
        in_local_time(rng, rows)
    return stored(rng, rows, local=local), options


def audited(number: int) -> tuple[str, int, list[tuple[str, str]]]:
    """Return the system of a log, its number of rows, and the severity and kind of each finding."""
    all_games = games()
    game = all_games[number % len(all_games)]
    log, options = honest(game, random.Random(f"honest log {number}"))
    report = pf.audit(log, game, threads=1, **options)
    assert report.verification.ok, (number, str(report.verification))
    serious = [finding for finding in report.findings if finding.severity != "note"]
    for finding in serious:
        print(number, game, finding)
    name = getattr(game, "name", getattr(game, "__name__", type(game).__name__))
    return name, report.verification.checked, [(finding.severity, finding.kind) for finding in serious]


def main() -> None:
    from concurrent.futures import ProcessPoolExecutor  # which not every system has

    logs = int(sys.argv[1]) if len(sys.argv) > 1 else LOGS
    with ProcessPoolExecutor() as pool:
        results = list(pool.map(audited, range(logs), chunksize=10))
    raised = [one for _, _, findings in results for one in findings]
    one = {
        "command": "python measurements/measure_honest_logs.py",
        "logs": logs,
        "rows": sum(rows for _, rows, _ in results),
        "systems": dict(sorted(Counter(name for name, _, _ in results).items())),
        "proofs": dict(Counter(kind for severity, kind in raised if severity == "proof")),
        "evidence": dict(Counter(kind for severity, kind in raised if severity == "evidence")),
    }
    if logs >= LOGS:
        RESULTS.write_text(json.dumps(one, indent=1) + "\n", encoding="utf-8")
    print(json.dumps({name: one[name] for name in ("logs", "rows", "proofs", "evidence")}))


if __name__ == "__main__":
    main()
