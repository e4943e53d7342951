//! The encodings of values that the index decodes inline. The header identifies them. All others
//! are decoded by a function that is not inlined.

use super::{Index, IndexEntry};
use crate::buffer::Cursor;
use crate::godot::read::trusted::put_other;
use crate::godot::table::dialect::{Job, Rules, Spec, Width};
use crate::godot::table::payload::{Header, Number, Payload};
use crate::godot::{Dialect, Kind, NodePathRef, ObjectRef, VariantRef};

macro_rules! shapes {
    (
        reals $($Real:ident)*; packed $($Packed:ident $T:ty),*;
    ) => {
        /// The encoding of a value. An encoding whose header has no flags is named after its kind.
        /// The variants have no fields. This lets the compiler merge the `match` over them with the
        /// `match` of the caller.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum ValueShape {
            Nil,
            Bool,
            Int,
            Float,
            /// A 64-bit Float.
            WideFloat,
            String,
            StringName,
            /// An Array without an element type.
            Array,
            /// A Dictionary without types.
            Dictionary,
            NodePath,
            /// Any other value.
            Other,
            $($Real,)*
            $($Packed,)*
        }

        impl ValueShape {
            /// Returns the shape of a value of `kind` whose header has no flags.
            const fn of_kind(kind: Kind, rules: &Rules) -> Self {
                if has_double_reals(kind, rules) {
                    return Self::Other;
                }
                match kind {
                    Kind::Nil => Self::Nil,
                    Kind::Bool => Self::Bool,
                    Kind::Int => Self::Int,
                    Kind::Float => Self::Float,
                    Kind::String => Self::String,
                    Kind::StringName => Self::StringName,
                    Kind::Array => Self::Array,
                    Kind::Dictionary => Self::Dictionary,
                    Kind::NodePath => Self::NodePath,
                    $(Kind::$Real => Self::$Real,)*
                    $(Kind::$Packed => Self::$Packed,)*
                    _ => Self::Other,
                }
            }
        }
    };
}
numeric_kinds!(shapes);

/// Returns `true` if the dialect stores the reals of `kind` as `f64` even if the header has no
/// flag.
const fn has_double_reals(kind: Kind, rules: &Rules) -> bool {
    match VariantRef::numbers(kind) {
        Some(numbers) => {
            matches!(numbers.number, Number::Real { .. }) && matches!(rules.reals, Width::Double)
        }
        None => false,
    }
}

/// The shape of a value for each header without flags.
type Table = [ValueShape; 64];

impl ValueShape {
    /// Returns the shape of values with this header, or `Other` if the header has flags. The caller
    /// handles the header of a Float of 64 bits.
    #[inline(always)]
    pub(super) fn of_header(header: u32, dialect: Dialect) -> Self {
        let table = dialect.run(GetTable);
        table.get(header as usize).copied().unwrap_or(Self::Other)
    }
}

/// A job that returns the table of a dialect.
struct GetTable;

impl Job for GetTable {
    type Output = &'static Table;

    #[inline(always)]
    fn run<D: Spec>(self) -> &'static Table {
        const { &table(D::RULES) }
    }
}

#[allow(clippy::indexing_slicing, reason = "at compile time")]
const fn table(rules: &Rules) -> Table {
    let mut table = [ValueShape::Other; size_of::<Table>()];
    let mut row = 0;
    while row < Kind::ALL.len() {
        let kind = Kind::ALL[row];
        if let Some(id) = rules.ids.id(kind) {
            table[id as usize] = ValueShape::of_kind(kind, rules);
        }
        row = row.wrapping_add(1);
    }
    table
}

/// Returns the size of a NodePath whose header has no flags.
#[inline(never)]
pub(super) fn node_path(bytes: &[u8], dialect: Dialect) -> u32 {
    let mut at = Cursor::new(bytes);
    at.skip(4);
    let read = NodePathRef::read(&mut at, Header(0), dialect.rules());
    debug_assert!(read.is_ok(), "checked when the index was made");
    at.pos() as u32
}

/// Decodes a value of shape [`ValueShape::Other`] into `to`. `entry` is the entry of the value if
/// it is a container. Returns the number of bytes that the value takes, and the number of its
/// entries. Both are returned in registers.
#[cold]
#[inline(never)]
pub(super) fn decode<'a>(
    rest: &'a [u8],
    index: &Index<'_, '_>,
    entry: u32,
    to: &mut VariantRef<'a>,
) -> (u32, u32) {
    index.dialect.run(Decode { rest, entry: index.entry(entry), to })
}

struct Decode<'a, 'o> {
    rest: &'a [u8],
    entry: IndexEntry,
    to: &'o mut VariantRef<'a>,
}

impl Job for Decode<'_, '_> {
    type Output = (u32, u32);

    #[inline(always)]
    fn run<D: Spec>(self) -> (u32, u32) {
        let Self { rest, entry: IndexEntry { len, nested }, to } = self;
        let mut at = Cursor::new(rest);
        let mut entries = 0;
        let put = put_other::<D>(&mut at, to, |mut end| {
            entries = nested.wrapping_add(1);
            end.skip(len as usize);
            Ok(end)
        });
        debug_assert!(put.is_ok(), "checked when the index was made");
        (at.pos() as u32, entries)
    }
}

/// Returns the bytes of a container from its first item on, and the number of its items. A
/// dictionary has two items per pair. For an object, the number is negative. For a value that is
/// not a container, returns no bytes and 0.
#[cold]
#[inline(never)]
pub(super) fn items<'a>(value: &VariantRef<'a>) -> (&'a [u8], i32) {
    let (at, count) = match value {
        VariantRef::Array(array) => (array.open().1, array.len() as i32),
        VariantRef::Dictionary(dictionary) => {
            (dictionary.open().1, (dictionary.len() as i32).wrapping_mul(2))
        }
        VariantRef::Object(ObjectRef::Full(object)) => {
            (object.open().1, 0_i32.saturating_sub_unsigned(object.len() as u32))
        }
        _ => return (&[], 0),
    };
    (at.rest(), count)
}
