use crate::buffer::Sink;
use crate::godot::compact::{CompactReader, CompactWriter, first_leaf, skip_leaves};
use crate::godot::write::to_variant::CompactForm;
use crate::godot::{
    Dialect, Encoded, Error, ErrorKind, Limits, Reader, Result, ToVariant, VariantRef, Visitor,
};
use core::iter::FusedIterator;

/// A sequence of values in a packet: the arguments of a call, or the state of a node. Godot 4
/// writes them in the [compact](crate::godot::compact) form, Godot 3 in the full form.
///
/// Values are only checked when they are read, so reading any of them can fail. If an argument of a
/// call is malformed, a receiver that runs Godot 4 still calls the method. It passes null for this
/// argument and for all later arguments. A receiver that runs Godot 3 does not call the method.
///
/// ```
/// use gamewire::godot::multiplayer::Run;
///
/// for value in Run::compact(&[0x81, 0x02, 0x05]) {
///     println!("{:?}", value?); // Bool true, Int 5
/// }
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    bytes: &'a [u8],
    offset: u64,
    dialect: Dialect,
    extent: Extent,
    objects: ObjectReading,
}

/// The way in which a [`Run`] reads the header `18 00 00 00`. It can be the start of a full object,
/// or a complete null object.
///
/// A game decides with `SceneMultiplayer.allow_object_decoding` whether its peers send full
/// objects. Packets do not state this setting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ObjectReading {
    /// The header is a null object. Full objects are errors. This is the default, as in the engine.
    #[default]
    Null,
    /// The header begins a full object: the name of a class and its properties.
    Full,
    /// The packet does not show whether its objects are null or full: both ways of reading use all
    /// of its bytes. The values are read as with [`Null`](Self::Null).
    Either,
}

/// The number of values, and the end of their bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// The bytes are the content of one byte array. If there are no bytes, there is no value.
    Raw,
    /// The values extend to the last byte.
    ToEnd,
    /// The given number of values. Trailing bytes are ignored.
    Count(u8),
    /// The given number of values. Trailing bytes are an error.
    Exactly(u8),
}

/// A [`Run`] without its bytes, for storing it.
#[cfg(feature = "multiplayer")]
#[derive(Clone, Copy, Debug)]
pub(super) struct StoredRun(Run<'static>);

#[cfg(feature = "multiplayer")]
impl StoredRun {
    /// Returns the run with its bytes.
    pub(super) fn of(self, bytes: &[u8]) -> Run<'_> {
        let run: Run<'_> = self.0;
        Run { bytes, ..run }
    }
}

impl<'a> Run<'a> {
    /// Returns the run without its bytes.
    #[cfg(feature = "multiplayer")]
    pub(super) fn stored(&self) -> StoredRun {
        let Self { bytes: _, offset, dialect, extent, objects } = *self;
        StoredRun(Run { bytes: &[], offset, dialect, extent, objects })
    }

    /// Creates a run of the compact values that fill `bytes`, such as the output of a
    /// [`CompactWriter`](crate::godot::compact::CompactWriter).
    pub const fn compact(bytes: &'a [u8]) -> Self {
        Self::new(bytes, 0, Dialect::Godot4, Extent::ToEnd)
    }

    pub(super) const fn new(
        bytes: &'a [u8],
        offset: u64,
        dialect: Dialect,
        extent: Extent,
    ) -> Self {
        Self { bytes, offset, dialect, extent, objects: ObjectReading::Null }
    }

    /// Sets how objects are read.
    #[must_use]
    pub const fn with_objects(mut self, objects: ObjectReading) -> Self {
        self.objects = objects;
        self
    }

    /// Returns how objects are read.
    pub const fn objects(&self) -> ObjectReading {
        self.objects
    }

    pub(super) const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Returns the bytes of the values and any trailing bytes.
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the offset of the first value in the input.
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns `true` if the values are sent in the raw form. The bytes are then the content of a
    /// single byte array, without its header and length. If there are no bytes, the call has no
    /// arguments.
    pub fn is_raw(&self) -> bool {
        self.extent == Extent::Raw
    }

    /// Returns `true` if the values extend to the last byte.
    pub(super) fn extends_to_end(&self) -> bool {
        matches!(self.extent, Extent::Raw | Extent::ToEnd)
    }

    /// Returns the announced number of values, or `None` if the values extend to the last byte.
    pub fn announced(&self) -> Option<usize> {
        match self.extent {
            Extent::Raw => Some(usize::from(!self.bytes.is_empty())),
            Extent::ToEnd => None,
            Extent::Count(count) | Extent::Exactly(count) => Some(count.into()),
        }
    }

    /// Checks that all announced values can be read. This is faster than reading the values.
    ///
    /// ```
    /// use gamewire::godot::multiplayer::Run;
    ///
    /// assert!(Run::compact(&[0x81, 0x02, 0x05]).check().is_ok());
    /// assert_eq!(Run::compact(&[0x81, 0x02]).check().unwrap_err().missing(), Some(1));
    /// ```
    ///
    /// # Errors
    /// Returns the error of the first malformed or missing value, or [`ErrorKind::TrailingBytes`]
    /// if bytes follow the values of a record of a [`Delta`](super::godot4::Delta).
    pub fn check(&self) -> Result<()> {
        if self.has_only_leaves() { Ok(()) } else { self.check_each() }
    }

    /// Returns `true` if the run is raw, or if a fast check shows that all of its values are
    /// present and none of them is a container. If it returns `false`, the values must be checked
    /// one by one.
    #[inline]
    pub(super) fn has_only_leaves(&self) -> bool {
        self.end_of_leaves().is_some()
    }

    /// Returns the length of the values, if [`has_only_leaves`](Self::has_only_leaves) returns
    /// `true`.
    #[inline]
    pub(super) fn end_of_leaves(&self) -> Option<usize> {
        let count = match self.extent {
            Extent::Raw => return Some(self.bytes.len()),
            _ if self.dialect != Dialect::Godot4 => return None,
            Extent::ToEnd => usize::MAX,
            Extent::Count(count) | Extent::Exactly(count) => count.into(),
        };
        let (done, end) = skip_leaves(self.bytes, count);
        let is_end = match self.extent {
            Extent::Raw | Extent::ToEnd => end == self.bytes.len(),
            Extent::Count(_) => done == count,
            Extent::Exactly(_) => done == count && end == self.bytes.len(),
        };
        is_end.then_some(end)
    }

    #[inline(never)]
    fn check_each(&self) -> Result<()> {
        let mut values = self.iter();
        while values.expects_value()? {
            values.skip_value()?;
        }
        Ok(())
    }

    /// Returns the number of non-zero padding bytes before the first malformed value; see
    /// [`Reader::leaked`].
    pub fn leaked(&self) -> u64 {
        if !self.can_have_padding() {
            return 0;
        }
        let (mut values, mut leaked) = (self.iter(), 0_u64);
        while let Ok(Some(value)) = values.read_encoded() {
            if !value.is_compact() {
                let value = Reader::new(value.as_bytes(), self.dialect).leaked();
                leaked = leaked.saturating_add(value.unwrap_or(0));
            }
        }
        leaked
    }

    /// Selects a reading of objects with [`detect_objects`](Self::detect_objects), and checks the
    /// values.
    #[cfg(feature = "traffic")]
    pub(crate) fn check_with_objects(&self) -> Result<()> {
        if self.has_only_leaves() { Ok(()) } else { self.detect_objects().check_each() }
    }

    /// Returns the length of the value that begins at index `at` of the bytes. Also returns `true`
    /// if a value of this type can have padding. Returns `None` for a raw run, a run of Godot 3, a
    /// container or a malformed value.
    #[inline(always)]
    pub(crate) fn leaf_at(&self, at: usize) -> Option<(usize, bool)> {
        if self.dialect != Dialect::Godot4 || self.extent == Extent::Raw {
            return None;
        }
        first_leaf(self.bytes.get(at..).filter(|rest| !rest.is_empty())?)
    }

    /// Iterates over the lengths of the values that begin at or after index `at` of the bytes.
    /// Selects a reading of objects with [`detect_objects`](Self::detect_objects). The iterator
    /// ends at a malformed value.
    #[cfg(feature = "traffic")]
    pub(crate) fn lengths_from(&self, at: usize) -> impl Iterator<Item = usize> + use<'a> {
        let mut values = self.detect_objects().iter();
        let start = self.offset.saturating_add(at as u64);
        core::iter::from_fn(move || {
            loop {
                let before = values.offset();
                values.read_encoded().ok()??;
                if before >= start {
                    return Some(values.offset().wrapping_sub(before) as usize);
                }
            }
        })
    }

    /// Returns `true` if a value can have padding.
    fn can_have_padding(&self) -> bool {
        let (mut at, mut left) = (0_usize, self.announced().unwrap_or(usize::MAX));
        while left > 0
            && let Some((len, false)) = self.leaf_at(at)
        {
            at = at.wrapping_add(len);
            left = left.wrapping_sub(1);
        }
        left > 0 && at < self.bytes.len()
    }

    /// Iterates over the values.
    pub fn iter(&self) -> RunReader<'a> {
        let values = CompactReader::for_dialect(self.bytes, self.dialect).origin(self.offset);
        let values = match self.objects {
            ObjectReading::Full => values.limits(Limits { objects: true, ..Limits::default() }),
            ObjectReading::Null | ObjectReading::Either => values,
        };
        let values = if self.is_raw() { values.raw() } else { values };
        RunReader { values, extent: self.extent, failed: false }
    }
}

/// Compares everything except the offset.
impl PartialEq for Run<'_> {
    fn eq(&self, other: &Self) -> bool {
        let parts = |run: &Self| (run.bytes, run.dialect, run.extent, run.objects);
        parts(self) == parts(other)
    }
}

impl Eq for Run<'_> {}

impl<'a> IntoIterator for Run<'a> {
    type Item = core::result::Result<VariantRef<'a>, Error>;
    type IntoIter = RunReader<'a>;

    fn into_iter(self) -> RunReader<'a> {
        self.iter()
    }
}

/// A cursor over the values of a [`Run`]. The iterator ends after an error.
///
/// ```
/// use gamewire::godot::json::{PrintError, Printer};
/// use gamewire::godot::multiplayer::Run;
///
/// let (mut values, mut lines) = (Run::compact(&[0x81, 0x02, 0x05]).iter(), String::new());
/// while values.visit(&mut Printer::new(&mut lines))? {
///     lines.push('\n');
/// }
/// assert_eq!(lines, "true\n\"i:5\"\n");
/// # Ok::<(), PrintError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RunReader<'a> {
    values: CompactReader<'a>,
    /// The number of remaining values.
    extent: Extent,
    failed: bool,
}

impl<'a> RunReader<'a> {
    /// Sets the limits. By default, objects are rejected and text is not checked.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.values = self.values.limits(limits);
        self
    }

    /// Returns the offset of the next value in the input.
    pub fn offset(&self) -> u64 {
        self.values.offset()
    }

    /// Returns the unread bytes. The bytes after the last value have no meaning.
    pub fn rest(&self) -> &'a [u8] {
        self.values.rest()
    }

    /// Returns `true` if another value follows. The value may be malformed.
    pub fn has_next(&self) -> bool {
        self.expects_value().unwrap_or(false)
    }

    /// Returns `true` if another value must be read, or an error if there are trailing bytes.
    fn expects_value(&self) -> Result<bool> {
        match self.extent {
            Extent::Raw | Extent::ToEnd => Ok(!self.values.is_empty()),
            Extent::Exactly(0) if !self.values.is_empty() => {
                let count = u32::try_from(self.rest().len()).unwrap_or(u32::MAX);
                Err(Error::new(ErrorKind::TrailingBytes { count }, self.offset()))
            }
            Extent::Count(left) | Extent::Exactly(left) => Ok(left != 0),
        }
    }

    /// Records that one value was read.
    fn done(&mut self) {
        if let Extent::Count(left) | Extent::Exactly(left) = &mut self.extent {
            *left = left.saturating_sub(1);
        }
    }

    /// Reads the next value, if there is one.
    ///
    /// # Errors
    /// Returns the errors of [`CompactReader::read`], and [`ErrorKind::TrailingBytes`] if bytes
    /// follow the values of a record of a [`Delta`](super::godot4::Delta).
    pub fn read(&mut self) -> Result<Option<VariantRef<'a>>> {
        if !self.expects_value()? {
            return Ok(None);
        }
        let value = self.values.read()?;
        self.done();
        Ok(Some(value))
    }

    /// Skips the next value. [`has_next`](Self::has_next) must have returned `true`.
    pub(super) fn skip_value(&mut self) -> Result<()> {
        self.values.skip_value()?;
        self.done();
        Ok(())
    }

    /// Reads the next value as encoded bytes, if there is one.
    ///
    /// # Errors
    /// Returns the errors of [`CompactReader::read`], and [`ErrorKind::TrailingBytes`] if bytes
    /// follow the values of a record of a [`Delta`](super::godot4::Delta).
    pub fn read_encoded(&mut self) -> Result<Option<Encoded<'a>>> {
        if !self.expects_value()? {
            return Ok(None);
        }
        let value = self.values.read_encoded()?;
        self.done();
        Ok(Some(value))
    }

    /// Visits the next value in one pass. Returns `false` if there is none.
    ///
    /// # Errors
    /// Returns the errors of [`CompactReader::visit`], and [`ErrorKind::TrailingBytes`] as for
    /// [`read`](Self::read).
    pub fn visit<V: Visitor<'a>>(
        &mut self,
        visitor: &mut V,
    ) -> core::result::Result<bool, V::Error> {
        if !self.expects_value()? {
            return Ok(false);
        }
        self.values.visit(visitor)?;
        self.done();
        Ok(true)
    }

    /// Visits the next value as [`visit`](Self::visit) does, but calls the visitor through a
    /// vtable; see [`Reader::visit_dyn`](crate::godot::Reader::visit_dyn).
    ///
    /// # Errors
    /// Returns the errors of [`visit`](Self::visit).
    pub fn visit_dyn<V: Visitor<'a>>(
        &mut self,
        visitor: &mut V,
    ) -> core::result::Result<bool, V::Error> {
        if !self.expects_value()? {
            return Ok(false);
        }
        self.values.visit_dyn(visitor)?;
        self.done();
        Ok(true)
    }
}

impl<'a> Iterator for RunReader<'a> {
    type Item = core::result::Result<VariantRef<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let value = self.read().transpose();
        self.failed = !matches!(value, Some(Ok(_)));
        value
    }
}

impl FusedIterator for RunReader<'_> {}

/// The arguments of a call. They can be a tuple of up to twelve [values](ToVariant), a slice of
/// [`VariantRef`] or [`Encoded`], or a [`Run`].
///
/// ```
/// use gamewire::godot::multiplayer::{NodeRef, godot4::PacketWriter};
/// use gamewire::godot::{Dialect, VariantRef};
///
/// let mut packets = Vec::new();
/// let mut writer = PacketWriter::new(&mut packets, Dialect::Godot4);
/// writer.call(NodeRef::Cached(1), 2, ("hello", 1.5))?;
/// writer.call(NodeRef::Cached(1), 3, ())?;
/// writer.call(NodeRef::Cached(1), 3, &[VariantRef::Int(5)][..])?;
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
pub trait ToVariants {
    /// Returns the number of values.
    fn count(&self) -> usize;

    /// Appends all values.
    ///
    /// # Errors
    /// Returns the errors of [`CompactWriter::put`]; for a [`Run`], also those of
    /// [`RunReader::read`].
    fn put_all<S: Sink>(&self, out: &mut CompactWriter<S>) -> Result<()>;

    /// Returns the bytes if the only value is a non-empty byte array. An engine sends an empty byte
    /// array in this way, too, but its receiver then sees a call without arguments.
    fn raw(&self) -> Option<&[u8]> {
        None
    }
}

fn raw<V: ToVariant>(value: &V) -> Option<&[u8]> {
    match value.compact() {
        CompactForm::ByteArray(bytes) if !bytes.is_empty() => Some(bytes),
        _ => None,
    }
}

macro_rules! tuples {
    ($($count:literal: $($V:ident)*;)*) => {$(
        impl<$($V: ToVariant),*> ToVariants for ($($V,)*) {
            fn count(&self) -> usize {
                $count
            }

            #[allow(non_snake_case, reason = "variables have the names of their types")]
            fn put_all<S: Sink>(&self, _out: &mut CompactWriter<S>) -> Result<()> {
                let ($($V,)*) = self;
                $(_out.put_ref($V)?;)*
                Ok(())
            }

            fn raw(&self) -> Option<&[u8]> {
                tuples!(raw self $($V)*)
            }
        }
    )*};
    (raw $self:ident $V:ident) => {
        raw(&$self.0)
    };
    (raw $self:ident $($V:ident)*) => {
        None
    };
}
tuples! {
    0: ;
    1: A;
    2: A B;
    3: A B C;
    4: A B C D;
    5: A B C D E;
    6: A B C D E F;
    7: A B C D E F G;
    8: A B C D E F G H;
    9: A B C D E F G H I;
    10: A B C D E F G H I J;
    11: A B C D E F G H I J K;
    12: A B C D E F G H I J K L;
}

macro_rules! slices {
    ($($V:ident)*) => {$(
        impl ToVariants for &[$V<'_>] {
            fn count(&self) -> usize {
                self.len()
            }

            fn put_all<S: Sink>(&self, out: &mut CompactWriter<S>) -> Result<()> {
                self.iter().try_for_each(|value| out.put_ref(value))
            }

            fn raw(&self) -> Option<&[u8]> {
                match self {
                    [value] => raw(value),
                    _ => None,
                }
            }
        }
    )*};
}
slices!(VariantRef Encoded);

/// Copies the bytes unchanged, unless the run is raw or the target has a different encoding. In
/// these two cases, encodes each value again.
impl ToVariants for Run<'_> {
    fn count(&self) -> usize {
        self.announced().unwrap_or_else(|| self.iter().count())
    }

    fn put_all<S: Sink>(&self, out: &mut CompactWriter<S>) -> Result<()> {
        if !self.is_raw() && out.target().copies(self.dialect) {
            return out.put_bytes(self.bytes);
        }
        let mut values = self.iter();
        while let Some(value) = values.read_encoded()? {
            out.put_ref(&value)?;
        }
        Ok(())
    }

    fn raw(&self) -> Option<&[u8]> {
        (self.is_raw() && !self.bytes.is_empty()).then_some(self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If the fast check fails, the values are checked one by one, with the same result. Therefore,
    /// only a unit test would notice a fast check that fails for valid values.
    #[test]
    fn values_without_items_pass_the_fast_check() {
        let two = &[0x81, 0x02, 0x05];
        let array = b"\x1c\0\0\0\0\0\0\0";
        for (bytes, extent, is_one_pass) in [
            (&two[..], Extent::ToEnd, true),
            (&two[..2], Extent::ToEnd, false),
            (array, Extent::ToEnd, false),
            (two, Extent::Count(1), true),
            (two, Extent::Count(2), true),
            (two, Extent::Count(3), false),
            (two, Extent::Exactly(1), false),
            (two, Extent::Exactly(2), true),
            (two, Extent::Exactly(3), false),
            (array, Extent::Raw, true),
        ] {
            let run = Run::new(bytes, 0, Dialect::Godot4, extent);
            assert_eq!(run.has_only_leaves(), is_one_pass, "{bytes:?} {extent:?}");
        }
        let run = Run::new(two, 0, Dialect::Godot3, Extent::ToEnd);
        assert!(!run.has_only_leaves());
    }

    /// Two runs with the same bytes are equal even if their offsets differ. They are not equal if
    /// their dialects or their numbers of values differ.
    #[test]
    fn equality_ignores_the_offset() {
        let run = |bytes, offset, extent| Run::new(bytes, offset, Dialect::Godot4, extent);
        let one = run(b"\x81", 5, Extent::Count(1));
        assert!(one == run(b"\x81", 9, Extent::Count(1)));
        assert!(one != run(b"\x01", 5, Extent::Count(1)));
        assert!(one != run(b"\x81", 5, Extent::Exactly(1)));
        assert!(one != Run::new(b"\x81", 5, Dialect::Godot3, Extent::Count(1)));
    }
}
