"""Imports of optional packages."""

import importlib
from typing import Any


def optional(module: str, extra: str, user: str) -> Any:
    """Import a module of an extra; if it is missing, say which extra `user` needs."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise ImportError(f"{user} needs {package}: pip install 'provably_fair[{extra}]'") from error
