//! Expensive texts in Godot's text notation and JSON.

use super::{Shape, many, shape};

/// Returns the text of an array of values, each with up to 1,020 levels inside.
fn deep(size: usize, head: &str, inside: &str, tail: &str) -> Vec<u8> {
    let depth = (size / (head.len() + tail.len())).min(1020);
    let one = [&head.repeat(depth), inside, &tail.repeat(depth)].concat();
    let count = (size / one.len()).max(1);
    format!("[{}]", vec![one; count].join(",")).into_bytes()
}

/// Returns shapes of texts, most of them in the notation of `var_to_str`.
pub fn texts() -> Vec<Shape> {
    let nested = |name, head: &'static str, tail: &'static str| {
        shape(name, move |size| deep(size, head, "1", tail))
    };
    vec![
        repeated("blanks", "", " ", "1"),
        repeated("a comment", ";", "x", "\n1"),
        repeated("comments", "", ";\n", "1"),
        repeated("a long text", "\"", "a", "\""),
        repeated("a text of escapes", "\"", "\\u00e9", "\""),
        repeated("a text without an end", "\"", "a", ""),
        repeated("a long word", "", "a", ""),
        repeated("digits", "", "1", ""),
        repeated("digits behind a point", "0.", "1", ""),
        repeated("a long exponent", "1e", "1", ""),
        repeated("signs", "", "-", "1"),
        repeated("empty arrays", "[", "[],", "[]]"),
        repeated("floats", "[", "0.1,", "1]"),
        repeated("long floats", "[", "0.1234567890123456789012345678901234567890,", "1]"),
        repeated("small floats", "[", "4.9e-324,", "1]"),
        repeated("empty dictionaries", "[", "{},", "{}]"),
        repeated("vectors", "[", "Vector2(1,2),", "1]"),
        repeated("packed texts", "PackedStringArray(", "\"\",", "\"\")"),
        repeated("too many numbers", "Vector2(", "1,", "1)"),
        repeated("a typed array", "Array[int]([", "1.5,", "1])"),
        repeated("the same key again", "{", "\"a\":1,", "\"a\":1}"),
        repeated("properties", "Object(A,", "\"a\":1,", "\"a\":1)"),
        shape("different keys", |size| many(size, "{", |n| format!("{n}:1,"), "\"\":1}")),
        shape("different texts", |size| {
            many(size, "{", |n| format!("\"{:x}\":1,", n * 0x9E37_79B1), "\"\":1}")
        }),
        nested("deep arrays", "[", "]"),
        nested("deep dictionaries", "{1:", "}"),
        nested("deep in keys", "{", ":1}"),
        nested("deep typed arrays", "Array[Array]([", "])"),
        nested("deep objects", "Object(A,\"b\":", ")"),
        repeated("brackets that stay open", "", "[", ""),
        repeated("braces that stay open", "", "{1:", ""),
        repeated("parentheses that stay open", "", "Vector2(", ""),
    ]
}

/// Returns shapes of texts in Godot's JSON notation.
pub fn json_texts() -> Vec<Shape> {
    let nested = |name, head: &'static str, tail: &'static str| {
        shape(name, move |size| {
            let text = String::from_utf8(deep(size, head, "null", tail)).unwrap();
            format!(r#"{{"type":"Array","args":{text}}}"#).into_bytes()
        })
    };
    vec![
        nested("arrays in arrays", r#"{"type":"Array","args":["#, "]}"),
        nested("args before types", r#"{"args":["#, r#"],"type":"Array"}"#),
        nested("dictionaries in values", r#"{"type":"Dictionary","args":["i:1","#, "]}"),
        nested("dictionaries in keys", r#"{"type":"Dictionary","args":["#, r#","i:1"]}"#),
        nested("objects in objects", r#"{"type":"A","props":["s:b","#, "]}"),
        repeated("members that mean nothing", "{", r#""a":[[]],"#, r#""type":"Nil"}"#),
        repeated("types again and again", "{", r#""type":"Array","#, r#""args":[]}"#),
        repeated("args again and again", "{", r#""args":[],"#, r#""type":"Array"}"#),
        repeated("ints", r#"{"type":"Array","args":["#, r#""i:1","#, r#""i:1"]}"#),
        repeated("packed ints", r#"{"type":"PackedInt64Array","args":["#, "1,", "1]}"),
        repeated("texts", r#"{"type":"Array","args":["#, r#""s:","#, r#""s:"]}"#),
        repeated("base64", r#"{"type":"PackedByteArray","args":[""#, "AAAA", r#""]}"#),
        repeated("a NodePath", r#""np:"#, "a/", r#"b""#),
    ]
}

/// Returns a shape of texts that consist of a head, many repetitions of a piece, and a tail.
fn repeated(
    name: &'static str,
    head: &'static str,
    piece: &'static str,
    tail: &'static str,
) -> Shape {
    shape(name, move |size| many(size, head, |_| piece.into(), tail))
}

/// Returns shapes of configuration files.
pub fn configs() -> Vec<Shape> {
    let numbered =
        |name, piece: fn(usize) -> String| shape(name, move |size| many(size, "", piece, ""));
    vec![
        repeated("comments of a file", "", ";\n", "a=1"),
        repeated("the same key in a file", "", "a=1\n", ""),
        repeated("values that end at a key", "", "a=1", ""),
        repeated("a key of many lines", "", "a\n", "=1"),
        repeated("a key of comments", "a", ";\n", "=1"),
        repeated("a key of strings", "", "\"a\"", "=1"),
        repeated("a key of escapes", "\"", "\\\"", "\"=1"),
        repeated("a key outside of ASCII", "", "ü", "=1"),
        repeated("a key without a value", "a=1\n", "b", ""),
        repeated("removed keys", "", "a=1\na=null\n", ""),
        repeated("one section again and again", "", "[a]\nb=1\n", ""),
        repeated("escapes in a section", "[", "\\]", "]\na=1"),
        repeated("a section without an end", "[", "a", ""),
        repeated("colours", "", "a=#fff\n", ""),
        shape("entries of a long section", |size| {
            let head = format!("[{}]\n", "\\]".repeat(size / 4));
            many(size, &head, |_| "a=1\n".into(), "")
        }),
        numbered("different keys in a file", |n| format!("{n:x}=1\n")),
        numbered("different sections", |n| format!("[{n:x}]\na=1\n")),
        numbered("sections without entries", |n| format!("[{n:x}]")),
        shape("a long value", |size| many(size, "a=[", |_| "1,".into(), "1]")),
        shape("a value without an end", |size| many(size, "a=", |_| "[".into(), "")),
    ]
}
