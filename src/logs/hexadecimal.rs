//! Hex digits, read eight at a time: one per byte of a word.

/// A 1 in each byte.
const ONES: u64 = u64::MAX / 255;

/// Eight characters read as hex digits.
struct Digits {
    /// The value of each digit.
    values: u64,
    /// Not 0 if some character isn't a hex digit in lowercase.
    odd: u64,
    /// Not 0 if some character isn't a hex digit.
    wrong: u64,
}

impl Digits {
    #[inline(always)]
    fn of(characters: [u8; 8]) -> Self {
        let word = u64::from_le_bytes(characters);
        let letters = (word >> 6) & ONES;
        let values = (word & (15 * ONES)) + (letters << 3) + letters;
        // A character is a digit if it is the one that spells its value.
        let above = ((values + 6 * ONES) >> 4) & ONES;
        let spelled = values + ONES * u64::from(b'0') + ((above << 5) + (above << 3) - above);
        let large = values & (0xf0 * ONES);
        Self { values, odd: (spelled ^ word) | large, wrong: (spelled ^ (word | (above << 5))) | large }
    }

    /// The bytes that the digits spell.
    #[inline(always)]
    fn bytes(self) -> [u8; 4] {
        let pairs = ((self.values << 4) | (self.values >> 8)) & 0x00ff_00ff_00ff_00ff;
        let fours = (pairs | (pairs >> 8)) & 0x0000_ffff_0000_ffff;
        ((fours | (fours >> 16)) as u32).to_le_bytes()
    }
}

/// The bytes that 64 hex digits spell, in lowercase unless `capitals` are accepted. Without branches, since most
/// texts turn out to be hex to the end.
#[inline]
pub fn decode(text: &[u8], capitals: bool) -> Option<[u8; 32]> {
    let (mut bytes, mut wrong) = ([0; 32], 0);
    let text: &[u8; 64] = text.try_into().ok()?;
    for (four, eight) in bytes.as_chunks_mut().0.iter_mut().zip(text.as_chunks().0) {
        let digits = Digits::of(*eight);
        wrong |= if capitals { digits.wrong } else { digits.odd };
        *four = digits.bytes();
    }
    (wrong == 0).then_some(bytes)
}

/// Whether all characters are hex digits.
#[inline]
pub fn is_hexadecimal(text: &[u8]) -> bool {
    let (eights, rest) = text.as_chunks();
    let wrong = eights.iter().fold(0, |wrong, eight| wrong | Digits::of(*eight).wrong);
    wrong == 0 && rest.iter().all(u8::is_ascii_hexdigit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_in_every_place_is_told() {
        let digits = *b"0123456789abcdef0123456789ABCDEF00112233445566778899aAbBcCdDeEfF";
        for place in 0..64 {
            for byte in 0..=255 {
                let mut text = digits;
                text[place] = byte;
                let expected: Option<[u8; 32]> =
                    hex::decode(text).ok().map(|bytes| bytes.try_into().unwrap());
                assert_eq!(decode(&text, true), expected, "{place} {byte}");
                assert_eq!(is_hexadecimal(&text), expected.is_some(), "{place} {byte}");
                assert_eq!(is_hexadecimal(&text[..=place]), byte.is_ascii_hexdigit(), "{place} {byte}");
                let small = text.to_ascii_lowercase();
                assert_eq!(decode(&small, false), expected, "{place} {byte}");
                assert_eq!(decode(&text, false), None);
            }
        }
        assert!(is_hexadecimal(b""));
        for length in [0, 8, 63, 65] {
            assert_eq!(decode(&vec![b'0'; length], true), None);
        }
    }
}
