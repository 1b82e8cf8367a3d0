"""The settings of a game's parameters that a page offers, and texts of JavaScript for all of them in one.

A text is made for each setting. Texts that differ only in numbers, strings and lists of numbers become one,
in which `p.mines` or a table stands for what differs: nothing is concluded for a setting that wasn't tried.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import Field, fields
from math import prod
from typing import Any, NamedTuple

from provably_fair.games import Game, Program, program_of
from provably_fair.games.parameters import changed, choices_of, parameters_of
from provably_fair.seeds.schemes import published_beside

from .expressions import RefusedError, lines_of, literal
from .systems import plainly, written

_MOST_VALUES, _MOST_SETTINGS = 50, 400
"""The most values of a parameter, and the most settings of a game, that a page offers."""

_MOST_TEXT = 24_000
"""The most characters of the different programs of a parameter's values; with more, it can't be chosen."""

_NUMBER = r"-?\d[\w.]*(?:(?<=e)[+-]\d+)?"
_LITERALS = re.compile(
    r'"(?:[^"\\]|\\.)*"'  # a text
    rf"|(?<![\w\])])\[(?:{_NUMBER}(?:, {_NUMBER})*)?\]"  # a list of numbers
    rf"|(?<![\w.$]){_NUMBER}"
)


class Settings(NamedTuple):
    """The games of all settings of a game, by the values of the parameters that may be chosen."""

    names: tuple[str, ...]
    games: Mapping[tuple[Any, ...], Game]
    refused: Mapping[tuple[Any, ...], str]  # why values don't go together

    def merged(self, texts: Sequence[str]) -> str:
        """Return one expression of the parameters, `p`, for the texts of all settings."""
        groups: dict[tuple[str, ...], list[int]] = {}
        for place, text in enumerate(texts):
            groups.setdefault(tuple(_LITERALS.split(text)), []).append(place)
        found = [
            self._joined(skeleton, [(place, texts[place]) for place in places])
            for skeleton, places in groups.items()
        ]
        if len(found) == 1:
            return found[0]
        which = [literal(number) for number, places in enumerate(groups.values()) for _ in places]
        order = [place for places in groups.values() for place in places]
        chosen = self._chosen([(place, which[rank]) for rank, place in enumerate(order)])
        return f"[{', '.join(f'() => ({text})' for text in found)}][{chosen}]()"

    def _joined(self, skeleton: tuple[str, ...], texts: list[tuple[int, str]]) -> str:
        rows = [(place, _LITERALS.findall(text)) for place, text in texts]
        parts = [skeleton[0]]
        for column, rest in enumerate(skeleton[1:]):
            parts += [self._chosen([(place, row[column]) for place, row in rows]), rest]
        return "".join(parts)

    def _chosen(self, values: list[tuple[int, str]]) -> str:
        """Return an expression for a literal that differs by setting."""
        if len({value for _, value in values}) == 1:
            return values[0][1]
        keys = [*self.games]
        for which, name in enumerate(self.names):
            of = [(keys[place][which], value) for place, value in values]
            if all(isinstance(key, int) and re.fullmatch(r"\d+", value) for key, value in of):
                apart = {int(value) - key for key, value in of}
                if len(apart) == 1:
                    (more,) = apart
                    return f"(p.{name} {'-' if more < 0 else '+'} {abs(more)})" if more else f"p.{name}"
        for which, name in enumerate(self.names):
            table = {keys[place][which]: value for place, value in values}
            if all(table[keys[place][which]] == value for place, value in values):
                return f"{_table(table)}[p.{name}]"
        table = {key_of(keys[place]): value for place, value in values}
        return f"{_table(table)}[{self.key}]"

    @property
    def key(self) -> str:
        """The expression of a setting's key in tables."""
        return f"keyOf({', '.join(f'p.{name}' for name in self.names)})"


def key_of(setting: Sequence[Any]) -> str:
    """Return a setting's key in tables, as `keyOf` in the runtime: another one for each setting."""
    return "|".join(re.sub(r"[\\|]", r"\\\g<0>", str(value)) for value in setting)


def _table(values: Mapping[Any, str]) -> str:
    # In brackets, a key is a text of any kind, "__proto__" too.
    return f"({{ {', '.join(f'[{literal(str(key))}]: {value}' for key, value in values.items())} }})"


def offered(game: Game) -> Settings:
    """Return the settings that a page offers."""
    # A form has one control of a name: the field's comes first.
    taken = {*game.scheme.fields, *published_beside(game.scheme)}
    values = {one.name: _values(game, one) for one in fields(game) if one.name not in taken}
    chosen = {name: of for name, of in values.items() if len(of) > 1 and _is_offered(game, name, of)}
    while prod(map(len, chosen.values())) > _MOST_SETTINGS:
        del chosen[max(chosen, key=lambda name: len(chosen[name]))]
    games, refused = {}, {}
    for setting in itertools.product(*chosen.values()):
        made = _made(game, dict(zip(chosen, setting, strict=True)))
        if isinstance(made, Game):
            games[setting] = made
        else:
            refused[setting] = made
    return Settings(tuple(chosen), games, refused)


def _is_offered(game: Game, name: str, values: Sequence[Any]) -> bool:
    """Return whether a parameter may be chosen: the programs of its values are short, and can be ported."""
    apart: dict[Any, int] = {}
    for value in values:
        made = _made(game, {name: value})
        program = program_of(made) if isinstance(made, Game) else None
        if program is None:
            continue
        try:
            text = "\n".join(lines_of(program, comments=False)) if isinstance(program, Program) else ""
        except RefusedError:
            return False
        apart[tuple(_LITERALS.split(text))] = len(text)
        if not text or (len(apart) > 1 and sum(apart.values()) > _MOST_TEXT):
            return False
    return True


def _values(game: Game, one: Field[Any]) -> list[Any]:
    """Return the values of a parameter that are offered: all, or the first ones and the game's own."""
    own = getattr(game, one.name)
    if (known := choices_of(game).get(one.name)) is not None:
        return [*known]
    if (limits := parameters_of(game).get(one.name)) is None:
        return [own]
    last = min(limits.most, limits.least + _MOST_VALUES - 1)
    values = sorted({*range(limits.least, last + 1), own})
    return values if values[0] > -(2**53) and values[-1] < 2**53 else [own]


def _made(game: Game, values: Mapping[str, Any]) -> Game | str:
    """Return a game with other parameters, or why there is none."""
    try:
        made = changed(game, **values)
    except ValueError as error:
        return str(error)
    return made if made.scheme == game.scheme else "has another scheme"


def parameter_texts(game: Game, settings: Settings) -> list[str]:
    """Return the parameters of a game as objects of JavaScript."""
    texts = []
    for one in fields(game):
        own = getattr(game, one.name)
        fixed = one.name not in settings.names
        data: dict[str, Any] = {"name": one.name, "label": one.name.replace("_", " ")}
        is_exact = isinstance(own, float | str) or (type(own) is int and abs(own) < 2**53)
        data["default"] = own if is_exact else repr(own)
        data |= {"least": None, "most": None, "choices": None, "fixed": fixed}
        if not fixed:
            values = _values(game, one)
            if one.name in parameters_of(game) and len(values) == values[-1] - values[0] + 1:
                data |= {"least": values[0], "most": values[-1]}
            else:
                data["choices"] = values
        texts.append(written({name: plainly(value) for name, value in data.items()}))
    return texts
