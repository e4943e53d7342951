//! Configuration files of Godot, for `show`, `check`, `json`, `get`, `set` and `diff`.

mod check;
mod diff;
mod get;
mod json;
mod path;
mod set;
mod show;

pub use check::check;
pub use diff::diff;
pub use get::get;
pub use json::print;
pub use set::set;
pub use show::show;

use super::extent::are_values;
use crate::args::Source;
use crate::recognise::is_godot_configuration;
use crate::ui::report;
use crate::ui::text::{Escaped, Offset, clipped};
use gamewire::godot::Dialect;
use gamewire::godot::config::{Config, ConfigReader, Entry, Error, ErrorKind, detect_dialect};
use gamewire::godot::notation::{self, Reading};

/// A configuration file.
pub struct File<'b> {
    text: &'b str,
    dialect: Dialect,
}

impl<'b> File<'b> {
    /// Returns the configuration file in `bytes`, or `None` if the content is something else.
    /// Without `--as`, the dialect is detected from the content.
    pub fn detect(bytes: &'b [u8], source: Source) -> Option<Self> {
        let format = source.format();
        if format.frames || !is_godot_configuration(bytes) || are_values(bytes, format.dialect) {
            return None;
        }
        let text = str::from_utf8(bytes).ok()?;
        let dialect = match source.is_format_given() {
            true => format.dialect,
            false => detect_dialect(text),
        };
        Some(Self { text, dialect })
    }

    fn items(&self) -> ConfigReader<'b> {
        ConfigReader::of(self.text, self.dialect)
    }

    /// Parses the whole file. If its structure is malformed, reports the error and returns `None`.
    fn parse(&self, name: &str) -> Option<Config<'b>> {
        let config = Config::parse(self.text.as_bytes(), self.dialect);
        config.map_err(|error| malformed(name, "", &error)).ok()
    }

    /// Returns the value of an entry as a packet, with numbers rounded correctly. If only the
    /// engine accepts the value, returns what the engine reads, including its rounding errors.
    fn packet(&self, entry: &Entry<'_>) -> Result<Vec<u8>, Error> {
        let value = entry.read().or_else(|error| {
            entry.read_with(Reading::of(self.dialect).as_the_engine()).map_err(|_| error)
        })?;
        let at_value = |kind| Error::new(ErrorKind::Value(kind), entry.value_offset());
        value.to_bytes(self.dialect).map_err(|error| at_value(*error.kind()))
    }
}

/// Returns `true` if the error is that a value is a resource, which only an engine can load.
fn is_resource(error: &Error) -> bool {
    *error.kind() == ErrorKind::Notation(notation::ErrorKind::Resource)
}

/// Reports an error in a file. `context` precedes the reason.
fn malformed(name: &str, context: &str, error: &Error) {
    let (offset, kind) = (Offset(error.offset()), error.kind());
    report::error(name, format_args!("offset {offset}: {context}{kind}"));
}

/// Returns the path of an entry, for messages and for the output of `diff`.
fn path_of(section: &str, key: &str) -> String {
    format!("{section}/{key}")
}

/// Returns the start of a message about an entry: `before` and the path of the entry. A long path
/// is cut off.
fn context_of(before: &str, section: &str, key: &str) -> String {
    let path = clipped(format_args!("{section}/{key}"), MAX_CONTEXT);
    format!("{before}{}: ", Escaped(path.as_bytes()))
}

/// Maximum length of a path in a message, in bytes.
const MAX_CONTEXT: usize = 256;
