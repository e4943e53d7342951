use super::{Error, Result};
use crate::godot::ErrorKind;
use crate::godot::read::walk::ENGINE_DEPTH;

/// The recursion budget of a value that is being deserialized.
#[derive(Clone, Copy)]
pub(super) struct RecursionBudget {
    /// Number of further levels of nested containers that are allowed.
    left: u16,
    limit: u16,
    /// Number of further `Option`s and newtypes around one value that are allowed. They take no
    /// bytes, so a type that contains only itself, `struct Never(Option<Box<Never>>)`, would
    /// recurse forever.
    layers: u8,
    /// `true` if full objects are accepted.
    pub objects: bool,
    /// `true` if structs are read on the assumption that all their fields are in order; see
    /// `in_order.rs`.
    pub in_order: bool,
}

/// The maximum number of `Option`s and newtypes around one value. In practice, no type needs more.
const LAYERS: u8 = 32;

impl RecursionBudget {
    pub(super) fn new(limit: u32, objects: bool, in_order: bool) -> Self {
        let limit = u16::try_from(limit.min(ENGINE_DEPTH)).unwrap_or_default();
        Self { left: limit, limit, layers: LAYERS, objects, in_order }
    }

    #[inline]
    pub(super) fn nested(self, pos: usize) -> Result<Self> {
        match self.left.checked_sub(1) {
            Some(left) => Ok(Self { left, layers: LAYERS, ..self }),
            None => Err(self.too_deep(pos)),
        }
    }

    #[inline]
    pub(super) fn nested_layer(self, pos: usize) -> Result<Self> {
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
