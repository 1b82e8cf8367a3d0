//! Different cards of a digest, on every path: those of the documents, of plain walks, and of readers.

use provably_fair::error::Result;
use provably_fair::parallel::no_tick;
use provably_fair::schemes::{
    Algorithm, Fields, Hash, Limit, Piece, Reader, Scheme, Source, Streams, Template, Values, Work,
};
use provably_fair::sha2_lanes::Path;
use provably_fair::strings::Texts;
use sha2::{Digest as _, Sha512};

/// The documents' rounds of video poker and of blackjack.
const POKER: [&[u8]; 2] = [b"2XMpPAbEw3qdH3HQla2K5zNwoNEFHOEYolkB969j", b"bc7v9bn70d7n07sn"];
const BLACKJACK: [&[u8]; 2] = [b"Yt5IDwsb3Ldc5vyusvcQNfLqqjoYmCHGRkasqXNQ", b"5v5b85n85vb856nvbn5vbn"];

/// Server seed, client seed and nonce, one after another.
fn seeds(algorithm: Algorithm, cursor: bool) -> Hash {
    let mut message: Vec<Piece> = (0..3).map(Piece::Field).collect();
    message.extend(cursor.then_some(Piece::Cursor));
    Hash { algorithm, message: Template(message), key: None }
}

fn fields<'a>([server, client]: [&'a [u8]; 2], nonce: Values<'a>, rounds: usize) -> Fields<'a> {
    Fields::new(
        vec![Values::Texts(Texts::One(server)), Values::Texts(Texts::One(client)), nonce],
        Some(rounds),
    )
}

fn one(scheme: &Scheme, seeds: [&[u8]; 2], n: u64, wanted: usize) -> Vec<i64> {
    let fields = fields(seeds, Values::Texts(Texts::One(b"")), 1);
    let source = Source { scheme, fields: &fields };
    let mut work = Work { source, path: Path::best(), threads: None, tick: &mut no_tick };
    let mut out = vec![7; wanted];
    Streams::new(0, 1, 0).distinct(&mut work, n, &mut out).unwrap();
    out
}

#[test]
fn the_documents_cards() {
    let poker = Scheme::new(seeds(Algorithm::Sha512, false), 8, None, "decimal", 0).unwrap();
    assert_eq!(one(&poker, POKER, 52, 10), [49, 17, 46, 39, 40, 28, 30, 36, 21, 44]);
    let blackjack = Scheme::new(seeds(Algorithm::Sha512, false), 8, None, "reject", 0).unwrap();
    let shoe = one(&blackjack, BLACKJACK, 208, 52);
    assert_eq!(shoe[..6], [43, 135, 197, 199, 54, 142]);
    // The hash holds 49 cards.
    assert_eq!(shoe.iter().position(|&card| card == -1), Some(49));
    assert_eq!(shoe[49..], [-1; 3]);
}

#[test]
fn the_documents_table_of_bytes() {
    let scheme = Scheme::new(seeds(Algorithm::Sha512, false), 8, None, "decimal", 0).unwrap();
    let fields = fields(POKER, Values::Texts(Texts::One(b"")), 1);
    let source = Source { scheme: &scheme, fields: &fields };
    let mut reader = Reader::default();
    let mut drawn = || (reader.below(source, 0, 52).unwrap(), reader.drawn().passed.clone());
    let expected: [(u64, &[u64]); 9] = [
        (49, &[0x3a]),
        (17, &[0x9b, 0xba, 0xff]),
        (46, &[0xb3]),
        (39, &[]),
        (40, &[]),
        (28, &[0x43]),
        (46, &[]), // the same card again
        (30, &[]),
        (36, &[]),
    ];
    for (card, passed) in expected {
        assert_eq!(drawn(), (card, passed.to_vec()));
    }
}

/// Distinct values from one digest, on every path, against a walk through its bytes.
#[test]
fn different_ones_of_one_digest_are_those_of_a_plain_walk() {
    let cases = [
        ("reject", 208, 208, 256),
        ("decimal", 52, 52, 100),
        ("decimal", 54, 54, 100),
        ("reject", 64, 64, 64),
    ];
    // Rounds that are read one by one, a part of a tile, and tiles; up to two blocks of a message.
    for rounds in [5, 300, 2051] {
        for server in [&b"server"[..], &[b's'; 97]] {
            for (below, n, end, modulus) in cases {
                let scheme = Scheme::new(seeds(Algorithm::Sha512, false), 8, None, below, 0).unwrap();
                let fields = fields([server, b"client"], Values::Counter { start: 95 }, rounds + 9);
                let source = Source { scheme: &scheme, fields: &fields };
                for wanted in [0, 1, 10, 70] {
                    let mut expected: Vec<i64> = Vec::new();
                    for nonce in (95 + 9..).take(rounds) {
                        let mut row: Vec<i64> = Vec::new();
                        let text = [server, b"client", nonce.to_string().as_bytes()].concat();
                        for byte in Sha512::digest(text) {
                            let card = i64::from(byte) % modulus;
                            if card < end && !row.contains(&card) {
                                row.push(card);
                            }
                        }
                        row.resize(wanted, -1);
                        expected.extend(&row);
                    }
                    for (name, path) in Path::all() {
                        for threads in [1, 3] {
                            let threads = Some(threads);
                            let mut work = Work { source, path, threads, tick: &mut no_tick };
                            let mut out = vec![7; rounds * wanted];
                            Streams::new(9, rounds, 0).distinct(&mut work, n, &mut out).unwrap();
                            assert!(out == expected, "{name} {below} {rounds} {wanted}");
                        }
                    }
                }
            }
        }
    }
}

/// Distinct values between other draws, under schemes of every form, against readers.
#[test]
fn different_ones_go_on_where_each_round_is() {
    let schemes = [
        Scheme::new(seeds(Algorithm::Sha512, false), 8, None, "reject", 0),
        Scheme::new(seeds(Algorithm::Sha512, false), 8, Some(40), "decimal", 0),
        Scheme::new(seeds(Algorithm::Sha256, false), 8, None, "modulo", 0),
        Scheme::new(seeds(Algorithm::Sha256, false), 16, None, "reject_last", 0),
        Scheme::new(seeds(Algorithm::Sha256, true), 8, None, "decimal", 1),
        Scheme::new(seeds(Algorithm::Sha1, true), 32, Some(2), "scale", 0),
    ];
    for scheme in schemes.map(Result::unwrap) {
        for rounds in [3, 200] {
            let fields = fields([b"s", b"c"], Values::Counter { start: 0 }, rounds);
            let source = Source { scheme: &scheme, fields: &fields };
            let mut readers = vec![Reader::default(); rounds];
            let mut distinct = |n: u64, wanted: usize| {
                let mut rows = Vec::new();
                for (round, reader) in readers.iter_mut().enumerate() {
                    let mut row: Vec<i64> = Vec::new();
                    while row.len() < wanted
                        && let Ok(value) = reader.below(source, round, n)
                    {
                        if !row.contains(&(value as i64)) {
                            row.push(value as i64);
                        }
                    }
                    row.resize(wanted, -1);
                    rows.extend(row);
                }
                rows
            };
            let expected = [distinct(52, 5), distinct(2, 2), distinct(52, 9)];
            let after: Result<Vec<i64>> = readers
                .iter_mut()
                .enumerate()
                .map(|(round, reader)| reader.below(source, round, 9).map(|value| value as i64))
                .collect();
            for (name, path) in Path::all() {
                let mut streams = Streams::new(0, rounds, 0);
                let mut work = Work { source, path, threads: Some(2), tick: &mut no_tick };
                for (n, expected) in [52, 2, 52].into_iter().zip(&expected) {
                    let mut out = vec![7; expected.len()];
                    streams.distinct(&mut work, n, &mut out).unwrap();
                    assert!(out == *expected, "{name} {scheme:?}");
                }
                let mut out = vec![7; rounds];
                let found = streams.below(&mut work, Limit::One(9), &mut out).map(|()| out);
                assert_eq!(found, after, "{name} {scheme:?}");
            }
        }
    }
}

#[test]
fn each_decimal_answer_has_as_many_bytes() {
    let scheme = Scheme::new(seeds(Algorithm::Sha512, false), 8, None, "decimal", 0).unwrap();
    for n in [1, 2, 52, 54, 56] {
        assert_eq!(scheme.check_n("n", n), Ok(n as u64));
        let mut bytes = vec![0; n as usize];
        (0..256).filter(|&byte| !scheme.passes(byte, n as u64)).for_each(|byte| {
            assert_eq!(scheme.answer(byte, n as u64), byte % 100);
            bytes[scheme.answer(byte, n as u64) as usize] += 1;
        });
        assert!(bytes.iter().all(|&count| count == 3), "{n} {bytes:?}");
    }
    // 56 to 99 are the last two digits of two bytes.
    for n in [0, 57, 100] {
        let error = scheme.check_n("n", n).unwrap_err().to_string();
        assert_eq!(error, format!("n must be from 1 to 56, got {n}"));
    }
    for bits in [4, 16, 64] {
        let error =
            Scheme::new(seeds(Algorithm::Sha512, false), bits, None, "decimal", 0).unwrap_err().to_string();
        assert!(error.contains("use bits=8"), "{error}");
    }
}
