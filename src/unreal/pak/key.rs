//! Keys of encrypted archives, and the checksum.

use aes::Aes256;
use aes::cipher::{Array, Block, BlockCipherDecrypt, KeyInit};
use core::fmt;

/// The key of an archive: 32 bytes, for AES-256.
///
/// Each block of 16 bytes is encrypted by itself (ECB).
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Key([u8; 32]);

impl Key {
    /// Creates a key from its bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Decrypts bytes. If the length is not a multiple of 16, the bytes after the last whole block
    /// are not changed.
    pub fn decrypt(&self, bytes: &mut [u8]) {
        let cipher = Aes256::new(&Array(self.0));
        for block in bytes.as_chunks_mut::<16>().0 {
            let mut decrypted = Block::<Aes256>::from(*block);
            cipher.decrypt_block(&mut decrypted);
            *block = decrypted.into();
        }
    }
}

/// Does not print the key.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

/// Returns the SHA-1 of bytes.
#[cfg(feature = "std")]
pub(super) fn sha1(bytes: &[u8]) -> [u8; 20] {
    use sha1::{Digest, Sha1};
    Sha1::digest(bytes).into()
}
