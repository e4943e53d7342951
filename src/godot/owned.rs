//! Owned values, which can be built, compared, edited and written back.
//!
//! A value without items keeps its encoded bytes in a [`LeafBuf`], so its width is preserved, and
//! no code for single types is needed here. Containers are decoded.

mod build;
mod container;
mod convert;
mod leaf;

pub use container::{Array, Dictionary, Object};
pub use leaf::LeafBuf;

use container::PreservedHead;

use super::{
    Container, Dialect, Encoded, Error, ErrorKind, Kind, NodePathRef, Result, StrRef, ToVariant,
    VariantRef, Vector2, Vector3, Vector4,
};
use crate::buffer::Sink;
use crate::godot::read::walk::ENGINE_DEPTH;
use crate::godot::write::encoder::{Encoder, Pieces};
use crate::godot::write::writer::in_some_dialect;
use alloc::vec::Vec;
use core::fmt;

/// An owned value: the counterpart of [`VariantRef`].
///
/// Converting from a view and back preserves everything: widths, the order of pairs, the declared
/// types of containers, and NodePaths including their padding.
///
/// Two values are equal if their types, widths and contents are the same, bit for bit. Padding and
/// meaningless header bits do not count. So a 64-bit `5` differs from a 32-bit `5`, and 0.0 from
/// −0.0, but a NaN equals itself. Dictionaries with different orders of pairs are not equal.
///
/// ```
/// use gamewire::godot::{Array, Dialect, Dictionary, Reader, Variant, Vector2, Writer};
///
/// let mut state = Dictionary::new();
/// state.insert("name", "Ada");
/// state.insert("at", Vector2 { x: 1.0_f32, y: 2.0 });
/// state.insert("scores", Array::from_iter([3, 5]));
/// let state = Variant::from(state);
///
/// let packet = state.to_bytes(Dialect::Godot4)?;
/// let mut again = Reader::new(&packet, Dialect::Godot4).read_encoded()?.to_variant()?;
/// assert_eq!(again, state);
///
/// *again.get_mut("name").unwrap() = "Bob".into();
/// assert_eq!(again.get("name"), Some(&"Bob".into()));
/// assert_eq!(again.get("scores").unwrap().to_string(), "[3, 5]"); // as var_to_str prints it
/// Writer::new(Vec::new(), Dialect::Godot3).put(&again)?; // for another engine
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub enum Variant {
    /// A value without items.
    Leaf(LeafBuf),
    /// An Array.
    Array(Array),
    /// A Dictionary.
    Dictionary(Dictionary),
    /// An object with its properties. Null objects and object ids are leaves.
    Object(Object),
}

impl Variant {
    /// Null.
    pub const NIL: Self = Self::Leaf(LeafBuf::NIL);

    /// Converts anything that can be written, and encodes it for the target.
    ///
    /// ```
    /// use gamewire::godot::{Dialect, Variant, Wide};
    ///
    /// let wide = Variant::new(Wide(5_i64), Dialect::Godot4)?;
    /// assert_eq!(wide.as_i64(), Some(5));
    /// assert_ne!(wide, Variant::from(5));
    /// # Ok::<(), gamewire::godot::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the target cannot represent the value, if a length does not fit in 31
    /// bits, or if more than 1024 containers are nested.
    pub fn new(value: impl ToVariant, target: impl Into<super::Target>) -> Result<Self> {
        let target = target.into();
        let mut bytes = Vec::new();
        super::Writer::new(&mut bytes, target).put(value)?;
        Encoded::trusted(&bytes, target.dialect()).to_variant()
    }

    /// Returns the type.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Leaf(leaf) => leaf.get().kind(),
            Self::Array(_) => Kind::Array,
            Self::Dictionary(_) => Kind::Dictionary,
            Self::Object(_) => Kind::Object,
        }
    }

    /// Returns the value of a leaf.
    pub fn leaf(&self) -> Option<VariantRef<'_>> {
        if let Self::Leaf(leaf) = self { Some(leaf.get()) } else { None }
    }

    /// Returns `true` for Nil and null objects.
    pub fn is_nil(&self) -> bool {
        self.leaf().is_some_and(|leaf| leaf.is_nil())
    }

    /// Returns the value of a Bool.
    pub fn as_bool(&self) -> Option<bool> {
        self.leaf()?.as_bool()
    }

    /// Returns the value of an Int.
    pub fn as_i64(&self) -> Option<i64> {
        self.leaf()?.as_i64()
    }

    /// Returns the value of a Float, or of an Int rounded to the nearest float.
    pub fn as_f64(&self) -> Option<f64> {
        self.leaf()?.as_f64()
    }

    /// Returns the text of a String or StringName.
    pub fn as_str(&self) -> Option<StrRef<'_>> {
        self.leaf()?.as_str()
    }

    /// Returns the bytes of a PackedByteArray.
    pub fn as_bytes(&self) -> Option<&[u8]> {
        self.leaf()?.as_bytes()
    }

    /// Returns the view of a NodePath.
    pub fn as_node_path(&self) -> Option<NodePathRef<'_>> {
        self.leaf()?.as_node_path()
    }

    /// Returns the value of a Vector2 or Vector2i.
    pub fn as_vector2(&self) -> Option<Vector2> {
        self.leaf()?.as_vector2()
    }

    /// Returns the value of a Vector3 or Vector3i.
    pub fn as_vector3(&self) -> Option<Vector3> {
        self.leaf()?.as_vector3()
    }

    /// Returns the value of a Vector4 or Vector4i.
    pub fn as_vector4(&self) -> Option<Vector4> {
        self.leaf()?.as_vector4()
    }

    /// Returns the Array.
    pub fn as_array(&self) -> Option<&Array> {
        if let Self::Array(array) = self { Some(array) } else { None }
    }

    /// Returns the Array, to change it.
    pub fn as_array_mut(&mut self) -> Option<&mut Array> {
        if let Self::Array(array) = self { Some(array) } else { None }
    }

    /// Returns the Dictionary.
    pub fn as_dictionary(&self) -> Option<&Dictionary> {
        if let Self::Dictionary(dictionary) = self { Some(dictionary) } else { None }
    }

    /// Returns the Dictionary, to change it.
    pub fn as_dictionary_mut(&mut self) -> Option<&mut Dictionary> {
        if let Self::Dictionary(dictionary) = self { Some(dictionary) } else { None }
    }

    /// Returns the object with properties.
    pub fn as_object(&self) -> Option<&Object> {
        if let Self::Object(object) = self { Some(object) } else { None }
    }

    /// Returns the object with properties, to change it.
    pub fn as_object_mut(&mut self) -> Option<&mut Object> {
        if let Self::Object(object) = self { Some(object) } else { None }
    }

    /// Returns the value of the last String or StringName key of a dictionary that equals `key`, or
    /// of the last property of an object with this name.
    pub fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Dictionary(dictionary) => dictionary.get(key),
            Self::Object(object) => object.get(key),
            _ => None,
        }
    }

    /// Returns a mutable reference to the value that [`get`](Self::get) returns.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Self> {
        match self {
            Self::Dictionary(dictionary) => dictionary.get_mut(key),
            Self::Object(object) => object.get_mut(key),
            _ => None,
        }
    }

    /// Encodes the value. A leaf that was encoded in the target's dialect keeps its bytes. A
    /// container keeps the bytes before its items, unless its length or declared types have
    /// changed. Everything else is written as the target's engine would write it.
    ///
    /// # Errors
    /// Returns an error if the target cannot represent the value, if a length does not fit in 31
    /// bits, or if more than 1024 containers are nested.
    pub fn to_bytes(&self, target: impl Into<super::Target>) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        super::Writer::new(&mut bytes, target).put(self)?;
        Ok(bytes)
    }

    /// Returns the dialect of the first preserved wire bytes in the value. If there are none,
    /// returns Godot 2 for a value with a shared container, and Godot 4 for any other value.
    pub(crate) fn dialect(&self) -> Dialect {
        let said = |value: &Self| match value {
            Self::Leaf(leaf) => Some(leaf.encoded().dialect()),
            Self::Array(array) => array.preserved_head().dialect(),
            Self::Dictionary(dictionary) => dictionary.preserved_head().dialect(),
            Self::Object(object) => object.preserved_head().dialect(),
        };
        let is_shared = |value: &Self| {
            let (open, ..) = value.open()?;
            open.is_shared().then_some(())
        };
        match (self.first(&said), self.first(&is_shared)) {
            (Some(dialect), _) => dialect,
            // Godot 4 has no bit for shared containers.
            (None, Some(())) => Dialect::Godot2,
            (None, None) => Dialect::Godot4,
        }
    }

    /// Returns the first result of `find` for this value or a value nested in it. Recurses once per
    /// level of containers.
    fn first<T>(&self, find: &impl Fn(&Self) -> Option<T>) -> Option<T> {
        find(self).or_else(|| match self {
            Self::Leaf(_) => None,
            Self::Array(array) => array.items.iter().find_map(|item| item.first(find)),
            Self::Dictionary(dictionary) => {
                let mut both = dictionary.pairs.iter().flat_map(|(key, value)| [key, value]);
                both.find_map(|item| item.first(find))
            }
            Self::Object(object) => object.properties.iter().find_map(|(_, item)| item.first(find)),
        })
    }

    /// Returns the type, count and declared types of a container, its preserved first bytes, and
    /// its items. Returns `None` for a leaf.
    fn open(&self) -> Option<(Container<'_>, &PreservedHead, Items<'_>)> {
        match self {
            Self::Leaf(_) => None,
            Self::Array(array) => {
                Some((array.container(), array.preserved_head(), Items::Values(&array.items)))
            }
            Self::Dictionary(dictionary) => {
                let items = Items::Pairs(&dictionary.pairs);
                Some((dictionary.container(), dictionary.preserved_head(), items))
            }
            Self::Object(object) => {
                let items = Items::Properties(&object.properties);
                Some((object.container(), object.preserved_head(), items))
            }
        }
    }

    /// Writes the value, with at most `depth` more levels of non-empty containers.
    fn write<S: Sink>(&self, out: &mut Encoder<'_, S>, depth: u32) -> Result<()> {
        let Some((container, preserved_head, items)) = self.open() else {
            return match self {
                Self::Leaf(leaf) => out.copy(leaf.encoded()),
                _ => Ok(()),
            };
        };
        out.count(items.len())?;
        // An empty container may be one level deeper than a container with items.
        let Some(depth) = depth.checked_sub(u32::from(!container.is_empty())) else {
            return Err(out.fail(ErrorKind::TooDeep { limit: ENGINE_DEPTH }));
        };
        match preserved_head.head(&container, out.target) {
            Some(bytes) => out.raw_head(&container, bytes)?,
            None => out.head(&container)?,
        }
        match items {
            Items::Values(values) => values.iter().try_for_each(|value| value.write(out, depth)),
            Items::Pairs(pairs) => pairs.iter().try_for_each(|(key, value)| {
                key.write(out, depth)?;
                value.write(out, depth)
            }),
            Items::Properties(properties) => properties.iter().try_for_each(|(name, value)| {
                out.property(name)?;
                value.write(out, depth)
            }),
        }
    }
}

/// The items of a container.
enum Items<'v> {
    Values(&'v [Variant]),
    Pairs(&'v [(Variant, Variant)]),
    Properties(&'v [(Vec<u8>, Variant)]),
}

impl Items<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Values(values) => values.len(),
            Self::Pairs(pairs) => pairs.len(),
            Self::Properties(properties) => properties.len(),
        }
    }
}

impl Pieces for &Variant {
    type Error = Error;

    fn write<S: Sink>(&self, out: &mut Encoder<'_, S>) -> Result<()> {
        let depth = out.depth;
        Variant::write(self, out, depth)
    }
}

impl ToVariant for &Variant {
    #[allow(private_interfaces, reason = "hidden: for the types of this crate")]
    fn write<S: Sink>(&self, out: &mut Encoder<'_, S>) -> Result<()> {
        out.whole(self)
    }
}

impl Default for Variant {
    fn default() -> Self {
        Self::NIL
    }
}

/// Prints Godot 4's [text notation](super::notation), which [`FromStr`](core::str::FromStr) reads.
/// Containers are encoded before they are printed. A value that is too deep, or that no dialect can
/// represent, is printed as by `Debug`.
impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::Leaf(leaf) = self {
            return fmt::Display::fmt(&leaf.get(), f);
        }
        match in_some_dialect(self, self.dialect()) {
            Ok((bytes, dialect)) => {
                Encoded::trusted(&bytes, dialect).decode().printed_as(Dialect::Godot4).fmt(f)
            }
            Err(_) => fmt::Debug::fmt(self, f),
        }
    }
}

/// Containers are printed like Rust's collections.
impl fmt::Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Leaf(leaf) => leaf.fmt(f),
            Self::Array(array) => f.debug_list().entries(&array.items).finish(),
            Self::Dictionary(dictionary) => {
                f.debug_map().entries(dictionary.pairs.iter().map(|(k, v)| (k, v))).finish()
            }
            Self::Object(object) => object.fmt(f),
        }
    }
}
