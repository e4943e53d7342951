use super::encoder::Encoder;
#[cfg(feature = "alloc")]
use super::encoder::Pieces;
use super::entry_sink::{Behind, Key};
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
use core::ops::{Deref, DerefMut};

/// Appends values to a sink, by default with the bytes the target's engine writes:
/// shortest ints, `f32` where exact, zero pads.
///
/// A value is written whole or not at all. Containers get their count first and
/// their items after; one that is dropped before [`Items::finish`] is taken back,
/// where the sink can.
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
    place: Place,
    /// An earlier value was left half-written.
    broken: bool,
}

/// A value as the bytes of the first dialect that can say it: its own, or else Godot 4, which
/// has all but Godot 2's own types and a Color of doubles.
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

/// The container being written.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Containers that may still open.
    depth: u32,
    /// Values that may come now.
    values: u64,
    /// Properties whose names may come; each lets one value come.
    names: u64,
}

impl<S: Sink> Writer<S> {
    /// A writer that appends to `sink`.
    #[inline]
    pub fn new(sink: S, target: impl Into<Target>) -> Self {
        let target = target.into();
        Self {
            sink,
            target,
            rules: target.dialect().rules(),
            wide: false,
            place: Place { depth: ENGINE_DEPTH, values: u64::MAX, names: 0 },
            broken: false,
        }
    }

    /// Writes ints and floats in 64 bits from now on, or the shortest way again.
    /// (For one value, put a [`Wide`](crate::godot::Wide).)
    pub fn set_wide(&mut self, wide: bool) {
        self.wide = wide;
    }

    /// What is written for.
    pub fn target(&self) -> Target {
        self.target
    }

    /// The sink.
    pub fn sink(&self) -> &S {
        &self.sink
    }

    pub(crate) fn sink_mut(&mut self) -> &mut S {
        &mut self.sink
    }

    /// The sink, back.
    pub fn into_sink(self) -> S {
        self.sink
    }

    /// Appends one value.
    ///
    /// # Errors
    /// Where the target cannot say it ([`ErrorKind::NoSuchType`],
    /// [`ErrorKind::Unrepresentable`]), where the sink is full, or where no item is due.
    /// Nothing is written then.
    #[inline(always)]
    pub fn put<V: ToVariant>(&mut self, value: V) -> Result<()> {
        self.put_ref(&value)
    }

    #[inline(always)]
    pub(crate) fn put_ref<V: ToVariant>(&mut self, value: &V) -> Result<()> {
        if self.place.values == 0 {
            return Err(self.not_due());
        }
        value.write(&mut self.encoder())?;
        self.place.values = self.place.values.wrapping_sub(1);
        Ok(())
    }

    /// Appends bytes that are no value in full: packets around values, short forms.
    pub(crate) fn put_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        if self.place.values == 0 {
            return Err(self.not_due());
        }
        let mut out = self.encoder();
        out.reserve(bytes.len())?;
        out.put(bytes);
        Ok(())
    }

    /// Appends a value that is written piece by piece.
    #[cfg(feature = "alloc")]
    pub(crate) fn put_pieces<P: Pieces>(
        &mut self,
        pieces: &P,
    ) -> core::result::Result<(), P::Error> {
        if self.place.values == 0 {
            return Err(self.not_due().into());
        }
        self.encoder().whole(pieces)?;
        self.place.values = self.place.values.wrapping_sub(1);
        Ok(())
    }

    /// Appends a value by `write`, which appends all of it or nothing.
    #[cfg(feature = "serde")]
    #[inline(always)]
    pub(crate) fn put_with<E: From<Error>>(
        &mut self,
        write: impl FnOnce(&mut Encoder<'_, S>) -> core::result::Result<(), E>,
    ) -> core::result::Result<(), E> {
        if self.place.values == 0 {
            return Err(self.not_due().into());
        }
        write(&mut self.encoder())?;
        self.place.values = self.place.values.wrapping_sub(1);
        Ok(())
    }

    /// Appends a dictionary's key and value. (`put` twice does the same.)
    ///
    /// # Errors
    /// As [`put`](Self::put).
    #[inline(always)]
    pub fn entry<K: ToVariant, V: ToVariant>(&mut self, key: K, value: V) -> Result<()> {
        if K::ONE_APPEND && V::ONE_APPEND && self.put_both(&key, &value).is_some() {
            return Ok(());
        }
        self.put_each(&key, &value)
    }

    /// Both at once, if nothing is in the way; otherwise nothing.
    #[inline(always)]
    fn put_both<K: ToVariant, V: ToVariant>(&mut self, key: &K, value: &V) -> Option<()> {
        let left = self.place.values.checked_sub(2)?;
        let Self { target, rules, wide, place: Place { depth, .. }, .. } = *self;
        let mut short = Key::default();
        key.write(&mut Encoder { sink: &mut short, target, rules, wide, depth }).ok()?;
        let mut behind = Behind { key: short.0?, sink: &mut self.sink };
        value.write(&mut Encoder { sink: &mut behind, target, rules, wide, depth }).ok()?;
        self.place.values = left;
        Some(())
    }

    /// One after the other: the key may be written where the value is refused.
    #[inline(never)]
    fn put_each<K: ToVariant, V: ToVariant>(&mut self, key: &K, value: &V) -> Result<()> {
        self.put_ref(key)?;
        self.put_ref(value)
    }

    /// Appends the name of an object's property; its value comes next.
    ///
    /// # Errors
    /// Where no property is due.
    pub fn property(&mut self, name: &str) -> Result<()> {
        if self.broken || self.place.values != 0 || self.place.names == 0 {
            let kind = if self.broken { ErrorKind::HalfWritten } else { ErrorKind::OutOfTurn };
            return Err(self.fail(kind));
        }
        self.encoder().property(name.as_bytes())?;
        self.place.names = self.place.names.wrapping_sub(1);
        self.place.values = 1;
        Ok(())
    }

    /// Opens an array of `len` elements.
    ///
    /// # Errors
    /// As [`put`](Self::put); too deep, too many.
    #[inline]
    pub fn array(&mut self, len: usize) -> Result<Items<'_, S>> {
        self.open_plain(Kind::Array, len, len as u64)
    }

    /// Opens an array of `len` elements of a stated type. What is put in is not
    /// held to it.
    ///
    /// # Errors
    /// As [`put`](Self::put); too deep, too many.
    pub fn typed_array(&mut self, len: usize, element: TypeRef<'_>) -> Result<Items<'_, S>> {
        let len = self.encoder().count(len)?;
        self.open(&Container::Array { len, element, shared: false }, u64::from(len), 0)
    }

    /// Opens a dictionary of `len` pairs.
    ///
    /// # Errors
    /// As [`put`](Self::put); too deep, too many.
    #[inline]
    pub fn dictionary(&mut self, len: usize) -> Result<Items<'_, S>> {
        self.open_plain(Kind::Dictionary, len, (len as u64).saturating_mul(2))
    }

    /// Opens a dictionary of `len` pairs of stated types. What is put in is not held
    /// to them.
    ///
    /// # Errors
    /// As [`put`](Self::put); too deep, too many.
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

    /// Opens a full object of `len` properties, each a [`property`](Self::property)
    /// and a value. Engines decode these only where they are told to.
    ///
    /// # Errors
    /// As [`put`](Self::put); too deep, too many.
    pub fn object(&mut self, class: &str, len: usize) -> Result<Items<'_, S>> {
        let len = self.encoder().count(len)?;
        let class = StrRef::from(class);
        self.open(&Container::Object { class, len }, 0, u64::from(len))
    }

    fn open(&mut self, container: &Container<'_>, values: u64, names: u64) -> Result<Items<'_, S>> {
        let depth = self.deeper(container.is_empty())?;
        let start = self.sink.position();
        self.encoder().head(container)?;
        Ok(self.items(start, Place { depth, values, names }))
    }

    /// A container that has nothing but a count in front of its items.
    #[inline(always)]
    fn open_plain(&mut self, kind: Kind, len: usize, values: u64) -> Result<Items<'_, S>> {
        let depth = self.deeper(len == 0)?;
        let start = self.sink.position();
        let mut out = self.encoder();
        let count = out.count(len)?;
        out.fixed(kind, 0, U32::new(count))?;
        Ok(self.items(start, Place { depth, values, names: 0 }))
    }

    /// Levels left inside of a container that opens here. An empty one may stand one level
    /// deeper than any other.
    #[inline(always)]
    fn deeper(&self, empty: bool) -> Result<u32> {
        if self.place.values == 0 {
            return Err(self.not_due());
        }
        match self.place.depth.checked_sub(1) {
            Some(depth) => Ok(depth),
            None if empty => Ok(0),
            None => Err(self.fail(ErrorKind::TooDeep { limit: ENGINE_DEPTH })),
        }
    }

    #[inline(always)]
    fn items(&mut self, start: usize, place: Place) -> Items<'_, S> {
        let outer = core::mem::replace(&mut self.place, place);
        Items { writer: self, outer, start, count: Count::Known, finished: false }
    }

    #[cold]
    #[inline(never)]
    fn not_due(&self) -> Error {
        self.fail(match self.place {
            _ if self.broken => ErrorKind::HalfWritten,
            Place { names: 0, .. } => ErrorKind::TooManyItems,
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
            depth: self.place.depth,
        }
    }

    #[cold]
    fn fail(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.sink.position() as u64)
    }
}

impl<S: PatchSink> Writer<S> {
    /// Opens an array whose length is counted as it is written.
    ///
    /// # Errors
    /// As [`put`](Self::put); too deep.
    pub fn array_counted(&mut self) -> Result<Items<'_, S>> {
        let element = TypeRef::Untyped;
        self.open_counted(&Container::Array { len: PENDING, element, shared: false }, 1)
    }

    /// Opens a dictionary whose pairs are counted as they are written.
    ///
    /// # Errors
    /// As [`put`](Self::put); too deep.
    pub fn dictionary_counted(&mut self) -> Result<Items<'_, S>> {
        let (key, value) = (TypeRef::Untyped, TypeRef::Untyped);
        self.open_counted(&Container::Dictionary { len: PENDING, key, value, shared: false }, 2)
    }

    fn open_counted(&mut self, container: &Container<'_>, each: u64) -> Result<Items<'_, S>> {
        let most = u64::from(PENDING).saturating_mul(each);
        let mut items = self.open(container, most, 0)?;
        let at = items.sink.position().saturating_sub(4);
        items.count = Count::Pending { at, each, patch: S::patch };
        Ok(items)
    }
}

/// Stands in a container's count until it is known: more items than any packet
/// holds, so that a count which was never patched cannot be read.
const PENDING: u32 = i32::MAX as u32;

/// A container being written: a [`Writer`] of its items. Ends with
/// [`finish`](Self::finish); dropped before that, it takes back what it wrote, or,
/// where the sink cannot, makes the writer refuse to go on.
///
/// ```
/// use gamewire::godot::{Dialect, Writer};
///
/// let mut packet = Vec::new();
/// let mut writer = Writer::new(&mut packet, Dialect::Godot4);
/// let mut items = writer.array_counted()?; // its length is counted
/// for name in ["a", "b"] {
///     items.put(name)?;
/// }
/// items.finish()?;
/// writer.array(3)?.put(1)?; // given up: two items are missing
/// assert_eq!(packet.len(), 32);
/// assert_eq!(packet[4], 2);
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[must_use = "a container must be finished"]
#[derive(Debug)]
pub struct Items<'w, S: Sink> {
    writer: &'w mut Writer<S>,
    outer: Place,
    start: usize,
    count: Count<S>,
    finished: bool,
}

#[derive(Clone, Copy, Debug)]
enum Count<S> {
    /// Written already.
    Known,
    /// To be written at `at`.
    Pending { at: usize, each: u64, patch: fn(&mut S, usize, [u8; 4]) },
}

impl<S: Sink> Items<'_, S> {
    /// Ends the container.
    ///
    /// # Errors
    /// [`ErrorKind::MissingItems`] where it got fewer items than announced, or a
    /// key without a value. It is taken back then.
    #[inline]
    pub fn finish(mut self) -> Result<()> {
        if self.writer.broken {
            return Err(self.fail(ErrorKind::HalfWritten));
        }
        let Place { values, names, .. } = self.writer.place;
        let left = values.saturating_add(names);
        match self.count {
            Count::Known if left == 0 => {}
            Count::Known => {
                return Err(
                    self.fail(ErrorKind::MissingItems(u32::try_from(left).unwrap_or(u32::MAX)))
                );
            }
            Count::Pending { at, each, patch } => {
                let most = u64::from(PENDING).saturating_mul(each);
                let count = most.saturating_sub(left).checked_div(each).unwrap_or_default();
                if left.checked_rem(each) != Some(0) {
                    return Err(self.fail(ErrorKind::MissingItems(1)));
                }
                let count = u32::try_from(count).unwrap_or(PENDING);
                patch(&mut self.writer.sink, at, count.to_le_bytes());
            }
        }
        self.finished = true;
        self.writer.place = self.outer;
        self.writer.place.values = self.outer.values.wrapping_sub(1);
        Ok(())
    }
}

impl<S: Sink> Drop for Items<'_, S> {
    fn drop(&mut self) {
        if self.finished {
            return;
        }
        self.writer.place = self.outer;
        self.writer.sink.rewind(self.start);
        if !S::REWINDS {
            self.writer.broken = true;
            self.writer.place.values = 0;
        }
    }
}

impl<S: Sink> Deref for Items<'_, S> {
    type Target = Writer<S>;

    fn deref(&self) -> &Writer<S> {
        self.writer
    }
}

impl<S: Sink> DerefMut for Items<'_, S> {
    fn deref_mut(&mut self) -> &mut Writer<S> {
        self.writer
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use crate::buffer::SliceSink;
    use crate::godot::{Color, Projection, StringName, Transform2D, Vector2, Vector3, Wide};
    use alloc::string::String;
    use alloc::vec::Vec;

    /// What became of a sink: its bytes, and the error.
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
        room: usize,
        put: impl Fn(&mut Writer<SliceSink<'_>>) -> Result<()>,
    ) -> Outcome {
        let mut memory = [0xAA; 512];
        let mut writer = Writer::new(SliceSink::new(&mut memory[..room]), target);
        let error = put(&mut writer).err();
        let bytes = writer.sink().written().to_vec();
        assert!(memory[bytes.len()..].iter().all(|byte| *byte == 0xAA), "nothing behind the end");
        (bytes, error)
    }

    fn is_as_put_twice<K: ToVariant + Copy, V: ToVariant + Copy>(target: Target, key: K, value: V) {
        let (expected, _) = into_vec(target, 0, |out| out.put(key).and_then(|()| out.put(value)));
        for capacity in [0, expected.len(), 31, 32, 512] {
            let twice =
                into_vec(target, capacity, |out| out.put(key).and_then(|()| out.put(value)));
            assert_eq!(into_vec(target, capacity, |out| out.entry(key, value)), twice);
        }
        for room in 0..=expected.len() {
            let twice = into_slice(target, room, |out| out.put(key).and_then(|()| out.put(value)));
            assert_eq!(into_slice(target, room, |out| out.entry(key, value)), twice);
        }
        let twice = into_vec(target, 0, |out| {
            let mut items = out.array(1)?;
            items.put(key).and_then(|()| items.put(value))
        });
        let entry = into_vec(target, 0, |out| out.array(1)?.entry(key, value));
        assert_eq!(entry, twice, "only one is due");
    }

    fn each_value<K: ToVariant + Copy>(target: Target, key: K, text: &str) {
        is_as_put_twice(target, key, ());
        is_as_put_twice(target, key, true);
        is_as_put_twice(target, key, -5);
        is_as_put_twice(target, key, i64::MIN);
        is_as_put_twice(target, key, Wide(5_i64));
        is_as_put_twice(target, key, 0.5);
        is_as_put_twice(target, key, 0.1);
        is_as_put_twice(target, key, Vector2 { x: 1.0_f32, y: -2.0 });
        is_as_put_twice(target, key, Vector2 { x: 1.0_f64, y: -2.0 });
        is_as_put_twice(target, key, Vector3 { x: 1, y: -2, z: 3 });
        is_as_put_twice(target, key, Color { r: 1.0_f32, g: 0.5, b: 0.25, a: 0.125 });
        is_as_put_twice(target, key, Transform2D::<f32>::default());
        is_as_put_twice(target, key, Projection::<f64>::default());
        is_as_put_twice(target, key, &[1_i32, 2, 3][..]);
        (0..=text.len()).for_each(|len| is_as_put_twice(target, key, &text[..len]));
    }

    /// Keys and values of every length that takes a way of its own, with room and without, in
    /// dialects with other ids, and without 64 bits or StringNames.
    #[test]
    fn an_entry_is_put_as_its_two_values_are() {
        let text: String = ('a'..='z').chain('A'..='Z').take(34).collect();
        for dialect in [Dialect::Godot4, Dialect::Godot2, Dialect::DocsDouble] {
            let target = Target::from(dialect);
            (0..=text.len()).for_each(|len| each_value(target, &text[..len], &text));
            each_value(target, StringName("name"), &text);
            each_value(target, 7, &text);
            each_value(target, 0.1, &text);
            each_value(target, Vector3 { x: 1.0_f32, y: 2.0, z: 3.0 }, &text);
            each_value(target, Color { r: 1.0_f32, g: 0.5, b: 0.25, a: 0.125 }, &text);
        }
    }
}
