"""Properties that are worked out once."""

from __future__ import annotations

from functools import cached_property
from typing import Self, TypeVar, overload

__all__ = ["unlocked_property"]

T = TypeVar("T")


class unlocked_property(cached_property[T]):  # noqa: N801  # it is used as a decorator
    """What `functools.cached_property` is from Python 3.12 on: without a lock, which costs a round's time.

    Two threads may work the value out at the same time, so it has to be the same every time.
    """

    @overload
    def __get__(self, instance: None, owner: type[object] | None = None) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type[object] | None = None) -> T: ...
    def __get__(self, instance: object, owner: type[object] | None = None) -> Self | T:
        if instance is None:
            return self
        assert self.attrname is not None
        value: T = self.func(instance)
        instance.__dict__[self.attrname] = value
        return value
