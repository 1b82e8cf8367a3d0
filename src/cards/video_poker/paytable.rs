//! Paytables: the pay of every poker hand.
//!
//! A paytable names hands in groups of one family, by rank, kicker or suit, finer or coarser than the ranking. It is
//! compiled once to a row for each class of [`Ranking`], so looking up a hand takes two table reads. With wild cards
//! a hand can count as several rankings and pays the best of them: rows are sorted by pay, and the row of a kind is
//! the first of the rows of its rankings. Three mistakes are refused: a group that matches no hand, a hand without a
//! group, and a hand that pays less than another one that it always counts as.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::deck::{DeckHands, Wild};
use super::ranking::{CLASSES, Hand, Ranking};
use super::sequence::{ORDERS, SequentialRoyal};
use crate::cards::card;
use crate::error::{Error, Result, value_error};

/// The maximum pay, so that no sum of pays over all hands can overflow.
pub const MOST_PAY: i64 = 1_000_000_000;

/// The pays of one family of hands: one for all, or groups, of which the first match counts.
pub type GroupPays = Vec<(Option<String>, i64)>;

/// The families of hands, from the best down as far as that is independent of the pays.
const FAMILIES: [&str; 13] = [
    "sequential_royal_flush",
    "royal_flush",
    "four_wild",
    "wild_royal_flush",
    "five_of_a_kind",
    "straight_flush",
    "four_of_a_kind",
    "full_house",
    "flush",
    "straight",
    "three_of_a_kind",
    "two_pair",
    "high_pair",
];

/// The families that every paytable without wild cards may pay, except royal flushes in sequence.
pub fn families_without_wild_cards() -> impl Iterator<Item = &'static str> {
    let others = ["sequential_royal_flush", "five_of_a_kind"];
    FAMILIES.into_iter().filter(move |family| !family.contains("wild") && !others.contains(family))
}

/// The pays of a paytable, in whole numbers of any unit.
#[derive(Clone, Debug)]
pub struct Pays {
    /// The wild cards.
    pub wild: Wild,
    /// The orders of a royal flush that count as in sequence.
    pub sequence: SequentialRoyal,
    /// The lowest rank of a high pair; the ace is the highest rank.
    pub minimum_pair: String,
    /// The pays by family. Hands of a family that is left out count as the next best one. Groups are of suits for
    /// royal flushes (`h`, `s,d,c`), of the fifth card for four wild cards, and otherwise of ranks (`A`, `3-5`), with
    /// or without kickers for four of a kind (`A`, `2-4`, `A,J-K`, `2-4 + A-4`).
    pub families: BTreeMap<String, GroupPays>,
}

impl Pays {
    /// The pays of a family.
    fn of(&self, family: &str) -> &[(Option<String>, i64)] {
        self.families.get(family).map_or(&[], Vec::as_slice)
    }
}

/// A row of the paytable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaytableRow {
    /// The name of the hand.
    pub name: String,
    /// Its pay, in the paytable's unit.
    pub pays: i64,
}

/// A compiled paytable.
#[derive(Clone, Debug)]
pub struct Paytable {
    wild: Wild,
    rows: Vec<PaytableRow>,
    row_of_class: [u8; CLASSES],
    row_of_kind: OnceLock<Vec<u8>>,
    /// The lowest rank that pays as a pair; `None` if no pair pays.
    minimum_pair: Option<u8>,
    /// The row of royal flushes in sequence, and their orders; `None` if they pay like others.
    sequential: Option<(usize, SequentialRoyal)>,
}

impl Paytable {
    /// Checks and compiles the pays.
    pub fn new(pays: &Pays) -> Result<Self> {
        let minimum = card::parse_rank(&pays.minimum_pair).ok_or_else(|| {
            value_error!(
                "minimum_pair",
                "must be a rank: A, 2 to 10 or T, J, Q, K, got {:?}",
                pays.minimum_pair
            )
        })?;
        let minimum_pair = (!pays.of("high_pair").is_empty()).then_some(minimum);
        check_order(pays)?;
        let mut groups = Vec::new();
        for family in FAMILIES {
            let name = match (family, pays.wild) {
                ("four_wild", Wild::Rank(1)) => "four deuces".to_owned(),
                ("four_wild", Wild::Rank(rank)) => format!("four {}", PLURALS[usize::from(rank)]),
                ("four_wild", _) => String::new(),
                ("high_pair", _) => pair_name(minimum),
                _ => family.replace('_', " "),
            };
            for (text, pays) in pays.of(family) {
                groups.push(Group::new(family, groups.len(), &name, text.as_deref(), *pays)?);
            }
        }
        // With wild cards, rows are listed and searched in the order of pays.
        if pays.wild != Wild::No {
            groups.sort_by_key(|group| std::cmp::Reverse(group.pays));
        }
        let row = |group: &Group| PaytableRow { name: group.name.clone(), pays: group.pays };
        let mut rows: Vec<PaytableRow> = groups.iter().map(row).collect();
        rows.push(PaytableRow { name: "nothing".to_owned(), pays: 0 });
        let nothing = groups.len();
        let sequential = groups.iter().position(|group| group.family == "sequential_royal_flush");

        // Royal flushes in sequence depend on the order of the cards, so no kind has this row.
        let mut used: Vec<bool> = (0..nothing).map(|row| Some(row) == sequential).collect();
        let mut row_of_class = [nothing; CLASSES];
        for ranking in Ranking::all() {
            let Some((family, first, second)) = place(ranking, minimum_pair) else { continue };
            let of_family = || groups.iter().enumerate().filter(|(_, group)| group.family == family);
            let matching = of_family().filter(|(_, group)| group.holds(first, second));
            match matching.min_by_key(|(_, group)| group.number) {
                Some((row, _)) => {
                    row_of_class[usize::from(ranking.class())] = row;
                    used[row] = true;
                }
                None if of_family().next().is_none() || !is_possible(ranking, pays.wild) => {}
                None => return Err(lacks(family, ranking)),
            }
        }
        if let Some((unused, _)) = groups.iter().zip(&used).find(|(_, used)| !**used) {
            return Err(value_error!(
                unused.family,
                "must have no group that never counts (the first match wins), got {:?}",
                unused.text.as_deref().unwrap_or_default()
            ));
        }
        let row_of_class = row_of_class.map(|row| row as u8);
        let sequential = sequential.map(|row| (row, pays.sequence));
        let row_of_kind = OnceLock::new();
        Ok(Self { wild: pays.wild, rows, row_of_class, row_of_kind, minimum_pair, sequential })
    }

    /// The row of each kind of hand. Computed on first use, since it takes a pass over all hands.
    fn rows_of_kinds(&self) -> &[u8] {
        self.row_of_kind.get_or_init(|| {
            let row_of_class = |ranking: &Ranking| self.row_of_class[usize::from(ranking.class())];
            let best = |rankings: &Vec<Ranking>| rankings.iter().map(row_of_class).min();
            let nothing = self.rows.len() as u8 - 1;
            self.hands().kinds.iter().map(|kind| best(kind).unwrap_or(nothing)).collect()
        })
    }

    /// The rows, best first; the last is "nothing".
    pub fn rows(&self) -> &[PaytableRow] {
        &self.rows
    }

    /// The wild cards.
    pub fn wild(&self) -> Wild {
        self.wild
    }

    /// All hands of the deck.
    pub fn hands(&self) -> &'static DeckHands {
        DeckHands::of(self.wild)
    }

    /// The row of a hand in its given order.
    #[inline]
    pub fn row(&self, hand: &Hand) -> usize {
        match self.sequential {
            Some((row, sequence)) if sequence.is(hand) => row,
            _ => self.row_of_kind(self.hands().kind(hand)),
        }
    }

    /// The row of royal flushes in sequence, and their orders.
    pub fn sequential(&self) -> Option<(usize, SequentialRoyal)> {
        self.sequential
    }

    /// The number of orders of a deal's cards that are told apart.
    pub fn orders(&self) -> i64 {
        if self.sequential.is_some() { ORDERS } else { 1 }
    }

    /// The row of each suit's royal flush.
    pub fn royal_rows(&self) -> [usize; 4] {
        [0, 1, 2, 3].map(|suit| self.row_of_kind(u16::from(Ranking::RoyalFlush { suit }.class())))
    }

    /// The row of a kind of hand.
    #[inline]
    pub fn row_of_kind(&self, kind: u16) -> usize {
        usize::from(self.rows_of_kinds()[usize::from(kind)])
    }

    /// The pay of each kind of hand.
    pub fn pays(&self) -> Vec<i64> {
        self.rows_of_kinds().iter().map(|&row| self.rows[usize::from(row)].pays).collect()
    }

    /// All rankings that a hand can count as, whatever they pay.
    pub fn rankings(&self, hand: &Hand) -> &'static [Ranking] {
        let hands = self.hands();
        &hands.kinds[usize::from(hands.kind(hand))]
    }

    /// Whether a rank pays as a pair.
    pub fn is_high(&self, rank: u8) -> bool {
        self.minimum_pair.is_some_and(|minimum| ace_high(rank) >= ace_high(minimum))
    }

    /// A number for each suit, equal for suits that can be exchanged without changing any pay.
    pub fn suits(&self) -> [u8; 4] {
        let pays = self.royal_rows().map(|row| self.rows[row].pays);
        [0, 1, 2, 3].map(|suit| (0..suit).find(|&other| pays[other] == pays[suit]).unwrap_or(suit) as u8)
    }
}

/// Whether hands can have a ranking: cards of the wild rank are never counted by their rank.
fn is_possible(ranking: Ranking, wild: Wild) -> bool {
    let ranks = match ranking {
        Ranking::FourOfAKind { rank, kicker } => [rank, kicker],
        Ranking::FullHouse { threes: rank }
        | Ranking::FiveOfAKind { rank }
        | Ranking::FourWild { kicker: rank } => [rank, rank],
        _ => return true,
    };
    !ranks.into_iter().any(|rank| wild == Wild::Rank(rank))
}

/// The family of a ranking in [`Paytable::new`], with the values that its groups are matched by.
fn place(ranking: Ranking, minimum_pair: Option<u8>) -> Option<(&'static str, u8, u8)> {
    Some(match ranking {
        Ranking::RoyalFlush { suit } => ("royal_flush", suit, 0),
        Ranking::FourWild { kicker } => ("four_wild", kicker, 0),
        Ranking::WildRoyalFlush => ("wild_royal_flush", 0, 0),
        Ranking::FiveOfAKind { rank } => ("five_of_a_kind", rank, 0),
        Ranking::StraightFlush => ("straight_flush", 0, 0),
        // No hand is four of a kind with a fifth of the same rank.
        Ranking::FourOfAKind { rank, kicker } if rank == kicker => return None,
        Ranking::FourOfAKind { rank, kicker } => ("four_of_a_kind", rank, kicker),
        Ranking::FullHouse { threes } => ("full_house", threes, 0),
        Ranking::Flush => ("flush", 0, 0),
        Ranking::Straight => ("straight", 0, 0),
        Ranking::ThreeOfAKind => ("three_of_a_kind", 0, 0),
        Ranking::TwoPair => ("two_pair", 0, 0),
        Ranking::Pair { rank } if ace_high(rank) >= ace_high(minimum_pair?) => ("high_pair", 0, 0),
        Ranking::Pair { .. } | Ranking::Nothing => return None,
    })
}

/// Refuses a paytable in which a hand pays less than another that it always counts as: with wild cards it would
/// never be paid by its own name. The same goes for royal flushes in sequence.
fn check_order(pays: &Pays) -> Result<()> {
    let all = |family| pays.of(family).iter().map(|(_, pay)| *pay);
    let only = |family| all(family).next().filter(|_| matches!(pays.of(family), [(None, _)]));
    let sequential = [("sequential_royal_flush", "royal_flush", all("royal_flush").max())];
    let with_wild_cards = [
        ("royal_flush", "wild_royal_flush"),
        ("royal_flush", "straight_flush"),
        ("wild_royal_flush", "straight_flush"),
        ("four_wild", "five_of_a_kind"),
        ("five_of_a_kind", "four_of_a_kind"),
        ("straight_flush", "flush"),
        ("straight_flush", "straight"),
        ("four_of_a_kind", "three_of_a_kind"),
        ("full_house", "three_of_a_kind"),
        ("three_of_a_kind", "high_pair"),
    ]
    .map(|(better, worse)| (better, worse, only(worse)));
    let better = if pays.wild == Wild::No { &[][..] } else { &with_wild_cards };
    for &(better, worse, worse_pay) in sequential.iter().chain(better) {
        if let (Some(pay), Some(worse_pay)) = (all(better).min(), worse_pay)
            && pay < worse_pay
        {
            return Err(value_error!(
                better,
                "must pay at least what {worse} pays, which it always is, got {pay} and {worse_pay}"
            ));
        }
    }
    Ok(())
}

/// The error for a ranking that no group of its family matches.
fn lacks(family: &str, ranking: Ranking) -> Error {
    let name = card::rank_name;
    let which = match ranking {
        Ranking::FourOfAKind { rank, kicker } => format!("{} with kicker {}", name(rank), name(kicker)),
        Ranking::RoyalFlush { suit } => SUITS[usize::from(suit)].to_owned(),
        Ranking::FullHouse { threes: rank }
        | Ranking::FiveOfAKind { rank }
        | Ranking::FourWild { kicker: rank } => name(rank).to_owned(),
        _ => String::new(),
    };
    let hand = family.replace('_', " ");
    value_error!(family, "must give every {hand} a pay, got none for {which}")
}

/// The hands of one row: sets of ranks and kickers, or of suits, as bits.
struct Group {
    /// The argument that the group belongs to. The first matching group of a family counts.
    family: &'static str,
    number: usize,
    first: u16,
    second: u16,
    text: Option<String>,
    name: String,
    pays: i64,
}

/// All ranks, or all suits.
const ALL: u16 = 0x1fff;

impl Group {
    fn new(family: &'static str, number: usize, name: &str, text: Option<&str>, pays: i64) -> Result<Self> {
        if !(0..=MOST_PAY).contains(&pays) {
            return Err(value_error!(family, "must pay from 0 to {MOST_PAY} units, got {pays}"));
        }
        let (first, second) = text.map_or(Ok((ALL, ALL)), |text| parse_group(family, text))?;
        let name = text.map_or(name.to_owned(), |text| format!("{name} {text}"));
        Ok(Group { family, number, first, second, text: text.map(str::to_owned), name, pays })
    }

    fn holds(&self, first: u8, second: u8) -> bool {
        self.first >> first & 1 == 1 && self.second >> second & 1 == 1
    }
}

/// Parses a group: suits for royal flushes, ranks for other hands, and kickers for four of a kind.
fn parse_group(argument: &str, text: &str) -> Result<(u16, u16)> {
    let refuse = |allowed: &str| value_error!(argument, "must name {allowed}, got {text:?}");
    match argument {
        "royal_flush" => {
            let suits =
                parse_suits(text).ok_or_else(|| refuse("groups of suits such as \"h\" or \"s,d,c\""))?;
            Ok((suits, ALL))
        }
        "four_of_a_kind" => {
            let refuse =
                || refuse("groups of ranks such as \"A\", \"2-4\", \"5-K\", or with kickers \"2-4 + A-4\"");
            let (ranks, kickers) = match text.split_once('+') {
                Some((ranks, kickers)) => (ranks, parse_ranks(kickers).ok_or_else(refuse)?),
                None => (text, ALL),
            };
            Ok((parse_ranks(ranks).ok_or_else(refuse)?, kickers))
        }
        _ => {
            let refuse = || refuse("groups of ranks such as \"A\", \"2-4\", \"5-K\"");
            Ok((parse_ranks(text).ok_or_else(refuse)?, ALL))
        }
    }
}

const SUITS: [&str; 4] = ["spades", "hearts", "diamonds", "clubs"];

/// Parses suits separated by commas: names, first letters or symbols.
fn parse_suits(text: &str) -> Option<u16> {
    text.split(',').try_fold(0, |suits, part| {
        let part = part.trim().to_lowercase();
        let found = SUITS.iter().zip(["♠", "♥", "♦", "♣"]).position(|(name, symbol)| {
            part == *name || part == symbol || part.len() == 1 && name.starts_with(&part)
        })?;
        Some(suits | 1 << found)
    })
}

/// Ranks in the order of pairs: 1 for a two, ..., 12 for a king, 13 for an ace.
pub fn ace_high(rank: u8) -> u8 {
    if rank == 0 { 13 } else { rank }
}

const PLURALS: [&str; 13] = [
    "aces", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens", "jacks",
    "queens", "kings",
];

fn pair_name(minimum: u8) -> String {
    let rank = PLURALS[usize::from(minimum)];
    if minimum == 0 { format!("pair of {rank}") } else { format!("{rank} or better") }
}

/// Parses ranks and ranges of ranks, separated by commas. The ace is the lowest rank at the start of a range (`A-4`)
/// and the highest at the end (`J-A`).
fn parse_ranks(text: &str) -> Option<u16> {
    let mut ranks = 0;
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let first = card::parse_rank(first.trim())?;
        let last = card::parse_rank(last.trim())?;
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

    /// A paytable with one pay for every four of a kind, unless groups are given.
    pub fn paytable(pays: [i64; 9], groups: &[(&str, i64)], minimum_pair: &str) -> Paytable {
        Paytable::new(&spec(pays, groups, minimum_pair)).unwrap()
    }

    pub fn spec(pays: [i64; 9], groups: &[(&str, i64)], minimum_pair: &str) -> Pays {
        let one = |(family, pay): (&str, i64)| (family.to_owned(), vec![(None, pay)]);
        let mut families: BTreeMap<_, _> = families_without_wild_cards().zip(pays).map(one).collect();
        if !groups.is_empty() {
            let groups = groups.iter().map(|&(text, pays)| (Some(text.to_owned()), pays)).collect();
            families.insert("four_of_a_kind".to_owned(), groups);
        }
        let sequence = SequentialRoyal { reversible: false };
        Pays { wild: Wild::No, sequence, minimum_pair: minimum_pair.to_owned(), families }
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
        assert_eq!(table.rows()[13], PaytableRow { name: "nothing".into(), pays: 0 });
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
