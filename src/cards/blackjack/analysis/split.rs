//! Splitting again: the number of hands that a pair becomes, and the weights of their values.
//!
//! Pairs are split again whenever possible. Each card that decides this is of the pair's value or not, and a hand's
//! value depends on how many of the other hands' cards were not. "Was not" is expanded as "any card, minus was"
//! (inclusion and exclusion), so only shoes with some further cards of the pair's value removed are needed.

use super::super::rules::Rules;

/// The maximum number of hands under any rules.
const MAX_HANDS: u8 = Rules::MAX_HANDS;
/// The number of shoes needed at most: see [`shoes_needed`].
pub const MAX_EXTRA: usize = 2 * (MAX_HANDS as usize - 2) + 1;

/// The number of shoes needed for a limit of hands: with 0, 1, ... further cards of the pair's value removed.
pub fn shoes_needed(most_hands: u8) -> usize {
    if most_hands < 2 { 0 } else { 2 * (usize::from(most_hands) - 2) + 1 }
}

/// The weights of the shoes in the expectation of a split.
#[derive(Clone, Copy, Debug, Default)]
pub struct SplitWeights {
    /// The weights of hands whose second card isn't of the pair's value.
    pub other: [f64; MAX_EXTRA],
    /// The weights of hands whose second card is, but that can't be split again.
    pub paired: [f64; MAX_EXTRA],
}

impl SplitWeights {
    /// The weights if a pair becomes at most `most_hands` hands; `all_paired[m]` is the probability that `m` given
    /// cards are all of the pair's value.
    pub fn new(most_hands: u8, all_paired: &[f64; MAX_EXTRA]) -> Self {
        let mut weights = SplitWeights::default();
        SplitState::PAIR.finish(most_hands, &mut |deal| {
            // Waiting hands may get any card; the second cards of the others are known not to be of the pair's value.
            for (shoe, sign) in terms(deal.others, deal.paired) {
                let weight = f64::from(deal.waiting) * (sign * all_paired[shoe]);
                weights.other[shoe] += weight;
                weights.paired[shoe] += weight;
            }
            if deal.others > 0 {
                for (shoe, sign) in terms(deal.others - 1, deal.paired) {
                    weights.other[shoe] += f64::from(deal.others) * sign * all_paired[shoe];
                }
            }
        });
        weights
    }
}

/// A state of dealing second cards.
#[derive(Clone, Copy)]
pub struct SplitState {
    /// The number of hands.
    pub hands: u8,
    /// Hands without their second card.
    pub waiting: u8,
    /// Second cards that aren't of the pair's value.
    pub others: u8,
    /// Cards of the pair's value, each of which made another hand.
    pub paired: u8,
}

impl SplitState {
    /// The state after the first split.
    pub const PAIR: Self = Self { hands: 2, waiting: 2, others: 0, paired: 0 };

    /// Visits every way in which the dealing ends: all hands have their second card, or the limit of hands is
    /// reached.
    pub fn finish(self, most_hands: u8, sink: &mut impl FnMut(SplitState)) {
        if self.waiting == 0 || self.hands == most_hands {
            sink(self);
        } else {
            Self { waiting: self.waiting - 1, others: self.others + 1, ..self }.finish(most_hands, sink);
            Self { hands: self.hands + 1, waiting: self.waiting + 1, paired: self.paired + 1, ..self }
                .finish(most_hands, sink);
        }
    }
}

/// The probability that `others` cards aren't of the value and `paired` cards are, as a signed sum of probabilities
/// that this many cards are.
pub fn terms(others: u8, paired: u8) -> impl Iterator<Item = (usize, f64)> {
    let mut binomial = 1.0;
    (0..=others).map(move |excluded| {
        let term = (usize::from(paired + excluded), binomial);
        binomial *= -f64::from(others - excluded) / f64::from(excluded + 1);
        term
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_hands_are_twice_one() {
        let weights = SplitWeights::new(2, &[1.0, 0.1, 0.01, 0.0, 0.0]);
        assert_eq!((weights.other[0], weights.paired[0]), (2.0, 2.0));
    }

    #[test]
    fn hands_are_counted_as_dealing_makes_them() {
        // Each second card is of the pair's value with probability q, independently.
        let q: f64 = 0.2;
        let all_paired = std::array::from_fn(|cards| q.powi(cards as i32));
        let two = (1.0 - q) * (1.0 - q);
        // Three hands: the first or the second card makes a pair, and no further one can be split.
        let three = 2.0 * q * (1.0 - q).powi(3);
        for (most, expected) in
            [(3, 2.0 * two + 3.0 * (1.0 - two)), (4, 2.0 * two + 3.0 * three + 4.0 * (1.0 - two - three))]
        {
            let weights = SplitWeights::new(most, &all_paired);
            // Together, hands with an unpaired second card and hands that stay paired are all hands.
            let others: f64 = (0..MAX_EXTRA).map(|shoe| weights.other[shoe] * (1.0 - q)).sum();
            let paired: f64 = (0..MAX_EXTRA).map(|shoe| weights.paired[shoe] * q).sum();
            assert!((others + paired - expected).abs() < 1e-14);
        }
    }
}
