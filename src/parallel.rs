//! Work shared among threads; the caller's own thread reports progress and can stop the work.
//!
//! Threads live as long as the call. There is no pool that outlives it, so a process may fork between calls.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::error::{Error, Result};

/// The interval between progress reports and checks for interrupts.
const TICK: Duration = Duration::from_millis(50);

/// A callback that the caller's thread runs at intervals, given the number of rounds done: it shows progress
/// and checks for interrupts. An error from it stops the work.
pub type Tick<'t> = &'t mut dyn FnMut(u64) -> Result<()>;

/// A [`Tick`] that does nothing.
pub fn no_tick(_: u64) -> Result<()> {
    Ok(())
}

/// The number of threads to use: `asked`, by default one per core, and at most one per
/// `rounds_worth_a_thread`.
pub fn threads(asked: Option<usize>, rounds: usize, rounds_worth_a_thread: usize) -> usize {
    let worth = rounds / rounds_worth_a_thread.max(1);
    if worth < 2 {
        return 1; // without asking the system, which takes longer than some rounds
    }
    let most = asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get()));
    most.clamp(1, worth)
}

/// Processes `items` on `threads` workers, the calling thread among them, and returns the workers' states.
///
/// `work` returns the number of rounds that an item counted for.
pub fn run<Item, State: Send>(
    items: impl Iterator<Item = Item> + Send,
    threads: usize,
    tick: Tick<'_>,
    init: impl Fn() -> State + Sync,
    work: impl Fn(&mut State, Item) -> u64 + Sync,
) -> Result<Vec<State>> {
    let items = Mutex::new(items);
    let states: Vec<_> = (0..threads.max(1)).map(|_| Mutex::new(None)).collect();
    // A function, so that the lock is given back before the item is worked on.
    let take = || lock(&items).next();
    drive(threads, tick, &|number, go_on| {
        let mut state = init();
        while let Some(item) = take() {
            if !go_on(work(&mut state, item)) {
                break;
            }
        }
        *lock(&states[number]) = Some(state);
    })?;
    Ok(states.iter().filter_map(|state| lock(state).take()).collect())
}

/// What a worker calls after each item, with the rounds it counted for: it tells whether to go on.
type GoOn<'g> = &'g mut dyn FnMut(u64) -> bool;

/// Starts the threads of [`run`], and ticks. Apart from it, so that it is compiled once and not for every call.
fn drive(threads: usize, tick: Tick<'_>, worker: &(dyn Fn(usize, GoOn<'_>) + Sync)) -> Result<()> {
    let done = AtomicU64::new(0);
    let stop = AtomicBool::new(false);
    let count = |rounds| {
        done.fetch_add(rounds, Ordering::Relaxed);
        !stop.load(Ordering::Relaxed)
    };
    std::thread::scope(|scope| {
        let _guard = StopOnPanic(&stop);
        // Those that the system starts: the items of others are taken by them, and by this thread.
        let others: Vec<_> = (1..threads)
            .map_while(|number| {
                let (count, stop) = (&count, &stop);
                let work = move || {
                    let _guard = StopOnPanic(stop);
                    worker(number, &mut |rounds| count(rounds));
                };
                std::thread::Builder::new().spawn_scoped(scope, work).ok()
            })
            .collect();
        let mut outcome = Ok(());
        let mut last = now();
        worker(0, &mut |rounds| {
            let go_on = count(rounds);
            if last.is_some_and(|last| last.elapsed() < TICK) {
                return go_on;
            }
            last = now();
            outcome = tick(done.load(Ordering::Relaxed));
            if outcome.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
            go_on && outcome.is_ok()
        });
        for other in others {
            if let Err(panic) = other.join() {
                std::panic::resume_unwind(panic);
            }
        }
        outcome.and_then(|()| tick(done.load(Ordering::Relaxed)))
    })
}

/// The time, if there is a clock: without one, each item is followed by a tick.
fn now() -> Option<Instant> {
    (!cfg!(all(target_family = "wasm", target_os = "unknown"))).then(Instant::now)
}

/// Fills rows of `width` elements, `rows_at_a_time` per work item. `fill` receives the worker's state, the
/// index of the first row, and the rows to fill.
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

/// Locks a mutex, even if an earlier holder panicked.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The error with the lowest round number, regardless of which thread met it first.
#[derive(Default)]
pub struct FirstError(Mutex<Option<(usize, Error)>>);

impl FirstError {
    /// Records the errors of a chunk that starts at round `first`.
    pub fn keep(&self, first: usize, failed: &[(usize, Error)]) {
        let Some((round, error)) = failed.first() else { return };
        let mut known = lock(&self.0);
        if known.as_ref().is_none_or(|(before, _)| first + round < *before) {
            *known = Some((first + round, error.clone()));
        }
    }

    /// Returns the error, if there was one.
    pub fn finish(self) -> Result<()> {
        match self.0.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some((_, error)) => Err(error),
            None => Ok(()),
        }
    }
}

/// Tells the other workers to stop if the worker that holds this panics.
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

    /// Each of two items waits until the other one is worked on, too.
    #[test]
    fn items_are_worked_on_side_by_side() {
        let (begun, changed) = (Mutex::new(0), std::sync::Condvar::new());
        let work = |_: &mut (), _| {
            let mut count = lock(&begun);
            *count += 1;
            changed.notify_all();
            let waited =
                changed.wait_timeout_while(count, Duration::from_secs(60), |count| *count < 2).unwrap();
            assert!(!waited.1.timed_out(), "one after the other");
            1
        };
        run(0..2, 2, &mut no_tick, || (), work).unwrap();
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
