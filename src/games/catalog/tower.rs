//! Tower: ten rows of five positions. The positions of each row are shuffled, and the mines are in the first ones.

use crate::games::draw::Draws;
use crate::games::game::{Form, Game, parameters};

const ROWS: usize = 10;
const POSITIONS: usize = 5;

pub struct Tower {
    mines: usize,
}

impl Game for Tower {
    const NAME: &'static str = "tower";

    parameters!(mines = 1 in 1..=4);

    fn form(&self) -> Form {
        Form::array(&[ROWS, self.mines], POSITIONS as i64 - 1).counted_by(0)
    }

    #[inline]
    fn outcome(&self, draws: &mut impl Draws, cells: &mut [i64]) {
        for (index, row) in cells.chunks_exact_mut(self.mines).enumerate() {
            draws.part("row", index, "step");
            draws.shuffle(POSITIONS, row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::game::tests::empty_round;

    #[test]
    fn the_documents_round() {
        assert_eq!(empty_round::<Tower>(&[1]), [2, 4, 2, 1, 4, 3, 0, 2, 2, 1]);
        let rows = [
            [2, 1, 4, 3],
            [4, 2, 3, 0],
            [2, 1, 0, 4],
            [1, 3, 2, 0],
            [4, 2, 1, 0],
            [3, 1, 0, 4],
            [0, 3, 4, 2],
            [2, 3, 4, 1],
            [2, 3, 1, 0],
            [1, 0, 4, 3],
        ];
        assert_eq!(empty_round::<Tower>(&[4]), rows.as_flattened());
    }
}
