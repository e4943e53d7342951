//! Types of properties, as the keys of a text name them.

use super::{Kind, StrRef};
use core::fmt;

/// Declared type of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type<'a> {
    /// A value of a kind, inside 0, 1 or 2 arrays.
    Kind(Kind, u8),
    /// An object of a class (0), a list of such objects (1), or a list of lists (2). The value may
    /// still be a pointer or null.
    Class(StrRef<'a>, u8),
    /// A list of objects that state their classes themselves (1), or a list of such lists (2).
    Mixed(u8),
    /// An object of unknown class: `?` in text, where the value is null; a pointer or null in
    /// binary.
    Object,
}

impl<'a> Type<'a> {
    /// Returns the type with a name, as any writer spells it. Every other name is a class.
    ///
    /// No class can be called `i`: the engine writes one, but cannot read it back either.
    #[inline(always)]
    pub fn named(name: StrRef<'a>) -> Self {
        if name.has_escapes()
            && let Some(ty) = Self::escaped(name)
        {
            return ty;
        }
        if let [letter] = name.raw()
            && let Some(kind) = Kind::of_letter(*letter)
        {
            return Self::Kind(kind, 0);
        }
        let (bare, dim) = without_brackets(name.raw());
        match (bare, dim) {
            (b"" | b"*", 1..) => Self::Mixed(dim),
            (b"?", 0) => Self::Object,
            _ => match Kind::named(bare) {
                Some(kind) => Self::Kind(kind, dim),
                None => Self::Class(StrRef::quoted(bare, name.has_escapes()), dim),
            },
        }
    }

    /// Returns the type of a name with escapes; `None` for a class.
    #[cold]
    fn escaped(name: StrRef<'a>) -> Option<Self> {
        let mut buffer = [0; 12];
        let mut len = 0usize;
        for byte in name.bytes() {
            *buffer.get_mut(len)? = byte;
            len = len.wrapping_add(1);
        }
        match Type::named(StrRef::new(buffer.get(..len)?)) {
            Type::Kind(kind, dim) => Some(Self::Kind(kind, dim)),
            Type::Mixed(dim) => Some(Self::Mixed(dim)),
            Type::Object => Some(Self::Object),
            Type::Class(..) => None,
        }
    }

    /// Number of arrays or lists around a value or object.
    #[inline]
    pub const fn dim(&self) -> u8 {
        match self {
            Self::Kind(_, dim) | Self::Class(_, dim) | Self::Mixed(dim) => *dim,
            Self::Object => 0,
        }
    }

    /// Type of the elements: one array or list less.
    #[inline]
    #[must_use]
    pub const fn element(self) -> Self {
        match self {
            Self::Kind(kind, dim) => Self::Kind(kind, dim.saturating_sub(1)),
            Self::Class(name, dim) => Self::Class(name, dim.saturating_sub(1)),
            Self::Mixed(0 | 1) | Self::Object => Self::Object,
            Self::Mixed(dim) => Self::Mixed(dim.saturating_sub(1)),
        }
    }
}

/// Strips up to two pairs of brackets. Returns the rest, and their number.
#[inline(always)]
fn without_brackets(name: &[u8]) -> (&[u8], u8) {
    match name {
        [bare @ .., b'[', b']', b'[', b']'] => (bare, 2),
        [bare @ .., b'[', b']'] => (bare, 1),
        bare => (bare, 0),
    }
}

/// Shows the name that the latest writer uses.
impl fmt::Display for Type<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind(kind, _) => f.write_str(kind.name())?,
            Self::Class(name, _) => fmt::Display::fmt(name, f)?,
            Self::Mixed(_) => f.write_str("*")?,
            Self::Object => f.write_str("?")?,
        }
        (0..self.dim()).try_for_each(|_| f.write_str("[]"))
    }
}
