//! What values of checked bytes are, seen at their headers. Those that messages are full of are
//! decoded in the caller's own code, where they are wanted; the others behind a call.

use super::{Index, IndexEntry};
use crate::buffer::Cursor;
use crate::godot::read::trusted::put_other;
use crate::godot::table::dialect::{Job, Rules, Spec, Width};
use crate::godot::table::payload::{Header, Payload};
use crate::godot::{Dialect, Kind, NodePathRef, ObjectRef, VariantRef};

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    Nil,
    Bool,
    Int,
    Float,
    /// In 64 bits, as a flag of its header says.
    WideFloat,
    Text,
    Name,
    Int32s,
    Float32s,
    Vector2,
    Vector3,
    Quaternion,
    Color,
    /// One that does not say its types.
    Array,
    /// The same.
    Dictionary,
    NodePath,
    Other,
}

/// By headers without flags.
type Table = [Seen; 64];

impl Seen {
    /// Those whose header is the id of a kind.
    const PLAIN: [(Kind, Self); 15] = [
        (Kind::Nil, Self::Nil),
        (Kind::Bool, Self::Bool),
        (Kind::Int, Self::Int),
        (Kind::Float, Self::Float),
        (Kind::String, Self::Text),
        (Kind::StringName, Self::Name),
        (Kind::PackedInt32Array, Self::Int32s),
        (Kind::PackedFloat32Array, Self::Float32s),
        (Kind::Vector2, Self::Vector2),
        (Kind::Vector3, Self::Vector3),
        (Kind::Quaternion, Self::Quaternion),
        (Kind::Color, Self::Color),
        (Kind::Array, Self::Array),
        (Kind::Dictionary, Self::Dictionary),
        (Kind::NodePath, Self::NodePath),
    ];

    #[inline(always)]
    pub(super) fn at(header: u32, dialect: Dialect) -> Self {
        let table = dialect.run(Plain);
        table.get(header as usize).copied().unwrap_or(Self::Other)
    }

    /// Whether this is made of `f32` here, and of `f64` where a dialect has all reals so.
    const fn is_real(self) -> bool {
        matches!(self, Self::Vector2 | Self::Vector3 | Self::Quaternion | Self::Color)
    }
}

/// The table of a dialect.
struct Plain;

impl Job for Plain {
    type Output = &'static Table;

    #[inline(always)]
    fn run<D: Spec>(self) -> &'static Table {
        const { &plain(D::RULES) }
    }
}

#[allow(clippy::indexing_slicing, reason = "at compile time")]
const fn plain(rules: &Rules) -> Table {
    let mut table = [Seen::Other; size_of::<Table>()];
    let mut row = 0;
    while row < Seen::PLAIN.len() {
        let (kind, seen) = Seen::PLAIN[row];
        if let Some(id) = rules.ids.id(kind)
            && !(seen.is_real() && matches!(rules.reals, Width::Double))
        {
            table[id as usize] = seen;
        }
        row = row.wrapping_add(1);
    }
    table
}

/// How many bytes a NodePath has, with its header, which has no flags.
#[inline(never)]
pub(super) fn node_path(bytes: &[u8], dialect: Dialect) -> u32 {
    let mut at = Cursor::new(bytes);
    at.skip(4);
    let read = NodePathRef::read(&mut at, Header(0), dialect.rules());
    debug_assert!(read.is_ok(), "checked when the index was made");
    at.pos() as u32
}

/// Decodes the value that is [`Seen::Other`], of which that is the entry if it is a container.
/// Tells how many bytes and entries it has: two numbers, which come back in registers.
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
        let Self { rest, entry: IndexEntry { len, inside }, to } = self;
        let mut at = Cursor::new(rest);
        let mut entries = 0;
        let put = put_other::<D>(&mut at, to, |mut end| {
            entries = inside.wrapping_add(1);
            end.skip(len as usize);
            Ok(end)
        });
        debug_assert!(put.is_ok(), "checked when the index was made");
        (at.pos() as u32, entries)
    }
}

/// What begins with the items of a container that says its types, or with an object's properties,
/// and how many there are: of properties, that many below zero.
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
