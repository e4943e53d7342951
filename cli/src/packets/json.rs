//! Prints a record as a JSON object on a line (`--json`).

use super::json_text;
use super::line::after_value;
use crate::godot::json::print_with;
use gamewire::godot::StrRef;
use gamewire::godot::json::Text;
use gamewire::godot::multiplayer::godot4::{NetId, Packet, Scene, Spawn};
use gamewire::godot::multiplayer::{ObjectReading, Run, godot3};
use gamewire::traffic::methods::MethodNames;
use gamewire::traffic::{Content, NodeState, Record};
use std::fmt;
use std::io::{self, Write};

/// Prints the record as a JSON object, followed by a line feed.
pub fn print(record: &Record<'_>, names: &MethodNames, out: &mut dyn Write) -> io::Result<()> {
    let mut object = Object { out, names };
    object.header(record)?;
    object.peers_and_node(record)?;
    object.content(record)?;
    object.out.write_all(b"}\n")
}

/// A printer of the members of an object. Each member is printed after a comma.
pub struct Object<'o> {
    pub out: &'o mut dyn Write,
    pub names: &'o MethodNames,
}

impl Object<'_> {
    /// Prints the members for time, addresses, transport, engine, channel, delivery and kind.
    fn header(&mut self, record: &Record<'_>) -> io::Result<()> {
        self.out.write_all(b"{")?;
        if let Some(time) = record.time {
            write!(self.out, "\"time\":{},", Seconds(time))?;
        }
        write!(self.out, "\"src\":\"{}\",\"dst\":\"{}\"", record.source, record.destination)?;
        write!(self.out, ",\"transport\":\"{}\"", record.transport)?;
        if let Some(engine) = record.engine {
            write!(self.out, ",\"engine\":\"{engine}\"")?;
        }
        if record.guessed {
            self.out.write_all(b",\"guessed\":true")?;
        }
        if let Some(channel) = record.channel {
            write!(self.out, ",\"channel\":{channel}")?;
        }
        if let Some(delivery) = record.delivery.filter(|_| !record.is_control()) {
            write!(self.out, ",\"delivery\":\"{delivery}\"")?;
        }
        write!(self.out, ",\"kind\":\"{}\"", record.kind())
    }

    fn peers_and_node(&mut self, record: &Record<'_>) -> io::Result<()> {
        // In a packet that announces a peer, the member `peer` is the announced peer. In all other
        // packets, it is the sender. The member must occur only once.
        if let Some(peer) = record.announced_peer().or(record.peer) {
            write!(self.out, ",\"peer\":{peer}")?;
        }
        if let Some(relay) = record.relay {
            write!(self.out, ",\"relay\":{relay}")?;
        }
        let Some(node) = record.node else { return Ok(()) };
        if let Some(path) = node.path {
            self.text("path", path)?;
        }
        if let Some(id) = node.id {
            write!(self.out, ",\"node_id\":{id}")?;
        }
        Ok(())
    }

    fn content(&mut self, record: &Record<'_>) -> io::Result<()> {
        if let Some(method) = record.member(self.names) {
            write!(self.out, ",\"method\":{}", Text(&method))?;
        }
        if let Some(values) = record.arguments() {
            self.values("args", values)?;
            self.doubts(&[values])?;
        }
        if let Some(bytes) = record.raw_bytes() {
            self.hex("bytes", bytes)?;
        }
        if let Some(bytes) = record.value() {
            self.out.write_all(b",\"value\":")?;
            crate::godot::json::print(bytes, record.dialect(), false, &mut self.out)?;
            return match after_value(bytes, record.dialect()) {
                [] => Ok(()),
                unread => self.hex("unread", unread),
            };
        }
        match record.content {
            Content::Godot4(packet) => self.godot4(record, packet),
            Content::Godot3(godot3::Packet::Set(set)) => {
                self.out.write_all(b",\"value\":")?;
                let mut reader = set.value.iter();
                print_with(&mut self.out, false, |printer| reader.visit_dyn(printer)).map(drop)
            }
            Content::Text(text) => {
                write!(self.out, ",\"text\":{}", Text(text))?;
                match json_text::Json::new(text) {
                    Some(json) => write!(self.out, ",\"value\":{json}"),
                    None => Ok(()),
                }
            }
            Content::Bytes { offset } => self.unknown_bytes(record, offset),
            Content::Encrypted(encryption) => {
                let size = record.bytes.len();
                write!(self.out, ",\"encryption\":\"{encryption}\",\"size\":{size}")
            }
            Content::Stun => write!(self.out, ",\"size\":{}", record.bytes.len()),
            Content::Malformed { reason, offset } => {
                let reason = reason.to_string();
                write!(self.out, ",\"error\":{},\"offset\":{offset}", Text(&reason))?;
                self.hex("bytes", record.bytes)
            }
            _ => Ok(()),
        }
    }

    /// Prints bytes of a game's own protocol, and the values in them.
    fn unknown_bytes(&mut self, record: &Record<'_>, offset: Option<u64>) -> io::Result<()> {
        if let Some(offset) = offset {
            write!(self.out, ",\"offset\":{offset}")?;
        }
        self.hex("bytes", record.bytes)?;
        self.found_values(record, offset)
    }

    /// Prints the values in bytes of a game's own protocol.
    pub fn found_values(&mut self, record: &Record<'_>, offset: Option<u64>) -> io::Result<()> {
        let mut separator = ",\"values\":[";
        for found in record.values_inside() {
            let at = offset.unwrap_or(0).saturating_add(found.offset);
            let (size, confidence) = (found.len, found.confidence.name());
            write!(self.out, "{separator}{{\"offset\":{at},\"size\":{size}")?;
            write!(self.out, ",\"confidence\":\"{confidence}\",\"value\":")?;
            let (value, dialect) = (found.value.as_bytes(), found.dialect());
            crate::godot::json::print(value, dialect, false, &mut self.out)?;
            self.out.write_all(b"}")?;
            separator = ",";
        }
        self.out.write_all(if separator == "," { b"]" } else { b"" })
    }

    fn godot4(&mut self, record: &Record<'_>, packet: &Packet<'_>) -> io::Result<()> {
        match packet {
            Packet::SimplifyPath(packet) => self.text("checksum", StrRef::new(packet.checksum)),
            Packet::ConfirmPath(confirm) => {
                write!(self.out, ",\"checksum_ok\":{}", confirm.checksum_ok)
            }
            Packet::Spawn(spawn) => {
                write!(self.out, ",\"net_id\":{}", spawn.net_id)?;
                self.scene(spawn)?;
                self.values("args", spawn.state)?;
                self.spawn_doubts(spawn)
            }
            Packet::Despawn { net_id } => write!(self.out, ",\"net_id\":{net_id}"),
            Packet::Sync(sync) => {
                write!(self.out, ",\"sync_time\":{}", sync.time)?;
                self.states(record)
            }
            Packet::Delta(_) => self.states(record),
            _ => Ok(()),
        }
    }

    /// Prints the name, the scene and the synchronizers of a spawned node.
    pub fn scene(&mut self, spawn: &Spawn<'_>) -> io::Result<()> {
        self.text("name", spawn.name)?;
        match spawn.scene {
            Scene::Index(index) => write!(self.out, ",\"scene\":{index}")?,
            Scene::Custom(argument) => self.values("custom", argument)?,
        }
        self.out.write_all(b",\"synchronizers\":")?;
        self.numbers(spawn.synchronizers.iter().map(|id| id.get()))
    }

    pub fn spawn_doubts(&mut self, spawn: &Spawn<'_>) -> io::Result<()> {
        match spawn.scene {
            Scene::Index(_) => self.doubts(&[spawn.state]),
            Scene::Custom(argument) => self.doubts(&[argument, spawn.state]),
        }
    }

    /// Prints the nodes of a SYNC or DELTA packet.
    pub fn states(&mut self, record: &Record<'_>) -> io::Result<()> {
        self.out.write_all(b",\"records\":[")?;
        let mut separator = "";
        for state in record.node_states() {
            self.out.write_all(separator.as_bytes())?;
            separator = ",";
            self.state(record, &state)?;
        }
        self.out.write_all(b"]")
    }

    fn state(&mut self, record: &Record<'_>, state: &NodeState<'_>) -> io::Result<()> {
        match state.node {
            NetId::Synchronizer(id) => write!(self.out, "{{\"net_id\":{id}")?,
            NetId::Cached(id) => {
                write!(self.out, "{{\"node_id\":{id}")?;
                record.path(id).map_or(Ok(()), |path| self.text("path", path))?;
            }
        }
        if let Some(changed) = state.changed {
            write!(self.out, ",\"changed\":{changed}")?;
        }
        self.values("args", state.values)?;
        self.doubts(&[state.values])?;
        self.out.write_all(b"}")
    }

    pub fn text(&mut self, key: &str, text: StrRef<'_>) -> io::Result<()> {
        write!(self.out, ",\"{key}\":{}", Text(&text.to_string_lossy()))
    }

    fn numbers(&mut self, numbers: impl Iterator<Item = u32>) -> io::Result<()> {
        self.out.write_all(b"[")?;
        for (index, number) in numbers.enumerate() {
            write!(self.out, "{}{number}", if index == 0 { "" } else { "," })?;
        }
        self.out.write_all(b"]")
    }

    pub fn hex(&mut self, key: &str, bytes: &[u8]) -> io::Result<()> {
        write!(self.out, ",\"{key}\":\"")?;
        bytes.iter().try_for_each(|byte| write!(self.out, "{byte:02x}"))?;
        self.out.write_all(b"\"")
    }

    /// Prints the member `key` with an array of values.
    fn values(&mut self, key: &str, values: Run<'_>) -> io::Result<()> {
        write!(self.out, ",\"{key}\":")?;
        self.array(values)
    }

    /// Prints an array of values.
    pub fn array(&mut self, values: Run<'_>) -> io::Result<()> {
        self.out.write_all(b"[")?;
        let mut reader = values.iter();
        let mut printed = print_with(&mut self.out, false, |printer| reader.visit_dyn(printer))?;
        while printed && reader.has_next() {
            self.out.write_all(b",")?;
            printed = print_with(&mut self.out, false, |printer| reader.visit_dyn(printer))?;
        }
        self.out.write_all(b"]")
    }

    /// Prints how the objects in these runs were read, and the bytes that belong to no value.
    pub fn doubts(&mut self, runs: &[Run<'_>]) -> io::Result<()> {
        let is = |reading| runs.iter().any(|run| run.objects() == reading);
        if is(ObjectReading::Either) {
            self.out.write_all(b",\"objects\":\"either\"")?;
        } else if is(ObjectReading::Full) {
            self.out.write_all(b",\"objects\":\"full\"")?;
        }
        // Only the arguments of a call or of a spawner's function can have unread bytes, so at most
        // one run has them.
        match runs.iter().map(Run::unread).find(|unread| !unread.is_empty()) {
            Some(unread) => self.hex("unread", unread),
            None => Ok(()),
        }
    }
}

/// A time in nanoseconds. It is printed in seconds with 9 decimal places, of which the last three
/// are left out if all three are zero.
pub struct Seconds(pub i64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let nanoseconds = self.0.unsigned_abs();
        let (seconds, rest) = (nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000);
        let (digits, width) = if rest % 1000 == 0 { (rest / 1000, 6) } else { (rest, 9) };
        write!(f, "{sign}{seconds}.{digits:0width$}")
    }
}
