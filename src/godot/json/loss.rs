//! Finds the details of a packet that the JSON form cannot express.

use super::{element_type, is_script_path};
use crate::godot::read::strictness::{has_nil_type, rewrite};
use crate::godot::types::object::ENCODED_OBJECT_AS_ID;
use crate::godot::{Container, Error, ErrorKind, Kind, Leaf, Open, StrRef, TypeRef, VariantRef};

/// The information in the encoding of a leaf that its printed form lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Loss {
    Nothing,
    /// The value has 64 bits although 32 bits would suffice.
    Width,
    /// Any other detail is lost. Only the bytes of the value can restore it.
    Bytes,
}

/// The bits of the engine's NaN, which is the constant `NAN` in scripts.
const NAN: u64 = 0x7FF8_0000_0000_0000;

/// Returns `true` for a NaN whose bits differ from those of the engine's NaN.
pub(super) fn is_foreign_nan(value: f64) -> bool {
    value.is_nan() && value.to_bits() != NAN
}

/// Returns the information that the printed form of a leaf lacks. NaNs among the parts of a value
/// are not considered here: the function that prints the parts detects them.
pub(super) fn loss(leaf: &Leaf<'_>) -> Loss {
    // A compact encoding contains nothing but the value.
    if leaf.encoded.is_compact() {
        return Loss::Nothing;
    }
    let (bytes, dialect) = (leaf.encoded.as_bytes(), leaf.encoded.dialect());
    if is_plain(leaf) {
        return Loss::Nothing;
    }
    let is_expressible = match leaf.value {
        VariantRef::Float(value) => !is_foreign_nan(value),
        // The property of a Godot 2 path is printed like an additional subname.
        VariantRef::NodePath(path) => path.text_round_trips() && path.property().is_none(),
        _ => true,
    };
    let check_text = |text: StrRef<'_>| match text.is_canonical() {
        true => Ok(()),
        false => Err(Error::new(ErrorKind::BadText, 0)),
    };
    let is_expressible = is_expressible && leaf.value.texts(&mut |text| check_text(text)).is_ok();
    let round_trips =
        |wide| rewrite(bytes, dialect, wide, |out| leaf.value.encode(out)).other.is_none();
    match is_expressible {
        true if round_trips(false) => Loss::Nothing,
        true if leaf.encoded.is_wide() && round_trips(true) => Loss::Width,
        _ => Loss::Bytes,
    }
}

/// Returns `true` for a vector or color whose header contains only its type. Its bytes are this
/// type and the numbers that are printed, in 32 bits each.
fn is_plain(leaf: &Leaf<'_>) -> bool {
    use Kind as K;
    let kind = leaf.value.kind();
    let is_vector = matches!(
        kind,
        K::Vector2 | K::Vector2i | K::Vector3 | K::Vector3i | K::Vector4 | K::Vector4i | K::Color
    );
    is_vector && leaf.encoded.header() == leaf.encoded.dialect().rules().ids.of(kind)
}

/// Returns `true` if the printed form of a container does not determine the bytes before its items.
pub(super) fn loses_head(open: &Open<'_>) -> bool {
    let is_expressible_type = |declared: TypeRef<'_>| match declared {
        TypeRef::Untyped | TypeRef::Builtin(_) => true,
        TypeRef::Class(name) => {
            !is_script_path(name.as_bytes()) && element_type(name.as_bytes()).is_none()
        }
        TypeRef::Script(path) => is_script_path(path.as_bytes()),
    };
    let is_expressible = match open.container {
        Container::Array { element, .. } => is_expressible_type(element),
        Container::Dictionary { key, value, .. } => {
            is_expressible_type(key) && is_expressible_type(value)
        }
        Container::Object { class, .. } => class != *ENCODED_OBJECT_AS_ID,
    };
    !is_expressible
        || has_nil_type(&open.container)
        || !open.container.texts().all(|text| text.is_canonical())
        || rewrite(open.head, open.dialect, false, |out| out.head(&open.container)).other.is_some()
}

/// Returns `true` if the JSON object of a value states nothing but its type. This is the case for a
/// null RID, for a signal with neither name nor object, and for every Callable. This function is
/// only called for these three types.
pub(super) fn has_no_parts(value: &VariantRef<'_>) -> bool {
    match value {
        VariantRef::Rid(id) => id.unwrap_or_default() == 0,
        VariantRef::Signal(signal) => signal.name.visible().is_empty() && signal.object == 0,
        _ => true,
    }
}
