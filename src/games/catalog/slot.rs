//! Slot: the stops of five reels on the center line. A spin uses five of the eight numbers in its block.

use crate::games::draw::Draws;
use crate::games::game::{Form, Game, parameters};

/// The number of stops of each reel.
pub const STOPS: [u64; 5] = [30, 30, 30, 30, 41];

pub struct Slot {
    spins: usize,
}

impl Game for Slot {
    const NAME: &'static str = "slot";

    parameters!(spins = 1 in 1..=180);

    fn form(&self) -> Form {
        Form::array(&[self.spins, STOPS.len()], STOPS[STOPS.len() - 1] as i64 - 1).counted_by(1)
    }

    #[inline]
    fn outcome(&self, draws: &mut (impl Draws + ?Sized), cells: &mut [i64]) {
        for (index, spin) in cells.chunks_exact_mut(STOPS.len()).enumerate() {
            draws.part("spin", index, "reel");
            for (stop, stops) in spin.iter_mut().zip(STOPS) {
                *stop = draws.below(stops) as i64;
            }
            draws.skip(8 - STOPS.len());
        }
    }
}
