//! Strategies: a chart by totals, or a table with an action for every hand.

use std::fmt::Display;

pub use super::player::Key;
use super::player::{HandId, Hands};
use super::rules::{Action, Actions};
use crate::error::{Result, value_error};

/// Actions in order of preference, the first legal one being taken: `DH` doubles if allowed and hits otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Preference(u32);

impl Preference {
    const BITS: u32 = 3;

    /// No preferred action.
    pub const NONE: Preference = Preference(0);

    /// A single action.
    pub const fn only(action: Action) -> Self {
        Preference(action as u32 + 1)
    }

    /// These actions in order; repetitions are dropped.
    pub fn new(actions: impl IntoIterator<Item = Action>) -> Self {
        let mut order = Preference::NONE;
        let mut shift = 0;
        for action in actions {
            if order.iter().all(|earlier| earlier != action) {
                order.0 |= (action as u32 + 1) << shift;
                shift += Self::BITS;
            }
        }
        order
    }

    /// The actions in order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Action> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let place = (rest & 7).checked_sub(1)?;
            rest >>= Self::BITS;
            Some(Action::ALL[place as usize])
        })
    }

    /// These actions, followed by those of `later`.
    #[must_use]
    pub fn then(self, later: Preference) -> Self {
        Self::new(self.iter().chain(later.iter()))
    }

    /// Checks that a total's preference has an action that is always legal; `cell` names it in errors.
    pub fn check_total(self, cell: impl Display) -> Result<()> {
        if self.iter().any(|action| matches!(action, Action::Hit | Action::Stand)) {
            return Ok(());
        }
        let letters = self.letters();
        Err(value_error!(cell, "must have H or S, for when nothing else is legal, got {letters:?}"))
    }

    /// The first legal action, or standing if there is none.
    #[inline]
    pub fn choose(self, legal: Actions) -> Action {
        self.iter().find(|&action| legal.contains(action)).unwrap_or(Action::Stand)
    }

    /// The letters in order of preference, as in `DH`.
    pub fn letters(self) -> String {
        self.iter().map(Action::letter).collect()
    }

    /// Parses letters; `cell` names them in errors.
    pub fn parse(cell: &str, letters: &str) -> Result<Self> {
        let actions = letters
            .chars()
            .map(|letter| {
                Action::from_letter(letter).ok_or_else(|| {
                    value_error!(
                        cell,
                        "must be made of the letters H (hit), S (stand), D (double), P (split), \
                         R (surrender), I (insure) and E (even_money), got {letters:?}"
                    )
                })
            })
            .collect::<Result<Vec<_>>>()?;
        Ok(Self::new(actions))
    }
}

/// The column of a chart for one upcard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartColumn {
    /// The preferences by [`Key::index`].
    pub totals: [Preference; Key::COUNT],
    /// The preferences by the pair's value. A pair without a legal one is played by its total.
    pub pairs: [Preference; 10],
}

/// A chart: preferences by total or pair and by upcard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    /// The columns by the upcard's value, ace first.
    pub columns: Vec<ChartColumn>,
}

/// The action with every hand against one upcard: a row for unsplit hands, then one for hands split from each card
/// value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyColumn {
    cells: Vec<Preference>,
    /// By the pair's value: the number of hands after which it isn't split again, even if legal.
    pub most_hands: [u8; 10],
}

/// The index of a row.
fn row(split_from: Option<usize>) -> usize {
    split_from.map_or(0, |value| value + 1)
}

impl PolicyColumn {
    /// The number of rows of a column.
    pub const ROWS: usize = 11;

    /// A column without preferences.
    pub fn empty() -> Self {
        PolicyColumn {
            cells: vec![Preference::NONE; Self::ROWS * Hands::table().all.len()],
            most_hands: [u8::MAX; 10],
        }
    }

    /// The column that follows a chart's.
    pub fn from_chart(chart: &ChartColumn) -> Self {
        let hands = Hands::table();
        let own = hands.shapes.iter().map(|shape| {
            let total = if shape.cards < 2 {
                Preference::only(Action::Hit)
            } else {
                chart.totals[Key::of(shape).index()]
            };
            shape.pair.map_or(total, |value| chart.pairs[value].then(total))
        });
        let own: Vec<_> = own.collect();
        PolicyColumn { cells: own.repeat(Self::ROWS), ..Self::empty() }
    }

    /// The preference for a hand.
    #[inline]
    pub fn cell(&self, split_from: Option<usize>, hand: HandId) -> Preference {
        self.cells[row(split_from) * Hands::table().all.len() + usize::from(hand)]
    }

    /// The action with a hand if the player has `hands` hands.
    #[inline]
    pub fn action(&self, split_from: Option<usize>, hand: HandId, legal: Actions, hands: u8) -> Action {
        let enough = split_from.is_some_and(|pair| hands >= self.most_hands[pair]);
        let legal = if enough { legal.without(Action::Split) } else { legal };
        self.cell(split_from, hand).choose(legal)
    }

    /// Sets the preference for a hand.
    pub fn set(&mut self, split_from: Option<usize>, hand: HandId, preference: Preference) {
        self.cells[row(split_from) * Hands::table().all.len() + usize::from(hand)] = preference;
    }
}

/// The action with every hand against every upcard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The columns by the upcard's value, ace first.
    pub columns: Vec<PolicyColumn>,
}

impl Policy {
    /// The policy that follows a chart.
    pub fn from_chart(chart: &Chart) -> Self {
        Policy { columns: chart.columns.iter().map(PolicyColumn::from_chart).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::player::Shape;
    use super::*;

    #[test]
    fn preferences_read_back() {
        for letters in ["", "H", "DH", "RDS", "PRDHS", "EIPRDHS"] {
            assert_eq!(Preference::parse("cell", letters).unwrap().letters(), letters);
        }
        assert!(Preference::parse("cell", "X").is_err());
        let order = Preference::parse("cell", "RDH").unwrap();
        let legal = Actions::STAND.with(Action::Hit, true);
        assert_eq!(order.choose(legal), Action::Hit);
        assert_eq!(order.choose(legal.with(Action::Double, true)), Action::Double);
    }

    #[test]
    fn keys_have_places_and_an_order() {
        let mut places: Vec<_> = Key::from_the_end().map(Key::index).collect();
        let order = places.clone();
        places.sort_unstable();
        assert!(places.into_iter().eq(0..Key::COUNT));
        let rank = |shape: &Shape| order.iter().position(|&k| k == Key::of(shape).index()).unwrap();
        let hands = Hands::table();
        for (shape, next) in hands.shapes.iter().zip(&hands.next).filter(|(s, _)| s.cards > 1) {
            for &more in next {
                if let Some(later) = hands.shapes.get(usize::from(more)) {
                    assert!(rank(later) < rank(shape));
                }
            }
        }
    }
}
