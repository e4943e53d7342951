//! `FText`: text for display, with the history that says how it is produced.

mod read;
mod text;
mod write;

#[cfg(feature = "serde")]
pub(crate) use text::DEPTH;
pub use text::{
    Argument, ArgumentName, DateText, Format, FormattedText, History, NestedText, NumberOptions,
    NumberText,
};
