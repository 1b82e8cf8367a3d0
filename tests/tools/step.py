"""Runs one step of a setup: prints its title, a line every 15 s, and the command's output if it fails.

python tests/tools/step.py "Building the engine, about 90 s" -- maturin develop --release
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time

EVERY = 15.0


def run(title: str, command: list[str]) -> int:
    """Run a command; return its exit code."""
    print(f"{title} ...", flush=True)
    began = time.monotonic()
    lines: list[str] = []
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    )
    assert process.stdout is not None
    reader = threading.Thread(target=lambda: lines.extend(process.stdout or ()))
    reader.start()
    while True:
        try:
            code = process.wait(EVERY)
            break
        except subprocess.TimeoutExpired:
            crates = sum("Compiling" in line for line in lines)
            compiled = f", {crates} crates begun" if crates else ""
            print(f"  {time.monotonic() - began:.0f} s{compiled}", flush=True)
    reader.join()
    if code:
        sys.stdout.writelines(lines)
        print(f"{title}: failed, exit code {code}: {' '.join(command)}", flush=True)
    else:
        print(f"  done in {time.monotonic() - began:.0f} s", flush=True)
    return code


if __name__ == "__main__":
    title, _, *command = sys.argv[1:]
    sys.exit(run(title, command))
