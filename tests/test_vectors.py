"""The vector files for `cargo test` match the oracles."""

from __future__ import annotations

import pytest
from folders import VECTORS
from tools import make_vectors


@pytest.mark.thorough
@pytest.mark.parametrize("name", make_vectors.FILES)
def test_files_are_up_to_date(name):
    """Written by `python tests/tools/make_vectors.py`."""
    assert (VECTORS / f"oracle_{name}.tsv").read_text(encoding="utf-8") == make_vectors.write_lines(name)
