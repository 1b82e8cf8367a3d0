"""Building the package: the message without Rust, and the checks of a release."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from folders import ROOT
from tools import check_platforms, check_pythons, check_wasm, release_check, run_thorough, wasm_linker

pytestmark = pytest.mark.skipif(not (ROOT / "build_backend.py").exists(), reason="needs the source's folder")


def requirements(path: Path) -> subprocess.CompletedProcess:
    """Ask the build backend for its requirements, as pip does, with only these programs on the path."""
    code = "import build_backend; print(build_backend.get_requires_for_build_wheel())"
    environment = {**os.environ, "PATH": str(path)}
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60
    )


def test_without_rust(tmp_path):
    done = requirements(tmp_path)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "Rust 1.89 or later" in line
    assert "there is no cargo here" in line
    assert "install a wheel" in line


@pytest.mark.skipif(os.name == "nt", reason="the program is a shell script")
@pytest.mark.parametrize(
    ("script", "said"),
    [("echo 'cargo 1.80.1 (376290515 2024-07-16)'", "this is 1.80"), ("echo broken >&2; exit 3", "broken")],
)
def test_with_a_rust_that_will_not_do(script, said, tmp_path):
    (tmp_path / "cargo").write_text(f"#!/bin/sh\n{script}\n")
    (tmp_path / "cargo").chmod(0o755)
    done = requirements(tmp_path)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert said in line
    assert "Rust 1.89 or later" in line


def test_every_released_platform_is_checked():
    targets = check_platforms.released()
    assert len(targets) == len(set(targets)) == check_platforms.WORKFLOW.read_text("utf-8").count("libc: ")
    assert {"aarch64-apple-darwin", "x86_64-pc-windows-msvc", "aarch64-unknown-linux-musl"} <= set(targets)


def test_the_table_of_platforms_says_what_is_built_and_tested():
    text = release_check.read("docs/start/install.md")
    rows = re.findall(r"^\| [^|]+ \| `([\w-]+)` \| (yes|no) \| ([^|]+) \|$", text, re.M)
    emulated = {target for target, *_ in check_platforms.EMULATED}
    wheels = {*check_platforms.released(), check_wasm.TARGET}
    assert {target for target, wheel, _ in rows if wheel == "yes"} == wheels
    assert {target for target, _, tested in rows if tested.startswith("emulated only")} == emulated
    assert len(rows) == len({target for target, *_ in rows} | emulated | {check_platforms.WASM})


def test_what_passed_on_other_platforms_is_kept():
    kept = json.loads(check_platforms.RESULT.read_text("utf-8"))
    compiled, arm = kept["make platforms"], kept["make platforms-python"]
    emulated = {target for target, *_ in check_platforms.EMULATED}
    assert compiled["passed"].keys() == {*check_platforms.released(), check_platforms.WASM, *emulated}
    for target, said in compiled["passed"].items():
        assert ("compiles" in said) == (target in check_platforms.released())
        assert (" tests and vectors pass under " in said) == (target in emulated)
    assert arm["machine"] == "aarch64, emulated"
    assert arm["passed"].keys() == {"tests/tools/check_installed.py", *check_platforms.TESTS}
    assert min(arm["passed"].values()) > 0
    assert arm["paths"]


def test_what_passed_on_other_pythons_is_kept():
    kept = json.loads(check_pythons.RESULT.read_text("utf-8"))
    # A Python is recorded once it has passed: `make pythons PYTHONS=3.13` adds one.
    assert {"3.14"} <= kept.keys() <= {*check_pythons.PYTHONS}
    for version, found in kept.items():
        assert found["versions"]["python"].startswith(f"{version}.")
        assert found["failed"] == []
        assert found["passed"] > 1000 > sum(found["skipped"].values())
    assert kept["3.14"]["without_wheels"] == []


def test_what_passed_in_pyodide_is_kept():
    kept = json.loads(check_wasm.RESULT.read_text("utf-8"))
    corpus = json.loads((ROOT / "corpus" / "recomputed.json").read_text("utf-8"))["series"]
    assert kept["command"] == "make wasm"
    assert kept["corpus"] == {
        "series": len(corpus),
        "rounds": sum(one["rows"] for one in corpus.values()),
        "right": sum(one["right"] for one in corpus.values()),
    }
    assert kept["readme"] == (ROOT / "README.md").read_text("utf-8").count("```python\n")
    assert kept["passed"].keys() == {name for names in check_wasm.files() for name in names}
    assert sum(kept["passed"].values()) > 1000 > sum(kept["skipped"].values())
    assert kept["packed"] <= release_check.LARGEST_IN_BROWSERS


def test_what_is_missing_for_pyodide_is_said(tmp_path):
    def said():
        with pytest.raises(SystemExit) as ended:
            check_wasm.fetch_pyodide(str(tmp_path))
        return str(ended.value)

    assert "isn't there: no such folder" in said()
    (tmp_path / "pyodide.mjs").touch()
    (tmp_path / "numpy.whl").touch()
    lock = {"packages": {"numpy": {"file_name": "numpy.whl"}, "scipy": {"file_name": "scipy.whl"}}}
    (tmp_path / "pyodide-lock.json").write_text(json.dumps(lock))
    assert f"{tmp_path} lacks pandas, pyarrow, scipy, sqlite3\n" in said()
    assert "pyodide/releases" in said()
    assert "make wasm PYODIDE=folder" in said()


def test_arguments_of_emcc_become_those_of_the_linker(tmp_path):
    (tmp_path / "names").write_text("_PyInit__engine\n_malloc\n")
    (tmp_path / "more").write_text('"a.o"\n"b.rlib"\n')
    given = [
        *("-sEXPORTED_FUNCTIONS=@" + str(tmp_path / "names"), f"@{tmp_path / 'more'}", "-L/lib", "-lc"),
        *("-o", "out.wasm", "-s", "SIDE_MODULE=2", "-O3"),
    ]
    expected = ["--export=PyInit__engine", "a.o", "b.rlib", "-L/lib", "-o", "out.wasm"]
    assert wasm_linker.linked(given) == expected
    assert wasm_linker.linked(["-s", "EXPORTED_FUNCTIONS=['_PyInit_a', '_b']"]) == ["--export=PyInit_a"]


def test_few_tests_need_64_bits():
    marked = re.compile(r"^ *@pytest\.mark\.needs_64_bits\(\"[^\"]+\"\)$", re.M)
    found = [
        one for path in (ROOT / "tests").rglob("test_*.py") for one in marked.findall(path.read_text("utf-8"))
    ]
    assert len(found) <= 10


def test_every_test_that_is_left_out_was_run():
    marked = re.compile(
        r"^@pytest\.mark\.(?:thorough|one_case_in\(\d+\))\n(?:(?!def ).*\n)*?def (\w+)\(", re.M
    )
    names, known = (
        {
            ".".join([*path.relative_to(ROOT).with_suffix("").parts, name])
            for path in (ROOT / "tests").rglob("test_*.py")
            for name in which.findall(path.read_text("utf-8"))
        }
        for which in (marked, re.compile(r"^def (test_\w+)\(", re.M))
    )
    kept = json.loads(run_thorough.RESULT.read_text("utf-8"))
    assert kept["command"] == "make thorough"
    assert len(names) > 50
    # Single cases may be marked, too.
    assert names <= kept["passed"].keys() <= known


def test_why_a_test_was_skipped_is_read(tmp_path):
    tests = "pytest.skip('of a file', allow_module_level=True)", "def test(): pytest.skip('of a test')"
    for number, test in enumerate(tests):
        (tmp_path / f"test_{number}.py").write_text(f"import pytest\n{test}\n")
    command = [sys.executable, "-m", "pytest", "-q", f"--junitxml={tmp_path / 'found.xml'}", tmp_path]
    subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60)
    skipped = ElementTree.parse(tmp_path / "found.xml").iter("skipped")
    assert [*map(check_pythons.why, skipped)] == ["of a file", "of a test"]


def test_pip_inside_is_set_up_as_here(monkeypatch):
    """The root gets the variables, configuration and files with which pip reaches the index here."""
    said = "global.index-url='https://localhost/simple'\n:env:.timeout='9'\ninstall.prefer-binary='true'\n"
    monkeypatch.setattr(subprocess, "check_output", lambda *_, **__: said)
    monkeypatch.setattr(os, "environ", {"PIP_TIMEOUT": "9", "https_proxy": "x", "HOME": "/h", "PIPE": "no"})
    assert check_pythons.settings.__wrapped__() == {
        "PIP_INDEX_URL": "https://localhost/simple",
        "PIP_PREFER_BINARY": "true",
        "PIP_TIMEOUT": "9",
        "https_proxy": "x",
    }
    shared = check_pythons.shared(
        {"PIP_CERT": str(ROOT / "Cargo.toml"), "SSL_CERT_DIR": "/usr", "a": "/no/such"}
    )
    assert Path("/usr") in shared
    assert ROOT in shared
    assert not {ROOT / "Cargo.toml", Path("/no/such")} & {*shared}


def stated(name):
    return tomllib.loads(release_check.read(name))


def test_one_version_everywhere():
    assert release_check.check_version(stated("Cargo.toml")["package"]["version"]) == []
    assert len(release_check.check_version("9.9.9")) == 3
    assert "isn't a version" in release_check.check_version("9.9")[0]


@pytest.mark.parametrize(
    "page", ["README.md", "CONTRIBUTING.md", "docs/start/install.md", "docs/project/versions.md"]
)
def test_pages_state_what_is_needed(page):
    manifest, project = stated("Cargo.toml")["package"], stated("pyproject.toml")["project"]
    text = " ".join(release_check.read(page).split())
    python = project["requires-python"].removeprefix(">=")
    assert f"Python {python} or later" in text or f"Python | {python} |" in text
    rust = manifest["rust-version"]
    assert f"Rust {rust} or later" in text or f"| {rust} |" in text
    assert {*re.findall(r"The oldest Rust that builds it is ([\d.]+) ", text)} <= {rust}


CHANGELOG = "# Changelog\n\n## [0.2.0] - {date}\n\n- Something.\n\n## [0.1.0] - 2026-01-01\n\n- The first.\n"


@pytest.mark.parametrize(
    ("text", "version", "released", "found"),
    [
        (CHANGELOG.format(date="unreleased"), "0.2.0", False, None),
        (CHANGELOG.format(date="2026-02-03"), "0.2.0", True, None),
        (CHANGELOG.format(date="unreleased"), "0.2.0", True, "has no date"),
        (CHANGELOG.format(date="soon"), "0.2.0", False, "needs a date"),
        (CHANGELOG.format(date="unreleased"), "0.3.0", False, "no heading"),
        (
            CHANGELOG.replace("- Something.", "").format(date="unreleased"),
            "0.2.0",
            False,
            "nothing is written",
        ),
        (CHANGELOG.replace("0.1.0", "0.10.0").format(date="unreleased"), "0.2.0", False, "aren't in order"),
        (f"## [Unreleased]\n\n- New.\n\n{CHANGELOG}".format(date="2026-02-03"), "0.2.0", True, "isn't empty"),
    ],
)
def test_the_changelog_is_checked(text, version, released, found, monkeypatch):
    monkeypatch.setattr(release_check, "read", {"CHANGELOG.md": text}.__getitem__)
    wrong = release_check.check_changelog(version, released)
    assert wrong == [] if found is None else found in wrong[0]


def test_what_a_person_must_do_is_said_where_nothing_else_is_in_the_way(monkeypatch, capsys):
    def said(*options):
        monkeypatch.setattr(sys, "argv", ["release_check.py", *options])
        code = release_check.main()
        return code, capsys.readouterr().out.splitlines()

    code, lines = said()
    assert code == 0
    verdict, heading, *three = lines
    assert verdict.endswith(": can be released")
    assert heading == "what only a person can do:"
    assert [line[:2] for line in three] == ["1.", "2.", "3."]
    code, lines = said("--tag", "v0.0.1")
    assert code == 1
    assert lines[-1].endswith(" problems")


def test_the_changelog_of_this_version():
    version = stated("Cargo.toml")["package"]["version"]
    assert release_check.check_changelog(version, released=False) == []


def test_the_changelog_is_read_in_minutes():
    """A heading has at most a dozen short points; where names went is looked up on another page."""
    read = release_check.read("CHANGELOG.md")
    assert len(read.split()) < 700
    assert all(part.count("\n- ") <= 12 for part in re.split(r"\n##+ ", read))


@pytest.mark.parametrize(
    ("tags", "version", "tag", "found"),
    [
        ({}, "0.2.0", None, None),
        ({"v0.1.0": False}, "0.2.0", None, None),
        ({"v0.2.0": True}, "0.2.0", "v0.2.0", None),
        ({"v0.2.0": False}, "0.2.0", None, "another commit's tag"),
        ({"v0.10.0": False}, "0.2.0", None, "newer than"),
        ({"v0.2.1": True}, "0.2.0", "v0.2.1", "the tag is v0.2.1"),
    ],
)
def test_tags_are_checked(tags, version, tag, found, monkeypatch):
    def git(*words):
        return [name for name, here in tags.items() if here or "--points-at" not in words]

    monkeypatch.setattr(release_check, "git", git)
    wrong = release_check.check_tags(version, tag)
    assert wrong == [] if found is None else found in wrong[0]


def a_wheel(
    folder: Path, *, without: str = "", extra: str = "", name: str = "cp311-abi3-manylinux_2_17_x86_64"
) -> Path:
    """Write a valid wheel, except for one defect."""
    path = folder / f"provably_fair-0.2.0-{name}.whl"
    metadata = "License-Expression: MIT OR Apache-2.0\nRequires-Dist: numpy>=1.26\n"
    metadata += "Requires-Dist: dask ; extra == 'dask'\n"
    files = dict.fromkeys(release_check.sources(), "") | {"provably_fair/_engine.abi3.so": ""}
    info = "provably_fair-0.2.0.dist-info"
    files |= {f"{info}/METADATA": metadata, f"{info}/WHEEL": "", f"{info}/RECORD": ""}
    files |= {f"{info}/licenses/{license}": "" for license in release_check.LICENSES}
    files[f"{info}/sboms/provably_fair.cyclonedx.json"] = ""
    if extra:
        files[extra] = ""
    with zipfile.ZipFile(path, "w") as archive:
        for file, text in files.items():
            if not without or without not in file:
                archive.writestr(file, text)
    return path


@pytest.mark.parametrize(
    ("defect", "found"),
    [
        ({}, None),
        ({"without": "_engine.abi3"}, "one engine"),
        ({"without": "LICENSE-MIT"}, "lacks LICENSE-MIT"),
        ({"without": "METADATA"}, "doesn't state its license"),
        ({"without": "provably_fair/plot.py"}, "lacks provably_fair/plot.py"),
        ({"without": "ports/hashes.js"}, "lacks provably_fair/ports/hashes.js"),
        ({"without": "cyclonedx"}, "lacks its bill of materials"),
        ({"extra": "provably_fair/notes.txt"}, "holds provably_fair/notes.txt, which isn't in the source"),
        ({"extra": "tests/games/test_dice.py"}, "holds tests/games/test_dice.py, which isn't in the source"),
        ({"extra": "provably_fair/left_over.py"}, "which isn't in the source"),
        ({"name": "cp312-cp312-linux_x86_64"}, "every CPython"),
        ({"name": "cp311-abi3-pyemscripten_2026_0_wasm32"}, None),
        ({"name": "cp311-abi3-emscripten_5_0_3_wasm32"}, "isn't tagged as PEP 783 has it"),
    ],
)
def test_wheels_are_checked(defect, found, tmp_path):
    if not release_check.sources():
        pytest.skip("needs a clone, and git")
    wrong = release_check.check_wheel(a_wheel(tmp_path, **defect), "0.2.0")
    assert wrong == [] if found is None else any(found in problem for problem in wrong), wrong


def test_what_is_too_large_is_found(tmp_path, monkeypatch):
    """A wheel, and an engine where pages load it."""
    monkeypatch.setattr(release_check, "LARGEST", 10)
    monkeypatch.setattr(release_check, "LARGEST_IN_BROWSERS", -1)
    (small,) = release_check.check_wheel(a_wheel(tmp_path), "0.2.0")
    assert small.endswith("more than 10")
    wheel = a_wheel(tmp_path, name="cp311-abi3-pyemscripten_2026_0_wasm32")
    assert "bytes packed, more than" in " ".join(release_check.check_wheel(wheel, "0.2.0"))
