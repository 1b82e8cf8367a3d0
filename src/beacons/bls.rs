//! BLS signatures over BLS12-381, through `blst`, with either short signatures or short public keys.

use blst::{BLST_ERROR, min_pk, min_sig};

use crate::error::{Error, Result};

/// The sizes of a compressed point of G1 and of G2, in bytes.
const SHORT: usize = 48;
const LONG: usize = 96;

/// The outcome of verifying a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignatureVerdict {
    /// The signature isn't the message's.
    Wrong,
    /// The signature is valid.
    Right,
    /// Neither raw bytes nor hex text of the right length.
    Malformed,
}

/// A public key, with the domain separation tag of its signatures (DST, RFC 9380, section 3.1).
pub struct PublicKey {
    point: Point,
    tag: Vec<u8>,
}

enum Point {
    /// A key in G2; its signatures are in G1.
    Long(min_sig::PublicKey),
    /// A key in G1; its signatures are in G2.
    Short(min_pk::PublicKey),
}

impl PublicKey {
    /// Reads a compressed point of G1 or G2, told apart by length. The identity and points outside the
    /// subgroup are refused.
    pub fn new(bytes: &[u8], tag: &[u8]) -> Result<Self> {
        let wrong = |_| Error::value("public_key", "must be a point of the prime-order group of BLS12-381");
        let point = match bytes.len() {
            LONG => Point::Long(min_sig::PublicKey::key_validate(bytes).map_err(wrong)?),
            SHORT => Point::Short(min_pk::PublicKey::key_validate(bytes).map_err(wrong)?),
            other => {
                return Err(Error::value(
                    "public_key",
                    format_args!("must be {SHORT} or {LONG} bytes, got {other}"),
                ));
            }
        };
        Ok(Self { point, tag: tag.to_vec() })
    }

    /// The size of a signature in bytes.
    pub fn signature_size(&self) -> usize {
        match self.point {
            Point::Long(_) => SHORT,
            Point::Short(_) => LONG,
        }
    }

    /// A signature's bytes, from raw bytes or hex text; `None` for anything else.
    pub fn signature(&self, text: &[u8]) -> Option<Vec<u8>> {
        let size = self.signature_size();
        match text.len() {
            bytes if bytes == size => Some(text.to_vec()),
            digits if digits == 2 * size => hex::decode(text).ok(),
            _ => None,
        }
    }

    /// Whether `signature` is valid for `message`. The identity and points outside the subgroup never are.
    pub fn verify(&self, message: &[u8], signature: &[u8]) -> bool {
        let found = match &self.point {
            Point::Long(key) => min_sig::Signature::sig_validate(signature, true)
                .map(|signature| signature.verify(false, message, &self.tag, &[], key, false)),
            Point::Short(key) => min_pk::Signature::sig_validate(signature, true)
                .map(|signature| signature.verify(false, message, &self.tag, &[], key, false)),
        };
        signature.len() == self.signature_size() && found == Ok(BLST_ERROR::BLST_SUCCESS)
    }
}

/// Signs a message in G2 with a secret key that has been published.
pub fn sign(secret: &[u8], message: &[u8], tag: &[u8]) -> Result<[u8; LONG]> {
    let wrong = |_| Error::value("secret_key", "must be 32 bytes: a number from 1 to below the group order");
    let secret = min_pk::SecretKey::from_bytes(secret).map_err(wrong)?;
    Ok(secret.sign(message, tag, &[]).to_bytes())
}

#[cfg(test)]
mod tests {
    use super::super::{Signed, verify};
    use super::*;
    use crate::parallel::no_tick;
    use crate::strings::Texts;

    const TAG: &[u8] = b"a tag";

    #[test]
    fn signatures_of_both_groups() {
        let secret = min_sig::SecretKey::key_gen(&[7; 32], &[]).unwrap();
        let signature = secret.sign(b"message", TAG, &[]).to_bytes();
        let key = PublicKey::new(&secret.sk_to_pk().to_bytes(), TAG).unwrap();
        check(&key, &signature);
        let secret = min_pk::SecretKey::key_gen(&[7; 32], &[]).unwrap();
        let signature = secret.sign(b"message", TAG, &[]).to_bytes();
        let key = PublicKey::new(&secret.sk_to_pk().to_bytes(), TAG).unwrap();
        check(&key, &signature);
    }

    #[test]
    fn what_is_signed_is_verified() {
        let key = min_pk::SecretKey::key_gen(&[9; 32], &[]).unwrap();
        let (public, secret) = (key.sk_to_pk().to_bytes(), key.to_bytes());
        check(&PublicKey::new(&public, TAG).unwrap(), &sign(&secret, b"message", TAG).unwrap());
        assert!(sign(&[0; 32], b"message", TAG).is_err());
        assert!(sign(&secret[1..], b"message", TAG).is_err());
        assert!(sign(&[0xff; 32], b"message", TAG).is_err());
    }

    fn check(key: &PublicKey, signature: &[u8]) {
        let size = signature.len();
        assert_eq!(size, key.signature_size());
        assert!(key.verify(b"message", signature));
        assert!(!key.verify(b"massage", signature));
        let mut identity = vec![0; size];
        identity[0] = 0xc0;
        let mut negative = signature.to_vec();
        negative[0] ^= 0x20;
        for wrong in [&identity, &vec![0; size], &vec![0xff; size], &negative] {
            assert!(!key.verify(b"message", wrong));
        }
        assert!(!key.verify(b"message", &signature[1..]));

        let text = hex::encode(signature);
        let (negative, short) = (hex::encode(negative), &text[2..]);
        let rows = [&text, &negative, short, &text, &text.replacen(&text[..1], "g", 1)];
        let (mut bytes, mut ends) = (Vec::new(), vec![0]);
        for row in rows {
            bytes.extend_from_slice(row.as_bytes());
            ends.push(bytes.len());
        }
        let signatures = Texts::Packed { bytes: &bytes, ends: &ends };
        for threads in [1, 3] {
            let mut out = [9; 5];
            let messages = Signed::Texts(Texts::One(b"message"));
            verify(key, &messages, &signatures, &mut out, Some(threads), &mut no_tick).unwrap();
            assert_eq!(out, [1, 0, 2, 1, 2]);
        }
    }

    #[test]
    fn keys_are_points_of_the_group() {
        let mut identity = [0; LONG];
        identity[0] = 0xc0;
        assert!(PublicKey::new(&identity, TAG).is_err());
        assert!(PublicKey::new(&[0xff; SHORT], TAG).is_err());
        assert!(PublicKey::new(&[0; 7], TAG).is_err());
    }
}
