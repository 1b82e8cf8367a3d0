//! Client seeds that are made of the server's.

use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};

use super::column::{Cell, Column};
use super::lists::Items;
use super::prints::Print;
use crate::error::Result;
use crate::parallel::{self, no_tick};

/// Characters of a client seed that can tell where it is from; fewer may be in a hash by chance.
const LEAST: usize = 10;

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
    keys: &[Print],
    threads: Option<usize>,
) -> Result<Vec<bool>> {
    let mut found = vec![false; rows.len()];
    let threads = parallel::threads(threads, rows.len(), ROWS_AT_A_TIME);
    let chunks = found.chunks_mut(ROWS_AT_A_TIME).enumerate();
    let work = |known: &mut Vec<(Print, bool)>, (chunk, found): (usize, &mut [bool])| {
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
    let is_of = |seed: &[u8]| {
        has(hex::encode(Sha256::digest(seed)).as_bytes(), &client)
            || has(hex::encode(Sha512::digest(seed)).as_bytes(), &client)
            || has(hex::encode(Md5::digest(seed)).as_bytes(), &client)
            || has(hex::encode(Sha1::digest(seed)).as_bytes(), &client)
    };
    digits && (is_of(seed) || hex::decode(seed).is_ok_and(|bytes| is_of(&bytes)))
}

fn has(whole: &[u8], part: &[u8]) -> bool {
    whole.windows(part.len()).any(|window| window[0] == part[0] && window == part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logs::column::{Object, Valid};
    use crate::texts::Texts;

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
}
