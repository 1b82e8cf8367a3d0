//! A CSV reader that splits blocks of a file into columns of text.
//!
//! The rules follow RFC 4180, section 2, extended for the files that operators export. A quote opens a quoted
//! cell only at the start of the cell. In quotes, two quotes stand for one, and line ends belong to the text;
//! text between the closing quote and the next delimiter is appended to the cell. Lines end in LF, CR or
//! CRLF, and empty lines are skipped.
//!
//! One rule is there against hostile or damaged files: a quoted cell that spans lines mustn't have text after
//! its closing quote. In such a cell the opening quote is a stray one, and the closing quote is really the
//! opening one of another row's cell; accepting it would silently swallow the rows in between. The whole
//! range is reported as unreadable instead.
//!
//! A block is scanned once. The reader searches for the next delimiter or line end eight bytes at a time
//! (`find`) and copies only the wanted cells. The caller cuts the file into blocks, and resumes each one at
//! [`CsvBlock::end`] of the previous.

use std::ops::Range;

/// Concatenated text cells: cell `i` is `bytes[ends[i]..ends[i + 1]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CsvColumn {
    /// The concatenated texts.
    pub bytes: Vec<u8>,
    /// The end of each cell, preceded by 0.
    pub ends: Vec<i32>,
}

impl CsvColumn {
    fn end(&mut self) {
        self.ends.push(i32::try_from(self.bytes.len()).expect("blocks are short"));
    }

    /// Keeps the first `cells` cells only.
    fn truncate(&mut self, cells: usize) {
        self.ends.truncate(cells + 1);
        self.bytes.truncate(self.ends[cells] as usize);
    }
}

/// An unreadable row: the number of rows before it, and its range in the block.
pub type UnreadableRow = (usize, Range<usize>);

/// The contents of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CsvBlock {
    /// The wanted columns.
    pub columns: Vec<CsvColumn>,
    /// The number of readable rows.
    pub rows: usize,
    /// Rows with too few or too many cells, or with a quote closed only in another row. They count among the
    /// rows before later ones.
    pub unreadable: Vec<UnreadableRow>,
    /// The end of the last complete row.
    pub end: usize,
    /// Whether the rest of the block ends inside quotes.
    pub open: bool,
}

/// Reads the complete rows of a block that starts with a row. Rows have `cells` cells, of which those at
/// `wanted` are kept.
pub fn read(block: &[u8], delimiter: u8, cells: usize, wanted: &[usize]) -> CsvBlock {
    let mut of_cell = vec![None; cells];
    for (column, &cell) in wanted.iter().enumerate() {
        of_cell[cell] = Some(column);
    }
    let empty = || CsvColumn { bytes: Vec::with_capacity(block.len()), ends: vec![0] };
    let columns = wanted.iter().map(|_| empty()).collect();
    let mut found = CsvBlock { columns, rows: 0, unreadable: Vec::new(), end: 0, open: false };
    let mut at = 0;
    while let Some(&first) = block.get(at) {
        let start = at;
        let (mut count, mut torn) = (0, false);
        if is_line_end(first) {
            at += 1;
        }
        // One iteration per cell, up to the end of the line.
        while at == start || block[at - 1] == delimiter {
            let mut column = of_cell.get(count).copied().flatten().map(|column| &mut found.columns[column]);
            count += 1;
            let mut keep = |range: Range<usize>| {
                if let Some(column) = &mut column {
                    column.bytes.extend_from_slice(&block[range]);
                }
            };
            if block.get(at) == Some(&b'"') {
                match closing(block, at + 1, &mut keep) {
                    Some(after) => {
                        torn |= block.get(after).is_some_and(|&next| next != delimiter && !is_line_end(next))
                            && block[at..after].iter().any(|&byte| is_line_end(byte));
                        at = after;
                    }
                    None => return found.without_the_last(true),
                }
            }
            // The delimiter usually follows the closing quote at once.
            if block.get(at) != Some(&delimiter) {
                let Some(length) = find(&block[at..], [delimiter, b'\n', b'\r']) else {
                    return found.without_the_last(false);
                };
                keep(at..at + length);
                at += length;
            }
            at += 1;
            if let Some(column) = column {
                column.end();
            }
        }
        // An empty line, or the LF of a CRLF, has no cells.
        let line = start..at - 1;
        found.end = at;
        if count == cells && !torn {
            found.rows += 1;
        } else if count > 0 {
            found.unreadable.push((found.rows + found.unreadable.len(), line));
            found = found.without_the_last(false);
        }
    }
    found
}

impl CsvBlock {
    /// Drops the cells of an incomplete row.
    fn without_the_last(mut self, open: bool) -> Self {
        self.columns.iter_mut().for_each(|column| column.truncate(self.rows));
        self.open = open;
        self
    }
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// The position after the closing quote; the text before it is passed to `keep`, with doubled quotes halved.
fn closing(block: &[u8], mut at: usize, keep: &mut impl FnMut(Range<usize>)) -> Option<usize> {
    loop {
        let quote = at + find(&block[at..], [b'"'])?;
        if block.get(quote + 1) != Some(&b'"') {
            keep(at..quote);
            return Some(quote + 1);
        }
        keep(at..quote + 1);
        at = quote + 2;
    }
}

/// The position of the first of the wanted bytes, searched eight at a time.
#[inline]
fn find<const N: usize>(bytes: &[u8], wanted: [u8; N]) -> Option<usize> {
    const ONES: u64 = u64::MAX / 255;
    let (words, rest) = bytes.as_chunks::<8>();
    for (number, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let found = wanted.iter().fold(0, |found, &byte| {
            // Marks zero bytes by their highest bit (Bit Twiddling Hacks, "Determine if a word has a zero
            // byte"). Bytes after a zero may be marked falsely, but the first mark is right.
            let zero = word ^ (ONES * u64::from(byte));
            found | (zero.wrapping_sub(ONES) & !zero & (ONES << 7))
        });
        if found != 0 {
            return Some(number * 8 + found.trailing_zeros() as usize / 8);
        }
    }
    let place = rest.iter().position(|byte| wanted.contains(byte))?;
    Some(bytes.len() - rest.len() + place)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of two cells, the unread rest, and whether a quote is open.
    fn read(block: &str) -> (Vec<[&str; 2]>, &str, bool) {
        let found = super::read(block.as_bytes(), b',', 2, &[1, 0]);
        assert_eq!(found.unreadable, []);
        // Leaked so that the cells outlive this function.
        let [second, first] =
            <[CsvColumn; 2]>::try_from(found.columns).expect("two").map(|cells| &*Box::leak(Box::new(cells)));
        let cell = |cells: &'static CsvColumn, row: usize| {
            let range = cells.ends[row] as usize..cells.ends[row + 1] as usize;
            std::str::from_utf8(&cells.bytes[range]).expect("UTF-8")
        };
        assert_eq!((first.ends.len(), second.ends.len()), (found.rows + 1, found.rows + 1));
        assert_eq!(first.bytes.len(), first.ends[found.rows] as usize);
        let rows = (0..found.rows).map(|row| [cell(first, row), cell(second, row)]).collect();
        (rows, &block[found.end..], found.open)
    }

    #[test]
    fn whole_rows_are_read() {
        assert_eq!(read("a,b\nc,d\ne"), (vec![["a", "b"], ["c", "d"]], "e", false));
        assert_eq!(read("a,\"b\nc\"\nd,\"e\n"), (vec![["a", "b\nc"]], "d,\"e\n", true));
        assert_eq!(read("a,\"b\"\"\n\"\"\nd"), (vec![], "a,\"b\"\"\n\"\"\nd", true));
        assert_eq!(read("a,\"b\"\"\n\"\"\"\nd"), (vec![["a", "b\"\n\""]], "d", false));
        assert_eq!(read("a\"b,\nc\"d,\n"), (vec![["a\"b", ""], ["c\"d", ""]], "", false));
        assert_eq!(read("\"a\"b\",\" \" \n\"\","), (vec![["ab\"", "  "]], "\"\",", false));
        assert_eq!(read("a,1\r\n,2\rc,3\r"), (vec![["a", "1"], ["", "2"], ["c", "3"]], "", false));
        assert_eq!(read("\n\ra,1\r\n\n\r\n"), (vec![["a", "1"]], "", false));
        assert_eq!(read("\"a\"\"\n"), (vec![], "\"a\"\"\n", true));
        assert_eq!(read("a,\"\""), (vec![], "a,\"\"", false));
        assert_eq!(read(""), (vec![], "", false));
        let long = "0123456789abcdef ♣".repeat(9);
        let (line, cells) = (format!("{long},\"{long}\"\n"), vec![[&*long, &*long]; 3]);
        assert_eq!(read(&line.repeat(3)), (cells, "", false));
    }

    #[test]
    fn rows_that_cannot_be_read_are_told_apart() {
        let block = "a,b,c\n1,2\n\n,,,\na,\"b\nc\"\r\n4,5,6\n7,8,";
        let found = super::read(block.as_bytes(), b',', 3, &[2]);
        assert_eq!(found.columns, [CsvColumn { bytes: b"c6".to_vec(), ends: vec![0, 1, 2] }]);
        let unreadable: Vec<_> =
            found.unreadable.iter().map(|(row, range)| (*row, &block[range.clone()])).collect();
        assert_eq!(unreadable, [(1, "1,2"), (2, ",,,"), (3, "a,\"b\nc\"")]);
        assert_eq!((found.rows, &block[found.end..], found.open), (2, "7,8,", false));
    }

    #[test]
    fn cells_with_the_quotes_of_two_are_several_rows() {
        let lines = |block: &str| {
            let found = super::read(block.as_bytes(), b',', 2, &[0]);
            assert_eq!((found.end, found.open), (block.len(), false));
            let text = |(row, range): (usize, Range<usize>)| (row, block[range].to_owned());
            (found.rows, found.unreadable.into_iter().map(text).collect::<Vec<_>>())
        };
        let torn = |text: &str| vec![(1, text.to_owned())];
        assert_eq!(lines("1,2\na,\"b\nc,\"d\n3,4\n"), (2, torn("a,\"b\nc,\"d")));
        assert_eq!(lines("1,2\n\"a,b\rc,\"d\"\r\n3,4\n"), (2, torn("\"a,b\rc,\"d\"")));
        assert_eq!(lines("1,2\na,\"b\nc,\"\"\nd,\"e\"\n"), (1, torn("a,\"b\nc,\"\"\nd,\"e\"")));
        assert_eq!(lines("1,2\n\"a\nb\"c,\"d\ne\"f\n"), (1, torn("\"a\nb\"c,\"d\ne\"f")));
        assert_eq!(lines("a,\"b\nc\"\nd,\"e\"f\n\"g\n\"\"h\",\"\n\"\n"), (3, vec![]));
    }

    #[test]
    fn bytes_are_found_wherever_they_are() {
        for length in 0..40 {
            let mut bytes = vec![b'!'; length];
            assert_eq!(find(&bytes, [b'"', b' ']), None);
            for place in (0..length).rev() {
                // The bytes that follow differ by one from the wanted ones.
                bytes[place] = if place % 2 == 0 { b'"' } else { b' ' };
                assert_eq!(find(&bytes, [b'"', b' ']), Some(place));
            }
        }
    }
}
