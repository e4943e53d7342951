//! The names under which serde sees the engine's types. They are the usual names (`Vector2`), so
//! other formats see plain structs. The serializer and the deserializer of packets recognise the
//! types of this crate by the *address* of the name. The name of a user's own struct called
//! `Vector2` has a different address. This holds even if the compiler or the linker merges equal
//! strings, because all names of this crate are parts of one `static`. Therefore, no name is
//! reserved, and none can be forged.
//!
//! Each name is stored several times. Each copy has a different meaning, which its address
//! represents: the width of the value to be written, or the kind of the bytes that follow.

use crate::godot::read::compact_form::WireForm;
use crate::godot::{Dialect, Kind};

/// The meaning of one of this crate's names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KnownName {
    /// A value of the given kind. If `double` is `true`, its reals are `f64`.
    Value { kind: Kind, double: bool },
    /// The elements of a packed array of the given kind and width, as raw bytes.
    Elements { kind: Kind, double: bool },
    /// Any value, as its encoded bytes.
    Encoded,
    /// The bytes of a value in the given dialect and form.
    Bytes { dialect: Dialect, form: WireForm },
}

/// Distance between the starts of two names.
const CELL: usize = 32;

/// Number of cells. Values need two cells per kind, for single and double precision. Elements of
/// packed arrays need as many again. One cell means any value. The bytes of a value need one cell
/// per dialect and form.
const CELLS: usize = 4 * Kind::ALL.len() + 1 + Dialect::ALL.len() * FORMS_LEN;

const FORMS_LEN: usize = FORMS.len();

const FORMS: [WireForm; 3] = [WireForm::Full, WireForm::Compact, WireForm::Raw];

const ANY: &str = "Variant";

static NAMES: [[u8; CELL]; CELLS] = names();

#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "at compile time")]
const fn names() -> [[u8; CELL]; CELLS] {
    let mut names = [[0; CELL]; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let name = text(cell).as_bytes();
        let mut i = 0;
        while i < name.len() {
            names[cell][i] = name[i];
            i += 1;
        }
        cell += 1;
    }
    names
}

/// Returns the Godot 4 name of the type that a cell stands for. The name is empty for types that
/// only older engines have, for which no Rust type exists.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "at compile time")]
const fn text(cell: usize) -> &'static str {
    if cell >= 4 * Kind::ALL.len() {
        return ANY;
    }
    match Dialect::Godot4.type_name(Kind::ALL[cell % Kind::ALL.len()]) {
        Some(name) => name,
        None => "",
    }
}

impl KnownName {
    #[allow(clippy::arithmetic_side_effects, reason = "at compile time")]
    const fn cell(self) -> usize {
        const ALL: usize = Kind::ALL.len();
        match self {
            Self::Value { kind, double: false } => kind as usize,
            Self::Value { kind, double: true } => ALL + kind as usize,
            Self::Elements { kind, double: false } => 2 * ALL + kind as usize,
            Self::Elements { kind, double: true } => 3 * ALL + kind as usize,
            Self::Encoded => 4 * ALL,
            Self::Bytes { dialect, form } => {
                4 * ALL + 1 + dialect as usize * FORMS_LEN + form as usize
            }
        }
    }

    /// Returns the name to pass to serde.
    #[allow(clippy::indexing_slicing, reason = "`cell` is below `CELLS`")]
    pub(super) const fn name(self) -> &'static str {
        let cell = self.cell();
        match NAMES[cell].split_at_checked(text(cell).len()) {
            Some((name, _)) => match str::from_utf8(name) {
                Ok(name) => name,
                Err(_) => ANY,
            },
            None => ANY,
        }
    }

    /// Returns the meaning of `name` if it is one of this crate's names.
    #[inline(always)]
    pub(super) fn named(name: &'static str) -> Option<Self> {
        let offset = name.as_ptr().addr().wrapping_sub(NAMES.as_ptr().addr());
        if offset < size_of_val(&NAMES) { Self::at(offset / CELL) } else { None }
    }

    #[inline(always)]
    fn at(cell: usize) -> Option<Self> {
        let all = Kind::ALL.len();
        if let Some(&kind) = Kind::ALL.get(cell) {
            return Some(Self::Value { kind, double: false });
        }
        if let Some(&kind) = Kind::ALL.get(cell.wrapping_sub(all)) {
            return Some(Self::Value { kind, double: true });
        }
        Self::at_bytes(cell.wrapping_sub(all.wrapping_mul(2)))
    }

    #[inline(never)]
    fn at_bytes(cell: usize) -> Option<Self> {
        let all = Kind::ALL.len();
        if let Some(&kind) = Kind::ALL.get(cell) {
            return Some(Self::Elements { kind, double: false });
        }
        if let Some(&kind) = Kind::ALL.get(cell.wrapping_sub(all)) {
            return Some(Self::Elements { kind, double: true });
        }
        let Some(cell) = cell.wrapping_sub(all.wrapping_mul(2)).checked_sub(1) else {
            return Some(Self::Encoded);
        };
        let dialect = *Dialect::ALL.get(cell / FORMS_LEN)?;
        Some(Self::Bytes { dialect, form: *FORMS.get(cell % FORMS_LEN)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found_by_its_address_only() {
        for cell in 0..CELLS {
            let own = KnownName::at(cell).unwrap();
            assert_eq!(own.cell(), cell);
            if !own.name().is_empty() {
                assert_eq!(KnownName::named(own.name()), Some(own));
            }
        }
        assert_eq!(KnownName::Value { kind: Kind::Vector2, double: true }.name(), "Vector2");
        assert_eq!(KnownName::Value { kind: Kind::Color, double: true }.name(), "Color");
        for name in ["Vector2", "Variant", "", "PackedVector4Array"] {
            assert_eq!(KnownName::named(name), None, "{name}");
        }
    }
}
