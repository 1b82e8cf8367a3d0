"""Programs beside the tests: they make vectors and logs, measure coverage, check wheels and releases."""
