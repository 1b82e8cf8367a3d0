"""Every exception that a caller may catch.

======================  ====================================================================================
`BadType`               an argument has a wrong type; a `TypeError`
`BadValue`              an argument has a wrong value; a `ValueError`
`ArgumentError`         either of them; both have ``argument``, and ``row`` if they are about one
`LogError`              a log can't be read: a `BadValue` with ``kind``, and ``report`` on what could be read
`MissingColumnError`    a log lacks columns that its game needs: a `LogError` with ``columns``
`VerificationError`     ``report.raise_if_failed()`` or pytest found a row that is wrong; an `AssertionError`
`UnreachedHashError`    a hash isn't on a chain within the steps that are allowed; a `BadValue`
`EndlessRoundError`     a rule asks for numbers without an end; a `BadValue`
`UnlistedLawError`      a law exists, but can't be listed; a `BadValue`
`DuplicateBatch`        a watch was given this batch before; a `BadValue` with ``batch`` and ``rows``
======================  ====================================================================================

Optional libraries that are missing raise `ImportError`, which names the extra that brings them.
"""

from provably_fair._core.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
