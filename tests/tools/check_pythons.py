"""Tests the wheel on newer Pythons than the one that builds it: `make pythons`.

debootstrap fills a folder with the interpreters of Debian's newest suite, in a minute and 0.5 GB. Each runs
with that folder as its root, where the source has the same path as here; the system isn't changed. The tests
are those of `make wheel-check`. Packages without a wheel for a Python are left out, and tests that need them
skip themselves. Results are kept in `tests/vectors/pythons.json`; `make pythons PYTHONS=3.14` tests one
alone.
"""

import ast
import functools
import itertools
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import tomllib
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from folders import ROOT, VECTORS

from tools.wheel_check import SUITE, everything, find_wheel

PYTHONS = ("3.13", "3.14", "3.15")
SYSTEM = "sid"
FOLDER = ROOT / ".venv" / "pythons-root"
RESULT = VECTORS / "pythons.json"
# Required programs, with their Debian packages.
NEEDED = {"debootstrap": "debootstrap", "unshare": "util-linux"}
INCLUDED = (*(f"python{version}-venv" for version in PYTHONS), "ca-certificates", "git", "make")
# Files that pip needs to reach its index, and a variable for the number of test processes.
PASSED_ON = re.compile(r"PIP_|SSL_CERT_|(REQUESTS|CURL)_CA_BUNDLE$|\w+_PROXY$|PYTEST_XDIST_", re.IGNORECASE)
ABOUT = """
import json, platform, sys, numpy, provably_fair
assert provably_fair.__file__.startswith(sys.prefix), provably_fair.__file__
print(json.dumps({"python": platform.python_version()} | {
    module.__name__: module.__version__ for module in (provably_fair, numpy)
}))
"""


def make_root() -> None:
    """Create the root folder, unless it has all interpreters already."""
    if (
        all((FOLDER / "usr" / "bin" / f"python{version}").exists() for version in PYTHONS)
        and not (
            FOLDER / "debootstrap"  # debootstrap removes its working folder when it is done
        ).exists()
    ):
        return
    shutil.rmtree(FOLDER, ignore_errors=True)
    done = subprocess.run(
        ["debootstrap", "--variant=minbase", f"--include={','.join(INCLUDED)}", SYSTEM, FOLDER]
    )
    if done.returncode:
        sys.exit(f"debootstrap ended with {done.returncode}: {FOLDER}/debootstrap/debootstrap.log says why")


@functools.cache
def settings() -> dict[str, str]:
    """Return the variables to pass on, including pip's configuration."""
    pip = (sys.executable, "-m", "pip", "config", "list")
    listed = re.findall(
        r"^(?:global|install)\.([\w-]+)=(.*)", subprocess.check_output(pip, text=True), re.MULTILINE
    )
    configured = {f"PIP_{name.upper().replace('-', '_')}": ast.literal_eval(value) for name, value in listed}
    return configured | {name: value for name, value in os.environ.items() if PASSED_ON.match(name)}


def shared(variables: dict[str, str]) -> list[Path]:
    """Return the paths to mount at the same place in the root: the source, and pip's access to its index."""
    git = subprocess.run(
        ["git", "rev-parse", "--path-format=absolute", "--git-common-dir"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    named = ["/dev", "/proc", "/sys", "/etc/resolv.conf", "/etc/hosts", ROOT, git.stdout.strip()]
    paths = [Path(value) for value in (*named, *variables.values()) if os.path.isabs(value)]
    return [
        path
        for path in dict.fromkeys(paths)
        if path.exists() and (path == ROOT or not path.is_relative_to(ROOT))
    ]


def inside(version: str, *command: str | Path, output: bool = False) -> subprocess.CompletedProcess:
    """Run a program in the root with a Python's environment, and unmount everything afterward."""
    variables = dict(settings())
    steps = ["set -e"]
    for path in shared(variables):
        place = FOLDER / path.relative_to("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.is_symlink():  # would lead out of the root
            place.unlink()
        place.mkdir(exist_ok=True) if path.is_dir() else place.touch()
        how = "--rbind" if path.parent == Path("/") else "--bind"
        steps.append(shlex.join(["mount", how, str(path.resolve()), str(place)]))
    steps.append(f'exec chroot {shlex.quote(str(FOLDER))} env --chdir={shlex.quote(str(ROOT))} "$@"')
    variables |= {
        "PATH": f"/opt/{version}/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "VIRTUAL_ENV": f"/opt/{version}",
        "HOME": "/root",
        "LANG": "C.UTF-8",
        # The source may belong to another user.
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "safe.directory",
        "GIT_CONFIG_VALUE_0": "*",
    }
    words = ["unshare", "--mount", "sh", "-c", "; ".join(steps), "sh", *map(str, command)]
    return subprocess.run(
        words, env=variables, stdin=subprocess.DEVNULL, capture_output=output, text=True, errors="replace"
    )


def run(version: str, *command: str | Path, output: bool = False) -> str:
    """Run a program in the root, and exit if it fails."""
    print(f"{version} $", *command, flush=True)
    done = inside(version, *command, output=output)
    if done.returncode:
        sys.exit(f"{command[0]} ended with {done.returncode}\n{done.stderr or ''}")
    return done.stdout


def wanted() -> list[str]:
    """Return optional dependencies of the package and those of its tests."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = [*project["project"]["optional-dependencies"].values(), project["dependency-groups"]["test"]]
    return [one for one in dict.fromkeys(itertools.chain(*groups)) if not one.startswith("provably_fair")]


def install(version: str, wheel: Path) -> list[str]:
    """Install the wheel and all dependencies of the tests; return those without a wheel for this Python."""
    pip = (
        "python",
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--only-binary",
        ":all:",
    )
    run(version, f"/usr/bin/python{version}", "-m", "venv", "--clear", f"/opt/{version}")
    run(version, *pip, "--upgrade", "pip>=25.1")
    if not inside(version, *pip, *everything(wheel), output=True).returncode:
        return []
    kept, without = [], []
    for one in wanted():
        done = inside(version, *pip, "--dry-run", one, output=True)
        (without if done.returncode else kept).append(one)
        if done.returncode and one.startswith("pytest"):  # available for every Python
            sys.exit(done.stderr)
    print(f"{version}: no wheels of {', '.join(without)}, or of what these need", flush=True)
    run(version, *pip, wheel, *kept)
    return sorted({re.split(r"[^\w-]", one)[0] for one in without})


def why(skip: ElementTree.Element) -> str:
    """Return the reason of a skip; for a whole file it is in the text."""
    if skip.get("message") == "collection skipped":
        *_, reason = ast.literal_eval(skip.text or "")
        return reason.removeprefix("Skipped: ")
    return skip.get("message", "")


def test(version: str) -> dict[str, object]:
    """Run the tests; return passed, skipped with reasons, and failed ones."""
    skipped: Counter[str] = Counter()
    failed, passed = [], 0
    for number, words in enumerate(SUITE):
        result = Path("tmp") / f"{version}-{number}.xml"
        (FOLDER / result).unlink(missing_ok=True)
        done = inside(version, "python", *words, f"--junitxml=/{result}")
        if done.returncode not in (0, 1):
            failed.append(f"pytest ended with {done.returncode}")
            continue
        for case in ElementTree.parse(FOLDER / result).iter("testcase"):
            skip = case.find("skipped")
            if case.find("failure") is not None or case.find("error") is not None:
                failed.append(f"{case.get('classname')}::{case.get('name')}".removeprefix("::"))
            elif skip is not None:
                skipped[why(skip)] += 1
            else:
                passed += 1
    return {"passed": passed, "skipped": dict(sorted(skipped.items())), "failed": failed}


def keep(version: str, **results: object) -> None:
    """Write the results for a Python beside those of others."""
    kept = json.loads(RESULT.read_text(encoding="utf-8"))
    kept[version] = results
    RESULT.write_text(json.dumps(dict(sorted(kept.items())), indent=1) + "\n", encoding="utf-8")


def main(*versions: str) -> None:
    """Test Pythons one after another, continuing after a failure."""
    if unknown := {*versions} - {*PYTHONS}:
        sys.exit(f"PYTHONS must be among {', '.join(PYTHONS)}, got {', '.join(sorted(unknown))}")
    if missing := sorted({package for program, package in NEEDED.items() if not shutil.which(program)}):
        sys.exit(f"not installed: {', '.join(missing)}\napt-get install {' '.join(missing)}")
    if os.geteuid():
        sys.exit("debootstrap and chroot must be run as root: sudo make pythons")
    wheel = find_wheel(ROOT / "dist")
    make_root()
    wrong = []
    for version in versions or PYTHONS:
        without = install(version, wheel)
        about = json.loads(run(version, "python", "-c", ABOUT, output=True))
        for package in {"pandas", "scipy"} - {*without}:
            code = f"import {package}; print({package}.__version__)"
            about[package] = run(version, "python", "-c", code, output=True).strip()
        run(version, "python", "tests/tools/check_installed.py")
        tests = test(version)
        keep(
            version,
            command="make pythons",
            date=time.strftime("%Y-%m-%d"),
            versions=about,
            without_wheels=without,
            **tests,
        )
        skips = sum(tests["skipped"].values())
        print(
            f"{version}: {tests['passed']} passed, {skips} skipped, {len(tests['failed'])} failed", flush=True
        )
        wrong += [f"{version}: {name}" for name in tests["failed"]]
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main(*sys.argv[1:])
