"""FPClub's dice in slow plain Python, independent of the package."""

from __future__ import annotations

import hashlib
import re
from itertools import product

# The record in FPClub's document, verbatim, including the die lost in print.
PRINTED_RECORD = """\
DH[b87c09208b90f00776b8978c1bd41ccc]MI[length:0][game:0][ws:0][bs:0]
DS[563543244323243325453254531336524624426445133531521165134614416635533415546436224553266
351431163456613214661261341252115461346425465416414361424453224425361315642156434655626416
413145333141111616345441213512551323356565643245354112421563344365531232126565363654156555
634613654661152652465625234651225564451433433622621512245445131454422342461221315231546353
316431651541264121523543534635534533524361645534144514625432643264643411245223362113516462
124142165136516545154352566164]
"""


def combine(a: int, b: int) -> int:
    return (a + b - 1) % 6 + 1


def dice_of_bytes(data: bytes) -> str:
    return "".join(str(byte % 6 + 1) for byte in data if byte < 252)


def md5_dice(seed: str, dice: int = 512) -> str:
    made, block = "", 0
    while len(made) < dice:
        made += dice_of_bytes(hashlib.md5(f"{seed}:{block}".encode()).digest())
        block += 1
    return made[:dice]


def position(text: str, index: int) -> tuple[int, int]:
    """The line and column of a character, counted from 1."""
    lines = re.split("\r\n|\r|\n", text[:index] + "x")
    return len(lines), len(lines[-1])


def digest(digits: str, algorithm: str) -> str:
    return hashlib.new(algorithm, digits.encode("ascii")).hexdigest()


def single_edits(digits: str) -> dict[str, list[tuple[str, int, int | None]]]:
    """All sequences one edit away, with the edits that produce them in ascending order."""
    edits: dict[str, list[tuple[str, int, int | None]]] = {}

    def add(result: str, *edit: str | int | None) -> None:
        edits.setdefault(result, []).append(edit)  # type: ignore[arg-type]

    for i, die in product(range(len(digits) + 1), range(1, 7)):
        add(digits[:i] + str(die) + digits[i:], "insert", i, die)
    for i, old in enumerate(digits):
        add(digits[:i] + digits[i + 1 :], "delete", i, int(old))
        for die in range(1, 7):
            if str(die) != old:
                add(digits[:i] + str(die) + digits[i + 1 :], "substitute", i, die)
    for i in range(len(digits) - 1):
        if digits[i] != digits[i + 1]:
            add(digits[:i] + digits[i + 1] + digits[i] + digits[i + 2 :], "swap", i, None)
    return edits
