//! Crypto.Games video poker.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::cards::card::parse_rank;
use crate::cards::video_poker::analysis::{self, Play, deals, deals_of};
use crate::cards::video_poker::deck::{DrawCounts, Wild};
use crate::cards::video_poker::holds::{BadHand, Hold, HoldSums, Order, check_hand};
use crate::cards::video_poker::paytable::{GroupPays, Pays, Paytable};
use crate::cards::video_poker::play::{self, RoundCards};
use crate::cards::video_poker::ranking::Hand;
use crate::cards::video_poker::rules::{self, Rule};
use crate::cards::video_poker::sequence::SequentialRoyal;
use crate::cards::video_poker::totals::{U384, totals};
use crate::error::{Error, Result};
use crate::parallel::{self, FirstError, Tick};
use crate::python::convert::arrays::{Array, RowArray, new_filled};
use crate::python::convert::progress::reported;

/// Hands that a thread takes at a time.
const HANDS_AT_A_TIME: usize = 1024;

/// What a thread settles: where holds, final hands and rows go, and the cards of the rounds.
type Part<'a> = (((&'a mut [[bool; 5]], &'a mut [[i64; 5]]), &'a mut [i64]), &'a [RoundCards]);

/// A paytable, with the sums over hands that all results are computed from.
#[pyclass(frozen, module = "provably_fair._engine")]
pub struct PokerPaytable {
    pub(super) paytable: Paytable,
    sums: OnceLock<HoldSums>,
}

impl PokerPaytable {
    /// The sums; computed on first use.
    pub(super) fn sums(&self) -> &HoldSums {
        self.sums.get_or_init(|| HoldSums::new(&self.paytable))
    }
}

/// The arguments of a paytable, with pays in units. `wild` is a rank or None; jokers are always wild.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct PaysArgument {
    families: BTreeMap<String, GroupPays>,
    minimum_pair: String,
    wild: Option<String>,
    jokers: u8,
    reversible: bool,
}

#[pymethods]
impl PokerPaytable {
    #[new]
    fn new(pays: PaysArgument) -> PyResult<Self> {
        let wild = match (pays.jokers, pays.wild) {
            (0, None) => Wild::No,
            (0, Some(rank)) => Wild::Rank(parse_rank(&rank).ok_or_else(|| {
                let allowed = "must be \"joker\" or a rank: A, 2 to 10 or T, J, Q, K";
                Error::value("wild", format_args!("{allowed}, got {rank:?}"))
            })?),
            (jokers, _) => Wild::Jokers(jokers.min(2)),
        };
        let PaysArgument { families, minimum_pair, reversible, .. } = pays;
        let sequence = SequentialRoyal { reversible };
        let paytable = Paytable::new(&Pays { wild, sequence, minimum_pair, families })?;
        Ok(Self { paytable, sums: OnceLock::new() })
    }

    /// The total count of all deals and draws, in the units of `counts`.
    #[getter]
    fn total(&self) -> i64 {
        analysis::total(&self.paytable)
    }

    /// The number of orders of a deal's cards that are told apart: 120, or 1.
    #[getter]
    fn orders(&self) -> i64 {
        self.paytable.orders()
    }

    /// A number for each suit, equal for suits that can be exchanged without changing any pay.
    #[getter]
    fn suits(&self) -> [u8; 4] {
        self.paytable.suits()
    }

    /// The number of draws to each of the 32 holds, in all orders that are told apart.
    #[getter]
    fn draws(&self) -> Vec<i64> {
        let ways = DrawCounts::of(self.paytable.wild().deck()).ways;
        (0..32u8).map(|hold| ways[hold.count_ones() as usize] * self.paytable.orders()).collect()
    }

    /// The rows, best hand first and "nothing" last: the hand's name, and its pay in units.
    #[getter]
    fn rows(&self) -> Vec<(&str, i64)> {
        self.paytable.rows().iter().map(|row| (&*row.name, row.pays)).collect()
    }

    /// The values of the 32 holds of each hand in `hands`; NaN if the hash ran out. `unit` divides the pays. Cards
    /// are in the given order, or in any order.
    #[pyo3(signature = (hands, many, unit, threads=None, anywhere=false))]
    fn hold_values<'py>(
        &self,
        py: Python<'py>,
        hands: PyReadonlyArray1<'py, i64>,
        many: bool,
        unit: i64,
        threads: Option<usize>,
        anywhere: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let hands = self.checked(hands.as_slice()?, many)?;
        new_filled(py, &[hands.len(), 32], None, |out, tick| {
            let (sums, draws, order) = (self.sums(), self.draws(), order(anywhere));
            for_each_hand(&hands, 32, out, threads, tick, |hand, values: &mut [f64]| match hand {
                None => values.fill(f64::NAN),
                Some(hand) => {
                    for ((value, sum), draws) in values.iter_mut().zip(sums.values(hand, order)).zip(&draws) {
                        *value = quotient(sum, draws * unit);
                    }
                }
            })
        })
    }

    /// For each of a hand's 32 holds the total pay of all draws after it, in units, and their number.
    fn hold_sums(&self, py: Python<'_>, hand: [i64; 5]) -> PyResult<Vec<(i64, i64)>> {
        let hand = check_hand(hand, self.paytable.wild()).map_err(|bad| Error::value("hand", bad))?;
        let sums = py.detach(|| self.sums().values(&hand, Order::Given));
        Ok(sums.into_iter().zip(self.draws()).collect())
    }

    /// The best hold of each hand in `hands`, as five booleans, all false if the hash ran out. Cards are in the
    /// given order, or in any order.
    #[pyo3(signature = (hands, many, threads=None, anywhere=false))]
    fn best_holds<'py>(
        &self,
        py: Python<'py>,
        hands: PyReadonlyArray1<'py, i64>,
        many: bool,
        threads: Option<usize>,
        anywhere: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let hands = self.checked(hands.as_slice()?, many)?;
        new_filled(py, &[hands.len(), 5], None, |out, tick| {
            let (sums, order) = (self.sums(), order(anywhere));
            for_each_hand(&hands, 5, out, threads, tick, |hand, held: &mut [bool]| {
                held.copy_from_slice(&booleans(hand.map_or(0, |hand| sums.best(hand, order))));
            })
        })
    }

    /// Settles rounds of ten cards. Returns which cards were held (`holds`, or by default the best ones) as five
    /// booleans per round, the final hands, and their rows, -1 if the hash ran out.
    #[pyo3(signature = (cards, many, holds=None, threads=None))]
    fn settle(
        &self,
        py: Python<'_>,
        cards: PyReadonlyArray1<'_, i64>,
        many: bool,
        holds: Option<PyReadonlyArray1<'_, bool>>,
        threads: Option<usize>,
    ) -> PyResult<(Array<bool>, Array<i64>, Array<i64>)> {
        let (rounds, _) = cards.as_slice()?.as_chunks::<10>();
        let mut held = match &holds {
            Some(holds) => holds.as_slice()?.as_chunks::<5>().0.to_vec(),
            None => vec![[false; 5]; rounds.len()],
        };
        let (mut hands, mut rows) = (vec![[0; 5]; rounds.len()], vec![0; rounds.len()]);
        let best = holds.is_none();
        reported(py, None, |tick| {
            let sums = best.then(|| self.sums());
            let errors = FirstError::default();
            let parts = held.chunks_mut(HANDS_AT_A_TIME).zip(hands.chunks_mut(HANDS_AT_A_TIME));
            let parts = parts.zip(rows.chunks_mut(HANDS_AT_A_TIME)).zip(rounds.chunks(HANDS_AT_A_TIME));
            let threads = parallel::threads(threads, rounds.len(), HANDS_AT_A_TIME);
            let work = |_: &mut (), (turn, (((held, hands), rows), rounds)): (usize, Part<'_>)| {
                let places = held.iter_mut().zip(hands).zip(rows);
                for (place, (((held, hand), row), cards)) in places.zip(rounds).enumerate() {
                    let hold = match sums.map(|sums| play::best_hold(sums, cards)) {
                        None => held.iter().rev().fold(0, |bits, &held| bits << 1 | Hold::from(held)),
                        Some(Ok(hold)) => hold,
                        Some(Err(bad)) => {
                            let first = turn * HANDS_AT_A_TIME;
                            errors.keep(first, &[(place, bad_hand(bad, first + place, many))]);
                            0
                        }
                    };
                    *held = booleans(hold);
                    *hand = play::draw(cards, hold);
                    *row = play::row(&self.paytable, *hand).map_or(-1, |row| row as i64);
                }
                rounds.len() as u64
            };
            parallel::run(parts.enumerate(), threads, tick, || (), work)?;
            errors.finish()
        })?;
        Ok((Array(held.into_flattened()), Array(hands.into_flattened()), Array(rows)))
    }

    /// The count of each row in dealt rounds of ten cards.
    #[pyo3(signature = (cards, *, hold=None, threads=None))]
    fn tally(
        &self,
        py: Python<'_>,
        cards: PyReadonlyArray1<'_, i64>,
        hold: Option<Hold>,
        threads: Option<usize>,
    ) -> PyResult<Array<u64>> {
        let (rounds, _) = cards.as_slice()?.as_chunks::<10>();
        reported(py, None, |tick| play::tally(&self.paytable, self.sums(), rounds, hold, threads, tick))
            .map(Array)
    }

    /// The count of each row over all deals and draws, if each of the `canonical_deals` is played with its hold in
    /// `holds`, or by default with its best hold.
    #[pyo3(signature = (holds=None))]
    fn counts(&self, py: Python<'_>, holds: Option<PyReadonlyArray1<'_, u8>>) -> PyResult<Vec<i64>> {
        self.played(py, holds, |plays, _| Ok(analysis::count(&self.paytable, plays)))
    }

    /// The sum over all deals of the squared pay of their hold, given or best, over the common number of draws.
    #[pyo3(signature = (holds=None))]
    fn squares(&self, py: Python<'_>, holds: Option<PyReadonlyArray1<'_, u8>>) -> PyResult<i128> {
        self.played(py, holds, |plays, _| Ok(analysis::squares(&self.paytable, self.sums(), plays)))
    }

    /// The total pays of `hands` hands drawn from one hold, and, by the number of cards held, the number of ways to
    /// each total as 48-byte little-endian integers.
    #[pyo3(signature = (holds, hands))]
    #[allow(clippy::type_complexity)]
    fn totals<'py>(
        &self,
        py: Python<'py>,
        holds: Option<PyReadonlyArray1<'py, u8>>,
        hands: usize,
    ) -> PyResult<(Vec<i64>, Vec<Bound<'py, PyBytes>>)> {
        let found = self.played(py, holds, |plays, tick| totals(&self.paytable, plays, hands, None, tick))?;
        let bytes = |ways: &Vec<U384>| {
            PyBytes::new(py, &ways.iter().flatten().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>())
        };
        Ok((found.values, found.ways.iter().map(bytes).collect()))
    }

    /// The loss of each of the `canonical_deals` with its hold against its best hold, over the common number of
    /// draws, which is `total` divided by the number of deals.
    fn losses(&self, py: Python<'_>, holds: PyReadonlyArray1<'_, u8>) -> PyResult<Array<i64>> {
        let holds = self.checked_holds(holds.as_slice()?)?;
        Ok(Array(py.detach(|| analysis::losses(&self.paytable, self.sums(), holds))))
    }

    /// The hold of each rule for each of the `canonical_deals`, rule by rule; 255 if the rule doesn't fit.
    fn rule_holds(&self, py: Python<'_>, rules: Vec<String>) -> PyResult<Array<u8>> {
        let rules = rules.iter().map(|rule| Rule::parse(rule)).collect::<Result<Vec<Rule>>>()?;
        Ok(Array(py.detach(|| {
            let deals = deals(&self.paytable);
            let mut holds = vec![u8::MAX; rules.len() * deals.len()];
            for (number, deal) in deals.iter().enumerate() {
                let found = rules::holds(&rules, &self.paytable, &deal.hand);
                for (hold, found) in holds[number..].iter_mut().step_by(deals.len()).zip(found) {
                    *hold = found.unwrap_or(u8::MAX);
                }
            }
            holds
        })))
    }
}

/// One deal of each class that is equal up to a permutation of suits, cards increasing, `(N, 5)`, and the number of
/// deals in each class: for 52 cards, or for a paytable's deck and the suits that it tells apart.
#[pyfunction]
#[pyo3(signature = (paytable=None))]
pub fn canonical_deals(py: Python<'_>, paytable: Option<&PokerPaytable>) -> (RowArray<i64, 5>, Array<i64>) {
    let deals = py.detach(|| paytable.map_or_else(|| deals_of(0, [0; 4]), |table| deals(&table.paytable)));
    let hands = deals.iter().map(|deal| deal.hand.map(i64::from)).collect();
    (RowArray(hands), deals.iter().map(|deal| i64::from(deal.weight)).collect())
}

impl PokerPaytable {
    /// The results of playing all deals with the given holds, or with the best ones.
    fn played<T: Send>(
        &self,
        py: Python<'_>,
        holds: Option<PyReadonlyArray1<'_, u8>>,
        find: impl FnOnce(&[Play], Tick<'_>) -> Result<T> + Send,
    ) -> PyResult<T> {
        let holds = holds.as_ref().map(|holds| self.checked_holds(holds.as_slice()?)).transpose()?;
        reported(py, None, |tick| {
            let plays = match holds {
                Some(holds) => analysis::plays_of(&self.paytable, holds),
                None => analysis::best_plays(&self.paytable, self.sums()),
            };
            find(&plays, tick)
        })
    }

    /// Checks concatenated hands; `None` if the hash ran out. Errors name the row.
    fn checked(&self, cards: &[i64], many: bool) -> Result<Vec<Option<Hand>>> {
        let (hands, _) = cards.as_chunks::<5>();
        let check = |(row, &hand)| match check_hand(hand, self.paytable.wild()) {
            Ok(hand) => Ok(Some(hand)),
            Err(BadHand::NoCard) if many => Ok(None),
            Err(bad) => Err(bad_hand(bad, row, many)),
        };
        hands.iter().enumerate().map(check).collect()
    }

    /// Checks that there is a hold for each of the `deals`.
    fn checked_holds<'a>(&self, holds: &'a [u8]) -> PyResult<&'a [u8]> {
        if holds.len() != deals(&self.paytable).len() || holds.iter().any(|&hold| hold > 31) {
            return Err(Error::value("holds", "must be from 0 to 31, one for each deal").into());
        }
        Ok(holds)
    }
}

/// The error for a hand, with its row if it is one of many.
fn bad_hand(bad: BadHand, row: usize, many: bool) -> Error {
    let error = Error::value("hand", bad);
    if many { error.at(row) } else { error }
}

/// Whether each card is held.
fn booleans(hold: Hold) -> [bool; 5] {
    std::array::from_fn(|place| hold >> place & 1 == 1)
}

fn order(anywhere: bool) -> Order {
    if anywhere { Order::Anywhere } else { Order::Given }
}

/// The quotient of two nonnegative numbers, rounded once.
fn quotient(above: i64, below: i64) -> f64 {
    const EXACT: i64 = 1 << 53;
    if above < EXACT {
        return above as f64 / below as f64;
    }
    // The whole quotient keeps more than 53 bits, and its last bit also marks a remainder.
    let (above, below) = ((above as u128) << 64, below as u128);
    ((above / below) | u128::from(above % below > 0)) as f64 / 2_f64.powi(64)
}

/// Fills `width` items of `out` for each hand.
fn for_each_hand<T: Send>(
    hands: &[Option<Hand>],
    width: usize,
    out: &mut [T],
    threads: Option<usize>,
    tick: Tick<'_>,
    fill: impl Fn(Option<&Hand>, &mut [T]) + Sync,
) -> Result<()> {
    let threads = parallel::threads(threads, hands.len(), HANDS_AT_A_TIME);
    parallel::fill(out, width, HANDS_AT_A_TIME, threads, tick, |(), first, out| {
        for (hand, out) in hands[first..].iter().zip(out.chunks_exact_mut(width)) {
            fill(hand.as_ref(), out);
        }
    })
}
