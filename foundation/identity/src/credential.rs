use std::fmt;

use aws_lc_rs::{digest, rand};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use operation::Failure;

const ACCESS_TOKEN: &str = "alm_";
const RANDOM_BYTES: usize = 32;

/// A secret that stands for a person. It has no `Display`, no `Serialize` and no telling `Debug`; storage keeps its
/// hash only.
#[derive(Clone, PartialEq, Eq)]
pub struct Credential(String);

impl Credential {
    /// A new personal access token: `alm_` and 32 bytes from the system's random source, also under a stepping clock
    /// or seeded ids. `Internal` when the system has no randomness.
    pub fn new_access_token() -> Result<Self, Failure> {
        let mut bytes = [0_u8; RANDOM_BYTES];
        rand::fill(&mut bytes).map_err(|_| Failure::internal("no randomness from the system"))?;
        Ok(Self(format!("{ACCESS_TOKEN}{}", URL_SAFE_NO_PAD.encode(bytes))))
    }

    /// A credential as somebody sent it.
    pub fn received(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// Whether it has the form of a personal access token.
    pub fn is_access_token(&self) -> bool {
        self.0.strip_prefix(ACCESS_TOKEN).is_some_and(|random| random.len() == 43)
    }

    /// SHA-256 of the whole string.
    pub fn hash(&self) -> Vec<u8> {
        digest::digest(&digest::SHA256, self.0.as_bytes()).as_ref().to_vec()
    }

    /// The secret itself, for the one answer that shows it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credential(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_token_is_its_prefix_and_43_characters_and_never_the_same() {
        let (one, other) = (Credential::new_access_token().unwrap(), Credential::new_access_token().unwrap());
        assert_eq!(one.reveal().len(), 47);
        assert!(one.is_access_token());
        assert!(one.reveal()[4..].chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_'));
        assert_ne!(one, other);
    }

    #[test]
    fn the_whole_string_is_hashed() {
        let hash = Credential::received("alm_abc").hash();
        assert_eq!(hash.len(), 32);
        assert_eq!(hash[..4], [0x69, 0x9f, 0x8f, 0xa2]);
        assert_ne!(hash, Credential::received("abc").hash());
    }

    #[test]
    fn debug_tells_nothing() {
        assert_eq!(format!("{:?}", Credential::received("alm_secret")), "Credential(…)");
    }

    #[test]
    fn another_form_is_no_access_token() {
        for text in ["", "alm_", "almat_0000000000000000000000000000000000000000000", "alm_short"] {
            assert!(!Credential::received(text).is_access_token(), "{text}");
        }
    }
}
