use super::reader::{ConfigReader, Entry, Item};
use crate::godot::notation::Reading;
use crate::godot::{Dialect, Variant};

/// Returns the dialect of a configuration file. It is Godot 3 if the file is a project file of
/// Godot 3, or contains a value that only Godot 3 can read. Otherwise, it is Godot 4.
///
/// ```
/// use gamewire::godot::Dialect;
/// use gamewire::godot::config::detect_dialect;
///
/// assert_eq!(detect_dialect("config_version=4\n"), Dialect::Godot3);
/// assert_eq!(detect_dialect("hp=5\n"), Dialect::Godot4);
/// ```
pub fn detect_dialect(text: &str) -> Dialect {
    const FIRST_VERSION_OF_GODOT4: i64 = 5;
    let read = |entry: &Entry<'_>, dialect| entry.read_with(Reading::of(dialect).as_the_engine());
    let mut is_root = true;
    for item in ConfigReader::of(text, Dialect::Godot4).map_while(Result::ok) {
        let entry = match item {
            Item::Entry(entry) => entry,
            Item::Section(section) => {
                is_root &= section.name().is_empty();
                continue;
            }
            _ => continue,
        };
        let value = read(&entry, Dialect::Godot4);
        let version = value.as_ref().ok().and_then(Variant::as_i64);
        if let Some(version) = version
            && is_root
            && entry.key() == "config_version"
        {
            let is_old = version < FIRST_VERSION_OF_GODOT4;
            return if is_old { Dialect::Godot3 } else { Dialect::Godot4 };
        }
        if value.is_err() && read(&entry, Dialect::Godot3).is_ok() {
            return Dialect::Godot3;
        }
    }
    Dialect::Godot4
}
