"""Cached properties without a lock."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Self, TypeVar, overload

T = TypeVar("T")


class unlocked_property(cached_property[T]):  # noqa: N801  # named like the builtin decorator
    """`functools.cached_property` as of Python 3.12: without a lock, which would slow down single rounds.

    Two threads may compute the value at the same time, so it must be deterministic. One without documentation
    has that of the property which it overrides.
    """

    def __set_name__(self, owner: type[Any], name: str) -> None:
        super().__set_name__(owner, name)
        self.__doc__ = self.__doc__ or getattr(getattr(super(owner, owner), name, None), "__doc__", None)

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
