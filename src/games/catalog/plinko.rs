//! Plinko: the bucket is the number of pins that send the ball to the right. Each ball has two blocks of eight
//! numbers, and uses the first `pins` of the 16.

use crate::games::draw::Draws;
use crate::games::game::{Form, Game, parameters};

const NUMBERS_A_BALL: usize = 16;

pub struct Plinko {
    pins: usize,
    balls: usize,
}

impl Game for Plinko {
    const NAME: &'static str = "plinko";

    parameters!(pins = 16 in 8..=NUMBERS_A_BALL as i64, per_round; balls = 1 in 1..=100);

    fn form(&self) -> Form {
        Form::array(&[self.balls], self.pins as i64)
    }

    #[inline]
    fn outcome(&self, draws: &mut (impl Draws + ?Sized), cells: &mut [i64]) {
        for (index, bucket) in cells.iter_mut().enumerate() {
            draws.part("ball", index, "pin");
            *bucket = draws.coins(self.pins) as i64;
            draws.skip(NUMBERS_A_BALL - self.pins);
        }
    }
}
