//! Commitments: hashes published before a round, compared with the seeds revealed after it.
//!
//! Consecutive rows usually share a server seed, so a seed equal to the one before isn't hashed again, nor is
//! an equal commitment compared again. The remaining seeds are hashed in lanes. Most seeds have 64
//! characters; their padding is a constant block of its own, whose schedule is expanded once. A commitment
//! may be in either case and must match in full.

use std::fmt;

use sha2::{Digest, Sha256};

use super::column::{Cell, Column};
use super::findings::{Expected, Finding, Findings, Verdict};
use super::lists::Items;
use super::number::trim_spaces;
use crate::in_lanes;
use crate::sha2_lanes::sha256::{self, INITIAL, Schedule};
use crate::sha2_lanes::{Kernel, Lanes, Path, WIDEST};
use crate::strings::{Texts, bare, same};

/// A field of commitments.
#[derive(Clone, Debug)]
pub struct Commitments<'a> {
    /// The number of the field.
    pub field: u8,
    /// The data that the hashes commit to.
    pub of: Preimages<'a>,
    /// The published hashes, in hex.
    pub published: Column<'a>,
}

/// The data committed to.
#[derive(Clone, Copy, Debug)]
pub enum Preimages<'a> {
    /// Seeds, hashed with SHA-256.
    Seeds(Texts<'a>),
    /// The rows of another hash.
    Rows(&'a dyn HashedRows),
}

/// Rows with a hash of their own.
pub trait HashedRows: Sync + fmt::Debug {
    /// Appends the hash's input for a row; rows with equal input have equal digests.
    fn write(&self, row: usize, out: &mut Vec<u8>);

    /// The digest of a row.
    fn digest(&self, row: usize) -> Vec<u8>;
}

/// The digests of seeds.
type SeedDigests = Vec<[u8; 32]>;

/// A worker's reusable buffers.
#[derive(Debug, Default)]
pub struct CommitmentBuffers {
    digests: SeedDigests,
    /// The digests of another hash.
    others: Vec<Vec<u8>>,
    /// The index of each row's digest.
    places: Vec<usize>,
    /// The rows that are hashed.
    hashed: Vec<usize>,
    messages: sha256::Messages,
    items: Items,
}

/// The verdict on a commitment.
pub struct Judged {
    /// The verdict.
    pub verdict: Verdict,
    /// Whether a published hash was compared.
    pub compared: bool,
}

/// Compares the published hash with `is_right`, which is `None` if the row is unreadable and has failed
/// already.
pub fn judge(
    published: &Column<'_>,
    row: usize,
    items: &mut Items,
    is_right: Option<impl Fn(&[u8]) -> bool>,
) -> Judged {
    let (verdict, compared) = match (published.read(row, items), is_right) {
        (cell, _) if cell.is_blank() => (Verdict::Missing, false),
        (Cell::Text(text), Some(is_right)) => {
            (if is_right(trim_spaces(text)) { Verdict::Right } else { Verdict::Commitment }, true)
        }
        (Cell::Text(_), None) => (Verdict::Right, false),
        _ => (Verdict::Malformed, false),
    };
    Judged { verdict, compared }
}

/// The length of most seeds: a hash in hex. Their padding is a separate, constant block.
const USUAL: usize = 64;

impl Commitments<'_> {
    /// Compares the rows `first`, `first + 1`, ...; `readable` marks the rows with readable seeds.
    pub fn compare(
        &self,
        path: Path,
        first: usize,
        readable: &[bool],
        buffers: &mut CommitmentBuffers,
        findings: &mut Findings,
    ) {
        self.hash(path, first, readable, buffers);
        let mut compared = 0;
        // The latest correct commitment, with the index of its digest.
        let mut before = None;
        for (i, &readable) in readable.iter().enumerate() {
            let row = first + i;
            let place = buffers.places[i];
            let text = self.published.text(row).filter(|_| readable);
            if let (Some(text), Some((known, right))) = (text, before)
                && known == place
                && same(text, right)
            {
                compared += 1;
                continue;
            }
            let digest = readable.then(|| match self.of {
                Preimages::Seeds(_) => buffers.digests[place].as_slice(),
                Preimages::Rows(_) => &buffers.others[place],
            });
            let right = digest.map(|digest| move |text: &[u8]| is_hex_of(text, digest));
            let judged = judge(&self.published, row, &mut buffers.items, right);
            compared += u64::from(judged.compared);
            before = text.filter(|_| judged.verdict == Verdict::Right).map(|text| (place, text));
            if judged.verdict != Verdict::Right {
                let hex = |digest| Expected::Text(hex::encode(digest).into());
                let expected = digest.map_or(Expected::Nothing, hex);
                findings.list.push(Finding { row, field: self.field, verdict: judged.verdict, expected });
            }
        }
        let place = usize::from(self.field);
        findings.committed.resize(findings.committed.len().max(place + 1), 0);
        findings.committed[place] += compared;
    }

    /// Hashes the rows' inputs, equal consecutive ones once.
    fn hash(&self, path: Path, first: usize, readable: &[bool], buffers: &mut CommitmentBuffers) {
        let CommitmentBuffers { digests, others, places, hashed, messages, .. } = buffers;
        places.clear();
        hashed.clear();
        others.clear();
        let mut text = Vec::new();
        let mut seed: Option<&[u8]> = None;
        for (row, _) in (first..).zip(readable).filter(|(_, readable)| **readable) {
            places.resize(row - first, hashed.len().saturating_sub(1));
            let again = match self.of {
                Preimages::Seeds(seeds) => {
                    let before = seed.replace(seeds.get(row));
                    before.zip(seed).is_some_and(|(before, seed)| same(before, seed))
                }
                Preimages::Rows(rows) => {
                    let before = std::mem::take(&mut text);
                    rows.write(row, &mut text);
                    !hashed.is_empty() && text == before
                }
            };
            if !again {
                hashed.push(row);
            }
            places.push(hashed.len() - 1);
        }
        places.resize(readable.len(), 0);
        let seeds = match self.of {
            Preimages::Seeds(seeds) => seeds,
            Preimages::Rows(rows) => return others.extend(hashed.iter().map(|&row| rows.digest(row))),
        };
        digests.resize(hashed.len(), [0; 32]);
        match kernel(path) {
            Some(kernel) => {
                in_lanes!(kernel, lanes => hash_lanes(lanes, &seeds, hashed, messages, digests));
            }
            None => {
                for (digest, &row) in digests.iter_mut().zip(&*hashed) {
                    *digest = Sha256::digest(seeds.get(row)).into();
                }
            }
        }
    }
}

/// The kernel to hash with, unless hashing one seed after another is faster.
fn kernel(path: Path) -> Option<Kernel> {
    match path {
        Path::Scalar => None,
        Path::Lanes { kernel, sha256_alone } => {
            (!sha256_alone || kernel.beats_instructions()).then_some(kernel)
        }
    }
}

#[inline(always)]
fn hash_lanes<L: Lanes>(
    lanes: L,
    seeds: &Texts<'_>,
    rows: &[usize],
    messages: &mut sha256::Messages,
    digests: &mut [[u8; 32]],
) {
    let width = sha256::width::<L>();
    let ending = Schedule::padded(&[], USUAL).remove(0);
    let mut usual = [[0; 16]; WIDEST];
    for (rows, digests) in rows.chunks(width).zip(digests.chunks_mut(width)) {
        // Unused lanes repeat the last row.
        let seed = |lane: usize| seeds.get(rows[lane.min(rows.len() - 1)]);
        let mut state = sha256::splat(lanes, &INITIAL);
        if (0..rows.len()).all(|lane| seed(lane).len() == USUAL) {
            for (lane, words) in usual[..width].iter_mut().enumerate() {
                *words = sha256::words(seed(lane));
            }
            let block = sha256::gather(lanes, |lane| &usual[lane]);
            sha256::compress(lanes, &mut state, &block);
            let mut states = [state];
            sha256::compress_shared(lanes, &mut states, &ending, &[state], 0);
            [state] = states;
        } else {
            messages.compress(lanes, &mut state, 0, |lane, text| text.extend_from_slice(seed(lane)));
        }
        for (lane, digest) in digests.iter_mut().enumerate() {
            let words = sha256::lane::<L>(&state, lane).map(u32::to_be_bytes);
            digest.copy_from_slice(words.as_flattened());
        }
    }
}

/// Whether `text` is the digest in hex, in either case, with `0x` or `0X` in front or not.
fn is_hex_of(text: &[u8], digest: &[u8]) -> bool {
    let text = bare(text);
    let mut hex = [0; 128];
    let Some(hex) = hex.get_mut(..2 * digest.len()) else {
        return text.eq_ignore_ascii_case(hex::encode(digest).as_bytes());
    };
    hex::encode_to_slice(digest, hex).expect("room for it");
    text == hex || text.eq_ignore_ascii_case(hex)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logs::column::Valid;

    /// Covers every path, all lengths around block boundaries, repeated seeds, and every kind of defect.
    #[test]
    fn every_path_finds_the_wrong_commitments_alone() {
        let lengths = (0..200).chain([64; 40]).chain([63, 64, 65, 64]);
        let mut seeds: Vec<Vec<u8>> = lengths.map(|n| (0..n).map(|i| (i * 7 + n) as u8).collect()).collect();
        seeds[70] = seeds[69].clone();
        let mut published: Vec<String> = seeds.iter().map(|seed| hex::encode(Sha256::digest(seed))).collect();
        published[3].make_ascii_uppercase();
        published[4] = format!(" {}\n", published[4]);
        published[5] = format!("0X{}", published[5]);
        let defects = [
            (0, Verdict::Commitment, published[1].clone()),
            (69, Verdict::Commitment, published[69].replace(['1', '2', '3'], "4")),
            (100, Verdict::Commitment, published[100][1..].to_owned()),
            (101, Verdict::Commitment, format!("{}0", published[101])),
            (102, Verdict::Commitment, format!("g{}", &published[102][1..])),
            (150, Verdict::Missing, String::new()),
            (151, Verdict::Missing, " \t".to_owned()),
            (243, Verdict::Commitment, "x".to_owned()),
        ];
        let right = published.clone();
        for (row, _, text) in &defects {
            published[*row].clone_from(text);
        }
        let packed = |texts: &mut dyn Iterator<Item = &[u8]>| {
            let (mut bytes, mut ends) = (Vec::new(), vec![0]);
            for text in texts {
                bytes.extend_from_slice(text);
                ends.push(bytes.len());
            }
            (bytes, ends)
        };
        let (seed_bytes, seed_ends) = packed(&mut seeds.iter().map(Vec::as_slice));
        let (bytes, ends) = packed(&mut published.iter().map(String::as_bytes));
        let commitments = Commitments {
            field: 2,
            of: Preimages::Seeds(Texts::Packed { bytes: &seed_bytes, ends: &seed_ends }),
            published: Column::Texts {
                texts: Texts::Packed { bytes: &bytes, ends: &ends },
                valid: Valid::All,
            },
        };
        let mut readable = vec![true; seeds.len()];
        readable[5] = false;
        readable[151] = false;
        for (name, path) in Path::all() {
            for first in [0, 1, 69, 70] {
                let mut findings = Findings::default();
                commitments.compare(path, first, &readable[first..], &mut Default::default(), &mut findings);
                let found: Vec<_> = findings.list.iter().map(|each| (each.row, each.verdict)).collect();
                let expected: Vec<_> = defects
                    .iter()
                    .map(|(row, verdict, _)| (*row, *verdict))
                    .filter(|(row, _)| *row >= first)
                    .collect();
                assert_eq!(found, expected, "{name}");
                for finding in &findings.list {
                    let text = if readable[finding.row] {
                        Expected::Text(right[finding.row].as_str().into())
                    } else {
                        Expected::Nothing
                    };
                    assert_eq!((finding.field, &finding.expected), (2, &text), "{name}");
                }
                let unread = [5, 150, 151].iter().filter(|&&row| row >= first).count();
                assert_eq!(findings.committed, [0, 0, (seeds.len() - first - unread) as u64]);
            }
        }
    }
}
