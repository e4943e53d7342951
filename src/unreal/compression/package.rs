use super::container::Compressed;
#[cfg(feature = "alloc")]
use super::container::allocate;
use super::method::{Codec, Method};
use crate::unreal::format::{
    Error, ErrorKind, FileCursor, Layout, List, Record, Result, Value, Versions,
};
use crate::unreal::tables::{CompressedChunk, FileVersions, Summary};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// A compressed package: an uncompressed summary followed by compressed chunks.
///
/// Current engines neither write nor load such packages. Decompression yields a normal package: the
/// summary without the list of chunks, followed by the contents of the chunks. The offsets in the
/// summary refer to this decompressed package.
#[derive(Clone, Copy, Debug)]
pub struct CompressedPackage<'a> {
    file: &'a [u8],
    chunks: List<'a, CompressedChunk>,
    method: Method<'a>,
    flags: u32,
    /// Offset of the end of the summary in this file.
    summary_end: u64,
    /// Size in bytes of the decompressed package.
    size: u64,
}

/// Reads the summary of a package. Returns the summary, the layout of the package, and the offset
/// of the end of the summary.
pub(super) fn open_summary(
    file: &[u8],
    supplied: Option<Versions>,
) -> Result<(Summary<'_>, Layout, u64)> {
    let mut from = FileCursor::new(file, 0);
    let (mut versions, mut summary) = <(FileVersions, Summary<'_>)>::default();
    let mut layout = Layout::default();
    versions.open(&mut from, supplied, &mut layout)?;
    summary.fill(&mut from, &layout)?;
    Ok((summary, layout, from.offset()))
}

/// Size in bytes of a chunk record.
const ROW: u64 = CompressedChunk::LEAST;

impl<'a> CompressedPackage<'a> {
    /// Opens a compressed package. Returns `None` if the package is not compressed. `supplied` is
    /// the version to assume if the package does not state its version.
    ///
    /// # Errors
    /// If the bytes are not a package of a known version, if the package does not state its version
    /// and `supplied` is `None`, if the summary is truncated or invalid, if the compression method
    /// is unknown, if a chunk has a negative size or extends beyond the file, or if the chunks
    /// overlap in the file or are not contiguous in the decompressed package.
    pub fn open(file: &'a [u8], supplied: Option<Versions>) -> Result<Option<Self>> {
        let (summary, _, summary_end) = open_summary(file, supplied)?;
        let chunks = summary.compressed_chunks;
        if chunks.is_empty() {
            return Ok(None);
        }
        let at = chunks.iter().offset();
        let flags = summary.compression_flags;
        let method = Method::of_flags(flags).ok_or_else(|| {
            let (what, value) = ("method of compression", flags.into());
            Error::new(ErrorKind::Unknown { what, value }, at)
        })?;
        let mut package = Self { file, chunks, method, flags, summary_end, size: 0 };
        package.size = package.check().map_err(|kind| Error::new(kind, at))?;
        Ok(Some(package))
    }

    /// Checks that the chunks are contiguous in the decompressed package, and that they are within
    /// the file and do not overlap there. Returns the offset in the decompressed package at which
    /// the last chunk ends.
    fn check(&self) -> Result<u64, ErrorKind> {
        let (mut end, mut stored_end) = (self.plain_summary_end(), self.summary_end);
        for chunk in self.chunks() {
            let size = |size: i32| u64::try_from(size).map_err(|_| ErrorKind::BadSize(size.into()));
            let found = chunk.uncompressed_offset.into();
            if u64::try_from(found) != Ok(end) {
                return Err(ErrorKind::ChunkOutOfPlace { expected: end, found });
            }
            let offset = i64::from(chunk.compressed_offset);
            let stored = u64::try_from(offset).ok().filter(|offset| *offset >= stored_end);
            let Some(stored) = stored else { return Err(ErrorKind::BadOffset(offset)) };
            stored_end = stored.saturating_add(size(chunk.compressed_size)?);
            if stored_end > self.file.len() as u64 {
                return Err(ErrorKind::BadOffset(stored_end.cast_signed()));
            }
            end = end.saturating_add(size(chunk.uncompressed_size)?);
        }
        Ok(end)
    }

    /// Returns the offset at which the summary ends in the decompressed package, where its list of
    /// chunks is empty.
    fn plain_summary_end(&self) -> u64 {
        self.summary_end.saturating_sub(ROW.saturating_mul(self.chunks.len() as u64))
    }

    /// Returns [`Summary::compression_flags`](crate::unreal::tables::Summary::compression_flags),
    /// which state the compression method.
    pub const fn flags(&self) -> u32 {
        self.flags
    }

    /// Returns the chunks.
    pub fn chunks(&self) -> impl Iterator<Item = CompressedChunk> + use<'a> {
        self.chunks.iter().flatten()
    }

    /// Opens the blocks of a chunk.
    ///
    /// # Errors
    /// If the range of the chunk is outside of the file, if it does not contain a valid container,
    /// or if the size of the decompressed data differs from the size that `chunk` states.
    pub fn open_chunk(&self, chunk: &CompressedChunk) -> Result<Compressed<'a>> {
        let offset = chunk.compressed_offset;
        let place = |from: i32, size: i32| {
            let from = usize::try_from(from).ok()?;
            self.file.get(from..from.checked_add(usize::try_from(size).ok()?)?)
        };
        let at = offset.unsigned_abs().into();
        let Some(bytes) = place(offset, chunk.compressed_size) else {
            return Err(Error::new(ErrorKind::BadOffset(offset.into()), at));
        };
        let data = Compressed::open_at(bytes, at, self.method)?;
        let declared = chunk.uncompressed_size.unsigned_abs().into();
        match data.size() {
            found if found == declared => Ok(data),
            found => Err(Error::new(ErrorKind::SizesDiffer { declared, found }, at)),
        }
    }

    /// Returns the size in bytes of the decompressed package.
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Decompresses the package into a slice of exactly [`size`](Self::size) bytes.
    ///
    /// # Errors
    /// If the slice has a different size, if a chunk is invalid, or if the codec fails or returns
    /// fewer bytes than declared.
    #[allow(clippy::disallowed_methods, reason = "the place is as long as the piece")]
    pub fn decompress_into(&self, to: &mut [u8], mut codec: impl Codec) -> Result<()> {
        let differ = |found: usize| {
            let (declared, found) = (self.size, found as u64);
            Error::new(ErrorKind::SizesDiffer { declared, found }, self.summary_end)
        };
        let len = to.len();
        if len as u64 != self.size {
            return Err(differ(len));
        }
        let mut rest = to;
        for piece in self.summary() {
            let (place, behind) =
                rest.split_at_mut_checked(piece.len()).ok_or_else(|| differ(len))?;
            place.copy_from_slice(piece);
            rest = behind;
        }
        for chunk in self.chunks() {
            let data = self.open_chunk(&chunk)?;
            let size = usize::try_from(data.size()).unwrap_or(usize::MAX);
            let (place, behind) = rest.split_at_mut_checked(size).ok_or_else(|| differ(len))?;
            data.decompress_into(place, &mut codec)?;
            rest = behind;
        }
        Ok(())
    }

    /// Decompresses the package into a file that [`Package::open`](crate::unreal::Package::open)
    /// accepts. Opens all chunks and checks their sizes before it allocates memory.
    ///
    /// # Errors
    /// If the package is larger than `limit` (for which
    /// [`DECOMPRESSED_LIMIT`](super::DECOMPRESSED_LIMIT) is a reasonable value), or if
    /// [`decompress_into`](Self::decompress_into) fails.
    #[cfg(feature = "alloc")]
    pub fn decompress(&self, limit: usize, codec: impl Codec) -> Result<Vec<u8>> {
        self.chunks().try_for_each(|chunk| self.open_chunk(&chunk).map(drop))?;
        let mut bytes = allocate(self.size, limit, self.summary_end)?;
        self.decompress_into(&mut bytes, codec)?;
        Ok(bytes)
    }

    /// Returns the summary of the decompressed package in three pieces. The first piece contains
    /// the bytes before the compression flags. The second piece contains zeros in place of the
    /// compression flags and the number of chunks. The third piece contains the bytes after the
    /// list of chunks.
    fn summary(&self) -> [&'a [u8]; 3] {
        let list = self.chunks.iter().offset();
        let piece = |from: u64, to: u64| {
            let (from, to) = (usize::try_from(from).ok()?, usize::try_from(to).ok()?);
            self.file.get(from..to)
        };
        // The compression flags and the number of chunks precede the list.
        let before = piece(0, list.saturating_sub(8));
        let behind = piece(list.saturating_add(self.chunks.bytes().len() as u64), self.summary_end);
        [before.unwrap_or_default(), &[0; 8], behind.unwrap_or_default()]
    }
}
