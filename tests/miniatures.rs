//! Exact laws beside miniatures of the generator, whose words are few enough to go through all of them.

use std::collections::BTreeMap;

use num_bigint::BigUint;
use provably_fair::games::catalog::CATALOG;
use provably_fair::games::draw::Draws;
use provably_fair::games::game::{AnyGame, Entry};
use provably_fair::games::views::{Ideal, Subject, Weigh, first_where, law, up_to};
use provably_fair::schemes::salted::numbers::{Doubles, Pipeline};

/// Words of 16 bits, floats of 13: for their length, as many bits are rounded away as in doubles.
type Small = Pipeline<2, 13>;
/// Words of 8 bits, few enough to go through all pairs.
type Tiny = Pipeline<1, 7>;

/// The weight of an answer is the number of words that give it.
struct PipelineWeights<const DIGIT: u32, const PRECISION: u32>;

impl<const DIGIT: u32, const PRECISION: u32> Weigh for PipelineWeights<DIGIT, PRECISION> {
    fn total(&self, _n: u64) -> u128 {
        Pipeline::<DIGIT, PRECISION>::WORDS
    }

    fn up_to(&self, n: u64, answer: u64) -> u128 {
        first_where(self.total(n), |word| Pipeline::<DIGIT, PRECISION>::below(word, n) >= answer)
    }
}

fn game(name: &str, parameters: &[i64]) -> Box<dyn AnyGame> {
    CATALOG.iter().find(|entry| entry.name == name).unwrap().make(parameters).unwrap()
}

/// Every set of parameters worth trying, and what to look at.
fn subjects() -> Vec<(Box<dyn AnyGame>, Subject)> {
    let default = |entry: &Entry| entry.parameters.iter().map(|p| p.default).collect::<Vec<_>>();
    let mut all: Vec<_> = CATALOG
        .iter()
        .filter(|entry| entry.make(&default(entry)).unwrap().form().shape.is_empty())
        .map(|entry| (entry.make(&default(entry)).unwrap(), Subject::Cell { part: 0, cell: 0 }))
        .collect();
    for reel in 0..5 {
        all.push((game("slot", &[1]), Subject::Drawn { part: 0, cell: reel, draw: reel }));
    }
    for values in [1, 1 << 24, 0b10_0110, 0b1_0101_0101_0101_0101_0101_0101] {
        all.push((game("mines", &[1]), Subject::Among { part: 0, values }));
    }
    for position in 0..5 {
        all.push((game("tower", &[1]), Subject::Among { part: 3, values: 1 << position }));
    }
    all
}

#[test]
fn a_miniature_is_enumerated_in_full_for_every_game_of_one_number() {
    for (game, subject) in subjects() {
        let law = law(&*game, &PipelineWeights::<2, 13>, &subject).unwrap();
        let mut counted = BTreeMap::new();
        for word in 0..1 << 16 {
            *counted.entry(value_of(&*game, &subject, &[word], Small::below)).or_insert(0u64) += 1;
        }
        assert_eq!(law.total, BigUint::from(1u32 << 16));
        assert_eq!(law.weights.iter().sum::<BigUint>(), law.total, "{subject:?}");
        for (value, weight) in law.values.iter().zip(&law.weights) {
            let count = counted.remove(value).unwrap_or(0);
            assert_eq!(weight, &BigUint::from(count), "{value} of {subject:?}");
        }
        assert!(counted.is_empty(), "{subject:?}");
    }
}

/// The value of the subject if the draws that it depends on come from these words.
fn value_of(game: &dyn AnyGame, subject: &Subject, words: &[u64], below: fn(u64, u64) -> u64) -> i64 {
    let form = game.form();
    let mut cells = vec![0; form.cells()];
    let mut draws = FixedWords { subject, in_part: subject.part() == 0, drawn: 0, used: 0, words, below };
    game.answer(&mut draws, &mut cells);
    match *subject {
        Subject::Cell { cell, .. } | Subject::Drawn { cell, .. } => cells[cell],
        Subject::Among { part, values } => {
            // Mines has one part, all of its cells; the parts of Tower are its rows.
            let width = *form.shape.last().unwrap();
            let cells = &cells[part * width..][..width];
            cells.iter().filter(|&&cell| values >> cell & 1 == 1).count() as i64
        }
    }
}

struct FixedWords<'a> {
    subject: &'a Subject,
    in_part: bool,
    drawn: usize,
    used: usize,
    words: &'a [u64],
    below: fn(u64, u64) -> u64,
}

impl Draws for FixedWords<'_> {
    fn below(&mut self, n: u64) -> u64 {
        self.drawn += usize::from(self.in_part);
        let matters = match *self.subject {
            Subject::Drawn { draw, .. } => self.in_part && self.drawn - 1 == draw,
            _ => self.in_part,
        };
        if !matters {
            return (self.below)(0x5a, n); // any will do
        }
        self.used += 1;
        (self.below)(self.words[self.used - 1], n)
    }

    fn skip(&mut self, _count: usize) {}

    fn part(&mut self, _name: &'static str, index: usize, _draws: &'static str) {
        self.in_part = index == self.subject.part();
    }
}

#[test]
fn pairs_of_tiny_words_are_enumerated_in_full_for_shuffles() {
    let subjects = [
        (game("mines", &[2]), Subject::Among { part: 0, values: 0b1_1000_0000_0000_0010_0011_0101 }),
        (game("mines", &[2]), Subject::Among { part: 0, values: 1 << 7 }),
        (game("mines", &[2]), Subject::Cell { part: 0, cell: 1 }),
        (game("tower", &[2]), Subject::Among { part: 9, values: 1 << 2 }),
        (game("tower", &[2]), Subject::Among { part: 0, values: 0b1_0101 }),
    ];
    for (game, subject) in subjects {
        let law = law(&*game, &PipelineWeights::<1, 7>, &subject).unwrap();
        let mut counted: BTreeMap<i64, u32> = BTreeMap::new();
        for pair in 0..1u64 << 16 {
            let words = [pair >> 8, pair & 0xff];
            *counted.entry(value_of(&*game, &subject, &words, Tiny::below)).or_default() += 1;
        }
        let counted: (Vec<_>, Vec<_>) =
            counted.into_iter().map(|(value, count)| (value, BigUint::from(count))).unzip();
        assert_eq!((law.values, law.weights), counted, "{subject:?}");
        assert_eq!(law.total, BigUint::from(1u32 << 16));
    }
}

#[test]
fn a_ball_composes_the_coins_of_a_miniature() {
    let heads = (0..1 << 16).filter(|&word| Small::below(word, 2) == 1).count() as u32;
    let (heads, tails) = (BigUint::from(heads), BigUint::from((1u32 << 16) - heads));
    let mut expected = vec![BigUint::from(1u32)];
    for _ in 0..9 {
        expected.push(BigUint::ZERO);
        for bucket in (0..expected.len()).rev() {
            let from_left = if bucket == 0 { BigUint::ZERO } else { &expected[bucket - 1] * &heads };
            expected[bucket] = &expected[bucket] * &tails + from_left;
        }
    }
    let plinko = game("plinko", &[9, 2]);
    for ball in 0..2 {
        let subject = Subject::Cell { part: ball, cell: ball };
        let law = law(&*plinko, &PipelineWeights::<2, 13>, &subject).unwrap();
        assert_eq!(law.weights, expected);
    }
}

#[test]
fn merged_shuffles_equal_those_taken_one_by_one() {
    // The count over pairs of cells, from the law of the second cell given the first by all paths.
    let tower = game("tower", &[3]);
    for weigh in [&Ideal as &dyn Weigh, &PipelineWeights::<8, 53>] {
        let among = law(&*tower, weigh, &Subject::Among { part: 2, values: 1 << 4 }).unwrap();
        let each = (6..9).map(|cell| law(&*tower, weigh, &Subject::Cell { part: 2, cell }).unwrap());
        let held: BigUint = each.map(|law| law.weights[4].clone()).sum();
        assert_eq!(among.weights[1], held);
    }
}

#[test]
fn draws_never_fall_when_the_word_rises() {
    let mut word = 1u64;
    for i in 0..100_000u64 {
        word = word.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        for near in [word >> (i % 64), !(word >> (i % 64)), 1 << (i % 64), (1 << (i % 64)) - 1] {
            let next = near.saturating_add(1);
            assert!(Doubles::number(near) <= Doubles::number(next), "{near:016x}");
        }
    }
    for word in 0..0xffff {
        assert!(Small::number(word) <= Small::number(word + 1), "{word:04x}");
    }
}

#[test]
fn small_precision_rounds() {
    assert_eq!(Small::number(0xffff), 1.0 - 1.0 / 8192.0);
    let inexact = (0..1 << 16).filter(|&w| Small::number(w) != w as f64 / 65536.0).count();
    assert!(inexact > 1 << 15, "{inexact}");
}

#[test]
fn a_share_of_tickets_needs_no_enumeration() {
    let jackpot = game("jackpot", &[1 << 53]);
    assert_eq!(up_to(&*jackpot, &Ideal, 1 << 52).unwrap(), (1 << 52, 1 << 53));
    let (weight, total) = up_to(&*jackpot, &PipelineWeights::<8, 53>, 1 << 53).unwrap();
    assert_eq!((weight, total), (1 << 64, 1 << 64));
    assert!(law(&*jackpot, &Ideal, &Subject::Cell { part: 0, cell: 0 }).is_err());
    assert!(up_to(&*game("mines", &[3]), &Ideal, 1).is_err());
}

#[test]
fn a_cell_that_several_draws_decide_is_refused() {
    let plinko = game("plinko", &[8, 1]);
    assert!(law(&*plinko, &Ideal, &Subject::Drawn { part: 0, cell: 0, draw: 1 }).is_err());
}
