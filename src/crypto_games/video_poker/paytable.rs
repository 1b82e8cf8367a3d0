//! What every poker hand pays.

use super::ranking::{CLASSES, Ranking};
use crate::crypto_games::cards;
use crate::error::{Error, Result};

/// The highest pay, so that no sum of pays over all hands can overflow.
pub const MAX_PAY: i64 = 1_000_000_000;

/// What a paytable is made from. Pays are whole numbers of whatever unit the caller likes.
#[derive(Clone, Debug)]
pub struct Pays {
    pub royal_flush: i64,
    pub straight_flush: i64,
    /// Rank groups and what they pay; the first that matches counts. A group is `A`, `2-4`,
    /// `A,J-K` ..., or with a group of kickers: `2-4 + A-4`. No group at all: one pay for all.
    pub four_of_a_kind: Vec<(Option<String>, i64)>,
    pub full_house: i64,
    pub flush: i64,
    pub straight: i64,
    pub three_of_a_kind: i64,
    pub two_pair: i64,
    pub high_pair: i64,
    /// The lowest rank whose pair is a high pair; the ace is the highest rank.
    pub minimum_pair: String,
}

/// A hand the paytable names, and what it pays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub name: String,
    pub pays: i64,
}

/// Every poker hand's row and pay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paytable {
    rows: Vec<Row>,
    row_of_class: [u8; CLASSES],
}

impl Paytable {
    /// Checks and compiles a paytable.
    pub fn new(pays: &Pays) -> Result<Self> {
        let minimum_pair = cards::parse_rank(&pays.minimum_pair).ok_or_else(|| {
            Error::value(
                "minimum_pair",
                format_args!("must be a rank: A, 2 to 10 or T, J, Q, K, got {:?}", pays.minimum_pair),
            )
        })?;
        let mut rows = Vec::new();
        let mut add = |argument: &str, name: String, pays: i64| {
            if !(0..=MAX_PAY).contains(&pays) {
                return Err(Error::value(
                    argument,
                    format_args!("must pay from 0 to {MAX_PAY} units, got {pays}"),
                ));
            }
            rows.push(Row { name, pays });
            Ok((rows.len() - 1) as u8)
        };
        let royal_flush = add("royal_flush", "royal flush".into(), pays.royal_flush)?;
        let straight_flush = add("straight_flush", "straight flush".into(), pays.straight_flush)?;
        let mut groups = Vec::new();
        for (text, pays) in &pays.four_of_a_kind {
            let (group, name) = match text {
                Some(text) => (Group::parse(text)?, format!("four of a kind {text}")),
                None => (Group::ANY, "four of a kind".to_owned()),
            };
            groups.push((group, add("four_of_a_kind", name, *pays)?));
        }
        let full_house = add("full_house", "full house".into(), pays.full_house)?;
        let flush = add("flush", "flush".into(), pays.flush)?;
        let straight = add("straight", "straight".into(), pays.straight)?;
        let three_of_a_kind = add("three_of_a_kind", "three of a kind".into(), pays.three_of_a_kind)?;
        let two_pair = add("two_pair", "two pair".into(), pays.two_pair)?;
        let high_pair = add("high_pair", pair_name(minimum_pair), pays.high_pair)?;
        let nothing = add("nothing", "nothing".into(), 0)?;

        let mut row_of_class = [nothing; CLASSES];
        let mut used = vec![false; groups.len()];
        for class in 0..CLASSES as u8 {
            row_of_class[usize::from(class)] = match Ranking::from_class(class) {
                Ranking::Nothing => nothing,
                Ranking::Pair { rank } if ace_high(rank) < ace_high(minimum_pair) => nothing,
                Ranking::Pair { .. } => high_pair,
                Ranking::TwoPair => two_pair,
                Ranking::ThreeOfAKind => three_of_a_kind,
                Ranking::Straight => straight,
                Ranking::Flush => flush,
                Ranking::FullHouse => full_house,
                // No hand is four of a kind with a fifth.
                Ranking::FourOfAKind { rank, kicker } if rank == kicker => nothing,
                Ranking::FourOfAKind { rank, kicker } => {
                    let first = groups.iter().position(|(group, _)| group.holds(rank, kicker));
                    let Some(first) = first else {
                        return Err(Error::value(
                            "four_of_a_kind",
                            format_args!(
                                "must give every four of a kind a pay, got none for {} with kicker {}",
                                cards::rank_name(rank),
                                cards::rank_name(kicker)
                            ),
                        ));
                    };
                    used[first] = true;
                    groups[first].1
                }
                Ranking::StraightFlush => straight_flush,
                Ranking::RoyalFlush => royal_flush,
            };
        }
        if let Some(unused) = used.iter().position(|used| !used) {
            let (text, _) = &pays.four_of_a_kind[unused];
            return Err(Error::value(
                "four_of_a_kind",
                format_args!(
                    "must have no group that never counts (the first match wins), got {:?}",
                    text.as_deref().unwrap_or_default()
                ),
            ));
        }
        Ok(Self { rows, row_of_class })
    }

    /// The hands it names, best first; the last is "nothing".
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The row of a class of hands.
    #[inline]
    pub fn row(&self, class: u8) -> usize {
        usize::from(self.row_of_class[usize::from(class)])
    }

    /// The pay of every class of hands.
    pub fn pays(&self) -> [i64; CLASSES] {
        self.row_of_class.map(|row| self.rows[usize::from(row)].pays)
    }
}

/// Ranks in the order of their worth in a pair: 1 for a two, ..., 12 for a king, 13 for an ace.
pub fn ace_high(rank: u8) -> u8 {
    if rank == 0 { 13 } else { rank }
}

fn pair_name(minimum: u8) -> String {
    const PLURALS: [&str; 13] = [
        "aces", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens", "jacks",
        "queens", "kings",
    ];
    let rank = PLURALS[usize::from(minimum)];
    if minimum == 0 { format!("pair of {rank}") } else { format!("{rank} or better") }
}

/// Which fours of a kind a row of the paytable means: sets of ranks, one bit each.
#[derive(Clone, Copy)]
struct Group {
    ranks: u16,
    kickers: u16,
}

impl Group {
    const ANY: Self = Self { ranks: 0x1fff, kickers: 0x1fff };

    fn parse(text: &str) -> Result<Self> {
        let refuse = || {
            Error::value(
                "four_of_a_kind",
                format_args!(
                    "must name groups of ranks such as \"A\", \"2-4\", \"5-K\", or with kickers \
                     \"2-4 + A-4\", got {text:?}"
                ),
            )
        };
        let (ranks, kickers) = match text.split_once('+') {
            Some((ranks, kickers)) => (ranks, parse_ranks(kickers).ok_or_else(refuse)?),
            None => (text, Self::ANY.kickers),
        };
        Ok(Self { ranks: parse_ranks(ranks).ok_or_else(refuse)?, kickers })
    }

    fn holds(self, rank: u8, kicker: u8) -> bool {
        self.ranks >> rank & 1 == 1 && self.kickers >> kicker & 1 == 1
    }
}

/// Reads ranks and ranges of them, separated by commas. The ace starts a range as the lowest rank
/// (`A-4`) and ends it as the highest (`J-A`).
fn parse_ranks(text: &str) -> Option<u16> {
    let mut ranks = 0;
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let first = cards::parse_rank(first.trim())?;
        let last = cards::parse_rank(last.trim())?;
        let end = if last == 0 && first != 0 { 13 } else { last };
        if first > end {
            return None;
        }
        for rank in first..=end {
            ranks |= 1 << (rank % 13);
        }
    }
    Some(ranks)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A paytable with one pay for all fours of a kind, unless groups are given.
    pub fn paytable(pays: [i64; 9], groups: &[(&str, i64)], minimum_pair: &str) -> Paytable {
        Paytable::new(&spec(pays, groups, minimum_pair)).unwrap()
    }

    fn spec(pays: [i64; 9], groups: &[(&str, i64)], minimum_pair: &str) -> Pays {
        let four_of_a_kind = if groups.is_empty() {
            vec![(None, pays[2])]
        } else {
            groups.iter().map(|&(text, pays)| (Some(text.to_owned()), pays)).collect()
        };
        Pays {
            royal_flush: pays[0],
            straight_flush: pays[1],
            four_of_a_kind,
            full_house: pays[3],
            flush: pays[4],
            straight: pays[5],
            three_of_a_kind: pays[6],
            two_pair: pays[7],
            high_pair: pays[8],
            minimum_pair: minimum_pair.to_owned(),
        }
    }

    const JACKS: [i64; 9] = [800, 50, 25, 9, 6, 4, 3, 2, 1];

    fn pay(table: &Paytable, ranking: Ranking) -> i64 {
        table.pays()[usize::from(ranking.class())]
    }

    #[test]
    fn the_first_group_that_matches_counts() {
        let groups = [("A + 2-4", 400), ("2-4 + A-4", 161), ("A", 160), ("2-4", 80), ("5-K", 50)];
        let table = paytable(JACKS, &groups, "J");
        let four = |rank, kicker| pay(&table, Ranking::FourOfAKind { rank, kicker });
        assert_eq!(four(0, 1), 400);
        assert_eq!(four(0, 3), 400);
        assert_eq!(four(0, 4), 160);
        assert_eq!(four(1, 0), 161);
        assert_eq!(four(3, 2), 161);
        assert_eq!(four(3, 12), 80);
        assert_eq!(four(4, 0), 50);
        assert_eq!(four(12, 0), 50);
        assert_eq!(table.rows().len(), 14);
        assert_eq!(table.rows()[2].name, "four of a kind A + 2-4");
        assert_eq!(table.rows()[13], Row { name: "nothing".into(), pays: 0 });
    }

    #[test]
    fn the_minimum_pair() {
        for (minimum, paid, name) in [
            ("J", &[0, 10, 11, 12][..], "jacks or better"),
            ("T", &[0, 9, 10, 11, 12], "tens or better"),
            ("A", &[0], "pair of aces"),
            ("2", &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], "twos or better"),
        ] {
            let table = paytable(JACKS, &[], minimum);
            for rank in 0..13 {
                let expected = i64::from(paid.contains(&rank));
                assert_eq!(pay(&table, Ranking::Pair { rank }), expected, "{minimum} {rank}");
            }
            assert_eq!(table.rows()[8].name, name);
        }
    }

    #[test]
    fn mistakes_are_refused_by_name() {
        let refused = |pays, groups: &[(&str, i64)], minimum| {
            Paytable::new(&spec(pays, groups, minimum)).unwrap_err().to_string()
        };
        assert_eq!(
            refused(JACKS, &[], "1"),
            "minimum_pair must be a rank: A, 2 to 10 or T, J, Q, K, got \"1\""
        );
        assert!(refused([-1, 1, 1, 1, 1, 1, 1, 1, 1], &[], "J").starts_with("royal_flush must pay"));
        assert!(refused(JACKS, &[("A", 70), ("2-4", 35)], "J").ends_with("got none for 5 with kicker A"));
        assert!(refused(JACKS, &[("A-K", 70), ("2-4", 35)], "J").ends_with("got \"2-4\""));
        for group in ["", "K-2", "A-", "A + ", "X", "2-4-6"] {
            let error = refused(JACKS, &[(group, 1), ("A-K", 2)], "J");
            assert!(error.starts_with("four_of_a_kind must name groups of ranks"), "{error}");
        }
    }
}
