"""Runs in Pyodide: the corpus, the README's examples, or files of tests.

`check_wasm.py` starts it with a file, to which what passed and what failed is written as JSON. A release's
wheel is tested with the corpus; then the file is "-", and nothing is written.
"""

import json
import os
import platform
import sys
import tempfile
from collections import Counter
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
sys.path.extend(["/package", "/site", str(SOURCE / "tests"), str(SOURCE / "corpus")])


def corpus() -> dict[str, object]:
    """Recompute every published round; as many of each series must be right as are on any other system."""
    import numpy
    import provably_fair
    import recompute
    import series

    kept = json.loads((SOURCE / "corpus" / "recomputed.json").read_text(encoding="utf-8"))["series"]
    found = [recompute.recompute(one) for one in series.every()]
    expected = {name: (one["rows"], one["right"]) for name, one in kept.items()}
    got = {one.name: (one.rows, one.right) for one in found}
    wrong = [name for name in got.keys() | expected.keys() if got.get(name) != expected.get(name)]
    rows, right = (sum(counts) for counts in zip(*got.values(), strict=True))
    return {
        "passed": {"series": len(got), "rounds": rows, "right": right},
        "failed": [f"{name}: {got.get(name)} instead of {expected.get(name)}" for name in sorted(wrong)],
        "said": f"{right:,} of {rows:,} rounds of {len(got)} series are right, as they are elsewhere",
        "versions": {
            "provably_fair": provably_fair.__version__,
            "pyodide": sys.modules["pyodide"].__version__,
            "python": platform.python_version(),
            "numpy": numpy.__version__,
        },
    }


def readme() -> dict[str, object]:
    """Run the README's Python, as one session, and the demo."""
    from provably_fair._cli_entry import main
    from test_pages import Page, blocks_of

    failed, passed = [], 0
    with tempfile.TemporaryDirectory() as folder:
        page = Page(SOURCE / "README.md", Path(folder))
        os.chdir(page.folder)
        for block in blocks_of(page.path.read_text(encoding="utf-8")):
            if block.language != "python":
                continue
            try:
                page.python(block)
                passed += 1
            except BaseException as error:
                failed.append(f"README.md line {block.line}: {type(error).__name__}: {error}")
        if main(["demo"]):
            failed.append("the demo")
        os.chdir("/")
    return {"passed": passed, "failed": failed, "said": f"{passed} of the README's blocks, and the demo"}


class Counted:
    """A plugin of pytest that counts."""

    def __init__(self) -> None:
        self.passed, self.skipped, self.failed = Counter(), Counter(), []

    def pytest_runtest_logreport(self, report) -> None:
        if report.failed:
            self.failed.append(report.nodeid)
        elif report.skipped and report.longrepr:
            self.skipped[report.longrepr[2].removeprefix("Skipped: ")] += 1
        elif report.when == "call":
            self.passed[report.nodeid.partition("::")[0]] += 1

    def pytest_collectreport(self, report) -> None:
        if report.failed:
            self.failed.append(report.nodeid)


def tests(*names: str) -> dict[str, object]:
    """Run files of tests."""
    import pytest

    os.chdir(SOURCE)
    counted = Counted()
    # There are no threads that could stop a test, and no files without a name, which capture would need.
    options = ("-p", "no:cacheprovider", "-o", "faulthandler_timeout=0", "--capture=sys", "-q", "--tb=short")
    pytest.main([*options, *names], plugins=[counted])
    passed, skipped, failed = counted.passed, counted.skipped, counted.failed
    said = f"{passed.total()} passed, {skipped.total()} skipped, {len(failed)} failed"
    return {"passed": dict(passed), "skipped": dict(skipped), "failed": failed, "said": said}


if __name__ == "__main__":
    result, job, *names = sys.argv[1:]
    found = {"corpus": corpus, "readme": readme, "tests": tests}[job](*names)
    if result != "-":
        Path(result).write_text(json.dumps(found), encoding="utf-8")
    print(found["said"], *found["failed"], sep="\n")
    sys.exit(1 if found["failed"] else 0)
