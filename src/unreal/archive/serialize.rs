use super::bit_archive::BitArchive;
use super::origin::Origin;
use crate::unreal::format::{
    ErrorKind, FileCursor, Guid, Layout, NameText, Result, Value, Versions,
};
use crate::unreal::properties::{FormattedText, NameRef};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// Maximum nesting depth of arrays.
pub(super) const MAX_DEPTH: u8 = 48;

/// The description of a type: the sequence of its fields, for both reading and writing
/// (`Serialize(FArchive&)`).
///
/// Numbers, and the strings, texts, references and records of this library implement this trait. So
/// do [`Array`](super::Array) and `Vec`. See the [module](super) for an example.
pub trait Serialize<'a>: Sized {
    /// Lower bound of the size of a value, in bytes. Before an array is read, this bound is used to
    /// check that the remaining bytes can hold its elements. A bound of 0 counts as 1.
    const MIN_SIZE: u64 = 1;

    /// Reads or writes all fields.
    ///
    /// # Errors
    /// Returns the errors of the archive, and any errors that the description adds.
    fn serialize<A: Archive<'a>>(&mut self, ar: &mut A) -> Result<()>;
}

impl<'a, T: Value<'a>> Serialize<'a> for T {
    const MIN_SIZE: u64 = T::LEAST;

    #[inline]
    fn serialize<A: Archive<'a>>(&mut self, ar: &mut A) -> Result<()> {
        ar.value(self)
    }
}

impl<'a> Serialize<'a> for FormattedText<'a> {
    const MIN_SIZE: u64 = 5;

    fn serialize<A: Archive<'a>>(&mut self, ar: &mut A) -> Result<()> {
        ar.text(self)
    }
}

/// A `TArray`. Reading replaces the elements.
#[cfg(feature = "alloc")]
impl<'a, T: Serialize<'a> + Default> Serialize<'a> for Vec<T> {
    const MIN_SIZE: u64 = 4;

    fn serialize<A: Archive<'a>>(&mut self, ar: &mut A) -> Result<()> {
        let mut count = u32::try_from(self.len()).unwrap_or(u32::MAX);
        if !ar.is_loading() {
            let mut items = self.iter_mut();
            return ar.array(&mut count, T::MIN_SIZE, |ar, _| match items.next() {
                Some(item) => item.serialize(ar),
                None => Ok(()),
            });
        }
        self.clear();
        // The elements are read before they are stored, so the count does not size an allocation.
        ar.array(&mut count, T::MIN_SIZE, |ar, _| {
            let mut item = T::default();
            item.serialize(ar)?;
            self.push(item);
            Ok(())
        })
    }
}

/// An archive of bytes, which either reads or writes (`FArchive`).
pub trait Archive<'a>: BitArchive + Sized {
    /// Returns the package or save to which the bytes belong, if any.
    fn origin(&self) -> Origin<'a>;

    /// Returns the versions and flags that decide which fields exist.
    fn layout(&self) -> &Layout;

    /// Reads or writes `len` bytes (`Serialize(void*, Length)`). A reader sets `bytes` to a slice
    /// of the file.
    ///
    /// # Errors
    /// If the bytes end too early, if the sink is full, or if the `bytes` to write are not `len`
    /// bytes long.
    fn raw(&mut self, bytes: &mut &'a [u8], len: u64) -> Result<()>;

    /// Reads or writes the number of elements in an array. `min_size` is a lower bound of the size
    /// of each element, in bytes; a bound of 0 counts as 1.
    ///
    /// # Errors
    /// When reading, if the number is negative, if the remaining bytes cannot hold so many
    /// elements, or if the bytes end too early. When writing, if the number does not fit in an
    /// `i32`, or if the sink is full.
    fn count(&mut self, count: &mut u32, min_size: u64) -> Result<()>;

    #[doc(hidden)]
    fn value<T: Value<'a>>(&mut self, value: &mut T) -> Result<()>;

    #[doc(hidden)]
    fn text(&mut self, text: &mut FormattedText<'a>) -> Result<()>;

    /// Returns the position in the file if the archive reads.
    #[doc(hidden)]
    fn cursor(&self) -> Option<FileCursor<'a>>;

    #[doc(hidden)]
    fn depth_mut(&mut self) -> &mut u8;

    /// Reads or writes a value (`operator<<`).
    ///
    /// A reader checks names and references to objects, as the engine does. If the file does not
    /// have the name or object, this is an error. A writer does not check them.
    ///
    /// # Errors
    /// If the value is invalid, if the bytes end too early, or if the sink is full.
    #[inline]
    fn serialize<T: Serialize<'a>>(&mut self, value: &mut T) -> Result<()> {
        value.serialize(self)
    }

    /// Reads or writes a field that only some versions have. If `exists` is `false`, a reader sets
    /// the field to `None`, and a writer writes nothing. If `exists` is `true` and the field is
    /// `None`, a writer writes the default value.
    ///
    /// # Errors
    /// See [`serialize`](Self::serialize).
    fn serialize_if<T: Serialize<'a> + Default>(
        &mut self,
        exists: bool,
        value: &mut Option<T>,
    ) -> Result<()> {
        match (exists, self.is_loading()) {
            (true, _) => value.get_or_insert_default().serialize(self),
            (false, true) => {
                *value = None;
                Ok(())
            }
            (false, false) => Ok(()),
        }
    }

    /// Reads or writes a number of elements, and calls `each` with the index of each element
    /// (`operator<<` for `TArray`). See [`count`](Self::count) for `min_size`. Arrays can be nested
    /// up to 48 levels deep. To read elements later, use an [`Array`](super::Array).
    ///
    /// # Errors
    /// Returns the errors of `count` and of `each`. Also fails if arrays are nested too deeply.
    fn array(
        &mut self,
        count: &mut u32,
        min_size: u64,
        mut each: impl FnMut(&mut Self, u32) -> Result<()>,
    ) -> Result<()> {
        let depth = *self.depth_mut();
        if depth >= MAX_DEPTH {
            return Err(self.error(ErrorKind::TooDeep { limit: MAX_DEPTH.into() }));
        }
        self.count(count, min_size)?;
        *self.depth_mut() = depth.saturating_add(1);
        let result = (0..*count).try_for_each(|index| each(self, index));
        *self.depth_mut() = depth;
        result
    }

    /// Returns the file versions of the engines (`UEVer`).
    fn versions(&self) -> Versions {
        self.layout().versions
    }

    /// Returns the version of a subsystem (`CustomVer`), or −1 if the file does not state this
    /// version. For a package that does not state any versions, returns the version in the engine
    /// for which the package was opened (see
    /// [`Package::open_as`](crate::unreal::Package::open_as)), or `i32::MAX` if that version is not
    /// known. Searches the list of custom versions, some of which are also fields of
    /// [`Layout::custom`](Layout::custom).
    fn custom_version(&self, of: Guid) -> i32 {
        self.origin().custom_version(of)
    }

    /// Returns the text of a name, or `None` if the file does not have the name. See
    /// [`Package::name`](crate::unreal::Package::name) for the cost.
    fn name_text(&self, name: NameRef<'a>) -> Option<NameText<'a>> {
        self.origin().name_text(name)
    }
}
