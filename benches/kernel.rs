//! The floor for `benches/run.py`: only the compressions that a bulk run can't avoid, by the engine's own kernel.
//! Reads lines `rounds cursors` and answers each after doing the work.

use std::hint::black_box;
use std::io::{BufRead, Write};

use provably_fair::in_lanes;
use provably_fair::sha2_lanes::{Lanes, Path, Sha, WIDEST, sha256, sha512};
use sha2::block_api::compress256;

/// A round has a key (two SHA-256 blocks after the server seed's own, of which the second is known except for a
/// character), two padded keys, and for each cursor the shared message, which begins alike for all cursors, and the
/// outer digest.
#[inline(always)]
fn work<L: Lanes>(lanes: L, rounds: usize, cursors: usize) {
    let schedule = sha512::Schedule::new(&[1; 16]);
    let ending = sha512::Shared::ending([4; 8]);
    let half = sha512::splat(lanes, &[2; 8]);
    let mut states = [sha512::splat(lanes, &sha512::INITIAL); 2];
    let last = sha256::Schedule::new(&[3; 16]);
    let mut keys = [[0; 8]; 4];
    let block = sha256::splat(lanes, &[3; 16]);
    let character = sha256::Shared::new(&[3; 16], 1);
    let mut in_lanes = sha256::splat(lanes, &sha256::INITIAL);
    let common = if cursors > 1 { 8 } else { 0 };
    for _ in 0..rounds.div_ceil(2 * sha512::width::<L>()) {
        if sha256::width::<L>() == WIDEST {
            sha256::compress(lanes, &mut in_lanes, black_box(&block));
            sha256::compress_some(lanes, &mut in_lanes, black_box(&block), &character);
        } else {
            for _ in 0..(2 * sha512::width::<L>()).div_ceil(keys.len()) {
                for key in &mut keys {
                    compress256(key, black_box(&[[3; 64]]));
                }
                match Sha::new() {
                    Some(sha) => sha.compress(&mut keys, black_box([&last.0; 4])),
                    None => keys.iter_mut().for_each(|key| compress256(key, black_box(&[[3; 64]]))),
                }
            }
        }
        for state in &mut states {
            sha512::compress_half(lanes, state, black_box(&half), &ending);
            sha512::compress_half(lanes, state, black_box(&half), &ending);
        }
        let begun = sha512::begin_shared(lanes, &states, black_box(&schedule), common);
        for _ in 0..cursors {
            sha512::compress_shared(lanes, &mut states, black_box(&schedule), &begun, common);
            for state in &mut states {
                sha512::compress_half(lanes, state, black_box(&half), &ending);
            }
        }
    }
    black_box((states, keys, in_lanes));
}

fn main() {
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("a line");
        let Some((rounds, cursors)) = line.split_once(' ') else { return };
        let (rounds, cursors) = (rounds.parse().expect("rounds"), cursors.parse().expect("cursors"));
        match Path::best() {
            Path::Lanes { kernel, .. } => in_lanes!(kernel, lanes => work(lanes, rounds, cursors)),
            Path::Scalar => return,
        }
        println!("done");
        std::io::stdout().flush().expect("an open output");
    }
}
