"""Packages that only some functions need."""

import importlib
from typing import Any


def optional(module: str, extra: str, user: str) -> Any:
    """Return a module of a package that comes with an extra, for the function that uses it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise ImportError(f"{user} needs {package}: pip install 'provably_fair[{extra}]'") from error
