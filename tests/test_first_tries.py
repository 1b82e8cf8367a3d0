"""What people try first, as they would write it, with oracles in plain Python."""

from __future__ import annotations

import csv
import hashlib
import itertools
import math
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from oracles import gallery
from own_games import game_of
from provably_fair.cli.commands import run
from provably_fair.games.draws import Draws

STAKE = pf.operators.stake
SEED, CLIENT = "ab" * 32, "player"
REDS = (1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36)


def dice(seed: str, nonce: int) -> float:
    return gallery.nonce_dice(seed, CLIENT, nonce)


def written(path: Path, names: Sequence[str], rows: Iterable[Sequence[object]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([names, *rows])
    return path


# ---- games of one's own ----


class Baccarat(pf.Game):
    """Punto banco of eight decks: 0 the player wins, 1 the banker, 2 a tie."""

    vectorized = False

    def outcome(self, draws: Draws) -> Any:
        values = [min(card // 32 + 1, 10) % 10 for card in draws.sample(416, 6)]
        player, banker, left = values[0] + values[2], values[1] + values[3], values[4:]
        player, banker, third = player % 10, banker % 10, None
        if player < 8 and banker < 8:
            if player <= 5:
                third = left.pop(0)
                player = (player + third) % 10
            draws_on = {3: {*range(10)} - {8}, 4: {*range(2, 8)}, 5: {*range(4, 8)}, 6: {6, 7}}
            if banker <= 5 if third is None else banker <= 2 or third in draws_on.get(banker, ()):
                banker = (banker + left.pop(0)) % 10
        return 0 if player > banker else 1 if banker > player else 2


def test_baccarat_of_eight_decks() -> None:
    with pytest.raises(pf.errors.UnlistedLawError, match="A bet with law=None needs no law"):
        Baccarat().bet({0: 2, 2: 1})
    bet = Baccarat().bet({0: 2, 2: 1}, law=None)
    assert (bet.law, bet.law_kind) == (None, None)
    assert "estimate(rounds)" in str(bet)
    found = bet.estimate(40_000)
    # The house edges of punto banco of eight decks, as is published everywhere.
    assert found.low < 1 - 0.012351 < found.high
    banker = Baccarat().bet({1: 1.95, 2: 1}, law=None).estimate(40_000)
    assert banker.low < 1 - 0.010579 < banker.high


class InstantCrash(pf.Game):
    def outcome(self, draws: Draws) -> np.ndarray:
        bust = np.floor(100 / (1 - draws.number())) / 100
        return np.where(draws.below(33) == 0, 1.0, bust)


def test_a_crash_with_an_instant_bust() -> None:
    # At least 2 is the upper half of the numbers, in 32 of 33 rounds.
    bet = InstantCrash().bet(2, of=lambda busts: busts >= 2, law="ideal")
    assert bet.rtp == pytest.approx(2 * 32 / 33 / 2, abs=1e-12)

    class Kind(pf.games.kinds.MultiplierGame):
        outcome = InstantCrash.outcome

    assert Kind().bet(cash_out=2.0, law="ideal").rtp == pytest.approx(32 / 33, abs=1e-12)


class Branching(pf.Game):
    def outcome(self, draws: Draws) -> Any:
        if draws.below(33) == 0:
            return 1.0
        return np.floor(100 / (1 - draws.number())) / 100


def test_a_rule_of_one_round_says_how_it_is_written_for_many() -> None:
    with pytest.raises((TypeError, ValueError), match=r"np\.where.* or .*vectorized = False"):
        Branching().play("server", "client", "salt")

    class Single(Branching):
        vectorized = False

    with pytest.raises(pf.errors.UnlistedLawError, match="this one has vectorized = False: its code is for"):
        Single().bet(2, of=lambda busts: busts >= 2)


def test_the_sum_of_40_dice() -> None:
    ways = [1]
    for _ in range(40):
        ways = [sum(ways[max(k - 5, 0) : k + 1]) for k in range(len(ways) + 5)]

    dice = game_of(lambda draws: sum(draws.below(6) + 1 for _ in range(40)))
    die = game_of(lambda draws: draws.below(6) + 1)
    for law in (dice.distribution(), die.distribution().sum(40)):
        assert law.outcomes.tolist() == list(range(40, 241))
        assert [Fraction(weight, law.total) for weight in law.weights] == [
            Fraction(one, 6**40) for one in ways
        ]


class Fair(pf.Game):
    def outcome(self, draws: Draws) -> Any:
        return draws.shuffle(4)


class Naive(pf.Game):
    vectorized = False

    def outcome(self, draws: Draws) -> Any:
        cards = list(range(4))
        for place in range(4):
            other = draws.below(4)
            cards[place], cards[other] = cards[other], cards[place]
        return np.array(cards)


def test_a_shuffle_against_the_naive_one() -> None:
    counts: Counter[tuple[int, ...]] = Counter()
    for others in itertools.product(range(4), repeat=4):
        cards = list(range(4))
        for place, other in enumerate(others):
            cards[place], cards[other] = cards[other], cards[place]
        counts[tuple(cards)] += 1
    shares = [Fraction(counts[cards], 4**4) for cards in itertools.permutations(range(4))]
    distance = sum(abs(share - Fraction(1, 24)) for share in shares) / 2
    naive = Naive().distribution()
    assert Fair().distribution().total_variation(naive, exact=True) == distance
    firsts = [Fraction(sum(n for cards, n in counts.items() if cards[place] == value), 4**4)
              for place in range(4) for value in range(4)]  # fmt: skip
    far = max(
        sum(abs(share - Fraction(1, 4)) for share in firsts[4 * place : 4 * place + 4]) / 2
        for place in range(4)
    )
    said = pf.fairness_report(Naive().simulate(2000), Naive()).verdict
    assert "unlike rounds of its own law" in said
    assert f"{float(far):.2%} from equally likely ones" in said
    assert not pf.fairness_report(Naive().simulate(20_000), Fair()).ok
    with pytest.raises(TypeError, match="game="):
        pf.fairness_report([1, 2, 3] * 100)


class LaPartage(pf.operators.stake.Roulette):
    def pays(self, outcomes: np.ndarray, *, red: bool) -> np.ndarray:
        return np.where(outcomes == 0, 0.5, np.where(np.isin(outcomes, REDS) == red, 2.0, 0.0))


def test_la_partage() -> None:
    assert LaPartage().bet(red=True, law="ideal").exact_rtp == Fraction(18 * 2, 37) + Fraction(1, 74)
    assert LaPartage().bet(red=False).rtp == pytest.approx(73 / 74, abs=1e-8)


def test_a_raffle_by_drand() -> None:
    signature = (
        "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39"
    )
    drand = pf.beacons.Drand("quicknet")
    assert drand.verify(1000, signature)

    class Raffle(pf.Game):
        tickets: int = 1000
        scheme = pf.Scheme(pf.Hash("sha256", "{randomness}:{cursor}"), bits=64)

        def outcome(self, draws: Draws) -> Any:
            return draws.sample(self.tickets, 3)

    public = hashlib.sha256(bytes.fromhex(signature)).hexdigest()
    assert drand.randomness(signature) == public
    digest = hashlib.sha256(f"{public}:0".encode()).digest()
    left, winners = list(range(500)), []
    for word in range(3):
        chance = Fraction(int.from_bytes(digest[8 * word : 8 * word + 8]), 2**64)
        winners.append(left.pop(math.floor(chance * len(left))))
    assert Raffle(500).play(public).tolist() == winners


# ---- laws and bets ----


def test_dice_of_two_operators_in_different_units() -> None:
    one, other = STAKE.Dice().distribution(), pf.operators.duel.Dice().distribution()
    assert str(one.difference(other)).startswith(
        "the other's outcomes seem to be in a unit 100 times smaller"
    )
    with pytest.warns(UserWarning, match=r"compare with other\.map\(lambda x: x / 100\)"):
        one.total_variation(other)
    with pytest.warns(UserWarning, match=r"this law's outcomes .* law\.map\(lambda x: x / 100\)"):
        other.total_variation(one)
    scaled = other.map(lambda x: x / 100)
    shared = {*one.outcomes.tolist()} & {*scaled.outcomes.tolist()}
    most = max(len(one.outcomes), len(scaled.outcomes))
    assert one.total_variation(scaled, exact=True) == 1 - Fraction(len(shared), most)
    # Laws that are merely apart aren't said to be in different units.
    apart = pf.Distribution([1, 2], [1, 1]), pf.Distribution([30, 31], [1, 1])
    assert apart[0].total_variation(apart[1]) == 1
    assert len(apart[0].difference(apart[1])) == 4


def test_the_largest_bust_of_a_day_and_of_ten_years() -> None:
    game = pf.operators.bustabit.V3()
    with pytest.raises(
        pf.errors.UnlistedLawError, match=r"10 \*\* \(np\.floor\(100 \* np\.log10.*maximum\(n\)"
    ):
        game.distribution()
    law = game.distribution(
        of=lambda outcomes: 10 ** (np.floor(100 * np.log10(np.maximum(outcomes, 1))) / 100)
    )
    for games in (2_880, 10_519_200):
        # A bust is at least x with a chance of 0.99 / x, so the median of the largest is 0.99 n / log 2.
        median = 0.99 * games / math.log(2)
        assert law.maximum(games).median() == pytest.approx(median, rel=0.024)


def test_a_bonus_wagered_30_times() -> None:
    bet = pf.Dice().bet(1.98, under=50)
    with pytest.raises(ValueError, match="unit=10 would do"):
        bet.drawdown(3000)
    law = bet.drawdown(3000, unit=10)
    rng = np.random.default_rng(1)
    steps = np.where(rng.random((1000, 3000)) < 5000 / 10001, 0.98, -1.0)
    paths = np.concatenate([np.zeros((1000, 1)), np.cumsum(steps, axis=1)], axis=1)
    falls = (np.maximum.accumulate(paths, axis=1) - paths).max(axis=1)
    assert float(law.mean()) == pytest.approx(falls.mean(), abs=5.0)  # in steps of 10
    ruined = np.mean(100 + paths.min(axis=1) < 1)
    assert bet.ruin(100, rounds=3000) == pytest.approx(ruined, abs=0.025)


# ---- logs ----


@pytest.mark.parametrize(
    ("stake", "payout"),
    [
        ("stake", "payout"), ("Bet Amount", "Payout Amount"), ("betAmount", "payoutAmount"),
        ("bet_amount", "win_amount"), ("Amount Wagered", "Amount Won"), ("total_bet", "total_win"),
        ("wager", "Total Payout"), ("Wager Amount", "amount_paid"),
    ],
)  # fmt: skip
def test_money_as_operators_name_it(stake: str, payout: str, tmp_path: Path) -> None:
    bet = STAKE.Dice().bet(1.98, under=50)
    rolls = [dice(SEED, nonce) for nonce in range(100)]
    rows = [[SEED, CLIENT, nonce, roll, 2, 3.96 if roll < 50 else 0] for nonce, roll in enumerate(rolls)]
    names = ["server_seed", "client_seed", "nonce", "outcome", stake, payout]
    assert pf.audit(written(tmp_path / "honest.csv", names, rows), "stake.dice", bet=bet).ok
    won = next(nonce for nonce, roll in enumerate(rolls) if roll < 50)
    rows[won][-1] = 3.95
    found = pf.audit(written(tmp_path / "short.csv", names, rows), "stake.dice", bet=bet).findings
    assert [(one.kind, list(one.rows)) for one in found] == [("payout_mismatch", [won])]
    watch = pf.monitoring.Watch(bet, windows=["all"]).update(tmp_path / "honest.csv")
    paid = sum(3.96 for roll in rolls if roll < 50)
    assert watch.report().segments[0].returned == pytest.approx(paid)


def test_names_that_may_leave_out_the_stake_are_asked_about() -> None:
    log = {"server_seed": SEED, "client_seed": CLIENT, "nonce": [1], "outcome": [dice(SEED, 1)], "wager": [1]}
    for name, hint in (("profit", "includes the stake"), ("multiplier", "is an amount: the stake times")):
        with pytest.raises(pf.errors.MissingColumnError, match=rf"\(a payout {hint}"):
            pf.audit(log | {name: [0]}, "stake.dice", bet=STAKE.Dice().bet(1.98, under=50))


def test_an_export_of_two_tables_and_five_games(tmp_path: Path, capsys: Any) -> None:
    rng = random.Random(5)
    seeds = [rng.randbytes(32).hex() for _ in range(3)]
    hashes = [hashlib.sha256(seed.encode()).hexdigest() for seed in seeds]
    revealed = [*seeds[:2], ""]
    written(tmp_path / "seeds.csv", ["seed_hash", "server_seed"], zip(hashes, revealed, strict=True))
    games: dict[str, Callable[[str, int], Any]] = {
        "Dice": dice,
        "Roulette": lambda seed, nonce: gallery.board_bucket(seed, CLIENT, nonce, [1] * 37),
        "Mines": lambda seed, nonce: STAKE.Mines(mines=5).play(seed, CLIENT, nonce).tolist(),
        "Keno": lambda seed, nonce: STAKE.Keno().play(seed, CLIENT, nonce).tolist(),
        "Plinko": lambda seed, nonce: STAKE.Plinko(rows=16).play(seed, CLIENT, nonce).tolist(),
    }
    rows = []
    for (seed, hashed), nonce in itertools.product(zip(seeds, hashes, strict=True), range(80)):
        name = rng.choice(list(games))
        rows.append([name, hashed, CLIENT, nonce, games[name](seed, nonce)])
    names = ["game", "seed_hash", "client_seed", "nonce", "result"]
    log = written(tmp_path / "bets.csv", names, rows)
    found = pf.identify(log, seeds=tmp_path / "seeds.csv")
    assert found.games == {
        "Dice": "stake.dice",
        "Roulette": "stake.roulette",
        "Mines": "stake.mines:mines=5",
        "Keno": "stake.keno",
        "Plinko": "stake.plinko",
    }
    options = {"game_column": found.game_column, "columns": found.columns}
    report = pf.verify(log, found.games, seeds=tmp_path / "seeds.csv", **options)
    assert (report.ok, report.checked, len(rows)) == (True, 160, 240)
    typed = ["identify", str(log), "--seeds", str(tmp_path / "seeds.csv")]
    assert run(typed) == 0
    said = capsys.readouterr().out.splitlines()
    config = [line.strip() for line in said if line.startswith("    ")]
    (tmp_path / "log.toml").write_text("\n".join(config))
    assert run(["verify", *typed[1:], "--config", str(tmp_path / "log.toml")]) == 0


def test_a_glob_of_parquet(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    import pyarrow as pa

    for day in range(3):
        nonces = list(range(20 * day, 20 * day + 20))
        columns = {"server_seed": [SEED] * 20, "client_seed": [CLIENT] * 20, "nonce": nonces}
        table = pa.table(columns | {"outcome": [dice(SEED, nonce) for nonce in nonces]})
        parquet.write_table(table, tmp_path / f"day{day}.parquet")
    for log in (str(tmp_path / "*.parquet"), sorted(tmp_path.glob("*.parquet")), tmp_path.glob("*.parquet")):
        report = pf.verify(log, "stake.dice")
        assert (report.ok, report.checked) == (True, 60)


def test_a_port_by_the_remainder_under_vectors_as_pytest(tmp_path: Path) -> None:
    path = tmp_path / "test_port.py"
    assert run(["vectors", "stake.dice", "--pytest", str(path)]) == 0
    text = path.read_text(encoding="utf-8")
    own = "    game = resolve_name('provably_fair.operators.stake:Dice')(**{})\n"
    own += "    return play_round(game, seeds)\n"
    assert own in text
    port = """
    import hmac
    if "digests" in seeds:
        digest = seeds["digests"][0]
    else:
        message = f"{seeds['client_seed']}:{seeds['nonce']}:0".encode()
        digest = hmac.new(seeds["server_seed"].encode(), message, "sha256").hexdigest()
    return int(digest[:8], 16) % 10001 / 100
"""
    path.write_text(text.replace(own, port), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 1
    assert "mistake: a word made one of n: modulo" in done.stdout


def test_an_audit_with_revealed_at_and_user(tmp_path: Path) -> None:
    hashed = hashlib.sha256(SEED.encode()).hexdigest()
    names = ["user", "time", "revealed_at", "seed_hash", "server_seed", "client_seed", "nonce", "outcome"]
    rows = [
        ["bob", f"2024-01-01T10:00:{nonce:02}Z", "2024-01-01T10:00:30Z", hashed, SEED, CLIENT, nonce]
        for nonce in range(60)
    ]
    log = written(tmp_path / "log.csv", names, [[*row, dice(SEED, row[-1])] for row in rows])
    report = pf.audit(log, "stake.dice", columns={"commitment": "seed_hash"})
    # A second is how far apart the clocks of both columns may be.
    found = {one.kind: one.rows for one in report.findings}
    assert list(found) == ["seed_used_after_reveal"]
    assert list(found["seed_used_after_reveal"]) == list(range(32, 60))
    assert "not read" not in str(report)


def test_busts_of_a_chat_are_placed_on_a_chain(tmp_path: Path) -> None:
    chain = pf.HashChain().generate("secret", games=2000)
    texts = [hashed.decode() for hashed in chain.tolist()]
    for earlier, later in itertools.pairwise(texts):
        assert hashlib.sha256(later.encode()).hexdigest() == earlier
    busts = pf.operators.bustabit.V1().play(chain).tolist()
    kept = [*range(1000, 1100), *range(1104, 1200), *range(1201, 1400)]
    chat = [f"{busts[game]:.2f}x".replace(".", ",") for game in reversed(kept)]
    log = written(tmp_path / "chat.csv", ["bust"], [[text] for text in chat])
    for rows in (chat, log):
        found = pf.locate(rows, "bustabit.v1", anchor=texts[-1])
        assert (found.placed, found.reversed) == (len(kept), True)
        assert found.rows.tolist() == [1999 - game for game in reversed(kept)]
        assert found.holes.tolist() == [[199, 1], [295, 4]]
    (tmp_path / "chat.txt").write_text("\n".join(chat))
    with pytest.raises(pf.LogError, match="format="):
        pf.locate(tmp_path / "chat.txt", "bustabit.v1", anchor=texts[-1])
    earlier = pf.locate(chat, "bustabit.v1", anchor=texts[0], limit=100)
    assert "no earlier than the last row" in earlier.verdict


# ---- misspelled names ----


class Board(pf.games.kinds.BoardGame):
    mines: int = 3

    def outcome(self, draws: Draws) -> Any:
        return draws.sample(9, self.mines)


class Cels(Board):
    cels = 9


MISSPELLED: list[tuple[Callable[[], object], str]] = [
    (lambda: pf.Dice().simulate(10, sead=3), "did you mean 'seed'"),
    (lambda: STAKE.Dice().simulate(10, sead=3), "did you mean 'seed'"),
    (lambda: pf.Dice().tally(10, undr=50), "did you mean 'under'"),
    (lambda: STAKE.Mines().tally(10, reveal=3), "did you mean 'reveals'"),
    (lambda: pf.Mines().survival(revals=2), "did you mean reveals"),
    (lambda: pf.Mines(mine=3), "did you mean 'mines'"),
    (lambda: STAKE.Mines(mine=3), "did you mean 'mines'"),
    (lambda: pf.Dice().play("a", "b", slat="c"), "did you mean 'salt'"),
    (lambda: STAKE.Dice().play("a", "b", nonse=1), "did you mean 'nonce'"),
    (lambda: Cels().distribution(), r"Cels\.cells must be stated.*did you mean 'cels'"),
    (lambda: pf.verify({}, "hashed-dic"), "did you mean 'hashed-dice'"),
]


@pytest.mark.parametrize(("call", "said"), MISSPELLED, ids=[said for _, said in MISSPELLED])
def test_misspelled_names_are_asked_about(call: Callable[[], object], said: str) -> None:
    with pytest.raises((TypeError, ValueError), match=said):
        call()


def test_only_names_that_are_taken_are_proposed() -> None:
    for wrong in ("red", "rouge"):
        with pytest.raises(TypeError, match=r"got '\w+'$"):
            STAKE.Roulette().simulate(10, **{wrong: True})
    with pytest.raises(ValueError, match=r"got 'hashed-dic'$"):  # hashed dice are no game that is played
        pf.difference("hashed-dic", pf.Dice())


@pytest.mark.parametrize("value", ["9", 9.5, True])
def test_facts_of_a_wrong_type_are_refused(value: object) -> None:
    wrong = type("Wrong", (Board,), {"cells": value, "__module__": __name__})
    with pytest.raises(TypeError, match=r"Wrong\.cells must be an integer, got "):
        wrong().distribution()
