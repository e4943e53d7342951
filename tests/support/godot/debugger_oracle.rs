//! An independent oracle for debugger messages and their frames. It decodes to owned values, and is
//! written from the description of the formats.

use crate::support::godot::oracle::{self, Dialect, Level, Value, seen};

/// The frames of a stream with their offsets, and the end of the stream.
#[derive(Clone, Debug, PartialEq)]
pub struct Frames {
    pub whole: Vec<(usize, Vec<u8>)>,
    pub end: End,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum End {
    /// The stream ends after a frame.
    Whole,
    /// The stream ends inside a length or a frame; this many bytes are missing.
    Cut { missing: usize },
    /// The length at this offset exceeds the limit.
    TooLong { at: usize, len: u32 },
}

/// Splits a stream of length-prefixed frames.
pub fn frames(stream: &[u8], big_endian: bool, most: u32) -> Frames {
    let mut whole = Vec::new();
    let mut at = 0;
    let end = loop {
        let rest = &stream[at..];
        let len = match *rest {
            [] => break End::Whole,
            [a, b, c, d, ..] if big_endian => u32::from_be_bytes([a, b, c, d]),
            [a, b, c, d, ..] => u32::from_le_bytes([a, b, c, d]),
            _ => break End::Cut { missing: 4 - rest.len() },
        };
        if len > most {
            break End::TooLong { at, len };
        }
        let Some(bytes) = rest[4..].get(..len as usize) else {
            // Not `4 + len`, which overflows on 32-bit machines.
            break End::Cut { missing: len as usize - (rest.len() - 4) };
        };
        whole.push((at + 4, bytes.to_vec()));
        at += 4 + bytes.len();
    };
    Frames { whole, end }
}

/// A message of Godot 4.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    pub name: Vec<u8>,
    /// The id of the thread that sent the message, in Godot 4.2 and later.
    pub thread: Option<i64>,
    pub data: Vec<Value>,
}

/// Decodes a message: a single array that fills the whole frame.
pub fn message(frame: &[u8]) -> Option<Message> {
    let (value, len) = oracle::decode(frame, Dialect::Godot4, Level::Structure, false).ok()?;
    let Value::Array { items, .. } = value else { return None };
    if len != frame.len() {
        return None;
    }
    match <[Value; 3]>::try_from(items) {
        Ok([name, Value::Int { value, .. }, Value::Array { items, .. }]) => {
            Some(Message { name: text(&name)?, thread: Some(value), data: items })
        }
        Ok(_) => None,
        Err(items) => match <[Value; 2]>::try_from(items) {
            Ok([name, Value::Array { items, .. }]) => {
                Some(Message { name: text(&name)?, thread: None, data: items })
            }
            _ => None,
        },
    }
}

/// Returns the bytes of a String or a StringName. Engines send Strings.
fn text(value: &Value) -> Option<Vec<u8>> {
    match value {
        Value::String(text) | Value::StringName(text) => Some(text.clone()),
        _ => None,
    }
}

impl Message {
    /// Returns the parts of the name before and after the first colon.
    pub fn capture(&self) -> Option<(Vec<u8>, Vec<u8>)> {
        let name = seen(&self.name);
        let colon = name.iter().position(|&byte| byte == b':')?;
        Some((name[..colon].to_vec(), name[colon + 1..].to_vec()))
    }

    /// Decodes the message if its data has the layout that its name requires.
    pub fn body(&self) -> Option<Body> {
        let mut items = Items(self.data.iter());
        let body = match seen(&self.name) {
            b"debug_enter" => debug_enter(&mut items)?,
            b"stack_dump" => Body::StackDump(stack(&mut items, false)?),
            b"stack_frame_var" => variable(&mut items)?,
            b"error" => error(&mut items)?,
            b"output" => output(&mut items)?,
            _ => return Some(Body::Other),
        };
        items.0.next().is_none().then_some(body)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    DebugEnter { can_continue: bool, error: Vec<u8>, has_stack: bool, thread: Thread },
    StackDump(Vec<Place>),
    StackFrameVar { name: Vec<u8>, scope: i64, type_id: i64, value: Value },
    Error(Error),
    Output { lines: Vec<Vec<u8>>, types: Vec<i32> },
    Other,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Thread {
    Id(i64),
    /// The name of the thread, which older engines send.
    Name(Vec<u8>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub file: Vec<u8>,
    pub line: i64,
    pub function: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    pub time: [i64; 4],
    pub source: Place,
    pub error: Vec<u8>,
    pub description: Vec<u8>,
    pub is_warning: bool,
    pub stack: Vec<Place>,
}

/// The remaining items of a message. Each method returns the next item if it has the expected type.
struct Items<'a>(std::slice::Iter<'a, Value>);

impl Items<'_> {
    fn text(&mut self) -> Option<Vec<u8>> {
        text(self.0.next()?)
    }

    fn int(&mut self) -> Option<i64> {
        match self.0.next()? {
            Value::Int { value, .. } => Some(*value),
            _ => None,
        }
    }

    fn bool(&mut self) -> Option<bool> {
        match self.0.next()? {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }
}

fn debug_enter(items: &mut Items<'_>) -> Option<Body> {
    let (can_continue, error, has_stack) = (items.bool()?, items.text()?, items.bool()?);
    let thread = match items.0.next()? {
        Value::Int { value, .. } => Thread::Id(*value),
        name => Thread::Name(text(name)?),
    };
    Some(Body::DebugEnter { can_continue, error, has_stack, thread })
}

/// Reads a stack: the number of values, then three values for each stack frame. The three values
/// are the file, the line and the function or, if `line_last` is `true`, the file, the function and
/// the line.
fn stack(items: &mut Items<'_>, line_last: bool) -> Option<Vec<Place>> {
    let values = items.int()?;
    if values != items.0.len() as i64 || values % 3 != 0 {
        return None;
    }
    (0..values / 3).map(|_| place(items, line_last)).collect()
}

fn place(items: &mut Items<'_>, line_last: bool) -> Option<Place> {
    let file = items.text()?;
    if line_last {
        let function = items.text()?;
        return Some(Place { file, function, line: items.int()? });
    }
    Some(Place { file, line: items.int()?, function: items.text()? })
}

fn variable(items: &mut Items<'_>) -> Option<Body> {
    let (name, scope, type_id) = (items.text()?, items.int()?, items.int()?);
    let value = items.0.next()?.clone();
    Some(Body::StackFrameVar { name, scope, type_id, value })
}

fn error(items: &mut Items<'_>) -> Option<Body> {
    Some(Body::Error(Error {
        time: [items.int()?, items.int()?, items.int()?, items.int()?],
        source: place(items, true)?,
        error: items.text()?,
        description: items.text()?,
        is_warning: items.bool()?,
        stack: stack(items, true)?,
    }))
}

fn output(items: &mut Items<'_>) -> Option<Body> {
    match (items.0.next()?, items.0.next()?) {
        (Value::Strings(lines), Value::Int32s(types)) => {
            Some(Body::Output { lines: lines.clone(), types: types.clone() })
        }
        _ => None,
    }
}

/// Decodes the value at the start of a Godot 3 frame, which may have trailing bytes.
fn godot3(frame: &[u8], objects: bool) -> Option<Value> {
    Some(oracle::decode(frame, Dialect::Godot3, Level::Structure, objects).ok()?.0)
}

/// Decodes a message from the editor of Godot 3 to the command and its arguments.
pub fn godot3_command(frame: &[u8]) -> Option<(Vec<u8>, Vec<Value>)> {
    let Value::Array { mut items, .. } = godot3(frame, false)? else { return None };
    match items.first() {
        Some(Value::String(_)) => {}
        _ => return None,
    }
    let Value::String(name) = items.remove(0) else { return None };
    Some((name, items))
}

/// The kind of frame that is expected next in a message from a Godot 3 game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Due {
    #[default]
    Name,
    Count,
    Value {
        index: u32,
        left: u32,
    },
}

/// The content of one frame of a message from a Godot 3 game.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    Name(Vec<u8>),
    Count(u32),
    Value { index: u32, value: Value, is_last: bool },
}

impl Due {
    /// Decodes the next frame. For an unexpected frame, returns `None` and expects the same kind of
    /// frame again.
    pub fn feed(&mut self, frame: &[u8]) -> Option<Event> {
        // Full objects are accepted: decoding stores their properties and creates no object.
        let (event, next) = match (*self, godot3(frame, true)?) {
            (Self::Name, Value::String(name)) => (Event::Name(name), Self::Count),
            (Self::Count, Value::Int { value, .. }) => {
                let count = u32::try_from(value).ok()?;
                (Event::Count(count), Self::values(0, count))
            }
            (Self::Value { index, left }, value) => {
                let is_last = left == 1;
                (Event::Value { index, value, is_last }, Self::values(index + 1, left - 1))
            }
            _ => return None,
        };
        *self = next;
        Some(event)
    }

    fn values(index: u32, left: u32) -> Self {
        if left == 0 { Self::Name } else { Self::Value { index, left } }
    }
}
