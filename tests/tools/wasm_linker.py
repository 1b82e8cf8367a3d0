#!/usr/bin/env python3
"""Stands in for emcc where Rust links an extension module for WebAssembly: `wasm-ld`, named by WASM_LD.

emcc does much for programs. A module that another program loads needs none of it: its objects are linked,
what is missing is imported from the interpreter, and one function is exported.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator

OPTIONS = (
    *("-shared", "--experimental-pic", "--no-entry", "--gc-sections", "--no-export-dynamic"),
    *("--unresolved-symbols=import-dynamic", "--strip-all", "-O2", "-z", "stack-size=1048576"),
)
EXPORTS = re.compile(r"(?:-s)?EXPORTED_FUNCTIONS=(.*)", re.DOTALL)


def words_of(arguments: list[str]) -> Iterator[str]:
    """Yield arguments, those of a file in its place."""
    for argument in arguments:
        if argument.startswith("@"):
            with open(argument[1:], encoding="utf-8") as file:
                yield from (line.strip().strip('"') for line in file if line.strip())
        else:
            yield argument


def linked(arguments: list[str]) -> list[str]:
    """Return the arguments of wasm-ld for those of emcc."""
    kept, words = [], words_of(arguments)
    for word in words:
        if exports := EXPORTS.fullmatch(word):
            text = exports[1]
            if text.startswith("@"):
                with open(text[1:], encoding="utf-8") as file:
                    text = file.read()
            kept += [f"--export={name}" for name in re.findall(r"_(PyInit_\w+)", text)]
        elif word == "-o":
            kept += [word, next(words)]
        elif word.endswith((".o", ".rlib", ".a")) or word.startswith("-L"):
            kept.append(word)
    return kept


if __name__ == "__main__":
    sys.exit(subprocess.call([os.environ["WASM_LD"], *OPTIONS, *linked(sys.argv[1:])]))
