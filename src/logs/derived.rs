//! Seeds and salts that are made of others, or of counters.
//!
//! A client seed is looked at beside its own server seed alone: the same text, a part of it, a hash of it. Secrets are
//! looked at beside all others. They are put in a table by their first 16 digits, and everything that somebody could
//! have hashed (the other secrets, and numbers up to 2,048 in every usual writing) is hashed and looked up there:
//! the time grows with the number of secrets, not with its square.

use std::collections::HashMap;
use std::sync::OnceLock;

use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};

use super::column::{Cell, Column};
use super::fingerprints::Fingerprint;
use super::lists::Items;
use super::number::trim_spaces;
use crate::error::Result;
use crate::parallel::{self, no_tick};

/// Characters of a client seed that can tell where it is from; fewer may be in a hash by chance.
const LEAST: usize = 10;

/// Digits of a hash that tell it: secrets may be cut from it, but not to fewer.
const BEGINNING: usize = 16;
/// Counters whose hashes are looked for.
const COUNTERS: u64 = 1 << 11;

/// The beginnings of hashes.
type Beginning = [u8; BEGINNING / 2];
type HashFunction = fn(&[u8]) -> Vec<u8>;

/// What hashes, by name and by the bytes of a hash.
const HASHES: [(&str, usize, HashFunction); 4] = [
    ("md5", 16, |message| Md5::digest(message).to_vec()),
    ("sha1", 20, |message| Sha1::digest(message).to_vec()),
    ("sha256", 32, |message| Sha256::digest(message).to_vec()),
    ("sha512", 64, |message| Sha512::digest(message).to_vec()),
];

const ROWS_AT_A_TIME: usize = 1 << 12;
/// Pairs of seeds that a worker remembers.
const REMEMBERED: usize = 1 << 10;

/// The seeds of a log, and what was published of them.
pub struct Seeds<'a> {
    pub clients: Column<'a>,
    pub servers: Column<'a>,
    pub commitments: Column<'a>,
}

/// Tells of rows whether the client seed is the server seed, is in it, forward or backward, in one of its usual
/// hashes or in its commitment, or has the seed in it. Rows with the same key have the same seeds and commitment.
pub fn derived_clients(
    seeds: &Seeds<'_>,
    rows: &[usize],
    keys: &[Fingerprint],
    threads: Option<usize>,
) -> Result<Vec<bool>> {
    let mut found = vec![false; rows.len()];
    let threads = parallel::threads(threads, rows.len(), ROWS_AT_A_TIME);
    let chunks = found.chunks_mut(ROWS_AT_A_TIME).enumerate();
    let work = |known: &mut Vec<(Fingerprint, bool)>, (chunk, found): (usize, &mut [bool])| {
        let some = (chunk * ROWS_AT_A_TIME..).zip(&mut *found);
        for (index, derived) in some {
            let slot = &mut known[keys[index][0] as usize % REMEMBERED];
            if slot.0 != keys[index] {
                *slot = (keys[index], seeds.is_derived(rows[index]));
            }
            *derived = slot.1;
        }
        found.len() as u64
    };
    parallel::run(chunks, threads, &mut no_tick, || vec![([0; 2], false); REMEMBERED], work)?;
    Ok(found)
}

impl Seeds<'_> {
    fn is_derived(&self, row: usize) -> bool {
        let [mut one, mut two, mut three] = std::array::from_fn(|_| Items::default());
        let Cell::Text(client) = self.clients.read(row, &mut one) else { return false };
        let Cell::Text(server) = self.servers.read(row, &mut two) else { return false };
        let commitment = match self.commitments.read(row, &mut three) {
            Cell::Text(commitment) => commitment,
            _ => b"",
        };
        client.len() >= LEAST && is_derived(client, server, commitment)
    }
}

/// Digits in hexadecimal: without branches, since most texts are asked for all of theirs.
fn is_hexadecimal(text: &[u8]) -> bool {
    text.iter().fold(true, |all, byte| all & byte.is_ascii_hexdigit())
}

fn is_derived(client: &[u8], server: &[u8], commitment: &[u8]) -> bool {
    let digits = is_hexadecimal(client);
    if !digits && client.len() < server.len() && is_hexadecimal(server) && is_hexadecimal(commitment) {
        return false;
    }
    let seed = server;
    let [client, server, commitment] = [client, server, commitment].map(<[u8]>::to_ascii_lowercase);
    let backward: Vec<u8> = server.iter().rev().copied().collect();
    if [&server, &backward, &commitment].into_iter().any(|text| has(text, &client))
        || (server.len() >= LEAST && (has(&client, &server) || has(&client, &backward)))
    {
        return true;
    }
    let is_of =
        |seed: &[u8]| HASHES.iter().any(|(_, _, hash)| has(hex::encode(hash(seed)).as_bytes(), &client));
    digits && (is_of(seed) || hex::decode(seed).is_ok_and(|bytes| is_of(&bytes)))
}

fn has(whole: &[u8], part: &[u8]) -> bool {
    whole.windows(part.len()).any(|window| window[0] == part[0] && window == part)
}

/// A secret that is a usual hash, or its beginning: of another secret, of what that is the hexadecimal text of, or of a
/// counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hashed {
    pub secret: usize,
    pub of: Option<usize>,
    pub hash: &'static str,
}

/// Secrets that whoever knows the others, or can count, knows as well.
pub fn hashed_secrets(secrets: &[&[u8]]) -> Vec<Hashed> {
    let digits: Vec<_> = secrets.iter().map(|secret| trim_spaces(secret).to_ascii_lowercase()).collect();
    let mut beginnings: HashMap<Beginning, Vec<usize>> = HashMap::new();
    for (secret, digits) in digits.iter().enumerate() {
        let mut beginning = Beginning::default();
        let begins =
            digits.get(..BEGINNING).is_some_and(|text| hex::decode_to_slice(text, &mut beginning).is_ok());
        if begins && is_hexadecimal(digits) {
            beginnings.entry(beginning).or_default().push(secret);
        }
    }
    let fits = |size| beginnings.values().flatten().any(|&secret| digits[secret].len() <= 2 * size);
    let mut found = Vec::new();
    for ((hash, size, digest), counted) in HASHES.into_iter().zip(&COUNTED) {
        if !fits(size) {
            continue;
        }
        let mut look = |message: &[u8], of| {
            let digest = digest(message);
            for &secret in beginnings.get(&beginning_of(&digest)).into_iter().flatten() {
                if hex::encode(&digest).as_bytes().starts_with(&digits[secret]) {
                    found.push(Hashed { secret, of, hash });
                }
            }
        };
        let counted = counted.get_or_init(|| hashes_of_counters(digest));
        beginnings.keys().filter_map(|beginning| counted.get(beginning)).for_each(|form| look(form, None));
        for (secret, text) in secrets.iter().enumerate().filter(|(_, text)| text.len() >= BEGINNING) {
            look(text, Some(secret));
            if let Ok(bytes) = hex::decode(text) {
                look(&bytes, Some(secret));
            }
        }
    }
    found.sort_unstable_by_key(|one| (one.secret, one.of));
    found
}

/// What the hashes of counters begin with, and what these are of, for each hash that was asked for.
static COUNTED: [OnceLock<HashMap<Beginning, Vec<u8>>>; 4] = [const { OnceLock::new() }; 4];

fn hashes_of_counters(digest: HashFunction) -> HashMap<Beginning, Vec<u8>> {
    (0..COUNTERS).flat_map(written).map(|form| (beginning_of(&digest(&form)), form)).collect()
}

fn beginning_of(digest: &[u8]) -> Beginning {
    *digest.first_chunk().expect("a hash is longer")
}

/// A number as the texts and bytes that hashes are made of.
fn written(number: u64) -> Vec<Vec<u8>> {
    let mut forms: Vec<_> = [1, 8, 16, 32, 64].map(|width| format!("{number:0width$x}").into_bytes()).into();
    forms.push(number.to_string().into_bytes());
    let (big, little) = (number.to_be_bytes(), number.to_le_bytes());
    for width in [2, 4, 8] {
        forms.extend([big[8 - width..].to_vec(), little[..width].to_vec()]);
    }
    forms.push([[0; 24].as_slice(), &big].concat());
    forms
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logs::column::{Object, Valid};
    use crate::strings::Texts;

    #[test]
    fn what_is_made_of_the_server_seed_is_told() {
        let server = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
        let hash = hex::encode(Sha256::digest(server));
        let of_bytes = hex::encode(Sha256::digest(hex::decode(server).unwrap()));
        for (client, derived) in [
            (server.to_owned(), true),
            (server[8..24].to_uppercase(), true),
            (hash.clone(), true),
            (hash[..16].to_owned(), true),
            (of_bytes[20..40].to_owned(), true),
            (hex::encode(Sha512::digest(server))[100..].to_owned(), true),
            (format!("x{server}"), true),
            (server.chars().rev().collect(), true),
            (server.to_uppercase().chars().rev().skip(7).collect(), true),
            (hex::encode(Md5::digest(server)), true),
            (hex::encode(Sha1::digest(hex::decode(server).unwrap()))[..12].to_owned(), true),
            (hex::encode(Sha512::digest(hex::decode(server).unwrap())), true),
            ("commitment".to_owned(), true),
            (server[..8].to_owned(), false),
            ("0123456789abcdef".to_owned(), false),
            (String::new(), false),
        ] {
            let objects = [Object::Text(client.as_bytes().into())];
            let text = |text| Column::Texts { texts: Texts::One(text), valid: Valid::All };
            let (servers, commitments) = (text(server.as_bytes()), text(b"the Commitment"));
            let seeds = Seeds { clients: Column::Objects(&objects), servers, commitments };
            let found = derived_clients(&seeds, &[0], &[[1, 1]], None).unwrap();
            assert_eq!(found, [derived], "{client}");
        }
    }

    #[test]
    fn hashes_of_counters_and_of_other_secrets_are_told() {
        let digest = |name: &str, message: &[u8]| {
            hex::encode(HASHES.iter().find(|(known, ..)| *known == name).unwrap().2(message))
        };
        let first = digest("sha256", b"nobody knows");
        let secrets = [
            first.clone(),
            digest("sha512", b"2047"),
            digest("sha512", b"2047")[..40].to_uppercase(),
            digest("md5", &[7, 0, 0, 0]),
            digest("sha1", format!("{:064x}", 9).as_bytes()),
            digest("sha256", b"2048"),
            digest("sha512", b"2047")[..15].to_owned(),
            format!("{}0", digest("sha512", b"7")),
            digest("sha256", first.as_bytes()),
            digest("sha1", &hex::decode(&first).unwrap())[..20].to_owned(),
            "a player's own seed".to_owned(),
            "\u{e9}".repeat(20),
        ];
        let secrets: Vec<_> = secrets.iter().map(|text| text.as_bytes()).collect();
        let found: Vec<_> =
            hashed_secrets(&secrets).iter().map(|one| (one.secret, one.of, one.hash)).collect();
        let (counted, others): (Vec<_>, Vec<_>) = found.into_iter().partition(|(_, of, _)| of.is_none());
        assert_eq!(
            counted
                .iter()
                .map(|(secret, _, name)| (*secret, *name))
                .collect::<std::collections::BTreeSet<_>>(),
            [(1, "sha512"), (2, "sha512"), (3, "md5"), (4, "sha1")].into()
        );
        assert_eq!(others, [(8, Some(0), "sha256"), (9, Some(0), "sha1")]);
    }
}
