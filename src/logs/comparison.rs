//! Comparison of logged cells with recomputed outcomes.

use std::sync::Arc;

use super::column::Column;
use super::findings::{Expected, Verdict};
use super::lists::{Item, Items};
use super::number::Number;

pub use super::column::Recomputed;

impl<'a> Recomputed<'a> {
    /// Splits the outcomes into pieces of `size` numbers.
    pub fn chunks(self, size: usize) -> impl Iterator<Item = Recomputed<'a>> {
        (0..self.len()).step_by(size).map(move |start| {
            let numbers = start..self.len().min(start + size);
            match self {
                Self::Cells { cells, decimals } => Recomputed::Cells { cells: &cells[numbers], decimals },
                Self::Doubles(doubles) => Recomputed::Doubles(&doubles[numbers]),
            }
        })
    }

    /// The expectation to report for a cell.
    pub fn expected(self, shape: &Arc<[usize]>) -> Expected {
        let shape = shape.clone();
        match self {
            Self::Cells { cells: &[cell], .. } if shape.is_empty() => Expected::Cell(cell),
            Self::Cells { cells, .. } => Expected::Cells { cells: cells.into(), shape },
            Self::Doubles(doubles) => Expected::Doubles { doubles: doubles.into(), shape },
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Cells { cells, .. } => cells.len(),
            Self::Doubles(doubles) => doubles.len(),
        }
    }

    /// Whether `number` equals the outcome at `place`.
    fn is(&self, place: usize, number: Number) -> bool {
        match self {
            Self::Cells { cells, decimals } => number.is(cells[place], *decimals),
            Self::Doubles(doubles) => number.is_double(doubles[place]),
        }
    }

    /// Whether the items are the outcomes, in order.
    fn is_list(&self, items: &Items) -> bool {
        items.list.len() == self.len()
            && items.list.iter().enumerate().all(|(place, item)| match item {
                Item::Number(number) => self.is(place, *number),
                _ => false,
            })
    }

    /// Whether the items are the outcomes in any order, each as often as it occurs.
    pub fn is_set(&self, items: &Items) -> bool {
        let mut left: Vec<usize> = (0..self.len()).collect();
        items.list.len() == left.len()
            && items.list.iter().all(|item| match item {
                Item::Number(number) => {
                    let found = left.iter().position(|&place| self.is(place, *number));
                    found.is_some_and(|at| {
                        left.swap_remove(at);
                        true
                    })
                }
                _ => false,
            })
    }

    /// The outcomes as whole numbers; for unordered games, in the order drawn.
    pub fn whole(&self) -> Box<[i64]> {
        match self {
            Self::Cells { cells, .. } => (*cells).into(),
            Self::Doubles(doubles) => doubles.iter().map(|&double| double as i64).collect(),
        }
    }

    /// Compares a row's cell with an outcome; a list may be nested like `shape` or flat.
    pub fn judge(&self, column: &Column<'_>, row: usize, shape: &[usize], items: &mut Items) -> Verdict {
        let agrees = |same| if same { Verdict::Right } else { Verdict::Mismatch };
        let cell = column.read(row, items);
        if !shape.is_empty() && cell.is_list(items) && items.are_numbers() {
            return agrees(items.has_shape(shape) && self.is_list(items));
        }
        // A list with one outcome may be written as a single number.
        match cell.number() {
            Some(number) if self.len() == 1 => agrees(self.is(0, number)),
            _ if cell.is_blank() => Verdict::Missing,
            _ => Verdict::Malformed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logs::column::Object;

    #[test]
    fn sets_have_each_member_as_often() {
        let judged = |cells: &[i64], text: &str| {
            let mut items = Items::default();
            items.parse(text.as_bytes()) && Recomputed::Cells { cells, decimals: 0 }.is_set(&items)
        };
        assert!(judged(&[11, 8, 18], "[8, 18, 11]"));
        assert!(judged(&[5, 5, 3], "[5, 3, 5.0]"));
        for wrong in ["[8, 18]", "[8, 18, 11, 11]", "[8, 8, 11]", "[8, 18, 12]", "[8, 18, \"11\"]", "[]"] {
            assert!(!judged(&[11, 8, 18], wrong), "{wrong}");
        }
        assert!(!judged(&[5, 5, 3], "[5, 3, 3]"));
    }

    #[test]
    fn cells_of_every_kind() {
        let text = |text: &str| Object::Text(text.as_bytes().into());
        let list = |numbers: &[f64]| {
            Object::List(numbers.iter().map(|&number| Object::Number(Number::Double(number))).collect())
        };
        let objects = [
            text("[11, 8, 18]"),
            list(&[11.0, 8.0, 18.0]),
            text("[[11], [8, 18]]"),
            text("[11, 8]"),
            text("[11, 8, \"18\"]"),
            text("11"),
            text(" "),
            Object::Missing,
            Object::Truth(true),
            Object::Number(Number::whole(11)),
        ];
        let column = Column::Objects(&objects);
        let judged = |right: Recomputed<'_>, shape: &[usize]| -> Vec<Verdict> {
            (0..objects.len()).map(|row| right.judge(&column, row, shape, &mut Items::default())).collect()
        };
        use Verdict::{Malformed, Mismatch, Missing, Right as Good};
        let cells = Recomputed::Cells { cells: &[11, 8, 18], decimals: 0 };
        let expected =
            [Good, Good, Mismatch, Mismatch, Malformed, Malformed, Missing, Missing, Malformed, Malformed];
        assert_eq!(judged(cells, &[3]), expected);
        assert_eq!(judged(Recomputed::Doubles(&[11.0, 8.0, 18.0]), &[3]), expected);
        let one =
            [Malformed, Malformed, Malformed, Malformed, Malformed, Good, Missing, Missing, Malformed, Good];
        assert_eq!(judged(Recomputed::Cells { cells: &[1100], decimals: 2 }, &[]), one);
        assert_eq!(judged(Recomputed::Doubles(&[11.0]), &[]), one);
        assert_eq!(judged(Recomputed::Doubles(&[f64::NAN]), &[])[5], Mismatch);
    }
}
