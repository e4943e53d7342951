//! Types of properties, as the keys of a text have them.

use super::{Kind, Str};
use core::fmt;

/// What a property's value is, as far as the property says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type<'a> {
    /// A value of a kind, inside so many arrays (0, 1 or 2).
    Kind(Kind, u8),
    /// An object of a class, or a list of such (1), or a list of lists (2). What is there
    /// may still be a pointer or null.
    Class(Str<'a>, u8),
    /// A list of objects that say their classes themselves (1), or a list of such lists (2).
    Mixed(u8),
    /// An object of which the property does not say the class: `?` in text, where it is null;
    /// a pointer or null in binary.
    Object,
}

impl<'a> Type<'a> {
    /// The type of that name, by any writer; every name that is nothing else is a class.
    ///
    /// (So no class can be called `i`: the engine cannot read what it writes of one, either.)
    #[inline(always)]
    pub fn named(name: Str<'a>) -> Self {
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
                None => Self::Class(Str::quoted(bare, name.has_escapes()), dim),
            },
        }
    }

    /// A type that is no class, with escapes in its name.
    #[cold]
    fn escaped(name: Str<'a>) -> Option<Self> {
        let mut room = [0; 12];
        let mut len = 0usize;
        for byte in name.bytes() {
            *room.get_mut(len)? = byte;
            len = len.wrapping_add(1);
        }
        match Type::named(Str::new(room.get(..len)?)) {
            Type::Kind(kind, dim) => Some(Self::Kind(kind, dim)),
            Type::Mixed(dim) => Some(Self::Mixed(dim)),
            Type::Object => Some(Self::Object),
            Type::Class(..) => None,
        }
    }

    /// How many arrays or lists are around a value or an object.
    #[inline]
    pub const fn dim(&self) -> u8 {
        match self {
            Self::Kind(_, dim) | Self::Class(_, dim) | Self::Mixed(dim) => *dim,
            Self::Object => 0,
        }
    }

    /// The same with one array or list less around it.
    #[inline]
    pub(crate) const fn inside(self) -> Self {
        match self {
            Self::Kind(kind, dim) => Self::Kind(kind, dim.saturating_sub(1)),
            Self::Class(name, dim) => Self::Class(name, dim.saturating_sub(1)),
            Self::Mixed(0 | 1) | Self::Object => Self::Object,
            Self::Mixed(dim) => Self::Mixed(dim.saturating_sub(1)),
        }
    }
}

/// Up to two pairs of brackets at the end taken away, and how many they were.
#[inline(always)]
fn without_brackets(name: &[u8]) -> (&[u8], u8) {
    match name {
        [bare @ .., b'[', b']', b'[', b']'] => (bare, 2),
        [bare @ .., b'[', b']'] => (bare, 1),
        bare => (bare, 0),
    }
}

/// As the newest writer names it.
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
