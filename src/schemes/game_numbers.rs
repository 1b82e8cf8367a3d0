//! The numbers of games on chains: how many steps each hash is from the hash before the first game's.
//!
//! Many hashes of one chain cost one walk along it: a walk ends where an earlier one came by. Whoever writes a
//! log chooses its hashes, so that each walk has a limit, and what is kept of walks has one, too.

use std::collections::HashMap;

use super::chain::{Chain, Text};
use super::hash::Hash;
use crate::error::Result;
use crate::parallel::Tick;

/// Games that a chain has at most, whatever a log says.
const LONGEST: u64 = 100_000_000;
/// Hashes that are kept of a walk as long as the limit, about.
const KEPT_OF_A_WALK: u64 = 1 << 12;
/// Hashes that are kept of walks that lead nowhere, at most, and such walks.
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
    /// Hashes below this text are kept.
    kept_below: [u8; 8],
    /// The first one is the end's; the others end where the limit was.
    trails: Vec<Trail>,
    /// Hashes that are kept, and those that are asked for, which have no place yet.
    known: HashMap<Text, Option<Place>>,
    lost: usize,
    /// Steps that were taken so far.
    walked: u64,
}

impl GameNumbers {
    /// Of the chain that leads to `end`, from hash to hash; a walk takes at most `limit` steps.
    pub fn new(hash: Hash, end: Text, limit: u64) -> Self {
        let share = ((KEPT_OF_A_WALK << 32) / limit.max(1)).min(u64::from(u32::MAX));
        let mut made = Self {
            hash,
            limit,
            kept_below: format!("{share:08x}").into_bytes().try_into().expect("eight characters"),
            trails: vec![Trail { tip: end, reach: 0, joined: None }],
            known: HashMap::new(),
            lost: 0,
            walked: 0,
        };
        made.known.insert(end, Some(Place { trail: 0, at: 0 }));
        made
    }

    /// Says of each hash where it leads: in exactly as many steps as its number says, or, where that is 0, in
    /// at most as many as the limit.
    pub fn of(&mut self, asked: &[(Text, u64)], tick: Tick<'_>) -> Result<Vec<Reached>> {
        for (text, _) in asked {
            self.known.entry(*text).or_insert(None);
        }
        let found = asked.iter().map(|(text, number)| self.one(text, *number, tick)).collect();
        let end = self.trails[0].tip;
        let below = self.kept_below;
        self.known.retain(|text, place| place.is_some() && (text[..8] < below[..] || *text == end));
        found
    }

    fn one(&mut self, text: &Text, said: u64, tick: Tick<'_>) -> Result<Reached> {
        if said > self.limit.max(LONGEST) {
            return Ok(Reached::NotWithin);
        }
        let steps = if said == 0 { self.limit } else { said };
        if self.trails.len() > MOST_TRAILS || self.lost > MOST_LOST {
            self.forget();
        }
        let mut place = match self.known.get(text).copied().flatten() {
            Some(place) => self.resolved(place),
            None => {
                self.trails.push(Trail { tip: *text, reach: 0, joined: None });
                let place = Place { trail: self.trails.len() - 1, at: 0 };
                self.known.insert(*text, Some(place));
                place
            }
        };
        while place.trail != 0 && self.trails[place.trail].reach < place.at + steps as i64 {
            let left = place.at + steps as i64 - self.trails[place.trail].reach;
            self.go_on(place.trail, left as usize, tick)?;
            place = self.resolved(place);
        }
        let number = if place.trail == 0 { -place.at } else { -1 };
        Ok(match u64::try_from(number) {
            Ok(number) if number > 0 && (number == said || said == 0 && number <= steps) => {
                Reached::In(number)
            }
            Ok(number) if said == 0 && number > steps => Reached::NotWithin,
            Err(_) if said == 0 => Reached::NotWithin,
            _ => Reached::Elsewhere,
        })
    }

    /// Walks on from the tip of a trail: this number of steps, or until it leads into another one.
    fn go_on(&mut self, trail: usize, steps: usize, tick: Tick<'_>) -> Result<()> {
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
            let place = self.resolved(place);
            self.trails[trail].joined = Some(Place { at: place.at - at, ..place });
        }
        for (text, at) in passed {
            let place = self.resolved(Place { trail, at });
            self.lost += usize::from(place.trail != 0 && text[..8] < self.kept_below[..]);
            self.known.insert(text, Some(place));
        }
        Ok(())
    }

    /// The same place on the trail that others led into.
    fn resolved(&self, mut place: Place) -> Place {
        while let Some(on) = self.trails[place.trail].joined {
            place = Place { trail: on.trail, at: place.at + on.at };
        }
        place
    }

    /// Forgets walks that led nowhere.
    fn forget(&mut self) {
        let mut known = std::mem::take(&mut self.known);
        for place in known.values_mut() {
            *place = place.map(|place| self.resolved(place)).filter(|place| place.trail == 0);
        }
        known.retain(|text, place| place.is_some() || text[..8] >= self.kept_below[..]);
        self.known = known;
        self.trails.truncate(1);
        self.lost = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::super::hash::{Algorithm, Piece, Template};
    use super::*;
    use crate::parallel::no_tick;
    use crate::salted::seeds::hex_text;

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
                        .flat_map(|part| numbers.of(part, &mut no_tick).unwrap())
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
        let found = numbers.of(&asked, &mut no_tick).unwrap();
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
                numbers.of(part, &mut no_tick).unwrap();
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
        numbers.lost = MOST_LOST;
        let found = numbers.of(&asked, &mut no_tick).unwrap();
        let right = |(row, reached): (usize, &Reached)| match row {
            6 => *reached == Reached::In(50),
            250 => *reached == Reached::In(50),
            _ => *reached == Reached::NotWithin,
        };
        // The hash that begins the chain is among the others, as its secret's is.
        assert!(found.iter().enumerate().filter(|(row, _)| *row < 251).all(right));
        assert!(numbers.lost <= MOST_LOST);
    }
}
