"""Paths of tests and their tools."""

from pathlib import Path

TESTS = Path(__file__).resolve().parent
ROOT = TESTS.parent
VECTORS = TESTS / "vectors"
GALLERY = VECTORS / "gallery.json.gz"
CORPUS = ROOT / "corpus"
MEASUREMENTS = ROOT / "measurements"
IMAGES = TESTS / "images"
GOLDEN_WALKTHROUGHS = TESTS / "walkthrough" / "golden"
PYTHON = ROOT / "python"
LOGS = ROOT / "examples" / "logs"
NOTEBOOKS = ROOT / "notebooks"
