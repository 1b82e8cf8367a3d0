"""Stakes, payouts and outcomes: the checks of whether what was paid is what the bet pays.

A log has too many bets to keep, so each check keeps sums under small keys, which merge by adding. Whether
payouts are right is in `payments`, with `paytables` and `roundings`; what can't be compared in `unpaid`, what
is given back in `refunds`, what is listed twice in `doubles`, what comes back in `returns`, and how a dealer
plays in `dealer`.
"""

from __future__ import annotations

from provably_fair._core.printable import counted

from ..check import Check, Context
from ..records import Records
from ..sums import FirstRows
from .dealer import DealerRules, RefundedHands
from .doubles import ListedTwice
from .hand_payments import HandPayments
from .overlaps import Overlaps
from .payments import PaidOtherwise, Payments
from .refunds import Refunded
from .returns import ReturnChecks
from .unpaid import MissingPayouts, Unstaked


def checks(context: Context, overlaps: Overlaps) -> list[Check]:
    """Return the checks of this subject."""
    claim, hands = context.claim, context.hands
    found: list[Check] = [ListedTwice(claim, overlaps)]
    if claim is None:
        found.insert(0, NoBet(hands is not None))
    if hands is not None:
        paid = HandPayments(hands, context.game.table)
        found += [paid, MissingPayouts(hands, paid), Unstaked(hands), RefundedHands(hands.bet_units)]
        if context.game.kind.choice == "actions":
            found.append(DealerRules(context.game.table))
    if claim is None or not (hands is None or claim.says_returns):
        return found
    payments = Payments(claim)
    unpaid = [MissingPayouts(claim, payments), Refunded(claim, payments), Unstaked(claim)]
    found = [payments, *unpaid, *found]
    if claim.stated is not None:
        found.append(PaidOtherwise(claim, claim.stated, payments))
    return [*found, ReturnChecks(claim, payments)] if claim.says_returns else found


class NoBet(Check):
    """An audit without a bet: payouts aren't checked, but negative ones are counted.

    Of hands the table says what they pay.
    """

    state = ("_negative",)

    def __init__(self, of_hands: bool) -> None:
        self._of_hands = of_hands
        self._negative = FirstRows()

    def update(self, records: Records) -> None:
        if records.has("payout"):
            self._negative.add(records.places[records.number("payout") < 0])

    def unknown(self) -> list[str]:
        if self._of_hands:
            return ["no bet was given (bet=): returns can't be checked"]
        said = ["no bet was given (bet=): neither payouts nor returns can be checked"]
        if self._negative.count:
            said.append(
                f"{counted(self._negative.count, 'row')} with a payout below 0 (first: row "
                f"{self._negative.rows[0]}): whether the column holds profits, without the stake"
            )
        return said
