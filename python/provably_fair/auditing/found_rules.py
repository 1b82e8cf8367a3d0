"""The rules of a blackjack table that agree with a log."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

import numpy as np

from provably_fair._core.errors import BadType, BadValue
from provably_fair._core.printable import counted
from provably_fair._core.table import Sheet, Tabular
from provably_fair._core.types import Columns
from provably_fair.cards import Blackjack, Rules
from provably_fair.cards.blackjack.rules import shown_value
from provably_fair.games import Deal
from provably_fair.names import given_game
from provably_fair.seeds.schemes import COMMITMENT, SALT_COMMITMENT
from provably_fair.sources import LogError
from provably_fair.verification.concluding import conclude
from provably_fair.verification.plan import planned
from provably_fair.verification.verified import Verified

from .checks.dealer import SOFT_17, shows_dealers

_CHOICES: dict[str, tuple[Any, ...]] = {
    "soft_17": ("stand", "hit"),
    "blackjack_pays": ("3/2", "6/5", "7/5", 1, 2),
    "hole_card": ("peek", "all_bets", "original_bet", "busted_bets_plus_one"),
    "ten_ace_after_split": ("21", "blackjack"),
    "surrender": ("none", "late", "early"),
    "double": ("9-11", "10-11", "hard", "any"),
    "double_cards": ("two", "any"),
    "split_hands": (1, 2, 3, 4),
    "split_aces": ("one_card", "hit", "hit_and_double"),
    "charlie": (None, 5, 6, 7),
    "dealer_22": ("bust", "push"),
} | {rule.name: (False, True) for rule in fields(Rules) if isinstance(rule.default, bool)}
"""The values of each rule that are tried."""

_PUBLISHED = (COMMITMENT, SALT_COMMITMENT)
"""Fields that say nothing of the rules."""


@dataclass(frozen=True, repr=False)
class FoundRules(Tabular):
    """Rules found by `find_rules`; prints as a table.

    Attributes
    ----------
    table : Blackjack
        The table with these rules.
    told : dict of str to int
        For each rule the number of rows that disagree with every other value that was tried, all other rules
        equal; 0 if another one explains the log as well. Then the rule is that of the game's table, or where
        rows disagree with that, the first of those that explain it.
    checked : int
        The number of rows.
    failed : int
        The number of rows that disagree with the table.
    """

    table: Blackjack
    told: dict[str, int]
    checked: int
    failed: int

    def _columns(self) -> Columns:
        values = [shown_value(getattr(self.table.rules, name)) for name in self.told]
        return {"rule": [*self.told], "value": values, "told by": [*self.told.values()]}

    def _sheet(self) -> Sheet:
        columns = self._columns()
        rows = [
            (*row, counted(told, "row") if told else "not told")
            for *row, told in zip(*columns.values(), strict=True)
        ]
        title = f"{self.checked - self.failed:,} of {self.checked:,} rows agree with these rules"
        return Sheet(title, tuple(columns), rows, "l")

    def __repr__(self) -> str:
        return f"<FoundRules: {self.table!r}, {self.failed} of {self.checked} rows disagree>"


def find_rules(log: object, game: Deal | str, *, threads: int | None = None, **options: Any) -> FoundRules:
    """Find the rules of a blackjack table by which the hands of a log were settled.

    From the table of the game, one rule after the other is changed as long as fewer rows disagree: outcomes
    that aren't the recomputed ones, actions that the rules don't allow, and if rows have the cards that were
    dealt and no others, other numbers of cards than hands have. What no row tells stays as it is, and so do
    all rules if more than half of the rows disagree: then the cards aren't those of the seeds. Rules that fit
    explain the log; whether the operator had announced them is another question.

    Parameters
    ----------
    log
        The log, as `verify` takes it, which is read several dozen times.
    game : Deal or str
        The deal; without a table it is tried with a usual one.
    threads : int, optional
        The most threads to use; as many as the machine has by default.
    **options
        Options for reading the log; see `Log`.

    Returns
    -------
    FoundRules
        ``.table``, and for each rule the number of rows that tell it.

    Raises
    ------
    TypeError, ValueError
        When the game isn't a deal of blackjack, or the log can't be read.

    Examples
    --------
    >>> game = pf.operators.crypto_games.Blackjack()
    >>> other = game.with_table(pf.cards.Blackjack(soft_17="stand", blackjack_pays="3/2"))
    >>> log = other.simulate(500, strategy="basic", as_frame="pandas")
    >>> found = pf.auditing.find_rules(log, game)
    >>> found.failed, found.table.rules == other.table.rules
    (0, True)
    """
    given = given_game("game", game)
    if not isinstance(given, Deal) or given.kind.choice != "actions":
        raise BadType("game", f"must be a deal of blackjack, got {given!r:.80}")
    deal: Deal = given

    def rows_at(rules: Rules) -> _Rows:
        return _rows_at(log, deal.with_table(Blackjack(rules)), options, threads)

    def disagreeing(rules: Rules) -> int:
        rows = rows_at(rules)
        return rows.failed + rows.other * first.tells

    given_rules = best = (given.table or Blackjack(soft_17="stand")).rules
    first, before = rows_at(best), None
    failed = at_first = first.failed + first.other * first.tells
    while failed and best != before:
        before = best
        for name in _CHOICES:
            tried = [(disagreeing(other), other) for other in _others(best, name)]
            least, other = min(tried, key=lambda one: one[0], default=(failed, best))
            if least < failed:
                failed, best = least, other
    if 2 * failed > first.checked:  # other hands than the seeds', which agree with any rules by chance
        table = deal.with_table(Blackjack(given_rules)).table
        return FoundRules(table, dict.fromkeys(_CHOICES, 0), first.checked, at_first)
    told = {
        name: min((disagreeing(other) for other in _others(best, name)), default=failed) - failed
        for name in _CHOICES
    }
    return FoundRules(deal.with_table(Blackjack(best)).table, told, first.checked, failed)


class _Rows(NamedTuple):
    """Numbers of rows, and whether their outcomes show how the dealer plays."""

    checked: int
    failed: int  # also those whose actions can't be played
    other: int  # of the other rows those whose outcome isn't that of the whole hand
    tells: bool


def _rows_at(log: object, game: Deal, options: dict[str, Any], threads: int | None) -> _Rows:
    """Verify a log at a game's table, and return what its rows say of the rules."""
    source, plan = planned(log, game, options, threads)
    verified, shown = Verified.of(plan, source), [np.zeros((0, 3), np.uint8)]
    if not verified.again:
        raise BadValue("log", "must be one that can be read again, such as a file or a frame", place="the ")
    failed = unplayed = 0
    for piece in verified.pieces():
        with piece:
            for columns, rows, found in piece.batches():
                played = [n for n, name in enumerate(found.fields) if name not in _PUBLISHED]
                wrong = np.zeros(rows.count, bool)
                wrong[found.rows[(found.kinds > 0) & np.isin(found.numbers, played)]] = True
                if found.hands is not None:
                    shown.append(found.hands.shown[~wrong[found.hands.rows]])
                failed += int(wrong.sum()) + len(columns.batch.unreadable)
                # Cards may be right where they can't be played; where they are wrong, the row is counted.
                unplayed += min(found.notations["unplayed"], int((~wrong).sum()))
    report = conclude(verified)
    for file in report.files:
        if file.error is not None:
            raise LogError(file.error)
    whole, soft_17, early = np.concatenate(shown).T
    stands = game.table.rules.soft_17 == "stand"
    other = (whole == 0) | (soft_17 == SOFT_17["hit" if stands else "stood"])
    counts = len(whole), int(np.count_nonzero(whole)), int(np.count_nonzero(early))
    return _Rows(report.checked, failed + unplayed, int(other.sum()), shows_dealers(*counts))


def _others(rules: Rules, name: str) -> Iterator[Rules]:
    """Yield the rules with each other value of one, as far as it goes with the others."""
    for value in _CHOICES[name]:
        try:
            other = replace(rules, **{name: value})
        except ValueError:
            continue
        if other != rules:
            yield other
