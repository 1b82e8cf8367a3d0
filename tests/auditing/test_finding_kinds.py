"""Kinds of findings: each is produced by exactly one check."""

from __future__ import annotations

import pytest
from folders import ROOT
from provably_fair.auditing import Finding, FindingKind

CHECKS = ROOT / "python" / "provably_fair" / "auditing" / "checks"


def test_every_kind_is_made_by_a_check() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in CHECKS.glob("*.py"))
    for field in ("server_seed", "salt"):
        source = source.replace(
            f'Values("{field}"',
            " ".join(
                f'"{field}_{what}"'
                for what in ("counting", "hashed", "low_entropy", "overlaps")
                if f'f"{{self._field}}_{what}"' in source
            ),
        )
    assert [kind for kind in FindingKind if f'"{kind}"' not in source] == []


def test_a_kind_is_its_text_and_says_what_it_is() -> None:
    assert FindingKind.NONCE_GAP == "nonce_gap"
    assert all(kind.meaning.endswith(".") and kind.meaning[0].isupper() for kind in FindingKind)
    assert list(FindingKind) == sorted(FindingKind)


def test_another_kind_is_refused() -> None:
    with pytest.raises(
        ValueError, match=r"kind must be one of 'beacon_known_before_bet', .*, got 'nonce_gaps'"
    ):
        Finding("nonce_gaps", "proof", "A nonce is missing.")
