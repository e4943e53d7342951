// Made by gamewire from 1 packet.

use gamewire::godot;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Kinds<'a> {
    // 1.0 to 6.0
    #[serde(rename = "Aabb")]
    pub aabb: godot::Aabb<f32>,
    // 1.0 to 9.0
    #[serde(rename = "Basis")]
    pub basis: godot::Basis<f32>,
    // false
    #[serde(rename = "Bool")]
    pub bool: bool,
    #[serde(rename = "Callable")]
    pub callable: godot::Callable,
    // (0.1, 0.2, 0.3, 0.4)
    #[serde(rename = "Color")]
    pub color: godot::Color<f32>,
    // 0.1, 64-bit
    #[serde(rename = "Float")]
    pub float: f64,
    // 0
    #[serde(rename = "Int")]
    pub int: i32,
    #[serde(rename = "Nil")]
    #[serde(borrow)]
    pub nil: godot::VariantRef<'a>,
    // "/root/Main/Player:position:x"
    #[serde(rename = "NodePath")]
    pub node_path: godot::NodePath<String>,
    // 1 element, 255
    #[serde(rename = "PackedByteArray")]
    pub packed_byte_array: &'a [u8],
    // 1 element, (1.0, 0.5, 0.25, 1.0)
    #[serde(rename = "PackedColorArray")]
    pub packed_color_array: godot::Packed<Vec<godot::Color<f32>>>,
    // 4 elements, -0.0 to inf
    #[serde(rename = "PackedFloat32Array")]
    pub packed_float32_array: godot::Packed<Vec<f32>>,
    // 3 elements, -inf to 0.1
    #[serde(rename = "PackedFloat64Array")]
    pub packed_float64_array: godot::Packed<Vec<f64>>,
    // 4 elements, -2147483648 to 2147483647
    #[serde(rename = "PackedInt32Array")]
    pub packed_int32_array: godot::Packed<Vec<i32>>,
    // 3 elements, -2 to 9223372036854775807
    #[serde(rename = "PackedInt64Array")]
    pub packed_int64_array: godot::Packed<Vec<i64>>,
    // 6 elements: "", "a", "ab", "abc", "abcd", "日本語"
    #[serde(rename = "PackedStringArray")]
    #[serde(borrow)]
    pub packed_string_array: godot::Packed<Vec<&'a str>>,
    // 2 elements, (1.0 to 3.0, 2.0 to 4.0)
    #[serde(rename = "PackedVector2Array")]
    pub packed_vector2_array: godot::Packed<Vec<godot::Vector2<f32>>>,
    // 1 element, (1.0, 2.0, 3.0)
    #[serde(rename = "PackedVector3Array")]
    pub packed_vector3_array: godot::Packed<Vec<godot::Vector3<f32>>>,
    // 1 element, (1.0, 2.0, 3.0, 4.0)
    #[serde(rename = "PackedVector4Array")]
    pub packed_vector4_array: godot::Packed<Vec<godot::Vector4<f32>>>,
    // (0.0, 1.0, 0.0, 5.0)
    #[serde(rename = "Plane")]
    pub plane: godot::Plane<f32>,
    // 1.0 to 16.0
    #[serde(rename = "Projection")]
    pub projection: godot::Projection<f32>,
    // (0.5, 0.5, 0.5, 0.5)
    #[serde(rename = "Quaternion")]
    pub quaternion: godot::Quaternion<f32>,
    // (-876.1855, 3.0)
    #[serde(rename = "Vector2")]
    pub vector2: godot::Vector2<f32>,
    // "Ω≈ç√∫"
    #[serde(rename = "StringName")]
    #[serde(borrow)]
    pub string_name: godot::StringName<&'a str>,
    // (467186901, 4)
    #[serde(rename = "Vector2i")]
    pub vector2i: godot::Vector2<i32>,
    // "res://scenes/main.tscn"
    #[serde(rename = "String")]
    pub string: &'a str,
    // (-430.94678, 705.27625, 67.58057, -498.69656)
    #[serde(rename = "Vector4")]
    pub vector4: godot::Vector4<f32>,
    // (1, -2, 3, 4)
    #[serde(rename = "Rect2i")]
    pub rect2i: godot::Rect2<i32>,
    // (1, 2, -3, -2)
    #[serde(rename = "Vector4i")]
    pub vector4i: godot::Vector4<i32>,
    #[serde(rename = "Rid")]
    pub rid: godot::Rid,
    // -904.89056 to 807.38464
    #[serde(rename = "Transform3D")]
    pub transform3_d: godot::Transform3D<f32>,
    // -428.76697 to 925.98035
    #[serde(rename = "Transform2D")]
    pub transform2_d: godot::Transform2D<f32>,
    // (0, 2, -3)
    #[serde(rename = "Vector3i")]
    pub vector3i: godot::Vector3<i32>,
    // (-579.7859, 832.56287, 0.0)
    #[serde(rename = "Vector3")]
    pub vector3: godot::Vector3<f32>,
    // (583.46423, 183.07288, 389.83533, 231.61292)
    #[serde(rename = "Rect2")]
    pub rect2: godot::Rect2<f32>,
    // ""
    #[serde(rename = "Signal")]
    #[serde(borrow)]
    pub signal: godot::Signal<&'a str>,
    // 1.0 to 6.0, 64-bit
    #[serde(rename = "double_Aabb")]
    pub double_aabb: godot::Aabb<f64>,
    // 1.0 to 9.0, 64-bit
    #[serde(rename = "double_Basis")]
    pub double_basis: godot::Basis<f64>,
    // 2 elements, (1.0 to 3.0, 2.0 to 4.0), 64-bit
    #[serde(rename = "double_PackedVector2Array")]
    pub double_packed_vector2_array: godot::Packed<Vec<godot::Vector2<f64>>>,
    // 1 element, (1.0, 2.0, 3.0), 64-bit
    #[serde(rename = "double_PackedVector3Array")]
    pub double_packed_vector3_array: godot::Packed<Vec<godot::Vector3<f64>>>,
    // 1 element, (1.0, 2.0, 3.0, 4.0), 64-bit
    #[serde(rename = "double_PackedVector4Array")]
    pub double_packed_vector4_array: godot::Packed<Vec<godot::Vector4<f64>>>,
    // (0.0, 1.0, 0.0, 5.0), 64-bit
    #[serde(rename = "double_Plane")]
    pub double_plane: godot::Plane<f64>,
    // 1.0 to 16.0, 64-bit
    #[serde(rename = "double_Projection")]
    pub double_projection: godot::Projection<f64>,
    // (0.5, 0.5, 0.5, 0.5), 64-bit
    #[serde(rename = "double_Quaternion")]
    pub double_quaternion: godot::Quaternion<f64>,
    // (-509.0260512925906, -550.4251407845367, 383.00882441357066, -1.0), 64-bit
    #[serde(rename = "double_Rect2")]
    pub double_rect2: godot::Rect2<f64>,
    // -798.6200098703894 to 150.1780986316703, 64-bit
    #[serde(rename = "double_Transform3D")]
    pub double_transform3_d: godot::Transform3D<f64>,
    // (9.0, -695.3020296954651, -179.03850395842255), 64-bit
    #[serde(rename = "double_Vector3")]
    pub double_vector3: godot::Vector3<f64>,
    // (592.6643460061753, -959.4444144174995), 64-bit
    #[serde(rename = "double_Vector2")]
    pub double_vector2: godot::Vector2<f64>,
    // 1.0 to 6.0, 64-bit
    #[serde(rename = "double_Transform2D")]
    pub double_transform2_d: godot::Transform2D<f64>,
    // (1.0, 2.0, 3.0, 4.0), 64-bit
    #[serde(rename = "double_Vector4")]
    pub double_vector4: godot::Vector4<f64>,
}
