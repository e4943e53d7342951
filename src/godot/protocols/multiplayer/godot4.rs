//! Packets of `SceneMultiplayer` (Godot 4.0 to 4.6). The low three bits of the first byte are the
//! command, bit 3 is unused, and the other bits are flags whose meaning depends on the command.
//!
//! | command | packet |
//! |---|---|
//! | 0 | [`Call`]: a remote call |
//! | 1 | [`SimplifyPath`]: assigns a number to a node |
//! | 2 | [`ConfirmPath`]: confirms that number |
//! | 3 | bytes that a script sends with `send_bytes` |
//! | 4 | [`Spawn`] |
//! | 5 | despawn: the id of the node |
//! | 6 | [`Sync`], or [`Delta`] if bit 4 is set |
//! | 7 | [`System`]: authentication, peers, relays |

mod replication;
mod system;

pub use replication::{
    Delta, DeltaRecord, DeltaRecords, NetId, Scene, Spawn, Sync, SyncRecord, SyncRecords,
};
pub use system::{Relay, System, relay_head};
#[cfg(feature = "multiplayer")]
pub(super) use system::{add_peer_packet, del_peer_packet};

use super::run::Extent;
use super::{
    Fault, HIGH_BIT, Input, Message, NodeRef, Piece, Run, ToVariants, Values, fail, id, length,
    put_text, put_whole, text, text_len,
};
use crate::buffer::{Cursor, Sink};
use crate::godot::compact::CompactWriter;
use crate::godot::table::layouts::U32;
use crate::godot::{Dialect, Result, StrRef, Target};
use zerocopy::little_endian::U16;

const CALL: u8 = 0;
const SIMPLIFY_PATH: u8 = 1;
const CONFIRM_PATH: u8 = 2;
const RAW: u8 = 3;
const SPAWN: u8 = 4;
const DESPAWN: u8 = 5;
const SYNC: u8 = 6;
const SYSTEM: u8 = 7;

/// The bits of the first byte that hold the command.
const COMMAND: u8 = 7;

/// A packet of a `SceneMultiplayer`.
///
/// ```
/// use gamewire::godot::multiplayer::NodeRef;
/// use gamewire::godot::multiplayer::godot4::Packet;
///
/// // Method 2 of node 1, with true and 300. One byte each for node and method.
/// let packet = [0x00, 1, 2, 2, 0x81, 0x42, 0x2c, 0x01];
/// let Packet::Call(call) = Packet::parse(&packet)? else { unreachable!() };
/// assert_eq!((call.node, call.method.index()), (NodeRef::Cached(1), 2));
/// let mut arguments = call.arguments.iter();
/// assert_eq!(arguments.read()?.unwrap().as_bool(), Some(true));
/// assert_eq!(arguments.read()?.unwrap().as_i64(), Some(300));
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packet<'a> {
    /// Calls a method.
    Call(Call<'a>),
    /// Assigns a number to a node.
    SimplifyPath(SimplifyPath<'a>),
    /// Confirms a number.
    ConfirmPath(ConfirmPath<'a>),
    /// Bytes that a script sends with `send_bytes` and receives with the signal `peer_packet`.
    Raw(&'a [u8]),
    /// Creates a node.
    Spawn(Spawn<'a>),
    /// Removes the node that was spawned with this id.
    Despawn {
        /// The id.
        net_id: u32,
    },
    /// Updates the properties that are always sent.
    Sync(Sync<'a>),
    /// Updates the properties that have changed (4.1 and later).
    Delta(Delta<'a>),
    /// Authentication, peers, relays.
    System(System<'a>),
}

impl<'a> Packet<'a> {
    /// Reads a packet of Godot 4.3 or later; see [`PacketReader`] for earlier versions.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Multiplayer`](crate::godot::ErrorKind::Multiplayer) or
    /// [`UnexpectedEnd`](crate::godot::ErrorKind::UnexpectedEnd) if the packet is malformed.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        PacketReader::new(bytes).read()
    }

    /// Returns the type of the packet.
    pub fn message(&self) -> Message {
        match self {
            Self::Call(_) => Message::Call,
            Self::SimplifyPath(_) => Message::SimplifyPath,
            Self::ConfirmPath(_) => Message::ConfirmPath,
            Self::Raw(_) => Message::Raw,
            Self::Spawn(_) => Message::Spawn,
            Self::Despawn { .. } => Message::Despawn,
            Self::Sync(_) => Message::Sync,
            Self::Delta(_) => Message::Delta,
            Self::System(system) => system.message(),
        }
    }
}

/// A packet together with the options for reading it.
///
/// ```
/// use gamewire::godot::Target;
/// use gamewire::godot::multiplayer::NodeRef;
/// use gamewire::godot::multiplayer::godot4::{Packet, PacketReader};
///
/// // The same six bytes confirm a number in 4.3, and a path before.
/// let packet = b"\x02\x01abc\0";
/// let Packet::ConfirmPath(new) = Packet::parse(packet)? else { unreachable!() };
/// assert_eq!(new.node, NodeRef::Cached(0x636261));
/// let reader = PacketReader::new(packet).target(Target::GODOT4_0);
/// let Packet::ConfirmPath(old) = reader.read()? else { unreachable!() };
/// assert_eq!(old.node, NodeRef::Path("abc".into()));
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PacketReader<'a> {
    input: Input<'a>,
    paths_confirmed: bool,
}

impl<'a> PacketReader<'a> {
    /// Creates a reader for Godot 4.3 or later.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { input: Input { bytes, origin: 0 }, paths_confirmed: false }
    }

    /// Adds `origin` to the offsets of errors and values.
    #[must_use]
    pub fn origin(mut self, origin: u64) -> Self {
        self.input.origin = origin;
        self
    }

    /// Sets the engine version that wrote the packet. [`Target::GODOT4_0`] stands for 4.0 to 4.2,
    /// where CONFIRM_PATH contains a path. In later versions, CONFIRM_PATH contains a number and is
    /// exactly six bytes long.
    #[must_use]
    pub fn target(mut self, target: Target) -> Self {
        self.paths_confirmed = target == Target::GODOT4_0;
        self
    }

    /// Returns the bytes of the packet.
    pub fn as_bytes(&self) -> &'a [u8] {
        self.input.bytes
    }

    /// Reads the packet.
    ///
    /// # Errors
    /// Returns the errors of [`Packet::parse`].
    pub fn read(&self) -> Result<Packet<'a>> {
        let mut read = self.packet();
        if let Err(error) = &mut read {
            *error = error.shifted(self.input.origin);
        }
        read
    }

    fn packet(&self) -> Result<Packet<'a>> {
        let input = &self.input;
        let Some(&first) = input.bytes.first() else {
            return Err(input.fail(Fault::TooShort { message: Message::Packet, least: 1 }, 0));
        };
        // The frequent commands return the packet directly. An intermediate `Result` would be
        // copied in memory, which stalls the CPU.
        Ok(match first & COMMAND {
            CALL => return Call::read(input, first),
            SIMPLIFY_PATH => Packet::SimplifyPath(SimplifyPath::read(input)?),
            CONFIRM_PATH => Packet::ConfirmPath(ConfirmPath::read(input, self.paths_confirmed)?),
            RAW => Packet::Raw(input.at_least(2, Message::Raw)?.rest()),
            SPAWN => Packet::Spawn(Spawn::read(input)?),
            DESPAWN => {
                let mut at = input.at_least(5, Message::Despawn)?;
                Packet::Despawn { net_id: at.read::<U32>()?.get() }
            }
            SYNC if first & replication::CHANGES != 0 => return Delta::read(input),
            SYNC => return Sync::read(input),
            _ => Packet::System(System::read(self)?),
        })
    }
}

/// A remote call.
///
/// | size | field |
/// |---|---|
/// | 1 | command 0; bits 4–5: size of the node, bit 6: size of the method, bit 7: raw arguments |
/// | 1, 2, 4 | node; if bit 31 is set, the other bits are the offset of its path in the packet |
/// | 1, 2 | method |
/// | 1 + … | number of arguments, and the arguments; if raw, only the bytes of one argument |
/// | … | the node's path and a NUL |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call<'a> {
    /// The node.
    pub node: NodeRef<'a>,
    /// The method.
    pub method: Method,
    /// The arguments. [`Run`] describes what a receiver does if one of them is malformed.
    pub arguments: Run<'a>,
}

/// The index of a method in the sorted list of the names of a node's remote methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Method(pub u16);

impl Method {
    pub(super) const OF_NODE: u16 = 1 << 15;

    /// Returns the index in the sorted list of names.
    pub const fn index(self) -> u16 {
        self.0 & !Self::OF_NODE
    }

    /// Returns `true` if the index refers to a method configured on the node itself (`rpc_config`),
    /// and not to a method of its script.
    pub const fn is_of_node(self) -> bool {
        self.0 & Self::OF_NODE != 0
    }
}

/// Writes `#` and the 16-bit number that represents the method in a packet. It includes the bit
/// that marks methods of the node itself.
impl core::fmt::Display for Method {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "#{}", self.0)
    }
}

impl From<u16> for Method {
    fn from(id: u16) -> Self {
        Self(id)
    }
}

const NODE_SIZE: u32 = 4;
const WIDE_METHOD: u8 = 1 << 6;
const RAW_ARGUMENTS: u8 = 1 << 7;

impl<'a> Call<'a> {
    fn read(input: &Input<'a>, first: u8) -> Result<Packet<'a>> {
        let node_size = match first >> NODE_SIZE & 3 {
            0 => 1,
            1 => 2,
            2 => 4,
            _ => return Err(input.fail(Fault::NodeIdSize, 0)),
        };
        let wide = first & WIDE_METHOD != 0;
        let least = if wide { 3_u8 } else { 2 }.wrapping_add(node_size);
        let mut at = input.at_least(least, Message::Call)?;
        let node = match node_size {
            1 => u32::from(*at.read::<u8>()?),
            2 => at.read::<U16>()?.get().into(),
            _ => at.read::<U32>()?.get(),
        };
        let (node, path) = input.node(node, 1)?;
        let method = if wide { at.read::<U16>()?.get() } else { u16::from(*at.read::<u8>()?) };
        // If the path starts before the arguments, the call has no arguments. The engine accepts
        // such a call.
        let end = path.unwrap_or(input.bytes.len());
        let pos = at.pos();
        let window = input.bytes.get(pos..end).unwrap_or_default();
        let arguments = match window {
            _ if first & RAW_ARGUMENTS != 0 => (window, pos, Extent::Raw),
            [count, rest @ ..] => (rest, pos.saturating_add(1), Extent::Count(*count)),
            [] => {
                let least = least.wrapping_add(1);
                return Err(input.fail(Fault::TooShort { message: Message::Call, least }, pos));
            }
        };
        let (bytes, pos, extent) = arguments;
        let arguments = Run::new(bytes, input.offset(pos), Dialect::Godot4, extent);
        Ok(Packet::Call(Self { node, method: Method(method), arguments }))
    }
}

/// A call to write, with arguments of any type.
struct NewCall<'a, A> {
    node: NodeRef<'a>,
    method: Method,
    arguments: &'a A,
}

impl<A: ToVariants> Piece for NewCall<'_, A> {
    /// Writes the call. As in the engine, the node and the method take as few bytes as possible.
    fn write<S: Sink>(&self, out: &mut CompactWriter<S>) -> Result<()> {
        let Self { node, method: Method(method), arguments } = *self;
        let count = arguments.count();
        let raw = if count == 0 { Some(&[][..]) } else { arguments.raw() };
        let argc = match u8::try_from(count) {
            Ok(argc) => argc,
            Err(_) => {
                let count = u32::try_from(count).unwrap_or(u32::MAX);
                return Err(fail(out, Fault::TooManyArguments(count)));
            }
        };
        let method_size: usize = if method > 0xFF { 2 } else { 1 };
        let (node, node_size) = match node {
            NodeRef::Cached(number @ 0..=0xFF) => (number, 0),
            NodeRef::Cached(number @ 0x100..=0xFFFF) => (number, 1),
            NodeRef::Cached(number) => (id(out, number)?, 2),
            NodeRef::Path(_) => {
                let arguments = match raw {
                    Some(raw) => raw.len(),
                    None => Values(arguments).len(out)?.saturating_add(1),
                };
                let at = arguments.saturating_add(method_size).saturating_add(5);
                (length(out, at)? | HIGH_BIT, 2)
            }
        };
        let wide = if method_size == 2 { WIDE_METHOD } else { 0 };
        let raw_flag = if raw.is_some() { RAW_ARGUMENTS } else { 0 };
        out.put_bytes(&[CALL | node_size << NODE_SIZE | wide | raw_flag])?;
        let node_len = 1_usize.wrapping_shl(node_size.into());
        out.put_bytes(node.to_le_bytes().get(..node_len).unwrap_or_default())?;
        out.put_bytes(method.to_le_bytes().get(..method_size).unwrap_or_default())?;
        match raw {
            Some(raw) => out.put_bytes(raw)?,
            None => {
                out.put_bytes(&[argc])?;
                arguments.put_all(out)?;
            }
        }
        match self.node {
            NodeRef::Cached(_) => Ok(()),
            NodeRef::Path(path) => put_text(out, path),
        }
    }
}

/// Assigns a number to a node. The sender uses the number once the receiver has confirmed it.
///
/// | size | field |
/// |---|---|
/// | 1 | command 1 |
/// | 33 | checksum and a NUL |
/// | 4 | number |
/// | … | path and a NUL |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimplifyPath<'a> {
    /// MD5 of the concatenated names of the node's remote methods, in 32 lower-case hexadecimal
    /// digits. First come the sorted names of the methods that are configured on the node itself,
    /// then the sorted names of those that its script configures.
    pub checksum: &'a [u8; 32],
    /// The number of the node. Numbers start at 1, and a node has the same number for all
    /// receivers.
    pub id: u32,
    /// The path of the node, relative to the multiplayer root.
    pub path: StrRef<'a>,
}

impl<'a> SimplifyPath<'a> {
    fn read(input: &Input<'a>) -> Result<Self> {
        let mut at = input.at_least(38, Message::SimplifyPath)?;
        let checksum = at.read::<[u8; 32]>()?;
        at.skip(1);
        let id = at.read::<U32>()?.get();
        Ok(Self { checksum, id, path: text(at.rest()) })
    }

    fn write<S: Sink>(&self, out: &mut CompactWriter<S>) -> Result<()> {
        out.put_bytes(&[SIMPLIFY_PATH])?;
        out.put_bytes(self.checksum)?;
        out.put_bytes(&[0])?;
        out.put_bytes(&self.id.to_le_bytes())?;
        put_text(out, self.path)
    }
}

/// The answer to a [`SimplifyPath`].
///
/// | size | field |
/// |---|---|
/// | 1 | command 2 |
/// | 1 | 1 if the checksum was right |
/// | 4 | number (4.3 and later) |
/// | … | path and a NUL (4.0 to 4.2) |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConfirmPath<'a> {
    /// `true` if the node's remote methods have the same names at the peer that answers.
    pub checksum_ok: bool,
    /// The node.
    pub node: NodeRef<'a>,
}

impl<'a> ConfirmPath<'a> {
    fn read(input: &Input<'a>, by_path: bool) -> Result<Self> {
        let least = if by_path { 3 } else { 6 };
        let mut at = input.at_least(least, Message::ConfirmPath)?;
        let checksum_ok = *at.read::<u8>()? != 0;
        if by_path {
            return Ok(Self { checksum_ok, node: NodeRef::Path(text(at.rest())) });
        }
        input.at_most(6, Message::ConfirmPath)?;
        Ok(Self { checksum_ok, node: NodeRef::Cached(at.read::<U32>()?.get()) })
    }

    fn write<S: Sink>(&self, out: &mut CompactWriter<S>) -> Result<()> {
        out.put_bytes(&[CONFIRM_PATH, self.checksum_ok.into()])?;
        match self.node {
            NodeRef::Cached(id) => out.put_bytes(&id.to_le_bytes()),
            NodeRef::Path(path) => put_text(out, path),
        }
    }
}

impl Piece for Packet<'_> {
    fn write<S: Sink>(&self, out: &mut CompactWriter<S>) -> Result<()> {
        match self {
            Self::Call(Call { node, method, arguments }) => {
                NewCall { node: *node, method: *method, arguments }.write(out)
            }
            Self::SimplifyPath(packet) => packet.write(out),
            Self::ConfirmPath(packet) => packet.write(out),
            Self::Raw([]) => Err(fail(out, Fault::TooShort { message: Message::Raw, least: 2 })),
            Self::Raw(bytes) => {
                out.put_bytes(&[RAW])?;
                out.put_bytes(bytes)
            }
            Self::Spawn(packet) => packet.write(out),
            Self::Despawn { net_id } => {
                out.put_bytes(&[DESPAWN])?;
                out.put_bytes(&net_id.to_le_bytes())
            }
            Self::Sync(packet) => packet.write(out),
            Self::Delta(packet) => packet.write(out),
            Self::System(packet) => packet.write(out),
        }
    }
}

/// Appends packets to a sink, in the same form as the engine. Numbers have their shortest form. In
/// a call whose only argument is a byte array, the bytes of the array are sent without a header and
/// a length; a call without arguments is sent as if the array were empty. A packet is written
/// completely or not at all.
///
/// ```
/// use gamewire::godot::Dialect;
/// use gamewire::godot::multiplayer::NodeRef;
/// use gamewire::godot::multiplayer::godot4::{Packet, PacketWriter, System};
///
/// let mut packet = Vec::new();
/// PacketWriter::new(&mut packet, Dialect::Godot4).call(NodeRef::Cached(1), 2, (true, 300))?;
/// assert_eq!(packet, [0x00, 1, 2, 2, 0x81, 0x42, 0x2c, 0x01]);
///
/// packet.clear();
/// let join = Packet::System(System::AddPeer(7));
/// PacketWriter::new(&mut packet, Dialect::Godot4).put(&join)?;
/// assert_eq!(packet, [7, 1, 7, 0, 0, 0]);
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Debug)]
pub struct PacketWriter<S>(CompactWriter<S>);

impl<S: Sink> PacketWriter<S> {
    /// Creates a writer for a version of Godot 4; see [`Target`].
    pub fn new(sink: S, target: impl Into<Target>) -> Self {
        Self(CompactWriter::new(sink, target))
    }

    /// Returns the sink.
    pub fn sink(&self) -> &S {
        self.0.sink()
    }

    /// Returns the sink, consuming the writer.
    pub fn into_sink(self) -> S {
        self.0.into_sink()
    }

    /// Appends any packet. A [`ConfirmPath`] contains a number if its node is given by a number,
    /// and a path otherwise. This does not depend on the target.
    ///
    /// # Errors
    /// Returns an error if a receiver would reject the packet or mistake it for a different one, if
    /// a size or offset in the packet does not fit in 31 bits, or if the sink is full. Values in a
    /// different encoding are encoded again. This fails if one of them is malformed, or if the
    /// target cannot represent it.
    pub fn put(&mut self, packet: &Packet<'_>) -> Result<()> {
        put_whole(&mut self.0, packet)
    }

    /// Appends a call with these arguments.
    ///
    /// # Errors
    /// Returns an error if there are more than 255 arguments, the target cannot represent one of
    /// them, bit 31 of the node's number is set, or the sink is full.
    pub fn call(
        &mut self,
        node: NodeRef<'_>,
        method: impl Into<Method>,
        arguments: impl ToVariants,
    ) -> Result<()> {
        put_whole(&mut self.0, &NewCall { node, method: method.into(), arguments: &arguments })
    }

    /// Appends a call like [`call`](Self::call), with borrowed arguments.
    #[cfg(feature = "multiplayer")]
    pub(super) fn call_ref(
        &mut self,
        node: NodeRef<'_>,
        method: Method,
        arguments: &impl ToVariants,
    ) -> Result<()> {
        put_whole(&mut self.0, &NewCall { node, method, arguments })
    }

    /// Starts a [`Sync`]; at least one [record](Self::sync_record) must follow.
    ///
    /// # Errors
    /// Returns an error if the sink is full.
    pub fn sync(&mut self, time: u16) -> Result<()> {
        let [a, b] = time.to_le_bytes();
        self.0.put_bytes(&[SYNC, a, b])
    }

    /// Appends the state of one synchronizer to the preceding [`sync`](Self::sync).
    ///
    /// # Errors
    /// Returns an error if the target cannot represent a value, bit 31 of the number in `node` is
    /// set, or the sink is full.
    pub fn sync_record(&mut self, node: NetId, state: impl ToVariants) -> Result<()> {
        put_whole(&mut self.0, &replication::NewRecord { node, changed: None, state: &state })
    }

    /// Starts a [`Delta`]; at least one [record](Self::delta_record) must follow.
    ///
    /// # Errors
    /// Returns an error if the sink is full.
    pub fn delta(&mut self) -> Result<()> {
        self.0.put_bytes(&[SYNC | replication::CHANGES])
    }

    /// Appends the changes of one synchronizer to the preceding [`delta`](Self::delta). `changed`
    /// has one set bit for each value. The lowest bit is the first watched property.
    ///
    /// # Errors
    /// Returns [`ErrorKind::TooManyItems`](crate::godot::ErrorKind::TooManyItems) or
    /// [`MissingItems`](crate::godot::ErrorKind::MissingItems) if there are more or fewer values
    /// than set bits. Returns other errors if the target cannot represent a value, bit 31 of the
    /// number in `node` is set, or the sink is full.
    pub fn delta_record(
        &mut self,
        node: NetId,
        changed: u64,
        state: impl ToVariants,
    ) -> Result<()> {
        let changed = Some(changed);
        put_whole(&mut self.0, &replication::NewRecord { node, changed, state: &state })
    }
}
