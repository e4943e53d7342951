use super::reader::ArchiveReader;
use super::serialize::{Archive, Serialize};
use crate::unreal::format::Result;
use core::fmt;
use core::iter::FusedIterator;

/// A view of a `TArray`: elements that are stored in an archive, or a slice of elements to write.
///
/// When an array is read, all its elements are read once, to find the end of the array.
/// [`iter`](Self::iter) reads the elements again, one by one.
pub struct Array<'a, T>(Source<'a, T>);

enum Source<'a, T> {
    Stored(ArchiveReader<'a>, u32),
    Slice(&'a [T]),
}

impl<'a, T> Array<'a, T> {
    /// Creates an array of these elements, to write it.
    pub const fn new(elements: &'a [T]) -> Self {
        Self(Source::Slice(elements))
    }

    /// Returns the number of elements.
    pub const fn len(&self) -> usize {
        match self.0 {
            Source::Stored(_, count) => count as usize,
            Source::Slice(elements) => elements.len(),
        }
    }

    /// Returns `true` if there are no elements.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<'a, T: Serialize<'a> + Default + Clone> Array<'a, T> {
    /// Returns an iterator over the elements.
    pub const fn iter(&self) -> Items<'a, T> {
        Items(self.0)
    }
}

impl<T> Clone for Source<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Source<'_, T> {}

impl<T> Clone for Array<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Array<'_, T> {}

impl<T> Clone for Items<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Items<'_, T> {}

impl<T> Default for Array<'_, T> {
    fn default() -> Self {
        Self::new(&[])
    }
}

impl<'a, T: Serialize<'a> + Default + Clone> Serialize<'a> for Array<'a, T> {
    const MIN_SIZE: u64 = 4;

    fn serialize<A: Archive<'a>>(&mut self, ar: &mut A) -> Result<()> {
        let mut count = u32::try_from(self.len()).unwrap_or(u32::MAX);
        let mut elements = self.iter();
        if !ar.is_loading() {
            return ar.array(&mut count, T::MIN_SIZE, |ar, _| match elements.next() {
                Some(element) => element?.serialize(ar),
                None => Ok(()),
            });
        }
        let mut start = None;
        ar.array(&mut count, T::MIN_SIZE, |ar, _| {
            let depth = *ar.depth_mut();
            start = start.or(ar.cursor().map(|from| (from, depth)));
            T::default().serialize(ar)
        })?;
        self.0 = match (start, ar.cursor()) {
            (Some((start, depth)), Some(end)) => {
                let from = start.until(&end);
                Source::Stored(ArchiveReader::of_elements(from, ar.origin(), depth), count)
            }
            _ => Source::Slice(&[]),
        };
        Ok(())
    }
}

/// An iterator over the elements of an [`Array`]. After an error, the iterator ends.
pub struct Items<'a, T>(Source<'a, T>);

impl<'a, T: Serialize<'a> + Default + Clone> Iterator for Items<'a, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.0 {
            Source::Slice(elements) => elements.split_off_first().cloned().map(Ok),
            Source::Stored(reader, left) => {
                *left = left.checked_sub(1)?;
                let element = reader.read();
                if element.is_err() {
                    *left = 0;
                }
                Some(element)
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = Array(self.0).len();
        (len, Some(len))
    }
}

impl<'a, T: Serialize<'a> + Default + Clone> ExactSizeIterator for Items<'a, T> {}
impl<'a, T: Serialize<'a> + Default + Clone> FusedIterator for Items<'a, T> {}

impl<'a, T: Serialize<'a> + Default + Clone> IntoIterator for Array<'a, T> {
    type Item = Result<T>;
    type IntoIter = Items<'a, T>;

    fn into_iter(self) -> Items<'a, T> {
        self.iter()
    }
}

impl<'a, T: Serialize<'a> + Default + Clone + PartialEq> PartialEq for Array<'a, T> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<'a, T: Serialize<'a> + Default + Clone + fmt::Debug> fmt::Debug for Array<'a, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter().flatten()).finish()
    }
}

impl<T> fmt::Debug for Items<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Items").field("left", &Array(self.0).len()).finish()
    }
}
