//! Writers of text files and of binary streams, with a common interface.

#[cfg(feature = "alloc")]
mod binary;
mod error;
mod item_sink;
#[cfg(feature = "alloc")]
mod numbering;
mod output;
mod put;
mod readback;
mod scanned_str;
mod state;
mod text;

#[cfg(feature = "alloc")]
pub use binary::BinaryWriter;
pub use error::{WriteError, WriteErrorKind};
#[cfg(feature = "alloc")]
pub(super) use item_sink::forward_item;
pub use item_sink::{ItemSink, OutputFormat};
#[cfg(feature = "alloc")]
pub use numbering::{Numbering, Placement};
pub use put::{KindValue, Put, Utf16Unit};
pub use text::TextWriter;
