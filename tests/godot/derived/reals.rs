//! Test vectors for types 5 to 14, which have the same ids in Godot 2 and in the 4.x manual page,
//! and for types that consist of these types. Each vector exists with 32-bit floats. Where the
//! manual says "Float", the vector also exists with 64-bit floats.
//!
//! All numbers in a matrix differ, so a wrong order is detected. The axes of `basis` are x = (1, 2,
//! 3), y = (4, 5, 6) and z = (7, 8, 9). The wire contains rows, so the x components of the three
//! axes come first.

use super::Kind;
use super::Value;
use super::Vectors;
use super::doubles;
use super::singles;

pub fn single(vectors: &mut Vectors) {
    single_vectors(vectors);
    single_shapes(vectors);
    single_matrices(vectors);
}

fn single_vectors(vectors: &mut Vectors) {
    vectors.written(
        "vector2",
        Value::Reals(Kind::Vector2, singles(&[1.0, -2.0])),
        "
          0  05000000  type 5: vector2
          4  0000803f  x 1.0
          8  000000c0  y -2.0
        ",
    );
    vectors.written(
        "vector2_odd",
        Value::Reals(Kind::Vector2, singles(&[-0.0, f32::from_bits(0x7FC0_1234)])),
        "
          0  05000000  type 5: vector2
          4  00000080  x -0.0
          8  3412c07f  y a NaN with a payload
        ",
    );
    vectors.written(
        "vector3",
        Value::Reals(Kind::Vector3, singles(&[1.0, 2.0, 3.0])),
        "
          0  07000000  type 7: vector3
          4  0000803f  x 1.0
          8  00000040  y 2.0
         12  00004040  z 3.0
        ",
    );
    vectors.written(
        "vector3_odd",
        Value::Reals(
            Kind::Vector3,
            singles(&[f32::INFINITY, f32::NEG_INFINITY, f32::from_bits(1)]),
        ),
        "
          0  07000000  type 7: vector3
          4  0000807f  x infinity
          8  000080ff  y -infinity
         12  01000000  z 2 to the -149
        ",
    );
    vectors.written(
        "quaternion",
        Value::Reals(Kind::Quaternion, singles(&[0.5, -0.5, 0.25, 1.0])),
        "
          0  0a000000  type 10: quaternion
          4  0000003f  x 0.5
          8  000000bf  y -0.5
         12  0000803e  z 0.25
         16  0000803f  w 1.0
        ",
    );
    vectors.written(
        "color",
        Value::Reals(Kind::Color, singles(&[1.0, 0.5, 0.25, 0.125])),
        "
          0  0e000000  type 14: color
          4  0000803f  r 1.0
          8  0000003f  g 0.5
         12  0000803e  b 0.25
         16  0000003e  a 0.125
        ",
    );
}

fn single_shapes(vectors: &mut Vectors) {
    vectors.written(
        "rect2",
        Value::Reals(Kind::Rect2, singles(&[1.0, 2.0, 3.0, 4.0])),
        "
          0  06000000  type 6: rect2
          4  0000803f  position.x 1.0
          8  00000040  position.y 2.0
         12  00004040  size.x 3.0
         16  00008040  size.y 4.0
        ",
    );
    vectors.written(
        "plane",
        Value::Reals(Kind::Plane, singles(&[0.0, 1.0, 0.0, -3.0])),
        "
          0  09000000  type 9: plane
          4  00000000  normal.x 0.0
          8  0000803f  normal.y 1.0
         12  00000000  normal.z 0.0
         16  000040c0  d -3.0
        ",
    );
    vectors.written(
        "aabb",
        Value::Reals(Kind::Aabb, singles(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])),
        "
          0  0b000000  type 11: aabb
          4  0000803f  position.x 1.0
          8  00000040  position.y 2.0
         12  00004040  position.z 3.0
         16  00008040  size.x 4.0
         20  0000a040  size.y 5.0
         24  0000c040  size.z 6.0
        ",
    );
}

fn single_matrices(vectors: &mut Vectors) {
    vectors.written(
        "transform2d",
        Value::Reals(Kind::Transform2D, singles(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])),
        "
          0  08000000  type 8: transform2d, by columns
          4  0000803f  x.x 1.0
          8  00000040  x.y 2.0
         12  00004040  y.x 3.0
         16  00008040  y.y 4.0
         20  0000a040  origin.x 5.0
         24  0000c040  origin.y 6.0
        ",
    );
    vectors.written(
        "basis",
        Value::Reals(Kind::Basis, singles(&[1.0, 4.0, 7.0, 2.0, 5.0, 8.0, 3.0, 6.0, 9.0])),
        "
          0  0c000000  type 12: basis, by rows
          4  0000803f  x.x 1.0
          8  00008040  y.x 4.0
         12  0000e040  z.x 7.0
         16  00000040  x.y 2.0
         20  0000a040  y.y 5.0
         24  00000041  z.y 8.0
         28  00004040  x.z 3.0
         32  0000c040  y.z 6.0
         36  00001041  z.z 9.0
        ",
    );
    vectors.written(
        "transform3d",
        Value::Reals(
            Kind::Transform3D,
            singles(&[1.0, 4.0, 7.0, 2.0, 5.0, 8.0, 3.0, 6.0, 9.0, 10.0, 11.0, 12.0]),
        ),
        "
          0  0d000000  type 13: transform3d, a basis and its origin
          4  0000803f  x.x 1.0
          8  00008040  y.x 4.0
         12  0000e040  z.x 7.0
         16  00000040  x.y 2.0
         20  0000a040  y.y 5.0
         24  00000041  z.y 8.0
         28  00004040  x.z 3.0
         32  0000c040  y.z 6.0
         36  00001041  z.z 9.0
         40  00002041  origin.x 10.0
         44  00003041  origin.y 11.0
         48  00004041  origin.z 12.0
        ",
    );
}

pub fn double(vectors: &mut Vectors) {
    double_vectors(vectors);
    double_shapes(vectors);
    double_matrices(vectors);
}

fn double_vectors(vectors: &mut Vectors) {
    vectors.written(
        "vector2",
        Value::Reals(Kind::Vector2, doubles(&[1.0, -2.0])),
        "
          0  05000000          type 5: vector2, no flag
          4  000000000000f03f  x 1.0
         12  00000000000000c0  y -2.0
        ",
    );
    vectors.written(
        "vector2_odd",
        Value::Reals(Kind::Vector2, doubles(&[-0.0, f64::from_bits(0x7FF8_0000_0000_1234)])),
        "
          0  05000000          type 5: vector2
          4  0000000000000080  x -0.0
         12  341200000000f87f  y a NaN with a payload
        ",
    );
    vectors.written(
        "vector2_0_1",
        Value::Reals(Kind::Vector2, doubles(&[0.1, -0.1])),
        "
          0  05000000          type 5: vector2
          4  9a9999999999b93f  x 0.1
         12  9a9999999999b9bf  y -0.1
        ",
    );
    vectors.written(
        "vector3",
        Value::Reals(Kind::Vector3, doubles(&[1.0, 2.0, 3.0])),
        "
          0  07000000          type 7: vector3
          4  000000000000f03f  x 1.0
         12  0000000000000040  y 2.0
         20  0000000000000840  z 3.0
        ",
    );
    vectors.written(
        "vector3_odd",
        Value::Reals(
            Kind::Vector3,
            doubles(&[f64::INFINITY, f64::NEG_INFINITY, f64::from_bits(1)]),
        ),
        "
          0  07000000          type 7: vector3
          4  000000000000f07f  x infinity
         12  000000000000f0ff  y -infinity
         20  0100000000000000  z 2 to the -1074
        ",
    );
    vectors.written(
        "quaternion",
        Value::Reals(Kind::Quaternion, doubles(&[0.5, -0.5, 0.25, 1.0])),
        "
          0  0a000000          type 10: quaternion
          4  000000000000e03f  x 0.5
         12  000000000000e0bf  y -0.5
         20  000000000000d03f  z 0.25
         28  000000000000f03f  w 1.0
        ",
    );
    vectors.written(
        "color",
        Value::Reals(Kind::Color, doubles(&[1.0, 0.5, 0.25, 0.125])),
        "
          0  0e000000          type 14: color, of doubles like all else on the page
          4  000000000000f03f  r 1.0
         12  000000000000e03f  g 0.5
         20  000000000000d03f  b 0.25
         28  000000000000c03f  a 0.125
        ",
    );
}

fn double_shapes(vectors: &mut Vectors) {
    vectors.written(
        "rect2",
        Value::Reals(Kind::Rect2, doubles(&[1.0, 2.0, 3.0, 4.0])),
        "
          0  06000000          type 6: rect2
          4  000000000000f03f  position.x 1.0
         12  0000000000000040  position.y 2.0
         20  0000000000000840  size.x 3.0
         28  0000000000001040  size.y 4.0
        ",
    );
    vectors.written(
        "plane",
        Value::Reals(Kind::Plane, doubles(&[0.0, 1.0, 0.0, -3.0])),
        "
          0  09000000          type 9: plane
          4  0000000000000000  normal.x 0.0
         12  000000000000f03f  normal.y 1.0
         20  0000000000000000  normal.z 0.0
         28  00000000000008c0  d -3.0
        ",
    );
    vectors.written(
        "aabb",
        Value::Reals(Kind::Aabb, doubles(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])),
        "
          0  0b000000          type 11: aabb
          4  000000000000f03f  position.x 1.0
         12  0000000000000040  position.y 2.0
         20  0000000000000840  position.z 3.0
         28  0000000000001040  size.x 4.0
         36  0000000000001440  size.y 5.0
         44  0000000000001840  size.z 6.0
        ",
    );
}

fn double_matrices(vectors: &mut Vectors) {
    vectors.written(
        "transform2d",
        Value::Reals(Kind::Transform2D, doubles(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])),
        "
          0  08000000          type 8: transform2d, by columns
          4  000000000000f03f  x.x 1.0
         12  0000000000000040  x.y 2.0
         20  0000000000000840  y.x 3.0
         28  0000000000001040  y.y 4.0
         36  0000000000001440  origin.x 5.0
         44  0000000000001840  origin.y 6.0
        ",
    );
    vectors.written(
        "basis",
        Value::Reals(Kind::Basis, doubles(&[1.0, 4.0, 7.0, 2.0, 5.0, 8.0, 3.0, 6.0, 9.0])),
        "
          0  0c000000          type 12: basis, by rows
          4  000000000000f03f  x.x 1.0
         12  0000000000001040  y.x 4.0
         20  0000000000001c40  z.x 7.0
         28  0000000000000040  x.y 2.0
         36  0000000000001440  y.y 5.0
         44  0000000000002040  z.y 8.0
         52  0000000000000840  x.z 3.0
         60  0000000000001840  y.z 6.0
         68  0000000000002240  z.z 9.0
        ",
    );
    vectors.written(
        "transform3d",
        Value::Reals(
            Kind::Transform3D,
            doubles(&[1.0, 4.0, 7.0, 2.0, 5.0, 8.0, 3.0, 6.0, 9.0, 10.0, 11.0, 12.0]),
        ),
        "
          0  0d000000          type 13: transform3d, a basis and its origin
          4  000000000000f03f  x.x 1.0
         12  0000000000001040  y.x 4.0
         20  0000000000001c40  z.x 7.0
         28  0000000000000040  x.y 2.0
         36  0000000000001440  y.y 5.0
         44  0000000000002040  z.y 8.0
         52  0000000000000840  x.z 3.0
         60  0000000000001840  y.z 6.0
         68  0000000000002240  z.z 9.0
         76  0000000000002440  origin.x 10.0
         84  0000000000002640  origin.y 11.0
         92  0000000000002840  origin.z 12.0
        ",
    );
}
