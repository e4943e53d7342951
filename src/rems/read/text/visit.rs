//! Passes the content of a text file to a visitor.

use super::TextReader;
use super::state::{Due, Enclosing, Frame};
use crate::rems::array::Array;
use crate::rems::item::Scope;
use crate::rems::parts::fast_column;
use crate::rems::read::visitor::{Visitor, visit_array, visit_item};
use crate::rems::text::digits::parse_integer;
use crate::rems::text::{Key, Scan, TextOptions};
use crate::rems::value::Encoding;
use crate::rems::{Kind, Object, Part, PartSlice, Property, Scalar, Type, Value};

impl<'a, const DEPTH: usize> TextReader<'a, DEPTH> {
    /// Passes the rest of the file to a visitor: the same items as [`next`](Self::next) returns, but
    /// with decoded numbers. This is faster than decoding the values that `next` returns.
    ///
    /// # Errors
    /// If the text or a value in it is malformed, or if the visitor returns an error. The visitor
    /// has received everything before the error, and there are no more items.
    ///
    /// ```
    /// use gamewire::rems::{Error, Kind, PartSlice, TextReader, Visitor};
    ///
    /// /// The sum of all single-precision numbers in a file.
    /// struct Sum(f64);
    ///
    /// impl Sum {
    ///     fn add(&mut self, parts: PartSlice<'_>) {
    ///         if let PartSlice::F32(parts) = parts {
    ///             self.0 += parts.iter().map(|part| f64::from(*part)).sum::<f64>();
    ///         }
    ///     }
    /// }
    ///
    /// impl Visitor<'_> for Sum {
    ///     type Error = Error;
    ///
    ///     fn parts(&mut self, _: Kind, parts: PartSlice<'_>) -> Result<(), Error> {
    ///         self.add(parts);
    ///         Ok(())
    ///     }
    ///
    ///     fn elements(&mut self, _: Kind, parts: PartSlice<'_>) -> Result<(), Error> {
    ///         self.add(parts);
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let text = br#"[{"class":"T","v3:at":[0.5,1,2.25],"f[]:times":[4,0.25,8],"i:id":7}]"#;
    /// let mut sum = Sum(0.0);
    /// TextReader::new(text).visit(&mut sum)?;
    /// assert_eq!(sum.0, 12.0);
    /// # Ok::<(), gamewire::rems::Error>(())
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
                Due::Member => self.visit_members(visitor)?,
                Due::Element => self.visit_element(visitor)?,
                Due::Nothing | Due::End => return Ok(()),
                _ => self.visit_next(visitor)?,
            }
        }
    }

    /// Visits properties whose keys and values have their most common form: no whitespace, no
    /// escapes, and numbers as engines write them. Leaves the next item, which has another form, to
    /// [`next`](Self::next). In the loop, the position is in registers, since the next position
    /// depends on it.
    #[inline(always)]
    fn visit_members<V: Visitor<'a>>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
        let mut scan = self.scan;
        self.due = loop {
            let Some(Key { ty, name, offset }) = scan.next_key() else { break Due::Member };
            let ty = Type::named(ty);
            visitor.property(&Property { ty, name, offset })?;
            match ty {
                Type::Kind(kind, dim) if dim == 0 || !kind.is_text() => {
                    if !visit_plain(&mut scan, kind, dim, self.options, visitor)? {
                        break Due::Plain(kind, dim);
                    }
                }
                Type::Class(_, 0) if visit_pointer(&mut scan, visitor)? => {}
                _ => {
                    self.ty = ty;
                    break if ty.dim() == 0 { Due::Instance } else { Due::List };
                }
            }
        };
        self.scan = scan;
        if self.due == Due::Member && scan.peek() == Some(b'}') {
            self.scan.advance(1);
            self.pop();
            return visitor.end();
        }
        self.visit_next(visitor)
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
        match self.plain_object() {
            Some(object) => visitor.object(&object),
            None => self.visit_next(visitor),
        }
    }

    /// Starts the next object in a list of one class. Returns `None`, and does nothing, if the
    /// header of the object does not have its most common form, which contains only the number.
    #[inline(always)]
    fn plain_object(&mut self) -> Option<Object<'a>> {
        let [b',', b'{', header @ ..] = self.scan.rest() else { return None };
        let header = header.strip_prefix(b"\"i:*ptr\":")?;
        let (number, len) = parse_integer(header)?;
        let pointer = u32::try_from(number).ok().filter(|number| *number <= i32::MAX as u32)?;
        let (Enclosing::Classes(1), Some(left), true, Some(b',' | b'}')) =
            (self.top.enclosing, self.top.left.checked_sub(1), self.depth < DEPTH, header.get(len))
        else {
            return None;
        };
        let (class, offset) = (self.top.class, self.scan.offset().wrapping_add(1));
        self.push(Frame { enclosing: Enclosing::Object, ..Frame::FILE }).ok()?;
        // Stored after the copy of the frame: a copy that soon follows a store of a part stalls.
        if let Some(list) = self.outer.get_mut(self.depth.wrapping_sub(1)) {
            list.left = left;
        }
        let end = self.scan.rest().len().wrapping_sub(header.len()).wrapping_add(len);
        self.scan.advance(end);
        self.due = Due::Member;
        Some(Object { class, pointer: Some(pointer.into()), offset, scope: Scope::Own })
    }
}

/// Visits a value if it has its most common form. Otherwise, returns `false` and stays in front of
/// the value.
#[inline(always)]
fn visit_plain<'a, V: Visitor<'a>>(
    scan: &mut Scan<'a>,
    kind: Kind,
    dim: u8,
    options: TextOptions,
    visitor: &mut V,
) -> Result<bool, V::Error> {
    match (dim, kind.scalar(), kind.brackets()) {
        (0, Scalar::Text, _) => visit_text(scan, kind, visitor),
        (0, Scalar::Bool, _) => visit_bool(scan, visitor),
        (0, Scalar::I8, 0) => visit_number::<i8, V>(scan, kind, visitor),
        (0, Scalar::I16, 0) => visit_number::<i16, V>(scan, kind, visitor),
        (0, Scalar::I32, 0) => visit_number::<i32, V>(scan, kind, visitor),
        (0, Scalar::I64, 0) => visit_number::<i64, V>(scan, kind, visitor),
        (0, Scalar::F32, 0) => visit_number::<f32, V>(scan, kind, visitor),
        (0, Scalar::F64, 0) => visit_number::<f64, V>(scan, kind, visitor),
        (0, Scalar::I32, 1) => visit_column::<i32, V>(scan, kind, visitor),
        (0, Scalar::F32, 1) => visit_column::<f32, V>(scan, kind, visitor),
        (0, Scalar::F64, 1) => visit_column::<f64, V>(scan, kind, visitor),
        (1, Scalar::I32, 0) => visit_list::<i32, V>(scan, kind, options, visitor),
        (1, Scalar::F32, 0) => visit_list::<f32, V>(scan, kind, options, visitor),
        (1, Scalar::F64, 0) => visit_list::<f64, V>(scan, kind, options, visitor),
        _ => Ok(false),
    }
}

/// Visits a reference to an object by its number.
#[inline(always)]
fn visit_pointer<'a, V: Visitor<'a>>(
    scan: &mut Scan<'a>,
    visitor: &mut V,
) -> Result<bool, V::Error> {
    let Some((number @ 0.., len)) = parse_integer(scan.rest()) else { return Ok(false) };
    if !matches!(scan.rest().get(len), Some(b',' | b'}')) {
        return Ok(false);
    }
    scan.advance(len);
    visitor.pointer(number.unsigned_abs())?;
    Ok(true)
}

#[inline(always)]
fn visit_text<'a, V: Visitor<'a>>(
    scan: &mut Scan<'a>,
    kind: Kind,
    visitor: &mut V,
) -> Result<bool, V::Error> {
    let Some(text) = scan.plain_string() else { return Ok(false) };
    visitor.text(kind, text)?;
    Ok(true)
}

#[inline(always)]
fn visit_bool<'a, V: Visitor<'a>>(scan: &mut Scan<'a>, visitor: &mut V) -> Result<bool, V::Error> {
    let (value, len) = match scan.rest() {
        [b't', b'r', b'u', b'e', b',' | b'}', ..] => (true, 4),
        [b'f', b'a', b'l', b's', b'e', b',' | b'}', ..] => (false, 5),
        _ => return Ok(false),
    };
    scan.advance(len);
    visitor.parts(Kind::Bool, PartSlice::of(&[value]))?;
    Ok(true)
}

#[inline(always)]
fn visit_number<'a, T: Part, V: Visitor<'a>>(
    scan: &mut Scan<'a>,
    kind: Kind,
    visitor: &mut V,
) -> Result<bool, V::Error> {
    let Some((number, len)) = T::fast_path(scan.rest()) else { return Ok(false) };
    if !matches!(scan.rest().get(len), Some(b',' | b'}')) {
        return Ok(false);
    }
    scan.advance(len);
    visitor.parts(kind, PartSlice::of(&[number]))?;
    Ok(true)
}

/// Visits a vector.
#[inline(always)]
fn visit_column<'a, T: Part, V: Visitor<'a>>(
    scan: &mut Scan<'a>,
    kind: Kind,
    visitor: &mut V,
) -> Result<bool, V::Error> {
    let mut parts = [T::default(); 4];
    let Some(column) = parts.get_mut(..kind.rows()) else { return Ok(false) };
    let Some(len) = fast_column(scan.rest(), column) else { return Ok(false) };
    scan.advance(len);
    visitor.parts(kind, PartSlice::of(column))?;
    Ok(true)
}

/// Visits an array of numbers.
#[inline(always)]
fn visit_list<'a, T: Part, V: Visitor<'a>>(
    scan: &mut Scan<'a>,
    kind: Kind,
    options: TextOptions,
    visitor: &mut V,
) -> Result<bool, V::Error> {
    if kind == Kind::Color || scan.peek() != Some(b'[') {
        return Ok(false);
    }
    let offset = scan.offset();
    let span = scan.value(kind, 1)?;
    let encoding = Encoding::Text(options);
    let value = Value { kind, dim: 1, encoding, span, count: 0, offset };
    visit_array::<T, V>(Array::open(value)?, visitor)?;
    Ok(true)
}
