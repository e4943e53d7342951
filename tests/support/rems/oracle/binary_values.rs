//! Reads the values in binary streams, according to their types.

use super::Result;
use super::binary::Stream;
use super::binary_types::{Id, Time};
use super::tree::{Array, List, Object, Part, Value};
use super::types::{Builtin, Scalar, Type};

impl Stream<'_> {
    /// Reads a value in an object. References to attributes in the value use the attributes of the
    /// class `scope`. Also returns the type of the value, because the type of an object is known
    /// only after reading it.
    pub fn value(&mut self, id: &Id, scope: &[u8]) -> Result<(Type, Value)> {
        match id {
            Id::Null => Ok((Type::Unknown, Value::Null)),
            Id::Pointer => Ok((Type::Unknown, Value::Pointer(self.whole()?.into()))),
            Id::Object => {
                let object = self.object()?;
                Ok((Type::Class(object.class.clone(), 0), Value::Object(object)))
            }
            Id::Mixed(dim) => {
                let ty = Type::Mixed(*dim);
                Ok((ty.clone(), self.mixed(ty)?))
            }
            Id::OneClass => self.one_class(scope),
            Id::Roots => self.refuse("roots inside of an object"),
            Id::Value(kind, dim) => {
                let ty = Type::Builtin(kind, *dim);
                Ok((ty.clone(), self.builtin(kind, *dim)?))
            }
        }
    }

    /// Reads `count` values with the same function.
    fn many<T>(&mut self, count: u32, one: impl Fn(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut many = Vec::new();
        for _ in 0..count {
            many.push(one(self)?);
        }
        Ok(many)
    }

    /// Reads a count and that many elements.
    fn list(&mut self, ty: Type, element: impl Fn(&mut Self) -> Result<Value>) -> Result<Value> {
        let len = self.whole()?;
        let elements = self.deeper(|stream| stream.many(len, element))?;
        Ok(Value::List(List { ty, len, elements }))
    }

    fn mixed(&mut self, ty: Type) -> Result<Value> {
        match ty.inside() {
            Type::Unknown => self.list(ty, Self::marked),
            inside => self.list(ty, |stream| stream.mixed(inside.clone())),
        }
    }

    /// Reads an object, a pointer or null; the first byte states which.
    fn marked(&mut self) -> Result<Value> {
        let mark = self.byte()?;
        match Id::of(mark, self.time) {
            Some(Id::Null) => Ok(Value::Null),
            Some(Id::Object) => Ok(Value::Object(self.object()?)),
            Some(Id::Pointer) => Ok(Value::Pointer(self.whole()?.into())),
            _ => self.refuse("neither object nor pointer nor null"),
        }
    }

    /// Reads a list whose elements have neither class nor number. Until October 2024, references to
    /// attributes of the elements use the attributes of the class `scope`, which is the class of
    /// the object that contains the list.
    fn one_class(&mut self, scope: &[u8]) -> Result<(Type, Value)> {
        let class = self.name()?;
        let scope = if self.time >= Time::October2024 { class.clone() } else { scope.to_vec() };
        let ty = Type::Class(class.clone(), 1);
        let list = self.list(ty.clone(), |stream| {
            let properties = stream.deeper(|stream| stream.attributes(&scope))?;
            let class = class.clone();
            Ok(Value::Object(Object { class, pointer: None, properties }))
        })?;
        Ok((ty, list))
    }

    fn builtin(&mut self, kind: &'static Builtin, dim: u8) -> Result<Value> {
        match (kind.scalar, dim) {
            (Scalar::Text, 0) => Ok(self.string()?.map_or(Value::Null, Value::Text)),
            (Scalar::Text, _) => {
                self.list(Type::Builtin(kind, dim), |stream| stream.builtin(kind, dim - 1))
            }
            (_, 0) => {
                let parts = kind.parts() as u32;
                Ok(Value::Parts(self.many(parts, |stream| stream.part(kind.scalar))?))
            }
            (_, _) => {
                let len = self.whole()?;
                let elements = self.many(len, |stream| stream.builtin(kind, dim - 1))?;
                Ok(Value::Array(Array { len, elements }))
            }
        }
    }

    fn part(&mut self, scalar: Scalar) -> Result<Part> {
        Ok(match scalar {
            Scalar::Bool => Part::Bool(self.bits(1)? != 0),
            Scalar::I8 => Part::I8(self.bits(1)? as i8),
            Scalar::Char => Part::Char(self.bits(2)? as u16),
            Scalar::I16 => Part::I16(self.bits(2)? as i16),
            Scalar::I32 | Scalar::Color => Part::I32(self.bits(4)? as i32),
            Scalar::I64 => Part::I64(self.bits(8)? as i64),
            Scalar::F32 => Part::F32(self.bits(4)? as u32),
            Scalar::F64 => Part::F64(self.bits(8)?),
            Scalar::Text => panic!("text is no part"),
        })
    }

    /// Reads a big-endian number of this many bytes.
    fn bits(&mut self, bytes: usize) -> Result<u64> {
        let bytes = self.take(bytes)?;
        Ok(bytes.iter().fold(0, |bits, byte| bits << 8 | u64::from(*byte)))
    }
}
