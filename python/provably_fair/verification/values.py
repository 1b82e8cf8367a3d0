"""What the options of a log may be, whatever the log is of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from provably_fair._core.arguments import BadType, BadValue, check_type, integer

from .dialect import Dialect
from .systems.chains import MOST_STEPS
from .times import check_time_formats

_TREATMENTS = {"repeats": ("report", "fail"), "unrevealed": ("report", "fail", None)}


def check_option(name: str, value: Any) -> None:
    """Refuse a value that no log can be read by."""
    if name in _TREATMENTS:
        if value not in _TREATMENTS[name]:
            raise BadValue(name, f'must be "report" or "fail", got {value!r}')
    elif name == "ordered":
        if not isinstance(value, bool):
            raise BadType("ordered", f"must be True or False, got {value!r:.80}")
    elif name == "chain_steps":
        integer("chain_steps", value, 0, MOST_STEPS)
    elif name == "csv":
        Dialect.read(value)
    elif name == "time_formats":
        check_time_formats(value)
    elif name == "columns" and isinstance(value, Mapping):
        for field, column in value.items():
            check_type("columns", column, str, "a column's name", index=field)
    elif name == "storage_options":
        check_type("storage_options", value, Mapping | None, "a mapping")
    elif name == "seeds_by":
        check_type("seeds_by", value, str | None, "a column's name")
