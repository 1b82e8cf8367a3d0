"""Public randomness, and bets or commitments made after it was known."""

from __future__ import annotations

from provably_fair._core.printable import counted
from provably_fair.verification import VerificationReport
from provably_fair.verification.systems.system import Beacon

from ..check import Check, Context
from ..finding import Finding
from ..records import Records
from ..sums import FirstRows
from .times import Around, Later
from .wording import facts

_TIMES = {"time": "times of bets", "commitment_time": "times of commitments"}


def checks(context: Context) -> list[Check]:
    """Return the checks of this subject."""
    games = context.system.games
    return [
        Known(one.beacon, "game_hash" in one.scheme.fields, [name] if games else None)
        for name, one in (games or {"": context.system}).items()
        if one.beacon is not None and one.scheme is not None
    ]


class Known(Check):
    """Beacons that are wrong, and bets and commitments that were made when the beacon was known."""

    state = ("_late", "_around", "_there", "_proven", "_unproven", "_wrong")

    def __init__(self, beacon: Beacon, on_a_chain: bool, games: list[str] | None) -> None:
        self._beacon = beacon
        self._games = games  # its game among several
        # The block of a chain's salt is known before all bets; it had to be unknown when the chain was made.
        self._late = {name: Later(exact=True) for name in _TIMES if not (on_a_chain and name == "time")}
        self._around = Around(after=True, exact=True)
        self._there: set[str] = set()  # the fields of times that the log has
        self._proven = False
        self._unproven = 0  # the number of rows in parts of the log without the beacon's columns
        self._wrong = FirstRows()

    def update(self, records: Records) -> None:
        self._there |= {name for name in self._late if records.has_times(name)}
        beacon = self._beacon
        own = records.of_games(self._games)
        if not (records.has(beacon.proof) and records.has(beacon.needed)):
            self._unproven += int(own.sum())
            return
        self._proven = True
        failed = records.rows_with(None, (beacon.proof,))
        failed = failed[own[failed]]
        self._wrong.add(records.places[failed])
        known, there = beacon.known(records.columns, records.count)
        there = there & own
        there[failed] = there[records.unrevealed] = False
        for name, late in self._late.items():
            if records.has(name):
                late.update(records.places, records.times[name], (known, there))
        if "time" in self._late and records.has("time"):
            self._around.update(records.places, records.times["time"], (known, there))

    def findings(self, verified: VerificationReport) -> list[Finding]:
        text = (
            "{n} row[|s] [has|have] no proof that the randomness is the beacon's (first: row {first}): the "
            "operator could have chosen it."
        )
        made = facts("beacon_wrong", "proof", text, self._wrong, self._beacon.proof)
        says = {
            "time": (
                "beacon_known_before_bet",
                "The beacon was known before the bet in {n} row[|s] (first: row {first}): the player could "
                "know the outcome.",
            ),
            "commitment_time": (
                "commitment_after_beacon",
                "The beacon was known before the commitment in {n} row[|s] (first: row {first}): the seed "
                "could be chosen to suit it.",
            ),
        }
        for name, late in self._late.items():
            kind, text = says[name]
            made += facts(kind, "proof", text, late.found, name, self._beacon.needed)
        text = (
            "{n} bet[|s] without a time [stands|stand] among bets made when [its|their] beacon was known "
            "(first: row {first}), in a log in the order of time: the player could know the outcome."
        )
        return made + facts("untimed_late", "evidence", text, self._around.found, "time", self._beacon.needed)

    def unknown(self) -> list[str]:
        told = [self._beacon.lacking]
        if self._proven:
            told = [f"{counted(self._unproven, 'row')} with {told[0]}"] if self._unproven else []
        for name, late in self._late.items():
            if name in self._there:
                told += late.unknown("with a beacon that became known")
            else:
                what = "bets" if name == "time" else "commitments"
                told.append(f"no {_TIMES[name]}: whether {what} were made before the beacon was known")
        return told
