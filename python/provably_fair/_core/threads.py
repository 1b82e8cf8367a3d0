"""Threads that do without: what no thread can be started for is done by the caller."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
_Left = list[tuple[Future[Any], Callable[[], Any]]]
"""A call and its future, until it is taken."""


class Workers(ThreadPoolExecutor):
    """Threads that work in the order of what is submitted; where the system starts none, the caller works."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Return the future of a call, which may be over."""
        found: Future[T] = Future()
        left: _Left = [(found, partial(fn, *args, **kwargs))]
        try:
            super().submit(_finish, left)
        except RuntimeError:  # under a limit of processes, or on WebAssembly; it may be queued all the same
            _finish(left)
        return found


def _finish(left: _Left) -> None:
    """Make a call, unless another thread has taken it."""
    with suppress(IndexError):
        found, call = left.pop()
        try:
            found.set_result(call())
        except BaseException as error:
            found.set_exception(error)
