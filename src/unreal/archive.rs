//! Archives: one description of a type reads and writes its native data (`FArchive`).
//!
//! In the engine, `operator<<` of an archive either reads or writes, so a class needs only one
//! function `Serialize(FArchive&)` for both directions. Here, a type is described by an
//! implementation of [`Serialize`], which calls [`Archive::serialize`] for each field. An
//! [`ArchiveReader`] fills the fields, and an [`ArchiveWriter`] writes them.
//!
//! [`Package::native_archive`] returns a reader for the native data of an export: the bytes that
//! follow its properties. [`Package::archive`] and [`Save::archive`] return readers for other bytes
//! of a file, such as those of an [`Opaque`](crate::unreal::PropertyValue::Opaque) value.
//!
//! | engine | here |
//! |---|---|
//! | `operator<<` | [`Archive::serialize`] |
//! | `operator<<` for `FString`, `FName`, `UObject*`, `FGuid` | [`StrRef`], [`NameRef`] or [`Name`], [`ObjectRef`] or [`PackageIndex`], [`Guid`] |
//! | `operator<<` for `bool` | `bool`, stored in 32 bits as 0 or 1 |
//! | `operator<<` for `TArray` | [`Array`], [`Archive::array`], or a `Vec` |
//! | `operator<<` for `FText` | [`FormattedText`] |
//! | `Serialize(void*, Length)` | [`Archive::raw`] |
//! | `SerializeBits`, `SerializeInt` | [`BitArchive::bits`], [`BitArchive::int`] |
//! | `SerializeIntPacked`, `SerializeIntPacked64` | [`BitArchive::int_packed`], [`BitArchive::int_packed_64`] |
//! | `Tell`, `Seek`, `AtEnd` | [`BitArchive::offset`], [`ArchiveReader::seek`], [`ArchiveReader::is_at_end`] |
//! | `IsLoading` | [`BitArchive::is_loading`] |
//! | `UEVer`, `CustomVer` | [`Archive::versions`], [`Archive::custom_version`] |
//! | `IsFilterEditorOnly`, `IsByteSwapping` | [`Archive::layout`]: `editor_data`, `order` |
//! | `FBitReader`, `FBitWriter` | [`BitReader`], [`BitWriter`] |
//!
//! # Example
//!
//! ```
//! use gamewire::unreal::archive::{
//!     Archive, ArchiveReader, ArchiveWriter, Array, Serialize, Standalone,
//! };
//! use gamewire::unreal::{Guid, Layout, Result, StrRef};
//!
//! #[derive(Clone, Copy, Debug, Default)]
//! struct Marker<'a> {
//!     label: StrRef<'a>,
//!     is_visible: bool,
//!     /// Exists from file version 518 of engine 4 on.
//!     id: Option<Guid>,
//! }
//!
//! impl<'a> Serialize<'a> for Marker<'a> {
//!     const MIN_SIZE: u64 = 8;
//!
//!     fn serialize<A: Archive<'a>>(&mut self, ar: &mut A) -> Result<()> {
//!         ar.serialize(&mut self.label)?;
//!         ar.serialize(&mut self.is_visible)?;
//!         ar.serialize_if(ar.versions().ue4 >= 518, &mut self.id)
//!     }
//! }
//!
//! let bytes = [
//!     1, 0, 0, 0, // one marker
//!     5, 0, 0, 0, b'D', b'o', b'o', b'r', 0, // label
//!     1, 0, 0, 0, // visible
//!     1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, // GUID
//! ];
//! let standalone = Standalone::new(Layout::default());
//! let mut reader = ArchiveReader::new(&bytes, 0, &standalone);
//! let mut markers: Array<Marker> = reader.read()?;
//! assert!(reader.is_at_end());
//! let marker = markers.iter().next().unwrap()?;
//! assert_eq!(marker.label, *"Door");
//! assert_eq!(marker.id, Some(Guid([1, 2, 3, 4])));
//!
//! let mut written = Vec::new();
//! ArchiveWriter::new(&mut written, &standalone).serialize(&mut markers)?;
//! assert_eq!(written, bytes);
//! # Ok::<(), gamewire::unreal::Error>(())
//! ```
//!
//! [`FormattedText`]: crate::unreal::properties::FormattedText
//! [`Guid`]: crate::unreal::Guid
//! [`Name`]: crate::unreal::Name
//! [`NameRef`]: crate::unreal::NameRef
//! [`ObjectRef`]: crate::unreal::ObjectRef
//! [`Package::archive`]: crate::unreal::Package::archive
//! [`Package::native_archive`]: crate::unreal::Package::native_archive
//! [`PackageIndex`]: crate::unreal::PackageIndex
//! [`Save::archive`]: crate::unreal::Save::archive
//! [`StrRef`]: crate::unreal::StrRef

mod array;
mod bit_archive;
mod bit_reader;
mod bit_writer;
mod number;
mod origin;
mod reader;
mod serialize;
mod writer;

pub use array::{Array, Items};
pub use bit_archive::BitArchive;
pub use bit_reader::BitReader;
pub use bit_writer::BitWriter;
pub use number::Number;
pub use origin::{Origin, Standalone};
pub use reader::ArchiveReader;
pub use serialize::{Archive, Serialize};
pub use writer::ArchiveWriter;
