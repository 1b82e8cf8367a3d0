"""What a check of an audit is, and what it knows of the log beforehand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from provably_fair.bets import Bet
from provably_fair.distribution import Distribution
from provably_fair.verification import VerificationReport
from provably_fair.verification.plan import Plan
from provably_fair.verification.systems import Field, System

from .claims import Claim
from .finding import Finding
from .records import Records

_SEEDS = ("server_seed", "client_seed", "nonce", "salt")


@dataclass(frozen=True)
class Context:
    """What checks know of an audit.

    Attributes
    ----------
    plan : Plan
        How the log is checked: `plan.system` has its fields, `plan.fields` those of the audit as well.
    bet : Bet, Distribution or None
        What is said to be paid.
    level : float
        The level of the report's tests.
    seed : int
        For what resamples.
    reveal_times : dict of str to int
        When server seeds were revealed, by the seed or its commitment, in microseconds since 1970.
    """

    plan: Plan
    bet: Bet | Distribution | None = None
    level: float = 0.01
    seed: int = 0
    reveal_times: Mapping[str, int] = field(default_factory=dict)

    @property
    def system(self) -> System:
        """How logs of the subject are verified."""
        return self.plan.system

    @property
    def game(self) -> Any:
        """The game, where the log is of one."""
        return self.plan.system.game

    @cached_property
    def claim(self) -> Claim | None:
        """What the bet claims; None where nothing is claimed."""
        return None if self.bet is None else Claim(self.bet, self.system.numbers)

    @property
    def worded(self) -> dict[str, Field]:
        """The fields of words."""
        return {name: field for name, field in self.plan.fields.items() if field.words is not None}

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that rounds are made of: of the game's scheme, as far as there is one."""
        scheme = self.system.scheme
        if scheme is not None:
            return tuple(scheme.fields)
        return tuple(field.name for field in self.system.fields if field.name in _SEEDS)


class Check:
    """Something that an audit looks for. It sees every batch once, and keeps what it needs in bounded memory.

    What it says must not depend on how the rows are cut into batches; and it must pickle.
    """

    def update(self, records: Records) -> None:
        """Look at a batch of rows."""
        raise NotImplementedError

    def merge(self, later: Any, rows: int) -> None:
        """Append what another one of this class knows of the rows that follow, which count from 0 there.

        `rows` is how many rows come before them.
        """
        raise NotImplementedError

    def leave_out(self, rows: np.ndarray) -> None:
        """Leave rows that have the round of an earlier one out of tests of independent rounds.

        They are in rising order, the first ones where there are too many.
        """

    def findings(self, verified: VerificationReport) -> list[Finding]:
        """Return what was found: facts, and of tests each one, with its raw p-value, whatever that is."""
        raise NotImplementedError

    def unknown(self) -> list[str]:
        """Return what this log can't show, and why."""
        return []

    def uncompared(self) -> tuple[int, str]:
        """Return how many rows weren't compared, since there was no room for them, and what for."""
        return 0, ""
