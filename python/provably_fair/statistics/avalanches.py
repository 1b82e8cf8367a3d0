"""The avalanche effect: output bits that flip when one bit of input does."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from provably_fair._core.arguments import integer
from provably_fair._core.counts import bincount
from provably_fair._core.table import facts_html
from provably_fair.distribution import Distribution, Tally
from provably_fair.seeds.generator import random_bytes, salts
from provably_fair.seeds.series import seed_text


@dataclass(frozen=True)
class Avalanche:
    """The number of 512 output bits that flip with one bit of input.

    Attributes
    ----------
    flipped : str
        The flipped input: "server_seed", "client_seed", "salt" or "cursor".
    samples : int
        The number of flips that were measured.
    mean : float
        The mean number of bits; 256 if each flips with probability 1/2.
    counts : tuple of int
        Number of times that 0, 1, ..., 512 bits flipped.
    statistic, pvalue : float
        Of the chi-square test against Binomial(512, 1/2).
    """

    flipped: str
    samples: int
    mean: float
    counts: tuple[int, ...]
    statistic: float
    pvalue: float

    _repr_html_ = facts_html


def avalanche(samples: int = 10_000, *, seed: int | str = 0) -> tuple[Avalanche, ...]:
    """Measure how many output bits flip with one bit of each input (needs scipy).

    Each sample is a round with its own seeds. In a text, one of the lower seven bits of one character is
    flipped; in the cursor, one of its lower 20 bits.

    Parameters
    ----------
    samples : int
        The number of rounds for each input.
    seed : int or str
        The seed of the series of seeds.

    Returns
    -------
    tuple of Avalanche
        For server seed, client seed, salt and cursor.

    Examples
    --------
    >>> [f"{result.flipped} {result.mean:.0f}" for result in pf.statistics.avalanche(2000)]
    ['server_seed 256', 'client_seed 256', 'salt 256', 'cursor 256']
    """
    samples = integer("samples", samples, 1, 1 << 24)
    name = seed_text(seed)
    texts = {
        part: salts(samples, f"{name}:avalanche:{part}") for part in ("server_seed", "client_seed", "salt")
    }
    choice = np.random.default_rng(list(name.encode()))

    def make(cursor: int, **inputs: np.ndarray) -> np.ndarray:
        return np.asarray(random_bytes(**inputs, cursor=cursor))  # type: ignore[arg-type]

    before = make(0, **texts)
    law = Distribution(np.arange(513, dtype=np.int64), [math.comb(512, flips) for flips in range(513)])
    results = []
    for part in (*texts, "cursor"):
        if part == "cursor":
            after = np.empty_like(before)
            bits = choice.integers(20, size=samples)
            for bit in np.unique(bits).tolist():
                rows = bits == bit
                after[rows] = make(1 << bit, **{k: v[rows] for k, v in texts.items()})
        else:
            characters = texts[part].view(np.uint8).reshape(samples, 64).copy()
            rows, columns = np.arange(samples), choice.integers(64, size=samples)
            characters[rows, columns] ^= (1 << choice.integers(7, size=samples)).astype(np.uint8)
            after = make(0, **{**texts, part: characters.view("S64").ravel()})
        flips = np.unpackbits(before ^ after, axis=1).sum(axis=1, dtype=np.int64)
        counts = bincount(flips, minlength=513)
        fit = law.chisquare(Tally(law.outcomes, counts, samples))
        results.append(
            Avalanche(part, samples, float(flips.mean()), tuple(counts.tolist()), fit.statistic, fit.pvalue)
        )
    return tuple(results)
