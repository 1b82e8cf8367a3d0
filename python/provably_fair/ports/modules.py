"""Games as JavaScript: a module of one game, and the script of a page of many."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

from provably_fair import cards
from provably_fair._core.errors import BadType, BadValue
from provably_fair._engine import __version__
from provably_fair.games import Game, Program, program_of
from provably_fair.games.naming import operator_of, typed_name
from provably_fair.seeds import Scheme
from provably_fair.seeds.schemes import published_beside

from .expressions import WRITTEN, RefusedError, lines_of, literal
from .settings import key_of, offered, parameter_texts
from .systems import chain_of, commitments_in, fields_of, plainly, scheme_of, written
from .texts import bare, read

_NOBLE = WRITTEN["noble"]
"""The modules of @noble/hashes, and what ports use of them."""


def refusal_of(game: Game) -> str | None:
    """Return why a game can't be ported; None if it can."""
    try:
        _rule_of(game)
        scheme_of(game.scheme)
    except RefusedError as error:
        return str(error)
    return None


def javascript(game: Game) -> str:
    """Return a game as a module of JavaScript, which players or another server verify rounds with.

    It exports three functions of a round's fields, an object by the names of the game's scheme whose values
    are texts or numbers: ``outcome(fields)``, ``steps(fields)``, what was hashed and drawn, and
    ``commitments(fields)``, the hashes published before the round, compared with those among the fields. A
    game on a chain of hashes has ``previous(hash)`` and ``walk(hash, anchor, most)``, too. The game's
    parameters and scheme are in it. It imports ``@noble/hashes`` and nothing else.

    Parameters
    ----------
    game : Game
        The game, one of your own, too.

    Returns
    -------
    str
        The text of an ES module.

    Raises
    ------
    ValueError
        When the game can't be ported: its scheme is a Python function, its rule has no program, or it does
        what JavaScript and numpy round differently.

    Examples
    --------
    >>> class Die(pf.Game):
    ...     def outcome(self, draws):
    ...         return draws.below(6) + 1
    >>> text = pf.ports.javascript(Die())
    >>> print(text[text.index("function rule") :].partition("}")[0])
    function rule(draws) {
      const v1 = draws.below(6);
      const v2 = v1 + 1;
      return v2;
    <BLANKLINE>
    """
    if not isinstance(game, Game):
        raise BadType("game", f"must be a game such as pf.Dice(), got {game!r:.60}")
    if (reason := refusal_of(game)) is not None:
        raise BadValue("game", f"must be one that can be ported, and {typed_name(game)} isn't: {reason}")
    chain = chain_of(game)
    parts = {
        "HEAD": "\n".join(f"// {line}" for line in _head(game)),
        "CHAIN": ""
        if chain is None
        else f"\n{_filled(_template('chain'), {'PREVIOUS': chain['previous']})}\n",
        "FIELDS": _listed(fields_of(game.scheme)),
        "COMMITMENTS": _listed(commitments_in(game.scheme)),
        "SCHEME": "\n".join(scheme_of(game.scheme)),
        "RULE": "\n".join(f"  {line}" for line in _rule_of(game)),
    }
    runtime = "\n\n".join(_runtime("\n".join([_template("module"), *parts.values()])))
    imports = "\n".join(_imports("\n".join([*parts.values(), runtime])))
    return _filled(_template("module"), {**parts, "RUNTIME": runtime, "IMPORTS": imports}) + "\n"


def script_of(games: Sequence[Game]) -> str:
    """Return the script of a page of games: the hashes, what ports have in common, and a constant GAMES."""
    schemes: list[Scheme] = []
    parts, entries = [], []
    for game in games:
        if game.scheme not in schemes:
            schemes.append(game.scheme)
            parts += _scheme_parts(game.scheme, len(schemes))
        entries.append(_entry(game, schemes.index(game.scheme) + 1))
    parts.append(f"const GAMES = [\n{_listed(entries, '')}\n];")
    text = "\n\n".join(parts)
    hashes = read("hashes.js").strip()
    names = ", ".join(name for of in _NOBLE.values() for name in of)
    return "\n\n".join([hashes, f"const {{ {names} }} = HASHES;", *_runtime(text), text]) + "\n"


def _scheme_parts(scheme: Scheme, at: int) -> list[str]:
    commitments = [one.replace("FIELDS[", f"FIELDS{at}[") for one in commitments_in(scheme)]
    return [
        f"const FIELDS{at} = [\n{_listed(fields_of(scheme))}\n];",
        f"const COMMITMENTS{at} = [\n{_listed(commitments)}\n];",
        "\n".join(scheme_of(scheme, str(at))),
    ]


def _program(game: Game) -> Program:
    program = program_of(game)
    if not isinstance(program, Program):
        raise RefusedError(str(program))
    return program


def _rule_of(game: Game, *, comments: bool = True) -> list[str]:
    return [*lines_of(_program(game), comments=comments)]


def _entry(game: Game, at: int) -> str:
    """Return a game's entry in GAMES."""
    settings = offered(game)
    games = [*settings.games.values()]
    rules = ["\n".join(["(draws) => {", *_rule_of(one, comments=False), "}"]) for one in games]
    chain = chain_of(game)
    refused = [(key_of(key), why) for key, why in settings.refused.items()]
    parts = {
        "AT": str(at),
        "NAME": literal(name_of(game)),
        "OPERATOR": literal(operator_of(type(game))),
        "ABOUT": literal(_about(game).replace("``", "")),
        "VERSION": literal(__version__),
        "SOURCE": literal(_source(game)),
        "PARAMETERS": ", ".join(parameter_texts(game, settings)),
        "REFUSED": f"new Map({plainly(refused)})",
        "KEY": settings.key,
        "PUBLISHED": literal(published_beside(game.scheme)),
        "CHAIN": "null" if chain is None else written(chain),
        "ORDERED": plainly(game.ordered),
        "RULE": settings.merged(rules),
        "FACTS": settings.merged([_facts(one) for one in games]),
    }
    return _filled(_template("entry"), parts)


def _head(game: Game) -> Iterator[str]:
    """Yield the lines at the head of a module, as they stand in a comment."""
    lines = [f"{typed_name(game)}: {_about(game)}", f"The rule: {_source(game)}"]
    noble = json.loads(read("hashes.json"))
    hashes = f"{noble['package']}@{noble['version']}"
    lines += [f"Made by provably_fair {__version__}; its hashes come with npm install {hashes}"]
    names = ", ".join(f"{name}: ..." for name in game.scheme.fields)
    lines += [f"Call outcome({{ {names} }}), and steps and commitments so."]
    yield from map(bare, lines)


def name_of(game: Game) -> str:
    """Return the name by which a page's links choose a game: as it is typed, or that of its class."""
    ours = type(game).__module__.partition(".")[0] == __name__.partition(".")[0]
    return game.name if ours else type(game).__name__


def _about(game: Game) -> str:
    return (inspect.getdoc(type(game)) or "").partition("\n")[0]


def _source(game: Game) -> str:
    """Return where a rule stands, as file.py:12; the name of its class if its code isn't found."""
    rule: Any = type(game).outcome
    try:
        _, line = inspect.getsourcelines(rule)
        return f"{Path(inspect.getsourcefile(rule) or '').name}:{line}"
    except (OSError, TypeError):
        return type(game).__qualname__


def _facts(game: Game) -> str:
    """Return what a picture of a game's outcomes needs to know."""
    kind = game.kind
    data: dict[str, Any] = {"kind": kind.name}
    for one in fields(kind):
        value = getattr(kind, one.name)
        if isinstance(value, _PLAIN):
            data[one.name] = value
    bounds = _program(game).bounds
    if kind.is_sample and bounds is not None:
        data.setdefault("first", bounds[0])
    if names := _names(kind):
        data["names"] = names
    data["shape"] = game.shape
    return written({name: plainly(value) for name, value in data.items()})


_PLAIN = (bool, int, float, str, tuple, type(None))


def _names(kind: Any) -> list[list[Any]]:
    """Return the names of an outcome's values: pairs of a value and its name in logs."""
    if (pack := getattr(kind, "pack", None)) is not None:
        jokers = len(pack.numbers) - pack.jokers
        return [[n, "joker" if n >= jokers else cards.name(card)] for n, card in enumerate(pack.numbers)]
    found: dict[int, str] = {}
    for name, value in kind.words.items():
        if value is not None:
            found.setdefault(value, name)
    return [[value, name] for value, name in found.items()]


# ---- texts ----


def _listed(lines: Sequence[str], blank: str = "  ") -> str:
    return "\n".join(f"{blank}{line}," for line in lines)


def _filled(text: str, parts: Mapping[str, str]) -> str:
    """Fill all places at once, so that nothing is filled into a part."""
    return re.sub("@([A-Z]+)@", lambda place: parts.get(place[1], place[0]), text)


def _template(name: str) -> str:
    """Return a text with places to fill."""
    return read("templates.txt").partition(f"==== {name}\n")[2].partition("==== ")[0].strip("\n")


@cache
def _pieces() -> dict[str, str]:
    """Return the pieces of the runtime by the names that they define."""
    pieces = read("runtime.js").split("\n\n")
    found = (re.search(r"^(?:function|class|const) (\w+)", piece, re.MULTILINE) for piece in pieces)
    return {one[1]: one.string.strip() for one in found if one is not None}


def _runtime(text: str) -> list[str]:
    """Return the pieces of the runtime that a text needs, in their order."""
    pieces, needed, left = _pieces(), set[str](), _words(text)
    while left:
        name = left.pop()
        if name in pieces and name not in needed:
            needed.add(name)
            left |= _words(pieces[name])
    return [piece for name, piece in pieces.items() if name in needed]


def _words(text: str) -> set[str]:
    """Return the names that a text of JavaScript uses, those of an object's parts left out."""
    code = re.sub(r"^ *//.*", "", text, flags=re.MULTILINE)
    return {*re.findall(r"(?<![\w.])\w+|(?<=\.\.\.)\w+", code)}


def _imports(text: str) -> Iterator[str]:
    for module, names in _NOBLE.items():
        if used := [name for name in names if re.search(rf"(?<![\w.\"]){name}\b(?!\")", text)]:
            yield f'import {{ {", ".join(used)} }} from "@noble/hashes/{module}.js";'
