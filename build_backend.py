"""The build backend: maturin, after a look whether there is a Rust to build the engine with.

Without this look maturin would try to fetch a Rust of its own, and a build that can't succeed would end in
pages of somebody else's errors. Wheels need neither this file nor Rust.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

Settings = dict[str, Any] | None

MANIFEST = Path(__file__).resolve().parent / "Cargo.toml"
CURE = "install Rust from https://rustup.rs, or install a wheel, which needs none"


def missing_rust() -> str | None:
    """Say what is missing to build the engine, in one line; None if nothing is."""
    oldest = tomllib.loads(MANIFEST.read_text(encoding="utf-8"))["package"]["rust-version"]
    cargo = shutil.which("cargo")
    if cargo is None:
        return f"provably_fair is built with Rust {oldest} or later, and there is no cargo here: {CURE}"
    try:
        done = subprocess.run([cargo, "--version"], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"provably_fair is built with Rust {oldest} or later, and cargo doesn't run ({error}): {CURE}"
    found = re.search(r"(\d+)\.(\d+)", done.stdout)
    if done.returncode or not found:
        said = " ".join((done.stderr or done.stdout).split())
        return f"provably_fair is built with Rust {oldest} or later, and cargo doesn't run ({said}): {CURE}"
    if tuple(map(int, found.groups())) < tuple(map(int, oldest.split(".")))[:2]:
        return f"provably_fair is built with Rust {oldest} or later, and this is {found[0]}: {CURE}"
    return None


def maturin() -> Any:
    """Return maturin's backend; end here, with one line, if it couldn't build."""
    if problem := missing_rust():
        sys.exit(problem)
    import maturin as backend

    return backend


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    """See PEP 517."""
    return maturin().get_requires_for_build_wheel(config_settings)


def get_requires_for_build_editable(config_settings: Settings = None) -> list[str]:
    """See PEP 660."""
    return maturin().get_requires_for_build_editable(config_settings)


def get_requires_for_build_sdist(config_settings: Settings = None) -> list[str]:
    """See PEP 517."""
    return maturin().get_requires_for_build_sdist(config_settings)


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Settings = None) -> str:
    """See PEP 517."""
    return maturin().prepare_metadata_for_build_wheel(metadata_directory, config_settings)


def prepare_metadata_for_build_editable(metadata_directory: str, config_settings: Settings = None) -> str:
    """See PEP 660."""
    return maturin().prepare_metadata_for_build_editable(metadata_directory, config_settings)


def build_wheel(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    """See PEP 517. What Rust builds on the way stays outside of the source, and isn't kept."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("CARGO_TARGET_DIR", folder)
        return maturin().build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    """See PEP 660."""
    return maturin().build_editable(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    """See PEP 517."""
    return maturin().build_sdist(sdist_directory, config_settings)
