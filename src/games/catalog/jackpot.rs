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
    fn outcome(&self, draws: &mut impl Draws, cells: &mut [i64]) {
        cells[0] = draws.below(self.tickets as u64) as i64 + 1;
        draws.note("ticket = draw + 1", cells[0] as f64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::game::tests::{empty_round, round};

    #[test]
    fn the_documents_round() {
        assert_eq!(empty_round::<Jackpot>(&[1000]), [472]);
    }

    #[test]
    fn a_public_round() {
        let server = "0000000000000000000d26984c0229c9f6962dc74db0a6d525f2f1640396f69c";
        let client = "000000000000000000024e9be1c7b56cab6428f07920f21ad8457221a91371ae";
        let salt = "1d4a34c47c8b0549545b2f043d6f0e1cc86488ec48337496279362e33a47a93d";
        assert_eq!(round::<Jackpot>(&[2380], server, client, salt), [2268]);
    }
}
