//! X50: a wheel of 54 sectors.

use crate::salted::draw::Draws;
use crate::salted::game::{Form, Game};

const SECTORS: u64 = 54;

pub struct X50;

impl Game for X50 {
    const NAME: &'static str = "x50";
    const BLOCKS: Option<(u32, u32)> = Some((560_000, 570_000));

    fn new(_: &[i64]) -> Self {
        Self
    }

    fn form(&self) -> Form {
        Form::integer(0, SECTORS as i64 - 1)
    }

    #[inline]
    fn outcome(&self, draws: &mut impl Draws, cells: &mut [i64]) {
        cells[0] = draws.below(SECTORS) as i64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::salted::game::tests::empty_round;

    #[test]
    fn the_documents_round() {
        assert_eq!(empty_round::<X50>(&[]), [25]);
    }
}
