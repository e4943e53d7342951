//! Code shared by all formats. Readers use a cursor over bytes. Writers append to sinks. Errors
//! contain an absolute offset.

mod cursor;
mod error;
#[cfg(any(
    feature = "godot-file",
    feature = "multiplayer",
    feature = "traffic",
    feature = "unreal"
))]
mod hex;
#[cfg(any(feature = "godot", feature = "rems"))]
mod json_escape;
mod sink;
#[cfg(any(all(feature = "alloc", feature = "godot"), feature = "unreal"))]
mod sort;
#[cfg(all(feature = "serde", any(feature = "godot", feature = "rems")))]
pub(crate) mod typed;

pub(crate) use cursor::Cursor;
#[cfg(feature = "godot")]
pub(crate) use error::unlikely;
pub use error::{Error, UnexpectedEnd};
#[cfg(any(
    feature = "godot-file",
    feature = "multiplayer",
    feature = "traffic",
    feature = "unreal"
))]
pub(crate) use hex::hex_digits;
#[cfg(feature = "traffic")]
pub(crate) use hex::write_hex;
#[cfg(any(feature = "godot", feature = "rems"))]
pub(crate) use json_escape::write_json_escape;
#[cfg(feature = "bytes")]
pub use sink::BufSink;
pub(crate) use sink::{Count, InlineBytes, SinkJob};
pub use sink::{Full, PatchSink, Sink, SliceSink};
#[cfg(any(all(feature = "alloc", feature = "godot"), feature = "unreal"))]
pub(crate) use sort::sort_unstable_by;
