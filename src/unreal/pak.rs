//! Paks (`.pak`): archives in which games ship their packages and other files, versions 1 to 11.
//!
//! ```text
//! files       for each file its header, then its data
//! index       the paths, and where each file is
//! footer      at the end of the pak
//!   16 bytes GUID of the key         from version 7 on
//!   u8 is the index encrypted        from version 4 on
//!   u32 0x5A6F12E1, u32 version
//!   i64 offset, i64 size, 20 bytes SHA-1 of the index
//!   u8 is the index frozen           only in version 9
//!   names of compression methods     from version 8 on: 5 (4 in engine 4.22) of 32 bytes each
//! ```
//!
//! [`Footer`] reads the footer. [`Index`] is a view of the index, and [`Entry`] describes a file of
//! the pak. Reading them does not allocate. The data of a file are stored in blocks, which
//! [`Entry::decompress_into`] decompresses.
//!
//! Up to version 9, the index lists every path with its entry. From version 10 on, the index
//! consists of three parts: the entries, a list of hashes of paths, and a list of folders. A game
//! can be shipped without the list of folders. The paths of its files are then known only as hashes
//! ([`EntryPath::Hash`]).
//!
//! With the features `unreal-pak` and `std`, `pak::IndexBuf` reads the index of a file on disk, and
//! `Entry::read` reads a file of the pak. Both decrypt with a `pak::Key` if needed. Neither reads
//! the whole pak, which can be many gigabytes in size.
//!
//! ```
//! use gamewire::unreal::compression::Method;
//! use gamewire::unreal::pak::Index;
//!
//! # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
//! let file = &std::fs::read("corpus/unreal-paks/v11.pak")?;
//! let index = Index::open(file)?;
//! let entry = index.find("Content/Tiny.uasset").unwrap()?;
//! assert_eq!(entry.method, Method::Stored);
//! let mut bytes = vec![0; entry.size as usize];
//! entry.decompress_into(file, &mut bytes, |_, _, _| unreachable!("the file is not compressed"))?;
//! assert!(gamewire::unreal::Package::is_package(&bytes));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod blocks;
mod entry;
mod footer;
mod format;
mod index;
#[cfg(feature = "unreal-pak")]
mod key;
mod path;
#[cfg(all(feature = "unreal-pak", feature = "std"))]
mod reader;
mod table;
#[cfg(all(feature = "unreal-pak", feature = "std"))]
mod verify;
mod walk;

pub use blocks::{Block, Blocks};
pub use entry::Entry;
pub(in crate::unreal) use footer::slice;
pub use footer::{Footer, Region};
pub(in crate::unreal) use format::{LAYOUT, aligned, trimmed};
pub use index::Index;
#[cfg(feature = "unreal-pak")]
pub use key::Key;
pub use path::EntryPath;
pub(in crate::unreal) use path::{LONGEST, relative, write_hex};
#[cfg(all(feature = "unreal-pak", feature = "std"))]
pub use reader::{IndexBuf, ReadError};
#[cfg(all(feature = "unreal-pak", feature = "std"))]
pub(in crate::unreal) use reader::{Limits, assemble, read_at};
#[cfg(all(feature = "unreal-pak", feature = "std"))]
pub use verify::{Part, Problem};
pub use walk::Entries;
pub(in crate::unreal) use walk::text;
