"""The commands for secret seeds and commitments."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from provably_fair.seeds import check_commitment, commitment, new_seed

from .frame import MISMATCH, VERIFIED
from .shared import JsonOption, print_json, show


def seed(as_json: JsonOption = False) -> None:
    """Make a fresh secret seed, and print it with its commitment."""
    secret = new_seed()
    if as_json:
        print_json({"seed": secret, "commitment": commitment(secret)})
    else:
        show(f"seed        {secret}\ncommitment  {commitment(secret)}")


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
    if as_json:
        print_json({"commitment": computed} | ({} if matches is None else {"matches": matches}))
    else:
        show(computed if matches is None else f"{'matches' if matches else 'DIFFERS: it is'} {computed}")
    raise typer.Exit(MISMATCH if matches is False else VERIFIED)
