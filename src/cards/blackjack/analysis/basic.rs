//! The best chart of totals.
//!
//! A hand never has the same total (hard or soft) twice. So, with the rest of the chart fixed, the value of each way
//! to play a total is exact: for all hands with this total, the probability of reaching the hand times the value of
//! playing it so. Totals are improved one at a time, from those at which hands end back to those at which they
//! begin, then pairs, and all again until nothing changes.

use super::super::player::{BUST, HandId};
use super::super::rules::{Action, Actions};
use super::super::strategy::{ChartColumn, Key, Preference};
use super::table::{Deal, Plays, Table};

/// Every way to play a total: hit or stand, doubling first if legal, surrendering before both if legal.
const WAYS: [&[Action]; 8] = [
    &[Action::Stand],
    &[Action::Hit],
    &[Action::Double, Action::Stand],
    &[Action::Double, Action::Hit],
    &[Action::Surrender, Action::Stand],
    &[Action::Surrender, Action::Hit],
    &[Action::Surrender, Action::Double, Action::Stand],
    &[Action::Surrender, Action::Double, Action::Hit],
];

/// A two-card hand that is played by its total, in one setting.
struct Start {
    setting: usize,
    hand: HandId,
    key: usize,
    legal: Actions,
    /// The derivative of the round's value with respect to this hand's value.
    weight: f64,
    /// The value of surrendering, on the table's condition.
    surrender: f64,
}

/// A chart that is being improved, with the values and weights of hands under it.
struct Search<'a> {
    table: &'a Table<'a>,
    /// The settings and hands of each total, in the order of [`Key::from_the_end`].
    by_key: Vec<Vec<(usize, HandId)>>,
    totals: [Preference; Key::COUNT],
    /// The action with each pair; `None` if it is played by its total.
    pairs: [Option<Action>; 10],
    /// The weight of each hand that is hit or stood on, by setting and hand number.
    reach: Vec<Vec<f64>>,
    values: Vec<Vec<f64>>,
}

/// Finds the best chart against the table's upcard for these deals.
pub fn best_column(table: &Table, deals: &[Deal]) -> ChartColumn {
    let mut search = Search::new(table);
    // Each round improves the value; the limit only guards against rounding errors going in circles.
    for _ in 0..100 {
        if !search.improve(deals) {
            break;
        }
    }
    let mut column = search.column();
    add_first_choices(table, deals, &mut column);
    column
}

/// Prepends the choices made before a hand is played: insurance, if it wins on average over the hands of a cell, and
/// even money.
fn add_first_choices(table: &Table, deals: &[Deal], column: &mut ChartColumn) {
    let mut pairs = [0.0; 10];
    let mut totals = [0.0; Key::COUNT];
    for deal in deals.iter().filter(|deal| table.first_legal(deal).contains(Action::Insure)) {
        let shape = table.shape(deal.hand);
        let sum = match shape.pair {
            Some(pair) => &mut pairs[pair],
            None => &mut totals[Key::of(shape).index()],
        };
        *sum += deal.chance * table.insurance(deal.hand);
    }
    let cells = column.pairs.iter_mut().zip(pairs).chain(column.totals.iter_mut().zip(totals));
    for (cell, gain) in cells {
        if gain > 0.0 {
            *cell = Preference::only(Action::Insure).then(*cell);
        }
    }
    let natural = deals.iter().find(|deal| table.rules.is_blackjack(table.shape(deal.hand), None));
    let Some(deal) = natural.filter(|_| table.rules.even_money) else { return };
    let insured = if table.rules.insurance { table.insurance(deal.hand).max(0.0) } else { 0.0 };
    if table.natural(deal.hand) + insured < 1.0 && table.first_legal(deal).contains(Action::EvenMoney) {
        let cell = &mut column.totals[Key::Soft(21).index()];
        *cell = Preference::only(Action::EvenMoney).then(*cell);
    }
}

impl<'a> Search<'a> {
    fn new(table: &'a Table) -> Self {
        let settings = &table.settings.all;
        let mut by_key = vec![Vec::new(); Key::COUNT];
        for (setting, at) in settings.iter().enumerate() {
            for &hand in at.ids {
                let shape = table.shape(hand);
                if shape.cards > 1 {
                    by_key[Key::of(shape).index()].push((setting, hand));
                }
            }
        }
        let totals = std::array::from_fn(|key| {
            // Hit below hard 17 and below soft 18, as a reasonable start.
            let hit = if key < 18 { key + 4 < 17 } else { key - 18 + 12 < 18 };
            Preference::only(if hit { Action::Hit } else { Action::Stand })
        });
        let nothing = vec![vec![0.0; table.hands.all.len()]; settings.len()];
        let pairs = std::array::from_fn(|pair| {
            let possible = !table.split_settings(pair).is_empty() && table.split_share(pair) > 0.0;
            possible.then_some(Action::Split)
        });
        Search { table, by_key, totals, pairs, reach: nothing.clone(), values: nothing }
    }

    /// The present chart.
    fn column(&self) -> ChartColumn {
        ChartColumn {
            totals: self.totals,
            pairs: self.pairs.map(|pair| pair.map_or(Preference::NONE, Preference::only)),
        }
    }

    /// The two-card hands that are played by their total, with their weights: dealt hands, and those made by the
    /// splits in the chart.
    fn starts(&self, deals: &[Deal]) -> Vec<Start> {
        let table = self.table;
        let mut starts = Vec::new();
        for deal in deals {
            let hand = deal.hand;
            let shape = table.shape(hand);
            let weight = deal.chance * table.weight(hand);
            match shape.pair.and_then(|pair| self.pairs[pair].map(|action| (pair, action))) {
                Some((pair, Action::Split)) if !deal.unlike => self.split_starts(pair, weight, &mut starts),
                None | Some((_, Action::Split)) if shape.total < 21 => {
                    let may = table.first_legal(deal).contains(Action::Surrender);
                    starts.push(Start {
                        setting: 0,
                        hand,
                        key: Key::of(shape).index(),
                        legal: table.legal(0, hand).with(Action::Surrender, may),
                        weight,
                        surrender: self.surrender(hand),
                    });
                }
                // A pair with a cell of its own isn't played by its total; `spread` follows it.
                _ => {}
            }
        }
        starts
    }

    fn split_starts(&self, pair: usize, weight: f64, starts: &mut Vec<Start>) {
        let table = self.table;
        let alone = table.hands.find(&[pair]);
        for (chance, rank) in table.pair_ranks(pair) {
            let seconds = table.second_cards(pair, u8::MAX, rank.as_ref());
            for (setting, seconds) in table.split_settings(pair).zip(seconds) {
                for (part, &hand) in seconds.iter().zip(&table.hands.next[usize::from(alone)]) {
                    let shape = table.shape(hand);
                    let legal = table.legal(setting, hand);
                    if legal == Actions::STAND {
                        continue;
                    }
                    starts.push(Start {
                        setting,
                        hand,
                        key: Key::of(shape).index(),
                        legal,
                        weight: weight * chance * part,
                        surrender: table.plays(setting, hand, &self.values[setting]).surrender,
                    });
                }
            }
        }
    }

    /// The value of surrendering a hand, on the same condition as the other values.
    fn surrender(&self, hand: HandId) -> f64 {
        let mean = self.table.surrender(hand);
        let at_blackjack = self.table.first_bet(hand, 0.0, -1.0);
        (mean - at_blackjack) / self.table.weight(hand)
    }

    /// Improves every cell once. Returns whether any changed.
    fn improve(&mut self, deals: &[Deal]) -> bool {
        let before = (self.totals, self.pairs);
        let starts = self.starts(deals);
        self.spread(&starts, deals);
        for key in Key::from_the_end().map(Key::index) {
            self.improve_total(key, &starts);
        }
        for deal in deals {
            if let Some(pair) = self.table.shape(deal.hand).pair {
                self.pairs[pair] = self.best_for_pair(pair, deal.hand);
            }
        }
        (self.totals, self.pairs) != before
    }

    /// Computes the weight of each hand under the present chart.
    fn spread(&mut self, starts: &[Start], deals: &[Deal]) {
        let table = self.table;
        let hit = |reach: &mut [f64], setting: usize, hand: HandId, weight: f64| {
            let next = &table.hands.next[usize::from(hand)];
            for (chance, &more) in table.next(setting, hand).iter().zip(next) {
                if more != BUST {
                    reach[usize::from(more)] += weight * chance;
                }
            }
        };
        for reach in &mut self.reach {
            reach.fill(0.0);
        }
        for start in starts {
            if matches!(self.totals[start.key].choose(start.legal), Action::Hit | Action::Stand) {
                self.reach[start.setting][usize::from(start.hand)] += start.weight;
            }
        }
        // A pair that is hit isn't played by its total, but the hands it becomes are.
        for &Deal { hand, chance, .. } in deals {
            if table.shape(hand).pair.and_then(|pair| self.pairs[pair]) == Some(Action::Hit) {
                hit(&mut self.reach[0], 0, hand, chance * table.weight(hand));
            }
        }
        for (setting, reach) in self.reach.iter_mut().enumerate() {
            for &hand in table.settings.all[setting].ids {
                let here = reach[usize::from(hand)];
                let shape = table.shape(hand);
                if here != 0.0 {
                    let legal = table.legal(setting, hand).without(Action::Surrender);
                    if self.totals[Key::of(shape).index()].choose(legal) == Action::Hit {
                        hit(reach, setting, hand, here);
                    }
                }
            }
        }
    }

    /// Chooses the best way to play one total, with the rest of the chart fixed.
    fn improve_total(&mut self, key: usize, starts: &[Start]) {
        let table = self.table;
        let plays =
            |values: &[Vec<f64>], setting: usize, hand: HandId| table.plays(setting, hand, &values[setting]);
        let hands = std::mem::take(&mut self.by_key[key]);
        let standing = table.shape(hands[0].1).total == 21;
        // The gain over standing: of hitting, for hands of three or more cards that can't be doubled, and of hitting
        // or doubling for those that can.
        let (mut drawn, mut usual) = (0.0, 0.0);
        let mut either = [0.0; 2];
        let mut both = Vec::with_capacity(hands.len());
        for &(setting, hand) in &hands {
            let play = plays(&self.values, setting, hand);
            let legal = table.legal(setting, hand);
            let reach = self.reach[setting][usize::from(hand)];
            if table.shape(hand).cards > 2 && legal.contains(Action::Double) {
                either[0] += reach * (play.hit - play.stand);
                either[1] += reach * (play.double - play.stand);
            } else if table.shape(hand).cards > 2 && legal.contains(Action::Hit) {
                drawn += reach * (play.hit - play.stand);
            }
            if setting == 0 && !table.rules.is_charlie(table.shape(hand)) {
                // A total that is never reached is decided by all hands that have it.
                usual += table.weight(hand) * (play.hit - play.stand);
            }
            both.push(play);
        }
        // Hands of two cards, which may also be doubled or surrendered.
        let first: Vec<_> = starts
            .iter()
            .filter(|start| start.key == key)
            .map(|start| {
                let plays = plays(&self.values, start.setting, start.hand);
                (start, Plays { surrender: start.surrender, ..plays })
            })
            .collect();
        let worth = |way: Preference| {
            let two_cards: f64 =
                first.iter().map(|(start, plays)| start.weight * plays.get(way.choose(start.legal))).sum();
            let either = match way.choose(Actions::STAND.with(Action::Hit, true).with(Action::Double, true)) {
                Action::Double => either[1],
                Action::Hit => either[0],
                _ => 0.0,
            };
            let (hit, usual) = match way.choose(Actions::STAND.with(Action::Hit, true)) {
                Action::Hit => (drawn, 1e-15 * usual),
                _ => (0.0, 0.0),
            };
            two_cards + either + hit + usual
        };
        if !standing {
            let mut best = Preference::only(Action::Stand);
            for way in WAYS {
                let way = Preference::new(way.iter().copied());
                if worth(way) > worth(best) {
                    best = way;
                }
            }
            self.totals[key] = best;
        }
        for (&(setting, hand), play) in hands.iter().zip(both) {
            // Doubling two cards is weighed in `first`; this is the value if they aren't doubled.
            let legal = table.legal(setting, hand).without(Action::Surrender);
            let legal = if table.shape(hand).cards > 2 { legal } else { legal.without(Action::Double) };
            self.values[setting][usize::from(hand)] = play.get(self.totals[key].choose(legal));
        }
        self.by_key[key] = hands;
    }

    /// The best action with a pair.
    fn best_for_pair(&self, pair: usize, hand: HandId) -> Option<Action> {
        let table = self.table;
        let legal = table.legal(0, hand);
        let plays = table.plays(0, hand, &self.values[0]);
        let best = plays.best(legal);
        let (mut action, mut value) = (best, plays.get(best));
        if !table.split_settings(pair).is_empty() && table.split_share(pair) > 0.0 {
            let split = self.split_value(pair);
            if split > value {
                (action, value) = (Action::Split, split);
            }
        }
        let may = table.rules.legal(table.shape(hand), None, 1, table.upcard).contains(Action::Surrender);
        if may && self.surrender(hand) > value {
            action = Action::Surrender;
        }
        Some(action)
    }

    /// The value of splitting under the present chart.
    fn split_value(&self, pair: usize) -> f64 {
        let table = self.table;
        let values: Vec<_> = table
            .split_settings(pair)
            .map(|setting| {
                table.values(setting, |hand, legal, _| {
                    self.totals[Key::of(table.shape(hand)).index()].choose(legal)
                })
            })
            .collect();
        table.split_value(pair, u8::MAX, &values)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::dealer::Shoe;
    use super::super::super::rules::{Doubling, HoleCard, Rules, Soft17, Surrender};
    use super::super::super::strategy::Chart;
    use super::super::table::{Settings, deals};
    use super::super::{Analysis, Strategy};
    use super::*;

    /// The gain that the search computes for changing one total equals that of the whole round, for hands that are
    /// dealt, made by a split, or made by hitting a pair.
    #[test]
    fn the_worth_of_a_total_is_exact() {
        let rules = Rules { double: Doubling::None, surrender: [Surrender::None; 10], ..unsplit() };
        check_worth(&[rules]);
    }

    #[test]
    #[ignore = "thorough: takes seconds"]
    fn the_worth_of_a_total_is_exact_where_more_may_be_done() {
        let usual = Rules {
            decks: Some(2),
            split_hands: [3; 10],
            soft_17: Soft17::Stand,
            hole_card: HoleCard::Peek,
            surrender: [Surrender::Late; 10],
            ..unsplit()
        };
        check_worth(&[unsplit(), usual]);
    }

    fn unsplit() -> Rules {
        Rules { decks: Some(1), split_hands: [1; 10], ..Rules::default() }
    }

    fn check_worth(all: &[Rules]) {
        for rules in all {
            let shoe = Shoe::new(rules.decks);
            let settings = Settings::new(rules, &shoe);
            let tables: Vec<_> = (0..10).map(|upcard| Table::new(rules, &shoe, &settings, upcard)).collect();
            let searches = tables.iter().map(|table| {
                let deals = deals(rules, &shoe, table.upcard);
                let mut search = Search::new(table);
                while search.improve(&deals) {}
                search
            });
            let searches: Vec<_> = searches.collect();
            let mut chart = Chart { columns: searches.iter().map(Search::column).collect() };
            let best = Analysis::new(rules, Strategy::Chart(&chart));
            for key in Key::from_the_end().map(Key::index) {
                if searches[0].table.shape(searches[0].by_key[key][0].1).total == 21 {
                    continue;
                }
                // The columns are independent, so a row can be changed in all of them at once.
                for (column, search) in chart.columns.iter_mut().zip(&searches) {
                    let actions = search.totals[key].iter().map(|action| match action {
                        Action::Hit => Action::Stand,
                        Action::Stand => Action::Hit,
                        other => other,
                    });
                    column.totals[key] = Preference::new(actions);
                }
                let changed = Analysis::new(rules, Strategy::Chart(&chart));
                for (upcard, search) in searches.iter().enumerate() {
                    let hitting: f64 = search.by_key[key]
                        .iter()
                        .map(|&(setting, hand)| {
                            let play = search.table.plays(setting, hand, &search.values[setting]);
                            search.reach[setting][usize::from(hand)] * (play.hit - play.stand)
                        })
                        .sum();
                    let hits = search.totals[key].iter().any(|action| action == Action::Hit);
                    let expected = if hits { -hitting } else { hitting };
                    let gain = changed.columns[upcard].value - best.columns[upcard].value;
                    assert!((gain - expected).abs() < 1e-13, "{key} {upcard} {gain} {expected} {rules:?}");
                    assert!(gain < 1e-13, "{key} {upcard} {gain} {rules:?}");
                    chart.columns[upcard] = search.column();
                }
            }
        }
    }
}
