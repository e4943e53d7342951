use super::container::{Compressed, allocate};
use super::method::{Codec, Method};
use crate::unreal::format::{
    Error, ErrorKind, FileCursor, Layout, List, Record, Result, Value, Versions,
};
use crate::unreal::tables::{CompressedChunk, FileVersions, Summary};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// A package that is compressed as a whole: a summary that can be read, and chunks that make
/// up what follows it.
///
/// No engine of today makes these or loads them. Decompressed it is a package as others are: the
/// summary without the list of chunks, and behind it the bytes of the chunks, which are where
/// offsets say.
#[derive(Clone, Copy, Debug)]
pub struct CompressedPackage<'a> {
    file: &'a [u8],
    chunks: List<'a, CompressedChunk>,
    method: Method<'a>,
    /// Of the summary, in this file.
    summary_end: u64,
    /// Of the package when decompressed.
    size: u64,
}

/// Bytes of a chunk in the list.
const ROW: u64 = CompressedChunk::LEAST;

impl<'a> CompressedPackage<'a> {
    /// Opens a package of chunks; `None` if it has none, and so is not compressed. `supplied` is
    /// the version of one that does not say its own.
    ///
    /// # Errors
    /// If the bytes are no package of a known version, or if the chunks overlap, leave something
    /// out or are not in the file.
    pub fn open(file: &'a [u8], supplied: Option<Versions>) -> Result<Option<Self>> {
        let mut from = FileCursor::new(file, 0);
        let (mut versions, mut summary) = <(FileVersions, Summary<'_>)>::default();
        let mut layout = Layout::default();
        versions.open(&mut from, supplied, &mut layout)?;
        summary.fill(&mut from, &layout)?;
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
        let mut package = Self { file, chunks, method, summary_end: from.offset(), size: 0 };
        package.size = package.check().map_err(|kind| Error::new(kind, at))?;
        Ok(Some(package))
    }

    /// Whether chunks go on where the last one ends, in the package and in the file; to where
    /// the last one goes.
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

    /// Where the summary ends without the list.
    fn plain_summary_end(&self) -> u64 {
        self.summary_end.saturating_sub(ROW.saturating_mul(self.chunks.len() as u64))
    }

    /// The chunks.
    pub fn chunks(&self) -> impl Iterator<Item = CompressedChunk> + use<'a> {
        self.chunks.iter().flatten()
    }

    /// The blocks of a chunk.
    ///
    /// # Errors
    /// If what the chunk points to is not compressed data of its size.
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

    /// Bytes of the package when decompressed.
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Decompresses the package into a slice of just its [size](Self::size).
    ///
    /// # Errors
    /// If the slice is of another size, or a chunk is not what it should be.
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

    /// The package when decompressed, for [`Package::open`](crate::unreal::Package::open).
    ///
    /// # Errors
    /// If that makes more bytes than the limit ([`DECOMPRESSED_LIMIT`](super::DECOMPRESSED_LIMIT)
    /// is a sensible one), or as [`decompress_into`](Self::decompress_into). Every chunk is
    /// opened and so its sizes checked before there is room made for any.
    #[cfg(feature = "alloc")]
    pub fn decompress(&self, limit: usize, codec: impl Codec) -> Result<Vec<u8>> {
        self.chunks().try_for_each(|chunk| self.open_chunk(&chunk).map(drop))?;
        let mut bytes = allocate(self.size, limit, self.summary_end)?;
        self.decompress_into(&mut bytes, codec)?;
        Ok(bytes)
    }

    /// The summary with no flags of compression and an empty list: in pieces.
    fn summary(&self) -> [&'a [u8]; 3] {
        let list = self.chunks.iter().offset();
        let piece = |from: u64, to: u64| {
            let (from, to) = (usize::try_from(from).ok()?, usize::try_from(to).ok()?);
            self.file.get(from..to)
        };
        // The flags and the count of the list are before it.
        let before = piece(0, list.saturating_sub(8));
        let behind = piece(list.saturating_add(self.chunks.bytes().len() as u64), self.summary_end);
        [before.unwrap_or_default(), &[0; 8], behind.unwrap_or_default()]
    }
}
