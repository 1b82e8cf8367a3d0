"""Signatures and annotations of user code, whose annotations may name things that don't exist at run time."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

signature_of: Callable[[Any], inspect.Signature] = inspect.signature
annotations_of: Callable[[type], Mapping[str, Any]] = inspect.get_annotations  # without those of its bases

if sys.version_info >= (3, 14):
    # Since Python 3.14 annotations are evaluated lazily, and may use names imported for type checkers only.
    from annotationlib import Format

    signature_of = partial(inspect.signature, annotation_format=Format.FORWARDREF)
    annotations_of = partial(inspect.get_annotations, format=Format.FORWARDREF)
