"""Signatures and annotations of user code, whose annotations may name things that don't exist at run time."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from typing import Any

if sys.version_info >= (3, 14):
    # Since Python 3.14 annotations are evaluated lazily, and may use names imported for type checkers only.
    from annotationlib import Format

    def signature_of(function: Any) -> inspect.Signature:
        """Return a function's signature."""
        return inspect.signature(function, annotation_format=Format.FORWARDREF)

    def annotations_of(cls: type) -> Mapping[str, Any]:
        """Return a class's own annotations, without those of its bases."""
        return inspect.get_annotations(cls, format=Format.FORWARDREF)

else:

    def signature_of(function: Any) -> inspect.Signature:
        """Return a function's signature."""
        return inspect.signature(function)

    def annotations_of(cls: type) -> Mapping[str, Any]:
        """Return a class's own annotations, without those of its bases."""
        return inspect.get_annotations(cls)
