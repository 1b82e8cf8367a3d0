"""Where names are that the package had at its top before 1.0: its errors say so."""

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
_PLACES = {
    name: f"provably_fair.{room}.{name}" for room, names in _NOW_IN.items() for name in names.split()
} | {
    "bankroll_paths": "the method paths of a bet: provably_fair.Dice().bet(2, under=49.5).paths(100)",
    "crypto_games": "provably_fair.operators.crypto_games; its tables are in provably_fair.cards",
    "battery": "provably_fair.statistics.dieharder.battery, or the command provably-fair battery",
    "estimate_rtp": "the method estimate of a bet: provably_fair.Dice().bet(2, under=49.5).estimate(1000)",
}


def place_of(name: str) -> str:
    """Return the end of the error of a name that isn't at the top: where it is now, if it was there once."""
    return f": it is {_PLACES[name]}" if name in _PLACES else ""
