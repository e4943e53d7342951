//! Error messages for paths that do not exist.

use crate::ui::path::Segment;
use crate::ui::report as message;
use crate::ui::text::escaped;

/// Reason why a segment of a path was not found.
pub enum Missing {
    /// The object has no property of this name. Contains the names of its properties.
    Properties(Vec<String>),
    /// No top-level object has this class. Contains the classes of the top-level objects.
    Classes(Vec<String>),
    /// Several top-level objects have this class. Contains their paths.
    Several(Vec<String>),
    /// The segment is not the index of an element. Contains the number of elements.
    Elements(u64),
    /// The vector or box has no such part. Contains the names of its parts.
    Parts(&'static str),
    /// No object has this number.
    Dangling(u64),
    /// The value is malformed. Contains the reason.
    Malformed(String),
    /// The file ends before the value.
    BrokenOff,
    /// The value has no elements.
    Nothing,
}

/// Reports the segment of a path that was not found, and similar names that exist.
pub fn report(name: &str, segment: &Segment<'_>, missing: &Missing) {
    let place = match segment.before.trim_end_matches(['.', '/']) {
        "" => "at the top".into(),
        before => format!("in `{before}`"),
    };
    let requested = segment.to_string();
    let listed = |names: &[String]| message::list_names(names, &requested);
    let message = match missing {
        Missing::Properties(names) => {
            format!("no property `{segment}` {place} (properties: {})", listed(names))
        }
        Missing::Classes(names) => {
            format!("no object of class `{segment}` {place} (classes: {})", listed(names))
        }
        Missing::Several(paths) => {
            format!("several objects {place} are of class `{segment}`: {}", listed(paths))
        }
        Missing::Elements(count) => format!("no index `{segment}` {place} (elements: {count})"),
        Missing::Parts(parts) => format!("no `{segment}` {place} (parts: {parts})"),
        Missing::Dangling(number) => {
            format!("no object has the number {number}, for `{segment}` {place}")
        }
        Missing::Malformed(why) => {
            format!("no `{segment}` {place} (its value is malformed: {why})")
        }
        Missing::BrokenOff => format!("no `{segment}` {place} (the file ends before it)"),
        Missing::Nothing => format!("no `{segment}` {place} (it has no elements)"),
    };
    message::error(name, escaped(message));
    if let Missing::Properties(names) | Missing::Classes(names) = missing {
        message::suggest_name(names.iter().cloned(), &requested);
    }
}
