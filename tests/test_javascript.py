"""Crash and Overgo end in JavaScript's toFixed(2): all 2 * 10^6 coefficients, three ways.

`decimal` rounds the exact value of the double, integers do the same by hand, and where node is
installed JavaScript itself prints them. The engine is held to the result by its full list of
reachable outcomes, and on the nine coefficients where other roundings differ.
"""

from __future__ import annotations

import functools
import random
import shutil
import subprocess
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

import numpy as np
import provably_fair as pf
import pytest
import reference

EDGES = {"crash": 0.05, "overgo": 0.03}
CENT = Decimal("0.01")
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


@functools.cache
def before_rounding(name: str) -> list[float]:
    share = 1 - EDGES[name]
    return [max(1.0, 1000000 / (k + 1) * share) for k in range(1000000)]


@functools.cache
def in_cents(name: str) -> list[int]:
    """All coefficients by `decimal`, in cents."""
    up = ROUND_HALF_UP
    return [int(Decimal(x).quantize(CENT, up).scaleb(2)) for x in before_rounding(name)]


def node(script: str) -> list[str]:
    return subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.parametrize("name", EDGES)
def test_all_coefficients_by_integers(name):
    def cents(value: float) -> int:
        numerator, denominator = value.as_integer_ratio()
        return (200 * numerator + denominator) // (2 * denominator)

    assert [cents(x) for x in before_rounding(name)] == in_cents(name)


@pytest.mark.parametrize("name", EDGES)
def test_oracle_on_all_coefficients(name):
    """The oracle is slow: every place where the outcome changes, and the ties, decide all of them."""
    cents = in_cents(name)
    assert cents == sorted(cents, reverse=True)
    changes = {k for k in range(1, 1000000) if cents[k] != cents[k - 1]}
    for k in sorted({0, 999999} | changes | {k - 1 for k in changes}):
        assert reference.coefficient(k, EDGES[name]) == cents[k] / 100


@needs_node
@pytest.mark.parametrize("name", EDGES)
def test_all_coefficients_by_node(name):
    script = (
        "const lines = []; for (let k = 0; k < 1000000; k++) "
        f"lines.push(Math.max(1, 1000000 / (k + 1) * (1 - {EDGES[name]})).toFixed(2)); "
        "process.stdout.write(lines.join('\\n'));"
    )
    assert [int(line.replace(".", "")) for line in node(script)] == in_cents(name)


@needs_node
def test_to_fixed_18_by_node():
    rng = random.Random(18)
    values = [rng.random() * 25 for _ in range(1000)] + [byte / 256**3 for byte in range(256)]
    printed = node(f"for (const x of {values!r}) console.log(x.toFixed(18))")
    assert printed == [reference.to_fixed(x, 18) for x in values]
    assert [Decimal(text) for text in printed] == [
        Decimal(fraction.numerator) / fraction.denominator
        for fraction in (reference.to_fixed_by_fractions(x, 18) for x in values)
    ]


@pytest.mark.parametrize("name", EDGES)
def test_engine_lists_every_reachable_coefficient(name):
    reachable = sorted({cents / 100 for cents in in_cents(name)})
    np.testing.assert_array_equal(pf.GAMES[name]().tally(0).outcomes, reachable, strict=True)


def test_ties_go_up(vectors):
    """On these nine a formatter that rounds half to even prints another cent."""
    ties = vectors("javascript_ties")
    for case in ties["rounds"]:
        name, k = case["game"], case["k"]
        value = before_rounding(name)[k]
        seeds = ties["server_seed"], ties["client_seed"], case["salt"]
        assert reference.below(reference.single_number(*seeds), 1000000) == k
        assert float(Decimal(value).quantize(CENT, ROUND_HALF_EVEN)) != case["outcome"]
        assert in_cents(name)[k] / 100 == case["outcome"]
        assert pf.GAMES[name]().play(*seeds) == case["outcome"]
        assert pf.GAMES[name]().play(*seeds[:2], [case["salt"]]).tolist() == [case["outcome"]]


@pytest.mark.parametrize("name", EDGES)
def test_there_are_no_other_ties(vectors, name):
    listed = {case["k"] for case in vectors("javascript_ties")["rounds"] if case["game"] == name}
    even = ROUND_HALF_EVEN
    found = {
        k
        for k, (value, cents) in enumerate(zip(before_rounding(name), in_cents(name), strict=True))
        if int(Decimal(value).quantize(CENT, even).scaleb(2)) != cents
    }
    assert found == listed
