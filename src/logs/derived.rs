//! Seeds that are derived from each other, and secrets that anyone could have computed.
//!
//! A client seed is compared with its own server seed only: equal, part of it, reversed, or part of one of
//! its usual hashes; the server seed is likewise compared with the hashes of the client seed.
//!
//! Secrets are compared with all others. A table holds them by their first 16 hex digits. Everything that
//! anyone could have hashed (the other secrets, and the numbers below 2,048 in every usual notation) is
//! hashed and looked up there, so the time is linear in the number of secrets. Comparing each pair instead
//! would be quadratic.

use std::collections::HashMap;
use std::sync::OnceLock;

use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};

use super::column::{Cell, Column};
use super::fingerprints::{FieldPrints, Fingerprint};
use super::hexadecimal::is_hexadecimal;
use super::interner::Interner;
use super::lists::Items;
use super::number::trim_spaces;
use crate::error::Result;
use crate::parallel::{self, no_tick};

/// The minimum number of characters for a match; shorter texts occur in a hash by chance.
const LEAST: usize = 10;

/// The minimum number of hex digits to which a secret may truncate a hash: enough to rule out chance.
const BEGINNING: usize = 16;
/// The number of counters whose hashes are looked for.
const COUNTERS: u64 = 1 << 11;

/// The first bytes of a hash.
type HashPrefix = [u8; BEGINNING / 2];
type HashFunction = fn(&[u8]) -> Vec<u8>;

/// The usual hash functions: name, digest size in bytes, function.
const HASHES: [(&str, usize, HashFunction); 4] = [
    ("md5", 16, |message| Md5::digest(message).to_vec()),
    ("sha1", 20, |message| Sha1::digest(message).to_vec()),
    ("sha256", 32, |message| Sha256::digest(message).to_vec()),
    ("sha512", 64, |message| Sha512::digest(message).to_vec()),
];

const ROWS_AT_A_TIME: usize = 1 << 12;
/// The number of seed pairs that a worker caches.
const REMEMBERED: usize = 1 << 10;
/// The number of client seeds whose hashes a worker caches.
const REMEMBERED_CLIENTS: usize = 1 << 14;

/// The seeds of a log, and the commitments to them.
pub struct LoggedSeeds<'a> {
    /// The client seeds.
    pub clients: Column<'a>,
    /// The server seeds.
    pub servers: Column<'a>,
    /// The published commitments.
    pub commitments: Column<'a>,
}

/// The seed of a pair that is derived from the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Derived {
    /// Neither seed is derived from the other.
    #[default]
    Neither,
    /// The client seed equals the server seed, contains it, or is part of it, forward or backward; or it is
    /// part of one of its usual hashes or of its commitment.
    Client,
    /// The server seed is part of one of the client seed's usual hashes.
    Server,
}

/// Tells for each row which seed is derived from the other. `keys` are the fingerprints of client seeds, of server
/// seeds, and of commitments if there are any.
pub fn derived_seeds(
    seeds: &LoggedSeeds<'_>,
    rows: &[usize],
    keys: &[FieldPrints<'_>],
    threads: Option<usize>,
) -> Result<Vec<Derived>> {
    let mut found = vec![Derived::Neither; rows.len()];
    let threads = parallel::threads(threads, rows.len(), ROWS_AT_A_TIME);
    let chunks = found.chunks_mut(ROWS_AT_A_TIME).enumerate();
    let work = |known: &mut Cache, (chunk, found): (usize, &mut [Derived])| {
        let some = (chunk * ROWS_AT_A_TIME..).zip(&mut *found);
        for (index, derived) in some {
            let mut key = SeedKey::default();
            key.iter_mut().zip(keys).for_each(|(own, field)| *own = field.at(index));
            let slot =
                (key[0][0] ^ key[1][0].rotate_left(1) ^ key[2][0].rotate_left(2)) as usize % REMEMBERED;
            if known.pairs[slot].0 != key {
                known.pairs[slot] = (key, seeds.derived(rows[index], key[0], &mut known.clients));
            }
            *derived = known.pairs[slot].1;
        }
        found.len() as u64
    };
    let known = || Cache { pairs: vec![Default::default(); REMEMBERED], clients: ClientHashes::default() };
    parallel::run(chunks, threads, &mut no_tick, known, work)?;
    Ok(found)
}

/// The fingerprints of a client seed, a server seed and a commitment.
type SeedKey = [Fingerprint; 3];

/// A worker's caches. Client seeds have one of their own, since they stay while server seeds rotate.
struct Cache {
    pairs: Vec<(SeedKey, Derived)>,
    clients: ClientHashes,
}

/// The hashes of client seeds, by the number of their key.
#[derive(Default)]
struct ClientHashes {
    numbers: Interner<Fingerprint>,
    hashes: Vec<UsualHashes>,
}

impl ClientHashes {
    fn hashes_of(&mut self, key: Fingerprint, client: &[u8]) -> &UsualHashes {
        if self.hashes.len() == REMEMBERED_CLIENTS {
            self.numbers.clear(0);
            self.hashes.clear();
        }
        let number = self.numbers.number(key);
        if number == self.hashes.len() {
            self.hashes.push(UsualHashes::of(client));
        }
        &self.hashes[number]
    }
}

/// The usual hashes of a text, and of the bytes that it spells in hex.
struct UsualHashes {
    /// The hex digits of each hash, as numbers.
    digits: Vec<Vec<u8>>,
    /// A bit set of the triples of consecutive digits.
    threes: [u64; 64],
}

impl UsualHashes {
    fn of(text: &[u8]) -> Self {
        let bytes = hex::decode(text).ok();
        let messages = [Some(text), bytes.as_deref()].into_iter().flatten();
        let digests = messages.flat_map(|message| HASHES.map(|(_, _, hash)| hash(message)));
        let digits = digests.map(|digest| digest.iter().flat_map(|byte| [byte >> 4, byte & 15]).collect());
        let mut found = Self { digits: digits.collect(), threes: [0; 64] };
        for three in found.digits.iter().flat_map(|digits| digits.windows(3)) {
            let (word, bit) = place_of(three);
            found.threes[word] |= bit;
        }
        found
    }

    /// Whether `part`, if long enough, occurs in one of the hashes. The bit set rules most texts out by their first
    /// digits.
    fn have(&self, part: &[u8]) -> bool {
        let digit = |character: u8| Some(char::from(character).to_digit(16)? as u8);
        let Some(first) = part.first_chunk::<LEAST>() else { return false };
        let likely = first.as_chunks::<3>().0.iter().all(|three| {
            let (word, bit) = place_of(&three.map(|character| digit(character).unwrap_or_default()));
            self.threes[word] & bit > 0
        });
        likely
            && part
                .iter()
                .map(|&character| digit(character))
                .collect::<Option<Vec<_>>>()
                .is_some_and(|part| self.digits.iter().any(|whole| has(whole, &part)))
    }
}

/// The word and the bit of three digits.
fn place_of(three: &[u8]) -> (usize, u64) {
    let number = three.iter().fold(0, |number, &digit| 16 * number + usize::from(digit));
    (number / 64, 1 << (number % 64))
}

impl LoggedSeeds<'_> {
    fn derived(&self, row: usize, key: Fingerprint, clients: &mut ClientHashes) -> Derived {
        let [mut one, mut two, mut three] = std::array::from_fn(|_| Items::default());
        let Cell::Text(client) = self.clients.read(row, &mut one) else { return Derived::Neither };
        let Cell::Text(server) = self.servers.read(row, &mut two) else { return Derived::Neither };
        let commitment = match self.commitments.read(row, &mut three) {
            Cell::Text(commitment) => commitment,
            _ => b"",
        };
        if is_derived(client, server, commitment) {
            return Derived::Client;
        }
        if clients.hashes_of(key, client).have(server) { Derived::Server } else { Derived::Neither }
    }
}

fn is_derived(client: &[u8], server: &[u8], commitment: &[u8]) -> bool {
    let digits = is_hexadecimal(client);
    let no_part =
        !digits && client.len() < server.len() && is_hexadecimal(server) && is_hexadecimal(commitment);
    if client.len() < LEAST || no_part {
        return false;
    }
    let [part, whole, commitment] = [client, server, commitment].map(<[u8]>::to_ascii_lowercase);
    let backward: Vec<u8> = whole.iter().rev().copied().collect();
    [&whole, &backward, &commitment].into_iter().any(|text| has(text, &part))
        || (whole.len() >= LEAST && (has(&part, &whole) || has(&part, &backward)))
        || (digits && UsualHashes::of(server).have(client))
}

fn has(whole: &[u8], part: &[u8]) -> bool {
    whole.windows(part.len()).any(|window| window[0] == part[0] && window == part)
}

/// A secret that is a usual hash, or the beginning of one: of another secret, as text or as the bytes that it
/// spells, or of a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GuessableSecret {
    /// The index of the secret.
    pub secret: usize,
    /// The index of the hashed secret; `None` for a counter.
    pub of: Option<usize>,
    /// The name of the hash function.
    pub hash: &'static str,
}

/// The secrets that can be computed from the other secrets or from counters.
pub fn hashed_secrets(secrets: &[&[u8]]) -> Vec<GuessableSecret> {
    let digits: Vec<_> = secrets.iter().map(|secret| trim_spaces(secret).to_ascii_lowercase()).collect();
    let mut beginnings: HashMap<HashPrefix, Vec<usize>> = HashMap::new();
    for (secret, digits) in digits.iter().enumerate() {
        let mut beginning = HashPrefix::default();
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
                    found.push(GuessableSecret { secret, of, hash });
                }
            }
        };
        let counted = counted.get_or_init(|| hashes_of_counters(digest));
        for (place, _) in counted.iter().enumerate().filter(|(_, known)| beginnings.contains_key(*known)) {
            look(&written((place / FORMS) as u64)[place % FORMS], None);
        }
        for (secret, text) in secrets.iter().enumerate().filter(|(_, text)| text.len() >= BEGINNING) {
            look(text, Some(secret));
            if let Ok(bytes) = hex::decode(text) {
                look(&bytes, Some(secret));
            }
        }
    }
    found.sort_unstable_by_key(|one| (one.secret, one.of));
    found.dedup(); // some notations of a counter are the same
    found
}

/// The beginnings of the counters' hashes, in the order of what is hashed; one table per hash function, made on
/// first use.
static COUNTED: [OnceLock<Vec<HashPrefix>>; 4] = [const { OnceLock::new() }; 4];

fn hashes_of_counters(digest: HashFunction) -> Vec<HashPrefix> {
    (0..COUNTERS).flat_map(written).map(|form| beginning_of(&digest(&form))).collect()
}

fn beginning_of(digest: &[u8]) -> HashPrefix {
    *digest.first_chunk().expect("a hash is longer")
}

/// The number of notations of a counter.
const FORMS: usize = 13;

/// The notations of a number, in text and bytes, that are commonly hashed.
fn written(number: u64) -> [Vec<u8>; FORMS] {
    let hex = |width: usize| format!("{number:0width$x}").into_bytes();
    let (big, little) = (number.to_be_bytes(), number.to_le_bytes());
    [
        hex(1),
        hex(8),
        hex(16),
        hex(32),
        hex(64),
        number.to_string().into_bytes(),
        big[6..].to_vec(),
        little[..2].to_vec(),
        big[4..].to_vec(),
        little[..4].to_vec(),
        big.to_vec(),
        little.to_vec(),
        [[0; 24].as_slice(), &big].concat(),
    ]
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
            let expected = if derived { Derived::Client } else { Derived::Neither };
            assert_eq!(derived_of(&client, server), expected, "{client}");
        }
    }

    fn derived_of(client: &str, server: &str) -> Derived {
        let objects = [Object::Text(client.as_bytes().into())];
        let text = |text| Column::Texts { texts: Texts::One(text), valid: Valid::All };
        let (servers, commitments) = (text(server.as_bytes()), text(b"the Commitment"));
        let seeds = LoggedSeeds { clients: Column::Objects(&objects), servers, commitments };
        derived_seeds(&seeds, &[0], &[FieldPrints::Same([1, 1]), FieldPrints::Same([2, 2])], None).unwrap()[0]
    }

    #[test]
    fn what_is_made_of_the_client_seed_is_told() {
        let client = "a player's own seed";
        let bytes = "00ff10";
        for (client, server, derived) in [
            (client, hex::encode(Sha256::digest(client)), Derived::Server),
            (client, hex::encode(Sha256::digest(client)).to_uppercase(), Derived::Server),
            (client, hex::encode(Sha512::digest(client))[..64].to_owned(), Derived::Server),
            (client, hex::encode(Sha512::digest(client))[90..].to_owned(), Derived::Server),
            (client, hex::encode(Md5::digest(client)), Derived::Server),
            (bytes, hex::encode(Sha1::digest([0, 255, 16])), Derived::Server),
            (bytes, hex::encode(Sha256::digest(bytes)), Derived::Server),
            ("", hex::encode(Sha256::digest("")), Derived::Server),
            (client, hex::encode(Sha256::digest(client))[..9].to_owned(), Derived::Neither),
            (client, hex::encode(Sha256::digest("another player's seed")), Derived::Neither),
            (client, String::new(), Derived::Neither),
        ] {
            assert_eq!(derived_of(client, &server), derived, "{client}, {server}");
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
