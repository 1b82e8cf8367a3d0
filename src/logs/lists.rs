//! Nested lists in cells, flattened into items and a shape, and a parser of JSON lists.
//!
//! The items of all levels are stored in one array, next to the length of the lists at each level. That is
//! enough to tell whether a list has the outcome's shape, is flat, or differs. A hostile log may nest lists
//! as deeply as a cell is long, so the parser doesn't recurse: open lists are kept on a stack.

use std::ops::Range;

use super::number::Number;

/// An item of a list.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A number.
    Number(Number),
    /// A whole number with more digits than a [`Number`] holds.
    Digits(Range<usize>),
    /// A text, as a range of the texts.
    Text(Range<usize>),
    /// A boolean.
    Truth(bool),
    /// Any other value, which matches no outcome.
    Other,
}

/// The flattened items of a nested list.
#[derive(Debug, Default)]
pub struct Items {
    /// The items in order, across all levels.
    pub list: Vec<Item>,
    texts: Vec<u8>,
    /// The length of the lists at each level.
    shape: Vec<Option<usize>>,
    /// Whether lists of one level differ in length, or items lie on different levels.
    ragged: bool,
    /// The number of items so far in each open list.
    open: Vec<usize>,
}

impl Items {
    /// Removes all items.
    pub fn clear(&mut self) {
        self.list.clear();
        self.texts.clear();
        self.shape.clear();
        self.open.clear();
        self.ragged = false;
    }

    /// Opens a list, nested in the open one if there is one.
    pub fn begin(&mut self) {
        if let Some(items) = self.open.last_mut() {
            *items += 1;
        }
        self.open.push(0);
        if self.shape.len() < self.open.len() {
            // Levels above the deepest may hold lists only.
            self.ragged |= !self.list.is_empty();
            self.shape.push(None);
        }
    }

    /// Closes the innermost open list.
    pub fn end(&mut self) {
        let items = self.open.pop().expect("a list is open");
        let length = self.shape[self.open.len()].get_or_insert(items);
        self.ragged |= *length != items;
    }

    /// Appends an item to the open list.
    pub fn push(&mut self, item: Item) {
        *self.open.last_mut().expect("a list is open") += 1;
        self.ragged |= self.open.len() < self.shape.len();
        self.list.push(item);
    }

    /// Appends a text to the open list.
    pub fn push_text(&mut self, text: &[u8]) {
        let start = self.texts.len();
        self.texts.extend_from_slice(text);
        self.push(Item::Text(start..self.texts.len()));
    }

    /// Appends a long whole number to the open list.
    pub fn push_digits(&mut self, text: &[u8]) {
        let start = self.texts.len();
        self.texts.extend_from_slice(text);
        self.push(Item::Digits(start..self.texts.len()));
    }

    /// Whether the list has no lists inside.
    pub fn is_flat(&self) -> bool {
        self.shape.len() == 1
    }

    /// Whether the list has the given shape or is flat.
    pub fn has_shape(&self, shape: &[usize]) -> bool {
        self.is_flat() || (!self.ragged && self.shape.iter().copied().eq(shape.iter().map(|&n| Some(n))))
    }

    /// The text of an item.
    pub fn text(&self, range: &Range<usize>) -> &[u8] {
        &self.texts[range.clone()]
    }

    /// Whether all items are numbers.
    pub fn are_numbers(&self) -> bool {
        self.list.iter().all(|item| matches!(item, Item::Number(_) | Item::Digits(_)))
    }

    /// Parses a JSON list, and returns whether the text is one. JSON objects aren't accepted.
    pub fn parse(&mut self, text: &[u8]) -> bool {
        self.clear();
        std::str::from_utf8(text).is_ok() && Parser { text, at: 0, items: self }.list().is_some()
    }
}

/// A JSON parser without recursion, for lists nested to any depth.
struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    items: &'a mut Items,
}

impl Parser<'_> {
    fn skip_space(&mut self) {
        while matches!(self.text.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn next_is(&mut self, byte: u8) -> bool {
        self.skip_space();
        let is = self.text.get(self.at) == Some(&byte);
        self.at += usize::from(is);
        is
    }

    fn list(&mut self) -> Option<()> {
        if !self.next_is(b'[') {
            return None;
        }
        self.items.begin();
        let mut value_may_follow = true;
        let mut value_must_follow = false;
        while !self.items.open.is_empty() {
            if value_may_follow && self.next_is(b'[') {
                self.items.begin();
                value_must_follow = false;
            } else if !value_must_follow && self.next_is(b']') {
                self.items.end();
                value_may_follow = false;
            } else if value_may_follow {
                self.value()?;
                value_may_follow = false;
                value_must_follow = false;
            } else if self.next_is(b',') {
                value_may_follow = true;
                value_must_follow = true;
            } else {
                return None;
            }
        }
        self.skip_space();
        (self.at == self.text.len()).then_some(())
    }

    fn value(&mut self) -> Option<()> {
        self.skip_space();
        let words: [(&[u8], Item); 6] = [
            (b"true", Item::Truth(true)),
            (b"false", Item::Truth(false)),
            (b"null", Item::Other),
            (b"NaN", Item::Other),
            (b"Infinity", Item::Other),
            (b"-Infinity", Item::Other),
        ];
        let rest = &self.text[self.at..];
        match rest.first()? {
            b'"' => self.string(),
            b'0'..=b'9' => self.number(),
            b'-' if rest.get(1).is_some_and(u8::is_ascii_digit) => self.number(),
            _ => {
                let (word, item) = words.into_iter().find(|(word, _)| rest.starts_with(word))?;
                self.at += word.len();
                self.items.push(item);
                Some(())
            }
        }
    }

    fn number(&mut self) -> Option<()> {
        let rest = &self.text[self.at..];
        let part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        let text = &rest[..rest.iter().take_while(|byte| part(byte)).count()];
        // JSON allows fewer notations than text: no 007, 5. or +1.
        let unsigned = text.strip_prefix(b"-").unwrap_or(text);
        let leading_zero = unsigned[0] == b'0' && unsigned.get(1).is_some_and(u8::is_ascii_digit);
        let point = text.iter().position(|&byte| byte == b'.');
        if leading_zero || point.is_some_and(|point| !text.get(point + 1).is_some_and(u8::is_ascii_digit)) {
            return None;
        }
        self.at += text.len();
        match Number::parse(text) {
            Some(Number::Beyond) => self.items.push_digits(text),
            Some(number) => self.items.push(Item::Number(number)),
            None => self.items.push(Item::Other),
        }
        Some(())
    }

    fn string(&mut self) -> Option<()> {
        let start = self.items.texts.len();
        self.at += 1;
        loop {
            let byte = *self.text.get(self.at)?;
            self.at += 1;
            match byte {
                b'"' => break,
                b'\\' => self.escape()?,
                0..0x20 => return None,
                _ => self.items.texts.push(byte),
            }
        }
        self.items.push(Item::Text(start..self.items.texts.len()));
        Some(())
    }

    fn escape(&mut self) -> Option<()> {
        let letter = *self.text.get(self.at)?;
        self.at += 1;
        let plain = match letter {
            b'"' | b'\\' | b'/' => letter,
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                let mut code = self.hex()?;
                if (0xd800..0xdc00).contains(&code) && self.text[self.at..].starts_with(b"\\u") {
                    self.at += 2;
                    let low = self.hex()?;
                    if !(0xdc00..0xe000).contains(&low) {
                        return None;
                    }
                    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
                }
                let mut utf8 = [0; 4];
                let text = char::from_u32(code)?.encode_utf8(&mut utf8);
                self.items.texts.extend_from_slice(text.as_bytes());
                return Some(());
            }
            _ => return None,
        };
        self.items.texts.push(plain);
        Some(())
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        self.at += 4;
        let known = digits.iter().all(u8::is_ascii_hexdigit);
        u32::from_str_radix(std::str::from_utf8(digits).ok().filter(|_| known)?, 16).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(Vec<Item>, bool)> {
        let mut items = Items::default();
        items.parse(text.as_bytes()).then(|| {
            let nested = !items.is_flat();
            (items.list, nested)
        })
    }

    fn whole(numbers: &[i128]) -> Vec<Item> {
        numbers.iter().map(|&number| Item::Number(Number::whole(number))).collect()
    }

    #[test]
    fn lists_of_numbers() {
        assert_eq!(read("[11, 8, 18]"), Some((whole(&[11, 8, 18]), false)));
        assert_eq!(read(" [ -1,0 ] \n"), Some((whole(&[-1, 0]), false)));
        assert_eq!(read("[[1,2],[3,4]]"), Some((whole(&[1, 2, 3, 4]), true)));
        assert_eq!(read("[]"), Some((vec![], false)));
        assert_eq!(read("[[],[1]]"), Some((whole(&[1]), true)));
        let deep = "[".repeat(100_000) + "7" + &"]".repeat(100_000);
        assert_eq!(read(&deep), Some((whole(&[7]), true)));
        assert_eq!(read("[1e1]"), Some((whole(&[10]), false)));
    }

    #[test]
    fn shapes() {
        let has = |text: &str, shape: &[usize]| {
            let mut items = Items::default();
            assert!(items.parse(b"[[1], 2]") && items.parse(text.as_bytes()), "{text}");
            items.has_shape(shape)
        };
        assert!(has("[1,2,3,4]", &[4]) && has("[1,2,3,4]", &[2, 2]) && has("[[1,2],[3,4]]", &[2, 2]));
        assert!(has("[[[1],[2]],[[3],[4]]]", &[2, 2, 1]) && has("[[],[]]", &[2, 0]));
        for text in
            ["[[1,2,3,4]]", "[[1,2],[3]]", "[1,[2,3]]", "[[1,2],3]", "[[1],[2],[3],[4]]", "[[],[1,2]]"]
        {
            assert!(!has(text, &[4]) && !has(text, &[2, 2]), "{text}");
        }
        assert!(!has("[[[1,2],[3,4]]]", &[2, 2]) && !has("[[[1],[2]],[[3],4]]", &[2, 2, 1]));
        assert!(!has("[1,[[2]]]", &[2, 1, 1]) && !has("[[[2]],1]", &[2, 1, 1]));
    }

    #[test]
    fn other_items() {
        let (list, _) = read("[true, false, null, NaN, -Infinity, \"a\", 1e999]").unwrap();
        assert_eq!(list[..5], [Item::Truth(true), Item::Truth(false), Item::Other, Item::Other, Item::Other]);
        assert_eq!(list[6], Item::Other);
        let mut items = Items::default();
        assert!(items.parse(r#"["10♣", "\u2663\ud83c\udca1\n\"", ""]"#.as_bytes()));
        let texts: Vec<_> = items
            .list
            .iter()
            .map(|item| if let Item::Text(range) = item { items.text(range) } else { panic!() })
            .collect();
        assert_eq!(texts, ["10♣".as_bytes(), "♣🂡\n\"".as_bytes(), b""]);
    }

    #[test]
    fn what_is_no_list() {
        for text in [
            "",
            "5",
            "{}",
            "[",
            "]",
            "[1",
            "[1,",
            "[1,]",
            "[,1]",
            "[1 2]",
            "[1],",
            "[1]]",
            "[[1]",
            "[1,,2]",
            "[{}]",
            "[007]",
            "[5.]",
            "[.5]",
            "[+1]",
            "[0x1]",
            "[1_0]",
            "[\"a]",
            "[\"\t\"]",
            "[\"\\x\"]",
            "[\"\\ud800\"]",
            "[\"\\u+123\"]",
            "[-]",
            "[tru]",
            "[1e]",
            "[1-2]",
            "[] []",
        ] {
            let read = read(text);
            // Numbers that JSON doesn't allow become items that match no outcome.
            let bad = read.is_none_or(|(list, _)| list.contains(&Item::Other));
            assert!(bad, "{text}");
        }
        let mut items = Items::default();
        assert!(!items.parse(b"[\"\xff\"]"));
    }
}
