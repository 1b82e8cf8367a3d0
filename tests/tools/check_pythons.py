"""Test the wheel on the oldest Python, with the oldest numpy, and on the newest ones: `make pythons`.

debootstrap fills a folder with the interpreters of a suite of Debian, in a minute and 0.5 GB. Each runs with
that folder as its root, where the source lies at the same path as here; the system isn't changed. The tests
are those of `make wheel-check`. Packages without a wheel for a Python are left out, and tests that need them
skip themselves. What passed is kept in `tests/vectors/pythons.json`; `make pythons PYTHONS=3.14` tests one
alone.
"""

import ast
import functools
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from folders import ROOT, VECTORS

from tools import wheel_check

# Each with the Debian suite that has it, and version constraints that pip must apply.
PYTHONS = {
    "3.11": ("bookworm", ("numpy==1.26.*", "pandas==2.2.*", "pyarrow==20.*")),
    "3.13": ("sid", ("pandas==2.*",)),
    "3.14": ("sid", ()),
    "3.15": ("sid", ()),
}
FOLDER = ROOT / ".venv" / "pythons"
RESULT = VECTORS / "pythons.json"
# Required programs, with their Debian packages.
NEEDED = {"debootstrap": "debootstrap", "unshare": "util-linux"}
INCLUDED = ("ca-certificates", "git", "make")
# Of one suite alone: debootstrap installs no package that another one only provides under its name.
ALSO_INCLUDED = {"bookworm": ("python3-distutils",)}
# Variables that pip needs to reach its index, and those that set the number of test processes.
PASSED_ON = re.compile(r"PIP_|SSL_CERT_|(REQUESTS|CURL)_CA_BUNDLE$|\w+_PROXY$|PYTEST_XDIST_", re.IGNORECASE)
ABOUT = """
import json, platform, sys, numpy, provably_fair
assert provably_fair.__file__.startswith(sys.prefix), provably_fair.__file__
print(json.dumps({"python": platform.python_version()} | {
    module.__name__: module.__version__ for module in (provably_fair, numpy)
}))
"""


def root(version: str) -> Path:
    """Return the folder that has the interpreter."""
    return FOLDER / PYTHONS[version][0]


def make_root(version: str) -> None:
    """Fill the folder of a Python and of all others of its suite, unless it is filled."""
    folder = root(version)
    others = [other for other in PYTHONS if root(other) == folder]
    complete = all((folder / "usr" / "bin" / f"python{other}").exists() for other in others)
    if complete and not (folder / "debootstrap").exists():  # debootstrap removes it when it is done
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(exist_ok=True)
    packages = ",".join(
        [*(f"python{other}-venv" for other in others), *INCLUDED, *ALSO_INCLUDED.get(folder.name, ())]
    )
    done = subprocess.run(["debootstrap", "--variant=minbase", f"--include={packages}", folder.name, folder])
    if done.returncode:
        sys.exit(f"debootstrap ended with {done.returncode}: {folder}/debootstrap/debootstrap.log says why")


@functools.cache
def settings() -> dict[str, str]:
    """Return the variables to pass on, with pip's configuration."""
    pip = (sys.executable, "-m", "pip", "config", "list")
    listed = re.findall(
        r"^(?:global|install)\.([\w-]+)=(.*)", subprocess.check_output(pip, text=True), re.MULTILINE
    )
    configured = {f"PIP_{name.upper().replace('-', '_')}": ast.literal_eval(value) for name, value in listed}
    return configured | {name: value for name, value in os.environ.items() if PASSED_ON.match(name)}


def shared(variables: dict[str, str]) -> list[Path]:
    """Return the paths mounted into the root: the source, and what pip needs to reach the index."""
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
    """Run a program in the root with the environment of one Python, and unmount everything afterwards."""
    variables = dict(settings())
    folder = root(version)
    steps = ["set -e"]
    for path in shared(variables):
        place = folder / path.relative_to("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.is_symlink():  # it would point out of the root
            place.unlink()
        place.mkdir(exist_ok=True) if path.is_dir() else place.touch()
        how = "--rbind" if path.parent == Path("/") else "--bind"
        steps.append(shlex.join(["mount", how, str(path.resolve()), str(place)]))
    steps.append(f'exec chroot {shlex.quote(str(folder))} env --chdir={shlex.quote(str(ROOT))} "$@"')
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


def install(version: str, wheel: Path) -> list[str]:
    """Install the wheel with all that the tests need; return requirements that have no wheel here."""

    def pip(*words: str | Path, check: bool = True) -> subprocess.CompletedProcess:
        options = ("--quiet", "--disable-pip-version-check", "--only-binary", ":all:")
        command = ("python", "-m", "pip", "install", *options, *words)
        done = inside(version, *command, output=not check)
        if done.returncode and check:
            sys.exit(f"pip ended with {done.returncode}")
        return done

    run(version, f"/usr/bin/python{version}", "-m", "venv", "--clear", f"/opt/{version}")
    pip("--upgrade", "pip>=25.1")
    return wheel_check.install(pip, wheel, PYTHONS[version][1])


def why(skip: ElementTree.Element) -> str:
    """Return the reason of a skip; for a whole file it is part of the text."""
    if skip.get("message") == "collection skipped":
        *_, reason = ast.literal_eval(skip.text or "")
        return reason.removeprefix("Skipped: ")
    return skip.get("message", "")


def test(version: str) -> dict[str, object]:
    """Run the suite; return passed, skipped (with reasons) and failed tests."""
    skipped: Counter[str] = Counter()
    failed, passed = [], 0
    result = root(version) / "tmp" / f"{version}.xml"
    result.unlink(missing_ok=True)
    done = inside(version, "python", *wheel_check.SUITE, f"--junitxml=/tmp/{result.name}")
    if done.returncode not in (0, 1):
        return {"passed": 0, "skipped": {}, "failed": [f"pytest ended with {done.returncode}"]}
    for case in ElementTree.parse(result).iter("testcase"):
        skip = case.find("skipped")
        if case.find("failure") is not None or case.find("error") is not None:
            failed.append(f"{case.get('classname')}::{case.get('name')}".removeprefix("::"))
        elif skip is not None:
            skipped[why(skip)] += 1
        else:
            passed += 1
    return {"passed": passed, "skipped": dict(sorted(skipped.items())), "failed": failed}


def keep(version: str, **results: object) -> None:
    """Record the results of a Python, next to those of others."""
    kept = json.loads(RESULT.read_text(encoding="utf-8"))
    kept[version] = results
    RESULT.write_text(json.dumps(dict(sorted(kept.items())), indent=1) + "\n", encoding="utf-8")


def main(*versions: str) -> None:
    """Test Pythons one after another; a failure doesn't stop the rest."""
    if unknown := {*versions} - {*PYTHONS}:
        sys.exit(f"PYTHONS must be among {', '.join(PYTHONS)}, got {', '.join(sorted(unknown))}")
    if missing := sorted({package for program, package in NEEDED.items() if not shutil.which(program)}):
        sys.exit(f"not installed: {', '.join(missing)}\napt-get install {' '.join(missing)}")
    if os.geteuid():
        sys.exit("debootstrap and chroot must be run as root: sudo make pythons")
    wheel = wheel_check.find_wheel(ROOT / "dist")
    wrong = []
    for version in versions or PYTHONS:
        make_root(version)
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
