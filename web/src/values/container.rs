//! Compressed and encrypted files of Godot, and containers of Rem's Engine.

use crate::file::open::{Opened, Wrapped, Wrapper};
use crate::file::place::Fault;
use gamewire::compression::Compression;
use gamewire::godot::file::{self, Compressed, Encrypted, Encryption, Key, compress, encrypt};
use gamewire::rems;

/// What is around the content of a file.
enum Container {
    Compressed(Compression),
    Encrypted { key: Key, encryption: Encryption },
    Rems,
}

impl Wrapper for Container {
    fn name(&self) -> &'static str {
        match self {
            Self::Compressed(_) => " in a compressed file of Godot",
            Self::Encrypted { .. } => " in an encrypted file of Godot",
            Self::Rems => " in a container",
        }
    }

    fn wrap(&self, content: &[u8], iv: [u8; 16]) -> Result<Vec<u8>, String> {
        match self {
            Self::Compressed(compression) => {
                compress(content, *compression).map_err(|error| error.to_string())
            }
            Self::Encrypted { key, encryption } => {
                let encryption = match encryption {
                    Encryption::Godot3 => Encryption::Godot3,
                    Encryption::Godot4 { .. } => Encryption::Godot4 { iv },
                };
                Ok(encrypt(content, key, encryption))
            }
            Self::Rems => Ok(rems::compress(content, 6)),
        }
    }
}

/// Maximum size of decompressed content, in bytes.
const LIMIT: usize = 1 << 30;

/// The content of a file, and what is around it.
pub type Content = (Vec<u8>, Option<Wrapped>);

fn wrapped(file: Vec<u8>, wrapper: Container) -> Option<Wrapped> {
    Some(Wrapped { file, wrapper: Box::new(wrapper) })
}

pub fn decompress(file: Vec<u8>) -> Result<Content, Fault> {
    let opened = Compressed::open(&file).map_err(fault)?;
    let content = opened.decompress(LIMIT).map_err(fault)?;
    let compression = opened.compression();
    Ok((content, wrapped(file, Container::Compressed(compression))))
}

/// Decrypts a file. Returns the file if there is no password.
pub fn decrypt(file: Vec<u8>, password: Option<&str>) -> Result<Result<Content, Opened>, Fault> {
    let opened = Encrypted::open(&file).map_err(fault)?;
    let Some(password) = password else { return Ok(Err(Opened::NeedsPassword(file))) };
    let key = key(password);
    let content = opened.decrypt(&key).map_err(fault)?;
    let encryption = opened.encryption();
    Ok(Ok((content, wrapped(file, Container::Encrypted { key, encryption }))))
}

pub fn decompress_rems(file: Vec<u8>) -> Result<Content, Fault> {
    let content = rems::decompress(&file, LIMIT).map_err(|error| Fault {
        text: error.kind().to_string(),
        offset: error.offset() as usize,
    })?;
    Ok((content, wrapped(file, Container::Rems)))
}

/// Returns the key of a password. A password of 64 hexadecimal digits is the key itself.
fn key(password: &str) -> Key {
    let digits = |at: usize| password.get(2 * at..2 * at + 2);
    let byte = |at| digits(at).and_then(|digits| u8::from_str_radix(digits, 16).ok());
    let bytes: Option<Vec<u8>> = (0..32).map(byte).collect();
    match bytes.and_then(|bytes| bytes.try_into().ok()).filter(|_| password.len() == 64) {
        Some(bytes) => Key::from_bytes(bytes),
        None => Key::from_password(password),
    }
}

fn fault(error: file::Error) -> Fault {
    Fault { text: error.kind().to_string(), offset: error.offset() as usize }
}
