//! Reading: the visitor that builds Python objects, and the functions `loads` and `iter_frames`.

mod builder;

use crate::error::{Failure, guarded, raise};
use crate::input::{Named, bytes_of, detached, is_long};
use crate::keys::Keys;
use builder::Builder;
use gamewire::godot::frame::{Frames, Framing};
use gamewire::godot::{Dialect, Level, Limits, Reader};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use std::ops::Range;

/// Settings of `loads` and `iter_frames`.
#[derive(Clone, Copy)]
struct Settings {
    dialect: Dialect,
    limits: Limits,
    /// `true` if Python must be able to hash the value.
    frozen: bool,
}

impl Settings {
    fn new(
        py: Python<'_>,
        dialect: Dialect,
        objects: bool,
        depth: u32,
        level: &str,
    ) -> PyResult<Self> {
        let level = match level {
            "structure" => Level::Structure,
            "engine" => Level::Engine,
            "strict" => Level::Strict,
            _ => {
                let message = format!("{level:?} is not structure, engine or strict");
                return Err(raise(py, &message, "UnknownLevel".into(), None, None));
            }
        };
        Ok(Self { dialect, limits: Limits { depth, objects, level }, frozen: false })
    }

    /// Reads the only value in a part of the input.
    fn load<'py>(
        self,
        input: &Bound<'py, PyBytes>,
        range: Range<usize>,
        keys: &mut Keys,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = input.py();
        let start = range.start as u64;
        let packet = input.as_bytes().get(range).unwrap_or_default();
        let value = self.load_packet(input, packet, start, keys);
        value.map_err(|failure| failure.reading(py, packet, start, self.dialect))
    }

    fn load_packet<'py>(
        self,
        input: &Bound<'py, PyBytes>,
        packet: &[u8],
        start: u64,
        keys: &mut Keys,
    ) -> Result<Bound<'py, PyAny>, Failure> {
        let reader = || Reader::new(packet, self.dialect).limits(self.limits).origin(start);
        if is_long(packet) || self.limits.level != Level::Structure {
            detached(input.py(), packet, || reader().skip())?;
        }
        let mut builder = Builder::new(input, self.dialect, keys, self.frozen)?;
        let mut reader = reader();
        reader.visit(&mut builder)?;
        reader.finish()?;
        Ok(builder.finish()?)
    }
}

/// Reads one value, which must fill `data`.
///
/// `data` is a bytes-like object. Packed arrays share the memory of a `bytes` object; any other
/// object is copied once. If `frames` is true, `data` is a sequence of values with a length before
/// each, as `store_var` and `put_var` write them, and the result is a list. `big_endian` is the
/// byte order of these lengths.
///
/// >>> from gamewire.godot import loads
/// >>> loads(b"\x1c\0\0\0\x02\0\0\0\x02\0\0\0\x01\0\0\0\x04\0\0\0\x01\0\0\0x\0\0\0")
/// [1, 'x']
/// >>> loads(b"\x04\0\0\0" + b"\0\0\0\0", frames=True)
/// [None]
#[pyfunction]
#[pyo3(signature = (data, dialect = Named(Dialect::Godot4), *, frames = false, big_endian = false,
    objects = true, depth = 1024, level = "structure"), text_signature =
    "(data, dialect='godot4', *, frames=False, big_endian=False, objects=True, depth=1024, level='structure')")]
#[allow(clippy::too_many_arguments, reason = "the arguments of the Python function")]
fn loads<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    dialect: Named,
    frames: bool,
    big_endian: bool,
    objects: bool,
    depth: u32,
    level: &str,
) -> PyResult<Bound<'py, PyAny>> {
    guarded(py, || {
        let settings = Settings::new(py, dialect.0, objects, depth, level)?;
        let input = bytes_of(data)?;
        let mut keys = Keys::take();
        let value = if frames {
            load_frames(settings, &input, big_endian, &mut keys)
        } else {
            settings.load(&input, 0..input.as_bytes().len(), &mut keys)
        };
        keys.put_back();
        value
    })
}

fn load_frames<'py>(
    settings: Settings,
    input: &Bound<'py, PyBytes>,
    big_endian: bool,
    keys: &mut Keys,
) -> PyResult<Bound<'py, PyAny>> {
    let list = PyList::empty(input.py());
    let mut position = 0;
    while let Some(frame) = next_frame(input, position, big_endian)? {
        position = frame.end;
        list.append(settings.load(input, frame, keys)?)?;
    }
    Ok(list.into_any())
}

/// Returns the range of the content of the frame at `position`.
fn next_frame(
    input: &Bound<'_, PyBytes>,
    position: usize,
    big_endian: bool,
) -> PyResult<Option<Range<usize>>> {
    let rest = input.as_bytes().get(position..).unwrap_or_default();
    let framing = Framing { big_endian, max_len: u32::MAX };
    match Frames::with(rest, framing).next() {
        None => Ok(None),
        Some(Ok(frame)) => {
            let start = position + frame.offset as usize;
            Ok(Some(start..start + frame.bytes.len()))
        }
        Some(Err(error)) => {
            let error = error.shifted(position as u64);
            Err(Failure::Format(error).writing(input.py()))
        }
    }
}

/// Iterates over values with a length before each. Each value is read when it is asked for. An
/// error ends the iteration.
///
/// >>> from gamewire.godot import iter_frames
/// >>> list(iter_frames(b"\x04\0\0\0" + b"\0\0\0\0"))
/// [None]
#[pyfunction]
#[pyo3(signature = (data, dialect = Named(Dialect::Godot4), *, big_endian = false, objects = true,
    depth = 1024, level = "structure"), text_signature =
    "(data, dialect='godot4', *, big_endian=False, objects=True, depth=1024, level='structure')")]
#[allow(clippy::too_many_arguments, reason = "the arguments of the Python function")]
fn iter_frames(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    dialect: Named,
    big_endian: bool,
    objects: bool,
    depth: u32,
    level: &str,
) -> PyResult<FrameIterator> {
    let settings = Settings::new(py, dialect.0, objects, depth, level)?;
    Ok(FrameIterator { input: bytes_of(data)?.unbind(), settings, big_endian, position: Some(0) })
}

/// An iterator over the values of a stream.
#[pyclass(module = "gamewire.godot")]
struct FrameIterator {
    input: Py<PyBytes>,
    settings: Settings,
    big_endian: bool,
    /// The offset of the next frame, or `None` after the end or an error.
    position: Option<usize>,
}

#[pymethods]
impl FrameIterator {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        guarded(py, || {
            let Some(position) = self.position.take() else { return Ok(None) };
            let input = self.input.bind(py);
            let Some(frame) = next_frame(input, position, self.big_endian)? else {
                return Ok(None);
            };
            let end = frame.end;
            let mut keys = Keys::take();
            let value = self.settings.load(input, frame, &mut keys);
            keys.put_back();
            self.position = value.is_ok().then_some(end);
            value.map(Some)
        })
    }
}

/// Builds the objects of a value that was checked before, and that is a key if `frozen`.
pub(crate) fn load_part<'py>(
    input: &Bound<'py, PyBytes>,
    range: Range<usize>,
    dialect: Dialect,
    frozen: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let settings = Settings { dialect, limits: Limits::default(), frozen };
    let mut keys = Keys::take();
    let value = settings.load(input, range, &mut keys);
    keys.put_back();
    value
}

/// Builds a list of values that follow each other to the end of the input.
pub(crate) fn load_sequence<'py>(
    input: &Bound<'py, PyBytes>,
    dialect: Dialect,
    objects: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let list = PyList::empty(input.py());
    load_each(input, dialect, objects, |value| list.append(value).map(|()| true))?;
    Ok(list.into_any())
}

/// Builds the first value of the input. Other bytes may follow it. Returns Python's `None` if the
/// input is empty.
pub(crate) fn load_first<'py>(
    input: &Bound<'py, PyBytes>,
    dialect: Dialect,
    objects: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let mut first = input.py().None().into_bound(input.py());
    load_each(input, dialect, objects, |value| {
        first = value;
        Ok(false)
    })?;
    Ok(first)
}

/// Builds values that follow each other, as long as `add` returns `true`.
fn load_each<'py>(
    input: &Bound<'py, PyBytes>,
    dialect: Dialect,
    objects: bool,
    mut add: impl FnMut(Bound<'py, PyAny>) -> PyResult<bool>,
) -> PyResult<()> {
    let bytes = input.as_bytes();
    let mut keys = Keys::take();
    let mut read = || {
        let mut reader =
            Reader::new(bytes, dialect).limits(Limits { objects, ..Limits::default() });
        loop {
            if reader.is_empty() {
                return Ok(());
            }
            let mut builder = Builder::new(input, dialect, &mut keys, false)?;
            reader.visit(&mut builder)?;
            if !add(builder.finish()?)? {
                return Ok(());
            }
        }
    };
    let done = read();
    keys.put_back();
    done.map_err(|failure: Failure| failure.reading(input.py(), bytes, 0, dialect))
}

/// Reads all values in `data`, which follow each other without lengths between them.
#[pyfunction]
fn load_all<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    dialect: Named,
) -> PyResult<Bound<'py, PyAny>> {
    guarded(py, || load_sequence(&bytes_of(data)?, dialect.0, true))
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<FrameIterator>()?;
    module.add_function(wrap_pyfunction!(loads, module)?)?;
    module.add_function(wrap_pyfunction!(load_all, module)?)?;
    module.add_function(wrap_pyfunction!(iter_frames, module)?)
}
