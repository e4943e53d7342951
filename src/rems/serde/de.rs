use super::hint::{Hint, forward_to_visit};
use super::node::{Node, refuse_struct};
use super::seq::{OpenList, Seq, Source};
use super::{Error, Result};
use crate::rems::{ErrorKind, ItemSource};
use core::marker::PhantomData;
use serde::de::{self, Deserialize, DeserializeSeed, Visitor};
use serde::forward_to_deserialize_any;

/// Default [limit](Deserializer::fill_limit) of omitted elements.
const FILL_LIMIT: u32 = 1 << 16;

/// Default [limit](Deserializer::depth) of nested objects and lists.
const DEPTH: u32 = 128;

/// Deserializes the objects of a file, from the position of the reader, as a sequence.
///
/// Borrows text where possible, if the type does. See [the module](crate::rems::serde) for the
/// mapping of types.
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
/// If the file is malformed or does not match `T`. The error has an offset and a path.
pub fn from_items<'de, T: Deserialize<'de>>(items: &mut impl ItemSource<'de>) -> Result<T> {
    Deserializer::new(items).read_all()
}

/// Deserializes the next object of a file; `None` at its end.
///
/// With a reader of a single object ([`TextReader::at`](crate::rems::TextReader::at)) this is that
/// object. In the middle of a file it is the next value, as for [`Deserializer::read`].
///
/// ```
/// use gamewire::rems::{Pointers, TextReader, read_object};
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Camera {
///     target: u32,
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
/// If the object is malformed or does not match `T`. The error has an offset and a path. The
/// position of the reader is unspecified after an error.
pub fn read_object<'de, T: Deserialize<'de>>(
    items: &mut impl ItemSource<'de>,
) -> Result<Option<T>> {
    Deserializer::new(items).read()
}

/// Deserializes the items of a reader, with limits.
///
/// ```
/// use gamewire::rems::serde::Deserializer;
/// use gamewire::rems::{ErrorKind, TextReader};
/// use serde::Deserialize;
///
/// #[derive(Deserialize, Debug)]
/// struct Map {
///     cells: Vec<i32>,
/// }
///
/// let text = br#"[{"class":"Map","i[]:cells":[4,7]},{"class":"Map","i[]:cells":[2000000000,1]}]"#;
/// let mut reader = TextReader::new(text);
/// let mut maps = Deserializer::new(&mut reader).fill_limit(1 << 20);
/// assert_eq!(maps.read::<Map>()?.unwrap().cells, [7, 0, 0, 0]);
/// let error = maps.read::<Map>().unwrap_err();
/// assert_eq!(error.path(), "cells");
/// assert!(matches!(error.kind(), Some(ErrorKind::NotWritten { count: 1_999_999_999, .. })));
/// # Ok::<(), gamewire::rems::serde::Error>(())
/// ```
#[derive(Debug)]
pub struct Deserializer<'i, I> {
    pub(super) items: &'i mut I,
    limit: u32,
    /// Number of omitted elements that may still be filled in.
    fill_left: u32,
    depth: u32,
    /// Remaining depth of objects and lists.
    left: u32,
}

impl<'i, I> Deserializer<'i, I> {
    /// Creates a deserializer that starts at the position of the reader.
    pub fn new(items: &'i mut I) -> Self {
        Self { items, limit: FILL_LIMIT, fill_left: FILL_LIMIT, depth: DEPTH, left: DEPTH }
    }

    /// Limits the number of omitted elements that one call fills in, which the size of the file
    /// does not bound. The default is 65,536. The error is [`ErrorKind::NotWritten`].
    #[must_use]
    pub fn fill_limit(self, limit: u32) -> Self {
        Self { limit, fill_left: limit, ..self }
    }

    /// Limits the nesting of objects and lists that a type requests. The default is 128. The limit
    /// of the reader, 256 by default, applies as well. Deserializing is recursive and needs stack
    /// for each level; skipped values only have the limit of the reader.
    #[must_use]
    pub fn depth(self, limit: u32) -> Self {
        Self { depth: limit, left: limit, ..self }
    }

    #[inline]
    pub(super) fn enter(&mut self, offset: u64) -> Result<()> {
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(Error::at(ErrorKind::TooDeep { limit: self.depth }, offset)),
        }
    }

    #[inline]
    pub(super) fn leave(&mut self) {
        self.left = self.left.saturating_add(1);
    }

    /// Takes `count` omitted elements from the budget.
    pub(super) fn fill(&mut self, count: u32, offset: u64) -> Result<()> {
        match self.fill_left.checked_sub(count) {
            Some(fill_left) => {
                self.fill_left = fill_left;
                Ok(())
            }
            None => Err(Error::at(ErrorKind::NotWritten { count, limit: self.limit }, offset)),
        }
    }

    fn reset_limits(&mut self) {
        (self.fill_left, self.left) = (self.limit, self.depth);
    }
}

impl<'de, I: ItemSource<'de>> Deserializer<'_, I> {
    /// Deserializes the next object. In the middle of a file, deserializes the next value: an
    /// object, a list, an element, or the value of a property. Returns `None` at the end of the
    /// file, or of the enclosing object or list.
    ///
    /// # Errors
    /// If it is malformed or does not match `T`. The position of the reader is unspecified after an
    /// error.
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
