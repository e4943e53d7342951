//! Prints components as the engines print them, and reports why an engine could not read the output
//! back.

mod buffer;
mod decimal;
mod dialect;
mod emit;
mod letters;
pub(crate) mod numbers;
mod shortest;
mod unreadable;

pub(crate) use buffer::{ItemBuffer, PART, ROW};
pub use dialect::Dialect;
pub use emit::Emit;
pub(crate) use emit::{PrintContext, for_scalar};
pub(crate) use unreadable::Verdict;
pub use unreadable::{Unreadable, Warning};
