//! The baseline for schemes: the same work by the crates that one would normally use. Reads lines such as `hmac
//! 1000000` and answers each with `done` after doing the work.

use std::hint::black_box;
use std::io::{BufRead, Write};

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

/// Dice with one server seed and increasing nonces: HMAC from a cloned keyed state.
fn dice(rounds: usize) {
    let keyed = Hmac::<Sha256>::new_from_slice(&[b'a'; 64]).expect("HMAC takes keys of any length");
    let mut message = String::new();
    let mut outcomes = vec![0.0; rounds];
    for (nonce, outcome) in outcomes.iter_mut().enumerate() {
        use std::fmt::Write;
        message.clear();
        write!(message, "clientseed:{}:0", 1_000_000 + nonce).expect("a String grows");
        let mut mac = keyed.clone();
        mac.update(message.as_bytes());
        let digest = mac.finalize().into_bytes();
        let word = u32::from_be_bytes(digest[..4].try_into().expect("four bytes"));
        *outcome = (f64::from(word) / 4_294_967_296.0 * 10_001.0).floor() / 100.0;
    }
    black_box(outcomes);
}

/// Steps back along a chain: SHA-256 of the hex text of a hash.
fn chain(steps: usize) {
    let mut hashes = vec![[0u8; 64]; steps];
    let mut text = [b'0'; 64];
    for hash in &mut hashes {
        let digest = Sha256::digest(text);
        hex::encode_to_slice(digest, &mut text).expect("32 bytes are 64 characters");
        *hash = text;
    }
    black_box(hashes);
}

fn main() {
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("a line");
        let Some((work, count)) = line.split_once(' ') else { return };
        let count = count.parse().expect("a number");
        match work {
            "hmac" => dice(count),
            "chain" => chain(count),
            _ => return,
        }
        println!("done");
        std::io::stdout().flush().expect("an open output");
    }
}
