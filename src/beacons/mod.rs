//! Signatures that public beacons are made of: BLS over BLS12-381, one or many at once.

mod bls;

pub use bls::{Key, Verdict, sign};

use std::collections::HashMap;

use sha2::{Digest, Sha256};

use crate::error::Result;
use crate::parallel::{self, Tick};
use crate::strings::Texts;

/// What the signatures of rows are to have signed.
pub enum Messages<'a> {
    /// The messages themselves.
    Texts(Texts<'a>),
    /// Rounds of drand: SHA-256 of the number, eight bytes, after the previous signature where rounds are chained.
    Rounds { rounds: &'a [u64], previous: Option<Texts<'a>> },
}

impl Messages<'_> {
    /// The message of a row; `None` where the previous signature is no hex text.
    fn message(&self, row: usize) -> Option<Vec<u8>> {
        match self {
            Self::Texts(texts) => Some(texts.get(row).to_vec()),
            Self::Rounds { rounds, previous } => {
                let mut hash = Sha256::new();
                if let Some(previous) = previous {
                    hash.update(hex::decode(previous.get(row)).ok()?);
                }
                hash.update(rounds[if rounds.len() == 1 { 0 } else { row }].to_be_bytes());
                Some(hash.finalize().to_vec())
            }
        }
    }
}

/// Writes a verdict for each row. What stands in several rows is verified once.
pub fn verify(
    key: &Key,
    messages: &Messages<'_>,
    signatures: &Texts<'_>,
    out: &mut [u8],
    threads: Option<usize>,
    tick: Tick<'_>,
) -> Result<()> {
    let mut places = HashMap::new();
    let mut distinct = Vec::new();
    for (row, out) in out.iter_mut().enumerate() {
        let (Some(message), Some(signature)) = (messages.message(row), key.signature(signatures.get(row)))
        else {
            *out = Verdict::Malformed as u8;
            continue;
        };
        let next = distinct.len();
        let place = *places.entry((message, signature)).or_insert(next);
        if place == next {
            distinct.push(Vec::new());
        }
        distinct[place].push(row);
    }
    let work = places.into_iter().map(|(pair, place)| (pair, std::mem::take(&mut distinct[place])));
    let threads = parallel::threads(threads, work.len(), 4);
    let done = parallel::run(work, threads, tick, Vec::new, |found, ((message, signature), rows)| {
        let count = rows.len() as u64;
        found.push((key.verify(&message, &signature), rows));
        count
    })?;
    for (right, rows) in done.into_iter().flatten() {
        let verdict = if right { Verdict::Right } else { Verdict::Wrong };
        rows.into_iter().for_each(|row| out[row] = verdict as u8);
    }
    Ok(())
}
