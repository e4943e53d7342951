//! Options of reading numbers.

/// Options for texts that engines read differently.
///
/// Text written by an engine reads the same with any of these options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextOptions {
    /// `true` if an integer with a leading zero is octal, as since 2022; `false` if it is decimal,
    /// as in 2021. The default is `true`.
    pub octal: bool,
    /// `true` if an integer out of range for its kind loses its upper bits, as in all engines;
    /// `false` if it is an error. The default is `false`.
    pub wrapping: bool,
}

impl Default for TextOptions {
    fn default() -> Self {
        Self { octal: true, wrapping: false }
    }
}
