//! What a packet is called, and what there is to tell of it.

use crate::methods::Methods;
use gamewire::godot::multiplayer::godot4::{NetId, Scene, System};
use gamewire::godot::multiplayer::{Run, godot3, godot4};
use gamewire::godot::{Dialect, Reader, StrRef};
use gamewire::traffic::{Content, Control, Delivery, Record};
use std::borrow::Cow;
use std::io::{self, Write};

macro_rules! kinds {
    ($($kind:ident $name:literal,)*) => {
        /// What a record is, by the names of `--filter` and `--json`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Kind {
            $($kind,)*
        }

        impl Kind {
            pub const ALL: &[Self] = &[$(Self::$kind,)*];

            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }
        }
    };
}
kinds! {
    Rpc "rpc",
    Set "set",
    Raw "raw",
    SimplifyPath "simplify_path",
    ConfirmPath "confirm_path",
    Spawn "spawn",
    Despawn "despawn",
    Sync "sync",
    Delta "delta",
    Auth "auth",
    AddPeer "add_peer",
    DelPeer "del_peer",
    Var "var",
    Debugger "debugger",
    Malformed "malformed",
    Connect "connect",
    Accept "accept",
    Disconnect "disconnect",
    Ping "ping",
    Acknowledge "acknowledge",
    Configure "configure",
    Lost "lost",
    Unknown "unknown",
}

impl Kind {
    pub fn of(record: &Record<'_>) -> Self {
        match &record.content {
            Content::Godot4(packet) => Self::godot4(packet),
            Content::Godot3(packet) => Self::godot3(packet),
            Content::AddPeer(_) => Self::AddPeer,
            Content::DelPeer(_) => Self::DelPeer,
            Content::Value(_) => Self::Var,
            Content::Debugger(_) => Self::Debugger,
            Content::Malformed { .. } => Self::Malformed,
            Content::Control(control) => Self::control(*control),
            _ => Self::Unknown,
        }
    }

    fn godot4(packet: &godot4::Packet<'_>) -> Self {
        match packet {
            godot4::Packet::Call(_) => Self::Rpc,
            godot4::Packet::SimplifyPath(_) => Self::SimplifyPath,
            godot4::Packet::ConfirmPath(_) => Self::ConfirmPath,
            godot4::Packet::Raw(_) => Self::Raw,
            godot4::Packet::Spawn(_) => Self::Spawn,
            godot4::Packet::Despawn { .. } => Self::Despawn,
            godot4::Packet::Sync(_) => Self::Sync,
            godot4::Packet::Delta(_) => Self::Delta,
            godot4::Packet::System(System::Auth(_)) => Self::Auth,
            godot4::Packet::System(System::AddPeer(_)) => Self::AddPeer,
            godot4::Packet::System(System::DelPeer(_)) => Self::DelPeer,
            // (What is relayed is told of as what it is.)
            godot4::Packet::System(System::Relay(_)) => Self::Unknown,
        }
    }

    fn godot3(packet: &godot3::Packet<'_>) -> Self {
        match packet {
            godot3::Packet::Call(_) => Self::Rpc,
            godot3::Packet::Set(_) => Self::Set,
            godot3::Packet::SimplifyPath { .. } => Self::SimplifyPath,
            godot3::Packet::ConfirmPath { .. } => Self::ConfirmPath,
            godot3::Packet::Raw(_) => Self::Raw,
        }
    }

    fn control(control: Control) -> Self {
        match control {
            Control::Connect => Self::Connect,
            Control::Accept => Self::Accept,
            Control::Disconnect => Self::Disconnect,
            Control::Ping => Self::Ping,
            Control::Acknowledge => Self::Acknowledge,
            Control::Configure => Self::Configure,
            Control::Lost => Self::Lost,
            _ => Self::Unknown,
        }
    }
}

/// The name of the record's kind.
pub fn name(record: &Record<'_>) -> &'static str {
    Kind::of(record).name()
}

/// The peer that a packet says has come or gone.
pub fn announced(record: &Record<'_>) -> Option<i32> {
    match record.content {
        Content::AddPeer(peer) | Content::DelPeer(peer) => Some(peer),
        Content::Godot4(godot4::Packet::System(System::AddPeer(peer) | System::DelPeer(peer))) => {
            Some(*peer)
        }
        _ => None,
    }
}

/// Whether this is what a transport says to keep itself going.
pub fn is_control(record: &Record<'_>) -> bool {
    matches!(record.content, Content::Control(_))
}

/// What a SYNC or DELTA says of a node.
pub struct State<'a> {
    pub node: NetId,
    /// Which properties, of a DELTA.
    pub changed: Option<u64>,
    pub values: Run<'a>,
}

/// The nodes whose state a SYNC or DELTA has.
pub fn states<'a>(record: &Record<'a>) -> impl Iterator<Item = State<'a>> + use<'a> {
    let (sync, delta) = match record.content {
        Content::Godot4(godot4::Packet::Sync(sync)) => (Some(sync.records), None),
        Content::Godot4(godot4::Packet::Delta(delta)) => (None, Some(delta.records)),
        _ => (None, None),
    };
    let sync = sync.into_iter().flatten().filter_map(Result::ok);
    let delta = delta.into_iter().flatten().filter_map(Result::ok);
    sync.map(|state| State { node: state.node, changed: None, values: state.state }).chain(
        delta.map(|state| {
            let (node, changed) = (state.node, Some(state.changed));
            State { node, changed, values: state.state }
        }),
    )
}

/// Values that are listed: a call's arguments, a node's state.
pub fn arguments<'a>(record: &Record<'a>) -> Option<Run<'a>> {
    match record.content {
        Content::Godot4(godot4::Packet::Call(call)) => Some(call.arguments),
        Content::Godot3(godot3::Packet::Call(call)) => Some(call.arguments),
        _ => None,
    }
}

/// Bytes that mean something to a script only.
pub fn bytes<'a>(record: &Record<'a>) -> Option<&'a [u8]> {
    match record.content {
        Content::Godot4(godot4::Packet::Raw(bytes)) => Some(bytes),
        Content::Godot3(godot3::Packet::Raw(bytes)) => Some(bytes),
        Content::Godot4(godot4::Packet::System(System::Auth(bytes))) => Some(bytes),
        _ => None,
    }
}

/// The method that is called: its name, or its number behind a `#`.
pub fn method<'a>(record: &Record<'a>, methods: &'a Methods) -> Option<Cow<'a, str>> {
    match record.content {
        Content::Godot4(godot4::Packet::Call(call)) => {
            let node = record.node;
            let path = node.and_then(|node| node.path).map(|path| path.to_string_lossy());
            let checksum = node.and_then(|node| node.checksum);
            let checksum = checksum.and_then(|checksum| str::from_utf8(checksum).ok());
            let name = methods.name(path.as_deref().unwrap_or_default(), checksum, call.method.0);
            Some(match name {
                Some(name) => Cow::Borrowed(name),
                None => Cow::Owned(format!("#{}", call.method.0)),
            })
        }
        Content::Godot3(godot3::Packet::Call(call)) => Some(call.method.to_string_lossy()),
        Content::Godot3(godot3::Packet::Set(set)) => Some(set.property.to_string_lossy()),
        _ => None,
    }
}

/// Writes the path of the node and the method, as far as there are any; whether there are.
pub fn write_name(
    record: &Record<'_>,
    methods: &Methods,
    out: &mut impl Write,
) -> io::Result<bool> {
    let path = path(record);
    if let Some(path) = path {
        out.write_all(path.as_bytes())?;
    }
    let Some(method) = method(record, methods) else { return Ok(path.is_some()) };
    write!(out, ".{method}")?;
    Ok(true)
}

/// How many bytes of the engine's memory are in the pads of the values.
pub fn leaked(record: &Record<'_>) -> u64 {
    let dialect = record.engine.map_or(Dialect::Godot4, |engine| engine.dialect());
    let whole = |bytes| Reader::new(bytes, dialect).leaked().unwrap_or(0);
    match record.content {
        Content::Value(bytes) | Content::Debugger(bytes) => whole(bytes),
        Content::Godot4(packet) => match packet {
            godot4::Packet::Call(call) => call.arguments.leaked(),
            godot4::Packet::Spawn(spawn) => match spawn.scene {
                Scene::Custom(argument) => argument.leaked().saturating_add(spawn.state.leaked()),
                Scene::Index(_) => spawn.state.leaked(),
            },
            _ => states(record).map(|state| state.values.leaked()).sum(),
        },
        Content::Godot3(godot3::Packet::Call(call)) => call.arguments.leaked(),
        Content::Godot3(godot3::Packet::Set(set)) => set.value.leaked(),
        _ => 0,
    }
}

/// The path of the node, from the multiplayer root.
pub fn path<'a>(record: &Record<'a>) -> Option<StrRef<'a>> {
    record.node?.path
}

/// How it was delivered, if it is something that a game has sent. A UDP datagram without
/// ENet says nothing about it.
pub fn delivery(record: &Record<'_>) -> Option<&'static str> {
    let delivery = record.delivery.filter(|_| !is_control(record))?;
    Some(match delivery {
        Delivery::Reliable => "reliable",
        Delivery::Unreliable => "unreliable",
        Delivery::Unsequenced => "unsequenced",
    })
}
