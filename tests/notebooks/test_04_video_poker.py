"""The claims of notebook 04 on the document's round and tables: all figures, including its misprints."""

from __future__ import annotations

import hashlib
from fractions import Fraction

import provably_fair as pf
import pytest

# The document's table of the hash: characters, decimal value, last two digits, card.
HASH = """
3a 58 58 -     95 149 49 J♣   9b 155 55 -    ba 186 86 -    ff 255 55 -    d9 217 17 5♥   b3 179 79 -
92 146 46 8♣   8b 139 39 A♣   28 40 40 2♣    43 67 67 -     1c 28 28 3♦    2e 46 46 -     e6 230 30 5♦
88 136 36 J♦
"""
PRINTED = (
    "3a959bbaffd9b3928b28431c2ee688792c67a45f1933b9e11af3c7784a7bbda5674d2e768"
    "ac330a04982b9fa943c4c249968ac330a04982b9fa943c4c2499696d"
)
DOCUMENTED = {
    "jacks_or_better": """
        500     34,706,466 0.000021 0.010447
         75    184,178,161 0.000111 0.008316
         20  3,924,486,891 0.002363 0.047252
          9 19,115,939,799 0.011508 0.103572
          6 19,427,500,088 0.011696 0.070173
          4 18,354,238,557 0.011049 0.044198
          3 123,573,760,275 0.074393 0.223178
          2 214,462,314,819 0.129108 0.258217
          1 356,047,418,052 0.214344 0.214344
          0 905,977,999,992 0.545408 0.000000
        total 0.979696""",
    "tens_or_better": """
        500     38,106,048 0.000023 0.011470
         75    187,838,625 0.000113 0.008481
         22  3,915,577,076 0.002357 0.051859
          6 19,084,542,744 0.011489 0.068934
          5 18,600,477,537 0.011198 0.055988
          4 20,611,548,487 0.012408 0.049633
          3 123,201,590,075 0.074169 0.222506
          2 213,933,852,009 0.128790 0.257581
          1 420,598,763,532 0.253205 0.253205
          0 840,930,246,967 0.506248 0.000000
        total 0.979657""",
    "bonus_poker": """
        500     35,737,262 0.000022 0.010757
         45    172,191,438 0.000104 0.004665
         70    325,566,459 0.000196 0.013720
         35    875,937,305 0.000527 0.018456
         25  2,725,708,639 0.001641 0.041023
          8 19,133,720,127 0.011519 0.092149
          5 18,714,893,725 0.011267 0.056333
          4 18,432,640,328 0.011097 0.044387
          3 123,733,729,692 0.074489 0.223467
          2 214,762,339,278 0.129289 0.258578
          1 358,572,571,638 0.215864 0.215864
          0 903,617,507,209 0.543987 0.000000
        total 0.979398""",
}


@pytest.fixture
def digest(ran):
    return hashlib.sha512((ran["server_seed"] + ran["client_seed"]).encode()).hexdigest()


def test_the_cards_come_from_the_hash_as_printed(ran, digest):
    assert pf.check_commitment(ran["server_seed"], ran["published"])
    walk, rows = ran["walk"], []
    for step in walk.steps[:8]:
        passed = [(byte, "-") for byte in step.passed]
        for byte, card in [*passed, (step.word, pf.cards.name(step.result))]:
            rows += [f"{byte:02x}", str(byte), str(byte % 100), card]
    assert rows == HASH.split()
    assert walk.blocks[0][1].hex() == digest
    assert walk.committed
    played = walk.outcome
    assert (str(played.hand), str(played.final)) == ("J♣ 5♥ 8♣ A♣ 2♣", "J♣ 3♦ 5♦ A♣ J♦")
    assert (played.category, played.pay) == ("jacks or better", 1)


def test_the_printed_hash_goes_wrong_after_47_bytes(ran, digest, notebook):
    assert len(PRINTED) == 129
    assert PRINTED[:94] == digest[:94]
    assert PRINTED[94:96] != digest[94:96]
    cards = ran["game"].play(hash=PRINTED[:128])
    assert (cards == ran["game"].play(ran["server_seed"], ran["client_seed"])).all()
    # The tenth card that hasn't been dealt yet, byte by byte.
    cards = list(dict.fromkeys(byte % 100 for byte in bytes.fromhex(digest) if byte % 100 < 52))
    place = [byte % 100 for byte in bytes.fromhex(digest)].index(cards[9])
    assert cards[9] == ran["game"].play(ran["server_seed"], ran["client_seed"])[9]
    assert f"The tenth card is made of the {place + 1}th" in notebook.text


def test_the_four_clubs_were_worth_more(ran, notebook):
    assert ran["best"] == ran["values"][0b11101] == Fraction(60, 47)
    assert f"{float(ran['author']):.2f}" == "0.54"
    assert "1.28 bets, of which its author got 0.54" in notebook.text
    played = ran["game"].replay(ran["server_seed"], ran["client_seed"])
    assert (played.category, played.pay) == ("nothing", 0)


@pytest.mark.parametrize("name", DOCUMENTED)
def test_all_figures_of_a_table(name, ran):
    *rows, (_, total) = [line.replace(",", "").split() for line in DOCUMENTED[name].strip().splitlines()]
    analysis = ran["analyses"][name]
    assert [
        [str(row.pays), str(row.combinations), f"{row.probability:.6f}", f"{row.contribution:.6f}"]
        for row in analysis.rows
    ] == rows
    assert f"{analysis.rtp:.6f}" == total
    assert analysis.total == 1_661_102_543_100


def test_the_answer_has_the_returns(ran, notebook):
    returns = [f"{100 * ran['analyses'][name].rtp:.2f} %" for name in DOCUMENTED]
    assert "{}, {} and {}".format(*returns) in notebook.text
    assert [f"{ran['analyses'][name].house_edge:.2%}" for name in DOCUMENTED] == ["2.03%", "2.03%", "2.06%"]


def test_hashed_deals_keep_to_the_law(ran):
    rows = ran["analyses"]["jacks_or_better"].rows
    assert ran["tally"].outcomes.tolist() == [row.hand for row in rows]
    for row, count in zip(rows, ran["tally"].counts, strict=True):
        expected = 50_000 * row.probability
        assert abs(count - expected) < 4 * expected**0.5 + 1


def test_25_rules_cost_one_bet_in_24_000(ran):
    lost = ran["analyses"]["jacks_or_better"].rtp - ran["simple"].rtp
    assert f"{lost:.2e}" == "4.13e-05"  # as `find_rules` says
    assert round(1 / lost, -3) == 24_000
    assert len(ran["rules"]) == 25


def test_paytables_return_what_is_published(ran, notebook):
    edge = ran["edge"]
    assert (len(edge), sum(edge > 0)) == (15, 4)
    assert f"from {100 + edge.min():.1f} % to {100 + edge.max():.1f} %" in notebook.text
    assert f"{ran['returns']['deuces_wild'].rtp:.4%}" == "100.7620%"
    assert f"{ran['returns']['joker_poker'].rtp:.4%}" == "100.6463%"
    assert sum(analysis.rtp > 1 for analysis in ran["returns"].values()) == 2
    assert f"{ran['sequential_return']:.2%}" == "99.78%"


def test_the_rest_is_counted_as_well(ran):
    assert ran["three"].var(exact=True) == ran["full_pay"].multi_hand_variance(3, exact=True)
    assert ran["own"].law == ran["game"].with_table(ran["wild"]["deuces_wild"]).bet().law


def test_the_cell_to_copy_is_full_pay(copied, ran):
    assert copied["machine"].analyze().rtp == ran["full_pay"].rtp
