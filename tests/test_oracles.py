"""The oracle, compared with the documents' figures, and the vector files, compared with the documents.

The package isn't involved: these tests are what makes the oracle trustworthy.
"""

from __future__ import annotations

import math
import random

import pytest
from oracles import documents, salted as reference


@pytest.mark.documents
def test_vector_files_are_the_documents_figures(vectors):
    text = documents.SALTED_ROUNDS.read_text(encoding="utf-8")
    printed = documents.walkthrough(text)
    copied = vectors("mines_walkthrough")
    assert {part: copied[part] for part in printed} == printed
    assert len(printed["numbers"]) == len(printed["shuffle"]) == 24
    assert sum(len(block["terms"]) + 2 for block in printed["numbers"]) == 240
    facts = vectors("salted_rounds")
    assert facts["empty_round"]["digests"] == printed["digests"]
    assert facts["empty_round"]["numbers"] == [block["sum"] for block in printed["numbers"]]
    assert facts["empty_round"]["permutation"] == printed["shuffle"][-1]["permutation"]
    assert facts["block_hashes"]["games"] == documents.constant_seed_blocks(text)


def test_constant_seeds(vectors):
    block_hashes = vectors("salted_rounds")["block_hashes"]
    assert {int(height): text for height, text in block_hashes["hashes"].items()} == reference.BLOCK_HASHES
    for name, heights in block_hashes["games"].items():
        assert reference.CONSTANT_SEEDS[name] == tuple(reference.BLOCK_HASHES[height] for height in heights)


def test_every_printed_figure_of_the_walkthrough(vectors):
    printed = vectors("mines_walkthrough")
    digests = [reference.random_bytes("", "", "", cursor) for cursor in range(3)]
    assert [digest.hex() for digest in digests] == printed["digests"]
    drawn = reference.random_numbers("", "", "", 24)
    for place, block in enumerate(printed["numbers"]):
        bytes_of_block = b"".join(digests)[8 * place : 8 * place + 8]
        assert list(bytes_of_block) == block["bytes"]
        terms = reference.terms(bytes_of_block)
        assert [reference.to_fixed(term, 18) for term in terms] == block["terms"]
        assert reference.to_fixed(drawn[place], 18) == block["sum"]
        assert reference.to_fixed(drawn[place] * block["factor"], 18) == block["product"]
        assert reference.below(drawn[place], 25 - place) == block["index"]
    steps = reference.shuffle_steps(drawn, 25)
    assert [
        {"step": i + 1, "index": index, "left": left, "permutation": permutation}
        for i, (index, left, permutation) in enumerate(steps)
    ] == printed["shuffle"]


def test_empty_round_and_public_rounds(vectors):
    facts = vectors("salted_rounds")
    for case in facts["empty_round"]["outcomes"]:
        assert reference.GAMES[case["game"]]("", "", "", **case["parameters"]) == case["outcome"]
    for case in facts["public_rounds"]:
        game = case["game"]
        server, client = reference.CONSTANT_SEEDS.get(game, (case["server_seed"], case["client_seed"]))
        assert reference.GAMES[game](server, client, case["salt"], **case["parameters"]) == case["outcome"]


def test_short_sum_equals_the_loop():
    rng = random.Random(2)
    edges = [bytes([0] * 8), bytes([255] * 8), bytes([255] * 7 + [0]), bytes([255] * 6 + [254, 255])]
    for block in edges + [rng.randbytes(8) for _ in range(20000)]:
        assert reference.number(int.from_bytes(block)) == reference.number_term_by_term(block)


def test_numbers_stay_below_one():
    """Eight bytes 0xff sum to 1.0, but numbers have to be below 1."""
    assert sum(reference.terms([255] * 8)) == 1.0
    assert reference.number(2**64 - 1) == 1 - 2**-53
    # All multipliers used by games with the largest number: no index is out of range.
    for n in [*range(1, 100), 10001, 1000000, 2**53 - 1, 2**53]:
        assert math.floor(reference.LARGEST_BELOW_ONE * n) == n - 1


def test_to_fixed_takes_ties_upward():
    """160 / 256**3 has nineteen decimals, the last of which is 5."""
    assert reference.to_fixed(160 / 256**3, 18) == "0.000009536743164063"
    assert reference.to_fixed(0.125, 2) == "0.13"
    assert reference.to_fixed(0.375, 2) == "0.38"
    assert reference.to_fixed(1.005, 2) == "1.00"  # the double is slightly smaller
    assert reference.to_fixed(0.0, 2) == "0.00"
