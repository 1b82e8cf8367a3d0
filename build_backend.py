"""The build backend: maturin, preceded by a check for a suitable Rust.

Without the check maturin would try to download Rust, and a hopeless build would end in pages of unrelated
errors. Wheels need neither this file nor Rust.
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
    """Return a line that says what is missing to build the engine; None if nothing is."""
    oldest = tomllib.loads(MANIFEST.read_text(encoding="utf-8"))["package"]["rust-version"]
    cargo = shutil.which("cargo")
    if cargo is None:
        return f"provably_fair is built with Rust {oldest} or later, and there is no cargo here: {CURE}"
    try:
        done = subprocess.run([cargo, "--version"], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"provably_fair is built with Rust {oldest} or later, and cargo doesn't run ({error}): {CURE}"
    version = re.search(r"(\d+)\.(\d+)", done.stdout)
    if done.returncode or not version:
        text = " ".join((done.stderr or done.stdout).split())
        return f"provably_fair is built with Rust {oldest} or later, and cargo doesn't run ({text}): {CURE}"
    if tuple(map(int, version.groups())) < tuple(map(int, oldest.split(".")))[:2]:
        return f"provably_fair is built with Rust {oldest} or later, and this is {version[0]}: {CURE}"
    return None


def maturin() -> Any:
    """Return maturin's backend, or exit with one line if it couldn't build."""
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
    """See PEP 517. Rust's build products stay outside of the source tree, and are removed."""
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
