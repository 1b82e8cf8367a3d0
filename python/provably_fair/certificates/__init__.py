"""Certificates: the basis of a log's verdict in one JSON file, which others check with the log."""

from provably_fair._core.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
