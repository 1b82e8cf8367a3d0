"""Everything public is documented, internals have one line, and every example runs."""

from __future__ import annotations

import doctest
import functools
import importlib
import inspect
import pkgutil
import re
import types

import examples_shown
import numpy as np
import provably_fair as pf
import pytest
from provably_fair._core.lazy import listed
from provably_fair.games.kind import STATED


def load(name):
    """A module of the package; None if an optional dependency is missing."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        if error.name is not None and error.name.split(".")[0] == "provably_fair":
            raise
        return None


MODULES = {
    name: load(name)
    for name in [
        "provably_fair",
        *(module.name for module in pkgutil.walk_packages(pf.__path__, "provably_fair.")),
    ]
    if not name.rpartition(".")[2].startswith("__")
}


def public(module):
    """Public names with their objects, without rooms whose optional dependency is missing.

    Of internal modules these are the functions and classes that they define, but for underscored ones.
    """
    own = {
        name
        for name, value in vars(module).items()
        if getattr(value, "__module__", "") == module.__name__ and not name.startswith("_")
    }
    for name in getattr(module, "__all__", sorted(own)):
        if MODULES.get(f"{module.__name__}.{name}", module) is not None:
            yield name, getattr(module, name)


def public_members(cls):
    """Public methods and properties defined by the class or by a base class of the package."""
    stated = STATED if issubclass(cls, pf.Game) else ()  # of a game, which its kind shows
    for base in cls.__mro__:
        if base.__module__.startswith("provably_fair"):
            for name, member in vars(base).items():
                if name in stated:
                    continue
                if isinstance(member, classmethod | staticmethod):
                    member = getattr(cls, name)
                kinds = property | functools.cached_property | types.GetSetDescriptorType
                called = inspect.isroutine(member) and callable(member) and member.__name__ != "<lambda>"
                if not name.startswith("_") and (called or isinstance(member, kinds)):
                    yield name, member


def documented(module):
    """All objects that users may read about, with dotted names: module, functions, classes, members."""
    yield module.__name__, module
    for name, value in public(module):
        full = f"{module.__name__}.{name}"
        if inspect.isclass(value) or inspect.isroutine(value):
            yield full, value
        if inspect.isclass(value):
            for member_name, member in public_members(value):
                yield f"{full}.{member_name}", member


TOPICS = [topic for module in MODULES.values() if module is not None for topic in documented(module)]


def reached(module):
    """All objects reachable from `pf`: its names, those of its rooms, and their public members."""
    for _, value in public(module):
        if inspect.ismodule(value):
            yield from reached(value)
        elif inspect.isclass(value):
            yield value
            yield from (member for _, member in public_members(value))
        elif inspect.isroutine(value):
            yield value


def code_of(value):
    """A key that identifies a function or class under any of its names."""
    for name in ("fget", "func", "__func__", "__wrapped__"):
        value = getattr(value, name, value)
    return getattr(value, "__code__", value)


ROOMS = [name for name, of in listed("provably_fair").items() if of == "provably_fair"]

# Commands are built from `cli` and `names`. Authors of games receive draws; how-to pages document
# the published rounds.
SHOWN = {
    code_of(value)
    for module in (
        pf,
        *(MODULES[f"provably_fair.{room}"] for room in ROOMS if room not in ("cli", "names")),
        pf.games.draws,
        importlib.import_module("provably_fair.operators.published"),
    )
    for value in reached(module)
} - {
    # The interface between deals and tables: users settle and analyze on the table.
    code_of(getattr(table, name))
    for table in (pf.games.Table, pf.cards.Blackjack, pf.cards.VideoPoker)
    for name in pf.games.Table.__abstractmethods__
}
# The interface between kinds and other rooms: users ask the game.
SHOWN -= {code_of(member) for _, member in public_members(pf.games.Kind)}
# The rule of a game of the engine is shown as its one line of code.
SHOWN -= {code_of(game.outcome) for game in pf.operators.salted.GAMES.values()}


def with_examples():
    seen = set()
    parser = doctest.DocTestParser()
    for name, value in TOPICS:
        text = inspect.getdoc(value)
        if text and ">>>" in text and text not in seen:
            seen.add(text)
            globs = {"np": np, "pf": pf}
            yield pytest.param(parser.get_doctest(text, globs, name, None, 0), id=name)


def described_parameters(text):
    """The parameters in the section Parameters; None without such a section."""
    _, heading, rest = text.partition("Parameters\n----------\n")
    if not heading:
        return None
    section = re.split(r"^\w[\w ]*\n-{3,}$", rest, maxsplit=1, flags=re.MULTILINE)[0]
    # A line without indentation: "name : type", "one, other : type", or "one, **more", among others.
    lines = re.findall(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*)(?: : .+)?$", section, flags=re.MULTILINE)
    return {name.lstrip("*") for line in lines for name in line.split(", ")}


def test_every_public_name_has_a_docstring():
    bare = sorted({name for name, value in TOPICS if not (inspect.getdoc(value) or "").strip()})
    assert not bare, f"without a docstring: {', '.join(bare)}"


def test_what_is_shown_has_an_example():
    bare = sorted(
        name
        for name, value in TOPICS
        if inspect.isroutine(value)
        and not isinstance(value, functools.cached_property)
        and code_of(value) in SHOWN
        and set(inspect.signature(value).parameters) - {"self", "cls"}
        and not re.search(r"^Examples\n-{8}\n(.*\n)*?>>> ", inspect.getdoc(value) or "", re.MULTILINE)
    )
    assert not bare, f"without an example: {', '.join(bare)}"


def test_what_is_not_shown_has_no_sections():
    """Internals are read together with their code: one line, plus comments where an algorithm is hard."""
    long = sorted(
        name
        for name, value in TOPICS
        if inspect.isroutine(value)
        and not inspect.isbuiltin(value)
        and code_of(value) not in SHOWN
        and re.search(r"^ *(Parameters|Returns|Examples)\n *-{3,}$", value.__doc__ or "", re.MULTILINE)
    )
    assert not long, f"internal, with a public documentation: {', '.join(long)}"


def test_docstrings_name_every_argument():
    """Public functions describe each argument, or say where it is described."""
    missing = []
    for name, value in TOPICS:
        described = described_parameters(inspect.getdoc(value) or "")
        if not inspect.isroutine(value) or described is None:
            continue
        for parameter in inspect.signature(value).parameters:
            if parameter not in ("self", "cls") and parameter not in described:
                missing.append(f"{name}({parameter})")
    assert not missing, f"arguments that are not described: {', '.join(sorted(missing))}"


@pytest.mark.parametrize("example", list(with_examples()))
def test_examples_in_docstrings(example):
    runner = examples_shown.runner()
    output: list[str] = []
    runner.run(example, out=output.append)
    assert not runner.failures, "".join(output)
