//! Reads and converts unusual Rem's Engine saves, including the pointers in them.
use gamewire::rems::{
    BinaryReader, BinaryWriter, ConvertOptions, Dialect, Era, ErrorKind, Item, ItemSink,
    ItemSource, Kind, Plan, Pointers, Tables, Target, TextOptions, TextReader, TextWriter, Type,
    Value, WriteError, WriteErrorKind, convert, rewrite,
};

/// Converts a text save to a dialect.
fn as_text(text: &str, dialect: Dialect) -> String {
    let plan = Plan::of(&mut TextReader::new(text.as_bytes())).unwrap();
    let mut writer = TextWriter::new(Vec::new(), dialect);
    let how = ConvertOptions { force: true, colors: true };
    convert(&mut TextReader::new(text.as_bytes()), &mut writer, &plan, how, |_| {}).unwrap();
    String::from_utf8(writer.finish().unwrap()).unwrap()
}

/// Returns a text save with one object, which has the given properties.
fn object(properties: &str) -> String {
    format!(r#"[{{"class":"T","i:*ptr":1,{properties}}}]"#)
}

#[test]
fn types_that_change_on_the_way() {
    for (from, to_2021, to_2026) in [
        // Each row contains a property, and its form after conversion to the dialects of 2021 and
        // 2026. A null object loses its class, and a null list keeps its class. Text saves from
        // 2021 have no colours. In text saves from 2026, integers with certain names become
        // colours.
        (r#""K:x":null"#, r#""?:x":null"#, r#""?:x":null"#),
        (r#""K[]:x":null"#, r#""K[]:x":null"#, r#""K[]:x":null"#),
        // A pointer 0 in a text save is kept, although no object has this number.
        (r#""K:x":0"#, r#""K:x":0"#, r#""K:x":0"#),
        (r##""col:x":"#fff""##, r#""i:x":-1"#, r##""col:x":"#fff""##),
        (r##""col[]:x":[2,"#fff"]"##, r#""i[]:x":[2,-1]"#, r##""col[]:x":[2,"#fff"]"##),
        (
            r##""col[][]:x":[1,[1,"#fff"]]"##,
            r#""i[][]:x":[1,[1,-1]]"#,
            r##""col[][]:x":[1,[1,"#fff"]]"##,
        ),
        (r#""i:color":-1"#, r#""i:color":-1"#, r##""col:color":"#fff""##),
        (r#""i:backColor":-1"#, r#""i:backColor":-1"#, r##""col:backColor":"#fff""##),
        (r#""i:Color.in":-1"#, r#""i:Color.in":-1"#, r##""col:Color.in":"#fff""##),
        (r#""i:colors":-1"#, r#""i:colors":-1"#, r#""i:colors":-1"#),
        (r#""i[]:colors":[1,-1]"#, r#""i[]:colors":[1,-1]"#, r##""col[]:colors":[1,"#fff"]"##),
        (r#""i[]:color.x":[1,-1]"#, r#""i[]:color.x":[1,-1]"#, r#""i[]:color.x":[1,-1]"#),
        (
            r#""i[][]:color":[1,[1,-1]]"#,
            r#""i[][]:color":[1,[1,-1]]"#,
            r#""i[][]:color":[1,[1,-1]]"#,
        ),
        (r#""l:color":-1"#, r#""l:color":-1"#, r#""l:color":-1"#),
        // A pointer gets the class of its target, if the target exists.
        (r#""?:x":1"#, r#""T:x":1"#, r#""T:x":1"#),
        (r#""?:x":7"#, r#""?:x":7"#, r#""?:x":7"#),
        (r#""R[]:x":[2,"a","b"]"#, r#""R[]:x":[2,"a","b"]"#, r#""R[]:x":[2,"a","b"]"#),
    ] {
        assert_eq!(as_text(&object(from), Dialect::Engine2021), object(to_2021), "{from}");
        assert_eq!(as_text(&object(from), Dialect::Engine2026), object(to_2026), "{from}");
    }
    let text = object(r#""i:color":-1"#);
    let plan = Plan::of(&mut TextReader::new(text.as_bytes())).unwrap();
    let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2026);
    let how = ConvertOptions { force: false, colors: false };
    convert(&mut TextReader::new(text.as_bytes()), &mut writer, &plan, how, |_| {}).unwrap();
    assert_eq!(writer.finish().unwrap(), text.as_bytes(), "unless that is not wanted");
    assert_eq!(ConvertOptions::default(), ConvertOptions { force: false, colors: true });
}

/// An item that cannot be read is reported with its offset in the source and the number of bytes
/// written so far.
#[test]
fn sources_that_break_off() {
    let text = object(r#""i:x":5,"S:y":"text""#);
    let plan = Plan::of(&mut TextReader::new(text.as_bytes())).unwrap();
    for cut in 1..text.len() {
        let broken = &text.as_bytes()[..cut];
        let mut reader = TextReader::new(broken);
        let error = loop {
            match reader.next() {
                Ok(item) => assert!(item.is_some(), "{cut}"),
                Err(error) => break error,
            }
        };
        let check = |found: Result<(), WriteError>, offset: u64| {
            let found = found.unwrap_err();
            assert_eq!(*found.kind(), WriteErrorKind::Source(error), "{cut}");
            assert_eq!(found.offset(), offset, "{cut}");
        };
        let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2026);
        let result = rewrite(&mut TextReader::new(broken), &mut writer, |_| {});
        check(result, writer.offset());
        let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2026);
        let how = ConvertOptions::default();
        let result = convert(&mut TextReader::new(broken), &mut writer, &plan, how, |_| {});
        check(result, writer.offset());
        assert!(text.as_bytes().starts_with(&written_so_far(writer)), "{cut}");
        assert_eq!(Plan::of(&mut TextReader::new(broken)).unwrap_err(), error);
    }
}

/// Returns the bytes that were written before the error. A file with open items cannot be finished,
/// so this function ends the open items and then removes the ends.
fn written_so_far(mut writer: TextWriter<Vec<u8>>) -> Vec<u8> {
    let len = writer.offset() as usize;
    while writer.end().is_ok() {}
    let mut written = writer.finish().unwrap_or_default();
    written.truncate(len);
    written
}

#[test]
fn unfinished_streams() {
    for (open, depth) in [(1, 1), (2, 2), (3, 3)] {
        let finish = |result: Result<Vec<u8>, WriteError>| *result.unwrap_err().kind();
        let mut text = TextWriter::new(Vec::new(), Dialect::Engine2026);
        let mut stream = BinaryWriter::new(Vec::new(), Era::October2024);
        opened(&mut text, open);
        opened(&mut stream, open);
        assert_eq!(finish(text.finish()), WriteErrorKind::Unfinished(depth));
        assert_eq!(finish(stream.finish()), WriteErrorKind::Unfinished(depth));
    }
    // A property without a value.
    let mut text = TextWriter::new(Vec::new(), Dialect::Engine2026);
    opened(&mut text, 1);
    text.property(Type::Object, "x").unwrap();
    assert_eq!(*text.finish().unwrap_err().kind(), WriteErrorKind::Unfinished(1));
}

fn opened(to: &mut impl ItemSink, depth: u32) {
    to.object("T", Some(1)).unwrap();
    if depth > 1 {
        to.property(Type::Mixed(1), "list").unwrap();
        to.list(1).unwrap();
    }
    if depth > 2 {
        to.object("U", Some(2)).unwrap();
    }
}

/// A property rejects a value of a different kind.
#[test]
fn values_of_unknown_kinds() {
    fn other(to: &mut impl ItemSink, values: &[Value<'_>]) {
        to.object("T", Some(1)).unwrap();
        for (ty, kind) in [
            (Type::Kind(Kind::F32, 0), Kind::F32),
            (Type::Kind(Kind::I32, 1), Kind::I32),
            (Type::Kind(Kind::String, 0), Kind::String),
        ] {
            for value in values {
                to.property(ty, "x").unwrap();
                let fits = (value.kind(), value.dim()) == (kind, ty.dim());
                let Err(error) = to.value(value) else {
                    assert!(fits, "{ty:?} {value:?}");
                    continue;
                };
                assert!(!fits, "{ty:?} {value:?}");
                let wrong = WriteErrorKind::OtherKind { expected: Some(kind), found: value.kind() };
                assert_eq!(*error.kind(), wrong, "{ty:?}");
                put(to, kind, ty.dim());
            }
        }
        // A string in a list is not the value of the property.
        to.property(Type::Kind(Kind::String, 1), "x").unwrap();
        for value in values {
            assert_eq!(*to.value(value).unwrap_err().kind(), WriteErrorKind::OutOfTurn("a value"));
        }
        let error = to.parts(&[1]).unwrap_err();
        assert_eq!(*error.kind(), WriteErrorKind::OutOfTurn("a value"));
        to.list(0).unwrap();
        to.end().unwrap();
        // A colour can be the value of an integer property.
        to.property(Type::Kind(Kind::I32, 0), "x").unwrap();
        to.value(&values[3]).unwrap();
        to.end().unwrap();
    }
    fn put(to: &mut impl ItemSink, kind: Kind, dim: u8) {
        match (kind, dim) {
            (Kind::String, _) => to.text("").unwrap(),
            (Kind::F32, _) => to.parts(&[0.0_f32]).unwrap(),
            _ => to.array(&[0]).unwrap(),
        }
    }
    let text = object(r##""f:a":1,"i[]:b":[1,2],"S:c":"s","col:d":"#fff","i:e":1"##);
    let mut reader = TextReader::new(text.as_bytes());
    let mut values = Vec::new();
    while let Some(item) = reader.next().unwrap() {
        if let Item::Value(value) = item {
            values.push(value);
        }
    }
    let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2026);
    other(&mut writer, &values);
    writer.finish().unwrap();
    let mut writer = BinaryWriter::new(Vec::new(), Era::October2024);
    other(&mut writer, &values);
    writer.finish().unwrap();
}

#[test]
fn pointers_that_lead_nowhere() {
    let text = br#"[{"class":"T","i:*ptr":1,"T:a":1,"T:b": 7,"T[]:c":[3,9,0,1],"T:d":0}]"#;
    let mut slots = Vec::new();
    let pointers = Pointers::collect(&mut TextReader::new(text), &mut slots).unwrap();
    let mut told = Vec::new();
    pointers.dangling(&mut TextReader::new(text), |number, at| told.push((number, at))).unwrap();
    let numbers: Vec<_> = told.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, [7, 9, 0, 0]);
    for (number, at) in told {
        // The offset is that of the value, or of white space or a comma before it.
        let rest = String::from_utf8_lossy(&text[at as usize..]);
        assert!(rest.trim_start_matches([' ', ',']).starts_with(&number.to_string()), "{rest}");
    }
    assert!(Target::Dangling.object().is_none());
    assert!(pointers.get(7).object().is_none() && pointers.get(1).object().is_some());
    let error = pointers.dangling(&mut TextReader::new(&text[..20]), |_, _| ()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::UnexpectedEnd { .. }));
    // The pointer 0 becomes null in streams, and a property that is null is omitted.
    let plan = Plan::of(&mut TextReader::new(text)).unwrap();
    let mut writer = BinaryWriter::new(Vec::new(), Era::October2024);
    let how = ConvertOptions { force: true, colors: true };
    convert(&mut TextReader::new(text), &mut writer, &plan, how, |_| {}).unwrap();
    let stream = writer.finish().unwrap();
    let mut tables = Tables::new();
    let mut reader = BinaryReader::new(&stream, Era::October2024, &mut tables);
    let mut seen = Vec::new();
    while let Some(item) = reader.next().unwrap() {
        match item {
            Item::Property(property) => seen.push(property.name.to_string()),
            Item::Pointer(number) => seen.push(number.to_string()),
            Item::Null => seen.push("null".into()),
            _ => {}
        }
    }
    assert_eq!(seen, ["a", "1", "b", "7", "c", "9", "null", "1"]);
}

/// Reads each possible number of items, and then skips once.
#[test]
fn skipping() {
    /// Reads `count` items and skips once. Returns the class of each object that follows, the name
    /// of each property, and `end` for each end.
    fn after<'a>(items: &mut impl ItemSource<'a>, count: usize) -> Vec<String> {
        for _ in 0..count {
            items.next().unwrap().unwrap();
        }
        items.skip().unwrap();
        let mut rest = Vec::new();
        while let Some(item) = items.next().unwrap() {
            rest.push(match item {
                Item::Object(object) => object.class.to_string(),
                Item::Property(property) => property.name.to_string(),
                Item::End => "end".into(),
                other => panic!("{other:?}"),
            });
        }
        rest
    }
    let text = br#"[{"class":"A","i:*ptr":1,"K[]:a":[1,{"i:*ptr":2}]},{"class":"B","i:*ptr":3}]"#;
    let plan = Plan::of(&mut TextReader::new(text)).unwrap();
    let mut writer = BinaryWriter::new(Vec::new(), Era::October2024);
    let how = ConvertOptions::default();
    convert(&mut TextReader::new(text), &mut writer, &plan, how, |_| {}).unwrap();
    let stream = writer.finish().unwrap();
    // The items are: A, a, the list, K, its end, the end of the list, the end of A, B, its end.
    let b = ["B", "end"];
    let cases: [(usize, &[&str]); 9] = [
        (1, &b),
        (2, &["end", "B", "end"]),
        (3, &["end", "B", "end"]),
        (4, &["end", "end", "B", "end"]),
        (5, &["end", "B", "end"]),
        (6, &b),
        (7, &[]),
        (8, &[]),
        (9, &[]),
    ];
    for (count, expected) in cases {
        assert_eq!(after(&mut TextReader::new(text), count), expected, "{count}");
        let mut tables = Tables::new();
        let mut reader = BinaryReader::new(&stream, Era::October2024, &mut tables);
        assert_eq!(after(&mut reader, count), expected, "{count} in binary");
    }
}

/// Reads ambiguous text, and text that no engine writes.
#[test]
fn unusual_texts() {
    let items = |properties: &str, options: TextOptions| {
        let text = object(properties);
        let mut reader = TextReader::new(text.as_bytes()).options(options);
        let mut seen = Vec::new();
        loop {
            match reader.next() {
                Ok(Some(Item::Property(property))) => seen.push(property.ty.to_string()),
                Ok(Some(Item::List(list))) => seen.push(format!("{} of {}", list.len, list.ty)),
                Ok(Some(Item::Value(value))) => seen.push(match value.integer() {
                    Ok(number) => number.to_string(),
                    Err(error) => format!("{:?}: {}", value.kind(), error.kind()),
                }),
                Ok(Some(_)) => {}
                Ok(None) => return seen,
                Err(error) => return [seen, vec![error.kind().to_string()]].concat(),
            }
        }
    };
    let plain = TextOptions { octal: true, wrapping: false };
    let wrapping = TextOptions { octal: true, wrapping: true };
    // A comma before the end of a list counts as an element, which the list must have declared.
    assert_eq!(items(r#""K[]:x":[1,]"#, plain), ["K[]", "1 of K[]"]);
    let surplus = "more elements than the array declares";
    assert_eq!(items(r#""K[]:x":[0,]"#, plain), ["K[]", "0 of K[]", surplus]);
    // Nested lists whose objects may have any class.
    let lists = items(r#""*[][]:x":[2,[1,null],[0]]"#, plain);
    assert_eq!(lists, ["*[][]", "2 of *[][]", "1 of *[]", "0 of *[]"]);
    let lists = items(r#""R[][]:x":[1,[0]]"#, plain);
    assert_eq!(lists, ["R[][]", "1 of R[][]", "0 of R[]"]);
    // Colours that are numbers with more than 32 bits.
    for (number, wrapped) in [("4294967296", 0), ("-2147483649", 2147483647), ("8589934591", -1)] {
        let property = format!(r#""col:x":{number}"#);
        let overflow = "Color: number out of range for its kind";
        assert_eq!(items(&property, plain), ["col", overflow]);
        assert_eq!(items(&property, wrapping), ["col", &wrapped.to_string()]);
    }
    // If the name and the type are swapped and no vector has that number of components, the written
    // type is kept.
    assert_eq!(items(r#""size:v2i":[1,2,3,4,5]"#, plain)[0], "v2i");
    assert_eq!(items(r#""size:v3i":[1]"#, plain)[0], "v3i");
    for (vector, count) in [("[1,2]", "v2i"), ("[1,2,3]", "v3i"), ("[1,2,3,4]", "v4i")] {
        for name in ["v2i", "v3i", "v4i"] {
            assert_eq!(items(&format!(r#""size:{name}":{vector}"#), plain)[0], count, "{name}");
        }
    }
}

/// The items that a reader returns can be passed to a writer one by one.
#[test]
fn items_are_calls() {
    let text =
        object(r#""f:a":0.5,"S[]:b":[2,"x",""],"T:c":1,"?:d":null,"K[]:e":[1,{"i:*ptr":2}]"#);
    let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2026);
    let mut reader = TextReader::new(text.as_bytes());
    while let Some(item) = reader.next().unwrap() {
        writer.item(item).unwrap();
    }
    assert_eq!(writer.item(Item::End).unwrap_err().kind(), &WriteErrorKind::OutOfTurn("an end"));
    assert_eq!(writer.finish().unwrap(), text.as_bytes());
}
