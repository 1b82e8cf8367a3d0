"""Signatures and annotations of other people's code: names in annotations needn't exist when it runs."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from typing import Any

__all__ = ["annotations_of", "signature_of"]

if sys.version_info >= (3, 14):
    # Annotations are evaluated when they are asked for, and may name what only type checkers import.
    from annotationlib import Format

    def signature_of(function: Any) -> inspect.Signature:
        """Return a function's signature."""
        return inspect.signature(function, annotation_format=Format.FORWARDREF)

    def annotations_of(cls: type) -> Mapping[str, Any]:
        """Return the annotations of a class itself, without those of its bases."""
        return inspect.get_annotations(cls, format=Format.FORWARDREF)

else:

    def signature_of(function: Any) -> inspect.Signature:
        """Return a function's signature."""
        return inspect.signature(function)

    def annotations_of(cls: type) -> Mapping[str, Any]:
        """Return the annotations of a class itself, without those of its bases."""
        return inspect.get_annotations(cls)
