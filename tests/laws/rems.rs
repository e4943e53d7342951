//! Laws of Rem's Engine saves: functions over any bytes that panic where one is broken.

mod read;
#[cfg(feature = "serde")]
mod serde;
mod write;

pub use read::*;
#[cfg(feature = "serde")]
pub use serde::*;
pub use write::*;
