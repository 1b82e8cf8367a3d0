//! Plays a game from the numbers of one round and records its draws, sharing only the bytes with the engine's
//! streams.

use provably_fair::games::draw::Draws;
use provably_fair::games::game::AnyGame;
use provably_fair::schemes::salted::numbers;
use provably_fair::schemes::salted::seeds::{Stream, words};

/// A number and its use.
#[derive(Debug)]
pub struct Drawn {
    pub index: usize,
    pub word: u64,
    pub n: u64,
    pub result: u64,
}

pub struct Recorder<'a> {
    stream: Stream<'a>,
    next: usize,
    pub draws: Vec<Drawn>,
    pub notes: Vec<f64>,
}

impl<'a> Recorder<'a> {
    pub fn new(stream: Stream<'a>) -> Self {
        Self { stream, next: 0, draws: Vec::new(), notes: Vec::new() }
    }

    /// Plays a game, recording each draw, and returns the outcome.
    pub fn play(&mut self, game: &dyn AnyGame) -> Vec<i64> {
        let mut cells = vec![0; game.form().cells()];
        game.answer(self, &mut cells);
        cells
    }
}

impl Draws for Recorder<'_> {
    fn below(&mut self, n: u64) -> u64 {
        let (index, block) = (self.next, words(&self.stream.bytes(self.next as u64 / 8)));
        let (word, result) = (block[index % 8], numbers::below(block[index % 8], n));
        self.draws.push(Drawn { index, word, n, result });
        self.next += 1;
        result
    }

    fn skip(&mut self, count: usize) {
        self.next += count;
    }

    fn note(&mut self, _: &'static str, value: f64) {
        self.notes.push(value);
    }
}
