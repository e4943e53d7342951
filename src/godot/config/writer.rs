//! Writes configuration files as `ConfigFile.save` does.

use super::error::{Error, ErrorKind, Result};
use super::names::{checked_key, encode_section};
use crate::godot::notation::Reading;
use crate::godot::{Dialect, Encoded, ToVariant, Writer};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

/// A writer of configuration files in the form that `ConfigFile.save` writes.
///
/// ```
/// use gamewire::godot::config::ConfigWriter;
/// use gamewire::godot::{Dialect, Vector3};
///
/// let mut writer = ConfigWriter::new(Dialect::Godot4);
/// writer.section("player")?;
/// writer.entry("name", "Ada")?;
/// writer.entry("pos", Vector3 { x: 1.0_f32, y: 2.0, z: 3.0 })?;
/// writer.section("audio")?;
/// writer.entry("volume", 0.8)?;
/// let file = "[player]\n\nname=\"Ada\"\npos=Vector3(1, 2, 3)\n\n[audio]\n\nvolume=0.8\n";
/// assert_eq!(writer.into_string(), file);
/// # Ok::<(), gamewire::godot::config::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ConfigWriter {
    text: String,
    dialect: Dialect,
}

impl ConfigWriter {
    /// Creates a writer for a file that the engine of `dialect` will load.
    pub const fn new(dialect: Dialect) -> Self {
        Self { text: String::new(), dialect }
    }

    /// Returns `true` if the entries of the section `""` come first and have no header. Godot 3
    /// writes them anywhere, after the header `[]`.
    pub(super) fn has_root(&self) -> bool {
        Reading::of(self.dialect).is_godot4()
    }

    /// Begins a section. Its entries follow.
    ///
    /// # Errors
    /// Returns an error if the engine would not read the same name back.
    pub fn section(&mut self, name: &str) -> Result<()> {
        let at_end = |kind| Error::new(kind, self.text.len() as u64);
        if name.is_empty() && self.has_root() {
            return if self.text.is_empty() {
                Ok(())
            } else {
                Err(at_end(ErrorKind::RootNotFirst))
            };
        }
        let source = match name {
            "" => "".into(),
            name => encode_section(name, self.dialect)
                .ok_or_else(|| at_end(ErrorKind::UnwritableSection))?,
        };
        let blank = if self.text.is_empty() { "" } else { "\n" };
        let _ = write!(self.text, "{blank}[{source}]\n\n"); // writing to a String cannot fail
        Ok(())
    }

    /// Writes a key and its value, in the notation of the dialect.
    ///
    /// # Errors
    /// Returns an error if the engine would read back a different key. Also returns an error if the
    /// dialect cannot represent the value.
    pub fn entry(&mut self, key: &str, value: impl ToVariant) -> Result<()> {
        let at_end = |kind| Error::new(kind, self.text.len() as u64);
        let key = checked_key(key).ok_or_else(|| at_end(ErrorKind::UnwritableKey))?;
        let value = print(value, self.dialect)?;
        let _ = writeln!(self.text, "{key}={value}");
        Ok(())
    }

    /// Returns the text of the file.
    pub fn into_string(self) -> String {
        self.text
    }
}

/// Prints a value in the notation of the dialect.
pub(super) fn print(value: impl ToVariant, dialect: Dialect) -> Result<String> {
    let mut bytes = Vec::new();
    let written = Writer::new(&mut bytes, dialect).put(value);
    written.map_err(|error| Error::new(ErrorKind::Value(*error.kind()), 0))?;
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write!(text, "{}", Encoded::trusted(&bytes, dialect));
    Ok(text)
}
