//! Writer of binary streams.

mod tables;
mod values;

use super::error::{KindResult, WriteError, WriteErrorKind};
use super::item_sink::{ItemSink, OutputFormat};
use super::output::{Output, shared_sink_methods};
use super::readback;
use super::scanned_str::ScannedStr;
use super::state::{Enclosing, Expected, State};
use crate::buffer::Sink;
use crate::rems::binary::{ANOTHER_ROOT, NO_MORE_ROOTS};
use crate::rems::print::{Unreadable, Warning};
use crate::rems::{Era, Kind, Part, StrRef, Type, Value};
use alloc::vec::Vec;
use tables::{Attributes, Strings};

/// A writer of a binary stream. It produces the same bytes as an engine.
///
/// The writer keeps all strings and the attributes (names and types of properties) of each class in
/// memory, since a stream defines each string and attribute only once. `DEPTH` is the maximum
/// nesting of objects and lists. [`ItemSink`] describes what can be written and in which order. A
/// list of a [`Type::Class`] can only contain objects of that class, and the stream does not
/// contain their numbers. A list of [`Type::Mixed`] can contain objects of any class.
///
/// ```
/// use gamewire::rems::{BinaryWriter, Era, ItemSink};
///
/// let mut writer = BinaryWriter::new(Vec::new(), Era::default());
/// writer.object("Empty", Some(1))?;
/// writer.end()?;
/// let stream = b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFE\x05\x01\xFF\xFF\xFF\xF9Empty\0\0\0\x01\
///     \xFF\xFF\xFF\xFE\x25";
/// assert_eq!(writer.finish()?, stream);
/// # Ok::<(), gamewire::rems::WriteError>(())
/// ```
#[derive(Debug)]
pub struct BinaryWriter<S, const DEPTH: usize = 256> {
    out: Output<S>,
    era: Era,
    state: State<DEPTH>,
    strings: Strings,
    attributes: Attributes,
    /// Number of attributes that have been written.
    attribute_count: usize,
    /// Name of the property whose value is next. The name is written together with the value.
    name: Name,
    /// Class of the next list.
    class: Vec<u8>,
    scratch: Vec<u8>,
    fill_limit: u64,
    filled: u64,
}

/// Index of a string. `new` is `true` if the string has not been written yet, so the writer must
/// define it.
#[derive(Clone, Copy, Debug, Default)]
struct Name {
    index: u32,
    new: bool,
}

/// Marker at the end of an object. Engines accept any lower value, too.
const END: i32 = -2;
/// Marker before the definition of an attribute.
const NEW: i32 = -1;
/// Marker for null in place of a string.
const NULL: i32 = -1;

/// Default limit for the number of bytes that are written for omitted elements.
const FILL_LIMIT: u64 = 1 << 24;

impl<S: Sink> BinaryWriter<S> {
    /// Creates a writer that appends to a sink.
    pub fn new(sink: S, era: Era) -> Self {
        Self::with_depth(sink, era)
    }
}

impl<S: Sink, const DEPTH: usize> BinaryWriter<S, DEPTH> {
    /// Creates a writer whose `DEPTH` can differ from the default of 256.
    pub fn with_depth(sink: S, era: Era) -> Self {
        Self {
            out: Output::new(sink),
            era,
            state: State::new(),
            strings: Strings::default(),
            attributes: Attributes::default(),
            attribute_count: 0,
            name: Name::default(),
            class: Vec::new(),
            scratch: Vec::new(),
            fill_limit: FILL_LIMIT,
            filled: 0,
        }
    }

    /// Limits the number of bytes in the whole stream that are written for omitted elements. An
    /// element is omitted if an array or list declares it, but the caller does not write it. The
    /// default is 16 MiB.
    #[must_use]
    pub fn fill_limit(mut self, bytes: u64) -> Self {
        self.fill_limit = bytes;
        self
    }

    /// Ends the stream and returns the sink.
    ///
    /// # Errors
    /// If an object or list is still open, if the sink is full, if an earlier error left the output
    /// incomplete, or if the stream has no objects (unless [`force`](ItemSink::force) allows that).
    pub fn finish(mut self) -> Result<S, WriteError> {
        self.atomic(|writer| {
            writer.state.finish()?;
            if writer.state.top.first {
                writer.out.read_back(Err(Unreadable::NoObjects))?;
                writer.header()?;
            }
            writer.out.bytes(&[NO_MORE_ROOTS]);
            writer.out.flush()
        })?;
        Ok(self.out.sink)
    }

    /// Calls `write`. If `write` fails, discards its output. If `write` had already defined a
    /// string or attribute, all later calls fail, too.
    #[inline]
    fn atomic(&mut self, write: impl FnOnce(&mut Self) -> KindResult) -> Result<(), WriteError> {
        let start = (self.out.start(), self.strings.len(), self.attribute_count);
        let result = if self.out.broken { Err(WriteErrorKind::HalfWritten) } else { write(self) };
        result.map_err(|kind| self.failed(kind, start))
    }

    #[cold]
    fn failed(&mut self, kind: WriteErrorKind, start: (usize, usize, usize)) -> WriteError {
        self.out.broken |= (self.strings.len(), self.attribute_count) != (start.1, start.2);
        self.out.failed(kind, start.0)
    }

    #[inline]
    fn i32(&mut self, value: i32) {
        self.out.bytes(&value.to_be_bytes())
    }

    fn count(&mut self, count: u32) -> KindResult {
        match i32::try_from(count) {
            Ok(count) => {
                self.i32(count);
                Ok(())
            }
            Err(_) => Err(WriteErrorKind::TooLong(count as usize)),
        }
    }

    /// Writes the header. It defines an attribute with an empty name, which holds the list of all
    /// objects.
    fn header(&mut self) -> KindResult {
        let none = self.find(StrRef::new(&[]))?;
        let id = self.era.ids().roots;
        self.state.top.table = none.index;
        self.name = none;
        self.attribute(id);
        Ok(())
    }

    /// Returns the index of a string. Adds the string if it is new.
    fn find(&mut self, text: StrRef<'_>) -> KindResult<Name> {
        let (index, new) = match text.as_bytes() {
            Some(bytes) => self.strings.find_or_add(bytes),
            None => {
                self.scratch.clear();
                self.scratch.extend(text.bytes());
                self.strings.find_or_add(&self.scratch)
            }
        };
        let long = self.strings.get(index).len();
        if i32::try_from(index).is_err() || i32::try_from(long.saturating_add(2)).is_err() {
            return Err(WriteErrorKind::TooLong(long));
        }
        Ok(Name { index, new })
    }

    /// Writes a string: its index, or its definition.
    fn string(&mut self, name: Name) {
        if !name.new {
            return self.i32(name.index.cast_signed());
        }
        let text = self.strings.get(name.index);
        let len = (text.len() as i32).saturating_add(2).wrapping_neg();
        self.out.bytes(&len.to_be_bytes());
        self.out.bytes(text)
    }

    /// Writes the attribute that precedes the value of a property: its index, or its definition.
    fn attribute(&mut self, id: u8) {
        let Name { index, new } = self.name;
        match self.attributes.find_or_add(self.state.top.table, index, id) {
            Some(known) => self.i32(known.cast_signed()),
            None => {
                self.attribute_count = self.attribute_count.wrapping_add(1);
                self.i32(NEW);
                self.string(Name { index, new });
                self.out.bytes(&[id])
            }
        }
    }

    /// Writes the attribute of a property, or the marker byte of an element.
    fn head(&mut self, id: u8) {
        if self.state.in_property() { self.attribute(id) } else { self.out.bytes(&[id]) }
    }

    /// Returns `true` for an element of a list of one class.
    fn is_bare(&self, slot: Expected) -> bool {
        matches!(slot, Expected::Class(_, 0)) && !self.state.in_property()
    }

    /// Writes a class. Returns its index.
    fn class(&mut self, class: StrRef<'_>) -> KindResult<u32> {
        let name = self.find(class)?;
        self.string(name);
        Ok(name.index)
    }

    /// Writes the elements that the innermost list declares, but that the caller did not write.
    /// Depending on the type of the list, they are null, empty strings or empty lists. All of them
    /// are encoded as zeros.
    fn missing(&mut self, count: u32) -> KindResult {
        let size = match self.state.elements() {
            Expected::Class(_, 0) => return Err(WriteErrorKind::MissingElements(count)),
            Expected::Object => 1,
            _ => 4,
        };
        self.fill(count, size)?;
        self.zeros(u64::from(count).wrapping_mul(size as u64));
        Ok(())
    }

    fn id(&self, kind: Kind, dim: u8) -> KindResult<u8> {
        let id = kind.id(dim, self.era.id_scheme());
        id.ok_or(WriteErrorKind::NoSuchType { kind: Some(kind), dim })
    }
}

impl<S: Sink, const DEPTH: usize> ItemSink for BinaryWriter<S, DEPTH> {
    fn format(&self) -> OutputFormat {
        OutputFormat::Binary(self.era)
    }

    shared_sink_methods!();

    fn object<'s>(
        &mut self,
        class: impl Into<StrRef<'s>>,
        number: Option<u32>,
    ) -> Result<(), WriteError> {
        let class = class.into();
        self.atomic(|writer| {
            let class_known = writer.state.object(class)?;
            writer.state.check_depth()?;
            if class_known && !writer.state.in_property() {
                // The list contains the class for all its elements, and the elements have no
                // numbers.
                writer.state.open_object(true, writer.state.top.table);
                return Ok(());
            }
            let number = number.ok_or(WriteErrorKind::NoNumber)?;
            let number =
                i32::try_from(number).map_err(|_| WriteErrorKind::BadNumber(number.into()))?;
            writer.out.read_back(readback::utf8(ScannedStr::new(class)))?;
            let id = writer.era.ids().object;
            match (writer.state.top.enclosing, writer.state.top.first) {
                (Enclosing::File, true) => {
                    writer.header()?;
                    writer.out.bytes(&[id]);
                }
                (Enclosing::File, false) => writer.out.bytes(&[ANOTHER_ROOT, id]),
                _ => writer.head(id),
            }
            let table = writer.class(class)?;
            writer.i32(number);
            writer.out.hold()?;
            writer.state.open_object(true, table);
            Ok(())
        })
    }

    fn property<'s>(
        &mut self,
        ty: Type<'_>,
        name: impl Into<StrRef<'s>>,
    ) -> Result<(), WriteError> {
        let name = name.into();
        self.atomic(|writer| {
            writer.state.property()?;
            writer.out.read_back(readback::utf8(ScannedStr::new(name)))?;
            match ty {
                Type::Kind(kind, dim) => {
                    writer.id(kind, dim)?;
                    writer.out.read_back(readback::binary_kind(writer.era, kind, dim))?;
                }
                Type::Class(class, 1) => {
                    writer.out.read_back(readback::classes(writer.era))?;
                    writer.class.clear();
                    writer.class.extend(class.bytes());
                }
                _ => {}
            }
            writer.name = writer.find(name)?;
            writer.state.expect(match Expected::of(ty) {
                Expected::Class(_, dim @ 2..) => Expected::Mixed(dim),
                slot => slot,
            });
            Ok(())
        })
    }

    fn pointer(&mut self, number: u32) -> Result<(), WriteError> {
        self.atomic(|writer| {
            let slot = writer.state.pointer()?;
            if writer.is_bare(slot) {
                return Err(WriteErrorKind::OutOfTurn("the number of an object"));
            }
            let Ok(number) = i32::try_from(number) else {
                return Err(WriteErrorKind::BadNumber(number.into()));
            };
            writer.head(writer.era.ids().pointer);
            writer.i32(number);
            writer.out.hold()?;
            writer.state.done();
            Ok(())
        })
    }

    fn null(&mut self) -> Result<(), WriteError> {
        self.atomic(|writer| {
            let slot = writer.state.null()?;
            match (slot, writer.state.in_property()) {
                (slot, false) if writer.is_bare(slot) => {
                    return Err(WriteErrorKind::OutOfTurn("null"));
                }
                (Expected::Kind(kind, 0), true) => {
                    writer.attribute(writer.id(kind, 0)?);
                    writer.i32(NULL);
                }
                (Expected::Kind(_, 0), false) => writer.i32(NULL),
                // A list in a list cannot be null; write an empty list.
                (slot, false) if slot.dim() > 0 => writer.i32(0),
                _ => writer.head(writer.era.ids().null),
            }
            writer.out.hold()?;
            writer.state.done();
            Ok(())
        })
    }

    fn list(&mut self, len: u32) -> Result<(), WriteError> {
        self.atomic(|writer| {
            let slot = writer.state.list()?;
            writer.state.check_depth()?;
            let count = i32::try_from(len).map_err(|_| WriteErrorKind::TooLong(len as usize))?;
            let ids = writer.era.ids();
            let mut table = writer.state.top.table;
            match (slot, writer.state.in_property()) {
                (_, false) => {}
                (Expected::Kind(kind, dim), _) => writer.attribute(writer.id(kind, dim)?),
                (Expected::Class(..), _) => {
                    writer.attribute(ids.classes);
                    let class = core::mem::take(&mut writer.class);
                    let found = writer.class(StrRef::new(&class));
                    writer.class = class;
                    if writer.era.has_class_tables() {
                        table = found?;
                    } else {
                        found?;
                    }
                }
                (_, _) if slot.dim() == 1 => writer.attribute(ids.mixed),
                _ => {
                    let none = WriteErrorKind::NoSuchType { kind: None, dim: 2 };
                    writer.attribute(ids.mixed_2d.ok_or(none)?);
                }
            }
            writer.i32(count);
            writer.out.hold()?;
            writer.state.open_list(slot, len, table);
            Ok(())
        })
    }

    fn end(&mut self) -> Result<(), WriteError> {
        self.atomic(|writer| {
            match writer.state.end()? {
                (Enclosing::Object, _) => writer.i32(END),
                (_, 0) => {}
                (_, missing) => writer.missing(missing)?,
            }
            writer.out.flush()?;
            writer.state.close();
            Ok(())
        })
    }
}
