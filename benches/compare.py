"""Compare the speed of two builds: `compare.py BEFORE NOW`, each a Python in which one is installed.

They run in turns, each turn in a process of its own, on one thread; what counts is the CPU's time. Prints a
table in Markdown: the median of both, and the ratio with its range over all turns. Work that fails in one of
them is left empty.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys

TURNS = 7
# Setups and statements, in the interface of the oldest version compared.
WORK = {
    "dice, 10^6 rounds": ("game = pf.Dice()", "game.simulate(1_000_000, threads=1)"),
    "mines, 10^6 rounds": ("game = pf.Mines(3)", "game.simulate(1_000_000, threads=1)"),
    "plinko, 10^4 rounds of 100 balls": ("game = pf.Plinko(balls=100)", "game.simulate(10_000, threads=1)"),
    "stake.dice, 10^6 rounds": ("game = pf.operators.stake.Dice()", "game.simulate(1_000_000, threads=1)"),
    "bustabit, 10^6 rounds": ("game = pf.operators.bustabit.V2()", "game.simulate(1_000_000, threads=1)"),
    "blackjack, 10^5 rounds": (
        "game = pf.operators.crypto_games.Blackjack()",
        "game.simulate(100_000, strategy='basic', threads=1)",
    ),
    "verify, 10^5 rows": (
        "salts = [f'salt {n}' for n in range(100_000)]\n"
        "log = dict(server_seed='server', client_seed='client', salt=salts,"
        " outcome=pf.Dice().play('server', 'client', salts))",
        "pf.verify(log, 'dice', threads=1)",
    ),
    "single rounds, 10^4": (
        "game = pf.Dice()",
        "for _ in range(10_000): game.play('s', 'c', 'x')",
    ),
    "law of keno": ("game = pf.operators.stake.Keno()", "game.distribution(hits={1, 2, 3, 4, 5})"),
    "blackjack, exact": ("table = pf.cards.Blackjack(decks=6)", "table.analyze()"),
}
MEASURE = """
import json, sys, time
begin = time.process_time()
import provably_fair as pf
seconds = {"import": time.process_time() - begin}
for name, (setup, statement) in json.load(sys.stdin).items():
    names = {"pf": pf}
    try:
        exec(setup, names)
        work = compile(statement, name, "exec")
        begin = time.process_time()
        exec(work, names)
        seconds[name] = time.process_time() - begin
    except Exception as error:
        print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr)
print(json.dumps(seconds))
"""


def measured(python: str) -> dict[str, float]:
    """Return the CPU seconds of each statement in a new process."""
    done = subprocess.run(
        [python, "-I", "-c", MEASURE],
        input=json.dumps(WORK),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=600,
    )
    return json.loads(done.stdout)


def table(before: list[dict[str, float]], now: list[dict[str, float]]) -> str:
    """Return a table that compares the times of both versions."""
    lines = ["| work | before, ms | now, ms | now / before | range |", "|---|---:|---:|---:|---|"]
    for name in ("import", *WORK):
        old, new = ([turn[name] for turn in turns if name in turn] for turns in (before, now))
        texts = [f"{1000 * statistics.median(seconds):,.1f}" if seconds else "" for seconds in (old, new)]
        ratios = sorted(b / a for a, b in zip(old, new, strict=True)) if old and new else []
        texts += (
            [f"{statistics.median(ratios):.2f}", f"{ratios[0]:.2f} to {ratios[-1]:.2f}"]
            if ratios
            else ["", ""]
        )
        lines.append(f"| {' | '.join([name, *texts])} |")
    return "\n".join(lines)


def main(before: str, now: str) -> None:
    """Measure both in turns, and print the table."""
    turns: dict[str, list[dict[str, float]]] = {before: [], now: []}
    for number in range(TURNS):
        for python in (before, now) if number % 2 else (now, before):
            turns[python].append(measured(python))
    print("Time of the CPU, this build beside the one before:\n")
    print(table(turns[before], turns[now]))


if __name__ == "__main__":
    main(*sys.argv[1:])
