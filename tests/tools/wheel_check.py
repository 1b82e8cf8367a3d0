"""Install the wheel of this version in an empty environment and test it there: `wheel_check.py dist`.

First with numpy alone, as `pip install provably_fair` leaves it; then, with everything optional and what the
tests need, the demo and the whole suite. What is tested is the installed package, never the source's. What
follows the folder is for pip: `wheel_check.py dist "numpy==1.26.*" "pandas==2.*"`. Packages without a wheel
for this Python are left out, and tests that need them skip themselves.
"""

import itertools
import os
import re
import subprocess
import sys
import tempfile
import time
import tomllib
import venv
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# The arguments with which Python runs the suite in the source's folder.
SUITE = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "", "-n", "auto")


def version() -> str:
    """Return the version stated by the source."""
    return tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["package"]["version"]


def find_wheel(folder: Path) -> Path:
    """Return the only wheel of this version."""
    wheels = sorted(folder.glob(f"provably_fair-{version()}-*.whl"))
    if len(wheels) != 1:
        sys.exit(f"{folder} must hold one wheel of version {version()}, it has {len(wheels)}")
    return wheels[0].resolve()


def wanted() -> list[str]:
    """Return the optional requirements of the package, and those of its tests."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = [*project["project"]["optional-dependencies"].values(), project["dependency-groups"]["test"]]
    return [one for one in dict.fromkeys(itertools.chain(*groups)) if not one.startswith("provably_fair")]


def install(
    pip: Callable[..., subprocess.CompletedProcess], wheel: Path, versions: Sequence[str]
) -> list[str]:
    """Install the wheel with all that the tests need; return requirements that have no wheel here.

    `pip(*words, check=...)` is `pip install` in the environment; `check` ends the program if it fails.
    """
    everything = (f"{wheel}[all]", "--group", f"{ROOT / 'pyproject.toml'}:test", *versions)
    if not pip(*everything, check=False).returncode:
        return []
    kept, without = [], []
    for one in wanted():
        done = pip("--dry-run", one, *versions, check=one.startswith("pytest"))  # every Python has pytest
        (without if done.returncode else kept).append(one)
    print(f"no wheels of {', '.join(without)}, or of what these need", flush=True)
    pip(wheel, *kept, *versions, check=True)
    return sorted({re.split(r"[^\w-]", one)[0] for one in without})


def main(folder: Path, versions: Sequence[str]) -> None:
    """Run every step; the first that fails ends the program."""
    wheel = find_wheel(folder)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    with tempfile.TemporaryDirectory() as temporary:
        base = Path(temporary)
        venv.create(base / "empty", with_pip=True)
        programs = base / "empty" / ("Scripts" if os.name == "nt" else "bin")
        environment["PATH"] = f"{programs}{os.pathsep}{environment['PATH']}"
        environment["VIRTUAL_ENV"] = str(base / "empty")

        def run(*command: str | Path, cwd: Path = base, check: bool = True) -> subprocess.CompletedProcess:
            print("$", *command, flush=True)
            words = [str(programs / command[0]), *map(str, command[1:])]
            done = subprocess.run(words, cwd=cwd, env=environment, stdin=subprocess.DEVNULL)
            if done.returncode and check:
                sys.exit(f"{command[0]} ended with {done.returncode}")
            return done

        def pip(*words: str | Path, check: bool = True) -> subprocess.CompletedProcess:
            options = ("--quiet", "--disable-pip-version-check", "--only-binary", ":all:")
            return run("python", "-m", "pip", "install", *options, *words, check=check)

        begin = time.perf_counter()
        pip(wheel, *(one for one in versions if one.startswith("numpy")))
        print(f"installed in {time.perf_counter() - begin:.1f} s", flush=True)
        listed = subprocess.check_output(
            [programs / "python", "-m", "pip", "list", "--disable-pip-version-check"], text=True
        )
        packages = {re.split(r"\s", line)[0].lower() for line in listed.splitlines()[2:]}
        if unexpected := packages - {"pip", "setuptools", "numpy", "provably_fair"}:
            sys.exit(f"the wheel brought more than numpy: {', '.join(sorted(unexpected))}")
        run("python", ROOT / "tests" / "tools" / "check_installed.py")
        pip("--upgrade", "pip>=25.1")
        install(pip, wheel, versions)
        where = f"import sys, provably_fair as pf; sys.exit(not pf.__file__.startswith({str(base)!r}))"
        run("python", "-c", where, cwd=ROOT)
        run("python", "-m", "provably_fair", "demo")
        run("python", *SUITE, cwd=ROOT)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "dist"), sys.argv[2:])
