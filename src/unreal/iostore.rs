//! `IoStore` containers (`.utoc`, `.ucas`): archives in which games made with engine 4.25 or later
//! ship their packages. Supports tables of contents of versions 1 to 8.
//!
//! ```text
//! .utoc       the table of contents
//!   144 bytes header
//!   12 bytes identifier of each chunk
//!   10 bytes offset and size of each chunk, as they are after decompression
//!   i32 seeds of the perfect hash        from version 4 on
//!   i32 chunks without a perfect hash    from version 5 on
//!   12 bytes place of each block: its offset, its size before and after decompression, its method
//!   names of the compression methods
//!   signatures                           in a signed container
//!   directory index                      from version 2 on: the paths of chunks
//!   33 bytes hash and flags of each chunk; 24 from version 8 on
//! .ucas       the blocks; a large container continues in files named `…_s1.ucas`, `…_s2.ucas` …
//! ```
//!
//! [`Toc`] is a view of the table of contents. [`Chunk`] describes a chunk: a package, the bulk
//! data of a package, or other data. Reading the table and its chunks does not allocate. Most
//! chunks have a path; [`Toc::files`] lists the paths. [`Toc::find_chunk`] finds any chunk by its
//! [`ChunkId`].
//!
//! With the features `unreal-pak` and `std`, `iostore::TocBuf` decrypts the paths of an encrypted
//! container, and `Chunk::read` reads a chunk from files on disk.
//!
//! ```
//! use gamewire::unreal::iostore::{ChunkType, Toc};
//!
//! # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
//! let file = std::fs::read("corpus/unreal-iostore/v8.utoc")?;
//! let toc = Toc::open(&file)?;
//! let chunk = toc.find("Content/Tiny.uasset").unwrap()?;
//! assert_eq!(chunk.kind, ChunkType::ExportBundleData);
//! let container = std::fs::read("corpus/unreal-iostore/v8.ucas")?;
//! let mut bytes = vec![0; chunk.size as usize];
//! chunk.decompress_into(&[&container], &mut bytes, |_, _, _| unreachable!("not compressed"))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod chunk;
mod chunk_id;
mod directory;
mod header;
#[cfg(all(feature = "unreal-pak", feature = "std"))]
mod reader;
mod table;
mod toc;
mod verify;

pub use chunk::{Chunk, ChunkBlock, ChunkBlocks};
pub use chunk_id::{ChunkId, ChunkType};
pub use directory::{File, FilePath, Files};
#[cfg(all(feature = "unreal-pak", feature = "std"))]
pub use reader::TocBuf;
pub use toc::Toc;
pub use verify::{Part, Problem};
