"""The generator of salted rounds: seeds to bytes, bytes to numbers."""

from __future__ import annotations

import numpy as np

from provably_fair._core.arguments import threads_of
from provably_fair._core.types import Texts
from provably_fair._engine import salts as engine_salts

from .schemes import SALTED
from .series import series


def random_bytes(
    server_seed: Texts, client_seed: Texts, salt: Texts, cursor: int = 0, *, threads: int | None = None
) -> bytes | np.ndarray:
    """Return the 64 bytes that a round's seeds give at a cursor; see `Scheme.random_bytes` of `SALTED`.

    They are ``HMAC-SHA512(key, client_seed + ":" + cursor)``, where the key is the SHA-256 of ``server_seed +
    ":" + salt`` as lowercase hexadecimal text.

    Examples
    --------
    >>> pf.seeds.random_bytes("", "", "")[:4].hex()
    '78959b80'
    >>> pf.seeds.random_bytes("server", "client", pf.salts(5)).shape
    (5, 64)
    """
    return SALTED.random_bytes(server_seed, client_seed, salt, cursor=cursor, threads=threads)


def random_numbers(
    server_seed: Texts, client_seed: Texts, salt: Texts, count: int = 8, *, threads: int | None = None
) -> np.ndarray:
    """Return the first numbers of a round, each in [0, 1); see `Scheme.random_numbers` of `SALTED`.

    A number is the sum ``b1/256 + b2/256**2 + ... + b8/256**8`` of eight bytes in double precision, from left
    to right as JavaScript adds. About once in 2**54 numbers the sum would round to 1.0; it is the largest
    double below 1 then. Eight numbers come from each cursor.

    Examples
    --------
    >>> pf.seeds.random_numbers("", "", "", count=2)
    array([0.47103283, 0.35636785])
    """
    return SALTED.random_numbers(server_seed, client_seed, salt, count=count, threads=threads)


def salts(n: int, seed: int | str = 0, start: int = 0, *, threads: int | None = None) -> np.ndarray:
    """Return salts for simulations that anyone can make again.

    Salt ``i`` of the series is the SHA-256 of ``f"{seed}:{i}"`` as hexadecimal text.

    Parameters
    ----------
    n : int
        Number of salts.
    seed : int or str
        The seed of the series.
    start : int
        The number of the first salt.
    threads : int, optional
        The most threads to use; as many as the machine has by default.

    Returns
    -------
    numpy.ndarray
        Shape (n,), dtype 'S64'.

    Examples
    --------
    >>> pf.salts(1)[0][:8].decode()
    'ac72368a'
    >>> bool((pf.salts(5, start=10) == pf.salts(15)[10:]).all())
    True
    """
    n, name, start = series(n, seed, start, count="n")
    return engine_salts(n, name, start, threads_of(threads))
