//! The numbers of games on chains: how many steps each hash is from the hash before the first game's.
//!
//! Many hashes of one chain cost one walk along it: a walk ends where an earlier one came by. Whoever writes a
//! log chooses its hashes, so that each walk has a limit, what is kept of walks has one, and all walks together
//! have a budget.
//!
//! The budget must not decide about games that are on the chain because others stand before them. Each hash is
//! first followed for some steps that cost nothing. They lead a game among those that are known to one that is
//! kept, and games near each other onto one trail. Only then the budget is spent, first on the trail that most
//! hashes are on: those of other chains, each on a trail of its own, come last, wherever their rows stand.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::chain::{Chain, Text};
use super::hash::Hash;
use crate::error::Result;
use crate::parallel::Tick;

/// Games that a chain has at most, whatever a log says.
const LONGEST: u64 = 100_000_000;
/// Steps from one hash that is kept of the chain to the next, on average.
const SPACING: u64 = 128;
/// Steps from each hash that cost nothing: no hash is kept among them with a probability of e^-12.
const FREE: u64 = 12 * SPACING;
/// Hashes that are kept of a walk as long as the limit that leads nowhere, about.
const KEPT_OF_A_WALK: u64 = 1 << 12;
/// Hashes that are kept of walks that lead nowhere, at most, and such walks, from one call to the next.
const MOST_LOST: usize = 1 << 18;
const MOST_TRAILS: usize = 1 << 16;

/// What is known of a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// This number of steps leads from it to the end.
    In(u64),
    /// The number of steps that was said doesn't lead there.
    Elsewhere,
    /// The end isn't reached within the limit.
    NotWithin,
    /// The end isn't reached in the steps that the budget allowed, which are fewer.
    NotWalked,
}

/// A place on a trail. Steps toward the end add up.
#[derive(Clone, Copy, Debug)]
struct Place {
    trail: usize,
    at: i64,
}

/// Where a walk has come to.
#[derive(Debug)]
struct Trail {
    tip: Text,
    /// The place of the tip.
    reach: i64,
    /// Where its place 0 is on the trail that it led into.
    joined: Option<Place>,
}

/// The chain to one end.
pub struct GameNumbers {
    hash: Hash,
    limit: u64,
    /// Hashes below this text are kept of the chain.
    kept_below: [u8; 8],
    /// Hashes below this text are kept of walks that lead nowhere.
    kept_of_lost: [u8; 8],
    /// The first one is the end's; the others end where the limit was, or the budget.
    trails: Vec<Trail>,
    /// Hashes that are kept, and those that are asked for, which have no place yet.
    known: HashMap<Text, Option<Place>>,
    lost: usize,
    has_games: bool,
    /// Steps that were taken so far.
    walked: u64,
}

impl GameNumbers {
    /// Of the chain that leads to `end`, from hash to hash; a walk takes at most `limit` steps.
    pub fn new(hash: Hash, end: Text, limit: u64) -> Self {
        let mut made = Self {
            hash,
            limit,
            kept_below: one_in(SPACING),
            kept_of_lost: one_in(SPACING.max(limit / KEPT_OF_A_WALK)),
            trails: vec![Trail { tip: end, reach: 0, joined: None }],
            known: HashMap::new(),
            lost: 0,
            has_games: false,
            walked: 0,
        };
        made.known.insert(end, Some(Place { trail: 0, at: 0 }));
        made
    }

    /// Whether some hash led to the end.
    pub const fn has_games(&self) -> bool {
        self.has_games
    }

    /// Says of each hash where it leads: in exactly as many steps as its number says, or, where that is 0, in
    /// at most as many as the limit. Steps beyond those that cost nothing are taken off the budget.
    pub fn of(&mut self, asked: &[(Text, u64)], budget: &mut u64, tick: Tick<'_>) -> Result<Vec<Reached>> {
        if self.trails.len() > MOST_TRAILS || self.lost > MOST_LOST {
            self.forget();
        }
        for (text, _) in asked {
            self.known.entry(*text).or_insert(None);
        }
        let walked = self.walk_all(asked, budget, tick);
        let found =
            walked.map(|()| asked.iter().map(|(text, said)| self.reached(text, *said)).collect::<Vec<_>>());
        let is_game = |reached: &Reached| matches!(reached, Reached::In(_));
        self.has_games |= found.as_ref().is_ok_and(|found| found.iter().any(is_game));
        let (end, trails) = (self.trails[0].tip, &mut self.trails);
        let (below, of_lost) = (self.kept_below, self.kept_of_lost);
        self.known.retain(|text, place| {
            let trail = place.map(|place| resolved(trails, place).trail);
            trail.is_some_and(|on| *text == end || text[..8] < if on == 0 { below } else { of_lost }[..])
        });
        found
    }

    fn walk_all(&mut self, asked: &[(Text, u64)], budget: &mut u64, tick: Tick<'_>) -> Result<()> {
        for (text, said) in asked {
            if self.known[text].is_none() {
                self.walk(text, self.steps(*said).min(FREE), &mut 0, tick)?;
            }
        }
        let on: Vec<usize> = asked.iter().map(|(text, _)| self.place(text).trail).collect();
        let mut crowds: HashMap<usize, usize> = HashMap::new();
        for trail in &on {
            *crowds.entry(*trail).or_default() += 1;
        }
        let mut order: Vec<usize> = (0..asked.len()).filter(|&row| on[row] != 0).collect();
        order.sort_by_key(|&row| Reverse(crowds[&on[row]]));
        for (text, said) in order.into_iter().map(|row| &asked[row]) {
            self.walk(text, self.steps(*said), budget, tick)?;
        }
        Ok(())
    }

    /// The most steps from a hash whose number is said to be this one; 0 where that isn't said.
    fn steps(&self, said: u64) -> u64 {
        match said {
            0 => self.limit,
            _ if said > self.limit.max(LONGEST) => 0,
            _ => said,
        }
    }

    /// Walks this number of steps from a hash, until that leads to the end or the budget is spent.
    fn walk(&mut self, text: &Text, steps: u64, budget: &mut u64, tick: Tick<'_>) -> Result<()> {
        let mut place = self.place(text);
        while place.trail != 0 {
            let left = |steps: u64| {
                let from = self.trails[place.trail].reach - place.at;
                steps.saturating_sub(from as u64)
            };
            let free = left(FREE);
            let allowed = left(steps).min(free.saturating_add(*budget));
            if allowed == 0 {
                break;
            }
            let done = self.go_on(place.trail, allowed as usize, tick)? as u64;
            *budget -= done.saturating_sub(free);
            place = resolved(&mut self.trails, place);
        }
        Ok(())
    }

    /// What the walks so far show of a hash.
    fn reached(&mut self, text: &Text, said: u64) -> Reached {
        let (place, steps) = (self.place(text), self.steps(said));
        if place.trail == 0 {
            let number = place.at.unsigned_abs();
            return match said {
                0 if number > steps => Reached::NotWithin,
                _ if number > 0 && (said == 0 || number == said) => Reached::In(number),
                _ if said > 0 && steps == 0 => Reached::NotWithin,
                _ => Reached::Elsewhere,
            };
        }
        match said {
            _ if self.trails[place.trail].reach < place.at + steps as i64 => Reached::NotWalked,
            _ if said == 0 || steps == 0 => Reached::NotWithin,
            _ => Reached::Elsewhere,
        }
    }

    /// Where a hash is: on a trail of its own, unless another one came by.
    fn place(&mut self, text: &Text) -> Place {
        if let Some(place) = self.known.get(text).copied().flatten() {
            return resolved(&mut self.trails, place);
        }
        self.trails.push(Trail { tip: *text, reach: 0, joined: None });
        let place = Place { trail: self.trails.len() - 1, at: 0 };
        self.known.insert(*text, Some(place));
        place
    }

    /// Walks on from the tip of a trail: this number of steps, or until it leads into another one; returns how
    /// many it took.
    fn go_on(&mut self, trail: usize, steps: usize, tick: Tick<'_>) -> Result<usize> {
        let Trail { mut tip, reach, .. } = self.trails[trail];
        let (mut at, mut passed, mut met) = (reach, Vec::new(), None);
        let before = self.walked;
        let mut counted = |done| tick(before + done);
        let done = Chain::new(&self.hash).walk(&tip.clone(), steps, &mut counted, |text| {
            at += 1;
            tip = text.try_into().expect("of SHA-256");
            match self.known.get(&tip) {
                Some(Some(place)) => met = Some(*place),
                Some(None) => passed.push((tip, at)),
                None if text[..8] < self.kept_below[..] => passed.push((tip, at)),
                None => {}
            }
            met.is_none()
        })?;
        self.walked += done as u64;
        self.trails[trail].tip = tip;
        self.trails[trail].reach = at;
        if let Some(place) = met {
            let place = resolved(&mut self.trails, place);
            self.trails[trail].joined = Some(Place { at: place.at - at, ..place });
        }
        for (text, at) in passed {
            let place = resolved(&mut self.trails, Place { trail, at });
            let lost = place.trail != 0 && text[..8] < self.kept_of_lost[..];
            self.lost += usize::from(lost);
            // Short walks may turn out to be of the chain later; long ones would fill the memory.
            if place.trail == 0 || lost || done as u64 <= FREE || self.known.contains_key(&text) {
                self.known.insert(text, Some(place));
            }
        }
        Ok(done)
    }

    /// Forgets walks that led nowhere.
    fn forget(&mut self) {
        let trails = &mut self.trails;
        self.known.retain(|_, place| {
            *place = place.map(|place| resolved(trails, place)).filter(|place| place.trail == 0);
            place.is_some()
        });
        self.trails.truncate(1);
        self.lost = 0;
    }
}

/// The text below which one hash in this number is, by its first eight characters.
fn one_in(spacing: u64) -> [u8; 8] {
    let share = (1_u64 << 32) / spacing;
    format!("{share:08x}").into_bytes().try_into().expect("eight characters")
}

/// The same place on the trail that others led into; the way there is halved for the next time.
fn resolved(trails: &mut [Trail], mut place: Place) -> Place {
    while let Some(mut on) = trails[place.trail].joined {
        if let Some(next) = trails[on.trail].joined {
            on = Place { trail: next.trail, at: on.at + next.at };
            trails[place.trail].joined = Some(on);
        }
        place = Place { trail: on.trail, at: place.at + on.at };
    }
    place
}

#[cfg(test)]
mod tests {
    use super::super::hash::{Algorithm, Piece, Template};
    use super::*;
    use crate::games::seeds::hex_text;
    use crate::parallel::no_tick;

    const PLENTY: u64 = u64::MAX;

    fn hash() -> Hash {
        Hash { algorithm: Algorithm::Sha256, message: Template(vec![Piece::Field(0)]), key: None }
    }

    /// A chain's hashes: the end, and those of its games.
    fn chain(secret: u8, games: usize) -> Vec<Text> {
        let mut hashes = vec![hex_text(&[secret; 32])];
        for _ in 0..games {
            let last: &Text = hashes.last().unwrap();
            let digest = Algorithm::Sha256.digest(last);
            hashes.push(hex_text(digest.bytes().try_into().unwrap()));
        }
        hashes.reverse();
        hashes
    }

    #[test]
    fn numbers_are_the_same_however_hashes_are_asked_for() {
        let (hashes, other) = (chain(1, 3000), chain(2, 2000));
        let mut asked: Vec<(usize, bool)> = (0..600).map(|n| (n * 7919 % 3000, n % 10 != 3)).collect();
        asked.extend([(0, true), (1, true), (0, false), (1999, false)]);
        for limit in [0, 1, 500, 2000, 5000] {
            let expected: Vec<Reached> = asked
                .iter()
                .map(|&(n, ours)| match n as u64 {
                    0 if ours => Reached::Elsewhere,
                    n if ours && n <= limit => Reached::In(n),
                    _ => Reached::NotWithin,
                })
                .collect();
            for parts in [1, 2, 7, 100, 604] {
                for backward in [false, true] {
                    let mut asked: Vec<_> = asked
                        .iter()
                        .map(|&(n, ours)| (if ours { hashes[n] } else { other[n % 2000] }, 0))
                        .collect();
                    let mut expected = expected.clone();
                    if backward {
                        asked.reverse();
                        expected.reverse();
                    }
                    let mut numbers = GameNumbers::new(hash(), hashes[0], limit);
                    let found: Vec<_> = asked
                        .chunks(parts)
                        .flat_map(|part| numbers.of(part, &mut { PLENTY }, &mut no_tick).unwrap())
                        .collect();
                    assert_eq!(found, expected, "{limit} {parts} {backward}");
                }
            }
        }
    }

    #[test]
    fn numbers_that_are_said_are_exact_and_pass_the_limit() {
        let (hashes, other) = (chain(3, 300), chain(4, 300));
        let mut numbers = GameNumbers::new(hash(), hashes[0], 10);
        let asked = [
            (hashes[200], 200),
            (hashes[200], 199),
            (hashes[200], 201),
            (other[100], 100),
            (other[150], 150),
            (hashes[0], 1),
            (hashes[150], 0),
            (hashes[9], 0),
            (hashes[300], LONGEST + 1),
        ];
        let found = numbers.of(&asked, &mut { PLENTY }, &mut no_tick).unwrap();
        let no = Reached::Elsewhere;
        let (far, near) = (Reached::NotWithin, Reached::In(9));
        assert_eq!(found, [Reached::In(200), no, no, no, no, no, far, near, far]);
    }

    #[test]
    fn many_hashes_cost_one_walk() {
        let hashes = chain(5, 200_000);
        let walked = |end: Text, asked: &[(Text, u64)]| {
            let mut numbers = GameNumbers::new(hash(), end, 400_000);
            for part in asked.chunks(1000) {
                numbers.of(part, &mut { PLENTY }, &mut no_tick).unwrap();
            }
            numbers.walked
        };
        let rows: Vec<_> = hashes[150_000..155_000].iter().map(|text| (*text, 0)).collect();
        let backward: Vec<_> = rows.iter().rev().copied().collect();
        for asked in [&rows, &backward] {
            assert!(walked(hashes[0], asked) < 160_000);
            // An end that is mistyped: all rows together cost little more than one of them.
            assert!(walked([b'a'; 64], asked) < 410_000);
        }
    }

    #[test]
    fn walks_that_lead_nowhere_are_forgotten() {
        let hashes = chain(6, 50);
        let mut numbers = GameNumbers::new(hash(), hashes[0], 60);
        let mut asked: Vec<_> = (0..300).map(|n: usize| (chain((n % 256) as u8, 0)[0], 0)).collect();
        asked.insert(250, (hashes[50], 0));
        let before = numbers.of(&asked, &mut { PLENTY }, &mut no_tick).unwrap();
        numbers.lost = MOST_LOST + 1;
        let found = numbers.of(&asked, &mut { PLENTY }, &mut no_tick).unwrap();
        assert_eq!(before, found);
        let right = |(row, reached): (usize, &Reached)| match row {
            6 => *reached == Reached::In(50),
            250 => *reached == Reached::In(50),
            _ => *reached == Reached::NotWithin,
        };
        // The hash that begins the chain is among the others, as its secret's is.
        assert!(found.iter().enumerate().filter(|(row, _)| *row < 251).all(right));
        assert!(numbers.lost <= MOST_LOST);
    }

    #[test]
    fn games_of_a_chain_are_found_however_many_others_there_are() {
        let hashes = chain(7, 60_000);
        let others: Vec<_> = (0..200).map(|n| (chain(n + 8, 0)[0], 0)).collect();
        let games = |from: usize| (from..from + 50).map(|n| (hashes[n], 0)).collect::<Vec<_>>();
        let (steps, spent) = (100_000, 3 * 100_000);
        for first in [true, false] {
            let mut numbers = GameNumbers::new(hash(), hashes[0], steps);
            let mut budget = spent;
            let (before, after) = if first { (&others[..], &[][..]) } else { (&[][..], &others[..]) };
            let asked = [before, &games(59_000), after].concat();
            let found = numbers.of(&asked, &mut budget, &mut no_tick).unwrap();
            assert_eq!(budget, 0);
            assert!(numbers.walked <= spent + asked.len() as u64 * FREE);
            let shown: Vec<_> = (59_000..59_050).map(Reached::In).collect();
            let from = before.len();
            assert_eq!(found[from..from + 50], shown);
            let count = |of| found.iter().filter(|&&reached| reached == of).count();
            assert_eq!((count(Reached::NotWithin), count(Reached::NotWalked)), (2, 198));
            // Without a budget, too, where games before them are known.
            for from in (0..59_000).step_by(1000) {
                let found = numbers.of(&games(from + 1), &mut budget, &mut no_tick).unwrap();
                assert!(
                    found.iter().eq((from as u64 + 1..).take(50).map(Reached::In).collect::<Vec<_>>().iter())
                );
            }
            let said = [(hashes[59_600], 59_600), (others[150].0, 59_600), (hashes[59_600], 59_601)];
            let no = Reached::Elsewhere;
            assert_eq!(
                numbers.of(&said, &mut budget, &mut no_tick).unwrap(),
                [Reached::In(59_600), Reached::NotWalked, no]
            );
        }
    }
}
