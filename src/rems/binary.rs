//! Binary streams: uncompressed files, or the decompressed content of a container.

mod era;
mod names;
mod tables;

pub use era::Era;
pub(super) use era::{ANOTHER_ROOT, NO_MORE_ROOTS};
pub(super) use names::NameTree;
pub use tables::Tables;
pub(super) use tables::{Attribute, AttributeType, Text};
