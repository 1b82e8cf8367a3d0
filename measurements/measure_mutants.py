"""Measures how many mutations of four packages are caught by the tests of each.

    python measurements/measure_mutants.py [PACKAGE ...]  # distribution, bets, statistics, games
    python measurements/measure_mutants.py --again  # the survivors, under the present tests
    python measurements/measure_mutants.py --before FOLDER  # whether an earlier version's tests catch these

Needs `pip install cosmic-ray`, which makes the mutations: another operator, number or condition, or a skipped
loop. It changes the sources in place and restores them, so use a separate working tree. The sample is drawn
from the present sources, with a fixed seed; tests that fail without a mutation are left out. Results go to
`measurements/mutants.json`. All packages take an hour and a half. The kept results are of version 0.2.0
before its last merges, with the tests after them; "found before" counts what the tests caught before they
were cut.
"""

from __future__ import annotations

import argparse
import json
import random
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
import folders
from cosmic_ray.commands.init import _all_work_items
from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.work_item import MutationSpec, TestOutcome

RESULTS = folders.MEASUREMENTS / "mutants.json"
TESTS = {
    "distribution": ("distribution", "bets"),
    "bets": ("bets",),
    "statistics": ("statistics",),
    "games": ("games", "operators", "walkthrough"),
}
A_ROOM, SEED = 40, 46
# Annotations contain mostly the first; without the second (overloads, properties) nothing imports.
LEFT_OUT = ("BitOr", "RemoveDecorator")


def sample(package: str) -> list[MutationSpec]:
    """Draw mutations, each at another position."""
    modules = sorted((folders.PYTHON / "provably_fair" / package).glob("*.py"))
    places: dict[tuple[Any, ...], list[MutationSpec]] = {}
    for item in _all_work_items([path.relative_to(folders.ROOT) for path in modules], {}):
        (fault,) = item.mutations
        if not any(word in fault.operator_name for word in LEFT_OUT):
            places.setdefault((fault.module_path, fault.start_pos), []).append(fault)
    chance = random.Random(SEED)
    return [chance.choice(places[place]) for place in chance.sample(sorted(places), A_ROOM)]


def command(package: str, tests: Path) -> tuple[str, float]:
    """Return the command that runs a package's tests, without those that fail already, and its duration."""
    paths = [str(tests / name) for name in TESTS[package] if (tests / name).exists()]
    start = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--no-header", "--tb=no", *paths]
    begun = time.monotonic()
    output = subprocess.run([*start, "-rfE"], cwd=tests.parent, capture_output=True, text=True).stdout
    seconds = time.monotonic() - begun
    if "\nERROR " in output:
        sys.exit(f"these tests can't be run: {output}")
    failed = [line.split()[1] for line in output.splitlines() if line.startswith("FAILED")]
    print(f"{package}: {output.splitlines()[-1]}", *failed, sep="\n  ")
    without = [part for name in failed for part in ("--deselect", name)]
    return f"env -C {tests.parent} " + shlex.join([*start, "-x", *without]), seconds


def tried(fault: MutationSpec, tests: str, seconds: float) -> tuple[bool, str]:
    """Return whether tests catch a mutation, and the lines that it changed."""
    result = mutate_and_test([fault], tests, 30 + 3 * seconds)
    if result.test_outcome not in (TestOutcome.KILLED, TestOutcome.SURVIVED):
        raise RuntimeError(result.output)
    killed = result.test_outcome is TestOutcome.KILLED
    print(f"{fault.module_path}:{fault.start_pos[0]} {'found' if killed else 'survives'}", flush=True)
    changed = [
        line for line in result.diff.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")
    ]
    return killed, "\n".join(changed)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("rooms", nargs="*", default=list(TESTS))
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--before", type=Path)
    asked = parser.parse_args()
    kept = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    for package in asked.rooms:
        tests, seconds = command(package, asked.before or folders.TESTS)
        some = asked.again or asked.before is not None
        old = {one["place"]: one for one in kept[package]["survivors"]} if some else {}
        survivors = []
        for fault in sample(package):
            place = f"{fault.module_path}:{fault.start_pos[0]}, {fault.operator_name} {fault.occurrence}"
            if some and place not in old:
                continue
            killed, change = tried(fault, tests, seconds)
            if asked.before:
                survivors.append(old[place] | {"found before": killed})
            elif not killed:
                survivors.append(old.get(place, {"place": place, "change": change}))
        found_now = kept[package]["found"] if asked.before else A_ROOM - len(survivors)
        kept[package] = {"faults": A_ROOM, "found": found_now, "survivors": survivors}
        RESULTS.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
