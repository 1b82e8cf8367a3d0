"""Runs a battery of TestU01 on the words of standard input: ``python testu01.py LIBRARY BATTERY``.

A program of its own: the library ends its process where it can't go on, and prints as it likes. Its reader of
binary files reads the pipe, so that no word passes through Python; the p-values are read where it keeps them,
as its summary shows only those at the ends.
"""

import ctypes
import sys

__all__: list[str] = []


def main(library: str, battery: str) -> None:
    """Run the battery, and print each p-value on a line after what TestU01 printed."""
    testu01 = ctypes.CDLL(library)
    create = testu01.ufile_CreateReadBin
    create.restype, create.argtypes = ctypes.c_void_p, [ctypes.c_char_p, ctypes.c_long]
    run = getattr(testu01, f"bbattery_{battery}")
    run.restype, run.argtypes = None, [ctypes.c_void_p]
    print(f"provably_fair: TestU01's {battery}", flush=True)
    run(create(b"/dev/stdin", 1 << 16))
    # What the library has printed goes before what follows.
    ctypes.CDLL(None).fflush(None)
    count = ctypes.c_int.in_dll(testu01, "bbattery_NTests").value
    pvalues = (ctypes.c_double * count).in_dll(testu01, "bbattery_pVal")
    names = (ctypes.c_char_p * count).in_dll(testu01, "bbattery_TestNames")
    for name, pvalue in zip(names, pvalues, strict=True):
        # A test that couldn't be done has a negative one.
        if name is not None and 0 <= pvalue <= 1:
            print(f"provably_fair: {name.decode('ascii', 'replace')}|{pvalue!r}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
