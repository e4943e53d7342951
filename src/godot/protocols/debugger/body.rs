use super::Items;
use crate::godot::{Dialect, I32, Kind, PackedStringArrayRef, Result, StrRef, Values, VariantRef};
use core::iter::FusedIterator;

/// The decoded data of a [`Message`](super::Message).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Body<'a> {
    /// `debug_enter`: the game has stopped.
    DebugEnter(DebugEnter<'a>),
    /// `stack_dump`: the stack of the stopped game.
    StackDump(StackDump<'a>),
    /// `stack_frame_var`: one variable of a stack frame.
    StackFrameVar(StackFrameVar<'a>),
    /// `error`: an error or a warning.
    Error(ErrorReport<'a>),
    /// `output`: lines that were printed.
    Output(Output<'a>),
    /// A message with any other name.
    Other,
}

impl<'a> Body<'a> {
    pub(super) fn read(name: StrRef<'a>, mut items: Items<'a>) -> Result<Self> {
        let items = &mut items;
        Ok(match name.visible() {
            b"debug_enter" => Self::DebugEnter(DebugEnter::read(items)?),
            b"stack_dump" => Self::StackDump(StackDump::read(items)?),
            b"stack_frame_var" => Self::StackFrameVar(StackFrameVar::read(items)?),
            b"error" => Self::Error(ErrorReport::read(items)?),
            b"output" => Self::Output(Output::read(items)?),
            _ => Self::Other,
        })
    }
}

/// The game has stopped at a breakpoint or because of an error.
#[derive(Clone, Copy, Debug)]
pub struct DebugEnter<'a> {
    /// `true` if the game can continue.
    pub can_continue: bool,
    /// The reason why the game stopped.
    pub error: StrRef<'a>,
    /// `true` if a stack can be requested.
    pub has_stack: bool,
    /// The thread that stopped.
    pub thread: Thread<'a>,
}

/// A thread, given by its id (or by its name in older engines).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thread<'a> {
    /// The id of the thread.
    Id(i64),
    /// The name of the thread.
    Name(StrRef<'a>),
}

impl<'a> DebugEnter<'a> {
    fn read(items: &mut Items<'a>) -> Result<Self> {
        items.expect(4)?;
        Ok(Self {
            can_continue: items.bool()?,
            error: items.text()?,
            has_stack: items.bool()?,
            thread: items.next_as(Kind::Int, |value| match value {
                VariantRef::Int(id) => Some(Thread::Id(id)),
                other => other.as_str().map(Thread::Name),
            })?,
        })
    }
}

/// A frame of a stack: a script, a function and a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackFrame<'a> {
    /// The script.
    pub file: StrRef<'a>,
    /// The line.
    pub line: i64,
    /// The function.
    pub function: StrRef<'a>,
}

/// The order of a frame's fields.
#[derive(Clone, Copy, Debug)]
enum Order {
    FileLineFunction,
    FileFunctionLine,
}

/// Iterator over the frames of a stack, the innermost first.
#[derive(Clone, Debug)]
pub struct StackFrames<'a> {
    values: Values<'a>,
    order: Order,
}

impl<'a> StackFrames<'a> {
    /// Reads the number of values, and then the values up to the end of the array. Each frame of
    /// the stack has three values.
    fn read(items: &mut Items<'a>, order: Order) -> Result<Self> {
        let count = items.int()?;
        if i64::try_from(items.left()) != Ok(count) || items.left().checked_rem(3) != Some(0) {
            return Err(items.wrong_count());
        }
        let before = items.array.len().saturating_sub(items.left());
        while items.left() > 0 {
            items.text()?;
            if let Order::FileLineFunction = order {
                items.int()?;
                items.text()?;
            } else {
                items.text()?;
                items.int()?;
            }
        }
        let mut values = items.array.iter();
        values.by_ref().take(before).for_each(drop);
        Ok(Self { values, order })
    }

    fn parts(&mut self) -> Option<StackFrame<'a>> {
        let [file, second, third] = [self.values.next()?, self.values.next()?, self.values.next()?];
        let (line, function) = match self.order {
            Order::FileLineFunction => (second, third),
            Order::FileFunctionLine => (third, second),
        };
        Some(StackFrame {
            file: file.as_str()?,
            line: line.as_i64()?,
            function: function.as_str()?,
        })
    }
}

impl<'a> Iterator for StackFrames<'a> {
    type Item = StackFrame<'a>;

    fn next(&mut self) -> Option<StackFrame<'a>> {
        if self.values.len() == 0 {
            return None;
        }
        let frame = self.parts();
        debug_assert!(frame.is_some(), "checked when the view was made");
        frame
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.values.len().checked_div(3).unwrap_or_default();
        (left, Some(left))
    }
}

impl ExactSizeIterator for StackFrames<'_> {}
impl FusedIterator for StackFrames<'_> {}

/// The stack of the stopped game.
#[derive(Clone, Debug)]
pub struct StackDump<'a> {
    /// The stack.
    pub frames: StackFrames<'a>,
}

impl<'a> StackDump<'a> {
    fn read(items: &mut Items<'a>) -> Result<Self> {
        Ok(Self { frames: StackFrames::read(items, Order::FileLineFunction)? })
    }
}

/// A variable of a stack frame.
#[derive(Clone, Copy, Debug)]
pub struct StackFrameVar<'a> {
    /// The name of the variable.
    pub name: StrRef<'a>,
    /// The scope of the variable. 0: local, 1: member, 2: global.
    pub scope: i64,
    /// The id of the variable's type.
    pub type_id: i64,
    /// The value. The engine sends null in place of a value of more than 1 MiB.
    pub value: VariantRef<'a>,
}

impl<'a> StackFrameVar<'a> {
    fn read(items: &mut Items<'a>) -> Result<Self> {
        items.expect(4)?;
        Ok(Self {
            name: items.text()?,
            scope: items.int()?,
            type_id: items.int()?,
            value: items.next()?.decode(),
        })
    }

    /// Returns the type, if the id is valid.
    pub fn kind(&self) -> Option<Kind> {
        u32::try_from(self.type_id).ok().and_then(|id| Dialect::Godot4.kind(id))
    }
}

/// An error or a warning.
#[derive(Clone, Debug)]
pub struct ErrorReport<'a> {
    /// Time since the start of the game: hours, minutes, seconds, milliseconds.
    pub time: [i64; 4],
    /// The place in the source code of the engine or of a script that reported the error.
    pub source: StackFrame<'a>,
    /// The error.
    pub error: StrRef<'a>,
    /// A description, which may be empty.
    pub description: StrRef<'a>,
    /// `true` for a warning.
    pub is_warning: bool,
    /// The stack of script functions at the time of the error.
    pub frames: StackFrames<'a>,
}

impl<'a> ErrorReport<'a> {
    fn read(items: &mut Items<'a>) -> Result<Self> {
        let time = [items.int()?, items.int()?, items.int()?, items.int()?];
        let (file, function, line) = (items.text()?, items.text()?, items.int()?);
        Ok(Self {
            time,
            source: StackFrame { file, line, function },
            error: items.text()?,
            description: items.text()?,
            is_warning: items.bool()?,
            frames: StackFrames::read(items, Order::FileFunctionLine)?,
        })
    }
}

/// Lines that were printed.
#[derive(Clone, Copy, Debug)]
pub struct Output<'a> {
    /// The lines.
    pub lines: PackedStringArrayRef<'a>,
    /// The type of each line. 0: printed, 1: an error, 2: with BBCode.
    pub types: &'a [I32],
}

impl<'a> Output<'a> {
    fn read(items: &mut Items<'a>) -> Result<Self> {
        items.expect(2)?;
        let lines = items.next_as(Kind::PackedStringArray, |value| match value {
            VariantRef::PackedStringArray(lines) => Some(lines),
            _ => None,
        })?;
        let types = items.next_as(Kind::PackedInt32Array, |value| match value {
            VariantRef::PackedInt32Array(types) => Some(types),
            _ => None,
        })?;
        Ok(Self { lines, types })
    }
}
