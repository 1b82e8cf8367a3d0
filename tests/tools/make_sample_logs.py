"""Writes the sample logs in examples/logs with the oracles alone: rounds of each system, with defects.

    python tests/tools/make_sample_logs.py

Nothing here uses the package. `defects.json` beside the logs names each log's game, and its wrong rows with
their defects; the demo and the tests compare the verdicts with it.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import folders
import oracles.blackjack
import oracles.fpclub
import oracles.gallery
import oracles.salted
import oracles.video_poker

FOLDER = folders.LOGS
ROWS = 200


def seed_text(rng: random.Random) -> str:
    return rng.randbytes(32).hex()


def salted(rng: random.Random, name: str, parameters: dict | None = None) -> list[dict]:
    server, client = oracles.salted.CONSTANT_SEEDS.get(name, (seed_text(rng), "my lucky seed"))
    rows = []
    for i in range(ROWS):
        if i % 50 == 0 and name not in oracles.salted.CONSTANT_SEEDS:
            server = seed_text(rng)
        salt = seed_text(rng)
        varying = {key: rng.randint(*limits) for key, limits in (parameters or {}).items()}
        outcome = oracles.salted.GAMES[name](server, client, salt, **varying)
        rows.append(
            {"server_seed": server, "client_seed": client, "salt": salt, **varying, "outcome": outcome}
        )
        if name == "dice":
            rows[-1]["commitment"] = oracles.salted.sha256_hex(server)
    return rows


def mines() -> tuple[str, list[dict], list]:
    rng = random.Random("mines")
    rows = salted(rng, "mines", {"mines": (1, 24)})
    rows[17]["outcome"][0] = (rows[17]["outcome"][0] + 1) % 25
    rows[101]["salt"] = rows[101]["salt"][:-1] + ("0" if rows[101]["salt"][-1] != "0" else "1")
    rows[150]["mines"] = 25
    return "mines", rows, [[17, "mismatch"], [101, "mismatch"], [150, "malformed"]]


def dice() -> tuple[str, list[dict], list]:
    rows = salted(random.Random("dice"), "dice")
    rows[42]["outcome"] = round(100 - rows[42]["outcome"], 2)
    rows[77]["commitment"] = oracles.salted.sha256_hex("another seed")
    rows[120]["outcome"] = "n/a"
    return "dice", rows, [[42, "mismatch"], [77, "commitment"], [120, "malformed"]]


def crash() -> tuple[str, list[dict], list]:
    rows = salted(random.Random("crash"), "crash")
    for row in rows:
        del row["server_seed"], row["client_seed"]  # publicly known constants
        row["outcome"] = f"{row['outcome']:.2f}"
    rows[9]["outcome"] = "1.00" if rows[9]["outcome"] != "1.00" else "2.00"
    rows[60]["outcome"] = None
    return "crash", rows, [[9, "mismatch"], [60, "missing"]]


def video_poker() -> tuple[str, list[dict], list]:
    rng = random.Random("video poker")
    rows = []
    for i in range(ROWS):
        server, client = seed_text(rng), f"player {i % 3}"
        cards = oracles.video_poker.deal(oracles.video_poker.digest(server, client, str(i)))
        rows.append(
            {
                "server_seed": server,
                "client_seed": client,
                "nonce": str(i),
                "commitment": oracles.salted.sha256_hex(server),
                "outcome": " ".join(oracles.video_poker.CARD_NAMES[card] for card in cards),
            }
        )
    cards = rows[30]["outcome"].split()
    cards[0], cards[1] = cards[1], cards[0]
    rows[30]["outcome"] = " ".join(cards)
    rows[99]["commitment"] = rows[98]["commitment"]
    return "video-poker", rows, [[30, "mismatch"], [99, "commitment"]]


def blackjack() -> tuple[str, list[dict], list]:
    """Shoes: the cards of the hash, as many as are dealt."""
    rng = random.Random("blackjack")
    rows = []
    for i in range(ROWS):
        server, client = seed_text(rng), f"player {i % 3}"
        shoe = oracles.blackjack.shoe(server, client, str(i))
        rows.append({"server_seed": server, "client_seed": client, "nonce": str(i), "outcome": shoe})
    rows[55]["outcome"][3] = (rows[55]["outcome"][3] + 52) % 208  # the same card from another deck
    rows[180]["client_seed"] = "player 9"
    return "blackjack", rows, [[55, "mismatch"], [180, "mismatch"]]


def hashed_dice() -> tuple[str, list[dict], list]:
    rng = random.Random("hashed dice")
    rows = []
    for _ in range(20):
        digits = "".join(rng.choice("123456") for _ in range(240))
        rows.append({"digits": digits, "hash": oracles.fpclub.digest(digits, "md5")})
    rows[3]["digits"] = rows[3]["digits"][:100] + rows[3]["digits"][101:]
    rows[11]["digits"] = rows[11]["digits"][:50] + "7" + rows[11]["digits"][51:]
    return "hashed-dice", rows, [[3, "mismatch"], [11, "malformed"]]


def combined_dice() -> tuple[str, list[dict], list]:
    rng = random.Random("combined dice")
    rows = []
    for _ in range(ROWS):
        first, second = ([rng.randint(1, 6) for _ in range(2)] for _ in range(2))
        throw = map(oracles.fpclub.combine, first, second)
        rows.append(
            {
                "first": "".join(map(str, first)),
                "second": "".join(map(str, second)),
                "outcome": "".join(map(str, throw)),
            }
        )
    wrong = rows[64]["outcome"]
    rows[64]["outcome"] = wrong[0] + str(int(wrong[1]) % 6 + 1)
    return "combined-dice", rows, [[64, "mismatch"]]


def stake_export() -> tuple[str, list[dict], list]:
    """Stake's dice in the columns of its player export, without defects."""
    rows = []
    for pair in range(3):
        server_seed = oracles.salted.sha256_hex(f"demo operator {pair}")
        for nonce in range(20):
            dice = oracles.gallery.nonce_dice(server_seed, f"player-{pair + 1}", nonce)
            rows.append(
                {
                    "game": "Dice",
                    "server_seed_hashed": oracles.salted.sha256_hex(server_seed),
                    "server_seed": server_seed,
                    "client_seed": f"player-{pair + 1}",
                    "nonce": nonce,
                    "result": f"{dice:.2f}",
                }
            )
    return "stake.dice", rows, []


def as_csv(rows: list[dict]) -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0], lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({k: json.dumps(v) if isinstance(v, list) else v for k, v in row.items()})
    return text.getvalue().encode()


def as_json_lines(rows: list[dict]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


LOGS = {
    "mines.jsonl": (mines, as_json_lines),
    "dice.csv.gz": (dice, lambda rows: gzip.compress(as_csv(rows), mtime=0)),
    "crash.csv": (crash, as_csv),
    "video_poker.csv": (video_poker, as_csv),
    "blackjack.jsonl": (blackjack, as_json_lines),
    "hashed_dice.csv": (hashed_dice, as_csv),
    "combined_dice.jsonl": (combined_dice, as_json_lines),
    "stake_export.csv": (stake_export, as_csv),
}


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    defects = {}
    for name, (make, write) in LOGS.items():
        game, rows, planted = make()
        (FOLDER / name).write_bytes(write(rows))
        defects[name] = {"game": game, "rows": len(rows), "defects": planted}
    (FOLDER / "defects.json").write_text(json.dumps(defects, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
