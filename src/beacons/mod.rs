//! BLS signatures of public randomness beacons, verified one by one or in bulk.

mod bls;

pub use bls::{PublicKey, SignatureVerdict, sign};

use std::collections::HashMap;

use sha2::{Digest, Sha256};

use crate::error::Result;
use crate::parallel::{self, Tick};
use crate::strings::Texts;

/// The messages that the signatures of a log's rows should have signed.
#[allow(missing_docs)] // the fields are explained with their variant
pub enum Signed<'a> {
    /// Arbitrary messages.
    Texts(Texts<'a>),
    /// Rounds of drand: SHA-256 of the round number (eight bytes, big-endian), preceded by the previous
    /// signature on chained networks.
    Rounds { rounds: &'a [u64], previous: Option<Texts<'a>> },
}

impl Signed<'_> {
    /// The message of a row; `None` if its previous signature isn't hex.
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

/// Writes one verdict per row. Equal pairs of message and signature are verified once.
pub fn verify(
    key: &PublicKey,
    messages: &Signed<'_>,
    signatures: &Texts<'_>,
    out: &mut [u8],
    threads: Option<usize>,
    tick: Tick<'_>,
) -> Result<()> {
    let mut distinct: HashMap<_, Vec<usize>> = HashMap::new();
    for (row, out) in out.iter_mut().enumerate() {
        match (messages.message(row), key.signature(signatures.get(row))) {
            (Some(message), Some(signature)) => distinct.entry((message, signature)).or_default().push(row),
            _ => *out = SignatureVerdict::Malformed as u8,
        }
    }
    let threads = parallel::threads(threads, distinct.len(), 4);
    let distinct = distinct.into_iter();
    let done = parallel::run(distinct, threads, tick, Vec::new, |found, ((message, signature), rows)| {
        let count = rows.len() as u64;
        found.push((key.verify(&message, &signature), rows));
        count
    })?;
    for (right, rows) in done.into_iter().flatten() {
        let verdict = if right { SignatureVerdict::Right } else { SignatureVerdict::Wrong };
        rows.into_iter().for_each(|row| out[row] = verdict as u8);
    }
    Ok(())
}
