//! Types of properties, as the keys in text files name them.

use super::{Kind, StrRef};
use core::fmt;

/// Declared type of a property. Each variant except [`Object`](Self::Object) contains a number of
/// array or list dimensions. The descriptions of the variants state, in parentheses, which number
/// stands for which meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type<'a> {
    /// A value of a kind (0), an array of values (1), or an array of arrays (2).
    Kind(Kind, u8),
    /// An object of a class (0), a list of objects of one class (1), or a list of such lists (2).
    /// The value may still be a pointer or null.
    Class(StrRef<'a>, u8),
    /// A list of objects of several classes (1), or a list of such lists (2). Each object contains
    /// its class.
    Mixed(u8),
    /// An object whose class the file does not state. In a text file, the property has the type `?`
    /// and the value null. In a binary stream, the value is a pointer or null.
    Object,
}

impl<'a> Type<'a> {
    /// Returns the type that a name stands for. Accepts the type names of all versions of the
    /// engine; every other name is a class.
    ///
    /// A class with the name of a kind, such as `i`, is therefore read as the kind. The engine has
    /// the same limitation: it writes such a class, but cannot read it back.
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

    /// Returns the type that a name with escapes stands for, or `None` for a class.
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

    /// Returns the number of array or list dimensions: 0 for a single value or object.
    #[inline]
    pub const fn dim(&self) -> u8 {
        match self {
            Self::Kind(_, dim) | Self::Class(_, dim) | Self::Mixed(dim) => *dim,
            Self::Object => 0,
        }
    }

    /// Returns the type of the elements, which has one dimension fewer.
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

/// Strips up to two pairs of brackets from the end of a name. Returns the remaining name and the
/// number of pairs.
#[inline(always)]
fn without_brackets(name: &[u8]) -> (&[u8], u8) {
    match name {
        [bare @ .., b'[', b']', b'[', b']'] => (bare, 2),
        [bare @ .., b'[', b']'] => (bare, 1),
        bare => (bare, 0),
    }
}

/// Formats the type as the latest version of the engine names it.
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
