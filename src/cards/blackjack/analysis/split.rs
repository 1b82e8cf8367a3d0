//! The number of hands that a split makes, and the weight of each way of finishing a hand.
//!
//! A pair that is split is split again whenever it can be. The cards that decide this, one after
//! the other, are each the pair's value or not. What a hand is worth depends on how many of the
//! others were; "was not" is turned into "anything, less was" (inclusion and exclusion), so only
//! shoes with some cards of the pair's value taken out are ever needed.

use super::super::rules::Rules;

/// The most hands in the rules.
const MAX_HANDS: u8 = Rules::MAX_HANDS;
/// The most cards of the pair's value taken out besides the pair, and one.
pub const MAX_EXTRA: usize = 2 * (MAX_HANDS as usize - 2) + 1;

/// The number of shoes needed: with 0, 1, ... further cards of the pair's value taken out.
pub fn shoes_needed(most_hands: u8) -> usize {
    if most_hands < 2 { 0 } else { 2 * (usize::from(most_hands) - 2) + 1 }
}

/// A split's expectation is a weighted sum over the shoes.
#[derive(Clone, Copy, Debug, Default)]
pub struct SplitWeights {
    /// Of the hands whose second card is not of the pair's value.
    pub other: [f64; MAX_EXTRA],
    /// Of the hands whose second card is, but that cannot be split again.
    pub paired: [f64; MAX_EXTRA],
}

impl SplitWeights {
    /// The weights where a pair becomes at most `most_hands` hands, `all_paired[m]` being the
    /// chance that `m` given cards are all of the pair's value.
    pub fn new(most_hands: u8, all_paired: &[f64; MAX_EXTRA]) -> Self {
        let mut weights = SplitWeights::default();
        Deal::PAIR.finish(most_hands, &mut |deal| {
            // Those who waited take any card; the others are known not to have been paired.
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

/// The progress of dealing second cards.
#[derive(Clone, Copy)]
pub struct Deal {
    /// The number of hands.
    pub hands: u8,
    /// Hands without their second card.
    pub waiting: u8,
    /// Second cards that were not of the pair's value.
    pub others: u8,
    /// Cards that were, and made another hand.
    pub paired: u8,
}

impl Deal {
    /// A pair that was split.
    pub const PAIR: Deal = Deal { hands: 2, waiting: 2, others: 0, paired: 0 };

    /// Every way in which the dealing goes on to where no hand can be split, that may leave hands
    /// without their second card.
    pub fn finish(self, most_hands: u8, sink: &mut impl FnMut(Deal)) {
        if self.waiting == 0 || self.hands == most_hands {
            sink(self);
        } else {
            Deal { waiting: self.waiting - 1, others: self.others + 1, ..self }.finish(most_hands, sink);
            Deal { hands: self.hands + 1, waiting: self.waiting + 1, paired: self.paired + 1, ..self }
                .finish(most_hands, sink);
        }
    }
}

/// "`others` cards are not of the value and `paired` cards are" as a sum of "this many cards are".
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
        // Every second card is the pair's with chance q, independently.
        let q: f64 = 0.2;
        let all_paired = std::array::from_fn(|cards| q.powi(cards as i32));
        let two = (1.0 - q) * (1.0 - q);
        // Three hands: one pair came first or second, and then no more.
        let three = 2.0 * q * (1.0 - q).powi(3);
        for (most, expected) in
            [(3, 2.0 * two + 3.0 * (1.0 - two)), (4, 2.0 * two + 3.0 * three + 4.0 * (1.0 - two - three))]
        {
            let weights = SplitWeights::new(most, &all_paired);
            // Hands with an unpaired second card and hands that stay paired make up all of them.
            let others: f64 = (0..MAX_EXTRA).map(|shoe| weights.other[shoe] * (1.0 - q)).sum();
            let paired: f64 = (0..MAX_EXTRA).map(|shoe| weights.paired[shoe] * q).sum();
            assert!((others + paired - expected).abs() < 1e-14);
        }
    }
}
