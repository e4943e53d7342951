//! Owned values, which can be built, compared, edited and written back.
//!
//! A value without items keeps its encoded bytes in a [`LeafBuf`]. This preserves the width of
//! numbers and requires no code for individual types. Containers are decoded.

mod build;
mod container;
mod convert;
mod copy;
mod debug;
mod drop;
mod leaf;
mod walk;
mod write;

pub use container::{Array, Dictionary, Object};
pub use leaf::LeafBuf;

use super::{
    Encoded, Kind, NodePathRef, Result, StrRef, ToVariant, VariantRef, Vector2, Vector3, Vector4,
};
use alloc::vec::Vec;

/// The number of levels that cloning, comparing and dropping a value visit by recursion. Deeper
/// levels are visited with a stack on the heap. Recursion is faster, and few values are deeper.
const RECURSIVE_LEVELS: u32 = 32;

/// An owned value: the counterpart of [`VariantRef`].
///
/// Converting from an [`Encoded`] value and back preserves every detail, for example the width of
/// numbers, the order of pairs, the declared types of containers, and padding.
///
/// Two values are equal if their types, widths and contents are the same, bit for bit. Padding and
/// meaningless header bits are ignored. Therefore, a 64-bit `5` differs from a 32-bit `5`, and 0.0
/// from −0.0, but a NaN equals itself. Dictionaries with different orders of pairs are not equal.
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
///
/// # Depth
///
/// A value can be built with any number of levels. Dropping, cloning, comparing or searching a deep
/// value uses heap memory instead of the stack. Writing or serializing more than 1024 levels is an
/// error, because engines cannot read them. `Debug` prints at most 100 levels.
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

    /// Creates an owned value from any value that can be written, and encodes it for the target.
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

    /// Returns the value of a Float or an Int. An Int is rounded to the nearest float.
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

    /// Returns a mutable reference to the Array.
    pub fn as_array_mut(&mut self) -> Option<&mut Array> {
        if let Self::Array(array) = self { Some(array) } else { None }
    }

    /// Returns the Dictionary.
    pub fn as_dictionary(&self) -> Option<&Dictionary> {
        if let Self::Dictionary(dictionary) = self { Some(dictionary) } else { None }
    }

    /// Returns a mutable reference to the Dictionary.
    pub fn as_dictionary_mut(&mut self) -> Option<&mut Dictionary> {
        if let Self::Dictionary(dictionary) = self { Some(dictionary) } else { None }
    }

    /// Returns the object with properties.
    pub fn as_object(&self) -> Option<&Object> {
        if let Self::Object(object) = self { Some(object) } else { None }
    }

    /// Returns a mutable reference to the object with properties.
    pub fn as_object_mut(&mut self) -> Option<&mut Object> {
        if let Self::Object(object) = self { Some(object) } else { None }
    }

    /// Returns the value for `key`. In a dictionary, this is the value of the last String or
    /// StringName key that equals `key`; in an object, it is the value of the last property with
    /// this name.
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

    /// Returns the number of elements, pairs or properties of a container. A leaf has none.
    fn len(&self) -> usize {
        match self {
            Self::Leaf(_) => 0,
            Self::Array(array) => array.items.len(),
            Self::Dictionary(dictionary) => dictionary.pairs.len(),
            Self::Object(object) => object.properties.len(),
        }
    }
}

impl Default for Variant {
    fn default() -> Self {
        Self::NIL
    }
}
