"""Rounding of payouts: the operator's gain, and whether all players' payouts are rounded alike."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ..amounts import DECIMALS
from ..claims import Claim, amount_text
from ..finding import Finding, Severity
from ..ledger import Ledger
from ..rounding import Unlike
from .wording import MONEY, evidence, money_text

_KEPT = (
    "Payouts are rounded {how} of {place}. This keeps {amount}: {share:.2%} of all stakes, and "
    "{each:.2%} of the stake of an average bet.",
    "Some payouts are rounded down to multiples of {place}, others up, and no one rule explains which. Those "
    "rounded down keep {amount}: {share:.2%} of all stakes, and {each:.2%} of the stake of an average bet.",
)
"""Texts for logs that one rule explains, and for others."""
_HOW = {
    "nearest": "to the nearest multiple",
    "down or nearest": "down or to the nearest multiple",
    "down": "down to multiples",
}
_AT_STAKES = (
    " At the stakes that were played, the exact return of the bet, as it is rounded, is "
    "{return_at_stakes:.6f} instead of {claimed_return:.6f}."
)
_OTHERS = (
    "All payouts in {currency} agree with the bet in multiples of {place}, but not in its smallest unit, "
    "{unit}. If amounts are in whole or minor units, such as cents, "
    "constants={{'currency': {{'{currency}': {digits}}}}} states it."
)
_UNLIKE = (
    "Of {rows:,} payouts of the player of row {first} that any one rule rounds in one direction, to "
    "multiples of {place}, {down:,} were rounded down; of those of all players {all_down:,} of {all_rows:,}."
)
_LOSS = 0.001
"""The share of stakes that rounding may keep without a note."""
_LARGE_LOSS = 0.01
"""The share from which it is evidence."""


def rounded(claim: Claim, ledger: Ledger) -> list[Finding]:
    """Return the findings of rounding in one currency."""
    found, currency = [], ledger.currency
    if ledger.others is not None and currency.decimals is not None:
        found.append(_agrees_otherwise(currency.name.upper(), ledger, ledger.others, currency.decimals))
    unlike = ledger.by_player.test(ledger.digits)
    if unlike is not None:
        found.append(_rounded_unlike(unlike, currency.name, ledger.place))
    return found + _keeps(claim, ledger)


def _keeps(claim: Claim, ledger: Ledger) -> list[Finding]:
    """Return the finding of the operator's gain by rounding, if it is large enough."""
    kept, currency = ledger.kept, ledger.currency.name
    severity: Severity = "evidence" if max(kept.share, kept.each) > _LARGE_LOSS else "note"
    if severity == "note" and kept.share <= _LOSS:
        return []
    amount, how = money_text(kept.amount, currency), _HOW.get(ledger.way, "to multiples")
    said = {"place": amount_text(ledger.place), "amount": amount, "share": kept.share, "each": kept.each}
    text = _KEPT[ledger.mixed].format(how=how, **said)
    figure: dict[str, Any] = {
        "kept": kept.share,
        "kept_of_a_stake": kept.each,
        "amount": kept.amount,
        "currency": currency.upper(),
    }
    exact = ledger.exact_return(claim.law) if claim.is_exact else None
    if exact is not None:
        figure |= {"exact_return": str(exact), "return_at_stakes": float(exact)}
        figure |= {"claimed_return": claim.law.mean()}
        text += _AT_STAKES.format(**figure)
    return [Finding("payout_mismatch", severity, text, details=figure, fields=MONEY)]


def _agrees_otherwise(currency: str, ledger: Ledger, others: int, decimals: int) -> Finding:
    """Return the note that amounts are rounded to other decimals than the currency's."""
    figure = {"currency": currency, "decimals": max(others - ledger.scale, 0)}
    text = _OTHERS.format(
        currency=currency,
        place=amount_text(ledger.place),
        unit=amount_text(10.0**-decimals) if decimals <= DECIMALS else f"1e-{decimals}",
        digits=figure["decimals"],
    )
    return Finding("payout_mismatch", "note", text, details=figure, fields=MONEY)


def _rounded_unlike(unlike: Unlike, currency: str, place: float) -> Finding:
    """Return the finding of the test of whether payouts are rounded alike for all players."""
    figure = asdict(unlike)
    text = _UNLIKE.format(**figure, place=money_text(place, currency))
    figure["currency"] = currency.upper()
    rows, pvalue = (unlike.first,), figure.pop("pvalue")
    return evidence("rounding_by_player", pvalue, text, figure, rows, unlike.rows)
