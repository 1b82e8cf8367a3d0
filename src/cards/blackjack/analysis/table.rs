//! The data for judging strategies against one upcard: the value of standing with each hand, and the probabilities
//! of the next card from the remaining shoe.

use std::collections::HashMap;

use super::super::dealer::{Chances, DealerTree, Shoe, TenRank, blackjack_card};
use super::super::player::{BUST, Counts, HandId, Hands, Shape, TEN, pack};
use super::super::rules::{Action, Actions, Dealer, Player, Rules};
use super::split::{MAX_EXTRA, SplitWeights, shoes_needed};

/// A family of hands with their shoes: hands that weren't split, or hands split from one card value with a number of
/// further cards of it removed.
pub struct Setting {
    /// The value of the pair that was split.
    pub split_from: Option<usize>,
    /// The possible hands, in the order of their numbers.
    pub ids: &'static [HandId],
    /// For each hand, the index of its shoe among the distinct shoes.
    shoes: Vec<u32>,
}

/// All settings that the rules need, with their distinct shoes. They are the same for every upcard.
pub struct Settings {
    /// Unsplit hands first, then splits by value, with 0, 1, ... more cards removed.
    pub all: Vec<Setting>,
    /// The seen cards of each distinct shoe, except the upcard.
    seen: Vec<Counts>,
}

impl Settings {
    /// The settings for these rules.
    pub fn new(rules: &Rules, shoe: &Shoe) -> Self {
        Self::with_splits(shoe, |pair| shoes_needed(rules.most_hands(pair)))
    }

    /// The setting of unsplit hands alone.
    pub fn unsplit(shoe: &Shoe) -> Self {
        Self::with_splits(shoe, |_| 0)
    }

    /// The setting of unsplit hands, and several for each pair.
    fn with_splits(shoe: &Shoe, shoes: impl Fn(usize) -> usize) -> Self {
        let hands = Hands::table();
        let every: &'static [HandId] = &hands.all;
        let mut kinds = vec![(None, [0; 10], every)];
        for pair in 0..10 {
            for more in 0..shoes(pair) {
                let mut gone = [0; 10];
                gone[pair] = 1 + more as u8;
                kinds.push((Some(pair), gone, hands.holding[pair].as_slice()));
            }
        }
        let mut seen: Vec<Counts> = Vec::new();
        let mut places: HashMap<u64, u32> = HashMap::new();
        let all = kinds
            .into_iter()
            .map(|(split_from, gone, ids)| {
                let mut shoes = vec![0; hands.all.len()];
                for &id in ids {
                    let own = &hands.counts[usize::from(id)];
                    let cards: Counts = std::array::from_fn(|value| own[value] + gone[value]);
                    // With an infinite shoe all of them are the same.
                    let key = if shoe.finite() { pack(&cards) } else { 0 };
                    shoes[usize::from(id)] = *places.entry(key).or_insert_with(|| {
                        seen.push(cards);
                        seen.len() as u32 - 1
                    });
                }
                Setting { split_from, ids, shoes }
            })
            .collect();
        Settings { all, seen }
    }
}

/// The values of a hand's actions, in bets.
#[derive(Clone, Copy, Debug)]
pub struct Plays {
    /// Standing.
    pub stand: f64,
    /// Hitting, and then following the strategy.
    pub hit: f64,
    /// Doubling.
    pub double: f64,
    /// Surrendering a hand made by a split.
    pub surrender: f64,
}

impl Plays {
    /// The value of an action.
    pub fn get(&self, action: Action) -> f64 {
        match action {
            Action::Hit => self.hit,
            Action::Double => self.double,
            Action::Surrender => self.surrender,
            _ => self.stand,
        }
    }

    /// The best of the legal actions.
    pub fn best(&self, legal: Actions) -> Action {
        let mut best = Action::Stand;
        for action in [Action::Hit, Action::Double, Action::Surrender] {
            if legal.contains(action) && self.get(action) > self.get(best) {
                best = action;
            }
        }
        best
    }
}

/// The values and probabilities of hands against one upcard.
///
/// If a dealer's blackjack takes one bet in all, it takes that whatever the player does. Everything here is then
/// conditional on there being none; [`Table::first_bet`] removes the condition.
pub struct Table<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The table of hands.
    pub hands: &'static Hands,
    /// The settings.
    pub settings: &'a Settings,
    /// The upcard.
    pub upcard: usize,
    /// By setting and hand number: the value of standing, in bets.
    stand: Vec<Vec<f64>>,
    /// By distinct shoe: the probability of each value for the next card; all zero for impossible shoes.
    next: Vec<[f64; 10]>,
    /// By distinct shoe: the probabilities of the dealer's results, blackjack included.
    chances: Vec<Chances>,
    /// The cards before the deal.
    pub shoe: &'a Shoe,
    /// If only pairs of one rank can be split: the ranks of pairs of tens, each with its share.
    pub tens: Vec<(f64, TenRank)>,
    hidden: Option<usize>,
}

impl<'a> Table<'a> {
    /// Computes the dealer's probabilities and those of the next card.
    pub fn new(rules: &'a Rules, shoe: &'a Shoe, settings: &'a Settings, upcard: usize) -> Self {
        let hands = Hands::table();
        let hidden = if rules.blackjack_takes_one_bet() { blackjack_card(upcard) } else { None };
        let chances = DealerTree::new(rules, upcard).chances(shoe, &settings.seen);
        let next = settings
            .seen
            .iter()
            .map(|cards| shoe.next(&with(cards, upcard), hidden).unwrap_or_default())
            .collect();
        let tens = if rules.pairs_by_rank(TEN) { shoe.pairs_of_one_rank(upcard) } else { Vec::new() };
        let stand = Vec::new();
        let mut table = Table { rules, hands, settings, upcard, stand, next, chances, shoe, tens, hidden };
        table.stand = settings
            .all
            .iter()
            .map(|setting| {
                let pays = |player| Dealer::ALL.map(|dealer| table.won(setting.split_from, player, dealer));
                let totals: Vec<_> = (0..=21).map(|total| pays(Player::Total(total))).collect();
                let charlie = pays(Player::Charlie);
                let mut stand = vec![0.0; hands.all.len()];
                for &id in setting.ids {
                    let dealer = table.dealer(setting.shoes[usize::from(id)]);
                    let pays = match rules.stood(&hands.shapes[usize::from(id)]) {
                        Player::Total(total) => &totals[usize::from(total)],
                        _ => &charlie,
                    };
                    stand[usize::from(id)] = dealer.iter().zip(pays).map(|(chance, won)| chance * won).sum();
                }
                stand
            })
            .collect();
        table
    }

    /// The expected net win of one bet on a hand. If a dealer's blackjack takes one bet besides those on busted
    /// hands, a hand of a split isn't charged for it here.
    fn won(&self, split_from: Option<usize>, player: Player, dealer: Dealer) -> f64 {
        let left = dealer == Dealer::Blackjack && split_from.is_some() && !player.is_lost();
        if left && self.rules.blackjack_takes_busted_bets() {
            return 0.0;
        }
        self.rules.settle(player, dealer) as f64 / self.rules.units() as f64
    }

    /// The dealer's probabilities with a shoe, on the table's condition.
    pub fn dealer(&self, shoe: u32) -> Chances {
        let chances = self.chances[shoe as usize];
        if self.hidden.is_none() {
            return chances;
        }
        let none = 1.0 - chances[Dealer::Blackjack as usize];
        if none <= 0.0 {
            return [0.0; Dealer::ALL.len()];
        }
        let mut given = chances.map(|chance| chance / none);
        given[Dealer::Blackjack as usize] = 0.0;
        given
    }

    /// The probability of a dealer's blackjack if the player holds `hand`, unsplit.
    pub fn blackjack_chance(&self, hand: HandId) -> f64 {
        self.dealer_chances(0, hand)[Dealer::Blackjack as usize]
    }

    /// The dealer's probabilities if the player holds `hand` in a setting.
    pub fn dealer_chances(&self, setting: usize, hand: HandId) -> &Chances {
        &self.chances[self.shoe_of(setting, hand) as usize]
    }

    /// The expectation of a bet in a round that a dealer's blackjack may end, given its expectation on the table's
    /// condition and its result at such a blackjack.
    pub fn first_bet(&self, hand: HandId, given: f64, at_blackjack: f64) -> f64 {
        if self.hidden.is_none() {
            return given;
        }
        let blackjack = self.blackjack_chance(hand);
        blackjack * at_blackjack + (1.0 - blackjack) * given
    }

    /// The share of a change in a hand's value that reaches the round's value.
    pub fn weight(&self, hand: HandId) -> f64 {
        if self.hidden.is_none() { 1.0 } else { 1.0 - self.blackjack_chance(hand) }
    }

    /// The index of a hand's shoe among the distinct ones.
    pub fn shoe_of(&self, setting: usize, hand: HandId) -> u32 {
        self.settings.all[setting].shoes[usize::from(hand)]
    }

    /// The value of standing with a hand in a setting, in bets.
    pub fn stand(&self, setting: usize, hand: HandId) -> f64 {
        self.stand[setting][usize::from(hand)]
    }

    /// The probability of each value for the next card of a hand in a setting.
    pub fn next(&self, setting: usize, hand: HandId) -> &[f64; 10] {
        &self.next[self.shoe_of(setting, hand) as usize]
    }

    /// The shape of a hand.
    pub fn shape(&self, hand: HandId) -> &Shape {
        &self.hands.shapes[usize::from(hand)]
    }

    /// The indices of the settings of hands split from `pair`.
    pub fn split_settings(&self, pair: usize) -> std::ops::Range<usize> {
        let first = self
            .settings
            .all
            .partition_point(|setting| setting.split_from.is_none_or(|earlier| earlier < pair));
        first..first + shoes_needed(self.rules.most_hands(pair))
    }

    /// The legal actions with a hand that can't be split further; unsplit hands can't be surrendered here.
    pub fn legal(&self, setting: usize, hand: HandId) -> Actions {
        let split_from = self.settings.all[setting].split_from;
        let legal = self.rules.legal(self.shape(hand), split_from, Rules::MAX_HANDS, self.upcard);
        if split_from.is_none() { legal.without(Action::Surrender) } else { legal }
    }

    /// The actions that are legal with the first two cards.
    pub fn first_legal(&self, deal: &Deal) -> Actions {
        let shape = self.shape(deal.hand);
        let legal = self.rules.legal(shape, None, 1, self.upcard);
        let legal = legal.and(self.rules.legal_at_first(shape, self.upcard));
        if deal.unlike { legal.without(Action::Split) } else { legal }
    }

    /// The action with a hand: a single card always takes another, for other hands `choose` decides.
    fn action(&self, setting: usize, hand: HandId, choose: impl FnOnce(Actions) -> Action) -> Action {
        if self.shape(hand).cards < 2 { Action::Hit } else { choose(self.legal(setting, hand)) }
    }

    /// The values of a hand's actions; `after` has the values of the hands that it can become.
    pub fn plays(&self, setting: usize, hand: HandId, after: &[f64]) -> Plays {
        let chances = self.next(setting, hand);
        let next = &self.hands.next[usize::from(hand)];
        let (mut hit, mut double) = (0.0, 0.0);
        for value in 0..10 {
            let (after, stand) = match next[value] {
                BUST => (-1.0, -1.0),
                more => (after[usize::from(more)], self.stand(setting, more)),
            };
            hit += chances[value] * after;
            double += chances[value] * stand;
        }
        double *= 2.0;
        let split_from = self.settings.all[setting].split_from;
        if self.rules.blackjack_takes_busted_bets() && split_from.is_none() {
            // A dealer's blackjack takes only one of the two bets.
            for (chance, &more) in chances.iter().zip(next).filter(|(_, more)| **more != BUST) {
                double += chance * self.dealer_chances(setting, more)[Dealer::Blackjack as usize];
            }
        }
        let surrender = match split_from {
            Some(_) => self.apart_from_blackjack(setting, self.rules.given_up(self.upcard), hand),
            None => 0.0,
        };
        Plays { stand: self.stand(setting, hand), hit, double, surrender }
    }

    /// The net win of a hand whose result only a dealer's blackjack changes.
    fn apart_from_blackjack(&self, setting: usize, player: Player, hand: HandId) -> f64 {
        let split_from = self.settings.all[setting].split_from;
        // Before a split there is no condition on the dealer's blackjack.
        let blackjack = match split_from {
            None => self.blackjack_chance(hand),
            Some(_) => self.dealer(self.shoe_of(setting, hand))[Dealer::Blackjack as usize],
        };
        let won = |dealer| self.won(split_from, player, dealer);
        let (against, otherwise) = (won(Dealer::Blackjack), won(Dealer::Seventeen));
        otherwise + blackjack * (against - otherwise)
    }

    /// The expected net win of a dealt blackjack.
    pub fn natural(&self, hand: HandId) -> f64 {
        self.apart_from_blackjack(0, Player::Blackjack, hand)
    }

    /// The value of surrendering the first two cards.
    pub fn surrender(&self, hand: HandId) -> f64 {
        self.apart_from_blackjack(0, self.rules.given_up(self.upcard), hand)
    }

    /// The value of insuring the first two cards, without that of the hand.
    pub fn insurance(&self, hand: HandId) -> f64 {
        let units = self.rules.units() as f64;
        let won = |dealer| self.rules.insurance(dealer) as f64 / units;
        let blackjack = self.blackjack_chance(hand);
        blackjack * won(Dealer::Blackjack) + (1.0 - blackjack) * won(Dealer::Seventeen)
    }

    /// The value of every hand of a setting, by hand number, if `choose` decides. A blackjack after a split has the
    /// value of its win.
    pub fn values(
        &self,
        setting: usize,
        mut choose: impl FnMut(HandId, Actions, &Plays) -> Action,
    ) -> Vec<f64> {
        let split_from = self.settings.all[setting].split_from;
        let mut values = vec![0.0; self.hands.all.len()];
        for &hand in self.settings.all[setting].ids.iter().rev() {
            let shape = self.shape(hand);
            values[usize::from(hand)] = if shape.total == 21 {
                if split_from.is_some() && self.rules.is_blackjack(shape, split_from) {
                    self.apart_from_blackjack(setting, Player::Blackjack, hand)
                } else {
                    self.stand(setting, hand)
                }
            } else {
                let plays = self.plays(setting, hand, &values);
                plays.get(self.action(setting, hand, |legal| choose(hand, legal, &plays)))
            };
        }
        values
    }

    /// The weights of the hands of a split if the player makes at most `most` hands: for each of the pair's
    /// settings, the weight of each value of the second card. `rank` has the number of cards left of the pair's
    /// rank, if only pairs of one rank are split.
    pub fn second_cards(&self, pair: usize, most: u8, rank: Option<&TenRank>) -> Vec<[f64; 10]> {
        let mut gone = with(&[0; 10], self.upcard);
        gone[pair] += 2;
        let mut all_paired = [0.0; MAX_EXTRA];
        let mut chance = 1.0;
        for (more, paired) in all_paired.iter_mut().enumerate() {
            *paired = chance;
            let again = self.shoe.next(&gone, self.hidden).map_or(0.0, |next| next[pair]);
            chance *= rank.map_or(again, |rank| again * rank.share(more));
            gone[pair] += 1;
        }
        let weights = SplitWeights::new(most.min(self.rules.most_hands(pair)), &all_paired);
        let alone = self.hands.find(&[pair]);
        let settings = self.split_settings(pair).enumerate();
        let weighted = settings.map(|(more, setting)| {
            let (paired, other) = (weights.paired[more], weights.other[more]);
            let mut weighted = *self.next(setting, alone);
            for (value, chance) in weighted.iter_mut().enumerate() {
                *chance *= match rank {
                    _ if value != pair => other,
                    None => paired,
                    Some(rank) => paired * rank.share(more) + other * (1.0 - rank.share(more)),
                };
            }
            weighted
        });
        weighted.collect()
    }

    /// The ranks of pairs that are split, each with its share of them.
    pub fn pair_ranks(&self, pair: usize) -> Vec<(f64, Option<TenRank>)> {
        if !self.rules.pairs_by_rank(pair) {
            return vec![(1.0, None)];
        }
        let share = self.split_share(pair);
        self.tens.iter().map(|&(chance, rank)| (chance / share, Some(rank))).collect()
    }

    /// The share of the pairs of this value that can be split.
    pub fn split_share(&self, pair: usize) -> f64 {
        if self.rules.pairs_by_rank(pair) { self.tens.iter().map(|(chance, _)| chance).sum() } else { 1.0 }
    }

    /// The value of splitting if the player makes at most `most` hands, given the values of the hands in each of the
    /// pair's settings.
    pub fn split_value(&self, pair: usize, most: u8, values: &[Vec<f64>]) -> f64 {
        let alone = self.hands.find(&[pair]);
        let next = &self.hands.next[usize::from(alone)];
        let mut value = 0.0;
        for (chance, rank) in self.pair_ranks(pair) {
            let mut total = 0.0;
            for (weights, values) in self.second_cards(pair, most, rank.as_ref()).iter().zip(values) {
                for (weight, &hand) in weights.iter().zip(next) {
                    total += weight * values[usize::from(hand)];
                }
            }
            value += chance * total;
        }
        // A dealer's blackjack takes one bet, which none of the hands was charged for.
        if self.rules.blackjack_takes_busted_bets() {
            value -= self.blackjack_chance(self.hands.find(&[pair; 2]));
        }
        value
    }
}

/// These cards and one more of a value.
pub fn with(cards: &Counts, value: usize) -> Counts {
    let mut more = *cards;
    more[value] += 1;
    more
}

/// Two dealt cards.
#[derive(Clone, Copy, Debug)]
pub struct Deal {
    /// The hand.
    pub hand: HandId,
    /// Its probability, given the upcard.
    pub chance: f64,
    /// Whether they are tens of different ranks that can't be split.
    pub unlike: bool,
}

/// Every two-card hand, with its probability given the upcard.
pub fn deals(rules: &Rules, shoe: &Shoe, upcard: usize) -> Vec<Deal> {
    let mut deals = Vec::with_capacity(56);
    let mut seen = [0; 10];
    seen[upcard] += 1;
    let Some(ones) = shoe.next(&seen, None) else { return deals };
    for (first, &one) in ones.iter().enumerate().filter(|(_, one)| **one > 0.0) {
        let two = shoe.next(&with(&seen, first), None).expect("a card that there is can be dealt");
        for (second, &two) in two.iter().enumerate().skip(first).filter(|(_, two)| **two > 0.0) {
            let orders = if first == second { 1.0 } else { 2.0 };
            let hand = Hands::table().find(&[first, second]);
            let chance = orders * one * two;
            if first == second && rules.pairs_by_rank(first) {
                let alike: f64 = shoe.pairs_of_one_rank(upcard).iter().map(|(chance, _)| chance).sum();
                deals.push(Deal { hand, chance: chance * alike, unlike: false });
                deals.push(Deal { hand, chance: chance * (1.0 - alike), unlike: true });
            } else {
                deals.push(Deal { hand, chance, unlike: false });
            }
        }
    }
    deals.retain(|deal| deal.chance > 0.0);
    deals
}
