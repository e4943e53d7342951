//! Writes owned values.

use super::Variant;
use super::container::PreservedHead;
use super::walk::{Step, Walk};
use crate::buffer::Sink;
use crate::godot::read::walk::ENGINE_DEPTH;
use crate::godot::write::encoder::{Encoder, Pieces};
use crate::godot::{Container, Dialect, Error, ErrorKind, Result, ToVariant};

impl Variant {
    /// Returns the dialect of the first preserved wire bytes in the value. Without such bytes,
    /// returns Godot 2 if the value contains a container that is marked as shared, and Godot 4
    /// otherwise.
    pub(crate) fn dialect(&self) -> Dialect {
        let said = |value: &Self| match value {
            Self::Leaf(leaf) => Some(leaf.encoded().dialect()),
            Self::Array(array) => array.preserved_head().dialect(),
            Self::Dictionary(dictionary) => dictionary.preserved_head().dialect(),
            Self::Object(object) => object.preserved_head().dialect(),
        };
        let is_shared = |value: &Self| {
            let (open, _) = value.open()?;
            open.is_shared().then_some(())
        };
        // Godot 4 has no bit for shared containers.
        let unsaid =
            || if self.first(is_shared).is_some() { Dialect::Godot2 } else { Dialect::Godot4 };
        self.first(said).unwrap_or_else(unsaid)
    }

    /// Returns the first result of `find` for this value or a value nested in it.
    fn first<T>(&self, find: impl Fn(&Self) -> Option<T>) -> Option<T> {
        Walk::new(self).find_map(|step| match step {
            Step::Item { value, .. } => find(value),
            Step::Close => None,
        })
    }

    /// Returns the type, count and declared types of a container, and its preserved first bytes.
    /// Returns `None` for a leaf.
    fn open(&self) -> Option<(Container<'_>, &PreservedHead)> {
        match self {
            Self::Leaf(_) => None,
            Self::Array(array) => Some((array.container(), array.preserved_head())),
            Self::Dictionary(dictionary) => {
                Some((dictionary.container(), dictionary.preserved_head()))
            }
            Self::Object(object) => Some((object.container(), object.preserved_head())),
        }
    }

    /// Writes the value, with at most `depth` levels of non-empty containers.
    fn write<S: Sink>(&self, out: &mut Encoder<'_, S>, depth: u32) -> Result<()> {
        let mut walk = Walk::new(self);
        while let Some(step) = walk.next() {
            let Step::Item { name, value } = step else { continue };
            if let Some(name) = name {
                out.property(name)?;
            }
            match value {
                Self::Leaf(leaf) => out.copy(leaf.encoded())?,
                // An empty container may be one level deeper than a container with items.
                _ if walk.levels() > depth as usize && value.len() > 0 => {
                    return Err(out.fail(ErrorKind::TooDeep { limit: ENGINE_DEPTH }));
                }
                container => container.write_head(out)?,
            }
        }
        Ok(())
    }

    /// Writes the bytes of a container before its first item.
    fn write_head<S: Sink>(&self, out: &mut Encoder<'_, S>) -> Result<()> {
        let Some((container, preserved_head)) = self.open() else { return Ok(()) };
        out.count(self.len())?;
        match preserved_head.head(&container, out.target) {
            Some(bytes) => out.raw_head(&container, bytes),
            None => out.head(&container),
        }
    }
}

impl Pieces for &Variant {
    type Error = Error;

    fn write<S: Sink>(&self, out: &mut Encoder<'_, S>) -> Result<()> {
        let depth = out.depth;
        Variant::write(self, out, depth)
    }
}

impl ToVariant for &Variant {
    #[allow(private_interfaces, reason = "hidden: for the types of this crate")]
    fn write<S: Sink>(&self, out: &mut Encoder<'_, S>) -> Result<()> {
        out.whole(self)
    }
}
