"""`AnyGame`: what the ways of finding laws and of asking read of a game, whose class is made of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Protocol

import numpy as np

from provably_fair.seeds.schemes import Scheme

__all__ = ["AnyGame"]


class AnyGame(Protocol):
    """A game, as `Game` has it."""

    name: ClassVar[str]
    scheme: ClassVar[Scheme]
    vectorized: ClassVar[bool]
    monotone: ClassVar[bool]
    ordered: ClassVar[bool]
    _beside: ClassVar[Any]
    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def kind(self) -> Any:
        """A `Kind`: the kind of the game's base."""

    @property
    def _rounds(self) -> Any:
        """A `Rounds`."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one outcome."""

    @property
    def dtype(self) -> np.dtype:
        """The type of outcomes."""

    @property
    def decimals(self) -> int:
        """The number of decimals of outcomes."""

    @property
    def parameters(self) -> Mapping[str, int]:
        """The whole numbers that decide outcomes."""

    def _field_values(self) -> tuple[object, ...]:
        """Return the values of the parameters."""

    def outcome(self, draws: Any) -> Any:
        """Return the outcomes of all rounds of some draws."""

    def distribution(self, law: str = "ideal", *, of: Any = None) -> Any:
        """Return a `Distribution`."""

    def observe(self, outcomes: Any, *, of: Any = None) -> np.ndarray:
        """Return values of outcomes."""

    def bet(self, payout: Any = None, *args: Any, **options: Any) -> Any:
        """Return a `Bet`."""

    def with_parameters(self, **parameters: Any) -> Any:
        """Return a `Game` with other parameters."""
