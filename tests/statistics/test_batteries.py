"""What was measured of batteries of tests, and the page that says it."""

from __future__ import annotations

import json

import pytest
from folders import MEASUREMENTS, ROOT


def test_the_measured_levels():
    """The package's stream never fails and rarely is weak; each bad generator fails."""
    measured = json.loads((MEASUREMENTS / "batteries.json").read_text(encoding="utf-8"))
    assert set(measured) == {"dieharder", "nist", "practrand", "testu01"}
    for found in measured.values():
        assert found["failed"] == 0
        assert found["first_weak"] <= max(1, 0.02 * found["results"])
        assert found["randu"]["FAILED"] > 0
        assert found["biased"]["FAILED"] > 0


@pytest.mark.skipif(not (ROOT / "docs").exists(), reason="needs the source's folder")
def test_the_page_says_what_was_measured():
    page = (ROOT / "docs" / "explanation" / "randomness.md").read_text(encoding="utf-8")
    measured = json.loads((MEASUREMENTS / "batteries.json").read_text(encoding="utf-8"))
    names = {
        "dieharder": "Dieharder",
        "practrand": "PractRand",
        "testu01": "TestU01",
        "nist": "NIST SP 800-22",
    }
    for suite, name in names.items():
        found = measured[suite]
        bad = [f"{found[of]['FAILED']} of {sum(found[of].values())}" for of in ("randu", "biased")]
        cells = [name, f"{found['results']:,}", str(found["first_weak"]), str(found["failed"]), *bad]
        assert f"| {' | '.join(cells)} |" in page
    nist = measured["nist"]
    assert f"{nist['below_0.01']} of {nist['pvalues']} are below 0.01" in page
