"""Audits: findings that no single row of a log shows, and what choosing salts gains."""

from provably_fair._core.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
