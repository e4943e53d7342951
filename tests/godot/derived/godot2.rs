//! Test vectors for Godot 1.0 to 2.1. The whole first word of a value is its type. Ints and floats
//! have 32 bits. Images and input events are also values.
//!
//! The padding in these vectors is zero, whereas the engines leave old contents of their buffer
//! there.

use super::Kind;
use super::Real;
use super::Value;
use super::Vectors;
use super::Why;
use super::absolute;
use super::array;
use super::dictionary;
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

pub fn add(vectors: &mut Vectors) {
    floats(vectors);
    images(vectors);
    node_paths(vectors);
    node_path_junk(vectors);
    node_path_properties(vectors);
    rid_and_object(vectors);
    input_events(vectors);
    joysticks_and_touch(vectors);
    arrays(vectors);
    dictionaries(vectors);
    nested(vectors);
    raw_arrays(vectors);
    number_arrays(vectors);
    string_arrays(vectors);
    real_arrays(vectors);
    every_type(vectors);

    pads_missing(vectors);
    pads_with_junk(vectors);
    old_node_paths(vectors);
    other_liberties(vectors);

    headers_refused(vectors);
    scalars_cut(vectors);
    containers_cut(vectors);
    arrays_cut(vectors);
}

fn floats(vectors: &mut Vectors) {
    vectors.written(
        "float_0_1",
        float(0.1),
        "
          0  03000000  type 3: real
          4  cdcccc3d  0.1, rounded to a single float
        ",
    );
    vectors.written(
        "float_nan",
        Value::Float(Real::F32(0x7FC0_0000)),
        "
          0  03000000  type 3: real
          4  0000c07f  NaN
        ",
    );
}

fn image(format: u32, mipmaps: u32, [width, height]: [u32; 2], data: &[u8]) -> Value {
    Value::Image { format, mipmaps, width, height, data: data.to_vec() }
}

fn images(vectors: &mut Vectors) {
    vectors.written(
        "image_empty",
        image(0, 0, [0, 0], &[]),
        "
          0  0f000000  type 15: image
          4  00000000  format 0
          8  00000000  no mipmaps
         12  00000000  width 0
         16  00000000  height 0
         20  00000000  0 bytes
        ",
    );
    vectors.written(
        "image_gray_3x1",
        image(0, 0, [3, 1], &[0, 127, 255]),
        "
          0  0f000000  type 15: image
          4  00000000  format 0: grayscale
          8  00000000  no mipmaps
         12  03000000  width 3
         16  01000000  height 1
         20  03000000  3 bytes
         24  007fff    pixels
         27  00        pad 1
        ",
    );
    vectors.written(
        "image_gray_alpha_1x1",
        image(2, 0, [1, 1], &[128, 255]),
        "
          0  0f000000  type 15: image
          4  02000000  format 2: grayscale and alpha
          8  00000000  no mipmaps
         12  01000000  width 1
         16  01000000  height 1
         20  02000000  2 bytes
         24  80ff      pixel
         26  0000      pad 2
        ",
    );
    vectors.written(
        "image_rgba_2x1",
        image(4, 0, [2, 1], &[1, 2, 3, 4, 5, 6, 7, 8]),
        "
          0  0f000000  type 15: image
          4  04000000  format 4: RGBA
          8  00000000  no mipmaps
         12  02000000  width 2
         16  01000000  height 1
         20  08000000  8 bytes
         24  01020304  pixel
         28  05060708  pixel, no pad
        ",
    );
    vectors.written(
        "image_gray_mipmaps",
        image(0, 1, [2, 2], &[10, 20, 30, 40, 25]),
        "
          0  0f000000  type 15: image
          4  00000000  format 0: grayscale
          8  01000000  1 mipmap
         12  02000000  width 2
         16  02000000  height 2
         20  05000000  5 bytes
         24  0a141e28  pixels
         28  19        the mipmap
         29  000000    pad 3
        ",
    );
}

/// Adds node paths. The engine's own writer selects wrong subnames if a path has fewer subnames
/// than names. The paths in these vectors therefore have as many subnames as names, except for
/// `node_path_one_subname`, which shows the layout.
fn node_paths(vectors: &mut Vectors) {
    vectors.written(
        "node_path_empty",
        relative(&[], &[]),
        "
          0  10000000  type 16: node path
          4  00000080  0 names, bit 31: separate names
          8  00000000  0 subnames
         12  00000000  flags
        ",
    );
    vectors.written(
        "node_path_relative",
        relative(&["a", "bc", "def", "ghij"], &[]),
        "
          0  10000000  type 16: node path
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
          0  10000000  type 16: node path
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
        absolute(&["root", "A"], &["b", "cd"]),
        "
          0  10000000  type 16: node path
          4  02000080  2 names, bit 31
          8  02000000  2 subnames
         12  01000000  flags: absolute
         16  04000000  length 4
         20  726f6f74  'root', no pad
         24  01000000  length 1
         28  41        'A'
         29  000000    pad 3
         32  01000000  length 1
         36  62        'b'
         37  000000    pad 3
         40  02000000  length 2
         44  6364      'cd'
         46  0000      pad 2
        ",
    );
    vectors.written(
        "node_path_one_subname",
        relative(&["a", "b", "c"], &["d"]),
        "
          0  10000000  type 16: node path
          4  03000080  3 names, bit 31
          8  01000000  1 subname
         12  00000000  flags
         16  01000000  length 1
         20  61        'a'
         21  000000    pad 3
         24  01000000  length 1
         28  62        'b'
         29  000000    pad 3
         32  01000000  length 1
         36  63        'c'
         37  000000    pad 3
         40  01000000  length 1
         44  64        'd'
         45  000000    pad 3
        ",
    );
}

/// Adds a node path whose padding is not zero. The engine does not write the padding of node paths,
/// so old bytes of its buffer remain there.
fn node_path_junk(vectors: &mut Vectors) {
    vectors.written(
        "node_path_pad_junk",
        relative(&["A"], &[]),
        "
          0  10000000  type 16: node path
          4  01000080  1 name, bit 31
          8  00000000  0 subnames
         12  00000000  flags
         16  01000000  length 1
         20  41        'A'
         21  550000    what was in the buffer
        ",
    );
}

fn with_property(path: Value, property: &str) -> Value {
    match path {
        Value::NodePath { absolute, names, subnames, .. } => {
            Value::NodePath { absolute, names, subnames, property: Some(text(property)) }
        }
        _ => unreachable!(),
    }
}

fn node_path_properties(vectors: &mut Vectors) {
    vectors.written(
        "node_path_property",
        with_property(relative(&["a"], &[]), "pos"),
        "
          0  10000000  type 16: node path
          4  01000080  1 name, bit 31
          8  00000000  0 subnames
         12  02000000  flags: a property follows
         16  01000000  length 1
         20  61        'a'
         21  000000    pad 3
         24  03000000  length 3
         28  706f73    'pos', the property
         31  00        pad 1
        ",
    );
    vectors.written(
        "node_path_absolute_property",
        with_property(absolute(&["root", "A"], &["b", "c"]), "d"),
        "
          0  10000000  type 16: node path
          4  02000080  2 names, bit 31
          8  02000000  2 subnames
         12  03000000  flags: absolute, a property follows
         16  04000000  length 4
         20  726f6f74  'root', no pad
         24  01000000  length 1
         28  41        'A'
         29  000000    pad 3
         32  01000000  length 1
         36  62        'b'
         37  000000    pad 3
         40  01000000  length 1
         44  63        'c'
         45  000000    pad 3
         48  01000000  length 1
         52  64        'd', the property
         53  000000    pad 3
        ",
    );
    vectors.written(
        "node_path_only_property",
        with_property(relative(&[], &[]), "x"),
        "
          0  10000000  type 16: node path
          4  00000080  0 names, bit 31
          8  00000000  0 subnames
         12  02000000  flags: a property follows
         16  01000000  length 1
         20  78        'x', the property
         21  000000    pad 3
        ",
    );
}

fn rid_and_object(vectors: &mut Vectors) {
    vectors.written(
        "rid",
        Value::Rid(None),
        "
          0  11000000  type 17: RID, header only
        ",
    );
    vectors.written(
        "object",
        Value::ObjectNull,
        "
          0  12000000  type 18: object, header only
        ",
    );
}

fn event(kind: u32, device: u32, body: &[u8]) -> Value {
    Value::InputEvent { kind, device, length: 12 + body.len() as u32, body: body.to_vec() }
}

fn input_events(vectors: &mut Vectors) {
    vectors.written(
        "input_event_none",
        event(0, 0, &[]),
        "
          0  13000000  type 19: input event
          4  00000000  event 0: none
          8  00000000  device 0
         12  0c000000  12 bytes from the event's type on
        ",
    );
    vectors.written(
        "input_event_key",
        event(1, 0, &[0, 0, 0, 0x12, 0x41, 0, 0, 0]),
        "
          0  13000000  type 19: input event
          4  01000000  event 1: key
          8  00000000  device 0
         12  14000000  20 bytes
         16  00000012  shift (bit 25) and ctrl (bit 28)
         20  41000000  scancode of A
        ",
    );
    vectors.written(
        "input_event_mouse_motion",
        event(2, 1, &[]),
        "
          0  13000000  type 19: input event
          4  02000000  event 2: mouse motion, of which nothing is sent
          8  01000000  device 1
         12  0c000000  12 bytes
        ",
    );
    vectors.written(
        "input_event_mouse_button",
        event(3, 0, &[2, 0, 0, 0]),
        "
          0  13000000  type 19: input event
          4  03000000  event 3: mouse button
          8  00000000  device 0
         12  10000000  16 bytes
         16  02000000  button 2
        ",
    );
}

fn joysticks_and_touch(vectors: &mut Vectors) {
    vectors.written(
        "input_event_joystick_motion",
        event(4, 1, &[3, 0, 0, 0, 0, 0, 0, 0xBF]),
        "
          0  13000000  type 19: input event
          4  04000000  event 4: joystick motion
          8  01000000  device 1
         12  14000000  20 bytes
         16  03000000  axis 3
         20  000000bf  value -0.5
        ",
    );
    vectors.written(
        "input_event_joystick_button",
        event(5, 7, &[11, 0, 0, 0]),
        "
          0  13000000  type 19: input event
          4  05000000  event 5: joystick button
          8  07000000  device 7
         12  10000000  16 bytes
         16  0b000000  button 11
        ",
    );
    vectors.written(
        "input_event_screen_touch",
        event(6, 0, &[1, 0, 0, 0]),
        "
          0  13000000  type 19: input event
          4  06000000  event 6: screen touch
          8  00000000  device 0
         12  10000000  16 bytes
         16  01000000  finger 1
        ",
    );
    vectors.written(
        "input_event_screen_drag",
        event(7, 0, &[]),
        "
          0  13000000  type 19: input event
          4  07000000  event 7: screen drag, of which nothing is sent
          8  00000000  device 0
         12  0c000000  12 bytes
        ",
    );
    vectors.written(
        "input_event_action",
        event(8, 0, &[]),
        "
          0  13000000  type 19: input event
          4  08000000  event 8: action, of which nothing is sent
          8  00000000  device 0
         12  0c000000  12 bytes
        ",
    );
}

fn arrays(vectors: &mut Vectors) {
    vectors.written(
        "array_empty",
        array([]),
        "
          0  15000000  type 21: array
          4  00000000  0 elements
        ",
    );
    vectors.written(
        "array_empty_shared",
        shared_array([]),
        "
          0  15000000  type 21: array
          4  00000080  0 elements, bit 31: shared
        ",
    );
    vectors.written(
        "array_mixed",
        array([Value::Nil, int(1), string("a"), Value::Rid(None), Value::Bool(true)]),
        "
          0  15000000  type 21: array
          4  05000000  5 elements
          8  00000000  [0] nil
         12  02000000  [1] int
         16  01000000  1
         20  04000000  [2] string
         24  01000000  length 1
         28  61        'a'
         29  000000    pad 3
         32  11000000  [3] RID
         36  01000000  [4] bool
         40  01000000  true
        ",
    );
    vectors.written(
        "array_shared",
        shared_array([int(1), string("b")]),
        "
          0  15000000  type 21: array
          4  02000080  2 elements, bit 31: shared
          8  02000000  [0] int
         12  01000000  1
         16  04000000  [1] string
         20  01000000  length 1
         24  62        'b'
         25  000000    pad 3
        ",
    );
}

fn dictionaries(vectors: &mut Vectors) {
    vectors.written(
        "dictionary_empty",
        dictionary([]),
        "
          0  14000000  type 20: dictionary
          4  00000000  0 pairs
        ",
    );
    vectors.written(
        "dictionary_empty_shared",
        shared_dictionary([]),
        "
          0  14000000  type 20: dictionary
          4  00000080  0 pairs, bit 31: shared
        ",
    );
    vectors.written(
        "dictionary_mixed",
        dictionary([
            (string("name"), string("x")),
            (int(2), Value::Nil),
            (Value::Reals(Kind::Vector2, singles(&[1.0, 2.0])), float(0.5)),
        ]),
        "
          0  14000000  type 20: dictionary
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
         40  00000000  value: nil
         44  05000000  key: vector2
         48  0000803f  x 1.0
         52  00000040  y 2.0
         56  03000000  value: real
         60  0000003f  0.5
        ",
    );
    vectors.written(
        "dictionary_shared",
        shared_dictionary([(int(1), int(2)), (int(3), int(4))]),
        "
          0  14000000  type 20: dictionary
          4  02000080  2 pairs, bit 31: shared
          8  02000000  key: int
         12  01000000  1
         16  02000000  value: int
         20  02000000  2
         24  02000000  key: int
         28  03000000  3
         32  02000000  value: int
         36  04000000  4
        ",
    );
}

fn nested(vectors: &mut Vectors) {
    vectors.written(
        "nested",
        array([
            array([int(1)]),
            shared_dictionary([(string("k"), shared_array([Value::Nil, array([])]))]),
            dictionary([(array([]), dictionary([]))]),
        ]),
        "
          0  15000000  type 21: array
          4  03000000  3 elements
          8  15000000  [0] array
         12  01000000  1 element
         16  02000000  [0][0] int
         20  01000000  1
         24  14000000  [1] dictionary
         28  01000080  1 pair, bit 31: shared
         32  04000000  key: string
         36  01000000  length 1
         40  6b        'k'
         41  000000    pad 3
         44  15000000  value: array
         48  02000080  2 elements, bit 31: shared
         52  00000000  [0] nil
         56  15000000  [1] array
         60  00000000  0 elements
         64  14000000  [2] dictionary
         68  01000000  1 pair
         72  15000000  key: array
         76  00000000  0 elements
         80  14000000  value: dictionary
         84  00000000  0 pairs
        ",
    );
}

fn raw_arrays(vectors: &mut Vectors) {
    vectors.written(
        "raw_array_0",
        Value::Bytes(vec![]),
        "
          0  16000000  type 22: raw array
          4  00000000  0 bytes
        ",
    );
    vectors.written(
        "raw_array_1",
        Value::Bytes(vec![255]),
        "
          0  16000000  type 22: raw array
          4  01000000  1 byte
          8  ff        255
          9  000000    pad 3
        ",
    );
    vectors.written(
        "raw_array_2",
        Value::Bytes(vec![1, 2]),
        "
          0  16000000  type 22: raw array
          4  02000000  2 bytes
          8  0102      1, 2
         10  0000      pad 2
        ",
    );
    vectors.written(
        "raw_array_3",
        Value::Bytes(vec![1, 2, 3]),
        "
          0  16000000  type 22: raw array
          4  03000000  3 bytes
          8  010203    1, 2, 3
         11  00        pad 1
        ",
    );
    vectors.written(
        "raw_array_4",
        Value::Bytes(vec![1, 2, 3, 4]),
        "
          0  16000000  type 22: raw array
          4  04000000  4 bytes
          8  01020304  1, 2, 3, 4, no pad
        ",
    );
}

fn number_arrays(vectors: &mut Vectors) {
    vectors.written(
        "int_array_empty",
        Value::Int32s(vec![]),
        "
          0  17000000  type 23: int array
          4  00000000  0 ints
        ",
    );
    vectors.written(
        "int_array",
        Value::Int32s(vec![1, -1, 2_147_483_647]),
        "
          0  17000000  type 23: int array
          4  03000000  3 ints
          8  01000000  1
         12  ffffffff  -1
         16  ffffff7f  2147483647
        ",
    );
    vectors.written(
        "real_array_empty",
        Value::Float32s(vec![]),
        "
          0  18000000  type 24: real array
          4  00000000  0 floats
        ",
    );
    vectors.written(
        "real_array",
        Value::Float32s([1.0_f32, -0.0, 0.1].map(f32::to_bits).to_vec()),
        "
          0  18000000  type 24: real array
          4  03000000  3 floats
          8  0000803f  1.0
         12  00000080  -0.0
         16  cdcccc3d  0.1
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
          0  19000000    type 25: string array
          4  05000000    5 strings
          8  01000000    length 1, with the NUL
         12  00          NUL
         13  000000      pad 3
         16  02000000    length 2
         20  6100        'a', NUL
         22  0000        pad 2
         24  03000000    length 3
         28  626300      'bc', NUL
         31  00          pad 1
         32  04000000    length 4
         36  64656600    'def', NUL, no pad
         40  05000000    length 5
         44  6768696a00  'ghij', NUL
         49  000000      pad 3
        ",
    );
}

fn real_arrays(vectors: &mut Vectors) {
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
fn every_type(vectors: &mut Vectors) {
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
            image(3, 0, [1, 1], &[9, 9, 9]),
            relative(&["n"], &[]),
            Value::Rid(None),
            Value::ObjectNull,
            event(3, 0, &[1, 0, 0, 0]),
            dictionary([]),
            array([]),
            Value::Bytes(vec![22]),
            Value::Int32s(vec![23]),
            Value::Float32s(vec![24.0_f32.to_bits()]),
            strings(&["25"]),
            single_array(Kind::PackedVector2Array, &[&[0.0; 2]]),
            single_array(Kind::PackedVector3Array, &[&[0.0; 3]]),
            single_array(Kind::PackedColorArray, &[&[0.0; 4]]),
        ]),
        "
          0  15000000                  type 21: array
          4  1d000000                  29 elements
          8  00000000                  type 0: nil
         12  01000000                  type 1: bool
         16  01000000                  true
         20  02000000                  type 2: int
         24  02000000                  2
         28  03000000                  type 3: real
         32  00004040                  3.0
         36  04000000                  type 4: string
         40  01000000                  length 1
         44  34                        '4'
         45  000000                    pad 3
         48  05000000                  type 5: vector2
         52  0000000000000000          two reals
         60  06000000                  type 6: rect2
         64  00000000000000000000000000000000  four reals
         80  07000000                  type 7: vector3
         84  000000000000000000000000  three reals
         96  08000000                  type 8: matrix32
        100  000000000000000000000000  three reals
        112  000000000000000000000000  three more
        124  09000000                  type 9: plane
        128  00000000000000000000000000000000  four reals
        144  0a000000                  type 10: quat
        148  00000000000000000000000000000000  four reals
        164  0b000000                  type 11: AABB
        168  000000000000000000000000  three reals
        180  000000000000000000000000  three more
        192  0c000000                  type 12: matrix3
        196  000000000000000000000000  row
        208  000000000000000000000000  row
        220  000000000000000000000000  row
        232  0d000000                  type 13: transform
        236  000000000000000000000000  row
        248  000000000000000000000000  row
        260  000000000000000000000000  row
        272  000000000000000000000000  origin
        284  0e000000                  type 14: color
        288  00000000000000000000000000000000  four reals
        304  0f000000                  type 15: image
        308  03000000                  format 3: RGB
        312  00000000                  no mipmaps
        316  01000000                  width 1
        320  01000000                  height 1
        324  03000000                  3 bytes
        328  090909                    pixel
        331  00                        pad 1
        332  10000000                  type 16: node path
        336  01000080                  1 name, bit 31
        340  00000000                  0 subnames
        344  00000000                  flags
        348  01000000                  length 1
        352  6e                        'n'
        353  000000                    pad 3
        356  11000000                  type 17: RID
        360  12000000                  type 18: object
        364  13000000                  type 19: input event
        368  03000000                  event 3: mouse button
        372  00000000                  device 0
        376  10000000                  16 bytes
        380  01000000                  button 1
        384  14000000                  type 20: dictionary
        388  00000000                  0 pairs
        392  15000000                  type 21: array
        396  00000000                  0 elements
        400  16000000                  type 22: raw array
        404  01000000                  1 byte
        408  16                        22
        409  000000                    pad 3
        412  17000000                  type 23: int array
        416  01000000                  1 int
        420  17000000                  23
        424  18000000                  type 24: real array
        428  01000000                  1 float
        432  0000c041                  24.0
        436  19000000                  type 25: string array
        440  01000000                  1 string
        444  03000000                  length 3
        448  323500                    '25', NUL
        451  00                        pad 1
        452  1a000000                  type 26: vector2 array
        456  01000000                  1 element
        460  0000000000000000          two reals
        468  1b000000                  type 27: vector3 array
        472  01000000                  1 element
        476  000000000000000000000000  three reals
        488  1c000000                  type 28: color array
        492  01000000                  1 element
        496  00000000000000000000000000000000  four reals
        ",
    );
}

/// Adds input that ends before or inside the padding of its last value. The engine accepts such
/// input.
fn pads_missing(vectors: &mut Vectors) {
    vectors.tolerated(
        "string_pad_missing",
        string("abc"),
        "
          0  04000000  type 4: string
          4  03000000  length 3
          8  616263    'abc', and the end
        ",
    );
    vectors.tolerated(
        "string_pad_cut",
        string("a"),
        "
          0  04000000  type 4: string
          4  01000000  length 1
          8  61        'a'
          9  0000      pad, one byte too short
        ",
    );
    vectors.tolerated(
        "string_pad_missing_in_array",
        array([int(1), string("ab")]),
        "
          0  15000000  type 21: array
          4  02000000  2 elements
          8  02000000  [0] int
         12  01000000  1
         16  04000000  [1] string
         20  02000000  length 2
         24  6162      'ab', and the end
        ",
    );
    vectors.tolerated(
        "string_pad_missing_in_dictionary",
        dictionary([(int(1), string("a"))]),
        "
          0  14000000  type 20: dictionary
          4  01000000  1 pair
          8  02000000  key: int
         12  01000000  1
         16  04000000  value: string
         20  01000000  length 1
         24  61        'a', and the end
        ",
    );
    vectors.tolerated(
        "raw_array_pad_missing",
        Value::Bytes(vec![1, 2, 3]),
        "
          0  16000000  type 22: raw array
          4  03000000  3 bytes
          8  010203    1, 2, 3, and the end
        ",
    );
    vectors.tolerated(
        "raw_array_pad_missing_in_array",
        array([array([Value::Bytes(vec![7])])]),
        "
          0  15000000  type 21: array
          4  01000000  1 element
          8  15000000  [0] array
         12  01000000  1 element
         16  16000000  [0][0] raw array
         20  01000000  1 byte
         24  07        7, and the end
        ",
    );
    vectors.tolerated(
        "string_array_pad_missing",
        strings(&["a", "bc"]),
        "
          0  19000000  type 25: string array
          4  02000000  2 strings
          8  02000000  length 2
         12  6100      'a', NUL
         14  0000      pad 2
         16  03000000  length 3
         20  626300    'bc', NUL, and the end
        ",
    );
    vectors.tolerated(
        "node_path_pad_missing",
        relative(&["a"], &["b"]),
        "
          0  10000000  type 16: node path
          4  01000080  1 name, bit 31
          8  01000000  1 subname
         12  00000000  flags
         16  01000000  length 1
         20  61        'a'
         21  000000    pad 3
         24  01000000  length 1
         28  62        'b', and the end
        ",
    );
    vectors.tolerated(
        "image_pad_missing",
        image(0, 0, [1, 1], &[200]),
        "
          0  0f000000  type 15: image
          4  00000000  format 0: grayscale
          8  00000000  no mipmaps
         12  01000000  width 1
         16  01000000  height 1
         20  01000000  1 byte
         24  c8        pixel, and the end
        ",
    );
}

/// Adds values whose padding is not zero. Node paths are not included, because nearly every engine
/// leaves their padding uninitialised (see `node_path_junk`).
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
          0  15000000  type 21: array
          4  02000000  2 elements
          8  16000000  [0] raw array
         12  02000000  2 bytes
         16  0102      1, 2
         18  0304      junk in the pad
         20  01000000  [1] bool
         24  01000000  true
        ",
    );
    vectors.tolerated(
        "string_array_pad_junk",
        strings(&["a"]),
        "
          0  19000000  type 25: string array
          4  01000000  1 string
          8  02000000  length 2
         12  6100      'a', NUL
         14  6162      junk in the pad
        ",
    );
    vectors.tolerated(
        "image_pad_junk",
        image(0, 0, [1, 1], &[200]),
        "
          0  0f000000  type 15: image
          4  00000000  format 0: grayscale
          8  00000000  no mipmaps
         12  01000000  width 1
         16  01000000  height 1
         20  01000000  1 byte
         24  c8        pixel
         25  ffffff    junk in the pad
        ",
    );
}

/// Adds node paths in the old form. Such a path is one string without padding, and the next value
/// follows it directly.
fn old_node_paths(vectors: &mut Vectors) {
    vectors.tolerated(
        "node_path_old",
        Value::OldNodePath(text("a/b")),
        "
          0  10000000  type 16: node path
          4  03000000  length 3, bit 31 clear: one string
          8  612f62    'a/b', no pad in this form
        ",
    );
    vectors.tolerated(
        "node_path_old_empty",
        Value::OldNodePath(vec![]),
        "
          0  10000000  type 16: node path
          4  00000000  length 0, bit 31 clear: one string
        ",
    );
    vectors.tolerated(
        "node_path_old_in_array",
        array([Value::OldNodePath(text("/root")), Value::Bool(true), string("ab"), int(7)]),
        "
          0  15000000    type 21: array
          4  04000000    4 elements
          8  10000000    [0] node path
         12  05000000    length 5, bit 31 clear: one string
         16  2f726f6f74  '/root', no pad in this form
         21  01000000    [1] bool, off the multiples of four
         25  01000000    true
         29  04000000    [2] string
         33  02000000    length 2
         37  6162        'ab'
         39  0000        pad 2: it goes by the string's length, not by the offset
         41  02000000    [3] int
         45  07000000    7
        ",
    );
    vectors.tolerated(
        "node_path_old_in_dictionary",
        dictionary([(Value::OldNodePath(text("a:b")), Value::Nil)]),
        "
          0  14000000  type 20: dictionary
          4  01000000  1 pair
          8  10000000  key: node path
         12  03000000  length 3, bit 31 clear: one string
         16  613a62    'a:b', no pad in this form
         19  00000000  value: nil
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
        "node_path_flag_4",
        Value::NodePath { absolute: true, names: texts(&["a"]), subnames: vec![], property: None },
        "
          0  10000000  type 16: node path
          4  01000080  1 name, bit 31
          8  00000000  0 subnames
         12  05000000  flags: absolute, and one that means nothing
         16  01000000  length 1
         20  61        'a'
         21  000000    pad 3
        ",
    );
    vectors.tolerated(
        "string_array_without_nul",
        strings(&["", "a", "bcd"]),
        "
          0  19000000  type 25: string array
          4  03000000  3 strings
          8  00000000  length 0
         12  01000000  length 1
         16  61        'a'
         17  000000    pad 3
         20  04000000  length 4
         24  62636400  'bcd', NUL, no pad
        ",
    );
    vectors.tolerated(
        "input_event_length_wrong",
        array([
            Value::InputEvent { kind: 2, device: 0, length: 99, body: vec![] },
            Value::InputEvent { kind: 6, device: 0, length: 0, body: vec![4, 0, 0, 0] },
        ]),
        "
          0  15000000  type 21: array
          4  02000000  2 elements
          8  13000000  [0] input event
         12  02000000  event 2: mouse motion
         16  00000000  device 0
         20  63000000  99 bytes, which no reader believes
         24  13000000  [1] input event
         28  06000000  event 6: screen touch
         32  00000000  device 0
         36  00000000  0 bytes
         40  04000000  finger 4
        ",
    );
    vectors.tolerated(
        "string_not_utf8",
        Value::String(vec![0x61, 0xFF, 0xC3]),
        "
          0  04000000  type 4: string
          4  03000000  length 3
          8  61ffc3    'a' and two bytes that are no UTF-8
         11  00        pad 1
        ",
    );
}

/// Adds headers that are refused. The whole first word is the type, so none of the upper bits may
/// be set.
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
        "type_255",
        Why::UnknownType,
        "
          0  ff000000  type 255
        ",
    );
    vectors.refused(
        "header_byte_1",
        Why::UnknownType,
        "
          0  02010000  type 0x102
          4  05000000  a word
        ",
    );
    vectors.refused(
        "header_byte_2",
        Why::UnknownType,
        "
          0  02000100          type 0x10002; later an int of 64 bits
          4  0500000000000000  8 bytes
        ",
    );
    vectors.refused(
        "header_byte_3",
        Why::UnknownType,
        "
          0  00000001  type 0x1000000
        ",
    );
    vectors.refused(
        "header_bit_31",
        Why::UnknownType,
        "
          0  00000080  type 0x80000000
        ",
    );
    vectors.refused(
        "header_byte_2_in_array",
        Why::UnknownType,
        "
          0  15000000          type 21: array
          4  02000000          2 elements
          8  00000000          [0] nil
         12  03000100          [1] type 0x10003; later a float of 64 bits
         16  000000000000f03f  8 bytes
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
        "int_cut",
        Why::Truncated,
        "
          0  02000000  type 2: int
          4  050000    three bytes
        ",
    );
    vectors.refused(
        "transform_cut",
        Why::Truncated,
        "
          0  0d000000                  type 13: transform
          4  000000000000000000000000  row
         16  000000000000000000000000  row
         28  000000000000000000000000  row
         40  0000000000000000          two reals of the origin
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
        "node_path_cut",
        Why::Truncated,
        "
          0  10000000  type 16: node path
          4  00000080  0 names, bit 31
          8  00000000  0 subnames, and no flags
        ",
    );
    vectors.refused(
        "node_path_property_missing",
        Why::Truncated,
        "
          0  10000000  type 16: node path
          4  01000080  1 name, bit 31
          8  00000000  0 subnames
         12  02000000  flags: a property follows
         16  01000000  length 1
         20  61        'a'
         21  000000    pad 3, and no property
        ",
    );
    vectors.refused(
        "node_path_old_too_long",
        Why::Truncated,
        "
          0  10000000  type 16: node path
          4  04000000  length 4, bit 31 clear: one string
          8  612f62    'a/b'
        ",
    );
    vectors.refused(
        "image_too_long",
        Why::Truncated,
        "
          0  0f000000  type 15: image
          4  00000000  format 0: grayscale
          8  00000000  no mipmaps
         12  02000000  width 2
         16  01000000  height 1
         20  02000000  2 bytes
         24  c8        one byte
        ",
    );
    vectors.refused(
        "input_event_cut",
        Why::Truncated,
        "
          0  13000000  type 19: input event
          4  01000000  event 1: key
          8  00000000  device 0
         12  0c000000  12 bytes, though a key has 20
         16  00000000  modifiers, and no scancode
        ",
    );
}

fn containers_cut(vectors: &mut Vectors) {
    vectors.refused(
        "array_element_missing",
        Why::Truncated,
        "
          0  15000000  type 21: array
          4  02000000  2 elements
          8  00000000  [0] nil
        ",
    );
    vectors.refused(
        "dictionary_value_missing",
        Why::Truncated,
        "
          0  14000000  type 20: dictionary
          4  01000080  1 pair, bit 31: shared
          8  00000000  key: nil
        ",
    );
    vectors.refused(
        "type_29_in_dictionary",
        Why::UnknownType,
        "
          0  14000000  type 20: dictionary
          4  01000000  1 pair
          8  00000000  key: nil
         12  1d000000  value: type 29
        ",
    );
    vectors.refused(
        "string_pad_missing_before_sibling",
        Why::Truncated,
        "
          0  15000000  type 21: array
          4  02000000  2 elements
          8  04000000  [0] string
         12  01000000  length 1
         16  61        'a', whose pad is the next three bytes
         17  00000000  three of pad, and one of a header
        ",
    );
    vectors.refused(
        "node_path_old_padded_in_array",
        Why::UnknownType,
        "
          0  15000000  type 21: array
          4  02000000  2 elements
          8  10000000  [0] node path
         12  03000000  length 3, bit 31 clear: one string
         16  612f62    'a/b'
         19  00        what looks like a pad starts the next header
         20  01000000  with it: type 0x100
         24  01000000  the rest
        ",
    );
}

fn arrays_cut(vectors: &mut Vectors) {
    vectors.refused(
        "raw_array_too_long",
        Why::Truncated,
        "
          0  16000000  type 22: raw array
          4  05000000  5 bytes
          8  01020304  four bytes
        ",
    );
    vectors.refused(
        "int_array_too_long",
        Why::Truncated,
        "
          0  17000000  type 23: int array
          4  02000000  2 ints
          8  01000000  1
        ",
    );
    vectors.refused(
        "string_array_too_long",
        Why::Truncated,
        "
          0  19000000  type 25: string array
          4  02000000  2 strings
          8  02000000  length 2
         12  6100      'a', NUL
         14  0000      pad 2
        ",
    );
    vectors.refused(
        "vector3_array_too_long",
        Why::Truncated,
        "
          0  1b000000          type 27: vector3 array
          4  01000000          1 element
          8  0000000000000000  two reals
        ",
    );
}
