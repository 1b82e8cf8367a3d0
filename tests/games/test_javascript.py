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
from decimal import ROUND_HALF_EVEN, Decimal

import numpy as np
import provably_fair as pf
import pytest
from oracles import salted as reference

CENT = Decimal("0.01")
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
each_game = pytest.mark.parametrize("name", reference.EDGES)
in_cents = reference.all_coefficients_in_cents


@functools.cache
def before_rounding(name: str) -> list[float]:
    return [reference.coefficient_before_rounding(k, reference.EDGES[name]) for k in range(1000000)]


def node(script: str) -> list[str]:
    return subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True).stdout.split()


@each_game
def test_all_coefficients_by_integers(name):
    """A coefficient is m / 2**s exactly; its cents are floor(100 m / 2**s + 1/2), which 64 bits hold."""
    fraction, exponent = np.frexp(before_rounding(name))
    m, s = np.ldexp(fraction, 53).astype(np.int64), 53 - exponent.astype(np.int64)
    assert ((200 * m + (1 << s)) >> (s + 1)).tolist() == in_cents(name)


@each_game
def test_oracle_on_all_coefficients(name):
    """The oracle is slow: every place where the outcome changes, and the ties, decide all of them."""
    cents = in_cents(name)
    assert cents == sorted(cents, reverse=True)
    changes = {k for k in range(1, 1000000) if cents[k] != cents[k - 1]}
    for k in sorted({0, 999999} | changes | {k - 1 for k in changes}):
        assert reference.coefficient(k, reference.EDGES[name]) == cents[k] / 100


@needs_node
@each_game
def test_all_coefficients_by_node(name):
    script = (
        "const lines = []; for (let k = 0; k < 1000000; k++) "
        f"lines.push(Math.max(1, 1000000 / (k + 1) * (1 - {reference.EDGES[name]})).toFixed(2)); "
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


@each_game
def test_engine_lists_every_reachable_coefficient(name):
    reachable = sorted({cents / 100 for cents in in_cents(name)})
    np.testing.assert_array_equal(pf.operators.salted.GAMES[name]().tally(0).outcomes, reachable, strict=True)


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
        assert pf.operators.salted.GAMES[name]().play(*seeds) == case["outcome"]
        assert pf.operators.salted.GAMES[name]().play(*seeds[:2], [case["salt"]]).tolist() == [
            case["outcome"]
        ]


@each_game
def test_there_are_no_other_ties(vectors, name):
    listed = {case["k"] for case in vectors("javascript_ties")["rounds"] if case["game"] == name}
    values = np.array(before_rounding(name))
    # If a value lies between two cents, its hundredfold is m + 1/2, which a double holds.
    candidates = np.flatnonzero(values * 100 % 1 == 0.5).tolist()
    to_even = [int(Decimal(values[k]).quantize(CENT, ROUND_HALF_EVEN).scaleb(2)) for k in candidates]
    found = {k for k, cents in zip(candidates, to_even, strict=True) if cents != in_cents(name)[k]}
    assert found == listed
