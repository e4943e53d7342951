//! Packets of `MultiplayerAPI` (Godot 3.0 to 3.6). The first byte is the command. Godot 3.0 lacks
//! command 4.
//!
//! | command | packet |
//! |---|---|
//! | 0 | [`Call`]: a remote call |
//! | 1 | [`Set`]: sets a property |
//! | 2 | SIMPLIFY_PATH: assigns a number to a node |
//! | 3 | CONFIRM_PATH: confirms that number |
//! | 4 | bytes that a script sends with `send_bytes` |
//!
//! Methods and properties are sent by name, and all values in their full encoding.

use super::run::Extent;
use super::{
    Fault, HIGH_BIT, Input, Message, NodeRef, Piece, Run, ToVariants, Values, fail, id, length,
    put_text, put_whole, text, text_len,
};
use crate::buffer::{Cursor, Sink};
use crate::godot::compact::CompactWriter;
use crate::godot::table::layouts::U32;
use crate::godot::{Dialect, Result, StrRef, ToVariant};

const CALL: u8 = 0;
const SET: u8 = 1;
const SIMPLIFY_PATH: u8 = 2;
const CONFIRM_PATH: u8 = 3;
const RAW: u8 = 4;

/// A packet of a `MultiplayerAPI`, without the prefix of a [`transport`](super::transport).
///
/// ```
/// use gamewire::godot::multiplayer::NodeRef;
/// use gamewire::godot::multiplayer::godot3::Packet;
///
/// let packet = b"\x01\x01\0\0\0vv\0\x02\0\0\0\x2a\0\0\0"; // sets vv of node 1 to 42
/// let Packet::Set(set) = Packet::parse(packet)? else { unreachable!() };
/// assert!(set.property == "vv" && set.node == NodeRef::Cached(1));
/// assert_eq!(set.value.iter().read()?.unwrap().as_i64(), Some(42));
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packet<'a> {
    /// Calls a method.
    Call(Call<'a>),
    /// Sets a property.
    Set(Set<'a>),
    /// Assigns a number to a node. The sender uses the number once the receiver has confirmed it.
    SimplifyPath {
        /// The number.
        id: u32,
        /// The path of the node, relative to the multiplayer root.
        path: StrRef<'a>,
    },
    /// Confirms a number.
    ConfirmPath {
        /// The path of the node.
        path: StrRef<'a>,
    },
    /// Bytes that a script sends with `send_bytes` and receives with the signal
    /// `network_peer_packet`.
    Raw(&'a [u8]),
}

/// A remote call.
///
/// | size | field |
/// |---|---|
/// | 1 | command 0 |
/// | 4 | node; if bit 31 is set, the other bits are the offset of its path in the packet |
/// | … | method and a NUL |
/// | 1 | number of arguments |
/// | … | the arguments |
/// | … | the node's path and a NUL |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call<'a> {
    /// The node.
    pub node: NodeRef<'a>,
    /// The method.
    pub method: StrRef<'a>,
    /// The arguments. A receiver does not call the method if one of them is malformed.
    pub arguments: Run<'a>,
}

/// Sets a property.
///
/// | size | field |
/// |---|---|
/// | 1 | command 1 |
/// | 4 | node; if bit 31 is set, the other bits are the offset of its path in the packet |
/// | … | property and a NUL |
/// | … | the value |
/// | … | the node's path and a NUL |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Set<'a> {
    /// The node.
    pub node: NodeRef<'a>,
    /// The property.
    pub property: StrRef<'a>,
    /// The new value, as a run of one value.
    pub value: Run<'a>,
}

impl<'a> Packet<'a> {
    /// Reads a packet.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Multiplayer`](crate::godot::ErrorKind::Multiplayer) if the packet is
    /// malformed.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        Self::parse_at(bytes, 0)
    }

    /// Reads a packet. Adds `origin`, the offset of the packet in the input, to the offsets of
    /// errors and values.
    ///
    /// # Errors
    /// Returns the errors of [`parse`](Self::parse).
    pub fn parse_at(bytes: &'a [u8], origin: u64) -> Result<Self> {
        read(&Input { bytes, origin }).map_err(|error| error.shifted(origin))
    }

    /// Returns the type of the packet.
    pub fn message(&self) -> Message {
        match self {
            Self::Call(_) => Message::Call,
            Self::Set(_) => Message::Set,
            Self::SimplifyPath { .. } => Message::SimplifyPath,
            Self::ConfirmPath { .. } => Message::ConfirmPath,
            Self::Raw(_) => Message::Raw,
        }
    }
}

fn read<'a>(input: &Input<'a>) -> Result<Packet<'a>> {
    let Some(&first) = input.bytes.first() else {
        return Err(input.fail(Fault::TooShort { message: Message::Packet, least: 1 }, 0));
    };
    match first {
        CALL => {
            let Member { node, name, at, end } = Member::read(input, Message::Call)?;
            let (window, pos) = (values(input, &at, end), at.pos());
            let Some((&count, bytes)) = window.split_first() else {
                return Err(input.fail(Fault::TooShort { message: Message::Call, least: 7 }, pos));
            };
            let arguments = run(input, bytes, pos.saturating_add(1), count);
            Ok(Packet::Call(Call { node, method: name, arguments }))
        }
        SET => {
            let Member { node, name, at, end } = Member::read(input, Message::Set)?;
            let (window, pos) = (values(input, &at, end), at.pos());
            if window.is_empty() {
                return Err(input.fail(Fault::TooShort { message: Message::Set, least: 7 }, pos));
            }
            Ok(Packet::Set(Set { node, property: name, value: run(input, window, pos, 1) }))
        }
        SIMPLIFY_PATH => {
            let mut at = input.at_least(5, Message::SimplifyPath)?;
            let id = at.read::<U32>()?.get();
            Ok(Packet::SimplifyPath { id, path: text(at.rest()) })
        }
        CONFIRM_PATH => {
            let at = input.at_least(2, Message::ConfirmPath)?;
            Ok(Packet::ConfirmPath { path: text(at.rest()) })
        }
        RAW => Ok(Packet::Raw(input.at_least(2, Message::Raw)?.rest())),
        command => Err(input.fail(Fault::UnknownCommand(command.into()), 0)),
    }
}

/// A node and the name of one of its methods or properties.
struct Member<'a> {
    node: NodeRef<'a>,
    name: StrRef<'a>,
    /// The cursor after the name and its NUL.
    at: Cursor<'a>,
    /// The offset of the node's path, if the packet has one.
    end: Option<usize>,
}

impl<'a> Member<'a> {
    fn read(input: &Input<'a>, message: Message) -> Result<Self> {
        let mut at = input.at_least(6, message)?;
        let (node, end) = input.node(at.read::<U32>()?.get(), 1)?;
        let name = text(at.rest());
        let pos = at.pos();
        at.skip(name.as_bytes().len());
        if at.is_empty() {
            return Err(input.fail(Fault::Unterminated, pos));
        }
        at.skip(1);
        Ok(Self { node, name, at, end })
    }
}

/// Returns the bytes between the name and the path. `end` is the offset of the path. If it lies
/// before the end of the name, it is ignored: as in the engine, the values then extend to the end
/// of the packet.
fn values<'a>(input: &Input<'a>, at: &Cursor<'a>, end: Option<usize>) -> &'a [u8] {
    end.and_then(|end| input.bytes.get(at.pos()..end)).unwrap_or(at.rest())
}

fn run<'a>(input: &Input<'a>, bytes: &'a [u8], pos: usize, count: u8) -> Run<'a> {
    Run::new(bytes, input.offset(pos), Dialect::Godot3, Extent::Count(count))
}

/// A call or a property assignment to write, with values of any type.
struct NewMember<'a, A> {
    command: u8,
    node: NodeRef<'a>,
    name: StrRef<'a>,
    values: &'a A,
}

impl<A: ToVariants> Piece for NewMember<'_, A> {
    fn write<S: Sink>(&self, out: &mut CompactWriter<S>) -> Result<()> {
        let count = self.values.count();
        let argc = match u8::try_from(count) {
            Ok(argc) => argc,
            Err(_) => {
                let count = u32::try_from(count).unwrap_or(u32::MAX);
                return Err(fail(out, Fault::TooManyArguments(count)));
            }
        };
        let argc: &[u8] = if self.command == CALL { &[argc] } else { &[] };
        let node = match self.node {
            NodeRef::Cached(number) => id(out, number)?,
            NodeRef::Path(_) => {
                let values = Values(self.values).len(out)?;
                let head = text_len(self.name).saturating_add(argc.len()).saturating_add(5);
                length(out, values.saturating_add(head))? | HIGH_BIT
            }
        };
        out.put_bytes(&[self.command])?;
        out.put_bytes(&node.to_le_bytes())?;
        put_text(out, self.name)?;
        out.put_bytes(argc)?;
        self.values.put_all(out)?;
        match self.node {
            NodeRef::Cached(_) => Ok(()),
            NodeRef::Path(path) => put_text(out, path),
        }
    }
}

impl Piece for Packet<'_> {
    fn write<S: Sink>(&self, out: &mut CompactWriter<S>) -> Result<()> {
        match *self {
            Self::Call(Call { node, method: name, ref arguments }) => {
                NewMember { command: CALL, node, name, values: arguments }.write(out)
            }
            Self::Set(Set { node, property: name, ref value }) => {
                NewMember { command: SET, node, name, values: value }.write(out)
            }
            Self::SimplifyPath { id, path } => {
                out.put_bytes(&[SIMPLIFY_PATH])?;
                out.put_bytes(&id.to_le_bytes())?;
                put_text(out, path)
            }
            Self::ConfirmPath { path } => {
                out.put_bytes(&[CONFIRM_PATH])?;
                put_text(out, path)
            }
            Self::Raw([]) => Err(fail(out, Fault::TooShort { message: Message::Raw, least: 2 })),
            Self::Raw(bytes) => {
                out.put_bytes(&[RAW])?;
                out.put_bytes(bytes)
            }
        }
    }
}

/// Appends packets to a sink, in the same form as the engine. A packet is written completely or not
/// at all.
///
/// ```
/// use gamewire::godot::multiplayer::NodeRef;
/// use gamewire::godot::multiplayer::godot3::PacketWriter;
///
/// let mut packet = Vec::new();
/// PacketWriter::new(&mut packet).set(NodeRef::Cached(1), "vv", 42)?;
/// assert_eq!(packet, b"\x01\x01\0\0\0vv\0\x02\0\0\0\x2a\0\0\0");
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Debug)]
pub struct PacketWriter<S>(CompactWriter<S>);

impl<S: Sink> PacketWriter<S> {
    /// Creates a writer for Godot 3.
    pub fn new(sink: S) -> Self {
        Self(CompactWriter::new(sink, Dialect::Godot3))
    }

    /// Returns the sink.
    pub fn sink(&self) -> &S {
        self.0.sink()
    }

    /// Returns the sink, consuming the writer.
    pub fn into_sink(self) -> S {
        self.0.into_sink()
    }

    /// Appends any packet.
    ///
    /// # Errors
    /// Returns an error if a receiver would reject the packet or mistake it for a different one, if
    /// a size or offset in the packet does not fit in 31 bits, or if the sink is full. Values in a
    /// different encoding are encoded again. This fails if one of them is malformed, or if Godot 3
    /// cannot represent it.
    pub fn put(&mut self, packet: &Packet<'_>) -> Result<()> {
        put_whole(&mut self.0, packet)
    }

    /// Appends a call with these arguments.
    ///
    /// # Errors
    /// Returns an error if there are more than 255 arguments, Godot 3 cannot represent one of them,
    /// bit 31 of the node's number is set, or the sink is full.
    pub fn call(
        &mut self,
        node: NodeRef<'_>,
        method: &str,
        arguments: impl ToVariants,
    ) -> Result<()> {
        let call = NewMember { command: CALL, node, name: method.into(), values: &arguments };
        put_whole(&mut self.0, &call)
    }

    /// Appends a call like [`call`](Self::call), with borrowed arguments.
    #[cfg(feature = "multiplayer")]
    pub(super) fn call_ref(
        &mut self,
        node: NodeRef<'_>,
        method: &str,
        values: &impl ToVariants,
    ) -> Result<()> {
        put_whole(&mut self.0, &NewMember { command: CALL, node, name: method.into(), values })
    }

    /// Appends a property assignment like [`set`](Self::set), with a borrowed value.
    #[cfg(feature = "multiplayer")]
    pub(super) fn set_ref(
        &mut self,
        node: NodeRef<'_>,
        property: &str,
        values: &impl ToVariants,
    ) -> Result<()> {
        put_whole(&mut self.0, &NewMember { command: SET, node, name: property.into(), values })
    }

    /// Appends a property assignment.
    ///
    /// # Errors
    /// Returns an error if Godot 3 cannot represent the value, bit 31 of the node's number is set,
    /// or the sink is full.
    pub fn set(&mut self, node: NodeRef<'_>, property: &str, value: impl ToVariant) -> Result<()> {
        let set = NewMember { command: SET, node, name: property.into(), values: &(value,) };
        put_whole(&mut self.0, &set)
    }
}
