//! Loads the content of an input: decodes base64, and opens compressed and encrypted files of Godot.

use crate::args::{KeyArgs, Source};
use crate::godot::extent::are_values;
use crate::recognise::{Sample, hint_for_encoding, is_hexadecimal};
use crate::ui::budget::{self, Reserved};
use crate::ui::encoding::Encoding;
use crate::ui::input::{Input, Stop};
use crate::unreal::archives;
use gamewire::compression::Compression;
use gamewire::godot::file::{
    Compressed, Container, Encrypted, Encryption, Error, ErrorKind, Key, compress, encrypt,
};
use std::io::Read;

/// Maximum size of the content of a compressed file: 1 GiB.
const LIMIT: usize = 1 << 30;

/// The content of an input.
pub struct Content {
    pub bytes: Vec<u8>,
    /// Size of the file in bytes, before decompression or decryption. If the input is base64, this
    /// is the number of decoded bytes.
    pub size: usize,
    /// The form in which the input stored the content.
    pub form: Form,
    /// Keeps memory for the decompressed content reserved until this value is dropped.
    _reserved: Option<Reserved>,
}

/// How an input holds its content: encoded in base64, in a compressed or encrypted file, or both.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    base64: bool,
    container: Option<PackedForm>,
}

/// The form of a compressed or encrypted file.
#[derive(Clone, Copy, Debug)]
pub enum PackedForm {
    Compressed(Compression),
    EncryptedGodot3(Key),
    EncryptedGodot4(Key),
}

/// Reads an input. Decodes it if the command line says that it is base64, and opens it if it is a
/// compressed or encrypted file.
pub fn load(input: Input<'_>, source: Source) -> Result<Content, Stop> {
    let mut bytes = match source.is_format_given() {
        true => input.load()?,
        false => archives::load(input)?,
    };
    if source.base64 {
        bytes = decode_base64(input, &bytes, source)?;
    }
    let mut content = open(bytes, source.key).map_err(Stop::Input)?;
    content.form.base64 = source.base64;
    Ok(content)
}

/// Decodes base64. For other text, returns an error, with a hint if possible. Also refuses text
/// that consists of hexadecimal digits, unless it decodes to Godot values: such text is valid
/// base64, but was probably not meant as base64.
fn decode_base64(input: Input<'_>, text: &[u8], source: Source) -> Result<Vec<u8>, Stop> {
    let sample = Sample::whole(input.path(), text);
    let hint = || hint_for_encoding(&sample, Encoding::Base64);
    match Encoding::Base64.decode(text) {
        Ok(bytes) if is_hexadecimal(&sample) && !are_values(&bytes, source.format().dialect) => {
            Err(Stop::input(hint().unwrap_or_default()))
        }
        Ok(bytes) => Ok(bytes),
        Err(error) => Err(match hint() {
            Some(hint) => Stop::input(format_args!("{error}; {hint}")),
            None => Stop::input(error),
        }),
    }
}

/// Returns `true` if the input is a regular file that can be read and begins with the signature of
/// a compressed or encrypted file.
pub fn is_container(input: Input<'_>) -> bool {
    let mut signature = [0; 4];
    let open = || input.size().and_then(|_| input.open_stream().ok());
    let read = open().and_then(|mut file| file.read_exact(&mut signature).ok());
    read.is_some() && Container::recognise(&signature).is_some()
}

/// Returns the content of a file: decompressed or decrypted if the file is compressed or encrypted,
/// and unchanged otherwise. Returns an error message if the file cannot be opened.
pub fn open(file: Vec<u8>, key: KeyArgs) -> Result<Content, String> {
    let size = file.len();
    let (bytes, container, reserved) = match Container::recognise(&file) {
        None => (file, None, None),
        Some(Container::Compressed) => {
            let compressed = Compressed::open(&file).map_err(describe)?;
            let reserved = budget::UNPACKED.reserve(compressed.len().into());
            let bytes = compressed.decompress(LIMIT).map_err(describe)?;
            (bytes, Some(PackedForm::Compressed(compressed.compression())), Some(reserved))
        }
        Some(Container::Encrypted) => {
            let key = key.get().ok_or(
                "this file is encrypted: give its password with --password-file, --password or \
                 GAMEWIRE_PASSWORD, or its key with --key",
            )?;
            let encrypted = Encrypted::open(&file).map_err(describe)?;
            let bytes = encrypted.decrypt(&key).map_err(describe)?;
            let form = match encrypted.encryption() {
                Encryption::Godot3 => PackedForm::EncryptedGodot3(key),
                Encryption::Godot4 { .. } => PackedForm::EncryptedGodot4(key),
            };
            (bytes, Some(form), None)
        }
    };
    Ok(Content { bytes, size, form: Form { base64: false, container }, _reserved: reserved })
}

fn describe(error: Error) -> String {
    match error.kind() {
        ErrorKind::WrongKey => error.kind().to_string(),
        _ => format!("the compressed or encrypted file is damaged: {error}"),
    }
}

impl Form {
    /// Returns the form of the compressed or encrypted file that held the content, if there was
    /// one.
    pub fn container(self) -> Option<PackedForm> {
        self.container
    }

    /// Stores changed content in this form again, and returns the file.
    pub fn restore(self, content: Vec<u8>) -> Result<Vec<u8>, String> {
        let file = match self.container {
            None => content,
            Some(form) => form.pack(&content)?,
        };
        Ok(match self.base64 {
            true => data_encoding::BASE64.encode(&file).into_bytes(),
            false => file,
        })
    }
}

impl PackedForm {
    /// Compresses or encrypts `content`, and returns the resulting file. An encrypted file of Godot
    /// 4 gets a new initialization vector, as in the engine.
    pub fn pack(self, content: &[u8]) -> Result<Vec<u8>, String> {
        match self {
            Self::Compressed(compression) => {
                compress(content, compression).map_err(|error| error.to_string())
            }
            Self::EncryptedGodot3(key) => Ok(encrypt(content, &key, Encryption::Godot3)),
            Self::EncryptedGodot4(key) => {
                let encryption = Encryption::random().map_err(|error| error.to_string())?;
                Ok(encrypt(content, &key, encryption))
            }
        }
    }
}
