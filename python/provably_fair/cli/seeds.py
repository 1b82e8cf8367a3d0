"""The commands for secret seeds and commitments."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from provably_fair.seeds import check_commitment, commitment, new_seed

from .frame import MISMATCH, VERIFIED
from .shared import JsonOption, answer


def seed(as_json: JsonOption = False) -> None:
    """Make a fresh secret seed, and print it with its commitment."""
    secret = new_seed()
    committed = commitment(secret)
    text = f"seed        {secret}\ncommitment  {committed}"
    answer({"seed": secret, "commitment": committed}, text, as_json)


def commit(
    seed: Annotated[str, typer.Argument(help="The seed; - reads it from stdin.")],
    check: Annotated[
        str | None,
        typer.Option(metavar="COMMITMENT", help="Compare with a published commitment: exit code 0 or 1."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Print the commitment to a seed (its SHA-256), or check one."""
    text = sys.stdin.read().rstrip("\r\n") if seed == "-" else seed
    computed = commitment(text)
    matches = None if check is None else check_commitment(text, check)
    content, words = {"commitment": computed}, {None: "", True: "matches ", False: "DIFFERS: it is "}
    answer(content if matches is None else content | {"matches": matches}, words[matches] + computed, as_json)
    raise typer.Exit(MISMATCH if matches is False else VERIFIED)
