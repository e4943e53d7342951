//! Parses typed containers in Godot's text notation: elements are converted to the declared type,
//! and errors have the right position.

use gamewire::godot::Variant;
use gamewire::godot::notation::{ErrorKind, Reading};

fn default(text: &str) -> Result<Variant, ErrorKind> {
    Reading::default().read(text).map_err(|error| *error.kind())
}

fn engine(text: &str) -> Variant {
    Reading::default().as_the_engine().read(text).unwrap()
}

/// Returns the text of a typed array.
fn array(of: &str, items: &str) -> String {
    format!("Array[{of}]([{items}])")
}

#[test]
fn lossless_element_conversions_are_accepted() {
    for (of, items, becomes) in [
        ("int", "1, 2.0, true", "1, 2, 1"),
        ("bool", "0, 1, 0.5, -0.0, true", "false, true, true, false, true"),
        ("float", "1, true, 0.5", "1.0, 1.0, 0.5"),
        ("Vector2", "Vector2i(1, -2)", "Vector2(1, -2)"),
        ("Vector2i", "Vector2(1, -2)", "Vector2i(1, -2)"),
        ("Vector3", "Vector3i(1, 2, 3)", "Vector3(1, 2, 3)"),
        ("Vector3i", "Vector3(1, 2, 3)", "Vector3i(1, 2, 3)"),
        ("Vector4", "Vector4i(1, 2, 3, 4)", "Vector4(1, 2, 3, 4)"),
        ("Vector4i", "Vector4(1, 2, 3, 4)", "Vector4i(1, 2, 3, 4)"),
        ("Rect2", "Rect2i(1, 2, 3, 4)", "Rect2(1, 2, 3, 4)"),
        ("Rect2i", "Rect2(1, 2, 3, 4)", "Rect2i(1, 2, 3, 4)"),
        ("String", "&\"a\", NodePath(\"/b/c:d\")", "\"a\", \"/b/c:d\""),
        ("StringName", "\"a\"", "&\"a\""),
        ("NodePath", "\"a/b:c\"", "NodePath(\"a/b:c\")"),
        ("Color", "\"#f00\", \"00ff0080\"", "Color(1, 0, 0, 1), Color(0, 1, 0, 0.5019608)"),
        ("Color", "4278190335, 65280", "Color(1, 0, 0, 1), Color(0, 0, 1, 0)"),
        ("PackedByteArray", "[1, 2.0, true]", "PackedByteArray(1, 2, 1)"),
        ("PackedInt32Array", "[-1, 2.0], []", "PackedInt32Array(-1, 2), PackedInt32Array()"),
        ("PackedInt64Array", "[5000000000]", "PackedInt64Array(5000000000)"),
        ("PackedFloat32Array", "[1, 0.5]", "PackedFloat32Array(1, 0.5)"),
        ("PackedFloat64Array", "[true, 0.1]", "PackedFloat64Array(1, 0.1)"),
        ("PackedStringArray", "[\"a\", &\"b\"]", "PackedStringArray(\"a\", \"b\")"),
        ("PackedVector2Array", "[Vector2(1, 2), Vector2i(3, 4)]", "PackedVector2Array(1, 2, 3, 4)"),
        ("PackedVector3Array", "[Vector3(1, 2, 3)]", "PackedVector3Array(1, 2, 3)"),
        ("PackedVector4Array", "[Vector4i(1, 2, 3, 4)]", "PackedVector4Array(1, 2, 3, 4)"),
        ("PackedColorArray", "[Color(1, 0, 0.5, 1)]", "PackedColorArray(1, 0, 0.5, 1)"),
        ("Array", "PackedInt32Array(1, 2)", "[1, 2]"),
        ("Array", "PackedByteArray(7)", "[7]"),
        ("Array", "PackedFloat64Array(0.5)", "[0.5]"),
        ("Array", "PackedStringArray(\"a\", \"b\")", "[\"a\", \"b\"]"),
        ("Array", "PackedVector2Array(1, 2, 3, 4)", "[Vector2(1, 2), Vector2(3, 4)]"),
        ("Array", "PackedVector3Array(1, 2, 3)", "[Vector3(1, 2, 3)]"),
        ("Array", "PackedColorArray(1, 0, 0, 1)", "[Color(1, 0, 0, 1)]"),
    ] {
        let (text, becomes) = (array(of, items), array(of, becomes));
        let read = default(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(read.to_string(), becomes, "{text}");
        assert_eq!(engine(&text).to_string(), becomes, "{text}");
    }
    let pairs = "Dictionary[int, Vector2]({2.0: Vector2i(1, 2)})";
    let becomes = "Dictionary[int, Vector2]({\n2: Vector2(1, 2)\n})";
    assert_eq!(default(pairs).unwrap().to_string(), becomes);
    assert_eq!(engine(pairs).to_string(), becomes);
}

/// By default, a conversion that loses information is an error. With [`Reading::as_the_engine`],
/// numbers are truncated, and an invalid colour becomes black. In a packed array, an item of a
/// wrong type becomes zero; any other element of a wrong type removes all elements of its
/// container.
#[test]
fn lossy_element_conversions_are_rejected_by_default() {
    for (of, items, engines) in [
        ("int", "1, 1.5", "1, 1"),
        ("int", "\"1\"", ""),
        ("int", "1, null", ""),
        ("bool", "nan", "true"),
        ("Vector2i", "Vector2(1.5, -1.5)", "Vector2i(1, -1)"),
        ("Vector2", "Vector3(1, 2, 3)", ""),
        ("NodePath", "&\"a\"", ""),
        ("StringName", "NodePath(\"a\")", ""),
        ("Color", "\"#12\"", "Color(0, 0, 0, 1)"),
        ("Color", "Vector4(1, 2, 3, 4)", ""),
        ("PackedByteArray", "[300]", "PackedByteArray(44)"),
        ("PackedInt32Array", "[\"x\", 1]", "PackedInt32Array(0, 1)"),
        ("PackedVector2Array", "[5, Vector2(1, 2)]", "PackedVector2Array(0, 0, 1, 2)"),
        ("PackedColorArray", "[null]", "PackedColorArray(0, 0, 0, 1)"),
        ("PackedInt32Array", "5", ""),
        ("Array", "5", ""),
        ("Dictionary", "[]", ""),
        ("RID", "5", ""),
    ] {
        let text = array(of, items);
        assert_eq!(default(&text).unwrap_err(), ErrorKind::ElementType, "{text}");
        assert_eq!(engine(&text).to_string(), array(of, engines), "{text}");
    }
    let pairs = "Dictionary[int, int]({1: 2, \"x\": 3})";
    assert_eq!(default(pairs).unwrap_err(), ErrorKind::ElementType);
    assert_eq!(engine(pairs).to_string(), "Dictionary[int, int]({})");
}

#[test]
fn string_escapes_are_decoded_or_rejected() {
    let text = r#""\a\b\t\n\f\r\"\\\'\q\u00e4\U01f600é""#;
    let expected = "a\u{8}\t\n\u{C}\r\"\\'q\u{e4}\u{1f600}é";
    assert_eq!(default(text).unwrap(), expected.into());
    for broken in ["\"a\0b\"", "\"\\\0\"", "\"\\", "\"\\u12\"", "\"\\u12g4\"", "\"a"] {
        assert_eq!(default(broken).unwrap_err(), ErrorKind::BadString, "{broken:?}");
    }
}

#[test]
fn errors_state_the_expected_token() {
    for (text, wanted) in [
        ("Object(Node,5)", "the name of a property or `)`"),
        ("Object(Node,\"a\" 5)", "`:`"),
        ("Object(Node,\"a\":5 6)", "`,` or `)`"),
        ("{1: 2 3}", "`,` or `}`"),
        ("[1 2]", "`,` or `]`"),
        ("NodePath(5)", "a string"),
        ("NodePath(\"a\" 5)", "`)`"),
        ("PackedStringArray(5)", "a string"),
        ("Array[int](5)", "`[`"),
    ] {
        let error = default(text).unwrap_err();
        assert_eq!(error, ErrorKind::Expected(wanted), "{text}");
        assert_eq!(error.to_string(), format!("{wanted} was expected"));
    }
    for (text, kind, message) in [
        (
            "Vector2(1)",
            ErrorKind::PartCount(1),
            "the wrong number of arguments for the type (surplus or missing: 1)",
        ),
        ("#12345", ErrorKind::BadColor, "a colour needs 3, 4, 6 or 8 hexadecimal digits"),
        ("1e", ErrorKind::BadNumber, "a number that cannot be read"),
        ("PackedByteArray(256)", ErrorKind::OutOfRange, "an integer that does not fit here"),
        ("5 6", ErrorKind::TrailingText, "unexpected text after the value"),
        ("?", ErrorKind::BadCharacter, "a character that has no meaning here"),
        ("Vector9(1)", ErrorKind::UnknownName, "a name that is neither a value nor a type here"),
    ] {
        let error = default(text).unwrap_err();
        assert_eq!((error, error.to_string().as_str()), (kind, message), "{text}");
    }
}

#[test]
fn byte_arrays_are_decoded_from_strict_base64() {
    let bytes = |text: &str| default(&format!("PackedByteArray(\"{text}\")"));
    for (text, expected) in [
        ("", &[] as &[u8]),
        ("AQ==", &[1]),
        ("AQI=", &[1, 2]),
        ("AQID", &[1, 2, 3]),
        ("+/+/", &[0xFB, 0xFF, 0xBF]),
        ("AQ  \nI=", &[1, 2]),
        ("AR==", &[1]), // the unused bits are not zero
    ] {
        assert_eq!(bytes(text), Ok(expected.into()), "{text}");
    }
    for text in ["A", "AQ", "AQ=", "A===", "====", "AQ==AQID", "AQI-", "=AQI", "A=I="] {
        assert_eq!(bytes(text), Err(ErrorKind::BadBase64), "{text}");
    }
}

/// With [`Reading::as_the_engine`], an element of a packed array is converted as in Godot 4.6.3,
/// which gave the same results for these texts.
#[test]
fn elements_of_packed_arrays_convert_as_in_the_engine() {
    for (text, becomes) in [
        (
            r##"Array[PackedVector2Array]([[Vector3(1,2,3), Vector3i(1,2,3), Vector4(1,2,3,4), Vector4i(1,2,3,4), Vector2i(5,6), Rect2(1,2,3,4), "x"]])"##,
            r##"Array[PackedVector2Array]([PackedVector2Array(1, 2, 1, 2, 1, 2, 1, 2, 5, 6, 0, 0, 0, 0)])"##,
        ),
        (
            r##"Array[PackedVector3Array]([[Vector2(1,2), Vector2i(1,2), Vector4(1,2,3,4), Vector4i(1,2,3,4), Vector3i(5,6,7), "x"]])"##,
            r##"Array[PackedVector3Array]([PackedVector3Array(1, 2, 0, 1, 2, 0, 1, 2, 3, 1, 2, 3, 5, 6, 7, 0, 0, 0)])"##,
        ),
        (
            r##"Array[PackedVector4Array]([[Vector2(1,2), Vector2i(1,2), Vector3(1,2,3), Vector3i(1,2,3), Vector4i(5,6,7,8), "x"]])"##,
            r##"Array[PackedVector4Array]([PackedVector4Array(1, 2, 0, 0, 1, 2, 0, 0, 1, 2, 3, 0, 1, 2, 3, 0, 5, 6, 7, 8, 0, 0, 0, 0)])"##,
        ),
        (
            r##"Array[PackedInt64Array]([["12", "a1b2", "-5", "--5", "1.9", "1e3", "", "99999999999999999999", "-99999999999999999999", " 7", "0x10", "5-3", "-", "９"]])"##,
            r##"Array[PackedInt64Array]([PackedInt64Array(12, 12, -5, 5, 1, 13, 0, 9223372036854775807, -9223372036854775808, 7, 10, 53, 0, 0)])"##,
        ),
        (
            r##"Array[PackedInt32Array]([["4294967297", "-5", 4294967297, 1e20, nan, inf]])"##,
            r##"Array[PackedInt32Array]([PackedInt32Array(1, -5, 1, -2147483648, -2147483648, -2147483648)])"##,
        ),
        (
            r##"Array[PackedByteArray]([["257", "-1", true, null]])"##,
            r##"Array[PackedByteArray]([PackedByteArray(1, 255, 1, 0)])"##,
        ),
        (
            r##"Array[PackedFloat64Array]([["1.5", "1.5x", "x1.5", " 2.5", "1e3", "-.5", "", "inf", "nan", "0x10", "1_000", "+3"]])"##,
            r##"Array[PackedFloat64Array]([PackedFloat64Array(1.5, 1.5, 0, 2.5, 1000, -0.5, 0, 0, 0, 0, 1, 3)])"##,
        ),
        (
            r##"Array[PackedFloat32Array]([["0.1", "1e39", 0.1]])"##,
            r##"Array[PackedFloat32Array]([PackedFloat32Array(0.1, inf, 0.1)])"##,
        ),
        (
            r##"Array[PackedColorArray]([[255, "red", "#ff000080", "f00", -1, Color(1,0,0,1), true, 1.5, Vector4(1,2,3,4), &"red"]])"##,
            r##"Array[PackedColorArray]([PackedColorArray(0, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0.5019608, 1, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)])"##,
        ),
        (
            r##"Array[PackedInt32Array]([[4294967297.0, 2147483648.0, -2147483649.0, 4294967297, 2147483648, 3e9]])"##,
            r##"Array[PackedInt32Array]([PackedInt32Array(-2147483648, -2147483648, -2147483648, 1, -2147483648, -2147483648)])"##,
        ),
        (
            r##"Array[PackedByteArray]([[300.7, 1e20, -1.5, 4294967297.0, 4294967301]])"##,
            r##"Array[PackedByteArray]([PackedByteArray(44, 0, 255, 0, 5)])"##,
        ),
        (
            r##"Array[PackedInt64Array]([[1e19, nan, -1e19, "0-5", "1-5", "9223372036854775808", "9223372036854775807", "-9223372036854775808","92233720368547758070", "5.-3", "1.5e3", "½1", "1\n2"]])"##,
            r##"Array[PackedInt64Array]([PackedInt64Array(-9223372036854775808, -9223372036854775808, -9223372036854775808, -5, 15, -9223372036854775808, 9223372036854775807, -9223372036854775808, 9223372036854775807, 5, 1, 1, 12)])"##,
        ),
        (
            r##"Array[PackedFloat64Array]([["1e5x", "1e", "1e+2", "1E2", "+-3", "--3", ".", "-", "1..2", "1.2.3", "\t5", "\n6", "１", "1e400", "123456789012345678901234567890", "e5"]])"##,
            r##"Array[PackedFloat64Array]([PackedFloat64Array(100000, 1, 100, 100, 0, 0, 0, 0, 1, 1.2, 5, 6, 0, inf, 1.2345678901234568e+29, 0)])"##,
        ),
        (
            r##"Array[PackedFloat32Array]([[1e39, "16777217", 2, 16777217]])"##,
            r##"Array[PackedFloat32Array]([PackedFloat32Array(inf, 16777216, 2, 16777216)])"##,
        ),
        (
            r##"Array[PackedInt32Array]([[&"1", NodePath("1"), Vector2(1,2), [1]]])"##,
            r##"Array[PackedInt32Array]([PackedInt32Array(0, 0, 0, 0)])"##,
        ),
        (
            r##"Array[PackedStringArray]([["ab", &"b", NodePath("c/d:e"), NodePath("/a"), null, true, false]])"##,
            r##"Array[PackedStringArray]([PackedStringArray("ab", "b", "c/d:e", "/a", "<null>", "true", "false")])"##,
        ),
    ] {
        assert_eq!(engine(text).to_string(), becomes, "{text}");
    }
}

/// Godot 4.6.3 gave the same results for these texts.
#[test]
fn text_converts_to_a_colour_by_name() {
    for (text, becomes) in [
        (
            r##"Array[Color](["#+12345", "+12345", "LIGHT_gray", "l-i g.h't_gray", "ıvory", "ſnow", "#red", "white/gray", "GREY", "transparent", "alice\tblue", "red\u0000x", "Ivory", "ﬀ"])"##,
            r##"Array[Color]([Color(0, 0, 0, 1), Color(0, 0, 0, 1), Color(0.827451, 0.827451, 0.827451, 1), Color(0.827451, 0.827451, 0.827451, 1), Color(1, 1, 0.9411765, 1), Color(1, 0.98039216, 0.98039216, 1), Color(0, 0, 0, 1), Color(0, 0, 0, 1), Color(0, 0, 0, 1), Color(1, 1, 1, 0), Color(0, 0, 0, 1), Color(0, 0, 0, 1), Color(1, 1, 0.9411765, 1), Color(0, 0, 0, 1)])"##,
        ),
        (
            r##"Dictionary[Color, Color]({"red":"blue", 255: "#000"})"##,
            r##"Dictionary[Color, Color]({ Color(1, 0, 0, 1): Color(0, 0, 1, 1), Color(0, 0, 0, 1): Color(0, 0, 0, 1) })"##,
        ),
        (r##"Array[Color](["red", 1.5])"##, r##"Array[Color]([])"##),
        (r##"Array[Color]([&"red"])"##, r##"Array[Color]([])"##),
    ] {
        assert_eq!(engine(text).to_string().replace('\n', " "), becomes, "{text}");
    }
    assert_eq!(default(r#"Array[Color](["x"])"#), Err(ErrorKind::ElementType));
    assert_eq!(default(r#"Array[Color](["+12345"])"#), Err(ErrorKind::ElementType));
    let red = default(r#"Array[Color](["red"])"#).unwrap();
    assert_eq!(red.to_string(), "Array[Color]([Color(1, 0, 0, 1)])");
}

/// The crate does not support these conversions: the engine converts the elements to text that is
/// meant for people.
#[test]
fn an_unsupported_conversion_is_an_error() {
    for item in ["1", "1.5", "Vector2(1, 2)", "[1]", "{}"] {
        let text = array("PackedStringArray", &std::format!("[{item}]"));
        let error = Reading::default().as_the_engine().read(&text).unwrap_err();
        assert_eq!(*error.kind(), ErrorKind::ElementType, "{text}");
    }
}
