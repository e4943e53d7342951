//! Reads objects of a file as Rust types.

use super::deserializer::Deserializer;
use super::error::{Error, Result};
use super::hint::{Hint, forward_to_visit};
use super::node::{Node, OpenList, Seq, Source, refuse_struct};
use crate::rems::ItemSource;
use core::marker::PhantomData;
use serde::de::{self, Deserialize, DeserializeSeed, Visitor};
use serde::forward_to_deserialize_any;

/// Deserializes the objects of a file, from the position of the reader, as a sequence.
///
/// Strings in `T` can borrow from the file if they have no escapes. See [the
/// module](crate::rems::serde) for the mapping of types.
///
/// ```
/// use gamewire::rems::{BinaryReader, Era, Tables, TextReader, from_items};
/// use serde::Deserialize;
///
/// #[derive(Deserialize, PartialEq, Debug)]
/// #[serde(default)]
/// struct Sphere<'a> {
///     #[serde(borrow)]
///     name: Option<&'a str>,
///     position: [f32; 3],
///     radius: f32,
/// }
/// # impl Default for Sphere<'_> {
/// #     fn default() -> Self { Self { name: None, position: [0.0; 3], radius: 1.0 } }
/// # }
///
/// let text = br#"[{"class":"Sphere","S:name":"sun","v3:position":[0.5]}]"#;
/// let spheres: Vec<Sphere<'_>> = from_items(&mut TextReader::new(text))?;
/// assert_eq!(spheres, [Sphere { name: Some("sun"), position: [0.5; 3], radius: 1.0 }]);
/// # Ok::<(), gamewire::rems::serde::Error>(())
/// ```
///
/// # Errors
/// If the file is malformed, does not match `T`, or exceeds the default limits of [`Deserializer`].
/// The error has an offset and a path.
pub fn from_items<'de, T: Deserialize<'de>>(items: &mut impl ItemSource<'de>) -> Result<T> {
    Deserializer::new(items).read_all()
}

/// Deserializes the next object of a file. Returns `None` at the end of the file.
///
/// With a reader of a single object ([`TextReader::at`](crate::rems::TextReader::at)), deserializes
/// that object. In the middle of a file, deserializes the next value, like [`Deserializer::read`].
///
/// ```
/// use gamewire::rems::{Pointers, TextReader, read_object};
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Camera {
///     target: u64,
/// }
/// #[derive(Deserialize)]
/// struct Tree {
///     height: f64,
/// }
///
/// let text = br#"[{"class":"Camera","Tree:target":2},{"class":"Tree","i:*ptr":2,"f:height":9}]"#;
/// let mut reader = TextReader::new(text);
/// let camera: Camera = read_object(&mut reader)?.unwrap();
///
/// let mut slots = Vec::new();
/// let pointers = Pointers::collect(&mut TextReader::new(text), &mut slots)?;
/// let tree = pointers.get(camera.target).object().unwrap();
/// let tree: Tree = read_object(&mut TextReader::at(text, tree))?.unwrap();
/// assert_eq!(tree.height, 9.0);
/// # Ok::<(), gamewire::rems::serde::Error>(())
/// ```
///
/// # Errors
/// If the object is malformed, does not match `T`, or exceeds the default limits of
/// [`Deserializer`]. The error has an offset and a path. The position of the reader is unspecified
/// after an error.
pub fn read_object<'de, T: Deserialize<'de>>(
    items: &mut impl ItemSource<'de>,
) -> Result<Option<T>> {
    Deserializer::new(items).read()
}

impl<'de, I: ItemSource<'de>> Deserializer<'_, I> {
    /// Deserializes the next object. In the middle of a file, deserializes the next value: an
    /// object, a list, an element, or the value of a property. Returns `None` at the end of the
    /// file, or of the enclosing object or list.
    ///
    /// # Errors
    /// If the value is malformed, does not match `T`, or exceeds the limits. The position of the
    /// reader is unspecified after an error.
    #[inline]
    pub fn read<T: Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        self.read_seed(PhantomData)
    }

    /// Deserializes the next object with a seed.
    ///
    /// # Errors
    /// See [`read`](Self::read).
    pub fn read_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        self.reset_limits();
        let before = self.items.offset();
        match OpenList.next(self.items)? {
            Some(item) => seed.deserialize(Node::of(self, item, before)).map(Some),
            None => Ok(None),
        }
    }

    /// Deserializes all remaining objects, or the rest of the enclosing object or list, as a
    /// sequence.
    ///
    /// # Errors
    /// See [`read`](Self::read).
    pub fn read_all<T: Deserialize<'de>>(&mut self) -> Result<T> {
        self.reset_limits();
        let offset = self.items.offset();
        T::deserialize(All(self)).map_err(|error| error.or_at(offset))
    }
}

/// Deserializer of the remaining objects.
struct All<'d, 'i, I>(&'d mut Deserializer<'i, I>);

impl<'de, I: ItemSource<'de>> All<'_, '_, I> {
    fn visit_with<V: Visitor<'de>>(self, hint: Hint, visitor: V) -> Result<V::Value> {
        refuse_struct(hint, &visitor)?;
        Seq::file(self.0).visit(visitor)
    }

    fn newtype<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }
}

impl<'de, I: ItemSource<'de>> de::Deserializer<'de> for All<'_, '_, I> {
    type Error = Error;

    forward_to_visit!();
    forward_to_deserialize_any! { enum }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        Seq::file(self.0).skip()?;
        visitor.visit_unit()
    }
}
