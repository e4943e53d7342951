//! Items: the elements of a file in order. Text files and binary streams have the same items.

use super::{Result, StrRef, Type, Value};

/// An element of a file.
///
/// ```text
/// file     = { object }
/// object   = Object { Property value } End
/// value    = Value | Pointer | Null | object | list
/// list     = List { value } End
/// ```
///
/// Arrays of strings or paths are lists, like arrays of objects, because a binary stream may
/// contain only the index of a string that it defines elsewhere. Any other array is one [`Value`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Item<'a> {
    /// Start of an object. Its properties follow, up to the matching [`End`](Self::End).
    Object(Object<'a>),
    /// A property. Its value is the next item.
    Property(Property<'a>),
    /// The value of a property, or an element of a list of strings or paths.
    Value(Value<'a>),
    /// A reference to an object by its number. Number 0 refers to no object: engines treat the
    /// property as absent.
    Pointer(u64),
    /// Null, in place of an object, string or array.
    Null,
    /// Start of a list. Its elements follow, up to the matching [`End`](Self::End). Omitted
    /// elements are null, or empty strings or lists.
    List(List<'a>),
    /// End of the innermost object or list.
    End,
}

/// Header of an object.
#[derive(Clone, Copy, Debug)]
pub struct Object<'a> {
    /// Class of the object.
    pub class: StrRef<'a>,
    /// Number of the object, if the file contains one. The number 0 means that the object has no
    /// number. The engine of May 2020 stored the number in a property `l:uuid`. Readers do not
    /// return such numbers here, but [`Pointers`](super::Pointers) does.
    pub pointer: Option<u64>,
    /// Offset of the object. In a text file, this is the offset of its opening brace. In a binary
    /// stream, it is the offset of its class. For an element of a list of one class, which is
    /// written without its class, it is the offset of its first attribute.
    pub offset: u64,
    #[cfg_attr(not(feature = "alloc"), allow(dead_code, reason = "used with `alloc` only"))]
    pub(crate) scope: Scope,
}

/// The table in which to look up the attributes of a binary object. An attribute is the name and
/// type of a property; the stream contains its index in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The attributes of the object's own class. The class and the number precede the attributes.
    Own,
    /// The attributes of this class. The object is in a list whose elements all have this class, so
    /// it is written without class and number.
    #[cfg_attr(not(feature = "alloc"), allow(dead_code, reason = "used with `alloc` only"))]
    Bare(u32),
}

/// A property: its type and its name.
#[derive(Clone, Copy, Debug)]
pub struct Property<'a> {
    /// Type of the value.
    pub ty: Type<'a>,
    /// Name of the property.
    pub name: StrRef<'a>,
    /// Offset of the property.
    pub offset: u64,
}

/// Header of a list.
#[derive(Clone, Copy, Debug)]
pub struct List<'a> {
    /// Type of the list. This is the type of the property. For a list inside a list, it is the type
    /// of the outer list with one dimension fewer.
    pub ty: Type<'a>,
    /// Declared number of elements. The file may contain fewer elements, and can declare any
    /// number.
    pub len: u32,
}

/// Result of reading an item; `None` at the end of the file.
pub(crate) type Next<'a> = Result<Option<Item<'a>>>;

/// A source of items, such as a [`TextReader`](super::TextReader) or `BinaryReader`.
pub trait ItemSource<'a> {
    /// Reads the next item. Returns `None` at the end of the file.
    ///
    /// # Errors
    /// If the file is malformed. After an error there are no more items.
    fn next(&mut self) -> Result<Option<Item<'a>>>;

    /// If the last item started an object or list, skips the rest of it. If the last item was a
    /// property, skips its value. After any other item, skips the rest of the enclosing object or
    /// list. The [`End`](Item::End) of a skipped object or list is skipped, too.
    ///
    /// # Errors
    /// If the file ends or is malformed before the end of the skipped part.
    fn skip(&mut self) -> Result<()>;

    /// Returns the offset of the next item, or of the whitespace before it.
    fn offset(&self) -> u64;
}
