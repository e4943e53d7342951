//! Tests localised texts (FText) that are built by hand from the description of the format. The
//! decoded values are compared with the expected ones, and are written again as the same bytes.

use crate::support::unreal::saves::{Bytes, In, UE4_27};
use gamewire::unreal::properties::{FormattedText, History, OpaqueReason};
use gamewire::unreal::{
    ErrorKind, PropertyKind, PropertyTypeBuf, PropertyValue, PropertyWriter, Save, TagBuf,
};
use serde_json::{Value as Json, json};

/// Returns the start of a text: its flags, and the number of its history.
fn text(history: i8) -> Bytes {
    Bytes::default().i32(8).i8(history)
}

/// Returns a text that can be nested in another text.
fn plain(text: &str) -> Vec<u8> {
    Bytes::default().i32(0).i8(-1).truth(true).text(text).0
}

/// Returns the JSON of a text nested in another text.
fn plain_json(text: &str) -> Json {
    json!({ "flags": 0, "history": "none", "culture_invariant": text })
}

fn json_of(file: &[u8]) -> Json {
    let save = Save::open(file).unwrap();
    let property = serde_json::to_value(save.properties().next().unwrap().unwrap()).unwrap();
    property["value"].clone()
}

fn of_text() -> PropertyTypeBuf {
    PropertyTypeBuf::of(PropertyKind::Text)
}

/// Returns the result of `see` for the text in a file.
fn with_text<T>(file: &[u8], see: impl FnOnce(&PropertyValue<'_>) -> T) -> T {
    let save = Save::open(file).unwrap();
    let tag = save.properties().next().unwrap().unwrap();
    see(&tag.value())
}

/// Asserts that a text is read as the expected value and is written back unchanged, and that
/// writing fails if the sink is too small.
#[track_caller]
fn is(versions: In, bytes: Bytes, expected: Json) {
    let file = versions.file(&of_text(), &bytes.0);
    assert_eq!(json_of(&file), expected);
    with_text(&file, |value| {
        assert_eq!(written(versions, value).unwrap(), file);
        versions.save(|save| {
            let mut whole = Vec::new();
            save.write_header(&mut whole).unwrap();
            for room in 0..=file.len() - whole.len() {
                let mut memory = vec![0; room];
                let mut sink = gamewire::SliceSink::new(&mut memory);
                let mut list = PropertyWriter::new(&mut sink, &save.properties());
                let tag = TagBuf::in_save("A", &of_text());
                let result = list.value(&tag, value).and_then(|()| list.finish());
                match result {
                    Ok(()) => assert_eq!(room, file.len() - whole.len()),
                    Err(error) => {
                        assert!(matches!(error.kind(), ErrorKind::SinkFull { .. }), "{error}");
                    }
                }
            }
        });
    });
    // Every byte of the text is needed.
    for cut in 0..bytes.0.len() {
        let file = versions.file(&of_text(), &bytes.0[..cut]);
        with_text(&file, |value| {
            let PropertyValue::Opaque(found, OpaqueReason::Malformed(error)) = value else {
                panic!("{cut}: {value:?}")
            };
            assert_eq!(*found, &bytes.0[..cut]);
            let ends = ErrorKind::UnexpectedEnd { missing: 0 };
            let same = std::mem::discriminant(error.kind()) == std::mem::discriminant(&ends);
            assert!(same || matches!(error.kind(), ErrorKind::BadCount(_)), "{cut}: {error}");
        });
    }
    let more = versions.file(&of_text(), &bytes.bytes(&[0]).0);
    with_text(&more, |value| {
        assert!(matches!(value, PropertyValue::Opaque(_, OpaqueReason::LeftOver(1))), "{value:?}");
    });
}

/// Returns the bytes of the text as written in a save of these versions.
fn written(versions: In, value: &PropertyValue<'_>) -> Result<Vec<u8>, ErrorKind> {
    versions.save(|save| {
        let mut file = Vec::new();
        save.write_header(&mut file).unwrap();
        let before = file.len();
        let mut list = PropertyWriter::new(&mut file, &save.properties());
        let result = list.value(&TagBuf::in_save("A", &of_text()), value);
        list.finish().unwrap();
        match result {
            Ok(()) => Ok(file),
            Err(error) => {
                assert_eq!(file[before..], *b"\x05\0\0\0None\0", "nothing is left of it");
                Err(*error.kind())
            }
        }
    })
}

#[test]
fn alone() {
    is(
        UE4_27,
        text(-1).truth(true).text("as it is"),
        json!({ "flags": 8, "history": "none", "culture_invariant": "as it is" }),
    );
    is(UE4_27, text(-1).truth(false), json!({ "flags": 8, "history": "none" }));
    is(In { editor: 31, ..UE4_27 }, text(-1), json!({ "flags": 8, "history": "none" }));
    is(
        In { editor: 32, ..UE4_27 },
        text(-1).truth(true).text("x"),
        json!({ "flags": 8, "history": "none", "culture_invariant": "x" }),
    );
    is(
        UE4_27,
        text(0).text("ns").text("key").text("source"),
        json!({
            "flags": 8, "history": "base", "namespace": "ns", "key": "key", "source": "source",
        }),
    );
    is(
        UE4_27,
        text(11).text("Table").text("key"),
        json!({ "flags": 8, "history": "string_table", "table": "Table", "key": "key" }),
    );
    is(
        UE4_27,
        text(10).bytes(&plain("aBc")).i8(1),
        json!({
            "flags": 8, "history": "transform", "format": plain_json("aBc"), "transform": 1,
        }),
    );
    is(
        UE4_27,
        text(12).text("None"),
        json!({ "flags": 8, "history": "generator", "generator": "None" }),
    );
    // In files below 4:368, the flags are at the end.
    is(
        In::ue4(367),
        Bytes::default().text("source").text("ns").text("key").i32(2),
        json!({
            "flags": 2, "history": "legacy", "source": "source", "namespace": "ns", "key": "key",
        }),
    );
    is(
        In::ue4(225),
        Bytes::default().text("source").text("key").i32(4),
        json!({ "flags": 4, "history": "legacy", "source": "source", "key": "key" }),
    );
}

/// Returns format arguments of every kind.
fn arguments() -> [(Bytes, Json); 6] {
    let bytes = Bytes::default;
    [
        (bytes().i8(0).i64(-5_000_000_000), json!({ "type": "int", "value": -5_000_000_000_i64 })),
        (bytes().i8(1).i64(-1), json!({ "type": "uint", "value": u64::MAX })),
        (bytes().i8(2).f32(0.5), json!({ "type": "float", "value": 0.5 })),
        (bytes().i8(3).f64(f64::INFINITY), json!({ "type": "double", "value": "inf" })),
        (bytes().i8(4).bytes(&plain("x")), json!({ "type": "text", "value": plain_json("x") })),
        (bytes().i8(5).i8(2), json!({ "type": "gender", "value": 2 })),
    ]
}

/// Adds a name to the JSON of an argument.
fn named(mut argument: Json, name: Json) -> Json {
    argument["name"] = name;
    argument
}

#[test]
fn formats() {
    let all = arguments();
    let count = all.len() as i32;
    let mut bytes = text(2).bytes(&plain("{0} {1}")).i32(count);
    for (argument, _) in &all {
        bytes = bytes.bytes(&argument.0);
    }
    let values: Vec<_> = all.iter().map(|(_, json)| json.clone()).collect();
    is(
        UE4_27,
        bytes,
        json!({
            "flags": 8, "history": "ordered_format", "format": plain_json("{0} {1}"),
            "arguments": values,
        }),
    );
    for (history, word) in [(1, "named_format"), (3, "argument_format")] {
        let mut bytes = text(history).bytes(&plain("{a}")).i32(count);
        for (argument, _) in &all {
            bytes = bytes.text("a").bytes(&argument.0);
        }
        let values: Vec<_> = all.iter().map(|(_, json)| named(json.clone(), json!("a"))).collect();
        is(
            UE4_27,
            bytes,
            json!({
                "flags": 8, "history": word, "format": plain_json("{a}"), "arguments": values,
            }),
        );
    }
    is(
        UE4_27,
        text(1).bytes(&plain("nothing")).i32(0),
        json!({
            "flags": 8, "history": "named_format", "format": plain_json("nothing"),
            "arguments": [],
        }),
    );
}

/// Depending on the version, arguments of older blueprints have localised texts as names, have
/// integers of 32 bits, or can only have texts as values.
#[test]
fn formats_of_blueprints() {
    let json = |argument: Json| {
        json!({
            "flags": 8, "history": "argument_format", "format": plain_json("{a}"),
            "arguments": [argument],
        })
    };
    let begin = || text(3).bytes(&plain("{a}")).i32(1);
    is(
        In { release: 11, ..UE4_27 },
        begin().text("a").i8(0).i32(-7),
        json(json!({ "name": "a", "type": "int", "value": -7 })),
    );
    is(
        In::ue4(487),
        begin().bytes(&plain("a")).i8(5).i8(1),
        json(json!({ "name": plain_json("a"), "type": "gender", "value": 1 })),
    );
    // In this version, a text without a history consists of its flags and the number of the
    // history.
    let none = Bytes::default().i32(0).i8(-1).0;
    let none_json = || json!({ "flags": 0, "history": "none" });
    is(
        In { editor: 4, ..UE4_27 },
        text(3).bytes(&none).i32(1).text("a").bytes(&none),
        json!({
            "flags": 8, "history": "argument_format", "format": none_json(),
            "arguments": [{ "name": "a", "type": "text", "value": none_json() }],
        }),
    );
    is(
        In { editor: 5, ..UE4_27 },
        text(3).bytes(&none).i32(1).text("a").i8(5).i8(1),
        json!({
            "flags": 8, "history": "argument_format", "format": none_json(),
            "arguments": [{ "name": "a", "type": "gender", "value": 1 }],
        }),
    );
}

#[test]
fn numbers() {
    let options = json!({
        "always_sign": true, "grouping": false, "rounding": 3,
        "minimum_integral_digits": 1, "maximum_integral_digits": 324,
        "minimum_fractional_digits": 0, "maximum_fractional_digits": -3,
    });
    let digits = |bytes: Bytes| bytes.truth(false).i8(3).i32(1).i32(324).i32(0).i32(-3);
    for (argument, json) in arguments() {
        for (history, word) in [(4, "number"), (5, "percent")] {
            is(
                UE4_27,
                text(history).bytes(&argument.0).truth(false).text("de"),
                json!({ "flags": 8, "history": word, "argument": json, "culture": "de" }),
            );
        }
        let with = text(6).text("EUR").bytes(&argument.0).truth(true).truth(true);
        is(
            UE4_27,
            digits(with).text("de"),
            json!({
                "flags": 8, "history": "currency", "currency": "EUR", "argument": json,
                "options": options, "culture": "de",
            }),
        );
    }
    let [(integer, json), ..] = arguments();
    is(
        In::ue4(388),
        text(6).bytes(&integer.0).truth(false).text("de"),
        json!({ "flags": 8, "history": "currency", "argument": json, "culture": "de" }),
    );
    let mut unsigned = options;
    unsigned.as_object_mut().unwrap().remove("always_sign");
    is(
        In { editor: 20, ..UE4_27 },
        digits(text(4).bytes(&integer.0).truth(true)).text("de"),
        json!({
            "flags": 8, "history": "number", "argument": json, "options": unsigned,
            "culture": "de",
        }),
    );
}

#[test]
fn dates() {
    let begin = |history| text(history).i64(637_000_000_000_000_000);
    let json = |word: &str, more: Json| {
        let mut json = json!({
            "flags": 8, "history": word, "ticks": 637_000_000_000_000_000_i64, "culture": "de",
        });
        for (key, value) in more.as_object().unwrap() {
            json[key] = value.clone();
        }
        json
    };
    is(
        UE4_27,
        begin(7).i8(2).text("UTC").text("de"),
        json("date", json!({ "date_style": 2, "time_zone": "UTC" })),
    );
    is(In::ue4(421), begin(7).i8(2).text("de"), json("date", json!({ "date_style": 2 })));
    // In style 5, a text that shows a date and a time has a pattern. A text that shows only a date
    // or only a time has none.
    is(
        UE4_27,
        begin(7).i8(5).text("UTC").text("de"),
        json("date", json!({ "date_style": 5, "time_zone": "UTC" })),
    );
    for versions in [UE4_27, In::ue4(421)] {
        is(
            versions,
            begin(8).i8(5).text("UTC").text("de"),
            json("time", json!({ "time_style": 5, "time_zone": "UTC" })),
        );
    }
    is(
        UE4_27,
        begin(9).i8(1).i8(-1).text("UTC").text("de"),
        json("date_time", json!({ "date_style": 1, "time_style": -1, "time_zone": "UTC" })),
    );
    is(
        UE4_27,
        begin(9).i8(5).i8(1).text("%Y").text("UTC").text("de"),
        json(
            "date_time",
            json!({ "date_style": 5, "time_style": 1, "pattern": "%Y", "time_zone": "UTC" }),
        ),
    );
}

/// Returns the reason why a text is opaque.
fn why(versions: In, bytes: &Bytes) -> ErrorKind {
    with_text(&versions.file(&of_text(), &bytes.0), |value| match value {
        PropertyValue::Opaque(_, OpaqueReason::Malformed(error)) => *error.kind(),
        other => panic!("{other:?}"),
    })
}

#[test]
fn unknown_values() {
    let unknown = |what, value| ErrorKind::Unknown { what, value };
    for history in [-2, 13, 127] {
        let what = unknown("history of a text", history.into());
        assert_eq!(why(UE4_27, &text(history)), what);
    }
    for argument in [-1, 6] {
        let bytes = text(2).bytes(&plain("{0}")).i32(1).i8(argument).i64(0);
        let what = unknown("type of a text's argument", argument.into());
        assert_eq!(why(UE4_27, &bytes), what);
        let what = unknown("type of a text's argument", argument.into());
        assert_eq!(why(UE4_27, &text(4).i8(argument).i64(0).i64(0)), what);
    }
    let bytes = text(12).text("Generator").i64(0).i64(0);
    assert_eq!(why(UE4_27, &bytes), unknown("generator of a text", 12));
    assert_eq!(why(UE4_27, &text(2).bytes(&plain("x")).i32(-1)), ErrorKind::BadCount(-1));
    assert_eq!(why(UE4_27, &text(-1).i32(2)), ErrorKind::BadBool(2));
}

/// Texts that are nested up to the limit can be read, and texts with one more level cannot.
#[test]
fn deep() {
    let nested = |depth: usize| {
        let begin = Bytes::default().i32(0).i8(10).0;
        let (begin, end) = (begin.repeat(depth), vec![1; depth]);
        Bytes::default().bytes(&begin).bytes(&plain("x")).bytes(&end)
    };
    let file = UE4_27.file(&of_text(), &nested(24).0);
    with_text(&file, |value| {
        assert_eq!(written(UE4_27, value).unwrap(), file);
        let PropertyValue::Formatted(text) = value else { panic!("{value:?}") };
        let mut text = *text;
        let mut depth = 0;
        while let History::Transform { source, transform } = text.history {
            assert_eq!(transform, 1);
            (text, depth) = (source.read().unwrap(), depth + 1);
        }
        assert_eq!(depth, 24);
        assert!(matches!(text.history, History::None { culture_invariant: Some(_) }));
    });
    assert_eq!(why(UE4_27, &nested(25)), ErrorKind::TooDeep { limit: 24 });
}

/// If the format of a different version cannot represent a text, writing fails, and nothing is
/// written.
#[test]
fn values_of_other_versions() {
    let old = In { editor: 20, fortnite: 50, release: 11, ..In::ue4(421) };
    let older = In { editor: 4, fortnite: -1, release: -1, ..In::ue4(388) };
    let oldest = In::ue4(342);
    let [(integer, _), (_, _), (float, _), .., (gender, _)] = arguments();
    let bare = Bytes::default().i32(0).i8(-1).0;
    let (begin, ticks) = (text, 1 << 40);
    // The version of a text, its bytes, and `true` for each other version that can represent it.
    let cases = [
        (UE4_27, begin(-1).truth(true).text("x"), [true, false, false, false]),
        (UE4_27, begin(-1).truth(false), [true, true, true, false]),
        (UE4_27, begin(0).text("a").text("b").text("c"), [true, true, true, false]),
        (UE4_27, begin(4).bytes(&integer.0).truth(false).text("x"), [true, true, true, false]),
        (
            UE4_27,
            begin(4)
                .bytes(&float.0)
                .truth(true)
                .truth(true)
                .truth(true)
                .i8(1)
                .i64(0)
                .i64(0)
                .text("x"),
            [true, false, false, false],
        ),
        (
            UE4_27,
            begin(6).text("EUR").bytes(&gender.0).truth(false).text("x"),
            [true, true, false, false],
        ),
        (UE4_27, begin(7).i64(ticks).i8(1).text("UTC").text("x"), [true, false, false, false]),
        (UE4_27, begin(8).i64(ticks).i8(1).text("UTC").text("x"), [true, true, true, false]),
        (old, begin(7).i64(ticks).i8(1).text("x"), [false, true, true, false]),
        (
            UE4_27,
            begin(3).bytes(&text(-1).truth(false).0).i32(1).text("a").bytes(&gender.0),
            [true, false, false, false],
        ),
        (
            UE4_27,
            begin(1).bytes(&text(-1).truth(false).0).i32(1).text("a").bytes(&gender.0),
            [true, true, true, false],
        ),
        (
            old,
            begin(3).bytes(&bare).i32(1).bytes(&bare).bytes(&gender.0),
            [false, true, false, false],
        ),
        (older, begin(3).bytes(&bare).i32(1).bytes(&bare).bytes(&bare), [false, true, true, false]),
        (
            oldest,
            Bytes::default().text("a").text("b").text("c").i32(0),
            [false, false, false, true],
        ),
        (UE4_27, begin(10).bytes(&plain("x")).i8(0), [true, false, false, false]),
        (UE4_27, begin(12).text("None"), [true, true, true, false]),
        (UE4_27, begin(11).text("T").text("k"), [true, true, true, false]),
    ];
    for (at, (versions, bytes, fits)) in cases.into_iter().enumerate() {
        let file = versions.file(&of_text(), &bytes.0);
        with_text(&file, |value| {
            assert!(matches!(value, PropertyValue::Formatted(_)), "{at}: {value:?}");
            for (others, fits) in [UE4_27, old, older, oldest].into_iter().zip(fits) {
                let found = written(others, value);
                let Ok(found) = found else {
                    assert_eq!((found, fits), (Err(ErrorKind::DoesNotFit), false), "{at}");
                    continue;
                };
                assert!(fits, "{at} {others:?}");
                // The text that is read from a file of the other version is the same.
                assert!(with_text(&found, |value| matches!(value, PropertyValue::Formatted(_))));
                let (ours, theirs) = (json_of(&found), json_of(&file));
                assert_eq!(ours["history"], theirs["history"], "{at}");
            }
        });
    }
}

/// If `FUE5ReleaseStreamObjectVersion` is below 12, integer arguments of blueprints have 32 bits,
/// and larger integers cannot be written.
#[test]
fn integers_of_blueprints() {
    let narrow = In { release: 11, ..UE4_27 };
    for (value, fits) in [
        (i64::from(i32::MAX), true),
        (i64::from(i32::MIN), true),
        (i64::from(i32::MAX) + 1, false),
        (i64::MIN, false),
    ] {
        let bytes = text(3).bytes(&plain("{a}")).i32(1).text("a").i8(0).i64(value);
        let file = UE4_27.file(&of_text(), &bytes.0);
        with_text(&file, |text| {
            let found = written(narrow, text);
            assert_eq!(found.is_ok(), fits, "{value}");
            let Ok(found) = found else { return };
            assert_eq!(json_of(&found)["arguments"][0]["value"], json!(value));
        });
    }
}

/// Combinations of fields that no file can contain are refused.
#[test]
fn made_up() {
    let file =
        UE4_27.file(&of_text(), &text(9).i64(1).i8(5).i8(1).text("%Y").text("Z").text("de").0);
    with_text(&file, |value| {
        let PropertyValue::Formatted(text) = value else { panic!("{value:?}") };
        let History::DateTime(date) = text.history else { panic!("{text:?}") };
        let refused = |history| {
            let text = PropertyValue::Formatted(FormattedText { flags: 0, history });
            assert_eq!(written(UE4_27, &text), Err(ErrorKind::DoesNotFit), "{history:?}");
        };
        let missing = gamewire::unreal::properties::DateText { pattern: None, ..date };
        refused(History::DateTime(missing));
        refused(History::DateTime(gamewire::unreal::properties::DateText {
            date_style: Some(4),
            ..date
        }));
        refused(History::DateTime(gamewire::unreal::properties::DateText {
            time_zone: None,
            ..date
        }));
        refused(History::DateTime(gamewire::unreal::properties::DateText {
            time_style: None,
            ..date
        }));
        refused(History::Date(date));
        refused(History::Time(date));
        let whole = FormattedText { flags: 8, history: History::DateTime(date) };
        assert_eq!(written(UE4_27, &PropertyValue::Formatted(whole)).unwrap(), file);
    });
}
