"""Sessions, commitments to salts, and salt grinding."""

from __future__ import annotations

import hashlib
import hmac
from decimal import Decimal
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest
from oracles import salted as reference
from provably_fair.auditing.grinding import estimate_grinding, grinding_chance

SINGLE_PLAYER = [name for name in pf.operators.salted.GAMES if name not in reference.CONSTANT_SEEDS]


def by_oracle(game, log, row, **parameters):
    seeds = (log[name][row] for name in ("server_seed", "client_seed", "salt"))
    outcome = np.asarray(log["outcome"])[row].tolist()
    return reference.GAMES[game.name](*seeds, **parameters) == outcome


# ---- sessions ----


@pytest.mark.parametrize("name", pf.operators.salted.GAMES)
@pytest.mark.parametrize("committed", [False, True])
def test_log_of_every_game(name, committed):
    game = pf.operators.salted.GAMES[name]()
    session = pf.Session(game, commit_salts=committed)
    published = []
    for _ in range(5):
        published.append(session.commitment)
        session.play()
    with pytest.warns(UserWarning, match="the log is empty: 5 rounds"):
        assert session.log()["outcome"].shape == (0, *game.shape)
    session.reveal()
    log = session.log()
    assert set(log) == {"server_seed", "client_seed", "salt", "outcome"} | (
        {"salt_commitment"} if committed else set()
    )
    assert len(set(log["salt"])) == 5
    assert log["outcome"].shape == (5, *game.shape)
    assert all(by_oracle(game, log, row) for row in range(5))
    np.testing.assert_array_equal(
        game.play(log["server_seed"], log["client_seed"], log["salt"]), log["outcome"], strict=True
    )
    if committed:
        assert log["salt_commitment"] == published
        assert published == [hashlib.sha256(salt.encode()).hexdigest() for salt in log["salt"]]
    else:
        assert published == [None] * 5


def test_salts_are_hidden_until_revealed():
    session = pf.Session(pf.Mines(mines=5), "server", "client", commit_salts=True)
    first, second = session.play(), session.play()
    assert first.salt is None
    with pytest.warns(UserWarning, match="the log is empty: 2 rounds"):
        shown = repr(first) + repr(session) + str(session.log())
    assert first._secret.value not in shown
    with pytest.raises(ValueError, match=r"^salt must be revealed"):
        first.explain()
    salt = first.reveal()
    assert salt == first.salt == first.reveal()
    assert second.salt is None
    assert session.log()["salt"] == [salt]
    assert pf.check_commitment(salt, first.commitment)
    assert first.explain().outcome.tolist() == first.outcome.tolist()
    assert session.reveal() == second.salt
    assert len(session.log()["salt"]) == 2


def test_a_swapped_salt_is_caught():
    session = pf.Session(pf.Dice(), commit_salts=True)
    played = session.play()
    played._secret.value = pf.new_seed()
    with pytest.raises(ValueError, match=r"^salt must be the one that was committed to"):
        session.reveal()
    assert played.salt is None


def test_seeds_of_a_session():
    session = pf.Session(pf.Overgo(), "first", client_seed="mine")
    assert (session.server_seed, session.client_seed) == ("first", "mine")
    session.play()
    new = session.rotate_server_seed()
    assert new == session.server_seed != "first"
    assert len(bytes.fromhex(new)) == 32
    session.client_seed = "another"
    session.play()
    session.client_seed = b"\xff"
    session.play()
    session.reveal()
    log = session.log()
    assert log["server_seed"] == ["first", new, new]
    assert log["client_seed"] == ["mine", "another", b"\xff"]
    assert all(by_oracle(pf.Overgo(), log, row) for row in range(3))
    fresh = pf.Session(pf.Dice()), pf.Session(pf.Dice())
    assert len({s.server_seed for s in fresh} | {s.client_seed for s in fresh}) == 4
    assert pf.Session(pf.Dice(), "", "").server_seed == ""


@pytest.mark.parametrize("name", reference.CONSTANT_SEEDS)
def test_multi_player_games_have_constant_seeds(name):
    game = pf.operators.salted.GAMES[name]()
    session = pf.Session(game)
    assert (session.server_seed, session.client_seed) == reference.CONSTANT_SEEDS[name]
    with pytest.raises(ValueError, match=r"^server_seed isn't supported"):
        pf.Session(game, server_seed="x")
    with pytest.raises(ValueError, match=r"^client_seed isn't supported"):
        pf.Session(game, client_seed="")
    with pytest.raises(ValueError, match=r"^client_seed isn't supported"):
        session.client_seed = "x"
    with pytest.raises(ValueError, match=r"^server_seed must stay"):
        session.rotate_server_seed()
    assert (session.server_seed, session.client_seed) == reference.CONSTANT_SEEDS[name]


def test_parameters_that_vary_are_logged():
    session = pf.Session(pf.Jackpot(tickets=50))
    for tickets in (10, 2380, None):
        session.play(**({} if tickets is None else {"tickets": tickets}))
    session.reveal()
    log = session.log()
    assert log["tickets"].tolist() == [10, 2380, 50]
    assert all(by_oracle(pf.Jackpot(), log, row, tickets=t) for row, t in enumerate([10, 2380, 50]))


def test_mistakes():
    with pytest.raises(TypeError, match=r"^game must be a game"):
        pf.Session(pf.Mines)
    with pytest.raises(TypeError, match=r"^server_seed must be str or bytes, got int"):
        pf.Session(pf.Mines(), 1)
    with pytest.raises(ValueError, match=r"^client_seed must be text that UTF-8"):
        pf.Session(pf.Mines(), client_seed="\ud800")
    with pytest.raises(ValueError, match=r"^rounds must have been played"):
        pf.Session(pf.Mines()).reveal()
    session = pf.Session(pf.Mines())
    with pytest.raises(TypeError, match=r"^mines must be the same"):
        session.play(mines=3)
    assert not session.rounds


# ---- other schemes, and custom games ----

NONCES = pf.Scheme(
    pf.Hash("sha256", "{client_seed}:{nonce}:{cursor}", key="{server_seed}"),
    bits=32,
    commitment=pf.Hash("sha256", "{server_seed}"),
)
CHAIN = pf.Scheme(pf.Hash("sha256", "{salt}", key="{game_hash}"), bits=52, defaults={"salt": "public"})
TABLES = pf.Scheme(pf.Hash("sha256", "{server_seed}:{round}:{table}"), bits=32)


class Keno(pf.Game):
    picks: int = 3

    def outcome(self, draws):
        return draws.sample(40, self.picks)


def test_nonces_count_while_the_server_seed_is_hidden():
    session = pf.Session(Keno().with_scheme(NONCES), "the server's", "the player's")
    assert session.server_seed is None
    published = session.commitment
    assert published == hashlib.sha256(b"the server's").hexdigest()
    first, second = session.play(), session.play()
    assert (first.server_seed, first.client_seed, first.salt) == (None, "the player's", None)
    assert (first.fields["nonce"], second.fields["nonce"]) == (0, 1)
    for shown in (repr(session), str(session), repr(first), str(first), str(session.to_pandas())):
        assert "the server's" not in shown
    assert session.commitment == first.commitment == published
    session.client_seed = "another"
    third = session.play()
    with pytest.raises(ValueError, match=r"^server_seed must be revealed before"):
        third.explain()
    with pytest.warns(UserWarning, match="the log is empty: 3 rounds"):
        assert session.log()["nonce"] == []
    assert session.reveal() == "the server's"
    # A revealed seed isn't used again.
    assert session.commitment != published
    fourth = session.play()
    assert (fourth.fields["nonce"], fourth.server_seed) == (0, None)
    old = session.rotate_server_seed()
    assert old == fourth.server_seed != "the server's"
    assert session.play().fields["nonce"] == 0
    log = session.log()
    assert log["server_seed"] == ["the server's"] * 3 + [old]
    assert log["client_seed"] == ["the player's"] * 2 + ["another"] * 2
    assert log["nonce"] == [0, 1, 2, 0]
    assert log["commitment"][:3] == [published] * 3
    report = pf.verify(log, Keno().with_scheme(NONCES))
    assert report.ok
    assert report.committed["commitment"] == 4
    for row, played in enumerate(session.rounds[:4]):
        pool = list(range(40))
        seeds = log["server_seed"][row], log["client_seed"][row], log["nonce"][row]
        digest = hmac.digest(seeds[0].encode(), f"{seeds[1]}:{seeds[2]}:0".encode(), "sha256")
        words = [int.from_bytes(digest[4 * i : 4 * i + 4]) for i in range(3)]
        assert played.outcome.tolist() == [pool.pop(word * len(pool) >> 32) for word in words]
        assert played.explain().outcome.tolist() == played.outcome.tolist()


def test_a_session_of_a_chain():
    session = pf.Session(pf.Crash().with_scheme(CHAIN))
    assert (session.server_seed, session.client_seed) == (None, None)
    published = [session.commitment, session.play() and session.commitment, session.play() and None]
    first, second = session.rounds
    assert first.fields == {"salt": "public", "game_hash": None}
    assert first.reveal() == first.fields["game_hash"]
    # A game is committed to by the hash of the previous one.
    assert hashlib.sha256(first.reveal().encode()).hexdigest() == published[0]
    assert hashlib.sha256(second.reveal().encode()).hexdigest() == published[1] == first.reveal()
    log = session.log()
    assert pf.HashChain().steps(log["game_hash"][1], published[0]) == 2
    assert pf.verify(log, pf.Crash().with_scheme(CHAIN)).ok
    assert "server seed" not in repr(session)
    for name in ("server_seed", "client_seed"):
        with pytest.raises(
            ValueError, match=rf"^{name} isn't supported with Crash, whose scheme has no such"
        ):
            pf.Session(pf.Crash().with_scheme(CHAIN), **{name: "x"})
    with pytest.raises(ValueError, match=r"^server_seed must be a field of the scheme"):
        session.rotate_server_seed()
    with pytest.raises(ValueError, match=r"^commit_salts isn't supported here: the secret is the game hash"):
        pf.Session(pf.Crash().with_scheme(CHAIN), commit_salts=True)


def test_fields_that_a_session_does_not_make():
    session = pf.Session(Keno().with_scheme(TABLES))
    with pytest.raises(TypeError, match=r"^round must be given"):
        session.play(table="t")
    one, two = session.play(round=1, table="t"), session.play(round=2, table="t")
    session.reveal()
    # Without nonces each round has its own server seed.
    assert one.server_seed != two.server_seed
    assert session.log()["round"] == [1, 2]
    assert pf.verify(session.log(), Keno().with_scheme(TABLES)).ok
    with pytest.raises(TypeError, match=r"^server_seed isn't supported with a session, which makes it"):
        session.play(round=1, table="t", server_seed="mine")
    with_default = pf.Scheme(TABLES.hash, bits=32, defaults={"table": "first"})
    session = pf.Session(Keno().with_scheme(with_default))
    rounds = session.play(round=1), session.play(round=1, table="second")
    assert [played.fields["table"] for played in rounds] == ["first", "second"]
    nobody = pf.Scheme(pf.Hash("sha256", "{player}"), bits=32)
    with pytest.raises(ValueError, match=r"must have a server_seed, a salt or a game_hash, got player"):
        pf.Session(Keno().with_scheme(nobody))


def test_salts_of_a_game_of_ones_own():
    session = pf.Session(Keno(), commit_salts=True)
    for _ in range(3):
        session.play()
    session.reveal()
    report = pf.verify(session.log(), Keno())
    assert report.ok
    assert report.committed["salt_commitment"] == 3
    assert pf.games.rounds_of(pf.Crash().with_scheme(NONCES)).constant is None


# ---- salt grinding ----


def test_exact_chances():
    assert grinding_chance("0.495", 1, exact=True) == Fraction(99, 200)
    assert grinding_chance(Fraction(99, 200), 2, exact=True) == Fraction(9801, 40000)
    assert [round(float(grinding_chance("0.495", k)) * 100, 1) for k in (1, 2, 4)] == [49.5, 24.5, 6.0]
    assert grinding_chance(0.5, 3, exact=True) == Fraction(1, 8)
    assert (grinding_chance(0, 5, exact=True), grinding_chance(1, 5, exact=True)) == (0, 1)
    # A float stands for its shortest decimal, as in all exact results.
    for chance in (0.495, np.float64(0.495), Decimal("0.495"), "99/200"):
        assert grinding_chance(chance, 2, exact=True) == Fraction(9801, 40000)
    for chance in ("a lot", 2, -0.1, float("nan"), None):
        with pytest.raises(ValueError, match=r"^chance must be"):
            grinding_chance(chance, 2)
    with pytest.raises(ValueError, match=r"^salts must be at least 1"):
        grinding_chance("0.5", 0)


def under(outcomes):
    """A bet on numbers below 49.50: 4950 of 10001 outcomes."""
    return outcomes < 49.5


@pytest.mark.parametrize("salts", [1, 2, 4])
def test_ground_rounds_all_verify_and_pay_less(salts):
    rounds = 40_000
    ground = estimate_grinding(pf.Dice(), under, salts, rounds, seed=5)
    chance = float(grinding_chance(Fraction(4950, 10001), salts))
    # Six standard errors; the seed is fixed.
    assert abs(ground.returned - chance) < 6 * (chance * (1 - chance) / rounds) ** 0.5
    log = ground.log
    np.testing.assert_array_equal(
        pf.Dice().play(log["server_seed"], log["client_seed"], log["salt"]), log["outcome"]
    )
    assert all(by_oracle(pf.Dice(), log, row) for row in range(500))
    np.testing.assert_array_equal(under(log["outcome"]), ground.payouts)


def test_commitments_catch_exactly_the_swapped_salts():
    ground = estimate_grinding(pf.Dice(), under, 2, 2000)
    caught = [
        not pf.check_commitment(salt, published)
        for salt, published in zip(ground.log["salt"], ground.commitments, strict=True)
    ]
    assert caught == ground.swapped.tolist()
    # A salt is swapped if the first one wins and the second one loses.
    assert abs(np.mean(caught) - 0.495 * 0.505) < 6 * (0.25 * 0.75 / 2000) ** 0.5
    honest = estimate_grinding(pf.Dice(), under, 1, 2000)
    assert not honest.swapped.any()
    assert honest.returned > 0.45


def test_server_seeds_are_ground_too():
    game = Keno().with_scheme(NONCES)
    ground = estimate_grinding(game, lambda outcomes: (outcomes == 7).any(axis=1) * 13.0, 3, 400)
    log = ground.log
    assert list(log) == ["server_seed", "client_seed", "nonce", "outcome"]
    assert log["nonce"].tolist() == list(range(400))
    assert pf.verify(log, game).ok
    candidates = pf.salts(1200).reshape(400, 3)
    for row in range(0, 400, 40):
        tried = [game.play(seed, log["client_seed"][row], row) for seed in candidates[row]]
        wins = [7 in outcome for outcome in tried]
        assert log["outcome"][row].tolist() == tried[wins.index(min(wins))].tolist()
    report = pf.verify({**log, "commitment": ground.commitments}, game)
    assert report.failed == ground.swapped.sum() > 0
    chained = estimate_grinding(pf.Crash().with_scheme(CHAIN), lambda crash: (crash >= 2) * 2.0, 2, 200)
    assert pf.verify(chained.log, pf.Crash().with_scheme(CHAIN)).ok


def test_grinding_works_for_every_form_of_outcome():
    ground = estimate_grinding(pf.Mines(mines=3), lambda mines: (mines != 12).all(axis=1) * 1.1, 3, 500)
    assert ground.log["outcome"].shape == (500, 3)
    shared = estimate_grinding(pf.Crash(), lambda multiplier: (multiplier >= 2) * 2.0, 2, 500)
    assert shared.log["server_seed"][0] == reference.BLOCK_HASHES[540000]
    with pytest.raises(ValueError, match=r"^payout must give 20 numbers"):
        estimate_grinding(pf.Dice(), lambda outcomes: outcomes[:3], 2, 10)
    for bad in (np.nan, np.inf, -np.inf):
        with pytest.raises(ValueError, match=r"^payout must be finite, got"):
            estimate_grinding(pf.Dice(), lambda outcomes, bad=bad: np.where(outcomes < 50, bad, 1.0), 2, 5)
    with pytest.raises(TypeError, match=r"^game must be a game"):
        estimate_grinding(pf.Dice, under, 2, 10)


@pytest.mark.skipif(not hasattr(pf, "verify"), reason="verification is built elsewhere")
@pytest.mark.parametrize("name", pf.operators.salted.GAMES)
def test_verification_takes_the_log(name):
    game = pf.operators.salted.GAMES[name]()
    session = pf.Session(game, commit_salts=True)
    for _ in range(20):
        session.play()
    session.reveal()
    report = pf.verify(session.log(), game)
    assert report.ok
    assert report.checked == 20


def test_an_empty_log_says_why(recwarn):
    session = pf.Session(pf.Dice())
    assert session.log()["salt"] == []
    assert not recwarn.list  # no round was played
    session.play()
    with pytest.warns(UserWarning, match="1 rounds were played, and nothing of them is revealed"):
        session.log()
    session.reveal()
    assert len(session.log()["salt"]) == 1
    assert not recwarn.list
