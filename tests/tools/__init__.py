"""Tools for the tests: programs that make vectors and logs, and check wheels and releases."""
