//! The bare compressions that a bulk run can't avoid, by the engine's own kernel: the floor that
//! `benches/run.py` measures the engine against. Reads lines `rounds cursors`, does the work, answers.

use std::hint::black_box;
use std::io::{BufRead, Write};

use fearless_simd::{Simd, dispatch};
use provably_fair::sha2_lanes::{Path, sha512};
use sha2::block_api::compress256;

/// A round: a key (two SHA-256 blocks after the server seed's own), two padded keys, and for each cursor
/// the shared message and the outer digest.
#[inline(always)]
fn work<S: Simd>(simd: S, rounds: usize, cursors: usize) {
    let schedule = sha512::Schedule::new(&[1; 16]);
    let ending = sha512::Ending::new([4; 8]);
    let half = sha512::splat(simd, &[2; 8]);
    let mut states = [sha512::splat(simd, &sha512::INITIAL); 2];
    let mut keys = [0; 8];
    for _ in 0..rounds.div_ceil(2 * sha512::width::<S>()) {
        for _ in 0..2 * sha512::width::<S>() {
            compress256(&mut keys, black_box(&[[3; 64]; 2]));
        }
        for state in &mut states {
            sha512::compress_half(simd, state, black_box(&half), &ending);
            sha512::compress_half(simd, state, black_box(&half), &ending);
        }
        for _ in 0..cursors {
            sha512::compress_shared(simd, &mut states, black_box(&schedule));
            for state in &mut states {
                sha512::compress_half(simd, state, black_box(&half), &ending);
            }
        }
    }
    black_box((states, keys));
}

fn main() {
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("a line");
        let Some((rounds, cursors)) = line.split_once(' ') else { return };
        let (rounds, cursors) = (rounds.parse().expect("rounds"), cursors.parse().expect("cursors"));
        match Path::best() {
            Path::Lanes { level, .. } => dispatch!(level, simd => work(simd, rounds, cursors)),
            Path::Scalar => return,
        }
        println!("done");
        std::io::stdout().flush().expect("an open output");
    }
}
