#![doc = include_str!("../README.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(missing_docs, missing_debug_implementations)]
// Input is untrusted, so these lints forbid code that could panic or overflow.
#![cfg_attr(
    not(test),
    deny(
        clippy::allow_attributes_without_reason,
        clippy::arithmetic_side_effects,
        clippy::disallowed_methods,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unwrap_used
    )
)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg_attr(
    not(feature = "godot"),
    allow(dead_code, unused_imports, reason = "other formats use only a part of it")
)]
mod buffer;
#[cfg(feature = "capture")]
pub mod capture;
#[cfg(feature = "compression")]
pub mod compression;
#[cfg(feature = "godot")]
pub mod godot;
#[cfg(feature = "alloc")]
pub mod path;
#[cfg(feature = "printable")]
pub mod printable;
pub mod recognise;
#[cfg(feature = "rems")]
pub mod rems;
#[cfg(feature = "server")]
pub mod server;
#[cfg(feature = "traffic")]
pub mod traffic;
#[cfg(feature = "transport")]
pub mod transport;
#[cfg(feature = "unreal")]
pub mod unreal;

#[cfg(feature = "bytes")]
pub use buffer::BufSink;
pub use buffer::{Error, Full, PatchSink, Sink, SliceSink, UnexpectedEnd};

/// Doctests: the examples of Markdown pages that are not part of the reference documentation.
#[cfg(all(doctest, feature = "rems", feature = "serde", feature = "traffic", feature = "unreal"))]
mod pages {
    #[doc = include_str!("../docs/dialects.md")]
    mod dialects {}
    #[doc = include_str!("../docs/library.md")]
    mod library {}
    #[doc = include_str!("../docs/unreal.md")]
    mod unreal {}
}
