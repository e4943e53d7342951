//! Laws of debugger messages: a decoded message consists of the values in its frame, and errors
//! have valid offsets.

mod oracle_agreement;

use crate::support::godot::debugger_oracle::Due;
use gamewire::godot::debugger::{Body, Message, godot3};
use gamewire::godot::frame::Frames;
use gamewire::godot::{Dialect, Error, Reader};

pub fn godot_debugger(data: &[u8]) {
    oracle_agreement::message(data);
    oracle_agreement::command(data);
    message(data);
    godot3_command(data);
    let mut messages = godot3::Messages::new();
    let (mut game, mut due) = (godot3::Messages::new(), Due::default());
    let mut values_left = 0;
    for frame in Frames::new(data).filter_map(Result::ok) {
        oracle_agreement::message(frame.bytes);
        oracle_agreement::game(&mut game, &mut due, frame.bytes);
        message(frame.bytes);
        values_left = godot3_frame(&mut messages, frame.bytes, values_left);
    }
}

const ORIGIN: u64 = 1 << 40;

fn inside(error: &Error, frame: &[u8]) {
    assert!(error.offset() <= frame.len() as u64, "{error}");
}

fn message(frame: &[u8]) {
    let far = Message::parse_at(frame, ORIGIN);
    let message = match Message::parse(frame) {
        Ok(message) => message,
        Err(error) => {
            assert_eq!(far.unwrap_err(), error.shifted(ORIGIN));
            return inside(&error, frame);
        }
    };
    let mut reader = Reader::new(frame, Dialect::Godot4);
    let array = reader.read().unwrap().as_array().unwrap();
    reader.finish().unwrap();
    assert_eq!(array.len(), 2 + usize::from(message.thread.is_some()));
    assert!(array.get(0).unwrap().as_str() == Some(message.name));
    if let Some((capture, name)) = message.capture() {
        assert_eq!([capture, name].map(|text| text.as_bytes()).join(&b':'), message.name.visible());
    }
    match (message.body(), far.unwrap().body()) {
        (Err(error), other) => {
            assert_eq!(other.unwrap_err(), error.shifted(ORIGIN));
            inside(&error, frame);
        }
        (Ok(body), _) => whole(&body, message.data.len()),
    }
}

/// Asserts that a body contains all items of its message.
fn whole(body: &Body<'_>, items: usize) {
    match body {
        Body::StackDump(dump) => {
            assert_eq!(dump.frames.len(), dump.frames.clone().count());
            assert_eq!(items, 1 + 3 * dump.frames.len());
        }
        Body::Error(report) => {
            assert_eq!(report.frames.len(), report.frames.clone().count());
            assert_eq!(items, 11 + 3 * report.frames.len());
        }
        Body::StackFrameVar(_) | Body::DebugEnter(_) => assert_eq!(items, 4),
        Body::Output(_) => assert_eq!(items, 2),
        _ => {}
    }
}

fn godot3_command(frame: &[u8]) {
    match godot3::Command::parse(frame) {
        Ok(command) => assert_eq!(command.arguments().len(), command.arguments().count()),
        Err(error) => {
            inside(&error, frame);
            let far = godot3::Command::parse_at(frame, ORIGIN);
            assert_eq!(far.unwrap_err(), error.shifted(ORIGIN));
        }
    }
}

/// Feeds a frame. Returns the number of values that are still missing from the message after this
/// frame.
fn godot3_frame(messages: &mut godot3::Messages, frame: &[u8], left: u32) -> u32 {
    let between = messages.is_between();
    match messages.feed(frame) {
        Ok(godot3::Event::Name(_)) => {
            assert!(between && !messages.is_between());
            0
        }
        Ok(godot3::Event::Count(count)) => {
            assert_eq!((between, messages.is_between()), (false, count == 0));
            count
        }
        Ok(godot3::Event::Value { is_last, .. }) => {
            assert_eq!((is_last, messages.is_between()), (left == 1, left == 1));
            left - 1
        }
        Err(error) => {
            inside(&error, frame);
            assert_eq!(messages.is_between(), between);
            left
        }
    }
}
