use super::hint::{Hint, forward_to_visit};
use super::node::{Node, refuse_struct};
use super::seq::{OpenList, Seq, Source};
use super::{Error, Result};
use crate::rems::{ErrorKind, ItemSource};
use core::marker::PhantomData;
use serde::de::{self, Deserialize, DeserializeSeed, Visitor};
use serde::forward_to_deserialize_any;

/// How many elements that are declared and not written are put in, unless it is
/// [told otherwise](Deserializer::fill_limit).
const FILL_LIMIT: u32 = 1 << 16;

/// How many objects and lists a type may be led into, unless it is
/// [told otherwise](Deserializer::depth).
const DEPTH: u32 = 128;

/// Reads the objects of a file, from where the reader is: as a sequence.
///
/// Text is borrowed where it can be and the type borrows. How types and values go together: see
/// [the module](crate::rems::serde).
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
/// Where the file cannot be read, or is not what `T` takes: with offset and path.
pub fn from_items<'de, T: Deserialize<'de>>(items: &mut impl ItemSource<'de>) -> Result<T> {
    Deserializer::new(items).read_all()
}

/// Reads the next object of a file; none at its end.
///
/// So a reader of one object ([`TextReader::at`](crate::rems::TextReader::at)) gives that, and
/// where a reader is in the middle of a file, this is the next value, as
/// [`Deserializer::read`] has it.
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
/// Where the object cannot be read, or is not what `T` takes: with offset and path. What the
/// reader gives after that is not said.
pub fn read_object<'de, T: Deserialize<'de>>(
    items: &mut impl ItemSource<'de>,
) -> Result<Option<T>> {
    Deserializer::new(items).read()
}

/// Gives what a reader reads as whatever type is asked for.
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
    /// How many elements may still be put in.
    fill_left: u32,
    depth: u32,
    /// How many objects and lists more the type may be led into.
    left: u32,
}

impl<'i, I> Deserializer<'i, I> {
    /// Reads on where the reader is.
    pub fn new(items: &'i mut I) -> Self {
        Self { items, limit: FILL_LIMIT, fill_left: FILL_LIMIT, depth: DEPTH, left: DEPTH }
    }

    /// Up to how many elements are put in that arrays and lists declare and do not write, in all
    /// that one call reads. They are what the bytes of a file do not pay for: 65536 unless it
    /// is set here. Of more, [`ErrorKind::NotWritten`] is the error.
    #[must_use]
    pub fn fill_limit(self, limit: u32) -> Self {
        Self { limit, fill_left: limit, ..self }
    }

    /// How many objects and lists may be inside each other where a type asks for them: 128 unless
    /// it is set here, and at the most what the reader has fill_left for, which is 256 unless that is
    /// set, too. Types call themselves for what is inside them, and need a stack for that. What is
    /// passed over may be as deep as the reader allows.
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

    /// That so many elements are put in.
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
    /// Reads the next object; in the middle of a file, the next value: an object, a list, an
    /// element, or the value of a property. None where the file ends, or what the reader is in.
    ///
    /// # Errors
    /// Where it cannot be read, or is not what `T` takes. What the reader gives after that
    /// is not said.
    #[inline]
    pub fn read<T: Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        self.read_seed(PhantomData)
    }

    /// The same for what needs more than a type.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        self.reset_limits();
        let before = self.items.offset();
        match OpenList.next(self.items)? {
            Some(item) => seed.deserialize(Node::of(self, item, before)).map(Some),
            None => Ok(None),
        }
    }

    /// Reads all objects that are left, or what is left of what the reader is in: as a sequence.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_all<T: Deserialize<'de>>(&mut self) -> Result<T> {
        self.reset_limits();
        let offset = self.items.offset();
        T::deserialize(All(self)).map_err(|error| error.or_at(offset))
    }
}

/// What is left to read.
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
