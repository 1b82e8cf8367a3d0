//! The games of the catalog, compiled for reading blocks: with a virtual call for each draw, rounds of many draws would
//! take 8 % longer.

use std::any::Any;

use super::generator::NumberPlaces;
use crate::games::catalog::each_game;
use crate::games::game::{AnyGame, Game};

/// A game that was compiled for reading blocks.
pub trait Compiled: Sync {
    /// The outcomes of the rounds whose blocks are `words`.
    fn outcomes(&self, places: &NumberPlaces, words: &[u64], cells: &mut [i64]);
}

impl<G: Game> Compiled for G {
    fn outcomes(&self, places: &NumberPlaces, words: &[u64], cells: &mut [i64]) {
        let width = Game::form(self).cells();
        for (cells, mut draws) in cells.chunks_exact_mut(width).zip(places.draws(words)) {
            self.outcome(&mut draws, cells);
        }
    }
}

/// The compiled form of a game, if it is one of the catalog's.
pub fn compiled<'a>(game: &'a (dyn AnyGame + 'static)) -> Option<&'a dyn Compiled> {
    fn as_game<G: Game>() -> fn(&dyn Any) -> Option<&dyn Compiled> {
        |game| game.downcast_ref::<G>().map(|game| game as &dyn Compiled)
    }
    each_game!(as_game).into_iter().find_map(|as_game| as_game(game))
}
