//! Accessors for the content of records.

use super::methods::MethodNames;
use super::node::NodeState;
use super::record::{Content, Delivery, Reason, Record};
use crate::godot::find::{Confidence, Finder, Found};
use crate::godot::multiplayer::godot4::{Scene, System};
use crate::godot::multiplayer::{Run, godot3, godot4};
use crate::godot::{Dialect, Reader};
use std::borrow::Cow;
use std::format;

impl<'a> Record<'a> {
    /// Returns the dialect of the values in the record: that of [`engine`](Self::engine), or
    /// Godot 4 if the engine is not known.
    pub fn dialect(&self) -> Dialect {
        self.engine.map_or(Dialect::Godot4, |engine| engine.dialect())
    }

    /// Returns the arguments of a remote call.
    pub fn arguments(&self) -> Option<Run<'a>> {
        match self.content {
            Content::Godot4(godot4::Packet::Call(call)) => Some(call.arguments),
            Content::Godot3(godot3::Packet::Call(call)) => Some(call.arguments),
            _ => None,
        }
    }

    /// Returns the arguments of a remote call, or the state of a spawned node.
    pub fn arguments_or_state(&self) -> Option<Run<'a>> {
        match self.content {
            Content::Godot4(godot4::Packet::Spawn(spawn)) => Some(spawn.state),
            _ => self.arguments(),
        }
    }

    /// Returns the new value of a property that a packet of Godot 3 sets.
    pub fn new_value(&self) -> Option<Run<'a>> {
        match self.content {
            Content::Godot3(godot3::Packet::Set(set)) => Some(set.value),
            _ => None,
        }
    }

    /// Returns the number of the node that the packet spawns or removes.
    pub fn net_id(&self) -> Option<u32> {
        match self.content {
            Content::Godot4(godot4::Packet::Spawn(spawn)) => Some(spawn.net_id),
            Content::Godot4(godot4::Packet::Despawn { net_id }) => Some(*net_id),
            _ => None,
        }
    }

    /// Returns the text if the packet is a text message of a WebSocket.
    pub fn text(&self) -> Option<&'a str> {
        match self.content {
            Content::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the reason why the packet is malformed.
    pub fn error(&self) -> Option<Reason> {
        match self.content {
            Content::Malformed { reason, .. } => Some(reason),
            _ => None,
        }
    }

    /// Returns the offset in bytes of the error in a malformed packet, or of the bytes of a game's
    /// own protocol in their TCP stream.
    pub fn offset(&self) -> Option<u64> {
        match self.content {
            Content::Malformed { offset, .. } => Some(offset),
            Content::Bytes { offset } => offset,
            _ => None,
        }
    }

    /// Returns the value of a packet that is a single value: a message of the debugger or a value
    /// sent by `put_var`. The returned bytes are those of the whole packet.
    pub fn value(&self) -> Option<&'a [u8]> {
        match self.content {
            Content::Value(bytes) | Content::Debugger(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Returns the bytes of [`value`](Self::value) that follow the first value. Returns nothing for
    /// other packets, and for a value that is malformed.
    pub fn after_value(&self) -> &'a [u8] {
        let bytes = self.value().unwrap_or_default();
        let mut reader = Reader::new(bytes, self.dialect());
        let end = reader.skip().map_or(bytes.len() as u64, |()| reader.offset());
        bytes.get(usize::try_from(end).unwrap_or(usize::MAX)..).unwrap_or_default()
    }

    /// Returns the payload of a packet that only the game's scripts can interpret: RAW and
    /// authentication packets. The payload is the rest of the packet after its header.
    pub fn raw_bytes(&self) -> Option<&'a [u8]> {
        match self.content {
            Content::Godot4(
                godot4::Packet::Raw(bytes) | godot4::Packet::System(System::Auth(bytes)),
            ) => Some(bytes),
            Content::Godot3(godot3::Packet::Raw(bytes)) => Some(bytes),
            _ => None,
        }
    }

    /// Returns bytes that are not decoded: [`raw_bytes`](Self::raw_bytes), or the whole packet if it is
    /// malformed or of a game's own protocol.
    pub fn undecoded(&self) -> Option<&'a [u8]> {
        match self.content {
            Content::Bytes { .. } | Content::Malformed { .. } => Some(self.bytes),
            _ => self.raw_bytes(),
        }
    }

    /// Returns the likely and certain values in bytes of a game's own protocol, in the order of
    /// their offsets. The offsets are relative to the start of [`bytes`](Self::bytes). Returns
    /// nothing for other records.
    ///
    /// The search takes linear time (see [`Finder`]). It does not find a value that continues in
    /// the next record.
    ///
    /// ```
    /// use gamewire::capture::{Segment, Transport};
    /// use gamewire::traffic::Conversations;
    ///
    /// let segment = Segment {
    ///     source: "10.0.0.1:4000".parse()?,
    ///     destination: "10.0.0.2:5000".parse()?,
    ///     // A byte of the game's own protocol, then a length, then the value ["hp", 5].
    ///     transport: Transport::Udp {
    ///         payload: b"\x09\x1c\0\0\0\x1c\0\0\0\x02\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\
    ///             \x02\0\0\0\x05\0\0\0",
    ///     },
    /// };
    /// let mut offsets = Vec::new();
    /// Conversations::default().segment(None, &segment, &mut |record| {
    ///     offsets.extend(record.values_inside().map(|found| found.offset));
    /// });
    /// assert_eq!(offsets, [1]);
    /// # Ok::<(), std::net::AddrParseError>(())
    /// ```
    pub fn values_inside(&self) -> impl Iterator<Item = Found<'a>> + use<'a> {
        let bytes = match self.content {
            Content::Bytes { .. } => self.bytes,
            _ => &[],
        };
        let finder = match self.engine {
            Some(engine) => Finder::new(bytes).only(engine.dialect()),
            None => Finder::new(bytes),
        };
        finder.filter(|found| found.confidence > Confidence::Possible)
    }

    /// Returns the nodes in a SYNC or DELTA packet with their state. Malformed entries are
    /// skipped.
    pub fn node_states(&self) -> impl Iterator<Item = NodeState<'a>> + use<'a> {
        let (mut sync, mut delta) = match self.content {
            Content::Godot4(godot4::Packet::Sync(sync)) => (Some(sync.records), None),
            Content::Godot4(godot4::Packet::Delta(delta)) => (None, Some(delta.records)),
            _ => (None, None),
        };
        // Faster than a chain of both iterators.
        core::iter::from_fn(move || {
            if let Some(records) = &mut sync {
                let entry = records.find_map(Result::ok)?;
                let values = entry.state.detect_objects();
                return Some(NodeState { node: entry.node, changed: None, values });
            }
            let entry = delta.as_mut()?.find_map(Result::ok)?;
            let values = entry.state.detect_objects();
            Some(NodeState { node: entry.node, changed: Some(entry.changed), values })
        })
    }

    /// Returns the peer that the packet reports as connected or disconnected or, for all other
    /// packets, the sender.
    pub fn reported_peer(&self) -> Option<i32> {
        self.announced_peer().or(self.peer)
    }

    /// Returns the delivery guarantee of a packet of the game. Returns `None` for messages that only
    /// maintain a connection.
    pub fn packet_delivery(&self) -> Option<Delivery> {
        self.delivery.filter(|_| !self.is_control())
    }

    /// Returns the id of the peer that the packet reports as connected or disconnected.
    pub fn announced_peer(&self) -> Option<i32> {
        match self.content {
            Content::AddPeer(peer) | Content::DelPeer(peer) => Some(peer),
            Content::Godot4(godot4::Packet::System(
                System::AddPeer(peer) | System::DelPeer(peer),
            )) => Some(*peer),
            _ => None,
        }
    }

    /// Returns the name of the called method, or of the property that is set. Godot 4 sends the
    /// number of a method instead of its name. If `names` does not contain the method, the result
    /// is `#` and this number.
    pub fn member<'n>(&self, names: &'n MethodNames) -> Option<Cow<'n, str>>
    where
        'a: 'n,
    {
        match self.content {
            Content::Godot4(godot4::Packet::Call(call)) => {
                let path = self.node.and_then(|node| node.path);
                let checksum = self.node.and_then(|node| node.checksum);
                let name = names.name(path, checksum, call.method);
                Some(name.map_or_else(|| Cow::Owned(format!("{}", call.method)), Cow::Borrowed))
            }
            Content::Godot3(godot3::Packet::Call(call)) => Some(call.method.to_string_lossy()),
            Content::Godot3(godot3::Packet::Set(set)) => Some(set.property.to_string_lossy()),
            _ => None,
        }
    }

    /// Returns the number of nonzero padding bytes in the values. Such a byte is leftover memory
    /// of the engine that wrote it; see [`Reader::leaked`].
    pub fn leaked(&self) -> u64 {
        if let Some(bytes) = self.value() {
            return Reader::new(bytes, self.dialect()).leaked().unwrap_or(0);
        }
        match self.content {
            Content::Godot4(godot4::Packet::Spawn(spawn)) => match spawn.scene {
                Scene::Custom(argument) => argument.leaked().saturating_add(spawn.state.leaked()),
                Scene::Index(_) => spawn.state.leaked(),
            },
            Content::Godot3(godot3::Packet::Set(set)) => set.value.leaked(),
            _ => {
                let states = self.node_states().map(|state| state.values);
                self.arguments().into_iter().chain(states).map(|values| values.leaked()).sum()
            }
        }
    }
}
