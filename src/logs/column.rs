//! A log's column in its original memory layout, and the values of its cells.
//!
//! Cells are read in two ways. [`Column::differing`] runs over all rows and compares the memory of the column
//! with the outcomes in the column's own type, without creating a value per cell. The few rows that differ
//! are then read one by one ([`Column::read`]), where a number may also be text and a list JSON. Floats are
//! compared as the decimals that they stand for.

use std::ops::Range;

use super::findings::Verdict;
use super::lists::{Item, Items};
use super::number::{Number, is_double, is_single, short_decimal, trim_spaces};
use crate::strings::{Texts, bare};

/// One or several recomputed outcomes.
#[allow(missing_docs)] // the fields are explained with their variant
#[derive(Clone, Copy, Debug)]
pub enum Recomputed<'a> {
    /// Fixed-point numbers: each stands for itself divided by `10^decimals`.
    Cells { cells: &'a [i64], decimals: u32 },
    /// Arbitrary doubles.
    Doubles(&'a [f64]),
}

/// A column of a log. `valid` are the rows that have a value of its type.
#[allow(missing_docs)] // the fields are explained with their variant
#[derive(Clone, Debug)]
pub enum Column<'a> {
    /// Texts.
    Texts { texts: Texts<'a>, valid: Valid<'a> },
    /// Numbers.
    Numbers { numbers: Numbers<'a>, valid: Valid<'a> },
    /// Booleans: the rows with a true one.
    Truths { truths: Valid<'a>, valid: Valid<'a> },
    /// Lists: the end of each, and the concatenated items.
    Lists { ends: Ends<'a>, items: Box<Column<'a>>, valid: Valid<'a> },
    /// Cells of mixed types.
    Objects(&'a [Object]),
    /// Values of a type that no field accepts.
    Others(Valid<'a>),
    /// Selected rows of another column.
    Picked { column: &'a Column<'a>, rows: &'a [u32] },
}

/// The rows that hold a value, or a true one.
#[derive(Clone, Copy, Debug)]
pub enum Valid<'a> {
    /// All rows.
    All,
    /// No row.
    None,
    /// The rows whose bit is set.
    Bits(Bits<'a>),
    /// The rows flagged `true`.
    Flags(&'a [bool]),
}

impl Valid<'_> {
    /// Whether the row holds a value.
    #[inline]
    pub fn get(&self, row: usize) -> bool {
        match self {
            Self::All => true,
            Self::None => false,
            Self::Bits(bits) => bits.get(row),
            Self::Flags(flags) => flags[row],
        }
    }
}

/// Booleans packed into bits, lowest bit first (Arrow's layout).
#[derive(Clone, Copy, Debug)]
pub struct Bits<'a> {
    /// The packed bits.
    pub bytes: &'a [u8],
    /// The index of the first bit.
    pub offset: usize,
}

impl Bits<'_> {
    /// The bit at an index.
    #[inline]
    pub fn get(&self, index: usize) -> bool {
        let place = self.offset + index;
        self.bytes[place / 8] >> (place % 8) & 1 == 1
    }
}

/// The position of each list's items.
#[derive(Clone, Copy, Debug)]
pub enum Ends<'a> {
    /// Lists of equal length.
    Each(usize),
    /// Arrow's 32-bit offsets.
    Short(&'a [i32]),
    /// Arrow's 64-bit offsets.
    Long(&'a [i64]),
}

impl Ends<'_> {
    /// The positions of a list's items.
    #[inline]
    pub fn range(&self, row: usize) -> Range<usize> {
        match self {
            Self::Each(width) => row * width..(row + 1) * width,
            Self::Short(ends) => ends[row] as usize..ends[row + 1] as usize,
            Self::Long(ends) => ends[row] as usize..ends[row + 1] as usize,
        }
    }
}

/// Numbers of one type.
#[allow(missing_docs)] // the variants are named after their types
#[derive(Clone, Copy, Debug)]
pub enum Numbers<'a> {
    I8(&'a [i8]),
    I16(&'a [i16]),
    I32(&'a [i32]),
    I64(&'a [i64]),
    U8(&'a [u8]),
    U16(&'a [u16]),
    U32(&'a [u32]),
    U64(&'a [u64]),
    F32(&'a [f32]),
    F64(&'a [f64]),
    Decimals { digits: &'a [i128], scale: i32 },
}

/// Evaluates `$run` with `$numbers` bound to the slice, or `$decimal` for decimals.
macro_rules! with_numbers {
    ($all:expr, $numbers:ident => $run:expr, ($digits:ident, $scale:ident) => $decimal:expr) => {
        match $all {
            Numbers::I8($numbers) => $run,
            Numbers::I16($numbers) => $run,
            Numbers::I32($numbers) => $run,
            Numbers::I64($numbers) => $run,
            Numbers::U8($numbers) => $run,
            Numbers::U16($numbers) => $run,
            Numbers::U32($numbers) => $run,
            Numbers::U64($numbers) => $run,
            Numbers::F32($numbers) => $run,
            Numbers::F64($numbers) => $run,
            Numbers::Decimals { digits: $digits, scale: $scale } => $decimal,
        }
    };
}

/// A numeric type that numpy arrays can hold.
trait NumpyNumber: Copy {
    fn number(self) -> Option<Number>;

    /// Whether the number equals the outcome; non-finite floats equal none.
    fn is(self, cell: i64, decimals: u32) -> bool;

    /// Whether the number equals an outcome that is a double.
    fn is_double(self, double: f64) -> bool;
}

/// A number type of recomputed outcomes.
trait OutcomeNumber: Copy {
    fn is(self, logged: impl NumpyNumber, decimals: u32) -> bool;
}

impl OutcomeNumber for i64 {
    #[inline]
    fn is(self, logged: impl NumpyNumber, decimals: u32) -> bool {
        logged.is(self, decimals)
    }
}

impl OutcomeNumber for f64 {
    #[inline]
    fn is(self, logged: impl NumpyNumber, _: u32) -> bool {
        logged.is_double(self)
    }
}

macro_rules! plain {
    ($($integer:ty),*) => {$(
        impl NumpyNumber for $integer {
            fn number(self) -> Option<Number> {
                Some(Number::whole(self.into()))
            }

            #[inline]
            fn is(self, cell: i64, decimals: u32) -> bool {
                if decimals == 0 {
                    i128::from(self) == i128::from(cell)
                } else {
                    i128::from(self) * 10i128.pow(decimals) == i128::from(cell)
                }
            }

            #[inline]
            fn is_double(self, double: f64) -> bool {
                Number::whole(self.into()).is_double(double)
            }
        }
    )*};
}
plain!(i8, i16, i32, i64, u8, u16, u32, u64);

impl NumpyNumber for f64 {
    fn number(self) -> Option<Number> {
        Number::float(self)
    }

    #[inline]
    fn is(self, cell: i64, decimals: u32) -> bool {
        is_double(self, cell, decimals)
    }

    #[inline]
    fn is_double(self, double: f64) -> bool {
        self == double && self.is_finite()
    }
}

impl NumpyNumber for f32 {
    fn number(self) -> Option<Number> {
        self.is_finite().then_some(Number::Single(self))
    }

    #[inline]
    fn is(self, cell: i64, decimals: u32) -> bool {
        is_single(self, cell, decimals)
    }

    #[inline]
    fn is_double(self, double: f64) -> bool {
        self == double as f32 && self.is_finite()
    }
}

impl Numbers<'_> {
    /// The number at an index; `None` for non-finite floats.
    pub fn get(&self, index: usize) -> Option<Number> {
        with_numbers!(
            *self,
            numbers => numbers[index].number(),
            (digits, scale) => Some(Number::decimal(digits[index], scale))
        )
    }

    /// Whether there is no number: NaN marks an empty cell.
    fn is_missing(&self, index: usize) -> bool {
        match self {
            Self::F32(numbers) => numbers[index].is_nan(),
            Self::F64(numbers) => numbers[index].is_nan(),
            _ => false,
        }
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        with_numbers!(*self, numbers => numbers.len(), (digits, _scale) => digits.len())
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A cell of any type, owned.
#[derive(Clone, Debug, PartialEq)]
pub enum Object {
    /// An empty cell.
    Missing,
    /// A number.
    Number(Number),
    /// A whole number with more digits than a [`Number`] holds.
    Digits(Box<[u8]>),
    /// A text.
    Text(Box<[u8]>),
    /// A list.
    List(Box<[Object]>),
    /// A boolean.
    Truth(bool),
    /// Any other value.
    Other,
}

/// A cell of any type, borrowed from its column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    /// An empty cell.
    Missing,
    /// A number.
    Number(Number),
    /// A whole number with many digits, in decimal.
    Digits(&'a [u8]),
    /// A text.
    Text(&'a [u8]),
    /// A list, whose items are in the buffer passed to [`Column::read`].
    List,
    /// Any other value.
    Other,
}

impl Cell<'_> {
    /// Whether the cell is empty.
    pub fn is_blank(&self) -> bool {
        match self {
            Self::Missing => true,
            Self::Text(text) => is_blank(text),
            _ => false,
        }
    }

    /// The number in the cell, or the number that its text spells.
    pub fn number(&self) -> Option<Number> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Digits(_) => Some(Number::Beyond),
            Self::Text(text) => Number::parse(text),
            _ => None,
        }
    }

    /// Whether the cell is a list or the text of a JSON list; puts its items into `items`.
    pub fn is_list(&self, items: &mut Items) -> bool {
        match self {
            Self::List => true,
            Self::Text(text) => items.parse(text),
            _ => false,
        }
    }
}

/// Whether a text is empty or white space.
pub fn is_blank(text: &[u8]) -> bool {
    if text.first().is_some_and(u8::is_ascii_graphic) {
        return false;
    }
    if trim_spaces(text).is_empty() {
        return true;
    }
    let space = |letter: char| letter.is_whitespace() || ('\x1c'..='\x1f').contains(&letter);
    std::str::from_utf8(text).is_ok_and(|text| text.chars().all(space))
}

impl<'a> Column<'a> {
    /// The value in a row; the items of a list are put into `items`.
    pub fn read<'s>(&'s self, row: usize, items: &mut Items) -> Cell<'s> {
        if !self.valid().get(row) {
            return Cell::Missing;
        }
        match self {
            Self::Texts { texts, .. } => Cell::Text(texts.get(row)),
            Self::Numbers { numbers, .. } => match numbers.get(row) {
                Some(number) => Cell::Number(number),
                None if numbers.is_missing(row) => Cell::Missing,
                None => Cell::Other,
            },
            Self::Truths { .. } | Self::Others(_) => Cell::Other,
            Self::Lists { ends, items: inner, .. } => {
                items.clear();
                items.begin();
                inner.push(ends.range(row), items);
                items.end();
                Cell::List
            }
            Self::Objects(objects) => objects[row].read(items),
            Self::Picked { column, rows } => column.read(rows[row] as usize, items),
        }
    }

    /// The rows' 32-byte hashes in lowercase hex, ignoring case, surrounding spaces and `0x` in front; `None` for
    /// other cells.
    pub fn hashes(&self, rows: usize) -> Vec<Option<[u8; 64]>> {
        let mut items = Items::default();
        let mut read = |row| {
            let (Cell::Text(text) | Cell::Digits(text)) = self.read(row, &mut items) else { return None };
            let text = <[u8; 64]>::try_from(bare(trim_spaces(text))).ok()?;
            let text = text.map(|byte| byte.to_ascii_lowercase());
            text.iter().all(u8::is_ascii_hexdigit).then_some(text)
        };
        (0..rows).map(&mut read).collect()
    }

    /// The number of rows that are a single-precision float, or a list with one.
    pub fn singles(&self, rows: usize) -> usize {
        let mut items = Items::default();
        let is_single = |item: &Item| matches!(item, Item::Number(Number::Single(_)));
        let has_single = |row: &usize| match self.read(*row, &mut items) {
            Cell::Number(number) => matches!(number, Number::Single(_)),
            Cell::List => items.list.iter().any(is_single),
            _ => false,
        };
        (0..rows).filter(has_single).count()
    }

    /// The text in a row, if the column is one of text.
    pub fn text(&self, row: usize) -> Option<&'a [u8]> {
        match self {
            Self::Texts { texts, valid } if valid.get(row) => Some(texts.get(row)),
            _ => None,
        }
    }

    fn valid(&self) -> Valid<'a> {
        match self {
            Self::Texts { valid, .. }
            | Self::Numbers { valid, .. }
            | Self::Truths { valid, .. }
            | Self::Lists { valid, .. }
            | Self::Others(valid) => *valid,
            Self::Objects(_) | Self::Picked { .. } => Valid::All,
        }
    }

    /// Maps `read` over the numbers of the rows.
    pub fn each_number<T>(&self, rows: usize, read: impl Fn(Option<Number>) -> T) -> Vec<T> {
        let mut items = Items::default();
        match self {
            Self::Numbers { numbers, valid } => with_numbers!(
                *numbers,
                numbers => {
                    let cells = numbers[..rows].iter().enumerate();
                    cells.map(|(row, number)| read(if valid.get(row) { number.number() } else { None })).collect()
                },
                (_digits, _scale) => {
                    (0..rows).map(|row| read(if valid.get(row) { numbers.get(row) } else { None })).collect()
                }
            ),
            _ => (0..rows).map(|row| read(self.read(row, &mut items).number())).collect(),
        }
    }

    /// The rows as whole numbers, 0 for other cells, and the rows that are one.
    pub fn wholes(&self, rows: usize) -> (Vec<i64>, Vec<bool>) {
        if let Self::Numbers { numbers: Numbers::I64(numbers), valid: Valid::All } = self {
            return (numbers[..rows].to_vec(), vec![true; rows]);
        }
        let whole = |number: Option<Number>| i64::try_from(number?.as_whole()?).ok();
        self.each_number(rows, |number| (whole(number).unwrap_or(0), whole(number).is_some()))
            .into_iter()
            .unzip()
    }

    /// The rows as `width` doubles each; rows without that many numbers become NaN.
    pub fn doubles(&self, rows: usize, width: usize) -> Vec<f64> {
        let double = |number: Option<Number>| number.map_or(f64::NAN, Number::as_double);
        if let (1, Self::Numbers { .. }) = (width, self) {
            return self.each_number(rows, double);
        }
        if let Self::Lists { ends, items, valid: Valid::All } = self
            && let Self::Numbers { numbers, .. } = &**items
            && (0..rows).all(|row| ends.range(row).len() == width)
            && rows > 0
        {
            let mut cells = items.each_number(numbers.len(), double);
            cells.truncate(ends.range(rows - 1).end);
            cells.drain(..ends.range(0).start);
            return cells;
        }
        let mut items = Items::default();
        let mut found = vec![f64::NAN; rows * width];
        for (row, values) in found.chunks_exact_mut(width.max(1)).enumerate() {
            let cell = match self {
                Self::Texts { texts, valid: Valid::All } => Cell::Text(texts.get(row)),
                column => column.read(row, &mut items),
            };
            if let (1, Cell::Text(text)) = (width, cell)
                && let Some(double) = short_decimal(text)
            {
                values[0] = double;
                continue;
            }
            if let (1, Some(number)) = (width, cell.number()) {
                values[0] = number.as_double();
            } else if cell.is_list(&mut items) && items.list.len() == width {
                for (value, item) in values.iter_mut().zip(&items.list) {
                    *value = if let Item::Number(number) = item { number.as_double() } else { f64::NAN };
                }
            }
        }
        found
    }

    /// Appends cells to the items of a list.
    fn push(&self, cells: Range<usize>, items: &mut Items) {
        for index in cells {
            if !self.valid().get(index) {
                items.push(Item::Other);
                continue;
            }
            match self {
                Self::Texts { texts, .. } => items.push_text(texts.get(index)),
                Self::Numbers { numbers, .. } => {
                    items.push(numbers.get(index).map_or(Item::Other, Item::Number));
                }
                Self::Truths { truths, .. } => items.push(Item::Truth(truths.get(index))),
                Self::Others(_) => items.push(Item::Other),
                Self::Lists { ends, items: inner, .. } => {
                    items.begin();
                    inner.push(ends.range(index), items);
                    items.end();
                }
                Self::Objects(objects) => objects[index].push(items),
                Self::Picked { column, rows } => {
                    let index = rows[index] as usize;
                    column.push(index..index + 1, items);
                }
            }
        }
    }

    /// Calls `tell` for the rows from `first` on that differ from these outcomes, each of the given shape.
    ///
    /// Rows that aren't reported are right. A reported row may still be right in another notation and has to
    /// be read.
    pub fn differing(&self, first: usize, right: Recomputed<'_>, shape: &[usize], tell: impl FnMut(usize)) {
        match right {
            Recomputed::Cells { cells, decimals } => self.differ(first, cells, shape, decimals, tell),
            Recomputed::Doubles(doubles) => self.differ(first, doubles, shape, 0, tell),
        }
    }

    fn differ<T: OutcomeNumber>(
        &self,
        first: usize,
        right: &[T],
        shape: &[usize],
        decimals: u32,
        tell: impl FnMut(usize),
    ) {
        match self {
            Self::Picked { column, rows } => {
                column.differ_at(|i| rows[first + i] as usize, right, shape, decimals, tell);
            }
            column => column.differ_at(|i| first + i, right, shape, decimals, tell),
        }
    }

    /// Compares the rows given by `at`.
    fn differ_at<T: OutcomeNumber>(
        &self,
        at: impl Fn(usize) -> usize,
        right: &[T],
        shape: &[usize],
        decimals: u32,
        mut tell: impl FnMut(usize),
    ) {
        let width = shape.iter().product();
        let rows = right.chunks_exact(width).enumerate();
        let mut depths = Vec::new();
        match self {
            Self::Numbers { numbers, valid: Valid::All } if width == 1 => with_numbers!(
                *numbers,
                numbers => {
                    for (i, right) in right.iter().enumerate() {
                        if !right.is(numbers[at(i)], decimals) {
                            tell(i);
                        }
                    }
                },
                (_digits, _scale) => rows.for_each(|(i, _)| tell(i))
            ),
            Self::Lists { .. } => match self.numbers_in_lists(&mut depths) {
                Some(numbers) => with_numbers!(
                    numbers,
                    numbers => {
                        let shape = if depths.len() == 1 { &[width] } else { shape };
                        for (i, right) in rows {
                            let same = cells_of(&depths, at(i), shape).is_some_and(|logged| {
                                let mut pairs = numbers[logged].iter().zip(right);
                                pairs.all(|(&logged, right)| right.is(logged, decimals))
                            });
                            if !same {
                                tell(i);
                            }
                        }
                    },
                    (_digits, _scale) => rows.for_each(|(i, _)| tell(i))
                ),
                None => rows.for_each(|(i, _)| tell(i)),
            },
            _ => rows.for_each(|(i, _)| tell(i)),
        }
    }

    /// The numbers in nested lists, if there is nothing else and no cell is empty; appends the ends of each
    /// depth.
    fn numbers_in_lists(&self, depths: &mut Vec<Ends<'a>>) -> Option<Numbers<'a>> {
        match self {
            Self::Numbers { numbers, valid: Valid::All } => Some(*numbers),
            Self::Lists { ends, items, valid: Valid::All } => {
                depths.push(*ends);
                items.numbers_in_lists(depths)
            }
            _ => None,
        }
    }
}

/// The range of a row's cells, if its lists have this shape.
#[inline]
fn cells_of(depths: &[Ends<'_>], row: usize, shape: &[usize]) -> Option<Range<usize>> {
    let mut cells = row..row + 1;
    for (place, ends) in depths.iter().enumerate() {
        let length = *shape.get(place)?;
        if cells.is_empty() || !cells.clone().all(|list| ends.range(list).len() == length) {
            return None;
        }
        cells = ends.range(cells.start).start..ends.range(cells.end - 1).end;
    }
    (depths.len() == shape.len()).then_some(cells)
}

impl Object {
    fn read<'s>(&'s self, items: &mut Items) -> Cell<'s> {
        match self {
            Self::Missing => Cell::Missing,
            Self::Number(number) => Cell::Number(*number),
            Self::Digits(digits) => Cell::Digits(digits),
            Self::Text(text) => Cell::Text(text),
            Self::List(_) => {
                items.clear();
                self.push(items);
                Cell::List
            }
            Self::Truth(_) | Self::Other => Cell::Other,
        }
    }

    fn push(&self, items: &mut Items) {
        match self {
            Self::Number(number) => items.push(Item::Number(*number)),
            Self::Digits(digits) => items.push_digits(digits),
            Self::Text(text) => items.push_text(text),
            Self::Truth(truth) => items.push(Item::Truth(*truth)),
            Self::List(list) => {
                items.begin();
                list.iter().for_each(|object| object.push(items));
                items.end();
            }
            Self::Missing | Self::Other => items.push(Item::Other),
        }
    }
}

/// Reads whole numbers from `least` to `most`; other cells are passed to `bad` and become `least`.
pub fn wholes<T: TryFrom<i128> + PartialOrd + Copy>(
    column: &Column<'_>,
    rows: usize,
    (least, most): (T, T),
    mut bad: impl FnMut(usize, Verdict),
) -> Vec<T> {
    let mut items = Items::default();
    let mut read = |row| {
        let cell = column.read(row, &mut items);
        let number = cell.number().and_then(Number::as_whole).and_then(|number| T::try_from(number).ok());
        number.filter(|number| (least..=most).contains(number)).unwrap_or_else(|| {
            bad(row, if cell.is_blank() { Verdict::Missing } else { Verdict::Malformed });
            least
        })
    };
    (0..rows).map(&mut read).collect()
}
