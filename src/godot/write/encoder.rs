//! Encodes single values. Either all bytes of a value are appended or none.

use crate::buffer::{Count, InlineBytes, Sink};
use crate::godot::table::dialect::{Rules, Target};
use crate::godot::table::payload::Header;
use crate::godot::types::container::{Container, KEY_TYPE, SHARED, TypeRef, VALUE_TYPE};
use crate::godot::types::text::{self, StrRef};
use crate::godot::{Dialect, Error, ErrorKind, Kind, ObjectRef, Result, Unrepresentable};
use zerocopy::{Immutable, IntoBytes, Unaligned};

/// An encoder that appends values to a sink in the encoding of a target.
pub(crate) struct Encoder<'w, S> {
    pub sink: &'w mut S,
    pub target: Target,
    /// The rules of the target's dialect.
    pub rules: &'static Rules,
    /// `true` to encode ints and floats in 64 bits even if 32 are enough.
    pub wide: bool,
    /// Number of further levels of containers that may be opened.
    pub depth: u32,
}

/// Returns an error at `position`. This is not a method, because a call with the encoder's address
/// would force the encoder into memory.
#[cold]
#[inline(never)]
fn fail(kind: ErrorKind, position: usize) -> Error {
    Error::new(kind, position as u64)
}

/// States whether all dialects have a type and, if so, whether its id is the same in all of them.
/// It is computed at compile time, so that a value of a constant kind is encoded without a lookup.
#[derive(Clone, Copy)]
enum InAll {
    No,
    ByOtherIds,
    As(u8),
}

#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "at compile time")]
const IN_ALL: [InAll; Kind::ALL.len()] = {
    let mut kinds = [InAll::No; Kind::ALL.len()];
    let mut at = 0;
    while at < kinds.len() {
        kinds[Kind::ALL[at] as usize] = in_all(Kind::ALL[at], Dialect::ALL);
        at += 1;
    }
    kinds
};

const fn in_all(kind: Kind, dialects: &[Dialect]) -> InAll {
    match dialects {
        [] => InAll::No,
        [last] => match last.id(kind) {
            Some(id) => InAll::As(id),
            None => InAll::No,
        },
        [first, others @ ..] => match (first.id(kind), in_all(kind, others)) {
            (None, _) | (_, InAll::No) => InAll::No,
            (Some(id), InAll::As(same)) if id == same => InAll::As(id),
            _ => InAll::ByOtherIds,
        },
    }
}

/// Joins a header and the length or count that follows it.
#[inline(always)]
pub(crate) const fn counting(header: [u8; 4], count: u32) -> [u8; 8] {
    // As one number, since the compiler would assemble an array byte by byte.
    (u32::from_le_bytes(header) as u64 | (count as u64) << 32).to_le_bytes()
}

/// A header and its payload, appended in one piece.
#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Headed<T> {
    header: [u8; 4],
    payload: T,
}

impl<'w, S: Sink> Encoder<'w, S> {
    #[inline(always)]
    pub(crate) fn new(sink: &'w mut S, target: Target, depth: u32) -> Self {
        Self { sink, target, rules: target.dialect().rules(), wide: false, depth }
    }

    #[inline(always)]
    pub(crate) fn rules(&self) -> &'static Rules {
        self.rules
    }

    #[inline(always)]
    pub(crate) fn is_wide(&self) -> bool {
        self.wide
    }

    #[inline(always)]
    pub(crate) fn fail(&self, kind: impl Into<ErrorKind>) -> Error {
        fail(kind.into(), self.sink.position())
    }

    #[inline(always)]
    pub(crate) fn unrepresentable<T>(&self, kind: Kind, what: Unrepresentable) -> Result<T> {
        Err(self.fail(ErrorKind::Unrepresentable(kind, what)))
    }

    /// Returns the header of `kind`.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NoSuchType`] if the target does not have that type.
    #[inline(always)]
    pub(crate) fn header(&self, kind: Kind, flags: u32) -> Result<[u8; 4]> {
        match self.id(kind) {
            Some(id) => Ok((u32::from(id) | flags).to_le_bytes()),
            None => Err(self.fail(ErrorKind::NoSuchType(kind))),
        }
    }

    #[inline(always)]
    fn id(&self, kind: Kind) -> Option<u8> {
        match IN_ALL.get(kind as usize) {
            Some(InAll::As(id)) => Some(*id),
            Some(InAll::ByOtherIds) => Some(self.rules.ids.id(kind).unwrap_or(u8::MAX)),
            _ => self.rules.ids.id(kind).filter(|_| self.target.has(kind)),
        }
    }

    #[inline(always)]
    pub(crate) fn reserve(&mut self, n: usize) -> Result<()> {
        match self.sink.reserve(n) {
            Ok(()) => Ok(()),
            Err(full) => Err(self.fail(full)),
        }
    }

    /// Returns the number of strings, and their total size with their lengths and padding.
    #[inline]
    pub(crate) fn measure_texts<'t>(
        &self,
        texts: impl Iterator<Item = &'t [u8]>,
    ) -> Result<(usize, usize)> {
        let (mut count, mut total) = (0_usize, 0_usize);
        for text in texts {
            count = count.wrapping_add(1);
            total = total.saturating_add(self.text_len(text.len())?);
        }
        Ok((count, total))
    }

    /// Returns the size of a string with its length field and padding.
    #[inline(always)]
    pub(crate) fn text_len(&self, len: usize) -> Result<usize> {
        self.count(len)?;
        Ok(len.wrapping_add(text::pad(len)).wrapping_add(4))
    }

    #[inline(always)]
    pub(crate) fn put(&mut self, bytes: &[u8]) {
        self.sink.put(bytes);
    }

    /// Appends a string with its length and padding. The caller must have reserved
    /// [`text_len`](Self::text_len) bytes.
    #[inline(always)]
    pub(crate) fn text(&mut self, text: &[u8]) {
        let len = (text.len() as u32).to_le_bytes();
        let appended = self.sink.append_padded(len, text, text::pad(text.len()));
        debug_assert!(appended.is_ok(), "space was reserved");
    }

    /// Converts a length or count to its encoding on the wire. Engines read it as a signed 32-bit
    /// number.
    #[inline(always)]
    pub(crate) fn count(&self, n: usize) -> Result<u32> {
        match i32::try_from(n) {
            Ok(n) => Ok(n.unsigned_abs()),
            Err(_) => Err(self.fail(ErrorKind::TooLong)),
        }
    }

    /// Appends a value of fixed size.
    #[inline(always)]
    pub(crate) fn fixed<T>(&mut self, kind: Kind, flags: u32, payload: T) -> Result<()>
    where
        T: IntoBytes + Immutable + Unaligned,
    {
        let header = self.header(kind, flags)?;
        self.headed(header, payload)
    }

    /// Appends a header and a payload of fixed size.
    #[inline(always)]
    pub(crate) fn headed<T>(&mut self, header: [u8; 4], payload: T) -> Result<()>
    where
        T: IntoBytes + Immutable + Unaligned,
    {
        match self.sink.append(Headed { header, payload }) {
            Ok(()) => Ok(()),
            Err(full) => Err(self.fail(full)),
        }
    }

    /// Appends a packed array or a string: its header, its count, and the bytes of its elements,
    /// padded.
    #[inline(always)]
    pub(crate) fn counted(
        &mut self,
        kind: Kind,
        flags: u32,
        bytes: &[u8],
        count: usize,
    ) -> Result<()> {
        let header = self.header(kind, flags)?;
        self.count(bytes.len())?;
        let head = counting(header, self.count(count)?);
        match self.sink.append_padded(head, bytes, text::pad(bytes.len())) {
            Ok(()) => Ok(()),
            Err(full) => Err(self.fail(full)),
        }
    }

    /// Encodes a String without writing it, or returns `None` if it is longer than 24 bytes.
    #[inline(always)]
    pub(crate) fn inline_string(&self, text: &str) -> Result<Option<InlineBytes>> {
        let head = counting(self.header(Kind::String, 0)?, self.count(text.len())?);
        Ok(InlineBytes::padded(head, text.as_bytes(), text::pad(text.len())))
    }

    /// Appends a String that is a literal of the program. The compiler knows its length and assembles
    /// short ones, so that this takes half as many instructions as for other text.
    #[cfg(feature = "serde")]
    #[inline(always)]
    pub(crate) fn literal(&mut self, text: &str) -> Result<()> {
        match self.inline_string(text)? {
            Some(inline) => self.inline(inline),
            None => self.counted(Kind::String, 0, text.as_bytes(), text.len()),
        }
    }

    #[inline(always)]
    pub(crate) fn inline(&mut self, value: InlineBytes) -> Result<()> {
        match self.sink.append_inline(value) {
            Ok(()) => Ok(()),
            Err(full) => Err(self.fail(full)),
        }
    }

    /// Appends a packed array whose elements are converted one by one.
    pub(crate) fn elements<T>(
        &mut self,
        kind: Kind,
        flags: u32,
        elements: impl ExactSizeIterator<Item = T>,
    ) -> Result<()>
    where
        T: IntoBytes + Immutable,
    {
        let header = self.header(kind, flags)?;
        let total = self.text_len(elements.len().saturating_mul(size_of::<T>()))?;
        self.reserve(total.saturating_add(4))?;
        self.sink.put(&header);
        self.sink.put(&self.count(elements.len())?.to_le_bytes());
        elements.for_each(|element| self.sink.put(element.as_bytes()));
        Ok(())
    }

    /// Appends a packed array of native numbers. On little-endian machines their memory is copied.
    pub(crate) fn native<T, W>(&mut self, kind: Kind, numbers: &[T], wire: fn(T) -> W) -> Result<()>
    where
        T: Copy + IntoBytes + Immutable,
        W: IntoBytes + Immutable,
    {
        if cfg!(target_endian = "little") {
            self.counted(kind, 0, numbers.as_bytes(), numbers.len())
        } else {
            self.elements(kind, 0, numbers.iter().map(|number| wire(*number)))
        }
    }

    /// Appends a packed array of strings, each with the NUL that engines include in its length.
    pub(crate) fn strings<'t>(
        &mut self,
        kind: Kind,
        texts: impl ExactSizeIterator<Item = &'t [u8]> + Clone,
    ) -> Result<()> {
        let header = self.header(kind, 0)?;
        let mut total = 8_usize;
        for text in texts.clone() {
            total = total.saturating_add(self.text_len(self.string_len(text))?);
        }
        self.reserve(total)?;
        self.sink.put(&header);
        self.sink.put(&self.count(texts.len())?.to_le_bytes());
        texts.into_iter().try_for_each(|text| self.put_string(text))
    }

    /// Appends one string of a packed array.
    #[cfg(feature = "serde")]
    pub(crate) fn string(&mut self, text: &[u8]) -> Result<()> {
        self.reserve(self.text_len(self.string_len(text))?)?;
        self.put_string(text)
    }

    /// Returns the length of a string in a packed array, including its NUL if the dialect counts
    /// one. `Docs` and `DocsDouble` do not. However, readers of these dialects remove a NUL at the
    /// end, so a string that ends in a NUL gets an additional one.
    fn string_len(&self, text: &[u8]) -> usize {
        let nul = self.rules().counted_nul || text.ends_with(&[0]);
        text.len().saturating_add(usize::from(nul))
    }

    /// Appends one string of a packed array. The caller must have reserved space for it.
    #[inline(always)]
    fn put_string(&mut self, text: &[u8]) -> Result<()> {
        let len = self.string_len(text);
        let head = self.count(len)?.to_le_bytes();
        let nul = len > text.len();
        let appended = self.sink.append_terminated(head, text, nul, text::pad(len));
        debug_assert!(appended.is_ok(), "space was reserved");
        Ok(())
    }

    /// Appends the head of a container: its header, types and count.
    pub(crate) fn head(&mut self, container: &Container<'_>) -> Result<()> {
        let (types, shared) = match *container {
            Container::Array { element, shared, .. } => {
                ([(element, KEY_TYPE), (TypeRef::Untyped, VALUE_TYPE)], shared)
            }
            Container::Dictionary { key, value, shared, .. } => {
                ([(key, KEY_TYPE), (value, VALUE_TYPE)], shared)
            }
            Container::Object { class, len } => return self.object_head(class, len),
        };
        let kind = container.kind();
        let mut flags = 0;
        let mut total = 8_usize;
        for (of, bits) in types {
            flags |= of.form().wrapping_shl(bits);
            total = total.saturating_add(self.type_len(kind, of)?);
        }
        let header = self.header(kind, flags)?;
        self.reserve(total)?;
        self.put(&header);
        for (of, _) in types {
            self.type_of(of);
        }
        let shared = if shared && self.rules().shared { SHARED } else { 0 };
        let count = self.count(container.len() as usize)? | shared;
        self.put(&count.to_le_bytes());
        Ok(())
    }

    /// Appends the head of a container, copied from `bytes` if the target reads that encoding.
    #[cfg(feature = "alloc")]
    pub(crate) fn raw_head(&mut self, container: &Container<'_>, bytes: &[u8]) -> Result<()> {
        if !self.target.copies(self.target.dialect()) {
            return self.head(container);
        }
        self.reserve(bytes.len())?;
        self.put(bytes);
        Ok(())
    }

    fn type_len(&self, container: Kind, of: TypeRef<'_>) -> Result<usize> {
        if of != TypeRef::Untyped && !self.target.has_typed(container) {
            return self.unrepresentable(container, Unrepresentable::TypedContainer);
        }
        match of {
            TypeRef::Untyped => Ok(0),
            TypeRef::Builtin(kind) if self.id(kind).is_none() => {
                self.unrepresentable(container, Unrepresentable::ElementType)
            }
            TypeRef::Builtin(_) => Ok(4),
            TypeRef::Class(text) | TypeRef::Script(text) => self.text_len(text.as_bytes().len()),
        }
    }

    fn type_of(&mut self, of: TypeRef<'_>) {
        match of {
            TypeRef::Untyped => {}
            TypeRef::Builtin(kind) => {
                let id = u32::from(self.id(kind).unwrap_or_default());
                self.put(&id.to_le_bytes());
            }
            TypeRef::Class(text) | TypeRef::Script(text) => self.text(text.as_bytes()),
        }
    }

    fn object_head(&mut self, class: StrRef<'_>, len: u32) -> Result<()> {
        let header = self.header(Kind::Object, 0)?;
        if !self.rules().objects {
            return self.unrepresentable(Kind::Object, Unrepresentable::Object);
        }
        // An object with an empty class reads as null, so no properties may follow.
        if class.visible().is_empty() {
            return self.unrepresentable(Kind::Object, Unrepresentable::NoClass);
        }
        let class = class.as_bytes();
        self.reserve(self.text_len(class.len())?.saturating_add(8))?;
        self.put(&header);
        self.text(class);
        self.put(&len.to_le_bytes());
        Ok(())
    }

    /// Appends the name of a property.
    pub(crate) fn property(&mut self, name: &[u8]) -> Result<()> {
        self.reserve(self.text_len(name.len())?)?;
        self.text(name);
        Ok(())
    }

    /// Appends a null object or an object that is only an id.
    pub(crate) fn object(&mut self, object: &ObjectRef<'_>) -> Result<()> {
        match *object {
            ObjectRef::Id(id) if id != 0 && self.rules().objects => {
                self.fixed(Kind::Object, Header::WIDE, id.to_le_bytes())
            }
            ObjectRef::Id(id) if id != 0 => {
                self.unrepresentable(Kind::Object, Unrepresentable::Object)
            }
            _ if self.rules().null_is_nil => self.fixed(Kind::Nil, 0, ()),
            _ if self.rules().objects => self.fixed(Kind::Object, 0, [0_u8; 4]),
            _ => self.fixed(Kind::Object, 0, ()),
        }
    }

    /// Appends all pieces of a value, or nothing.
    pub(crate) fn whole<P: Pieces>(&mut self, pieces: &P) -> core::result::Result<(), P::Error> {
        if !S::REWINDS {
            // The sink cannot rewind, so encode into a counting sink first.
            let start = self.sink.position();
            let mut count = Count(start);
            pieces.write(&mut self.dry(&mut count))?;
            self.reserve(count.0.saturating_sub(start))?;
        }
        let start = self.sink.position();
        let written = pieces.write(self);
        if written.is_err() {
            self.sink.rewind(start);
        }
        written
    }

    pub(crate) fn dry<'c>(&self, sink: &'c mut Count) -> Encoder<'c, Count> {
        Encoder { sink, target: self.target, rules: self.rules, wide: self.wide, depth: self.depth }
    }
}

/// A value that is written in several pieces; see [`Encoder::whole`].
pub(crate) trait Pieces {
    type Error: From<Error>;

    fn write<S: Sink>(&self, out: &mut Encoder<'_, S>) -> core::result::Result<(), Self::Error>;
}
