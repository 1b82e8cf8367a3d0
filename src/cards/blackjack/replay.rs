//! One round, played out under the rules.
//!
//! Play is a loop over the player's hands from left to right. A split puts a new hand to the right of the current
//! one, and each gets its second card when its turn comes. At each decision the loop asks a callback, with the legal
//! actions. Hashed rounds, simulated shoes and explained rounds differ only in the callbacks that deal and decide,
//! so all of them follow the same rules.

use super::player::{BUST, Counts, HandId, Hands, Shape};
use super::rules::{Action, Actions, Dealer, HoleCard, Player, Rules, Surrender};
use crate::cards::card;
use crate::error::{Result, value_error};
use crate::strings::choices;

/// The maximum number of hands that one deal can become.
pub const MAX_HANDS: usize = Rules::MAX_HANDS as usize;
/// The maximum number of cards in a hand: 21 aces and the card that makes it bust.
const MAX_CARDS: usize = 22;

/// The value of a card by its number: 0 for an ace, ..., 9 for any ten.
pub const fn value(card: u8) -> usize {
    let rank = card::rank(card) as usize;
    if rank > 9 { 9 } else { rank }
}

/// The cards of a hand, in the order dealt.
#[derive(Clone, Copy, Debug)]
pub struct Cards {
    numbers: [u8; MAX_CARDS],
    len: u8,
}

impl Cards {
    const EMPTY: Cards = Cards { numbers: [0; MAX_CARDS], len: 0 };

    /// Cards with these numbers.
    pub fn of(cards: &[u8]) -> Self {
        let mut made = Self::EMPTY;
        cards.iter().for_each(|&card| made.push(card));
        made
    }

    fn push(&mut self, card: u8) {
        self.numbers[usize::from(self.len)] = card;
        self.len += 1;
    }

    /// The card numbers.
    pub fn as_slice(&self) -> &[u8] {
        &self.numbers[..usize::from(self.len)]
    }

    /// The shape of the hand.
    pub fn shape(&self) -> Shape {
        let mut counts: Counts = [0; 10];
        self.as_slice().iter().for_each(|&card| counts[value(card)] += 1);
        Shape::of(&counts)
    }

    /// The names and the total, as in `5♣ 6♦ (11)`.
    pub fn describe(&self) -> String {
        let names: Vec<_> = self.as_slice().iter().map(|&card| card::name(Some(card))).collect();
        let shape = self.shape();
        let soft = if shape.soft { "soft " } else { "" };
        format!("{} ({soft}{})", names.join(" "), shape.total)
    }
}

/// A hand of the player.
#[derive(Clone, Copy, Debug)]
pub struct PlayerHand {
    /// Its cards.
    pub cards: Cards,
    /// The hand's number in the table of hands.
    pub id: HandId,
    /// The value of the pair it was split from, if any.
    pub split_from: Option<usize>,
    /// The number of bets on it.
    pub bets: u8,
    /// The hand's result.
    pub end: Player,
}

impl PlayerHand {
    const EMPTY: Self = Self { cards: Cards::EMPTY, id: 0, split_from: None, bets: 1, end: Player::Total(0) };

    fn take(&mut self, card: u8) {
        self.cards.push(card);
        self.id = Hands::table().next[usize::from(self.id)][value(card)];
    }

    fn is_of_one_rank(&self) -> bool {
        card::rank(self.cards.numbers[0]) == card::rank(self.cards.numbers[1])
    }

    fn shape(&self) -> &'static Shape {
        &Hands::table().shapes[usize::from(self.id)]
    }

    /// The result of a hand that takes no more cards.
    fn ended(&self, rules: &Rules) -> Player {
        if self.id == BUST { Player::Bust } else { rules.stood(self.shape()) }
    }
}

/// The receiver of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// The player's hand at this position from the left at the time.
    Player(usize),
    /// The dealer.
    Dealer,
}

/// A decision point.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The hands so far.
    pub hands: &'a [PlayerHand],
    /// The index of the hand to play.
    pub turn: usize,
    /// The dealer's upcard.
    pub upcard: u8,
    /// The legal actions.
    pub legal: Actions,
    /// Whether the dealer has peeked and has a blackjack, which the player doesn't know yet.
    pub over: bool,
}

impl Situation<'_> {
    /// The hand to play.
    pub fn hand(&self) -> &PlayerHand {
        &self.hands[self.turn]
    }

    /// A description as in `hand 1, 5♣ 6♦ (11) against 3♣`.
    pub fn describe(&self) -> String {
        let upcard = card::name(Some(self.upcard));
        format!("hand {}, {} against {upcard}", self.turn + 1, self.hand().cards.describe())
    }
}

/// A finished round.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    hands: [PlayerHand; MAX_HANDS],
    count: usize,
    /// The dealer's cards, the upcard first.
    pub dealer: Cards,
    /// The dealer's result; a total below 17 if no hand was left to draw against.
    pub result: Dealer,
    /// Whether the player insured.
    pub insured: bool,
}

choices! {
    /// The result of a hand.
    Outcome {
        /// A blackjack, paid as such.
        Blackjack = "blackjack",
        /// Won.
        Win = "win",
        /// A push.
        Push = "push",
        /// Lost to the dealer's hand.
        Loss = "loss",
        /// Bust.
        Bust = "bust",
        /// Surrendered: half of the bet is lost.
        Surrender = "surrender",
        /// A blackjack, for which even money was taken.
        EvenMoney = "even_money",
        /// Returned, since the dealer's blackjack takes only one bet.
        Returned = "returned",
    }
}

impl Round {
    /// A round before the first card.
    pub const NEW: Round = Round {
        hands: [PlayerHand::EMPTY; MAX_HANDS],
        count: 1,
        dealer: Cards::EMPTY,
        result: Dealer::Bust,
        insured: false,
    };

    /// Plays a round. `draw` returns the next card's number, `decide` one of the legal actions.
    pub fn play<E>(
        rules: &Rules,
        draw: impl FnMut(Seat) -> std::result::Result<u8, E>,
        decide: impl FnMut(Situation) -> std::result::Result<Action, E>,
    ) -> std::result::Result<Round, E> {
        let mut round = Round::NEW;
        round.play_on(rules, draw, decide)?;
        Ok(round)
    }

    /// Plays a new round where it is: returning a round copies its hands.
    #[inline]
    pub fn play_on<E>(
        &mut self,
        rules: &Rules,
        mut draw: impl FnMut(Seat) -> std::result::Result<u8, E>,
        mut decide: impl FnMut(Situation) -> std::result::Result<Action, E>,
    ) -> std::result::Result<(), E> {
        self.hands[0].take(draw(Seat::Player(0))?);
        self.hands[0].take(draw(Seat::Player(0))?);
        self.dealer.push(draw(Seat::Dealer)?);
        self.dealer.push(draw(Seat::Dealer)?);
        let upcard = self.dealer.numbers[0];
        let mut dealer = self.dealer.shape();
        let blackjack = dealer.total == 21;
        let natural = rules.is_blackjack(self.hands[0].shape(), None);
        // The dealer peeks before the player acts, but insurance and early surrender are offered first.
        let over = blackjack && rules.dealer_peeks() && !natural;
        let asked = rules.surrender[value(upcard)] == Surrender::Early || self.was_offered(rules);
        if over && !asked {
            self.hands[0].end = self.hands[0].ended(rules);
            self.result = Dealer::Blackjack;
            return Ok(());
        }
        let mut turn = 0;
        while turn < self.count {
            self.play_hand(rules, turn, upcard, over, &mut draw, &mut decide)?;
            turn += 1;
        }
        if self.hands().iter().any(|hand| matches!(hand.end, Player::Total(_))) {
            while rules.dealer_draws(dealer.total, dealer.soft) {
                self.dealer.push(draw(Seat::Dealer)?);
                dealer = self.dealer.shape();
            }
        }
        self.result = if blackjack { Dealer::Blackjack } else { rules.dealer_end(dealer.total) };
        Ok(())
    }

    /// Whether the player could have insured or taken even money, by the first hand as it is.
    pub fn was_offered(&self, rules: &Rules) -> bool {
        !rules.legal_at_first(self.hands[0].shape(), value(self.dealer.numbers[0])).is_empty()
    }

    /// Plays one hand. `over` means that the dealer's blackjack ends the round unless the hand is surrendered.
    fn play_hand<E>(
        &mut self,
        rules: &Rules,
        turn: usize,
        upcard: u8,
        over: bool,
        draw: &mut impl FnMut(Seat) -> std::result::Result<u8, E>,
        decide: &mut impl FnMut(Situation) -> std::result::Result<Action, E>,
    ) -> std::result::Result<(), E> {
        loop {
            let hand = &mut self.hands[turn];
            if hand.cards.len == 1 {
                hand.take(draw(Seat::Player(turn))?);
            }
            let (shape, split_from) = (hand.shape(), hand.split_from);
            let mut legal = rules.legal(shape, split_from, self.count as u8, value(upcard));
            if shape.pair.is_some_and(|pair| rules.pairs_by_rank(pair)) && !hand.is_of_one_rank() {
                legal = legal.without(Action::Split);
            }
            let hand_is_first = split_from.is_none() && shape.cards == 2;
            if hand_is_first && !self.insured {
                legal = legal.and(rules.legal_at_first(shape, value(upcard)));
            }
            let hands = &self.hands[..self.count];
            let action = decide(Situation { hands, turn, upcard, legal, over })?;
            if action == Action::Insure {
                self.insured = true;
                continue;
            }
            let hand = &mut self.hands[turn];
            if over && action != Action::Surrender {
                hand.end = hand.ended(rules);
                return Ok(());
            }
            match action {
                Action::Hit => hand.take(draw(Seat::Player(turn))?),
                Action::Double => {
                    hand.bets = 2;
                    hand.take(draw(Seat::Player(turn))?);
                }
                Action::Split => {
                    self.split(turn);
                    continue;
                }
                Action::Stand | Action::Surrender | Action::EvenMoney | Action::Insure => {}
            }
            hand.end = match action {
                Action::Surrender => rules.given_up(value(upcard)),
                Action::EvenMoney => Player::EvenMoney,
                Action::Stand if rules.is_blackjack(shape, split_from) => Player::Blackjack,
                _ => hand.ended(rules),
            };
            if action != Action::Hit || hand.end == Player::Bust {
                return Ok(());
            }
        }
    }

    /// Splits a pair: the new hand is to the right, and each waits for its second card.
    fn split(&mut self, turn: usize) {
        let [first, second] = [0, 1].map(|place| self.hands[turn].cards.numbers[place]);
        self.hands.copy_within(turn + 1..self.count, turn + 2);
        for (place, card) in [(turn, first), (turn + 1, second)] {
            self.hands[place] = PlayerHand { split_from: Some(value(card)), ..PlayerHand::EMPTY };
            self.hands[place].take(card);
        }
        self.count += 1;
    }

    /// The player's hands, from the left.
    pub fn hands(&self) -> &[PlayerHand] {
        &self.hands[..self.count]
    }

    /// The net win of each hand, in units.
    pub fn nets(&self, rules: &Rules) -> Vec<i64> {
        let mut nets = Vec::with_capacity(self.count);
        self.settle(rules, |net| nets.push(net));
        nets
    }

    /// The net win of insurance, in units; `None` if none was taken.
    pub fn insurance(&self, rules: &Rules) -> Option<i64> {
        self.insured.then(|| rules.insurance(self.result))
    }

    /// The net win of the round, in units.
    pub fn net(&self, rules: &Rules) -> i64 {
        let mut sum = self.insurance(rules).unwrap_or(0);
        self.settle(rules, |net| sum += net);
        sum
    }

    /// The number of cards that were dealt.
    pub fn dealt(&self) -> usize {
        let hands: usize = self.hands().iter().map(|hand| usize::from(hand.cards.len)).sum();
        hands + usize::from(self.dealer.len)
    }

    /// All bets of the round, insurance included, in units.
    pub fn staked(&self, rules: &Rules) -> i64 {
        let bets: i64 = self.hands().iter().map(|hand| i64::from(hand.bets)).sum();
        bets * rules.units() + if self.insured { rules.units() / 2 } else { 0 }
    }

    fn settle(&self, rules: &Rules, sink: impl FnMut(i64)) {
        let mut ends = [(Player::Bust, 0); MAX_HANDS];
        for (end, hand) in ends.iter_mut().zip(self.hands()) {
            *end = (hand.end, hand.bets);
        }
        rules.net(&ends[..self.count], self.result, sink);
    }

    /// The result of each hand.
    pub fn outcomes(&self, rules: &Rules) -> Vec<Outcome> {
        let nets = self.nets(rules);
        let outcome = |(hand, net): (&PlayerHand, i64)| match hand.end {
            Player::Bust if net < 0 => Outcome::Bust,
            Player::GivenUpEarly | Player::GivenUpLate if net < 0 && -net < rules.units() => {
                Outcome::Surrender
            }
            Player::Blackjack if net > 0 => Outcome::Blackjack,
            Player::EvenMoney => Outcome::EvenMoney,
            _ if net > 0 => Outcome::Win,
            _ if net < 0 => Outcome::Loss,
            // A dealer's blackjack that takes one bet took it from the first hand.
            _ if self.result == Dealer::Blackjack
                && self.count > 1
                && rules.hole_card != HoleCard::AllBets =>
            {
                Outcome::Returned
            }
            _ => Outcome::Push,
        };
        self.hands().iter().zip(nets).map(outcome).collect()
    }
}

/// Checks the caller's decision; `argument` names it in errors.
pub fn check_action(argument: &str, action: Action, situation: &Situation) -> Result<Action> {
    if situation.legal.contains(action) {
        return Ok(action);
    }
    Err(value_error!(
        argument,
        "must be one of {} ({}), got {:?}",
        situation.legal.words(),
        situation.describe(),
        action.word()
    ))
}

/// The cards of a round in the order dealt, with their receivers.
pub type Dealt = Vec<(u8, Seat)>;

/// Deals from a list of cards, which may be too short; `argument` names it in errors. Every dealt card is appended
/// to `dealt`.
pub fn deal_from<'a>(
    argument: &'a str,
    cards: &'a [u8],
    dealt: &'a mut Dealt,
) -> impl FnMut(Seat) -> Result<u8> + 'a {
    dealt.clear();
    move |seat| {
        let card = *cards.get(dealt.len()).ok_or_else(|| {
            value_error!(argument, "has only {} cards, and this round needs more", cards.len())
        })?;
        dealt.push((card, seat));
        Ok(card)
    }
}

/// A replayed round.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The round.
    pub round: Round,
    /// The actions, in order.
    pub actions: Vec<Action>,
    /// The cards in the order dealt.
    pub dealt: Dealt,
}

/// A list of actions to replay.
///
/// Hands that can only stand raise no decision, but a log may still have a `stand` for some of them. Nothing in the
/// list tells such a `stand` from one that answers a decision, so every combination is tried.
struct Script<'a> {
    actions: &'a [Action],
    /// The number of actions used.
    used: usize,
    /// Bit `i`: the list has a `stand` for the `i`-th hand that can only stand.
    written: u8,
    /// The number of hands so far that can only stand.
    forced: u32,
}

impl<'a> Script<'a> {
    fn new(actions: &'a [Action], written: u8) -> Self {
        Script { actions, used: 0, written, forced: 0 }
    }

    /// The next action; `None` if the list is used up.
    fn next(&mut self, situation: &Situation<'_>) -> Option<Action> {
        if situation.legal == Actions::STAND {
            self.forced += 1;
            if self.written >> (self.forced - 1) & 1 == 0 {
                return Some(Action::Stand);
            }
        }
        let Some(&action) = self.actions.get(self.used) else {
            // Before the dealer peeked, the player was asked and declined; nothing more is needed.
            return situation.over.then_some(Action::Stand);
        };
        self.used += 1;
        Some(action)
    }
}

/// Why a round can't be played with a list of actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unplayed {
    /// There are too few cards.
    OutOfCards,
    /// An action is illegal, missing or superfluous, whatever cards follow.
    BadAction,
}

/// Plays a round with a list of actions where it is: returning a round copies its hands. Returns the combination with
/// which all actions can be used, as bits.
pub fn settle_in(
    round: &mut Round,
    rules: &Rules,
    cards: &[u8],
    actions: &[Action],
) -> std::result::Result<u8, Unplayed> {
    // The maximum over the combinations tried, since they may lead to different hands.
    let mut most_forced = 0;
    let mut failed = Unplayed::BadAction;
    for written in 0..1u8 << MAX_HANDS {
        let mut script = Script::new(actions, written);
        let mut cards = cards.iter();
        *round = Round::NEW;
        let played = round.play_on(
            rules,
            |_| cards.next().copied().ok_or(Unplayed::OutOfCards),
            |situation| {
                let action = script.next(&situation).filter(|action| situation.legal.contains(*action));
                action.ok_or(Unplayed::BadAction)
            },
        );
        match played {
            Ok(()) if script.used == actions.len() => return Ok(written),
            Err(Unplayed::OutOfCards) => failed = Unplayed::OutOfCards,
            _ => {}
        }
        most_forced = most_forced.max(script.forced);
        if usize::from(written) + 1 >= 1 << most_forced {
            break;
        }
    }
    Err(failed)
}

/// A round with a list of actions.
pub fn settle(rules: &Rules, cards: &[u8], actions: &[Action]) -> std::result::Result<Round, Unplayed> {
    let mut round = Round::NEW;
    settle_in(&mut round, rules, cards, actions).map(|_| round)
}

/// Plays a round with a list of actions. A `stand` for a hand that can only stand may be listed or left out.
pub fn replay(rules: &Rules, argument: &str, cards: &[u8], actions: &[Action]) -> Result<Replay> {
    // If no combination works, the first one gives the error.
    let mut tried = Round::NEW;
    let written = settle_in(&mut tried, rules, cards, actions).unwrap_or(0);
    let mut script = Script::new(actions, written);
    let mut taken = Vec::new();
    let mut dealt = Dealt::new();
    let round = Round::play(rules, deal_from(argument, cards, &mut dealt), |situation| {
        let used = script.used;
        let action = script.next(&situation).ok_or_else(|| {
            value_error!(
                "actions",
                "must go on after {} of them: {} can be followed by one of {}",
                actions.len(),
                situation.describe(),
                situation.legal.words()
            )
        })?;
        if script.used > used {
            check_action("actions", action, &situation).map_err(|error| error.at(used))?;
            taken.push(action);
        }
        Ok(action)
    })?;
    if script.used < actions.len() {
        let (used, got) = (script.used, actions.len());
        return Err(value_error!("actions", "must end with the round, after {used}, got {got}"));
    }
    Ok(Replay { round, actions: taken, dealt })
}
