//! Mines: a 5x5 board, cells numbered row by row from the top left; the first cells of a permutation of
//! all 25 hide the mines.

use crate::salted::draw::Draws;
use crate::salted::game::{Form, Game, Parameter};

const CELLS: usize = 25;

pub struct Mines {
    mines: usize,
}

impl Game for Mines {
    const NAME: &'static str = "mines";
    const PARAMETERS: &'static [Parameter] =
        &[Parameter { name: "mines", default: 3, least: 1, most: 24, per_round: false }];

    fn new(parameters: &[i64]) -> Self {
        Self { mines: parameters[0] as usize }
    }

    fn form(&self) -> Form {
        Form::array(&[self.mines], CELLS as i64 - 1)
    }

    #[inline]
    fn outcome(&self, draws: &mut impl Draws, cells: &mut [i64]) {
        draws.shuffle(CELLS, cells);
    }
}
