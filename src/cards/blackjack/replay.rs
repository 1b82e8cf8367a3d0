//! One round, played out: whoever draws the cards and whoever decides, the rules are the same.
//!
//! Play is a loop over the player's hands from left to right, in which a split puts a hand to the right of the one that
//! is played and gives each its second card when its turn comes. Where a decision is to be made the loop asks, with
//! the legal actions. Hashed rounds, simulated shoes and rounds that are explained differ only in who is asked and who
//! deals, so none can go by other rules.

use super::player::{BUST, Counts, HandId, Hands, Shape};
use super::rules::{Action, Actions, Dealer, HoleCard, Player, Rules, Surrender, choices};
use crate::cards::card;
use crate::error::{Error, Result};

/// The most hands one deal can become.
pub const MAX_HANDS: usize = Rules::MAX_HANDS as usize;
/// The most cards in one hand: 21 aces and what breaks it.
const MAX_CARDS: usize = 22;

/// The value of a card by its number: 0 an ace, ..., 9 every ten.
pub const fn value(card: u8) -> usize {
    let rank = card::rank(card) as usize;
    if rank > 9 { 9 } else { rank }
}

/// The cards of a hand, in the order they came.
#[derive(Clone, Copy, Debug)]
pub struct Cards {
    numbers: [u8; MAX_CARDS],
    len: u8,
}

impl Cards {
    const EMPTY: Cards = Cards { numbers: [0; MAX_CARDS], len: 0 };

    fn push(&mut self, card: u8) {
        self.numbers[usize::from(self.len)] = card;
        self.len += 1;
    }

    /// Their numbers.
    pub fn as_slice(&self) -> &[u8] {
        &self.numbers[..usize::from(self.len)]
    }

    /// The shape of the hand they make.
    pub fn shape(&self) -> Shape {
        let mut counts: Counts = [0; 10];
        self.as_slice().iter().for_each(|&card| counts[value(card)] += 1);
        Shape::of(&counts)
    }

    /// The names and the total: `5♣ 6♦ (11)`.
    pub fn describe(&self) -> String {
        let names: Vec<_> = self.as_slice().iter().map(|&card| card::name(Some(card))).collect();
        let shape = self.shape();
        let soft = if shape.soft { "soft " } else { "" };
        format!("{} ({soft}{})", names.join(" "), shape.total)
    }
}

/// A hand of the player's.
#[derive(Clone, Copy, Debug)]
pub struct Hand {
    /// Its cards.
    pub cards: Cards,
    /// Its number in the table of hands.
    pub id: HandId,
    /// The value of the pair it began in, if it was split.
    pub split_from: Option<usize>,
    /// The number of bets on it.
    pub bets: u8,
    /// Its result.
    pub end: Player,
}

impl Hand {
    const EMPTY: Hand = Hand { cards: Cards::EMPTY, id: 0, split_from: None, bets: 1, end: Player::Total(0) };

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

    /// The end of a hand that takes no more cards.
    fn ended(&self, rules: &Rules) -> Player {
        if self.id == BUST { Player::Bust } else { rules.stood(self.shape()) }
    }
}

/// The seat that a card is dealt to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// The player's hand with this place from the left, as they lie when the card comes.
    Player(usize),
    /// The dealer.
    Dealer,
}

/// A decision to be made.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The hands so far.
    pub hands: &'a [Hand],
    /// Which of them is to be played.
    pub turn: usize,
    /// The dealer's upcard.
    pub upcard: u8,
    /// The legal actions.
    pub legal: Actions,
    /// Whether the dealer, who has looked, has a blackjack: the player only doesn't know yet.
    pub over: bool,
}

impl Situation<'_> {
    /// The hand to be played.
    pub fn hand(&self) -> &Hand {
        &self.hands[self.turn]
    }

    /// `hand 1, 5♣ 6♦ (11) against 3♣`.
    pub fn describe(&self) -> String {
        let upcard = card::name(Some(self.upcard));
        format!("hand {}, {} against {upcard}", self.turn + 1, self.hand().cards.describe())
    }
}

/// A finished round.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    hands: [Hand; MAX_HANDS],
    count: usize,
    /// The dealer's cards, the upcard first.
    pub dealer: Cards,
    /// The dealer's result; below 17 if nothing was left to draw for.
    pub result: Dealer,
    /// Whether half of a bet was laid on his blackjack.
    pub insured: bool,
}

choices! {
    /// The result of a hand.
    Outcome {
        /// A blackjack was paid.
        Blackjack = "blackjack",
        /// It won.
        Win = "win",
        /// Neither won.
        Push = "push",
        /// It lost to the dealer's hand.
        Loss = "loss",
        /// It went over 21.
        Bust = "bust",
        /// Half of the bet was saved.
        Surrender = "surrender",
        /// One bet was taken for a blackjack.
        EvenMoney = "even_money",
        /// The dealer's blackjack had already taken its one bet.
        Returned = "returned",
    }
}

impl Round {
    /// Plays a round. `draw` gives the next card's number, `decide` chooses among what is legal.
    #[inline]
    pub fn play<E>(
        rules: &Rules,
        mut draw: impl FnMut(Seat) -> std::result::Result<u8, E>,
        mut decide: impl FnMut(Situation) -> std::result::Result<Action, E>,
    ) -> std::result::Result<Round, E> {
        let mut round = Round {
            hands: [Hand::EMPTY; MAX_HANDS],
            count: 1,
            dealer: Cards::EMPTY,
            result: Dealer::Bust,
            insured: false,
        };
        round.hands[0].take(draw(Seat::Player(0))?);
        round.hands[0].take(draw(Seat::Player(0))?);
        round.dealer.push(draw(Seat::Dealer)?);
        round.dealer.push(draw(Seat::Dealer)?);
        let upcard = round.dealer.numbers[0];
        let mut dealer = round.dealer.shape();
        let blackjack = dealer.total == 21;
        let natural = rules.is_blackjack(round.hands[0].shape(), None);
        // The dealer looks before the player acts, but insurance and an early surrender come first.
        let over = blackjack && rules.dealer_peeks() && !natural;
        let asked = rules.surrender[value(upcard)] == Surrender::Early
            || !rules.legal_at_first(round.hands[0].shape(), value(upcard)).is_empty();
        if over && !asked {
            round.hands[0].end = round.hands[0].ended(rules);
            round.result = Dealer::Blackjack;
            return Ok(round);
        }
        let mut turn = 0;
        while turn < round.count {
            round.play_hand(rules, turn, upcard, over, &mut draw, &mut decide)?;
            turn += 1;
        }
        if round.hands().iter().any(|hand| matches!(hand.end, Player::Total(_))) {
            while rules.dealer_draws(dealer.total, dealer.soft) {
                round.dealer.push(draw(Seat::Dealer)?);
                dealer = round.dealer.shape();
            }
        }
        round.result = if blackjack { Dealer::Blackjack } else { rules.dealer_end(dealer.total) };
        Ok(round)
    }

    /// Plays one hand. `over` says that the dealer's blackjack ends the round unless it is given up.
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

    /// Makes two hands of a pair: the new one to the right, each waiting for its second card.
    fn split(&mut self, turn: usize) {
        let [first, second] = [0, 1].map(|place| self.hands[turn].cards.numbers[place]);
        self.hands.copy_within(turn + 1..self.count, turn + 2);
        for (place, card) in [(turn, first), (turn + 1, second)] {
            self.hands[place] = Hand { split_from: Some(value(card)), ..Hand::EMPTY };
            self.hands[place].take(card);
        }
        self.count += 1;
    }

    /// The player's hands, from the left.
    pub fn hands(&self) -> &[Hand] {
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
        let outcome = |(hand, net): (&Hand, i64)| match hand.end {
            Player::Bust if net < 0 => Outcome::Bust,
            Player::GivenUpEarly | Player::GivenUpLate if net < 0 && -net < rules.units() => {
                Outcome::Surrender
            }
            Player::Blackjack if net > 0 => Outcome::Blackjack,
            Player::EvenMoney => Outcome::EvenMoney,
            _ if net > 0 => Outcome::Win,
            _ if net < 0 => Outcome::Loss,
            // A dealer's blackjack that takes one bet has taken it from the first hand.
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

/// Checks a decision of the caller's; `argument` names where it stands.
pub fn check_action(argument: &str, action: Action, situation: &Situation) -> Result<Action> {
    if situation.legal.contains(action) {
        return Ok(action);
    }
    Err(Error::value(
        argument,
        format_args!(
            "must be one of {} ({}), got {:?}",
            situation.legal.words(),
            situation.describe(),
            action.word()
        ),
    ))
}

/// The cards of a round that was played, in the order they were dealt.
pub type Dealt = Vec<(u8, Seat)>;

/// Deals from a list of cards, which may be too short for the round; `argument` names it. Every
/// card dealt is added to `dealt`.
pub fn deal_from<'a>(
    argument: &'a str,
    cards: &'a [u8],
    dealt: &'a mut Dealt,
) -> impl FnMut(Seat) -> Result<u8> + 'a {
    dealt.clear();
    move |seat| {
        let card = *cards.get(dealt.len()).ok_or_else(|| {
            Error::value(argument, format_args!("has only {} cards, and this round needs more", cards.len()))
        })?;
        dealt.push((card, seat));
        Ok(card)
    }
}

/// A round with what led to it.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The round.
    pub round: Round,
    /// The actions, each with the place of its hand when it was taken.
    pub actions: Vec<(usize, Action)>,
    /// The cards.
    pub dealt: Dealt,
}

/// A list of actions that a round is played by.
struct Script<'a> {
    actions: &'a [Action],
    /// The number of them that were taken.
    used: usize,
    /// Which of the hands that can only stand have it written, as bits.
    written: u8,
    /// The number of such hands.
    forced: u32,
}

impl<'a> Script<'a> {
    fn new(actions: &'a [Action], written: u8) -> Self {
        Script { actions, used: 0, written, forced: 0 }
    }

    /// The next action; `None` if there is none.
    fn next(&mut self, situation: &Situation<'_>) -> Option<Action> {
        if situation.legal == Actions::STAND {
            self.forced += 1;
            if self.written >> (self.forced - 1) & 1 == 0 {
                return Some(Action::Stand);
            }
        }
        let Some(&action) = self.actions.get(self.used) else {
            // A player who was asked before the dealer peeked, and declined, has nothing to add.
            return situation.over.then_some(Action::Stand);
        };
        self.used += 1;
        Some(action)
    }
}

/// Which of the hands that can only stand have it written, as bits; or none of them, where no way fits.
fn written(rules: &Rules, cards: &[u8], actions: &[Action]) -> Option<(u8, Round)> {
    // The most hands that could only stand, in any of the ways tried: one way may meet more than another.
    let mut most_forced = 0;
    for written in 0..1u8 << MAX_HANDS {
        let mut script = Script::new(actions, written);
        let mut cards = cards.iter();
        let played = Round::play(
            rules,
            |_| cards.next().copied().ok_or(()),
            |situation| script.next(&situation).filter(|action| situation.legal.contains(*action)).ok_or(()),
        );
        if let Ok(round) = played
            && script.used == actions.len()
        {
            return Some((written, round));
        }
        most_forced = most_forced.max(script.forced);
        if usize::from(written) + 1 >= 1 << most_forced {
            break;
        }
    }
    None
}

/// The net win of a round with a list of actions, in units; `None` if [`replay`] is an error.
pub fn settle(rules: &Rules, cards: &[u8], actions: &[Action]) -> Option<i64> {
    written(rules, cards, actions).map(|(_, round)| round.net(rules))
}

/// Plays a round with a list of actions. A hand that can only stand does so by itself; a `stand`
/// for it may be written or left out.
pub fn replay(rules: &Rules, argument: &str, cards: &[u8], actions: &[Action]) -> Result<Replay> {
    // If no way fits, the first one says why.
    let written = written(rules, cards, actions).map_or(0, |(written, _)| written);
    let mut script = Script::new(actions, written);
    let mut taken = Vec::new();
    let mut dealt = Dealt::new();
    let round = Round::play(rules, deal_from(argument, cards, &mut dealt), |situation| {
        let used = script.used;
        let action = script.next(&situation).ok_or_else(|| {
            Error::value(
                "actions",
                format_args!(
                    "must go on after {} of them: {} can be followed by one of {}",
                    actions.len(),
                    situation.describe(),
                    situation.legal.words()
                ),
            )
        })?;
        if script.used > used {
            check_action("actions", action, &situation).map_err(|error| error.at(used))?;
            taken.push((situation.turn, action));
        }
        Ok(action)
    })?;
    if script.used < actions.len() {
        let (used, got) = (script.used, actions.len());
        return Err(Error::value(
            "actions",
            format_args!("must end with the round, after {used}, got {got}"),
        ));
    }
    Ok(Replay { round, actions: taken, dealt })
}
