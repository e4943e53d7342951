//! Items: the elements of a file in order, the same for text and binary streams.

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
/// Arrays of strings are lists, like arrays of objects, because in binary each string may be stored
/// elsewhere. Any other array is one [`Value`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Item<'a> {
    /// Start of an object. Its properties follow, up to the matching [`End`](Self::End).
    Object(Object<'a>),
    /// A property, whose value comes next.
    Property(Property<'a>),
    /// A value, or an element of a list of strings.
    Value(Value<'a>),
    /// The number of an object in place of the object. Number 0 leads nowhere: engines treat the
    /// property as absent.
    Pointer(u32),
    /// No object, string or array.
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
    /// Number of the object, if one is written. Number 0 means no number.
    pub pointer: Option<u32>,
    /// Offset of the object: in text, of the brace; in binary, of the class, or of the first
    /// attribute if the list states the class.
    pub offset: u64,
    #[cfg_attr(not(feature = "alloc"), allow(dead_code, reason = "used with `alloc` only"))]
    pub(crate) scope: Scope,
}

/// Table that attribute indices in a binary object refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Attributes of the object's own class, which precedes them together with the number.
    Own,
    /// Attributes of this class. The object has neither class nor number.
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
    /// Type of the list: that of the property, with one array less for a list in a list.
    pub ty: Type<'a>,
    /// Declared number of elements. Fewer may follow; nothing limits this number.
    pub len: u32,
}

/// The next item, or `None` at the end of the file.
pub(crate) type Next<'a> = Result<Option<Item<'a>>>;

/// A source of items, such as a [`TextReader`](super::TextReader) or `BinaryReader`.
pub trait ItemSource<'a> {
    /// Reads the next item; `None` at the end of the file.
    ///
    /// # Errors
    /// If the file is malformed. After an error there are no more items.
    fn next(&mut self) -> Result<Option<Item<'a>>>;

    /// Skips the rest of the object or list, or the value of the property, that the last item
    /// started. After any other item, skips the rest of the enclosing object or list. The
    /// [`End`](Item::End) is skipped as well.
    ///
    /// # Errors
    /// If the end cannot be found.
    fn skip(&mut self) -> Result<()>;

    /// Offset of the next item, or of the whitespace before it.
    fn offset(&self) -> u64;
}
