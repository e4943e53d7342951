//! How objects begin, and keys.

use super::TextReader;
use super::state::{Due, Enclosing, Frame};
use crate::rems::item::Scope;
use crate::rems::text::non_negative;
use crate::rems::{ErrorKind, Kind, Object, Result, StrRef, Type};

impl<'a, const DEPTH: usize> TextReader<'a, DEPTH> {
    /// The brace of an object, and what says its class and number.
    #[inline(never)]
    pub(super) fn object(&mut self, expected: Option<StrRef<'a>>) -> Result<Object<'a>> {
        let offset = self.scan.offset();
        self.scan.advance(1);
        self.push(Frame { enclosing: Enclosing::Object, ..Frame::FILE })?;
        self.scan.skip_trivia()?;
        let (class, said) = self.class(expected)?;
        let pointer = self.number(said)?;
        self.due = if said || pointer.is_some() { Due::Member } else { Due::First };
        Ok(Object { class, pointer, offset, scope: Scope::Own })
    }

    /// The key `class`, where it is needed or there nonetheless; whether it is.
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

    /// The key of the object's number, which is there only before its properties.
    #[inline(always)]
    fn number(&mut self, class_said: bool) -> Result<Option<u32>> {
        let start = self.scan;
        if class_said {
            self.scan.skip_trivia()?;
            if self.scan.peek() != Some(b',') {
                return Ok(None);
            }
            self.scan.advance(1);
            self.scan.skip_trivia()?;
        }
        let keys = [&b"\"i:*ptr\""[..], b"\"*ptr\"", b"\"ptr\""];
        if !keys.iter().any(|key| self.scan.eat(key)) {
            self.scan = start;
            return Ok(None);
        }
        self.colon()?;
        non_negative(&mut self.scan, self.options, ErrorKind::BadPointer).map(Some)
    }
}

/// Until April 2022, type and name of a lone vector of integers were written the wrong way round.
/// No other value of the type that a name looks like has a bracket. `v3i` was said of four
/// numbers, too.
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
