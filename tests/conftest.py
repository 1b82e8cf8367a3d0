"""Settings every test shares."""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec

import pytest
from folders import VECTORS
from hypothesis import settings
from oracles import documents

# Left out, rather than skipped, where a run hasn't what it takes: mypy comes with `make lint`, and the
# documents aren't part of the project.
collect_ignore = [] if find_spec("mypy") else ["test_types.py"]


def pytest_collection_modifyitems(config, items):
    if not documents.SALTED_ROUNDS.exists():
        without = [item for item in items if item.get_closest_marker("documents")]
        config.hook.pytest_deselected(items=without)
        items[:] = [item for item in items if item not in without]


RECURSION_LIMIT = sys.getrecursionlimit()

# The same examples every time, and no clock: a slow machine must not fail a test.
settings.register_profile("steady", derandomize=True, deadline=None)
settings.load_profile("steady")


@pytest.fixture(scope="session")
def vectors():
    """Read one vector file by its name."""

    def read(name: str):
        return json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))

    return read


@pytest.fixture(scope="session")
def every_room():
    """For tests of all rooms: one of them needs Dask, which not every Python has a wheel of."""
    pytest.importorskip("provably_fair.dask", exc_type=ImportError)


@pytest.fixture(autouse=True)
def no_figures_left():
    """Close what a test drew: pyplot keeps every figure, and warns of many."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture(autouse=True)
def usual_recursion_limit():
    """Take back what py_ecc raises on import: text that is nested deeply would end the process then."""
    sys.setrecursionlimit(RECURSION_LIMIT)
    yield
    sys.setrecursionlimit(RECURSION_LIMIT)
