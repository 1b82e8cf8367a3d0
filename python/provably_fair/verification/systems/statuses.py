"""Statuses of bets, and their words in logs."""

from __future__ import annotations

from typing import Literal, get_args

from .system import Field

Status = Literal["played", "returned"]

_PLAYED = (
    "settled resolved complete completed finished closed done paid success "
    "played won win lost loss lose push tie draw cashout"
)
_RETURNED = "void voided refund refunded cancelled canceled returned"
_STATUSES: dict[str, Status] = {
    **dict.fromkeys(("", *_PLAYED.split(), "cashed out"), "played"),
    **dict.fromkeys(_RETURNED.split(), "returned"),
}

RETURNED: Status = "returned"
STATUS = Field("status", False, words=_STATUSES, meanings=get_args(Status)).spelled()
"""The field of a bet's status: played, or stake returned."""
