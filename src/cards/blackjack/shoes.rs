//! Rounds dealt one after another from one shoe, up to a cut card.

use super::analysis::Analysis;
use super::dealer::Ranks;
use super::replay::Round;
use super::rules::Rules;
use super::simulate::{SplitMix64, choose, generator_key};
use crate::cards::card;
use crate::error::Result;
use crate::parallel::{self, Tick};

/// Shoes that a thread plays at a time.
const AT_A_TIME: usize = 64;

/// A round dealt from a shoe.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShoeRound {
    /// The index of the shoe, from 0.
    pub shoe: usize,
    /// The net win, in units.
    pub net: i64,
    /// The cards seen before this round, by rank.
    pub seen: Ranks,
}

/// A series of shoes, shuffled by a random number generator. Each depends only on the series and its own number.
#[derive(Clone, Debug)]
pub struct CutShoes<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The number of cards of each rank in a shoe.
    pub cards: &'a Ranks,
    /// No round begins once this many cards are dealt.
    pub cut: usize,
    /// The name of the series.
    pub seed: &'a str,
    /// The number of the first shoe in the series.
    pub start: u64,
}

impl CutShoes<'_> {
    /// Plays `shoes` shoes by the policy of an analysis. Returns the rounds in order, and the number of rounds left
    /// out because the cards ran out.
    pub fn play(
        &self,
        analysis: &Analysis,
        shoes: usize,
        threads: Option<usize>,
        tick: Tick<'_>,
    ) -> Result<(Vec<ShoeRound>, u64)> {
        let full: Vec<u8> = (0u8..).zip(self.cards).flat_map(|(rank, &n)| vec![rank; n.into()]).collect();
        let key = generator_key(&format!("{}:shoes", self.seed));
        let mut parts: Vec<(Vec<ShoeRound>, u64)> = vec![Default::default(); shoes.div_ceil(AT_A_TIME)];
        let work = |deck: &mut Vec<u8>, (part, (rounds, short)): (usize, &mut (Vec<ShoeRound>, u64))| {
            let numbers = part * AT_A_TIME..shoes.min((part + 1) * AT_A_TIME);
            for shoe in numbers.clone() {
                deck.clone_from(&full);
                SplitMix64::new(key, self.start.wrapping_add(shoe as u64)).shuffle(deck);
                *short += self.play_one(analysis, shoe, deck, rounds);
            }
            numbers.len() as u64
        };
        let threads = parallel::threads(threads, shoes, AT_A_TIME);
        parallel::run(parts.iter_mut().enumerate(), threads, tick, Vec::new, work)?;
        let short = parts.iter().map(|(_, short)| short).sum();
        Ok((parts.into_iter().flat_map(|(rounds, _)| rounds).collect(), short))
    }

    /// Plays one shoe; returns the number of rounds for which the cards ran out.
    fn play_one(&self, analysis: &Analysis, shoe: usize, deck: &[u8], rounds: &mut Vec<ShoeRound>) -> u64 {
        let (mut next, mut seen) = (0, [0; 13]);
        while next < self.cut {
            let first = next;
            let draw = |_| {
                next += 1;
                deck.get(next - 1).copied().ok_or(())
            };
            let Ok(round) =
                Round::play(self.rules, draw, |situation| Ok(choose(&analysis.policy, &situation)))
            else {
                return 1;
            };
            rounds.push(ShoeRound { shoe, net: round.net(self.rules), seen });
            deck[first..next].iter().for_each(|&card| seen[usize::from(card::rank(card))] += 1);
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::super::analysis::Strategy;
    use super::*;
    use crate::parallel::no_tick;

    #[test]
    fn rounds_go_on_to_the_cut() {
        let rules = Rules { decks: Some(2), ..Rules::default() };
        let analysis = Analysis::new(&rules, Strategy::Basic);
        let shoes = CutShoes { rules: &rules, cards: &[8; 13], cut: 78, seed: "cut", start: 5 };
        let (rounds, short) = shoes.play(&analysis, 200, Some(2), &mut no_tick).unwrap();
        assert_eq!(short, 0);
        let one = shoes.play(&analysis, 200, Some(1), &mut no_tick).unwrap();
        assert_eq!((rounds.clone(), short), one);
        for shoe in 0..200 {
            let seen = rounds.iter().filter(|round| round.shoe == shoe).map(|round| round.seen);
            let counts: Vec<u16> = seen.map(|seen| seen.iter().sum()).collect();
            assert_eq!(counts[0], 0);
            assert!(counts.is_sorted_by(|a, b| a + 4 <= *b) && *counts.last().unwrap() < 78);
        }
        let later = CutShoes { start: 105, ..shoes };
        let (later, _) = later.play(&analysis, 100, None, &mut no_tick).unwrap();
        let again = rounds.iter().filter(|round| round.shoe >= 100);
        assert!(again.zip(&later).all(|(a, b)| (a.net, a.seen, a.shoe) == (b.net, b.seen, b.shoe + 100)));
    }
}
