//! Asserts that conversions keep every value and the target of every pointer, or report what is
//! lost.

use gamewire::rems::{
    Compared, ConvertOptions, Dialect, Difference, Era, FileFormat, ItemSource, OutputFormat, Plan,
    Pointers, Reader, Tables, TextReader, Unreadable, WriteError, WriteErrorKind, convert_to_vec,
    rewrite_to_vec, verify,
};

const TEXT: OutputFormat = OutputFormat::Text(Dialect::Engine2026);
const TEXT_2021: OutputFormat = OutputFormat::Text(Dialect::Engine2021);
const BINARY: OutputFormat = OutputFormat::Binary(Era::October2024);

fn reader<'t, 'a>(bytes: &'a [u8], tables: &'t mut Tables) -> Reader<'t, 'a> {
    Reader::new(bytes, Era::October2024, tables)
}

/// Converts a save. Returns the result and the reasons for all warnings.
fn converted(
    from: &[u8],
    format: OutputFormat,
    force: bool,
) -> Result<(Vec<u8>, Vec<Unreadable>), WriteError> {
    let (mut tables, mut warnings) = (Tables::new(), Vec::new());
    let plan = Plan::of(&mut reader(from, &mut tables)).unwrap();
    let options = ConvertOptions { force, ..ConvertOptions::default() };
    let mut warn = |warning: gamewire::rems::Warning| warnings.push(warning.reason);
    convert_to_vec(&mut reader(from, &mut tables), format, &plan, options, &mut warn)
        .map(|bytes| (bytes, warnings))
}

/// Returns the differences between two saves, each with its offset.
fn differences(before: &[u8], after: &[u8], format: OutputFormat) -> Vec<(Difference, u64)> {
    let (mut tables, mut others) = (Tables::new(), Tables::new());
    let (mut slots, mut other_slots) = (Vec::new(), Vec::new());
    let pointers = Pointers::collect(&mut reader(before, &mut tables), &mut slots).unwrap();
    let other_pointers =
        Pointers::collect(&mut reader(after, &mut others), &mut other_slots).unwrap();
    let mut found = Vec::new();
    verify(
        Compared { items: &mut reader(before, &mut tables), pointers: &pointers },
        Compared { items: &mut reader(after, &mut others), pointers: &other_pointers },
        format,
        &mut |difference, offset| found.push((difference, offset)),
    )
    .unwrap();
    found
}

/// Object numbers of more than 31 bits are replaced by free numbers, and pointers keep their
/// targets. The `l:uuid` properties that contained the numbers remain.
#[test]
fn numbers_of_may_2020_become_shorter() {
    let text = br#"[{"class":"Aa","l:uuid":5000000001,"Bb:b":5000000002,"Kk:k":{"l:uuid":2,"Aa:up":5000000001}},{"class":"Bb","l:uuid":5000000002,"*[]:all":[3,2,5000000002,0]}]"#;
    let expected = r#"[{"class":"Aa","i:*ptr":1,"l:uuid":5000000001,"Bb:b":3,"Kk:k":{"i:*ptr":2,"l:uuid":2,"Aa:up":1}},{"class":"Bb","i:*ptr":3,"l:uuid":5000000002,"*[]:all":[3,2,3,0]}]"#;
    for format in [TEXT, TEXT_2021] {
        let (written, _) = converted(text, format, false).unwrap();
        assert_eq!(String::from_utf8(written.clone()).unwrap(), expected);
        assert_eq!(differences(text, &written, format), []);
    }
    let (stream, _) = converted(text, BINARY, false).unwrap();
    assert_eq!(differences(text, &stream, BINARY), []);
    let (again, _) = converted(&stream, TEXT, false).unwrap();
    let expected = expected.replace("3,0]", "3,null]");
    assert_eq!(String::from_utf8(again).unwrap(), expected);
    // Rewriting does not replace numbers, and a writer refuses a number of more than 31 bits.
    let error = rewrite_to_vec(&mut TextReader::new(text), TEXT, &mut |_| {}).unwrap_err();
    assert_eq!(*error.kind(), WriteErrorKind::BadNumber(5_000_000_002));
}

/// A pointer to a number that no object has is an error. With `force` it is a warning, and the
/// pointer does not lead to an object in the output either. No object gets the number in the
/// pointer, and in a text save from 2021 the pointer does not lead to an object without a number
/// whose position is this number.
#[test]
fn dangling_pointers_stay_dangling() {
    let uuids = r#"[{"class":"Aa","l:uuid":7,"Bb:b":{"Aa:up":2,"Cc:c":9999999999}}]"#;
    let none = r#"[{"class":"Aa","Bb:b":{"Aa:up":1}}]"#;
    let gap = r#"[{"class":"Aa","i:*ptr":1,"Bb:b":{"Aa:up":2,"i:*ptr":0},"Dd:d":{"Aa:up":3,"i:*ptr":1}}]"#;
    let shifted = r#"[{"class":"Aa","i:*ptr":1,"Bb:b":{"i:*ptr":3,"Aa:up":2}}]"#;
    let stream =
        r#"[{"class":"Aa","i:*ptr":1,"K[]:k":[1,{"i:v":1}],"Bb:b":{"i:*ptr":4,"Aa:up":2}}]"#;
    for (text, count) in [(uuids, 2), (none, 1), (gap, 0), (shifted, 1), (stream, 0)] {
        let text = text.as_bytes();
        for format in [TEXT, TEXT_2021, BINARY] {
            let mut tables = Tables::new();
            let (mut slots, mut dangling) = (Vec::new(), 0);
            let pointers = Pointers::collect(&mut reader(text, &mut tables), &mut slots).unwrap();
            pointers.dangling(&mut reader(text, &mut tables), |_, _| dangling += 1).unwrap();
            if count > 0 {
                assert_eq!(dangling, count);
            }
            let refused = converted(text, format, false);
            assert_eq!(refused.is_err(), dangling > 0);
            if let Err(error) = refused {
                assert_eq!(*error.kind(), WriteErrorKind::Unreadable(Unreadable::Dangling));
            }
            let (written, warnings) = converted(text, format, true).unwrap();
            let warned = warnings.iter().filter(|reason| **reason == Unreadable::Dangling);
            assert_eq!(warned.count(), dangling);
            assert_eq!(differences(text, &written, format), [], "{written:?}");
            let (again, _) = converted(&written, TEXT, true).unwrap();
            assert_eq!(differences(text, &again, TEXT), []);
        }
    }
}

/// Each kind of difference between a save and its conversion is found.
#[test]
fn differences_of_conversions() {
    let text = br##"[{"class":"T","i:*ptr":1,"d:a":-0.0,"v2:b":[1,-0],"mat2:c":[[1,1],[1e-9,1]],"col:c":"#fff","col:color":"#fff","T:t":0,"i[]:n":null,"K[][]:k":[2,null,[1,null]]}]"##;
    let at = |part: &str| String::from_utf8_lossy(text).find(part).unwrap() as u64;
    let (stream, _) = converted(text, BINARY, true).unwrap();
    let expected = [
        (Difference::Color, at("\"col:c\"")),
        (Difference::Absent, at("\"T:t\"")),
        (Difference::NullList, at("\"i[]:n\"")),
        (Difference::NullList, at(",null,[1")),
    ];
    assert_eq!(differences(text, &stream, BINARY), expected);
    let (written, _) = converted(text, TEXT, true).unwrap();
    let expected = [
        (Difference::ZeroSign, at("-0.0")),
        (Difference::ZeroSign, at("[1,-0]")),
        (Difference::TinyNumber, at("[[1,1]")),
    ];
    assert_eq!(differences(text, &written, TEXT), expected);
    // No conversion causes these differences: changed values, names, types, classes, pointer
    // targets and lengths, and missing or additional properties and objects.
    let one =
        r#"[{"class":"T","i:*ptr":1,"T:t":1,"i:x":5,"i[]:y":[3,1]},{"class":"U","i:*ptr":2}]"#;
    for (part, other) in [
        ("\"T:t\":1", "\"T:t\":2"),
        ("5", "6"),
        ("\"i:x\"", "\"i:z\""),
        ("\"i:x\"", "\"l:x\""),
        ("[3,1]", "[4,1]"),
        ("[3,1]", "[3,1,2]"),
        ("\"U\"", "\"V\""),
        (",\"i:x\":5", ""),
        ("]},", "],\"i:q\":1},"),
        (",{\"class\":\"U\",\"i:*ptr\":2}", ""),
    ] {
        let two = one.replace(part, other);
        for (a, b) in [(one, &two[..]), (&two[..], one)] {
            let found = differences(a.as_bytes(), b.as_bytes(), TEXT);
            assert!(matches!(found[..], [(Difference::Other, _)]), "{part} {other} {found:?}");
        }
    }
}

/// Returns the bytes after the end of a save.
fn trailing(bytes: &[u8]) -> Vec<u8> {
    let mut tables = Tables::new();
    let mut reader = reader(bytes, &mut tables);
    assert!(reader.trailing().is_empty());
    while reader.next().unwrap().is_some() {}
    assert!(reader.next().unwrap().is_none());
    reader.trailing().to_vec()
}

#[test]
fn bytes_after_the_end() {
    let text = br#"[{"class":"Aa","i:*ptr":1}]"#;
    let (stream, _) = converted(text, BINARY, false).unwrap();
    for (rest, expected) in [(&b""[..], &b""[..]), (b" \r\n\t", b""), (b"\n]x ", b"]x ")] {
        assert_eq!(trailing(&[&text[..], rest].concat()), expected);
        assert_eq!(trailing(&[&stream, rest].concat()), rest);
    }
    // The bytes after the end are the same if the objects are skipped.
    let mut reader = TextReader::new(b"[{\"class\":\"Aa\"},{\"class\":\"Aa\"}]x");
    let _ = reader.next().unwrap();
    reader.skip().unwrap();
    reader.skip().unwrap();
    assert!(reader.next().unwrap().is_none());
    assert_eq!(reader.trailing(), b"x");
    // After an error, the reader does not return bytes after the end.
    let mut reader = TextReader::new(b"[{\"class\":\"Aa\"}}]x");
    while let Ok(Some(_)) = reader.next() {}
    assert_eq!(reader.trailing(), b"");
}

#[test]
fn comments_are_noticed() {
    let text = br#"[{/*a*/"class":"Aa"/*b*/,/*c*/"i:x":1 // d
        /*e*/ },{"class":"Bb"/**/}]"#;
    let mut reader = TextReader::new(text);
    let mut found = Vec::new();
    loop {
        let item = reader.next().unwrap();
        let last = reader.last_comment();
        if found.last() != Some(&last) {
            found.push(last);
        }
        if item.is_none() {
            break;
        }
    }
    let at = |part: &str| Some(String::from_utf8_lossy(text).find(part).unwrap() as u64);
    assert_eq!(found, ["/*c*/", "// d", "/**/"].map(at));
}

#[test]
fn empty_lists() {
    for text in ["[]", " [ ] ", "[,,]", "[]]x", "[\n]{"] {
        assert!(FileFormat::is_empty_list(text.as_bytes()), "{text}");
        assert_eq!(FileFormat::detect(text.as_bytes()), None);
    }
    for text in ["", "[", "{}", "[1]", "[[]]", "[{\"class\":\"A\"}]", "\u{FEFF}[]"] {
        assert!(!FileFormat::is_empty_list(text.as_bytes()), "{text}");
    }
}

#[cfg(feature = "rems-container")]
#[test]
fn bytes_after_a_container() {
    use gamewire::rems::{compress, decompress, decompress_prefix};
    let content: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    for content in [&content[..], b"", b"a"] {
        let file = [&compress(content, 6)[..], b"rest"].concat();
        assert_eq!(decompress_prefix(&file, content.len()), Ok((content.to_vec(), &b"rest"[..])));
        assert_eq!(decompress(&file, content.len()).unwrap(), content);
    }
}
