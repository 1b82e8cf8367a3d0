//! Search for a window of rows on the whole chain, by a simplified model that has holes and misread rows alone: all
//! rows of the window at all places. The rows of a place are contiguous, so that the compiler vectorizes the loop.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::Result;
use crate::parallel::{self, Tick};

/// A place where a window may lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The likelihood ratio of the best alignment that ends here.
    pub ratio: f32,
    /// The row of the window and the place at which it ends.
    pub row: usize,
    /// The place at which the row lies.
    pub place: usize,
}

// No hole, short holes and long ones: a generic guess.
const NONE: f32 = 0.6;
const SHORT: f32 = 0.09;
const SHORT_AGAIN: f32 = 0.75;
const LONG: f32 = 0.0008;
const LONG_AGAIN: f32 = 0.98;
const MISREAD: f32 = 0.01;
/// The largest likelihood ratio of a single match, so that one rare outcome can't decide.
const MOST: f32 = 1e4;
/// A likelihood ratio that isn't reached by chance, however long the chain.
const CERTAIN: f32 = 1e22;
/// The number of consecutive places among which only the best hit is kept.
const PIECE: usize = 1 << 15;
/// The resolution in places of a hit before its place is found exactly.
const BLOCK: usize = 64;
/// The number of places before a piece at which alignments may begin, per row of the window.
const WARM_UP: usize = 12;

struct Window {
    rows: usize,
    /// Likelihood ratios of each row by symbol; the first table is for symbols that the window doesn't have.
    worth: Vec<f32>,
    of: HashMap<i32, usize>,
}

impl Window {
    fn new(rows: &[i32], ratios: &[f64]) -> Self {
        let mut of = HashMap::new();
        for &symbol in rows.iter().filter(|&&symbol| symbol >= 0) {
            let next = of.len() + 1;
            of.entry(symbol).or_insert(next);
        }
        let other = |&row: &i32| if row < 0 { 1.0 } else { MISREAD };
        let mut worth = vec![0.0; (of.len() + 1) * rows.len()];
        for table in worth.chunks_exact_mut(rows.len()) {
            table.iter_mut().zip(rows.iter().map(other)).for_each(|(into, worth)| *into = worth);
        }
        for (row, symbol) in rows.iter().enumerate().filter(|(_, symbol)| **symbol >= 0) {
            let ratio = (ratios[*symbol as usize] as f32).min(MOST);
            worth[of[symbol] * rows.len() + row] = (1.0 - MISREAD) * ratio + MISREAD;
        }
        Self { rows: rows.len(), worth, of }
    }

    fn worth(&self, symbol: i32) -> &[f32] {
        let table = if symbol < 0 { 0 } else { self.of.get(&symbol).copied().unwrap_or(0) };
        &self.worth[table * self.rows..][..self.rows]
    }
}

/// Likelihood ratios of alignments by the row that they end with, updated place by place.
struct EndRatios {
    start: f32,
    /// Ratios at the last place, moved by one row; `short` and `long` sum over earlier places, by kind of hole.
    last: Vec<f32>,
    short: Vec<f32>,
    long: Vec<f32>,
    next: Vec<f32>,
}

impl EndRatios {
    fn new(rows: usize) -> Self {
        let none = || vec![0.0; rows + 1];
        Self { start: 1.0 / rows as f32, last: none(), short: none(), long: none(), next: none() }
    }

    /// Advances by one place; `best` keeps the largest ratio of each row.
    #[inline]
    fn step(&mut self, worth: &[f32], best: &mut [f32]) {
        let rows = worth.len();
        let (last, next) = (&self.last[..rows], &mut self.next[1..=rows]);
        let (short, long, best) = (&mut self.short[..rows], &mut self.long[..rows], &mut best[..rows]);
        for row in 0..rows {
            let before = self.start + NONE * last[row] + SHORT * short[row] + LONG * long[row];
            let now = worth[row] * before;
            short[row] = SHORT_AGAIN * short[row] + last[row];
            long[row] = LONG_AGAIN * long[row] + last[row];
            next[row] = now;
            best[row] = if now > best[row] { now } else { best[row] };
        }
        std::mem::swap(&mut self.last, &mut self.next);
    }
}

fn largest(best: &[f32]) -> (usize, f32) {
    best.iter().copied().enumerate().fold((0, 0.0), |most, one| if one.1 > most.1 { one } else { most })
}

/// The best hit of a window that ends in a piece of the chain, whose places are told apart by blocks of some places.
fn best_of(window: &Window, chain: &[i32], from: usize, to: usize, block: usize) -> Hit {
    let first = from.saturating_sub(WARM_UP * window.rows + BLOCK);
    let mut ends = EndRatios::new(window.rows);
    let mut best = vec![0.0; window.rows];
    let mut hit = Hit { ratio: 0.0, row: 0, place: from };
    for &symbol in &chain[first..from] {
        ends.step(window.worth(symbol), &mut best);
    }
    let mut place = from;
    while place < to && hit.ratio < CERTAIN {
        best.fill(0.0);
        let (start, end) = (place, (place + block).min(to));
        while place < end {
            ends.step(window.worth(chain[place]), &mut best);
            place += 1;
        }
        let (row, ratio) = largest(&best);
        if ratio > hit.ratio {
            hit = Hit { ratio, row, place: start };
        }
    }
    hit
}

/// The best hits of each window from place `from` on, at most one in each piece of the chain, best first. The search
/// stops early if a hit is beyond doubt.
pub fn search(
    chain: &[i32],
    from: usize,
    windows: &[&[i32]],
    ratios: &[f64],
    kept: usize,
    threads: Option<usize>,
    tick: Tick<'_>,
) -> Result<Vec<Vec<Hit>>> {
    let windowed: Vec<Window> = windows.iter().map(|rows| Window::new(rows, ratios)).collect();
    let pieces = (from..chain.len()).step_by(PIECE);
    let items = pieces.flat_map(|piece| (0..windowed.len()).map(move |window| (window, piece)));
    let threads = parallel::threads(threads, (chain.len() - from) * windowed.len(), PIECE);
    let certain = AtomicBool::new(false);
    let work = |hits: &mut Vec<(usize, Hit)>, (window, piece): (usize, usize)| {
        let to = (piece + PIECE).min(chain.len());
        if !certain.load(Ordering::Relaxed) && windowed[window].rows > 0 {
            let mut hit = best_of(&windowed[window], chain, piece, to, BLOCK);
            if hit.ratio > 1.0 {
                let end = (hit.place + BLOCK).min(chain.len());
                hit = best_of(&windowed[window], chain, hit.place, end, 1);
            }
            if hit.ratio >= CERTAIN {
                certain.store(true, Ordering::Relaxed);
            }
            hits.push((window, hit));
        }
        (to - piece) as u64
    };
    let states = parallel::run(items, threads, tick, Vec::new, work)?;
    let mut found = vec![Vec::new(); windows.len()];
    for (window, hit) in states.into_iter().flatten() {
        found[window].push(hit);
    }
    for hits in &mut found {
        hits.sort_by(|one: &Hit, other| other.ratio.total_cmp(&one.ratio).then(one.place.cmp(&other.place)));
        hits.truncate(kept);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::no_tick;

    /// Numbers below 15 that look random.
    fn chain(games: usize) -> Vec<i32> {
        let mut state = 1u64;
        (0..games)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                ((state >> 33) % 15) as i32
            })
            .collect()
    }

    #[test]
    fn a_window_with_holes_is_found() {
        let chain = chain(200_000);
        let rows: Vec<i32> = (0..150).filter(|row| row % 7 != 3).map(|row| chain[123_456 + row]).collect();
        let found = search(&chain, 0, &[&rows, &rows[..3]], &[15.0; 15], 2, Some(2), &mut no_tick).unwrap();
        let best = found[0][0];
        assert!(best.ratio >= CERTAIN);
        assert!((123_456..123_606).contains(&best.place));
        let none = search(&chain, 130_000, &[&rows], &[15.0; 15], 2, Some(1), &mut no_tick).unwrap();
        assert!(none[0][0].ratio < 1e7);
    }
}
