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
    fn outcome(&self, draws: &mut impl Draws, cells: &mut [i64]) {
        draws.shuffle(CELLS, cells);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::game::tests::empty_round;

    #[test]
    fn the_documents_round() {
        assert_eq!(empty_round::<Mines>(&[1]), [11]);
        assert_eq!(empty_round::<Mines>(&[3]), [11, 8, 18]);
        let permutation =
            [11, 8, 18, 16, 24, 17, 19, 1, 12, 5, 2, 23, 7, 15, 9, 6, 22, 14, 10, 3, 20, 4, 0, 21];
        assert_eq!(empty_round::<Mines>(&[24]), permutation);
    }
}
