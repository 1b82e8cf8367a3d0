//! Jackpot: the winning ticket, numbered from 1.

use crate::salted::draw::Draws;
use crate::salted::game::{Form, Game, Parameter};

pub struct Jackpot {
    tickets: i64,
}

impl Game for Jackpot {
    const NAME: &'static str = "jackpot";
    /// Up to 2^53 tickets: beyond, a double no longer tells them apart.
    const PARAMETERS: &'static [Parameter] =
        &[Parameter { name: "tickets", default: 1000, least: 1, most: 1 << 53, per_round: true }];
    const BLOCKS: Option<(u32, u32)> = Some((520_000, 530_000));

    fn new(parameters: &[i64]) -> Self {
        Self { tickets: parameters[0] }
    }

    fn form(&self) -> Form {
        Form::integer(1, self.tickets)
    }

    #[inline]
    fn outcome(&self, draws: &mut impl Draws, cells: &mut [i64]) {
        cells[0] = draws.below(self.tickets as u64) as i64 + 1;
        draws.note("ticket = draw + 1", cells[0] as f64);
    }
}
