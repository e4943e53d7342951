//! Files whose entire content Godot compresses or encrypts: `FileAccess.open_compressed`,
//! `open_encrypted` and `open_encrypted_with_pass` (`File` in Godot 3), and
//! `ConfigFile.save_encrypted`.
//!
//! The content can be anything, often values in [frames](crate::godot::frame). All numbers are
//! little-endian.
//!
//! A compressed file, in Godot 3 and 4:
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 4 | `GCPF` |
//! | 4 | 4 | compression, as in [`Compression::from_mode`](crate::compression::Compression::from_mode) |
//! | 8 | 4 | block size b; engines write 4096 |
//! | 12 | 4 | length l of the content |
//! | 16 | 4 n | compressed size of each block; n is ⌊l / b⌋ + 1 |
//! | … | | the blocks, each compressed separately; the last one contains l mod b bytes |
//! | end | 4 | `GCPF`; engines do not check it |
//!
//! An encrypted file:
//!
//! | Godot 4 offset | Godot 3 offset | size | field |
//! |---|---|---|---|
//! | 0 | 0 | 4 | `GDEC` |
//! | | 4 | 4 | mode, always 1 |
//! | 4 | 8 | 16 | MD5 of the content |
//! | 20 | 24 | 8 | length of the content |
//! | 28 | | 16 | initialization vector |
//! | 44 | 32 | | the content, padded with zeros to a multiple of 16 bytes, and encrypted with AES-256 |
//!
//! Godot 4 encrypts in cipher feedback mode (CFB128). Godot 3 encrypts each block of 16 bytes on
//! its own (ECB).
//!
//! ```
//! use gamewire::compression::Compression;
//! use gamewire::godot::file::{Compressed, Container, Encrypted, Encryption, Key, compress, encrypt};
//!
//! let save = compress(b"content", Compression::Zstd)?;
//! assert_eq!(Container::recognise(&save), Some(Container::Compressed));
//! assert_eq!(Compressed::open(&save)?.decompress(1 << 20)?, b"content");
//!
//! let key = Key::from_password("hunter2");
//! let save = encrypt(b"content", &key, Encryption::Godot4 { iv: [7; 16] });
//! assert_eq!(Container::recognise(&save), Some(Container::Encrypted));
//! assert_eq!(Encrypted::open(&save)?.decrypt(&key)?, b"content");
//! # Ok::<(), gamewire::godot::file::Error>(())
//! ```

mod compressed;
mod encrypted;
mod error;
mod key;
mod reader;

pub use compressed::{BLOCK_SIZE, Block, Blocks, Compressed, MAX_BLOCK_SIZE, compress};
pub use encrypted::{Encrypted, Encryption, encrypt};
pub use error::{Error, ErrorKind};
pub use key::Key;
pub use reader::BlockReader;

pub(crate) use error::Result;

/// The kinds of files in this module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Container {
    /// A compressed file, which [`Compressed`] reads.
    Compressed,
    /// An encrypted file, which [`Encrypted`] reads.
    Encrypted,
}

impl Container {
    /// Recognises a container by its first four bytes.
    pub fn recognise(file: &[u8]) -> Option<Self> {
        match file.first_chunk()? {
            compressed::SIGNATURE => Some(Self::Compressed),
            encrypted::SIGNATURE => Some(Self::Encrypted),
            _ => None,
        }
    }
}
