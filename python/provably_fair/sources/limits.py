"""Sizes of reads and batches, and the longest line."""

BATCH = 1 << 17
"""Rows of a batch: enough to work in bulk, few enough to stay in the caches and out of the way."""

JSON_BATCH = 1 << 14
"""Rows of a batch of JSON lines."""

FETCHED = 1 << 13
"""Rows fetched from a database at a time; each is one object or more."""

BLOCK = 1 << 20
"""Bytes of a file read at a time."""

PART = 1 << 14
"""Bytes decompressed at a time: no more are lost where a file breaks off, or a block of its compression."""

CSV_BLOCK = 1 << 22
"""Bytes of CSV whose rows are a batch: enough to work in bulk."""

REMOTE_BLOCK = 1 << 22
"""Bytes requested of a remote file at a time; each request is a round trip."""

BLOCKS_KEPT = 16
"""Blocks of a columnar file that are cached, and as many that are read ahead."""

BLOCKS_AHEAD = 4
"""Blocks of a columnar file that may wait to be hashed."""

SMALL_FILE = 1 << 25
"""The largest columnar file that is read as a whole, in bytes."""

LONGEST_LINE = 1 << 24
"""The longest row, in bytes."""

BATCHES_AHEAD = 3
"""Batches that are read ahead."""

PATIENCE = 5
"""Seconds to wait for reading to stop: far more than for a block of a file; a pipe may block forever."""

SHOWN = 200
"""Characters kept of an unreadable line."""
