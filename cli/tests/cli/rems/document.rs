//! An independent check of the JSON documents of saves. It does not use the library. Instead, it
//! reads the text file with `serde_json`, interprets it according to the description of the format,
//! and compares the document with the result.

use serde_json::{Value as Json, json};

/// Compares a document with the text file. Panics at the first difference.
pub fn same(text: &Json, document: &Json) {
    let (text, objects) = (text.as_array().unwrap(), document["objects"].as_array().unwrap());
    assert_eq!(text.len(), objects.len());
    for (text, object) in text.iter().zip(objects) {
        self::object(text, object["class"].as_str().unwrap(), object);
        assert_eq!(text["class"], object["class"]);
    }
}

fn object(text: &Json, class: &str, object: &Json) {
    assert_eq!(object["class"], class);
    // In case 52, a key occurs twice. `serde_json` keeps only the last value, so compare from the
    // end.
    let mut properties = object["properties"].as_array().unwrap().iter().rev();
    let text = text.as_object().unwrap();
    let mut count = 0;
    for (key, value) in text {
        match key.as_str() {
            "class" => continue,
            "i:*ptr" => {
                assert_eq!(*value, object["pointer"]);
                continue;
            }
            _ => {}
        }
        let (ty, name) = key.split_once(':').unwrap();
        let is_it = |it: &&Json| it["type"] == ty && it["name"] == name;
        let property = properties.clone().find(is_it).unwrap_or_else(|| panic!("no {key}"));
        self::value(ty, value, &property["value"], key);
        count += 1;
    }
    properties.by_ref().for_each(drop);
    let keys = object["properties"].as_array().unwrap();
    let mut keys: Vec<_> =
        keys.iter().map(|it| (it["type"].to_string(), it["name"].to_string())).collect();
    keys.sort();
    keys.dedup();
    assert_eq!(count, keys.len());
}

fn value(ty: &str, text: &Json, found: &Json, key: &str) {
    if let Some(element) = ty.strip_suffix("[]") {
        return array(element, text.as_array().unwrap(), found.as_array().unwrap(), key);
    }
    let expected = match (ty, text) {
        ("b", Json::Number(number)) => json!(number.as_i64() == Some(1)),
        ("b" | "B" | "s" | "i" | "l" | "S" | "R" | "c" | "?", text) => text.clone(),
        ("col", text) => json!(color(text.as_str().unwrap())),
        ("f" | "d", text) => return real(ty, text, found, key),
        (_, Json::Number(pointer)) => json!({ "pointer": pointer }),
        (_, Json::Null) => Json::Null,
        (_, Json::Array(parts)) => return shape(ty, parts, found, key),
        (class, text) => {
            let class = text.get("class").map_or(class, |class| class.as_str().unwrap());
            return object(text, class, found);
        }
    };
    assert_eq!(*found, expected, "{key}");
}

/// Compares an array. Its first element in the text is the count; elements at the end may be
/// omitted.
fn array(ty: &str, text: &[Json], found: &[Json], key: &str) {
    assert_eq!(text[0].as_u64(), Some(found.len() as u64), "{key}");
    let nothing = match ty {
        "b" => json!(false),
        "c" => json!("\0"),
        "S" | "R" => json!(""),
        "col" => json!("#0000"),
        _ if ty.ends_with("[]") => json!([0]),
        _ => json!(0),
    };
    for (at, found) in found.iter().enumerate() {
        value(ty, text.get(at + 1).unwrap_or(&nothing), found, key);
    }
}

fn real(ty: &str, text: &Json, found: &Json, key: &str) {
    let (text, found) = (text.as_f64().unwrap(), found.as_f64().unwrap());
    match ty.ends_with('d') {
        true => assert_eq!(text.to_bits(), found.to_bits(), "{key}"),
        false => assert_eq!((text as f32).to_bits(), (found as f32).to_bits(), "{key}"),
    }
}

/// Compares a vector, a matrix or a box.
fn shape(ty: &str, text: &[Json], found: &Json, key: &str) {
    let found = found.as_array().unwrap();
    let rows = match ty.trim_end_matches(['d', 'f']) {
        "mat2" | "mat3x2" => 2,
        "mat3" | "mat4x3" | "AABB" => 3,
        "mat4" => 4,
        _ => return vector(ty, text, found, key),
    };
    assert_eq!(text.len(), found.len(), "{key}");
    let kind = format!("v{rows}{}", if ty.ends_with('d') { "d" } else { "" });
    for (text, found) in text.iter().zip(found) {
        vector(&kind, text.as_array().unwrap(), found.as_array().unwrap(), key);
    }
}

fn vector(ty: &str, text: &[Json], found: &[Json], key: &str) {
    let size = usize::from(ty.as_bytes()[1] - b'0');
    assert_eq!(found.len(), size, "{key}");
    let filled: Vec<_> = match text {
        [x] => vec![x; size],
        [x, w] if size == 4 => vec![x, x, x, w],
        all => all.iter().collect(),
    };
    assert_eq!(filled.len(), size, "{key}");
    for (text, found) in filled.into_iter().zip(found) {
        match ty.ends_with('i') {
            true => assert_eq!(text, found, "{key}"),
            false => real(ty, text, found, key),
        }
    }
}

/// Converts a colour with 3, 4, 6 or 8 digits to `#aarrggbb`.
fn color(text: &str) -> String {
    let digits = text.strip_prefix('#').unwrap();
    let twice = |digits: &str| digits.chars().flat_map(|digit| [digit, digit]).collect::<String>();
    match digits.len() {
        3 => format!("#ff{}", twice(digits)),
        4 => format!("#{}", twice(digits)),
        6 => format!("#ff{digits}"),
        _ => format!("#{digits}"),
    }
}
