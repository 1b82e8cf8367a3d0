"""Commitments and terminating hashes of chains, which were published before the rounds."""

from __future__ import annotations

from collections import defaultdict
from typing import ClassVar

import numpy as np

from provably_fair._core.printable import counted
from provably_fair._engine import Pairs
from provably_fair.verification import VerificationReport
from provably_fair.verification.systems import COMMITMENT, SALT_COMMITMENT
from provably_fair.verification.systems.chains import TERMINATING

from ..check import Check, Context
from ..finding import Finding
from ..records import Records
from ..sums import FirstRows
from .times import Untimely
from .wording import facts, hex_names, in_parts, several_values


def checks(context: Context) -> list[Check]:
    """Return the checks of this subject."""
    published = [name for name in (COMMITMENT, SALT_COMMITMENT, TERMINATING) if name in context.plan.fields]
    found: list[Check] = [Published(published)] if published else []
    if COMMITMENT in published and "server_seed" in context.fields:
        found += [Replaced(context), Late()]
    return found


class Published(Check):
    """Commitments that are missing, or don't match their seeds."""

    state = ("_all", "_rows", "_odd", "_found")

    def __init__(self, fields: list[str]) -> None:
        self._fields = fields
        self._all = 0
        self._rows = dict.fromkeys(fields, 0)  # the number of rows with each field
        self._odd = dict.fromkeys(fields, 0)  # the number of those that are no hashes
        self._found: defaultdict[tuple[str, str], FirstRows] = defaultdict(FirstRows)

    def update(self, records: Records) -> None:
        self._all += records.count
        for name in self._fields:
            if not records.has(name):
                continue
            self._rows[name] += records.count
            wrong = records.rows_with("commitment", (name,))
            if name != TERMINATING:
                odd = records.no_hashes(name)
                self._odd[name] += len(odd)
                wrong = wrong[~np.isin(wrong, odd)]
            self._found[name, "commitment"].add(records.places[wrong])
            self._found[name, "missing"].add(records.places[records.rows_with("missing", (name,))])

    def findings(self, verified: VerificationReport) -> list[Finding]:
        made: list[Finding] = []
        for name, kind in sorted(self._found):
            what = name.replace("_", " ")
            if name == TERMINATING:
                text = (
                    "The game[|s] of {n} row[|s] [doesn't|don't] lead to the terminating hash (first: "
                    "row {first}): [it isn't|they aren't] on the announced chain."
                )
                called = "terminating_missed" if kind == "commitment" else "commitment_missing"
            elif kind == "commitment":
                called = "commitment_mismatch"
                text = (
                    "{n} row[|s] [has|have] a {what} that isn't the hash of what was revealed (first: "
                    "row {first}): the seed used isn't the one committed to."
                )
            else:
                called = "commitment_missing"
                text = (
                    "{n} row[|s] [has|have] no {what}, though others have one (first: row {first}): "
                    "nobody had committed to [its|their] seeds."
                )
            made += facts(called, "proof", text, self._found[name, kind], name, what=what)
        return made

    def unknown(self) -> list[str]:
        published = {name: self._rows[name] for name in self._fields if name != TERMINATING}
        if published and not any(published.values()):
            return ["no commitments: whether seeds were fixed before the rounds"]
        said = in_parts(published, self._all, "whether what it commits to was fixed before the rounds")
        return said + [
            f"{counted(count, 'row')} whose {name.replace('_', ' ')} isn't a hash in hexadecimal: whether "
            "it is that of what was revealed"
            for name, count in self._odd.items()
            if count
        ]


class Replaced(Check):
    """Commitments and server seeds that don't correspond one to one."""

    state = ("_of_seed",)

    def __init__(self, context: Context) -> None:
        scheme = context.scheme
        commitment = None if scheme is None else scheme.commitment
        self._seeds = list(commitment.fields) if commitment is not None else ["server_seed"]
        self._folded = hex_names(context)
        self._of_seed = Pairs()
        self._lost = 0
        self._threads = context.plan.threads

    def update(self, records: Records) -> None:
        if not records.has(COMMITMENT) or records.of_salts:
            return
        if not all(records.has(name) for name in self._seeds):
            return
        sets = records.sets(COMMITMENT, *self._seeds)
        seeds = [records.prints(sets, name, hexadecimal=name in self._folded) for name in self._seeds]
        published = records.prints(sets, COMMITMENT, hexadecimal=True)
        there = np.logical_and.reduce([prints[:, 0] != 0 for prints in (published, *seeds)])
        if len(odd := records.no_hashes(COMMITMENT)):
            there[sets.spread(np.arange(len(sets.firsts)))[odd]] = False
        self._of_seed.extend(seeds, [published], records.places, there, sets)

    def findings(self, verified: VerificationReport) -> list[Finding]:
        if COMMITMENT not in verified.counts:
            return []  # each is the hash of its seed, so they correspond one to one
        replaced = (
            "{n} server seed[|s] [has|have] more than one commitment (rows affected: {several}; "
            "first: row {first}, unlike row {earlier}): the commitment was replaced while the seed was "
            "in use."
        )
        shared = (
            "{n} commitment[|s] [belongs|belong] to more than one server seed (rows affected: "
            "{several}; first: row {first}, unlike row {earlier})."
        )
        of_commitment = self._of_seed.turned()
        made: list[Finding] = []
        for pairs, kind, text, keys in (
            (self._of_seed, "commitment_replaced", replaced, "server_seeds"),
            (of_commitment, "commitment_of_several_seeds", shared, "commitments"),
        ):
            made += several_values(pairs, self._threads, kind, "proof", text, keys, COMMITMENT)
        self._lost = of_commitment.lost
        return made

    def uncompared(self) -> tuple[int, str]:
        return self._lost, "whether seeds and commitments belong together one to one"


class Late(Untimely):
    """Commitments that were published after bets on them."""

    names: ClassVar[dict[str, str]] = {"time": "times of bets", "commitment_time": "times of commitments"}
    kind = "commitment_late"
    text = (
        "{n} bet[|s] [was|were] made before the commitment was published (first: row {first}): the "
        "seed could still be chosen."
    )
    untimed = (
        "{n} bet[|s] without a time [stands|stand] among bets made before [its|their] commitment was "
        "published (first: row {first}), in a log in the order of time: the seed could still be chosen."
    )
    after = False
    what = "with a commitment that was published"
    whether = "whether commitments were published before the first bet"

    def update(self, records: Records) -> None:
        super().update(records)
        if records.has("time") and records.has("commitment_time"):
            self.compare(records.places, records.order("time"), records.order("commitment_time"))
