//! Double and X50: wheels of equal sectors.

use crate::games::draw::Draws;
use crate::games::game::{Form, Game, parameters};

macro_rules! wheel {
    ($type:ident, $name:literal, $sectors:literal, $blocks:expr) => {
        pub struct $type {}

        impl Game for $type {
            const NAME: &'static str = $name;
            const BLOCKS: Option<(u32, u32)> = Some($blocks);

            parameters!();

            fn form(&self) -> Form {
                Form::integer(0, $sectors - 1)
            }

            #[inline]
            fn outcome(&self, draws: &mut (impl Draws + ?Sized), cells: &mut [i64]) {
                cells[0] = draws.below($sectors) as i64;
            }
        }
    };
}

wheel!(Double, "double", 15, (500_000, 510_000));
wheel!(X50, "x50", 54, (560_000, 570_000));
