//! Lists in cells, flattened; and lists written as JSON.

use std::ops::Range;

use super::number::Number;

/// One item of a list.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    Number(Number),
    /// A whole number of more digits than a [`Number`] holds.
    Digits(Range<usize>),
    Text(Range<usize>),
    Truth(bool),
    /// Anything else; no cell may hold it.
    Other,
}

/// The items of a list, those of lists inside it among them.
#[derive(Debug, Default)]
pub struct Items {
    pub list: Vec<Item>,
    /// Whether there are lists inside it.
    pub nested: bool,
    texts: Vec<u8>,
}

impl Items {
    pub fn clear(&mut self) {
        self.list.clear();
        self.texts.clear();
        self.nested = false;
    }

    pub fn push_text(&mut self, text: &[u8]) {
        let start = self.texts.len();
        self.texts.extend_from_slice(text);
        self.list.push(Item::Text(start..self.texts.len()));
    }

    pub fn push_digits(&mut self, text: &[u8]) {
        let start = self.texts.len();
        self.texts.extend_from_slice(text);
        self.list.push(Item::Digits(start..self.texts.len()));
    }

    /// The text of an item.
    pub fn text(&self, range: &Range<usize>) -> &[u8] {
        &self.texts[range.clone()]
    }

    /// Whether all items are numbers.
    pub fn are_numbers(&self) -> bool {
        self.list.iter().all(|item| matches!(item, Item::Number(_) | Item::Digits(_)))
    }

    /// Reads a JSON list; whether it is one. Objects are none of a log's business.
    pub fn parse(&mut self, text: &[u8]) -> bool {
        self.clear();
        std::str::from_utf8(text).is_ok() && Parser { text, at: 0, items: self }.list().is_some()
    }
}

/// Reads JSON without recursion: a hostile list may be nested to any depth.
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
        let mut depth = 1;
        let mut value_may_follow = true;
        let mut value_must_follow = false;
        while depth > 0 {
            if value_may_follow && self.next_is(b'[') {
                depth += 1;
                self.items.nested = true;
                value_must_follow = false;
            } else if !value_must_follow && self.next_is(b']') {
                depth -= 1;
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
                self.items.list.push(item);
                Some(())
            }
        }
    }

    fn number(&mut self) -> Option<()> {
        let rest = &self.text[self.at..];
        let part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        let text = &rest[..rest.iter().take_while(|byte| part(byte)).count()];
        // JSON has fewer numbers than text: no 007, no 5., no +1.
        let unsigned = text.strip_prefix(b"-").unwrap_or(text);
        let leading_zero = unsigned[0] == b'0' && unsigned.get(1).is_some_and(u8::is_ascii_digit);
        let point = text.iter().position(|&byte| byte == b'.');
        if leading_zero || point.is_some_and(|point| !text.get(point + 1).is_some_and(u8::is_ascii_digit)) {
            return None;
        }
        self.at += text.len();
        match Number::parse(text) {
            Some(Number::Beyond) => self.items.push_digits(text),
            Some(number) => self.items.list.push(Item::Number(number)),
            None => self.items.list.push(Item::Other),
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
        self.items.list.push(Item::Text(start..self.items.texts.len()));
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
        items.parse(text.as_bytes()).then_some((items.list, items.nested))
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
            // A number that JSON doesn't know is an item that no cell may hold.
            let bad = read.is_none_or(|(list, _)| list.contains(&Item::Other));
            assert!(bad, "{text}");
        }
        let mut items = Items::default();
        assert!(!items.parse(b"[\"\xff\"]"));
    }
}
