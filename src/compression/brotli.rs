use super::{Error, ErrorKind, Result};
use alloc::{vec, vec::Vec};
use alloc_no_stdlib::{Allocator, SliceWrapper, SliceWrapperMut};
use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState};

/// Decompresses a stream into `out`, and returns the number of bytes written. The stream must not
/// need a window of more than 16 MiB.
pub(super) fn decompress(block: &[u8], out: &mut [u8]) -> Result<usize> {
    let mut state = BrotliState::new_strict(Heap, Heap, Heap);
    let (mut read, mut written, mut total) = (0, 0, 0);
    let (mut unread, mut free) = (block.len(), out.len());
    let result = BrotliDecompressStream(
        &mut unread,
        &mut read,
        block,
        &mut free,
        &mut written,
        out,
        &mut total,
        &mut state,
    );
    let kind = match result {
        BrotliResult::ResultSuccess => return Ok(written),
        BrotliResult::NeedsMoreInput => ErrorKind::UnexpectedEnd,
        BrotliResult::NeedsMoreOutput => ErrorKind::TooLong { limit: out.len() as u64 },
        BrotliResult::ResultFailure => ErrorKind::Malformed,
    };
    Err(Error::new(kind, read as u64))
}

/// Allocates with the global allocator.
struct Heap;

#[derive(Default)]
struct Memory<T>(Vec<T>);

impl<T: Clone + Default> Allocator<T> for Heap {
    type AllocatedMemory = Memory<T>;

    fn alloc_cell(&mut self, len: usize) -> Memory<T> {
        Memory(vec![T::default(); len])
    }

    fn free_cell(&mut self, _: Memory<T>) {}
}

impl<T> SliceWrapper<T> for Memory<T> {
    fn slice(&self) -> &[T] {
        &self.0
    }
}

impl<T> SliceWrapperMut<T> for Memory<T> {
    fn slice_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}
