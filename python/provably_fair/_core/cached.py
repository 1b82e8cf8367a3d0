"""Properties that are worked out once."""

from __future__ import annotations

from functools import cached_property
from typing import Any

__all__ = ["unlocked_property"]


class unlocked_property(cached_property):  # noqa: N801  # it is used as a decorator
    """What `functools.cached_property` is from Python 3.12 on: without a lock, which costs a round's time.

    Two threads may work the value out at the same time, so it has to be the same every time.

    Examples
    --------
    >>> from provably_fair._core.cached import unlocked_property
    >>> class Square:
    ...     side = 3
    ...
    ...     @unlocked_property
    ...     def area(self):
    ...         return self.side**2
    >>> square = Square()
    >>> square.area, vars(square)
    (9, {'area': 9})
    """

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        assert self.attrname is not None
        value = instance.__dict__[self.attrname] = self.func(instance)
        return value
