use super::bit_archive::{BitArchive, bits_in_byte, bytes_of, low_bits};
use super::number::Number;
use super::origin::Origin;
use super::serialize::{Archive, Serialize};
use crate::unreal::format::{ErrorKind, FileCursor, Layout, Result, Value};
use crate::unreal::package::Package;
use crate::unreal::properties::FormattedText;
use crate::unreal::save::Save;
use crate::unreal::tables::Export;
use core::fmt;

/// Reads an archive from borrowed bytes. The reader is a `Copy` cursor, and allocates nothing
/// itself.
///
/// ```
/// use gamewire::unreal::archive::{Archive, BitArchive};
/// use gamewire::unreal::{NameRef, Package};
///
/// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
/// let file = &std::fs::read("corpus/unreal/ue5.8-cooked-tagged-T_Streaming.uasset")?;
/// let exports = &std::fs::read("corpus/unreal/ue5.8-cooked-tagged-T_Streaming.uexp")?;
/// let package = Package::open_as(file, Some(exports), None)?;
/// let mut ar = package.native_archive(&package.export(0)?)?.unwrap();
/// ar.seek(ar.offset() + 4)?; // the flags of `UTexture` and `UTexture2D`
/// assert!(ar.read::<bool>()?, "is cooked");
/// assert!(ar.read::<bool>()?, "has mips");
/// let format: NameRef = ar.read()?;
/// assert_eq!(ar.name_text(format).unwrap(), *"PF_DXT1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct ArchiveReader<'a> {
    from: FileCursor<'a>,
    /// All bytes of the archive.
    window: FileCursor<'a>,
    origin: Origin<'a>,
    depth: u8,
}

impl<'a> ArchiveReader<'a> {
    /// Creates a reader for `bytes`, which begin at `offset` of the file.
    pub fn new(bytes: &'a [u8], offset: u64, origin: impl Into<Origin<'a>>) -> Self {
        let window = FileCursor::new(bytes, offset);
        Self { from: window, window, origin: origin.into(), depth: 0 }
    }

    /// Reads a value.
    ///
    /// # Errors
    /// See [`Archive::serialize`].
    pub fn read<T: Serialize<'a> + Default>(&mut self) -> Result<T> {
        let mut value = T::default();
        value.serialize(self)?;
        Ok(value)
    }

    /// Moves to an offset, counted as by [`offset`](BitArchive::offset) (`Seek`).
    ///
    /// # Errors
    /// If the offset is outside the archive.
    pub fn seek(&mut self, offset: u64) -> Result<()> {
        let mut at = self.window;
        let skipped = offset.checked_sub(at.offset());
        match skipped.and_then(|len| at.bytes(len).ok()) {
            Some(_) => {
                self.from = at;
                Ok(())
            }
            None => Err(self.error(ErrorKind::BadOffset(offset.cast_signed()))),
        }
    }

    /// Returns `true` if all bytes have been read (`AtEnd`).
    pub const fn is_at_end(&self) -> bool {
        self.from.is_empty()
    }

    /// Returns the bytes that have not been read.
    pub const fn rest(&self) -> &'a [u8] {
        self.from.rest()
    }

    /// Reads `len` bytes, and returns a reader for them.
    ///
    /// # Errors
    /// If fewer bytes remain.
    pub fn section(&mut self, len: u64) -> Result<Self> {
        let window = self.from.window(len)?;
        Ok(Self { from: window, window, ..*self })
    }

    /// Creates a reader for the elements of an array that is nested `depth` levels deep.
    pub(super) const fn of_elements(from: FileCursor<'a>, origin: Origin<'a>, depth: u8) -> Self {
        Self { from, window: from, origin, depth }
    }
}

impl BitArchive for ArchiveReader<'_> {
    fn is_loading(&self) -> bool {
        true
    }

    fn offset(&self) -> u64 {
        self.from.offset()
    }

    fn bits(&mut self, bits: &mut [u8], count: u64) -> Result<()> {
        let mut at = self.from;
        let stored = at.bytes(count.div_ceil(8))?;
        let Some(bytes) = bytes_of(bits, count) else {
            return Err(self.error(ErrorKind::DoesNotFit));
        };
        for (index, (byte, stored)) in bytes.iter_mut().zip(stored).enumerate() {
            *byte = stored & low_bits(bits_in_byte(count, index));
        }
        self.from = at;
        Ok(())
    }

    fn int(&mut self, value: &mut u32, _: u32) -> Result<()> {
        self.number(value)
    }

    #[inline]
    fn number<N: Number>(&mut self, value: &mut N) -> Result<()> {
        let layout = &self.origin.context().layout;
        *value = self.from.read(layout)?;
        Ok(())
    }
}

impl<'a> Archive<'a> for ArchiveReader<'a> {
    fn origin(&self) -> Origin<'a> {
        self.origin
    }

    fn layout(&self) -> &Layout {
        &self.origin.context().layout
    }

    fn raw(&mut self, bytes: &mut &'a [u8], len: u64) -> Result<()> {
        *bytes = self.from.bytes(len)?;
        Ok(())
    }

    fn count(&mut self, count: &mut u32, min_size: u64) -> Result<()> {
        *count = self.from.count(min_size.max(1), &self.origin.context().layout)?;
        Ok(())
    }

    #[inline]
    fn value<T: Value<'a>>(&mut self, value: &mut T) -> Result<()> {
        let (mut at, layout) = (self.from, &self.origin.context().layout);
        let read: T = at.read(layout)?;
        let mut refused = None;
        read.links(layout, &mut |link| refused = refused.or_else(|| self.origin.refuses(link)));
        if let Some(kind) = refused {
            return Err(self.error(kind));
        }
        (*value, self.from) = (read, at);
        Ok(())
    }

    fn text(&mut self, text: &mut FormattedText<'a>) -> Result<()> {
        *text = FormattedText::read(&mut self.from, self.origin.context().prepared())?;
        Ok(())
    }

    fn cursor(&self) -> Option<FileCursor<'a>> {
        Some(self.from)
    }

    fn depth_mut(&mut self) -> &mut u8 {
        &mut self.depth
    }
}

impl fmt::Debug for ArchiveReader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ArchiveReader({:?})", self.from)
    }
}

impl<'a> Package<'a> {
    /// Returns a reader for bytes of the package, such as an
    /// [`Opaque`](crate::unreal::PropertyValue::Opaque) value. The bytes begin at `offset` of the
    /// file.
    ///
    /// ```
    /// use gamewire::unreal::{Package, StrRef};
    ///
    /// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
    /// let file = &std::fs::read("corpus/unreal/ue5.8-cooked-tagged-DA_AllProperties.uasset")?;
    /// let exports = &std::fs::read("corpus/unreal/ue5.8-cooked-tagged-DA_AllProperties.uexp")?;
    /// let package = Package::open_as(file, Some(exports), None)?;
    /// let object = package.properties(&package.export(0)?)?.unwrap();
    /// let tag = object.iter().get("Label").unwrap();
    /// let mut ar = package.archive(tag.bytes(), tag.value_offset());
    /// assert_eq!(ar.read::<StrRef>()?, *"Inline object payload");
    /// assert!(ar.is_at_end());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn archive<'p>(&'p self, bytes: &'p [u8], offset: u64) -> ArchiveReader<'p> {
        ArchiveReader::new(bytes, offset, self)
    }

    /// Returns a reader for the native data of an export: the bytes after its properties. Returns
    /// `None` if the properties have no tags and no mappings were supplied. See [`ArchiveReader`]
    /// for an example.
    ///
    /// # Errors
    /// If [`Package::properties`] or [`ObjectProperties::tail`] fails.
    ///
    /// [`ObjectProperties::tail`]: crate::unreal::ObjectProperties::tail
    pub fn native_archive<'p>(&'p self, export: &Export) -> Result<Option<ArchiveReader<'p>>> {
        let Some(object) = self.properties(export)? else { return Ok(None) };
        let native = object.tail()?.native;
        let end = export.serial.offset.saturating_add(export.serial.size).cast_unsigned();
        Ok(Some(self.archive(native, end.saturating_sub(native.len() as u64))))
    }
}

impl<'a> Save<'a> {
    /// Returns a reader for bytes of the save, such as an
    /// [`Opaque`](crate::unreal::PropertyValue::Opaque) value. The bytes begin at `offset` of the
    /// file. In a save, names and references are strings: use
    /// [`NameRef`](crate::unreal::NameRef) and [`ObjectRef`](crate::unreal::ObjectRef).
    pub fn archive<'p>(&'p self, bytes: &'p [u8], offset: u64) -> ArchiveReader<'p> {
        ArchiveReader::new(bytes, offset, self)
    }
}
