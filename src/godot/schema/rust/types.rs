//! The Rust types that values are read into.

use crate::godot::Kind;
use crate::godot::schema::{Facts, Shape, Span};
use alloc::string::String;

/// The type for any value.
pub(super) const VARIANT: &str = "godot::VariantRef<'a>";
/// The type for Strings, and for a mix of Strings and StringNames.
const TEXT: &str = "&'a str";
/// The type of maps, without its type parameters.
pub(super) const MAP: &str = "BTreeMap";

/// Rust types by kind of value. `R` stands for `f32` or `f64`. Kinds not listed here, and text that
/// is not UTF-8, become a [`VARIANT`].
const TYPES: &[(Kind, &str)] = &[
    (Kind::Bool, "bool"),
    (Kind::Float, "{R}"),
    (Kind::String, TEXT),
    (Kind::StringName, "godot::StringName<&'a str>"),
    (Kind::NodePath, "godot::NodePath<String>"),
    (Kind::Vector2, "godot::Vector2<{R}>"),
    (Kind::Vector2i, "godot::Vector2<i32>"),
    (Kind::Rect2, "godot::Rect2<{R}>"),
    (Kind::Rect2i, "godot::Rect2<i32>"),
    (Kind::Vector3, "godot::Vector3<{R}>"),
    (Kind::Vector3i, "godot::Vector3<i32>"),
    (Kind::Transform2D, "godot::Transform2D<{R}>"),
    (Kind::Vector4, "godot::Vector4<{R}>"),
    (Kind::Vector4i, "godot::Vector4<i32>"),
    (Kind::Plane, "godot::Plane<{R}>"),
    (Kind::Quaternion, "godot::Quaternion<{R}>"),
    (Kind::Aabb, "godot::Aabb<{R}>"),
    (Kind::Basis, "godot::Basis<{R}>"),
    (Kind::Transform3D, "godot::Transform3D<{R}>"),
    (Kind::Projection, "godot::Projection<{R}>"),
    (Kind::Color, "godot::Color<{R}>"),
    (Kind::Rid, "godot::Rid"),
    (Kind::Object, "godot::ObjectId"), // if all objects are given by id
    (Kind::Callable, "godot::Callable"),
    (Kind::Signal, "godot::Signal<&'a str>"),
    (Kind::PackedByteArray, "&'a [u8]"),
    (Kind::PackedInt32Array, "godot::Packed<Vec<i32>>"),
    (Kind::PackedInt64Array, "godot::Packed<Vec<i64>>"),
    (Kind::PackedFloat32Array, "godot::Packed<Vec<f32>>"),
    (Kind::PackedFloat64Array, "godot::Packed<Vec<f64>>"),
    (Kind::PackedStringArray, "godot::Packed<Vec<&'a str>>"),
    (Kind::PackedVector2Array, "godot::Packed<Vec<godot::Vector2<{R}>>>"),
    (Kind::PackedVector3Array, "godot::Packed<Vec<godot::Vector3<{R}>>>"),
    (Kind::PackedColorArray, "godot::Packed<Vec<godot::Color<f32>>>"),
    (Kind::PackedVector4Array, "godot::Packed<Vec<godot::Vector4<{R}>>>"),
];

/// Returns the type of values of one kind without items.
pub(super) fn of(facts: &Facts) -> Option<String> {
    if facts.kind() == Kind::Int {
        return Some(int(facts).into());
    }
    let real = if facts.wide() == 0 { "f32" } else { "f64" };
    let (_, ty) = TYPES.iter().find(|(kind, _)| *kind == facts.kind())?;
    facts.texts().is_utf8().then(|| ty.replace("{R}", real))
}

/// Returns the narrowest type for all ints.
fn int(facts: &Facts) -> &'static str {
    let is_narrow =
        |span: &Span<i64>| [span.min, span.max].map(i32::try_from).iter().all(Result::is_ok);
    if facts.ints().iter().all(is_narrow) { "i32" } else { "i64" }
}

/// Returns the type of values of two kinds, if one type accepts both.
pub(super) fn of_two(a: &Facts, b: &Facts) -> Option<&'static str> {
    match (a.kind(), b.kind()) {
        (Kind::Int, Kind::Float) if a.ints().iter().all(is_exact) => Some("f64"),
        (Kind::String, Kind::StringName) => text(a).and(text(b)),
        _ => None,
    }
}

/// Returns `true` if a float represents all of these ints exactly.
fn is_exact(span: &Span<i64>) -> bool {
    const MOST: i64 = 1 << f64::MANTISSA_DIGITS;
    -MOST <= span.min && span.max <= MOST
}

fn text(facts: &Facts) -> Option<&'static str> {
    facts.texts().is_utf8().then_some(TEXT)
}

/// Returns the type of a map's keys, or `None` if no ordered Rust type accepts all keys.
pub(super) fn key(keys: Option<&Shape>) -> Option<&'static str> {
    let keys = keys.filter(|keys| !keys.is_cut())?;
    match keys.facts() {
        [ints] if ints.kind() == Kind::Int => Some("i64"),
        [texts] if matches!(texts.kind(), Kind::String | Kind::StringName) => text(texts),
        [a, b] if b.kind() == Kind::StringName => of_two(a, b),
        _ => None,
    }
}

/// Returns `true` if the type borrows from the packet and needs `#[serde(borrow)]`. Serde detects
/// `&str` and `&[u8]` itself.
pub(super) fn must_borrow(ty: &str) -> bool {
    let inner = ty.strip_prefix("Option<").and_then(|ty| ty.strip_suffix('>')).unwrap_or(ty);
    ty.contains("'a") && !matches!(inner, TEXT | "&'a [u8]")
}
