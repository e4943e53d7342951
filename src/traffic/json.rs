//! Records as JSON, in the notation of the command line.

use super::methods::MethodNames;
use super::{Content, NodeState, Record};
use crate::buffer::write_hex;
use crate::godot::json::{PrintError, Printer, Text};
use crate::godot::multiplayer::godot4::{NetId, Packet, Scene, Spawn};
use crate::godot::multiplayer::{ObjectReading, Run, godot3};
use crate::godot::{Dialect, Reader, StrRef};
use core::fmt::Write;
use std::string::ToString;

/// Number of bytes that are printed in hexadecimal in one step.
const HEX: usize = 64;

/// A printer of the members of a JSON object about a record. Each member is printed after a comma.
///
/// The members are those that `gamewire packets --json` prints after `kind`. Only the `value` that
/// the command prints for a text message in JSON is missing. Values have the
/// [notation](crate::godot::json) of gamewire; bytes are in hexadecimal.
///
/// Printing takes time linear in the sizes of the record and of the output. It allocates only names
/// that are not UTF-8, and short texts such as the reason of an error.
///
/// ```
/// use gamewire::capture::{Segment, Transport};
/// use gamewire::traffic::Conversations;
/// use gamewire::traffic::json::Members;
/// use gamewire::traffic::methods::MethodNames;
///
/// let segment = Segment {
///     source: "10.0.0.1:4000".parse()?,
///     destination: "10.0.0.2:5000".parse()?,
///     transport: Transport::Udp { payload: b"\x02\0\0\0\x05\0\0\0" }, // the value 5
/// };
/// let names = MethodNames::default();
/// let mut json = String::new();
/// Conversations::default().segment(None, &segment, &mut |record| {
///     json += "{\"kind\":\"";
///     json += record.kind().name();
///     json += "\"";
///     let mut members = Members::new(&mut json, &names);
///     members.record(record);
///     assert!(members.finish().is_ok());
///     json += "}";
/// });
/// assert_eq!(json, r#"{"kind":"var","value":"i:5"}"#);
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
#[derive(Debug)]
pub struct Members<'n, W> {
    out: W,
    names: &'n MethodNames,
    /// The first error of a value or of the output.
    printed: Result<(), PrintError>,
}

impl<'n, W: Write> Members<'n, W> {
    /// Creates a printer.
    pub fn new(out: W, names: &'n MethodNames) -> Self {
        Self { out, names, printed: Ok(()) }
    }

    /// Returns the first error. After an error, the output is incomplete.
    ///
    /// # Errors
    /// Returns [`PrintError::Output`] for an error of the output, and [`PrintError::Malformed`] for a
    /// value that is malformed or too deep.
    pub fn finish(self) -> Result<(), PrintError> {
        self.printed
    }

    /// Prints all members of a record, apart from those that `gamewire packets --json` prints from
    /// `time` to `kind`.
    pub fn record(&mut self, record: &Record<'_>) {
        self.peers_and_node(record);
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
        }
        self.content(record);
    }

    fn peers_and_node(&mut self, record: &Record<'_>) {
        // In a packet that announces a peer, the member `peer` is the announced peer. In all other
        // packets, it is the sender. The member must occur only once.
        if let Some(peer) = record.reported_peer() {
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
        match record.content {
            Content::Value(_) | Content::Debugger(_) => self.unread(record),
            Content::Godot4(packet) => self.godot4(record, packet),
            Content::Godot3(godot3::Packet::Set(set)) => {
                self.key("value");
                self.first(set.value);
            }
            Content::Text(text) => self.string("text", text),
            Content::Bytes { offset } => {
                if let Some(offset) = offset {
                    self.number("offset", offset);
                }
                self.hex("bytes", record.bytes);
                self.found_values(record, offset);
            }
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

    fn godot4(&mut self, record: &Record<'_>, packet: &Packet<'_>) {
        match packet {
            Packet::SimplifyPath(packet) => self.text("checksum", StrRef::new(packet.checksum)),
            Packet::ConfirmPath(confirm) => {
                self.key("checksum_ok");
                self.push(if confirm.checksum_ok { "true" } else { "false" });
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

    /// Prints the members of a record that are not columns of the command line's table `packets`:
    /// the nodes of a SYNC packet, the scene of a SPAWN packet, and so on.
    pub fn details(&mut self, record: &Record<'_>) {
        if let Some(values) = record.arguments() {
            return self.doubts(&[values]);
        }
        match record.content {
            Content::Godot4(Packet::Spawn(spawn)) => {
                self.scene(spawn);
                self.spawn_doubts(spawn);
            }
            Content::Godot4(Packet::Despawn { .. }) | Content::Malformed { .. } => {}
            Content::Godot4(packet) => self.godot4(record, packet),
            Content::Value(_) | Content::Debugger(_) => self.unread(record),
            Content::Bytes { offset } => self.found_values(record, offset),
            Content::Encrypted(encryption) => self.string("encryption", &encryption.to_string()),
            _ => {}
        }
    }

    /// Prints the values in bytes of a game's own protocol. `offset` is that of the bytes in their
    /// stream.
    fn found_values(&mut self, record: &Record<'_>, offset: Option<u64>) {
        let mut separator = ",\"values\":[";
        for found in record.values_inside() {
            self.push(separator);
            separator = ",";
            self.push("{\"offset\":");
            self.plain_number(offset.unwrap_or(0).saturating_add(found.offset));
            self.number("size", found.len);
            self.string("confidence", found.confidence.name());
            self.key("value");
            self.value(found.value.as_bytes(), found.dialect());
            self.push("}");
        }
        self.push(if separator == "," { "]" } else { "" });
    }

    /// Prints the name, the scene and the synchronizers of a spawned node.
    fn scene(&mut self, spawn: &Spawn<'_>) {
        self.text("name", spawn.name);
        match spawn.scene {
            Scene::Index(index) => self.number("scene", index),
            Scene::Custom(argument) => self.values("custom", argument),
        }
        self.key("synchronizers");
        self.push("[");
        for (index, id) in spawn.synchronizers.iter().enumerate() {
            self.push(if index == 0 { "" } else { "," });
            self.plain_number(id.get());
        }
        self.push("]");
    }

    fn spawn_doubts(&mut self, spawn: &Spawn<'_>) {
        match spawn.scene {
            Scene::Index(_) => self.doubts(&[spawn.state]),
            Scene::Custom(argument) => self.doubts(&[argument, spawn.state]),
        }
    }

    /// Prints the nodes of a SYNC or DELTA packet.
    fn states(&mut self, record: &Record<'_>) {
        self.push(",\"records\":[");
        for (index, state) in record.node_states().enumerate() {
            if index > 0 {
                self.push(",");
            }
            self.state(record, &state);
        }
        self.push("]");
    }

    fn state(&mut self, record: &Record<'_>, state: &NodeState<'_>) {
        match state.node {
            NetId::Synchronizer(id) => {
                self.push("{\"net_id\":");
                self.plain_number(id);
            }
            NetId::Cached(id) => {
                self.push("{\"node_id\":");
                self.plain_number(id);
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
        self.push("}");
    }

    /// Prints the bytes after the value of a packet that is a single value.
    fn unread(&mut self, record: &Record<'_>) {
        match record.after_value() {
            [] => {}
            unread => self.hex("unread", unread),
        }
    }

    /// Prints the first value in `packet`, without a key.
    pub fn value(&mut self, packet: &[u8], dialect: Dialect) {
        self.print(|printer| Reader::new(packet, dialect).visit_dyn(printer).map(|()| true));
    }

    /// Prints the first of several values, without a key.
    pub fn first(&mut self, values: Run<'_>) {
        let mut reader = values.iter();
        self.print(|printer| reader.visit_dyn(printer));
    }

    /// Prints the member `key` with an array of values.
    fn values(&mut self, key: &str, values: Run<'_>) {
        self.key(key);
        self.array(values);
    }

    /// Prints an array of values, without a key.
    pub fn array(&mut self, values: Run<'_>) {
        self.push("[");
        let mut reader = values.iter();
        let mut printed = self.print(|printer| reader.visit_dyn(printer));
        while printed && reader.has_next() {
            self.push(",");
            printed = self.print(|printer| reader.visit_dyn(printer));
        }
        self.push("]");
    }

    /// Prints the value that `visit` sends to the printer. Returns `false` if there is none, or
    /// after an error.
    fn print(
        &mut self,
        visit: impl FnOnce(&mut Printer<&mut W>) -> Result<bool, PrintError>,
    ) -> bool {
        match visit(&mut Printer::new(&mut self.out)) {
            Ok(printed) => printed,
            Err(error) => {
                self.fail(error);
                false
            }
        }
    }

    /// Prints how the objects in these runs were read, and the bytes that belong to no value.
    fn doubts(&mut self, runs: &[Run<'_>]) {
        let is = |reading| runs.iter().any(|run| run.objects() == reading);
        if is(ObjectReading::Either) {
            self.push(",\"objects\":\"either\"");
        } else if is(ObjectReading::Full) {
            self.push(",\"objects\":\"full\"");
        }
        // Only the arguments of a call or of a spawner's function can have unread bytes, so at most
        // one run has them.
        if let Some(unread) = runs.iter().map(Run::unread).find(|unread| !unread.is_empty()) {
            self.hex("unread", unread);
        }
    }

    #[inline(always)]
    fn push(&mut self, text: &str) {
        if let Err(error) = self.out.write_str(text) {
            self.fail(error.into());
        }
    }

    /// Stores an error, unless an earlier one is stored.
    #[cold]
    fn fail(&mut self, error: PrintError) {
        if self.printed.is_ok() {
            self.printed = Err(error);
        }
    }

    /// Prints the separator and the key of a member.
    #[inline(always)]
    fn key(&mut self, key: &str) {
        self.push(",\"");
        self.push(key);
        self.push("\":");
    }

    #[inline(always)]
    fn number(&mut self, key: &str, number: impl itoa::Integer) {
        self.key(key);
        self.plain_number(number);
    }

    #[inline(always)]
    fn plain_number(&mut self, number: impl itoa::Integer) {
        self.push(itoa::Buffer::new().format(number));
    }

    fn string(&mut self, key: &str, text: &str) {
        self.key(key);
        if let Err(error) = Text(text).write(&mut self.out) {
            self.fail(error.into());
        }
    }

    fn text(&mut self, key: &str, text: StrRef<'_>) {
        self.string(key, &text.to_string_lossy());
    }

    fn hex(&mut self, key: &str, bytes: &[u8]) {
        self.key(key);
        self.push("\"");
        let (blocks, rest) = bytes.as_chunks::<HEX>();
        for bytes in blocks.iter().map(<[u8; HEX]>::as_slice).chain([rest]) {
            let mut digits = [0; 2 * HEX];
            let digits = write_hex(bytes, &mut digits);
            self.push(str::from_utf8(digits).unwrap_or_default());
        }
        self.push("\"");
    }
}
