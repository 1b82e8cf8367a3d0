//! Blackjack: rules, analyses and simulations.

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::cards::blackjack::analysis::{self, Strategy};
use crate::cards::blackjack::dealer::{Ranks, Shoe};
use crate::cards::blackjack::dealt::{DealtRounds, Scripts};
use crate::cards::blackjack::player::{BUST, HandId, Hands, TEN};
use crate::cards::blackjack::replay::{
    self, Cards, Dealt, Replay, Round, Seat, Situation, check_action, deal_from, value,
};
use crate::cards::blackjack::rules::{
    Action, Actions, Dealer, Dealer22, DoubleCards, Doubling, HoleCard, Rules, Soft17, SplitAces, Surrender,
    TenAce,
};
use crate::cards::blackjack::shoes::CutShoes;
use crate::cards::blackjack::simulate::{Series, choose};
use crate::cards::blackjack::strategy::{Chart, ChartColumn, Key, Preference};
use crate::error::{Error, Result};
use crate::python::convert::arrays::{Array, RowArray};
use crate::python::convert::objects::objects;
use crate::python::convert::progress::reported;
use crate::python::convert::strings::type_name;

/// Blackjack under some rules.
#[pyclass(frozen, module = "provably_fair._engine")]
pub struct Blackjack {
    pub(super) rules: Rules,
}

/// The cards of a hand, with their total.
#[pyclass(frozen, get_all, module = "provably_fair._engine")]
pub struct BlackjackCards {
    /// The cards, in the order dealt.
    cards: Py<PyTuple>,
    /// Their total.
    total: u8,
    /// Whether an ace counts eleven.
    soft: bool,
}

/// A player's hand at the end of a round.
#[pyclass(frozen, get_all, module = "provably_fair._engine")]
pub struct SettledHand {
    /// The hand's cards.
    cards: Py<BlackjackCards>,
    /// Whether it was made by a split.
    split: bool,
    /// The number of bets on it.
    bets: u8,
    /// The result, as a word.
    outcome: &'static str,
    /// The net win, in units.
    net: i64,
}

/// A finished round.
#[pyclass(frozen, get_all, module = "provably_fair._engine")]
pub struct SettledRound {
    /// The player's hands, from the left.
    hands: Py<PyTuple>,
    /// The dealer's cards.
    dealer: Py<BlackjackCards>,
    /// The player's actions in order, as words.
    actions: Vec<&'static str>,
    /// All cards in the order dealt, each with the index of the player's hand that it went to; `None` for the dealer's.
    dealt: Vec<(u8, Option<usize>)>,
    /// The net win of insurance, in units; `None` if it wasn't taken.
    insurance: Option<i64>,
}

/// The state of a round before a decision. Card values are numbers from 0 (ace) to 9 (ten).
#[pyclass(frozen, get_all, module = "provably_fair._engine")]
pub struct BlackjackDecision {
    /// The player's hands so far, from the left.
    hands: Py<PyTuple>,
    /// The index of the hand to play.
    turn: usize,
    /// The value of the pair it was split from, if any.
    split_from: Option<usize>,
    /// Its value as a pair, if it is one.
    pair: Option<usize>,
    /// The dealer's upcard.
    upcard: u8,
    /// The value of the upcard.
    upcard_value: usize,
    /// The legal actions, as words.
    legal: Py<PyTuple>,
}

/// The rules of a table, as passed from Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct RulesArgument<'py> {
    decks: Option<Bound<'py, PyAny>>,
    soft_17: String,
    hole_card: String,
    blackjack_pays: (Bound<'py, PyAny>, Bound<'py, PyAny>),
    double: String,
    double_after_split: bool,
    split_hands: Bound<'py, PyAny>,
    split_aces: String,
    resplit_aces: bool,
    ten_ace_after_split: String,
    surrender: String,
    double_cards: String,
    charlie: Option<Bound<'py, PyAny>>,
    dealer_22: String,
    split_unlike_tens: bool,
    surrender_after_split: bool,
    insurance: bool,
    even_money: bool,
}

impl RulesArgument<'_> {
    /// Parses and checks each rule.
    fn read(&self) -> PyResult<Rules> {
        let decks =
            self.decks.as_ref().map(|decks| in_range("decks", decks, (1, Rules::MAX_DECKS))).transpose()?;
        let charlie =
            self.charlie.as_ref().map(|cards| in_range("charlie", cards, Rules::CHARLIE)).transpose()?;
        let (numerator, denominator) = &self.blackjack_pays;
        let part =
            |part: &Bound<'_, PyAny>| part.extract().ok().filter(|part| (1..=Rules::MAX_PAY).contains(part));
        let (Some(above), Some(below)) = (part(numerator), part(denominator)) else {
            return Err(Error::value(
                "blackjack_pays",
                format_args!(
                    "must be a positive fraction whose numerator and denominator are at most {}, \
                     got {numerator}/{denominator}",
                    Rules::MAX_PAY
                ),
            )
            .into());
        };
        let (double, double_totals) = Doubling::with_totals("double", &self.double)?;
        Ok(Rules {
            decks,
            soft_17: Soft17::parse("soft_17", &self.soft_17)?,
            hole_card: HoleCard::parse("hole_card", &self.hole_card)?,
            blackjack_pays: (above, below),
            double,
            double_totals,
            double_after_split: self.double_after_split,
            split_hands: match self.split_hands.cast::<PyString>() {
                Ok(list) => Rules::split_hands_by_pair("split_hands", &list.to_string_lossy())?,
                Err(_) => [in_range("split_hands", &self.split_hands, (1, Rules::MAX_HANDS))?; 10],
            },
            split_unlike_tens: self.split_unlike_tens,
            split_aces: SplitAces::parse("split_aces", &self.split_aces)?,
            resplit_aces: self.resplit_aces,
            ten_ace_after_split: TenAce::parse("ten_ace_after_split", &self.ten_ace_after_split)?,
            surrender: Surrender::by_upcard("surrender", &self.surrender)?,
            surrender_after_split: self.surrender_after_split,
            insurance: self.insurance,
            even_money: self.even_money,
            double_cards: DoubleCards::parse("double_cards", &self.double_cards)?,
            charlie,
            dealer_22: Dealer22::parse("dealer_22", &self.dealer_22)?,
        })
    }
}

/// The player of many rounds: an analysis; the numbers of actions, round by round, with their number up to the end of
/// each round; or a function that is called for each decision.
#[derive(FromPyObject)]
enum PlayerArgument<'py> {
    Analysis(Py<BlackjackAnalysis>),
    Actions(PyReadonlyArray1<'py, u8>, PyReadonlyArray1<'py, i64>),
    Function(Bound<'py, PyAny>),
}

/// Rounds that were played: the net win of each in bets, the numbers of its cards and of its actions; and all actions.
type PlayedRounds = (Array<f64>, Array<u8>, Array<u8>, Array<u8>);

/// Rounds from shoes: the index of each one's shoe, its net win in bets, and the cards seen before it by rank; and the
/// number of rounds that are left out.
type ShoeRounds = (Array<i64>, Array<f64>, RowArray<u16, 13>, u64);

/// Shoes: the seed of their shuffles, the number of cards of each rank, and the number of cards before the cut card.
#[derive(FromPyObject)]
struct ShoesArgument(String, Ranks, usize);

#[pymethods]
impl Blackjack {
    /// A table with some rules; without any, with the document's.
    #[new]
    #[pyo3(signature = (rules=None))]
    fn new(rules: Option<RulesArgument<'_>>) -> PyResult<Self> {
        Ok(Self { rules: rules.map_or_else(|| Ok(Rules::default()), |rules| rules.read())? })
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.rules == other.rules
    }

    /// The number of units in a bet.
    #[getter]
    fn units(&self) -> i64 {
        self.rules.units()
    }

    /// The maximum number of hands that one deal can become.
    #[getter]
    fn most_hands(&self) -> u8 {
        self.rules.split_hands.into_iter().max().unwrap_or(1)
    }

    /// Plays a round with a list of actions.
    fn replay(
        &self,
        py: Python<'_>,
        argument: &str,
        cards: Vec<u8>,
        actions: Vec<Bound<'_, PyAny>>,
    ) -> PyResult<SettledRound> {
        let actions = actions
            .iter()
            .enumerate()
            .map(|(place, action)| parse_action("actions", action).map_err(|error| error.at(place)))
            .collect::<Result<Vec<_>>>()?;
        self.settle(py, &replay::replay(&self.rules, argument, &cards, &actions)?)
    }

    /// The player's actions as words, in the order of their numbers.
    #[classattr]
    fn actions() -> Vec<&'static str> {
        Action::ALL.iter().map(|action| action.word()).collect()
    }

    /// Plays a round; `decide` is an analysis, or called for each decision.
    fn play(
        &self,
        py: Python<'_>,
        argument: &str,
        cards: Vec<u8>,
        decide: &Bound<'_, PyAny>,
    ) -> PyResult<SettledRound> {
        let analysis = decide.cast::<BlackjackAnalysis>().ok();
        let mut actions = Vec::new();
        let mut dealt = Dealt::new();
        let mut deal = deal_from(argument, &cards, &mut dealt);
        let played = Round::play(
            &self.rules,
            |seat| Ok::<_, PyErr>(deal(seat)?),
            |situation| {
                let asked = situation.legal != Actions::STAND;
                let action = match analysis {
                    Some(analysis) => choose(&analysis.get().0.policy, &situation),
                    None => ask(py, decide, &situation)?,
                };
                if asked {
                    actions.push(action);
                }
                Ok(action)
            },
        );
        drop(deal);
        self.settle(py, &Replay { round: played?, actions, dealt })
    }

    /// Analyzes "optimal" play, the "basic" chart or a given chart, for a shoe with this many cards of each rank, or
    /// for the rules' own shoe.
    #[pyo3(signature = (strategy, chart=None, shoe=None))]
    fn analyze(
        &self,
        py: Python<'_>,
        strategy: &str,
        chart: Option<Vec<Vec<String>>>,
        shoe: Option<Ranks>,
    ) -> PyResult<BlackjackAnalysis> {
        let chart = chart.map(|rows| parse_chart(&rows)).transpose()?;
        let strategy = match (&chart, strategy) {
            (Some(chart), _) => Strategy::Chart(chart),
            (None, "optimal") => Strategy::Optimal,
            _ => Strategy::Basic,
        };
        let cards = shoe.map_or_else(|| Shoe::new(self.rules.decks), |ranks| Shoe::of_ranks(&ranks));
        analysis::Analysis::check(&self.rules, &cards)?;
        Ok(BlackjackAnalysis(py.detach(|| analysis::Analysis::with_shoe(&self.rules, &cards, strategy))))
    }

    /// Counts the net wins of rounds from random shoes: those of the series `seed`, from the number `start` on.
    /// Returns the net wins that occurred, in units, increasing, with the number of rounds of each.
    #[pyo3(signature = (analysis, seed, start, rounds, *, threads=None))]
    fn tally(
        &self,
        py: Python<'_>,
        analysis: &BlackjackAnalysis,
        seed: &str,
        start: u64,
        rounds: usize,
        threads: Option<usize>,
    ) -> PyResult<Vec<(i64, u64)>> {
        let series = Series::new(&self.rules, seed, start);
        reported(py, None, |tick| series.tally(&analysis.0.policy, rounds, threads, tick))
    }

    /// The first `each` cards of random shoes, `(N, each)`: of a series' rounds `start + i`, for each `i` of `rounds`.
    fn random_cards<'py>(
        &self,
        py: Python<'py>,
        seed: &str,
        start: u64,
        rounds: PyReadonlyArray1<'py, i64>,
        each: usize,
    ) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let (rounds, series) = (rounds.as_slice()?, Series::new(&self.rules, seed, start));
        let mut cards = vec![0; rounds.len() * each];
        py.detach(|| {
            for (cards, &round) in cards.chunks_mut(each.max(1)).zip(rounds) {
                series.deal(round as usize, cards);
            }
        });
        PyArray1::from_vec(py, cards).reshape([rounds.len(), each])
    }

    /// Plays rounds with these cards, `(N, k)`, negative once they have run out. The net win is then NaN.
    #[pyo3(signature = (player, cards, *, threads=None))]
    fn play_dealt(
        &self,
        py: Python<'_>,
        player: PlayerArgument<'_>,
        cards: PyReadonlyArray2<'_, i64>,
        threads: Option<usize>,
    ) -> PyResult<PlayedRounds> {
        let (rounds, each) = (cards.shape()[0], cards.shape()[1]);
        let dealt = DealtRounds { rules: &self.rules, cards: cards.as_slice()?, each };
        let plays = match player {
            PlayerArgument::Analysis(analysis) => {
                reported(py, None, |tick| dealt.by_policy(&analysis.get().0.policy, rounds, threads, tick))?
            }
            PlayerArgument::Actions(actions, ends) => {
                let action = |&code: &u8| Action::ALL[usize::from(code)];
                let actions: Vec<Action> = actions.as_slice()?.iter().map(action).collect();
                let ends: Vec<usize> = ends.as_slice()?.iter().map(|&end| end as usize).collect();
                let scripts = Scripts { actions: &actions, ends: &ends };
                reported(py, None, |tick| dealt.by_actions(scripts, threads, tick))?
            }
            PlayerArgument::Function(decide) => dealt.by(rounds, |situation| ask(py, &decide, situation))?,
        };
        Ok((Array(plays.nets), Array(plays.taken), Array(plays.acted), Array(plays.actions)))
    }

    /// Plays shoes with this many cards of each rank up to a cut card. Returns, for every round, the index of its
    /// shoe, its net win in bets and the cards seen before it by rank; and the number of rounds left out because the
    /// cards ran out.
    #[pyo3(signature = (analysis, shoes, *, series, threads=None, progress=None))]
    fn play_shoes(
        &self,
        py: Python<'_>,
        analysis: &BlackjackAnalysis,
        shoes: ShoesArgument,
        series: (u64, usize),
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<ShoeRounds> {
        let ShoesArgument(seed, cards, cut) = &shoes;
        let shoes = CutShoes { rules: &self.rules, cards, cut: *cut, seed, start: series.0 };
        let (rounds, short) =
            reported(py, progress, |tick| shoes.play(&analysis.0, series.1, threads, tick))?;
        let units = self.rules.units() as f64;
        let numbers = rounds.iter().map(|round| round.shoe as i64).collect();
        let nets = rounds.iter().map(|round| round.net as f64 / units).collect();
        let seen = RowArray(rounds.iter().map(|round| round.seen).collect());
        Ok((numbers, nets, seen, short))
    }
}

/// The action chosen by a Python function, which isn't called if standing is the only legal action.
fn ask(py: Python<'_>, decide: &Bound<'_, PyAny>, situation: &Situation<'_>) -> PyResult<Action> {
    if situation.legal == Actions::STAND {
        return Ok(Action::Stand);
    }
    let action = decide.call1((as_decision(py, situation)?,))?;
    let action = parse_action("the strategy's action", &action)?;
    Ok(check_action("the strategy's action", action, situation)?)
}

impl Blackjack {
    fn settle(&self, py: Python<'_>, replay: &Replay) -> PyResult<SettledRound> {
        let round = &replay.round;
        let results = round.nets(&self.rules).into_iter().zip(round.outcomes(&self.rules));
        let hands = round.hands().iter().zip(results).map(|(hand, (net, outcome))| {
            Ok(SettledHand {
                cards: Py::new(py, count_cards(py, &hand.cards)?)?,
                split: hand.split_from.is_some(),
                bets: hand.bets,
                outcome: outcome.word(),
                net,
            })
        });
        let dealt = replay.dealt.iter().map(|&(card, seat)| match seat {
            Seat::Player(hand) => (card, Some(hand)),
            Seat::Dealer => (card, None),
        });
        Ok(SettledRound {
            hands: objects(py, hands.collect::<PyResult<Vec<_>>>()?)?,
            dealer: Py::new(py, count_cards(py, &round.dealer)?)?,
            actions: replay.actions.iter().map(|action| action.word()).collect(),
            dealt: dealt.collect(),
            insurance: round.insurance(&self.rules),
        })
    }
}

fn count_cards(py: Python<'_>, cards: &Cards) -> PyResult<BlackjackCards> {
    let shape = cards.shape();
    let cards = PyTuple::new(py, cards.as_slice())?.unbind();
    Ok(BlackjackCards { cards, total: shape.total, soft: shape.soft })
}

fn as_decision(py: Python<'_>, situation: &Situation<'_>) -> PyResult<BlackjackDecision> {
    let hand = situation.hand();
    let hands =
        situation.hands.iter().map(|hand| count_cards(py, &hand.cards)).collect::<PyResult<Vec<_>>>()?;
    let legal: Vec<_> = situation.legal.iter().map(Action::word).collect();
    Ok(BlackjackDecision {
        hands: objects(py, hands)?,
        turn: situation.turn,
        split_from: hand.split_from,
        pair: hand.cards.shape().pair,
        upcard: situation.upcard,
        upcard_value: value(situation.upcard),
        legal: PyTuple::new(py, legal)?.unbind(),
    })
}

fn parse_action(argument: &str, action: &Bound<'_, PyAny>) -> Result<Action> {
    match action.cast::<PyString>() {
        // Text with lone surrogates isn't an action either.
        Ok(text) => Action::parse(argument, &text.to_string_lossy()),
        Err(_) => {
            let got = type_name(action);
            Err(Error::type_(argument, format!("must be a str such as \"hit\", got {got}")))
        }
    }
}

/// Checks that a whole number of any size is in a range.
fn in_range(argument: &str, value: &Bound<'_, PyAny>, (least, most): (u8, u8)) -> PyResult<u8> {
    match value.extract() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(Error::value(argument, format_args!("must be from {least} to {most}, got {value}")).into()),
    }
}

/// Checks a chart's cell for a total or a pair; `argument` names it in errors.
#[pyfunction]
pub fn check_chart_cell(argument: &str, letters: &str, total: bool) -> Result<()> {
    let cell = Preference::parse(argument, letters)?;
    if total { cell.check_total(argument) } else { Ok(()) }
}

/// Parses a chart: rows for hard 4 to 21, soft 12 to 21 and pairs of aces to tens, each with a cell for every
/// upcard, ace first.
fn parse_chart(rows: &[Vec<String>]) -> Result<Chart> {
    if rows.len() != Key::COUNT + 10 || rows.iter().any(|row| row.len() != 10) {
        return Err(Error::value("chart", "must have 38 rows of 10 cells"));
    }
    let columns = (0..10)
        .map(|upcard| {
            let mut totals = [Preference::NONE; Key::COUNT];
            let mut pairs = [Preference::NONE; 10];
            for (cell, row) in totals.iter_mut().chain(&mut pairs).zip(rows) {
                *cell = Preference::parse("chart", &row[upcard])?;
            }
            Ok(ChartColumn { totals, pairs })
        })
        .collect::<Result<_>>()?;
    Ok(Chart { columns })
}

/// The analysis of a strategy.
#[pyclass(frozen, module = "provably_fair._engine")]
pub struct BlackjackAnalysis(analysis::Analysis);

/// The probability of an upcard, the strategy's value against it, and the probability of each of the dealer's results.
type UpcardResult = (f64, f64, Vec<(&'static str, f64)>);

/// Two dealt cards against one upcard.
#[pyclass(frozen, get_all, module = "provably_fair._engine")]
pub struct FirstTwo {
    /// The values of the cards.
    cards: Py<PyTuple>,
    /// Whether they are tens of different ranks that can't be split.
    unlike: bool,
    /// Their probability, given the upcard.
    chance: f64,
    /// The value of each legal action.
    values: Py<PyDict>,
    /// The strategy's action; `None` for a blackjack.
    action: Option<&'static str>,
    /// The value of that action.
    value: f64,
}

#[pymethods]
impl BlackjackAnalysis {
    /// The expected net win of a round.
    #[getter]
    fn value(&self) -> f64 {
        self.0.value()
    }

    /// The results of a round in units, increasing, and the probability of each.
    #[getter]
    fn law(&self, py: Python<'_>) -> (Vec<i64>, Vec<f64>) {
        py.detach(|| self.0.law()).into_iter().unzip()
    }

    /// The analysis of each upcard, ace first.
    #[getter]
    fn upcards(&self) -> Vec<UpcardResult> {
        let results = |chances| Dealer::ALL.iter().map(|result| result.word()).zip(chances).collect();
        let columns = self.0.columns.iter();
        columns.map(|column| (column.chance, column.value, results(column.dealer))).collect()
    }

    /// The analysis of every two-card hand against an upcard.
    fn hands(&self, py: Python<'_>, upcard: usize) -> PyResult<Py<PyTuple>> {
        let column =
            self.0.columns.get(upcard).ok_or_else(|| Error::value("upcard", "must be from 0 to 9"))?;
        let first_two = |hand: &analysis::FirstHand| {
            let values = PyDict::new(py);
            for &action in Action::ALL {
                if let Some(value) = hand.values[action as usize] {
                    values.set_item(action.word(), value)?;
                }
            }
            let counts = &Hands::table().counts[usize::from(hand.deal.hand)];
            let cards = counts.iter().enumerate().flat_map(|(value, &n)| vec![value; usize::from(n)]);
            Ok(FirstTwo {
                cards: PyTuple::new(py, cards.collect::<Vec<_>>())?.unbind(),
                unlike: hand.deal.unlike,
                chance: hand.deal.chance,
                values: values.unbind(),
                action: hand.action.map(Action::word),
                value: hand.value,
            })
        };
        objects(py, column.hands.iter().map(first_two).collect::<PyResult<Vec<_>>>()?)
    }

    /// The chart, in the form that `parse_chart` reads; `None` for optimal play.
    #[getter]
    fn chart(&self) -> Option<Vec<Vec<String>>> {
        let columns = &self.0.chart.as_ref()?.columns;
        let totals =
            (0..Key::COUNT).map(|key| columns.iter().map(|column| column.totals[key].letters()).collect());
        let pairs = (0..10).map(|pair| columns.iter().map(|column| column.pairs[pair].letters()).collect());
        Some(totals.chain(pairs).collect())
    }

    /// The action with a hand of these card values; `split` is the value of the pair it was split from.
    fn action(
        &self,
        cards: Vec<usize>,
        split: Option<usize>,
        upcard: usize,
        hands: u8,
        legal: Vec<String>,
    ) -> PyResult<&'static str> {
        let mut allowed = Actions::STAND;
        for word in &legal {
            allowed = allowed.with(Action::parse("legal", word)?, true);
        }
        let next = &Hands::table().next;
        let more = |hand: HandId, value: &usize| next.get(usize::from(hand))?.get(*value).copied();
        let hand = cards.iter().try_fold(0, more).filter(|&hand| hand != BUST);
        let column = self.0.policy.columns.get(upcard);
        let (Some(hand), Some(column), None | Some(..=TEN)) = (hand, column, split) else {
            return Err(Error::value("cards", "must be values from 0 to 9 of a hand of up to 21").into());
        };
        Ok(column.action(split, hand, allowed, hands).word())
    }
}
