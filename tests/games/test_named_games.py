"""Games given by their names: wherever a game is taken, as `verify` takes it."""

import numpy as np
import provably_fair as pf
import provably_fair.dask
import pytest
from provably_fair.auditing.grinding import estimate_grinding
from provably_fair.operators import duel, stake

MINES = pf.Mines(5).simulate(50, seed="named")
SPELLINGS = ["stake.dice", "stake.Dice", " Stake.DICE "]

TAKERS = {
    "difference a": ("a", lambda game: pf.difference(game, duel.Dice(), rounds=100)),
    "difference b": ("b", lambda game: pf.difference(duel.Dice(), game, rounds=100)),
    "readings": ("game", pf.readings.readings),
    "separating_rounds": ("game", lambda game: pf.separating_rounds(game, [duel.Dice()], 3).to_json()),
    "excluded": ("readings", lambda game: pf.separating_rounds(duel.Dice(), [game], 3).to_json()),
    "fairness_report": ("game", lambda game: pf.fairness_report([50.0] * 50, game)),
    "laws by row": ("game", lambda game: pf.fairness_report([50.0] * 50, [game] * 50)),
    "certify": ("subject", lambda game: pf.certify(game, "RTS 7", rounds=50).to_json()),
    "bias_table": ("games", lambda game: pf.statistics.bias_table([game])),
    "power": ("game", lambda game: pf.statistics.power("runs", game, duel.Dice(), 20, sets=5)),
    "alternative": ("alternative", lambda game: pf.statistics.power("runs", stake.Dice(), game, 20, sets=5)),
    "dask.simulate": ("game", lambda game: pf.dask.simulate(game, 50).compute().tolist()),
    "dask.tally": ("game", lambda game: pf.dask.tally(game, 50)),
    "grinding": ("game", lambda game: estimate_grinding(game, lambda rolls: rolls < 50, 2, 20).returned),
}


@pytest.mark.parametrize("taker", TAKERS)
def test_a_name_is_taken_like_the_game_itself(taker):
    argument, call = TAKERS[taker]
    expected = call(stake.Dice())
    for name in (*SPELLINGS, np.str_("stake.dice")):
        assert call(name) == expected
    for wrong, kind, words in (
        ("stake.dicee", ValueError, r"game must be one of mines, .*'stake\.dice'\?$"),
        ("mines:mines=3,mines=5", ValueError, r"the game mines takes mines=... once, got '3' and '5'$"),
        (stake.Dice, TypeError, f"^{argument} must be "),
    ):
        with pytest.raises(kind, match=words) as error:
            call(wrong)
        assert error.value.argument == argument


@pytest.mark.parametrize(
    "name",
    [
        "a" * 10_000,
        "mines:mines=" + "9" * 10_000,
        "mines:" + "a" * 10_000,
        "blackjack:" + "a" * 10_000,
        "slot:reels=" + "-" * 100_000 + "1",
        "slot:reels=" + "(" * 100_000,
        "crash.raw:edge=1e-999999999",
        "crash.raw:edge=1/" + "9" * 10_000,
        "mines\ud800",
        "mines:mines=\0",
    ],
    ids=lambda name: ascii(name[:16]),
)
def test_a_long_or_nested_name_is_refused_shortly(name):
    """A certificate or a config of somebody else may have it."""
    with pytest.raises((TypeError, ValueError)) as error:
        pf.verify({}, name)
    assert error.value.argument == "game"
    assert len(str(error.value)) < 500


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("stake.mines: mines=3,mines =3", "stake.mines takes mines=... once, got '3' and '3'$"),
        (f"Stake.Mines:mines=3,mines={'9' * 10_000}", "stake.mines takes mines=... once, got '3' and '9+$"),
        (
            "video-poker:paytable=deuces_wild,jacks_or_better",
            "takes paytable=... once, got 'deuces_wild' and",
        ),
    ],
    ids=["blanks", "long", "paytable"],
)
def test_a_parameter_is_given_once_however_it_is_spelled(text, words):
    with pytest.raises(ValueError, match=f"the game .*{words}"):
        pf.verify({}, text)


def test_a_config_gives_a_parameter_once():
    config = {"game": "mines:mines=3,mines=5", "logs": "log.csv"}
    with pytest.raises(
        ValueError, match=r"config's key 'game': the game mines takes mines=... once"
    ) as error:
        pf.verify(config=config)
    assert error.value.argument == "game"


def test_a_name_has_parameters():
    assert pf.readings.readings("mines:mines=5") == pf.readings.readings(pf.Mines(5))
    assert pf.fairness_report(MINES, "Mines:mines=5") == pf.fairness_report(MINES, pf.Mines(5))
    with pytest.raises(ValueError, match=r"^b: mines must be from 1 to 24, got 25$"):
        pf.difference(pf.Mines(), "mines:mines=25")
