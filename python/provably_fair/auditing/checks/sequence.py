"""Sequences of rounds: gaps, repeats, order, and seeds that are used again.

The nonces of a pair of seeds count every bet, so that a number that is missing is a round that is missing.
A set of all nonces would need memory for each row. Logs are mostly in order, though, and the engine keeps
*runs*: rows of one pair whose nonces go on one by one, as their first and last number. A log in order is
one run a pair, however many rows it has; interleaved players keep one open run each; and a shuffled log
degrades to a run a row, which goes to a file beyond a bound. At the end the runs of each pair are sorted
by their first number: what lies between two of them is a gap, and what overlaps is a repeat. Runs merge by
the same rule, so pieces of a log, threads and clusters give the same findings as one pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from provably_fair._core.printable import counted
from provably_fair._engine import Pairs, Runs
from provably_fair.sources.times import Masked
from provably_fair.verification import VerificationReport

from ..check import Check, Context, severity_of_missing, unread_lines
from ..finding import KEPT_ROWS, Finding, Severity
from ..records import NEVER, Records, whole
from ..sums import Groups, NumberedRows
from .chains import Chain
from .games_over import Over
from .overlaps import Overlaps
from .pair_ends import Ends
from .reveals import NOT_YET, RevealTimes
from .times import Precision, Untimed, Untimely
from .wording import facts, hex_names

_MOST_SEEDS = 1 << 16
"""The largest number of server seeds whose reveals are compared between rows."""


def checks(context: Context, overlaps: Overlaps) -> list[Check]:
    """Return the checks of this subject."""
    found: list[Check] = []
    if "game_hash" in context.fields:
        found += [Chain(context), Over()]
    elif "nonce" in context.fields:
        found += [Nonces(context, overlaps), Ends(context)]
        found += [Salts(context)] if _salted(context) else []
    elif "salt" in context.fields and "server_seed" in context.fields:
        found.append(Salts(context, overlaps))
    elif {"server_seed", "client_seed"} <= set(context.fields):
        found.append(Nonces(context, overlaps))  # of which there are none: a pair gives a single round
    elif context.system.name == "hashed-dice":
        found.append(ReusedDice())
    if any(one.chains for one in context.system.games.values()):
        found.append(Unlinked())
    if {"server_seed", "game_hash"} & set(context.fields):
        found.append(Reveals(context))
    return [*found, Untimed()]


def _salted(context: Context) -> list[str]:
    """Return which of several games have a salt for each round, and no nonce, unless players share rounds."""
    each = context.system.games
    fields = {name: {field.name for field in one.fields} for name, one in each.items() if not one.shared}
    return [name for name, own in fields.items() if {"server_seed", "salt"} <= own and "nonce" not in own]


_OF_NONCES = "whether nonces are missing, come again or follow the order of play"


class Nonces(Check):
    """The nonces of each pair of seeds."""

    state = ("_all", "_read", "_timed", "_untimed", "_rows", "_unread", "_beyond", "_precision")

    def __init__(self, context: Context, overlaps: Overlaps) -> None:
        self._folded = hex_names(context)
        self._seeds = [name for name in context.fields if name in ("server_seed", "client_seed")]
        self._several = "round" in context.fields
        self._all = Runs(self._several)
        self._threads = context.plan.threads
        self._read = self._timed = self._untimed = self._left_out = False
        self._rows = self._unread = 0  # rows, and those of them whose seeds or nonce can't be read
        self._beyond = 0  # rows with nonces that are too large to be counted
        self._precision = Precision()
        self._overlaps = overlaps

    def update(self, records: Records) -> None:
        self._rows += records.count
        self._beyond += records.large_nonces()
        if not records.has_nonces():
            return
        self._read = True
        self._unread += len(records.rows_with(None, ("nonce", *self._seeds)))
        nonces, there = records.whole("nonce")
        sets = records.sets(*self._seeds)
        if "server_seed" in self._seeds:  # unrevealed seeds can't be distinguished
            revealed = records.prints(sets, "server_seed")[:, 0] != 0
            there = there if revealed.all() else there & sets.spread(revealed)
        times, timed = None, np.zeros(records.count, bool)
        if records.has_times("time"):
            values, timed = records.order("time")
            self._precision.note(values, timed)
            times, self._timed = values if timed.all() else np.where(timed, values, NEVER), True
        self._untimed |= bool((there & ~timed).any())
        keys, spelled = records.joined(sets, self._seeds, self._folded), records.joined(sets, self._seeds)
        # Hexadecimal seeds mean the same in capitals; only their fingerprints as text differ.
        as_written = None if spelled is keys else [spelled]
        self._all.extend(NumberedRows([keys], nonces, records.places, there, as_written, times, sets))

    def findings(self, verified: VerificationReport) -> list[Finding]:
        every = Repeated.of(self._overlaps, verified)
        overlapping, repeated, again = every.overlapping, every.others, every.rows
        if not self._read:  # the nonce is optional: without one, a pair of seeds gives one round
            text = (
                "{n} row[|s] [has|have] the seeds of an earlier row (first: row {first}): the outcome was "
                "known."
            )
            fields, count = ("server_seed", "client_seed"), repeated - every.shared
            return facts("seeds_reused", "proof", text, again, *fields, count=count) + every.of_shared()
        made: list[Finding] = []
        found = self._all.numbers(KEPT_ROWS, self._threads, self._precision.apart)
        self._left_out = bool(found["scattered"])
        unread = self._unread + unread_lines(verified, self._rows)
        missing, gaps = max(found["missing"] - unread, 0), found["gaps"]
        if missing:
            text = (
                "{n} nonce[|s] [is|are] missing between the first and the last of a pair of seeds (first "
                "gap: before row {first}): the log is incomplete, or rounds were left out."
            )
            said: dict[str, Any] = {"count": gaps, "n": missing, "figure": {"missing": missing, "gaps": gaps}}
            severity = severity_of_missing(verified)
            made += facts("nonce_gap", severity, text, found["after_gaps"], "nonce", **said)
        own = repeated - every.shared
        same = own if self._several else min(max(found["again"] - every.listed, 0), own)
        text = (
            "{n} row[|s] [has|have] the seeds and the nonce of an earlier row (first: row {first}): a nonce "
            "serves one round."
        )
        made += facts("nonce_repeated", "proof", text, again, "nonce", count=same)
        made += duplicates(own - same, again, "spelled") + every.of_shared()
        restarts = [row for row in found["restarts"] if repeated and row not in overlapping]
        if not self._several:
            text = (
                "{n} pair[|s] of seeds [starts|start] over (first: row {first}): seeds whose rounds are "
                "known were used again."
            )
            figure = {"pairs": len(restarts)}
            made += facts("seeds_reused", "proof", text, restarts, "server_seed", figure=figure)
        return made + self._order(found)

    def _order(self, found: dict[str, Any]) -> list[Finding]:
        if found["times_reversed"]:
            text = (
                "{n} row[|s] [has|have] a higher nonce than a later round of the same seeds (first: row "
                "{first}): nonces weren't counted in the order of play."
            )
            rows, count = found["before_their_time"], found["times_reversed"]
            return facts("nonce_order", "proof", text, rows, "time", count=count)
        text = (
            "The nonces of a pair of seeds go back in {n} row[|s] (first: row {first}): the log isn't in the "
            "order of play, or rounds were played again."
        )
        count = found["turned"] if self._untimed else 0
        return facts("nonce_order", "note", text, found["turns"], "nonce", count=count)

    def uncompared(self) -> tuple[int, str]:
        return self._all.lost, _OF_NONCES

    def unknown(self) -> list[str]:
        lacking = []
        if self._read and not self._timed:
            lacking.append("no times: whether nonces follow the order of play")
        if self._beyond:
            lacking.append(f"{counted(self._beyond, 'row')} with a nonce of 2**63 or more: {_OF_NONCES}")
        if self._left_out:
            lacking.append("too many rows in no order: gaps of nonces were looked for in some of them alone")
        return lacking


class Salts(Check):
    """Salts of single rounds."""

    state = ("_salts",)

    def __init__(self, context: Context, overlaps: Overlaps | None = None) -> None:
        self._shared = context.system.shared
        self._games = _salted(context) if context.system.games else None
        self._salts = Pairs()
        self._overlaps = overlaps
        self._threads = context.plan.threads

    def update(self, records: Records) -> None:
        if not self._shared:
            salts, pair = records.fingerprints("salt"), ("server_seed", "client_seed")
            sets = records.sets(*pair)
            seeds = sets.spread(records.joined(sets, pair))
            there = (salts[:, 0] != 0) & records.of_games(self._games)
            self._salts.extend([salts], [seeds], records.places, there)

    def uncompared(self) -> tuple[int, str]:
        return self._salts.lost, "whether salts were used again under other seeds"

    def findings(self, verified: VerificationReport) -> list[Finding]:
        made: list[Finding] = []
        _, count, pairs = self._salts.several(KEPT_ROWS, self._threads)
        if count:
            text = (
                "{n} row[|s] [has|have] a salt that was used before with other seeds (first: row {first}, "
                "with the salt of row {earlier}): once revealed, a salt is known."
            )
            rows = [row for _, row in pairs]
            made = facts("salt_reused", "proof", text, rows, "salt", count=count, earlier=pairs[0][0])
        if self._overlaps is None:  # nonces tell of rounds that are played again
            return made
        repeated = Repeated.of(self._overlaps, verified)
        again = duplicates(
            repeated.others - repeated.shared, repeated.rows, "shared" if self._shared else "again"
        )
        return made + again + repeated.of_shared()


class Unlinked(Check):
    """Games on chains in a log of several games, whose links aren't followed."""

    def unknown(self) -> list[str]:
        return ["games on a chain among others: whether some are missing, or were over when played"]


class ReusedDice(Check):
    """Hashed dice that an earlier row has, whatever its spelling of them: `verify` compares them."""

    def findings(self, verified: VerificationReport) -> list[Finding]:
        repeats = verified.repeats
        return duplicates(repeats.count, [row for _, row in repeats.rows], "hashed")


class Reveals(Untimely):
    """Server seeds that were used after they had been revealed."""

    names: ClassVar[dict[str, str]] = {"time": "times of bets", "reveal_time": "times of reveals"}
    kind = "seed_used_after_reveal"
    text = (
        "{n} row[|s] [was|were] played after the server seed had been revealed (first: row {first}): "
        "whoever knew the seed knew the outcome."
    )
    untimed = (
        "{n} row[|s] without a time [stands|stand] among rows played when [its|their] server seed had been "
        "revealed (first: row {first}), in a log in the order of time: the outcome was known."
    )
    after = True
    what = "whose seed was revealed"
    whether = "whether seeds were used after they had been revealed"

    state = (*Untimely.state, "_seeds")

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._reveals = RevealTimes(context)
        self._folded = "server_seed" in hex_names(context)
        # Where salts are revealed round by round, a row may have the time of its own.
        self._counted = "nonce" in context.fields and "salt" not in context.fields
        # Of each seed the last bet, the first reveal, how late a bet is by its own row, and the last row.
        self._seeds = Groups({"bet": "max", "revealed": "min", "late": "max", "row": "last"}, _MOST_SEEDS)

    def update(self, records: Records) -> None:
        super().update(records)
        none = np.zeros(records.count, np.int64), np.zeros(records.count, bool)
        bets = records.order("time") if records.has("time") else none
        told = self._reveals.of(records)
        if told is not None:
            self._there |= {"reveal_time"} if told[1].any() else set()
            if records.has("time"):
                self.compare(records.places, bets, told)
        if self._counted and records.has("server_seed") and (told is not None or records.has("time")):
            self._note(records, bets, told or none)

    def _note(self, records: Records, bets: Masked, told: Masked) -> None:
        (times, timed), (revealed, known) = bets, told
        sets = records.sets("server_seed")
        seeds = records.prints(sets, "server_seed", hexadecimal=self._folded)
        columns = {
            "bet": sets.reduced(np.maximum, np.where(timed, times, NEVER)),
            "revealed": sets.reduced(np.minimum, np.where(known, revealed, NOT_YET)),
            "late": sets.reduced(np.maximum, np.where(timed & known, times - revealed, NEVER)),
            "row": sets.reduced(np.maximum, records.places),
        }
        there = seeds[:, 0] != 0
        self._seeds.add(whole(seeds[there]), **{name: column[there] for name, column in columns.items()})

    def findings(self, verified: VerificationReport) -> list[Finding]:
        seeds = self._seeds.columns
        both = (seeds["bet"] != NEVER) & (seeds["revealed"] != NOT_YET)
        # Those that are late by their own rows are found already.
        both &= seeds["late"] < self._late.apart
        again = self._late.surely(*(np.where(both, seeds[name], 0) for name in ("bet", "revealed")))
        text = (
            "{n} server seed[|s] [was|were] played after [it|they] had been revealed, as another row says "
            "(the last row with such a seed: {last}): whoever knew the seed knew the outcome."
        )
        rows = seeds["row"][again].tolist()
        said: dict[str, Any] = {"figure": {"server_seeds": len(rows)}, "last": max(rows, default=None)}
        fields = ("server_seed", *self.names)
        return super().findings(verified) + facts(self.kind, "evidence", text, rows, *fields, **said)

    def unknown(self) -> list[str]:
        there = self._there == self.names.keys()
        others = f"more than {_MOST_SEEDS:,} server seeds: whether rows of the others differ in their reveals"
        return super().unknown() + [others] * (there and self._seeds.left_out)


class Repeated(NamedTuple):
    """Rows that are listed again; the number of other rows that repeat a round, and the first of these.

    Where a log has other games besides, those of a game whose rounds players share are counted by themselves,
    with those of which the game isn't known.
    """

    overlapping: set[int]
    listed: int  # the number of overlapping rows of other games than those that players share
    others: int
    rows: list[int]
    shared: int
    rows_shared: list[int]

    @classmethod
    def of(cls, overlaps: Overlaps, verified: VerificationReport) -> Repeated:
        """Return the repeats of a log."""
        overlapping = np.array([row for _, row in overlaps.pairs(verified)], np.int64)
        listed = int((~overlaps.shared(overlapping)).sum())
        others = np.setdiff1d(overlaps.again, overlapping)
        shared = overlaps.shared(others)
        count, own = max(verified.repeats.count - len(overlapping), 0), others[~shared]
        apart = count - len(own) if shared.any() else 0
        rows = own if len(own) else overlaps.again
        first, first_shared = rows[:KEPT_ROWS].tolist(), others[shared][:KEPT_ROWS].tolist()
        return cls({*overlapping.tolist()}, listed, count, first, apart, first_shared)

    def of_shared(self) -> list[Finding]:
        """Return the note of rounds that players share."""
        return duplicates(self.shared, self.rows_shared, "shared")


_DUPLICATES = {
    "again": "{n} row[|s] [has|have] the round of an earlier row (first: row {first}): "
    "a round is played once.",
    "spelled": "{n} row[|s] [has|have] the round of an earlier row under another spelling of [its|their] "
    "seeds (first: row {first}): a round is played once.",
    "shared": "{n} row[|s] [has|have] the round of an earlier row (first: row {first}): the log has a row "
    "for each bet, or rounds that are listed twice.",
    "hashed": "{n} row[|s] [has|have] the dice of an earlier row (first: row {first}): the log has a game "
    "twice, or dice that were known were used again.",
}


def duplicates(count: int, rows: Sequence[int], how: str) -> list[Finding]:
    """Return the finding of repeated rounds."""
    severity: Severity = "note" if how in ("shared", "hashed") else "proof"
    return facts("duplicate_round", severity, _DUPLICATES[how], rows, "outcome", count=count)
