//! Reads the values in text saves, according to their types.

use super::escapes::{hexadecimal, unescaped};
use super::numbers::{color, integer, part};
use super::text::{Class, Text};
use super::tree::{Array, List, Part, Value};
use super::types::{Builtin, Scalar, Shape, Type};
use super::{Refused, Result};

impl Text<'_> {
    pub fn value(&mut self, ty: &Type) -> Result<Value> {
        self.blanks();
        match ty {
            Type::Builtin(kind, 0) if kind.scalar == Scalar::Text => self.text(),
            Type::Builtin(kind, 0) => Ok(Value::Parts(self.parts(kind)?)),
            Type::Builtin(kind, dim) if kind.scalar != Scalar::Text => self.array(kind, *dim),
            Type::Builtin(..) | Type::Class(_, 1..) | Type::Mixed(_) => self.list(ty),
            Type::Class(class, _) => self.object_or_pointer(&Class::Known(class)),
            Type::Unknown => self.object_or_pointer(&Class::Told),
        }
    }

    fn text(&mut self) -> Result<Value> {
        if self.word(b"null") {
            return Ok(Value::Null);
        }
        Ok(Value::Text(self.string()?))
    }

    fn object_or_pointer(&mut self, class: &Class<'_>) -> Result<Value> {
        match self.peek() {
            Some(b'{') => Ok(Value::Object(self.object(class)?)),
            Some(b'0'..=b'9' | b'-') => {
                Ok(Value::Pointer(self.up_to(false, i64::MAX.into())? as u64))
            }
            _ if self.word(b"null") => Ok(Value::Null),
            _ => self.refuse("an object, pointer or null belongs here"),
        }
    }

    fn list(&mut self, ty: &Type) -> Result<Value> {
        if self.word(b"null") {
            return Ok(Value::Null);
        }
        let inside = ty.inside();
        let (len, elements) =
            self.deeper(|text| text.elements(None, |text| text.value(&inside)))?;
        Ok(Value::List(List { ty: ty.clone(), len, elements }))
    }

    fn array(&mut self, kind: &'static Builtin, dim: u8) -> Result<Value> {
        if self.word(b"null") {
            return Ok(Value::Null);
        }
        self.rows(kind, dim)
    }

    /// Reads an array that is not null. Arrays in it cannot be null, either.
    fn rows(&mut self, kind: &'static Builtin, dim: u8) -> Result<Value> {
        let missing = Some(kind.initial(dim - 1));
        let (len, elements) = self.elements(missing, |text| match dim {
            1 => Ok(Value::Parts(text.parts(kind)?)),
            _ => text.rows(kind, dim - 1),
        })?;
        Ok(Value::Array(Array { len, elements }))
    }

    /// Reads a count, and then at most that many elements. The array `[]` has the count 0. If a
    /// comma is followed by the end of the array and `missing` is not `None`, adds `missing` as the
    /// element after the comma.
    fn elements(
        &mut self,
        missing: Option<Value>,
        element: impl Fn(&mut Self) -> Result<Value>,
    ) -> Result<(u32, Vec<Value>)> {
        self.expect(b'[')?;
        self.blanks();
        if self.word(b"]") {
            return Ok((0, Vec::new()));
        }
        let len = self.whole(true)?;
        let mut elements = Vec::new();
        loop {
            self.blanks();
            if self.word(b"]") {
                return Ok((len, elements));
            }
            self.expect(b',')?;
            self.blanks();
            if elements.len() as u64 == u64::from(len) {
                return self.refuse("more elements than declared");
            }
            match self.peek() {
                Some(b']') => elements.extend(missing.clone()),
                _ => elements.push(element(self)?),
            }
        }
    }

    /// Reads the bytes before the next byte that ends a number or a word.
    fn token(&mut self) -> &[u8] {
        let ends = |byte: &u8| b" \t\n\r,:[]{}\"'/".contains(byte);
        let rest = self.rest();
        let len = rest.iter().position(ends).unwrap_or(rest.len());
        self.at += len;
        &rest[..len]
    }

    /// Reads a count or the number of an object.
    pub fn whole(&mut self, quotes: bool) -> Result<u32> {
        self.up_to(quotes, i32::MAX.into()).map(|number| number as u32)
    }

    fn up_to(&mut self, quotes: bool, max: i128) -> Result<i128> {
        let at = self.at;
        let options = self.options;
        let token = match self.peek() {
            Some(b'"') if quotes => self.string()?,
            _ => self.token().to_vec(),
        };
        let number = integer(&token, options).map_err(|why| Refused { at, why })?;
        match number.exact {
            Some(number) if (0..=max).contains(&number) => Ok(number),
            _ => Err(Refused { at, why: "no count, and no number of an object" }),
        }
    }

    fn parts(&mut self, kind: &Builtin) -> Result<Vec<Part>> {
        match kind.shape {
            Shape::One => Ok(vec![self.part(kind.scalar)?]),
            Shape::Vector(rows) => self.vector(kind.scalar, rows),
            Shape::Quaternion | Shape::Plane(_) => self.numbers(kind.scalar, kind.parts()),
            Shape::Box => self.columns(kind.scalar, 2, 3),
            Shape::Matrix(columns, rows) => self.columns(kind.scalar, columns, rows),
        }
    }

    fn columns(&mut self, scalar: Scalar, columns: usize, rows: usize) -> Result<Vec<Part>> {
        let columns = (0..columns).map(|at| {
            self.expect(if at == 0 { b'[' } else { b',' })?;
            self.blanks();
            self.vector(scalar, rows)
        });
        let columns = columns.collect::<Result<Vec<_>>>()?;
        self.expect(b']')?;
        Ok(columns.concat())
    }

    /// Reads a given number of components in brackets.
    fn numbers(&mut self, scalar: Scalar, count: usize) -> Result<Vec<Part>> {
        let numbers = self.some_numbers(scalar)?;
        match numbers.len() == count {
            true => Ok(numbers),
            false => self.refuse("another count of parts"),
        }
    }

    fn some_numbers(&mut self, scalar: Scalar) -> Result<Vec<Part>> {
        self.expect(b'[')?;
        let mut numbers = Vec::new();
        loop {
            self.blanks();
            numbers.push(self.part(scalar)?);
            self.blanks();
            if self.word(b"]") {
                return Ok(numbers);
            }
            self.expect(b',')?;
        }
    }

    /// Reads a vector, which may have a short form that omits components.
    fn vector(&mut self, scalar: Scalar, rows: usize) -> Result<Vec<Part>> {
        let numbers = self.some_numbers(scalar)?;
        // By default, the fourth component is the alpha of an opaque colour.
        let full = if scalar == Scalar::I32 { 255.0 } else { 1.0 };
        match (rows, numbers.as_slice()) {
            (_, &[all]) => Ok(vec![all; rows]),
            (4, &[xyz, w]) => Ok(vec![xyz, xyz, xyz, w]),
            (4, &[x, y, z]) => Ok(vec![x, y, z, Part::of(scalar, full)]),
            _ if numbers.len() == rows => Ok(numbers),
            _ => self.refuse("another count of parts"),
        }
    }

    /// Reads a vector of integers whose name and type are swapped. Its type follows from the number
    /// of its components.
    pub fn swapped_vector(&mut self, name: &[u8]) -> Result<(Type, Value)> {
        let before = self.at;
        let rows = match (self.some_numbers(Scalar::I32)?.len(), name) {
            (2, _) | (1, b"v2i") => 2,
            (3, _) | (1, b"v3i") => 3,
            (4, _) | (1, _) => 4,
            _ => return self.refuse("another count of parts"),
        };
        self.at = before;
        let ty = Type::named(format!("v{rows}i").as_bytes());
        let value = self.value(&ty)?;
        Ok((ty, value))
    }

    /// Reads a number, a bool, a UTF-16 unit or a colour.
    fn part(&mut self, scalar: Scalar) -> Result<Part> {
        let (at, options) = (self.at, self.options);
        let quoted = self.peek() == Some(b'"');
        let part = match scalar {
            Scalar::Char if quoted => self.letter(b'"').map(Part::Char)?,
            Scalar::Char if self.peek() == Some(b'\'') => self.letter(b'\'').map(Part::Char)?,
            Scalar::Color if quoted => return self.color(),
            Scalar::F32 | Scalar::F64 | Scalar::Bool if quoted => {
                let string = self.string()?;
                part(&string, scalar, options).map_err(|why| Refused { at, why })?
            }
            _ => part(self.token(), scalar, options).map_err(|why| Refused { at, why })?,
        };
        Ok(part)
    }

    fn color(&mut self) -> Result<Part> {
        let string = self.string()?;
        let color = string.strip_prefix(b"#").and_then(|digits| color(digits, &[3, 4, 6, 8]));
        match color {
            Some(color) => Ok(Part::I32(color)),
            None => self.refuse("no colour"),
        }
    }

    /// Reads one UTF-16 unit in quotes.
    fn letter(&mut self, quote: u8) -> Result<u16> {
        // In 2021, an apostrophe or a backslash between apostrophes needs no escape.
        match self.rest() {
            [b'\'', b'\\', b'\'', b'\'', ..] => {}
            [b'\'', byte @ (b'\'' | b'\\'), b'\'', ..] => {
                self.at += 3;
                return Ok(u16::from(*byte));
            }
            _ => {}
        }
        let at = self.at;
        let raw = self.raw_string(quote)?;
        // The escape of an unpaired surrogate is also a valid unit.
        if let Some((unit, b"")) = raw.strip_prefix(b"\\u").and_then(hexadecimal) {
            return Ok(unit);
        }
        let string = unescaped(raw, at)?;
        let units = String::from_utf8(string).map(|string| string.encode_utf16().collect());
        let units: Vec<u16> = match units {
            Ok(units) => units,
            // In a text that is not UTF-8, each byte is the low byte of a unit, as engines wrote it
            // in late 2021.
            Err(bytes) => bytes.into_bytes().into_iter().map(u16::from).collect(),
        };
        match *units.as_slice() {
            [unit] => Ok(unit),
            _ => self.refuse("not one unit of UTF-16"),
        }
    }
}
