//! A record as a line for people.

use super::brief::{One, Values};
use super::kind::{self, Kind};
use super::object::Seconds;
use crate::methods::Methods;
use crate::ui::style::{DIM, ERROR, Styled, TYPE};
use crate::ui::text::{Count, Escaped};
use gamewire::godot::Dialect;
use gamewire::godot::multiplayer::godot3;
use gamewire::godot::multiplayer::godot4::{NetId, Packet, Scene};
use gamewire::traffic::{Content, Node, Record};
use std::fmt::{self, Display, Write as _};
use std::io::{self, Write};

/// How wide a time is.
const TIME: usize = 17;
/// How many bytes are shown.
const SHORT: usize = 32;

/// Lines below each other.
#[derive(Debug, Default)]
pub struct Lines {
    /// How wide the widest address was so far.
    address: usize,
    source: String,
    destination: String,
    about: String,
}

impl Lines {
    /// Prints the record on one line.
    pub fn print(
        &mut self,
        record: &Record<'_>,
        methods: &Methods,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let Self { source, destination, about, .. } = self;
        for text in [&mut *source, &mut *destination, &mut *about] {
            text.clear();
        }
        let _ = write!(source, "{}", record.source); // a String takes all
        let _ = write!(destination, "{}", record.destination);
        let _ = write!(about, "{}", About { record, methods });
        self.address = self.address.max(self.source.len()).max(self.destination.len());
        let Self { address, source, destination, about } = self;
        match record.time {
            Some(time) => write!(out, "{}", Styled(DIM, Seconds(time)))?,
            None => write!(out, "{:TIME$}", "-")?,
        }
        write!(out, "  {source:>address$} → {destination:<address$}  ")?;
        let channel = record.channel.map(|channel| format!("/{channel}")).unwrap_or_default();
        let carrier = format!("{}{channel}", record.transport);
        write!(out, "{carrier:<9}  {:<11}  ", kind::delivery(record).unwrap_or_default())?;
        let kind = Kind::of(record);
        let style = if kind == Kind::Malformed { ERROR } else { TYPE };
        if about.is_empty() {
            return writeln!(out, "{}", Styled(style, kind.name()));
        }
        writeln!(out, "{}  {about}", Styled(style, format_args!("{:<13}", kind.name())))
    }
}

/// What follows the kind.
struct About<'a> {
    record: &'a Record<'a>,
    methods: &'a Methods,
}

impl Display for About<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let record = self.record;
        if let Some(peer) = record.relay {
            write!(f, "{}  ", Styled(DIM, Relayed { peer, sender: record.peer }))?;
        }
        self.member(f)?;
        if let Some(bytes) = kind::bytes(record) {
            return bytes_of(f, bytes);
        }
        if let Some(peer) = kind::announced(record) {
            return write!(f, "peer {peer}");
        }
        match record.content {
            Content::Value(bytes) | Content::Debugger(bytes) => {
                let dialect = record.engine.map_or(Dialect::Godot4, |engine| engine.dialect());
                One(bytes, dialect).fmt(f)
            }
            Content::Malformed { reason, offset } => write!(f, "{reason}, at offset {offset}"),
            Content::Godot4(packet) => self.godot4(f, packet),
            Content::Godot3(packet) => self.godot3(f, packet),
            _ => Ok(()),
        }
    }
}

impl About<'_> {
    /// `path.method(arguments)`, as much of it as there is.
    fn member(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(node) = self.record.node {
            node_of(f, node)?;
        }
        if let Some(method) = kind::method(self.record, self.methods) {
            write!(f, ".{}", Escaped(method.as_bytes()))?;
        }
        kind::arguments(self.record).map_or(Ok(()), |values| write!(f, "({})", Values(values)))
    }

    fn godot4(&self, f: &mut fmt::Formatter<'_>, packet: &Packet<'_>) -> fmt::Result {
        match packet {
            Packet::SimplifyPath(told) => write!(f, " is node {}", told.id),
            Packet::ConfirmPath(confirm) if !confirm.checksum_ok => {
                f.write_str(", whose methods differ")
            }
            Packet::Spawn(spawn) => {
                write!(f, "  {} is net id {}", Escaped(spawn.name.as_bytes()), spawn.net_id)?;
                for id in spawn.synchronizers {
                    write!(f, ", synchronizer {id}")?;
                }
                match spawn.scene {
                    Scene::Index(index) => write!(f, ", scene {index}"),
                    Scene::Custom(argument) => write!(f, ", made of {}", Values(argument)),
                }
            }
            Packet::Despawn { net_id } => write!(f, "net id {net_id}"),
            Packet::Sync(_) | Packet::Delta(_) => self.states(f),
            _ => Ok(()),
        }
    }

    fn godot3(&self, f: &mut fmt::Formatter<'_>, packet: &godot3::Packet<'_>) -> fmt::Result {
        match packet {
            godot3::Packet::SimplifyPath { id, .. } => write!(f, " is node {id}"),
            godot3::Packet::Set(set) => write!(f, " = {}", Values(set.value)),
            _ => Ok(()),
        }
    }

    fn states(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, state) in kind::states(self.record).enumerate() {
            f.write_str(if index == 0 { "" } else { "; " })?;
            write!(f, "{}: {}", Synchronizer(self.record, state.node), Values(state.values))?;
        }
        Ok(())
    }
}

fn node_of(f: &mut fmt::Formatter<'_>, node: Node<'_>) -> fmt::Result {
    match (node.path, node.id) {
        (Some(path), _) => Escaped(path.as_bytes()).fmt(f),
        (None, Some(id)) => write!(f, "node {id}"),
        (None, None) => Ok(()),
    }
}

fn bytes_of(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    Count(bytes.len() as u64, "byte").fmt(f)?;
    if bytes.is_empty() {
        return Ok(());
    }
    let hex: String = bytes.iter().take(SHORT).map(|byte| format!("{byte:02x}")).collect();
    let more = if bytes.len() > SHORT { "…" } else { "" };
    write!(f, "  {}", Styled(DIM, format_args!("{hex}{more}")))
}

/// Whose state it is.
pub struct Synchronizer<'a>(pub &'a Record<'a>, pub NetId);

impl Display for Synchronizer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            NetId::Synchronizer(id) => write!(f, "net id {id}"),
            NetId::Cached(id) => {
                node_of(f, Node { id: Some(id), path: self.0.path(id), checksum: None })
            }
        }
    }
}

/// For whom a relayed packet is, or by whom: the server passes it on with the sender in
/// place of the receiver.
struct Relayed {
    peer: i32,
    /// Who sends it on this way.
    sender: Option<i32>,
}

impl Display for Relayed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.sender, self.peer) {
            (None, peer) => write!(f, "relayed {peer}"),
            (Some(1), peer) => write!(f, "by {peer}"),
            (_, 0) => f.write_str("for all"),
            (_, peer) if peer < 0 => write!(f, "for all but {}", peer.unsigned_abs()),
            (_, peer) => write!(f, "for {peer}"),
        }
    }
}
