//! Overgo: a multiplier as in Crash, with a house edge of 3 %.

use super::crash;
use crate::games::draw::Draws;
use crate::games::game::{Form, Game, parameters};

const HOUSE_EDGE: f64 = 0.03;

pub struct Overgo {}

impl Game for Overgo {
    const NAME: &'static str = "overgo";

    parameters!();

    fn form(&self) -> Form {
        crash::form(HOUSE_EDGE)
    }

    #[inline]
    fn outcome(&self, draws: &mut (impl Draws + ?Sized), cells: &mut [i64]) {
        cells[0] = crash::multiplier(draws, HOUSE_EDGE);
    }
}
