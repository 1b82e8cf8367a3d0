//! Where rows of CSV end, which isn't at the line ends within quotes.

/// Where a block of CSV can be cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// After the last whole row.
    pub end: usize,
    /// Whether what follows ends in a field whose quotes are still open.
    pub open: bool,
}

/// Looks through a block that begins with a row. A quote counts at the beginning of a field only.
pub fn cut(block: &[u8], delimiter: u8) -> Cut {
    let (mut end, mut at) = (0, 0);
    while at < block.len() {
        if block[at] == b'"' {
            match closing(block, at + 1) {
                Some(after) => at = after,
                None => return Cut { end, open: true },
            }
        }
        let field = block[at..].iter().position(|&byte| byte == delimiter || byte == b'\n' || byte == b'\r');
        let Some(length) = field else { break };
        at += length + 1;
        if block[at - 1] == b'\r' {
            match block.get(at) {
                Some(b'\n') => at += 1,
                Some(_) => {}
                // A line feed may follow.
                None => break,
            }
        }
        if block[at - 1] != delimiter {
            end = at;
        }
    }
    Cut { end, open: false }
}

/// The place after the quote that closes a field; two quotes are one within it.
fn closing(block: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += block[at..].iter().position(|&byte| byte == b'"')? + 1;
        if block.get(at) != Some(&b'"') {
            return Some(at);
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_cut_after_rows() {
        fn cut(block: &str) -> (&str, bool) {
            let Cut { end, open } = super::cut(block.as_bytes(), b',');
            (&block[..end], open)
        }
        assert_eq!(cut("a,b\nc,d\ne"), ("a,b\nc,d\n", false));
        assert_eq!(cut("a,\"b\nc\"\nd,\"e\n"), ("a,\"b\nc\"\n", true));
        assert_eq!(cut("a,\"b\"\"\n\"\nd"), ("a,\"b\"\"\n\"\n", false));
        assert_eq!(cut("a\"b\nc\"d\n"), ("a\"b\nc\"d\n", false));
        assert_eq!(cut("\"a\"b\"\n\"\""), ("\"a\"b\"\n", false));
        assert_eq!(cut("a\r\nb\rc\r"), ("a\r\nb\r", false));
        assert_eq!(cut("a\r\n\n"), ("a\r\n\n", false));
        assert_eq!(cut("\"a\"\"\n"), ("", true));
        assert_eq!(cut(""), ("", false));
    }
}
