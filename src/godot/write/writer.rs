//! The public writer: values and containers.

mod items;

pub use items::Items;

use super::encoder::Encoder;
#[cfg(feature = "alloc")]
use super::encoder::Pieces;
use super::entry_sink::{EntrySink, KeyCapture};
use super::to_variant::ToVariant;
use crate::buffer::{PatchSink, Sink};
#[cfg(feature = "alloc")]
use crate::godot::Dialect;
use crate::godot::read::walk::ENGINE_DEPTH;
use crate::godot::table::dialect::{Rules, Target};
use crate::godot::table::layouts::U32;
use crate::godot::types::container::{Container, TypeRef};
use crate::godot::types::text::StrRef;
use crate::godot::{Error, ErrorKind, Kind, Result};
use items::Count;

/// A writer that appends values to a sink. By default, it writes the bytes that the target's engine
/// writes. For example, ints take 32 bits if they fit, floats take 32 bits if `f32` represents them
/// exactly, and padding is zero.
///
/// A value is written completely or not at all. To write a container, open it with the number of
/// its items, then write the items. If the [`Items`] of a container are dropped without a call to
/// [`Items::finish`], the bytes of the container are removed, provided that the sink can rewind.
///
/// ```
/// use gamewire::godot::{Dialect, Vector2, Writer};
///
/// let mut packet = Vec::new();
/// let mut writer = Writer::new(&mut packet, Dialect::Godot4);
/// let mut state = writer.dictionary(2)?;
/// state.entry("name", "Ada")?;
/// state.put("places")?;
/// let mut places = state.array(1)?;
/// places.put(Vector2 { x: 1.0_f32, y: 2.5 })?;
/// places.finish()?;
/// state.finish()?;
/// assert_eq!(packet.len(), 68);
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Debug)]
pub struct Writer<S> {
    sink: S,
    target: Target,
    rules: &'static Rules,
    wide: bool,
    due: Due,
}

/// Encodes `value` in the first dialect that can represent it, starting with `own`. Godot 4 can
/// represent all values with two exceptions: types that only Godot 2 has, and colours in double
/// precision, which only `DocsDouble` has.
#[cfg(feature = "alloc")]
pub(crate) fn in_some_dialect(
    value: impl ToVariant + Copy,
    own: Dialect,
) -> Result<(alloc::vec::Vec<u8>, Dialect)> {
    let written = |dialect: Dialect| {
        let mut bytes = alloc::vec::Vec::new();
        Writer::new(&mut bytes, dialect).put(value).map(|()| (bytes, dialect))
    };
    let others = [Dialect::Godot4, Dialect::Godot2, Dialect::DocsDouble];
    written(own).or_else(|error| others.iter().find_map(|other| written(*other).ok()).ok_or(error))
}

/// The items that the innermost open container still expects.
#[derive(Clone, Copy, Debug)]
struct Due {
    /// Number of values that may be written now.
    values: u64,
    /// Number of property names that may still be written. Each name allows one value. This is
    /// [`BROKEN`] if a container was abandoned on a sink that cannot rewind.
    names: u32,
    /// Number of further levels of containers that may be opened.
    depth: u32,
}

/// A number of names that no object has.
const BROKEN: u32 = u32::MAX;

impl Due {
    const fn is_broken(&self) -> bool {
        self.names == BROKEN
    }
}

impl<S: Sink> Writer<S> {
    /// Creates a writer that appends to `sink`.
    #[inline]
    pub fn new(sink: S, target: impl Into<Target>) -> Self {
        let target = target.into();
        Self {
            sink,
            target,
            rules: target.dialect().rules(),
            wide: false,
            due: Due { depth: ENGINE_DEPTH, values: u64::MAX, names: 0 },
        }
    }

    /// Sets the width of all ints and floats that follow. If `wide` is `true`, they take 64 bits.
    /// If it is `false` (the default), they take 32 bits where these suffice, and 64 bits
    /// otherwise. To widen a single value, put a [`Wide`](crate::godot::Wide).
    pub fn set_wide(&mut self, wide: bool) {
        self.wide = wide;
    }

    /// Returns the target.
    pub fn target(&self) -> Target {
        self.target
    }

    /// Returns the sink.
    pub fn sink(&self) -> &S {
        &self.sink
    }

    pub(crate) fn sink_mut(&mut self) -> &mut S {
        &mut self.sink
    }

    /// Ends the writer and returns the sink.
    pub fn into_sink(self) -> S {
        self.sink
    }

    /// Appends one value.
    ///
    /// # Errors
    /// Returns an error if the target cannot represent the value ([`ErrorKind::NoSuchType`],
    /// [`ErrorKind::Unrepresentable`]), if containers nest too deeply, if a length does not fit in
    /// 31 bits, or if the sink is full. Also returns an error if no value may follow here: the open
    /// container has all of its items, the name of a property must be written first, or an earlier
    /// container was left half-written. In all these cases, nothing is written.
    #[inline(always)]
    pub fn put<V: ToVariant>(&mut self, value: V) -> Result<()> {
        self.put_ref(&value)
    }

    #[inline(always)]
    pub(crate) fn put_ref<V: ToVariant>(&mut self, value: &V) -> Result<()> {
        if self.due.values == 0 {
            return Err(self.unexpected_item());
        }
        value.write(&mut self.encoder())?;
        self.due.values = self.due.values.wrapping_sub(1);
        Ok(())
    }

    /// Appends bytes that do not count as an item: a packet header or a compact value.
    pub(crate) fn put_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        if self.due.values == 0 {
            return Err(self.unexpected_item());
        }
        let mut out = self.encoder();
        out.reserve(bytes.len())?;
        out.put(bytes);
        Ok(())
    }

    /// Appends a value that is written in pieces.
    #[cfg(feature = "alloc")]
    pub(crate) fn put_pieces<P: Pieces>(
        &mut self,
        pieces: &P,
    ) -> core::result::Result<(), P::Error> {
        if self.due.values == 0 {
            return Err(self.unexpected_item().into());
        }
        self.encoder().whole(pieces)?;
        self.due.values = self.due.values.wrapping_sub(1);
        Ok(())
    }

    /// Calls `write` to append a value. `write` must append the complete value or nothing.
    #[cfg(feature = "serde")]
    #[inline(always)]
    pub(crate) fn put_with<E: From<Error>>(
        &mut self,
        write: impl FnOnce(&mut Encoder<'_, S>) -> core::result::Result<(), E>,
    ) -> core::result::Result<(), E> {
        if self.due.values == 0 {
            return Err(self.unexpected_item().into());
        }
        write(&mut self.encoder())?;
        self.due.values = self.due.values.wrapping_sub(1);
        Ok(())
    }

    /// Appends a key and a value of a dictionary. Calling [`put`](Self::put) twice has the same
    /// result but is slower.
    ///
    /// # Errors
    /// Returns the errors of [`put`](Self::put). If the key was accepted and the value was
    /// rejected, the key stays in the sink. A different value must then be written for it.
    #[inline(always)]
    pub fn entry<K: ToVariant, V: ToVariant>(&mut self, key: K, value: V) -> Result<()> {
        if K::ONE_APPEND && V::ONE_APPEND && self.put_both(&key, &value).is_some() {
            return Ok(());
        }
        self.put_each(&key, &value)
    }

    /// Appends key and value with one store. Returns `None` without writing anything if that is not
    /// possible.
    #[inline(always)]
    fn put_both<K: ToVariant, V: ToVariant>(&mut self, key: &K, value: &V) -> Option<()> {
        let left = self.due.values.checked_sub(2)?;
        let Self { target, rules, wide, due: Due { depth, .. }, .. } = *self;
        let mut capture = KeyCapture::default();
        key.write(&mut Encoder { sink: &mut capture, target, rules, wide, depth }).ok()?;
        let mut entry = EntrySink { key: capture.0?, sink: &mut self.sink };
        value.write(&mut Encoder { sink: &mut entry, target, rules, wide, depth }).ok()?;
        self.due.values = left;
        Some(())
    }

    /// Appends the key, then the value. If the value is rejected, the key remains.
    #[inline(never)]
    fn put_each<K: ToVariant, V: ToVariant>(&mut self, key: &K, value: &V) -> Result<()> {
        self.put_ref(key)?;
        self.put_ref(value)
    }

    /// Appends the name of a property of an object. Its value must follow.
    ///
    /// # Errors
    /// Returns an error if the open container is not an object, if it first needs the value for the
    /// last name, or if it already has all of its properties. Also fails if the name is too long,
    /// if the sink is full, or if an earlier container was left half-written.
    pub fn property(&mut self, name: &str) -> Result<()> {
        if self.due.is_broken() {
            return Err(self.fail(ErrorKind::HalfWritten));
        }
        if self.due.values != 0 || self.due.names == 0 {
            return Err(self.fail(ErrorKind::OutOfTurn));
        }
        self.encoder().property(name.as_bytes())?;
        self.due.names = self.due.names.wrapping_sub(1);
        self.due.values = 1;
        Ok(())
    }

    /// Opens an array of `len` elements.
    ///
    /// # Errors
    /// Returns the errors of [`put`](Self::put). Also returns an error if the container is nested
    /// too deeply, or if `len` is too large.
    #[inline]
    pub fn array(&mut self, len: usize) -> Result<Items<'_, S>> {
        self.open_plain(Kind::Array, len, len as u64)
    }

    /// Opens a typed array of `len` elements. The writer does not check the types of the elements.
    ///
    /// # Errors
    /// Returns the errors of [`put`](Self::put). Also returns an error if the container is nested
    /// too deeply, or if `len` is too large.
    pub fn typed_array(&mut self, len: usize, element: TypeRef<'_>) -> Result<Items<'_, S>> {
        let len = self.encoder().count(len)?;
        self.open(&Container::Array { len, element, shared: false }, u64::from(len), 0)
    }

    /// Opens a dictionary of `len` pairs.
    ///
    /// # Errors
    /// Returns the errors of [`put`](Self::put). Also returns an error if the container is nested
    /// too deeply, or if `len` is too large.
    #[inline]
    pub fn dictionary(&mut self, len: usize) -> Result<Items<'_, S>> {
        self.open_plain(Kind::Dictionary, len, (len as u64).saturating_mul(2))
    }

    /// Opens a typed dictionary of `len` pairs. The writer does not check the types of keys and
    /// values.
    ///
    /// # Errors
    /// Returns the errors of [`put`](Self::put). Also returns an error if the container is nested
    /// too deeply, or if `len` is too large.
    pub fn typed_dictionary(
        &mut self,
        len: usize,
        key: TypeRef<'_>,
        value: TypeRef<'_>,
    ) -> Result<Items<'_, S>> {
        let len = self.encoder().count(len)?;
        let items = u64::from(len).saturating_mul(2);
        self.open(&Container::Dictionary { len, key, value, shared: false }, items, 0)
    }

    /// Opens a full object of `len` properties. For each one, write the name with
    /// [`property`](Self::property), then the value. Engines decode full objects only if the caller
    /// allows it (`allow_objects`).
    ///
    /// # Errors
    /// Returns the errors of [`put`](Self::put). Also returns an error if the container is nested
    /// too deeply, or if `len` is too large.
    pub fn object(&mut self, class: &str, len: usize) -> Result<Items<'_, S>> {
        let len = self.encoder().count(len)?;
        let class = StrRef::from(class);
        self.open(&Container::Object { class, len }, 0, len)
    }

    fn open(&mut self, container: &Container<'_>, values: u64, names: u32) -> Result<Items<'_, S>> {
        let depth = self.deeper(container.is_empty())?;
        let start = self.sink.position();
        self.encoder().head(container)?;
        Ok(self.items(start, Due { depth, values, names }))
    }

    /// Opens a container that has only a count before its items.
    #[inline(always)]
    fn open_plain(&mut self, kind: Kind, len: usize, values: u64) -> Result<Items<'_, S>> {
        let depth = self.deeper(len == 0)?;
        let start = self.sink.position();
        let mut out = self.encoder();
        let count = out.count(len)?;
        out.fixed(kind, 0, U32::new(count))?;
        Ok(self.items(start, Due { depth, values, names: 0 }))
    }

    /// Returns the number of further levels that a container opened now may contain. An empty
    /// container may be one level deeper than a container with items.
    #[inline(always)]
    fn deeper(&self, empty: bool) -> Result<u32> {
        if self.due.values == 0 {
            return Err(self.unexpected_item());
        }
        match self.due.depth.checked_sub(1) {
            Some(depth) => Ok(depth),
            None if empty => Ok(0),
            None => Err(self.fail(ErrorKind::TooDeep { limit: ENGINE_DEPTH })),
        }
    }

    #[inline(always)]
    fn items(&mut self, start: usize, due: Due) -> Items<'_, S> {
        let outer = core::mem::replace(&mut self.due, due);
        Items { writer: self, outer, start, count: Count::Known }
    }

    #[cold]
    #[inline(never)]
    fn unexpected_item(&self) -> Error {
        self.fail(match self.due {
            due if due.is_broken() => ErrorKind::HalfWritten,
            Due { names: 0, .. } => ErrorKind::TooManyItems,
            _ => ErrorKind::OutOfTurn,
        })
    }

    #[inline(always)]
    fn encoder(&mut self) -> Encoder<'_, S> {
        Encoder {
            sink: &mut self.sink,
            target: self.target,
            rules: self.rules,
            wide: self.wide,
            depth: self.due.depth,
        }
    }

    #[cold]
    fn fail(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.sink.position() as u64)
    }
}

impl<S: PatchSink> Writer<S> {
    /// Opens an array whose length is counted while its elements are written.
    ///
    /// # Errors
    /// Returns the errors of [`put`](Self::put), and an error if the nesting is too deep.
    pub fn array_counted(&mut self) -> Result<Items<'_, S>> {
        let element = TypeRef::Untyped;
        let most = u64::from(PENDING);
        let array = Container::Array { len: PENDING, element, shared: false };
        self.open_counted(&array, most, Count::Elements(S::patch))
    }

    /// Opens a dictionary whose pairs are counted while they are written.
    ///
    /// # Errors
    /// Returns the errors of [`put`](Self::put), and an error if the nesting is too deep.
    pub fn dictionary_counted(&mut self) -> Result<Items<'_, S>> {
        let (key, value) = (TypeRef::Untyped, TypeRef::Untyped);
        let most = u64::from(PENDING).saturating_mul(2);
        let dictionary = Container::Dictionary { len: PENDING, key, value, shared: false };
        self.open_counted(&dictionary, most, Count::Pairs(S::patch))
    }

    /// Opens a container without types whose items are counted. It can hold `most` values.
    fn open_counted(
        &mut self,
        container: &Container<'_>,
        most: u64,
        count: Count<S>,
    ) -> Result<Items<'_, S>> {
        let mut items = self.open(container, most, 0)?;
        items.count = count;
        Ok(items)
    }
}

/// Placeholder for a count that is not known yet. No packet can hold so many items, so every reader
/// rejects a count that was never patched.
const PENDING: u32 = i32::MAX as u32;

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use crate::buffer::SliceSink;
    use crate::godot::{Color, Projection, StringName, Transform2D, Vector2, Vector3, Wide};
    use alloc::string::String;
    use alloc::vec::Vec;

    /// The bytes in a sink after a write, and the error of the write, if it failed.
    type Outcome = (Vec<u8>, Option<Error>);

    fn into_vec(
        target: Target,
        capacity: usize,
        put: impl Fn(&mut Writer<&mut Vec<u8>>) -> Result<()>,
    ) -> Outcome {
        let mut bytes = Vec::with_capacity(capacity);
        let error = put(&mut Writer::new(&mut bytes, target)).err();
        (bytes, error)
    }

    fn into_slice(
        target: Target,
        capacity: usize,
        put: impl Fn(&mut Writer<SliceSink<'_>>) -> Result<()>,
    ) -> Outcome {
        let mut memory = [0xAA; 512];
        let mut writer = Writer::new(SliceSink::new(&mut memory[..capacity]), target);
        let error = put(&mut writer).err();
        let bytes = writer.sink().written().to_vec();
        assert!(
            memory[bytes.len()..].iter().all(|byte| *byte == 0xAA),
            "bytes after the end are untouched"
        );
        (bytes, error)
    }

    fn check_entry_equals_two_puts<K: ToVariant + Copy, V: ToVariant + Copy>(
        target: Target,
        key: K,
        value: V,
    ) {
        let (expected, _) = into_vec(target, 0, |out| out.put(key).and_then(|()| out.put(value)));
        for capacity in [0, expected.len(), 31, 32, 512] {
            let twice =
                into_vec(target, capacity, |out| out.put(key).and_then(|()| out.put(value)));
            assert_eq!(into_vec(target, capacity, |out| out.entry(key, value)), twice);
        }
        for capacity in 0..=expected.len() {
            let twice =
                into_slice(target, capacity, |out| out.put(key).and_then(|()| out.put(value)));
            assert_eq!(into_slice(target, capacity, |out| out.entry(key, value)), twice);
        }
        let twice = into_vec(target, 0, |out| {
            let mut items = out.array(1)?;
            items.put(key).and_then(|()| items.put(value))
        });
        let entry = into_vec(target, 0, |out| out.array(1)?.entry(key, value));
        assert_eq!(entry, twice, "the array expects only one item");
    }

    fn check_each_value<K: ToVariant + Copy>(target: Target, key: K, text: &str) {
        check_entry_equals_two_puts(target, key, ());
        check_entry_equals_two_puts(target, key, true);
        check_entry_equals_two_puts(target, key, -5);
        check_entry_equals_two_puts(target, key, i64::MIN);
        check_entry_equals_two_puts(target, key, Wide(5_i64));
        check_entry_equals_two_puts(target, key, 0.5);
        check_entry_equals_two_puts(target, key, 0.1);
        check_entry_equals_two_puts(target, key, Vector2 { x: 1.0_f32, y: -2.0 });
        check_entry_equals_two_puts(target, key, Vector2 { x: 1.0_f64, y: -2.0 });
        check_entry_equals_two_puts(target, key, Vector3 { x: 1, y: -2, z: 3 });
        check_entry_equals_two_puts(target, key, Color { r: 1.0_f32, g: 0.5, b: 0.25, a: 0.125 });
        check_entry_equals_two_puts(target, key, Transform2D::<f32>::default());
        check_entry_equals_two_puts(target, key, Projection::<f64>::default());
        check_entry_equals_two_puts(target, key, &[1_i32, 2, 3][..]);
        (0..=text.len()).for_each(|len| check_entry_equals_two_puts(target, key, &text[..len]));
    }

    /// Covers keys and values of every length that has a fast path, and sinks with and without
    /// spare capacity. The dialects have different type ids, and one of them has neither 64-bit
    /// numbers nor StringNames.
    #[test]
    fn entry_writes_the_same_bytes_as_two_puts() {
        let text: String = ('a'..='z').chain('A'..='Z').take(34).collect();
        for dialect in [Dialect::Godot4, Dialect::Godot2, Dialect::DocsDouble] {
            let target = Target::from(dialect);
            (0..=text.len()).for_each(|len| check_each_value(target, &text[..len], &text));
            check_each_value(target, StringName("name"), &text);
            check_each_value(target, 7, &text);
            check_each_value(target, 0.1, &text);
            check_each_value(target, Vector3 { x: 1.0_f32, y: 2.0, z: 3.0 }, &text);
            check_each_value(target, Color { r: 1.0_f32, g: 0.5, b: 0.25, a: 0.125 }, &text);
        }
    }
}
