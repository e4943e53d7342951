//! The classes `Packet` and `NodeState`.

use super::owned::{Owned, Part, State};
use crate::error::{guarded, raise};
use crate::python::text;
use crate::read::{load_first, load_sequence};
use gamewire::godot::Dialect;
use gamewire::godot::multiplayer::godot4::NetId;
use gamewire::traffic::RecordKind;
use pyo3::exceptions::PyRecursionError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyList, PyString};
use std::fmt::Write;

/// Maximum length of the values in a `repr`, in characters.
const SHORT: usize = 100;
/// Maximum number of nodes in a `repr`.
const NODES: usize = 3;

/// A packet of a game. Most attributes have the name and the content of a column of the table that
/// `Packets.to_arrow` makes, with `None` for null. `args` and `value` are Python objects instead of
/// JSON, and are decoded when they are asked for.
///
/// >>> from gamewire import packets
/// >>> calls = packets("corpus/captures/enet.pcap", methods="corpus/captures/methods.txt")
/// >>> packet = next(packet for packet in calls if packet.kind == "rpc")
/// >>> packet
/// <Packet 1795224880.608740  127.0.0.1:53370 → 127.0.0.1:24601  enet/2  unsequenced  rpc  Main.move(Vector3(1.0, 0.0, 1.0), Vector3(0.5, 0.0, -0.5), 1)>
/// >>> packet.path, packet.method, packet.args[2]
/// ('Main', 'move', 1)
/// >>> print(packet.datetime)
/// 2026-11-21 01:34:40.608740+00:00
#[pyclass(frozen, module = "gamewire")]
pub(crate) struct Packet {
    owned: Owned,
    args: PyOnceLock<Py<PyAny>>,
    value: PyOnceLock<Py<PyAny>>,
    records: PyOnceLock<Py<PyList>>,
}

impl Packet {
    pub(super) fn new(owned: Owned) -> Self {
        let (args, value, records) = (PyOnceLock::new(), PyOnceLock::new(), PyOnceLock::new());
        Self { owned, args, value, records }
    }

    fn decode_value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let Owned { dialect, objects, .. } = &self.owned;
        if let Some(bytes) = self.owned.part(Part::Value) {
            return load_first(&PyBytes::new(py, bytes), *dialect, *objects);
        }
        // The JSON of a text message, or `None`.
        let Some(json) = self.owned.text(Part::Text).and_then(super::json_text::compact) else {
            return Ok(py.None().into_bound(py));
        };
        super::json_text::loads(py, &json)
    }
}

#[pymethods]
impl Packet {
    /// Time of capture in nanoseconds since 1970 (UTC).
    #[getter]
    fn time(&self) -> Option<i64> {
        self.owned.time
    }

    /// Time of capture in UTC, rounded down to microseconds.
    #[getter]
    fn datetime<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(time) = self.owned.time else { return Ok(None) };
        let module = py.import("datetime")?;
        let utc = module.getattr("timezone")?.getattr("utc")?;
        let epoch = module.getattr("datetime")?.call_method1("fromtimestamp", (0, utc))?;
        let since = module.getattr("timedelta")?.call1((0, 0, time.div_euclid(1000)))?;
        epoch.add(since).map(Some)
    }

    /// IP address of the sender.
    #[getter]
    fn src(&self) -> String {
        self.owned.source.ip().to_string()
    }

    /// Port of the sender.
    #[getter]
    fn src_port(&self) -> u16 {
        self.owned.source.port()
    }

    /// IP address of the receiver.
    #[getter]
    fn dst(&self) -> String {
        self.owned.destination.ip().to_string()
    }

    /// Port of the receiver.
    #[getter]
    fn dst_port(&self) -> u16 {
        self.owned.destination.port()
    }

    /// `enet`, `websocket`, `tcp` or `udp`.
    #[getter]
    fn transport<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        PyString::intern(py, self.owned.transport.name())
    }

    /// `godot4` or `godot3`, if known.
    #[getter]
    fn engine<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyString>> {
        self.owned.engine.map(|engine| PyString::intern(py, engine.dialect().name()))
    }

    /// `True` if the transport or the engine was inferred from the bytes alone.
    #[getter]
    fn guessed(&self) -> bool {
        self.owned.guessed
    }

    /// Channel of ENet.
    #[getter]
    fn channel(&self) -> Option<u8> {
        self.owned.channel
    }

    /// `reliable`, `unreliable` or `unsequenced`.
    #[getter]
    fn delivery<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyString>> {
        self.owned.delivery.map(|delivery| PyString::intern(py, delivery.name()))
    }

    /// Kind of the packet, such as `rpc`.
    #[getter]
    fn kind<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        PyString::intern(py, self.owned.kind.name())
    }

    /// Multiplayer id of the sender, or of the peer that joined or left.
    #[getter]
    fn peer(&self) -> Option<i32> {
        self.owned.peer
    }

    /// Multiplayer id in the header of a relayed packet.
    #[getter]
    fn relay(&self) -> Option<i32> {
        self.owned.relay
    }

    /// Path of the node.
    #[getter]
    fn path<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        self.owned.part(Part::Path).map(|path| text(py, path)).transpose()
    }

    /// Number of the node.
    #[getter]
    fn node_id(&self) -> Option<u32> {
        self.owned.node_id
    }

    /// Name of the method, or `#` and its number if its name is unknown; in a `set`, of the
    /// property.
    #[getter]
    fn method(&self) -> Option<&str> {
        self.owned.text(Part::Method)
    }

    /// Number of the node that the packet spawns or removes.
    #[getter]
    fn net_id(&self) -> Option<u32> {
        self.owned.net_id
    }

    /// Number of bytes of the packet, without the headers of the transport.
    #[getter]
    fn size(&self) -> usize {
        self.owned.size
    }

    /// Number of the captured packet in which this packet ends, counted from 1.
    #[getter]
    fn frame(&self) -> Option<u64> {
        self.owned.frame.map(|(number, _)| number)
    }

    /// Number of bytes of this captured packet on the wire.
    #[getter]
    fn frame_size(&self) -> Option<u32> {
        self.owned.frame.map(|(_, size)| size)
    }

    /// Arguments of a call or state of a spawned node: a list of the objects that
    /// `gamewire.godot.loads` makes.
    #[getter]
    fn args<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Owned { dialect, objects, .. } = &self.owned;
        let Some(bytes) = self.owned.part(Part::Arguments) else { return Ok(None) };
        let make =
            || load_sequence(&PyBytes::new(py, bytes), *dialect, *objects).map(Bound::unbind);
        let args = self.args.get_or_try_init(py, || guarded(py, make))?;
        Ok(Some(args.bind(py).clone()))
    }

    /// Value of a packet that is one value, or new value of the property in a `set`, as
    /// `gamewire.godot.loads` makes it. For a text message that is JSON, its content.
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let make = || self.decode_value(py).map(Bound::unbind);
        Ok(self.value.get_or_try_init(py, || guarded(py, make))?.bind(py).clone())
    }

    /// Text message of a WebSocket.
    #[getter]
    fn text(&self) -> Option<&str> {
        self.owned.text(Part::Text)
    }

    /// Bytes that a script sent, or the whole packet if it is malformed or of the game's own
    /// protocol.
    #[getter]
    fn bytes<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.owned.part(Part::Bytes).map(|bytes| PyBytes::new(py, bytes))
    }

    /// Reason why the packet is malformed.
    #[getter]
    fn error(&self) -> Option<String> {
        self.owned.reason.map(|reason| reason.to_string())
    }

    /// Offset of the error, or of the bytes in a TCP stream.
    #[getter]
    fn offset(&self) -> Option<u64> {
        self.owned.offset
    }

    /// The states of nodes in a packet of the kind `sync` or `delta`.
    #[getter]
    fn records<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyList>>> {
        let Some(states) = &self.owned.states else { return Ok(None) };
        let dialect = self.owned.dialect;
        let records = self.records.get_or_try_init(py, || {
            let states = states.iter().map(|state| NodeState::new(state.clone(), dialect));
            PyList::new(py, states.collect::<Vec<_>>()).map(Bound::unbind)
        })?;
        Ok(Some(records.bind(py).clone()))
    }

    /// The line of `gamewire packets --json` without time and addresses: text that is a JSON object.
    #[getter]
    fn json(&self, py: Python<'_>) -> PyResult<String> {
        self.owned.json().ok_or_else(|| {
            raise(py, "a value cannot be printed as JSON", "Malformed".into(), None, None)
        })
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let owned = &self.owned;
        let mut line = String::from("<Packet ");
        // Writing to a string cannot fail.
        let _ = match owned.time {
            Some(time) => {
                let micros = time.div_euclid(1000);
                let (seconds, micros) =
                    (micros.div_euclid(1_000_000), micros.rem_euclid(1_000_000));
                write!(line, "{seconds}.{micros:06}")
            }
            None => write!(line, "-"),
        };
        let _ = write!(line, "  {} → {}  {}", owned.source, owned.destination, owned.transport);
        let _ = owned.channel.map_or(Ok(()), |channel| write!(line, "/{channel}"));
        let _ = owned.delivery.map_or(Ok(()), |delivery| write!(line, "  {delivery}"));
        let _ = write!(line, "  {}", owned.kind);
        let start = line.len();
        self.describe(py, &mut line)?;
        if line.len() > start {
            line.insert_str(start, "  ");
        }
        line.push('>');
        Ok(line)
    }
}

impl Packet {
    /// Appends the part of the `repr` after the kind.
    fn describe(&self, py: Python<'_>, line: &mut String) -> PyResult<()> {
        let owned = &self.owned;
        match (owned.part(Part::Path), owned.node_id) {
            (Some(path), _) => line.push_str(&escaped(&String::from_utf8_lossy(path))),
            (None, Some(id)) => {
                let _ = write!(line, "node {id}");
            }
            (None, None) => {}
        }
        if let Some(method) = owned.text(Part::Method) {
            line.push('.');
            line.push_str(&escaped(method));
        }
        let is_call = owned.part(Part::Method).is_some();
        if is_call && let Some(args) = self.args(py)? {
            let _ = write!(line, "({})", shown(&args, true)?);
        } else if owned.part(Part::Value).is_some() {
            let before = if is_call { " = " } else { "" };
            let _ = write!(line, "{before}{}", shown(&self.value(py)?, false)?);
        } else if let Some(text) = owned.text(Part::Text) {
            line.push_str(&clipped(&format!("{text:?}")));
        } else if let Some(reason) = owned.reason {
            let _ = write!(line, "{reason}, at offset {}", owned.offset.unwrap_or(0));
        } else if let Some(bytes) = owned.part(Part::Bytes) {
            let _ = write!(line, "{} bytes", bytes.len());
        } else if let Some(states) = self.records(py)? {
            for (index, state) in states.iter().take(NODES + 1).enumerate() {
                if index == NODES {
                    line.push_str("; …");
                    break;
                }
                let state = state.cast::<NodeState>()?.get();
                line.push_str(if index > 0 { "; " } else { "" });
                let _ = write!(line, "{}: {}", state.name(), shown(&state.args(py)?, true)?);
            }
        } else if let Some(id) = owned.net_id {
            let before = if line.ends_with(owned.kind.name()) { "" } else { "  " };
            let _ = write!(line, "{before}net id {id}");
        } else if matches!(owned.kind, RecordKind::AddPeer | RecordKind::DelPeer) {
            let _ = write!(line, "peer {}", owned.peer.unwrap_or(0));
        }
        Ok(())
    }
}

/// Returns the `repr` of a value, cut off if it is long. Leaves out the brackets of a list if `inner`.
fn shown(value: &Bound<'_, PyAny>, inner: bool) -> PyResult<String> {
    let text = match value.repr() {
        Ok(text) => text.to_string_lossy().into_owned(),
        // Python limits the depth of recursion.
        Err(error) if error.is_instance_of::<PyRecursionError>(value.py()) => return Ok("…".into()),
        Err(error) => return Err(error),
    };
    let end = text.len().saturating_sub(1);
    Ok(clipped(if inner { text.get(1..end).unwrap_or_default() } else { &text }))
}

/// Escapes text of a packet so that it cannot control a terminal. Cuts it off if it is long.
fn escaped(text: &str) -> String {
    text.chars().flat_map(char::escape_debug).take(SHORT).collect()
}

fn clipped(text: &str) -> String {
    match text.char_indices().nth(SHORT) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// The state of one node in a packet of the kind `sync` or `delta`.
#[pyclass(frozen, module = "gamewire")]
pub(crate) struct NodeState {
    state: State,
    dialect: Dialect,
    args: PyOnceLock<Py<PyAny>>,
}

impl NodeState {
    fn new(state: State, dialect: Dialect) -> Self {
        Self { state, dialect, args: PyOnceLock::new() }
    }

    /// Returns the path of the node, or its number.
    fn name(&self) -> String {
        match (self.state.node, &self.state.path) {
            (NetId::Synchronizer(id), _) => format!("net id {id}"),
            (NetId::Cached(_), Some(path)) => escaped(&String::from_utf8_lossy(path)),
            (NetId::Cached(id), None) => format!("node {id}"),
        }
    }
}

#[pymethods]
impl NodeState {
    /// Number of the synchronizer.
    #[getter]
    fn net_id(&self) -> Option<u32> {
        match self.state.node {
            NetId::Synchronizer(id) => Some(id),
            NetId::Cached(_) => None,
        }
    }

    /// Number of the node, for a synchronizer that was not spawned.
    #[getter]
    fn node_id(&self) -> Option<u32> {
        match self.state.node {
            NetId::Synchronizer(_) => None,
            NetId::Cached(id) => Some(id),
        }
    }

    /// Path of the node, if its number is known.
    #[getter]
    fn path<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        self.state.path.as_ref().map(|path| text(py, path)).transpose()
    }

    /// Bits of the properties that are present (`delta`).
    #[getter]
    fn changed(&self) -> Option<u64> {
        self.state.changed
    }

    /// Values of the properties.
    #[getter]
    fn args<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let State { values, objects, .. } = &self.state;
        let make =
            || load_sequence(&PyBytes::new(py, values), self.dialect, *objects).map(Bound::unbind);
        Ok(self.args.get_or_try_init(py, || guarded(py, make))?.bind(py).clone())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<NodeState {}: {}>", self.name(), shown(&self.args(py)?, true)?))
    }
}
