//! Compares `Display` output with a string, without allocation.

use core::fmt::{self, Display, Write};
use core::str::Chars;

/// Returns `true` if `value` is displayed exactly as `text`.
pub(crate) fn display_eq(value: impl Display, text: &str) -> bool {
    Rest::of(text, |a, b| a == b).ends_with(value)
}

/// Returns `true` if `value` is displayed as `text`, ignoring ASCII case as the engine does for
/// names.
pub(crate) fn display_eq_ignore_case(value: impl Display, text: &str) -> bool {
    Rest::of(text, |a, b| a.eq_ignore_ascii_case(&b)).ends_with(value)
}

/// The part of the expected text that has not been printed yet. Writing text with which this part
/// does not begin is an error.
struct Rest<'t> {
    text: Chars<'t>,
    same: fn(char, char) -> bool,
}

impl<'t> Rest<'t> {
    fn of(text: &'t str, same: fn(char, char) -> bool) -> Self {
        Self { text: text.chars(), same }
    }

    fn ends_with(mut self, value: impl Display) -> bool {
        write!(self, "{value}").is_ok() && self.text.next().is_none()
    }
}

impl Write for Rest<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut chars = text.chars();
        let all = chars.all(|a| self.text.next().is_some_and(|b| (self.same)(a, b)));
        if all { Ok(()) } else { Err(fmt::Error) }
    }
}
