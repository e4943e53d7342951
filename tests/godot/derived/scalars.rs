//! Test vectors for types 0 to 4: null, bool, int, float and String. Godot 2 and the dialect of the
//! 4.x manual page encode these types in the same way, except for ints and floats that need 64
//! bits.

use super::Value;
use super::Vectors;
use super::float;
use super::int;
use super::string;

pub fn add(vectors: &mut Vectors) {
    nil_and_bool(vectors);
    ints(vectors);
    floats(vectors);
    strings(vectors);
}

fn nil_and_bool(vectors: &mut Vectors) {
    vectors.written(
        "nil",
        Value::Nil,
        "
          0  00000000  type 0: null
        ",
    );
    vectors.written(
        "bool_false",
        Value::Bool(false),
        "
          0  01000000  type 1: bool
          4  00000000  false
        ",
    );
    vectors.written(
        "bool_true",
        Value::Bool(true),
        "
          0  01000000  type 1: bool
          4  01000000  true
        ",
    );
}

fn ints(vectors: &mut Vectors) {
    vectors.written(
        "int_0",
        int(0),
        "
          0  02000000  type 2: int
          4  00000000  0
        ",
    );
    vectors.written(
        "int_0x12345678",
        int(0x1234_5678),
        "
          0  02000000  type 2: int
          4  78563412  0x12345678
        ",
    );
    vectors.written(
        "int_neg1",
        int(-1),
        "
          0  02000000  type 2: int
          4  ffffffff  -1
        ",
    );
    vectors.written(
        "int_i32_max",
        int(2_147_483_647),
        "
          0  02000000  type 2: int
          4  ffffff7f  2147483647
        ",
    );
    vectors.written(
        "int_i32_min",
        int(-2_147_483_648),
        "
          0  02000000  type 2: int
          4  00000080  -2147483648
        ",
    );
}

fn floats(vectors: &mut Vectors) {
    vectors.written(
        "float_0",
        float(0.0),
        "
          0  03000000  type 3: float
          4  00000000  0.0
        ",
    );
    vectors.written(
        "float_neg_zero",
        float(-0.0),
        "
          0  03000000  type 3: float
          4  00000080  -0.0
        ",
    );
    vectors.written(
        "float_1",
        float(1.0),
        "
          0  03000000  type 3: float
          4  0000803f  1.0
        ",
    );
    vectors.written(
        "float_neg_1_5",
        float(-1.5),
        "
          0  03000000  type 3: float
          4  0000c0bf  -1.5
        ",
    );
    vectors.written(
        "float_2_pow_24",
        float(16_777_216.0),
        "
          0  03000000  type 3: float
          4  0000804b  16777216.0: exponent 127 + 24 = 0x97, fraction 0
        ",
    );
    vectors.written(
        "float_f32_max",
        float(f32::MAX),
        "
          0  03000000  type 3: float
          4  ffff7f7f  the greatest single float
        ",
    );
    vectors.written(
        "float_f32_tiny",
        float(f32::from_bits(1)),
        "
          0  03000000  type 3: float
          4  01000000  2 to the -149, the least single float above zero
        ",
    );
    vectors.written(
        "float_inf",
        float(f32::INFINITY),
        "
          0  03000000  type 3: float
          4  0000807f  infinity
        ",
    );
    vectors.written(
        "float_neg_inf",
        float(f32::NEG_INFINITY),
        "
          0  03000000  type 3: float
          4  000080ff  -infinity
        ",
    );
}

fn strings(vectors: &mut Vectors) {
    vectors.written(
        "string_0",
        string(""),
        "
          0  04000000  type 4: string
          4  00000000  length 0
        ",
    );
    vectors.written(
        "string_1",
        string("a"),
        "
          0  04000000  type 4: string
          4  01000000  length 1
          8  61        'a'
          9  000000    pad 3
        ",
    );
    vectors.written(
        "string_2",
        string("ab"),
        "
          0  04000000  type 4: string
          4  02000000  length 2
          8  6162      'ab'
         10  0000      pad 2
        ",
    );
    vectors.written(
        "string_3",
        string("abc"),
        "
          0  04000000  type 4: string
          4  03000000  length 3
          8  616263    'abc'
         11  00        pad 1
        ",
    );
    vectors.written(
        "string_4",
        string("abcd"),
        "
          0  04000000  type 4: string
          4  04000000  length 4
          8  61626364  'abcd', no pad
        ",
    );
    vectors.written(
        "string_5",
        string("abcde"),
        "
          0  04000000    type 4: string
          4  05000000    length 5
          8  6162636465  'abcde'
         13  000000      pad 3
        ",
    );
    vectors.written(
        "string_utf8",
        string("h\u{E9}llo \u{1F600}"),
        "
          0  04000000  type 4: string
          4  0b000000  length 11, in bytes
          8  68        'h'
          9  c3a9      U+00E9
         11  6c6c6f20  'llo '
         15  f09f9880  U+1F600
         19  00        pad 1
        ",
    );
}
