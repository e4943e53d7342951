//! The function `packets` and the class `Packets`.

use super::capture::{Capture, Selection};
use super::names;
use super::owned::Owned;
use super::packet::Packet;
use super::source::{Control, Pending};
use super::table::{Batch, Table, schema, stream};
use crate::error::{guarded, raise};
use gamewire::traffic::{Filter, Options};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PyString, PyTuple};
use std::collections::VecDeque;
use std::sync::Mutex;

/// Reads the packets of Godot games in a capture (pcap or pcapng).
///
/// `source` is a path, or a binary file object with the method `read`, such as an open file, a
/// pipe, or what `gzip.open` returns. The capture is read while the result is consumed. The memory
/// that this needs does not grow with the length of the capture. A list of sources is read as a
/// series of captures, such as `tcpdump -C` writes: each capture continues the conversations of the
/// previous one.
///
/// Most options are those of the command `gamewire packets`:
///
/// * `port` selects the packets from or to a port.
/// * `engine` is `godot4` or `godot3`. By default, it is detected.
/// * `compressor` is the compression of ENet: `none`, `range-coder`, `fastlz`, `zlib` or `zstd`. By
///   default, it is detected.
/// * `methods` has the names of methods, because Godot 4 sends only their numbers. It is a
///   dictionary with a list of names for each path of a node, the text of a file for `--methods`
///   (with at least one line feed), or the path of such a file.
/// * `scripts` is the folder with the scripts of a game, or a list of such folders, as for `--scripts`.
///   The scripts supply further names of methods.
/// * `filter` is a condition as for `--filter`, such as `"kind=rpc,set"` or `"path!=*/Sync"`. With
///   a list of conditions, a packet must satisfy all of them.
/// * `all=True` also returns control packets, such as pings, encrypted traffic, and bytes of other
///   protocols.
/// * `name` is the content of the column `file`. By default, it is the path, or the attribute
///   `name` of the file object. For a series, it is a list.
///
/// >>> from gamewire import packets
/// >>> methods = {"Main": ["blob", "chat", "move", "no_args", "raw", "small", "state"]}
/// >>> for packet in packets("corpus/captures/enet.pcap", methods=methods):
/// ...     if packet.method == "chat":
/// ...         print(packet.peer, packet.args)
/// ...         break
/// 1210655142 ['hello 7', 1.75]
#[pyfunction(name = "packets")]
#[pyo3(signature = (source, *, port = None, engine = None, compressor = None, methods = None,
    scripts = None, filter = None, all = false, name = None))]
#[allow(clippy::too_many_arguments, reason = "the arguments of the Python function")]
fn read_packets(
    source: &Bound<'_, PyAny>,
    port: Option<u16>,
    engine: Option<&str>,
    compressor: Option<&str>,
    methods: Option<&Bound<'_, PyAny>>,
    scripts: Option<&Bound<'_, PyAny>>,
    filter: Option<&Bound<'_, PyAny>>,
    all: bool,
    name: Option<&Bound<'_, PyAny>>,
) -> PyResult<Packets> {
    let py = source.py();
    let mut options = Options::default();
    options.port = port;
    options.engine = engine.map(|engine| names::engine(py, engine)).transpose()?;
    options.enet_compression =
        compressor.map(|compressor| names::compression(py, compressor)).transpose()?;
    let filters = each(filter)?.iter().map(names::filter).collect::<PyResult<Vec<_>>>()?;
    let selects_bytes = filters.iter().any(Filter::selects_bytes);
    options.other_protocols = all || port.is_some() || selects_bytes;
    let names = names::names(methods, &each(scripts)?)?;
    let captures = pending(source, name)?;
    let files: Vec<_> = captures.iter().map(|capture| capture.name().to_owned()).collect();
    let selection = Selection { all, has_port: port.is_some(), filters };
    let capture = Capture::new(captures, Control::default(), options, names, selection);
    let state = Mutex::new(State::New(Box::new(capture)));
    Ok(Packets { file: files.join(", "), state })
}

/// Returns the elements of a list or tuple. Any other object is returned as the only element.
fn each<'py>(objects: Option<&Bound<'py, PyAny>>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let Some(objects) = objects else { return Ok(Vec::new()) };
    match objects.is_instance_of::<PyList>() || objects.is_instance_of::<PyTuple>() {
        true => objects.try_iter()?.collect(),
        false => Ok(vec![objects.clone()]),
    }
}

/// Returns the captures, with their names. Opens the first one.
fn pending(source: &Bound<'_, PyAny>, name: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Pending>> {
    let sources = each(Some(source))?;
    let given = each(name)?;
    let is_one = name.is_none_or(|name| name.is_instance_of::<PyString>());
    if name.is_some() && (given.len() != sources.len() || is_one != (sources.len() == 1)) {
        let message = "`name` must be a string for one capture, and a list for a series";
        return Err(pyo3::exceptions::PyValueError::new_err(message));
    }
    let mut names = given.iter();
    let captures = sources.iter().enumerate().map(|(index, source)| {
        let capture = Pending::new(source)?;
        let capture = if index == 0 { capture.opened()? } else { capture };
        Ok(match names.next() {
            Some(name) => capture.with_name(name.extract()?),
            None => capture,
        })
    });
    captures.collect()
}

/// The packets of a capture: an iterator of `Packet`, or a table.
///
/// pyarrow, pandas, Polars, DuckDB and other libraries that accept Arrow's interface for streams
/// (`__arrow_c_stream__`) take it as a table without a copy, with the columns that `gamewire packets
/// --parquet` writes. The packets can be read once: either as an iterator or as a table.
///
/// >>> from gamewire import packets
/// >>> table = packets("corpus/captures/enet.pcap")
/// >>> for batch in table.batches():
/// ...     batch  # pyarrow.record_batch(batch)
/// <Batch of 652 packets>
/// >>> list(table)
/// Traceback (most recent call last):
///     ...
/// gamewire._error.Error: the packets were already read; call gamewire.packets again
#[pyclass(module = "gamewire")]
pub(crate) struct Packets {
    /// Name of the capture.
    file: String,
    /// The mutex makes the class `Sync`, which PyO3 requires. It is never locked, since all methods
    /// that use the state have a mutable reference.
    state: Mutex<State>,
}

enum State {
    New(Box<Capture>),
    Packets(Box<Reading>),
    Table(Box<Table>),
    Over,
    /// Passed on to another library.
    Taken,
}

/// A capture that is read packet by packet.
struct Reading {
    capture: Capture,
    /// Packets that were read ahead.
    ready: VecDeque<Owned>,
    buffer: Vec<u8>,
    is_over: bool,
}

impl Reading {
    /// Returns the next packet. Must be called without the global interpreter lock.
    fn next(&mut self) -> PyResult<Option<Owned>> {
        let Self { capture, ready, buffer, is_over } = self;
        while ready.is_empty() && !*is_over {
            Python::attach(|py| py.check_signals())?;
            *is_over = !capture.block(&mut |record, frame, names, _| {
                ready.push_back(Owned::new(record, frame, names, buffer));
            });
        }
        match ready.pop_front() {
            Some(packet) => Ok(Some(packet)),
            None => match capture.take_problem() {
                Some(problem) => Err(Python::attach(|py| problem.raise(py))),
                None => Ok(None),
            },
        }
    }
}

impl Packets {
    fn state(&mut self) -> &mut State {
        match self.state.get_mut() {
            Ok(state) => state,
            Err(poisoned) => poisoned.into_inner(),
        }
    }

    /// Begins to read a table.
    fn begin_table(&mut self, py: Python<'_>) -> PyResult<Table> {
        let state = self.state();
        match std::mem::replace(state, State::Taken) {
            State::New(capture) => Ok(Table::new(*capture)),
            other => {
                *state = other;
                Err(already_read(py))
            }
        }
    }

    /// Returns the next batch of a table that [`begin_table`](Self::begin_table) has begun.
    fn next_batch(&mut self, py: Python<'_>) -> PyResult<Option<Batch>> {
        let state = self.state();
        let State::Table(table) = state else { return Ok(None) };
        let next = py.detach(|| table.next_batch());
        if !matches!(next, Ok(Some(_))) {
            *state = State::Over;
        }
        next
    }
}

#[cold]
fn already_read(py: Python<'_>) -> PyErr {
    let message = "the packets were already read; call gamewire.packets again";
    raise(py, message, "AlreadyRead".into(), None, None)
}

#[pymethods]
impl Packets {
    fn __iter__(mut slf: PyRefMut<'_, Self>) -> PyResult<PyRefMut<'_, Self>> {
        match slf.state() {
            State::New(_) | State::Packets(_) => Ok(slf),
            State::Table(_) | State::Over | State::Taken => Err(already_read(slf.py())),
        }
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Packet>> {
        let state = self.state();
        if let State::New(_) = state
            && let State::New(capture) = std::mem::replace(state, State::Over)
        {
            let (ready, buffer) = Default::default();
            let reading = Reading { capture: *capture, ready, buffer, is_over: false };
            *state = State::Packets(Box::new(reading));
        }
        let reading = match state {
            State::Packets(reading) => reading,
            State::Over => return Ok(None),
            _ => return Err(already_read(py)),
        };
        if let Some(packet) = reading.ready.pop_front() {
            return Ok(Some(Packet::new(packet)));
        }
        let next = guarded(py, || py.detach(|| reading.next()));
        if !matches!(next, Ok(Some(_))) {
            *state = State::Over;
        }
        Ok(next?.map(Packet::new))
    }

    /// Reads all packets into a `pyarrow.Table`. Needs pyarrow.
    #[allow(clippy::wrong_self_convention, reason = "the name that other libraries use, too")]
    fn to_arrow<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let pyarrow = py.import("pyarrow")?;
        let table = self.begin_table(py)?;
        *self.state() = State::Table(Box::new(table));
        guarded(py, || {
            let batches = PyList::empty(py);
            while let Some(batch) = self.next_batch(py)? {
                batches.append(pyarrow.call_method1("record_batch", (batch,))?)?;
            }
            let options = PyDict::new(py);
            options.set_item("schema", pyarrow.call_method1("schema", (Schema,))?)?;
            pyarrow.getattr("Table")?.call_method("from_batches", (batches,), Some(&options))
        })
    }

    /// Returns an iterator over the rows in batches of at most 65,536 packets.
    fn batches(slf: Bound<'_, Self>) -> PyResult<Batches> {
        let mut packets = slf.borrow_mut();
        let table = packets.begin_table(slf.py())?;
        *packets.state() = State::Table(Box::new(table));
        drop(packets);
        Ok(Batches(slf.unbind()))
    }

    /// Exports the rows as a stream of batches.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &mut self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A consumer that asks for another schema must accept this one.
        let _ = requested_schema;
        stream(py, self.begin_table(py)?)
    }

    /// Exports the schema of the table.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema(py)
    }

    fn __repr__(&self) -> String {
        format!("<Packets of {:?}>", self.file)
    }
}

/// The schema of the table.
#[pyclass(frozen, module = "gamewire")]
struct Schema;

#[pymethods]
impl Schema {
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema(py)
    }
}

/// An iterator over batches of rows.
#[pyclass(frozen, module = "gamewire")]
pub(crate) struct Batches(Py<Packets>);

#[pymethods]
impl Batches {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Batch>> {
        guarded(py, || self.0.bind(py).borrow_mut().next_batch(py))
    }
}

pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Packets>()?;
    module.add_class::<Batches>()?;
    module.add_function(wrap_pyfunction!(read_packets, module)?)
}
