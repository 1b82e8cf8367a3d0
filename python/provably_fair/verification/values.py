"""What the options of a log may be, whatever the log is of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from provably_fair._core.arguments import integer

from .dialect import Dialect
from .systems.chains import MOST_STEPS
from .times import check_time_formats

_TREATMENTS = {"repeats": ("report", "fail"), "unrevealed": ("report", "fail", None)}


def check_option(name: str, value: Any) -> None:
    """Refuse a value that no log can be read by."""
    if name in _TREATMENTS:
        if value not in _TREATMENTS[name]:
            raise ValueError(f'{name} must be "report" or "fail", got {value!r}')
    elif name == "ordered":
        if not isinstance(value, bool):
            raise TypeError(f"ordered must be True or False, got {value!r:.80}")
    elif name == "chain_steps":
        integer("chain_steps", value, 0, MOST_STEPS)
    elif name == "csv":
        Dialect.read(value)
    elif name == "time_formats":
        check_time_formats(value)
    elif name == "columns" and isinstance(value, Mapping):
        for field, column in value.items():
            if not isinstance(column, str):
                raise TypeError(f"columns[{field!r}] must be a column's name, got {type(column).__name__}")
    elif name == "storage_options" and not isinstance(value, Mapping | None):
        raise TypeError(f"storage_options must be a mapping, got {type(value).__name__}")
    elif name == "seeds_by" and not isinstance(value, str | None):
        raise TypeError(f"seeds_by must be a column's name, got {type(value).__name__}")
