//! The games of the catalog under any scheme: their rounds, and how probable the answers of a draw are.

use std::sync::{Mutex, PoisonError};

use super::scheme::{Below, Reader, Scheme, Source};
use super::words::{Scratch, TILE, Words};
use crate::error::{Error, Result};
use crate::parallel::{self, Tick};
use crate::salted::draw::Draws;
use crate::salted::game::AnyGame;
use crate::salted::views::{Weigh, first_where};
use crate::sha2_lanes::Path;

/// Rounds that a worker plays at a time: fewer where each of them reads many words.
const ROUNDS_AT_A_TIME: usize = TILE;
const WORDS_AT_A_TIME: usize = 16 * TILE;
/// The fewest rounds that are worth computing words together.
const MANY: usize = 16;

/// The draws of one round: from words that were computed for many rounds, as far as they go, then word by word.
struct Reading<'a> {
    source: Source<'a>,
    round: usize,
    /// The words of the round, each `stride` after the one before.
    words: &'a [u64],
    stride: usize,
    place: usize,
    /// Reads on where words were passed over.
    alone: Option<Reader>,
    error: Option<Error>,
}

impl Reading<'_> {
    #[cold]
    fn read_alone(&mut self, n: u64) -> u64 {
        let reader = self.alone.get_or_insert_with(|| Reader::at(self.place as u64));
        match reader.below(self.source, self.round, n) {
            Ok(answer) => answer,
            Err(error) => {
                // The game goes on to its end; the first error is what the round gives.
                self.error.get_or_insert(error);
                0
            }
        }
    }
}

impl Draws for Reading<'_> {
    #[inline]
    fn below(&mut self, n: u64) -> u64 {
        let scheme = self.source.scheme;
        let next = if self.alone.is_none() { self.words.get(self.place * self.stride) } else { None };
        let Some(&word) = next else { return self.read_alone(n) };
        let answer = match scheme.below() {
            Below::Scale => scheme.scaled(word, n),
            Below::Reject if word > scheme.last_accepted(n) => return self.read_alone(n),
            Below::Modulo | Below::Reject => word % n,
        };
        self.place += 1;
        answer
    }

    #[inline]
    fn skip(&mut self, count: usize) {
        match &mut self.alone {
            Some(reader) => reader.skip(count as u64),
            None => self.place += count,
        }
    }
}

/// Checks that a scheme can answer all draws of a game: how many words it reads, those that it passes over
/// before the last included.
pub fn check(game: &dyn AnyGame, scheme: &Scheme) -> Result<u64> {
    #[derive(Default)]
    struct Asked {
        next: u64,
        read: u64,
        largest: u64,
    }

    impl Draws for Asked {
        fn below(&mut self, n: u64) -> u64 {
            self.next += 1;
            self.read = self.next;
            self.largest = self.largest.max(n);
            0
        }

        fn skip(&mut self, count: usize) {
            self.next += count as u64;
        }
    }

    let mut asked = Asked::default();
    game.answer(&mut asked, &mut vec![0; game.form().cells()]);
    scheme.check_n("n of the game's draws", asked.largest as i64)?;
    Ok(asked.read)
}

/// Writes the outcomes of all rounds of the source, one after the other.
pub fn play(
    path: Path,
    game: &dyn AnyGame,
    source: Source<'_>,
    cells: &mut [i64],
    threads: Option<usize>,
    tick: Tick<'_>,
) -> Result<()> {
    let width = game.form().cells();
    let rounds = cells.len() / width;
    let columns = check(game, source.scheme)?;
    let turn = (WORDS_AT_A_TIME / columns.max(1) as usize).clamp(MANY, ROUNDS_AT_A_TIME);
    // Where a scheme has no such words, the rounds find out which they lack.
    let words = if rounds < MANY { None } else { Words::new(path, source, 0, columns) };
    let turns = cells.chunks_mut(turn * width).enumerate();
    let threads = parallel::threads(threads, rounds, ROUNDS_AT_A_TIME);
    let first_error = Mutex::new(None::<(usize, Error)>);
    parallel::run(
        turns,
        threads,
        tick,
        <(Scratch, Vec<u64>)>::default,
        |(scratch, tile), (number, cells)| {
            let (first, now) = (number * turn, cells.len() / width);
            if let Some(words) = &words {
                tile.resize(turn * words.columns(), 0);
                words.fill(first, now, scratch, turn, tile);
            }
            for (i, cells) in cells.chunks_exact_mut(width).enumerate() {
                let mut draws = Reading {
                    source,
                    round: first + i,
                    words: tile.get(i..).unwrap_or(&[]),
                    stride: turn,
                    place: 0,
                    alone: None,
                    error: None,
                };
                game.answer(&mut draws, cells);
                if let Some(error) = draws.error {
                    let mut known = first_error.lock().unwrap_or_else(PoisonError::into_inner);
                    if known.as_ref().is_none_or(|(before, _)| first + i < *before) {
                        *known = Some((first + i, error));
                    }
                    break;
                }
            }
            now as u64
        },
    )?;
    match first_error.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some((_, error)) => Err(error),
        None => Ok(()),
    }
}

/// The words of a scheme: an answer weighs as many as give it.
pub struct SchemeWords<'a>(pub &'a Scheme);

impl SchemeWords<'_> {
    fn words(&self) -> u128 {
        u128::from(self.0.largest()) + 1
    }
}

impl Weigh for SchemeWords<'_> {
    fn total(&self, n: u64) -> u128 {
        match self.0.below() {
            Below::Reject => u128::from(self.0.last_accepted(n)) + 1,
            Below::Scale | Below::Modulo => self.words(),
        }
    }

    fn up_to(&self, n: u64, answer: u64) -> u128 {
        let (all, n, wanted) = (self.total(n), u128::from(n), u128::from(answer));
        match self.0.below() {
            Below::Scale => first_where(all, |word| self.0.scaled(word, n as u64) >= answer),
            Below::Modulo | Below::Reject => all / n * wanted + wanted.min(all % n),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fields::{Fields, Values};
    use super::super::hash::{Algorithm, Hash, Key, Piece, Template};
    use super::*;
    use crate::parallel::no_tick;
    use crate::salted::games::CATALOG;
    use crate::texts::Texts;

    /// Every game under schemes of each rule, on every path, against rounds that are read word by word.
    #[test]
    fn words_of_many_rounds_give_what_words_one_by_one_give() {
        let colon = || Piece::Literal(b":".to_vec());
        let message = Template(vec![Piece::Field(0), colon(), Piece::Cursor]);
        let key = Some(Key::Text(Template(vec![Piece::Field(1)])));
        let fields =
            Fields::new(vec![Values::Counter { start: 90 }, Values::Texts(Texts::One(b"server"))], Some(50));
        for algorithm in [Algorithm::Sha256, Algorithm::Sha512, Algorithm::Sha1] {
            for (bits, words, below) in
                [(64, None, "scale"), (32, Some(3), "modulo"), (16, Some(2), "reject"), (52, None, "scale")]
            {
                let hash = Hash { algorithm, message: message.clone(), key: key.clone() };
                let scheme = Scheme::new(hash, bits, words, below, 1).unwrap();
                let source = Source { scheme: &scheme, fields: &fields };
                for entry in CATALOG {
                    let defaults: Vec<i64> = entry.parameters.iter().map(|known| known.default).collect();
                    let game = entry.make(&defaults).unwrap();
                    let width = game.form().cells();
                    if check(&*game, &scheme).is_err() {
                        assert!(below == "reject" && matches!(entry.name, "crash" | "overgo"));
                        continue;
                    }
                    let mut expected = vec![0; 50 * width];
                    let mut errors = Vec::new();
                    for (round, cells) in expected.chunks_exact_mut(width).enumerate() {
                        let mut draws = Reading {
                            source,
                            round,
                            words: &[],
                            stride: 1,
                            place: 0,
                            alone: None,
                            error: None,
                        };
                        game.answer(&mut draws, cells);
                        errors.extend(draws.error);
                    }
                    for (name, path) in Path::all() {
                        let mut found = vec![0; 50 * width];
                        let played = play(path, &*game, source, &mut found, Some(1), &mut no_tick);
                        match errors.first() {
                            Some(error) => assert_eq!(played.unwrap_err(), *error, "{} {name}", entry.name),
                            None => assert_eq!(found, expected, "{} {name} {scheme:?}", entry.name),
                        }
                    }
                }
            }
        }
    }
}
