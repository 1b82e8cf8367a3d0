//! Crypto.Games blackjack.

use std::sync::{Arc, OnceLock};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::cards::HashArguments;
use super::progress::Progress;
use crate::crypto_games::blackjack::analysis::{self, Strategy};
use crate::crypto_games::blackjack::dealer::Chances;
use crate::crypto_games::blackjack::player::Hands;
use crate::crypto_games::blackjack::replay::{
    self, Cards, Dealt, Replay, Round, Seat, Situation, check_action, deal_from, value,
};
use crate::crypto_games::blackjack::rules::{
    Action, Actions, Doubling, HoleCard, Rules, Soft17, SplitAces, Surrender, TenAce,
};
use crate::crypto_games::blackjack::simulate::{self, Shoes, check_hashed};
use crate::crypto_games::blackjack::strategy::{Chart, ChartColumn, Key, Preference};
use crate::error::{Error, Result, check_range};

/// Blackjack under some rules.
#[pyclass(frozen, module = "provably_fair._engine")]
pub struct Blackjack {
    rules: Rules,
    optimal: OnceLock<Arc<analysis::Analysis>>,
    basic: OnceLock<Arc<analysis::Analysis>>,
}

/// Cards as Python sees them, their total, and whether it is soft.
type Counted = (Vec<u8>, u8, bool);

/// A hand as Python sees it: cards, whether it was split, bets, outcome, net in units.
type PlayedHand = (Counted, bool, u8, &'static str, i64);

/// A round as Python sees it: hands, dealer's cards, actions (place of the hand, action), cards in
/// the order dealt with the place of the hand (`None` for the dealer).
type PlayedRound = (Vec<PlayedHand>, Counted, Vec<(usize, &'static str)>, Vec<(u8, Option<usize>)>);

/// A decision as Python sees it: the hands, the place of the one to be played, the value of the pair
/// it was split from, the value of the pair it is, the upcard and its value, the legal actions.
type Decision = (Vec<Counted>, usize, Option<usize>, Option<usize>, u8, usize, Vec<&'static str>);

#[pymethods]
impl Blackjack {
    #[new]
    #[allow(clippy::too_many_arguments)]
    fn new(
        decks: Option<i64>,
        soft_17: &str,
        hole_card: &str,
        blackjack_pays: (u32, u32),
        double: &str,
        double_after_split: bool,
        split_hands: i64,
        split_aces: &str,
        resplit_aces: bool,
        ten_ace_after_split: &str,
        surrender: &str,
    ) -> Result<Self> {
        let decks = decks.map(|decks| check_range("decks", decks, 1, 8)).transpose()?;
        let rules = Rules {
            decks: decks.map(|decks| decks as u8),
            soft_17: Soft17::parse("soft_17", soft_17)?,
            hole_card: HoleCard::parse("hole_card", hole_card)?,
            blackjack_pays,
            double: Doubling::parse("double", double)?,
            double_after_split,
            split_hands: check_range("split_hands", split_hands, 1, 4)? as u8,
            split_aces: SplitAces::parse("split_aces", split_aces)?,
            resplit_aces,
            ten_ace_after_split: TenAce::parse("ten_ace_after_split", ten_ace_after_split)?,
            surrender: Surrender::parse("surrender", surrender)?,
        };
        Ok(Self { rules: rules.check()?, optimal: OnceLock::new(), basic: OnceLock::new() })
    }

    /// How many units a bet is.
    #[getter]
    fn bet(&self) -> i64 {
        self.rules.bet()
    }

    /// Refuses rules that cards from a hash don't fit.
    fn check_hashed(&self) -> Result<()> {
        check_hashed(&self.rules)
    }

    /// Plays a round with a list of actions.
    fn replay(
        &self,
        argument: &str,
        cards: Vec<u8>,
        actions: Vec<Bound<'_, PyAny>>,
    ) -> PyResult<PlayedRound> {
        let actions = actions
            .iter()
            .enumerate()
            .map(|(place, action)| parse_action(&format!("actions[{place}]"), action))
            .collect::<PyResult<Vec<_>>>()?;
        Ok(self.played(&replay::replay(&self.rules, argument, &cards, &actions)?))
    }

    /// Plays a round; `decide` is called with each decision.
    fn play(&self, argument: &str, cards: Vec<u8>, decide: &Bound<'_, PyAny>) -> PyResult<PlayedRound> {
        let mut actions = Vec::new();
        let mut dealt = Dealt::new();
        let mut deal = deal_from(argument, &cards, &mut dealt);
        let played = Round::play(
            &self.rules,
            |seat| Ok::<_, PyErr>(deal(seat)?),
            |situation| {
                // Where there is nothing to choose, nobody is asked.
                if situation.legal == Actions::STAND {
                    return Ok(Action::Stand);
                }
                let action = decide.call1(as_decision(&situation))?;
                let action = parse_action("the strategy's action", &action)?;
                let action = check_action("the strategy's action", action, &situation)?;
                actions.push((situation.turn, action));
                Ok(action)
            },
        );
        drop(deal);
        Ok(self.played(&Replay { round: played?, actions, dealt }))
    }

    /// Judges "optimal" play, the "basic" chart, or a chart.
    #[pyo3(signature = (strategy, chart=None))]
    fn analyze(
        &self,
        py: Python<'_>,
        strategy: &str,
        chart: Option<Vec<Vec<String>>>,
    ) -> PyResult<BlackjackAnalysis> {
        let chart = chart.map(|rows| parse_chart(&rows)).transpose()?;
        Ok(BlackjackAnalysis(py.detach(|| self.analysis(strategy, chart.as_ref()))?))
    }

    /// Counts of the results of many rounds: in units, rising; their counts; and how many rounds ran
    /// out of cards. Cards come from hashes, or, without a server seed, at random.
    #[pyo3(signature = (analysis, server_seed, client_seed, seed, *, series, threads=None, progress=None))]
    #[allow(clippy::too_many_arguments, clippy::type_complexity)]
    fn simulate<'py>(
        &self,
        py: Python<'py>,
        analysis: &BlackjackAnalysis,
        server_seed: Option<&Bound<'py, PyAny>>,
        client_seed: Option<&Bound<'py, PyAny>>,
        seed: &str,
        series: (u64, usize),
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Vec<(i64, u64)>, u64)> {
        let none = py.None();
        let arguments = match (server_seed, client_seed) {
            (Some(server), Some(client)) => {
                Some(HashArguments::new(server, client, none.bind(py), None, Some(series))?)
            }
            _ => None,
        };
        if let Some(arguments) = &arguments {
            arguments.rounds()?;
        }
        let hashes = arguments.as_ref().map(HashArguments::hashes).transpose()?;
        let shoes = match &hashes {
            Some(hashes) => Shoes::Hashed(hashes),
            None => Shoes::Random { seed, start: series.0 },
        };
        let mut progress = Progress::new(progress);
        let counted = py.detach(|| {
            let tick = &mut |done| progress.tick(done);
            simulate::simulate(&self.rules, &analysis.0.policy, &shoes, series.1, threads, tick)
        });
        let counts = progress.finish(counted)?;
        Ok((counts.nets, counts.exhausted))
    }
}

impl Blackjack {
    /// The analysis of a strategy; of the two named ones, only the first call makes it.
    fn analysis(&self, strategy: &str, chart: Option<&Chart>) -> Result<Arc<analysis::Analysis>> {
        let make = |strategy| Arc::new(analysis::Analysis::new(&self.rules, strategy));
        match (chart, strategy) {
            (Some(chart), _) => Ok(make(Strategy::Chart(chart))),
            (None, "optimal") => Ok(self.optimal.get_or_init(|| make(Strategy::Optimal)).clone()),
            (None, "basic") => Ok(self.basic.get_or_init(|| make(Strategy::Basic)).clone()),
            (None, other) => Err(Error::value(
                "strategy",
                format_args!("must be \"optimal\", \"basic\", a chart or an analysis, got {other:?}"),
            )),
        }
    }

    fn played(&self, replay: &Replay) -> PlayedRound {
        let round = &replay.round;
        let results = round.nets(&self.rules).into_iter().zip(round.outcomes(&self.rules));
        let hands = round
            .hands()
            .iter()
            .zip(results)
            .map(|(hand, (net, outcome))| {
                (counted(&hand.cards), hand.split_from.is_some(), hand.bets, outcome.word(), net)
            })
            .collect();
        let actions = replay.actions.iter().map(|&(place, action)| (place, action.word())).collect();
        let dealt = replay.dealt.iter().map(|&(card, seat)| match seat {
            Seat::Player(place) => (card, Some(place)),
            Seat::Dealer => (card, None),
        });
        (hands, counted(&round.dealer), actions, dealt.collect())
    }
}

fn counted(cards: &Cards) -> Counted {
    let shape = cards.shape();
    (cards.as_slice().to_vec(), shape.total, shape.soft)
}

fn as_decision(situation: &Situation<'_>) -> Decision {
    let hand = situation.hand();
    (
        situation.hands.iter().map(|hand| counted(&hand.cards)).collect(),
        situation.turn,
        hand.split_from,
        hand.cards.shape().pair,
        situation.upcard,
        value(situation.upcard),
        situation.legal.iter().map(Action::word).collect(),
    )
}

fn parse_action(argument: &str, action: &Bound<'_, PyAny>) -> PyResult<Action> {
    match action.cast::<PyString>() {
        // Text that no UTF-8 can hold is no action either.
        Ok(text) => Ok(Action::parse(argument, &text.to_string_lossy())?),
        Err(_) => Err(PyTypeError::new_err(format!(
            "{argument} must be a str such as \"hit\", got {}",
            action.get_type().name()?
        ))),
    }
}

/// Reads a chart: rows hard 4 to 21, soft 12 to 21, pairs of aces to tens; in each a cell for every
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
    let chart = Chart { columns };
    chart.check()?;
    Ok(chart)
}

/// What a strategy is worth.
#[pyclass(frozen, module = "provably_fair._engine")]
pub struct BlackjackAnalysis(Arc<analysis::Analysis>);

/// Two cards against an upcard: their values, how often they come (given the upcard), what the
/// actions win, what is done, what that wins.
type FirstHand = (Vec<usize>, f64, Vec<(&'static str, f64)>, Option<&'static str>, f64);

#[pymethods]
impl BlackjackAnalysis {
    /// What a round wins on average, and its standard deviation.
    #[getter]
    fn moments(&self) -> (f64, f64) {
        (self.0.value(), self.0.std())
    }

    /// For each upcard: its chance, what is won against it, the dealer's chances of 17, 18, ..., 21,
    /// bust, blackjack.
    #[getter]
    fn upcards(&self) -> Vec<(f64, f64, Chances)> {
        self.0.columns.iter().map(|column| (column.chance, column.value, column.dealer)).collect()
    }

    /// Every two cards against an upcard.
    fn hands(&self, upcard: usize) -> PyResult<Vec<FirstHand>> {
        let column =
            self.0.columns.get(upcard).ok_or_else(|| Error::value("upcard", "must be from 0 to 9"))?;
        Ok(column
            .hands
            .iter()
            .map(|hand| {
                let values = Action::ALL
                    .iter()
                    .filter_map(|&action| hand.values[action as usize].map(|value| (action.word(), value)));
                let counts = &Hands::table().counts[usize::from(hand.hand)];
                let cards = counts.iter().enumerate().flat_map(|(value, &n)| vec![value; usize::from(n)]);
                (cards.collect(), hand.chance, values.collect(), hand.action.map(Action::word), hand.value)
            })
            .collect())
    }

    /// The chart, in the rows and columns that `parse_chart` takes; `None` for optimal play.
    #[getter]
    fn chart(&self) -> Option<Vec<Vec<String>>> {
        let columns = &self.0.chart.as_ref()?.columns;
        let totals =
            (0..Key::COUNT).map(|key| columns.iter().map(|column| column.totals[key].letters()).collect());
        let pairs = (0..10).map(|pair| columns.iter().map(|column| column.pairs[pair].letters()).collect());
        Some(totals.chain(pairs).collect())
    }

    /// What is done with a hand of these card values; `split` is the value of the pair it began in.
    fn action(
        &self,
        cards: Vec<usize>,
        split: Option<usize>,
        upcard: usize,
        hands: u8,
        legal: Vec<String>,
    ) -> PyResult<&'static str> {
        let table = Hands::table();
        let mut hand = 0;
        for &value in &cards {
            hand =
                *table.next.get(usize::from(hand)).and_then(|next| next.get(value)).ok_or_else(|| {
                    Error::value("cards", "must be values from 0 to 9 of a hand of up to 21")
                })?;
        }
        let mut allowed = Actions::STAND;
        for word in &legal {
            allowed = allowed.with(Action::parse("legal", word)?, true);
        }
        let column =
            self.0.policy.columns.get(upcard).ok_or_else(|| Error::value("upcard", "must be from 0 to 9"))?;
        let inside = usize::from(hand) < table.len() && split.is_none_or(|value| value < 10);
        if !inside {
            return Err(Error::value("cards", "must make a hand of up to 21").into());
        }
        Ok(column.action(split, hand, allowed, hands).word())
    }
}
