//! Where a reader is: what is open, and what comes next.

use crate::rems::{Kind, StrRef, Type};

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    /// The bracket around the whole.
    Start,
    /// An object, or the end.
    Root,
    /// The one object that is read.
    Alone,
    /// A property, or the end of the object.
    First,
    /// A comma, or the end of the object.
    Member,
    /// The value of a property, inside so many arrays.
    Plain(Kind, u8),
    /// The object of a property, or what stands for it.
    Instance,
    /// The list of a property.
    List,
    /// A comma, or the end of the list.
    Element,
    Nothing,
}

/// What is open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<'a> {
    pub(super) enclosing: Enclosing,
    /// Of a list of one class.
    pub(super) class: StrRef<'a>,
    /// Of a list: how many it may still have.
    pub(super) left: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Enclosing {
    /// The file itself.
    File,
    /// An object that is read alone.
    Alone,
    Object,
    /// A list of elements of a class, inside so many lists.
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

    /// The type of its elements.
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
