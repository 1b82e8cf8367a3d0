"""Files of logs."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def write_csv(path: str | Path, columns: Mapping[str, Any]) -> Path:
    """Write columns, lists within them as JSON; a text or number is the same in all rows."""
    rows = max(len(column) for column in columns.values() if not isinstance(column, str | int | float))
    cells = [[one] * rows if isinstance(one, str | int | float) else one for one in columns.values()]
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        for row in zip(*cells, strict=True):
            writer.writerow([json.dumps(cell) if isinstance(cell, list) else cell for cell in row])
    return Path(path)
