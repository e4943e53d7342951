//! Detects output that engines write but cannot read back.

use super::scanned_str::ScannedStr;
#[cfg(feature = "alloc")]
use crate::rems::Era;
use crate::rems::print::{Dialect, Unreadable, Verdict};
use crate::rems::{Kind, StrRef, Type};

const fn refuse_if(refused: bool, reason: Unreadable) -> Verdict {
    if refused { Err(reason) } else { Ok(()) }
}

/// Checks that a name or string is UTF-8.
#[inline]
pub(super) fn utf8(text: ScannedStr<'_>) -> Verdict {
    let is_utf8 = text.plain.is_some() || core::str::from_utf8(text.text.raw()).is_ok();
    refuse_if(!is_utf8, Unreadable::NotUtf8)
}

/// Checks the key of a property in a text file. If it has several problems, reports one that
/// changes the meaning of the key.
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

/// Returns `true` if a name is blank by Java's definition, which includes control characters and
/// characters without a width.
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

/// Checks that a reader reads this class back from a key.
fn class(class: StrRef<'_>, dim: u8) -> Verdict {
    let same = match named(class) {
        Named::Class => true,
        Named::Star => dim == 0,
        Named::Other => false,
    };
    refuse_if(!same, Unreadable::ClassName)?;
    utf8(ScannedStr::new(class))
}

/// A reader's interpretation of the type name before the colon of a key.
enum Named {
    Class,
    /// The name `*` or an empty name. Without brackets it is a class; with brackets it is a list of
    /// objects of several classes.
    Star,
    Other,
}

/// Interprets a decoded type name as a reader does.
fn named(text: StrRef<'_>) -> Named {
    if let Some(bytes) = text.as_bytes() {
        return Named::of(text, memchr::memchr(b':', bytes).is_some());
    }
    let mut bytes = [0; 16];
    let len = text.bytes().count();
    // The end of the name is enough: brackets are at the end, and no kind has a name of more than
    // 16 bytes.
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

/// Checks that a single integer vector can have this name in a text file from 2021. The engine of
/// 2021 swaps the type and the name of such a vector, and readers must be able to recognise the
/// swap.
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

/// Returns `true` for types that the engine of 2021 reads from text files. That engine does not
/// write arrays of matrices or boxes, nor arrays of arrays of vectors.
const fn reads_2021(kind: Kind, dim: u8) -> bool {
    use Kind::*;
    match kind {
        F32 | F64 | String => true,
        Bool | I8 | I16 | I32 | I64 | File | Vec2 | Vec3 | Vec4 | Vec2d | Vec3d => dim < 2,
        Vec4d => dim == 1, // a single one is written as vd4 by mistake
        Char | Quat | Quatd | Mat3 | Mat4x3 | Aabb | Aabbd => dim == 0,
        _ => false,
    }
}

/// Checks that the engine of this era reads a type back from a binary stream.
#[cfg(feature = "alloc")]
pub(super) const fn binary_kind(era: Era, kind: Kind, dim: u8) -> Verdict {
    use Kind::*;
    let reads = match (era, kind) {
        (Era::March2022 | Era::October2024, _) => true,
        // The engine writes a different id for a single `i16` than it reads.
        (_, I16) => dim > 0,
        (_, Char | Vec2i | Vec3i | Vec4i | Aabb | Aabbd) => false,
        (_, Mat3 | Mat4x3 | Mat4 | Mat3d | Mat4x3d | Mat4d) => false,
        _ => true,
    };
    refuse_if(!reads, Unreadable::WriteOnly { kind, dim })
}

/// Checks that the engine of this era reads lists of one class. Until September 2024, engines
/// expected a marker byte before each element when they read such a list, but did not write one.
#[cfg(feature = "alloc")]
pub(super) const fn classes(era: Era) -> Verdict {
    refuse_if(!matches!(era, Era::October2024), Unreadable::List)
}
