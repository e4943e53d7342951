//! Writes lists of properties.

mod container;
mod encode;
#[cfg(feature = "serde")]
mod normal;
mod slot_list;
#[cfg(feature = "alloc")]
mod tag_buf;
mod tag_source;
mod writer;

pub use container::ContainerWriter;
#[cfg(feature = "serde")]
pub(crate) use encode::slot_value;
#[cfg(feature = "serde")]
pub(crate) use normal::{FormOfStructs, Same};
#[cfg(feature = "serde")]
pub(crate) use slot_list::SlotList;
#[cfg(feature = "alloc")]
pub use tag_buf::TagBuf;
#[cfg(feature = "serde")]
pub(crate) use tag_source::ValueShape;
pub use tag_source::WriteTag;
pub use writer::PropertyWriter;
