"""The generator's output as a stream of words, for batteries of tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO, Any

import numpy as np

from provably_fair._core.arguments import BadType, BadValue, choice, integer, threads_of
from provably_fair._core.types import Text

from .generator import random_bytes, salts
from .series import seed_text, simulation_seeds

__all__ = ["random_stream", "write_all"]

# Rounds that are made at a time: 4 MiB of bytes.
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
    server_seed: Text | None = None,
    client_seed: Text | None = None,
    threads: int | None = None,
) -> int:
    """Write the generator's output as words for a test battery, in constant memory.

    Round ``i`` gives the 64 bytes of ``random_bytes(server_seed, client_seed, salt, cursor=0)``, with
    salt ``start + i`` of `salts`; rounds follow each other without a gap.

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
        Bits per word, 32 or 64. Dieharder reads 32, PractRand's ``stdin64`` reads 64.
    order : str
        "bytes": the 64 bytes as they are; a word's first byte is its least significant one where a
        little-endian machine reads it, and in the text. "numbers": the first byte of a word is its most
        significant one, as in the numbers of `random_numbers`, of which each word of 64 bits is one;
        raw words are written for little-endian machines, so the bytes of each are reversed.
    seed : int or str
        The seed of the series of salts.
    start : int
        The number of the first salt.
    server_seed, client_seed : str or bytes, optional
        The SHA-256 of ``f"{seed}:server"`` and of ``f"{seed}:client"`` in hexadecimal by default.
    threads : int, optional
        The most threads to use; as many as the machine has by default.

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
    >>> import provably_fair as pf
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
    salt = integer("start", start, 0, 2**64 - 1)
    threads = threads_of(threads)
    server_seed, client_seed = simulation_seeds(name, server_seed, client_seed)
    per_round = 512 // width
    written = 0
    write_text = _text_writer(out)
    try:
        if ascii:
            write_text(_header(left, width, name))
        while left is None or left > 0:
            rounds = _CHUNK if left is None else min(_CHUNK, -(-left // per_round))
            series = salts(rounds, name, salt)
            made = np.asarray(random_bytes(server_seed, client_seed, series, threads=threads))
            words = made.reshape(-1).view(f"{'<' if order == 'bytes' else '>'}u{width // 8}")
            if left is not None:
                words = words[:left]
                left -= len(words)
            if ascii:
                write_text("\n".join(map(str, words.tolist())) + "\n")
            else:
                write_all(out.write, words.astype(f"<u{width // 8}", copy=False).tobytes())
            written += len(words)
            salt += rounds
        out.flush()
    except BrokenPipeError:
        pass  # the reader has enough
    return written


def write_all(write: Callable[[Any], Any], data: bytes) -> None:
    """Write everything: raw pipes may take a part at a time."""
    left = memoryview(data)
    while left:
        taken = write(left)
        left = left[len(left) if taken is None else taken :]


def _text_writer(out: IO[Any]) -> Callable[[str], Any]:
    if hasattr(out, "encoding"):
        return out.write
    return lambda text: write_all(out.write, text.encode("ascii"))


def _header(numbers: int | None, width: int, seed: str) -> str:
    rule = "#" + "=" * 66
    shown = seed.encode("unicode_escape").decode("ascii")
    return (
        f"{rule}\n# generator provably_fair  seed = {shown}\n{rule}\n"
        f"type: d\ncount: {numbers}\nnumbit: {width}\n"
    )
