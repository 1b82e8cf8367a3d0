//! A log's column as it lies in memory, and what its cells hold.
//!
//! There are two questions. Whether a cell is the outcome is asked of every row, and answered by the type of the
//! column without making a value of the cell. What a cell holds is asked of those that differ, of which there are
//! few: there a number may be text and a list JSON. Floats are compared as the decimals that they are written as.

use std::ops::Range;

use super::findings::Kind;
use super::lists::{Item, Items};
use super::number::{Number, is_double, is_single, short_decimal, trim_spaces};
use crate::strings::Texts;

/// A recomputed outcome, or several one after another.
#[derive(Clone, Copy, Debug)]
pub enum Right<'a> {
    /// Whole numbers, of which each stands for itself divided by `10^decimals`.
    Cells {
        cells: &'a [i64],
        decimals: u32,
    },
    Doubles(&'a [f64]),
}

/// A column.
#[derive(Clone, Debug)]
pub enum Column<'a> {
    Texts {
        texts: Texts<'a>,
        valid: Valid<'a>,
    },
    Numbers {
        numbers: Numbers<'a>,
        valid: Valid<'a>,
    },
    Truths {
        truths: Truths<'a>,
        valid: Valid<'a>,
    },
    Lists {
        ends: Ends<'a>,
        items: Box<Column<'a>>,
        valid: Valid<'a>,
    },
    /// Cells of any kinds.
    Objects(&'a [Object]),
    /// Values of a type that no field has.
    Others(Valid<'a>),
    /// Some rows of another column.
    Picked {
        column: &'a Column<'a>,
        rows: &'a [u32],
    },
}

/// Which rows hold anything.
#[derive(Clone, Copy, Debug)]
pub enum Valid<'a> {
    All,
    None,
    Bits(Bits<'a>),
    /// Where there is `true`.
    Flags(&'a [bool]),
}

impl Valid<'_> {
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

/// Truths, a bit each, the lowest first.
#[derive(Clone, Copy, Debug)]
pub struct Bits<'a> {
    pub bytes: &'a [u8],
    pub offset: usize,
}

impl Bits<'_> {
    #[inline]
    pub fn get(&self, index: usize) -> bool {
        let place = self.offset + index;
        self.bytes[place / 8] >> (place % 8) & 1 == 1
    }
}

/// Truths, a bit or a byte each.
#[derive(Clone, Copy, Debug)]
pub enum Truths<'a> {
    Bits(Bits<'a>),
    Bytes(&'a [bool]),
}

impl Truths<'_> {
    fn get(&self, index: usize) -> bool {
        match self {
            Self::Bits(bits) => bits.get(index),
            Self::Bytes(bytes) => bytes[index],
        }
    }
}

/// Where the items of each list are.
#[derive(Clone, Copy, Debug)]
pub enum Ends<'a> {
    /// The number in each.
    Each(usize),
    Short(&'a [i32]),
    Long(&'a [i64]),
}

impl Ends<'_> {
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

/// Runs code with `$numbers` the slice of whole numbers or floats.
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

/// A number of a type that numpy has.
trait Plain: Copy {
    fn number(self) -> Option<Number>;

    /// Whether this is the outcome; that of a float which isn't finite is none.
    fn is(self, cell: i64, decimals: u32) -> bool;

    /// Whether this is the outcome, which is a double.
    fn is_double(self, double: f64) -> bool;
}

/// A part of a recomputed outcome.
trait Part: Copy {
    fn is(self, logged: impl Plain, decimals: u32) -> bool;
}

impl Part for i64 {
    #[inline]
    fn is(self, logged: impl Plain, decimals: u32) -> bool {
        logged.is(self, decimals)
    }
}

impl Part for f64 {
    #[inline]
    fn is(self, logged: impl Plain, _: u32) -> bool {
        logged.is_double(self)
    }
}

macro_rules! plain {
    ($($integer:ty),*) => {$(
        impl Plain for $integer {
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

impl Plain for f64 {
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

impl Plain for f32 {
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
    /// A number; `None` for floats that aren't finite.
    pub fn get(&self, index: usize) -> Option<Number> {
        with_numbers!(
            *self,
            numbers => numbers[index].number(),
            (digits, scale) => Some(Number::decimal(digits[index], scale))
        )
    }

    /// Whether there is no number: NaN stands for an empty cell.
    fn is_missing(&self, index: usize) -> bool {
        match self {
            Self::F32(numbers) => numbers[index].is_nan(),
            Self::F64(numbers) => numbers[index].is_nan(),
            _ => false,
        }
    }

    pub fn len(&self) -> usize {
        with_numbers!(*self, numbers => numbers.len(), (digits, _scale) => digits.len())
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A cell of any kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Object {
    Missing,
    Number(Number),
    /// A whole number of more digits than a [`Number`] holds.
    Digits(Box<[u8]>),
    Text(Box<[u8]>),
    List(Box<[Object]>),
    Truth(bool),
    /// Anything else.
    Other,
}

/// What a cell holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    Missing,
    Number(Number),
    /// A whole number of many digits, in decimal.
    Digits(&'a [u8]),
    Text(&'a [u8]),
    /// Its items are where they were asked to be put.
    List,
    /// Anything else.
    Other,
}

impl Cell<'_> {
    /// Whether there is nothing in a cell.
    pub fn is_blank(&self) -> bool {
        match self {
            Self::Missing => true,
            Self::Text(text) => is_blank(text),
            _ => false,
        }
    }

    /// The number that a cell holds, or that its text is.
    pub fn number(&self) -> Option<Number> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Digits(_) => Some(Number::Beyond),
            Self::Text(text) => Number::parse(text),
            _ => None,
        }
    }

    /// Puts the items of a list there, or of the JSON list that its text is; whether it is any.
    pub fn is_list(&self, items: &mut Items) -> bool {
        match self {
            Self::List => true,
            Self::Text(text) => items.parse(text),
            _ => false,
        }
    }
}

/// Whether text is nothing but white space.
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
    /// What the cell of a row holds; items of lists go to `items`.
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

    /// The hashes of rows, 32 bytes in lowercase hex whatever case and spaces they are written with; `None` where
    /// a cell is something else.
    pub fn hashes(&self, rows: usize) -> Vec<Option<[u8; 64]>> {
        let mut items = Items::default();
        let mut read = |row| {
            let (Cell::Text(text) | Cell::Digits(text)) = self.read(row, &mut items) else { return None };
            let text = <[u8; 64]>::try_from(trim_spaces(text)).ok()?.map(|byte| byte.to_ascii_lowercase());
            text.iter().all(u8::is_ascii_hexdigit).then_some(text)
        };
        (0..rows).map(&mut read).collect()
    }

    /// The text of a row, where the column is text.
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

    /// Reads the number of each row, if there is one.
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

    /// Reads `width` numbers of each row as doubles: NaN in rows that don't have as many.
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

    /// Adds these cells to the items of a list.
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

    /// Reports the rows from `first` on that don't hold these outcomes, each of this shape.
    ///
    /// What isn't reported is right; what is reported may be: how it reads has to be looked at.
    pub fn differing(&self, first: usize, right: Right<'_>, shape: &[usize], tell: impl FnMut(usize)) {
        match right {
            Right::Cells { cells, decimals } => self.differ(first, cells, shape, decimals, tell),
            Right::Doubles(doubles) => self.differ(first, doubles, shape, 0, tell),
        }
    }

    fn differ<T: Part>(
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

    /// The same of the rows that `at` says.
    fn differ_at<T: Part>(
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

    /// The numbers in lists, if there are no others and no cell is empty; and where lists of each depth end.
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

/// Where the cells of a row are, if its lists have this shape.
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

/// Reads whole numbers from `least` to `most`; `bad` is called for other cells, whose numbers are `least`.
pub fn wholes(
    column: &Column<'_>,
    rows: usize,
    (least, most): (i64, i64),
    mut bad: impl FnMut(usize, Kind),
) -> Vec<i64> {
    let mut items = Items::default();
    let mut read = |row| {
        let cell = column.read(row, &mut items);
        let number = cell.number().and_then(Number::as_whole).and_then(|number| i64::try_from(number).ok());
        number.filter(|number| (least..=most).contains(number)).unwrap_or_else(|| {
            bad(row, if cell.is_blank() { Kind::Missing } else { Kind::Malformed });
            least
        })
    };
    (0..rows).map(&mut read).collect()
}
