"""The package in seven short chapters, each on real input and checked as it runs; needs numpy alone."""

from __future__ import annotations

import hashlib
import hmac
import itertools
import time
from typing import Any

import numpy as np

import provably_fair as pf
from provably_fair.operators import published

_ROUNDS = 1_000_000
_CHECKED = 2_000
_NUMBERS = itertools.count(1)


def _chapter(title: str) -> None:
    """Print the heading of a numbered chapter."""
    heading = f"{next(_NUMBERS)}. {title}"
    print(f"\n{heading}\n{'-' * len(heading)}")


def _plain_ball(client_seed: str, salt: str) -> int:
    """Return the bucket of a ball of 16 pins, in plain Python: bytes of 128 and more send it right."""
    key = hashlib.sha256(f"server:{salt}".encode()).hexdigest().encode()
    digests = [hmac.digest(key, f"{client_seed}:{cursor}".encode(), "sha512") for cursor in (0, 1)]
    return sum(byte >= 128 for digest in digests for byte in digest[::8])


def _published_rounds() -> None:
    """Show how the seeds of the documented round become mines, and recompute all published ones."""
    _chapter("Published rounds, from their seeds to their outcomes")
    print("An operator's document prints this round of Mines: all three seeds are empty texts.")
    key = hashlib.sha256(b":").hexdigest()
    print(f"  key = SHA-256(server seed:salt)    {key[:40]}...")
    drawn = hmac.digest(key.encode(), b":0", "sha512")
    assert drawn == pf.seeds.random_bytes("", "", "")
    print(f"  bytes = HMAC-SHA512(key, ':0')     {drawn.hex(' ')[:47]} ...")
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
    rounds = published.rounds()
    assert all(one.agrees() for one in rounds)
    games = {type(one.game) for one in rounds}
    print(f"{len(rounds):,} rounds of {len(games)} games, as operators published them: all recomputed.")


def _a_law() -> None:
    """Draw the exact law of a game and a million rounds beside it."""
    _chapter("Its exact probability distribution, and a million rounds beside it")
    game = pf.Plinko()
    law = game.distribution()
    began = time.perf_counter()
    tally = game.tally(_ROUNDS, seed="demo")
    seconds = time.perf_counter() - began
    print("Plinko with 16 rows: exact probabilities (#), and the share of simulated balls (|).")
    for bucket, exact, seen in zip(law.outcomes, law.probabilities, tally.frequencies, strict=True):
        line = list(f"{'#' * round(250 * exact):<52}")
        line[min(round(250 * seen), 51)] = "|"
        print(f"  {bucket:>2} {''.join(line)}{exact:9.5f} {seen:9.5f}")
    off = np.abs(tally.frequencies - law.probabilities) / np.sqrt(law.probabilities / _ROUNDS)
    print(
        f"{_ROUNDS:,} rounds in {seconds:.2f} s; the worst share is off by {off.max():.1f} standard errors."
    )
    salts = [f"salt {number}" for number in range(_CHECKED)]
    balls = game.play("server", "client", salts)[:, 0].tolist()
    assert balls == [_plain_ball("client", salt) for salt in salts]
    print(f"Checked: {_CHECKED:,} rounds equal an independent computation in plain Python, value by value.")


def _a_bet() -> None:
    """Show the return of a bet, and its risk of ruin."""
    _chapter("A bet: what it returns, and how soon it ruins")
    bet = pf.Crash().bet(cash_out=2.0)
    print("Crash, cashing out at 2.00. Nothing here is simulated, all of it is exact:")
    print(f"  return to player        {bet.rtp:.5f} (house edge {bet.house_edge:.3%})")
    print(f"  ahead after 1,000 bets  {bet.sum(1000).sf(1000):.1%}")
    for bankroll in 10, 50, 200:
        ruined = bet.ruin(bankroll, rounds=1000)
        print(f"  {bankroll:>3} stakes, 1,000 bets   ruined with a probability of {ruined:.1%}")


def _a_log() -> None:
    """Verify logs with planted defects, and compare the failures with them."""
    _chapter("Logs with planted defects")
    rows = [str(row) for row in range(200)]
    mines, crash, poker = pf.Mines(3), pf.operators.bustabit.V3(), pf.operators.crypto_games.VideoPoker()
    hashes = pf.HashChain().generate("demo", 200)
    logs: dict[Any, dict[str, Any]] = {
        mines: {"server_seed": ["server"] * 200, "client_seed": ["client"] * 200, "salt": rows},
        crash: {"game_hash": [*hashes]},
        poker: {"server_seed": rows, "client_seed": ["client"] * 200},
    }
    planted = {
        mines: [(17, "mismatch"), (150, "malformed")],
        crash: [(9, "mismatch"), (60, "missing")],
        poker: [(30, "mismatch")],
    }
    print("pf.verify(log, game) recomputes every row from its seeds:")
    for game, log in logs.items():
        log["outcome"] = game.play(**log).tolist()
        for row, kind in planted[game]:
            log["outcome"][row] = {"malformed": "?", "missing": None}.get(kind, log["outcome"][row - 1])
        report = pf.verify(log, game)
        failed = ", ".join(f"{failure.row} ({failure.kind})" for failure in report.failures)
        print(f"  {report.game:<28} {len(rows)} rows, failed: {failed}")
        assert [(failure.row, failure.kind) for failure in report.failures] == planted[game]
    print("These are the defects that were planted, and no others.")


def _an_audit() -> None:
    """Audit a log whose rows all verify."""
    _chapter("A log that verifies, and still cheats")
    game = pf.operators.stake.Dice()
    nonces = np.delete(np.arange(120), [17, 63, 64])
    log = {"server_seed": "server", "client_seed": "client", "nonce": nonces}
    log["outcome"] = game.play("server", "client", nonces)
    assert pf.verify(log, game).ok
    report = pf.audit(log, game)
    print(f"{nonces.size} rows of Stake's dice, each as its seeds say. But three rounds were left out:")
    for finding in report.findings:
        print(f"  {finding.severity}: {finding.text}")
    assert not report.ok


def _an_export() -> None:
    """Name the game of published rounds, and verify them with an operator's own column names."""
    _chapter("An operator's export")
    rounds = published.rounds(pf.operators.stake.Dice())
    names = {"server_seed": "serverSeed", "client_seed": "clientSeed", "nonce": "nonce"}
    log = {name: [one.fields[field] for one in rounds] for field, name in names.items()}
    log["result"] = [one.outcome for one in rounds]
    guess = pf.identify(log).best
    assert guess is not None
    print(f"{len(rounds)} rounds without a word on their rule. pf.identify tries those that it knows:")
    print(f"  {guess.game}: {guess.matched} of {guess.tried} rows")
    report = pf.verify(log, guess.game)
    print("The game is enough to read the operator's own column names:")
    print(f"  {report.checked} rows checked, {report.failed} failed")
    assert report.ok


class Wheel(pf.Game):
    """Ten segments, three of which pay three times the stake."""

    segments: int = 10

    def outcome(self, draws: pf.games.Draws) -> np.ndarray:
        """Return the payout of each round."""
        return np.where(draws.below(self.segments) < 3, 3.0, 0.0)


def _own_game() -> None:
    """Show a game of six lines, and everything that works for it."""
    _chapter("A game of your own, in six lines")
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


def main() -> None:
    """Show the seven chapters."""
    for show in _published_rounds, _a_law, _a_bet, _a_log, _an_audit, _an_export, _own_game:
        show()
    print("\nRead on: README.md, docs/start/index.md, notebooks; `make docs` for the site.")
