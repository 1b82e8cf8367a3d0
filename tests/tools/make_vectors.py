"""Makes the vectors with which `cargo test` checks the engine: tests/vectors/oracle_*.tsv.

    python tests/tools/make_vectors.py

All values come from the oracles in plain Python; nothing here uses the package. A line is a kind and its
fields, separated by tabs; the cells of a list are separated by commas. `tests/vectors.rs` reads them.
"""

from __future__ import annotations

import math
import random
import struct
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import folders
import oracles.blackjack
import oracles.salted
import oracles.schemes
import oracles.video_poker

FOLDER = folders.VECTORS

Line = tuple[object, ...]


def join_cells(values: object) -> str:
    """Return nested numbers as one flat list."""
    if isinstance(values, (list, tuple)):
        return ",".join(filter(None, map(join_cells, values)))
    return str(values)


def bits(value: float) -> str:
    return struct.pack(">d", value).hex()


# ---- salted rounds ----

# Seeds of every relevant length: none, text beyond ASCII, 64 characters, more than a block of SHA-512.
SEEDS = [
    ("", "", ""),
    ("server", "client", "salt"),
    ("сервер", "клиент ♣", "é"),
    ("a:b", ":", "0:"),
    ("5" * 64, "c" * 64, "d" * 64),
    ("s" * 55, "c" * 117, "x" * 9),
    ("s" * 200, "c" * 300, "x" * 130),
]

ROUNDS: dict[str, list[tuple[int, ...]]] = {
    "mines": [(mines,) for mines in (1, 2, 3, 5, 12, 23, 24)],
    "tower": [(mines,) for mines in (1, 2, 3, 4)],
    "slot": [(1,), (2,), (7,), (180,)],
    "plinko": [(8, 1), (9, 2), (12, 5), (15, 3), (16, 1), (16, 3), (10, 100)],
    "dice": [()],
    "double": [()],
    "jackpot": [(1,), (2,), (1000,), (999_983,), (2**53,)],
    "crash": [()],
    "overgo": [()],
    "x50": [()],
}
PARAMETERS = {"mines": ["mines"], "tower": ["mines"], "slot": ["spins"], "plinko": ["pins", "balls"]} | {
    "jackpot": ["tickets"]
}
HUNDREDTHS = {"dice", "crash", "overgo"}


def outcome(name: str, parameters: tuple[int, ...], seeds: tuple[str, str, str]) -> list[int]:
    """Return the cells of a round's outcome, hundredths as integers."""
    options = dict(zip(PARAMETERS.get(name, []), parameters, strict=True))
    value = oracles.salted.GAMES[name](*seeds, **options)
    if name in HUNDREDTHS:
        value = round(value * 100)
    return [int(cell) for cell in join_cells(value).split(",")]


def words(rng: random.Random) -> list[int]:
    """Return words as integers: random ones, and ones next to a change of rounding or answer."""
    sampled = [0, 1, 255, 256, 2**16, 2**53, 2**64 - 1, 2**64 - 2**10, 2**64 - 2**11, 2**64 - 2**12]
    sampled += [rng.getrandbits(64) for _ in range(60)]
    sampled += [rng.getrandbits(48) << 16 | tail for tail in (0, 1, 255, 256, 65535) for _ in range(4)]
    return sampled


def salted() -> Iterator[Line]:
    rng = random.Random("salted")
    for server, client, salt in SEEDS:
        yield "key", server, salt, oracles.salted.key(server, salt)
        for cursor in (0, 1, 9, 10, 123456789):
            block = oracles.salted.random_bytes(server, client, salt, cursor).hex()
            yield "bytes", server, client, salt, cursor, block
    for seed, start in (("", 0), ("0", 7), ("серия", 99_999)):
        for index, salt in enumerate(oracles.salted.salts(3, seed, start), start):
            yield "salt", seed, index, salt
    for word in words(rng):
        yield "number", f"{word:016x}", bits(oracles.salted.number(word))
    for n in (1, 2, 5, 15, 25, 30, 41, 54, 10001, 1000000, 2**53):
        for _ in range(4):
            edge = min(rng.randrange(n) * 2**64 // n, 2**64 - 1)
            for word in {max(edge - 1, 0), edge, min(edge + 2**10, 2**64 - 1)}:
                yield "below", f"{word:016x}", n, oracles.salted.below(oracles.salted.number(word), n)
    values = [0.0, 5e-324, 1e-300, 0.0009765625, math.nextafter(0.0009765625, 0), 0.005, 0.125, 0.375, 2.5]
    values += [math.nextafter(0.005, 0), math.nextafter(0.015, 1), 1.005, 8.345, 950000.0, 970000.0, 9e13]
    values += [rng.random() * 10 ** rng.randrange(-4, 14) for _ in range(60)]
    values += [(2 * rng.randrange(10 ** rng.randrange(1, 6)) + 1) / 8 for _ in range(20)]
    for value in values:
        yield "fixed", bits(value), int(oracles.salted.to_fixed_by_fractions(value, 2) * 100)

    for name, sets in ROUNDS.items():
        for parameters in sets:
            large = math.prod(parameters) > 400 and name in ("slot", "plinko")
            for seeds in SEEDS[:1] if large else SEEDS:
                yield (
                    "round",
                    name,
                    join_cells(parameters),
                    *seeds,
                    join_cells(outcome(name, parameters, seeds)),
                )
    # Many rounds, for lanes, threads and counts.
    for name, sets in ROUNDS.items():
        for parameters in sets[:3]:
            cells = [
                outcome(name, parameters, ("server", "client", salt)) for salt in oracles.salted.salts(40)
            ]
            yield "series", name, join_cells(parameters), join_cells(cells)

    # The content of the walk-through: the numbers of a round, and every step of its shuffles.
    for seeds in SEEDS[:4]:
        drawn = oracles.salted.random_numbers(*seeds, 48)
        yield "numbers", *seeds, ",".join(map(bits, drawn))
        for name, edge in oracles.salted.EDGES.items():
            step = oracles.salted.below(drawn[0], 1000000)
            yield "note", name, "", *seeds, bits(oracles.salted.coefficient_before_rounding(step, edge))
        for size, starts in ((25, [0]), (5, range(0, 40, 4))):
            for start in starts:
                for index, left, taken in oracles.salted.shuffle_steps(drawn[start : start + size - 1], size):
                    yield "step", *seeds, start, size, index, join_cells(left), join_cells(taken)
    for name, edge in oracles.salted.EDGES.items():
        for k in (0, 1, 2431, 12159, 500000, 949998, 949999, 950000, 999999):
            cents = round(100 * oracles.salted.coefficient(k, edge))
            yield "coefficient", name, "", k, bits(oracles.salted.coefficient_before_rounding(k, edge)), cents
    # Laws of games with a single number: how many of the 2**64 words give each outcome.
    for name in ("double", "x50", "jackpot"):
        outcomes = {"double": 15, "x50": 54, "jackpot": 37}[name]
        counts = oracles.salted.counts(outcomes)
        yield "law", name, "37" if name == "jackpot" else "", join_cells(counts)


# ---- blackjack ----

CHOICES = {
    **oracles.blackjack.CHOICES,
    "blackjack_pays": [Fraction(6, 5), Fraction(3, 2), Fraction(1), Fraction(2)],
}


def outcome_word(rules: dict, played: dict, place: int) -> str:
    """Return the result of a hand as one word."""
    hand, net = played["hands"][place], played["nets"][place]
    hands = len(played["hands"])
    dealer_blackjack = len(played["dealer"]) == 2 and oracles.blackjack.total(played["dealer"])[0] == 21
    total = oracles.blackjack.total(hand)[0]
    natural = total == 21 and len(hand) == 2 and (hands == 1 or rules["ten_ace_after_split"] == "blackjack")
    if dealer_blackjack and place > 0 and rules["hole_card"] != "all_bets":
        return "returned"
    if played["actions"][-1:] == ("surrender",) and net == Fraction(-1, 2):
        return "surrender"
    if total > 21:
        return "bust"
    if natural and net > 0:
        return "blackjack"
    return "win" if net > 0 else "loss" if net < 0 else "push"


def blackjack_rounds(wanted: int) -> Iterator[Line]:
    rng = random.Random("blackjack")
    while wanted:
        rules = {name: rng.choice(values) for name, values in CHOICES.items()}
        # Few ranks, so that pairs, aces and blackjacks are common.
        kinds = [*rng.sample(range(13), rng.choice([2, 3, 6])), 0, 9]
        cards = [rng.choice(kinds) + 13 * rng.randrange(16) for _ in range(40)]
        if rng.random() < 0.2:
            cards[2:4] = rng.choice([[0, 9], [9, 0], [12, 13]])
        style = rng.random()
        decisions: list[str] = []

        def choose(
            hand: list[int], upcard: int, legal: list[str], style: float = style, decisions: list = decisions
        ) -> str:
            action = "split" if "split" in legal and style < 0.7 else rng.choice(legal)
            decisions.append(f"{'/'.join(legal)}>{action}")
            return action

        played = oracles.blackjack.play(rules, cards, choose)
        seen = [card for part in (*played["hands"], played["dealer"]) for card in part]
        yield (
            "round",
            *(rules[name] for name in CHOICES),
            join_cells(cards[: len(seen)]),
            ",".join(decisions),
            ";".join(map(join_cells, played["hands"])),
            join_cells(played["bets"]),
            join_cells(played["dealer"]),
            ",".join(map(str, played["nets"])),
            ",".join(outcome_word(rules, played, place) for place in range(len(played["hands"]))),
        )
        wanted -= 1


def blackjack() -> Iterator[Line]:
    yield from blackjack_rounds(700)
    for number in range(20):
        seeds = (f"server {number}", f"client {number * number}", str(number) if number % 2 else "")
        yield "shoe", *seeds, join_cells(oracles.blackjack.shoe(*seeds, cards=52))
    full = oracles.blackjack.full_shoe(4)
    ends = [17, 18, 19, 20, 21, "bust", "blackjack"]
    for upcard in range(1, 11):
        for seen in [(), (5, 10, 10), (1, 1, 2, 4, 9)]:
            left = oracles.blackjack.without(full, upcard, *seen)
            chances = oracles.blackjack.dealer_chances(left, upcard, upcard == 1, 1)
            cells = ",".join(bits(float(chances.get(end, 0))) for end in ends)
            yield "dealer", upcard, join_cells(list(seen)), cells


# ---- video poker ----


def hands_of_every_kind(rng: random.Random) -> list[list[int]]:
    """Return several hands of each category, and every rank of a pair and of four of a kind."""
    hands: list[list[int]] = []
    wanted = dict.fromkeys(
        ["nothing", "two pair", "three of a kind", "straight", "flush", "full house", "straight flush"], 12
    )
    ranks = range(13)
    for rank in ranks:
        others = rng.sample([other for other in ranks if other != rank], 3)
        hands.append([rank, rank + 13, *(other + 26 for other in others)])
        kickers = [*rng.sample([other for other in ranks if other != rank], 4), 0, 1, 3, 4]
        four = [rank, rank + 13, rank + 26, rank + 39]
        hands += [[*four, kicker + 13 * rng.randrange(4)] for kicker in kickers if kicker != rank]
    hands += [[suit * 13 + rank for rank in (0, 9, 10, 11, 12)] for suit in range(4)]
    hands += [[suit * 13 + rank for rank in (0, 1, 10, 11, 12)] for suit in range(4)]
    hands += [[0, 1 + 13, 2, 3, 4], [8, 9 + 13, 10, 11, 12], [0, 9, 10, 11 + 39, 12], [12, 0, 1, 2 + 13, 3]]
    while any(wanted.values()):
        base = rng.randrange(9)
        hand = rng.choice(
            [
                rng.sample(range(52), 5),
                [card + 13 * rng.randrange(4) for card in range(base, base + 5)],
                [card + 13 for card in rng.sample(range(13), 5)],
                [card + 26 for card in range(base, base + 5)],
                [base, base + 13, *rng.sample([base + 26, base + 39, base + 1, base + 14, base + 27], 3)],
            ]
        )
        kind = oracles.video_poker.category(hand)
        if len(set(hand)) == 5 and wanted.get(kind):
            wanted[kind] -= 1
            hands.append(hand)
    for hand in hands:
        rng.shuffle(hand)
    return hands


def video_poker() -> Iterator[Line]:
    rng = random.Random("video poker")
    names = list(oracles.video_poker.PAYTABLES)
    for hand in hands_of_every_kind(rng):
        pays = [oracles.video_poker.paid(name, hand) for name in names]
        yield "hand", join_cells(hand), oracles.video_poker.category(hand), join_cells(pays)
    for number in range(60):
        seeds = (f"server {number}", f"client {number * number}", str(number) if number % 2 else "")
        cards = oracles.video_poker.deal(oracles.video_poker.digest(*seeds))
        hold = rng.randrange(32)
        rest = iter(cards[5:])
        final = [cards[place] if hold >> place & 1 else next(rest) for place in range(5)]
        pays = [oracles.video_poker.paid(name, final) for name in names]
        category = oracles.video_poker.category(final)
        yield "deal", *seeds, join_cells(cards), hold, join_cells(final), category, join_cells(pays)
    every = oracles.video_poker.AllHands()
    hands = [rng.sample(range(52), 5) for _ in range(6)]
    hands += [[0, 13, 26, 39, 12], [9, 10, 11, 12, 0], [10, 23, 5, 18, 2], [8, 9, 10, 11, 26]]
    for hand in hands:
        counts = every.by_hold(hand)
        for name in names:
            yield "holds", join_cells(hand), name, join_cells([*map(str, every.hold_values(counts, name))])


# ---- schemes ----

# Message and key are templates of `a`, text, and `b`, hex text; a hash as key is written `name|template`.
TEMPLATES = [
    ("{a}", ""),
    ("{a}:{b}:{cursor}", ""),
    ("{b:bytes}{cursor}", "{a}"),
    ("{a}-{cursor}", "{b:bytes}"),
    ("{cursor}", "sha256|{a}:{b}"),
    ("ü{a}", "md5|{b:bytes}"),
]
TEXTS = [("", ""), ("seed ü", "00ff"), ("s" * 55, "AB" * 32), ("t" * 120, "cd" * 64), ("x" * 200, "ef" * 65)]
CUTS = [(4, 3), (8, None), (12, 1), (20, 2), (32, None), (32, 1), (52, None), (56, None), (60, 2), (64, None)]
RANGES = [1, 2, 3, 6, 7, 9, 16, 40, 54, 200, 10_001, 1_000_000]


def parts(name: str, message: str, key: str) -> dict[str, object]:
    """Return a hash as `oracles.schemes` takes it."""
    algorithm, bar, template = key.partition("|")
    nested = {"name": algorithm, "message": template} if bar else key
    return {"name": name, "message": message} | ({"key": nested} if key else {})


def schemes() -> Iterator[Line]:
    rng = random.Random("schemes")
    for name in ("md5", "sha1", "sha256", "sha384", "sha512"):
        for message, key in TEMPLATES:
            hash = parts(name, message, key)
            for a, b in TEXTS:
                for cursor in (0, 2**64 - 1) if b else (10,):
                    digest = oracles.schemes.digest(hash, {"a": a, "b": b}, cursor).hex()
                    yield "digest", name, message, key, a, b, cursor, digest
            for bits, used in CUTS:
                for rule in ("scale", "modulo", "reject"):
                    if rule == "scale" and bits in (56, 60):
                        continue
                    first = rng.choice([0, 1, 99]) if "{cursor}" in message + key else 0
                    scheme = {"hash": hash, "bits": bits, "words": used, "below": rule, "first_cursor": first}
                    a, b = TEXTS[1]
                    round = oracles.schemes.Round(scheme, {"a": a, "b": b})
                    asked: list[str] = []
                    answers: list[str] = []
                    for _ in range(15):
                        kind = rng.choice(["below", "below", "below", "word", "skip"])
                        n = rng.choice([n for n in RANGES if n <= 2**bits])
                        asked.append({"below": str(n), "word": "word", "skip": f"skip {n % 5}"}[kind])
                        if kind == "skip":
                            round.skip(n % 5)
                            continue
                        try:
                            answers.append(str(round.below(n) if kind == "below" else round.word()))
                        except oracles.schemes.RanOutError:
                            answers.append("none")
                            break
                    yield (
                        "draws",
                        *(name, message, key, a, b),
                        *(bits, used or 0, rule, first),
                        ",".join(asked),
                        ",".join(answers),
                    )


FILES: dict[str, Callable[[], Iterator[Line]]] = {
    "salted": salted,
    "blackjack": blackjack,
    "video_poker": video_poker,
    "schemes": schemes,
}


def write_lines(name: str) -> str:
    """Return the text of a file."""
    return "".join("\t".join(map(str, line)) + "\n" for line in FILES[name]())


def main() -> None:
    for name in FILES:
        (FOLDER / f"oracle_{name}.tsv").write_text(write_lines(name), encoding="utf-8")


if __name__ == "__main__":
    main()
