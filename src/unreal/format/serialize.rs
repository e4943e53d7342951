//! Serializes values with `serde`, in the context of their file. Names are serialized as their
//! text, references to objects as the numbers that the file stores, GUIDs and hashes as hexadecimal
//! digits, and records as maps of their fields.
//!
//! Without the feature `serde`, [`SerializeIn`] has no methods, and every type implements it.

#[cfg(not(feature = "serde"))]
mod without_serde {
    /// A value that `serde` can serialize in the context of its file.
    pub trait SerializeIn<'a> {}

    impl<T> SerializeIn<'_> for T {}
}
#[cfg(not(feature = "serde"))]
pub use without_serde::SerializeIn;

#[cfg(feature = "serde")]
mod with_serde;
#[cfg(feature = "serde")]
pub use with_serde::SerializeIn;
#[cfg(feature = "serde")]
pub(crate) use with_serde::{
    AsDisplay, FieldEntries, FiniteOrText, Hex, InContext, NameLookup, Seq, SerializeContext,
    serialize_record,
};
