//! The bytes of one checked value ([`Encoded`]), and the accessors of decoded values.
//!
//! All views keep these promises:
//!
//! * A view of a container exists only over bytes whose structure (ids, lengths, counts, depth)
//!   was checked. Its iterators yield values rather than results, and cannot panic. Text is
//!   checked by [`StrRef::to_str`].
//! * Views are `Copy`, borrow from the input and copy nothing.
//! * A packet does not state how many bytes a container takes, so an iterator walks each child that
//!   is a container to find the next child. If views are nested, every level walks the same bytes
//!   again. A [`Visitor`](crate::godot::Visitor) takes one pass over everything, and an index
//!   ([`Reader::index`](crate::godot::Reader::index)) reduces each step over a container to
//!   constant time.

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

/// The bytes of one checked value, and their dialect.
///
/// It can be written back byte for byte, because it keeps the width of numbers, unused header bits
/// and padding. The [`VariantRef`] that [`decode`](Self::decode) returns does not keep these.
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
    /// Wraps bytes that a walk has checked to be exactly one value.
    #[inline(always)]
    pub(crate) const fn trusted(bytes: &'a [u8], dialect: Dialect) -> Self {
        Self { bytes, dialect, form: WireForm::Full }
    }

    /// Wraps Godot 4 bytes that were checked to be exactly one value in this form.
    pub(crate) const fn in_form(bytes: &'a [u8], form: WireForm) -> Self {
        Self { bytes, dialect: Dialect::Godot4, form }
    }

    /// Wraps bytes that were taken out of another `Encoded`.
    #[cfg(feature = "serde")]
    pub(crate) const fn new(bytes: &'a [u8], dialect: Dialect, form: WireForm) -> Self {
        Self { bytes, dialect, form }
    }

    pub(crate) const fn form(&self) -> WireForm {
        self.form
    }

    /// Returns `true` if the bytes have a short form. Only multiplayer packets contain such values:
    /// a bool, int or null object in the [compact](crate::godot::compact) form, or a raw argument
    /// (the bytes of a byte array without a header). The writer writes such a value in full; the
    /// compact writer writes it in its short form.
    pub const fn is_compact(&self) -> bool {
        !matches!(self.form, WireForm::Full)
    }

    /// Returns the bytes of the value, from its header to its end.
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the dialect of the bytes.
    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Returns the header, which contains the type id and the flags. For a short form, returns the
    /// type id.
    pub fn header(&self) -> u32 {
        match self.form {
            WireForm::Full => self.bytes.first_chunk().map_or(0, |head| u32::from_le_bytes(*head)),
            WireForm::Compact | WireForm::Raw => compact_form::id(self.bytes, self.form),
        }
    }

    /// Returns the type.
    pub fn kind(&self) -> Kind {
        let id = Header(self.header()).id(self.dialect.rules());
        self.dialect.kind(id).unwrap_or(Kind::Nil)
    }

    /// Returns `true` if header bit 16 is a flag in the dialect and is set. In an int, float or
    /// value that consists of reals, it means 64 bits per number. In an object, it means that an id
    /// follows. In an array or dictionary, it means that the element or key type is a built-in type
    /// or a script.
    pub fn is_wide(&self) -> bool {
        Header(self.header()).is_wide(self.dialect.rules())
    }

    /// Calls `report` with each deviation of these bytes from those that an engine would write;
    /// see [`Reader::deviations`](crate::godot::Reader::deviations).
    pub fn deviations(&self, mut report: impl FnMut(Deviation)) {
        if self.is_compact() {
            return compact_form::deviation(self.bytes, self.form).into_iter().for_each(report);
        }
        let mut reader = Reader::new(self.bytes, self.dialect);
        // This call fails only for a value of more than 1024 levels, for which the caller must have
        // provided a stack. Deviations in the rest of such a value are not reported.
        let _ = reader.deviations(|deviation, _| {
            report(deviation);
            Ok(())
        });
    }

    /// Decodes the value. For a container, takes time linear in its size.
    #[inline]
    pub fn decode(&self) -> VariantRef<'a> {
        if self.is_compact() {
            return compact_form::decode(self.bytes, self.form);
        }
        let mut at = Cursor::new(self.bytes);
        decode_checked(&mut at, self.dialect).unwrap_or(VariantRef::Nil)
    }
}

/// Accessors, which return `None` if the value has a different type.
impl<'a> VariantRef<'a> {
    /// Returns `true` for Nil and null objects.
    pub fn is_nil(&self) -> bool {
        matches!(self, Self::Nil) || matches!(self, Self::Object(object) if object.is_null())
    }

    /// Returns the value of a Bool.
    pub fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(value) = *self { Some(value) } else { None }
    }

    /// Returns the value of an Int.
    pub fn as_i64(&self) -> Option<i64> {
        if let Self::Int(value) = *self { Some(value) } else { None }
    }

    /// Returns the value of a Float or an Int. An Int is rounded to the nearest float, as when a
    /// script converts it.
    pub fn as_f64(&self) -> Option<f64> {
        match *self {
            Self::Float(value) => Some(value),
            Self::Int(value) => Some(value as f64),
            _ => None,
        }
    }

    /// Returns the text of a String or StringName.
    pub fn as_str(&self) -> Option<StrRef<'a>> {
        match *self {
            Self::String(text) | Self::StringName(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the bytes of a PackedByteArray.
    pub fn as_bytes(&self) -> Option<&'a [u8]> {
        if let Self::PackedByteArray(bytes) = *self { Some(bytes) } else { None }
    }

    /// Returns the view of an Array.
    pub fn as_array(&self) -> Option<ArrayRef<'a>> {
        if let Self::Array(array) = *self { Some(array) } else { None }
    }

    /// Returns the view of a Dictionary.
    pub fn as_dictionary(&self) -> Option<DictionaryRef<'a>> {
        if let Self::Dictionary(dictionary) = *self { Some(dictionary) } else { None }
    }

    /// Returns the view of an Object.
    pub fn as_object(&self) -> Option<ObjectRef<'a>> {
        if let Self::Object(object) = *self { Some(object) } else { None }
    }

    /// Returns the view of a NodePath.
    pub fn as_node_path(&self) -> Option<NodePathRef<'a>> {
        if let Self::NodePath(path) = *self { Some(path) } else { None }
    }

    /// Returns the value of a Vector2 or Vector2i.
    pub fn as_vector2(&self) -> Option<Vector2> {
        match *self {
            Self::Vector2(vector) => Some(vector.get()),
            Self::Vector2i(vector) => Some(vector.map(f64::from)),
            _ => None,
        }
    }

    /// Returns the value of a Vector3 or Vector3i.
    pub fn as_vector3(&self) -> Option<Vector3> {
        match *self {
            Self::Vector3(vector) => Some(vector.get()),
            Self::Vector3i(vector) => Some(vector.map(f64::from)),
            _ => None,
        }
    }

    /// Returns the value of a Vector4 or Vector4i.
    pub fn as_vector4(&self) -> Option<Vector4> {
        match *self {
            Self::Vector4(vector) => Some(vector.get()),
            Self::Vector4i(vector) => Some(vector.map(f64::from)),
            _ => None,
        }
    }
}

const _: () = assert!(size_of::<VariantRef<'_>>() <= 32);
