//! Properties of optimal play under random rules: it is at least as good as the best chart, the best chart is at
//! least as good as any other, and a rule in the player's favor never costs anything.

use provably_fair::cards::blackjack::analysis::{Analysis, Strategy};
use provably_fair::cards::blackjack::dealt::DealtRounds;
use provably_fair::cards::blackjack::player::{ACE, TEN};
use provably_fair::cards::blackjack::replay::{Dealt, Round, deal_from, replay, settle};
use provably_fair::cards::blackjack::rules::*;
use provably_fair::cards::blackjack::simulate::choose;
use provably_fair::cards::blackjack::strategy::{Chart, ChartColumn, Key, Policy, Preference};
use provably_fair::error::Error;
use provably_fair::parallel::no_tick;

/// The tolerance for rounding errors.
const ROUNDING: f64 = 1e-12;

/// A small random generator for choosing rules.
struct Choices(u64);

impl Choices {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn rules(&mut self, decks: &[Option<u8>]) -> Rules {
        Rules {
            decks: self.of(decks),
            soft_17: self.of(Soft17::ALL),
            hole_card: self.of(HoleCard::ALL),
            blackjack_pays: self.of(&[(1, 1), (6, 5), (7, 5), (3, 2), (2, 1)]),
            double: self.of(Doubling::ALL),
            double_after_split: self.of(&[false, true]),
            split_hands: [(); 10].map(|()| self.of(&[1, 2, 3, 4])),
            split_unlike_tens: self.of(&[false, true]),
            split_aces: self.of(SplitAces::ALL),
            resplit_aces: self.of(&[false, true]),
            ten_ace_after_split: self.of(TenAce::ALL),
            surrender: [(); 10].map(|()| self.of(Surrender::ALL)),
            surrender_after_split: self.of(&[false, true]),
            insurance: self.of(&[false, true]),
            even_money: self.of(&[false, true]),
            double_totals: self.of(&[u32::MAX, u32::MAX, 0x0f0f_0ff0]),
            double_cards: self.of(DoubleCards::ALL),
            charlie: self.of(&[None, None, Some(4), Some(6)]),
            dealer_22: self.of(Dealer22::ALL),
        }
    }
}

/// Variants of the rules, each with one rule changed in the player's favor.
fn favors(rules: &Rules) -> Vec<Rules> {
    let mut better = Vec::new();
    if rules.soft_17 == Soft17::Hit {
        better.push(Rules { soft_17: Soft17::Stand, ..*rules });
    }
    if rules.hole_card == HoleCard::AllBets {
        better.push(Rules { hole_card: HoleCard::OriginalBet, ..*rules });
    }
    if rules.blackjack_pays == (6, 5) {
        better.push(Rules { blackjack_pays: (3, 2), ..*rules });
    }
    let doubling = match rules.double {
        Doubling::None => Some(Doubling::TenToEleven),
        Doubling::TenToEleven => Some(Doubling::NineToEleven),
        Doubling::NineToEleven => Some(Doubling::Hard),
        Doubling::Hard | Doubling::Soft => Some(Doubling::Any),
        Doubling::Any => None,
    };
    better.extend(doubling.map(|double| Rules { double, ..*rules }));
    if !rules.double_after_split {
        better.push(Rules { double_after_split: true, ..*rules });
    }
    for pair in [ACE, 7, TEN] {
        let mut split_hands = rules.split_hands;
        if split_hands[pair] < 4 {
            split_hands[pair] += 1;
            better.push(Rules { split_hands, ..*rules });
        }
    }
    let aces = match rules.split_aces {
        SplitAces::OneCard => Some(SplitAces::Hit),
        SplitAces::Hit => Some(SplitAces::HitAndDouble),
        SplitAces::HitAndDouble => None,
    };
    better.extend(aces.map(|split_aces| Rules { split_aces, ..*rules }));
    if !rules.resplit_aces {
        better.push(Rules { resplit_aces: true, ..*rules });
    }
    if rules.ten_ace_after_split == TenAce::TwentyOne {
        better.push(Rules { ten_ace_after_split: TenAce::Blackjack, ..*rules });
    }
    for (upcard, surrender) in rules.surrender.into_iter().enumerate() {
        let kinder = match surrender {
            Surrender::None => Surrender::Late,
            Surrender::Late => Surrender::Early,
            Surrender::Early => continue,
        };
        let mut by_upcard = rules.surrender;
        by_upcard[upcard] = kinder;
        if [0, 6, 9].contains(&upcard) {
            better.push(Rules { surrender: by_upcard, ..*rules });
        }
    }
    if rules.double_cards == DoubleCards::Two {
        better.push(Rules { double_cards: DoubleCards::Any, ..*rules });
    }
    if rules.charlie.is_none() {
        better.push(Rules { charlie: Some(7), ..*rules });
    }
    if rules.dealer_22 == Dealer22::Push {
        better.push(Rules { dealer_22: Dealer22::Bust, ..*rules });
    }
    better
}

/// A chart that hits up to fixed totals, and splits or not.
fn naive(hard: u8, soft: u8, doubles: bool, splits: bool) -> Chart {
    let cell = |key: Key| {
        let hit = match key {
            Key::Hard(total) => total < hard,
            Key::Soft(total) => total < soft,
        };
        let double = doubles && matches!(key, Key::Hard(9..=11));
        let play = if hit { Action::Hit } else { Action::Stand };
        Preference::new(double.then_some(Action::Double).into_iter().chain([play]))
    };
    let mut totals = [Preference::NONE; Key::COUNT];
    Key::from_the_end().for_each(|key| totals[key.index()] = cell(key));
    let pair = if splits { Preference::only(Action::Split) } else { Preference::NONE };
    Chart { columns: vec![ChartColumn { totals, pairs: [pair; 10] }; 10] }
}

fn check(seed: u64, decks: &[Option<u8>], sets: usize) {
    let mut choices = Choices(seed);
    let charts = [
        naive(17, 18, false, false),
        naive(12, 18, true, false),
        naive(17, 17, true, true),
        naive(4, 12, false, false),
    ];
    for _ in 0..sets {
        let rules = choices.rules(decks);
        let optimal = Analysis::new(&rules, Strategy::Optimal).value();
        let basic = Analysis::new(&rules, Strategy::Basic).value();
        assert!(optimal >= basic - ROUNDING, "{rules:?}: optimal {optimal}, basic {basic}");
        for chart in &charts {
            let value = Analysis::new(&rules, Strategy::Chart(chart)).value();
            assert!(basic >= value - ROUNDING, "{rules:?}: basic {basic}, naive {value}");
        }
        for better in favors(&rules) {
            let value = Analysis::new(&better, Strategy::Optimal).value();
            assert!(value >= optimal - ROUNDING, "{rules:?} {optimal} to {better:?} {value}");
        }
    }
}

/// Rounds under random rules, played one by one, replayed from their actions, settled, and simulated in bulk.
#[test]
fn a_round_is_the_same_however_it_is_played() {
    const ROUNDS: usize = 2500;
    const CARDS: usize = 40;
    let mut choices = Choices(4);
    let mut played = 0;
    for set in 0..50 {
        let mut rules = choices.rules(&[Some(1), Some(4), Some(16), None]);
        rules.hole_card = choices.of(HoleCard::ALL);
        let chart = naive(13 + choices.below(6) as u8, 18, set % 3 != 0, set % 4 != 0);
        let mut chart = chart;
        for column in &mut chart.columns {
            for cell in column.totals.iter_mut().chain(&mut column.pairs) {
                let wishes = [Action::EvenMoney, Action::Insure, Action::Surrender];
                let wish = (choices.below(4) == 0).then(|| choices.of(&wishes));
                *cell = Preference::new(wish.into_iter().chain(cell.iter()));
            }
        }
        let policy = Policy::from_chart(&chart);
        // Few ranks, so that pairs, aces and blackjacks are common.
        let kinds = [0, 9, 12, choices.below(13), choices.below(13)];
        let cards: Vec<i64> = (0..ROUNDS * CARDS).map(|_| choices.of(&kinds) as i64).collect();
        let rounds = DealtRounds { rules: &rules, cards: &cards, each: CARDS };
        let plays = rounds.by_policy(&policy, ROUNDS, Some(2), &mut no_tick).unwrap();
        for (net, dealt) in plays.nets.iter().zip(cards.chunks(CARDS)) {
            let dealt: Vec<u8> = dealt.iter().map(|&card| card as u8).collect();
            let (mut actions, mut seen) = (Vec::new(), Dealt::new());
            let round = Round::play(&rules, deal_from("cards", &dealt, &mut seen), |situation| {
                let action = choose(&policy, &situation);
                if situation.legal != Actions::STAND {
                    actions.push(action);
                }
                Ok::<_, Error>(action)
            });
            let Ok(round) = round else {
                assert!(net.is_nan());
                continue;
            };
            let units = round.net(&rules);
            assert_eq!(*net, units as f64 / rules.units() as f64, "{rules:?} {dealt:?}");
            let settled = settle(&rules, &dealt, &actions).map(|round| round.net(&rules));
            assert_eq!(settled, Ok(units), "{rules:?} {dealt:?} {actions:?}");
            let again = replay(&rules, "cards", &dealt, &actions).unwrap();
            assert_eq!((again.round.net(&rules), again.dealt), (units, seen), "{rules:?} {dealt:?}");
            played += 1;
        }
    }
    assert!(played > 100_000, "{played}");
}

#[test]
fn random_rules_without_a_shoe() {
    check(1, &[None], 5);
}

#[test]
fn random_rules_with_few_decks() {
    check(2, &[Some(2)], 1);
}

#[test]
#[ignore = "thorough: takes seconds"]
fn more_random_rules() {
    check(1, &[None], 12);
    check(2, &[Some(1), Some(2)], 2);
}

/// Run with `cargo test --release blackjack_rules -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn two_hundred_random_rules() {
    check(3, &[None, Some(1), Some(2), Some(4), Some(6), Some(8)], 200);
}
