"""Programs for the tests: they make vectors and logs, measure coverage, and check wheels and releases."""
