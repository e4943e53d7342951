//! The writer of binary streams.

mod tables;
mod values;

use super::error::{KindResult, WriteErrorKind};
use super::output::{Output, shared_sink_methods};
use super::readback::{self, Unreadable, Warning};
use super::scanned_str::ScannedStr;
use super::state::{Enclosing, Expected, State};
use super::{ItemSink, OutputFormat, WriteError};
use crate::buffer::Sink;
use crate::rems::binary::{ANOTHER_ROOT, NO_MORE_ROOTS};
use crate::rems::{Era, Kind, Part, StrRef, Type, Value};
use alloc::vec::Vec;
use tables::{Attributes, Strings};

/// Writes a stream that is binary, byte for byte as an engine does.
///
/// It keeps all strings that were written, since each is written once, and which attributes
/// each class has. `DEPTH` is how many objects and lists may be inside each other. What can be
/// written, and in which order, is said by [`ItemSink`]; the list of a
/// [`Type::Class`] has objects of that class and nothing else, which lose their numbers, and a
/// [`Type::Mixed`] list what it likes.
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
    /// How many attributes there are.
    attribute_count: usize,
    /// The name of the property whose value comes next, which is written with that.
    name: Name,
    /// The class of a list that comes next, and what is put together out of pieces.
    class: Vec<u8>,
    scratch: Vec<u8>,
    fill_limit: u64,
    filled: u64,
}

/// A string by its number, and whether it is yet to be attribute_count.
#[derive(Clone, Copy, Debug, Default)]
struct Name {
    index: u32,
    new: bool,
}

/// What a stream ends an object with; all below it would do.
const END: i32 = -2;
/// An attribute that is attribute_count here.
const NEW: i32 = -1;
/// No string.
const NULL: i32 = -1;

/// The bytes that may be written for what a text declares and does not have.
const FILL_LIMIT: u64 = 1 << 24;

impl<S: Sink> BinaryWriter<S> {
    /// A writer that appends to a sink.
    pub fn new(sink: S, era: Era) -> Self {
        Self::with_depth(sink, era)
    }
}

impl<S: Sink, const DEPTH: usize> BinaryWriter<S, DEPTH> {
    /// The same as [`new`](BinaryWriter::new), with that depth.
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

    /// Limits the bytes that are written for elements which an array of a text declares and does
    /// not have, in all of the stream. Without it: 16 MiB.
    #[must_use]
    pub fn fill_limit(mut self, bytes: u64) -> Self {
        self.fill_limit = bytes;
        self
    }

    /// Ends the stream, and gives back the sink.
    ///
    /// # Errors
    /// If an object or list has not ended, the sink is full, or there are no objects.
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

    /// All of what `write` writes, or nothing; if it has attribute_count something new, that is lost.
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

    /// What begins a stream: an attribute without a name, of no class, that is a list.
    fn header(&mut self) -> KindResult {
        let none = self.find(StrRef::new(&[]))?;
        let id = self.era.ids().roots;
        self.state.top.table = none.index;
        self.name = none;
        self.attribute(id);
        Ok(())
    }

    /// The number of a text.
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

    /// A string: by its number, or attribute_count here.
    fn string(&mut self, name: Name) {
        if !name.new {
            return self.i32(name.index.cast_signed());
        }
        let text = self.strings.get(name.index);
        let len = (text.len() as i32).saturating_add(2).wrapping_neg();
        self.out.bytes(&len.to_be_bytes());
        self.out.bytes(text)
    }

    /// What stands before the value of a property: which attribute of the class it is.
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

    /// What stands before a value that may also be an element with a mark.
    fn head(&mut self, id: u8) {
        if self.state.in_property() { self.attribute(id) } else { self.out.bytes(&[id]) }
    }

    /// Whether what is open is a list of one class.
    fn is_bare(&self, slot: Expected) -> bool {
        matches!(slot, Expected::Class(_, 0)) && !self.state.in_property()
    }

    /// A class. Which it is.
    fn class(&mut self, class: StrRef<'_>) -> KindResult<u32> {
        let name = self.find(class)?;
        self.string(name);
        Ok(name.index)
    }

    /// Elements that are declared and do not come: no objects, or empty texts or lists. All of
    /// these are zeros.
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
                // The list has said all there is.
                writer.state.open_object(true, writer.state.top.table);
                return Ok(());
            }
            let number = number.ok_or(WriteErrorKind::NoNumber)?;
            let number = i32::try_from(number).map_err(|_| WriteErrorKind::BadNumber(number))?;
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
            writer.out.flush()?;
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
                return Err(WriteErrorKind::OutOfTurn("a number of an object"));
            }
            let Ok(number) = i32::try_from(number) else {
                return Err(WriteErrorKind::BadNumber(number));
            };
            writer.head(writer.era.ids().pointer);
            writer.i32(number);
            writer.out.flush()?;
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
                // Lists in lists cannot be said to be null.
                (slot, false) if slot.dim() > 0 => writer.i32(0),
                _ => writer.head(writer.era.ids().null),
            }
            writer.out.flush()?;
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
            writer.out.flush()?;
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
