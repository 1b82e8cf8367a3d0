"""Run the tests that `make test` leaves out for the time they take, and keep what passed: `make thorough`.

Each is marked `thorough`: brute force, many simulations, every case of a table of which `make test` has some.
What is kept in `tests/vectors/thorough.json` must name them all, so that none is marked and never run. `make
thorough FILES="tests/cards tests/bets"` runs some again.
"""

import json
import platform
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from folders import ROOT, VECTORS

RESULT = VECTORS / "thorough.json"


def main(files: list[str]) -> None:
    """Run those of some files, or all; write how many cases of each test passed, unless one fails."""
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder, "found.xml")
        command = ["-m", "pytest", "-q", "-n", "auto", "--dist", "worksteal", "-m", "thorough", *files]
        done = subprocess.run([sys.executable, *command, f"--junitxml={found}"], cwd=ROOT)
        if done.returncode:
            sys.exit(done.returncode)
        passed: Counter[str] = Counter()
        for case in ElementTree.parse(found).iter("testcase"):
            name = f"{case.get('classname')}.{case.get('name')}".partition("[")[0]
            passed[name] += case.find("skipped") is None
    now = {"date": time.strftime("%Y-%m-%d"), "python": platform.python_version()}
    tests = json.loads(RESULT.read_text(encoding="utf-8"))["passed"] if files else {}
    tests |= {name: {"cases": cases, **now} for name, cases in passed.items()}
    kept = {"command": "make thorough", "passed": dict(sorted(tests.items()))}
    RESULT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    print(f"{sum(passed.values())} cases of {len(passed)} tests passed: {RESULT}")


if __name__ == "__main__":
    main(sys.argv[1:])
