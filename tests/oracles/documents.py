"""Reads the figures of the salted-round document, to check the vector files against it.

The document isn't part of the project. Without it, the vector files can't be checked.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(os.environ.get("PROVABLY_FAIR_DOCUMENTS", ROOT.parent / "shared" / "documents"))
SALTED_ROUNDS = FOLDER / "salted_rounds.ru.txt"


def walkthrough(text: str) -> dict:
    """The document's Mines walk-through: bytes, terms, sums, products and the shuffle."""
    lines = text.splitlines()
    cells = [[cell.strip() for cell in line.split("|") if cell.strip()] for line in lines]
    hex_rows = [row for row in cells if len(row) == 64 and all(len(cell) == 2 for cell in row)]
    blocks = []
    for line in lines:
        head = re.match(r"\((\d+(?:, \d+){7})\) -> \[0, ..., (\d+)\] = (\d+)", line)
        term = re.match(r"(?:\+ \| )?(0\.\d{18}) \| \(\d+ / \(256 \^ \d\)\)", line)
        total = re.match(r"= \| (0\.\d{18}) \| \(\* (\d+)\)", line)
        product = re.match(r"= \| (\d+)\. (\d+) \|", line)
        if head:
            block = [int(byte) for byte in head[1].split(", ")]
            blocks.append({"bytes": block, "terms": [], "index": int(head[3])})
        elif term:
            blocks[-1]["terms"].append(term[1])
        elif total:
            blocks[-1] |= {"sum": total[1], "factor": int(total[2])}
        elif product:
            blocks[-1]["product"] = f"{product[1]}.{product[2]}"
    shuffle = []
    for line in lines:
        row = re.match(r"(\d+) \| (\d+) \| \[([\d, ]+)\] \| \[([\d, ]+)\] \|", line)
        if row:
            before, after = ([int(cell) for cell in part.split(",")] for part in row.groups()[2:])
            shuffle.append({"step": int(row[1]), "index": int(row[2]), "left": before, "permutation": after})
    return {"digests": ["".join(row) for row in hex_rows], "numbers": blocks, "shuffle": shuffle}


def constant_seed_blocks(text: str) -> dict[str, list[int]]:
    """The block numbers of each game's constant server and client seeds, in that order."""
    found: dict[str, list[int]] = {}
    for name, height in re.findall(r"^- (\w+) - блок #(\d+)", text, flags=re.MULTILINE):
        found.setdefault(name.lower(), []).append(int(height))
    return found
