"""Runs a battery of TestU01 on the words of standard input: ``python testu01.py LIBRARY BATTERY``.

A separate program, because the library exits its process on errors and prints to standard output. Its reader
of binary files reads the pipe, so no word passes through Python; p-values are read from its memory, since its
summary shows only extreme ones.
"""

import ctypes
import sys

__all__: list[str] = []


def main(library: str, battery: str) -> None:
    """Run the battery, and print each p-value on a line after TestU01's output."""
    testu01 = ctypes.CDLL(library)
    create = testu01.ufile_CreateReadBin
    create.restype, create.argtypes = ctypes.c_void_p, [ctypes.c_char_p, ctypes.c_long]
    run = getattr(testu01, f"bbattery_{battery}")
    run.restype, run.argtypes = None, [ctypes.c_void_p]
    print(f"provably_fair: TestU01's {battery}", flush=True)
    run(create(b"/dev/stdin", 1 << 16))
    # Flush the library's output before printing more.
    ctypes.CDLL(None).fflush(None)
    count = ctypes.c_int.in_dll(testu01, "bbattery_NTests").value
    pvalues = (ctypes.c_double * count).in_dll(testu01, "bbattery_pVal")
    names = (ctypes.c_char_p * count).in_dll(testu01, "bbattery_TestNames")
    for name, pvalue in zip(names, pvalues, strict=True):
        # Tests that couldn't run have negative p-values.
        if name is not None and 0 <= pvalue <= 1:
            print(f"provably_fair: {name.decode('ascii', 'replace')}|{pvalue!r}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
