//! Royal flushes in sequence: some paytables pay more if the cards are in order.
//!
//! A royal flush of a suit can only come from one hold: all cards from ten to ace of that suit that were dealt. The
//! drawn cards fill the free positions in any order with equal probability. If the held cards are in their
//! positions, one of the k! orders of the k drawn cards gives a sequence; if they are in their positions from ace to
//! ten, one order gives the reverse sequence.

use super::deck::JOKER;
use super::ranking::{Hand, Hold, TEN_TO_ACE};
use crate::cards::card;

/// The number of orders of five cards.
pub const ORDERS: i64 = 120;

/// The positions of a hand's cards, by card in increasing order.
pub type Places = [u8; 5];

/// The positions if the cards are in increasing order.
pub const RISING: Places = [0, 1, 2, 3, 4];

/// The directions in which a royal flush counts as in sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SequentialRoyal {
    /// Whether ace to ten counts as well as ten to ace.
    pub reversible: bool,
}

impl SequentialRoyal {
    /// The number of directions that count.
    pub const fn directions(self) -> u8 {
        1 + self.reversible as u8
    }

    /// The number of directions in which the held cards of a royal flush are in their positions.
    pub fn fits(self, hand: &Hand, hold: Hold, places: &Places) -> u8 {
        let stand = |place_of: fn(u8) -> u8| {
            let mut held = (0..5).filter(|card| hold >> card & 1 == 1);
            u8::from(held.all(|card| place_of(card::rank(hand[card])) == places[card]))
        };
        let up = stand(|rank| if rank == 0 { 4 } else { rank.wrapping_sub(9) });
        let down = stand(|rank| if rank == 0 { 0 } else { 13_u8.wrapping_sub(rank) });
        up + if self.reversible { down } else { 0 }
    }

    /// Whether a hand is a royal flush in sequence, in its given order.
    pub fn is(self, hand: &Hand) -> bool {
        royal_holds(hand).contains(&31) && self.fits(hand, 31, &RISING) > 0
    }
}

/// For each suit, the hold that a royal flush can come from: the dealt cards from ten to ace, and no others.
pub fn royal_holds(hand: &Hand) -> [Hold; 4] {
    let mut holds = [0; 4];
    for (place, &card) in hand.iter().enumerate() {
        if card < JOKER && TEN_TO_ACE >> card::rank(card) & 1 == 1 {
            holds[usize::from(card::suit(card))] |= 1 << place;
        }
    }
    holds
}

/// The number of [`ORDERS`] royal flushes from a hold that are in sequence, per direction in which it fits.
pub const fn in_sequence(hold: Hold) -> i64 {
    [1, 5, 20, 60, 120, 120][hold.count_ones() as usize]
}

/// All orders of five cards.
pub fn orders() -> Vec<Places> {
    let mut orders = Vec::with_capacity(ORDERS as usize);
    for number in 0..5_usize.pow(5) {
        let places: Places = std::array::from_fn(|card| (number / 5_usize.pow(card as u32) % 5) as u8);
        if (0..5).all(|place| places.contains(&place)) {
            orders.push(places);
        }
    }
    orders
}

#[cfg(test)]
mod tests {
    use super::super::ranking::tests::hand;
    use super::*;

    #[test]
    fn directions_of_royal_flushes() {
        let (up, both) = (SequentialRoyal { reversible: false }, SequentialRoyal { reversible: true });
        for (names, is_up, is_either) in [
            ("Th Jh Qh Kh Ah", true, true),
            ("Ah Kh Qh Jh Th", false, true),
            ("Th Jh Qh Ah Kh", false, false),
            ("Th Jh Qh Kh As", false, false),
            ("9h Th Jh Qh Kh", false, false),
        ] {
            assert_eq!((up.is(&hand(names)), both.is(&hand(names))), (is_up, is_either), "{names}");
        }
    }

    #[test]
    fn every_order_is_as_probable() {
        assert_eq!(orders().len(), ORDERS as usize);
        // Over all orders of a deal, one royal flush in 120 is in sequence, whatever part of it is held.
        let both = SequentialRoyal { reversible: true };
        let royal = hand("Th Jh Qh Kh Ah");
        for hold in 0..32 {
            let sum: i64 = orders().iter().map(|places| i64::from(both.fits(&royal, hold, places))).sum();
            assert_eq!(sum * in_sequence(hold), 2 * ORDERS, "{hold}");
        }
    }

    #[test]
    fn holds_that_royal_flushes_come_of() {
        assert_eq!(royal_holds(&hand("Th 9h Ac 2d Ah")), [0, 0b10001, 0, 0b00100]);
        assert_eq!(royal_holds(&[52, 53, 0, 1, 2]), [0b00100, 0, 0, 0]);
    }
}
