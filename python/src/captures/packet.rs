//! The classes `Packet` and `NodeState`.

use super::owned::{Owned, Part, State};
use crate::error::{guarded, raise};
use crate::python::text;
use crate::read::{load_first, load_sequence};
use gamewire::godot::Dialect;
use gamewire::godot::multiplayer::godot4::NetId;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyList, PyString};
use std::fmt::Write;

/// Length of the arguments in a `repr`, in characters.
const SHORT: usize = 100;

/// A packet of a game. The attributes have the names and the content of the columns of the table that
/// `Packets.to_arrow` makes; `None` stands for null. Values are decoded when they are asked for.
///
/// >>> from gamewire import packets
/// >>> packet = next(p for p in packets(example, methods=names) if p.kind == "rpc")
/// >>> packet
/// <Packet 1785150450.073514  127.0.0.1:39001 → 127.0.0.1:35001  enet/0  reliable  rpc  /root/World.set_name('Ada')>
/// >>> packet.path, packet.method, packet.args
/// ('/root/World', 'set_name', ['Ada'])
/// >>> print(packet.datetime)
/// 2026-07-27 11:07:30.073514+00:00
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
        py.import("json")?.call_method1("loads", (json,))
    }
}

#[pymethods]
impl Packet {
    /// Time of capture in nanoseconds since 1970 (UTC).
    #[getter]
    fn time(&self) -> Option<i64> {
        self.owned.time
    }

    /// Time of capture in UTC, without the nanoseconds below a microsecond.
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

    /// Name of the method, or of the property that is set.
    #[getter]
    fn method(&self) -> Option<&str> {
        self.owned.text(Part::Method)
    }

    /// Number of a spawned node.
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

    /// Value of a packet that is a single value, as `gamewire.godot.loads` makes it; or the content of
    /// a text message that is JSON.
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

    /// Bytes that a script sent, or the whole malformed packet.
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
        // Text of a packet must not move the cursor of a terminal.
        let escape =
            |text: &str| text.chars().flat_map(char::escape_debug).take(SHORT).collect::<String>();
        match (owned.part(Part::Path), owned.node_id) {
            (Some(path), _) => line.push_str(&escape(&String::from_utf8_lossy(path))),
            (None, Some(id)) => {
                let _ = write!(line, "node {id}");
            }
            (None, None) => {}
        }
        if let Some(method) = owned.text(Part::Method) {
            line.push('.');
            line.push_str(&escape(method));
        }
        if let Some(args) = self.args(py)? {
            let args = args.repr()?.to_string_lossy().into_owned();
            let inner = args.get(1..args.len().saturating_sub(1)).unwrap_or_default();
            let _ = write!(line, "({})", clipped(inner));
        } else if owned.part(Part::Value).is_some() {
            let before = if owned.part(Part::Method).is_some() { " = " } else { "" };
            let value = self.value(py)?.repr()?.to_string_lossy().into_owned();
            let _ = write!(line, "{before}{}", clipped(&value));
        } else if let Some(text) = owned.text(Part::Text) {
            line.push_str(&clipped(&format!("{text:?}")));
        } else if let Some(reason) = owned.reason {
            let _ = write!(line, "{reason}, at offset {}", owned.offset.unwrap_or(0));
        } else if let Some(bytes) = owned.part(Part::Bytes) {
            let _ = write!(line, "{} bytes", bytes.len());
        } else if let Some(states) = &owned.states {
            let _ = write!(line, "{} nodes", states.len());
        } else if let (Some(id), true) = (owned.net_id, line.ends_with(owned.kind.name())) {
            let _ = write!(line, "net id {id}");
        } else if matches!(owned.kind.name(), "add_peer" | "del_peer") {
            let _ = write!(line, "peer {}", owned.peer.unwrap_or(0));
        }
        Ok(())
    }
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
        let name = match (self.state.node, self.path(py)?) {
            (NetId::Synchronizer(id), _) => format!("net_id={id}"),
            (NetId::Cached(_), Some(path)) => format!("path={}", path.repr()?.to_string_lossy()),
            (NetId::Cached(id), None) => format!("node_id={id}"),
        };
        let args = self.args(py)?.repr()?.to_string_lossy().into_owned();
        Ok(format!("<NodeState {name} args={}>", clipped(&args)))
    }
}
