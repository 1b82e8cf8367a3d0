"""Audits of logs made by the gallery's oracle."""

from __future__ import annotations

import provably_fair as pf
from oracles import gallery as oracle

DICE = pf.operators.stake.Dice()
BET = DICE.bet(1.98, under=50)


def columns(rows):
    return oracle.Made("", "", "", rows).columns()


def audited(rows, **options):
    return pf.audit(columns(rows), DICE, bet=BET, **options)
