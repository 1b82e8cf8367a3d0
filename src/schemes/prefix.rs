//! What the messages of many rounds have in common at one cursor: the key of an HMAC, and the beginning.

use super::fields::{Fields, Values};
use super::hash::{Algorithm, Hash, Piece, Template};
use super::salted::numbered::Numbered;

/// The byte that HMAC's key is combined with before the message.
pub const INNER_PAD: u8 = 0x36;
/// The same before the inner digest.
pub const OUTER_PAD: u8 = 0x5c;

/// The key of an HMAC, if there is one.
pub enum Keyed<S> {
    /// No key: a plain hash.
    No,
    /// One key for all rounds: the outer hash's state after it.
    Constant(S),
    Varying(Template),
}

/// Messages in blocks of `B` bytes, whose hash has states `S`.
pub struct Prefix<S, const B: usize> {
    pub key: Keyed<S>,
    /// The state after the whole blocks that all messages begin with.
    pub state: S,
    /// The rest of the common prefix; shorter than a block, unless keys vary.
    pub beginning: Vec<u8>,
    /// The number of bytes hashed before `beginning`.
    pub before: usize,
    /// The template after the common prefix.
    pub parts: Template,
    algorithm: Algorithm,
}

impl<S: Copy, const B: usize> Prefix<S, B> {
    pub fn new(
        hash: &Hash,
        fields: &Fields<'_>,
        cursor: u64,
        initial: S,
        compress: fn(&mut S, &[[u8; B]]),
    ) -> Self {
        let (mut state, mut before) = (initial, 0);
        let key = match &hash.key {
            None => Keyed::No,
            Some(key) => {
                before = B;
                if key.is_constant(fields) {
                    let mut text = Vec::new();
                    key.write(fields, 0, cursor, &mut text);
                    let mut outer = initial;
                    let block: [u8; B] = padded(hash.algorithm, &text);
                    compress(&mut state, &[block.map(|byte| byte ^ INNER_PAD)]);
                    compress(&mut outer, &[block.map(|byte| byte ^ OUTER_PAD)]);
                    Keyed::Constant(outer)
                } else {
                    Keyed::Varying(key.clone())
                }
            }
        };
        let (mut beginning, parts) = split(&hash.message, fields, cursor);
        if !matches!(key, Keyed::Varying(_)) {
            let (blocks, rest) = beginning.as_chunks::<B>();
            compress(&mut state, blocks);
            before += blocks.as_flattened().len();
            beginning = rest.to_vec();
        }
        Self { key, state, beginning, before, parts, algorithm: hash.algorithm }
    }

    /// The block of a round's key, padded.
    #[inline(always)]
    pub fn padded_key(
        &self,
        key: &Template,
        fields: &Fields<'_>,
        round: usize,
        cursor: u64,
        text: &mut Vec<u8>,
    ) -> [u8; B] {
        text.clear();
        key.write(fields, round, cursor, text);
        padded(self.algorithm, text)
    }

    /// Appends the rest of a round's message.
    pub fn write(&self, fields: &Fields<'_>, round: usize, cursor: u64, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.beginning);
        self.parts.write(fields, round, cursor, out);
    }
}

/// HMAC's key in a block.
#[inline(always)]
fn padded<const B: usize>(algorithm: Algorithm, key: &[u8]) -> [u8; B] {
    if let Ok(block) = key.try_into() {
        return block; // without a call
    }
    let mut block = [0; B];
    if key.len() < B {
        block[..key.len()].copy_from_slice(key);
    } else {
        let digest = algorithm.digest(key);
        block[..digest.bytes().len()].copy_from_slice(digest.bytes());
    }
    block
}

/// The block around the number that alone varies in texts, and its field; `None` for texts of any other form.
pub fn numbered<'a, const B: usize>(
    beginning: &[u8],
    template: &Template,
    fields: &'a Fields<'a>,
    cursor: u64,
    before: Option<usize>,
) -> Option<(&'a Values<'a>, Numbered<B>)> {
    let (mut texts, mut number) = (vec![beginning.to_vec()], None);
    for piece in &template.0 {
        match piece {
            piece if piece.is_constant(fields) => {
                let constant = Template(vec![piece.clone()]);
                constant.write(fields, 0, cursor, texts.last_mut()?);
            }
            Piece::Field(field) if number.is_none_or(|number| number == field) => {
                number = Some(field);
                texts.push(Vec::new());
            }
            _ => return None,
        }
    }
    let numbers = fields.field(*number?);
    numbers.number(0)?;
    Some((numbers, Numbered::new(texts, before)))
}

/// The common prefix of a template's texts in all rounds, and the rest of the template.
fn split(template: &Template, fields: &Fields<'_>, cursor: u64) -> (Vec<u8>, Template) {
    let constant = template.0.iter().take_while(|piece| piece.is_constant(fields));
    let (beginning, rest) = template.0.split_at(constant.count());
    let mut text = Vec::new();
    Template(beginning.to_vec()).write(fields, 0, cursor, &mut text);
    (text, Template(rest.to_vec()))
}
