"""A pytest file of separating rounds, with one function to replace by a port.

Names, parameters and rounds may be anybody's text. They are written as literals and nowhere else: no code,
docstring or comment is made of them.
"""

from __future__ import annotations

import inspect
import json
import re
from ast import literal_eval
from collections.abc import Sequence
from dataclasses import fields
from pkgutil import resolve_name
from typing import Any

from provably_fair import operators
from provably_fair.games import Game
from provably_fair.games.naming import has_own_scheme, operator_of

_TEXT = '''\
"""Rounds of a game that other readings of its rule get wrong.

A port that gets all of these rounds right doesn't follow any of the readings that they exclude.

    pytest THIS_FILE
    pytest THIS_FILE --program "node port.mjs"

The first line tests the function `outcome`, which is to be replaced by a port. The second tests a program,
and needs the plugin of provably_fair. The program is started once. It reads a JSON object from each line of
its standard input, the seeds of a round, and prints a line for each: the outcome as JSON, or null if it
can't play the round.
"""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Sequence
from typing import Any

import pytest

TITLE = @TITLE@
FIELDS = @FIELDS@


def outcome(**seeds):
    """Return the outcome of a round: put your port here.

    The seeds are those of `FIELDS`@DIGESTS@.
    """
@BODY@


VECTORS = json.loads(
@VECTORS@
)
ROUNDS = VECTORS["rounds"]

# The outcomes of each reading, in the order of the rounds; null for a round that it can't play
OUTCOMES = json.loads(
@OUTCOMES@
)


def seeds_of(one):
    return one["fields"] if "fields" in one else {"digests": one["digests"]}


def printed_by(program):
    """Return the outcomes that a program prints."""
    lines = "".join(json.dumps(seeds_of(one)) + "\\n" for one in ROUNDS)
    done = subprocess.run(
        shlex.split(program), input=lines, capture_output=True, encoding="utf-8", timeout=600, check=False
    )
    printed = done.stdout.splitlines()
    if done.returncode or len(printed) != len(ROUNDS):
        pytest.fail(
            f"the program ended with code {done.returncode} and printed {len(printed)} lines, "
            f"one for each of {len(ROUNDS)} rounds is needed\\n{done.stderr}"
        )
    return [NotImplemented if line == "null" else json.loads(line) for line in printed]


def returned(one):
    """Return what `outcome` makes of a round, or the error that it raises; arrays and tuples become lists."""
    try:
        got = outcome(**seeds_of(one))
        if got is NotImplemented:
            return got
        return json.loads(json.dumps(got, default=lambda value: value.tolist()))
    except Exception as error:
        return error


@pytest.fixture(scope="module")
def results(request):
    program = request.config.getoption("--program", None)
    return list(map(returned, ROUNDS)) if program is None else printed_by(program)


@MISTAKES@

@pytest.fixture(scope="module")
def mistake(results):
    numbers = mistakes(results, [one["outcome"] for one in ROUNDS], OUTCOMES)
    return mistake_in_words([VECTORS["readings"][number] for number in numbers], len(OUTCOMES))


@pytest.mark.parametrize("place", range(len(ROUNDS)))
def test_round(place, results, mistake):
    one, got = ROUNDS[place], results[place]
    if isinstance(got, Exception):
        got.add_note(mistake)
        raise got
    if got is NotImplemented and "fields" not in one:
        pytest.skip("the port can't begin at digests")
    if got != one["outcome"]:
        pytest.fail(
            f"{mistake}\\nmust give {one['outcome']}, got {got}\\n"
            f"{json.dumps(seeds_of(one), ensure_ascii=False)}\\n"
            f"draws (range and result): {one['draws']}",
            pytrace=False,
        )
'''
_PLAYED = """\
    from pkgutil import resolve_name

@IMPORT@    from provably_fair.readings import play_round

    game = resolve_name(@NAME@)(**@GIVEN@)
    return play_round(@GAME@, seeds)"""
_IMPORT, _UNDER = (
    "    from provably_fair import Scheme\n",
    'game.with_scheme(Scheme.from_dict(VECTORS["scheme"]))',
)
_MISSING = """\
    raise NotImplementedError("put your port here: the game of these rounds can't be imported")"""
_DIGESTS = """.
    Some rounds begin at their digests instead, a list of hex, `digests`: no seeds of such a round are known.
    A port that can't begin there returns NotImplemented, and the round is skipped"""


# The file has the two functions below as they are written here, so they use nothing from elsewhere.


def mistakes(answers: Sequence[Any], right: Sequence[Any], outcomes: Sequence[Sequence[Any]]) -> list[int]:
    """Return the numbers of the readings that give all answers of a port, of which some are wrong.

    An error and NotImplemented are no answers. An outcome of None agrees with any, but a reading has to play
    half of the rounds that the port gets wrong; those that play the most of them are returned.
    """
    given = [
        (place, got, got != must)
        for place, (got, must) in enumerate(zip(answers, right, strict=True))
        if not (got is NotImplemented or isinstance(got, Exception))
    ]
    played = {}
    for number, row in enumerate(outcomes):
        if all(row[place] is None or row[place] == got for place, got, _ in given):
            played[number] = sum(wrong and row[place] is not None for place, _, wrong in given)
    most = max(played.values(), default=0)
    if 2 * most < max(1, sum(wrong for _, _, wrong in given)):
        return []
    return [number for number, count in played.items() if count == most]


def mistake_in_words(names: Sequence[str], tried: int) -> str:
    """Return two lines: the readings that give what a port gives, and how many others don't."""
    if not names:
        return f"mistake: unknown\nnone of {tried} readings gives all outcomes of the port"
    # "Words of 8 bytes" makes "words of 8 bytes, ..." superfluous.
    shown = [name for name in names if not any(name.startswith(f"{other}, ") for other in names)]
    which = "this reading gives" if len(shown) == 1 else "each of these readings gives"
    others = f"{tried - len(names)} others don't"
    return f"mistake: {'; or: '.join(shown)}\n{which} all outcomes of the port, {others}"


def text_of_test(vectors: str, outcomes: Sequence[Sequence[Any]], title: str, game: Game) -> str:
    """Return a test file for rounds in JSON; it tests the game itself until a port takes its place."""
    data = json.loads(vectors)
    seeds = dict.fromkeys(name for one in data["rounds"] for name in one.get("fields", ()))
    by_hand = any("fields" not in one for one in data["rounds"])
    parts = {
        "TITLE": ascii(title),
        "FIELDS": ascii([*seeds]),
        "BODY": _port_of(game),
        "DIGESTS": _DIGESTS if by_hand else "",
        "VECTORS": _literal(vectors),
        "OUTCOMES": _literal("[" + ",\n".join(map(json.dumps, outcomes)) + "]"),
        "MISTAKES": "\n\n".join(inspect.getsource(one) for one in (mistakes, mistake_in_words)),
    }
    return _filled(_TEXT, parts)


def _literal(text: str) -> str:
    """Return lines of Python that are a text, one for each of its lines."""
    return "\n".join(f"    {line + chr(10)!a}" for line in text.split("\n"))


def _filled(text: str, parts: dict[str, str]) -> str:
    """Fill all places at once, so that nothing is filled into a part."""
    return re.sub("@([A-Z]+)@", lambda place: parts[place[1]], text)


def _port_of(game: Game) -> str:
    """Return lines that play a game, or lines that raise if another process couldn't create it."""
    kind, own = type(game), has_own_scheme(game)
    module = kind.__module__
    if operator := operator_of(kind):  # imported from its room, whatever the file
        module = f"{operators.__name__}.{operator}"
    name = f"{module}:{kind.__qualname__}"
    given = {}
    try:
        importable = module != "__main__" and resolve_name(name) is kind
        for one in fields(game):
            value = getattr(game, one.name)
            if one.init and value != one.default:
                # Values survive only if their repr evaluates to themselves.
                given[one.name] = literal_eval(repr(value))
                importable = importable and given[one.name] == value
    except Exception:  # a class, and the repr of a value, may be anybody's code
        importable = False
    if not importable or not (own or game.scheme.function is None):
        return _MISSING
    under = {"IMPORT": "", "GAME": "game"} if own else {"IMPORT": _IMPORT, "GAME": _UNDER}
    return _filled(_PLAYED, {"NAME": ascii(name), "GIVEN": ascii(given), **under})
