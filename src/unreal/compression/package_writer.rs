//! Writes compressed packages.

use super::container::{ContainerFormat, ContainerVersion};
use super::encoder::Encoder;
use super::method::Method;
use super::package::{CompressedPackage, open_summary};
use crate::unreal::format::{ByteOrder, Error, ErrorKind, Result, Versions};
use alloc::vec::Vec;

/// The format of a [compressed package](CompressedPackage).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackageFormat<'a> {
    /// The compression flags of the summary, such as 1 for zlib. They state the compression method
    /// for containers that do not store it.
    pub flags: u32,
    /// Maximum size of a chunk in bytes, before compression.
    pub chunk_size: u32,
    /// The format of the containers; each chunk is a container.
    pub container: ContainerFormat<'a>,
}

impl<'a> CompressedPackage<'a> {
    /// Returns the format of the package, as its first chunk shows it.
    ///
    /// # Errors
    /// If the first chunk is invalid.
    pub fn format(&self) -> Result<PackageFormat<'a>> {
        let Some(chunk) = self.chunks().next() else {
            return Err(Error::new(ErrorKind::BadCount(0), 0));
        };
        let container = self.open_chunk(&chunk)?.format();
        let chunk_size = chunk.uncompressed_size.unsigned_abs();
        Ok(PackageFormat { flags: self.flags(), chunk_size, container })
    }
}

impl PackageFormat<'_> {
    /// Compresses a package. Returns its summary with a list of chunks, followed by the chunks.
    /// `supplied` is the version to assume if the package does not state its version.
    ///
    /// # Errors
    /// If the bytes are not a package of a known version, if the package is already compressed, if
    /// `chunk_size` is 0, if neither the containers nor `flags` state the compression method, if
    /// the encoder fails, or if an offset or a size exceeds 2 GiB.
    #[allow(clippy::disallowed_methods, reason = "the size of a chunk is not 0")]
    pub fn write(
        &self,
        package: &[u8],
        supplied: Option<Versions>,
        mut encoder: impl Encoder,
    ) -> Result<Vec<u8>> {
        let error = |kind| Error::new(kind, 0);
        let (summary, layout, end) = open_summary(package, supplied)?;
        if !summary.compressed_chunks.is_empty() {
            return Err(error(ErrorKind::CompressedPackage));
        }
        let says_method = self.container.version == ContainerVersion::Two
            || Method::of_flags(self.flags) == Some(self.container.method);
        let chunk_size = usize::try_from(self.chunk_size).unwrap_or(usize::MAX);
        if !says_method || chunk_size == 0 {
            return Err(error(ErrorKind::DoesNotFit));
        }
        // The compression flags and the number of chunks precede the list of chunks.
        let list = to_usize(summary.compressed_chunks.iter().offset());
        let piece = |from: usize, to: usize| package.get(from..to).unwrap_or_default();
        let (end, order) = (to_usize(end), layout.order);
        let body = piece(end, package.len());
        let count = body.len().div_ceil(chunk_size);
        let mut file = piece(0, list.saturating_sub(8)).to_vec();
        file.extend(number(u64::from(self.flags), order)?);
        file.extend(number(count as u64, order)?);
        let mut start = end.saturating_add(count.saturating_mul(16));
        let (mut chunks, mut offset) = (Vec::new(), end);
        for chunk in body.chunks(chunk_size) {
            let before = chunks.len();
            self.container.write(chunk, &mut encoder, &mut chunks)?;
            let stored = chunks.len().saturating_sub(before);
            for field in [offset, chunk.len(), start, stored] {
                file.extend(number(field as u64, order)?);
            }
            offset = offset.saturating_add(chunk.len());
            start = start.saturating_add(stored);
        }
        file.extend(piece(list, end));
        file.append(&mut chunks);
        Ok(file)
    }
}

fn to_usize(offset: u64) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}

/// Encodes a number as it is stored in the summary.
fn number(value: u64, order: ByteOrder) -> Result<[u8; 4]> {
    let too_large = || Error::new(ErrorKind::FieldTooSmall(value.cast_signed()), 0);
    let value = i32::try_from(value).map_err(|_| too_large())?;
    Ok(match order {
        ByteOrder::Little => value.to_le_bytes(),
        ByteOrder::Big => value.to_be_bytes(),
    })
}
