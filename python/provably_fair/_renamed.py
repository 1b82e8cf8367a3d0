"""Hints for names that aren't at the package's top level: moved, renamed, or in an operator's module."""

__all__ = ["place_of"]

_NOW_IN = {
    "auditing": "AuditReport CertificateCheck Finding check_certificate grinding",
    "bets": "BankrollPaths Bet BettingSystem Flat FreeSpins GrindingEstimate Martingale Monitor PValue "
    "Proportional ReturnInterval RtpEstimate UntilAlarm check_returns",
    "certification": "Clause LabReport STANDARDS",
    "distribution": "ChiSquare Tally differences",
    "distribution.differences": "Difference",
    "games": "CashOuts Rounding",
    "operators": "crypto_games fpclub",
    "operators.salted": "BLOCK_HASHES GAMES",
    "readings": "Reading SeparatingRounds",
    "seeds": "BitGenerator joined_seeds random_bytes random_numbers random_stream",
    "statistics": "Bias FairnessReport Power bias_table calibration dieharder power rounds_needed",
    "verification": "Candidate Failure Identification LogOptions Repeats VerificationReport",
    "walkthrough": "Walkthrough",
}
_PLACES = {name: f"pf.{module}.{name}" for module, names in _NOW_IN.items() for name in names.split()} | {
    "bankroll_paths": "the method paths of a bet: pf.Dice().bet(2, under=49.5).paths(100)",
    "crypto_games": "pf.operators.crypto_games; its tables are in pf.cards",
    "battery": "pf.statistics.dieharder.battery, or the command provably-fair battery",
    "estimate_rtp": "the method estimate of a bet: pf.Dice().bet(2, under=49.5).estimate(1000)",
}


def place_of(name: str) -> str:
    """Return the end of the error for a name that isn't at the top level: its place, if known."""
    if name in _PLACES:
        return f": it is {_PLACES[name]}"
    # Ask operators for names of games only: inspection probes modules for names like `__wrapped__`.
    return "" if name.startswith("_") else _at_operators(name)


def _at_operators(name: str) -> str:
    from provably_fair import operators
    from provably_fair.games.naming import operator_of

    if name in operators.__all__:
        return f": it is pf.operators.{name}"
    games = operators.all_games().values() if name[:1].isupper() else ()
    places = [f"pf.operators.{operator_of(game)}.{name}" for game in games if game.__name__ == name]
    return f": it is {' or '.join(places)}" if places else ""
