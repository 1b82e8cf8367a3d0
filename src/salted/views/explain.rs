//! The walk-through: how one round's draws were answered, step by step.

use crate::salted::draw::{Draws, fisher_yates};
use crate::salted::game::AnyGame;
use crate::salted::numbers;
use crate::salted::seeds::{Block, Stream, words};

/// A number that was used: eight bytes, and what the game made of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Draw {
    /// Its place among the round's numbers: number `8 * c` is the first of cursor `c`.
    pub index: usize,
    /// Its eight bytes, as one big-endian word.
    pub word: u64,
    /// The number itself, in `[0, 1)`.
    pub number: f64,
    /// The range `0..n` that was asked for.
    pub n: u64,
    /// The number times `n`.
    pub scaled: f64,
    /// The answer: the scaled number without its fraction.
    pub result: u64,
}

/// A step of a shuffle: what was left, and the draw of an index into it.
#[derive(Clone, Debug, PartialEq)]
pub struct Pick {
    pub left: Vec<u8>,
    pub draw: Draw,
}

/// What a game asked for, in order.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// What follows makes up part number `index` called `name`, each draw of it a `draws`.
    Part {
        name: &'static str,
        index: usize,
        draws: &'static str,
    },
    Draw(Draw),
    /// Numbers that were passed over.
    Skip {
        first: usize,
        count: usize,
    },
    /// A permutation of `0..size`, all of it (a last element that needs no number isn't listed), of
    /// which the game takes the first `taken`.
    Shuffle {
        size: usize,
        taken: usize,
        picks: Vec<Pick>,
        permutation: Vec<i64>,
    },
    /// An intermediate value of the game's formula.
    Note {
        formula: &'static str,
        value: f64,
    },
}

/// All that happened in one round.
#[derive(Clone, Debug, PartialEq)]
pub struct Walkthrough {
    /// The cursors that were used, and their 64 bytes.
    pub blocks: Vec<(u64, [u8; 64])>,
    pub steps: Vec<Step>,
    pub cells: Vec<i64>,
}

/// One round with everything that led to its outcome.
pub fn explain(game: &dyn AnyGame, stream: Stream<'_>) -> Walkthrough {
    let mut recorder = Recorder { stream, next: 0, block: [0; 8], blocks: Vec::new(), steps: Vec::new() };
    let mut cells = vec![0; game.form().cells()];
    game.answer(&mut recorder, &mut cells);
    Walkthrough { blocks: recorder.blocks, steps: recorder.steps, cells }
}

/// Answers a game's draws from one round's numbers and writes everything down.
struct Recorder<'a> {
    stream: Stream<'a>,
    next: usize,
    block: Block,
    blocks: Vec<(u64, [u8; 64])>,
    steps: Vec<Step>,
}

impl Recorder<'_> {
    fn draw(&mut self, n: u64) -> Draw {
        let cursor = (self.next / 8) as u64;
        if self.blocks.last().map(|&(last, _)| last) != Some(cursor) {
            let bytes = self.stream.bytes(cursor);
            self.block = words(&bytes);
            self.blocks.push((cursor, bytes));
        }
        let (index, word) = (self.next, self.block[self.next % 8]);
        self.next += 1;
        Draw {
            index,
            word,
            number: numbers::number(word),
            n,
            scaled: numbers::scaled(word, n),
            result: numbers::below(word, n),
        }
    }
}

impl Draws for Recorder<'_> {
    fn below(&mut self, n: u64) -> u64 {
        let draw = self.draw(n);
        let result = draw.result;
        self.steps.push(Step::Draw(draw));
        result
    }

    fn skip(&mut self, count: usize) {
        if count > 0 {
            self.steps.push(Step::Skip { first: self.next, count });
            self.next += count;
        }
    }

    /// The same shuffle, carried on to its end, so that the whole permutation is seen.
    fn shuffle(&mut self, n: usize, taken: &mut [i64]) {
        let earlier = std::mem::take(&mut self.steps);
        let mut permutation = vec![0; n - 1];
        fisher_yates(self, n, &mut permutation);
        taken.copy_from_slice(&permutation[..taken.len()]);
        let steps = std::mem::replace(&mut self.steps, earlier);
        let pick = |(index, step)| {
            let Step::Draw(draw) = step else { return None };
            let left = (0..n as u8).filter(|&element| !permutation[..index].contains(&element.into()));
            Some(Pick { left: left.collect(), draw })
        };
        let picks = steps.into_iter().enumerate().filter_map(pick).collect();
        self.steps.push(Step::Shuffle { size: n, taken: taken.len(), picks, permutation });
    }

    fn part(&mut self, name: &'static str, index: usize, draws: &'static str) {
        self.steps.push(Step::Part { name, index, draws });
    }

    fn note(&mut self, formula: &'static str, value: f64) {
        self.steps.push(Step::Note { formula, value });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::salted::games;

    /// The round of the document: seeds and salt are empty.
    fn explained(name: &str, parameters: &[i64]) -> Walkthrough {
        let game = games::find(name).unwrap().make(parameters).unwrap();
        explain(&*game, Stream::new(b"", b"", b""))
    }

    #[test]
    fn the_whole_permutation_is_seen_whatever_the_number_of_mines() {
        let walk = explained("mines", &[3]);
        assert_eq!(walk.cells, [11, 8, 18]);
        assert_eq!(walk.blocks.iter().map(|block| block.0).collect::<Vec<_>>(), [0, 1, 2]);
        let [Step::Shuffle { size: 25, taken: 3, picks, permutation }] = &walk.steps[..] else {
            panic!("{:?}", walk.steps)
        };
        assert_eq!((picks.len(), permutation.len()), (24, 24));
        assert_eq!(permutation[19..], [3, 20, 4, 0, 21]);
        assert_eq!(picks[23].left, [13, 21]);
        assert_eq!((picks[23].draw.index, picks[23].draw.n, picks[23].draw.result), (23, 2, 1));
    }

    #[test]
    fn blocks_that_are_skipped_are_left_out() {
        let walk = explained("plinko", &[8, 2]);
        assert_eq!(walk.blocks.iter().map(|block| block.0).collect::<Vec<_>>(), [0, 2]);
        assert_eq!(walk.steps[0], Step::Part { name: "ball", index: 0, draws: "pin" });
        assert_eq!(walk.steps[9], Step::Skip { first: 8, count: 8 });
    }
}
