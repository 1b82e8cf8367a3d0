"""What a rule reads besides its draws and its parameters, so that nothing is remembered of it for longer.

A rule may name globals, variables of a function around it, attributes of its class, and functions that do so
in turn. A notebook changes them from cell to cell, and what reloads a module exchanges the code itself. They
are found in the code, without running it.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import cached_property, lru_cache, partial, wraps
from operator import attrgetter, itemgetter
from types import (
    BuiltinFunctionType,
    CodeType,
    EllipsisType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any, NamedTuple, TypeVar

import numpy as np

from .kind import AnyGame

T = TypeVar("T")

_KNOWN = {
    *("abc", "bisect", "builtins", "cmath", "collections", "dataclasses", "decimal", "enum", "fractions"),
    *("functools", "itertools", "math", "numbers", "numpy", "operator", "provably_fair", "statistics"),
    "typing",
}
"""Packages whose functions and classes are as they are."""


class _Names(NamedTuple):
    """The names in some code, by what they are names of; `is_opaque` if it may read what it doesn't name."""

    globals: tuple[str, ...]
    attributes: tuple[str, ...]
    is_opaque: bool


_OPAQUE = {
    *("getattr", "hasattr", "vars", "dir", "globals", "locals", "eval", "exec", "open", "attrgetter"),
    *("methodcaller", "modules", "__dict__", "__getattribute__", "__import__", "import_module", "_getframe"),
    "currentframe",
}
"""Names by which code may read what it doesn't name."""

_SCALARS: frozenset[type] = frozenset(
    (int, float, complex, bool, str, bytes, type(None), EllipsisType, Fraction, Decimal, range)
)
_FIXED = (
    *(np.generic, np.dtype, type, ModuleType, FunctionType),
    *(MemberDescriptorType, GetSetDescriptorType, WrapperDescriptorType, type(_Names.globals)),
)
_ANNOTATED = {"__annotate__", "__annotate_func__"}
"""Methods of classes, from Python 3.14 on, by which annotations are evaluated: no rule reads them."""
_CONTAINERS = (list, tuple, set, frozenset, dict)
_DESCRIPTORS = (staticmethod, classmethod, property, MethodType, partial)
_GAME = __name__.replace("reads", "game")
"""Where the class is on which all games are based."""
_ABSENT, _OPEN = object(), object()
"""No value; and the copy of one that may change in place, but is too long or too odd to be compared."""
_MOST_BYTES, _MOST_ITEMS, _MOST_VALUES, _DEEPEST = 1 << 14, 1000, 400, 20


class Reads:
    """What a game's rule, and some functions, read by name, as it is now.

    Attributes
    ----------
    is_known : bool
        Whether all of it can be compared: no value may change in place behind its name. A long array that
        can't be written to is taken to stay.
    """

    def __init__(self, game: AnyGame | type | None, *functions: Any) -> None:
        """Look at a game or its class, None for neither, and at functions."""
        self.is_known = True
        self._names: dict[tuple[int, str], tuple[Callable[[Any], Any], Any, Any]] = {}
        self._cells: list[tuple[Any, Any]] = []
        self._copies: dict[int, tuple[Any, Any, list[Any]]] = {}
        self._classes: set[type] = set()
        self._absent: dict[int, tuple[Any, set[str]]] = {}
        self._spaces: dict[int, tuple[Mapping[str, Any], bool]] = {}
        self._asked: dict[str, None] = {}
        self._seen: dict[int, Any] = {}
        self._waiting: list[tuple[Any, bool]] = []
        if game is not None:
            if not isinstance(game, type):
                self.is_known = is_plain(game)
                self._space(vars(game))
                game = type(game)
            self._class(game, is_rule=True)
            self._ask(("outcome", "vectorized"))
        for function in functions:
            self._value(function)
        while self._waiting and len(self._seen) <= _MOST_VALUES:
            self._look(*self._waiting.pop())
        self.is_known &= not self._waiting
        own = [of for of, is_fixed in self._spaces.values() if not is_fixed]
        for of in own:
            self._lacks(of, self._asked)
        # As they are compared for every single round.
        self._values = tuple(self._names.values())
        self._none = tuple((of.keys(), frozenset(names)) for of, names in self._absent.values() if names)

    def hold(self) -> bool:
        """Return whether everything is as it was."""
        try:
            for get, of, value in self._values:
                if get(of) is not value:
                    return False
        except (KeyError, AttributeError):
            return False
        for keys, absent in self._none:
            if not keys.isdisjoint(absent):
                return False
        for cell, value in self._cells:
            if _content(cell) is not value:
                return False
        copies = self._copies.values()
        return not copies or all(_copied(value, []) == copy for value, copy, _ in copies)

    def _value(self, value: Any, is_fixed: bool = False) -> None:
        """Have a value looked at, with what it is made of."""
        if type(value) not in _SCALARS and id(value) not in self._seen:
            self._seen[id(value)] = value
            self._waiting.append((value, is_fixed))

    def _look(self, value: Any, is_fixed: bool) -> None:
        if isinstance(value, (BuiltinFunctionType, type)):
            self.is_known &= value.__name__ not in _OPAQUE
        if isinstance(value, FunctionType):
            self._function(value)
            return
        if not is_fixed:
            kept: list[Any] = []  # by whose identity the copy tells values
            copy = _copied(value, kept)
            self.is_known &= copy is not _OPEN
            if copy is not None and copy is not _OPEN:
                self._copies[id(value)] = value, copy, kept
        if isinstance(value, type):
            self._class(value)
        elif isinstance(value, ModuleType):
            if _root(value.__name__) not in _KNOWN:
                self._space(vars(value), ("__getattr__",))
        else:
            self._class(type(value))
            if _root(type(value).__module__) == "provably_fair" and callable(value):
                self._value(type(value).__call__, is_fixed=True)
            for part in _parts(value):
                self._value(part)

    def _function(self, function: FunctionType) -> None:
        code = self._own(function, "__code__")
        for name in ("__defaults__", "__kwdefaults__"):
            if getattr(function, name) is not None:
                self._value(self._own(function, name))
        for cell in function.__closure__ or ():
            content = _content(cell)
            self._cells.append((cell, content))
            self._value(content)
        names = _names_in(code)
        of = function.__globals__
        if _root(of.get("__name__")) not in _KNOWN:
            self.is_known &= not names.is_opaque
            self._lacks(of, names.globals)
            for name in names.globals:
                self._name(of, name)
            if function.__dict__:
                self._space(function.__dict__)
        self._ask(names.attributes)

    def _class(self, cls: type, is_rule: bool = False) -> None:
        """Look at a class, by whose attributes its objects are read, too."""
        if cls in self._classes or not (is_rule or _root(cls.__module__) not in _KNOWN):
            return
        if _root(cls.__module__) not in _KNOWN:
            self._classes.add(cls)
            self._own(cls, "__mro__")
        for owner in cls.__mro__:
            is_fixed = _root(owner.__module__) in _KNOWN
            if owner is not object and (is_rule or not is_fixed) and owner.__module__ != _GAME:
                # Operators call methods that code doesn't name; those that dataclasses write read nothing.
                called = [
                    name
                    for name, value in ({} if is_fixed else vars(owner)).items()
                    if name.startswith("__") and name not in _ANNOTATED and not _is_written(value)
                ]
                self._space(vars(owner), called, is_fixed)
        self._class(type(cls))

    def _space(self, of: Mapping[str, Any], names: Any = (), is_fixed: bool = False) -> None:
        """Look up names in attributes; `is_fixed` says that they are those of a known class."""
        if id(of) not in self._spaces:
            self._spaces[id(of)] = of, is_fixed
            for name in (*names, *self._asked):
                self._name(of, name, is_fixed)

    def _ask(self, names: Any) -> None:
        """Look up attributes in all that may have them."""
        for name in names:
            if name not in self._asked:
                self._asked[name] = None
                for of, is_fixed in [*self._spaces.values()]:
                    self._name(of, name, is_fixed)

    def _own(self, of: Any, name: str) -> Any:
        """Keep an attribute that functions or classes have of their own."""
        value = getattr(of, name)
        self._names[id(of), name] = attrgetter(name), of, value
        return value

    def _name(self, of: Mapping[str, Any], name: str, is_fixed: bool = False) -> None:
        value = of.get(name, _ABSENT)
        if value is not _ABSENT and (id(of), name) not in self._names:
            self._names[id(of), name] = itemgetter(name), of, value
            self._value(value, is_fixed)

    def _lacks(self, of: Mapping[str, Any], names: Any) -> None:
        """Keep the names that aren't there, and may be one day."""
        _, absent = self._absent.setdefault(id(of), (of, set()))
        absent.update([name for name in names if name not in of])


@lru_cache(1 << 12)
def _names_in(code: CodeType) -> _Names:
    variables: dict[str, None] = {}
    attributes: dict[str, None] = {}
    is_opaque = False
    for one in dis.get_instructions(code):
        if one.opname == "MATCH_CLASS":  # whose names are constants
            is_opaque = True
        elif one.opname == "IMPORT_NAME":
            is_opaque |= _root(one.argval) not in _KNOWN
        elif "GLOBAL" in one.opname or one.opname == "LOAD_NAME":
            variables[one.argval] = None
        elif one.opcode in dis.hasname:
            attributes[one.argval] = None
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            found = _names_in(inner)
            variables |= dict.fromkeys(found.globals)
            attributes |= dict.fromkeys(found.attributes)
            is_opaque |= found.is_opaque
    is_opaque |= not _OPAQUE.isdisjoint((*variables, *attributes))
    return _Names(tuple(variables), tuple(attributes), is_opaque)


def is_plain(game: AnyGame) -> bool:
    """Return whether a game has no attributes but what tells it from others, and what follows from that."""
    return all(
        name in game._names
        or name in game._beside
        or isinstance(getattr(type(game), name, None), cached_property)
        for name in [*vars(game)]  # a copy: other threads may keep what follows meanwhile
    )


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


def _parts(value: Any) -> Iterator[Any]:
    """Return what a value is made of."""
    if isinstance(value, partial):
        yield from (value.func, value.args, value.keywords)
    elif isinstance(value, MethodType):
        yield from (value.__func__, value.__self__)
    elif isinstance(value, (staticmethod, classmethod)):
        yield value.__func__
    elif isinstance(value, property):
        yield value.fget
    elif isinstance(value, _CONTAINERS):
        if len(value) <= _MOST_ITEMS:
            yield from value
            yield from value.values() if isinstance(value, dict) else ()
    elif hasattr(value, "__dict__"):
        of_package = _root(type(value).__module__) == "provably_fair"
        for part in [*vars(value).values()]:
            if not of_package or callable(part) or _root(type(part).__module__) not in _KNOWN:
                yield part
    elif _is_frozen(type(value)):
        yield from _fields(value)


def _is_written(value: Any) -> bool:
    """Return whether no code of a person's is called: a value, or a method that a decorator wrote."""
    if isinstance(value, FunctionType):
        return value.__code__.co_qualname.startswith("__create_fn__.")
    return not isinstance(value, (staticmethod, classmethod, property))


def _root(module: Any) -> str:
    return module.partition(".")[0] if isinstance(module, str) else ""


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # the variable has no value yet
        return _ABSENT


def _copied(value: Any, kept: list[Any], depth: int = 0) -> Any:
    """Return what tells whether a value changed in place; None of one that can't, `_OPEN` if nothing does.

    Values are told by identity; `kept` gets them, as that of one that is gone may be another's.
    """
    kind = type(value)
    if kind in _SCALARS or value is _ABSENT:
        return None
    if kind in _CONTAINERS:
        return _copied_items(value, kept, depth)
    if kind is np.ndarray:
        return _copied_array(value)
    if isinstance(value, _DESCRIPTORS):
        return _copied_items([*_parts(value)], kept, depth)
    if isinstance(value, BuiltinFunctionType):
        return None if isinstance(value.__self__, (ModuleType, type, type(None))) else _OPEN
    if kind is np.ufunc:  # one of a function of Python's reads what that reads
        return _OPEN if all(set(one) <= set("O->") for one in value.types) else None
    if isinstance(value, np.void):  # a view of a row
        return _OPEN
    if isinstance(value, _FIXED) or _root(kind.__module__) == "provably_fair":
        return None
    items = [*vars(value).values()] if hasattr(value, "__dict__") else []
    if isinstance(value, _CONTAINERS):
        items += [*value, *value.values()] if isinstance(value, dict) else value
    elif _is_frozen(kind) and not items:
        items = _fields(value)
    elif not (_is_frozen(kind) or isinstance(value, (Enum, *_SCALARS))):
        return _OPEN
    return kind.__name__, _copied_items(items, kept, depth)


def _copied_items(items: Any, kept: list[Any], depth: int) -> Any:
    if isinstance(items, dict):
        items = [*items, *items.values()]
    kept.extend(items)
    if len(kept) > _MOST_ITEMS or depth > _DEEPEST:
        return _OPEN
    told = tuple(map(id, items))
    if _SCALARS.issuperset(map(type, items)):
        return told
    copies = [_copied(one, kept, depth + 1) for one in items]
    return _OPEN if any(copy is _OPEN for copy in copies) else (told, copies)


def _copied_array(value: np.ndarray) -> Any:
    if value.dtype.hasobject:
        return _OPEN
    if value.nbytes <= _MOST_BYTES:
        return value.dtype.str, value.shape, value.tobytes()
    return _OPEN if value.flags.writeable or value.base is not None else (value.dtype.str, value.shape)


def _is_frozen(kind: Any) -> bool:
    """Return whether a class is a frozen dataclass, whose equal objects have equal fields."""
    parameters = getattr(kind, "__dataclass_params__", None)
    if parameters is None or not parameters.frozen:
        return False
    compares = kind.__eq__
    fields = kind.__dataclass_fields__.values()
    if isinstance(compares, FunctionType) and _is_written(compares):
        return all(one.compare for one in fields)
    return compares is object.__eq__ or _root(getattr(compares, "__module__", None)) in _KNOWN


def _fields(value: Any) -> list[Any]:
    return [getattr(value, name, _ABSENT) for name in type(value).__dataclass_fields__]
