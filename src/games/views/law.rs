//! Exact laws: a game is played on every answer of its draws, each with its exact weight.
//!
//! [`law`] walks depth first over scripts of answers: it plays the game on a script, which answers 0 beyond its end and
//! notes the first question there, and then tries all answers to that question. Three things keep the walk short. Only
//! the draws of the subject's part of the outcome are tried, since parts are independent. Neighboring answers with the
//! same outcome are weighed as one run. And a shuffle of which only hits in a set matter is one question, whose answers
//! are numbers of hits, weighed by [`shuffle_weights`].
//!
//! What an answer weighs is decided by [`Weigh`] alone: 1 in the ideal law, as many words as give it under a scheme.

use std::collections::{BTreeMap, HashMap};

use num_bigint::BigUint;

use crate::error::{Error, Result};
use crate::games::draw::{Draws, MAX_SHUFFLE, fisher_yates};
use crate::games::game::AnyGame;

/// The most plays of a game for one law.
const MAX_PLAYS: u64 = 1 << 26;
/// The most answers of one draw that are tried.
const MAX_ANSWERS: u64 = 1 << 24;

/// Weights of the answers of a draw.
pub trait Weigh {
    /// The weight of all `n` answers of `below(n)`.
    fn total(&self, n: u64) -> u128;

    /// The weight of the answers below `answer`.
    fn up_to(&self, n: u64, answer: u64) -> u128;
}

/// Numbers uniform on [0, 1): every answer weighs 1.
pub struct Ideal;

impl Weigh for Ideal {
    fn total(&self, n: u64) -> u128 {
        n.into()
    }

    fn up_to(&self, _n: u64, answer: u64) -> u128 {
        answer.into()
    }
}

/// The first of `0..n` where `turned` holds, `n` if there is none. Once it holds it must hold from there on.
pub(crate) fn first_where(n: u128, mut turned: impl FnMut(u64) -> bool) -> u128 {
    let (mut low, mut high) = (0, n);
    while low < high {
        let middle = low + (high - low) / 2;
        if turned(middle as u64) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// The subject of a law.
#[allow(missing_docs)] // the fields are explained with their variant
#[derive(Clone, Copy, Debug)]
pub enum Subject {
    /// The value of one cell of the outcome, decided by the draws of one part of it.
    Cell { part: usize, cell: usize },
    /// The same if a single draw of the part decides it.
    Drawn { part: usize, cell: usize, draw: usize },
    /// The number of cells of one part that hold a value in a set, whose bit `i` stands for the value `i`.
    Among { part: usize, values: u64 },
}

impl Subject {
    /// The part of the outcome.
    pub fn part(&self) -> usize {
        match *self {
            Subject::Cell { part, .. } | Subject::Drawn { part, .. } | Subject::Among { part, .. } => part,
        }
    }
}

/// Values in increasing order, with their weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Law {
    /// The possible values.
    pub values: Vec<i64>,
    /// The weight of each value.
    pub weights: Vec<BigUint>,
    /// The sum of the weights.
    pub total: BigUint,
}

/// The law of a subject.
pub fn law(game: &dyn AnyGame, weigh: &dyn Weigh, subject: &Subject) -> Result<Law> {
    let cells = game.form().cells();
    match *subject {
        Subject::Cell { cell, .. } | Subject::Drawn { cell, .. } if cell >= cells => {
            return Err(Error::value("cell", format_args!("must be below {cells}, got {cell}")));
        }
        _ => {}
    }
    let mut walk = AnswerWalk {
        game,
        weigh: CachedWeights { weigh, known: HashMap::new() },
        subject,
        // A cell no draw of the part has written keeps this value, which is in no set.
        cells: vec![-1; cells],
        plays: 0,
        law: BTreeMap::new(),
        total: None,
    };
    if let Subject::Drawn { draw, .. } = *subject {
        walk.check_that_one_draw_decides(draw)?;
    }
    walk.explore(&mut Vec::new(), &BigUint::from(1u32), &BigUint::from(1u32))?;
    let (values, weights) = walk.law.into_iter().unzip();
    Ok(Law { values, weights, total: walk.total.unwrap_or_default() })
}

/// Remembers the weights of draws with few answers.
struct CachedWeights<'a> {
    weigh: &'a dyn Weigh,
    known: HashMap<u64, Vec<u128>>,
}

impl CachedWeights<'_> {
    const MAX_SIZE: u64 = 1 << 10;

    /// The weight of the answers from `first` to before `end`.
    fn between(&mut self, n: u64, first: u64, end: u64) -> u128 {
        if n > Self::MAX_SIZE {
            return self.weigh.up_to(n, end) - self.weigh.up_to(n, first);
        }
        let up_to = self.known.entry(n).or_insert_with(|| (0..=n).map(|i| self.weigh.up_to(n, i)).collect());
        up_to[end as usize] - up_to[first as usize]
    }
}

/// A question of the game with several answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    /// `below(n)`; the answer is the draw.
    Below(u64),
    /// A shuffle of which only the number of elements in the subject's set matters; the answer is that number.
    Shuffle { n: usize, taken: usize },
}

/// Answers the questions of one part of the outcome by a script.
struct Scripted<'a> {
    subject: &'a Subject,
    script: &'a [u64],
    in_part: bool,
    /// The number of draws of the part so far.
    drawn: usize,
    /// The number of questions answered.
    answered: usize,
    /// The first question after the end of the script; it and all further ones are answered with 0.
    next: Option<Question>,
}

impl<'a> Scripted<'a> {
    fn new(subject: &'a Subject, script: &'a [u64]) -> Self {
        // Where a game names no parts, all of the outcome is part 0.
        Self { subject, script, in_part: subject.part() == 0, drawn: 0, answered: 0, next: None }
    }

    fn answer(&mut self, question: Question) -> u64 {
        let answer = self.script.get(self.answered).copied().unwrap_or_else(|| {
            self.next.get_or_insert(question);
            0
        });
        self.answered += 1;
        answer
    }
}

impl Draws for Scripted<'_> {
    fn below(&mut self, n: u64) -> u64 {
        if !self.in_part {
            return 0;
        }
        self.drawn += 1;
        match *self.subject {
            Subject::Drawn { draw, .. } if self.drawn - 1 != draw => 0,
            _ => self.answer(Question::Below(n)),
        }
    }

    fn skip(&mut self, _count: usize) {}

    fn shuffle(&mut self, n: usize, taken: &mut [i64]) {
        let Subject::Among { values, .. } = *self.subject else {
            return fisher_yates(self, n, taken);
        };
        if !self.in_part {
            return taken.fill(-1);
        }
        // Any elements will do, with the right number of them in the set.
        let inside = self.answer(Question::Shuffle { n, taken: taken.len() }) as usize;
        let of = |wanted: bool| (0..n as i64).filter(move |&i| (values >> i & 1 == 1) == wanted);
        let outside = taken.len() - inside.min(taken.len());
        let chosen = of(true).take(inside).chain(of(false).take(outside));
        for (cell, element) in taken.iter_mut().zip(chosen.chain(std::iter::repeat(-1))) {
            *cell = element;
        }
    }

    fn part(&mut self, _name: &'static str, index: usize, _draws: &'static str) {
        self.in_part = index == self.subject.part();
    }
}

/// A walk over all answers.
struct AnswerWalk<'a> {
    game: &'a dyn AnyGame,
    weigh: CachedWeights<'a>,
    subject: &'a Subject,
    cells: Vec<i64>,
    plays: u64,
    law: BTreeMap<i64, BigUint>,
    total: Option<BigUint>,
}

impl AnswerWalk<'_> {
    /// Plays the game on a script: the subject's value, and the first question beyond the script.
    fn play(&mut self, script: &[u64]) -> Result<(i64, Option<Question>)> {
        self.plays += 1;
        if self.plays > MAX_PLAYS {
            return Err(too_large());
        }
        let mut draws = Scripted::new(self.subject, script);
        self.cells.fill(-1);
        self.game.answer(&mut draws, &mut self.cells);
        let value = match *self.subject {
            Subject::Cell { cell, .. } | Subject::Drawn { cell, .. } => self.cells[cell],
            Subject::Among { values, .. } => {
                self.cells.iter().filter(|&&cell| (0..64).contains(&cell) && values >> cell & 1 == 1).count()
                    as i64
            }
        };
        Ok((value, draws.next))
    }

    /// Adds the values of all continuations of `script`, whose weight out of the total is given.
    fn explore(&mut self, script: &mut Vec<u64>, weight: &BigUint, total: &BigUint) -> Result<()> {
        match self.play(script)? {
            (value, None) => self.add(value, weight, total),
            (_, Some(Question::Below(n))) => self.explore_below(n, script, weight, total),
            (_, Some(Question::Shuffle { n, taken })) => {
                let Subject::Among { values, .. } = *self.subject else {
                    unreachable!("other subjects make single draws of a shuffle");
                };
                let total = total * (0..taken).map(|step| self.all(n - step)).product::<BigUint>();
                for (inside, ways) in
                    shuffle_weights(&mut self.weigh, n, taken, values).into_iter().enumerate()
                {
                    if ways != BigUint::ZERO {
                        script.push(inside as u64);
                        self.explore(script, &(weight * ways), &total)?;
                        script.pop();
                    }
                }
                Ok(())
            }
        }
    }

    /// Weighs neighboring answers as one if they end the round with the same value.
    fn explore_below(
        &mut self,
        n: u64,
        script: &mut Vec<u64>,
        weight: &BigUint,
        total: &BigUint,
    ) -> Result<()> {
        if n > MAX_ANSWERS {
            return Err(too_large());
        }
        let total = total * self.all(n as usize);
        let mut run: Option<(i64, u64)> = None;
        for answer in 0..=n {
            let mut value = None;
            if answer < n {
                script.push(answer);
                match self.play(script)? {
                    (found, None) => value = Some(found),
                    _ => {
                        let weight = weight * self.weigh.between(n, answer, answer + 1);
                        self.explore(script, &weight, &total)?;
                    }
                }
                script.pop();
            }
            if run.map(|(value, _)| value) != value {
                if let Some((value, first)) = run {
                    let weight = weight * self.weigh.between(n, first, answer);
                    self.add(value, &weight, &total)?;
                }
                run = value.map(|value| (value, answer));
            }
        }
        Ok(())
    }

    fn add(&mut self, value: i64, weight: &BigUint, total: &BigUint) -> Result<()> {
        if self.total.get_or_insert_with(|| total.clone()) != total {
            return Err(Error::value("game", "must draw from the same ranges whatever is drawn"));
        }
        *self.law.entry(value).or_default() += weight;
        Ok(())
    }

    fn all(&self, n: usize) -> BigUint {
        self.weigh.weigh.total(n as u64).into()
    }

    /// Refuses a cell that some other draw of the part changes, whatever the draw in question is.
    fn check_that_one_draw_decides(&mut self, draw: usize) -> Result<()> {
        let Subject::Drawn { part, cell, .. } = *self.subject else {
            return Ok(());
        };
        let mut ranges = Forced::new(Some(part), &[]);
        self.game.answer(&mut ranges, &mut self.cells);
        let asked = ranges.asked;
        if draw >= asked.len() {
            return Err(Error::value("draw", format_args!("must be below {}, got {draw}", asked.len())));
        }
        if asked.iter().any(|&n| n > CachedWeights::MAX_SIZE) {
            return Err(too_large());
        }
        let mut cells = self.cells.clone();
        for answer in 0..asked[draw] {
            let mut seen = None;
            for other in (0..asked.len()).filter(|&other| other != draw) {
                for value in 0..asked[other] {
                    let answers = [(draw, answer), (other, value)];
                    self.game.answer(&mut Forced::new(Some(part), &answers), &mut cells);
                    if *seen.get_or_insert(cells[cell]) != cells[cell] {
                        return Err(Error::value("draw", "must decide the cell alone"));
                    }
                }
            }
        }
        Ok(())
    }
}

/// For a game of a single number, whose outcome grows with its draw: the weight of the outcomes up to `value`,
/// and the total weight. A large game takes no longer than a small one.
pub fn up_to(game: &dyn AnyGame, weigh: &dyn Weigh, value: i64) -> Result<(u128, u128)> {
    let n = range_of_the_only_draw(game)?;
    let mut cells = vec![0; game.form().cells()];
    let steps = first_where(n.into(), |step| {
        game.answer(&mut Forced::new(None, &[(0, step)]), &mut cells);
        cells[0] > value
    });
    Ok((weigh.up_to(n, steps as u64), weigh.total(n)))
}

/// For a game of a single number: the outcome of each draw, and the value that was noted last.
pub fn steps(game: &dyn AnyGame) -> Result<(Vec<i64>, Vec<f64>)> {
    let n = range_of_the_only_draw(game)?;
    if n > MAX_ANSWERS {
        return Err(too_large());
    }
    let mut cells = vec![0; game.form().cells()];
    let step = |step| {
        let answers = [(0, step)];
        let mut draws = Forced::new(None, &answers);
        game.answer(&mut draws, &mut cells);
        (cells[0], draws.noted)
    };
    Ok((0..n).map(step).unzip())
}

/// All possible values of a game of a single number, in increasing order.
pub fn support(game: &dyn AnyGame) -> Result<Vec<i64>> {
    let form = game.form();
    if !form.sparse {
        return Ok((form.least..=form.most).collect());
    }
    let (mut values, _) = steps(game)?;
    values.sort_unstable();
    values.dedup();
    Ok(values)
}

/// The range of a game's only draw.
fn range_of_the_only_draw(game: &dyn AnyGame) -> Result<u64> {
    let mut draws = Forced::new(None, &[]);
    game.answer(&mut draws, &mut vec![0; game.form().cells()]);
    match draws.asked[..] {
        [n] => Ok(n),
        _ => Err(Error::value("game", "must draw a single number to list its outcomes")),
    }
}

fn too_large() -> Error {
    Error::value("game", format_args!("must have at most {MAX_ANSWERS} outcomes to list all of them"))
}

/// Answers single draws of one part, or of all, as given and the others with 0.
struct Forced<'a> {
    part: Option<usize>,
    in_part: bool,
    /// The numbers of draws, and their answers.
    answers: &'a [(usize, u64)],
    /// The ranges `n` that were asked for, in order.
    asked: Vec<u64>,
    /// The value that was noted last; 0 without one.
    noted: f64,
}

impl<'a> Forced<'a> {
    fn new(part: Option<usize>, answers: &'a [(usize, u64)]) -> Self {
        // Where a game names no parts, all of the outcome is part 0.
        Self { part, in_part: part.is_none_or(|part| part == 0), answers, asked: Vec::new(), noted: 0.0 }
    }
}

impl Draws for Forced<'_> {
    fn below(&mut self, n: u64) -> u64 {
        if !self.in_part {
            return 0;
        }
        self.asked.push(n);
        let number = self.asked.len() - 1;
        self.answers.iter().find(|(draw, _)| *draw == number).map_or(0, |&(_, answer)| answer)
    }

    fn skip(&mut self, _count: usize) {}

    fn part(&mut self, _name: &'static str, index: usize, _draws: &'static str) {
        self.in_part = self.part.is_none_or(|part| part == index);
    }

    fn note(&mut self, _formula: &'static str, value: f64) {
        self.noted = value;
    }
}

/// The weights of shuffles of `0..n` by the number of elements of a set among the first `taken`.
///
/// Fisher-Yates takes elements by their place among those left, and as drawn places don't weigh the same. But only the
/// places of the set's elements matter. So a state is a bit string, one bit per element left, and all orders that lead
/// to the same state are merged.
fn shuffle_weights(weigh: &mut CachedWeights<'_>, n: usize, taken: usize, set: u64) -> Vec<BigUint> {
    debug_assert!(n <= MAX_SHUFFLE);
    let set = if n < 64 { set & ((1 << n) - 1) } else { set };
    let mut states = HashMap::from([(set, BigUint::from(1u32))]);
    for step in 0..taken {
        let left = (n - step) as u64;
        let mut next: HashMap<u64, BigUint> = HashMap::with_capacity(states.len() * 2);
        for (state, weight) in states {
            let mut first = 0;
            while first < left {
                // Taking any of a run of equal bits leads to the same state.
                let rest = state >> first;
                let run = if rest & 1 == 1 { rest.trailing_ones() } else { rest.trailing_zeros() };
                let end = (first + u64::from(run)).min(left);
                let below = (1u64 << first) - 1;
                let remaining = (state & below) | (state >> 1 & !below);
                *next.entry(remaining).or_default() += &weight * weigh.between(left, first, end);
                first = end;
            }
        }
        states = next;
    }
    let mut ways = vec![BigUint::ZERO; taken + 1];
    for (state, weight) in states {
        ways[(set.count_ones() - state.count_ones()) as usize] += weight;
    }
    ways
}
