//! What every view promises:
//!
//! * A container view exists only over bytes whose structure (ids, lengths, counts,
//!   depth) was checked. So going through it yields values, not results, and cannot
//!   panic. Text is checked when asked for.
//! * Views are `Copy` and borrow from the input, which nothing is copied out of.
//! * A child has no length on the wire, so an iterator walks each container child
//!   once to find the next one: views of views cost more with every level. A
//!   [`Visitor`](crate::godot::Visitor) goes through everything in one pass, and with an index
//!   ([`Reader::index`](crate::godot::Reader::index)) each step is constant time.

use super::compact_form::{self, WireForm};
use super::trusted::decode_checked;
use crate::buffer::Cursor;
use crate::godot::table::layouts::{Vector2, Vector3, Vector4};
use crate::godot::table::payload::Header;
use crate::godot::types::array::ArrayRef;
use crate::godot::types::dictionary::DictionaryRef;
use crate::godot::types::node_path::NodePathRef;
use crate::godot::types::object::ObjectRef;
use crate::godot::types::text::StrRef;
use crate::godot::{Deviation, Dialect, Kind, Reader, VariantRef};

/// The bytes of one checked value, with their dialect: what is needed to write a
/// value back byte for byte. Width, unused header bits and pads live here, and not
/// in the [`VariantRef`] that [`decode`](Self::decode) gives.
///
/// ```
/// use gamewire::godot::{Dialect, Reader};
///
/// let packet = [2, 0, 1, 0, 5, 0, 0, 0, 0, 0, 0, 0]; // 5, in 64 bits
/// let encoded = Reader::new(&packet, Dialect::Godot4).read_encoded()?;
/// assert_eq!(encoded.decode().as_i64(), Some(5));
/// assert!(encoded.is_wide());
/// assert_eq!(encoded.as_bytes(), packet);
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Encoded<'a> {
    bytes: &'a [u8],
    dialect: Dialect,
    form: WireForm,
}

impl<'a> Encoded<'a> {
    /// Bytes that a walk has checked to be one value.
    #[inline(always)]
    pub(crate) const fn trusted(bytes: &'a [u8], dialect: Dialect) -> Self {
        Self { bytes, dialect, form: WireForm::Full }
    }

    /// Bytes of Godot 4 that were checked to be one value in that form.
    pub(crate) const fn in_form(bytes: &'a [u8], form: WireForm) -> Self {
        Self { bytes, dialect: Dialect::Godot4, form }
    }

    /// Checked bytes, as they were taken apart.
    #[cfg(feature = "serde")]
    pub(crate) const fn new(bytes: &'a [u8], dialect: Dialect, form: WireForm) -> Self {
        Self { bytes, dialect, form }
    }

    pub(crate) const fn form(&self) -> WireForm {
        self.form
    }

    /// Whether the bytes are a short form that stands in multiplayer packets only (a
    /// [compact](crate::godot::compact) bool, int or null object, or a raw argument). The writer
    /// writes such a value in full, and in the compact writer as it is.
    pub const fn is_compact(&self) -> bool {
        !matches!(self.form, WireForm::Full)
    }

    /// The value's bytes, from its header to its end.
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Whose bytes they are.
    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The four bytes of the header, type id and flags; of a short form, the type id.
    pub fn header(&self) -> u32 {
        match self.form {
            WireForm::Full => self.bytes.first_chunk().map_or(0, |head| u32::from_le_bytes(*head)),
            WireForm::Compact | WireForm::Raw => compact_form::id(self.bytes, self.form),
        }
    }

    /// The type.
    pub fn kind(&self) -> Kind {
        let id = Header(self.header()).id(self.dialect.rules());
        self.dialect.kind(id).unwrap_or(Kind::Nil)
    }

    /// Whether header bit 16 is set, in a dialect that has it: a 64-bit int or
    /// float, double-precision reals, an object as id; of containers, a type.
    pub fn is_wide(&self) -> bool {
        Header(self.header()).is_wide(self.dialect.rules())
    }

    /// Calls `report` with each way in which these bytes differ from those that an
    /// engine would write; see [`Reader::deviations`](crate::godot::Reader::deviations).
    pub fn deviations(&self, mut report: impl FnMut(Deviation)) {
        if self.is_compact() {
            return compact_form::deviation(self.bytes, self.form).into_iter().for_each(report);
        }
        let mut reader = Reader::new(self.bytes, self.dialect);
        // It ends early only in a value deeper than 1024, read with a stack for that.
        let _ = reader.deviations(|deviation, _| {
            report(deviation);
            Ok(())
        });
    }

    /// The value. Containers are walked once to find their end.
    #[inline]
    pub fn decode(&self) -> VariantRef<'a> {
        if self.is_compact() {
            return compact_form::decode(self.bytes, self.form);
        }
        let mut at = Cursor::new(self.bytes);
        decode_checked(&mut at, self.dialect).unwrap_or(VariantRef::Nil)
    }
}

/// Accessors, for those who know what should be there.
impl<'a> VariantRef<'a> {
    /// Whether this is null: Nil, or a null object.
    pub fn is_nil(&self) -> bool {
        matches!(self, Self::Nil) || matches!(self, Self::Object(object) if object.is_null())
    }

    /// A Bool.
    pub fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(value) = *self { Some(value) } else { None }
    }

    /// An Int.
    pub fn as_i64(&self) -> Option<i64> {
        if let Self::Int(value) = *self { Some(value) } else { None }
    }

    /// A Float, or an Int as the nearest float.
    // What a script's conversion does.
    pub fn as_f64(&self) -> Option<f64> {
        match *self {
            Self::Float(value) => Some(value),
            Self::Int(value) => Some(value as f64),
            _ => None,
        }
    }

    /// A String or StringName.
    pub fn as_str(&self) -> Option<StrRef<'a>> {
        match *self {
            Self::String(text) | Self::StringName(text) => Some(text),
            _ => None,
        }
    }

    /// A PackedByteArray.
    pub fn as_bytes(&self) -> Option<&'a [u8]> {
        if let Self::PackedByteArray(bytes) = *self { Some(bytes) } else { None }
    }

    /// An Array.
    pub fn as_array(&self) -> Option<ArrayRef<'a>> {
        if let Self::Array(array) = *self { Some(array) } else { None }
    }

    /// A Dictionary.
    pub fn as_dictionary(&self) -> Option<DictionaryRef<'a>> {
        if let Self::Dictionary(dictionary) = *self { Some(dictionary) } else { None }
    }

    /// An Object, in whatever form.
    pub fn as_object(&self) -> Option<ObjectRef<'a>> {
        if let Self::Object(object) = *self { Some(object) } else { None }
    }

    /// A NodePath.
    pub fn as_node_path(&self) -> Option<NodePathRef<'a>> {
        if let Self::NodePath(path) = *self { Some(path) } else { None }
    }

    /// A Vector2 or Vector2i.
    pub fn as_vector2(&self) -> Option<Vector2> {
        match *self {
            Self::Vector2(vector) => Some(vector.get()),
            Self::Vector2i(vector) => Some(vector.map(f64::from)),
            _ => None,
        }
    }

    /// A Vector3 or Vector3i.
    pub fn as_vector3(&self) -> Option<Vector3> {
        match *self {
            Self::Vector3(vector) => Some(vector.get()),
            Self::Vector3i(vector) => Some(vector.map(f64::from)),
            _ => None,
        }
    }

    /// A Vector4 or Vector4i.
    pub fn as_vector4(&self) -> Option<Vector4> {
        match *self {
            Self::Vector4(vector) => Some(vector.get()),
            Self::Vector4i(vector) => Some(vector.map(f64::from)),
            _ => None,
        }
    }
}

const _: () = assert!(size_of::<VariantRef<'_>>() <= 32);
