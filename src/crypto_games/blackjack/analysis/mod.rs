//! What the game is worth, exactly: the best play, the best chart, and any other strategy.
//!
//! Every card seen is taken out of the shoe, and the dealer's chances are exact for what is left.
//! The best play looks at the player's own cards, the pair they were split from, and the upcard.
//! A split's hands do not look at each other, so two of them are worth twice one, the other pair
//! card taken out; see [`split`] for more than two.

pub mod basic;
pub mod law;
pub mod split;
pub mod table;

use super::dealer::{Chances, Shoe};
use super::player::HandId;
use super::rules::{Action, Rules};
use super::strategy::{Chart, Policy, PolicyColumn, Preference};
use law::NetLaw;
use split::most_hands;
use table::{Settings, Table, deals, first_legal};

/// Which strategy is judged.
#[derive(Clone, Copy, Debug)]
pub enum Strategy<'a> {
    /// The best play.
    Optimal,
    /// The best chart of totals.
    Basic,
    /// A chart of the caller's.
    Chart(&'a Chart),
}

/// Two cards against one upcard.
#[derive(Clone, Debug)]
pub struct FirstHand {
    /// The two cards.
    pub hand: HandId,
    /// How often they come, given the upcard.
    pub chance: f64,
    /// What each action wins, in bets, if the strategy is followed afterwards; by `Action as
    /// usize`, `None` where it is not legal. A blackjack has none.
    pub values: [Option<f64>; 5],
    /// What the strategy does; `None` for a blackjack.
    pub action: Option<Action>,
    /// What that wins.
    pub value: f64,
}

/// All hands against one upcard.
#[derive(Clone, Debug)]
pub struct Column {
    /// The chance of the upcard.
    pub chance: f64,
    /// What the strategy wins against it.
    pub value: f64,
    /// How the dealer ends, when nothing but the upcard is seen.
    pub dealer: Chances,
    /// Every two-card hand.
    pub hands: Vec<FirstHand>,
}

/// What a strategy is worth under some rules.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The rules.
    pub rules: Rules,
    /// By the upcard's value, ace first.
    pub columns: Vec<Column>,
    /// The chart, if the strategy is one.
    pub chart: Option<Chart>,
    /// The strategy in full.
    pub policy: Policy,
}

impl Analysis {
    /// Judges a strategy.
    pub fn new(rules: &Rules, strategy: Strategy) -> Self {
        let settings = Settings::new(rules);
        let mut columns = Vec::with_capacity(10);
        let mut policy = Policy { columns: Vec::with_capacity(10) };
        let mut charts = Vec::new();
        for upcard in 0..10 {
            let table = Table::new(rules, &settings, upcard);
            let deals = deals(rules, upcard);
            let (policy_column, hands) = match strategy {
                Strategy::Optimal => best_play(&table, &deals),
                Strategy::Basic => {
                    let chart = basic::best_column(&table, &deals);
                    let column = PolicyColumn::from_chart(&chart);
                    charts.push(chart);
                    let values = first_values(&table, &column, &deals);
                    (column, values)
                }
                Strategy::Chart(chart) => {
                    let column = PolicyColumn::from_chart(&chart.columns[upcard]);
                    let values = first_values(&table, &column, &deals);
                    (column, values)
                }
            };
            columns.push(Column::new(&table, &policy_column, &deals, hands));
            policy.columns.push(policy_column);
        }
        let chart = match strategy {
            Strategy::Optimal => None,
            Strategy::Basic => Some(Chart { columns: charts }),
            Strategy::Chart(chart) => Some(chart.clone()),
        };
        Analysis { rules: *rules, columns, chart, policy }
    }

    /// What a round wins on average, in bets.
    pub fn value(&self) -> f64 {
        self.columns.iter().map(|column| column.chance * column.value).sum()
    }

    /// How often a round wins what.
    pub fn law(&self) -> NetLaw {
        law::net_law(&self.rules, &self.policy)
    }
}

impl Column {
    fn new(
        table: &Table,
        policy: &PolicyColumn,
        deals: &[(HandId, f64)],
        values: Vec<[Option<f64>; 5]>,
    ) -> Self {
        let hands: Vec<_> = deals
            .iter()
            .zip(values)
            .map(|(&(hand, chance), values)| {
                if table.rules.is_blackjack(table.shape(hand), None) {
                    return FirstHand { hand, chance, values, action: None, value: table.natural(hand) };
                }
                let action = policy.cell(None, hand).choose(first_legal(table.rules, hand, table.upcard));
                let value = values[action as usize].expect("the chosen action is legal");
                FirstHand { hand, chance, values, action: Some(action), value }
            })
            .collect();
        Column {
            chance: Shoe::new(table.rules.decks).next(&[0; 10], None).expect("a full shoe has cards")
                [table.upcard],
            value: hands.iter().map(|hand| hand.chance * hand.value).sum(),
            dealer: *table.dealer_chances(0),
            hands,
        }
    }
}

/// What every first action wins under a strategy.
fn first_values(table: &Table, policy: &PolicyColumn, deals: &[(HandId, f64)]) -> Vec<[Option<f64>; 5]> {
    let played = follow(table, policy, 0);
    deals
        .iter()
        .map(|&(hand, _)| {
            let plays = table.plays(0, hand, &played);
            let legal = first_legal(table.rules, hand, table.upcard);
            let mut values = [None; 5];
            if table.rules.is_blackjack(table.shape(hand), None) {
                return values;
            }
            for action in legal.iter() {
                values[action as usize] = Some(match action {
                    Action::Surrender => table.surrender(hand),
                    Action::Split => {
                        let pair = table.shape(hand).pair.expect("only pairs are split");
                        let split: Vec<_> = table
                            .split_settings(pair)
                            .map(|setting| follow(table, policy, setting))
                            .collect();
                        let value = table.split_value(pair, policy.most_hands[pair], &split);
                        table.first_bet(hand, value, -1.0)
                    }
                    action => table.first_bet(hand, plays.get(action), -1.0),
                });
            }
            values
        })
        .collect()
}

/// The best play, and what every first action wins under it.
fn best_play(table: &Table, deals: &[(HandId, f64)]) -> (PolicyColumn, Vec<[Option<f64>; 5]>) {
    let mut policy = PolicyColumn::empty();
    let mut decide = |setting: usize| {
        let split_from = table.settings.all[setting].split_from;
        table.values(setting, |hand, legal, plays| {
            let best = plays.best(legal);
            // A pair made again is split again where that is allowed.
            let order = match table.shape(hand).pair {
                Some(_) => Preference::new([Action::Split, best]),
                None => Preference::only(best),
            };
            policy.set(split_from, hand, order);
            best
        });
    };
    decide(0);
    // The hands of a split are played as is best with just the other pair card gone.
    (0..10).filter_map(|pair| table.split_settings(pair).next()).for_each(decide);
    for pair in 0..10 {
        policy.most_hands[pair] = best_number_of_hands(table, &policy, pair);
    }
    let values = first_values(table, &policy, deals);
    for (&(hand, _), values) in deals.iter().zip(&values) {
        let mut order: Vec<_> = Action::ALL
            .iter()
            .filter_map(|&action| values[action as usize].map(|value| (action, value)))
            .collect();
        order.sort_by(|a, b| b.1.total_cmp(&a.1));
        policy.set(None, hand, Preference::new(order.into_iter().map(|(action, _)| action)));
    }
    (policy, values)
}

/// After how many hands it is best to stop splitting a pair again. (Nearly always as many as the
/// rules allow; but a pair of tens can be worth splitting once and then no more.)
fn best_number_of_hands(table: &Table, policy: &PolicyColumn, pair: usize) -> u8 {
    let most = most_hands(table.rules, pair);
    if most < 3 {
        return most;
    }
    let values: Vec<_> = table.split_settings(pair).map(|setting| follow(table, policy, setting)).collect();
    let value = |hands: &u8| table.split_value(pair, *hands, &values);
    (2..=most).max_by(|a, b| value(a).total_cmp(&value(b))).unwrap_or(most)
}

/// The values of the hands of a setting under a strategy.
fn follow(table: &Table, policy: &PolicyColumn, setting: usize) -> Vec<f64> {
    let split_from = table.settings.all[setting].split_from;
    table.values(setting, |hand, legal, _| policy.cell(split_from, hand).choose(legal))
}

#[cfg(test)]
mod tests {
    use super::super::rules::*;
    use super::*;

    fn edge(rules: &Rules, strategy: Strategy) -> f64 {
        -100.0 * Analysis::new(rules, strategy).value()
    }

    fn close(a: f64, b: f64, decimals: i32) -> bool {
        (a - b).abs() <= 0.5000001 * 10f64.powi(-decimals)
    }

    #[test]
    fn the_documents_rules() {
        let expected = [
            (Some(4), Surrender::None, TenAce::TwentyOne, 1.9084, 1.9139),
            (Some(4), Surrender::Early, TenAce::TwentyOne, 1.1885, 1.1898),
            (Some(4), Surrender::None, TenAce::Blackjack, 1.8013, 1.8067),
            (Some(4), Surrender::Early, TenAce::Blackjack, 1.0814, 1.0827),
            // With replacement the cards of a total tell nothing more than the total.
            (None, Surrender::None, TenAce::TwentyOne, 2.0659, 2.0659),
            (None, Surrender::Early, TenAce::TwentyOne, 1.3346, 1.3346),
            (None, Surrender::None, TenAce::Blackjack, 1.9520, 1.9520),
            (None, Surrender::Early, TenAce::Blackjack, 1.2208, 1.2208),
        ];
        for (decks, surrender, ten_ace_after_split, optimal, basic) in expected {
            let rules = Rules { decks, surrender: [surrender; 10], ten_ace_after_split, ..Rules::default() };
            assert!(close(edge(&rules, Strategy::Optimal), optimal, 4), "{rules:?}");
            assert!(close(edge(&rules, Strategy::Basic), basic, 4), "{rules:?}");
        }
    }

    /// 3:2, peek, one card to split aces, no surrender.
    fn common() -> Rules {
        Rules {
            decks: Some(8),
            soft_17: Soft17::Stand,
            hole_card: HoleCard::Peek,
            blackjack_pays: (3, 2),
            split_hands: 4,
            split_aces: SplitAces::OneCard,
            ten_ace_after_split: TenAce::TwentyOne,
            surrender: [Surrender::None; 10],
            ..Rules::default()
        }
    }

    #[test]
    fn figures_published_elsewhere() {
        let rules = common();
        assert!(close(edge(&rules, Strategy::Optimal), 0.430581, 6));
        let rules = Rules { decks: Some(6), soft_17: Soft17::Hit, ..common() };
        assert!(close(edge(&rules, Strategy::Optimal), 0.615389, 6));
        let rules = Rules { decks: None, ..common() };
        assert!(close(edge(&rules, Strategy::Optimal), 0.511734, 6));
        let rules = Rules {
            decks: Some(4),
            soft_17: Soft17::Hit,
            blackjack_pays: (6, 5),
            split_hands: 2,
            ..common()
        };
        assert!(close(edge(&rules, Strategy::Optimal), 1.971470, 6));
    }

    #[test]
    fn one_bet_in_all_is_the_same_as_a_peek() {
        let peek = Analysis::new(&common(), Strategy::Optimal);
        let rules = Rules { hole_card: HoleCard::OriginalBet, ..common() };
        let original = Analysis::new(&rules, Strategy::Optimal);
        assert_eq!(peek.value(), original.value());
        assert_eq!(peek.law(), original.law());
    }

    #[test]
    fn the_best_charts_own_value_is_found_again() {
        let rules = Rules::default();
        let basic = Analysis::new(&rules, Strategy::Basic);
        let again = Analysis::new(&rules, Strategy::Chart(basic.chart.as_ref().unwrap()));
        assert_eq!(basic.value(), again.value());
        assert_eq!(basic.policy, again.policy);
    }

    #[test]
    fn chances_add_up() {
        let analysis = Analysis::new(&Rules::default(), Strategy::Basic);
        let all: f64 = analysis.columns.iter().map(|column| column.chance).sum();
        assert!((all - 1.0).abs() < 1e-14);
        for column in &analysis.columns {
            assert!((column.dealer.iter().sum::<f64>() - 1.0).abs() < 1e-13);
            assert!((column.hands.iter().map(|hand| hand.chance).sum::<f64>() - 1.0).abs() < 1e-13);
        }
    }
}
