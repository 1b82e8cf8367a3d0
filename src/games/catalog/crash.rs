//! Crash: a multiplier, `0.95 / u` in steps of a millionth of `u`, at least 1.00.
//!
//! Overgo has the same rule with a smaller house edge, and uses the function here.

use crate::games::draw::Draws;
use crate::games::game::{Form, Game, parameters};
use crate::games::rounding::to_fixed_2;

const STEPS: u64 = 1_000_000;

/// The multiplier in hundredths, by the same double operations as the code in the document.
#[inline]
pub(super) fn multiplier(draws: &mut (impl Draws + ?Sized), house_edge: f64) -> i64 {
    let step = draws.below(STEPS);
    let quotient = STEPS as f64 / (step + 1) as f64;
    draws.note("1000000 / (draw + 1)", quotient);
    let returned = 1.0 - house_edge;
    draws.note("1 - house edge", returned);
    let product = quotient * returned;
    draws.note("1000000 / (draw + 1) * (1 - house edge)", product);
    let multiplier = product.max(1.0);
    draws.note("at least 1, before toFixed(2)", multiplier);
    to_fixed_2(multiplier)
}

/// The form of the outcomes: from 1.00 to the multiplier of step 0.
pub(super) fn form(house_edge: f64) -> Form {
    Form::hundredths(100, to_fixed_2(STEPS as f64 * (1.0 - house_edge))).sparse()
}

const HOUSE_EDGE: f64 = 0.05;

pub struct Crash {}

impl Game for Crash {
    const NAME: &'static str = "crash";
    const BLOCKS: Option<(u32, u32)> = Some((540_000, 550_000));

    parameters!();

    fn form(&self) -> Form {
        form(HOUSE_EDGE)
    }

    #[inline]
    fn outcome(&self, draws: &mut (impl Draws + ?Sized), cells: &mut [i64]) {
        cells[0] = multiplier(draws, HOUSE_EDGE);
    }
}
