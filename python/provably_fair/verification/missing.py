"""Errors about missing columns, with the log's columns and likely matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from provably_fair._core.printable import decoded, listed, plain
from provably_fair.names import known_names
from provably_fair.sources import Batch, LogError, MissingColumnError, Option
from provably_fair.sources.foreign import cells_of, is_empty

from .likely import by_likeness, likely_columns, likely_name, names_seed, words
from .plan import Plan
from .systems import COMMITMENT, FIELD, GAME, SECRETS, Field, system_of
from .systems.chains import GAME_HASH

Parts = list[str | Option]

_MONEY: dict[str, object] = {"stake": 1, "payout": None}
_SAYS = {"stake": "that all stakes are 1", "payout": "that there are no payouts"}
"""The constants by which a log may lack amounts, and what they say."""


class _Guess(NamedTuple):
    """Likely columns of missing fields."""

    likely: dict[str, str]  # columns by field, optional fields included
    free: list[str]  # unused columns
    others: list[str]  # optional fields that no column is named for


def missing_columns(
    plan: Plan, missing: Sequence[str], batch: Batch, called: Mapping[str, str | None], max_message: int
) -> MissingColumnError:
    """Return the error of a batch that lacks fields; `called` has the columns of the others."""
    names = [plain((plan.candidates[name] or plan.fields[name].names)[0], 60) for name in missing]
    read = {plan.given[name]: f" (it is read as {name})" for name in plan.given}
    lacking = (repr(name) + read.get(name, "") * (name in batch.names) for name in names)
    said: Parts = [f"no column {', '.join(lacking)}"]
    if not batch.names:
        return MissingColumnError(*said, "; there are no columns at all", columns=tuple(missing))
    guess = _guessed(plan, missing, batch, called)
    # Likely columns come first, since there may not be room for all.
    there, free = by_likeness(missing, guess.free), {*guess.free}
    there += [name for name in batch.names if name not in free]
    own = {field.name for field in plan.system.fields} & {*missing}
    hints = None if own <= guess.likely.keys() else _better_game(plan, batch)
    if hints is None:
        hints = _hints(plan, missing, batch, guess, max_message - len(str(said[0])))
    return MissingColumnError(*_within(max_message, said, batch.names, there, hints), columns=tuple(missing))


def missing_kept(plan: Plan, batch: Batch, max_message: int) -> LogError:
    """Return the error of a batch that lacks columns which were to be kept."""
    missing = [name for name in plan.keep if name not in batch.columns]
    said: Parts = [f"no column {', '.join(repr(plain(name, 60)) for name in missing)} to keep"]
    meant = [name if name in batch.names else likely_name(name, batch.names) for name in plan.keep]
    hints: Parts = [] if None in meant else ["; did you mean ", Option("keep", meant), "?"]
    return LogError(
        *_within(max_message, said, batch.names, by_likeness(missing, batch.names), hints),
        argument="keep",
        kind="columns",
    )


def _guessed(plan: Plan, missing: Sequence[str], batch: Batch, called: Mapping[str, str | None]) -> _Guess:
    """Guess the columns of missing fields by their names."""
    taken = {
        column
        for name, column in called.items()
        if column and name not in missing and not _is_mistaken(plan, name, column, batch)
    }
    taken |= set(plan.given.values())
    open_ = (name for name in dict.fromkeys(batch.names) if name not in taken)
    free = [name for name in open_ if not batch.holds_objects(name)]
    likely = {
        name: found
        for name in missing
        if name in plan.given and (found := likely_name(plan.given[name], free)) is not None
    }
    others = [
        name
        for name, field in plan.fields.items()
        if name not in (*missing, *plan.given, *plan.constants)
        and called.get(name) not in taken
        and not any(column in batch.names for column in field.names)
    ]
    unnamed = [name for name in missing if name not in likely]
    likely |= likely_columns(unnamed, others, [name for name in free if name not in likely.values()])
    return _Guess(likely, free, others)


def _hints(plan: Plan, missing: Sequence[str], batch: Batch, guess: _Guess, room: int) -> Parts:
    """Return hints: likely columns, and the options that name them."""
    likely = guess.likely
    # One missing field, one unused column: assume that they belong together.
    lost = [name for name in missing if name not in likely]
    left = [name for name in guess.free if name not in [likely.get(needed) for needed in missing]]
    left = [name for name in left if not names_seed(name)]
    if len(lost) == len(left) == 1:
        likely = {name: column for name, column in likely.items() if column != left[0]}
        likely[lost[0]] = left[0]
    hints: Parts = []
    if any(name in likely for name in missing):
        whole = {**plan.given} | {name: likely[name] for name in (*missing, *guess.others) if name in likely}
        named = whole.pop(GAME, None) if GAME in plan.given else None  # by an option of its own
        hints = ["; did you mean "]
        if named is not None and GAME in missing:
            hints += [Option("game_column", named), ", " if whole else ""]
        if whole:
            hints.append(Option("columns", _copied(whole, plan.fields, room - 60)))
        hints.append("?")
        paid = {*words(likely.get("payout", ""))}
        if {"profit", "net"} & paid:
            hints.append(" (a payout includes the stake)")
        elif "multiplier" in paid:
            hints.append(" (a payout is an amount: the stake times a multiplier)")
    unknown = [
        plan.fields[name].names[0] for name in missing if name not in likely and name not in plan.given
    ]
    if unknown:
        it = "it is" if len(unknown) == 1 else "they are"
        hints += [" " if hints else "; ", Option("columns", dict.fromkeys(unknown, ...))]
        hints.append(f" says how {it} called there")
    published = {COMMITMENT} & plan.fields.keys()
    elsewhere = likely_columns((), published, batch.names) or any(map(names_seed, batch.names))
    if plan.seeds is None and any(name in SECRETS for name in unknown) and elsewhere:
        hints += [", ", Option("seeds", ...), " where a table of seeds is"]
    elif constant := [name for name in unknown if name != FIELD and name not in _MONEY]:
        hints += [", ", Option("constants", dict.fromkeys(constant, ...))]
        hints.append(" what is the same in all rows")
    if money := [name for name in missing if name in _MONEY]:
        said = " and ".join(_SAYS[name] for name in money)
        hints += ["; ", Option("constants", {name: _MONEY[name] for name in money}), f" says {said}"]
    if GAME_HASH in unknown:
        hints.append("; locate places outcomes without hashes")
    return hints


def _is_mistaken(plan: Plan, name: str, column: str, batch: Batch) -> bool:
    """Whether a column named like a parameter, such as mines, holds outcomes instead of numbers."""
    field = plan.fields[name]
    if not field.number or field.needed or name in plan.given or column not in batch.columns:
        return False
    first = next((one for one in cells_of(batch.columns[column], batch.rows) if not is_empty(one)), 0)
    text = decoded(first)
    return not isinstance(text, int | float | np.number) and not str(text).strip().isdecimal()


def _better_game(plan: Plan, batch: Batch) -> Parts | None:
    """Suggest a game of the same name whose columns a batch has; None if there is none."""
    base, _, parameters = plan.system.name.partition(":")
    fits: dict[str, tuple[str, dict[str, str]]] = {}
    for name in known_names():
        if name == base or name.rpartition(".")[2] != base.rpartition(".")[2]:
            continue
        try:
            other = system_of(f"{name}:{parameters}" if parameters else name)
        except ValueError:  # the game of that name has no such parameters
            other = system_of(name)
        fields = {field.name: field for field in other.fields}
        found = likely_columns((), fields, batch.names)
        if all(field.name in found for field in other.fields if field.needed):
            new = next((name for name in found if fields[name].needed and name not in plan.fields), "")
            named = {
                name: column
                for name, column in found.items()
                if column not in (*fields[name].names, *fields[name].aliases)
            }
            fits.setdefault(other.name, (new, named))
    if not fits:
        return None
    (name, (field, named)), *more = fits.items()
    words = f"a log with {field.replace('_', ' ')}{'es' if field.endswith('h') else 's'}: " if field else ""
    hint: Parts = [f"; {words}did you mean {name}"]
    if named:
        hint += [" with ", Option("columns", named)]
    rest = f" ({', '.join(other for other, _ in more[:3])} would fit as well)" if more else ""
    return [*hint, f"?{rest}"]


def _copied(columns: Mapping[str, str], fields: Mapping[str, Field], room: int) -> dict[str, str]:
    """Return columns by field, with the fields' usual names, up to a length of `room`."""
    kept: dict[str, str] = {}
    for name, column in columns.items():
        room -= len(name) + len(column) + 14  # the length of an option of the command
        if room >= 0 or not kept:
            kept[fields[name].names[0]] = column
    return kept


def _within(
    max_message: int,
    said: Parts,
    names: Sequence[str],
    first: Sequence[str],
    hints: Parts,
) -> Parts:
    """Return a message that lists as many of a log's columns as there is room for."""
    spelled = sum(len(str(part)) + 9 * isinstance(part, Option) for part in (*said, *hints))
    for most in range(min(len(names), 30), 0, -1):
        there = f"; the columns there are {listed(names if most == len(names) else first, most)}"
        if spelled + len(there) <= max_message:
            return [*said, there, *hints]
    return [*said, f"; there are {len(names):,} columns", *hints]
