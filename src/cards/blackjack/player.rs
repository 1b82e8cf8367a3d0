//! Every hand that a player can hold: the multisets of card values up to 21, each with a number. Playing is a walk
//! through one table, and a strategy is an array.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The index of aces among the ten card values (0 ace, 1 two, ..., 9 ten).
pub const ACE: usize = 0;
/// Index of the cards that count ten.
pub const TEN: usize = 9;

/// The number of a hand in the table of hands.
pub type HandId = u16;

/// Marks a card that makes the hand bust.
pub const BUST: HandId = HandId::MAX;

/// The number of cards of each value, from aces (0) to tens (9).
pub type Counts = [u8; 10];

/// The features of a hand that the rules depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The total; an ace counts eleven unless that exceeds 21.
    pub total: u8,
    /// Whether an ace counts eleven.
    pub soft: bool,
    /// The number of cards.
    pub cards: u8,
    /// The card value of a pair; any two cards that count ten are a pair.
    pub pair: Option<usize>,
}

impl Shape {
    /// The shape of a hand with these cards.
    pub fn of(counts: &Counts) -> Self {
        let cards = counts.iter().sum();
        let hard = hard_total(counts);
        let soft = counts[ACE] > 0 && hard + 10 <= 21;
        let pair = counts.iter().position(|&count| count == 2 && cards == 2);
        Shape { total: hard + if soft { 10 } else { 0 }, soft, cards, pair }
    }
}

/// The row of a chart in which a hand is looked up, unless it is played as a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// A total in which no ace counts eleven, 4..=21.
    Hard(u8),
    /// A total in which an ace counts eleven, 12..=21.
    Soft(u8),
}

impl Key {
    /// The number of keys.
    pub const COUNT: usize = 28;
    /// The number of keys for hard totals.
    pub const SOFT: usize = 18;

    /// The key of a hand of at least two cards.
    pub const fn of(shape: &Shape) -> Self {
        if shape.soft { Key::Soft(shape.total) } else { Key::Hard(shape.total) }
    }

    /// The index among the keys: hard 4 to 21, then soft 12 to 21.
    pub const fn index(self) -> usize {
        match self {
            Key::Hard(total) => total as usize - 4,
            Key::Soft(total) => Self::SOFT + total as usize - 12,
        }
    }

    /// The keys in an order in which hands only move to earlier ones, so that a key's value depends only on the play
    /// of keys before it.
    pub fn from_the_end() -> impl Iterator<Item = Key> {
        let high = (12..=21).rev().map(Key::Hard);
        let soft = (12..=21).rev().map(Key::Soft);
        high.chain(soft).chain((4..=11).rev().map(Key::Hard))
    }
}

/// The total with every ace counting one.
pub fn hard_total(counts: &Counts) -> u8 {
    counts.iter().zip(1..).map(|(count, value)| count * value).sum()
}

/// The counts in one number, five bits each, as a key for lookups.
pub fn pack(counts: &Counts) -> u64 {
    counts.iter().rev().fold(0, |key, &count| key << 5 | u64::from(count))
}

/// The table of hands.
pub struct Hands {
    /// The cards of each hand. Hand 0 is empty, and every hand has a lower number than the hands it can become.
    pub counts: Vec<Counts>,
    /// The shape of each hand.
    pub shapes: Vec<Shape>,
    /// The hand after one more card of each value, or [`BUST`].
    pub next: Vec<[HandId; 10]>,
    /// The numbers of all hands.
    pub all: Vec<HandId>,
    /// For each card value, the hands with such a card.
    pub holding: [Vec<HandId>; 10],
}

impl Hands {
    /// The table, built once.
    pub fn table() -> &'static Hands {
        static TABLE: LazyLock<Hands> = LazyLock::new(Hands::build);
        &TABLE
    }

    /// The hand of these card values.
    pub fn find(&self, values: &[usize]) -> HandId {
        values.iter().fold(0, |hand, &value| self.next[usize::from(hand)][value])
    }

    fn build() -> Self {
        let mut counts = Vec::new();
        add_hands(&mut [0; 10], ACE, 21, &mut counts);
        counts.sort_by_key(|hand| (hard_total(hand), pack(hand)));
        let ids: HashMap<u64, HandId> = counts.iter().zip(0..).map(|(hand, id)| (pack(hand), id)).collect();
        let next = counts
            .iter()
            .map(|hand| {
                std::array::from_fn(|value| {
                    let mut more = *hand;
                    more[value] += 1;
                    ids.get(&pack(&more)).copied().unwrap_or(BUST)
                })
            })
            .collect();
        let holding = std::array::from_fn(|value| {
            (0..).zip(&counts).filter(|(_, hand)| hand[value] > 0).map(|(id, _)| id).collect()
        });
        let shapes = counts.iter().map(Shape::of).collect();
        let all = (0..counts.len() as HandId).collect();
        Hands { counts, shapes, next, all, holding }
    }
}

/// Collects every way to add cards of `value` and above that total at most `room`.
fn add_hands(hand: &mut Counts, value: usize, room: u8, found: &mut Vec<Counts>) {
    if value == hand.len() {
        found.push(*hand);
        return;
    }
    let worth = value as u8 + 1;
    for count in 0..=room / worth {
        hand[value] = count;
        add_hands(hand, value + 1, room - count * worth, found);
    }
    hand[value] = 0;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_holds_every_hand_once() {
        let hands = Hands::table();
        // Partitions of 0 to 21 into parts of at most ten.
        assert_eq!(hands.all.len(), partitions(21));
        for (value, holding) in hands.holding.iter().enumerate() {
            let expected = hands.all.iter().filter(|&&id| hands.counts[usize::from(id)][value] != 0);
            assert!(holding.iter().eq(expected));
        }
        for (id, next) in hands.next.iter().enumerate() {
            for (value, &more) in next.iter().enumerate() {
                let total = hard_total(&hands.counts[id]) + value as u8 + 1;
                assert_eq!(more == BUST, total > 21);
                assert!(usize::from(more) > id);
            }
        }
    }

    fn partitions(most: usize) -> usize {
        let mut ways = vec![0; most + 1];
        ways[0] = 1;
        for part in 1..=10 {
            for total in part..=most {
                ways[total] += ways[total - part];
            }
        }
        ways.iter().sum()
    }

    #[test]
    fn shapes() {
        let hands = Hands::table();
        let shape = |values: &[usize]| hands.shapes[usize::from(hands.find(values))];
        let expected = |total, soft, cards, pair| Shape { total, soft, cards, pair };
        assert_eq!(shape(&[0, 9]), expected(21, true, 2, None));
        assert_eq!(shape(&[0, 0]), expected(12, true, 2, Some(0)));
        assert_eq!(shape(&[9, 9]), expected(20, false, 2, Some(9)));
        assert_eq!(shape(&[0, 5, 9]), expected(17, false, 3, None));
        assert_eq!(shape(&[3, 3, 3]), expected(12, false, 3, None));
        assert_eq!(hands.find(&[9, 9, 1]), BUST);
    }
}
