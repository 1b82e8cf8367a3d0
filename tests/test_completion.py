"""Editors can complete the arguments of every public call."""

from __future__ import annotations

import inspect

import provably_fair as pf
import pytest

jedi = pytest.importorskip("jedi")
pytest.importorskip("provably_fair.dask", exc_type=ImportError)


@pytest.fixture(scope="module", autouse=True)
def _cache_of_its_own(tmp_path_factory):
    """Parallel test processes would otherwise read each other's unfinished cache."""
    before, jedi.settings.cache_directory = (
        jedi.settings.cache_directory,
        str(tmp_path_factory.mktemp("jedi")),
    )
    yield
    jedi.settings.cache_directory = before


def public_calls():
    for name in pf.__all__:
        value = getattr(pf, name)
        if callable(value) and not inspect.ismodule(value):
            yield f"pf.{name}"
    # The questions of a distribution differ by game; the rest is inherited.
    for game in pf.operators.salted.GAMES.values():
        yield f"pf.{game.__name__}().distribution"
    for method in ("play", "simulate", "tally", "explain", "observe", "verify"):
        for game in ("Dice", "Jackpot"):
            if hasattr(getattr(pf, game), method):
                yield f"pf.{game}().{method}"
    for game in ("stake.Dice", "stake.Limbo", "stake.Crash", "stake.Drill", "bustabit.V2", "duel.Mines"):
        yield f"pf.operators.{game}"
        yield f"pf.operators.{game}().distribution"
    for method in ("play", "simulate", "bet"):
        yield f"pf.operators.stake.Dice().{method}"
    for game in ("VideoPoker", "Blackjack"):
        for method in ("play", "simulate", "tally", "bet", "replay", "explain", "with_table"):
            yield f"pf.operators.crypto_games.{game}().{method}"
        yield f"pf.cards.{game}"
        for method in ("analyze", "settle"):
            yield f"pf.cards.{game}().{method}"
    yield "pf.cards.Shoe"
    yield "pf.cards.Shoe().simulate_shoes"


def arguments_of(call):
    """The parameters of the object at run time."""
    value = eval(call, {"pf": pf})
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return None
    return [p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]


@pytest.mark.one_case_in(24)
@pytest.mark.parametrize("call", sorted(set(public_calls())))
def test_an_editor_completes_the_arguments(call):
    expected = arguments_of(call)
    if not expected:
        return
    text = f"import provably_fair as pf\n{call}("
    # As in a running session, such as a notebook.
    found = jedi.Interpreter(text, [{"pf": pf}]).get_signatures()
    known = {parameter.name for signature in found for parameter in signature.params}
    if "questions" in known and call.endswith((".observe", ".bet")):
        # A game's questions are added to its signature at run time, which jedi doesn't read.
        known |= set(expected)
    if "options" in known:  # jedi doesn't support PEP 692 yet
        known |= {*pf.verification.LogOptions.__annotations__}
    if call == "pf.Log":  # jedi finds no signature, for the same reason
        known |= {"source", *pf.verification.LogOptions.__annotations__}
    assert set(expected) <= known, sorted(set(expected) - known)
