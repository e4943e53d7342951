//! How values look in a document, by `serde`: names as their text, references to objects as
//! the numbers of the file, GUIDs and hashes in hexadecimal, records as maps of their fields.
//!
//! Without the feature nothing is asked of a value.

#[cfg(not(feature = "serde"))]
mod absent {
    /// How a value looks in a document: with the feature `serde`.
    pub trait Show<'a> {}

    impl<T> Show<'_> for T {}
}
#[cfg(not(feature = "serde"))]
pub use absent::Show;

#[cfg(feature = "serde")]
mod present;
#[cfg(feature = "serde")]
pub use present::Show;
#[cfg(feature = "serde")]
pub(super) use present::{AsText, Context, Entries, Hex, Real, Seq, Shown, record};
