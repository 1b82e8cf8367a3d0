"""Measures which lines the tests reach, in Python and in Rust, and lists the others.

    python measurements/measure_coverage.py      # all tests; arguments are pytest's, such as a file

Needs `pip install pytest-cov` and `cargo install llvm_profparser`. Both languages are measured in one run.
The instrumented extension module is built in target/coverage with a copy of the package, so neither the
environment nor the ordinary build changes. The Rust tests are built and run in the same way.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "target" / "coverage"
PACKAGE, PROFILES = TARGET / "python", TARGET / "profiles"
# Instrument this crate only, not its dependencies.
WRAPPER = TARGET / "rustc"
COUNTED = {
    "RUSTC_WORKSPACE_WRAPPER": str(WRAPPER),
    "LLVM_PROFILE_FILE": str(PROFILES / "%p-%3m.profraw"),
    "COVERAGE_FILE": str(TARGET / "python.coverage"),
    "PYTHONPATH": str(PACKAGE),
}
LINE = re.compile(r"^ *(\d+)\| *([^|]*?)\|(.*)$")


def run(*command: str, check: bool = True, **options: object) -> subprocess.CompletedProcess:
    print("$", *command, file=sys.stderr)
    return subprocess.run(command, cwd=ROOT, env=os.environ | COUNTED, check=check, text=True, **options)


def built(*arguments: str) -> list[str]:
    """Build with counters, and return the instrumented files."""
    command = ("cargo", *arguments, "--release", "--message-format", "json")
    lines = run(*command, stdout=subprocess.PIPE).stdout.splitlines()
    built = [json.loads(line) for line in lines]
    built = [message for message in built if message.get("target", {}).get("name") != "build-script-build"]
    libraries = [name for message in built for name in message.get("filenames", ()) if name.endswith(".so")]
    programs = [message["executable"] for message in built if message.get("executable")]
    return programs or [name for name in libraries if "provably_fair" in name]


def rust_lines(report: str) -> dict[str, dict[int, tuple[bool, str]]]:
    """Return the code lines of each file: number, whether reached, and text."""
    files: dict[str, dict[int, tuple[bool, str]]] = {}
    lines: dict[int, tuple[bool, str]] = {}
    tests = False
    for row in report.splitlines():
        match = LINE.match(row)
        if match is None:
            name = row.strip().removesuffix(":")
            if name:
                ours = name.startswith(str(ROOT / "src"))
                lines = files.setdefault(os.path.relpath(name, ROOT), {}) if ours else {}
                tests = False
            continue
        tests = tests or "#[cfg(test)]" in match[3]
        if match[2] and not tests:
            lines[int(match[1])] = match[2] != "0", match[3].strip()
    return files


def main(arguments: list[str]) -> None:
    shutil.rmtree(PROFILES, ignore_errors=True)
    shutil.rmtree(PACKAGE, ignore_errors=True)
    PROFILES.mkdir(parents=True)
    WRAPPER.write_text('#!/bin/sh\nexec "$@" -C instrument-coverage\n')
    WRAPPER.chmod(0o755)
    shutil.copytree(ROOT / "python", PACKAGE, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    [library] = built("build", "--lib", "--features", "python")
    shutil.copy(library, PACKAGE / "provably_fair" / "_engine.abi3.so")
    programs = built("test", "--no-run")
    for program in programs:
        run(program, "--quiet", stdout=subprocess.DEVNULL)
    measured = [f"--cov={PACKAGE / name}" for name in ("provably_fair", "pytest_provably_fair")]
    ordinary = ["-n", "auto", "--ignore", "tests/test_notebooks.py"]
    report = ["--cov-branch", "--cov-report", "term-missing:skip-covered"]
    run(sys.executable, "-m", "pytest", "-q", *measured, *report, *(arguments or ordinary), check=False)

    profiles = [part for path in sorted(PROFILES.iterdir()) for part in ("--instr-profile", str(path))]
    objects = [part for path in [library, *programs] for part in ("--object", path)]
    files = rust_lines(run("cov", "show", *profiles, *objects, stdout=subprocess.PIPE).stdout)
    for name, lines in sorted(files.items()):
        missed = {number: text for number, (reached, text) in lines.items() if not reached}
        print(f"{name}: {len(lines) - len(missed)} of {len(lines)} lines")
        for number, text in missed.items():
            print(f"    {number:4} {text[:100]}")
    reached = [reached for lines in files.values() for reached, _ in lines.values()]
    print(f"Rust: {sum(reached)} of {len(reached)} lines, {sum(reached) / len(reached):.1%}")


if __name__ == "__main__":
    main(sys.argv[1:])
