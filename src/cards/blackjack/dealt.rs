//! Rounds whose cards were dealt beforehand, each kept as its net win, the number of its cards and its actions.
//!
//! They are played by [`Round`], with a policy, a function or a list of actions in place of the player. Cards may run
//! out: a digest is used up, or too few were dealt, and then the caller deals more and plays these rounds again.

use std::convert::Infallible;

use super::replay::{Round, Situation, Unplayed, replay, settle_in};
use super::rules::{Action, Actions, Rules};
use super::simulate::{ROUNDS_AT_A_TIME, choose};
use super::strategy::Policy;
use crate::error::Result;
use crate::parallel::{self, FirstError, Tick};

/// How rounds were played.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plays {
    /// The net win of each, in bets; NaN if its cards ran out.
    pub nets: Vec<f64>,
    /// The number of cards that each took.
    pub taken: Vec<u8>,
    /// The number of actions in each.
    pub acted: Vec<u8>,
    /// The actions, round by round.
    pub actions: Vec<u8>,
}

impl Plays {
    fn append(&mut self, mut other: Self) {
        self.nets.append(&mut other.nets);
        self.taken.append(&mut other.taken);
        self.acted.append(&mut other.acted);
        self.actions.append(&mut other.actions);
    }
}

/// The cards of rounds under some rules.
#[derive(Clone, Copy, Debug)]
pub struct DealtRounds<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The card numbers, round by round; negative once the cards have run out.
    pub cards: &'a [i64],
    /// The number of cards per round.
    pub each: usize,
}

/// The actions of rounds.
#[derive(Clone, Copy, Debug)]
pub struct Scripts<'a> {
    /// The actions, round by round.
    pub actions: &'a [Action],
    /// The number of actions up to the end of each round.
    pub ends: &'a [usize],
}

impl<'a> Scripts<'a> {
    fn of(&self, round: usize) -> &'a [Action] {
        &self.actions[round.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[round]]
    }
}

impl DealtRounds<'_> {
    fn of(&self, round: usize) -> &[i64] {
        &self.cards[round * self.each..][..self.each]
    }

    /// Plays the rounds by a policy.
    pub fn by_policy(
        &self,
        policy: &Policy,
        rounds: usize,
        threads: Option<usize>,
        tick: Tick<'_>,
    ) -> Result<Plays> {
        self.in_parts(rounds, threads, tick, |round, plays| {
            let Ok(()) = self.play(round, |situation| Ok::<_, Infallible>(choose(policy, situation)), plays);
        })
    }

    /// Plays the rounds with lists of actions. The error for one that doesn't fit names the round.
    pub fn by_actions(&self, scripts: Scripts<'_>, threads: Option<usize>, tick: Tick<'_>) -> Result<Plays> {
        let errors = FirstError::default();
        let plays = self.in_parts(scripts.ends.len(), threads, tick, |round, plays| {
            let actions = scripts.of(round);
            let cards: Vec<u8> = self.of(round).iter().map_while(|&card| u8::try_from(card).ok()).collect();
            let mut played = Round::NEW;
            let (net, taken) = match settle_in(&mut played, self.rules, &cards, actions) {
                Ok(_) => (self.in_bets(&played), played.dealt()),
                Err(Unplayed::OutOfCards) => (f64::NAN, cards.len()),
                Err(Unplayed::BadAction) => {
                    if let Err(error) = replay(self.rules, "cards", &cards, actions) {
                        errors.keep(round, &[(0, error.at(round))]);
                    }
                    (f64::NAN, 0)
                }
            };
            plays.nets.push(net);
            plays.taken.push(taken as u8);
            plays.acted.push(actions.len() as u8);
            plays.actions.extend(actions.iter().map(|&action| action as u8));
        })?;
        errors.finish().map(|()| plays)
    }

    /// Plays the rounds with the caller's decisions, one after the other.
    pub fn by<E>(
        &self,
        rounds: usize,
        mut decide: impl FnMut(&Situation) -> std::result::Result<Action, E>,
    ) -> std::result::Result<Plays, E> {
        let mut plays = Plays::default();
        (0..rounds).try_for_each(|round| self.play(round, &mut decide, &mut plays))?;
        Ok(plays)
    }

    fn in_parts(
        &self,
        rounds: usize,
        threads: Option<usize>,
        tick: Tick<'_>,
        play: impl Fn(usize, &mut Plays) + Sync,
    ) -> Result<Plays> {
        let mut parts = vec![Plays::default(); rounds.div_ceil(ROUNDS_AT_A_TIME)];
        let work = |(): &mut (), (part, plays): (usize, &mut Plays)| {
            let numbers = part * ROUNDS_AT_A_TIME..rounds.min((part + 1) * ROUNDS_AT_A_TIME);
            numbers.clone().for_each(|round| play(round, plays));
            numbers.len() as u64
        };
        let threads = parallel::threads(threads, rounds, ROUNDS_AT_A_TIME);
        parallel::run(parts.iter_mut().enumerate(), threads, tick, || (), work)?;
        let mut all = Plays::default();
        parts.into_iter().for_each(|part| all.append(part));
        Ok(all)
    }

    /// Plays one round, and adds it to others.
    #[inline]
    fn play<E>(
        &self,
        round: usize,
        mut decide: impl FnMut(&Situation) -> std::result::Result<Action, E>,
        plays: &mut Plays,
    ) -> std::result::Result<(), E> {
        let (cards, before) = (self.of(round), plays.actions.len());
        let (mut played, mut taken) = (Round::NEW, 0);
        let draw = |_| {
            let card = cards.get(taken).and_then(|&card| u8::try_from(card).ok());
            taken += 1;
            card.ok_or(Stop::OutOfCards)
        };
        let ended = played.play_on(self.rules, draw, |situation| {
            let action = decide(&situation).map_err(Stop::Caller)?;
            if situation.legal != Actions::STAND {
                plays.actions.push(action as u8);
            }
            Ok(action)
        });
        let net = match ended {
            Ok(()) => self.in_bets(&played),
            Err(Stop::OutOfCards) => {
                taken -= 1;
                f64::NAN
            }
            Err(Stop::Caller(error)) => return Err(error),
        };
        plays.nets.push(net);
        plays.taken.push(taken as u8);
        plays.acted.push((plays.actions.len() - before) as u8);
        Ok(())
    }

    fn in_bets(&self, played: &Round) -> f64 {
        played.net(self.rules) as f64 / self.rules.units() as f64
    }
}

/// Why a round ends early.
enum Stop<E> {
    OutOfCards,
    Caller(E),
}

#[cfg(test)]
mod tests {
    use super::super::analysis::{Analysis, Strategy};
    use super::*;
    use crate::parallel::no_tick;

    #[test]
    fn a_round_whose_cards_run_out_is_no_number() {
        let rules = Rules::default();
        // In the first round, four cards: the dealer must draw a fifth. In the second, none.
        let mut cards = [-1; 3 * 64];
        cards[..4].copy_from_slice(&[9, 9 + 13, 5, 4]);
        (0..).zip(&mut cards[2 * 64..]).for_each(|(number, card)| *card = number);
        let rounds = DealtRounds { rules: &rules, cards: &cards, each: 64 };
        let policy = Analysis::new(&rules, Strategy::Basic).policy;
        let plays = rounds.by_policy(&policy, 3, None, &mut no_tick).unwrap();
        assert_eq!([plays.nets[0], plays.nets[1], plays.nets[2]].map(f64::is_nan), [true, true, false]);
        assert_eq!(plays.taken[..2], [4, 0]);
        let by_hand = rounds.by(3, |situation| Ok::<_, ()>(choose(&policy, situation))).unwrap();
        assert_eq!((&by_hand.taken, &by_hand.actions), (&plays.taken, &plays.actions));
        assert_eq!(rounds.by(3, |_| Err("no")), Err("no"));
    }

    #[test]
    fn actions_that_were_taken_give_the_same_rounds() {
        let rules = Rules { split_hands: [4; 10], decks: None, ..Rules::default() };
        let cards: Vec<i64> = (0..3000 * 64u64)
            .map(|place| (place.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as i64 % 52)
            .collect();
        let rounds = DealtRounds { rules: &rules, cards: &cards, each: 64 };
        let policy = Analysis::new(&rules, Strategy::Optimal).policy;
        let plays = rounds.by_policy(&policy, 3000, Some(2), &mut no_tick).unwrap();
        let actions: Vec<Action> = plays.actions.iter().map(|&code| Action::ALL[usize::from(code)]).collect();
        let ends = |acted: &[u8]| {
            let sum = |sum: &mut usize, &acted: &u8| {
                *sum += usize::from(acted);
                Some(*sum)
            };
            acted.iter().scan(0, sum).collect::<Vec<_>>()
        };
        let scripts = Scripts { actions: &actions, ends: &ends(&plays.acted) };
        assert_eq!(rounds.by_actions(scripts, Some(2), &mut no_tick).unwrap(), plays);
        // A decision that is missing, in a round whose cards suffice.
        let mut acted = plays.acted.clone();
        let last = acted.iter().rposition(|&acted| acted == 1).unwrap();
        acted[last] = 0;
        let without = [&actions[..scripts.ends[last] - 1], &actions[scripts.ends[last]..]].concat();
        let scripts = Scripts { actions: &without, ends: &ends(&acted) };
        assert_eq!(rounds.by_actions(scripts, Some(1), &mut no_tick).unwrap_err().row(), Some(last));
    }
}
