//! Client seeds that are made of the server's.

use sha2::{Digest, Sha256, Sha512};

use super::column::{Cell, Column};
use super::lists::Items;

/// Characters of a client seed that can tell where it is from; fewer may be in a hash by chance.
const LEAST: usize = 10;

/// Tells the rows whose client seed is the server seed, is in it, in one of its hashes or in its commitment, or
/// has the seed in it.
pub fn derived_clients(
    clients: &Column<'_>,
    servers: &Column<'_>,
    commitments: Option<&Column<'_>>,
    rows: usize,
) -> Vec<bool> {
    let mut items = Items::default();
    let mut text = |column: &Column<'_>, row| match column.read(row, &mut items) {
        Cell::Text(text) => text.to_ascii_lowercase(),
        _ => Vec::new(),
    };
    let mut last = (Vec::new(), Vec::new(), false);
    (0..rows)
        .map(|row| {
            let (client, server) = (text(clients, row), text(servers, row));
            if (&client, &server) != (&last.0, &last.1) {
                let commitment = commitments.map(|column| text(column, row)).unwrap_or_default();
                let derived = client.len() >= LEAST && is_derived(&client, &server, &commitment);
                last = (client, server, derived);
            }
            last.2
        })
        .collect()
}

fn is_derived(client: &[u8], server: &[u8], commitment: &[u8]) -> bool {
    let is_in = |whole: &[u8]| whole.windows(client.len()).any(|part| part == client);
    if is_in(server) || is_in(commitment) || (server.len() >= LEAST && has(client, server)) {
        return true;
    }
    client.iter().all(u8::is_ascii_hexdigit)
        && (is_in(hex::encode(Sha256::digest(server)).as_bytes())
            || is_in(hex::encode(Sha512::digest(server)).as_bytes())
            || hex::decode(server).is_ok_and(|bytes| is_in(hex::encode(Sha256::digest(bytes)).as_bytes())))
}

fn has(whole: &[u8], part: &[u8]) -> bool {
    whole.windows(part.len()).any(|window| window == part)
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
            let found = derived_clients(&Column::Objects(&objects), &servers, Some(&commitment), 1);
            assert_eq!(found, [derived], "{client}");
        }
    }
}
