"""Fixtures of tests of logs."""

from __future__ import annotations

import pytest


@pytest.fixture
def limits(monkeypatch):
    """Change how much is read at a time, by the names in `provably_fair.sources.limits`."""

    def change(**sizes):
        for name, size in sizes.items():
            monkeypatch.setattr(f"provably_fair.sources.limits.{name}", size)

    return change
