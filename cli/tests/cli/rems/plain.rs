//! Tests the conversion of saves to JSON without types.

use super::{cases, has};
use crate::command::{Ran, root, run, run_on, shown};
use serde_json::{Map, Value as Json, json};
use std::fs;

const TO_JSON: [&str; 4] = ["rems", "convert", "--to", "json"];

fn plain(input: &str) -> Ran {
    run(&[&TO_JSON[..], &[input, "-"]].concat())
}

fn plain_of(text: &[u8]) -> Ran {
    run_on(&[&TO_JSON[..], &["-", "-"]].concat(), text)
}

/// Returns the content of a typed document without the types.
fn without_types(document: &Json) -> Json {
    match document {
        Json::Array(elements) => elements.iter().map(without_types).collect(),
        Json::Object(object) => match object.get("properties") {
            Some(properties) => self::object(object, properties),
            None => json!({ "*ptr": object["pointer"] }),
        },
        other => other.clone(),
    }
}

fn object(object: &Map<String, Json>, properties: &Json) -> Json {
    let mut plain = Map::new();
    plain.insert("class".into(), object["class"].clone());
    if let Some(number) = object.get("pointer") {
        plain.insert("*ptr".into(), number.clone());
    }
    for property in properties.as_array().unwrap() {
        let name = match property["name"].as_str().unwrap() {
            "class" => ":class",
            name => name,
        };
        plain.insert(name.into(), without_types(&property["value"]));
    }
    plain.into()
}

fn real() -> Vec<String> {
    let folder = "corpus/rems/real";
    let files = fs::read_dir(root(folder)).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let paths = names.filter(|name| name.ends_with(".json")).map(|name| format!("{folder}/{name}"));
    let paths: Vec<_> = paths.collect();
    assert_eq!(paths.len(), 18);
    paths
}

#[test]
fn document_without_types() {
    let mut files = real();
    for (year, count) in [("2021", 35), ("2026", 38)] {
        for end in [".text.json", ".binary.bin"] {
            files.extend(cases(year, end, count).into_iter().map(|stem| stem + end));
        }
    }
    // Ignore a text file that no engine reads.
    files.retain(|file| !file.ends_with("53_class_named_like_primitive.text.json"));
    for file in files {
        let (ran, typed) = (plain(&file), run(&["json", &file]));
        assert_eq!(ran.code, Some(0), "{file}: {}", ran.err);
        let found: Json = serde_json::from_str(&ran.out).unwrap();
        let typed: Json = serde_json::from_str(&typed.out).unwrap();
        assert_eq!(found, without_types(&typed["objects"]), "{file}");
        let lossy = ["nan_inf", "aabb_empty", "duplicate", "dangling"]
            .iter()
            .any(|case| file.contains(case));
        let mut warnings = ran.err.lines().filter(|line| !line.contains("read as of"));
        assert_eq!(warnings.next().is_some(), lossy, "{file}: {}", ran.err);
    }
}

#[test]
fn values() {
    let text = br##"[{"class":"T","*ptr":0,"S:a":"x\ty","c:b":"A","col:c":"#f80","b[]:d":[3,1],
        "v3[]:e":[2,[1,2,3]],"S[]:f":[3,"x"],"S[][]:g":[2,[1,"y"]],"K[]:h":[3,{"ptr":7},7],"K:i":0,
        "?:j":null,"l:k":9007199254740993,"i:*ptr":4,"f:m":0.1,"d:n":0.1,"mat2:o":[[1,2],[3]]}]"##;
    let found: Json = serde_json::from_str(&shown(plain_of(text))).unwrap();
    let expected = json!([{
        "class": "T", "a": "x\ty", "b": "A", "c": "#ffff8800", "d": [true, false, false],
        "e": [[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]], "f": ["x", "", ""], "g": [["y"], []],
        "h": [{ "class": "K", "*ptr": 7 }, { "*ptr": 7 }, null], "i": null, "j": null,
        "k": 9007199254740993_i64, ":*ptr": 4, "m": 0.1, "n": 0.1,
        "o": [[1.0, 2.0], [3.0, 3.0]],
    }]);
    assert_eq!(found, expected);
    assert_eq!(shown(plain_of(b"[]")), "[]\n");
}

#[test]
fn reported_losses() {
    let text = b"[{\"class\":\"T\xE4\",\"S:a\":\"b\xF6se\",\"f:x\":NaN,\"v2:y\":[-Infinity,1],\
        \"i:z\":1,\"f:z\":2,\"i:*ptr\":1,\"i::*ptr\":2}]";
    let ran = plain_of(text);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    has(&ran.out, &["\"T\u{FFFD}\"", "\"b\u{FFFD}se\"", "\"x\": \"NaN\"", "[\"-inf\",1.0]"]);
    has(&ran.out, &["\"z\": 1,\n    \"z\": 2.0"]);
    has(
        &ran.err,
        &[
            "warning: <stdin>: bytes that are not UTF-8 become U+FFFD, 2 times, at offsets 1 (0x1), ",
            "warning: <stdin>: NaN and infinities become text, since JSON has no such numbers, 2 times",
            "warning: <stdin>: an object has two properties of this name: most JSON readers keep only \
             the last, 2 times, at offsets ",
        ],
    );
    assert_eq!(ran.err.lines().count(), 3);
}

/// Checks that nothing is written for malformed values, truncated files and too many omitted
/// elements.
#[test]
fn rejected_input() {
    for (text, why) in [
        (&br#"[{"class":"T","i:a":5,"i:b":x}]"#[..], "offset 28 (0x1c): malformed number"),
        (br#"[{"class":"T","i:a":5"#, "the input ends"),
        (
            br#"[{"class":"T","i[]:a":[2147483647]}]"#,
            "the file omits 2147483647 declared elements, which exceeds the limit of 65536",
        ),
        (br#"[{"class":"T","S[]:a":[65538,"x"]}]"#, "the file omits 65537 declared elements"),
        (br#"[{"class":"T","K[][]:a":[70000]}]"#, "the file omits 70000 declared elements"),
    ] {
        let ran = plain_of(text);
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{}", ran.err);
        has(&ran.err, &["error: <stdin>: ", why]);
    }
    let some = |count: usize| {
        let arrays = r#","i[]:a":[65536]"#.repeat(count);
        plain_of(format!(r#"[{{"class":"T"{arrays}}}]"#).as_bytes())
    };
    assert_eq!(some(16).code, Some(0));
    let ran = some(17);
    has(&ran.err, &["the file omits 65536 declared elements, which exceeds the limit of 1048576"]);
}

#[test]
fn maximum_readable_depth() {
    let depth = 127;
    let (open, close) = (r#"{"T[]:c":[1,"#.repeat(depth), "]}".repeat(depth));
    let text = format!(r#"[{{"class":"T","T:c":{open}{{}}{close}}}]"#);
    let found = shown(plain_of(text.as_bytes()));
    assert_eq!(found.matches("\"class\"").count(), depth + 2);
}
