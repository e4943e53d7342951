//! Names of constants and types.

use super::Reading;
use crate::godot::notation::{Engine, keywords};
use crate::godot::{Dialect, Kind};

/// Returns the float with the given name, such as `inf`.
pub(super) fn float_constant(name: &str, options: Reading) -> Option<f64> {
    match name {
        keywords::INF => Some(f64::INFINITY),
        keywords::INF_NEG => Some(f64::NEG_INFINITY),
        "-inf" if options.is_godot4() => Some(f64::NEG_INFINITY),
        keywords::NAN => Some(f64::NAN),
        _ => None,
    }
}

/// Returns the type with the constructor `name`, which precedes a `(`.
pub(super) fn constructor(name: &str, options: Reading) -> Option<Kind> {
    let engine = options.engine();
    let others = match engine {
        Engine::Godot4 => &GODOT4[..],
        Engine::Godot3 => &GODOT3[..],
    };
    let own = options.dialect.named(name.as_bytes());
    let other = others.iter().find(|(other, _)| *other == name).map(|(_, kind)| *kind);
    own.filter(|kind| is_constructor(*kind)).or(other).or_else(|| pool(name, engine))
}

/// Returns `true` for types that are written as a constructor call. The other types have their own
/// syntax.
fn is_constructor(kind: Kind) -> bool {
    use Kind::{Array, Bool, Dictionary, Float, Int, Nil, Object, String, StringName};
    !matches!(kind, Nil | Bool | Int | Float | String | StringName | Array | Dictionary | Object)
}

/// Former names of types that Godot 4.6.3 still accepts.
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

/// Former names of types, and some names of Godot 4, that Godot 3.6.2 accepts.
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

/// Returns the packed array type with this name, with or without the prefix `Pool` or `Packed`. All
/// three forms name the same type: `PoolByteArray`, `PackedByteArray` and `ByteArray`.
fn pool(name: &str, engine: Engine) -> Option<Kind> {
    let base = name.strip_prefix("Pool").or_else(|| name.strip_prefix("Packed")).unwrap_or(name);
    let kinds = [
        ("ByteArray", Kind::PackedByteArray),
        ("StringArray", Kind::PackedStringArray),
        ("Vector2Array", Kind::PackedVector2Array),
        ("Vector3Array", Kind::PackedVector3Array),
        ("ColorArray", Kind::PackedColorArray),
        ("Vector4Array", Kind::PackedVector4Array),
    ];
    let kind = kinds.iter().find(|(known, _)| *known == base).map(|(_, kind)| *kind);
    kind.filter(|kind| engine == Engine::Godot4 || *kind != Kind::PackedVector4Array)
}

/// Returns the built-in type with this name, which comes from the brackets of a typed container.
/// Any other name is that of a class. Godot 4.6.3 ignores the name of an unknown class, but this
/// crate does not know the engine's classes.
pub(super) fn element_type(name: &str) -> Option<Kind> {
    Dialect::Godot4.named(name.as_bytes())
}
