//! The items of a save, as a tree.

use gamewire::rems::{
    Error, Item, ItemSink, ItemSource, List, Object, Property, Value, WriteError,
};

/// A value, or an object or list with its contents.
pub(super) enum Node<'a> {
    Object(Object<'a>, Vec<(Property<'a>, Node<'a>)>),
    List(List<'a>, Vec<Node<'a>>),
    Value(Value<'a>),
    Pointer(u64),
    Null,
}

/// The objects of a save.
pub(super) struct Tree<'a>(pub Vec<Node<'a>>);

impl<'a> Tree<'a> {
    /// Reads a whole save. The readers limit the depth of the tree.
    pub(super) fn read(from: &mut dyn ItemSource<'a>) -> Result<Self, Error> {
        let mut roots = Vec::new();
        while let Some(item) = from.next()? {
            roots.push(Node::read(item, from)?);
        }
        Ok(Self(roots))
    }

    /// Returns `true` if an object has no number. The engine of 2021 writes such text.
    pub(super) fn lacks_numbers(&self) -> bool {
        self.0.iter().any(Node::lacks_numbers)
    }
}

impl<'a> Node<'a> {
    fn read(item: Item<'a>, from: &mut dyn ItemSource<'a>) -> Result<Self, Error> {
        Ok(match item {
            Item::Object(object) => {
                let mut properties = Vec::new();
                while let Some(Item::Property(property)) = from.next()? {
                    if let Some(value) = from.next()? {
                        properties.push((property, Self::read(value, from)?));
                    }
                }
                Self::Object(object, properties)
            }
            Item::List(list) => {
                let mut items = Vec::new();
                while let Some(item) = from.next()? {
                    if matches!(item, Item::End) {
                        break;
                    }
                    items.push(Self::read(item, from)?);
                }
                Self::List(list, items)
            }
            Item::Value(value) => Self::Value(value),
            Item::Pointer(number) => Self::Pointer(number),
            _ => Self::Null,
        })
    }

    fn lacks_numbers(&self) -> bool {
        match self {
            Self::Object(object, properties) => {
                object.pointer.is_none()
                    || properties.iter().any(|(_, value)| value.lacks_numbers())
            }
            Self::List(_, items) => items.iter().any(Self::lacks_numbers),
            _ => false,
        }
    }

    /// Writes the node unchanged.
    pub(super) fn forward(&self, to: &mut impl ItemSink) -> Result<(), WriteError> {
        match self {
            Self::Object(object, properties) => {
                to.item(Item::Object(*object))?;
                for (property, value) in properties {
                    to.item(Item::Property(*property))?;
                    value.forward(to)?;
                }
                to.end()
            }
            Self::List(list, items) => {
                to.item(Item::List(*list))?;
                items.iter().try_for_each(|item| item.forward(to))?;
                to.end()
            }
            Self::Value(value) => to.value(value),
            Self::Pointer(number) => to.item(Item::Pointer(*number)),
            Self::Null => to.null(),
        }
    }
}
