"""Bundle the hashes of ports from npm: `make hashes`.

Writes python/provably_fair/ports/hashes.js, one constant HASHES, and hashes.json beside it: the package, its
version, its license and npm's checksum, what bundled it, and the bundle's own SHA-256. What stands in
hashes.json is taken again; `--version 2.4.0` takes another version.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import tempfile
from pathlib import Path

PORTS = Path(__file__).resolve().parents[2] / "python" / "provably_fair" / "ports"
KEPT, BUNDLE = PORTS / "hashes.json", PORTS / "hashes.js"
MODULES = json.loads((PORTS / "operations.json").read_text(encoding="utf-8"))["noble"]


def run(folder: Path, *command: str) -> None:
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


def main() -> None:
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--version", default=kept["version"])
    version = parser.parse_args().version
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "package.json").write_text("{}")
        wanted = (f"{kept['package']}@{version}", f"esbuild@{kept['esbuild']}")
        run(folder, "npm", "install", "--no-audit", "--no-fund", *wanted)
        lock = json.loads((folder / "package-lock.json").read_text(encoding="utf-8"))
        of = lock["packages"][f"node_modules/{kept['package']}"]
        if version == kept["version"] and kept["integrity"] not in ("", of["integrity"]):
            raise SystemExit(f"npm has another {wanted[0]} than before: {of['integrity']}")
        source = "".join(
            f'export {{ {", ".join(names)} }} from "{kept["package"]}/{module}.js";\n'
            for module, names in MODULES.items()
        )
        (folder / "hashes.js").write_text(source)
        run(
            folder,
            *("npx", "esbuild", "hashes.js", "--bundle", "--minify", "--format=iife"),
            *("--global-name=HASHES", "--charset=ascii", "--legal-comments=none", "--outfile=bundle.js"),
        )
        license_text = (folder / "node_modules" / kept["package"] / "LICENSE").read_text(encoding="utf-8")
        head = f"/*! {kept['package']} {version}\n\n{license_text.strip()}\n*/\n"
        text = head + (folder / "bundle.js").read_text(encoding="utf-8")
    BUNDLE.write_text(text, encoding="utf-8")
    data = {
        **kept,
        "version": version,
        "license": of["license"],
        "integrity": of["integrity"],
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
    }
    KEPT.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
    print(f"wrote {BUNDLE}: {kept['package']} {version}, {len(text):,} bytes")


if __name__ == "__main__":
    main()
