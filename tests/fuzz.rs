//! Fuzzing on stable Rust. Each target of `fuzz/targets.rs` is run on its corpus and, if `FUZZ_SECONDS` is
//! set, on random mutations of it for that many seconds in total (`make fuzz`).
//!
//! Inputs that make a target panic or hang are written to `fuzz/found/`. Once fixed, they belong in the corpus.

#[path = "../fuzz/targets.rs"]
mod targets;

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use targets::{TARGETS, Target};

/// Far more than any input of this size needs, even on a busy machine.
const TOO_LONG: Duration = Duration::from_secs(20);
const LONGEST: usize = 4096;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz")
}

fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = folder().join("corpus").join(name);
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let inputs: Vec<_> = files.iter().map(|file| std::fs::read(file).unwrap()).collect();
    assert!(!inputs.is_empty(), "{} is empty", folder.display());
    inputs
}

fn keep(name: &str, input: &[u8]) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    input.hash(&mut hasher);
    let folder = folder().join("found");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join(format!("{name}-{:016x}", hasher.finish()));
    std::fs::write(&file, input).unwrap();
    file
}

fn run(name: &str, target: Target, input: &[u8]) {
    if catch_unwind(AssertUnwindSafe(|| target(input))).is_err() {
        panic!("{name} failed on {}", keep(name, input).display());
    }
}

/// Marsaglia's xorshift, so that mutations are reproducible.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n.max(1)
    }

    /// A random range of at most `most` bytes.
    fn range(&mut self, length: usize, most: usize) -> std::ops::Range<usize> {
        let start = self.below(length + 1);
        start..start + self.below((length - start).min(most) + 1)
    }
}

/// Bytes that have a meaning in some format.
const TELLING: &[u8] = b"\0\n\r\t []\\,:+-=.019AaZ\x7f\x80\xbf\xc3\xef\xff";

fn mutate(random: &mut Random, input: &mut Vec<u8>, other: &[u8]) {
    for _ in 0..=random.below(5) {
        let at = random.below(input.len());
        match random.below(8) {
            0 if !input.is_empty() => input[at] ^= 1 << random.below(8),
            1 if !input.is_empty() => input[at] = TELLING[random.below(TELLING.len())],
            2 => input.insert(at, TELLING[random.below(TELLING.len())]),
            3 => input.insert(at, random.below(256) as u8),
            4 => drop(input.drain(random.range(input.len(), 40))),
            5 => {
                let copy = input[random.range(input.len(), 200)].to_vec();
                input.splice(at..at, copy);
            }
            6 => {
                let piece = other[random.range(other.len(), 200)].to_vec();
                let place = random.range(input.len(), 40);
                input.splice(place, piece);
            }
            // Replaces a number by another one.
            _ => {
                let numbers = ["0", "-1", "1", "255", "256", "9007199254740993", "18446744073709551615"];
                let number = numbers[random.below(numbers.len())].bytes();
                let start = input[at..].iter().position(u8::is_ascii_digit).map_or(at, |found| at + found);
                let digits = input[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                input.splice(start..start + digits, number);
            }
        }
    }
    input.truncate(LONGEST);
}

/// Runs mutations for the given time, and returns their number.
fn fuzz(name: &str, target: Target, time: Duration, seed: u64, current: &Mutex<(Instant, Vec<u8>)>) -> u64 {
    let inputs = corpus(name);
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let start = Instant::now();
    let mut count = 0;
    while start.elapsed() < time {
        let mut input = inputs[random.below(inputs.len())].clone();
        let other = &inputs[random.below(inputs.len())];
        mutate(&mut random, &mut input, other);
        {
            let mut current = current.lock().unwrap();
            current.0 = Instant::now();
            current.1.clone_from(&input);
        }
        run(name, target, &input);
        count += 1;
    }
    count
}

#[test]
fn every_target_has_a_corpus_and_passes_it() {
    for &(name, target) in TARGETS {
        for input in [Vec::new(), vec![0], vec![b'\n'], vec![0xff; 300]].into_iter().chain(corpus(name)) {
            run(name, target, &input);
        }
    }
}

#[test]
fn every_target_passes_mutations() {
    let Ok(seconds) = std::env::var("FUZZ_SECONDS") else { return };
    let seconds: f64 = seconds.parse().expect("FUZZ_SECONDS must be a number of seconds");
    let seed = std::env::var("FUZZ_SEED").map_or(1, |seed| seed.parse().expect("FUZZ_SEED must be a number"));
    let time = Duration::from_secs_f64(seconds / TARGETS.len() as f64);
    for &(name, target) in TARGETS {
        let current = Mutex::new((Instant::now(), Vec::new()));
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    std::thread::sleep(Duration::from_millis(50));
                    let Ok(current) = current.lock() else { return };
                    if current.0.elapsed() > TOO_LONG {
                        eprintln!("{name} takes too long on {}", keep(name, &current.1).display());
                        std::process::abort();
                    }
                }
            });
            let count = catch_unwind(AssertUnwindSafe(|| fuzz(name, target, time, seed, &current)));
            done.store(true, Ordering::Relaxed);
            match count {
                Ok(count) => println!("{name:14} {count:>9} inputs"),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        });
    }
}
