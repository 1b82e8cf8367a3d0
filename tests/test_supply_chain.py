"""Dependencies come from crates.io alone, under licenses that `deny.toml` allows."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tomllib

import pytest
from folders import ROOT

pytestmark = pytest.mark.skipif(not (ROOT / "deny.toml").exists(), reason="needs the source's folder")


def read(name: str) -> dict:
    return tomllib.loads((ROOT / name).read_text(encoding="utf-8"))


def allowed(expression: str, allow: set[str]) -> bool:
    """Whether a license expression can be satisfied; older crates write a slash for OR."""
    words = re.findall(r"[()]|[^\s()]+(?: WITH [^\s()]+)?", expression.replace("/", " OR "))
    python = {"(": "(", ")": ")", "OR": "or", "AND": "and"}
    return eval(" ".join(python.get(word, str(word in allow)) for word in words))


def test_expressions():
    allow = {"MIT", "Unicode-3.0"}
    assert allowed("MIT", allow)
    assert allowed("GPL-3.0 OR MIT", allow)
    assert allowed("(MIT OR Apache-2.0) AND Unicode-3.0", allow)
    assert allowed("Apache-2.0/MIT", allow)
    assert not allowed("MIT WITH Font-exception", allow)
    assert not allowed("MIT AND GPL-3.0", allow)
    assert not allowed("(MIT OR Apache-2.0) AND BSL-1.0", allow)


@pytest.mark.parametrize("lock", ["Cargo.lock", "fuzz/Cargo.lock"])
def test_sources(lock):
    """Each crate is either local or from crates.io with a checksum."""
    registries = read("deny.toml")["sources"]["allow-registry"]
    for package in read(lock)["package"]:
        if "source" not in package:
            assert package["name"].startswith("provably_fair")
            continue
        assert package["source"].removeprefix("registry+") in registries, package
        assert len(package["checksum"]) == 64, package


@pytest.mark.skipif(shutil.which("cargo") is None, reason="needs cargo")
def test_licenses():
    command = ["cargo", "metadata", "--offline", "--locked", "--format-version", "1", "--features", "python"]
    host = re.search(r"host: (\S+)", subprocess.check_output(["rustc", "-vV"], text=True))
    # Crates for other systems may not be on this machine.
    done = subprocess.run(
        [*command, "--filter-platform", host[1]], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    if done.returncode:
        pytest.skip(f"cargo metadata: {done.stderr.strip().splitlines()[-1]}")
    allow = set(read("deny.toml")["licenses"]["allow"])
    packages = json.loads(done.stdout)["packages"]
    assert len(packages) > 30
    wrong = {p["name"]: p["license"] for p in packages if not allowed(p["license"] or "none", allow)}
    assert not wrong
