"""The claims of notebook 11 on its four custom games, counted by hand."""

from __future__ import annotations

import hashlib
import hmac
import math
from itertools import product

import numpy as np
import provably_fair as pf
import pytest

pytest.importorskip("pandas")


def test_the_operator_is_what_hashlib_makes(ran):
    operator = ran["operator"]
    digest = hmac.digest(b"server", b"client:7:0", "sha256")
    words = [int.from_bytes(digest[start : start + 4]) for start in (0, 4)]
    assert operator.random_bytes("server", "client", 7) == digest
    assert operator.random_numbers("server", "client", 7, count=2).tolist() == [w / 2**32 for w in words]
    assert operator.commitment.hexdigest("server") == hashlib.sha256(b"server").hexdigest()


def test_keno_is_hypergeometric(ran):
    exact = [math.comb(5, k) * math.comb(35, 10 - k) / math.comb(40, 10) for k in range(6)]
    assert np.allclose([ran["hits"].pmf(k) for k in range(6)], exact, rtol=1e-12)
    returned = sum(chance * ran["pays"][k] for k, chance in enumerate(exact))
    assert math.isclose(ran["keno_return"], returned)
    assert f"{100 * returned:.1f}" == "96.7"
    seen = [ran["counts"].get(k, 0) for k in range(6)]
    assert ran["hits"].chisquare(dict(enumerate(seen))).pvalue > 0.001
    assert ran["clean"].ok
    assert [failure.row for failure in ran["found"].failures] == [412]


def test_the_wheels_return_what_their_segments_pay(ran):
    assert np.allclose([*ran["wheel_returns"].values()], [48.6 / 50, 49 / 50])
    assert 0 < ran["bias"] < 1e-9
    assert abs(ran["apart"].share - 0.6) < 0.02
    assert ran["other"].failed > 500


def test_hilo_returns_the_same_whatever_is_guessed(ran):
    assert math.isclose(ran["hilo_return"], 0.99**3, abs_tol=1e-9)
    assert [failure.row for failure in ran["in_hilo"].failures] == [3, 500]
    # One guess of the other direction, card by card.
    for card in range(13):
        for chance in (13 - card) / 13, (card + 1) / 13:
            assert math.isclose(chance * 0.99 / chance, 0.99)


def test_the_slot_returns_what_its_windows_pay(ran):
    paid = 0.0
    for stops in product(*map(range, map(len, ran["REELS"]))):
        columns = [(reel * 2)[stop : stop + 3] for reel, stop in zip(ran["REELS"], stops, strict=True)]
        paid += ran["SCATTERS"][sum("S" in column for column in columns)]
        for line in ran["LINES"]:
            symbols = {column[row] for column, row in zip(columns, line, strict=True)} - {"W"}
            if len(symbols) <= 1:
                paid += ran["PRIZES"].get(min(symbols, default="W"), 0) / 5
    assert math.isclose(paid / 10_560, ran["slot_return"], abs_tol=1e-6)
    assert f"{100 * ran['slot_return']:.1f}" == "92.7"
    assert f"{ran['slot'].bet().hit_frequency:.0%}" == "43%"
    assert ran["slot"].explain("server", "client", nonce=7).outcome.tolist() == ran["stops"].tolist()
    assert pf.verify(ran["log"], ran["slot"]).ok


def test_simulations_agree(ran):
    assert abs(ran["simulated"].mean() - ran["slot_return"]) < 3 * ran["error"]
    assert abs(ran["paid"].mean() - ran["keno_return"]) < 3 * ran["paid"].std() / ran["rounds"] ** 0.5


def test_the_cell_to_copy_tosses_coins(copied):
    law = copied["coins"].distribution()
    assert [32 * law.pmf(heads) for heads in range(6)] == [1, 5, 10, 10, 5, 1]
