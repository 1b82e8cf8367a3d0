//! The rules of the game, each stated once: playing, replaying and the exact analysis all ask here
//! what is legal, when the dealer draws, and what a hand is paid.

use std::fmt::Display;

use super::player::{ACE, Key, Shape, TEN};
use crate::error::{Error, Result, check_range};

/// Defines an enum whose values are written as words.
macro_rules! choices {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$variant_doc])* $variant,)+ }

        impl $name {
            /// Every choice, in order.
            pub const ALL: &'static [$name] = &[$($name::$variant,)+];

            /// The word for it.
            pub const fn word(self) -> &'static str {
                match self { $($name::$variant => $word,)+ }
            }

            /// Reads the word; `argument` names it in the error.
            pub fn parse(argument: &str, text: &str) -> Result<Self> {
                match text {
                    $($word => Ok($name::$variant),)+
                    _ => Err(Error::value(argument, format_args!(
                        "must be one of {}, got {text:?}",
                        [$(concat!("\"", $word, "\"")),+].join(", "),
                    ))),
                }
            }
        }
    };
}

pub(crate) use choices;

choices! {
    /// The dealer's play of a soft 17.
    Soft17 {
        /// Draws.
        Hit = "hit",
        /// Stands.
        Stand = "stand",
    }
}

choices! {
    /// The bets that a dealer's blackjack takes, and when it is seen.
    HoleCard {
        /// The dealer looks under an ace or a ten before the player acts: only the first bet is lost.
        Peek = "peek",
        /// It is seen at the end, and takes doubled and split bets too.
        AllBets = "all_bets",
        /// It is seen at the end, but takes only one bet in all; the others are returned.
        OriginalBet = "original_bet",
        /// It is seen at the end, and takes one bet in all besides those of hands that went over 21.
        BustedBetsPlusOne = "busted_bets_plus_one",
    }
}

choices! {
    /// Which totals may be doubled. A soft hand counts by its higher total, which no range of hard
    /// ones holds.
    Doubling {
        /// Any total.
        Any = "any",
        /// Totals in which no ace counts eleven.
        Hard = "hard",
        /// Totals in which an ace counts eleven.
        Soft = "soft",
        /// Hard 9, 10 and 11.
        NineToEleven = "9-11",
        /// Hard 10 and 11.
        TenToEleven = "10-11",
        /// Never.
        None = "none",
    }
}

choices! {
    /// The number of cards of hands that can be doubled.
    DoubleCards {
        /// The first two.
        Two = "two",
        /// Any number.
        Any = "any",
    }
}

choices! {
    /// The effect of a dealer's hand of 22.
    Dealer22 {
        /// It loses, as any hand over 21.
        Bust = "bust",
        /// It pushes against every hand that is still in play but a blackjack.
        Push = "push",
    }
}

choices! {
    /// The actions that are legal with a split ace.
    SplitAces {
        /// One card each, and no more.
        OneCard = "one_card",
        /// Hit and stand.
        Hit = "hit",
        /// Hit and stand, and double where a split hand may be doubled at all.
        HitAndDouble = "hit_and_double",
    }
}

choices! {
    /// The value of a ten and an ace after a split.
    TenAce {
        /// A blackjack: it is paid as one and pushes against the dealer's.
        Blackjack = "blackjack",
        /// An ordinary 21.
        TwentyOne = "21",
    }
}

choices! {
    /// When half of the bet can be saved by giving up the first two cards.
    Surrender {
        /// Never.
        None = "none",
        /// Once a dealer's blackjack is ruled out; without a peek one still takes the whole bet.
        Late = "late",
        /// Before a dealer's blackjack matters: always half of the bet.
        Early = "early",
    }
}

/// The items of a list such as "hard 9-11, soft 18": kinds, first and last number, an ace being 1.
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
    /// Reads a word, or a list of totals; which of them, as bits by [`Key::index`].
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
        Error::value(
            argument,
            format_args!(
                "must be one word or a list of hard totals from 4 to 20 and soft ones from 12 to 20 \
                 such as \"hard 9-11, soft 18\", got {text:?}"
            ),
        )
    }
}

/// The item of a list for each of ten card values, ace first; `None` if a kind or a range can't be read.
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
    /// Reads a word, or a list of upcards; by the upcard, ace first.
    pub fn by_upcard(argument: &str, text: &str) -> Result<[Self; 10]> {
        let Some(items) = listed(text) else { return Ok([Self::parse(argument, text)?; 10]) };
        by_value(items, Surrender::None, |word| Self::parse(argument, word).ok()).ok_or_else(|| {
            Error::value(
                argument,
                format_args!(
                    "must be one word or a list of upcards, A and 2 to 10, such as \"early 10, late 2-9\", \
                     got {text:?}"
                ),
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
        /// Double the bet for exactly one more card.
        Double = "double",
        /// Make two hands of a pair, each with a bet of its own.
        Split = "split",
        /// Give up half of the bet.
        Surrender = "surrender",
        /// Lay half of a bet, at two to one, on a dealer's blackjack; the hand is played on.
        Insure = "insure",
        /// Take one bet for a blackjack, whatever the dealer has.
        EvenMoney = "even_money",
    }
}

impl Action {
    /// The letter used in charts.
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

    /// Reads a chart's letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.iter().copied().find(|action| action.letter() == letter)
    }
}

/// A set of actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Actions(u8);

impl Actions {
    /// Nothing to do but stand.
    pub const STAND: Actions = Actions(1 << Action::Stand as u8);

    /// This set and `action`, if `allowed`.
    #[must_use]
    pub const fn with(self, action: Action, allowed: bool) -> Self {
        Actions(self.0 | (allowed as u8) << action as u8)
    }

    /// This set and `others`.
    #[must_use]
    pub const fn and(self, others: Actions) -> Self {
        Actions(self.0 | others.0)
    }

    /// Whether there is nothing in it.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// This set less `action`.
    #[must_use]
    pub const fn without(self, action: Action) -> Self {
        Actions(self.0 & !(1 << action as u8))
    }

    /// The actions that are left once the first two cards are insured.
    #[must_use]
    pub const fn after_insuring(self) -> Self {
        self.without(Action::Insure).without(Action::EvenMoney)
    }

    /// Whether `action` is in it.
    pub const fn contains(self, action: Action) -> bool {
        self.0 >> action as u8 & 1 == 1
    }

    /// The actions in it.
    pub fn iter(self) -> impl Iterator<Item = Action> {
        Action::ALL.iter().copied().filter(move |&action| self.contains(action))
    }

    /// Their words: `hit, stand, double`.
    pub fn words(self) -> String {
        self.iter().map(Action::word).collect::<Vec<_>>().join(", ")
    }
}

/// The result of the dealer's hand. `as usize` is its place in arrays over the dealer's results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dealer {
    /// 17.
    Seventeen,
    /// 18.
    Eighteen,
    /// 19.
    Nineteen,
    /// 20.
    Twenty,
    /// 21 in any way but a blackjack.
    TwentyOne,
    /// More than 21.
    Bust,
    /// An ace and a ten.
    Blackjack,
    /// 22, where that pushes.
    TwentyTwo,
}

impl Dealer {
    /// Every result, in order.
    pub const ALL: [Dealer; 8] = [
        Dealer::Seventeen,
        Dealer::Eighteen,
        Dealer::Nineteen,
        Dealer::Twenty,
        Dealer::TwentyOne,
        Dealer::Bust,
        Dealer::Blackjack,
        Dealer::TwentyTwo,
    ];
}

/// The result of a player's hand, before it meets the dealer's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// Stood, or was doubled, with this total.
    Total(u8),
    /// Went over 21.
    Bust,
    /// An ace and a ten that count as a blackjack.
    Blackjack,
    /// The number of cards with which 21 or less wins at once.
    Charlie,
    /// Was given up before a dealer's blackjack mattered.
    GivenUpEarly,
    /// Was given up; a dealer's blackjack takes it all.
    GivenUpLate,
    /// A blackjack for which one bet was taken before the dealer's hand was known.
    EvenMoney,
}

/// The rules of a table. `Rules::default()` are those of the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Decks in the shoe, 1..=16, shuffled after every round; `None` deals with replacement.
    pub decks: Option<u8>,
    /// The dealer's play of a soft 17.
    pub soft_17: Soft17,
    /// The bets that a dealer's blackjack takes.
    pub hole_card: HoleCard,
    /// The net win of a blackjack per bet, as a fraction in lowest terms.
    pub blackjack_pays: (u32, u32),
    /// Which totals may be doubled.
    pub double: Doubling,
    /// Which of these, as bits by [`Key::index`].
    pub double_totals: u32,
    /// The number of cards of hands that can be doubled.
    pub double_cards: DoubleCards,
    /// Whether a hand made by a split may be doubled.
    pub double_after_split: bool,
    /// The most hands one deal can become by splitting, 1..=4, by the pair, ace first.
    pub split_hands: [u8; 10],
    /// Whether two cards that count ten but are of different ranks may be split.
    pub split_unlike_tens: bool,
    /// The actions that are legal with split aces.
    pub split_aces: SplitAces,
    /// Whether two aces that meet after a split of aces can be split again.
    pub resplit_aces: bool,
    /// The value of a ten and an ace after a split.
    pub ten_ace_after_split: TenAce,
    /// When a hand can be given up, by the upcard, ace first.
    pub surrender: [Surrender; 10],
    /// Whether the first two cards of a hand made by a split can be given up, too.
    pub surrender_after_split: bool,
    /// Whether half of a bet can be laid on a dealer's blackjack where he shows an ace.
    pub insurance: bool,
    /// Whether a blackjack against an ace can take one bet at once.
    pub even_money: bool,
    /// The number of cards with which a hand of 21 or less wins at once, except against a dealer's blackjack.
    pub charlie: Option<u8>,
    /// The effect of a dealer's hand of 22.
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
    /// The highest numerator or denominator of what a blackjack pays.
    pub const MAX_PAY: u32 = 1000;
    /// The most decks in a shoe.
    pub const MAX_DECKS: u8 = 16;
    /// The fewest and the most cards that can win at once.
    pub const CHARLIE: (u8, u8) = (3, 10);
    /// The most hands that one deal can become.
    pub const MAX_HANDS: u8 = 4;

    /// Checks the numbers among the rules and brings the fraction to lowest terms.
    pub fn check(mut self) -> Result<Self> {
        if let Some(decks) = self.decks {
            check_range("decks", i64::from(decks), 1, Self::MAX_DECKS.into())?;
        }
        if let Some(cards) = self.charlie {
            let (least, most) = Self::CHARLIE;
            check_range("charlie", i64::from(cards), least.into(), most.into())?;
        }
        for hands in self.split_hands {
            check_range("split_hands", i64::from(hands), 1, Self::MAX_HANDS.into())?;
        }
        let (numerator, denominator) = self.blackjack_pays;
        let divisor = gcd(numerator, denominator).max(1);
        self.blackjack_pays = (numerator / divisor, denominator / divisor);
        let (numerator, denominator) = self.blackjack_pays;
        if numerator == 0 || denominator == 0 || numerator.max(denominator) > Self::MAX_PAY {
            return Err(Self::wrong_pay(numerator, denominator));
        }
        Ok(self)
    }

    /// Reads how many hands a pair can become: a list of pairs, as in "4 2-10, 2 A".
    pub fn split_hands_by_pair(argument: &str, text: &str) -> Result<[u8; 10]> {
        let hands = |text: &str| text.parse().ok().filter(|hands| (1..=Self::MAX_HANDS).contains(hands));
        listed(text).and_then(|items| by_value(items, 1, hands)).ok_or_else(|| {
            Error::value(
                argument,
                format_args!(
                    "must be from 1 to {}, or a list of such numbers, each with pairs, A and 2 to 10, such as \
                     \"2 A, 4 2-10\", got {text:?}",
                    Self::MAX_HANDS
                ),
            )
        })
    }

    /// The error for what a blackjack can't pay.
    pub fn wrong_pay(numerator: impl Display, denominator: impl Display) -> Error {
        Error::value(
            "blackjack_pays",
            format_args!(
                "must be a positive fraction whose numerator and denominator are at most {}, \
                 got {numerator}/{denominator}",
                Self::MAX_PAY
            ),
        )
    }

    /// Whether the dealer takes another card.
    pub const fn dealer_draws(&self, total: u8, soft: bool) -> bool {
        total < 17 || (total == 17 && soft && matches!(self.soft_17, Soft17::Hit))
    }

    /// Whether the dealer looks for a blackjack before the player acts.
    pub const fn dealer_peeks(&self) -> bool {
        matches!(self.hole_card, HoleCard::Peek)
    }

    /// Whether a dealer's blackjack takes one bet in all, however the hand was played.
    pub const fn blackjack_takes_one_bet(&self) -> bool {
        matches!(self.hole_card, HoleCard::Peek | HoleCard::OriginalBet)
    }

    /// Whether a dealer's blackjack takes one bet besides those of hands that went over 21.
    pub const fn blackjack_takes_busted_bets(&self) -> bool {
        matches!(self.hole_card, HoleCard::BustedBetsPlusOne)
    }

    /// The most hands that a pair of this value can become.
    pub const fn most_hands(&self, pair: usize) -> u8 {
        let hands = self.split_hands[pair];
        if pair == ACE && !self.resplit_aces && hands > 2 { 2 } else { hands }
    }

    /// Whether a pair of this value can only be split where both cards are of one rank, and there are
    /// several such ranks.
    pub const fn pairs_by_rank(&self, pair: usize) -> bool {
        pair == TEN && !self.split_unlike_tens
    }

    /// The actions that end or insure the first two cards instead of playing them.
    pub const fn legal_at_first(&self, hand: &Shape, upcard: usize) -> Actions {
        let ace = upcard == ACE;
        Actions(0)
            .with(Action::Insure, ace && self.insurance)
            .with(Action::EvenMoney, ace && self.even_money && self.is_blackjack(hand, None))
    }

    /// Whether two cards are a blackjack. `split_from` is the value of the pair the hand began in,
    /// if it was split.
    pub const fn is_blackjack(&self, hand: &Shape, split_from: Option<usize>) -> bool {
        hand.cards == 2
            && hand.total == 21
            && (split_from.is_none() || matches!(self.ten_ace_after_split, TenAce::Blackjack))
    }

    /// The result of a hand of up to 21 that takes no more cards, blackjacks aside.
    pub const fn stood(&self, hand: &Shape) -> Player {
        if self.is_charlie(hand) { Player::Charlie } else { Player::Total(hand.total) }
    }

    /// Whether a hand of up to 21 wins by the number of its cards.
    pub const fn is_charlie(&self, hand: &Shape) -> bool {
        matches!(self.charlie, Some(cards) if hand.cards >= cards)
    }

    /// The result of a hand that was given up.
    pub const fn given_up(&self, upcard: usize) -> Player {
        match self.surrender[upcard] {
            Surrender::Late => Player::GivenUpLate,
            _ => Player::GivenUpEarly,
        }
    }

    /// The result of a dealer's finished hand of this total, blackjacks aside.
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

    /// The actions that are legal with a hand of up to 21 while there are `hands` hands at the table. A hand
    /// that can only stand has nothing to decide.
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

    /// Results are counted in units, so that half of a bet and every blackjack pay are whole
    /// numbers: this many units are one bet.
    pub const fn units(&self) -> i64 {
        2 * self.blackjack_pays.1 as i64
    }

    /// The net win of one bet on a hand, in units, if the dealer ended with `dealer`.
    /// The number of bets that a dealer's blackjack takes is up to [`Rules::net`].
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
            (Player::Total(total), _) => {
                let dealer = 17 + dealer as u8;
                if total > dealer {
                    units
                } else if total < dealer {
                    -units
                } else {
                    0
                }
            }
        }
    }

    /// The net win of insurance, in units.
    pub const fn insurance(&self, dealer: Dealer) -> i64 {
        if matches!(dealer, Dealer::Blackjack) { self.units() } else { -self.units() / 2 }
    }

    /// The net win of each hand of a round, in units, given how the hands ended and how many bets lie
    /// on each. A dealer's blackjack that takes one bet takes it from the first hand that isn't lost already.
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
    /// Whether its bets are lost or given up before the dealer's hand is known.
    pub const fn is_lost(self) -> bool {
        matches!(self, Player::Bust | Player::GivenUpEarly)
    }
}

const fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}
