"""A scheme as JavaScript: its fields, what is hashed, and how digests become words and numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import groupby
from string import Formatter
from typing import Any

from provably_fair.games import Game
from provably_fair.seeds import Hash, Scheme
from provably_fair.seeds.schemes import commitments_of, engine_hash, hex_fields, kind_of, spelled, widths

from .expressions import WRITTEN, RefusedError, literal
from .texts import bare

_MOST = 2**64 - 1
_CURSORS = 2**53 - 1
_MOST_RANGE = 2**53


def written(data: Mapping[str, Any]) -> str:
    """Return an object of JavaScript; its values are texts of JavaScript."""
    return f"{{ {', '.join(f'{name}: {value}' for name, value in data.items())} }}"


def plainly(value: Any) -> str:
    """Return a number, a text, a truth value, None, or an array of them as JavaScript."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(plainly, value))}]"
    return literal(value)


def fields_of(scheme: Scheme) -> list[str]:
    """Return the fields of a scheme, each with what may be in it."""
    return [_field(scheme, name) for name in scheme.fields]


def _field(scheme: Scheme, name: str) -> str:
    spelling = spelled(scheme).get(name, "")
    hashes = [scheme.hash] + ([scheme.read_on] if isinstance(scheme.read_on, Hash) else [])
    of_bytes = any(name in hex_fields(one) for one in hashes)
    digits, _, _ = spelling.partition(" ")
    hex_digits: Any = int(digits) if digits.isdigit() else "lower-case hex" in spelling or of_bytes or None
    most = widths(scheme).get(name)
    data = {
        "name": literal(name),
        "label": literal(name.replace("_", " ")),
        "kind": literal("number" if most is not None else kind_of(scheme, name)),
        "hex": "null" if hex_digits is None else literal(hex_digits, "boolean"),
        "lower": literal("lower-case" in spelling, "boolean"),
        "whole": literal(spelling.startswith("a whole number"), "boolean"),
        "most": literal(str(_MOST if most is None else most)),
        "optional": literal(name in scheme.defaults, "boolean"),
    }
    if name in scheme.defaults:
        default = scheme.defaults[name]
        data["default"] = literal(default if isinstance(default, str) else str(default))
    return written(data)


def _pieces(part: Any, field: Callable[[str], str]) -> list[tuple[str, str]]:
    """Return the pieces of a message or a key, each with what it is: a literal, a text or bytes."""
    if isinstance(part, tuple):
        return [piece for one in part for piece in _pieces(one, field)]
    if isinstance(part, Hash):
        digest = _digest(part, field)
        return [("bytes", digest) if part.raw else ("text", f"bytesToHex({digest})")]
    found = []
    for text, name, form, _ in Formatter().parse(part):
        if text:
            found.append(("literal", text))
        if name is not None:
            found.append(_formed(name if name in ("cursor", "label") else field(name), form or ""))
    return found


def _formed(value: str, form: str) -> tuple[str, str]:
    if form == "bytes":
        return "bytes", f"hexToBytes({value})"
    if form == "utf8":
        return "text", f"utf8({value})"
    if form.startswith("0"):
        return "text", f"padded({value}, {int(form)})"
    if form.startswith("u"):
        size = _bits_of(form) // 8
        return "bytes", f"{'littleEndian' if form.endswith('le') else 'bigEndian'}({value}, {size})"
    return "text", value


def _bits_of(form: str) -> int:
    """Return the bits of a number's form: u8, u16le, ..."""
    return int("".join(filter(str.isdigit, form)))


def _joined(part: Any, field: Callable[[str], str]) -> str:
    """Return a message or a key as an expression: texts that follow each other are one template."""
    parts = []
    for is_bytes, group in groupby(_pieces(part, field), lambda piece: piece[0] == "bytes"):
        pieces = [*group]
        if is_bytes:
            parts += [text for _, text in pieces]
        elif len(pieces) == 1:
            ((kind, text),) = pieces
            parts.append(literal(text) if kind == "literal" else text)
        else:
            inside = (_in_template(text) if kind == "literal" else f"${{{text}}}" for kind, text in pieces)
            parts.append(f"`{''.join(inside)}`")
    return f"bytes({', '.join(parts)})"


def _in_template(text: str) -> str:
    return bare(text).replace("`", "\\`").replace("$", "\\$")


def _algorithm(hash: Hash) -> str:
    return hash.name.replace("keccak", "keccak_")


def _digest(hash: Hash, field: Callable[[str], str], message: str = "", key: str = "") -> str:
    """Return the digest of a hash as an expression."""
    message = message or _joined(hash.message, field)
    if hash.name == "none":
        return message
    if hash.key is None:
        return f"{_algorithm(hash)}({message})"
    return f"hmac({_algorithm(hash)}, {key or _joined(hash.key, field)}, {message})"


def _of_fields(name: str) -> str:
    return f"fields.{name}" if name.isascii() else f"fields[{literal(name)}]"


def hashing_of(hash: Hash, name: str) -> list[str]:
    """Return the lines of a function that hashes a round's fields."""
    key = "null" if hash.key is None else _joined(hash.key, _of_fields)
    return [
        f"function {name}(fields, cursor, label) {{",
        f"  const key = {key};",
        f"  const message = {_joined(hash.message, _of_fields)};",
        f"  const digest = {_digest(hash, _of_fields, 'message', 'key')};",
        f"  return {{ algorithm: {literal(hash.name)}, key, message, digest }};",
        "}",
    ]


def scheme_of(scheme: Scheme, suffix: str = "") -> list[str]:
    """Return the lines of a scheme: its functions, and the facts that `Draws` reads, in a constant SCHEME."""
    if scheme.function is not None:
        raise RefusedError("its scheme is a Python function")
    by_range = scheme.bits == "range"
    bits = 8 if by_range else int(scheme.bits)
    size = engine_hash(scheme.hash).size
    available = 2**32 - 1 if size is None else 8 * size // bits
    last = _last_cursor(scheme.hash)
    words = available if scheme.words is None else scheme.words
    cursors = scheme.read_on if isinstance(scheme.read_on, int) else 0
    if max(scheme.first_cursor, cursors) > _CURSORS:
        raise RefusedError("its cursors are beyond 2**53")
    again = scheme.read_on if isinstance(scheme.read_on, Hash) else None
    rule = WRITTEN["below"][scheme.below] + ("Sum" if scheme.below == "scale" and bits == 64 else "")
    passes = WRITTEN["passes"].get(scheme.below)
    number = "sumOfBytes" if bits == 64 else "fraction"
    label = scheme.defaults.get("label") if _has_label(scheme.hash) else None
    data: dict[str, Any] = {
        "algorithm": literal(scheme.hash.name),
        "hashed": f"hashed{suffix}",
        **({"hashedAgain": f"hashedAgain{suffix}"} if again is not None else {}),
        "bits": bits,
        "words": words,
        "hasCursor": literal(last is not None, "boolean"),
        "firstCursor": scheme.first_cursor,
        "lastCursor": min(last or 0, _CURSORS),
        "cursors": cursors,
        "isStream": literal(
            words == available and (cursors == 1 or (last is None and again is not None)), "boolean"
        ),
        "hasLabel": literal(_has_label(scheme.hash), "boolean"),
        "label": "null" if label is None else literal(str(label)),
        "rule": literal(scheme.below),
        "below": rule,
        "most": min(_MOST_RANGE, _largest_range(scheme.below, 2**64 if by_range else 2**bits)),
        "whole": literal(scheme.below in ("digest", "double"), "boolean"),
        **({"passes": passes} if passes else {}),
        **({"scales": number} if scheme.below == "scale" else {}),
        **({"bytesOf": "bytesBelow"} if by_range else {}),
        **({"number": number} if bits <= 52 or bits == 64 else {}),
        "digits": "null" if scheme.digits is None else scheme.digits,
        "last": literal(scheme.fields[-1] if scheme.fields else ""),
    }
    lines = hashing_of(scheme.hash, f"hashed{suffix}")
    if again is not None:
        lines += ["", *hashing_of(again, f"hashedAgain{suffix}")]
    facts = [f"  {name}: {value}," for name, value in data.items()]
    return [*lines, "", f"const SCHEME{suffix} = {{", *facts, "};"]


def _largest_range(below: str, words: int) -> int:
    """Return the largest range of a draw by a rule, of so many words."""
    if below == "decimal":
        return 56  # larger answers come from two bytes, these from three
    if below in ("reject", "multiply", "nearest"):
        return words
    return words - 1 if below == "reject_last" else _MOST_RANGE


def commitments_in(scheme: Scheme) -> list[str]:
    """Return what an operator publishes before a round: each name, the fields, and their hash."""
    found = []
    for name, hash in commitments_of(scheme).items():
        declared = [
            f"FIELDS[{scheme.fields.index(one)}]" if one in scheme.fields else _field(scheme, one)
            for one in hash.fields
        ]
        hashed = f"(fields) => ({{ digest: {_digest(hash, _of_fields)} }})"
        found.append(written({"name": literal(name), "fields": f"[{', '.join(declared)}]", "hashed": hashed}))
    return found


def chain_of(game: Game) -> dict[str, str] | None:
    """Return the chain of a game's hashes: the step to the hash of the game before; None without one."""
    if "game_hash" not in game.scheme.fields:
        return None
    hash = game.kind.chain.hash
    return {
        "field": literal("game_hash"),
        "digits": literal(2 * (engine_hash(hash).size or 0)),
        "first": literal(game.kind.before_first),
        "previous": f"(hash) => bytesToHex({_digest(hash, lambda _: 'hash')})",
    }


def _placeholders(part: Any) -> list[tuple[str, str]]:
    """Return the names and forms in a hash's templates, those of hashes within included."""
    if isinstance(part, Hash):
        return [*_placeholders(part.message), *_placeholders(part.key)]
    if isinstance(part, tuple):
        return [one for each in part for one in _placeholders(each)]
    parsed = Formatter().parse(part or "")
    return [(name, form or "") for _, name, form, _ in parsed if name is not None]


def _last_cursor(hash: Hash) -> int | None:
    """Return the largest cursor that a hash has room for; None if it has none."""
    forms = [form for name, form in _placeholders(hash) if name == "cursor"]
    room = [2 ** _bits_of(form) - 1 if form.startswith("u") else _MOST for form in forms]
    return min(room, default=None)


def _has_label(hash: Hash) -> bool:
    return any(name == "label" for name, _ in _placeholders(hash))
