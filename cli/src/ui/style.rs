//! Colours. [`Styled`] always prints their escape sequences. The program removes these sequences
//! from its output if the terminal does not support colours or the user does not want them.

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use std::fmt;
use std::io::Stdout;

pub const PLAIN: Style = Style::new();
pub const DIM: Style = Style::new().dimmed();
pub const BOLD: Style = Style::new().bold();
pub const TYPE: Style = AnsiColor::Cyan.on_default();
pub const TEXT: Style = AnsiColor::Green.on_default();
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
pub const ERROR: Style = AnsiColor::Red.on_default().bold();
pub const WARNING: Style = AnsiColor::Yellow.on_default().bold();
pub const HINT: Style = AnsiColor::Blue.on_default().bold();

/// A value printed in a style.
pub struct Styled<T>(pub Style, pub T);

impl<T: fmt::Display> fmt::Display for Styled<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(style, content) = self;
        if style.is_plain() {
            return content.fmt(f);
        }
        write!(f, "{style}")?;
        content.fmt(f)?; // not `write!`, to keep width and alignment
        write!(f, "{style:#}")
    }
}

/// Returns `true` if standard output has colours: if the user wants them, or if it is a terminal
/// that supports them and the user does not decline them.
pub fn has_colours(stdout: &Stdout) -> bool {
    AutoStream::choice(stdout) != ColorChoice::Never
}
