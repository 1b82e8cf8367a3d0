"""The package in seven short chapters, each on real input and checked as it runs; needs numpy alone."""

from __future__ import annotations

import csv
import gzip
import itertools
import json
import sys
import time
from pathlib import Path

import numpy as np
import provably_fair as pf

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))
from oracles import salted as reference  # noqa: E402

ROUNDS = 1_000_000
CHECKED = 2_000
PICTURE = HERE.parent / "build" / "plinko.svg"


NUMBERS = itertools.count(1)


def chapter(title: str) -> None:
    """Print the heading of a numbered chapter."""
    heading = f"{next(NUMBERS)}. {title}"
    print(f"\n{heading}\n{'-' * len(heading)}")


def rows_of(name: str) -> Path | dict[str, list[str]]:
    """Return a log for `verify`: a path, or columns read by the standard library if pyarrow is missing."""
    path = HERE / "logs" / name
    if ".csv" not in path.suffixes:
        return path
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    return dict(zip(header, map(list, zip(*rows, strict=True)), strict=True))


def a_round() -> None:
    """Show how the seeds of the documented round become mines."""
    chapter("A published round, from its seeds to its mines")
    print("An operator's document prints this round of Mines: all three seeds are empty texts.")
    print(f"  key = SHA-256(server seed:salt)    {reference.key('', '')[:40]}...")
    print(f"  bytes = HMAC-SHA512(key, ':0')     {pf.seeds.random_bytes('', '', '').hex(' ')[:47]} ...")
    numbers = pf.seeds.random_numbers("", "", "", count=3)
    print(f"  eight bytes to a number            {', '.join(f'{number:.6f}' for number in numbers)}, ...")
    cells = pf.Mines(mines=3).play("", "", "")
    print(f"  a shuffle of 25 cells begins       {', '.join(map(str, cells))}: the mines\n")
    board = np.full(25, ".")
    board[cells] = "*"
    for row in board.reshape(5, 5):
        print("     ", *row)
    assert cells.tolist() == [11, 8, 18], "the document's mines"
    print("These are the cells that the document names. `print(game.explain(...))` shows every step.")


def a_law() -> None:
    """Draw the exact law of a game and a million rounds beside it."""
    chapter("Its exact probability distribution, and a million rounds beside it")
    game = pf.Plinko()
    law = game.distribution()
    began = time.perf_counter()
    tally = game.tally(ROUNDS, seed="demo")
    seconds = time.perf_counter() - began
    print("Plinko with 16 rows: exact probabilities (#), and the share of simulated balls (|).")
    for bucket, exact, seen in zip(law.outcomes, law.probabilities, tally.frequencies, strict=True):
        line = list(f"{'#' * round(250 * exact):<52}")
        line[min(round(250 * seen), 51)] = "|"
        print(f"  {bucket:>2} {''.join(line)}{exact:9.5f} {seen:9.5f}")
    off = np.abs(tally.frequencies - law.probabilities) / np.sqrt(law.probabilities / ROUNDS)
    print(f"{ROUNDS:,} rounds in {seconds:.2f} s; the worst share is off by {off.max():.1f} standard errors.")
    PICTURE.parent.mkdir(exist_ok=True)
    page = law._repr_html_()
    PICTURE.write_text(page[page.index("<svg") : page.index("</svg>") + len("</svg>")], encoding="utf-8")
    print(f"The law as a picture: {PICTURE.relative_to(HERE.parent)}")
    salts = reference.salts(CHECKED, seed="demo")
    for outcome, salt in zip(game.play("server", "client", salts).tolist(), salts, strict=True):
        assert outcome == reference.GAMES["plinko"]("server", "client", salt)
    print(f"Checked: {CHECKED:,} rounds equal an independent computation in plain Python, value by value.")


def a_bet() -> None:
    """Show the return of a bet, and its risk of ruin."""
    chapter("A bet: what it returns, and how soon it ruins")
    bet = pf.Crash().bet(cash_out=2.0)
    print("Crash, cashing out at 2.00. Nothing here is simulated, all of it is exact:")
    print(f"  return to player        {bet.rtp:.5f} (house edge {bet.house_edge:.3%})")
    print(f"  ahead after 1,000 bets  {bet.sum(1000).sf(1000):.1%}")
    for bankroll in 10, 50, 200:
        ruined = bet.ruin(bankroll, rounds=1000)
        print(f"  {bankroll:>3} stakes, 1,000 bets   ruined with a probability of {ruined:.1%}")


def a_log() -> None:
    """Verify the sample logs, and compare the failures with the planted defects."""
    chapter("Logs with planted defects")
    print("pf.verify(file, game) recomputes every row from its seeds:")
    for name, log in json.loads((HERE / "logs" / "defects.json").read_text(encoding="utf-8")).items():
        report = pf.verify(rows_of(name), log["game"])
        rows = ", ".join(f"{failure.row} ({failure.kind})" for failure in report.failures)
        print(f"  {name:<21} {report.checked} rows, failed: {rows or 'none'}")
        assert [[failure.row, failure.kind] for failure in report.failures] == log["defects"]
    print("These are the defects that were planted, and no others.")


def an_audit() -> None:
    """Audit a log whose rows all verify."""
    chapter("A log that verifies, and still cheats")
    game = pf.operators.stake.Dice()
    nonces = np.delete(np.arange(120), [17, 54, 55])
    log = {"server_seed": "server", "client_seed": "client", "nonce": nonces}
    log["outcome"] = game.play("server", "client", nonces)
    assert pf.verify(log, game).ok
    report = pf.audit(log, game)
    print(f"{nonces.size} rows of Stake's dice, each as its seeds say. But three rounds were left out:")
    for finding in report.findings:
        print(f"  {finding.severity}: {finding.text}")
    assert not report.ok


def an_export() -> None:
    """Verify a log with an operator's own column names."""
    chapter("An operator's export")
    log = rows_of("stake_export.csv")
    guess = pf.identify(log).best
    assert guess is not None
    print("stake_export.csv doesn't say by which rule it was made. pf.identify tries those that are known:")
    print(f"  {guess.game}: {guess.matched} of {guess.tried} rows")
    report = pf.verify(log, guess.game)
    print("The game is enough to read the operator's own column names:")
    print(f"  {report.checked} rows checked, {report.failed} failed, commitments compared in all of them")
    assert report.ok


class Wheel(pf.Game):
    """Ten segments, three of which pay three times the stake."""

    segments: int = 10

    def outcome(self, draws: pf.games.Draws) -> np.ndarray:
        """Return the payout of each round."""
        return np.where(draws.below(self.segments) < 3, 3.0, 0.0)


def own_game() -> None:
    """Show a game of six lines, and everything that works for it."""
    chapter("A game of your own, in six lines")
    print("class Wheel(pf.Game):")
    print("    segments: int = 10")
    print("    def outcome(self, draws):")
    print("        return np.where(draws.below(self.segments) < 3, 3.0, 0.0)")
    law = {float(outcome): str(chance) for outcome, chance in Wheel().distribution()}
    print(f"  its law          {law}")
    print(f"  eight rounds     {Wheel().simulate(8)}")
    log = {"server_seed": ["s"] * 3, "client_seed": ["c"] * 3, "salt": ["a", "b", "c"]}
    log["outcome"] = Wheel().play("s", "c", log["salt"]).tolist()
    print(f"  a log verified   {pf.verify(log, Wheel()).ok}")


if __name__ == "__main__":
    a_round()
    a_law()
    a_bet()
    a_log()
    an_audit()
    an_export()
    own_game()
    print("\nRead on: README.md, docs/start/index.md, notebooks; `make docs` for the site.")
