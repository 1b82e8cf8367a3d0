"""How much is read at a time, and how long a line may be."""

BATCH = 1 << 16
"""Rows of a batch: enough to work in bulk, few enough to stay in the caches and out of the way."""

JSON_BATCH = 1 << 14
"""Rows of a batch of JSON lines."""

FETCHED = 1 << 13
"""Rows that are fetched of a database at a time: each of them is an object or more."""

BLOCK = 1 << 20
"""Bytes of a file that are read at a time."""

CSV_BLOCK = 1 << 22
"""Bytes of CSV whose rows are a batch: enough to work in bulk."""

REMOTE_BLOCK = 1 << 22
"""Bytes that are asked for at a time of a file elsewhere: each time is a message and its answer."""

BLOCKS_KEPT = 16
"""Blocks of a file of columns that are kept for the next read, and as many read before their turn."""

BLOCKS_AHEAD = 4
"""Blocks of a file of columns that are read before they are hashed."""

SMALL_FILE = 1 << 25
"""Bytes of a file of columns that is read as a whole."""

LONGEST_LINE = 1 << 24
"""Bytes of a row, at most."""

BATCHES_AHEAD = 3
"""Batches that are read before they are asked for."""

PATIENCE = 5
"""Seconds that reading may take to stop: a block of a file is far less, a pipe may never bring another."""

SHOWN = 200
"""Characters of a line that can't be read, at most."""
