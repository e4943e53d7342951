//! That a path leads nowhere.

use crate::ui::path::Segment;
use crate::ui::report;
use crate::ui::text::escaped;

/// Why a path leads no further.
pub enum Missing {
    /// No such property; the names of those there are.
    Properties(Vec<String>),
    /// No object of that class; the classes of those there are.
    Classes(Vec<String>),
    /// Several objects are of that class.
    Several(Vec<String>),
    /// No such index.
    Elements(u64),
    /// No such part of a vector or the like.
    Parts(&'static str),
    /// No object has that number.
    Dangling(u32),
    Malformed(String),
    /// The file ends before the value.
    BrokenOff,
    /// Nothing is inside.
    Nothing,
}

/// Says which part of a path leads nowhere, and what there is instead.
pub fn tell(name: &str, segment: &Segment<'_>, missing: &Missing) {
    let place = match segment.before.trim_end_matches(['.', '/']) {
        "" => "at the top".into(),
        before => format!("in `{before}`"),
    };
    let asked = segment.to_string();
    let listed = |names: &[String]| report::list_names(names, &asked);
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
        Missing::BrokenOff => format!("no `{segment}` {place} (the file breaks off there)"),
        Missing::Nothing => format!("no `{segment}` {place} (nothing is inside of it)"),
    };
    report::error(name, escaped(message));
    if let Missing::Properties(names) | Missing::Classes(names) = missing {
        report::suggest_name(names.iter().cloned(), &asked);
    }
}
