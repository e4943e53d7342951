use crate::buffer::hex_digits;
use core::fmt;
use md5::{Digest, Md5};

/// The key of an encrypted file: 32 bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Key([u8; 32]);

impl Key {
    /// Creates a key from the bytes that a game passes to `open_encrypted`.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Creates the key that `open_encrypted_with_pass` derives from a password. The key is the MD5
    /// of the password's UTF-8 bytes, written as 32 hexadecimal digits in ASCII.
    pub fn from_password(password: &str) -> Self {
        Self(hex_digits(Md5::digest(password).into()))
    }

    pub(super) const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// Does not print the key.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}
