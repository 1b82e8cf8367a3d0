"""Builds and tests the engine for other processors and systems: `make platforms`.

The standard library of each platform is built from Debian's source, and programs run under emulation, so a
machine needs only some of Debian's packages; missing ones are named. A line is printed for each platform.
With `--python` (`make platforms-python`) the installed extension is tested in an emulated Python on ARM.
Results are kept in `tests/vectors/platforms.json`.
"""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
WORKFLOW = ROOT / ".github" / "workflows" / "wheels.yml"
RESULT = ROOT / "tests" / "vectors" / "platforms.json"
FOLDER = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
# Targets whose tests run here: their names for Rust, GNU, QEMU and Debian. ARM; big-endian; 32 bits.
EMULATED = (
    ("aarch64-unknown-linux-gnu", "aarch64-linux-gnu", "aarch64", "arm64"),
    ("s390x-unknown-linux-gnu", "s390x-linux-gnu", "s390x", "s390x"),
    ("i686-unknown-linux-gnu", "i686-linux-gnu", "i386", "i386"),
)
ARM = EMULATED[0][0]
HOST = "x86_64-unknown-linux-gnu"
WASM = "wasm32-unknown-unknown"
# Skip analyses and simulations: emulated, they take half an hour.
SLOW = ("cards::blackjack::analysis::", "cards::blackjack::simulate::", "engine::fuzz::")
# Paths and their packages. Debian's Rust is used even if there is another: its source lies beside it.
NEEDED = {
    "/usr/bin/rustc": "rustc-web",
    "/usr/bin/cargo": "cargo-web",
    "/usr/lib/rustlib/src/rust/library/std": "rust-web-src",
    "/usr/bin/wasm-ld": "lld",
    "/usr/bin/clang": "clang",
}
for _, gnu, qemu, libc in EMULATED:
    NEEDED[f"/usr/bin/qemu-{qemu}"] = "qemu-user"
    NEEDED[f"/usr/bin/{gnu}-gcc"] = f"gcc-{gnu}"
    NEEDED[f"/usr/{gnu}/lib/libc.so.6"] = f"libc6-dev-{libc}-cross"
# Tests to run on ARM with the extension: vectors, published rounds, laws of doubles, walk-throughs, logs.
TESTS = (
    "tests/test_value_stability.py",
    "tests/operators/test_games.py",
    "tests/operators/test_published_rounds.py",
    "tests/games/test_javascript.py",
    "tests/walkthrough/test_walkthrough.py",
)
# The tests' imports, all available as wheels for ARM.
PACKAGES = ("numpy", "scipy", "matplotlib", "pytest", "hypothesis")
ABOUT = """
import json, platform, numpy, provably_fair, provably_fair._engine as engine
versions = provably_fair.__version__, numpy.__version__
print(json.dumps([platform.machine(), provably_fair.__file__, engine.paths(), *versions]))
"""


# Replaces C compilers and archivers for targets that aren't linked: creates empty files.
NO_C = """#!/bin/sh
for word; do
    case $previous in -o | cq* | rc*) : > "$word" ;; esac
    case $word in [-/]out:*) : > "${word#?out:}" ;; esac
    previous=$word
done
"""


def released() -> list[str]:
    """Return the targets for which the release workflow builds wheels."""
    return re.findall(r"\btarget: ([\w-]+)", WORKFLOW.read_text(encoding="utf-8"))


def without_c() -> list[str]:
    """Return the released targets without a C compiler here: only their Rust is checked."""
    return [target for target in released() if target not in (HOST, ARM)]


def environment() -> dict[str, str]:
    """Return cargo's settings to build, link and run for every target."""
    variables = {
        **os.environ,
        "PATH": f"/usr/bin{os.pathsep}{os.environ['PATH']}",
        "RUSTC": "/usr/bin/rustc",
        "RUSTC_BOOTSTRAP": "1",
        "CARGO_UNSTABLE_BUILD_STD": "std,panic_abort",
        "PYO3_NO_PYTHON": "1",
    }
    linkers = {target: f"{gnu}-gcc" for target, gnu, *_ in EMULATED} | {WASM: "wasm-ld"}
    no_c = FOLDER / "no-c"
    variables["SDKROOT"] = "/"
    for target in without_c():
        for name in ("CC", "AR"):
            variables[f"{name}_{target.replace('-', '_')}"] = str(no_c)
    runners = {target: " ".join(runner(gnu, qemu)) for target, gnu, qemu, _ in EMULATED}
    for name, programs in ("LINKER", linkers), ("RUNNER", runners):
        for target, program in programs.items():
            variables[f"CARGO_TARGET_{target.upper().replace('-', '_')}_{name}"] = program
    return variables


def runner(gnu: str, qemu: str) -> tuple[str, ...]:
    """Return what runs a target's programs: QEMU, but for 32 bits the processor itself, by their own loader.

    Emulated on i386, the tests of signatures don't end in 20 minutes; there they take a second.
    """
    if qemu == "i386":
        return f"/usr/{gnu}/lib/ld-linux.so.2", "--library-path", f"/usr/{gnu}/lib"
    return f"qemu-{qemu}", "-L", f"/usr/{gnu}"


def run(*command: str | Path, **variables: str) -> str:
    """Run a program and return its output; if it fails, show its errors and exit."""
    words = [*map(str, command)]
    done = subprocess.run(words, cwd=ROOT, env={**environment(), **variables}, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"FAILED: {' '.join(words)}\n{done.stdout[-4000:]}{done.stderr[-6000:]}")
    return done.stdout


def cargo(target: str, command: str, *words: str) -> str:
    """Run cargo for a target."""
    return run("/usr/bin/cargo", command, "--release", "--locked", "--target", target, *words)


def report(target: str, words: str, since: float) -> str:
    """Print a platform's line, and return its text."""
    print(f"{target:<28}{words} ({time.perf_counter() - since:.0f} s)", flush=True)
    return words


def keep(command: str, passed: Mapping[str, object], **about: object) -> None:
    """Write what passed beside the results of other commands."""
    kept = json.loads(RESULT.read_text(encoding="utf-8")) if RESULT.exists() else {}
    kept[command] = {"date": time.strftime("%Y-%m-%d"), **about, "passed": passed}
    RESULT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def tools() -> dict[str, str]:
    """Return the versions of compilers and emulators."""
    rustc = run("/usr/bin/rustc", "--version").split()[1]
    return {"rustc": rustc, "qemu": re.findall(r"version (\S+)", run("qemu-aarch64", "--version"))[0]}


def check() -> None:
    """Check released targets with the extension, link for WebAssembly, and test emulated targets."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "no-c").write_text(NO_C, encoding="utf-8")
    (FOLDER / "no-c").chmod(0o755)
    passed = {}
    for target in released():
        begin = time.perf_counter()
        cargo(target, "check", "--lib", "--features", "python")
        what = "its Rust compiles" if target in without_c() else "compiles"
        passed[target] = report(target, f"{what}, with the extension", begin)
    begin = time.perf_counter()
    cargo(WASM, "rustc", "--lib", "--crate-type", "cdylib")
    passed[WASM] = report(WASM, "links; 32 bits, not run", begin)
    for target, gnu, qemu, _ in EMULATED:
        begin = time.perf_counter()
        log = cargo(target, "test", "--lib", "--", *(f"--skip={name}" for name in SLOW))
        count = sum(map(int, re.findall(r"^test result: ok\. (\d+) passed", log, re.M)))
        by = Path(runner(gnu, qemu)[0]).name
        tested = report(target, f"{count} tests and vectors pass under {by}", begin)
        passed[target] = "; ".join(filter(None, (passed.get(target), tested)))
    keep("make platforms", passed, versions=tools())


def arm_python(folder: Path) -> Path:
    """Unpack Debian's Python for ARM with its dependencies into a folder, leaving the system unchanged."""
    (folder / "lists" / "partial").mkdir(parents=True, exist_ok=True)
    (folder / "archives" / "partial").mkdir(parents=True, exist_ok=True)
    (folder / "status").touch()
    options = {
        "APT::Architecture": "arm64",
        "APT::Architectures": "arm64",
        "APT::Sandbox::User": "",
        "Debug::NoLocking": "1",
        "Dir::Cache": folder,
        "Dir::State": folder,
        "Dir::State::status": folder / "status",
    }
    apt = ["apt-get", "-qq", *(f"-o{name}={value}" for name, value in options.items())]
    run(*apt, "update")
    run(*apt, "install", "--yes", "--no-install-recommends", "--download-only", "python3", "libstdc++6")
    for package in sorted((folder / "archives").glob("*.deb")):
        run("dpkg", "-x", package, folder / "root")
    if not (folder / "root" / "lib").exists():  # which newer Debians' packages leave to one of them all
        (folder / "root" / "lib").symlink_to("usr/lib")
    return (folder / "root" / "usr" / "bin" / "python3").resolve()


def check_python() -> None:
    """Build the wheel for ARM, install it and numpy's into a folder, and test it in an emulated Python."""
    folder = FOLDER / "arm-python"
    program = arm_python(folder)
    python = ("qemu-aarch64", "-L", folder / "root", program)
    version = run(*python, "-c", "import platform; print(platform.python_version())").strip()
    maturin = (Path(sys.executable).parent / "maturin", "build", "--release", "--locked", "--target", ARM)
    run(*maturin, "--compatibility", "linux", "--out", folder)
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--upgrade")
    kinds = ("linux", "manylinux2014", "manylinux_2_28")
    run(
        *pip,
        *("--target", folder / "site", "--only-binary", ":all:", "--python-version", version),
        *(f"--platform={kind}_aarch64" for kind in kinds),
        *(max(folder.glob("provably_fair-*.whl"), key=os.path.getmtime), *PACKAGES),
    )
    variables = {"PYTHONPATH": str(folder / "site"), "PYTHONDONTWRITEBYTECODE": "1"}
    about = run(*python, "-c", ABOUT, **variables)
    machine, where, paths, own, numpy = json.loads(about)
    if machine != "aarch64" or not where.startswith(str(folder)):
        sys.exit(f"not the wheel on ARM: {where} on {machine}")
    print(run(*python, "tests/tools/check_installed.py", **variables), end="", flush=True)
    # Emulation is slow: no test times out.
    pytest = (*python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "faulthandler_timeout=0")
    passed = {}
    for name in TESTS:
        begin = time.perf_counter()
        passed[name] = int(re.findall(r"(\d+) passed", run(*pytest, name, **variables))[-1])
        report(ARM, f"{passed[name]} tests of {name} pass", begin)
    keep(
        "make platforms-python",
        {"tests/tools/check_installed.py": 1, **passed},
        machine=f"{machine}, emulated",
        paths=paths,
        versions={"provably_fair": own, "python": version, "numpy": numpy, **tools()},
    )


if __name__ == "__main__":
    if packages := sorted({package for path, package in NEEDED.items() if not Path(path).exists()}):
        sys.exit(f"not installed: {', '.join(packages)}\napt-get install {' '.join(packages)}")
    (check_python if "--python" in sys.argv[1:] else check)()
