//! The distribution of the net win of a round.
//!
//! For a hand that isn't split it follows from the cards and the dealer's probabilities. The hands of a split share
//! the dealer's hand and the shoe. For two hands the distribution is exact: each pair of endings is dealt together
//! with the dealer's hand. Three and four hands have too many joint endings. They are treated as independent given
//! the dealer's result, plus a correction for each pair of hands: the difference between their joint distribution
//! and independence. Mean and variance are then exact; only interactions of three or more hands beyond those of each
//! pair are neglected. A test deals three hands jointly: in one deck no probability is off by as much as 2e-5.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};

use super::super::dealer::{Chances, DealerTree, Shoe, TenRank, blackjack_card};
use super::super::player::{BUST, Counts, HandId, Hands, pack};
use super::super::rules::{Action, Dealer, Player, Rules};
use super::super::strategy::{Policy, PolicyColumn};
use super::split::{SplitState, terms};
use super::table::{Deal, Settings, Table, deals, with};

/// Probabilities by result in units.
#[derive(Clone, Default)]
struct Sum(BTreeMap<i64, f64>);

impl Sum {
    fn add(&mut self, net: i64, chance: f64) {
        if chance != 0.0 {
            *self.0.entry(net).or_insert(0.0) += chance;
        }
    }

    fn add_all(&mut self, other: &Sum, weight: f64) {
        other.0.iter().for_each(|(&net, &chance)| self.add(net, weight * chance));
    }

    /// The distribution of the sum of two independent results.
    fn and(&self, other: &Sum) -> Sum {
        let mut sum = Sum::default();
        for (&net, &chance) in &self.0 {
            other.0.iter().for_each(|(&more, &part)| sum.add(net + more, chance * part));
        }
        sum
    }
}

/// The results without a dealer's blackjack, and with one.
#[derive(Clone, Default)]
struct SumPair([Sum; 2]);

impl SumPair {
    fn of(&mut self, dealer: Dealer) -> &mut Sum {
        &mut self.0[usize::from(dealer == Dealer::Blackjack)]
    }

    fn add_all(&mut self, other: &SumPair, weight: f64) {
        self.0.iter_mut().zip(&other.0).for_each(|(sum, other)| sum.add_all(other, weight));
    }
}

/// The distribution of the net win of a round under a policy: the results in units, increasing, with their
/// probabilities.
pub fn net_law(rules: &Rules, shoe: &Shoe, policy: &Policy) -> Vec<(i64, f64)> {
    let settings = Settings::unsplit(shoe);
    let full = shoe.next(&[0; 10], None).expect("a full shoe has cards");
    let mut law = Sum::default();
    for (upcard, column) in policy.columns.iter().enumerate().filter(|(upcard, _)| full[*upcard] > 0.0) {
        let table = Table::new(rules, shoe, &settings, upcard);
        let unsplit = unsplit(&table, column);
        for deal in deals(rules, shoe, upcard) {
            law.add_all(&first_two(&table, column, &deal, &unsplit), full[upcard] * deal.chance);
        }
    }
    // Inclusion and exclusion leave rounding errors at impossible results.
    law.0.into_iter().filter(|(_, chance)| *chance > 1e-15).collect()
}

/// The distribution of the net win of two dealt cards.
fn first_two(table: &Table, column: &PolicyColumn, deal: &Deal, unsplit: &[BetChances]) -> Sum {
    let (rules, hand) = (table.rules, deal.hand);
    let legal = table.first_legal(deal);
    let cell = column.cell(None, hand);
    let insured = cell.choose(legal) == Action::Insure;
    let action = cell.choose(if insured { legal.after_insuring() } else { legal });
    let mut parts = SumPair::default();
    let blackjack = table.blackjack_chance(hand);
    let mut apart_from_blackjack = |player| {
        for (dealer, chance) in [(Dealer::Blackjack, blackjack), (Dealer::Seventeen, 1.0 - blackjack)] {
            parts.of(dealer).add(rules.settle(player, dealer), chance);
        }
    };
    match (action, table.shape(hand).pair) {
        (Action::EvenMoney, _) => apart_from_blackjack(Player::EvenMoney),
        (Action::Surrender, _) => apart_from_blackjack(rules.given_up(table.upcard)),
        _ if rules.is_blackjack(table.shape(hand), None) => apart_from_blackjack(Player::Blackjack),
        (Action::Split, Some(pair)) => {
            for (chance, rank) in table.pair_ranks(pair) {
                parts.add_all(&Split::new(table, column, pair, rank).law(), chance);
            }
        }
        _ => {
            for (part, law) in parts.0.iter_mut().zip(unsplit[usize::from(hand)]) {
                for (bets, chance) in (-2..).zip(law) {
                    part.add(bets * rules.units(), table.weight(hand) * chance);
                }
            }
            parts.of(Dealer::Blackjack).add(-rules.units(), 1.0 - table.weight(hand));
        }
    }
    let mut law = Sum::default();
    for (part, dealer) in parts.0.iter().zip([Dealer::Seventeen, Dealer::Blackjack]) {
        let more = if insured { rules.insurance(dealer) } else { 0 };
        part.0.iter().for_each(|(&net, &chance)| law.add(net + more, chance));
    }
    law
}

/// The probabilities of winning -2 to 2 bets, without a dealer's blackjack and with one.
type BetChances = [[f64; 5]; 2];

/// The distribution of the net win of every unsplit hand, on the table's condition.
fn unsplit(table: &Table, column: &PolicyColumn) -> Vec<BetChances> {
    let rules = table.rules;
    let settled = |bets: u8, player: Player, hand: HandId| {
        let mut law = BetChances::default();
        for (chance, dealer) in table.dealer(table.shoe_of(0, hand)).into_iter().zip(*Dealer::ALL) {
            rules.net(&[(player, bets)], dealer, |net| {
                law[usize::from(dealer == Dealer::Blackjack)][(2 + net / rules.units()) as usize] += chance;
            });
        }
        law
    };
    // A busted hand loses anyway, but insurance wins if the dealer has a blackjack without the card that busted it.
    let busted = |bets: usize, hand: HandId, value: usize| {
        let mut gone = with(&table.hands.counts[usize::from(hand)], value);
        gone = with(&gone, table.upcard);
        let hole = blackjack_card(table.upcard).filter(|_| !rules.blackjack_takes_one_bet());
        let blackjack = hole.and_then(|card| Some(table.shoe.next(&gone, None)?[card])).unwrap_or(0.0);
        let mut law = BetChances::default();
        (law[0][2 - bets], law[1][2 - bets]) = (1.0 - blackjack, blackjack);
        law
    };
    let mut laws = vec![BetChances::default(); table.hands.all.len()];
    for &hand in table.settings.all[0].ids.iter().rev() {
        let shape = table.shape(hand);
        if shape.cards < 2 {
            continue;
        }
        let action = column.cell(None, hand).choose(table.legal(0, hand));
        let bets = if action == Action::Double { 2 } else { 1 };
        let mut law = BetChances::default();
        if matches!(action, Action::Hit | Action::Double) {
            let chances = table.next(0, hand);
            for (value, &more) in table.hands.next[usize::from(hand)].iter().enumerate() {
                let after = match (more, action) {
                    (BUST, _) => busted(bets.into(), hand, value),
                    (more, Action::Hit) => laws[usize::from(more)],
                    (more, _) => settled(bets, rules.stood(table.shape(more)), more),
                };
                let parts = law.iter_mut().flatten().zip(after.iter().flatten());
                parts.for_each(|(into, part)| *into += chances[value] * part);
            }
        } else {
            law = settled(1, rules.stood(shape), hand);
        }
        laws[usize::from(hand)] = law;
    }
    laws
}

/// The number of endings of a split hand to tell apart.
const ENDS: usize = 18;

/// The endings, with the number of bets on the hand. Busting with one bet has no place, since it is the remainder;
/// place 0 is for a hand whose ending is left open. Totals up to 16 count as 16, because they win and lose alike.
fn ends(table: &Table) -> [(Player, u8); ENDS] {
    let mut ends = [(Player::Bust, 1); ENDS];
    let totals = || (16..=21).map(Player::Total);
    let doubled = totals().chain([Player::Bust]).map(|player| (player, 2));
    let others = [
        (Player::Blackjack, 1),
        (Player::Charlie, 1),
        (Player::Charlie, 2),
        (table.rules.given_up(table.upcard), 1),
    ];
    let all = totals().map(|player| (player, 1)).chain(doubled).chain(others);
    ends[1..].iter_mut().zip(all).for_each(|(end, known)| *end = known);
    ends
}

/// Marks a bet that a dealer's blackjack may take (while bets on busted hands are lost anyway). It exceeds any sum
/// of results, so marks and results add up in one number.
const LIVE: i64 = 1 << 40;

/// Splits a sum into the number of marks and the results.
fn live(sum: i64) -> (i64, i64) {
    let bets = (sum + LIVE / 2).div_euclid(LIVE);
    (bets, sum - bets * LIVE)
}

/// A hand of a split: the cards it draws and how it ends.
struct HandEnding {
    /// The cards, packed, with one more field for those of the pair's rank, if only pairs of one rank are split.
    cards: u64,
    /// Twice the ending, plus one if the second card would make a pair that can be split.
    place: usize,
    /// The number of orders of the cards; negative to subtract orders counted in another entry.
    orders: f64,
}

/// The joint probabilities of two hands' endings, by place, and of each of the dealer's results.
type Joint = Vec<[Chances; 2 * ENDS]>;

/// A pair that is split.
struct Split<'a> {
    table: &'a Table<'a>,
    pair: usize,
    most_hands: u8,
    ends: [(Player, u8); ENDS],
    /// Joint probabilities with 0, 1, ... further cards of the pair's value removed.
    together: Vec<Joint>,
}

/// The second card of a hand.
#[derive(Clone, Copy, PartialEq)]
enum Second {
    /// Not of the pair's value.
    Other,
    Any,
}

/// The probability that all hands of a split are lost before the dealer's blackjack is seen, and that there is one.
pub fn all_lost(table: &Table, column: &PolicyColumn, pair: usize) -> f64 {
    let Some(hole) = blackjack_card(table.upcard) else { return 0.0 };
    let only_blackjack = |seen: &[Counts]| -> Vec<Chances> {
        let chances = seen.iter().map(|cards| {
            let mut gone = *cards;
            gone[table.upcard] += 1;
            let mut chances = Chances::default();
            chances[Dealer::Blackjack as usize] = table.shoe.next(&gone, None).map_or(0.0, |next| next[hole]);
            chances
        });
        chances.collect()
    };
    let lost = table.pair_ranks(pair).into_iter().map(|(chance, rank)| {
        let split = Split::with_dealer(table, column, pair, rank, &only_blackjack);
        let law = split.against(Dealer::Blackjack);
        let all: f64 = law.0.iter().filter(|(sum, _)| live(**sum).0 == 0).map(|(_, chance)| chance).sum();
        chance * all
    });
    lost.sum()
}

impl<'a> Split<'a> {
    fn new(table: &'a Table, column: &PolicyColumn, pair: usize, rank: Option<TenRank>) -> Self {
        let dealer = DealerTree::new(table.rules, table.upcard);
        Self::with_dealer(table, column, pair, rank, &|seen| dealer.chances(table.shoe, seen))
    }

    fn with_dealer(
        table: &'a Table,
        column: &PolicyColumn,
        pair: usize,
        rank: Option<TenRank>,
        dealer: &dyn Fn(&[Counts]) -> Vec<Chances>,
    ) -> Self {
        let most_hands = column.most_hands[pair].min(table.rules.most_hands(pair));
        let of_rank = if rank.is_some() { OF_RANK } else { 0 };
        let mut endings = endings(table, column, pair, of_rank);
        let shoes = if most_hands > 2 {
            endings.push(HandEnding { cards: one(pair) + of_rank, place: 1, orders: 1.0 });
            2 * usize::from(most_hands) - 3
        } else {
            1
        };
        let drawing = |more| Drawing::new(table, pair, rank, more as u8);
        let together = (0..shoes).map(|more| together(&drawing(more), dealer, &endings)).collect();
        Split { table, pair, most_hands, ends: ends(table), together }
    }

    /// The distribution of the total win of all hands.
    fn law(&self) -> SumPair {
        let rules = self.table.rules;
        let mut parts = SumPair::default();
        for &dealer in Dealer::ALL {
            let sum = parts.of(dealer);
            if dealer == Dealer::Blackjack && rules.blackjack_takes_one_bet() {
                sum.add(-rules.units(), self.table.blackjack_chance(self.table.hands.find(&[self.pair; 2])));
                continue;
            }
            for (net, chance) in self.against(dealer).0 {
                let (bets, lost) = live(net);
                sum.add(if bets > 0 { lost - rules.units() } else { lost }, chance);
            }
        }
        parts
    }

    /// The part of this distribution with one of the dealer's results.
    fn against(&self, dealer: Dealer) -> Sum {
        let mut law = Sum::default();
        SplitState::PAIR.finish(self.most_hands, &mut |deal| {
            let all = self.chance(deal, dealer);
            if all > 0.0 {
                law.add_all(&self.dealt(deal, dealer, all), all);
            }
        });
        law
    }

    /// The part with one way of dealing second cards and one of the dealer's results, whose probability is `all`.
    fn dealt(&self, deal: SplitState, dealer: Dealer, all: f64) -> Sum {
        let mut seconds = vec![Second::Other; deal.others.into()];
        seconds.resize(deal.hands.into(), Second::Any);
        let law = |hands: &[Second]| {
            let mut law = Sum::default();
            law.add_all(&self.hands(deal, dealer, hands), 1.0 / all);
            law
        };
        let singles: Vec<_> = seconds.iter().map(|&second| law(&[second])).collect();
        let others = |a: usize, b: usize| (0..seconds.len()).filter(move |&hand| hand != a && hand != b);
        let mut sum = Sum::default();
        let mut pairs = 0.0;
        for b in 0..seconds.len() {
            for a in 0..b {
                let both = law(&[seconds[a], seconds[b]]);
                sum.add_all(&others(a, b).fold(both, |law, hand| law.and(&singles[hand])), 1.0);
                pairs += 1.0;
            }
        }
        if pairs > 1.0 {
            let apart = singles[1..].iter().fold(singles[0].clone(), |law, single| law.and(single));
            sum.add_all(&apart, 1.0 - pairs);
        }
        sum
    }

    /// The probability of this way of dealing second cards and this dealer's result.
    fn chance(&self, deal: SplitState, dealer: Dealer) -> f64 {
        let chance = |(more, sign): (usize, f64)| sign * self.together[more][0][0][dealer as usize];
        terms(deal.others, deal.paired).map(chance).sum()
    }

    /// Like [`dealt`](Self::dealt), for the win of one or two of the hands alone.
    fn hands(&self, deal: SplitState, dealer: Dealer, seconds: &[Second]) -> Sum {
        let known = seconds.iter().filter(|&&second| second == Second::Other).count() as u8;
        let mut law = Sum::default();
        let (first, second) =
            (self.parts(seconds[0], dealer), seconds.get(1).map(|&s| self.parts(s, dealer)));
        let nothing = vec![(0, 0, 1.0)];
        for (more, sign) in terms(deal.others - known, deal.paired) {
            for &(place, net, weight) in &first {
                for &(other, more_net, part) in second.as_ref().unwrap_or(&nothing) {
                    let chance = self.together[more][place][other][dealer as usize];
                    law.add(net + more_net, sign * weight * part * chance);
                }
            }
        }
        law
    }

    /// The net win of a hand as a sum over its endings, each relative to busting with one bet.
    fn parts(&self, second: Second, dealer: Dealer) -> Vec<(usize, i64, f64)> {
        let lost = -self.table.rules.units();
        let mut parts = vec![(0, lost, 1.0)];
        if second == Second::Other {
            parts.push((1, lost, -1.0));
        }
        for (end, (player, bets)) in self.ends.into_iter().enumerate().skip(1) {
            let taken = dealer == Dealer::Blackjack && self.table.rules.blackjack_takes_busted_bets();
            let net = if taken && !player.is_lost() {
                LIVE
            } else {
                i64::from(bets) * self.table.rules.settle(player, dealer)
            };
            for paired in 0..if second == Second::Other { 1 } else { 2 } {
                if net != lost {
                    parts.extend([(2 * end + paired, net, 1.0), (2 * end + paired, lost, -1.0)]);
                }
            }
        }
        parts
    }
}

/// Every way in which a hand of a split ends, except busting with one bet; the first entry is the hand left open.
fn endings(table: &Table, column: &PolicyColumn, pair: usize, of_rank: u64) -> Vec<HandEnding> {
    let (hands, rules) = (Hands::table(), table.rules);
    let alone = hands.find(&[pair]);
    // The kinds of second card: not of the pair's kind; of its kind; and, to subtract from the first if that counts
    // any card of the value, those of the pair's rank.
    const KINDS: [(usize, bool); 3] = [(0, false), (1, true), (0, true)];
    let mut orders = vec![[0.0; KINDS.len()]; hands.all.len()];
    for (value, &hand) in hands.next[usize::from(alone)].iter().enumerate() {
        orders[usize::from(hand)] = match (value == pair, of_rank) {
            (false, _) => [1.0, 0.0, 0.0],
            (true, 0) => [0.0, 1.0, 0.0],
            (true, _) => [1.0, 1.0, -1.0],
        };
    }
    let ways = ends(table);
    let mut ends: BTreeMap<(u64, usize), f64> = BTreeMap::new();
    for &hand in &hands.holding[pair] {
        let shape = table.shape(hand);
        let here = orders[usize::from(hand)];
        if here == [0.0; KINDS.len()] {
            continue;
        }
        let cards = pack(&hands.counts[usize::from(hand)]) - one(pair);
        let legal = rules.legal(shape, Some(pair), Rules::MAX_HANDS, table.upcard);
        let mut end = |cards: u64, player: Player, bets: u8| {
            let player = if let Player::Total(..16) = player { Player::Total(16) } else { player };
            let end = ways.iter().position(|way| *way == (player, bets)).unwrap_or_default();
            for ((paired, ranked), orders) in KINDS.into_iter().zip(here).filter(|(_, orders)| *orders != 0.0)
            {
                let cards = cards + if ranked { of_rank } else { 0 };
                *ends.entry((cards, 2 * end + paired)).or_insert(0.0) += orders;
            }
        };
        match column.cell(Some(pair), hand).choose(legal) {
            Action::Hit => {
                for &more in hands.next[usize::from(hand)].iter().filter(|&&more| more != BUST) {
                    orders[usize::from(more)].iter_mut().zip(here).for_each(|(sum, here)| *sum += here);
                }
            }
            Action::Double => {
                for (value, &more) in hands.next[usize::from(hand)].iter().enumerate() {
                    let player = if more == BUST { Player::Bust } else { rules.stood(table.shape(more)) };
                    end(cards + one(value), player, 2);
                }
            }
            Action::Surrender => end(cards, rules.given_up(table.upcard), 1),
            _ if rules.is_blackjack(shape, Some(pair)) => end(cards, Player::Blackjack, 1),
            _ => end(cards, rules.stood(shape), 1),
        }
    }
    let nothing = HandEnding { cards: 0, place: 0, orders: 1.0 };
    let ends = ends.into_iter().map(|((cards, place), orders)| HandEnding { cards, place, orders });
    std::iter::once(nothing).chain(ends).collect()
}

/// One card of the pair's rank, added to the packed cards.
const OF_RANK: u64 = 1 << 50;

/// One card of a value, packed.
fn one(value: usize) -> u64 {
    1 << (5 * value)
}

/// A fast hash of a single number.
#[derive(Default)]
struct Mixing(u64);

impl Hasher for Mixing {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u64(&mut self, number: u64) {
        let mixed = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }
}

/// The joint probabilities of any two endings and the dealer's results.
fn together(drawing: &Drawing, dealer: &dyn Fn(&[Counts]) -> Vec<Chances>, endings: &[HandEnding]) -> Joint {
    let mut places: HashMap<u64, u32, BuildHasherDefault<Mixing>> = HashMap::default();
    let mut drawn: Vec<u64> = Vec::new();
    let mut both = Vec::with_capacity(endings.len() * (endings.len() + 1) / 2);
    for (index, first) in endings.iter().enumerate() {
        for second in &endings[index..] {
            let cards = first.cards + second.cards;
            both.push(*places.entry(cards).or_insert_with(|| {
                drawn.push(cards);
                drawn.len() as u32 - 1
            }));
        }
    }
    let chances = drawing.chances(dealer, &drawn);
    let mut together = vec![[[0.0; Dealer::ALL.len()]; 2 * ENDS]; 2 * ENDS];
    let mut both = both.into_iter();
    for (index, first) in endings.iter().enumerate() {
        for (second, place) in endings[index..].iter().zip(&mut both) {
            let orders = first.orders * second.orders;
            let ways = [(first.place, second.place), (second.place, first.place)];
            for (a, b) in ways.into_iter().take(if std::ptr::eq(first, second) { 1 } else { 2 }) {
                for (sum, chance) in together[a][b].iter_mut().zip(chances[place as usize]) {
                    *sum += orders * chance;
                }
            }
        }
    }
    together
}

/// Probabilities of drawing cards in a given order, after a pair, the upcard and some more cards of the pair's
/// value.
struct Drawing<'a> {
    shoe: &'a Shoe,
    gone: Counts,
    left: [f64; 10],
    pair: usize,
    rank: Option<TenRank>,
    more: u8,
}

impl<'a> Drawing<'a> {
    fn new(table: &Table<'a>, pair: usize, rank: Option<TenRank>, more: u8) -> Self {
        let mut gone = [0; 10];
        gone[pair] += 2;
        let mut seen = gone;
        seen[table.upcard] += 1;
        Drawing { shoe: table.shoe, gone, left: table.shoe.left(&seen), pair, rank, more }
    }

    /// For each packed set of cards: the probability of drawing them in one given order, together with the further
    /// cards of the pair's value and each of the dealer's results.
    fn chances(&self, dealer: &dyn Fn(&[Counts]) -> Vec<Chances>, drawn: &[u64]) -> Vec<Chances> {
        let counts = |cards: u64| -> Counts {
            let mut counts = std::array::from_fn(|value| (cards >> (5 * value) & 31) as u8);
            counts[self.pair] += self.more;
            counts
        };
        let seen: Vec<Counts> = if self.shoe.finite() {
            drawn.iter().map(|&cards| std::array::from_fn(|v| counts(cards)[v] + self.gone[v])).collect()
        } else {
            vec![self.gone]
        };
        let results = dealer(&seen);
        drawn
            .iter()
            .enumerate()
            .map(|(index, &cards)| {
                let of_rank = (cards / OF_RANK) as usize + usize::from(self.more);
                let way = self.way(&counts(cards), of_rank);
                results[index % results.len()].map(|chance| way * chance)
            })
            .collect()
    }

    /// The probability of these cards in one order. `of_rank` of those of the pair's value are of its rank, which
    /// matters only if pairs of unlike tens can't be split.
    fn way(&self, cards: &Counts, of_rank: usize) -> f64 {
        let mut all: f64 = self.left.iter().sum();
        let (mut way, fewer) = (1.0, if self.shoe.finite() { 1.0 } else { 0.0 });
        for (value, (&count, &left)) in cards.iter().zip(&self.left).enumerate() {
            let mut left = left;
            for place in 0..usize::from(count) {
                if left <= 0.0 {
                    return 0.0;
                }
                way *= left / all;
                if let Some(rank) = self.rank.filter(|_| value == self.pair && place < of_rank) {
                    way *= rank.share(place);
                }
                left -= fewer;
                all -= fewer;
            }
        }
        way
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::super::rules::{HoleCard, Soft17, SplitAces, Surrender, TenAce};
    use super::super::{Analysis, Strategy};
    use super::*;

    /// Rules under which hands are often split.
    pub fn rules(decks: Option<u8>, split_hands: u8) -> Rules {
        Rules {
            decks,
            soft_17: Soft17::Stand,
            hole_card: HoleCard::Peek,
            blackjack_pays: (3, 2),
            split_hands: [split_hands; 10],
            split_aces: SplitAces::OneCard,
            resplit_aces: true,
            ten_ace_after_split: TenAce::TwentyOne,
            surrender: [Surrender::Late; 10],
            ..Rules::default()
        }
    }

    #[test]
    fn the_mean_is_the_analyses() {
        check_means(&[Rules::default()]);
    }

    #[test]
    #[ignore = "thorough: takes seconds"]
    fn the_mean_is_the_analyses_with_many_hands() {
        check_means(&[rules(Some(1), 4), rules(None, 3)]);
    }

    fn check_means(all: &[Rules]) {
        for rules in all {
            for strategy in [Strategy::Optimal, Strategy::Basic] {
                let analysis = Analysis::new(rules, strategy);
                let law = analysis.law();
                let units = rules.units() as f64;
                let mean: f64 = law.iter().map(|&(net, chance)| net as f64 / units * chance).sum();
                let all: f64 = law.iter().map(|(_, chance)| chance).sum();
                assert!((all - 1.0).abs() < 1e-13, "{all}");
                assert!((mean - analysis.value()).abs() < 1e-13, "{mean} {}", analysis.value());
                assert!(law.iter().is_sorted_by(|a, b| a.0 < b.0));
            }
        }
    }

    /// The distribution of the win of three hands, with every joint ending dealt with the dealer's hand.
    fn three_together(split: &Split, endings: &[HandEnding]) -> Sum {
        let table = split.table;
        let tree = DealerTree::new(table.rules, table.upcard);
        let against = |seen: &[Counts]| tree.chances(table.shoe, seen);
        let mut law = Sum::default();
        for &dealer in Dealer::ALL {
            if dealer == Dealer::Blackjack {
                let pair = table.hands.find(&[split.pair; 2]);
                law.add(-table.rules.units(), table.blackjack_chance(pair));
                continue;
            }
            SplitState::PAIR.finish(3, &mut |deal| {
                let mut seconds = vec![Second::Other; deal.others.into()];
                seconds.resize(deal.hands.into(), Second::Any);
                // Sums over the endings of all hands, as in `parts` for one.
                let mut ways: Vec<(u64, i64, f64)> = vec![(0, 0, 1.0)];
                for second in seconds {
                    let mut more = Vec::new();
                    for (place, net, weight) in split.parts(second, dealer) {
                        for ending in endings.iter().filter(|ending| ending.place == place) {
                            more.extend(ways.iter().map(|&(cards, sum, orders)| {
                                (cards + ending.cards, sum + net, weight * orders * ending.orders)
                            }));
                        }
                    }
                    ways = more;
                }
                let cards: Vec<u64> = ways.iter().map(|way| way.0).collect();
                let chances = Drawing::new(table, split.pair, None, deal.paired).chances(&against, &cards);
                for ((_, net, weight), chances) in ways.into_iter().zip(chances) {
                    law.add(net, weight * chances[dealer as usize]);
                }
            });
        }
        law
    }

    /// Correcting pair by pair gives the same mean and variance as dealing three hands jointly, and nearly the same
    /// distribution.
    #[test]
    fn three_hands_are_nearly_what_each_two_are() {
        check_three_hands(7, 5);
    }

    #[test]
    #[ignore = "thorough: takes seconds"]
    fn three_hands_of_aces_are_nearly_what_each_two_are() {
        check_three_hands(0, 9);
    }

    fn check_three_hands(pair: usize, upcard: usize) {
        let rules = rules(Some(1), 3);
        let shoe = Shoe::new(rules.decks);
        let settings = Settings::unsplit(&shoe);
        let analysis = Analysis::new(&rules, Strategy::Basic);
        let table = Table::new(&rules, &shoe, &settings, upcard);
        let column = &analysis.policy.columns[upcard];
        let split = Split::new(&table, column, pair, None);
        let mut all = endings(&table, column, pair, 0);
        all.push(HandEnding { cards: one(pair), place: 1, orders: 1.0 });
        let exact = three_together(&split, &all);
        let mut law = Sum::default();
        split.law().0.iter().for_each(|part| law.add_all(part, 1.0));
        let moment = |law: &Sum, power| -> f64 {
            law.0.iter().map(|(&net, chance)| chance * (net as f64 / 4.0).powi(power)).sum()
        };
        for power in 0..3 {
            let (a, b) = (moment(&law, power), moment(&exact, power));
            assert!((a - b).abs() < 1e-11, "{pair} {upcard} {power} {a} {b}");
        }
        let far = |(net, chance): (&i64, &f64)| (chance - law.0.get(net).unwrap_or(&0.0)).abs();
        let most = exact.0.iter().map(far).fold(0.0, f64::max);
        assert!(0.0 < most && most < 2e-5, "{pair} {upcard} {most}");
    }
}
