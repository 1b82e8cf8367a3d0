"""How much is read at a time, and how long a line may be."""

BATCH = 1 << 15
"""Rows of a batch: enough to work in bulk, few enough to stay in the caches and out of the way."""

JSON_BATCH = 1 << 14
"""Rows of a batch of JSON lines."""

BLOCK = 1 << 20
"""Bytes of a file that are read at a time."""

LONGEST_LINE = 1 << 24
"""Bytes of a row, at most."""
