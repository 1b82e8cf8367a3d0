//! The fields of many rounds: texts, whole numbers, counters and series of salts.

use super::salted::seeds::{Salts, Seeds, salt};
use crate::error::{Error, Result, value_error};
use crate::strings::{Decimal, Texts, broadcast_to, choices};

/// The required spelling of a field's text; of two, the larger one is the stricter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spelling {
    /// Hex digits of whole bytes in either case, as the bytes are hashed.
    Bytes,
    /// Lower-case hex digits of whole bytes: this many digits, if known.
    Hex(Option<usize>),
    /// A whole number in decimal digits, without leading zeros.
    Decimal,
}

impl Spelling {
    /// The only spelling of a published value that is hashed, by the name of its field. Its proof (a chain, a
    /// signature, a block's header) is read in any spelling; if every spelling were hashed, an operator could choose
    /// among the outcomes of all of them.
    pub fn of_published(name: &str) -> Option<Self> {
        match name {
            "game_hash" | "terminating" | "beacon_randomness" | "block_hash" => Some(Self::Hex(Some(64))),
            "beacon_signature" | "previous_signature" | "block_header" | "commitment" | "salt_commitment" => {
                Some(Self::Hex(None))
            }
            "beacon_round" | "game_number" => Some(Self::Decimal),
            _ => None,
        }
    }

    /// Whether there is one spelling, rather than several.
    pub fn is_one(self) -> bool {
        self > Self::Bytes
    }

    /// Whether a text is spelled so.
    pub fn fits(self, text: &[u8]) -> bool {
        match self {
            Self::Bytes => text.len().is_multiple_of(2) && all(text, |byte| byte.is_ascii_hexdigit()),
            Self::Hex(digits) => {
                digits.map_or(text.len().is_multiple_of(2), |digits| text.len() == digits)
                    && all(text, |byte| byte.is_ascii_digit() | matches!(byte, b'a'..=b'f'))
            }
            Self::Decimal => {
                all(text, |byte| byte.is_ascii_digit()) && (text == b"0" || !matches!(text, [] | [b'0', ..]))
            }
        }
    }

    /// A description of this spelling, for messages.
    pub fn described(self) -> String {
        match self {
            Self::Bytes => "hex text of whole bytes".to_owned(),
            Self::Hex(Some(digits)) => format!("{digits} lower-case hexadecimal digits"),
            Self::Hex(None) => "lower-case hexadecimal digits of whole bytes".to_owned(),
            Self::Decimal => "a whole number in decimal digits, without leading zeros".to_owned(),
        }
    }

    /// The mistake in a text that isn't spelled so.
    fn refuse(self, name: &str, text: &[u8]) -> Error {
        if self != Self::Bytes {
            let got: String = String::from_utf8_lossy(text).chars().take(80).collect();
            return value_error!(name, "must be {}, got {got:?}", self.described());
        }
        let index = text.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        if index < text.len() {
            let why = "must be hex text, since its bytes are hashed, got another character at index";
            return value_error!(name, "{why} {index}");
        }
        let why = "must be hex text of whole bytes, since they are hashed, got";
        value_error!(name, "{why} {} digits", text.len())
    }
}

/// Whether all characters are of a kind; without branches, as texts are short and there are many.
#[inline(always)]
fn all(text: &[u8], good: impl Fn(u8) -> bool) -> bool {
    text.iter().fold(true, |all, &byte| all & good(byte))
}

choices! {
    /// The kind of a field's values.
    FieldKind {
        /// A whole number.
        Number = "number",
        /// Text.
        Text = "text",
        /// Either.
        Any = "any",
    }
}

impl FieldKind {
    /// The kind of a field, by its name.
    pub fn of(field: &str) -> Self {
        if matches!(field, "nonce" | "round") {
            Self::Number
        } else if ["seed", "salt", "hash"].iter().any(|end| field.ends_with(end)) {
            Self::Text
        } else {
            Self::Any
        }
    }
}

/// Requirements of a field's values.
#[derive(Clone, Copy, Debug, Default)]
pub struct FieldUse {
    /// The required spelling of text; `None` if any is allowed.
    pub spelling: Option<Spelling>,
    /// The largest whole number, if they have a fixed width.
    pub most: Option<u64>,
}

impl FieldUse {
    /// The requirements of both of two uses.
    pub fn and(self, other: Self) -> Self {
        let most = self.most.into_iter().chain(other.most).min();
        Self { spelling: self.spelling.max(other.spelling), most }
    }
}

/// The values of one field.
#[derive(Clone, Copy, Debug)]
pub enum Values<'a> {
    /// Texts.
    Texts(Texts<'a>),
    /// Written in decimal. An array of one number serves every round.
    Numbers(&'a [u64]),
    /// `start`, `start + 1`, ...
    Counter {
        /// The number of the first round.
        start: u64,
    },
    /// Salts `start`, `start + 1`, ... of the series named `seed`.
    Salts {
        /// The seed that names the series.
        seed: &'a [u8],
        /// The number of the first round.
        start: u64,
    },
}

impl<'a> Values<'a> {
    /// The number of values; `None` if one serves every round, or if they are made as needed.
    pub fn len(&self) -> Option<usize> {
        match self {
            Self::Texts(texts) => texts.len(),
            Self::Numbers(numbers) => Some(numbers.len()),
            Self::Counter { .. } | Self::Salts { .. } => None,
        }
    }

    /// Whether there are no values at all.
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// Whether one value serves every round.
    pub fn is_constant(&self) -> bool {
        match self {
            Self::Texts(texts) => texts.constant().is_some(),
            Self::Numbers(numbers) => numbers.len() == 1,
            Self::Counter { .. } | Self::Salts { .. } => false,
        }
    }

    /// The number of a round, if the field holds numbers.
    #[inline]
    pub fn number(&self, round: usize) -> Option<u64> {
        match *self {
            Self::Numbers([one]) => Some(*one),
            Self::Numbers(numbers) => Some(numbers[round]),
            Self::Counter { start } => Some(start.wrapping_add(round as u64)),
            _ => None,
        }
    }

    /// Appends the text of a round.
    #[inline]
    pub fn write(&self, round: usize, out: &mut Vec<u8>) {
        match self {
            Self::Texts(texts) => out.extend_from_slice(texts.get(round)),
            Self::Salts { seed, start } => out.extend_from_slice(&salt(seed, start + round as u64)),
            _ => out.extend_from_slice(Decimal::new(self.number(round).unwrap_or(0)).text()),
        }
    }

    /// Appends the bytes that a round's hex text encodes; [`Fields::check`] must have accepted the text.
    pub fn write_bytes(&self, round: usize, out: &mut Vec<u8>) {
        let mut own = Vec::new();
        let text = match self {
            Self::Texts(texts) => texts.get(round),
            _ => {
                self.write(round, &mut own);
                &own
            }
        };
        out.extend(text.as_chunks().0.iter().map(|&pair| decode(pair)));
    }

    /// Checks that every value is a whole number up to `most`.
    fn check_numbers(&self, name: &str, most: u64, rounds: usize) -> Result<()> {
        let refuse =
            |number: u64| value_error!(name, "must be at most {most}, as the scheme writes it, got {number}");
        match *self {
            Self::Numbers(numbers) => match numbers.iter().position(|&number| number > most) {
                Some(_) if numbers.len() == 1 => Err(refuse(numbers[0])),
                Some(row) => Err(refuse(numbers[row]).at(row)),
                None => Ok(()),
            },
            Self::Counter { start } => match start.checked_add(rounds.saturating_sub(1) as u64) {
                Some(last) if last <= most => Ok(()),
                _ => Err(refuse(start)),
            },
            Self::Texts(_) | Self::Salts { .. } => Err(Error::type_(
                name,
                "must be a whole number, as the scheme writes it with a width, got text",
            )),
        }
    }

    /// Checks that every text has the required spelling.
    fn check_spelling(&self, name: &str, spelling: Spelling) -> Result<()> {
        let texts = match self {
            Self::Texts(texts) => texts,
            Self::Salts { .. } => return Ok(()),
            _ if spelling == Spelling::Decimal => return Ok(()),
            _ if spelling == Spelling::Bytes => {
                return Err(Error::type_(name, "must be hex text, since its bytes are hashed, got a number"));
            }
            _ => {
                let why = format!("must be text of {}, got a number", spelling.described());
                return Err(Error::type_(name, why));
            }
        };
        match (0..texts.len().unwrap_or(1)).find(|&row| !spelling.fits(texts.get(row))) {
            Some(row) => {
                let error = spelling.refuse(name, texts.get(row));
                Err(if texts.len().is_some() { error.at(row) } else { error })
            }
            None => Ok(()),
        }
    }
}

/// The value of two hex digits: all at once, without a branch, so that many are decoded in a vector.
#[inline]
fn decode(pair: [u8; 2]) -> u8 {
    let characters = u16::from_le_bytes(pair);
    // Letters have a 1 in their seventh bit, and their last four bits count from 1.
    let digits = (characters & 0x0f0f) + ((characters >> 6) & 0x0101) * 9;
    ((digits << 4) | (digits >> 8)) as u8
}

/// The fields of many rounds, in the order in which templates number them.
#[derive(Clone, Debug)]
pub struct Fields<'a> {
    values: Vec<Values<'a>>,
    /// `None` for one round of single values.
    rounds: Option<usize>,
    /// The label of draws, if it is hashed.
    label: Option<&'a [u8]>,
}

impl<'a> Fields<'a> {
    /// The fields of a number of rounds; `None` for one round of single values.
    pub fn new(values: Vec<Values<'a>>, rounds: Option<usize>) -> Self {
        Self { values, rounds, label: None }
    }

    /// These fields with a label.
    pub fn labeled(self, label: Option<&'a [u8]>) -> Self {
        Self { label, ..self }
    }

    /// The label of the draws.
    pub fn label(&self) -> Option<&'a [u8]> {
        self.label
    }

    /// These fields and one more.
    pub fn with<'b>(&self, texts: Texts<'b>) -> Fields<'b>
    where
        'a: 'b,
    {
        let mut values: Vec<Values<'b>> = self.values.clone();
        values.push(Values::Texts(texts));
        Fields { values, ..*self }
    }

    /// These fields, followed by other fields of the same rounds.
    pub fn and(mut self, others: &Self) -> Self {
        self.values.extend_from_slice(&others.values);
        self
    }

    /// The fields of salted rounds.
    pub fn salted(seeds: Seeds<'a>, rounds: Option<usize>) -> Self {
        let salt = match seeds.salt {
            Salts::Given(texts) => Values::Texts(texts),
            Salts::Series { seed, start } => Values::Salts { seed, start },
        };
        Self::new(vec![Values::Texts(seeds.server), Values::Texts(seeds.client), salt], rounds)
    }

    /// Checks that every field has one value or one for each round, and that the values meet its requirements.
    pub fn check(&self, names: &[String], uses: &[FieldUse]) -> Result<()> {
        let named = || names.iter().map(String::as_str).zip(&self.values);
        let lengths: Vec<_> = named().map(|(name, each)| (name, each.len())).collect();
        broadcast_to(self.rounds(), &lengths)?;
        for ((name, each), wanted) in named().zip(uses) {
            if let Some(spelling) = wanted.spelling {
                each.check_spelling(name, spelling)?;
            }
            if let Some(most) = wanted.most {
                each.check_numbers(name, most, self.rounds())?;
            }
        }
        Ok(())
    }

    /// These fields with values that all rounds share reduced to one, so that they are hashed once.
    pub fn narrow(mut self) -> Self {
        for values in &mut self.values {
            if let Values::Texts(texts) = values {
                *texts = texts.narrow();
            }
        }
        self
    }

    /// Some of the fields, in the given order.
    pub fn choose(&self, fields: &[usize]) -> Self {
        Self { values: fields.iter().map(|&field| self.values[field]).collect(), ..*self }
    }

    /// Some of the rounds; `numbers` holds copies of their numbers.
    pub fn pick<'p>(&'p self, rows: &'p [u32], numbers: &'p mut Vec<Vec<u64>>) -> Fields<'p> {
        let number = |values: &Values<'_>| match values {
            Values::Numbers(all) if all.len() > 1 => rows.iter().map(|&row| all[row as usize]).collect(),
            _ => Vec::new(),
        };
        numbers.extend(self.values.iter().map(number));
        let pick = |(values, numbers): (&'p Values<'a>, &'p Vec<u64>)| match values {
            Values::Texts(texts) if texts.len().is_some() => Values::Texts(Texts::Picked { texts, rows }),
            Values::Numbers(all) if all.len() > 1 => Values::Numbers(numbers),
            all => *all,
        };
        let values = self.values.iter().zip(&*numbers).map(pick).collect();
        Fields { values, rounds: Some(rows.len()), label: self.label }.narrow()
    }

    /// The number of rounds.
    pub fn rounds(&self) -> usize {
        self.rounds.unwrap_or(1)
    }

    /// The name of a round in messages.
    pub fn name_of(&self, round: usize) -> String {
        if self.rounds.is_some() { format!("round {round}") } else { "the round".to_owned() }
    }

    /// The values of each field.
    pub fn each(&self) -> impl Iterator<Item = &Values<'a>> {
        self.values.iter()
    }

    /// The values of field number `field`.
    pub fn field(&self, field: usize) -> &Values<'a> {
        &self.values[field]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_values_have_one_spelling() {
        let hash = "0123456789abcdef".repeat(4);
        let capital = hash.to_uppercase();
        let others = [&capital, "", " ", "g", &hash[2..], &hash[1..]];
        let signature = Spelling::of_published("beacon_signature").unwrap();
        let hash_of_game = Spelling::of_published("game_hash").unwrap();
        assert!(hash_of_game.fits(hash.as_bytes()) && Spelling::Bytes.fits(capital.as_bytes()));
        assert!(signature.fits(&hash.as_bytes()[2..]) && !signature.fits(&hash.as_bytes()[1..]));
        assert!(!others.iter().any(|other| hash_of_game.fits(other.as_bytes())));
        for around in [" ", "\t", "\r\n", "\0", "0x", "\u{a0}", "\u{ff11}"] {
            for text in [format!("{around}{hash}"), format!("{hash}{around}")] {
                assert!(!hash_of_game.fits(text.as_bytes()) && !signature.fits(text.as_bytes()), "{text:?}");
            }
        }
        let round = Spelling::of_published("beacon_round").unwrap();
        assert!(["0", "7", "10", "18446744073709551616"].iter().all(|text| round.fits(text.as_bytes())));
        for text in ["", "00", "01", "+1", "-1", "1e3", "1.0", "1_000", " 1", "1\n", "0x1", "\u{ff11}"] {
            assert!(!round.fits(text.as_bytes()), "{text:?}");
        }
        assert_eq!(Spelling::of_published("server_seed"), None);
        assert!(Spelling::Decimal > hash_of_game && hash_of_game > signature && signature > Spelling::Bytes);
    }
}
