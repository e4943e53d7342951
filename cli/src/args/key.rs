//! Options for the key of encrypted files.

use clap::Args;
use data_encoding::{BASE64, HEXLOWER_PERMISSIVE};
use gamewire::godot::file::Key;
use gamewire::unreal::pak::Key as PakKey;
use std::convert::Infallible;
use std::{fmt, fs};

const HEADING: &str = "Encrypted files";

/// The key of an encrypted file.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct KeyArgs {
    /// Password of an encrypted file
    ///
    /// Other users of this machine can see it on the command line. They cannot if it is in a file
    /// or in the environment variable GAMEWIRE_PASSWORD.
    #[arg(long, value_name = "TEXT", value_parser = password, help_heading = HEADING)]
    #[arg(conflicts_with_all = ["password_file", "key"])]
    password: Option<Key>,

    /// File that contains the password of an encrypted file, with or without a line end
    #[arg(long, value_name = "FILE", value_parser = password_in_file, help_heading = HEADING)]
    #[arg(conflicts_with = "key")]
    password_file: Option<Key>,

    /// Key of an encrypted file or archive: 64 hexadecimal digits, or base64
    #[arg(long, value_name = "KEY", value_parser = RawKey::parse, help_heading = HEADING)]
    key: Option<RawKey>,
}

/// The key of an encrypted archive, for commands that read no other encrypted files.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct PakKeyArgs {
    /// Key of an encrypted pak or container: 64 hexadecimal digits, or base64
    #[arg(long, value_name = "KEY", value_parser = RawKey::parse)]
    key: Option<RawKey>,
}

impl PakKeyArgs {
    /// Returns the key of an archive, if the command line contains one.
    pub fn pak(self) -> Option<PakKey> {
        self.key.map(|RawKey(key)| PakKey::from_bytes(key))
    }
}

/// The bytes of a key.
#[derive(Clone, Copy)]
struct RawKey([u8; 32]);

/// Does not print the key.
impl fmt::Debug for RawKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RawKey(..)")
    }
}

impl RawKey {
    /// Parses hexadecimal digits, with or without `0x` before them, or base64.
    fn parse(text: &str) -> Result<Self, &'static str> {
        let digits = text.strip_prefix("0x").unwrap_or(text);
        let encoding = match digits.len() {
            64 => HEXLOWER_PERMISSIVE,
            _ => BASE64,
        };
        let bytes = encoding.decode(digits.as_bytes()).ok();
        let key = bytes.and_then(|bytes| bytes.try_into().ok());
        key.map(Self).ok_or("expected 64 hexadecimal digits, or 32 bytes as base64")
    }
}

impl KeyArgs {
    /// Returns the key, if the command line or the environment contains one.
    pub fn get(self) -> Option<Key> {
        let in_environment = || std::env::var(PASSWORD).ok().as_deref().map(Key::from_password);
        let key = self.key.map(|RawKey(key)| Key::from_bytes(key));
        key.or(self.password_file).or(self.password).or_else(in_environment)
    }

    /// Returns the key of an archive, if the command line contains one. Archives have no passwords.
    pub fn pak(self) -> Option<PakKey> {
        PakKeyArgs { key: self.key }.pak()
    }
}

/// Name of the environment variable that can contain a password.
const PASSWORD: &str = "GAMEWIRE_PASSWORD";

#[expect(clippy::unnecessary_wraps, reason = "a value parser returns a result")]
fn password(text: &str) -> Result<Key, Infallible> {
    Ok(Key::from_password(text))
}

fn password_in_file(path: &str) -> Result<Key, String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let text = text.strip_suffix('\n').unwrap_or(&text);
    Ok(Key::from_password(text.strip_suffix('\r').unwrap_or(text)))
}
