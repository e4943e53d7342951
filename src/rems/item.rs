//! What a file is made of, one after the other: the same for texts and binary streams.

use super::{Result, Str, Type, Value};

/// A piece of a file.
///
/// ```text
/// file     = { object }
/// object   = Object { Property value } End
/// value    = Value | Pointer | Null | object | list
/// list     = List { value } End
/// ```
///
/// Strings in arrays are lists, like objects, since in binary they may lie anywhere; all other
/// arrays are one [`Value`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Item<'a> {
    /// An object begins. What follows, up to the [`End`](Self::End) that belongs to it, are its
    /// properties.
    Object(Object<'a>),
    /// A property, whose value comes next.
    Property(Property<'a>),
    /// A value; or an element of a list of strings.
    Value(Value<'a>),
    /// The number of an object in place of it. 0 leads nowhere: for the engine the property is
    /// not there.
    Pointer(u32),
    /// No object, or no string or array.
    Null,
    /// A list begins. What follows, up to the [`End`](Self::End) that belongs to it, are its
    /// elements; those that it declares and does not have are null, or empty strings or lists.
    List(List<'a>),
    /// The end of the innermost object or list.
    End,
}

/// How an object begins.
#[derive(Clone, Copy, Debug)]
pub struct Object<'a> {
    /// Its class.
    pub class: Str<'a>,
    /// Its number, if one is written; 0 is as good as none.
    pub pointer: Option<u32>,
    /// Where it begins: text, at the brace; binary, at the class, or at the first attribute
    /// where the list has said the class.
    pub offset: u64,
    #[cfg_attr(not(feature = "alloc"), allow(dead_code, reason = "asked for with `alloc` only"))]
    pub(crate) scope: Scope,
}

/// Binary: which attributes the numbers in an object stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Those of its class, which stands before them with the number.
    Own,
    /// Those of that class; neither class nor number stand before them.
    #[cfg_attr(not(feature = "alloc"), allow(dead_code, reason = "asked for with `alloc` only"))]
    Bare(u32),
}

/// A property: its type and its name.
#[derive(Clone, Copy, Debug)]
pub struct Property<'a> {
    /// What the value is.
    pub ty: Type<'a>,
    /// What it is called.
    pub name: Str<'a>,
    /// Where it begins.
    pub offset: u64,
}

/// How a list begins.
#[derive(Clone, Copy, Debug)]
pub struct List<'a> {
    /// Its type: that of the property, with one array less for a list in a list.
    pub ty: Type<'a>,
    /// How many elements it declares. There may be fewer; nothing says how many are sensible.
    pub len: u32,
}

/// What the next item is; none at the end of the file.
pub(crate) type Next<'a> = Result<Option<Item<'a>>>;

/// What gives the items of a file: a `TextReader`, or a `BinaryReader`.
pub trait Items<'a> {
    /// The next item; none at the end of the file.
    ///
    /// # Errors
    /// Where the bytes are not what the format says. There is nothing after that.
    fn next(&mut self) -> Result<Option<Item<'a>>>;

    /// Passes over what the last item began: the rest of an object or list, its
    /// [`End`](Item::End) as well, or the value of a property. After any other item, over the
    /// rest of what that is in.
    ///
    /// # Errors
    /// Where the end of it cannot be found.
    fn skip(&mut self) -> Result<()>;

    /// Where the next item is, or the blanks before it.
    fn offset(&self) -> u64;
}
