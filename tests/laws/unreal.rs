//! Laws of packages, properties and saves of Unreal Engine: functions that accept arbitrary bytes
//! and panic if a law is broken.

mod accessors;
mod archive;
mod bulk;
#[cfg(feature = "unreal-compression")]
mod compressed;
#[cfg(feature = "serde")]
mod document;
mod edit;
#[cfg(all(feature = "unreal-pak", feature = "unreal-compression"))]
mod iostore;
#[cfg(feature = "alloc")]
mod locres;
mod package;
#[cfg(all(feature = "unreal-pak", feature = "unreal-compression"))]
mod pak;
mod properties;
#[cfg(feature = "alloc")]
mod registry;
mod save;
#[cfg(feature = "serde")]
mod unversioned;
mod visit;
#[cfg(all(feature = "alloc", feature = "unreal-compression"))]
mod wrapped;
#[cfg(feature = "serde")]
mod zen;

pub use accessors::Look;
pub use archive::{bits_as, bytes_as, unreal_archive};
pub use bulk::unreal_bulk;
#[cfg(feature = "unreal-compression")]
pub use compressed::unreal_compressed;
#[cfg(feature = "serde")]
pub use document::unreal_document;
pub use edit::{Edited, edit_as, unreal_edit};
#[cfg(all(feature = "unreal-pak", feature = "unreal-compression"))]
pub use iostore::unreal_iostore;
#[cfg(feature = "alloc")]
pub use locres::unreal_locres;
pub use package::{ENGINES, frame, framed, package_as, unreal_package};
#[cfg(all(feature = "unreal-pak", feature = "unreal-compression"))]
pub use pak::unreal_pak;
pub use properties::{Header, headers, list_as, unreal_properties};
#[cfg(feature = "alloc")]
pub use registry::unreal_registry;
pub use save::unreal_save;
#[cfg(feature = "serde")]
pub use unversioned::{export_as, unreal_mappings, unreal_unversioned};
#[cfg(all(feature = "alloc", feature = "unreal-compression"))]
pub use wrapped::unreal_wrapped;
#[cfg(feature = "serde")]
pub use zen::unreal_zen;

use std::ops::Range;

/// Maximum length of a file that is compared with the oracle, which is slow.
const COMPARED: usize = 1 << 16;

/// The bytes of one or two files. The offsets of the second file continue those of the first.
#[derive(Clone, Copy)]
pub struct Files<'a> {
    pub header: &'a [u8],
    pub exports: Option<&'a [u8]>,
}

impl<'a> Files<'a> {
    pub fn len(&self) -> u64 {
        (self.header.len() + self.exports.unwrap_or_default().len()) as u64
    }

    /// Returns the bytes of a range in one of the files.
    pub fn at(&self, range: Range<u64>) -> &'a [u8] {
        let (start, len) = (range.start as usize, (range.end - range.start) as usize);
        match (start.checked_sub(self.header.len()), self.exports) {
            (Some(start), Some(exports)) => &exports[start..start + len],
            _ => &self.header[start..start + len],
        }
    }
}
