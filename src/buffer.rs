//! Shared by all formats: a cursor over bytes, errors with an absolute offset, and the sinks to
//! which writers append.

mod cursor;
mod error;
mod sink;
#[cfg(all(feature = "serde", any(feature = "godot", feature = "rems")))]
pub(crate) mod typed;

pub(crate) use cursor::Cursor;
#[cfg(all(feature = "rems", feature = "alloc"))]
pub(crate) use cursor::take;
#[cfg(feature = "godot")]
pub(crate) use error::unlikely;
pub use error::{Error, UnexpectedEnd};
#[cfg(feature = "bytes")]
pub use sink::BufSink;
pub(crate) use sink::{Count, InlineBytes, SinkJob};
pub use sink::{Full, PatchSink, Sink, SliceSink};
