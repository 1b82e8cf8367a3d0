"""Imports of optional packages."""

import importlib
from typing import Any


def optional(module: str, extra: str, user: str) -> Any:
    """Import a module of an extra; the error names the extra that `user` needs, or why it is broken."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        missing = isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] == package
        if not missing:  # pyarrow, for one, refuses versions of numpy that it wasn't built for
            raise ImportError(f"{user} needs {package}, which can't be imported: {error}") from error
        raise ImportError(f"{user} needs {package}: pip install 'provably_fair[{extra}]'") from error
