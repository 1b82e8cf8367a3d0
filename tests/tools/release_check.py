"""Tells whether this source can be released: version, changelog, tags, wheels, licenses, the built site.

`release_check.py [--dist dist] [--site build/site] [--tag v1.2.3]`. With `--tag`, as in the release workflow,
the tag must match the version, and the changelog must have its date. Uses the standard library only.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LARGEST = 8_000_000
# The largest extension that a page has to load, in bytes as it is packed.
LARGEST_IN_BROWSERS = 3_000_000
# Files in a wheel besides those of the source: the engine, and what installers and auditors read.
BUILT = re.compile(
    r"provably_fair/_engine(?:\.abi3)?\.(?:so|pyd)"
    r"|provably_fair-[^/]+\.dist-info/(?:METADATA|WHEEL|RECORD|entry_points\.txt|licenses/LICENSE-\w+"
    r"|sboms/[\w.]+\.json)"
)
LICENSES = {"LICENSE-MIT", "LICENSE-APACHE"}
# Steps that no program can take, in order.
BY_HAND = """\
what only a person can do:
1. on PyPI, claim the name provably_fair by a trusted publisher: this repository, wheels.yml, environment pypi
2. on GitHub, make the environment pypi with a reviewer for it, and turn on private security advisories
3. date [{version}] in CHANGELOG.md, commit, tag: git tag -s v{version} && git push origin main v{version}"""
HEADING = re.compile(r"^## \[([^\]]+)\](?: - (\S+))?$", re.MULTILINE)


def read(name: str) -> str:
    """Return the text of a source file."""
    return (ROOT / name).read_text(encoding="utf-8")


def git(*words: str) -> list[str]:
    """Return the output lines of git; none outside a clone."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.splitlines() if done.returncode == 0 else []


def parts(version: str) -> tuple[int, ...]:
    """Return the numbers of a version."""
    return tuple(int(part) for part in version.split("."))


def check_version(version: str) -> list[str]:
    """Compare every statement of the version with Cargo.toml."""
    wrong = []
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        wrong.append(f"Cargo.toml: {version} isn't a version of three numbers")
    for lock in ("Cargo.lock", "fuzz/Cargo.lock"):
        stated = [p["version"] for p in tomllib.loads(read(lock))["package"] if p["name"] == "provably_fair"]
        if stated != [version]:
            wrong.append(f"{lock}: states {', '.join(stated)}, Cargo.toml {version}")
    cited = re.search(r"^version: \"?([\d.]+)\"?$", read("CITATION.cff"), re.MULTILINE)
    if not cited or cited[1] != version:
        wrong.append(f"CITATION.cff: states {cited and cited[1]}, Cargo.toml {version}")
    return wrong


def check_changelog(version: str, released: bool) -> list[str]:
    """Check that the version has its section, and nothing unreleased above it."""
    text = read("CHANGELOG.md")
    headings = list(HEADING.finditer(text))
    ends = [heading.start() for heading in headings[1:]] + [len(text)]
    sections = {h[1]: (h[2], text[h.end() : end].strip()) for h, end in zip(headings, ends, strict=True)}
    if version not in sections:
        return [f"CHANGELOG.md: no heading '## [{version}] - DATE'"]
    wrong = []
    date, section = sections[version]
    if not section:
        wrong.append(f"CHANGELOG.md: nothing is written under [{version}]")
    if date != "unreleased" and not re.fullmatch(r"\d{4}-\d\d-\d\d", date or ""):
        wrong.append(f"CHANGELOG.md: [{version}] needs a date, or 'unreleased' until there is one")
    if released and date == "unreleased":
        wrong.append(f"CHANGELOG.md: [{version}] is released, but has no date")
    if released and sections.get("Unreleased", (None, ""))[1]:
        wrong.append("CHANGELOG.md: [Unreleased] isn't empty")
    numbered = [heading[1] for heading in headings if heading[1] != "Unreleased"]
    if numbered != sorted(numbered, key=parts, reverse=True):
        wrong.append("CHANGELOG.md: versions aren't in order, the newest first")
    return wrong


def check_tags(version: str, tag: str | None) -> list[str]:
    """Check that the version is new, or that this is its own tag."""
    wrong = []
    if tag is not None and tag != f"v{version}":
        wrong.append(f"the tag is {tag}, the version {version}")
    if tag is None and f"v{version}" in git("tag") and f"v{version}" not in git("tag", "--points-at", "HEAD"):
        wrong.append(f"v{version} is another commit's tag: the version must be raised")
    others = [tag for tag in git("tag", "--list", "v*") if re.fullmatch(r"v\d+\.\d+\.\d+", tag)]
    newer = [other for other in others if parts(other[1:]) > parts(version)]
    return wrong + [f"{other} is newer than {version}" for other in newer]


def sources() -> set[str]:
    """Return the files of both packages, code and data, under their names in a wheel."""
    return {name.removeprefix("python/") for name in git("ls-files", "python")}


def check_wheel(path: Path, version: str) -> list[str]:
    """Check a wheel's name, size and contents."""
    wrong = []
    if not re.fullmatch(rf"provably_fair-{re.escape(version)}-cp311-abi3-[\w.]+\.whl", path.name):
        wrong.append("isn't a wheel of this version for every CPython from 3.11 on")
    if path.stat().st_size > LARGEST:
        wrong.append(f"has {path.stat().st_size:,} bytes, more than {LARGEST:,}")
    with zipfile.ZipFile(path) as archive:
        names = {name for name in archive.namelist() if not name.endswith("/")}
        engines = {
            name: archive.getinfo(name).compress_size for name in names if name.endswith((".so", ".pyd"))
        }
        metadata = next((archive.read(name).decode() for name in names if name.endswith("/METADATA")), "")
    extra = sorted(name for name in names - sources() if not BUILT.fullmatch(name)) if sources() else []
    wrong += [f"holds {name}, which isn't in the source" for name in extra]
    wrong += [f"lacks {name}" for name in sorted(sources() - names)]
    if not any(name.endswith(".cyclonedx.json") for name in names):
        wrong.append("lacks its bill of materials")
    if len(engines) != 1:
        wrong.append("must hold one engine")
    if path.stem.endswith("wasm32"):
        if not re.search(r"-pyemscripten_\d+_\d+_wasm32$", path.stem):
            wrong.append("isn't tagged as PEP 783 has it")
        wrong += [
            f"{name} has {size:,} bytes packed, more than {LARGEST_IN_BROWSERS:,}"
            for name, size in engines.items()
            if size > LARGEST_IN_BROWSERS
        ]
    if missing := LICENSES - {name.rpartition("/")[2] for name in names}:
        wrong.append(f"lacks {', '.join(sorted(missing))}")
    if "License-Expression: MIT OR Apache-2.0" not in metadata:
        wrong.append("doesn't state its license")
    needed = re.findall(r"^Requires-Dist: ([^;\n]+)$", metadata, re.MULTILINE)
    if [name for name in needed if not name.startswith("numpy")]:
        wrong.append(f"needs more than numpy: {', '.join(needed)}")
    return [f"{path.name}: {problem}" for problem in wrong]


def check_sdist(path: Path, version: str) -> list[str]:
    """Check that a source archive is complete, and contains no build products."""
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    needed = {
        "Cargo.toml",
        "Cargo.lock",
        "pyproject.toml",
        "build_backend.py",
        "src/lib.rs",
        "PKG-INFO",
        *LICENSES,
    }
    wrong = [f"lacks {name}" for name in sorted(needed - names)]
    wrong += [
        f"holds {name}" for name in sorted(names) if name.endswith((".so", ".pyd")) or "target/" in name
    ]
    if path.name != f"provably_fair-{version}.tar.gz":
        wrong.append("isn't of this version")
    return [f"{path.name}: {problem}" for problem in wrong]


def check_dist(folder: Path, version: str) -> list[str]:
    """Check the files to upload."""
    files = sorted(path for path in folder.glob(f"provably_fair-{version}*"))
    if not any(path.suffix == ".whl" for path in files):
        return [f"{folder}: no wheel of {version}; `make wheel` builds one"]
    wrong = []
    for path in files:
        wrong += check_wheel(path, version) if path.suffix == ".whl" else check_sdist(path, version)
    return wrong


def check_site(folder: Path, version: str) -> list[str]:
    """Check that the site was built from this version."""
    index = folder / "index.html"
    if not index.exists():
        return [f"{folder}: no site; `make docs` builds it"]
    options = folder / "_static" / "documentation_options.js"
    if f"VERSION: '{version}'" not in options.read_text(encoding="utf-8"):
        return [f"{folder}: the site is of another version than {version}"]
    return []


def main() -> int:
    """Print the obstacles to a release; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dist", type=Path, help="check the wheels and the source archive of this folder")
    parser.add_argument("--site", type=Path, help="check the site in this folder")
    parser.add_argument("--tag", help="the tag that is being published")
    options = parser.parse_args()
    version = tomllib.loads(read("Cargo.toml"))["package"]["version"]
    wrong = check_version(version) + check_changelog(version, options.tag is not None)
    wrong += check_tags(version, options.tag)
    if options.dist:
        wrong += check_dist(options.dist, version)
    if options.site:
        wrong += check_site(options.site, version)
    for problem in wrong:
        print(problem)
    print(f"{version}: {'can be released' if not wrong else f'{len(wrong)} problems'}")
    if not wrong and options.tag is None:
        print(BY_HAND.format(version=version))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
