//! Godot's text notation of values: what `var_to_str` and `var2str` print and `str_to_var`
//! and `str2var` read (Godot 4.6.3 and 3.6.2).

#[cfg(feature = "alloc")]
mod read;

#[cfg(feature = "alloc")]
pub use read::{Error, ErrorKind, Reading};

/// Whose notation it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Engine {
    /// Godot 4: `var_to_str`, `str_to_var`.
    #[default]
    Godot4,
    /// Godot 3: `var2str`, `str2var`.
    Godot3,
}
