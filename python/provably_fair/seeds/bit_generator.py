"""A bit generator for numpy whose words are the bytes of salted rounds."""

from __future__ import annotations

import ctypes
import threading
import time
from _thread import interrupt_main
from collections.abc import Mapping
from typing import Any

import numpy as np

from provably_fair._core.arguments import BadValue, check_type, integer
from provably_fair._core.table import repr_of

from .commitments import new_seed
from .generator import random_bytes, salts
from .series import seed_text, simulation_seeds

__all__ = ["BitGenerator"]

_WORDS_OF_A_ROUND = 8
_FIRST_BLOCK = 1 << 6  # rounds; blocks start small, so that few numbers cost little
_LARGEST_BLOCK = 1 << 13
_LAST = 1 << 64  # the number of rounds of a series
_MAX_CHILDREN = 1 << 20  # at a time: each holds a block of words

_Word = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)
_Half = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_void_p)
_Double = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)


class _Interface(ctypes.Structure):
    """numpy's `bitgen_t`, as in numpy/random/bitgen.h."""

    _fields_ = (
        ("state", ctypes.c_void_p),
        ("next_uint64", _Word),
        ("next_uint32", _Half),
        ("next_double", _Double),
        ("next_raw", _Word),
    )


_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype = ctypes.c_void_p
_pointer_of.argtypes = (ctypes.py_object, ctypes.c_char_p)


class BitGenerator(np.random.BitGenerator):
    """The words of a series of salted rounds, for `numpy.random.Generator`.

    Word ``8 * i + k`` is made of bytes 8k to 8k + 7 of ``random_bytes(server_seed, client_seed, salt)``, the
    first byte being the highest, where `salt` is number i of ``salts(n, seed)`` and both seeds are the
    SHA-256 of ``f"{seed}:server"`` and ``f"{seed}:client"`` in hexadecimal: the rounds of
    ``simulate(n, seed=seed)``.
    Anyone can make them again, so that they are for simulations and never for secrets.

    A double is ``(word >> 11) / 2**53``; of a word for 32 bits the lower half is used first, then the upper
    half, as numpy's own bit generators do.

    Parameters
    ----------
    seed : int or str, optional
        The seed of the series; by default a fresh one from the operating system, as numpy's bit generators
        have.

    Notes
    -----
    Each word passes through Python, so that a generator is far slower than numpy's own; games have
    `simulate`, whose numbers don't. Generators are pickled and copied with their place in the series.

    Examples
    --------
    >>> import numpy as np
    >>> import provably_fair as pf
    >>> rng = np.random.Generator(pf.seeds.BitGenerator(seed=1))
    >>> again = np.random.Generator(pf.seeds.BitGenerator(seed=1))
    >>> rng.integers(1, 7, 5).tolist() == again.integers(1, 7, 5).tolist()
    True
    >>> hex(pf.seeds.BitGenerator(0).random_raw())
    '0x4e77cb23dd292758'
    """

    def __init__(self, seed: int | str | None = None) -> None:
        self._seed = new_seed() if seed is None else seed_text(seed)
        super().__init__(0)  # numpy's seed sequence isn't used
        self._seeds = simulation_seeds(self._seed)
        self._children = 0
        self._go_to(0)
        self._half: int | None = None
        # The callbacks for numpy; ctypes functions must outlive the interface.
        self._calls = (_Word(self._next), _Half(self._next_half), _Double(self._next_double))
        word, half, double = self._calls
        pointer = _pointer_of(self.capsule, b"BitGenerator")
        interface = _Interface.from_address(pointer)
        interface.next_uint64, interface.next_uint32, interface.next_double = word, half, double
        interface.next_raw = word

    def _go_to(self, position: int) -> None:
        """Move to a position in the series: the number of words before the next one."""
        self._round, self._used = divmod(position, _WORDS_OF_A_ROUND)
        self._block: list[int] = []
        self._rounds = _FIRST_BLOCK

    def _position(self) -> int:
        return _WORDS_OF_A_ROUND * self._round + self._used

    def _fill(self) -> None:
        """Generate the words of the next block of rounds."""
        start = self._round + len(self._block) // _WORDS_OF_A_ROUND
        used = self._used - len(self._block)
        rounds = min(self._rounds, _LAST - start)
        digests = np.asarray(random_bytes(*self._seeds, salts(rounds, self._seed, start)))
        words = digests.reshape(-1).view(">u8").tolist()
        self._round, self._used, self._block = start, used, words
        self._rounds = min(2 * self._rounds, _LARGEST_BLOCK)

    def _next(self, _: object = None) -> int:
        # C callbacks can't raise. Keep an interrupt until the draw is done: numpy's own generators aren't
        # interruptible either.
        while True:
            used = self._used
            try:
                if used >= len(self._block):
                    self._fill()
                    continue
                word = self._block[used]
                self._used = used + 1
                return word
            except KeyboardInterrupt:
                if self._used == used + 1:
                    self._used = used
                threading.Thread(target=_interrupt_later, daemon=True).start()

    def _next_half(self, _: object = None) -> int:
        if self._half is not None:
            half, self._half = self._half, None
            return half
        word = self._next()
        self._half = word >> 32
        return word & 0xFFFFFFFF

    def _next_double(self, _: object = None) -> float:
        return (self._next() >> 11) * 2.0**-53

    @property
    def seed(self) -> str:
        """The seed of the series."""
        return self._seed

    @property
    def state(self) -> dict[str, Any]:
        """The place in the series, to be kept and set again.

        Keys are "bit_generator", "seed", "position" (the words before the next one), "half" (the upper half
        of a word that is left for 32 bits, or None) and "children", how many `spawn` made.

        Examples
        --------
        >>> import provably_fair as pf
        >>> words = pf.seeds.BitGenerator()
        >>> state = words.state
        >>> first = words.random_raw(3)
        >>> words.state = state
        >>> bool((words.random_raw(3) == first).all())
        True
        """
        place = {"position": self._position(), "half": self._half, "children": self._children}
        return {"bit_generator": type(self).__name__, "seed": self._seed, **place}

    @state.setter
    def state(self, value: Mapping[str, object]) -> None:
        check_type("state", value, Mapping, "a mapping")
        missing = [key for key in self.state if key not in value]
        if missing:
            raise BadValue("state", f"must have the keys {', '.join(self.state)}, got none of {missing[0]}")
        if value["bit_generator"] != type(self).__name__:
            raise BadValue("state", f"must be of a {type(self).__name__}, got {value['bit_generator']!r:.50}")
        seed = seed_text(value["seed"])
        position = integer("position", value["position"], 0, _WORDS_OF_A_ROUND * _LAST - 1)
        half = None if value["half"] is None else integer("half", value["half"], 0, 2**32 - 1)
        children = integer("children", value["children"], 0)
        self._seed, self._seeds = seed, simulation_seeds(seed)
        self._go_to(position)
        self._half, self._children = half, children

    def spawn(self, n_children: int) -> list[BitGenerator]:
        """Return generators of series of their own: child i of the series "name" is the series "name/i".

        Parameters
        ----------
        n_children : int
            Number of children.

        Returns
        -------
        list of BitGenerator
            Those after the ones that were made before.

        Examples
        --------
        >>> import provably_fair as pf
        >>> words = pf.seeds.BitGenerator("dice")
        >>> [child.seed for child in words.spawn(2) + words.spawn(1)]
        ['dice/0', 'dice/1', 'dice/2']
        """
        first = self._children
        self._children += integer("n_children", n_children, 1, _MAX_CHILDREN)
        return [type(self)(f"{self._seed}/{child}") for child in range(first, self._children)]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._seed,), self.state

    def __setstate__(self, state: Mapping[str, object]) -> None:
        self.state = state

    def __repr__(self) -> str:
        return repr_of("BitGenerator", {"seed": self._seed})


def _interrupt_later() -> None:
    time.sleep(0.05)
    interrupt_main()
