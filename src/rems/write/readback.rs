//! What each engine writes and then cannot read: the one place that says so.

use super::Dialect;
#[cfg(feature = "alloc")]
use super::Era;
use super::scanned_str::ScannedStr;
use crate::rems::{Kind, StrRef, Type};

/// Why an engine could not read back what was to be written.
///
/// All of these were seen of the engines themselves. The numbers are of the engine that the
/// [`Dialect`] or `Era` stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Unreadable {
    /// Text: a class whose name is that of a kind of values, has a colon or ends in brackets, so
    /// that a key with it says something else.
    #[error("a key with this class name would be read as something else")]
    ClassName,
    /// Text: a property whose name is blank. The engine writes its value without a key.
    #[error("the engine writes no key for a blank name")]
    BlankName,
    /// Text: `i:*ptr` before all other properties is the number of the object.
    #[error("the first property of an object without a number would be read as its number")]
    LooksLikeNumber,
    /// Text of 2021: a lone vector of integers has type and name the wrong way round, and with
    /// this name even those who know that read something else.
    #[error("the name of this vector would be read as a type")]
    SwappedName,
    /// A type which the engine of that time does not have.
    #[error("the engine of that time has no type {0:?}")]
    NoSuchKind(Kind),
    /// A type that the engine of that time writes, but does not read.
    #[error("the engine of that time does not read {kind:?} inside {dim} arrays")]
    WriteOnly {
        /// The kind.
        kind: Kind,
        /// How many arrays are around it.
        dim: u8,
    },
    /// Lists of lists of objects, or in binary lists of one class: engines of that time write
    /// them, but do not read them.
    #[error("the engine of that time does not read this type of list")]
    List,
    /// Text: `NaN` or `Infinity`, which no engine reads without quotes, nor writes with them.
    #[error("no engine reads NaN and Infinity in text")]
    NotFinite,
    /// Text: `null` for a string, or for an array.
    #[error("no engine reads null for a string or array")]
    Null,
    /// Text of 2026: a letter with a backslash before it.
    #[error("the engine does not read escaped characters")]
    EscapedLetter,
    /// Half of a pair of UTF-16, which text cannot hold.
    #[error("an unpaired surrogate becomes a question mark")]
    HalfPair,
    /// Bytes that are not UTF-8.
    #[error("the text is not UTF-8")]
    NotUtf8,
    /// Binary: a file without objects.
    #[error("the engine does not read streams without objects")]
    NoObjects,
}

impl Unreadable {
    /// Whether what is written by force is something else, not only to the engine: of what is
    /// wrong with one item, that is what a [`Warning`] tells.
    pub const fn is_lost(self) -> bool {
        matches!(self, Self::ClassName | Self::LooksLikeNumber | Self::SwappedName | Self::HalfPair)
    }
}

/// Something was written which the engine could not read back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Warning {
    /// Why it could not.
    pub reason: Unreadable,
    /// Where it begins in what was written.
    pub offset: u64,
}

impl Warning {
    /// Keeps the more serious one, and of two the first.
    pub(super) fn add(kept: &mut Option<Self>, reason: Unreadable, offset: u64) {
        let less = kept.is_none_or(|kept| reason.is_lost() && !kept.reason.is_lost());
        if less {
            *kept = Some(Self { reason, offset });
        }
    }
}

impl core::fmt::Display for Warning {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Display::fmt(&self.reason, f)
    }
}

type Verdict = core::result::Result<(), Unreadable>;

const fn refuse_if(refused: bool, reason: Unreadable) -> Verdict {
    if refused { Err(reason) } else { Ok(()) }
}

/// A name or a text, anywhere.
#[inline]
pub(super) fn utf8(text: ScannedStr<'_>) -> Verdict {
    let is_utf8 = text.plain.is_some() || core::str::from_utf8(text.text.raw()).is_ok();
    refuse_if(!is_utf8, Unreadable::NotUtf8)
}

/// The key of a property in a text: first what would mean something else.
#[inline(always)]
pub(super) fn key(dialect: Dialect, ty: Type<'_>, name: ScannedStr<'_>) -> Verdict {
    match (dialect, ty) {
        (Dialect::Engine2026, Type::Kind(..) | Type::Mixed(_) | Type::Object) => {}
        _ => key_type(dialect, ty, name.text)?,
    }
    match name.plain {
        Some([b'!'..=b'~', ..]) => Ok(()),
        _ => {
            refuse_if(is_blank(name.text), Unreadable::BlankName)?;
            utf8(name)
        }
    }
}

#[inline(never)]
fn key_type(dialect: Dialect, ty: Type<'_>, name: StrRef<'_>) -> Verdict {
    match ty {
        Type::Kind(kind @ (Kind::Vec2i | Kind::Vec3i | Kind::Vec4i), 0)
            if dialect == Dialect::Engine2021 =>
        {
            swapped(name)?;
            text_kind(dialect, kind, 0)
        }
        Type::Kind(kind, dim) => text_kind(dialect, kind, dim),
        Type::Class(class, dim) => {
            self::class(class, dim)?;
            refuse_if(dim > 1 && dialect == Dialect::Engine2021, Unreadable::List)
        }
        Type::Mixed(dim) => refuse_if(dim > 1 && dialect == Dialect::Engine2021, Unreadable::List),
        Type::Object => Ok(()),
    }
}

/// The engine takes any character for blank that shows nothing, also those without a width.
fn is_blank(name: StrRef<'_>) -> bool {
    let blank = |c: char| {
        c.is_whitespace()
            || c.is_control()
            || matches!(c, '\u{180E}' | '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}')
    };
    name.pieces().all(|piece| match piece {
        crate::rems::Piece::Char(c) => blank(c),
        crate::rems::Piece::Bytes(bytes) => {
            core::str::from_utf8(bytes).is_ok_and(|text| text.chars().all(blank))
        }
    })
}

/// A class in a key: it has to be understood as that class.
fn class(class: StrRef<'_>, dim: u8) -> Verdict {
    let same = match named(class) {
        Named::Class => true,
        Named::Star => dim == 0,
        Named::Other => false,
    };
    refuse_if(!same, Unreadable::ClassName)?;
    utf8(ScannedStr::new(class))
}

/// What a text says before a colon.
enum Named {
    Class,
    /// What is a class alone, and with brackets a list of several.
    Star,
    Other,
}

/// As what a text is understood that is written before a colon, without its escapes.
fn named(text: StrRef<'_>) -> Named {
    if let Some(bytes) = text.as_bytes() {
        return Named::of(text, memchr::memchr(b':', bytes).is_some());
    }
    let mut bytes = [0; 16];
    let len = text.bytes().count();
    // The end says whether there are brackets; longer texts than this are no kinds.
    let end = text.bytes().skip(len.saturating_sub(bytes.len()));
    bytes.iter_mut().zip(end).for_each(|(to, byte)| *to = byte);
    let end = StrRef::new(bytes.get(..len).unwrap_or(&bytes));
    Named::of(end, text.bytes().any(|byte| byte == b':'))
}

impl Named {
    fn of(text: StrRef<'_>, colon: bool) -> Self {
        match Type::named(text) {
            _ if colon => Self::Other,
            Type::Class(_, 0) if matches!(text.raw(), b"" | b"*") => Self::Star,
            Type::Class(_, 0) => Self::Class,
            _ => Self::Other,
        }
    }
}

/// Of a lone vector of integers: whether it is known again, the wrong way round.
fn swapped(name: StrRef<'_>) -> Verdict {
    let bracketed = match named(name) {
        Named::Class | Named::Star => false,
        Named::Other if name.bytes().any(|byte| byte == b':') => true,
        Named::Other => match Type::named(name) {
            Type::Kind(kind, dim) => dim > 0 || kind.brackets() > 0 || name.has_escapes(),
            other => other.dim() > 0 || name.has_escapes(),
        },
    };
    refuse_if(bracketed, Unreadable::SwappedName)
}

fn text_kind(dialect: Dialect, kind: Kind, dim: u8) -> Verdict {
    match dialect {
        Dialect::Engine2026 => Ok(()),
        Dialect::Engine2021 if kind.name_2021().is_none() => Err(Unreadable::NoSuchKind(kind)),
        Dialect::Engine2021 => {
            refuse_if(!reads_2021(kind, dim), Unreadable::WriteOnly { kind, dim })
        }
    }
}

/// What the text reader of 2021 knows of what its writer writes. (Matrices in arrays, boxes in
/// arrays and vectors in arrays of arrays were not even written.)
const fn reads_2021(kind: Kind, dim: u8) -> bool {
    use Kind::*;
    match kind {
        F32 | F64 | String => true,
        Bool | I8 | I16 | I32 | I64 | File | Vec2 | Vec3 | Vec4 | Vec2d | Vec3d => dim < 2,
        Vec4d => dim == 1, // a lone one is called vd4 by a slip
        Char | Quat | Quatd | Mat3 | Mat4x3 | Aabb | Aabbd => dim == 0,
        _ => false,
    }
}

/// What the readers of binary streams know of what their writers write.
#[cfg(feature = "alloc")]
pub(super) const fn binary_kind(era: Era, kind: Kind, dim: u8) -> Verdict {
    use Kind::*;
    let reads = match (era, kind) {
        (Era::March2022 | Era::October2024, _) => true,
        // The id it has alone is not the one that is looked for.
        (_, I16) => dim > 0,
        (_, Char | Vec2i | Vec3i | Vec4i | Aabb | Aabbd) => false,
        (_, Mat3 | Mat4x3 | Mat4 | Mat3d | Mat4x3d | Mat4d) => false,
        _ => true,
    };
    refuse_if(!reads, Unreadable::WriteOnly { kind, dim })
}

/// Lists of one class: until September 2024 a mark was looked for before each element.
#[cfg(feature = "alloc")]
pub(super) const fn classes(era: Era) -> Verdict {
    refuse_if(!matches!(era, Era::October2024), Unreadable::List)
}
