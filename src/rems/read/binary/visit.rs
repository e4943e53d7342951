//! Passes the content of a binary stream to a visitor.

use super::BinaryReader;
use super::state::{Due, Enclosing, Frame, TablesRef};
use crate::buffer::Cursor;
use crate::rems::array::Array;
use crate::rems::binary::{Attribute, AttributeType, Tables, Text};
use crate::rems::item::Scope;
use crate::rems::print::for_scalar;
use crate::rems::read::visitor::{Visitor, visit_array, visit_item};
use crate::rems::span::Span;
use crate::rems::value::Encoding;
use crate::rems::{Kind, Object, Part, PartSlice, Property, Scalar, StrRef, Type, Value};
use zerocopy::byteorder::{BigEndian, I32};

impl<'a, const DEPTH: usize> BinaryReader<'_, 'a, DEPTH> {
    /// Passes the rest of the stream to a visitor: the same items as [`next`](Self::next) returns,
    /// but with decoded numbers. This is faster than decoding the values that `next` returns.
    ///
    /// # Errors
    /// If the stream is malformed, or if the visitor returns an error. The visitor has received
    /// everything before the error, and there are no more items.
    ///
    /// ```
    /// use gamewire::rems::{BinaryReader, Era, Error, Object, Tables, Visitor};
    ///
    /// /// The numbers of all objects in a file.
    /// #[derive(Default)]
    /// struct Numbers(Vec<u64>);
    ///
    /// impl<'a> Visitor<'a> for Numbers {
    ///     type Error = Error;
    ///
    ///     fn object(&mut self, object: &Object<'a>) -> Result<(), Error> {
    ///         self.0.extend(object.pointer);
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let stream = b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFE\x05\x01\xFF\xFF\xFF\xF9Empty\0\0\0\x01\
    ///     \xFF\xFF\xFF\xFE\x25";
    /// let mut numbers = Numbers::default();
    /// BinaryReader::new(stream, Era::default(), &mut Tables::new()).visit(&mut numbers)?;
    /// assert_eq!(numbers.0, [1]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn visit<V: Visitor<'a>>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        let result = self.visit_rest(visitor);
        if result.is_err() {
            self.due = Due::Nothing;
        }
        result
    }

    #[inline(always)]
    fn visit_rest<V: Visitor<'a>>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        loop {
            match self.due {
                Due::Attribute => self.visit_attributes(visitor)?,
                Due::Element if self.top.enclosing == Enclosing::Classes => {
                    self.visit_element(visitor)?;
                }
                Due::Nothing | Due::End => return Ok(()),
                _ => self.visit_next(visitor)?,
            }
        }
    }

    /// Visits the next item, of any form.
    #[inline(always)]
    fn visit_next<V: Visitor<'a>>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        match self.next()? {
            Some(item) => visit_item(&item, visitor),
            None => Ok(()),
        }
    }

    /// Visits the start of the next object in a list of one class, or the end of the list.
    #[inline(always)]
    fn visit_element<V: Visitor<'a>>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        let Frame { class, table, left, .. } = self.top;
        let Some(left) = left.checked_sub(1) else {
            self.end();
            return visitor.end();
        };
        let offset = self.offset();
        self.push(Frame { enclosing: Enclosing::Object, class, table, left: 0 })?;
        // Stored after the copy of the frame: a copy that soon follows a store of a part stalls.
        if let Some(list) = self.outer.get_mut(self.depth.wrapping_sub(1)) {
            list.left = left;
        }
        self.due = Due::Attribute;
        visitor.object(&Object { class, pointer: None, offset, scope: Scope::Bare(table) })
    }

    /// Visits properties that use known attributes, as most do, and the end of the object. Leaves any
    /// other item to [`next`](Self::next). In the loop, the position and the attributes of the class
    /// are in registers.
    #[inline(always)]
    fn visit_attributes<V: Visitor<'a>>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        let tables = self.tables.get();
        let attributes = tables.attributes(self.top.table);
        let (bytes, mut cursor) = (self.bytes, self.cursor);
        loop {
            let offset = cursor.pos() as u64;
            let Some((number, behind)) = cursor.peek::<I32<BigEndian>>() else { break };
            let number = number.get();
            if number < -1 {
                self.cursor = behind;
                self.end();
                return visitor.end();
            }
            // A negative number is not the index of an attribute.
            let Some(attribute) = attributes.get(number as usize) else { break };
            let Some((value, behind)) = Encoded::take(behind, *attribute, tables) else { break };
            let Attribute { offset: at, len, attribute_type, .. } = *attribute;
            let name = StrRef::new(Text::new(at, len).of(bytes));
            let (ty, kind) = match attribute_type {
                AttributeType::Plain(kind, dim) => (Type::Kind(kind, dim), kind),
                _ => (Type::Object, Kind::I32), // a pointer
            };
            visitor.property(&Property { ty, name, offset })?;
            if let Encoded::NewText(text) = value {
                self.cursor = behind;
                if let TablesRef::Growing(tables) = &mut self.tables {
                    tables.add_string(text);
                }
                return visitor.text(kind, StrRef::new(text.of(bytes)));
            }
            value.visit(bytes, kind, visitor)?;
            cursor = behind;
        }
        self.cursor = cursor;
        self.visit_next(visitor)
    }
}

/// The value of a property.
enum Encoded<'a> {
    Text(Text),
    /// A string that is defined here.
    NewText(Text),
    Pointer(u32),
    Parts(&'a [u8]),
    /// An array: its bytes, its number of elements and the offset of the bytes.
    Array(&'a [u8], u32, u64),
}

impl<'a> Encoded<'a> {
    /// Reads the value of an attribute. Returns the value, and the position after it. Returns `None`
    /// for objects and lists, and for a malformed value.
    #[inline(always)]
    fn take(
        cursor: Cursor<'a>,
        attribute: Attribute,
        tables: &Tables,
    ) -> Option<(Self, Cursor<'a>)> {
        if attribute.size > 0 {
            let mut behind = cursor;
            return Some((Self::Parts(behind.take(attribute.size.into())?), behind));
        }
        let (number, mut behind) = cursor.peek::<I32<BigEndian>>()?;
        let Ok(number) = u32::try_from(number.get()) else {
            return Self::new_text(behind, number.get(), attribute.attribute_type);
        };
        match attribute.attribute_type {
            AttributeType::Plain(_, 0) => Some((Self::Text(tables.string(number)?), behind)),
            AttributeType::Plain(kind, 1) => {
                let offset = behind.pos() as u64;
                let bytes = behind.take(u64::from(number).wrapping_mul(kind.size() as u64))?;
                Some((Self::Array(bytes, number, offset), behind))
            }
            AttributeType::Pointer => Some((Self::Pointer(number), behind)),
            _ => None,
        }
    }

    /// Reads a string that is defined here. Its length is -2 minus the number.
    #[inline(always)]
    fn new_text(
        mut cursor: Cursor<'a>,
        number: i32,
        attribute_type: AttributeType,
    ) -> Option<(Self, Cursor<'a>)> {
        let AttributeType::Plain(_, 0) = attribute_type else { return None };
        let len = number.unsigned_abs().checked_sub(2)?;
        let text = Text::new(cursor.pos(), len);
        cursor.take(len.into())?;
        Some((Self::NewText(text), cursor))
    }

    #[inline(always)]
    fn visit<V: Visitor<'a>>(
        self,
        bytes: &'a [u8],
        kind: Kind,
        visitor: &mut V,
    ) -> Result<(), V::Error> {
        match self {
            Self::Text(text) | Self::NewText(text) => {
                visitor.text(kind, StrRef::new(text.of(bytes)))
            }
            Self::Pointer(number) => visitor.pointer(number.into()),
            Self::Parts(bytes) => {
                for_scalar!(kind.scalar(), T => visit_parts::<T, V>(bytes, kind, visitor), Ok(()))
            }
            Self::Array(bytes, count, offset) => {
                let (encoding, span) = (Encoding::Binary, Span::exact(bytes));
                let value = Value { kind, dim: 1, encoding, span, count, offset };
                let array = Array::open(value)?;
                for_scalar!(kind.scalar(), T => visit_array::<T, V>(array, visitor), Ok(()))
            }
        }
    }
}

/// Visits the components of a value.
#[inline(always)]
#[allow(clippy::disallowed_methods, reason = "the chunk size is at least 1")]
fn visit_parts<'a, T: Part, V: Visitor<'a>>(
    bytes: &[u8],
    kind: Kind,
    visitor: &mut V,
) -> Result<(), V::Error> {
    if kind.parts() == 1 {
        return visitor.parts(kind, PartSlice::of(&[T::of_bytes(bytes).unwrap_or_default()]));
    }
    let mut parts = [T::default(); 16];
    for (part, bytes) in parts.iter_mut().zip(bytes.chunks_exact(size_of::<T>())) {
        *part = T::of_bytes(bytes).unwrap_or_default();
    }
    visitor.parts(kind, PartSlice::of(parts.get(..kind.parts()).unwrap_or_default()))
}
