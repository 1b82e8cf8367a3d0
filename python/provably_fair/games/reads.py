"""What a rule reads besides its draws and its parameters, so that nothing is remembered of it for longer.

A rule may name globals, variables of a function around it, attributes of its class, and functions that do so
in turn. A notebook changes them from cell to cell, and what reloads a module exchanges the code itself. They
are found in the code, without running it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache, partial, wraps
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any, TypeVar

import numpy as np

__all__ = ["Reads", "while_read_alike"]

T = TypeVar("T")

_KNOWN = {
    "numpy",
    "math",
    "cmath",
    "operator",
    "functools",
    "itertools",
    "fractions",
    "decimal",
    "provably_fair",
}
"""Packages whose functions and classes are as they are."""

_FIXED = (
    *(int, float, complex, str, bytes, type(None), Fraction, Decimal, range),
    *(np.generic, np.dtype, np.ufunc, type, property, ModuleType, FunctionType, BuiltinFunctionType),
)
_ABSENT, _OPEN = object(), object()
"""No value; and the copy of one that may change in place, but is too long or too odd to be compared."""
_MOST_BYTES, _MOST_ITEMS = 1 << 14, 1000


class Reads:
    """What some functions read by name, as it is now; `cls` is the class of their first argument, if any.

    Attributes
    ----------
    is_known : bool
        Whether all of it can be compared: no value may change in place behind its name.
    """

    def __init__(self, cls: type | None, *functions: Any) -> None:
        self.is_known = True
        self._codes: dict[FunctionType, CodeType] = {}
        self._names: dict[tuple[int, str], tuple[Mapping[str, Any], str, Any, Any]] = {}
        self._cells: list[tuple[Any, Any, Any]] = []
        self._objects: dict[int, Any] = {}
        self._classes = [] if cls is None else [one for one in cls.__mro__ if one is not object]
        if cls is not None:
            self._attribute("outcome")
        for function in functions:
            self._called(function)
        # As they are compared for every single round.
        self._functions, self._values = tuple(self._codes.items()), tuple(self._names.values())

    def hold(self) -> bool:
        """Return whether everything is as it was."""
        for function, code in self._functions:
            if function.__code__ is not code:
                return False
        for of, name, value, copy in self._values:
            if of.get(name, _ABSENT) is not value or (copy is not None and _copied(value) != copy):
                return False
        return all(_content(cell) is value and _copied(value) == copy for cell, value, copy in self._cells)

    def _attribute(self, name: str) -> None:
        """Look at an attribute of the class, where it is found."""
        for owner in self._classes:
            if self._name(vars(owner), name) is not _ABSENT:
                break

    def _name(self, of: Mapping[str, Any], name: str) -> Any:
        value = of.get(name, _ABSENT)
        if (id(of), name) not in self._names:
            self._names[id(of), name] = (of, name, value, self._copy(value))
            self._value(value)
        return value

    def _copy(self, value: Any) -> Any:
        copy = _copied(value)
        self.is_known &= copy is not _OPEN
        return copy

    def _called(self, value: Any) -> None:
        """Look at what is called like a function."""
        self._copy(value)
        self._value(value)

    def _value(self, value: Any) -> None:
        """Look into a function, or what is called like one."""
        if isinstance(value, (staticmethod, classmethod)):
            value = value.__func__
        elif isinstance(value, property):
            value = value.fget
        elif isinstance(value, (MethodType, partial)):
            for part in _parts(value):
                self._value(part)
        elif callable(value) and not isinstance(value, _FIXED) and id(value) not in self._objects:
            self._objects[id(value)] = value
            call = type(value).__call__
            if isinstance(call, FunctionType) and _root(type(value).__module__) not in _KNOWN:
                self._value(call)
            for part in filter(callable, getattr(value, "__dict__", {}).values()):
                self._called(part)
        if isinstance(value, FunctionType) and value not in self._codes:
            self._codes[value] = value.__code__
            if _root(value.__module__) not in _KNOWN:
                for cell in value.__closure__ or ():
                    content = _content(cell)
                    self._cells.append((cell, content, self._copy(content)))
                    self._value(content)
                self._code(value.__code__, value.__globals__)

    def _code(self, code: CodeType, of: dict[str, Any]) -> None:
        """Look at the names in some code: globals, attributes of the class, and of modules."""
        modules = [of]
        for name in code.co_names:
            if any(name in vars(owner) for owner in self._classes):
                self._attribute(name)
            for module in modules:
                found = self._name(module, name) if name in module else None
                if isinstance(found, (ModuleType, type)) and _root(_home(found)) not in _KNOWN:
                    modules.append(vars(found))
        for inner in code.co_consts:
            if isinstance(inner, CodeType):
                self._code(inner, of)


def while_read_alike(
    reads: Callable[..., Reads], size: int
) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """Return a decorator like `lru_cache`; what may read something else than before is found anew."""

    def decorate(find: Callable[..., T]) -> Callable[..., T]:
        @lru_cache(size)
        def kept(*key: Any) -> list[Any]:  # noqa: ARG001
            return []

        @wraps(find)
        def found(*key: Any) -> T:
            result = kept(*key)
            if not (result and result[0].is_known and result[0].hold()):
                result[:] = reads(*key), find(*key)
            value: T = result[1]
            return value

        return found

    return decorate


def _parts(called: MethodType | partial[Any]) -> tuple[Any, ...]:
    if isinstance(called, partial):
        return called.func, *called.args, *called.keywords.values()
    return called.__func__, called.__self__


def _home(found: ModuleType | type) -> str:
    return found.__name__ if isinstance(found, ModuleType) else found.__module__


def _root(module: str | None) -> str:
    return (module or "").partition(".")[0]


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # the variable has no value yet
        return _ABSENT


def _copied(value: Any) -> Any:
    """Return what tells whether a value changed in place; None of one that can't, `_OPEN` if nothing does."""
    if isinstance(value, np.ndarray) and not value.flags.writeable and value.base is None:
        return None
    if isinstance(value, (MethodType, partial)):
        return None if all(_copied(part) is None for part in _parts(value)) else _OPEN
    if value is _ABSENT or isinstance(value, _FIXED) or _root(type(value).__module__) == "provably_fair":
        return None
    if isinstance(value, np.ndarray) and value.dtype != object and value.nbytes <= _MOST_BYTES:
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, dict):
        value = [*value.items()]
    if isinstance(value, (list, tuple, set, frozenset)) and len(value) <= _MOST_ITEMS:
        copies = [(one if isinstance(one, _FIXED) else id(one), _copied(one)) for one in value]
        return _OPEN if any(copy is _OPEN for _, copy in copies) else copies
    return None if _is_value(value) else _OPEN


def _is_value(value: Any) -> bool:
    """Return whether a hash tells something by its value, which then stays, as those of frozen classes do."""
    by_identity: Any = object.__hash__
    if type(value).__hash__ is by_identity:
        return False
    try:
        hash(value)
    except TypeError:
        return False
    return True
