//! A packet that borrows nothing.

use super::capture::Frame;
use super::json_text;
use gamewire::godot::multiplayer::godot4::NetId;
use gamewire::godot::multiplayer::{ObjectReading, Run};
use gamewire::godot::{Dialect, Writer};
use gamewire::traffic::json::Members;
use gamewire::traffic::methods::MethodNames;
use gamewire::traffic::{Delivery, Engine, NodeState, Reason, Record, RecordKind, Transport};
use std::fmt::Write;
use std::net::SocketAddr;

/// A copy of a record. Values stay encoded.
pub(super) struct Owned {
    pub time: Option<i64>,
    pub source: SocketAddr,
    pub destination: SocketAddr,
    pub transport: Transport,
    pub engine: Option<Engine>,
    pub guessed: bool,
    pub channel: Option<u8>,
    pub delivery: Option<Delivery>,
    pub kind: RecordKind,
    pub peer: Option<i32>,
    pub relay: Option<i32>,
    pub node_id: Option<u32>,
    pub net_id: Option<u32>,
    pub size: usize,
    pub frame: Option<Frame>,
    pub reason: Option<Reason>,
    pub offset: Option<u64>,
    pub dialect: Dialect,
    /// `true` if the objects in the values are full objects.
    pub objects: bool,
    parts: Parts,
    /// The nodes of a SYNC or DELTA packet.
    pub states: Option<Box<[State]>>,
}

/// The state of a node in a SYNC or DELTA packet.
#[derive(Clone)]
pub(super) struct State {
    pub node: NetId,
    pub path: Option<Box<[u8]>>,
    pub changed: Option<u64>,
    pub values: Box<[u8]>,
    pub objects: bool,
}

/// A part of a packet that has no fixed length.
#[derive(Clone, Copy)]
pub(super) enum Part {
    Path,
    Method,
    /// Values as `var_to_bytes` encodes them, one after the other.
    Arguments,
    /// A value as `var_to_bytes` encodes it. Other bytes may follow it.
    Value,
    Text,
    Bytes,
    /// The members of the packet's JSON after `kind`.
    Members,
}

const PARTS: usize = Part::Members as usize + 1;

/// All parts, in one allocation.
struct Parts {
    bytes: Box<[u8]>,
    ends: [usize; PARTS],
    present: [bool; PARTS],
}

impl Owned {
    /// Copies a record. `buffer` can be passed again for the next one, to save allocations.
    pub(super) fn new(
        record: &Record<'_>,
        frame: Option<Frame>,
        names: &MethodNames,
        buffer: &mut Vec<u8>,
    ) -> Self {
        let states = matches!(record.kind(), RecordKind::Sync | RecordKind::Delta)
            .then(|| record.node_states().map(|state| State::new(record, &state)).collect());
        let run = record.arguments_or_state().or(record.new_value());
        Self {
            time: record.time,
            source: record.source,
            destination: record.destination,
            transport: record.transport,
            engine: record.engine,
            guessed: record.guessed,
            channel: record.channel,
            delivery: record.packet_delivery(),
            kind: record.kind(),
            peer: record.reported_peer(),
            relay: record.relay,
            node_id: record.node.and_then(|node| node.id),
            net_id: record.net_id(),
            size: record.bytes.len(),
            frame,
            reason: record.error(),
            offset: record.offset(),
            dialect: record.dialect(),
            objects: run.is_none_or(|run| run.objects() == ObjectReading::Full),
            parts: Parts::new(record, names, buffer),
            states,
        }
    }

    /// Returns a part, if the packet has it.
    pub(super) fn part(&self, part: Part) -> Option<&[u8]> {
        let Parts { bytes, ends, present } = &self.parts;
        let index = part as usize;
        let start = index.checked_sub(1).and_then(|before| ends.get(before)).unwrap_or(&0);
        present.get(index)?.then_some(())?;
        bytes.get(*start..*ends.get(index)?)
    }

    /// Returns a part that is UTF-8.
    pub(super) fn text(&self, part: Part) -> Option<&str> {
        str::from_utf8(self.part(part)?).ok()
    }

    /// Returns the JSON of the packet without its time and addresses.
    pub(super) fn json(&self) -> Option<String> {
        let members = self.text(Part::Members)?;
        let mut json = format!("{{\"transport\":\"{}\"", self.transport);
        // Writing to a string cannot fail.
        if let Some(engine) = self.engine {
            let _ = write!(json, ",\"engine\":\"{engine}\"");
        }
        if self.guessed {
            json.push_str(",\"guessed\":true");
        }
        if let Some(channel) = self.channel {
            let _ = write!(json, ",\"channel\":{channel}");
        }
        if let Some(delivery) = self.delivery {
            let _ = write!(json, ",\"delivery\":\"{delivery}\"");
        }
        let _ = write!(json, ",\"kind\":\"{}\"{members}", self.kind);
        if let Some(value) = self.text(Part::Text).and_then(json_text::compact) {
            let _ = write!(json, ",\"value\":{value}");
        }
        json.push('}');
        json_text::escape(&mut json);
        Some(json)
    }
}

impl Parts {
    fn new(record: &Record<'_>, names: &MethodNames, buffer: &mut Vec<u8>) -> Self {
        buffer.clear();
        let (mut ends, mut present) = ([0; PARTS], [false; PARTS]);
        let mut end = |part: Part, is_present: bool, buffer: &Vec<u8>| {
            if let (Some(end), Some(present)) =
                (ends.get_mut(part as usize), present.get_mut(part as usize))
            {
                (*end, *present) = (buffer.len(), is_present);
            }
        };
        let mut copy = |part: Part, bytes: Option<&[u8]>, buffer: &mut Vec<u8>| {
            buffer.extend_from_slice(bytes.unwrap_or_default());
            end(part, bytes.is_some(), buffer);
        };
        let path = record.node.and_then(|node| node.path);
        copy(Part::Path, path.map(|path| path.as_bytes()), buffer);
        let method = record.member(names);
        copy(Part::Method, method.as_ref().map(|method| method.as_bytes()), buffer);
        let arguments = record.arguments_or_state();
        if let Some(run) = arguments {
            expand(run, record.dialect(), buffer);
        }
        copy(Part::Arguments, arguments.map(|_| &[][..]), buffer);
        if let Some(run) = record.new_value() {
            expand(run, record.dialect(), buffer);
            copy(Part::Value, Some(&[]), buffer);
        } else {
            copy(Part::Value, record.value(), buffer);
        }
        copy(Part::Text, record.text().map(str::as_bytes), buffer);
        copy(Part::Bytes, record.undecoded(), buffer);
        let mut members = Members::new(Utf8(buffer), names);
        members.record(record);
        let printed = members.finish().is_ok();
        copy(Part::Members, printed.then_some(&[]), buffer);
        Self { bytes: buffer.as_slice().into(), ends, present }
    }
}

impl State {
    fn new(record: &Record<'_>, state: &NodeState<'_>) -> Self {
        let path = match state.node {
            NetId::Cached(id) => record.path(id).map(|path| path.as_bytes().into()),
            NetId::Synchronizer(_) => None,
        };
        let mut values = Vec::new();
        expand(state.values, record.dialect(), &mut values);
        let objects = state.values.objects() == ObjectReading::Full;
        Self { node: state.node, path, changed: state.changed, values: values.into(), objects }
    }
}

/// Appends the values as `var_to_bytes` encodes them. Ends at a malformed value.
fn expand(run: Run<'_>, dialect: Dialect, to: &mut Vec<u8>) {
    let mut values = run.iter();
    while let Ok(Some(value)) = values.read_encoded() {
        if Writer::new(&mut *to, dialect).put(value).is_err() {
            break;
        }
    }
}

/// Appends text to bytes.
struct Utf8<'b>(&'b mut Vec<u8>);

impl Write for Utf8<'_> {
    #[inline]
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }
}
