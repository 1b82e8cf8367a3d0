"""Other readings of a scheme: transformations of its definition in plain types."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

from provably_fair.seeds import Scheme
from provably_fair.seeds.schemes import kind_of

_Data = dict[str, Any]

# What may stand between fields, and what may stand after a text by mistake.
_SEPARATORS = {
    ":": "a colon",
    "-": "a hyphen",
    "": "nothing",
    ",": "a comma",
    "_": "an underscore",
    "|": "a bar",
}
_TAILS = {"\n": "a line feed", " ": "a blank", "\r\n": "a carriage return and a line feed"}
_ALGORITHMS = ("sha256", "sha512", "sha1", "md5", "sha384")
# Into what a digest may be cut: bits of a word.
_WORDS = {
    32: "4 bytes (8 hex digits)", 52: "13 hex digits", 20: "5 hex digits", 64: "8 bytes", 24: "3 bytes",
    40: "10 hex digits", 16: "2 bytes", 8: "1 byte",
}  # fmt: skip
_BELOW = {
    "scale": "times the range, floored", "modulo": "modulo", "reject": "modulo, passing over the rest",
    "multiply": "times the range in whole numbers",
}  # fmt: skip


def schemes_like(scheme: Scheme) -> Iterator[tuple[str, dict[str, str], Scheme]]:
    """Give other readings of a scheme: what is otherwise, the fields that change places, the scheme.

    There are none where a function makes the words: nothing is known of it that could be otherwise.
    """
    if scheme.function is not None:
        return
    seen = {scheme}
    for text, swapped, data in _readings(scheme):
        data["fields"] = list(scheme.fields)
        try:
            other = Scheme.from_dict(data)
        except (TypeError, ValueError):
            continue  # nothing that can be hashed, or cut
        if other not in seen:
            seen.add(other)
            yield text, swapped, other


def _readings(scheme: Scheme) -> Iterator[tuple[str, dict[str, str], _Data]]:
    data = scheme.to_dict()
    hash, key = data["hash"], data["hash"].get("key")
    # A message or key of several parts is changed part by part, and not as one text.
    text = isinstance(hash["message"], str)
    texts = [name for name in scheme.fields if kind_of(name) == "text"]

    def made(change: Any) -> _Data:
        copy = deepcopy(data)
        change(copy)
        return copy

    for one, other in itertools.combinations(texts, 2):
        swapped = {one: other, other: one}
        yield f"{one} and {other} swapped", swapped, made(lambda d, s=swapped: _rename(d, s))
    for name in texts:
        yield (
            f"the text of {name}, not its bytes",
            {},
            made(lambda d, n=name: _templates(d, lambda t: t.replace(f"{{{n}:bytes}}", f"{{{n}}}"))),
        )
        yield (
            f"the bytes that the hex digits of {name} stand for, not its text",
            {},
            made(lambda d, n=name: _templates(d, lambda t: t.replace(f"{{{n}}}", f"{{{n}:bytes}}"))),
        )
    yield (
        "the texts of all fields, not bytes",
        {},
        made(lambda d: _templates(d, lambda t: t.replace(":bytes}", "}"))),
    )
    if isinstance(key, str) and text:
        yield (
            "key and message exchanged",
            {},
            made(lambda d: d["hash"].update(message=key, key=hash["message"])),
        )
        for separator, called in _SEPARATORS.items():
            for joined in (key + separator + hash["message"], hash["message"] + separator + key):
                yield (
                    f"a plain hash of key and message joined by {called}, no HMAC",
                    {},
                    made(lambda d, m=joined: d.update(hash={"name": hash["name"], "message": m})),
                )
        for algorithm in ("sha256", "sha512"):
            yield (
                f"as key the {algorithm.upper()} of it, as a commitment is",
                {},
                made(lambda d, a=algorithm: d["hash"].update(key={"name": a, "message": key})),
            )
    elif isinstance(key, dict):
        yield (
            "as key the text that is hashed for it, itself",
            {},
            made(lambda d: d["hash"].update(key=key["message"])),
        )
    elif key is None and text and len(scheme.fields) > 1:
        first = f"{{{scheme.fields[0]}}}"
        for separator in _SEPARATORS:
            if hash["message"].startswith(first + separator) and hash["message"] != first:
                rest = hash["message"].removeprefix(first + separator)
                yield (
                    f"HMAC with {scheme.fields[0]} as key, no plain hash",
                    {},
                    made(lambda d, r=rest: d["hash"].update(message=r, key=first)),
                )
    for old, new in itertools.permutations(_SEPARATORS, 2):
        if text and old and "}" + old + "{" in hash["message"]:
            yield (
                f"fields joined by {_SEPARATORS[new]}",
                {},
                made(
                    lambda d, o=old, n=new: d["hash"].update(
                        message=hash["message"].replace("}" + o + "{", "}" + n + "{")
                    )
                ),
            )
    for tail, called in _TAILS.items():
        for name in texts:
            yield (
                f"{called} after {name}",
                {},
                made(
                    lambda d, n=name, t=tail: _templates(
                        d, lambda text: text.replace(f"{{{n}}}", f"{{{n}}}{t}")
                    )
                ),
            )
        if text:
            yield (
                f"{called} at the end of the message",
                {},
                made(lambda d, t=tail: d["hash"].update(message=hash["message"] + t)),
            )
    for name in texts:
        yield (
            f"a blank before {name}",
            {},
            made(lambda d, n=name: _templates(d, lambda text: text.replace(f"{{{n}}}", f" {{{n}}}"))),
        )
    for algorithm in _ALGORITHMS:
        yield (
            f"{algorithm.upper()} instead of {hash['name'].upper()}",
            {},
            made(lambda d, a=algorithm: d["hash"].update(name=a)),
        )
    if text and "{cursor}" in hash["message"]:
        for cursor in (scheme.first_cursor + 1, scheme.first_cursor - 1, 1):
            if cursor >= 0:
                yield f"cursors counted from {cursor}", {}, made(lambda d, c=cursor: d.update(first_cursor=c))
        for separator in _SEPARATORS:
            if hash["message"].endswith(separator + "{cursor}"):
                cut = hash["message"].removesuffix(separator + "{cursor}")
                yield (
                    "no cursor in the message",
                    {},
                    made(lambda d, m=cut: (d["hash"].update(message=m), d.pop("words", None))),
                )
        yield "all words of a digest used before the next cursor", {}, made(lambda d: d.pop("words", None))
        yield "one word of each digest", {}, made(lambda d: d.update(words=1))
    elif text and key is not None:
        for separator in (":", "-"):
            yield (
                f"a cursor at the end of the message, after {_SEPARATORS[separator]}",
                {},
                made(
                    lambda d, s=separator: (
                        d["hash"].update(message=hash["message"] + s + "{cursor}"),
                        d.update(words=1),
                    )
                ),
            )
    for bits, below in itertools.product(_WORDS, _BELOW):
        parts = []
        if bits != scheme.bits:
            parts.append(f"words of {_WORDS[bits]}")
        if below != scheme.below:
            parts.append(f"a word made one of n: {_BELOW[below]}")
        if parts:
            yield ", ".join(parts), {}, made(lambda d, b=bits, w=below: d.update(bits=b, below=w))


def _templates(data: _Data, change: Callable[[str], str]) -> None:
    """Change all templates of a scheme's hash."""

    def changed(hash: _Data) -> None:
        for name in ("message", "key"):
            if name in hash:
                hash[name] = part(hash[name])

    def part(value: Any) -> Any:
        if isinstance(value, list):
            return [part(one) for one in value]
        if isinstance(value, str):
            return change(value)
        changed(value)
        return value

    changed(data["hash"])


def _rename(data: _Data, names: dict[str, str]) -> None:
    """Let fields change places in all templates."""

    def change(template: str) -> str:
        for one in names:
            template = template.replace("{" + one + "}", "{\0" + one + "}").replace(
                "{" + one + ":", "{\0" + one + ":"
            )
        for one, other in names.items():
            template = template.replace("{\0" + one, "{" + other)
        return template

    _templates(data, change)
