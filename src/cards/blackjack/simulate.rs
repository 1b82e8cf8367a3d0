//! Simulation: the net win of each of many rounds, or counts of net wins.
//!
//! Rounds are played by [`Round`], the code that replays logged hands, with a policy in place of the log. Random
//! shoes are shuffled by a generator whose state depends on the round's number. Each round is then independent of
//! how the work is divided among threads, and a series can be continued, repeated in part and merged. Hashed cards
//! occasionally run out; such rounds are counted separately, since dropping them silently would bias the results
//! toward short rounds.

use std::convert::Infallible;
use std::ops::Range;

use sha2::{Digest, Sha256};

use super::replay::{MAX_HANDS, Round, Situation, value};
use super::rules::{Action, Rules};
use super::strategy::Policy;
/// Rounds that a thread plays at a time.
pub const ROUNDS_AT_A_TIME: usize = 1024;
use crate::error::Result;
use crate::parallel::{self, Tick};

/// The source of a simulation's cards.
#[derive(Clone, Debug)]
pub enum Shoes<'a> {
    /// A random number generator.
    Random {
        /// The name of the series.
        seed: &'a str,
        /// The number of the first round in the series.
        start: u64,
    },
    /// Cards that were already dealt, the same number for each round.
    Dealt {
        /// The card numbers, round by round; negative once the hash has run out.
        cards: &'a [i64],
        /// The number of cards per round.
        each: usize,
    },
}

/// The count of each result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetCounts {
    /// The results in units that occurred, increasing, with their counts.
    pub nets: Vec<(i64, u64)>,
    /// Rounds whose hash ran out of cards; not included in the other counts.
    pub exhausted: u64,
}

/// Rounds under some rules, from some shoes. Each depends only on its own shoe.
#[derive(Clone, Debug)]
pub struct Series<'a> {
    rules: &'a Rules,
    shoes: Shoes<'a>,
    /// The generator's key for random shoes.
    key: u64,
}

impl<'a> Series<'a> {
    /// Rounds under `rules`, dealt from `shoes`.
    pub fn new(rules: &'a Rules, shoes: Shoes<'a>) -> Self {
        let key = match &shoes {
            Shoes::Random { seed, .. } => generator_key(&format!("{seed}:random")),
            Shoes::Dealt { .. } => 0,
        };
        Self { rules, shoes, key }
    }

    /// Counts the net wins of the first `rounds` rounds under a policy.
    pub fn tally(
        &self,
        policy: &Policy,
        rounds: usize,
        threads: Option<usize>,
        tick: Tick<'_>,
    ) -> Result<NetCounts> {
        // The maximum win: four doubled hands or four blackjacks, and insurance.
        let most =
            (MAX_HANDS as i64 * 2 + 1) * self.rules.units().max(i64::from(self.rules.blackjack_pays.0));
        let work = |counts: &mut Vec<u64>, first: usize| {
            let numbers = first..rounds.min(first + ROUNDS_AT_A_TIME);
            let played = numbers.len() as u64;
            let Ok(()) = self.play(numbers, by_policy(policy), |net| {
                if let Some(net) = net {
                    counts[(net + most) as usize] += 1;
                }
            });
            played
        };
        let threads = parallel::threads(threads, rounds, ROUNDS_AT_A_TIME);
        let parts = (0..rounds).step_by(ROUNDS_AT_A_TIME);
        // Indexed by result, from the lowest possible one.
        let none = || vec![0; 2 * most as usize + 1];
        let workers = parallel::run(parts, threads, tick, none, work)?;
        let count = |place: i64| workers.iter().map(|counts| counts[place as usize]).sum();
        let nets: Vec<(i64, u64)> = (0..=2 * most)
            .map(|place| (place - most, count(place)))
            .filter(|&(_, count)| count > 0)
            .collect();
        let played: u64 = nets.iter().map(|(_, count)| count).sum();
        Ok(NetCounts { nets, exhausted: rounds as u64 - played })
    }

    /// The net win of each of the first rounds under a policy, in bets; NaN if the hash runs out.
    pub fn nets(
        &self,
        policy: &Policy,
        out: &mut [f64],
        threads: Option<usize>,
        tick: Tick<'_>,
    ) -> Result<()> {
        let threads = parallel::threads(threads, out.len(), ROUNDS_AT_A_TIME);
        parallel::fill(out, 1, ROUNDS_AT_A_TIME, threads, tick, |(), first, nets| {
            let Ok(()) = self.nets_by(first, nets, by_policy(policy));
        })
    }

    /// The net win of each round from `first` on, with the caller's decisions, in bets; NaN if the hash runs out.
    pub fn nets_by<E>(
        &self,
        first: usize,
        out: &mut [f64],
        decide: impl FnMut(&Situation) -> std::result::Result<Action, E>,
    ) -> std::result::Result<(), E> {
        let numbers = first..first + out.len();
        let mut places = out.iter_mut();
        let sink = |net: Option<i64>| {
            if let Some(place) = places.next() {
                *place = net.map_or(f64::NAN, |net| net as f64 / self.rules.units() as f64);
            }
        };
        self.play(numbers, decide, sink)
    }

    /// The net wins of rounds with these numbers, in units, until a decision fails; `None` if the hash runs out.
    fn play<E>(
        &self,
        numbers: Range<usize>,
        mut decide: impl FnMut(&Situation) -> std::result::Result<Action, E>,
        mut sink: impl FnMut(Option<i64>),
    ) -> std::result::Result<(), E> {
        match &self.shoes {
            Shoes::Random { start, .. } => {
                for number in numbers {
                    let mut shoe = RandomShoe::new(self.rules, self.key, start.wrapping_add(number as u64));
                    sink(self.play_one(|| Ok::<_, Infallible>(shoe.draw()), &mut decide)?);
                }
            }
            Shoes::Dealt { cards, each } => {
                for number in numbers {
                    sink(self.play_one(dealt(&cards[number * each..][..*each]), &mut decide)?);
                }
            }
        }
        Ok(())
    }

    /// The net win of a round dealt from a shoe, in units; `None` if the cards run out.
    #[inline]
    fn play_one<NoCards, E>(
        &self,
        mut draw: impl FnMut() -> std::result::Result<u8, NoCards>,
        mut decide: impl FnMut(&Situation) -> std::result::Result<Action, E>,
    ) -> std::result::Result<Option<i64>, E> {
        let draw = |_| draw().map_err(Stop::OutOfCards);
        let mut round = Round::NEW;
        match round.play_on(self.rules, draw, |situation| decide(&situation).map_err(Stop::Caller)) {
            Ok(()) => Ok(Some(round.net(self.rules))),
            Err(Stop::OutOfCards(_)) => Ok(None),
            Err(Stop::Caller(error)) => Err(error),
        }
    }
}

/// Why a round ends early.
enum Stop<NoCards, E> {
    OutOfCards(NoCards),
    Caller(E),
}

/// The policy's action.
#[inline]
pub fn choose(policy: &Policy, situation: &Situation) -> Action {
    let hand = situation.hand();
    let column = &policy.columns[value(situation.upcard)];
    column.action(hand.split_from, hand.id, situation.legal, situation.hands.len() as u8)
}

/// The decisions of a policy, which never fail.
fn by_policy(policy: &Policy) -> impl Fn(&Situation) -> std::result::Result<Action, Infallible> {
    |situation| Ok(choose(policy, situation))
}

/// Deals from a list until it ends or has a negative number.
fn dealt(cards: &[i64]) -> impl FnMut() -> std::result::Result<u8, ()> {
    let mut cards = cards.iter();
    move || cards.next().and_then(|&card| u8::try_from(card).ok()).ok_or(())
}

/// The generator's key for a series of random shoes.
pub fn generator_key(series: &str) -> u64 {
    let digest = Sha256::digest(series);
    digest.iter().take(8).fold(0, |key, &byte| key << 8 | u64::from(byte))
}

/// The random number generator SplitMix64 (Steele, Lea and Flood, 2014), started at a separate state for each round
/// or shoe.
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// The numbers for a round or shoe of a series.
    pub fn new(key: u64, round: u64) -> Self {
        SplitMix64 { state: mix(key.wrapping_add(round.wrapping_mul(GAMMA))) }
    }

    /// A uniform number below `bound`, by Lemire's method (2019).
    fn below(&mut self, bound: u32) -> u32 {
        loop {
            self.state = self.state.wrapping_add(GAMMA);
            let product = (mix(self.state) >> 32) * u64::from(bound);
            // Reject the low products that would make some numbers more likely.
            if product as u32 >= bound.wrapping_neg() % bound {
                return (product >> 32) as u32;
            }
        }
    }

    /// Shuffles cards uniformly.
    pub fn shuffle(&mut self, cards: &mut [u8]) {
        for left in (2..=cards.len()).rev() {
            cards.swap(left - 1, self.below(left as u32) as usize);
        }
    }
}

/// Cards drawn at random, without replacement from a finite shoe.
struct RandomShoe {
    numbers: SplitMix64,
    cards: u32,
    with_replacement: bool,
    dealt: [u64; 13],
}

impl RandomShoe {
    fn new(rules: &Rules, key: u64, round: u64) -> Self {
        RandomShoe {
            numbers: SplitMix64::new(key, round),
            cards: 52 * u32::from(rules.decks.unwrap_or(1)),
            with_replacement: rules.decks.is_none(),
            dealt: [0; 13],
        }
    }

    /// The next card, numbered as in the first deck.
    fn draw(&mut self) -> u8 {
        loop {
            let card = self.numbers.below(self.cards);
            let (word, bit) = ((card / 64) as usize, 1u64 << (card % 64));
            if self.with_replacement || self.dealt[word] & bit == 0 {
                self.dealt[word] |= bit;
                return (card % 52) as u8;
            }
        }
    }
}

const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// SplitMix64's output function.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::analysis::{Analysis, Strategy};
    use super::super::rules::*;
    use super::*;
    use crate::parallel::no_tick;

    #[test]
    fn the_generator_is_splitmix64() {
        // The published first outputs from the state 1234567.
        let mut state = 1234567u64;
        let numbers = [0; 3].map(|_| {
            state = state.wrapping_add(GAMMA);
            mix(state)
        });
        assert_eq!(numbers, [6457827717110365317, 3203168211198807973, 9817491932198370423]);
    }

    #[test]
    fn a_shoe_deals_every_card_once() {
        let rules = Rules { decks: Some(2), ..Rules::default() };
        let mut shoe = RandomShoe::new(&rules, 1, 2);
        let mut counts = [0; 52];
        (0..104).for_each(|_| counts[usize::from(shoe.draw())] += 1);
        assert_eq!(counts, [2; 52]);
    }

    fn check(rules: &Rules, shoes: Shoes, strategy: Strategy, rounds: usize) {
        let analysis = Analysis::new(rules, strategy);
        let series = Series::new(rules, shoes);
        let run = |threads| series.tally(&analysis.policy, rounds, Some(threads), &mut no_tick).unwrap();
        let counts = run(2);
        assert_eq!(counts, run(1));
        check_nets(&series, rules, &analysis.policy, &counts, rounds);
        let played = rounds as u64 - counts.exhausted;
        assert_eq!(counts.nets.iter().map(|(_, count)| count).sum::<u64>(), played);
        let units = rules.units() as f64;
        let mean_and_std = |chances: &[(i64, f64)]| {
            let mean = |power: i32| {
                chances.iter().map(|&(net, p)| (net as f64 / units).powi(power) * p).sum::<f64>()
            };
            (mean(1), (mean(2) - mean(1).powi(2)).sqrt())
        };
        let law = analysis.law();
        let shares = counts.nets.iter().map(|&(net, count)| (net, count as f64 / played as f64));
        let ((mean, std), (_, expected)) = (mean_and_std(&shares.collect::<Vec<_>>()), mean_and_std(&law));
        let errors = (mean - analysis.value()) / (expected / (played as f64).sqrt());
        assert!(errors.abs() < 4.0, "{errors}");
        assert!((std - expected).abs() < 0.01, "{std} {expected}");
        // Each result's frequency is within chance of its probability.
        let count = |net| counts.nets.iter().find(|(other, _)| *other == net).map_or(0, |found| found.1);
        for &(net, chance) in &law {
            let expected = chance * played as f64;
            let errors = (count(net) as f64 - expected) / expected.sqrt().max(1.0);
            assert!(errors.abs() < 5.0, "{net} {expected} {errors}");
        }
        assert!(counts.nets.iter().all(|&(net, _)| law.iter().any(|&(other, _)| other == net)));
    }

    /// Checks that single rounds, and rounds with the caller's decisions, add up to the counts.
    fn check_nets(series: &Series, rules: &Rules, policy: &Policy, counts: &NetCounts, rounds: usize) {
        let units = rules.units() as f64;
        let counted = |nets: &[f64]| {
            let mut found = BTreeMap::new();
            for net in nets.iter().filter(|net| !net.is_nan()) {
                *found.entry((net * units).round() as i64).or_insert(0) += 1;
            }
            found.into_iter().collect::<Vec<_>>()
        };
        let mut nets = vec![0.0; rounds];
        series.nets(policy, &mut nets, Some(2), &mut no_tick).unwrap();
        assert_eq!(counted(&nets), counts.nets);
        assert_eq!(nets.iter().filter(|net| net.is_nan()).count() as u64, counts.exhausted);
        let mut by_hand = vec![0.0; 2000];
        let decide = |situation: &Situation| Ok::<_, ()>(choose(policy, situation));
        series.nets_by(3000, &mut by_hand, decide).unwrap();
        let bits = |nets: &[f64]| nets.iter().map(|net| net.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&by_hand), bits(&nets[3000..5000]));
        assert_eq!(series.nets_by(0, &mut by_hand, |_| Err("no")), Err("no"));
    }

    #[test]
    fn a_round_whose_cards_run_out_is_no_number() {
        let rules = Rules::default();
        // In the first round, four cards: the dealer must draw a fifth. In the second, none.
        let mut cards = [-1; 3 * 64];
        cards[..4].copy_from_slice(&[9, 9 + 13, 5, 4]);
        (0..).zip(&mut cards[2 * 64..]).for_each(|(number, card)| *card = number);
        let series = Series::new(&rules, Shoes::Dealt { cards: &cards, each: 64 });
        let policy = Analysis::new(&rules, Strategy::Basic).policy;
        let (mut nets, mut by_hand) = ([0.0; 3], [0.0; 3]);
        series.nets(&policy, &mut nets, None, &mut no_tick).unwrap();
        series.nets_by(0, &mut by_hand, |situation| Ok::<_, ()>(choose(&policy, situation))).unwrap();
        assert_eq!(nets.map(f64::is_nan), [true, true, false]);
        assert_eq!(nets.map(f64::to_bits), by_hand.map(f64::to_bits));
        let counts = series.tally(&policy, 3, None, &mut no_tick).unwrap();
        assert_eq!((counts.exhausted, counts.nets.len()), (2, 1));
    }

    #[test]
    fn simulations_agree_with_the_analysis() {
        let random = Shoes::Random { seed: "a test", start: 7 };
        check(&Rules::default(), random.clone(), Strategy::Basic, 300_000);
        check(&split_often(), random, Strategy::Optimal, 300_000);
    }

    #[test]
    #[ignore = "thorough: takes seconds"]
    fn simulations_under_more_rules_agree_with_the_analysis() {
        let random = Shoes::Random { seed: "a test", start: 7 };
        check(&Rules::default(), random.clone(), Strategy::Optimal, 300_000);
        let rules =
            Rules { decks: None, hole_card: HoleCard::OriginalBet, split_hands: [3; 10], ..split_often() };
        check(&rules, random, Strategy::Optimal, 300_000);
    }

    fn split_often() -> Rules {
        Rules {
            decks: Some(1),
            soft_17: Soft17::Stand,
            hole_card: HoleCard::Peek,
            blackjack_pays: (3, 2),
            split_hands: [4; 10],
            split_aces: SplitAces::OneCard,
            resplit_aces: true,
            ten_ace_after_split: TenAce::TwentyOne,
            surrender: [Surrender::Late; 10],
            ..Rules::default()
        }
    }
}
