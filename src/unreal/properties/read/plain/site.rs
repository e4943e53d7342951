//! The arguments that the decoders of structs and arrays share.

use crate::unreal::format::Layout;
use crate::unreal::properties::types::{KnownName, NameCode, NativeForm, PropertyContext};

/// The context of a tag. Functions that are not inlined receive the bytes and the offset of the tag as
/// separate arguments. All of them are then in registers, whereas a larger struct would be in memory.
#[derive(Clone, Copy)]
pub(super) struct Site<'p> {
    pub context: &'p PropertyContext<'p>,
    /// Remaining nesting depth.
    pub depth_left: u8,
}

/// Returns the native form of a struct whose name has this code, or `None` if it is a list of
/// properties.
#[inline(always)]
pub(super) fn encoding(code: NameCode, layout: &Layout) -> Option<NativeForm> {
    match code.word() {
        KnownName::Native(native) if native.is_in(layout) => Some(native.form),
        _ => None,
    }
}
