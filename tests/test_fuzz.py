"""Hostile input to the parsers in Python: the kept corpus; `make fuzz` mutates it."""

from __future__ import annotations

import importlib.util

import pytest
from folders import ROOT

pytest.importorskip("pyarrow")
pytest.importorskip("typer")

FILE = ROOT / "fuzz" / "python_fuzz.py"
SPEC = importlib.util.spec_from_file_location("python_fuzz", FILE)
python_fuzz = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(python_fuzz)


# The inputs that take seconds: shuffles of thousands.
LONG = {"own_game": [b"6"]}


@pytest.mark.parametrize("name", python_fuzz.TARGETS)
@pytest.mark.filterwarnings("ignore")
def test_corpus(name):
    target, inputs = python_fuzz.TARGETS[name][0], python_fuzz.corpus(name)
    assert inputs
    for data in (b"", b"\0", b"\n", b"\xff" * 300, *inputs):
        if data not in LONG.get(name, ()):
            target(data)


@pytest.mark.thorough
@pytest.mark.parametrize("name", LONG)
@pytest.mark.filterwarnings("ignore")
def test_long_inputs_of_the_corpus(name):
    assert set(LONG[name]) <= set(python_fuzz.corpus(name))
    for data in LONG[name]:
        python_fuzz.TARGETS[name][0](data)


def test_the_whole_sample_logs():
    for data in python_fuzz.samples(None):
        python_fuzz.log(data)


def test_mutations_are_the_same_every_time():
    inputs = python_fuzz.corpus("pays")
    one, two = (
        [python_fuzz.mutate(chance, inputs[0], inputs[1]) for _ in range(50)]
        for chance in (python_fuzz.random.Random(7), python_fuzz.random.Random(7))
    )
    assert one == two
    assert len(set(one)) > 40
