//! Laws of Rem's Engine saves: functions that accept arbitrary bytes and panic if a law is broken.

mod read;
#[cfg(feature = "serde")]
mod serde;
mod visit;
mod write;

pub use read::*;
#[cfg(feature = "serde")]
pub use serde::*;
pub use write::*;
