//! Skips items in Rem's Engine saves, from any position of a reader and over any contents.
use gamewire::rems::{
    BinaryReader, BinaryWriter, Era, Item, ItemSink, ItemSource, Tables, TextReader,
};

/// Brackets and braces in characters, strings and comments do not close anything. The search for
/// the closing brackets examines blocks of 64 bytes, so the test places each pattern at every
/// position of a block, and also in the last block, which is searched byte by byte.
#[test]
fn brackets_that_close_nothing() {
    let slashes = format!("{}[{{\n1,null", "/".repeat(64));
    let stars = format!("/{}{{[*/1,null", "*".repeat(63));
    let apart = format!(r#"2,"",{{"S:s":"{}"}},{{"S:]":"","S:t":"]"}}"#, "x[".repeat(40));
    for list in [
        r#"1,{"c:c":'['},{"c:c":'{'}"#,
        r"1,{}']'",
        r"1,'}',[']']",
        r#"1,{"c:c":'"'},'"',{}"#,
        r#"1,'\'',{"c:c":'\\'}"#,
        r#"1,{"c:c":"[","S:s":"{{{","S:":""}"#,
        r#""",{},"","",[],"a",{"S:b":"]"},"abc",[]"#,
        r#"1,{"S:s":"\"[","S:t":"\\","S:u":"]"}"#,
        "1,null// ]\n",
        "1,/*[*/null//{\r\n",
        "2/1,[],{}",
        &slashes,
        &stars,
        &apart,
    ] {
        for blanks in 0..=64 {
            for behind in [0, 100] {
                let text = format!(
                    r#"[{{"class":"A","*[]:x":[{}{list}],"i:y":1,"S:z":"{}"}},{{"class":"B"}}]"#,
                    " ".repeat(blanks),
                    "z".repeat(behind),
                );
                let mut reader = TextReader::new(text.as_bytes());
                reader.next().unwrap();
                // Skips the whole object, and then only the value of its property.
                let mut whole = reader.clone();
                whole.skip().unwrap();
                let Some(Item::Object(next)) = whole.next().unwrap() else { panic!("{text}") };
                assert_eq!(next.class, *"B", "{text}");
                reader.next().unwrap();
                reader.skip().unwrap();
                let Some(Item::Property(next)) = reader.next().unwrap() else { panic!("{text}") };
                assert_eq!(next.name, *"y", "{text}");
            }
        }
    }
}

/// Between the objects of a file, `skip` skips all remaining objects.
#[test]
fn the_rest_of_a_file() {
    fn check<'a>(items: &mut impl ItemSource<'a>, objects: usize) {
        for _ in 0..2 * objects {
            items.next().unwrap().unwrap(); // an object or its end
        }
        items.skip().unwrap();
        assert!(items.next().unwrap().is_none(), "after {objects}");
    }
    let text = br#"[{"class":"A","i:*ptr":1},{"class":"B","i:*ptr":2},{"class":"C","i:*ptr":3}]"#;
    let mut writer = BinaryWriter::new(Vec::new(), Era::October2024);
    for (class, number) in [("A", 1), ("B", 2), ("C", 3)] {
        writer.object(class, Some(number)).unwrap();
        writer.end().unwrap();
    }
    let stream = writer.finish().unwrap();
    for objects in 0..=3 {
        check(&mut TextReader::new(text), objects);
        let mut tables = Tables::new();
        check(&mut BinaryReader::new(&stream, Era::October2024, &mut tables), objects);
    }
}
