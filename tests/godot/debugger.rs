//! Decodes debugger messages: a stream recorded from Godot 4.6.3, and bodies derived by hand.

mod damaged;

use crate::laws;
use crate::support::corpus;
use gamewire::godot::debugger::{Body, Message, StackFrame, Thread, godot3};
use gamewire::godot::frame::{Framer, Frames, Framing};
use gamewire::godot::{Dialect, Error, ErrorKind, I32, Items, Kind, Writer};

/// Returns a frame that contains one array. Checks the laws on all prefixes of the frame.
fn frame(
    dialect: Dialect,
    len: usize,
    put: impl Fn(&mut Items<'_, Vec<u8>>) -> Result<(), Error>,
) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), dialect);
    let mut items = writer.array(len).unwrap();
    put(&mut items).unwrap();
    items.finish().unwrap();
    let frame = writer.into_sink();
    (0..=frame.len()).for_each(|end| laws::godot_debugger(&frame[..end]));
    (0..frame.len()).for_each(|end| assert!(Message::parse(&frame[..end]).is_err()));
    frame
}

/// Returns the frame of a message `[name, 1, data]` from thread 1.
fn message(
    name: &str,
    len: usize,
    put: impl Fn(&mut Items<'_, Vec<u8>>) -> Result<(), Error>,
) -> Vec<u8> {
    frame(Dialect::Godot4, 3, |message| {
        message.put(name)?;
        message.put(1)?;
        let mut data = message.array(len)?;
        put(&mut data)?;
        data.finish()
    })
}

fn body(frame: &[u8]) -> Body<'_> {
    Message::parse(frame).unwrap().body().unwrap()
}

#[test]
fn messages_of_a_game_are_decoded() {
    let stream = corpus::read("frames/debugger4.bin");
    laws::godot_debugger(&stream);
    let mut names = Vec::new();
    for frame in Frames::new(&stream) {
        let frame = frame.unwrap();
        let message = Message::parse_at(frame.bytes, frame.offset).unwrap();
        assert_eq!(message.thread, Some(1));
        let name = message.name.to_str().unwrap();
        names.push(name);
        match (name, message.body().unwrap()) {
            ("set_pid", Body::Other) => assert!(message.data.get(0).unwrap().as_i64().is_some()),
            ("output", Body::Output(output)) => {
                let line = output.lines.iter().next().unwrap();
                assert!(line.to_str().unwrap().starts_with("Godot Engine v4.6.3.stable"));
                assert_eq!(output.types, [I32::new(0)]);
            }
            ("window:title", Body::Other) => {
                assert_eq!(message.capture(), Some(("window".into(), "title".into())));
            }
            ("performance:profile_frame", Body::Other) => {
                assert!(message.data.iter().all(|value| value.as_f64().is_some()));
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(names[..4], ["set_pid", "output", "window:title", "performance:profile_frame"]);
    assert_eq!(names.len(), 7);

    // Feeds the stream in pieces, like data from a socket.
    let mut framer = Framer::new(Framing::default());
    assert_eq!(framer.memory(), 0);
    let (mut found, mut longest) = (0, 0);
    for mut piece in stream.chunks(100) {
        while let Some(frame) = framer.next(&mut piece).unwrap() {
            Message::parse_at(frame.bytes, frame.offset).unwrap();
            longest = longest.max(frame.bytes.len());
            found += 1;
        }
    }
    framer.finish().unwrap();
    assert!((longest..=2 * (longest + 4)).contains(&framer.memory()));
    assert_eq!(found, 7);
}

/// Messages of Godot 4.0 and 4.1 contain no thread id.
#[test]
fn message_without_a_thread_is_decoded() {
    let frame = corpus::unhex(
        &[
            "1c000000", "02000000", // an array of two
            "04000000", "04000000", "6b696c6c", // "kill"
            "1c000000", "00000000", // []
        ]
        .concat(),
    );
    let message = Message::parse(&frame).unwrap();
    assert!(message.name == "kill" && message.thread.is_none() && message.data.is_empty());
    assert!(message.capture().is_none());
}

#[test]
fn malformed_messages_are_rejected() {
    let refused = |frame: &[u8], kind, offset| {
        let error = Message::parse(frame).map(drop).unwrap_err();
        assert_eq!((*error.kind(), error.offset()), (kind, offset));
        laws::godot_debugger(frame);
    };
    let wrong = |expected, found| ErrorKind::WrongType { expected, found };
    refused(&[2, 0, 0, 0, 5, 0, 0, 0], wrong(Kind::Array, Kind::Int), 0);
    let four = frame(Dialect::Godot4, 4, |items| (0..4).try_for_each(|n| items.put(n)));
    refused(&four, ErrorKind::WrongCount { found: 4 }, 0);
    let numbers = frame(Dialect::Godot4, 3, |items| (0..3).try_for_each(|n| items.put(n)));
    refused(&numbers, wrong(Kind::String, Kind::Int), 8);
    let no_thread = frame(Dialect::Godot4, 3, |items| {
        items.put("a")?;
        items.put("b")?;
        items.array(0)?.finish()
    });
    refused(&no_thread, wrong(Kind::Int, Kind::String), 20);
    let no_data = frame(Dialect::Godot4, 2, |items| items.entry("a", 5));
    refused(&no_data, wrong(Kind::Array, Kind::Int), 20);
    let mut more = message("a", 0, |_| Ok(()));
    more.push(0);
    refused(&more, ErrorKind::TrailingBytes { count: 1 }, more.len() as u64 - 1);
    let object = frame(Dialect::Godot4, 2, |items| {
        items.put("a")?;
        items.object("Node", 0)?.finish()
    });
    refused(&object, ErrorKind::ObjectNotAllowed, 20);
}

#[test]
fn debug_enter_is_decoded() {
    let by_id = message("debug_enter", 4, |data| {
        data.put(true)?;
        data.put("Breakpoint")?;
        data.put(true)?;
        data.put(7)
    });
    let Body::DebugEnter(enter) = body(&by_id) else { panic!() };
    assert!(enter.can_continue && enter.has_stack && enter.error == "Breakpoint");
    assert_eq!(enter.thread, Thread::Id(7));
    let by_name = message("debug_enter", 4, |data| {
        data.put(false)?;
        data.put("")?;
        data.put(false)?;
        data.put("Main")
    });
    let Body::DebugEnter(enter) = body(&by_name) else { panic!() };
    assert_eq!(enter.thread, Thread::Name("Main".into()));
    let short = message("debug_enter", 1, |data| data.put(true));
    let error = Message::parse(&short).unwrap().body().unwrap_err();
    assert_eq!((*error.kind(), error.offset()), (ErrorKind::WrongCount { found: 1 }, 36));
}

const FRAMES: [StackFrame<'static>; 2] = [
    StackFrame { file: file("res://a.gd"), line: 12, function: file("inner") },
    StackFrame { file: file("res://b.gd"), line: 3, function: file("outer") },
];

const fn file(name: &'static str) -> gamewire::godot::StrRef<'static> {
    gamewire::godot::StrRef::new(name.as_bytes())
}

#[test]
fn stack_dump_is_decoded() {
    let frame = message("stack_dump", 7, |data| {
        data.put(6)?;
        FRAMES.iter().try_for_each(|frame| {
            data.put(frame.file)?;
            data.put(frame.line)?;
            data.put(frame.function)
        })
    });
    let Body::StackDump(dump) = body(&frame) else { panic!() };
    assert_eq!(dump.frames.len(), 2);
    assert!(dump.frames.eq(FRAMES));
    for count in [-3, 0, 2, 3, i64::MAX] {
        let wrong = message("stack_dump", 3, |data| {
            data.put(count)?;
            data.put("a")?;
            data.put(1)
        });
        assert!(Message::parse(&wrong).unwrap().body().is_err());
    }
}

/// The body of a known message has a fixed number of items with fixed types.
#[test]
fn bodies_with_wrong_items_are_rejected() {
    let put = |data: &mut Items<'_, Vec<u8>>, item: &str| match item {
        "int" => data.put(1),
        "true" => data.put(true),
        "lines" => data.put(&["a"][..]),
        "types" => data.put(&[0_i32][..]),
        text => data.put(text),
    };
    let bodies: [(&str, &[&str], usize); 4] = [
        ("debug_enter", &["true", "a", "true", "int"], 0),
        ("stack_frame_var", &["a", "int", "int", "b"], 1),
        ("output", &["lines", "types"], 0),
        ("stack_dump", &["3", "a", "int", "b"], 0),
    ];
    for (name, items, any) in bodies {
        let with = |items: &[&str]| {
            let frame = message(name, items.len(), |data| {
                items.iter().try_for_each(|item| match *item {
                    "3" => data.put(3),
                    item => put(data, item),
                })
            });
            Message::parse(&frame).unwrap().body().map(drop).map_err(|error| *error.kind())
        };
        assert_eq!(with(items), Ok(()), "{name}");
        let more = [items, &["int"]].concat();
        assert_eq!(with(&more), Err(ErrorKind::WrongCount { found: more.len() as u32 }), "{name}");
        let fewer = &items[..items.len() - 1];
        assert_eq!(with(fewer), Err(ErrorKind::WrongCount { found: fewer.len() as u32 }), "{name}");
        for position in 0..items.len() - any {
            let mut other = items.to_vec();
            other[position] = if items[position] == "types" { "lines" } else { "types" };
            assert!(matches!(with(&other), Err(ErrorKind::WrongType { .. })), "{name} {position}");
        }
    }
}

#[test]
fn stack_frame_var_is_decoded() {
    let frame = message("stack_frame_var", 4, |data| {
        data.put("speed")?;
        data.put(1)?;
        data.put(3)?;
        data.put(2.5)
    });
    let Body::StackFrameVar(variable) = body(&frame) else { panic!() };
    assert!(variable.name == "speed" && variable.scope == 1);
    assert_eq!((variable.kind(), variable.value.as_f64()), (Some(Kind::Float), Some(2.5)));
}

#[test]
fn error_is_decoded() {
    let frame = message("error", 17, |data| {
        for part in [0, 1, 2, 345] {
            data.put(part)?; // hour, minute, second, millisecond
        }
        data.entry("core/a.cpp", "f")?;
        data.entry(99, "Condition failed")?;
        data.entry("", true)?;
        data.put(6)?;
        FRAMES.iter().try_for_each(|frame| {
            data.put(frame.file)?;
            data.put(frame.function)?;
            data.put(frame.line)
        })
    });
    let Body::Error(report) = body(&frame) else { panic!() };
    assert_eq!(report.time, [0, 1, 2, 345]);
    let source = StackFrame { file: file("core/a.cpp"), line: 99, function: file("f") };
    assert_eq!(report.source, source);
    assert!(report.error == "Condition failed" && report.description == "" && report.is_warning);
    assert!(report.frames.eq(FRAMES));
}

/// Godot 3 sends a message as several frames: the name, the number of values, and then each value.
#[test]
fn godot3_messages_are_decoded() {
    let stream = corpus::unhex(
        &[
            "0c000000", "04000000", "03000000", "61626300", // "abc"
            "08000000", "02000000", "02000000", // 2 values
            "04000000", "00000000", // null
            "08000000", "01000000", "01000000", // true
            "0c000000", "04000000", "01000000", "64000000", // "d"
            "08000000", "02000000", "00000000", // none
        ]
        .concat(),
    );
    laws::godot_debugger(&stream);
    let mut messages = godot3::Messages::new();
    let events: Vec<_> = Frames::new(&stream)
        .map(|frame| {
            let frame = frame.unwrap();
            match messages.feed_at(frame.bytes, frame.offset).unwrap() {
                godot3::Event::Name(name) => name.to_string(),
                godot3::Event::Count(count) => format!("of {count}"),
                godot3::Event::Value { index, value, is_last } => {
                    format!("{index} {value:?} {is_last}")
                }
            }
        })
        .collect();
    assert_eq!(events, ["abc", "of 2", "0 Nil false", "1 Bool true true", "d", "of 0"]);
    assert!(messages.is_between());

    let mut messages = godot3::Messages::new();
    let error = messages.feed_at(&[0; 4], 9).unwrap_err();
    let kind = ErrorKind::WrongType { expected: Kind::String, found: Kind::Nil };
    assert_eq!((*error.kind(), error.offset()), (kind, 9));
    messages.feed(b"\x04\0\0\0\x01\0\0\0d\0\0\0").unwrap();
    let negative = messages.feed(b"\x02\0\0\0\xff\xff\xff\xff").unwrap_err();
    assert_eq!(*negative.kind(), ErrorKind::NegativeLength(u32::MAX));
    assert!(messages.feed(b"\x02\0\0\0\x01\0\0\0").is_ok());
}

#[test]
fn godot3_commands_are_decoded() {
    let frame = frame(Dialect::Godot3, 3, |command| {
        command.put("breakpoint")?;
        command.entry("res://a.gd", 5)
    });
    let command = godot3::Command::parse(&frame).unwrap();
    assert!(command.name == "breakpoint");
    let arguments: Vec<_> = command.arguments().collect();
    assert!(arguments[0].as_str().unwrap() == "res://a.gd" && arguments[1].as_i64() == Some(5));
    let empty = [19, 0, 0, 0, 0, 0, 0, 0];
    let error = godot3::Command::parse(&empty).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::WrongCount { found: 0 });
}

/// Godot 3 reads one value from a frame and ignores any bytes after the value. Godot 4 rejects such
/// a frame.
#[test]
fn bytes_after_a_godot3_command_are_ignored() {
    let array = |kind| [kind, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, b'd', 0, 0, 0, 7];
    let [godot3, godot4] = [19, 28].map(array);
    assert!(godot3::Command::parse(&godot3).unwrap().name == "d");
    let error = Message::parse(&godot4).map(drop).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::TrailingBytes { count: 1 });
}
