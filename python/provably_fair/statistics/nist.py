"""Runs NIST's statistical test suite on the bytes of standard input: ``python nist.py ASSESS SEQUENCES``.

A separate program, because the suite reads answers from a terminal, reads its data from a file, and writes
its tables into folders that must exist. All of that happens in a temporary folder.
"""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

__all__: list[str] = []

BITS = 1_000_000
"""The length of a sequence in bits; SP 800-22 recommends it for its most demanding tests."""

TESTS = [
    "ApproximateEntropy",
    "BlockFrequency",
    "CumulativeSums",
    "FFT",
    "Frequency",
    "LinearComplexity",
    "LongestRun",
    "NonOverlappingTemplate",
    "OverlappingTemplate",
    "RandomExcursions",
    "RandomExcursionsVariant",
    "Rank",
    "Runs",
    "Serial",
    "Universal",
]


def main(assess: str, sequences: str) -> None:
    """Write the input to a file, let the suite test it, and print its final report."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        left = int(sequences) * BITS // 8
        with (folder / "words").open("wb") as out:
            while left:
                part = sys.stdin.buffer.read(min(left, 1 << 20))
                if not part:
                    raise EOFError("the stream ended before the last sequence")
                out.write(part)
                left -= len(part)
        experiments = folder / "experiments" / "AlgorithmTesting"
        for test in TESTS:
            (experiments / test).mkdir(parents=True)
        os.symlink(Path(assess).resolve().parent / "templates", folder / "templates")
        # Answers: own file, all tests, default parameters, the number of sequences, bits as bytes.
        answers = f"0\nwords\n1\n0\n{sequences}\n1\n"
        done = subprocess.run(
            [Path(assess).resolve(), str(BITS)],
            input=answers,
            cwd=folder,
            capture_output=True,
            text=True,
        )
        report = experiments / "finalAnalysisReport.txt"
        if not report.exists():
            sys.exit(f"{done.stdout[-300:]}{done.stderr[-300:]}")
        # Some versions exit with 1 on success, so only the report counts.
        print(report.read_text(encoding="ascii", errors="replace"))


if __name__ == "__main__":
    # When terminated from outside, end the suite's program and remove the folder.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    main(*sys.argv[1:])
