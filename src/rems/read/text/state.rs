//! State of the reader: the open objects and lists, and the next item.

use crate::rems::{Kind, StrRef, Type};

/// The next syntactic element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    /// The opening bracket of the file.
    Start,
    /// A top-level object, or the end of the file.
    Root,
    /// The object of a reader that reads a single object.
    Alone,
    /// The first property, or the end of the object.
    First,
    /// A comma before a property, or the end of the object.
    Member,
    /// A value of a kind, with this number of array dimensions.
    Plain(Kind, u8),
    /// An object, a reference by number, or null.
    Instance,
    /// A list, or null.
    List,
    /// A comma before an element, or the end of the list.
    Element,
    Nothing,
    /// Nothing: the last bracket of the file has been read.
    End,
}

/// An open object or list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<'a> {
    pub(super) enclosing: Enclosing,
    /// Class of the elements of a list of one class.
    pub(super) class: StrRef<'a>,
    /// Number of elements that the list declares and that have not been read.
    pub(super) left: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Enclosing {
    /// The list of all objects of the file.
    File,
    /// No list, for a reader that reads a single object.
    Alone,
    Object,
    /// A list of objects of one class (1), or a list of such lists (2).
    Classes(u8),
    Mixed(u8),
    Strings(u8),
    Files(u8),
}

impl<'a> Frame<'a> {
    pub(super) const FILE: Self =
        Self { enclosing: Enclosing::File, class: StrRef::new(&[]), left: 0 };

    pub(super) fn list(ty: Type<'a>, left: u32) -> Self {
        let none = StrRef::new(&[]);
        let (enclosing, class) = match ty {
            Type::Class(class, dim) => (Enclosing::Classes(dim), class),
            Type::Kind(Kind::File, dim) => (Enclosing::Files(dim), none),
            Type::Kind(_, dim) => (Enclosing::Strings(dim), none),
            _ => (Enclosing::Mixed(ty.dim()), none),
        };
        Self { enclosing, class, left }
    }

    /// Returns the type of the elements.
    #[inline]
    pub(super) fn elements(&self) -> Type<'a> {
        match self.enclosing {
            Enclosing::Classes(dim) => Type::Class(self.class, dim),
            Enclosing::Strings(dim) => Type::Kind(Kind::String, dim),
            Enclosing::Files(dim) => Type::Kind(Kind::File, dim),
            Enclosing::Mixed(dim) => Type::Mixed(dim),
            Enclosing::File | Enclosing::Alone | Enclosing::Object => Type::Object,
        }
        .element()
    }
}
