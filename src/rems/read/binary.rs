//! Reader of binary streams.

mod input;
mod state;
mod visit;

use crate::buffer::Cursor;
use crate::rems::binary::{
    ANOTHER_ROOT, Attribute, AttributeType, Era, NO_MORE_ROOTS, Tables, Text,
};
use crate::rems::error::fail;
use crate::rems::item::{Next, Scope};
use crate::rems::span::Span;
use crate::rems::value::Encoding;
use crate::rems::{
    ErrorKind, Item, ItemSource, Kind, List, Object, Property, Result, StrRef, Type, Value,
};
use core::mem::replace;
use state::{ClassRef, Due, Enclosing, Frame, Reference, TablesRef};

impl Era {
    /// Returns the latest era in whose format the whole binary stream can be read, or `None` if
    /// there is no such era.
    ///
    /// Reads the stream in each era, from the latest to the earliest, until one succeeds. Most
    /// streams are valid in several eras.
    pub fn detect(stream: &[u8]) -> Option<Self> {
        let mut tables = Tables::new();
        Self::ALL.into_iter().find(|era| {
            let mut reader = BinaryReader::new(stream, *era, &mut tables);
            loop {
                match reader.next() {
                    Ok(Some(_)) => {}
                    Ok(None) => return true,
                    Err(_) => return false,
                }
            }
        })
    }
}

/// A reader of a binary stream. A container must be decompressed first.
///
/// The reader copies nothing, and allocates only to extend the [`Tables`]. `DEPTH` is the maximum
/// nesting of objects and lists, as for [`TextReader`](crate::rems::TextReader).
///
/// ```
/// use gamewire::rems::{BinaryReader, Era, Item, Tables};
///
/// let stream = b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFE\x05\x01\xFF\xFF\xFF\xF9Empty\0\0\0\x01\
///     \xFF\xFF\xFF\xFE\x25";
/// let mut tables = Tables::new();
/// let mut reader = BinaryReader::new(stream, Era::default(), &mut tables);
/// let Some(Item::Object(object)) = reader.next()? else { panic!() };
/// assert_eq!(object.class, *"Empty");
/// assert_eq!(object.pointer, Some(1));
/// assert!(matches!(reader.next()?, Some(Item::End)));
/// assert!(reader.next()?.is_none());
/// # Ok::<(), gamewire::rems::Error>(())
/// ```
#[derive(Debug)]
pub struct BinaryReader<'t, 'a, const DEPTH: usize = 256> {
    bytes: &'a [u8],
    cursor: Cursor<'a>,
    due: Due,
    /// Class of the next object or list of one class. The class is read before the object or list
    /// starts.
    class: ClassRef<'a>,
    top: Frame<'a>,
    outer: [Frame<'a>; DEPTH],
    depth: usize,
    era: Era,
    tables: TablesRef<'t>,
}

impl<'t, 'a> BinaryReader<'t, 'a> {
    /// Creates a reader at the start of a stream. Clears the tables.
    pub fn new(bytes: &'a [u8], era: Era, tables: &'t mut Tables) -> Self {
        Self::with_depth(bytes, era, tables)
    }

    /// Creates a reader of a single object, which another reader returned in an [`Item::Object`].
    ///
    /// `tables` must be the tables of a reader that has read the stream at least to the end of the
    /// object, since the object may use any string or attribute that the stream defines before the
    /// end of the object.
    pub fn at(bytes: &'a [u8], era: Era, tables: &'t Tables, object: Object<'a>) -> Self {
        let mut reader = Self::open(bytes, era, TablesRef::Complete(tables));
        let offset = usize::try_from(object.offset).unwrap_or(usize::MAX);
        reader.cursor = Cursor::new_at(bytes, offset);
        // The stream does not contain a class for an element of a list of one class.
        if let Scope::Bare(table) = object.scope {
            reader.class = ClassRef { name: object.class, class: table, offset: object.offset };
        }
        (reader.due, reader.top.enclosing) = (Due::Alone, Enclosing::Alone);
        reader
    }
}

impl<'t, 'a, const DEPTH: usize> BinaryReader<'t, 'a, DEPTH> {
    /// Creates a reader whose `DEPTH` can differ from the default of 256.
    pub fn with_depth(bytes: &'a [u8], era: Era, tables: &'t mut Tables) -> Self {
        tables.clear();
        Self::open(bytes, era, TablesRef::Growing(tables))
    }

    fn open(bytes: &'a [u8], era: Era, tables: TablesRef<'t>) -> Self {
        let class = ClassRef { name: StrRef::new(&[]), class: u32::MAX, offset: 0 };
        Self {
            bytes,
            cursor: Cursor::new(bytes),
            due: Due::Start,
            class,
            top: Frame::FILE,
            outer: [Frame::FILE; DEPTH],
            depth: 0,
            era,
            tables,
        }
    }

    /// Returns the offset of the next item.
    #[inline]
    pub const fn offset(&self) -> u64 {
        self.cursor.pos() as u64
    }

    /// Returns the bytes after the end of the stream, once [`next`](Self::next) has returned
    /// `None`. The reader ignores these bytes. Before the end, and after an error, the result is
    /// empty.
    pub fn trailing(&self) -> &'a [u8] {
        if self.due == Due::End { self.cursor.rest() } else { &[] }
    }

    /// Reads the next item. Returns `None` at the end of the stream. Bytes after the end are
    /// ignored.
    ///
    /// # Errors
    /// If the stream is malformed. After an error there are no more items.
    #[inline(never)]
    #[allow(clippy::should_implement_trait, reason = "fallible, and used with `?`")]
    pub fn next(&mut self) -> Next<'a> {
        // Each call sets the next state; after an error, the state remains `Due::Nothing`. The
        // functions that create items are inlined into this one, as in the text reader.
        let mut due = replace(&mut self.due, Due::Nothing);
        if due == Due::Element {
            due = self.element()?;
        }
        match due {
            Due::Attribute => self.attribute(),
            Due::Value(AttributeType::Plain(kind, dim)) => self.plain(kind, dim),
            Due::Value(AttributeType::Object) => self.numbered(self.class),
            Due::Value(AttributeType::Pointer) => {
                let number = self.number()?;
                self.after_value();
                Ok(Some(Item::Pointer(number)))
            }
            Due::Value(AttributeType::Null) => {
                self.after_value();
                Ok(Some(Item::Null))
            }
            Due::Value(attribute_type) => self.list(attribute_type),
            Due::Element => Ok(Some(self.end())),
            Due::Bare => {
                let (table, offset) = (self.top.table, self.offset());
                self.bare(self.top.class, table, offset)
            }
            Due::Start | Due::MoreRoots | Due::Alone => match self.root(due)? {
                Some(class) => self.numbered(class),
                None if due == Due::Alone => {
                    self.bare(self.class.name, self.class.class, self.offset())
                }
                None => Ok(None),
            },
            Due::Nothing => Ok(None),
            Due::End => {
                self.due = Due::End;
                Ok(None)
            }
        }
    }

    /// Reads the marker bytes before, between and after the top-level objects. Returns the class of
    /// the next object. Returns `None` after the last object. Also returns `None` if a single
    /// object is read (`Due::Alone`) and the stream does not contain its class.
    #[inline(never)]
    fn root(&mut self, due: Due) -> Result<Option<ClassRef<'a>>> {
        match due {
            Due::Alone if self.class.class != u32::MAX => return Ok(None),
            Due::Alone => return self.class().map(Some),
            Due::Start => self.header()?,
            _ => {}
        }
        let start = self.cursor;
        let mut mark = self.u8()?;
        if due == Due::MoreRoots && mark == ANOTHER_ROOT {
            mark = self.u8()?;
        } else if mark == NO_MORE_ROOTS {
            self.due = Due::End;
            return Ok(None);
        } else if due == Due::MoreRoots {
            self.cursor = start;
            return Err(self.unknown("marker after an object", mark));
        }
        if mark != self.era.ids().object {
            return Err(self.unknown("marker of an object", mark));
        }
        self.class().map(Some)
    }

    /// Reads the header: the definition of an attribute with an empty name. The type of this
    /// attribute is the list of all objects, and the list has no length.
    fn header(&mut self) -> Result<()> {
        let new = self.i32()?;
        if new != -1 {
            return Err(self.error(ErrorKind::NoSuchAttribute(new)));
        }
        let (index, text) = self.name()?;
        // The attributes of this list are in the table of the class with the empty name.
        if text.len > 0 {
            let (what, value) = ("length of the name of the list of objects", text.len.into());
            return Err(self.error(ErrorKind::Unknown { what, value }));
        }
        let id = self.u8()?;
        if id != self.era.ids().roots {
            return Err(self.unknown("type of the list of objects", id));
        }
        if let (TablesRef::Growing(tables), Some(index)) = (&mut self.tables, index) {
            let class = tables.class_of(self.bytes, index);
            tables.add_attribute(class, Attribute::new(text, AttributeType::Roots));
        }
        Ok(())
    }

    #[inline(always)]
    fn attribute(&mut self) -> Next<'a> {
        let offset = self.offset();
        let number = self.i32()?;
        let attribute = match number {
            0.. => self.tables.get().attribute(self.top.table, number.unsigned_abs()),
            -1 => Some(self.new_attribute()?),
            _ => return Ok(Some(self.end())),
        };
        let Some(Attribute { offset: at, len, attribute_type, .. }) = attribute else {
            return Err(fail(ErrorKind::NoSuchAttribute(number), offset));
        };
        let name = StrRef::new(Text::new(at, len).of(self.bytes));
        let ty = match attribute_type {
            AttributeType::Plain(kind, dim) | AttributeType::Texts(kind, dim) => {
                Type::Kind(kind, dim)
            }
            AttributeType::Object | AttributeType::Classes => {
                self.class = self.class()?;
                Type::Class(self.class.name, u8::from(attribute_type == AttributeType::Classes))
            }
            AttributeType::Pointer | AttributeType::Null => Type::Object,
            AttributeType::Mixed(dim) => Type::Mixed(dim),
            AttributeType::Roots => {
                let value = self.era.ids().roots.into();
                return Err(fail(ErrorKind::Unknown { what: "type", value }, offset));
            }
        };
        self.due = Due::Value(attribute_type);
        Ok(Some(Item::Property(Property { ty, name, offset })))
    }

    #[inline(never)]
    fn new_attribute(&mut self) -> Result<Attribute> {
        let (_, name) = self.name()?;
        let id = self.u8()?;
        let Some(attribute_type) = self.era.attribute_type(id) else {
            return Err(self.unknown("type", id));
        };
        let attribute = Attribute::new(name, attribute_type);
        if let TablesRef::Growing(tables) = &mut self.tables {
            tables.add_attribute(self.top.table, attribute);
        }
        Ok(attribute)
    }

    #[inline(always)]
    fn plain(&mut self, kind: Kind, dim: u8) -> Next<'a> {
        if kind.is_text() {
            return self.text(kind);
        }
        let size = kind.size() as u64;
        let (count, offset, raw) = match dim {
            0 => (0, self.offset(), self.take(size)?),
            1 => {
                let count = self.count(size)?;
                let offset = self.offset();
                (count, offset, self.take(u64::from(count).wrapping_mul(size))?)
            }
            _ => self.rows(size)?,
        };
        self.after_value();
        let span = Span::exact(raw);
        Ok(Some(Item::Value(Value { kind, dim, encoding: Encoding::Binary, span, count, offset })))
    }

    /// Reads an array of arrays. Each inner array is preceded by its count.
    #[cold]
    fn rows(&mut self, size: u64) -> Result<(u32, u64, &'a [u8])> {
        let count = self.count(4)?;
        let (offset, start) = (self.offset(), self.cursor);
        for _ in 0..count {
            let row = self.count(size)?;
            self.take(u64::from(row).wrapping_mul(size))?;
        }
        Ok((count, offset, self.cursor.since(&start)))
    }

    #[inline(always)]
    fn text(&mut self, kind: Kind) -> Next<'a> {
        let reference = self.reference()?;
        self.after_value();
        let (Reference::Known(_, text) | Reference::New(_, text)) = reference else {
            return Ok(Some(Item::Null));
        };
        let (span, offset) = (Span::exact(text.of(self.bytes)), text.offset as u64);
        Ok(Some(Item::Value(Value {
            kind,
            dim: 0,
            encoding: Encoding::Binary,
            span,
            count: 0,
            offset,
        })))
    }

    #[inline(always)]
    fn end(&mut self) -> Item<'a> {
        self.depth = self.depth.wrapping_sub(1);
        self.top = self.outer.get(self.depth).copied().unwrap_or(Frame::FILE);
        self.after_value();
        Item::End
    }

    #[inline(always)]
    fn push(&mut self, frame: Frame<'a>) -> Result<()> {
        match self.outer.get_mut(self.depth) {
            Some(outer) => {
                *outer = self.top;
                self.top = frame;
                self.depth = self.depth.wrapping_add(1);
                Ok(())
            }
            None => {
                let limit = u32::try_from(DEPTH).unwrap_or(u32::MAX);
                Err(self.error(ErrorKind::TooDeep { limit }))
            }
        }
    }

    #[inline(always)]
    fn after_value(&mut self) {
        self.due = match self.top.enclosing {
            Enclosing::Object => Due::Attribute,
            Enclosing::File => Due::MoreRoots,
            Enclosing::Alone => Due::Nothing,
            _ => Due::Element,
        };
    }

    /// Starts an object whose class has already been read. Reads its number.
    #[inline(always)]
    fn numbered(&mut self, class: ClassRef<'a>) -> Next<'a> {
        let pointer = Some(self.number()?);
        let ClassRef { name, class: table, offset } = class;
        self.push(Frame { enclosing: Enclosing::Object, class: name, table, left: 0 })?;
        self.due = Due::Attribute;
        Ok(Some(Item::Object(Object { class: name, pointer, offset, scope: Scope::Own })))
    }

    /// Starts an object in a list of one class. The stream contains neither a class nor a number
    /// for it.
    #[inline(always)]
    fn bare(&mut self, class: StrRef<'a>, table: u32, offset: u64) -> Next<'a> {
        self.push(Frame { enclosing: Enclosing::Object, class, table, left: 0 })?;
        self.due = Due::Attribute;
        let scope = Scope::Bare(table);
        Ok(Some(Item::Object(Object { class, pointer: None, offset, scope })))
    }

    /// Starts a list. Reads its count.
    #[inline(always)]
    fn list(&mut self, attribute_type: AttributeType) -> Next<'a> {
        let len = self.open_list(attribute_type)?;
        let ty = match attribute_type {
            AttributeType::Texts(kind, dim) => Type::Kind(kind, dim),
            AttributeType::Classes => Type::Class(self.class.name, 1),
            AttributeType::Mixed(dim) => Type::Mixed(dim),
            _ => Type::Object,
        };
        Ok(Some(Item::List(List { ty, len })))
    }

    #[inline(never)]
    fn open_list(&mut self, attribute_type: AttributeType) -> Result<u32> {
        let none = StrRef::new(&[]);
        let (enclosing, class, table, each) = match attribute_type {
            AttributeType::Texts(kind, dim) => {
                (Enclosing::Texts(kind, dim), none, self.top.table, 4)
            }
            AttributeType::Classes if self.era.has_class_tables() => {
                (Enclosing::Classes, self.class.name, self.class.class, 4)
            }
            AttributeType::Classes => (Enclosing::Classes, self.class.name, self.top.table, 4),
            AttributeType::Mixed(2) => (Enclosing::Mixed(2), none, self.top.table, 4),
            _ => (Enclosing::Mixed(1), none, self.top.table, 1),
        };
        let len = self.count(each)?;
        self.push(Frame { enclosing, class, table, left: len })?;
        self.due = Due::Element;
        Ok(len)
    }

    /// Returns the state for reading the next element, or `Due::Element` at the end of the list.
    #[inline(never)]
    fn element(&mut self) -> Result<Due> {
        self.top.left = match self.top.left.checked_sub(1) {
            Some(left) => left,
            None => return Ok(Due::Element),
        };
        Ok(match self.top.enclosing {
            Enclosing::Texts(kind, 1) => Due::Value(AttributeType::Plain(kind, 0)),
            Enclosing::Texts(kind, _) => Due::Value(AttributeType::Texts(kind, 1)),
            Enclosing::Mixed(2) => Due::Value(AttributeType::Mixed(1)),
            Enclosing::Classes => Due::Bare,
            _ => Due::Value(self.marked()?),
        })
    }

    /// Reads the marker byte of an element in a list of several classes.
    fn marked(&mut self) -> Result<AttributeType> {
        let start = self.cursor;
        let ids = self.era.ids();
        match self.u8()? {
            id if id == ids.null => Ok(AttributeType::Null),
            id if id == ids.pointer => Ok(AttributeType::Pointer),
            id if id == ids.object => {
                self.class = self.class()?;
                Ok(AttributeType::Object)
            }
            id => {
                self.cursor = start;
                Err(self.unknown("marker of an element", id))
            }
        }
    }

    /// If the last item started an object or list, skips the rest of it. If the last item was a
    /// property, skips its value. After any other item, skips the rest of the enclosing object or
    /// list. The [`End`](Item::End) of a skipped object or list is skipped, too.
    ///
    /// Later parts of the stream may refer to strings and attributes that the skipped part defines.
    /// This method therefore reads the skipped part, and reports errors in it.
    ///
    /// # Errors
    /// If the stream is malformed.
    pub fn skip(&mut self) -> Result<()> {
        let inside = self.depth;
        // After a property, skip only its value, which may be an object or list.
        let depth = match self.due {
            Due::Attribute | Due::Element => inside,
            Due::MoreRoots | Due::Start => 0,
            _ => inside.wrapping_add(1),
        };
        loop {
            let item = self.next()?;
            let done = match item {
                None => true,
                Some(Item::End) => self.depth < depth,
                Some(Item::Value(_) | Item::Pointer(_) | Item::Null) => {
                    depth > inside && self.depth == inside
                }
                Some(_) => false,
            };
            if done {
                return Ok(());
            }
        }
    }
}

impl<'a, const DEPTH: usize> ItemSource<'a> for BinaryReader<'_, 'a, DEPTH> {
    #[inline(always)]
    fn next(&mut self) -> Next<'a> {
        Self::next(self)
    }

    fn skip(&mut self) -> Result<()> {
        Self::skip(self)
    }

    fn offset(&self) -> u64 {
        Self::offset(self)
    }
}
