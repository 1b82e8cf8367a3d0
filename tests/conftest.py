"""Settings and fixtures shared by all tests."""

from __future__ import annotations

import gc
import json
import sys
from collections import Counter
from importlib.util import find_spec

import pytest
from folders import VECTORS
from hypothesis import settings
from oracles import documents

# Ignored rather than skipped where their requirements are missing: mypy is installed by `make lint`, and the
# documents aren't part of the project.
collect_ignore = [] if find_spec("mypy") else ["test_types.py"]


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Leave the tests, 100 MB of objects, to no collection of garbage: it took a fifth of all time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    seen = Counter()
    for item in items:
        if sys.maxsize < 2**32 and (mark := item.get_closest_marker("needs_64_bits")):
            item.add_marker(pytest.mark.skip(reason=f"needs 64 bits: {mark.args[0]}"))
        if mark := item.get_closest_marker("one_case_in"):
            test = item.nodeid.partition("[")[0]
            if seen[test] % mark.args[0]:
                item.add_marker(pytest.mark.thorough)
            seen[test] += 1
    if not documents.SALTED_ROUNDS.exists():
        without = [item for item in items if item.get_closest_marker("documents")]
        config.hook.pytest_deselected(items=without)
        items[:] = [item for item in items if item not in without]


RECURSION_LIMIT = sys.getrecursionlimit()

# Deterministic examples without deadlines: a slow machine mustn't fail a test.
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
    """Skip tests of all rooms if Dask is missing, which has no wheel for some Pythons."""
    pytest.importorskip("provably_fair.dask", exc_type=ImportError)


if sys.platform == "emscripten":

    @pytest.fixture
    def capfd():
        """Skip: what is written to a descriptor is captured in a file without a name."""
        pytest.skip("there are no files without a name")


@pytest.fixture(autouse=True)
def no_figures_left():
    """Close the test's figures: pyplot keeps them all and warns when there are many."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture(autouse=True)
def usual_recursion_limit():
    """Restore the recursion limit, which py_ecc raises so far that deeply nested text crashes Python."""
    sys.setrecursionlimit(RECURSION_LIMIT)
    yield
    sys.setrecursionlimit(RECURSION_LIMIT)
