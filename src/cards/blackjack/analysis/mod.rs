//! The exact value of the game under the best play, the best chart or any other strategy.
//!
//! Each upcard is analyzed separately. [`table`] has the hands that can be held against it, each with its own shoe:
//! all seen cards are removed, and the dealer's probabilities are exact for the rest. A hand's value is the maximum
//! over its legal actions, or the value of the strategy's action. Hitting leads to hands of one more card, so one
//! pass from the largest hands back to the two dealt cards solves all of them. The best play depends on the cards in
//! the player's hand, the pair it was split from, and the upcard.
//!
//! The hands of a split are played without regard to each other, so two are worth exactly twice one of them with the
//! other pair card removed; [`split`] has more than two. The best chart needs a search ([`basic`]), because one cell
//! of a chart is for hands of several compositions. The distribution of the net win is a separate computation
//! ([`law`]), since the hands of a split share the dealer's hand.
//!
//! The values agree with a slow oracle in fractions (`tests/oracles/blackjack.py`), with published house edges, and
//! with 10^8 simulated rounds for each of many sets of rules (`make blackjack-rounds`).

pub mod basic;
pub mod law;
pub mod split;
pub mod table;

use super::dealer::{Chances, Shoe};
use super::rules::{Action, Actions, Rules};
use super::strategy::{Chart, Policy, PolicyColumn, Preference};
use crate::error::{Result, value_error};
use crate::parallel::{self, no_tick};
use table::{Deal, Settings, Table, deals};

/// The strategy to analyze.
#[derive(Clone, Copy, Debug)]
pub enum Strategy<'a> {
    /// The best play of every hand.
    Optimal,
    /// The best chart of totals.
    Basic,
    /// A given chart.
    Chart(&'a Chart),
}

/// The value of each action, in bets, if the strategy is followed afterwards; by `Action as usize`, `None` if it
/// isn't legal.
pub type ActionValues = [Option<f64>; Action::ALL.len()];

/// Two dealt cards against one upcard.
#[derive(Clone, Debug)]
pub struct FirstHand {
    /// The two cards, and their probability given the upcard.
    pub deal: Deal,
    /// The value of each action; none for a blackjack, which can only stand.
    pub values: ActionValues,
    /// The strategy's action; `None` for such a blackjack.
    pub action: Option<Action>,
    /// The value of that action.
    pub value: f64,
}

/// The analysis of one upcard.
#[derive(Clone, Debug)]
pub struct UpcardAnalysis {
    /// The probability of the upcard.
    pub chance: f64,
    /// The strategy's value against this upcard, in bets.
    pub value: f64,
    /// The probabilities of the dealer's results, given the upcard alone.
    pub dealer: Chances,
    /// Every two-card hand.
    pub hands: Vec<FirstHand>,
}

/// The analysis of a strategy under some rules.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The rules.
    pub rules: Rules,
    /// The cards before the deal.
    pub shoe: Shoe,
    /// The analyses by the upcard's value, ace first.
    pub columns: Vec<UpcardAnalysis>,
    /// The chart, if the strategy is one.
    pub chart: Option<Chart>,
    /// The strategy's action with every hand.
    pub policy: Policy,
}

impl Analysis {
    /// Analyzes a strategy for the full shoe of the rules.
    pub fn new(rules: &Rules, strategy: Strategy) -> Self {
        Self::with_shoe(rules, &Shoe::new(rules.decks), strategy)
    }

    /// Refuses shoes with too few cards for an exact analysis.
    pub fn check(rules: &Rules, shoe: &Shoe) -> Result<()> {
        let most = (0..10).map(|pair| rules.most_hands(pair)).max().unwrap_or(1);
        if rules.blackjack_takes_busted_bets() && most > 2 && shoe.finite() {
            return Err(value_error!(
                "split_hands",
                "must be at most 2 to analyze hole_card=\"busted_bets_plus_one\" exactly, got {most}: what a \
                 dealer's blackjack takes depends on all hands of a split at once"
            ));
        }
        // Each hand draws at most from a hard total of 20, the dealer's from 16.
        let needed = f64::from(u16::from(most) * 30 + 26);
        let count = shoe.hard_total();
        if shoe.finite() && count < needed {
            return Err(value_error!(
                "shoe",
                "must have cards that count at least {needed} in all, an ace as one, so that no round runs out \
                 of them, got {count}"
            ));
        }
        Ok(())
    }

    /// Analyzes a strategy for a given shoe.
    pub fn with_shoe(rules: &Rules, shoe: &Shoe, strategy: Strategy) -> Self {
        let settings = Settings::new(rules, shoe);
        let judge = |upcard| {
            let table = Table::new(rules, shoe, &settings, upcard);
            let deals = deals(rules, shoe, upcard);
            let chart = match strategy {
                Strategy::Optimal => None,
                Strategy::Basic => Some(basic::best_column(&table, &deals)),
                Strategy::Chart(chart) => Some(chart.columns[upcard].clone()),
            };
            let (policy, values) = match &chart {
                None => best_play(&table, &deals),
                Some(chart) => {
                    let policy = PolicyColumn::from_chart(chart);
                    let values = first_values(&table, &policy, &deals);
                    (policy, values)
                }
            };
            (UpcardAnalysis::new(&table, &policy, &deals, values), (policy, chart))
        };
        // The upcards are independent of each other.
        let mut judged: Vec<_> = (0..10).map(|_| None).collect();
        let threads = parallel::threads(None, 10, 1);
        parallel::fill(&mut judged, 1, 1, threads, &mut no_tick, |(), upcard, place| {
            place.fill_with(|| Some(judge(upcard)));
        })
        .expect("nobody stops it");
        let (columns, (plays, charts)): (_, (_, Vec<_>)) = judged.into_iter().flatten().unzip();
        let chart = charts.into_iter().collect::<Option<_>>().map(|columns| Chart { columns });
        let policy = Policy { columns: plays };
        Analysis { rules: *rules, shoe: *shoe, columns, chart, policy }
    }

    /// The expected net win of a round, in bets.
    pub fn value(&self) -> f64 {
        self.columns.iter().map(|column| column.chance * column.value).sum()
    }

    /// The distribution of the net win of a round: the results in units, increasing, with their probabilities.
    pub fn law(&self) -> Vec<(i64, f64)> {
        law::net_law(&self.rules, &self.shoe, &self.policy)
    }
}

impl UpcardAnalysis {
    fn new(table: &Table, policy: &PolicyColumn, deals: &[Deal], values: Vec<ActionValues>) -> Self {
        let hands: Vec<_> = deals
            .iter()
            .zip(values)
            .map(|(&deal, values)| {
                if values.iter().all(Option::is_none) {
                    return FirstHand { deal, values, action: None, value: table.natural(deal.hand) };
                }
                let action = policy.cell(None, deal.hand).choose(table.first_legal(&deal));
                let value = values[action as usize].expect("the chosen action is legal");
                FirstHand { deal, values, action: Some(action), value }
            })
            .collect();
        UpcardAnalysis {
            chance: table.shoe.next(&[0; 10], None).expect("a full shoe has cards")[table.upcard],
            value: hands.iter().map(|hand| hand.deal.chance * hand.value).sum(),
            dealer: *table.dealer_chances(0, 0),
            hands,
        }
    }
}

/// The value of every first action under a strategy.
fn first_values(table: &Table, policy: &PolicyColumn, deals: &[Deal]) -> Vec<ActionValues> {
    let mut all = values_without_insurance(table, policy, deals);
    for (deal, values) in deals.iter().zip(&mut all) {
        let legal = table.first_legal(deal);
        if legal.contains(Action::Insure) {
            let then = policy.cell(None, deal.hand).choose(legal.after_insuring());
            insure(table, deal, values, then);
        }
    }
    all
}

/// Adds the value of insurance, if followed by this action.
fn insure(table: &Table, deal: &Deal, values: &mut ActionValues, then: Action) {
    values[Action::Insure as usize] = values[then as usize].map(|value| value + table.insurance(deal.hand));
}

/// Like [`first_values`], without insurance.
fn values_without_insurance(table: &Table, policy: &PolicyColumn, deals: &[Deal]) -> Vec<ActionValues> {
    let played = follow(table, policy, 0);
    deals
        .iter()
        .map(|deal| {
            let hand = deal.hand;
            let natural = table.rules.is_blackjack(table.shape(hand), None);
            let legal = table.first_legal(deal);
            let mut values = [None; Action::ALL.len()];
            if natural && legal == Actions::STAND {
                return values;
            }
            let plays = table.plays(0, hand, &played);
            for action in legal.without(Action::Insure).iter() {
                values[action as usize] = Some(match action {
                    Action::EvenMoney => 1.0,
                    Action::Stand if natural => table.natural(hand),
                    Action::Surrender => table.surrender(hand),
                    Action::Split => {
                        let pair = table.shape(hand).pair.expect("only pairs are split");
                        table.first_bet(hand, split_value(table, policy, pair), -1.0)
                    }
                    action => table.first_bet(hand, plays.get(action), -1.0),
                });
            }
            values
        })
        .collect()
}

/// The value of splitting a pair under a strategy, on the table's condition.
fn split_value(table: &Table, policy: &PolicyColumn, pair: usize) -> f64 {
    let values: Vec<_> = table.split_settings(pair).map(|setting| follow(table, policy, setting)).collect();
    let value = table.split_value(pair, policy.most_hands[pair], &values);
    if table.rules.blackjack_takes_busted_bets() { value + law::all_lost(table, policy, pair) } else { value }
}

/// The best play, and the value of every first action under it.
fn best_play(table: &Table, deals: &[Deal]) -> (PolicyColumn, Vec<ActionValues>) {
    let mut policy = PolicyColumn::empty();
    let mut decide = |setting: usize| {
        let split_from = table.settings.all[setting].split_from;
        table.values(setting, |hand, legal, plays| {
            let best = plays.best(legal);
            // A pair made again is split again if allowed; a hand that can no longer be surrendered is played by its
            // best other action.
            let otherwise = Preference::only(plays.best(legal.without(Action::Surrender)));
            let best_first = Preference::only(best).then(otherwise);
            let order = match table.shape(hand).pair {
                Some(_) => Preference::only(Action::Split).then(best_first),
                None => best_first,
            };
            policy.set(split_from, hand, order);
            best
        });
    };
    decide(0);
    // The hands of a split are played by the best strategy with only the other pair card removed.
    (0..10).filter_map(|pair| table.split_settings(pair).next()).for_each(decide);
    for pair in 0..10 {
        policy.most_hands[pair] = best_number_of_hands(table, &policy, pair);
    }
    let mut all = values_without_insurance(table, &policy, deals);
    // Tens of one rank come before unlike ones, and have more legal actions.
    for (deal, values) in deals.iter().zip(&mut all).rev() {
        let sorted = |values: &ActionValues| {
            let worth = |&action: &Action| values[action as usize].map(|value| (action, value));
            let mut order: Vec<_> = Action::ALL.iter().filter_map(worth).collect();
            order.sort_by(|a, b| b.1.total_cmp(&a.1));
            order
        };
        let legal = table.first_legal(deal);
        let best = sorted(values).into_iter().find(|&(action, _)| legal.after_insuring().contains(action));
        if let (true, Some((best, _))) = (legal.contains(Action::Insure), best) {
            insure(table, deal, values, best);
        }
        policy.set(None, deal.hand, Preference::new(sorted(values).into_iter().map(|(action, _)| action)));
    }
    (policy, all)
}

/// The number of hands after which a pair is best not split again. It is nearly always the rules' maximum, but a
/// pair of tens can be worth splitting exactly once.
fn best_number_of_hands(table: &Table, policy: &PolicyColumn, pair: usize) -> u8 {
    let most = table.rules.most_hands(pair);
    if most < 3 {
        return most;
    }
    let values: Vec<_> = table.split_settings(pair).map(|setting| follow(table, policy, setting)).collect();
    let value = |hands: &u8| table.split_value(pair, *hands, &values);
    (2..=most).max_by(|a, b| value(a).total_cmp(&value(b))).unwrap_or(most)
}

/// The values of a setting's hands under a strategy.
fn follow(table: &Table, policy: &PolicyColumn, setting: usize) -> Vec<f64> {
    let split_from = table.settings.all[setting].split_from;
    table.values(setting, |hand, legal, _| policy.cell(split_from, hand).choose(legal))
}
