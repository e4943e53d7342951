//! Options for reading numbers.

/// Options for numbers that the versions of the engine read differently.
///
/// A file that an engine wrote yields the same values with any of these options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextOptions {
    /// `true` to read an integer with a leading zero as octal, like engines since 2022; `false` to
    /// read it as decimal, like the engine of 2021. The default is `true`.
    pub octal: bool,
    /// `true` to discard the upper bits of an integer that is out of range for its kind, like all
    /// engines; `false` to return an error. The default is `false`.
    pub wrapping: bool,
}

impl Default for TextOptions {
    fn default() -> Self {
        Self { octal: true, wrapping: false }
    }
}
