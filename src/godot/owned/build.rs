//! Builds owned values from bytes in one pass.

use super::container::PreservedHead;
use super::{Array, Dictionary, LeafBuf, Object, Variant};
use crate::godot::read::walk::{ENGINE_DEPTH, Leaf, Open, Property, Visitor};
use crate::godot::write::transcode;
use crate::godot::write::writer::in_some_dialect;
use crate::godot::{Container, Dialect, Encoded, Error, Kind, ObjectRef, Result, VariantRef};
use alloc::vec::Vec;

impl Encoded<'_> {
    /// Converts the value to an owned one. Copies all strings and packed arrays. The owned value
    /// takes at most about ten times as many bytes of memory as the packet has.
    ///
    /// # Errors
    /// Returns an error if more than 1024 containers are nested. Only a reader with a
    /// caller-provided [stack](crate::godot::Reader::with_stack) accepts such a value.
    pub fn to_variant(&self) -> Result<Variant> {
        if self.is_compact() {
            return Ok(Variant::Leaf(LeafBuf::new(*self)));
        }
        let mut builder = Builder::default();
        transcode::walk(*self, &mut builder, ENGINE_DEPTH)?;
        Ok(builder.done)
    }
}

impl VariantRef<'_> {
    /// Converts the value to an owned one; see [`Encoded::to_variant`]. The view of an int or float
    /// does not know whether the number had 32 or 64 bits in the packet, so the owned value gets
    /// the width that an engine would choose.
    ///
    /// # Errors
    /// Returns the errors of [`Encoded::to_variant`].
    pub fn to_variant(&self) -> Result<Variant> {
        match self {
            Self::Array(array) => array.encoded().to_variant(),
            Self::Dictionary(dictionary) => dictionary.encoded().to_variant(),
            Self::Object(ObjectRef::Full(object)) => object.encoded().to_variant(),
            leaf => {
                let (bytes, dialect) = in_some_dialect(*leaf, Dialect::Godot4)?;
                Encoded::trusted(&bytes, dialect).to_variant()
            }
        }
    }
}

impl TryFrom<Encoded<'_>> for Variant {
    type Error = Error;

    fn try_from(encoded: Encoded<'_>) -> Result<Self> {
        encoded.to_variant()
    }
}

impl TryFrom<VariantRef<'_>> for Variant {
    type Error = Error;

    fn try_from(view: VariantRef<'_>) -> Result<Self> {
        view.to_variant()
    }
}

/// A builder that assembles a value from its leaves and containers. When a container ends, it is
/// added to the container around it.
#[derive(Default)]
pub(super) struct Builder {
    open: Vec<Pending>,
    /// The complete value, once its last item has been added. Nil until then.
    pub done: Variant,
}

/// An open container and the key of its next value.
struct Pending {
    container: Variant,
    key: Option<Variant>,
    name: Vec<u8>,
}

impl Builder {
    /// Adds a leaf or a complete container.
    pub fn item(&mut self, item: Variant) {
        let Some(Pending { container, key, name }) = self.open.last_mut() else {
            self.done = item;
            return;
        };
        match container {
            Variant::Array(array) => array.items.push(item),
            Variant::Dictionary(dictionary) => match key.take() {
                None => *key = Some(item),
                Some(key) => dictionary.pairs.push((key, item)),
            },
            Variant::Object(object) => object.properties.push((core::mem::take(name), item)),
            Variant::Leaf(_) => {}
        }
    }

    /// Opens a container, which must be empty. Later calls add its items.
    pub fn open(&mut self, container: Variant) {
        self.open.push(Pending { container, key: None, name: Vec::new() });
    }

    /// Sets the name of the property that follows.
    pub fn name(&mut self, name: &[u8]) {
        if let Some(pending) = self.open.last_mut() {
            pending.name = name.to_vec();
        }
    }

    /// Ends the innermost container.
    pub fn close(&mut self) {
        if let Some(Pending { container, .. }) = self.open.pop() {
            self.item(container);
        }
    }
}

impl<'a> Visitor<'a> for Builder {
    type Error = Error;

    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<()> {
        self.item(Variant::Leaf(LeafBuf::new(leaf.encoded)));
        Ok(())
    }

    fn open(&mut self, open: Open<'a>) -> Result<()> {
        // The bytes were checked, so all items that the count announces exist.
        let len = open.container.len() as usize;
        let preserved_head = PreservedHead::of(&open);
        let container = match open.container {
            Container::Array { element, shared, .. } => {
                Variant::Array(Array::open(len, element, shared, preserved_head))
            }
            Container::Dictionary { key, value, shared, .. } => {
                Variant::Dictionary(Dictionary::open(len, [key, value], shared, preserved_head))
            }
            Container::Object { class, .. } => {
                Variant::Object(Object::open(len, class, preserved_head))
            }
        };
        Self::open(self, container);
        Ok(())
    }

    fn property(&mut self, property: Property<'a>) -> Result<()> {
        self.name(property.name.as_bytes());
        Ok(())
    }

    fn close(&mut self, _: Kind) -> Result<()> {
        Self::close(self);
        Ok(())
    }
}
