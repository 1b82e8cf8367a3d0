"""Installs the wheel of this version in an empty environment and tests it there: `wheel_check.py [dist]`.

First with numpy alone, as `pip install provably_fair` leaves it; then, with all extras and test dependencies,
the demo and the whole test suite. The installed package is tested, never the source.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TESTS = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
# The test suite, as arguments of Python in the source's folder.
SUITE = ((*TESTS, "-n", "auto"),)


def version() -> str:
    """Return the version of the source."""
    return tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["package"]["version"]


def find_wheel(folder: Path) -> Path:
    """Return the only wheel of this version."""
    wheels = sorted(folder.glob(f"provably_fair-{version()}-*.whl"))
    if len(wheels) != 1:
        sys.exit(f"{folder} must hold one wheel of version {version()}, it has {len(wheels)}")
    return wheels[0].resolve()


def everything(wheel: Path) -> list[str]:
    """Return arguments of pip: the wheel with all extras, and the test dependencies."""
    return [f"{wheel}[all]", "--group", f"{ROOT / 'pyproject.toml'}:test"]


def main(folder: Path) -> None:
    """Run every step, stopping at the first failure."""
    wheel = find_wheel(folder)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    with tempfile.TemporaryDirectory() as temporary:
        base = Path(temporary)
        venv.create(base / "empty", with_pip=True)
        programs = base / "empty" / ("Scripts" if os.name == "nt" else "bin")
        environment["PATH"] = f"{programs}{os.pathsep}{environment['PATH']}"
        environment["VIRTUAL_ENV"] = str(base / "empty")

        def run(*command: str | Path, cwd: Path = base) -> str:
            print("$", *command, flush=True)
            words = [str(programs / command[0]), *map(str, command[1:])]
            done = subprocess.run(words, cwd=cwd, env=environment, stdin=subprocess.DEVNULL)
            if done.returncode:
                sys.exit(f"{command[0]} ended with {done.returncode}")

        begin = time.perf_counter()
        run("python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel)
        print(f"installed in {time.perf_counter() - begin:.1f} s", flush=True)
        listed = subprocess.check_output(
            [programs / "python", "-m", "pip", "list", "--disable-pip-version-check"], text=True
        )
        packages = {re.split(r"\s", line)[0].lower() for line in listed.splitlines()[2:]}
        if unexpected := packages - {"pip", "setuptools", "numpy", "provably_fair"}:
            sys.exit(f"the wheel brought more than numpy: {', '.join(sorted(unexpected))}")
        run("python", ROOT / "tests" / "tools" / "check_installed.py")
        run("python", "-m", "pip", "install", "--quiet", "--upgrade", "pip>=25.1")
        run("python", "-m", "pip", "install", "--quiet", *everything(wheel))
        where = f"import sys, provably_fair as pf; sys.exit(not pf.__file__.startswith({str(base)!r}))"
        run("python", "-c", where, cwd=ROOT)
        run("python", ROOT / "examples" / "demo.py")
        for words in SUITE:
            run("python", *words, cwd=ROOT)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "dist"))
