"""The plan of a verification: system, fields and their possible columns, options. Configuration alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from provably_fair._core.arguments import BadValue, check_type, threads_of
from provably_fair._core.mistakes import Mistakes
from provably_fair.sources import LogError, Wanted
from provably_fair.sources.dialect import Dialect

from .log import LogCall, settled
from .options import OPTIONS
from .seed_table import SeedTable
from .systems import SECRETS, Field, System, named_column

_ADDED = re.compile(r"(.+?) *([+-]) *([0-9]{1,18})")


@dataclass(frozen=True, eq=False)
class Plan:
    """A plan: how a log is verified."""

    system: System
    fields: Mapping[str, Field]  # the fields of the system and others that are read, by name
    given: Mapping[str, str]  # the columns that the caller named, by field
    constants: Mapping[str, Any]
    words: Mapping[str, Mapping[str, Any]]  # the meanings that the caller gave to words, by field
    # Possible names of each field's column; the first that a log has is used
    candidates: Mapping[str, list[str]]
    seeds: SeedTable | None = None
    secrets: tuple[str, ...] = ()  # fields without which a row can't be checked yet
    csv: Dialect = field(default_factory=Dialect)
    time_formats: Mapping[str, str] = field(default_factory=dict)
    storage: Mapping[str, Any] | None = None
    threads: int | None = None
    chain_steps: int = 0
    repeats_fail: bool = False
    ordered: bool = False
    # The config's description of the log, for readers of the report
    about: Mapping[str, str] = field(default_factory=dict)
    keep: tuple[str, ...] = ()  # columns whose cells are shown with each failure
    inputs: tuple[Path, ...] = ()  # files on disk that are read besides those of the log

    @cached_property
    def added(self) -> dict[str, tuple[str, int]]:
        """The column, and the number that is added to it, of each field that was given as "n - 1"."""
        return {name: found for name, column in self.given.items() if (found := added_to(column))}

    @property
    def wanted_columns(self) -> Wanted:
        """The columns that a log may have."""
        names = {name for names in self.candidates.values() for name in names}
        names |= {column for column, _ in self.added.values()}
        names |= set() if self.seeds is None else set(self.seeds.names)
        return Wanted({*names, *self.keep}, self.csv, self.storage)


def plan_of(
    asked: LogCall, system: System | None = None, threads: int | None = None, also: Iterable[Field] = ()
) -> Plan:
    """Return the plan of a log; `also` are fields besides those of its system."""
    system = asked.system if system is None else system
    options = asked.options
    mistakes = Mistakes()
    for name, value in options.items():
        if value is not OPTIONS[name].default:
            with mistakes.of(name):
                OPTIONS[name].check(value)
    fields = {field.name: field for field in (*also, *system.fields)}
    given: dict[str, Any] = {}
    constants: dict[str, Any] = {}
    words: dict[str, Mapping[str, Any]] = {}
    with mistakes.of("columns"):
        given = _by_field("columns", named_column(options["columns"], options["game_column"]), fields)
    with mistakes.of("constants"):
        constants, words = _constants(system, fields, options["constants"])
    mistakes.tell()
    own = {field.name for field in system.fields}
    for name, value in constants.items():
        if name not in own and value in (None, ""):  # that a log has no stakes or payouts must be said
            constants[name] = ""
            del fields[name]
    csv, storage = Dialect.read(options["csv"]), options["storage_options"]
    candidates = _candidates(fields, given, constants)
    seeds, by, keep = options["seeds"], options["seeds_by"], options["keep"]
    table = None
    if seeds is not None:
        table = SeedTable(seeds, fields, candidates, Wanted((), csv, storage), by)
    elif by is not None:
        raise BadValue("seeds_by", "isn't supported without a table of seeds")
    reported = (options["unrevealed"] or ("fail" if seeds is None else "report")) == "report"
    return Plan(
        system,
        fields,
        given,
        constants,
        words,
        candidates,
        table,
        tuple(name for name in SECRETS if name in fields) if reported else (),
        csv,
        dict(options["time_formats"] or {}),
        storage,
        threads,
        int(options["chain_steps"]),
        options["repeats"] == "fail",
        options["ordered"],
        asked.about,
        (keep,) if isinstance(keep, str) else tuple(dict.fromkeys(keep or ())),
        tuple(asked.inputs),
    )


def planned(log: object, game: object, options: Mapping[str, Any], threads: object) -> tuple[Any, Plan]:
    """Return the log and the plan of a call."""
    asked = settled(log, game, options)
    with asked.naming_config():
        return asked.source, plan_of(asked, threads=threads_of(threads))


def added_to(column: str) -> tuple[str, int] | None:
    """Return the column and the number that a text such as "n - 1" adds to it; None of other texts."""
    found = _ADDED.fullmatch(column)
    return None if found is None else (found[1], int(found[2] + found[3]))


def _candidates(
    fields: Mapping[str, Field], given: Mapping[str, str], constants: Mapping[str, Any]
) -> dict[str, list[str]]:
    """Return the possible columns of each field."""
    taken = set(given.values())
    found: dict[str, list[str]] = {}
    for name, one in fields.items():
        if name in given:
            found[name] = [given[name]]
        elif name not in constants:
            # A column that was given for one field isn't also used for the field of its name.
            found[name] = [called for called in (*one.names, *one.aliases) if called not in taken]
    return found


def _constants(
    system: System, fields: dict[str, Field], constants: Any
) -> tuple[dict[str, Any], dict[str, Mapping[str, Any]]]:
    """Return constants by field, and mappings of words, which extend the words of their fields."""
    found: dict[str, Any] = {}
    words: dict[str, Mapping[str, Any]] = {}
    for name, value in _by_field("constants", constants, fields).items():
        if fields[name].words is not None and isinstance(value, Mapping):
            fields[name] = fields[name].with_words(value)
            words[name] = dict(value)
            continue
        try:
            found[name] = system.constant(name, value)
        except (TypeError, ValueError) as error:
            raise LogError(f"column {name!r:.80}: {error}", subject="log") from None
    return found, words


def _by_field(
    argument: str, mapping: Mapping[str, object] | None, fields: Mapping[str, Field]
) -> dict[str, Any]:
    """Return an argument by the fields' own names, checked."""
    mapping = {} if mapping is None else mapping
    check_type(argument, mapping, Mapping, "a mapping of fields")
    known = {name: field for field in fields.values() for name in field.names}
    if unknown := [repr(name) for name in mapping if name not in known]:
        raise BadValue(argument, f"may name the fields {', '.join(known)}, got {', '.join(unknown):.200}")
    found: dict[str, Any] = {}
    for name, value in mapping.items():
        field = known[name]
        if field.name in found:
            both = " and ".join(map(repr, field.names))
            raise BadValue(argument, f"must name a field once: {both} are the same one")
        found[field.name] = value
    return found
