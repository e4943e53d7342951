//! Rewrites files of Rem's Engine in the same format, and converts them to other formats.

use crate::laws::rems as laws;
use crate::support::random;
use crate::support::rems::expected::{self, Case, cases};
use crate::support::rems::writing::{
    FORCED, NAMED_LIKE_A_KIND, again, binary_to_text, dialect_of, era_of, file_of, show, text_of,
    text_to_binary,
};
use gamewire::rems::{
    BinaryReader, BinaryWriter, ConvertOptions, Dialect, Era, Plan, Tables, TextReader, TextWriter,
    WriteErrorKind, convert,
};

#[test]
fn texts_are_the_same_again() {
    for case in cases(".text.json", 73) {
        if case.number == NAMED_LIKE_A_KIND {
            continue;
        }
        let mut writer = TextWriter::new(Vec::new(), dialect_of(&case));
        again(&mut TextReader::new(&case.bytes), &mut writer);
        assert_eq!(show(&writer.finish().unwrap()), show(&case.bytes), "{}", case.name());
    }
}

#[test]
fn binary_streams_are_the_same_again() {
    let mut tables = Tables::new();
    for case in cases(".binary.bin", 73) {
        let mut writer = BinaryWriter::new(Vec::new(), era_of(&case));
        let mut reader = BinaryReader::new(&case.bytes, era_of(&case), &mut tables);
        again(&mut reader, &mut writer);
        assert_eq!(show(&writer.finish().unwrap()), show(&case.bytes), "{}", case.name());
    }
}

/// Removes the white space between tokens.
fn compact(text: &[u8]) -> Vec<u8> {
    let (mut compact, mut quoted, mut escaped) = (Vec::new(), false, false);
    for byte in text {
        if quoted || !b" \t\r\n".contains(byte) {
            compact.push(*byte);
        }
        quoted ^= *byte == b'"' && !escaped;
        escaped = quoted && *byte == b'\\' && !escaped;
    }
    compact
}

#[test]
fn real_files_are_the_same_again() {
    for (name, bytes) in expected::real() {
        // Newer files have colours and characters.
        let of_2026 = ["theme", "node-graph", "dangling"].iter().any(|part| name.contains(part));
        let dialect = if of_2026 { Dialect::Engine2026 } else { Dialect::Engine2021 };
        let mut writer = TextWriter::new(Vec::new(), dialect);
        again(&mut TextReader::new(&bytes), &mut writer);
        assert_eq!(show(&writer.finish().unwrap()), show(&compact(&bytes)), "{name}");
    }
}

/// A difference between a file of the engine and the file that this crate converts from the other
/// format. `ours` are the bytes that differ in the converted file, and `engine` are the bytes in
/// their place in the engine's file.
struct Lost {
    case: (u32, u32),
    ours: &'static [u8],
    engine: &'static [u8],
}

const fn lost(era: u32, number: u32, ours: &'static [u8], engine: &'static [u8]) -> Lost {
    Lost { case: (era, number), ours, engine }
}

/// Returns the engine's file with the bytes that this crate writes in place of the lost parts. Each
/// lost part must occur once.
fn without(lost: &[Lost], case: &Case, mut engine: Vec<u8>) -> Vec<u8> {
    for Lost { ours, engine: has, .. } in lost.iter().filter(|l| l.case == (case.era, case.number))
    {
        let mut places = engine.windows(has.len()).enumerate().filter(|(_, part)| part == has);
        let (at, _) = places.next().unwrap_or_else(|| panic!("{}", case.name()));
        assert!(places.next().is_none(), "{}", case.name());
        engine.splice(at..at + has.len(), ours.iter().copied());
    }
    engine
}

const BINARY_LOSES: [Lost; 13] = [
    // In the formats of 2021, binary saves contain empty strings that text saves omit.
    lost(2021, 2, br#","S:S":""}"#, b"}"),
    // In a binary save, an object in a list of one class has no number, and is repeated at each
    // use.
    lost(2021, 41, br#"[3,{"i:v":1},{"i:v":2},{"i:v":1}]"#, br#"[3,2,{"i:v":2},2]"#),
    lost(
        2026,
        41,
        br#"[3,{"i:*ptr":3,"i:v":1},{"i:*ptr":4,"i:v":2},{"i:*ptr":5,"i:v":1}]"#,
        br#"[3,2,{"i:*ptr":3,"i:v":2},2]"#,
    ),
    // Binary saves have no colours, and integers with these names do not become colours.
    lost(2026, 25, br#""i:white":-1"#, br##""col:white":"#fff""##),
    lost(2026, 25, br#""i:black":-16777216"#, br##""col:black":"#000""##),
    lost(2026, 25, br#""i:rgb3":-15654349"#, br##""col:rgb3":"#123""##),
    lost(2026, 25, br#""i:argb4":-2012143053"#, br##""col:argb4":"#8123""##),
    lost(2026, 25, br#""i:rgb6":-15584170"#, br##""col:rgb6":"#123456""##),
    lost(2026, 25, br#""i:argb8":-2146290602"#, br##""col:argb8":"#80123456""##),
    lost(2026, 25, br#""i:zero":0"#, br##""col:zero":"#0000""##),
    lost(2026, 25, br#""i[]:arr":[4,-1,-2146290602]"#, br##""col[]:arr":[4,"#fff","#80123456"]"##),
    lost(2026, 25, br#""i[][]:arr2":[2,[2,-1]"#, br##""col[][]:arr2":[2,[2,"#fff"]"##),
    lost(2026, 25, br#"[1,-15654349]"#, br##"[1,"#123"]"##),
];

#[test]
fn binary_becomes_the_text() {
    for case in cases(".binary.bin", 73) {
        let found = binary_to_text(&case.bytes, era_of(&case), dialect_of(&case), FORCED);
        let text = without(&BINARY_LOSES, &case, text_of(&case));
        assert_eq!(show(&found), show(&text), "{}", case.name());
    }
}

const TEXT_LOSES: [Lost; 7] = [
    // In the formats of 2021, text saves omit empty strings that binary saves contain.
    lost(2021, 2, b"", b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFDS\x1F\0\0\0\0"),
    // Text saves from 2021 lose the sign of zeros at the end of an array. Text saves from 2026 lose
    // the sign of all zeros.
    lost(2021, 8, b"\0\0\0\0\0\0\0\0\0\0\0\0\xFF", b"\0\0\0\0\x80\0\0\0\0\0\0\0\xFF"),
    lost(2026, 8, b"\0\0\0\0\0\0\0\0\0\0\0\0\xFF", b"\0\0\0\0\x80\0\0\0\0\0\0\0\xFF"),
    lost(2026, 4, b"nz\x19\0\0\0\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFDz", b"nz\x19\x80\0\0\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFDz"),
    lost(2026, 4, b"dnz\x1C\0\0\0\0\0\0\0\0", b"dnz\x1C\x80\0\0\0\0\0\0\0"),
    // An object of the list is also used elsewhere, so the list contains pointers and numbered
    // objects.
    lost(
        2021,
        41,
        b"kids\x02\0\0\0\x03\x06\0\0\0\x02\x01\0\0\0\x03\0\0\0\x03\0\0\0\0\0\0\0\x02\xFF\xFF\xFF\xFE\x06\0\0\0\x02",
        b"kids\x04\0\0\0\x03\0\0\0\x03\xFF\xFF\xFF\xFF\0\0\0\x04\x13\0\0\0\x01\xFF\xFF\xFF\xFE\0\0\0\x02\0\0\0\x02\xFF\xFF\xFF\xFE\0\0\0\x02\0\0\0\x01\xFF\xFF\xFF\xFE",
    ),
    lost(
        2026,
        41,
        b"kids\x02\0\0\0\x03\x06\0\0\0\x02\x01\0\0\0\x03\0\0\0\x03\0\0\0\0\0\0\0\x02\xFF\xFF\xFF\xFE\x06\0\0\0\x02",
        b"kids\x04\0\0\0\x03\0\0\0\x03\0\0\0\0\0\0\0\x01\xFF\xFF\xFF\xFE\0\0\0\0\0\0\0\x02\xFF\xFF\xFF\xFE\0\0\0\0\0\0\0\x01\xFF\xFF\xFF\xFE",
    ),
];

#[test]
fn text_becomes_the_binary() {
    for case in cases(".text.json", 73) {
        if case.number == NAMED_LIKE_A_KIND {
            continue;
        }
        let found = text_to_binary(&case.bytes, era_of(&case), FORCED);
        let binary = without(&TEXT_LOSES, &case, file_of(&case, "binary.bin"));
        assert_eq!(show(&found), show(&binary), "{}", case.name());
    }
}

/// A text save is the same after conversion to binary and back, except that colours become
/// integers, and that a list of one class loses the class if one of its objects is also used
/// elsewhere. Text saves from 2021 are converted to the binary formats of October 2021 and October
/// 2024.
#[test]
fn text_becomes_binary_and_text() {
    let lost = [
        lost(
            2021,
            41,
            br#""*[]:kids":[3,2,{"class":"K","i:v":2},2]"#,
            br#""K[]:kids":[3,2,{"i:v":2},2]"#,
        ),
        lost(
            2026,
            41,
            br#""*[]:kids":[3,2,{"class":"K","i:*ptr":3,"i:v":2},2]"#,
            br#""K[]:kids":[3,2,{"i:*ptr":3,"i:v":2},2]"#,
        ),
    ];
    for case in cases(".text.json", 73) {
        if case.number == NAMED_LIKE_A_KIND {
            continue;
        }
        let mut expected = without(&lost, &case, case.bytes.clone());
        if case.number == 25 {
            expected = without(&BINARY_LOSES, &case, expected);
        }
        for era in [era_of(&case), Era::October2024] {
            let binary = text_to_binary(&case.bytes, era, FORCED);
            let text = binary_to_text(&binary, era, dialect_of(&case), FORCED);
            assert_eq!(show(&text), show(&expected), "{} {era:?}", case.name());
        }
    }
}

/// Real files are unchanged after conversion to binary and back, except for colours and for lists
/// that lose their class.
#[test]
fn real_files_become_binary_and_text() {
    let how = ConvertOptions { force: false, colors: false };
    for (name, bytes) in expected::real() {
        let plan = Plan::of(&mut TextReader::new(&bytes)).unwrap();
        let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2026);
        convert(&mut TextReader::new(&bytes), &mut writer, &plan, how, |_| {}).unwrap();
        let today = writer.finish().unwrap();
        let stream = text_to_binary(&bytes, Era::October2024, how);
        let text = binary_to_text(&stream, Era::October2024, Dialect::Engine2026, how);
        // Colours become integers, and lists that become mixed lose their class.
        if !name.contains("theme") && !name.contains("node-graph") {
            assert_eq!(show(&text), show(&today), "{name}");
        }
        let again = text_to_binary(&text, Era::October2024, how);
        assert_eq!(show(&again), show(&stream), "{name}");
    }
}

/// Elements that a text save declares and omits are written in the binary save, up to a limit.
#[test]
fn declared_but_missing() {
    let text = br#"[{"class":"T","i:*ptr":1,"i[]:a":[4,7],"q4[]:q":[1],"S[]:s":[2],"*[]:o":[3],"f[][]:r":[2,[1]],"S[][]:t":[1]}]"#;
    let stream = text_to_binary(text, Era::October2024, FORCED);
    let found = binary_to_text(&stream, Era::October2024, Dialect::Engine2026, FORCED);
    let expected = r#"[{"class":"T","i:*ptr":1,"i[]:a":[4,7],"q4[]:q":[1,[0,0,0,1]],"S[]:s":[2,"",""],"*[]:o":[3,null,null,null],"f[][]:r":[2,[1],[0]],"S[][]:t":[1,[0]]}]"#;
    assert_eq!(show(&found), show(expected.as_bytes()));
    // The row `[1]` of `r` declares one float and omits it, so the 4 bytes of this float are
    // included.
    let filled = 12 + 16 + 8 + 3 + 4 + 4 + 4;
    let convert_with = |limit| {
        let plan = Plan::of(&mut TextReader::new(text)).unwrap();
        let mut writer = BinaryWriter::new(Vec::new(), Era::October2024).fill_limit(limit);
        convert(&mut TextReader::new(text), &mut writer, &plan, FORCED, |_| {})
            .map_err(|e| *e.kind())
    };
    assert_eq!(convert_with(filled), Ok(()));
    let limit = filled - 1;
    assert_eq!(convert_with(limit), Err(WriteErrorKind::TooMuchToFill { limit }));
    for huge in [
        &b"[{\"class\":\"T\",\"i[]:a\":[2000000000]}]"[..],
        b"[{\"class\":\"T\",\"K[]:a\":[2000000000]}]",
    ] {
        let plan = Plan::of(&mut TextReader::new(huge)).unwrap();
        let mut writer = BinaryWriter::new(Vec::new(), Era::October2024);
        let error = convert(&mut TextReader::new(huge), &mut writer, &plan, FORCED, |_| {});
        let limit = 1 << 24;
        assert_eq!(*error.unwrap_err().kind(), WriteErrorKind::TooMuchToFill { limit });
    }
}

/// Changes each byte of each file.
#[test]
#[ignore = "slow"]
fn damaged() {
    let mut random = random::Random::new(11);
    let mut damage = |bytes: &[u8], law: &dyn Fn(&[u8])| {
        law(bytes);
        for at in 0..bytes.len() {
            let mut bytes = bytes.to_vec();
            bytes[at] = match random.below(2) {
                0 => bytes[at] ^ (1 << random.below(8)),
                _ => random.next() as u8,
            };
            law(&bytes);
        }
    };
    for case in cases(".text.json", 73) {
        damage(&case.bytes, &laws::rems_text_written);
    }
    for case in cases(".binary.bin", 73) {
        damage(&case.bytes, &|bytes| laws::rems_binary_written(bytes, era_of(&case)));
    }
    for (_, bytes) in expected::real() {
        laws::rems_text_written(&bytes);
    }
}
