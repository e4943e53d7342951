//! State of the reader: the open objects and lists, and the next item.

use crate::rems::{Kind, StrRef, Type};

/// The next syntactic element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    /// The bracket around the file.
    Start,
    /// An object at the top, or the end of the file.
    Root,
    /// The object of a reader of a single object.
    Alone,
    /// A property, or the end of the object.
    First,
    /// A comma, or the end of the object.
    Member,
    /// The value of a property, inside this number of arrays.
    Plain(Kind, u8),
    /// The object of a property, its number, or null.
    Instance,
    /// The list of a property.
    List,
    /// A comma, or the end of the list.
    Element,
    Nothing,
}

/// An open object or list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<'a> {
    pub(super) enclosing: Enclosing,
    /// Class of the elements of a list of one class.
    pub(super) class: StrRef<'a>,
    /// Number of elements that a list may still have.
    pub(super) left: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Enclosing {
    /// The file itself.
    File,
    /// The file, for a reader of a single object.
    Alone,
    Object,
    /// A list of elements of one class, inside this number of lists.
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

    /// Type of the elements.
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
