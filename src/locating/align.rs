//! Posterior probabilities of the place of every row: the forward-backward algorithm on sparse states.
//!
//! A row's state lists the places that it may have (`Node`), each with the likelihood ratio of all alignments that
//! end there. Lengths of holes are geometric, so a single sweep over the places sums over holes of every length.
//! Places below a billionth of the likeliest one are dropped, which can only lower the sum over all alignments. The
//! backward pass visits the cells that the forward pass kept, so the two agree exactly. Records are processed in
//! blocks of rows; the backward pass of each block starts some rows beyond its end.

use std::collections::BTreeMap;

use super::model::{
    BEGIN, ENTER, FOREIGN, FOREIGN_AGAIN, GO_ON, GO_ON_FOREIGN, Holes, JUMP, LEAVE, MISREAD, Record, SWAP,
    TWICE,
};
use crate::error::Result;
use crate::parallel::{self, Tick};

/// Rows and places at which a record may enter the chain; ends are exclusive.
#[derive(Clone, Copy, Debug)]
pub struct EntryRange {
    /// The first row, and the end of the rows.
    pub rows: (usize, usize),
    /// The first place, and the end of the places.
    pub places: (usize, usize),
}

/// States below this share of the likeliest one are dropped.
const CUT: f64 = 1e-9;
const BLOCK: usize = 4096;
const BEYOND: usize = 512;
/// Places of at most this probability aren't reported.
const REPORTED: f64 = 1e-5;

#[derive(Clone, Copy, Debug, Default)]
struct Node {
    place: usize,
    /// The row is here.
    here: f64,
    /// The row is the second of a swapped pair, and the first one is here.
    swapped: f64,
    /// The row belongs to no game; the last one on the chain was here.
    foreign: f64,
}

impl Node {
    fn on(&self) -> f64 {
        self.here + self.swapped
    }

    fn all(&self) -> f64 {
        self.on() + self.foreign
    }
}

/// The forward state after a row, scaled so that its largest entry is 1.
#[derive(Clone, Debug, Default)]
struct State {
    cells: Vec<Node>,
    /// Swapped pairs that begin with this row, by the place of the second row.
    pairs: Vec<(usize, f64)>,
    /// The record is off the chain.
    off: f64,
    /// The divisor that scaled this row.
    scale: f64,
}

/// The sum over all earlier places, weighted by the probability of the hole in between.
#[derive(Default)]
struct HoleSum {
    last: f64,
    short: f64,
    long: f64,
}

impl HoleSum {
    fn get(&self, holes: &Holes) -> f64 {
        holes.none * self.last + holes.short * self.short + holes.long * self.long
    }

    /// Advances by one place; `value` is that of the place just passed.
    fn step(&mut self, holes: &Holes, value: f64) {
        self.short = holes.short_again * self.short + self.last;
        self.long = holes.long_again * self.long + self.last;
        self.last = value;
    }

    /// Advances by places without a value.
    fn skip(&mut self, holes: &Holes, places: usize) {
        if places == 0 || (self.last == 0.0 && self.short == 0.0 && self.long == 0.0) {
            return;
        }
        self.step(holes, 0.0);
        let more = i32::try_from(places - 1).unwrap_or(i32::MAX);
        self.short *= holes.short_again.powi(more);
        self.long *= holes.long_again.powi(more);
    }

    fn is_less(&self, holes: &Holes, than: f64) -> bool {
        self.last == 0.0 && holes.short * self.short + holes.long * self.long < than
    }
}

struct Model<'a> {
    record: Record<'a>,
    holes: Holes,
    entries: &'a [EntryRange],
    /// The number of places at which a record may begin.
    anywhere: f64,
}

impl Model<'_> {
    fn entries(&self, row: usize) -> Vec<(usize, usize)> {
        let mut found: Vec<_> = self
            .entries
            .iter()
            .filter(|entry| entry.rows.0 <= row && row < entry.rows.1)
            .map(|entry| (entry.places.0, entry.places.1.min(self.record.chain.len())))
            .filter(|(from, to)| from < to)
            .collect();
        found.sort_unstable();
        let mut joined: Vec<(usize, usize)> = Vec::new();
        for (from, to) in found {
            match joined.last_mut() {
                Some(last) if from <= last.1 => last.1 = last.1.max(to),
                _ => joined.push((from, to)),
            }
        }
        joined
    }

    /// The likelihood ratio of a row's symbol at a place.
    fn worth(&self, row: i32, place: usize) -> f64 {
        if row < 0 {
            1.0
        } else if row == self.record.game(place) {
            self.record.matched(row)
        } else {
            MISREAD
        }
    }

    /// The likelihood ratio of a row that must match its place.
    fn equal(&self, row: i32, place: usize) -> f64 {
        if row >= 0 && row == self.record.game(place) { self.record.matched(row) } else { 0.0 }
    }

    /// The symbols of a row and the next one, if both are known and differ: only these can be a swapped pair.
    fn pair(&self, row: usize) -> Option<(i32, i32)> {
        let (first, second) =
            (self.record.row(row), (row + 1 < self.record.rows.len()).then(|| self.record.row(row + 1))?);
        (first >= 0 && second >= 0 && first != second).then_some((first, second))
    }

    /// The state after a row, given the state after the row before it (None for the first row).
    fn forward(&self, before: Option<&State>, row: usize) -> State {
        let symbol = self.record.row(row);
        let pair = self.pair(row);
        let none = State::default();
        let last = before.unwrap_or(&none);
        let on: f64 = last.cells.iter().map(Node::on).sum();
        let all: f64 = last.cells.iter().map(Node::all).sum();
        let (entering, mut off) = match before {
            None => (BEGIN, 1.0 - BEGIN),
            Some(last) => (ENTER * last.off + JUMP * on, (1.0 - ENTER) * last.off + LEAVE * all),
        };
        let enter = entering / self.anywhere;
        // A pair that ends with this row began with the row before it.
        let ended = if row > 0 { self.record.row(row - 1) } else { -1 };
        let entries = self.entries(row);
        let most = self.record.matched(symbol).max(self.record.matched(ended)).max(1.0);
        let least = 1e-13;
        let (mut cells, mut pairs) = (Vec::new(), Vec::new());
        let (mut after, mut after_pair) = (HoleSum::default(), HoleSum::default());
        let (mut at, mut at_pair, mut at_entry) = (0, 0, 0);
        let mut place = 0;
        loop {
            while at_entry < entries.len() && entries[at_entry].1 <= place {
                at_entry += 1;
            }
            let idle =
                after.is_less(&self.holes, least / most) && after_pair.is_less(&self.holes, least / most);
            if idle {
                (after, after_pair) = (HoleSum::default(), HoleSum::default());
                let next = [
                    last.cells.get(at).map(|cell| cell.place),
                    last.pairs.get(at_pair).map(|pair| pair.0),
                    entries.get(at_entry).map(|entry| entry.0.max(place)),
                ];
                match next.into_iter().flatten().min() {
                    Some(next) => place = place.max(next),
                    None => break,
                }
            }
            if place >= self.record.chain.len() {
                break;
            }
            let entered = entries.get(at_entry).is_some_and(|entry| entry.0 <= place);
            let came = after.get(&self.holes) + if entered { enter } else { 0.0 };
            let own = last.cells.get(at).filter(|cell| cell.place == place).copied();
            let mut cell = Node {
                place,
                here: (1.0 - SWAP) * came * self.worth(symbol, place),
                swapped: after_pair.get(&self.holes) * self.worth(ended, place),
                foreign: 0.0,
            };
            let mut value = 0.0;
            if let Some(own) = own {
                cell.here += TWICE * own.on() * self.equal(symbol, place);
                cell.foreign = FOREIGN * own.on() + FOREIGN_AGAIN * own.foreign;
                value = GO_ON * own.on() + GO_ON_FOREIGN * own.foreign;
                at += 1;
            }
            if cell.all() > least {
                cells.push(cell);
            }
            if let Some((_, second)) = pair {
                let worth = SWAP * came * self.worth(second, place);
                if worth > least {
                    pairs.push((place, worth));
                }
            }
            let mut of_pair = 0.0;
            if let Some(own) = last.pairs.get(at_pair).filter(|pair| pair.0 == place) {
                of_pair = own.1;
                at_pair += 1;
            }
            after.step(&self.holes, value);
            after_pair.step(&self.holes, of_pair);
            place += 1;
        }
        let scale = cells.iter().map(Node::all).fold(off, f64::max);
        let paired = pair.map_or(1.0, |(first, _)| self.record.matched(first));
        cells.retain(|cell| cell.all() >= CUT * scale);
        pairs.retain(|pair| pair.1 * paired >= CUT * scale);
        for cell in &mut cells {
            cell.here /= scale;
            cell.swapped /= scale;
            cell.foreign /= scale;
        }
        pairs.iter_mut().for_each(|pair| pair.1 /= scale);
        off /= scale;
        State { cells, pairs, off, scale }
    }

    /// For each place of `to`, in order, the sum over the later places `from`, weighted by the holes in between.
    fn sums_after(&self, to: impl DoubleEndedIterator<Item = usize>, from: &[(usize, f64)]) -> Vec<f64> {
        let mut sweep = HoleSum::default();
        let (mut next, mut place) = (from.len(), usize::MAX);
        let mut sums: Vec<f64> = to
            .rev()
            .map(|to| {
                while next > 0 && from[next - 1].0 > to {
                    next -= 1;
                    // The sweep's last value is that of the place after its own.
                    if place != usize::MAX {
                        sweep.skip(&self.holes, place - from[next].0);
                    }
                    place = from[next].0;
                    sweep.last += from[next].1;
                }
                if place == usize::MAX {
                    return 0.0;
                }
                sweep.skip(&self.holes, place - to - 1);
                place = to + 1;
                sweep.get(&self.holes)
            })
            .collect();
        sums.reverse();
        sums
    }

    /// The backward values of swapped pairs that begin with a row, by the place of the second row; `later` has those
    /// after the second row, and `scale` is its divisor.
    fn after_pairs(&self, row: usize, pairs: &[(usize, f64)], later: &Backward, scale: f64) -> Vec<f64> {
        let Some((first, _)) = self.pair(row).filter(|_| !pairs.is_empty()) else {
            return vec![0.0; pairs.len()];
        };
        let ends = later.on.iter().map(|&(place, value)| (place, value * self.worth(first, place) / scale));
        let ends: Vec<_> = ends.filter(|end| end.1 > 0.0).collect();
        self.sums_after(pairs.iter().map(|pair| pair.0), &ends)
    }

    /// The backward values of a row, given those of the next row and of its pairs.
    fn backward(&self, row: usize, state: &State, next: &State, later: &Backward, pairs: &[f64]) -> Backward {
        let symbol = self.record.row(row + 1);
        let second = self.pair(row + 1).map_or(-1, |pair| pair.1);
        let mut values = BTreeMap::new();
        for &(place, value) in &later.on {
            *values.entry(place).or_insert(0.0) += (1.0 - SWAP) * self.worth(symbol, place) * value;
        }
        for (&(place, _), value) in next.pairs.iter().zip(pairs) {
            *values.entry(place).or_insert(0.0) += SWAP * self.worth(second, place) * value;
        }
        let values: Vec<_> = values.into_iter().collect();
        let entries = self.entries(row + 1);
        let inside = |place: usize| entries.iter().any(|entry| entry.0 <= place && place < entry.1);
        let entered: f64 = values.iter().filter(|value| inside(value.0)).map(|value| value.1).sum();
        let entered = entered / self.anywhere;
        let sums = self.sums_after(state.cells.iter().map(|cell| cell.place), &values);
        let left = LEAVE * later.off;
        let mut ahead = Backward { off: (1.0 - ENTER) * later.off + ENTER * entered, ..Backward::default() };
        let mut same = later.on.iter().zip(&later.foreign).peekable();
        for (cell, sum) in state.cells.iter().zip(sums) {
            while same.next_if(|one| one.0.0 < cell.place).is_some() {}
            let (again, of_none) = match same.peek() {
                Some((one, foreign)) if one.0 == cell.place => (one.1, **foreign),
                _ => (0.0, 0.0),
            };
            let again = TWICE * self.equal(symbol, cell.place) * again;
            let on = GO_ON * sum + again + FOREIGN * of_none + left + JUMP * entered;
            ahead.on.push((cell.place, on / next.scale));
            ahead.foreign.push((GO_ON_FOREIGN * sum + FOREIGN_AGAIN * of_none + left) / next.scale);
        }
        ahead.off /= next.scale;
        ahead
    }

    /// Reports the places of a row, and of the pair that begins with it; `next` is the next row's state, with its
    /// backward values and those of the pairs.
    fn report(
        &self,
        row: usize,
        state: &State,
        ahead: &Backward,
        next: Option<(&State, &Backward, &[f64])>,
        found: &mut Aligned,
    ) {
        // The first row of a pair isn't in the cells.
        let paired = next
            .map_or(0.0, |(.., pairs)| state.pairs.iter().zip(pairs).map(|(one, value)| one.1 * value).sum());
        let all = ahead.of(state) + paired;
        found.on[row] = (ahead.of_cells(state, Node::on) + paired) / all;
        found.swapped[row] = paired / all;
        let mut report = |row, place, chance: f64| {
            if chance > REPORTED {
                found.places.push((row, place, chance));
            }
        };
        for (cell, value) in state.cells.iter().zip(&ahead.on) {
            report(row, cell.place, cell.here * value.1 / all);
        }
        let Some((next, later, pairs)) = next.filter(|_| paired > 0.0) else { return };
        for (&(place, worth), value) in state.pairs.iter().zip(pairs) {
            report(row + 1, place, worth * value / all);
        }
        let swapped = later.of_cells(next, |cell| cell.swapped);
        for (cell, value) in next.cells.iter().zip(&later.on) {
            report(row, cell.place, cell.swapped * value.1 / swapped * paired / all);
        }
    }
}

/// Backward values: the likelihood ratio of the remaining rows, for each state.
#[derive(Default)]
struct Backward {
    on: Vec<(usize, f64)>,
    foreign: Vec<f64>,
    off: f64,
}

impl Backward {
    /// The backward values of the last row.
    fn end(state: &State) -> Self {
        let on = state.cells.iter().map(|cell| (cell.place, 1.0)).collect();
        Self { on, foreign: vec![1.0; state.cells.len()], off: 1.0 }
    }

    /// The likelihood ratio of all alignments through one part of a row's cells.
    fn of_cells(&self, state: &State, part: impl Fn(&Node) -> f64) -> f64 {
        state.cells.iter().zip(&self.on).map(|(cell, value)| part(cell) * value.1).sum()
    }

    /// The likelihood ratio of all alignments.
    fn of(&self, state: &State) -> f64 {
        let foreign: f64 =
            state.cells.iter().zip(&self.foreign).map(|(cell, value)| cell.foreign * value).sum();
        self.of_cells(state, Node::on) + foreign + state.off * self.off
    }
}

/// Follows a series from a row at a place, for at most `most` rows: the row and place at which the likelihood ratio is
/// largest, and its logarithm.
pub fn explore(
    record: Record<'_>,
    row: usize,
    place: usize,
    most: usize,
    holes: Holes,
) -> (usize, usize, f64) {
    let entries = [EntryRange { rows: (0, 1), places: (place, place + 1) }];
    let model = Model { record, holes, entries: &entries, anywhere: 1.0 };
    let mut state = State { cells: vec![Node { place, here: 1.0, ..Node::default() }], ..State::default() };
    let mut found = (row, place, 0.0);
    let mut log = 0.0;
    for next in row + 1..record.rows.len().min(row + 1 + most) {
        state = model.forward(Some(&state), next);
        log += state.scale.ln();
        let mass: f64 = state.cells.iter().map(Node::all).sum();
        if mass == 0.0 {
            break;
        }
        if log + mass.ln() > found.2 {
            let best = state
                .cells
                .iter()
                .fold(Node::default(), |best, cell| if cell.all() > best.all() { *cell } else { best });
            found = (next, best.place, log + mass.ln());
        }
    }
    found
}

/// Posterior probabilities of the places of all rows.
#[derive(Default)]
pub struct Aligned {
    /// The logarithm of the likelihood ratio, averaged over all places and models.
    pub log: f64,
    /// Row, place and probability, sorted.
    pub places: Vec<(usize, usize, f64)>,
    /// For each row the probability that it and the next one are swapped, and that it is on the chain.
    pub swapped: Vec<f64>,
    /// For each row, the probability that it is on the chain.
    pub on: Vec<f64>,
}

/// The logarithm of the likelihood ratio of the first rows.
fn likelihood(model: &Model<'_>, rows: usize) -> f64 {
    let mut state: Option<State> = None;
    let mut log = 0.0;
    for row in 0..rows {
        let next = model.forward(state.as_ref(), row);
        log += next.scale.ln();
        state = Some(next);
    }
    log + state.map_or(0.0, |state| total(&state).ln())
}

fn total(state: &State) -> f64 {
    state.off + state.cells.iter().map(Node::all).sum::<f64>()
}

fn places_of(model: &Model<'_>) -> Aligned {
    let rows = model.record.rows.len();
    let mut found = Aligned { swapped: vec![0.0; rows], on: vec![0.0; rows], ..Aligned::default() };
    let mut kept: Option<State> = None;
    let mut states: Vec<State> = Vec::new();
    for first in (0..rows).step_by(BLOCK) {
        let (end, beyond) = ((first + BLOCK).min(rows), (first + BLOCK + BEYOND).min(rows));
        states.clear();
        for row in first..beyond {
            let state = model.forward(states.last().or(kept.as_ref()), row);
            if row < end {
                found.log += state.scale.ln();
            }
            states.push(state);
        }
        if end == rows {
            found.log += states.last().map_or(0.0, |state| total(state).ln());
        }
        let mut ahead = Backward::end(states.last().expect("a block has rows"));
        let mut later: Option<(Backward, Vec<f64>)> = None;
        for row in (first..beyond).rev() {
            let state = &states[row - first];
            let next = states.get(row + 1 - first);
            if row < end {
                let next =
                    next.zip(later.as_ref()).map(|(next, (later, pairs))| (next, later, pairs.as_slice()));
                model.report(row, state, &ahead, next, &mut found);
            }
            if row > first {
                let pairs = later.as_ref().map(|one| one.1.clone()).unwrap_or_default();
                let before = model.backward(row - 1, &states[row - 1 - first], state, &ahead, &pairs);
                let pairs = model.after_pairs(row - 1, &states[row - 1 - first].pairs, &ahead, state.scale);
                later = Some((std::mem::replace(&mut ahead, before), pairs));
            }
        }
        kept = Some(states[end - 1 - first].clone());
    }
    join_places(&mut found.places);
    found
}

/// Sorts by row and place, and adds the probabilities of duplicates.
fn join_places(places: &mut Vec<(usize, usize, f64)>) {
    places.sort_by_key(|one| (one.0, one.1));
    places.dedup_by(|again, one| {
        let same = (again.0, again.1) == (one.0, one.1);
        if same {
            one.2 += again.2;
        }
        same
    });
}

/// The places of all rows, averaged over models of holes with their weights; `anywhere` is the number of places on the
/// whole chain.
pub fn align(
    record: Record<'_>,
    holes: &[(f64, Holes)],
    entries: &[EntryRange],
    anywhere: f64,
    threads: Option<usize>,
    tick: Tick<'_>,
) -> Result<Aligned> {
    let rows = record.rows.len();
    let model = |holes: Holes| Model { record, holes, entries, anywhere };
    let threads = parallel::threads(threads, rows * holes.len(), 64);
    // The first rows on the chain rule out the models that have no weight in the mean.
    let most = entries.iter().map(|entry| entry.rows.1).min().unwrap_or(0).saturating_add(2000).min(rows);
    let tried = parallel::run(holes.iter().enumerate(), threads, tick, Vec::new, |tried, (index, one)| {
        tried.push((index, one.0.ln() + likelihood(&model(one.1), most)));
        0
    })?;
    let mut tried: Vec<_> = tried.into_iter().flatten().collect();
    tried.sort_by_key(|one| one.0);
    let best = tried.iter().fold(f64::NEG_INFINITY, |best, one| best.max(one.1));
    let likely = tried.iter().filter(|one| one.1 > best - 14.0).map(|one| one.0);
    let done = parallel::run(likely, threads, tick, Vec::new, |done, index| {
        let mut found = places_of(&model(holes[index].1));
        found.log += holes[index].0.ln();
        done.push((index, found));
        rows as u64
    })?;
    let mut done: Vec<_> = done.into_iter().flatten().collect();
    done.sort_by_key(|one| one.0);
    let best = done.iter().fold(f64::NEG_INFINITY, |best, one| best.max(one.1.log));
    let sum: f64 = done.iter().map(|one| (one.1.log - best).exp()).sum();
    let mut all =
        Aligned { log: best + sum.ln(), swapped: vec![0.0; rows], on: vec![0.0; rows], ..Aligned::default() };
    for (_, one) in done {
        let share = (one.log - best).exp() / sum;
        all.swapped.iter_mut().zip(&one.swapped).for_each(|(into, value)| *into += share * value);
        all.on.iter_mut().zip(&one.on).for_each(|(into, value)| *into += share * value);
        all.places.extend(one.places.into_iter().map(|(row, place, chance)| (row, place, share * chance)));
    }
    join_places(&mut all.places);
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::no_tick;

    const SYMBOLS: i32 = 40;

    /// Numbers below 40 that look random.
    fn chain(games: usize) -> Vec<i32> {
        let mut state = 7u64;
        (0..games)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) as i32 % SYMBOLS
            })
            .collect()
    }

    fn aligned(rows: &[i32], chain: &[i32], reversed: bool) -> Aligned {
        let ratios = vec![f64::from(SYMBOLS); SYMBOLS as usize];
        let record = Record { rows, chain, ratios: &ratios, reversed };
        let models = [(0.5, Holes::new(0.02, 2.0)), (0.5, Holes::new(0.25, 2.0))];
        let entries = [EntryRange { rows: (0, rows.len()), places: (0, chain.len()) }];
        align(record, &models, &entries, chain.len() as f64, Some(2), &mut no_tick).unwrap()
    }

    /// The place of each row that has one with a probability of at least 0.999.
    fn places(found: &Aligned, rows: usize) -> Vec<Option<usize>> {
        let mut places = vec![None; rows];
        for &(row, place, _) in found.places.iter().filter(|one| one.2 >= 0.999) {
            places[row] = Some(place);
        }
        places
    }

    /// Rows 0 to 99 of a chain from place 200 on, of which ten are missing, two are swapped and one is misread.
    fn record(chain: &[i32]) -> (Vec<i32>, Vec<usize>) {
        let mut truth: Vec<usize> = (200..240).chain(250..310).collect();
        truth.swap(60, 61);
        let mut rows: Vec<i32> = truth.iter().map(|&place| chain[place]).collect();
        rows[20] = (rows[20] + 1) % SYMBOLS;
        (rows, truth)
    }

    #[test]
    fn holes_swapped_pairs_and_misread_rows_are_placed() {
        let chain = chain(2000);
        let (rows, truth) = record(&chain);
        let found = aligned(&rows, &chain, false);
        let placed = places(&found, rows.len());
        for (row, place) in placed.iter().enumerate() {
            assert!(place.is_none_or(|place| place == truth[row]), "row {row}");
        }
        assert!(placed.iter().flatten().count() > 95);
        assert_eq!(placed[20], Some(truth[20]));
        let swapped: Vec<usize> = (0..rows.len()).filter(|&row| found.swapped[row] > 0.999).collect();
        assert_eq!(swapped, [60]);
        assert!(found.on.iter().all(|&on| on > 0.999));
        assert!(found.log > 200.0);
    }

    #[test]
    fn a_record_read_from_its_end_has_the_same_places() {
        let chain = chain(2000);
        let (rows, _) = record(&chain);
        let found = aligned(&rows, &chain, false);
        let back: (Vec<i32>, Vec<i32>) =
            (rows.iter().rev().copied().collect(), chain.iter().rev().copied().collect());
        // A reversed record, read backward, gives the same places.
        let again = aligned(&back.0, &back.1, true);
        assert_eq!(places(&again, rows.len()), places(&found, rows.len()));
        assert!((again.log - found.log).abs() < 1e-9);
    }

    #[test]
    fn rows_of_no_chain_are_reported() {
        let chain = chain(2000);
        let rows: Vec<i32> = (0..60).map(|row| row * 17 % SYMBOLS).chain(chain[500..560].to_vec()).collect();
        let found = aligned(&rows, &chain, false);
        let placed = places(&found, rows.len());
        assert_eq!(placed[..55], [None; 55]);
        assert!(found.on[..55].iter().all(|&on| on < 0.01));
        assert_eq!(placed[100], Some(540));
        let none = aligned(&rows[..60], &chain, false);
        assert!(none.log < 3.0);
    }

    #[test]
    fn a_sweep_sums_holes_of_every_length() {
        let holes = Holes::new(0.3, 2.0);
        let hole = |games: i32| match games {
            0 => holes.none,
            _ => {
                holes.short * holes.short_again.powi(games - 1)
                    + holes.long * holes.long_again.powi(games - 1)
            }
        };
        let mut sweep = HoleSum::default();
        sweep.step(&holes, 2.0);
        sweep.step(&holes, 3.0);
        sweep.skip(&holes, 5);
        let expected = 2.0 * hole(6) + 3.0 * hole(5);
        assert!((sweep.get(&holes) - expected).abs() < 1e-15);
        let all: f64 = (0..100_000).map(hole).sum();
        assert!((all - 1.0).abs() < 1e-9);
        sweep.skip(&holes, 100_000);
        assert!(sweep.is_less(&holes, 1e-13));
    }

    #[test]
    fn probabilities_of_the_same_place_are_added() {
        let mut all = vec![(3, 7, 0.25), (1, 2, 0.5), (3, 7, 0.5), (3, 6, 0.25)];
        join_places(&mut all);
        assert_eq!(all, [(1, 2, 0.5), (3, 6, 0.25), (3, 7, 0.75)]);
    }

    #[test]
    fn a_record_is_followed_as_far_as_it_goes() {
        let chain = chain(2000);
        let (mut rows, truth) = record(&chain);
        rows.extend((0..50).map(|row| row * 17 % SYMBOLS));
        let ratios = vec![f64::from(SYMBOLS); SYMBOLS as usize];
        let record = Record { rows: &rows, chain: &chain, ratios: &ratios, reversed: false };
        let (row, place, log) = explore(record, 5, truth[5], rows.len(), Holes::new(0.1, 1.5));
        assert!((98..=101).contains(&row), "{row}");
        assert!((truth[98]..=truth[99] + 3).contains(&place), "{place}");
        assert!(log > 200.0);
    }
}
