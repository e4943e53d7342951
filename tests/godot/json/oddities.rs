//! Values of every type and width, and in every unusual encoding, as bytes and as JSON. The JSON
//! was derived by hand.

use crate::laws::{clean_pads, print_json, write_json};
use crate::support::corpus::unhex;
use Text::{Both, Loses};
use gamewire::godot::Dialect::{self, Docs, DocsDouble, Godot2, Godot3, Godot4};
use gamewire::godot::Reader;
use gamewire::godot::json::Printer;

/// The expected JSON of a packet: the default JSON, and the JSON that is printed with `exact`.
enum Text {
    /// The default JSON equals the exact JSON. Both convert back to the packet.
    Both(&'static str),
    /// The default JSON, which loses information, and the exact JSON, which does not.
    Loses(&'static str, &'static str),
}

#[test]
fn packets_print_as_derived_by_hand() {
    for (dialect, hex, text) in TABLE {
        let packet = unhex(&hex.replace(' ', ""));
        let (default, exact, whole) = match text {
            Both(text) => (text, text, true),
            Loses(default, exact) => (default, exact, false),
        };
        assert_eq!(print_json(&packet, *dialect, false), *default, "{dialect} {hex}");
        assert_eq!(print_json(&packet, *dialect, true), *exact, "{dialect} {hex}");
        let written = |text| clean_pads(&write_json(text, *dialect).unwrap(), *dialect);
        let packet = clean_pads(&packet, *dialect);
        assert_eq!(written(exact), packet, "{exact}");
        assert_eq!(written(default) == packet, whole, "{default}");
    }
}

#[rustfmt::skip]
const TABLE: &[(Dialect, &str, Text)] = &[
    // Nil and bool.
    (Godot4, "00000000", Both("null")),
    (Godot4, "00006c00", Loses("null", r#"{"type":"Nil","args":[],"wire":"00006c00"}"#)),
    (Godot2, "00000000", Both("null")),
    (Godot4, "01000000 00000000", Both("false")),
    (Godot4, "01000000 02000000", Loses("true", r#"{"type":"bool","args":[true],"wire":"0100000002000000"}"#)),
    (Godot4, "01000100 01000000", Loses("true", r#"{"type":"bool","args":[true],"wire":"0100010001000000"}"#)),
    (Godot2, "01000000 02000000", Both(r#"{"type":"bool","args":[true],"wire":"0100000002000000"}"#)),

    // Integers.
    (Godot4, "02000000 ffffffff", Both(r#""i:-1""#)),
    (Godot4, "02000100 0000008000000000", Both(r#""i:2147483648""#)),
    (Godot4, "02000100 0000000000000080", Both(r#""i:-9223372036854775808""#)),
    (Godot4, "02000100 0500000000000000", Loses(r#""i:5""#, r#"{"type":"int","args":["i:5"],"wide":true}"#)),
    (Godot4, "02010000 05000000", Loses(r#""i:5""#, r#"{"type":"int","args":["i:5"],"wire":"0201000005000000"}"#)),
    (Godot4, "02000300 0500000000000000", Loses(r#""i:5""#, r#"{"type":"int","args":["i:5"],"wire":"020003000500000000000000"}"#)),
    (Godot3, "02000100 0500000000000000", Loses(r#""i:5""#, r#"{"type":"int","args":["i:5"],"wide":true}"#)),
    (Docs, "02000100 0500000000000000", Both(r#"{"type":"int","args":["i:5"],"wide":true}"#)),
    (DocsDouble, "02000000 05000000", Both(r#""i:5""#)),

    // Floats.
    (Godot4, "03000000 0000003f", Both(r#""f:0.5""#)),
    (Godot4, "03000000 cdcccc3d", Both(r#""f:0.10000000149011612""#)),
    (Godot4, "03000100 9a9999999999b93f", Both(r#""f:0.1""#)),
    (Godot4, "03000100 9c7500883ce4377e", Both(r#""f:1e300""#)),
    (Godot4, "03000000 00000080", Both(r#""f:-0.0""#)),
    (Godot4, "03000000 0000807f", Both(r#""f:inf""#)),
    (Godot4, "03000000 000080ff", Both(r#""f:-inf""#)),
    (Godot4, "03000100 000000000000f87f", Both(r#""f:nan""#)),
    (Godot4, "03000100 000000000000f8ff", Loses(r#""f:nan""#, r#"{"type":"float","args":["f:nan"],"wire":"03000100000000000000f8ff"}"#)),
    (Godot4, "03000000 0000c07f", Loses(r#""f:nan""#, r#"{"type":"float","args":["f:nan"],"wire":"030000000000c07f"}"#)),
    (Godot4, "03000000 0100807f", Loses(r#""f:nan""#, r#"{"type":"float","args":["f:nan"],"wire":"030000000100807f"}"#)),
    (Godot4, "03000100 000000000000e03f", Loses(r#""f:0.5""#, r#"{"type":"float","args":["f:0.5"],"wide":true}"#)),
    (Godot2, "03000000 cdcccc3d", Both(r#""f:0.10000000149011612""#)),
    (Docs, "03000000 0100807f", Both(r#"{"type":"float","args":["f:nan"],"wire":"030000000100807f"}"#)),

    // Text.
    (Godot4, "04000000 03000000 61626300", Both(r#""s:abc""#)),
    (Godot4, "04000000 03000000 616263ff", Both(r#""s:abc""#)),
    (Godot4, "04000000 06000000 225c090a7f00 0000", Loses(r#""s:\"\\\t\n\u007f""#, r#"{"type":"String","args":["s:\"\\\t\n\u007f"],"wire":"0400000006000000225c090a7f000000"}"#)),
    (Godot4, "04000000 04000000 0b1fc285", Both(r#""s:\u000b\u001f\u0085""#)),
    (Godot4, "04000000 04000000 efbbbf61", Loses(r#""s:a""#, r#"{"type":"String","args":["s:a"],"wire":"0400000004000000efbbbf61"}"#)),
    (Godot4, "04000000 03000000 61006200", Loses(r#""s:a""#, r#"{"type":"String","args":["s:a"],"wire":"040000000300000061006200"}"#)),
    (Godot4, "04000000 03000000 61ff6200", Loses("\"s:a\u{FFFD}b\"", "{\"type\":\"String\",\"args\":[\"s:a\u{FFFD}b\"],\"wire\":\"040000000300000061ff6200\"}")),
    (Godot4, "15000000 02000000 736e0000", Both(r#""sn:sn""#)),
    // In Godot 3, half a surrogate pair becomes a space, and two halves become one character.
    (Godot3, "04000000 03000000 eda08000", Loses(r#""s: ""#, r#"{"type":"String","args":["s: "],"wire":"0400000003000000eda08000"}"#)),
    (Godot3, "04000000 06000000 eda0bdedb8800000", Loses(r#""s:😀""#, r#"{"type":"String","args":["s:😀"],"wire":"0400000006000000eda0bdedb8800000"}"#)),
    (Godot3, "04000000 03000000 e0818100", Loses(r#""s:A""#, r#"{"type":"String","args":["s:A"],"wire":"0400000003000000e0818100"}"#)),
    (Godot3, "04000000 05000000 f881808080000000", Loses("\"s:\u{40000}\"", "{\"type\":\"String\",\"args\":[\"s:\u{40000}\"],\"wire\":\"0400000005000000f881808080000000\"}")),
    (Godot2, "04000000 03000000 61ff6200", Both("{\"type\":\"String\",\"args\":[\"s:a\u{FFFD}b\"],\"wire\":\"040000000300000061ff6200\"}")),
    (Docs, "04000000 03000000 61006200", Both(r#"{"type":"String","args":["s:a"],"wire":"040000000300000061006200"}"#)),

    // Vectors and similar types.
    (Godot4, "05000000 0000803f 00000040", Both(r#"{"type":"Vector2","args":[1.0,2.0]}"#)),
    (Godot4, "05000100 000000000000f03f 0000000000000040", Both(r#"{"type":"Vector2","args":[1.0,2.0],"wide":true}"#)),
    (Godot4, "05000200 0000803f 00000040", Both(r#"{"type":"Vector2","args":[1.0,2.0],"wire":"050002000000803f00000040"}"#)),
    (Godot4, "05000000 0000c07f 000080ff", Both(r#"{"type":"Vector2","args":["nan",-1e99999]}"#)),
    (Godot4, "05000000 0100c07f 00000080", Both(r#"{"type":"Vector2","args":["nan",-0.0],"wire":"050000000100c07f00000080"}"#)),
    (Godot4, "05000000 0000c0ff 00000000", Both(r#"{"type":"Vector2","args":["nan",0.0],"wire":"050000000000c0ff00000000"}"#)),
    (Godot4, "05000100 000000000000f87f 010000000000f87f", Both(r#"{"type":"Vector2","args":["nan","nan"],"wire":"05000100000000000000f87f010000000000f87f"}"#)),
    (Godot4, "06000000 01000000 ffffffff", Both(r#"{"type":"Vector2i","args":[1,-1]}"#)),
    (Godot4, "06000100 01000000 ffffffff", Both(r#"{"type":"Vector2i","args":[1,-1],"wire":"0600010001000000ffffffff"}"#)),
    (Godot4, "08000000 01000000 02000000 03000000 04000000", Both(r#"{"type":"Rect2i","args":[1,2,3,4]}"#)),
    (Godot4, "0f000000 0000803f 00000040 00004040 00008040", Both(r#"{"type":"Quaternion","args":[1.0,2.0,3.0,4.0]}"#)),
    (Godot3, "0a000000 0000803f 00000040 00004040 00008040", Both(r#"{"type":"Quat","args":[1.0,2.0,3.0,4.0]}"#)),
    (Godot4, "0b000000 0000803f 00000040 00004040 00008040 0000a040 0000c040", Both(r#"{"type":"Transform2D","args":[1.0,2.0,3.0,4.0,5.0,6.0]}"#)),
    (Godot2, "08000000 0000803f 00000040 00004040 00008040 0000a040 0000c040", Both(r#"{"type":"Matrix32","args":[1.0,2.0,3.0,4.0,5.0,6.0]}"#)),
    // The axes are (1,2,3), (4,5,6) and (7,8,9). The wire contains rows.
    (Godot4, "11000000 0000803f000080400000e040 000000400000a04000000041 000040400000c04000001041", Both(r#"{"type":"Basis","args":[1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0]}"#)),
    (Godot2, "0c000000 0000803f000080400000e040 000000400000a04000000041 000040400000c04000001041", Both(r#"{"type":"Matrix3","args":[1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0]}"#)),
    (Godot3, "0d000000 0000803f000080400000e040 000000400000a04000000041 000040400000c04000001041 000020410000304100004041", Both(r#"{"type":"Transform","args":[1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0,10.0,11.0,12.0]}"#)),
    (Docs, "0d000000 0000803f000080400000e040 000000400000a04000000041 000040400000c04000001041 000020410000304100004041", Both(r#"{"type":"Transform3D","args":[1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0,10.0,11.0,12.0]}"#)),
    (Godot4, "14000000 0000803f 0000003f 0000803e 0000003e", Both(r#"{"type":"Color","args":[1.0,0.5,0.25,0.125]}"#)),
    // Colours always have single precision, so the precision bit has no meaning.
    (Godot4, "14000100 0000803f 0000003f 0000803e 0000003e", Both(r#"{"type":"Color","args":[1.0,0.5,0.25,0.125],"wire":"140001000000803f0000003f0000803e0000003e"}"#)),
    // In this dialect, double precision is the default.
    (DocsDouble, "05000000 000000000000f03f 0000000000000040", Both(r#"{"type":"Vector2","args":[1.0,2.0]}"#)),

    // Paths.
    (Godot4, "16000000 02000080 01000000 01000000 01000000 61000000 01000000 62000000 01000000 63000000", Both(r#""np:/a/b:c""#)),
    (Godot4, "16000000 00000080 00000000 00000000", Both(r#""np:""#)),
    (Godot4, "16000000 01000080 00000000 00000000 01000000 61555500", Both(r#""np:a""#)),
    (Godot4, "16000000 01000080 00000000 00000000 03000000 612f6200", Loses(r#""np:a/b""#, r#"{"type":"NodePath","args":["np:a/b"],"wire":"1600000001000080000000000000000003000000612f6200"}"#)),
    (Godot4, "16000000 01000080 01000000 00000000 01000000 61000000 00000000", Loses(r#""np:a""#, r#"{"type":"NodePath","args":["np:a"],"wire":"16000000010000800100000000000000010000006100000000000000"}"#)),
    (Godot3, "0f000000 01000080 01000000 00000000 01000000 61000000 00000000", Loses(r#""np:a:""#, r#"{"type":"NodePath","args":["np:a:"],"wire":"0f000000010000800100000000000000010000006100000000000000"}"#)),
    (Godot4, "16000000 00000080 00000000 04000000", Loses(r#""np:""#, r#"{"type":"NodePath","args":["np:"],"wire":"16000000000000800000000004000000"}"#)),
    // A path with one sub-name that is not included in the count: bit 1 of the flags adds it.
    (Godot4, "16000000 00000080 00000000 02000000 01000000 61000000", Loses(r#""np::a""#, r#"{"type":"NodePath","args":["np::a"],"wire":"160000000000008000000000020000000100000061000000"}"#)),
    // A path with Godot 2's property, and paths in the old form, which has no padding in Godot 2.
    (Godot2, "10000000 01000080 00000000 02000000 01000000 61000000 01000000 70000000", Both(r#"{"type":"NodePath","args":["np:a:p"],"wire":"1000000001000080000000000200000001000000610000000100000070000000"}"#)),
    (Godot2, "10000000 05000000 2f613a6262", Both(r#"{"type":"NodePath","args":["np:/a:bb"],"wire":"10000000050000002f613a6262"}"#)),
    (Docs, "0f000000 05000000 2f613a6262000000", Both(r#"{"type":"NodePath","args":["np:/a:bb"],"wire":"0f000000050000002f613a6262000000"}"#)),

    // RID, Callable, Signal.
    (Godot4, "17000000 0d00000000000000", Both(r#"{"type":"RID","id":13}"#)),
    (Godot4, "17000000 ffffffffffffffff", Both(r#"{"type":"RID","id":18446744073709551615}"#)),
    (Godot4, "17000000 0000000000000000", Both(r#"{"type":"RID"}"#)),
    (Godot3, "10000000", Both(r#"{"type":"RID"}"#)),
    (Godot3, "10000100", Both(r#"{"type":"RID","wire":"10000100"}"#)),
    (Godot4, "19000000", Both(r#"{"type":"Callable"}"#)),
    (Godot4, "19000100", Both(r#"{"type":"Callable","wire":"19000100"}"#)),
    (Godot4, "1a000000 00000000 0000000000000000", Both(r#"{"type":"Signal"}"#)),
    (Godot4, "1a000000 01000000 61000000 ffffffffffffffff", Both(r#"{"type":"Signal","name":"a","object":18446744073709551615}"#)),
    (Godot4, "1a000000 00000000 0500000000000000", Both(r#"{"type":"Signal","name":"","object":5}"#)),
    (Godot4, "1a000000 02000000 61000000 0000000000000000", Both(r#"{"type":"Signal","name":"a","object":0,"wire":"1a00000002000000610000000000000000000000"}"#)),

    // Objects: null, by id, and with properties.
    (Godot4, "18000000 00000000", Loses("null", r#"{"type":"Object","wire":"1800000000000000"}"#)),
    (Godot4, "18000100 0000000000000000", Loses("null", r#"{"type":"Object","wire":"180001000000000000000000"}"#)),
    (Godot3, "11000000 00000000", Loses("null", r#"{"type":"Object","wire":"1100000000000000"}"#)),
    (Godot2, "12000000", Both(r#"{"type":"Object"}"#)),
    (Docs, "11000000 00000000", Both(r#"{"type":"Object"}"#)),
    (Docs, "11000100 0000000000000000", Both(r#"{"type":"Object","wire":"110001000000000000000000"}"#)),
    (Godot4, "18000100 0500000000000080", Both(r#"{"type":"EncodedObjectAsID","props":["object_id","i:-9223372036854775803"]}"#)),
    (Godot3, "11000100 0500000000000000", Both(r#"{"type":"EncodedObjectAsID","props":["object_id","i:5"]}"#)),
    (Godot4, "18000300 0500000000000000", Both(r#"{"type":"EncodedObjectAsID","props":["object_id","i:5"],"wire":"180003000500000000000000"}"#)),
    (Godot4, "18000000 01000000 41000000 01000000 01000000 70000000 00000000", Both(r#"{"type":"A","props":["p",null]}"#)),
    (Godot4, "18000000 01000000 41000000 ffffffff", Both(r#"{"type":"A","head":"180000000100000041000000ffffffff","props":[]}"#)),
    (Godot4, "18000000 03000000 696e7400 00000000", Both(r#"{"type":"int","props":[]}"#)),
    (Godot4, "18000000 11000000 456e636f6465644f626a6563744173494400 0000 01000000 09000000 6f626a6563745f6964000000 02000000 05000000",
        Both(r#"{"type":"EncodedObjectAsID","head":"1800000011000000456e636f6465644f626a6563744173494400000001000000","props":["object_id","i:5"]}"#)),
    (Godot4, "18000000 01000000 41000000 01000000 03000000 61006200 00000000", Loses(r#"{"type":"A","props":["a",null]}"#, r#"{"type":"A","props":[{"name":"a","wire":"610062"},null]}"#)),
    (Docs, "11000000 01000000 41000000 01000000 03000000 61006200 00000000", Both(r#"{"type":"A","props":[{"name":"a","wire":"610062"},null]}"#)),

    // Containers.
    (Godot4, "1c000000 00000000", Both("[]")),
    (Godot4, "1c000000 01000080 00000000", Loses("[null]", r#"{"type":"Array","head":"1c00000001000080","args":[null]}"#)),
    (Godot2, "15000000 01000080 02000000 05000000", Both(r#"{"type":"Array","shared":true,"args":["i:5"]}"#)),
    (Godot2, "14000000 00000080", Both(r#"{"type":"Dictionary","shared":true,"args":[]}"#)),
    (Docs, "13000000 01000080 00000000", Both(r#"{"type":"Array","shared":true,"args":[null]}"#)),
    (Docs, "13000100 00000000", Both(r#"{"type":"Array","head":"1300010000000000","args":[]}"#)),
    (Godot4, "1b000000 00000080", Both(r#"{"type":"Dictionary","head":"1b00000000000080","args":[]}"#)),
    (Godot4, "1b000000 02000000 02000000 01000000 00000000 02000000 01000000 00000000", Both(r#"{"type":"Dictionary","args":["i:1",null,"i:1",null]}"#)),
    // Containers that are typed by a built-in type, a class or a script.
    (Godot4, "1c000100 02000000 01000000 04000000 01000000 61000000", Both(r#"{"type":"Array","elem_type":"int","args":["s:a"]}"#)),
    (Godot4, "1c000200 04000000 4e6f6465 00000000", Both(r#"{"type":"Array","elem_type":"Node","args":[]}"#)),
    (Godot4, "1c000200 00000000 00000000", Both(r#"{"type":"Array","elem_type":"","args":[]}"#)),
    (Godot4, "1c000300 0a000000 7265733a2f2f742e6764 0000 00000000", Both(r#"{"type":"Array","elem_type":"res://t.gd","args":[]}"#)),
    (Godot4, "1c000300 01000000 74000000 00000000", Both(r#"{"type":"Array","elem_type":"t","head":"1c000300010000007400000000000000","args":[]}"#)),
    (Godot4, "1c000200 05000000 613a2f2f62000000 00000000", Both(r#"{"type":"Array","elem_type":"a://b","head":"1c00020005000000613a2f2f6200000000000000","args":[]}"#)),
    (Godot4, "1c000100 18000000 00000000", Both(r#"{"type":"Array","elem_type":"Object","args":[]}"#)),
    (Godot4, "1c000200 06000000 4f626a6563740000 00000000", Both(r#"{"type":"Array","elem_type":"Object","head":"1c000200060000004f626a656374000000000000","args":[]}"#)),
    (Godot4, "1c000200 03000000 696e7400 00000000", Both(r#"{"type":"Array","elem_type":"int","head":"1c00020003000000696e740000000000","args":[]}"#)),
    // The name of a type that only older engines have is the name of a class in Godot 4.
    (Godot4, "1c000200 0a000000 496e7075744576656e740000 00000000", Both(r#"{"type":"Array","elem_type":"InputEvent","args":[]}"#)),
    (Godot4, "1c000200 03000000 41004200 00000000", Both(r#"{"type":"Array","elem_type":"A","head":"1c000200030000004100420000000000","args":[]}"#)),
    (Godot4, "1c000100 00000000 00000000", Loses("[]", r#"{"type":"Array","head":"1c0001000000000000000000","args":[]}"#)),
    (Godot4, "1b000500 04000000 02000000 01000000 04000000 01000000 61000000 02000000 01000000", Both(r#"{"type":"Dictionary","key_type":"String","value_type":"int","args":["s:a","i:1"]}"#)),
    (Godot4, "1b000400 04000000 00000000", Both(r#"{"type":"Dictionary","value_type":"String","args":[]}"#)),
    (Godot4, "1b000900 04000000 0a000000 7265733a 2f2f612e 67640000 00000000", Both(r#"{"type":"Dictionary","key_type":"String","value_type":"res://a.gd","head":"1b000900040000000a0000007265733a2f2f612e6764000000000000","args":[]}"#)),
    (Godot4, "1b000500 00000000 02000000 00000000", Both(r#"{"type":"Dictionary","value_type":"int","head":"1b000500000000000200000000000000","args":[]}"#)),

    // Packed arrays.
    (Godot4, "1d000000 03000000 010203", Both(r#"{"type":"PackedByteArray","args":[1,2,3]}"#)),
    (Godot4, "1e000000 01000000 ffffffff", Both(r#"{"type":"PackedInt32Array","args":[-1]}"#)),
    (Godot4, "1f000000 01000000 0100000000002000", Both(r#"{"type":"PackedInt64Array","args":[9007199254740993]}"#)),
    (Godot4, "20000000 01000000 cdcccc3d", Both(r#"{"type":"PackedFloat32Array","args":[0.10000000149011612]}"#)),
    (Godot4, "20000000 02000000 0100807f 0000c07f", Both(r#"{"type":"PackedFloat32Array","args":["nan","nan"],"wire":"20000000020000000100807f0000c07f"}"#)),
    (Godot4, "21000000 01000000 9a9999999999b93f", Both(r#"{"type":"PackedFloat64Array","args":[0.1]}"#)),
    (Godot4, "22000000 02000000 02000000 61000000 01000000 00000000", Both(r#"{"type":"PackedStringArray","args":["a",""]}"#)),
    (Godot4, "22000000 01000000 01000000 61000000", Both(r#"{"type":"PackedStringArray","args":["a"],"wire":"22000000010000000100000061000000"}"#)),
    (Docs, "19000000 01000000 01000000 61000000", Both(r#"{"type":"PackedStringArray","args":["a"]}"#)),
    (Docs, "19000000 01000000 02000000 61000000", Both(r#"{"type":"PackedStringArray","args":["a"],"wire":"19000000010000000200000061000000"}"#)),
    (Godot4, "22000000 ffffffff", Both(r#"{"type":"PackedStringArray","args":[],"wire":"22000000ffffffff"}"#)),
    (Godot4, "23000000 01000000 0000803f 00000040", Both(r#"{"type":"PackedVector2Array","args":[1.0,2.0]}"#)),
    (Godot4, "23000100 01000000 000000000000f03f 0000000000000040", Both(r#"{"type":"PackedVector2Array","args":[1.0,2.0],"wide":true}"#)),
    // An empty array in double precision.
    (Godot4, "23000100 00000000", Both(r#"{"type":"PackedVector2Array","args":[],"wide":true}"#)),
    (Godot3, "1a000000 01000000 0000803f 00000000 00000000 0000803f", Both(r#"{"type":"PoolColorArray","args":[1.0,0.0,0.0,1.0]}"#)),
    (Godot2, "16000000 01000000 07", Both(r#"{"type":"RawArray","args":[7]}"#)),
    (Godot2, "17000000 01000000 07000000", Both(r#"{"type":"IntArray","args":[7]}"#)),
    (Godot2, "18000000 01000000 0000003f", Both(r#"{"type":"RealArray","args":[0.5]}"#)),

    // Godot 2 only.
    (Godot2, "0f000000 01000000 02000000 03000000 ffffffff 02000000 0aff0000", Both(r#"{"type":"Image","args":[1,2,3,4294967295,10,255]}"#)),
    (Godot2, "13000000 01000000 00000000 14000000 00000002 05000000", Both(r#"{"type":"InputEvent","args":[1,0,33554432,5]}"#)),
    (Godot2, "13000000 04000000 ffffffff 14000000 00000002 0000003f", Both(r#"{"type":"InputEvent","args":[4,4294967295,33554432,0.5]}"#)),
    (Godot2, "13000000 04000000 00000000 14000000 00000000 0100c07f", Both(r#"{"type":"InputEvent","args":[4,0,0,"nan"],"wire":"13000000040000000000000014000000000000000100c07f"}"#)),
    (Godot2, "13000000 02000000 00000000 0c000000", Both(r#"{"type":"InputEvent","args":[2,0]}"#)),
    (Godot2, "13000000 02000000 00000000 99000000", Both(r#"{"type":"InputEvent","args":[2,0],"wire":"13000000020000000000000099000000"}"#)),
];

/// Consecutive values outside of containers have no separator.
#[test]
fn consecutive_values_print_without_separator() {
    let packet = b"\x01\0\0\0\x01\0\0\0\0\0\0\0";
    let (mut text, mut reader) = (String::new(), Reader::new(packet, Dialect::Godot4));
    let mut printer = Printer::new(&mut text);
    reader.visit(&mut printer).unwrap();
    reader.visit(&mut printer).unwrap();
    assert_eq!(text, "truenull");
}
