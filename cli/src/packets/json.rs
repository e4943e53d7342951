//! Prints a record as a JSON object on a line (`--json`).

use super::flow::{Cache, Flow};
use super::json_text;
use super::line::after_value;
use super::seconds::Seconds;
use crate::ui::collected::{Buffer, Collected};
use gamewire::godot::json::{PrintError, Printer, Text};
use gamewire::godot::multiplayer::godot4::{NetId, Packet, Scene, Spawn};
use gamewire::godot::multiplayer::{ObjectReading, Run, godot3};
use gamewire::godot::{Dialect, Reader, StrRef};
use gamewire::traffic::methods::MethodNames;
use gamewire::traffic::{Content, NodeState, Record};
use std::io::{self, Write};

/// A printer of JSON objects, one on each line.
#[derive(Debug, Default)]
pub struct JsonLines {
    /// Texts of the members between `time` and `kind`.
    flows: Cache,
    buffer: Buffer,
}

impl JsonLines {
    /// Prints the record as a JSON object, followed by a line feed.
    pub fn print(
        &mut self,
        record: &Record<'_>,
        names: &MethodNames,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let out = Collected::new(&mut self.buffer, out);
        let mut object = Object { out, names };
        object.header(record, &mut self.flows);
        object.peers_and_node(record);
        object.content(record);
        object.out.push("}\n");
        object.out.finish()
    }
}

/// A printer of the members of an object. Each member is printed after a comma.
pub struct Object<'o> {
    pub out: Collected<'o>,
    pub names: &'o MethodNames,
}

impl Object<'_> {
    /// Prints the members for time, addresses, transport, engine, channel, delivery and kind.
    fn header(&mut self, record: &Record<'_>, flows: &mut Cache) {
        self.out.push("{");
        if let Some(time) = record.time {
            self.out.push("\"time\":");
            let _ = Seconds(time).write(&mut self.out); // `Collected` stores the error
            self.out.push(",");
        }
        self.flow(Flow::of(record), flows);
        self.out.push(record.kind().name());
        self.out.push("\"");
    }

    /// Prints the members from `src` to the key of `kind`.
    fn flow(&mut self, flow: Flow, flows: &mut Cache) {
        if let Some(known) = flows.get(&flow) {
            return self.out.push(known);
        }
        let Flow { source, destination, transport, .. } = flow;
        let mut text =
            format!("\"src\":\"{source}\",\"dst\":\"{destination}\",\"transport\":\"{transport}\"");
        if let Some(engine) = flow.engine {
            text.push_str(&format!(",\"engine\":\"{engine}\""));
        }
        if flow.guessed {
            text.push_str(",\"guessed\":true");
        }
        if let Some(channel) = flow.channel {
            text.push_str(&format!(",\"channel\":{channel}"));
        }
        if let Some(delivery) = flow.delivery {
            text.push_str(&format!(",\"delivery\":\"{delivery}\""));
        }
        text.push_str(",\"kind\":\"");
        self.out.push(&text);
        flows.insert(flow, text);
    }

    fn peers_and_node(&mut self, record: &Record<'_>) {
        // In a packet that announces a peer, the member `peer` is the announced peer. In all other
        // packets, it is the sender. The member must occur only once.
        if let Some(peer) = record.announced_peer().or(record.peer) {
            self.number("peer", peer);
        }
        if let Some(relay) = record.relay {
            self.number("relay", relay);
        }
        let Some(node) = record.node else { return };
        if let Some(path) = node.path {
            self.text("path", path);
        }
        if let Some(id) = node.id {
            self.number("node_id", id);
        }
    }

    fn content(&mut self, record: &Record<'_>) {
        if let Some(method) = record.member(self.names) {
            self.string("method", &method);
        }
        if let Some(values) = record.arguments() {
            self.values("args", values);
            self.doubts(&[values]);
        }
        if let Some(bytes) = record.raw_bytes() {
            self.hex("bytes", bytes);
        }
        if let Some(bytes) = record.value() {
            self.key("value");
            self.value(bytes, record.dialect());
            return match after_value(bytes, record.dialect()) {
                [] => {}
                unread => self.hex("unread", unread),
            };
        }
        match record.content {
            Content::Godot4(packet) => self.godot4(record, packet),
            Content::Godot3(godot3::Packet::Set(set)) => {
                self.key("value");
                let mut reader = set.value.iter();
                self.print(|printer| reader.visit_dyn(printer));
            }
            Content::Text(text) => {
                self.string("text", text);
                if let Some(json) = json_text::Json::new(text) {
                    self.key("value");
                    self.out.display(json);
                }
            }
            Content::Bytes { offset } => self.unknown_bytes(record, offset),
            Content::Encrypted(encryption) => {
                self.string("encryption", &encryption.to_string());
                self.number("size", record.bytes.len());
            }
            Content::Stun => self.number("size", record.bytes.len()),
            Content::Malformed { reason, offset } => {
                self.string("error", &reason.to_string());
                self.number("offset", offset);
                self.hex("bytes", record.bytes);
            }
            _ => {}
        }
    }

    /// Prints bytes of a game's own protocol, and the values in them.
    fn unknown_bytes(&mut self, record: &Record<'_>, offset: Option<u64>) {
        if let Some(offset) = offset {
            self.number("offset", offset);
        }
        self.hex("bytes", record.bytes);
        self.found_values(record, offset);
    }

    /// Prints the values in bytes of a game's own protocol.
    pub fn found_values(&mut self, record: &Record<'_>, offset: Option<u64>) {
        let mut separator = ",\"values\":[";
        for found in record.values_inside() {
            self.out.push(separator);
            separator = ",";
            self.out.push("{\"offset\":");
            self.out.number(offset.unwrap_or(0).saturating_add(found.offset));
            self.number("size", found.len);
            self.string("confidence", found.confidence.name());
            self.key("value");
            self.value(found.value.as_bytes(), found.dialect());
            self.out.push("}");
        }
        self.out.push(if separator == "," { "]" } else { "" });
    }

    fn godot4(&mut self, record: &Record<'_>, packet: &Packet<'_>) {
        match packet {
            Packet::SimplifyPath(packet) => self.text("checksum", StrRef::new(packet.checksum)),
            Packet::ConfirmPath(confirm) => {
                self.key("checksum_ok");
                self.out.push(if confirm.checksum_ok { "true" } else { "false" });
            }
            Packet::Spawn(spawn) => {
                self.number("net_id", spawn.net_id);
                self.scene(spawn);
                self.values("args", spawn.state);
                self.spawn_doubts(spawn);
            }
            Packet::Despawn { net_id } => self.number("net_id", *net_id),
            Packet::Sync(sync) => {
                self.number("sync_time", sync.time);
                self.states(record);
            }
            Packet::Delta(_) => self.states(record),
            _ => {}
        }
    }

    /// Prints the name, the scene and the synchronizers of a spawned node.
    pub fn scene(&mut self, spawn: &Spawn<'_>) {
        self.text("name", spawn.name);
        match spawn.scene {
            Scene::Index(index) => self.number("scene", index),
            Scene::Custom(argument) => self.values("custom", argument),
        }
        self.key("synchronizers");
        self.numbers(spawn.synchronizers.iter().map(|id| id.get()));
    }

    pub fn spawn_doubts(&mut self, spawn: &Spawn<'_>) {
        match spawn.scene {
            Scene::Index(_) => self.doubts(&[spawn.state]),
            Scene::Custom(argument) => self.doubts(&[argument, spawn.state]),
        }
    }

    /// Prints the nodes of a SYNC or DELTA packet.
    pub fn states(&mut self, record: &Record<'_>) {
        self.out.push(",\"records\":[");
        for (index, state) in record.node_states().enumerate() {
            if index > 0 {
                self.out.push(",");
            }
            self.state(record, &state);
        }
        self.out.push("]");
    }

    fn state(&mut self, record: &Record<'_>, state: &NodeState<'_>) {
        match state.node {
            NetId::Synchronizer(id) => {
                self.out.push("{\"net_id\":");
                self.out.number(id);
            }
            NetId::Cached(id) => {
                self.out.push("{\"node_id\":");
                self.out.number(id);
                if let Some(path) = record.path(id) {
                    self.text("path", path);
                }
            }
        }
        if let Some(changed) = state.changed {
            self.number("changed", changed);
        }
        self.values("args", state.values);
        self.doubts(&[state.values]);
        self.out.push("}");
    }

    /// Prints the separator and the key of a member.
    #[inline(always)]
    pub fn key(&mut self, key: &str) {
        self.out.push(",\"");
        self.out.push(key);
        self.out.push("\":");
    }

    #[inline(always)]
    pub fn number(&mut self, key: &str, number: impl itoa::Integer) {
        self.key(key);
        self.out.number(number);
    }

    pub fn string(&mut self, key: &str, text: &str) {
        self.key(key);
        let _ = Text(text).write(&mut self.out); // `Collected` stores the error
    }

    pub fn text(&mut self, key: &str, text: StrRef<'_>) {
        self.string(key, &text.to_string_lossy());
    }

    fn numbers(&mut self, numbers: impl Iterator<Item = u32>) {
        self.out.push("[");
        for (index, number) in numbers.enumerate() {
            self.out.push(if index == 0 { "" } else { "," });
            self.out.number(number);
        }
        self.out.push("]");
    }

    pub fn hex(&mut self, key: &str, bytes: &[u8]) {
        self.key(key);
        self.out.push("\"");
        self.out.hex(bytes);
        self.out.push("\"");
    }

    /// Prints the first value in `packet`.
    pub fn value(&mut self, packet: &[u8], dialect: Dialect) {
        self.print(|printer| Reader::new(packet, dialect).visit_dyn(printer).map(|()| true));
    }

    /// Prints the member `key` with an array of values.
    fn values(&mut self, key: &str, values: Run<'_>) {
        self.key(key);
        self.array(values);
    }

    /// Prints an array of values.
    pub fn array(&mut self, values: Run<'_>) {
        self.out.push("[");
        let mut reader = values.iter();
        let mut printed = self.print(|printer| reader.visit_dyn(printer));
        while printed && reader.has_next() {
            self.out.push(",");
            printed = self.print(|printer| reader.visit_dyn(printer));
        }
        self.out.push("]");
    }

    /// Prints the value that `visit` sends to the printer. Returns `false` if there is none.
    pub fn print(
        &mut self,
        visit: impl FnOnce(&mut Printer<&mut Collected<'_>>) -> Result<bool, PrintError>,
    ) -> bool {
        match visit(&mut Printer::new(&mut self.out)) {
            Ok(printed) => printed,
            Err(error) => {
                self.out.fail(io::Error::other(error));
                false
            }
        }
    }

    /// Prints how the objects in these runs were read, and the bytes that belong to no value.
    pub fn doubts(&mut self, runs: &[Run<'_>]) {
        let is = |reading| runs.iter().any(|run| run.objects() == reading);
        if is(ObjectReading::Either) {
            self.out.push(",\"objects\":\"either\"");
        } else if is(ObjectReading::Full) {
            self.out.push(",\"objects\":\"full\"");
        }
        // Only the arguments of a call or of a spawner's function can have unread bytes, so at most
        // one run has them.
        if let Some(unread) = runs.iter().map(Run::unread).find(|unread| !unread.is_empty()) {
            self.hex("unread", unread);
        }
    }
}
