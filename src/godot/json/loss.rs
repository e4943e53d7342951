//! What the notation does not tell of a packet.

use super::{element_type, is_script_path};
use crate::godot::read::strictness::{has_nil_type, rewrite};
use crate::godot::types::object::ENCODED_OBJECT_AS_ID;
use crate::godot::{Container, Error, ErrorKind, Leaf, Open, StrRef, TypeRef, VariantRef};

/// What of a leaf its form does not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Loss {
    Nothing,
    /// That it has 64 bits although 32 would do.
    Width,
    /// Something else.
    Bytes,
}

/// The engine's NaN, as a script's `NAN` has it.
const NAN: u64 = 0x7FF8_0000_0000_0000;

pub(super) fn is_odd_nan(value: f64) -> bool {
    value.is_nan() && value.to_bits() != NAN
}

/// (A NaN among parts is seen where they are printed.)
pub(super) fn loss(leaf: &Leaf<'_>) -> Loss {
    // A short form says nothing that the value does not.
    if leaf.encoded.is_compact() {
        return Loss::Nothing;
    }
    let (bytes, dialect) = (leaf.encoded.as_bytes(), leaf.encoded.dialect());
    let told = match leaf.value {
        VariantRef::Float(value) => !is_odd_nan(value),
        // Godot 2's property looks like one more sub-name.
        VariantRef::NodePath(path) => path.text_round_trips() && path.property().is_none(),
        _ => true,
    };
    let is_told = |text: StrRef<'_>| match text.is_canonical() {
        true => Ok(()),
        false => Err(Error::new(ErrorKind::BadText, 0)),
    };
    let told = told && leaf.value.texts(&mut |text| is_told(text)).is_ok();
    let same = |wide| rewrite(bytes, dialect, wide, |out| leaf.value.encode(out)).other.is_none();
    match told {
        true if same(false) => Loss::Nothing,
        true if leaf.encoded.is_wide() && same(true) => Loss::Width,
        _ => Loss::Bytes,
    }
}

/// Whether what is told of a container would be written otherwise than it is there.
pub(super) fn loses_head(open: &Open<'_>) -> bool {
    let is_told = |of: TypeRef<'_>| match of {
        TypeRef::Untyped | TypeRef::Builtin(_) => true,
        TypeRef::Class(name) => {
            !is_script_path(name.as_bytes()) && element_type(name.as_bytes()).is_none()
        }
        TypeRef::Script(path) => is_script_path(path.as_bytes()),
    };
    let told = match open.container {
        Container::Array { element, .. } => is_told(element),
        Container::Dictionary { key, value, .. } => is_told(key) && is_told(value),
        Container::Object { class, .. } => class != *ENCODED_OBJECT_AS_ID,
    };
    !told
        || has_nil_type(&open.container)
        || !open.container.texts().all(|text| text.is_canonical())
        || rewrite(open.head, open.dialect, false, |out| out.head(&open.container)).other.is_some()
}

/// A RID or signal that has nothing to tell.
pub(super) fn is_nothing(value: &VariantRef<'_>) -> bool {
    match value {
        VariantRef::Rid(id) => id.unwrap_or_default() == 0,
        VariantRef::Signal(signal) => signal.name.visible().is_empty() && signal.object == 0,
        _ => true,
    }
}
