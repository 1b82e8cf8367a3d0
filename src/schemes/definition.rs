//! Definitions of hashes: templates with field names in braces, parsed here into pieces with field numbers.

use super::fields::Spelling;
use super::hash::{Algorithm, Hash, Piece, Template, Width};
use crate::error::{Error, Result};

/// The fields that come first, if they occur.
const FIRST: [&str; 2] = ["server_seed", "client_seed"];
/// The beacon of schemes that hash a Bitcoin block's hash.
pub const BITCOIN: &str = "bitcoin";
/// The fields that can hold the block hash.
pub const BLOCK_HASHES: [&str; 2] = ["block_hash", "salt"];
const SHOWN: &str =
    "{name}, {name:bytes}, {name:utf8}, {cursor}, {label}, {name:08} or {name:u32le} (u8 to u64, le or be)";

const CURE: &str = "write {{ and }} for braces themselves";

/// Rules for text that depend on the calling language.
pub trait Language {
    /// Whether a text is a valid field name.
    fn is_name(&self, text: &str) -> bool;
    /// The text as a message shows it, in quotes.
    fn quoted(&self, text: &str) -> String;
}

/// A hash with the names of its fields.
#[derive(Clone, Debug)]
pub struct Named {
    /// The hash.
    pub hash: Hash,
    /// The names of its fields.
    pub names: Vec<String>,
    /// Whether other hashes use its bytes rather than their hex text.
    pub raw: bool,
}

impl Named {
    /// The hash with its fields numbered as in `fields`; `None` if one is missing there.
    pub fn among(&self, fields: &[String]) -> Option<Hash> {
        let place = |name: &String| fields.iter().position(|field| field == name);
        let places = self.names.iter().map(place).collect::<Option<Vec<_>>>()?;
        Some(self.hash.clone().renumbered(&places))
    }

    /// The fields whose hex text is decoded to bytes.
    pub fn hex(&self) -> Vec<&str> {
        self.those(|piece| match piece {
            Piece::Bytes(field) | Piece::Utf8(field) => Some(*field),
            _ => None,
        })
    }

    /// The names of the fields in pieces of one kind, as selected by `field_of`.
    fn those(&self, field_of: impl Fn(&Piece) -> Option<usize>) -> Vec<&str> {
        let found: Vec<_> = self.hash.pieces().into_iter().filter_map(field_of).collect();
        let has = |(field, _): &(usize, _)| found.contains(field);
        self.names.iter().enumerate().filter(has).map(|(_, name)| &**name).collect()
    }
}

/// The accepted spellings of each of a scheme's fields; `None` for text that is taken as it is. Published values
/// have rules of their own; values whose bytes a commitment or a block header proves may be any spelling of the hex.
pub fn spellings(
    fields: &[String],
    commitment: Option<&Named>,
    beacon: Option<&str>,
) -> Vec<Option<Spelling>> {
    let mut proven = Vec::new();
    if let Some(hash) = commitment {
        let texts = hash.those(|piece| if let Piece::Field(field) = piece { Some(*field) } else { None });
        proven.extend(hash.hex().into_iter().filter(|name| !texts.contains(name)));
    }
    if beacon == Some(BITCOIN) {
        proven.extend(BLOCK_HASHES.into_iter().find(|name| fields.iter().any(|field| field == name)));
    }
    let spelling = |name: &String| {
        Spelling::of_published(name).or(proven.contains(&&**name).then_some(Spelling::Hex(None)))
    };
    fields.iter().map(spelling).collect()
}

/// A parser of the templates of one hash.
#[derive(Default)]
pub struct Templates {
    names: Vec<String>,
}

impl Templates {
    /// Appends another hash, which may share fields with this one.
    pub fn include(&mut self, named: &Named, template: &mut Template) {
        let places: Vec<_> = named.names.iter().map(|name| self.number(name)).collect();
        template.0.push(Piece::Hash(Box::new(named.hash.clone().renumbered(&places)), named.raw));
    }

    /// The hash of the parsed templates. Its fields are ordered: the seeds, the message's other fields, the key's.
    pub fn hash(self, algorithm: Algorithm, message: Template, key: Option<Template>, raw: bool) -> Named {
        let there = |name: &&str| self.names.iter().any(|other| other == *name);
        let first = FIRST.into_iter().filter(there).map(str::to_owned);
        let others = self.names.iter().filter(|name| !FIRST.contains(&&***name)).cloned();
        let names: Vec<String> = first.chain(others).collect();
        let own = Named { hash: Hash { algorithm, message, key }, names: self.names, raw };
        let hash = own.among(&names).expect("the names are its own");
        Named { hash, names, raw }
    }

    /// The number of a field, assigned at its first occurrence.
    fn number(&mut self, name: &str) -> usize {
        self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        })
    }

    /// Parses `text` and appends its pieces to a template.
    pub fn read(
        &mut self,
        argument: &str,
        text: &str,
        language: &dyn Language,
        template: &mut Template,
    ) -> Result<()> {
        let refuse = |problem: String| Err(Error::value(argument, problem));
        let (mut found, mut rest) = (Vec::new(), text);
        while !rest.is_empty() {
            let Some((literal, replaced, after)) = next_field(rest) else {
                let shown = language.quoted(text);
                return refuse(format!("must have a field in each pair of braces, got {shown}: {CURE}"));
            };
            found.push((literal, replaced));
            rest = after;
        }
        for (literal, replaced) in found {
            if !literal.is_empty() {
                template.0.push(Piece::Literal(literal.into()));
            }
            let Some(Placeholder { name, conversion, form }) = replaced else { continue };
            if name == "label" && !form.is_empty() || name == "cursor" && matches!(form, "bytes" | "utf8") {
                let kind = if name == "label" { "text" } else { "a number: {cursor:08} or {cursor:u32le}" };
                let got = format!("got {{{name}:{form}}}: it is {kind}");
                return refuse(format!("must have {{{name}}} without a form, {got}"));
            }
            match self.piece(name, form) {
                Some(piece) if conversion.is_none() && language.is_name(name) => template.0.push(piece),
                _ => {
                    let conversion = conversion.map_or_else(String::new, |letter| format!("!{letter}"));
                    let form = if form.is_empty() { String::new() } else { format!(":{form}") };
                    let got =
                        format!("got {{{name}{conversion}{form}}} in {}: {CURE}", language.quoted(text));
                    return refuse(format!("must have fields as {SHOWN}, {got}"));
                }
            }
        }
        Ok(())
    }

    /// The piece of a field in a given form; `None` if the form is unknown.
    fn piece(&mut self, name: &str, form: &str) -> Option<Piece> {
        let width = match form.as_bytes() {
            [] if name == "cursor" => return Some(Piece::Cursor),
            [] if name == "label" => return Some(Piece::Label),
            [] => return Some(Piece::Field(self.number(name))),
            b"bytes" => return Some(Piece::Bytes(self.number(name))),
            b"utf8" => return Some(Piece::Utf8(self.number(name))),
            [b'0', b'1'..=b'9'] | [b'0', b'1'..=b'9', b'0'..=b'9'] => Width::Digits(form.parse().ok()?),
            b"u8" => Width::Bytes { size: 1, little: false },
            _ => {
                let bits = form.strip_suffix("le").or(form.strip_suffix("be"))?;
                let size =
                    [("u16", 2), ("u32", 4), ("u64", 8)].into_iter().find(|(known, _)| *known == bits)?.1;
                Width::Bytes { size, little: form.ends_with("le") }
            }
        };
        Some(if name == "cursor" { Piece::CursorOf(width) } else { Piece::Number(self.number(name), width) })
    }
}

/// The contents of a pair of braces: `{name!conversion:form}`.
struct Placeholder<'a> {
    name: &'a str,
    conversion: Option<char>,
    form: &'a str,
}

/// Splits a template at its next field: the text before it, the field (if any) and the rest; `None` if braces don't
/// match. The syntax is that of Python's format strings.
fn next_field(text: &str) -> Option<(&str, Option<Placeholder<'_>>, &str)> {
    let Some(brace) = text.find(['{', '}']) else { return Some((text, None, "")) };
    let inside = &text[brace + 1..];
    if inside.as_bytes().first() == Some(&text.as_bytes()[brace]) {
        return Some((&text[..=brace], None, &inside[1..])); // a doubled brace: keep one
    }
    if text.as_bytes()[brace] == b'}' {
        return None;
    }
    let (mut end, mut in_index) = (None, false);
    for (place, letter) in inside.char_indices() {
        match letter {
            ']' => in_index = false,
            _ if in_index => {}
            '[' => in_index = true,
            '{' => return None,
            '}' | ':' | '!' => {
                end = Some((place, letter));
                break;
            }
            _ => {}
        }
    }
    let (place, ended_by) = end?;
    let (name, mut rest) = (&inside[..place], &inside[place + 1..]);
    let mut conversion = None;
    if ended_by == '}' {
        return Some((&text[..brace], Some(Placeholder { name, conversion, form: "" }), rest));
    }
    if ended_by == '!' {
        let mut letters = rest.chars();
        conversion = letters.next();
        let then = letters.next()?;
        rest = letters.as_str();
        match then {
            '}' => return Some((&text[..brace], Some(Placeholder { name, conversion, form: "" }), rest)),
            ':' => {}
            _ => return None,
        }
    }
    let mut depth = 1;
    let closing = rest.bytes().position(|byte| {
        depth += i32::from(byte == b'{') - i32::from(byte == b'}');
        depth == 0
    })?;
    let form = &rest[..closing];
    Some((&text[..brace], Some(Placeholder { name, conversion, form }), &rest[closing + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Ascii;

    impl Language for Ascii {
        fn is_name(&self, text: &str) -> bool {
            !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
        }

        fn quoted(&self, text: &str) -> String {
            format!("'{text}'")
        }
    }

    fn read(message: &str, key: Option<&str>) -> Result<Named> {
        let mut templates = Templates::default();
        let mut read = |name, text: &str| {
            let mut template = Template(Vec::new());
            templates.read(name, text, &Ascii, &mut template).map(|()| template)
        };
        let message = read("message", message)?;
        let key = key.map(|key| read("key", key)).transpose()?;
        Ok(templates.hash(Algorithm::Sha256, message, key, false))
    }

    #[test]
    fn fields_are_numbered_by_name_seeds_first() {
        let named =
            read("{{{nonce:06}}}:{client_seed:bytes}", Some("{server_seed}{cursor:u32le}{nonce}")).unwrap();
        assert_eq!(named.names, ["server_seed", "client_seed", "nonce"]);
        assert_eq!(named.hex(), ["client_seed"]);
        let literal = |text: &str| Piece::Literal(text.as_bytes().to_vec());
        let number = Piece::Number(2, Width::Digits(6));
        assert_eq!(named.hash.message.0, [literal("{"), number, literal("}"), literal(":"), Piece::Bytes(1)]);
        let cursor = Piece::CursorOf(Width::Bytes { size: 4, little: true });
        assert_eq!(named.hash.key.as_ref().unwrap().0, [Piece::Field(0), cursor, Piece::Field(2)]);
        let moved = named.among(&["nonce", "x", "client_seed", "server_seed"].map(str::to_owned)).unwrap();
        assert_eq!(moved.message.0[1], Piece::Number(0, Width::Digits(6)));
        assert_eq!(named.among(&["nonce".to_owned()]), None);
    }

    #[test]
    fn hashes_within_others_share_their_fields() {
        let (inner, mut templates) =
            (Named { raw: true, ..read("{b}{a}", None).unwrap() }, Templates::default());
        let mut message = Template(Vec::new());
        templates.read("message", "{a}", &Ascii, &mut message).unwrap();
        templates.include(&inner, &mut message);
        let outer = templates.hash(Algorithm::Md5, message, None, false);
        assert_eq!(outer.names, ["a", "b"]);
        let [Piece::Field(0), Piece::Hash(within, true)] = &outer.hash.message.0[..] else {
            panic!("{outer:?}")
        };
        assert_eq!(within.message.0, [Piece::Field(1), Piece::Field(0)]);
    }

    #[test]
    fn wrong_templates_are_refused() {
        for (text, problem) in [
            ("{", "must have a field in each pair of braces, got '{': "),
            ("a}", "must have a field in each pair"),
            ("{a!}", "must have a field in each pair"),
            ("{a[}", "must have a field in each pair"),
            ("{a:{b}", "must have a field in each pair"),
            ("{a!r}", "must have fields as {name}, {name:bytes}, "),
            ("{a:u128le}", "must have fields as"),
            ("{a:00}", "must have fields as"),
            ("{}", "must have fields as"),
            ("{label:08}", "must have {label} without a form, got {label:08}: it is text"),
            ("{cursor:bytes}", "must have {cursor} without a form"),
        ] {
            let error = read(text, None).unwrap_err();
            assert!(error.problem().starts_with(problem), "{text}: {error}");
        }
    }
}
