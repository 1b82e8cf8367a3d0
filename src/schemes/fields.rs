//! The fields of many rounds: texts, whole numbers, and what is counted or made here.

use crate::error::{Error, Result};
use crate::salted::seeds::{Salts, Seeds, salt};
use crate::strings::{Decimal, Texts, broadcast_to};

/// What the values of a field must be.
#[derive(Clone, Copy, Debug, Default)]
pub struct Use {
    /// Hex text, as its bytes are meant.
    pub hex: bool,
    /// Whole numbers up to this one, where they have a width of their own.
    pub most: Option<u64>,
}

/// The values of one field.
#[derive(Clone, Copy, Debug)]
pub enum Values<'a> {
    Texts(Texts<'a>),
    /// Written in decimal. An array of one number serves every round.
    Numbers(&'a [u64]),
    /// `start`, `start + 1`, ...
    Counter {
        start: u64,
    },
    /// Salts `start`, `start + 1`, ... of the series named `seed`.
    Salts {
        seed: &'a [u8],
        start: u64,
    },
}

impl<'a> Values<'a> {
    /// How many there are; `None` for one that serves every round, or for as many as are wanted.
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

    /// The number of a round, where the field is one of numbers.
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

    /// Appends the bytes that the hex text of a round stands for: text that [`Fields::check`] has seen.
    pub fn write_bytes(&self, round: usize, out: &mut Vec<u8>) {
        let mut own = Vec::new();
        let text = match self {
            Self::Texts(texts) => texts.get(round),
            _ => {
                self.write(round, &mut own);
                &own
            }
        };
        let (eights, rest) = text.as_chunks();
        for eight in eights {
            out.extend_from_slice(&decode(u64::from_be_bytes(*eight)).to_be_bytes());
        }
        for pair in rest.as_chunks().0 {
            out.push(decode(u64::from(u16::from_be_bytes(*pair))) as u8);
        }
    }

    /// Checks that every value is a whole number up to `most`.
    fn check_numbers(&self, name: &str, most: u64, rounds: usize) -> Result<()> {
        let refuse = |name: String, number: u64| {
            Error::value(name, format_args!("must be at most {most}, as the scheme writes it, got {number}"))
        };
        match *self {
            Self::Numbers(numbers) => match numbers.iter().position(|&number| number > most) {
                Some(_) if numbers.len() == 1 => Err(refuse(name.to_owned(), numbers[0])),
                Some(row) => Err(refuse(format!("{name}[{row}]"), numbers[row])),
                None => Ok(()),
            },
            Self::Counter { start } => match start.checked_add(rounds.saturating_sub(1) as u64) {
                Some(last) if last <= most => Ok(()),
                _ => Err(refuse(name.to_owned(), start)),
            },
            Self::Texts(_) | Self::Salts { .. } => Err(Error::type_(
                name,
                "must be a whole number, as the scheme writes it with a width, got text",
            )),
        }
    }

    /// Checks that every text is hex, of whole bytes.
    fn check_hex(&self, name: &str) -> Result<()> {
        let texts = match self {
            Self::Texts(texts) => texts,
            Self::Salts { .. } => return Ok(()),
            _ => {
                return Err(Error::type_(name, "must be hex text, since its bytes are hashed, got a number"));
            }
        };
        let check = |row: usize| {
            let text = texts.get(row);
            let name = || if texts.len().is_some() { format!("{name}[{row}]") } else { name.to_owned() };
            if !text.iter().fold(true, |all, byte| all & byte.is_ascii_hexdigit()) {
                let index = text.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
                return Err(Error::value(
                    name(),
                    format_args!(
                        "must be hex text, since its bytes are hashed, got another character at index {index}"
                    ),
                ));
            }
            if text.len() % 2 == 1 {
                return Err(Error::value(
                    name(),
                    format_args!(
                        "must be hex text of whole bytes, since they are hashed, got {} digits",
                        text.len()
                    ),
                ));
            }
            Ok(())
        };
        (0..texts.len().unwrap_or(1)).try_for_each(check)
    }
}

/// What eight hex digits stand for, the first on top.
#[inline]
fn decode(characters: u64) -> u32 {
    // Letters have a 1 in their seventh bit, and their last four bits count from 1.
    let letters = (characters >> 6) & 0x0101_0101_0101_0101;
    let mut digits = (characters & 0x0f0f_0f0f_0f0f_0f0f) + letters * 9;
    digits = (digits | digits >> 4) & 0x00ff_00ff_00ff_00ff;
    digits = (digits | digits >> 8) & 0x0000_ffff_0000_ffff;
    (digits | digits >> 16) as u32
}

/// The fields of many rounds, in the order in which templates number them.
#[derive(Clone, Debug)]
pub struct Fields<'a> {
    values: Vec<Values<'a>>,
    /// `None` for one round of single values.
    rounds: Option<usize>,
    /// What draws are called, where that is hashed too.
    label: Option<&'a [u8]>,
}

impl<'a> Fields<'a> {
    /// The number of rounds; `None` for one of single values.
    pub fn new(values: Vec<Values<'a>>, rounds: Option<usize>) -> Self {
        Self { values, rounds, label: None }
    }

    /// The same with a label.
    pub fn labeled(self, label: Option<&'a [u8]>) -> Self {
        Self { label, ..self }
    }

    /// The label of the draws.
    pub fn label(&self) -> Option<&'a [u8]> {
        self.label
    }

    /// The same with one more field, of a text that serves every round.
    pub fn with<'b>(&self, text: &'b [u8]) -> Fields<'b>
    where
        'a: 'b,
    {
        let mut values: Vec<Values<'b>> = self.values.clone();
        values.push(Values::Texts(Texts::One(text)));
        Fields { values, ..*self }
    }

    /// The fields of salted rounds.
    pub fn salted(seeds: Seeds<'a>, rounds: Option<usize>) -> Self {
        let salt = match seeds.salt {
            Salts::Given(texts) => Values::Texts(texts),
            Salts::Series { seed, start } => Values::Salts { seed, start },
        };
        Self::new(vec![Values::Texts(seeds.server), Values::Texts(seeds.client), salt], rounds)
    }

    /// Checks that every field has one value or one for each round, and that it is what its use asks for.
    pub fn check(&self, names: &[String], uses: &[Use]) -> Result<()> {
        let named = || names.iter().map(String::as_str).zip(&self.values);
        let lengths: Vec<_> = named().map(|(name, each)| (name, each.len())).collect();
        broadcast_to(self.rounds(), &lengths)?;
        for ((name, each), wanted) in named().zip(uses) {
            if wanted.hex {
                each.check_hex(name)?;
            }
            if let Some(most) = wanted.most {
                each.check_numbers(name, most, self.rounds())?;
            }
        }
        Ok(())
    }

    /// The same where what all rounds have is one value, so that it is hashed once.
    pub fn narrow(mut self) -> Self {
        for values in &mut self.values {
            if let Values::Texts(texts) = values {
                *texts = texts.narrow();
            }
        }
        self
    }

    /// Some of the fields, in an order of its own.
    pub fn choose(&self, fields: &[usize]) -> Self {
        Self { values: fields.iter().map(|&field| self.values[field]).collect(), ..*self }
    }

    /// Some of the rounds. Their numbers are put beside them.
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

    /// How many rounds these are.
    pub fn rounds(&self) -> usize {
        self.rounds.unwrap_or(1)
    }

    /// What a message calls a round.
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
