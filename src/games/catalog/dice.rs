//! Dice: 0.00 to 100.00 in steps of a hundredth.

use crate::games::draw::Draws;
use crate::games::game::{Form, Game, parameters};

const OUTCOMES: u64 = 10_001;

pub struct Dice {}

impl Game for Dice {
    const NAME: &'static str = "dice";

    parameters!();

    fn form(&self) -> Form {
        Form::hundredths(0, OUTCOMES as i64 - 1)
    }

    #[inline]
    fn outcome(&self, draws: &mut (impl Draws + ?Sized), cells: &mut [i64]) {
        cells[0] = draws.below(OUTCOMES) as i64;
    }
}
