//! Writes lists of properties.

mod container;
mod encode;
mod slot_list;
#[cfg(feature = "alloc")]
mod tag_buf;
mod tag_source;
mod writer;

pub use container::ContainerWriter;
#[cfg(feature = "alloc")]
pub use tag_buf::TagBuf;
pub use tag_source::WriteTag;
pub use writer::PropertyWriter;
