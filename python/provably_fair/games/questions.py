"""What a game may be asked: the keyword arguments of its `distribution`, of which all else follows."""

from __future__ import annotations

import difflib
import functools
import inspect
import re
from collections.abc import Iterable, Mapping
from inspect import Parameter, Signature
from typing import Any

from provably_fair._core.errors import BadType
from provably_fair._core.signatures import signature_of

__all__ = ["check_names", "one_of", "questions_of", "show_questions"]

Numbers = Any
"""What a question takes that is asked of a collection of whole numbers."""


def questions_of(game: Any) -> dict[str, Parameter]:
    """Return what a game, or a class of games, may be asked, with types and defaults."""
    cls: Any = game if isinstance(game, type) else type(game)
    return _keywords(cls.distribution, "law")


@functools.lru_cache(maxsize=512)
def _keywords(function: Any, *without: str) -> dict[str, Parameter]:
    """Return the keyword arguments of a method; none of one that takes any."""
    parameters = signature_of(function).parameters
    return {
        name: one
        for name, one in parameters.items()
        if one.kind is Parameter.KEYWORD_ONLY and name not in without
    }


def check_names(owner: str, named: Iterable[str], known: Iterable[str], also: Iterable[str] = ()) -> None:
    """Refuse what a game can't be asked, and name the nearest that it can."""
    known, also = [*known], [*also]
    for name in named:
        if name in known or name in also:
            continue
        near = difflib.get_close_matches(name, [*known, *also], 1, 0.5)
        meant = f": did you mean {near[0]}?" if near else "."
        more = f", and a bet takes {' and '.join(also)}" if also else ""
        sentence = f"{owner} has no option {name!r}{meant} Its options are {', '.join(known)}{more}"
        raise BadType(name, sentence=sentence)


def one_of(**questions: object) -> tuple[str, Any] | None:
    """Return the only question that is asked, and its value; None where none is."""
    asked = [(name, value) for name, value in questions.items() if value is not None and value is not False]
    if len(asked) > 1:
        raise BadType(asked[0][0], f"isn't supported with {asked[1][0]}: ask one of them")
    return asked[0] if asked else None


def show_questions(cls: Any) -> None:
    """Let a class's methods say what it is asked, where it defines its own `distribution`.

    Its `distribution` refuses other names; `observe` and `bet`, where they are inherited, get a signature and
    documentation of what `distribution` takes.
    """
    own = vars(cls)
    if "distribution" in own and not hasattr(own["distribution"], "__wrapped__"):
        cls.distribution = _checked(own["distribution"])
    if "distribution" not in own and "pays" not in own:
        return
    try:
        asked = dict(questions_of(cls))
        if callable(cls.pays):
            asked |= _keywords(cls.pays, *asked)
    except (TypeError, ValueError):
        return  # nothing that has a signature
    for name, kept in (("observe", 2), ("bet", 3)):
        method = getattr(cls, name)
        shared = getattr(method, "__wrapped__", method)
        if shared.__module__ != f"{__package__}.game":  # a class's own
            continue
        first = [*signature_of(method).parameters.values()][:kept]
        known = {one.name for one in first}
        more = [one for one in asked.values() if one.name not in known]
        setattr(cls, name, _shown(cls, shared, [*first, *more]))


def _checked(distribution: Any) -> Any:
    if any(one.kind is Parameter.VAR_KEYWORD for one in signature_of(distribution).parameters.values()):
        return distribution

    @functools.wraps(distribution)
    def asked(self: Any, *law: Any, **questions: Any) -> Any:
        check_names(type(self).__name__, questions, _keywords(distribution))
        return distribution(self, *law, **questions)

    return asked


def _shown(cls: Any, method: Any, parameters: list[Parameter]) -> Any:
    """Return a method with another signature, and with what its class's `distribution` says of questions."""

    @functools.wraps(method)
    def shown(self: Any, *values: Any, **named: Any) -> Any:
        return method(self, *values, **named)

    back = signature_of(method).return_annotation
    shown.__signature__ = Signature(parameters, return_annotation=back)  # type: ignore[attr-defined]
    shown.__qualname__ = f"{cls.__name__}.{method.__name__}"
    doc = inspect.getdoc(method) or ""
    said, own = _entries(inspect.getdoc(cls.distribution) or ""), {"law", *_entries(doc)}
    listed = "\n".join(text for name, text in said.items() if name not in own)
    if listed:
        doc = re.sub(r"^\*\*questions\n(?: {4}.*\n)*", lambda _: f"{listed}\n", doc, flags=re.MULTILINE)
    shown.__doc__ = doc
    return shown


def _entries(doc: str) -> Mapping[str, str]:
    """Return the entries of the parameters in a method's documentation."""
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\w[\w ]*\n-+$|\Z)", doc, re.MULTILINE | re.DOTALL)
    entries = re.findall(r"^(\S.*)\n((?: {4}.*\n|\n)*)", section[1] if section else "", re.MULTILINE)
    return {head.partition(" ")[0].strip(","): f"{head}\n{text}".rstrip() for head, text in entries}
