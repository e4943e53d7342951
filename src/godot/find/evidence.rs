//! The evidence that bytes are a value, measured in bits. It estimates how many bits would have to
//! match by chance if the bytes were unrelated data.

use super::Threshold;
use super::header::{SAMPLE, is_plain};
use crate::godot::types::parts::Part;
use crate::godot::{
    Container, Error, Kind, Leaf, Open, Property, Role, StrRef, VariantRef, Visitor,
};

/// Bits of evidence for a header that contains a type id and no flags. This is much less than the
/// 32 bits of the header, because small integers are frequent in all files.
pub(super) const HEADER: i32 = 4;
/// Bits for a header with flags, such as the flag of 64-bit numbers. Such headers are rare in other
/// data.
const FLAGGED_HEADER: i32 = 8;
/// Bits for the header of a value that follows a value of the same type. This is little, because a
/// table of pairs of integers, for example, contains the same pattern.
const REPEATED_HEADER: i32 = 1;
/// Bits for a key of a type that scripts do not use for keys, such as null, a packed array or a
/// container.
const UNUSUAL_KEY: i32 = -16;
/// Initial number of bits of a value without a frame.
const NO_FRAME: i32 = -4;
/// The number of items that the visit of a value without a frame may examine before it has found
/// enough evidence for [`Confidence::Likely`](super::Confidence::Likely). The visit ends there if
/// the evidence does not suffice.
const ITEMS: u32 = 32;
/// Maximum number of parts of one value that are examined: components of a vector, elements of a
/// packed array, or names of a path.
const PARTS: usize = 16;
/// Bits for text with control characters.
const CONTROL_CHARACTERS: i32 = -12;
/// Work on an item in addition to its bytes.
const ITEM: usize = 4;
/// Maximum number of bits for the components of one value.
const MOST_REALS: i32 = 8;

/// A visitor that adds up the evidence in a value. It ends the visit early if there is too little
/// evidence.
#[derive(Debug)]
pub(super) struct Evidence {
    pub bits: i32,
    /// The part of `bits` that is due to text.
    pub text: i32,
    /// Work that the visit took, in bytes.
    pub work: usize,
    /// End of the last item.
    end: u64,
    /// Number of further items to visit before the bits must suffice for
    /// [`Confidence::Likely`](super::Confidence::Likely).
    items: u32,
    last: Option<Kind>,
}

/// The reason why a visit ended early.
#[derive(Debug)]
pub(super) enum Stop {
    /// The bytes are probably not a value.
    Hopeless,
    Malformed(Error),
}

impl Stop {
    /// Returns `true` if the bytes end inside the value.
    pub fn is_cut_off(&self) -> bool {
        matches!(self, Self::Malformed(error) if error.missing().is_some())
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Malformed(error)
    }
}

impl Evidence {
    /// Creates a visitor that examines a value without a frame.
    pub fn of_value() -> Self {
        Self { bits: NO_FRAME, text: 0, work: 0, end: 0, items: ITEMS, last: None }
    }

    /// Creates a visitor that examines a value in a frame. The frame is evidence, too, so the value
    /// itself may provide little evidence.
    pub fn of_frame() -> Self {
        Self { bits: 0, items: u32::MAX, ..Self::of_value() }
    }

    /// Adds the bits for an item, whose encoding is `bytes` at `offset`.
    fn add(&mut self, bits: i32, bytes: &[u8], offset: u64) -> Result<(), Stop> {
        self.bits = self.bits.saturating_add(bits);
        self.items = self.items.saturating_sub(1);
        self.end = offset.saturating_add(bytes.len() as u64);
        let least = if self.items == 0 { Threshold::LIKELY } else { -Threshold::CERTAIN };
        if self.bits < least { Err(Stop::Hopeless) } else { Ok(()) }
    }

    /// Returns the work of a visit that `stop` ended: the work of all items that were read, plus
    /// the number of bytes from the end of the last item to the error.
    pub fn work_until(&self, stop: &Stop) -> usize {
        let rest = match stop {
            Stop::Hopeless => 0,
            Stop::Malformed(error) => error.offset().saturating_sub(self.end),
        };
        self.work.saturating_add(usize::try_from(rest).unwrap_or(usize::MAX))
    }

    fn text(&mut self, text: StrRef<'_>) -> i32 {
        let bits = text_bits(text);
        self.text = self.text.saturating_add(bits);
        bits
    }

    /// Returns the bits for the components of a leaf.
    fn parts(&mut self, value: &VariantRef<'_>) -> i32 {
        let (mut bits, mut reals, mut left) = (0_i32, 0_i32, PARTS);
        let _: Result<(), ()> = value.parts(&mut |part| {
            left = left.checked_sub(1).ok_or(())?;
            match part {
                Part::Text(part) => bits = bits.saturating_add(self.text(part)),
                Part::Real(part) => reals = reals.saturating_add(real(part)),
                _ => {}
            }
            Ok(())
        });
        bits.saturating_add(reals.min(MOST_REALS))
    }

    fn header(&mut self, kind: Kind, header: &[u8], role: Role) -> i32 {
        let previous = self.last.replace(kind);
        match (kind, header) {
            _ if role == Role::Key && is_unusual_key(kind) => UNUSUAL_KEY,
            (Kind::Nil | Kind::Rid | Kind::Callable, _) => 0,
            (_, [_, _, flags, _, ..]) if *flags > 0 => FLAGGED_HEADER,
            (Kind::Bool, _) => REPEATED_HEADER,
            _ if previous == Some(kind) => REPEATED_HEADER,
            _ if previous.is_some() && has_only_integers(kind) => REPEATED_HEADER,
            _ => HEADER,
        }
    }
}

impl<'a> Visitor<'a> for Evidence {
    type Error = Stop;

    #[inline(never)]
    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<(), Stop> {
        let bytes = leaf.encoded.as_bytes();
        let header = self.header(leaf.value.kind(), bytes, leaf.role);
        let payload = match leaf.value {
            VariantRef::NodePath(path) => {
                let texts = path.names().chain(path.subnames()).take(PARTS);
                texts.map(|text| self.text(text)).fold(0, i32::saturating_add)
            }
            VariantRef::Int(0) => 0_i32.saturating_sub(header.min(REPEATED_HEADER)),
            value => self.parts(&value),
        };
        self.work = self.work.saturating_add(work_of_leaf(leaf.value.kind(), bytes.len()));
        self.add(header.saturating_add(payload), bytes, leaf.offset)
    }

    #[inline(never)]
    fn open(&mut self, open: Open<'a>) -> Result<(), Stop> {
        let header = self.header(open.container.kind(), open.head, open.role);
        let class = match open.container {
            Container::Object { class, .. } => self.text(class),
            _ => 0,
        };
        self.work = self.work.saturating_add(ITEM);
        self.add(header.saturating_add(class), open.head, open.offset)
    }

    #[inline(never)]
    fn property(&mut self, property: Property<'a>) -> Result<(), Stop> {
        self.work = self.work.saturating_add(ITEM);
        let bits = self.text(property.name);
        self.add(bits, property.bytes, property.offset)
    }

    fn close(&mut self, _: Kind) -> Result<(), Stop> {
        Ok(())
    }
}

/// Returns the work of reading a leaf of `len` bytes. Most leaves are read in constant time, and
/// only the start of their content is examined.
fn work_of_leaf(kind: Kind, len: usize) -> usize {
    let len = match kind {
        Kind::PackedStringArray | Kind::NodePath => len,
        _ => len.min(PARTS.saturating_mul(SAMPLE)),
    };
    len.saturating_add(ITEM)
}

/// Returns `true` for types that scripts do not use as keys.
fn is_unusual_key(kind: Kind) -> bool {
    match kind {
        Kind::Nil | Kind::Rid | Kind::Object | Kind::Callable | Kind::Signal => true,
        Kind::Array | Kind::Dictionary | Kind::Image | Kind::InputEvent => true,
        _ => is_packed(kind),
    }
}

fn is_packed(kind: Kind) -> bool {
    match kind {
        Kind::PackedByteArray | Kind::PackedInt32Array | Kind::PackedInt64Array => true,
        Kind::PackedFloat32Array | Kind::PackedFloat64Array | Kind::PackedStringArray => true,
        Kind::PackedVector2Array | Kind::PackedVector3Array | Kind::PackedVector4Array => true,
        _ => kind == Kind::PackedColorArray,
    }
}

/// Returns `true` for types whose payload can be almost any bytes. These are the vectors of ints,
/// and the packed arrays except PackedStringArray.
fn has_only_integers(kind: Kind) -> bool {
    match kind {
        Kind::Vector2i | Kind::Vector3i | Kind::Vector4i | Kind::Rect2i => true,
        _ => is_packed(kind) && kind != Kind::PackedStringArray,
    }
}

/// Returns the bits for text. More characters give more bits, and so do zeros that pad the text to
/// a multiple of 4 bytes. Text of up to three bytes gives few bits, because the text and its
/// padding look like a small integer. Control characters give negative bits.
fn text_bits(text: StrRef<'_>) -> i32 {
    let bytes = text.as_bytes();
    let sample = bytes.get(..SAMPLE).unwrap_or(bytes);
    if !is_plain(sample) {
        return CONTROL_CHARACTERS;
    }
    let padded = if bytes.len().is_multiple_of(4) { 0 } else { 4 };
    match bytes.len() {
        len @ 0..4 => len as i32,
        len => 6_i32.saturating_add(len.min(16) as i32).saturating_add(padded),
    }
}

/// Returns the bits for a real, which are positive if a game could have computed it. Most integers,
/// most text and most random bytes become very small or very large numbers when they are read as
/// reals.
fn real(real: f64) -> i32 {
    match real.abs() {
        0.0 => 0,
        1e-6..1e7 => 1,
        _ => -6,
    }
}
