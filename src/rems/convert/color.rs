//! Names of properties that suggest colours.

use crate::rems::Property;

/// Returns `true` if the name of an integer property suggests that it is a colour, by the rules of
/// the engine.
pub(super) fn is_color(property: Property<'_>, dim: u8) -> bool {
    let name = property.name.raw();
    let ends = |end: &[u8]| {
        let at = name.len().checked_sub(end.len());
        at.and_then(|at| name.get(at..)).is_some_and(|last| last.eq_ignore_ascii_case(end))
    };
    match dim {
        0 => ends(b"color") || name.windows(6).any(|part| part.eq_ignore_ascii_case(b"color.")),
        1 => ends(b"color") || ends(b"colors"),
        _ => false,
    }
}
