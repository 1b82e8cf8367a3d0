//! Double: a wheel of 15 sectors.

use crate::salted::draw::Draws;
use crate::salted::game::{Form, Game};

const SECTORS: u64 = 15;

pub struct Double;

impl Game for Double {
    const NAME: &'static str = "double";
    const BLOCKS: Option<(u32, u32)> = Some((500_000, 510_000));

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
        assert_eq!(empty_round::<Double>(&[]), [7]);
    }
}
