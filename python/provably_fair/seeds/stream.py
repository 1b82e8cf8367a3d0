"""A generator's output as a stream of words for test batteries."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO, Any

import numpy as np

from provably_fair._core.arguments import (
    BadType,
    BadValue,
    check_type,
    choice,
    integer,
    is_single,
    threads_of,
)

from .generator import salts
from .rounds import SimulatedRounds
from .schemes import SALTED, Scheme, digest_size
from .series import seed_text

# Rounds per chunk; 4 MiB of bytes for salted rounds.
_CHUNK = 1 << 16


def random_stream(
    out: IO[Any],
    numbers: int | None = None,
    *,
    ascii: bool = False,
    width: int = 32,
    order: str = "bytes",
    seed: int | str = 0,
    start: int = 0,
    scheme: Scheme = SALTED,
    threads: int | None = None,
    **fields: object,
) -> int:
    """Write a generator's output as words for a test battery, in constant memory.

    Round ``i`` gives its first digest: of the salted rounds the 64 bytes of ``random_bytes(server_seed,
    client_seed, salt, cursor=0)``. Its nonce is ``start + i``, its salt or its game hash has this number in
    `salts`. Rounds follow each other without a gap.

    Parameters
    ----------
    out : file object
        Where to write: a binary file, or with `ascii` a binary or a text file.
    numbers : int, optional
        The number of words to write; by default endless, until the reader closes the pipe.
    ascii : bool
        Whether to write the text that ``dieharder -g 202`` reads: a header with the count, so `numbers` is
        required, then one number per line.
    width : int
        Bits per word, 32 or 64, whatever the scheme's words. Dieharder reads 32, PractRand's ``stdin64``
        reads 64.
    order : str
        "bytes": the digest's bytes as they are; a word's first byte is its least significant one where a
        little-endian machine reads it, and in the text. "numbers": the first byte of a word is its most
        significant one, as in the numbers of `random_numbers`, of which each word of 64 bits is one;
        raw words are written for little-endian machines, so the bytes of each are reversed.
    seed : int or str
        The seed of the series of rounds.
    start : int
        The number of the first round.
    scheme : Scheme
        The scheme whose digests are written, such as a game's ``scheme``.
    threads : int, optional
        The most threads to use; as many as the machine has by default.
    **fields : str, bytes or int
        Fields of the scheme that are the same in all rounds. By default ``server_seed`` is the SHA-256 of
        ``f"{seed}:server"`` in hexadecimal, and other seeds likewise.

    Returns
    -------
    int
        The number of words written, not counting a last chunk that the reader didn't take in full.

    Raises
    ------
    TypeError, ValueError
        When an argument has the wrong type or value.

    Examples
    --------
    >>> import io
    >>> out = io.BytesIO()
    >>> pf.seeds.random_stream(out, 16)
    16
    >>> out.getvalue()[:4].hex(" ")
    '4e 77 cb 23'
    >>> pf.seeds.random_stream(out, 1, ascii=True)
    1
    >>> int(out.getvalue().split()[-1]) == int.from_bytes(out.getvalue()[:4], "little")
    True
    """
    if not callable(getattr(out, "write", None)):
        raise BadType("out", f"must be a file object, got {type(out).__name__}")
    left = None if numbers is None else integer("numbers", numbers, 0, 2**63 - 1)
    if width not in (32, 64):
        raise BadValue("width", f"must be 32 or 64, got {width!r}")
    choice("order", order, ("bytes", "numbers"))
    if ascii and left is None:
        raise BadValue("numbers", "must be given with ascii: the header of -g 202 states the count")
    name = seed_text(seed)
    number = integer("start", start, 0, 2**64 - 1)
    check_type("scheme", scheme, Scheme, "a Scheme, such as a game's")
    for field, value in fields.items():
        if not is_single(value):
            raise BadType(field, f"must be one value for all rounds, got {type(value).__name__}")
    threads = threads_of(threads)
    size = digest_size(scheme)
    _digests(scheme, 1, name, number, fields, threads)  # raises before anything is written
    written = 0
    write_text = out.write if hasattr(out, "encoding") else lambda text: write_all(out.write, text.encode())
    try:
        if ascii:
            write_text(_header(left, width, name))
        while left is None or left > 0:
            rounds = _CHUNK if left is None else min(_CHUNK, -(-left * width // (8 * size)))
            data = _digests(scheme, rounds, name, number, fields, threads).reshape(-1)
            # _CHUNK is a multiple of the word size.
            whole = data if left is None else data[: left * (width // 8)]
            words = whole.view(f"{'<' if order == 'bytes' else '>'}u{width // 8}")
            if left is not None:
                left -= len(words)
            if ascii:
                write_text("\n".join(map(str, words.tolist())) + "\n")
            else:
                write_all(out.write, words.astype(f"<u{width // 8}", copy=False).tobytes())
            written += len(words)
            number += rounds
        out.flush()
    except BrokenPipeError:
        pass  # the reader has closed its end
    return written


def _digests(
    scheme: Scheme, rounds: int, name: str, start: int, fields: dict[str, object], threads: int | None
) -> np.ndarray:
    """Return the first digests of rounds of a series, one a row."""
    given = fields
    if "game_hash" in scheme.fields and fields.get("game_hash") is None:
        # A chain starts from its end, which an endless stream doesn't have.
        given = fields | {"game_hash": salts(rounds, name, start)}
    values = SimulatedRounds(scheme, rounds, name, start, given).values()
    if all(is_single(value) for value in values.values()):
        listed = ", ".join(values)
        raise BadValue("scheme", f"must have a field that differs by round, got the same {listed} for all")
    digests = scheme.random_bytes(**values, cursor=scheme.first_cursor, threads=threads)
    return np.asarray(digests).reshape(rounds, -1)


def write_all(write: Callable[[Any], Any], data: bytes) -> None:
    """Write all of the data; raw pipes may accept only part of it at a time."""
    left = memoryview(data)
    while left:
        taken = write(left)
        left = left[len(left) if taken is None else taken :]


def _header(numbers: int | None, width: int, seed: str) -> str:
    rule = "#" + "=" * 66
    shown = seed.encode("unicode_escape").decode("ascii")
    return (
        f"{rule}\n# generator provably_fair  seed = {shown}\n{rule}\n"
        f"type: d\ncount: {numbers}\nnumbit: {width}\n"
    )
