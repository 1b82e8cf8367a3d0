"""Logs for audits, in plain Python: honest ones, and ones that each contain one kind of fraud.

It is independent of the package. Rounds are hashed and paid by the rules, and then manipulated in one way.
Each row in which the manipulation shows is marked at once, so the findings of an audit are known beforehand,
to the row.
"""

from __future__ import annotations

import hashlib
import hmac
import math
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

from oracles import salted, video_poker
from oracles.salted import sha256_hex as sha256

Row = dict[str, Any]

MARKS = "marks"
"""The key of a row under which the kinds of findings stand that name it."""
FAILS = "fails"
"""The mark of a row that doesn't verify by itself."""
STAKES = [1, 2, 5, 10, 20, 50, 100, 200]
START = datetime(2026, 3, 2, 12, tzinfo=UTC)
CRASH_SALT = "0000000000000000001b34dc6a1e86083f95500b096231436e9b25cbdd0075c4"
PLINKO_TABLE = [5.6, 2.1, 1.1, 1.0, 0.5, 1.0, 1.1, 2.1, 5.6]
"""The payouts of the buckets of 8 rows at low risk."""
UNFAIR_BOARD = [100, 800, 2800, 5600, 7504, 5096, 2800, 800, 100]
"""An operator's chances of the buckets, of 25,600: the fair ones, but the worst has 504 of its neighbor's."""

FAIR_BOARD = [100, 800, 2800, 5600, 7000, 5600, 2800, 800, 100]
TWIN_SEEDS = (
    "be3f93c3863fd118G37YFE&1y\u046c\u0463oWxR)8/\u045c9D@\u01e0\u01b1@!Bk?48\xf3O~twinseed",
    "be3f93c3863fd118G37YFE&1N\u0161\u0474tABe=5/\u0187/~o\u03b5\u0236o@BD6!6\u011c.~twinseed",
)
"""Two texts that a mixer without a key confuses: audits told texts apart by it once."""

PLINKO_BET = {"payout": PLINKO_TABLE}
GROUND = ["salts_ground", "return_low", "outcomes_unfair"]
GROUND += ["return_by_stake", "return_by_player", "return_by_hour"]
"""Kinds that may be found besides wherever outcomes were ground."""
UNDER_50 = {"under": 50, "payout": 1.98}
UNDER_49_5 = {"under": 49.5, "payout": 2}


@dataclass
class Made:
    """A log, and the findings expected of its audit."""

    name: str
    what: str
    game: str
    rows: list[Row]
    planted: dict[str, str] = field(default_factory=dict)
    """The kind of each finding that must be there, and its severity; a test's is of no rows."""
    also: list[str] = field(default_factory=list)
    """Kinds that may be found besides, since the fraud can't be done without them."""
    bet: dict[str, Any] | None = None
    """The bet on the game, unless the log has another."""
    options: dict[str, Any] = field(default_factory=dict)
    claimed: str | None = None
    """The game whose bet is claimed, where it isn't the game by which rounds are recomputed."""

    def __post_init__(self) -> None:
        self.bet = self.bet or BETS.get(self.game)

    def columns(self) -> dict[str, list]:
        """The log's columns, without the marks."""
        names = dict.fromkeys(name for row in self.rows for name in row if name != MARKS)
        return {name: [row.get(name) for row in self.rows] for name in names}

    def marked(self, kind: str) -> list[int]:
        """The rows with a mark."""
        return [place for place, row in enumerate(self.rows) if kind in row.get(MARKS, ())]


def mark(row: Row, *kinds: str) -> None:
    row.setdefault(MARKS, set()).update(kinds)


def again(row: Row, kind: str, **changed: Any) -> Row:
    """The same row once more, marked alone."""
    return {**row, **changed, MARKS: {kind}}


Found = list[Row] | tuple[list[Row], dict[str, Any]]
"""The rows of a fraud, with the options of their audit where there are any."""
BETS = {"stake.dice": UNDER_50, "dice": UNDER_49_5, "plinko:pins=8": PLINKO_BET}
"""The bets on games."""
CHEATS: list[Callable[[], Made]] = []


def fraud(
    what: str, game: str = "stake.dice", *, also: Iterable[str] = (), **fields: Any
) -> Callable[[Callable[[], Found]], Callable[[], Made]]:
    """Add the log whose rows a function makes, under its name; `fields` are the kinds found, by severity."""
    bet = fields.pop("bet", None)
    besides = [kind for kind in also if kind not in fields]

    def add(found: Callable[[], Found]) -> Callable[[], Made]:
        def made() -> Made:
            rows, options = result if isinstance(result := found(), tuple) else (result, {})
            return Made(found.__name__, what, game, rows, fields, besides, options=options, bet=bet)

        CHEATS.append(made)
        return made

    return add


def honest_dice(name: str, what: str, rows: list[Row] | None = None, **shape: Any) -> Made:
    """An honest log of dice with nonces: given rows, or 200 of some shape."""
    rows = dice_rows(name, **shape) if rows is None else rows
    return Made(f"honest_{name}", what, "stake.dice", rows)


def chance(name: str) -> random.Random:
    """The random numbers of an honest log."""
    return random.Random(f"honest {name.replace('_', ' ')}")


def dice_rows(name: str, count: int = 200, **shape: Any) -> list[Row]:
    return nonce_rows(chance(name), count, **shape)


# ---- seeds, outcomes, payouts ----


def server_seed(rng: random.Random) -> str:
    return rng.randbytes(32).hex()


def client_seed(rng: random.Random) -> str:
    return "".join(rng.choices("abcdefghijkmnopqrstuvwxyz23456789", k=10))


def salt(rng: random.Random) -> str:
    return rng.randbytes(16).hex()


def hundredths(word: int) -> float:
    """Map a 32-bit word to 0.00 to 100.00."""
    return math.floor(Fraction(word, 2**32) * 10_001) / 100


def nonce_dice(server: str, client: str, nonce: int) -> float:
    """The dice of operators with nonces: the first four bytes of an HMAC keyed with the seed as text."""
    digest = hmac.digest(server.encode(), f"{client}:{nonce}:0".encode(), "sha256")
    return hundredths(int.from_bytes(digest[:4], "big"))


def board_bucket(server: str, client: str, nonce: int, chances: list[int] = UNFAIR_BOARD) -> int:
    """The bucket under a table of probabilities, from the first four bytes of the same HMAC."""
    digest = hmac.digest(server.encode(), f"{client}:{nonce}:0".encode(), "sha256")
    place = math.floor(Fraction(int.from_bytes(digest[:4], "big"), 2**32) * sum(chances))
    return next(bucket for bucket in range(len(chances)) if place < sum(chances[: bucket + 1]))


def bytes_dice(server: str, client: str, nonce: int) -> int:
    """Dice whose HMAC key is the bytes that the seed encodes."""
    digest = hmac.digest(bytes.fromhex(server), f"{client}:{nonce}".encode(), "sha256")
    word = int.from_bytes(digest[:4], "big")
    assert word < 2**32 // 10_001 * 10_001  # otherwise the next word is used
    return word % 10_001


def plinko(server: str, client: str, salt: str) -> list[int]:
    """The bucket of a salted Plinko round with 8 rows."""
    return salted.plinko(server, client, salt, pins=8)


def crash(game_hash: str) -> float:
    """The multiplier of a chain game, floored to cents."""
    digest = hmac.digest(game_hash.encode(), CRASH_SALT.encode(), "sha256")
    word = int.from_bytes(digest[:4], "big")
    return max(100, math.floor(Fraction(2**32, word + 1) * Fraction(99, 100) * 100)) / 100


def chain(secret: str, games: int) -> list[str]:
    """The terminating hash, and the hashes of all games in playing order."""
    hashes = [sha256(secret)]
    for _ in range(games):
        hashes.append(sha256(hashes[-1]))
    return hashes[::-1]


def paid(stake: float, by_one: float | str) -> float:
    """The payout of a stake, rounded to cents."""
    exact = Fraction(str(stake)) * Fraction(str(by_one)) * 100
    assert exact.denominator == 1
    return int(exact) / 100


def text_of(time: datetime) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


def epoch(time: datetime) -> int:
    """Microseconds since 1970."""
    return (time - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


FORMATS: dict[str, tuple[str, Callable[[datetime], Any]]] = {
    "day-first": ("day-first", lambda time: time.strftime("%d.%m.%Y %H:%M:%S.%f")),
    "slashes": ("day-first", lambda time: time.strftime("%d/%m/%Y %H:%M:%S.%f")),
    "rfc2822": ("day-first", lambda time: time.strftime("%a, %d %b %Y %H:%M:%S.%f +0000")),
    "american": ("month-first", lambda time: time.strftime("%m/%d/%Y %I:%M:%S.%f %p")),
    "javascript": ("month-first", lambda time: time.strftime("%a %b %d %Y %H:%M:%S.%f GMT+0000 (UTC)")),
    "compact": ("year-first", lambda time: time.strftime("%Y%m%dT%H%M%S.%fZ")),
    "seconds": ("epoch", lambda time: f"{Decimal(epoch(time)).scaleb(-6)}"),
    "milliseconds": ("epoch", lambda time: f"{Decimal(epoch(time)).scaleb(-3)}"),
}
"""Common ways to write times: the format's name in an audit, and a function that writes one."""


def rewritten(text: str, name: str) -> Any:
    """A time of the log in another format."""
    return FORMATS[name][1](datetime.fromisoformat(text).astimezone(UTC))


# ---- honest logs ----


@dataclass
class Player:
    """A player, with the current seeds and the number of rounds that they last."""

    name: str
    client: str
    server: str = ""
    nonce: int = 0
    left: int = 0
    committed: str = ""
    """When the commitment of the server seed in use was published."""


def nonce_rows(
    rng: random.Random,
    count: int,
    *,
    players: int = 1,
    rounds: tuple[int, int] = (25, 45),
    choose: Callable[[random.Random, Player], str] | None = None,
    times: bool = True,
    money: bool = True,
    outcome: Callable[[str, str, int], Any] = nonce_dice,
    pays: Callable[[Any], float | str] = lambda dice: "1.98" if dice < 50 else "0",
    commitments: bool = True,
    guests: bool = False,
) -> list[Row]:
    """Dice rounds with nonces of several players, ordered by time; seeds rotate."""
    people = [Player(name, client_seed(rng)) for name in ("anna", "boris", "clara", "dmitri")[:players]]
    if guests:
        people[0].client = ""
    time, rows, revealed = START, [], {}
    for _ in range(count):
        time += timedelta(seconds=rng.randint(3, 90))
        player = rng.choice(people)
        if not player.left:
            if player.server:
                revealed[player.server] = text_of(time - timedelta(seconds=1))
            player.server = server_seed(rng) if choose is None else choose(rng, player)
            player.nonce, player.left = 0, rng.randint(*rounds)
            player.committed = text_of(time - timedelta(seconds=2))
        row: Row = {"time": text_of(time)} if times else {}
        if players > 1:
            row["player"] = player.name
        row |= {"server_seed": player.server, "client_seed": player.client, "nonce": player.nonce}
        if commitments:
            row["commitment"] = sha256(player.server)
            if times:
                row["commitment_time"] = player.committed
        row["outcome"] = outcome(player.server, player.client, player.nonce)
        if money:
            row["stake"] = float(rng.choice(STAKES))
            row["payout"] = paid(row["stake"], pays(row["outcome"]))
        player.nonce, player.left = player.nonce + 1, player.left - 1
        rows.append(row)
    end = text_of(time + timedelta(minutes=5))
    if times:
        for row in rows:
            row["reveal_time"] = revealed.get(row["server_seed"], end)
    return rows


def salted_rows(
    rng: random.Random,
    count: int,
    play: Callable[[str, str, str], Any] = salted.dice,
    *,
    players: int = 1,
    draw: Callable[[random.Random, int, Row, Callable[[str], Any]], str] | None = None,
    salt_commitments: bool = False,
    times: bool = True,
    money: bool = True,
    commitments: bool = True,
    pause: int = 400,
    pays: Callable[[Any], float | str] = lambda dice: "2" if dice < 49.5 else "0",
) -> list[Row]:
    """Salted rounds; `draw` may choose the salt by the outcome."""
    names = ("anna", "boris", "clara", "dmitri")[:players]
    seeds = {name: ["", client_seed(rng), 0] for name in names}
    time, rows = START, []
    for number in range(count):
        time += timedelta(seconds=rng.randint(3, pause))
        name = rng.choice(names)
        held = seeds[name]
        if not held[2]:
            held[0], held[2] = server_seed(rng), rng.randint(40, 80)
        held[2] -= 1
        row: Row = {"time": text_of(time)} if times else {}
        if players > 1:
            row["player"] = name
        row |= {"server_seed": held[0], "client_seed": held[1]}
        if money:
            row["stake"] = float(rng.choice(STAKES))

        def outcome(salt: str, held: list = held) -> Any:
            return play(held[0], held[1], salt)

        row["salt"] = salt(rng) if draw is None else draw(rng, number, row, outcome)
        if commitments:
            row["commitment"] = sha256(held[0])
        if salt_commitments:
            row["salt_commitment"] = sha256(row["salt"])
        row["outcome"] = outcome(row["salt"])
        if money:
            row["payout"] = paid(row["stake"], pays(row["outcome"]))
        rows.append(row)
    return rows


def chain_rows(
    hashes: list[str], first: int = 1, last: int | None = None, *, rng: random.Random | None = None
) -> list[Row]:
    """Chain games in playing order; with a generator, one to three players bet on each."""
    rows = []
    for number in range(first, len(hashes) if last is None else last + 1):
        round_ = {"game_hash": hashes[number], "outcome": crash(hashes[number])}
        if rng is None:
            rows.append(round_)
            continue
        for name in sorted(rng.sample(("anna", "boris", "clara"), rng.randint(1, 3))):
            stake = float(rng.choice(STAKES))
            won = paid(stake, "2" if round_["outcome"] >= 2 else "0")
            rows.append({"player": name, **round_, "stake": stake, "payout": won})
    return rows


def numbered(rows: list[Row]) -> None:
    """Number games in playing order."""
    for number, row in enumerate(rows, 1):
        row["game_number"] = number


def poker_rows(rng: random.Random, count: int) -> list[Row]:
    """Video poker hands, each with a new server seed whose hash was published beforehand."""
    client, rows = client_seed(rng), []
    for _ in range(count):
        server = server_seed(rng)
        rows.append({"server_seed": server, "client_seed": client, "commitment": sha256(server)})
        rows[-1]["outcome"] = video_poker.deal(video_poker.digest(server, client))
    return rows


def honest() -> Iterator[Made]:
    """Honest logs of several shapes."""
    yield Made("honest", "one player's dice, with all there is to check", "stake.dice", dice_rows("nonces"))
    yield honest_dice("interleaved", "three players' dice in the order of time", count=300, players=3)
    rows = dice_rows("shuffled", players=2)
    random.Random("shuffle").shuffle(rows)
    yield honest_dice("shuffled", "two players' dice in no order", rows)
    rows = dice_rows("excerpt", players=2)[73:151]
    yield honest_dice("excerpt", "rounds from the middle of two players' dice", rows)
    rows = dice_rows("backward", 150, players=2)[::-1]
    yield honest_dice("backward", "the newest round first, as operators' pages list them", rows)
    rows = rounded_payouts(chance("rounded"), 200)
    yield honest_dice("rounded", "payouts rounded down to the coin's eighth decimal", rows)
    what = "bets in yen, dollars, bitcoins and dinars, each rounded down to its own smallest unit"
    yield honest_dice("currencies", what, currency_rows(chance("currencies"), 200))
    rng = chance("refunds")
    rows = nonce_rows(rng, 200)
    for row in rows:
        refunded = rng.random() < 0.05
        row["status"] = "refunded" if refunded else "settled"
        row["payout"] = row["stake"] if refunded else row["payout"]
    yield honest_dice("refunds", "some bets, won or lost, were voided and refunded", rows)
    for name, what, won in (
        ("free_rounds", "a fifth of the rounds were free", 0.0),
        ("free_rounds_paid", "a fifth of the rounds were free, worth 1 each, and were paid", 1.98),
    ):
        rng = chance(name)
        rows = nonce_rows(rng, 200)
        for row in rows:
            if rng.random() < 0.2:
                row["stake"], row["payout"] = 0.0, won if row["outcome"] < 50 else 0.0
        yield honest_dice(name, what, rows)
    rows = dice_rows("nearest", players=2)
    for row in rows:  # 0.7326 and 0.7722 lie on either side of the nearest cent
        round_win(row, {"anna": "0.37", "boris": "0.39"}[row["player"]], {"anna": "0.73", "boris": "0.77"})
    what = "two players of one stake each, whose payouts are rounded to the nearest cent"
    yield honest_dice("nearest", what, rows)
    rows = dice_rows("guests", rounds=(1, 1))
    for number, row in enumerate(rows):
        row["player"] = f"guest {number}"
    yield honest_dice("guests", "guests who bet once each", rows)
    rows = dice_rows("overlap", players=2)
    rows = [dict(row) for row in rows[:130] + rows[90:]]
    yield honest_dice("overlap", "two exports of two players that overlap", rows)
    rows = dice_rows(
        "empty client seed",
        players=2,
        outcome=partial(board_bucket, chances=FAIR_BOARD),
        pays=lambda bucket: PLINKO_TABLE[bucket],
        guests=True,
    )
    what = "an operator whose guests need no client seed"
    yield Made("honest_empty_client_seed", what, "gallery:GuestBoard", rows, bet=PLINKO_BET)
    rows = unlike_times(chance("times"), 200)
    yield honest_dice("times", "bets to the millisecond, commitments and reveals to the second", rows)
    rng = chance("times as people write them")
    rows = nonce_rows(rng, 300, players=2)
    for place, row in enumerate(rows):
        lost = rng.random() < 0.05 or 100 <= place < 130
        row["time"] = rng.choice([None, "n/a"]) if lost else rewritten(row["time"], "day-first")
        row["commitment_time"] = float(rewritten(row["commitment_time"], "milliseconds"))
        row["reveal_time"] = rewritten(row["reveal_time"], "rfc2822")
    what = "times as people write them, of which some were lost, one by one and all for a while"
    formats = {"time_formats": {"time": "day-first"}}
    yield Made("honest_times_lost", what, "stake.dice", rows, options=formats)
    rows = salted_rows(chance("salts"), 250, players=2, salt_commitments=True)
    yield Made("honest_salts", "salted dice of two players, salts committed to", "dice", rows)
    rows = salted_rows(chance("mines"), 100, salted.mines, money=False)
    yield Made("honest_mines", "salted Mines without stakes", "mines:mines=3", rows)
    rows = salted_rows(chance("plinko"), 150, plinko, pays=lambda bucket: PLINKO_TABLE[bucket[0]])
    yield Made("honest_plinko", "salted Plinko of 8 rows, with its pay", "plinko:pins=8", rows)
    rows = [
        {"salt": salt, "outcome": salted.double(*salted.CONSTANT_SEEDS["double"], salt)}
        for salt in salted.salts(120, "honest double")
    ]
    yield Made("honest_double", "Double, whose seeds are the same for all", "double", rows)
    hashes = chain("honest crash", 500)
    rows = chain_rows(hashes, 1, 150)
    told = {"terminating": hashes[0]}
    yield Made("honest_chain", "Crash on a chain, game after game", "stake.crash", rows, options=told)
    rows = chain_rows(hashes, 201, 300, rng=chance("bets"))
    what = "a stretch of the same chain: a row for each player's bet"
    yield Made("honest_chain_bets", what, "stake.crash", rows, bet={"cash_out": 2.0}, options=told)
    rows = poker_rows(chance("poker"), 80)
    yield Made("honest_poker", "video poker, whose server seed is fresh for each hand", "video-poker", rows)


def any_honest(name: object, most: int = 400) -> Made:
    """An honest log with a random game, length, order and set of columns."""
    rng = random.Random(f"honest {name}")
    count = rng.randint(20, most)
    shape = rng.choice(["nonces", "nonces", "rounded", "salts", "salts", "plinko", "chain", "bets", "poker"])
    bet: dict[str, Any] | None = None
    options: dict[str, Any] = {}
    if shape == "nonces":
        few = rng.randint(2, 60)
        rows = nonce_rows(
            rng,
            count,
            players=rng.randint(1, 4),
            rounds=(few, few + rng.randint(0, 60)),
            times=rng.random() < 0.7,
            commitments=rng.random() < 0.7,
        )
        game = "stake.dice"
    elif shape == "rounded":
        game, rows = "stake.dice", rounded_payouts(rng, count)
    elif shape == "salts":
        rows = salted_rows(
            rng,
            count,
            players=rng.randint(1, 4),
            salt_commitments=rng.random() < 0.5,
            times=rng.random() < 0.7,
            commitments=rng.random() < 0.7,
        )
        game = "dice"
    elif shape == "plinko":
        rows = salted_rows(rng, count, plinko, pays=lambda bucket: PLINKO_TABLE[bucket[0]])
        game = "plinko:pins=8"
    elif shape == "poker":
        game, rows = "video-poker", poker_rows(rng, count)
    else:
        hashes = chain(f"honest {name}", count + 100)
        first = rng.randint(1, 100)
        game, options = "stake.crash", {"terminating": hashes[0]} if rng.random() < 0.5 else {}
        rows = chain_rows(hashes, first, first + count - 1, rng=rng if shape == "bets" else None)
        bet = {"cash_out": 2.0} if shape == "bets" else None
    order = rng.choice(["as it was", "as it was", "backward", "shuffled", "excerpt"])
    if order == "backward":
        rows.reverse()
    elif order == "shuffled":
        rng.shuffle(rows)
    elif order == "excerpt":
        start = rng.randrange(len(rows) // 2)
        rows = rows[start : start + rng.randint(10, len(rows))]
    return Made(f"honest {name}", f"{shape}, {order}", game, rows, bet=bet, options=options)


def currency_rows(rng: random.Random, count: int) -> list[Row]:
    """Dice in several currencies; payouts are rounded down to each one's smallest unit."""
    rows = nonce_rows(rng, count)
    for row in rows:
        code, places = rng.choice([("JPY", 0), ("USD", 2), ("BTC", 8), ("KWD", 3)])
        units = rng.randint(101, 10**5)
        back = units * 198 // 100 if row["outcome"] < 50 else 0
        row["currency"] = code
        row["stake"], row["payout"] = (f"{Decimal(parts).scaleb(-places):f}" for parts in (units, back))
    return rows


def unlike_times(rng: random.Random, count: int) -> list[Row]:
    """Dice whose seeds are committed and revealed in the same second as their first and last bet."""
    rows = nonce_rows(rng, count)
    for row in rows:
        of_seed = [other["time"] for other in rows if other["server_seed"] == row["server_seed"]]
        row["commitment_time"], row["reveal_time"] = (of_seed[0][:19] + "Z", of_seed[-1][:19] + "Z")
        row["time"] = f"{row['time'][:19]}.{rng.randrange(1000):03}Z"
    return rows


def rounded_payouts(rng: random.Random, count: int) -> list[Row]:
    """Dice with stakes in a coin with eight decimals, to which payouts are rounded down."""
    rows = nonce_rows(rng, count)
    for row in rows:
        parts = rng.randint(1, 10**6)
        row["stake"] = f"{Decimal(parts).scaleb(-8):.8f}"
        back = parts * 198 // 100 if row["outcome"] < 50 else 0
        row["payout"] = f"{Decimal(back).scaleb(-8):.8f}"
    return rows


def round_win(row: Row, stake: str, pays: dict[str, str]) -> None:
    """Change a winning bet's stake and payout."""
    row["stake"], row["payout"] = stake, pays[row["player"]] if row["outcome"] < 50 else "0.00"


# ---- sequences ----


@fraud("rounds left out of the log", nonce_gap="proof")
def nonce_gap() -> Found:
    rows = nonce_rows(random.Random("nonce gap"), 160, rounds=(40, 60))
    kept = leave_out(rows, [row for row in rows if row["nonce"] in (7, 8, 21)], "nonce_gap")
    return kept


@fraud("some rounds that one of three players won are left out", nonce_gap="proof")
def nonce_gap_interleaved() -> Found:
    rows = nonce_rows(random.Random("nonce gap of one"), 240, players=3, rounds=(15, 25))
    won = [row for row in rows if row["player"] == "boris" and row["payout"] and row["nonce"] not in (0, 14)]
    last = {row["server_seed"]: row["nonce"] for row in rows}
    gone = [row for row in won[::9] if row["nonce"] < last[row["server_seed"]]]
    return leave_out(rows, gone, "nonce_gap")


def leave_out(rows: list[Row], gone: list[Row], kind: str) -> list[Row]:
    """Remove rows, and mark the first row after each gap; gaps have rows on both sides."""
    left = {id(row) for row in gone}
    pairs: dict[tuple, list[Row]] = {}
    for row in rows:
        pairs.setdefault((row["server_seed"], row["client_seed"]), []).append(row)
    for pair in pairs.values():
        before: Row | None = None
        missing = False
        for row in sorted(pair, key=lambda row: row["nonce"]):
            if id(row) in left:
                missing = before is not None
                continue
            if missing:
                mark(row, kind)
            before, missing = row, False
    return [row for row in rows if id(row) not in left]


@fraud(
    "rounds that were won replaced by lost ones of another seed, made to be taken for the same",
    nonce_gap="proof",
)
def twin_seeds() -> Found:
    """Won rounds are left out, and their nonces are filled with lost rounds of a twin seed."""
    left = list(TWIN_SEEDS[:1])
    rows = nonce_rows(
        random.Random("twin seeds"),
        180,
        rounds=(90, 90),
        choose=lambda rng, player: left.pop() if left else server_seed(rng),
        commitments=False,
    )
    own = of_servers(rows, TWIN_SEEDS[0])
    for row in won_in(own[1:-1])[::4]:
        won = {**row}
        row["server_seed"] = TWIN_SEEDS[1]
        replay(row)
        if row["payout"]:
            row.update(won)
    for seed in TWIN_SEEDS:
        nonces = [row["nonce"] for row in of_servers(rows, seed)]
        after_gaps = {nonce for before, nonce in pairwise(nonces) if nonce > before + 1}
        for row in of_servers(own, seed):
            if row["nonce"] in after_gaps:
                mark(row, "nonce_gap")
    return rows


@fraud("an insider bets again on rounds that have been won", nonce_repeated="proof")
def nonce_repeated() -> Found:
    rng = random.Random("nonce repeated")
    rows = nonce_rows(rng, 150)
    for place in (140, 97, 33):
        known = next(
            row
            for row in rows[place - 9 :: -1]
            if row["payout"] and row["server_seed"] == rows[place - 9]["server_seed"]
        )
        changed = {"time": rows[place]["time"], "stake": 200.0, "payout": paid(200, "1.98")}
        rows.insert(place + 1, again(known, "nonce_repeated", **changed))
    for row in rows:  # a seed in use hasn't been revealed
        row["reveal_time"] = max(r["reveal_time"] for r in rows)
    return rows


@fraud(
    "rounds logged twice, the server seed's hex digits in capitals the second time",
    "duel.dice",
    duplicate_round="proof",
)
def duplicate_round() -> Found:
    rng = random.Random("duplicate round")
    rows = nonce_rows(rng, 120, outcome=bytes_dice, money=False, times=False, commitments=False)
    for place in (110, 70):
        before = rows[place - 12]
        rows.insert(place, again(before, "duplicate_round", server_seed=before["server_seed"].upper()))
    return rows


@fraud("games of a chain left out", "stake.crash", round_missing="proof")
def round_missing() -> Found:
    hashes = chain("rounds missing", 400)
    rows = chain_rows(hashes, 101, 260)
    for place in (30, 75, 76, 77, 120):
        mark(rows[place], "gone")
    for place in (31, 78, 121):
        mark(rows[place], "round_missing")
    rows = [row for row in rows if "gone" not in row.get(MARKS, ())]
    return rows, {"terminating": hashes[0]}


@fraud(
    "games of a chain that are played once more, when their outcome is known",
    "stake.crash",
    hash_reused="proof",
)
def hash_reused() -> Found:
    hashes = chain("hash reused", 200)
    rows = chain_rows(hashes, 1, 150)
    for place in (140, 90):
        rows.insert(place, again(rows[place - 60], "hash_reused"))
    return rows, {"terminating": hashes[0]}


@fraud("salts that come again under another server seed", "mines:mines=3", salt_reused="proof")
def salt_reused() -> Found:
    rng = random.Random("salt reused")
    used: list[str] = []

    def used_again(rng: random.Random, number: int, row: Row, outcome: Any) -> str:
        if number in (101, 140, 170):
            mark(row, "salt_reused")
            return used[number - 95]
        used.append(salt(rng))
        return used[-1]

    rows = salted_rows(rng, 180, salted.mines, draw=used_again, money=False)
    for row in rows:  # a different round: the server seed has changed
        assert (
            sum(row["salt"] == other["salt"] and row["server_seed"] == other["server_seed"] for other in rows)
            == 1
        )
    return rows


@fraud("hands dealt from a pair of seeds that had been used", "video-poker", seeds_reused="proof")
def seeds_reused() -> Found:
    rows = poker_rows(random.Random("seeds reused"), 90)
    for place, first in ((40, 12), (77, 30)):
        rows[place] = again(rows[first], "seeds_reused")
    return rows


def used_after_reveal(by_mapping: bool) -> Made:
    rows = nonce_rows(random.Random(f"used after reveal {by_mapping}"), 150, players=1 + by_mapping)
    servers = servers_of(rows)
    for server in (servers[1], servers[3]):
        own = of_servers(rows, server)
        told = own[-6]["time"]
        for row in own:
            row["reveal_time"] = told
            if row["time"] > told:
                mark(row, "seed_used_after_reveal")
    name, options = "seed_used_after_reveal", {}
    if by_mapping:
        name = "seed_used_after_reveal_told"
        options = {"reveal_times": {row["server_seed"]: row["reveal_time"] for row in rows}}
        for row in rows:
            del row["reveal_time"]
    what = "bets on a server seed that had been revealed" + ", the times told beside the log" * by_mapping
    return Made(name, what, "stake.dice", rows, {"seed_used_after_reveal": "proof"}, options=options)


CHEATS += [partial(used_after_reveal, False), partial(used_after_reveal, True)]


@fraud(
    "bets on a server seed that had been revealed, whose times alone are left out", untimed_late="evidence"
)
def untimed_after_reveal() -> Found:
    rows = nonce_rows(random.Random("untimed after the reveal"), 300, players=4)
    servers = servers_of(rows)
    for server in servers[4:7]:
        own = of_servers(rows, server)
        told = own[-6]["time"]
        for row in own:
            row["reveal_time"] = told
        for row in own[-5:]:
            row["time"] = None
    for place, row in enumerate(rows):
        before = [other["time"] for other in rows[:place] if other["time"]]
        if row["time"] is None and max(before) > row["reveal_time"]:
            mark(row, "untimed_late")
    return rows


@fraud("bets before the commitment, whose times alone are 'n/a'", untimed_late="evidence")
def untimed_before_commitment() -> Found:
    rows = nonce_rows(random.Random("untimed before the commitment"), 300, players=4)
    servers = servers_of(rows)
    for server in servers[4:7]:
        own = of_servers(rows, server)
        published = (datetime.fromisoformat(own[4]["time"]) + timedelta(seconds=1)).astimezone(UTC)
        for row in own:
            row["commitment_time"] = text_of(published)
        for row in own[:5]:
            row["time"] = "n/a"
    for place, row in enumerate(rows):
        later = [other["time"] for other in rows[place + 1 :] if other["time"] != "n/a"]
        if row["time"] == "n/a" and min(later) < row["commitment_time"]:
            mark(row, "untimed_late")
    return rows


@fraud(
    "of half of the server seeds the last bets, made after the reveal, have no time; player by player",
    untimed_at_ends="evidence",
)
def untimed_at_ends() -> Found:
    rows = nonce_rows(random.Random("untimed at ends"), 600, players=3, rounds=(10, 20))
    by_server: dict[str, list[Row]] = {}
    for row in rows:
        by_server.setdefault(row["server_seed"], []).append(row)
    for own in list(by_server.values())[3:-6:2]:
        for row in own:
            row["reveal_time"] = own[-3]["time"]
        for row in own[-2:]:
            row["time"] = ""
        mark(own[-1], "untimed_at_ends")
    rows.sort(key=lambda row: row["player"])
    return rows


@fraud(
    "server seeds chosen when four bets were made, which lose and have no times",
    also=[
        "untimed_at_ends",
        "first_rounds_low",
        "return_low",
        "return_by_hour",
        "return_by_stake",
        "outcomes_unfair",
    ],
    untimed_low="evidence",
)
def untimed_low() -> Found:
    rng = random.Random("untimed low")

    def choose(rng: random.Random, player: Player) -> str:
        while True:
            server = server_seed(rng)
            if all(nonce_dice(server, player.client, nonce) >= 50 for nonce in range(4)):
                return server

    rows = nonce_rows(rng, 900, choose=choose)
    for row in rows:
        if row["nonce"] < 4:
            row["time"] = row["commitment_time"] = "n/a"
    return rows


# ---- ends ----


def servers_of(rows: list[Row]) -> list[str]:
    return list(dict.fromkeys(row["server_seed"] for row in rows))


def of_servers(rows: list[Row], *servers: str) -> list[Row]:
    return [row for row in rows if row["server_seed"] in servers]


def recommit(row: Row, server: str) -> None:
    """Replay a row under another server seed with its own commitment."""
    row["server_seed"], row["commitment"] = server, sha256(server)
    replay(row)


@fraud("the first two rounds of every pair of seeds left out", nonces_begin_late="evidence")
def nonces_begin_late() -> Found:
    rows = nonce_rows(random.Random("nonces begin late"), 900, players=3, rounds=(15, 25))
    rows = [row for row in rows if row["nonce"] > 1]
    met: set[str] = set()
    for row in rows:
        if row["server_seed"] not in met:
            mark(row, "nonces_begin_late")
        met.add(row["server_seed"])
    return rows


@fraud("server seeds replaced in the middle of a pair, the nonces going on", server_seed_changed="evidence")
def server_seed_changed() -> Found:
    rng = random.Random("server seed changed")
    rows = nonce_rows(rng, 240, players=2)
    servers = servers_of(rows)
    for server in (servers[1], servers[2]):
        own = of_servers(rows, server)[14:]
        other = server_seed(rng)
        for row in own:
            recommit(row, other)
        mark(own[0], "server_seed_changed")
    return rows


@fraud(
    "server seeds that serve two players, the one of whom may know the other's rounds",
    server_seed_shared="evidence",
)
def server_seed_shared() -> Found:
    rows = nonce_rows(random.Random("server seed shared"), 240, players=2)
    own = [servers_of([row for row in rows if row["player"] == name]) for name in ("anna", "boris")]
    reveals = {row["server_seed"]: row["reveal_time"] for row in rows}
    both = dict(zip(own[1][:2], own[0][:2], strict=True))
    first: dict[str, str] = {}
    for row in rows:
        shared = both.get(row["server_seed"], row["server_seed"])
        if shared in both.values():
            twin = next(server for server, other in both.items() if other == shared)
            row["reveal_time"] = max(reveals[shared], reveals[twin])
            row["commitment_time"] = text_of(START)
            recommit(row, shared)
            if first.setdefault(shared, row["player"]) != row["player"]:
                mark(row, "server_seed_shared")
    return rows


@fraud(
    "server seeds of an insider who wins are never revealed",
    also=["return_high", "return_by_player", "return_by_stake", "return_by_hour", "outcomes_unfair"],
    unrevealed_high="evidence",
)
def unrevealed_high() -> Found:
    rows = nonce_rows(random.Random("never revealed"), 300, players=2)
    hidden = servers_of([row for row in rows if row["player"] == "boris"])[-3:]
    for row in of_servers(rows, *hidden):  # logged values can't be recomputed
        row["server_seed"] = row["reveal_time"] = None
        row["outcome"] = round(row["outcome"] / 2.5, 2)
        pay(row)
        mark(row, "unrevealed_high")
    return rows, {"unrevealed": "report"}


@fraud(
    "somebody else bets on games of a chain whose hash is known",
    "stake.crash",
    bet={"cash_out": 2.0},
    game_over="proof",
)
def game_over() -> Found:
    hashes = chain("a game that was over", 300)
    rows = chain_rows(hashes, 1, 120, rng=random.Random("bets on a chain"))
    numbers = {game_hash: number for number, game_hash in enumerate(hashes)}
    for row in rows:
        row["time"] = text_of(START + timedelta(seconds=30 * numbers[row["game_hash"]]))
    for place in (150, 90):
        known = next(row for row in rows[place - 20 :: -1] if row["payout"])
        insider = again(known, "game_over", player="insider", time=rows[place]["time"])
        rows.insert(place + 1, insider)
    return rows, {"terminating": hashes[0]}


# ---- commitments and chains ----


@fraud(
    "another commitment put in place of the first when bets had been made",
    commitment_replaced="proof",
    commitment_mismatch="proof",
)
def commitment_replaced() -> Found:
    rng = random.Random("commitment replaced")
    rows = nonce_rows(rng, 160)
    servers = servers_of(rows)
    for server in (servers[0], servers[2]):
        first = sha256(server_seed(rng))
        for row in of_servers(rows, server):
            if row["nonce"] < 4:
                row["commitment"] = first
                mark(row, "commitment_mismatch", FAILS)
            else:
                mark(row, "commitment_replaced")
    return rows


@fraud("server seeds that nobody had committed to, among others", commitment_missing="proof")
def commitment_missing() -> Found:
    rows = nonce_rows(random.Random("commitment missing"), 160)
    servers = servers_of(rows)
    for row in of_servers(rows, servers[1], servers[3]):
        row["commitment"] = row["commitment_time"] = None
        mark(row, "commitment_missing", FAILS)
    return rows


@fraud(
    "one commitment for three server seeds", commitment_of_several_seeds="proof", commitment_mismatch="proof"
)
def commitment_of_several_seeds() -> Found:
    rows = nonce_rows(random.Random("commitment of several"), 160, players=2, rounds=(12, 20))
    own = servers_of([row for row in rows if row["player"] == "anna"])
    for row in of_servers(rows, *own[2:4]):
        row["commitment"] = sha256(own[1])
        mark(row, "commitment_of_several_seeds", "commitment_mismatch", FAILS)
    return rows


@fraud("commitments published when five bets had been made", commitment_late="proof")
def commitment_late() -> Found:
    rows = nonce_rows(random.Random("commitment late"), 160)
    servers = servers_of(rows)
    for server in (servers[1], servers[2]):
        own = of_servers(rows, server)
        published = (datetime.fromisoformat(own[4]["time"]) + timedelta(seconds=2)).astimezone(UTC)
        for place, row in enumerate(own):
            row["commitment_time"] = text_of(published)
            if place < 5:
                mark(row, "commitment_late")
    return rows


@fraud("server seeds other than those that were committed to", commitment_mismatch="proof")
def commitment_mismatch() -> Found:
    rng = random.Random("commitment mismatch")
    rows = nonce_rows(rng, 160)
    servers = servers_of(rows)
    wrong = {servers[1]: sha256(server_seed(rng)), servers[2]: sha256(server_seed(rng))}
    for row in of_servers(rows, *wrong):
        row["commitment"] = wrong[row["server_seed"]]
        mark(row, "commitment_mismatch", FAILS)
    return rows


@fraud(
    "from some game on another chain is played",
    "stake.crash",
    chain_broken="proof",
    terminating_missed="proof",
)
def chain_broken() -> Found:
    first, second = chain("the chain that was announced", 300), chain("the chain that was played on", 300)
    rows = chain_rows(first, 1, 90) + chain_rows(second, 91, 160)
    numbered(rows)
    mark(rows[90], "chain_broken")
    for row in rows[90:]:
        mark(row, "terminating_missed", FAILS)
    return rows, {"terminating": first[0]}


def spelled_to_bust(rng: random.Random, game_hash: str) -> str:
    """A mixed-case spelling of a hash that busts below 3."""
    text = game_hash
    while crash(text) >= 3:
        text = "".join(rng.choice([letter, letter.upper()]) for letter in game_hash)
    return text


@fraud("a chain that doesn't reach the announced terminating hash", "stake.crash", terminating_missed="proof")
def terminating_missed() -> Found:
    announced, played = chain("announced", 1), chain("played", 300)
    rows = chain_rows(played, 1, 120)
    numbered(rows)
    for row in rows:
        mark(row, "terminating_missed", FAILS)
    return rows, {"terminating": announced[0]}


@fraud(
    "games that run high get the hash in some capitals, whose outcome is low",
    "stake.crash",
    also=["outcomes_unfair"],
    respelled="proof",
)
def hashes_respelled() -> Found:
    rng, hashes = random.Random("respelled"), chain("a chain that is respelled", 400)
    rows = chain_rows(hashes, 1, 400)
    numbered(rows)
    for row in rows:
        if row["outcome"] > 20:  # ignoring case, the hash still leads to the announced one
            row["game_hash"] = spelled_to_bust(rng, row["game_hash"])
            row["outcome"] = crash(row["game_hash"])
            mark(row, "respelled", FAILS)
    return rows, {"terminating": hashes[0]}


# ---- seeds ----


@fraud(
    "a fresh server seed for every bet, the better of two for the house",
    also=[*GROUND, "first_rounds_low"],
    rotated_every_bet="evidence",
)
def rotated_every_bet() -> Found:
    return nonce_rows(random.Random("rotated"), 150, rounds=(1, 1), choose=best_server(2))


def best_server(count: int) -> Callable[[random.Random, Player], str]:
    """The house tries several server seeds, and uses the one whose first dice suit it best."""

    def choose(rng: random.Random, player: Player) -> str:
        tried = [server_seed(rng) for _ in range(count)]
        return max(tried, key=lambda server: nonce_dice(server, player.client, 0))

    return choose


@fraud("a fresh server seed for every bet, but for a few that serve many", rotated_every_bet="evidence")
def rotated_but_one() -> Found:
    """New seeds for most bets; some bets share one, in part with skipped nonces."""

    def choose(rng: random.Random, player: Player) -> str:
        made.append(server_seed(rng))
        return made[-1]

    made: list[str] = []
    rng = random.Random("rotated but one")
    rows = nonce_rows(rng, 60, rounds=(1, 1), choose=choose) + nonce_rows(rng, 120, rounds=(40, 60))[:100]
    rows = rows[:-1] + nonce_rows(rng, 41, rounds=(41, 41))[40:]
    for place, row in enumerate(rows):
        time = START + timedelta(minutes=place)
        row |= {"time": text_of(time), "commitment_time": text_of(START - timedelta(days=1))}
        row["reveal_time"] = text_of(START + timedelta(days=1))
    return rows


@fraud(
    "server seeds that are the beginning of the SHA-512 of the client seed", server_seed_from_client="proof"
)
def server_seed_from_client() -> Found:
    def choose(rng: random.Random, player: Player) -> str:
        player.client = client_seed(rng)
        return hashlib.sha512(player.client.encode()).hexdigest()[:64]

    rows = nonce_rows(random.Random("server seed from client"), 160, players=2, choose=choose)
    for row in rows:
        mark(row, "server_seed_from_client")
    return rows


@fraud("rounds without any client seed", client_seed_empty="proof")
def client_seed_empty() -> Found:
    rng = random.Random("client seed empty")
    rows = nonce_rows(rng, 160)
    for row in of_servers(rows, *servers_of(rows)[1:3]):
        row["client_seed"] = ""
        replay(row)
        mark(row, "client_seed_empty")
    return rows


def replay(row: Row) -> None:
    """Replay a dice round with nonces after its seeds were changed."""
    row["outcome"] = nonce_dice(row["server_seed"], row["client_seed"], row["nonce"])
    pay(row)


def pay(row: Row) -> None:
    row["payout"] = paid(row["stake"], "1.98" if row["outcome"] < 50 else "0")


def client_seed_from_server(of: str) -> Made:
    derive, what = {
        "commitment": (lambda server: sha256(server)[:16], "a part of the commitment"),
        "server": (lambda server: server[8:24], "a part of the server seed"),
        "backward": (lambda server: server[::-1].upper(), "the server seed backward, in capitals"),
        "md5": (lambda server: hashlib.md5(server.encode()).hexdigest(), "the MD5 of the server seed"),
    }[of]
    rows = nonce_rows(random.Random(f"client seed from {of}"), 160, players=2)
    for row in of_servers(rows, *servers_of(rows)[1:4]):
        row["client_seed"] = derive(row["server_seed"])
        replay(row)
        mark(row, "client_seed_from_server")
    planted = {"client_seed_from_server": "proof"}
    return Made(f"client_seed_from_{of}", f"client seeds that are {what}", "stake.dice", rows, planted)


CHEATS += [partial(client_seed_from_server, of) for of in ("commitment", "server", "backward", "md5")]


WEAK = {
    "server_seed_counting": (
        "server seeds that count up",
        lambda rng, number, before: f"{2**200 + number:064x}",
        "evidence",
    ),
    "server_seed_low_entropy": (
        "server seeds of 32 random bits",
        lambda rng, number, before: f"{rng.getrandbits(32):064x}",
        "evidence",
    ),
    "server_seed_hashed_counter": (
        "server seeds that are the SHA-512 of a counter",
        lambda rng, number, before: hashlib.sha512(f"{number:x}".encode()).hexdigest()[:64],
        "proof",
    ),
    "server_seed_hashed": (
        "server seeds of which each is the SHA-256 of the bytes of the one before",
        lambda rng, number, before: (
            hashlib.sha256(bytes.fromhex(before)).hexdigest() if before else server_seed(rng)
        ),
        "proof",
    ),
}


def weak_server_seeds(name: str) -> Made:
    what, make, severity = WEAK[name]
    made: list[str] = []

    def choose(rng: random.Random, player: Player) -> str:
        made.append(make(rng, len(made), made[-1] if made else ""))
        return made[-1]

    rows = nonce_rows(random.Random(name), 200, rounds=(6, 9), choose=choose)
    kind = name.removesuffix("_counter")
    met = {made[0]} if name == "server_seed_hashed" else set()
    for row in rows:
        if severity == "evidence" or row["server_seed"] not in met:
            mark(row, kind)
        met.add(row["server_seed"])
    return Made(name, what, "stake.dice", rows, {kind: severity}, ["server_seed_low_entropy"])


CHEATS += [partial(weak_server_seeds, name) for name in WEAK]


@fraud(
    "salts that are counted, so that each follows from the last",
    "dice",
    also=["salt_low_entropy"],
    salt_counting="evidence",
)
def salt_counting() -> Found:
    rows = salted_rows(
        random.Random("salts that count"), 160, draw=lambda rng, n, row, o: f"{730_000 + n:016x}"
    )
    for row in rows:
        mark(row, "salt_counting")
    return rows


@fraud("salts of four random digits behind many zeros", "dice", salt_low_entropy="evidence")
def salt_low_entropy() -> Found:
    rng = random.Random("salts of few digits")
    few = rng.sample(range(16**4), 160)
    rows = salted_rows(rng, 160, draw=lambda rng, n, row, outcome: f"{few[n]:032x}")
    for row in rows:
        mark(row, "salt_low_entropy")
    return rows


@fraud("outcomes that were computed without the client seed", client_seed_ignored="proof")
def client_seed_ignored() -> Found:
    rows = nonce_rows(random.Random("client seed ignored"), 120)
    for row in rows:
        row["outcome"] = nonce_dice(row["server_seed"], "", row["nonce"])
        pay(row)
        right = nonce_dice(row["server_seed"], row["client_seed"], row["nonce"])
        assert right != row["outcome"]
        mark(row, "client_seed_ignored", FAILS)
    return rows


# ---- money ----


@fraud(
    "from some round on wins pay 1.92 instead of 1.98",
    also=["paytable_differs", "return_low"],
    payout_mismatch="proof",
)
def paytable_changed() -> Found:
    rows = nonce_rows(random.Random("pay table changed"), 200)
    for row in rows[90:]:
        if row["payout"]:
            row["payout"] = paid(row["stake"], "1.92")
            mark(row, "payout_mismatch")
    return rows


@fraud(
    "a Plinko whose middle bucket pays 0.4 where 0.5 is claimed",
    "plinko:pins=8",
    also=["return_low"],
    payout_mismatch="proof",
    paytable_differs="proof",
)
def paytable_other() -> Found:
    table = [*PLINKO_TABLE[:4], 0.4, *PLINKO_TABLE[5:]]
    rows = salted_rows(random.Random("pay table other"), 220, plinko, pays=lambda bucket: table[bucket[0]])
    for row in rows:
        if row["outcome"] == [4]:
            mark(row, "payout_mismatch", "paytable_differs")
    return rows


@fraud("a cent taken from some of the wins", payout_mismatch="proof")
def payouts_shaved() -> Found:
    rng = random.Random("payouts shaved")
    rows = nonce_rows(rng, 200, players=2)
    for row in rows:
        if row["payout"] and rng.random() < 0.15:
            row["payout"] = round(row["payout"] - 0.01, 2)
            mark(row, "payout_mismatch")
    return rows


def won_in(rows: list[Row]) -> list[Row]:
    return [row for row in rows if row["outcome"] < 50]


@fraud("wins that are paid 0, of bets in wei", also=["paytable_differs"], payout_mismatch="proof")
def wins_unpaid() -> Found:
    """Stakes in wei, which leave no room for decimals in 64 bits."""
    rows = nonce_rows(random.Random("wins unpaid"), 200)
    for row in rows:
        row["stake"] *= 1e17
        row["payout"] = float(Fraction(row["stake"]) * Fraction("1.98")) if row["outcome"] < 50 else 0.0
    for row in won_in(rows)[::9]:
        row["payout"] = 0.0
        mark(row, "payout_mismatch")
    return rows


def payouts_pending(word: str) -> Made:
    rows = nonce_rows(random.Random("payouts pending"), 200)
    for row in rows:
        row["payout"] = str(row["payout"])
    for row in won_in(rows)[::9]:
        row["payout"] = word
        mark(row, "payout_missing")
    what = "wins whose payout is a word" if word else "wins whose payout is empty"
    return Made(f"payouts_{word or 'empty'}", what, "stake.dice", rows, {"payout_missing": "evidence"})


CHEATS += [partial(payouts_pending, ""), partial(payouts_pending, "pending")]


def stakes_gone(name: str, what: str, payout: float) -> Made:
    rows = nonce_rows(random.Random(name.replace("_", " ")), 240)
    for row in won_in(rows)[::6]:
        row["stake"], row["payout"] = 0.0, payout
        mark(row, "wins_unstaked")
    return Made(name, what, "stake.dice", rows, {"wins_unstaked": "evidence"})


TRIFLE = "wins whose stake is 0, as in free rounds, and whose payout is a cent"
CHEATS += [partial(stakes_gone, "stakes_gone", "wins whose stake and payout are 0", 0.0)]
CHEATS += [partial(stakes_gone, "stakes_gone_for_a_trifle", TRIFLE, 0.01)]


@fraud(
    "1.98 is paid as 1, and one stake of 100 makes it look like rounding",
    also=["return_low"],
    payout_mismatch="evidence",
)
def rounding_hidden() -> Found:
    rows = nonce_rows(random.Random("rounding hidden"), 300)
    for row in rows:
        row["stake"], row["payout"] = 1.0, 1.0 if row["outcome"] < 50 else 0.0
    rows[17]["stake"] = 100.0
    rows[17]["payout"] = 198.0 if rows[17]["outcome"] < 50 else 0.0
    return rows


@fraud("one player's wins are rounded down, an insider's up", rounding_by_player="evidence")
def rounding_by_player() -> Found:
    rows = nonce_rows(random.Random("rounding by player"), 240, players=2)
    for row in rows:
        round_win(row, "0.37", {"anna": "0.73", "boris": "0.74"})
    first = next(row for row in rows if row["player"] == "anna" and row["outcome"] < 50)
    other = next(row for row in rows if row["player"] == "boris" and row["outcome"] < 50)
    mark(min(first, other, key=rows.index), "rounding_by_player")
    return rows


@fraud(
    "49 bets that lost are listed twice, and none that won", also=["return_low"], doubles_chosen="evidence"
)
def losses_listed_twice() -> Found:
    rows = nonce_rows(random.Random("losses listed twice"), 240)
    lost = [row for row in rows if row["outcome"] >= 50][:49]
    return rows + [again(row, "doubles_chosen") for row in lost]


@fraud("wins that are called void, and their stake given back", also=["return_low"], wins_refunded="evidence")
def wins_refunded() -> Found:
    rows = nonce_rows(random.Random("wins refunded"), 240)
    return refund(rows, won_in(rows)[::6])


def refund(rows: list[Row], won: list[Row], lost: Iterable[Row] = ()) -> list[Row]:
    """Call some bets void, of which those that won are marked."""
    for row in rows:
        row["status"] = "settled"
    for row in (*won, *lost):
        row["status"], row["payout"] = "void", row["stake"]
    for row in won:
        mark(row, "wins_refunded")
    return rows


@fraud(
    "large wins that are called void, and as many small losses beside them",
    also=["return_low"],
    wins_refunded="evidence",
)
def large_wins_refunded() -> Found:
    rows = nonce_rows(random.Random("large wins refunded"), 400)
    large = [row for row in won_in(rows) if row["stake"] >= 50][:30]
    small = [row for row in rows if row["outcome"] >= 50 and row["stake"] <= 5][:30]
    return refund(rows, large, small)


# ---- selection ----


def best_of(count: int, when: Callable[[Row], bool] = lambda row: True, best: Any = max) -> Any:
    """The house tries several salts, and uses the one whose dice suit it best: the highest."""

    def draw(rng: random.Random, number: int, row: Row, outcome: Callable[[str], Any]) -> str:
        return best((salt(rng) for _ in range(count if when(row) else 1)), key=outcome)

    return draw


@fraud("the better of two salts for the house", "dice", also=GROUND, salts_ground="evidence")
def salts_ground() -> Found:
    return salted_rows(random.Random("salts ground"), 300, draw=best_of(2))


@fraud("the best of three salts where the stake is large", "dice", also=GROUND, return_by_stake="evidence")
def large_bets_lose() -> Found:
    draw = best_of(3, lambda row: row["stake"] >= 100)
    return salted_rows(random.Random("large bets lose"), 400, draw=draw)


@fraud(
    "the best of three salts against one of four players", "dice", also=GROUND, return_by_player="evidence"
)
def player_loses() -> Found:
    draw = best_of(3, lambda row: row["player"] == "clara")
    return salted_rows(random.Random("a player loses"), 400, players=4, draw=draw)


@fraud("the best of three salts from midnight to 3 o'clock", "dice", also=GROUND, return_by_hour="evidence")
def nights_lose() -> Found:
    draw = best_of(3, lambda row: row["time"][11:13] in ("00", "01", "02"))
    return salted_rows(random.Random("nights lose"), 900, draw=draw, pause=117)


@fraud(
    "the best of four salts for one of three players",
    "dice",
    also=["return_high", "return_by_stake", "return_by_hour", "outcomes_unfair"],
    return_by_player="evidence",
)
def insider_wins() -> Found:
    draw = best_of(4, lambda row: row["player"] == "boris", min)
    return salted_rows(random.Random("an insider wins"), 400, players=3, draw=draw)


@fraud(
    "of four server seeds the one whose first round suits the house best",
    also=GROUND,
    first_rounds_low="evidence",
)
def first_rounds_lose() -> Found:
    return nonce_rows(random.Random("first rounds lose"), 480, rounds=(5, 9), choose=best_server(4))


def board_unfair(listed_twice: bool = False) -> Made:
    rng = random.Random("unfair board")
    chances = [1, 8, 28, 56, 98, 28, 28, 8, 1]

    def draw(rng: random.Random, number: int, row: Row, outcome: Callable[[str], Any]) -> str:
        wanted = rng.choices(range(9), chances)
        while True:
            tried = rng.randbytes(8).hex()
            if outcome(tried) == wanted:
                return tried

    rows = salted_rows(
        rng,
        1500,
        plinko,
        draw=draw,
        pays=lambda bucket: PLINKO_TABLE[bucket[0]],
        times=listed_twice,
        commitments=False,
    )
    name = "board_unfair"
    what = "salts picked so that balls fall into the worst bucket more often than they should"
    if listed_twice:
        rows.append(dict(rows[-1]))
        name, what = "board_unfair_twice", f"{what}; one row is listed twice"
    return Made(name, what, "plinko:pins=8", rows, {"outcomes_unfair": "evidence"}, GROUND)


CHEATS += [board_unfair, partial(board_unfair, listed_twice=True)]


def board_of_table(count: int = 12_000) -> Made:
    """A custom rule under which each row verifies, though the board isn't what pins produce."""
    rows = nonce_rows(
        random.Random("board of a table"),
        count,
        rounds=(1000, 1000),
        outcome=board_bucket,
        pays=lambda bucket: PLINKO_TABLE[bucket],
        times=False,
        commitments=False,
    )
    return Made(
        "board_of_table",
        "a Plinko whose verifier shares the unfair table of its game: it returns 0.98000 instead of 0.98984",
        "gallery:Board:table=operator",
        rows,
        {"outcomes_unfair": "evidence"},
        ["return_low"],
        bet=PLINKO_BET,
        claimed="gallery:Board",
    )


CHEATS.append(board_of_table)


def cheats() -> Iterator[Made]:
    """One log per fraud, some in several variants."""
    return (made() for made in CHEATS)
