use super::{Error, ErrorKind, Key, Result};
use crate::buffer::Cursor;
use aes::Aes256;
use aes::cipher::{
    Array, Block, BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt,
    KeyInit, KeyIvInit,
};
use alloc::vec::Vec;
use md5::{Digest, Md5};
use zerocopy::byteorder::little_endian::{U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

pub(super) const SIGNATURE: &[u8; 4] = b"GDEC";

const AES_BLOCK: u64 = 16;

/// The kinds of encryption that engines use for files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encryption {
    /// AES-256 applied to each block of 16 bytes separately, as in Godot 3.
    Godot3,
    /// AES-256 in cipher feedback mode, as in Godot 4.
    Godot4 {
        /// The initialization vector. The engine uses new random bytes each time it writes a file.
        /// Two files with the same key and vector reveal whether they begin with the same bytes.
        iv: [u8; 16],
    },
}

impl Encryption {
    /// Returns the encryption of Godot 4 with a random initialization vector.
    ///
    /// # Errors
    /// Returns an error if the system provides no random bytes.
    #[cfg(feature = "getrandom")]
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut iv = [0; 16];
        getrandom::fill(&mut iv)?;
        Ok(Self::Godot4 { iv })
    }
}

/// The fields that both headers have.
#[derive(FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned, Clone, Copy, Debug)]
#[repr(C)]
struct Content {
    md5: [u8; 16],
    len: U64,
}

/// Header of Godot 3, after the signature.
#[derive(FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
struct Godot3 {
    mode: U32,
    content: Content,
}

/// Header of Godot 4, after the signature.
#[derive(FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
struct Godot4 {
    content: Content,
    iv: [u8; 16],
}

/// The only mode that Godot 3 uses in files.
const MODE: u32 = 1;

/// A view of an encrypted file (`GDEC`) whose header has been read.
///
/// See [the module](super) for the bytes.
#[derive(Clone, Copy, Debug)]
pub struct Encrypted<'a> {
    encryption: Encryption,
    content: Content,
    /// The encrypted content, with its padding.
    bytes: &'a [u8],
    offset: u64,
}

impl<'a> Encrypted<'a> {
    /// Reads the header of an encrypted file.
    ///
    /// The header does not state which engine wrote the file. This function first reads the header
    /// in the layout of Godot 4, and then in that of Godot 3. It never mistakes a file of Godot 3
    /// for a file of Godot 4: in the layout of Godot 4, the length of the content would exceed the
    /// size of the file.
    ///
    /// # Errors
    /// Returns an error if the file does not begin with `GDEC`, or ends before the encrypted
    /// content.
    pub fn open(file: &'a [u8]) -> Result<Self> {
        if !file.starts_with(SIGNATURE) {
            return Err(Error::new(ErrorKind::NoSignature("GDEC"), 0));
        }
        let incomplete = Error::new(ErrorKind::Incomplete, file.len() as u64);
        godot4(file).or_else(|| godot3(file)).ok_or(incomplete)
    }

    /// Returns how the file is encrypted.
    pub fn encryption(&self) -> Encryption {
        self.encryption
    }

    /// Returns the length of the content in bytes.
    #[expect(clippy::len_without_is_empty, reason = "the length is that of the content")]
    pub fn len(&self) -> usize {
        // The content is not longer than the encrypted bytes, which are in memory.
        usize::try_from(self.content.len.get()).unwrap_or(usize::MAX)
    }

    /// Decrypts the content. The returned vector takes at most as much memory as the file.
    ///
    /// # Errors
    /// Returns [`ErrorKind::WrongKey`] if the decrypted content does not have the MD5 in the
    /// header. Either the key is wrong or the file is damaged.
    pub fn decrypt(&self, key: &Key) -> Result<Vec<u8>> {
        let mut content = self.bytes.to_vec();
        self.decrypt_copy(key, &mut content)?;
        content.truncate(self.len());
        Ok(content)
    }

    /// Decrypts the content into `to`, and returns the part of `to` that contains it. `to` needs
    /// room for the padding, too: [`len`](Self::len), rounded up to a multiple of 16.
    ///
    /// # Errors
    /// Returns the errors of [`decrypt`](Self::decrypt), and an error if `to` is too small.
    pub fn decrypt_into<'b>(&self, key: &Key, to: &'b mut [u8]) -> Result<&'b [u8]> {
        let (len, limit) = (self.bytes.len() as u64, to.len() as u64);
        let too_large = Error::new(ErrorKind::TooLarge { len, limit }, self.offset);
        let to = to.get_mut(..self.bytes.len()).ok_or(too_large)?;
        #[expect(clippy::disallowed_methods, reason = "the lengths are equal")]
        to.copy_from_slice(self.bytes);
        self.decrypt_copy(key, to)?;
        Ok(to.get(..self.len()).unwrap_or_default())
    }

    /// Decrypts a copy of the encrypted bytes in place, and checks the MD5.
    fn decrypt_copy(&self, key: &Key, copy: &mut [u8]) -> Result<()> {
        self.decryptor(key).cipher.apply(copy);
        self.check(&Md5::digest(copy.get(..self.len()).unwrap_or_default()).into())
    }

    pub(super) fn check(&self, md5: &[u8; 16]) -> Result<()> {
        match *md5 == self.content.md5 {
            true => Ok(()),
            false => Err(Error::new(ErrorKind::WrongKey, self.offset)),
        }
    }

    pub(super) fn decryptor(&self, key: &Key) -> Decryptor<'a> {
        let key = key.as_bytes().into();
        let cipher = match &self.encryption {
            Encryption::Godot3 => Cipher::Ecb(Aes256::new(key)),
            Encryption::Godot4 { iv } => Cipher::Cfb(cfb_mode::Decryptor::new(key, iv.into())),
        };
        Decryptor { cipher, rest: self.bytes, len: self.len() }
    }
}

fn godot4(file: &[u8]) -> Option<Encrypted<'_>> {
    let mut cursor = Cursor::new(file);
    cursor.skip(SIGNATURE.len());
    let Godot4 { content, iv } = cursor.read().ok()?;
    encrypted(Encryption::Godot4 { iv: *iv }, content, cursor)
}

fn godot3(file: &[u8]) -> Option<Encrypted<'_>> {
    let mut cursor = Cursor::new(file);
    cursor.skip(SIGNATURE.len());
    let Godot3 { mode, content } = cursor.read().ok()?;
    encrypted(Encryption::Godot3, content, cursor).filter(|_| mode.get() == MODE)
}

/// Returns the encrypted content, or `None` if it is shorter than the header announces.
fn encrypted<'a>(
    encryption: Encryption,
    content: &Content,
    mut cursor: Cursor<'a>,
) -> Option<Encrypted<'a>> {
    let offset = cursor.pos() as u64;
    let bytes = cursor.take(content.len.get().checked_next_multiple_of(AES_BLOCK)?)?;
    Some(Encrypted { encryption, content: *content, bytes, offset })
}

enum Cipher {
    Ecb(Aes256),
    Cfb(cfb_mode::Decryptor<Aes256>),
}

impl Cipher {
    /// Decrypts whole blocks of 16 bytes.
    fn apply(&mut self, bytes: &mut [u8]) {
        let (blocks, _) = Array::slice_as_chunks_mut(bytes);
        match self {
            Self::Ecb(aes) => aes.decrypt_blocks(blocks),
            Self::Cfb(cfb) => cfb.decrypt_blocks(blocks),
        }
    }
}

/// Decrypts the content of a file piece by piece.
pub(super) struct Decryptor<'a> {
    cipher: Cipher,
    rest: &'a [u8],
    /// Length of the content in `rest`, without its padding.
    len: usize,
}

impl Decryptor<'_> {
    /// Decrypts the next bytes into `block`. At the end of the content, leaves `block` empty.
    pub fn next_block(&mut self, block: &mut Vec<u8>, size: usize) {
        let (bytes, rest) = self.rest.split_at_checked(size).unwrap_or((self.rest, &[]));
        block.clear();
        block.extend_from_slice(bytes);
        self.cipher.apply(block);
        block.truncate(self.len);
        self.len = self.len.saturating_sub(block.len());
        self.rest = rest;
    }
}

/// Encrypts `content` and returns a file in the form that `open_encrypted` writes.
pub fn encrypt(content: &[u8], key: &Key, encryption: Encryption) -> Vec<u8> {
    let head = Content { md5: Md5::digest(content).into(), len: (content.len() as u64).into() };
    let mut file = SIGNATURE.to_vec();
    match encryption {
        Encryption::Godot3 => {
            file.extend_from_slice(Godot3 { mode: MODE.into(), content: head }.as_bytes());
        }
        Encryption::Godot4 { iv } => {
            file.extend_from_slice(Godot4 { content: head, iv }.as_bytes());
        }
    }
    let start = file.len();
    file.extend_from_slice(content);
    let padded = content.len().next_multiple_of(AES_BLOCK as usize);
    file.resize(start.saturating_add(padded), 0);
    let (blocks, _) = Array::slice_as_chunks_mut(file.get_mut(start..).unwrap_or_default());
    encrypt_blocks(blocks, key, encryption);
    file
}

fn encrypt_blocks(blocks: &mut [Block<Aes256>], key: &Key, encryption: Encryption) {
    let key = key.as_bytes().into();
    match &encryption {
        Encryption::Godot3 => Aes256::new(key).encrypt_blocks(blocks),
        Encryption::Godot4 { iv } => {
            cfb_mode::Encryptor::<Aes256>::new(key, iv.into()).encrypt_blocks(blocks);
        }
    }
}
