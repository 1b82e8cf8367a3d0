"""What the card games share: rounds of two seeds and a nonce, and cards or a pay as outcomes."""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import numpy as np

from provably_fair import cards

from ..columns import scalar
from .system import RowByRow


class CardRounds(RowByRow):
    """A card game of Crypto.Games: rounds of two seeds and a nonce."""

    texts: Mapping[str, bool] = MappingProxyType({"server_seed": True, "client_seed": True, "nonce": False})
    unique = ("server_seed", "client_seed", "nonce")

    def __init__(self, game: Any) -> None:
        self.name = repr(game)

    def seeds(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the hash of a row is made of."""
        return {name: row[name] for name in self.texts if name in row}


def json_list(name: str, value: str | bytes) -> Any:
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        raise ValueError(f"{name} must be a JSON list, got {value!r:.80}") from None


_FRACTION = re.compile(r"\s*[+-]?\d{1,50}/\d{1,50}\s*", re.ASCII)


def plain_pay(right: Any) -> Any:
    """Return cards or a pay as a report has them: exact pay as text."""
    return str(right) if isinstance(right, Fraction) else right


def cards_or_pay(value: Any) -> Any:
    """Read a logged outcome of cards: a list of card numbers, or one number, exact if it is a fraction."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (str, bytes)):
        value = value.decode() if isinstance(value, bytes) else value
        number = scalar(value)
        if number is not None:
            return number
        if _FRACTION.fullmatch(value):
            above, below = value.split("/")
            if not int(below):
                raise ValueError("a fraction of nothing")
            return Fraction(int(above), int(below))
        value = json.loads(value) if value.lstrip().startswith("[") else value.split()
    if isinstance(value, (list, tuple)):
        return [cards.parse(card) if isinstance(card, str) else operator.index(card) for card in value]
    if isinstance(value, Fraction):
        return value
    number = scalar(value)
    if number is None:
        raise ValueError("cards or a pay")
    return number
