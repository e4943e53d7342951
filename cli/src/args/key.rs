//! Options for the key of encrypted files.

use clap::Args;
use gamewire::godot::file::Key;
use std::convert::Infallible;
use std::fs;

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

    /// Key of an encrypted file: 64 hexadecimal digits
    #[arg(long, value_name = "HEX", value_parser = key, help_heading = HEADING)]
    key: Option<Key>,
}

impl KeyArgs {
    /// Returns the key, if the command line or the environment contains one.
    pub fn get(self) -> Option<Key> {
        let in_environment = || std::env::var(PASSWORD).ok().as_deref().map(Key::from_password);
        self.key.or(self.password_file).or(self.password).or_else(in_environment)
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

fn key(digits: &str) -> Result<Key, String> {
    let bytes = data_encoding::HEXLOWER_PERMISSIVE.decode(digits.as_bytes());
    let bytes: [u8; 32] = bytes
        .ok()
        .and_then(|bytes| bytes.try_into().ok())
        .ok_or("expected 64 hexadecimal digits")?;
    Ok(Key::from_bytes(bytes))
}
