"""Random logs with planted defects, from every system and in every storage format.

    python tests/tools/random_logs.py [how many] [seed]

Rows are generated and judged by the oracles alone, in plain Python; the package only verifies. A log whose
verdicts differ from the oracles' is printed, and ends the run with an error. A summary is written to
`tests/vectors/random_logs.json`. 20,000 logs take a few minutes.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import hashlib
import hmac
import io
import json
import random
import re
import sqlite3
import sys
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import folders
import numpy as np
import pandas as pd
import polars as pl
import provably_fair as pf
import pyarrow as pa
import pyarrow.dataset
import pyarrow.feather
import pyarrow.parquet
from oracles import blackjack, fpclub, salted, video_poker
from oracles.salted import sha256_hex as sha256

RESULTS = folders.VECTORS / "random_logs.json"
Row = dict[str, Any]

SEEDS = ["", "a", "ü" * 70, 'say "a,b"', "two\nlines", " spaced ", "♣", "7", "null", "a:b"]


def text_seed(rng: random.Random) -> str:
    return rng.randbytes(32).hex() if rng.random() < 0.7 else rng.choice(SEEDS)


def is_blank(cell: object) -> bool:
    return cell is None or (isinstance(cell, str) and not cell.strip())


def number_in(cell: object) -> Fraction | None:
    """Return the exact number in a cell; None if there is none."""
    if isinstance(cell, bool):
        return None
    if isinstance(cell, (int, float)):
        return Fraction(str(cell))
    if isinstance(cell, str):
        text = cell.strip()
        if re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", text):
            return Fraction(Decimal(text))
    return None


def list_in(cell: object) -> list | None:
    """Return the list in a cell; None if there is none."""
    if isinstance(cell, str):
        try:
            cell = json.loads(cell)
        except ValueError:
            return None
    return cell if isinstance(cell, list) else None


def flat(cells: object) -> list:
    return [item for cell in cells for item in flat(cell)] if isinstance(cells, list) else [cells]


def judge_outcome(cell: object, right: object, *, ordered: bool = True) -> str | None:
    """Return the fault of a logged outcome: a number, or lists nested as expected or flat.

    The values of a set may have any order.
    """
    if is_blank(cell):
        return "missing"
    if isinstance(right, list):
        cells = list_in(cell)
        if cells is not None and all(number_in(item) is not None for item in flat(cells)):
            logged, drawn = ([number_in(item) for item in flat(each)] for each in (cells, right))
            same = logged == drawn if ordered else sorted(logged) == sorted(drawn)
            nested = json.dumps(shape(cells)) in (json.dumps(shape(right)), json.dumps(shape(flat(right))))
            return None if same and nested else "mismatch"
        if len(flat(right)) > 1:
            return "malformed"
        (right,) = flat(right)
    number = number_in(cell)
    return "malformed" if number is None else None if number == number_in(right) else "mismatch"


def shape(cells: object) -> object:
    return [shape(cell) for cell in cells] if isinstance(cells, list) else 0


# ---- systems ----


class System:
    """Rows of one system, and the rules to judge them."""

    subject: object
    ordered = True
    seeds: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    """Columns in which empty text is a value; elsewhere it is a missing cell."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def row(self) -> Row:
        raise NotImplementedError

    def bad(self, row: Row) -> list[tuple[str, str]]:
        """Return the columns for which a row can't be played, each with its kind of failure."""
        return self.missing(row, *self.seeds)

    def judge(self, row: Row) -> list[tuple[str, str]]:
        """Return the wrong columns, each with its kind of failure."""
        bad = self.bad(row)
        wrong = None if bad else self.judge_outcome(row)
        return bad + ([("outcome", wrong)] if wrong else []) + self.judge_commitments(row, readable=not bad)

    def judge_outcome(self, row: Row) -> str | None:
        """Return the fault of the outcome of a row that can be played."""
        return judge_outcome(row["outcome"], self.right(row), ordered=self.ordered)

    def right(self, row: Row) -> object:
        """Return the outcome of a row that can be played."""
        raise NotImplementedError

    def round(self, row: Row) -> object:
        """Return the input of the hash of a row's round; None if the row has none."""
        raise NotImplementedError

    def respelled(self, row: Row) -> Row:
        """Return the same round in another spelling, if it allows one."""
        return dict(row)

    def commitments(self, row: Row) -> Iterator[tuple[str, str]]:
        """Yield commitment fields with their correct values."""
        return iter(())

    def look_at(self, log: list[Row]) -> None:
        """Learn facts about the rows from the whole log."""

    def missing(self, row: Row, *columns: str) -> list[tuple[str, str]]:
        return [(name, "missing") for name in columns if row[name] is None]

    def judge_commitments(self, row: Row, readable: bool) -> list[tuple[str, str]]:
        wrong = []
        for name, right in self.commitments(row) if readable else ((name, "") for name in COMMITTED):
            if name not in row:
                continue
            if is_blank(row[name]):
                wrong.append((name, "missing"))
            elif readable and row[name].strip().lower() != right:
                wrong.append((name, name))
        return wrong


COMMITTED = ("commitment", "salt_commitment")
# The largest count that each may have, and one that is too large.
PARAMETERS = {
    "mines": ("mines", 24, 25),
    "tower": ("mines", 4, 5),
    "slot": ("spins", 4, 10**15),
    "plinko": ("balls", 4, 10**15),
    "jackpot": ("tickets", 10_000, 10**17),
}


class Salted(System):
    texts = ("server_seed", "client_seed", "salt")

    def __init__(self, rng: random.Random, name: str) -> None:
        super().__init__(rng)
        self.name, self.ordered = name, name != "mines"
        self.constant = salted.CONSTANT_SEEDS.get(name) if rng.random() < 0.5 else None
        self.seeds = ("salt",) if self.constant else self.texts
        self.parameter = PARAMETERS.get(name) if rng.random() < 0.5 else None
        self.committed = rng.choice([(), ("commitment",), COMMITTED])
        self.same = None if rng.random() < 0.5 else (text_seed(rng), text_seed(rng))
        self.of_salts = False
        self.subject = name if rng.random() < 0.5 else pf.operators.salted.GAMES[name]()

    def given(self, row: Row) -> tuple:
        server, client = self.constant or (row["server_seed"], row["client_seed"])
        return server, client, row["salt"]

    def row(self) -> Row:
        row: Row = {}
        if not self.constant:
            server, client = self.same or (text_seed(self.rng), text_seed(self.rng))
            row |= {"server_seed": server, "client_seed": client}
        row["salt"] = self.rng.randbytes(32).hex()
        if self.parameter:
            name, most, _ = self.parameter
            row[name] = self.rng.randint(1, most)
        row["outcome"] = self.right(row)
        for name, right in self.commitments(row):
            if name in self.committed:
                row[name] = right if self.rng.random() < 0.5 else right.upper()
        return row

    def right(self, row: Row) -> object:
        parameters = {self.parameter[0]: int(number_in(row[self.parameter[0]]))} if self.parameter else {}
        return salted.GAMES[self.name](*self.given(row), **parameters)

    def commitments(self, row: Row) -> Iterator[tuple[str, str]]:
        server, _, salt = self.given(row)
        first = salt if self.of_salts else server
        yield from zip(COMMITTED, (sha256(first), sha256(salt)), strict=True)

    def look_at(self, log: list[Row]) -> None:
        """Find the seed of a single commitment column: the first that fits."""
        for row in log if self.committed == ("commitment",) else []:
            server, _, salt = self.given(row)
            fits = [
                seed is not None and sha256(seed) == (row["commitment"] or "").lower()
                for seed in (server, salt)
            ]
            if any(fits):
                self.of_salts = not fits[0]
                return

    def bad(self, row: Row) -> list[tuple[str, str]]:
        wrong = self.missing(row, *self.seeds)
        if self.parameter:
            name, _, too_many = self.parameter
            number = number_in(row[name])
            if is_blank(row[name]):
                wrong.append((name, "missing"))
            elif number is None or number.denominator > 1 or not 1 <= number < too_many:
                wrong.append((name, "malformed"))
        return wrong

    def round(self, row: Row) -> object:
        if self.bad(row):
            return None
        server, client, salt = self.given(row)
        return f"{server}:{salt}", client

    def respelled(self, row: Row) -> Row:
        server, salt = row.get("server_seed"), row["salt"]
        if self.constant or "commitment" in row or not server or ":" not in server:
            return dict(row)
        head, _, tail = server.rpartition(":")
        return row | {"server_seed": head, "salt": f"{tail}:{salt}"}


class Cards(System):
    texts = ("server_seed", "client_seed", "nonce")
    seeds = texts

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.committed = rng.random() < 0.4

    def row(self) -> Row:
        row: Row = {"server_seed": text_seed(self.rng), "client_seed": text_seed(self.rng)}
        row["nonce"] = str(self.rng.randint(0, 10**6))
        row |= self.played(row)
        if self.committed:
            row["commitment"] = sha256(row["server_seed"])
        return row

    def played(self, row: Row) -> Row:
        raise NotImplementedError

    def given(self, row: Row) -> list[str]:
        return [row[name] for name in self.seeds]

    def commitments(self, row: Row) -> Iterator[tuple[str, str]]:
        yield "commitment", sha256(row["server_seed"])

    def round(self, row: Row) -> object:
        return None if self.missing(row, *self.seeds) else "".join(self.given(row))

    def respelled(self, row: Row) -> Row:
        nonce = row["nonce"]
        if None in self.given(row) or not nonce:
            return dict(row)
        return row | {"client_seed": row["client_seed"] + nonce[:1], "nonce": nonce[1:]}


class VideoPoker(Cards):
    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.subject = rng.choice(["video-poker", pf.operators.crypto_games.VideoPoker()])
        self.form = rng.choice(["cards", "final", "pay"])

    def deal(self, row: Row) -> list[int]:
        return video_poker.deal(video_poker.digest(*self.given(row)))

    def played(self, row: Row) -> Row:
        if self.form == "cards":
            return {"outcome": self.deal(row)}
        held = sorted(self.rng.sample(range(1, 6), self.rng.randint(0, 5)))
        hold = [place in held for place in range(1, 6)] if self.rng.random() < 0.3 else held
        return {"hold": json.dumps(hold), "outcome": self.result(row, held)}

    def result(self, row: Row, held: list) -> object:
        cards = self.deal(row)
        rest = iter(cards[5:])
        hand = [card if place in held else next(rest) for place, card in enumerate(cards[:5], 1)]
        if self.form == "final":
            return hand
        return video_poker.paid("jacks_or_better", hand) if -1 not in hand else None

    def judge_outcome(self, row: Row) -> str | None:
        if self.form == "cards":
            return judge_cards(row["outcome"], self.deal(row), {5, 10})
        held = list_in(row["hold"]) or []
        if len(held) == 5 and set(map(type, held)) == {bool}:
            held = [place for place, held_too in enumerate(held, 1) if held_too]
        return judge_cards(row["outcome"], self.result(row, held), {5, 10})


def judge_cards(cell: object, right: object, lengths: set[int]) -> str | None:
    """Return the fault of logged cards, or of their pay."""
    if is_blank(cell) or (list_in(cell) is not None and not flat(list_in(cell))):
        return "missing"
    if isinstance(right, list):
        cards = list_in(cell)
        if cards is None or not all(type(card) is int for card in cards) or len(cards) not in lengths:
            return "malformed"
        return None if cards == right else "mismatch"
    number = number_in(cell)
    if number is None and isinstance(cell, str) and re.fullmatch(r"-?[0-9]+/[0-9]+", cell):
        number = Fraction(cell)
    return "malformed" if number is None else None if number == right else "mismatch"


class Blackjack(Cards):
    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.subject = rng.choice(["blackjack", pf.operators.crypto_games.Blackjack()])
        self.form = rng.choice(["cards", "net"])
        self.seeds = ("server_seed", "client_seed", "nonce") if self.form == "cards" else ()

    def given(self, row: Row) -> list[str]:
        return [row[name] for name in self.texts]

    def played(self, row: Row) -> Row:
        if self.form == "cards":
            return {"outcome": blackjack.shoe(*self.given(row), cards=self.rng.randint(4, 20))}
        cards = [card for card in blackjack.shoe(*self.given(row), cards=64) if card >= 0]
        played = blackjack.play(blackjack.DOCUMENT, cards, lambda hand, up, legal: self.rng.choice(legal))
        actions = list(played["actions"])
        form = self.rng.choice([json.dumps, ",".join, " ".join])
        return {"actions": form(actions), "outcome": self.spelled(sum(played["nets"]))}

    def spelled(self, net: Fraction) -> object:
        return str(net) if net.denominator > 1 else int(net)

    def judge_outcome(self, row: Row) -> str | None:
        if self.form == "cards":
            cards = list_in(row["outcome"])
            right: object = blackjack.shoe(*self.given(row), cards=len(cards or [1]))
        else:
            cards = [card for card in blackjack.shoe(*self.given(row), cards=64) if card >= 0]
            text = row["actions"]
            rest = iter(json.loads(text) if text.startswith("[") else text.replace(",", " ").split())
            right = sum(blackjack.play(blackjack.DOCUMENT, cards, lambda *_: next(rest))["nets"])
        return judge_cards(row["outcome"], right, set(range(1, 209)))


class Hashed(System):
    seeds = ("digits",)
    subject = "hashed-dice"

    def row(self) -> Row:
        digits = "".join(self.rng.choices("123456", k=2 * self.rng.randint(1, 40)))
        return {"digits": digits, "hash": fpclub.digest(digits, self.rng.choice(["md5", "sha256"]))}

    def judge(self, row: Row) -> list[tuple[str, str]]:
        if is_blank(row["digits"]):
            return [("digits", "missing")]
        if not re.fullmatch("[1-6]+", row["digits"]):
            return [("digits", "malformed")]
        if is_blank(row["hash"]):
            return [("hash", "missing")]
        algorithm = {32: "md5", 64: "sha256"}.get(len(row["hash"]))
        if algorithm is None or not re.fullmatch("[0-9a-fA-F]+", row["hash"]):
            return [("hash", "malformed")]
        right = fpclub.digest(row["digits"], algorithm)
        return [] if row["hash"].lower() == right else [("hash", "mismatch")]

    def round(self, row: Row) -> object:
        return row["digits"] if row["digits"] and re.fullmatch("[1-6]+", row["digits"]) else None


class Combined(System):
    seeds = ("first", "second")
    subject = "combined-dice"

    def row(self) -> Row:
        count = 2 * self.rng.randint(1, 20)
        first, second = ("".join(self.rng.choices("123456", k=count)) for _ in range(2))
        return {"first": first, "second": second, "outcome": self.right(first, second)}

    def right(self, first: str, second: str) -> str:
        pairs = zip(map(int, first), map(int, second), strict=True)
        return "".join(str(fpclub.combine(*pair)) for pair in pairs)

    def judge(self, row: Row) -> list[tuple[str, str]]:
        wrong = [(name, kind) for name in self.seeds if (kind := self.unreadable(row[name]))]
        if wrong:
            return wrong
        if len(row["first"]) != len(row["second"]):
            return [("second", "malformed")]
        kind = self.unreadable(row["outcome"])
        if kind:
            return [("outcome", kind)]
        return [] if row["outcome"] == self.right(row["first"], row["second"]) else [("outcome", "mismatch")]

    def unreadable(self, cell: str | None) -> str | None:
        if is_blank(cell):
            return "missing"
        return None if re.fullmatch("[1-6]+", cell) else "malformed"

    def round(self, row: Row) -> object:
        return None


SCHEME = pf.Scheme(
    pf.Hash("sha256", "{client_seed}:{nonce}:{cursor}", key="{server_seed:bytes}"),
    bits=32,
    commitment=pf.Hash("sha256", "{server_seed:bytes}"),
)


class Keno(pf.Game):
    """A sample of forty numbers."""

    picks: int = 10
    scheme = SCHEME

    def outcome(self, draws: pf.Draws) -> object:
        return draws.sample(40, self.picks)


def words_of(key: bytes, row: Row) -> list[int]:
    """Return the words of a round's first two digests."""
    message = f"{row['client_seed']}:{int(number_in(row['nonce']))}"
    digests = b"".join(hmac.digest(key, f"{message}:{cursor}".encode(), "sha256") for cursor in range(2))
    return [int.from_bytes(digests[at : at + 4], "big") for at in range(0, len(digests), 4)]


class OfNonces(System):
    """Rounds of two seeds and a nonce."""

    texts = ("server_seed", "client_seed")
    seeds = texts

    def round(self, row: Row) -> object:
        if self.bad(row):
            return None
        return row["server_seed"], f"{row['client_seed']}:{int(number_in(row['nonce']))}"


class Own(OfNonces):
    """A game in Python, or one of the ten, under a custom scheme."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.size, self.drawn, self.subject = rng.choice(
            [(40, 10, Keno()), (40, 3, Keno(3)), (25, 5, pf.Mines(5).with_scheme(SCHEME))]
        )
        self.ordered = self.size != 25
        self.committed = rng.random() < 0.5

    def row(self) -> Row:
        row: Row = {"server_seed": self.rng.randbytes(32).hex(), "client_seed": text_seed(self.rng)}
        row |= {"nonce": self.rng.randint(0, 10**9)}
        row["outcome"] = self.right(row)
        for name, right in self.commitments(row) if self.committed else ():
            row[name] = right
        return row

    def right(self, row: Row) -> list[int]:
        words = words_of(bytes.fromhex(row["server_seed"]), row)
        left = list(range(self.size))
        return [left.pop(word * len(left) >> 32) for word in words[: self.drawn]]

    def commitments(self, row: Row) -> Iterator[tuple[str, str]]:
        yield "commitment", hashlib.sha256(bytes.fromhex(row["server_seed"])).hexdigest()

    def bad(self, row: Row) -> list[tuple[str, str]]:
        wrong = self.missing(row, *self.seeds)
        if row["server_seed"] is not None and not re.fullmatch("([0-9a-fA-F]{2})*", row["server_seed"]):
            wrong.append(("server_seed", "malformed"))
        if is_blank(row["nonce"]):
            wrong.append(("nonce", "missing"))
        return wrong

    def round(self, row: Row) -> object:
        return None if self.bad(row) else super().round(row | {"server_seed": row["server_seed"].lower()})


RANKS, SUITS = [*"23456789", "10", *"JQKA"], "♦♥♠♣"
WRITTEN = {
    "set": ("stake.keno", "stake.mines:mines=5"),
    "cards": ("stake.hilo:cards=4", "stake.baccarat"),
    "path": ("stake.plinko:rows=12",),
    "bucket": ("stake.plinko:rows=12",),
    "percent": ("stake.dice",),
    "words": ("stake.flip:rounds=6",),
    "list": ("stake.hilo:cards=4", "stake.diamonds"),
}


class Written(OfNonces):
    """Stake's games, with outcomes as people write them."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.notation = rng.choice(list(WRITTEN))
        self.subject = rng.choice(WRITTEN[self.notation])
        self.listed = rng.random() < 0.5

    def row(self) -> Row:
        row: Row = {"server_seed": text_seed(self.rng), "client_seed": text_seed(self.rng)}
        row["nonce"] = self.rng.randint(0, 10**9)
        row["outcome"] = self.written(self.right(row))
        return row

    def right(self, row: Row) -> list[int]:
        words = words_of(row["server_seed"].encode(), row)
        if self.notation == "set":
            size, drawn = (40, 10) if "keno" in self.subject else (25, 5)
            left = list(range(size))
            return [left.pop(word * len(left) >> 32) for word in words[:drawn]]
        of, count = {
            "stake.hilo:cards=4": (52, 4),
            "stake.baccarat": (52, 6),
            "stake.plinko:rows=12": (2, 12),
            "stake.dice": (10_001, 1),
            "stake.flip:rounds=6": (2, 6),
            "stake.diamonds": (7, 5),
        }[self.subject]
        return [word * of >> 32 for word in words[:count]]

    def written(self, drawn: list[int]) -> object:
        """Return an outcome as a person might write it."""
        rng = self.rng
        if self.notation == "set":
            return rng.choice([sorted(drawn), drawn[::-1], drawn, json.dumps(sorted(drawn))])
        if self.notation == "cards":
            names = []
            for card in drawn:
                rank = RANKS[card // 4]
                rank = rng.choice([rank, rank.replace("10", "T"), rank.lower()])
                names.append(rank + rng.choice([SUITS[card % 4], "dhsc"[card % 4], "DHSC"[card % 4]]))
            return names if self.listed else rng.choice([" ", ",", ", "]).join(names)
        if self.notation == "path":
            text = "".join("LR"[side] for side in drawn)
            return rng.choice([text, text.lower()])
        if self.notation == "bucket":
            return sum(drawn) if self.listed else str(sum(drawn))
        if self.notation == "percent":
            return f"{drawn[0] // 100}.{drawn[0] % 100:02}{rng.choice(['%', ' %'])}"
        if self.notation == "list":
            return rng.choice([", ", ",", " ", ";", "|", "-", " / "]).join(map(str, drawn))
        words = [rng.choice([word, word.upper()]) for word in (("tails", "heads")[side] for side in drawn)]
        return words if self.listed else " ".join(words)

    def read(self, cell: Any) -> list[Fraction] | None:
        """Return the values of a cell, parsed by writing every possible value and comparing."""
        if self.notation == "set":
            cells = list_in(cell)
            return None if cells is None else sorted(map(Fraction, cells))
        if self.notation == "bucket":
            return [Fraction(str(cell))]
        if self.notation == "percent":
            return [Fraction(cell.strip(" %")) * 100]
        if self.notation == "path":
            return [Fraction("lr".index(letter)) for letter in cell.lower()]
        if self.notation == "list":
            return [Fraction(number) for number in "".join(c if c.isdigit() else " " for c in cell).split()]
        listed = list_in(cell)
        words = listed if listed is not None else cell.replace(",", " ").split()
        if self.notation == "words":
            return [Fraction(("tails", "heads").index(word.lower())) for word in words]
        cards = {}
        for card in range(52):
            rank = RANKS[card // 4]
            for one in (rank, rank.replace("10", "T")):
                cards |= {(one + suit).lower(): card for suit in (SUITS[card % 4], "dhsc"[card % 4])}
        return [Fraction(cards[word.lower()]) for word in words]

    def wrong(self, row: Row) -> object:
        """Return a wrong outcome in the same notation: a value replaced, doubled, removed or added."""
        drawn, rng = self.right(row), self.rng
        place = rng.randrange(len(drawn))
        most = {"set": 39, "cards": 51, "list": 6, "percent": 10_000}.get(self.notation, 1)
        what = rng.choice(["other", "doubled", "fewer", "more"][: 2 if self.notation == "list" else 4])
        if what == "other" or self.notation == "percent":
            drawn[place] = (drawn[place] + rng.randint(1, most)) % (most + 1)
        elif what == "doubled":
            drawn[place] = drawn[place - 1]
        elif what == "fewer" and len(drawn) > 1:
            del drawn[place]
        else:
            drawn.insert(place, rng.randint(0, most))
        return self.written(drawn)

    def judge_outcome(self, row: Row) -> str | None:
        if is_blank(row["outcome"]):
            return "missing"
        right = [Fraction(number) for number in self.right(row)]
        right = {"set": sorted(right), "bucket": [sum(right, Fraction(0))]}.get(self.notation, right)
        return None if self.read(row["outcome"]) == right else "mismatch"


SYSTEMS: dict[str, Callable[[random.Random], System]] = {
    **{name: lambda rng, name=name: Salted(rng, name) for name in salted.GAMES},
    "video poker": VideoPoker,
    "blackjack": Blackjack,
    "hashed dice": Hashed,
    "combined dice": Combined,
    "own game": Own,
    "written as people write": Written,
}


# ---- defects ----


def damage(rng: random.Random, system: System, log: list[Row]) -> list[str]:
    """Plant defects into some rows and return them. Some leave rows valid, which must be recognized."""
    done = []
    outcome = "hash" if "hash" in log[0] else "outcome"
    for _ in range(rng.choice([0, 1, 1, 2, 3, 5])):
        row = rng.choice(log)
        what = rng.choice([*DEFECTS, "outcome", "seed"])
        if isinstance(system, Written):  # all cells of a log have the same notation
            what = rng.choice(["outcome", "outcome", "seed", "swap", "empty", "repeat"])
        before = dict(row)
        if not DEFECTS[what](rng, system, row, outcome, log):
            row |= before
            continue
        done.append(what)
    return done


def _outcome(rng: random.Random, system: System, row: Row, name: str, log: list[Row]) -> bool:
    cell = row[name]
    if isinstance(system, Written):
        if None not in (row["server_seed"], row["client_seed"]):
            row[name] = system.wrong(row)
        return row[name] != cell
    if isinstance(cell, str) and not isinstance(system, (Hashed, Combined)):
        return False  # it could become any other outcome
    if isinstance(cell, list):
        changed = json.loads(json.dumps(cell))
        inner = changed
        while inner and isinstance(inner[0], list):
            inner = rng.choice(inner)
        if not inner:
            return False
        if rng.random() < 0.3 and len(inner) > 1:
            rng.choice([inner.reverse, inner.pop])()
        else:
            inner[rng.randrange(len(inner))] += rng.choice([-1, 1, 7])
        row[name] = changed
    elif isinstance(cell, str) and cell:
        row[name] = rng.choice([cell[::-1], cell[:-1], cell.replace(cell[0], "1"), cell + cell[-1]])
    elif isinstance(cell, (int, float)):
        row[name] = round(cell + rng.choice([-0.01, 0.01, 1, 10]), 2)
    return row[name] != cell


def _seed(rng: random.Random, system: System, row: Row, name: str, log: list[Row]) -> bool:
    if not system.seeds:
        return False
    seed = rng.choice(system.seeds)
    text = row[seed]
    if not text:
        return False
    place = rng.randrange(len(text))
    row[seed] = text[:place] + rng.choice("0123456789abcdef") + text[place + 1 :]
    return row[seed] != text


def _swap(rng: random.Random, system: System, row: Row, name: str, log: list[Row]) -> bool:
    if len(system.seeds) < 2:
        return False
    one, other = rng.sample(system.seeds, 2)
    row[one], row[other] = row[other], row[one]
    return row[one] != row[other]


def _empty(rng: random.Random, system: System, row: Row, name: str, log: list[Row]) -> bool:
    row[rng.choice([name, *system.seeds, *(field for field in row if field in COMMITTED)])] = None
    return True


def _text(rng: random.Random, system: System, row: Row, name: str, log: list[Row]) -> bool:
    row[name] = rng.choice(
        ["", "  ", "x", "2,5;1", "[1,", "{}", "nan", "0x10", "1_0", "٣", "true", "[[]", "[null]"]
    )
    return True


def _nested(rng: random.Random, system: System, row: Row, name: str, log: list[Row]) -> bool:
    if not isinstance(row[name], list):
        return False
    row[name] = rng.choice([[row[name]], [[item] for item in row[name]]])
    return True


def _spelled(rng: random.Random, system: System, row: Row, name: str, log: list[Row]) -> bool:
    cell = row[name]
    if isinstance(cell, list):
        row[name] = json.dumps(cell, separators=rng.choice([(",", ":"), (" , ", ":")]))
    elif isinstance(cell, float):
        row[name] = rng.choice([f"{cell:.2f}", f" {cell:.4f} ", f"{cell * 100:.0f}e-2", f"+{cell:.2f}"])
    elif isinstance(cell, int):
        row[name] = rng.choice([f"{cell}.0", f"+{cell}" if cell >= 0 else str(cell), f" {cell}"])
    else:
        return False
    return True


def _commitment(rng: random.Random, system: System, row: Row, name: str, log: list[Row]) -> bool:
    fields = [field for field in COMMITTED if row.get(field)]
    if not fields:
        return False
    field = rng.choice(fields)
    row[field] = rng.choice([sha256("another"), row[field][:-1], "x"])
    return True


def _parameter(rng: random.Random, system: System, row: Row, name: str, log: list[Row]) -> bool:
    parameter = getattr(system, "parameter", None)
    if parameter is None:
        return False
    row[parameter[0]] = rng.choice([0, parameter[2], -1, None])
    return True


def _repeat(rng: random.Random, system: System, row: Row, name: str, log: list[Row]) -> bool:
    log.insert(rng.randint(0, len(log)), system.respelled(row))
    return True


def _reverse(rng: random.Random, system: System, row: Row, name: str, log: list[Row]) -> bool:
    outcomes = [row[name] for row in log]
    for row, outcome in zip(log, reversed(outcomes), strict=True):
        row[name] = outcome
    return len(log) > 1


_DEFECTS = (_outcome, _seed, _swap, _empty, _text, _nested, _spelled, _commitment, _parameter, _repeat)
DEFECTS = {defect.__name__[1:]: defect for defect in (*_DEFECTS, _reverse)}


# ---- storages ----


def columns_of(log: list[Row]) -> dict[str, list]:
    return {name: [row[name] for row in log] for name in log[0]}


def as_text(cell: object) -> str | None:
    return cell if cell is None or isinstance(cell, str) else json.dumps(cell)


def typed(log: list[Row]) -> dict[str, list]:
    """Return columns of a single type each, as text if Arrow has no other."""
    columns = columns_of(log)
    for name, cells in columns.items():
        try:
            pa.array(cells)
        except (pa.ArrowException, ValueError, TypeError):
            columns[name] = list(map(as_text, cells))
    return columns


def table_of(log: list[Row]) -> pa.Table:
    return pa.table(typed(log))


def csv_bytes(log: list[Row], delimiter: str = ",") -> bytes:
    file = io.StringIO()
    writer = csv.writer(
        file, delimiter=delimiter, lineterminator=random.Random(len(log)).choice(["\n", "\r\n"])
    )
    writer.writerow(log[0])
    writer.writerows([as_text(cell) or "" for cell in row.values()] for row in log)
    return file.getvalue().encode()


def json_bytes(log: list[Row]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=len(log) % 2 == 0) + "\n" for row in log).encode()


def zstd(data: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as file:
        file.write(data)
    return sink.getvalue().to_pybytes()


def numpy_columns(log: list[Row]) -> dict[str, object]:
    def array(cells: list) -> object:
        kinds = set(map(type, cells))
        if kinds <= {int, float} or kinds == {str}:
            return np.array(cells)
        if kinds == {list}:
            try:
                return np.array(cells)
            except ValueError:  # ragged
                return (
                    [np.array(cell) for cell in cells] if len({str(shape(c)) for c in cells}) < 2 else cells
                )
        return np.array([*cells, None], dtype=object)[:-1]

    return {name: array(cells) for name, cells in columns_of(log).items()}


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def write_ipc(path: Path, table: pa.Table, stream: bool) -> Path:
    with (pa.ipc.new_stream if stream else pa.ipc.new_file)(str(path), table.schema) as writer:
        writer.write_table(table, max_chunksize=3)
    return path


def write_parquet(path: Path, table: pa.Table) -> Path:
    pyarrow.parquet.write_table(table, path, row_group_size=max(4, len(table) // 5))
    return path


def write_feather(path: Path, table: pa.Table) -> Path:
    pyarrow.feather.write_feather(table, str(path), compression="uncompressed")
    return path


def write_folder(log: list[Row], folder: Path) -> Path:
    """Write parts in files of several formats, named in the order of the rows."""
    parts = folder / "parts"
    parts.mkdir()
    third = len(log) // 3
    for name, part in (("a.jsonl", log[:third]), ("b.parquet", log[third:-1]), ("c.jsonl.gz", log[-1:])):
        if part:
            if name.endswith("parquet"):
                write_parquet(parts / name, table_of(part))
            else:
                data = json_bytes(part)
                write(parts / name, gzip.compress(data) if name.endswith("gz") else data)
    return parts


def write_zip(path: Path, log: list[Row]) -> Path:
    """Write parts into an archive, named in the order of the rows."""
    half = len(log) // 2
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        if half:
            archive.writestr("a/a.json", json.dumps(log[:half]))
        archive.writestr("b/a.jsonl", json_bytes(log[half:]))
    return path


def in_sqlite(log: list[Row]) -> pf.Query:
    """Return a query of a table; lists, and numbers that SQLite lacks, become text."""

    def kept(cell: object) -> object:
        large = isinstance(cell, int) and abs(cell) >= 1 << 63
        return cell if (isinstance(cell, (str, int, float)) and not large) or cell is None else as_text(cell)

    connection = sqlite3.connect(":memory:")
    names = ", ".join(f'"{name}"' for name in log[0])
    connection.execute(f"create table log ({names})")
    marks = ", ".join("?" * len(log[0]))
    connection.executemany(f"insert into log values ({marks})", [tuple(map(kept, r.values())) for r in log])
    return pf.Query("select * from log order by rowid", connection)


STORAGES: dict[str, Callable[[list[Row], Path], object]] = {
    "lists": lambda log, folder: columns_of(log),
    "rows": lambda log, folder: [dict(row) for row in log],
    "numpy": lambda log, folder: numpy_columns(log),
    "pandas": lambda log, folder: pd.DataFrame(columns_of(log)),
    "pandas objects": lambda log, folder: pd.DataFrame(columns_of(log), dtype=object),
    "pandas on Arrow": lambda log, folder: table_of(log).to_pandas(types_mapper=pd.ArrowDtype),
    "polars": lambda log, folder: pl.from_arrow(table_of(log)),
    "polars lazy": lambda log, folder: pl.from_arrow(table_of(log)).lazy(),
    "series": lambda log, folder: {name: pl.Series(name, pa.array(c)) for name, c in typed(log).items()},
    "table": lambda log, folder: table_of(log),
    "dictionary": lambda log, folder: table_of(log).set_column(
        0, next(iter(log[0])), table_of(log)[0].combine_chunks().dictionary_encode()
    ),
    "batches": lambda log, folder: pa.RecordBatchReader.from_batches(
        table_of(log).schema, table_of(log).to_batches(max_chunksize=3)
    ),
    "dataset": lambda log, folder: pyarrow.dataset.dataset(
        write_parquet(folder / "log.parquet", table_of(log))
    ),
    "parquet": lambda log, folder: write_parquet(folder / "log.parquet", table_of(log)),
    "feather": lambda log, folder: write_feather(folder / "log.feather", table_of(log)),
    "arrow": lambda log, folder: write_ipc(folder / "log.arrow", table_of(log), stream=False),
    "arrow stream": lambda log, folder: write_ipc(folder / "log.arrow", table_of(log), stream=True),
    "csv": lambda log, folder: write(folder / "log.csv", csv_bytes(log)),
    "tsv": lambda log, folder: write(folder / "log.tsv", csv_bytes(log, "\t")),
    "csv.gz": lambda log, folder: write(folder / "log.csv.gz", gzip.compress(csv_bytes(log))),
    "csv.zst": lambda log, folder: write(folder / "log.csv.zst", zstd(csv_bytes(log))),
    "csv.bz2": lambda log, folder: write(folder / "log.csv.bz2", bz2.compress(csv_bytes(log))),
    "jsonl": lambda log, folder: write(folder / "log.jsonl", json_bytes(log)),
    "jsonl.gz": lambda log, folder: write(folder / "log.jsonl.gz", gzip.compress(json_bytes(log))),
    "jsonl.zst": lambda log, folder: write(folder / "log.jsonl.zst", zstd(json_bytes(log))),
    "jsonl.bz2": lambda log, folder: write(folder / "log.jsonl.bz2", bz2.compress(json_bytes(log))),
    "folder": write_folder,
    "rows one by one": lambda log, folder: iter([dict(row) for row in log]),
    "frames one by one": lambda log, folder: iter(pl.from_arrow(table_of(log)).iter_slices(3)),
    "csv in memory": lambda log, folder: io.BytesIO(csv_bytes(log)),
    "json array": lambda log, folder: write(folder / "log.json", json.dumps(log, indent=len(log)).encode()),
    "zip": lambda log, folder: write_zip(folder / "log.zip", log),
    "sqlite": lambda log, folder: in_sqlite(log),
}


def stored(log: list[Row], storage: str) -> list[Row]:
    """Return the cells as read back: CSV can't distinguish an empty cell from empty text."""
    if "csv" not in storage and storage != "tsv":
        return log
    return [{name: "" if cell is None else cell for name, cell in row.items()} for row in log]


# ---- defects of a whole log, which are refused with a reason ----


def refused(rng: random.Random, log: list[Row], folder: Path) -> tuple[str, object, str]:
    """Return a log that must be refused: the defect, the log, and the expected message."""
    what = rng.choice(["narrow", "doubled", "misnamed"])
    name = "hash" if "hash" in log[0] else "outcome"
    if what == "narrow" and isinstance(log[0][name], float):
        columns: dict[str, Any] = columns_of(log)
        array = np.array(columns[name]).astype(np.float16)
        arrow = pa.array(array)
        # Older versions of pyarrow don't encode float16 themselves.
        encoded = pa.DictionaryArray.from_arrays(np.arange(len(array)), arrow)
        columns[name] = rng.choice([array, list(array), arrow, encoded, pd.Series(array)])
        storage = rng.choice(["mapping", "table", "parquet", "arrow"])
        if storage == "mapping":
            return what, columns, "float16"
        table = pa.table({field: arrow if field == name else column for field, column in columns.items()})
        if storage == "table":
            return what, table, "float16"
        path = folder / f"log.{storage}"
        return what, (write_parquet if storage == "parquet" else write_feather)(path, table), "float16"
    if what == "doubled":
        table = table_of(log)
        field = rng.choice([name, table.column_names[0]])
        table = table.append_column(field, table[field])
        text = csv_bytes(log).split(b"\n")
        forms: list[Callable[[], object]] = [
            lambda: table,
            lambda: table.to_reader(),
            lambda: pd.DataFrame(np.array(table.to_pandas(), dtype=object), columns=table.column_names),
            lambda: write_parquet(folder / "log.parquet", table),
            lambda: write_feather(folder / "log.feather", table),
            lambda: write_ipc(folder / "log.arrow", table, stream=True),
            lambda: write(folder / "log.csv", b"%s,%s\n" % (text[0].strip(), field.encode())),
        ]
        return what, rng.choice(forms)(), f"the column {field!r} occurs 2 times"
    log = [{"another" if field == name else field: cell for field, cell in row.items()} for row in log]
    return "misnamed", STORAGES[rng.choice(list(STORAGES))](log, folder), "no column"


# ---- the run ----


def replays(system: System, log: list[Row]) -> list[tuple[int, int]]:
    first: dict[object, int] = {}
    pairs = []
    for i, row in enumerate(log):
        played = system.round(row)
        if played is not None:
            earlier = first.setdefault(played, i)
            if earlier != i:
                pairs.append((earlier, i))
    return pairs


def run(count: int, seed: int) -> dict[str, Any]:
    """Generate and verify `count` logs; return counts of everything. Raises on a wrong verdict."""
    totals: dict[str, Any] = {"logs": 0, "rows": 0, "wrong_rows": 0, "repeated_rows": 0, "refused": Counter()}
    by = {name: Counter() for name in ("systems", "storages", "defects", "failures")}
    for number in range(count):
        rng = random.Random(f"{seed}:{number}")
        name = rng.choice(list(SYSTEMS))
        system = SYSTEMS[name](rng)
        log = [system.row() for _ in range(rng.choice([1, 2, 5, 12, 20]))]
        with tempfile.TemporaryDirectory() as folder:
            if rng.random() < 0.1:
                what, data, message = refused(rng, log, Path(folder))
                refusal = "nothing"
                try:
                    pf.verify(data, system.subject)
                except pf.LogError as error:
                    refusal = str(error)
                assert message in refusal, f"log {number} of {name}, {what}: {refusal}"
                totals["refused"][what] += 1
                by["storages"]["refused"] += 1
            else:
                done = damage(rng, system, log)
                storage = rng.choice(list(STORAGES))
                where = f"log {number}, {name} in {storage}, {done}"
                fail = number % 3 == 0
                expected, repeated, wrong = compared(system, log, storage, Path(folder), where, fail=fail)
                totals["rows"] += len(log)
                totals["wrong_rows"] += len(wrong)
                totals["repeated_rows"] += len(repeated)
                by["storages"][storage] += 1
                by["defects"].update(done)
                by["failures"].update(kind for *_, kind in expected)
        totals["logs"] += 1
        by["systems"][name] += 1
    return totals | {name: dict(sorted(counts.items())) for name, counts in by.items()}


def compared(
    system: System, log: list[Row], storage: str, folder: Path, where: str, *, fail: bool = False
) -> tuple[list[tuple[int, str, str]], list[tuple[int, int]], set[int]]:
    """Verify a log in a storage; return failures, replays, and wrong rows. Raises on a wrong verdict."""
    cells = stored(log, storage)
    system.look_at(cells)
    expected = sorted((i, column, kind) for i, row in enumerate(cells) for column, kind in system.judge(row))
    repeated = replays(system, cells)
    data = STORAGES[storage](log, folder)
    report = pf.verify(data, system.subject, repeats="fail" if fail else "report")
    failed = sorted((f.row, f.column, f.kind) for f in report.failures if f.kind != "repeated")
    again = sorted(f.row for f in report.failures if f.kind == "repeated")
    assert failed == expected, f"{where}: {failed} instead of {expected}\n{log}"
    assert report.repeats.rows == repeated, f"{where}: {report.repeats.rows} instead of {repeated}\n{log}"
    assert again == ([row for _, row in repeated] if fail else []), where
    for f in report.failures:
        if f.kind == "mismatch" and isinstance(system, (Salted, Own)):
            assert f.expected == system.right(cells[f.row]), f"{where}: row {f.row}"
    wrong = {row for row, *_ in expected} | set(again)
    assert (report.checked, report.failed, report.ok) == (len(log), len(wrong), not wrong), where
    return expected, repeated, wrong


def main(count: int = 20_000, seed: int = 0) -> None:
    """Verify the logs, and write a summary."""
    results = {"command": f"python tests/tools/random_logs.py {count} {seed}", **run(count, seed)}
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
