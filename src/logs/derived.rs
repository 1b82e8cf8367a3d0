//! Client seeds that are made of the server's.

use sha2::{Digest, Sha256, Sha512};

use super::column::{Cell, Column};
use super::lists::Items;
use super::prints::{self, Print};
use crate::error::Result;
use crate::parallel::{self, no_tick};

/// Characters of a client seed that can tell where it is from; fewer may be in a hash by chance.
const LEAST: usize = 10;

const ROWS_AT_A_TIME: usize = 1 << 12;
/// Pairs of seeds that a worker remembers.
const REMEMBERED: usize = 1 << 10;

/// Tells the rows whose client seed is the server seed, is in it, in one of its hashes or in its commitment, or
/// has the seed in it.
pub fn derived_clients(
    clients: &Column<'_>,
    servers: &Column<'_>,
    commitments: Option<&Column<'_>>,
    rows: usize,
    threads: Option<usize>,
) -> Result<Vec<bool>> {
    let mut found = vec![false; rows];
    let threads = parallel::threads(threads, rows, ROWS_AT_A_TIME);
    let chunks = found.chunks_mut(ROWS_AT_A_TIME).enumerate();
    let work = |known: &mut Vec<(Print, bool)>, (chunk, found): (usize, &mut [bool])| {
        let mut last: (&[u8], &[u8], &[u8], bool) = (b"", b"", b"", false);
        let [mut one, mut two, mut three] = std::array::from_fn(|_| Items::default());
        for (row, derived) in (chunk * ROWS_AT_A_TIME..).zip(&mut *found) {
            let Cell::Text(client) = clients.read(row, &mut one) else { continue };
            let Cell::Text(server) = servers.read(row, &mut two) else { continue };
            if client.len() < LEAST {
                continue;
            }
            let commitment = match commitments.map(|column| column.read(row, &mut three)) {
                Some(Cell::Text(commitment)) => commitment,
                _ => b"",
            };
            if (client, server, commitment) == (last.0, last.1, last.2) {
                *derived = last.3;
                continue;
            }
            let key = prints::join(
                prints::join(prints::print(client), prints::print(server)),
                prints::print(commitment),
            );
            let slot = &mut known[key[0] as usize % REMEMBERED];
            if slot.0 != key {
                *slot = (key, is_derived(client, server, commitment));
            }
            *derived = slot.1;
            last = (client, server, commitment, slot.1);
        }
        found.len() as u64
    };
    parallel::run(chunks, threads, &mut no_tick, || vec![([0; 2], false); REMEMBERED], work)?;
    Ok(found)
}

fn is_derived(client: &[u8], server: &[u8], commitment: &[u8]) -> bool {
    let seed = server;
    let [client, server, commitment] = [client, server, commitment].map(<[u8]>::to_ascii_lowercase);
    if has(&server, &client) || has(&commitment, &client) || (server.len() >= LEAST && has(&client, &server))
    {
        return true;
    }
    let is_of = |hash: String| has(hash.as_bytes(), &client);
    client.iter().all(u8::is_ascii_hexdigit)
        && (is_of(hex::encode(Sha256::digest(seed)))
            || is_of(hex::encode(Sha512::digest(seed)))
            || hex::decode(seed).is_ok_and(|bytes| is_of(hex::encode(Sha256::digest(bytes)))))
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
            ("commitment".to_owned(), true),
            (server[..8].to_owned(), false),
            ("0123456789abcdef".to_owned(), false),
            (String::new(), false),
        ] {
            let objects = [Object::Text(client.as_bytes().into())];
            let servers = Column::Texts { texts: Texts::One(server.as_bytes()), valid: Valid::All };
            let commitment = Column::Texts { texts: Texts::One(b"the Commitment"), valid: Valid::All };
            let found = derived_clients(&Column::Objects(&objects), &servers, Some(&commitment), 1, None);
            let found = found.unwrap();
            assert_eq!(found, [derived], "{client}");
        }
    }
}
