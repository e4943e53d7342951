//! Test vectors for the dialect that the manual page of Godot 4.x describes, and that no engine
//! uses. The type ids of this dialect are those of Godot 3, with ids for arrays of 64-bit numbers
//! inserted. The low 16 bits of a header are the type, and the high 16 bits are flags. Packed
//! string arrays contain plain strings. The vectors in the function `either` are the same in single
//! and in double precision.

use super::Kind;
use super::Value;
use super::Vectors;
use super::Why;
use super::absolute;
use super::array;
use super::dictionary;
use super::double_array;
use super::doubles;
use super::float;
use super::int;
use super::relative;
use super::shared_array;
use super::shared_dictionary;
use super::single_array;
use super::singles;
use super::string;
use super::strings;
use super::text;
use super::texts;
use super::wide_float;
use super::wide_int;

pub fn either(vectors: &mut Vectors) {
    wide_scalars(vectors);
    node_paths(vectors);
    rid_and_null(vectors);
    objects(vectors);
    arrays(vectors);
    dictionaries(vectors);
    nested(vectors);
    raw_arrays(vectors);
    int_arrays(vectors);
    float_arrays(vectors);
    string_arrays(vectors);

    wider_than_needed(vectors);
    idle_flags(vectors);
    other_node_paths(vectors);
    pads_with_junk(vectors);
    other_liberties(vectors);

    headers_refused(vectors);
    scalars_cut(vectors);
    objects_cut(vectors);
    containers_cut(vectors);
}

/// Adds numbers that do not fit in 32 bits. Bit 16 of the header marks such numbers.
fn wide_scalars(vectors: &mut Vectors) {
    vectors.written(
        "int_i32_max_plus_1",
        wide_int(2_147_483_648),
        "
          0  02000100          type 2: int, bit 16: 64 bits
          4  0000008000000000  2147483648
        ",
    );
    vectors.written(
        "int_i32_min_minus_1",
        wide_int(-2_147_483_649),
        "
          0  02000100          type 2: int, bit 16: 64 bits
          4  ffffff7fffffffff  -2147483649
        ",
    );
    vectors.written(
        "int_0x0123456789abcdef",
        wide_int(0x0123_4567_89AB_CDEF),
        "
          0  02000100          type 2: int, bit 16: 64 bits
          4  efcdab8967452301  0x0123456789ABCDEF
        ",
    );
    vectors.written(
        "int_i64_min",
        wide_int(i64::MIN),
        "
          0  02000100          type 2: int, bit 16: 64 bits
          4  0000000000000080  -9223372036854775808
        ",
    );
    vectors.written(
        "float_0_1",
        wide_float(0.1),
        "
          0  03000100          type 3: float, bit 16: 64 bits
          4  9a9999999999b93f  0.1
        ",
    );
    vectors.written(
        "float_2_pow_24_plus_1",
        wide_float(16_777_217.0),
        "
          0  03000100          type 3: float, bit 16: 64 bits
          4  0000001000007041  16777217.0: exponent 1023 + 24 = 0x417, fraction bit 28
        ",
    );
    vectors.written(
        "float_f64_max",
        wide_float(f64::MAX),
        "
          0  03000100          type 3: float, bit 16: 64 bits
          4  ffffffffffffef7f  the greatest double
        ",
    );
    vectors.written(
        "float_nan",
        wide_float(f64::from_bits(0x7FF8_0000_0000_0000)),
        "
          0  03000100          type 3: float, bit 16: 64 bits, as NaN equals nothing
          4  000000000000f87f  NaN
        ",
    );
}

fn node_paths(vectors: &mut Vectors) {
    vectors.written(
        "node_path_empty",
        relative(&[], &[]),
        "
          0  0f000000  type 15: node path
          4  00000080  0 names, bit 31: separate names
          8  00000000  0 subnames
         12  00000000  flags
        ",
    );
    vectors.written(
        "node_path_relative",
        relative(&["a", "bc", "def", "ghij"], &[]),
        "
          0  0f000000  type 15: node path
          4  04000080  4 names, bit 31
          8  00000000  0 subnames
         12  00000000  flags
         16  01000000  length 1
         20  61        'a'
         21  000000    pad 3
         24  02000000  length 2
         28  6263      'bc'
         30  0000      pad 2
         32  03000000  length 3
         36  646566    'def'
         39  00        pad 1
         40  04000000  length 4
         44  6768696a  'ghij', no pad
        ",
    );
    vectors.written(
        "node_path_absolute",
        absolute(&["root", "A"], &[]),
        "
          0  0f000000  type 15: node path
          4  02000080  2 names, bit 31
          8  00000000  0 subnames
         12  01000000  flags: absolute
         16  04000000  length 4
         20  726f6f74  'root', no pad
         24  01000000  length 1
         28  41        'A'
         29  000000    pad 3
        ",
    );
    vectors.written(
        "node_path_subnames",
        absolute(&["root"], &["b", "cd"]),
        "
          0  0f000000  type 15: node path
          4  01000080  1 name, bit 31
          8  02000000  2 subnames
         12  01000000  flags: absolute
         16  04000000  length 4
         20  726f6f74  'root', no pad
         24  01000000  length 1
         28  62        'b'
         29  000000    pad 3
         32  02000000  length 2
         36  6364      'cd'
         38  0000      pad 2
        ",
    );
    vectors.written(
        "node_path_only_subname",
        relative(&[], &["x"]),
        "
          0  0f000000  type 15: node path
          4  00000080  0 names, bit 31
          8  01000000  1 subname
         12  00000000  flags
         16  01000000  length 1
         20  78        'x'
         21  000000    pad 3
        ",
    );
}

fn rid_and_null(vectors: &mut Vectors) {
    vectors.written(
        "rid",
        Value::Rid(None),
        "
          0  10000000  type 16: RID, header only
        ",
    );
    vectors.written(
        "object_null",
        Value::ObjectNull,
        "
          0  11000000  type 17: object
          4  00000000  zero: null
        ",
    );
    vectors.written(
        "object_null_in_array",
        array([Value::ObjectNull, int(1)]),
        "
          0  13000000  type 19: array
          4  02000000  2 elements
          8  11000000  [0] object
         12  00000000  zero: null
         16  02000000  [1] int
         20  01000000  1
        ",
    );
    vectors.written(
        "object_id",
        Value::ObjectId(0x8000_0001_2345_6789),
        "
          0  11000100          type 17: object, bit 16: as an id
          4  8967452301000080  id 0x8000000123456789
        ",
    );
}

fn object(class: &str, properties: &[(&str, Value)]) -> Value {
    Value::Object {
        class: text(class),
        properties: properties.iter().map(|(name, value)| (text(name), value.clone())).collect(),
    }
}

fn objects(vectors: &mut Vectors) {
    vectors.written(
        "object_bare",
        object("Node", &[]),
        "
          0  11000000  type 17: object
          4  04000000  length 4
          8  4e6f6465  'Node', no pad
         12  00000000  0 properties
        ",
    );
    vectors.written(
        "object_resource",
        object(
            "Resource",
            &[
                ("resource_local_to_scene", Value::Bool(false)),
                ("resource_name", string("n")),
                ("script", Value::Nil),
            ],
        ),
        "
          0  11000000                  type 17: object
          4  08000000                  length 8
          8  5265736f75726365          'Resource', no pad
         16  03000000                  3 properties
         20  17000000                  length 23
         24  7265736f757263655f        'resource_'
         33  6c6f63616c5f746f5f7363656e65  'local_to_scene'
         47  00                        pad 1
         48  01000000                  bool
         52  00000000                  false
         56  0d000000                  length 13
         60  7265736f757263655f6e616d65  'resource_name'
         73  000000                    pad 3
         76  04000000                  string
         80  01000000                  length 1
         84  6e                        'n'
         85  000000                    pad 3
         88  06000000                  length 6
         92  736372697074              'script'
         98  0000                      pad 2
        100  00000000                  null
        ",
    );
    vectors.written(
        "object_nested",
        array([
            object(
                "A",
                &[
                    ("list", array([Value::ObjectNull])),
                    ("b", object("B", &[("id", Value::ObjectId(7))])),
                ],
            ),
            Value::Bool(true),
        ]),
        "
          0  13000000          type 19: array
          4  02000000          2 elements
          8  11000000          [0] object
         12  01000000          length 1
         16  41                'A'
         17  000000            pad 3
         20  02000000          2 properties
         24  04000000          length 4
         28  6c697374          'list', no pad
         32  13000000          array
         36  01000000          1 element
         40  11000000          [0] object
         44  00000000          zero: null
         48  01000000          length 1
         52  62                'b'
         53  000000            pad 3
         56  11000000          object
         60  01000000          length 1
         64  42                'B'
         65  000000            pad 3
         68  01000000          1 property
         72  02000000          length 2
         76  6964              'id'
         78  0000              pad 2
         80  11000100          object, bit 16: as an id
         84  0700000000000000  id 7
         92  01000000          [1] bool
         96  01000000          true
        ",
    );
}

fn arrays(vectors: &mut Vectors) {
    vectors.written(
        "array_empty",
        array([]),
        "
          0  13000000  type 19: array
          4  00000000  0 elements
        ",
    );
    vectors.written(
        "array_mixed",
        array([
            Value::Nil,
            wide_int(4_294_967_296),
            string("a"),
            Value::Rid(None),
            wide_float(0.1),
            Value::Bool(true),
        ]),
        "
          0  13000000          type 19: array
          4  06000000          6 elements
          8  00000000          [0] null
         12  02000100          [1] int, bit 16: 64 bits
         16  0000000001000000  4294967296
         24  04000000          [2] string
         28  01000000          length 1
         32  61                'a'
         33  000000            pad 3
         36  10000000          [3] RID
         40  03000100          [4] float, bit 16: 64 bits
         44  9a9999999999b93f  0.1
         52  01000000          [5] bool
         56  01000000          true
        ",
    );
    vectors.written(
        "array_shared",
        shared_array([int(1), shared_array([])]),
        "
          0  13000000  type 19: array
          4  02000080  2 elements, bit 31: shared
          8  02000000  [0] int
         12  01000000  1
         16  13000000  [1] array
         20  00000080  0 elements, bit 31: shared
        ",
    );
}

fn dictionaries(vectors: &mut Vectors) {
    vectors.written(
        "dictionary_empty",
        dictionary([]),
        "
          0  12000000  type 18: dictionary
          4  00000000  0 pairs
        ",
    );
    vectors.written(
        "dictionary_mixed",
        dictionary([
            (string("name"), string("x")),
            (int(2), array([Value::Bool(true)])),
            (Value::Nil, float(0.5)),
        ]),
        "
          0  12000000  type 18: dictionary
          4  03000000  3 pairs
          8  04000000  key: string
         12  04000000  length 4
         16  6e616d65  'name', no pad
         20  04000000  value: string
         24  01000000  length 1
         28  78        'x'
         29  000000    pad 3
         32  02000000  key: int
         36  02000000  2
         40  13000000  value: array
         44  01000000  1 element
         48  01000000  [0] bool
         52  01000000  true
         56  00000000  key: null
         60  03000000  value: float
         64  0000003f  0.5
        ",
    );
    vectors.written(
        "dictionary_shared",
        shared_dictionary([(int(1), int(2)), (int(3), shared_dictionary([]))]),
        "
          0  12000000  type 18: dictionary
          4  02000080  2 pairs, bit 31: shared
          8  02000000  key: int
         12  01000000  1
         16  02000000  value: int
         20  02000000  2
         24  02000000  key: int
         28  03000000  3
         32  12000000  value: dictionary
         36  00000080  0 pairs, bit 31: shared
        ",
    );
}

fn nested(vectors: &mut Vectors) {
    vectors.written(
        "nested",
        array([
            array([int(1)]),
            dictionary([(string("k"), array([Value::Nil, array([])]))]),
            dictionary([(array([]), dictionary([]))]),
        ]),
        "
          0  13000000  type 19: array
          4  03000000  3 elements
          8  13000000  [0] array
         12  01000000  1 element
         16  02000000  [0][0] int
         20  01000000  1
         24  12000000  [1] dictionary
         28  01000000  1 pair
         32  04000000  key: string
         36  01000000  length 1
         40  6b        'k'
         41  000000    pad 3
         44  13000000  value: array
         48  02000000  2 elements
         52  00000000  [0] null
         56  13000000  [1] array
         60  00000000  0 elements
         64  12000000  [2] dictionary
         68  01000000  1 pair
         72  13000000  key: array
         76  00000000  0 elements
         80  12000000  value: dictionary
         84  00000000  0 pairs
        ",
    );
}

fn raw_arrays(vectors: &mut Vectors) {
    vectors.written(
        "raw_array_0",
        Value::Bytes(vec![]),
        "
          0  14000000  type 20: raw array
          4  00000000  0 bytes
        ",
    );
    vectors.written(
        "raw_array_1",
        Value::Bytes(vec![255]),
        "
          0  14000000  type 20: raw array
          4  01000000  1 byte
          8  ff        255
          9  000000    pad 3
        ",
    );
    vectors.written(
        "raw_array_2",
        Value::Bytes(vec![1, 2]),
        "
          0  14000000  type 20: raw array
          4  02000000  2 bytes
          8  0102      1, 2
         10  0000      pad 2
        ",
    );
    vectors.written(
        "raw_array_3",
        Value::Bytes(vec![1, 2, 3]),
        "
          0  14000000  type 20: raw array
          4  03000000  3 bytes
          8  010203    1, 2, 3
         11  00        pad 1
        ",
    );
    vectors.written(
        "raw_array_4",
        Value::Bytes(vec![1, 2, 3, 4]),
        "
          0  14000000  type 20: raw array
          4  04000000  4 bytes
          8  01020304  1, 2, 3, 4, no pad
        ",
    );
}

/// Adds arrays of ints. The page documents a count of 8 bytes for arrays of 64-bit ints, but the
/// offsets on the page leave 4 bytes for the count.
fn int_arrays(vectors: &mut Vectors) {
    vectors.written(
        "int32_array_empty",
        Value::Int32s(vec![]),
        "
          0  15000000  type 21: int32 array
          4  00000000  0 ints
        ",
    );
    vectors.written(
        "int32_array",
        Value::Int32s(vec![1, -1, 2_147_483_647]),
        "
          0  15000000  type 21: int32 array
          4  03000000  3 ints
          8  01000000  1
         12  ffffffff  -1
         16  ffffff7f  2147483647
        ",
    );
    vectors.written(
        "int64_array_empty",
        Value::Int64s(vec![]),
        "
          0  16000000  type 22: int64 array
          4  00000000  0 ints, in 4 bytes
        ",
    );
    vectors.written(
        "int64_array",
        Value::Int64s(vec![1, -2, i64::MIN]),
        "
          0  16000000          type 22: int64 array
          4  03000000          3 ints, in 4 bytes
          8  0100000000000000  1
         16  feffffffffffffff  -2
         24  0000000000000080  -9223372036854775808
        ",
    );
}

/// Adds packed float arrays, whose elements have the same width in both precisions.
fn float_arrays(vectors: &mut Vectors) {
    vectors.written(
        "float32_array_empty",
        Value::Float32s(vec![]),
        "
          0  17000000  type 23: float32 array
          4  00000000  0 floats
        ",
    );
    vectors.written(
        "float32_array",
        Value::Float32s([1.0_f32, -0.0, 0.1].map(f32::to_bits).to_vec()),
        "
          0  17000000  type 23: float32 array
          4  03000000  3 floats
          8  0000803f  1.0
         12  00000080  -0.0
         16  cdcccc3d  0.1
        ",
    );
    vectors.written(
        "float64_array_empty",
        Value::Float64s(vec![]),
        "
          0  18000000  type 24: float64 array
          4  00000000  0 floats
        ",
    );
    vectors.written(
        "float64_array",
        Value::Float64s([1.0_f64, 0.1].map(f64::to_bits).to_vec()),
        "
          0  18000000          type 24: float64 array
          4  02000000          2 floats
          8  000000000000f03f  1.0
         16  9a9999999999b93f  0.1
        ",
    );
}

fn string_arrays(vectors: &mut Vectors) {
    vectors.written(
        "string_array_empty",
        strings(&[]),
        "
          0  19000000  type 25: string array
          4  00000000  0 strings
        ",
    );
    vectors.written(
        "string_array",
        strings(&["", "a", "bc", "def", "ghij"]),
        "
          0  19000000  type 25: string array
          4  05000000  5 strings
          8  00000000  length 0
         12  01000000  length 1, without a NUL
         16  61        'a'
         17  000000    pad 3
         20  02000000  length 2
         24  6263      'bc'
         26  0000      pad 2
         28  03000000  length 3
         32  646566    'def'
         35  00        pad 1
         36  04000000  length 4
         40  6768696a  'ghij', no pad
        ",
    );
}

pub fn single(vectors: &mut Vectors) {
    single_arrays(vectors);
    single_every_type(vectors);
    vectors.tolerated(
        "vector2_bit_16",
        array([Value::Reals(Kind::Vector2, singles(&[1.0, -2.0])), Value::Bool(true)]),
        "
          0  13000000  type 19: array
          4  02000000  2 elements
          8  05000100  [0] vector2, where bit 16 means nothing
         12  0000803f  x 1.0
         16  000000c0  y -2.0
         20  01000000  [1] bool
         24  01000000  true
        ",
    );
    vectors.refused(
        "vector3_cut",
        Why::Truncated,
        "
          0  07000000  type 7: vector3
          4  0000803f  x 1.0
          8  00000040  y 2.0, and no z
        ",
    );
    vectors.refused(
        "vector2_array_too_long",
        Why::Truncated,
        "
          0  1a000000  type 26: vector2 array
          4  02000000  2 elements
          8  0000803f  x 1.0
         12  00000040  y 2.0
         16  00004040  x 3.0, and no y
        ",
    );
}

fn single_arrays(vectors: &mut Vectors) {
    vectors.written(
        "vector2_array_empty",
        single_array(Kind::PackedVector2Array, &[]),
        "
          0  1a000000  type 26: vector2 array
          4  00000000  0 elements
        ",
    );
    vectors.written(
        "vector2_array",
        single_array(Kind::PackedVector2Array, &[&[1.0, 2.0], &[3.0, 4.0]]),
        "
          0  1a000000  type 26: vector2 array
          4  02000000  2 elements
          8  0000803f  x 1.0
         12  00000040  y 2.0
         16  00004040  x 3.0
         20  00008040  y 4.0
        ",
    );
    vectors.written(
        "vector3_array_empty",
        single_array(Kind::PackedVector3Array, &[]),
        "
          0  1b000000  type 27: vector3 array
          4  00000000  0 elements
        ",
    );
    vectors.written(
        "vector3_array",
        single_array(Kind::PackedVector3Array, &[&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]]),
        "
          0  1b000000  type 27: vector3 array
          4  02000000  2 elements
          8  0000803f  x 1.0
         12  00000040  y 2.0
         16  00004040  z 3.0
         20  00008040  x 4.0
         24  0000a040  y 5.0
         28  0000c040  z 6.0
        ",
    );
    vectors.written(
        "color_array_empty",
        single_array(Kind::PackedColorArray, &[]),
        "
          0  1c000000  type 28: color array
          4  00000000  0 elements
        ",
    );
    vectors.written(
        "color_array",
        single_array(Kind::PackedColorArray, &[&[1.0, 0.5, 0.25, 0.125]]),
        "
          0  1c000000  type 28: color array
          4  01000000  1 element
          8  0000803f  r 1.0
         12  0000003f  g 0.5
         16  0000803e  b 0.25
         20  0000003e  a 0.125
        ",
    );
}

/// Adds containers with values of every type. If one value is read with a wrong size, all later
/// values are wrong.
fn single_every_type(vectors: &mut Vectors) {
    vectors.written(
        "array_every_type",
        array([
            Value::Nil,
            Value::Bool(true),
            int(2),
            float(3.0),
            string("4"),
            Value::Reals(Kind::Vector2, singles(&[0.0; 2])),
            Value::Reals(Kind::Rect2, singles(&[0.0; 4])),
            Value::Reals(Kind::Vector3, singles(&[0.0; 3])),
            Value::Reals(Kind::Transform2D, singles(&[0.0; 6])),
            Value::Reals(Kind::Plane, singles(&[0.0; 4])),
            Value::Reals(Kind::Quaternion, singles(&[0.0; 4])),
            Value::Reals(Kind::Aabb, singles(&[0.0; 6])),
            Value::Reals(Kind::Basis, singles(&[0.0; 9])),
            Value::Reals(Kind::Transform3D, singles(&[0.0; 12])),
            Value::Reals(Kind::Color, singles(&[0.0; 4])),
            relative(&["n"], &[]),
            Value::Rid(None),
            Value::ObjectNull,
            dictionary([]),
            array([]),
            Value::Bytes(vec![20]),
            Value::Int32s(vec![21]),
            Value::Int64s(vec![22]),
            Value::Float32s(vec![23.0_f32.to_bits()]),
            Value::Float64s(vec![24.0_f64.to_bits()]),
            strings(&["25"]),
            single_array(Kind::PackedVector2Array, &[&[0.0; 2]]),
            single_array(Kind::PackedVector3Array, &[&[0.0; 3]]),
            single_array(Kind::PackedColorArray, &[&[0.0; 4]]),
        ]),
        "
          0  13000000                  type 19: array
          4  1d000000                  29 elements
          8  00000000                  type 0: null
         12  01000000                  type 1: bool
         16  01000000                  true
         20  02000000                  type 2: int
         24  02000000                  2
         28  03000000                  type 3: float
         32  00004040                  3.0
         36  04000000                  type 4: string
         40  01000000                  length 1
         44  34                        '4'
         45  000000                    pad 3
         48  05000000                  type 5: vector2
         52  0000000000000000          two floats
         60  06000000                  type 6: rect2
         64  00000000000000000000000000000000  four floats
         80  07000000                  type 7: vector3
         84  000000000000000000000000  three floats
         96  08000000                  type 8: transform2d
        100  000000000000000000000000  three floats
        112  000000000000000000000000  three more
        124  09000000                  type 9: plane
        128  00000000000000000000000000000000  four floats
        144  0a000000                  type 10: quaternion
        148  00000000000000000000000000000000  four floats
        164  0b000000                  type 11: aabb
        168  000000000000000000000000  three floats
        180  000000000000000000000000  three more
        192  0c000000                  type 12: basis
        196  000000000000000000000000  row
        208  000000000000000000000000  row
        220  000000000000000000000000  row
        232  0d000000                  type 13: transform3d
        236  000000000000000000000000  row
        248  000000000000000000000000  row
        260  000000000000000000000000  row
        272  000000000000000000000000  origin
        284  0e000000                  type 14: color
        288  00000000000000000000000000000000  four floats
        304  0f000000                  type 15: node path
        308  01000080                  1 name, bit 31
        312  00000000                  0 subnames
        316  00000000                  flags
        320  01000000                  length 1
        324  6e                        'n'
        325  000000                    pad 3
        328  10000000                  type 16: RID
        332  11000000                  type 17: object
        336  00000000                  zero: null
        340  12000000                  type 18: dictionary
        344  00000000                  0 pairs
        348  13000000                  type 19: array
        352  00000000                  0 elements
        356  14000000                  type 20: raw array
        360  01000000                  1 byte
        364  14                        20
        365  000000                    pad 3
        368  15000000                  type 21: int32 array
        372  01000000                  1 int
        376  15000000                  21
        380  16000000                  type 22: int64 array
        384  01000000                  1 int
        388  1600000000000000          22
        396  17000000                  type 23: float32 array
        400  01000000                  1 float
        404  0000b841                  23.0
        408  18000000                  type 24: float64 array
        412  01000000                  1 float
        416  0000000000003840          24.0
        424  19000000                  type 25: string array
        428  01000000                  1 string
        432  02000000                  length 2
        436  3235                      '25'
        438  0000                      pad 2
        440  1a000000                  type 26: vector2 array
        444  01000000                  1 element
        448  0000000000000000          two floats
        456  1b000000                  type 27: vector3 array
        460  01000000                  1 element
        464  000000000000000000000000  three floats
        476  1c000000                  type 28: color array
        480  01000000                  1 element
        484  00000000000000000000000000000000  four floats
        ",
    );
}

/// Adds the vectors of the double-precision dialect, in which reals have 64 bits without a header
/// flag.
pub fn double(vectors: &mut Vectors) {
    double_arrays(vectors);
    double_every_type(vectors);
    vectors.tolerated(
        "vector2_bit_16",
        array([Value::Reals(Kind::Vector2, doubles(&[1.0, -2.0])), Value::Bool(true)]),
        "
          0  13000000          type 19: array
          4  02000000          2 elements
          8  05000100          [0] vector2, where bit 16 means nothing
         12  000000000000f03f  x 1.0
         20  00000000000000c0  y -2.0
         28  01000000          [1] bool
         32  01000000          true
        ",
    );
    vectors.refused(
        "vector2_of_singles",
        Why::Truncated,
        "
          0  05000000  type 5: vector2
          4  0000803f  four bytes
          8  00000040  and four more, where each component has eight
        ",
    );
    vectors.refused(
        "color_of_singles",
        Why::Truncated,
        "
          0  0e000000          type 14: color
          4  0000803f0000003f  eight bytes
         12  0000803e0000003e  and eight more, where four times eight are due
        ",
    );
    vectors.refused(
        "color_array_of_singles",
        Why::Truncated,
        "
          0  1c000000          type 28: color array
          4  01000000          1 element
          8  0000803f0000003f  eight bytes
         16  0000803e0000003e  and eight more, where four times eight are due
        ",
    );
}

fn double_arrays(vectors: &mut Vectors) {
    vectors.written(
        "vector2_array_empty",
        double_array(Kind::PackedVector2Array, &[]),
        "
          0  1a000000  type 26: vector2 array
          4  00000000  0 elements
        ",
    );
    vectors.written(
        "vector2_array",
        double_array(Kind::PackedVector2Array, &[&[1.0, 2.0], &[3.0, 0.1]]),
        "
          0  1a000000          type 26: vector2 array
          4  02000000          2 elements, in 4 bytes, and no hole
          8  000000000000f03f  x 1.0
         16  0000000000000040  y 2.0
         24  0000000000000840  x 3.0
         32  9a9999999999b93f  y 0.1
        ",
    );
    vectors.written(
        "vector3_array_empty",
        double_array(Kind::PackedVector3Array, &[]),
        "
          0  1b000000  type 27: vector3 array
          4  00000000  0 elements
        ",
    );
    vectors.written(
        "vector3_array",
        double_array(Kind::PackedVector3Array, &[&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]]),
        "
          0  1b000000          type 27: vector3 array
          4  02000000          2 elements, in 4 bytes, and no hole
          8  000000000000f03f  x 1.0
         16  0000000000000040  y 2.0
         24  0000000000000840  z 3.0
         32  0000000000001040  x 4.0
         40  0000000000001440  y 5.0
         48  0000000000001840  z 6.0
        ",
    );
    vectors.written(
        "color_array_empty",
        double_array(Kind::PackedColorArray, &[]),
        "
          0  1c000000  type 28: color array
          4  00000000  0 elements
        ",
    );
    vectors.written(
        "color_array",
        double_array(Kind::PackedColorArray, &[&[1.0, 0.5, 0.25, 0.125]]),
        "
          0  1c000000          type 28: color array
          4  01000000          1 element, in 4 bytes, and no hole
          8  000000000000f03f  r 1.0
         16  000000000000e03f  g 0.5
         24  000000000000d03f  b 0.25
         32  000000000000c03f  a 0.125
        ",
    );
}

/// Adds containers with values of every type. If one value is read with a wrong size, all later
/// values are wrong.
fn double_every_type(vectors: &mut Vectors) {
    vectors.written(
        "array_every_type",
        array([
            Value::Nil,
            Value::Bool(true),
            int(2),
            float(3.0),
            string("4"),
            Value::Reals(Kind::Vector2, doubles(&[0.0; 2])),
            Value::Reals(Kind::Rect2, doubles(&[0.0; 4])),
            Value::Reals(Kind::Vector3, doubles(&[0.0; 3])),
            Value::Reals(Kind::Transform2D, doubles(&[0.0; 6])),
            Value::Reals(Kind::Plane, doubles(&[0.0; 4])),
            Value::Reals(Kind::Quaternion, doubles(&[0.0; 4])),
            Value::Reals(Kind::Aabb, doubles(&[0.0; 6])),
            Value::Reals(Kind::Basis, doubles(&[0.0; 9])),
            Value::Reals(Kind::Transform3D, doubles(&[0.0; 12])),
            Value::Reals(Kind::Color, doubles(&[0.0; 4])),
            relative(&["n"], &[]),
            Value::Rid(None),
            Value::ObjectNull,
            dictionary([]),
            array([]),
            Value::Bytes(vec![20]),
            Value::Int32s(vec![21]),
            Value::Int64s(vec![22]),
            Value::Float32s(vec![23.0_f32.to_bits()]),
            Value::Float64s(vec![24.0_f64.to_bits()]),
            strings(&["25"]),
            double_array(Kind::PackedVector2Array, &[&[0.0; 2]]),
            double_array(Kind::PackedVector3Array, &[&[0.0; 3]]),
            double_array(Kind::PackedColorArray, &[&[0.0; 4]]),
        ]),
        "
          0  13000000                  type 19: array
          4  1d000000                  29 elements
          8  00000000                  type 0: null
         12  01000000                  type 1: bool
         16  01000000                  true
         20  02000000                  type 2: int
         24  02000000                  2
         28  03000000                  type 3: float, a single as ever
         32  00004040                  3.0
         36  04000000                  type 4: string
         40  01000000                  length 1
         44  34                        '4'
         45  000000                    pad 3
         48  05000000                  type 5: vector2
         52  00000000000000000000000000000000  two floats
         68  06000000                  type 6: rect2
         72  00000000000000000000000000000000  two floats
         88  00000000000000000000000000000000  two more
        104  07000000                  type 7: vector3
        108  000000000000000000000000000000000000000000000000  three floats
        132  08000000                  type 8: transform2d
        136  00000000000000000000000000000000  two floats
        152  00000000000000000000000000000000  two more
        168  00000000000000000000000000000000  two more
        184  09000000                  type 9: plane
        188  00000000000000000000000000000000  two floats
        204  00000000000000000000000000000000  two more
        220  0a000000                  type 10: quaternion
        224  00000000000000000000000000000000  two floats
        240  00000000000000000000000000000000  two more
        256  0b000000                  type 11: aabb
        260  000000000000000000000000000000000000000000000000  three floats
        284  000000000000000000000000000000000000000000000000  three more
        308  0c000000                  type 12: basis
        312  000000000000000000000000000000000000000000000000  row
        336  000000000000000000000000000000000000000000000000  row
        360  000000000000000000000000000000000000000000000000  row
        384  0d000000                  type 13: transform3d
        388  000000000000000000000000000000000000000000000000  row
        412  000000000000000000000000000000000000000000000000  row
        436  000000000000000000000000000000000000000000000000  row
        460  000000000000000000000000000000000000000000000000  origin
        484  0e000000                  type 14: color
        488  00000000000000000000000000000000  two floats
        504  00000000000000000000000000000000  two more
        520  0f000000                  type 15: node path
        524  01000080                  1 name, bit 31
        528  00000000                  0 subnames
        532  00000000                  flags
        536  01000000                  length 1
        540  6e                        'n'
        541  000000                    pad 3
        544  10000000                  type 16: RID
        548  11000000                  type 17: object
        552  00000000                  zero: null
        556  12000000                  type 18: dictionary
        560  00000000                  0 pairs
        564  13000000                  type 19: array
        568  00000000                  0 elements
        572  14000000                  type 20: raw array
        576  01000000                  1 byte
        580  14                        20
        581  000000                    pad 3
        584  15000000                  type 21: int32 array
        588  01000000                  1 int
        592  15000000                  21
        596  16000000                  type 22: int64 array
        600  01000000                  1 int
        604  1600000000000000          22
        612  17000000                  type 23: float32 array, of singles as ever
        616  01000000                  1 float
        620  0000b841                  23.0
        624  18000000                  type 24: float64 array
        628  01000000                  1 float
        632  0000000000003840          24.0
        640  19000000                  type 25: string array
        644  01000000                  1 string
        648  02000000                  length 2
        652  3235                      '25'
        654  0000                      pad 2
        656  1a000000                  type 26: vector2 array
        660  01000000                  1 element
        664  00000000000000000000000000000000  two floats
        680  1b000000                  type 27: vector3 array
        684  01000000                  1 element
        688  000000000000000000000000000000000000000000000000  three floats
        712  1c000000                  type 28: color array
        716  01000000                  1 element
        720  00000000000000000000000000000000  two floats
        736  00000000000000000000000000000000  two more
        ",
    );
}

fn wider_than_needed(vectors: &mut Vectors) {
    vectors.tolerated(
        "int_wide_1",
        wide_int(1),
        "
          0  02000100          type 2: int, bit 16: 64 bits
          4  0100000000000000  1
        ",
    );
    vectors.tolerated(
        "float_wide_1",
        wide_float(1.0),
        "
          0  03000100          type 3: float, bit 16: 64 bits
          4  000000000000f03f  1.0
        ",
    );
}

/// Adds headers with unused flags. The type is in bytes 0 and 1 of a header, and unused flags in
/// bytes 2 and 3 are ignored. The page does not document container types.
fn idle_flags(vectors: &mut Vectors) {
    vectors.tolerated(
        "nil_bit_16",
        Value::Nil,
        "
          0  00000100  type 0: null, bit 16
        ",
    );
    vectors.tolerated(
        "bool_bit_31",
        Value::Bool(true),
        "
          0  01000080  type 1: bool, bit 31
          4  01000000  true
        ",
    );
    vectors.tolerated(
        "int_bit_17",
        int(5),
        "
          0  02000200  type 2: int, bit 17, which is not the one for 64 bits
          4  05000000  5
        ",
    );
    vectors.tolerated(
        "float32_array_bit_16",
        Value::Float32s(vec![1.0_f32.to_bits()]),
        "
          0  17000100  type 23: float32 array, bit 16
          4  01000000  1 float
          8  0000803f  1.0
        ",
    );
    vectors.tolerated(
        "array_bits_16_17",
        array([int(1)]),
        "
          0  13000300  type 19: array, bits 16 and 17
          4  01000000  1 element: no container type comes before the count
          8  02000000  [0] int
         12  01000000  1
        ",
    );
    vectors.tolerated(
        "dictionary_bits_16_18",
        dictionary([(int(1), Value::Nil)]),
        "
          0  12000500  type 18: dictionary, bits 16 and 18
          4  01000000  1 pair
          8  02000000  key: int
         12  01000000  1
         16  00000000  value: null
        ",
    );
}

fn other_node_paths(vectors: &mut Vectors) {
    vectors.tolerated(
        "node_path_old",
        Value::OldNodePath(text("/root/A:b")),
        "
          0  0f000000            type 15: node path
          4  09000000            length 9, bit 31 clear: one string
          8  2f726f6f742f413a62  '/root/A:b'
         17  000000              pad 3
        ",
    );
    vectors.tolerated(
        "node_path_old_empty",
        Value::OldNodePath(vec![]),
        "
          0  0f000000  type 15: node path
          4  00000000  length 0, bit 31 clear: one string
        ",
    );
    vectors.tolerated(
        "node_path_old_in_array",
        array([
            Value::OldNodePath(text("a/b")),
            Value::OldNodePath(text("ab/c")),
            Value::Bool(true),
        ]),
        "
          0  13000000  type 19: array
          4  03000000  3 elements
          8  0f000000  [0] node path
         12  03000000  length 3, bit 31 clear: one string
         16  612f62    'a/b'
         19  00        pad 1
         20  0f000000  [1] node path
         24  04000000  length 4, bit 31 clear: one string
         28  61622f63  'ab/c', no pad
         32  01000000  [2] bool
         36  01000000  true
        ",
    );
    vectors.tolerated(
        "node_path_flag_2",
        relative(&["a"], &["b", "c"]),
        "
          0  0f000000  type 15: node path
          4  01000080  1 name, bit 31
          8  01000000  1 subname
         12  02000000  flags: one subname more
         16  01000000  length 1
         20  61        'a'
         21  000000    pad 3
         24  01000000  length 1
         28  62        'b'
         29  000000    pad 3
         32  01000000  length 1
         36  63        'c'
         37  000000    pad 3
        ",
    );
    vectors.tolerated(
        "node_path_flag_4",
        Value::NodePath { absolute: true, names: texts(&["a"]), subnames: vec![], property: None },
        "
          0  0f000000  type 15: node path
          4  01000080  1 name, bit 31
          8  00000000  0 subnames
         12  05000000  flags: absolute, and one that means nothing
         16  01000000  length 1
         20  61        'a'
         21  000000    pad 3
        ",
    );
}

fn pads_with_junk(vectors: &mut Vectors) {
    vectors.tolerated(
        "string_pad_junk",
        string("a"),
        "
          0  04000000  type 4: string
          4  01000000  length 1
          8  61        'a'
          9  090807    junk in the pad
        ",
    );
    vectors.tolerated(
        "raw_array_pad_junk",
        array([Value::Bytes(vec![1, 2]), Value::Bool(true)]),
        "
          0  13000000  type 19: array
          4  02000000  2 elements
          8  14000000  [0] raw array
         12  02000000  2 bytes
         16  0102      1, 2
         18  0304      junk in the pad
         20  01000000  [1] bool
         24  01000000  true
        ",
    );
    vectors.tolerated(
        "string_array_pad_junk",
        strings(&["abc"]),
        "
          0  19000000  type 25: string array
          4  01000000  1 string
          8  03000000  length 3
         12  616263    'abc'
         15  ff        junk in the pad
        ",
    );
}

fn other_liberties(vectors: &mut Vectors) {
    vectors.tolerated(
        "bool_2",
        Value::Bool(true),
        "
          0  01000000  type 1: bool
          4  02000000  neither 0 nor 1: true
        ",
    );
    vectors.tolerated(
        "string_array_nul",
        strings(&["", "a", "bcd", "efgh"]),
        "
          0  19000000    type 25: string array
          4  04000000    4 strings
          8  01000000    length 1, with a NUL as the engines write it
         12  00          NUL
         13  000000      pad 3
         16  02000000    length 2
         20  6100        'a', NUL
         22  0000        pad 2
         24  03000000    length 3
         28  626364      'bcd'
         31  00          pad 1
         32  05000000    length 5
         36  6566676800  'efgh', NUL
         41  000000      pad 3
        ",
    );
    vectors.tolerated(
        "object_id_0",
        Value::ObjectId(0),
        "
          0  11000100          type 17: object, bit 16: as an id
          4  0000000000000000  id 0: null in another form
        ",
    );
    vectors.tolerated(
        "object_properties_negative",
        array([object("A", &[]), Value::Bool(true)]),
        "
          0  13000000  type 19: array
          4  02000000  2 elements
          8  11000000  [0] object
         12  01000000  length 1
         16  41        'A'
         17  000000    pad 3
         20  ffffffff  -1 properties: none
         24  01000000  [1] bool
         28  01000000  true
        ",
    );
}

/// Adds headers that are refused. Bytes 0 and 1 of a header are the type, so a nonzero byte 1 makes
/// the type unknown.
fn headers_refused(vectors: &mut Vectors) {
    vectors.refused(
        "type_29",
        Why::UnknownType,
        "
          0  1d000000  type 29: one too many
          4  00000000  a word
        ",
    );
    vectors.refused(
        "type_38",
        Why::UnknownType,
        "
          0  26000000  type 38: an array of vectors in Godot 4
          4  00000000  0 elements
        ",
    );
    vectors.refused(
        "type_0x0100",
        Why::UnknownType,
        "
          0  00010000  type 0x0100
        ",
    );
    vectors.refused(
        "type_0x0102",
        Why::UnknownType,
        "
          0  02010000  type 0x0102: no int, as the engines would have it
          4  05000000  a word
        ",
    );
    vectors.refused(
        "type_0x8002_bit_16",
        Why::UnknownType,
        "
          0  02800100          type 0x8002, bit 16
          4  0500000000000000  8 bytes
        ",
    );
    vectors.refused(
        "type_0x0100_in_array",
        Why::UnknownType,
        "
          0  13000000  type 19: array
          4  02000000  2 elements
          8  00000000  [0] null
         12  00010000  [1] type 0x0100
        ",
    );
    vectors.refused(
        "header_cut",
        Why::Truncated,
        "
          0  000000  three bytes of a header
        ",
    );
}

fn scalars_cut(vectors: &mut Vectors) {
    vectors.refused(
        "int_wide_cut",
        Why::Truncated,
        "
          0  02000100  type 2: int, bit 16: 64 bits
          4  05000000  four bytes
        ",
    );
    vectors.refused(
        "float_wide_cut",
        Why::Truncated,
        "
          0  03000100  type 3: float, bit 16: 64 bits
          4  0000803f  four bytes
        ",
    );
    vectors.refused(
        "string_too_long",
        Why::Truncated,
        "
          0  04000000  type 4: string
          4  05000000  length 5
          8  61626364  'abcd'
        ",
    );
    vectors.refused(
        "string_pad_missing",
        Why::Truncated,
        "
          0  04000000  type 4: string
          4  03000000  length 3
          8  616263    'abc', and the end
        ",
    );
    vectors.refused(
        "node_path_old_pad_missing",
        Why::Truncated,
        "
          0  0f000000  type 15: node path
          4  03000000  length 3, bit 31 clear: one string, of which the pad is part
          8  612f62    'a/b', and the end
        ",
    );
    vectors.refused(
        "node_path_cut",
        Why::Truncated,
        "
          0  0f000000  type 15: node path
          4  00000080  0 names, bit 31
          8  00000000  0 subnames, and no flags
        ",
    );
    vectors.refused(
        "string_array_pad_missing",
        Why::Truncated,
        "
          0  19000000  type 25: string array
          4  01000000  1 string
          8  01000000  length 1
         12  61        'a', and the end
        ",
    );
    vectors.refused(
        "int64_array_too_long",
        Why::Truncated,
        "
          0  16000000          type 22: int64 array
          4  02000000          2 ints
          8  0100000000000000  1
         16  02000000          half of a second
        ",
    );
}

fn objects_cut(vectors: &mut Vectors) {
    vectors.refused(
        "object_header_only",
        Why::Truncated,
        "
          0  11000000  type 17: object, and nothing after it
        ",
    );
    vectors.refused(
        "object_id_cut",
        Why::Truncated,
        "
          0  11000100  type 17: object, bit 16: as an id
          4  07000000  four bytes of eight
        ",
    );
    vectors.refused(
        "object_count_missing",
        Why::Truncated,
        "
          0  11000000  type 17: object
          4  04000000  length 4
          8  4e6f6465  'Node', no pad, and no count of properties
        ",
    );
    vectors.refused(
        "object_value_missing",
        Why::Truncated,
        "
          0  11000000  type 17: object
          4  04000000  length 4
          8  4e6f6465  'Node', no pad
         12  01000000  1 property
         16  04000000  length 4
         20  6e616d65  'name', no pad, and no value
        ",
    );
}

fn containers_cut(vectors: &mut Vectors) {
    vectors.refused(
        "array_element_missing",
        Why::Truncated,
        "
          0  13000000  type 19: array
          4  02000080  2 elements, bit 31: shared
          8  00000000  [0] null
        ",
    );
    vectors.refused(
        "dictionary_value_missing",
        Why::Truncated,
        "
          0  12000000  type 18: dictionary
          4  01000000  1 pair
          8  00000000  key: null
        ",
    );
    vectors.refused(
        "type_29_in_dictionary",
        Why::UnknownType,
        "
          0  12000000  type 18: dictionary
          4  01000000  1 pair
          8  00000000  key: null
         12  1d000000  value: type 29
        ",
    );
}
