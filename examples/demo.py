"""The main job on real input: a documented round from its seeds, every game in bulk, backgammon dice."""

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import provably_fair as pf

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from oracles import fpclub as fpclub_oracle
from oracles import salted as reference

ROUNDS = 200_000
CHECKED = 2_000

# Whose outcome has so heavy a tail that a few rounds decide its mean: what a bet of 1 returns instead.
CASH_OUT = {"crash": {"cash_out": 2.0}, "overgo": {"cash_out": 2.0}}
# What the exact mean of games of several values is made of.
PARTS = {"mines": [{"cells": [cell]} for cell in range(25)], "slot": [{"reel": reel} for reel in range(5)]}


def mines_round() -> None:
    """Show how the seeds of the documented round become mines."""
    server_seed, client_seed, salt, mines = "", "", "", 3
    print("A round of Mines, from its seeds to its mines")
    print("---------------------------------------------")
    print("The operator's document prints this round step by step, with three mines. Its seeds:")
    print(f"  server seed {server_seed!r}, client seed {client_seed!r}, salt {salt!r} (all three empty)")
    print(f"  key = SHA-256(server seed:salt) = {reference.key(server_seed, salt)}")
    for cursor in range(3):
        message = f"{client_seed}:{cursor}"
        text = pf.random_bytes(server_seed, client_seed, salt, cursor).hex(" ")
        print(f"  HMAC-SHA512(key, {message!r}) = {text[:95]}\n{text[95:]:>127}")
    numbers = pf.random_numbers(server_seed, client_seed, salt, count=24)
    print(f"  the first numbers: {', '.join(f'{number:.6f}' for number in numbers[:mines])}, ...")
    permutation = pf.Mines(mines=24).play(server_seed, client_seed, salt)
    print(f"  Fisher-Yates: {' '.join(map(str, permutation))}")
    cells = pf.Mines(mines=mines).play(server_seed, client_seed, salt)
    print(f"  the first three are the mines: {', '.join(map(str, cells))}\n")
    board = np.full(25, ".")
    board[cells] = "*"
    for row in board.reshape(5, 5):
        print("     ", *row)
    assert cells.tolist() == [11, 8, 18], "the document's mines"
    print("\n  These are the cells that the document names.\n")


def every_game() -> None:
    """Show one outcome and a bulk run of every game, checked against plain Python."""
    print("Every game")
    print("----------")
    print(f"One outcome of the same empty seeds, then {ROUNDS:,} simulated rounds: their rate, and the mean")
    print("with its standard error beside the exact mean as drawn, rounding of numbers included. Of Tower")
    print("it is the mean of rows climbed, of Slot of all stops, of Mines of the mines' cells; of Crash and")
    print("Overgo the return to player of a cash-out at 2.00.\n")
    print(f"{'game':<9}{'one outcome':<31}{'rounds/s':>11}{'mean':>11}{'+-':>9}{'exact':>11}{'off by':>8}")
    for name, game_class in pf.GAMES.items():
        game = game_class()
        one = np.array2string(np.ravel(game.play("", "", "")), separator=" ")[1:-1]
        begin = time.perf_counter()
        outcomes = game.simulate(ROUNDS)
        rate = ROUNDS / (time.perf_counter() - begin)
        by_round, exact = simulated_and_exact(name, game, outcomes)
        mean, error = by_round.mean(), by_round.std(ddof=1) / ROUNDS**0.5
        print(
            f"{name:<9}{one:<31}{rate:>11,.0f}{mean:>11.4f}{error:>9.4f}{exact:>11.4f}"
            f"{(mean - exact) / error:>+7.1f}s"
        )
        check(name, game)
    print("\n(off by: in standard errors; beyond 3 of them would be a surprise)")
    print(f"\nChecked: of every game, {CHECKED:,} rounds are equal, value by value, to an independent")
    print("computation in plain Python (tests/oracles/salted.py: hashlib and hmac, nothing of the engine).")


def backgammon_dice() -> None:
    """Show FPClub's two kinds of dice: throws of two players, and a damaged record repaired."""
    print("\nBackgammon dice")
    print("---------------")
    first, second = pf.fpclub.Sequence.md5("first player"), pf.fpclub.Sequence.md5("second player")
    match = pf.fpclub.Match(first, second, first_move="first")
    print(f"Combined from both players: {match.ticker(stop=6)} ...")
    throws = [
        [(a + b - 1) % 6 + 1 for a, b in zip(*pairs, strict=True)]
        for pairs in zip(first, second, strict=True)
    ]
    assert match.throws.tolist() == throws
    print("Hashed ahead: the record in the operator's own document, which its print damaged")
    (record,) = pf.fpclub.parse_log(fpclub_oracle.PRINTED_RECORD)
    verdict = record.check()
    print("  " + str(verdict).replace("\n", "\n  "))
    assert fpclub_oracle.digest(verdict.repair.digits, "md5") == record.expected


def simulated_and_exact(name: str, game: pf.Game, outcomes: np.ndarray) -> tuple[np.ndarray, float]:
    """Return a value for each simulated round, and the exact mean of such values."""
    if name == "mines":
        hit = [game.distribution("as_drawn", **cell).mean(exact=True) for cell in PARTS[name]]
        return outcomes.mean(axis=1), float(
            sum(cell * chance for cell, chance in enumerate(hit)) / game.mines
        )
    if name == "slot":
        means = [game.distribution("as_drawn", **reel).mean(exact=True) for reel in PARTS[name]]
        return outcomes.mean(axis=(1, 2)), float(sum(means) / len(means))
    subject = CASH_OUT.get(name, {})
    return game.observe(outcomes, **subject), game.distribution("as_drawn", **subject).mean()


def sample_logs() -> None:
    """Verify the sample logs with the command, and hold what it finds against the planted defects."""
    print("\nLogs of rounds, with planted defects")
    print("------------------------------------")
    folder = Path(__file__).parent / "logs"
    for name, log in json.loads((folder / "defects.json").read_text(encoding="utf-8")).items():
        command = ["verify", f"examples/logs/{name}", "--game", log["game"]]
        print(f"$ provably-fair {' '.join(command)}")
        done = subprocess.run(
            [sys.executable, "-m", "provably_fair", *command, "--json"],
            cwd=folder.parent.parent,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 1, done.stderr
        report = json.loads(done.stdout)
        print(f"  {report['checked']} rows, {report['failed']} failed (exit code {done.returncode})")
        for failure in report["failures"]:
            expected = f", expected {shorten(failure['expected'])}" if failure["expected"] else ""
            print(f"    row {failure['row']}: {failure['kind']}, found {shorten(failure['found'])}{expected}")
        assert [[f["row"], f["kind"]] for f in report["failures"]] == log["defects"]
    print("  These are the defects that were planted, and no others.")


def shorten(value: object) -> str:
    """Return a value's text, of a long one the beginning."""
    text = str(value)
    return text if len(text) <= 32 else f"{text[:29]}..."


def check(name: str, game: pf.Game) -> None:
    """Compare some rounds of a game with the plain-Python computation."""
    salts = reference.salts(CHECKED, seed="demo")
    bulk = game.play("demo server", "demo client", salts)
    for outcome, salt in zip(bulk.tolist(), salts, strict=True):
        expected = reference.GAMES[name]("demo server", "demo client", salt)
        assert outcome == expected, f"{name} of salt {salt}: {outcome}, expected {expected}"


if __name__ == "__main__":
    mines_round()
    every_game()
    backgammon_dice()
    sample_logs()
