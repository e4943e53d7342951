//! Compares the crate's debugger messages with those of the oracle.

use super::super::meaning::with_quiet_nans;
use crate::support::godot::debugger_oracle::{self as plain, Due};
use crate::support::godot::oracle::Value;
use crate::support::godot::values::{self, Build};
use gamewire::godot::debugger::{Body, ErrorReport, Message, StackFrame, Thread, godot3};
use gamewire::godot::{ArrayRef, Dialect, Encoded, Reader, StrRef, VariantRef};

/// Asserts that the crate and the oracle accept the same messages, and that their contents are
/// equal.
pub fn message(frame: &[u8]) {
    let ours = Message::parse(frame).ok();
    let mut theirs = plain::message(frame);
    assert_eq!(ours.is_some(), theirs.is_some(), "{frame:02x?}");
    let (Some(ours), Some(theirs)) = (ours, &mut theirs) else { return };
    assert_eq!((bytes(ours.name), ours.thread), (theirs.name.clone(), theirs.thread));
    assert_eq!(items(ours.data), quiet(theirs.data.clone()));
    let capture = ours.capture().map(|(capture, name)| (bytes(capture), bytes(name)));
    assert_eq!(capture, theirs.capture());
    assert_eq!(ours.body().ok().map(|found| body(&found, ours.data)), theirs.body());
}

/// Makes signalling NaNs of 32-bit floats quiet, as the crate does.
fn quiet(items: Vec<Value>) -> Vec<Value> {
    items.into_iter().map(with_quiet_nans).collect()
}

fn items(array: ArrayRef<'_>) -> Vec<Value> {
    array.iter().encoded().map(value).collect()
}

fn value(encoded: Encoded<'_>) -> Value {
    let (value, len) = values::value_of(encoded.as_bytes(), encoded.dialect()).unwrap();
    assert_eq!(len, encoded.as_bytes().len());
    with_quiet_nans(value)
}

fn bytes(text: StrRef<'_>) -> Vec<u8> {
    text.as_bytes().to_vec()
}

fn body(body: &Body<'_>, data: ArrayRef<'_>) -> plain::Body {
    match body {
        Body::DebugEnter(enter) => plain::Body::DebugEnter {
            can_continue: enter.can_continue,
            error: bytes(enter.error),
            has_stack: enter.has_stack,
            thread: match enter.thread {
                Thread::Id(id) => plain::Thread::Id(id),
                Thread::Name(name) => plain::Thread::Name(bytes(name)),
            },
        },
        Body::StackDump(dump) => plain::Body::StackDump(dump.frames.clone().map(place).collect()),
        Body::StackFrameVar(variable) => {
            let last = data.iter().encoded().last().unwrap();
            assert_eq!(format!("{:?}", variable.value), format!("{:?}", last.decode()));
            plain::Body::StackFrameVar {
                name: bytes(variable.name),
                scope: variable.scope,
                type_id: variable.type_id,
                value: value(last),
            }
        }
        Body::Error(report) => plain::Body::Error(error(report)),
        Body::Output(output) => plain::Body::Output {
            lines: output.lines.iter().map(bytes).collect(),
            types: output.types.iter().map(|number| number.get()).collect(),
        },
        _ => plain::Body::Other,
    }
}

fn place(frame: StackFrame<'_>) -> plain::Place {
    plain::Place { file: bytes(frame.file), line: frame.line, function: bytes(frame.function) }
}

fn error(report: &ErrorReport<'_>) -> plain::Error {
    plain::Error {
        time: report.time,
        source: place(report.source),
        error: bytes(report.error),
        description: bytes(report.description),
        is_warning: report.is_warning,
        stack: report.frames.clone().map(place).collect(),
    }
}

pub fn command(frame: &[u8]) {
    let ours = godot3::Command::parse(frame).ok().map(|command| {
        let array = Reader::new(frame, Dialect::Godot3).read().unwrap().as_array().unwrap();
        assert_eq!(command.arguments().len() + 1, array.len());
        let arguments = array.iter().encoded().skip(1);
        let shown = |value: VariantRef<'_>| format!("{value:?}");
        let decoded = arguments.clone().map(|value| shown(value.decode()));
        assert!(command.arguments().map(shown).eq(decoded));
        (bytes(command.name), arguments.map(value).collect())
    });
    let theirs = plain::godot3_command(frame).map(|(name, items)| (name, quiet(items)));
    assert_eq!(ours, theirs);
}

/// Feeds a frame from a Godot 3 game to the crate and to the oracle.
pub fn game(messages: &mut godot3::Messages, due: &mut Due, frame: &[u8]) {
    assert_eq!(messages.is_between(), *due == Due::Name);
    let ours = messages.feed(frame).ok().map(|event| match event {
        godot3::Event::Name(name) => plain::Event::Name(bytes(name)),
        godot3::Event::Count(count) => plain::Event::Count(count),
        godot3::Event::Value { index, is_last, value: ours } => {
            let first = Reader::new(frame, Dialect::Godot3).read_encoded().unwrap();
            assert_eq!(format!("{ours:?}"), format!("{:?}", first.decode()));
            plain::Event::Value { index, value: value(first), is_last }
        }
    });
    let theirs = due.feed(frame).map(|event| match event {
        plain::Event::Value { index, value, is_last } => {
            plain::Event::Value { index, value: with_quiet_nans(value), is_last }
        }
        other => other,
    });
    assert_eq!(ours, theirs);
}
