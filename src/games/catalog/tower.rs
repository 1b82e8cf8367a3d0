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
    fn outcome(&self, draws: &mut (impl Draws + ?Sized), cells: &mut [i64]) {
        for (index, row) in cells.chunks_exact_mut(self.mines).enumerate() {
            draws.part("row", index, "step");
            draws.shuffle(POSITIONS, row);
        }
    }
}
