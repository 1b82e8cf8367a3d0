//! How many hands a split makes, and how much each way of finishing a hand counts.
//!
//! A pair that is split is split again whenever it can be. The cards that decide this, one after
//! the other, are each the pair's value or not. What a hand is worth depends on how many of the
//! others were; "was not" is turned into "anything, less was" (inclusion and exclusion), so only
//! shoes with some cards of the pair's value taken out are ever needed.

use super::super::player::ACE;
use super::super::rules::Rules;

/// The most hands in the rules.
const MAX_HANDS: u8 = Rules::MAX_HANDS;
/// The most cards of the pair's value taken out besides the pair, and one.
pub const MAX_EXTRA: usize = 2 * (MAX_HANDS as usize - 2) + 1;

/// The most hands a pair of this value can become.
pub fn most_hands(rules: &Rules, pair: usize) -> u8 {
    if pair == ACE && !rules.resplit_aces { rules.split_hands.min(2) } else { rules.split_hands }
}

/// How many shoes are needed: with 0, 1, ... further cards of the pair's value taken out.
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
    /// The expected number of hands: those whose second card is known not to be of the pair's
    /// value, and those whose second card is any.
    pub hands: [f64; 2],
    /// The expected number of ordered pairs of hands, by the kinds of both.
    pub pairs_of_hands: [[f64; 2]; 2],
}

impl SplitWeights {
    /// The weights where a pair becomes at most `most_hands` hands, `all_paired[m]` being the
    /// chance that `m` given cards are all of the pair's value.
    pub fn new(most_hands: u8, all_paired: &[f64; MAX_EXTRA]) -> Self {
        let mut weights = SplitWeights::default();
        weights.deal(all_paired, most_hands, Deal { hands: 2, waiting: 2, others: 0, paired: 0 });
        weights
    }

    fn deal(&mut self, all_paired: &[f64; MAX_EXTRA], most_hands: u8, deal: Deal) {
        if deal.waiting == 0 || deal.hands == most_hands {
            self.finish(all_paired, deal);
        } else {
            self.deal(
                all_paired,
                most_hands,
                Deal { waiting: deal.waiting - 1, others: deal.others + 1, ..deal },
            );
            self.deal(
                all_paired,
                most_hands,
                Deal { hands: deal.hands + 1, waiting: deal.waiting + 1, paired: deal.paired + 1, ..deal },
            );
        }
    }

    fn finish(&mut self, all_paired: &[f64; MAX_EXTRA], deal: Deal) {
        // Those who waited take any card; the others are known not to have been paired.
        let hands = [deal.others, deal.waiting].map(f64::from);
        for (shoe, sign) in terms(deal.others, deal.paired) {
            let weight = sign * all_paired[shoe];
            self.other[shoe] += hands[1] * weight;
            self.paired[shoe] += hands[1] * weight;
            for kind in 0..2 {
                self.hands[kind] += weight * hands[kind];
                for other in 0..2 {
                    let same = if kind == other { 1.0 } else { 0.0 };
                    self.pairs_of_hands[kind][other] += weight * hands[kind] * (hands[other] - same);
                }
            }
        }
        if deal.others > 0 {
            for (shoe, sign) in terms(deal.others - 1, deal.paired) {
                self.other[shoe] += hands[0] * sign * all_paired[shoe];
            }
        }
    }
}

/// How far the dealing of second cards has come.
#[derive(Clone, Copy)]
struct Deal {
    hands: u8,
    /// Hands without their second card.
    waiting: u8,
    /// Second cards that were not of the pair's value.
    others: u8,
    /// Cards that were, and made another hand.
    paired: u8,
}

/// "`others` cards are not of the value and `paired` cards are" as a sum of "so many cards are".
fn terms(others: u8, paired: u8) -> impl Iterator<Item = (usize, f64)> {
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
        assert_eq!((weights.hands, weights.pairs_of_hands), ([0.0, 2.0], [[0.0, 0.0], [0.0, 2.0]]));
    }

    #[test]
    fn hands_are_counted_as_dealing_makes_them() {
        // Every second card is the pair's with chance q, independently.
        let q: f64 = 0.2;
        let all_paired = std::array::from_fn(|cards| q.powi(cards as i32));
        let weights = SplitWeights::new(3, &all_paired);
        let two = (1.0 - q) * (1.0 - q);
        let hands: f64 = weights.hands.iter().sum();
        assert!((hands - (2.0 * two + 3.0 * (1.0 - two))).abs() < 1e-14);
        let weights = SplitWeights::new(4, &all_paired);
        // Three hands: one pair came first or second, and then no more.
        let three = 2.0 * q * (1.0 - q).powi(3);
        let expected = 2.0 * two + 6.0 * three + 12.0 * (1.0 - two - three);
        let pairs: f64 = weights.pairs_of_hands.iter().flatten().sum();
        assert!((pairs - expected).abs() < 1e-14);
        // Hands with an unpaired second card and hands that stay paired make up all of them.
        let others: f64 = (0..MAX_EXTRA).map(|shoe| weights.other[shoe] * (1.0 - q)).sum();
        let paired: f64 = (0..MAX_EXTRA).map(|shoe| weights.paired[shoe] * q).sum();
        assert!((others + paired - weights.hands.iter().sum::<f64>()).abs() < 1e-14);
    }
}
