"""Measure how often a block's change is found: logs of operators' games, one field of one block changed.

Run: python measurements/measure_blocks.py [count] [seed]
"""

from __future__ import annotations

import json
import math
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import provably_fair as pf
from provably_fair.readings.known import known_games
from provably_fair.seeds.schemes import kind_of, spelled

HEX, TEXT = "0123456789abcdef", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
BITS = 60
WRONG = ("another game", "chosen", "random")


class Made(NamedTuple):
    """A made log: its game, its columns, the change, its field and the field's value before the change."""

    game: Any
    log: dict[str, list[Any]]
    change: str
    field: str
    value: object
    begin: int
    end: int
    bits: float


def _value(source: random.Random, game: Any, name: str, kind: str) -> str:
    if name in spelled(game.scheme) or "seed" not in name or kind == "server_seed":
        return "".join(source.choices(HEX, k=64))
    form = source.choice(("letters", "number", "date", "zero", "accents", "hex"))
    return {
        "letters": "".join(source.choices(TEXT, k=source.randint(6, 20))),
        "number": str(source.randrange(2**53, 2**56) | 1),
        "date": f"{source.randint(1, 12)}-{source.randint(1, 28)}",
        "zero": "0" + "".join(source.choices("0123456789", k=9)),
        "accents": "".join(source.choices(TEXT, k=8)) + "é" + "".join(source.choices("äöüñ", k=2)),
        "hex": "".join(source.choices(HEX, k=16)),
    }[form]


def _typed(source: random.Random, text: str) -> dict[str, str]:
    """Return a text after each change that it may have, by the change's name."""
    at = source.randrange(len(text))
    pair = source.randrange(max(len(text) - 1, 1))
    letters = HEX if set(text) <= set(HEX) else TEXT
    made = {
        "replaced": text[:at] + source.choice(letters) + text[at + 1 :],
        "missing": text[:at] + text[at + 1 :],
        "doubled": text[:at] + text[at] + text[at:],
        "exchanged": text[:pair] + text[pair + 1 : pair + 2] + text[pair] + text[pair + 2 :],
        "blank before": f" {text}",
        "blank behind": f"{text} ",
        "upper": text.upper() if sum(map(str.isalpha, text)) <= 14 or letters == HEX else text,
        "lower": text.lower() if sum(map(str.isalpha, text)) <= 14 or letters == HEX else text,
        "quotes": f'"{text}"',
        "0x": f"0x{text}",
        "line end": f"{text}\n",
        "latin 1": text.encode().decode("latin-1"),
    }
    if text.isdigit() and text.startswith("0"):
        made["zero eaten"] = text.lstrip("0")
    if text.isdigit() and int(text) >= 2**53:
        made["float"] = str(int(float(text)))
    if "-" in text and len(text) <= 5:
        month, day = map(int, text.split("-"))
        names = "JanFebMarAprMayJunJulAugSepOctNovDec"
        made["date eaten"] = f"{day}-{names[3 * month - 3 : 3 * month]}"
    return {name: value for name, value in made.items() if value != text}


def games() -> list[Any]:
    """Return the operators' games whose logs have server seeds, client seeds and nonces, or such."""
    return [
        game
        for game in known_games()
        if not hasattr(game, "table")
        and not game.scheme.defaults
        and {"server_seed", "client_seed"} <= set(game.scheme.fields)
        and all(
            kind_of(game.scheme, name) == "number"
            or (kind_of(game.scheme, name) == "text" and "seed" in name)
            for name in game.scheme.fields
        )
    ]


def make(source: random.Random, known: list[Any], least: int, most: int, wrong: str = "") -> Made | None:
    """Return a made log; None if the change changes nothing."""
    game, rows = source.choice(known), source.randint(least, most)
    fields = list(game.scheme.fields)
    texts = [name for name in fields if kind_of(game.scheme, name) == "text"]
    numbers = [name for name in fields if kind_of(game.scheme, name) == "number"]
    begins, at = [], 0
    while at < rows:
        begins.append(at)
        at += source.randint(rows // 40 + 5, rows // 6 + 10)
    ends = [*begins[1:], rows]
    columns: dict[str, list[Any]] = {name: [] for name in fields}
    client = ""
    for begin, end in zip(begins, ends, strict=True):
        if not client or source.random() < 0.7:
            client = _value(source, game, "client_seed", "")
        for name in texts:
            value = client if name == "client_seed" else _value(source, game, name, "server_seed")
            columns[name] += [value] * (end - begin)
        for name in numbers:
            start = source.randint(0, 300)
            columns[name] += range(start, start + end - begin)
    try:
        outcomes = np.asarray(game.play(**columns))
    except (TypeError, ValueError):
        return None
    log = {name: list(cells) for name, cells in columns.items()} | {"outcome": outcomes.tolist()}
    which = source.randrange(len(begins))
    begin, end = begins[which], ends[which]
    part = source.choice(("all", "all", "begin", "end", "middle"))  # of the rows with these seeds
    if end - begin < 12:
        part = "all"
    if part in ("end", "middle"):
        begin = source.randint(begin, end - 5)
    if part in ("begin", "middle"):
        end = source.randint(begin + 5, end)
    _, counts = np.unique(outcomes.reshape(rows, -1), axis=0, return_counts=True)
    bits = -math.log2(max((counts**2).sum() / rows**2, 1e-9)) * (end - begin)
    span = slice(begin, end)
    field, value, change = "outcome", None, wrong
    if wrong == "another game":
        form = game.scheme.fields, game.shape, game.dtype
        others = [one for one in known if (one.scheme.fields, one.shape, one.dtype) == form and one != game]
        if not others:
            return None
        other = source.choice(others)
        some = {name: columns[name][span] for name in fields}
        log["outcome"][span] = np.asarray(other.play(**some)).tolist()
    elif wrong == "chosen":
        log["outcome"][span] = [outcomes[source.randrange(rows)].tolist()] * (end - begin)
    elif wrong == "random":
        log["outcome"][span] = [outcomes[source.randrange(rows)].tolist() for _ in range(begin, end)]
    elif numbers and source.random() < 0.15:
        by = source.choice((-1, 1, 1, 2, -2, 100, -7))
        field, change = numbers[-1], "shifted"
        value = f"{field} {'+' if by < 0 else '-'} {abs(by)}"
        log[field][span] = [max(cell + by, 0) for cell in columns[field][span]]
        if min(columns[field][span]) + by < 0:
            return None
    elif len(texts) > 1 and source.random() < 0.08:
        one, two = texts[:2]
        field, change, value = one, "seeds exchanged", columns[one][begin]
        log[one][span], log[two][span] = columns[two][span], columns[one][span]
    else:
        field = source.choice(texts)
        value = columns[field][begin]
        typed = _typed(source, value)
        if begin > begins[which] or end < ends[which]:  # the other rows have the right value
            if begin == begins[which] > 0 and columns[field][begin - 1] != value:
                typed["value before"] = columns[field][begin - 1]
            if end == ends[which] < rows and columns[field][end] != value:
                typed["value after"] = columns[field][end]
        change = source.choice(list(typed))
        log[field][span] = [typed[change]] * (end - begin)
    return Made(game, log, change, field, value, begin, end, bits)


def judge(made: Made) -> str:
    """Return whether the report is right about a made log, or how it isn't."""
    report = pf.verify(made.log, made.game)
    if report.failed < 3:
        return "few"
    rows = [failure.row for failure in report.failures] if report.failed <= 10_000 else []
    ends = (rows[0], rows[-1]) if rows else None
    if made.change in WRONG:
        return "explained away" if any(block.cure for block in report.blocks) else "right"
    named = [block for block in report.blocks if block.cure]
    if not named:
        return "missed"
    (block, *others) = named
    if others or (ends is not None and (block.first, block.last) != ends) or block.failed != report.failed:
        return "other block"
    return "right" if block.cure.get(made.field) == made.value else "wrong"


def measure(count: int, seed: int = 1, least: int = 500, most: int = 20_000) -> dict[str, Any]:
    """Return how many made logs are judged how, by the change, and the odd ones."""
    source, known = random.Random(seed), games()
    found: Counter[tuple[str, str]] = Counter()
    odd = []
    while found.total() < count:
        made = make(source, known, least, most, source.choice(WRONG) if source.random() < 1 / 3 else "")
        if made is None or made.bits < BITS:
            continue
        verdict = judge(made)
        if verdict == "few":
            continue
        found[made.change, verdict] += 1
        if verdict != "right":
            where = f"rows {made.begin} to {made.end}, {made.bits:.0f} bits"
            odd.append(f"{made.game}: {made.change} in {made.field}, not {made.value}, {where}: {verdict}")
    by_change = {f"{change}: {verdict}": n for (change, verdict), n in sorted(found.items())}
    return {"logs": count, "by_change": by_change, "odd": odd}


if __name__ == "__main__":
    given = list(map(int, sys.argv[1:]))
    result = measure(*(given or [3000]))
    print(json.dumps(result, indent=1))
    if not given:
        Path(__file__).with_name("blocks.json").write_text(json.dumps(result, indent=1) + "\n")
