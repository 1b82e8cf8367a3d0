//! Game numbers on chains: the number of steps from a hash to the hash before the first game's.
//!
//! Many hashes of one chain cost a single walk along it, since a walk ends as soon as it meets an earlier one. The
//! hashes come from a log whose author may be hostile, so the length of a walk, the memory of walks and the steps of
//! all walks together (the budget) are bounded.
//!
//! The walks are those of distinguished points (van Oorschot and Wiener, Parallel Collision Search, 1999): of the
//! hashes passed, only those below a bound are remembered, one in `SPACING`. Walks that meet are joined like the
//! sets of union-find, with the distance along each link.
//!
//! The budget must not depend on the order of rows: hashes that belong to no chain must not use it up before the
//! real games are reached. So each hash first gets `FREE` steps that don't count. These lead games near a known
//! one to a remembered hash, and games near each other onto one trail. The budget is then spent on trails in the
//! order of how many hashes are on them: hashes of foreign chains, each on a trail of its own, come last.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::chain::{Chain, HexHash};
use super::hash::Hash;
use crate::error::Result;
use crate::parallel::Tick;

/// The maximum number of games of a chain, whatever a log claims.
const LONGEST: u64 = 100_000_000;
/// The average number of steps between two remembered hashes of the chain.
const SPACING: u64 = 128;
/// Steps per hash that don't count toward the budget. The probability that none of them meets a remembered hash is
/// e^-12.
const FREE: u64 = 12 * SPACING;
/// The approximate number of hashes remembered of a failed walk as long as the limit.
const KEPT_OF_A_WALK: u64 = 1 << 12;
/// Limits on the hashes remembered of failed walks, and on trails, between two calls.
const MOST_LOST: usize = 1 << 18;
const MOST_TRAILS: usize = 1 << 16;

/// The outcome of following a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// The end is this many steps away.
    In(u64),
    /// The end isn't at the claimed number of steps.
    Elsewhere,
    /// The end isn't within the limit.
    NotWithin,
    /// The budget ran out before the limit or the claimed number of steps.
    NotWalked,
}

/// A position on a trail, increasing toward the end of the chain.
#[derive(Clone, Copy, Debug)]
struct Place {
    trail: usize,
    at: i64,
}

/// A walk and how far it has come.
#[derive(Debug)]
struct Trail {
    tip: HexHash,
    /// The position of the tip.
    reach: i64,
    /// The position of this trail's 0 on the trail that it joined.
    joined: Option<Place>,
}

/// Game numbers of the chain that leads to one end.
pub struct GameNumbers {
    hash: Hash,
    limit: u64,
    /// Hashes of the chain below this text are remembered.
    kept_below: [u8; 8],
    /// Hashes of failed walks below this text are remembered.
    kept_of_lost: [u8; 8],
    /// Trail 0 is the end's; the others stopped at the limit or for lack of budget.
    trails: Vec<Trail>,
    /// Remembered hashes with their positions, and requested ones, which have none until they are walked.
    known: HashMap<HexHash, Option<Place>>,
    lost: usize,
    has_games: bool,
    /// The number of steps taken so far.
    walked: u64,
}

impl GameNumbers {
    /// The chain of `hash` that leads to `end`; a walk takes at most `limit` steps.
    pub fn new(hash: Hash, end: HexHash, limit: u64) -> Self {
        Self {
            hash,
            limit,
            kept_below: one_in(SPACING),
            kept_of_lost: one_in(SPACING.max(limit / KEPT_OF_A_WALK)),
            trails: vec![Trail { tip: end, reach: 0, joined: None }],
            known: HashMap::from([(end, Some(Place { trail: 0, at: 0 }))]),
            lost: 0,
            has_games: false,
            walked: 0,
        }
    }

    /// Whether any hash has led to the end.
    pub const fn has_games(&self) -> bool {
        self.has_games
    }

    /// Follows each hash to the end: for exactly as many steps as the number beside it, or, if that is 0, for at
    /// most the limit. Steps beyond the free ones are subtracted from the budget.
    pub fn of(&mut self, asked: &[(HexHash, u64)], budget: &mut u64, tick: Tick<'_>) -> Result<Vec<Reached>> {
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

    fn walk_all(&mut self, asked: &[(HexHash, u64)], budget: &mut u64, tick: Tick<'_>) -> Result<()> {
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

    /// The maximum number of steps for a claimed number, or for none (0); 0 if the claim is absurd.
    fn steps(&self, said: u64) -> u64 {
        match said {
            0 => self.limit,
            _ if said > self.limit.max(LONGEST) => 0,
            _ => said,
        }
    }

    /// Walks up to `steps` steps from a hash, until the end is reached or the budget is spent.
    fn walk(&mut self, text: &HexHash, steps: u64, budget: &mut u64, tick: Tick<'_>) -> Result<()> {
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
            let done = self.go_on(place.trail, allowed, tick)?;
            *budget -= done.saturating_sub(free);
            place = resolved(&mut self.trails, place);
        }
        Ok(())
    }

    /// The outcome for a hash, given the walks so far.
    fn reached(&mut self, text: &HexHash, said: u64) -> Reached {
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

    /// The position of a hash: on a new trail, unless some walk has passed it.
    fn place(&mut self, text: &HexHash) -> Place {
        if let Some(place) = self.known.get(text).copied().flatten() {
            return resolved(&mut self.trails, place);
        }
        self.trails.push(Trail { tip: *text, reach: 0, joined: None });
        let place = Place { trail: self.trails.len() - 1, at: 0 };
        self.known.insert(*text, Some(place));
        place
    }

    /// Extends a trail by `steps` steps, or until it meets another one. Returns the number of steps taken.
    fn go_on(&mut self, trail: usize, steps: u64, tick: Tick<'_>) -> Result<u64> {
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
        self.walked += done;
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
            // A short walk may later prove to be on the chain; all hashes of long ones would fill the memory.
            if place.trail == 0 || lost || done <= FREE || self.known.contains_key(&text) {
                self.known.insert(text, Some(place));
            }
        }
        Ok(done)
    }

    /// Forgets failed walks.
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

/// The text that one hash in `spacing` is below, comparing its first eight characters.
fn one_in(spacing: u64) -> [u8; 8] {
    let share = (1_u64 << 32) / spacing;
    format!("{share:08x}").into_bytes().try_into().expect("eight characters")
}

/// Follows joined trails to the last one, like find in union-find; paths are halved on the way.
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
    use crate::parallel::no_tick;
    use crate::schemes::salted::seeds::hex_text;

    const PLENTY: u64 = u64::MAX;

    fn hash() -> Hash {
        Hash { algorithm: Algorithm::Sha256, message: Template(vec![Piece::Field(0)]), key: None }
    }

    /// A chain's hashes: the end, then those of its games.
    fn chain(secret: u8, games: usize) -> Vec<HexHash> {
        let mut hashes = vec![hex_text(&[secret; 32])];
        for _ in 0..games {
            let last: &HexHash = hashes.last().unwrap();
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
        let walked = |end: HexHash, asked: &[(HexHash, u64)]| {
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
            // A mistyped end: all rows together cost little more than one.
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
        // Rows 6 and 250 are the hash that begins the chain; its secret comes again after row 250.
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
            // Without a budget as well, if earlier games are known.
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
