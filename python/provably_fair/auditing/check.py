"""Checks of audits, and the context that they are made with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from provably_fair.distribution import Distribution
from provably_fair.games import Deal
from provably_fair.seeds import Scheme
from provably_fair.verification import VerificationReport
from provably_fair.verification.plan import Plan
from provably_fair.verification.systems import System

from .claims import Claim, HandsClaim, RowClaim, on_hands
from .finding import Finding, Severity
from .records import Records
from .row_bets import COLUMNS, RowBets
from .sums import Counted

if TYPE_CHECKING:
    from provably_fair.bets import Bet

_SEEDS = ("server_seed", "client_seed", "nonce", "salt")


@dataclass(frozen=True)
class Context:
    """The arguments of an audit, for its checks."""

    # Plan of the verification: `plan.system` has its fields, `plan.fields` those of the audit as well
    plan: Plan
    bet: Bet | Distribution | str | None = None  # the claimed bet; "columns" if each row's is in the log
    level: float = 0.01  # the level of the report's tests
    seed: int = 0  # for what resamples
    # When server seeds were revealed, by the seed or its commitment, in microseconds since 1970
    reveal_times: Mapping[str, int] = field(default_factory=dict)

    @property
    def system(self) -> System:
        """The system of the log."""
        return self.plan.system

    @property
    def game(self) -> Any:
        """The game of the log; None if it has several, or none."""
        return self.plan.system.game

    @cached_property
    def claim(self) -> Claim | None:
        """The claim of the bet; None without a bet."""
        if isinstance(self.bet, str) and self.bet == COLUMNS:
            return RowClaim(RowBets(self.game, self.system.numbers, alone=True))
        bet = self.bet
        if isinstance(self.game, Deal):  # side bets are on the log's own cards
            from provably_fair.bets import Bet
            from provably_fair.cards.blackjack.side_bets import on_deal

            bet = on_deal(bet, self.game) if isinstance(bet, Bet) else bet
        return None if bet is None else Claim(bet, self.system.numbers)

    @cached_property
    def hands(self) -> HandsClaim | None:
        """The claim that hands are paid as the table of the log's game pays; None without a table.

        A bet on a value of the cards, or at another table, claims something else.
        """
        table = self.game.table if isinstance(self.game, Deal) else None
        of_cards = self.claim is not None and self.claim.looks
        return None if table is None or of_cards or not on_hands(self.bet, table) else HandsClaim(table)

    @property
    def systems(self) -> list[System]:
        """The systems of all games of the log."""
        return [*self.system.games.values()] or [self.system]

    @cached_property
    def scheme(self) -> Scheme | None:
        """The scheme of all rounds, also of several games; None if there isn't one."""
        first, *others = [one.scheme for one in self.systems]
        return first if all(one == first for one in others) else None

    def games_with(self, field: str) -> list[str] | None:
        """Return which of several games have a field; None if there is one game."""
        games = self.system.games
        have = [name for name, one in games.items() if field in [own.name for own in one.fields]]
        return have if games else None

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields from which rounds are computed: those of the scheme, if there is one."""
        scheme = self.system.scheme
        if scheme is not None:
            return tuple(scheme.fields)
        return tuple(field.name for field in self.system.fields if field.name in _SEEDS)


class Check(Counted):
    """A check of an audit. It sees every batch once, and its state is bounded in size and can be pickled.

    Its findings must not depend on how the rows are cut into batches: `state` names what further rows change.
    """

    def update(self, records: Records) -> None:
        """Process a batch of rows."""

    def leave_out(self, rows: np.ndarray) -> None:
        """Exclude rows that repeat an earlier round from tests that assume independent rounds.

        They are in rising order; if there are too many, the first of them.
        """

    def findings(self, verified: VerificationReport) -> list[Finding]:
        """Return all facts, and every test with its raw p-value, whatever that is."""
        return []

    def unknown(self) -> list[str]:
        """Return sentences on what this log can't show, and why."""
        return []

    def uncompared(self) -> tuple[int, str]:
        """Return the number of rows not compared for lack of room, and the question that stays open."""
        return 0, ""


def unread_lines(verified: VerificationReport, rows: int) -> int:
    """Return the number of lines that can't be read, beside the rows that a check has seen."""
    return verified.checked + sum(verified.unchecked.values()) - rows


def severity_of_missing(verified: VerificationReport) -> Severity:
    """Return the severity of missing rounds: a note if they may be where the log couldn't be read."""
    broken = verified.error is not None or any(file.error is not None for file in verified.files)
    return "note" if broken else "proof"
