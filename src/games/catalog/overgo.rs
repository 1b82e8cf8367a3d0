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
    fn outcome(&self, draws: &mut impl Draws, cells: &mut [i64]) {
        cells[0] = crash::multiplier(draws, HOUSE_EDGE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::game::tests::{empty_round, round};

    #[test]
    fn the_documents_round() {
        assert_eq!(empty_round::<Overgo>(&[]), [206]);
    }

    #[test]
    fn a_public_round() {
        let server = "b322902abd306d7c5fdd405d9c7ac0ee980072ad1fad62727bc45e7f0adeb8aa";
        let client = "4a4e4cb3124e9c215cbbfd917dee2981cbd45c5c976107a0144fce37421a37ec";
        let salt = "fbf585b1224ea2ec921159e5b960de96c5874a2c85d3fdaeb8e38d6fd38582b7";
        assert_eq!(round::<Overgo>(&[], server, client, salt), [177]);
    }
}
