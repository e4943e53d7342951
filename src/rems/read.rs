//! Readers of text files and binary streams. Both return the same items.

#[cfg(feature = "alloc")]
mod binary;
mod file_format;
#[cfg(feature = "alloc")]
mod reader;
mod text;
mod visitor;

#[cfg(feature = "alloc")]
pub use binary::BinaryReader;
pub use file_format::FileFormat;
#[cfg(feature = "alloc")]
pub use reader::Reader;
pub use text::TextReader;
pub use visitor::Visitor;
