"""Kinds of findings, each with its meaning in a sentence."""

from __future__ import annotations

from enum import StrEnum


class FindingKind(StrEnum):
    """The kinds of findings of an audit, with their meanings.

    Attributes
    ----------
    meaning : str
        One sentence that says what a finding of this kind is.

    Examples
    --------
    >>> pf.auditing.FindingKind("nonce_gap").meaning
    'Nonces are missing between the first and the last of a pair of seeds.'
    """

    meaning: str

    def __new__(cls, name: str, meaning: str) -> FindingKind:
        """Make a kind: its name, as text, and its sentence."""
        kind = str.__new__(cls, name)
        kind._value_ = name
        kind.meaning = meaning
        return kind

    BEACON_KNOWN_BEFORE_BET = (
        "beacon_known_before_bet",
        "A bet was made when its beacon was already known.",
    )
    BEACON_WRONG = "beacon_wrong", "The randomness of a round isn't shown to be the beacon's."
    BETS_REFUNDED = "bets_refunded", "Bets were annulled, and their stakes returned."
    CHAIN_BROKEN = "chain_broken", "A game's hash doesn't lead to another game of the log's chain."
    CLIENT_SEED_EMPTY = "client_seed_empty", "Rounds have no client seed, so the operator alone decided."
    CLIENT_SEED_FROM_SERVER = (
        "client_seed_from_server",
        "Client seeds are a part of the server seed, of its commitment or of its hashes, also reversed or in "
        "capitals.",
    )
    CLIENT_SEED_IGNORED = (
        "client_seed_ignored",
        "Wrong outcomes are right with another client seed, or with none.",
    )
    CLIENT_SEED_SHARED = "client_seed_shared", "A client seed comes with several server seeds."
    COMMITMENT_AFTER_BEACON = (
        "commitment_after_beacon",
        "A commitment was made when the beacon was already known.",
    )
    COMMITMENT_LATE = "commitment_late", "A commitment was published after bets on it had been made."
    COMMITMENT_MISMATCH = "commitment_mismatch", "A commitment isn't the hash of what was revealed."
    COMMITMENT_MISSING = "commitment_missing", "Some rounds have a commitment, and others have none."
    COMMITMENT_OF_SEVERAL_SEEDS = (
        "commitment_of_several_seeds",
        "One commitment belongs to several server seeds.",
    )
    COMMITMENT_REPLACED = (
        "commitment_replaced",
        "The commitment to a server seed changed while the seed was in use.",
    )
    DEALER_RULES = (
        "dealer_rules",
        "The dealer stood or drew otherwise than the table's rules say.",
    )
    DOUBLES_CHOSEN = (
        "doubles_chosen",
        "Rows that are listed twice lost more often than the others, or less often.",
    )
    DUPLICATE_ROUND = "duplicate_round", "The log has a round twice."
    FIRST_ROUNDS_LOW = (
        "first_rounds_low",
        "The first bets after a change of the server seed return less than the claimed law.",
    )
    GAME_OVER = "game_over", "A bet on a game of a chain was made after bets on a later game."
    HASH_REUSED = "hash_reused", "A game of a chain was played again when it was over."
    NONCE_GAP = "nonce_gap", "Nonces are missing between the first and the last of a pair of seeds."
    NONCE_ORDER = "nonce_order", "Nonces don't count up in the order of play."
    NONCE_REPEATED = "nonce_repeated", "A nonce of a pair of seeds was used twice."
    NONCES_BEGIN_LATE = (
        "nonces_begin_late",
        "Pairs of seeds begin above the game's first nonce: evidence where they are at least twenty, and "
        "half of those that aren't a player's first in the log.",
    )
    OUTCOMES_UNFAIR = "outcomes_unfair", "Outcomes don't come up as often as by the claimed game's exact law."
    PAIR_OPEN = "pair_open", "A pair of seeds ends before its server seed was revealed."
    PAYOUT_MISMATCH = (
        "payout_mismatch",
        "Payouts aren't what the bet pays, or rounding keeps a share of the stakes.",
    )
    PAYOUT_MISSING = "payout_missing", "Winning bets have no payout."
    PAYTABLE_DIFFERS = "paytable_differs", "The paytable that the log implies isn't the claimed one."
    RESPELLED = (
        "respelled",
        "Outcomes are those of a game's hash, or of another published value, in another spelling than the "
        "published one.",
    )
    RETURN_BY_AMOUNT = (
        "return_by_amount",
        "Bets of one amount don't return what the law says, as if stakes were set by the result.",
    )
    RETURN_BY_HOUR = "return_by_hour", "The bets of some hours of the day don't return what the law says."
    RETURN_BY_PLAYER = "return_by_player", "A player's bets don't return what the law says."
    RETURN_BY_STAKE = "return_by_stake", "Larger stakes return less than the law says."
    RETURN_HIGH = "return_high", "Bets return more than the claimed law says."
    RETURN_LOW = "return_low", "Bets return less than the claimed law says."
    ROTATED_EVERY_BET = "rotated_every_bet", "Most server seeds that were rotated had served a single bet."
    ROUND_MISSING = "round_missing", "Games are missing from the chain."
    ROUNDING_BY_PLAYER = (
        "rounding_by_player",
        "Payouts of a player are rounded down, or up, more often than those of others.",
    )
    ROWS_OVERLAP = "rows_overlap", "Rows repeat earlier ones entirely, the time included."
    SALT_COUNTING = "salt_counting", "Salts are numbers that count up."
    SALT_HASHED = "salt_hashed", "Salts are hashes of a counter, or of a salt that was used before."
    SALT_LOW_ENTROPY = "salt_low_entropy", "Salts are of so few possible ones that all can be tried."
    SALT_OVERLAPS = (
        "salt_overlaps",
        "Salts have a part of other salts, so that who knows one knows a part of another.",
    )
    SALT_REUSED = "salt_reused", "A salt was used before with other seeds."
    SALTS_GROUND = "salts_ground", "Payouts look as if the house had chosen among several salts."
    SEED_USED_AFTER_REVEAL = (
        "seed_used_after_reveal",
        "A round was played after its server seed had been revealed.",
    )
    SEEDS_REUSED = "seeds_reused", "Seeds whose outcomes were known were played again."
    SERVER_SEED_CHANGED = "server_seed_changed", "Another server seed goes on with the nonces of a pair."
    SERVER_SEED_COUNTING = "server_seed_counting", "Server seeds are numbers that count up."
    SERVER_SEED_FROM_CLIENT = (
        "server_seed_from_client",
        "Server seeds are usual hashes of their client seeds, or parts of such.",
    )
    SERVER_SEED_HASHED = (
        "server_seed_hashed",
        "Server seeds are hashes of a counter, or of a server seed that was used before.",
    )
    SERVER_SEED_LOW_ENTROPY = (
        "server_seed_low_entropy",
        "Server seeds are of so few possible ones that all can be tried.",
    )
    SERVER_SEED_OVERLAPS = (
        "server_seed_overlaps",
        "Server seeds have a part of other server seeds, so that who knows one knows a part of another.",
    )
    SERVER_SEED_SHARED = (
        "server_seed_shared",
        "A server seed serves several players: one who has it revealed knows the others' rounds.",
    )
    TERMINATING_MISSED = (
        "terminating_missed",
        "Games of the log don't lead to the announced terminating hash.",
    )
    UNREVEALED_HIGH = (
        "unrevealed_high",
        "Bets whose server seed isn't revealed return more than the claimed law says.",
    )
    UNREVEALED_LOW = (
        "unrevealed_low",
        "Bets whose server seed isn't revealed return less than the claimed law says.",
    )
    UNTIMED_AT_ENDS = (
        "untimed_at_ends",
        "Pairs of seeds lack the times of their last bets, or of their first, more often than those at the "
        "other end.",
    )
    UNTIMED_HIGH = (
        "untimed_high",
        "Bets without a time return more than the claimed law says, where others have one.",
    )
    UNTIMED_LATE = (
        "untimed_late",
        "By the order of the log, bets without a time were made when their outcome was known, or before "
        "their commitment.",
    )
    UNTIMED_LOW = (
        "untimed_low",
        "Bets without a time return less than the claimed law says, where others have one.",
    )
    WINS_REFUNDED = (
        "wins_refunded",
        "Among bets whose stake was returned, too many would have won, or too large ones.",
    )
    WINS_UNSTAKED = (
        "wins_unstaked",
        "Among bets without a stake, all of them or those without a payout, too many won.",
    )
