//! Many rounds, counted by what they win.

use std::convert::Infallible;

use sha2::{Digest, Sha256};

use super::replay::{MOST_HANDS, Round, Seat, value};
use super::rules::Rules;
use super::strategy::Policy;
use crate::crypto_games::cards::NO_CARD;
use crate::crypto_games::deal::{Deck, Hash, Hashes, ROUNDS_AT_A_TIME, deal};
use crate::error::{Error, Result};
use crate::parallel::{self, Tick};

/// Where the cards of a simulation come from.
#[derive(Clone, Debug)]
pub enum Shoes<'a> {
    /// The hash of each round.
    Hashed(&'a Hashes<'a>),
    /// A random number generator.
    Random {
        /// The name of the series.
        seed: &'a str,
        /// The number of the first round.
        start: u64,
    },
}

/// How often each result came up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetCounts {
    /// Results in units, and their counts, in increasing order; results that never came are left out.
    pub nets: Vec<(i64, u64)>,
    /// Rounds whose hash ran out of cards; they are in no other count.
    pub exhausted: u64,
}

/// Plays `rounds` rounds. Each is the same whatever rounds are played with it, and by whichever
/// thread.
pub fn simulate(
    rules: &Rules,
    policy: &Policy,
    shoes: &Shoes<'_>,
    rounds: usize,
    threads: Option<usize>,
    tick: Tick<'_>,
) -> Result<NetCounts> {
    if matches!(shoes, Shoes::Hashed(_)) {
        check_hashed(rules)?;
    }
    // What four doubled hands or four blackjacks can win.
    let most = MOST_HANDS as i64 * 2 * rules.bet().max(i64::from(rules.blackjack_pays.0));
    let key = match shoes {
        Shoes::Random { seed, .. } => generator_key(seed),
        Shoes::Hashed(_) => 0,
    };
    let work = |worker: &mut Worker, first: usize| {
        let numbers = first..rounds.min(first + ROUNDS_AT_A_TIME);
        let played = numbers.len() as u64;
        let mut count = |round: Option<Round>| match round {
            Some(round) => worker.counts[(round.net(rules) + most) as usize] += 1,
            None => worker.exhausted += 1,
        };
        match shoes {
            Shoes::Hashed(hashes) => {
                hashes.for_each(numbers, |_, hash| count(play_hashed(rules, policy, hash)));
            }
            Shoes::Random { start, .. } => {
                for number in numbers {
                    let shoe = RandomShoe::new(rules, key, start.wrapping_add(number as u64));
                    count(Some(play_random(rules, policy, shoe)));
                }
            }
        }
        played
    };
    let threads = parallel::threads(threads, rounds, ROUNDS_AT_A_TIME);
    let parts = (0..rounds).step_by(ROUNDS_AT_A_TIME);
    let none = || Worker { counts: vec![0; 2 * most as usize + 1], exhausted: 0 };
    let workers = parallel::run(parts, threads, tick, none, work)?;
    let count = |place: i64| workers.iter().map(|worker| worker.counts[place as usize]).sum();
    Ok(NetCounts {
        nets: (0..=2 * most)
            .map(|place| (place - most, count(place)))
            .filter(|&(_, count)| count > 0)
            .collect(),
        exhausted: workers.iter().map(|worker| worker.exhausted).sum(),
    })
}

struct Worker {
    /// By result, the lowest possible one first.
    counts: Vec<u64>,
    exhausted: u64,
}

/// The scheme deals from four decks; other rules can be analysed, but not dealt.
pub fn check_hashed(rules: &Rules) -> Result<()> {
    match rules.decks {
        Some(4) => Ok(()),
        decks => Err(Error::value(
            "decks",
            format_args!(
                "must be 4 to deal from a hash, whose shoe has 208 cards, got {}",
                decks.map_or("None".to_owned(), |decks| decks.to_string())
            ),
        )),
    }
}

/// Plays by a policy.
fn play<E>(
    rules: &Rules,
    policy: &Policy,
    draw: impl FnMut(Seat) -> std::result::Result<u8, E>,
) -> std::result::Result<Round, E> {
    Round::play(rules, draw, |situation| {
        let hand = situation.hand();
        let column = &policy.columns[value(situation.upcard)];
        Ok(column.action(hand.split_from, hand.id, situation.legal, situation.hands.len() as u8))
    })
}

/// A round dealt from a hash; `None` if it runs out.
fn play_hashed(rules: &Rules, policy: &Policy, hash: &Hash) -> Option<Round> {
    let mut cards = [0i16; 64];
    deal(hash, Deck::Blackjack, &mut cards);
    let mut rest = cards.iter().take_while(|&&card| card != NO_CARD);
    play(rules, policy, |_| rest.next().map(|&card| card as u8).ok_or(())).ok()
}

/// A round dealt at random.
fn play_random(rules: &Rules, policy: &Policy, mut shoe: RandomShoe) -> Round {
    match play(rules, policy, |_| Ok::<_, Infallible>(shoe.draw())) {
        Ok(round) => round,
        Err(never) => match never {},
    }
}

/// The key of a series of random shoes.
fn generator_key(seed: &str) -> u64 {
    let digest = Sha256::digest(format!("{seed}:random"));
    digest.iter().take(8).fold(0, |key, &byte| key << 8 | u64::from(byte))
}

/// Cards drawn at random, each at most once (or, from the infinite shoe, any number of times). The
/// numbers are SplitMix64's, which begins for every round at a place of its own.
struct RandomShoe {
    state: u64,
    cards: u32,
    with_replacement: bool,
    dealt: [u64; 7],
}

impl RandomShoe {
    fn new(rules: &Rules, key: u64, round: u64) -> Self {
        RandomShoe {
            state: mix(key.wrapping_add(round.wrapping_mul(GAMMA))),
            cards: 52 * u32::from(rules.decks.unwrap_or(1)),
            with_replacement: rules.decks.is_none(),
            dealt: [0; 7],
        }
    }

    /// The next card, as a number of the first deck.
    fn draw(&mut self) -> u8 {
        loop {
            let card = self.below(self.cards);
            let (word, bit) = ((card / 64) as usize, 1u64 << (card % 64));
            if self.with_replacement || self.dealt[word] & bit == 0 {
                self.dealt[word] |= bit;
                return (card % 52) as u8;
            }
        }
    }

    /// A number below `bound`, each equally likely.
    fn below(&mut self, bound: u32) -> u32 {
        loop {
            self.state = self.state.wrapping_add(GAMMA);
            let product = (mix(self.state) >> 32) * u64::from(bound);
            // Without the low products that some numbers have one more of.
            if product as u32 >= bound.wrapping_neg() % bound {
                return (product >> 32) as u32;
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
    use super::super::analysis::{Analysis, Strategy};
    use super::super::rules::*;
    use super::*;
    use crate::crypto_games::deal::Nonces;
    use crate::parallel::no_tick;
    use crate::texts::Texts;

    #[test]
    fn the_generator_is_splitmix64() {
        // The published first numbers from the state 1234567.
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
        let run =
            |threads| simulate(rules, &analysis.policy, &shoes, rounds, Some(threads), &mut no_tick).unwrap();
        let counts = run(2);
        assert_eq!(counts, run(1));
        let played = rounds as u64 - counts.exhausted;
        assert_eq!(counts.nets.iter().map(|(_, count)| count).sum::<u64>(), played);
        let bet = rules.bet() as f64;
        let mean = |power: i32| {
            let sum: f64 =
                counts.nets.iter().map(|&(net, count)| (net as f64 / bet).powi(power) * count as f64).sum();
            sum / played as f64
        };
        let std = (mean(2) - mean(1).powi(2)).sqrt();
        let errors = (mean(1) - analysis.value()) / (analysis.std() / (played as f64).sqrt());
        assert!(errors.abs() < 4.0, "{errors}");
        assert!((std - analysis.std()).abs() < 0.01, "{std} {}", analysis.std());
    }

    #[test]
    fn simulations_agree_with_the_analysis() {
        let rules = Rules::default();
        let rounds = 300_000;
        let hashes = Hashes::Seeds {
            server_seed: Texts::One(b"server"),
            client_seed: Texts::One(b"client"),
            nonce: Nonces::Series { start: 7 },
        };
        let random = Shoes::Random { seed: "a test", start: 7 };
        check(&rules, Shoes::Hashed(&hashes), Strategy::Optimal, rounds);
        check(&rules, random.clone(), Strategy::Basic, rounds);
        let other = Rules {
            decks: Some(1),
            soft_17: Soft17::Stand,
            hole_card: HoleCard::Peek,
            blackjack_pays: (3, 2),
            split_hands: 4,
            split_aces: SplitAces::OneCard,
            resplit_aces: true,
            ten_ace_after_split: TenAce::TwentyOne,
            surrender: Surrender::Late,
            ..rules
        };
        check(&other, random.clone(), Strategy::Optimal, rounds);
        let other = Rules { decks: None, hole_card: HoleCard::OriginalBet, split_hands: 3, ..other };
        check(&other, random.clone(), Strategy::Optimal, rounds);
    }
}
