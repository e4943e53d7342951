//! Reads headers of objects, and detects keys in which type and name are swapped.

use super::TextReader;
use super::state::{Due, Enclosing, Frame};
use crate::rems::item::Scope;
use crate::rems::text::non_negative;
use crate::rems::{ErrorKind, Kind, Object, Result, StrRef, Type};

impl<'a, const DEPTH: usize> TextReader<'a, DEPTH> {
    /// Reads the opening brace, the class and the number of an object.
    #[inline(never)]
    pub(super) fn object(&mut self, expected: Option<StrRef<'a>>) -> Result<Object<'a>> {
        let offset = self.scan.offset();
        self.scan.advance(1);
        self.push(Frame { enclosing: Enclosing::Object, ..Frame::FILE })?;
        self.skip_trivia()?;
        let (class, is_class_written) = self.class(expected)?;
        let pointer = self.number(is_class_written)?;
        self.due = if is_class_written || pointer.is_some() { Due::Member } else { Due::First };
        Ok(Object { class, pointer, offset, scope: Scope::Own })
    }

    /// Reads the class of an object. Uses the class of the declared type if the object has no
    /// `class` key. Returns the class, and `true` if the object has the key.
    #[inline(always)]
    fn class(&mut self, expected: Option<StrRef<'a>>) -> Result<(StrRef<'a>, bool)> {
        if !self.scan.eat(b"\"class\"") {
            let class = expected.ok_or_else(|| self.scan.error_or_end(ErrorKind::NoClass))?;
            return Ok((class, false));
        }
        self.colon()?;
        let start = self.scan;
        let class = self.scan.string("a class")?;
        match expected {
            Some(expected) if expected != class => Err(start.error(ErrorKind::OtherClass)),
            _ => Ok((class, true)),
        }
    }

    /// Reads the number of the object, if it has one. The number must precede the properties.
    #[inline(always)]
    fn number(&mut self, is_class_written: bool) -> Result<Option<u64>> {
        let start = self.scan;
        if is_class_written {
            self.skip_trivia()?;
            if self.scan.peek() != Some(b',') {
                return Ok(None);
            }
            self.scan.advance(1);
            self.skip_trivia()?;
        }
        let keys = [&b"\"i:*ptr\""[..], b"\"*ptr\"", b"\"ptr\""];
        if !keys.iter().any(|key| self.scan.eat(key)) {
            self.scan = start;
            return Ok(None);
        }
        self.colon()?;
        let number = non_negative(&mut self.scan, self.options, ErrorKind::BadPointer)?;
        Ok(Some(number.into()))
    }
}

/// Returns the kind of a single integer vector whose type and name are swapped, as all engines
/// wrote it until April 2022. The caller has checked that the value begins with an opening bracket.
/// Returns `None` if a value of the type `ty` can begin with a bracket, since nothing is swapped
/// then. Engines wrote the type `v3i` for vectors of four numbers, too, so the kind depends on the
/// number of components.
#[cold]
pub(super) fn swapped(ty: Type<'_>, name: &[u8], value: &[u8]) -> Option<Kind> {
    let bracketed = match ty {
        Type::Kind(kind, dim) => dim > 0 || kind.brackets() > 0,
        other => other.dim() > 0,
    };
    if bracketed {
        return None;
    }
    let end = value.iter().position(|byte| *byte == b']').unwrap_or(0);
    match value.iter().take(end).filter(|byte| **byte == b',').count() {
        1 => Some(Kind::Vec2i),
        2 => Some(Kind::Vec3i),
        3 => Some(Kind::Vec4i),
        _ => Kind::named(name),
    }
}
