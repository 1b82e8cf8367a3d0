//! Simulation: counts of the net wins of many rounds from random shoes, and the cards of these shoes.
//!
//! Rounds are played by [`Round`], the code that replays logged hands, with a policy in place of the log. Random
//! shoes are shuffled by a generator whose state depends on the round's number. Each round is then independent of
//! how the work is divided among threads, and a series can be continued, repeated in part and merged.

use std::convert::Infallible;

use sha2::{Digest, Sha256};

use super::replay::{MAX_HANDS, Round, Situation, value};
use super::rules::{Action, Rules};
use super::strategy::Policy;
use crate::error::Result;
use crate::parallel::{self, Tick};

/// Rounds that a thread plays at a time.
pub const ROUNDS_AT_A_TIME: usize = 1024;

/// The results in units that occurred, increasing, with their counts.
pub type NetCounts = Vec<(i64, u64)>;

/// Rounds under some rules, from random shoes. Each depends only on its own shoe.
#[derive(Clone, Debug)]
pub struct Series<'a> {
    rules: &'a Rules,
    /// The number of the first round in the series.
    start: u64,
    /// The generator's key.
    key: u64,
}

impl<'a> Series<'a> {
    /// Rounds under `rules` of the series `seed`, from the number `start` on.
    pub fn new(rules: &'a Rules, seed: &str, start: u64) -> Self {
        Self { rules, start, key: generator_key(&format!("{seed}:random")) }
    }

    fn shoe(&self, round: usize) -> RandomShoe {
        RandomShoe::new(self.rules, self.key, self.start.wrapping_add(round as u64))
    }

    /// Writes the first cards of a round's shoe: at most as many as it has.
    pub fn deal(&self, round: usize, cards: &mut [i64]) {
        let mut shoe = self.shoe(round);
        cards.fill_with(|| shoe.draw().into());
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
            for number in numbers.clone() {
                let (mut shoe, mut round) = (self.shoe(number), Round::NEW);
                let draw = |_| Ok::<_, Infallible>(shoe.draw());
                let Ok(()) = round.play_on(self.rules, draw, |situation| Ok(choose(policy, &situation)));
                counts[(round.net(self.rules) + most) as usize] += 1;
            }
            numbers.len() as u64
        };
        let threads = parallel::threads(threads, rounds, ROUNDS_AT_A_TIME);
        let parts = (0..rounds).step_by(ROUNDS_AT_A_TIME);
        // Indexed by result, from the lowest possible one.
        let none = || vec![0; 2 * most as usize + 1];
        let workers = parallel::run(parts, threads, tick, none, work)?;
        let count = |place: i64| workers.iter().map(|counts| counts[place as usize]).sum();
        let found = (0..=2 * most).map(|place| (place - most, count(place)));
        Ok(found.filter(|&(_, count)| count > 0).collect())
    }
}

/// The policy's action.
#[inline]
pub fn choose(policy: &Policy, situation: &Situation) -> Action {
    let hand = situation.hand();
    let column = &policy.columns[value(situation.upcard)];
    column.action(hand.split_from, hand.id, situation.legal, situation.hands.len() as u8)
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

    use super::super::analysis::law::tests::rules;
    use super::super::analysis::{Analysis, Strategy};
    use super::super::dealt::DealtRounds;
    use super::super::rules::HoleCard;
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

    fn check(rules: &Rules, strategy: Strategy, rounds: usize) {
        let analysis = Analysis::new(rules, strategy);
        let series = Series::new(rules, "a test", 7);
        let run = |threads| series.tally(&analysis.policy, rounds, Some(threads), &mut no_tick).unwrap();
        let counts = run(2);
        assert_eq!(counts, run(1));
        check_dealt(&series, rules, &analysis.policy, &counts, rounds);
        let played = rounds as f64;
        assert_eq!(counts.iter().map(|(_, count)| count).sum::<u64>(), rounds as u64);
        let units = rules.units() as f64;
        let mean_and_std = |chances: &[(i64, f64)]| {
            let mean = |power: i32| {
                chances.iter().map(|&(net, p)| (net as f64 / units).powi(power) * p).sum::<f64>()
            };
            (mean(1), (mean(2) - mean(1).powi(2)).sqrt())
        };
        let law = analysis.law();
        let shares = counts.iter().map(|&(net, count)| (net, count as f64 / played));
        let ((mean, std), (_, expected)) = (mean_and_std(&shares.collect::<Vec<_>>()), mean_and_std(&law));
        let errors = (mean - analysis.value()) / (expected / played.sqrt());
        assert!(errors.abs() < 4.0, "{errors}");
        assert!((std - expected).abs() < 0.01, "{std} {expected}");
        // Each result's frequency is within chance of its probability.
        let count = |net| counts.iter().find(|(other, _)| *other == net).map_or(0, |found| found.1);
        for &(net, chance) in &law {
            let expected = chance * played;
            let errors = (count(net) as f64 - expected) / expected.sqrt().max(1.0);
            assert!(errors.abs() < 5.0, "{net} {expected} {errors}");
        }
        assert!(counts.iter().all(|&(net, _)| law.iter().any(|&(other, _)| other == net)));
    }

    /// Checks that rounds played from the cards of the same shoes add up to the counts.
    fn check_dealt(series: &Series, rules: &Rules, policy: &Policy, counts: &NetCounts, rounds: usize) {
        const EACH: usize = 40;
        let mut cards = vec![0; rounds * EACH];
        (0..).zip(cards.chunks_mut(EACH)).for_each(|(round, cards)| series.deal(round, cards));
        let dealt = DealtRounds { rules, cards: &cards, each: EACH };
        let plays = dealt.by_policy(policy, rounds, Some(2), &mut no_tick).unwrap();
        let mut found = BTreeMap::new();
        for net in plays.nets {
            *found.entry((net * rules.units() as f64).round() as i64).or_insert(0) += 1;
        }
        assert_eq!(&found.into_iter().collect::<Vec<_>>(), counts);
    }

    #[test]
    fn simulations_agree_with_the_analysis() {
        check(&Rules::default(), Strategy::Basic, 300_000);
        check(&rules(Some(1), 4), Strategy::Optimal, 300_000);
    }

    #[test]
    #[ignore = "thorough: takes seconds"]
    fn simulations_under_more_rules_agree_with_the_analysis() {
        check(&Rules::default(), Strategy::Optimal, 300_000);
        let rules = Rules { hole_card: HoleCard::OriginalBet, ..rules(None, 3) };
        check(&rules, Strategy::Optimal, 300_000);
    }
}
