//! Work split over threads, with one thread, the caller's, that can report and be stopped.
//!
//! Threads live as long as the call: no pool outlives it, so a process may fork between calls.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::error::{Error, Result};

/// How often the caller hears of progress, and can stop the work.
const TICK: Duration = Duration::from_millis(50);

/// What the caller's thread does now and then, given how many rounds are done: show it, look for an
/// interrupt. An error stops the work.
pub type Tick<'t> = &'t mut dyn FnMut(u64) -> Result<()>;

/// A [`Tick`] that lets the work run.
pub fn no_tick(_: u64) -> Result<()> {
    Ok(())
}

/// The threads to use: as many as asked for, or as the machine has, but no more than there is work for.
pub fn threads(asked: Option<usize>, rounds: usize, rounds_worth_a_thread: usize) -> usize {
    let most = asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get()));
    most.min(rounds / rounds_worth_a_thread.max(1)).max(1)
}

/// Hands `items` to `threads` workers, each with a state of its own, and returns those states.
///
/// `work` says how many rounds an item was. The calling thread works as well.
pub fn run<Item, State: Send>(
    items: impl Iterator<Item = Item> + Send,
    threads: usize,
    tick: Tick<'_>,
    init: impl Fn() -> State + Sync,
    work: impl Fn(&mut State, Item) -> u64 + Sync,
) -> Result<Vec<State>> {
    let items = Mutex::new(items);
    let done = AtomicU64::new(0);
    let stop = AtomicBool::new(false);
    let take = || {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        lock(&items).next()
    };
    let worker = || {
        let _guard = StopOnPanic(&stop);
        let mut state = init();
        while let Some(item) = take() {
            done.fetch_add(work(&mut state, item), Ordering::Relaxed);
        }
        state
    };
    std::thread::scope(|scope| {
        let _guard = StopOnPanic(&stop);
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(worker)).collect();
        let mut state = init();
        let mut outcome = Ok(());
        let mut last = Instant::now();
        while let Some(item) = take() {
            done.fetch_add(work(&mut state, item), Ordering::Relaxed);
            if last.elapsed() >= TICK {
                outcome = tick(done.load(Ordering::Relaxed));
                if outcome.is_err() {
                    stop.store(true, Ordering::Relaxed);
                    break;
                }
                last = Instant::now();
            }
        }
        let mut states = vec![state];
        for other in others {
            match other.join() {
                Ok(state) => states.push(state),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        outcome.and_then(|()| tick(done.load(Ordering::Relaxed)))?;
        Ok(states)
    })
}

/// Fills rows of `width` elements, which workers take `rows_at_a_time`. `fill` is given a worker's state, the number of
/// the first row and the rows.
pub fn fill<T: Send, State: Default + Send>(
    out: &mut [T],
    width: usize,
    rows_at_a_time: usize,
    threads: usize,
    tick: Tick<'_>,
    fill: impl Fn(&mut State, usize, &mut [T]) + Sync,
) -> Result<()> {
    let turns = out.chunks_mut(rows_at_a_time * width).enumerate();
    let work = |state: &mut State, (turn, rows): (usize, &mut [T])| {
        fill(state, turn * rows_at_a_time, rows);
        (rows.len() / width) as u64
    };
    run(turns, threads, tick, State::default, work).map(drop)
}

/// What is behind a lock, also where a thread that had it panicked.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The error of the first round that has one, whichever thread meets it.
#[derive(Default)]
pub struct FirstError(Mutex<Option<(usize, Error)>>);

impl FirstError {
    /// Looks at the errors of a run whose first round is this one.
    pub fn keep(&self, first: usize, failed: &[(usize, Error)]) {
        let Some((round, error)) = failed.first() else { return };
        let mut known = lock(&self.0);
        if known.as_ref().is_none_or(|(before, _)| first + round < *before) {
            *known = Some((first + round, error.clone()));
        }
    }

    pub fn finish(self) -> Result<()> {
        match self.0.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some((_, error)) => Err(error),
            None => Ok(()),
        }
    }
}

/// Stops the other workers when the one that holds this panics.
struct StopOnPanic<'s>(&'s AtomicBool);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    #[test]
    fn every_item_is_worked_on_once() {
        for threads in [1, 2, 3] {
            let states =
                run(0..1000u64, threads, &mut no_tick, || 0, |sum, item| (*sum += item, 1).1).unwrap();
            assert_eq!(states.iter().sum::<u64>(), 999 * 1000 / 2);
        }
    }

    #[test]
    fn an_error_of_the_tick_stops_the_work() {
        let mut ticks = 0;
        let stopped = run(
            0u64..,
            2,
            &mut |_| {
                ticks += 1;
                Err(Error::interrupted())
            },
            || (),
            |_, _| 1,
        );
        assert_eq!(stopped.unwrap_err(), Error::interrupted());
        assert_eq!(ticks, 1);
    }

    #[test]
    fn a_panic_stops_the_work() {
        for threads in [1, 2, 3] {
            let work = |_: &mut (), item| {
                assert_ne!(item, 100, "planted");
                1
            };
            let run = || run(0u64.., threads, &mut no_tick, || (), work);
            assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
        }
    }
}
