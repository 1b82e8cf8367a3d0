"""Alternative readings of a scheme: transformations of its definition in plain types."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

from provably_fair.seeds import Scheme
from provably_fair.seeds.schemes import kind_of

_Data = dict[str, Any]

# Separators between fields, and characters mistakenly appended to a text.
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
# Units into which a digest may be cut, by the bits of a word.
_WORDS = {
    32: "4 bytes (8 hex digits)", 52: "13 hex digits", 20: "5 hex digits", 64: "8 bytes", 24: "3 bytes",
    40: "10 hex digits", 16: "2 bytes", 8: "1 byte",
}  # fmt: skip
_BELOW = {
    "scale": "times the range, floored", "modulo": "modulo", "reject": "modulo, passing over the rest",
    "multiply": "times the range in whole numbers",
}  # fmt: skip


def schemes_like(scheme: Scheme) -> Iterator[tuple[str, dict[str, str], Scheme]]:
    """Yield alternatives, none for unknown parts: a phrase for the difference, fields swapped, the scheme."""
    if scheme.function is not None:
        return
    seen = {scheme}
    for text, swapped, data in _readings(scheme):
        try:
            other = Scheme.from_dict(data | {"fields": list(scheme.fields)})
        except (TypeError, ValueError):
            continue  # not a valid scheme
        if other not in seen:
            seen.add(other)
            yield text, swapped, other


def _readings(scheme: Scheme) -> Iterator[tuple[str, dict[str, str], _Data]]:
    data = scheme.to_dict()
    hash, key = data["hash"], data["hash"].get("key")
    # Messages and keys of several parts are changed part by part.
    text = isinstance(hash["message"], str)
    texts = [name for name in scheme.fields if kind_of(scheme, name) == "text"]
    fewer = {name: value for name, value in data.items() if name != "words"}

    def hashed(**parts: Any) -> _Data:
        return data | {"hash": hash | parts}

    def replaced(old: str, new: str) -> _Data:
        return data | {"hash": _changed(hash, lambda template: template.replace(old, new))}

    for one, other in itertools.combinations(texts, 2):
        names = {one: other, other: one}
        # The commitment goes with its seed, since it may state how this is spelled.
        yield f"{one} and {other} swapped", names, _renamed(data, names)
    for name in texts:
        as_text, as_bytes = f"{{{name}}}", f"{{{name}:bytes}}"
        yield f"the text of {name}, not its bytes", {}, replaced(as_bytes, as_text)
        phrase = f"the bytes that the hex digits of {name} stand for, not its text"
        yield phrase, {}, replaced(as_text, as_bytes)
    yield "the texts of all fields, not bytes", {}, replaced(":bytes}", "}")
    if isinstance(key, str) and text:
        yield "key and message exchanged", {}, hashed(message=key, key=hash["message"])
        for separator, called in _SEPARATORS.items():
            phrase = f"a plain hash of key and message joined by {called}, no HMAC"
            for joined in (key + separator + hash["message"], hash["message"] + separator + key):
                yield phrase, {}, data | {"hash": {"name": hash["name"], "message": joined}}
        for algorithm in ("sha256", "sha512"):
            phrase = f"as key the {algorithm.upper()} of it, as a commitment is"
            yield phrase, {}, hashed(key={"name": algorithm, "message": key})
    elif isinstance(key, dict):
        yield "as key the text that is hashed for it, itself", {}, hashed(key=key["message"])
    elif key is None and text and len(scheme.fields) > 1:
        first = f"{{{scheme.fields[0]}}}"
        for separator in _SEPARATORS:
            if hash["message"].startswith(first + separator) and hash["message"] != first:
                rest = hash["message"].removeprefix(first + separator)
                phrase = f"HMAC with {scheme.fields[0]} as key, no plain hash"
                yield phrase, {}, hashed(message=rest, key=first)
    for old, new in itertools.permutations(_SEPARATORS, 2):
        if text and old and "}" + old + "{" in hash["message"]:
            message = hash["message"].replace("}" + old + "{", "}" + new + "{")
            yield f"fields joined by {_SEPARATORS[new]}", {}, hashed(message=message)
    for tail, called in _TAILS.items():
        for name in texts:
            yield f"{called} after {name}", {}, replaced(f"{{{name}}}", f"{{{name}}}{tail}")
        if text:
            yield f"{called} at the end of the message", {}, hashed(message=hash["message"] + tail)
    for name in texts:
        yield f"a blank before {name}", {}, replaced(f"{{{name}}}", f" {{{name}}}")
    for algorithm in _ALGORITHMS:
        yield f"{algorithm.upper()} instead of {hash['name'].upper()}", {}, hashed(name=algorithm)
    if text and "{cursor}" in hash["message"]:
        for cursor in (scheme.first_cursor + 1, scheme.first_cursor - 1, 1):
            if cursor >= 0:
                yield f"cursors counted from {cursor}", {}, data | {"first_cursor": cursor}
        for separator in _SEPARATORS:
            if hash["message"].endswith(separator + "{cursor}"):
                message = hash["message"].removesuffix(separator + "{cursor}")
                yield "no cursor in the message", {}, fewer | {"hash": hash | {"message": message}}
        yield "all words of a digest used before the next cursor", {}, fewer
        yield "one word of each digest", {}, data | {"words": 1}
    elif text and key is not None:
        for separator in (":", "-"):
            phrase = f"a cursor at the end of the message, after {_SEPARATORS[separator]}"
            yield phrase, {}, hashed(message=hash["message"] + separator + "{cursor}") | {"words": 1}
    for bits, below in itertools.product(_WORDS, _BELOW):
        parts = []
        if bits != scheme.bits:
            parts.append(f"words of {_WORDS[bits]}")
        if below != scheme.below:
            parts.append(f"a word made one of n: {_BELOW[below]}")
        if parts:
            yield ", ".join(parts), {}, data | {"bits": bits, "below": below}


def _changed(part: Any, change: Callable[[str], str]) -> Any:
    """Return a template, a hash, a scheme or a list of these with `change` applied to all templates."""
    if isinstance(part, str):
        return change(part)
    if isinstance(part, list):
        return [_changed(one, change) for one in part]
    names = ("hash", "commitment", "message", "key")
    return part | {name: _changed(part[name], change) for name in names if name in part}


def _renamed(scheme: _Data, names: dict[str, str]) -> Any:
    """Return a scheme with fields exchanged in all templates."""

    def change(template: str) -> str:
        for one in names:
            template = template.replace("{" + one + "}", "{\0" + one + "}").replace(
                "{" + one + ":", "{\0" + one + ":"
            )
        for one, other in names.items():
            template = template.replace("{\0" + one, "{" + other)
        return template

    return _changed(scheme, change)
