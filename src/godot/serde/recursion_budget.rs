use super::{Error, Result};
use crate::godot::ErrorKind;
use crate::godot::read::walk::ENGINE_DEPTH;

/// How far a type may still call itself.
#[derive(Clone, Copy)]
pub(super) struct Room {
    /// Containers inside each other.
    left: u16,
    limit: u16,
    /// Layers around one value that take no bytes: options and newtypes. A type may
    /// have itself for its only content, `struct Never(Option<Box<Never>>)`, and would
    /// call itself for ever.
    layers: u8,
    /// Whether full objects may come.
    pub objects: bool,
    /// Whether structs are read as if all their fields came in order, see `in_order.rs`.
    pub in_order: bool,
}

/// More than any type has that ends.
const LAYERS: u8 = 32;

impl Room {
    pub(super) fn new(limit: u32, objects: bool, in_order: bool) -> Self {
        let limit = u16::try_from(limit.min(ENGINE_DEPTH)).unwrap_or_default();
        Self { left: limit, limit, layers: LAYERS, objects, in_order }
    }

    #[inline(always)]
    pub(super) fn inside(self, pos: usize) -> Result<Self> {
        match self.left.checked_sub(1) {
            Some(left) => Ok(Self { left, layers: LAYERS, ..self }),
            None => Err(self.too_deep(pos)),
        }
    }

    #[inline(always)]
    pub(super) fn below_layer(self, pos: usize) -> Result<Self> {
        match self.layers.checked_sub(1) {
            Some(layers) => Ok(Self { layers, ..self }),
            None => Err(self.too_deep(pos)),
        }
    }

    #[cold]
    fn too_deep(self, pos: usize) -> Error {
        Error::new(ErrorKind::TooDeep { limit: self.limit.into() }, pos)
    }
}
