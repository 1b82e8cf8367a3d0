//! A quick look at the text of a file before it is parsed.

/// The chunk size, small enough for a byte to count its line ends.
const COUNTED: usize = 128;

/// The number of line ends in a text, and whether it is ASCII without NUL bytes.
pub fn scan(text: &[u8]) -> (usize, bool) {
    let (mut lines, mut plain) = (0, true);
    for bytes in text.chunks(COUNTED) {
        let (mut ends, mut others) = (0u8, 0u8);
        for &byte in bytes {
            ends += u8::from(byte == b'\n');
            others |= u8::from(byte == 0) | byte & 0x80;
        }
        lines += usize::from(ends);
        plain &= others == 0;
    }
    (lines, plain)
}

#[cfg(test)]
mod tests {
    use super::scan;

    #[test]
    fn texts_are_looked_through() {
        assert_eq!(scan(b""), (0, true));
        assert_eq!(scan(b"\n\r\n\x7f\x01"), (2, true));
        assert_eq!(scan(&[b'\n'; 1000]), (1000, true));
        for place in 0..300 {
            for other in [0, 0x80, 0xff] {
                let mut text = vec![b'x'; 300];
                text[place] = b'\n';
                assert_eq!(scan(&text), (1, true));
                text[place] = other;
                assert_eq!(scan(&text), (0, false));
                text[(place + 1) % 300] = other;
                assert_eq!(scan(&text), (0, false));
            }
        }
    }
}
