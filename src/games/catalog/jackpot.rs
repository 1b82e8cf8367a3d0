//! Jackpot: the winning ticket, numbered from 1.

use crate::games::draw::Draws;
use crate::games::game::{Form, Game, parameters};

pub struct Jackpot {
    tickets: i64,
}

impl Game for Jackpot {
    const NAME: &'static str = "jackpot";
    const BLOCKS: Option<(u32, u32)> = Some((520_000, 530_000));

    // At most 2^53 tickets: doubles can't tell larger numbers apart.
    parameters!(tickets = 1000 in 1..=1 << 53, per_round);

    fn form(&self) -> Form {
        Form::integer(1, self.tickets)
    }

    #[inline]
    fn outcome(&self, draws: &mut (impl Draws + ?Sized), cells: &mut [i64]) {
        cells[0] = draws.below(self.tickets as u64) as i64 + 1;
        draws.note("ticket = draw + 1", cells[0] as f64);
    }
}
