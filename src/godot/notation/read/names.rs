//! Words and names of types.

use super::Reading;
use crate::godot::notation::{Engine, words};
use crate::godot::{Dialect, Kind};

/// The words that are floats.
pub(super) fn float_word(name: &str, how: Reading) -> Option<f64> {
    match name {
        words::INF => Some(f64::INFINITY),
        words::INF_NEG => Some(f64::NEG_INFINITY),
        "-inf" if how.is_godot4() => Some(f64::NEG_INFINITY),
        words::NAN => Some(f64::NAN),
        _ => None,
    }
}

/// The type that a name in front of `(` makes a value of.
pub(super) fn constructor(name: &str, how: Reading) -> Option<Kind> {
    let engine = how.engine();
    let others = match engine {
        Engine::Godot4 => &GODOT4[..],
        Engine::Godot3 => &GODOT3[..],
    };
    let own = how.dialect.named(name.as_bytes());
    let other = others.iter().find(|(other, _)| *other == name).map(|(_, kind)| *kind);
    own.filter(|kind| is_constructor(*kind)).or(other).or_else(|| pool(name, engine))
}

/// Not the types that are written in some way of their own.
fn is_constructor(kind: Kind) -> bool {
    use Kind::{Array, Bool, Dictionary, Float, Int, Nil, Object, String, StringName};
    !matches!(kind, Nil | Bool | Int | Float | String | StringName | Array | Dictionary | Object)
}

/// Names that types had before, as 4.6.3 still takes them.
const GODOT4: [(&str, Kind); 11] = [
    ("Matrix32", Kind::Transform2D),
    ("Quat", Kind::Quaternion),
    ("Rect3", Kind::Aabb),
    ("Matrix3", Kind::Basis),
    ("Transform", Kind::Transform3D),
    ("PackedIntArray", Kind::PackedInt32Array),
    ("PoolIntArray", Kind::PackedInt32Array),
    ("IntArray", Kind::PackedInt32Array),
    ("PackedRealArray", Kind::PackedFloat32Array),
    ("PoolRealArray", Kind::PackedFloat32Array),
    ("FloatArray", Kind::PackedFloat32Array),
];

/// The same for 3.6.2, which takes some of Godot 4's, too.
const GODOT3: [(&str, Kind); 9] = [
    ("Matrix32", Kind::Transform2D),
    ("Rect3", Kind::Aabb),
    ("Matrix3", Kind::Basis),
    ("IntArray", Kind::PackedInt32Array),
    ("FloatArray", Kind::PackedFloat32Array),
    ("PackedInt32Array", Kind::PackedInt32Array),
    ("PackedInt64Array", Kind::PackedInt32Array),
    ("PackedFloat32Array", Kind::PackedFloat32Array),
    ("PackedFloat64Array", Kind::PackedFloat32Array),
];

/// `PoolByteArray`, `PackedByteArray` and `ByteArray` are one type, and so are those of
/// strings, vectors and colours.
fn pool(name: &str, engine: Engine) -> Option<Kind> {
    let of = name.strip_prefix("Pool").or_else(|| name.strip_prefix("Packed")).unwrap_or(name);
    let kinds = [
        ("ByteArray", Kind::PackedByteArray),
        ("StringArray", Kind::PackedStringArray),
        ("Vector2Array", Kind::PackedVector2Array),
        ("Vector3Array", Kind::PackedVector3Array),
        ("ColorArray", Kind::PackedColorArray),
        ("Vector4Array", Kind::PackedVector4Array),
    ];
    let kind = kinds.iter().find(|(known, _)| *known == of).map(|(_, kind)| *kind);
    kind.filter(|kind| engine == Engine::Godot4 || *kind != Kind::PackedVector4Array)
}

/// What stands in the brackets of a typed container: a built-in type, if it is one. (What
/// 4.6.3 calls no type and no class it takes for none; classes are its own to know.)
pub(super) fn element_type(name: &str) -> Option<Kind> {
    Dialect::Godot4.named(name.as_bytes())
}
