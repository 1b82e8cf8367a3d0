//! The rules of the game, each in one place. Playing, replaying and the exact analysis all ask here which actions
//! are legal, when the dealer draws, and how a hand is paid.

use super::player::{ACE, Key, Shape, TEN};
use crate::error::{Error, Result, value_error};
use crate::strings::choices;

choices! {
    /// The dealer's play on a soft 17.
    Soft17 {
        /// Draws.
        Hit = "hit",
        /// Stands.
        Stand = "stand",
    }
}

choices! {
    /// When a dealer's blackjack is revealed, and the bets that it takes.
    HoleCard {
        /// The dealer peeks with an ace or ten up, before the player acts: only the first bet is lost.
        Peek = "peek",
        /// Revealed at the end; takes doubled and split bets too.
        AllBets = "all_bets",
        /// Revealed at the end; takes only one bet in all, and the others are returned.
        OriginalBet = "original_bet",
        /// Revealed at the end; takes one bet in all besides those on busted hands.
        BustedBetsPlusOne = "busted_bets_plus_one",
    }
}

choices! {
    /// The totals that may be doubled. A soft hand counts by its higher total, and isn't in the ranges of hard
    /// totals.
    Doubling {
        /// Any total.
        Any = "any",
        /// Hard totals.
        Hard = "hard",
        /// Soft totals.
        Soft = "soft",
        /// Hard 9, 10 and 11.
        NineToEleven = "9-11",
        /// Hard 10 and 11.
        TenToEleven = "10-11",
        /// No total.
        None = "none",
    }
}

choices! {
    /// The number of cards of a hand that can be doubled.
    DoubleCards {
        /// The first two.
        Two = "two",
        /// Any number.
        Any = "any",
    }
}

choices! {
    /// The effect of a dealer's total of 22.
    Dealer22 {
        /// It loses, like any total over 21.
        Bust = "bust",
        /// It pushes against every remaining hand except a blackjack.
        Push = "push",
    }
}

choices! {
    /// The actions that are legal with a split ace, after its second card.
    SplitAces {
        /// None: each ace gets one card.
        OneCard = "one_card",
        /// Hitting and standing.
        Hit = "hit",
        /// Hitting, standing, and doubling if split hands may be doubled at all.
        HitAndDouble = "hit_and_double",
    }
}

choices! {
    /// The value of a ten and an ace after a split.
    TenAce {
        /// A blackjack: it is paid as one, and pushes against the dealer's.
        Blackjack = "blackjack",
        /// An ordinary 21.
        TwentyOne = "21",
    }
}

choices! {
    /// When the first two cards can be surrendered for half of the bet.
    Surrender {
        /// Not at all.
        None = "none",
        /// After a dealer's blackjack is ruled out; without a peek, one still takes the whole bet.
        Late = "late",
        /// Before a dealer's blackjack matters: half of the bet is always saved.
        Early = "early",
    }
}

/// The items of a list such as "hard 9-11, soft 18": kind, first and last number; an ace is 1.
fn listed(text: &str) -> Option<Vec<(&str, u8, u8)>> {
    let number = |text: &str| match text {
        "A" => Some(1),
        _ if text.len() <= 2 && text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().ok(),
        _ => None,
    };
    text.split(',')
        .map(|item| {
            let (kind, range) = item.trim().split_once(' ')?;
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            Some((kind, number(first)?, number(last)?))
        })
        .collect()
}

impl Doubling {
    /// Parses a word, or a list of totals; returns the totals as bits by [`Key::index`].
    pub fn with_totals(argument: &str, text: &str) -> Result<(Self, u32)> {
        let Some(items) = listed(text) else { return Ok((Self::parse(argument, text)?, u32::MAX)) };
        let mut totals = 0;
        for (kind, first, last) in items {
            let key = match kind {
                "hard" if first >= 4 => Key::Hard,
                "soft" if first >= 12 => Key::Soft,
                _ => return Err(Self::wrong_list(argument, text)),
            };
            if first > last || last > 20 {
                return Err(Self::wrong_list(argument, text));
            }
            totals |= (first..=last).fold(0, |bits, total| bits | 1 << key(total).index());
        }
        Ok((Doubling::Any, totals))
    }

    fn wrong_list(argument: &str, text: &str) -> Error {
        value_error!(
            argument,
            "must be one word or a list of hard totals from 4 to 20 and soft ones from 12 to 20 \
             such as \"hard 9-11, soft 18\", got {text:?}"
        )
    }
}

/// The item of a list for each of the ten card values, ace first; `None` if a kind or range can't be parsed.
fn by_value<T: Copy>(
    items: Vec<(&str, u8, u8)>,
    otherwise: T,
    parse: impl Fn(&str) -> Option<T>,
) -> Option<[T; 10]> {
    let mut by_value = [otherwise; 10];
    for (kind, first, last) in items {
        if first < 1 || first > last || last > 10 {
            return None;
        }
        by_value[usize::from(first) - 1..usize::from(last)].fill(parse(kind)?);
    }
    Some(by_value)
}

impl Surrender {
    /// Parses a word, or a list of upcards; returns the choice by upcard, ace first.
    pub fn by_upcard(argument: &str, text: &str) -> Result<[Self; 10]> {
        let Some(items) = listed(text) else { return Ok([Self::parse(argument, text)?; 10]) };
        by_value(items, Surrender::None, |word| Self::parse(argument, word).ok()).ok_or_else(|| {
            value_error!(
                argument,
                "must be one word or a list of upcards, A and 2 to 10, such as \"early 10, late 2-9\", \
                 got {text:?}"
            )
        })
    }
}

choices! {
    /// The player's actions.
    Action {
        /// Take a card.
        Hit = "hit",
        /// Take no more.
        Stand = "stand",
        /// Double the bet and take exactly one more card.
        Double = "double",
        /// Make two hands from a pair, each with its own bet.
        Split = "split",
        /// Give up half of the bet.
        Surrender = "surrender",
        /// Bet half of the bet on a dealer's blackjack, at 2:1; the hand is played on.
        Insure = "insure",
        /// Take one bet for a blackjack, whatever the dealer holds.
        EvenMoney = "even_money",
    }
}

impl Action {
    /// The letter in charts.
    pub const fn letter(self) -> char {
        match self {
            Action::Hit => 'H',
            Action::Stand => 'S',
            Action::Double => 'D',
            Action::Split => 'P',
            Action::Surrender => 'R',
            Action::Insure => 'I',
            Action::EvenMoney => 'E',
        }
    }

    /// Parses a word in any case; the words of a longer one may be joined, or have another sign between them.
    pub fn of_word(word: &str) -> Option<Self> {
        let alike = |action: &Action| {
            let mut letters = word.bytes().filter(|letter| !matches!(letter, b'_' | b'-' | b' '));
            let own = action.word().bytes().filter(|letter| *letter != b'_');
            own.map(Some).all(|letter| letters.next().map(|letter| letter.to_ascii_lowercase()) == letter)
                && letters.next().is_none()
        };
        Self::ALL.iter().copied().find(alike)
    }

    /// Parses a chart's letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.iter().copied().find(|action| action.letter() == letter)
    }
}

/// A set of actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Actions(u8);

impl Actions {
    /// Standing alone.
    pub const STAND: Actions = Actions(1 << Action::Stand as u8);

    /// This set with `action` added, if `allowed`.
    #[must_use]
    pub const fn with(self, action: Action, allowed: bool) -> Self {
        Actions(self.0 | (allowed as u8) << action as u8)
    }

    /// The union with `others`.
    #[must_use]
    pub const fn and(self, others: Actions) -> Self {
        Actions(self.0 | others.0)
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// This set without `action`.
    #[must_use]
    pub const fn without(self, action: Action) -> Self {
        Actions(self.0 & !(1 << action as u8))
    }

    /// The remaining actions after insuring the first two cards.
    #[must_use]
    pub const fn after_insuring(self) -> Self {
        self.without(Action::Insure).without(Action::EvenMoney)
    }

    /// Whether the set has `action`.
    pub const fn contains(self, action: Action) -> bool {
        self.0 >> action as u8 & 1 == 1
    }

    /// The actions of the set.
    pub fn iter(self) -> impl Iterator<Item = Action> {
        Action::ALL.iter().copied().filter(move |&action| self.contains(action))
    }

    /// The words, as in `hit, stand, double`.
    pub fn words(self) -> String {
        self.iter().map(Action::word).collect::<Vec<_>>().join(", ")
    }
}

choices! {
    /// The result of the dealer's hand; `as usize` is its index in arrays.
    Dealer {
        /// 17.
        Seventeen = "17",
        /// 18.
        Eighteen = "18",
        /// 19.
        Nineteen = "19",
        /// 20.
        Twenty = "20",
        /// 21, except a blackjack.
        TwentyOne = "21",
        /// More than 21.
        Bust = "bust",
        /// An ace and a ten.
        Blackjack = "blackjack",
        /// 22, if that pushes.
        TwentyTwo = "22",
    }
}

/// The result of a player's hand before it is compared with the dealer's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// Stood (or doubled) at this total.
    Total(u8),
    /// Went over 21.
    Bust,
    /// A blackjack: an ace and a ten.
    Blackjack,
    /// A Charlie: won at once by the number of its cards.
    Charlie,
    /// Surrendered before a dealer's blackjack mattered.
    GivenUpEarly,
    /// Surrendered; a dealer's blackjack still takes the whole bet.
    GivenUpLate,
    /// A blackjack for which even money was taken.
    EvenMoney,
}

/// The rules of a table; `Rules::default()` are the document's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// The number of decks, 1 to 16, shuffled after every round; `None` deals with replacement.
    pub decks: Option<u8>,
    /// The dealer's play on a soft 17.
    pub soft_17: Soft17,
    /// When a dealer's blackjack is revealed, and the bets that it takes.
    pub hole_card: HoleCard,
    /// The net win of a blackjack per bet, as a fraction in lowest terms.
    pub blackjack_pays: (u32, u32),
    /// The totals that may be doubled.
    pub double: Doubling,
    /// The same totals as bits by [`Key::index`].
    pub double_totals: u32,
    /// The number of cards of a hand that can be doubled.
    pub double_cards: DoubleCards,
    /// Whether hands made by a split may be doubled.
    pub double_after_split: bool,
    /// The maximum number of hands after splitting, 1 to 4, by the pair's value, ace first.
    pub split_hands: [u8; 10],
    /// Whether ten-valued cards of different ranks may be split.
    pub split_unlike_tens: bool,
    /// The actions that are legal with a split ace, after its second card.
    pub split_aces: SplitAces,
    /// Whether a pair of aces made by a split can be split again.
    pub resplit_aces: bool,
    /// The value of a ten and an ace after a split.
    pub ten_ace_after_split: TenAce,
    /// When a hand can be surrendered, by the upcard, ace first.
    pub surrender: [Surrender; 10],
    /// Whether hands made by a split can be surrendered as well.
    pub surrender_after_split: bool,
    /// Whether the player can insure if the dealer shows an ace.
    pub insurance: bool,
    /// Whether the player can take even money for a blackjack against an ace.
    pub even_money: bool,
    /// The number of cards of a Charlie, which wins at once with up to 21, except against a dealer's blackjack.
    pub charlie: Option<u8>,
    /// The effect of a dealer's total of 22.
    pub dealer_22: Dealer22,
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            decks: Some(4),
            soft_17: Soft17::Hit,
            hole_card: HoleCard::AllBets,
            blackjack_pays: (6, 5),
            double: Doubling::Any,
            double_totals: u32::MAX,
            double_cards: DoubleCards::Two,
            double_after_split: true,
            split_hands: [2; 10],
            split_unlike_tens: true,
            split_aces: SplitAces::HitAndDouble,
            resplit_aces: false,
            ten_ace_after_split: TenAce::Blackjack,
            surrender: [Surrender::Early; 10],
            surrender_after_split: false,
            insurance: false,
            even_money: false,
            charlie: None,
            dealer_22: Dealer22::Bust,
        }
    }
}

impl Rules {
    /// The maximum numerator or denominator of a blackjack's pay.
    pub const MAX_PAY: u32 = 1000;
    /// The maximum number of decks.
    pub const MAX_DECKS: u8 = 16;
    /// The minimum and maximum number of cards of a Charlie.
    pub const CHARLIE: (u8, u8) = (3, 10);
    /// The maximum number of hands after splitting.
    pub const MAX_HANDS: u8 = 4;

    /// Parses the maximum number of hands by pair, from a list such as "4 2-10, 2 A".
    pub fn split_hands_by_pair(argument: &str, text: &str) -> Result<[u8; 10]> {
        let hands = |text: &str| text.parse().ok().filter(|hands| (1..=Self::MAX_HANDS).contains(hands));
        listed(text).and_then(|items| by_value(items, 1, hands)).ok_or_else(|| {
            value_error!(
                argument,
                "must be from 1 to {}, or a list of such numbers, each with pairs, A and 2 to 10, such as \
                 \"2 A, 4 2-10\", got {text:?}",
                Self::MAX_HANDS
            )
        })
    }

    /// Whether the dealer takes another card.
    pub const fn dealer_draws(&self, total: u8, soft: bool) -> bool {
        total < 17 || (total == 17 && soft && matches!(self.soft_17, Soft17::Hit))
    }

    /// Whether the dealer peeks before the player acts.
    pub const fn dealer_peeks(&self) -> bool {
        matches!(self.hole_card, HoleCard::Peek)
    }

    /// Whether a dealer's blackjack takes exactly one bet, however the hand was played.
    pub const fn blackjack_takes_one_bet(&self) -> bool {
        matches!(self.hole_card, HoleCard::Peek | HoleCard::OriginalBet)
    }

    /// Whether a dealer's blackjack takes one bet besides those on busted hands.
    pub const fn blackjack_takes_busted_bets(&self) -> bool {
        matches!(self.hole_card, HoleCard::BustedBetsPlusOne)
    }

    /// The maximum number of hands from a pair of this value.
    pub const fn most_hands(&self, pair: usize) -> u8 {
        let hands = self.split_hands[pair];
        if pair == ACE && !self.resplit_aces && hands > 2 { 2 } else { hands }
    }

    /// Whether pairs of this value can only be split if both cards have the same rank, and there are several such
    /// ranks.
    pub const fn pairs_by_rank(&self, pair: usize) -> bool {
        pair == TEN && !self.split_unlike_tens
    }

    /// The legal actions that end or insure the first two cards.
    pub const fn legal_at_first(&self, hand: &Shape, upcard: usize) -> Actions {
        let ace = upcard == ACE;
        Actions(0)
            .with(Action::Insure, ace && self.insurance)
            .with(Action::EvenMoney, ace && self.even_money && self.is_blackjack(hand, None))
    }

    /// Whether two cards are a blackjack. `split_from` is the value of the pair the hand was split from, if any.
    pub const fn is_blackjack(&self, hand: &Shape, split_from: Option<usize>) -> bool {
        hand.cards == 2
            && hand.total == 21
            && (split_from.is_none() || matches!(self.ten_ace_after_split, TenAce::Blackjack))
    }

    /// The result of standing with up to 21, except for blackjacks.
    pub const fn stood(&self, hand: &Shape) -> Player {
        if self.is_charlie(hand) { Player::Charlie } else { Player::Total(hand.total) }
    }

    /// Whether a hand of up to 21 is a Charlie.
    pub const fn is_charlie(&self, hand: &Shape) -> bool {
        matches!(self.charlie, Some(cards) if hand.cards >= cards)
    }

    /// The result of surrendering against an upcard.
    pub const fn given_up(&self, upcard: usize) -> Player {
        match self.surrender[upcard] {
            Surrender::Late => Player::GivenUpLate,
            _ => Player::GivenUpEarly,
        }
    }

    /// The result of a dealer's final total, except for a blackjack.
    pub const fn dealer_end(&self, total: u8) -> Dealer {
        match total {
            ..=17 => Dealer::Seventeen,
            18 => Dealer::Eighteen,
            19 => Dealer::Nineteen,
            20 => Dealer::Twenty,
            21 => Dealer::TwentyOne,
            22 if matches!(self.dealer_22, Dealer22::Push) => Dealer::TwentyTwo,
            _ => Dealer::Bust,
        }
    }

    /// The legal actions with a hand of up to 21 if the player has `hands` hands. A set of standing alone means that
    /// there is nothing to decide.
    pub const fn legal(&self, hand: &Shape, split_from: Option<usize>, hands: u8, upcard: usize) -> Actions {
        if hand.total >= 21 || self.is_charlie(hand) {
            return Actions::STAND;
        }
        let split = self.may_split(hand, split_from, hands);
        let split_ace = matches!(split_from, Some(ACE));
        if split_ace && matches!(self.split_aces, SplitAces::OneCard) {
            return Actions::STAND.with(Action::Split, split);
        }
        Actions::STAND
            .with(Action::Hit, true)
            .with(Action::Double, self.may_double(hand, split_from))
            .with(Action::Split, split)
            .with(Action::Surrender, self.may_surrender(hand, split_from, upcard))
    }

    const fn may_double(&self, hand: &Shape, split_from: Option<usize>) -> bool {
        let total = match self.double {
            Doubling::Any => true,
            Doubling::Hard => !hand.soft,
            Doubling::Soft => hand.soft,
            Doubling::NineToEleven => 9 <= hand.total && hand.total <= 11,
            Doubling::TenToEleven => 10 <= hand.total && hand.total <= 11,
            Doubling::None => false,
        };
        let split = match split_from {
            None => true,
            Some(ACE) => self.double_after_split && matches!(self.split_aces, SplitAces::HitAndDouble),
            Some(_) => self.double_after_split,
        };
        let cards = hand.cards == 2 || matches!(self.double_cards, DoubleCards::Any);
        cards && total && self.double_totals >> Key::of(hand).index() & 1 == 1 && split
    }

    const fn may_split(&self, hand: &Shape, split_from: Option<usize>, hands: u8) -> bool {
        match (hand.pair, split_from) {
            (None, _) => false,
            (Some(ACE), Some(_)) if !self.resplit_aces => false,
            (Some(pair), _) => hands < self.split_hands[pair],
        }
    }

    const fn may_surrender(&self, hand: &Shape, split_from: Option<usize>, upcard: usize) -> bool {
        let split = split_from.is_none() || self.surrender_after_split;
        hand.cards == 2 && split && !matches!(self.surrender[upcard], Surrender::None)
    }

    /// The number of units in a bet, chosen so that half a bet and a blackjack's pay are whole numbers of units.
    pub const fn units(&self) -> i64 {
        2 * self.blackjack_pays.1 as i64
    }

    /// The net win of one bet on a hand, in units, against the dealer's result. How many bets a dealer's blackjack
    /// takes is decided by [`Rules::net`].
    pub const fn settle(&self, player: Player, dealer: Dealer) -> i64 {
        let units = self.units();
        match (player, dealer) {
            (Player::GivenUpLate, Dealer::Blackjack) => -units,
            (Player::GivenUpLate | Player::GivenUpEarly, _) => -units / 2,
            (Player::Bust, _) => -units,
            (Player::Blackjack, Dealer::Blackjack) => 0,
            (Player::Blackjack, _) => 2 * self.blackjack_pays.0 as i64,
            (Player::EvenMoney, _) => units,
            (Player::Total(_) | Player::Charlie, Dealer::Blackjack) => -units,
            (Player::Total(_), Dealer::Bust) | (Player::Charlie, _) => units,
            (Player::Total(_), Dealer::TwentyTwo) => 0,
            (Player::Total(total), _) => units * (total as i64 - (17 + dealer as i64)).signum(),
        }
    }

    /// The net win of insurance, in units.
    pub const fn insurance(&self, dealer: Dealer) -> i64 {
        if matches!(dealer, Dealer::Blackjack) { self.units() } else { -self.units() / 2 }
    }

    /// Passes the net win of each hand to `sink`, in units, given the hands' results with their numbers of bets. A
    /// dealer's blackjack that takes one bet takes it from the first hand that isn't lost already.
    pub fn net(&self, hands: &[(Player, u8)], dealer: Dealer, mut sink: impl FnMut(i64)) {
        let capped = dealer == Dealer::Blackjack
            && self.hole_card != HoleCard::AllBets
            && !matches!(
                hands,
                [(Player::Blackjack | Player::EvenMoney | Player::GivenUpEarly | Player::GivenUpLate, _)]
            );
        let mut taken = false;
        for &(player, bets) in hands {
            sink(if capped && !(self.blackjack_takes_busted_bets() && player.is_lost()) {
                if std::mem::replace(&mut taken, true) { 0 } else { -self.units() }
            } else {
                i64::from(bets) * self.settle(player, dealer)
            });
        }
    }
}

impl Player {
    /// Whether the bets are lost or surrendered before the dealer's hand is known.
    pub const fn is_lost(self) -> bool {
        matches!(self, Player::Bust | Player::GivenUpEarly)
    }
}
