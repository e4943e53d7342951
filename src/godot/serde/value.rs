//! The deserializer of one value. For the most common encodings there are fast paths, which compare
//! the header first. Every other value is decoded by the `match` that is generated from the table
//! of types, and is passed to the visitor as the type that it has in the packet.

use super::containers::{Items, OnePair, Pairs, Properties, UnreadItems};
use super::fast_path::{self, OTHERWISE};
use super::in_order::InOrder;
use super::names::KnownName;
use super::numbers::Packed;
use super::raw::Raw;
use super::recursion_budget::RecursionBudget;
use super::{Error, Result, leaf};
use crate::buffer::{Cursor, UnexpectedEnd};
use crate::godot::read::fast_path::Null;
use crate::godot::read::trusted::leaf_len;
use crate::godot::read::walk::{Bounds, ENGINE_DEPTH, end_of_value};
use crate::godot::table::dialect::Spec;
use crate::godot::table::layouts::U32;
use crate::godot::table::payload::{Head, Header, ReturnLeaf};
use crate::godot::types::container::expect_items;
use crate::godot::types::text;
use crate::godot::{Container, ErrorKind, Kind, ObjectRef, StrRef, VariantRef, read};
use core::marker::PhantomData;
use serde::de::Visitor;
use serde::de::value::BorrowedStrDeserializer;

/// The value that starts at `pos` of the window. Reading moves the position past the value. Only
/// the position is kept in memory. After a call that is not inlined, nothing else has to be
/// reloaded.
pub(super) struct Value<'de, 'p, D> {
    pub window: &'de [u8],
    pub pos: &'p mut usize,
    pub budget: RecursionBudget,
    spec: PhantomData<D>,
}

#[cold]
#[inline(never)]
pub(super) fn cut_off(end: crate::buffer::Error<UnexpectedEnd>) -> Error {
    crate::godot::Error::from(end).into()
}

/// A leaf, or the start of a container.
enum Next<'de> {
    Leaf(VariantRef<'de>),
    /// Number of pairs.
    Dictionary(u32),
    /// Number of items.
    Array(u32),
    /// Number of properties.
    Object(u32),
}

impl<'de, 'p, D: Spec> Value<'de, 'p, D> {
    #[inline(always)]
    pub(super) fn new(window: &'de [u8], pos: &'p mut usize, budget: RecursionBudget) -> Self {
        Self { window, pos, budget, spec: PhantomData }
    }

    #[inline(always)]
    fn start(&self) -> Cursor<'de> {
        Cursor::new_at(self.window, *self.pos)
    }

    #[inline(always)]
    fn header(&self) -> Result<(u32, Cursor<'de>)> {
        let mut at = self.start();
        match at.read::<U32>() {
            Ok(header) => Ok((header.get(), at)),
            Err(end) => Err(cut_off(end)),
        }
    }

    /// Reads a leaf or the start of a container, of any type.
    #[inline(never)]
    fn next(at: Cursor<'de>, objects: bool) -> Result<(Next<'de>, Cursor<'de>)> {
        let mut at = at;
        let header = Header(at.read::<U32>().map_err(cut_off)?.get());
        let opens = match D::head(&mut at, header, ReturnLeaf)? {
            Head::Leaf(value) => return Ok((Next::Leaf(value), at)),
            Head::Open(opens) => opens,
        };
        let next = match Container::read(opens, &mut at, header, D::RULES, objects)? {
            None => Next::Leaf(VariantRef::Object(ObjectRef::Null)),
            Some(Container::Array { len, .. }) => Next::Array(len),
            Some(Container::Dictionary { len, .. }) => Next::Dictionary(len),
            Some(Container::Object { len, .. }) => Next::Object(len),
        };
        Ok((next, at))
    }

    /// Passes the value to `visitor`, whatever its type.
    #[inline(always)]
    fn visit_value<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        // The position is copied, so that the caller's position need not be in memory.
        let mut pos = *self.pos;
        let value = Self::visit_out_of_line(self.window, &mut pos, self.budget, visitor);
        *self.pos = pos;
        value
    }

    /// Implements `visit_value`. This function is not inlined, so that as little code as possible
    /// remains in the inlined caller.
    #[cold]
    #[inline(never)]
    fn visit_out_of_line<V: Visitor<'de>>(
        window: &'de [u8],
        pos: &mut usize,
        budget: RecursionBudget,
        visitor: V,
    ) -> Result<V::Value> {
        let value = Value::<D>::new(window, pos, budget);
        let (next, after) = Self::next(value.start(), budget.objects)?;
        value.visit_next(next, after, &[], visitor)
    }

    #[inline(always)]
    fn visit_next<V: Visitor<'de>>(
        self,
        next: Next<'de>,
        after: Cursor<'de>,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match next {
            Next::Dictionary(len) => {
                let (pairs, end) = (self.unread_items(after, len, 8)?, &mut None);
                let mut value = visitor.visit_map(Pairs::<D>::new(pairs, fields, end));
                self.close(&mut value, len, *end);
                value
            }
            Next::Array(len) => self.items(after, len, visitor),
            Next::Object(len) => {
                let (properties, end) = (self.unread_items(after, len, 8)?, &mut None);
                let mut value = visitor.visit_map(Properties::<D>::new(properties, end));
                self.close(&mut value, len, *end);
                value
            }
            Next::Leaf(value) => {
                let start = self.start();
                *self.pos = after.pos();
                leaf::visit_value(value, start, visitor)
            }
        }
    }

    #[inline(always)]
    fn items<V: Visitor<'de>>(self, after: Cursor<'de>, len: u32, visitor: V) -> Result<V::Value> {
        let (items, end) = (self.unread_items(after, len, 4)?, &mut None);
        let mut value = visitor.visit_seq(Items::<D>::new(items, end));
        self.close(&mut value, len, *end);
        value
    }

    /// Returns the items of a container, each of at least `each` bytes.
    #[inline(always)]
    fn unread_items(&self, after: Cursor<'de>, len: u32, each: u64) -> Result<UnreadItems<'de>> {
        expect_items(&after, len.into(), each)?;
        let budget = self.budget.nested(*self.pos)?;
        Ok(UnreadItems { window: self.window, pos: after.pos(), left: len, budget })
    }

    /// Moves to the end of the container. Replaces `value` with an error if the type did not read
    /// all items.
    #[inline(always)]
    fn close<T>(self, value: &mut Result<T>, len: u32, end: Option<usize>) {
        match end {
            Some(end) => *self.pos = end,
            None if value.is_ok() => *value = Err(leaf::wrong_count(len as usize, *self.pos)),
            None => {}
        }
    }

    /// Reads a Dictionary or an object, and passes any other value to `visitor`. If `own` is given,
    /// a leaf of a different kind is an error.
    #[inline(always)]
    fn fields<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        own: Option<Kind>,
        visitor: V,
    ) -> Result<V::Value> {
        let mut after = self.start();
        let next = if let Some((len, rest)) = read::fast_path::dictionary::<D>(after.rest()) {
            after.set_rest(rest);
            if self.budget.in_order && len as usize == fields.len() && len > 0 {
                return self.in_order(after.pos(), fields, visitor);
            }
            Next::Dictionary(len)
        } else {
            let next;
            (next, after) = Self::next(after, self.budget.objects)?;
            next
        };
        match (&next, own) {
            (Next::Leaf(value), Some(own)) if value.kind() != own => {
                Err(wrong_type(own, value.kind(), *self.pos))
            }
            _ => self.visit_next(next, after, fields, visitor),
        }
    }

    /// Reads the fields of a struct if all are present and in order. Otherwise returns an error,
    /// and the caller reads everything again.
    #[inline(always)]
    fn in_order<V: Visitor<'de>>(
        self,
        pos: usize,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let (budget, end) = (self.budget.nested(*self.pos)?, &mut None);
        let names = fields.iter();
        let mut value = visitor.visit_seq(InOrder::<D> {
            window: self.window,
            pos,
            budget,
            names,
            end,
            spec: PhantomData,
        });
        match *end {
            Some(end) => *self.pos = end,
            // `fields` also contains aliases, so the struct may be complete before the last name.
            None if value.is_ok() => value = Err(Error::fallback()),
            None => {}
        }
        value
    }

    #[inline(always)]
    fn int<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match fast_path::int::<D>(self.window, *self.pos) {
            (_, OTHERWISE) => self.visit_value(visitor),
            (value, after) => {
                *self.pos = after;
                visitor.visit_i64(value)
            }
        }
    }

    #[inline(always)]
    fn float<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match fast_path::float::<D>(self.window, *self.pos) {
            (_, OTHERWISE) => self.visit_value(visitor),
            (value, after) => {
                *self.pos = after;
                visitor.visit_f64(value)
            }
        }
    }

    /// Reads the value if it is text.
    fn text(&mut self) -> Result<Option<&'de str>> {
        let (header, mut at) = self.header()?;
        if header != D::STRING && header != D::STRING_NAME {
            return Ok(None);
        }
        let text = StrRef::new(text::read(&mut at, D::RULES)?);
        let text = to_str(text, self.start())?;
        *self.pos = at.pos();
        Ok(Some(text))
    }

    #[inline(always)]
    fn str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match fast_path::text::<D>(self.window, *self.pos) {
            None => self.visit_value(visitor),
            Some(text) => {
                *self.pos = fast_path::after(*self.pos, text);
                visitor.visit_borrowed_str(text)
            }
        }
    }

    /// Skips a null and returns `true`. Returns `false` if the value is not null.
    #[inline(always)]
    fn skip_null(&mut self) -> Result<bool> {
        match read::fast_path::null::<D>(self.start().rest()) {
            Null::Nil(rest) => {
                *self.pos = self.window.len().wrapping_sub(rest.len());
                return Ok(true);
            }
            Null::Never => return Ok(false),
            Null::Unclear => {}
        }
        let (next, after) = Self::next(self.start(), self.budget.objects)?;
        let is_nil = matches!(next, Next::Leaf(value) if value.is_nil());
        if is_nil {
            *self.pos = after.pos();
        }
        Ok(is_nil)
    }

    /// Returns the checked bytes of the next value.
    #[inline(always)]
    pub(super) fn encoded(self) -> Result<&'de [u8]> {
        let start = self.start();
        let len = match leaf_len::<D>(start.rest()) {
            Some(len) => len,
            None => Self::walk(start, self.budget.objects)?,
        };
        let mut after = start;
        after.skip(len);
        *self.pos = after.pos();
        Ok(after.since(&start))
    }

    /// Checks the value without recursion. It may be as deep as engines allow.
    #[inline(never)]
    fn walk(at: Cursor<'de>, objects: bool) -> Result<usize> {
        let bounds = Bounds { depth: ENGINE_DEPTH, objects };
        Ok(end_of_value(at.rest(), D::RULES.dialect, bounds, at.pos() as u64)?)
    }

    /// Reads one of the engine's structs from a value for which there is no fast path, for example
    /// from a Dictionary.
    #[inline(always)]
    fn not_numbers<V: Visitor<'de>>(
        self,
        kind: Kind,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let mut pos = *self.pos;
        let value = Value::<D>::new(self.window, &mut pos, self.budget);
        let value = value.fields_out_of_line(fields, kind, visitor);
        *self.pos = pos;
        value
    }

    #[cold]
    #[inline(never)]
    fn fields_out_of_line<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        kind: Kind,
        visitor: V,
    ) -> Result<V::Value> {
        self.fields(fields, Some(kind), visitor)
    }

    /// Passes the raw elements of a packed array to `visitor`.
    fn elements<V: Visitor<'de>>(self, kind: Kind, double: bool, visitor: V) -> Result<V::Value> {
        let start = self.start();
        let (next, after) = Self::next(start, self.budget.objects)?;
        let bytes = match next {
            Next::Leaf(value) if value.kind() != kind => {
                return Err(wrong_type(kind, value.kind(), *self.pos));
            }
            Next::Leaf(value) => match Packed::new(value, start) {
                Some(packed) if double == value.is_double() || packed.bytes.is_empty() => {
                    packed.bytes
                }
                _ => return Err(Error::new(ErrorKind::WrongWidth, *self.pos)),
            },
            // A script without static types can only write an empty Array.
            Next::Array(0) => &[],
            _ => return self.visit_next(next, after, &[], visitor),
        };
        *self.pos = after.pos();
        visitor.visit_borrowed_bytes(bytes)
    }
}

#[cold]
fn wrong_type(expected: Kind, found: Kind, pos: usize) -> Error {
    Error::new(ErrorKind::WrongType { expected, found }, pos)
}

/// Implements several methods with one shared function.
macro_rules! forward_to {
    ($($method:ident)* => $how:ident) => {$(
        #[inline(always)]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.$how(visitor)
        }
    )*};
}

impl<'de, D: Spec> serde::Deserializer<'de> for Value<'de, '_, D> {
    type Error = Error;

    forward_to! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128 => int
    }
    forward_to! { deserialize_f32 deserialize_f64 => float }
    forward_to! { deserialize_str deserialize_string deserialize_char deserialize_identifier => str }
    forward_to! { deserialize_any deserialize_unit => visit_value }

    #[inline(always)]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match fast_path::bool::<D>(self.window, *self.pos) {
            (_, OTHERWISE) => self.visit_value(visitor),
            (value, after) => {
                *self.pos = after;
                visitor.visit_bool(value)
            }
        }
    }

    #[inline]
    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let (next, after) = Self::next(self.start(), self.budget.objects)?;
        match next {
            Next::Leaf(VariantRef::PackedByteArray(bytes)) => {
                *self.pos = after.pos();
                visitor.visit_borrowed_bytes(bytes)
            }
            Next::Array(0) => {
                *self.pos = after.pos();
                visitor.visit_borrowed_bytes(&[])
            }
            _ => self.visit_next(next, after, &[], visitor),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        if self.skip_null()? {
            return visitor.visit_none();
        }
        let budget = self.budget.nested_layer(*self.pos)?;
        visitor.visit_some(Self { budget, ..self })
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        self.visit_value(visitor)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        match KnownName::named(name) {
            Some(KnownName::Elements { kind, double }) => self.elements(kind, double, visitor),
            Some(KnownName::Encoded) => {
                let bytes = self.encoded()?;
                visitor.visit_newtype_struct(Raw::new(D::RULES.dialect as u8, bytes))
            }
            _ => {
                let budget = self.budget.nested_layer(*self.pos)?;
                visitor.visit_newtype_struct(Self { budget, ..self })
            }
        }
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let mut after = self.start();
        if let Some((len, rest)) = read::fast_path::array::<D>(after.rest()) {
            after.set_rest(rest);
            return self.items(after, len, visitor);
        }
        let (next, after) = Self::next(after, self.budget.objects)?;
        match next {
            Next::Array(len) => self.items(after, len, visitor),
            Next::Leaf(value) => {
                let start = self.start();
                *self.pos = after.pos();
                leaf::visit_value(value, start, visitor)
            }
            _ => self.visit_value(visitor),
        }
    }

    #[inline]
    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    #[inline]
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    #[inline]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.fields(&[], None, visitor)
    }

    #[inline(always)]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        // Visitors of derived implementations are zero-sized, and visitors of the engine's types
        // are not. The compiler therefore removes this check from the code of all other types.
        let own = match KnownName::named(name) {
            Some(KnownName::Value { kind, .. }) if size_of::<V>() > 0 => Some(kind),
            _ => None,
        };
        let Some(kind) = own else { return self.fields(fields, None, visitor) };
        match fast_path::numbers::<D>(self.window, *self.pos, kind) {
            None => self.not_numbers(kind, fields, visitor),
            Some((bytes, after)) => {
                *self.pos = after;
                visitor.visit_newtype_struct(Raw::new(0, bytes))
            }
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        mut self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        if let Some(name) = self.text()? {
            return visitor.visit_enum(BorrowedStrDeserializer::new(name));
        }
        let (next, after) = Self::next(self.start(), self.budget.objects)?;
        let Next::Dictionary(len) = next else { return self.visit_value(visitor) };
        if len != 1 {
            return Err(leaf::wrong_count(len as usize, *self.pos));
        }
        let budget = self.budget.nested(*self.pos)?;
        *self.pos = after.pos();
        visitor.visit_enum(OnePair::<D>(Value::new(self.window, self.pos, budget)))
    }

    #[inline]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.encoded()?;
        visitor.visit_unit()
    }

    #[inline(always)]
    fn is_human_readable(&self) -> bool {
        false
    }
}

/// Returns text as `&str`. `start` is a cursor at the start of the value that contains the text.
#[inline(always)]
pub(super) fn to_str<'de>(text: StrRef<'de>, start: Cursor<'de>) -> Result<&'de str> {
    match text.to_str() {
        Ok(text) => Ok(text),
        Err(_) => Err(bad_text(text, start)),
    }
}

#[cold]
#[inline(never)]
fn bad_text(text: StrRef<'_>, start: Cursor<'_>) -> Error {
    let into = text.as_bytes().as_ptr().addr().wrapping_sub(start.rest().as_ptr().addr());
    Error::new(ErrorKind::BadText, start.pos().wrapping_add(into))
}
