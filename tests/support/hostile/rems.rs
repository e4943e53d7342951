//! Expensive saves of Rem's Engine.

use super::{Shape, many, shape};
use gamewire::rems::{BinaryWriter, ConvertOptions, Era, Plan, TextReader, convert};

/// Converts a text save to a binary stream.
pub fn to_binary(text: &[u8]) -> Option<Vec<u8>> {
    let plan = Plan::of(&mut TextReader::new(text)).ok()?;
    let mut writer = BinaryWriter::new(Vec::new(), Era::October2024).fill_limit(0);
    let options = ConvertOptions { force: true, colors: true };
    convert(&mut TextReader::new(text), &mut writer, &plan, options, drop).ok()?;
    writer.finish().ok()
}

/// Returns a list of objects, each with up to 120 levels of nested values.
fn deep(size: usize, head: &str, tail: &str) -> Vec<u8> {
    let depth = (size / (head.len() + tail.len())).min(120);
    let one = format!(r#"{{"class":"A","A:b":{}null{}}}"#, head.repeat(depth), tail.repeat(depth));
    format!("[{}]", vec![&*one; (size / one.len()).max(1)].join(",")).into_bytes()
}

/// Returns shapes of text saves.
pub fn shapes() -> Vec<Shape> {
    let repeated = |name, head: &'static str, piece: fn(usize) -> String, tail: &'static str| {
        shape(name, move |size| many(size, head, piece, tail))
    };
    let array_of = |name, ty: &'static str, item: &'static str| {
        shape(name, move |size| {
            let count = size / item.len();
            let items = item.repeat(count);
            format!(r#"[{{"class":"A","{ty}":[{count}{items}]}}]"#).into_bytes()
        })
    };
    vec![
        repeated("objects", "[", |_| r#"{"class":"A"},"#.into(), r#"{"class":"A"}]"#),
        repeated("numbers", r#"[{"class":"A""#, |_| r#","i:x":1"#.into(), "}]"),
        repeated("different names", r#"[{"class":"A""#, |n| format!(r#","i:x{n}":1"#), "}]"),
        repeated(
            "different classes",
            "[",
            |n| format!(r#"{{"class":"A{n}","i:x":1}},"#),
            r#"{"class":"A"}]"#,
        ),
        shape("classes that go on where others end", |size| {
            let count = size.isqrt();
            many(
                size,
                "[",
                |n| format!(r#"{{"class":"{}"}},"#, "a".repeat(n % count + 1)),
                r#"{"class":"A"}]"#,
            )
        }),
        shape("one long class again and again", |size| {
            let class = "a".repeat(size / 4);
            let head = format!(r#"[{{"class":"{class}"}}"#);
            many(size, &head, |_| format!(r#",{{"class":"{class}"}}"#), "]")
        }),
        repeated("a long text", r#"[{"class":"A","S:t":""#, |_| "a".into(), "\"}]"),
        repeated("a text of escapes", r#"[{"class":"A","S:t":""#, |_| "\\u00e9".into(), "\"}]"),
        repeated("a text without an end", r#"[{"class":"A","S:t":""#, |_| "a".into(), ""),
        array_of("texts", "S[]:t", ",\"\""),
        array_of("floats", "f[]:t", ",0.1234567"),
        repeated("long numbers", r#"[{"class":"A","d:t":0."#, |_| "1".into(), "}]"),
        array_of("rows", "i[][]:t", ",[2,1,2]"),
        array_of("empty rows", "i[][]:t", ",[0]"),
        repeated(
            "arrays that claim much",
            r#"[{"class":"A""#,
            |_| r#","i[]:t":[2000000000]"#.into(),
            "}]",
        ),
        repeated(
            "lists that claim much",
            r#"[{"class":"A""#,
            |_| r#","A[]:t":[2000000000]"#.into(),
            "}]",
        ),
        array_of("elements", "A[]:t", ",{}"),
        repeated(
            "numbered from the end",
            "[",
            |n| format!(r#"{{"class":"A","i:*ptr":{},"A:a":{}}},"#, 90_000 - n, n),
            r#"{"class":"A"}]"#,
        ),
        repeated(
            "the same number again",
            "[",
            |_| r#"{"class":"A","i:*ptr":1,"A:a":1},"#.into(),
            r#"{"class":"A"}]"#,
        ),
        repeated("blanks", "[", |_| " ".into(), r#"{"class":"A"}]"#),
        shape("deep objects", |size| deep(size, r#"{"A:b":"#, "}")),
        shape("deep lists", |size| {
            let head = r#"{"A[]:b":[1,"#;
            deep(size, head, "]}")
        }),
        repeated("objects that stay open", "[", |_| r#"{"class":"A","A:b":"#.into(), ""),
        repeated("brackets that stay open", r#"[{"class":"A","i[][]:b":"#, |_| "[".into(), ""),
    ]
}
