"""Runs NIST's statistical test suite on the bytes of standard input: ``python nist.py ASSESS SEQUENCES``.

A program of its own, beside the suite's: this asks its questions on a terminal, reads a file, and writes its
tables into folders that must be there. All of it happens in a folder that is removed again.
"""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

__all__: list[str] = []

BITS = 1_000_000
"""Of each sequence, as SP 800-22 recommends for the tests that need most."""

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
        # A file of its own, all tests, no changed parameters, the number of sequences, bits as bytes.
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
        # Some versions end with 1 though all went well: the report is what counts.
        print(report.read_text(encoding="ascii", errors="replace"))


if __name__ == "__main__":
    # Ended from outside, it ends the suite's program and removes the folder.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    main(*sys.argv[1:])
