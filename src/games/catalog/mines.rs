//! Mines: a 5x5 board, with cells numbered row by row from the top left. All 25 cells are shuffled, and the mines
//! are in the first ones.

use crate::games::draw::Draws;
use crate::games::game::{Form, Game, parameters};

const CELLS: usize = 25;

pub struct Mines {
    mines: usize,
}

impl Game for Mines {
    const NAME: &'static str = "mines";

    parameters!(mines = 3 in 1..=24);

    fn form(&self) -> Form {
        Form::array(&[self.mines], CELLS as i64 - 1)
    }

    #[inline]
    fn outcome(&self, draws: &mut (impl Draws + ?Sized), cells: &mut [i64]) {
        draws.shuffle(CELLS, cells);
    }
}
